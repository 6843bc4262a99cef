// SPDX-License-Identifier: MIT
// The binary part of a glTF: the places of the arrays, and their bytes.
#ifndef BSPI_EXPORT_LAYOUT_H
#define BSPI_EXPORT_LAYOUT_H

#include "core/out.h"
#include "export/content.h"

/// The arrays, each with all parts one after the other.
typedef enum bspi_array {
    BSPI_POSITIONS,
    BSPI_NORMALS,
    BSPI_UVS,
    BSPI_LIGHT_UVS,
    BSPI_COLORS,
    BSPI_BLENDS, ///< shares of the third and fourth texture in red and green
    BSPI_SHORTS, ///< indices of parts whose vertices can be counted in 16 bits
    BSPI_LONGS,
    BSPI_ARRAYS,
} bspi_array;

/// The place of a part in the arrays.
typedef struct bspi_part_place {
    uint64_t offset[BSPI_ARRAYS];   ///< in the array, in bytes; UINT64_MAX: the part has none
    uint32_t accessor[BSPI_ARRAYS]; ///< number of the accessor of each that it has
    float mins[3];                  ///< of its positions as written
    float maxs[3];
} bspi_part_place;

typedef struct bspi_layout {
    const bspi_content *content;
    bspi_part_place *parts;
    uint64_t size[BSPI_ARRAYS];   ///< in bytes, without padding
    uint64_t offset[BSPI_ARRAYS]; ///< in the binary part
    uint32_t num_accessors;
    uint64_t total; ///< arrays and embedded images
    bool embed;     ///< images follow the arrays
} bspi_layout;

/// The size of an element of each array, in bytes.
extern const uint32_t bspi_array_stride[BSPI_ARRAYS];

/// Computes the layout, owned by the content's arena. Returns false on failure.
bool bspi_layout_build(bspi_layout *layout, bspi_content *content, bool embed, bsp_error *error);

/// Returns true if a part has an array of its own, which no other part before it has.
bool bspi_layout_owns(const bspi_layout *layout, uint32_t part, bspi_array array);

/// Receives all written images in order; each is padded to a multiple of 4.
typedef void (*bspi_image_visit)(void *user, const bsp_blob *png);
void bspi_each_image(const bspi_content *content, bspi_image_visit visit, void *user);

/// Writes the arrays, and the images if they are embedded: layout->total bytes, a multiple of 4.
void bspi_layout_write(const bspi_layout *layout, bspi_out *out);

#endif
