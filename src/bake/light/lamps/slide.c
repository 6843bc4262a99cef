// SPDX-License-Identifier: MIT
// Pictures that lights throw. Facts: light/entities.cc and ltface.cc of ericw-tools.
#include "bake/light/lamps/slide.h"

#include "core/curves.h"
#include "core/vector.h"
#include "query/open_sky.h"

#include <math.h>
#include <string.h>

#define NEAREST 16.0f // units along the middle, within which nothing is thrown
#define TWICE 2.0f    // a pixel of 128 leaves light as it is, nearly

void bspi_slide_turn(bspi_lamp_slide *slide, const float origin[3], const float turns[3],
                     float degrees) {
    const float up[3] = {0, 0, 1};
    float side[3];
    float top[3];
    float half = bspi_radians(degrees / 2);
    float spread = bspi_sine(half) / bspi_cosine(half);
    float longer = (float)(slide->picture.width > slide->picture.height ? slide->picture.width
                                                                        : slide->picture.height);
    float wide = spread * (float)slide->picture.width / longer;
    float high = spread * (float)slide->picture.height / longer;
    memcpy(slide->origin, origin, sizeof slide->origin);
    bspi_light_look((double)turns[1], (double)turns[0], slide->forward);
    bspi_cross(slide->forward, up, side);
    if (!(bspi_normalize(side) > 1e-4f)) { // straight up or down
        side[0] = bspi_sine(bspi_radians(turns[0]));
        side[1] = -bspi_cosine(bspi_radians(turns[0]));
        side[2] = 0;
    }
    bspi_cross(side, slide->forward, top);
    float sine = bspi_sine(bspi_radians(turns[2]));
    float cosine = bspi_cosine(bspi_radians(turns[2]));
    for (int i = 0; i < 3; i++) {
        slide->across[i] = (cosine * side[i] - sine * top[i]) / wide;
        slide->up[i] = (cosine * top[i] + sine * side[i]) / high;
    }
}

static const uint8_t *pixel_at(const bspi_picture *picture, uint32_t x, uint32_t y) {
    return picture->pixels +
           4 * ((size_t)(y % picture->height) * picture->width + x % picture->width);
}

void bspi_slide_tint(const bspi_lamp_slide *slide, const float point[3], float through[3]) {
    float way[3];
    if (slide == NULL) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        way[i] = point[i] - slide->origin[i];
    }
    const bspi_picture *picture = &slide->picture;
    float ahead = bspi_dot(way, slide->forward);
    float s = ahead >= NEAREST ? (1 + bspi_dot(way, slide->across) / ahead) / 2 : 0;
    float t = ahead >= NEAREST ? (1 - bspi_dot(way, slide->up) / ahead) / 2 : 0;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) {
        memset(through, 0, 3 * sizeof *through);
        return;
    }
    s *= (float)(picture->width - 1);
    t *= (float)(picture->height - 1);
    uint32_t x = (uint32_t)s;
    uint32_t y = (uint32_t)t;
    s -= (float)x;
    t -= (float)y;
    for (int c = 0; c < 3; c++) {
        float top =
            (float)pixel_at(picture, x, y)[c] * (1 - s) + (float)pixel_at(picture, x + 1, y)[c] * s;
        float bottom = (float)pixel_at(picture, x, y + 1)[c] * (1 - s) +
                       (float)pixel_at(picture, x + 1, y + 1)[c] * s;
        through[c] *= TWICE * (top * (1 - t) + bottom * t) / 255;
    }
}
