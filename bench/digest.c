// SPDX-License-Identifier: MIT
// Checksums in GB/s: MD4, MD5 and CRC-32 of one block of random bytes that fits the second-level
// cache and of one that does not, beside copying it; and the text of floats in nanoseconds. Medians
// with least and most, processor time of one thread.
//
//   bench/digest
#include "bench.h"

#include "bspkit/bspkit.h"
#include "pack/md4.h"
#include "pack/md5.h"

#include <string.h>

#define REPEATS 15
#define LEAST_BYTES 5e7 // in one measurement
#define MOST_BYTES ((size_t)16 << 20)
#define FLOATS 100000u

static uint8_t *target; // of the copy
static volatile uint32_t kept;

static void md4(bsp_bytes data) {
    kept = bspi_block_checksum(data);
}

static void md5(bsp_bytes data) {
    bspi_md5 sum;
    uint8_t digest[BSPI_MD5_SIZE];
    bspi_md5_begin(&sum);
    bspi_md5_add(&sum, data);
    bspi_md5_end(&sum, digest);
    kept = digest[0];
}

static void crc32(bsp_bytes data) {
    kept = bsp_crc32(0, data);
}

static void copy(bsp_bytes data) {
    memcpy(target, data.data, data.size);
    kept = target[data.size / 2];
}

static void measure(const char *name, void (*work)(bsp_bytes data), bsp_bytes data) {
    double speeds[REPEATS];
    int rounds = (int)(LEAST_BYTES / (double)data.size) + 1;
    for (int i = 0; i < REPEATS; i++) {
        double start = bench_now();
        for (int k = 0; k < rounds; k++) {
            work(data);
        }
        speeds[i] = (double)data.size * rounds / (bench_now() - start);
    }
    printf("%-6s %6zu KiB ", name, data.size / 1024);
    bench_print(bench_spread_of(speeds, REPEATS), 1e-9, 2);
    printf(" GB/s\n");
}

// Floats as maps have them: whole numbers, eighths, unit vectors, and any bits.
static float make_float(uint64_t *state, int kind) {
    float number = bench_random(state) * 2 - 1;
    if (kind == 0) {
        return (float)(int)(number * 4096);
    }
    if (kind == 1) {
        return (float)(int)(number * 32768) / 8;
    }
    if (kind == 2) {
        return number;
    }
    uint32_t bits =
        (uint32_t)(bench_random(state) * 65536) << 16 | (uint32_t)(bench_random(state) * 65536);
    memcpy(&number, &bits, sizeof number);
    return number;
}

static void measure_floats(const char *name, int kind) {
    static float numbers[FLOATS];
    double times[REPEATS];
    uint64_t state = 1;
    for (uint32_t i = 0; i < FLOATS; i++) {
        numbers[i] = make_float(&state, kind);
    }
    for (int i = 0; i < REPEATS; i++) {
        size_t sum = 0;
        double start = bench_now();
        for (uint32_t k = 0; k < FLOATS; k++) {
            char text[BSP_FLOAT_TEXT];
            sum += bsp_format_float(text, numbers[k]);
        }
        times[i] = (bench_now() - start) / FLOATS;
        kept = (uint32_t)sum;
    }
    printf("floats, %-12s ", name);
    bench_print(bench_spread_of(times, REPEATS), 1e9, 1);
    printf(" ns\n");
}

int main(void) {
    static const size_t sizes[] = {64 << 10, MOST_BYTES};
    uint8_t *data = malloc(MOST_BYTES);
    uint64_t state = 1;
    target = malloc(MOST_BYTES);
    if (data == NULL || target == NULL) {
        return 1;
    }
    memset(target, 1, MOST_BYTES);
    for (size_t i = 0; i < MOST_BYTES; i++) {
        data[i] = (uint8_t)(bench_random(&state) * 256);
    }
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        measure("MD4", md4, (bsp_bytes){data, sizes[i]});
        measure("MD5", md5, (bsp_bytes){data, sizes[i]});
        measure("CRC-32", crc32, (bsp_bytes){data, sizes[i]});
        measure("copy", copy, (bsp_bytes){data, sizes[i]});
    }
    measure_floats("whole", 0);
    measure_floats("eighths", 1);
    measure_floats("unit vectors", 2);
    measure_floats("any bits", 3);
    free(data);
    free(target);
    return 0;
}
