// SPDX-License-Identifier: MIT
// Shapes of props: what stands in the map with the same model, look and tint shares a shape. Where
// light is written at the vertices, props of one shape also have the same light and stand turned in
// the same way; their shapes share all arrays but the colours.
#include "export/content.h"

#include "scene/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GLOW_LIFT 0.0625F // units
#define DETAIL_STEPS 12   // of light as displayed, from none to full

// A shape, and what tells the props that have it from others.
typedef struct wanted {
    const bsp_scene_prop *prop;
    uint32_t number; // of the prop
    bool lit;
} wanted;

bool bspi_props_are_lit(const bspi_content *content) {
    return content->options->light == BSP_EXPORT_LIGHT_BAKED ||
           content->options->light == BSP_EXPORT_LIGHT_VERTEX;
}

bool bspi_paint_is_layer(const bspi_content *content, const bspi_paint *paint) {
    return bspi_props_are_lit(content) && paint != NULL && paint->glow != BSP_NONE;
}

bool bspi_model_has_colors(const bspi_content *content, uint32_t model) {
    const bsp_model_mesh *mesh = content->scene->models[model].mesh;
    const bsp_mesh_vertex *vertices = content->model_vertices[model];
    static const uint8_t white[3] = {255, 255, 255};
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        if (memcmp(vertices[v].color, white, sizeof white) != 0) {
            return true;
        }
    }
    return false;
}

bool bspi_model_turns(const bspi_content *content, uint32_t model) {
    return bspi_mesh_turns(content->scene->models[model].mesh);
}

static bool is_written(const bspi_content *content, uint32_t number) {
    const bsp_scene_prop *prop = &content->scene->props[number];
    if (bspi_sky_room_hides(content, content->room.found && content->room.props[number] != 0)) {
        return false;
    }
    return prop->shown || content->options->hidden;
}

// --- order --------------------------------------------------------------------------------------

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int compare_floats(const float *a, const float *b, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (a[i] < b[i] || a[i] > b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

static int compare_looks(const bsp_entity_look *a, const bsp_entity_look *b) {
    int order = compare_numbers(a->mode, b->mode);
    order = order != 0 ? order : compare_numbers(a->unlit, b->unlit);
    order = order != 0 ? order : compare_numbers(a->plain, b->plain);
    order = order != 0 ? order : memcmp(a->color, b->color, sizeof a->color);
    return order != 0 ? order : compare_floats(&a->opacity, &b->opacity, 1);
}

static int compare_lights(const bsp_scene_prop *a, const bsp_scene_prop *b) {
    const bsp_light *x = &a->light;
    const bsp_light *y = &b->light;
    int order = compare_numbers(x->source, y->source);
    order = order != 0 ? order : compare_floats(x->ambient, y->ambient, 3);
    order = order != 0 ? order : compare_floats(x->directed, y->directed, 3);
    order = order != 0 ? order : compare_floats(x->direction, y->direction, 3);
    order = order != 0 ? order : compare_floats(&x->cube[0][0], &y->cube[0][0], 18);
    for (int i = 0; order == 0 && i < 3; i++) { // its turn, with its scale
        order = compare_floats(a->place[i], b->place[i], 3);
    }
    return order;
}

// Detail props have light from all sides alike. What differs by less than a step shares a shape.
static int compare_details(const bsp_scene_prop *a, const bsp_scene_prop *b) {
    int order = 0;
    for (int c = 0; order == 0 && c < 3; c++) {
        uint32_t steps[2];
        for (int i = 0; i < 2; i++) {
            float value = (i == 0 ? a : b)->light.cube[0][c];
            steps[i] = value > 0 ? (uint32_t)(sqrtf(value < 4 ? value : 4) * DETAIL_STEPS) : 0;
        }
        order = compare_numbers(steps[0], steps[1]);
    }
    return order;
}

// Orders what one shape may show.
static int by_shape(const wanted *a, const wanted *b) {
    int order = compare_numbers(a->prop->model, b->prop->model);
    order = order != 0 ? order : compare_looks(&a->prop->look, &b->prop->look);
    order = order != 0 ? order : memcmp(a->prop->color, b->prop->color, sizeof a->prop->color);
    if (order != 0 || !a->lit) {
        return order;
    }
    bool details = a->prop->kind == BSP_PROP_DETAIL && b->prop->kind == BSP_PROP_DETAIL;
    order = compare_numbers(a->prop->kind, b->prop->kind);
    if (order != 0 || details) {
        return order != 0 ? order : compare_details(a->prop, b->prop);
    }
    bool own = a->prop->vertex_light != NULL && b->prop->vertex_light != NULL;
    order = compare_numbers(a->prop->vertex_light != NULL, b->prop->vertex_light != NULL);
    order = order == 0 && own ? compare_numbers(a->number, b->number) : order;
    return order != 0 ? order : compare_lights(a->prop, b->prop);
}

static int by_shape_and_number(const void *left, const void *right) {
    const wanted *a = left;
    const wanted *b = right;
    int order = by_shape(a, b);
    return order != 0 ? order : compare_numbers(a->number, b->number);
}

// --- shapes -------------------------------------------------------------------------------------

static bool glows(const bspi_content *content, uint32_t model) {
    const bsp_scene_model *from = &content->scene->models[model];
    bool any = false;
    for (uint32_t g = 0; g < from->mesh->num_groups; g++) {
        uint32_t material = from->materials[g];
        any = any || (material != BSP_NONE &&
                      bspi_paint_is_layer(content, &content->paints.list[material]));
    }
    return any;
}

bsp_mesh_vertex *bspi_glow_lift(bspi_content *content, const bsp_mesh_vertex *from, uint32_t count,
                                bsp_error *error) {
    bsp_mesh_vertex *out = bspi_arena_raw(&content->arena, count, sizeof *out, error);
    if (out == NULL || !bspi_heap_work(&content->heap, count, error)) {
        return NULL;
    }
    for (uint32_t v = 0; v < count; v++) {
        out[v] = from[v];
        for (int i = 0; i < 3; i++) {
            out[v].position[i] += GLOW_LIFT * out[v].normal[i];
        }
    }
    return out;
}

static bool lift_model(bspi_content *content, uint32_t model, bsp_error *error) {
    content->glow_vertices[model] =
        bspi_glow_lift(content, content->model_vertices[model],
                       content->scene->models[model].mesh->num_vertices, error);
    return content->glow_vertices[model] != NULL;
}

static bool convert_model(bspi_content *content, uint32_t model, bsp_error *error) {
    const bsp_model_mesh *mesh = content->scene->models[model].mesh;
    bsp_mesh_vertex *out = bspi_arena_zero(&content->arena, mesh->num_vertices, sizeof *out, error);
    if (out == NULL || !bspi_heap_work(&content->heap, mesh->num_vertices, error)) {
        return false;
    }
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        const bsp_model_vertex *from = &mesh->vertices[v];
        memcpy(out[v].position, from->position, sizeof out[v].position);
        if (bspi_model_turns(content, model)) { // its right is the viewer's, who looks along -x
            out[v].position[1] = -from->position[1];
        }
        memcpy(out[v].normal, from->normal, sizeof out[v].normal);
        memcpy(out[v].uv, from->uv, sizeof out[v].uv);
        memcpy(out[v].color, from->color[0], 3);
        out[v].color[3] = 255;
    }
    content->model_vertices[model] = out;
    return true;
}

static void add_shapes(bspi_content *content, const wanted *list, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || by_shape(&list[i - 1], &list[i]) != 0) {
            content->shapes[content->num_shapes++] =
                (bspi_shape){list[i].prop->model, list[i].prop->look, list[i].number, BSP_NONE, 0};
        }
        content->of_prop[list[i].number] = content->num_shapes - 1;
    }
}

static bool list_props(bspi_content *content, bsp_error *error) {
    const bsp_scene *scene = content->scene;
    size_t room = scene->num_props * sizeof(wanted);
    uint32_t count = 0;
    wanted *list = bspi_heap_alloc(&content->heap, room, error);
    for (uint32_t i = 0; list != NULL && i < scene->num_props; i++) {
        content->of_prop[i] = BSP_NONE;
        if (is_written(content, i)) {
            list[count++] = (wanted){&scene->props[i], i, bspi_props_are_lit(content)};
        }
    }
    if (count != 0) {
        qsort(list, count, sizeof *list, by_shape_and_number);
    }
    if (list != NULL) {
        add_shapes(content, list, count);
    }
    bspi_heap_free(&content->heap, list, room);
    return list != NULL;
}

bool bspi_props_build(bspi_content *content, bsp_error *error) {
    const bsp_scene *scene = content->scene;
    bspi_arena *arena = &content->arena;
    content->of_prop = bspi_arena_raw(arena, scene->num_props, sizeof *content->of_prop, error);
    content->model_vertices =
        bspi_arena_zero(arena, scene->num_models, sizeof *content->model_vertices, error);
    content->glow_vertices =
        bspi_arena_zero(arena, scene->num_models, sizeof *content->glow_vertices, error);
    if (content->of_prop == NULL || content->model_vertices == NULL ||
        content->glow_vertices == NULL) {
        return false;
    }
    for (uint32_t m = 0; m < scene->num_models; m++) {
        if (!convert_model(content, m, error) ||
            (glows(content, m) && !lift_model(content, m, error))) {
            return false;
        }
    }
    return list_props(content, error);
}
