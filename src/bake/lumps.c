// SPDX-License-Identifier: MIT
// Visibility as lumps: rows of what is seen, and of what is heard, each in its family's form; in
// Quake and GoldSrc the leaves say where their rows are. Facts: sheet bake, 2.4 and 2.5.
#include "bspkit/vis.h"

#include "bspkit/visibility.h"
#include "core/buffer.h"
#include "core/reader.h"
#include "formats/map_members.h"
#include "layout/layout.h"
#include "map/heap.h"
#include "records/file.h"

#include <assert.h>
#include <string.h>

#define MOST_CHANGES 2u

typedef struct lumps {
    bsp_vis_changes changes;
    const bsp_vis *vis;
    const bsp_portals *portals;
    const bsp_map *map;
    const bsp_file *file;
    bool big_endian;
    bspi_heap heap;
    bspi_buffer out;       // the lump of rows
    uint32_t *row_offsets; // Quake, GoldSrc: of each cluster
    uint8_t *row;          // scratch: a row, plain and packed
    size_t row_bytes;
    size_t row_room;
    bsp_lump_change list[MOST_CHANGES];
    bsp_blob blobs[2 * MOST_CHANGES]; // records, and packed ones
    bsp_error *error;
} lumps;

// Moves what a buffer holds to a blob, and empties it.
static bool give(lumps *l, bspi_buffer *buffer, bsp_blob *blob) {
    bool done = !buffer->failed && bspi_buffer_give(buffer, blob);
    if (buffer->failed) {
        bspi_buffer_free(buffer);
    }
    *buffer = (bspi_buffer){.heap = &l->heap, .error = l->error};
    return done;
}

static bool sees(const bsp_vis *vis, uint32_t from, uint32_t to) {
    return (vis->rows[(size_t)from * vis->row_bytes + to / 8] >> to % 8 & 1) != 0;
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

// What is heard is all that is seen from what is seen.
static void fill_heard(lumps *l, uint32_t cluster) {
    memset(l->row, 0, l->row_bytes);
    for (uint32_t i = 0; i < l->vis->num_clusters; i++) {
        const uint8_t *other = l->vis->rows + (size_t)i * l->vis->row_bytes;
        for (uint32_t b = 0; sees(l->vis, cluster, i) && b < l->vis->row_bytes; b++) {
            l->row[b] |= other[b];
        }
    }
}

// Rows of Quake are of leaves: number n is leaf n + 1.
static void fill_leaves(lumps *l, uint32_t cluster) {
    memset(l->row, 0, l->row_bytes);
    for (uint32_t i = 1; i < l->portals->num_leaves; i++) {
        uint32_t other = l->portals->leaf_clusters[i];
        if (other != BSP_NONE && sees(l->vis, cluster, other)) {
            l->row[(i - 1) / 8] |= (uint8_t)(1u << (i - 1) % 8);
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
    bspi_buffer_u32(&l->out, count, l->big_endian);
    if (bspi_buffer_grow(&l->out, (size_t)count * 8) == NULL) {
        return;
    }
    for (uint32_t set = 0; set < 2; set++) {
        for (uint32_t i = 0; i < count && !l->out.failed; i++) {
            bspi_store32(l->out.data + 4 + 8 * (size_t)i + 4 * set, (uint32_t)l->out.size,
                         l->big_endian);
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
    bspi_buffer_u32(&l->out, l->vis->num_clusters, l->big_endian);
    bspi_buffer_u32(&l->out, (uint32_t)l->row_bytes, l->big_endian);
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
    l->row = bspi_heap_alloc(&l->heap, l->row_room, l->error);
    l->row_offsets = bspi_heap_alloc(&l->heap, count * sizeof *l->row_offsets, l->error);
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
    return give(l, &l->out, &l->blobs[0]);
}

// --- changes ------------------------------------------------------------------------------------

static bool add_change(lumps *l, bsp_table_id id, uint32_t number) {
    uint32_t lump = bsp_file_find_id(l->file, id);
    const bsp_blob *blob = &l->blobs[2 * number];
    l->changes.num_changes++;
    return bsp_lump_change_make(l->file, lump, (bsp_bytes){blob->data, blob->size},
                                &l->heap.allocator, &l->blobs[2 * number + 1], &l->list[number],
                                l->error);
}

// Writes where rows are into a copy of the leaves.
static bool place_rows(lumps *l, const bsp_table *leaves) {
    uint32_t field;
    if (bspi_layout_find(leaves->layout, BSPI_MEMBER_leaf_vis_offset, &field) == NULL) {
        return bsp_fail(l->error, BSP_E_UNSUPPORTED, NULL, "the leaves do not say where rows are");
    }
    size_t size = leaves->layout->size;
    size_t offset = bsp_layout_offset(leaves->layout, field);
    bspi_buffer bytes = {.heap = &l->heap, .error = l->error};
    bspi_buffer_add(&bytes, leaves->data, size * leaves->count);
    for (uint32_t i = 0; !bytes.failed && i < leaves->count && i < l->portals->num_leaves; i++) {
        uint32_t cluster = l->portals->leaf_clusters[i];
        if (cluster != BSP_NONE) {
            bspi_store32(bytes.data + size * i + offset, l->row_offsets[cluster], l->big_endian);
        }
    }
    return give(l, &bytes, &l->blobs[2]);
}

static bool make_leaves(lumps *l) {
    bsp_parts parts;
    bsp_table leaves;
    bool there;
    if (!bspi_file_table(l->file, BSP_ID_LEAVES, &parts, &leaves, &there, l->error) || !there) {
        return false;
    }
    bool done = place_rows(l, &leaves);
    bsp_parts_free(&parts);
    return done && add_change(l, BSP_ID_LEAVES, 1);
}

static bool make(lumps *l) {
    uint32_t lump = bsp_file_find_id(l->file, BSP_ID_VISIBILITY);
    if (lump == BSP_NONE || l->vis->num_clusters == 0 || l->map->num_models == 0) {
        return bsp_fail(l->error, BSP_E_UNSUPPORTED, NULL, "the map has no place for visibility");
    }
    bsp_lump_kind kind = bsp_file_lump(l->file, lump)->kind;
    return make_rows(l, kind) && add_change(l, BSP_ID_VISIBILITY, 0) &&
           (kind != BSP_KIND_VIS_ROWS || make_leaves(l));
}

bsp_vis_changes *bsp_vis_lumps(const bsp_vis *vis, const bsp_portals *portals, const bsp_map *map,
                               const bsp_file *file, const bsp_allocator *allocator,
                               bsp_error *error) {
    assert(vis != NULL && portals != NULL && map != NULL && file != NULL);
    lumps *l = bspi_object_new(allocator, sizeof *l, error);
    if (l == NULL) {
        return NULL;
    }
    bspi_map_heap(&l->heap, BSP_PRODUCT_EDIT, map, NULL, allocator);
    l->changes.owner = l;
    l->changes.changes = l->list;
    l->vis = vis;
    l->portals = portals;
    l->map = map;
    l->file = file;
    l->big_endian = bsp_file_get_info(file)->detection.big_endian;
    l->out = (bspi_buffer){.heap = &l->heap, .error = error};
    l->error = error;
    bool done = make(l);
    bspi_heap_free(&l->heap, l->row, l->row_room);
    bspi_heap_free(&l->heap, l->row_offsets, vis->num_clusters * sizeof *l->row_offsets);
    bspi_buffer_free(&l->out);
    if (!done) {
        bsp_vis_changes_free(&l->changes);
        return NULL;
    }
    return &l->changes;
}

void bsp_vis_changes_free(bsp_vis_changes *changes) {
    lumps *l = changes == NULL ? NULL : changes->owner;
    if (l == NULL) {
        return;
    }
    for (size_t i = 0; i < sizeof l->blobs / sizeof *l->blobs; i++) {
        bsp_blob_free(&l->blobs[i]);
    }
    bspi_object_free(l, sizeof *l, &l->heap.allocator);
}
