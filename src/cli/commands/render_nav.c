// SPDX-License-Identifier: MIT
// bspkit render --top --nav: areas are rectangles along the axes, so that their outlines are rows
// and columns of pixels.
#include "cli/commands/render_nav.h"

#include "cli/parts/nav.h"

#include <string.h>

#define MOST_PIXELS ((uint64_t)1 << 30) // of outlines: about a second
#define PIXEL 4u

static const uint8_t orange[PIXEL] = {255, 144, 0, 255};

// Returns the row or column of a place, at most one outside of the picture.
static int64_t pixel_of(float at, float origin, float scale, uint32_t count) {
    float pixel = (at - origin) / scale;
    return pixel >= 0 ? pixel < (float)count ? (int64_t)pixel : (int64_t)count : -1;
}

// Draws a run of pixels along an axis, 0 for a row; both ends are at most one outside.
static uint64_t draw_run(bsp_image *image, int axis, int64_t line, int64_t first, int64_t last) {
    int64_t sides[2] = {image->width, image->height};
    if (line < 0 || line >= sides[1 - axis]) {
        return 1;
    }
    first = first < 0 ? 0 : first;
    last = last < sides[axis] ? last : sides[axis] - 1;
    for (int64_t i = first; i <= last; i++) {
        size_t x = (size_t)(axis == 0 ? i : line);
        size_t y = (size_t)(axis == 0 ? line : i);
        memcpy(image->pixels + PIXEL * (y * image->width + x), orange, PIXEL);
    }
    return (uint64_t)(last < first ? 1 : last - first + 2);
}

static uint64_t draw_area(const bsp_nav_area *area, const bsp_overview *place, bsp_image *image) {
    const float *low = area->corners[0];
    const float *high = area->corners[2];
    int64_t left = pixel_of(low[0], place->origin[0], place->scale, image->width);
    int64_t right = pixel_of(high[0], place->origin[0], place->scale, image->width);
    int64_t top = pixel_of(-high[1], -place->origin[1], place->scale, image->height);
    int64_t bottom = pixel_of(-low[1], -place->origin[1], place->scale, image->height);
    return draw_run(image, 0, top, left, right) + draw_run(image, 0, bottom, left, right) +
           draw_run(image, 1, left, top, bottom) + draw_run(image, 1, right, top, bottom);
}

static bool is_above(const bsp_nav_area *area, const bsp_view *view) {
    bool above = view->cuts;
    for (int i = 0; i < 4; i++) {
        above = above && area->corners[i][2] > view->cut;
    }
    return above;
}

cli_status cli_draw_nav(const char *path, const bsp_renderer *renderer, const bsp_view *view,
                        bsp_image *image) {
    bsp_nav *nav;
    cli_status status = cli_open_nav(path, true, &nav);
    if (status != CLI_DONE) {
        return status;
    }
    bsp_overview place;
    uint64_t pixels = 0;
    bsp_renderer_overview(renderer, view, &place);
    for (uint32_t i = 0; i < nav->num_areas && pixels <= MOST_PIXELS; i++) {
        if (!is_above(&nav->areas[i], view)) {
            pixels += draw_area(&nav->areas[i], &place, image);
        }
    }
    bsp_nav_free(nav);
    if (pixels > MOST_PIXELS) {
        cli_message(path, "the outlines of its areas are more than 2^30 pixels");
        return CLI_FAILED;
    }
    return CLI_DONE;
}
