// SPDX-License-Identifier: MIT
// Memory that lives until the compiler ends, and its one way to fail.
#ifndef COMPILE_MEMORY_H
#define COMPILE_MEMORY_H

#include "core/buffer.h"

/// What all memory comes from.
bspi_heap *memory_heap(void);
/// Frees all that zeroed, grown and text_format returned.
void memory_end(void);

/// Zeroed memory. Ends the program when there is none.
void *zeroed(size_t size);
/// Room for one element more in an array of `count`, which grows by doubling. Returns the array.
void *grown(void *array, uint32_t count, size_t element);
/// A text made as printf does, with a NUL after it.
bsp_text text_format(const char *format, ...) BSP_PRINTF(1, 2);
/// Prints "compile_source: ..." and ends the program.
_Noreturn void fail(const char *format, ...) BSP_PRINTF(1, 2);

/// Appends to a counted array: list, num_list.
#define PUSH(list, count, value)                                                                   \
    ((list) = grown((list), (count), sizeof *(list)), (list)[(count)++] = (value))

/// The arguments of "%.*s".
#define TEXT_ARGS(text) (int)(text).size, (text).data

#endif
