// SPDX-License-Identifier: MIT
// The end of light that was made.
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/places/spots.h"
#include "bake/light/shadows/props.h"
#include "bake/light/shadows/shade.h"
#include "bake/light/vrad/vrad.h"

void bsp_relight_free(bsp_relight *relight) {
    bspi_relight *own = relight == NULL ? NULL : relight->owner;
    if (own == NULL) {
        return;
    }
    for (uint32_t i = 0; own->faces != NULL && i < relight->num_faces; i++) {
        const bsp_relight_face *face = &own->faces[i];
        size_t each = (size_t)face->width * face->height * face->directions;
        bspi_heap_free(&own->heap, (void *)face->luxels,
                       each * own->most_styles * sizeof *face->luxels);
    }
    bspi_props_free(own);
    bspi_vrad_free(own);
    bspi_dirt_free(own);
    bspi_spots_free(own);
    if (own->drawn != NULL) {
        bspi_shade_free(own);
        bspi_drawn_free(own);
    }
    bspi_ways_free(own);
    bsp_blob_free(&own->octree);
    bsp_blob_free(&own->grid_sides);
    bspi_heap_free(&own->heap, own->thrown, own->thrown_room * sizeof *own->thrown);
    bspi_heap_free(&own->heap, own->lamps, own->lamps_room * sizeof *own->lamps);
    bspi_light_source_free(&own->source);
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
