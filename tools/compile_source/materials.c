// SPDX-License-Identifier: MIT
// Materials: what their .vmt says about compiling, and the size and mean colour of their texture.
// Rules: sheet source-lumps, section 11; containers: sheet outputs, section 5.
#include "keys.h"

#include "core/text.h"

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

bsp_bytes load_file(const world *w, bsp_text name) {
    bsp_blob blob;
    bsp_error error;
    if (!bsp_search_read(w->files, name, &blob, &error)) {
        fail("%.*s: %s", TEXT_ARGS(name), error.message);
    }
    uint8_t *copy = zeroed(blob.size);
    memcpy(copy, blob.data, blob.size);
    bsp_bytes out = {copy, blob.size};
    bsp_blob_free(&blob);
    return out;
}

bsp_vmt *load_material(const world *w, bsp_text name) {
    bsp_bytes text = load_file(w, text_format("materials/%.*s.vmt", TEXT_ARGS(name)));
    bsp_error error;
    bsp_vmt *vmt =
        bsp_vmt_parse((bsp_text){(const char *)text.data, text.size}, w->files, NULL, &error);
    if (vmt == NULL) {
        fail("%.*s: %s", TEXT_ARGS(name), error.message);
    }
    return vmt;
}

static bool has(const bsp_vmt *vmt, const char *key) {
    return number_in(bsp_vmt_get(vmt, key), 0) != 0;
}

static void read_contents(const bsp_vmt *vmt, material *m) {
    bool liquid = has(vmt, "%compilewater") || has(vmt, "%compileslime");
    bool unlit = bspi_text_is(vmt->shader, "UnlitGeneric") || bspi_text_is(vmt->shader, "Water");
    m->contents = CONTENTS_SOLID;
    m->flags = unlit ? SURF_NOLIGHT : 0;
    if (vmt->bump_map.size != 0 && !unlit) {
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

static void read_texture(const world *w, const bsp_vmt *vmt, material *m) {
    bsp_text name = text_format("materials/%.*s.vtf", TEXT_ARGS(vmt->base_texture));
    bsp_vtf vtf;
    bsp_error error;
    if (!bsp_vtf_read(load_file(w, name), &vtf, &error)) {
        fail("%.*s: %s", TEXT_ARGS(name), error.message);
    }
    m->width = vtf.width;
    m->height = vtf.height;
    for (int i = 0; i < 3; i++) {
        m->reflectivity[i] = (double)vtf.reflectivity[i];
    }
}

static void read_material(const world *w, material *m) {
    bsp_vmt *vmt = load_material(w, m->name);
    read_contents(vmt, m);
    read_texture(w, vmt, m);
    m->mirror = bspi_text_is(bsp_vmt_get(vmt, "$envmap"), "env_cubemap");
    bsp_vmt_free(vmt);
}

// --- lists --------------------------------------------------------------------------------------

uint32_t find_material(world *w, bsp_text name) {
    for (uint32_t i = 0; i < w->num_materials; i++) {
        if (bspi_text_equal_nocase(w->materials[i].name, name)) {
            return i;
        }
    }
    material m = {.name = name,
                  .width = 64,
                  .height = 64,
                  .reflectivity = {0.5, 0.5, 0.5},
                  .mirror_of = BSP_NONE};
    for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
        if (bspi_text_is(name, tools[i].name)) {
            m.contents = tools[i].contents;
            m.flags = tools[i].flags;
            m.tool = true;
            PUSH(w->materials, w->num_materials, m);
            return w->num_materials - 1;
        }
    }
    read_material(w, &m);
    PUSH(w->materials, w->num_materials, m);
    return w->num_materials - 1;
}

uint32_t mirrored_material(world *w, uint32_t of, vec3 place) {
    bsp_text name = text_format("maps/%.*s/%.*s_%d_%d_%d", TEXT_ARGS(w->map_name),
                                TEXT_ARGS(w->materials[of].name), (int)place.v[0], (int)place.v[1],
                                (int)place.v[2]);
    for (uint32_t i = 0; i < w->num_materials; i++) {
        if (bspi_text_equal_nocase(w->materials[i].name, name)) {
            return i;
        }
    }
    material m = w->materials[of];
    m.name = name;
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
