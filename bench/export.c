// SPDX-License-Identifier: MIT
// How fast a map's geometry becomes a file for modelling tools: for each map given, the time from
// the loaded map to the last byte of .glb and .obj (patches and displacements included, without
// textures and light), beside building the triangles alone and copying the same bytes. The targets
// are 50 ms for .glb and 100 ms for .obj, for a Quake 3 map of 10 MB. Medians of the wall clock,
// one core; "cpu" is the least that the processor took for it.
//
//   export [--repeat N] MAP...
#include "bench.h"

#include "bspkit/bspkit.h"

#include <string.h>

#define REPEAT 9
#define MOST_REPEAT 101

/// A target of output that counts bytes and copies them to memory, as a file system would.
typedef struct target {
    uint8_t *room;
    size_t size;
    uint64_t bytes;
} target;

typedef bool (*export_call)(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                            void *user, bsp_export_report *report, bsp_error *error);

static bool take(void *user, const char *data, size_t size) {
    target *t = user;
    size_t piece = size < t->size ? size : t->size;
    memcpy(t->room, data, piece);
    t->bytes += size;
    return true;
}

static double mesh_once(const bsp_map *map) {
    double start = bench_wall();
    bsp_mesh_free(bsp_mesh_build(map, NULL, NULL));
    return bench_wall() - start;
}

static double copy_once(uint64_t bytes, target *t) {
    double start = bench_wall();
    for (uint64_t at = 0; at < bytes; at += t->size) {
        memcpy(t->room, t->room + t->size, bytes - at < t->size ? (size_t)(bytes - at) : t->size);
    }
    volatile uint8_t last = t->room[0];
    (void)last;
    return bench_wall() - start;
}

/// The measured seconds and bytes of a call.
typedef struct result {
    bench_spread time;
    bench_spread cpu;
    double copy;
    uint64_t bytes;
} result;

static bool measure(const bsp_map *map, export_call call, int repeat, target *t, result *out,
                    bsp_export_report *report) {
    double times[MOST_REPEAT];
    double work[MOST_REPEAT];
    double copies[MOST_REPEAT];
    const bsp_export_options options = {.light = BSP_EXPORT_LIGHT_NONE};
    for (int i = 0; i < repeat; i++) {
        bsp_error error = {0};
        t->bytes = 0;
        clock_t cpu = clock();
        double start = bench_wall();
        if (!call(map, &options, take, t, report, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return false;
        }
        times[i] = bench_wall() - start;
        work[i] = (double)(clock() - cpu) / CLOCKS_PER_SEC;
        copies[i] = copy_once(t->bytes, t);
    }
    *out = (result){bench_spread_of(times, repeat), bench_spread_of(work, repeat),
                    bench_median(copies, repeat), t->bytes};
    return true;
}

static void print_result(const char *name, const result *r) {
    printf("  %-5s", name);
    bench_print(r->time, 1e3, 2);
    printf(" ms, cpu");
    bench_print(r->cpu, 1e3, 2);
    printf(" ms, %.1f MB, copy x %.0f\n", (double)r->bytes * 1e-6, r->time.median / r->copy);
}

static bool print_rows(const char *path, const bsp_map *map, size_t size, int repeat, target *t) {
    double mesh[MOST_REPEAT];
    result glb;
    result obj;
    bsp_export_report report;
    for (int i = 0; i < repeat; i++) {
        mesh[i] = mesh_once(map);
    }
    if (!measure(map, bsp_export_glb, repeat, t, &glb, &report) ||
        !measure(map, bsp_export_obj, repeat, t, &obj, &report)) {
        return false;
    }
    const char *slash = strrchr(path, '/');
    printf("%s (%.2f MB), %llu triangles\n  mesh ", slash == NULL ? path : slash + 1,
           (double)size * 1e-6, (unsigned long long)report.triangles);
    bench_print(bench_spread_of(mesh, repeat), 1e3, 2);
    printf(" ms\n");
    print_result("glb", &glb);
    print_result("obj", &obj);
    return true;
}

static bool measure_file(const char *path, int repeat, target *t) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
    bool done = map != NULL;
    if (!done) {
        fprintf(stderr, "%s: %s\n", path, error.message);
    } else {
        done = print_rows(path, map, bsp_file_get_info(file)->bytes.size, repeat, t);
    }
    bsp_map_free(map);
    bsp_file_close(file);
    return done;
}

int main(int argc, char **argv) {
    static uint8_t room[2 << 20];
    target t = {.room = room, .size = sizeof room / 2};
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
        done = measure_file(argv[i], repeat, &t) && done;
    }
    return done ? 0 : 1;
}
