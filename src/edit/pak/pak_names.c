// SPDX-License-Identifier: MIT
// The names of files and changes are sorted together; equal names follow each other, files first. A
// zip can have 65535 files, all with one name.
#include "edit/pak/pak_names.h"

#include "core/text.h"

#include <stdlib.h>

typedef struct named {
    bsp_text name;
    uint32_t hash; // most names differ in it
    bool change;
    uint32_t index;
} named;

static int compare_names(const named *a, const named *b) {
    return a->hash != b->hash ? (a->hash < b->hash ? -1 : 1)
                              : bspi_text_compare_nocase(a->name, b->name);
}

static int compare(const void *a, const void *b) {
    const named *x = a;
    const named *y = b;
    int order = compare_names(x, y);
    if (order != 0 || x->change != y->change) {
        return order != 0 ? order : x->change ? 1 : -1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

static named *sort_names(const bsp_pak *pak, const bsp_pak_change *changes, size_t count,
                         bspi_arena *arena, bsp_error *error) {
    named *list = bspi_arena_raw(arena, count, sizeof *list, error);
    for (size_t i = 0; list != NULL && i < count; i++) {
        bool change = i >= pak->count;
        uint32_t index = (uint32_t)(change ? i - pak->count : i);
        bsp_text name = change ? changes[index].name : pak->entries[index].name;
        list[i] = (named){name, bspi_text_hash_nocase(name), change, index};
    }
    if (list != NULL && count != 0) {
        qsort(list, count, sizeof *list, compare);
    }
    return list;
}

// Matches files and changes with the same name.
static bool match_group(const named *list, size_t count, const bsp_pak_change *changes,
                        bspi_pak_match *out, bsp_error *error) {
    const named *last = &list[count - 1];
    if (!last->change) {
        return true;
    }
    if (changes[last->index].remove && list[0].change) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "there is no file %.*s in the pak",
                        (int)last->name.size, last->name.data);
    }
    out->counts[last->index] = true;
    for (size_t i = 0; i < count && !list[i].change; i++) {
        out->change_of[list[i].index] = last->index;
    }
    return true;
}

bool bspi_pak_match_names(const bsp_pak *pak, const bsp_pak_change *changes, uint32_t num_changes,
                          bspi_arena *arena, bspi_pak_match *out, bsp_error *error) {
    size_t count = (size_t)pak->count + num_changes;
    named *list = sort_names(pak, changes, count, arena, error);
    out->change_of = bspi_arena_raw(arena, pak->count, sizeof *out->change_of, error);
    out->counts = bspi_arena_zero(arena, num_changes, sizeof *out->counts, error);
    if (list == NULL || out->change_of == NULL || out->counts == NULL) {
        return false;
    }
    for (uint32_t n = 0; n < pak->count; n++) {
        out->change_of[n] = BSP_NONE;
    }
    for (size_t first = 0, end; first < count; first = end) {
        end = first + 1;
        while (end < count && compare_names(&list[first], &list[end]) == 0) {
            end++;
        }
        if (!match_group(list + first, end - first, changes, out, error)) {
            return false;
        }
    }
    return true;
}
