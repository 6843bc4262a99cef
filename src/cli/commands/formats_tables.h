// SPDX-License-Identifier: MIT
// What bspkit formats prints of the tables. A page of the documentation lists what the branch
// itself defines (`own`) and refers to its base for the rest; the other forms list everything.
#ifndef CLI_FORMATS_TABLES_H
#define CLI_FORMATS_TABLES_H

#include "bspkit/formats.h"

#define CLI_MOST_LAYOUTS 512u

/// The layouts of a branch, each once, in the order of its lumps.
typedef struct cli_layout_list {
    const bsp_layout *layouts[CLI_MOST_LAYOUTS];
    size_t count;
} cli_layout_list;

void cli_find_layouts(const bsp_branch *branch, bool own, cli_layout_list *list);

/// Returns the definition of a lump; NULL where the branch has none.
const bsp_lump_def *cli_stated_lump(const bsp_branch *branch, bool own, uint32_t index);

/// Returns the branch that lists the game lumps: this one or the nearest base; NULL without one.
const bsp_branch *cli_game_lump_branch(const bsp_branch *branch, bool own);

/// Returns on what the classes that tell a game were tried: "real maps", "documents", or "not
/// told".
const char *cli_game_told_on(const bsp_game *game);

#endif
