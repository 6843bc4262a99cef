// SPDX-License-Identifier: MIT
// The textures of a map as a WAD. Format: sheet goldsrc-quake1, sections 4 and 8.
#include "bspkit/edit.h"

#include "core/buffer.h"
#include "core/reader.h"

#include <string.h>

#define HEAD_SIZE 12u
#define NAME_SIZE 16u
#define MIPTEX_SIZE 40u
#define PALETTE_SIZE 768u
#define TYPE_WAD2 0x44u
#define TYPE_WAD3 0x43u
#define ALIGNMENT 4u

static bool is_whole(const bsp_material *material) {
    for (uint32_t mip = 0; mip < 4; mip++) {
        if (material->mips[mip].size == 0) {
            return false;
        }
    }
    return material->name.size != 0;
}

static bool has_palette(const bsp_material *material) {
    return material->palette.size == PALETTE_SIZE;
}

static void put_name(bspi_buffer *out, bsp_text name) {
    uint8_t *place = bspi_buffer_grow(out, NAME_SIZE);
    if (place != NULL) {
        memcpy(place, name.data, name.size < NAME_SIZE ? name.size : NAME_SIZE - 1);
    }
}

static void put_texture(bspi_buffer *out, const bsp_material *material) {
    uint32_t at = MIPTEX_SIZE;
    put_name(out, material->name);
    bspi_buffer_u32(out, material->width, false);
    bspi_buffer_u32(out, material->height, false);
    for (uint32_t mip = 0; mip < 4; mip++) {
        bspi_buffer_u32(out, at, false);
        at += (uint32_t)material->mips[mip].size;
    }
    for (uint32_t mip = 0; mip < 4; mip++) {
        bspi_buffer_add(out, material->mips[mip].data, material->mips[mip].size);
    }
    if (has_palette(material)) {
        const uint8_t colours[2] = {0, 1}; // 256, little-endian
        bspi_buffer_add(out, colours, sizeof colours);
        bspi_buffer_add(out, material->palette.data, PALETTE_SIZE);
    }
}

// An entry of the directory for a texture that lies from `from` to `to`.
static void put_entry(bspi_buffer *directory, const bsp_material *material, size_t from, size_t to,
                      bool wad3) {
    const uint8_t type[4] = {wad3 ? TYPE_WAD3 : TYPE_WAD2};
    bspi_buffer_u32(directory, (uint32_t)from, false);
    bspi_buffer_u32(directory, (uint32_t)(to - from), false);
    bspi_buffer_u32(directory, (uint32_t)(to - from), false);
    bspi_buffer_add(directory, type, sizeof type);
    put_name(directory, material->name);
}

// All of a WAD have palettes, or none: the others are left out.
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
    bspi_buffer_add(out, wad3 ? "WAD3" : "WAD2", 4);
    (void)bspi_buffer_grow(out, HEAD_SIZE - 4);
    // Hostile directories name one texture many times: what passes 2 GiB is refused by the caller.
    for (uint32_t i = 0; i < map->num_materials && out->size <= INT32_MAX && !out->failed; i++) {
        const bsp_material *material = &map->materials[i];
        if (is_whole(material) && has_palette(material) == wad3) {
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
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    bspi_buffer directory = {.heap = &heap, .error = error};
    memset(out, 0, sizeof *out);
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
    bspi_store32(buffer.data + 4, *written, false);
    bspi_store32(buffer.data + 8, (uint32_t)at, false);
    return bspi_buffer_give(&buffer, out);
}
