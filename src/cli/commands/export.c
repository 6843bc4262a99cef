// SPDX-License-Identifier: MIT
// bspkit export: a map as glTF or OBJ. Files beside the main one go to its folder.
#include "cli/parts/budget.h"
#include "cli/parts/commands.h"
#include "cli/parts/defined.h"
#include "cli/parts/inputs.h"
#include "cli/parts/loaded.h"
#include "cli/parts/memory.h"
#include "cli/parts/nav.h"
#include "cli/parts/open_map.h"
#include "cli/parts/patch.h"
#include "cli/parts/path.h"
#include "cli/parts/progress.h"

#include <stdlib.h>
#include <string.h>

typedef struct export_options {
    cli_common common;
    int units;
    int lightmaps; // a bsp_export_light, or LIGHT_OF_FORMAT
    int lights;    // a bsp_export_lights
    uint32_t density;
    bool tools;
    bool sky;
    bool collision;
    bool portals;
    bool no_sky_room;
    bool hdr;
    bool whole_faces;
    const char *nav;
} export_options;

static const export_options *options_of(const cli_call *call) {
    return call->options;
}

typedef bool (*export_call)(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                            void *user, bsp_export_report *report, bsp_error *error);

/// A format by its file extension.
typedef struct format {
    const char *ending;
    export_call call;
    bsp_export_light light;
} format;

static const format formats[] = {
    {".glb", bsp_export_glb, BSP_EXPORT_LIGHT_BAKED},
    {".gltf", bsp_export_gltf, BSP_EXPORT_LIGHT_BAKED},
    {".obj", bsp_export_obj, BSP_EXPORT_LIGHT_NONE},
};

// The choice of --lightmaps where there is no option: what looks right in other programs.
#define LIGHT_OF_FORMAT (-1)

#define MOST_DENSITY 32u // of bsp_export_options.bake_density

static const cli_choice light_choices[] = {
    {"uv", BSP_EXPORT_LIGHT_UV, "light pages as textures on the second coordinates"},
    {"none", BSP_EXPORT_LIGHT_NONE, "no light (the default of OBJ)"},
    {"baked", BSP_EXPORT_LIGHT_BAKED, "multiplied into the textures (the default of glTF)"},
    {"vertex", BSP_EXPORT_LIGHT_VERTEX, "as vertex colours"},
    {NULL, 0, NULL},
};

static const cli_choice lights_choices[] = {
    {"watts", BSP_EXPORT_LIGHTS_WATTS, "as strong as Blender needs them (the default)"},
    {"plain", BSP_EXPORT_LIGHTS_PLAIN, "as strong as three.js needs them: a 683rd"},
    {"none", BSP_EXPORT_LIGHTS_NONE, "no lights"},
    {NULL, 0, NULL},
};

// The value is that of bsp_export_options.scale, where 0 is metres.
static const cli_choice unit_choices[] = {
    {"metres", 0, "39.37 game units each (the default)"},
    {"game", 1, "game units"},
    {NULL, 0, NULL},
};

typedef struct job {
    const cli_call *call;
    const char *path; // the map
    const char *target;
    const format *format;
    bsp_export_options options;
    char stem[CLI_PATH_ROOM];
    char beside[CLI_PATH_ROOM]; // the current file beside the main one; "" for none
    cli_output other;
    bool failed; // a file beside the main one could not be written, and a message says so
    cli_missing missing;
    cli_missing_models missing_models;
    cli_progress progress;
} job;

// --- files beside -------------------------------------------------------------------------------

static bool close_beside(job *j) {
    if (j->beside[0] == '\0') {
        return true;
    }
    bool done = cli_output_close(&j->other, CLI_DONE) == CLI_DONE;
    j->beside[0] = '\0';
    return done;
}

// The output borrows the name.
static bool open_beside(job *j, const char *path) {
    memcpy(j->beside, path, strlen(path) + 1);
    bool open = cli_output_open(&j->other, j->beside);
    if (!open) {
        j->beside[0] = '\0';
    }
    return open;
}

static bool put_beside(void *user, const char *name, const char *data, size_t size) {
    job *j = user;
    char path[CLI_PATH_ROOM];
    if (!cli_join_beside(j->target, name, path)) {
        cli_message(name, "the path is too long");
        j->failed = true;
        return false;
    }
    if (strcmp(path, j->beside) != 0) {
        j->failed = !close_beside(j) || !open_beside(j, path);
    }
    return !j->failed && cli_sink(&j->other, data, size);
}

static void report_missing(void *user, bsp_text material, const char *note) {
    job *j = user;
    cli_missing_add(&j->missing, material, note);
}

static void report_missing_model(void *user, const bsp_scene_missing *model) {
    job *j = user;
    cli_missing_models_add(&j->missing_models, model);
}

// --- the work -----------------------------------------------------------------------------------

static cli_status write_map(job *j, const bsp_map *map) {
    cli_output output;
    bsp_error error = {0};
    bsp_export_report report;
    cli_library_counts(true);
    if (!cli_output_open(&output, j->target)) {
        cli_library_counts(false);
        return CLI_FAILED;
    }
    bool done = j->format->call(map, &j->options, cli_sink, &output, &report, &error);
    bool closed = close_beside(j);
    cli_library_counts(false);
    cli_progress_clear();
    if (!done || !closed) {
        if (!done && output.failure == 0 && !j->failed && closed) {
            (void)cli_report(j->path, &error);
        }
        return cli_output_fail(&output);
    }
    if (report.missing != 0) {
        cli_missing_end(&j->missing);
    }
    cli_missing_models_end(&j->missing_models);
    if (report.links_cut) {
        cli_message(j->path,
                    "entities name each other too often: some links are not in the extras");
    }
    uint32_t missing = report.missing + report.missing_models;
    return cli_output_close(&output, cli_missing_status(j->call, missing));
}

// Writes the map with the openings between its clusters.
static cli_status write_portals(job *j, const bsp_map *map) {
    const bsp_portals_options how = {.budget = cli_budget()};
    bsp_error error;
    bsp_portals *portals = bsp_portals_build(map, &how, &error);
    if (portals == NULL) {
        return cli_report(j->path, &error);
    }
    bsp_export_portal *list = calloc((size_t)portals->count + 1, sizeof *list);
    cli_status status = CLI_FAILED;
    if (list == NULL) {
        cli_message(j->path, "no memory");
    } else {
        for (uint32_t i = 0; i < portals->count; i++) {
            const bsp_portal *portal = &portals->list[i];
            list[i] = (bsp_export_portal){.points = &portals->points[portal->first_point],
                                          .num_points = portal->num_points,
                                          .clusters = {portal->clusters[0], portal->clusters[1]}};
        }
        j->options.portals = list;
        j->options.num_portals = portals->count;
        status = write_map(j, map);
    }
    free(list);
    bsp_portals_free(portals);
    return status;
}

static cli_status with_loaded(job *j, const bsp_file *file, const cli_loaded *loaded) {
    j->options.file = file;
    j->options.textures = loaded->textures;
    j->options.external = loaded->light;
    j->options.props = !j->call->common->no_props;
    j->options.no_details = j->call->common->no_details;
    bool failed = false;
    bsp_nav *nav = NULL;
    if (options_of(j->call)->nav != NULL) {
        cli_status status = cli_open_nav(options_of(j->call)->nav, true, &nav);
        if (status != CLI_DONE) {
            return status;
        }
    }
    j->options.nav = nav;
    bsp_definitions *definitions =
        j->options.props ? cli_read_definitions(j->call, loaded->search, &failed) : NULL;
    j->options.definitions = definitions;
    cli_status status = failed                         ? CLI_FAILED
                        : options_of(j->call)->portals ? write_portals(j, loaded->map)
                                                       : write_map(j, loaded->map);
    bsp_definitions_free(definitions);
    bsp_nav_free(nav);
    return status;
}

static cli_status load(job *j, const bsp_file *file) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    cli_loaded loaded;
    const cli_wanted wanted = {
        .textures = true, .light = true, .drawn = true, .texture_issues = issues};
    cli_status status = cli_load(&loaded, j->call, j->path, file, &wanted);
    if (status == CLI_DONE) {
        status = with_loaded(j, file, &loaded);
    }
    if (issues != NULL && status != CLI_FAILED) {
        cli_report_textures(j->path, issues);
    }
    bsp_issues_free(issues);
    cli_unload(&loaded);
    return status;
}

static cli_status with_file(job *j) {
    cli_opened opened;
    if (!cli_open_map(j->call, j->path, NULL, &opened)) {
        return CLI_FAILED;
    }
    cli_status status = load(j, opened.file);
    cli_close_map(&opened);
    return status;
}

// --- the command line ---------------------------------------------------------------------------

static bool choose_format(job *j) {
    for (size_t i = 0; j->target != NULL && i < sizeof formats / sizeof *formats; i++) {
        const char *ending = formats[i].ending;
        if (cli_ends_in(j->target, ending) && strlen(j->target) < CLI_PATH_ROOM) {
            const char *name = cli_last_part(j->target);
            j->format = &formats[i];
            (void)snprintf(j->stem, sizeof j->stem, "%.*s", (int)(strlen(name) - strlen(ending)),
                           name);
            if (strcmp(ending, ".glb") ==
                0) { // no files beside: its bytes do not depend on its name
                cli_map_name(j->path, j->stem);
            }
            return true;
        }
    }
    if (j->target == NULL) {
        cli_message("export", "-o OUT.glb, OUT.gltf or OUT.obj is needed");
    } else {
        cli_message("export", "-o takes a file that ends in .glb, .gltf or .obj, not '%s'",
                    j->target);
    }
    return false;
}

static void choose_options(job *j) {
    const export_options *options = options_of(j->call);
    bool chosen = options->lightmaps != LIGHT_OF_FORMAT;
    bsp_export_light usual = options->whole_faces ? BSP_EXPORT_LIGHT_NONE : j->format->light;
    j->options =
        (bsp_export_options){.light = chosen ? (bsp_export_light)options->lightmaps : usual,
                             .lights = (bsp_export_lights)options->lights,
                             .bake_density = options->density,
                             .scale = (float)options->units,
                             .hidden = options->tools,
                             .sky = options->sky,
                             .collision = options->collision,
                             .no_sky_room = options->no_sky_room,
                             .hdr = options->hdr,
                             .whole_faces = options->whole_faces,
                             .stem = j->stem,
                             .files = put_beside,
                             .missing = report_missing,
                             .missing_models = report_missing_model,
                             .user = j,
                             .progress = cli_progress_of(&j->progress)};
}

static cli_status run(const cli_call *call) {
    cli_memory_more();
    job j = {.call = call,
             .path = call->operands[0],
             .target = call->common->output,
             .missing.path = call->operands[0],
             .missing_models = {.call = call, .path = call->operands[0]}};
    if (!choose_format(&j)) {
        return CLI_USAGE;
    }
    if (options_of(call)->density > MOST_DENSITY) {
        cli_message(NULL, "--bake-density takes 1 to 32 texels");
        return CLI_USAGE;
    }
    int lightmaps = options_of(call)->lightmaps;
    if (options_of(call)->whole_faces && lightmaps != LIGHT_OF_FORMAT &&
        lightmaps != BSP_EXPORT_LIGHT_NONE) {
        cli_message(NULL, "--whole-faces needs --lightmaps none: whole faces have no light");
        return CLI_USAGE;
    }
    if (options_of(call)->nav != NULL && j.format->call == bsp_export_obj) {
        cli_message(NULL, "--nav needs .glb or .gltf");
        return CLI_USAGE;
    }
    choose_options(&j);
    cli_progress_start(&j.progress, j.path);
    return with_file(&j);
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     CLI_TARGET_TO(cli_common, output),
     .argument = "FILE",
     .help = "The file to write; its extension (.glb, .gltf, .obj) selects the format"},
    CLI_OPTION_GAME_FOR("textures and models"),
    CLI_OPTIONS_PROPS,
    {.name = "units",
     .letter = 'u',
     CLI_CHOICE_TO(export_options, units, unit_choices),
     .argument = "UNITS",
     .help = "Write lengths in these units"},
    {.name = "lightmaps",
     .letter = 'l',
     CLI_CHOICE_TO(export_options, lightmaps, light_choices),
     .argument = "HOW",
     .help = "How to write the light of surfaces"},
    {.name = "bake-density",
     CLI_NUMBER_TO(export_options, density),
     .argument = "N",
     .help = "With --lightmaps baked: write N texels for each luxel's edge on all faces (default: "
             "as many as the texture of each has, or as fit 16 pages of 1024 x 1024, or up to 9 "
             "that fit 32)"},
    {.name = "lights",
     CLI_CHOICE_TO(export_options, lights, lights_choices),
     .argument = "HOW",
     .help = "How strong the lights of a glTF are"},
    {.name = "tools",
     CLI_FLAG_TO(export_options, tools),
     .help = "Also write faces that the game never draws"},
    {.name = "sky",
     CLI_FLAG_TO(export_options, sky),
     .help = "Also write faces through which the sky is seen"},
    {.name = "no-sky-room",
     CLI_FLAG_TO(export_options, no_sky_room),
     .help =
         "Without the room that is seen in the place of the sky; else it is written as large and "
         "as far away as it looks"},
    {.name = "hdr",
     CLI_FLAG_TO(export_options, hdr),
     .help = "By the HDR light where the map has both kinds"},
    {.name = "whole-faces",
     CLI_FLAG_TO(export_options, whole_faces),
     .help = "Source: write faces as they were before the tree cut them, whole sides of brushes; "
             "these have no light"},
    CLI_OPTION_STRICT_TEXTURES,
    {.name = "collision",
     CLI_FLAG_TO(export_options, collision),
     .help = "Also write what things collide with: hulls of brushes, of clip nodes, displacements, "
             "physics shapes and hulls of props, each as an object or node of its own name"},
    {.name = "portals",
     CLI_FLAG_TO(export_options, portals),
     .help = "Also write the openings between clusters, each as an object or node of its own name: "
             "its number and the two clusters"},
    {.name = "nav",
     CLI_FILE_TO(export_options, nav),
     .argument = "FILE",
     .help = "glTF: also the areas of this navigation mesh (.nav), each a node of its own"},
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const export_options defaults = {.lightmaps = LIGHT_OF_FORMAT};

const cli_command cli_command_export = {
    .name = "export",
    .group = CLI_GROUP_EXTRACT,
    .operands = "FILE",
    .summary = "Write a map as glTF or OBJ",
    .description =
        ".glb holds everything; .gltf has a .bin and PNG files beside it; .obj a .mtl and PNG "
        "files.\n\n"
        "glTF: a node for each entity with its keys as extras, brush models at their origins, "
        "models that stand in the map (static props, and what entities show) in nodes named by "
        "their kind, lights (KHR_lights_punctual), materials with their textures. Places of "
        "cubemaps are nodes without a mesh. What is a particle effect, a sound, a soundscape or a "
        "projector, and which other entities an entity names, stands in its extras under "
        "\"bspkit\": kind, what, reach (game units), links (key, node). y is up: x, y, z of the "
        "map become x, z, -y.\n\n"
        "With --lightmaps baked or vertex the materials are unlit, and any viewer shows the map as "
        "it is lit in the game; light at the vertices is coarse. With uv and none the textures "
        "stay apart and repeat, and surfaces wait for the lights of the program: Blender shows "
        "them by those of the map that are entities, not by what shines. With uv the extras of "
        "each material name the light page.\n\n"
        "Where a displacement mixes up to four textures, baked mixes them; otherwise the extras of "
        "the material name the second one, and the alpha of the vertex colours is its share; red "
        "and green of a second set of colours are those of the third and fourth. Overlays and "
        "decals (all in one node) are geometry, a tenth of a unit off their faces.\n\n"
        "Light that a Quake 3 map has in files of its own (lm_0000.tga of q3map2) is found in the "
        "folder NAME beside NAME.bsp, and in maps/NAME of the --game folders.\n\n"
        "A model that is not found is reported in a line, and left out. A texture that is not "
        "found is reported in a line, and becomes a quiet grey pattern; with --strict the exit "
        "status is then 1.",
    .examples = {"bspkit export maps/start.bsp -o start.glb",
                 "bspkit export --lightmaps baked --units game maps/source.bsp -o source.obj"},
    CLI_OPTIONS(options, export_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = 1,
    .reads_maps = true,
    .run = run,
};
