// SPDX-License-Identifier: MIT
// Materials of the file. Several of them may show one material of the scene: with other light,
// opacity or colour.
#ifndef BSPI_EXPORT_FINISH_H
#define BSPI_EXPORT_FINISH_H

#include "export/paint.h"

typedef struct bspi_content bspi_content;
typedef struct bspi_shape bspi_shape;

/// A material of the file.
typedef struct bspi_finish {
    uint32_t material; ///< of the scene, or BSP_NONE; of a decal: number of its picture
    uint32_t page;     ///< index of an image in bspi_content.pages, or BSP_NONE
    uint32_t bits;     ///< bsp_surface_bits that distinguish materials
    uint32_t opacity;  ///< 0 to 255
    uint32_t look;     ///< bsp_look_mode of the entity, BSPI_LOOK_UNLIT
    uint32_t color;    ///< red, green, blue and 1 from the highest byte: no texture; 0: as painted
    uint32_t tint;  ///< red, green, blue below the highest byte, as displayed: the texture's factor
    uint32_t glow;  ///< 1: shows the light that the material has of its own, over what is lit
    uint32_t decal; ///< 1: it is that of a decal
} bspi_finish;

/// The tint of what is not tinted.
#define BSPI_NO_TINT 0xFFFFFFu

/// The entity's model is drawn without its light.
#define BSPI_LOOK_UNLIT 256u

/// Returns the texture that a material shows, or NULL: none, or a baked page.
const bspi_png *bspi_finish_image(const bspi_content *content, const bspi_finish *finish);
/// Returns the texture that the alpha of the vertices mixes in, or NULL: none, or it is baked.
const bspi_png *bspi_finish_second(const bspi_content *content, const bspi_finish *finish);
/// Returns the texture that the shares of the vertices mix in after that, 0 or 1, or NULL.
const bspi_png *bspi_finish_layer(const bspi_content *content, const bspi_finish *finish,
                                  uint32_t layer);
/// Returns its normal map, or NULL.
const bspi_png *bspi_finish_normal(const bspi_content *content, const bspi_finish *finish);
/// Returns the picture of the light of its own, or NULL: none, or it is baked.
const bspi_png *bspi_finish_glow(const bspi_content *content, const bspi_finish *finish);
/// Returns true if its image is content->pages[finish->page].
bool bspi_finish_baked(const bspi_content *content, const bspi_finish *finish);
/// Returns true for materials that already contain their light.
bool bspi_finish_unlit(const bspi_content *content, const bspi_finish *finish);
/// Returns the transparency of the material, and its threshold in `cut`.
bsp_alpha bspi_finish_alpha(const bspi_content *content, const bspi_finish *finish, float *cut);
/// Returns the material's paint, or NULL.
const bspi_paint *bspi_finish_paint(const bspi_content *content, const bspi_finish *finish);
/// Returns the material's name, which may be empty.
bsp_text bspi_finish_name(const bspi_content *content, const bspi_finish *finish);

/// Returns true if surfaces with these bsp_surface_bits mix in the second texture of their
/// material.
bool bspi_finish_mixes(const bspi_content *content, uint32_t material, uint32_t bits);

/// Returns the look of a group of the mesh: that of an entity over its material. `page` is its
/// image in bspi_content.pages, or BSP_NONE.
bspi_finish bspi_finish_of_group(const bspi_content *content, const bsp_mesh_group *group,
                                 const bsp_entity_look *look, uint32_t page);
/// Returns the look of a group of a prop's model with a material of the scene, or BSP_NONE.
bspi_finish bspi_finish_of_prop(const bspi_content *content, const bspi_shape *shape,
                                uint32_t material);

/// Lists the different looks in `content->finishes`, sorted, and gives each part the number of its
/// own; wanted[i] is that of part i. Returns false without memory.
bool bspi_finishes_list(bspi_content *content, const bspi_finish *wanted, bsp_error *error);
/// Numbers the images that the looks use, in their order in `content->paints`.
void bspi_finishes_number_images(bspi_content *content);

#endif
