// SPDX-License-Identifier: MIT
// An arena of the library: nothing is freed before the end, and the end frees all of it.
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bspi_heap heap;
static bspi_arena arena;

bspi_heap *memory_heap(void) {
    if (arena.heap == NULL) {
        bspi_heap_init(&heap, NULL, 0);
        bspi_arena_init(&arena, &heap);
    }
    return &heap;
}

void memory_end(void) {
    bspi_arena_free(&arena);
}

void fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fputs("compile_source: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(1);
}

void *zeroed(size_t size) {
    bsp_error error;
    memory_heap();
    void *out = bspi_arena_zero(&arena, 1, size, &error);
    if (out == NULL) {
        fail("%s", error.message);
    }
    return out;
}

void *grown(void *array, uint32_t count, size_t element) {
    // The array has room for the next power of two.
    if (count != 0 && (count & (count - 1)) != 0) {
        return array;
    }
    void *larger = zeroed((count == 0 ? 1 : (size_t)count * 2) * element);
    if (count != 0) {
        memcpy(larger, array, count * element);
    }
    return larger;
}

bsp_text text_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    va_list again;
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    char *out = zeroed((size_t)size + 1);
    vsnprintf(out, (size_t)size + 1, format, again);
    va_end(again);
    va_end(arguments);
    return (bsp_text){out, (size_t)size};
}
