// SPDX-License-Identifier: MIT
// Clip hulls of Quake and GoldSrc as polygons: a box around a model is cut along the tree of clip
// nodes, and the parts in solid leaves are the pieces. The surface is what polygons of these have
// in front of them that is not solid: each goes down the tree once more. The trees of a file may
// share branches or run in circles: all steps are paid for.
#include "bspkit/hulls.h"

#include "core/options.h"
#include "core/vector.h"
#include "formats/quake_contents.h"
#include "map/heap.h"
#include "map/needs.h"
#include "mesh/list.h"
#include "mesh/polyhedron.h"
#include "mesh/split.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define MARGIN 16.0    // beyond what the hull's box adds to a model
#define EPSILON 0.01   // planes of clip nodes are floats
#define MOST_CUTS 512u // of one piece
#define ONLY_READ INT32_MAX

typedef struct owner {
    bsp_hull_mesh mesh; // the public struct first
    bspi_heap heap;
} owner;

// A polygon on its way down the tree.
typedef struct fragment {
    int32_t node;
    bspi_polygon polygon;
} fragment;

typedef struct builder {
    const bsp_map *map;
    owner *own;
    bspi_heap *heap;
    bool surface;
    bspi_polyhedron solid;
    bspi_polyhedron_stack kept; // the parts that are still to be cut
    bspi_list nodes;            // int32_t; for each of these: where it goes on, or ONLY_READ
    bspi_list fragments;
    bspi_list points;
    bspi_list indices;
    bspi_list polygons;
    bspi_list pieces;
    uint32_t skipped;
    bsp_hull_piece now; // the piece under construction
    int32_t root;       // of its tree
    bspi_meter meter;   // a step: a node or a corner
    bsp_error *error;
} builder;

static bool put(builder *b, bspi_list *to, const void *element) {
    return bspi_list_put(to, element, b->heap, b->error);
}

static const void *settle(builder *b, bspi_list *of, uint32_t *count) {
    return bspi_list_settle(of, count, b->heap, b->error);
}

static bspi_split_plane plane_of(const bsp_map *map, uint32_t number) {
    const bsp_plane *plane = &map->planes[number];
    return (bspi_split_plane){{plane->normal[0], plane->normal[1], plane->normal[2]}, plane->dist};
}

// Returns the clip node of a child or root, or NULL: a leaf, or nothing that can be gone down.
static const bsp_clipnode *node_of(const bsp_map *map, int32_t child) {
    bool there = child >= 0 && (uint32_t)child < map->num_clipnodes &&
                 map->clipnodes[child].plane < map->num_planes;
    return there ? &map->clipnodes[child] : NULL;
}

// --- pieces -------------------------------------------------------------------------------------

static bool begin_polygon(builder *b, uint32_t plane, uint32_t count) {
    const bsp_hull_polygon polygon = {
        .plane = plane, .first_index = b->indices.count, .num_indices = count};
    b->now.num_polygons++;
    return bspi_meter_add(&b->meter, 1 + (uint64_t)count) && put(b, &b->polygons, &polygon);
}

static bool add_point(builder *b, const double at[3]) {
    bsp_brush_point point;
    memcpy(point.at, at, sizeof point.at);
    return put(b, &b->points, &point);
}

// Adds all polygons of a solid, which share their points.
static bool add_whole(builder *b) {
    const bspi_polyhedron *solid = &b->solid;
    bool done = true;
    for (uint32_t v = 0; done && v < solid->num_vertices; v++) {
        double at[3];
        bspi_polyhedron_vertex(solid, v, at);
        done = add_point(b, at);
    }
    for (uint32_t p = 0; done && p < solid->num_polygons; p++) {
        const bspi_cut_polygon *polygon = &solid->polygons[p];
        done = begin_polygon(b, polygon->tag, polygon->count);
        for (uint32_t i = 0; done && i < polygon->count; i++) {
            uint32_t index = b->now.first_point + solid->corners[polygon->first + i];
            done = put(b, &b->indices, &index);
        }
    }
    return done;
}

static bool add_fragment(builder *b, uint32_t plane, const bspi_polygon *polygon) {
    bool done = begin_polygon(b, plane, polygon->count);
    for (uint32_t i = 0; done && i < polygon->count; i++) {
        uint32_t index = b->points.count;
        done = put(b, &b->indices, &index) && add_point(b, polygon->points[i]);
    }
    return done;
}

// Sends a fragment on from a node; of one in its plane, what is in front of the fragment counts.
static bool send_on(builder *b, const fragment *from, const double normal[3]) {
    const bsp_clipnode *node = node_of(b->map, from->node);
    bspi_split_plane plane = plane_of(b->map, node->plane);
    fragment front = *from;
    fragment back = *from;
    unsigned sides =
        bspi_polygon_split(&from->polygon, &plane, EPSILON, &front.polygon, &back.polygon);
    if (sides == BSPI_POLYGON_ON) {
        sides = bspi_vec_dot(plane.normal, normal) > 0 ? BSPI_POLYGON_FRONT : BSPI_POLYGON_BACK;
    }
    front.node = node->children[0];
    back.node = node->children[1];
    return ((sides & BSPI_POLYGON_FRONT) == 0 || put(b, &b->fragments, &front)) &&
           ((sides & BSPI_POLYGON_BACK) == 0 || put(b, &b->fragments, &back));
}

// Adds those parts of a polygon that have no solid in front of them.
static bool add_open_parts(builder *b, const bspi_cut_polygon *cut) {
    fragment now = {.node = b->root, .polygon = {.count = cut->count}};
    if (cut->tag == BSP_NONE || cut->count > BSPI_POLYGON_POINTS) {
        b->skipped += cut->tag != BSP_NONE;
        return true; // it is where the box around the model ends
    }
    for (uint32_t i = 0; i < cut->count; i++) {
        bspi_polyhedron_vertex(&b->solid, b->solid.corners[cut->first + i], now.polygon.points[i]);
    }
    double normal[3] = {0, 0, 0};
    for (uint32_t i = 2; i < cut->count; i++) {
        double u[3], v[3], turn[3];
        bspi_vec_subtract(now.polygon.points[i - 1], now.polygon.points[0], u);
        bspi_vec_subtract(now.polygon.points[i], now.polygon.points[0], v);
        bspi_vec_cross(u, v, turn);
        bspi_vec_add(normal, turn, 1, normal);
    }
    bool done = put(b, &b->fragments, &now);
    while (done && b->fragments.count != 0) {
        now = ((const fragment *)b->fragments.data)[--b->fragments.count];
        done = bspi_meter_add(&b->meter, 1 + (uint64_t)now.polygon.count);
        if (done && node_of(b->map, now.node) != NULL) {
            done = send_on(b, &now, normal);
        } else if (done && now.node < 0 && now.node != BSPI_CONTENTS_SOLID &&
                   now.polygon.count >= 3) {
            done = add_fragment(b, cut->tag, &now.polygon);
        }
    }
    return done;
}

static bool add_piece(builder *b) {
    bspi_polyhedron_pack(&b->solid);
    b->now.first_point = b->points.count;
    b->now.first_polygon = b->polygons.count;
    b->now.num_polygons = 0;
    bool done = true;
    if (b->surface) {
        for (uint32_t p = 0; done && p < b->solid.num_polygons; p++) {
            done = add_open_parts(b, &b->solid.polygons[p]);
        }
    } else {
        done = add_whole(b);
    }
    b->now.num_points = b->points.count - b->now.first_point;
    return done && (b->now.num_polygons == 0 || put(b, &b->pieces, &b->now));
}

// --- trees --------------------------------------------------------------------------------------

static bool keep(builder *b, int32_t node) {
    return put(b, &b->nodes, &node) && bspi_polyhedron_push(&b->kept, &b->solid, b->error);
}

// Keeps what is left of the solid by a cut, to go on at a child.
static bool keep_part(builder *b, const double normal[3], double dist, uint32_t plane,
                      int32_t child) {
    bool left = bspi_polyhedron_cut(&b->solid, normal, dist, plane, EPSILON);
    if (!bspi_meter_add(&b->meter, 1 + b->solid.work)) {
        return false;
    }
    if (b->solid.failed) {
        b->skipped++;
        return true;
    }
    return !left || keep(b, child);
}

// Keeps the parts of the solid on both sides of a node's plane.
static bool split(builder *b, const bsp_clipnode *node) {
    bspi_split_plane plane = plane_of(b->map, node->plane);
    double back[3] = {-plane.normal[0], -plane.normal[1], -plane.normal[2]};
    if (!keep(b, ONLY_READ)) {
        return false;
    }
    size_t whole = b->kept.used;
    if (!keep_part(b, back, -plane.dist, node->plane, node->children[0])) {
        return false;
    }
    bspi_polyhedron_read(&b->kept, whole, &b->solid);
    return keep_part(b, plane.normal, plane.dist, node->plane, node->children[1]);
}

static bool walk(builder *b) {
    bool done = keep(b, b->root);
    while (done && b->nodes.count != 0) {
        int32_t at = ((const int32_t *)b->nodes.data)[--b->nodes.count];
        bspi_polyhedron_pop(&b->kept, &b->solid);
        const bsp_clipnode *node = at == ONLY_READ ? NULL : node_of(b->map, at);
        if (at == BSPI_CONTENTS_SOLID) {
            done = add_piece(b);
        } else if (node != NULL) {
            done = split(b, node);
        }
    }
    return done;
}

// Returns the box in which a hull of a model is cut; false if the model has none.
static bool bounds(const bsp_map *map, uint32_t model, uint32_t hull, double mins[3],
                   double maxs[3]) {
    const bsp_model *from = &map->models[model];
    const bsp_hull *box = &map->traits->hulls[hull];
    for (int i = 0; i < 3; i++) {
        mins[i] = (double)from->mins[i] - (double)box->maxs[i] - MARGIN;
        maxs[i] = (double)from->maxs[i] - (double)box->mins[i] + MARGIN;
        if (!(mins[i] < maxs[i]) || !isfinite(mins[i]) || !isfinite(maxs[i])) {
            return false;
        }
    }
    return true;
}

static bool add_hull(builder *b, uint32_t model, uint32_t hull) {
    static const uint32_t tags[6] = {BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE, BSP_NONE};
    double mins[3];
    double maxs[3];
    b->root = b->map->models[model].headnodes[hull];
    // The first node is that of the world's first hull; of others it says that there is none.
    if (node_of(b->map, b->root) == NULL || (b->root == 0 && model + hull != 1) ||
        !bounds(b->map, model, hull, mins, maxs)) {
        return true;
    }
    b->now = (bsp_hull_piece){.model = model, .hull = hull};
    bspi_polyhedron_bounds(&b->solid, mins, maxs, tags);
    return walk(b);
}

// --- the mesh -----------------------------------------------------------------------------------

static bool add_all(builder *b, const bsp_hull_mesh_options *options) {
    const bsp_map *map = b->map;
    uint32_t hulls = map->num_clipnodes == 0 ? 0 : map->traits->num_hulls;
    uint32_t first =
        options->first_model < map->num_models ? options->first_model : map->num_models;
    uint32_t count = map->num_models - first;
    if (options->num_models != 0 && options->num_models < count) {
        count = options->num_models;
    }
    bool done = true;
    for (uint32_t m = first; done && m < first + count; m++) {
        done = bspi_meter_add(&b->meter, 1);
        for (uint32_t h = 1; done && h < hulls && h < BSP_MAX_HULLS; h++) {
            done = (options->hull != 0 && options->hull != h) || add_hull(b, m, h);
        }
    }
    return done && bspi_meter_pay(&b->meter);
}

static bool build(builder *b, const bsp_hull_mesh_options *options) {
    bsp_hull_mesh *mesh = &b->own->mesh;
    bspi_arena scratch;
    bspi_arena_init(&scratch, b->heap);
    bool done =
        bspi_polyhedron_init(&b->solid, MOST_CUTS, &scratch, b->error) && add_all(b, options);
    if (done) {
        mesh->points = settle(b, &b->points, &mesh->num_points);
        mesh->indices = settle(b, &b->indices, &mesh->num_indices);
        mesh->polygons = settle(b, &b->polygons, &mesh->num_polygons);
        mesh->pieces = settle(b, &b->pieces, &mesh->num_pieces);
        mesh->num_skipped = b->skipped;
        done = mesh->points != NULL && mesh->indices != NULL && mesh->polygons != NULL &&
               mesh->pieces != NULL;
    }
    bspi_arena_free(&scratch);
    bspi_polyhedron_stack_free(&b->kept);
    bspi_list_free(&b->nodes, b->heap);
    bspi_list_free(&b->fragments, b->heap);
    bspi_list_free(&b->points, b->heap);
    bspi_list_free(&b->indices, b->heap);
    bspi_list_free(&b->polygons, b->heap);
    bspi_list_free(&b->pieces, b->heap);
    return done;
}

bsp_hull_mesh *bsp_hull_mesh_build(const bsp_map *map, const bsp_hull_mesh_options *options,
                                   bsp_error *error) {
    assert(map != NULL);
    bsp_hull_mesh_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error) ||
        !bspi_map_needs(map, BSP_LOAD_TREE, "a mesh of clip hulls", error)) {
        return NULL;
    }
    owner *own = bspi_object_new(taken.allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->mesh.owner = own;
    bspi_map_heap(&own->heap, BSP_PRODUCT_BRUSH_MESH, map, taken.budget, taken.allocator);
    builder b = {.map = map,
                 .own = own,
                 .heap = &own->heap,
                 .surface = taken.surface,
                 .kept = {.heap = &own->heap},
                 .nodes = {.size = sizeof(int32_t)},
                 .fragments = {.size = sizeof(fragment)},
                 .points = {.size = sizeof(bsp_brush_point)},
                 .indices = {.size = sizeof(uint32_t)},
                 .polygons = {.size = sizeof(bsp_hull_polygon)},
                 .pieces = {.size = sizeof(bsp_hull_piece)},
                 .meter = {.heap = &own->heap, .error = error},
                 .error = error};
    if (!build(&b, &taken)) {
        bsp_hull_mesh_free(&own->mesh);
        return NULL;
    }
    return &own->mesh;
}

void bsp_hull_mesh_free(bsp_hull_mesh *mesh) {
    if (mesh == NULL || mesh->owner == NULL) {
        return;
    }
    owner *own = mesh->owner;
    bspi_list_free_settled(mesh->points, mesh->num_points, sizeof *mesh->points, &own->heap);
    bspi_list_free_settled(mesh->indices, mesh->num_indices, sizeof *mesh->indices, &own->heap);
    bspi_list_free_settled(mesh->polygons, mesh->num_polygons, sizeof *mesh->polygons, &own->heap);
    bspi_list_free_settled(mesh->pieces, mesh->num_pieces, sizeof *mesh->pieces, &own->heap);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
