// SPDX-License-Identifier: MIT
// The physics lump: no collision models, and the record that ends them.
#include "world.h"

void make_physics(world *w, bool big_endian) {
    (void)big_endian; // the record reads the same in both orders
    static const uint8_t end[16] = {255, 255, 255, 255, 255, 255, 255, 255};
    bytes_add(&w->physics, end, sizeof end);
}
