// SPDX-License-Identifier: MIT
// What the physics shapes of all lumps are made with.
#include "mesh/physics.h"

#include <math.h>

bsp_physics_solid *bspi_physics_solid_new(bspi_physics_builder *b, bsp_physics_kind kind,
                                          uint32_t owner) {
    bsp_physics_solid *list =
        bspi_grow(b->heap, b->solids, b->num_solids, &b->solids_room, sizeof *list, b->error);
    if (list == NULL) {
        return NULL;
    }
    b->solids = list;
    list[b->num_solids] = (bsp_physics_solid){
        .kind = kind, .owner = owner, .first_piece = b->pieces.count, .surface_prop = {"", 0}};
    return &list[b->num_solids++];
}

bool bspi_physics_point(const bsp_table *points, uint32_t record, float out[3]) {
    bool finite = true;
    for (uint32_t axis = 0; axis < 3; axis++) {
        bool one = points->layout->num_fields == 1;
        out[axis] = bsp_table_float(points, record, one ? 0 : axis, one ? axis : 0);
        finite = finite && isfinite(out[axis]);
    }
    return finite;
}
