// SPDX-License-Identifier: MIT
// Traces a second: points and boxes on random, open and short segments, in batches by one thread
// and two (wall clock), beside the plain test of every solid in the same run (on fewer segments),
// the walk without AVX2, and with 500 props of three hulls each that are made here. Medians, with
// least and most, of nanoseconds a trace.
//
//   bench/trace MAP...
#include "bench.h"

#include "bspkit/solids.h"
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

#define PROPS 500u
#define HULLS 3u
#define RING 8u // corners of a hull, which has a point above and below them

typedef struct crowd {
    float points[HULLS * (RING + 2)][3];
    uint32_t indices[HULLS * RING * 6];
    bsp_model_hull hulls[HULLS];
    bsp_model_info info;
    bsp_model_mesh mesh;
    bsp_scene_model model;
    bsp_scene_prop props[PROPS];
    bsp_scene scene;
} crowd;

// A model of barrel-like hulls, 40 units high, above each other.
static void make_model(crowd *c) {
    static const float sides[RING][2] = {{16, 0},  {11, 11},   {0, 16},  {-11, 11},
                                         {-16, 0}, {-11, -11}, {0, -16}, {11, -11}};
    for (uint32_t h = 0; h < HULLS; h++) {
        uint32_t first = h * (RING + 2);
        float middle = 20.0F + 40.0F * (float)h;
        for (uint32_t i = 0; i < RING; i++) {
            const uint32_t corners[6] = {first + i,    first + (i + 1) % RING,
                                         first + RING, first + (i + 1) % RING,
                                         first + i,    first + RING + 1};
            memcpy(c->points[first + i], sides[i], sizeof sides[i]);
            c->points[first + i][2] = middle;
            memcpy(&c->indices[(h * RING + i) * 6], corners, sizeof corners);
        }
        c->points[first + RING][2] = middle + 20;
        c->points[first + RING + 1][2] = middle - 20;
        c->hulls[h] = (bsp_model_hull){.bone = BSP_NONE,
                                       .first_point = first,
                                       .num_points = RING + 2,
                                       .first_index = h * RING * 6,
                                       .num_indices = RING * 6};
    }
    c->mesh = (bsp_model_mesh){.hulls = c->hulls,
                               .num_hulls = HULLS,
                               .hull_points = (const float(*)[3])c->points,
                               .num_hull_points = HULLS * (RING + 2),
                               .hull_indices = c->indices,
                               .num_hull_indices = HULLS * RING * 6};
    c->model = (bsp_scene_model){.mesh = &c->mesh, .info = &c->info};
}

// Props in the open, turned anyhow.
static void place_props(crowd *c, const bsp_map *map) {
    uint64_t r = 777;
    for (uint32_t i = 0; i < PROPS; i++) {
        bsp_scene_prop *p = &c->props[i];
        float at[3], axes[3][3];
        const float angles[3] = {0, bench_random(&r) * 360, bench_random(&r) * 20};
        anywhere(map, &r, at);
        for (int tries = 0; tries < 1000 && !is_open(map, at); tries++) {
            anywhere(map, &r, at);
        }
        bsp_angle_axes(angles, axes);
        *p = (bsp_scene_prop){
            .kind = BSP_PROP_STATIC, .number = i, .scale = 1, .solid = 6, .contents = 1};
        for (int row = 0; row < 3; row++) {
            for (int column = 0; column < 3; column++) {
                p->place[row][column] = axes[column][row];
            }
            p->place[row][3] = at[row];
        }
    }
    c->scene = (bsp_scene){
        .map = map, .models = &c->model, .num_models = 1, .props = c->props, .num_props = PROPS};
}

// Nanoseconds a trace: of the world alone in `world`, and with props in `all`.
static void measure_props(const scene *s, const bsp_solids *solids, double *world, double *all,
                          uint32_t *hits) {
    bsp_solids_result result;
    *hits = 0;
    for (int i = 0; i < REPEATS; i++) {
        double start = bench_now();
        for (uint32_t k = 0; k < SEGMENTS; k++) {
            bsp_trace(s->index, &s->inputs[k], &s->results[k]);
        }
        double middle = bench_now();
        for (uint32_t k = 0; k < SEGMENTS; k++) {
            bsp_solids_trace(solids, &s->inputs[k], &result);
            *hits += i == 0 && result.prop != BSP_NONE;
        }
        world[i] = (middle - start) * 1e9 / SEGMENTS;
        all[i] = (bench_now() - middle) * 1e9 / SEGMENTS;
    }
}

static void bench_props(scene *s) {
    bsp_error error = {0};
    crowd *c = calloc(1, sizeof *c);
    if (c == NULL) {
        return;
    }
    make_model(c);
    place_props(c, s->map);
    double start = bench_now();
    bsp_solids *solids = bsp_solids_new(&c->scene, s->index, NULL, &error);
    double built = bench_now() - start;
    if (solids == NULL) {
        fprintf(stderr, "%s\n", error.message);
        free(c);
        return;
    }
    printf("  %u props of %u hulls made ready in %.2f ms, %.2f MB\n", PROPS, HULLS, built * 1e3,
           (double)bsp_solids_size(solids) / 1e6);
    for (int kind = 0; kind < NUM_KINDS * 2; kind++) {
        double world[REPEATS], all[REPEATS];
        uint32_t hits;
        make_segments(s, (segment_kind)(kind / 2), kind % 2 != 0);
        measure_props(s, solids, world, all, &hits);
        bench_spread w = bench_spread_of(world, REPEATS);
        bench_spread a = bench_spread_of(all, REPEATS);
        printf("  %-6s %-5s", kind_names[kind / 2], kind % 2 != 0 ? "box" : "point");
        bench_print(a, 1, 1);
        printf(" ns with props, without");
        bench_print(w, 1, 1);
        printf("  ratio %.2f, %.1f %% hit props\n", a.median / w.median, 100.0 * hits / SEGMENTS);
    }
    bsp_solids_free(solids);
    free(c);
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
            bench_props(&s);
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
