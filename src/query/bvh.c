// SPDX-License-Identifier: MIT
// The tree of boxes over the convexes of a body: split by the surface area heuristic into two, then
// folded into nodes of eight. Each leaf is one convex.
#include "query/collide.h"

#include <float.h>
#include <string.h>

#define BINS 16u
// Below this level ranges are halved by number, so that no input makes the tree deep: with 2^31
// convexes at most 63 levels of two, fewer of eight, and 7 * 63 + 8 <= BSPI_STACK entries wait.
#define HALVE_DEPTH 32u

typedef struct box {
    float low[3];
    float high[3];
} box;

// A node of the tree of two. Children: [0] at left, [1] at left + 1; leaves have count 1.
typedef struct pair {
    box bounds;
    uint32_t left;  // or first of the range while it is being split
    uint32_t count; // of convexes below
    uint32_t depth;
} pair;

typedef struct splitter {
    const float (*boxes)[2][3];
    uint32_t *items;
    pair *pairs;
    uint32_t num_pairs;
} splitter;

static void empty_box(box *b) {
    for (int axis = 0; axis < 3; axis++) {
        b->low[axis] = FLT_MAX;
        b->high[axis] = -FLT_MAX;
    }
}

static void add_box(box *b, const float low[3], const float high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        b->low[axis] = low[axis] < b->low[axis] ? low[axis] : b->low[axis];
        b->high[axis] = high[axis] > b->high[axis] ? high[axis] : b->high[axis];
    }
}

static double half_area(const box *b) {
    double size[3];
    for (int axis = 0; axis < 3; axis++) {
        size[axis] = (double)b->high[axis] - (double)b->low[axis];
        if (size[axis] < 0) {
            return 0;
        }
    }
    return size[0] * size[1] + size[1] * size[2] + size[2] * size[0];
}

static float middle(const splitter *s, uint32_t item, int axis) {
    return s->boxes[item][0][axis] * 0.5f + s->boxes[item][1][axis] * 0.5f;
}

typedef struct cut {
    int axis; // -1: none
    float low;
    float scale;
    uint32_t bin; // items in bins up to here go left
    double cost;
} cut;

static uint32_t bin_of(const splitter *s, uint32_t item, const cut *c) {
    float at = (middle(s, item, c->axis) - c->low) * c->scale;
    return at > 0 ? (at < BINS - 1 ? (uint32_t)at : BINS - 1) : 0;
}

// The best place to cut along one axis.
static void try_axis(const splitter *s, const pair *p, cut here, cut *best) {
    box boxes[BINS];
    uint32_t counts[BINS] = {0};
    double right[BINS];
    for (uint32_t i = 0; i < BINS; i++) {
        empty_box(&boxes[i]);
    }
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t item = s->items[p->left + i];
        uint32_t bin = bin_of(s, item, &here);
        counts[bin]++;
        add_box(&boxes[bin], s->boxes[item][0], s->boxes[item][1]);
    }
    box sum;
    uint32_t count = 0;
    empty_box(&sum);
    for (uint32_t i = BINS - 1; i > 0; i--) {
        add_box(&sum, boxes[i].low, boxes[i].high);
        count += counts[i];
        right[i] = half_area(&sum) * count;
    }
    empty_box(&sum);
    count = 0;
    for (uint32_t i = 0; i + 1 < BINS; i++) {
        add_box(&sum, boxes[i].low, boxes[i].high);
        count += counts[i];
        here.cost = half_area(&sum) * count + right[i + 1];
        if (count != 0 && count != p->count && (best->axis < 0 || here.cost < best->cost)) {
            here.bin = i;
            *best = here;
        }
    }
}

static cut find_cut(const splitter *s, const pair *p) {
    cut best = {.axis = -1};
    for (int axis = 0; axis < 3 && p->depth < HALVE_DEPTH; axis++) {
        float low = FLT_MAX;
        float high = -FLT_MAX;
        for (uint32_t i = 0; i < p->count; i++) {
            float at = middle(s, s->items[p->left + i], axis);
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        if (high > low) {
            try_axis(s, p, (cut){.axis = axis, .low = low, .scale = (float)BINS / (high - low)},
                     &best);
        }
    }
    return best;
}

// Moves the items of the left half to the front; returns how many they are.
static uint32_t divide(splitter *s, const pair *p, const cut *c) {
    uint32_t *items = s->items + p->left;
    uint32_t count = 0;
    if (c->axis < 0) {
        return p->count / 2;
    }
    for (uint32_t i = 0; i < p->count; i++) {
        if (bin_of(s, items[i], c) <= c->bin) {
            uint32_t item = items[i];
            items[i] = items[count];
            items[count++] = item;
        }
    }
    return count;
}

static void bound(const splitter *s, pair *p) {
    empty_box(&p->bounds);
    for (uint32_t i = 0; i < p->count; i++) {
        uint32_t item = s->items[p->left + i];
        add_box(&p->bounds, s->boxes[item][0], s->boxes[item][1]);
    }
}

// Splits every pair with more than one item; pairs are their own queue.
static void split_all(splitter *s, uint32_t count) {
    s->pairs[0] = (pair){.left = 0, .count = count, .depth = 0};
    s->num_pairs = 1;
    bound(s, &s->pairs[0]);
    for (uint32_t n = 0; n < s->num_pairs; n++) {
        pair *p = &s->pairs[n];
        if (p->count == 1) {
            p->left = s->items[p->left];
            continue;
        }
        cut c = find_cut(s, p);
        uint32_t first = divide(s, p, &c);
        pair *children = &s->pairs[s->num_pairs];
        children[0] = (pair){.left = p->left, .count = first, .depth = p->depth + 1};
        children[1] =
            (pair){.left = p->left + first, .count = p->count - first, .depth = p->depth + 1};
        bound(s, &children[0]);
        bound(s, &children[1]);
        p->left = s->num_pairs;
        s->num_pairs += 2;
    }
}

// --- folding ------------------------------------------------------------------------------------

// Opens the largest child until there are eight, or only leaves.
static uint32_t pick_children(const splitter *s, uint32_t from, uint32_t out[BSPI_LANES]) {
    uint32_t count = 1;
    out[0] = from;
    while (count < BSPI_LANES) {
        uint32_t largest = BSP_NONE;
        double area = -1;
        for (uint32_t i = 0; i < count; i++) {
            double a = half_area(&s->pairs[out[i]].bounds);
            if (s->pairs[out[i]].count > 1 && a > area) {
                largest = i;
                area = a;
            }
        }
        if (largest == BSP_NONE) {
            break;
        }
        uint32_t left = s->pairs[out[largest]].left;
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

// Folds the pairs below `root` into wide nodes. Nodes wait in order: each holds in `unused[0]`
// which pair it stands for until it is its turn.
static bool fold(bspi_builder *b, const splitter *s, uint32_t first_convex, uint32_t *root) {
    uint32_t next = (uint32_t)b->num_wide;
    *root = next;
    if (!bspi_builder_grow(b, &b->wide, sizeof *b->wide, b->num_wide + 1, &b->room_wide)) {
        return false;
    }
    b->wide[b->num_wide++].unused[0] = 0;
    for (; next < b->num_wide; next++) {
        uint32_t children[BSPI_LANES];
        uint32_t count = pick_children(s, b->wide[next].unused[0], children);
        if (!bspi_builder_grow(b, &b->wide, sizeof *b->wide, b->num_wide + count, &b->room_wide)) {
            return false;
        }
        bspi_wide *node = &b->wide[next];
        clear_node(node);
        for (uint32_t lane = 0; lane < count; lane++) {
            const pair *p = &s->pairs[children[lane]];
            for (int axis = 0; axis < 3; axis++) {
                node->bounds[axis][lane] = p->bounds.low[axis];
                node->bounds[axis + 3][lane] = p->bounds.high[axis];
            }
            if (p->count == 1) {
                node->child[lane] = BSPI_LEAF | (first_convex + p->left);
            } else {
                node->child[lane] = (uint32_t)b->num_wide;
                b->wide[b->num_wide++].unused[0] = children[lane];
            }
        }
    }
    return true;
}

bool bspi_build_tree(bspi_builder *b, bspi_body *body) {
    uint32_t count = body->num_convexes;
    body->root = BSP_NONE;
    if (count == 0) {
        return true;
    }
    size_t bytes = count * sizeof(uint32_t);
    size_t pair_bytes = 2 * (size_t)count * sizeof(pair);
    splitter s = {.boxes = (const float(*)[2][3])(b->boxes + body->first_convex)};
    s.items = bspi_heap_alloc(b->heap, bytes, b->error);
    s.pairs = bspi_heap_alloc(b->heap, pair_bytes, b->error);
    bool done = s.items != NULL && s.pairs != NULL;
    if (done) {
        for (uint32_t i = 0; i < count; i++) {
            s.items[i] = i;
        }
        split_all(&s, count);
        memcpy(body->bounds[0], s.pairs[0].bounds.low, sizeof body->bounds[0]);
        memcpy(body->bounds[1], s.pairs[0].bounds.high, sizeof body->bounds[1]);
        done = fold(b, &s, body->first_convex, &body->root);
    }
    bspi_heap_free(b->heap, s.items, bytes);
    bspi_heap_free(b->heap, s.pairs, pair_bytes);
    return done;
}
