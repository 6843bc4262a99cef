// SPDX-License-Identifier: MIT
// How fast a map becomes records and a map: for each map given, opening it, decoding every field of
// every record and building the map, as MB of lump data a second, beside copying the same bytes.
// Medians of several repetitions in this process with least and most, processor time of one thread.
//
//   open [--repeat N] MAP...
#include "bench.h"

#include "bspkit/bspkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT 15
#define MOST_REPEAT 1001
#define SCRATCH 16384u // of decoded values: small enough for the first-level cache

typedef struct times {
    double open;
    double decode;
    double map;
    double all;
} times;

// --- the work -----------------------------------------------------------------------------------

// Returns the memory type that holds every value of a field.
static bsp_type memory_type(bsp_type type) {
    return type == BSP_CHAR || type == BSP_PAD ? BSP_U8 : type;
}

static void decode_table(bsp_table table) {
    static uint8_t scratch[SCRATCH];
    uint32_t rest = table.count;
    const bsp_layout *layout = table.layout;
    uint32_t step = SCRATCH / layout->size;
    step = step == 0 ? 1 : step;
    // Tile by tile, so that each pass over a tile's records finds them in the cache.
    for (; rest != 0; rest -= table.count, table.data += (size_t)table.count * layout->size) {
        table.count = rest < step ? rest : step;
        for (uint32_t f = 0; f < layout->num_fields; f++) {
            bsp_type type = memory_type(layout->fields[f].type);
            size_t stride = bsp_type_size(type) * layout->fields[f].count;
            if (stride * table.count <= SCRATCH) {
                bsp_table_decode(&table, f, type, scratch, stride);
            }
        }
    }
}

static bool decode_file(const bsp_file *file) {
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        bsp_parts parts;
        bsp_error error;
        if (!bsp_file_parts(file, n, NULL, &parts, &error)) {
            return false;
        }
        for (uint32_t i = 0; i < parts.count; i++) {
            if (parts.parts[i].kind == BSP_PART_TABLE || parts.parts[i].kind == BSP_PART_RECORD) {
                decode_table(bsp_parts_table(&parts, i));
            }
        }
        bsp_parts_free(&parts);
    }
    return true;
}

static bool measure_once(const char *path, times *out) {
    bsp_error error = {0};
    double start = bench_now();
    bsp_file *file = bsp_file_open(path, NULL, &error);
    double opened = bench_now();
    bool done = file != NULL && decode_file(file);
    double decoded = bench_now();
    bsp_map *map = done ? bsp_map_load(file, NULL, &error) : NULL;
    double loaded = bench_now();
    done = map != NULL;
    bsp_map_free(map);
    bsp_file_close(file);
    *out = (times){opened - start, decoded - opened, loaded - decoded, loaded - start};
    if (!done) {
        fprintf(stderr, "%s: %s\n", path, error.message);
    }
    return done;
}

// --- the copy -----------------------------------------------------------------------------------

static uint64_t lump_bytes(const bsp_file *file) {
    uint64_t bytes = 0;
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        bytes += lump->place == BSP_IN_GAME_LUMP ? 0 : lump->unpacked_size;
    }
    return bytes;
}

static double copy_once(bsp_bytes bytes, uint8_t *out) {
    double start = bench_now();
    memcpy(out, bytes.data, bytes.size);
    volatile uint8_t last = out[bytes.size - 1];
    (void)last;
    return bench_now() - start;
}

// --- the table ----------------------------------------------------------------------------------

static double megabytes(uint64_t bytes, double seconds) {
    return seconds > 0 ? (double)bytes / seconds * 1e-6 : 0;
}

static const char *name_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static void print_row(const char *path, uint64_t bytes, double (*columns)[MOST_REPEAT],
                      int repeat) {
    static const char *const names[] = {"open", "decode", "map", "all", "memcpy"};
    double all = 0;
    double copy = 0;
    printf("%s (%.2f MB)\n", name_of(path), (double)bytes * 1e-6);
    for (int i = 0; i < 5; i++) {
        bench_spread spread = bench_spread_of(columns[i], repeat);
        printf("  %-8s ", names[i]);
        bench_print(spread, 1e3, 3);
        printf(" ms\n");
        all = i == 3 ? spread.median : all;
        copy = i == 4 ? spread.median : copy;
    }
    double rate = megabytes(bytes, all);
    double most = megabytes(bytes, copy);
    printf("  %.0f MB/s, copying %.0f: %.2f\n", rate, most, most > 0 ? rate / most : 0);
}

static bool measure(const char *path, int repeat, double (*columns)[MOST_REPEAT]) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    if (file == NULL) {
        fprintf(stderr, "%s: %s\n", path, error.message);
        return false;
    }
    uint64_t bytes = lump_bytes(file);
    bsp_bytes all = bsp_file_get_info(file)->bytes;
    uint8_t *copy = malloc(all.size);
    bool done = copy != NULL;
    for (int i = 0; done && i < repeat; i++) {
        times t;
        done = measure_once(path, &t);
        columns[0][i] = t.open;
        columns[1][i] = t.decode;
        columns[2][i] = t.map;
        columns[3][i] = t.all;
        columns[4][i] = copy_once(all, copy);
    }
    if (done) {
        print_row(path, bytes, columns, repeat);
    }
    free(copy);
    bsp_file_close(file);
    return done;
}

int main(int argc, char **argv) {
    static double columns[5][MOST_REPEAT];
    int first = 1;
    int repeat = REPEAT;
    if (argc > 2 && strcmp(argv[1], "--repeat") == 0) {
        repeat = atoi(argv[2]);
        first = 3;
    }
    if (first >= argc || repeat < 1 || repeat > MOST_REPEAT) {
        fprintf(stderr, "usage: %s [--repeat N] MAP...\n", argv[0]);
        return 2;
    }
    bool done = true;
    for (int i = first; i < argc; i++) {
        done = measure(argv[i], repeat, columns) && done;
    }
    return done ? 0 : 1;
}
