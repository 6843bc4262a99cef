// SPDX-License-Identifier: MIT
// Tables of what refers to files in maps and materials.
#ifndef BSPI_COMPARE_ASSETS_H
#define BSPI_COMPARE_ASSETS_H

#include "bspkit/compare.h"

/// Bits of families.
#define BSPI_IN(family) (1u << (family))

/// A key of entities whose value is the name of a file.
typedef struct bspi_asset_key {
    uint32_t families;
    const char *key; ///< ignoring case; a '*' at the end matches any end
    bsp_asset_kind kind;
    const char *ending; ///< only values with this file extension; NULL: any
} bspi_asset_key;

/// How names of a kind become files.
typedef struct bspi_asset_form {
    uint32_t families;
    bsp_asset_kind kind;
    const char *folder;     ///< put before names that do not begin with it
    const char *endings[7]; ///< the first that exists is taken; NULL-terminated. Names with one of
                            ///< them keep it; "": the name as it is
    bool sides;             ///< six files
    bool base;              ///< only the last part of the path is used
} bspi_asset_form;

/// A parameter of a material of Source.
typedef struct bspi_asset_parameter {
    const char *key;
    bsp_asset_kind kind;
} bspi_asset_parameter;

/// Files that belong to a model of Source; one with an extension in `endings` is enough.
typedef struct bspi_asset_companion {
    const char *endings[4];
} bspi_asset_companion;

/// Embedded files that engines load without a reference.
typedef struct bspi_asset_own {
    const char *begin;
    const char *end;
} bspi_asset_own;

/// What the materials of a family are, and whether its files refer to others.
typedef struct bspi_asset_ways {
    uint32_t families;
    bsp_asset_kind material; ///< kind of file that the name of a material stands for
    bool scripts;            ///< unless a script has a shader of that name
    bool named_by_files; ///< materials refer to textures and materials; models have files beside
                         ///< them
} bspi_asset_ways;

/// Returns the row of a family; never NULL.
const bspi_asset_ways *bspi_asset_ways_of(bsp_family family);

const bspi_asset_key *bspi_asset_keys(size_t *count);
const bspi_asset_form *bspi_asset_form_of(bsp_family family, bsp_asset_kind kind);
/// Returns the kind of file that a parameter refers to, or BSP_NUM_ASSET_KINDS.
bsp_asset_kind bspi_asset_parameter_kind(bsp_text key);
const bspi_asset_companion *bspi_asset_companions(size_t *count);
const bspi_asset_own *bspi_asset_own_files(size_t *count);

#endif
