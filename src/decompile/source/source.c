// SPDX-License-Identifier: MIT
// The steps of decompiling Source maps. The map keeps brushes, entities and most of what the
// compiler turned into records; the steps reverse that. Facts: sheet outputs, sections 2 to 4.
#include "decompile/source/steps.h"

static bool entities(bspi_work *w) {
    bspi_source_state *state = bspi_arena_zero(&w->arena, 1, sizeof *state, w->error);
    w->own = state;
    if (w->map->branch->opaque) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_BRUSHES, BSP_NONE,
                  "the records of %s are not known: only entities are written",
                  w->map->branch->title);
    }
    return state != NULL && bspi_source_find_marks(w) && bspi_source_names(w) &&
           bspi_source_entities(w);
}

static bool solids(bspi_work *w) {
    return bspi_source_find_owners(w) && bspi_source_mark_brushes(w) && bspi_source_flat(w) &&
           bspi_source_solids(w);
}

static bool extras(bspi_work *w) {
    if (!bspi_source_displacements(w)) {
        return false;
    }
    bool world_only = w->options->world_only;
    return (world_only || bspi_source_occluders(w)) && bspi_source_number_sides(w) &&
           (world_only ||
            (bspi_source_cubemaps(w) && bspi_source_overlays(w) && bspi_source_props(w))) &&
           bspi_source_cameras(w);
}

const bspi_method bspi_method_source = {.entities = entities,
                                        .solids = solids,
                                        .look = bspi_source_look,
                                        .extras = extras,
                                        .repair = bspi_source_repair,
                                        .needs_hulls = true};
