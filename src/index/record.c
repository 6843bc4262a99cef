// SPDX-License-Identifier: MIT
// Gathers what an index keeps of a map.
#include "index/record.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

// --- hashes -------------------------------------------------------------------------------------

// Mixes a number into a hash: no protection against maps that are made to collide, which an index
// would only show as alike.
static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 29;
}

static uint64_t mix_floats(uint64_t hash, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t bits;
        float value = values[i] + 0.0f; // one zero
        memcpy(&bits, &value, sizeof bits);
        hash = mix(hash, bits);
    }
    return hash;
}

static uint64_t mix_bytes(uint64_t hash, bsp_bytes bytes) {
    for (size_t i = 0; i < bytes.size; i += sizeof(uint64_t)) {
        uint64_t word = 0;
        size_t left = bytes.size - i;
        memcpy(&word, bytes.data + i, left < sizeof word ? left : sizeof word);
        hash = mix(hash, word);
    }
    return mix(hash, bytes.size);
}

// Keeps a hash if it is among the least. Those that are kept ascend, each once.
static void sketch(bspi_record *r, uint64_t hash) {
    uint32_t at = 0;
    if (r->num_sketch == BSPI_SKETCH && hash >= r->sketch[BSPI_SKETCH - 1]) {
        return;
    }
    while (at < r->num_sketch && r->sketch[at] < hash) {
        at++;
    }
    if (at < r->num_sketch && r->sketch[at] == hash) {
        return;
    }
    r->num_sketch += r->num_sketch < BSPI_SKETCH ? 1 : 0;
    memmove(&r->sketch[at + 1], &r->sketch[at], (r->num_sketch - 1 - at) * sizeof *r->sketch);
    r->sketch[at] = hash;
}

// The planes and the corners are what a compiler of light or visibility leaves alone.
static void hash_map(bspi_record *r) {
    const bsp_map *map = r->map;
    uint64_t hash = 1;
    for (uint32_t i = 0; i < map->num_planes; i++) {
        hash = mix_floats(hash, map->planes[i].normal, 3);
        hash = mix_floats(hash, &map->planes[i].dist, 1);
    }
    for (uint32_t i = 0; i < map->num_vertices; i++) {
        hash = mix_floats(hash, map->vertices[i].point, 3);
        sketch(r, mix_floats(1, map->vertices[i].point, 3));
    }
    for (uint32_t i = 0; i < map->num_draw_verts; i++) {
        hash = mix_floats(hash, map->draw_verts[i].point, 3);
        sketch(r, mix_floats(1, map->draw_verts[i].point, 3));
    }
    r->geometry = mix(mix(hash, map->num_faces), map->num_brushes);
    r->light = map->light.size + map->light_hdr.size == 0
                   ? 0
                   : mix_bytes(mix_bytes(1, map->light), map->light_hdr);
}

// --- names --------------------------------------------------------------------------------------

static bool add_name(bspi_record *r, const bspi_name *name, bsp_error *error) {
    if (r->num_names == r->room) {
        size_t room = r->room == 0 ? 256 : r->room * 2;
        bspi_name *grown = sqlite3_realloc64(r->names, room * sizeof *grown);
        if (grown == NULL) {
            return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for the names in a map");
        }
        r->names = grown;
        r->room = room;
    }
    r->names[r->num_names++] = *name;
    return true;
}

static bool add_assets(bspi_record *r, bool searched, bsp_error *error) {
    for (uint32_t i = 0; i < r->assets->count; i++) {
        const bsp_asset_use *use = &r->assets->list[i];
        int found = use->found ? 1 : searched ? 0 : -1;
        bspi_name name = {bsp_asset_kind_name(use->kind), use->name, found, use->size, 0};
        if (!add_name(r, &name, error)) {
            return false;
        }
    }
    return true;
}

static bool add_materials(bspi_record *r, bsp_error *error) {
    for (uint32_t i = 0; i < r->map->num_materials; i++) {
        const bsp_material *material = &r->map->materials[i];
        bool embedded = material->mips[0].size != 0;
        bspi_name name = {
            embedded ? "embedded texture" : "material", material->name, 1, material->mips[0].size,
            embedded ? mix_bytes(mix_bytes(1, material->mips[0]), material->palette) : 0};
        if (!embedded) {
            name.found = -1;
        }
        if (!add_name(r, &name, error)) {
            return false;
        }
    }
    return true;
}

static bool add_pak(bspi_record *r, bsp_error *error) {
    for (uint32_t i = 0; r->pak != NULL && i < r->pak->count; i++) {
        const bsp_pak_entry *entry = &r->pak->entries[i];
        bspi_name name = {"embedded file", entry->name, 1, entry->size, entry->crc};
        if (!add_name(r, &name, error)) {
            return false;
        }
    }
    return true;
}

// --- all ----------------------------------------------------------------------------------------

static void print_sums(bspi_record *r) {
    uint8_t digest[32];
    uint32_t sum;
    bsp_file_sha256(r->file, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        (void)snprintf(r->sha256 + 2 * i, 3, "%02x", digest[i]);
    }
    if (bsp_file_checksum(r->file, &sum)) {
        (void)snprintf(r->checksum, sizeof r->checksum, "%08x", (unsigned)sum);
    }
}

static void note(bspi_record *r, const bsp_error *error) {
    if (r->problem[0] == '\0') {
        (void)snprintf(r->problem, sizeof r->problem, "%s", error->message);
    }
}

bool bspi_record_gather(bspi_record *r, const bsp_file *file, const bsp_search *game,
                        bsp_error *error) {
    bsp_error why = {.code = BSP_OK};
    bsp_assets_options options = {.size = sizeof options};
    memset(r, 0, sizeof *r);
    r->file = file;
    r->issues = bsp_issues_new(NULL, 1);
    if (r->issues == NULL) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for issues");
    }
    print_sums(r);
    if (!bsp_check(file, r->issues, &why)) {
        note(r, &why);
    }
    r->map = bsp_map_load(file, NULL, &why);
    if (r->map == NULL) {
        note(r, &why);
        return why.code != BSP_E_MEMORY || bsp_fail(error, BSP_E_MEMORY, NULL, "%s", why.message);
    }
    hash_map(r);
    r->pak = bsp_file_pak(file, NULL, NULL);
    r->assets = bsp_assets_find(r->map, game, &options, &why);
    if (r->assets == NULL) {
        note(r, &why);
    }
    return (r->assets == NULL || add_assets(r, game != NULL, error)) && add_materials(r, error) &&
           add_pak(r, error);
}

void bspi_record_free(bspi_record *r) {
    sqlite3_free(r->names);
    bsp_assets_free(r->assets);
    bsp_pak_close(r->pak);
    bsp_map_free(r->map);
    bsp_issues_free(r->issues);
}
