// SPDX-License-Identifier: MIT
// bspkit decompile: converts maps back to documents that their editors open.
#include "cli/parts/commands.h"
#include "cli/commands/decompiled.h"
#include "cli/parts/folder.h"
#include "cli/parts/budget.h"
#include "cli/parts/defined.h"
#include "cli/parts/loaded.h"
#include "cli/parts/member.h"
#include "cli/parts/open_map.h"
#include "cli/parts/patch.h"
#include "cli/parts/progress.h"
#include "cli/parts/select.h"

#include <string.h>

#define ISSUES_KEPT 1000u

typedef struct job {
    const cli_call *call;
    cli_filter filter;  // --where
    cli_output *report; // standard output, or NULL if the document is written there
    const char *target; // file or folder
    bool folder;        // the target is a folder
    cli_folder opened;  // the opened folder, if the target is one
    bool forced;        // --dialect was given
    bsp_dialect dialect;
    bsp_definitions *definitions; // of --fgd, or NULL
} job;

// --- outputs -------------------------------------------------------------------------------------

static const char *ending_of(bsp_dialect dialect) {
    return dialect == BSP_DIALECT_VMF ? ".vmf" : ".map";
}

// Returns NAME of FOLDER/NAME.bsp.
static bsp_text stem_of(const char *path) {
    bsp_text name = bsp_text_of(cli_member_file(path));
    name.size -= cli_ends_in(name.data, ".bsp") ? 4 : 0;
    return name;
}

// Opens FOLDER/NAME.map for NAME.bsp, or the file itself; `path` receives its name.
static bool open_output(const job *j, const cli_decompiled *d, char path[CLI_PATH_ROOM],
                        cli_output *output) {
    char name[CLI_PATH_ROOM];
    bsp_text stem = stem_of(d->path);
    int size = j->folder ? snprintf(name, sizeof name, "%.*s%s", (int)stem.size, stem.data,
                                    ending_of(d->dialect))
                         : snprintf(path, CLI_PATH_ROOM, "%s", j->target);
    if (size < 0 || (size_t)size >= CLI_PATH_ROOM) {
        cli_message(d->path, "the path is too long");
        return false;
    }
    return j->folder ? cli_folder_output(&j->opened, name, path, CLI_PATH_ROOM, output)
                     : cli_output_open(output, path);
}

// Returns true if an earlier input has the same name, since both would be one file.
static bool taken(const job *j, int input) {
    bsp_text stem = stem_of(j->call->operands[input]);
    for (int i = 0; i < input && j->folder; i++) {
        if (bsp_text_equal(stem, stem_of(j->call->operands[i]))) {
            cli_message(j->call->operands[input], "its document would replace that of %s",
                        j->call->operands[i]);
            return true;
        }
    }
    return false;
}

// --- one map ------------------------------------------------------------------------------------

// Output is counted where it is written, so the library is only told how many threads it may use.
static bsp_budget *threads_alone(void) {
    const bsp_limits none = {BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT};
    bsp_budget *budget = bsp_budget_new(&none, NULL);
    if (budget != NULL) {
        bsp_budget_set_threads(budget, bsp_budget_threads(cli_budget()));
    }
    return budget;
}

static cli_status write_source(const job *j, cli_decompiled *d, const bsp_map *map) {
    char path[CLI_PATH_ROOM];
    bsp_error error = {0};
    cli_output output;
    d->dialect = j->forced ? j->dialect : bsp_mapdoc_best_dialect(d->source, map->traits->dialect);
    if (!open_output(j, d, path, &output)) {
        return CLI_FAILED;
    }
    bsp_mapdoc_write_options options = {.game = map->traits->map_game,
                                        .corners = cli_decompile_options_of(j->call)->corners,
                                        .budget = threads_alone()};
    bool done =
        bsp_mapdoc_write(d->source, d->dialect, &options, cli_sink, &output, &d->losses, &error);
    bsp_budget_free(options.budget);
    if (!done && output.failure == 0) {
        (void)cli_report(d->path, &error);
    }
    d->written = path;
    cli_status status = done ? cli_output_close(&output, CLI_DONE) : cli_output_fail(&output);
    if (status == CLI_DONE && j->report != NULL) {
        cli_decompiled_print(d, j->call, j->report);
    }
    bool kept = map->traits->has_brushes || map->traits->contents_numbers; // there is a tree
    if (!kept) {
        cli_message(d->path, "maps of %s keep no brushes: only entities were written",
                    map->branch->title);
    }
    bool whole = kept && d->report.brushes_lost == 0 && d->report.displacements_lost == 0 &&
                 d->losses.patches == 0 && d->losses.displacements == 0;
    return status == CLI_DONE && !whole ? CLI_PROBLEMS : status;
}

static bool wanted(void *user, const bsp_entity *entity) {
    job *j = user;
    return cli_filter_matches(&j->filter, entity, 0);
}

// Returns true if no --without-class names the class.
static bool wanted_class(void *user, bsp_text classname) {
    const job *j = user;
    const cli_list *without = &cli_decompile_options_of(j->call)->without_class;
    for (size_t i = 0; i < without->count; i++) {
        if (bsp_text_matches(classname, bsp_text_of(without->items[i].value))) {
            return false;
        }
    }
    return true;
}

static cli_status with_textures(const job *j, cli_decompiled *d, const bsp_file *file,
                                const bsp_map *map, const bsp_textures *textures) {
    bsp_error error = {0};
    cli_progress progress;
    const cli_decompile_options *asked = cli_decompile_options_of(j->call);
    bsp_decompile_options options = {
        .file = file,
        .textures = textures,
        .world_only = asked->world,
        .wanted = j->call->common->where.count != 0 ? wanted : NULL,
        .wanted_class = asked->without_class.count != 0 ? wanted_class : NULL,
        .user = (void *)(uintptr_t)j,
        .mode = (bsp_brush_mode)asked->brushes,
        .thickness = (double)asked->thickness,
        .face_material = asked->face_texture,
        .back_material = asked->back_texture,
        .nodraw_unseen = asked->nodraw_unseen,
        .instances = (bsp_instance_groups)asked->instances,
        .details = (bsp_detail_groups)asked->details,
        .detail_gap = (double)asked->detail_gap,
        .portals = (bsp_portal_mapping)asked->portals,
        .cameras = asked->cameras,
        .no_guesses = asked->no_guess,
        .no_merge = asked->no_merge,
        .keep_angles = asked->keep_angles,
        .issues = asked->report || j->call->common->json ? d->issues : NULL, // else unheard
        .progress = cli_progress_of(&progress),
    };
    cli_progress_start(&progress, d->path);
    d->source = bsp_decompile(map, &options, &d->report, &error);
    cli_progress_clear();
    if (d->source != NULL && j->definitions != NULL) {
        (void)bsp_mapdoc_check_classes(d->source, j->definitions, d->issues);
    }
    cli_status status = d->source == NULL  ? cli_report(d->path, &error)
                        : j->filter.failed ? cli_report(d->path, &j->filter.error)
                                           : write_source(j, d, map);
    bsp_mapdoc_free(d->source);
    return status;
}

// --- embedded files -----------------------------------------------------------------------------

static cli_status extract_file(const bsp_search *pak, bsp_text name, const cli_folder *folder) {
    char safe[CLI_PATH_ROOM];
    bsp_error error = {0};
    bsp_blob blob;
    cli_safe_name(name, safe, sizeof safe);
    if (safe[0] == '\0') {
        cli_message(folder->path, "the name of a file of the pak cannot be used here");
        return CLI_PROBLEMS;
    }
    if (!bsp_search_read(pak, name, &blob, &error)) {
        cli_message(safe, "%s", error.message);
        return CLI_PROBLEMS;
    }
    bool done = cli_folder_put(folder, safe, (bsp_bytes){blob.data, blob.size}, NULL);
    bsp_blob_free(&blob);
    return done ? CLI_DONE : CLI_FAILED;
}

static cli_status extract_pak(cli_decompiled *d, const bsp_map *map, const char *path,
                              bool authored) {
    bsp_error error = {0};
    bsp_search_options options = {.issues = d->issues, .budget = cli_budget()};
    bsp_search *pak = bsp_search_new(&options, &error);
    if (pak == NULL || !bsp_search_add_memory(pak, d->path, map->pak, &error)) {
        bsp_search_free(pak);
        return cli_report(d->path, &error);
    }
    size_t count;
    const bsp_asset *list = bsp_search_list(pak, &count);
    cli_folder folder = {.fd = -1};
    cli_status status = count == 0 || cli_folder_open(&folder, path) ? CLI_DONE : CLI_FAILED;
    for (size_t i = 0; i < count && status != CLI_FAILED; i++) {
        if (authored && bsp_is_compiled_file(list[i].name)) {
            d->passed++;
            continue;
        }
        cli_status one = extract_file(pak, list[i].name, &folder);
        d->extracted += one == CLI_DONE ? 1 : 0;
        status = one > status ? one : status;
    }
    cli_folder_close(&folder);
    bsp_search_free(pak);
    return status;
}

// --- the inputs ---------------------------------------------------------------------------------

static cli_status with_loaded(const job *j, cli_decompiled *d, const bsp_file *file,
                              const cli_loaded *loaded) {
    const cli_decompile_options *asked = cli_decompile_options_of(j->call);
    cli_status packed =
        asked->pak == NULL ? CLI_DONE : extract_pak(d, loaded->map, asked->pak, asked->authored);
    cli_status status = with_textures(j, d, file, loaded->map, loaded->textures);
    return packed > status ? packed : status;
}

static cli_status decompile(const job *j, const char *path) {
    cli_decompiled d = {.path = path, .issues = bsp_issues_new(NULL, ISSUES_KEPT)};
    if (d.issues == NULL) {
        cli_message(path, "no memory");
        return CLI_FAILED;
    }
    cli_opened opened;
    cli_loaded loaded;
    const cli_wanted wanted = {
        .parts = BSP_LOAD_ALL - BSP_LOAD_LIGHT, .textures = true, .map_issues = d.issues};
    cli_status status = CLI_FAILED;
    if (cli_open_map(j->call, path, d.issues, &opened)) {
        status = cli_load(&loaded, j->call, path, opened.file, &wanted);
        if (status == CLI_DONE) {
            status = with_loaded(j, &d, opened.file, &loaded);
        }
        cli_unload(&loaded);
        cli_close_map(&opened);
    }
    bsp_issues_free(d.issues);
    return status;
}

// A single input is written to a file, unless the target is a folder; several are written to a
// folder.
static bool choose_target(job *j) {
    j->target = j->call->common->output;
    if (j->target == NULL || j->target[0] == '\0') {
        cli_message(NULL, "decompile takes a file or a folder: -o OUT");
        return false;
    }
    size_t size = strlen(j->target);
    j->folder = j->call->num_operands > 1 || j->target[size - 1] == '/' || cli_is_folder(j->target);
    if (j->folder && strcmp(j->target, "-") == 0) {
        cli_message(NULL, "several maps need a folder: -o DIR");
        return false;
    }
    int dialect = cli_decompile_options_of(j->call)->dialect;
    j->forced = dialect >= 0;
    j->dialect = j->forced ? (bsp_dialect)dialect : j->dialect;
    return true;
}

// Reads the classes of --fgd.
static bool read_definitions(job *j) {
    bool failed = false;
    if (j->call->common->definitions.count != 0) {
        j->definitions = cli_read_definitions(j->call, NULL, &failed);
    }
    return !failed;
}

static cli_status run_maps(job *j) {
    cli_output report;
    cli_status checked = cli_where_check(j->call);
    if (checked != CLI_DONE || !choose_target(j)) {
        return checked != CLI_DONE ? checked : CLI_USAGE;
    }
    if (!cli_filter_open(&j->filter, j->call) || !read_definitions(j)) {
        return CLI_FAILED;
    }
    if (j->folder && !cli_folder_open(&j->opened, j->target)) {
        return CLI_FAILED;
    }
    if (strcmp(j->target, "-") != 0) {
        if (!cli_output_open(&report, NULL)) {
            return CLI_FAILED;
        }
        j->report = &report;
    }
    cli_status highest = CLI_DONE;
    for (int i = 0; i < j->call->num_operands; i++) {
        cli_status status = taken(j, i) ? CLI_FAILED : decompile(j, j->call->operands[i]);
        highest = status > highest ? status : highest;
    }
    return j->report != NULL ? cli_output_close(&report, highest) : highest;
}

static cli_status run(const cli_call *call) {
    job j = {.call = call, .opened.fd = -1};
    cli_status status = run_maps(&j);
    cli_filter_close(&j.filter);
    bsp_definitions_free(j.definitions);
    return status;
}

static const cli_choice dialects[] = {
    {"quake", BSP_DIALECT_QUAKE, "Quake's .map: texture offset, rotation and scale"},
    {"valve220", BSP_DIALECT_VALVE220, "Half-Life's .map: texture axes"},
    {"quake2", BSP_DIALECT_QUAKE2, "Quake 2's .map: as quake, with contents, flags and value"},
    {"quake3", BSP_DIALECT_QUAKE3, "Quake 3's .map: as quake2, with patches"},
    {"primitives", BSP_DIALECT_PRIMITIVES, "Quake 3's .map with brush primitives and patches"},
    {"vmf", BSP_DIALECT_VMF, "Source's .vmf"},
    {NULL, 0, NULL},
};

static const cli_choice modes[] = {
    {"planes", BSP_BRUSHES_PLANES, "the map's brushes (the default)"},
    {"original", BSP_BRUSHES_ORIGINAL,
     "each face as it was before the tree cut it, a flat brush for each"},
    {"split", BSP_BRUSHES_SPLIT, "each face, a flat brush for each"},
    {"original-split", BSP_BRUSHES_ORIGINAL_SPLIT,
     "original where the pieces of a face fit into it, else split"},
    {NULL, 0, NULL},
};

static const cli_choice groupings[] = {
    {"unnamed", BSP_INSTANCES_UNNAMED,
     "what an instance without a name left: InstanceAutoN-NAME (the default)"},
    {"all", BSP_INSTANCES_ALL, "every PREFIX-NAME"},
    {"none", BSP_INSTANCES_NONE, "none"},
    {NULL, 0, NULL},
};

static const cli_choice details[] = {
    {"touching", BSP_DETAILS_TOUCHING, "those that touch each other (the default)"},
    {"each", BSP_DETAILS_EACH, "each by itself"},
    {NULL, 0, NULL},
};

static const cli_choice mappings[] = {
    {"place", BSP_PORTALS_BY_PLACE, "by where the portal's polygon lies (the default)"},
    {"order", BSP_PORTALS_BY_ORDER,
     "by the order in the file, where there are as many entities as brushes"},
    {NULL, 0, NULL},
};

static const cli_decompile_options defaults = {
    .dialect = -1,
    .brushes = BSP_BRUSHES_PLANES,
    .instances = BSP_INSTANCES_UNNAMED,
};

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     CLI_TARGET_TO(cli_common, output),
     .argument = "OUT",
     .help = "The file to write, or a folder for NAME.map or NAME.vmf of each input; - is standard "
             "output"},
    {.name = "dialect",
     .letter = 'd',
     CLI_CHOICE_TO(cli_decompile_options, dialect, dialects),
     .argument = "NAME",
     .help = "Write this dialect; by default that of the game's usual editor, or a variant that "
             "can express every texture mapping"},
    {.name = "report",
     .letter = 'r',
     CLI_FLAG_TO(cli_decompile_options, report),
     .help = "Print a report of what was restored and what is missing"},
    CLI_OPTION_JSON,
    CLI_OPTION_GAME,
    {.name = "world",
     .letter = 'w',
     CLI_FLAG_TO(cli_decompile_options, world),
     .help = "Write only worldspawn and its brushes"},
    CLI_OPTION_WHERE,
    {.name = "without-class",
     CLI_TEXT_TO(cli_decompile_options, without_class),
     .argument = "GLOB",
     .help = "Leave out entities of classes that match, and their brushes; classes that only the "
             "decompiler makes count too: func_detail, func_ladder, prop_static, info_overlay, "
             "env_cubemap ..."},
    CLI_OPTION_FILES_FROM,
    {CLI_RECURSIVE},
    {.name = "no-guess",
     CLI_FLAG_TO(cli_decompile_options, no_guess),
     .help = "Give sides that no face shows the plain texture of the game's tools"},
    {.name = "no-merge",
     CLI_FLAG_TO(cli_decompile_options, no_merge),
     .help = "Quake, GoldSrc: a brush for each solid leaf"},
    {.name = "keep-angles",
     CLI_FLAG_TO(cli_decompile_options, keep_angles),
     .help = "Source: leave brush entities that are turned by their angles as they are"},
    {.name = "brushes",
     CLI_CHOICE_TO(cli_decompile_options, brushes, modes),
     .argument = "MODE",
     .help = "Source: take the brushes from"},
    {.name = "thickness",
     CLI_REAL_TO(cli_decompile_options, thickness),
     .least = BSP_LEAST_THICKNESS,
     .most = BSP_MOST_THICKNESS,
     .argument = "UNITS",
     .help =
         "Source: how thick flat brushes are, 0.125 to 4096 (default 1, and 16 for displacements)"},
    {.name = "face-texture",
     CLI_TEXT_TO(cli_decompile_options, face_texture),
     .argument = "NAME",
     .help = "Put this material on every side that takes its look from a face"},
    {.name = "back-texture",
     CLI_TEXT_TO(cli_decompile_options, back_texture),
     .argument = "NAME",
     .help = "Source: put this material on the other sides of flat brushes (default "
             "tools/toolsnodraw)"},
    {.name = "nodraw-unseen",
     CLI_FLAG_TO(cli_decompile_options, nodraw_unseen),
     .help = "Source: put tools/toolsnodraw on sides that no face shows, but for those of tools"},
    {.name = "instances",
     CLI_CHOICE_TO(cli_decompile_options, instances, groupings),
     .argument = "WHICH",
     .help = "Source: which entities share a visgroup"},
    {.name = "details",
     CLI_CHOICE_TO(cli_decompile_options, details, details),
     .argument = "WHICH",
     .help = "Source: which brushes of detail share a func_detail"},
    {.name = "detail-gap",
     CLI_REAL_TO(cli_decompile_options, detail_gap),
     .above = true,
     .most = BSP_MOST_DETAIL_GAP,
     .argument = "UNITS",
     .help =
         "Source: how far apart brushes of one func_detail may be, more than 0 to 4096 (default "
         "0.125)"},
    {.name = "portals",
     CLI_CHOICE_TO(cli_decompile_options, portals, mappings),
     .argument = "HOW",
     .help = "Source: find the brush of an area portal's entity"},
    {.name = "cameras",
     CLI_FLAG_TO(cli_decompile_options, cameras),
     .help = "Source: put a camera of the editor at each player start"},
    {.name = "corners",
     CLI_FLAG_TO(cli_decompile_options, corners),
     .help = ".vmf: write the corners of each side as well, for Hammer++ and Strata's Hammer"},
    {.name = "fgd",
     CLI_FILE_TO(cli_common, definitions),
     .argument = "FILE",
     .help = "Report what an editor with these classes (.fgd, .def, .ent) does not know: classes, "
             "keys, and brushes where it wants a point"},
    {.name = "pak",
     CLI_TARGET_TO(cli_decompile_options, pak),
     .argument = "DIR",
     .help = "Source: also write the embedded files there"},
    {.name = "authored",
     CLI_FLAG_TO(cli_decompile_options, authored),
     .help =
         "With --pak: skip files that the compilers packed and will pack again: cubemaps, light of "
         "props, and the materials that they patched"},
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_decompile = {
    .name = "decompile",
    .group = CLI_GROUP_SOURCE,
    .operands = "FILE...",
    .summary = "Turn maps back into editor source (.map, .vmf)",
    .description =
        "Quake 2, Quake 3 and Source maps hold their brushes: these are restored with their "
        "original sides, textures and flags, with patches, displacements, overlays and props. "
        "Quake and GoldSrc maps hold none: brushes are rebuilt from the solid leaves of the tree, "
        "textured from the faces, with clip brushes out of the clip hulls. Brushes that the "
        "compiler stored in the BSPX lump BRUSHLIST are used instead.\n\n"
        "Texture mappings of Quake 3 need the sizes of textures, which --game finds; unknown ones "
        "count as 64 x 64.\n\n"
        "What could not be recovered is counted, and named by --report and --json. The exit status "
        "is 1 when a brush, a patch or a displacement is missing from the source.",
    .examples = {"bspkit decompile maps/start.bsp -o start.map",
                 "bspkit decompile --report maps/*.bsp -o source/"},
    CLI_OPTIONS(options, cli_decompile_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
