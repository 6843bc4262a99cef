// SPDX-License-Identifier: MIT
// A map being written as a file of some branch.
#ifndef BSPI_WRITE_H
#define BSPI_WRITE_H

#include "bspkit/map.h"
#include "core/buffer.h"
#include "map/members.h"

typedef struct bspi_writer {
    const bsp_map *map;
    const bsp_branch *branch;
    const bsp_traits *traits; ///< of the branch
    bool big_endian;
    uint32_t static_prop_version;
    uint32_t static_prop_size;
    bspi_buffer *out;      ///< the file so far
    uint32_t *row_offsets; ///< Quake, GoldSrc: offset of each cluster's row in its lump
    uint32_t num_rows;
    bspi_heap *heap;
    bsp_error *error;
} bspi_writer;

/// Writes the records of one kind in a layout at the end of the file, `count` of them from the
/// map's array. Lumps for which the map has no array are left empty.
bool bspi_write_table(bspi_writer *writer, bsp_table_id id, const bsp_layout *layout);
/// Returns how many records of a kind are written.
uint32_t bspi_write_count(const bspi_writer *writer, bsp_table_id id);

// Lumps by kind (write_composites.c).
bool bspi_write_textures(bspi_writer *writer);
bool bspi_write_visibility(bspi_writer *writer, bsp_lump_kind kind);
bool bspi_write_sections(bspi_writer *writer, const bsp_section_list *list);
bool bspi_write_game(bspi_writer *writer, const bsp_lump_def *def);

#endif
