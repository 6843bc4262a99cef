// SPDX-License-Identifier: MIT
// The textures of a map from inside: what all families share, and each family's way to find one.
#ifndef BSPI_ASSET_FIND_TEXTURES_H
#define BSPI_ASSET_FIND_TEXTURES_H

#include "asset/archive/search.h"

/// A file that stays in memory as long as something reads it.
typedef struct bspi_kept {
    bsp_blob blob;
    bsp_shaders *shaders; ///< of a script, else NULL
    struct bspi_kept *next;
} bspi_kept;

struct bsp_textures {
    bspi_heap heap;
    bspi_arena arena;
    const bsp_map *map;
    bsp_search *search; ///< embedded pak, the map's WADs; then the caller's search path
    bsp_bytes palette;  ///< empty without one
    bspi_kept *kept;    ///< WADs, palette, scripts
    bspi_kept **last;
    uint32_t num_kept;
    size_t held; ///< bytes of these, which the heap counts
};

/// Counts the work of `looks` looks at the scripts and other files that are kept, and at the map's
/// materials where a texture is looked for among them. A const bsp_textures pays as well.
bool bspi_textures_work(const bsp_textures *textures, uint64_t looks, bsp_error *error);

/// One texture being looked for.
typedef struct bspi_finding {
    const bsp_textures *textures;
    const bsp_material *material; ///< NULL when only a name was asked for
    bsp_text name;
    bsp_texture *out;
    bsp_error *error;
} bspi_finding;

/// What a try came to.
typedef enum bspi_try {
    BSPI_NO,    ///< not there, or damaged (then out->note says so)
    BSPI_YES,   ///< out->image, source, width and height are set
    BSPI_FAILED ///< no memory
} bspi_try;

typedef bspi_try bspi_find_texture(bspi_finding *f);
bspi_find_texture bspi_find_miptex, bspi_find_wal, bspi_find_shader, bspi_find_vmt,
    bspi_find_vmt_second;

/// Decodes the file of that name (made like printf). `hole`: index 255 of a palette is transparent.
bspi_try bspi_try_image(bspi_finding *f, bool hole, const char *format, ...) BSP_PRINTF(3, 4);

/// The same for a name without ending, or with one that is not there: "x.tga" finds x.jpg.
bspi_try bspi_try_any(bspi_finding *f, bsp_text name, const char *const *endings);

/// Quake 3: the shader of that name, or NULL.
const bsp_shader *bspi_shader_of(const bsp_textures *textures, bsp_text name);

/// True if the stage shows a picture of its own, and no light.
bool bspi_shader_is_picture(const bsp_shader_stage *stage);
/// How a stage lets through what is behind it.
bsp_alpha bspi_shader_blend(const bsp_shader_stage *stage);

typedef bool bspi_find_sky(const bsp_textures *textures, bsp_sky *sky, bsp_error *error);
bspi_find_sky bspi_sky_quake, bspi_sky_goldsrc, bspi_sky_quake2, bspi_sky_quake3, bspi_sky_source;

/// A plain colour that stands for a texture.
bspi_try bspi_try_fill(bspi_finding *f, const uint8_t colour[4], const char *source);

/// A name for "%.*s".
#define BSPI_TEXT(text) (int)(text).size, (text).size == 0 ? "" : (text).data

#endif
