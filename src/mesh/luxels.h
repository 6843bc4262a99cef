// SPDX-License-Identifier: MIT
// The luxels of a face, in any of the lumps that can hold them.
#ifndef BSPI_LUXELS_H
#define BSPI_LUXELS_H

#include "bspkit/map.h"

#include <string.h>

#define BSPI_FACE_STYLES 16  // LMSTYLE16 has at most 16 styles
#define BSPI_MAX_LUXELS 4096 // width or height; no compiler makes more

typedef enum bspi_luxel_format {
    BSPI_GREY8,
    BSPI_RGB8,
    BSPI_E5BGR9,
    BSPI_RGBEXP32,
    BSPI_RGB556,
} bspi_luxel_format;

/// The light of one face.
typedef struct bspi_luxels {
    const uint8_t *data; ///< luxels of the first style; the other styles follow
    size_t bytes;        ///< of all styles
    bspi_luxel_format format;
    uint32_t width;
    uint32_t height;
    uint32_t blocks; ///< per style: 4 when bumped (flat first), else 1
    uint32_t alpha;  ///< bytes a luxel that follow the blocks of each style (CS:GO), or 0
    uint32_t num_styles;
    uint16_t styles[BSPI_FACE_STYLES];
    float vecs[2][4]; ///< world to luxels; 0 is the centre of the first
} bspi_luxels;

typedef enum bspi_lit {
    BSPI_UNLIT,   ///< the face has no light, and is as bright as its texture
    BSPI_BLACK,   ///< the face has no light, and the engine draws it black
    BSPI_LIT,     ///<
    BSPI_DROPPED, ///< the face refers to luxels that are not in the lump
} bspi_lit;

/// A BSPX lump of one record per face.
typedef struct bspi_face_lump {
    bsp_parts parts;
    bsp_table table; ///< count 0: missing
} bspi_face_lump;

/// All sources of light of a map, except Quake 3's pages.
typedef struct bspi_light_source {
    const bsp_map *map;
    const bsp_face_light *lights;
    uint32_t num_lights;
    bsp_bytes data;
    bspi_luxel_format format;
    uint32_t offset_mul; ///< an offset of the faces * mul / div is an offset in the data
    uint32_t offset_div;
    uint32_t alpha; ///< Source: bytes a luxel, the share of the sun, after each style (CS:GO)
    bspi_face_lump shift;
    bspi_face_lump offset;
    bspi_face_lump style;
    bspi_face_lump style16;
    bspi_face_lump decoupled;
} bspi_light_source;

/// Finds the light of a map; `file` may be NULL. Free with bspi_light_source_free.
void bspi_light_source_init(bspi_light_source *source, const bsp_map *map, const bsp_file *file,
                            bool hdr);
void bspi_light_source_free(bspi_light_source *source);

/// Returns the bytes of a lump by its name; none where there is no such lump, or no file.
bsp_bytes bspi_named_lump(const bsp_file *file, const char *name);

bspi_lit bspi_luxels_of(const bspi_light_source *source, uint32_t face, bspi_luxels *out);
/// Fills width, height, blocks and vecs only, which a face has even without luxels. Returns false
/// if it has no luxels of its own.
bool bspi_luxels_place(const bspi_light_source *source, uint32_t face, bspi_luxels *out);

/// Sets where a point of the plane of a face is, in luxels. False where that is before the first or
/// beyond the last of a row or column.
bool bspi_luxels_find(const bspi_luxels *luxels, const float point[3], float at[2]);

/// Turns to the luxels of another direction, 1 to 3, where the face has them.
void bspi_luxels_turn(bspi_luxels *luxels, uint32_t direction);

uint32_t bspi_luxel_bytes(bspi_luxel_format format);

/// Returns 2 to the power of `exponent`, -149 to 127: exact, as is its product with a byte or a
/// mantissa of nine bits. What ldexpf computes, without the call.
static inline float bspi_power_of_two(int exponent) {
    uint32_t bits = exponent >= -126 ? (uint32_t)(exponent + 127) << 23 : 1u << (exponent + 149);
    float power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/// Decodes a luxel of RGBEXP32 as bsp_light_decode does.
static inline void bspi_rgbexp_decode(const uint8_t luxel[4], float rgb[3]) {
    float power = bspi_power_of_two(luxel[3] < 128 ? luxel[3] : luxel[3] - 256);
    for (int i = 0; i < 3; i++) {
        rgb[i] = (float)luxel[i] * power / 255;
    }
}

/// Decodes one luxel. One step of a byte counts `byte`, and E5BGR9 counts as a byte of the same
/// light; RGBEXP32 is linear light, independent of `byte`.
void bspi_luxel_decode(bspi_luxel_format format, const uint8_t *luxel, float byte, float rgb[3]);

#endif
