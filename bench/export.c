// SPDX-License-Identifier: MIT
// How fast a map's geometry becomes a file for modelling tools: for each map given, the time from
// the loaded map to the last byte of .glb and .obj (patches and displacements included, without
// textures and light), beside building the triangles alone and copying the same bytes. The targets
// are 50 ms for .glb and 100 ms for .obj, for a Quake 3 map of 10 MB. Medians of the wall clock,
// one core; "cpu" is the least that the processor took for it.
//
//   export [--repeat N] MAP...
#include "bspkit/bspkit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

static double now(void) {
    struct timespec time;
    timespec_get(&time, TIME_UTC);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b) {
    double left = *(const double *)a;
    double right = *(const double *)b;
    return left < right ? -1 : left > right;
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

static bool take(void *user, const char *data, size_t size) {
    target *t = user;
    size_t piece = size < t->size ? size : t->size;
    memcpy(t->room, data, piece);
    t->bytes += size;
    return true;
}

static double mesh_once(const bsp_map *map) {
    double start = now();
    bsp_mesh_free(bsp_mesh_build(map, NULL, NULL));
    return now() - start;
}

static double copy_once(uint64_t bytes, target *t) {
    double start = now();
    for (uint64_t at = 0; at < bytes; at += t->size) {
        memcpy(t->room, t->room + t->size, bytes - at < t->size ? (size_t)(bytes - at) : t->size);
    }
    volatile uint8_t last = t->room[0];
    (void)last;
    return now() - start;
}

/// The measured seconds and bytes of a call.
typedef struct result {
    double time;
    double cpu;
    double copy;
    uint64_t bytes;
} result;

static bool measure(const bsp_map *map, export_call call, int repeat, target *t, result *out,
                    bsp_export_report *report) {
    double times[MOST_REPEAT];
    double copies[MOST_REPEAT];
    double least = 1e30;
    const bsp_export_options options = {.light = BSP_EXPORT_LIGHT_NONE};
    for (int i = 0; i < repeat; i++) {
        bsp_error error = {0};
        t->bytes = 0;
        clock_t cpu = clock();
        double start = now();
        if (!call(map, &options, take, t, report, &error)) {
            fprintf(stderr, "%s\n", error.message);
            return false;
        }
        times[i] = now() - start;
        double took = (double)(clock() - cpu) / CLOCKS_PER_SEC;
        least = took < least ? took : least;
        copies[i] = copy_once(t->bytes, t);
    }
    *out = (result){median(times, repeat), least, median(copies, repeat), t->bytes};
    return true;
}

static bool print_row(const char *path, const bsp_map *map, size_t size, int repeat, target *t) {
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
    printf("%-24.24s %7.2f %8llu %8.2f %8.2f %8.2f %7.1f %6.0f %8.2f %8.2f %7.1f %6.0f\n",
           slash == NULL ? path : slash + 1, (double)size * 1e-6,
           (unsigned long long)report.triangles, median(mesh, repeat) * 1e3, glb.time * 1e3,
           glb.cpu * 1e3, (double)glb.bytes * 1e-6, glb.time / glb.copy, obj.time * 1e3,
           obj.cpu * 1e3, (double)obj.bytes * 1e-6, obj.time / obj.copy);
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
        done = print_row(path, map, bsp_file_get_info(file)->bytes.size, repeat, t);
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
    printf("%-24s %7s %8s %8s %8s %8s %7s %6s %8s %8s %7s %6s\n", "map", "MB", "tris", "mesh ms",
           "glb ms", "cpu", "MB", "/copy", "obj ms", "cpu", "MB", "/copy");
    bool done = true;
    for (int i = first; i < argc; i++) {
        done = measure_file(argv[i], repeat, &t) && done;
    }
    return done ? 0 : 1;
}
