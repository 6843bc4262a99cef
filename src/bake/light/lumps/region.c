// SPDX-License-Identifier: MIT
// What an edit in a box changes in the light: lamps and surfaces in it shine on, and shade, what
// may see them. What is farther by way of other surfaces is left as it is.
#include "bake/light/drawn/drawn.h"
#include "bake/light/faces/smooth.h"
#include "bake/light/gather/blend.h"
#include "bake/light/gather/model_light.h"
#include "bake/light/lumps/drawn_light.h"
#include "bake/light/lumps/region.h"
#include "bake/light/places/cells.h"

#include "bspkit/faces.h"
#include "core/bits.h"

#include <string.h>

#define BEYOND 3u        // faces, one after another, that luxels beyond an edge may be measured on
#define FAR 255u         // no such face
#define MOST_CORNERS 64u // of a face that is looked at closely

typedef struct region {
    bspi_relight *own;
    const float (*box)[3];
    uint8_t *sees;   // clusters that may see into the box
    uint8_t *row;    // scratch
    bool everywhere; // the map does not tell
} region;

static bool overlaps(const region *r, const float mins[3], const float maxs[3]) {
    bool overlaps_all = true;
    for (int i = 0; i < 3; i++) {
        overlaps_all = overlaps_all && mins[i] <= r->box[1][i] && maxs[i] >= r->box[0][i];
    }
    return overlaps_all;
}

// Adds a cluster, and those that it may see, to a row.
static bool add_cluster(region *r, uint32_t cluster, uint8_t *to, bsp_error *error) {
    uint32_t bytes = r->own->map->visibility.row_bytes;
    bsp_map_visible(r->own->map, cluster, false, r->row);
    for (uint32_t b = 0; b < bytes; b++) {
        to[b] |= r->row[b];
    }
    bspi_bit_set(to, cluster);
    return bspi_heap_work(&r->own->heap, 1 + bytes / 8, error);
}

static bool find_clusters(region *r, bsp_error *error) {
    const bsp_map *map = r->own->map;
    bool done = true;
    r->everywhere = map->visibility.num_clusters == 0;
    for (uint32_t i = 0; done && !r->everywhere && i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        bool inside =
            leaf->cluster < map->visibility.num_clusters && overlaps(r, leaf->mins, leaf->maxs);
        done = !inside || add_cluster(r, leaf->cluster, r->sees, error);
    }
    return done;
}

// Has a leaf a face that is made anew?
static bool has_anew(const bspi_relight *own, const bsp_leaf *leaf) {
    bool anew = false;
    for (uint32_t k = 0; !anew && k < leaf->num_faces; k++) {
        uint32_t at = leaf->first_face + k;
        uint32_t face = at < own->map->num_leaf_faces ? own->map->leaf_faces[at] : BSP_NONE;
        anew = face < own->map->num_faces && !own->kept[face];
    }
    return anew;
}

// Ambient cubes take light from faces: what sees one that is made anew is other light.
static bool find_far(region *r, bsp_error *error) {
    bspi_relight *own = r->own;
    const bsp_map *map = own->map;
    size_t bytes = (size_t)map->visibility.row_bytes + 1;
    own->region_far = bspi_arena_zero(&own->arena, bytes, 1, error);
    bool done = own->region_far != NULL;
    for (uint32_t i = 0; done && i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        bool lit = leaf->cluster < map->visibility.num_clusters &&
                   (bspi_bit_is(r->sees, leaf->cluster) || has_anew(own, leaf));
        done = bspi_heap_work(&own->heap, 1 + leaf->num_faces / 4, error) &&
               (!lit || add_cluster(r, leaf->cluster, own->region_far, error));
    }
    return done;
}

static bool is_seen(const region *r, uint32_t cluster) {
    return cluster >= r->own->map->visibility.num_clusters || bspi_bit_is(r->sees, cluster);
}

// May a point before a face see into the box? One in solid sees nothing.
static bool is_open(const region *r, const float point[3], const float normal[3]) {
    float before[3];
    for (int k = 0; k < 3; k++) {
        before[k] = point[k] + normal[k];
    }
    uint32_t leaf = bsp_trace_leaf(r->own->index, before);
    uint32_t cluster =
        leaf < r->own->map->num_leaves ? r->own->map->leaves[leaf].cluster : BSP_NONE;
    return cluster < r->own->map->visibility.num_clusters && is_seen(r, cluster);
}

// Luxels of a brush model may take the light of its middle (model_light.h), or of a place beside
// it.
static bool sees_middle(const region *r, uint32_t model) {
    static const float nowhere[3] = {0, 0, 0};
    bool open = false;
    for (int i = 0; i < BSPI_PLACES_BESIDE && model != 0 && !open; i++) {
        float at[3];
        bspi_place_beside(r->own->models[model].middle, i, at);
        open = is_open(r, at, nowhere);
    }
    return open;
}

// The vertices of a surface of Quake 3, of which patches and meshes are made as well. Returns how
// many there are, and no corners where these are too many.
static uint32_t find_vertices(const bspi_relight *own, uint32_t number,
                              bsp_surface_corner corners[MOST_CORNERS]) {
    const bsp_map *map = own->map;
    const bsp_face *face = &map->faces[number];
    if ((uint64_t)face->first_vert + face->num_verts > map->num_draw_verts) {
        return 0;
    }
    for (uint32_t n = 0; n < face->num_verts && face->num_verts <= MOST_CORNERS; n++) {
        const bsp_draw_vert *vertex = &map->draw_verts[face->first_vert + n];
        memcpy(corners[n].point, vertex->point, sizeof vertex->point);
        memcpy(corners[n].normal, vertex->normal, sizeof vertex->normal);
    }
    return face->num_verts;
}

// Faces of brush models and displacements see from their corners and their middle; those of the
// world are where leaves list them.
static bool is_touched(const region *r, uint32_t face) {
    const bspi_relight *own = r->own;
    const float *origin = own->models[own->face_models[face]].origin;
    bool apart = own->face_models[face] != 0 || own->map->faces[face].displacement != BSP_NONE;
    bsp_surface_corner corners[MOST_CORNERS];
    float mins[3];
    float maxs[3];
    float middle[3];
    uint32_t count = own->drawn != NULL
                         ? find_vertices(own, face, corners)
                         : bsp_surface_corners(own->map, face, corners, MOST_CORNERS);
    bool open = false;
    if (count == 0 || count > MOST_CORNERS) {
        return true;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            corners[i].point[k] += origin[k];
            float at = corners[i].point[k];
            mins[k] = i == 0 || at < mins[k] ? at : mins[k];
            maxs[k] = i == 0 || at > maxs[k] ? at : maxs[k];
            middle[k] = (mins[k] + maxs[k]) / 2;
        }
        open = open || (apart && is_open(r, corners[i].point, corners[i].normal));
    }
    return overlaps(r, mins, maxs) || open || sees_middle(r, own->face_models[face]) ||
           (apart && is_open(r, middle, corners[0].normal));
}

static bool find_faces(region *r, bsp_error *error) {
    bspi_relight *own = r->own;
    const bsp_map *map = own->map;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        own->kept[f] = !is_touched(r, f);
    }
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        bool seen = leaf->cluster < map->visibility.num_clusters && is_seen(r, leaf->cluster);
        for (uint32_t k = 0; seen && k < leaf->num_faces; k++) {
            uint32_t at = leaf->first_face + k;
            uint32_t face = at < map->num_leaf_faces ? map->leaf_faces[at] : BSP_NONE;
            if (face < map->num_faces) {
                own->kept[face] = false;
            }
        }
        if (!bspi_heap_work(&own->heap, 1 + leaf->num_faces / 4, error)) {
            return false;
        }
    }
    return true;
}

// Luxels beyond an edge of a face are measured on the faces there.
static bool spread(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    uint8_t *steps = bspi_heap_alloc(&own->heap, map->num_faces, error);
    for (uint32_t f = 0; steps != NULL && f < map->num_faces; f++) {
        steps[f] = own->kept[f] ? FAR : 0;
    }
    for (uint32_t step = 1; steps != NULL && step <= BEYOND; step++) {
        for (uint32_t f = 0; f < map->num_faces; f++) {
            for (uint32_t i = 0; steps[f] == FAR && i < map->faces[f].num_edges; i++) {
                uint32_t across = bspi_smooth_across(own, f, i);
                steps[f] = across != BSP_NONE && steps[across] == step - 1 ? (uint8_t)step : FAR;
            }
        }
    }
    for (uint32_t f = 0; steps != NULL && f < map->num_faces; f++) {
        own->kept[f] = steps[f] == FAR;
    }
    bspi_heap_free(&own->heap, steps, map->num_faces);
    return steps != NULL &&
           bspi_heap_work(&own->heap, (uint64_t)BEYOND * map->num_surfedges, error);
}

// Source: luxels mix the cells of faces beside theirs. So faces beside those that are made anew are
// made anew too, and the cells around these must be measured.
static bool spread_cells(bspi_relight *own, bsp_error *error) {
    uint32_t faces = own->map->num_faces;
    uint32_t around[BSPI_BLEND_AROUND];
    bool *before = bspi_heap_alloc(&own->heap, (size_t)faces + 1, error);
    own->beside = bspi_arena_zero(&own->arena, (size_t)faces + 1, sizeof *own->beside, error);
    bool done = before != NULL && own->beside != NULL;
    if (done) {
        memcpy(before, own->kept, faces);
    }
    for (uint32_t f = 0; done && f < faces; f++) {
        uint32_t count = before[f] ? bspi_cells_around(own, f, around, BSPI_BLEND_AROUND) : 0;
        for (uint32_t i = 0; i < count; i++) {
            own->kept[f] = own->kept[f] && before[around[i]];
        }
    }
    for (uint32_t f = 0; done && f < faces; f++) {
        uint32_t count = own->kept[f] ? 0 : bspi_cells_around(own, f, around, BSPI_BLEND_AROUND);
        for (uint32_t i = 0; i < count; i++) {
            own->beside[around[i]] = true;
        }
    }
    bspi_heap_free(&own->heap, before, (size_t)faces + 1);
    return done;
}

bool bspi_region_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    region r = {.own = own, .box = own->options->region};
    if (r.box == NULL) {
        return true;
    }
    size_t bytes = (size_t)map->visibility.row_bytes + 1;
    r.sees = bspi_arena_zero(&own->arena, bytes, 1, error);
    r.row = bspi_arena_zero(&own->arena, bytes, 1, error);
    if (r.sees == NULL || r.row == NULL || !find_clusters(&r, error)) {
        return false;
    }
    if (r.everywhere) {
        return true;
    }
    own->kept = bspi_arena_zero(&own->arena, (size_t)map->num_faces + 1, sizeof(bool), error);
    own->region_row = r.sees;
    return own->kept != NULL && find_faces(&r, error) &&
           (own->smooth.starts == NULL || spread(own, error)) &&
           (!own->scale.cells || spread_cells(own, error)) &&
           (own->own_format != BSPI_RGBEXP32 || find_far(&r, error)) &&
           (own->drawn == NULL || bspi_drawn_region(own, error));
}

static bool is_in(const bspi_relight *own, uint32_t cluster, const uint8_t *row) {
    return own->kept == NULL || cluster >= own->map->visibility.num_clusters ||
           bspi_bit_is(row, cluster);
}

bool bspi_region_sees(const bspi_relight *own, uint32_t cluster) {
    return is_in(own, cluster, own->region_row);
}

bool bspi_region_sees_light(const bspi_relight *own, uint32_t cluster) {
    return is_in(own, cluster, own->region_far);
}

// --- what stays ---------------------------------------------------------------------------------

static bool restore(bspi_relight *own, uint32_t number, bsp_error *error) {
    bsp_relight_face *face = &own->faces[number];
    bspi_luxels old;
    size_t made = (size_t)face->width * face->height * face->directions * own->most_styles;
    bspi_heap_free(&own->heap, (void *)(uintptr_t)face->luxels, made * sizeof *face->luxels);
    memset(face, 0, sizeof *face);
    memset(face->styles, BSP_NO_STYLE, sizeof face->styles);
    if (bspi_luxels_of(&own->source, number, &old) != BSPI_LIT ||
        old.num_styles > own->most_styles) {
        return true;
    }
    size_t run = (size_t)old.width * old.height * old.blocks;
    uint32_t bytes = bspi_luxel_bytes(old.format);
    size_t stride = run * bytes + (size_t)old.width * old.height * old.alpha;
    float(*luxels)[3] = bspi_heap_alloc(&own->heap, run * own->most_styles * sizeof *luxels, error);
    if (luxels == NULL) {
        return false;
    }
    face->luxels = (const float(*)[3])luxels;
    face->width = old.width;
    face->height = old.height;
    face->directions = old.blocks;
    face->num_styles = old.num_styles;
    for (uint32_t s = 0; s < old.num_styles; s++) {
        face->styles[s] = (uint8_t)old.styles[s];
        for (size_t n = 0; n < run; n++) {
            bspi_luxel_decode(old.format, old.data + stride * s + n * bytes, 1,
                              luxels[run * s + n]);
        }
    }
    return bspi_heap_work(&own->heap, run * old.num_styles, error);
}

bool bspi_region_restore(bspi_relight *own, bsp_error *error) {
    bool done = true; // pages keep what is not made anew
    for (uint32_t i = 0; done && own->kept != NULL && own->drawn == NULL && i < own->map->num_faces;
         i++) {
        done = !own->kept[i] || restore(own, i, error);
    }
    return done;
}
