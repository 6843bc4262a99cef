// SPDX-License-Identifier: MIT
// Plans: written to a sink, made in memory, or compared with a file.
#include "edit/plan.h"

#include <string.h>

bsp_plan *bspi_plan_new(const bsp_file *file, const bsp_allocator *allocator, bsp_error *error) {
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    bsp_plan *plan = bspi_heap_alloc(&heap, sizeof *plan, error);
    if (plan == NULL) {
        return NULL;
    }
    memset(plan, 0, sizeof *plan);
    bspi_heap_init(&plan->heap, allocator, 0);
    bspi_arena_init(&plan->arena, &plan->heap);
    plan->file = file;
    plan->pieces = (bspi_pieces){.heap = &plan->heap, .arena = &plan->arena, .error = error};
    return plan;
}

bsp_plan *bspi_plan_give(bsp_plan *plan, bool done) {
    if (!done || plan->pieces.failed) {
        bsp_plan_free(plan);
        return NULL;
    }
    plan->pieces.error = NULL;
    return plan;
}

void bsp_plan_free(bsp_plan *plan) {
    if (plan == NULL) {
        return;
    }
    if (plan->close != NULL) {
        plan->close(plan->keep);
    }
    bspi_pieces_free(&plan->pieces);
    bspi_arena_free(&plan->arena);
    bsp_allocator allocator = plan->heap.allocator;
    allocator.resize(allocator.user, plan, sizeof *plan, 0);
}

bsp_plan *bsp_plan_bytes(bsp_bytes bytes, const bsp_allocator *allocator, bsp_error *error) {
    bsp_plan *plan = bspi_plan_new(NULL, allocator, error);
    if (plan != NULL) {
        bspi_pieces_add(&plan->pieces, bytes.data, bytes.size);
    }
    return plan == NULL ? NULL : bspi_plan_give(plan, true);
}

uint64_t bsp_plan_size(const bsp_plan *plan) {
    return plan->pieces.size;
}

// --- scrambled ----------------------------------------------------------------------------------

typedef struct scrambler {
    const uint8_t *key;
    uint64_t at;
    bsp_sink sink;
    void *user;
} scrambler;

static bool scramble(void *user, const char *data, size_t size) {
    scrambler *s = user;
    uint8_t room[4096];
    bool done = true;
    for (size_t step; done && size != 0; data += step, size -= step) {
        step = size < sizeof room ? size : sizeof room;
        memcpy(room, data, step);
        bsp_scramble(s->key, s->at, room, step);
        done = s->sink(s->user, (const char *)room, step);
        s->at += step;
    }
    return done;
}

bool bsp_plan_write(const bsp_plan *plan, bsp_sink sink, void *user, bsp_error *error) {
    scrambler s = {plan->key, 0, sink, user};
    return plan->key == NULL
               ? bspi_pieces_write(&plan->pieces, plan->file, sink, user, error)
               : bspi_pieces_write(&plan->pieces, plan->file, scramble, &s, error);
}

// --- in memory ----------------------------------------------------------------------------------

static bool to_memory(void *user, const char *data, size_t size) {
    uint8_t **at = user;
    memcpy(*at, data, size);
    *at += size;
    return true;
}

bool bsp_plan_make(const bsp_plan *plan, const bsp_allocator *allocator, bsp_blob *out,
                   bsp_error *error) {
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    memset(out, 0, sizeof *out);
    size_t size = (size_t)plan->pieces.size;
    uint8_t *data = bspi_heap_alloc(&heap, size, error);
    uint8_t *at = data;
    if (data == NULL || !bsp_plan_write(plan, to_memory, &at, error)) {
        bspi_heap_free(&heap, data, size);
        return false;
    }
    *out = (bsp_blob){data, size, heap.allocator};
    return true;
}

bool bspi_plan_finish(bsp_plan *plan, const bsp_allocator *allocator, bsp_blob *out,
                      bsp_error *error) {
    memset(out, 0, sizeof *out);
    bool done = plan != NULL && bsp_plan_make(plan, allocator, out, error);
    bsp_plan_free(plan);
    return done;
}

// --- against a file -----------------------------------------------------------------------------

typedef struct comparison {
    const uint8_t *at; // in the file
    size_t left;
    bspi_trail trail;
} comparison;

static bool compare(void *user, const char *data, size_t size) {
    comparison *c = user;
    if (size > c->left || memcmp(c->at, data, size) != 0) {
        return false;
    }
    bspi_trail_pass(&c->trail, (bsp_bytes){c->at, size});
    c->at += size;
    c->left -= size;
    return true;
}

bool bsp_plan_matches(const bsp_plan *plan, const bsp_file *file, bsp_error *error) {
    bsp_bytes bytes = file->stored;
    comparison c = {.at = bytes.data, .left = bytes.size, .trail = {.file = file}};
    bsp_error cause = {0};
    if (bsp_plan_write(plan, compare, &c, &cause) && c.left == 0) {
        return true;
    }
    bool same = c.left == 0; // and nothing that differs was met: something else went wrong
    return bsp_fail(error, BSP_E_IO, NULL, "%s",
                    same ? cause.message : "what was written cannot be read again");
}
