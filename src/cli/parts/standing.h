// SPDX-License-Identifier: MIT
// The models that stand in a map, for commands that ask about them.
#ifndef CLI_STANDING_H
#define CLI_STANDING_H

#include "bspkit/scene.h"
#include "cli/parts/defined.h"
#include "cli/parts/game.h"
#include "cli/parts/input.h"

/// A scene of props alone, and what it borrows.
typedef struct cli_standing {
    bsp_search *search;
    bsp_textures *textures;
    bsp_definitions *definitions;
    bsp_scene *scene;
} cli_standing;

/// Finds the models that stand in a map, in the folders of --game and in the map's own pak, by
/// --fgd; `lit`: also the light on them. Returns CLI_DONE, or another status after a message. Free
/// with cli_standing_free in any case.
cli_status cli_standing_find(cli_standing *standing, const cli_input *input, const bsp_map *map,
                             bool lit);
void cli_standing_free(cli_standing *standing);

/// Reports the models that are missing, a line each.
void cli_standing_missing(const cli_standing *standing, const cli_input *input);

#endif
