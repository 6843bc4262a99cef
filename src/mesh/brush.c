// SPDX-License-Identifier: MIT
// Brushes as polygons: each is cut from a box around all space by its sides. Assumes a loaded map.
// Duplicate planes, and bevels that only touch, give no polygon and so drop out; the file's marks
// tell the bevels that would cut more.
#include "bspkit/mesh.h"

#include "core/options.h"
#include "map/heap.h"
#include "map/needs.h"
#include "mesh/list.h"
#include "mesh/polyhedron.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// The size of the box, as a multiple of the tools' limit: no sound brush touches it.
#define BOX_FACTOR 4.0
// Runs of sides that overlap are damage: the sides that are cut are limited to this multiple of
// those in the map.
#define WORK_FACTOR 4u
// Normals are unit length; that of a float differs by less.
#define NORMAL_TOLERANCE 0.01

typedef struct owner {
    bsp_brush_mesh mesh; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
} owner;

typedef struct builder {
    const bsp_map *map;
    owner *own;
    bspi_polyhedron solid;
    bspi_list points;
    bspi_list indices;
    bspi_list polygons;
    bsp_brush_hull *hulls;
    uint32_t *point_of; // scratch: for each vertex of the solid, its point
    uint64_t work;      // sides that may still be cut
    bspi_meter meter;   // a step: a corner that a cut visits
    bool without_bevels;
    bool run;            // hulls are only of the brushes of the options
    uint32_t first_hull; // brush of the first hull
    uint32_t num_hulls;
    bsp_error *error;
} builder;

static void *grow(builder *b, bspi_list *list) {
    return bspi_list_add(list, &b->own->heap, b->error);
}

// --- one brush ----------------------------------------------------------------------------------

// Gives a plane in double precision, its normal scaled to unit length again.
static bool exact_plane(const bsp_plane *plane, double normal[3], double *dist) {
    double length = 0;
    for (int i = 0; i < 3; i++) {
        normal[i] = (double)plane->normal[i];
        length += normal[i] * normal[i];
    }
    length = sqrt(length);
    if (!(fabs(length - 1) < NORMAL_TOLERANCE) || !isfinite(plane->dist)) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        normal[i] /= length;
    }
    *dist = (double)plane->dist / length;
    return true;
}

// Returns the axis direction that a plane faces exactly: 0 to 5; or 6, none.
static unsigned axial_direction(const bsp_plane *plane) {
    for (unsigned axis = 0; axis < 3; axis++) {
        if (fabsf(plane->normal[axis]) == 1) {
            return 2 * axis + (plane->normal[axis] > 0);
        }
    }
    return 6;
}

// Returns true for a side that the compiler added. vbsp marks the bevels that it adds, and adds
// axial ones only in directions that no side of the author has. When it writes the brush it adds
// the sides of the brush's box once more, unmarked, if their planes differ from existing ones by a
// rounding: so an axial side after a marked one of the same direction is not the author's.
static bool is_added(const bsp_map *map, uint32_t side, unsigned *marked) {
    const bsp_brush_side *s = &map->brush_sides[side];
    unsigned direction = s->plane < map->num_planes ? axial_direction(&map->planes[s->plane]) : 6;
    unsigned bit = direction < 6 ? 1u << direction : 0;
    if (s->bevel != 0) {
        *marked |= bit;
        return true;
    }
    return (*marked & bit) != 0;
}

static bsp_brush_state cut_sides(builder *b, const bsp_brush *brush, bool without_added) {
    const bsp_map *map = b->map;
    unsigned marked = 0;
    if (brush->num_sides > BSPI_MAX_SIDES || brush->num_sides > b->work) {
        return BSP_BRUSH_DAMAGED;
    }
    b->work -= brush->num_sides;
    bspi_polyhedron_box(&b->solid, BOX_FACTOR * (double)map->traits->max_coord);
    for (uint32_t s = brush->first_side; s < brush->first_side + brush->num_sides; s++) {
        double normal[3];
        double dist;
        uint32_t plane = map->brush_sides[s].plane;
        if (plane >= map->num_planes || !exact_plane(&map->planes[plane], normal, &dist)) {
            return BSP_BRUSH_DAMAGED;
        }
        if (without_added && is_added(map, s, &marked)) {
            continue;
        }
        bool left = bspi_polyhedron_cut(&b->solid, normal, dist, s, BSP_BRUSH_EPSILON);
        if (!bspi_meter_add(&b->meter, b->solid.work)) {
            return BSP_BRUSH_DAMAGED; // and the whole call fails
        }
        if (!left) {
            return b->solid.failed ? BSP_BRUSH_DAMAGED : BSP_BRUSH_EMPTY;
        }
    }
    for (uint32_t p = 0; p < b->solid.num_polygons; p++) {
        if (b->solid.polygons[p].tag == BSP_NONE) {
            return BSP_BRUSH_OPEN;
        }
    }
    return BSP_BRUSH_CLOSED;
}

static bool has_bevels(const bsp_map *map, const bsp_brush *brush) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        if (map->brush_sides[brush->first_side + i].bevel != 0) {
            return true;
        }
    }
    return false;
}

// If the author's sides alone do not close the brush, the marks are wrong and all sides are used.
static bsp_brush_state cut_brush(builder *b, const bsp_brush *brush) {
    if (b->without_bevels && has_bevels(b->map, brush) &&
        cut_sides(b, brush, true) == BSP_BRUSH_CLOSED) {
        return BSP_BRUSH_CLOSED;
    }
    return cut_sides(b, brush, false);
}

static bool add_corner(builder *b, uint32_t vertex) {
    if (b->point_of[vertex] == BSP_NONE) {
        b->point_of[vertex] = b->points.count;
        bsp_brush_point *point = grow(b, &b->points);
        if (point == NULL) {
            return false;
        }
        bspi_polyhedron_vertex(&b->solid, vertex, point->at);
    }
    uint32_t *index = grow(b, &b->indices);
    if (index != NULL) {
        *index = b->point_of[vertex];
    }
    return index != NULL;
}

static bool add_polygon(builder *b, const bspi_cut_polygon *cut) {
    bsp_brush_polygon *polygon = grow(b, &b->polygons);
    if (polygon == NULL) {
        return false;
    }
    *polygon = (bsp_brush_polygon){cut->tag, b->indices.count, cut->count};
    for (uint32_t i = 0; i < cut->count; i++) {
        if (!add_corner(b, b->solid.corners[cut->first + i])) {
            return false;
        }
    }
    return true;
}

static bool add_brush(builder *b, uint32_t number) {
    const bsp_brush *brush = &b->map->brushes[number];
    bsp_brush_hull *hull = &b->hulls[number - b->first_hull];
    hull->state = cut_brush(b, brush);
    if (b->meter.failed) {
        return false;
    }
    hull->first_point = b->points.count;
    hull->first_polygon = b->polygons.count;
    if (hull->state != BSP_BRUSH_CLOSED && hull->state != BSP_BRUSH_OPEN) {
        return true;
    }
    memset(b->point_of, 0xFF, b->solid.num_vertices * sizeof *b->point_of);
    for (uint32_t p = 0; p < b->solid.num_polygons; p++) {
        const bspi_cut_polygon *polygon = &b->solid.polygons[p];
        if (polygon->tag != BSP_NONE && !add_polygon(b, polygon)) {
            return false;
        }
    }
    hull->num_points = b->points.count - hull->first_point;
    hull->num_polygons = b->polygons.count - hull->first_polygon;
    return true;
}

// --- all brushes --------------------------------------------------------------------------------

static uint32_t most_sides(const bsp_map *map) {
    uint32_t most = 0;
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        uint32_t count = map->brushes[i].num_sides;
        most = count > most ? count : most;
    }
    return most < BSPI_MAX_SIDES ? most : BSPI_MAX_SIDES;
}

static bool add_all(builder *b, const bsp_brush_mesh_options *options) {
    uint32_t total = b->map->num_brushes;
    uint32_t first = options->first_brush < total ? options->first_brush : total;
    uint32_t count = total - first;
    if (options->num_brushes != 0 && options->num_brushes < count) {
        count = options->num_brushes;
    }
    b->first_hull = b->run ? first : 0;
    b->num_hulls = b->run ? count : total;
    b->hulls = bspi_arena_zero(&b->own->arena, b->num_hulls, sizeof *b->hulls, b->error);
    if (b->hulls == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < b->num_hulls; i++) {
        b->hulls[i].state = BSP_BRUSH_EMPTY;
    }
    for (uint32_t i = first; i < first + count; i++) {
        if (!add_brush(b, i)) {
            return false;
        }
    }
    return true;
}

static bool build(builder *b, const bsp_brush_mesh_options *options) {
    bspi_arena scratch;
    bspi_arena_init(&scratch, &b->own->heap);
    bsp_brush_mesh *mesh = &b->own->mesh;
    bool done = bspi_polyhedron_init(&b->solid, most_sides(b->map), &scratch, b->error);
    b->point_of =
        done ? bspi_arena_raw(&scratch, b->solid.room_vertices, sizeof(uint32_t), b->error) : NULL;
    done = b->point_of != NULL && add_all(b, options) && bspi_meter_pay(&b->meter);
    if (done) {
        mesh->points = bspi_list_settle(&b->points, &mesh->num_points, &b->own->heap, b->error);
        mesh->indices = bspi_list_settle(&b->indices, &mesh->num_indices, &b->own->heap, b->error);
        mesh->polygons =
            bspi_list_settle(&b->polygons, &mesh->num_polygons, &b->own->heap, b->error);
        mesh->hulls = b->hulls;
        mesh->num_hulls = b->num_hulls;
        done = mesh->points != NULL && mesh->indices != NULL && mesh->polygons != NULL;
    }
    bspi_arena_free(&scratch);
    bspi_list_free(&b->points, &b->own->heap);
    bspi_list_free(&b->indices, &b->own->heap);
    bspi_list_free(&b->polygons, &b->own->heap);
    return done;
}

static bsp_brush_mesh *build_mesh(const bsp_map *map, const bsp_brush_mesh_options *options,
                                  bool run, bsp_error *error) {
    if (!bspi_map_needs(map, BSP_LOAD_TREE | BSP_LOAD_BRUSHES, "a mesh of brushes", error)) {
        return NULL;
    }
    owner *own = bspi_object_new(options->allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->mesh.owner = own;
    bspi_map_heap(&own->heap, BSP_PRODUCT_BRUSH_MESH, map, options->budget, options->allocator);
    bspi_arena_init(&own->arena, &own->heap);
    builder b = {.map = map,
                 .own = own,
                 .points = {.size = sizeof(bsp_brush_point)},
                 .indices = {.size = sizeof(uint32_t)},
                 .polygons = {.size = sizeof(bsp_brush_polygon)},
                 .work = (uint64_t)map->num_brush_sides * WORK_FACTOR,
                 .meter = {.heap = &own->heap, .error = error},
                 .without_bevels = options->without_bevels,
                 .run = run,
                 .error = error};
    if (!build(&b, options)) {
        bsp_brush_mesh_free(&own->mesh);
        return NULL;
    }
    return &own->mesh;
}

bsp_brush_mesh *bsp_brush_mesh_build(const bsp_map *map, const bsp_brush_mesh_options *options,
                                     bsp_error *error) {
    assert(map != NULL);
    bsp_brush_mesh_options taken;
    return BSPI_TAKE_OPTIONS(taken, options, error) ? build_mesh(map, &taken, false, error) : NULL;
}

bsp_brush_mesh *bspi_brush_mesh_run(const bsp_map *map, const bsp_brush_mesh_options *options,
                                    bsp_error *error) {
    bsp_brush_mesh_options taken;
    return BSPI_TAKE_OPTIONS(taken, options, error) ? build_mesh(map, &taken, true, error) : NULL;
}

void bsp_brush_mesh_free(bsp_brush_mesh *mesh) {
    if (mesh == NULL || mesh->owner == NULL) {
        return;
    }
    owner *own = mesh->owner;
    bspi_list_free_settled(mesh->points, mesh->num_points, sizeof *mesh->points, &own->heap);
    bspi_list_free_settled(mesh->indices, mesh->num_indices, sizeof *mesh->indices, &own->heap);
    bspi_list_free_settled(mesh->polygons, mesh->num_polygons, sizeof *mesh->polygons, &own->heap);
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
