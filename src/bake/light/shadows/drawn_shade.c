// SPDX-License-Identifier: MIT
// Quake 3: what casts shadows. What is solid in the tree does, and so do triangles of surfaces,
// those of detail brushes too; those whose shader says alphashadow or lightfilter let through what
// their picture does. Facts: sheet bake, 3.2; netradiant-custom,
// tools/quake3/q3map2/light_trace.cpp.
#include "bake/light/drawn/drawn.h"
#include "bake/light/drawn/facets.h"
#include "bake/light/shadows/shade.h"
#include "bake/light/shadows/shade_skies.h"
#include "bake/light/shadows/shade_tree.h"

#include "core/text.h"
#include "core/vector.h"

#include <math.h>
#include <string.h>

#define BARELY 0.0001f // how far beside its edges a triangle is met that lets light through
#define BLACK 0.001f   // of what is left of light: nothing
#define STEPS 64u      // that count as one of work

typedef struct picture {
    bool alpha;   // takes light by its alpha
    bool filters; // and by its colour
    uint32_t width;
    uint32_t height;
    const uint8_t *pixels; // four bytes each; NULL: nothing goes through
} picture;

struct bspi_shade {
    picture *pictures; // for each material
    bspi_shade_tree tree;
    bspi_shade_eight_fn *eight;
};

// A line while it is looked along.
typedef struct look {
    const bspi_relight *own;
    bspi_shade_line *line;
    bspi_shade_look way;
    bool sky; // some of the sky was met
} look;

// --- what they let through ----------------------------------------------------------------------

// Multiplies light by what a triangle lets through. False if nothing is left.
static bool filter(const struct bspi_shade *shade, const bspi_shade_triangle *t, uint32_t material,
                   float u, float v, float through[3]) {
    const picture *p = &shade->pictures[material];
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

// A line meets a triangle there, or right beside it. False if nothing is left of the light.
static bool meet(look *l, const bspi_shade_triangle *t, float u, float v, float depth) {
    const struct bspi_shade *shade = l->own->drawn->triangles;
    if (l->line->grid && t->patch) {
        return true;
    }
    if (t->kind == BSPI_SHADE_SKY) {
        l->sky = l->line->clear = true;
        return true;
    }
    if (t->kind == BSPI_SHADE_CLEAR) {
        uint32_t material = l->own->map->faces[t->face].material;
        l->line->clear = true;
        bool beside = u < -BARELY || v < -BARELY || u + v > 1 + BARELY;
        if (beside || filter(shade, t, material, u, v, l->line->through)) {
            return true;
        }
    }
    l->line->share = depth / l->way.length;
    return false;
}

// Looks at the triangles of the leaves that a line passes. False if nothing is left of the light.
static bool pass_all(look *l, const bspi_shade_way *way) {
    const bspi_shade_tree *tree = &l->own->drawn->triangles->tree;
    uint32_t count = l->own->drawn->told.no_surfaces ? 0 : way->num_leaves;
    for (uint32_t n = 0; n < count; n++) {
        const bspi_shade_node *leaf = &tree->nodes[way->leaves[n]];
        l->line->steps += leaf->count;
        for (uint32_t i = 0; i < leaf->count; i++) {
            const bspi_shade_triangle *t = &tree->triangles[leaf->first + i];
            float at[2];
            float depth;
            if (bspi_shade_meets(&l->way, t, at, &depth) && !meet(l, t, at[0], at[1], depth)) {
                return false;
            }
        }
    }
    return true;
}

// Begins to look along a line. Returns true if it goes into what is solid.
static bool begin(const bspi_relight *own, const float from[3], const float to[3], bool beyond,
                  bspi_shade_line *line, look *l, bspi_shade_way *way) {
    *l = (look){.own = own, .line = line, .way = {.from = from, .near = line->near}};
    for (int i = 0; i < 3; i++) {
        line->through[i] = 1;
        l->way.way[i] = to[i] - from[i];
    }
    l->way.length = bspi_normalize(l->way.way);
    line->share = 1;
    line->clear = false;
    way->steps = 0;
    bool solid = bspi_shade_walk(&own->drawn->triangles->tree, from, to, beyond, way);
    line->steps += way->steps;
    return solid;
}

bool bspi_shade_pass(const bspi_relight *own, const float from[3], const float to[3],
                     bspi_shade_line *line) {
    bspi_shade_way way;
    look l;
    if (begin(own, from, to, false, line, &l, &way)) {
        float gone[3];
        for (int i = 0; i < 3; i++) {
            gone[i] = way.solid[i] - from[i];
        }
        line->share = l.way.length > 0 ? sqrtf(bspi_dot(gone, gone)) / l.way.length : 0;
        return false;
    }
    return pass_all(&l, &way);
}

bool bspi_shade_sky(const bspi_relight *own, const float from[3], const float to[3],
                    bspi_shade_line *line) {
    bspi_shade_way way;
    look l;
    (void)begin(own, from, to, true, line, &l, &way);
    return pass_all(&l, &way) && l.sky;
}

void bspi_shade_many(const bspi_relight *own, const bspi_shade_rules *rules,
                     bspi_shade_eight *eight, float (*through)[3]) {
    const struct bspi_shade *shade = own->drawn->triangles;
    if (shade->eight != bspi_shade_eight_base) {
        shade->eight(&shade->tree, rules, eight);
    } else { // by four numbers at once lines are looked along in twice the time of one by one
        eight->stopped = eight->clear = 0;
        eight->unknown = eight->lanes;
    }
    eight->stopped |= rules->beyond ? ~eight->clear : 0;
    for (uint32_t n = 0; through != NULL && n < BSPI_SHADE_LANES; n++) {
        through[n][0] = through[n][1] = through[n][2] = 1;
    }
    for (uint32_t left = eight->unknown; left != 0; left &= left - 1) {
        uint32_t n = (uint32_t)__builtin_ctz(left);
        bspi_shade_line line = {.near = rules->near, .grid = rules->grid, .through = {1, 1, 1}};
        const float from[3] = {eight->from[0][n], eight->from[1][n], eight->from[2][n]};
        const float to[3] = {eight->to[0][n], eight->to[1][n], eight->to[2][n]};
        bool open = rules->beyond ? bspi_shade_sky(own, from, to, &line)
                                  : bspi_shade_pass(own, from, to, &line);
        eight->stopped = (eight->stopped & ~(1u << n)) | (uint32_t)!open << n;
        eight->clear |= (uint32_t)line.clear << n;
        eight->share[n] = line.share;
        eight->steps += line.steps;
        if (through != NULL) {
            memcpy(through[n], line.through, sizeof line.through);
        }
    }
}

bool bspi_shade_pay(bspi_relight *own, uint64_t steps, bsp_error *error) {
    return bspi_heap_work(&own->heap, steps / STEPS, error);
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

// Does a face cast a shadow, or let through the sky?
static bool shades(const bspi_relight *own, const struct bspi_shade *shade, uint32_t face) {
    const bsp_map *map = own->map;
    const bsp_face *at = &map->faces[face];
    uint32_t model = own->face_models[face];
    uint32_t bits = bsp_surface_bits_of(map, face) & (BSP_SURFACE_SKY | BSP_SURFACE_HIDDEN);
    if (at->material >= map->num_materials || (model != 0 && !own->models[model].shades)) {
        return false;
    }
    const picture *p = &shade->pictures[at->material];
    bool clear = (map->materials[at->material].contents & own->drawn->clear) != 0;
    bool drawn = at->type == BSP_FACE_POLYGON || at->type == BSP_FACE_MESH ||
                 (at->type == BSP_FACE_PATCH && own->drawn->patch_shadows);
    return drawn && bits != BSP_SURFACE_HIDDEN && (p->alpha || p->filters || !clear);
}

static bool is_sky(const bspi_relight *own, uint32_t face) {
    return (bsp_surface_bits_of(own->map, face) & BSP_SURFACE_SKY) != 0;
}

// Says what the triangles of the tree do.
static void set_kinds(const bspi_relight *own, struct bspi_shade *shade) {
    for (uint32_t n = 0; n < shade->tree.num_triangles; n++) {
        bspi_shade_triangle *t = &shade->tree.triangles[n];
        const bsp_face *face = &own->map->faces[t->face];
        const picture *seen = &shade->pictures[face->material];
        bool sky = is_sky(own, t->face);
        bool clear = seen->pixels != NULL && (seen->alpha || seen->filters);
        t->kind = sky ? BSPI_SHADE_SKY : clear ? BSPI_SHADE_CLEAR : BSPI_SHADE_OPAQUE;
        t->patch = face->type == BSP_FACE_PATCH;
    }
}

// Triangles under construction.
typedef struct triangles {
    bspi_shade_triangle *list; // heap
    uint32_t count;
    size_t room;
} triangles;

// Adds the triangle of a facet that begins with its first corner and one after that.
static bool add_triangle(bspi_relight *own, triangles *out, const bspi_facet *facet,
                         uint32_t second, uint32_t face, bsp_error *error) {
    const bspi_drawn_corner *of[3] = {&facet->corners[0], &facet->corners[second],
                                      &facet->corners[second + 1]};
    bspi_shade_triangle *list =
        bspi_grow(&own->heap, out->list, out->count, &out->room, sizeof *out->list, error);
    if (list == NULL) {
        return false;
    }
    out->list = list;
    bspi_shade_triangle *t = &list[out->count++];
    for (int i = 0; i < 3; i++) {
        t->corner[i] = of[0]->point[i];
        t->edges[0][i] = of[1]->point[i] - of[0]->point[i];
        t->edges[1][i] = of[2]->point[i] - of[0]->point[i];
        memcpy(t->uv[i], of[i]->uv, sizeof t->uv[i]);
    }
    t->face = face;
    return true;
}

static bool add_face(bspi_relight *own, triangles *out, uint32_t face, bsp_error *error) {
    bspi_facets facets;
    bool done = bspi_facets_of(own, face, BSPI_FACET_THROWS, &facets, error);
    for (uint32_t n = 0; done && n < facets.count; n++) {
        const bspi_facet *facet = &facets.list[n];
        for (uint32_t second = 1; done && second + 1 < facet->count; second++) {
            done = add_triangle(own, out, facet, second, face, error);
        }
    }
    bspi_facets_free(own, &facets);
    return done;
}

static bool find_skies(bspi_relight *own, const triangles *all, bsp_error *error) {
    bspi_occluder_list skies = bspi_occluder_list_begin(own, error);
    bool done = skies.all != NULL;
    for (uint32_t n = 0; done && n < all->count; n++) {
        done = !is_sky(own, all->list[n].face) || bspi_shade_skies_add(&skies, &all->list[n]);
    }
    own->drawn->skies = bspi_occluder_list_end(&skies, done);
    return own->drawn->skies != NULL;
}

static bool add_faces(bspi_relight *own, struct bspi_shade *shade, bsp_error *error) {
    triangles all = {.list = NULL};
    bool done = true;
    for (uint32_t f = 0; done && f < own->map->num_faces; f++) {
        done = !shades(own, shade, f) || add_face(own, &all, f, error);
    }
    done = done && find_skies(own, &all, error) &&
           bspi_shade_tree_make(&own->heap, own->map, all.list, all.count, &shade->tree, error);
    bspi_heap_free(&own->heap, all.list, all.room * sizeof *all.list);
    shade->eight = bspi_shade_eight_here();
    set_kinds(own, shade);
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
    own->drawn->triangles = shade;
    return done && add_faces(own, shade, error);
}

void bspi_shade_free(bspi_relight *own) {
    if (own->drawn->triangles != NULL) {
        bspi_shade_tree_free(&own->heap, &own->drawn->triangles->tree);
    }
}
