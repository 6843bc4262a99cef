// SPDX-License-Identifier: MIT
// Whether a changed file is worse than the old one: new problems, and the checksum of the game.
#include "bspkit/edit.h"

#include "records/file.h"

#include <assert.h>
#include <string.h>

// --- problems -----------------------------------------------------------------------------------

static bool has_issue(const bsp_issue *list, size_t count, const bsp_issue *issue) {
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind == issue->kind && strcmp(list[i].text, issue->text) == 0 &&
            strcmp(list[i].place.lump, issue->place.lump) == 0) {
            return true;
        }
    }
    return false;
}

static const bsp_issue *first_new(const bsp_issue_kind *kind, const bsp_issues *before,
                                  const bsp_issues *after) {
    size_t num_old;
    size_t num_new;
    const bsp_issue *old = bsp_issues_list(before, &num_old);
    const bsp_issue *list = bsp_issues_list(after, &num_new);
    for (size_t i = 0; i < num_new; i++) {
        if (list[i].kind == kind && !has_issue(old, num_old, &list[i])) {
            return &list[i];
        }
    }
    return NULL;
}

uint32_t bsp_issues_compare(const bsp_issues *before, const bsp_issues *after, bsp_severity least,
                            bsp_new_issue_sink found, void *user) {
    assert(before != NULL && after != NULL);
    size_t count;
    uint32_t worse = 0;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        bsp_new_issue one = {.kind = &kinds[i],
                             .before = bsp_issues_count_kind(before, &kinds[i]),
                             .after = bsp_issues_count_kind(after, &kinds[i])};
        if (kinds[i].severity < least || one.after <= one.before) {
            continue;
        }
        worse++;
        if (found != NULL) {
            one.first = first_new(&kinds[i], before, after);
            found(user, &one);
        }
    }
    return worse;
}

// --- the checksum -------------------------------------------------------------------------------

// Maps of another game or console meet other servers.
bool bsp_file_checksum_changes(const bsp_file *old_file, const bsp_file *new_file, uint32_t *before,
                               uint32_t *after) {
    assert(old_file != NULL && new_file != NULL);
    const bsp_detection *old = &bsp_file_get_info(old_file)->detection;
    const bsp_detection *new = &bsp_file_get_info(new_file)->detection;
    uint32_t sums[2];
    if (new->branch != old->branch || new->big_endian != old->big_endian ||
        !bsp_file_checksum(old_file, &sums[0]) || !bsp_file_checksum(new_file, &sums[1]) ||
        sums[0] == sums[1]) {
        return false;
    }
    if (before != NULL) {
        *before = sums[0];
    }
    if (after != NULL) {
        *after = sums[1];
    }
    return true;
}

// --- a plan -------------------------------------------------------------------------------------

// What the new file has more of. Where it has nothing, the old one need not be looked at.
static bool compare_files(const bsp_file *old, const bsp_file *new, bsp_issues *before,
                          bsp_issues *after, bsp_new_issue_sink found, void *user, uint32_t *worse,
                          bsp_error *error) {
    if (!bsp_check(new, after, error)) {
        return false;
    }
    if (bsp_issues_count(after, BSP_WARNING) == 0) {
        return true;
    }
    if (!bsp_check(old, before, error)) {
        return false;
    }
    *worse = bsp_issues_compare(before, after, BSP_WARNING, found, user);
    return true;
}

// Both files are opened anew, so that what their directories lack is compared too.
static bsp_file *open_like(const bsp_file *file, bsp_bytes bytes, bsp_issues *issues,
                           const char *branch, const bsp_allocator *allocator, bsp_error *error) {
    const bsp_file_info *info = bsp_file_get_info(file);
    const bsp_game *game = bsp_file_game(file);
    const bsp_open_options options = {.branch = branch,
                                      .allocator = allocator,
                                      .external = info->external,
                                      .num_external = info->num_external,
                                      .budget = bspi_file_budget(file),
                                      .game = game == NULL ? NULL : game->title,
                                      .issues = issues};
    return bsp_file_open_memory(bytes, &options, error);
}

static bool check_bytes(bsp_bytes bytes, const bsp_file *file, bsp_new_issue_sink found, void *user,
                        const bsp_allocator *allocator, bsp_plan_report *out, bsp_error *error) {
    const bsp_file_info *info = bsp_file_get_info(file);
    bsp_issues *before = bsp_issues_new(allocator, 0);
    bsp_issues *after = bsp_issues_new(allocator, 0);
    if (before == NULL || after == NULL) {
        bsp_issues_free(before);
        bsp_issues_free(after);
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory for the lists of problems");
    }
    bsp_file *old =
        open_like(file, info->bytes, before, info->detection.branch->name, allocator, error);
    bsp_file *new = old == NULL ? NULL : open_like(file, bytes, after, NULL, allocator, error);
    bool done = new != NULL &&compare_files(old, new, before, after, found, user,
                                            &out->num_new_issues, error);
    if (done) {
        out->branch = bsp_file_get_info(new)->detection.branch;
        out->checksum_changes =
            bsp_file_checksum_changes(old, new, &out->checksum_before, &out->checksum_after);
    }
    bsp_file_close(new);
    bsp_file_close(old);
    bsp_issues_free(before);
    bsp_issues_free(after);
    return done;
}

bool bsp_plan_check(const bsp_plan *plan, const bsp_file *file, bsp_new_issue_sink found,
                    void *user, const bsp_allocator *allocator, bsp_plan_report *out,
                    bsp_error *error) {
    assert(plan != NULL && file != NULL && out != NULL);
    bsp_blob blob;
    memset(out, 0, sizeof *out);
    if (!bsp_plan_make(plan, allocator, &blob, error)) {
        return false;
    }
    bool done =
        check_bytes((bsp_bytes){blob.data, blob.size}, file, found, user, allocator, out, error);
    bsp_blob_free(&blob);
    return done;
}
