// SPDX-License-Identifier: MIT
// The comparison of two files.
#ifndef BSPI_COMPARE_DIFF_H
#define BSPI_COMPARE_DIFF_H

#include "bspkit/compare.h"
#include "core/memory.h"

typedef struct bspi_diff {
    const bsp_file *files[2];
    bsp_map *maps[2]; ///< until their meaning is compared
    bool have_maps;   ///< both could be understood
    bsp_difference_sink found;
    void *user;
    bspi_heap *heap;
    bspi_arena arena;
    bsp_error *error;
    bool failed; ///< too much work, as the error says; nothing more is reported
} bspi_diff;

/// Reports a difference. Texts may be empty.
void bspi_diff_tell(const bspi_diff *d, bsp_difference_kind kind, const char *part, bsp_place place,
                    bsp_text name, bsp_text before, bsp_text after);

/// Counts work. Returns false, and the comparison has failed, over the limit.
bool bspi_diff_work(bspi_diff *d, uint64_t steps);

/// An element by its name, and its index.
typedef struct bspi_named {
    bsp_text name;
    uint32_t index;
} bspi_named;

/// Sorts by name, then by index.
void bspi_diff_sort(bspi_named *list, uint32_t count);

/// Receives a pair with the same name; an index is BSP_NONE where one file has no more of that
/// name.
typedef void (*bspi_diff_pair)(bspi_diff *d, void *user, bsp_text name, uint32_t a, uint32_t b);
/// Walks two sorted lists.
void bspi_diff_merge(bspi_diff *d, const bspi_named *a, uint32_t num_a, const bspi_named *b,
                     uint32_t num_b, bspi_diff_pair pair, void *user);

/// Finds for each entity of two lists its counterpart in the other, or BSP_NONE: `other` receives
/// two arrays of the arena. Returns false with the error filled.
bool bspi_pair_entities(bspi_diff *d, const bsp_entities *const lists[2], uint32_t *other[2]);

/// Makes a name from the pairs of one entity that only equal pairs have; `out->data` is NULL
/// without memory.
bool bspi_name_pairs(bspi_diff *d, const bsp_pair *pairs, uint32_t count, bsp_text *out);

/// Compares as bsp_entities_diff does, but without `owner`. The result is in `keep`, scratch data
/// in the arena of `d`.
bool bspi_diff_lists(bspi_diff *d, const bsp_entities *const lists[2], const uint32_t *before_of,
                     bspi_arena *keep, bsp_entity_diff *out);

bool bspi_diff_entities(bspi_diff *d); // diff_entities.c
bool bspi_diff_content(bspi_diff *d);  // diff_content.c: textures, props, pak, light
bool bspi_diff_records(bspi_diff *d);  // diff_records.c

#endif
