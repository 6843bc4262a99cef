// SPDX-License-Identifier: MIT
// What textures give by themselves in GoldSrc: keys of info_texlights, then lines of a lights.rad,
// "TEXTURE R G B [INTENSITY]" or "TEXTURE BRIGHTNESS". Facts: sheet bake, 3.2.
#include "bake/light/base/rad_lines.h"
#include "bake/light/lamps/texlights.h"

#include "core/issue_kinds.h"
#include "core/options.h"
#include "core/search.h"
#include "core/text.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SHOWN 64 // characters of a line in a message

typedef struct texlight {
    bsp_text name;
    bsp_text value;
    uint32_t order;
} texlight;

typedef struct texlights {
    texlight *list;
    uint32_t count;
} texlights;

static void add(texlights *t, bsp_text name, bsp_text value) {
    t->list[t->count] = (texlight){name, value, t->count};
    t->count++;
}

// --- lines --------------------------------------------------------------------------------------

static uint32_t count_lines(bsp_text text) {
    uint32_t count = 0;
    while (text.size != 0) {
        (void)bspi_rad_line(&text);
        count++;
    }
    return count;
}

// Takes a line apart. Returns true if it says what a texture gives.
static bool split(bsp_text line, bsp_text *name, bsp_text *value) {
    float light[3];
    bspi_rad_split(line, name, value);
    return bspi_light_value(*value, light);
}

static void add_lines(texlights *t, bsp_text text) {
    while (text.size != 0) {
        bsp_text name;
        bsp_text value;
        if (split(bspi_rad_line(&text), &name, &value)) {
            add(t, name, value);
        }
    }
}

bool bsp_texlights_check(bsp_text text, const char *name, bsp_issues *issues, bsp_error *error) {
    assert(name != NULL);
    const char *start = text.data;
    bsp_place first = bsp_place_none();
    bool any = false;
    for (uint32_t number = 1; text.size != 0; number++) {
        bsp_place place = bsp_place_at(name, number, NULL, (uint64_t)(text.data - start));
        bsp_text line = bspi_rad_line(&text);
        bsp_text texture;
        bsp_text value;
        if (line.size == 0 || bspi_rad_is_of_vrad(line)) {
            continue;
        }
        if (split(line, &texture, &value)) {
            any = true;
            continue;
        }
        first = first.record == BSP_NONE ? place : first;
        bspi_issue(issues, BSPI_ISSUE_ASSET_SYNTAX, place, "says of no texture what it gives: %.*s",
                   (int)(line.size < MOST_SHOWN ? line.size : MOST_SHOWN), line.data);
    }
    return any || first.record == BSP_NONE ||
           bsp_fail(error, BSP_E_DAMAGED, &first, "no line says what a texture gives");
}

// --- all ----------------------------------------------------------------------------------------

static int by_name(const void *left, const void *right) {
    const texlight *a = left;
    const texlight *b = right;
    int order = bspi_text_compare_nocase(a->name, b->name);
    return order != 0 ? order : (a->order > b->order) - (a->order < b->order);
}

static bsp_text value_of(const texlights *t, bsp_text name) {
    const texlight key = {.name = name};
    size_t at = bspi_lower_bound(&key, t->list, t->count, sizeof *t->list, by_name);
    bool found = at < t->count && bspi_text_equal_nocase(t->list[at].name, name);
    return found ? t->list[at].value : (bsp_text){NULL, 0};
}

bool bspi_is_texlight_list(const bsp_entity *entity) {
    return bspi_text_is(bsp_entity_value(entity, "classname"), "info_texlights");
}

static bool collect(bspi_relight *own, texlights *t, bsp_error *error) {
    const bsp_entities *entities = bspi_lit_entities(own);
    uint32_t count = entities == NULL ? 0 : entities->count;
    size_t room = count_lines(own->texlights);
    for (uint32_t i = 0; i < count; i++) {
        room += bspi_is_texlight_list(&entities->list[i]) ? entities->list[i].num_pairs : 0;
    }
    t->list = bspi_arena_raw(&own->arena, room, sizeof *t->list, error);
    if (t->list == NULL || !bspi_heap_work(&own->heap, room * 32, error) ||
        !bsp_texlights_check(own->texlights, "texlights", NULL, error)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const bsp_entity *entity = &entities->list[i];
        for (uint32_t k = 0; bspi_is_texlight_list(entity) && k < entity->num_pairs; k++) {
            add(t, entity->pairs[k].key, entity->pairs[k].value);
        }
    }
    add_lines(t, own->texlights);
    if (t->count != 0) {
        qsort(t->list, t->count, sizeof *t->list, by_name);
    }
    return true;
}

bool bspi_texlights_find(bspi_relight *own, const bsp_text **out, bsp_error *error) {
    texlights t = {NULL, 0};
    *out = NULL;
    if (!collect(own, &t, error)) {
        return false;
    }
    bsp_text *values = NULL;
    if (t.count != 0) {
        values = bspi_arena_raw(&own->arena, own->map->num_materials, sizeof *values, error);
        if (values == NULL || !bspi_heap_work(&own->heap, own->map->num_materials, error)) {
            return false;
        }
    }
    for (uint32_t m = 0; values != NULL && m < own->map->num_materials; m++) {
        values[m] = value_of(&t, own->map->materials[m].name);
    }
    *out = values;
    return true;
}
