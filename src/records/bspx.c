// SPDX-License-Identifier: MIT
// BSPX: finds the directory and parses its lumps. Most are arrays; brush lists, face normals and
// light grids are composites; unknown ones are bytes. All numbers are little-endian. Format: sheet
// goldsrc-quake1, section 9.
#include "records/bspx.h"

#include "records/file.h"
#include "records/parse.h"

#include "formats/composites.h"

#include <string.h>

#define HEAD 8u // "BSPX" and a count
#define PREFIX "bspx:"

bool bspi_bspx_find(bsp_bytes file, uint64_t end_of_lumps, size_t *offset, uint32_t *count) {
    if (end_of_lumps > file.size) {
        return false;
    }
    uint64_t at = (end_of_lumps + 3) / 4 * 4;
    bsp_bytes head = bspi_slice(file, at, HEAD);
    if (head.size == 0 || memcmp(head.data, "BSPX", 4) != 0) {
        return false;
    }
    size_t room = (file.size - (size_t)at - HEAD) / bspi_bspx_entry_t.size;
    uint32_t stated = bspi_load32(head.data + 4, false);
    *offset = (size_t)at + HEAD;
    *count = stated < room ? stated : (uint32_t)room;
    return true;
}

static size_t left(const bspi_parse *parse, size_t at) {
    return at < parse->data.size ? parse->data.size - at : 0;
}

static void split_array(bspi_parse *parse, const bsp_layout *layout) {
    size_t count = parse->data.size / layout->size;
    if (count * layout->size != parse->data.size) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_SIZE, count * layout->size,
                         "%zu bytes are no multiple of %u", parse->data.size, layout->size);
    }
    bspi_parse_table(parse, parse->lump->name, BSP_ID_NONE, layout, 0, (uint32_t)count);
}

// The size tells the number of styles per face; single styles when that number is unknown.
static void split_style16(bspi_parse *parse) {
    uint32_t lump = parse->file == NULL ? BSP_NONE : bsp_file_find_id(parse->file, BSP_ID_FACES);
    bool there = lump != BSP_NONE && parse->file->lumps[lump].kind == BSP_KIND_ARRAY;
    uint32_t faces = there ? bspi_array_count(&parse->file->lumps[lump]) : 0;
    const bsp_layout *layout = NULL;
    if (faces != 0 && parse->data.size % ((size_t)faces * 2) == 0) {
        size_t styles = parse->data.size / ((size_t)faces * 2);
        layout = bspi_style16_layout(styles > 16 ? 0 : (uint32_t)styles);
    }
    split_array(parse, layout != NULL ? layout : bspi_style16_layout(1));
}

// --- BRUSHLIST ----------------------------------------------------------------------------------

// Parses the brushes of one model. Returns where they end.
static size_t split_brushes(bspi_parse *parse, size_t at, uint32_t count) {
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "brushes");
    for (uint32_t i = 0; i < count && !parse->failed; i++) {
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "brush");
        bool there = bspi_parse_record(parse, "brush", &bspi_bspx_brush_t, at);
        if (there) {
            uint32_t planes = bspi_parse_u16(parse, at + 26);
            at += bspi_bspx_brush_t.size;
            there = bspi_parse_table(parse, "planes", BSP_ID_NONE, &bspi_bspx_brush_plane_t, at,
                                     planes);
            at += (size_t)planes * bspi_bspx_brush_plane_t.size;
        }
        bspi_parse_close(parse, group);
        if (!there) {
            at = parse->data.size;
            break;
        }
    }
    bspi_parse_close(parse, list);
    return at;
}

static void split_brush_list(bspi_parse *parse) {
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, parse->lump->name);
    size_t at = 0;
    while (at < parse->data.size && !parse->failed) {
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "model");
        if (bspi_parse_record(parse, "model", &bspi_bspx_brushes_model_t, at)) {
            uint32_t brushes = bspi_parse_u32(parse, at + 8);
            at = split_brushes(parse, at + bspi_bspx_brushes_model_t.size, brushes);
        } else {
            at = parse->data.size;
        }
        bspi_parse_close(parse, group);
    }
    bspi_parse_close(parse, list);
}

// --- FACENORMALS --------------------------------------------------------------------------------

static void split_face_normals(bspi_parse *parse) {
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    if (bspi_parse_record(parse, "count", &bspi_bspx_count_t, 0)) {
        uint32_t count = bspi_parse_u32(parse, 0);
        size_t at = bspi_bspx_count_t.size + (size_t)count * bspi_bspx_normal_t.size;
        if (bspi_parse_table(parse, "normals", BSP_ID_NONE, &bspi_bspx_normal_t,
                             bspi_bspx_count_t.size, count)) {
            uint32_t corners = (uint32_t)(left(parse, at) / bspi_bspx_face_normal_t.size);
            bspi_parse_table(parse, "corners", BSP_ID_NONE, &bspi_bspx_face_normal_t, at, corners);
        }
    }
    bspi_parse_close(parse, group);
}

// --- LIGHTGRID_OCTREE ---------------------------------------------------------------------------

static uint32_t cell_samples(const bspi_parse *parse, size_t at) {
    uint8_t count = parse->data.data[at];
    return count == BSPI_LIGHTGRID_OCCLUDED ? 0 : count;
}

// Parses a cell with more samples than there are layouts for: its count, then the samples.
static size_t split_long_cell(bspi_parse *parse, size_t at, uint32_t samples) {
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "cell");
    bspi_parse_record(parse, "used_styles", bspi_lightgrid_cell(0), at);
    bspi_parse_table(parse, "samples", BSP_ID_NONE, &bspi_lightgrid_sample_t, at + 1, samples);
    bspi_parse_close(parse, group);
    return at + 1 + (size_t)samples * bspi_lightgrid_sample_t.size;
}

// Parses the cells of a leaf: each run of cells with the same number of samples is a table. Returns
// where they end.
static size_t split_cells(bspi_parse *parse, size_t at, uint64_t cells) {
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "cells");
    while (cells != 0 && at < parse->data.size && !parse->failed) {
        uint32_t samples = cell_samples(parse, at);
        const bsp_layout *layout = bspi_lightgrid_cell(samples);
        if (layout == NULL) {
            at = split_long_cell(parse, at, samples);
            cells--;
            continue;
        }
        size_t start = at;
        while (cells != 0 && left(parse, at) >= layout->size &&
               cell_samples(parse, at) == samples) {
            at += layout->size;
            cells--;
        }
        if (at == start) {
            break;
        }
        bspi_parse_table(parse, "cells", BSP_ID_NONE, layout, start,
                         (uint32_t)((at - start) / layout->size));
    }
    bspi_parse_close(parse, list);
    if (cells != 0) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at, "%llu cells of a leaf are missing",
                         (unsigned long long)cells);
        at = parse->data.size;
    }
    return at;
}

// Returns the number of cells of a leaf: the product of three sizes, limited to the number of bytes
// plus one.
static uint64_t count_cells(const bspi_parse *parse, size_t leaf) {
    uint64_t cells = 1;
    for (size_t axis = 0; axis < 3; axis++) {
        cells *= bspi_parse_u32(parse, leaf + 12 + axis * 4);
        if (cells > parse->data.size) {
            cells = (uint64_t)parse->data.size + 1;
        }
    }
    return cells;
}

static void split_leaves(bspi_parse *parse, size_t at, uint32_t count) {
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "leafs");
    for (uint32_t i = 0; i < count && !parse->failed; i++) {
        if (left(parse, at) < bspi_lightgrid_leaf_t.size) {
            bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, at, "%u leaves, but %u are there",
                             count, i);
            break;
        }
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "leaf");
        bspi_parse_record(parse, "leaf", &bspi_lightgrid_leaf_t, at);
        at = split_cells(parse, at + bspi_lightgrid_leaf_t.size, count_cells(parse, at));
        bspi_parse_close(parse, group);
    }
    bspi_parse_close(parse, list);
}

static void split_light_grid(bspi_parse *parse) {
    size_t at = bspi_lightgrid_header_t.size;
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    if (bspi_parse_record(parse, "header", &bspi_lightgrid_header_t, 0) &&
        bspi_parse_record(parse, "numnodes", &bspi_bspx_count_t, at)) {
        uint32_t nodes = bspi_parse_u32(parse, at);
        at += 4;
        bool there =
            bspi_parse_table(parse, "nodes", BSP_ID_NONE, &bspi_lightgrid_node_t, at, nodes);
        at += (size_t)nodes * bspi_lightgrid_node_t.size;
        if (there && bspi_parse_record(parse, "numleafs", &bspi_bspx_count_t, at)) {
            split_leaves(parse, at + 4, bspi_parse_u32(parse, at));
        }
    }
    bspi_parse_close(parse, group);
}

void bspi_parse_bspx(bspi_parse *parse) {
    static const struct {
        const char *name;
        void (*parse)(bspi_parse *parse);
    } composites[] = {
        {"BRUSHLIST", split_brush_list},
        {"FACENORMALS", split_face_normals},
        {"LIGHTGRID_OCTREE", split_light_grid},
        {"LMSTYLE16", split_style16},
    };
    const char *name = parse->lump->name;
    name += strncmp(name, PREFIX, strlen(PREFIX)) == 0 ? strlen(PREFIX) : 0;
    parse->big_endian = false;
    for (size_t i = 0; i < sizeof composites / sizeof *composites; i++) {
        if (strcmp(name, composites[i].name) == 0) {
            composites[i].parse(parse);
            return;
        }
    }
    const bsp_layout *layout = bsp_bspx_layout(name);
    if (layout != NULL) {
        split_array(parse, layout);
    } else {
        bspi_parse_bytes(parse, parse->lump->name, 0, parse->data.size);
    }
}
