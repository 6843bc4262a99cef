// SPDX-License-Identifier: MIT
// A piece of the way of a trace that goes down the tree, and how a node splits it: four numbers at
// a time by vector extensions of the compiler (GNU C), and with few branches, because what a node
// splits cannot be predicted.
#ifndef BSPI_PIECE_H
#define BSPI_PIECE_H

#include "query/collide.h"

#include <math.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef float bspi_four __attribute__((vector_size(16)));
typedef int32_t bspi_four_bits __attribute__((vector_size(16)));

#define BSPI_NO_NODE INT32_MIN      // nothing is there
#define BSPI_PIECE_EPSILON 0.03125f // DIST_EPSILON: pieces of the way overlap by this

/// A piece of the way, with the node at which it continues: a leaf is -1 - its number.
typedef struct bspi_piece {
    bspi_four xy; ///< x of start and end, y of start and end
    bspi_four zf; ///< z of start and end, their fractions of the whole way
    int32_t node;
} bspi_piece;

static inline float bspi_piece_first(const bspi_piece *p) {
    return p->zf[2];
}

static inline bspi_four bspi_four_pick(bspi_four_bits mask, bspi_four a, bspi_four b) {
    return (bspi_four)(((bspi_four_bits)a & mask) | ((bspi_four_bits)b & ~mask));
}

// Returns a bit for each lane of a mask.
static inline unsigned bspi_four_mask(bspi_four_bits mask) {
#if defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)mask);
#else
    return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

// Cuts pairs of start and end at two parts of the way between them: the first is returned in the
// places of the starts, the second in those of the ends.
static inline bspi_four bspi_cut_pairs(bspi_four pairs, bspi_four parts) {
    bspi_four start = __builtin_shufflevector(pairs, pairs, 0, 0, 2, 2);
    bspi_four end = __builtin_shufflevector(pairs, pairs, 1, 1, 3, 3);
    return start + (end - start) * parts;
}

// Returns the node if there are contents, else BSPI_NO_NODE; without a branch.
static inline int32_t bspi_node_or_none(int32_t node, uint32_t contents) {
    uint32_t none = (contents == 0) * UINT32_C(0xFFFFFFFF);
    return (int32_t)(((uint32_t)node & ~none) | (none & 0x80000000u));
}

/// Moves a piece to the child on whose side all of it is, or splits it into itself, the near part,
/// and *far; if only one part matters, the piece becomes that one. Returns 1 if *far matters too.
/// `sizes`: of the box, from its centre, and a 0; a part that begins at `limit` or later does not
/// matter, nor one without contents of the mask.
static inline uint32_t bspi_split_piece(const bspi_brush_node *node, bspi_four sizes, uint32_t mask,
                                        float limit, bspi_piece *p, bspi_piece *far) {
    const bspi_four_bits signs = {INT32_MIN, INT32_MIN, INT32_MIN, INT32_MIN};
    const bspi_four_bits back_signs = {0, 0, INT32_MIN, INT32_MIN};
    const bspi_four_bits starts = {-1, 0, -1, 0};
    bspi_four plane;
    memcpy(&plane, node->plane, sizeof plane);
    bspi_four nxy = __builtin_shufflevector(plane, plane, 0, 0, 1, 1);
    bspi_four nzd = __builtin_shufflevector(plane, plane, 2, 2, 3, 3);
    bspi_four across = (bspi_four)((bspi_four_bits)(plane * sizes) & ~signs);
    float reach = across[0] + across[1] + across[2]; // extent of the box across the plane
    // Distances of start and end, and both again.
    bspi_four xy = p->xy * nxy;
    bspi_four z = p->zf * nzd;
    bspi_four d = xy + __builtin_shufflevector(xy, xy, 2, 3, 2, 3) + z -
                  __builtin_shufflevector(nzd, nzd, 2, 3, 2, 3);
    d = __builtin_shufflevector(d, d, 0, 1, 0, 1);
    bspi_four turned = (bspi_four)((bspi_four_bits)d ^ back_signs);
    unsigned out = bspi_four_mask(turned > (bspi_four){reach, reach, reach, reach});
    unsigned sides = out & out >> 1 & 5u;
    if (sides != 0) {
        // With a branch for each side the next node is read before the side is computed.
        if (sides == 1) {
            p->node = bspi_node_or_none(node->children[0], node->contents[0] & mask);
        } else {
            p->node = bspi_node_or_none(node->children[1], node->contents[1] & mask);
        }
        return 0;
    }
    bspi_four d1 = __builtin_shufflevector(d, d, 0, 0, 0, 0);
    bspi_four d2 = __builtin_shufflevector(d, d, 1, 1, 1, 1);
    bspi_four_bits is_back = d1 < d2; // the near side
    float more = reach + BSPI_PIECE_EPSILON;
    bspi_four shift = {-more, more, -more, more};
    shift = (bspi_four)((bspi_four_bits)shift ^ (is_back & signs));
    bspi_four parts = (d1 + shift) / (d1 - d2);
    const bspi_four zeros = {0, 0, 0, 0};
    const bspi_four ones = {1, 1, 1, 1};
    parts = bspi_four_pick(parts > zeros, parts, zeros);
    parts = bspi_four_pick(parts < ones, parts, ones);
    parts = bspi_four_pick(d1 == d2, (bspi_four){0, 1, 0, 1}, parts);
    bspi_four at_xy = bspi_cut_pairs(p->xy, parts);
    bspi_four at_zf = bspi_cut_pairs(p->zf, parts);
    far->xy = bspi_four_pick(starts, at_xy, p->xy);
    far->zf = bspi_four_pick(starts, at_zf, p->zf);
    bspi_four near_xy = bspi_four_pick(starts, p->xy, at_xy);
    bspi_four near_zf = bspi_four_pick(starts, p->zf, at_zf);
    unsigned near = (unsigned)is_back[0] & 1u;
    unsigned has_near = (node->contents[near] & mask) != 0;
    unsigned has_far = (node->contents[1 - near] & mask) != 0;
    int32_t near_node = node->children[near];
    far->node = node->children[1 - near];
    int32_t only = (has_far & (limit > bspi_piece_first(far))) != 0 ? far->node : BSPI_NO_NODE;
    int32_t take = -(int32_t)has_near;
    bspi_four_bits takes = {take, take, take, take};
    p->xy = bspi_four_pick(takes, near_xy, far->xy);
    p->zf = bspi_four_pick(takes, near_zf, far->zf);
    p->node = has_near != 0 ? near_node : only;
    return has_near & has_far;
}

#endif
