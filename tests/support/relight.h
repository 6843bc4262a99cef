// SPDX-License-Identifier: MIT
// A map whose light is made anew, and the file that has it.
#ifndef TEST_RELIGHT_H
#define TEST_RELIGHT_H

#include "bspkit/relight.h"

typedef struct relit {
    bsp_file *file;
    bsp_map *map;
    bsp_entities *lights;   ///< other ones than the map's, or NULL
    bsp_search *search;     ///< of a game, or NULL
    bsp_textures *textures; ///< found there, or NULL
    bsp_relight *relight;
    bsp_blob blob; ///< the file with the new light, by relit_write
    bsp_file *written;
    bsp_map *written_map;
} relit;

/// Lights a map. `lights`: text of the entities whose lights are taken; NULL: the map's own. `how`
/// may be NULL.
relit relit_open(const char *path, const char *lights, const bsp_relight_options *how);
/// The same, with the textures and shaders of a folder of a game.
relit relit_open_game(const char *path, const char *game, const char *lights,
                      const bsp_relight_options *how);
/// Writes the map with its new light, and opens that.
void relit_write(relit *l);
void relit_close(relit *l);

/// Returns how many luxels of a hundred differ by at most so many steps of 255 from the map's own.
double relit_percent_within(const bsp_relight *relight, uint32_t steps);

#endif
