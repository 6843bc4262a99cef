// SPDX-License-Identifier: MIT
// The direct light of a face: at its luxels, or as vrad measures it.
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lamps/face_rows.h"
#include "bake/light/places/cells.h"
#include "bake/light/places/places.h"
#include "bake/light/places/spots.h"

// Lights a face in its cells, if it has any.
static bool light_cells(bspi_relight *own, uint32_t number, bool *has, bsp_error *error) {
    bspi_cells cells;
    if (!bspi_cells_find(own, number, &cells, error)) {
        return false;
    }
    *has = cells.count != 0 && bspi_place_takes_light(own, number);
    bool done = !*has || bspi_cells_light(own, &cells, &own->faces[number], error);
    bspi_cells_free(own, &cells);
    return done;
}

// What hlrad blurs is measured beyond the edges too.
static bool find_places(bspi_relight *own, uint32_t number, bspi_places *places, bsp_error *error) {
    bool wider =
        own->scale.blur > 1 && own->scale.step <= 1 && own->drawn == NULL && own->ways == NULL;
    uint32_t extra = own->scale.extra;
    return wider ? bspi_places_luxels(own, number, extra, 1, places, error)
                 : bspi_places_find(own, number, extra, places, error);
}

bool bspi_direct_face(bspi_relight *own, uint32_t number, bsp_error *error) {
    bspi_places places;
    bool has = false;
    bool beside = own->beside != NULL && own->beside[number];
    if (bspi_region_keeps(own, number) && own->scale.bounces == 0 && !beside) {
        return true; // it gives no light to others
    }
    bool lit = !own->scale.cells || light_cells(own, number, &has, error);
    if (!lit || has) {
        return lit;
    }
    if (!find_places(own, number, &places, error)) {
        return false;
    }
    uint8_t *row = NULL;
    bool done = own->drawn != NULL || bspi_face_row(own, number, &row, error);
    places.row = row != NULL ? row : places.row;
    places.share = bspi_spots_are_used(own) ? BSPI_LAMPS_NEAR : BSPI_LAMPS_ALL; // the rest: rad.c
    places.ways = own->ways != NULL ? &own->ways[number] : NULL;
    if (done && own->drawn != NULL && own->drawn->dirt && places.count != 0) {
        done = bspi_drawn_dirt(own, number, &places, error);
        places.corners = own->drawn->faces[number].open;
    }
    done = done && (places.count == 0 || bspi_direct_at(own, &places, &own->faces[number], error));
    bspi_heap_free(&own->heap, row, own->map->visibility.row_bytes);
    bspi_places_free(own, &places);
    return done;
}
