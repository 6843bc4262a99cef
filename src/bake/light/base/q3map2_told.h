// SPDX-License-Identifier: MIT
// Quake 3: what q3map2 was told when it lit a map, by the command line that it leaves there.
#ifndef BSPI_BAKE_Q3MAP2_TOLD_H
#define BSPI_BAKE_Q3MAP2_TOLD_H

#include "bake/light/base/work.h"

#define BSPI_TOLD_UNHEEDED 64u

/// What it was told. Numbers that were not named have what it does then.
typedef struct bspi_q3map2_told {
    float point;  ///< factors of what light entities give,
    float spot;   ///< of those with a target,
    float area;   ///< of surfaces,
    float sky;    ///< of suns and skies,
    float bounce; ///< and of what surfaces throw back
    float bounces;
    float samples;
    float samples_box;         ///< how many times as far away places around a luxel are
    float super;               ///< places in a luxel along an axis
    float thresh;              ///< places between two points that are near enough
    float color_ratio;         ///< share of the colour of a texture in what is thrown back
    float backsplash;          ///< factor of what walls throw back of a surface's light,
    float backsplash_distance; ///< and units before it; below -900: as shaders say
    float gamma;
    float compensate;
    float brightness;
    float contrast;
    float exposure;
    float saturation;
    float vertex;              ///< factor of the light of vertices
    float grid;                ///< of cells,
    float grid_ambient;        ///< and of what comes to them from all sides
    float grid_directionality; ///< what counts as directed, at most
    float grid_ambient_directionality;
    float dirt_depth;
    float dirt_gain;
    float dirt_scale;
    float shade_angle;  ///< degrees between normals that are made round, if they are less
    float half_lambert; ///< not 0: light falls less with the angle on a surface
    float extra_dist;   ///< units that lights are farther away
    float least;        ///< of 255: what gives less counts nothing, if it is done fast
    bool known;         ///< the map has a command line
    bool bounce_grid;
    bool faster;      ///< surfaces that shine do as points
    bool fast;        ///< weak light of surfaces counts nothing,
    bool fast_bounce; ///< nor what is thrown back
    bool bounce_only; ///< luxels and vertices have that alone, if any is
    bool dirt;
    bool dark;   ///< places in solid are not moved, and what takes of others has less
    bool filter; ///< light of a place is mixed with that of those beside it
    bool patch_shadows;
    bool suns_only;
    bool no_styles;
    bool floodlight;
    bool shade;                               ///< surfaces are round by what their shaders say
    bool no_surfaces;                         ///< what is solid in the tree casts shadows alone
    bool no_trace;                            ///< nothing casts shadows
    bool linear;                              ///< lights fade by distance alone
    bool deluxe;                              ///< directions of light are stored
    bool srgb_light;                          ///< luxels are stored by the sRGB curve,
    bool srgb_textures;                       ///< by which textures are given,
    bool srgb_colors;                         ///< and colours of shaders and entities
    const char *unheeded[BSPI_TOLD_UNHEEDED]; ///< of the words that have no effect here
    uint32_t num_unheeded;
} bspi_q3map2_told;

/// Reads it off the world, which may be NULL; without a command line it is what the compiler does
/// by itself, but that weak light is not thrown back, as editors have it done: all of it takes
/// thirty times as long. `deluxe`: the map has directions of light; where the line does not ask for
/// them they came by the game, and all games that have them by themselves and whose maps are found
/// have the sRGB curve, shadows of patches and no styles, too (Xonotic, Warsow). The comparisons of
/// words are paid to the heap.
bool bspi_q3map2_told_read(bspi_heap *heap, const bsp_entity *world, bool deluxe,
                           bspi_q3map2_told *out, bsp_error *error);
/// Makes a colour that a shader or an entity names one of light.
void bspi_told_color(const bspi_q3map2_told *told, float color[3]);

#endif
