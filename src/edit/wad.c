// SPDX-License-Identifier: MIT
// Writes the textures of a map as a WAD. Format: sheet goldsrc-quake1, sections 4 and 8.
#include "bspkit/edit.h"

#include "asset/layouts.h"
#include "core/buffer.h"
#include "formats/composites.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <string.h>

#define ALIGNMENT 4u

static bool is_whole(const bsp_material *material) {
    for (uint32_t mip = 0; mip < BSPI_MIPTEX_MIPS; mip++) {
        if (material->mips[mip].size == 0) {
            return false;
        }
    }
    return material->name.size != 0;
}

static bool has_palette(const bsp_material *material) {
    return material->palette.size == BSPI_PALETTE_SIZE;
}

// Sets a number of a record; all that are written fit.
static void set(const bsp_layout *layout, uint8_t *record, uint32_t field, uint32_t value) {
    (void)bsp_table_encode(layout, 1, false, field, BSP_U32, &value, sizeof value, record, NULL);
}

static void set_name(const bsp_layout *layout, uint8_t *record, uint32_t field, bsp_text name) {
    uint8_t bytes[BSPI_MIPTEX_NAME_SIZE] = {0};
    memcpy(bytes, name.data,
           name.size < BSPI_MIPTEX_NAME_SIZE ? name.size : BSPI_MIPTEX_NAME_SIZE - 1);
    (void)bsp_table_encode(layout, 1, false, field, BSP_U8, bytes, sizeof bytes, record, NULL);
}

static void put_texture(bspi_buffer *out, const bsp_material *material) {
    uint8_t *head = bspi_buffer_grow(out, bspi_miptex_t.size);
    uint32_t offsets[BSPI_MIPTEX_MIPS];
    uint32_t at = bspi_miptex_t.size;
    for (uint32_t mip = 0; mip < BSPI_MIPTEX_MIPS; mip++) {
        offsets[mip] = at;
        at += (uint32_t)material->mips[mip].size;
    }
    if (head != NULL) {
        set_name(&bspi_miptex_t, head, BSPI_MIPTEX_NAME, material->name);
        set(&bspi_miptex_t, head, BSPI_MIPTEX_WIDTH, material->width);
        set(&bspi_miptex_t, head, BSPI_MIPTEX_HEIGHT, material->height);
        (void)bsp_table_encode(&bspi_miptex_t, 1, false, BSPI_MIPTEX_OFFSETS, BSP_U32, offsets,
                               sizeof offsets, head, NULL);
    }
    for (uint32_t mip = 0; mip < BSPI_MIPTEX_MIPS; mip++) {
        bspi_buffer_add(out, material->mips[mip].data, material->mips[mip].size);
    }
    if (has_palette(material)) {
        uint8_t *count = bspi_buffer_grow(out, bspi_palette_count_t.size);
        if (count != NULL) {
            set(&bspi_palette_count_t, count, 0, BSPI_PALETTE_COLORS);
        }
        bspi_buffer_add(out, material->palette.data, BSPI_PALETTE_SIZE);
    }
}

// Adds an entry to the directory for a texture that lies from `from` to `to`.
static void put_entry(bspi_buffer *directory, const bsp_material *material, size_t from, size_t to,
                      bool wad3) {
    uint8_t *entry = bspi_buffer_grow(directory, bspi_wad_entry_t.size);
    if (entry != NULL) {
        set(&bspi_wad_entry_t, entry, BSPI_WAD_AT, (uint32_t)from);
        set(&bspi_wad_entry_t, entry, BSPI_WAD_PACKED, (uint32_t)(to - from));
        set(&bspi_wad_entry_t, entry, BSPI_WAD_SIZE, (uint32_t)(to - from));
        set(&bspi_wad_entry_t, entry, BSPI_WAD_TYPE, wad3 ? BSPI_WAD3_MIPTEX : BSPI_WAD2_MIPTEX);
        set_name(&bspi_wad_entry_t, entry, BSPI_WAD_NAME, material->name);
    }
}

// All textures of a WAD have palettes, or none: the others are left out.
static bool is_wad3(const bsp_map *map) {
    for (uint32_t i = 0; i < map->num_materials; i++) {
        if (is_whole(&map->materials[i]) && has_palette(&map->materials[i])) {
            return true;
        }
    }
    return false;
}

static uint32_t put_all(const bsp_map *map, bspi_buffer *out, bspi_buffer *directory) {
    bool wad3 = is_wad3(map);
    uint32_t count = 0;
    uint8_t *head = bspi_buffer_grow(out, bspi_wad_head_t.size);
    if (head != NULL) {
        memcpy(head, wad3 ? "WAD3" : "WAD2", 4);
    }
    // Hostile directories refer to one texture many times: the caller refuses more than 2 GiB.
    for (uint32_t i = 0; i < map->num_materials && out->size <= INT32_MAX && !out->failed; i++) {
        const bsp_material *material = &map->materials[i];
        if (is_whole(material) && has_palette(material) == wad3) {
            out->failed = !bspi_heap_work(out->heap, material->mips[0].size, out->error);
            size_t from = out->size;
            put_texture(out, material);
            put_entry(directory, material, from, out->size, wad3);
            bspi_buffer_align(out, ALIGNMENT);
            count++;
        }
    }
    return count;
}

bool bsp_wad_write(const bsp_map *map, const bsp_allocator *allocator, uint32_t *written,
                   bsp_blob *out, bsp_error *error) {
    assert(map != NULL && written != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    *written = 0;
    if (!bspi_map_needs(map, BSP_LOAD_SURFACES, "a WAD", error)) {
        return false;
    }
    bspi_heap heap;
    bspi_map_heap(&heap, BSP_PRODUCT_EDIT, map, NULL, allocator);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    bspi_buffer directory = {.heap = &heap, .error = error};
    *written = put_all(map, &buffer, &directory);
    size_t at = buffer.size;
    bspi_buffer_add(&buffer, directory.data, directory.size);
    bool done = !buffer.failed && !directory.failed;
    bspi_buffer_free(&directory);
    if (done && buffer.size > INT32_MAX) {
        done = bsp_fail(error, BSP_E_RANGE, NULL, "the WAD would pass 2 GiB");
    }
    if (!done) {
        bspi_buffer_free(&buffer);
        return false;
    }
    set(&bspi_wad_head_t, buffer.data, BSPI_WAD_COUNT, *written);
    set(&bspi_wad_head_t, buffer.data, BSPI_WAD_OFFSET, (uint32_t)at);
    return bspi_buffer_give(&buffer, out);
}
