// SPDX-License-Identifier: MIT
// bspkit formats: the branches, and the layouts of one, printed from the tables by which the
// library reads and writes maps.
#include "cli/commands/formats_json.h"
#include "cli/commands/formats_tables.h"
#include "cli/parts/branch_table.h"
#include "cli/parts/commands.h"
#include "cli/parts/doc_table.h"
#include "cli/parts/values.h"

#include <stdio.h>
#include <string.h>

// --- words --------------------------------------------------------------------------------------

typedef struct formats_options {
    cli_common common;
    bool games;
    bool markdown;
} formats_options;

static const formats_options *options_of(const cli_call *call) {
    return call->options;
}

#define ROLE_TEXT 96

static const char *role_of(const bsp_field *field, char out[ROLE_TEXT]) {
    const char *target = bsp_table_id_name((bsp_table_id)field->target);
    switch (field->role) {
    case BSP_ROLE_VALUE:
        snprintf(out, ROLE_TEXT, "%s", field->type == BSP_CHAR ? "text" : "");
        break;
    case BSP_ROLE_INDEX:
        snprintf(out, ROLE_TEXT, "index of %s", target);
        break;
    case BSP_ROLE_INDEX_NONE:
        snprintf(out, ROLE_TEXT, "index of %s, or %s", target,
                 field->unsigned_none ? "all ones" : "-1");
        break;
    case BSP_ROLE_FIRST:
        snprintf(out, ROLE_TEXT, "first of a run of %s", target);
        break;
    case BSP_ROLE_COUNT:
        snprintf(out, ROLE_TEXT, "length of a run of %s", target);
        break;
    case BSP_ROLE_SURFEDGE:
        snprintf(out, ROLE_TEXT, "index of %s; negative: backwards", target);
        break;
    case BSP_ROLE_NODE_CHILD:
        snprintf(out, ROLE_TEXT, "index of nodes, or -1 - index of leaves");
        break;
    case BSP_ROLE_CLIP_CHILD:
        snprintf(out, ROLE_TEXT, "index of clipnodes, or contents");
        break;
    case BSP_ROLE_OFFSET:
        snprintf(out, ROLE_TEXT, "offset into %s", target);
        break;
    case BSP_ROLE_OFFSET_NONE:
        snprintf(out, ROLE_TEXT, "offset into %s, or -1", target);
        break;
    default:
        snprintf(out, ROLE_TEXT, "%s", bsp_role_name(field->role));
    }
    return out;
}

#define LIMIT_TEXT 24

static const char *limit_of(const bsp_lump_def *def, char out[LIMIT_TEXT]) {
    snprintf(out, LIMIT_TEXT, "-");
    if (def->limit.max != 0) {
        snprintf(out, LIMIT_TEXT, "%u%s", (unsigned)def->limit.max,
                 def->limit.in_bytes ? " bytes" : "");
    }
    return out;
}

// --- records of a lump ---------------------------------------------------------------------------

// "dface_t", "dleaf_t (version 1), dleaf_version_0_t", "occluders, polys, indices".
#define MADE_TEXT 256

static void append(char out[MADE_TEXT], const char *text) {
    size_t used = strlen(out);
    snprintf(out + used, MADE_TEXT - used, "%s%s", used == 0 ? "" : ", ", text);
}

static void append_version(char out[MADE_TEXT], uint32_t version) {
    size_t used = strlen(out);
    if (version != BSP_ANY_VERSION) {
        snprintf(out + used, MADE_TEXT - used, " (version %u)", (unsigned)version);
    }
}

static const char *made_of(const bsp_lump_def *def, char out[MADE_TEXT]) {
    out[0] = '\0';
    for (uint32_t v = 0; v < def->num_variants; v++) {
        append(out, def->variants[v].layout->name);
        append_version(out, def->variants[v].version);
    }
    for (uint32_t l = 0; l < def->num_section_lists; l++) {
        const bsp_section_list *list = &def->section_lists[l];
        append(out, list->sections[0].layout->name);
        append_version(out, list->version);
    }
    return out;
}

// --- text and Markdown --------------------------------------------------------------------------

#define CLASSES_TEXT 256

static const char *classes_of(const bsp_game *game, char out[CLASSES_TEXT]) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t c = 0; c < BSP_GAME_CLASSES && game->classes[c] != NULL && used < CLASSES_TEXT;
         c++) {
        used += (size_t)snprintf(out + used, CLASSES_TEXT - used, "%s%s", c == 0 ? "" : " ",
                                 game->classes[c]);
    }
    if (game->needs != 0 && used < CLASSES_TEXT) {
        used += (size_t)snprintf(out + used, CLASSES_TEXT - used,
                                 " (%u of these at least, with the first)", (unsigned)game->needs);
    }
    if (game->never != NULL && used < CLASSES_TEXT) {
        (void)snprintf(out + used, CLASSES_TEXT - used, " (never %s)", game->never);
    }
    return out[0] == '\0' ? "-" : out;
}

static const char *versions_of(const bsp_game *game, char out[CLI_VERSION_TEXT]) {
    char low[BSP_VERSION_TEXT];
    char high[BSP_VERSION_TEXT];
    bool one = game->low == game->high;
    snprintf(out, CLI_VERSION_TEXT, "%s%s%s", bsp_version_text(game->low, low), one ? "" : " to ",
             one ? "" : bsp_version_text(game->high, high));
    return out;
}

static void list_games(cli_output *output, bool markdown) {
    static const cli_column columns[] = {{"game", false},
                                         {"versions", false},
                                         {"told by", false},
                                         {"classes begin", false},
                                         {"limits of its own", false}};
    const bsp_game *game;
    cli_doc_table table;
    cli_doc_table_begin(&table, output, markdown, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; (game = bsp_game_at(i)) != NULL; i++) {
        char version[CLI_VERSION_TEXT];
        char classes[CLASSES_TEXT];
        char limits[CLASSES_TEXT] = "-";
        size_t used = 0;
        for (uint32_t l = 0; l < game->num_limits && used < sizeof limits; l++) {
            used += (size_t)snprintf(limits + used, sizeof limits - used, "%s%u %s",
                                     l == 0 ? "" : ", ", (unsigned)game->limits[l].max,
                                     bsp_table_id_name(game->limits[l].id));
        }
        cli_doc_table_cell(&table, CLI_STRONG, "%s", game->title);
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", versions_of(game, version));
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", cli_game_told_on(game));
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", classes_of(game, classes));
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", limits);
    }
    cli_doc_table_end(&table, 0);
}

static void heading(cli_output *output, bool markdown, const char *text) {
    cli_print(output, markdown ? "\n## " : "\n");
    cli_print_styled(output, CLI_STRONG, text);
    cli_print(output, markdown ? "\n\n" : "\n");
}

static void print_lumps(cli_output *output, bool markdown, const bsp_branch *branch) {
    static const cli_column columns[] = {
        {"#", true}, {"lump", false}, {"kind", false}, {"limit", true}, {"records", false}};
    cli_doc_table table;
    uint32_t stated = 0;
    for (uint32_t i = 0; i < bsp_branch_shape(branch)->num_lumps; i++) {
        stated += cli_stated_lump(branch, markdown, i) != NULL ? 1 : 0;
    }
    if (stated == 0) {
        return;
    }
    heading(output, markdown, "Lumps");
    cli_doc_table_begin(&table, output, markdown, columns, sizeof columns / sizeof *columns);
    for (uint32_t i = 0; i < bsp_branch_shape(branch)->num_lumps; i++) {
        const bsp_lump_def *def = cli_stated_lump(branch, markdown, i);
        char limit[LIMIT_TEXT];
        char made[MADE_TEXT];
        if (def != NULL) {
            cli_doc_table_cell(&table, CLI_PLAIN, "%u", (unsigned)i);
            cli_doc_table_cell(&table, CLI_STRONG, "%s", def->name);
            cli_doc_table_cell(&table, CLI_PLAIN, "%s", bsp_kind_name(def->kind));
            cli_doc_table_cell(&table, CLI_PLAIN, "%s", limit_of(def, limit));
            cli_doc_table_cell(&table, CLI_PLAIN, "%s", made_of(def, made));
        }
    }
    cli_doc_table_end(&table, 2);
}

// Prints why lumps are left as bytes, where that is known.
static void print_notes(cli_output *output, bool markdown, const bsp_branch *branch) {
    for (uint32_t i = 0; i < bsp_branch_shape(branch)->num_lumps; i++) {
        const bsp_lump_def *def = cli_stated_lump(branch, markdown, i);
        char text[512];
        if (def != NULL && def->note != NULL) {
            snprintf(text, sizeof text,
                     markdown ? "`%s` (%u) is left as bytes. %s" : "%s (%u) is left as bytes. %s",
                     def->name, (unsigned)i, def->note);
            cli_print(output, "\n");
            cli_print_wrapped(output, markdown ? 0 : 2, text);
        }
    }
}

static void print_game_lumps(cli_output *output, bool markdown, const bsp_branch *branch) {
    static const cli_column columns[] = {
        {"game lump", false}, {"version", true}, {"bytes", true}, {"sections", false}};
    const bsp_branch *games = cli_game_lump_branch(branch, markdown);
    if (games == NULL) {
        return;
    }
    cli_doc_table table;
    heading(output, markdown, "Game lumps");
    cli_doc_table_begin(&table, output, markdown, columns, sizeof columns / sizeof *columns);
    for (uint32_t g = 0; g < games->num_game_lumps; g++) {
        const bsp_game_lump_def *game = &games->game_lumps[g];
        for (uint32_t l = 0; l < game->num_section_lists; l++) {
            const bsp_section_list *list = &game->section_lists[l];
            const bsp_layout *last = list->sections[list->num_sections - 1].layout;
            char made[MADE_TEXT] = "";
            for (uint32_t s = 0; s < list->num_sections; s++) {
                if (list->sections[s].head != NULL) {
                    append(made, list->sections[s].head->name);
                }
                append(made, list->sections[s].layout->name);
            }
            cli_doc_table_cell(&table, CLI_STRONG, "%s", game->id);
            cli_doc_table_cell(&table, CLI_PLAIN, list->version == BSP_ANY_VERSION ? "any" : "%u",
                               (unsigned)list->version);
            cli_doc_table_cell(&table, CLI_PLAIN, "%u%s", (unsigned)last->size,
                               list->prefix ? " or more" : "");
            cli_doc_table_cell(&table, CLI_PLAIN, "%s", made);
        }
    }
    cli_doc_table_end(&table, 2);
}

static void print_layout(cli_output *output, bool markdown, const bsp_layout *layout) {
    static const cli_column columns[] = {
        {"offset", true}, {"field", false}, {"type", false}, {"count", true}, {"what", false}};
    char title[128];
    cli_doc_table table;
    snprintf(title, sizeof title, "%s (%u bytes)", layout->name, (unsigned)layout->size);
    heading(output, markdown, title);
    cli_doc_table_begin(&table, output, markdown, columns, sizeof columns / sizeof *columns);
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        char role[ROLE_TEXT];
        cli_doc_table_cell(&table, CLI_PLAIN, "%zu", bsp_layout_offset(layout, f));
        cli_doc_table_cell(&table, CLI_STRONG, "%s", field->name);
        if (field->bits == 0) {
            cli_doc_table_cell(&table, CLI_PLAIN, "%s%s", bsp_type_name(field->type),
                               field->swapped ? ", bytes swapped" : "");
        } else {
            cli_doc_table_cell(&table, CLI_PLAIN, "%s, bits %u to %u", bsp_type_name(field->type),
                               field->shift, field->shift + field->bits - 1u);
        }
        cli_doc_table_cell(&table, CLI_PLAIN, "%u", field->count);
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", role_of(field, role));
    }
    cli_doc_table_end(&table, 2);
}

static void print_facts(cli_output *output, bool markdown, const bsp_branch *branch) {
    char version[CLI_VERSION_TEXT];
    char text[640];
    cli_print(output, markdown ? "# " : "");
    cli_print_styled(output, CLI_STRONG, branch->name);
    snprintf(text, sizeof text,
             "%s. Family %s, magic and version %s%s%s%s. Read as %s; tried on maps: %s.",
             branch->title, bsp_family_name(branch->family), cli_branch_version(branch, version),
             branch->base == NULL ? "" : ", derived from ",
             branch->base == NULL ? "" : branch->base->name,
             branch->classes == NULL ? "" : ", told by its entity classes",
             cli_branch_depth(branch), bsp_verified_name(branch->verified));
    cli_print(output, markdown ? "\n\n" : "\n");
    cli_print_wrapped(output, markdown ? 0 : 2, text);
}

static void print_format(cli_output *output, bool markdown, const bsp_branch *branch) {
    cli_layout_list list;
    cli_find_layouts(branch, markdown, &list);
    print_facts(output, markdown, branch);
    if (markdown) {
        cli_print(output, "\nThis page is made from the tables in `src/formats` by `make docs`.\n");
    }
    if (markdown && branch->base != NULL) {
        cli_print(output, "What is not stated here is as in [%s](%s.md).\n", branch->base->name,
                  branch->base->name);
    }
    print_lumps(output, markdown, branch);
    print_notes(output, markdown, branch);
    print_game_lumps(output, markdown, branch);
    for (size_t i = 0; i < list.count; i++) {
        print_layout(output, markdown, list.layouts[i]);
    }
}

// --- the command --------------------------------------------------------------------------------

static const char *const list_columns[] = {"[].branch",  "[].family",   "[].magic",
                                           "[].version", "[].games",    "[].base",
                                           "[].read_as", "[].tried_on", NULL};

static const char *const game_columns[] = {"[].title",   "[].low",       "[].high",
                                           "[].told_by", "[].classes.*", NULL};

static const char *const layout_columns[] = {"branch",
                                             "layout=layouts[].name",
                                             "layouts[].fields[].offset",
                                             "layouts[].fields[].name",
                                             "layouts[].fields[].type",
                                             "layouts[].fields[].count",
                                             "layouts[].fields[].shift",
                                             "layouts[].fields[].bits",
                                             "layouts[].fields[].swapped",
                                             "layouts[].fields[].role",
                                             "layouts[].fields[].target",
                                             NULL};

static const cli_row_form rows_of_list = {"[]", list_columns};
static const cli_row_form rows_of_games = {"[]", game_columns};
static const cli_row_form rows_of_layouts = {"layouts[].fields[]", layout_columns};

static void print_json(cli_output *output, const bsp_branch *branch, bool games) {
    bsp_json json;
    bsp_json_begin(&json, cli_sink, output);
    cli_formats_json(&json, branch, games);
    (void)bsp_json_flush(&json);
    cli_print(output, "\n");
}

static cli_status run(const cli_call *call) {
    const formats_options *options = options_of(call);
    const bsp_branch *branch = NULL;
    if (call->num_operands != 0 && options->games) {
        cli_message("formats", "--games takes no operand");
        return CLI_USAGE;
    }
    if (call->num_operands != 0) {
        branch = cli_find_branch(call->command, call->operands[0]);
        if (branch == NULL) {
            return CLI_USAGE;
        }
    }
    cli_output output;
    if (!cli_output_open(&output, call->common->output)) {
        return CLI_FAILED;
    }
    if (!cli_output_rows(&output, cli_rows_wanted(call),
                         branch != NULL   ? &rows_of_layouts
                         : options->games ? &rows_of_games
                                          : &rows_of_list)) {
        return cli_output_fail(&output);
    }
    if (call->common->json) {
        print_json(&output, branch, options->games);
    } else if (options->games) {
        list_games(&output, options->markdown);
    } else if (branch != NULL) {
        print_format(&output, options->markdown, branch);
    } else {
        cli_print_branches(&output, options->markdown);
    }
    return cli_output_close(&output, CLI_DONE);
}

static const cli_option options[] = {
    {.name = "games",
     CLI_FLAG_TO(formats_options, games),
     .help = "List the games of Source: their versions, the entity classes that tell their maps, "
             "and whether this was tested on real maps or rests on documents"},
    {.name = "json",
     CLI_FLAG_TO(cli_common, json),
     .help = "Print JSON: a list of branches, or one with its layouts"},
    CLI_OPTIONS_ROWS,
    {.name = "markdown",
     CLI_FLAG_TO(formats_options, markdown),
     .help = "Print a page of the documentation"},
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_formats = {
    .name = "formats",
    .group = CLI_GROUP_ABOUT,
    .operands = "[NAME]",
    .summary = "List the formats, or print the layouts of one",
    .description =
        "Without an operand, lists every branch of the format: its family, magic and version, and "
        "the games. \"Read as\" is map where all that makes a map is understood, lumps where only "
        "the directory and some records are. \"Tried on\" is real where maps of the game or its "
        "compilers were at hand, built where only maps were that the tests make from the same "
        "table, no where neither was.\n\n"
        "With the name of a branch, prints its lumps with their limits, and each layout field by "
        "field: offset, name, type, count, and what the value points at.",
    .examples = {"bspkit formats", "bspkit formats --json quake2"},
    CLI_OPTIONS(options, formats_options),
    .max_operands = 1,
    .reads = "b",
    .rows = &rows_of_list,
    .run = run,
};
