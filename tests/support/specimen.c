// SPDX-License-Identifier: MIT
#include "support/specimen.h"

#include "support/battery.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

void specimen_do(specimen_test *test, const bsp_branch *branch, bool big_endian, uint32_t props) {
    bsp_blob blob = room_file(branch, big_endian, props);
    specimen s = {branch, big_endian, props, {blob.data, blob.size}, ""};
    snprintf(s.name, sizeof s.name, "%s%s, props %u", branch->name,
             big_endian ? ", big-endian" : "", props);
    test(&s);
    bsp_blob_free(&blob);
}

// Only Source has files of both byte orders.
void specimen_each(specimen_test *test) {
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        for (int big = 0; !branch->opaque && big < (branch->family == BSP_SOURCE ? 2 : 1); big++) {
            specimen_do(test, branch, big == 1, 0);
        }
    }
}

bsp_map *specimen_load(const specimen *s, bsp_file **file) {
    bsp_error error = {0};
    bsp_map_options options = {.strict = true};
    *file = battery_open(s->name, s->bytes);
    bsp_map *map = bsp_map_load(*file, &options, &error);
    if (map == NULL) {
        fail_msg("%s: %s", s->name, error.message);
    }
    return map;
}
