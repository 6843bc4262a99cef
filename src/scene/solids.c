// SPDX-License-Identifier: MIT
// Takes the solid props of a scene, and frees them.
#include "scene/solid.h"

#include "core/options.h"
#include "map/heap.h"
#include "query/collide.h"

#include <math.h>
#include <string.h>

#define HULLS 6u
#define BOX 2u
#define LEAST_SCALE 1e-6 // of a place; smaller ones are no solid

typedef struct taker {
    bsp_solids *solids;
    const bsp_scene *scene;
    bspi_solid_shape *shapes;
    bspi_solid_prop *props;
    bool *made; // for each model: its shape is
    bspi_meter meter;
    bsp_error *error;
} taker;

// The inverse of a place. False if it has none, or numbers that are not finite.
static bool invert(const float place[3][4], bspi_solid_prop *p) {
    double m[3][3], det = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = p->turn[i][j] = place[i][j];
        }
        p->origin[i] = place[i][3];
    }
    for (int j = 0; j < 3; j++) {
        int a = (j + 1) % 3, b = (j + 2) % 3;
        det += m[0][j] * (m[1][a] * m[2][b] - m[1][b] * m[2][a]);
    }
    p->scale = cbrt(fabs(det));
    bool sound = p->scale > LEAST_SCALE && p->scale < 1 / LEAST_SCALE;
    for (int i = 0; i < 3; i++) {
        sound = sound && fabs(p->origin[i]) < (double)BSPI_FAR;
        for (int j = 0; j < 3; j++) {
            int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
            p->into[j][i] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / det;
            sound = sound && fabs(p->into[j][i]) < 1 / LEAST_SCALE;
        }
    }
    return sound;
}

// The box in the world around a box of the model, rounded outwards.
static void enclose(bspi_solid_prop *p, const float box[2][3]) {
    for (int i = 0; i < 3; i++) {
        double low = p->origin[i], high = p->origin[i];
        for (int j = 0; j < 3; j++) {
            double a = p->turn[i][j] * (double)box[0][j];
            double b = p->turn[i][j] * (double)box[1][j];
            low += a < b ? a : b;
            high += a < b ? b : a;
        }
        p->box[0][i] = nextafterf((float)low, -INFINITY);
        p->box[1][i] = nextafterf((float)high, INFINITY);
    }
}

static bool has_box(const float box[2][3]) {
    for (int i = 0; i < 3; i++) {
        if (!(box[0][i] > -BSPI_FAR && box[0][i] <= box[1][i] && box[1][i] < BSPI_FAR)) {
            return false;
        }
    }
    return true;
}

// The shape of a model, made when it is first asked for.
static bool need_shape(taker *t, uint32_t model) {
    const bsp_model_mesh *mesh = t->scene->models[model].mesh;
    if (t->made[model]) {
        return true;
    }
    t->made[model] = true;
    bspi_heap_extend(&t->solids->heap,
                     (uint64_t)mesh->num_hull_indices * 4 + (uint64_t)mesh->num_hull_points * 12);
    return bspi_solid_shape_make(&t->shapes[model], mesh, &t->solids->arena, &t->meter);
}

static bool take_prop(taker *t, uint32_t number) {
    const bsp_scene_prop *from = &t->scene->props[number];
    bspi_solid_prop p = {.shape = BSP_NONE,
                         .prop = number,
                         .entity = from->kind == BSP_PROP_ENTITY ? from->number : BSP_NONE,
                         .contents = from->contents,
                         .needs = from->needs};
    bool sound = false;
    if (!bspi_meter_add(&t->meter, 1)) {
        return false;
    }
    if (from->solid == BOX && has_box(from->solid_box)) {
        memcpy(p.box, from->solid_box, sizeof p.box);
        sound = true;
    } else if (from->solid == HULLS && from->model < t->scene->num_models &&
               invert(from->place, &p)) {
        if (!need_shape(t, from->model)) {
            return false;
        }
        const bspi_solid_shape *shape = &t->shapes[from->model];
        p.shape = from->model;
        if (shape->num_convexes != 0) {
            enclose(&p, (const float(*)[3])shape->box);
            sound = has_box((const float(*)[3])p.box);
        }
    }
    if (sound) {
        t->props[t->solids->num_props++] = p;
    }
    return true;
}

static bool build_tree(taker *t) {
    bsp_solids *s = t->solids;
    size_t size = (size_t)s->num_props * sizeof(float[2][3]);
    float(*boxes)[2][3] = bspi_heap_alloc(&s->heap, size, t->error);
    for (uint32_t i = 0; boxes != NULL && i < s->num_props; i++) {
        memcpy(boxes[i], t->props[i].box, sizeof boxes[i]);
    }
    bool done = boxes != NULL && bspi_box_tree_build(&s->tree, (const float(*)[2][3])boxes,
                                                     s->num_props, &s->arena, &t->meter);
    bspi_heap_free(&s->heap, boxes, size);
    return done;
}

static bool take_all(taker *t) {
    bsp_solids *s = t->solids;
    uint32_t solid = 0; // props that may be
    for (uint32_t i = 0; i < t->scene->num_props; i++) {
        solid += t->scene->props[i].solid == BOX || t->scene->props[i].solid == HULLS;
    }
    size_t models = t->scene->num_models;
    t->shapes = bspi_arena_zero(&s->arena, models, sizeof *t->shapes, t->error);
    t->props = bspi_arena_raw(&s->arena, solid, sizeof *t->props, t->error);
    t->made = bspi_heap_alloc(&s->heap, models, t->error);
    bool done = t->shapes != NULL && t->props != NULL && t->made != NULL;
    if (done) {
        memset(t->made, 0, models);
    }
    for (uint32_t i = 0; done && i < t->scene->num_props; i++) {
        done = take_prop(t, i);
    }
    bspi_heap_free(&s->heap, t->made, models);
    s->shapes = t->shapes;
    s->num_shapes = (uint32_t)models;
    s->props = t->props;
    return done && build_tree(t) && bspi_meter_pay(&t->meter);
}

bsp_solids *bsp_solids_new(const bsp_scene *scene, const bsp_trace_index *index,
                           const bsp_solids_options *options, bsp_error *error) {
    assert(scene != NULL && scene->map != NULL);
    const bsp_map *of = index == NULL ? scene->map : index->map;
    assert(of == scene->map);
    (void)of;
    bsp_solids_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    bsp_solids *s = bspi_object_new(taken.allocator, sizeof *s, error);
    if (s == NULL) {
        return NULL;
    }
    bspi_map_heap(&s->heap, BSP_PRODUCT_TRACE, scene->map, taken.budget, taken.allocator);
    bspi_arena_init(&s->arena, &s->heap);
    s->index = index;
    s->rules = bspi_rules_of(scene->map->traits->clip);
    s->sight_mask = scene->map->traits->sight_mask;
    s->contents_numbers = scene->map->traits->contents_numbers;
    taker t = {
        .solids = s, .scene = scene, .meter = {.heap = &s->heap, .error = error}, .error = error};
    if (!take_all(&t)) {
        bsp_solids_free(s);
        return NULL;
    }
    return s;
}

void bsp_solids_free(bsp_solids *solids) {
    if (solids == NULL) {
        return;
    }
    bspi_arena_free(&solids->arena);
    bspi_object_free(solids, sizeof *solids, &solids->heap.allocator);
}

uint32_t bsp_solids_count(const bsp_solids *solids) {
    assert(solids != NULL);
    return solids->num_props;
}

size_t bsp_solids_size(const bsp_solids *solids) {
    assert(solids != NULL);
    return sizeof *solids + solids->heap.used;
}
