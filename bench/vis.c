// SPDX-License-Identifier: MIT
// Decoded visibility in bytes a second, beside a decoder that goes byte by byte (as the engines'
// does) and beside moving the same rows, in turns. Medians with least and most, processor time.
//
//   bench/vis MAP...
#include "bench.h"

#include "bspkit/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 15
#define LEAST_BYTES 3e7 // decoded in one measurement

static void naive(const bsp_map *map, uint32_t cluster, uint8_t *row) {
    const bsp_visibility *vis = &map->visibility;
    const uint8_t *in = vis->rows.data + vis->pvs[cluster];
    const uint8_t *end = vis->rows.data + vis->rows.size;
    uint8_t *out = row;
    uint8_t *full = row + vis->row_bytes;
    while (out < full && in < end) {
        if (*in != 0 || !vis->packed) {
            *out++ = *in++;
            continue;
        }
        for (int run = end - in > 1 ? in[1] : 0; run > 0 && out < full; run--) {
            *out++ = 0;
        }
        in += 2;
    }
}

static void ours(const bsp_map *map, uint32_t cluster, uint8_t *row) {
    bsp_map_visible(map, cluster, false, row);
}

static void copy(const bsp_map *map, uint32_t cluster, uint8_t *row) {
    memmove(row, row + map->visibility.row_bytes, map->visibility.row_bytes);
    row[0] = (uint8_t)cluster;
}

typedef void decoder(const bsp_map *map, uint32_t cluster, uint8_t *row);

// Returns bytes per second.
static double measure(const bsp_map *map, decoder *decode, uint8_t *row) {
    const bsp_visibility *vis = &map->visibility;
    double bytes = (double)vis->num_clusters * vis->row_bytes;
    int rounds = (int)(LEAST_BYTES / bytes) + 1;
    double start = bench_now();
    for (int k = 0; k < rounds; k++) {
        for (uint32_t c = 0; c < vis->num_clusters; c++) {
            if (vis->pvs[c] < vis->rows.size) {
                decode(map, c, row);
            }
        }
    }
    return bytes * rounds / (bench_now() - start);
}

static void print_speeds(const char *path, const bsp_map *map, uint8_t *row) {
    static decoder *const decoders[] = {ours, naive, copy};
    static const char *const names[] = {"ours", "byte by byte", "copy"};
    const bsp_visibility *vis = &map->visibility;
    double speeds[3][REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        for (int k = 0; k < 3; k++) {
            speeds[k][i] = measure(map, decoders[k], row);
        }
    }
    printf("%s: %u clusters, rows of %u bytes%s, GB/s:\n", path, (unsigned)vis->num_clusters,
           (unsigned)vis->row_bytes,
           !vis->packed            ? " (plain)"
           : vis->unpacked != NULL ? " (unpacked on loading)"
                                   : "");
    for (int k = 0; k < 3; k++) {
        bench_spread spread = bench_spread_of(speeds[k], REPEATS);
        printf("  %-12s ", names[k]);
        bench_print(spread, 1e-9, 2);
        printf(", %.1f ns a row\n", vis->row_bytes * 1e9 / spread.median);
    }
}

static void bench_map(const char *path) {
    bsp_error error = {0};
    bsp_map_options options = {.parts = BSP_LOAD_TREE};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, &options, &error);
    uint8_t *row = map == NULL ? NULL : calloc((size_t)map->visibility.row_bytes + 1, 2);
    if (row == NULL) {
        fprintf(stderr, "%s: %s\n", path, error.message);
    } else if (map->visibility.num_clusters != 0) {
        print_speeds(path, map, row);
    }
    free(row);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        bench_map(argv[i]);
    }
    return argc > 1 ? 0 : 2;
}
