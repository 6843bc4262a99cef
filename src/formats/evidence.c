// SPDX-License-Identifier: MIT
// Evidence that several rules use. It reads the directory and at most a few records.
#include "formats/rules.h"

#include "core/reader.h"

#include <string.h>

bspi_extent bspi_extent_at(const bspi_candidate *look, uint32_t index) {
    const bsp_shape *shape = bsp_branch_shape(look->branch);
    bspi_extent out = {0, 0, false};
    size_t at = shape->head->size + (size_t)index * shape->entry->size;
    if (index >= shape->num_lumps || look->file.size < bsp_shape_size(shape)) {
        return out;
    }
    bsp_table entry = {shape->entry, look->file.data + at, 1, look->big_endian};
    for (uint32_t f = 0; f < shape->entry->num_fields; f++) {
        uint16_t map_member = shape->entry->fields[f].map_member;
        uint32_t value = (uint32_t)bsp_table_int(&entry, 0, f, 0);
        out.offset = map_member == BSPI_MEMBER_entry_offset ? value : out.offset;
        out.size = map_member == BSPI_MEMBER_entry_size ? value : out.size;
    }
    out.inside = out.offset <= look->file.size && out.size <= look->file.size - out.offset;
    return out;
}

bspi_extent bspi_extent_of(const bspi_candidate *look, bsp_table_id id) {
    return bspi_extent_at(look, bsp_branch_lump_of(look->branch, id)->index);
}

bsp_table bspi_records_of(const bspi_candidate *look, bsp_table_id id) {
    const bsp_lump_def *def = bsp_branch_lump_of(look->branch, id);
    const bsp_layout *layout = def->variants[0].layout;
    bspi_extent lump = bspi_extent_at(look, def->index);
    bsp_bytes bytes = bspi_slice(look->file, lump.offset, lump.size);
    bsp_table table = {layout, bytes.data, (uint32_t)(bytes.size / layout->size), look->big_endian};
    return table;
}

bool bspi_plausible(const bspi_candidate *look) {
    const bsp_shape *shape = bsp_branch_shape(look->branch);
    size_t head = bsp_shape_size(shape);
    uint32_t inside = 0;
    bool filled = false;
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        bspi_extent lump = bspi_extent_at(look, i);
        inside += lump.inside ? 1 : 0;
        filled = filled || (lump.inside && lump.size != 0 && lump.offset >= head);
    }
    return filled && inside * 2 >= shape->num_lumps && look->file.size >= head;
}

bool bspi_counts_lumps(const bspi_candidate *look) {
    const bsp_shape *shape = bsp_branch_shape(look->branch);
    bool whole = look->file.size >= bsp_shape_size(shape);
    uint32_t at = shape->head->size - 4;
    return whole && bspi_load32(look->file.data + at, look->big_endian) == shape->num_lumps - 1;
}

bool bspi_exact(const bspi_candidate *look) {
    const bsp_shape *shape = bsp_branch_shape(look->branch);
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        bspi_extent lump = bspi_extent_at(look, i);
        if (!lump.inside || (lump.size != 0 && lump.offset < bsp_shape_size(shape))) {
            return false;
        }
    }
    return bspi_plausible(look);
}

bool bspi_divides(const bspi_candidate *look, bsp_table_id id) {
    const bsp_lump_def *def = bsp_branch_lump_of(look->branch, id);
    if (def == NULL || def->num_variants == 0) {
        return false;
    }
    bspi_extent lump = bspi_extent_at(look, def->index);
    return lump.size != 0 && lump.size % def->variants[0].layout->size == 0;
}

static bool any_divides(const bsp_lump_def *def, uint64_t size) {
    for (uint32_t v = 0; def->kind == BSP_KIND_ARRAY && v < def->num_variants; v++) {
        if (size % def->variants[v].layout->size == 0) {
            return true;
        }
    }
    return def->kind != BSP_KIND_ARRAY;
}

bool bspi_all_divide(const bspi_candidate *look) {
    bool divided = bspi_exact(look) && bspi_divides(look, BSP_ID_PLANES);
    for (uint32_t i = 0; divided && i < bsp_branch_shape(look->branch)->num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(look->branch, i);
        divided = def == NULL || any_divides(def, bspi_extent_at(look, i).size);
    }
    return divided;
}

bool bspi_shaders_divide(const bspi_candidate *look) {
    return bspi_plausible(look) && bspi_divides(look, BSP_ID_TEXTURES);
}

bool bspi_fits(const bspi_candidate *look, bsp_table_id id, uint16_t map_member,
               bsp_table_id target) {
    bsp_table table = bspi_records_of(look, id);
    int64_t count = bspi_records_of(look, target).count;
    for (uint32_t f = 0; f < table.layout->num_fields; f++) {
        for (uint32_t i = 0; table.layout->fields[f].map_member == map_member && i < table.count;
             i++) {
            int64_t value = bsp_table_int(&table, i, f, 0);
            if (value < -1 || value >= count) {
                return false;
            }
        }
    }
    return bspi_divides(look, id);
}

bool bspi_has_classes(const bspi_candidate *look) {
    const char *begin = look->branch->classes;
    bspi_extent lump = bspi_extent_of(look, BSP_ID_ENTITIES);
    bsp_bytes text = bspi_slice(look->file, lump.offset, lump.size);
    size_t size = strlen(begin);
    bool there = bspi_plausible(look);
    for (size_t i = 1; there && i + size <= text.size; i++) {
        if (text.data[i - 1] == '"' && memcmp(text.data + i, begin, size) == 0) {
            return true;
        }
    }
    return false;
}
