// SPDX-License-Identifier: MIT
// Writes the lumps that are not plain arrays: embedded textures, visibility, counted sections and
// the game lump.
#include "core/reader.h"
#include "formats/composites.h"
#include "formats/map_members.h"
#include "layout/layout.h"
#include "map/write.h"

#include <string.h>

// --- textures of Quake and GoldSrc --------------------------------------------------------------

static const bsp_layout *texture_head(const bspi_writer *writer) {
    return bsp_branch_lump_of(writer->branch, BSP_ID_TEXTURES)->variants[0].layout;
}

static void write_texture(bspi_writer *writer, const bsp_layout *head,
                          const bsp_material *material) {
    bspi_buffer *out = writer->out;
    uint32_t shift;
    uint8_t name[BSPI_MIPTEX_NAME_SIZE] = {0};
    size_t size = material->name.size < BSPI_MIPTEX_NAME_SIZE - 1 ? material->name.size
                                                                  : BSPI_MIPTEX_NAME_SIZE - 1;
    if (size != 0) {
        memcpy(name, material->name.data, size);
    }
    bspi_buffer_add(out, name, sizeof name);
    bspi_buffer_u32(out, material->width, writer->big_endian);
    bspi_buffer_u32(out, material->height, writer->big_endian);
    if (bspi_layout_find(head, BSPI_MEMBER_material_shift, &shift) != NULL) {
        bspi_buffer_u32(out, material->shift, writer->big_endian);
    }
    uint32_t offset = head->size;
    for (unsigned m = 0; m < BSPI_MIPTEX_MIPS; m++) {
        bool there = material->mips[m].size != 0;
        bspi_buffer_u32(out, there ? offset : 0, writer->big_endian);
        offset += (uint32_t)material->mips[m].size;
    }
    for (unsigned m = 0; m < BSPI_MIPTEX_MIPS; m++) {
        bspi_buffer_add(out, material->mips[m].data, material->mips[m].size);
    }
    if (material->palette.size != 0 && writer->traits->light == BSP_LIGHT_RGB8) {
        static const uint8_t colours[2] = {0, 1}; // 256, little-endian
        bspi_buffer_add(out, colours, sizeof colours);
        bspi_buffer_add(out, material->palette.data, material->palette.size);
        bspi_buffer_align(out, 4);
    }
}

bool bspi_write_textures(bspi_writer *writer) {
    const bsp_layout *head = texture_head(writer);
    uint32_t count = writer->map->num_materials;
    size_t start = writer->out->size;
    bspi_buffer_u32(writer->out, count, writer->big_endian);
    if (bspi_buffer_grow(writer->out, (size_t)count * 4) == NULL && count != 0) {
        return false;
    }
    for (uint32_t i = 0; i < count && !writer->out->failed; i++) {
        uint32_t offset = (uint32_t)(writer->out->size - start);
        bspi_store32(writer->out->data + start + 4 + 4 * (size_t)i, offset, writer->big_endian);
        write_texture(writer, head, &writer->map->materials[i]);
    }
    return !writer->out->failed;
}

// --- visibility ---------------------------------------------------------------------------------

static bool write_row(bspi_writer *writer, uint32_t cluster, bool heard, bool packed,
                      size_t row_bytes) {
    size_t known = writer->map->visibility.row_bytes;
    size_t room = (row_bytes > known ? row_bytes : known) * 3 + 1;
    uint8_t *row = bspi_heap_alloc(writer->heap, room, writer->error);
    if (row == NULL) {
        return false;
    }
    memset(row, 0, room);
    bsp_map_visible(writer->map, cluster, heard, row);
    size_t size = packed ? bsp_vis_pack(row, row_bytes, row + row_bytes) : row_bytes;
    bspi_buffer_add(writer->out, packed ? row + row_bytes : row, size);
    bspi_heap_free(writer->heap, row, room);
    return !writer->out->failed;
}

// The leaves, which are written later, hold the offsets.
static bool write_rows(bspi_writer *writer) {
    const bsp_visibility *vis = &writer->map->visibility;
    size_t start = writer->out->size;
    uint32_t count = vis->num_clusters;
    writer->row_offsets = bspi_heap_alloc(writer->heap, count * sizeof(uint32_t), writer->error);
    if (writer->row_offsets == NULL) {
        return false;
    }
    writer->num_rows = count;
    for (uint32_t i = 0; i < count; i++) {
        bool known = vis->pvs[i] != BSP_NONE;
        writer->row_offsets[i] = known ? (uint32_t)(writer->out->size - start) : BSP_NONE;
        if (known && !write_row(writer, i, false, true, (count + 7) / 8)) {
            return false;
        }
    }
    return true;
}

static bool write_offsets(bspi_writer *writer) {
    uint32_t count = writer->map->visibility.num_clusters;
    size_t start = writer->out->size;
    bspi_buffer_u32(writer->out, count, writer->big_endian);
    if (bspi_buffer_grow(writer->out, (size_t)count * 8) == NULL) {
        return false;
    }
    for (uint32_t set = 0; set < 2; set++) {
        for (uint32_t i = 0; i < count; i++) {
            uint32_t offset = (uint32_t)(writer->out->size - start);
            bspi_store32(writer->out->data + start + 4 + 8 * (size_t)i + 4 * set, offset,
                         writer->big_endian);
            if (!write_row(writer, i, set == 1, true, (count + 7) / 8)) {
                return false;
            }
        }
    }
    return true;
}

static bool write_matrix(bspi_writer *writer) {
    uint32_t count = writer->map->visibility.num_clusters;
    uint32_t row = (count + 63) / 64 * 8; // compilers round rows up to 64 clusters
    bspi_buffer_u32(writer->out, count, writer->big_endian);
    bspi_buffer_u32(writer->out, row, writer->big_endian);
    for (uint32_t i = 0; i < count; i++) {
        if (!write_row(writer, i, false, false, row)) {
            return false;
        }
    }
    return true;
}

bool bspi_write_visibility(bspi_writer *writer, bsp_lump_kind kind) {
    if (writer->map->visibility.num_clusters == 0) {
        return true;
    }
    switch (kind) {
    case BSP_KIND_VIS_ROWS:
        return write_rows(writer);
    case BSP_KIND_VIS_OFFSETS:
        return write_offsets(writer);
    default:
        return write_matrix(writer);
    }
}

// --- sections and game lumps --------------------------------------------------------------------

bool bspi_write_sections(bspi_writer *writer, const bsp_section_list *list) {
    for (uint32_t s = 0; s < list->num_sections; s++) {
        const bsp_section *section = &list->sections[s];
        bspi_buffer_u32(writer->out, bspi_write_count(writer, section->id), writer->big_endian);
        // Fields that the map does not hold are 0.
        if (section->head != NULL && bspi_buffer_grow(writer->out, section->head->size) == NULL) {
            return false;
        }
        if (!bspi_write_table(writer, section->id, section->layout)) {
            return false;
        }
    }
    return !writer->out->failed;
}

static const bsp_section_list *pick_list(const bspi_writer *writer, const bsp_game_lump_def *def) {
    bool props = def->table == BSP_ID_STATIC_PROPS;
    uint32_t version = props ? writer->static_prop_version : 0;
    uint32_t size = props ? writer->static_prop_size : 0;
    for (uint32_t i = 0; i < def->num_section_lists; i++) {
        const bsp_section_list *list = &def->section_lists[i];
        if ((version == 0 || list->version == version) && (size == 0 || list->stride == size)) {
            return list;
        }
    }
    bsp_fail(writer->error, BSP_E_ARGUMENT, NULL,
             size == 0 ? "branch %s has no static props of version %u"
                       : "branch %s has no static props of version %u with %u bytes",
             writer->branch->name, version, size);
    return NULL;
}

static const bsp_branch *owner_of_game_lumps(const bsp_branch *branch) {
    while (branch->num_game_lumps == 0 && branch->base != NULL) {
        branch = branch->base;
    }
    return branch;
}

// Writes an entry. `facts`: id, flags, version, offset, size, each into its field.
static bool write_game_entry(bspi_writer *writer, const bsp_layout *layout, uint8_t *record,
                             const uint32_t facts[5]) {
    static const uint16_t members[5] = {BSPI_MEMBER_game_id, BSPI_MEMBER_game_flags,
                                        BSPI_MEMBER_game_version, BSPI_MEMBER_game_offset,
                                        BSPI_MEMBER_game_size};
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        for (uint32_t i = 0; i < 5; i++) {
            if (layout->fields[f].map_member == members[i] &&
                !bsp_table_encode(layout, 1, writer->big_endian, f, BSP_U32, &facts[i], 0, record,
                                  writer->error)) {
                return false;
            }
        }
    }
    return true;
}

static uint32_t number_of(const char id[5]) {
    return (uint32_t)(uint8_t)id[0] << 24 | (uint32_t)(uint8_t)id[1] << 16 |
           (uint32_t)(uint8_t)id[2] << 8 | (uint8_t)id[3];
}

bool bspi_write_game(bspi_writer *writer, const bsp_lump_def *def) {
    const bsp_branch *owner = owner_of_game_lumps(writer->branch);
    if (def->num_variants == 0) {
        return true;
    }
    const bsp_layout *layout = def->variants[0].layout;
    uint32_t count = owner->num_game_lumps;
    // In console files, the big-endian ones, offsets count from the lump; in all others from the
    // file.
    size_t base = writer->big_endian ? writer->out->size : 0;
    bspi_buffer_u32(writer->out, count, writer->big_endian);
    size_t directory = writer->out->size;
    if (bspi_buffer_grow(writer->out, (size_t)count * layout->size) == NULL) {
        return count == 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        const bsp_game_lump_def *game = &owner->game_lumps[i];
        const bsp_section_list *list = pick_list(writer, game);
        size_t start = writer->out->size;
        if (list == NULL || !bspi_write_sections(writer, list)) {
            return false;
        }
        uint32_t version = list->version == BSP_ANY_VERSION ? 0 : list->version;
        uint32_t facts[5] = {number_of(game->id), 0, version, (uint32_t)(start - base),
                             (uint32_t)(writer->out->size - start)};
        if (!write_game_entry(writer, layout, writer->out->data + directory + i * layout->size,
                              facts)) {
            return false;
        }
    }
    return true;
}
