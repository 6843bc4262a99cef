// SPDX-License-Identifier: MIT
// Ladders. The compiler moves the brushes of a func_ladder into the world, gives them the ladder
// bit, and leaves an info_ladder with the box around them (the first compilers leave nothing); some
// materials give a brush the bit too. Facts: sheet outputs, section 3.
#include "decompile/source/steps.h"

#define LADDER_TOUCH 2.0 // info_ladder has the box of the compiled brush, widened by 1

static bool is_loose_ladder(const bspi_work *w, uint32_t brush) {
    const bspi_source_state *state = w->own;
    return ((uint32_t)w->map->brushes[brush].contents & BSPI_SOURCE_LADDER) != 0 &&
           state->owners[brush].entity == 0 && w->brush_model[brush] == 0 &&
           state->boxes[brush].at[0][0] <= state->boxes[brush].at[1][0];
}

// --- ladders with an entity ---------------------------------------------------------------------

static bool read_ladder(const bsp_entity *entity, bspi_source_box *box) {
    static const char keys[2][3][8] = {{"mins.x", "mins.y", "mins.z"},
                                       {"maxs.x", "maxs.y", "maxs.z"}};
    for (int k = 0; k < 2; k++) {
        for (int axis = 0; axis < 3; axis++) {
            float value;
            if (!bsp_parse_float(bsp_entity_value(entity, keys[k][axis]), &value)) {
                return false;
            }
            box->at[k][axis] = (double)value;
        }
    }
    return true;
}

static bool holds(const bspi_source_box *outer, const bspi_source_box *inner) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(inner->at[0][axis] >= outer->at[0][axis] - LADDER_TOUCH) ||
            !(inner->at[1][axis] <= outer->at[1][axis] + LADDER_TOUCH)) {
            return false;
        }
    }
    return true;
}

// Gives a ladder its brushes: those inside the box that its entity left. An entity without any (its
// brushes belong to another, or were removed) stays unchanged.
static bool fill_ladder(bspi_work *w, uint32_t entity) {
    bspi_source_state *state = bspi_source_of(w);
    bspi_source_box box;
    uint32_t made = BSP_NONE;
    bool told =
        read_ladder(&w->map->entities->list[entity], &box) && bspi_spend(w, w->map->num_brushes);
    for (uint32_t i = 0; told && i < w->map->num_brushes; i++) {
        if (!is_loose_ladder(w, i) || !holds(&box, &state->boxes[i])) {
            continue;
        }
        if (made == BSP_NONE) {
            made = bspi_source_copy(w, entity, "func_ladder");
            if (made == BSP_NONE) {
                return false;
            }
        }
        state->owners[i].entity = made;
    }
    return made != BSP_NONE || !bspi_wanted(w, entity) ||
           bspi_source_copy(w, entity, NULL) != BSP_NONE;
}

// --- ladders without an entity -------------------------------------------------------------------

// Returns true if all sides of the brush have materials that make it a ladder.
static bool is_ladder_by_material(bspi_work *w, uint32_t brush) {
    const bsp_map *map = w->map;
    const bsp_brush_hull *hull = &w->hulls->hulls[brush];
    uint32_t contents = (uint32_t)map->brushes[brush].contents;
    for (uint32_t p = 0; p < hull->num_polygons; p++) {
        uint32_t side = w->hulls->polygons[hull->first_polygon + p].side;
        uint32_t texinfo = map->brush_sides[side].texinfo;
        uint32_t material = texinfo != BSP_NONE ? map->texinfos[texinfo].material : BSP_NONE;
        if (material == BSP_NONE) {
            return false;
        }
        bsp_text name = bspi_source_of(w)->names[material].name;
        bsp_text tool = bspi_source_tool(map->branch, contents, map->texinfos[texinfo].flags, name);
        if ((bspi_source_tool_contents(tool.size != 0 ? tool : name) & BSPI_SOURCE_LADDER) == 0) {
            return false;
        }
    }
    return true;
}

// Makes a func_ladder for brushes with the bit that no ladder contains and no material explains.
static bool make_ladders(bspi_work *w) {
    bspi_source_state *state = bspi_source_of(w);
    for (uint32_t i = 0; i < w->map->num_brushes; i++) {
        if (!is_loose_ladder(w, i) || is_ladder_by_material(w, i)) {
            continue;
        }
        state->owners[i].entity = bspi_new_entity(w, "func_ladder");
        if (state->owners[i].entity == BSP_NONE ||
            !bspi_source_guessed(w, "guess: ladders", &state->owners[i].visgroup)) {
            return false;
        }
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_BRUSHES, i,
                  "a ladder that no info_ladder holds: written as func_ladder");
    }
    return true;
}

bool bspi_source_find_ladders(bspi_work *w) {
    const bspi_source_state *state = w->own;
    for (uint32_t i = 0; i < state->num_ladders; i++) {
        if (!fill_ladder(w, state->ladders[i])) {
            return false;
        }
    }
    return make_ladders(w);
}
