// SPDX-License-Identifier: MIT
// Brushes made from one polygon, and default looks.
#include "decompile/source/steps.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST_CORNERS 64

static bool normalize(double v[3]) {
    double length = sqrt(bspi_vec_dot(v, v));
    if (!(length > 0) || !isfinite(length)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        v[i] /= length;
    }
    return true;
}

// Computes Newell's normal, that of the plane which fits all corners best.
static bool normal_of(const double (*polygon)[3], uint32_t count, double normal[3]) {
    memset(normal, 0, 3 * sizeof *normal);
    for (uint32_t i = 0; i < count; i++) {
        const double *a = polygon[i];
        const double *b = polygon[(i + 1) % count];
        for (int axis = 0; axis < 3; axis++) {
            int u = (axis + 1) % 3;
            int v = (axis + 2) % 3;
            normal[axis] += (a[u] - b[u]) * (a[v] + b[v]);
        }
    }
    return normalize(normal);
}

void bspi_plain_look(bspi_look *look, const char *material, const double normal[3]) {
    memset(look, 0, sizeof *look);
    look->source = BSPI_LOOK_GUESS;
    look->material = bsp_text_of(material);
    look->lightmap_scale = BSPI_EDITOR_LUXEL;
    look->face = BSP_NONE;
    bspi_look_default(look, normal, BSPI_EDITOR_SCALE);
}

static bool add_side(bspi_work *w, const double (*polygon)[3], uint32_t count,
                     const double normal[3], const bspi_look *look) {
    bsp_mapdoc_side *side = bspi_build_side(&w->out);
    if (side == NULL) {
        return false;
    }
    double middle[3] = {0, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            middle[axis] += polygon[i][axis] / count;
        }
    }
    bspi_side_plane(side, normal, bspi_vec_dot(normal, middle), polygon, count);
    bspi_look own = *look;
    if (look->source == BSPI_LOOK_GUESS) {
        bspi_plain_look(&own, "", normal);
        own.material = look->material;
        w->report->sides_guessed++;
    } else {
        w->report->sides_faced++;
    }
    own.material = bspi_written_material(w, &own);
    w->report->sides++;
    bspi_side_look(side, &own, NULL);
    return own.material.data != NULL;
}

static bool add_walls(bspi_work *w, const double (*top)[3], const double (*bottom)[3],
                      uint32_t count, const double normal[3], const bspi_look *look) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = (i + 1) % count;
        double wall[4][3];
        memcpy(wall[0], top[next], sizeof wall[0]);
        memcpy(wall[1], top[i], sizeof wall[1]);
        memcpy(wall[2], bottom[i], sizeof wall[2]);
        memcpy(wall[3], bottom[next], sizeof wall[3]);
        double along[3];
        double out[3];
        for (int axis = 0; axis < 3; axis++) {
            along[axis] = top[next][axis] - top[i][axis];
        }
        bspi_vec_cross(along, normal, out);
        if (normalize(out) && !add_side(w, (const double(*)[3])wall, 4, out, look)) {
            return false;
        }
    }
    return true;
}

bool bspi_build_prism(bspi_work *w, uint32_t entity, const double (*polygon)[3], uint32_t count,
                      double depth, const bspi_look *top, const bspi_look *rest, uint32_t *made) {
    double normal[3];
    double bottom[MOST_CORNERS][3];
    double turned[MOST_CORNERS][3];
    *made = BSP_NONE;
    if (bspi_is_left_out(&w->out, entity)) {
        return true;
    }
    if (count < 3 || count > MOST_CORNERS || !normal_of(polygon, count, normal)) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 3; axis++) {
            bottom[i][axis] = polygon[i][axis] - depth * normal[axis];
        }
        memcpy(turned[count - 1 - i], bottom[i], sizeof turned[0]);
    }
    const double down[3] = {-normal[0], -normal[1], -normal[2]};
    if (bspi_build_brush(&w->out, entity) == NULL || !add_side(w, polygon, count, normal, top) ||
        !add_side(w, (const double(*)[3])turned, count, down, rest) ||
        !add_walls(w, polygon, (const double(*)[3])bottom, count, normal, rest)) {
        return false;
    }
    *made = w->out.brushes.count - 1;
    w->report->brushes_out++;
    return true;
}
