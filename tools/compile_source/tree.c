// SPDX-License-Identifier: MIT
// The tree: space is cut by the planes of structural brushes until each cell lies wholly inside or
// wholly outside every one of them. A cell inside a solid brush is cut no further.
#include "world.h"

#define ROOM 8.0 // how far the world's box lies outside of the brushes, as in Valve's files

// What of a brush lies in a cell.
typedef struct piece {
    const brush *of;
    const hull *shape;
} piece;

typedef struct cut {
    uint32_t plane; // even; BSP_NONE: none
    double score;
} cut;

static bool is_solid(const brush *b) {
    return (b->contents & CONTENTS_SOLID) != 0;
}

static bool cuts(const world *w, const brush *b, uint32_t plane) {
    for (uint32_t i = 0; i < b->num_sides; i++) {
        if (b->sides[i].plane == plane && !b->sides[i].bevel) {
            return (w->materials[b->sides[i].material].flags & SURF_SKIP) == 0;
        }
    }
    return false;
}

// Planes with many faces on them and few pieces cut are good, and axial ones better.
static double score_of(const world *w, const piece *pieces, uint32_t count, uint32_t plane) {
    const plane3 *p = &w->planes.list[plane];
    double score = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t f = 0; f < pieces[i].shape->count; f++) {
            score += (pieces[i].shape->faces[f].plane | 1) == (plane | 1) ? 5 : 0;
        }
        score -= hull_crosses(pieces[i].shape, p) ? 5 : 0;
    }
    bool axial = p->normal.v[0] == 1 || p->normal.v[1] == 1 || p->normal.v[2] == 1;
    return axial ? score + 5 : score;
}

static cut choose(const world *w, const hull *cell, const piece *pieces, uint32_t count) {
    cut best = {BSP_NONE, 0};
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t f = 0; f < pieces[i].shape->count; f++) {
            uint32_t plane = pieces[i].shape->faces[f].plane;
            if (!cuts(w, pieces[i].of, plane) || !hull_crosses(cell, &w->planes.list[plane])) {
                continue;
            }
            double score = score_of(w, pieces, count, plane & ~1u);
            if (best.plane == BSP_NONE || score > best.score) {
                best = (cut){plane & ~1u, score};
            }
        }
    }
    return best;
}

// A piece none of whose sides crosses the cell fills it.
static bool fills(const world *w, const hull *cell, const piece *p) {
    for (uint32_t f = 0; f < p->shape->count; f++) {
        if (hull_crosses(cell, &w->planes.list[p->shape->faces[f].plane])) {
            return false;
        }
    }
    return true;
}

static int32_t make_leaf(world *w, const hull *cell, uint32_t contents) {
    leaf l = {.cell = cell, .contents = contents, .cluster = BSP_NONE, .water = BSP_NONE};
    PUSH(w->leaves, w->num_leaves, l);
    return -(int32_t)w->num_leaves;
}

// Contents of a cell that is cut no further.
static uint32_t contents_of(const world *w, const hull *cell, const piece *pieces, uint32_t count) {
    uint32_t contents = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (fills(w, cell, &pieces[i])) {
            contents |= pieces[i].of->contents & (CONTENTS_SOLID | CONTENTS_LIQUID);
        }
    }
    return (contents & CONTENTS_SOLID) != 0 ? CONTENTS_SOLID : contents;
}

static int32_t build(world *w, const hull *cell, const piece *pieces, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        if (is_solid(pieces[i].of) && fills(w, cell, &pieces[i])) {
            return make_leaf(w, cell, CONTENTS_SOLID);
        }
    }
    cut best = choose(w, cell, pieces, count);
    if (best.plane == BSP_NONE) {
        return make_leaf(w, cell, contents_of(w, cell, pieces, count));
    }
    uint32_t number = w->num_nodes;
    node n = {.plane = best.plane, .box = hull_box(cell)};
    PUSH(w->nodes, w->num_nodes, n);
    const hull *cells[2];
    hull_split(&w->planes, cell, best.plane, &cells[0], &cells[1]);
    if (cells[0] == NULL || cells[1] == NULL) {
        fail("a cell of the tree is too thin");
    }
    for (int s = 0; s < 2; s++) {
        piece *parts = zeroed(count * sizeof *parts);
        uint32_t kept = 0;
        for (uint32_t i = 0; i < count; i++) {
            const hull *halves[2];
            hull_split(&w->planes, pieces[i].shape, best.plane, &halves[0], &halves[1]);
            if (halves[s] != NULL) {
                parts[kept++] = (piece){pieces[i].of, halves[s]};
            }
        }
        int32_t child = build(w, cells[s], parts, kept);
        w->nodes[number].children[s] = child;
    }
    return (int32_t)number;
}

static const hull *box_hull(world *w, box3 box) {
    uint32_t planes[6];
    for (int i = 0; i < 3; i++) {
        vec3 normal = vec(0, 0, 0);
        normal.v[i] = 1;
        planes[2 * i] = plane_find(&w->planes, normal, box.maxs.v[i] + ROOM);
        planes[2 * i + 1] = plane_find(&w->planes, scaled(normal, -1), ROOM - box.mins.v[i]);
    }
    return hull_of_planes(&w->planes, planes, 6);
}

// Every brush is listed in each leaf that it shares space with; hints are in none.
static void list_brushes(world *w, const model *m) {
    for (uint32_t l = m->first_leaf; l < m->first_leaf + m->num_leaves; l++) {
        for (uint32_t b = 0; b < m->num_brushes; b++) {
            leaf *at = &w->leaves[l];
            if (m->brushes[b].contents != 0 &&
                hull_meets(&w->planes, m->brushes[b].shape, at->cell)) {
                PUSH(at->brushes, at->num_brushes, m->brushes[b].number);
            }
        }
    }
}

static void build_model(world *w, model *m, bool all) {
    piece *pieces = zeroed((m->num_brushes + 1) * sizeof *pieces);
    uint32_t count = 0;
    m->box = box_empty();
    for (uint32_t i = 0; i < m->num_brushes; i++) {
        box3 box = hull_box(m->brushes[i].shape);
        box_add(&m->box, box.mins);
        box_add(&m->box, box.maxs);
        if (all || m->brushes[i].structural) {
            pieces[count++] = (piece){&m->brushes[i], m->brushes[i].shape};
        }
    }
    m->first_leaf = w->num_leaves;
    m->first_node = w->num_nodes;
    m->root = build(w, box_hull(w, m->box), pieces, count);
    m->num_leaves = w->num_leaves - m->first_leaf;
    m->num_nodes = w->num_nodes - m->first_node;
    list_brushes(w, m);
}

void build_trees(world *w) {
    // Leaf 0 is nowhere and solid.
    make_leaf(w, NULL, CONTENTS_SOLID);
    for (uint32_t i = 0; i < w->num_models; i++) {
        build_model(w, &w->models[i], i != 0);
    }
}

// --- questions ----------------------------------------------------------------------------------

uint32_t leaf_at(const world *w, const model *m, vec3 point) {
    int32_t at = m->root;
    while (at >= 0) {
        const node *n = &w->nodes[at];
        at = n->children[plane_side(&w->planes.list[n->plane], point) >= 0 ? 0 : 1];
    }
    return (uint32_t)(-1 - at);
}

static void find_leaves(const world *w, int32_t at, box3 box, uint32_t *out, uint32_t max,
                        uint32_t *count) {
    if (at < 0) {
        uint32_t number = (uint32_t)(-1 - at);
        if (*count < max && (w->leaves[number].contents & CONTENTS_SOLID) == 0) {
            out[(*count)++] = number;
        }
        return;
    }
    const plane3 *p = &w->planes.list[w->nodes[at].plane];
    double near = -p->dist;
    double far = -p->dist;
    for (int i = 0; i < 3; i++) {
        bool up = p->normal.v[i] > 0;
        far += p->normal.v[i] * (up ? box.maxs : box.mins).v[i];
        near += p->normal.v[i] * (up ? box.mins : box.maxs).v[i];
    }
    if (far > ON_EPSILON) {
        find_leaves(w, w->nodes[at].children[0], box, out, max, count);
    }
    if (near < -ON_EPSILON) {
        find_leaves(w, w->nodes[at].children[1], box, out, max, count);
    }
}

uint32_t leaves_in(const world *w, box3 box, uint32_t *out, uint32_t max) {
    uint32_t count = 0;
    find_leaves(w, w->models[0].root, box, out, max, &count);
    return count;
}
