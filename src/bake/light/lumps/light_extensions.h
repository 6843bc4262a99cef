// SPDX-License-Identifier: MIT
// Quake and Quake 2: faces whose luxels are not those that they state themselves.
#ifndef BSPI_BAKE_LIGHT_EXTENSIONS_H
#define BSPI_BAKE_LIGHT_EXTENSIONS_H

#include "bake/light/base/work.h"
#include "core/buffer.h"

/// Luxels that engines without the extensions show: those that the face's texture states.
typedef struct bspi_plain {
    uint32_t width; ///< 0: the face has none
    uint32_t height;
    float to[2][3]; ///< place among the luxels of the extension: by column, by row, and plus this
} bspi_plain;

/// Do extensions of the map say where luxels are?
bool bspi_light_apart(const bspi_relight *own);
/// Finds the plain luxels of a face, where the map has some besides those of the extension.
void bspi_plain_find(const bspi_relight *own, uint32_t face, bspi_plain *out);
/// Computes one of them out of those of a style of the face; `from`: all luxels of the face.
void bspi_plain_luxel(const bspi_plain *plain, const float (*from)[3], const bsp_relight_face *face,
                      uint32_t style, uint32_t number, float out[3]);
/// The same of the directions that light of a style comes from. False where there are none.
bool bspi_plain_way(const bspi_relight *own, const bspi_plain *plain, uint32_t face, uint32_t style,
                    uint32_t number, float out[3]);

/// The lumps whose records say where luxels are, and of which styles.
#define BSPI_LIGHT_EXTENSIONS 4u
/// Returns the name of one.
const char *bspi_light_extension_name(uint32_t number);
/// Makes its records anew, unless the map has none; `offsets` are where luxels of faces are.
void bspi_light_extension_records(const bspi_relight *own, uint32_t number, const uint32_t *offsets,
                                  bool big_endian, bspi_buffer *out);

#endif
