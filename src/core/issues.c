// SPDX-License-Identifier: MIT
// The list of issues. Its memory is bounded: all issues are counted, and of each kind a limited
// number is kept.
#include "core/issue_kinds.h"
#include "core/memory.h"

#include <assert.h>
#include <stdio.h>

#define KEEP_DEFAULT 100u

static const bsp_issue_kind kinds[] = {
#define KIND_ROW(symbol, id, severity, summary, explanation) {id, severity, summary, explanation},
    BSPI_ISSUE_KINDS(KIND_ROW)
#undef KIND_ROW
};

struct bsp_issues {
    bspi_heap heap;
    bsp_issue *list;
    size_t count;
    size_t room;
    uint32_t keep;
    uint64_t totals[BSPI_ISSUE_COUNT];
};

const bsp_issue_kind *bsp_issue_kinds(size_t *count) {
    assert(count != NULL);
    *count = BSPI_ISSUE_COUNT;
    return kinds;
}

const char *bsp_severity_name(bsp_severity severity) {
    return severity == BSP_ERROR ? "error" : severity == BSP_WARNING ? "warning" : "note";
}

bsp_issues *bsp_issues_new(const bsp_allocator *allocator, uint32_t keep) {
    bsp_issues *issues = bspi_object_new(allocator, sizeof *issues, NULL);
    if (issues == NULL) {
        return NULL;
    }
    bspi_heap_init(&issues->heap, allocator, 0);
    issues->keep = keep == 0 ? KEEP_DEFAULT : keep;
    return issues;
}

void bsp_issues_free(bsp_issues *issues) {
    if (issues == NULL) {
        return;
    }
    bspi_heap_free(&issues->heap, issues->list, issues->room * sizeof *issues->list);
    bspi_object_free(issues, sizeof *issues, &issues->heap.allocator);
}

const bsp_issue *bsp_issues_list(const bsp_issues *issues, size_t *count) {
    assert(issues != NULL && count != NULL);
    *count = issues->count;
    return issues->list;
}

uint64_t bsp_issues_count(const bsp_issues *issues, bsp_severity severity) {
    assert(issues != NULL);
    uint64_t sum = 0;
    for (size_t i = 0; i < BSPI_ISSUE_COUNT; i++) {
        sum += kinds[i].severity >= severity ? issues->totals[i] : 0;
    }
    return sum;
}

uint64_t bsp_issues_count_kind(const bsp_issues *issues, const bsp_issue_kind *kind) {
    assert(issues != NULL && kind != NULL);
    for (size_t i = 0; i < BSPI_ISSUE_COUNT; i++) {
        if (kind == &kinds[i]) {
            return issues->totals[i];
        }
    }
    assert(false && "the kind is one of bsp_issue_kinds");
    return 0;
}

// Makes room for one more. Without memory the issue is only counted.
static bool grow(bsp_issues *issues) {
    bsp_issue *list =
        bspi_grow(&issues->heap, issues->list, issues->count, &issues->room, sizeof *list, NULL);
    issues->list = list == NULL ? issues->list : list;
    return list != NULL;
}

void bspi_issue(bsp_issues *issues, int kind, bsp_place place, const char *format, ...) {
    if (issues == NULL) {
        return;
    }
    uint64_t before = issues->totals[kind]++;
    if (before >= issues->keep || !grow(issues)) {
        return;
    }
    bsp_issue *issue = &issues->list[issues->count++];
    issue->kind = &kinds[kind];
    issue->place = place;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(issue->text, sizeof issue->text, format, arguments);
    va_end(arguments);
}
