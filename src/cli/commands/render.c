// SPDX-License-Identifier: MIT
// bspkit render: a picture of a map, from a place in it or from above.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/loaded.h"
#include "cli/parts/patch.h"
#include "cli/parts/progress.h"
#include "cli/commands/render_report.h"

#include <string.h>

#define DEFAULT_WIDTH 1280u
#define DEFAULT_HEIGHT 720u

typedef struct render_options {
    cli_common common;
    const char *from;
    const char *angles;
    float fov; // 0: not given
    const char *size;
    bool top;
    bool fullbright;
    bool plain;
    bool tools;
    bool no_vis;
    bool stats;
} render_options;

static const render_options *options_of(const cli_call *call) {
    return call->options;
}

// Parses "1280x720".
static bool parse_size(const char *text, bsp_view *view) {
    const char *cross = strchr(text, 'x');
    int64_t width;
    int64_t height;
    if (cross == NULL) {
        return false;
    }
    bsp_text left = {text, (size_t)(cross - text)};
    if (!bsp_parse_int(left, &width) || !bsp_parse_int(bsp_text_of(cross + 1), &height) ||
        width < 1 || height < 1 || width > BSP_IMAGE_MAX || height > BSP_IMAGE_MAX) {
        return false;
    }
    view->width = (uint32_t)width;
    view->height = (uint32_t)height;
    return true;
}

// Parses "X,Y,Z" with commas or blanks.
static bool parse_place(const char *text, float out[3]) {
    char copy[128];
    size_t size = strlen(text);
    if (size >= sizeof copy) {
        return false;
    }
    for (size_t i = 0; i <= size; i++) {
        copy[i] = text[i] == ',' ? ' ' : text[i];
    }
    return bsp_parse_vector(bsp_text_of(copy), out);
}

// Applies the options to the default view of the map. Returns false after a message.
static bool read_view(const cli_call *call, bsp_view *view) {
    const char *size = options_of(call)->size;
    const char *from = options_of(call)->from;
    const char *angles = options_of(call)->angles;
    view->width = DEFAULT_WIDTH;
    view->height = DEFAULT_HEIGHT;
    view->top = options_of(call)->top;
    if (size != NULL && !parse_size(size, view)) {
        cli_message("render", "--size takes WxH, 1x1 to %ux%u, not '%s'", BSP_IMAGE_MAX,
                    BSP_IMAGE_MAX, size);
        return false;
    }
    if (from != NULL && !parse_place(from, view->from)) {
        cli_message("render", "--from takes X,Y,Z, not '%s'", from);
        return false;
    }
    if (angles != NULL && !parse_place(angles, view->angles)) {
        cli_message("render", "--angles takes PITCH,YAW,ROLL, not '%s'", angles);
        return false;
    }
    view->fov = options_of(call)->fov != 0 ? options_of(call)->fov : view->fov;
    return true;
}

// --- the work -----------------------------------------------------------------------------------

static cli_status write_picture(const cli_input *input, const bsp_renderer *renderer,
                                const bsp_view *view, cli_progress *progress) {
    bsp_error error = {0};
    bsp_image image;
    bsp_draw_stats stats;
    bsp_draw_options options = {.no_vis = options_of(input->call)->no_vis};
    (void)cli_progress_report(progress, "drawing", 0, 2);
    if (!bsp_renderer_draw(renderer, view, &options, &image, &stats, &error)) {
        return cli_report(input->path, &error);
    }
    bsp_blob png;
    (void)cli_progress_report(progress, "writing", 1, 2);
    bool done = bsp_image_write_png(&image, NULL, &png, &error);
    bsp_image_free(&image);
    cli_progress_clear();
    if (!done) {
        return cli_report(input->path, &error);
    }
    (void)cli_sink(input->output, (const char *)png.data, png.size);
    bsp_blob_free(&png);
    cli_status status = view->top ? cli_write_overview(input, renderer, view) : CLI_DONE;
    bool told = status == CLI_DONE && options_of(input->call)->stats;
    return told ? cli_report_stats(input, &stats) : status;
}

// Reports the textures that were drawn as a checkerboard.
static cli_status report_missing(const cli_input *input, const bsp_renderer *renderer) {
    cli_missing missing = {.path = input->path};
    uint32_t count = bsp_renderer_missing(renderer);
    for (uint32_t i = 0; i < count; i++) {
        cli_missing_add(&missing, bsp_renderer_missing_name(renderer, i), "");
    }
    cli_missing_end(&missing);
    return count == 0 ? CLI_DONE : CLI_PROBLEMS;
}

static cli_status draw(const cli_input *input, const cli_loaded *loaded) {
    bsp_error error = {0};
    bsp_view view = {0};
    bsp_view_start(loaded->map, &view);
    if (!read_view(input->call, &view)) {
        return CLI_USAGE;
    }
    cli_progress progress;
    cli_progress_start(&progress, input->path);
    bsp_renderer_options options = {.search = loaded->search,
                                    .name = loaded->name,
                                    .full_bright = options_of(input->call)->fullbright,
                                    .plain = options_of(input->call)->plain,
                                    .hidden = options_of(input->call)->tools,
                                    .progress = cli_progress_of(&progress)};
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    options.issues = issues;
    bsp_renderer *renderer = bsp_renderer_build(loaded->map, input->file, &options, &error);
    if (renderer != NULL && issues != NULL) {
        cli_report_textures(input->path, issues);
    }
    bsp_issues_free(issues);
    if (renderer == NULL) {
        return cli_report(input->path, &error);
    }
    cli_status status = write_picture(input, renderer, &view, &progress);
    cli_status missing = report_missing(input, renderer);
    bsp_renderer_free(renderer);
    return status == CLI_DONE ? missing : status;
}

static cli_status work(const cli_input *input) {
    static const cli_wanted wanted = {.light = true}; // the renderer finds the textures
    cli_loaded loaded;
    cli_status status = cli_load(&loaded, input->call, input->path, input->file, &wanted);
    if (status == CLI_DONE) {
        status = draw(input, &loaded);
    }
    cli_unload(&loaded);
    return status;
}

static cli_status run(const cli_call *call) {
    bsp_view view = {0};
    if (!read_view(call, &view)) {
        return CLI_USAGE;
    }
    if (call->common->output == NULL) {
        cli_message("render", "-o OUT.png is needed");
        return CLI_USAGE;
    }
    if (options_of(call)->stats && strcmp(call->common->output, "-") == 0) {
        cli_message("render", "--stats and -o - both write to standard output");
        return CLI_USAGE;
    }
    return cli_for_each_input(call, call->num_operands, 0, work);
}

static const cli_option options[] = {
    CLI_OPTION_GAME,
    {.name = "from",
     CLI_TEXT_TO(render_options, from),
     .argument = "X,Y,Z",
     .help = "Place the eye there (default: the first player start)"},
    {.name = "angles",
     CLI_TEXT_TO(render_options, angles),
     .argument = "P,Y,R",
     .help = "Look in this direction: pitch (down is positive), yaw, roll"},
    {.name = "fov",
     CLI_REAL_TO(render_options, fov),
     .least = 1,
     .most = 170,
     .argument = "DEGREES",
     .help = "Horizontal field of view in degrees (default 90)"},
    {.name = "size",
     CLI_TEXT_TO(render_options, size),
     .argument = "WxH",
     .help = "Size of the picture in pixels (default 1280x720)"},
    {.name = "top",
     CLI_FLAG_TO(render_options, top),
     .help = "Draw the whole map from above, north up, without ceilings; OUT.json gives its place"},
    {.name = "fullbright", CLI_FLAG_TO(render_options, fullbright), .help = "Without light"},
    {.name = "plain",
     CLI_FLAG_TO(render_options, plain),
     .help = "Draw surfaces without a texture in one colour (Source maps: its average) instead of "
             "a checkerboard"},
    {.name = "tools",
     CLI_FLAG_TO(render_options, tools),
     .help = "Also draw triggers, clip and other tool textures"},
    {.name = "no-vis",
     CLI_FLAG_TO(render_options, no_vis),
     .help = "Also draw what the map's visibility hides from there"},
    {.name = "stats",
     CLI_FLAG_TO(render_options, stats),
     .help = "Print how many leaves and faces each step left (all, visible from the eye's leaf, in "
             "view), and the time of each step"},
    CLI_OPTION_JSON,
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_render = {
    .name = "render",
    .group = CLI_GROUP_LOOK,
    .operands = "FILE",
    .summary = "Draw a picture of a map",
    .description =
        "Draws the map with its textures and its light into a PNG file, from the eyes of a player "
        "at the first start, from a place, or from above.\n\n"
        "Light that a Quake 3 map has in files of its own (lm_0000.tga of q3map2) is found in the "
        "folder NAME beside NAME.bsp, and in maps/NAME of the --game folders.\n\n"
        "A texture that is neither in the map nor found in the --game folders is a checkerboard "
        "with its name, and is listed; the exit status is then 1. The sky "
        "is the map's own where its pictures are found, and stands still. Models of props and "
        "sprites are not drawn: there is nothing in their place.\n\n"
        "What the map's visibility hides from the eye's leaf is left out, which changes nothing if "
        "the visibility is right. With --top, OUT.json has pos_x, pos_y and scale as the overview "
        "files of the games do: pixel (x, y) is at (pos_x + x * scale, pos_y - y * scale).",
    .examples = {"bspkit render maps/start.bsp -o start.png",
                 "bspkit render --top --size 512x512 maps/source.bsp -o overview.png"},
    CLI_OPTIONS(options, render_options),
    .min_operands = 1,
    .max_operands = 1,
    .reads_maps = true,
    .run = run,
};
