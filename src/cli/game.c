// SPDX-License-Identifier: MIT
// The folders of a game that a command line names.
#include "cli/game.h"

#include <string.h>

bsp_search *cli_open_search(const cli_call *call, bsp_issues *issues) {
    bsp_error error = {0};
    bsp_search_options options = {.issues = issues};
    bsp_search *search = bsp_search_new(&options, &error);
    if (search == NULL) {
        cli_message(NULL, "%s", error.message);
        return NULL;
    }
    for (size_t i = 0; i < call->num_given; i++) {
        const cli_given *given = &call->given[i];
        if (strcmp(given->option->name, "game") == 0 &&
            !bsp_search_add_game(search, given->value, &error)) {
            cli_message(given->value, "%s", error.message);
            bsp_search_free(search);
            return NULL;
        }
    }
    return search;
}
