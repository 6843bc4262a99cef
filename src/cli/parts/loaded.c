// SPDX-License-Identifier: MIT
// The steps of loading, in their order: each needs the results of those before it.
#include "cli/parts/loaded.h"

static bool find_light(cli_loaded *loaded, bsp_error *error) {
    loaded->light = bsp_external_light_load(loaded->textures, bsp_text_of(loaded->name), error);
    return loaded->light != NULL;
}

// Only models are lit by the grid, and maps with one hold none.
static bool needs_grid(const cli_call *call, const char *path) {
    char folder[CLI_PATH_ROOM];
    return call->common->games.count != 0 || cli_folder_beside(path, folder);
}

cli_status cli_load(cli_loaded *loaded, const cli_call *call, const char *path,
                    const bsp_file *file, const cli_wanted *wanted) {
    bsp_error error = {0};
    uint32_t left_out = wanted->drawn && !needs_grid(call, path) ? BSP_LOAD_NO_GRID : 0;
    const bsp_map_options options = {.parts = wanted->parts | left_out,
                                     .issues = wanted->map_issues};
    const bsp_textures_options how = {.issues = wanted->texture_issues};
    *loaded = (cli_loaded){.search = cli_open_search(call, wanted->search_issues)};
    if (loaded->search == NULL) {
        return CLI_FAILED;
    }
    cli_map_name(path, loaded->name);
    loaded->map = bsp_map_load(file, &options, &error);
    if (loaded->map == NULL) {
        return cli_report(path, &error);
    }
    if (wanted->light && !cli_add_light_folder(loaded->search, loaded->map, path)) {
        return CLI_FAILED;
    }
    if (!wanted->textures) {
        return CLI_DONE;
    }
    loaded->textures = bsp_textures_open(loaded->search, loaded->map, &how, &error);
    bool good = loaded->textures != NULL && (!wanted->light || find_light(loaded, &error));
    return good ? CLI_DONE : cli_report(path, &error);
}

void cli_unload(cli_loaded *loaded) {
    bsp_external_light_free(loaded->light);
    bsp_textures_close(loaded->textures);
    bsp_map_free(loaded->map);
    bsp_search_free(loaded->search);
    *loaded = (cli_loaded){0};
}
