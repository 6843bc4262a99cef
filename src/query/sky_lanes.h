// SPDX-License-Identifier: MIT
// Lines that may meet the sky, for eight lanes: as sight_lanes.h, which is included before, but
// what is nearer is gone to first, so that a line ends at the first leaf that is solid or sky.
// Lines from one point, and those in one direction, all cross a plane from the same side.

// Leaves out the lines that cross a plane from its front, where others do so from its back. Returns
// the side from which the rest do.
BSPI_LANES uint32_t near8(bspi_sight_eight *eight, pieces *p, uint32_t cross, uint32_t from_back) {
    uint32_t backs = cross & from_back;
    if (backs != 0) {
        eight->unknown |= cross & ~from_back;
        p->lanes &= ~(cross & ~from_back);
    }
    return backs != 0;
}

BSPI_LANES_TARGET void BSPI_SKY(const bspi_hull *hull, bspi_child root, bspi_sight_eight *eight) {
    pieces list[MOST_PENDING];
    pieces p;
    uint32_t count = 0;
    uint32_t steps = 0;
    begin8(root, eight, &p);
    while (p.lanes != 0) {
        while (p.at < BSPI_OPEN_LEAF) {
            const bspi_step *step = &hull->steps[bspi_node_of(p.at)];
            f8 t1 = away8(hull, p.at, p.from);
            f8 t2 = away8(hull, p.at, p.to);
            uint32_t axis = bspi_axis_of(p.at);
            uint32_t from_back = back8(step, axis, p.from, t1);
            uint32_t to_back = back8(step, axis, p.to, t2);
            uint32_t first = near8(eight, &p, (from_back ^ to_back) & p.lanes, from_back);
            if (((from_back | to_back) & p.lanes) == 0) {
                p.at = step->children[0];
                p.level++;
            } else if ((from_back & to_back & p.lanes) == p.lanes) {
                p.at = step->children[1];
                p.level++;
            } else if (count < MOST_PENDING) {
                cut8(step, &p, from_back, to_back, t1, t2, first, &list[count]);
                count++;
            } else {
                steps = MOST_STEPS;
            }
            if (++steps >= MOST_STEPS || p.level >= MOST_LEVELS) {
                eight->unknown = eight->lanes;
                return;
            }
        }
        eight->stopped |= p.at == BSPI_SOLID_LEAF ? p.lanes : 0;
        eight->unknown |= p.at == BSPI_SKY_LEAF ? p.lanes : 0;
        p.lanes = 0;
        while (count != 0 && p.lanes == 0) {
            p = list[--count];
            p.lanes &= ~(eight->stopped | eight->unknown);
        }
    }
}
