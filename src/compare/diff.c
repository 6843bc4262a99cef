// SPDX-License-Identifier: MIT
// The differences of two maps: first those of their meaning, then those of their records. The order
// of the reports depends on the files only.
#include "compare/diff.h"

#include "records/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// --- facts --------------------------------------------------------------------------------------

static void compare_facts(const bspi_diff *d, const char *part, const char *name,
                          const char *before, const char *after) {
    if (strcmp(before, after) != 0) {
        bspi_diff_tell(d, BSP_CHANGED, part, bsp_place_none(), bsp_text_of(name),
                       bsp_text_of(before), bsp_text_of(after));
    }
}

static void compare_numbers(const bspi_diff *d, const char *part, const char *name, uint32_t before,
                            uint32_t after) {
    char texts[2][16];
    snprintf(texts[0], sizeof texts[0], "%u", before);
    snprintf(texts[1], sizeof texts[1], "%u", after);
    compare_facts(d, part, name, texts[0], texts[1]);
}

static void compare_heads(const bspi_diff *d) {
    const bsp_file_info *a = bsp_file_get_info(d->files[0]);
    const bsp_file_info *b = bsp_file_get_info(d->files[1]);
    compare_facts(d, "file", "branch", a->detection.branch->name, b->detection.branch->name);
    compare_facts(d, "file", "endian", a->detection.big_endian ? "big" : "little",
                  b->detection.big_endian ? "big" : "little");
    if (a->revision != BSP_NONE && b->revision != BSP_NONE) {
        compare_numbers(d, "file", "revision", a->revision, b->revision);
    }
}

static bool is_listed(const bspi_diff *d, bsp_table_id id) {
    return bsp_file_find_id(d->files[0], id) != BSP_NONE ||
           bsp_file_find_id(d->files[1], id) != BSP_NONE;
}

static bool compare_counts(const bspi_diff *d) {
    for (uint32_t id = BSP_ID_NONE + 1; id < BSP_ID_COUNT; id++) {
        uint32_t counts[2];
        if (id == BSP_ID_ENTITIES || id == BSP_ID_PAK || id == BSP_ID_GAME_LUMP ||
            id == BSP_ID_UNUSED || !is_listed(d, (bsp_table_id)id)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            if (!bspi_file_count(d->files[k], (bsp_table_id)id, &counts[k], d->error)) {
                return false;
            }
        }
        compare_numbers(d, "counts", bsp_table_id_name((bsp_table_id)id), counts[0], counts[1]);
    }
    return true;
}

// --- the whole comparison ------------------------------------------------------------------------

// A file whose records are not known has no map, and is compared by its lumps.
static bool load_maps(bspi_diff *d) {
    for (int i = 0; i < 2; i++) {
        if (bsp_file_get_info(d->files[i])->detection.branch->opaque) {
            return true;
        }
    }
    for (int i = 0; i < 2; i++) {
        // What is not read here is compared as records and bytes.
        const bsp_map_options options = {.parts = BSP_LOAD_ENTITIES | BSP_LOAD_SURFACES |
                                                  BSP_LOAD_PROPS};
        d->maps[i] = bsp_map_load(d->files[i], &options, d->error);
        if (d->maps[i] == NULL) {
            return false;
        }
    }
    return true;
}

static void drop_maps(bspi_diff *d) {
    for (int i = 0; i < 2; i++) {
        bsp_map_free(d->maps[i]);
        d->maps[i] = NULL;
    }
}

static bool run(bspi_diff *d) {
    if (!load_maps(d)) {
        return false;
    }
    compare_heads(d);
    d->have_maps = d->maps[0] != NULL;
    if (!compare_counts(d) || (d->have_maps && (!bspi_diff_entities(d) || !bspi_diff_content(d)))) {
        return false;
    }
    drop_maps(d);
    return bspi_diff_records(d) && !d->failed;
}

bool bsp_file_diff(const bsp_file *a, const bsp_file *b, bsp_difference_sink found, void *user,
                   const bsp_allocator *allocator, bsp_error *error) {
    assert(found != NULL);
    assert(a != NULL && b != NULL);
    bspi_heap heap;
    bspi_heap_init_for(&heap, BSP_PRODUCT_DIFF, bspi_file_size(a) + bspi_file_size(b),
                       bspi_file_budget(a), allocator);
    bspi_diff d = {.files = {a, b}, .found = found, .user = user, .heap = &heap, .error = error};
    bspi_arena_init(&d.arena, &heap);
    bool done = run(&d);
    drop_maps(&d);
    bspi_arena_free(&d.arena);
    return done;
}
