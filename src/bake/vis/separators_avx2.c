// SPDX-License-Identifier: MIT
// Separating planes with AVX2, and the choice between the two.
#include "bake/vis/separators.h"
#include "core/fastest.h"

#if defined(BSPI_MAKES_AVX2)
#define BSPI_AVX2
#define BSPI_SEPARATING bspi_separating_avx2
#include "bake/vis/separate.h"
#endif

const bspi_separating *bspi_separating_here(void) {
    return BSPI_FASTEST(&bspi_separating);
}
