// SPDX-License-Identifier: MIT
// The pieces of what things collide with: hulls of brushes, of the clip nodes of Quake and GoldSrc,
// displacements, physics shapes, and hulls of props.
#include "export/solids.h"

#include "bspkit/hulls.h"
#include "bspkit/physics.h"
#include "bspkit/query.h"
#include "core/out.h"
#include "core/text.h"
#include "export/entity.h"
#include "map/brush_models.h"

#include <stdio.h>
#include <string.h>

/// What is read while the list is made.
typedef struct builder {
    bspi_content *content;
    struct bspi_solids *to;
    const bsp_brush_mesh *brushes;
    uint32_t *models; ///< for each brush: its model
    bsp_error *error;
    bspi_meter meter;
    bspi_solid now; ///< the piece under construction
} builder;

// --- pieces -------------------------------------------------------------------------------------

static bool put(bspi_heap *heap, void **list, size_t *count, size_t *room, const void *element,
                size_t size, bsp_error *error) {
    void *grown = bspi_grow(heap, *list, *count, room, size, error);
    if (grown == NULL) {
        return false;
    }
    *list = grown;
    memcpy((uint8_t *)grown + *count * size, element, size);
    (*count)++;
    return true;
}

static bool put_number(builder *b, uint32_t **list, size_t *count, size_t *room, uint32_t number) {
    void *untyped = *list;
    bool done = put(&b->content->heap, &untyped, count, room, &number, sizeof number, b->error);
    *list = untyped;
    return done;
}

static void begin(builder *b, bspi_solid_kind kind, uint32_t number, uint32_t model) {
    b->now = (bspi_solid){.kind = kind,
                          .number = number,
                          .model = model,
                          .first_vertex = (uint32_t)b->to->num_vertices,
                          .first_size = (uint32_t)b->to->num_sizes,
                          .first_corner = (uint32_t)b->to->num_corners,
                          .first_index = (uint32_t)b->to->num_indices};
}

static bool add_point(builder *b, const float at[3]) {
    const bsp_mesh_vertex vertex = {.position = {at[0], at[1], at[2]}};
    void *list = b->to->vertices;
    bool done = put(&b->content->heap, &list, &b->to->num_vertices, &b->to->room_vertices, &vertex,
                    sizeof vertex, b->error);
    b->to->vertices = list;
    b->now.num_vertices += done;
    return done;
}

// Adds a polygon whose corners were added with add_corner since the last one, as a fan of
// triangles.
static bool end_polygon(builder *b, uint32_t count) {
    struct bspi_solids *to = b->to;
    uint32_t first = (uint32_t)to->num_corners - count;
    bool done = put_number(b, &to->sizes, &to->num_sizes, &to->room_sizes, count);
    b->now.num_polygons += done;
    for (uint32_t i = 2; done && i < count; i++) {
        const uint32_t fan[3] = {first, first + i - 1, first + i};
        for (int c = 0; done && c < 3; c++) {
            done = put_number(b, &to->indices, &to->num_indices, &to->room_indices,
                              b->now.first_vertex + to->corners[fan[c]]);
        }
        b->now.num_indices += done ? 3 : 0;
    }
    return done;
}

static bool add_corner(builder *b, uint32_t corner) {
    struct bspi_solids *to = b->to;
    return put_number(b, &to->corners, &to->num_corners, &to->room_corners, corner);
}

static bool end(builder *b) {
    void *list = b->to->list;
    uint64_t steps = 16 + (uint64_t)b->now.num_vertices + b->now.num_indices;
    if (b->now.num_indices == 0) {
        return true;
    }
    bool done = bspi_heap_work(&b->content->heap, steps, b->error) &&
                put(&b->content->heap, &list, &b->to->count, &b->to->room, &b->now, sizeof b->now,
                    b->error);
    b->to->list = list;
    return done;
}

// --- brushes ------------------------------------------------------------------------------------

static bool add_brush(builder *b, uint32_t number) {
    const bsp_brush_hull *hull = &b->brushes->hulls[number];
    begin(b, BSPI_SOLID_BRUSH, number, b->models[number]);
    b->now.contents = (uint32_t)b->content->map->brushes[number].contents;
    bool done = true;
    for (uint32_t p = 0; done && p < hull->num_points; p++) {
        const double *from = b->brushes->points[hull->first_point + p].at;
        done = add_point(b, (const float[3]){(float)from[0], (float)from[1], (float)from[2]});
    }
    for (uint32_t n = 0; done && n < hull->num_polygons; n++) {
        const bsp_brush_polygon *polygon = &b->brushes->polygons[hull->first_polygon + n];
        for (uint32_t i = 0; done && i < polygon->num_indices; i++) {
            done = add_corner(b, b->brushes->indices[polygon->first_index + i] - hull->first_point);
        }
        done = done && end_polygon(b, polygon->num_indices);
    }
    return done && end(b);
}

static bool add_brushes(builder *b) {
    const bsp_brush_mesh_options how = {.without_bevels = true,
                                        .allocator = b->content->options->allocator,
                                        .budget = b->content->options->budget};
    if (b->content->map->num_brushes == 0) {
        return true;
    }
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(b->content->map, &how, b->error);
    b->brushes = mesh;
    b->models =
        mesh == NULL ? NULL : bspi_brush_models(b->content->map, &b->content->arena, &b->meter);
    bool done = b->models != NULL;
    for (uint32_t i = 0; done && i < mesh->num_hulls; i++) {
        if (b->content->map->brushes[i].contents != 0 && mesh->hulls[i].state == BSP_BRUSH_CLOSED) {
            done = add_brush(b, i);
        }
    }
    bsp_brush_mesh_free(mesh);
    return done;
}

// --- clip hulls ---------------------------------------------------------------------------------

static bool add_hull_piece(builder *b, const bsp_hull_mesh *mesh, const bsp_hull_piece *piece) {
    bool done = true;
    for (uint32_t v = 0; done && v < piece->num_points; v++) {
        const double *at = mesh->points[piece->first_point + v].at;
        done = add_point(b, (const float[3]){(float)at[0], (float)at[1], (float)at[2]});
    }
    for (uint32_t p = 0; done && p < piece->num_polygons; p++) {
        const bsp_hull_polygon *polygon = &mesh->polygons[piece->first_polygon + p];
        for (uint32_t i = 0; done && i < polygon->num_indices; i++) {
            done = add_corner(b, mesh->indices[polygon->first_index + i] - piece->first_point);
        }
        done = done && end_polygon(b, polygon->num_indices);
    }
    return done && end(b);
}

static bool add_hulls(builder *b) {
    const bsp_hull_mesh_options how = {.allocator = b->content->options->allocator,
                                       .budget = b->content->options->budget};
    bsp_hull_mesh *mesh = bsp_hull_mesh_build(b->content->map, &how, b->error);
    bool done = mesh != NULL;
    uint32_t number = 0;
    for (uint32_t i = 0; done && i < mesh->num_pieces; i++) {
        const bsp_hull_piece *piece = &mesh->pieces[i];
        bool first = i == 0 || piece->model != piece[-1].model || piece->hull != piece[-1].hull;
        number = first ? 0 : number + 1;
        begin(b, BSPI_SOLID_HULL, piece->hull, piece->model);
        b->now.piece = number;
        done = add_hull_piece(b, mesh, piece);
    }
    bsp_hull_mesh_free(mesh);
    return done;
}

// --- triangles ----------------------------------------------------------------------------------

static bool add_triangle(builder *b, uint32_t x, uint32_t y, uint32_t z) {
    return add_corner(b, x) && add_corner(b, y) && add_corner(b, z) && end_polygon(b, 3);
}

static bool add_displacements(builder *b) {
    const bsp_mesh *mesh = b->content->mesh;
    bool done = true;
    for (uint32_t f = 0; done && f < mesh->num_faces; f++) {
        const bsp_mesh_face *face = &mesh->faces[f];
        const bsp_mesh_group *group = &mesh->groups[face->group];
        if ((group->bits & BSP_SURFACE_DISPLACEMENT) == 0 || face->overlay != BSP_NONE) {
            continue;
        }
        begin(b, BSPI_SOLID_DISPLACEMENT, face->face, group->model);
        for (uint32_t v = 0; done && v < face->num_vertices; v++) {
            done = add_point(b, mesh->vertices[face->first_vertex + v].position);
        }
        for (uint32_t i = 0; done && i + 2 < face->num_indices; i += 3) {
            const uint32_t *n = &mesh->indices[face->first_index + i];
            done = add_triangle(b, n[0] - face->first_vertex, n[1] - face->first_vertex,
                                n[2] - face->first_vertex);
        }
        done = done && end(b);
    }
    return done;
}

static bool add_piece(builder *b, const float (*points)[3], uint32_t count, const uint32_t *indices,
                      uint32_t num_indices, uint32_t base) {
    bool done = true;
    for (uint32_t i = 0; done && i < count; i++) {
        done = add_point(b, points[i]);
    }
    for (uint32_t i = 0; done && i + 2 < num_indices; i += 3) {
        done = add_triangle(b, indices[i] - base, indices[i + 1] - base, indices[i + 2] - base);
    }
    return done && end(b);
}

static bool add_physics(builder *b) {
    const bspi_content *content = b->content;
    const bsp_physics_options how = {.allocator = content->options->allocator,
                                     .budget = content->options->budget};
    if (content->options->file == NULL) {
        return true;
    }
    bsp_physics *physics = bsp_physics_build(content->map, content->options->file, &how, b->error);
    bool done = physics != NULL;
    for (uint32_t i = 0; done && i < physics->num_pieces; i++) {
        const bsp_physics_piece *piece = &physics->pieces[i];
        const bsp_physics_solid *solid = &physics->solids[piece->solid];
        bool world = solid->kind == BSP_PHYSICS_DISPLACEMENT || solid->kind == BSP_PHYSICS_PROP;
        if (piece->num_indices == 0 || solid->deprecated ||
            (!world && solid->owner >= content->map->num_models)) {
            continue;
        }
        begin(b, BSPI_SOLID_PHYSICS, piece->solid, world ? 0 : solid->owner);
        b->now.piece = i - solid->first_piece;
        b->now.contents = solid->contents;
        done = add_piece(b, &physics->points[piece->first_point], piece->num_points,
                         &physics->indices[piece->first_index], piece->num_indices,
                         piece->first_point);
    }
    bsp_physics_free(physics);
    return done;
}

static bool add_props(builder *b) {
    static const uint32_t sides[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                       2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
    const bsp_scene *scene = b->content->scene;
    bool done = true;
    for (uint32_t m = 0; done && m < scene->num_models; m++) {
        const bsp_model_mesh *mesh = scene->models[m].mesh;
        for (uint32_t h = 0; done && h < mesh->num_hulls; h++) {
            const bsp_model_hull *hull = &mesh->hulls[h];
            begin(b, BSPI_SOLID_PROP, h, m);
            done = add_piece(b, &mesh->hull_points[hull->first_point], hull->num_points,
                             &mesh->hull_indices[hull->first_index], hull->num_indices,
                             hull->first_point);
        }
    }
    for (uint32_t p = 0; done && p < scene->num_props; p++) {
        const bsp_scene_prop *prop = &scene->props[p];
        float corners[8][3];
        for (int i = 0; i < 24; i++) { // bit 0 of a corner is x
            corners[i / 3][i % 3] = prop->solid_box[i / 3 >> i % 3 & 1][i % 3];
        }
        begin(b, BSPI_SOLID_BOX, p, p);
        done = prop->solid != 2 || add_piece(b, (const float(*)[3])corners, 8, sides, 36, 0);
    }
    return done;
}

// --- portals ------------------------------------------------------------------------------------

static bool add_portal(builder *b, const bsp_export_portal *portal, uint32_t number) {
    bool done = true;
    begin(b, BSPI_SOLID_PORTAL, number, 0);
    for (uint32_t i = 0; done && i < portal->num_points; i++) {
        const double *p = portal->points[i];
        const float at[3] = {(float)p[0], (float)p[1], (float)p[2]};
        done = add_point(b, at) && add_corner(b, i);
    }
    return done && end_polygon(b, portal->num_points) && end(b);
}

static bool add_portals(builder *b) {
    const bsp_export_options *options = b->content->options;
    bool done = true;
    for (uint32_t i = 0; done && i < options->num_portals; i++) {
        done = options->portals[i].num_points < 3 || add_portal(b, &options->portals[i], i);
    }
    return done;
}

// --- the list -----------------------------------------------------------------------------------

bool bspi_solids_build(bspi_content *content, bsp_error *error) {
    bool collision = content->options->collision;
    if (!collision && content->options->num_portals == 0) {
        return true;
    }
    content->solids = bspi_arena_zero(&content->arena, 1, sizeof *content->solids, error);
    builder b = {.content = content,
                 .to = content->solids,
                 .error = error,
                 .meter = {.heap = &content->heap, .error = error}};
    return content->solids != NULL &&
           (!collision || (add_brushes(&b) && add_hulls(&b) && add_displacements(&b) &&
                           add_physics(&b) && add_props(&b))) &&
           add_portals(&b);
}

void bspi_solids_free(bspi_content *content) {
    struct bspi_solids *s = content->solids;
    if (s != NULL) {
        bspi_heap_free(&content->heap, s->list, s->room * sizeof *s->list);
        bspi_heap_free(&content->heap, s->vertices, s->room_vertices * sizeof *s->vertices);
        bspi_heap_free(&content->heap, s->sizes, s->room_sizes * sizeof *s->sizes);
        bspi_heap_free(&content->heap, s->corners, s->room_corners * sizeof *s->corners);
        bspi_heap_free(&content->heap, s->indices, s->room_indices * sizeof *s->indices);
        content->solids = NULL;
    }
}

static size_t add_word(char *out, size_t size, const char *word) {
    size_t length = strlen(word);
    if (size + 1 + length >= BSPI_SOLID_NAME) {
        return size;
    }
    out[size] = '_';
    memcpy(out + size + 1, word, length + 1);
    return size + 1 + length;
}

void bspi_solid_name(const bspi_content *content, const bspi_solid *solid,
                     char out[BSPI_SOLID_NAME]) {
    static const char *const words[] = {"brush",  "hull", "displacement", "physics",
                                        "portal", "prop", "box"};
    if (solid->kind == BSPI_SOLID_PORTAL) {
        const uint32_t *clusters = content->options->portals[solid->number].clusters;
        snprintf(out, BSPI_SOLID_NAME, "portal%u_%u_%u", (unsigned)solid->number,
                 (unsigned)clusters[0], (unsigned)clusters[1]);
        return;
    }
    bool pieces = solid->kind == BSPI_SOLID_HULL || solid->kind == BSPI_SOLID_PHYSICS;
    int size = snprintf(out, BSPI_SOLID_NAME, "collision_%s%u", words[solid->kind],
                        (unsigned)solid->number);
    if (solid->kind == BSPI_SOLID_HULL || solid->kind == BSPI_SOLID_PROP) {
        size += snprintf(out + size, BSPI_SOLID_NAME - (size_t)size, "_model%u",
                         (unsigned)solid->model);
    }
    if (pieces) {
        size += snprintf(out + size, BSPI_SOLID_NAME - (size_t)size, "_piece%u",
                         (unsigned)solid->piece);
    }
    for (uint32_t bit = 1; bit != 0; bit <<= 1) {
        const char *word =
            (solid->contents & bit) != 0 ? bsp_query_flag_name(content->map->branch, bit) : NULL;
        size = word == NULL ? size : (int)add_word(out, (size_t)size, word);
    }
}

// --- places -------------------------------------------------------------------------------------

static bool each_of_instance(const bspi_content *content, uint32_t number, bspi_solid_visit visit,
                             void *user, bsp_error *error) {
    const bsp_scene_instance *instance = &content->scene->instances[number];
    bspi_stand stand = bspi_stand_of(&instance->place);
    bspi_solid_place place = {.turn = stand.turn,
                              .scale = 1,
                              .in_room = content->room.found && content->room.instances[number]};
    memcpy(place.origin, stand.origin, sizeof place.origin);
    for (uint32_t i = 0; i < content->solids->count; i++) {
        const bspi_solid *solid = &content->solids->list[i];
        place.solid = i;
        if (solid->kind < BSPI_SOLID_PROP && solid->model == instance->model &&
            !visit(user, &place, error)) {
            return false;
        }
    }
    return true;
}

static bool each_of_prop(const bspi_content *content, uint32_t number, bspi_solid_visit visit,
                         void *user, bsp_error *error) {
    const bsp_scene_prop *prop = &content->scene->props[number];
    bool hulls = prop->solid == 6;
    bspi_solid_place place = {.turn = {{0, 0, 0, 1}},
                              .scale = 1,
                              .in_room = content->room.found && content->room.props[number]};
    if (hulls) {
        place.turn = bspi_turn_of_place(prop->place);
        place.scale = prop->scale;
        for (int i = 0; i < 3; i++) {
            place.origin[i] = prop->place[i][3];
        }
    }
    for (uint32_t i = 0; i < content->solids->count && prop->solid != 0; i++) {
        const bspi_solid *solid = &content->solids->list[i];
        bool mine = hulls ? solid->kind == BSPI_SOLID_PROP && solid->model == prop->model
                          : solid->kind == BSPI_SOLID_BOX && solid->model == number;
        place.solid = i;
        if (mine && !visit(user, &place, error)) {
            return false;
        }
    }
    return true;
}

bool bspi_solids_each(const bspi_content *content, bspi_solid_visit visit, void *user,
                      bsp_error *error) {
    bspi_heap *heap = (bspi_heap *)(uintptr_t)&content->heap;
    const bsp_scene *scene = content->scene;
    bool done = true;
    for (uint32_t i = 0; done && content->solids != NULL && i < scene->num_instances; i++) {
        if (bspi_instance_written(content, &scene->instances[i])) {
            done = bspi_heap_work(heap, 1 + content->solids->count, error) &&
                   each_of_instance(content, i, visit, user, error);
        }
    }
    for (uint32_t i = 0; done && content->solids != NULL && i < scene->num_props; i++) {
        if (content->of_prop[i] != BSP_NONE) {
            done = bspi_heap_work(heap, 1 + content->solids->count, error) &&
                   each_of_prop(content, i, visit, user, error);
        }
    }
    return done;
}
