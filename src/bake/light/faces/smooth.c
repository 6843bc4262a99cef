// SPDX-License-Identifier: MIT
// Round surfaces: the normals at corners of faces are means of those of the faces around them whose
// planes differ by less than an angle. ericw-tools: what keys of models and of the world say
// ("_phong", "_phong_angle"), and in Quake 2 values of texinfos; those of func_detail and
// func_group are not in a map, unless it has the normals themselves. hlrad: 50 degrees, between
// faces of one texture. Sources: light/phong.cc of ericw-tools, lightmap.cpp of SDHLT.
#include "bake/light/base/keys.h"
#include "bake/light/base/surface_keys.h"
#include "bake/light/faces/face_area.h"
#include "bake/light/faces/smooth.h"

#include "core/curves.h"
#include "core/vector.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define USUAL 89.0f // degrees of "_phong" 1
#define HLRAD 50.0f // degrees
#define RADIANS ((float)BSPI_PI / 180)
#define BEFORE 0.1f  // units
#define FLAT 0.9999f // cosine of planes that count as one

// What is known of a face while normals are made.
typedef struct rule {
    bool joined;     // its edges are known
    float least;     // cosine between it and another that it is round with; above 1: none
    float concave;   // the same where the other lies before it
    float dist;      // of its plane,
    float middle[3]; // and a point of it
    uint32_t group;  // only those of the same one are round together
    float normal[3];
    float area;
} rule;

typedef struct smoother {
    bspi_relight *own;
    rule *rules;              // one for each face
    uint32_t *firsts;         // of the corners at each vertex in `at`
    uint32_t *at;             // face of each
    uint32_t *corner;         // and which corner of it
    const float (*stored)[3]; // normals at corners that the map has; NULL: they are made
} smoother;

// --- which faces --------------------------------------------------------------------------------

// Returns the angle that an entity says of its faces, or the world where it says nothing.
static float angle_of(const bsp_entity *entity, const bsp_entity *world) {
    float angle = world == NULL ? 0 : bspi_key_number(world, "_phong_angle", 0);
    float phong = world == NULL ? 0 : bspi_key_number(world, "_phong", 0);
    angle = bspi_key_number(entity, "_phong_angle", angle);
    return angle != 0 ? angle : bspi_key_number(entity, "_phong", phong) > 0 ? USUAL : 0;
}

// Sets the angle of each model, 0 for those that are not round. qbsp of ericw-tools takes what the
// world says for all surfaces whose entities say nothing; with its file they are known one by one.
static void find_angles(const bspi_relight *own, float *angles) {
    const bsp_map *map = own->map;
    const bsp_entity *world = bspi_lit_world(own);
    uint32_t count = map->entities == NULL ? 0 : map->entities->count;
    bool known = own->surface_keys != NULL;
    for (uint32_t m = 0; world != NULL && m < map->num_models; m++) {
        angles[m] = !known   ? angle_of(world, NULL)
                    : m == 0 ? bspi_key_number(world, "_phong_angle", 0)
                             : 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t model = bsp_entity_model(map, &map->entities->list[i]);
        if (model != BSP_NONE && model != 0 && model < map->num_models) {
            angles[model] = angle_of(&map->entities->list[i], known ? NULL : world);
        }
    }
}

static void find_rule(const smoother *s, const float *angles, uint32_t face) {
    const bspi_relight *own = s->own;
    const bsp_map *map = own->map;
    rule *r = &s->rules[face];
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t bits = bsp_surface_bits_of(map, face);
    float angle = HLRAD;
    bool ericw = own->relight.compiler == BSP_COMPILER_ERICW;
    const bspi_surface_keys *keys = &bspi_surface_keys_none;
    r->least = r->concave = 2;
    r->group = ericw ? 0 : bsp_surface_material(map, face);
    if (ericw) {
        uint32_t lit = map->traits->surface.lit;
        bool grouped = texinfo < map->num_texinfos && lit != 0 &&
                       map->texinfos[texinfo].value != 0 &&
                       (map->texinfos[texinfo].flags & lit) == 0;
        keys = bspi_surface_keys_of(own, face);
        angle = angles[own->face_models[face]];
        angle = angle != 0 ? angle : bspi_said(keys->angle, 0);
        const bsp_entity *entity = bspi_model_entity(own, own->face_models[face]);
        int group = entity == NULL ? 0 : bspi_key_whole(entity, "_phong_group", 0, 0, INT_MAX / 2);
        group = keys->round > 0 ? (int)keys->round : group;
        r->group = group != 0 ? (uint32_t)group
                   : grouped  ? (uint32_t)map->texinfos[texinfo].value
                              : 0;
        angle = angle == 0 && grouped ? USUAL : angle;
        bool told =
            own->round != NULL && own->face_models[face] == 0 && texinfo < map->num_texinfos;
        angle = angle == 0 && told ? own->round[texinfo] : angle;
    }
    bool plain = bsp_surface_plane(map, face, r->normal, &r->dist);
    if (plain && angle > 0 &&
        (bits & (BSP_SURFACE_SKY | BSP_SURFACE_LIQUID | BSP_SURFACE_HIDDEN)) == 0) {
        r->least = bspi_cosine(fminf(angle, 180) * RADIANS);
        r->concave =
            keys->concave > 0 ? bspi_cosine(fminf(keys->concave, 180) * RADIANS) : r->least;
    }
    r->joined = plain && (ericw || r->least <= 1);
}

// Does a face lie before the plane of another?
static bool is_before(const rule *a, const rule *b) {
    return bspi_dot(a->normal, b->middle) - a->dist > BEFORE;
}

static bool is_round(const rule *a, const rule *b) {
    float least = is_before(a, b) ? fmaxf(a->concave, b->concave) : fmaxf(a->least, b->least);
    return bspi_dot(a->normal, b->normal) >= least && a->group == b->group;
}

// Sets the mean of the corners of a face.
static void set_middle(const bsp_map *map, uint32_t face, float out[3]) {
    const bsp_face *f = &map->faces[face];
    for (uint32_t i = 0; i < f->num_edges; i++) {
        uint32_t at = f->first_edge + i;
        const float *point = at < map->num_surfedges ? bsp_surfedge_point(map, at) : NULL;
        for (int c = 0; point != NULL && c < 3; c++) {
            out[c] += point[c] / (float)f->num_edges;
        }
    }
}

// --- corners ------------------------------------------------------------------------------------

static uint32_t vertex_of(const bsp_map *map, uint32_t face, uint32_t corner) {
    const bsp_face *f = &map->faces[face];
    uint32_t at = f->first_edge + corner % f->num_edges;
    return at < map->num_surfedges ? bsp_surfedge_vertex(map, at) : BSP_NONE;
}

static void add_corners(const smoother *s, bool fill) {
    const bsp_map *map = s->own->map;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        for (uint32_t i = 0; s->rules[f].joined && i < map->faces[f].num_edges; i++) {
            uint32_t vertex = vertex_of(map, f, i);
            if (vertex == BSP_NONE) {
                continue;
            }
            if (!fill) {
                s->firsts[vertex + 1]++;
                continue;
            }
            s->at[s->firsts[vertex]] = f;
            s->corner[s->firsts[vertex]++] = i;
        }
    }
}

static bool find_corners(smoother *s, bsp_error *error) {
    bspi_arena *arena = &s->own->arena;
    const bsp_map *map = s->own->map;
    s->firsts = bspi_arena_zero(arena, (size_t)map->num_vertices + 1, sizeof *s->firsts, error);
    s->at = bspi_arena_raw(arena, (size_t)map->num_surfedges + 1, sizeof *s->at, error);
    s->corner = bspi_arena_raw(arena, (size_t)map->num_surfedges + 1, sizeof *s->corner, error);
    if (s->firsts == NULL || s->at == NULL || s->corner == NULL) {
        return false;
    }
    add_corners(s, false);
    uint64_t steps = 0; // each corner is looked at from each other one at its vertex
    for (uint32_t v = 0; v < map->num_vertices; v++) {
        steps += (uint64_t)s->firsts[v + 1] * s->firsts[v + 1];
        s->firsts[v + 1] += s->firsts[v];
    }
    if (s->firsts[map->num_vertices] > map->num_surfedges) { // faces that share runs of edges
        return bsp_fail(error, BSP_E_FORMAT, NULL, "faces have more edges than the map");
    }
    if (!bspi_heap_work(&s->own->heap, steps, error)) {
        return false;
    }
    add_corners(s, true);
    memmove(s->firsts + 1, s->firsts, map->num_vertices * sizeof *s->firsts);
    s->firsts[0] = 0;
    return true;
}

// Returns the angle of a face at a corner, in radians.
static float corner_angle(const bsp_map *map, uint32_t face, uint32_t corner) {
    uint32_t edges = map->faces[face].num_edges;
    uint32_t v[3] = {vertex_of(map, face, corner + edges - 1), vertex_of(map, face, corner),
                     vertex_of(map, face, corner + 1)};
    float a[3];
    float b[3];
    float n[3];
    if (v[0] == BSP_NONE || v[1] == BSP_NONE || v[2] == BSP_NONE) {
        return 0;
    }
    for (int c = 0; c < 3; c++) {
        a[c] = map->vertices[v[0]].point[c] - map->vertices[v[1]].point[c];
        b[c] = map->vertices[v[2]].point[c] - map->vertices[v[1]].point[c];
    }
    bspi_cross(a, b, n);
    return fabsf(bspi_angle_of(sqrtf(bspi_dot(n, n)), bspi_dot(a, b)));
}

// Do two faces lie in one plane?
static bool is_level(const bsp_map *map, uint32_t one, uint32_t other) {
    return map->faces[one].plane == map->faces[other].plane &&
           map->faces[one].flipped == map->faces[other].flipped;
}

bool bspi_smooth_shares(const bsp_map *map, uint32_t face, uint32_t corner, uint32_t other,
                        uint32_t at) {
    uint32_t one = map->faces[face].first_edge + corner % map->faces[face].num_edges;
    uint32_t two = map->faces[other].first_edge + at % map->faces[other].num_edges;
    return one < map->num_surfedges && two < map->num_surfedges &&
           map->surfedges[one] == -map->surfedges[two];
}

// Have two faces one normal at both ends of the edge from a corner of the first? `at`: the corner
// of the second that is at that one.
static bool go_on(const smoother *s, uint32_t face, uint32_t corner, uint32_t other, uint32_t at) {
    const bspi_smooth *smooth = &s->own->smooth;
    uint32_t edges[2] = {smooth->starts[face + 1] - smooth->starts[face],
                         smooth->starts[other + 1] - smooth->starts[other]};
    bool one = edges[0] != 0 && edges[1] != 0;
    for (uint32_t i = 0; one && i < 2; i++) {
        const float *a = s->stored[smooth->starts[face] + (corner + i) % edges[0]];
        const float *b = s->stored[smooth->starts[other] + (at + edges[1] - i) % edges[1]];
        one = bspi_dot(a, b) >= FLAT;
    }
    return one;
}

// Sets the normal of a face at a corner, and the face beyond the edge that begins there.
static void set_corner(const smoother *s, uint32_t face, uint32_t corner, float normal[3],
                       uint32_t *across) {
    const bsp_map *map = s->own->map;
    const rule *own_rule = &s->rules[face];
    bool by_area = s->own->relight.compiler == BSP_COMPILER_ERICW;
    uint32_t vertex = vertex_of(map, face, corner);
    uint32_t next = vertex_of(map, face, corner + 1);
    memset(normal, 0, 3 * sizeof *normal);
    *across = BSP_NONE;
    for (uint32_t i = vertex == BSP_NONE ? 0 : s->firsts[vertex];
         vertex != BSP_NONE && i < s->firsts[vertex + 1]; i++) {
        const rule *r = &s->rules[s->at[i]];
        uint32_t edges = map->faces[s->at[i]].num_edges;
        bool level = is_level(map, s->at[i], face);
        bool rounded = s->stored != NULL ? go_on(s, face, corner, s->at[i], s->corner[i])
                                         : is_round(own_rule, r);
        bool round = s->at[i] == face || rounded || (!by_area && level);
        if (s->at[i] != face && (round || level) &&
            vertex_of(map, s->at[i], s->corner[i] + edges - 1) == next &&
            (by_area ||
             bspi_smooth_shares(map, face, corner, s->at[i], s->corner[i] + edges - 1))) {
            *across = s->at[i];
        }
        if (!round) {
            continue;
        }
        float weight = corner_angle(map, s->at[i], s->corner[i]) * (by_area ? r->area : 1);
        for (int c = 0; c < 3; c++) {
            normal[c] += r->normal[c] * weight;
        }
    }
    if (s->stored != NULL) {
        memcpy(normal, s->stored[s->own->smooth.starts[face] + corner], 3 * sizeof *normal);
    } else if (!(bspi_normalize(normal) > 0)) {
        memcpy(normal, own_rule->normal, sizeof own_rule->normal);
    }
}

// --- all ----------------------------------------------------------------------------------------

// Finds where the corners of each face begin, and the normals that the map has.
static bool begin(smoother *s, bspi_smooth *out, bsp_error *error) {
    const bsp_map *map = s->own->map;
    bspi_arena *arena = &s->own->arena;
    uint32_t count = 0;
    bool found = false;
    out->starts = bspi_arena_zero(arena, (size_t)map->num_faces + 1, sizeof *out->starts, error);
    out->round = bspi_arena_zero(arena, map->num_faces, 1, error);
    for (uint32_t f = 0; out->starts != NULL && f < map->num_faces; f++) {
        count += s->rules[f].joined ? map->faces[f].num_edges : 0;
        out->starts[f + 1] = count;
    }
    out->normals = bspi_arena_zero(arena, (size_t)count + 1, sizeof *out->normals, error);
    out->across = bspi_arena_raw(arena, (size_t)count + 1, sizeof *out->across, error);
    if (out->starts == NULL || out->normals == NULL || out->across == NULL || out->round == NULL) {
        return false;
    }
    float(*stored)[3] = bspi_arena_raw(arena, (size_t)count + 1, sizeof *stored, error);
    for (uint32_t f = 0; stored != NULL && f < map->num_faces; f++) {
        for (uint32_t i = out->starts[f]; i < out->starts[f + 1]; i++) {
            memcpy(stored[i], s->rules[f].normal, sizeof stored[i]);
        }
    }
    if (stored == NULL || !bspi_smooth_stored(s->own, out->starts, stored, &found, error)) {
        return false;
    }
    s->stored = found ? (const float(*)[3])stored : NULL;
    out->stored = found;
    return true;
}

static bool make(smoother *s, bspi_smooth *out, bsp_error *error) {
    const bsp_map *map = s->own->map;
    if (!begin(s, out, error)) {
        return false;
    }
    for (uint32_t f = 0; f < map->num_faces; f++) {
        bool bent = false;
        bool may = s->rules[f].least <= 1 || s->stored != NULL;
        uint32_t first = out->starts[f];
        for (uint32_t i = first; i < out->starts[f + 1]; i++) {
            set_corner(s, f, i - first, out->normals[i], &out->across[i]);
            bent |= may && bspi_dot(out->normals[i], s->rules[f].normal) < FLAT;
        }
        // ericw-tools: a flat one that may be round has the normals of what it goes on in
        out->round[f] = bent || (s->stored == NULL && s->rules[f].least <= 1 &&
                                 s->own->relight.compiler == BSP_COMPILER_ERICW);
        out->any |= bent;
        if (!bspi_heap_work(&s->own->heap, 1 + (uint64_t)map->faces[f].num_edges * 4, error)) {
            return false;
        }
    }
    return true;
}

bool bspi_smooth_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bsp_light_compiler compiler = own->relight.compiler;
    smoother s = {.own = own};
    if (compiler != BSP_COMPILER_ERICW && compiler != BSP_COMPILER_HLRAD) {
        return true;
    }
    s.rules = bspi_arena_zero(&own->arena, map->num_faces, sizeof *s.rules, error);
    float *angles =
        bspi_arena_zero(&own->arena, (size_t)map->num_models + 1, sizeof *angles, error);
    if (s.rules == NULL || angles == NULL) {
        return false;
    }
    find_angles(own, angles);
    uint64_t corners = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        find_rule(&s, angles, f);
        s.rules[f].area = s.rules[f].least <= 1 ? bspi_face_area(own, f) : 0;
        corners += s.rules[f].joined ? map->faces[f].num_edges : 0;
    }
    if (corners == 0 || corners > map->num_surfedges) {
        return true;
    }
    for (uint32_t f = 0; f < map->num_faces; f++) { // no more edges than there are
        if (s.rules[f].joined) {
            set_middle(map, f, s.rules[f].middle);
        }
    }
    return find_corners(&s, error) && make(&s, &own->smooth, error);
}

bool bspi_smooth_is(const bspi_relight *own, uint32_t face) {
    return own->smooth.any && own->smooth.round[face];
}

uint32_t bspi_smooth_across(const bspi_relight *own, uint32_t face, uint32_t corner) {
    if (own->smooth.starts == NULL) {
        return BSP_NONE;
    }
    uint32_t at = own->smooth.starts[face] + corner;
    return at < own->smooth.starts[face + 1] ? own->smooth.across[at] : BSP_NONE;
}

// Sets how a point is mixed of the corners of a triangle: shares of the second and the third.
static bool shares_of(const float p0[3], const float p1[3], const float p2[3], const float point[3],
                      float shares[2]) {
    float a[3];
    float b[3];
    float p[3];
    for (int c = 0; c < 3; c++) {
        a[c] = p1[c] - p0[c];
        b[c] = p2[c] - p0[c];
        p[c] = point[c] - p0[c];
    }
    float aa = bspi_dot(a, a);
    float bb = bspi_dot(b, b);
    float ab = bspi_dot(a, b);
    float square = aa * bb - ab * ab;
    if (!(square > 1e-6f)) {
        return false;
    }
    shares[0] = (bb * bspi_dot(a, p) - ab * bspi_dot(b, p)) / square;
    shares[1] = (aa * bspi_dot(b, p) - ab * bspi_dot(a, p)) / square;
    return true;
}

// ericw-tools: between the corners of the triangles that fan out from the first one.
static bool fanned(const float (*normals)[3], const bsp_surface_corner *corners, uint32_t count,
                   const float point[3], float out[3]) {
    const float near = 1e-3f;
    for (uint32_t i = 2; i < count; i++) {
        float part[2];
        if (!shares_of(corners[0].point, corners[i - 1].point, corners[i].point, point, part) ||
            part[0] < -near || part[1] < -near || part[0] + part[1] > 1 + near) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            out[c] = normals[0][c] * (1 - part[0] - part[1]) + normals[i - 1][c] * part[0] +
                     normals[i][c] * part[1];
        }
        return true;
    }
    return false;
}

// hlrad: between the middle, which is flat, a corner and the middle of an edge at it.
static bool halved(const bspi_relight *own, uint32_t face, const bsp_surface_corner *corners,
                   uint32_t count, const float point[3], float out[3]) {
    const float(*normals)[3] = (const float(*)[3])(own->smooth.normals + own->smooth.starts[face]);
    float middle[3] = {0, 0, 0};
    float flat[3];
    float dist;
    if (!bsp_surface_plane(own->map, face, flat, &dist)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            middle[c] += corners[i].point[c] / (float)count;
        }
    }
    for (uint32_t n = 0; n < 2 * count; n++) {
        uint32_t i = n / 2;
        uint32_t end = n % 2 == 0 ? i : (i + 1) % count;
        uint32_t across = bspi_smooth_across(own, face, i);
        float half[3];
        float other[3];
        float part[2];
        memcpy(other, flat, sizeof other);
        (void)(across != BSP_NONE && bsp_surface_plane(own->map, across, other, &dist));
        for (int c = 0; c < 3; c++) {
            half[c] = (corners[i].point[c] + corners[(i + 1) % count].point[c]) / 2;
            other[c] += flat[c];
        }
        (void)bspi_normalize(other);
        if (!shares_of(middle, corners[end].point, half, point, part) || part[0] < -0.01f ||
            part[1] < -0.01f) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            out[c] =
                flat[c] * (1 - part[0] - part[1]) + normals[end][c] * part[0] + other[c] * part[1];
        }
        return true;
    }
    return false;
}

void bspi_smooth_normal(const bspi_relight *own, uint32_t face, const bsp_surface_corner *corners,
                        uint32_t count, const float point[3], float out[3]) {
    if (!bspi_smooth_is(own, face)) {
        return;
    }
    uint32_t first = own->smooth.starts[face];
    bool fits = count == own->smooth.starts[face + 1] - first;
    float normal[3];
    bool found = fits && (own->relight.compiler == BSP_COMPILER_HLRAD
                              ? halved(own, face, corners, count, point, normal)
                              : fanned((const float(*)[3])(own->smooth.normals + first), corners,
                                       count, point, normal));
    // ericw-tools mixes them, and makes no unit vector of that: light is weaker between corners
    if (found && (own->relight.compiler == BSP_COMPILER_ERICW || bspi_normalize(normal) > 0)) {
        memcpy(out, normal, sizeof normal);
    }
}
