// SPDX-License-Identifier: MIT
// Entities of two maps, each difference as one report.
#include "compare/diff.h"

#include <string.h>

#define PART "entities"

// Returns the class, then the name.
static bsp_text title(bspi_diff *d, const bsp_entity *entity) {
    bsp_text class = bsp_entity_value(entity, "classname");
    bsp_text name = bsp_entity_value(entity, "targetname");
    char *text = bspi_arena_raw(&d->arena, class.size + name.size + 2, 1, d->error);
    if (text == NULL || name.size == 0) {
        return class;
    }
    if (class.size != 0) {
        memcpy(text, class.data, class.size);
    }
    text[class.size] = ' ';
    memcpy(text + class.size + 1, name.data, name.size);
    return (bsp_text){text, class.size + 1 + name.size};
}

static void tell_pairs(bspi_diff *d, const bsp_entity_match *m, const bsp_entity *before,
                       const bsp_entity *after) {
    const bsp_text none = {NULL, 0};
    bsp_text name = m->num_pairs == 0 ? none : title(d, before);
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        const bsp_pair_difference *one = &m->pairs[i];
        const bsp_pair *a = one->before == BSP_NONE ? NULL : &before->pairs[one->before];
        const bsp_pair *b = one->after == BSP_NONE ? NULL : &after->pairs[one->after];
        char *field = bspi_arena_text(&d->arena, a != NULL ? a->key : b->key, d->error);
        bspi_diff_tell(d, one->kind, PART, bsp_place_at("ENTITIES", m->before, field, UINT64_MAX),
                       name, a == NULL ? none : a->value, b == NULL ? none : b->value);
    }
}

static void tell_entity(bspi_diff *d, bsp_difference_kind kind, const bsp_entities *all,
                        uint32_t i) {
    const bsp_entity *entity = &all->list[i];
    const bsp_text none = {NULL, 0};
    bsp_text text = {all->text.data + entity->offset, entity->size};
    bspi_diff_tell(d, kind, PART, bsp_place_at("ENTITIES", i, NULL, UINT64_MAX), title(d, entity),
                   kind == BSP_REMOVED ? text : none, kind == BSP_ADDED ? text : none);
}

bool bspi_diff_entities(bspi_diff *d) {
    const bsp_entities *const all[2] = {d->maps[0]->entities, d->maps[1]->entities};
    bsp_entity_diff found;
    if (all[0] == NULL || all[1] == NULL) {
        return true;
    }
    if (!bspi_diff_lists(d, all, NULL, &d->arena, &found)) {
        return false;
    }
    for (uint32_t i = 0; i < found.count; i++) {
        const bsp_entity_match *m = &found.matches[i];
        if (m->after == BSP_NONE) {
            tell_entity(d, BSP_REMOVED, all[0], m->before);
        } else if (m->before == BSP_NONE) {
            tell_entity(d, BSP_ADDED, all[1], m->after);
        } else {
            tell_pairs(d, m, &all[0]->list[m->before], &all[1]->list[m->after]);
        }
    }
    return true;
}
