// SPDX-License-Identifier: MIT
// Where brushes are: the convex of each, the contents of the brushes below each node, so that
// the way out of solid skips parts of the tree without any, and the boxes of each leaf's brushes.
#include "query/collide.h"

#include <string.h>

// Or-s the contents of the brushes of each leaf; all bits where there are too many to visit.
static void sum_leaves(const bsp_map *map, uint32_t *sums) {
    uint64_t budget = (uint64_t)map->num_leaf_brushes * BSPI_MOST_SHARING;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        bool few = leaf->num_brushes <= budget;
        budget -= few ? leaf->num_brushes : 0;
        sums[i] = few ? 0 : UINT32_MAX;
        for (uint32_t k = 0; few && k < leaf->num_brushes; k++) {
            uint32_t brush = map->leaf_brushes[leaf->first_brush + k];
            sums[i] |= brush < map->num_brushes ? (uint32_t)map->brushes[brush].contents : 0;
        }
    }
}

// Compilers write children after their parents; below a child that is not, all contents are
// assumed.
static uint32_t sum_child(const bsp_map *map, const uint32_t *leaves, const bspi_brush_node *nodes,
                          uint32_t parent, int32_t child) {
    uint32_t leaf = (uint32_t)(-1 - child);
    if (child < 0) {
        return leaf < map->num_leaves ? leaves[leaf] : 0;
    }
    bool known = (uint32_t)child > parent && (uint32_t)child < map->num_nodes;
    return known ? nodes[child].contents[0] | nodes[child].contents[1] : UINT32_MAX;
}

static void fill_nodes(const bsp_trace_index *index, const uint32_t *leaves,
                       bspi_brush_node *nodes) {
    const bsp_map *map = index->map;
    for (uint32_t i = map->num_nodes; i-- > 0;) {
        memcpy(nodes[i].plane, index->forks[i].planes[0], sizeof nodes[i].plane);
        memcpy(nodes[i].children, map->nodes[i].children, sizeof nodes[i].children);
        for (int side = 0; side < 2; side++) {
            nodes[i].contents[side] = sum_child(map, leaves, nodes, i, nodes[i].children[side]);
        }
    }
}

// Returns false if a brush is in several bodies.
static bool find_brushes(const bsp_trace_index *index, uint32_t *convexes) {
    bool once = true;
    for (uint32_t i = 0; i < index->map->num_brushes; i++) {
        convexes[i] = BSP_NONE;
    }
    for (uint32_t i = 0; i < index->num_convexes; i++) {
        if (bspi_convex_at(index, i)->kind == BSPI_BRUSH) {
            uint32_t *convex = &convexes[bspi_convex_at(index, i)->owner];
            once = once && *convex == BSP_NONE;
            *convex = i;
        }
    }
    return once;
}

uint32_t bspi_find_convex(const bsp_trace_index *index, const bspi_body *body, uint32_t brush) {
    uint32_t n = brush < index->map->num_brushes ? index->owners.convexes[brush] : BSP_NONE;
    if (n == BSP_NONE || n - body->first_convex < body->num_convexes) {
        return n;
    }
    // The brush is in several bodies. The convexes of a body are sorted, brushes first.
    uint32_t low = 0;
    uint32_t high = body->num_convexes;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const bspi_convex *convex = bspi_convex_at(index, body->first_convex + middle);
        bool before = convex->kind == BSPI_BRUSH && convex->owner < brush;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    if (low == body->num_convexes) {
        return BSP_NONE;
    }
    const bspi_convex *convex = bspi_convex_at(index, body->first_convex + low);
    bool found = convex->kind == BSPI_BRUSH && convex->owner == brush;
    return found ? body->first_convex + low : BSP_NONE;
}

static bool build_nodes(bsp_trace_index *index, bsp_error *error) {
    const bsp_map *map = index->map;
    size_t leaves_size = (size_t)map->num_leaves * sizeof(uint32_t);
    bspi_brush_node *nodes = bspi_keep_lines(index, map->num_nodes, sizeof *nodes, error);
    uint32_t *leaves = bspi_heap_alloc(&index->heap, leaves_size, error);
    bool done = nodes != NULL && leaves != NULL;
    if (done) {
        sum_leaves(map, leaves);
        fill_nodes(index, leaves, nodes);
        index->owners.nodes = nodes;
    }
    bspi_heap_free(&index->heap, leaves, leaves_size);
    return done;
}

// --- groups of brushes ---------------------------------------------------------------------------

// A convex as a child of a node of the tree; no classes: it is not in the tree.
typedef struct boxed {
    uint16_t bounds[6];
    uint32_t child;
} boxed;

// Joins the boxes of each convex, of which the tree may have several.
static void join_boxes(const bsp_trace_index *index, size_t num_wide, boxed *out) {
    for (size_t i = 0; i < num_wide * BSPI_LANES; i++) {
        const bspi_wide *node = bspi_node_at(index, i / BSPI_LANES);
        uint32_t lane = (uint32_t)(i % BSPI_LANES);
        if ((node->child[lane] & BSPI_LEAF) == 0) {
            continue;
        }
        uint32_t unit = node->child[lane] & (BSPI_CHILDREN - 1);
        boxed *box = &out[bspi_convex_of(index, unit)->number];
        for (unsigned row = 0; row < 6; row++) {
            uint16_t at = node->bounds[row][lane];
            bool out_of = row < 3 ? at < box->bounds[row] : at > box->bounds[row];
            box->bounds[row] = box->child == 0 || out_of ? at : box->bounds[row];
        }
        box->child = node->child[lane];
    }
}

static uint32_t num_groups(const bsp_leaf *leaf) {
    return leaf->num_brushes / BSPI_LANES + (leaf->num_brushes % BSPI_LANES != 0);
}

static void fill_groups(const bsp_trace_index *index, const boxed *boxes, bspi_wide *group,
                        const bsp_leaf *leaf) {
    memset(group, 0, num_groups(leaf) * sizeof *group);
    for (uint32_t k = 0; k < leaf->num_brushes; k++) {
        uint32_t brush = index->map->leaf_brushes[leaf->first_brush + k];
        uint32_t n = brush < index->map->num_brushes ? index->owners.convexes[brush] : BSP_NONE;
        for (unsigned row = 0; n != BSP_NONE && row < 6; row++) {
            group[k / BSPI_LANES].bounds[row][k % BSPI_LANES] = boxes[n].bounds[row];
        }
        group[k / BSPI_LANES].child[k % BSPI_LANES] = n == BSP_NONE ? 0 : boxes[n].child;
    }
}

// Makes the groups, unless the leaves' lists share more than those of any compiler.
static bool build_groups(bsp_trace_index *index, size_t num_wide, bsp_error *error) {
    const bsp_map *map = index->map;
    uint64_t listed = 0;
    uint64_t total = 0;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        listed += map->leaves[i].num_brushes;
        total += num_groups(&map->leaves[i]);
    }
    if (listed > (uint64_t)map->num_leaf_brushes * BSPI_MOST_SHARING || total > UINT32_MAX) {
        return true;
    }
    uint32_t *runs =
        bspi_arena_raw(&index->arena, (size_t)map->num_leaves + 1, sizeof *runs, error);
    bspi_wide *groups = bspi_keep_lines(index, (size_t)total, sizeof *groups, error);
    size_t size = index->num_convexes * sizeof(boxed);
    boxed *boxes = bspi_heap_alloc(&index->heap, size, error);
    bool done = runs != NULL && groups != NULL && boxes != NULL;
    if (done) {
        memset(boxes, 0, size);
        join_boxes(index, num_wide, boxes);
        runs[0] = 0;
        for (uint32_t i = 0; i < map->num_leaves; i++) {
            fill_groups(index, boxes, &groups[runs[i]], &map->leaves[i]);
            runs[i + 1] = runs[i] + num_groups(&map->leaves[i]);
        }
        index->owners.runs = runs;
        index->owners.groups = groups;
    }
    bspi_heap_free(&index->heap, boxes, size);
    return done;
}

bool bspi_build_brush_owners(bsp_trace_index *index, size_t num_wide, bsp_error *error) {
    uint32_t count = index->map->num_brushes;
    uint32_t *convexes = bspi_arena_raw(&index->arena, count, sizeof *convexes, error);
    if (convexes == NULL) {
        return false;
    }
    bool once = find_brushes(index, convexes);
    index->owners.convexes = convexes;
    return (!index->rules->leaves_solid || build_nodes(index, error)) &&
           (!once || build_groups(index, num_wide, error));
}
