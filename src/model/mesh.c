// SPDX-License-Identifier: MIT
// Makes meshes of models: the object, the growth of its arrays, and what holds for every format.
#include "core/options.h"
#include "model/build.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum { VERTICES, WEIGHTS, NUMBERS, INDICES, GROUPS, LISTS };

static const size_t element_size[LISTS] = {
    [VERTICES] = sizeof(bsp_model_vertex), [WEIGHTS] = sizeof(bsp_model_weights),
    [NUMBERS] = sizeof(uint32_t),          [INDICES] = sizeof(uint32_t),
    [GROUPS] = sizeof(bsp_model_group),
};

/// A mesh and what it owns.
typedef struct owned_mesh {
    bsp_model_mesh mesh;
    bspi_heap heap;
    bspi_arena arena;
    bspi_model_list lists[LISTS];
} owned_mesh;

// --- what formats add ---------------------------------------------------------------------------

// Returns room for one more element, or NULL.
static void *grow(bspi_model_builder *b, int which) {
    bspi_model_list *list = &b->lists[which];
    size_t size = element_size[which];
    void *data = b->failed || list->count == BSP_NONE - 1
                     ? NULL
                     : bspi_grow(b->heap, list->data, list->count, &list->room, size, b->error);
    if (data == NULL || !bspi_meter_add(&b->meter, 1)) {
        b->failed = true;
        list->data = data == NULL ? list->data : data;
        return NULL;
    }
    list->data = data;
    return (char *)data + size * list->count++;
}

static bsp_model_group *last_group(const bspi_model_builder *b) {
    const bspi_model_list *list = &b->lists[GROUPS];
    return list->count == 0 ? NULL : (bsp_model_group *)list->data + list->count - 1;
}

// Drops the last group, with its vertices, if it has no triangles.
static void drop_empty_group(bspi_model_builder *b) {
    const bsp_model_group *last = last_group(b);
    if (last != NULL && last->num_indices == 0) {
        b->lists[VERTICES].count = last->first_vertex;
        b->lists[WEIGHTS].count = b->lists[WEIGHTS].count == 0 ? 0 : last->first_vertex;
        b->lists[NUMBERS].count = b->lists[NUMBERS].count == 0 ? 0 : last->first_vertex;
        b->lists[GROUPS].count--;
    }
}

bool bspi_build_group(bspi_model_builder *b, uint32_t material, uint32_t body_part, bsp_text name) {
    drop_empty_group(b);
    bsp_model_group *group = grow(b, GROUPS);
    if (group == NULL) {
        return false;
    }
    char *copy = bspi_arena_text(b->arena, name, b->error);
    b->failed = b->failed || copy == NULL;
    *group = (bsp_model_group){.material = material,
                               .body_part = body_part,
                               .name = {copy, copy == NULL ? 0 : name.size},
                               .first_vertex = b->lists[VERTICES].count,
                               .first_index = b->lists[INDICES].count};
    b->num_vertices = group->first_vertex;
    return !b->failed;
}

static void make_finite(float *values, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        values[i] = isfinite(values[i]) ? values[i] : 0;
    }
}

static void make_unit(float normal[3]) {
    make_finite(normal, 3);
    double length =
        sqrt((double)normal[0] * (double)normal[0] + (double)normal[1] * (double)normal[1] +
             (double)normal[2] * (double)normal[2]);
    for (int i = 0; i < 3; i++) {
        normal[i] = length > 0 ? (float)((double)normal[i] / length) : i == 2 ? 1.0F : 0.0F;
    }
}

static void set_weights(const bspi_model_builder *b, const bsp_model_weights *from,
                        bsp_model_weights *to) {
    double sum = 0;
    memset(to, 0, sizeof *to);
    for (int i = 0; i < 4; i++) {
        bool used = isfinite(from->weight[i]) && from->weight[i] > 0;
        to->weight[i] = used ? from->weight[i] : 0;
        to->bone[i] = used && from->bone[i] < b->mesh->num_bones ? from->bone[i] : 0;
        sum += (double)to->weight[i];
    }
    for (int i = 0; i < 4 && sum > 0; i++) {
        to->weight[i] = (float)((double)to->weight[i] / sum);
    }
    to->weight[0] = sum > 0 ? to->weight[0] : 1;
}

uint32_t bspi_build_vertex(bspi_model_builder *b, const bsp_model_vertex *vertex,
                           const bsp_model_weights *weights) {
    assert(b->lists[GROUPS].count != 0 || b->failed);
    bsp_model_vertex *to = grow(b, VERTICES);
    bsp_model_weights *bones = to == NULL || weights == NULL ? NULL : grow(b, WEIGHTS);
    if (b->failed) {
        return BSP_NONE;
    }
    *to = *vertex;
    make_finite(to->position, 3);
    make_finite(to->uv, 2);
    make_unit(to->normal);
    if (bones != NULL) {
        set_weights(b, weights, bones);
    }
    bsp_model_group *group = last_group(b);
    if (group == NULL) {
        return BSP_NONE;
    }
    group->num_vertices++;
    b->num_vertices = b->lists[VERTICES].count;
    return b->num_vertices - 1;
}

bool bspi_build_number(bspi_model_builder *b, uint32_t number) {
    uint32_t *to = grow(b, NUMBERS);
    if (to != NULL) {
        *to = number;
    }
    return to != NULL;
}

static bool is_in(const bsp_model_group *group, uint32_t vertex) {
    return vertex >= group->first_vertex && vertex - group->first_vertex < group->num_vertices;
}

bool bspi_build_triangle(bspi_model_builder *b, uint32_t a, uint32_t c, uint32_t d) {
    const uint32_t corners[3] = {a, d, c}; // counter-clockwise
    bsp_model_group *group = last_group(b);
    if (b->failed || group == NULL) {
        return !b->failed;
    }
    if (!is_in(group, a) || !is_in(group, c) || !is_in(group, d)) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        uint32_t *index = grow(b, INDICES);
        if (index == NULL) {
            return false;
        }
        *index = corners[i];
    }
    group->num_indices += 3;
    return true;
}

// --- corners ------------------------------------------------------------------------------------

bool bspi_corners_new(bspi_model_builder *b, uint32_t most, bspi_corners *out) {
    out->size = 16;
    while (out->size < (size_t)most * 2) {
        out->size *= 2;
    }
    out->keys = bspi_heap_alloc(b->heap, out->size * sizeof *out->keys, b->error);
    out->values = out->keys == NULL
                      ? NULL
                      : bspi_heap_alloc(b->heap, out->size * sizeof *out->values, b->error);
    if (out->values == NULL) {
        bspi_heap_free(b->heap, out->keys, out->size * sizeof *out->keys);
        b->failed = true;
        return false;
    }
    bspi_corners_clear(out);
    return true;
}

void bspi_corners_clear(bspi_corners *corners) {
    memset(corners->values, 0xFF, corners->size * sizeof *corners->values);
}

void bspi_corners_free(bspi_model_builder *b, bspi_corners *corners) {
    bspi_heap_free(b->heap, corners->keys, corners->size * sizeof *corners->keys);
    bspi_heap_free(b->heap, corners->values, corners->size * sizeof *corners->values);
}

uint32_t *bspi_corners_at(bspi_model_builder *b, bspi_corners *corners, uint32_t first,
                          uint32_t second) {
    uint64_t key = (uint64_t)first << 32 | second;
    // A hash by multiplication (Knuth): the high bits are well mixed.
    size_t at = (size_t)((key * 0x9E3779B97F4A7C15u) >> 32) & (corners->size - 1);
    while (corners->values[at] != BSP_NONE && corners->keys[at] != key) {
        at = (at + 1) & (corners->size - 1);
        (void)bspi_meter_add(&b->meter, 1); // pairs of a hostile file may all meet
    }
    corners->keys[at] = key;
    return &corners->values[at];
}

// --- the mesh -----------------------------------------------------------------------------------

static void find_bounds(bsp_model_mesh *mesh) {
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        const float *p = mesh->vertices[i].position;
        for (int axis = 0; axis < 3; axis++) {
            mesh->mins[axis] = i == 0 || p[axis] < mesh->mins[axis] ? p[axis] : mesh->mins[axis];
            mesh->maxs[axis] = i == 0 || p[axis] > mesh->maxs[axis] ? p[axis] : mesh->maxs[axis];
        }
    }
}

// Hands the lists to the mesh.
static void set_lists(owned_mesh *own) {
    bsp_model_mesh *mesh = &own->mesh;
    mesh->vertices = own->lists[VERTICES].data;
    mesh->num_vertices = own->lists[VERTICES].count;
    mesh->weights = mesh->num_bones == 0 || own->lists[WEIGHTS].count != mesh->num_vertices
                        ? NULL
                        : own->lists[WEIGHTS].data;
    mesh->vertex_numbers =
        own->lists[NUMBERS].count != mesh->num_vertices ? NULL : own->lists[NUMBERS].data;
    mesh->indices = own->lists[INDICES].data;
    mesh->num_indices = own->lists[INDICES].count;
    mesh->groups = own->lists[GROUPS].data;
    mesh->num_groups = own->lists[GROUPS].count;
    find_bounds(mesh);
}

static bool build(owned_mesh *own, const bsp_model_asset *model, const bsp_model_pose *pose,
                  bsp_error *error) {
    bspi_model_builder b = {.model = model,
                            .pose = pose,
                            .mesh = &own->mesh,
                            .heap = &own->heap,
                            .arena = &own->arena,
                            .meter = {.heap = &own->heap, .error = error},
                            .error = error,
                            .lists = own->lists};
    bool done = model->def->build(&b) && !b.failed && bspi_meter_pay(&b.meter);
    if (done) {
        drop_empty_group(&b);
        set_lists(own);
    }
    return done;
}

bsp_model_mesh *bsp_model_mesh_build(const bsp_model_asset *model, const bsp_model_pose *pose,
                                     bsp_error *error) {
    assert(model != NULL);
    bsp_model_pose taken;
    if (!BSPI_TAKE_OPTIONS(taken, pose, error)) {
        return NULL;
    }
    const bsp_allocator *allocator =
        taken.allocator != NULL ? taken.allocator : &model->heap.allocator;
    owned_mesh *own = bspi_object_new(allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&own->heap, BSP_PRODUCT_MODEL, model->heap.bytes,
                       taken.budget != NULL ? taken.budget : model->heap.budget, allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->mesh.owner = own;
    if (!build(own, model, &taken, error)) {
        bsp_model_mesh_free(&own->mesh);
        return NULL;
    }
    return &own->mesh;
}

void bsp_model_mesh_free(bsp_model_mesh *mesh) {
    owned_mesh *own = mesh == NULL ? NULL : mesh->owner;
    if (own == NULL) {
        return;
    }
    for (int i = 0; i < LISTS; i++) {
        bspi_heap_free(&own->heap, own->lists[i].data, own->lists[i].room * element_size[i]);
    }
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
