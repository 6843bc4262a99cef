// SPDX-License-Identifier: MIT
// The names by which the engine finds what belongs to a cubemap.
#ifndef BSPI_MAP_CUBEMAP_NAMES_H
#define BSPI_MAP_CUBEMAP_NAMES_H

#include "bspkit/map.h"
#include "core/memory.h"

typedef struct bspi_cubemap_place bspi_cubemap_place;
typedef struct bspi_cubemap_entry bspi_cubemap_entry;

/// The cubemaps of a map by their places, and the files of its zip by their names.
typedef struct bspi_cubemap_names {
    const bsp_map *map;
    const bsp_pak *pak;
    const bspi_cubemap_place *places;
    const bspi_cubemap_entry *entries;
    uint32_t
        defaults[2]; ///< files with the picture of what names no cubemap: LDR, HDR; or BSP_NONE
} bspi_cubemap_names;

/// Sorts both, and pays for looking each up; the arena owns the lists. Returns false, with the
/// error filled, without memory or over a limit.
bool bspi_cubemap_names_init(bspi_cubemap_names *names, const bsp_map *map, const bsp_pak *pak,
                             bspi_arena *arena, bsp_error *error);

/// Returns the first cubemap that is where cubemap `number` is.
uint32_t bspi_cubemap_first(const bspi_cubemap_names *names, uint32_t number);

/// Returns true for the name of a cubemap's picture, "materials/maps/NAME/cX_Y_Z.vtf" or
/// ".hdr.vtf". Sets the first cubemap of the map at that place, or BSP_NONE, and which kind it is.
bool bspi_cubemap_picture(const bspi_cubemap_names *names, bsp_text name, uint32_t *cubemap,
                          bsp_cubemap_kind *kind);

/// A material that a compiler patched: "maps/NAME/BASE_X_Y_Z".
typedef struct bspi_patched {
    bsp_text folder; ///< NAME
    bsp_text base;   ///< the material that it stands for
    uint32_t cubemap;
} bspi_patched;

/// Takes the name of a material apart. Returns false unless it is a patched one of a cubemap of the
/// map.
bool bspi_cubemap_material(const bspi_cubemap_names *names, bsp_text name, bspi_patched *out);

/// Returns the file of the zip that is the material of that name, "materials/NAME.vmt" (any case),
/// or BSP_NONE, also where the name is longer than games have.
uint32_t bspi_cubemap_material_file(const bspi_cubemap_names *names, bsp_text name);

/// Writes the name of a cubemap's picture as materials have it, "maps/NAME/cX_Y_Z", or of that of
/// what names no cubemap. False if it needs more than `room` bytes.
bool bspi_cubemap_name(char *out, size_t room, bsp_text folder, const int32_t *origin);

/// Returns the kinds of pictures that the light of a file is for.
uint32_t bspi_cubemap_kinds(const bsp_file *file);

/// Sets two bsp_cubemap_state of each cubemap, and counts.
void bspi_cubemap_states(const bspi_cubemap_names *names, uint32_t kinds, uint8_t *states,
                         bsp_cubemap_counts *out);

#endif
