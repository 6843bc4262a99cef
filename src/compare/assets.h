// SPDX-License-Identifier: MIT
// What names files in maps and materials: tables.
#ifndef BSPI_COMPARE_ASSETS_H
#define BSPI_COMPARE_ASSETS_H

#include "bspkit/compare.h"

/// Bits of families.
#define BSPI_IN(family) (1u << (family))

/// A key of entities whose value names a file.
typedef struct bspi_asset_key {
    uint32_t families;
    const char *key; ///< in any case; a last '*' stands for any end
    bsp_asset_kind kind;
    const char *ending; ///< only values with this ending; NULL: any
} bspi_asset_key;

/// How names of a kind become files.
typedef struct bspi_asset_form {
    uint32_t families;
    bsp_asset_kind kind;
    const char *folder;     ///< put before names that do not begin with it
    const char *endings[7]; ///< the first that is there counts; NULL-terminated. Names that have
                            ///< one of them keep it; "": as it is named
    bool sides;             ///< six files
    bool base;              ///< only the last part of the path counts
} bspi_asset_form;

/// A parameter of a material of Source.
typedef struct bspi_asset_parameter {
    const char *key;
    bsp_asset_kind kind;
} bspi_asset_parameter;

/// Files that come with a model of Source; one with an ending in `endings` is enough.
typedef struct bspi_asset_companion {
    const char *endings[4];
} bspi_asset_companion;

/// Embedded files that engines look for by themselves.
typedef struct bspi_asset_own {
    const char *begin;
    const char *end;
} bspi_asset_own;

/// What a family's materials are, and whether its files name others.
typedef struct bspi_asset_ways {
    uint32_t families;
    bsp_asset_kind material; ///< what the name of a material stands for
    bool scripts;            ///< unless a script has a shader of that name
    bool named_by_files; ///< materials name textures and materials; models have files beside them
} bspi_asset_ways;

/// Never NULL.
const bspi_asset_ways *bspi_asset_ways_of(bsp_family family);

const bspi_asset_key *bspi_asset_keys(size_t *count);
const bspi_asset_form *bspi_asset_form_of(bsp_family family, bsp_asset_kind kind);
/// The kind that a parameter names, or BSP_NUM_ASSET_KINDS.
bsp_asset_kind bspi_asset_parameter_kind(bsp_text key);
const bspi_asset_companion *bspi_asset_companions(size_t *count);
const bspi_asset_own *bspi_asset_own_files(size_t *count);

#endif
