// SPDX-License-Identifier: MIT
// Baked rows with AVX2, and the choice between the two.
#include "core/fastest.h"
#include "export/bake_rows.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_ROW bspi_bake_row_avx2
#include "export/bake_eight.h"
#endif

bspi_bake_row_fn *bspi_bake_row_best(void) {
    return BSPI_FASTEST(bspi_bake_row);
}
