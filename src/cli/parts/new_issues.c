// SPDX-License-Identifier: MIT
// Compares the issues of a changed map with those of the old one.
#include "cli/parts/new_issues.h"

typedef struct refusal {
    const char *path;
    bool told;
} refusal;

// The first kind is enough.
static void refuse(void *user, const bsp_new_issue *issue) {
    refusal *r = user;
    char place[BSP_PLACE_TEXT] = "";
    if (r->told) {
        return;
    }
    r->told = true;
    if (issue->first != NULL) {
        (void)bsp_format_place(place, &issue->first->place);
    }
    cli_message(r->path, "not written: the changed map would have a new problem: %s%s%s [%s]",
                place, place[0] == '\0' ? "" : ": ",
                issue->first == NULL ? issue->kind->summary : issue->first->text, issue->kind->id);
}

// Without issues the old map need not be checked.
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
    refusal r = {.path = path};
    return bsp_issues_compare(input->issues, issues, BSP_WARNING, refuse, &r) == 0;
}
