// SPDX-License-Identifier: MIT
#include "support/same_light.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define SLOTS 4u
#define TEXEL 3u        // bytes
#define NEAR 1e-3       // luxels: coordinates are rounded on other pages
#define EDGE (1 / 64.0) // luxels: so little of one beside the face is not seen

static bool has_light(const bsp_map *map, uint32_t face, uint32_t slot) {
    size_t bytes = (size_t)map->traits->light_page * map->traits->light_page * TEXEL;
    const bsp_face_light *light = &map->face_lights[face];
    return map->faces[face].num_verts != 0 && light->styles[slot] != BSP_NO_STYLE &&
           light->page[slot] >= 0 && (size_t)light->page[slot] < map->light.size / bytes;
}

static double place_of(const bsp_map *map, uint32_t vert, uint32_t slot, int axis) {
    return (double)map->draw_verts[vert].light_uv[slot][axis] * map->traits->light_page - 0.5;
}

static const uint8_t *luxels_at(const bsp_map *map, int32_t page, int x, int y) {
    size_t side = map->traits->light_page;
    return map->light.data + (((size_t)page * side + (size_t)y) * side + (size_t)x) * TEXEL;
}

// The face lies elsewhere on its page, and is not turned or stretched.
static uint64_t compare_luxels(const char *name, const bsp_map *a, const bsp_map *b, uint32_t face,
                               uint32_t slot) {
    const bsp_face *f = &a->faces[face];
    const bsp_face_light *before = &a->face_lights[face];
    const bsp_face_light *after = &b->face_lights[face];
    int low[2];
    int high[2];
    int by[2];
    for (int axis = 0; axis < 2; axis++) {
        double least = INFINITY;
        double most = -INFINITY;
        by[axis] = (int)lround(place_of(b, f->first_vert, slot, axis) -
                               place_of(a, f->first_vert, slot, axis));
        for (uint32_t v = f->first_vert; v < f->first_vert + f->num_verts; v++) {
            double at = place_of(a, v, slot, axis);
            if (!(fabs(place_of(b, v, slot, axis) - at - by[axis]) < NEAR)) {
                fail_msg("%s: face %u is bent on its page at vertex %u", name, face, v);
            }
            least = fmin(least, at);
            most = fmax(most, at);
        }
        low[axis] = (int)floor(least + EDGE);
        high[axis] = (int)ceil(most - EDGE);
    }
    if (after->x[slot] - before->x[slot] != by[0] || after->y[slot] - before->y[slot] != by[1]) {
        fail_msg("%s: face %u is not where it says", name, face);
    }
    size_t width = (size_t)(high[0] - low[0] + 1) * TEXEL;
    for (int y = low[1]; y <= high[1]; y++) {
        if (memcmp(luxels_at(a, before->page[slot], low[0], y),
                   luxels_at(b, after->page[slot], low[0] + by[0], y + by[1]), width) != 0) {
            fail_msg("%s: face %u has other light", name, face);
        }
    }
    return (uint64_t)(width / TEXEL) * (uint64_t)(high[1] - low[1] + 1);
}

uint64_t compare_light(const char *name, const bsp_map *want, const bsp_map *got, bool whole) {
    uint64_t luxels = 0;
    assert_int_equal(want->num_draw_verts, got->num_draw_verts);
    assert_int_equal(want->num_faces, got->num_faces);
    assert_int_equal(want->num_face_lights, got->num_face_lights);
    for (uint32_t v = 0; v < want->num_draw_verts; v++) {
        bsp_draw_vert vert = got->draw_verts[v];
        memcpy(vert.light_uv, want->draw_verts[v].light_uv, sizeof vert.light_uv);
        if (!whole) {
            memcpy(vert.color + 1, want->draw_verts[v].color + 1, sizeof vert.color - 4);
        }
        if (memcmp(&vert, &want->draw_verts[v], sizeof vert) != 0) {
            fail_msg("%s to %s: vertex %u is another", name, got->branch->name, v);
        }
    }
    for (uint32_t f = 0; f < want->num_face_lights; f++) {
        const bsp_face_light *before = &want->face_lights[f];
        bsp_face_light light = got->face_lights[f];
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            bool lit = has_light(got, f, slot);
            if (lit) {
                assert_true(has_light(want, f, slot));
                luxels += compare_luxels(name, want, got, f, slot);
            } else if (whole && has_light(want, f, slot)) {
                fail_msg("%s: face %u lost its light", name, f);
            }
            if (lit || (!whole && (slot != 0 || has_light(want, f, slot)))) {
                light.page[slot] = before->page[slot];
                light.x[slot] = before->x[slot];
                light.y[slot] = before->y[slot];
            }
            if (!whole && slot != 0) {
                light.styles[slot] = before->styles[slot];
                light.vertex_styles[slot] = before->vertex_styles[slot];
            }
        }
        if (memcmp(&light, before, sizeof light) != 0 ||
            memcmp(&got->faces[f], &want->faces[f], sizeof *got->faces) != 0) {
            fail_msg("%s to %s: face %u is another", name, got->branch->name, f);
        }
    }
    return luxels;
}
