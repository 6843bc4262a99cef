// SPDX-License-Identifier: MIT
// Restores entities as the author had them: keys that the compiler added are removed, outputs are
// told from keys, ids are the author's. Facts: sheet outputs, sections 2.2 and 3.
#include "decompile/source/steps.h"

#include "core/text.h"
#include "map/entity.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_SWITCHED_STYLE 32 // the compiler gives these to lights with a name

static bool is_class(const bsp_entity *entity, const char *name) {
    return bspi_text_is(bsp_entity_value(entity, "classname"), name);
}

bool bspi_source_guessed(bspi_work *w, const char *what, uint32_t *visgroup) {
    *visgroup = bspi_build_visgroup(&w->out, what);
    return *visgroup != BSP_NONE;
}

// --- ids ----------------------------------------------------------------------------------------

static uint32_t id_of(const bsp_entity *entity) {
    int64_t id = 0;
    bool read = bsp_parse_int(bsp_entity_value(entity, "hammerid"), &id);
    return read && id > 0 && id <= INT32_MAX ? (uint32_t)id : 0;
}

static int compare_keys(const void *a, const void *b) {
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

// Returns the id of each entity of the map; of several with the same id the first has it, the
// others 0.
static uint32_t *unique_ids(bspi_work *w, uint32_t count) {
    const bsp_entities *entities = w->map->entities;
    uint32_t *ids = bspi_arena_zero(&w->arena, count, sizeof *ids, w->error);
    uint64_t *keys = bspi_arena_raw(&w->arena, count, sizeof *keys, w->error);
    if (ids == NULL || keys == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        keys[i] = (uint64_t)id_of(&entities->list[i]) << 32 | i;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = (uint32_t)(keys[i] >> 32);
        if (i == 0 || (uint32_t)(keys[i - 1] >> 32) != id) {
            ids[(uint32_t)keys[i]] = id;
        }
    }
    return ids;
}

// --- keys ---------------------------------------------------------------------------------------

// What an entity needs besides the copy of its keys.
typedef struct role {
    bool world;
    bool portal;
    bool occluder;
    bool turned;       // its brushes are written rotated
    bool styled;       // a light whose style the compiler chose
    const char *moved; // the class of an entity whose brushes were moved into the world; or NULL
} role;

static role role_of(bspi_work *w, const bsp_entity *entity, bool world) {
    role r = {.world = world};
    bsp_text name = bsp_entity_value(entity, "classname");
    r.portal = bspi_text_begins_nocase(name, "func_areaportal");
    r.occluder = bspi_text_is(name, "func_occluder");
    bsp_placement place = bsp_entity_placement(w->map, entity);
    r.turned = !w->options->keep_angles && place.model != BSP_NONE && place.turned;
    r.styled = bspi_text_begins_nocase(name, "light") &&
               bspi_entity_int(entity, "style", 0) >= FIRST_SWITCHED_STYLE;
    return r;
}

// Returns true for keys that the compiler wrote, or that have their own place in the document.
static bool is_dropped(const role *r, const bsp_pair *pair) {
    bsp_text key = pair->key;
    if (bspi_text_is(key, "hammerid") || bspi_text_is(key, BSPI_LOCK_KEY)) {
        return true;
    }
    return bspi_drop_brush_model(pair) ||
           (r->world && (bspi_text_is(key, "world_mins") || bspi_text_is(key, "world_maxs"))) ||
           (r->portal && bspi_text_is(key, "portalnumber")) ||
           (r->occluder && bspi_text_is(key, "occludernumber")) ||
           (r->styled && bspi_text_is(key, "defaultstyle")) ||
           (r->moved != NULL &&
            (bspi_text_begins_nocase(key, "mins.") || bspi_text_begins_nocase(key, "maxs.") ||
             bspi_text_is(key, "origin")));
}

static bool copy_pair(bspi_work *w, uint32_t made, const bsp_entity *from, const role *r,
                      const bsp_pair *pair) {
    if (is_dropped(r, pair)) {
        return true;
    }
    bsp_text value = pair->value;
    if (r->styled && bspi_text_is(pair->key, "style")) {
        bsp_text own = bsp_entity_value(from, "defaultstyle");
        value = own.data != NULL ? own : bsp_text_of("0");
    } else if (r->turned && bspi_text_is(pair->key, "angles")) {
        value = bsp_text_of("0 0 0");
    } else if (r->moved != NULL && bspi_text_is(pair->key, "classname")) {
        value = bsp_text_of(r->moved);
    } else if (r->turned && bspi_text_is(pair->key, "angle")) {
        value = bsp_text_of("0");
    }
    bool output = !r->world && bspi_source_is_output(pair);
    w->report->outputs += output;
    return bspi_build_pair(&w->out, made, pair->key, value, output);
}

static bool copy_pairs(bspi_work *w, uint32_t made, const bsp_entity *from, const role *r) {
    for (uint32_t i = 0; i < from->num_pairs; i++) {
        if (!copy_pair(w, made, from, r, &from->pairs[i])) {
            return false;
        }
    }
    return true;
}

// --- instances ----------------------------------------------------------------------------------

// Puts an entity of an instance into a visgroup. The editor names an instance without a name
// InstanceAutoN, and its entities InstanceAutoN-NAME.
static bool show_instance(bspi_work *w, const bsp_entity *entity, uint32_t made) {
    static const char start[] = "InstanceAuto";
    bsp_instance_groups groups = w->options->instances;
    char group[64] = "instance: ";
    size_t at = strlen(group);
    bsp_text name = bsp_entity_value(entity, "targetname");
    size_t size = 0;
    while (size < name.size && name.data[size] != '-') {
        size++;
    }
    bool instance = groups == BSP_INSTANCES_ALL ||
                    (groups == BSP_INSTANCES_UNNAMED && bspi_text_begins_nocase(name, start));
    if (!instance || size == 0 || size == name.size || at + size >= sizeof group) {
        return true;
    }
    memcpy(group + at, name.data, size);
    group[at + size] = '\0';
    uint32_t visgroup = bspi_build_visgroup(&w->out, group);
    bspi_built_entity(&w->out, made)->visgroup = visgroup;
    return visgroup != BSP_NONE;
}

// --- all ----------------------------------------------------------------------------------------

// Adds the revision of the author's file, which older compilers moved to the head of the map.
static bool add_revision(bspi_work *w, uint32_t made, const bsp_entity *world) {
    if (w->options->file == NULL || bsp_entity_value(world, "mapversion").data != NULL) {
        return true;
    }
    uint32_t revision = bsp_file_get_info(w->options->file)->revision;
    return revision == BSP_NONE || bspi_add_int(w, made, "mapversion", (int64_t)revision);
}

static uint32_t copy_entity(bspi_work *w, uint32_t entity, bool world, const char *moved_class) {
    const bsp_entity *from = &w->map->entities->list[entity];
    uint32_t made = w->out.entities.count;
    bsp_mapdoc_entity *to = bspi_build_entity(&w->out);
    if (to == NULL) {
        return BSP_NONE;
    }
    to->id = bspi_source_of(w)->ids[entity];
    role r = role_of(w, from, world);
    r.moved = moved_class;
    w->entity_of[entity] = made;
    bool done = copy_pairs(w, made, from, &r) && (!world || add_revision(w, made, from)) &&
                show_instance(w, from, made);
    return done ? made : BSP_NONE;
}

uint32_t bspi_source_copy(bspi_work *w, uint32_t entity, const char *moved_class) {
    uint32_t made = copy_entity(w, entity, false, moved_class);
    bool wanted = moved_class == NULL || bspi_class_wanted(w, moved_class);
    return wanted || made == BSP_NONE || bspi_build_leave_out(&w->out, made) ? made : BSP_NONE;
}

// Returns true for the entity that the compiler adds to maps with water if the author has none.
static bool is_added_water_lod(const bsp_entity *entity) {
    return is_class(entity, "water_lod_control") && entity->num_pairs == 3 &&
           bspi_text_is(bsp_entity_value(entity, "cheapwaterstartdistance"), "1000") &&
           bspi_text_is(bsp_entity_value(entity, "cheapwaterenddistance"), "2000");
}

static bool is_left_out(bspi_work *w, uint32_t entity) {
    const bsp_entity *e = &w->map->entities->list[entity];
    bspi_source_state *state = bspi_source_of(w);
    if (is_class(e, "info_overlay_accessor") && w->map->num_overlays != 0) {
        state->named_overlays[state->num_named_overlays++] = entity;
        return true;
    }
    if (is_class(e, "info_ladder") && w->map->num_brushes != 0) {
        state->ladders[state->num_ladders++] = entity;
        return true;
    }
    // The cubemaps of the map replace such entities that are left.
    return is_added_water_lod(e) || (is_class(e, "env_cubemap") && w->map->num_cubemaps != 0) ||
           !bspi_wanted(w, entity);
}

static uint32_t find_world(const bsp_entities *entities) {
    for (uint32_t i = 0; i < entities->count; i++) {
        if (is_class(&entities->list[i], "worldspawn")) {
            return i;
        }
    }
    return BSP_NONE;
}

bool bspi_source_entities(bspi_work *w) {
    const bsp_entities *entities = w->map->entities;
    bspi_source_state *state = bspi_source_of(w);
    uint32_t count = entities != NULL ? entities->count : 0;
    uint32_t world = count != 0 ? find_world(entities) : BSP_NONE;
    state->named_overlays =
        bspi_arena_raw(&w->arena, count, sizeof *state->named_overlays, w->error);
    state->ladders = bspi_arena_raw(&w->arena, count, sizeof *state->ladders, w->error);
    state->ids = unique_ids(w, count);
    if (state->named_overlays == NULL || state->ladders == NULL || state->ids == NULL) {
        return false;
    }
    if (world == BSP_NONE) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_ENTITIES, BSP_NONE,
                  "no worldspawn: the sky and the other keys of the world are not known");
        if (bspi_new_entity(w, "worldspawn") == BSP_NONE) {
            return false;
        }
    }
    if (world != BSP_NONE && copy_entity(w, world, true, NULL) == BSP_NONE) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i != world && !is_left_out(w, i) && copy_entity(w, i, false, NULL) == BSP_NONE) {
            return false;
        }
    }
    return true;
}
