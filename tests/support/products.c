// SPDX-License-Identifier: MIT
#include "support/products.h"

#include "support/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

typedef struct outcome {
    bool made;
    bsp_error error;
    bsp_limits used;
} outcome;

static outcome make(const product_row *row, const void *user, const bsp_limits *limits,
                    uint32_t threads, bool stopped) {
    outcome out = {.made = false};
    test_meter meter = {.live = 0};
    bsp_allocator allocator = meter_allocator(&meter);
    product_how how = {bsp_budget_new(limits, NULL), &allocator, threads};
    assert_non_null(how.budget);
    if (stopped) {
        bsp_budget_stop(how.budget);
    }
    out.made = row->make(user, &how, &out.error);
    out.used = bsp_budget_used(how.budget);
    bsp_budget_free(how.budget);
    assert_false(meter.wrong);
    assert_int_equal(meter.live, 0);
    return out;
}

static outcome make_free(const product_row *row, const void *user, uint32_t threads) {
    bsp_limits none = {BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT};
    return make(row, user, &none, threads, false);
}

// `member`: memory or work of the limits.
static void check_limit(const product_row *row, const void *user, size_t member, uint64_t used,
                        const char *kind) {
    const uint64_t less[] = {1, used / 4, used / 2, used - 1};
    bsp_limits limits = {BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT};
    memcpy((char *)&limits + member, &used, sizeof used);
    outcome enough = make(row, user, &limits, 1, false);
    if (!enough.made) {
        print_message("%s with %s=%" PRIu64 ": %s\n", row->name, kind, used, enough.error.message);
    }
    assert_true(enough.made);
    for (size_t i = 0; i < sizeof less / sizeof *less; i++) {
        char name[96];
        if (less[i] == 0 || less[i] >= used) {
            continue;
        }
        memcpy((char *)&limits + member, &less[i], sizeof less[i]);
        outcome refused = make(row, user, &limits, i % 2 == 0 ? 1 : 4, false);
        snprintf(name, sizeof name, "the %s limit of %" PRIu64 " ", kind, less[i]);
        if (refused.made || strstr(refused.error.message, name) == NULL) {
            print_message("%s with %s=%" PRIu64 " of %" PRIu64 ": %s\n", row->name, kind, less[i],
                          used, refused.made ? "made" : refused.error.message);
        }
        assert_false(refused.made);
        assert_int_equal(refused.error.code, BSP_E_LIMIT);
        assert_non_null(strstr(refused.error.message, name));
    }
}

static void check_row(const product_row *row, const void *user) {
    outcome first = make_free(row, user, 1);
    if (!first.made) {
        print_message("%s: %s\n", row->name, first.error.message);
    }
    assert_true(first.made);
    assert_true(first.used.memory != 0);
    assert_true((first.used.work == 0) == row->no_work);
    outcome again = make_free(row, user, 1);
    assert_int_equal(again.used.work, first.used.work);
    assert_int_equal(again.used.memory, first.used.memory);
    assert_int_equal(make_free(row, user, 4).used.work, first.used.work);
    check_limit(row, user, offsetof(bsp_limits, memory), first.used.memory, "memory");
    if (!row->no_work) {
        check_limit(row, user, offsetof(bsp_limits, work), first.used.work, "work");
    }
    outcome stopped = make(row, user, NULL, 1, true);
    assert_false(stopped.made);
    assert_int_equal(stopped.error.code, BSP_E_CANCELLED);
}

void products_check(const product_row *rows, size_t count, const void *user, const char *what) {
    for (size_t i = 0; i < count; i++) {
        print_message("%s: %s\n", what, rows[i].name);
        check_row(&rows[i], user);
    }
}
