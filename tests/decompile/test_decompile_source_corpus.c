// SPDX-License-Identifier: MIT
// All Source maps there are, decompiled: brushes are closed and convex, what entities refer to is
// there. And against another decompiler's output where it exists: the same brushes by their planes,
// the same materials, mapping, entities and displacements, but for the classes of difference that
// are named here.
#include "bspkit/decompile.h"
#include "support/each_map.h"
#include "support/files.h"
#include "support/report.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// Their planes are made of vertices, which are floats: 14000 units from the origin that turns a
// normal by 8e-5 and puts the plane 0.04 units off. Ours are the map's own.
#define NORMAL_EPSILON 1e-4
#define DIST_EPSILON 0.05

static bool is_name(bsp_text text, const char *name) {
    return bsp_text_equal(text, bsp_text_of(name));
}

static bool same_name(bsp_text a, bsp_text b) {
    bool same = a.size == b.size;
    for (size_t i = 0; i < a.size && same; i++) {
        same = (a.data[i] | 32) == (b.data[i] | 32);
    }
    return same;
}

static bsp_mapdoc *decompile(const each_map *m, bsp_decompile_report *report) {
    bsp_error error = {0};
    bsp_decompile_options options = {.file = m->file};
    bsp_mapdoc *source = bsp_decompile(m->map, &options, report, &error);
    if (source == NULL) {
        fail_msg("%s: %s", m->name, error.message);
    }
    return source;
}

// --- by itself ----------------------------------------------------------------------------------

static bool has_id(const bsp_mapdoc *s, unsigned id) {
    for (uint32_t i = 0; i < s->num_sides; i++) {
        if (s->sides[i].id == id) {
            return true;
        }
    }
    return false;
}

// Every number under "sides" is a side's; an overlay that the compiler left without a face has
// none.
static void check_side_lists(const each_map *m, const bsp_mapdoc *s) {
    uint32_t bare = 0;
    for (uint32_t i = 0; i < m->map->num_overlays; i++) {
        bare += m->map->overlays[i].num_faces == 0;
    }
    for (uint32_t i = 0; i < s->num_pairs; i++) {
        bsp_text name = bsp_mapdoc_value(s, s->pairs[i].entity, "classname");
        bool lists = is_name(name, "info_overlay") || is_name(name, "env_cubemap");
        if (!lists || !is_name(s->pairs[i].key, "sides")) {
            continue;
        }
        bsp_text list = s->pairs[i].value;
        if (list.size == 0) {
            assert_true(bare-- > 0);
            continue;
        }
        unsigned id = 0;
        for (size_t c = 0; c <= list.size; c++) {
            if (c < list.size && list.data[c] != ' ') {
                id = 10 * id + (unsigned)(list.data[c] - '0');
            } else {
                assert_true(has_id(s, id));
                id = 0;
            }
        }
    }
}

// --- ladders ------------------------------------------------------------------------------------

// True if all sides have materials that make a ladder of a brush by themselves.
static bool is_ladder_material(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush) {
    static const char *const names[] = {"tools/toolsinvisibleladder", "tools/climb",
                                        "tools/climb_alpha", "tools/climb_versus"};
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        bool found = false;
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            found =
                found || same_name(s->sides[brush->first_side + i].material, bsp_text_of(names[n]));
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static uint32_t count_class(const bsp_entities *entities, const char *name) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < entities->count; i++) {
        count += is_name(bsp_entity_value(&entities->list[i], "classname"), name);
    }
    return count;
}

// Each brush with the bit is in a func_ladder, or a ladder by its material; each info_ladder is a
// func_ladder, or is kept.
static void check_ladders(const each_map *m, const bsp_mapdoc *s, uint32_t *ladders) {
    uint32_t marked = 0;
    uint32_t written = 0;
    uint32_t entities = 0;
    for (uint32_t i = 0; i < m->map->num_brushes; i++) {
        marked += ((uint32_t)m->map->brushes[i].contents & 0x20000000) != 0;
    }
    for (uint32_t i = 0; i < s->num_brushes; i++) {
        bool own = is_name(bsp_mapdoc_value(s, s->brushes[i].entity, "classname"), "func_ladder");
        written += own || is_ladder_material(s, &s->brushes[i]);
    }
    for (uint32_t i = 0; i < s->num_entities; i++) {
        bsp_text name = bsp_mapdoc_value(s, i, "classname");
        bool guess = s->entities[i].num_brushes == 1 &&
                     s->brushes[s->entities[i].first_brush].visgroup != BSP_NONE;
        entities += is_name(name, "info_ladder") || (is_name(name, "func_ladder") && !guess);
    }
    if (written != marked || entities != count_class(m->map->entities, "info_ladder")) {
        fail_msg("%s: %u of %u ladders, %u entities for %u", m->name, written, marked, entities,
                 count_class(m->map->entities, "info_ladder"));
    }
    *ladders += marked;
}

static void check_alone(const each_map *m, void *user) {
    if (m->map->branch->family != BSP_SOURCE) {
        return;
    }
    bsp_decompile_report report;
    bsp_mapdoc *s = decompile(m, &report);
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(s, NULL, NULL, &health, NULL));
    REPORT("%s: %u brushes, %u lost, %u of %u sides by guess\n", m->name, report.brushes_out,
           report.brushes_lost, report.sides_guessed, report.sides);
    if (health.sound != s->num_brushes || report.brushes_lost != 0) {
        fail_msg("%s: %u of %u brushes are sound, %u are lost", m->name, health.sound,
                 s->num_brushes, report.brushes_lost);
    }
    // Each brush once (no models are shared in these maps), and one for each displacement.
    assert_int_equal(report.brushes_out, m->map->num_brushes + m->map->num_displacements);
    assert_int_equal(report.displacements, m->map->num_displacements);
    assert_int_equal(report.overlays, m->map->num_overlays + m->map->num_water_overlays);
    assert_int_equal(report.static_props, m->map->num_static_props);
    assert_int_equal(report.protections, 0);
    check_side_lists(m, s);
    check_ladders(m, s, user);
    bsp_mapdoc_free(s);
}

static void test_alone(void **state) {
    (void)state;
    uint32_t ladders = 0;
    bool corpus = each_map_do(check_alone, &ladders) != 0;
    assert_true(!corpus || ladders > 100);
}

// --- sides that lost their planes ---------------------------------------------------------------

typedef struct losses {
    uint32_t brushes; // of the world, some of whose sides say plane 0 now
    uint32_t right;   // written with the planes that they had
    uint32_t named;   // not, and the report names them
} losses;

static bool has_plane(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush, const bsp_plane *plane) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *side = &s->sides[brush->first_side + i];
        double off = fabs(side->dist - (double)plane->dist);
        for (int axis = 0; axis < 3; axis++) {
            off = fmax(off, fabs(side->normal[axis] - (double)plane->normal[axis]));
        }
        if (off < 2e-3) {
            return true;
        }
    }
    return false;
}

// True if the document has a brush with the planes of all authored sides of one of the map.
static bool has_brush(const bsp_mapdoc *s, const bsp_map *map, const bsp_brush *brush) {
    for (uint32_t b = 0; b < s->num_brushes; b++) {
        bool same = true;
        for (uint32_t i = 0; i < brush->num_sides && same; i++) {
            const bsp_brush_side *side = &map->brush_sides[brush->first_side + i];
            same = side->bevel != 0 || has_plane(s, &s->brushes[b], &map->planes[side->plane]);
        }
        if (same) {
            return true;
        }
    }
    return false;
}

// True if two sides and more lost their planes: one alone cannot be told from a true one.
static bool is_damaged(const bsp_map *whole, const bsp_map *map, const bsp_brush *brush) {
    uint32_t lost = 0;
    for (uint32_t i = brush->first_side; i < brush->first_side + brush->num_sides; i++) {
        lost += map->brush_sides[i].bevel == 0 &&
                whole->brush_sides[i].plane != map->brush_sides[i].plane;
    }
    return lost > 1;
}

static bool is_named(const bsp_issues *issues, uint32_t brush) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count; i++) {
        if (list[i].place.record == brush && strcmp(list[i].place.lump, "BRUSHES") == 0) {
            return true;
        }
    }
    return false;
}

// What the tool did to DotaTesting's map, done to the others, whose planes are known: each third
// side says plane 0. Models of entities are left out, as they are written moved.
static void lose_planes(const each_map *m, void *user) {
    losses *t = user;
    if (m->map->branch->family != BSP_SOURCE || !each_map_has_bodies(m) ||
        m->map->num_brushes == 0 || m->map->num_brushes > 120) {
        return;
    }
    bsp_map map = *m->map;
    bsp_brush_side *sides = malloc(map.num_brush_sides * sizeof *sides);
    assert_non_null(sides);
    memcpy(sides, map.brush_sides, map.num_brush_sides * sizeof *sides);
    map.brush_sides = sides;
    for (uint32_t i = 1; i < map.num_brush_sides; i += 3) {
        sides[i].plane = 0;
    }
    bsp_decompile_report report;
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_non_null(issues);
    bsp_decompile_options options = {.issues = issues};
    bsp_mapdoc *whole = decompile(m, &report);
    bsp_mapdoc *s = bsp_decompile(&map, &options, NULL, NULL);
    assert_non_null(s);
    for (uint32_t b = 0; b < map.num_brushes; b++) {
        const bsp_brush *brush = &map.brushes[b];
        if (is_damaged(m->map, &map, brush) && has_brush(whole, m->map, brush)) {
            bool right = has_brush(s, m->map, brush);
            t->brushes++;
            t->right += right;
            t->named += !right && is_named(issues, b);
        }
    }
    REPORT("%s: %u of %u brushes, %u named\n", m->name, t->right, t->brushes, t->named);
    bsp_issues_free(issues);
    bsp_mapdoc_free(whole);
    bsp_mapdoc_free(s);
    free(sides);
}

// DotaTesting's own brushes. The compiler numbers planes as the sides of the source name them, each
// with its reverse: those of the room's first brush are 12 to 23, in pairs, those of the others
// what each adds. So the room spans 6400 x 5632 from -448 to 6784, and its walls are 64 thick.
static void check_room(const each_map *m, void *user) {
    static const double boxes[6][6] = {
        {-6400, 6400, -5632, 5632, 6784, 6848}, {-6400, 6400, -5696, -5632, -448, 6784},
        {6400, 6464, -5632, 5632, -448, 6784},  {-6400, 6400, 5632, 5696, -448, 6784},
        {-6400, 6400, -5632, 5632, -512, -448}, {-6464, -6400, -5632, 5632, -448, 6784},
    };
    if (each_map_has_bodies(m)) {
        return;
    }
    bsp_decompile_report report;
    bsp_mapdoc *s = decompile(m, &report);
    for (uint32_t b = 0; b < 6; b++) {
        const bsp_mapdoc_brush *brush = &s->brushes[s->entities[0].first_brush + b];
        assert_int_equal(brush->num_sides, 6);
        assert_true(bsp_text_equal(s->visgroups[brush->visgroup].name,
                                   bsp_text_of("guess: planes of sides")));
        for (uint32_t i = 0; i < 6; i++) {
            bsp_plane plane = {{0, 0, 0}, (float)(i % 2 != 0 ? boxes[b][i] : -boxes[b][i]), 0};
            plane.normal[i / 2] = i % 2 != 0 ? 1 : -1;
            assert_true(has_plane(s, brush, &plane));
        }
    }
    // A trigger of six sides, two of them oblique, and as much of it as its model's box says.
    uint32_t trigger = BSP_NONE;
    for (uint32_t i = 0; i < s->num_entities; i++) {
        bool found = is_name(bsp_mapdoc_value(s, i, "classname"), "trigger_multiple");
        trigger = found ? i : trigger;
    }
    assert_int_equal(s->entities[trigger].num_brushes, 1);
    const bsp_mapdoc_brush *brush = &s->brushes[s->entities[trigger].first_brush];
    assert_int_equal(brush->num_sides, 6);
    float origin[3];
    assert_true(bsp_parse_vector(bsp_mapdoc_value(s, trigger, "origin"), origin));
    const bsp_model *model = &m->map->models[1];
    for (uint32_t i = 0; i < 6; i++) { // 60 and 62: the oblique sides
        uint32_t axis = i / 2 == 1 ? 2 : 0;
        bsp_plane plane = m->map->planes[i < 4 ? 0 : i == 4 ? 60 : 62];
        if (i < 4) {
            memset(&plane, 0, sizeof plane);
            plane.normal[axis] = i % 2 != 0 ? 1 : -1;
            plane.dist = i % 2 != 0 ? model->maxs[axis] : -model->mins[axis];
        }
        for (int a = 0; a < 3; a++) {
            plane.dist += plane.normal[a] * origin[a];
        }
        assert_true(has_plane(s, brush, &plane));
    }
    *(bool *)user = true;
    bsp_mapdoc_free(s);
}

static void test_room(void **state) {
    (void)state;
    bool found = false;
    if (each_map_do(check_room, &found) == 0) {
        skip();
    }
    assert_true(found);
}

static void test_lost_planes(void **state) {
    (void)state;
    losses t = {0};
    unsigned corpus = each_map_do(lose_planes, &t);
    print_message("%u of %u brushes, %u named\n", t.right, t.brushes, t.named);
    assert_true(corpus == 0 || t.brushes > 1000);
    assert_true(t.right * 5 >= t.brushes * 2);
    assert_int_equal(t.right + t.named, t.brushes);
}

// --- against another ----------------------------------------------------------------------------

typedef struct tally {
    uint32_t maps;
    uint32_t brushes;
    uint32_t clusters; // func_viscluster: theirs guess it from leaves that share a cluster
    uint32_t doubled;  // they write a brush that is a ladder and detail into both
    uint32_t boxed;    // they keep a side of the brush's box, which the compiler added unmarked
    uint32_t sides;
    uint32_t tools;  // another tool material: contents decide here
    uint32_t unseen; // another mapping of a side that no face shows
    uint32_t disps;
    uint32_t missing; // none of these: 0
} tally;

static bool same_plane(const bsp_mapdoc_side *a, const bsp_mapdoc_side *b) {
    return fabs(a->normal[0] - b->normal[0]) < NORMAL_EPSILON &&
           fabs(a->normal[1] - b->normal[1]) < NORMAL_EPSILON &&
           fabs(a->normal[2] - b->normal[2]) < NORMAL_EPSILON &&
           fabs(a->dist - b->dist) < DIST_EPSILON;
}

static const bsp_mapdoc_side *find_side(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush,
                                        const bsp_mapdoc_side *side) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        if (same_plane(&s->sides[brush->first_side + i], side)) {
            return &s->sides[brush->first_side + i];
        }
    }
    return NULL;
}

// How many sides of `brush` the other has not; BSP_NONE if most.
static uint32_t lacks(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush, const bsp_mapdoc *in,
                      const bsp_mapdoc_brush *other) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < brush->num_sides && count < 2; i++) {
        count += find_side(in, other, &s->sides[brush->first_side + i]) == NULL;
    }
    return count;
}

// Two brushes may stand in one place: each is taken once.
static const bsp_mapdoc_brush *find_brush(const bsp_mapdoc *ours, const bsp_mapdoc *theirs,
                                          const bsp_mapdoc_brush *brush, bool *used) {
    for (uint32_t i = 0; i < ours->num_brushes; i++) {
        const bsp_mapdoc_brush *own = &ours->brushes[i];
        if (!used[i] && own->num_sides == brush->num_sides &&
            lacks(theirs, brush, ours, own) == 0) {
            used[i] = true;
            return own;
        }
    }
    return NULL;
}

// The same with a side more, which faces along an axis.
static bool is_boxed(const bsp_mapdoc *ours, const bsp_mapdoc *theirs,
                     const bsp_mapdoc_brush *brush, bool *used) {
    uint32_t axial = 0;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const double *n = theirs->sides[brush->first_side + i].normal;
        axial += fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2]))) > 1 - NORMAL_EPSILON;
    }
    for (uint32_t i = 0; axial != 0 && i < ours->num_brushes; i++) {
        const bsp_mapdoc_brush *own = &ours->brushes[i];
        if (!used[i] && own->num_sides + 1 == brush->num_sides &&
            lacks(ours, own, theirs, brush) == 0) {
            used[i] = true;
            return true;
        }
    }
    return false;
}

static bool is_doubled(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->num_brushes; i++) {
        count +=
            s->brushes[i].num_sides == brush->num_sides && lacks(s, brush, s, &s->brushes[i]) == 0;
    }
    return count > 1;
}

static bool is_tool(bsp_text name) {
    return name.size > 6 && same_name((bsp_text){name.data, 6}, bsp_text_of("tools/"));
}

// They write units a texel with four decimals: r texels a unit become as many as r * r / 20000 more
// or less.
static bool same_axes(const bsp_mapdoc_side *a, const bsp_mapdoc_side *b) {
    for (int k = 0; k < 2; k++) {
        const double *x = a->vec[k];
        const double *y = b->vec[k];
        double rate = sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]);
        double most = rate * (rate * 5e-5 + 1e-3);
        if (fabs(x[0] - y[0]) > most || fabs(x[1] - y[1]) > most || fabs(x[2] - y[2]) > most) {
            return false;
        }
    }
    return true;
}

// Along the axes, four texels a unit: what stands for a mapping that is not known, as the record of
// the side is another's.
static bool is_default(const bsp_mapdoc_side *side) {
    bool plain = true;
    for (int k = 0; k < 2; k++) {
        const double *v = side->vec[k];
        plain = plain && fabs(v[0]) + fabs(v[1]) + fabs(v[2]) == 4 &&
                fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2]))) == 4;
    }
    return plain;
}

static void compare_sides(const bsp_mapdoc *theirs, const bsp_mapdoc_brush *brush,
                          const bsp_mapdoc *ours, const bsp_mapdoc_brush *own, tally *t) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *a = &theirs->sides[brush->first_side + i];
        const bsp_mapdoc_side *b = find_side(ours, own, a);
        t->sides++;
        if (!same_name(a->material, b->material)) {
            t->tools++;
            assert_true(is_tool(a->material) && is_tool(b->material));
        } else if (!same_axes(a, b)) {
            t->unseen++;
            assert_true(is_default(b));
        }
        assert_true(fabs(a->lightmap_scale - b->lightmap_scale) < 1e-6);
        assert_int_equal(a->smoothing, b->smoothing);
    }
}

static bool same_displacement(const bsp_mapdoc *theirs, const bsp_mapdoc_disp *a,
                              const bsp_mapdoc *ours, const bsp_mapdoc_disp *b) {
    uint32_t side = (1u << a->power) + 1;
    bool same = a->power == b->power &&
                memcmp(a->allowed_verts, b->allowed_verts, sizeof a->allowed_verts) == 0;
    for (uint32_t i = 0; i < side * side && same; i++) {
        const bsp_mapdoc_disp_vert *x = &theirs->disp_verts[a->first_vert + i];
        const bsp_mapdoc_disp_vert *y = &ours->disp_verts[b->first_vert + i];
        same = fabs(x->distance - y->distance) < 0.01 && fabs(x->alpha - y->alpha) < 0.5;
        for (int axis = 0; axis < 3 && same; axis++) {
            same = fabs(x->normal[axis] - y->normal[axis]) < 1e-3;
        }
    }
    return same;
}

static void compare_displacements(const bsp_mapdoc *theirs, const bsp_mapdoc *ours, tally *t) {
    assert_int_equal(theirs->num_disps, ours->num_disps);
    for (uint32_t i = 0; i < theirs->num_disps; i++) {
        bool found = false;
        for (uint32_t k = 0; k < ours->num_disps && !found; k++) {
            found = same_displacement(theirs, &theirs->disps[i], ours, &ours->disps[k]);
        }
        t->disps++;
        t->missing += !found;
    }
}

static bool is_displaced(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        if (s->sides[brush->first_side + i].disp != BSP_NONE) {
            return true;
        }
    }
    return false;
}

static void compare_brushes(const bsp_mapdoc *theirs, const bsp_mapdoc *ours, tally *t) {
    bool *used = calloc(ours->num_brushes + (size_t)1, sizeof *used);
    assert_non_null(used);
    for (uint32_t i = 0; i < theirs->num_brushes; i++) {
        const bsp_mapdoc_brush *brush = &theirs->brushes[i];
        if (is_displaced(theirs, brush)) {
            continue; // five of the sides are made up, here as there
        }
        t->brushes++;
        const bsp_mapdoc_brush *own = find_brush(ours, theirs, brush, used);
        if (own != NULL) {
            compare_sides(theirs, brush, ours, own, t);
        } else if (is_name(bsp_mapdoc_value(theirs, brush->entity, "classname"),
                           "func_viscluster")) {
            t->clusters++;
        } else if (is_doubled(theirs, brush)) {
            t->doubled++;
        } else if (is_boxed(ours, theirs, brush, used)) {
            t->boxed++;
        } else {
            t->missing++;
        }
    }
    free(used);
}

// The other's file of a map, read strictly; NULL without one.
static bsp_mapdoc *read_theirs(const char *map) {
    const char *name = strrchr(map, '/');
    name = name != NULL ? name + 1 : map;
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/../oracle/decompiled/%.*s.vmf", corpus_folder(),
                   (int)(strlen(name) - 4), name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    static char text[(size_t)8 << 20];
    size_t size = fread(text, 1, sizeof text, file);
    (void)fclose(file);
    assert_true(size < sizeof text);
    bsp_error error = {0};
    bsp_mapdoc *source = bsp_mapdoc_read((bsp_text){text, size}, NULL, &error);
    if (source == NULL) {
        fail_msg("%s: %s", path, error.message);
    }
    return source;
}

static void compare(const each_map *m, void *user) {
    tally *t = user;
    bsp_mapdoc *theirs = NULL;
    bool known = m->map->branch->family == BSP_SOURCE && !m->map->branch->opaque;
    if (known && corpus_folder() != NULL) {
        theirs = read_theirs(m->name);
    }
    if (theirs == NULL) {
        return;
    }
    bsp_decompile_report report;
    bsp_mapdoc *ours = decompile(m, &report);
    tally before = *t;
    t->maps++;
    compare_brushes(theirs, ours, t);
    compare_displacements(theirs, ours, t);
    REPORT("%s: %u brushes, %u sides, %u tools, %u unseen, %u clusters, %u missing\n", m->name,
           t->brushes - before.brushes, t->sides - before.sides, t->tools - before.tools,
           t->unseen - before.unseen, t->clusters - before.clusters, t->missing - before.missing);
    bsp_mapdoc_free(ours);
    bsp_mapdoc_free(theirs);
}

static void test_against_another(void **state) {
    (void)state;
    tally t = {0};
    each_map_do(compare, &t);
    if (t.maps == 0) {
        skip();
    }
    REPORT("%u maps: %u brushes, %u sides, %u displacements\n", t.maps, t.brushes, t.sides,
           t.disps);
    assert_true(t.maps > 20 && t.brushes > 1500 && t.disps > 60);
    assert_int_equal(t.missing, 0);
    assert_true(t.boxed <= 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_room),
        cmocka_unit_test(test_lost_planes),
        cmocka_unit_test(test_against_another),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
