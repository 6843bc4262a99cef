// SPDX-License-Identifier: MIT
// Mutated inputs, the same on every machine: input `number` of `seed` is always the same bytes.
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "bspkit/core.h"

/// What mutations are made of.
typedef struct fuzz_source {
    const bsp_bytes *seeds;
    size_t count;
    uint64_t seed;
    bool records; ///< most mutations change records of the seeds, if they are maps
} fuzz_source;

/// Makes an input from one of the seeds (and pieces of another) in `out`, which has `room` bytes.
/// Returns its size.
size_t fuzz_mutate(const fuzz_source *source, uint64_t number, uint8_t *out, size_t room);

/// Changes a value of a map by its own tables, keeping its size. Returns false, with nothing
/// changed, if the bytes are no map that opens.
bool fuzz_mutate_records(uint64_t *random, uint8_t *data, size_t size);

#endif
