// SPDX-License-Identifier: MIT
// Decals: an infodecal lays its picture on the faces that are near it, upright on walls, its middle
// at the entity. Sources: infodecal of the Half-Life and Source SDK (a trace of a few units);
// R_DecalNodeSurfaces and DECAL_DISTANCE of GoldSrc's renderer, as Xash3D has it.
#include "scene/scene.h"

#include "core/text.h"
#include "core/vector.h"
#include "mesh/mesher.h"

#include <math.h>
#include <string.h>

#define NEAR 4.0F       // units from the plane of a face
#define LIFT 0.1F       // units that it stands off the face
#define STEEP 0.7F      // a normal with more of z is that of a floor or a ceiling
#define MOST_CORNERS 8u // three, and one more for each edge of the picture
#define LARGEST 4096u   // units across

/// An entity that lays a decal.
typedef struct mark {
    float origin[3];
    float half[2]; // of its size, units
    float reach;   // to its corner
    uint32_t entity;
    uint32_t picture;
} mark;

typedef struct layer {
    bspi_scene_builder *builder;
    mark *marks;
    uint32_t num_marks;
    bsp_text *names; // each once
    uint32_t num_names;
    float (*sizes)[2]; // of each name, units; 0: not found
    bsp_scene_decal *decals;
    size_t num_decals;
    size_t decal_room;
    bsp_mesh_vertex *vertices;
    size_t num_vertices;
    size_t vertex_room;
} layer;

/// A corner of a polygon that is cut; `at` is its place in the picture, 0 to 1.
typedef struct corner {
    bsp_mesh_vertex vertex;
    float at[2];
} corner;

// --- entities -----------------------------------------------------------------------------------

// Returns the number of a name, a new one if it is the first of its kind; BSP_NONE over a limit.
static uint32_t number_of(layer *l, bsp_text name) {
    if (!bspi_meter_add(&l->builder->meter, l->num_names)) {
        return BSP_NONE;
    }
    for (uint32_t i = 0; i < l->num_names; i++) {
        if (bspi_text_equal_nocase(l->names[i], name)) {
            return i;
        }
    }
    l->names[l->num_names] = name;
    return l->num_names++;
}

static bool list_marks(layer *l) {
    const bsp_map *map = l->builder->map;
    const bsp_scene_state *state = l->builder->options->state;
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    bspi_arena *arena = &l->builder->own->arena;
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        found += bspi_text_equal_nocase(bspi_state_value(state, map, i, "classname"),
                                        bsp_text_of("infodecal"));
    }
    l->marks = bspi_arena_raw(arena, found, sizeof *l->marks, l->builder->error);
    l->names = bspi_arena_raw(arena, found, sizeof *l->names, l->builder->error);
    if (l->marks == NULL || l->names == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count && l->num_marks < found; i++) {
        mark *m = &l->marks[l->num_marks];
        bsp_text name = bspi_state_value(state, map, i, "texture");
        bool is_decal = bspi_text_equal_nocase(bspi_state_value(state, map, i, "classname"),
                                               bsp_text_of("infodecal"));
        if (!is_decal || name.size == 0 ||
            !bsp_parse_vector(bspi_state_value(state, map, i, "origin"), m->origin)) {
            continue;
        }
        m->entity = i;
        m->picture = number_of(l, name);
        if (m->picture == BSP_NONE) {
            return false;
        }
        l->num_marks++;
    }
    return bspi_meter_add(&l->builder->meter, count);
}

static bool find_picture(layer *l, uint32_t n) {
    const bsp_scene_options *options = l->builder->options;
    bsp_texture texture;
    if (!bsp_textures_find_decal(options->textures, l->names[n], &texture, l->builder->error)) {
        return false;
    }
    bool good = texture.found && texture.width <= LARGEST && texture.height <= LARGEST;
    l->sizes[n][0] = good ? (float)texture.width : 0;
    l->sizes[n][1] = good ? (float)texture.height : 0;
    bool done =
        !good || options->decals(options->user, n, l->num_names, &texture, l->builder->error);
    bsp_texture_free(&texture);
    return done;
}

// Finds the pictures, and forgets the marks whose picture is missing.
static bool find_pictures(layer *l) {
    l->sizes =
        bspi_arena_zero(&l->builder->own->arena, l->num_names, sizeof *l->sizes, l->builder->error);
    for (uint32_t n = 0; l->sizes != NULL && n < l->num_names; n++) {
        if (!find_picture(l, n)) {
            return false;
        }
    }
    uint32_t left = 0;
    for (uint32_t i = 0; l->sizes != NULL && i < l->num_marks; i++) {
        mark m = l->marks[i];
        m.half[0] = l->sizes[m.picture][0] / 2;
        m.half[1] = l->sizes[m.picture][1] / 2;
        m.reach = sqrtf(m.half[0] * m.half[0] + m.half[1] * m.half[1]) + NEAR;
        if (m.half[0] > 0 && m.half[1] > 0) {
            l->marks[left++] = m;
        }
    }
    l->num_marks = left;
    return l->sizes != NULL;
}

// --- cutting ------------------------------------------------------------------------------------

// The axes of the picture on a face: to the right, and down.
static void axes_of(const float normal[3], float right[3], float down[3]) {
    bool level = fabsf(normal[2]) > STEEP;
    const float up[3] = {0, level ? 1 : 0, level ? 0 : 1};
    right[0] = up[1] * normal[2] - up[2] * normal[1];
    right[1] = up[2] * normal[0] - up[0] * normal[2];
    right[2] = up[0] * normal[1] - up[1] * normal[0];
    bspi_mesh_normalize(right);
    down[0] = right[1] * normal[2] - right[2] * normal[1];
    down[1] = right[2] * normal[0] - right[0] * normal[2];
    down[2] = right[0] * normal[1] - right[1] * normal[0];
}

static float inside_by(const corner *c, int edge) {
    float at = c->at[edge / 2];
    return edge % 2 == 0 ? at : 1 - at;
}

static void between(const corner *a, const corner *b, float t, corner *out) {
    *out = *a;
    for (int i = 0; i < 3; i++) {
        out->vertex.position[i] += t * (b->vertex.position[i] - a->vertex.position[i]);
    }
    for (int i = 0; i < 2; i++) {
        out->vertex.light_uv[i] += t * (b->vertex.light_uv[i] - a->vertex.light_uv[i]);
        out->at[i] += t * (b->at[i] - a->at[i]);
    }
}

static uint32_t cut(const corner *in, uint32_t count, int edge, corner *out) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const corner *a = &in[i];
        const corner *b = &in[(i + 1) % count];
        float from = inside_by(a, edge);
        float to = inside_by(b, edge);
        if (from >= 0 && left < MOST_CORNERS) {
            out[left++] = *a;
        }
        if ((from >= 0) != (to >= 0) && left < MOST_CORNERS) {
            between(a, b, from / (from - to), &out[left++]);
        }
    }
    return left;
}

// Adds a polygon as triangles. Returns false without memory.
static bool add_polygon(layer *l, const corner *corners, uint32_t count, const float normal[3]) {
    bspi_heap *heap = &l->builder->own->heap;
    for (uint32_t i = 2; i < count; i++) {
        const corner *three[3] = {&corners[0], &corners[i - 1], &corners[i]};
        for (int k = 0; k < 3; k++) {
            bsp_mesh_vertex *list = bspi_grow(heap, l->vertices, l->num_vertices, &l->vertex_room,
                                              sizeof *list, l->builder->error);
            if (list == NULL) {
                return false;
            }
            l->vertices = list;
            bsp_mesh_vertex *out = &list[l->num_vertices++];
            *out = three[k]->vertex;
            memset(out->color, 255, sizeof out->color);
            memcpy(out->uv, three[k]->at, sizeof out->uv);
            memcpy(out->normal, normal, sizeof out->normal);
            for (int axis = 0; axis < 3; axis++) {
                out->position[axis] += LIFT * normal[axis];
            }
        }
    }
    return true;
}

// Lays a mark on a triangle. Returns false without memory.
static bool lay_on(layer *l, const mark *m, const bsp_mesh_vertex *triangle[3]) {
    const float *a = triangle[0]->position;
    float u[3], v[3], normal[3], right[3], down[3], away[3];
    for (int i = 0; i < 3; i++) {
        u[i] = triangle[1]->position[i] - a[i];
        v[i] = triangle[2]->position[i] - a[i];
        away[i] = m->origin[i] - a[i];
    }
    normal[0] = u[1] * v[2] - u[2] * v[1];
    normal[1] = u[2] * v[0] - u[0] * v[2];
    normal[2] = u[0] * v[1] - u[1] * v[0];
    if (!(bspi_dot(normal, normal) > 0)) {
        return true;
    }
    bspi_mesh_normalize(normal);
    if (!(fabsf(bspi_dot(normal, away)) <= NEAR)) {
        return true;
    }
    axes_of(normal, right, down);
    corner sets[2][MOST_CORNERS];
    uint32_t count = 3;
    for (int i = 0; i < 3; i++) {
        float from[3];
        sets[0][i].vertex = *triangle[i];
        for (int axis = 0; axis < 3; axis++) {
            from[axis] = triangle[i]->position[axis] - m->origin[axis];
        }
        sets[0][i].at[0] = 0.5F + bspi_dot(right, from) / (2 * m->half[0]);
        sets[0][i].at[1] = 0.5F + bspi_dot(down, from) / (2 * m->half[1]);
    }
    for (int edge = 0; edge < 4 && count != 0; edge++) {
        count = cut(sets[edge % 2], count, edge, sets[1 - edge % 2]);
    }
    return count < 3 || add_polygon(l, sets[0], count, normal);
}

// --- faces --------------------------------------------------------------------------------------

// Lays a mark on a face of the mesh. Returns false without memory.
static bool lay(layer *l, const mark *m, const bsp_mesh_group *group, const bsp_mesh_face *face) {
    const bsp_mesh *mesh = l->builder->own->mesh;
    size_t first = l->num_vertices;
    for (uint32_t i = 0; i + 2 < face->num_indices; i += 3) {
        const bsp_mesh_vertex *triangle[3];
        for (uint32_t c = 0; c < 3; c++) {
            triangle[c] = &mesh->vertices[mesh->indices[face->first_index + i + c]];
        }
        if (!lay_on(l, m, triangle)) {
            return false;
        }
    }
    if (l->num_vertices == first) {
        return true;
    }
    bsp_scene_decal *list = bspi_grow(&l->builder->own->heap, l->decals, l->num_decals,
                                      &l->decal_room, sizeof *list, l->builder->error);
    if (list == NULL) {
        return false;
    }
    l->decals = list;
    list[l->num_decals++] = (bsp_scene_decal){.entity = m->entity,
                                              .picture = m->picture,
                                              .face = face->face,
                                              .light_page = group->light_page,
                                              .first_vertex = (uint32_t)first,
                                              .num_vertices = (uint32_t)(l->num_vertices - first)};
    return bspi_meter_add(&l->builder->meter, face->num_indices);
}

static bool is_near(const bsp_mesh *mesh, const bsp_mesh_face *face, const mark *m) {
    for (int axis = 0; axis < 3; axis++) {
        bool below = true;
        bool above = true;
        for (uint32_t v = 0; v < face->num_vertices; v++) {
            float at = mesh->vertices[face->first_vertex + v].position[axis] - m->origin[axis];
            below = below && at < -m->reach;
            above = above && at > m->reach;
        }
        if (below || above) {
            return false;
        }
    }
    return true;
}

// The world, and models that stand where the file has them.
static bool is_still(const bsp_scene *scene, const bsp_mesh_group *group) {
    for (uint32_t i = 0; group->model != 0 && i < scene->num_instances; i++) {
        const bsp_scene_instance *it = &scene->instances[i];
        if (it->model == group->model) {
            return it->shown && !it->place.moved && !it->place.turned;
        }
    }
    return true;
}

static bool lay_group(layer *l, const bsp_mesh_group *group) {
    const bsp_mesh *mesh = l->builder->own->mesh;
    uint32_t never = BSP_SURFACE_SKY | BSP_SURFACE_HIDDEN | BSP_SURFACE_LIQUID |
                     BSP_SURFACE_OVERLAY | BSP_SURFACE_TRANSLUCENT;
    if ((group->bits & never) != 0 || !is_still(&l->builder->own->scene, group)) {
        return true;
    }
    for (uint32_t f = group->first_face; f < group->first_face + group->num_faces; f++) {
        const bsp_mesh_face *face = &mesh->faces[f];
        if (!bspi_meter_add(&l->builder->meter, (uint64_t)l->num_marks * face->num_vertices)) {
            return false;
        }
        for (uint32_t i = 0; i < l->num_marks; i++) {
            if (is_near(mesh, face, &l->marks[i]) && !lay(l, &l->marks[i], group, face)) {
                return false;
            }
        }
    }
    return true;
}

static void *keep(const layer *l, const void *from, size_t count, size_t size) {
    void *copy = bspi_arena_raw(&l->builder->own->arena, count, size, l->builder->error);
    if (copy != NULL && count != 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static bool finish(const layer *l) {
    bsp_scene *scene = &l->builder->own->scene;
    if (l->num_vertices > UINT32_MAX) {
        return bsp_fail(l->builder->error, BSP_E_LIMIT, NULL, "too many triangles of decals");
    }
    scene->decals = keep(l, l->decals, l->num_decals, sizeof *l->decals);
    scene->num_decals = (uint32_t)l->num_decals;
    scene->decal_vertices = keep(l, l->vertices, l->num_vertices, sizeof *l->vertices);
    scene->num_decal_vertices = (uint32_t)l->num_vertices;
    scene->decal_names = l->names;
    scene->num_decal_names = l->num_names;
    return scene->decals != NULL && scene->decal_vertices != NULL;
}

bool bspi_scene_decals(bspi_scene_builder *builder) {
    const bsp_scene_options *options = builder->options;
    if (options->decals == NULL || options->textures == NULL) {
        return true;
    }
    layer l = {.builder = builder};
    const bsp_mesh *mesh = builder->own->mesh;
    bool done = list_marks(&l) && find_pictures(&l);
    for (uint32_t g = 0; done && l.num_marks != 0 && g < mesh->num_groups; g++) {
        done = lay_group(&l, &mesh->groups[g]);
    }
    done = done && finish(&l);
    bspi_heap_free(&builder->own->heap, l.decals, l.decal_room * sizeof *l.decals);
    bspi_heap_free(&builder->own->heap, l.vertices, l.vertex_room * sizeof *l.vertices);
    return done;
}
