// SPDX-License-Identifier: MIT
// bspkit render: a picture of a map, from a place in it or from above.
#define _POSIX_C_SOURCE 200809L // strcasecmp

#include "cli/parts/budget.h"
#include "cli/parts/commands.h"
#include "cli/parts/defined.h"
#include "cli/parts/input.h"
#include "cli/parts/loaded.h"
#include "cli/parts/memory.h"
#include "cli/parts/numbers.h"
#include "cli/parts/patch.h"
#include "cli/parts/path.h"
#include "cli/parts/portals.h"
#include "cli/parts/progress.h"
#include "cli/commands/render_nav.h"
#include "cli/commands/render_report.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

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
    bool hdr;
    bool no_fog;
    bool flares;
    bool open;
    const char *portals_open;
    const char *portals_closed;
    const char *cut;
    uint32_t storey;
    bool roofs;
    const char *nav;
    float time;
    cli_list styles;
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
    if (from != NULL && !cli_take_numbers(from, view->from, 3)) {
        cli_message("render", "--from takes X,Y,Z, not '%s'", from);
        return false;
    }
    if (angles != NULL && !cli_take_numbers(angles, view->angles, 3)) {
        cli_message("render", "--angles takes PITCH,YAW,ROLL, not '%s'", angles);
        return false;
    }
    view->cuts = options_of(call)->cut != NULL;
    if (view->cuts && !bsp_parse_float(bsp_text_of(options_of(call)->cut), &view->cut)) {
        cli_message("render", "--cut takes a height, not '%s'", options_of(call)->cut);
        return false;
    }
    if ((view->cuts || options_of(call)->storey != 0 || options_of(call)->roofs) && !view->top) {
        cli_message("render", "--cut, --storey and --roofs need --top");
        return false;
    }
    if (options_of(call)->nav != NULL && !view->top) {
        cli_message("render", "--nav needs --top");
        return false;
    }
    view->fov = options_of(call)->fov != 0 ? options_of(call)->fov : view->fov;
    return true;
}

// --- formats ------------------------------------------------------------------------------------

static bool write_png(const bsp_image *image, bsp_blob *out, bsp_error *error) {
    return bsp_image_write_png_threads(image, bsp_budget_threads(cli_budget()), NULL, out, error);
}

static bool write_jpeg(const bsp_image *image, bsp_blob *out, bsp_error *error) {
    return bsp_image_write_jpeg(image, 0, NULL, out, error);
}

typedef struct format {
    const char *ending;
    bool (*save)(const bsp_image *image, bsp_blob *out, bsp_error *error);
} format;

static const format formats[] = {{".png", write_png}, {".jpg", write_jpeg}, {".jpeg", write_jpeg}};

// Returns the format by the ending of the output's name, PNG where it has none. NULL for another
// ending.
static const format *find_format(const char *path) {
    const char *ending = cli_last_part(path) + cli_stem(path).size;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (strcasecmp(ending, formats[i].ending) == 0) {
            return &formats[i];
        }
    }
    return *ending == '\0' ? &formats[0] : NULL;
}

// --- the work -----------------------------------------------------------------------------------

static cli_status write_picture(const cli_input *input, const bsp_renderer *renderer,
                                const bsp_view *view, cli_progress *progress) {
    bsp_error error = {0};
    bsp_image image;
    bsp_draw_stats stats;
    bsp_draw_options options = {.no_vis = options_of(input->call)->no_vis,
                                .flares = options_of(input->call)->flares,
                                .no_fog = options_of(input->call)->no_fog};
    (void)cli_progress_report(progress, "drawing", 0, 2);
    if (!bsp_renderer_draw(renderer, view, &options, &image, &stats, &error)) {
        return cli_report(input->path, &error);
    }
    cli_report_bare(input, &stats, &image);
    const char *nav = options_of(input->call)->nav;
    cli_status drawn = nav == NULL ? CLI_DONE : cli_draw_nav(nav, renderer, view, &image);
    if (drawn != CLI_DONE) {
        bsp_image_free(&image);
        return drawn;
    }
    bsp_blob file;
    (void)cli_progress_report(progress, "writing", 1, 2);
    bool done = find_format(input->call->common->output)->save(&image, &file, &error);
    bsp_image_free(&image);
    cli_progress_clear();
    if (!done) {
        return cli_report(input->path, &error);
    }
    (void)cli_sink(input->output, (const char *)file.data, file.size);
    bsp_blob_free(&file);
    cli_status status = view->top ? cli_write_overview(input, renderer, view) : CLI_DONE;
    bool told = status == CLI_DONE && options_of(input->call)->stats;
    return told ? cli_report_stats(input, &stats) : status;
}

// Reports the textures that were drawn as a pattern, and the models that are not there.
static cli_status report_missing(const cli_input *input, const bsp_renderer *renderer) {
    cli_missing missing = {.path = input->path};
    uint32_t count = bsp_renderer_missing(renderer);
    for (uint32_t i = 0; i < count; i++) {
        cli_missing_add(&missing, bsp_renderer_missing_name(renderer, i), "");
    }
    cli_missing_end(&missing);
    uint32_t num_models;
    const bsp_scene_missing *models = bsp_renderer_missing_models(renderer, &num_models);
    cli_missing_models_list(input->call, input->path, models, num_models);
    return cli_missing_status(input->call, count + num_models);
}

// Parses "N=VALUE".
static bool parse_style(const char *text, bsp_scene_style *out) {
    const char *sign = strchr(text, '=');
    int64_t style = 0;
    bsp_text number = {text, sign == NULL ? 0 : (size_t)(sign - text)};
    bool done = sign != NULL && bsp_parse_int(number, &style) && style >= 0 &&
                style < BSP_LIGHT_STYLES && bsp_parse_float(bsp_text_of(sign + 1), &out->value) &&
                out->value >= 0;
    out->style = (uint32_t)style;
    return done;
}

// Reads --style into `out`, room for BSP_LIGHT_STYLES. Returns false after a message.
static bool read_styles(const cli_call *call, bsp_scene_style *out, uint32_t *count) {
    const cli_list *given = &options_of(call)->styles;
    *count = 0;
    for (size_t i = 0; i < given->count; i++) {
        bsp_scene_style one;
        if (!parse_style(given->items[i].value, &one)) {
            cli_message("render",
                        "--style takes N=VALUE, a number from 0 to 255 and a factor of 0 or more, "
                        "not '%s'",
                        given->items[i].value);
            return false;
        }
        uint32_t at = 0;
        while (at < *count && out[at].style != one.style) {
            at++;
        }
        *count += at == *count;
        out[at] = one;
    }
    return true;
}

// Cuts the view at the storey that was asked for, or below roofs. Returns false after a message.
static bool cut_storey(const cli_input *input, const bsp_renderer *renderer, bsp_view *view) {
    uint32_t storey = options_of(input->call)->storey;
    bsp_storey list[BSP_MOST_STOREYS];
    uint32_t count = storey == 0 ? 0 : bsp_renderer_storeys(renderer, list);
    if (storey > count) {
        cli_message(input->path, "there is no storey %u: %u found", (unsigned)storey,
                    (unsigned)count);
        return false;
    }
    if (storey != 0 && !view->cuts) {
        view->cuts = true;
        view->cut = list[storey - 1].cut;
    }
    if (view->top && !view->cuts && !options_of(input->call)->roofs) {
        view->cuts = bsp_renderer_roof_cut(renderer, &view->cut);
    }
    return true;
}

// Reads the state of area portals, if it is asked for. Free `list` anyway.
static cli_status read_portals(const cli_input *input, const bsp_map *map, bsp_scene_portal **list,
                               bsp_scene_state *state) {
    const render_options *options = options_of(input->call);
    cli_portals p;
    *list = NULL;
    state->areas = options->portals_open != NULL || options->portals_closed != NULL;
    if (!state->areas) {
        return CLI_DONE;
    }
    cli_status status =
        cli_portals_find(input->path, map, options->portals_open, options->portals_closed, &p);
    *list = status == CLI_DONE ? malloc(((size_t)p.links->count + 1) * sizeof **list) : NULL;
    for (uint32_t i = 0; *list != NULL && i < p.links->count; i++) {
        if (p.given[i]) {
            (*list)[state->num_portals++] = (bsp_scene_portal){p.links->list[i].key, p.open[i]};
        }
    }
    if (status == CLI_DONE && *list == NULL) {
        cli_message(input->path, "no memory");
        status = CLI_FAILED;
    }
    state->portals = *list;
    cli_portals_free(&p);
    return status;
}

static cli_status draw_state(const cli_input *input, const cli_loaded *loaded,
                             const bsp_scene_state *state) {
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
                                    .state = state,
                                    .hdr = options_of(input->call)->hdr,
                                    .progress = cli_progress_of(&progress)};
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    options.issues = issues;
    bool failed;
    bsp_definitions *definitions = cli_read_definitions(input->call, loaded->search, &failed);
    if (failed) {
        bsp_issues_free(issues);
        return CLI_FAILED;
    }
    options.no_props = input->call->common->no_props;
    options.no_details = input->call->common->no_details;
    options.definitions = definitions;
    bsp_renderer *renderer = bsp_renderer_build(loaded->map, input->file, &options, &error);
    bsp_definitions_free(definitions);
    if (renderer != NULL && issues != NULL) {
        cli_report_textures(input->path, issues);
    }
    bsp_issues_free(issues);
    if (renderer == NULL) {
        return cli_report(input->path, &error);
    }
    bool cut = cut_storey(input, renderer, &view);
    cli_status status = cut ? write_picture(input, renderer, &view, &progress) : CLI_PROBLEMS;
    cli_status missing = report_missing(input, renderer);
    bsp_renderer_free(renderer);
    return status == CLI_DONE ? missing : status;
}

static cli_status draw(const cli_input *input, const cli_loaded *loaded) {
    bsp_scene_style styles[BSP_LIGHT_STYLES];
    bsp_scene_portal *portals = NULL;
    bsp_scene_state state = {.open = options_of(input->call)->open,
                             .time = options_of(input->call)->time,
                             .styles = styles};
    cli_status status = CLI_USAGE;
    if (read_styles(input->call, styles, &state.num_styles)) {
        status = read_portals(input, loaded->map, &portals, &state);
    }
    if (status == CLI_DONE) {
        status = draw_state(input, loaded, &state);
    }
    free(portals);
    return status;
}

static cli_status work(const cli_input *input) {
    // The renderer finds the textures.
    static const cli_wanted wanted = {.light = true, .drawn = true};
    cli_loaded loaded;
    cli_status status = cli_load(&loaded, input->call, input->path, input->file, &wanted);
    if (status == CLI_DONE) {
        status = draw(input, &loaded);
    }
    cli_unload(&loaded);
    return status;
}

static cli_status run(const cli_call *call) {
    cli_memory_more();
    bsp_view view = {0};
    bsp_scene_style styles[BSP_LIGHT_STYLES];
    uint32_t num_styles;
    if (!read_view(call, &view) || !read_styles(call, styles, &num_styles)) {
        return CLI_USAGE;
    }
    if (call->common->output == NULL) {
        cli_message("render", "-o OUT.png or OUT.jpg is needed");
        return CLI_USAGE;
    }
    if (find_format(call->common->output) == NULL) {
        cli_message("render", "-o takes a file that ends in .png, .jpg or .jpeg, not '%s'",
                    call->common->output);
        return CLI_USAGE;
    }
    if (options_of(call)->stats && strcmp(call->common->output, "-") == 0) {
        cli_message("render", "--stats and -o - both write to standard output");
        return CLI_USAGE;
    }
    return cli_for_each_input(call, call->num_operands, work);
}

static const cli_option options[] = {
    CLI_OPTION_GAME_FOR("textures and models"),
    CLI_OPTIONS_PROPS,
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
     .help = "Draw the whole map from above, north up, without ceilings; NAME.json beside NAME.png "
             "gives its place"},
    {.name = "fullbright", CLI_FLAG_TO(render_options, fullbright), .help = "Without light"},
    {.name = "cut",
     CLI_TEXT_TO(render_options, cut),
     .argument = "Z",
     .help = "With --top: leave out what is higher than Z, so that rooms are seen from above"},
    {.name = "storey",
     CLI_NUMBER_TO(render_options, storey),
     .argument = "N",
     .help = "With --top: cut above the floor of storey N; 1 is the lowest (default: below the "
             "roofs, if they hide where most players begin and not most of the map is higher)"},
    {.name = "roofs", CLI_FLAG_TO(render_options, roofs), .help = "With --top: with all roofs"},
    {.name = "nav",
     CLI_FILE_TO(render_options, nav),
     .argument = "FILE",
     .help = "With --top: also the outlines of the areas of this navigation mesh (.nav)"},
    {.name = "flares",
     CLI_FLAG_TO(render_options, flares),
     .help = "Quake 3: with the flares of lamps, as with r_flares 1"},
    {.name = "open",
     CLI_FLAG_TO(render_options, open),
     .help = "With sliding doors where they stand open"},
    {.name = "portals-open",
     CLI_TEXT_TO(render_options, portals_open),
     .argument = "PORTALS",
     .help = "Leave out what shut area portals hide; these are open, by number or name, or all or "
             "none of them, the others as the map begins (and those of doors that --open opens)"},
    {.name = "portals-closed",
     CLI_TEXT_TO(render_options, portals_closed),
     .argument = "PORTALS",
     .help = "The same; these are shut"},
    {.name = "no-fog", CLI_FLAG_TO(render_options, no_fog), .help = "As if the air were clear"},
    {.name = "hdr",
     CLI_FLAG_TO(render_options, hdr),
     .help = "By the HDR light where the map has both kinds"},
    {.name = "time",
     CLI_REAL_TO(render_options, time),
     .least = 0,
     .most = 1000000,
     .argument = "SECONDS",
     .help = "So long after the map began: light styles, animated and scrolling textures, the sky"},
    {.name = "style",
     CLI_TEXT_TO(render_options, styles),
     .argument = "N=VALUE",
     .help = "Multiply the light of style N by VALUE, whatever the time; 0 turns it off"},
    {.name = "plain",
     CLI_FLAG_TO(render_options, plain),
     .help = "Draw surfaces without a texture in one colour (Source maps: its average) instead of "
             "a pattern"},
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
    CLI_OPTION_STRICT_TEXTURES,
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
        "Draws the map with its textures and its light into a file, from the eyes of a player at "
        "the first start, from a place, or from above.\n\n"
        "The ending of --output selects the format: .png, or .jpg and .jpeg (quality 90); without "
        "one, and on standard output, it is PNG.\n\n"
        "Light that a Quake 3 map has in files of its own (lm_0000.tga of q3map2) is found in the "
        "folder NAME beside NAME.bsp, and in maps/NAME of the --game folders.\n\n"
        "A texture that is neither in the map nor found in the --game folders is a quiet grey "
        "pattern with the light on it, and is listed; with --strict the exit status is then 1. The "
        "sky is the map's own where its pictures are found. Models that stand in the map (props, "
        "items, monsters) are drawn where they are found, with the light of their place; those "
        "that are missing are listed, once each, and --strict counts them too.\n\n"
        "What the map's visibility hides from the eye's leaf is left out, which changes nothing if "
        "the visibility is right. With --top, NAME.json beside NAME.png has pos_x, pos_y and scale "
        "as the overview files of the games do: pixel (x, y) is at (pos_x + x * scale, pos_y - y * "
        "scale).",
    .examples = {"bspkit render maps/start.bsp -o start.png",
                 "bspkit render --top --size 512x512 maps/source.bsp -o overview.png"},
    CLI_OPTIONS(options, render_options),
    .min_operands = 1,
    .max_operands = 1,
    .reads_maps = true,
    .run = run,
};
