// SPDX-License-Identifier: MIT
// The size of each block is stored before it.
#include "support/alloc.h"

#include <stdlib.h>
#include <string.h>

typedef union block_head {
    size_t size;
    max_align_t align;
} block_head;

static block_head *head_of(void *memory) {
    return (block_head *)memory - 1;
}

static void give_back(test_meter *meter, void *memory, size_t old_size) {
    if (memory != NULL) {
        meter->wrong = meter->wrong || head_of(memory)->size != old_size;
        meter->live -= head_of(memory)->size;
        free(head_of(memory));
    }
}

static void *meter_resize(void *user, void *memory, size_t old_size, size_t new_size) {
    test_meter *meter = user;
    if (new_size == 0) {
        give_back(meter, memory, old_size);
        return NULL;
    }
    meter->requests++;
    block_head *block = meter->requests == meter->fail_at ? NULL : malloc(sizeof *block + new_size);
    if (block == NULL) {
        return NULL;
    }
    block->size = new_size;
    meter->live += new_size;
    meter->peak = meter->live > meter->peak ? meter->live : meter->peak;
    memset(block + 1, 0xA5, new_size);
    if (memory != NULL) {
        size_t keep = head_of(memory)->size < new_size ? head_of(memory)->size : new_size;
        memcpy(block + 1, memory, keep);
        give_back(meter, memory, old_size);
    }
    return block + 1;
}

bsp_allocator meter_allocator(test_meter *meter) {
    bsp_allocator allocator = {meter_resize, meter};
    return allocator;
}
