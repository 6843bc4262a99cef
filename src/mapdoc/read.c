// SPDX-License-Identifier: MIT
// Reads a map document: detects which of the two kinds it is, and calls its reader.
#include "mapdoc/read.h"

#include "core/options.h"

// A .map begins with the brace of its first entity, a .vmf with the name of a block.
static bool is_vmf(bsp_text text) {
    bspi_script script = {.text = text, .line = 1, .quake = true};
    bspi_word word;
    return bspi_next_word(&script, &word) && !bspi_is_brace(&word, '{');
}

bsp_mapdoc *bsp_mapdoc_read(bsp_text text, const bsp_mapdoc_options *options, bsp_error *error) {
    bsp_mapdoc_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    bspi_map_reader r = {
        .text = text, .error = error, .allocator = taken.allocator, .budget = taken.budget};
    if (!bspi_builder_begin(&r.out, BSP_PRODUCT_DOCUMENT, text.size, r.budget, r.allocator,
                            error)) {
        return NULL;
    }
    bsp_dialect dialect = BSP_DIALECT_VMF;
    if (!(is_vmf(text) ? bspi_read_vmf(&r, &dialect) : bspi_read_map(&r, &dialect))) {
        bspi_builder_drop(&r.out);
        return NULL;
    }
    bsp_mapdoc *source = bspi_builder_finish(&r.out);
    if (source != NULL) {
        source->dialect = dialect;
    }
    return source;
}
