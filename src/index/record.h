// SPDX-License-Identifier: MIT
// What a map says of itself, gathered without the database, so that many are at once.
#ifndef BSPI_RECORD_H
#define BSPI_RECORD_H

#include "bspkit_index/index.h"

#define BSPI_SKETCH 64u // the least hashes of vertices that are kept

/// A file or texture that a map names.
typedef struct bspi_name {
    const char *kind; ///< as in a term of bsp_index_find
    bsp_text text;
    int found; ///< 1, 0 or -1: not looked for
    uint64_t size;
    uint64_t hash; ///< of the contents, or 0
} bspi_name;

/// Everything that is stored of a map. Texts are borrowed from what was opened.
typedef struct bspi_record {
    const bsp_file *file;
    bsp_map *map; ///< NULL: it could not be loaded, for the reason of `problem`
    bsp_asset_list *assets;
    bsp_pak *pak;
    bsp_issues *issues;
    char problem[256];
    char sha256[65];
    char checksum[9]; ///< empty: no rule is known
    uint64_t geometry;
    uint64_t light;
    uint64_t sketch[BSPI_SKETCH]; ///< ascending
    uint32_t num_sketch;
    bspi_name *names;
    size_t num_names;
    size_t room;
} bspi_record;

/// Gathers what a file says. What cannot be found out is left out, and `problem` says why. False
/// without memory; either way call bspi_record_free.
bool bspi_record_gather(bspi_record *record, const bsp_file *file, const bsp_search *game,
                        bsp_error *error);
void bspi_record_free(bspi_record *record);

#endif
