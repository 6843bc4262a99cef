// SPDX-License-Identifier: MIT
// How fast geometry and light come out of a loaded map: for each map given, milliseconds for its
// mesh (default patch tolerance), its brush hulls and its lightmap pages, and megabytes a second of
// what is made, beside copying the same bytes. Medians of several repetitions with least and most.
//
//   mesh [--repeat N] MAP...
#include "bench.h"

#include "bspkit/mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEAT 15
#define MOST_REPEAT 1001

typedef struct job {
    const bsp_file *file;
    const bsp_map *map;
    size_t bytes; // of the last result
} job;

static void do_mesh(job *j) {
    bsp_mesh_options options = {.hidden = true, .sky = true};
    bsp_mesh *mesh = bsp_mesh_build(j->map, &options, NULL);
    j->bytes = mesh == NULL ? 0
                            : mesh->num_vertices * sizeof *mesh->vertices +
                                  mesh->num_indices * sizeof *mesh->indices;
    bsp_mesh_free(mesh);
}

static void do_brushes(job *j) {
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(j->map, NULL, NULL);
    j->bytes = mesh == NULL ? 0
                            : mesh->num_points * sizeof *mesh->points +
                                  mesh->num_indices * sizeof *mesh->indices;
    bsp_brush_mesh_free(mesh);
}

static void do_light(job *j) {
    bsp_lightmap *light = bsp_lightmap_build(j->map, j->file, NULL, NULL);
    j->bytes = 0;
    for (uint32_t i = 0; light != NULL && i < light->num_pages; i++) {
        j->bytes += (size_t)light->pages[i].width * light->pages[i].height * 4;
    }
    bsp_lightmap_free(light);
}

static bench_spread measure(void (*work)(job *j), job *j, int repeat) {
    static double times[MOST_REPEAT];
    for (int i = 0; i < repeat; i++) {
        double start = bench_now();
        work(j);
        times[i] = bench_now() - start;
    }
    return bench_spread_of(times, repeat);
}

static double measure_copy(size_t bytes, int repeat) {
    static double times[MOST_REPEAT];
    char *from = malloc(bytes + 1);
    char *to = malloc(bytes + 1);
    if (from == NULL || to == NULL) {
        exit(1);
    }
    memset(from, 1, bytes + 1);
    memset(to, 2, bytes + 1);
    for (int i = 0; i < repeat; i++) {
        double start = bench_now();
        memcpy(to, from, bytes);
        from[i % 7] = to[bytes / 2]; // so that the compiler does not remove the copy
        times[i] = bench_now() - start;
    }
    free(from);
    free(to);
    return bench_median(times, repeat);
}

static void print_work(const char *name, void (*work)(job *j), job *j, int repeat) {
    bench_spread times = measure(work, j, repeat);
    double time = times.median;
    double copy = measure_copy(j->bytes, repeat);
    double size = (double)j->bytes / 1e6;
    printf("  %-8s ", name);
    bench_print(times, 1e3, 3);
    printf(" ms %9.2f MB %8.0f MB/s  copy x %.1f\n", size, time > 0 ? size / time : 0,
           copy > 0 ? time / copy : 0);
}

static void run(const char *path, int repeat) {
    bsp_error error;
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
    if (map == NULL) {
        fprintf(stderr, "%s: %s\n", path, error.message);
    } else {
        job j = {file, map, 0};
        const char *slash = strrchr(path, '/');
        printf("%s (%.2f MB)\n", slash == NULL ? path : slash + 1,
               (double)bsp_file_get_info(file)->bytes.size / 1e6);
        print_work("mesh", do_mesh, &j, repeat);
        if (map->num_brushes != 0) {
            print_work("brushes", do_brushes, &j, repeat);
        }
        print_work("light", do_light, &j, repeat);
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(int argc, char **argv) {
    int repeat = REPEAT;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc) {
            repeat = atoi(argv[++i]);
            repeat = repeat < 1 ? 1 : repeat > MOST_REPEAT ? MOST_REPEAT : repeat;
        } else {
            run(argv[i], repeat);
        }
    }
    return 0;
}
