// SPDX-License-Identifier: MIT
// What is wrong with a changed map, against what was wrong before.
#include "cli/parts/new_issues.h"

#include <string.h>

static bool has_issue(const bsp_issue *list, size_t count, const bsp_issue *issue) {
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind == issue->kind && strcmp(list[i].text, issue->text) == 0 &&
            strcmp(list[i].place.lump, issue->place.lump) == 0) {
            return true;
        }
    }
    return false;
}

// The first issue of a kind that was not there before.
static bool refuse_kind(const char *path, const bsp_issue_kind *kind, const bsp_issues *before,
                        const bsp_issues *after) {
    size_t num_old;
    size_t num_new;
    const bsp_issue *old = bsp_issues_list(before, &num_old);
    const bsp_issue *list = bsp_issues_list(after, &num_new);
    const char *text = kind->summary;
    char place[BSP_PLACE_TEXT] = "";
    for (size_t i = 0; i < num_new; i++) {
        if (list[i].kind == kind && !has_issue(old, num_old, &list[i])) {
            (void)bsp_format_place(place, &list[i].place);
            text = list[i].text;
            break;
        }
    }
    cli_message(path, "not written, for the changed map would have a new problem: %s%s%s [%s]",
                place, place[0] == '\0' ? "" : ": ", text, kind->id);
    return false;
}

static bool compare_issues(const char *path, const bsp_issues *before, const bsp_issues *after) {
    size_t count;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        if (kinds[i].severity >= BSP_WARNING &&
            bsp_issues_count_kind(after, &kinds[i]) > bsp_issues_count_kind(before, &kinds[i])) {
            return refuse_kind(path, &kinds[i], before, after);
        }
    }
    return true;
}

// Nothing wrong: the old map need not be looked at.
bool cli_no_new_issues(const cli_input *input, const char *path, const bsp_file *file,
                       bsp_issues *issues) {
    bsp_error error;
    if (!bsp_check(file, issues, &error)) {
        (void)cli_report(path, &error);
        return false;
    }
    if (bsp_issues_count(issues, BSP_WARNING) == 0) {
        return true;
    }
    if (!bsp_check(input->file, input->issues, &error)) {
        (void)cli_report(input->path, &error);
        return false;
    }
    return compare_issues(path, input->issues, issues);
}
