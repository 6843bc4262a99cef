// SPDX-License-Identifier: MIT
// Which models are solid when a map begins, and as what a mask meets them. Sources: the published
// game code of Quake, Quake 2, Half-Life and the Source SDK 2013 (setsize, mins and maxs of the
// classes; StandardFilterRules). Items are triggers in all games, and stop nothing.
#include "scene/shows.h"

#include "map/classes.h"
#include "map/entity.h"

#include <math.h>
#include <string.h>

#define Q1 (1u << BSP_CODE_QUAKE)
#define GS (1u << BSP_CODE_GOLDSRC)
#define Q2 (1u << BSP_CODE_QUAKE2)
#define SO (1u << BSP_CODE_SOURCE)

// Flags of contents and masks, the same in all games that have them.
#define SOLID 1u
#define WINDOW 2u
#define MONSTER 0x2000000u

#define NONE 0u
#define BOX 2u
#define HULLS 6u
#define BY_KEY 255u // as the key "solid" says

// The effect of a class. Of all rows that fit the last is taken. A box of zeros is that of the
// model's file, or around its triangles.
typedef struct solid_row {
    const char *name; // may end in '*'
    uint32_t codes;   // of games, as bits
    uint32_t solid;
    uint32_t contents;
    uint32_t needs;
    uint32_t glass; // needed too where a rendermode draws it (IsTransparent)
    float mins[3];
    float maxs[3];
} solid_row;

#define MODEL_BOX                                                                                  \
    {0, 0, 0}, {                                                                                   \
        0, 0, 0                                                                                    \
    }

// clang-format off
static const solid_row rows[] = {
    {"misc_explobox", Q1, BOX, SOLID, 0, 0, {0, 0, 0}, {32, 32, 64}},
    {"misc_explobox2", Q1, BOX, SOLID, 0, 0, {0, 0, 0}, {32, 32, 32}},
    {"monster_*", Q1, BOX, MONSTER, MONSTER, 0, {-16, -16, -24}, {16, 16, 40}},
    {"monster_dog", Q1, BOX, MONSTER, MONSTER, 0, {-32, -32, -24}, {32, 32, 40}},
    {"monster_ogre*", Q1, BOX, MONSTER, MONSTER, 0, {-32, -32, -24}, {32, 32, 64}},
    {"monster_demon1", Q1, BOX, MONSTER, MONSTER, 0, {-32, -32, -24}, {32, 32, 64}},
    {"monster_shambler", Q1, BOX, MONSTER, MONSTER, 0, {-32, -32, -24}, {32, 32, 64}},
    {"monster_shalrath", Q1, BOX, MONSTER, MONSTER, 0, {-32, -32, -24}, {32, 32, 64}},
    {"monster_fish", Q1, BOX, MONSTER, MONSTER, 0, {-16, -16, -24}, {16, 16, 24}},
    {"monster_boss", Q1, NONE, 0, 0, 0, MODEL_BOX}, // it rises when it is called
    {"monster_oldone", Q1, BOX, MONSTER, MONSTER, 0, {-160, -128, -24}, {160, 128, 256}},
    {"monster_*", GS, BOX, MONSTER, MONSTER, 0, {-16, -16, 0}, {16, 16, 72}},
    {"cycler", GS, BOX, SOLID, 0, 0, {-16, -16, 0}, {16, 16, 72}},
    {"cycler_sprite", GS, BOX, SOLID, 0, 0, {-16, -16, 0}, {16, 16, 72}},
    {"xen_spore_small", GS, BOX, SOLID, 0, 0, {-16, -16, 0}, {16, 16, 64}},
    {"xen_spore_medium", GS, BOX, SOLID, 0, 0, {-40, -40, 0}, {40, 40, 120}},
    {"xen_spore_large", GS, BOX, SOLID, 0, 0, {-48, -48, 110}, {48, 48, 240}},
    // What is a box has the contents "monster" (CM_HeadnodeForBox).
    {"misc_explobox", Q2, BOX, MONSTER, 0, 0, {-16, -16, 0}, {16, 16, 40}},
    {"misc_satellite_dish", Q2, BOX, MONSTER, 0, 0, {-64, -64, 0}, {64, 64, 128}},
    {"misc_deadsoldier", Q2, BOX, MONSTER, 0, 0, {-16, -16, 0}, {16, 16, 16}},
    {"misc_bigviper", Q2, BOX, MONSTER, 0, 0, {-176, -120, -24}, {176, 120, 72}},
    {"misc_eastertank", Q2, BOX, MONSTER, 0, 0, {-32, -32, -16}, {32, 32, 32}},
    {"misc_easterchick*", Q2, BOX, MONSTER, 0, 0, {-32, -32, 0}, {32, 32, 32}},
    {"misc_insane", Q2, BOX, MONSTER, 0, 0, {-16, -16, -24}, {16, 16, 32}},
    {"light_mine*", Q2, BOX, MONSTER, 0, 0, {-2, -2, -12}, {2, 2, 12}},
    {"turret_driver", Q2, BOX, MONSTER, 0, 0, {-16, -16, -24}, {16, 16, 24}},
    {"monster_*", Q2, BOX, MONSTER, 0, 0, {-16, -16, -24}, {16, 16, 32}},
    {"monster_boss2", Q2, BOX, MONSTER, 0, 0, {-56, -56, 0}, {56, 56, 80}},
    {"monster_boss3_stand", Q2, BOX, MONSTER, 0, 0, {-32, -32, 0}, {32, 32, 90}},
    {"monster_chick", Q2, BOX, MONSTER, 0, 0, {-16, -16, 0}, {16, 16, 56}},
    {"monster_commander_body", Q2, BOX, MONSTER, 0, 0, {-32, -32, 0}, {32, 32, 48}},
    {"monster_flipper", Q2, BOX, MONSTER, 0, 0, {-16, -16, 0}, {16, 16, 32}},
    {"monster_floater", Q2, BOX, MONSTER, 0, 0, {-24, -24, -24}, {24, 24, 32}},
    {"monster_gladiator", Q2, BOX, MONSTER, 0, 0, {-32, -32, -24}, {32, 32, 64}},
    {"monster_hover", Q2, BOX, MONSTER, 0, 0, {-24, -24, -24}, {24, 24, 32}},
    {"monster_jorg", Q2, BOX, MONSTER, 0, 0, {-80, -80, 0}, {80, 80, 140}},
    {"monster_makron", Q2, BOX, MONSTER, 0, 0, {-30, -30, 0}, {30, 30, 90}},
    {"monster_medic", Q2, BOX, MONSTER, 0, 0, {-24, -24, -24}, {24, 24, 32}},
    {"monster_mutant", Q2, BOX, MONSTER, 0, 0, {-32, -32, -24}, {32, 32, 48}},
    {"monster_parasite", Q2, BOX, MONSTER, 0, 0, {-16, -16, -24}, {16, 16, 24}},
    {"monster_tank*", Q2, BOX, MONSTER, 0, 0, {-32, -32, -16}, {32, 32, 72}},
    {"monster_supertank", Q2, BOX, MONSTER, 0, 0, {-64, -64, 0}, {64, 64, 112}},
    // Whatever shows a model and is not a static prop is met by masks with "monster" only.
    {"prop_dynamic*", SO, BY_KEY, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"prop_dynamic_ornament", SO, NONE, 0, 0, 0, MODEL_BOX},
    {"dynamic_prop", SO, BY_KEY, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"prop_physics*", SO, HULLS, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"physics_prop", SO, HULLS, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"prop_door_rotating", SO, HULLS, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"prop_sphere", SO, HULLS, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"prop_vehicle*", SO, HULLS, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"prop_weighted_cube", SO, HULLS, SOLID, MONSTER, WINDOW, MODEL_BOX},
    {"npc_*", SO, BOX, MONSTER, MONSTER, WINDOW, MODEL_BOX},
    {"npc_maker", SO, NONE, 0, 0, 0, MODEL_BOX},
    {"npc_template_maker", SO, NONE, 0, 0, 0, MODEL_BOX},
};
// clang-format on

static bool is_zero(const float v[3]) {
    return v[0] == 0 && v[1] == 0 && v[2] == 0;
}

// The box of a model, in its own space: as its file says, or around its triangles.
static void model_box(const bsp_scene_model *model, float mins[3], float maxs[3]) {
    const bsp_model_info *info = model->info;
    bool stated = !is_zero(info->hull_mins) || !is_zero(info->hull_maxs);
    memcpy(mins, stated ? info->hull_mins : model->mesh->mins, 3 * sizeof *mins);
    memcpy(maxs, stated ? info->hull_maxs : model->mesh->maxs, 3 * sizeof *maxs);
}

// The contents that the model states for its hulls (CStudioConvexInfo), if it states some.
static uint32_t contents_of(const bsp_scene_model *model, uint32_t otherwise) {
    return model->info->contents != 0 ? model->info->contents : otherwise;
}

// Which row the entity has; NULL: it is not solid.
static const solid_row *row_of(const bsp_map *map, const bsp_entity *entity) {
    bsp_text name = bsp_entity_value(entity, "classname");
    uint32_t code = 1u << map->traits->game_code;
    const solid_row *found = NULL;
    for (size_t i = 0; name.size != 0 && i < sizeof rows / sizeof *rows; i++) {
        bool fits = (rows[i].codes & code) != 0 && bspi_class_fits(rows[i].name, name);
        found = fits ? &rows[i] : found;
    }
    return found;
}

static uint32_t solid_of(const solid_row *row, const bsp_entity *entity) {
    if (row->solid != BY_KEY) {
        return row->solid;
    }
    int64_t number = bspi_entity_int(entity, "solid", NONE);
    return number == BOX || number == HULLS ? (uint32_t)number : NONE;
}

// Whether it is drawn by a rendermode other than the normal one, however opaque.
static bool is_glass(const bsp_entity *entity) {
    return bspi_entity_int(entity, "rendermode", 0) != 0;
}

void bspi_entity_solid(const bsp_map *map, const bsp_entity *entity, const bsp_scene_model *model,
                       bsp_scene_prop *prop) {
    const solid_row *row = row_of(map, entity);
    prop->solid = row == NULL ? NONE : solid_of(row, entity);
    if (prop->solid == NONE) {
        return;
    }
    prop->contents = prop->solid == HULLS ? contents_of(model, row->contents) : row->contents;
    prop->needs = row->needs | (is_glass(entity) ? row->glass : 0);
    float box[2][3]; // boxes of entities are not turned
    memcpy(box[0], row->mins, sizeof box[0]);
    memcpy(box[1], row->maxs, sizeof box[1]);
    if (is_zero(row->mins) && is_zero(row->maxs)) {
        model_box(model, box[0], box[1]);
    }
    for (int i = 0; i < 3 && prop->solid == BOX; i++) {
        prop->solid_box[0][i] = prop->place[i][3] + box[0][i];
        prop->solid_box[1][i] = prop->place[i][3] + box[1][i];
    }
}

void bspi_static_solid(const bsp_scene_model *model, uint32_t solid, bsp_scene_prop *prop) {
    float mins[3], maxs[3];
    prop->solid = solid;
    prop->contents = solid == NONE ? 0 : contents_of(model, SOLID);
    if (solid != BOX) {
        return;
    }
    // The box of the engine is that around the model's box as it is placed (CStaticProp).
    model_box(model, mins, maxs);
    for (int i = 0; i < 3; i++) {
        float middle = prop->place[i][3];
        float reach = 0;
        for (int j = 0; j < 3; j++) {
            middle += prop->place[i][j] * (mins[j] + maxs[j]) * 0.5F;
            reach += fabsf(prop->place[i][j] * (maxs[j] - mins[j]) * 0.5F);
        }
        prop->solid_box[0][i] = middle - reach;
        prop->solid_box[1][i] = middle + reach;
    }
}
