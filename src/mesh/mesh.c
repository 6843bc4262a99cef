// SPDX-License-Identifier: MIT
// Builds a mesh: lists the faces, sorts them into groups, computes the room that each needs, and
// fills exact arrays in one pass. Assumes a loaded map.
#include "core/options.h"
#include "map/heap.h"
#include "map/needs.h"
#include "mesh/mesher.h"
#include "mesh/shade.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TOLERANCE 1.0F
// The lowest tolerance; the number of triangles grows with the square of a finer one.
#define MIN_TOLERANCE 0.001F

// --- helpers for all kinds of faces --------------------------------------------------------------

// --- kinds --------------------------------------------------------------------------------------

static bspi_room room_of(const bspi_mesher *mesher, uint32_t face) {
    const bsp_face *f = &mesher->map->faces[face];
    if (!mesher->map->traits->draws_vertices) {
        return bspi_disp_is(mesher, face) ? bspi_disp_room(mesher, face)
                                          : bspi_polygon_room(mesher, face);
    }
    return f->type == BSP_FACE_PATCH ? bspi_patch_room(mesher, face)
                                     : bspi_drawn_room(mesher, face);
}

static void emit(bspi_mesher *mesher, uint32_t face) {
    mesher->first_vertex = mesher->num_vertices;
    if (mesher->map->traits->draws_vertices) {
        if (mesher->map->faces[face].type == BSP_FACE_PATCH) {
            bspi_patch_emit(mesher, face);
        } else {
            bspi_drawn_emit(mesher, face);
        }
    } else if (bspi_disp_is(mesher, face)) {
        bspi_disp_emit(mesher, face);
    } else {
        bspi_polygon_emit(mesher, face);
    }
}

// --- the list of faces --------------------------------------------------------------------------

/// A face to be drawn, and its sort keys.
typedef struct item {
    uint32_t model;
    uint32_t bits;
    uint32_t order; // order of overlays
    uint32_t material;
    uint32_t page;
    uint32_t flags;
    uint32_t face;
    uint32_t overlay; // index of the overlay on that face, or BSP_NONE
} item;

typedef struct item_list {
    item *items; // scratch
    uint32_t count;
    bspi_room room;
} item_list;

static int by_group(const void *left, const void *right) {
    const item *a = left;
    const item *b = right;
    uint32_t keys[8][2] = {{a->model, b->model},       {a->bits, b->bits}, {a->order, b->order},
                           {a->material, b->material}, {a->page, b->page}, {a->flags, b->flags},
                           {a->overlay, b->overlay},   {a->face, b->face}};
    for (int i = 0; i < 8; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static bool same_group(const item *a, const item *b) {
    return a->model == b->model && a->bits == b->bits && a->order == b->order &&
           a->material == b->material && a->page == b->page && a->flags == b->flags;
}

static bool is_wanted(const bspi_mesher *mesher, uint32_t bits) {
    return ((bits & BSP_SURFACE_HIDDEN) == 0 || mesher->options->hidden) &&
           ((bits & BSP_SURFACE_SKY) == 0 || mesher->options->sky);
}

// Counting stops where the vertices alone would exceed the limit: a damaged map may need any
// number.
static bool is_too_much(const bspi_mesher *mesher, const bspi_room *room) {
    return room->vertices > UINT32_MAX || room->indices > UINT32_MAX ||
           room->vertices > mesher->own->heap.limit / sizeof(bsp_mesh_vertex) ||
           room->indices > mesher->own->heap.limit / sizeof(uint32_t);
}

// Quake 3: a page that is neither in the map nor beside it means the light of the vertices
// (R_FindShader).
static bool lost_its_page(const bspi_mesher *mesher, uint32_t face) {
    const bsp_map *map = mesher->map;
    const bsp_lightmap *lightmap = mesher->options->lightmap;
    return map->traits->light == BSP_LIGHT_PAGES && lightmap != NULL &&
           face < lightmap->num_faces && lightmap->faces[face].page == BSP_NONE &&
           face < map->num_face_lights && map->face_lights[face].page[0] >= 0;
}

// Charges the work of building a face when it is listed, in proportion to its room.
static bool pay_for(bspi_mesher *mesher, const item_list *list, bspi_room before, uint64_t looks) {
    uint64_t made = list->room.vertices - before.vertices +
                    (list->room.indices - before.indices) / 3 + list->room.looks - before.looks;
    return bspi_meter_add(&mesher->meter, looks + made);
}

static void list_face(const bspi_mesher *mesher, item_list *list, uint32_t model, uint32_t face) {
    const bsp_map *map = mesher->map;
    const bsp_lightmap *lightmap = mesher->options->lightmap;
    uint32_t bits = bsp_surface_bits_of(map, face);
    bits |= lost_its_page(mesher, face) ? BSP_SURFACE_VERTEX_LIT : 0;
    if (!is_wanted(mesher, bits)) {
        return;
    }
    bspi_room room = room_of(mesher, face);
    list->room.looks += room.looks;
    if (room.indices == 0) {
        return;
    }
    uint32_t page = lightmap != NULL && face < lightmap->num_faces &&
                            lightmap->faces[face].page < lightmap->num_pages
                        ? lightmap->faces[face].page
                        : BSP_NONE;
    list->room.vertices += room.vertices;
    list->room.indices += room.indices;
    list->items[list->count++] = (item){.model = model,
                                        .bits = bits,
                                        .material = bsp_surface_material(map, face),
                                        .page = page,
                                        .flags = bsp_surface_flags(map, face),
                                        .face = face,
                                        .overlay = BSP_NONE};
}

// --- overlays -----------------------------------------------------------------------------------

static uint32_t num_overlays(const bspi_mesher *mesher) {
    return mesher->options->overlays ? mesher->map->num_overlays + mesher->map->num_water_overlays
                                     : 0;
}

static uint64_t count_overlay_faces(const bspi_mesher *mesher) {
    uint64_t total = 0;
    for (uint32_t o = 0; o < num_overlays(mesher); o++) {
        total += bspi_overlay_of(mesher->map, o)->num_faces;
    }
    return total;
}

static void list_overlay(const bspi_mesher *mesher, item_list *list, const uint32_t *item_of,
                         uint32_t number) {
    const bsp_map *map = mesher->map;
    const bsp_overlay *overlay = bspi_overlay_of(map, number);
    const bsp_texinfo *texinfo =
        overlay->texinfo < map->num_texinfos ? &map->texinfos[overlay->texinfo] : NULL;
    for (uint32_t i = 0; texinfo != NULL && i < overlay->num_faces; i++) {
        uint32_t face = overlay->faces[i];
        uint32_t below = face < map->num_faces ? item_of[face] : BSP_NONE;
        if (below == BSP_NONE || is_too_much(mesher, &list->room)) {
            continue;
        }
        bspi_room room = bspi_overlay_room(room_of(mesher, face).indices / 3);
        list->room.vertices += room.vertices;
        list->room.indices += room.indices;
        list->items[list->count++] = (item){.model = list->items[below].model,
                                            .bits = BSP_SURFACE_OVERLAY,
                                            .order = overlay->render_order,
                                            .material = texinfo->material,
                                            .page = list->items[below].page,
                                            .flags = texinfo->flags,
                                            .face = face,
                                            .overlay = number};
    }
}

static bool list_overlays(bspi_mesher *mesher, item_list *list) {
    uint32_t total = num_overlays(mesher);
    if (total == 0) {
        return true;
    }
    uint32_t num_faces = mesher->map->num_faces;
    uint32_t *item_of = bspi_arena_raw(&mesher->scratch, num_faces, sizeof *item_of, mesher->error);
    if (item_of == NULL) {
        return false;
    }
    memset(item_of, 0xFF, num_faces * sizeof *item_of);
    for (uint32_t i = 0; i < list->count; i++) {
        item_of[list->items[i].face] = i;
    }
    for (uint32_t o = 0; o < total; o++) {
        bspi_room before = list->room;
        list_overlay(mesher, list, item_of, o);
        if (!pay_for(mesher, list, before, bspi_overlay_of(mesher->map, o)->num_faces)) {
            return false;
        }
    }
    return true;
}

// --- the whole list -----------------------------------------------------------------------------

// Gives the range of models to be built: first and end.
static void model_range(const bspi_mesher *mesher, uint32_t range[2]) {
    const bsp_mesh_options *options = mesher->options;
    uint32_t total = mesher->map->num_models;
    range[0] = options->first_model < total ? options->first_model : total;
    bool some = options->num_models != 0 && options->num_models < total - range[0];
    range[1] = some ? range[0] + options->num_models : total;
}

static bool list_faces(bspi_mesher *mesher, item_list *list) {
    const bsp_map *map = mesher->map;
    uint32_t range[2];
    uint64_t total = 0;
    model_range(mesher, range);
    for (uint32_t m = range[0]; m < range[1]; m++) {
        total += map->num_faces != 0 ? map->models[m].num_faces : 0;
    }
    total += count_overlay_faces(mesher);
    if (total > UINT32_MAX) {
        return bsp_fail(mesher->error, BSP_E_LIMIT, NULL, "%llu faces in models are too many",
                        (unsigned long long)total);
    }
    list->items =
        bspi_arena_raw(&mesher->scratch, (size_t)total, sizeof *list->items, mesher->error);
    for (uint32_t m = range[0]; list->items != NULL && m < range[1]; m++) {
        const bsp_model *model = &map->models[m];
        for (uint32_t f = 0; f < model->num_faces && model->first_face + f < map->num_faces &&
                             !is_too_much(mesher, &list->room);
             f++) {
            bspi_room before = list->room;
            list_face(mesher, list, m, model->first_face + f);
            if (!pay_for(mesher, list, before, 1)) {
                return false;
            }
        }
    }
    if (list->items == NULL || !list_overlays(mesher, list)) {
        return false;
    }
    if (list->count != 0) {
        qsort(list->items, list->count, sizeof *list->items, by_group);
    }
    return true;
}

// --- filling ------------------------------------------------------------------------------------

static bsp_mesh_group group_of(const bspi_mesher *mesher, const item *first, uint32_t face) {
    uint32_t size[2];
    bool drawn = mesher->map->traits->draws_vertices;
    return (bsp_mesh_group){.model = first->model,
                            .material = first->material,
                            .light_page = first->page,
                            .flags = first->flags,
                            .bits = first->bits,
                            .uv_in_texels = !drawn && first->overlay == BSP_NONE &&
                                            !bspi_mesh_material_size(mesher, first->material, size),
                            .first_vertex = mesher->num_vertices,
                            .first_index = mesher->num_indices,
                            .first_face = face};
}

static void fill(bspi_mesher *mesher, const item_list *list, bsp_mesh_face *faces,
                 bsp_mesh_group *groups, uint32_t *of_face) {
    bsp_mesh *mesh = &mesher->own->mesh;
    bsp_mesh_group *group = NULL;
    for (uint32_t i = 0; i < list->count; i++) {
        const item *it = &list->items[i];
        if (i == 0 || !same_group(it, it - 1)) {
            group = &groups[mesh->num_groups++];
            *group = group_of(mesher, it, i);
        }
        bsp_mesh_face *face = &faces[i];
        *face = (bsp_mesh_face){.face = it->face,
                                .overlay = it->overlay,
                                .group = mesh->num_groups - 1,
                                .first_vertex = mesher->num_vertices,
                                .first_index = mesher->num_indices};
        if (it->overlay == BSP_NONE) {
            emit(mesher, it->face);
            of_face[it->face] = i;
        } else { // its face is built before it: the bits of an overlay are the highest
            mesher->first_vertex = mesher->num_vertices;
            bspi_overlay_emit(mesher, &faces[of_face[it->face]], it->overlay);
        }
        face->num_vertices = mesher->num_vertices - face->first_vertex;
        face->num_indices = mesher->num_indices - face->first_index;
        group->num_vertices = mesher->num_vertices - group->first_vertex;
        group->num_indices = mesher->num_indices - group->first_index;
        group->num_faces++;
    }
}

static void measure(bsp_mesh *mesh) {
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        const float *p = mesh->vertices[v].position;
        for (int i = 0; i < 3; i++) {
            mesh->mins[i] = v == 0 || p[i] < mesh->mins[i] ? p[i] : mesh->mins[i];
            mesh->maxs[i] = v == 0 || p[i] > mesh->maxs[i] ? p[i] : mesh->maxs[i];
        }
    }
}

static uint32_t count_groups(const item_list *list) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        count += i == 0 || !same_group(&list->items[i], &list->items[i - 1]);
    }
    return count;
}

static bool fill_arrays(bspi_mesher *mesher, const item_list *list) {
    bspi_arena *arena = &mesher->own->arena;
    bsp_mesh *mesh = &mesher->own->mesh;
    uint32_t num_faces = mesher->map->num_faces;
    if (is_too_much(mesher, &list->room)) {
        return bsp_fail(mesher->error, BSP_E_LIMIT, NULL, "a mesh of %llu vertices is too big",
                        (unsigned long long)list->room.vertices);
    }
    mesher->vertices =
        bspi_arena_raw(arena, (size_t)list->room.vertices, sizeof *mesher->vertices, mesher->error);
    mesher->indices =
        bspi_arena_raw(arena, (size_t)list->room.indices, sizeof(uint32_t), mesher->error);
    bsp_mesh_face *faces = bspi_arena_raw(arena, list->count, sizeof *faces, mesher->error);
    bsp_mesh_group *groups =
        bspi_arena_raw(arena, count_groups(list), sizeof *groups, mesher->error);
    uint32_t *of_face = bspi_arena_raw(arena, num_faces, sizeof *of_face, mesher->error);
    bool blends = mesher->map->num_disp_blends != 0;
    mesher->blends = blends ? bspi_arena_zero(arena, (size_t)list->room.vertices,
                                              sizeof *mesher->blends, mesher->error)
                            : NULL;
    if ((blends && mesher->blends == NULL) || mesher->vertices == NULL || mesher->indices == NULL ||
        faces == NULL || groups == NULL || of_face == NULL) {
        return false;
    }
    memset(of_face, 0xFF, num_faces * sizeof *of_face);
    fill(mesher, list, faces, groups, of_face);
    mesh->vertices = mesher->vertices;
    mesh->blends = (const uint8_t(*)[4])mesher->blends;
    mesh->num_vertices = mesher->num_vertices;
    mesh->indices = mesher->indices;
    mesh->num_indices = mesher->num_indices;
    mesh->faces = faces;
    mesh->num_faces = list->count;
    mesh->groups = groups;
    mesh->of_face = of_face;
    mesh->num_of_face = num_faces;
    measure(mesh);
    return true;
}

// --- the whole ----------------------------------------------------------------------------------

static bool count_corners(bspi_mesher *mesher) {
    const bsp_map *map = mesher->map;
    mesher->first_corner =
        bspi_arena_raw(&mesher->scratch, map->num_faces, sizeof(uint32_t), mesher->error);
    uint32_t total = 0;
    for (uint32_t f = 0; mesher->first_corner != NULL && f < map->num_faces; f++) {
        mesher->first_corner[f] = total;
        total += map->faces[f].num_edges; // may wrap in a damaged map: then normals are left out
    }
    return mesher->first_corner != NULL;
}

static bool build(bspi_mesher *mesher) {
    item_list list = {NULL, 0, {0, 0, 0}};
    bspi_arena_init(&mesher->scratch, &mesher->own->heap);
    bspi_normals_open(mesher);
    bool done = count_corners(mesher) && bspi_drawn_begin(mesher) && bspi_disp_place(mesher) &&
                list_faces(mesher, &list) && bspi_meter_pay(&mesher->meter) &&
                fill_arrays(mesher, &list);
    bspi_normals_close(mesher);
    bspi_arena_free(&mesher->scratch);
    return done;
}

bsp_mesh *bsp_mesh_build(const bsp_map *map, const bsp_mesh_options *options, bsp_error *error) {
    assert(map != NULL);
    bsp_mesh_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    options = &taken;
    uint32_t parts = BSP_LOAD_TREE | BSP_LOAD_SURFACES | (options->overlays ? BSP_LOAD_PROPS : 0u);
    if (!bspi_map_needs(map, parts, "a mesh", error)) {
        return NULL;
    }
    bspi_mesh *own = bspi_object_new(options->allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->mesh.owner = own;
    bspi_map_heap(&own->heap, BSP_PRODUCT_MESH, map, options->budget, options->allocator);
    bspi_arena_init(&own->arena, &own->heap);
    float tolerance = options->patch_tolerance > 0 ? options->patch_tolerance : DEFAULT_TOLERANCE;
    bspi_mesher mesher = {.map = map,
                          .options = options,
                          .own = own,
                          .tolerance = tolerance > MIN_TOLERANCE ? tolerance : MIN_TOLERANCE,
                          .gain = bspi_light_gain(map),
                          .meter = {.heap = &own->heap, .error = error},
                          .error = error};
    if (!build(&mesher)) {
        bsp_mesh_free(&own->mesh);
        return NULL;
    }
    return &own->mesh;
}

void bsp_mesh_free(bsp_mesh *mesh) {
    if (mesh == NULL || mesh->owner == NULL) {
        return;
    }
    bspi_mesh *own = mesh->owner;
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
