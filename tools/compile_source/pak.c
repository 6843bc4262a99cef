// SPDX-License-Identifier: MIT
// The embedded zip: our materials and textures, stored, each aligned to 4 bytes, with the comment
// that Valve's tools leave. Format: sheet source-lumps, section 8.
#include "keys.h"

#include "core/text.h"
#include "edit/pak/zip_record.h"
#include "formats/composites.h"

#include <string.h>

#define ALIGNMENT 4u
#define EXTRA_HEAD 4u // of a field of the extra: its number and its size
#define MADE_BY 20

typedef struct member {
    bsp_text name;
    bsp_bytes data;
    bspi_zip_facts facts;
    uint32_t offset;
} member;

typedef struct archive {
    world *w;
    member *members;
    uint32_t count;
} archive;

// --- members ------------------------------------------------------------------------------------

static bsp_text in_lower_case(bsp_text name) {
    char *low = zeroed(name.size + 1);
    for (size_t i = 0; i < name.size; i++) {
        low[i] = bspi_lower(name.data[i]);
    }
    return (bsp_text){low, name.size};
}

static void add_member(archive *a, bsp_text name, bsp_bytes data) {
    member m = {.name = in_lower_case(name), .data = data};
    for (uint32_t i = 0; i < a->count; i++) {
        if (bsp_text_equal(a->members[i].name, m.name)) {
            return;
        }
    }
    m.facts = (bspi_zip_facts){.method = BSP_PAK_STORED,
                               .crc = bsp_crc32(0, data),
                               .size = (uint32_t)data.size,
                               .packed = (uint32_t)data.size};
    PUSH(a->members, a->count, m);
}

static void add_texture(archive *a, bsp_text texture) {
    if (texture.size != 0) {
        bsp_text name = text_format("materials/%.*s.vtf", TEXT_ARGS(texture));
        add_member(a, name, load_file(a->w, name));
    }
}

// A material and the textures that it names.
static void add_material(archive *a, bsp_text name) {
    bsp_text path = text_format("materials/%.*s.vmt", TEXT_ARGS(name));
    add_member(a, path, load_file(a->w, path));
    bsp_vmt *vmt = load_material(a->w, name);
    add_texture(a, vmt->base_texture);
    add_texture(a, vmt->base_texture2);
    add_texture(a, vmt->bump_map);
    bsp_vmt_free(vmt);
}

// What Valve's compiler makes of a material that mirrors the nearest cubemap.
static void add_mirrors(archive *a) {
    const world *w = a->w;
    for (uint32_t c = 0; c < w->num_cubemaps; c++) {
        const double *at = w->cubemaps[c].v;
        bsp_text place = text_format("%d_%d_%d", (int)at[0], (int)at[1], (int)at[2]);
        bsp_text cube = text_format("maps/%.*s/c%s", TEXT_ARGS(w->map_name), place.data);
        for (uint32_t i = 0; i < w->num_materials; i++) {
            const material *m = &w->materials[i];
            if (!m->mirror) {
                continue;
            }
            bsp_text name = text_format("materials/maps/%.*s/%.*s_%s.vmt", TEXT_ARGS(w->map_name),
                                        TEXT_ARGS(m->name), place.data);
            bsp_text text = text_format("\"patch\"\n{\n\t\"include\" \"materials/%.*s.vmt\"\n"
                                        "\t\"replace\"\n\t{\n\t\t\"$envmap\" \"%s\"\n\t}\n}\n",
                                        TEXT_ARGS(m->name), cube.data);
            add_member(a, name, (bsp_bytes){(const uint8_t *)text.data, text.size});
        }
        add_member(a, text_format("materials/%s.vtf", cube.data),
                   load_file(w, bsp_text_of("materials/lobby/cubemap.vtf")));
    }
}

static void add_sky(archive *a) {
    static const char *const sides[] = {"bk", "dn", "ft", "lf", "rt", "up"};
    bsp_text sky = key_text(a->w, a->w->entities, "skyname");
    for (size_t i = 0; sky.size != 0 && i < sizeof sides / sizeof *sides; i++) {
        add_material(a, text_format("skybox/%.*s%s", TEXT_ARGS(sky), sides[i]));
    }
}

// The sheet of detail sprites and the materials of ropes, where they are ours.
static void add_named(archive *a) {
    for (uint32_t i = 0; i < a->w->num_entities; i++) {
        static const char *const keys[] = {"detailmaterial", "RopeMaterial"};
        for (int k = 0; k < 2; k++) {
            bsp_text name = key_text(a->w, &a->w->entities[i], keys[k]);
            bsp_text path = text_format("materials/%.*s.vmt", TEXT_ARGS(name));
            if (name.size != 0 && bsp_search_find(a->w->files, path) != NULL) {
                add_material(a, name);
            }
        }
    }
}

// --- the zip ------------------------------------------------------------------------------------

static uint8_t *room_for(bspi_buffer *out, size_t size) {
    uint8_t *place = bspi_buffer_grow(out, size);
    if (place == NULL) {
        fail("no memory for the pak");
    }
    return place;
}

// The number that others give to an extra field for alignment, low byte first.
static const uint8_t extra_align[2] = {0x35, 0xd9};

static void put_member(bspi_buffer *out, member *m) {
    uint32_t head = bspi_zip_head_size(m->name);
    uint32_t over = (uint32_t)(out->size + head) % ALIGNMENT;
    uint32_t extra = over == 0 ? 0 : EXTRA_HEAD + ALIGNMENT - over;
    m->offset = (uint32_t)out->size;
    uint8_t *place = room_for(out, head + extra);
    bspi_zip_head(place, m->name, &m->facts);
    bspi_zip_set(&bspi_zip_local_t, place, "extra_length", extra);
    if (extra != 0) {
        memcpy(place + head, extra_align, sizeof extra_align);
        place[head + 2] = (uint8_t)(extra - EXTRA_HEAD);
    }
    bspi_buffer_add(out, m->data.data, m->data.size);
}

static void put_directory(bspi_buffer *out, const archive *a) {
    static const char comment[32] = "XZP1 0";
    uint32_t start = (uint32_t)out->size;
    for (uint32_t i = 0; i < a->count; i++) {
        const member *m = &a->members[i];
        uint8_t *record = room_for(out, bspi_zip_central_t.size);
        memcpy(record, "PK\1\2", 4);
        bspi_zip_describe(&bspi_zip_central_t, record, m->name, &m->facts);
        bspi_zip_set(&bspi_zip_central_t, record, "version_made_by", MADE_BY);
        bspi_zip_set(&bspi_zip_central_t, record, "offset", m->offset);
        bspi_buffer_add(out, m->name.data, m->name.size);
    }
    uint32_t size = (uint32_t)out->size - start;
    uint8_t *end = room_for(out, bspi_zip_end_t.size);
    memcpy(end, "PK\5\6", 4);
    bspi_zip_set(&bspi_zip_end_t, end, "disk_entries", a->count);
    bspi_zip_set(&bspi_zip_end_t, end, "entries", a->count);
    bspi_zip_set(&bspi_zip_end_t, end, "directory_size", size);
    bspi_zip_set(&bspi_zip_end_t, end, "directory_offset", start);
    bspi_zip_set(&bspi_zip_end_t, end, "comment_length", sizeof comment);
    bspi_buffer_add(out, comment, sizeof comment);
}

void make_pak(world *w) {
    archive a = {.w = w};
    for (uint32_t i = 0; i < w->num_materials; i++) {
        if (w->materials[i].mirror_of == BSP_NONE && !w->materials[i].tool) {
            add_material(&a, w->materials[i].name);
        }
    }
    add_named(&a);
    add_sky(&a);
    add_mirrors(&a);
    for (uint32_t i = 0; i < a.count; i++) {
        put_member(&w->pak, &a.members[i]);
    }
    put_directory(&w->pak, &a);
}
