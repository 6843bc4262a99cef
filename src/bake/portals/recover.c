// SPDX-License-Identifier: MIT
// Openings between leaves: the part of each node's plane that is inside of the node, cut by the
// tree on either side. A fragment that ends in a leaf on both sides is an opening.
#include "bake/portals/recover.h"

#include "core/vector.h"
#include "map/heap.h"

#include <string.h>

#define EPSILON 0.01 // units, of the compilers' cuts
#define MARGIN 8.0   // units around the world, as the compilers have around their brushes
#define AXES 3

// Gives the plane of a node. Returns false for a node that names none: it divides nothing, and all
// is in front of it, as in bsp_query_leaf.
static bool plane_of(const bspi_recover *r, uint32_t node, bspi_split_plane *out) {
    uint32_t number = r->map->nodes[node].plane;
    if (number >= r->map->num_planes) {
        return false;
    }
    const bsp_plane *plane = &r->map->planes[number];
    out->dist = plane->dist;
    for (int i = 0; i < AXES; i++) {
        out->normal[i] = plane->normal[i];
    }
    return true;
}

static void flip(bspi_split_plane *plane) {
    for (int i = 0; i < AXES; i++) {
        plane->normal[i] = -plane->normal[i];
    }
    plane->dist = -plane->dist;
}

void bspi_recover_begin(bspi_recover *r, const bsp_map *map, bsp_budget *budget,
                        const bsp_allocator *allocator, bsp_error *error) {
    bspi_map_heap(&r->heap, BSP_PRODUCT_PORTALS, map, budget, allocator);
    bspi_arena_init(&r->arena, &r->heap);
    r->map = map;
    r->error = error;
    r->meter = (bspi_meter){.heap = &r->heap, .error = error};
}

static void drop_fragments(bspi_recover *r, bspi_fragments *fragments) {
    bspi_heap_free(&r->heap, fragments->list, fragments->room * sizeof *fragments->list);
    *fragments = (bspi_fragments){NULL, 0, 0};
}

void bspi_recover_end(bspi_recover *r) {
    drop_fragments(r, &r->front);
    drop_fragments(r, &r->back);
    bspi_heap_free(&r->heap, r->list, r->room_list * sizeof *r->list);
    bspi_heap_free(&r->heap, r->points, r->room_points * sizeof *r->points);
    bspi_arena_free(&r->arena);
}

// --- nodes --------------------------------------------------------------------------------------

int32_t bspi_recover_root(const bsp_map *map) {
    bool whole = map->num_models != 0 && map->num_nodes != 0 && map->num_leaves != 0;
    return whole ? map->models[0].headnodes[0] : -1;
}

// Visits each node once: those of damaged maps may be below several others.
bool bspi_recover_nodes(bspi_recover *r) {
    const bsp_map *map = r->map;
    uint32_t *todo = bspi_arena_raw(&r->arena, map->num_nodes, sizeof *todo, r->error);
    r->order = bspi_arena_raw(&r->arena, map->num_nodes, sizeof *r->order, r->error);
    r->parents = bspi_arena_raw(&r->arena, map->num_nodes, sizeof *r->parents, r->error);
    if (todo == NULL || r->order == NULL || r->parents == NULL) {
        return false;
    }
    memset(r->parents, 0xff, map->num_nodes * sizeof *r->parents);
    int32_t root = bspi_recover_root(map);
    uint32_t count = 0;
    if (root >= 0) {
        todo[count++] = (uint32_t)root;
    }
    while (count > 0) {
        uint32_t node = todo[--count];
        r->order[r->num_order++] = node;
        for (uint32_t side = 0; side < 2; side++) {
            int32_t child = map->nodes[node].children[side];
            if (child >= 0 && child != root && r->parents[child] == BSP_NONE) {
                r->parents[child] = 2 * node + side;
                todo[count++] = (uint32_t)child;
            }
        }
    }
    return true;
}

// --- polygons -----------------------------------------------------------------------------------

// Returns a side of the box around the world, which looks inwards.
static bspi_split_plane side_of(const bspi_recover *r, int number) {
    const bsp_model *world = &r->map->models[0];
    int axis = number / 2;
    bspi_split_plane side = {{0, 0, 0}, 0};
    side.normal[axis] = number % 2 == 0 ? 1 : -1;
    side.dist = number % 2 == 0 ? world->mins[axis] - MARGIN : -world->maxs[axis] - MARGIN;
    return side;
}

// Makes the part of a plane that is inside of the box. Returns false if there is none.
static bool make_square(const bspi_recover *r, const bspi_split_plane *plane, bspi_polygon *out) {
    const bsp_model *world = &r->map->models[0];
    double middle[AXES];
    double size = 0;
    for (int i = 0; i < AXES; i++) {
        middle[i] = ((double)world->mins[i] + world->maxs[i]) / 2;
        size += (double)world->maxs[i] - world->mins[i] + 2 * MARGIN;
    }
    bspi_polygon_square(out, plane, middle, size);
    for (int i = 0; i < 2 * AXES; i++) {
        bspi_split_plane side = side_of(r, i);
        if (!bspi_polygon_keep(out, &side, EPSILON, true)) {
            return false;
        }
    }
    return true;
}

// Makes the part of a node's plane that is inside of the node. Returns false if there is none.
static bool make_base(bspi_recover *r, uint32_t node, bspi_polygon *out) {
    bspi_split_plane plane;
    if (!plane_of(r, node, &plane) || !make_square(r, &plane, out)) {
        return false;
    }
    for (uint32_t at = r->parents[node]; at != BSP_NONE; at = r->parents[at / 2]) {
        bspi_split_plane above;
        if (!bspi_meter_add(&r->meter, out->count)) {
            return false;
        }
        if (!plane_of(r, at / 2, &above)) {
            if (at % 2 != 0) {
                return false;
            }
            continue;
        }
        if (at % 2 != 0) {
            flip(&above);
        }
        if (!bspi_polygon_keep(out, &above, EPSILON, false)) {
            return false;
        }
    }
    return true;
}

static bool push(bspi_recover *r, bspi_fragments *to, int32_t child, const bspi_polygon *polygon) {
    bspi_fragment *list =
        bspi_grow(&r->heap, to->list, to->count, &to->room, sizeof *list, r->error);
    if (list == NULL) {
        return false;
    }
    to->list = list;
    list[to->count].child = child;
    list[to->count].polygon.count = polygon->count;
    memcpy(list[to->count].polygon.points, polygon->points,
           polygon->count * sizeof polygon->points[0]);
    to->count++;
    return true;
}

// Takes the next fragment that has come to a leaf, of those that go down the tree. `side` is the
// side of `base`, the plane that all are on, from which they come. Returns false without another
// one, or on failure.
static bool next_leaf(bspi_recover *r, bspi_fragments *from, const bspi_split_plane *base,
                      uint32_t side, uint32_t *leaf, bspi_polygon *polygon) {
    while (from->count > 0) {
        bspi_fragment *top = &from->list[--from->count];
        int32_t child = top->child;
        *polygon = top->polygon;
        if (child < 0 || r->stands[child] != BSP_NONE) {
            *leaf = child < 0 ? (uint32_t)(-1 - child) : r->stands[child];
            return true;
        }
        const int32_t *children = r->map->nodes[child].children;
        bspi_split_plane plane;
        bspi_polygon parts[2];
        bspi_polygon_side where = BSPI_POLYGON_FRONT;
        if (plane_of(r, (uint32_t)child, &plane)) {
            where = bspi_polygon_split(polygon, &plane, EPSILON, &parts[0], &parts[1]);
        }
        if (!bspi_meter_add(&r->meter, polygon->count)) {
            return false;
        }
        if (where == BSPI_POLYGON_BOTH) {
            for (int i = 0; i < 2; i++) {
                if (parts[i].count >= 3 && !push(r, from, children[i], &parts[i])) {
                    return false;
                }
            }
            continue;
        }
        uint32_t to = where == BSPI_POLYGON_BACK;
        if (where == BSPI_POLYGON_ON) {
            to = (bspi_vec_dot(plane.normal, base->normal) > 0) == (side == 0) ? 0 : 1;
        }
        if (!push(r, from, children[to], polygon)) {
            return false;
        }
    }
    return false;
}

// --- openings -----------------------------------------------------------------------------------

static bool add(bspi_recover *r, const bspi_split_plane *plane, const uint32_t leaves[2],
                const bspi_polygon *polygon) {
    bsp_portal *list =
        bspi_grow(&r->heap, r->list, r->portals.count, &r->room_list, sizeof *list, r->error);
    r->list = list == NULL ? r->list : list;
    if (list == NULL) {
        return false;
    }
    bsp_portal *portal = &list[r->portals.count++];
    *portal = (bsp_portal){.dist = plane->dist, .first_point = (uint32_t)r->num_points};
    memcpy(portal->normal, plane->normal, sizeof portal->normal);
    for (int i = 0; i < 2; i++) {
        portal->leaves[i] = leaves[i];
        portal->clusters[i] = r->leaf_clusters[leaves[i]];
    }
    for (uint32_t i = 0; i < polygon->count; i++) {
        double(*points)[3] = bspi_grow(&r->heap, r->points, r->num_points, &r->room_points,
                                       sizeof *points, r->error);
        if (points == NULL) {
            return false;
        }
        r->points = points;
        memcpy(points[r->num_points++], polygon->points[i], sizeof *points);
    }
    portal->num_points = polygon->count;
    return true;
}

// Sends a fragment that has come to a leaf on one side down the other side.
static bool cross(bspi_recover *r, const bspi_split_plane *plane, int32_t child, uint32_t front,
                  const bspi_polygon *polygon) {
    bspi_polygon part;
    uint32_t back;
    r->back.count = 0;
    if (r->leaf_clusters[front] == BSP_NONE) {
        return true;
    }
    if (!push(r, &r->back, child, polygon)) {
        return false;
    }
    while (next_leaf(r, &r->back, plane, 1, &back, &part)) {
        const uint32_t leaves[2] = {front, back};
        if (r->leaf_clusters[back] != BSP_NONE && !bspi_polygon_is_tiny(&part) &&
            !add(r, plane, leaves, &part)) {
            return false;
        }
    }
    return !r->meter.failed && r->back.count == 0;
}

static bool open_node(bspi_recover *r, uint32_t node) {
    const int32_t *children = r->map->nodes[node].children;
    bspi_split_plane plane;
    bspi_polygon polygon;
    uint32_t front;
    if (!plane_of(r, node, &plane) || !make_base(r, node, &polygon)) {
        return !r->meter.failed;
    }
    r->front.count = 0;
    if (!push(r, &r->front, children[0], &polygon)) {
        return false;
    }
    while (next_leaf(r, &r->front, &plane, 0, &front, &polygon)) {
        if (!cross(r, &plane, children[1], front, &polygon)) {
            return false;
        }
    }
    return !r->meter.failed && r->front.count == 0;
}

bool bspi_recover_openings(bspi_recover *r) {
    // Nodes that stand for one leaf, or are below one that does, are not opened.
    bool *closed = bspi_arena_raw(&r->arena, r->map->num_nodes, sizeof *closed, r->error);
    if (closed == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < r->num_order; i++) {
        uint32_t node = r->order[i];
        uint32_t parent = r->parents[node];
        closed[node] = r->stands[node] != BSP_NONE || (parent != BSP_NONE && closed[parent / 2]);
        if (!closed[node] && !open_node(r, node)) {
            return false;
        }
    }
    return bspi_meter_pay(&r->meter);
}

bool bspi_recover_edge(bspi_recover *r, bspi_edge_fn *found, void *user) {
    int32_t root = r->map->models[0].headnodes[0];
    for (int i = 0; i < 2 * AXES; i++) {
        bspi_split_plane side = side_of(r, i);
        bspi_polygon polygon;
        uint32_t leaf;
        r->front.count = 0;
        if (!make_square(r, &side, &polygon)) {
            continue;
        }
        if (!push(r, &r->front, root, &polygon)) {
            return false;
        }
        while (next_leaf(r, &r->front, &side, 0, &leaf, &polygon)) {
            if (r->leaf_clusters[leaf] != BSP_NONE && !bspi_polygon_is_tiny(&polygon)) {
                found(user, leaf, &polygon);
            }
        }
        if (r->meter.failed || r->front.count != 0) {
            return false;
        }
    }
    return bspi_meter_pay(&r->meter);
}
