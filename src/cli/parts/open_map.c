// SPDX-License-Identifier: MIT
// Opens a map as the options say (branch, game, files beside it), applies patch files, and notes
// all that is read as inputs, so that no output replaces them.
#include "cli/parts/open_map.h"

#include "core/os_calls.h"

#include "cli/parts/budget.h"
#include "cli/parts/folder.h"
#include "cli/parts/inputs.h"
#include "cli/parts/member.h"
#include "cli/parts/names.h"
#include "cli/parts/patch.h"

static void add_beside(const char *path, const bsp_file *file) {
    const bsp_file_info *info = bsp_file_get_info(file);
    for (uint32_t i = 0; i < info->num_external; i++) {
        cli_inputs_add_beside(path, info->external[i].name);
    }
}

static void note_input(void *user, const char *path) {
    (void)user;
    cli_inputs_add(path);
}

static bsp_file *open_inner(const bsp_search *archive, bsp_text name, int depth,
                            const bsp_open_options *options, bsp_error *error);

// Opens a file of an archive that is itself in an archive.
static bsp_file *open_nested(const bsp_search *outer, bsp_text archive, bsp_text name, int depth,
                             const bsp_open_options *options, bsp_error *error) {
    char path[CLI_PATH_ROOM];
    bsp_search_options how = {.budget = options->budget};
    bsp_blob blob;
    (void)snprintf(path, sizeof path, "%.*s", (int)archive.size, archive.data);
    if (depth >= CLI_MEMBER_DEEPEST) {
        bsp_fail(error, BSP_E_LIMIT, NULL, "more than %d archives are inside each other",
                 CLI_MEMBER_DEEPEST);
        return NULL;
    }
    if (!bsp_search_read(outer, archive, &blob, error)) {
        return NULL;
    }
    bsp_search *search = bsp_search_new(&how, error);
    bsp_file *file = NULL;
    if (search != NULL &&
        bsp_search_add_memory(search, path, (bsp_bytes){blob.data, blob.size}, error)) {
        file = open_inner(search, name, depth + 1, options, error);
    }
    bsp_search_free(search);
    bsp_blob_free(&blob);
    return file;
}

static bsp_file *open_inner(const bsp_search *archive, bsp_text name, int depth,
                            const bsp_open_options *options, bsp_error *error) {
    bsp_text outer;
    bsp_text inner;
    bool nested = bsp_search_find(archive, name) == NULL && cli_member_inner(name, &outer, &inner);
    return nested ? open_nested(archive, outer, inner, depth, options, error)
                  : bsp_file_open_member(archive, name, options, error);
}

static bsp_file *open_member(const char *archive, const char *name, const bsp_open_options *options,
                             bsp_error *error) {
    bsp_search_options how = {.budget = options->budget, .opening = note_input};
    bsp_search *search = bsp_search_new(&how, error);
    bsp_file *file = NULL;
    if (search != NULL && bsp_search_add(search, archive, error)) {
        file = open_inner(search, bsp_text_of(name), 1, options, error);
    }
    bsp_search_free(search);
    return file;
}

// Opens a map as it is on the disk or in an archive.
static bsp_file *open_path(const cli_call *call, const char *path, bsp_issues *issues,
                           bsp_error *error) {
    bsp_open_options options = {.branch = call->common->branch,
                                .game = call->common->limits_of,
                                .no_external = call->common->no_external,
                                // A mapped file must not be written while it is read.
                                .read = call->common->serve ||
                                        (BSPI_OS_MAPPED_FILES_STAY && call->common->in_place),
                                .budget = cli_budget(),
                                .issues = issues};
    char archive[CLI_PATH_ROOM];
    const char *name;
    return cli_member_split(path, archive, &name) ? open_member(archive, name, &options, error)
                                                  : bsp_file_open(path, &options, error);
}

bool cli_map_opens(const cli_call *call, const char *path, bsp_error *error) {
    bsp_file *file = open_path(call, path, NULL, error);
    bsp_file_close(file);
    return file != NULL;
}

bool cli_open_map(const cli_call *call, const char *path, bsp_issues *issues, cli_opened *opened) {
    bsp_error error;
    cli_inputs_add(path);
    *opened = (cli_opened){.file = open_path(call, path, issues, &error)};
    if (opened->file != NULL) {
        add_beside(path, opened->file);
    }
    if (opened->file == NULL && cli_names_of_many(call->command) && cli_is_folder(path)) {
        bool below = call->common->recursive || call->command->whole_folders;
        cli_message(path, "it is a folder without maps%s",
                    below ? ", as are those below it" : "; -r takes those in the folders below it");
    } else if (opened->file == NULL) {
        (void)cli_report(path, &error);
    } else if (cli_patch_given(call)) {
        opened->own = opened->file;
        opened->file = cli_patch_open(call, path, opened->own, issues, &opened->blob);
    }
    if (opened->file == NULL) {
        cli_close_map(opened);
        return false;
    }
    return true;
}

void cli_close_map(cli_opened *opened) {
    bsp_file_close(opened->file);
    bsp_file_close(opened->own);
    bsp_blob_free(&opened->blob);
    *opened = (cli_opened){0};
}
