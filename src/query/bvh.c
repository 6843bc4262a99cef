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
#define LEAST_GRID_STEP 0.0009765625f // units; for flat and small models

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

// Larger coordinates are those of open solids only: worlds of all games are smaller.
#define LARGEST 131072.0f

static bool is_open(float box[2][3]) {
    bool open = false;
    for (int axis = 0; axis < 3; axis++) {
        open = open || box[0][axis] < -LARGEST || box[1][axis] > LARGEST;
    }
    return open;
}

// Chooses the grid: around the boxes of all convexes that are not open; where some are, half of its
// size larger on all sides, so that few traces leave it.
static void set_grid(bspi_body *body, const bspi_box *around) {
    for (int axis = 0; axis < 3; axis++) {
        float low = around->low[axis];
        float high = around->high[axis];
        bool none = !(low <= high); // all are open
        float more = body->num_open != 0 ? (high - low) * 0.5f : 0;
        low = none || low - more < -LARGEST ? -LARGEST : low - more;
        high = none || high + more > LARGEST ? LARGEST : high + more;
        body->grid[0][axis] = low;
        body->grid[1][axis] = high;
        float step = (high - low) / (float)BSPI_GRID_STEPS;
        body->step[axis] = step > LEAST_GRID_STEP ? step : LEAST_GRID_STEP;
        body->origin[axis] = low;
        body->origin[axis + 3] = -low;
        body->steps[axis] = body->step[axis];
        body->steps[axis + 3] = -body->step[axis];
    }
}

// Lists the open convexes, and sets the grid.
static bool measure(bspi_builder *b, bspi_body *body) {
    bspi_box around;
    empty_box(&around);
    body->first_open = (uint32_t)b->num_open;
    for (uint32_t i = 0; i < body->num_convexes; i++) {
        float(*box)[3] = b->boxes[body->first_convex + i];
        bspi_box bounds;
        if (is_open(box)) {
            if (!bspi_builder_grow(b, &b->open, sizeof *b->open, b->num_open + 1, &b->room_open)) {
                return false;
            }
            b->open[b->num_open++] = body->first_convex + i;
            continue;
        }
        memcpy(bounds.low, box[0], sizeof bounds.low);
        memcpy(bounds.high, box[1], sizeof bounds.high);
        add_box(&around, &bounds);
    }
    body->num_open = (uint32_t)b->num_open - body->first_open;
    set_grid(body, &around);
    return true;
}

// Returns the box of a convex, as far as it is in the grid.
static bspi_box box_in_grid(const bspi_builder *b, const bspi_body *body, uint32_t convex) {
    bspi_box box;
    for (int axis = 0; axis < 3; axis++) {
        float low = body->grid[0][axis];
        float high = body->grid[1][axis];
        box.low[axis] = b->boxes[convex][0][axis];
        box.high[axis] = b->boxes[convex][1][axis];
        box.low[axis] = box.low[axis] < low ? low : box.low[axis] > high ? high : box.low[axis];
        box.high[axis] = box.high[axis] < low ? low : box.high[axis] > high ? high : box.high[axis];
    }
    return box;
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
    bool done = s.pieces != NULL && s.pairs != NULL && measure(b, body);
    if (done) {
        for (uint32_t i = 0; i < count; i++) {
            s.pieces[i].convex = i;
            s.pieces[i].bounds = box_in_grid(b, body, body->first_convex + i);
        }
        done =
            split_all(&s, count, count / 2, b->meter) && bspi_fold(b, s.pairs, s.num_pairs, body);
    }
    bspi_heap_free(b->heap, s.pieces, most * sizeof *s.pieces);
    bspi_heap_free(b->heap, s.pairs, 2 * most * sizeof *s.pairs);
    return done;
}
