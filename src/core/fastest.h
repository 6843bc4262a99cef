// SPDX-License-Identifier: MIT
// The choice between functions that are made twice, with the same results: NAME_base with the
// instructions that every processor of the target has, NAME_avx2 with AVX2, in a file that defines
// BSPI_AVX2 where BSPI_MAKES_AVX2 is defined. And what is said to the processor ahead.
#ifndef BSPI_FASTEST_H
#define BSPI_FASTEST_H

#if defined(__x86_64__) && defined(__GNUC__)
#define BSPI_MAKES_AVX2
/// The one of NAME_avx2 and NAME_base that is the fastest on this processor.
#define BSPI_FASTEST(name) (__builtin_cpu_supports("avx2") != 0 ? name##_avx2 : name##_base)
#else
#define BSPI_FASTEST(name) name##_base
#endif

/// Has what is read soon ready in the cache.
#if defined(__GNUC__)
#define BSPI_FETCH(address) __builtin_prefetch(address)
#else
#define BSPI_FETCH(address) ((void)(address))
#endif

#endif
