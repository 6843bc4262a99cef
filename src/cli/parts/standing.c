// SPDX-License-Identifier: MIT
// Finds the models that stand in a map.
#include "cli/parts/standing.h"

cli_status cli_standing_find(cli_standing *standing, const cli_input *input, const bsp_map *map,
                             bool lit) {
    bsp_error error = {0};
    bool failed = false;
    *standing = (cli_standing){.search = cli_open_search(input->call, NULL)};
    if (standing->search == NULL) {
        return CLI_FAILED;
    }
    standing->definitions = cli_read_definitions(input->call, standing->search, &failed);
    if (failed) {
        return CLI_FAILED;
    }
    standing->textures = bsp_textures_open(standing->search, map, NULL, &error);
    const bsp_scene_options options = {.file = input->file,
                                       .textures = standing->textures,
                                       .definitions = standing->definitions,
                                       .full_bright = !lit,
                                       .props = true,
                                       .details = input->call->common->details,
                                       .props_alone = true};
    standing->scene = standing->textures == NULL ? NULL : bsp_scene_build(map, &options, &error);
    return standing->scene == NULL ? cli_report(input->path, &error) : CLI_DONE;
}

void cli_standing_free(cli_standing *standing) {
    bsp_scene_free(standing->scene);
    bsp_textures_close(standing->textures);
    bsp_definitions_free(standing->definitions);
    bsp_search_free(standing->search);
    *standing = (cli_standing){0};
}

void cli_standing_missing(const cli_standing *standing, const cli_input *input) {
    const bsp_scene *scene = standing->scene;
    cli_missing_models_list(input->call, input->path, scene->missing, scene->num_missing);
}
