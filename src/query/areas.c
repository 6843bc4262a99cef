// SPDX-License-Identifier: MIT
// The ways between areas: which entities own them, what opens them, and what is seen while some are
// shut. The map is valid; the texts of its entities are not.
#include "core/bits.h"
#include "core/search.h"
#include "core/text.h"
#include "map/entity.h"
#include "map/heap.h"
#include "map/needs.h"
#include "query/collide.h"

#include <assert.h>
#include <string.h>

#define MOST_LEAVES 1024u // that the box of a door is asked for

typedef struct area_owner {
    bsp_area_links links; // first: the address of both is one
    bspi_heap heap;
    bspi_arena arena;
} area_owner;

typedef struct finder {
    const bsp_map *map;
    const bsp_area_rules *rules;
    area_owner *owner;
    bsp_area_link *list;
    uint32_t count;
    uint32_t *openers;
    size_t num_openers;
    size_t room;
    bspi_meter meter;
    bsp_error *error;
} finder;

// --- texts ---------------------------------------------------------------------------------------

// An entity without a name has none that a target could mean.
static bool is_named(bsp_text name, bsp_text wanted) {
    return name.size != 0 && bspi_text_fits_nocase(name, wanted);
}

static bool has_class(const bsp_entity *entity, const char *start) {
    return bspi_text_begins_nocase(bsp_entity_value(entity, "classname"), start);
}

// Returns true for an output to that name: "name,Input,...", or with escapes for the commas.
static bool is_output_to(bsp_text value, bsp_text name) {
    for (size_t i = 0; i < value.size; i++) {
        if (value.data[i] == ',' || value.data[i] == 0x1B) {
            return is_named(name, (bsp_text){value.data, i});
        }
    }
    return false;
}

static bool has_output_to(const bsp_entity *entity, bsp_text name) {
    for (uint32_t i = 0; name.size != 0 && i < entity->num_pairs; i++) {
        if (is_output_to(entity->pairs[i].value, name)) {
            return true;
        }
    }
    return false;
}

// --- what opens a portal -------------------------------------------------------------------------

static bool add_opener(finder *f, bsp_area_link *link, uint32_t entity) {
    uint32_t *grown = bspi_grow(&f->owner->heap, f->openers, f->num_openers, &f->room,
                                sizeof *f->openers, f->error);
    if (grown == NULL) {
        return false;
    }
    f->openers = grown;
    f->openers[f->num_openers++] = entity;
    link->num_openers++;
    return true;
}

static bool is_door(const bsp_entity *entity) {
    return has_class(entity, "func_door") || has_class(entity, "prop_door");
}

// Returns true for a door that is not shut at the beginning (CBaseDoor::Spawn, CBasePropDoor).
static bool starts_open(const bsp_entity *door) {
    bool flag = has_class(door, "func_door") && (bspi_entity_int(door, "spawnflags", 0) & 1) != 0;
    return flag || bspi_entity_int(door, "spawnpos", 0) != 0;
}

static bool add_openers(finder *f, bsp_area_link *link) {
    const bsp_entities *entities = f->map->entities;
    const bsp_area_rules *rules = f->rules;
    const bsp_entity *portal = &entities->list[link->entity];
    bsp_text name = bsp_entity_value(portal, "targetname");
    bsp_text target = bsp_entity_value(portal, "target");
    link->first_opener = (uint32_t)f->num_openers;
    for (uint32_t i = 0; i < entities->count; i++) {
        const bsp_entity *other = &entities->list[i];
        bool door = rules->doors && is_door(other) &&
                    is_named(bsp_entity_value(other, "targetname"), target);
        bool switches = rules->targets && is_named(name, bsp_entity_value(other, "target"));
        if (door) {
            link->open = starts_open(other);
        }
        if (!bspi_meter_add(&f->meter, 4 + (uint64_t)other->num_pairs)) {
            return false;
        }
        if ((door || switches || (rules->outputs && has_output_to(other, name))) &&
            !add_opener(f, link, i)) {
            return false;
        }
    }
    return true;
}

// --- portals that are stored ---------------------------------------------------------------------

// Each portal is stored once for each of its two areas: that of the higher one is left out.
static bool is_second(const bsp_map *map, uint32_t area, const bsp_area_portal *portal) {
    if (portal->other_area >= area) {
        return false;
    }
    const bsp_area *other = &map->areas[portal->other_area];
    for (uint32_t i = 0; i < other->num_portals; i++) {
        const bsp_area_portal *back = &map->area_portals[other->first_portal + i];
        if (back->key == portal->key && back->other_area == area) {
            return true;
        }
    }
    return false;
}

static bool put_portals(finder *f) {
    const bsp_map *map = f->map;
    for (uint32_t a = 1; a < map->num_areas && map->num_area_portals != 0; a++) {
        for (uint32_t i = 0; i < map->areas[a].num_portals; i++) {
            uint32_t number = map->areas[a].first_portal + i;
            const bsp_area_portal *portal = &map->area_portals[number];
            bool valid = portal->other_area != 0 && portal->other_area < map->num_areas;
            if (f->count < map->num_area_portals && valid && !is_second(map, a, portal)) {
                f->list[f->count++] = (bsp_area_link){.key = portal->key,
                                                      .areas = {a, portal->other_area},
                                                      .portal = number,
                                                      .entity = BSP_NONE};
            }
            uint64_t looked = valid ? map->areas[portal->other_area].num_portals : 0;
            if (!bspi_meter_add(&f->meter, 1 + looked)) {
                return false;
            }
        }
    }
    return true;
}

static bool own_portal(finder *f, uint32_t entity) {
    const bsp_entity *e = &f->map->entities->list[entity];
    int64_t key = bspi_entity_int(e, f->rules->key, -1);
    for (uint32_t i = 0; i < f->count && key >= 0; i++) {
        bsp_area_link *link = &f->list[i];
        if (link->key == key && link->entity == BSP_NONE) {
            link->entity = entity;
            link->open = f->rules->state != NULL && bspi_entity_int(e, f->rules->state, 1) != 0;
            if (!add_openers(f, link)) {
                return false;
            }
        }
    }
    return bspi_meter_add(&f->meter, f->count);
}

static bool find_portals(finder *f) {
    const bsp_entities *entities = f->map->entities;
    f->list =
        bspi_arena_zero(&f->owner->arena, f->map->num_area_portals, sizeof *f->list, f->error);
    if (f->list == NULL || !put_portals(f)) {
        return false;
    }
    f->owner->links.num_areas = f->map->num_areas;
    for (uint32_t i = 0; i < entities->count; i++) {
        if (has_class(&entities->list[i], "func_areaportal") && !own_portal(f, i)) {
            return false;
        }
    }
    return true;
}

// --- doors that connect what they stand in -------------------------------------------------------

// Finds two areas of the leaves that a box touches, as SV_LinkEntity of Quake 3 does.
static bool two_areas(const bsp_map *map, const float mins[3], const float maxs[3],
                      uint32_t areas[2]) {
    uint32_t leaves[MOST_LEAVES];
    uint32_t count = bsp_query_box_leaves(map, 0, mins, maxs, leaves, MOST_LEAVES);
    areas[0] = areas[1] = BSP_NONE;
    for (uint32_t i = 0; i < count && i < MOST_LEAVES; i++) {
        uint32_t area = map->leaves[leaves[i]].area;
        if (area < map->num_leaves && area != areas[0]) {
            areas[areas[0] == BSP_NONE ? 0 : 1] = area;
        }
    }
    return areas[1] != BSP_NONE;
}

static bool put_mover(finder *f, uint32_t entity) {
    const bsp_map *map = f->map;
    bsp_placement place = bsp_entity_placement(map, &map->entities->list[entity]);
    bsp_area_link *link = &f->list[f->count];
    float mins[3], maxs[3];
    if (place.model == BSP_NONE || place.model == 0) {
        return true;
    }
    for (int i = 0; i < 3; i++) { // engines enlarge what they link by a unit
        mins[i] = map->models[place.model].mins[i] + place.origin[i] - 1;
        maxs[i] = map->models[place.model].maxs[i] + place.origin[i] + 1;
    }
    *link = (bsp_area_link){.key = entity, .portal = BSP_NONE, .entity = entity};
    if (two_areas(map, mins, maxs, link->areas)) {
        link->first_opener = (uint32_t)f->num_openers;
        f->count++;
        return add_opener(f, link, entity) && bspi_meter_add(&f->meter, map->num_leaves);
    }
    return bspi_meter_add(&f->meter, map->num_leaves);
}

static bool find_movers(finder *f) {
    const bsp_entities *entities = f->map->entities;
    f->list =
        bspi_arena_zero(&f->owner->arena, (size_t)entities->count + 1, sizeof *f->list, f->error);
    for (uint32_t i = 0; i < f->map->num_leaves; i++) {
        uint32_t area = f->map->leaves[i].area;
        if (area < f->map->num_leaves && area >= f->owner->links.num_areas) {
            f->owner->links.num_areas = area + 1;
        }
    }
    for (uint32_t i = 0; f->list != NULL && i < entities->count; i++) {
        const bsp_entity *e = &entities->list[i];
        bool moves =
            has_class(e, "func_door") || has_class(e, "func_plat") || has_class(e, "func_button");
        if (moves && !put_mover(f, i)) {
            return false;
        }
    }
    return f->list != NULL;
}

// --- the public calls ----------------------------------------------------------------------------

static bool keep(finder *f) {
    bsp_area_links *links = &f->owner->links;
    uint32_t *openers =
        bspi_arena_zero(&f->owner->arena, f->num_openers, sizeof *openers, f->error);
    if (openers != NULL && f->num_openers != 0) {
        memcpy(openers, f->openers, f->num_openers * sizeof *openers);
    }
    links->list = f->list;
    links->count = f->count;
    links->openers = openers;
    links->num_openers = (uint32_t)f->num_openers;
    return openers != NULL && bspi_meter_pay(&f->meter);
}

bsp_area_links *bsp_area_links_find(const bsp_map *map, const bsp_allocator *allocator,
                                    bsp_error *error) {
    assert(map != NULL);
    if (!bspi_map_needs(map, BSP_LOAD_ENTITIES | BSP_LOAD_TREE, "the ways between areas", error)) {
        return NULL;
    }
    area_owner *owner = bspi_object_new(allocator, sizeof *owner, error);
    if (owner == NULL) {
        return NULL;
    }
    bspi_map_heap(&owner->heap, BSP_PRODUCT_TRACE, map, NULL, allocator);
    bspi_arena_init(&owner->arena, &owner->heap);
    owner->links.owner = owner;
    finder f = {.map = map, .rules = &map->traits->areas, .owner = owner, .error = error};
    f.meter = (bspi_meter){.heap = &owner->heap, .error = error};
    bool none = map->entities == NULL || (f.rules->key == NULL && !f.rules->movers);
    bool done = none || ((f.rules->movers ? find_movers(&f) : find_portals(&f)) && keep(&f));
    bspi_heap_free(&owner->heap, f.openers, f.room * sizeof *f.openers);
    if (!done) {
        bsp_area_links_free(&owner->links);
        return NULL;
    }
    return &owner->links;
}

void bsp_area_links_free(bsp_area_links *links) {
    if (links == NULL || links->owner == NULL) {
        return;
    }
    area_owner *owner = links->owner;
    bspi_arena_free(&owner->arena);
    bspi_object_free(owner, sizeof *owner, &owner->heap.allocator);
}

uint32_t bsp_area_links_flood(const bsp_area_links *links, const bool *open, uint32_t *groups) {
    assert(links != NULL);
    assert(groups != NULL || links->num_areas == 0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < links->num_areas; i++) {
        groups[i] = i;
    }
    for (uint32_t i = 0; i < links->count; i++) {
        const bsp_area_link *link = &links->list[i];
        bool passes = open != NULL ? open[i] : link->open;
        if (passes && link->areas[0] < links->num_areas && link->areas[1] < links->num_areas) {
            uint32_t a = bspi_root_of(groups, link->areas[0]);
            uint32_t b = bspi_root_of(groups, link->areas[1]);
            groups[a > b ? a : b] = a < b ? a : b;
        }
    }
    // The root of a group is its lowest area, so it is numbered before its members.
    for (uint32_t i = 0; i < links->num_areas; i++) {
        groups[i] = bspi_root_of(groups, i);
    }
    for (uint32_t i = 0; i < links->num_areas; i++) {
        groups[i] = groups[i] == i ? ++count : groups[groups[i]];
    }
    return count;
}

void bsp_area_links_reach(const bsp_map *map, const bsp_area_links *links, const uint32_t *groups,
                          uint32_t area, uint8_t *row) {
    assert(map != NULL && links != NULL);
    assert(groups != NULL || links->num_areas == 0);
    assert(row != NULL || map->visibility.row_bytes == 0);
    assert(bspi_map_has(map, BSP_LOAD_TREE));
    bool known = area < links->num_areas;
    if (map->visibility.row_bytes != 0) {
        memset(row, known ? 0 : 0xFF, map->visibility.row_bytes);
    }
    for (uint32_t i = 0; known && i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        if (leaf->cluster < map->visibility.num_clusters && leaf->area < links->num_areas &&
            groups[leaf->area] == groups[area]) {
            bspi_bit_set(row, leaf->cluster);
        }
    }
}
