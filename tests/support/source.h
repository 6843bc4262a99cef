// SPDX-License-Identifier: MIT
// Compares map documents, and texts that are written into memory.
#ifndef TEST_SOURCE_H
#define TEST_SOURCE_H

#include "bspkit/mapdoc.h"

/// The largest differences of two documents.
typedef struct source_distance {
    double normal;
    double dist;
    double texels; ///< at corners of brushes, on the side's plane; in repeats where both have those
    uint32_t corners;  ///< number of compared corners
    uint32_t mappings; ///< sides that differ by more than 1/1000 texel
} source_distance;

/// Compares two documents with the same order of elements; entities, pairs (but for "mapversion"),
/// materials, patches and displacements must be the same, or the test fails. `got` may lack all
/// patches, or all displacements.
source_distance compare_sources(const bsp_mapdoc *want, const bsp_mapdoc *got);

/// Returns what bsp_mapdoc_write prints, NUL-terminated; the caller frees it with free(). Fails the
/// test when nothing could be written.
char *print_source(const bsp_mapdoc *source, bsp_dialect dialect,
                   const bsp_mapdoc_write_options *options, bsp_mapdoc_losses *losses);

/// Reads a document; fails the test with the reader's message on failure.
bsp_mapdoc *read_source(bsp_text text);

#endif
