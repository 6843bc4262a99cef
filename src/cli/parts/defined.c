// SPDX-License-Identifier: MIT
// Reads definitions of entity classes: those of the game folders first, since what is added last
// counts.
#include "cli/parts/defined.h"

#include "cli/parts/budget.h"
#include "cli/parts/game.h"
#include "cli/parts/inputs.h"
#include "cli/parts/path.h"

#include <string.h>

static bool add_blob(bsp_definitions *to, bsp_blob *blob, const char *name,
                     const bsp_search *search) {
    bsp_error error = {0};
    bsp_text text = {(const char *)blob->data, blob->size};
    bool done = bsp_definitions_add(to, text, name, search, &error);
    bsp_blob_free(blob);
    if (!done) {
        cli_message(name, "%s", error.message);
    }
    return done;
}

// The .fgd files directly in the folders; they include others by themselves.
static bool add_of_games(bsp_definitions *to, const bsp_search *search) {
    size_t count = 0;
    const bsp_asset *list = search == NULL ? NULL : bsp_search_list(search, &count);
    for (size_t i = 0; i < count; i++) {
        bsp_blob blob;
        bsp_error error;
        if (cli_name_ends(list[i].name, ".fgd") &&
            memchr(list[i].name.data, '/', list[i].name.size) == NULL &&
            bsp_search_read(search, list[i].name, &blob, &error) &&
            !add_blob(to, &blob, list[i].name.data, search)) {
            return false;
        }
    }
    return true;
}

// A file of the command line includes files beside it.
static bool add_of_option(bsp_definitions *to, const char *path) {
    const char *slash = strrchr(path, '/');
    char folder[CLI_PATH_ROOM] = ".";
    bsp_error error = {0};
    bsp_blob blob;
    size_t size = slash == NULL ? 0 : (size_t)(slash - path);
    if (slash != NULL && size < sizeof folder) {
        memcpy(folder, size == 0 ? "/" : path, size == 0 ? 1 : size);
        folder[size == 0 ? 1 : size] = '\0';
    }
    if (!bsp_blob_read(path, cli_budget(), NULL, &blob, &error)) {
        cli_message(NULL, "%s", error.message);
        return false;
    }
    cli_inputs_add(path);
    bsp_search *beside = cli_new_search(NULL);
    bool done = beside != NULL;
    if (done && !bsp_search_add(beside, folder, &error)) { // then nothing is included
        bsp_search_free(beside);
        beside = NULL;
    }
    done = done && add_blob(to, &blob, slash == NULL ? path : slash + 1, beside);
    bsp_search_free(beside);
    return done;
}

bsp_definitions *cli_read_definitions(const cli_call *call, const bsp_search *search,
                                      bool *failed) {
    bsp_error error = {0};
    const bsp_definitions_options options = {.budget = cli_budget()};
    const cli_list *files = &call->common->definitions;
    bsp_definitions *definitions = bsp_definitions_new(&options, &error);
    *failed = definitions == NULL;
    if (*failed) {
        cli_message(NULL, "%s", error.message);
        return NULL;
    }
    bool done = add_of_games(definitions, search);
    for (size_t i = 0; done && i < files->count; i++) {
        done = add_of_option(definitions, files->items[i].value);
    }
    if (!done) {
        bsp_definitions_free(definitions);
        definitions = NULL;
    }
    *failed = !done;
    return definitions;
}
