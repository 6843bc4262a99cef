// SPDX-License-Identifier: MIT
// bspkit decompile: maps back to the source that their editors open.
#include "cli/commands.h"
#include "cli/decompiled.h"
#include "cli/folder.h"
#include "cli/game.h"
#include "cli/glob.h"
#include "cli/limits.h"
#include "cli/names.h"
#include "cli/opened.h"
#include "cli/patch.h"
#include "cli/progress.h"
#include "cli/where.h"

#include <errno.h>
#include <string.h>

#define PATH_ROOM 4096u
#define ISSUES_KEPT 1000u

typedef struct job {
    const cli_call *call;
    cli_names names;    // the maps
    cli_output *report; // standard output, or NULL: the source goes there
    const char *target; // file or folder
    bool folder;        // the target is one
    cli_folder opened;  // it, then
    bool forced;        // --dialect was given
    bsp_dialect dialect;
    bsp_brush_mode mode;
    bsp_instance_groups instances;
    float thickness; // 0: not given
} job;

// --- where it goes ------------------------------------------------------------------------------

static const char *ending_of(bsp_dialect dialect) {
    return dialect == BSP_DIALECT_VMF ? ".vmf" : ".map";
}

// NAME of FOLDER/NAME.bsp.
static bsp_text stem_of(const char *path) {
    const char *slash = strrchr(path, '/');
    bsp_text name = bsp_text_of(slash == NULL ? path : slash + 1);
    bool ends = name.size > 4 && strcmp(name.data + name.size - 4, ".bsp") == 0;
    name.size -= ends ? 4 : 0;
    return name;
}

// FOLDER/NAME.map for NAME.bsp, or the file itself; `path` gets its name.
static bool open_output(const job *j, const cli_decompiled *d, char path[PATH_ROOM],
                        cli_output *output) {
    char name[PATH_ROOM];
    bsp_text stem = stem_of(d->path);
    int size = j->folder ? snprintf(name, sizeof name, "%.*s%s", (int)stem.size, stem.data,
                                    ending_of(d->dialect))
                         : snprintf(path, PATH_ROOM, "%s", j->target);
    if (size < 0 || (size_t)size >= PATH_ROOM) {
        cli_message(d->path, "the path is too long");
        return false;
    }
    return j->folder ? cli_folder_output(&j->opened, name, path, PATH_ROOM, output)
                     : cli_output_open(output, path);
}

// Two inputs of one name would be one file.
static bool taken(const job *j, int input) {
    bsp_text stem = stem_of(j->names.list[input]);
    for (int i = 0; i < input && j->folder; i++) {
        if (bsp_text_equal(stem, stem_of(j->names.list[i]))) {
            cli_message(j->names.list[input], "its source would take the place of that of %s",
                        j->names.list[i]);
            return true;
        }
    }
    return false;
}

// --- the dialect --------------------------------------------------------------------------------

static bool nowhere(void *user, const char *data, size_t size) {
    (void)user;
    (void)data;
    (void)size;
    return true;
}

// The one that was asked for; else the game's own, or the one that says every texture mapping when
// the game's own cannot.
static bool choose_dialect(const job *j, cli_decompiled *d, const bsp_map *map, bsp_error *error) {
    d->dialect = j->forced ? j->dialect : map->traits->dialect;
    bsp_dialect wider =
        d->dialect == BSP_DIALECT_QUAKE3 ? BSP_DIALECT_PRIMITIVES : BSP_DIALECT_VALVE220;
    if (j->forced || d->dialect == BSP_DIALECT_VMF || d->dialect == wider) {
        return true;
    }
    bsp_source_losses losses;
    if (!bsp_source_write(d->source, d->dialect, NULL, nowhere, NULL, &losses, error)) {
        return false;
    }
    if (losses.mappings != 0) {
        d->dialect = wider;
    }
    return true;
}

// The name that editors look for in the first line of a .map.
static const char *const games[] = {
    [BSP_QUAKE] = "Quake",    [BSP_GOLDSRC] = "Half-Life", [BSP_QUAKE2] = "Quake 2",
    [BSP_QUAKE3] = "Quake 3", [BSP_SOURCE] = NULL,         [BSP_TITANFALL] = NULL,
};

// --- one map ------------------------------------------------------------------------------------

static cli_status write_source(const job *j, cli_decompiled *d, const bsp_map *map) {
    char path[PATH_ROOM];
    bsp_error error = {0};
    cli_output output;
    if (!choose_dialect(j, d, map, &error)) {
        return cli_report(d->path, &error);
    }
    if (!open_output(j, d, path, &output)) {
        return CLI_FAILED;
    }
    bsp_source_write_options options = {.game = games[map->branch->family],
                                        .corners = cli_flag(j->call, "corners")};
    bool done =
        bsp_source_write(d->source, d->dialect, &options, cli_sink, &output, &d->losses, &error);
    if (!done && output.failure == 0) {
        (void)cli_report(d->path, &error);
        output.failure = EPIPE; // said: only clean up
    }
    d->written = path;
    cli_status status = cli_output_close(&output, CLI_DONE);
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
    return cli_where_matches(user, entity);
}

// No --without-class names it.
static bool wanted_class(void *user, bsp_text classname) {
    const cli_call *call = user;
    for (size_t i = 0; i < call->num_given; i++) {
        if (strcmp(call->given[i].option->name, "without-class") == 0 &&
            cli_glob(bsp_text_of(call->given[i].value), classname)) {
            return false;
        }
    }
    return true;
}

static cli_status with_textures(const job *j, cli_decompiled *d, const bsp_file *file,
                                const bsp_map *map, const bsp_textures *textures) {
    bsp_error error = {0};
    cli_progress progress;
    bsp_decompile_options options = {
        .file = file,
        .textures = textures,
        .world_only = cli_flag(j->call, "world"),
        .wanted = cli_where_given(j->call) ? wanted : NULL,
        .wanted_class = cli_text(j->call, "without-class") != NULL ? wanted_class : NULL,
        .user = (void *)(uintptr_t)j->call,
        .mode = j->mode,
        .thickness = (double)j->thickness,
        .face_material = cli_text(j->call, "face-texture"),
        .back_material = cli_text(j->call, "back-texture"),
        .nodraw_unseen = cli_flag(j->call, "nodraw-unseen"),
        .instances = j->instances,
        .cameras = cli_flag(j->call, "cameras"),
        .no_guesses = cli_flag(j->call, "no-guess"),
        .no_merge = cli_flag(j->call, "no-merge"),
        .keep_angles = cli_flag(j->call, "keep-angles"),
        .issues = d->issues,
        .progress = cli_progress_of(&progress),
    };
    cli_progress_start(&progress, d->path);
    d->source = bsp_decompile(map, &options, &d->report, &error);
    cli_progress_clear();
    cli_status status = d->source == NULL ? cli_report(d->path, &error) : write_source(j, d, map);
    bsp_source_free(d->source);
    return status;
}

// --- embedded files -----------------------------------------------------------------------------

static cli_status extract_file(const bsp_search *pak, bsp_text name, const cli_folder *folder) {
    char safe[PATH_ROOM];
    bsp_error error = {0};
    bsp_blob blob;
    cli_safe_name(name, safe, sizeof safe);
    if (safe[0] == '\0') {
        cli_message(folder->path, "a file of the pak has no name that it could have here");
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

static cli_status with_map(const job *j, cli_decompiled *d, const bsp_file *file,
                           bsp_search *search) {
    bsp_error error = {0};
    bsp_map_options options = {.issues = d->issues};
    bsp_map *map = bsp_map_load(file, &options, &error);
    bsp_textures *textures = map == NULL ? NULL : bsp_textures_open(search, map, NULL, &error);
    cli_status status;
    if (textures == NULL) {
        status = cli_report(d->path, &error);
    } else {
        const char *folder = cli_text(j->call, "pak");
        cli_status packed =
            folder == NULL ? CLI_DONE : extract_pak(d, map, folder, cli_flag(j->call, "authored"));
        status = with_textures(j, d, file, map, textures);
        status = packed > status ? packed : status;
    }
    bsp_textures_close(textures);
    bsp_map_free(map);
    return status;
}

static cli_status decompile(const job *j, const char *path) {
    cli_decompiled d = {.path = path, .issues = bsp_issues_new(NULL, ISSUES_KEPT)};
    if (d.issues == NULL) {
        cli_message(path, "no memory");
        return CLI_FAILED;
    }
    cli_opened opened;
    cli_status status = CLI_FAILED;
    bsp_search *search = cli_open_search(j->call, NULL);
    if (search != NULL && cli_open_map(j->call, path, d.issues, &opened)) {
        status = with_map(j, &d, opened.file, search);
        cli_close_map(&opened);
    }
    bsp_search_free(search);
    bsp_issues_free(d.issues);
    return status;
}

// One input goes to a file, unless the target is a folder; several go to a folder.
static bool choose_target(job *j) {
    j->target = cli_text(j->call, "output");
    if (j->target == NULL || j->target[0] == '\0') {
        cli_message(NULL, "decompile takes a file or a folder: -o OUT");
        return false;
    }
    size_t size = strlen(j->target);
    j->folder = j->names.count > 1 || j->target[size - 1] == '/' || cli_is_folder(j->target);
    if (j->folder && strcmp(j->target, "-") == 0) {
        cli_message(NULL, "several maps need a folder: -o DIR");
        return false;
    }
    const char *dialect = cli_text(j->call, "dialect");
    j->forced = dialect != NULL;
    if (j->forced && !bsp_dialect_find(bsp_text_of(dialect), &j->dialect)) {
        cli_message(NULL,
                    "--dialect takes quake, valve220, quake2, quake3, primitives or vmf, "
                    "not '%s'",
                    dialect);
        return false;
    }
    return true;
}

// A value that is one of some words; the first without the option.
static bool choose_word(const cli_call *call, const char *option, const char *const *words,
                        unsigned *chosen) {
    const char *text = cli_text(call, option);
    *chosen = 0;
    for (unsigned i = 0; text != NULL; i++) {
        if (words[i] == NULL) {
            cli_message("decompile", "--%s takes one of the words of its help, not '%s'", option,
                        text);
            return false;
        }
        if (strcmp(words[i], text) == 0) {
            *chosen = i;
            return true;
        }
    }
    return true;
}

static const char *const modes[] = {[BSP_BRUSHES_PLANES] = "planes",
                                    [BSP_BRUSHES_ORIGINAL] = "original",
                                    [BSP_BRUSHES_ORIGINAL_SPLIT] = "original-split",
                                    [BSP_BRUSHES_SPLIT] = "split",
                                    NULL};
static const char *const groupings[] = {[BSP_INSTANCES_UNNAMED] = "unnamed",
                                        [BSP_INSTANCES_ALL] = "all",
                                        [BSP_INSTANCES_NONE] = "none",
                                        NULL};

static bool choose_options(job *j) {
    unsigned mode;
    unsigned instances;
    const char *thickness = cli_text(j->call, "thickness");
    if (!choose_word(j->call, "brushes", modes, &mode) ||
        !choose_word(j->call, "instances", groupings, &instances)) {
        return false;
    }
    j->mode = (bsp_brush_mode)mode;
    j->instances = (bsp_instance_groups)instances;
    if (thickness != NULL && (!bsp_parse_float(bsp_text_of(thickness), &j->thickness) ||
                              !((double)j->thickness >= BSP_LEAST_THICKNESS &&
                                (double)j->thickness <= BSP_MOST_THICKNESS))) {
        cli_message("decompile", "--thickness takes a number from 0.125 to 4096, not '%s'",
                    thickness);
        return false;
    }
    return true;
}

static cli_status run_maps(job *j) {
    cli_output report;
    if (!cli_where_check(j->call) || !choose_options(j) || !choose_target(j)) {
        return CLI_USAGE;
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
    for (int i = 0; i < j->names.count; i++) {
        cli_status status = taken(j, i) ? CLI_FAILED : decompile(j, j->names.list[i]);
        highest = status > highest ? status : highest;
    }
    return j->report != NULL ? cli_output_close(&report, highest) : highest;
}

static cli_status run(const cli_call *call) {
    job j = {.call = call, .opened.fd = -1};
    cli_status status = cli_names_read(&j.names, call);
    if (status == CLI_DONE && j.names.count == 0) {
        cli_message("decompile", "no map is named");
        status = CLI_USAGE;
    }
    status = status == CLI_DONE ? run_maps(&j) : status;
    cli_names_free(&j.names);
    return status;
}

static const cli_option options[] = {
    {"output", 'o', CLI_TARGET, false, "OUT",
     "The file to write, or a folder for NAME.map or NAME.vmf of each input; - is standard output"},
    {"dialect", 'd', CLI_TEXT, false, "NAME",
     "quake, valve220, quake2, quake3, primitives (Quake 3's brush primitives) or vmf; without it "
     "what the game's usual editor reads, or the one beside it that can say every texture mapping"},
    {"report", 'r', CLI_FLAG, false, NULL, "Print what became of the map, and all that is missing"},
    CLI_OPTION_JSON,
    CLI_OPTION_GAME,
    {"world", 'w', CLI_FLAG, false, NULL, "Only worldspawn and what goes into it"},
    CLI_OPTION_WHERE,
    {"without-class", 0, CLI_TEXT, true, "GLOB",
     "Leave out entities of classes that match, and their brushes; classes that only the "
     "decompiler makes count too: func_detail, func_ladder, prop_static, info_overlay, "
     "env_cubemap ..."},
    {"files-from", 0, CLI_FILE, false, "FILE",
     "Also decompile the maps that FILE names, one a line; - is standard input"},
    {"no-guess", 0, CLI_FLAG, false, NULL,
     "Give sides that no face shows the plain texture of the game's tools"},
    {"no-merge", 0, CLI_FLAG, false, NULL, "Quake, GoldSrc: a brush for each solid leaf"},
    {"keep-angles", 0, CLI_FLAG, false, NULL,
     "Source: leave brush entities that are turned by their angles as they are"},
    {"brushes", 0, CLI_TEXT, false, "MODE",
     "Source: planes (the map's brushes, the default), original (a flat brush for each face as it "
     "was before the tree cut it), split (a flat brush for each face), or original-split (the "
     "former where its pieces fit into it, else the latter)"},
    {"thickness", 0, CLI_TEXT, false, "UNITS",
     "Source: how thick flat brushes are, 0.125 to 4096 (default 1, and 16 for displacements)"},
    {"face-texture", 0, CLI_TEXT, false, "NAME",
     "Put this material on every side that takes its look from a face"},
    {"back-texture", 0, CLI_TEXT, false, "NAME",
     "Source: put this material on the other sides of flat brushes (default tools/toolsnodraw)"},
    {"nodraw-unseen", 0, CLI_FLAG, false, NULL,
     "Source: put tools/toolsnodraw on sides that no face shows, but for those of tools"},
    {"instances", 0, CLI_TEXT, false, "WHICH",
     "Source: which entities share a visgroup: unnamed (what an instance without a name left, "
     "InstanceAutoN-NAME: the default), all (every PREFIX-NAME) or none"},
    {"cameras", 0, CLI_FLAG, false, NULL,
     "Source: put a camera of the editor at each player start"},
    {"corners", 0, CLI_FLAG, false, NULL,
     ".vmf: write the corners of each side as well, for Hammer++ and Strata's Hammer"},
    {"pak", 0, CLI_TARGET, false, "DIR", "Source: also write the embedded files there"},
    {"authored", 0, CLI_FLAG, false, NULL,
     "With --pak: pass over what the compilers packed and will pack again: cubemaps, light of "
     "props, "
     "and the materials that they patched"},
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_decompile = {
    .name = "decompile",
    .operands = "[FILE...]",
    .summary = "Turn maps back into editor source (.map, .vmf)",
    .description =
        "Quake 2, Quake 3 and Source maps hold their brushes: these come back with their true "
        "sides, textures and flags, with patches, displacements, overlays and props. Quake and "
        "GoldSrc maps hold none: brushes are rebuilt from the solid leaves of the tree, textured "
        "from the faces, with clip brushes out of the clip hulls. Brushes that the compiler wrote "
        "beside (BSPX BRUSHLIST) are used where they are.\n\n"
        "With --game textures are found, whose sizes Quake 3 mappings need; else 64 x 64 is "
        "taken.\n\n"
        "What could not be recovered is counted, and named by --report and --json. The exit status "
        "is 1 when a brush, a patch or a displacement is missing from the source.",
    .example = "bspkit decompile --report -o source/ maps/*.bsp",
    CLI_OPTIONS(options),
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
