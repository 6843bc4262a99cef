// SPDX-License-Identifier: MIT
// Checks that every target makes for any input: all memory is freed, and at most a stated amount is
// in use.
#ifndef FUZZ_METER_H
#define FUZZ_METER_H

#include "bspkit/bspkit.h"

/// An allocator that counts. Plain data; `allocator` is given to the library.
typedef struct fuzz_meter {
    bsp_allocator allocator;
    size_t live;
    size_t peak;
    bsp_budget *budget; ///< see fuzz_budget
} fuzz_meter;

/// The highest peak of all inputs so far, and the size of its input, for reports.
typedef struct fuzz_record {
    size_t peak;
    size_t input;
} fuzz_record;

void fuzz_meter_begin(fuzz_meter *meter);

/// Returns a budget with that much memory and otherwise the default limits; the first call makes
/// it. The meter owns it.
bsp_budget *fuzz_budget(fuzz_meter *meter, size_t memory);

/// Aborts if memory was not freed, or if the peak was more than 64 MiB and eight times the input.
void fuzz_meter_end(fuzz_meter *meter, size_t input);

/// Returns the highest peak since the last call.
fuzz_record fuzz_meter_record(void);

/// Aborts with the condition's text if it is false, in every kind of build.
#define FUZZ_CHECK(condition) ((condition) ? (void)0 : fuzz_fail(#condition, __FILE__, __LINE__))
_Noreturn void fuzz_fail(const char *condition, const char *file, int line);

/// The entry point that libFuzzer and the standalone driver call.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
