// SPDX-License-Identifier: MIT
// Eight lines down the tree of q3map2: a piece of each goes down, and is cut at planes as
// bspi_shade_walk cuts it, by the same operations in the same order; so are triangles met as by
// bspi_shade_meets. Lines that cross a plane from the other side than those beside them are
// left to be looked along one by one, and so are those that meet what lets light through. A file
// that includes this says by BSPI_AVX2 with what, and by BSPI_SHADE_EIGHT under which name.
#include "bake/light/shadows/shade_eight.h"
#include "core/lanes.h"

#define MOST_PENDING 96u // sides of planes that are left for later
#define MOST_STEPS 4096u // nodes that are looked at; then it is not known
#define SURELY 1e-3f     // by more than that a line passes beside a triangle, however it is rounded
#define LARGEST 1e9f     // units: farther lines are looked along one by one

// What of some lines is to be looked at.
typedef struct pieces {
    f8 from[3];
    f8 to[3];
    uint32_t node;
    uint32_t lanes;
} pieces;

// A leaf that some lines pass.
typedef struct passed {
    uint32_t leaf;
    uint32_t lanes;
} passed;

typedef struct look8 {
    const bspi_shade_rules *rules;
    bspi_shade_eight *eight;
    f8 from[3];
    f8 way[3];
    f8 length;
    f8 share;
    uint32_t met;  // lines that a triangle stops
    uint32_t over; // that are looked along no more
    uint32_t num_leaves;
    passed leaves[BSPI_SHADE_LEAVES]; // with triangles, in order
} look8;

// Lines of which `bits` meet a triangle so many units from their beginning.
BSPI_LANES void meet8(look8 *l, const bspi_shade_triangle *t, uint32_t bits, f8 depth) {
    if (l->rules->grid && t->patch) {
        return;
    }
    if (t->kind == BSPI_SHADE_SKY) {
        l->eight->clear |= bits;
    } else if (t->kind == BSPI_SHADE_CLEAR) {
        l->eight->unknown |= bits;
        l->over |= bits;
    } else {
        l->share = f8_pick(i8_mask(bits), depth / l->length, l->share);
        l->met |= bits;
        l->over |= bits;
    }
}

// Looks at one triangle; see bspi_shade_meets.
BSPI_LANES void pass8(look8 *l, const bspi_shade_triangle *t, i8 open) {
    f8 s[3];
    f8 det = -f8_along(t->normal, l->way);
    for (int i = 0; i < 3; i++) {
        s[i] = l->from[i] - f8_all(t->corner[i]);
    }
    f8 along = f8_along(t->normal, s);
    f8 size = f8_abs(det);
    f8 depth = f8_pick(det < f8_all(0), -along, along);
    i8 met = (size >= f8_all(BSPI_SHADE_FLAT)) & open;
    met &= ~((depth <= f8_all(l->rules->near) * size) | (depth >= l->length * size));
    if (i8_bits(met) == 0) {
        return;
    }
    const f8 q[3] = {s[1] * l->way[2] - s[2] * l->way[1], s[2] * l->way[0] - s[0] * l->way[2],
                     s[0] * l->way[1] - s[1] * l->way[0]};
    f8 u = f8_along(t->edges[1], q);
    f8 v = -f8_along(t->edges[0], q);
    f8 far = f8_all(-BSPI_SHADE_BESIDE - SURELY) * size; // what is divided costs most
    f8 turned[2] = {f8_pick(det < f8_all(0), -u, u), f8_pick(det < f8_all(0), -v, v)};
    met &= ~((turned[0] < far) | (turned[1] < far) |
             (turned[0] + turned[1] > f8_all(1 + BSPI_SHADE_BESIDE + SURELY) * size));
    if (i8_bits(met) == 0) {
        return;
    }
    u /= det;
    v /= det;
    f8 beside = f8_all(-BSPI_SHADE_BESIDE);
    met &= ~((u < beside) | (v < beside) | (u + v > f8_all(1 + BSPI_SHADE_BESIDE)));
    uint32_t bits = i8_bits(met);
    if (bits != 0) {
        meet8(l, t, bits, depth / size);
    }
}

// Looks at the triangles of a leaf that lines pass.
BSPI_LANES void test_leaf(const bspi_shade_tree *tree, look8 *l, const passed *of) {
    const bspi_shade_node *leaf = &tree->nodes[of->leaf];
    for (uint32_t i = 0; i < leaf->count; i++) {
        uint32_t open = of->lanes & ~l->over;
        if (open == 0) {
            return;
        }
        l->eight->steps++;
        pass8(l, &tree->triangles[leaf->first + i], i8_mask(open));
    }
}

// Are triangles looked at last? Where a line is stopped is told by what is solid, before that by
// triangles.
BSPI_LANES bool is_late(const bspi_shade_rules *rules) {
    return rules->shares && !rules->beyond;
}

// Notes what a leaf does to the pieces in it.
BSPI_LANES void reach_leaf(const bspi_shade_tree *tree, look8 *l, const pieces *p) {
    const bspi_shade_node *leaf = &tree->nodes[p->node];
    if (!bspi_shade_is_leaf(leaf)) { // what has no triangles below it
        return;
    }
    if (leaf->children[1] == BSPI_SHADE_SOLID) {
        if (!l->rules->beyond) {
            f8 gone[3];
            for (int i = 0; i < 3; i++) {
                gone[i] = p->from[i] - l->from[i];
            }
            f8 share = f8_sqrt(f8_dot(gone, gone)) / l->length;
            share = f8_pick(l->length > f8_all(0), share, f8_all(0));
            l->share = f8_pick(i8_mask(p->lanes), share, l->share);
            l->eight->clear &= ~p->lanes;
            l->eight->stopped |= p->lanes;
        }
        l->over |= p->lanes;
        return;
    }
    if (leaf->count == 0 || l->rules->bare) {
        return;
    }
    if (l->num_leaves == BSPI_SHADE_LEAVES) {
        l->eight->unknown |= p->lanes;
        l->over |= p->lanes;
        return;
    }
    l->leaves[l->num_leaves++] = (passed){p->node, p->lanes};
    if (!is_late(l->rules)) {
        test_leaf(tree, l, &l->leaves[l->num_leaves - 1]);
    }
}

// Goes down a node: some pieces on the one side of its plane, others on the other one, and some are
// cut; the farther side waits at `p` then. Returns what goes on.
BSPI_LANES pieces *go_down8(const bspi_shade_node *node, look8 *l, pieces *p) {
    uint32_t axis = node->first;
    f8 dist = f8_all(node->dist);
    f8 first = (axis < 3 ? p->from[axis] : f8_along(node->normal, p->from)) - dist;
    f8 last = (axis < 3 ? p->to[axis] : f8_along(node->normal, p->to)) - dist;
    f8 on = f8_all(BSPI_SHADE_ON);
    i8 before = (first >= -on) & (last >= -on);
    uint32_t fronts = i8_bits(before) & p->lanes;
    if (fronts == p->lanes) {
        p->node = node->children[0];
        return p;
    }
    uint32_t backs = i8_bits((first < on) & (last < on)) & p->lanes & ~fronts;
    if (backs == p->lanes) {
        p->node = node->children[1];
        return p;
    }
    uint32_t cross = p->lanes & ~(fronts | backs);
    uint32_t from_back = i8_bits(first < f8_all(0)) & cross;
    uint32_t near = from_back != 0;
    if (near && from_back != cross) {
        l->eight->unknown |= cross & ~from_back;
        l->over |= cross & ~from_back;
        cross = from_back;
    }
    pieces *next = p + 1;
    p->node = node->children[!near];
    next->node = node->children[near];
    p->lanes = cross | (near ? fronts : backs);
    next->lanes = cross | (near ? backs : fronts);
    f8 share = first / (first - last);
    i8 cut = i8_mask(cross);
    for (int i = 0; i < 3; i++) {
        f8 middle = p->from[i] + (p->to[i] - p->from[i]) * share;
        next->from[i] = p->from[i];
        next->to[i] = f8_pick(cut, middle, p->to[i]);
        p->from[i] = f8_pick(cut, middle, p->from[i]);
    }
    return next;
}

BSPI_LANES uint32_t far8(const f8 at[3]) {
    i8 near = f8_abs(at[0]) < f8_all(LARGEST);
    near &= f8_abs(at[1]) < f8_all(LARGEST);
    near &= f8_abs(at[2]) < f8_all(LARGEST);
    return ~i8_bits(near);
}

BSPI_LANES void begin8(const bspi_shade_rules *rules, bspi_shade_eight *eight, look8 *l,
                       pieces *p) {
    l->rules = rules;
    l->eight = eight;
    for (int i = 0; i < 3; i++) {
        p->from[i] = l->from[i] = f8_load(eight->from[i]);
        p->to[i] = f8_load(eight->to[i]);
        l->way[i] = p->to[i] - p->from[i];
    }
    l->length = f8_sqrt(f8_dot(l->way, l->way));
    i8 long8 = l->length > f8_all(0);
    for (int i = 0; i < 3; i++) {
        l->way[i] = f8_pick(long8, l->way[i] / l->length, l->way[i]);
    }
    l->share = f8_all(1);
    l->met = l->num_leaves = 0;
    eight->stopped = eight->clear = 0;
    l->over = eight->unknown = (far8(p->from) | far8(p->to)) & eight->lanes;
    p->node = 0;
    p->lanes = eight->lanes & ~l->over;
}

BSPI_LANES_TARGET void BSPI_SHADE_EIGHT(const bspi_shade_tree *tree, const bspi_shade_rules *rules,
                                        bspi_shade_eight *eight) {
    pieces stack[MOST_PENDING + 1];
    uint32_t steps = 0;
    look8 l;
    pieces *p = stack;
    begin8(rules, eight, &l, p);
    while (p->lanes != 0) {
        const bspi_shade_node *node = &tree->nodes[p->node];
        while (!bspi_shade_is_leaf(node) && (!rules->beyond || node->count != 0)) {
            if (p == stack + MOST_PENDING || ++steps == MOST_STEPS) {
                eight->unknown |= eight->lanes & ~l.over;
                l.over |= eight->lanes;
                break;
            }
            p = go_down8(node, &l, p);
            node = &tree->nodes[p->node];
        }
        reach_leaf(tree, &l, p);
        p->lanes = 0;
        while (p != stack && p->lanes == 0) {
            p--;
            p->lanes &= ~l.over;
        }
    }
    for (uint32_t n = 0; n < l.num_leaves && is_late(rules); n++) {
        test_leaf(tree, &l, &l.leaves[n]);
    }
    eight->steps += steps;
    eight->stopped |= l.met & ~eight->unknown;
    eight->clear &= ~eight->unknown;
    f8_store(eight->share, l.share);
}
