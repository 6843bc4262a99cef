// SPDX-License-Identifier: MIT
// Plans: written to a sink, made in memory, or compared with a file.
#include "edit/rewrite/plan.h"

#include "edit/heap.h"
#include "records/verified_ranges.h"

#include <assert.h>
#include <string.h>

bsp_plan *bspi_plan_new(const bsp_file *file, const bsp_allocator *allocator, bsp_error *error) {
    bsp_plan *plan = bspi_object_new(allocator, sizeof *plan, error);
    if (plan == NULL) {
        return NULL;
    }
    bspi_edit_heap(&plan->heap, file, allocator);
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
    bspi_object_free(plan, sizeof *plan, &plan->heap.allocator);
}

bsp_plan *bsp_plan_bytes(bsp_bytes bytes, const bsp_allocator *allocator, bsp_error *error) {
    bsp_plan *plan = bspi_plan_new(NULL, allocator, error);
    if (plan != NULL) {
        bspi_pieces_add(&plan->pieces, bytes);
    }
    return plan == NULL ? NULL : bspi_plan_give(plan, true);
}

uint64_t bsp_plan_size(const bsp_plan *plan) {
    assert(plan != NULL);
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

static bool write(const bsp_plan *plan, bool touch, bsp_sink sink, void *user, bsp_error *error) {
    scrambler s = {plan->key, 0, sink, user};
    bool plain = plan->key == NULL;
    return bspi_pieces_write(&plan->pieces, plan->file, touch, plain ? sink : scramble,
                             plain ? user : &s, error);
}

bsp_budget *bsp_plan_budget(const bsp_plan *plan) {
    assert(plan != NULL);
    return plan->heap.budget;
}

bool bsp_plan_write(const bsp_plan *plan, bsp_sink sink, void *user, bsp_error *error) {
    return bsp_budget_write(plan->heap.budget, 0, plan->pieces.size, error) &&
           write(plan, true, sink, user, error);
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
    assert(plan != NULL && out != NULL);
    bspi_heap heap;
    bspi_heap_init_under(&heap, (bspi_heap *)(uintptr_t)&plan->heap, allocator);
    memset(out, 0, sizeof *out);
    size_t size = (size_t)plan->pieces.size;
    uint8_t *data = bspi_heap_alloc(&heap, size, error);
    uint8_t *at = data;
    if (data == NULL || !write(plan, true, to_memory, &at, error)) {
        bspi_heap_free(&heap, data, size);
        return false;
    }
    bspi_heap_give(&heap, size);
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
    const bsp_file *known; // parts of which may be verified; NULL for a scrambled one
    bspi_window window;
} comparison;

// Returns how many of the next bytes are all verified, or all not.
static size_t next_run(const comparison *c, size_t size, bool *known) {
    const bspi_verified_part *part = bspi_verified_from(c->known, c->at);
    *known = part != NULL && part->data <= c->at;
    size_t run = part == NULL ? size
                 : *known     ? (size_t)(part->data + part->size - c->at)
                              : (size_t)(part->data - c->at);
    return run < size ? run : size;
}

static bool compare(void *user, const char *data, size_t size) {
    comparison *c = user;
    if (size > c->left) {
        return false;
    }
    for (size_t run; size != 0; size -= run, data += run) {
        bool known;
        run = next_run(c, size, &known);
        if (!known && memcmp(c->at, data, run) != 0) {
            return false;
        }
        if (!known) {
            bspi_window_pass(&c->window, (bsp_bytes){c->at, run});
        }
        c->at += run;
        c->left -= run;
    }
    return true;
}

static bool is_of(const bsp_file *file, const bspi_piece *piece) {
    bsp_bytes bytes = file->info.bytes;
    uintptr_t at = (uintptr_t)piece->data;
    return piece->data != NULL && at >= (uintptr_t)bytes.data &&
           at - (uintptr_t)bytes.data < bytes.size;
}

// Adds the verified ranges of the new file, for the bytes that come from the old one.
static void learn(const bsp_plan *plan, const bsp_file *file) {
    const bspi_verified *known = plan->file == NULL ? NULL : atomic_load(&file->known);
    bspi_verified *old = known == NULL ? NULL : bspi_verified_new(plan->file, known->count);
    const uint8_t *at = file->info.bytes.data;
    for (size_t i = 0; old != NULL && i < plan->pieces.count; i++) {
        const bspi_piece *piece = &plan->pieces.list[i];
        const uint8_t *end = at + piece->size;
        const bspi_verified_part *part = bspi_verified_from(file, at);
        for (; part != NULL && is_of(plan->file, piece) && part->data + part->size <= end;
             part = bspi_verified_from(file, part->data + part->size)) {
            if (part->data >= at) {
                bspi_verified_add(old, (bsp_bytes){piece->data + (part->data - at), part->size},
                                  part->crc);
            }
        }
        at = end;
    }
    bspi_verified_publish(plan->file, old);
}

bool bsp_plan_matches(const bsp_plan *plan, const bsp_file *file, bsp_error *error) {
    assert(plan != NULL && file != NULL);
    bsp_bytes bytes = file->stored;
    comparison c = {.at = bytes.data,
                    .left = bytes.size,
                    .known = file->plain == NULL ? file : NULL,
                    .window = {.file = file}};
    bsp_error cause = {0};
    if (write(plan, false, compare, &c, &cause) && c.left == 0) {
        learn(plan, file);
        return true;
    }
    bool same = c.left == 0; // no difference was found: something else failed
    return bsp_fail(error, BSP_E_IO, NULL, "%s",
                    same ? cause.message : "what was written cannot be read again");
}
