// SPDX-License-Identifier: MIT
// Mutated inputs, the same on every machine: input `number` of `seed` is always the same bytes.
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "bspkit/core.h"

/// Makes an input out of one of `count` seeds (and pieces of another) in `out`, which has `room`
/// bytes. Returns how many it has.
size_t fuzz_mutate(const bsp_bytes *seeds, size_t count, uint64_t seed, uint64_t number,
                   uint8_t *out, size_t room);

#endif
