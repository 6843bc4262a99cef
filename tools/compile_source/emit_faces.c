// SPDX-License-Identifier: MIT
// Faces as records: shared vertices, edges used once in each direction, normals.
#include "emit.h"

#include <math.h>

typedef struct mesh {
    bsp_vertex *vertices;
    uint32_t num_vertices;
    bsp_edge *edges;
    bool *used; // the edge has been walked backwards too
    uint32_t num_edges;
    int32_t *surfedges;
    uint32_t num_surfedges;
    bsp_vertex *normals;
    uint32_t num_normals;
    uint32_t *normal_indices;
    uint32_t num_normal_indices;
} mesh;

static uint32_t find_vertex(bsp_vertex **list, uint32_t *count, uint32_t first, vec3 point,
                            float near) {
    bsp_vertex v;
    put_vec3(v.point, point);
    for (uint32_t i = first; i < *count; i++) {
        const float *other = (*list)[i].point;
        if (fabsf(other[0] - v.point[0]) < near && fabsf(other[1] - v.point[1]) < near &&
            fabsf(other[2] - v.point[2]) < near) {
            return i;
        }
    }
    PUSH(*list, *count, v);
    return *count - 1;
}

// An edge is shared by two faces, which walk it in opposite directions.
static int32_t find_edge(mesh *m, uint32_t from, uint32_t to) {
    for (uint32_t i = 1; i < m->num_edges; i++) {
        if (!m->used[i] && m->edges[i].v[0] == to && m->edges[i].v[1] == from) {
            m->used[i] = true;
            return -(int32_t)i;
        }
    }
    uint32_t same = m->num_edges;
    bsp_edge edge = {{from, to}};
    PUSH(m->used, same, false);
    PUSH(m->edges, m->num_edges, edge);
    return (int32_t)m->num_edges - 1;
}

// Vertex 0 and edge 0 are never used: an edge 0 could not be walked backwards.
static void begin(mesh *m) {
    bsp_edge none = {{0, 0}};
    bsp_vertex zero = {{0, 0, 0}};
    uint32_t same = 0;
    PUSH(m->vertices, m->num_vertices, zero);
    PUSH(m->used, same, true);
    PUSH(m->edges, m->num_edges, none);
}

static void add_loop(mesh *m, const winding *w, uint32_t *first, uint32_t *count) {
    uint32_t numbers[64];
    *first = m->num_surfedges;
    *count = w->count;
    for (uint32_t i = 0; i < w->count && i < 64; i++) {
        numbers[i] = find_vertex(&m->vertices, &m->num_vertices, 1, w->p[i], 0.01F);
    }
    for (uint32_t i = 0; i < w->count; i++) {
        int32_t edge = find_edge(m, numbers[i], numbers[(i + 1) % w->count]);
        PUSH(m->surfedges, m->num_surfedges, edge);
    }
}

// The plane is the one that the face looks along; `side` only says that it is the odd one of its
// pair (so in every Source map of the games).
static bsp_face plain_face(mesh *m, const face *f) {
    bsp_face out = {.type = BSP_FACE_POLYGON,
                    .plane = f->plane,
                    .flipped = f->plane & 1,
                    .texinfo = f->texinfo,
                    .material = BSP_NONE,
                    .displacement = BSP_NONE,
                    .original = BSP_NONE,
                    .fog_volume = -1,
                    .area = (float)winding_area(f->w)};
    add_loop(m, f->w, &out.first_edge, &out.num_edges);
    return out;
}

// --- normals ------------------------------------------------------------------------------------

static bool touches(const face *f, vec3 point) {
    for (uint32_t i = 0; i < f->w->count; i++) {
        if (length(sub(f->w->p[i], point)) < ON_EPSILON) {
            return true;
        }
    }
    return false;
}

// The mean over the faces that meet there and share a smoothing group.
static vec3 normal_at(const world *w, const face *f, vec3 point) {
    vec3 sum = w->planes.list[f->plane].normal;
    for (uint32_t i = 0; f->smoothing != 0 && i < w->num_faces; i++) {
        const face *other = &w->faces[i];
        if (other != f && (other->smoothing & f->smoothing) != 0 && touches(other, point)) {
            sum = add(sum, w->planes.list[other->plane].normal);
        }
    }
    return unit(sum);
}

static void add_normals(const world *w, mesh *m, const face *f) {
    for (uint32_t i = 0; i < f->w->count; i++) {
        vec3 normal = normal_at(w, f, f->w->p[i]);
        uint32_t number = find_vertex(&m->normals, &m->num_normals, 0, normal, 1e-5F);
        PUSH(m->normal_indices, m->num_normal_indices, number);
    }
}

// --- all of them --------------------------------------------------------------------------------

static uint32_t number_of(const world *w, const hill *h) {
    for (uint32_t i = 0; i < w->num_hills; i++) {
        if (w->hills[i] == h) {
            return i;
        }
    }
    return BSP_NONE;
}

static void emit_originals(world *w, mesh *m, bsp_map *map) {
    bsp_face *out = zeroed(w->num_originals * sizeof *out);
    for (uint32_t i = 0; i < w->num_originals; i++) {
        out[i] = plain_face(m, &w->originals[i]);
        out[i].displacement = number_of(w, w->originals[i].bent);
    }
    map->original_faces = out;
    map->num_original_faces = w->num_originals;
}

static void put_light(const face *f, bsp_face_light *out) {
    *out = (bsp_face_light){.offset = f->light_offset};
    bool lit = f->light_offset != BSP_NONE;
    for (int s = 0; s < 4; s++) {
        out->styles[s] = f->styles[s];
    }
    for (int a = 0; a < 2; a++) {
        out->mins[a] = lit ? f->light_mins[a] : 0;
        out->size[a] = lit ? f->light_size[a] + 1 : 1;
    }
}

void emit_faces(world *w, bsp_map *map) {
    mesh m = {0};
    bsp_face *faces = zeroed(w->num_faces * sizeof *faces);
    bsp_face_light *lights = zeroed(w->num_faces * sizeof *lights);
    uint32_t *ids = zeroed(w->num_faces * sizeof *ids);
    begin(&m);
    for (uint32_t i = 0; i < w->num_faces; i++) {
        const face *f = &w->faces[i];
        faces[i] = plain_face(&m, f);
        faces[i].displacement = number_of(w, f->bent);
        faces[i].original = f->original;
        faces[i].smoothing = f->smoothing;
        faces[i].on_node = f->on_node ? 1 : 0;
        faces[i].fog_volume = (int32_t)f->fog_volume;
        put_light(f, &lights[i]);
        ids[i] = f->id;
        add_normals(w, &m, f);
    }
    emit_originals(w, &m, map);
    map->faces = faces;
    map->face_lights = lights;
    map->face_ids = ids;
    map->num_faces = map->num_face_lights = map->num_face_ids = w->num_faces;
    map->vertices = m.vertices;
    map->num_vertices = m.num_vertices;
    map->edges = m.edges;
    map->num_edges = m.num_edges;
    map->surfedges = m.surfedges;
    map->num_surfedges = m.num_surfedges;
    map->vert_normals = m.normals;
    map->num_vert_normals = m.num_normals;
    map->vert_normal_indices = m.normal_indices;
    map->num_vert_normal_indices = m.num_normal_indices;
}
