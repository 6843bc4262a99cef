// SPDX-License-Identifier: MIT
// Functions that all steps of a decompilation use.
#include "decompile/work.h"

#include "core/text.h"
#include "map/entity.h"

#include <math.h>
#include <stdio.h>

void bspi_lost(bspi_work *w, int kind, bsp_table_id table, uint32_t record, const char *format,
               ...) {
    char text[sizeof((bsp_issue *)0)->text];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    const bsp_lump_def *lump = bsp_branch_lump_of(w->map->branch, table);
    const char *name = lump != NULL ? lump->name : bsp_table_id_name(table);
    bspi_issue(w->options->issues, kind, bsp_place_at(name, record, NULL, UINT64_MAX), "%s", text);
}

bool bspi_spend(bspi_work *w, uint64_t steps) {
    w->spent = w->spent || !bspi_meter_add(&w->meter, steps);
    return !w->spent;
}

// --- entities -----------------------------------------------------------------------------------

// Returns the value of a pair for the copy: engines take the first entity for the world whatever
// its class, editors go by the class.
static bsp_text copied_value(bspi_work *w, uint32_t entity, uint32_t made, const bsp_pair *pair) {
    static const char world[] = "worldspawn";
    if (made != 0 || !bspi_text_is(pair->key, "classname") || bspi_text_is(pair->value, world)) {
        return pair->value;
    }
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_ENTITIES, entity,
              "the first entity is written as %s, whatever its class", world);
    return bsp_text_of(world);
}

bool bspi_drop_brush_model(const bsp_pair *pair) {
    return bspi_text_is(pair->key, "model") && bspi_is_brush_model(pair->value);
}

bool bspi_drop_placed_model(const bsp_pair *pair) {
    return bspi_drop_brush_model(pair) || bspi_text_is(pair->key, "origin");
}

uint32_t bspi_copy_entity(bspi_work *w, uint32_t entity, bspi_drop_key *drop) {
    uint32_t made = w->out.entities.count;
    if (bspi_build_entity(&w->out) == NULL) {
        return BSP_NONE;
    }
    const bsp_entity *from = &w->map->entities->list[entity];
    if (made == 0 && bsp_entity_value(from, "classname").data == NULL &&
        !bspi_build_pair(&w->out, made, bsp_text_of("classname"), bsp_text_of("worldspawn"),
                         false)) {
        return BSP_NONE;
    }
    for (uint32_t i = 0; i < from->num_pairs; i++) {
        const bsp_pair *pair = &from->pairs[i];
        if (drop != NULL && drop(pair)) {
            continue;
        }
        bsp_text value = copied_value(w, entity, made, pair);
        if (!bspi_build_pair(&w->out, made, pair->key, value, false)) {
            return BSP_NONE;
        }
    }
    w->entity_of[entity] = made;
    return made;
}

uint32_t bspi_new_entity(bspi_work *w, const char *classname) {
    uint32_t made = w->out.entities.count;
    if (bspi_build_entity(&w->out) == NULL ||
        !bspi_build_pair(&w->out, made, bsp_text_of("classname"), bsp_text_of(classname), false) ||
        (!bspi_class_wanted(w, classname) && !bspi_build_leave_out(&w->out, made))) {
        return BSP_NONE;
    }
    return made;
}

static bool is_class_wanted(const bsp_decompile_options *options, bsp_text classname) {
    return options->wanted_class == NULL || bspi_text_is(classname, "worldspawn") ||
           options->wanted_class(options->user, classname);
}

bool bspi_class_wanted(const bspi_work *w, const char *classname) {
    return is_class_wanted(w->options, bsp_text_of(classname));
}

bool bspi_wanted(const bspi_work *w, uint32_t entity) {
    const bsp_decompile_options *options = w->options;
    const bsp_entity *e = &w->map->entities->list[entity];
    return !options->world_only && is_class_wanted(options, bsp_entity_value(e, "classname")) &&
           (options->wanted == NULL || options->wanted(options->user, e));
}

bool bspi_entity_origin(const bsp_entity *entity, double origin[3]) {
    float at[3];
    if (!bsp_parse_vector(bsp_entity_value(entity, "origin"), at) || !isfinite(at[0]) ||
        !isfinite(at[1]) || !isfinite(at[2])) {
        return false;
    }
    for (int a = 0; a < 3; a++) {
        origin[a] = (double)at[a];
    }
    return true;
}

// --- texts --------------------------------------------------------------------------------------

bsp_text bspi_intern(bspi_work *w, bsp_text text) {
    bspi_text_slot *slot = bspi_text_slot_of(&w->names, text, w->error);
    if (slot == NULL) {
        return (bsp_text){NULL, 0};
    }
    if (slot->text.data == NULL) {
        slot->text = bspi_builder_text(&w->out, text);
        w->names.count += slot->text.data != NULL;
    }
    return slot->text;
}

bsp_text bspi_written_material(bspi_work *w, const bspi_look *look) {
    const char *own = w->options->face_material;
    bool shown = look->source == BSPI_LOOK_FACE && own != NULL;
    return bspi_intern(w, shown ? bsp_text_of(own) : look->material);
}
