// SPDX-License-Identifier: MIT
// The tree of shadows by the rules of q3map2. Triangles are cut by it, so that each has its parts
// in the leaves: what is a hundredth beside the edges of a part shades, and what is too small does
// not. Source: netradiant-custom, tools/quake3/q3map2/light_trace.cpp.
#include "bake/light/shadows/shade_tree.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define CORNERS 24u       // of a part at most
#define TOUCHES 0.25f     // units from a cut: a corner is on both sides
#define SAME 0.999f       // cosine of the normals of one plane,
#define SAME_DIST 0.001f  // and the difference of its distances
#define MOST_TRIANGLES 5u // of a leaf that is divided no more,
#define LEAST_SIZE 32.0f  // and units that it is long
#define MOST_DEPTH 32u    // of nodes that are divided
#define PENDING 256u
#define STEPS 65536u

#define NONE UINT32_MAX

// Parts of triangles, in lists.
typedef struct part {
    uint32_t first; // corner
    uint32_t count;
    uint32_t face;
    uint32_t next; // of its leaf
} part;

typedef struct corner {
    float at[3];
    float uv[2];
} corner;

// A part on its way down the tree.
typedef struct winding {
    corner corners[CORNERS];
    uint32_t count;
    uint32_t node;
} winding;

typedef struct builder {
    bspi_heap *heap;
    bspi_shade_tree *tree;
    bsp_error *error;
    part *parts; // heap
    uint32_t num_parts;
    size_t part_room;
    corner *corners; // heap
    uint32_t num_corners;
    size_t corner_room;
    uint32_t *ends; // of each node: the last part of its list, which begins with `first`; heap
    size_t end_room;
    winding *pending; // heap
} builder;

// --- nodes --------------------------------------------------------------------------------------

// Adds an open leaf. Returns its number, or NONE.
static uint32_t add_node(builder *b) {
    bspi_shade_tree *tree = b->tree;
    bspi_shade_node *nodes =
        bspi_grow(b->heap, tree->nodes, tree->num_nodes, &tree->room, sizeof *nodes, b->error);
    tree->nodes = nodes != NULL ? nodes : tree->nodes;
    uint32_t *ends = nodes != NULL ? bspi_grow(b->heap, b->ends, tree->num_nodes, &b->end_room,
                                               sizeof *ends, b->error)
                                   : NULL;
    if (ends == NULL || !bspi_heap_work(b->heap, 1, b->error)) {
        b->ends = ends != NULL ? ends : b->ends;
        return NONE;
    }
    b->ends = ends;
    ends[tree->num_nodes] = NONE;
    nodes[tree->num_nodes] = (bspi_shade_node){.first = NONE};
    return tree->num_nodes++;
}

// Returns the axis of a normal, or 3.
static uint32_t axis_of(const float normal[3]) {
    uint32_t axis = 0;
    while (axis < 3 && normal[axis] != 1) {
        axis++;
    }
    return axis;
}

// Copies the nodes of the map; what is no node after its parent is solid. Leaves follow.
static bool copy_nodes(builder *b, const bsp_map *map) {
    for (uint32_t n = 0; n < map->num_nodes || n == 0; n++) {
        if (add_node(b) == NONE) {
            return false;
        }
    }
    for (uint32_t n = 0; n < map->num_nodes; n++) {
        const bsp_node *from = &map->nodes[n];
        if (from->plane >= map->num_planes) {
            b->tree->nodes[n].children[1] = BSPI_SHADE_SOLID;
            continue;
        }
        uint32_t children[2];
        for (int side = 0; side < 2; side++) {
            int32_t child = from->children[side];
            uint32_t number = (uint32_t)child;
            if (child < 0 || number <= n || number >= map->num_nodes) {
                uint32_t leaf = (uint32_t)(-1 - child);
                bool open =
                    child < 0 && leaf < map->num_leaves && map->leaves[leaf].cluster != BSP_NONE;
                number = add_node(b);
                if (number == NONE) {
                    return false;
                }
                b->tree->nodes[number].children[1] = open ? BSPI_SHADE_OPEN : BSPI_SHADE_SOLID;
            }
            children[side] = number;
        }
        const bsp_plane *plane = &map->planes[from->plane];
        bspi_shade_node *to = &b->tree->nodes[n];
        memcpy(to->children, children, sizeof children);
        memcpy(to->normal, plane->normal, sizeof to->normal);
        to->dist = plane->dist;
        to->first = axis_of(plane->normal);
    }
    return true;
}

// --- parts --------------------------------------------------------------------------------------

static bool add_part(builder *b, const winding *w, uint32_t face) {
    part *parts =
        bspi_grow(b->heap, b->parts, b->num_parts, &b->part_room, sizeof *parts, b->error);
    if (parts == NULL || !bspi_heap_work(b->heap, 1, b->error)) {
        b->parts = parts != NULL ? parts : b->parts;
        return false;
    }
    b->parts = parts;
    parts[b->num_parts] =
        (part){.first = b->num_corners, .count = w->count, .face = face, .next = NONE};
    for (uint32_t n = 0; n < w->count; n++) {
        corner *corners = bspi_grow(b->heap, b->corners, b->num_corners, &b->corner_room,
                                    sizeof *corners, b->error);
        if (corners == NULL) {
            return false;
        }
        b->corners = corners;
        corners[b->num_corners++] = w->corners[n];
    }
    bspi_shade_node *leaf = &b->tree->nodes[w->node];
    uint32_t *end = &b->ends[w->node];
    *(*end == NONE ? &leaf->first : &parts[*end].next) = b->num_parts;
    *end = b->num_parts++;
    return true;
}

static void push(winding *out, const corner *at) {
    if (out->count < CORNERS) {
        out->corners[out->count++] = *at;
    }
}

static corner between(const corner *a, const corner *b, float share, const float normal[3],
                      float dist) {
    corner middle;
    for (int i = 0; i < 3; i++) {
        middle.at[i] = normal[i] == 1    ? dist
                       : normal[i] == -1 ? -dist
                                         : a->at[i] + share * (b->at[i] - a->at[i]);
    }
    for (int i = 0; i < 2; i++) {
        middle.uv[i] = a->uv[i] + (b->uv[i] - a->uv[i]) * share;
    }
    return middle;
}

// Divides a part by the plane of a node; sides without any of it have no corners.
static void split(const winding *w, const bspi_shade_node *node, winding sides[2]) {
    float away[CORNERS];
    int of[CORNERS]; // 0 before the plane, 1 after it, 2 on it
    bool any[3] = {false, false, false};
    for (uint32_t n = 0; n < w->count; n++) {
        away[n] = bspi_dot(node->normal, w->corners[n].at) - node->dist;
        of[n] = away[n] < -TOUCHES ? 1 : away[n] > TOUCHES ? 0 : 2;
        any[of[n]] = true;
    }
    sides[0].count = sides[1].count = 0;
    if (!any[0] || !any[1]) {
        sides[any[1] ? 1 : 0] = *w;
        return;
    }
    for (uint32_t n = 0; n < w->count; n++) {
        uint32_t next = (n + 1) % w->count;
        for (int side = 0; side < 2; side++) {
            if (of[n] == side || of[n] == 2) {
                push(&sides[side], &w->corners[n]);
            }
        }
        if (of[n] != 2 && of[next] != 2 && of[n] != of[next]) {
            float share = away[n] / (away[n] - away[next]);
            corner middle =
                between(&w->corners[n], &w->corners[next], share, node->normal, node->dist);
            push(&sides[0], &middle);
            push(&sides[1], &middle);
        }
    }
}

// Has a part its plane in common with a node, or the other side of it? Returns 0 or 1, else 2.
static uint32_t side_of(const bspi_shade_node *node, const float normal[3], float dist) {
    float cosine = bspi_dot(node->normal, normal);
    bool same = cosine > SAME && fabsf(node->dist - dist) < SAME_DIST;
    bool turned = -cosine > SAME && fabsf(node->dist + dist) < SAME_DIST;
    return same ? 0 : turned ? 1 : 2;
}

// Puts what of a triangle is in each leaf there.
static bool filter(builder *b, const bspi_shade_triangle *t) {
    winding *w = &b->pending[0];
    uint32_t count = 1;
    float normal[3];
    bool done = true;
    w->count = 3;
    w->node = 0;
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            w->corners[c].at[i] = t->corner[i] + (c == 0 ? 0 : t->edges[c - 1][i]);
        }
        memcpy(w->corners[c].uv, t->uv[c], sizeof t->uv[c]);
    }
    bspi_cross(t->edges[1], t->edges[0], normal);
    if (!(bspi_normalize(normal) > 0) || !isfinite(normal[0] + normal[1] + normal[2])) {
        return true;
    }
    float dist = bspi_dot(normal, t->corner);
    while (done && count != 0) {
        winding now = b->pending[--count];
        const bspi_shade_node *node = &b->tree->nodes[now.node];
        if (bspi_shade_is_leaf(node)) {
            done = add_part(b, &now, t->face);
            continue;
        }
        winding sides[2];
        uint32_t side = side_of(node, normal, dist);
        if (side != 2) {
            sides[side] = now;
            sides[!side].count = 0;
        } else {
            split(&now, node, sides);
        }
        for (int s = 1; s >= 0 && count < PENDING; s--) { // what is before is done first
            if (sides[s].count >= 3) {
                sides[s].node = node->children[s];
                b->pending[count++] = sides[s];
            }
        }
        done = bspi_heap_work(b->heap, 1, b->error);
    }
    return done;
}

// --- leaves are divided -------------------------------------------------------------------------

// Finds where a leaf is divided: sets a plane. False: it stays.
static bool choose(const builder *b, bspi_shade_node *leaf) {
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    double sum[3] = {0, 0, 0};
    uint32_t corners = 0;
    uint32_t parts = 0;
    for (uint32_t p = leaf->first; p != NONE; p = b->parts[p].next) {
        for (uint32_t n = 0; n < b->parts[p].count; n++) {
            const float *at = b->corners[b->parts[p].first + n].at;
            for (int i = 0; i < 3; i++) {
                low[i] = fminf(low[i], at[i]);
                high[i] = fmaxf(high[i], at[i]);
                sum[i] += (double)at[i];
            }
        }
        corners += b->parts[p].count;
        parts++;
    }
    if (corners - 2 * parts < MOST_TRIANGLES) {
        return false;
    }
    int axis = high[1] - low[1] > high[0] - low[0] ? 1 : 0;
    axis = high[2] - low[2] > high[axis] - low[axis] ? 2 : axis;
    if (!(high[axis] - low[axis] > LEAST_SIZE)) {
        return false;
    }
    float dist = (float)floor(sum[axis] / corners);
    if (!(dist > low[axis] && dist < high[axis])) {
        dist = floorf(0.5f * (low[axis] + high[axis]));
    }
    leaf->normal[axis] = 1;
    leaf->dist = dist;
    return true;
}

static bool divide(builder *b, uint32_t number) {
    uint32_t children[2];
    for (int side = 0; side < 2; side++) {
        children[side] = add_node(b);
        if (children[side] == NONE) {
            return false;
        }
    }
    bspi_shade_node *node = &b->tree->nodes[number];
    uint32_t next = node->first;
    node->first = axis_of(node->normal);
    memcpy(node->children, children, sizeof children);
    while (next != NONE) {
        const part p = b->parts[next];
        winding w = {.count = p.count};
        winding sides[2];
        memcpy(w.corners, b->corners + p.first, p.count * sizeof *w.corners);
        split(&w, node, sides);
        for (int side = 0; side < 2; side++) {
            sides[side].node = children[side];
            if (sides[side].count >= 3 && !add_part(b, &sides[side], p.face)) {
                return false;
            }
        }
        next = p.next;
    }
    return true;
}

// Divides leaves that have many triangles, from the root on.
static bool divide_all(builder *b) {
    typedef struct below {
        uint32_t node;
        uint32_t depth;
    } below;
    below pending[2 * MOST_DEPTH];
    uint32_t count = 1;
    pending[0] = (below){0, 0};
    while (count != 0) {
        below at = pending[--count];
        if (at.depth >= MOST_DEPTH) {
            continue;
        }
        if (!bspi_heap_work(b->heap, 1, b->error)) {
            return false;
        }
        bspi_shade_node *node = &b->tree->nodes[at.node];
        if (bspi_shade_is_leaf(node)) {
            if (!choose(b, node)) {
                continue;
            }
            if (!divide(b, at.node)) {
                return false;
            }
        }
        for (int side = 1; side >= 0; side--) {
            pending[count++] = (below){b->tree->nodes[at.node].children[side], at.depth + 1};
        }
    }
    return true;
}

// --- triangles ----------------------------------------------------------------------------------

static bool add_triangle(builder *b, const corner *first, const corner *second, uint32_t face) {
    bspi_shade_tree *tree = b->tree;
    bspi_shade_triangle *list = bspi_grow(b->heap, tree->triangles, tree->num_triangles,
                                          &tree->triangle_room, sizeof *list, b->error);
    if (list == NULL) {
        return false;
    }
    const corner *of[3] = {first, second, second + 1};
    bspi_shade_triangle *t = &list[tree->num_triangles++];
    tree->triangles = list;
    t->face = face;
    for (int i = 0; i < 3; i++) {
        t->corner[i] = first->at[i];
        t->edges[0][i] = second[0].at[i] - first->at[i];
        t->edges[1][i] = second[1].at[i] - first->at[i];
        memcpy(t->uv[i], of[i]->uv, sizeof t->uv[i]);
    }
    bspi_cross(t->edges[0], t->edges[1], t->normal);
    return bspi_heap_work(b->heap, 1, b->error);
}

// Makes triangles of the parts, and counts those below nodes: children come after their parents.
static bool triangulate(builder *b) {
    bspi_shade_tree *tree = b->tree;
    for (uint32_t n = tree->num_nodes; n-- != 0;) {
        bspi_shade_node *node = &tree->nodes[n];
        if (!bspi_shade_is_leaf(node)) {
            uint64_t sum = (uint64_t)tree->nodes[node->children[0]].count +
                           tree->nodes[node->children[1]].count;
            node->count = sum < NONE ? (uint32_t)sum : NONE;
            continue;
        }
        uint32_t next = node->first;
        node->first = tree->num_triangles;
        for (; next != NONE; next = b->parts[next].next) {
            const part *p = &b->parts[next];
            for (uint32_t i = 1; i + 1 < p->count; i++) {
                if (!add_triangle(b, &b->corners[p->first], &b->corners[p->first + i], p->face)) {
                    return false;
                }
            }
        }
        node->count = tree->num_triangles - node->first;
    }
    return true;
}

bool bspi_shade_tree_make(bspi_heap *heap, const bsp_map *map, const bspi_shade_triangle *list,
                          uint32_t count, bspi_shade_tree *out, bsp_error *error) {
    builder b = {.heap = heap, .tree = out, .error = error};
    *out = (bspi_shade_tree){.nodes = NULL};
    b.pending = bspi_heap_alloc(heap, PENDING * sizeof *b.pending, error);
    bool done = b.pending != NULL && copy_nodes(&b, map);
    for (uint32_t n = 0; done && n < count; n++) {
        done = filter(&b, &list[n]);
    }
    done = done && divide_all(&b) && triangulate(&b);
    bspi_heap_free(heap, b.pending, PENDING * sizeof *b.pending);
    bspi_heap_free(heap, b.ends, b.end_room * sizeof *b.ends);
    bspi_heap_free(heap, b.parts, b.part_room * sizeof *b.parts);
    bspi_heap_free(heap, b.corners, b.corner_room * sizeof *b.corners);
    return done;
}

void bspi_shade_tree_free(bspi_heap *heap, bspi_shade_tree *tree) {
    bspi_heap_free(heap, tree->nodes, tree->room * sizeof *tree->nodes);
    bspi_heap_free(heap, tree->triangles, tree->triangle_room * sizeof *tree->triangles);
    *tree = (bspi_shade_tree){.nodes = NULL};
}

// --- lines --------------------------------------------------------------------------------------

// A part of a line that waits.
typedef struct stretch {
    uint32_t node;
    float from[3];
    float to[3];
} stretch;

// Goes down a node with a part of a line, whose farther part may have to wait. Returns how many do.
static uint32_t go_down(const bspi_shade_node *node, stretch *now, stretch *waiting,
                        uint32_t count) {
    uint32_t axis = node->first;
    float first = (axis < 3 ? now->from[axis] : bspi_dot(node->normal, now->from)) - node->dist;
    float last = (axis < 3 ? now->to[axis] : bspi_dot(node->normal, now->to)) - node->dist;
    bool before = first >= -BSPI_SHADE_ON && last >= -BSPI_SHADE_ON;
    if (before || (first < BSPI_SHADE_ON && last < BSPI_SHADE_ON) || count == PENDING) {
        now->node = node->children[!before];
        return count;
    }
    bool side = first < 0;
    float share = first / (first - last);
    stretch *far = &waiting[count];
    far->node = node->children[!side];
    memcpy(far->to, now->to, sizeof far->to);
    for (int i = 0; i < 3; i++) {
        far->from[i] = now->from[i] + (now->to[i] - now->from[i]) * share;
    }
    memcpy(now->to, far->from, sizeof now->to);
    now->node = node->children[side];
    return count + 1;
}

bool bspi_shade_walk(const bspi_shade_tree *tree, const float start[3], const float end[3],
                     bool beyond, bspi_shade_way *way) {
    stretch waiting[PENDING];
    uint32_t count = 1;
    uint32_t looked = 0;
    bool solid = false;
    way->num_leaves = 0;
    waiting[0].node = 0;
    memcpy(waiting[0].from, start, sizeof waiting[0].from);
    memcpy(waiting[0].to, end, sizeof waiting[0].to);
    while (count != 0 && !solid && looked < STEPS) {
        stretch now = waiting[--count];
        const bspi_shade_node *node = &tree->nodes[now.node];
        looked++;
        while (!bspi_shade_is_leaf(node) && (!beyond || node->count != 0)) {
            count = go_down(node, &now, waiting, count);
            node = &tree->nodes[now.node];
            looked++;
        }
        bool leaf = bspi_shade_is_leaf(node);
        if (leaf && node->children[1] == BSPI_SHADE_SOLID) {
            memcpy(way->solid, now.from, sizeof way->solid);
            solid = true;
        } else if (leaf && node->count != 0 && way->num_leaves < BSPI_SHADE_LEAVES) {
            way->leaves[way->num_leaves++] = now.node;
        }
    }
    way->steps += looked;
    return solid;
}
