// SPDX-License-Identifier: MIT
// The folders of a game on the command line, and reports of missing textures.
#include "cli/parts/game.h"

#include "cli/parts/member.h"

#include "cli/parts/folder.h"
#include "cli/parts/inputs.h"
#include "cli/parts/budget.h"

#include <stdio.h>
#include <string.h>

#define LONGEST_SHOWN 256 // bytes of a name

static void note_input(void *user, const char *path) {
    (void)user;
    cli_inputs_add(path);
}

bsp_search *cli_new_search(bsp_issues *issues) {
    bsp_error error = {0};
    bsp_search_options options = {.issues = issues, .opening = note_input, .budget = cli_budget()};
    bsp_search *search = bsp_search_new(&options, &error);
    if (search == NULL) {
        cli_message(NULL, "%s", error.message);
    }
    return search;
}

bool cli_add_game(bsp_search *search, const char *path) {
    bsp_error error = {0};
    bool done = cli_is_folder(path) ? bsp_search_add_game(search, path, &error)
                                    : bsp_search_add(search, path, &error);
    if (!done) {
        cli_message(path, "%s", error.message);
    }
    return done;
}

bsp_search *cli_open_search(const cli_call *call, bsp_issues *issues) {
    bsp_search *search = cli_new_search(issues);
    const cli_list *games = &call->common->games;
    for (size_t i = 0; search != NULL && i < games->count; i++) {
        bsp_error error = {0};
        if (!bsp_search_add_game(search, games->items[i].value, &error)) {
            cli_message(games->items[i].value, "%s", error.message);
            bsp_search_free(search);
            search = NULL;
        }
    }
    return search;
}

void cli_missing_add(cli_missing *missing, bsp_text name, const char *note) {
    int size = name.size < LONGEST_SHOWN ? (int)name.size : LONGEST_SHOWN;
    missing->count++;
    missing->nameless += size == 0;
    if (size != 0) {
        cli_message(missing->path, "no texture for '%.*s'%s%s", size, name.data,
                    note[0] == '\0' ? "" : ": ", note);
    }
}

void cli_missing_end(const cli_missing *missing) {
    if (missing->nameless != 0) {
        cli_message(missing->path, "no texture for %u material%s without a name",
                    (unsigned)missing->nameless, missing->nameless == 1 ? "" : "s");
    }
    if (missing->count > 1 && missing->count != missing->nameless) {
        cli_message(missing->path, "%u textures are missing", (unsigned)missing->count);
    }
}

void cli_report_textures(const char *path, const bsp_issues *issues) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count; i++) {
        if (list[i].kind->severity >= BSP_WARNING ||
            strcmp(list[i].kind->id, "texture-no-palette") == 0) {
            const bsp_place *place = &list[i].place;
            bool line = place->lump[0] != '\0' && place->record != BSP_NONE;
            char number[16] = "";
            if (line) {
                snprintf(number, sizeof number, ":%u", (unsigned)place->record);
            }
            cli_message(path, "%s%s%s%s", place->lump, number, place->lump[0] == '\0' ? "" : ": ",
                        list[i].text);
        }
    }
}

void cli_map_name(const char *path, char out[CLI_NAME_ROOM]) {
    bsp_text name = strcmp(path, "-") == 0 ? bsp_text_of("stdin") : cli_stem(cli_member_file(path));
    size_t size = name.size < CLI_NAME_ROOM ? name.size : CLI_NAME_ROOM - 1;
    memcpy(out, name.data, size);
    out[size] = '\0';
}

bool cli_add_light_folder(bsp_search *search, const bsp_map *map, const char *path) {
    char folder[CLI_PATH_ROOM];
    char name[CLI_NAME_ROOM];
    bsp_error error = {0};
    cli_map_name(path, name);
    if (map->traits->light != BSP_LIGHT_PAGES || !cli_join_beside(path, name, folder) ||
        !cli_is_folder(folder) || bsp_search_add(search, folder, &error)) {
        return true;
    }
    cli_message(folder, "%s", error.message);
    return false;
}
