// SPDX-License-Identifier: MIT
// bspkit textures: writes every texture of a map as a PNG file, and prints a line for each that was
// not found.

#include "cli/parts/budget.h"
#include "cli/parts/commands.h"
#include "cli/parts/folder.h"
#include "cli/parts/game.h"
#include "cli/parts/jobs.h"
#include "cli/parts/json.h"
#include "cli/parts/loaded.h"
#include "cli/parts/open_map.h"
#include "cli/parts/progress.h"
#include "cli/commands/texture_edit.h"
#include "cli/commands/texture_pak.h"
#include "cli/parts/unique_names.h"

#include <pthread.h>
#include <stdlib.h>

#define NAME_ROOM 512u
#define NUMBER_ROOM 16u // room for a number after a name

// A texture that was found, and its file.
typedef struct picture {
    bsp_texture texture; // without its image
    uint32_t width;
    uint32_t height;
    bsp_blob png;
    bool done;
    bsp_error error;
} picture;

typedef struct job {
    const cli_call *call;
    const char *path;  // the map
    cli_folder folder; // for the images
    const bsp_file *file;
    const bsp_map *map;
    const bsp_textures *textures;
    cli_unique names;     // of the files
    char name[NAME_ROOM]; // file name of the current texture
    bsp_json *json;       // NULL: text
    cli_output *output;
    uint32_t written;
    uint32_t missing;
    cli_progress progress;
    picture *ring; // of material n: at n % slots
    uint32_t slots;
    pthread_mutex_t finding; // textures are found one after the other, and packed at once
    cli_status status;
} job;

// --- files --------------------------------------------------------------------------------------

static cli_status write_picture(const job *j, const char *name, bsp_bytes png) {
    char path[NAME_ROOM + 8];
    snprintf(path, sizeof path, "%s.png", name);
    return cli_folder_put(&j->folder, path, png, NULL) ? CLI_DONE : CLI_FAILED;
}

// --- the report ---------------------------------------------------------------------------------

static const char *const alpha_names[] = {
    [BSP_ALPHA_OPAQUE] = "opaque", [BSP_ALPHA_TEST] = "test",     [BSP_ALPHA_BLEND] = "blend",
    [BSP_ALPHA_ADD] = "add",       [BSP_ALPHA_FILTER] = "filter",
};

static void report_json(const job *j, uint32_t material, const picture *p) {
    bsp_json *json = j->json;
    const bsp_texture *texture = &p->texture;
    bsp_json_object(json);
    cli_json_text(json, "name", j->map->materials[material].name);
    cli_json_string(json, "file", j->name);
    cli_json_bool(json, "found", texture->found);
    cli_json_uint(json, "width", p->width);
    cli_json_uint(json, "height", p->height);
    cli_json_string(json, "alpha", alpha_names[texture->alpha]);
    cli_json_string(json, "source", texture->source);
    cli_json_string(json, "note", texture->note);
    bsp_json_object_end(json);
}

static void report(const job *j, uint32_t material, const picture *p) {
    const bsp_texture *texture = &p->texture;
    if (j->json != NULL) {
        report_json(j, material, p);
    } else if (!texture->found) {
        cli_progress_clear();
        cli_print_styled(j->output, CLI_BAD, "missing: ");
        cli_print_text(j->output, j->map->materials[material].name);
        cli_print(j->output, " (");
        cli_print_text(j->output, bsp_text_of(texture->note));
        cli_print(j->output, ")\n");
    }
}

// --- the work -----------------------------------------------------------------------------------

// Finds the texture of a material, and packs it.
static void make_picture(void *user, int material) {
    job *j = user;
    picture *p = &j->ring[(uint32_t)material % j->slots];
    *p = (picture){.done = false};
    if (j->map->materials[material].name.size == 0) {
        return;
    }
    pthread_mutex_lock(&j->finding);
    p->done = bsp_textures_find(j->textures, (uint32_t)material, &p->texture, &p->error);
    pthread_mutex_unlock(&j->finding);
    p->width = p->texture.image.width;
    p->height = p->texture.image.height;
    p->done = p->done && bsp_image_write_png(&p->texture.image, NULL, &p->png, &p->error);
    bsp_texture_free(&p->texture);
}

static cli_status put_picture(job *j, uint32_t material, const picture *p) {
    cli_safe_name(j->map->materials[material].name, j->name, NAME_ROOM - NUMBER_ROOM);
    if (j->name[0] == '\0') { // an empty entry of the directory of textures
        return CLI_DONE;
    }
    if (!cli_unique_take(&j->names, j->name, NAME_ROOM)) {
        cli_message(j->path, "no memory");
        return CLI_FAILED;
    }
    if (!p->done) {
        return cli_report(j->path, &p->error);
    }
    cli_status status = write_picture(j, j->name, (bsp_bytes){p->png.data, p->png.size});
    j->written++;
    j->missing += p->texture.found ? 0 : 1;
    report(j, material, p);
    return status;
}

// Writes and reports pictures in the order of the materials.
static bool take_picture(void *user, int material) {
    job *j = user;
    picture *p = &j->ring[(uint32_t)material % j->slots];
    if (j->status == CLI_DONE) {
        (void)cli_progress_report(&j->progress, "textures", (uint32_t)material,
                                  j->map->num_materials);
        j->status = put_picture(j, (uint32_t)material, p);
    }
    bsp_blob_free(&p->png);
    return j->status == CLI_DONE;
}

static cli_status write_pictures(job *j) {
    const cli_jobs jobs = {make_picture, take_picture, j};
    uint32_t threads = cli_jobs_threads(j->map->num_materials);
    j->slots = threads * CLI_JOBS_AHEAD;
    j->ring = calloc(j->slots, sizeof *j->ring);
    if (j->ring == NULL) {
        cli_message(j->path, "no memory");
        return CLI_FAILED;
    }
    pthread_mutex_init(&j->finding, NULL);
    cli_jobs_run(&jobs, threads, (int)j->map->num_materials);
    pthread_mutex_destroy(&j->finding);
    free(j->ring);
    return j->status;
}

// Checks the limits for all files, so that all or none are written: each material with a name
// becomes a file.
static bool may_write(const job *j) {
    uint64_t files = 0;
    bsp_error error;
    for (uint32_t i = 0; i < j->map->num_materials; i++) {
        files += j->map->materials[i].name.size != 0;
    }
    return bsp_budget_may_write(cli_budget(), files, 0, &error) ||
           cli_report(j->path, &error) == CLI_DONE;
}

// Writes the textures of the pak, if they are asked for.
static cli_status write_pak(job *j) {
    const cli_texture_options *options = cli_texture_options_of(j->call);
    cli_pak_textures pak = {.path = j->path,
                            .folder = &j->folder,
                            .names = &j->names,
                            .cubemaps_only = !options->pak,
                            .json = j->json};
    if (!options->pak && !options->cubemaps) {
        return CLI_DONE;
    }
    if (j->json != NULL) {
        bsp_json_array_end(j->json);
        cli_json_array(j->json, "pak");
    }
    cli_status status = cli_write_pak_textures(j->file, &pak);
    if (j->json == NULL && status != CLI_FAILED) {
        cli_print(j->output, "%u images of the pak\n", (unsigned)pak.files);
    }
    return status;
}

static cli_status write_all(job *j) {
    if (!may_write(j)) {
        return CLI_FAILED;
    }
    if (!cli_folder_open(&j->folder, j->call->common->output)) {
        return CLI_FAILED;
    }
    cli_status status = write_pictures(j);
    cli_progress_clear();
    if (status == CLI_DONE) {
        status = write_pak(j);
    }
    cli_unique_free(&j->names);
    cli_folder_close(&j->folder);
    return status;
}

static cli_status report_all(job *j) {
    bsp_json json;
    if (j->call->common->json) {
        bsp_json_begin(&json, cli_sink, j->output);
        j->json = &json;
        bsp_json_object(&json);
        cli_json_string(&json, "file", j->path);
        cli_json_array(&json, "textures");
    }
    cli_status status = write_all(j);
    if (j->json != NULL) {
        bsp_json_array_end(&json);
        cli_json_uint(&json, "missing", j->missing);
        bsp_json_object_end(&json);
        (void)bsp_json_flush(&json);
        cli_print(j->output, "\n");
    } else if (status != CLI_FAILED) {
        cli_print(j->output, "%u textures, %u missing\n", (unsigned)j->written,
                  (unsigned)j->missing);
    }
    return status == CLI_DONE && j->missing != 0 ? CLI_PROBLEMS : status;
}

static const char *const columns[] = {"file",
                                      "textures[].name",
                                      "picture=textures[].file",
                                      "textures[].found",
                                      "textures[].width",
                                      "textures[].height",
                                      "textures[].alpha",
                                      "textures[].source",
                                      "textures[].note",
                                      NULL};

static const cli_row_form rows = {"textures[]", columns};

static cli_status with_loaded(job *j, const cli_loaded *loaded, const bsp_issues *issues) {
    cli_output output;
    j->map = loaded->map;
    j->textures = loaded->textures;
    j->output = &output;
    cli_report_textures(j->path, issues);
    if (!cli_output_open(&output, NULL)) {
        return CLI_FAILED;
    }
    return cli_output_rows(&output, cli_rows_wanted(j->call), &rows)
               ? cli_output_close(&output, report_all(j))
               : cli_output_fail(&output);
}

static cli_status with_file(job *j, const bsp_file *file) {
    bsp_issues *issues = bsp_issues_new(NULL, 20);
    cli_loaded loaded;
    const cli_wanted wanted = {
        .parts = BSP_LOAD_ENTITIES | BSP_LOAD_SURFACES | BSP_LOAD_PROPS,
        .textures = true,
        .search_issues = issues,
        .texture_issues = issues,
    };
    if (issues == NULL) {
        cli_message(j->path, "no memory");
        return CLI_FAILED;
    }
    j->file = file;
    cli_status status = cli_load(&loaded, j->call, j->path, file, &wanted);
    if (status == CLI_DONE) {
        status = with_loaded(j, &loaded, issues);
    }
    cli_unload(&loaded);
    bsp_issues_free(issues);
    return status;
}

static cli_status run(const cli_call *call) {
    if (cli_texture_edits(call)) {
        return cli_texture_edit(call);
    }
    job j = {.call = call, .path = call->operands[0]};
    const char *folder = call->common->output;
    if (folder == NULL || folder[0] == '\0') {
        cli_message(NULL, "textures takes a folder: -o DIR");
        return CLI_USAGE;
    }
    cli_progress_start(&j.progress, j.path);
    cli_opened opened;
    if (!cli_open_map(call, j.path, NULL, &opened)) {
        return CLI_FAILED;
    }
    cli_status status = with_file(&j, opened.file);
    cli_close_map(&opened);
    return status;
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     CLI_TARGET_TO(cli_common, output),
     .argument = "DIR",
     .help =
         "The folder for the images, made if it does not exist; with --embed and --take-out the "
         "changed map"},
    {.name = "cubemaps",
     CLI_FLAG_TO(cli_texture_options, cubemaps),
     .help = "Source: write the cubemaps of the embedded pak too, each as its six sides"},
    {.name = "pak",
     CLI_FLAG_TO(cli_texture_options, pak),
     .help = "Source: write all textures of the embedded pak too"},
    {.name = "wad",
     CLI_TARGET_TO(cli_texture_options, wad),
     .argument = "FILE",
     .help = "Quake, GoldSrc: write a WAD of the textures in the map instead of images"},
    {.name = "embed",
     CLI_FLAG_TO(cli_texture_options, embed),
     .help =
         "Quake, GoldSrc: put the textures that the map lacks into it, from the WADs of --game"},
    {.name = "take-out",
     CLI_FLAG_TO(cli_texture_options, take_out),
     .help =
         "GoldSrc: take the textures out of the map, so that the game reads them from WADs (see "
         "--wad)"},
    CLI_OPTION_IN_PLACE,
    CLI_OPTIONS_BACKUP,
    CLI_OPTION_FORCE,
    CLI_OPTION_KEEP_CHECKSUM,
    CLI_OPTION_GAME,
    CLI_OPTION_JSON,
    CLI_OPTIONS_ROWS,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_textures = {
    .name = "textures",
    .group = CLI_GROUP_EXTRACT,
    .operands = "FILE",
    .summary = "Write a map's textures as PNG or WAD; put them in or take them out",
    .description =
        "Each material of the map becomes DIR/NAME.png. Textures are looked for in the map itself "
        "(embedded textures, the embedded pak), and then in the game folders: loose files, PAK, "
        "PK3, WAD and VPK archives as the engines rank them.\n\n"
        "One that is not found is reported in a line, and becomes a checkerboard with its name on "
        "it; the exit status is then 1.\n\n"
        "With --cubemaps and --pak the textures of the pak become DIR/NAME.png by their names "
        "there; a cubemap becomes six images, NAME_right, _left, _back, _front, _up and _down, "
        "which look along +x, -x, +y, -y, +z and -z.\n\n"
        "With --embed and --take-out the map is written again, with textures put into it or taken "
        "out. With --take-out and --wad FILE the key wad of its world names FILE too, so that the "
        "game finds it; without --wad the key stays as it is. A texture that cannot be put in is "
        "named with its WAD, and nothing is written.",
    .examples = {"bspkit textures maps/start.bsp -o pictures",
                 "bspkit textures --cubemaps --game content maps/source.bsp -o pictures"},
    CLI_OPTIONS(options, cli_texture_options),
    .min_operands = 1,
    .max_operands = 1,
    .reads_maps = true,
    .rows = &rows,
    .run = run,
};
