// SPDX-License-Identifier: MIT
// What the parts of a comparison share: reports of differences, and pairing of sorted names.
#include "compare/diff.h"

#include "core/text.h"

#include <stdlib.h>
#include <string.h>

void bspi_diff_tell(const bspi_diff *d, bsp_difference_kind kind, const char *part, bsp_place place,
                    bsp_text name, bsp_text before, bsp_text after) {
    bsp_difference difference = {kind, part, place, name, before, after};
    if (!d->failed) {
        d->found(d->user, &difference);
    }
}

bool bspi_diff_work(bspi_diff *d, uint64_t steps) {
    d->failed = d->failed || !bspi_heap_work(d->heap, steps, d->error);
    return !d->failed;
}

// --- lists of names -----------------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
    const bspi_named *x = a;
    const bspi_named *y = b;
    int order = bspi_text_compare(x->name, y->name);
    return order != 0 ? order : x->index < y->index ? -1 : x->index > y->index;
}

void bspi_diff_sort(bspi_named *list, uint32_t count) {
    if (count != 0) {
        qsort(list, count, sizeof *list, by_name);
    }
}

void bspi_diff_merge(bspi_diff *d, const bspi_named *a, uint32_t num_a, const bspi_named *b,
                     uint32_t num_b, bspi_diff_pair pair, void *user) {
    uint32_t i = 0;
    uint32_t j = 0;
    while ((i < num_a || j < num_b) && bspi_diff_work(d, 1)) {
        int order = i == num_a ? 1 : j == num_b ? -1 : bspi_text_compare(a[i].name, b[j].name);
        bsp_text name = order <= 0 ? a[i].name : b[j].name;
        pair(d, user, name, order <= 0 ? a[i].index : BSP_NONE, order >= 0 ? b[j].index : BSP_NONE);
        i += order <= 0 ? 1 : 0;
        j += order >= 0 ? 1 : 0;
    }
}
