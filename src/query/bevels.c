// SPDX-License-Identifier: MIT
// Bevels of a patch's facets: planes that keep a box from catching on the sharp edges of a facet.
// The choice and the order of the planes follow Quake 3's cm_patch.c.
#include "query/facets.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define NORMAL_EPSILON 0.0001 // planes that differ by less in each number are equal (cm_patch.c)
#define DIST_EPSILON 0.02
#define SHORT_EDGE 0.5f // an edge, or a cross product, too short to use
#define IN_FRONT 0.1    // a bevel with a point farther in front than this is not used

void bspi_facet_winding(const bspi_patch *patch, const bspi_facet *facet, bool skip_surface,
                        bspi_winding *w) {
    const float *surface = patch->planes[facet->surface];
    bspi_winding_base(w, surface, surface[3]);
    for (uint32_t i = 0; i < facet->num_borders && w->count != 0; i++) {
        if (skip_surface && facet->borders[i] == facet->surface) {
            continue;
        }
        const float *border = patch->planes[facet->borders[i]];
        float sign = facet->inward[i] ? 1.0f : -1.0f;
        float normal[3] = {sign * border[0], sign * border[1], sign * border[2]};
        bspi_winding_clip(w, normal, sign * border[3]);
    }
}

static bool near_plane(const float a[4], const float b[4], float sign) {
    for (int i = 0; i < 3; i++) {
        if (!(fabs((double)(a[i] - sign * b[i])) < NORMAL_EPSILON)) {
            return false;
        }
    }
    return fabs((double)(a[3] - sign * b[3])) < DIST_EPSILON;
}

// Returns true if two planes are equal, or one is the reverse of the other.
static bool same_plane(const float a[4], const float b[4], bool *flipped) {
    *flipped = false;
    if (near_plane(a, b, 1)) {
        return true;
    }
    *flipped = true;
    return near_plane(a, b, -1);
}

static int32_t intern_plane(bspi_patch *patch, const float plane[4], bool *flipped) {
    patch->work += patch->num_planes;
    for (uint32_t i = 0; i < patch->num_planes; i++) {
        if (same_plane(patch->planes[i], plane, flipped)) {
            return (int32_t)i;
        }
    }
    *flipped = false;
    if (patch->num_planes == BSPI_PATCH_PLANES) {
        patch->overflow = true;
        return 0;
    }
    memcpy(patch->planes[patch->num_planes], plane, sizeof patch->planes[0]);
    return (int32_t)patch->num_planes++;
}

// Returns true if the facet has that plane already, or has no room for another.
static bool has_plane(const bspi_patch *patch, const bspi_facet *facet, const float plane[4]) {
    bool flipped;
    if (same_plane(patch->planes[facet->surface], plane, &flipped)) {
        return true;
    }
    for (uint32_t i = 0; i < facet->num_borders; i++) {
        if (same_plane(patch->planes[facet->borders[i]], plane, &flipped)) {
            return true;
        }
    }
    return facet->num_borders >= BSPI_BORDERS;
}

static void put_border(bspi_patch *patch, bspi_facet *facet, const float plane[4]) {
    bool flipped;
    facet->borders[facet->num_borders] = intern_plane(patch, plane, &flipped);
    facet->inward[facet->num_borders] = flipped;
}

static void add_axial(bspi_patch *patch, bspi_facet *facet, float box[2][3]) {
    for (int axis = 0; axis < 3; axis++) {
        for (int dir = -1; dir <= 1; dir += 2) {
            float plane[4] = {0, 0, 0, 0};
            plane[axis] = (float)dir;
            plane[3] = dir == 1 ? box[1][axis] : -box[0][axis];
            if (!has_plane(patch, facet, plane)) {
                put_border(patch, facet, plane);
                facet->num_borders++;
            }
        }
    }
}

// Returns true if an edge's direction is an axis, within the epsilon.
static bool is_axial(const float v[3]) {
    for (int i = 0; i < 3; i++) {
        if (fabs((double)v[i] - 1) < NORMAL_EPSILON || fabs((double)v[i] + 1) < NORMAL_EPSILON) {
            return true;
        }
    }
    return false;
}

static bool all_behind(const bspi_winding *w, const float plane[4]) {
    for (uint32_t i = 0; i < w->count; i++) {
        const float *p = w->points[i];
        float d = p[0] * plane[0] + p[1] * plane[1] + p[2] * plane[2] - plane[3];
        if ((double)d > IN_FRONT) {
            return false;
        }
    }
    return true;
}

// Adds a bevel if a part of the facet is on its back side.
static void add_edge_bevel(bspi_patch *patch, bspi_facet *facet, const bspi_winding *w,
                           const float plane[4]) {
    put_border(patch, facet, plane);
    const float *border = patch->planes[facet->borders[facet->num_borders]];
    float sign = facet->inward[facet->num_borders] ? 1.0f : -1.0f;
    float normal[3] = {sign * border[0], sign * border[1], sign * border[2]};
    bspi_winding rest = *w;
    bspi_winding_clip(&rest, normal, sign * border[3]);
    if (rest.count != 0) {
        facet->num_borders++;
    }
}

static void add_edge(bspi_patch *patch, bspi_facet *facet, const bspi_winding *w, uint32_t edge) {
    const float *from = w->points[edge];
    const float *to = w->points[(edge + 1) % w->count];
    float along[3] = {from[0] - to[0], from[1] - to[1], from[2] - to[2]};
    if (bspi_query_normalize(along) < SHORT_EDGE || is_axial(along)) {
        return;
    }
    for (int axis = 0; axis < 3; axis++) {
        for (int dir = -1; dir <= 1; dir += 2) {
            float across[3] = {0, 0, 0};
            float plane[4];
            across[axis] = (float)dir;
            bspi_cross(along, across, plane);
            if (bspi_query_normalize(plane) < SHORT_EDGE) {
                continue;
            }
            plane[3] = from[0] * plane[0] + from[1] * plane[1] + from[2] * plane[2];
            if (all_behind(w, plane) && !has_plane(patch, facet, plane)) {
                add_edge_bevel(patch, facet, w, plane);
            }
        }
    }
}

void bspi_facet_bevels(bspi_patch *patch, bspi_facet *facet, float box[2][3]) {
    bspi_winding w;
    bspi_facet_winding(patch, facet, true, &w);
    if (w.count == 0) {
        return; // the box stays without this bevel
    }
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = BSPI_WINDING_SIZE;
        box[1][axis] = -BSPI_WINDING_SIZE;
    }
    bspi_winding_extend(&w, box);
    add_axial(patch, facet, box);
    for (uint32_t i = 0; i < w.count; i++) {
        add_edge(patch, facet, &w, i);
    }
    if (facet->num_borders < BSPI_BORDERS) {
        facet->borders[facet->num_borders] = facet->surface;
        facet->inward[facet->num_borders++] = true;
    }
}
