// SPDX-License-Identifier: MIT
// Files that games look for by the name of a map, without any reference in the map.
#ifndef BSPI_FORMATS_MAP_FILES_H
#define BSPI_FORMATS_MAP_FILES_H

#include "bspkit/formats.h"

/// The bit of a family, in sets of families.
#define BSPI_IN(family) (1u << (family))

/// What a file that bears the name of a map is, as far as it names other files.
typedef enum bspi_map_file_use {
    BSPI_MAP_FILE_PLAIN,     ///< it names none
    BSPI_MAP_FILE_SOUNDS,    ///< KeyValues with sounds: sound scripts, soundscapes
    BSPI_MAP_FILE_PARTICLES, ///< KeyValues with particle files
    BSPI_MAP_FILE_OVERVIEW,  ///< a text that names the picture of an overview
    BSPI_MAP_FILE_RESOURCES, ///< a list of files (.res)
    BSPI_MAP_FILE_DETAIL,    ///< GoldSrc: the detail textures of textures
    BSPI_MAP_FILE_MATERIAL,  ///< a material of Source
    BSPI_MAP_FILE_PICTURE,   ///< a picture, in any format that the family reads
} bspi_map_file_use;

/// A file that a game looks for by the name of a map: `before`, the name, `after`.
typedef struct bspi_map_file {
    uint32_t families;
    const char *before;
    const char *after; ///< what follows the name; of a picture: without its ending
    bspi_map_file_use use;
} bspi_map_file;

/// Returns the rows, which are static.
const bspi_map_file *bspi_map_files(size_t *count);

/// Returns the size of the part of `path` that stands before the name of a map, if the path is one
/// that games look for by it ("maps/NAME.nav", "materials/maps/NAME/..."): after the name the path
/// ends, or '.', '_', '/' or '\' follows. Case does not matter, and '\' is '/'. SIZE_MAX for any
/// other path. Materials may also be written without "materials/", as they are in materials.
size_t bspi_map_file_name_at(bsp_family family, bsp_text path, bsp_text name);

#endif
