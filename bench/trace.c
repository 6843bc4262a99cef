// SPDX-License-Identifier: MIT
// Traces a second: points and boxes on random, open and short segments, in batches by one thread
// and two (wall clock), beside the plain test of every solid in the same run (on fewer segments),
// and the walk without AVX2. Medians, with least and most, of nanoseconds a trace.
//
//   bench/trace MAP...
#include "bench.h"

#include "query/index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS 200000u
#define REPEATS 7
#define SHORT_STEP 256.0f   // units per axis
#define PLAIN_WORK 4000000u // solids that the plain test tests at most

typedef struct scene {
    const bsp_map *map;
    bsp_trace_index *index;
    bsp_budget *budget; // of the index: says how many threads
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

// Nanoseconds a trace.
static bench_spread measure(const scene *s, const bspi_tracer *tracer, uint32_t count) {
    double times[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        double start = bench_now();
        for (uint32_t k = 0; k < count; k++) {
            bspi_trace_with(s->index, tracer, &s->inputs[k], &s->results[k]);
        }
        times[i] = (bench_now() - start) * 1e9 / count;
    }
    return bench_spread_of(times, REPEATS);
}

// Nanoseconds a trace: of the processor by one thread, of the wall clock by several.
static bench_spread measure_batch(const scene *s, uint32_t threads) {
    double times[REPEATS];
    double (*now)(void) = threads == 1 ? bench_now : bench_wall;
    bsp_budget_set_threads(s->budget, threads);
    for (int i = 0; i < REPEATS; i++) {
        double start = now();
        bsp_trace_batch(s->index, s->inputs, s->results, SEGMENTS);
        times[i] = (now() - start) * 1e9 / SEGMENTS;
    }
    return bench_spread_of(times, REPEATS);
}

static void bench_kind(scene *s, segment_kind kind, bool box) {
    make_segments(s, kind, box);
    bench_spread fast = measure_batch(s, 1);
    bench_spread two = measure_batch(s, 2);
    bench_spread base = measure(s, &bspi_tracer_base, SEGMENTS);
    uint32_t solids = s->index->num_convexes + 1;
    uint32_t plain_count = PLAIN_WORK / solids < SEGMENTS ? PLAIN_WORK / solids + 1 : SEGMENTS;
    bool hulls = s->map->traits->contents_numbers;
    printf("  %-6s %-5s", kind_names[kind], box ? "box" : "point");
    bench_print(fast, 1, 1);
    printf(" ns  two threads");
    bench_print(two, 1, 1);
    printf("  no AVX2");
    bench_print(base, 1, 1);
    if (!hulls) {
        double plain = measure(s, &bspi_tracer_plain, plain_count).median;
        printf("  plain %.1f  ratio %.0f", plain, plain / fast.median);
    }
    printf("\n");
}

static void bench_leaf(scene *s) {
    double by_index[REPEATS];
    double by_map[REPEATS];
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
        by_index[i] = (middle - start) * 1e9 / SEGMENTS;
        by_map[i] = (bench_now() - middle) * 1e9 / SEGMENTS;
    }
    printf("  point in leaf");
    bench_print(bench_spread_of(by_index, REPEATS), 1, 1);
    printf(" ns by the index,");
    bench_print(bench_spread_of(by_map, REPEATS), 1, 1);
    printf(" by the map%s\n", sum == 0 ? "" : " (they differ!)");
}

static void bench_map(const char *path) {
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
    double start = bench_now();
    scene s = {.map = map, .budget = bsp_budget_new(NULL, NULL)};
    bsp_trace_options options = {.budget = s.budget};
    s.index = map == NULL || s.budget == NULL ? NULL : bsp_trace_index_new(map, &options, &error);
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
    bsp_budget_free(s.budget);
    bsp_map_free(map);
    bsp_file_close(file);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        bench_map(argv[i]);
    }
    return argc > 1 ? 0 : 2;
}
