// SPDX-License-Identifier: MIT
// Reports of bspkit render: statistics of drawing, and the place of an overview.
#include "cli/commands/render_report.h"

#include "cli/parts/json.h"
#include "cli/parts/path.h"

#include <stdio.h>
#include <string.h>

#define BLACK 6 // the most of a pixel that counts as black, of 255

typedef struct named {
    const char *name;
    uint64_t value;
} named;

static double milliseconds(uint64_t nanoseconds) {
    return (double)nanoseconds * 1e-6;
}

static void print_stats(cli_output *output, const bsp_draw_stats *s) {
    if (s->leaf != BSP_NONE) {
        cli_print(output, "eye in leaf %u", (unsigned)s->leaf);
    } else {
        cli_print(output, "eye in no leaf");
    }
    if (s->cluster != BSP_NONE) {
        cli_print(output, ", cluster %u\n", (unsigned)s->cluster);
    } else {
        cli_print(output, ", which says nothing about what is seen\n");
    }
    cli_print(output, "%-10s %9s %9s\n", "", "leaves", "faces");
    cli_print(output, "%-10s %9u %9u\n", "map", (unsigned)s->leaves, (unsigned)s->faces);
    cli_print(output, "%-10s %9u %9u\n", "seen", (unsigned)s->leaves_seen, (unsigned)s->faces_seen);
    cli_print(output, "%-10s %9u %9u\n", "in view", (unsigned)s->leaves_in_view,
              (unsigned)s->faces_in_view);
    cli_print(output, "%llu triangles, %llu set up, %llu pixels drawn\n",
              (unsigned long long)s->triangles, (unsigned long long)s->set_up,
              (unsigned long long)s->pixels);
    cli_print(output, "%u threads, ms: visible %.2f, transform %.2f, raster %.2f, ",
              (unsigned)s->threads, milliseconds(s->nanoseconds[BSP_DRAW_VISIBLE]),
              milliseconds(s->nanoseconds[BSP_DRAW_TRANSFORM]),
              milliseconds(s->nanoseconds[BSP_DRAW_RASTER]));
    cli_print(output, "background and blending %.2f, resolve %.2f\n",
              milliseconds(s->nanoseconds[BSP_DRAW_BACKGROUND]),
              milliseconds(s->nanoseconds[BSP_DRAW_RESOLVE]));
}

static void print_stats_json(cli_output *output, const char *path, const bsp_draw_stats *s) {
    static const char *const stages[BSP_DRAW_STAGES] = {"visible", "transform", "raster",
                                                        "background", "resolve"};
    const named counts[] = {
        {"leaves", s->leaves},
        {"leaves_seen", s->leaves_seen},
        {"leaves_in_view", s->leaves_in_view},
        {"faces", s->faces},
        {"faces_seen", s->faces_seen},
        {"faces_in_view", s->faces_in_view},
        {"triangles", s->triangles},
        {"triangles_set_up", s->set_up},
        {"pixels", s->pixels},
        {"threads", s->threads},
    };
    bsp_json json;
    bsp_json_begin(&json, cli_sink, output);
    bsp_json_object(&json);
    cli_json_string(&json, "file", path);
    cli_json_uint_or_null(&json, "leaf", s->leaf != BSP_NONE, s->leaf);
    cli_json_uint_or_null(&json, "cluster", s->cluster != BSP_NONE, s->cluster);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        cli_json_uint(&json, counts[i].name, counts[i].value);
    }
    cli_json_object(&json, "nanoseconds");
    for (int i = 0; i < BSP_DRAW_STAGES; i++) {
        cli_json_uint(&json, stages[i], s->nanoseconds[i]);
    }
    bsp_json_object_end(&json);
    bsp_json_object_end(&json);
    (void)bsp_json_flush(&json);
    cli_print(output, "\n");
}

cli_status cli_report_stats(const cli_input *input, const bsp_draw_stats *stats) {
    cli_output output;
    if (!cli_output_open(&output, NULL)) {
        return CLI_FAILED;
    }
    if (input->call->common->json) {
        print_stats_json(&output, input->path, stats);
    } else {
        print_stats(&output, stats);
    }
    return cli_output_close(&output, CLI_DONE);
}

static void print_overview(cli_output *output, const char *path, const bsp_view *view,
                           const bsp_overview *overview) {
    bsp_json json;
    bsp_json_begin(&json, cli_sink, output);
    bsp_json_object(&json);
    cli_json_string(&json, "file", path);
    cli_json_uint(&json, "width", view->width);
    cli_json_uint(&json, "height", view->height);
    cli_json_float(&json, "pos_x", overview->origin[0]);
    cli_json_float(&json, "pos_y", overview->origin[1]);
    cli_json_float(&json, "scale", overview->scale);
    bsp_json_floats(&json, "mins", overview->mins, 3);
    bsp_json_floats(&json, "maxs", overview->maxs, 3);
    bsp_json_object_end(&json);
    (void)bsp_json_flush(&json);
    cli_print(output, "\n");
}

static bool is_black(const bsp_image *image) {
    size_t size = 4 * (size_t)image->width * image->height;
    for (size_t i = 0; i < size; i += 4) {
        for (size_t k = i; k < i + 3; k++) {
            if (image->pixels[k] > BLACK) {
                return false;
            }
        }
    }
    return true;
}

void cli_report_bare(const cli_input *input, const bsp_draw_stats *stats, const bsp_image *image) {
    if (stats->faces == 0) {
        cli_message(input->path,
                    "nothing to draw: the map has no surfaces, and no model was found");
    } else if (stats->pixels == 0) {
        cli_message(input->path, "the picture shows nothing of the map but its sky: --from and "
                                 "--angles look elsewhere");
    } else if (is_black(image)) {
        cli_message(input->path, "the picture is black: --fullbright draws without light");
    }
}

cli_status cli_write_overview(const cli_input *input, const bsp_renderer *renderer,
                              const bsp_view *view) {
    char path[CLI_PATH_ROOM];
    const char *picture = input->call->common->output;
    size_t stem = strlen(picture);
    if (strcmp(picture, "-") == 0) {
        return CLI_DONE;
    }
    stem -= strlen(cli_last_part(picture)) - cli_stem(picture).size;
    int size = snprintf(path, sizeof path, "%.*s.json", (int)stem, picture);
    if (size < 0 || (size_t)size >= sizeof path) {
        cli_message(picture, "the path is too long");
        return CLI_FAILED;
    }
    cli_output output;
    bsp_overview overview;
    if (!cli_output_open(&output, path)) {
        return CLI_FAILED;
    }
    bsp_renderer_overview(renderer, view, &overview);
    print_overview(&output, input->path, view, &overview);
    return cli_output_close(&output, CLI_DONE);
}
