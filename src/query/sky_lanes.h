// SPDX-License-Identifier: MIT
// Lines that may meet the sky, for eight lanes: as sight_lanes.h, which is included before, but
// what is nearer is gone to first, so that a line ends at the first leaf that is solid or sky.
// Lines from one point, and those in one direction, all cross a plane from the same side.

BSPI_LANES_TARGET void BSPI_SKY(const bspi_hull *hull, bspi_child root, bspi_sight_eight *eight) {
    pieces list[MOST_PENDING];
    pieces p;
    uint32_t count = 0;
    uint32_t steps = 0;
    begin8(root, eight, &p);
    while (p.lanes != 0) {
        count = descend8(hull, eight, &p, list, count, &steps, true);
        eight->stopped |= p.at == BSPI_SOLID_LEAF ? p.lanes : 0;
        eight->unknown |= p.at == BSPI_SKY_LEAF ? p.lanes : 0;
        p.lanes = 0;
        while (count != 0 && p.lanes == 0) {
            p = list[--count];
            p.lanes &= ~(eight->stopped | eight->unknown);
        }
    }
}
