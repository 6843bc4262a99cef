// SPDX-License-Identifier: MIT
// Faces by their plane and look. Those of a plane are sorted along a space-filling curve, so that
// neighbours in the list are near each other: ranges have boxes, by which a search excludes them.
// Assumes a loaded map.
#include "decompile/tree/faces.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CURVE_BITS 21u // of each coordinate along the curve

// --- equal planes and texinfos -------------------------------------------------------------------

typedef struct plane_key {
    float key[4]; // reversed if needed, so that the first non-zero component is positive
    uint32_t tag;
} plane_key;

static int compare_floats(const float *a, const float *b, int count) {
    for (int i = 0; i < count; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_planes(const void *left, const void *right) {
    const plane_key *a = left;
    const plane_key *b = right;
    int order = compare_floats(a->key, b->key, 4);
    return order != 0 ? order : a->tag < b->tag ? -1 : a->tag > b->tag;
}

static plane_key key_of(const bsp_plane *plane, uint32_t number) {
    const float *n = plane->normal;
    bool turned = n[0] < 0 || (n[0] == 0 && (n[1] < 0 || (n[1] == 0 && n[2] < 0)));
    float sign = turned ? -1.0f : 1.0f;
    return (plane_key){
        {sign * n[0] + 0.0f, sign * n[1] + 0.0f, sign * n[2] + 0.0f, sign * plane->dist + 0.0f},
        2 * number + turned};
}

// Planes with the same distance are in one of as many lists as there are planes; a list is short.
static uint32_t list_of(const plane_key *key, uint32_t lists) {
    uint32_t bits;
    memcpy(&bits, &key->key[3], sizeof bits);
    return (uint32_t)((uint64_t)(bits * 2654435761u) * lists >> 32);
}

// Sorts the keys of planes by their list, then equal ones together. `ends` has one more than
// planes.
static void sort_keys(plane_key *sorted, uint32_t *ends, const plane_key *keys, uint32_t count) {
    memset(ends, 0, ((size_t)count + 1) * sizeof *ends);
    for (uint32_t i = 0; i < count; i++) {
        ends[list_of(&keys[i], count) + 1]++;
    }
    for (uint32_t i = 0; i < count; i++) {
        ends[i + 1] += ends[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        sorted[ends[list_of(&keys[i], count)]++] = keys[i];
    }
    for (uint32_t i = 0, first = 0; i < count; first = ends[i++]) {
        if (ends[i] - first > 1) {
            qsort(sorted + first, ends[i] - first, sizeof *sorted, compare_planes);
        }
    }
}

// Gives for each plane the tag of the first plane that is equal to it.
static bool find_equal_planes(bspi_tree_faces *faces, bspi_heap *heap, bsp_error *error) {
    const bsp_map *map = faces->map;
    uint32_t count = map->num_planes;
    size_t ends_size = ((size_t)count + 1) * sizeof(uint32_t);
    plane_key *keys = bspi_heap_alloc(heap, 2 * (size_t)count * sizeof *keys, error);
    uint32_t *ends = bspi_heap_alloc(heap, ends_size, error);
    bool good = keys != NULL && ends != NULL;
    plane_key *sorted = good ? keys + count : NULL;
    for (uint32_t i = 0; good && i < count; i++) {
        keys[i] = key_of(&map->planes[i], i);
    }
    if (good) {
        sort_keys(sorted, ends, keys, count);
    }
    uint32_t first = 0;
    for (uint32_t i = 0; good && i < count; i++) {
        first = compare_floats(sorted[first].key, sorted[i].key, 4) == 0 ? first : i;
        uint32_t turned = (sorted[i].tag ^ sorted[first].tag) & 1;
        faces->same[sorted[i].tag / 2] = (sorted[first].tag & ~1u) | turned;
    }
    bspi_heap_free(heap, keys, 2 * (size_t)count * sizeof *keys);
    bspi_heap_free(heap, ends, ends_size);
    return good;
}

typedef struct look_key {
    float vec[8];
    uint32_t material;
    uint32_t number;
} look_key;

static int compare_looks(const void *left, const void *right) {
    const look_key *a = left;
    const look_key *b = right;
    if (a->material != b->material) {
        return a->material < b->material ? -1 : 1;
    }
    int order = compare_floats(a->vec, b->vec, 8);
    return order != 0 ? order : a->number < b->number ? -1 : a->number > b->number;
}

static bool find_equal_looks(bspi_tree_faces *faces, bspi_heap *heap, bsp_error *error) {
    const bsp_map *map = faces->map;
    look_key *keys = bspi_heap_alloc(heap, map->num_texinfos * sizeof *keys, error);
    if (keys == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_texinfos; i++) {
        memcpy(keys[i].vec, map->texinfos[i].texture, sizeof keys[i].vec);
        keys[i].material = map->texinfos[i].material;
        keys[i].number = i;
    }
    if (map->num_texinfos != 0) {
        qsort(keys, map->num_texinfos, sizeof *keys, compare_looks);
    }
    uint32_t first = 0;
    for (uint32_t i = 0; i < map->num_texinfos; i++) {
        bool same = keys[first].material == keys[i].material &&
                    compare_floats(keys[first].vec, keys[i].vec, 8) == 0;
        first = same ? first : i;
        faces->kinds[keys[i].number] = keys[first].number;
    }
    bspi_heap_free(heap, keys, map->num_texinfos * sizeof *keys);
    return true;
}

// --- the faces of a model -----------------------------------------------------------------------

bool bspi_tree_faces_begin(bspi_tree_faces *faces, bspi_carver *carver, const bsp_map *map,
                           bspi_arena *arena, bsp_error *error) {
    memset(faces, 0, sizeof *faces);
    faces->carver = carver;
    faces->map = map;
    faces->same = bspi_arena_raw(arena, map->num_planes, sizeof *faces->same, error);
    faces->kinds = bspi_arena_raw(arena, map->num_texinfos, sizeof *faces->kinds, error);
    faces->faces = bspi_arena_raw(arena, map->num_faces, sizeof *faces->faces, error);
    faces->parts = bspi_arena_raw(arena, map->num_faces, sizeof *faces->parts, error);
    faces->ranges = bspi_arena_zero(arena, map->num_planes, 2 * sizeof *faces->ranges, error);
    faces->taken = bspi_arena_zero(arena, map->num_faces, sizeof *faces->taken, error);
    faces->overlaps = bspi_arena_raw(arena, BSPI_TREE_OVERLAPS, sizeof *faces->overlaps, error);
    if (faces->same == NULL || faces->kinds == NULL || faces->faces == NULL ||
        faces->parts == NULL || faces->ranges == NULL || faces->taken == NULL ||
        faces->overlaps == NULL) {
        return false;
    }
    return find_equal_planes(faces, arena->heap, error) &&
           find_equal_looks(faces, arena->heap, error);
}

static bool box_of(const bspi_tree_faces *faces, uint32_t face, bspi_tree_box *box) {
    const bsp_face *record = &faces->map->faces[face];
    uint32_t corners = 0;
    for (uint32_t e = 0; e < record->num_edges; e++) {
        const float *point = bsp_surfedge_point(faces->map, record->first_edge + e);
        for (int a = 0; point != NULL && a < 3; a++) {
            box->mins[a] = corners == 0 || point[a] < box->mins[a] ? point[a] : box->mins[a];
            box->maxs[a] = corners == 0 || point[a] > box->maxs[a] ? point[a] : box->maxs[a];
        }
        corners += point != NULL;
    }
    bool sound = true; // false for values that are not finite or out of range
    for (int a = 0; corners != 0 && a < 3; a++) {
        sound = sound && isfinite(box->mins[a]) && isfinite(box->maxs[a]);
    }
    return sound && corners >= 3;
}

static int compare_faces(const void *left, const void *right) {
    const bspi_tree_face *a = left;
    const bspi_tree_face *b = right;
    if (a->tag != b->tag) {
        return a->tag < b->tag ? -1 : 1;
    }
    if (a->place != b->place) {
        return a->place < b->place ? -1 : 1;
    }
    return a->face < b->face ? -1 : a->face > b->face;
}

static void widen(bspi_tree_box *box, const bspi_tree_box *by) {
    for (int a = 0; a < 3; a++) {
        box->mins[a] = by->mins[a] < box->mins[a] ? by->mins[a] : box->mins[a];
        box->maxs[a] = by->maxs[a] > box->maxs[a] ? by->maxs[a] : box->maxs[a];
    }
}

// Puts two zero bits after each of CURVE_BITS bits: halves move apart, then quarters, and so on.
static uint64_t spread(uint64_t bits) {
    bits = (bits | bits << 32) & 0x001F00000000FFFF;
    bits = (bits | bits << 16) & 0x001F0000FF0000FF;
    bits = (bits | bits << 8) & 0x100F00F00F00F00F;
    bits = (bits | bits << 4) & 0x10C30C30C30C30C3;
    return (bits | bits << 2) & 0x1249249249249249;
}

// Computes the place of a face's centre along the curve, by interleaving the bits of its
// coordinates.
static void place_faces(bspi_tree_faces *faces) {
    bspi_tree_box all = faces->faces[0].box;
    for (uint32_t i = 1; i < faces->num_faces; i++) {
        widen(&all, &faces->faces[i].box);
    }
    for (uint32_t i = 0; i < faces->num_faces; i++) {
        bspi_tree_face *entry = &faces->faces[i];
        entry->place = 0;
        for (uint32_t a = 0; a < 3; a++) {
            double low = (double)all.mins[a];
            double middle = ((double)entry->box.mins[a] + (double)entry->box.maxs[a]) / 2;
            double part = (middle - low) / ((double)all.maxs[a] - low);
            bool inside = part > 0 && part < 1; // false for NaN
            uint64_t step = inside ? (uint64_t)(part * (1u << CURVE_BITS)) : 0;
            entry->place |= spread(step) << a;
        }
    }
}

// Fills the box of a range of faces, named by the face in its middle, from the ranges of its two
// halves, which are filled before.
static bspi_tree_part fill_part(bspi_tree_faces *faces, uint32_t low, uint32_t high) {
    uint32_t middle = low + (high - low) / 2;
    const bspi_tree_face *face = &faces->faces[middle];
    bspi_tree_part part = {face->box, face->kind, face->face, face->face};
    for (int half = 0; half < 2; half++) {
        uint32_t first = half == 0 ? low : middle + 1;
        uint32_t end = half == 0 ? middle : high;
        if (first < end) {
            bspi_tree_part below = fill_part(faces, first, end);
            widen(&part.box, &below.box);
            part.kind = part.kind == below.kind ? part.kind : BSPI_MIXED;
            part.lowest = below.lowest < part.lowest ? below.lowest : part.lowest;
            part.highest = below.highest > part.highest ? below.highest : part.highest;
        }
    }
    faces->parts[middle] = part;
    return part;
}

// Sorts the faces, and makes the ranges of each tag.
static void arrange(bspi_tree_faces *faces) {
    place_faces(faces);
    qsort(faces->faces, faces->num_faces, sizeof *faces->faces, compare_faces);
    uint32_t first = 0;
    for (uint32_t i = 1; i <= faces->num_faces; i++) {
        if (i == faces->num_faces || faces->faces[i].tag != faces->faces[first].tag) {
            (void)fill_part(faces, first, i);
            faces->ranges[faces->faces[first].tag] = (bspi_tree_range){first, i};
            first = i;
        }
    }
}

void bspi_tree_faces_model(bspi_tree_faces *faces, uint32_t model) {
    const bsp_map *map = faces->map;
    const bsp_model *from = &map->models[model];
    for (uint32_t i = 0; i < faces->num_faces; i++) {
        faces->ranges[faces->faces[i].tag] = (bspi_tree_range){0, 0};
    }
    faces->num_faces = 0;
    for (uint32_t f = from->first_face; f < from->first_face + from->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        bspi_tree_face *entry = &faces->faces[faces->num_faces];
        bool taken = faces->taken[f];
        faces->taken[f] = true;
        if (!taken && face->plane < map->num_planes && face->texinfo < map->num_texinfos &&
            box_of(faces, f, &entry->box)) {
            entry->tag = bspi_tree_shown_tag(faces, 2 * face->plane + (face->flipped != 0));
            entry->face = f;
            entry->kind = faces->kinds[face->texinfo];
            faces->num_faces++;
        }
    }
    if (faces->num_faces != 0) {
        arrange(faces);
    }
}
