// SPDX-License-Identifier: MIT
// Checksums of whole files by bspkit and its peers, alternating: MD4 beside ioquake3's
// Com_BlockChecksum, CRC-32 beside libdeflate's, whose shared library is loaded by its path (the
// Makefile links bspkit with the same one, since its CRC-32 is libdeflate's). Gigabytes a second of
// processor time, least / median / most of the rounds; the ratio is that of the least times.
//
//   build/bench/peers/sums [--rounds N] [--libdeflate LIBRARY] FILE...
#include "../bench.h"
#include "peer.h"

#include "bspkit/pack.h"
#include "pack/md4.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_ROUNDS 101

unsigned Com_BlockChecksum(const void *buffer, int length);

typedef uint32_t crc_fn(uint32_t crc, const void *data, size_t size);

static crc_fn *peer_crc_fn;

static uint32_t md4_peer(bsp_bytes data) {
    return Com_BlockChecksum(data.data, (int)data.size);
}

static uint32_t crc_peer(bsp_bytes data) {
    return peer_crc_fn(0, data.data, data.size);
}

static uint32_t crc_ours(bsp_bytes data) {
    return bsp_crc32(0, data);
}

typedef uint32_t sum_fn(bsp_bytes data);

static void compare(const char *name, const char *what, sum_fn *const ways[2], bsp_bytes data,
                    int rounds) {
    double times[2][MOST_ROUNDS];
    uint32_t sums[2] = {0, 0};
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 2; i++) {
            double start = bench_clock(CLOCK_PROCESS_CPUTIME_ID);
            sums[i] = ways[i](data);
            times[i][round] = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - start;
        }
    }
    printf("| %.*s | %s |", (int)strcspn(name, "."), name, what);
    for (int i = 0; i < 2; i++) {
        double median = bench_median(times[i], rounds);
        double size = (double)data.size / 1e9;
        printf(" %.2f / %.2f / %.2f |", size / times[i][rounds - 1], size / median,
               size / times[i][0]);
    }
    printf(" %.2f | %s |\n", times[1][0] / times[0][0], sums[0] == sums[1] ? "same" : "no");
}

static void find_crc(const char *library) {
    void *handle = library == NULL ? NULL : dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = handle == NULL ? NULL : dlsym(handle, "libdeflate_crc32");
    if (library != NULL && symbol == NULL) {
        fprintf(stderr, "%s\n", dlerror());
    }
    memcpy(&peer_crc_fn, &symbol, sizeof symbol); // a pointer to a function, as POSIX has it
}

int main(int argc, char **argv) {
    static sum_fn *const md4[2] = {md4_peer, bspi_block_checksum};
    static sum_fn *const crc[2] = {crc_peer, crc_ours};
    int rounds = 15;
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        if (strcmp(argv[first], "--rounds") == 0) {
            rounds = atoi(argv[first + 1]);
        } else if (strcmp(argv[first], "--libdeflate") == 0) {
            find_crc(argv[first + 1]);
        }
    }
    if (first >= argc || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: %s [--rounds N] [--libdeflate LIBRARY] FILE...\n", argv[0]);
        return 2;
    }
    printf("| file | sum | peer, GB/s | bspkit, GB/s | ratio | answers "
           "|\n|---|---|---|---|---|---|\n");
    for (int i = first; i < argc; i++) {
        const char *slash = strrchr(argv[i], '/');
        const char *name = slash == NULL ? argv[i] : slash + 1;
        long size = 0;
        uint8_t *data = peer_read(argv[i], &size);
        bsp_bytes bytes = {data, data == NULL ? 0 : (size_t)size};
        if (data == NULL) {
            return 1;
        }
        compare(name, "MD4", md4, bytes, rounds);
        if (peer_crc_fn != NULL) {
            compare(name, "CRC-32", crc, bytes, rounds);
        }
        free(data);
    }
    return 0;
}
