// SPDX-License-Identifier: MIT
// Materials: what their .vmt says about compiling, and the size and mean colour of their texture.
// Rules: sheet source-lumps, section 11; containers: sheet outputs, section 5.
#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSEEN (SURF_NODRAW | SURF_NOLIGHT)

// The tool materials of the games, which are no part of the sample.
typedef struct tool {
    const char *name;
    uint32_t contents;
    uint32_t flags;
} tool;

static const tool tools[] = {
    {"tools/toolsskybox", CONTENTS_SOLID, SURF_SKY | SURF_NOLIGHT},
    {"tools/toolsnodraw", CONTENTS_SOLID, UNSEEN},
    {"tools/toolstrigger", CONTENTS_SOLID, UNSEEN | SURF_TRIGGER},
    {"tools/toolshint", 0, UNSEEN | SURF_HINT},
    {"tools/toolsskip", 0, UNSEEN | SURF_SKIP},
    {"tools/toolsorigin", CONTENTS_ORIGIN | CONTENTS_DETAIL, UNSEEN},
    {"tools/toolsclip", CONTENTS_PLAYERCLIP | CONTENTS_MONSTERCLIP | CONTENTS_DETAIL, UNSEEN},
};

// --- .vmt ---------------------------------------------------------------------------------------

static bool has(const kv *vmt, const char *key) {
    return kv_number(vmt, key, 0) != 0;
}

static void read_contents(const kv *vmt, material *m) {
    bool liquid = has(vmt, "%compilewater") || has(vmt, "%compileslime");
    bool unlit = same_text(vmt->name, "UnlitGeneric") || same_text(vmt->name, "Water");
    m->contents = CONTENTS_SOLID;
    m->flags = unlit ? SURF_NOLIGHT : 0;
    if (kv_value(vmt, "$bumpmap", NULL) != NULL && !unlit) {
        m->flags |= SURF_BUMPLIGHT;
    }
    if (has(vmt, "%compilepassbullets")) {
        m->contents = CONTENTS_GRATE;
    }
    if (has(vmt, "%compilewater")) {
        m->contents = CONTENTS_WATER;
        m->flags |= SURF_WARP | SURF_NOSHADOWS | SURF_NODECALS;
    }
    if (has(vmt, "%compileslime")) {
        m->contents = CONTENTS_SLIME;
        m->flags |= SURF_NODECALS;
    }
    if (has(vmt, "$translucent") && !liquid) {
        m->contents = m->contents == CONTENTS_GRATE ? m->contents : CONTENTS_WINDOW;
        m->contents |= CONTENTS_TRANSLUCENT;
        m->flags |= SURF_TRANS;
    }
}

static const char *path_of(const world *w, const char *name, const char *extension) {
    size_t size = strlen(w->folder) + strlen(name) + strlen(extension) + sizeof "materials/";
    char *path = pool_alloc(size);
    snprintf(path, size, "%smaterials/%s%s", w->folder, name, extension);
    for (char *c = path + strlen(w->folder); *c != '\0'; c++) {
        *c = *c >= 'A' && *c <= 'Z' ? (char)(*c + 'a' - 'A') : *c;
    }
    return path;
}

static float float_at(const uint8_t *data) {
    uint32_t word =
        data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
    float out;
    memcpy(&out, &word, sizeof out);
    return out;
}

static void read_texture(const world *w, const kv *vmt, material *m) {
    const char *name = kv_value(vmt, "$basetexture", "");
    size_t size;
    const uint8_t *vtf = (const uint8_t *)read_file(path_of(w, name, ".vtf"), &size);
    if (vtf == NULL || size < 64) {
        fail("%s: cannot be read", path_of(w, name, ".vtf"));
    }
    m->width = vtf[16] | (uint32_t)vtf[17] << 8;
    m->height = vtf[18] | (uint32_t)vtf[19] << 8;
    for (int i = 0; i < 3; i++) {
        m->reflectivity[i] = (double)float_at(vtf + 32 + 4 * i);
    }
}

static void read_vmt(const world *w, material *m) {
    size_t size;
    const char *path = path_of(w, m->name, ".vmt");
    char *text = read_file(path, &size);
    if (text == NULL) {
        fail("%s: cannot be read", path);
    }
    const kv *root = kv_parse(text, path);
    if (root->count == 0 || root->list[0].value != NULL) {
        fail("%s: is no material", path);
    }
    read_contents(&root->list[0], m);
    read_texture(w, &root->list[0], m);
    m->mirror = same_text(kv_value(&root->list[0], "$envmap", ""), "env_cubemap");
}

// --- lists --------------------------------------------------------------------------------------

uint32_t find_material(world *w, const char *name) {
    for (uint32_t i = 0; i < w->num_materials; i++) {
        if (same_text(w->materials[i].name, name)) {
            return i;
        }
    }
    material m = {.name = name,
                  .width = 64,
                  .height = 64,
                  .reflectivity = {0.5, 0.5, 0.5},
                  .mirror_of = BSP_NONE};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (same_text(tools[i].name, name)) {
            m.contents = tools[i].contents;
            m.flags = tools[i].flags;
            m.tool = true;
            PUSH(w->materials, w->num_materials, m);
            return w->num_materials - 1;
        }
    }
    read_vmt(w, &m);
    PUSH(w->materials, w->num_materials, m);
    return w->num_materials - 1;
}

uint32_t mirrored_material(world *w, uint32_t of, vec3 place) {
    char name[160];
    snprintf(name, sizeof name, "maps/%s/%s_%d_%d_%d", w->map_name, w->materials[of].name,
             (int)place.v[0], (int)place.v[1], (int)place.v[2]);
    for (uint32_t i = 0; i < w->num_materials; i++) {
        if (same_text(w->materials[i].name, name)) {
            return i;
        }
    }
    material m = w->materials[of];
    m.name = pool_text(name, strlen(name));
    m.mirror = false;
    m.mirror_of = of;
    PUSH(w->materials, w->num_materials, m);
    return w->num_materials - 1;
}

uint32_t find_texinfo(world *w, const texinfo *wanted) {
    for (uint32_t i = 0; i < w->num_texinfos; i++) {
        const texinfo *t = &w->texinfos[i];
        bool same = t->flags == wanted->flags && t->material == wanted->material;
        for (int a = 0; same && a < 2; a++) {
            for (int c = 0; same && c < 4; c++) {
                same = t->texture[a][c] == wanted->texture[a][c] &&
                       t->light[a][c] == wanted->light[a][c];
            }
        }
        if (same) {
            return i;
        }
    }
    PUSH(w->texinfos, w->num_texinfos, *wanted);
    return w->num_texinfos - 1;
}
