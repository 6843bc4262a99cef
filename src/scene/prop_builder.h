// SPDX-License-Identifier: MIT
// The list of props being built.
#ifndef BSPI_SCENE_PROP_BUILDER_H
#define BSPI_SCENE_PROP_BUILDER_H

#include "scene/cards.h"
#include "scene/shows.h"

/// A model that is shown in one pose, or that is missing.
typedef struct bspi_prop_variant {
    bsp_text given;     ///< by the entity or static prop
    bsp_text path;      ///< in the search path; of the arena
    bsp_model_pose key; ///< as entities say it: `sequence` is the hash of its name
    uint32_t model;     ///< number in the list of the scene; BSP_NONE: missing
    uint32_t missing;   ///< number in the list of what is missing
    uint32_t next;      ///< with the same hash, or UINT32_MAX
} bspi_prop_variant;

typedef struct bspi_prop_builder {
    bspi_scene_builder *scene;
    const bsp_search *search;
    bspi_heap *heap;
    bsp_error *error;
    bspi_prop_variant *variants;
    size_t num_variants, room_variants;
    uint32_t *slots; ///< heads of chains, by hash
    uint32_t num_slots;
    bspi_sheet *sheets; ///< materials of cards
    bsp_scene_model *models;
    size_t num_models, room_models;
    bsp_scene_missing *missing;
    size_t num_missing, room_missing;
    bsp_scene_prop *props; ///< with room for one of each entity, static prop and detail prop
    size_t num_props;
    uint32_t *names;        ///< of entities by the hash of their targetname; NULL: not made yet
    uint32_t *next_names;   ///< for each entity the next one with the same hash, or BSP_NONE
    bsp_trace_index *index; ///< for items that fall; NULL: not made yet
    bool no_index;          ///< and it cannot be made
} bspi_prop_builder;

#define BSPI_NO_SLOT UINT32_MAX

/// Finds or makes the variant of a model that is shown. Returns false without memory or over a
/// limit.
bool bspi_prop_find(bspi_prop_builder *b, const bspi_shown *shown, const bspi_prop_variant **out);
/// Returns the open model that a variant shows, by what it is.
bsp_model_asset *bspi_prop_asset(const bspi_prop_builder *b, const bsp_model_info *info);
/// Begins a prop that shows a variant; NULL if it is missing, which is counted.
bsp_scene_prop *bspi_prop_begin_variant(bspi_prop_builder *b, const bspi_prop_variant *v,
                                        bsp_scene_prop_kind kind, uint32_t number);
/// Gives the place in the world of a point of the prop's model.
void bspi_prop_to_world(const bsp_scene_prop *prop, const float in[3], float out[3]);

/// Begins a prop that shows a model of the list.
bsp_scene_prop *bspi_prop_begin(bspi_prop_builder *b, uint32_t model, bsp_scene_prop_kind kind,
                                uint32_t number);
/// Finds or makes the model and begins a prop that shows it; NULL if it is missing, which is
/// counted. Returns false without memory or over a limit.
bool bspi_prop_show(bspi_prop_builder *b, const bspi_shown *shown, bsp_scene_prop_kind kind,
                    uint32_t number, bsp_scene_prop **out);
/// Adds the card to the list of models. Returns false without memory.
bool bspi_prop_card(bspi_prop_builder *b, bspi_sheet *sheet, const bsp_model_mesh *mesh,
                    uint32_t *number);
/// Sets `place` and `scale`.
void bspi_prop_place(bsp_scene_prop *prop, const float origin[3], const float angles[3],
                     float scale);

/// Adds a name to the list of what is missing, or finds it there. Returns false without memory.
bool bspi_prop_missing(bspi_prop_builder *b, bsp_text name, const char *note, uint32_t *number);
/// Takes the light of a prop at a point.
void bspi_prop_light(bspi_prop_builder *b, bsp_scene_prop *prop, const float point[3]);
/// Finds the first entity of a name (targetname), or BSP_NONE. Returns false without memory.
bool bspi_prop_named(bspi_prop_builder *b, bsp_text name, uint32_t *entity);

/// Adds the rope of an entity, if it is one (`*is_rope`). Returns false without memory or over a
/// limit.
bool bspi_props_rope(bspi_prop_builder *b, const bsp_entity *entity, uint32_t number,
                     bool *is_rope);
/// Adds the detail props of the map. Returns false without memory or over a limit.
bool bspi_props_details(bspi_prop_builder *props);

#endif
