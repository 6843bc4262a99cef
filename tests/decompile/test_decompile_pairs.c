// SPDX-License-Identifier: MIT
// Decompiled brushes against the source that was compiled: of each pair, the brushes that come back
// with the same planes, and on each side that faces show the same texture at the same texels.
// Prints its figures with BSPKIT_REPORT set. Skipped without the corpus.
#include "bspkit/decompile.h"
#include "support/effort.h"
#include "support/files.h"
#include "support/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#define PLANE_DIST 1e-3
#define PLANE_NORMAL 1e-5
#define TEXEL (1.0 / 16)
#define MOST_CORNERS 64

typedef double vec3[3];

typedef struct figures {
    unsigned brushes; // of the source
    unsigned found;   // with the same planes
    unsigned sides;   // of those, that faces show
    unsigned textures;
    unsigned mappings;
    unsigned shared;  // sides whose mapping is that of another brush on the same plane
    unsigned unknown; // brushes that the source does not have
    unsigned astray;  // brushes found in an entity of another class
    unsigned patches; // of the source
    unsigned bent;    // of those, without one of the same control points and texture
} figures;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// --- planes -------------------------------------------------------------------------------------

static bool same_plane(const bsp_mapdoc_side *a, const bsp_mapdoc_side *b) {
    return fabs(a->normal[0] - b->normal[0]) <= PLANE_NORMAL &&
           fabs(a->normal[1] - b->normal[1]) <= PLANE_NORMAL &&
           fabs(a->normal[2] - b->normal[2]) <= PLANE_NORMAL &&
           fabs(a->dist - b->dist) <= PLANE_DIST;
}

static const bsp_mapdoc_side *side_like(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush,
                                        const bsp_mapdoc_side *side) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        if (same_plane(&source->sides[brush->first_side + i], side)) {
            return &source->sides[brush->first_side + i];
        }
    }
    return NULL;
}

// The point of three planes; false when two of them are parallel or so.
static bool meet(const bsp_mapdoc_side *a, const bsp_mapdoc_side *b, const bsp_mapdoc_side *c,
                 vec3 out) {
    vec3 bc;
    vec3 ca;
    vec3 ab;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        bc[i] = b->normal[j] * c->normal[k] - b->normal[k] * c->normal[j];
        ca[i] = c->normal[j] * a->normal[k] - c->normal[k] * a->normal[j];
        ab[i] = a->normal[j] * b->normal[k] - a->normal[k] * b->normal[j];
    }
    double determinant = dot(a->normal, bc);
    if (fabs(determinant) < 1e-6) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out[i] = (a->dist * bc[i] + b->dist * ca[i] + c->dist * ab[i]) / determinant;
    }
    return true;
}

static bool inside(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush, const double p[3],
                   double slack) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *side = &source->sides[brush->first_side + i];
        if (dot(side->normal, p) - side->dist > slack) {
            return false;
        }
    }
    return true;
}

// Corners of a brush on one of its sides, by trying all pairs of other sides.
static int corners_of(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush,
                      const bsp_mapdoc_side *side, vec3 *corners) {
    int count = 0;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        for (uint32_t j = i + 1; j < brush->num_sides && count < MOST_CORNERS; j++) {
            const bsp_mapdoc_side *a = &source->sides[brush->first_side + i];
            const bsp_mapdoc_side *b = &source->sides[brush->first_side + j];
            if (a != side && b != side && meet(side, a, b, corners[count]) &&
                inside(source, brush, corners[count], 0.05)) {
                count++;
            }
        }
    }
    return count;
}

// True if the brushes are the same solid: the sides of one are among the other's, and what the
// other has besides cuts nothing off.
static bool same_brush(const bsp_mapdoc *want, const bsp_mapdoc_brush *a, const bsp_mapdoc *got,
                       const bsp_mapdoc_brush *b) {
    vec3 corners[MOST_CORNERS];
    if (b->num_sides > a->num_sides) {
        return false;
    }
    for (uint32_t i = 0; i < b->num_sides; i++) {
        if (side_like(want, a, &got->sides[b->first_side + i]) == NULL) {
            return false;
        }
    }
    for (uint32_t i = 0; i < b->num_sides && b->num_sides < a->num_sides; i++) {
        int count = corners_of(got, b, &got->sides[b->first_side + i], corners);
        for (int c = 0; c < count; c++) {
            if (!inside(want, a, corners[c], 0.05)) {
                return false;
            }
        }
    }
    return true;
}

// --- textures -----------------------------------------------------------------------------------

static bsp_text bare(bsp_text name) {
    const size_t prefix = strlen("textures/");
    if (name.size > prefix && strncasecmp(name.data, "textures/", prefix) == 0) {
        return (bsp_text){name.data + prefix, name.size - prefix};
    }
    return name;
}

static bool same_texture(bsp_text a, bsp_text b) {
    a = bare(a);
    b = bare(b);
    // A texinfo of Quake 2 has room for 31 characters.
    size_t size = b.size == 31 && a.size > b.size ? b.size : a.size;
    return size == b.size && strncasecmp(a.data, b.data, size) == 0;
}

static double texel(const bsp_mapdoc_side *side, int i, const double p[3]) {
    return dot(side->vec[i], p) + side->vec[i][3];
}

// Texels of `a` that a repeat of `b` has, or the other way round: by the two corners that are
// furthest apart in `a`.
static double scale_between(const bsp_mapdoc_side *a, const bsp_mapdoc_side *b, int i,
                            vec3 *corners, int count) {
    double most = 0;
    double other = 0;
    for (int c = 1; c < count; c++) {
        double run = fabs(texel(a, i, corners[c]) - texel(a, i, corners[0]));
        if (run > most) {
            most = run;
            other = fabs(texel(b, i, corners[c]) - texel(b, i, corners[0]));
        }
    }
    return a->repeats ? other / most : most / other;
}

// Equal at all corners of side `on`. Where one side counts repeats and the other texels, the size
// of the texture is what their scales say, if that is a whole number.
static bool same_mapping(const bsp_mapdoc *want, const bsp_mapdoc_brush *brush,
                         const bsp_mapdoc_side *on, const bsp_mapdoc_side *a,
                         const bsp_mapdoc_side *b) {
    vec3 corners[MOST_CORNERS];
    int count = corners_of(want, brush, on, corners);
    for (int i = 0; i < 2; i++) {
        double size = a->repeats != b->repeats ? rint(scale_between(a, b, i, corners, count)) : 1;
        double modulo = a->repeats && b->repeats ? 1 : a->repeats == b->repeats ? 16 : size;
        double a_scale = a->repeats && !b->repeats ? size : 1;
        double b_scale = b->repeats && !a->repeats ? size : 1;
        double shift = 0;
        for (int c = 0; c < count; c++) {
            double off = a_scale * texel(a, i, corners[c]) - b_scale * texel(b, i, corners[c]);
            shift = c == 0 ? rint(off / modulo) * modulo : shift;
            if (!(fabs(off - shift) <= (a->repeats && b->repeats ? TEXEL / 64 : TEXEL))) {
                return false;
            }
        }
    }
    return true;
}

// --- what faces show ----------------------------------------------------------------------------

// A triangle that faces the same way in the plane of a side, its middle well inside the side: found
// by going through all of them.
static bool triangle_shows(const bsp_mapdoc *got, const bsp_mapdoc_brush *brush,
                           const bsp_mapdoc_side *side, const float *const at[3],
                           const double origin[3]) {
    vec3 middle = {0, 0, 0};
    for (int v = 0; v < 3; v++) {
        vec3 p;
        for (int i = 0; i < 3; i++) {
            p[i] = (double)at[v][i] + origin[i];
            middle[i] += p[i] / 3;
        }
        if (fabs(dot(side->normal, p) - side->dist) > 0.02) {
            return false;
        }
    }
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *other = &got->sides[brush->first_side + i];
        if (other != side && dot(other->normal, middle) - other->dist > -0.25) {
            return false;
        }
    }
    return true;
}

static const float *vertex_of(const bsp_map *map, const bsp_face *face, uint32_t corner) {
    int32_t edge = map->surfedges[face->first_edge + corner];
    const bsp_edge *e = &map->edges[edge < 0 ? -edge : edge];
    return map->vertices[e->v[edge < 0]].point;
}

static bool looks_along(const float *const at[3], const double normal[3]) {
    vec3 n;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        int k = (i + 2) % 3;
        n[i] = (double)(at[2][j] - at[0][j]) * (double)(at[1][k] - at[0][k]) -
               (double)(at[2][k] - at[0][k]) * (double)(at[1][j] - at[0][j]);
    }
    return dot(n, normal) > 0.5; // and not a sliver: files have triangles clockwise
}

// The compiler names shaders after the map where it made them itself.
static bool may_show(const bsp_map *map, const bsp_face *face, const bsp_mapdoc_side *side) {
    bsp_text name = map->materials[face->material].name;
    return same_texture(name, side->material) || bare(name).size == name.size;
}

static bool face_shows(const bsp_map *map, uint32_t number, const bsp_mapdoc *got,
                       const bsp_mapdoc_brush *brush, const bsp_mapdoc_side *side,
                       const double origin[3]) {
    const bsp_face *face = &map->faces[number];
    bool drawn = map->num_draw_verts != 0;
    uint32_t triangles = drawn ? face->num_indices / 3 : face->num_edges - 2;
    if (drawn && face->type != BSP_FACE_POLYGON && face->type != BSP_FACE_MESH) {
        return false;
    }
    // Faces of other brushes may lie here: of another shader, or before what is never drawn.
    if (drawn ? !may_show(map, face, side) : (side->contents & 0x7F) == 0) {
        return false;
    }
    for (uint32_t t = 0; t < triangles; t++) {
        const float *at[3];
        for (uint32_t v = 0; v < 3; v++) {
            if (drawn) {
                uint32_t index = map->draw_indices[face->first_index + t * 3 + v];
                at[v] = map->draw_verts[face->first_vert + index].point;
            } else {
                at[v] = vertex_of(map, face, v == 0 ? 0 : t + v);
            }
        }
        if (looks_along(at, side->normal) && triangle_shows(got, brush, side, at, origin)) {
            return true;
        }
    }
    return false;
}

static bool is_shown(const bsp_map *map, const bsp_mapdoc *got, const bsp_mapdoc_brush *brush,
                     const bsp_mapdoc_side *side) {
    for (uint32_t m = 0; m < map->num_models; m++) {
        vec3 origin = {0, 0, 0};
        for (uint32_t e = 0; e < map->entities->count && m != 0; e++) {
            float at[3];
            const bsp_entity *entity = &map->entities->list[e];
            if (bsp_entity_model(map, entity) == m &&
                bsp_parse_vector(bsp_entity_value(entity, "origin"), at)) {
                origin[0] = (double)at[0];
                origin[1] = (double)at[1];
                origin[2] = (double)at[2];
            }
        }
        const bsp_model *model = &map->models[m];
        for (uint32_t f = 0; f < model->num_faces; f++) {
            if (face_shows(map, model->first_face + f, got, brush, side, origin)) {
                return true;
            }
        }
    }
    return false;
}

// --- a pair -------------------------------------------------------------------------------------

static void say_brush(const char *what, const bsp_mapdoc *source, uint32_t brush) {
    const bsp_mapdoc_brush *b = &source->brushes[brush];
    const bsp_mapdoc_side *side = &source->sides[b->first_side];
    bsp_text name = bsp_mapdoc_value(source, b->entity, "classname");
    REPORT("    %s: brush %u of %.*s, %u sides, (%g %g %g) %g, %.*s\n", what, brush, (int)name.size,
           name.data, b->num_sides, side->normal[0], side->normal[1], side->normal[2], side->dist,
           (int)side->material.size, side->material.data);
}

// Brushes of the source that overlap in a plane have one face between them: the look may be that of
// the other one.
static bool is_shared(const bsp_mapdoc *want, const bsp_mapdoc_brush *brush,
                      const bsp_mapdoc_side *original, const bsp_mapdoc_side *side) {
    for (uint32_t i = 0; i < want->num_sides; i++) {
        const bsp_mapdoc_side *other = &want->sides[i];
        if (other != original && same_plane(other, original) &&
            same_texture(other->material, side->material) &&
            same_mapping(want, brush, original, other, side)) {
            return true;
        }
    }
    return false;
}

static void compare_sides(const bsp_map *map, const bsp_mapdoc *want, uint32_t a,
                          const bsp_mapdoc *got, uint32_t b, figures *f) {
    const bsp_mapdoc_brush *brush = &got->brushes[b];
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *side = &got->sides[brush->first_side + i];
        const bsp_mapdoc_side *original = side_like(want, &want->brushes[a], side);
        if (!is_shown(map, got, brush, side)) {
            continue;
        }
        f->sides++;
        bool texture = same_texture(original->material, side->material);
        bool mapping = same_mapping(want, &want->brushes[a], original, original, side);
        f->textures += texture;
        f->mappings += mapping;
        if (texture && !mapping && is_shared(want, &want->brushes[a], original, side)) {
            f->shared++;
        } else if (!texture || !mapping) {
            REPORT("    side (%g %g %g) %g of brush %u: %.*s [%g %g %g %g][%g %g %g %g] became "
                   "%.*s [%g %g %g %g][%g %g %g %g]\n",
                   side->normal[0], side->normal[1], side->normal[2], side->dist, a,
                   (int)original->material.size, original->material.data, original->vec[0][0],
                   original->vec[0][1], original->vec[0][2], original->vec[0][3],
                   original->vec[1][0], original->vec[1][1], original->vec[1][2],
                   original->vec[1][3], (int)side->material.size, side->material.data,
                   side->vec[0][0], side->vec[0][1], side->vec[0][2], side->vec[0][3],
                   side->vec[1][0], side->vec[1][1], side->vec[1][2], side->vec[1][3]);
        }
    }
}

// An origin brush may have been of any size: only its middle comes back.
static bool is_origin(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush) {
    bsp_text name = source->sides[brush->first_side].material;
    return name.size >= 6 && strncasecmp(name.data + name.size - 6, "origin", 6) == 0;
}

// Groups are an editor's: compilers put what is in them into the world.
static bool is_world(bsp_text name) {
    return (name.size == 10 && memcmp(name.data, "func_group", 10) == 0) ||
           (name.size >= 11 && memcmp(name.data, "func_detail", 11) == 0) ||
           (name.size == 10 && memcmp(name.data, "worldspawn", 10) == 0);
}

static bool same_class(const bsp_mapdoc *want, uint32_t a, const bsp_mapdoc *got, uint32_t b) {
    bsp_text wanted = bsp_mapdoc_value(want, a, "classname");
    bsp_text found = bsp_mapdoc_value(got, b, "classname");
    return bsp_text_equal(wanted, found) || (is_world(wanted) && is_world(found));
}

static bool same_patch(const bsp_mapdoc *want, const bsp_mapdoc_patch *a, const bsp_mapdoc *got,
                       const bsp_mapdoc_patch *b) {
    if (a->width != b->width || a->height != b->height || !same_texture(a->material, b->material) ||
        !same_class(want, a->entity, got, b->entity)) {
        return false;
    }
    const double *first[2] = {want->controls[a->first_control].uv,
                              got->controls[b->first_control].uv};
    // The compiler shifts a surface by whole repeats.
    double shift[2] = {rint(first[0][0] - first[1][0]), rint(first[0][1] - first[1][1])};
    for (uint32_t i = 0; i < a->width * a->height; i++) {
        const bsp_mapdoc_control *from = &want->controls[a->first_control + i];
        const bsp_mapdoc_control *to = &got->controls[b->first_control + i];
        for (int c = 0; c < 3; c++) {
            if (fabs(from->at[c] - to->at[c]) > 1e-3) {
                return false;
            }
        }
        for (int c = 0; c < 2; c++) {
            if (fabs(from->uv[c] - to->uv[c] - shift[c]) > 1e-4) {
                return false;
            }
        }
    }
    return true;
}

static void compare_patches(const bsp_mapdoc *want, const bsp_mapdoc *got, figures *f) {
    f->patches = want->num_patches;
    for (uint32_t a = 0; a < want->num_patches; a++) {
        uint32_t b = 0;
        while (b < got->num_patches &&
               !same_patch(want, &want->patches[a], got, &got->patches[b])) {
            b++;
        }
        f->bent += b == got->num_patches;
        if (b == got->num_patches) {
            const bsp_mapdoc_patch *patch = &want->patches[a];
            const bsp_mapdoc_control *corner = &want->controls[patch->first_control];
            REPORT("    patch %u not found: %u by %u at (%g %g %g), %.*s\n", a, patch->width,
                   patch->height, corner->at[0], corner->at[1], corner->at[2],
                   (int)patch->material.size, patch->material.data);
        }
    }
    // What the compiler left out (a patch in solid) is not in the file.
    assert_int_equal(f->bent + got->num_patches, want->num_patches);
}

static void compare(const bsp_map *map, const bsp_mapdoc *want, const bsp_mapdoc *got, figures *f) {
    bool *taken = calloc(got->num_brushes + 1, sizeof *taken);
    assert_non_null(taken);
    for (uint32_t a = 0; a < want->num_brushes; a++) {
        if (is_origin(want, &want->brushes[a])) {
            continue;
        }
        f->brushes++;
        uint32_t b = 0;
        while (b < got->num_brushes &&
               (taken[b] || !same_brush(want, &want->brushes[a], got, &got->brushes[b]))) {
            b++;
        }
        if (b == got->num_brushes) {
            say_brush("not found", want, a);
            continue;
        }
        taken[b] = true;
        f->found++;
        if (!same_class(want, want->brushes[a].entity, got, got->brushes[b].entity)) {
            f->astray++;
            say_brush("in another entity", want, a);
        }
        compare_sides(map, want, a, got, b, f);
    }
    for (uint32_t b = 0; b < got->num_brushes; b++) {
        if (!taken[b] && !is_origin(got, &got->brushes[b])) {
            f->unknown++;
            say_brush("not in the source", got, b);
        }
    }
    free(taken);
}

static char *read_text(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long length = ftell(file);
    assert_true(length >= 0);
    rewind(file);
    char *text = malloc((size_t)length + 1);
    assert_non_null(text);
    *size = fread(text, 1, (size_t)length, file);
    text[*size] = '\0';
    (void)fclose(file);
    return text;
}

// Figures of a compiled map and its source; both paths are whole.
static figures compare_files(const char *bsp, const char *source_path) {
    figures f = {0};
    bsp_error error = {0};
    size_t size = 0;
    char *text = read_text(source_path, &size);
    assert_non_null(text);
    bsp_mapdoc *want = bsp_mapdoc_read((bsp_text){text, size}, NULL, &error);
    if (want == NULL) {
        fail_msg("%s: %s", source_path, error.message);
        return f;
    }
    bsp_file *file = bsp_file_open(bsp, NULL, &error);
    bsp_map *map = file != NULL ? bsp_map_load(file, NULL, &error) : NULL;
    bsp_mapdoc *got = map != NULL ? bsp_decompile(map, NULL, NULL, &error) : NULL;
    if (got == NULL) {
        fail_msg("%s: %s", bsp, error.message);
        return f;
    }
    compare(map, want, got, &f);
    compare_patches(want, got, &f);
    REPORT(
        "%s: %u brushes, %u found, %u not in the source; %u shown sides, %u textures, %u mappings, "
        "%u of a brush in the same place; %u patches, %u not found\n",
        bsp, f.brushes, f.found, f.unknown, f.sides, f.textures, f.mappings, f.shared, f.patches,
        f.bent);
    bsp_mapdoc_free(got);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_mapdoc_free(want);
    free(text);
    return f;
}

// --- tests --------------------------------------------------------------------------------------

// All that is in the file is in the source, and all of it looks the same. What the compiler left
// out (`gone`) is not in the file, and so cannot be found.
static void assert_same(const char *name, const figures *f, unsigned gone, unsigned shared) {
    if (f->unknown != 0 || f->found + gone != f->brushes || f->textures != f->sides ||
        f->mappings + f->shared != f->sides || f->shared != shared || f->sides == 0 ||
        f->astray != 0) {
        fail_msg("%s: %u of %u brushes (%u gone), %u unknown; %u sides, %u textures, %u mappings, "
                 "%u shared",
                 name, f->found, f->brushes, gone, f->unknown, f->sides, f->textures, f->mappings,
                 f->shared);
    }
}

static void samples(void **state) {
    (void)state;
    static const struct {
        const char *bsp;
        const char *map;
        unsigned gone; // a brush of nothing but skip
    } pairs[] = {
        {"/quake2/lobby.bsp", "/quake2/lobby.map", 1},
        {"/quake2/lobby_qbism.bsp", "/quake2/lobby.map", 1},
        {"/quake3/lobby.bsp", "/quake3/lobby.map", 0},
        {"/quake3/lobby_rbsp.bsp", "/quake3/lobby_rbsp.map", 0},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char bsp[1024];
        char map[1024];
        (void)snprintf(bsp, sizeof bsp, "%s%s", BSP_TEST_SAMPLES, pairs[i].bsp);
        (void)snprintf(map, sizeof map, "%s%s", BSP_TEST_SAMPLES, pairs[i].map);
        figures f = compare_files(bsp, map);
        assert_same(pairs[i].bsp, &f, pairs[i].gone, 0);
    }
}

// What does not come back, and why.
static const struct {
    const char *ending;
    unsigned gone;
    unsigned shared;
} exceptions[] = {
    // A brush of nothing but skip.
    {"q2_light_divzero.bsp", 1, 0},
    // The compiler took 8 brushes out: the file has as many less.
    {"base1-test.bsp", 8, 0},
    // Two brushes (50 and 51) fill the same place: the faces there are those of one of them.
    {"oacmpdm8.bsp", 0, 3},
};

static void check_pair(const char *bsp, const char *map) {
    figures f = compare_files(bsp, map);
    unsigned gone = 0;
    unsigned shared = 0;
    for (size_t i = 0; i < sizeof exceptions / sizeof *exceptions; i++) {
        if (strstr(bsp, exceptions[i].ending) != NULL) {
            gone = exceptions[i].gone;
            shared = exceptions[i].shared;
        }
    }
    assert_same(bsp, &f, gone, shared);
}

static void corpus(void **state) {
    (void)state;
    const char *folder = corpus_folder();
    char path[1024];
    size_t size = 0;
    (void)snprintf(path, sizeof path, "%s/mapsource/PAIRS.tsv", folder != NULL ? folder : "");
    char *list = read_text(path, &size);
    if (list == NULL) {
        skip();
    }
    unsigned number = 0;
    for (char *line = strtok(list, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char bsp[512];
        char map[512];
        char bsp_path[1024];
        char map_path[1024];
        if (sscanf(line, "%511s %511s", bsp, map) != 2 ||
            (strncmp(bsp, "quake2/", 7) != 0 && strncmp(bsp, "quake3/", 7) != 0)) {
            continue;
        }
        if (number++ % test_step(3) != 0) {
            continue;
        }
        (void)snprintf(bsp_path, sizeof bsp_path, "%s/%s", folder, bsp);
        (void)snprintf(map_path, sizeof map_path, "%s/%s", folder, map);
        check_pair(bsp_path, map_path);
    }
    free(list);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples),
        cmocka_unit_test(corpus),
    };
    return cmocka_run_group_tests_name("decompile_pairs", tests, NULL, NULL);
}
