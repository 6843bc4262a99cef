// SPDX-License-Identifier: MIT
// Which entities name others. Keys: the entity code of the games (G_PickTarget, SUB_UseTargets;
// CBaseEntity's parentname; ropes' NextKey); outputs of Source: "OnPressed" "door,Open,,0,-1".
#include "scene/scene.h"

#include "core/text.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <string.h>

#define LEAST_SLOTS 64u
#define MOST_SLOTS 0x100000u
#define STEPS 16u        // looked at for each link that is kept: others are in the same slot
#define SEPARATOR '\x1b' // of newer outputs

typedef struct link_owner {
    bsp_scene_links links; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
    bsp_scene_link *list;
    size_t room;
} link_owner;

typedef struct finder {
    const bsp_entities *entities;
    link_owner *own;
    bsp_text *name;  // of each entity
    uint32_t *names; // by hash
    uint32_t *next;  // for each entity
    uint32_t slots;  // a power of two
    uint64_t most;   // links that are kept
    uint64_t steps;  // that are left
    bspi_meter meter;
    bsp_error *error;
} finder;

// Where every entity names all others, their links are the square of the file: so many are kept, as
// a map of the file's size could have.
static void set_limits(finder *f) {
    f->most = BSP_LEAST_MOST_LINKS;
    f->slots = LEAST_SLOTS;
    for (uint32_t i = 0; i < f->entities->count; i++) {
        f->most += 2 * (uint64_t)f->entities->list[i].num_pairs;
    }
    while (f->slots < f->entities->count && f->slots < MOST_SLOTS) {
        f->slots *= 2;
    }
    f->steps = STEPS * f->most;
}

static bool index_names(finder *f) {
    bspi_arena *arena = &f->own->arena;
    f->names = bspi_arena_raw(arena, f->slots, sizeof *f->names, f->error);
    f->next = bspi_arena_raw(arena, f->entities->count, sizeof *f->next, f->error);
    f->name = bspi_arena_raw(arena, f->entities->count, sizeof *f->name, f->error);
    if (f->names == NULL || f->next == NULL || f->name == NULL) {
        return false;
    }
    memset(f->names, 0xFF, f->slots * sizeof *f->names); // BSP_NONE
    for (uint32_t i = f->entities->count; i-- > 0;) {
        f->name[i] = bsp_entity_value(&f->entities->list[i], "targetname");
        uint32_t slot = bspi_text_hash_nocase(f->name[i]) & (f->slots - 1);
        f->next[i] = f->names[slot];
        f->names[slot] = i;
    }
    return bspi_meter_add(&f->meter, f->entities->count);
}

// Whether a key is a word and a number: "cpoint7" of particles, "position0" of soundscapes.
static bool is_numbered(bsp_text key, const char *word) {
    size_t size = strlen(word);
    bool is = key.size > size && key.size <= size + 2 && bspi_text_begins_nocase(key, word);
    for (size_t i = size; is && i < key.size; i++) {
        is = key.data[i] >= '0' && key.data[i] <= '9';
    }
    return is;
}

// The name that a pair gives: its value, or what an output begins with. Empty: none.
static bsp_text named_by(const bsp_pair *pair) {
    static const char *const keys[] = {
        "target",  "target2",      "target3",      "target4",    "killtarget", "parentname",
        "NextKey", "combattarget", "deathtarget",  "pathtarget", "itemtarget", "healthtarget",
        "master",  "filtername",   "damagefilter", "attach1",    "attach2",    "LaserTarget"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (bspi_text_is(pair->key, keys[i])) {
            return pair->value;
        }
    }
    if (is_numbered(pair->key, "cpoint") || is_numbered(pair->key, "position")) {
        return pair->value;
    }
    for (size_t i = 0; bspi_text_begins_nocase(pair->key, "On") && i < pair->value.size; i++) {
        if (pair->value.data[i] == ',' || pair->value.data[i] == SEPARATOR) {
            return (bsp_text){pair->value.data, i};
        }
    }
    return (bsp_text){NULL, 0};
}

static bool add_link(finder *f, uint32_t source, uint32_t target, bsp_text key) {
    link_owner *own = f->own;
    void *grown =
        bspi_grow(&own->heap, own->list, own->links.count, &own->room, sizeof *own->list, f->error);
    if (grown == NULL) {
        return false;
    }
    own->list = grown;
    own->links.list = grown;
    own->list[own->links.count++] = (bsp_scene_link){source, target, key};
    return true;
}

static bool follow(finder *f, uint32_t source, const bsp_pair *pair) {
    bsp_text name = named_by(pair);
    uint32_t i = name.size == 0 ? BSP_NONE : f->names[bspi_text_hash_nocase(name) & (f->slots - 1)];
    for (; i != BSP_NONE && !f->own->links.cut; i = f->next[i]) {
        bool named = bspi_text_equal_nocase(f->name[i], name);
        f->own->links.cut = f->steps == 0 || (named && f->own->links.count >= f->most);
        f->steps -= f->steps != 0;
        if (!bspi_meter_add(&f->meter, 1) ||
            (named && !f->own->links.cut && !add_link(f, source, i, pair->key))) {
            return false;
        }
    }
    return true;
}

static bool find_all(finder *f) {
    set_limits(f);
    bool done = index_names(f);
    for (uint32_t i = 0; done && i < f->entities->count && !f->own->links.cut; i++) {
        const bsp_entity *entity = &f->entities->list[i];
        done = bspi_meter_add(&f->meter, entity->num_pairs);
        for (uint32_t p = 0; done && p < entity->num_pairs; p++) {
            done = follow(f, i, &entity->pairs[p]);
        }
    }
    return done && bspi_meter_pay(&f->meter);
}

bsp_scene_links *bsp_scene_links_find(const bsp_map *map, const bsp_allocator *allocator,
                                      bsp_error *error) {
    assert(map != NULL);
    if (!bspi_map_needs(map, BSP_LOAD_ENTITIES, "links of entities", error)) {
        return NULL;
    }
    link_owner *own = bspi_object_new(allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    bspi_map_heap(&own->heap, BSP_PRODUCT_TRACE, map, NULL, allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->links.owner = own;
    finder f = {.entities = map->entities, .own = own, .error = error};
    f.meter = (bspi_meter){.heap = &own->heap, .error = error};
    if (map->entities != NULL && map->entities->count != 0 && !find_all(&f)) {
        bsp_scene_links_free(&own->links);
        return NULL;
    }
    return &own->links;
}

void bsp_scene_links_free(bsp_scene_links *links) {
    link_owner *own = links == NULL ? NULL : links->owner;
    if (own == NULL) {
        return;
    }
    bspi_heap_free(&own->heap, own->list, own->room * sizeof *own->list);
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
