// SPDX-License-Identifier: MIT
// Baked rows with AVX2, and the choice between the two.
#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_ROW bspi_bake_row_avx2
#include "export/bake_eight.h"

bspi_bake_row_fn *bspi_bake_row_best(void) {
    return __builtin_cpu_supports("avx2") != 0 ? bspi_bake_row_avx2 : bspi_bake_row_base;
}
#else
#include "export/bake_rows.h"

void bspi_bake_row_avx2(const bspi_bake_triangle *set, const bspi_bake_row *row) {
    bspi_bake_row_base(set, row);
}

bspi_bake_row_fn *bspi_bake_row_best(void) {
    return bspi_bake_row_base;
}
#endif
