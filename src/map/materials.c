// SPDX-License-Identifier: MIT
// Names: of the materials of surfaces, and of the models of props. The names of materials stand in
// embedded textures, in texinfos, in shader records or in a table of strings, by family.
#include "core/reader.h"
#include "core/text.h"
#include "formats/composites.h"
#include "formats/map_members.h"
#include "layout/layout.h"
#include "map/load.h"
#include "records/file.h"

#include <assert.h>
#include <string.h>

// The engines allow 260 bytes for a name, the compilers 128.
#define MOST_NAME 1024u

#define MAX_SHIFT 16u // a larger value is damage

uint32_t bsp_material_scale(const bsp_material *material) {
    assert(material != NULL);
    return material->shift == 0 || material->shift > MAX_SHIFT ? 1 : 2 * material->shift;
}

// --- embedded textures --------------------------------------------------------------------------

// Returns a run of the lump, or nothing when it does not all lie in the lump.
static bsp_bytes mip_pixels(bsp_bytes lump, size_t texture, uint32_t offset, uint64_t pixels) {
    bsp_bytes none = {NULL, 0};
    return offset == 0 ? none : bspi_slice(lump, (uint64_t)texture + offset, pixels);
}

// In GoldSrc a palette of 256 RGB triples follows the smallest mip: i16 count, colours.
static bsp_bytes mip_palette(bsp_bytes lump, size_t texture, uint32_t last_mip, uint64_t pixels) {
    bsp_bytes none = {NULL, 0};
    uint64_t at = (uint64_t)texture + last_mip + pixels;
    bsp_bytes count = bspi_slice(lump, at, 2);
    if (count.size == 0 || bspi_load16(count.data, false) != BSPI_PALETTE_COLORS) {
        return none;
    }
    return bspi_slice(lump, at + 2, BSPI_PALETTE_SIZE);
}

// The offsets of the mips are the last field of a texture's head.
static void read_texture(const bspi_loader *loader, bsp_bytes lump, const bsp_layout *layout,
                         size_t at, bsp_material *material) {
    bsp_bytes head = bspi_slice(lump, at, layout->size);
    uint32_t shift;
    if (head.size == 0) {
        return;
    }
    bsp_table table = {layout, head.data, 1, false};
    uint32_t offsets = layout->num_fields - 1;
    material->name = bsp_table_text(&table, 0, 0);
    material->width = (uint32_t)bsp_table_int(&table, 0, 1, 0);
    material->height = (uint32_t)bsp_table_int(&table, 0, 2, 0);
    if (bspi_layout_find(layout, BSPI_MEMBER_material_shift, &shift) != NULL) {
        material->shift = (uint32_t)bsp_table_int(&table, 0, shift, 0);
    }
    uint64_t pixels = (uint64_t)material->width * material->height;
    for (uint32_t m = 0; m < 4; m++) {
        uint32_t offset = (uint32_t)bsp_table_int(&table, 0, offsets, m);
        material->mips[m] = mip_pixels(lump, at, offset, pixels >> (2 * m));
    }
    uint32_t last = (uint32_t)bsp_table_int(&table, 0, offsets, 3);
    if (loader->map->traits->texture_palettes && last != 0) {
        material->palette = mip_palette(lump, at, last, pixels >> 6);
    }
}

static bool load_textures(bspi_loader *loader, uint32_t n) {
    bsp_bytes lump;
    if (!bsp_file_data(loader->file, n, &lump, loader->error)) {
        return false;
    }
    const bsp_layout *head = bsp_file_lump(loader->file, n)->def->variants[0].layout;
    uint32_t count = loader->counts.records[BSP_ID_TEXTURES];
    bsp_material *materials =
        bspi_arena_zero(&loader->owner->arena, count, sizeof *materials, loader->error);
    if (materials == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        bsp_bytes entry = bspi_slice(lump, 4 + 4 * (uint64_t)i, 4);
        uint32_t offset = entry.size == 0 ? BSP_NONE : bspi_load32(entry.data, false);
        if (offset != BSP_NONE) {
            read_texture(loader, lump, head, offset, &materials[i]);
        }
    }
    loader->map->materials = materials;
    loader->map->num_materials = count;
    return true;
}

// --- names in records ---------------------------------------------------------------------------

static bool find(const bspi_loader *loader, bsp_table_id id, bsp_parts *parts, bsp_table *table,
                 bool *there) {
    return bspi_file_table(loader->file, id, parts, table, there, loader->error);
}

// Returns the field of a table that becomes `map_member`, or BSP_NONE.
static uint32_t field_of(const bsp_table *table, uint16_t map_member) {
    uint32_t field;
    return bspi_layout_find(table->layout, map_member, &field) == NULL ? BSP_NONE : field;
}

static void name_by_field(bspi_loader *loader, const bsp_table *table, uint32_t field) {
    bsp_material *materials = bspi_writable(loader->map->materials);
    for (uint32_t i = 0; i < table->count && i < loader->map->num_materials; i++) {
        materials[i].name = bsp_table_text(table, i, field);
    }
}

// Returns a string of the lump; one that is longer than any name is cut.
static bsp_text string_at(bsp_bytes strings, uint32_t offset) {
    bsp_text text = {NULL, 0};
    if (offset < strings.size) {
        size_t room = strings.size - offset < MOST_NAME ? strings.size - offset : MOST_NAME;
        const uint8_t *start = strings.data + offset;
        const uint8_t *end = memchr(start, '\0', room);
        text.data = (const char *)start;
        text.size = end == NULL ? room : (size_t)(end - start);
    }
    return text;
}

static void say_cut(bspi_loader *loader, const bsp_table *table, uint32_t record, uint32_t field,
                    bsp_text name) {
    if (name.size == MOST_NAME) {
        bspi_issue(loader->issues, BSPI_ISSUE_STRING_UNENDED,
                   bsp_place_at(bsp_branch_lump_of(loader->map->branch, BSP_ID_TEXTURES)->name,
                                record, table->layout->fields[field].name, UINT64_MAX),
                   "the name does not end within %u bytes: it is cut", MOST_NAME);
    }
}

// Source: a texdata refers to an entry of the string table, which is an offset into the string
// data.
static bool name_by_string(bspi_loader *loader, const bsp_table *table, uint32_t field) {
    bsp_parts parts;
    bsp_table offsets;
    bsp_bytes strings;
    bool there;
    uint32_t data = bsp_file_find_id(loader->file, BSP_ID_STRING_DATA);
    if (!bspi_lump_bytes(loader, data, &strings) ||
        !find(loader, BSP_ID_STRING_TABLE, &parts, &offsets, &there)) {
        return false;
    }
    if (!there) {
        return true;
    }
    bsp_material *materials = bspi_writable(loader->map->materials);
    for (uint32_t i = 0; i < table->count && i < loader->map->num_materials; i++) {
        int64_t entry = bsp_table_int(table, i, field, 0);
        if (entry >= 0 && entry < offsets.count) {
            materials[i].name =
                string_at(strings, (uint32_t)bsp_table_int(&offsets, (uint32_t)entry, 0, 0));
        }
        say_cut(loader, table, i, field, materials[i].name);
    }
    bsp_parts_free(&parts);
    return true;
}

// Apex Legends: as in Source, but without the table.
static bool name_by_offset(bspi_loader *loader, const bsp_table *table, uint32_t field) {
    bsp_material *materials = bspi_writable(loader->map->materials);
    bsp_bytes strings;
    if (!bspi_lump_bytes(loader, bsp_file_find_id(loader->file, BSP_ID_STRING_DATA), &strings)) {
        return false;
    }
    for (uint32_t i = 0; i < table->count && i < loader->map->num_materials; i++) {
        materials[i].name = string_at(strings, (uint32_t)bsp_table_int(table, i, field, 0));
        say_cut(loader, table, i, field, materials[i].name);
    }
    return true;
}

static bool name_materials(bspi_loader *loader) {
    bsp_parts parts;
    bsp_table table;
    bool there;
    if (!find(loader, BSP_ID_TEXTURES, &parts, &table, &there)) {
        return false;
    }
    if (!there) {
        return true;
    }
    bool done = true;
    uint32_t name = field_of(&table, BSPI_MEMBER_material_name);
    uint32_t string = field_of(&table, BSPI_MEMBER_material_string);
    uint32_t offset = field_of(&table, BSPI_MEMBER_material_name_offset);
    if (name != BSP_NONE) {
        name_by_field(loader, &table, name);
    } else if (string != BSP_NONE) {
        done = name_by_string(loader, &table, string);
    } else if (offset != BSP_NONE) {
        done = name_by_offset(loader, &table, offset);
    }
    bsp_parts_free(&parts);
    return done;
}

// --- names in texinfos --------------------------------------------------------------------------

typedef struct name_set {
    uint32_t *slots; // index of a material, or BSP_NONE
    uint32_t mask;
    bsp_material *materials;
    uint32_t count;
} name_set;

static uint32_t intern(name_set *set, bsp_text name) {
    uint32_t slot = bspi_text_hash_nocase(name) & set->mask;
    while (set->slots[slot] != BSP_NONE) {
        if (bspi_text_equal_nocase(set->materials[set->slots[slot]].name, name)) {
            return set->slots[slot];
        }
        slot = (slot + 1) & set->mask;
    }
    set->slots[slot] = set->count;
    set->materials[set->count].name = name;
    return set->count++;
}

static bool gather_names(bspi_loader *loader, const bsp_table *table, uint32_t field) {
    bsp_texinfo *texinfos = bspi_writable(loader->map->texinfos);
    uint32_t count =
        table->count < loader->map->num_texinfos ? table->count : loader->map->num_texinfos;
    uint32_t slots = 16;
    while (slots < count * 2u && slots < UINT32_MAX / 2) {
        slots *= 2;
    }
    bspi_arena *arena = &loader->owner->arena;
    name_set set = {bspi_arena_raw(arena, slots, sizeof(uint32_t), loader->error), slots - 1,
                    bspi_arena_zero(arena, count, sizeof(bsp_material), loader->error), 0};
    if (set.slots == NULL || set.materials == NULL) {
        return false;
    }
    memset(set.slots, 0xFF, slots * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        texinfos[i].material = intern(&set, bsp_table_text(table, i, field));
    }
    loader->map->materials = set.materials;
    loader->map->num_materials = set.count;
    return true;
}

static bool name_texinfos(bspi_loader *loader) {
    bsp_parts parts;
    bsp_table table;
    bool there;
    if (!find(loader, BSP_ID_TEXINFO, &parts, &table, &there)) {
        return false;
    }
    if (!there) {
        return true;
    }
    uint32_t field = field_of(&table, BSPI_MEMBER_texinfo_name);
    bool done = field == BSP_NONE || gather_names(loader, &table, field);
    bsp_parts_free(&parts);
    return done;
}

bool bspi_load_materials(bspi_loader *loader) {
    if ((loader->load & BSP_LOAD_SURFACES) == 0) {
        return true;
    }
    uint32_t n = bsp_file_find_id(loader->file, BSP_ID_TEXTURES);
    if (n == BSP_NONE) {
        return name_texinfos(loader);
    }
    return bsp_file_lump(loader->file, n)->kind == BSP_KIND_TEXTURES ? load_textures(loader, n)
                                                                     : name_materials(loader);
}

// --- models of props ----------------------------------------------------------------------------

static bool load_list(bspi_loader *loader, const bspi_names *row) {
    bsp_parts parts;
    bsp_table table;
    bool there;
    if (!find(loader, row->id, &parts, &table, &there)) {
        return false;
    }
    if (!there) {
        return true;
    }
    bsp_text *names =
        bspi_arena_zero(&loader->owner->arena, table.count, sizeof *names, loader->error);
    for (uint32_t i = 0; names != NULL && i < table.count; i++) {
        names[i] = bsp_table_text(&table, i, 0);
    }
    uint32_t count = names == NULL ? 0 : table.count;
    memcpy((uint8_t *)loader->map + row->pointer, &names, sizeof names);
    memcpy((uint8_t *)loader->map + row->count, &count, sizeof count);
    bsp_parts_free(&parts);
    return names != NULL;
}

bool bspi_load_names(bspi_loader *loader) {
    uint32_t count;
    const bspi_names *names = bspi_names_arrays(&count);
    for (uint32_t i = 0; i < count; i++) {
        if ((loader->load & names[i].load) != 0 && !load_list(loader, &names[i])) {
            return false;
        }
    }
    return true;
}
