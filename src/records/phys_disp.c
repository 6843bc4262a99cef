// SPDX-License-Identifier: MIT
// Convex hulls around displacements, for the physics engine: counts, sizes, and a blob for each
// displacement. Format: sheet source-lumps, section 1.
#include "records/parse.h"

#include "formats/composites.h"

// Finds the hulls of a blob by their heads, if triangles and edges of all fill it exactly.
static bool find_hulls(const bspi_parse *parse, size_t at, size_t size, bsp_table *hulls) {
    bsp_bytes blob = bspi_slice(parse->data, at, size);
    size_t heads = bspi_phys_hulls_t.size;
    if (blob.size < heads) {
        return false;
    }
    *hulls = (bsp_table){&bspi_packed_hull_t, blob.data + heads, blob.data[0], false};
    heads += (size_t)hulls->count * bspi_packed_hull_t.size;
    if (heads > size) {
        return false;
    }
    for (uint32_t i = 0; i < hulls->count; i++) {
        heads += (size_t)bsp_table_int(hulls, i, BSPI_PACKED_HULL_TRIANGLES, 0) *
                 bspi_packed_triangle_t.size;
        heads +=
            (size_t)bsp_table_int(hulls, i, BSPI_PACKED_HULL_EDGES, 0) * bspi_packed_edge_t.size;
    }
    return heads == size;
}

static void split_hulls(bspi_parse *parse, size_t at, const bsp_table *hulls) {
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "blob");
    bspi_parse_record(parse, "count", &bspi_phys_hulls_t, at);
    at += bspi_phys_hulls_t.size;
    bspi_parse_table(parse, "heads", BSP_ID_NONE, &bspi_packed_hull_t, at, hulls->count);
    at += (size_t)hulls->count * bspi_packed_hull_t.size;
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "hulls");
    for (uint32_t i = 0; i < hulls->count; i++) {
        uint32_t triangles = (uint32_t)bsp_table_int(hulls, i, BSPI_PACKED_HULL_TRIANGLES, 0);
        uint32_t edges = (uint32_t)bsp_table_int(hulls, i, BSPI_PACKED_HULL_EDGES, 0);
        uint32_t hull = bspi_parse_open(parse, BSP_PART_GROUP, "hull");
        bspi_parse_table(parse, "triangles", BSP_ID_NONE, &bspi_packed_triangle_t, at, triangles);
        at += (size_t)triangles * bspi_packed_triangle_t.size;
        bspi_parse_table(parse, "edges", BSP_ID_NONE, &bspi_packed_edge_t, at, edges);
        at += (size_t)edges * bspi_packed_edge_t.size;
        bspi_parse_close(parse, hull);
    }
    bspi_parse_close(parse, list);
    bspi_parse_close(parse, group);
}

static bool split_blob(bspi_parse *parse, size_t at, size_t size) {
    bsp_table hulls;
    if (!find_hulls(parse, at, size, &hulls)) {
        return bspi_parse_bytes(parse, "blob", at, size);
    }
    split_hulls(parse, at, &hulls);
    return true;
}

// Lump version 2 (Strata) has 32-bit numbers where the others have 16 bits.
void bspi_parse_phys_disp(bspi_parse *parse) {
    bool wide = parse->lump->version == 2;
    const bsp_layout *sizes = wide ? &bspi_phys_disp_size32_t : &bspi_phys_disp_size_t;
    uint32_t none = wide ? UINT32_MAX : UINT16_MAX;
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    if (bspi_parse_record(parse, "count",
                          wide ? &bspi_phys_disp_count32_t : &bspi_phys_disp_count_t, 0)) {
        uint32_t count = wide ? bspi_parse_u32(parse, 0) : bspi_parse_u16(parse, 0);
        size_t at = sizes->size + (size_t)count * sizes->size;
        bool whole = bspi_parse_table(parse, "sizes", BSP_ID_NONE, sizes, sizes->size, count);
        uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "blobs");
        for (uint32_t i = 0; whole && i < count && !parse->failed; i++) {
            size_t where = sizes->size + (size_t)i * sizes->size;
            uint32_t size = wide ? bspi_parse_u32(parse, where) : bspi_parse_u16(parse, where);
            size = size == none ? 0 : size;
            whole = split_blob(parse, at, size);
            at += size;
        }
        bspi_parse_close(parse, list);
    }
    bspi_parse_close(parse, group);
}
