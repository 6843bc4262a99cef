// SPDX-License-Identifier: MIT
// Builds the tree of boxes over the convex solids of a body: it splits in two by the surface area
// heuristic; bvh_collapse.c makes nodes with eight children of the result. Each leaf is one convex.
// A convex with a long box may stand in several leaves, each with a piece of the box (Stich et al.,
// Spatial Splits in Bounding Volume Hierarchies): any hit lies in one of the pieces, and the trace
// finds the same result in each.
#include "query/bvh.h"

#include <float.h>
#include <string.h>

#define BINS 16u
// Below this level ranges are halved by number, so that no input makes the tree deep: with 2^31
// pieces there are at most 63 levels of two children, and no more of eight; that is below
// BSPI_LEVELS.
#define HALVE_DEPTH 32u
#define PIECE_STEPS 16u // for each piece of a range that is split: bins along three axes
// As a part of the tree's area: halves that overlap less are not cut by a plane.
#define LEAST_OVERLAP 1e-4

// A convex, or the part of its box on one side of the planes that cut it.
typedef struct piece {
    bspi_box bounds;
    uint32_t convex;
} piece;

typedef struct splitter {
    const bspi_convex *convexes;
    piece *pieces; // of the pairs that wait to be split, in the order of the pairs
    uint32_t num_pieces;
    bspi_pair *pairs;
    uint32_t num_pairs;
    double least_overlap;
} splitter;

static void empty_box(bspi_box *b) {
    for (int axis = 0; axis < 3; axis++) {
        b->low[axis] = FLT_MAX;
        b->high[axis] = -FLT_MAX;
    }
}

static void add_box(bspi_box *b, const bspi_box *other) {
    for (int axis = 0; axis < 3; axis++) {
        b->low[axis] = other->low[axis] < b->low[axis] ? other->low[axis] : b->low[axis];
        b->high[axis] = other->high[axis] > b->high[axis] ? other->high[axis] : b->high[axis];
    }
}

// Returns the part of a box between two planes across an axis.
static bspi_box between(const bspi_box *b, int axis, float low, float high) {
    bspi_box part = *b;
    part.low[axis] = low > part.low[axis] ? low : part.low[axis];
    part.high[axis] = high < part.high[axis] ? high : part.high[axis];
    return part;
}

static double overlap(const bspi_box *a, const bspi_box *b) {
    bspi_box both = *a;
    for (int axis = 0; axis < 3; axis++) {
        both = between(&both, axis, b->low[axis], b->high[axis]);
    }
    return bspi_half_area(&both);
}

static float middle(const bspi_box *b, int axis) {
    return b->low[axis] * 0.5f + b->high[axis] * 0.5f;
}

typedef struct cut {
    int axis;   // -1: none
    bool plane; // a plane cuts the pieces; else each goes to the side of its centre
    float low;
    float scale;
    uint32_t bin; // the last bin on the left
    double cost;
    double shared; // area of the intersection of both halves' boxes
} cut;

static uint32_t bin_of(const cut *c, float at) {
    float bin = (at - c->low) * c->scale;
    return bin > 0 ? (bin < BINS - 1 ? (uint32_t)bin : BINS - 1) : 0;
}

// Returns the coordinate at which a bin begins.
static float begin_of(const cut *c, uint32_t bin) {
    return c->low + (float)bin / c->scale;
}

// Bins along an axis: the number of pieces that begin and end in each, and the box of their
// content.
typedef struct bins {
    bspi_box boxes[BINS];
    uint32_t begin[BINS];
    uint32_t end[BINS];
} bins;

static void fill_bins(const splitter *s, const bspi_pair *p, const cut *c, bins *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < BINS; i++) {
        empty_box(&out->boxes[i]);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        const bspi_box *b = &s->pieces[p->left + i].bounds;
        uint32_t first = bin_of(c, c->plane ? b->low[c->axis] : middle(b, c->axis));
        uint32_t last = c->plane ? bin_of(c, b->high[c->axis]) : first;
        out->begin[first]++;
        out->end[last]++;
        if (first == last) {
            add_box(&out->boxes[first], b);
            continue;
        }
        for (uint32_t k = first; k <= last; k++) {
            bspi_box part = between(b, c->axis, k == first ? b->low[c->axis] : begin_of(c, k),
                                    k == last ? b->high[c->axis] : begin_of(c, k + 1));
            add_box(&out->boxes[k], &part);
        }
    }
}

// Tries each bin border along one axis as a cut, and keeps the best in `best`.
static void try_axis(const splitter *s, const bspi_pair *p, cut here, cut *best) {
    bins b;
    bspi_box right[BINS];
    uint32_t counts[BINS];
    fill_bins(s, p, &here, &b);
    right[BINS - 1] = b.boxes[BINS - 1];
    counts[BINS - 1] = b.end[BINS - 1];
    for (uint32_t i = BINS - 1; i-- > 0;) {
        right[i] = right[i + 1];
        add_box(&right[i], &b.boxes[i]);
        counts[i] = counts[i + 1] + b.end[i];
    }
    bspi_box left;
    uint32_t count = 0;
    empty_box(&left);
    for (uint32_t i = 0; i + 1 < BINS; i++) {
        add_box(&left, &b.boxes[i]);
        count += b.begin[i];
        here.cost = bspi_half_area(&left) * count + bspi_half_area(&right[i + 1]) * counts[i + 1];
        if (count != 0 && counts[i + 1] != 0 && count + counts[i + 1] - p->count <= p->cuts &&
            (best->axis < 0 || here.cost < best->cost)) {
            here.bin = i;
            here.shared = overlap(&left, &right[i + 1]);
            *best = here;
        }
    }
}

static void try_axes(const splitter *s, const bspi_pair *p, bool plane, cut *best) {
    for (int axis = 0; axis < 3; axis++) {
        float low = FLT_MAX;
        float high = -FLT_MAX;
        for (uint32_t i = 0; i < p->count; i++) {
            const bspi_box *b = &s->pieces[p->left + i].bounds;
            float from = plane ? b->low[axis] : middle(b, axis);
            float to = plane ? b->high[axis] : from;
            low = from < low ? from : low;
            high = to > high ? to : high;
        }
        if (high > low) {
            cut here = {
                .axis = axis, .plane = plane, .low = low, .scale = (float)BINS / (high - low)};
            try_axis(s, p, here, best);
        }
    }
}

static cut find_cut(const splitter *s, const bspi_pair *p) {
    cut best = {.axis = -1};
    if (p->depth < HALVE_DEPTH) {
        try_axes(s, p, false, &best);
    }
    if (best.axis >= 0 && best.shared > s->least_overlap && p->cuts != 0) {
        try_axes(s, p, true, &best);
    }
    return best;
}

// Cuts the pieces that are on both sides of a plane; the new pieces are appended.
static void cut_pieces(splitter *s, const bspi_pair *p, const cut *c) {
    for (uint32_t i = 0; i < p->count; i++) {
        piece *left = &s->pieces[p->left + i];
        float low = left->bounds.low[c->axis];
        float high = left->bounds.high[c->axis];
        if (bin_of(c, low) <= c->bin && bin_of(c, high) > c->bin) {
            float at = begin_of(c, c->bin + 1);
            at = at < low ? low : at > high ? high : at;
            piece *right = &s->pieces[s->num_pieces++];
            *right = *left;
            left->bounds.high[c->axis] = at;
            right->bounds.low[c->axis] = at;
        }
    }
}

// Moves the pieces of the left half to the front. Returns their number.
static uint32_t divide(splitter *s, const bspi_pair *p, const cut *c) {
    piece *pieces = s->pieces + p->left;
    uint32_t count = 0;
    if (c->axis < 0) {
        return p->count / 2;
    }
    if (c->plane) {
        cut_pieces(s, p, c);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        const bspi_box *b = &pieces[i].bounds;
        if (bin_of(c, c->plane ? b->low[c->axis] : middle(b, c->axis)) <= c->bin) {
            piece left = pieces[i];
            pieces[i] = pieces[count];
            pieces[count++] = left;
        }
    }
    return count;
}

static void bound(const splitter *s, bspi_pair *p) {
    empty_box(&p->bounds);
    p->contents = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        add_box(&p->bounds, &s->pieces[p->left + i].bounds);
        p->contents |= s->convexes[s->pieces[p->left + i].convex].contents;
    }
}

// Splits every pair with more than one piece, those on the right first. The pieces of the pair
// being split are then always the last, so that new ones can be appended.
static bool split_all(splitter *s, uint32_t count, uint32_t cuts, bspi_meter *meter) {
    uint32_t waiting[BSPI_LEVELS];
    uint32_t num_waiting = 1;
    waiting[0] = 0;
    s->pairs[0] = (bspi_pair){.left = 0, .count = count, .cuts = cuts, .depth = 0};
    s->num_pairs = 1;
    bound(s, &s->pairs[0]);
    s->least_overlap = bspi_half_area(&s->pairs[0].bounds) * LEAST_OVERLAP;
    while (num_waiting > 0) {
        bspi_pair *p = &s->pairs[waiting[--num_waiting]];
        s->num_pieces = p->left + p->count;
        if (p->count == 1) {
            p->left = s->pieces[p->left].convex;
            continue;
        }
        if (!bspi_meter_add(meter, (uint64_t)PIECE_STEPS * p->count)) {
            return false;
        }
        cut c = find_cut(s, p);
        uint32_t first = divide(s, p, &c);
        uint32_t total = s->num_pieces - p->left;
        uint32_t cuts_left = p->cuts - (total - p->count);
        uint32_t left_cuts = (uint32_t)((uint64_t)cuts_left * first / total);
        bspi_pair *children = &s->pairs[s->num_pairs];
        children[0] =
            (bspi_pair){.left = p->left, .count = first, .cuts = left_cuts, .depth = p->depth + 1};
        children[1] = (bspi_pair){.left = p->left + first,
                                  .count = total - first,
                                  .cuts = cuts_left - left_cuts,
                                  .depth = p->depth + 1};
        bound(s, &children[0]);
        bound(s, &children[1]);
        p->left = s->num_pairs;
        s->num_pairs += 2;
        waiting[num_waiting++] = p->left;
        waiting[num_waiting++] = p->left + 1;
    }
    return true;
}

bool bspi_build_tree(bspi_builder *b, bspi_body *body) {
    uint32_t count = body->num_convexes;
    body->root = BSP_NONE;
    if (count == 0) {
        return true;
    }
    size_t most = (size_t)count + count / 2;
    splitter s = {.convexes = b->convexes + body->first_convex};
    s.pieces = bspi_heap_alloc(b->heap, most * sizeof *s.pieces, b->error);
    s.pairs = bspi_heap_alloc(b->heap, 2 * most * sizeof *s.pairs, b->error);
    bool done = s.pieces != NULL && s.pairs != NULL;
    if (done) {
        for (uint32_t i = 0; i < count; i++) {
            s.pieces[i].convex = i;
            memcpy(s.pieces[i].bounds.low, b->boxes[body->first_convex + i][0], 3 * sizeof(float));
            memcpy(s.pieces[i].bounds.high, b->boxes[body->first_convex + i][1], 3 * sizeof(float));
        }
        done = split_all(&s, count, count / 2, b->meter);
    }
    if (done) {
        memcpy(body->bounds[0], s.pairs[0].bounds.low, sizeof body->bounds[0]);
        memcpy(body->bounds[1], s.pairs[0].bounds.high, sizeof body->bounds[1]);
        done = bspi_fold(b, s.pairs, body->first_convex, &body->root);
    }
    bspi_heap_free(b->heap, s.pieces, most * sizeof *s.pieces);
    bspi_heap_free(b->heap, s.pairs, 2 * most * sizeof *s.pairs);
    return done;
}
