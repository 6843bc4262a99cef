// SPDX-License-Identifier: MIT
// Separating planes with AVX2, and the choice between the two.
#include "bake/separators.h"

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_AVX2
#define BSPI_SEPARATING bspi_separating_avx2
extern const bspi_separating bspi_separating_avx2;
#include "bake/separate.h"

const bspi_separating *bspi_separating_here(void) {
    return __builtin_cpu_supports("avx2") != 0 ? &bspi_separating_avx2 : &bspi_separating_base;
}
#else
const bspi_separating *bspi_separating_here(void) {
    return &bspi_separating_base;
}
#endif
