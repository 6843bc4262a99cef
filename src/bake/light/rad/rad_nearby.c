// SPDX-License-Identifier: MIT
// The patches of some faces beside each other.
#include "bake/light/rad/rad_nearby.h"
#include "bake/light/rad/rad_wedges.h"

#include <assert.h>
#include <string.h>

#define MEMBERS 14u // lists of them: numbers, and of the planes

static void add(const bspi_rad *rad, uint32_t patch, bspi_rad_nearby *out) {
    const bspi_rad_around *around = &rad->around[patch];
    uint32_t n = out->count++;
    out->patches[n] = patch;
    out->planes.reach[n] = around->reach;
    for (int c = 0; c < 3; c++) {
        out->planes.middle[c][n] = around->middle[c];
        for (int axis = 0; axis < 3; axis++) {
            out->planes.axes[axis][c][n] = around->axes[axis][c];
        }
    }
}

bool bspi_rad_nearby_list(const bspi_rad *rad, const uint32_t *faces, uint32_t num_faces,
                          bspi_rad_nearby *out, bsp_error *error) {
    size_t each = BSPI_RAD_LANES;
    *out = (bspi_rad_nearby){0};
    for (uint32_t f = 0; f < num_faces; f++) {
        each += rad->firsts[faces[f] + 1] - rad->firsts[faces[f]];
    }
    out->size = MEMBERS * each * sizeof *out->all;
    out->all = bspi_heap_alloc(&rad->own->heap, out->size, error);
    if (out->all == NULL) {
        return false;
    }
    memset(out->all, 0, out->size);
    out->planes.reach = out->all;
    for (size_t c = 0; c < 3; c++) {
        out->planes.middle[c] = out->all + each * (1 + c);
        for (size_t axis = 0; axis < 3; axis++) {
            out->planes.axes[axis][c] = out->all + each * (4 + 3 * axis + c);
        }
    }
    static_assert(sizeof *out->patches == sizeof *out->all, "lists are as long");
    out->patches = (uint32_t *)(void *)(out->all + each * (MEMBERS - 1));
    for (uint32_t f = 0; f < num_faces; f++) {
        for (uint32_t i = rad->firsts[faces[f]]; i < rad->firsts[faces[f] + 1]; i++) {
            add(rad, i, out);
        }
    }
    return true;
}

void bspi_rad_nearby_free(bspi_heap *heap, bspi_rad_nearby *nearby) {
    bspi_heap_free(heap, nearby->all, nearby->size);
    *nearby = (bspi_rad_nearby){0};
}
