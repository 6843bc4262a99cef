// SPDX-License-Identifier: MIT
// KeyValues text (.vmf, .vmt) as a tree.
#ifndef COMPILE_VMF_H
#define COMPILE_VMF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A key with a value, or a block with its content.
typedef struct kv {
    const char *name;
    const char *value; ///< NULL: a block
    struct kv *list;
    uint32_t count;
} kv;

/// Reads a text as one block without a name. Fails with `name` (of the file) and the line.
kv *kv_parse(const char *text, const char *name);

/// The value of the first key of that name (any case), or `otherwise`.
const char *kv_value(const kv *block, const char *name, const char *otherwise);
double kv_number(const kv *block, const char *name, double otherwise);
/// The first block of that name, or NULL.
const kv *kv_block(const kv *block, const char *name);
bool kv_is(const kv *entry, const char *name);

/// Reads up to `max` numbers out of a text, whatever stands between them. Returns how many.
uint32_t read_numbers(const char *text, double *out, uint32_t max);
/// Compares without regard to case (ASCII only).
bool same_text(const char *a, const char *b);

/// A whole file, or NULL. The byte behind it is 0.
char *read_file(const char *path, size_t *size);

#endif
