// SPDX-License-Identifier: MIT
// How light differs from that of a map.
#include "bake/light/drawn/drawn.h"

#include "core/curves.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef struct comparison {
    const bspi_relight *own;
    bsp_relight_difference *out;
    double stored; // sums
    double made;
} comparison;

// Returns what is shown of a channel, 0..255.
static float shown(const comparison *c, float value) {
    if (c->own->own_format == BSPI_RGBEXP32) {
        value = value > 0 ? 255 * bspi_power(value, 1 / 2.2f) : 0;
    }
    return value > 0 ? floorf(fminf(value, 255)) : 0;
}

static void compare_luxel(comparison *c, const float stored[3], const float made[3]) {
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float a = shown(c, stored[i]);
        float b = shown(c, made[i]);
        c->stored += (double)a / 3;
        c->made += (double)b / 3;
        most = fmaxf(most, fabsf(a - b));
    }
    c->out->steps[(uint32_t)most]++;
    c->out->num_luxels++;
}

static void compare_face(comparison *c, uint32_t number) {
    const bsp_relight_face *face = &c->own->relight.faces[number];
    bspi_luxels old;
    if (face->luxels == NULL || bspi_luxels_of(&c->own->source, number, &old) != BSPI_LIT ||
        old.width != face->width || old.height != face->height) {
        return;
    }
    uint32_t bytes = bspi_luxel_bytes(old.format);
    size_t each = (size_t)old.width * old.height;
    size_t run = each * ((size_t)old.blocks * bytes + old.alpha);
    for (size_t n = 0; n < each; n++) {
        float stored[3] = {0, 0, 0};
        float made[3] = {0, 0, 0};
        for (uint32_t s = 0; s < old.num_styles; s++) {
            float rgb[3];
            bspi_luxel_decode(old.format, old.data + run * s + n * bytes, 1, rgb);
            for (int i = 0; i < 3; i++) {
                stored[i] += rgb[i];
            }
        }
        for (uint32_t s = 0; s < face->num_styles; s++) {
            float rgb[3];
            memcpy(rgb, face->luxels[each * face->directions * s + n], sizeof rgb);
            bspi_luxel_as_stored(old.format, rgb);
            for (int i = 0; i < 3; i++) {
                made[i] += rgb[i];
            }
        }
        compare_luxel(c, stored, made);
    }
}

// Quake 3: luxels of pages that are on a surface.
static void compare_pages(comparison *c) {
    const bspi_drawn *drawn = c->own->drawn;
    for (uint32_t p = 0; p < drawn->num_pages; p++) {
        const bspi_drawn_page *page = &drawn->pages[p];
        for (size_t n = 0; n < (size_t)page->width * page->height; n++) {
            float stored[3];
            float made[3];
            for (size_t i = 0; i < 3; i++) {
                stored[i] = (float)page->before[3 * n + i];
                made[i] = (float)drawn->luxels[3 * (page->first + n) + i];
            }
            if (drawn->covered[page->first + n] != 0) {
                compare_luxel(c, stored, made);
            }
        }
    }
}

void bsp_relight_compare(const bsp_relight *relight, bsp_relight_difference *out) {
    assert(relight != NULL && out != NULL);
    comparison c = {.own = relight->owner, .out = out};
    memset(out, 0, sizeof *out);
    if (c.own->drawn != NULL) {
        compare_pages(&c);
    }
    for (uint32_t i = 0; c.own->drawn == NULL && i < relight->num_faces; i++) {
        compare_face(&c, i);
    }
    if (out->num_luxels != 0) {
        out->stored_mean = c.stored / (double)out->num_luxels;
        out->mean = c.made / (double)out->num_luxels;
    }
}
