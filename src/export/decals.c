// SPDX-License-Identifier: MIT
// Decals: one shape that has all of them, with a part for each picture and page of light. Those in
// the room of the sky are left out.
#include "export/content.h"

#include <stdlib.h>
#include <string.h>

// A decal, and its number in the scene.
typedef struct laid {
    const bsp_scene_decal *decal;
    uint32_t number;
} laid;

static int compare_numbers(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static int by_picture(const void *left, const void *right) {
    const laid *a = left;
    const laid *b = right;
    int order = compare_numbers(a->decal->picture, b->decal->picture);
    order = order != 0 ? order : compare_numbers(a->decal->light_page, b->decal->light_page);
    return order != 0 ? order : compare_numbers(a->number, b->number);
}

static uint32_t list_decals(const bspi_content *content, laid *list, uint32_t *vertices) {
    const bsp_scene *scene = content->scene;
    uint32_t count = 0;
    *vertices = 0;
    for (uint32_t i = 0; i < scene->num_decals; i++) {
        if (!content->room.found || content->room.decals[i] == 0) {
            list[count++] = (laid){&scene->decals[i], i};
            *vertices += scene->decals[i].num_vertices;
        }
    }
    if (count != 0) {
        qsort(list, count, sizeof *list, by_picture);
    }
    return count;
}

static void put_vertices(bspi_decals *out, const laid *list, uint32_t count,
                         const bsp_mesh_vertex *from) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_scene_decal *decal = list[i].decal;
        bspi_decal_run *run = out->num_runs == 0 ? NULL : &out->runs[out->num_runs - 1];
        if (run == NULL || run->picture != decal->picture || run->light_page != decal->light_page) {
            run = &out->runs[out->num_runs++];
            *run = (bspi_decal_run){decal->picture, decal->light_page, at, 0};
        }
        memcpy(&out->vertices[at], &from[decal->first_vertex],
               decal->num_vertices * sizeof *out->vertices);
        run->num_vertices += decal->num_vertices;
        at += decal->num_vertices;
    }
    for (uint32_t v = 0; v < at; v++) {
        out->indices[v] = v;
    }
}

bool bspi_decals_build(bspi_content *content, bsp_error *error) {
    const bsp_scene *scene = content->scene;
    bspi_decals *out = &content->decals;
    bspi_arena *arena = &content->arena;
    size_t room = scene->num_decals * sizeof(laid);
    out->shape = BSP_NONE;
    if (scene->num_decals == 0) {
        return true;
    }
    if (!bspi_heap_work(&content->heap, scene->num_decals + scene->num_decal_vertices, error)) {
        return false;
    }
    laid *list = bspi_heap_alloc(&content->heap, room, error);
    if (list == NULL) {
        return false;
    }
    uint32_t vertices;
    uint32_t count = list_decals(content, list, &vertices);
    out->runs = bspi_arena_raw(arena, count, sizeof *out->runs, error);
    out->vertices = bspi_arena_raw(arena, vertices, sizeof *out->vertices, error);
    out->indices = bspi_arena_raw(arena, vertices, sizeof *out->indices, error);
    bool done = out->runs != NULL && out->vertices != NULL && out->indices != NULL;
    if (done && count != 0) {
        put_vertices(out, list, count, scene->decal_vertices);
        out->shape = content->num_shapes;
        content->shapes[content->num_shapes++] = (bspi_shape){
            .look = {.mode = BSP_LOOK_NORMAL, .opacity = 1}, .prop = BSP_NONE, .solid = BSP_NONE};
        content->num_brush_shapes = content->num_shapes;
    }
    bspi_heap_free(&content->heap, list, room);
    return done;
}
