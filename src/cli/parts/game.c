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
        (void)cli_report(path, &error);
    }
    return done;
}

bsp_search *cli_open_search(const cli_call *call, bsp_issues *issues) {
    bsp_search *search = cli_new_search(issues);
    const cli_list *games = &call->common->games;
    for (size_t i = 0; search != NULL && i < games->count; i++) {
        if (!cli_add_game(search, games->items[i].value)) {
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

// Why a model is missing, without its name.
static const char *reason_of(const bsp_scene_missing *model) {
    size_t size = model->name.size;
    bool named = size != 0 && strncmp(model->note, model->name.data, size) == 0;
    const char *rest = named ? model->note + size : model->note;
    return rest + strspn(rest, ": ");
}

void cli_missing_models_add(cli_missing_models *missing, const bsp_scene_missing *model) {
    int size = model->name.size < LONGEST_SHOWN ? (int)model->name.size : LONGEST_SHOWN;
    missing->count++;
    missing->props += model->props;
    cli_message(missing->path, "no model '%.*s', of %u prop%s: %s", size, model->name.data,
                (unsigned)model->props, model->props == 1 ? "" : "s", reason_of(model));
}

// Folders that do not fit into the line are counted.
static void list_folders(const cli_list *games, char out[CLI_PATH_ROOM]) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < games->count; i++) {
        const char *joint = i + 1 == games->count ? " and " : ", ";
        int size = snprintf(out + used, CLI_PATH_ROOM - used, "%s%s", joint, games->items[i].value);
        if (size < 0 || (size_t)size >= CLI_PATH_ROOM - used) {
            snprintf(out + used, CLI_PATH_ROOM - used, " ...");
            return;
        }
        used += (size_t)size;
    }
}

void cli_missing_models_end(const cli_missing_models *missing) {
    const cli_list *games = &missing->call->common->games;
    char folders[CLI_PATH_ROOM];
    list_folders(games, folders);
    if (missing->count != 0) {
        cli_message(missing->path, "%u model%s missing, of %u prop%s; looked for in the map%s%s",
                    (unsigned)missing->count, missing->count == 1 ? " is" : "s are",
                    (unsigned)missing->props, missing->props == 1 ? "" : "s", folders,
                    games->count == 0 ? ": give the game's folder as --game" : "");
    }
}

void cli_missing_models_list(const cli_call *call, const char *path, const bsp_scene_missing *list,
                             uint32_t count) {
    cli_missing_models missing = {.call = call, .path = path};
    for (uint32_t i = 0; i < count; i++) {
        cli_missing_models_add(&missing, &list[i]);
    }
    cli_missing_models_end(&missing);
}

cli_status cli_missing_status(const cli_call *call, uint32_t count) {
    return count != 0 && call->common->strict ? CLI_PROBLEMS : CLI_DONE;
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

bool cli_folder_beside(const char *path, char folder[CLI_PATH_ROOM]) {
    char name[CLI_NAME_ROOM];
    cli_map_name(path, name);
    return cli_join_beside(path, name, folder) && cli_is_folder(folder);
}

bool cli_add_light_folder(bsp_search *search, const bsp_map *map, const char *path) {
    char folder[CLI_PATH_ROOM];
    bsp_error error = {0};
    if (map->traits->light != BSP_LIGHT_PAGES || !cli_folder_beside(path, folder) ||
        bsp_search_add(search, folder, &error)) {
        return true;
    }
    cli_message(folder, "%s", error.message);
    return false;
}
