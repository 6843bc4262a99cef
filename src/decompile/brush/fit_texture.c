// SPDX-License-Identifier: MIT
// Quake 3: a side's record names its shader, but the texture coordinates stand only in the vertices
// of the faces that were made of the side. A mapping is affine, and is fitted to the vertices of
// the triangles on the side, beginning with the one that covers most of it.
#include "decompile/brush/sides.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

#define PLAIN_SIZE 64.0 // texels of a texture of unknown size
#define MOST_TRIES 16u  // triangles of a face that are tried; some may have no mapping
#define PLAIN_SCALE 0.5 // units per texel where no face shows the side: the default of editors
// Square units: a triangle that covers less, projected along its axis, gives no mapping.
#define FLAT_EPSILON 1e-3
// The largest distance of a vertex from the mapping, in repeats: for the first small triangle, then
// for all of them.
#define FIRST_RESIDUAL 0.02
#define LAST_RESIDUAL 0.002

// u = coefficients[0][0] x + [0][1] y + [0][2], v likewise; x and y are the two axes that the
// texture is projected to in the .map formats.
typedef struct mapping {
    int axis[2];
    double coefficients[2][3];
} mapping;

typedef struct sample {
    double at[2];
    double uv[2];
} sample;

// Sums over samples, relative to the place and texture coordinates of the first.
typedef struct sums {
    double base[2];
    double count;
    double x, y, xx, xy, yy;
    double w[2], wx[2], wy[2];
} sums;

static void add_sample(sums *s, const sample *from) {
    if (s->count == 0) {
        memcpy(s->base, from->at, sizeof s->base);
    }
    double x = from->at[0] - s->base[0];
    double y = from->at[1] - s->base[1];
    s->count++;
    s->x += x;
    s->y += y;
    s->xx += x * x;
    s->xy += x * y;
    s->yy += y * y;
    for (int i = 0; i < 2; i++) {
        s->w[i] += from->uv[i];
        s->wx[i] += from->uv[i] * x;
        s->wy[i] += from->uv[i] * y;
    }
}

// Solves the least squares. Returns false when the samples are collinear.
static bool solve(const sums *s, mapping *m) {
    double n = s->count;
    double xx = s->xx - s->x * s->x / n;
    double xy = s->xy - s->x * s->y / n;
    double yy = s->yy - s->y * s->y / n;
    double determinant = xx * yy - xy * xy;
    if (!(determinant > FLAT_EPSILON * FLAT_EPSILON)) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        double *c = m->coefficients[i];
        double wx = s->wx[i] - s->w[i] * s->x / n;
        double wy = s->wy[i] - s->w[i] * s->y / n;
        c[0] = (wx * yy - wy * xy) / determinant;
        c[1] = (wy * xx - wx * xy) / determinant;
        c[2] = (s->w[i] - c[0] * s->x - c[1] * s->y) / n - c[0] * s->base[0] - c[1] * s->base[1];
        if (!isfinite(c[0]) || !isfinite(c[1]) || !isfinite(c[2])) {
            return false;
        }
    }
    return true;
}

static void triangle_samples(const bsp_map *map, const bspi_face_hit *hit, const mapping *m,
                             sample out[3]) {
    const bsp_face *face = &map->faces[hit->face];
    for (uint32_t i = 0; i < 3; i++) {
        const bsp_draw_vert *vert =
            &map->draw_verts[face->first_vert + map->draw_indices[hit->triangle + i]];
        for (int j = 0; j < 2; j++) {
            out[i].at[j] = (double)vert->point[m->axis[j]];
            out[i].uv[j] = (double)vert->uv[j];
        }
    }
}

// Removes the whole repeats by which compilers shift the coordinates of each surface. Returns false
// when the triangle has another mapping.
static bool agrees(const mapping *m, sample samples[3], double residual) {
    for (int i = 0; i < 2; i++) {
        const double *c = m->coefficients[i];
        double shift = 0;
        for (int s = 0; s < 3; s++) {
            double off =
                samples[s].uv[i] - (c[0] * samples[s].at[0] + c[1] * samples[s].at[1] + c[2]);
            shift = s == 0 ? rint(off) : shift;
            if (!(fabs(off - shift) <= residual)) {
                return false;
            }
            samples[s].uv[i] -= shift;
        }
    }
    return true;
}

static void refine(const bsp_map *map, const bspi_face_hit *hits, uint32_t count, uint32_t material,
                   double residual, mapping *m) {
    sums all = {0};
    for (uint32_t i = 0; i < count; i++) {
        sample samples[3];
        if (map->faces[hits[i].face].material != material) {
            continue;
        }
        triangle_samples(map, &hits[i], m, samples);
        bool fits = agrees(m, samples, residual);
        for (int s = 0; fits && s < 3; s++) {
            add_sample(&all, &samples[s]);
        }
    }
    mapping better = *m;
    if (all.count >= 3 && solve(&all, &better)) {
        *m = better;
    }
}

static bool fit(const bsp_map *map, const bspi_face_hit *hits, uint32_t count,
                const bspi_face_hit *best, mapping *m) {
    sample samples[3];
    sums first = {0};
    triangle_samples(map, best, m, samples);
    for (int s = 0; s < 3; s++) {
        add_sample(&first, &samples[s]);
    }
    if (!solve(&first, m)) {
        return false;
    }
    uint32_t material = map->faces[best->face].material;
    refine(map, hits, count, material, FIRST_RESIDUAL, m);
    refine(map, hits, count, material, LAST_RESIDUAL, m);
    return true;
}

// Returns true if a face can show a side: it has the shader of the side, or one that the compiler
// made, which is named after the map and so outside textures/. Other faces in this place are
// decals.
static bool may_show(const bsp_map *map, uint32_t face, uint32_t material) {
    uint32_t shown = map->faces[face].material;
    return shown == material || material == BSP_NONE || shown == BSP_NONE ||
           !bspi_text_begins_nocase(map->materials[shown].name, "textures/");
}

static const bspi_face_hit *best_hit(const bsp_map *map, const bspi_face_hit *hits, uint32_t count,
                                     uint32_t material) {
    const bspi_face_hit *best = NULL;
    bool best_same = false;
    for (uint32_t i = 0; i < count; i++) {
        if (!may_show(map, hits[i].face, material)) {
            continue;
        }
        bool same = map->faces[hits[i].face].material == material;
        if (best == NULL || (same && !best_same) ||
            (same == best_same && hits[i].area > best->area)) {
            best = &hits[i];
            best_same = same;
        }
    }
    return best;
}

static mapping empty_mapping(const double normal[3]) {
    double x = fabs(normal[0]);
    double y = fabs(normal[1]);
    double z = fabs(normal[2]);
    if (z >= x && z >= y) {
        return (mapping){.axis = {0, 1}};
    }
    return x >= y ? (mapping){.axis = {1, 2}} : (mapping){.axis = {0, 2}};
}

static uint32_t shader_of(const bsp_map *map, uint32_t brush, uint32_t side) {
    uint32_t material = map->brush_sides[side].material;
    if (material == BSP_NONE || bspi_text_is(map->materials[material].name, "noshader")) {
        material = map->brushes[brush].material;
    }
    return material;
}

// Finds the size of each texture from the first face with it; where no face shows a side, the size
// is probably the same.
static bool find_repeats(bspi_work *w) {
    const bsp_map *map = w->map;
    w->repeats = bspi_arena_zero(&w->arena, map->num_materials, sizeof *w->repeats, w->error);
    for (uint32_t f = 0; w->repeats != NULL && f < map->num_faces; f++) {
        const bsp_face *face = &map->faces[f];
        if (face->material == BSP_NONE || w->repeats[face->material][0] > 0 ||
            (face->type != BSP_FACE_POLYGON && face->type != BSP_FACE_MESH)) {
            continue;
        }
        for (uint32_t i = 0; i + 3 <= face->num_indices && i < 3 * MOST_TRIES; i += 3) {
            bspi_face_hit hit = {.face = f, .triangle = face->first_index + i};
            double normal[3];
            mapping m;
            if (bspi_triangle_normal(map, &hit, normal)) {
                m = empty_mapping(normal);
                if (fit(map, NULL, 0, &hit, &m)) {
                    for (int j = 0; j < 2; j++) {
                        const double *c = m.coefficients[j];
                        w->repeats[face->material][j] = sqrt(c[0] * c[0] + c[1] * c[1]);
                    }
                    break;
                }
            }
        }
    }
    return w->repeats != NULL;
}

// Sets the default look: along the axes, with the size that the texture has elsewhere.
static bool look_guessed(bspi_work *w, uint32_t material, const double normal[3], bspi_look *look) {
    if (w->repeats == NULL && !find_repeats(w)) {
        return false;
    }
    bspi_look_default(look, normal, 1);
    for (int i = 0; i < 2; i++) {
        double repeats = material != BSP_NONE ? w->repeats[material][i] : 0;
        double texels =
            repeats > 0 && look->size[i] != 0 ? repeats * look->size[i] : 1 / PLAIN_SCALE;
        for (int j = 0; j < 3; j++) {
            look->vec[i][j] *= !look->repeats ? texels
                               : repeats > 0  ? repeats
                                              : texels / PLAIN_SIZE;
        }
    }
    return true;
}

bool bspi_look_drawn(bspi_work *w, uint32_t brush, uint32_t side, const bspi_polygon *polygon,
                     const bspi_face_hit *hits, uint32_t count, bspi_look *look) {
    const bsp_map *map = w->map;
    uint32_t material = shader_of(map, brush, side);
    const bspi_face_hit *best = best_hit(map, hits, count, material);
    mapping m = empty_mapping(polygon->normal);
    bool fitted = best != NULL && fit(map, hits, count, best, &m);
    look->face = best != NULL ? best->face : BSP_NONE;
    if (material == BSP_NONE && best != NULL) {
        material = map->faces[best->face].material;
    }
    if (material != BSP_NONE) {
        look->material = map->materials[material].name;
    }
    if (!bspi_material_size(w, material, look->size)) {
        return false;
    }
    look->repeats = look->size[0] == 0 || look->size[1] == 0;
    if (!fitted) {
        look->source = BSPI_LOOK_GUESS;
        return look_guessed(w, material, polygon->normal, look);
    }
    for (int i = 0; i < 2; i++) {
        double texels = look->repeats ? 1 : look->size[i];
        look->vec[i][m.axis[0]] = m.coefficients[i][0] * texels;
        look->vec[i][m.axis[1]] = m.coefficients[i][1] * texels;
        look->vec[i][3] = m.coefficients[i][2] * texels;
    }
    look->source = BSPI_LOOK_FACE;
    return true;
}
