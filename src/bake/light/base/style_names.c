// SPDX-License-Identifier: MIT
// Styles by names, as ericw-tools gives them: lights with a name, and models whose shadows switch,
// have one each from 32 on, in the order of the entities; those of one name share it, and models
// without a name do not. Styles that the map states stay. Source: LoadEntities of
// light/entities.cc.
#include "bake/light/base/style_names.h"

#include "bake/light/base/keys.h"

#include "core/text.h"

#define FIRST 32 // style
#define LAST 254

struct bspi_style_names {
    uint32_t count;
    int next; // style that none has
    struct {
        bsp_text name;
        const bsp_entity *entity; // the first one
        int style;
    } list[LAST - FIRST + 1];
};

static uint32_t find(const bspi_style_names *names, bsp_text name) {
    uint32_t i = 0;
    while (i < names->count && (name.size == 0 || !bsp_text_equal(names->list[i].name, name))) {
        i++;
    }
    return i;
}

// Returns the style of a name, a new one for one that is not known, or that is empty. `style`: what
// the map states; 0: nothing.
static int add(bspi_style_names *names, bsp_text name, const bsp_entity *entity, int style) {
    uint32_t i = find(names, name);
    if (i == sizeof names->list / sizeof *names->list) {
        return LAST;
    }
    if (i == names->count) {
        names->count++;
        names->list[i].name = name;
        names->list[i].entity = entity;
        names->list[i].style = style != 0 || names->next > LAST ? style : names->next++;
    }
    return names->list[i].style;
}

// Returns the style that the map states of an entity, 0 without one.
static int stated(const bsp_entity *entity) {
    return bspi_key_whole(entity, bspi_is_light(entity) ? "_style" : "_switchshadstyle", 0, 0,
                          LAST);
}

static void add_entity(bspi_style_names *names, const bsp_entity *entity, bool light, bool model) {
    bsp_text name = bsp_entity_value(entity, "targetname");
    if (light && name.size != 0 && bspi_is_light(entity)) {
        (void)add(names, name, entity, stated(entity));
    }
    if (model && bspi_key_number(entity, "_switchableshadow", 0) > 0) {
        (void)add(names, name, entity, stated(entity));
    }
}

bool bspi_style_names_find(bspi_relight *own, bsp_error *error) {
    const bsp_entities *lists[2] = {bspi_lit_entities(own), own->map->entities};
    bool one = lists[0] == lists[1];
    bspi_style_names *names = bspi_arena_zero(&own->arena, 1, sizeof *names, error);
    if (names == NULL) {
        return false;
    }
    names->next = FIRST;
    for (int n = one; n < 2; n++) {
        for (uint32_t i = 0; lists[n] != NULL && i < lists[n]->count; i++) {
            int style = stated(&lists[n]->list[i]);
            names->next = style >= names->next ? style + 1 : names->next;
        }
    }
    for (int n = one; n < 2; n++) {
        for (uint32_t i = 0; lists[n] != NULL && i < lists[n]->count; i++) {
            add_entity(names, &lists[n]->list[i], one || n == 0, n == 1);
            if (!bspi_heap_work(&own->heap, 1 + names->count / 16, error)) {
                return false;
            }
        }
    }
    own->style_names = names;
    return true;
}

int bspi_style_named(const bspi_relight *own, bsp_text name) {
    return add(own->style_names, name, NULL, 0);
}

int bspi_style_switched(const bspi_relight *own, const bsp_entity *entity) {
    const bspi_style_names *names = own->style_names;
    bsp_text name = bsp_entity_value(entity, "targetname");
    uint32_t i = name.size != 0 ? find(names, name) : 0;
    while (name.size == 0 && i < names->count && names->list[i].entity != entity) {
        i++;
    }
    return i < names->count ? names->list[i].style : LAST;
}
