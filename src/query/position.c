// SPDX-License-Identifier: MIT
// The engine's own test of a box that does not move (CM_PositionTest of Quake 3): what is solid
// there first, in the order of the leaves that it touches and of the lists in them.
#include "query/settle.h"

#include "query/clip.h"
#include "query/visits.h"

#define MOST_LEAVES 1024u // MAX_POSITION_LEAFS: of those that a position touches

typedef struct position {
    const bsp_trace_index *index;
    const bspi_body *body;
    const bspi_ray *ray; // the box, and what of it counts
    bspi_hit *hit;
    uint32_t asked;
} position;

static bool is_inside(const position *p, uint32_t n) {
    const bspi_convex *convex = bspi_convex_at(p->index, n);
    bspi_clipped c;
    uint32_t blocks =
        convex->kind == BSPI_BRUSH && p->ray->point ? convex->point_blocks : convex->num_blocks;
    return (convex->contents & p->ray->mask) != 0 &&
           bspi_clip_convex(p->index, convex, blocks, p->ray, &c) && !c.start_out;
}

static bool test_convex(position *p, uint32_t n) {
    if (n == BSP_NONE || !is_inside(p, n)) {
        return false;
    }
    p->hit->stuck = p->hit->solid = n;
    return true;
}

static bool test_patch(position *p, const bspi_patch_run *patch) {
    for (uint32_t i = 0; patch != NULL && i < patch->num_convexes; i++) {
        if (test_convex(p, patch->first_convex + i)) {
            return true;
        }
    }
    return false;
}

static bool test_leaf(position *p, uint32_t number) {
    const bsp_map *map = p->index->map;
    const bsp_leaf *leaf = bspi_asked_leaf(p->index, p->ray, number);
    if (leaf == NULL) {
        return false;
    }
    uint32_t brushes = map->num_brushes == 0 ? 0 : leaf->num_brushes;
    uint32_t faces = p->body->num_patches == 0 ? 0 : leaf->num_faces;
    for (uint32_t i = 0; i < brushes && p->asked++ < BSPI_MOST_ASKED; i++) {
        uint32_t brush = map->leaf_brushes[leaf->first_brush + i];
        if (test_convex(p, bspi_find_convex(p->index, p->body, brush))) {
            return true;
        }
    }
    for (uint32_t i = 0; i < faces && p->asked++ < BSPI_MOST_ASKED; i++) {
        uint32_t face = map->leaf_faces[leaf->first_face + i];
        if (test_patch(p, bspi_find_patch(p->index, p->body, face))) {
            return true;
        }
    }
    return false;
}

void bspi_visit_still(const bsp_trace_index *index, uint32_t model, const bspi_ray *ray,
                      bspi_hit *hit) {
    uint32_t leaves[MOST_LEAVES];
    position p = {.index = index, .body = &index->bodies[model], .ray = ray, .hit = hit};
    if (!bspi_has_tree(index->map, model)) {
        return; // in a run the lowest number is the first
    }
    float low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = ray->start[i] + ray->mins[i] - 1;
        high[i] = ray->start[i] + ray->maxs[i] + 1;
    }
    hit->stuck = hit->solid = BSP_NONE;
    uint32_t count = bsp_query_box_leaves(index->map, model, low, high, leaves, MOST_LEAVES);
    count = count < MOST_LEAVES ? count : MOST_LEAVES;
    for (uint32_t i = 0; i < count && !test_leaf(&p, leaves[i]); i++) {
    }
}
