// SPDX-License-Identifier: MIT
// Opens models. Which files are models is told by their first bytes; formats without a magic are
// looked for as a whole in files that are not named as maps are.
#include "cli/parts/open_model.h"

#include "core/os_calls.h"

#include "cli/parts/budget.h"
#include "cli/parts/inputs.h"
#include "cli/parts/member.h"

#include <string.h>

#define HEAD 64u

static void note_input(void *user, const char *path) {
    (void)user;
    cli_inputs_add(path);
}

// --- members of archives ------------------------------------------------------------------------

static bsp_search *open_archive(const char *archive, bsp_error *error) {
    bsp_search_options how = {.budget = cli_budget(), .opening = note_input};
    bsp_search *search = bsp_search_new(&how, error);
    if (search != NULL && !bsp_search_add(search, archive, error)) {
        bsp_search_free(search);
        return NULL;
    }
    return search;
}

// Looks into an archive only for a name that is not a map's: it may be large.
static bool is_member_model(const char *archive, const char *name) {
    bsp_text text = bsp_text_of(name);
    bsp_search *search = cli_is_map_name(text) ? NULL : open_archive(archive, NULL);
    bsp_blob blob = {.data = NULL};
    bool model = search != NULL && bsp_search_find(search, text) != NULL &&
                 bsp_search_read(search, text, &blob, NULL) &&
                 bsp_model_detect((bsp_bytes){blob.data, blob.size});
    bsp_blob_free(&blob);
    bsp_search_free(search);
    return model;
}

// --- files --------------------------------------------------------------------------------------

static bool is_whole_model(const char *path) {
    bsp_blob blob;
    if (cli_is_map_name(bsp_text_of(path)) ||
        !bsp_blob_read(path, cli_budget(), NULL, &blob, NULL)) {
        return false;
    }
    bool model = bsp_model_detect((bsp_bytes){blob.data, blob.size});
    bsp_blob_free(&blob);
    return model;
}

bool cli_is_model(const char *path) {
    char archive[CLI_PATH_ROOM];
    const char *name;
    struct stat status;
    uint8_t head[HEAD];
    if (strcmp(path, "-") == 0) {
        return false;
    }
    if (cli_member_split(path, archive, &name)) {
        return is_member_model(archive, name);
    }
    FILE *file = stat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    if (file == NULL) {
        return false;
    }
    size_t size = fread(head, 1, sizeof head, file);
    (void)fclose(file);
    return bsp_model_detect((bsp_bytes){head, size}) || is_whole_model(path);
}

static bool open_member(const char *archive, const char *name,
                        const bsp_model_open_options *options, cli_opened_model *opened,
                        bsp_error *error) {
    bsp_text text = bsp_text_of(name);
    opened->search = open_archive(archive, error);
    if (opened->search == NULL || !bsp_search_read(opened->search, text, &opened->blob, error)) {
        return false;
    }
    opened->file = bsp_model_file_open_memory((bsp_bytes){opened->blob.data, opened->blob.size},
                                              name, options, error);
    return opened->file != NULL;
}

// Opens what the records make, unless they are a part of another file's model.
static bool open_whole(const char *path, const char *name, const bsp_model_open_options *options,
                       cli_opened_model *opened, bsp_error *error) {
    if (bsp_model_file_get_info(opened->file)->format->kind == BSP_MODEL_COMPANION) {
        bsp_bytes bytes = bsp_model_file_get_info(opened->file)->bytes;
        bsp_model_file_close(bsp_model_file_open_memory(bytes, name, options, error));
        return true; // opened once more for its issues
    }
    opened->model = opened->search != NULL
                        ? bsp_model_open(opened->search, bsp_text_of(name), options, error)
                        : bsp_model_open_path(path, options, error);
    return opened->model != NULL;
}

bool cli_open_model(const char *path, bsp_issues *issues, cli_opened_model *opened) {
    bsp_error error;
    // The model reads its own file once more, and tells what is odd about it.
    bsp_model_open_options quiet = {.budget = cli_budget()};
    bsp_model_open_options options = {.budget = cli_budget(), .issues = issues};
    char archive[CLI_PATH_ROOM];
    const char *name = path;
    cli_inputs_add(path);
    *opened = (cli_opened_model){.file = NULL};
    bool done;
    if (cli_member_split(path, archive, &name)) {
        done = open_member(archive, name, &quiet, opened, &error);
    } else {
        opened->file = bsp_model_file_open(path, &quiet, &error);
        done = opened->file != NULL;
    }
    if (!done || !open_whole(path, name, &options, opened, &error)) {
        (void)cli_report(path, &error);
        cli_close_model(opened);
        return false;
    }
    return true;
}

void cli_close_model(cli_opened_model *opened) {
    bsp_model_close(opened->model);
    bsp_model_file_close(opened->file);
    bsp_search_free(opened->search);
    bsp_blob_free(&opened->blob);
    *opened = (cli_opened_model){0};
}
