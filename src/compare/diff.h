// SPDX-License-Identifier: MIT
// Two files side by side.
#ifndef BSPI_COMPARE_DIFF_H
#define BSPI_COMPARE_DIFF_H

#include "bspkit/compare.h"
#include "core/memory.h"

typedef struct bspi_diff {
    const bsp_file *files[2];
    bsp_map *maps[2];
    bsp_difference_sink found;
    void *user;
    bspi_heap *heap;
    bspi_arena arena;
    bsp_error *error;
    bool failed; ///< too much work: the error says so, and nothing more is told
} bspi_diff;

/// Tells of one. Texts may be empty.
void bspi_diff_tell(const bspi_diff *d, bsp_difference_kind kind, const char *part, bsp_place place,
                    bsp_text name, bsp_text before, bsp_text after);

/// Counts work. False, and the comparison has failed, if that is too much.
bool bspi_diff_work(bspi_diff *d, uint64_t steps);

/// A thing by its name, and how to find it again.
typedef struct bspi_named {
    bsp_text name;
    uint32_t index;
} bspi_named;

/// Sorts by name, those of one name by index.
void bspi_diff_sort(bspi_named *list, uint32_t count);

/// Pairs of one name; an index of BSP_NONE where one file has no more of that name.
typedef void (*bspi_diff_pair)(bspi_diff *d, void *user, bsp_text name, uint32_t a, uint32_t b);
/// Goes through two sorted lists.
void bspi_diff_merge(bspi_diff *d, const bspi_named *a, uint32_t num_a, const bspi_named *b,
                     uint32_t num_b, bspi_diff_pair pair, void *user);

/// Finds for each entity of two lists its counterpart in the other, or BSP_NONE: `other` receives
/// two arrays of the arena. False with the error filled.
bool bspi_pair_entities(bspi_diff *d, const bsp_entities *const lists[2], uint32_t *other[2]);

/// Pairs of one entity as a name that only equal pairs have; `out->data` is NULL without memory.
bool bspi_name_pairs(bspi_diff *d, const bsp_pair *pairs, uint32_t count, bsp_text *out);

/// As bsp_entities_diff, but for `owner`. The result is of `keep`; what else it takes is of the
/// arena of `d`.
bool bspi_diff_lists(bspi_diff *d, const bsp_entities *const lists[2], const uint32_t *before_of,
                     bspi_arena *keep, bsp_entity_diff *out);

bool bspi_diff_entities(bspi_diff *d); // diff_entities.c
bool bspi_diff_content(bspi_diff *d);  // diff_content.c: textures, props, pak, light
bool bspi_diff_records(bspi_diff *d);  // diff_records.c

#endif
