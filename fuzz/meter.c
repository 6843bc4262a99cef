// SPDX-License-Identifier: MIT
// The counting allocator. A head before each block stores its size, since LZMA frees without one.
#include "meter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALLOWED ((size_t)64 << 20)
#define ALLOWED_FACTOR 8

typedef union head {
    size_t size;
    max_align_t align;
} head;

static fuzz_record record;

_Noreturn void fuzz_fail(const char *condition, const char *file, int line) {
    fprintf(stderr, "%s:%d: not so: %s\n", file, line, condition);
    abort();
}

static void release(fuzz_meter *meter, void *memory) {
    if (memory != NULL) {
        head *block = (head *)memory - 1;
        FUZZ_CHECK(block->size <= meter->live);
        meter->live -= block->size;
        free(block);
    }
}

static void *resize(void *user, void *memory, size_t old_size, size_t new_size) {
    fuzz_meter *meter = user;
    head *block = NULL;
    (void)old_size;
    if (new_size != 0 && new_size <= SIZE_MAX - sizeof *block) {
        block = malloc(sizeof *block + new_size);
    }
    if (block != NULL) {
        block->size = new_size;
        meter->live += new_size;
        meter->peak = meter->live > meter->peak ? meter->live : meter->peak;
    }
    if (memory != NULL && block != NULL) {
        size_t kept = ((head *)memory - 1)->size;
        memcpy(block + 1, memory, kept < new_size ? kept : new_size);
    }
    if (new_size == 0 || block != NULL) {
        release(meter, memory);
    }
    return block == NULL ? NULL : block + 1;
}

void fuzz_meter_begin(fuzz_meter *meter) {
    *meter = (fuzz_meter){.allocator = {.resize = resize, .user = meter}};
}

bsp_budget *fuzz_budget(fuzz_meter *meter, size_t memory) {
    if (meter->budget == NULL) {
        bsp_limits limits = {.memory = memory};
        meter->budget = bsp_budget_new(&limits, NULL);
        FUZZ_CHECK(meter->budget != NULL);
    }
    return meter->budget;
}

void fuzz_meter_end(fuzz_meter *meter, size_t input) {
    bsp_budget_free(meter->budget);
    FUZZ_CHECK(meter->live == 0);
    FUZZ_CHECK(meter->peak <= ALLOWED || (meter->peak - ALLOWED) / ALLOWED_FACTOR <= input);
    if (meter->peak > record.peak) {
        record = (fuzz_record){meter->peak, input};
    }
}

fuzz_record fuzz_meter_record(void) {
    fuzz_record last = record;
    record = (fuzz_record){0, 0};
    return last;
}
