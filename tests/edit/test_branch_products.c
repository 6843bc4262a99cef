// SPDX-License-Identifier: MIT
// What is made of a map, for every branch whose records are known: answers to queries, glTF, map
// source, and the same map in the other branches of its family. The room is known, so each answer
// is held against its geometry, not against other code of ours.
#include "bspkit/decompile.h"
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "bspkit/export.h"
#include "bspkit/query.h"
#include "core/reader.h"
#include "support/battery.h"
#include "support/compare.h"
#include "support/random.h"
#include "support/source.h"
#include "support/specimen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>
#include <math.h>

#define POINTS 500
#define TRACES 500

// How far before a surface an engine stops, at most, and what floats add.
#define STOP 0.126F
#define DUST 0.01F

static const bsp_hull room_box = {{-128, -128, 0}, {128, 128, 128}};
static const bsp_hull door_box = {{32, -4, 0}, {40, 4, 96}};

static float between(test_random *random, float low, float high) {
    return low + (float)(random_u32(random) >> 8) / 16777216.0F * (high - low);
}

// Where a side of a box is on its axis: side 0 is the high one of x, 1 the low one, and so on.
static float side_of(const bsp_hull *box, int side) {
    return side % 2 == 0 ? box->maxs[side / 2] : box->mins[side / 2];
}

// How far inside of a box a point is, and the side that is nearest.
static float depth_in(const bsp_hull *box, const float point[3], int *side) {
    float least = INFINITY;
    for (int s = 0; s < 6; s++) {
        int a = s / 2;
        float depth = (side_of(box, s) - point[a]) * (s % 2 == 0 ? 1.0F : -1.0F);
        if (depth < least) {
            least = depth;
            *side = s;
        }
    }
    return least;
}

// --- contents and leaves ------------------------------------------------------------------------

// The room is cut by x = 0 and behind it by y = 0.
static uint32_t leaf_at(const float point[3]) {
    int side;
    if (depth_in(&room_box, point, &side) < 0) {
        return 0;
    }
    return point[0] >= 0 ? 1 : point[1] >= 0 ? 2 : 3;
}

// Apex Legends keeps nothing that could be bumped into but for meshes.
static bool has_collision(const bsp_map *map) {
    return map->num_brushes != 0 || map->num_nodes != 0;
}

static void check_space(const specimen *s) {
    bsp_file *file;
    bsp_map *map = specimen_load(s, &file);
    bool numbers = map->traits->contents_numbers;
    bool tree = map->num_nodes != 0;
    bool known = has_collision(map);
    test_random random = {31};
    for (int i = 0; i < POINTS; i++) {
        int side;
        float point[3];
        for (int a = 0; a < 3; a++) { // up to the outside of the walls
            point[a] = between(&random, room_box.mins[a] - 16, room_box.maxs[a] + 16);
        }
        assert_int_equal(bsp_query_leaf(map, point), tree ? leaf_at(point) : BSP_NONE);
        bool solid = known && leaf_at(point) == 0;
        assert_int_equal(bsp_query_contents(map, 0, point), numbers ? -1 - solid : solid);
        for (int a = 0; a < 3; a++) {
            point[a] = between(&random, door_box.mins[a] - 2, door_box.maxs[a] + 2);
        }
        solid = known && depth_in(&door_box, point, &side) >= 0;
        assert_int_equal(bsp_query_contents(map, 1, point), numbers ? -1 - solid : solid);
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

static void test_space(void **state) {
    (void)state;
    specimen_each(check_space);
}

// --- traces -------------------------------------------------------------------------------------

// The patch of Quake 3 and the displacement of Source stand in the room: what hits them ends at
// their box.
static void check_curved(const specimen *s, const bsp_trace_input *in,
                         const bsp_trace_result *out) {
    static const bsp_hull patch = {{0, 0, 0}, {64, 64, 32}};
    static const bsp_hull ground = {{-128, -128, 0}, {128, 128, 4}};
    const bsp_hull *box = s->branch->family == BSP_QUAKE3 ? &patch : &ground;
    for (int a = 0; a < 3; a++) {
        if (out->end[a] + in->maxs[a] < box->mins[a] - STOP - DUST ||
            out->end[a] + in->mins[a] > box->maxs[a] + STOP + DUST) {
            fail_msg("%s: a trace ends at %g %g %g, far from face %u", s->name, (double)out->end[0],
                     (double)out->end[1], (double)out->end[2], out->face);
        }
    }
}

// A way that starts in the room: the room less the size of what moves is free, and no more.
static void check_way(const specimen *s, const bsp_trace_input *in, const bsp_hull *hull,
                      const bsp_trace_result *out) {
    bsp_hull free_box;
    int side = 0;
    for (int a = 0; a < 3; a++) {
        free_box.mins[a] = room_box.mins[a] - hull->mins[a];
        free_box.maxs[a] = room_box.maxs[a] - hull->maxs[a];
    }
    float depth = depth_in(&free_box, out->end, &side);
    assert_true(depth > -DUST);
    if (out->face != BSP_NONE) {
        check_curved(s, in, out);
    } else if (out->fraction < 1) {
        int a = side / 2;
        float normal = side % 2 == 0 ? -1.0F : 1.0F;
        bool corner = fabsf(out->normal[a]) < 1; // two sides are as near
        if (depth > STOP + DUST || (!corner && out->normal[a] != normal)) {
            fail_msg("%s: a trace ends %g before side %d", s->name, (double)depth, side);
        }
    } else {
        assert_memory_equal(out->end, in->end, sizeof out->end);
    }
}

static void check_hull_traces(const specimen *s, const bsp_map *map, const bsp_trace_index *index,
                              uint32_t number, const bsp_hull *hull) {
    test_random random = {32 + number};
    for (int i = 0; i < TRACES; i++) {
        bsp_trace_input in = {.hull = map->traits->num_hulls == 0 ? 0 : number + 1};
        bsp_trace_result out;
        for (int a = 0; a < 3; a++) {
            float above = a == 2 && in.hull == 0 ? 40.0F : 0.0F; // what is curved
            in.start[a] = between(&random, room_box.mins[a] - hull->mins[a] + above,
                                  room_box.maxs[a] - hull->maxs[a]);
            in.end[a] = between(&random, room_box.mins[a] - 100, room_box.maxs[a] + 100);
            in.mins[a] = in.hull == 0 ? hull->mins[a] : 0;
            in.maxs[a] = in.hull == 0 ? hull->maxs[a] : 0;
        }
        bsp_trace(index, &in, &out);
        if (out.start_solid) {
            fail_msg("%s: hull %u is solid at %g %g %g", s->name, number, (double)in.start[0],
                     (double)in.start[1], (double)in.start[2]);
        }
        check_way(s, &in, hull, &out);
    }
}

// Straight at the door, from both sides.
static void check_door(const bsp_trace_index *index) {
    for (int way = 0; way < 2; way++) {
        bsp_trace_input in = {.start = {100, 0, 48}, .end = {-100, 0, 48}, .model = 1};
        bsp_trace_result out;
        in.start[0] = way == 0 ? 100 : -100;
        in.end[0] = -in.start[0];
        bsp_trace(index, &in, &out);
        float gap = way == 0 ? out.end[0] - door_box.maxs[0] : door_box.mins[0] - out.end[0];
        assert_true(gap > 0 && gap <= STOP);
        assert_true(out.normal[0] == (way == 0 ? 1 : -1));
    }
}

static void check_traces(const specimen *s) {
    static const bsp_hull boxes[] = {{{0, 0, 0}, {0, 0, 0}}, {{-16, -16, -24}, {16, 16, 32}}};
    bsp_file *file;
    bsp_error error = {0};
    bsp_map *map = specimen_load(s, &file);
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, &error);
    if (index == NULL && (has_collision(map) || error.code != BSP_E_UNSUPPORTED)) {
        fail_msg("%s: %s", s->name, error.message);
    }
    const bsp_hull *hulls = map->traits->num_hulls == 0 ? boxes : map->traits->hulls;
    uint32_t count = map->traits->num_hulls == 0 ? 2 : map->traits->num_hulls;
    for (uint32_t h = 0; index != NULL && h < count; h++) {
        check_hull_traces(s, map, index, h, &hulls[h]);
    }
    if (index != NULL) {
        check_door(index);
    }
    bsp_trace_index_free(index);
    bsp_map_free(map);
    bsp_file_close(file);
}

static void test_traces(void **state) {
    (void)state;
    specimen_each(check_traces);
}

// --- glTF ---------------------------------------------------------------------------------------

typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static bool take(void *user, const char *data, size_t size) {
    bytes *b = user;
    b->data = realloc(b->data, b->size + size);
    assert_non_null(b->data);
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return true;
}

// A glTF as other programs see it: its JSON and its one buffer.
typedef struct gltf {
    json_t *root;
    const uint8_t *buffer;
    size_t size;
} gltf;

static gltf parse_glb(const bytes *b) {
    assert_true(b->size >= 28 && bspi_load32(b->data, false) == 0x46546C67);
    assert_int_equal(bspi_load32(b->data + 8, false), b->size);
    uint32_t json_size = bspi_load32(b->data + 12, false);
    assert_int_equal(bspi_load32(b->data + 16, false), 0x4E4F534A);
    assert_true(json_size + 28 <= b->size);
    const uint8_t *second = b->data + 20 + json_size;
    assert_int_equal(bspi_load32(second + 4, false), 0x004E4942);
    gltf out = {json_loadb((const char *)b->data + 20, json_size, 0, NULL), second + 8,
                bspi_load32(second, false)};
    assert_non_null(out.root);
    assert_int_equal((size_t)(out.buffer - b->data) + out.size, b->size);
    return out;
}

static size_t number(const json_t *object, const char *key) {
    return (size_t)json_integer_value(json_object_get(object, key));
}

static const json_t *member(const gltf *g, const char *list, size_t index) {
    const json_t *found = json_array_get(json_object_get(g->root, list), index);
    assert_non_null(found);
    return found;
}

static const uint8_t *accessor(const gltf *g, size_t index, size_t *count) {
    const json_t *a = member(g, "accessors", index);
    const json_t *view = member(g, "bufferViews", number(a, "bufferView"));
    size_t at = number(view, "byteOffset") + number(a, "byteOffset");
    *count = number(a, "count");
    assert_true(at < g->size && number(view, "byteLength") <= g->size);
    return g->buffer + at;
}

// Called with the corners of a triangle in the map's own axes.
typedef void triangle_visit(const float corners[3][3], void *user);

static uint32_t index_at(const gltf *g, const json_t *primitive, const uint8_t *data, size_t i) {
    const json_t *a = member(g, "accessors", number(primitive, "indices"));
    return number(a, "componentType") == 5125 ? bspi_load32(data + 4 * i, false)
                                              : bspi_load16(data + 2 * i, false);
}

static void visit_primitive(const gltf *g, const json_t *primitive, triangle_visit *visit,
                            void *user) {
    size_t num_points;
    size_t num_indices;
    size_t position = number(json_object_get(primitive, "attributes"), "POSITION");
    const json_t *view =
        member(g, "bufferViews", number(member(g, "accessors", position), "bufferView"));
    size_t stride = number(view, "byteStride") == 0 ? 12 : number(view, "byteStride");
    const uint8_t *points = accessor(g, position, &num_points);
    const uint8_t *indices = accessor(g, number(primitive, "indices"), &num_indices);
    for (size_t i = 0; i + 2 < num_indices; i += 3) {
        float corners[3][3];
        for (size_t c = 0; c < 3; c++) {
            uint32_t at = index_at(g, primitive, indices, i + c);
            float point[3];
            assert_true(at < num_points);
            for (int a = 0; a < 3; a++) {
                uint32_t word = bspi_load32(points + at * stride + 4 * (size_t)a, false);
                memcpy(&point[a], &word, sizeof word);
            }
            corners[c][0] = point[0];
            corners[c][1] = -point[2];
            corners[c][2] = point[1];
        }
        visit((const float(*)[3])corners, user);
    }
}

static void visit_triangles(const gltf *g, triangle_visit *visit, void *user) {
    size_t num_meshes = json_array_size(json_object_get(g->root, "meshes"));
    for (size_t m = 0; m < num_meshes; m++) {
        const json_t *primitives = json_object_get(member(g, "meshes", m), "primitives");
        for (size_t p = 0; p < json_array_size(primitives); p++) {
            visit_primitive(g, json_array_get(primitives, p), visit, user);
        }
    }
}

// The area that was seen on each side of the two boxes, as seen from its front, and the area of
// all that leans.
typedef struct areas {
    double room[6];
    double door[6];
    double floor; // of what leans, from above
    uint32_t triangles;
} areas;

static void add_triangle(const float p[3][3], void *user) {
    areas *sum = user;
    double twice[3]; // of the area, along each axis: counter-clockwise from the front
    for (int a = 0; a < 3; a++) {
        int u = (a + 1) % 3;
        int v = (a + 2) % 3;
        twice[a] = (double)(p[1][u] - p[0][u]) * (double)(p[2][v] - p[0][v]) -
                   (double)(p[1][v] - p[0][v]) * (double)(p[2][u] - p[0][u]);
    }
    sum->triangles++;
    for (int s = 0; s < 6; s++) {
        int a = s / 2;
        double front = s % 2 == 0 ? twice[a] : -twice[a];
        bool flat = p[0][a] == p[1][a] && p[0][a] == p[2][a];
        sum->door[s] += flat && p[0][a] == side_of(&door_box, s) && front > 0 ? front / 2 : 0;
        sum->room[s] += flat && p[0][a] == side_of(&room_box, s) && front < 0 ? -front / 2 : 0;
    }
    bool leans = p[0][2] != p[1][2] || p[0][2] != p[2][2];
    sum->floor += leans && twice[2] > 0 && twice[0] != 0 ? twice[2] / 2 : 0;
}

static double side_area(const bsp_hull *box, int side) {
    int u = (side / 2 + 1) % 3;
    int v = (side / 2 + 2) % 3;
    return (double)(box->maxs[u] - box->mins[u]) * (double)(box->maxs[v] - box->mins[v]);
}

static void check_areas(const specimen *s, const bsp_map *map, const areas *sum) {
    for (int side = 0; side < 6; side++) {
        bool displaced = map->num_displacements != 0 && side == 5;
        double want = displaced ? 0 : side_area(&room_box, side);
        double door = side_area(&door_box, side);
        if (fabs(sum->room[side] - want) > 1 || fabs(sum->door[side] - door) > 1) {
            fail_msg("%s: side %d has %g and %g units squared, not %g and %g", s->name, side,
                     sum->room[side], sum->door[side], want, door);
        }
    }
    if (map->num_displacements != 0) {
        assert_true(fabs(sum->floor - side_area(&room_box, 5)) < 1);
    }
}

static void check_export(const specimen *s) {
    bsp_file *file;
    bsp_map *map = specimen_load(s, &file);
    bytes b = {NULL, 0};
    bsp_error error = {0};
    bsp_export_report report;
    bsp_export_options options = {.file = file, .scale = 1};
    if (!bsp_export_glb(map, &options, take, &b, &report, &error)) {
        fail_msg("%s: %s", s->name, error.message);
    }
    gltf g = parse_glb(&b);
    areas sum = {0};
    visit_triangles(&g, add_triangle, &sum);
    check_areas(s, map, &sum);
    assert_int_equal(sum.triangles, report.triangles);
    size_t nodes = json_array_size(json_object_get(g.root, "nodes"));
    assert_true(nodes >= ROOM_ENTITIES + map->num_static_props);
    json_decref(g.root);
    free(b.data);
    bsp_map_free(map);
    bsp_file_close(file);
}

static void test_export(void **state) {
    (void)state;
    specimen_each(check_export);
}

// --- map source ---------------------------------------------------------------------------------

static bool is_plane(const bsp_mapdoc_side *side, int axis, double sign, double dist) {
    return fabs(side->normal[axis] - sign) < 1e-6 && fabs(side->dist - sign * dist) < 1e-4;
}

// The brush is the box, each plane once, with so many other sides.
static bool is_box(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush, const bsp_hull *box,
                   uint32_t more) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        for (int s = 0; s < 6; s++) {
            if (is_plane(&source->sides[brush->first_side + i], s / 2, s % 2 == 0 ? 1 : -1,
                         (double)side_of(box, s))) {
                seen |= 1u << s;
            }
        }
    }
    return brush->num_sides == 6 + more && seen == 0x3F;
}

static uint32_t count_boxes(const bsp_mapdoc *source, uint32_t entity, const bsp_hull *box,
                            uint32_t more) {
    uint32_t count = 0;
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        bool there = source->brushes[b].entity == entity;
        count += there && is_box(source, &source->brushes[b], box, more) ? 1 : 0;
    }
    return count;
}

// The walls of the room, as the builder puts them: each as long as the room with both walls.
static bsp_hull wall_box(int side) {
    bsp_hull box;
    for (int a = 0; a < 3; a++) {
        box.mins[a] = room_box.mins[a] - 16;
        box.maxs[a] = room_box.maxs[a] + 16;
    }
    float *inner = side % 2 == 0 ? box.mins : box.maxs;
    inner[side / 2] = side_of(&room_box, side);
    return box;
}

static bool holds(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush, const float point[3]) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        const bsp_mapdoc_side *side = &source->sides[brush->first_side + i];
        double d = -side->dist;
        for (int a = 0; a < 3; a++) {
            d += side->normal[a] * (double)point[a];
        }
        if (d > 0) {
            return false;
        }
    }
    return true;
}

// Where a file has no brushes, those of the world hold what is solid near the room, and nothing in
// it; each side that is seen from the room lies on it.
static void check_solid(const specimen *s, const bsp_mapdoc *source) {
    test_random random = {33};
    for (int i = 0; i < POINTS; i++) {
        float point[3];
        for (int a = 0; a < 3; a++) {
            point[a] = between(&random, room_box.mins[a] - 1, room_box.maxs[a] + 1);
        }
        bool solid = false;
        for (uint32_t b = 0; b < source->num_brushes; b++) {
            solid = solid ||
                    (source->brushes[b].entity == 0 && holds(source, &source->brushes[b], point));
        }
        if (solid != (leaf_at(point) == 0)) {
            fail_msg("%s: %g %g %g is %s", s->name, (double)point[0], (double)point[1],
                     (double)point[2], solid ? "solid" : "free");
        }
    }
}

// What is seen from the room has the texture of its face.
static void check_walls(const specimen *s, const bsp_mapdoc *source) {
    bool seen[6] = {false};
    for (uint32_t b = 0; b < source->num_brushes; b++) {
        const bsp_mapdoc_brush *brush = &source->brushes[b];
        for (uint32_t i = 0; i < brush->num_sides && brush->entity == 0; i++) {
            const bsp_mapdoc_side *side = &source->sides[brush->first_side + i];
            for (int f = 0; f < 6; f++) {
                const char *want = f / 2 == 2 ? "room/floor" : "room/wall";
                bool here =
                    is_plane(side, f / 2, f % 2 == 0 ? -1 : 1, (double)side_of(&room_box, f));
                if (here && !bsp_text_equal(side->material, bsp_text_of(want))) {
                    fail_msg("%s: side %d has the texture %.*s", s->name, f,
                             (int)side->material.size, side->material.data);
                }
                seen[f] = seen[f] || here;
            }
        }
    }
    for (int f = 0; f < 6; f++) {
        assert_true(seen[f]);
    }
}

static uint32_t find_class(const bsp_mapdoc *source, const char *name) {
    for (uint32_t e = 0; e < source->num_entities; e++) {
        if (bsp_text_equal(bsp_mapdoc_value(source, e, "classname"), bsp_text_of(name))) {
            return e;
        }
    }
    fail_msg("there is no %s", name);
    return 0;
}

// What is printed is read, and printed the same again.
static void check_printed(const specimen *s, const bsp_mapdoc *source, bsp_dialect dialect) {
    char *text = print_source(source, dialect, NULL, NULL);
    bsp_mapdoc *again = read_source(bsp_text_of(text));
    char *second = print_source(again, dialect, NULL, NULL);
    assert_int_equal(again->num_entities, source->num_entities);
    assert_int_equal(again->num_brushes, source->num_brushes);
    assert_int_equal(again->num_sides, source->num_sides);
    if (strcmp(text, second) != 0) {
        fail_msg("%s: the source is another when it was read", s->name);
    }
    bsp_mapdoc_free(again);
    free(second);
    free(text);
}

static void check_decompile(const specimen *s) {
    bsp_file *file;
    bsp_map *map = specimen_load(s, &file);
    bsp_error error = {0};
    bsp_decompile_report report;
    bsp_decompile_options options = {.file = file};
    bsp_mapdoc *source = bsp_decompile(map, &options, &report, &error);
    if (source == NULL) {
        fail_msg("%s: %s", s->name, error.message);
        return;
    }
    bsp_mapdoc_health health;
    assert_true(bsp_mapdoc_check(source, NULL, NULL, &health, NULL));
    assert_int_equal(health.sound, source->num_brushes);
    assert_int_equal(report.brushes_lost, 0);
    // Source: props, overlays, cube maps, area portals and occluders are entities again.
    assert_true(source->num_entities == ROOM_ENTITIES || map->num_static_props != 0);
    uint32_t door = find_class(source, "func_door");
    bool known = has_collision(map);
    assert_int_equal(source->entities[door].num_brushes, known);
    assert_int_equal(count_boxes(source, door, &door_box, 0), known);
    for (int side = 0; map->num_brushes != 0 && side < 6; side++) {
        bsp_hull box = wall_box(side);
        uint32_t cut = side == 0 && map->num_brush_boxes != 0; // the builder's
        assert_int_equal(count_boxes(source, 0, &box, cut), 1);
    }
    // A displacement has a brush of its own, for the sides of the file do not say that they bear
    // it.
    uint32_t walls = ROOM_BRUSHES - 1 + map->num_displacements;
    assert_true(map->num_brushes == 0 || source->entities[0].num_brushes == walls);
    if (known) {
        check_solid(s, source);
        check_walls(s, source);
    }
    check_printed(s, source, map->traits->dialect);
    bsp_mapdoc_free(source);
    bsp_map_free(map);
    bsp_file_close(file);
}

static void test_decompile(void **state) {
    (void)state;
    specimen_each(check_decompile);
}

// --- other branches -----------------------------------------------------------------------------

typedef struct conversions {
    uint32_t done;
    uint32_t lossy; // refused, and done with losses
    uint32_t refused;
} conversions;

static conversions total;

static bool is_relative(const bsp_branch *a, const bsp_branch *b) {
    return a != b && !b->opaque && !a->partial && !b->partial &&
           (a->family == b->family || (a->family <= BSP_GOLDSRC && b->family <= BSP_GOLDSRC));
}

// A refusal says where.
static void note_refusal(const specimen *s, const bsp_branch *target, const bsp_error *error) {
    if (error->code != BSP_E_RANGE || error->message[0] == '\0') {
        fail_msg("%s to %s: %s", s->name, target->name, error->message);
    }
}

// The file is one of the target, and the map in it is the same.
static void check_converted(const specimen *s, const bsp_map *map, const bsp_branch *target,
                            bsp_bytes converted) {
    bsp_error error = {0};
    // What is told by its classes is told by those of the first file; Left 4 Dead by levels of
    // overlays, which a file of another branch of the version lacks.
    bool classes = target->classes != NULL || s->branch->classes != NULL ||
                   strcmp(target->name, "left4dead") == 0;
    bsp_open_options options = {.branch = classes ? target->name : NULL};
    bsp_file *file = bsp_file_open_memory(converted, &options, &error);
    bsp_map *other = file == NULL ? NULL : bsp_map_load(file, NULL, &error);
    if (other == NULL) {
        fail_msg("%s to %s: %s", s->name, target->name, error.message);
        return;
    }
    if (strcmp(other->branch->name, target->name) != 0) {
        fail_msg("%s to %s: it is taken for %s", s->name, target->name, other->branch->name);
    }
    battery_clean(s->name, file, BSP_WARNING);
    bool pages = other->traits->light_page == map->traits->light_page;
    if (target->family == s->branch->family &&
        hash_shared(other, s->branch, pages) != hash_shared(map, s->branch, pages)) {
        fail_msg("%s to %s: it is another map", s->name, target->name);
    }
    bsp_map_free(other);
    bsp_file_close(file);
}

static void convert_to(const specimen *s, const bsp_file *file, const bsp_map *map,
                       const bsp_branch *target) {
    bsp_blob blob;
    bsp_error error = {0};
    bsp_convert_options lossy = {.lossy = true};
    bool done = bsp_file_convert(file, target, NULL, &blob, &error);
    total.done += done;
    if (!done) {
        note_refusal(s, target, &error);
        done = bsp_file_convert(file, target, &lossy, &blob, &error);
        total.lossy += done;
        total.refused += !done;
    }
    if (!done) {
        note_refusal(s, target, &error);
        return;
    }
    check_converted(s, map, target, (bsp_bytes){blob.data, blob.size});
    bsp_blob_free(&blob);
}

static void check_convert(const specimen *s) {
    bsp_file *file;
    bsp_map *map = specimen_load(s, &file);
    const bsp_branch *target;
    for (size_t i = 0; (target = bsp_branch_at(i)) != NULL; i++) {
        if (is_relative(s->branch, target)) {
            convert_to(s, file, map, target);
        }
    }
    bsp_map_free(map);
    bsp_file_close(file);
}

static void test_convert(void **state) {
    (void)state;
    specimen_each(check_convert);
    print_message("%u conversions, %u more with losses, %u refused\n", total.done, total.lossy,
                  total.refused);
    // Source's maps up to version 19 have portals, which no other version has a place for.
    assert_true(total.done > 300 && total.refused < total.done / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_space),   cmocka_unit_test(test_traces),
        cmocka_unit_test(test_export),  cmocka_unit_test(test_decompile),
        cmocka_unit_test(test_convert),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
