// SPDX-License-Identifier: MIT
// Visibility as lumps: rows of what is seen, and of what is heard, each in its family's form; in
// Quake and GoldSrc the leaves say where their rows are. Facts: sheet bake, 2.4 and 2.5.
#include "bspkit/vis.h"

#include "bake/result/changes.h"
#include "bake/vis/leaf_marks.h"
#include "bspkit/visibility.h"
#include "core/bits.h"
#include "core/buffer.h"
#include "core/reader.h"
#include "map/needs.h"

#include <assert.h>
#include <string.h>

typedef struct lumps {
    bsp_vis_changes changes;
    const bsp_vis *vis;
    const bsp_portals *portals;
    const bsp_map *map;
    bspi_changes made;
    bspi_heap *heap; // of `made`
    bsp_error *error;
    bspi_buffer out;       // the lump of rows
    bsp_bytes rows;        // the same, done
    uint32_t *row_offsets; // Quake, GoldSrc: of each cluster
    bsp_vis_leaves *marks; // what leaves state; NULL: as in the map
    uint8_t *row;          // scratch: a row, plain and packed
    size_t row_bytes;
    size_t row_room;
} lumps;

static bool sees(const bsp_vis *vis, uint32_t from, uint32_t to) {
    return bspi_bit_is(vis->rows + (size_t)from * vis->row_bytes, to);
}

// --- rows ---------------------------------------------------------------------------------------

static void add_row(lumps *l, bool packed) {
    size_t size = packed ? bsp_vis_pack(l->row, l->row_bytes, l->row + l->row_bytes) : l->row_bytes;
    bspi_buffer_add(&l->out, packed ? l->row + l->row_bytes : l->row, size);
}

static void fill_seen(lumps *l, uint32_t cluster) {
    memset(l->row, 0, l->row_bytes);
    memcpy(l->row, l->vis->rows + (size_t)cluster * l->vis->row_bytes, l->vis->row_bytes);
}

// Adds the bits of another row, eight bytes at a time.
static void join_row(uint8_t *row, const uint8_t *other, size_t bytes) {
    size_t b = 0;
    for (; b + 8 <= bytes; b += 8) {
        uint64_t here, more;
        memcpy(&here, row + b, 8);
        memcpy(&more, other + b, 8);
        here |= more;
        memcpy(row + b, &here, 8);
    }
    for (; b < bytes; b++) {
        row[b] |= other[b];
    }
}

// What is heard is all that is seen from what is seen.
static void fill_heard(lumps *l, uint32_t cluster) {
    const bsp_vis *vis = l->vis;
    const uint8_t *seen = vis->rows + (size_t)cluster * vis->row_bytes;
    memset(l->row, 0, l->row_bytes);
    for (uint32_t byte = 0; byte < vis->row_bytes; byte++) {
        for (unsigned left = seen[byte]; left != 0; left &= left - 1) {
            uint32_t other = byte * 8 + (uint32_t)__builtin_ctz(left);
            join_row(l->row, vis->rows + (size_t)other * vis->row_bytes, vis->row_bytes);
        }
    }
}

// Rows of Quake are of leaves: number n is leaf n + 1.
static void fill_leaves(lumps *l, uint32_t cluster) {
    memset(l->row, 0, l->row_bytes);
    for (uint32_t i = 1; i < l->portals->num_leaves; i++) {
        uint32_t other = l->portals->leaf_clusters[i];
        if (other != BSP_NONE && sees(l->vis, cluster, other)) {
            bspi_bit_set(l->row, i - 1);
        }
    }
}

static void add_leaf_rows(lumps *l) {
    for (uint32_t i = 0; i < l->vis->num_clusters && !l->out.failed; i++) {
        l->row_offsets[i] = (uint32_t)l->out.size;
        fill_leaves(l, i);
        add_row(l, true);
    }
}

static void add_offsets(lumps *l) {
    uint32_t count = l->vis->num_clusters;
    bspi_buffer_u32(&l->out, count, l->made.big_endian);
    if (bspi_buffer_grow(&l->out, (size_t)count * 8) == NULL) {
        return;
    }
    for (uint32_t set = 0; set < 2; set++) {
        for (uint32_t i = 0; i < count && !l->out.failed; i++) {
            bspi_store32(l->out.data + 4 + 8 * (size_t)i + 4 * set, (uint32_t)l->out.size,
                         l->made.big_endian);
            if (set == 0) {
                fill_seen(l, i);
            } else {
                fill_heard(l, i);
            }
            add_row(l, true);
        }
    }
}

static void add_matrix(lumps *l) {
    bspi_buffer_u32(&l->out, l->vis->num_clusters, l->made.big_endian);
    bspi_buffer_u32(&l->out, (uint32_t)l->row_bytes, l->made.big_endian);
    for (uint32_t i = 0; i < l->vis->num_clusters && !l->out.failed; i++) {
        fill_seen(l, i);
        add_row(l, false);
    }
}

static bool make_rows(lumps *l, bsp_lump_kind kind) {
    bool leaves = kind == BSP_KIND_VIS_ROWS;
    uint32_t count = l->vis->num_clusters;
    uint32_t bits = leaves ? l->map->models[0].vis_leaves : count;
    bits = leaves && bits < l->map->num_leaves ? bits : (leaves ? l->map->num_leaves : bits);
    l->row_bytes =
        kind == BSP_KIND_VIS_MATRIX ? ((size_t)count + 63) / 64 * 8 : ((size_t)bits + 7) / 8;
    l->row_room = 3 * (l->row_bytes > l->vis->row_bytes ? l->row_bytes : l->vis->row_bytes) + 1;
    l->row = bspi_heap_alloc(l->heap, l->row_room, l->error);
    l->row_offsets = bspi_heap_alloc(l->heap, count * sizeof *l->row_offsets, l->error);
    if (l->row == NULL || l->row_offsets == NULL) {
        return false;
    }
    if (leaves) {
        add_leaf_rows(l);
    } else if (kind == BSP_KIND_VIS_OFFSETS) {
        add_offsets(l);
    } else {
        add_matrix(l);
    }
    if (!l->out.failed && l->out.size > INT32_MAX) {
        return bsp_fail(l->error, BSP_E_RANGE, NULL, "%zu bytes of rows, but offsets have 31 bits",
                        l->out.size);
    }
    return bspi_changes_take(&l->made, &l->out, &l->rows);
}

// --- changes ------------------------------------------------------------------------------------

// Writes where rows are into the leaves.
static bool place_rows(const lumps *l, const bsp_table *leaves, uint8_t *copy) {
    uint32_t field;
    if (bspi_layout_find(leaves->layout, BSPI_MEMBER_leaf_vis_offset, &field) == NULL) {
        return bsp_fail(l->error, BSP_E_UNSUPPORTED, NULL, "the leaves do not say where rows are");
    }
    size_t size = leaves->layout->size;
    size_t offset = bsp_layout_offset(leaves->layout, field);
    for (uint32_t i = 0; i < leaves->count && i < l->portals->num_leaves; i++) {
        uint32_t cluster = l->portals->leaf_clusters[i];
        if (cluster != BSP_NONE) {
            bspi_store32(copy + size * i + offset, l->row_offsets[cluster], l->made.big_endian);
        }
    }
    return true;
}

static bool change_leaves(void *user, const bsp_table *leaves, uint8_t *copy) {
    const lumps *l = user;
    return (!l->map->traits->vis.leaves || place_rows(l, leaves, copy)) &&
           (l->marks == NULL ||
            bspi_leaf_marks_write(l->marks, leaves, l->made.big_endian, copy, l->error));
}

// What leaves state is made where the map has what that takes.
static bool make_marks(lumps *l) {
    if (!bspi_map_has(l->map, BSP_LOAD_SURFACES | BSP_LOAD_BRUSHES)) {
        return true;
    }
    l->marks = bsp_vis_leaves_build(l->vis, l->portals, l->map, &l->heap->allocator, l->error);
    return l->marks != NULL;
}

static bool make(lumps *l) {
    uint32_t lump = bsp_file_find_id(l->made.file, BSP_ID_VISIBILITY);
    if (lump == BSP_NONE || l->vis->num_clusters == 0 || l->map->num_models == 0) {
        return bsp_fail(l->error, BSP_E_UNSUPPORTED, NULL, "the map has no place for visibility");
    }
    bsp_lump_kind kind = bsp_file_lump(l->made.file, lump)->kind;
    if (!make_rows(l, kind) || !make_marks(l) || !bspi_changes_add(&l->made, lump, l->rows)) {
        return false;
    }
    bool changed = kind == BSP_KIND_VIS_ROWS || (l->marks != NULL && l->marks->count != 0);
    return !changed || bspi_changes_records(&l->made, BSP_ID_LEAVES, change_leaves, l);
}

bsp_vis_changes *bsp_vis_lumps(const bsp_vis *vis, const bsp_portals *portals, const bsp_map *map,
                               const bsp_file *file, const bsp_allocator *allocator,
                               bsp_error *error) {
    assert(vis != NULL && portals != NULL && map != NULL && file != NULL);
    lumps *l = bspi_object_new(allocator, sizeof *l, error);
    if (l == NULL) {
        return NULL;
    }
    bspi_changes_begin(&l->made, map, file, allocator, error);
    l->changes.owner = l;
    l->changes.changes = l->made.list;
    l->vis = vis;
    l->portals = portals;
    l->map = map;
    l->heap = &l->made.heap;
    l->error = error;
    l->out = (bspi_buffer){.heap = l->heap, .error = error};
    bool done = make(l);
    bspi_heap_free(l->heap, l->row, l->row_room);
    bspi_heap_free(l->heap, l->row_offsets, vis->num_clusters * sizeof *l->row_offsets);
    bsp_vis_leaves_free(l->marks);
    bspi_buffer_free(&l->out);
    if (!done) {
        bsp_vis_changes_free(&l->changes);
        return NULL;
    }
    l->changes.num_changes = l->made.count;
    return &l->changes;
}

void bsp_vis_changes_free(bsp_vis_changes *changes) {
    lumps *l = changes == NULL ? NULL : changes->owner;
    if (l != NULL) {
        bspi_changes_end(&l->made);
        bspi_object_free(l, sizeof *l, &l->made.heap.allocator);
    }
}
