// SPDX-License-Identifier: MIT
// Traces a second: points and boxes on random, open and short segments, one thread and two, beside
// the plain test of every solid in the same run (on fewer segments), and the walk without AVX2.
//
//   bench/trace MAP...
#include "bench.h"

#include "query/index.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS 200000u
#define REPEATS 5           // the fastest is taken
#define SHORT_STEP 256.0f   // units per axis
#define PLAIN_WORK 4000000u // solids that the plain test tests at most

typedef struct scene {
    const bsp_map *map;
    bsp_trace_index *index;
    bsp_trace_input *inputs;
    bsp_trace_result *results;
} scene;

typedef enum segment_kind { RANDOM, OPEN, SHORT, NUM_KINDS } segment_kind;
static const char *const kind_names[] = {"random", "open", "short"};

static void anywhere(const bsp_map *map, uint64_t *r, float out[3]) {
    for (int i = 0; i < 3; i++) {
        float low = map->models[0].mins[i];
        out[i] = low + bench_random(r) * (map->models[0].maxs[i] - low);
    }
}

static bool is_open(const bsp_map *map, const float point[3]) {
    return bsp_query_cluster(map, point) != BSP_NONE;
}

static void make_segments(scene *s, segment_kind kind, bool box) {
    static const float mins[3] = {-16, -16, -24};
    static const float maxs[3] = {16, 16, 32};
    uint64_t r = 12345;
    memset(s->inputs, 0, SEGMENTS * sizeof *s->inputs);
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        bsp_trace_input *in = &s->inputs[i];
        anywhere(s->map, &r, in->start);
        for (int tries = 0; kind != RANDOM && tries < 1000 && !is_open(s->map, in->start);
             tries++) {
            anywhere(s->map, &r, in->start);
        }
        anywhere(s->map, &r, in->end);
        for (int k = 0; k < 3; k++) {
            if (kind == SHORT) {
                in->end[k] = in->start[k] + (bench_random(&r) * 2 - 1) * SHORT_STEP;
            }
            in->mins[k] = box ? mins[k] : 0;
            in->maxs[k] = box ? maxs[k] : 0;
        }
    }
}

// Returns nanoseconds per trace, the best of several runs.
static double measure(const scene *s, const bspi_tracer *tracer, uint32_t count) {
    double best = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        double start = bench_now();
        for (uint32_t k = 0; k < count; k++) {
            bspi_trace_with(s->index, tracer, &s->inputs[k], &s->results[k]);
        }
        double time = bench_now() - start;
        best = time < best ? time : best;
    }
    return best * 1e9 / count;
}

static double measure_batch(const scene *s, uint32_t first, uint32_t count) {
    double best = 1e30;
    for (int i = 0; i < REPEATS; i++) {
        double start = bench_now();
        bsp_trace_batch(s->index, s->inputs + first, s->results + first, count);
        double time = bench_now() - start;
        best = time < best ? time : best;
    }
    return best * 1e9 / count;
}

typedef struct half {
    const scene *s;
    uint32_t first;
} half;

static void *run_half(void *user) {
    const half *h = user;
    (void)measure_batch(h->s, h->first, SEGMENTS / 2);
    return NULL;
}

static double measure_two(const scene *s) {
    half halves[2] = {{s, 0}, {s, SEGMENTS / 2}};
    pthread_t other;
    double start = bench_wall();
    if (pthread_create(&other, NULL, run_half, &halves[1]) != 0) {
        return 0;
    }
    run_half(&halves[0]);
    pthread_join(other, NULL);
    return (bench_wall() - start) * 1e9 / ((double)SEGMENTS * REPEATS);
}

static void bench_kind(scene *s, segment_kind kind, bool box) {
    make_segments(s, kind, box);
    double fast = measure_batch(s, 0, SEGMENTS);
    double base = measure(s, &bspi_tracer_base, SEGMENTS);
    double two = measure_two(s);
    uint32_t solids = s->index->num_convexes + 1;
    uint32_t plain_count = PLAIN_WORK / solids < SEGMENTS ? PLAIN_WORK / solids + 1 : SEGMENTS;
    bool hulls = s->map->traits->contents_numbers;
    double plain = hulls ? 0 : measure(s, &bspi_tracer_plain, plain_count);
    printf("  %-6s %-5s %8.1f ns  two threads %8.1f  no AVX2 %8.1f  plain %10.1f  ratio %6.0f\n",
           kind_names[kind], box ? "box" : "point", fast, two, base, plain,
           hulls ? 0 : plain / fast);
}

static void bench_leaf(scene *s) {
    double best = 1e30;
    double slow = 1e30;
    uint64_t sum = 0;
    make_segments(s, RANDOM, false);
    for (int i = 0; i < REPEATS; i++) {
        double start = bench_now();
        for (uint32_t k = 0; k < SEGMENTS; k++) {
            sum += bsp_trace_leaf(s->index, s->inputs[k].start);
        }
        double middle = bench_now();
        for (uint32_t k = 0; k < SEGMENTS; k++) {
            sum -= bsp_query_leaf(s->map, s->inputs[k].start);
        }
        double end = bench_now();
        best = middle - start < best ? middle - start : best;
        slow = end - middle < slow ? end - middle : slow;
    }
    printf("  point in leaf %.1f ns by the index, %.1f by the map%s\n", best * 1e9 / SEGMENTS,
           slow * 1e9 / SEGMENTS, sum == 0 ? "" : " (they differ!)");
}

static void bench_map(const char *path) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
    double start = bench_now();
    scene s = {.map = map};
    s.index = map == NULL ? NULL : bsp_trace_index_new(map, NULL, &error);
    if (s.index == NULL) {
        fprintf(stderr, "%s: %s\n", path, error.message);
    } else {
        s.inputs = malloc(SEGMENTS * sizeof *s.inputs);
        s.results = malloc(SEGMENTS * sizeof *s.results);
        printf("%s: %.1f MB, %u solids, index %.1f MB in %.0f ms\n", path,
               (double)bsp_file_get_info(file)->bytes.size / 1e6, s.index->num_convexes,
               (double)bsp_trace_index_size(s.index) / 1e6, (bench_now() - start) * 1e3);
        for (int kind = 0; kind < NUM_KINDS && s.inputs != NULL && s.results != NULL; kind++) {
            bench_kind(&s, (segment_kind)kind, false);
            bench_kind(&s, (segment_kind)kind, true);
        }
        if (s.inputs != NULL && s.results != NULL) {
            bench_leaf(&s);
        }
        free(s.inputs);
        free(s.results);
    }
    bsp_trace_index_free(s.index);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        bench_map(argv[i]);
    }
    return argc > 1 ? 0 : 2;
}
