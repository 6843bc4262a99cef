// SPDX-License-Identifier: MIT
// Asks a peer and bspkit the same questions about the same maps: segments of points and boxes,
// contents and leaves of points. Both answer in one run, alternating round by round; a line of the
// Markdown table has nanoseconds of processor time a question (least / median / most of the
// rounds), the ratio of bspkit's least to the peer's, and how many of the 100000 answers differ (in
// brackets: by more than a quarter of a unit). Batches have one thread, or as many as are said.
// Each peer is a program of its own: this file, the peer's, and the peer's sources.
//
//   build/bench/peers/NAME [--rounds N] [--threads N] MAP...
#include "../bench.h"
#include "peer.h"

#include "bspkit/bspkit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEGMENTS 100000u
#define MOST_ROUNDS 101
#define SHORT_STEP 256.0f // units per axis
#define NEAR 0.25f        // units between two ends that agree: Quake 3 stops 1/8 before a surface

static int rounds = 7;
static uint32_t threads = 1; // of batches

typedef enum segment_kind { RANDOM, OPEN, SHORT, NUM_KINDS } segment_kind;
static const char *const kind_names[] = {"random", "open", "short"};

typedef struct scene {
    const char *name;
    bsp_map *map;
    bsp_trace_index *index;
    bsp_trace_input *inputs;
    bsp_trace_result *results;
    peer_segment *segments;
    peer_answer *answers;
    float (*points)[3];
    int *numbers[2];
} scene;

// --- the questions ------------------------------------------------------------------------------

static void anywhere(const bsp_map *map, uint64_t *r, float out[3]) {
    for (int i = 0; i < 3; i++) {
        float low = map->models[0].mins[i];
        out[i] = low + bench_random(r) * (map->models[0].maxs[i] - low);
    }
}

static bool is_open(const bsp_map *map, const float point[3]) {
    return bsp_query_cluster(map, point) != BSP_NONE;
}

static void set_box(const scene *s, bsp_trace_input *in, bool box) {
    static const float mins[3] = {-16, -16, -24};
    static const float maxs[3] = {16, 16, 32};
    for (int k = 0; k < 3; k++) {
        in->mins[k] = box ? mins[k] : 0;
        in->maxs[k] = box ? maxs[k] : 0;
    }
    // A hull's segment is that of its own origin for both.
    if (s->map->traits->num_hulls != 0) {
        in->hull = box ? 2 : 1;
    }
}

// As bench/trace.c makes them.
static void make_segments(scene *s, segment_kind kind, bool box) {
    uint64_t r = 12345;
    memset(s->inputs, 0, SEGMENTS * sizeof *s->inputs);
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        bsp_trace_input *in = &s->inputs[i];
        peer_segment *out = &s->segments[i];
        anywhere(s->map, &r, in->start);
        for (int tries = 0; kind != RANDOM && tries < 1000 && !is_open(s->map, in->start);
             tries++) {
            anywhere(s->map, &r, in->start);
        }
        anywhere(s->map, &r, in->end);
        for (int k = 0; kind == SHORT && k < 3; k++) {
            in->end[k] = in->start[k] + (bench_random(&r) * 2 - 1) * SHORT_STEP;
        }
        set_box(s, in, box);
        memcpy(out->start, in->start, sizeof out->start);
        memcpy(out->end, in->end, sizeof out->end);
        memcpy(out->mins, in->mins, sizeof out->mins);
        memcpy(out->maxs, in->maxs, sizeof out->maxs);
        out->hull = in->hull == 0 ? 0 : (int)in->hull - 1;
        memcpy(s->points[i], in->start, sizeof in->start);
    }
}

// --- ways to answer -----------------------------------------------------------------------------

static void trace_peer(scene *s) {
    the_peer.trace(s->segments, s->answers, SEGMENTS);
}

static void trace_peer_many(scene *s) {
    the_peer.trace_many(s->segments, s->answers, SEGMENTS);
}

static void trace_single(scene *s) {
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        bsp_trace(s->index, &s->inputs[i], &s->results[i]);
    }
}

static void trace_batch(scene *s) {
    bsp_trace_batch(s->index, s->inputs, s->results, SEGMENTS);
}

static void contents_peer(scene *s) {
    the_peer.contents((const float(*)[3])s->points, s->numbers[0], SEGMENTS);
}

static void contents_map(scene *s) {
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        s->numbers[1][i] = bsp_query_contents(s->map, 0, s->points[i]);
    }
}

static void contents_index(scene *s) {
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        s->numbers[1][i] = bsp_trace_contents(s->index, 0, s->points[i]);
    }
}

static void leaves_peer(scene *s) {
    the_peer.leaves((const float(*)[3])s->points, s->numbers[0], SEGMENTS);
}

static void leaves_map(scene *s) {
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        s->numbers[1][i] = (int)bsp_query_leaf(s->map, s->points[i]);
    }
}

static void leaves_index(scene *s) {
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        s->numbers[1][i] = (int)bsp_trace_leaf(s->index, s->points[i]);
    }
}

// --- the table ----------------------------------------------------------------------------------

typedef struct way {
    void (*answer)(scene *s); // NULL: none
    double times[MOST_ROUNDS];
} way;

// Least, median and most.
static void print_way(way *w) {
    if (w->answer == NULL) {
        printf(" |");
        return;
    }
    double median = bench_median(w->times, rounds);
    double scale = 1e9 / SEGMENTS;
    printf(" %.0f / %.0f / %.0f |", w->times[0] * scale, median * scale,
           w->times[rounds - 1] * scale);
}

static void print_ratio(const way *ours, const way *peers) {
    if (ours->answer == NULL || peers->answer == NULL) {
        printf(" |");
    } else {
        printf(" %.2f |", ours->times[0] / peers->times[0]);
    }
}

static void count_traces(const scene *s) {
    uint32_t same = 0;
    uint32_t near = 0;
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        const peer_answer *a = &s->answers[i];
        const bsp_trace_result *b = &s->results[i];
        float apart = 0;
        for (int k = 0; k < 3; k++) {
            apart = fmaxf(apart, fabsf(a->end[k] - b->end[k]));
        }
        bool solid = the_peer.wants_triangles ||
                     (!a->start_solid == !b->start_solid && !a->all_solid == !b->all_solid);
        same += solid && a->fraction == b->fraction;
        near += solid && apart <= NEAR;
    }
    printf(" %u (%u) |\n", SEGMENTS - same, SEGMENTS - near);
}

static void count_numbers(const scene *s) {
    uint32_t same = 0;
    for (uint32_t i = 0; i < SEGMENTS; i++) {
        same += s->numbers[0][i] == s->numbers[1][i];
    }
    printf(" %u |\n", SEGMENTS - same);
}

// The first way is the peer's, the second bspkit's, the third its batch or index.
static void compare(scene *s, const char *what, way ways[3], void (*agree)(const scene *s)) {
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 3; i++) {
            double start = bench_clock(CLOCK_PROCESS_CPUTIME_ID);
            if (ways[i].answer != NULL) {
                ways[i].answer(s);
            }
            ways[i].times[round] = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - start;
        }
    }
    printf("| %.*s | %s | %s |", (int)strcspn(s->name, "."), s->name, what, the_peer.name);
    print_way(&ways[0]);
    for (int i = 1; i < 3; i++) {
        print_way(&ways[i]);
        print_ratio(&ways[i], &ways[0]);
    }
    if (ways[0].answer == NULL) {
        printf(" |\n");
    } else {
        agree(s);
    }
    fflush(stdout);
}

static void compare_traces(scene *s) {
    for (int box = 0; box <= the_peer.boxes; box++) {
        for (int kind = 0; kind < NUM_KINDS; kind++) {
            way ways[3] = {{.answer = the_peer.trace == NULL ? NULL : trace_peer},
                           {.answer = trace_single},
                           {.answer = trace_batch}};
            char what[32];
            snprintf(what, sizeof what, "%s %s", box ? "box" : "point", kind_names[kind]);
            make_segments(s, (segment_kind)kind, box);
            compare(s, what, ways, count_traces);
            if (the_peer.trace_many != NULL) {
                way many[3] = {
                    {.answer = trace_peer_many}, {.answer = NULL}, {.answer = trace_batch}};
                snprintf(what, sizeof what, "%s, many a call", kind_names[kind]);
                compare(s, what, many, count_traces);
            }
        }
    }
}

static void compare_points(scene *s) {
    for (int kind = 0; kind < SHORT && !the_peer.wants_triangles; kind++) {
        way contents[3] = {{.answer = the_peer.contents == NULL ? NULL : contents_peer},
                           {.answer = contents_map},
                           {.answer = contents_index}};
        way leaves[3] = {{.answer = the_peer.leaves == NULL ? NULL : leaves_peer},
                         {.answer = leaves_map},
                         {.answer = leaves_index}};
        char what[32];
        make_segments(s, (segment_kind)kind, false);
        snprintf(what, sizeof what, "contents %s", kind_names[kind]);
        compare(s, what, contents, count_numbers);
        snprintf(what, sizeof what, "leaf %s", kind_names[kind]);
        compare(s, what, leaves, count_numbers);
    }
}

// --- triangles ----------------------------------------------------------------------------------

typedef struct soup {
    float *points;
    size_t num_points;
    unsigned *indices;
    size_t num_indices;
} soup;

static bool soup_room(soup *out, size_t points, size_t indices) {
    float *more = realloc(out->points, (out->num_points + points) * 3 * sizeof *more);
    out->points = more == NULL ? out->points : more;
    unsigned *longer = realloc(out->indices, (out->num_indices + indices) * sizeof *longer);
    out->indices = longer == NULL ? out->indices : longer;
    return more != NULL && longer != NULL;
}

// The sides of the world's solid brushes.
static void add_brushes(const bsp_map *map, soup *out) {
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(map, NULL, NULL);
    const bsp_model *world = &map->models[0];
    if (mesh == NULL || !soup_room(out, mesh->num_points, 3 * (size_t)mesh->num_indices)) {
        bsp_brush_mesh_free(mesh);
        return;
    }
    for (uint32_t i = 0; i < mesh->num_points; i++) {
        for (int k = 0; k < 3; k++) {
            out->points[3 * i + (uint32_t)k] = (float)mesh->points[i].at[k];
        }
    }
    out->num_points = mesh->num_points;
    for (uint32_t b = 0; b < world->num_brushes && b < mesh->num_hulls; b++) {
        const bsp_brush_hull *hull = &mesh->hulls[world->first_brush + b];
        bool solid = (map->brushes[world->first_brush + b].contents & 1) != 0;
        for (uint32_t p = 0; solid && p < hull->num_polygons; p++) {
            const bsp_brush_polygon *polygon = &mesh->polygons[hull->first_polygon + p];
            const uint32_t *at = mesh->indices + polygon->first_index;
            for (uint32_t k = 2; k < polygon->num_indices; k++) {
                out->indices[out->num_indices++] = at[0];
                out->indices[out->num_indices++] = at[k - 1];
                out->indices[out->num_indices++] = at[k];
            }
        }
    }
    bsp_brush_mesh_free(mesh);
}

// The world's solid patches, a unit from their curves at most.
static void add_patches(const bsp_map *map, soup *out) {
    bsp_mesh_options options = {.num_models = 1, .hidden = true, .sky = true};
    bsp_mesh *mesh = bsp_mesh_build(map, &options, NULL);
    if (mesh == NULL || !soup_room(out, mesh->num_vertices, mesh->num_indices)) {
        bsp_mesh_free(mesh);
        return;
    }
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        memcpy(out->points + 3 * (out->num_points + i), mesh->vertices[i].position, 12);
    }
    for (uint32_t i = 0; i < mesh->num_faces; i++) {
        const bsp_mesh_face *face = &mesh->faces[i];
        const bsp_face *from = &map->faces[face->face];
        if (from->type == BSP_FACE_PATCH && from->material < map->num_materials &&
            (map->materials[from->material].contents & 1) != 0) {
            for (uint32_t k = 0; k < face->num_indices; k++) {
                out->indices[out->num_indices++] =
                    (unsigned)out->num_points + mesh->indices[face->first_index + k];
            }
        }
    }
    out->num_points += mesh->num_vertices;
    bsp_mesh_free(mesh);
}

static int load_peer(const char *path, const bsp_map *map) {
    soup all = {0};
    if (the_peer.wants_triangles) {
        add_brushes(map, &all);
        add_patches(map, &all);
        fprintf(stderr, "%s: %zu triangles\n", path, all.num_indices / 3);
    }
    peer_triangles triangles = {all.points, all.num_points, all.indices, all.num_indices};
    int loaded = the_peer.load(path, &triangles);
    free(all.points);
    free(all.indices);
    return loaded;
}

// --- the program --------------------------------------------------------------------------------

static bool make_room(scene *s) {
    s->inputs = malloc(SEGMENTS * sizeof *s->inputs);
    s->results = malloc(SEGMENTS * sizeof *s->results);
    s->segments = malloc(SEGMENTS * sizeof *s->segments);
    s->answers = malloc(SEGMENTS * sizeof *s->answers);
    s->points = malloc(SEGMENTS * sizeof *s->points);
    s->numbers[0] = malloc(SEGMENTS * sizeof **s->numbers);
    s->numbers[1] = malloc(SEGMENTS * sizeof **s->numbers);
    return s->inputs != NULL && s->results != NULL && s->segments != NULL && s->answers != NULL &&
           s->points != NULL && s->numbers[0] != NULL && s->numbers[1] != NULL;
}

static int bench_map(const char *path) {
    const char *slash = strrchr(path, '/');
    bsp_error error = {0};
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_budget *budget = bsp_budget_new(NULL, NULL);
    bsp_trace_options options = {.budget = budget};
    scene s = {.name = slash == NULL ? path : slash + 1};
    s.map = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
    s.index = s.map == NULL ? NULL : bsp_trace_index_new(s.map, &options, &error);
    int done = s.index != NULL && load_peer(path, s.map) && make_room(&s);
    if (budget != NULL) {
        bsp_budget_set_threads(budget, threads);
    }
    if (done) {
        compare_points(&s);
        compare_traces(&s);
    } else {
        fprintf(stderr, "%s: %s\n", path, error.message);
    }
    free(s.inputs);
    free(s.results);
    free(s.segments);
    free(s.answers);
    free(s.points);
    free(s.numbers[0]);
    free(s.numbers[1]);
    bsp_trace_index_free(s.index);
    bsp_budget_free(budget);
    bsp_map_free(s.map);
    bsp_file_close(file);
    return done;
}

int main(int argc, char **argv) {
    int first = 1;
    for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
        if (strcmp(argv[first], "--rounds") == 0) {
            rounds = atoi(argv[first + 1]);
        } else if (strcmp(argv[first], "--threads") == 0) {
            threads = (uint32_t)strtoul(argv[first + 1], NULL, 10);
        }
    }
    if (first >= argc || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: %s [--rounds N] [--threads N] MAP...\n", argv[0]);
        return 2;
    }
    printf("| map | question | peer | its ns | bspkit, ns | ratio | batch or index, ns | ratio | "
           "answers that differ |\n|---|---|---|---|---|---|---|---|---|\n");
    int failed = 0;
    for (int i = first; i < argc; i++) {
        failed |= !bench_map(argv[i]);
    }
    return failed;
}
