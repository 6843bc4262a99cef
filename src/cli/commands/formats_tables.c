// SPDX-License-Identifier: MIT
// Gathers what the tables of a branch state: its lumps, and each layout once.
#include "cli/commands/formats_tables.h"

#include <assert.h>

const bsp_lump_def *cli_stated_lump(const bsp_branch *branch, bool own, uint32_t index) {
    const bsp_lump_def *def = bsp_branch_lump(branch, index);
    bool inherited = own && branch->base != NULL && def == bsp_branch_lump(branch->base, index);
    return inherited ? NULL : def;
}

static void add_layout(cli_layout_list *list, const bsp_layout *layout) {
    for (size_t i = 0; i < list->count; i++) {
        if (list->layouts[i] == layout) {
            return;
        }
    }
    assert(list->count < CLI_MOST_LAYOUTS);
    if (layout != NULL && list->count < CLI_MOST_LAYOUTS) {
        list->layouts[list->count++] = layout;
    }
}

static void add_sections(cli_layout_list *list, const bsp_section_list *lists, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t s = 0; s < lists[i].num_sections; s++) {
            if (lists[i].sections[s].head != NULL) {
                add_layout(list, lists[i].sections[s].head);
            }
            add_layout(list, lists[i].sections[s].layout);
        }
    }
}

const bsp_branch *cli_game_lump_branch(const bsp_branch *branch, bool own) {
    while (!own && branch != NULL && branch->num_game_lumps == 0) {
        branch = branch->base;
    }
    return branch == NULL || branch->num_game_lumps == 0 ? NULL : branch;
}

void cli_find_layouts(const bsp_branch *branch, bool own, cli_layout_list *list) {
    const bsp_shape *shape = bsp_branch_shape(branch);
    const bsp_branch *games = cli_game_lump_branch(branch, own);
    list->count = 0;
    if (!own || branch->shape != NULL) {
        add_layout(list, shape->head);
        add_layout(list, shape->entry);
        add_layout(list, shape->tail);
    }
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        const bsp_lump_def *def = cli_stated_lump(branch, own, i);
        for (uint32_t v = 0; def != NULL && v < def->num_variants; v++) {
            add_layout(list, def->variants[v].layout);
        }
        if (def != NULL) {
            add_sections(list, def->section_lists, def->num_section_lists);
        }
    }
    for (uint32_t g = 0; games != NULL && g < games->num_game_lumps; g++) {
        add_sections(list, games->game_lumps[g].section_lists,
                     games->game_lumps[g].num_section_lists);
    }
}

const char *cli_game_told_on(const bsp_game *game) {
    return game->classes[0] == NULL              ? "not told"
           : game->verified == BSP_VERIFIED_REAL ? "real maps"
                                                 : "documents";
}
