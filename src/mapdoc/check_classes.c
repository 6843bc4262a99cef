// SPDX-License-Identifier: MIT
// Compares the entities of a document with the classes of an editor.
#include "bspkit/mapdoc.h"
#include "core/issue_kinds.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

static bsp_place place_of(uint32_t entity) {
    return bsp_place_at("entities", entity, NULL, UINT64_MAX);
}

static bool is_everywhere(bsp_text key) {
    return key.size == 0 || key.data[0] == '_' || bspi_text_is(key, "classname") ||
           bspi_text_is(key, "origin") || bspi_text_is(key, "angle") || bspi_text_is(key, "angles");
}

static void check_keys(const bsp_mapdoc *source, uint32_t number,
                       const bsp_definitions *definitions, const bsp_entity_class *of,
                       bsp_issues *issues) {
    const bsp_mapdoc_entity *entity = &source->entities[number];
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        const bsp_mapdoc_pair *pair = &source->pairs[entity->first_pair + i];
        char key[128];
        if (pair->output || is_everywhere(pair->key) || pair->key.size >= sizeof key) {
            continue;
        }
        memcpy(key, pair->key.data, pair->key.size);
        key[pair->key.size] = '\0';
        if (bsp_definitions_property(definitions, of, key) == NULL) {
            bspi_issue(issues, BSPI_ISSUE_SOURCE_KEY, place_of(number), "%.*s has no property %s",
                       (int)of->name.size, of->name.data, key);
        }
    }
}

static bool has_shape(const bsp_mapdoc_entity *entity, const bsp_entity_class *of) {
    bool solid = entity->num_brushes != 0 || entity->num_patches != 0;
    return solid == (of->kind == BSP_CLASS_BRUSH);
}

uint32_t bsp_mapdoc_check_classes(const bsp_mapdoc *source, const bsp_definitions *definitions,
                                  bsp_issues *issues) {
    assert(source != NULL && definitions != NULL);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < source->num_entities; i++) {
        bsp_text name = bsp_mapdoc_value(source, i, "classname");
        const bsp_entity_class *of = bsp_definitions_find(definitions, name);
        if (of == NULL || of->kind == BSP_CLASS_BASE) {
            bspi_issue(issues, BSPI_ISSUE_SOURCE_CLASS, place_of(i), "%.*s is not defined",
                       (int)(name.size < 128 ? name.size : 128), name.data);
            wrong++;
            continue;
        }
        if (i != 0 && !has_shape(&source->entities[i], of)) {
            bool point = of->kind == BSP_CLASS_POINT;
            bspi_issue(issues, BSPI_ISSUE_SOURCE_SHAPE, place_of(i),
                       point ? "%.*s is a point, and has brushes" : "%.*s has no brushes",
                       (int)(name.size < 128 ? name.size : 128), name.data);
            wrong++;
        }
        check_keys(source, i, definitions, of, issues);
    }
    return wrong;
}
