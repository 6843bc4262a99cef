// SPDX-License-Identifier: MIT
// Arrays that grow, and the arena.
#include "core/memory.h"

#include <string.h>

// Blocks double up to this size; anything larger has its own block.
#define BLOCK_MIN ((size_t)4096)
#define BLOCK_MAX ((size_t)1 << 20)
// Memory in large pages begins at such a boundary; less than BLOCK_LARGE is not worth the gap.
#define LARGE_PAGE ((size_t)2 << 20)
#define BLOCK_LARGE ((size_t)8 << 20)

struct bspi_arena_block {
    bspi_arena_block *next;
    size_t size; // of the payload, in bytes
    size_t used;
    max_align_t payload[];
};

void *bspi_grow(bspi_heap *heap, void *array, size_t count, size_t *room, size_t element,
                bsp_error *error) {
    if (count < *room) {
        return array;
    }
    size_t more = *room == 0 ? 16 : *room * 2;
    void *grown = bspi_heap_resize(heap, array, *room * element, more * element, error);
    if (grown != NULL) {
        *room = more;
    }
    return grown;
}

void bspi_arena_init(bspi_arena *arena, bspi_heap *heap) {
    arena->heap = heap;
    arena->blocks = NULL;
}

void bspi_arena_free(bspi_arena *arena) {
    while (arena->blocks != NULL) {
        bspi_arena_block *block = arena->blocks;
        arena->blocks = block->next;
        bspi_heap_free(arena->heap, block, sizeof *block + block->size);
    }
}

static bspi_arena_block *add_block(bspi_arena *arena, size_t at_least, bsp_error *error) {
    size_t size = arena->blocks == NULL ? BLOCK_MIN : arena->blocks->size * 2;
    if (size > BLOCK_MAX) {
        size = BLOCK_MAX;
    }
    if (size < at_least) {
        size = at_least;
    }
    bspi_arena_block *block = bspi_heap_alloc(arena->heap, sizeof *block + size, error);
    if (block == NULL) {
        return NULL;
    }
    block->next = arena->blocks;
    block->size = size;
    block->used = 0;
    arena->blocks = block;
    return block;
}

void *bspi_arena_raw(bspi_arena *arena, size_t count, size_t size, bsp_error *error) {
    size_t bytes;
    if (!bspi_multiply(count, size, &bytes) || bytes > SIZE_MAX / 4) {
        bsp_fail(error, BSP_E_LIMIT, NULL, "%zu records of %zu bytes are too many", count, size);
        return NULL;
    }
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    bspi_arena_block *block = arena->blocks;
    if (block == NULL || block->size - block->used < bytes) {
        block = add_block(arena, bytes, error);
        if (block == NULL) {
            return NULL;
        }
    }
    void *memory = (uint8_t *)block->payload + block->used;
    block->used += bytes;
    return memory;
}

bool bspi_arena_room(bspi_arena *arena, size_t bytes, bsp_error *error) {
    if (bytes < BLOCK_LARGE || bytes > SIZE_MAX / 4) {
        return true;
    }
    bspi_arena_block *block = add_block(arena, bytes + LARGE_PAGE, error);
    if (block != NULL) {
        block->used = LARGE_PAGE - (uintptr_t)block->payload % LARGE_PAGE;
    }
    return block != NULL;
}

void *bspi_arena_zero(bspi_arena *arena, size_t count, size_t size, bsp_error *error) {
    void *memory = bspi_arena_raw(arena, count, size, error);
    if (memory != NULL) {
        memset(memory, 0, count * size);
    }
    return memory;
}

char *bspi_arena_text(bspi_arena *arena, bsp_text text, bsp_error *error) {
    char *copy = bspi_arena_raw(arena, text.size + 1, 1, error);
    if (copy != NULL) {
        if (text.size != 0) {
            memcpy(copy, text.data, text.size);
        }
        copy[text.size] = '\0';
    }
    return copy;
}

bool bspi_out_of_memory(const bsp_error *why, bsp_error *error) {
    bool fatal =
        why->code == BSP_E_MEMORY || why->code == BSP_E_LIMIT || why->code == BSP_E_CANCELLED;
    if (fatal) {
        (void)bsp_fail(error, why->code, &why->place, "%s", why->message);
    }
    return fatal;
}
