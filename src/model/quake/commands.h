// SPDX-License-Identifier: MIT
// Drawing commands: strips and fans of triangles with texture coordinates of their own.
#ifndef BSPI_MODEL_QUAKE_COMMANDS_H
#define BSPI_MODEL_QUAKE_COMMANDS_H

#include "model/quake/alias.h"

/// How a format writes its commands: a number of corners (above 0: a strip; below: a fan; 0 ends
/// the list), more numbers, and for each corner a vertex and two floats.
typedef struct bspi_command_form {
    uint32_t extra;    ///< numbers after that of the corners
    bool skin;         ///< the first of them is the number of a skin
    bool vertex_first; ///< of a corner; else the vertex follows the floats
} bspi_command_form;

/// Returns how many triangles the commands draw.
uint32_t bspi_commands_triangles(const bsp_table *commands, const bspi_command_form *form);
/// Builds a group for each run of commands of one skin, or one group of `material`. What leads out
/// of the commands or the vertices is left out.
bool bspi_commands_build(bspi_model_builder *b, const bspi_alias_frame *frame,
                         const bsp_table *commands, const bspi_command_form *form,
                         uint32_t material);

#endif
