// SPDX-License-Identifier: MIT
// Documents of map source side by side, and texts that are written into memory.
#ifndef TEST_SOURCE_H
#define TEST_SOURCE_H

#include "bspkit/mapdoc.h"

/// How far two documents are apart, at the worst.
typedef struct source_distance {
    double normal;
    double dist;
    double texels; ///< at corners of brushes, on the side's plane; repeats where both count those
    uint32_t corners;  ///< how many were compared
    uint32_t mappings; ///< sides that are more than 1/1000 texel apart
} source_distance;

/// Compares two documents whose things are in the same order; entities, pairs (but for
/// "mapversion"), materials, patches and displacements must be the same, or the test fails. All
/// patches, or all displacements, may be absent from `got`.
source_distance compare_sources(const bsp_mapdoc *want, const bsp_mapdoc *got);

/// What bsp_mapdoc_write prints, NUL-terminated; the caller frees it with free(). Fails the test
/// when nothing could be written.
char *print_source(const bsp_mapdoc *source, bsp_dialect dialect,
                   const bsp_mapdoc_write_options *options, bsp_mapdoc_losses *losses);

/// A document; fails the test with the reader's message if there is none.
bsp_mapdoc *read_source(bsp_text text);

#endif
