// SPDX-License-Identifier: MIT
// The six sides of what is seen from a place. The engine draws a square of 90 degrees for each, and
// turns it so that it lies as graphics interfaces have cubes: the ways were read from pictures that
// an engine drew (gg-cstrike test_speakers), and are those of asset/image/cube.h.
#include "bake/cubemaps/cubemap_draw.h"

#include "mesh/shade.h"

#include <string.h>

#define MOST_DRAWN 1024u // pixels across, of the larger pictures
#define MOST_TIMES 4u
#define COLORS 3u
#define SAME 4u // of 255: rounding of two pictures

// Where the eye looks for each side, and how its picture is laid.
static const struct {
    float angles[3];
    bool turned;  // columns become rows
    bool flip[2]; // across, and down, of the picture
} views[BSP_CUBE_SIDES] = {
    {{0, 0, 0}, true, {false, false}},   {{0, 180, 0}, true, {true, true}},
    {{0, 90, 0}, false, {false, true}},  {{0, -90, 0}, false, {true, false}},
    {{-90, 0, 0}, true, {false, false}}, {{90, 0, 0}, true, {false, false}},
};

void bspi_cubemap_drawing_init(bspi_cubemap_drawing *drawing, const bsp_renderer *renderer,
                               const bsp_renderer *dimmed) {
    drawing->renderer = renderer;
    drawing->dimmed = dimmed;
    for (int i = 0; i < 256; i++) {
        double value = i / 255.0;
        drawing->linear[i] = (float)bspi_linear_of(value);
        drawing->linear_dimmed[i] = (float)bspi_linear_of(value * (double)BSPI_CUBEMAP_DIMMED);
    }
}

static uint8_t most_of(const uint8_t *p) {
    uint8_t most = p[0] > p[1] ? p[0] : p[1];
    return most > p[2] ? most : p[2];
}

// Adds a pixel. Where the dimmed picture is brighter than it would be if nothing had been cut off,
// it counts; where it is as bright, it has no light that could be dimmed.
static void add_pixel(const bspi_cubemap_drawing *drawing, const uint8_t *p, const uint8_t *dim,
                      float out[COLORS]) {
    bool cut = false;
    if (dim != NULL) {
        uint32_t bright = most_of(p);
        uint32_t dark = most_of(dim);
        cut = dark + SAME < bright && dark * (uint32_t)BSPI_CUBEMAP_DIMMED > bright + 2 * SAME;
    }
    for (uint32_t c = 0; c < COLORS; c++) {
        out[c] += dim == NULL ? (float)p[c]
                  : cut       ? drawing->linear_dimmed[dim[c]]
                              : drawing->linear[p[c]];
    }
}

// The pixel of the picture that is laid at a place of a side, both of `size` pixels.
static size_t laid_at(uint32_t face, uint32_t size, uint32_t x, uint32_t y) {
    uint32_t column = views[face].turned ? y : x;
    uint32_t row = views[face].turned ? x : y;
    column = views[face].flip[0] ? size - 1 - column : column;
    row = views[face].flip[1] ? size - 1 - row : row;
    return (size_t)row * size + column;
}

static void lay(const bspi_cubemap_drawing *drawing, uint32_t face, const bsp_image *picture,
                const bsp_image *dimmed, uint32_t side, float *out) {
    uint32_t times = picture->width / side;
    for (uint32_t i = 0; i < side * side; i++, out += COLORS) {
        out[0] = out[1] = out[2] = 0;
        for (uint32_t n = 0; n < times * times; n++) {
            size_t at = 4 * laid_at(face, picture->width, i % side * times + n % times,
                                    i / side * times + n / times);
            add_pixel(drawing, picture->pixels + at, dimmed == NULL ? NULL : dimmed->pixels + at,
                      out);
        }
        for (uint32_t c = 0; c < COLORS; c++) {
            out[c] /= (float)(times * times);
        }
    }
}

// Makes a square picture of MOST_TIMES * `side` pixels of one of any size.
static bool make_square(const bsp_image *from, uint32_t side, const bsp_allocator *allocator,
                        bsp_image *out, bsp_error *error) {
    static const uint8_t black[4] = {0, 0, 0, 255};
    uint32_t size = side * MOST_TIMES;
    if (!bsp_image_fill(size, size, black, allocator, out, error)) {
        return false;
    }
    for (size_t i = 0; i < (size_t)size * size; i++) {
        size_t x = i % size * from->width / size;
        size_t y = i / size * from->height / size;
        memcpy(out->pixels + 4 * i, from->pixels + 4 * (y * from->width + x), 4);
    }
    return true;
}

bool bspi_cubemap_sky(const bsp_sky *sky, bool linear, uint32_t side,
                      const bsp_allocator *allocator, float *out, bsp_error *error) {
    bspi_cubemap_drawing drawing;
    bspi_cubemap_drawing_init(&drawing, NULL, NULL);
    for (uint32_t face = 0; face < BSP_CUBE_SIDES; face++) {
        bsp_image picture;
        if (!make_square(&sky->sides[face], side, allocator, &picture, error)) {
            return false;
        }
        lay(&drawing, face, &picture, linear ? &picture : NULL, side,
            out + (size_t)face * side * side * COLORS);
        bsp_image_free(&picture);
    }
    return true;
}

bool bspi_cubemap_draw(const bspi_cubemap_drawing *drawing, const float from[3], uint32_t side,
                       float *out, bsp_error *error) {
    const bsp_draw_options options = {.threads = 1};
    uint32_t times = MOST_TIMES;
    while (times > 1 && side * times > MOST_DRAWN) {
        times /= 2;
    }
    bool done = true;
    for (uint32_t face = 0; done && face < BSP_CUBE_SIDES; face++) {
        bsp_image picture = {0};
        bsp_image dimmed = {0};
        bsp_view view = {.width = side * times, .height = side * times, .fov = 90};
        for (int i = 0; i < 3; i++) {
            view.from[i] = from[i];
            view.angles[i] = views[face].angles[i];
        }
        done = bsp_renderer_draw(drawing->renderer, &view, &options, &picture, NULL, error) &&
               (drawing->dimmed == NULL ||
                bsp_renderer_draw(drawing->dimmed, &view, &options, &dimmed, NULL, error));
        if (done) {
            lay(drawing, face, &picture, drawing->dimmed == NULL ? NULL : &dimmed, side,
                out + (size_t)face * side * side * COLORS);
        }
        bsp_image_free(&picture);
        bsp_image_free(&dimmed);
    }
    return done;
}
