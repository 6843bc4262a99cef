// SPDX-License-Identifier: MIT
// The new entity text of a map, and what becomes of it: a map, a file of its own, or lines that
// tell what is different.
#include "cli/parts/entity_edit.h"

#include "cli/parts/entity_diff.h"
#include "cli/parts/entity_import.h"
#include "cli/parts/folder.h"
#include "cli/parts/patch.h"
#include "cli/parts/select.h"

#include <stdlib.h>
#include <string.h>

typedef struct edit {
    const cli_input *input;
    const bsp_lump *lump;
    bsp_entities *old;     // of the map
    bsp_entities *current; // those that are changed: the old ones, or those of --import
    bsp_entities *new;     // after all
    uint32_t number;       // of the lump
    char *imported;
    bsp_entity_change *changes;
    uint32_t count;
    bool *removed;   // of the current ones
    uint8_t **files; // of --add
    uint32_t num_files;
    bsp_blob text;
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
        cli_message(input->path, "no lump of entities%s%s", name == NULL ? "" : " is called ",
                    name == NULL ? "" : name);
        return false;
    }
    return true;
}

bool cli_entity_edits(const cli_call *call) {
    const cli_entity_options *options = cli_entity_options_of(call);
    return changes_any(call) || options->export != NULL || options->dry_run;
}

// --- what is asked for --------------------------------------------------------------------------

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
        cli_message(call->command->name,
                    "which entities? --where KEY=GLOB or --index N (--where 'classname=*': all)");
        return false;
    }
    if (exports && call->num_operands > 1) {
        cli_message(call->command->name, "--export takes one map");
        return false;
    }
    if (options->dry_run && (exports || !changes_any(call))) {
        cli_message(call->command->name, "--dry-run wants a change, and does not export");
        return false;
    }
    if (common->lmp.count != 0 && !exports && !options->dry_run) {
        cli_message(call->command->name, "--lmp is for reading; bspkit lump replace changes a map");
        return false;
    }
    return check_pairs(call) && cli_where_check(call);
}

static bool no_memory(const edit *e) {
    cli_message(e->input->path, "no memory");
    return false;
}

// --- changes ------------------------------------------------------------------------------------

static void change(edit *e, bsp_entity_action action, uint32_t entity, bsp_text key,
                   bsp_text value) {
    e->changes[e->count++] = (bsp_entity_change){action, entity, key, value};
}

// What one option does to one entity.
static void apply(edit *e, const cli_item *item, uint32_t entity) {
    bsp_text value = bsp_text_of(item->value);
    const char *equals = value.size == 0 ? NULL : memchr(value.data, '=', value.size);
    bsp_text key = {value.data, equals == NULL ? value.size : (size_t)(equals - value.data)};
    bsp_text rest = bsp_text_of(equals == NULL ? "" : equals + 1);
    if (item->what == BSP_ENTITY_UNSET) {
        change(e, BSP_ENTITY_UNSET, entity, value, rest);
    } else if (item->what == BSP_ENTITY_REMOVE) {
        change(e, BSP_ENTITY_REMOVE, entity, bsp_text_of(NULL), bsp_text_of(NULL));
        e->removed[entity] = true;
    } else {
        change(e, (bsp_entity_action)item->what, entity, key, rest);
    }
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
    change(e, BSP_ENTITY_ADD, 0, bsp_text_of(NULL), (bsp_text){(const char *)bytes, size});
    return true;
}

// The changes of all options, in their order, to all entities that are selected.
static bool collect(edit *e, uint32_t *selected) {
    const cli_call *call = e->input->call;
    const cli_entity_options *options = cli_entity_options_of(call);
    *selected = 0;
    for (uint32_t i = 0; changes_selected(call) && i < e->current->count; i++) {
        if (cli_where_selects(call, &e->current->list[i], i)) {
            ++*selected;
            for (size_t c = 0; c < options->changes.count; c++) {
                apply(e, &options->changes.items[c], i);
            }
        }
    }
    for (size_t a = 0; a < options->add.count; a++) {
        if (!add_file(e, options->add.items[a].value)) {
            return false;
        }
    }
    return true;
}

static bool import(edit *e) {
    const char *path = cli_entity_options_of(e->input->call)->import;
    size_t size;
    bsp_error error;
    e->current = e->old;
    if (path == NULL) {
        return true;
    }
    uint8_t *bytes = cli_read_file(path, &size);
    if (bytes != NULL) {
        e->imported = cli_entity_import(path, (bsp_bytes){bytes, size}, e->old, &size);
    }
    free(bytes);
    if (e->imported == NULL) {
        return false;
    }
    e->current = bsp_entities_parse((bsp_text){e->imported, size}, NULL, NULL, &error);
    return e->current != NULL || no_memory(e);
}

static cli_status make_text(edit *e, uint32_t *selected) {
    bsp_error error;
    size_t options = e->input->call->num_given + 1;
    if (!import(e)) {
        return CLI_FAILED;
    }
    e->changes = calloc(((size_t)e->current->count + 1) * options, sizeof *e->changes);
    e->removed = calloc((size_t)e->current->count + 1, sizeof *e->removed);
    e->files = calloc(options, sizeof *e->files);
    if (e->changes == NULL || e->removed == NULL || e->files == NULL) {
        (void)no_memory(e);
        return CLI_FAILED;
    }
    if (!collect(e, selected)) {
        return CLI_FAILED;
    }
    if (!bsp_entities_change(e->current, e->changes, e->count, NULL, &e->text, &error)) {
        return cli_report(e->input->path, &error);
    }
    bsp_text text = {(const char *)e->text.data, e->text.size};
    e->new = bsp_entities_parse(text, NULL, NULL, &error);
    return e->new != NULL || no_memory(e) ? CLI_DONE : CLI_FAILED;
}

// --- results ------------------------------------------------------------------------------------

// As the lump was: packed or not.
static bool pack(const edit *e, bsp_blob *packed, bsp_bytes *data) {
    bsp_error error;
    *data = (bsp_bytes){e->text.data, e->text.size};
    if (!e->lump->compressed || data->size == 0) {
        return true;
    }
    if (!bsp_lump_pack(e->lump, *data, NULL, packed, &error)) {
        (void)cli_report(e->input->path, &error);
        return false;
    }
    *data = (bsp_bytes){packed->data, packed->size};
    return true;
}

static cli_status write_map(const edit *e) {
    bsp_blob packed = {0};
    bsp_lump_change lump = {.lump = e->number, .version = BSP_NONE};
    if (!pack(e, &packed, &lump.data)) {
        return CLI_FAILED;
    }
    bsp_text text = {(const char *)e->text.data, e->text.size};
    bool same = bsp_text_equal(text, e->old->text); // packed again its bytes could be others
    lump.unpacked_size = packed.data == NULL ? 0 : (uint32_t)e->text.size;
    cli_status status = cli_edited_lump(e->input, &lump, same);
    bsp_blob_free(&packed);
    return status;
}

// What was not removed follows each other as before, and what is added comes after it. Of imported
// entities it is not known which one was which.
static uint32_t *known_before(const edit *e) {
    uint32_t *before_of = calloc((size_t)e->new->count + 1, sizeof *before_of);
    uint32_t next = 0;
    for (uint32_t i = 0; before_of != NULL && i < e->new->count; i++) {
        while (next < e->old->count && e->removed[next]) {
            next++;
        }
        before_of[i] = next < e->old->count ? next++ : BSP_NONE;
    }
    return before_of;
}

static bool find_difference(const edit *e, cli_entity_diff *diff) {
    bool known = e->current == e->old;
    uint32_t *before_of = known ? known_before(e) : NULL;
    if (known && before_of == NULL) {
        return no_memory(e);
    }
    bool good = cli_entity_diff_new(diff, e->input->path, e->old, e->new, before_of);
    free(before_of);
    return good;
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

// Without a change: the selected entities, as additions.
static bool export_stripper(const edit *e, cli_output *output) {
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
        if (cli_where_selects(e->input->call, &e->new->list[i], i)) {
            cli_entity_stripper_add(&e->new->list[i], output);
        }
    }
    return true;
}

static bool export_patch(const edit *e, cli_output *output) {
    if (bsp_file_get_info(e->input->file)->revision == BSP_NONE) {
        cli_message(e->input->path, "only Source's maps have .lmp files");
        return false;
    }
    bsp_bytes text = {(const uint8_t *)e->text.data, e->text.size};
    cli_patch_write(e->input->file, e->lump, text, output);
    return true;
}

// Without the NULs that end the lump.
static void export_text(const edit *e, cli_output *output) {
    size_t size = e->text.size;
    while (size != 0 && e->text.data[size - 1] == '\0') {
        size--;
    }
    (void)cli_sink(output, (const char *)e->text.data, size);
}

static cli_status export(const edit *e, const char *path) {
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

static cli_status use_text(const edit *e, uint32_t selected) {
    const cli_call *call = e->input->call;
    if (changes_selected(call) && selected == 0) {
        cli_message(e->input->path, "no entity is selected: nothing is written");
        return CLI_PROBLEMS;
    }
    if (cli_entity_options_of(call)->dry_run) {
        return print_difference(e);
    }
    const char *path = cli_entity_options_of(call)->export;
    return path != NULL ? export(e, path) : write_map(e);
}

static cli_status work(const cli_input *input) {
    edit e = {.input = input};
    bsp_error error;
    uint32_t selected;
    if (!cli_entity_lump(input, &e.number)) {
        return CLI_USAGE;
    }
    e.old = bsp_lump_entities(input->file, e.number, NULL, &error);
    if (e.old == NULL) {
        return cli_report(input->path, &error);
    }
    e.lump = bsp_file_lump(input->file, e.number);
    cli_status status = make_text(&e, &selected);
    if (status == CLI_DONE) {
        status = use_text(&e, selected);
    }
    for (uint32_t i = 0; i < e.num_files; i++) {
        free(e.files[i]);
    }
    free(e.files);
    free(e.changes);
    free(e.removed);
    bsp_entities_free(e.new);
    if (e.current != e.old) {
        bsp_entities_free(e.current);
    }
    bsp_entities_free(e.old);
    bsp_blob_free(&e.text);
    free(e.imported);
    return status;
}

cli_status cli_entity_edit(const cli_call *call) {
    if (!check_call(call)) {
        return CLI_USAGE;
    }
    bool writes =
        !cli_entity_options_of(call)->dry_run && cli_entity_options_of(call)->export == NULL;
    return writes ? cli_for_each_edited(call, call->operands, call->num_operands, work)
                  : cli_for_each_of(call, call->operands, call->num_operands, NULL, 0, work);
}
