// SPDX-License-Identifier: MIT
// Builds a tree of boxes. It depends on the boxes alone: middles that are equal are ordered by the
// numbers of their boxes.
#include "scene/box_tree.h"

#include <math.h>
#include <stdlib.h>

#define LEAF_ITEMS 2u

typedef struct item {
    float middle;
    uint32_t number;
} item;

typedef struct builder {
    const float (*boxes)[2][3];
    item *items;
    bspi_box_node *nodes;
    uint32_t num_nodes;
    bspi_meter *meter;
} builder;

static int by_middle(const void *a, const void *b) {
    const item *x = a;
    const item *y = b;
    if (x->middle != y->middle) {
        return x->middle < y->middle ? -1 : 1;
    }
    return x->number < y->number ? -1 : x->number > y->number;
}

static void enclose(const builder *b, uint32_t first, uint32_t count, float box[2][3]) {
    for (int axis = 0; axis < 3; axis++) {
        box[0][axis] = INFINITY;
        box[1][axis] = -INFINITY;
        for (uint32_t i = first; i < first + count; i++) {
            const float(*one)[3] = b->boxes[b->items[i].number];
            box[0][axis] = fminf(box[0][axis], one[0][axis]);
            box[1][axis] = fmaxf(box[1][axis], one[1][axis]);
        }
    }
}

static void sort_along(builder *b, uint32_t first, uint32_t count, int axis) {
    for (uint32_t i = first; i < first + count; i++) {
        const float(*one)[3] = b->boxes[b->items[i].number];
        b->items[i].middle = one[0][axis] * 0.5F + one[1][axis] * 0.5F;
    }
    qsort(b->items + first, count, sizeof *b->items, by_middle);
}

// The axis along which the middles are spread most.
static int widest(const builder *b, uint32_t first, uint32_t count) {
    int best = 0;
    float most = -1;
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = first; i < first + count; i++) {
            const float(*one)[3] = b->boxes[b->items[i].number];
            float middle = one[0][axis] * 0.5F + one[1][axis] * 0.5F;
            low = fminf(low, middle);
            high = fmaxf(high, middle);
        }
        if (high - low > most) {
            most = high - low;
            best = axis;
        }
    }
    return best;
}

typedef struct span {
    uint32_t node, first, count;
} span;

// Halves one run, and puts what is left to do on the stack. Its count halves with each level.
static bool split(builder *b, span s, span *stack, uint32_t *depth) {
    bspi_box_node *node = &b->nodes[s.node];
    enclose(b, s.first, s.count, node->box);
    if (s.count <= LEAF_ITEMS) {
        node->first = s.first;
        node->count = s.count;
        return true;
    }
    sort_along(b, s.first, s.count, widest(b, s.first, s.count));
    node->count = 0;
    node->first = b->num_nodes;
    b->num_nodes += 2;
    uint32_t half = s.count / 2;
    stack[(*depth)++] = (span){node->first + 1, s.first + half, s.count - half};
    stack[(*depth)++] = (span){node->first, s.first, half};
    return bspi_meter_add(b->meter, (uint64_t)s.count * 4);
}

bool bspi_box_tree_build(bspi_box_tree *tree, const float (*boxes)[2][3], uint32_t count,
                         bspi_arena *arena, bspi_meter *meter) {
    span stack[2 * BSPI_BOX_LEVELS];
    uint32_t depth = 0;
    *tree = (bspi_box_tree){0};
    if (count == 0) {
        return true;
    }
    bspi_heap *heap = arena->heap;
    size_t room = (size_t)count * sizeof(item);
    builder b = {.boxes = boxes, .num_nodes = 1, .meter = meter};
    uint32_t *numbers = bspi_arena_raw(arena, count, sizeof *numbers, meter->error);
    b.nodes = bspi_arena_raw(arena, (size_t)count * 2, sizeof *b.nodes, meter->error);
    b.items = bspi_heap_alloc(heap, room, meter->error);
    bool done = numbers != NULL && b.nodes != NULL && b.items != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        b.items[i].number = i;
    }
    stack[depth++] = (span){0, 0, count};
    while (done && depth != 0) {
        span s = stack[--depth];
        done = split(&b, s, stack, &depth);
    }
    for (uint32_t i = 0; done && i < count; i++) {
        numbers[i] = b.items[i].number;
    }
    bspi_heap_free(heap, b.items, room);
    *tree = (bspi_box_tree){.nodes = b.nodes, .num_nodes = b.num_nodes, .items = numbers};
    return done;
}
