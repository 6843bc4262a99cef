// SPDX-License-Identifier: MIT
// Memory of the compiler: nothing is freed before the end, and the end frees all of it.
#include "geometry.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK ((size_t)1 << 20)

typedef struct block {
    struct block *next;
    size_t used;
    size_t room;
    _Alignas(16) unsigned char data[];
} block;

static block *blocks;

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("compile_source: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    pool_free();
    exit(1);
}

void *pool_alloc(size_t size) {
    size = (size + 15) / 16 * 16;
    if (blocks == NULL || blocks->room - blocks->used < size) {
        size_t room = size > BLOCK ? size : BLOCK;
        block *added = calloc(1, sizeof *added + room);
        if (added == NULL) {
            fail("no memory");
        }
        added->next = blocks;
        added->room = room;
        blocks = added;
    }
    void *out = blocks->data + blocks->used;
    blocks->used += size;
    return out;
}

void pool_free(void) {
    while (blocks != NULL) {
        block *next = blocks->next;
        free(blocks);
        blocks = next;
    }
}

void *pool_grow(void *array, uint32_t count, size_t element) {
    // The array has room for the next power of two.
    if (count != 0 && (count & (count - 1)) != 0) {
        return array;
    }
    void *grown = pool_alloc((count == 0 ? 1 : (size_t)count * 2) * element);
    if (count != 0) {
        memcpy(grown, array, count * element);
    }
    return grown;
}

char *pool_text(const char *text, size_t size) {
    char *out = pool_alloc(size + 1);
    memcpy(out, text, size);
    return out;
}
