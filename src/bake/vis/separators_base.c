// SPDX-License-Identifier: MIT
// Separating planes with the instructions that every processor of the target has.
#define BSPI_SEPARATING bspi_separating_base
#include "bake/vis/separate.h"

void bspi_winding_turn(const bspi_winding *winding, bspi_winding_points *room, bspi_winding *out) {
    for (uint32_t i = 0; i < winding->count; i++) {
        for (int k = 0; k < 3; k++) {
            room->at[k][i] = winding->at[k][winding->count - 1 - i];
        }
    }
    close_winding(out, room, winding->count);
}
