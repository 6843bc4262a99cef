// SPDX-License-Identifier: MIT
// Which baked data stayed, to the byte, while what it is made of changed. Facts: sheet bake, 4.
#include "bspkit/stale.h"

#include "bspkit/compare.h"
#include "core/text.h"
#include "mesh/luxels.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MOST_IDS 12
#define MOST_BAKED 4
#define MOST_NAMED 2
#define MOST_TEXT 160

// What is baked, and out of what: 0 ends the lists of lumps.
typedef struct rule {
    const char *part;
    const char *out_of; // what changed, in words
    int baked[MOST_BAKED];
    int from[MOST_IDS];            // none: the lights of the entities
    int needs;                     // a lump without which nothing of the kind is baked; 0: none
    const char *named[MOST_NAMED]; // what is baked besides, of BSPX
} rule;

#define GEOMETRY                                                                                   \
    BSP_ID_PLANES, BSP_ID_VERTICES, BSP_ID_TEXINFO, BSP_ID_EDGES, BSP_ID_SURFEDGES,                \
        BSP_ID_DRAW_VERTS, BSP_ID_DISP_INFO, BSP_ID_DISP_VERTS

#define LUXELS BSP_ID_LIGHTING, BSP_ID_LIGHTING_HDR
#define COLORS "bspx:RGBLIGHTING", "bspx:LIGHTING_E5BGR9"
#define GRIDS "bspx:LIGHTGRID_OCTREE", "bspx:LIGHTGRIDS"
#define LIGHTS "lights of the entities, or keys of light"
#define FACES "planes, corners or textures of faces"

static const rule rules[] = {
    {"lights", LIGHTS, {BSP_ID_WORLD_LIGHTS, BSP_ID_WORLD_LIGHTS_HDR}, {0}, 0, {0}},
    {"lightmaps", LIGHTS, {LUXELS}, {0}, 0, {COLORS}},
    {"lightmaps", FACES, {LUXELS}, {GEOMETRY}, 0, {COLORS}},
    {"light grid", LIGHTS, {BSP_ID_LIGHT_GRID}, {0}, 0, {GRIDS}},
    {"light grid", FACES, {BSP_ID_LIGHT_GRID}, {GEOMETRY}, 0, {GRIDS}},
    {"ambient light", "luxels", {BSP_ID_AMBIENT, BSP_ID_AMBIENT_HDR}, {LUXELS}, 0, {0}},
    {"tree", "brushes", {BSP_ID_NODES}, {BSP_ID_BRUSHES, BSP_ID_BRUSH_SIDES}, 0, {0}},
    {"visibility", "planes or nodes", {BSP_ID_VISIBILITY}, {BSP_ID_PLANES, BSP_ID_NODES}, 0, {0}},
    {"cubemaps",
     "luxels, or planes or corners of faces",
     {BSP_ID_PAK},
     {LUXELS, BSP_ID_CUBEMAPS, GEOMETRY},
     BSP_ID_CUBEMAPS,
     {0}},
};

// Returns the bytes of a lump; none where it is missing, or cannot be unpacked.
static bsp_bytes lump_of(const bsp_file *file, int id) {
    uint32_t lump = bsp_file_find_id(file, (bsp_table_id)id);
    bsp_bytes data = {NULL, 0};
    bsp_error error;
    if (lump == BSP_NONE || !bsp_file_data(file, lump, &data, &error)) {
        return (bsp_bytes){NULL, 0};
    }
    return data;
}

static bool are_equal(bsp_bytes first, bsp_bytes second) {
    return first.size == second.size &&
           (first.size == 0 || memcmp(first.data, second.data, first.size) == 0);
}

static bool is_same(const bsp_file *a, const bsp_file *b, int id) {
    return are_equal(lump_of(a, id), lump_of(b, id));
}

// Returns true if the new map has baked data, all of which is that of the old one.
static bool is_kept(const bsp_file *old, const bsp_file *new, const rule *of) {
    bool there = false;
    bool same = true;
    for (int i = 0; i < MOST_BAKED && of->baked[i] != 0; i++) {
        bsp_bytes now = lump_of(new, of->baked[i]);
        there |= now.size != 0;
        same &= now.size == 0 || are_equal(lump_of(old, of->baked[i]), now);
    }
    for (int i = 0; i < MOST_NAMED && of->named[i] != NULL; i++) {
        bsp_bytes now = bspi_named_lump(new, of->named[i]);
        there |= now.size != 0;
        same &= now.size == 0 || are_equal(bspi_named_lump(old, of->named[i]), now);
    }
    return there && same;
}

// Do light compilers read the key of the world and of brush models?
static bool is_light_key(bsp_text key) {
    static const char *const words[] = {"_addmin",
                                        "_alpha",
                                        "_ambient",
                                        "_autominlight",
                                        "_bounce",
                                        "_castShadows",
                                        "_color",
                                        "_cs",
                                        "_dirt",
                                        "_dist",
                                        "_floodlight",
                                        "_gamma",
                                        "_light",
                                        "_max",
                                        "_min",
                                        "_noshadersun",
                                        "_object_channel",
                                        "_phong",
                                        "_q3map2_cmdline",
                                        "_range",
                                        "_receiveShadows",
                                        "_rs",
                                        "_selfshadow",
                                        "_shadow",
                                        "_sky_surface",
                                        "_spotlight",
                                        "_sun",
                                        "_surf",
                                        "_switchableshadow",
                                        "ambient",
                                        "zhlt_lightflags"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found |= bspi_text_begins_nocase(key, words[i]);
    }
    return found;
}

static bool is_light(const bsp_entities *entities, uint32_t number) {
    if (number == BSP_NONE) {
        return false;
    }
    return bspi_text_begins_nocase(bsp_entity_value(&entities->list[number], "classname"), "light");
}

// Is the pair of an entity nothing to its light? A sky shines from everywhere.
static bool is_idle(const bsp_entity *entity, bsp_text key) {
    bsp_text class = bsp_entity_value(entity, "classname");
    return bspi_text_begins_nocase(class, "light")
               ? bspi_text_begins_nocase(class, "light_environment") &&
                     bsp_text_equal(key, bsp_text_of("origin"))
               : !is_light_key(key);
}

// Is an entity of both maps another light, or has it other keys of light?
static bool is_changed(const bsp_entity_match *match, const bsp_entities *before,
                       const bsp_entities *after) {
    bool changed = false;
    for (uint32_t i = 0; i < match->num_pairs; i++) {
        const bsp_pair_difference *pair = &match->pairs[i];
        const bsp_entity *entity =
            pair->before != BSP_NONE ? &before->list[match->before] : &after->list[match->after];
        uint32_t number = pair->before != BSP_NONE ? pair->before : pair->after;
        changed |= !is_idle(entity, entity->pairs[number].key);
    }
    return changed;
}

// Counts the lights that differ; a number of the editor is no difference to them.
static bool count_lights(const bsp_file *old, const bsp_file *new, uint32_t *count,
                         const bsp_allocator *allocator, bsp_error *error) {
    bsp_entities *before = bsp_file_entities(old, NULL, error);
    bsp_entities *after = before == NULL ? NULL : bsp_file_entities(new, NULL, error);
    bsp_entity_diff *diff =
        after == NULL ? NULL : bsp_entities_diff(before, after, NULL, allocator, error);
    *count = 0;
    for (uint32_t i = 0; diff != NULL && i < diff->count; i++) {
        const bsp_entity_match *match = &diff->matches[i];
        bool alone = match->before == BSP_NONE || match->after == BSP_NONE;
        *count += alone ? is_light(before, match->before) || is_light(after, match->after)
                        : is_changed(match, before, after);
    }
    bool done = diff != NULL;
    bsp_entity_diff_free(diff);
    bsp_entities_free(after);
    bsp_entities_free(before);
    return done;
}

// Returns true if baked data stayed while what it is made of changed.
static bool applies(const rule *of, const bsp_file *old, const bsp_file *new, uint32_t lights) {
    bool changed = of->from[0] == 0 && lights > 0;
    for (int i = 0; i < MOST_IDS && of->from[i] != 0; i++) {
        changed |= !is_same(old, new, of->from[i]);
    }
    return changed && (of->needs == 0 || lump_of(new, of->needs).size != 0) &&
           is_kept(old, new, of);
}

bool bsp_stale_compare(const bsp_file *old, const bsp_file *file, bsp_stale_sink found, void *user,
                       const bsp_allocator *allocator, bsp_error *error) {
    assert(old != NULL && file != NULL && found != NULL);
    uint32_t lights;
    if (!count_lights(old, file, &lights, allocator, error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (applies(&rules[i], old, file, lights)) {
            char text[MOST_TEXT];
            (void)snprintf(text, sizeof text, "it is that of the old map, but %s changed",
                           rules[i].out_of);
            found(user, &(bsp_stale){rules[i].part, BSP_STALE_STALE, BSP_NONE, text});
        }
    }
    return true;
}
