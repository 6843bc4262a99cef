// SPDX-License-Identifier: MIT
// Where a point or a box is in a map's tree, and the contents there. Assumes a loaded map: children
// and runs are valid, trees have no cycles.
#include "query/compact.h"

#include "map/needs.h"
#include "query/simd.h"

#include <assert.h>

#define MOST_WAITING 1024u // levels of a tree that a box is followed down

// Returns the distance of a point in front of a plane; across an axis without rounding, as the
// engines do.
static float distance(const bsp_plane *plane, const float point[3]) {
    return plane->type >= 0 && plane->type < 3 ? point[plane->type] - plane->dist
                                               : bspi_dot(plane->normal, point) - plane->dist;
}

// Returns true if a point is on the back side of a node's plane. `to_back`: so are points on it.
static inline bool is_back(const bsp_map *map, const bsp_node *node, const float point[3],
                           bool to_back) {
    if (node->plane >= map->num_planes) {
        return to_back;
    }
    float d = distance(&map->planes[node->plane], point);
    return to_back ? !(d > 0) : d < 0;
}

// Returns the leaf below a node. `to_back`: points on a plane belong to its back side. Each side
// has a branch of its own, so that a processor which predicts the side loads the next node and its
// plane while it still waits for this one; a choice without a branch is twice as slow.
static inline uint32_t walk(const bsp_map *map, int32_t at, const float point[3], bool to_back) {
    while (at >= 0) {
        const bsp_node *node = &map->nodes[at];
        if (is_back(map, node, point, to_back)) {
            at = node->children[1];
            if (at < 0) {
                break;
            }
        } else {
            at = node->children[0];
        }
    }
    return (uint32_t)(-1 - at);
}

static int32_t root_of(const bsp_map *map, uint32_t model) {
    return model < map->num_models ? map->models[model].headnodes[0] : 0;
}

static bool has_tree(const bsp_map *map, uint32_t model) {
    return map->num_nodes != 0 && map->num_leaves != 0 && (model == 0 || model < map->num_models) &&
           (model == 0 || !map->traits->model_runs);
}

uint32_t bsp_query_leaf(const bsp_map *map, const float point[3]) {
    assert(map != NULL && point != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE));
    const bspi_compact *c = bspi_compact_of(map);
    if (c != NULL && bspi_is_finite(point)) {
        return c->walk(c, c->roots[0], point, map->traits->contents_numbers);
    }
    if (!has_tree(map, 0)) {
        return BSP_NONE;
    }
    return map->traits->contents_numbers ? walk(map, root_of(map, 0), point, true)
                                         : walk(map, root_of(map, 0), point, false);
}

uint32_t bsp_query_cluster(const bsp_map *map, const float point[3]) {
    assert(map != NULL && point != NULL);
    uint32_t leaf = bsp_query_leaf(map, point);
    return leaf == BSP_NONE ? BSP_NONE : map->leaves[leaf].cluster;
}

// --- boxes --------------------------------------------------------------------------------------

// Returns the sides of a plane on which a box is: 1 the front, 2 the back (BoxOnPlaneSide).
static unsigned box_sides(const bsp_plane *plane, const float mins[3], const float maxs[3]) {
    if (plane->type >= 0 && plane->type < 3) {
        return plane->dist <= mins[plane->type] ? 1 : plane->dist >= maxs[plane->type] ? 2 : 3;
    }
    float far = 0;
    float near = 0;
    for (int i = 0; i < 3; i++) {
        bool negative = plane->normal[i] < 0;
        far += plane->normal[i] * (negative ? mins[i] : maxs[i]);
        near += plane->normal[i] * (negative ? maxs[i] : mins[i]);
    }
    return (far >= plane->dist ? 1u : 0u) | (near < plane->dist ? 2u : 0u);
}

void bspi_box_leaves(const bsp_map *map, uint32_t model, const float mins[3], const float maxs[3],
                     bspi_leaf_visit visit, void *user) {
    int32_t waiting[MOST_WAITING];
    uint32_t num_waiting = 0;
    if (!has_tree(map, model)) {
        return;
    }
    waiting[num_waiting++] = root_of(map, model);
    // A tree has each node at most once; this bound also ends trees that share branches.
    uint64_t most = 2 * (uint64_t)map->num_nodes + 1;
    for (uint64_t visits = 0; num_waiting > 0 && visits < most; visits++) {
        int32_t node = waiting[--num_waiting];
        if (node < 0) {
            if (!visit(user, (uint32_t)(-1 - node))) {
                return;
            }
            continue;
        }
        uint32_t plane = map->nodes[node].plane;
        unsigned sides = plane < map->num_planes ? box_sides(&map->planes[plane], mins, maxs) : 3u;
        if ((sides & 2) != 0 && num_waiting < MOST_WAITING) {
            waiting[num_waiting++] = map->nodes[node].children[1];
        }
        if ((sides & 1) != 0 && num_waiting < MOST_WAITING) {
            waiting[num_waiting++] = map->nodes[node].children[0];
        }
    }
}

typedef struct leaf_list {
    uint32_t *leaves;
    uint32_t room;
    uint32_t count;
} leaf_list;

static bool list_leaf(void *user, uint32_t leaf) {
    leaf_list *list = user;
    if (list->count < list->room) {
        list->leaves[list->count] = leaf;
    }
    list->count++;
    return true;
}

uint32_t bsp_query_box_leaves(const bsp_map *map, uint32_t model, const float mins[3],
                              const float maxs[3], uint32_t *leaves, uint32_t room) {
    assert(map != NULL && mins != NULL && maxs != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE));
    leaf_list list = {leaves, room, 0};
    bspi_box_leaves(map, model, mins, maxs, list_leaf, &list);
    return list.count;
}

// --- contents -----------------------------------------------------------------------------------

// Returns true if a point is on the back side of all sides of a brush, or on them.
static bool in_brush(const bsp_map *map, const bsp_brush *brush, const float point[3]) {
    for (uint32_t i = 0; i < brush->num_sides; i++) {
        uint32_t plane = map->brush_sides[brush->first_side + i].plane;
        if (plane < map->num_planes &&
            bspi_dot(map->planes[plane].normal, point) > map->planes[plane].dist) {
            return false;
        }
    }
    return brush->num_sides != 0;
}

// Quake 3's brush models and Respawn's world have no leaves, so all their brushes are tested.
static int32_t model_contents(const bsp_map *map, const bsp_model *model, const float point[3]) {
    int32_t contents = 0;
    for (uint32_t i = 0; i < model->num_brushes; i++) {
        uint32_t brush = model->first_brush + i;
        if (brush < map->num_brushes && in_brush(map, &map->brushes[brush], point)) {
            contents |= map->brushes[brush].contents;
        }
    }
    return contents;
}

static int32_t leaf_contents(const bsp_map *map, const bsp_leaf *leaf, const float point[3]) {
    int32_t contents = leaf->contents; // 0 in Quake 3
    if (bspi_rules_of(map->traits->clip)->leaves_say) {
        return contents;
    }
    for (uint32_t i = 0; map->num_brushes != 0 && i < leaf->num_brushes; i++) {
        uint32_t number = map->leaf_brushes[leaf->first_brush + i];
        if (number < map->num_brushes && in_brush(map, &map->brushes[number], point)) {
            contents |= map->brushes[number].contents;
        }
    }
    return contents;
}

// The same in the compact copy.
static int32_t compact_contents(const bspi_compact *c, const bsp_map *map, uint32_t leaf,
                                const float point[3]) {
    const bspi_leaf_brushes *list = &c->leaves[leaf];
    int32_t contents = list->contents;
    if ((list->all & ~contents) == 0) {
        return contents;
    }
    h8 ranks = h8_and_negative(c->origin, c->scale, point);
    for (uint32_t i = 0; i < list->count && (list->all & ~contents) != 0; i++) {
        uint32_t number = map->leaf_brushes[list->first + i];
        if (number >= map->num_brushes || h8_any_gt(h8_load(c->reaches[number].least), ranks)) {
            continue;
        }
        const bspi_inside *brush = &c->insides.brushes[number];
        // What is there already need not be found again.
        if ((brush->contents & ~contents) != 0 && bspi_is_inside(&c->insides, brush, point)) {
            contents |= brush->contents;
        }
    }
    return contents;
}

int32_t bsp_query_contents(const bsp_map *map, uint32_t model, const float point[3]) {
    assert(map != NULL && point != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE | BSP_LOAD_BRUSHES));
    const bspi_compact *c = bspi_compact_of(map);
    if (c != NULL && model < c->num_roots && bspi_is_finite(point)) {
        uint32_t leaf = c->walk(c, c->roots[model], point, false);
        return !c->listed           ? c->leaves[leaf].contents
               : c->reaches != NULL ? compact_contents(c, map, leaf, point)
                                    : leaf_contents(map, &map->leaves[leaf], point);
    }
    if (map->traits->model_runs && model < map->num_models && (model != 0 || map->num_nodes == 0)) {
        return model_contents(map, &map->models[model], point);
    }
    if (!has_tree(map, model)) {
        return 0;
    }
    const bsp_leaf *leaf = &map->leaves[walk(map, root_of(map, model), point, false)];
    return map->traits->contents_numbers ? leaf->contents : leaf_contents(map, leaf, point);
}
