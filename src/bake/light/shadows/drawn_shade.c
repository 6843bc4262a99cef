// SPDX-License-Identifier: MIT
// Quake 3: triangles that cast shadows besides brushes. Those of models that were compiled into the
// map stop light; those whose shader says alphashadow or lightfilter let through what their picture
// does. Facts: sheet bake, 3.2; netradiant-custom, tools/quake3/q3map2/light_trace.cpp.
#include "bake/light/drawn/drawn.h"
#include "bake/light/drawn/facets.h"
#include "bake/light/shadows/shade.h"

#include "core/text.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LEAF 4u        // triangles of a box that is divided no more
#define MOST_DEPTH 60u // of boxes in boxes
#define NEAR 1.5f      // units from a place that nothing shades
#define FLAT 0.25f     // a triangle along a line is not met
#define BESIDE 0.01f   // how far beside its edges an opaque triangle is met
#define BLACK 0.001f   // of what is left of light: nothing

typedef struct picture {
    bool alpha;   // takes light by its alpha
    bool filters; // and by its colour
    uint32_t width;
    uint32_t height;
    const uint8_t *pixels; // four bytes each; NULL: nothing goes through
} picture;

typedef struct shade_triangle {
    float corner[3];
    float edges[2][3];
    float uv[3][2];
    uint32_t material;
} shade_triangle;

typedef struct shade_box {
    float low[3];
    float high[3];
    uint32_t first; // triangle of a leaf, else the second box; the first one follows
    uint32_t count; // of triangles; 0: it has boxes
} shade_box;

struct bspi_shade {
    picture *pictures; // for each material
    shade_triangle *triangles;
    uint32_t count;
    shade_box *boxes;
    uint32_t num_boxes;
};

// --- what they let through ----------------------------------------------------------------------

// Multiplies light by what a triangle lets through. False if nothing is left.
static bool filter(const struct bspi_shade *shade, const shade_triangle *t, float u, float v,
                   float through[3]) {
    const picture *p = &shade->pictures[t->material];
    uint32_t at[2];
    const uint32_t size[2] = {p->width, p->height};
    if (p->pixels == NULL) {
        return false;
    }
    for (int i = 0; i < 2; i++) {
        float place = t->uv[0][i] * (1 - u - v) + t->uv[1][i] * u + t->uv[2][i] * v;
        place -= floorf(place);
        at[i] = place > 0 ? (uint32_t)(place * (float)size[i]) : 0;
        at[i] = at[i] < size[i] ? at[i] : size[i] - 1;
    }
    const uint8_t *pixel = p->pixels + 4 * ((size_t)at[1] * p->width + at[0]);
    for (int c = 0; c < 3; c++) {
        through[c] *= p->filters ? (float)pixel[c] / 255 : 1;
        through[c] *= p->alpha ? (float)(255 - pixel[3]) / 255 : 1;
    }
    return through[0] > BLACK || through[1] > BLACK || through[2] > BLACK;
}

// Looks at one triangle. False if nothing is left of the light.
static bool pass(const struct bspi_shade *shade, const shade_triangle *t, const float from[3],
                 const float way[3], float length, float through[3]) {
    float p[3];
    float q[3];
    float s[3];
    bspi_cross(way, t->edges[1], p);
    float det = bspi_dot(t->edges[0], p);
    if (!(fabsf(det) >= FLAT)) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        s[i] = from[i] - t->corner[i];
    }
    bspi_cross(s, t->edges[0], q);
    float u = bspi_dot(s, p) / det;
    float v = bspi_dot(way, q) / det;
    float depth = bspi_dot(t->edges[1], q) / det;
    const picture *seen = &shade->pictures[t->material];
    float beside = seen->alpha || seen->filters ? 0 : BESIDE;
    if (u < -beside || v < -beside || u + v > 1 + beside || depth <= NEAR || depth >= length) {
        return true;
    }
    return filter(shade, t, u, v, through);
}

static bool crosses(const shade_box *box, const float from[3], const float inverse[3],
                    float length) {
    float first = 0;
    float last = length;
    for (int i = 0; i < 3; i++) {
        float a = (box->low[i] - from[i]) * inverse[i];
        float b = (box->high[i] - from[i]) * inverse[i];
        float near = a < b ? a : b; // what is no number is passed over
        float far = a < b ? b : a;
        first = near > first ? near : first;
        last = far < last ? far : last;
    }
    return first <= last;
}

bool bspi_shade_pass(const bspi_relight *own, const float from[3], const float to[3],
                     float through[3]) {
    const struct bspi_shade *shade = own->drawn != NULL ? own->drawn->triangles : NULL;
    uint32_t pending[MOST_DEPTH + 1];
    uint32_t count = 0;
    float way[3];
    float inverse[3];
    through[0] = through[1] = through[2] = 1;
    if (shade == NULL) {
        return true;
    }
    for (int i = 0; i < 3; i++) {
        way[i] = to[i] - from[i];
    }
    float length = bspi_normalize(way);
    for (int i = 0; i < 3; i++) {
        inverse[i] = 1 / way[i];
    }
    pending[count++] = 0;
    while (count != 0) {
        uint32_t number = pending[--count];
        const shade_box *box = &shade->boxes[number];
        if (!crosses(box, from, inverse, length)) {
            continue;
        }
        for (uint32_t i = 0; i < box->count; i++) {
            if (!pass(shade, &shade->triangles[box->first + i], from, way, length, through)) {
                return false;
            }
        }
        if (box->count == 0) {
            pending[count++] = box->first;
            pending[count++] = number + 1;
        }
    }
    return true;
}

// --- boxes --------------------------------------------------------------------------------------

static float middle_of(const shade_triangle *t, int axis) {
    return t->corner[axis] + (t->edges[0][axis] + t->edges[1][axis]) / 3;
}

static void enclose(struct bspi_shade *shade, shade_box *box, uint32_t first, uint32_t count) {
    for (int i = 0; i < 3; i++) {
        box->low[i] = INFINITY;
        box->high[i] = -INFINITY;
    }
    for (uint32_t n = first; n < first + count; n++) {
        const shade_triangle *t = &shade->triangles[n];
        for (int i = 0; i < 3; i++) {
            float a = t->corner[i] + t->edges[0][i];
            float b = t->corner[i] + t->edges[1][i];
            box->low[i] = fminf(box->low[i], fminf(t->corner[i], fminf(a, b)) - 1);
            box->high[i] = fmaxf(box->high[i], fmaxf(t->corner[i], fmaxf(a, b)) + 1);
        }
    }
}

// Puts the triangles before the middle of the box first. Returns how many.
static uint32_t part(struct bspi_shade *shade, const shade_box *box, uint32_t first,
                     uint32_t count) {
    int axis = 0;
    uint32_t kept = first;
    for (int i = 1; i < 3; i++) {
        axis = box->high[i] - box->low[i] > box->high[axis] - box->low[axis] ? i : axis;
    }
    float middle = (box->low[axis] + box->high[axis]) / 2;
    for (uint32_t n = first; n < first + count; n++) {
        if (middle_of(&shade->triangles[n], axis) < middle) {
            shade_triangle swapped = shade->triangles[kept];
            shade->triangles[kept++] = shade->triangles[n];
            shade->triangles[n] = swapped;
        }
    }
    return kept == first || kept == first + count ? count / 2 : kept - first;
}

// Divides a run of triangles into boxes, which stand one after another.
static void divide(struct bspi_shade *shade, uint32_t first, uint32_t count, uint32_t depth) {
    uint32_t number = shade->num_boxes++;
    shade_box *box = &shade->boxes[number];
    enclose(shade, box, first, count);
    box->first = first;
    box->count = count;
    if (count <= LEAF || depth == MOST_DEPTH) {
        return;
    }
    uint32_t half = part(shade, box, first, count);
    box->count = 0;
    divide(shade, first, half, depth + 1);
    shade->boxes[number].first = shade->num_boxes;
    divide(shade, first + half, count - half, depth + 1);
}

// --- the map ------------------------------------------------------------------------------------

static bool says(const bsp_shader *shader, const char *word) {
    for (uint32_t i = 0; shader != NULL && i < shader->num_surface_parms; i++) {
        if (bspi_text_equal_nocase(shader->surface_parms[i], bsp_text_of(word))) {
            return true;
        }
    }
    return false;
}

static bool read_picture(bspi_relight *own, const bsp_textures *textures, uint32_t material,
                         picture *out, bsp_error *error) {
    bsp_texture texture = {0};
    const bsp_shader *shader = bsp_textures_shader(textures, material);
    out->alpha = says(shader, "alphashadow");
    out->filters = says(shader, "lightfilter");
    if (!out->alpha && !out->filters) {
        return true;
    }
    if (!bsp_textures_find(textures, material, &texture, error)) {
        return false;
    }
    size_t bytes = (size_t)texture.image.width * texture.image.height * 4;
    uint8_t *pixels = NULL;
    bool done = true;
    if (texture.found && bytes != 0) {
        pixels = bspi_arena_raw(&own->arena, bytes, 1, error);
        done = pixels != NULL;
    }
    if (pixels != NULL) {
        memcpy(pixels, texture.image.pixels, bytes);
        out->width = texture.image.width;
        out->height = texture.image.height;
        out->pixels = pixels;
    }
    bsp_texture_free(&texture);
    return done;
}

// Does a face cast a shadow that no brush does?
static bool shades(const bspi_relight *own, const struct bspi_shade *shade, uint32_t face) {
    const bsp_map *map = own->map;
    const bsp_face *at = &map->faces[face];
    uint32_t model = own->face_models[face];
    if (at->material >= map->num_materials || !bspi_drawn_takes_light(own, face) ||
        (model != 0 && !own->models[model].shades)) {
        return false;
    }
    const picture *p = &shade->pictures[at->material];
    bool clear = (map->materials[at->material].contents & own->drawn->clear) != 0;
    bool mesh =
        at->type == BSP_FACE_MESH || (at->type == BSP_FACE_PATCH && own->drawn->patch_shadows);
    return p->alpha || p->filters ? at->type == BSP_FACE_POLYGON || mesh : mesh && !clear;
}

// Adds the triangle of a facet that begins with its first corner and one after that.
static bool add_triangle(bspi_relight *own, struct bspi_shade *shade, const bspi_facet *facet,
                         uint32_t second, uint32_t material, size_t *room, bsp_error *error) {
    const bspi_drawn_corner *of[3] = {&facet->corners[0], &facet->corners[second],
                                      &facet->corners[second + 1]};
    shade_triangle *list = bspi_grow(&own->heap, shade->triangles, shade->count, room,
                                     sizeof *shade->triangles, error);
    if (list == NULL) {
        return false;
    }
    shade->triangles = list;
    shade_triangle *t = &list[shade->count++];
    for (int i = 0; i < 3; i++) {
        t->corner[i] = of[0]->point[i];
        t->edges[0][i] = of[1]->point[i] - of[0]->point[i];
        t->edges[1][i] = of[2]->point[i] - of[0]->point[i];
        t->uv[i][0] = of[i]->uv[0];
        t->uv[i][1] = of[i]->uv[1];
    }
    t->material = material;
    return true;
}

static bool add_face(bspi_relight *own, struct bspi_shade *shade, uint32_t face, size_t *room,
                     bsp_error *error) {
    bspi_facets facets;
    bool done = bspi_facets_of(own, face, &facets, error);
    for (uint32_t n = 0; done && n < facets.count; n++) {
        const bspi_facet *facet = &facets.list[n];
        for (uint32_t second = 1; done && second + 1 < facet->count; second++) {
            done = add_triangle(own, shade, facet, second, own->map->faces[face].material, room,
                                error);
        }
    }
    bspi_facets_free(own, &facets);
    return done;
}

static bool add_faces(bspi_relight *own, struct bspi_shade *shade, bsp_error *error) {
    size_t room = 0;
    bool done = true;
    for (uint32_t f = 0; done && f < own->map->num_faces; f++) {
        done = !shades(own, shade, f) || add_face(own, shade, f, &room, error);
    }
    shade_triangle *found = shade->triangles;
    shade->triangles = bspi_arena_raw(&own->arena, shade->count, sizeof *found, error);
    shade->boxes = bspi_arena_raw(&own->arena, 2 * (size_t)shade->count, sizeof(shade_box), error);
    done = done && shade->triangles != NULL && shade->boxes != NULL;
    if (done && shade->count != 0) {
        memcpy(shade->triangles, found, shade->count * sizeof *found);
    }
    bspi_heap_free(&own->heap, found, room * sizeof *found);
    return done;
}

bool bspi_shade_make(bspi_relight *own, const bsp_textures *textures, bsp_error *error) {
    struct bspi_shade *shade = bspi_arena_zero(&own->arena, 1, sizeof *shade, error);
    bool done = shade != NULL && bspi_curves_find(own, error);
    if (done) {
        shade->pictures =
            bspi_arena_zero(&own->arena, own->map->num_materials, sizeof *shade->pictures, error);
        done = shade->pictures != NULL;
    }
    for (uint32_t m = 0; done && m < own->map->num_materials; m++) {
        done = read_picture(own, textures, m, &shade->pictures[m], error);
    }
    done = done && add_faces(own, shade, error) &&
           bspi_heap_work(&own->heap, 1 + 32 * (uint64_t)shade->count, error);
    if (done && shade->count != 0) {
        divide(shade, 0, shade->count, 0);
        own->drawn->triangles = shade;
    }
    return done;
}
