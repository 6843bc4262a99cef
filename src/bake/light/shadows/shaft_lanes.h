// SPDX-License-Identifier: MIT
// Lines through the leaves of a tree, for eight lanes: they are cut at planes as bspi_shaft_stays
// cuts one, by the same operations. In which order leaves are found does not matter. A file that
// includes this says by BSPI_AVX2 with what, and by BSPI_SHAFT_EIGHT under which name.
#include "bake/light/shadows/shaft_eight.h"
#include "core/lanes.h"

#define MOST_PENDING 64u // sides of planes that are left for later
#define MOST_LEVELS 256u // of the tree
#define MOST_STEPS 1024u // nodes that are looked at; then it is not known

// What of some lines is to be looked at.
typedef struct pieces {
    f8 from[3];
    f8 to[3];
    int32_t node;
    uint32_t level;
    uint32_t lanes;
} pieces;

// Returns how far points are before the plane of a node.
BSPI_LANES f8 before8(const bspi_shaft_node *node, const f8 at[3]) {
    return (node->axis < 3 ? at[node->axis] : f8_along(node->normal, at)) - f8_all(node->dist);
}

// Goes down where all pieces are on one side of a node's plane. False where they are not.
BSPI_LANES bool follow8(const bspi_shaft_node *node, pieces *p, uint32_t front, uint32_t to_front) {
    bool back = ((front | to_front) & p->lanes) == 0;
    bool ahead = (front & to_front & p->lanes) == p->lanes;
    if (ahead || back) {
        p->node = node->children[back];
        p->level++;
    }
    return ahead || back;
}

// Cuts pieces at the plane of a node: those on its front go on, those on its back go to `later`.
BSPI_LANES void cut8(const bspi_shaft_node *node, pieces *p, f8 a, f8 b, uint32_t front,
                     uint32_t to_front, pieces *later) {
    f8 part = a / (a - b);
    i8 leaves = i8_mask(front & ~to_front);
    i8 comes = i8_mask(to_front & ~front);
    for (int i = 0; i < 3; i++) {
        f8 at = p->from[i] + (p->to[i] - p->from[i]) * part;
        later->from[i] = f8_pick(leaves, at, p->from[i]);
        later->to[i] = f8_pick(comes, at, p->to[i]);
        p->from[i] = f8_pick(comes, at, p->from[i]);
        p->to[i] = f8_pick(leaves, at, p->to[i]);
    }
    later->node = node->children[1];
    later->lanes = p->lanes & ~(front & to_front);
    later->level = ++p->level;
    p->node = node->children[0];
    p->lanes &= front | to_front;
}

// Notes which pieces have come to other contents than before.
BSPI_LANES void enter8(bspi_shaft_lines *lines, const pieces *p, int32_t open, i8 *seen) {
    i8 here = i8_mask(p->lanes);
    i8 all = i8_all(open);
    i8 other = (*seen != i8_all(0)) & (*seen != all) & here;
    lines->changes |= open != 0 ? i8_bits(other) : 0;
    *seen = open != 0 ? i8_pick(here, all, *seen) : *seen;
}

BSPI_LANES_TARGET bool BSPI_SHAFT_EIGHT(const bspi_shafts *shafts, bspi_shaft_lines *lines) {
    pieces list[MOST_PENDING];
    pieces p = {.node = shafts->root, .lanes = lines->lanes};
    i8 seen = i8_all(0);
    uint32_t count = 0;
    lines->changes = 0;
    for (int i = 0; i < 3; i++) {
        p.from[i] = f8_load(lines->from[i]);
        p.to[i] = f8_load(lines->to[i]);
    }
    for (uint32_t steps = 0; p.lanes != 0; steps++) {
        bspi_below below = bspi_shaft_below(shafts, p.node);
        if (steps == MOST_STEPS || count == MOST_PENDING || p.level > MOST_LEVELS) {
            return false;
        }
        if (below.open == BSPI_BELOW_MIXED && (uint32_t)p.node < shafts->num_nodes) {
            const bspi_shaft_node *node = &shafts->nodes[p.node];
            f8 a = before8(node, p.from);
            f8 b = before8(node, p.to);
            uint32_t front = i8_bits(a >= f8_all(0));
            uint32_t to_front = i8_bits(b >= f8_all(0));
            if (!follow8(node, &p, front, to_front)) {
                cut8(node, &p, a, b, front, to_front, &list[count++]);
            }
        } else {
            enter8(lines, &p, below.open == BSPI_BELOW_MIXED ? 0 : below.open, &seen);
            p.lanes = 0;
        }
        while (count != 0 && p.lanes == 0) {
            p = list[--count];
            p.lanes &= ~lines->changes;
        }
    }
    return true;
}
