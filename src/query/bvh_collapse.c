// SPDX-License-Identifier: MIT
// Collapses a binary tree of boxes into one with eight children per node.
#include "query/bvh.h"

#include <string.h>

// Replaces the largest child by its two children until there are eight, or only leaves.
static uint32_t pick_children(const bspi_pair *pairs, uint32_t from, uint32_t out[BSPI_LANES]) {
    uint32_t count = 1;
    out[0] = from;
    while (count < BSPI_LANES) {
        uint32_t largest = BSP_NONE;
        double area = -1;
        for (uint32_t i = 0; i < count; i++) {
            double a = bspi_half_area(&pairs[out[i]].bounds);
            if (pairs[out[i]].count > 1 && a > area) {
                largest = i;
                area = a;
            }
        }
        if (largest == BSP_NONE) {
            break;
        }
        uint32_t left = pairs[out[largest]].left;
        out[largest] = left;
        out[count++] = left + 1;
    }
    return count;
}

static void clear_node(bspi_wide *node) {
    memset(node, 0, sizeof *node);
    for (uint32_t lane = 0; lane < BSPI_LANES; lane++) {
        for (int axis = 0; axis < 3; axis++) {
            node->bounds[axis][lane] = BSPI_FAR;
            node->bounds[axis + 3][lane] = -BSPI_FAR;
        }
        node->child[lane] = BSP_NONE;
    }
}

// Collapses the pairs below `root` into wide nodes. Nodes are processed in order; until then
// `child[0]` of a node holds the pair that it stands for.
bool bspi_fold(bspi_builder *b, const bspi_pair *pairs, uint32_t first_convex, uint32_t *root) {
    uint32_t next = (uint32_t)b->num_wide;
    *root = next;
    if (!bspi_builder_grow(b, &b->wide, sizeof *b->wide, b->num_wide + 1, &b->room_wide)) {
        return false;
    }
    b->wide[b->num_wide++].child[0] = 0;
    for (; next < b->num_wide; next++) {
        uint32_t children[BSPI_LANES];
        uint32_t count = pick_children(pairs, b->wide[next].child[0], children);
        if (!bspi_builder_grow(b, &b->wide, sizeof *b->wide, b->num_wide + count, &b->room_wide)) {
            return false;
        }
        bspi_wide *node = &b->wide[next];
        clear_node(node);
        for (uint32_t lane = 0; lane < count; lane++) {
            const bspi_pair *p = &pairs[children[lane]];
            for (int axis = 0; axis < 3; axis++) {
                node->bounds[axis][lane] = p->bounds.low[axis];
                node->bounds[axis + 3][lane] = p->bounds.high[axis];
            }
            node->contents[lane] = p->contents;
            if (p->count == 1) {
                node->child[lane] = BSPI_LEAF | (first_convex + p->left);
            } else {
                node->child[lane] = (uint32_t)b->num_wide;
                b->wide[b->num_wide++].child[0] = children[lane];
            }
        }
    }
    return true;
}
