// SPDX-License-Identifier: MIT
// Quake 2 and its variants: brushes are stored with the flags of their sides, so a side is
// described by its own record. What the compiler moved is moved back: area portals to their entity,
// models by their origin. Assumes a loaded map. Facts: sheets quake2 (4) and outputs (3).
#include "bspkit/query.h"
#include "core/text.h"
#include "decompile/entities.h"

#define SURFACE_TRANS33 0x10u
#define SURFACE_NODRAW 0x80u
#define CONTENTS_SOLID 0x1u
#define VISIBLE_CONTENTS 0x7Fu // solid to mist: brushes that have faces

// Textures of the original game, for sides whose record the compiler left empty.
#define PLAIN_CLIP "e1u1/clip"
#define PLAIN_ORIGIN "e1u1/origin"
#define PLAIN_PORTAL "e1u1/trigger"
#define PLAIN_HIDDEN "e1u1/skip"

typedef struct own {
    uint32_t areaportal; // flags
    uint32_t origin;
    uint32_t clips;
    uint32_t translucent;
    uint32_t *portal_of; // for each brush: the entity of its area portal in the map, or BSP_NONE
} own;

// Finds the brushes of area portals, which are numbered by "style" when they are compiled: brushes
// that are moved into the world stand in the order of their entities.
static bool find_portals(bspi_work *w, own *o) {
    const bsp_map *map = w->map;
    uint32_t count = map->entities != NULL ? map->entities->count : 0;
    uint32_t *portals = bspi_arena_raw(&w->arena, count, sizeof *portals, w->error);
    o->portal_of = bspi_arena_raw(&w->arena, map->num_brushes, sizeof(uint32_t), w->error);
    if (portals == NULL || o->portal_of == NULL) {
        return false;
    }
    uint32_t num_portals = 0;
    for (uint32_t e = 0; e < count; e++) {
        bsp_text name = bsp_entity_value(&map->entities->list[e], "classname");
        if (bspi_text_is(name, "func_areaportal")) {
            portals[num_portals++] = e;
        }
    }
    uint32_t found = 0;
    for (uint32_t b = 0; b < map->num_brushes; b++) {
        bool portal = ((uint32_t)map->brushes[b].contents & o->areaportal) != 0;
        o->portal_of[b] = portal && found < num_portals ? portals[found] : BSP_NONE;
        found += portal;
    }
    if (found != num_portals) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_BRUSHES, BSP_NONE,
                  "%u brushes for %u area portals: taken in their order", found, num_portals);
    }
    return true;
}

static bool entities(bspi_work *w) {
    own *o = bspi_arena_zero(&w->arena, 1, sizeof *o, w->error);
    if (o == NULL) {
        return false;
    }
    const bsp_branch *branch = w->map->branch;
    o->areaportal = bsp_query_flag(branch, bsp_text_of("areaportal"));
    o->origin = bsp_query_flag(branch, bsp_text_of("origin"));
    o->clips = bsp_query_flag(branch, bsp_text_of("playerclip")) |
               bsp_query_flag(branch, bsp_text_of("monsterclip"));
    o->translucent = bsp_query_flag(branch, bsp_text_of("translucent"));
    w->own = o;
    return find_portals(w, o) && bspi_copy_entities(w);
}

static uint32_t owner_of(bspi_work *w, uint32_t brush, uint32_t *visgroup) {
    const own *o = w->own;
    (void)visgroup;
    uint32_t portal = o->portal_of[brush];
    return portal != BSP_NONE ? w->entity_of[portal] : 0;
}

// Returns true if a side of the brush was translucent. Compilers make such a brush translucent, and
// a solid one a window; ericw-tools rejects a document that states this itself. False where nothing
// was derived.
static bool had_translucent_side(const own *o, uint32_t contents) {
    return (contents & o->translucent) != 0 && (contents & CONTENTS_SOLID) == 0;
}

// Sets the look of a side. Compilers drop the texinfo of sides that are never drawn: their look
// follows from the contents, and faces in their place are those of other brushes.
static bool look(bspi_work *w, uint32_t brush, uint32_t side, bspi_look *look) {
    const own *o = w->own;
    (void)brush;
    look->has_flags = true;
    bool is_drawn = (look->contents & VISIBLE_CONTENTS) != 0;
    if (w->map->brush_sides[side].texinfo != BSP_NONE ||
        (is_drawn && look->source != BSPI_LOOK_GUESS)) {
        return true;
    }
    bool clips = (look->contents & o->clips) != 0;
    bool portal = (look->contents & o->areaportal) != 0;
    look->source = BSPI_LOOK_GUESS;
    look->material = bsp_text_of(clips ? PLAIN_CLIP : portal ? PLAIN_PORTAL : PLAIN_HIDDEN);
    look->flags = SURFACE_NODRAW;
    look->flags |= had_translucent_side(o, look->contents) ? SURFACE_TRANS33 : 0;
    look->value = 0;
    return true;
}

static bool solids(bspi_work *w) {
    const own *o = w->own;
    bspi_look origin = {
        .material = bsp_text_of(PLAIN_ORIGIN), .has_flags = true, .contents = o->origin};
    return bspi_emit_models(w) && bspi_emit_origins(w, &origin);
}

const bspi_method bspi_method_quake2 = {
    .entities = entities, .solids = solids, .owner = owner_of, .look = look};
