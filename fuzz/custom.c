// SPDX-License-Identifier: MIT
// The custom mutator of libFuzzer: changes an input by the records that it holds, or as libFuzzer
// does.
#include "mutate.h"

#include "meter.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed) {
    uint64_t random = (uint64_t)seed << 1 | 1;
    return seed % 4 != 0 && fuzz_mutate_records(&random, data, size)
               ? size
               : LLVMFuzzerMutate(data, size, room);
}
