// SPDX-License-Identifier: MIT
// The private structure of the textures of a map: what all families share, and each family's
// search.
#ifndef BSPI_ASSET_FIND_TEXTURES_H
#define BSPI_ASSET_FIND_TEXTURES_H

#include "asset/archive/search.h"
#include "core/text.h"

/// A file that stays in memory while something uses it.
typedef struct bspi_kept {
    bsp_blob blob;
    bsp_shaders *shaders; ///< of a script, else NULL
    bsp_text name;        ///< of a script's file
    struct bspi_kept *next;
} bspi_kept;

struct bsp_textures {
    bspi_heap heap;
    bspi_arena arena;
    const bsp_map *map;
    bsp_search *search; ///< embedded pak and the map's WADs, then the caller's search path
    bsp_bytes palette;  ///< empty without one
    double time;        ///< seconds, 0 or more
    bspi_kept *kept;    ///< WADs, palette, scripts
    bspi_kept **last;
    uint32_t num_kept;
    size_t held; ///< bytes of these, which the heap counts
};

/// Counts the work of `looks` searches of the scripts and other kept files, and of the map's
/// materials where they are searched. Also for a const bsp_textures.
bool bspi_textures_work(const bsp_textures *textures, uint64_t looks, bsp_error *error);

/// A texture before anything is known of it.
#define BSPI_NEW_TEXTURE                                                                           \
    ((bsp_texture){                                                                                \
        .alpha_cut = 0.5F, .opacity = 1, .decal_scale = 1, .blend = {0, 1}, .repeats = 1})

/// A search for one texture.
typedef struct bspi_finding {
    const bsp_textures *textures;
    const bsp_material *material; ///< NULL for a search by name
    bsp_text name;
    bsp_texture *out;
    bsp_error *error;
    double rate;    ///< frames a second of a picture that holds several
    uint32_t frame; ///< where `rate` is 0: the frame that it shows
} bspi_finding;

/// Returns which of `count` frames is shown, at that many a second; 0 without frames.
uint32_t bspi_textures_frame(const bsp_textures *textures, double rate, uint32_t count);
/// Returns how far, of one repeat, a texture has moved that moves so many repeats a second.
float bspi_textures_shift(const bsp_textures *textures, float speed);

/// The result of a try.
typedef enum bspi_try {
    BSPI_NO,    ///< missing, or damaged (then out->note says so)
    BSPI_YES,   ///< out->image, source, width and height are set
    BSPI_FAILED ///< without memory
} bspi_try;

typedef bspi_try bspi_find_texture(bspi_finding *f);
/// Finds a decal of GoldSrc in a WAD.
bspi_find_texture bspi_find_gradient;
/// Finds the normal map of a material of Source.
bspi_find_texture bspi_find_vmt_bump;
/// Find the light that a material has of its own.
bspi_find_texture bspi_find_miptex_glow, bspi_find_shader_glow, bspi_find_vmt_glow;
/// Source: loads a material. `out` is NULL when it is missing or damaged. Returns false only
/// without memory.
bool bspi_vmt_load(bspi_finding *f, bsp_text name, bsp_vmt **out);
/// Source: tries the picture that a parameter of a material names.
bspi_try bspi_vmt_try(bspi_finding *f, bsp_text name);
/// Source: parses a colour, "{255 128 0}" or "[1 .5 0]".
bool bspi_vmt_colour(bsp_text text, uint8_t out[4]);
bspi_find_texture bspi_find_miptex, bspi_find_wal, bspi_find_shader, bspi_find_vmt,
    bspi_find_vmt_second, bspi_find_vmt_third, bspi_find_vmt_fourth;

/// Decodes the file with that name (a printf format). `hole`: index 255 of a palette is
/// transparent.
bspi_try bspi_try_image(bspi_finding *f, bool hole, const char *format, ...) BSP_PRINTF(3, 4);

/// Tries a name with each of several extensions in the place of its own: "x.tga" finds x.jpg.
bspi_try bspi_try_any(bspi_finding *f, bsp_text name, const char *const *endings);

/// Quake 3: returns the shader with that name, or NULL.
const bsp_shader *bspi_shader_of(const bsp_textures *textures, bsp_text name);
/// Returns the name of the script that has the shader, one of bspi_shader_of. Borrowed from the
/// search path.
bsp_text bspi_shader_script(const bsp_textures *textures, const bsp_shader *shader);

/// Returns true for the name of an image that is a file: not "$lightmap", "$whiteimage", "*white".
bool bspi_shader_is_file(bsp_text image);
/// Returns true if the stage shows an image, and not the lightmap.
bool bspi_shader_is_picture(const bsp_shader_stage *stage);
/// Returns the transparency of a stage.
bsp_alpha bspi_shader_blend(const bsp_shader_stage *stage);

typedef bool bspi_find_sky(const bsp_textures *textures, bsp_sky *sky, bsp_error *error);
bspi_find_sky bspi_sky_quake, bspi_sky_goldsrc, bspi_sky_quake2, bspi_sky_quake3, bspi_sky_source;

/// Makes a plain colour the texture.
bspi_try bspi_try_fill(bspi_finding *f, const uint8_t colour[4], const char *source);

#endif
