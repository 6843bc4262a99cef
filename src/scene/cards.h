// SPDX-License-Identifier: MIT
// Cards: models without a file. Each is a material on rectangles or strips.
#ifndef BSPI_SCENE_CARDS_H
#define BSPI_SCENE_CARDS_H

#include "scene/scene.h"

/// A material that cards show.
typedef struct bspi_sheet {
    bsp_model_info info; ///< of all cards that show it; first, so that it leads here
    bsp_model_material material;
    bsp_text name;            ///< as bsp_textures_find_file takes it
    bool lit;                 ///< its cards are lit, whatever the material says
    bool found;               ///< there is a picture
    uint32_t number;          ///< of the scene's materials; BSP_NONE: no card shows it yet
    uint32_t width, height;   ///< of the picture, in texels
    bsp_sprite_facing facing; ///< how a sprite of it turns
    float origin[2]; ///< of a sprite: where its own origin is, 0..1 from the left and from the top
    char note[512];  ///< why it was not found
    struct bspi_sheet *next;
} bspi_sheet;

/// A rectangle: its corners in the space of the model, clockwise from the top left.
typedef struct bspi_card_side {
    float at[4][3];
    float uv[4][2];
} bspi_card_side;

/// Returns true if the information is that of a card, and so of a bspi_sheet.
bool bspi_is_card(const bsp_model_info *info);

/// Finds a material, in the list or in the search path, whose texture and script say the rest.
/// Returns false without memory or over a limit; a missing picture is no failure.
bool bspi_sheet_find(bspi_scene_builder *builder, bspi_sheet **list, bsp_text name, bool lit,
                     bspi_sheet **out);

/// Makes the mesh of a card in the scene's arena. Returns NULL without memory.
bsp_model_mesh *bspi_card_make(bspi_scene_builder *builder, const bspi_card_side *sides,
                               uint32_t count);
/// Makes the card of a sprite as large as its material's picture, which turns as that says.
bsp_model_mesh *bspi_card_sprite(bspi_scene_builder *builder, const bspi_sheet *sheet);
/// Fills the model of a scene for a card, and gives its material a number. Returns false without
/// memory.
bool bspi_card_model(bspi_scene_builder *builder, bspi_sheet *sheet, const bsp_model_mesh *mesh,
                     bsp_scene_model *out);

#endif
