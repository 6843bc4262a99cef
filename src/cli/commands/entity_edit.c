// SPDX-License-Identifier: MIT
// Makes the new entity text of a map, and writes it: as a map, as a file, or as a list of
// differences.
#include "cli/commands/entity_edit.h"

#include "cli/commands/entity_diff.h"
#include "cli/commands/entity_import.h"
#include "cli/parts/folder.h"
#include "cli/parts/patch.h"
#include "cli/parts/select.h"

#include <stdlib.h>
#include <string.h>

typedef struct edit {
    const cli_input *input;
    uint32_t number; // of the lump
    cli_filter filter;
    bsp_entities *old;         // of the map
    bsp_entity_edit *imported; // --import; NULL without it
    bsp_entity_edit *changed;  // after the changes
    const bsp_entities *new;   // that of `changed`
    bsp_entity_change *changes;
    uint32_t count;
    uint8_t **files; // contents of the files of --add
    uint32_t num_files;
} edit;

static bool changes_selected(const cli_call *call) {
    return cli_entity_options_of(call)->changes.count != 0;
}

static bool changes_any(const cli_call *call) {
    const cli_entity_options *options = cli_entity_options_of(call);
    return changes_selected(call) || options->add.count != 0 || options->import != NULL;
}

bool cli_entity_lump(const cli_input *input, uint32_t *lump) {
    const char *name = cli_entity_options_of(input->call)->lump;
    *lump = name == NULL ? bsp_file_find_id(input->file, BSP_ID_ENTITIES)
                         : bsp_file_find(input->file, bsp_text_of(name));
    if (*lump == BSP_NONE || bsp_file_lump(input->file, *lump)->kind != BSP_KIND_ENTITIES) {
        cli_message(input->path, "no lump of entities%s%s%s", name == NULL ? "" : " is called '",
                    name == NULL ? "" : name, name == NULL ? "" : "'");
        return false;
    }
    return true;
}

bool cli_entity_edits(const cli_call *call) {
    const cli_entity_options *options = cli_entity_options_of(call);
    return changes_any(call) || options->export != NULL || options->dry_run;
}

// --- options -------------------------------------------------------------------------------------

static bool check_pairs(const cli_call *call) {
    const cli_list *changes = &cli_entity_options_of(call)->changes;
    for (size_t i = 0; i < changes->count; i++) {
        const cli_item *item = &changes->items[i];
        bool renames = item->what == BSP_ENTITY_RENAME;
        bool needs = renames || item->what == BSP_ENTITY_SET;
        const char *equals = needs ? strchr(item->value, '=') : NULL;
        if (needs && (equals == NULL || equals == item->value)) {
            cli_message(call->command->name, "--%s takes %s, not '%s'", renames ? "rename" : "set",
                        renames ? "OLD=NEW" : "KEY=VALUE", item->value);
            return false;
        }
    }
    return true;
}

static bool check_call(const cli_call *call) {
    const cli_entity_options *options = cli_entity_options_of(call);
    const cli_common *common = call->common;
    bool exports = options->export != NULL;
    if (changes_selected(call) && common->where.count == 0 && common->indices.count == 0) {
        cli_message(call->command->name, "no entities are chosen: use --where KEY=GLOB or --index "
                                         "N (--where 'classname=*' chooses all)");
        return false;
    }
    if (exports && call->num_operands > 1) {
        cli_message(call->command->name, "--export takes one map");
        return false;
    }
    if (options->dry_run && (exports || !changes_any(call))) {
        cli_message(call->command->name,
                    "--dry-run needs a change, and cannot be combined with --export");
        return false;
    }
    if (common->lmp.count != 0 && !exports && !options->dry_run) {
        cli_message(call->command->name, "--lmp is for reading; bspkit lump replace changes a map");
        return false;
    }
    return check_pairs(call);
}

static bool no_memory(const edit *e) {
    cli_message(e->input->path, "no memory");
    return false;
}

// --- changes ------------------------------------------------------------------------------------

static void change(edit *e, bsp_entity_action action, bsp_text key, bsp_text value) {
    e->changes[e->count++] = (bsp_entity_change){.action = action, .key = key, .value = value};
}

// What one option does to the entities that are selected.
static void note_option(edit *e, const cli_item *item) {
    bsp_text value = bsp_text_of(item->value);
    const char *equals = value.size == 0 ? NULL : memchr(value.data, '=', value.size);
    bsp_text key = {value.data, equals == NULL ? value.size : (size_t)(equals - value.data)};
    bsp_text rest = bsp_text_of(equals == NULL ? "" : equals + 1);
    bool whole = item->what == BSP_ENTITY_UNSET;
    change(e, (bsp_entity_action)item->what, whole ? value : key, rest);
}

static bool add_file(edit *e, const char *path) {
    size_t size;
    uint8_t *bytes = cli_read_file(path, &size);
    if (bytes == NULL) {
        return false;
    }
    e->files[e->num_files++] = bytes;
    while (size != 0 && bytes[size - 1] == '\0') {
        size--;
    }
    change(e, BSP_ENTITY_ADD, bsp_text_of(NULL), (bsp_text){(const char *)bytes, size});
    return true;
}

// The changes of all options, in their order.
static bool collect(edit *e) {
    const cli_entity_options *options = cli_entity_options_of(e->input->call);
    e->changes = calloc(options->changes.count + options->add.count + 1, sizeof *e->changes);
    e->files = calloc(options->add.count + 1, sizeof *e->files);
    if (e->changes == NULL || e->files == NULL) {
        return no_memory(e);
    }
    for (size_t i = 0; i < options->changes.count; i++) {
        note_option(e, &options->changes.items[i]);
    }
    for (size_t i = 0; i < options->add.count; i++) {
        if (!add_file(e, options->add.items[i].value)) {
            return false;
        }
    }
    return true;
}

static bool import(edit *e) {
    const char *path = cli_entity_options_of(e->input->call)->import;
    size_t size;
    if (path == NULL) {
        return true;
    }
    uint8_t *bytes = cli_read_file(path, &size);
    if (bytes != NULL) {
        e->imported = cli_entity_import(path, (bsp_bytes){bytes, size}, e->old);
    }
    free(bytes);
    return e->imported != NULL;
}

static cli_status make_text(edit *e) {
    bsp_error error;
    if (!cli_filter_open(&e->filter, e->input->call) || !import(e) || !collect(e)) {
        return CLI_FAILED;
    }
    const bsp_entities *current = e->imported == NULL ? e->old : e->imported->entities;
    e->changed = bsp_entities_edit(current, &e->filter.filter, e->changes, e->count, NULL, &error);
    if (e->changed == NULL) {
        return cli_report(e->input->path, &error);
    }
    e->new = e->changed->entities;
    return CLI_DONE;
}

// --- results ------------------------------------------------------------------------------------

static bsp_bytes bytes_of(bsp_text text) {
    return (bsp_bytes){(const uint8_t *)text.data, text.size};
}

static cli_status write_map(const edit *e) {
    bsp_error error;
    bsp_blob packed;
    bsp_lump_change lump;
    if (!bsp_lump_change_make(e->input->file, e->number, bytes_of(e->new->text), NULL, &packed,
                              &lump, &error)) {
        return cli_report(e->input->path, &error);
    }
    bool same = bsp_text_equal(e->new->text, e->old->text); // packed again it could differ
    cli_status status = cli_edited_lump(e->input, &lump, same);
    bsp_blob_free(&packed);
    return status;
}

// Of imported entities it is not known which one was which.
static bool find_difference(const edit *e, cli_entity_diff *diff) {
    const uint32_t *before_of = e->imported == NULL ? e->changed->before_of : NULL;
    return cli_entity_diff_new(diff, e->input->path, e->old, e->new, before_of);
}

static cli_status print_difference(const edit *e) {
    cli_entity_diff diff;
    if (!find_difference(e, &diff)) {
        return CLI_FAILED;
    }
    if (e->input->several) {
        cli_print(e->input->output, "// ");
        cli_print_text(e->input->output, bsp_text_of(e->input->path));
        cli_print(e->input->output, "\n");
    }
    cli_entity_diff_print(&diff, e->input->output);
    cli_entity_diff_free(&diff);
    return CLI_DONE;
}

static void export_json(const edit *e, cli_output *output) {
    bsp_json json;
    bsp_json_begin(&json, cli_sink, output);
    bsp_json_array(&json);
    for (uint32_t i = 0; i < e->new->count; i++) {
        bsp_entity_json(&e->new->list[i], i, &json);
    }
    bsp_json_array_end(&json);
    (void)bsp_json_flush(&json);
    cli_print(output, "\n");
}

// Without a change: prints the selected entities as additions.
static bool export_stripper(edit *e, cli_output *output) {
    cli_entity_diff diff;
    if (changes_any(e->input->call)) {
        if (!find_difference(e, &diff)) {
            return false;
        }
        cli_entity_diff_stripper(&diff, output);
        cli_entity_diff_free(&diff);
        return true;
    }
    for (uint32_t i = 0; i < e->new->count; i++) {
        if (cli_filter_matches(&e->filter, &e->new->list[i], i)) {
            cli_entity_stripper_add(&e->new->list[i], output);
        }
    }
    return !e->filter.failed || cli_report(e->input->path, &e->filter.error) == CLI_DONE;
}

static bool export_patch(const edit *e, cli_output *output) {
    if (bsp_file_get_info(e->input->file)->revision == BSP_NONE) {
        cli_message(e->input->path, "only Source's maps have .lmp files");
        return false;
    }
    cli_patch_write(e->input->file, bsp_file_lump(e->input->file, e->number),
                    bytes_of(e->new->text), output);
    return true;
}

// Prints the text without the NULs that end the lump.
static void export_text(const edit *e, cli_output *output) {
    bsp_text text = e->new->text;
    while (text.size != 0 && text.data[text.size - 1] == '\0') {
        text.size--;
    }
    (void)cli_sink(output, text.data, text.size);
}

static cli_status export(edit *e, const char *path) {
    cli_output output;
    bool done = true;
    if (!cli_output_open(&output, path)) {
        return CLI_FAILED;
    }
    if (cli_ends_in(path, ".json")) {
        export_json(e, &output);
    } else if (cli_ends_in(path, ".cfg")) {
        done = export_stripper(e, &output);
    } else if (cli_ends_in(path, ".lmp")) {
        done = export_patch(e, &output);
    } else {
        export_text(e, &output);
    }
    return done ? cli_output_close(&output, CLI_DONE) : cli_output_fail(&output);
}

static cli_status use_text(edit *e) {
    const cli_call *call = e->input->call;
    if (changes_selected(call) && e->changed->num_selected == 0) {
        cli_message(e->input->path, "no entity is selected: nothing is written");
        return CLI_PROBLEMS;
    }
    if (cli_entity_options_of(call)->dry_run) {
        return print_difference(e);
    }
    const char *path = cli_entity_options_of(call)->export;
    if (e->changed->num_removed != 0) {
        const bsp_entities *current = e->imported == NULL ? e->old : e->imported->entities;
        cli_message(e->input->path, "removes %u of %u entities", (unsigned)e->changed->num_removed,
                    (unsigned)current->count);
    }
    return path != NULL ? export(e, path) : write_map(e);
}

static void free_edit(edit *e) {
    for (uint32_t i = 0; i < e->num_files; i++) {
        free(e->files[i]);
    }
    free(e->files);
    free(e->changes);
    bsp_entity_edit_free(e->changed);
    bsp_entity_edit_free(e->imported);
    bsp_entities_free(e->old);
    cli_filter_close(&e->filter);
}

static cli_status work(const cli_input *input) {
    edit e = {.input = input};
    bsp_error error;
    if (!cli_entity_lump(input, &e.number)) {
        return CLI_USAGE;
    }
    e.old = bsp_lump_entities(input->file, e.number, NULL, &error);
    if (e.old == NULL) {
        return cli_report(input->path, &error);
    }
    cli_status status = make_text(&e);
    if (status == CLI_DONE) {
        status = use_text(&e);
    }
    free_edit(&e);
    return status;
}

cli_status cli_entity_edit(const cli_call *call) {
    cli_status status = check_call(call) ? cli_where_check(call) : CLI_USAGE;
    if (status != CLI_DONE) {
        return status;
    }
    bool writes =
        !cli_entity_options_of(call)->dry_run && cli_entity_options_of(call)->export == NULL;
    return writes ? cli_for_each_edited(call, call->operands, call->num_operands, work)
                  : cli_for_each_of(call, call->operands, call->num_operands, NULL, work);
}
