// SPDX-License-Identifier: MIT
// bspkit entities: all entities of a map, or those that match; order and repeated keys are kept.
#include "cli/parts/commands.h"
#include "cli/commands/entity_edit.h"
#include "cli/parts/input.h"
#include "cli/parts/patch.h"
#include "cli/parts/select.h"

static void print_entity(cli_output *output, const bsp_entity *entity) {
    (void)cli_sink(output, "{\n", 2);
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        (void)cli_sink(output, "\"", 1);
        cli_print_text(output, entity->pairs[i].key);
        (void)cli_sink(output, "\" \"", 3);
        cli_print_text(output, entity->pairs[i].value);
        (void)cli_sink(output, "\"\n", 2);
    }
    (void)cli_sink(output, "}\n", 2);
}

static uint32_t count_matches(cli_filter *filter, const bsp_entities *entities) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < entities->count; i++) {
        count += cli_filter_matches(filter, &entities->list[i], i) ? 1 : 0;
    }
    return count;
}

static void print_json(const cli_input *input, cli_filter *filter, const bsp_entities *entities) {
    bsp_json *json = input->json;
    if (cli_entity_options_of(input->call)->count) {
        bsp_json_uint(json, count_matches(filter, entities));
        return;
    }
    bsp_json_array(json);
    for (uint32_t i = 0; i < entities->count; i++) {
        if (cli_filter_matches(filter, &entities->list[i], i)) {
            bsp_entity_json(&entities->list[i], i, json);
        }
    }
    bsp_json_array_end(json);
}

// Of several maps, those without a match are not printed.
static void print_count(const cli_input *input, uint32_t count) {
    if (input->several && count == 0) {
        return;
    }
    if (input->several) {
        cli_print_text(input->output, bsp_text_of(input->path));
        cli_print(input->output, ": ");
    }
    cli_print(input->output, "%u\n", (unsigned)count);
}

static void print_text(const cli_input *input, cli_filter *filter, const bsp_entities *entities) {
    cli_output *output = input->output;
    if (cli_entity_options_of(input->call)->count) {
        print_count(input, count_matches(filter, entities));
        return;
    }
    if (input->several) { // a comment in a map document
        cli_print(output, "// ");
        cli_print_text(output, bsp_text_of(input->path));
        cli_print(output, "\n");
    }
    for (uint32_t i = 0; i < entities->count && output->failure == 0; i++) {
        if (cli_filter_matches(filter, &entities->list[i], i)) {
            print_entity(output, &entities->list[i]);
        }
    }
}

static cli_status work(const cli_input *input) {
    bsp_error error = {.code = BSP_E_UNSUPPORTED,
                       .place = bsp_place_none(),
                       .message = "no lump of this branch is known to hold entities"};
    uint32_t lump = BSP_NONE;
    bool one = cli_entity_options_of(input->call)->lump != NULL;
    if (one && !cli_entity_lump(input, &lump)) {
        return CLI_USAGE;
    }
    bsp_entities *entities = one ? bsp_lump_entities(input->file, lump, NULL, &error)
                                 : bsp_file_entities(input->file, NULL, &error);
    if (entities == NULL) {
        return cli_report(input->path, &error);
    }
    cli_filter filter;
    bool good = cli_filter_open(&filter, input->call);
    if (good && input->json != NULL) {
        print_json(input, &filter, entities);
    } else if (good) {
        print_text(input, &filter, entities);
    }
    cli_status status = !good           ? CLI_FAILED
                        : filter.failed ? cli_report(input->path, &filter.error)
                                        : CLI_DONE;
    cli_filter_close(&filter);
    bsp_entities_free(entities);
    return status;
}

static const char *const columns[] = {
    "@", "entity=[].index", "key=[].pairs[].0", "value=[].pairs[].1", "error", NULL};

static const cli_row_form rows = {"[].pairs[]", columns};

static const char *const count_columns[] = {"@", "entities=", "error", NULL};

static const cli_row_form count_rows = {"", count_columns};

static cli_status run(const cli_call *call) {
    if (cli_entity_edits(call) && cli_rows_wanted(call) != CLI_ROWS_NONE) {
        cli_message("entities", "--csv and --tsv print entities, and change none");
        return CLI_USAGE;
    }
    if (cli_entity_edits(call)) {
        return cli_entity_edit(call);
    }
    if (call->common->in_place || call->common->no_backup || call->common->backup ||
        call->common->force) {
        cli_message("entities", "nothing is changed; see bspkit help entities");
        return CLI_USAGE;
    }
    cli_status status = cli_where_check(call);
    const cli_row_form *form = cli_entity_options_of(call)->count ? &count_rows : &rows;
    return status != CLI_DONE ? status : cli_for_each_rows(call, call->num_operands, work, form);
}

static const cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTIONS_ROWS,
    CLI_OPTION_WHERE,
    CLI_OPTION_INDEX,
    {.name = "lump",
     CLI_TEXT_TO(cli_entity_options, lump),
     .argument = "NAME",
     .help = "Only the entities of this lump, such as ent:spawn for a file beside one of Respawn's "
             "maps"},
    {.name = "count",
     CLI_FLAG_TO(cli_entity_options, count),
     .help = "Print only how many there are; of several maps, only of those with any"},
    {.name = "set",
     CLI_TEXT_TO(cli_entity_options, changes),
     .what = BSP_ENTITY_SET,
     .argument = "KEY=VALUE",
     .help = "Set this key of the selected entities to this value"},
    {.name = "unset",
     CLI_TEXT_TO(cli_entity_options, changes),
     .what = BSP_ENTITY_UNSET,
     .argument = "KEY",
     .help = "Remove this key from the selected entities"},
    {.name = "rename",
     CLI_TEXT_TO(cli_entity_options, changes),
     .what = BSP_ENTITY_RENAME,
     .argument = "OLD=NEW",
     .help = "Rename this key in the selected entities"},
    {.name = "remove",
     CLI_FLAG_TO(cli_entity_options, changes),
     .what = BSP_ENTITY_REMOVE,
     .help = "Remove the selected entities"},
    {.name = "add",
     CLI_FILE_TO(cli_entity_options, add),
     .argument = "FILE",
     .help = "Add the entities of a file (text) after the last one"},
    {.name = "import",
     CLI_FILE_TO(cli_entity_options, import),
     .argument = "FILE",
     .help = "Replace all entities by those of a file: text, or JSON as --json prints it"},
    {.name = "export",
     CLI_TARGET_TO(cli_entity_options, export),
     .argument = "FILE",
     .help = "Write the entities, changed as asked for, to a file: JSON if it ends in .json, a "
             "patch for Source in .lmp, a configuration of Stripper:Source in .cfg, else text"},
    {.name = "dry-run",
     CLI_FLAG_TO(cli_entity_options, dry_run),
     .help = "Write nothing, and print the differences"},
    {.name = "output",
     .letter = 'o',
     CLI_TARGET_TO(cli_common, output),
     .argument = "FILE",
     .help = "Write the text to this file, or the changed map to it, or into this folder, which "
             "several maps need; - is standard output"},
    CLI_OPTION_IN_PLACE,
    CLI_OPTIONS_BACKUP,
    CLI_OPTION_FORCE,
    CLI_OPTION_KEEP_CHECKSUM,
    CLI_OPTION_LMP,
    CLI_OPTIONS_MANY,
    CLI_OPTION_JOBS,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_entities = {
    .name = "entities",
    .group = CLI_GROUP_LOOK,
    .operands = "FILE...",
    .summary = "Print the entities of a map, or change them",
    .description =
        "As text, each entity is a block of quoted keys and values as in the map's own entity "
        "lump. As JSON, the entities are an array of objects, each with its index in the file and "
        "a list of [key, value] pairs. The order of entities and keys is that of the file, and "
        "repeated keys are kept.\n\n"
        "With --set, --unset, --rename, --remove, --add or --import the map is written again with "
        "changed entities, to --output or --in-place. What is selected is what --where and --index "
        "say. Changes apply in the order given; all text that they do not concern stays as it is, "
        "and a packed lump stays packed.\n\n"
        "Respawn's maps have entities in .ent files beside them too: they are printed after those "
        "of the map, and changed with --lump. What changes then is that file: --in-place replaces "
        "it, and --output names it or its folder.\n\n"
        "What --import reads replaces all entities. In JSON the index says which one of the map an "
        "entity was: if nothing in it changed it keeps its text. One without an index is new, one "
        "that is missing is removed.\n\n"
        "What --dry-run prints is the difference: @, the entity's number, its classname and "
        "targetname, then a line for each pair that goes (-) or comes (+). --export writes it as a "
        "patch: for Stripper:Source what is different (without a change: the selected entities as "
        "additions), for .lmp files of Source and .ent files of Quake and GoldSrc all entities.",
    .examples =
        {"bspkit entities --where 'classname=light*' maps/start.bsp",
         "bspkit entities --where classname=light --set light=300 maps/start.bsp -o out.bsp"},
    CLI_OPTIONS(options, cli_entity_options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .rows = &rows,
    .run = run,
};
