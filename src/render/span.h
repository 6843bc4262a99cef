// SPDX-License-Identifier: MIT
// The inner loop: the rows of a triangle, eight pixels at a time. A file for each instruction set
// includes this and sets BSPI_DRAW to the name of the function.
#include "render/edge.h"
#include "render/mirror_lanes.h"
#include "render/shade_lanes.h"

// Translucent surfaces are drawn nearer by this factor, so that a decal does not flicker with its
// wall.
#define BLENDED_NEARER 1.00006F

// `first` and `end` are pixels of the row.
BSPI_LANES_TARGET static void draw_run(bspi_strip *strip, const bspi_triangle *t,
                                       const bspi_paint *paint, uint32_t y, int32_t first,
                                       int32_t end) {
    const i8 count = {0, 1, 2, 3, 4, 5, 6, 7};
    const i8 solid = i8_all((int32_t)0xFF000000u);
    size_t start = (size_t)(y - strip->first_row) * strip->stride;
    float down = (float)((int32_t)y - t->top);
    float nearer = paint->blended ? BLENDED_NEARER : 1;
    row r;
    for (int v = 0; v < BSPI_VALUES; v++) {
        r.at[v] = t->base[v] + t->dy[v] * down;
    }
    for (int32_t x = first & ~7; x < end; x += 8) {
        float *depth = strip->depth + start + x;
        uint32_t *pixels = strip->pixels + start + x;
        f8 from_left = i8_to_float(count + (x - t->left));
        f8 key = along(t, &r, BSPI_KEY, from_left) * f8_all(nearer);
        i8 lane = count + x;
        i8 seen = (key > f8_load(depth)) & (lane >= i8_all(first)) & (lane < i8_all(end));
        if (i8_bits(seen) == 0) {
            continue;
        }
        i8 before = i8_load(pixels);
        if (paint->sky) {
            f8_store(depth, f8_pick(seen, key, f8_load(depth)));
            i8_store(pixels, before & ~seen);
            continue;
        }
        if (paint->shine != NULL) {
            i8 amount = i8_all(0);
            if (paint->haze != NULL) {
                f8 w = 1 / along(t, &r, BSPI_OVER_W, from_left);
                amount = haze_amount(paint->haze, w, lane, y);
            }
            i8_store(pixels, mirror(t, paint, &r, from_left, &seen, amount, before));
            strip->drawn += bits8_count(i8_bits(seen));
            continue;
        }
        color8 c = shade(t, paint, &r, from_left, &seen);
        if (paint->haze != NULL) {
            f8 w = 1 / along(t, &r, BSPI_OVER_W, from_left);
            c = add_haze(paint, c, haze_amount(paint->haze, w, lane, y));
        }
        if (paint->blended) {
            c = blend(paint, c, color8_of(before));
        } else {
            f8_store(depth, f8_pick(seen, key, f8_load(depth)));
        }
        i8_store(pixels, i8_pick(seen, color8_pack(c) | solid, before));
        strip->drawn += bits8_count(i8_bits(seen));
    }
}

BSPI_LANES_TARGET void BSPI_DRAW(bspi_strip *strip, const bspi_triangle *t,
                                 const bspi_paint *paint) {
    uint32_t y = t->first_row > strip->first_row ? t->first_row : strip->first_row;
    uint32_t end_row = t->end_row < strip->end_row ? t->end_row : strip->end_row;
    edge edges[3];
    for (int i = 0; i < 3; i++) {
        start_edge(&edges[i], t, i, (i + 1) % 3, y);
    }
    for (; y < end_row; y++) {
        int64_t first = 0;
        int64_t end = strip->width;
        for (int i = 0; i < 3; i++) {
            cut_run(&edges[i], &first, &end);
            step_edge(&edges[i]);
        }
        if (first < end) {
            draw_run(strip, t, paint, y, (int32_t)first, (int32_t)end);
        }
    }
}
