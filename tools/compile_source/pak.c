// SPDX-License-Identifier: MIT
// The embedded zip: our materials and textures, stored, each aligned to 4 bytes, with the comment
// that Valve's tools leave. Format: sheet source-lumps, section 8.
#include "world.h"

#include <stdio.h>
#include <string.h>

typedef struct member {
    const char *name;
    bytes data;
    uint32_t crc;
    uint32_t offset;
} member;

typedef struct archive {
    world *w;
    member *members;
    uint32_t count;
} archive;

void bytes_add(bytes *b, const void *data, size_t size) {
    // Grows by doubling, like the arrays of the pool.
    size_t room = 64;
    while (room < b->size) {
        room *= 2;
    }
    if (b->data == NULL || b->size + size > room) {
        while (room < b->size + size) {
            room *= 2;
        }
        uint8_t *grown = pool_alloc(room);
        if (b->size != 0) {
            memcpy(grown, b->data, b->size);
        }
        b->data = grown;
    }
    if (size != 0) {
        memcpy(b->data + b->size, data, size);
    }
    b->size += size;
}

// --- members ------------------------------------------------------------------------------------

static void add_member(archive *a, const char *name, bytes data) {
    char *low = pool_text(name, strlen(name));
    for (char *c = low; *c != '\0'; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 'a' - 'A') : *c;
    }
    for (uint32_t i = 0; i < a->count; i++) {
        if (same_text(a->members[i].name, low)) {
            return;
        }
    }
    member m = {.name = low, .data = data};
    m.crc = bsp_crc32(0, (bsp_bytes){data.data, data.size});
    PUSH(a->members, a->count, m);
}

static const char *joined(const char *a, const char *b, const char *c) {
    size_t size = strlen(a) + strlen(b) + strlen(c) + 1;
    char *out = pool_alloc(size);
    snprintf(out, size, "%s%s%s", a, b, c);
    return out;
}

static bytes load(const world *w, const char *name) {
    char *path = pool_text(name, strlen(name));
    for (char *c = path; *c != '\0'; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 'a' - 'A') : *c;
    }
    bytes out = {NULL, 0};
    out.data = (uint8_t *)read_file(joined(w->folder, path, ""), &out.size);
    if (out.data == NULL) {
        fail("%s%s: cannot be read", w->folder, path);
    }
    return out;
}

static void add_file(archive *a, const char *name) {
    add_member(a, name, load(a->w, name));
}

// A material and the textures that it names.
static void add_material(archive *a, const char *name) {
    static const char *const keys[] = {"$basetexture", "$basetexture2", "$bumpmap"};
    const char *path = joined("materials/", name, ".vmt");
    bytes text = load(a->w, path);
    add_member(a, path, text);
    const kv *root = kv_parse((const char *)text.data, path);
    for (size_t i = 0; root->count != 0 && i < sizeof keys / sizeof *keys; i++) {
        const char *texture = kv_value(&root->list[0], keys[i], NULL);
        if (texture != NULL) {
            add_file(a, joined("materials/", texture, ".vtf"));
        }
    }
}

// What Valve's compiler makes of a material that mirrors the nearest cubemap.
static void add_mirrors(archive *a) {
    world *w = a->w;
    for (uint32_t c = 0; c < w->num_cubemaps; c++) {
        char place[64];
        snprintf(place, sizeof place, "%d_%d_%d", (int)w->cubemaps[c].v[0],
                 (int)w->cubemaps[c].v[1], (int)w->cubemaps[c].v[2]);
        const char *folder = joined("maps/", w->map_name, "/");
        const char *cube = joined(folder, "c", place);
        for (uint32_t i = 0; i < w->num_materials; i++) {
            const material *m = &w->materials[i];
            const char *patched = joined(folder, joined(m->name, "_", place), "");
            if (!m->mirror) {
                continue;
            }
            char text[512];
            int size = snprintf(text, sizeof text,
                                "\"patch\"\n{\n\t\"include\" \"materials/%s.vmt\"\n"
                                "\t\"replace\"\n\t{\n\t\t\"$envmap\" \"%s\"\n\t}\n}\n",
                                m->name, cube);
            bytes data = {(uint8_t *)pool_text(text, (size_t)size), (size_t)size};
            add_member(a, joined("materials/", patched, ".vmt"), data);
        }
        add_member(a, joined("materials/", cube, ".vtf"), load(w, "materials/lobby/cubemap.vtf"));
    }
}

static void add_sky(archive *a) {
    static const char *const sides[] = {"bk", "dn", "ft", "lf", "rt", "up"};
    const char *sky = kv_value(a->w->entities[0].keys, "skyname", NULL);
    for (size_t i = 0; sky != NULL && i < sizeof sides / sizeof *sides; i++) {
        add_material(a, joined("skybox/", sky, sides[i]));
    }
}

// --- the zip ------------------------------------------------------------------------------------

static void put(bytes *out, uint32_t value, size_t size) {
    uint8_t little[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                         (uint8_t)(value >> 24)};
    bytes_add(out, little, size);
}

// What both heads of a member have in common: version, flags, method, time, date, sizes.
static void put_facts(bytes *out, const member *m, uint32_t extra) {
    put(out, 10, 2);
    put(out, 0, 4);
    put(out, 0, 4);
    put(out, m->crc, 4);
    put(out, (uint32_t)m->data.size, 4);
    put(out, (uint32_t)m->data.size, 4);
    put(out, (uint32_t)strlen(m->name), 2);
    put(out, extra, 2);
}

static void put_member(bytes *out, member *m) {
    size_t name = strlen(m->name);
    m->offset = (uint32_t)out->size;
    size_t data = out->size + 30 + name;
    uint32_t fill = (uint32_t)((4 - data % 4) % 4);
    uint32_t extra = fill == 0 ? 0 : 4 + fill; // a field of an extra has a head of four bytes
    put(out, 0x04034b50, 4);
    put_facts(out, m, extra);
    bytes_add(out, m->name, name);
    if (extra != 0) {
        put(out, 0xd935, 2); // the number that others use for alignment
        put(out, fill, 2);
        put(out, 0, fill);
    }
    bytes_add(out, m->data.data, m->data.size);
}

static void put_directory(bytes *out, const archive *a) {
    uint32_t start = (uint32_t)out->size;
    for (uint32_t i = 0; i < a->count; i++) {
        const member *m = &a->members[i];
        put(out, 0x02014b50, 4);
        put(out, 20, 2);
        put_facts(out, m, 0);
        put(out, 0, 4); // comment, disk
        put(out, 0, 2);
        put(out, 0, 4);
        put(out, m->offset, 4);
        bytes_add(out, m->name, strlen(m->name));
    }
    char comment[32] = "XZP1 0";
    uint32_t size = (uint32_t)out->size - start;
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, a->count, 2);
    put(out, a->count, 2);
    put(out, size, 4);
    put(out, start, 4);
    put(out, sizeof comment, 2);
    bytes_add(out, comment, sizeof comment);
}

void make_pak(world *w) {
    archive a = {.w = w};
    for (uint32_t i = 0; i < w->num_materials; i++) {
        if (w->materials[i].mirror_of == BSP_NONE && !w->materials[i].tool) {
            add_material(&a, w->materials[i].name);
        }
    }
    add_sky(&a);
    add_mirrors(&a);
    for (uint32_t i = 0; i < a.count; i++) {
        put_member(&w->pak, &a.members[i]);
    }
    put_directory(&w->pak, &a);
}
