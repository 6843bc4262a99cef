// SPDX-License-Identifier: MIT
// bspkit lightmaps: the light of a map as PNG pages.
#include "cli/parts/budget.h"
#include "cli/parts/commands.h"
#include "cli/parts/folder.h"
#include "cli/parts/input.h"
#include "cli/parts/jobs.h"
#include "cli/parts/json.h"
#include "cli/parts/loaded.h"
#include "cli/parts/patch.h"
#include "cli/parts/progress.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct lightmaps_options {
    cli_common common;
    bool hdr;
    bool all_styles;
    uint32_t range;
    uint32_t width;
} lightmaps_options;

static const lightmaps_options *options_of(const cli_call *call) {
    return call->options;
}

// A page as a file.
typedef struct made_page {
    bsp_blob png;
    bool done;
    bsp_error error;
} made_page;

typedef struct pages {
    const cli_input *input;
    const bsp_lightmap *lightmap;
    cli_folder folder;
    cli_progress progress;
    made_page *ring; // of page n: at n % slots
    uint32_t slots;
    cli_status status;
} pages;

static void make_page(void *user, int number) {
    const pages *w = user;
    const bsp_light_page *page = &w->lightmap->pages[number];
    made_page *made = &w->ring[(uint32_t)number % w->slots];
    const bsp_image image = {.width = page->width,
                             .height = page->height,
                             .pixels = (uint8_t *)(uintptr_t)page->rgba}; // only read
    *made = (made_page){.done = false};
    uint32_t threads = bsp_budget_threads(cli_budget()) / w->lightmap->num_pages;
    made->done = bsp_image_write_png_threads(&image, threads != 0 ? threads : 1, NULL, &made->png,
                                             &made->error);
}

static cli_status put_page(const pages *w, const made_page *made, uint32_t number) {
    const cli_input *input = w->input;
    const bsp_light_page *page = &w->lightmap->pages[number];
    char file[CLI_NAME_ROOM + 32];
    char name[CLI_NAME_ROOM];
    if (!made->done) {
        return cli_report(input->path, &made->error);
    }
    cli_map_name(input->path, name);
    snprintf(file, sizeof file, "%s_lightmap_%03u.png", name, number);
    bool done = cli_folder_put(&w->folder, file, (bsp_bytes){made->png.data, made->png.size}, NULL);
    if (done && input->json == NULL) {
        cli_progress_clear();
        cli_print(input->output, "%s/%s  %u x %u\n", w->folder.path, file, (unsigned)page->width,
                  (unsigned)page->height);
    }
    return done ? CLI_DONE : CLI_FAILED;
}

static bool take_page(void *user, int number) {
    pages *w = user;
    made_page *made = &w->ring[(uint32_t)number % w->slots];
    if (w->status == CLI_DONE) {
        (void)cli_progress_report(&w->progress, "pages", (uint32_t)number, w->lightmap->num_pages);
        w->status = put_page(w, made, (uint32_t)number);
    }
    bsp_blob_free(&made->png);
    return w->status == CLI_DONE;
}

static void print_summary(const cli_input *input, const bsp_lightmap *lightmap) {
    bsp_json *json = input->json;
    if (json == NULL) {
        cli_print(input->output, "%u page%s, %u faces with light, %llu luxels, %llu bytes of light",
                  (unsigned)lightmap->num_pages, lightmap->num_pages == 1 ? "" : "s",
                  (unsigned)lightmap->num_lit, (unsigned long long)lightmap->luxels,
                  (unsigned long long)lightmap->source_bytes);
        if (lightmap->num_dropped != 0) {
            cli_print(input->output, ", %u faces whose light is not in the file",
                      (unsigned)lightmap->num_dropped);
        }
        cli_print(input->output, "\n");
        return;
    }
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_uint(json, "pages", lightmap->num_pages);
    cli_json_uint(json, "lit_faces", lightmap->num_lit);
    cli_json_uint(json, "dropped_faces", lightmap->num_dropped);
    cli_json_uint(json, "luxels", lightmap->luxels);
    cli_json_uint(json, "light_bytes", lightmap->source_bytes);
    bsp_json_object_end(json);
}

// Pages are packed at once, and written in order.
static cli_status write_pages(const cli_input *input, const bsp_lightmap *lightmap) {
    pages w = {.input = input, .lightmap = lightmap, .folder = {.fd = -1}};
    const cli_jobs jobs = {make_page, take_page, &w};
    uint32_t threads = cli_jobs_threads(lightmap->num_pages);
    if (lightmap->num_pages != 0 && !cli_folder_open(&w.folder, input->call->common->output)) {
        return CLI_FAILED;
    }
    w.slots = threads * CLI_JOBS_AHEAD;
    w.ring = calloc(w.slots, sizeof *w.ring);
    if (w.ring != NULL) {
        cli_progress_start(&w.progress, input->path);
        cli_jobs_run(&jobs, threads, (int)lightmap->num_pages);
        cli_progress_clear();
    } else {
        cli_message(input->path, "no memory");
        w.status = CLI_FAILED;
    }
    free(w.ring);
    cli_folder_close(&w.folder);
    if (w.status == CLI_DONE) {
        print_summary(input, lightmap);
    }
    return w.status;
}

static cli_status build(const cli_input *input, const cli_loaded *loaded) {
    const lightmaps_options *wanted = options_of(input->call);
    bsp_error error;
    bsp_lightmap_options options = {.hdr = wanted->hdr,
                                    .other_styles = wanted->all_styles ? 1.0F : 0.0F,
                                    .range = (float)wanted->range,
                                    .width = wanted->width,
                                    .external = loaded->light};
    bsp_lightmap *lightmap = bsp_lightmap_build(loaded->map, input->file, &options, &error);
    cli_status status =
        lightmap == NULL ? cli_report(input->path, &error) : write_pages(input, lightmap);
    bsp_lightmap_free(lightmap);
    return status;
}

static cli_status work(const cli_input *input) {
    static const cli_wanted wanted = {
        .parts = BSP_LOAD_SURFACES | BSP_LOAD_LIGHT | BSP_LOAD_NO_GRID | BSP_LOAD_TREE,
        .textures = true,
        .light = true,
    };
    cli_loaded loaded;
    cli_status status = cli_load(&loaded, input->call, input->path, input->file, &wanted);
    if (status == CLI_DONE) {
        status = build(input, &loaded);
    }
    cli_unload(&loaded);
    return status;
}

static cli_status run(const cli_call *call) {
    const char *folder = call->common->output;
    if (folder == NULL || folder[0] == '\0') {
        cli_message(NULL, "lightmaps takes a folder: -o DIR");
        return CLI_USAGE;
    }
    return cli_for_each_of(call, call->operands, 1, NULL, work);
}

static const cli_option options[] = {
    {.name = "output",
     .letter = 'o',
     CLI_TARGET_TO(cli_common, output),
     .argument = "DIR",
     .help = "Write the pages into this folder, which is made if it does not exist"},
    CLI_OPTION_GAME_FOR("light in files"),
    CLI_OPTION_JSON,
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    {.name = "hdr",
     CLI_FLAG_TO(lightmaps_options, hdr),
     .help = "Use the HDR light where the file has both"},
    {.name = "all-styles",
     CLI_FLAG_TO(lightmaps_options, all_styles),
     .help = "Add the light of all styles: flickering and switched lights are on"},
    {.name = "range",
     CLI_NUMBER_TO(lightmaps_options, range),
     .argument = "N",
     .help = "White stands for light N times as bright as a texture's own colour (1)"},
    {.name = "width",
     CLI_NUMBER_TO(lightmaps_options, width),
     .argument = "N",
     .help = "Widest page, in luxels (1024)"},
    CLI_OPTION_HELP,
};

static const lightmaps_options defaults = {.range = 1};

const cli_command cli_command_lightmaps = {
    .name = "lightmaps",
    .group = CLI_GROUP_EXTRACT,
    .operands = "FILE",
    .summary = "Write the light of a map as PNG pages",
    .description =
        "The lightmaps of all faces, packed into pages NAME_lightmap_000.png and so on, each face "
        "with a border of one repeated luxel. Light is shown as the family's engine shows it: "
        "Quake's is doubled, Quake 3's is shifted by two bits, Source's is brought from linear "
        "light to the display. What is too bright keeps its hue.\n\n"
        "Light in BSPX lumps (coloured, HDR, decoupled) replaces that of the light lump. Pages "
        "that a Quake 3 map has in files of its own (lm_0000.tga of q3map2) are found in the "
        "folder NAME beside NAME.bsp, and in maps/NAME of the --game folders.",
    .examples = {"bspkit lightmaps maps/start.bsp -o light",
                 "bspkit lightmaps --all-styles maps/source.bsp -o light"},
    CLI_OPTIONS(options, lightmaps_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = 1,
    .reads_maps = true,
    .run = run,
};
