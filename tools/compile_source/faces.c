// SPDX-License-Identifier: MIT
// Faces: the sides that can be seen from the leaves of the tree. A structural side is cut by the
// nodes above its own plane and lies on that node; a detail side is cut by other details only and
// lies on none. What falls into solid leaves is dropped.
#include "world.h"

#include <math.h>

typedef struct bit {
    const winding *w;
    uint32_t *leaves;
    uint32_t num_leaves;
} bit;

// A side on its way to faces.
typedef struct job {
    world *w;
    model *m;
    const brush *b;
    const side *s;
    vec3 normal;
    uint32_t original; // BSP_NONE until the side has a face
    bit *bits;
    uint32_t num_bits;
} job;

// --- which leaves see a polygon -----------------------------------------------------------------

static bool sees(const job *j, const leaf *l) {
    uint32_t hidden = CONTENTS_SOLID | (j->b->contents & CONTENTS_LIQUID);
    return (l->contents & hidden) == 0;
}

static void collect(job *j, int32_t at, const winding *w) {
    if (at < 0) {
        uint32_t number = (uint32_t)(-1 - at);
        if (sees(j, &j->w->leaves[number])) {
            bit found = {.w = w};
            PUSH(found.leaves, found.num_leaves, number);
            PUSH(j->bits, j->num_bits, found);
        }
        return;
    }
    const node *n = &j->w->nodes[at];
    const plane3 *plane = &j->w->planes.list[n->plane];
    const winding *parts[2];
    winding_split(w, plane, &parts[0], &parts[1]);
    if (parts[0] == NULL && parts[1] == NULL) {
        parts[dot(plane->normal, j->normal) > 0 ? 0 : 1] = w;
    }
    for (int s = 0; s < 2; s++) {
        if (parts[s] != NULL) {
            collect(j, n->children[s], parts[s]);
        }
    }
}

static void add_leaves(bit *to, const bit *from) {
    for (uint32_t i = 0; i < from->num_leaves; i++) {
        bool there = false;
        for (uint32_t k = 0; k < to->num_leaves; k++) {
            there = there || to->leaves[k] == from->leaves[i];
        }
        if (!there) {
            PUSH(to->leaves, to->num_leaves, from->leaves[i]);
        }
    }
}

// The bits as one polygon if they are all of it, else merged as far as they stay convex.
static void join_bits(job *j, const winding *whole) {
    double seen = 0;
    for (uint32_t i = 0; i < j->num_bits; i++) {
        seen += winding_area(j->bits[i].w);
    }
    if (fabs(seen - winding_area(whole)) < MIN_AREA && j->num_bits != 0) {
        for (uint32_t i = 1; i < j->num_bits; i++) {
            add_leaves(&j->bits[0], &j->bits[i]);
        }
        j->bits[0].w = whole;
        j->num_bits = 1;
        return;
    }
    for (uint32_t a = 0; a < j->num_bits; a++) {
        for (uint32_t b = a + 1; b < j->num_bits; b++) {
            const winding *one = winding_merge(j->bits[a].w, j->bits[b].w, j->normal);
            if (one != NULL) {
                j->bits[a].w = one;
                add_leaves(&j->bits[a], &j->bits[b]);
                j->bits[b] = j->bits[--j->num_bits];
                b = a;
            }
        }
    }
}

// --- faces --------------------------------------------------------------------------------------

static void add_face(job *j, const bit *from, uint32_t node_number) {
    world *w = j->w;
    if (j->original == BSP_NONE) {
        face whole = {.plane = j->s->plane, .texinfo = j->s->texinfo, .w = j->s->w};
        j->original = w->num_originals;
        PUSH(w->originals, w->num_originals, whole);
    }
    face f = {.plane = j->s->plane,
              .texinfo = j->s->texinfo,
              .original = j->original,
              .id = j->s->id,
              .smoothing = j->s->smoothing,
              .on_node = node_number != BSP_NONE,
              .fog_volume = BSP_NONE,
              .w = from->w,
              .leaves = from->leaves,
              .num_leaves = from->num_leaves};
    if (node_number != BSP_NONE) {
        node *n = &w->nodes[node_number];
        PUSH(n->faces, n->num_faces, w->num_faces);
    }
    PUSH(w->faces, w->num_faces, f);
}

static void finish(job *j, int32_t at, const winding *piece, uint32_t node_number) {
    j->bits = NULL;
    j->num_bits = 0;
    collect(j, at, piece);
    join_bits(j, piece);
    for (uint32_t i = 0; i < j->num_bits; i++) {
        add_face(j, &j->bits[i], node_number);
    }
}

// Down to the nodes on the side's own plane.
static void place(job *j, int32_t at, const winding *piece) {
    if (at < 0) {
        return;
    }
    const node *n = &j->w->nodes[at];
    if ((n->plane | 1) == (j->s->plane | 1)) {
        finish(j, n->children[j->s->plane == n->plane ? 0 : 1], piece, (uint32_t)at);
        return;
    }
    const plane3 *plane = &j->w->planes.list[n->plane];
    const winding *parts[2];
    winding_split(piece, plane, &parts[0], &parts[1]);
    for (int s = 0; s < 2; s++) {
        if (parts[s] != NULL) {
            place(j, n->children[s], parts[s]);
        }
    }
}

// --- sides that other brushes cover -------------------------------------------------------------

static bool has_plane(const brush *b, uint32_t plane) {
    for (uint32_t i = 0; i < b->num_sides; i++) {
        if (b->sides[i].plane == plane && b->sides[i].w != NULL) {
            return true;
        }
    }
    return false;
}

// Of two sides in one place the earlier brush's is kept; details yield to structure, and are cut
// by other details.
static bool covers(const job *j, const brush *other) {
    if (other == j->b || (other->contents & CONTENTS_SOLID) == 0) {
        return false;
    }
    bool earlier = other->number < j->b->number;
    if (!j->b->detail) {
        return !other->detail && earlier && has_plane(other, j->s->plane);
    }
    return other->detail ? !has_plane(other, j->s->plane) || earlier
                         : has_plane(other, j->s->plane);
}

// Appends the parts of a polygon that are not in a brush.
static void subtract(const job *j, const winding *w, const brush *other, const winding ***out,
                     uint32_t *count) {
    uint32_t before = *count;
    const winding *inside = w;
    for (uint32_t f = 0; inside != NULL && f < other->shape->count; f++) {
        const plane3 *plane = &j->w->planes.list[other->shape->faces[f].plane];
        const winding *front;
        const winding *back;
        winding_split(inside, plane, &front, &back);
        if (front != NULL) {
            PUSH(*out, *count, front);
        }
        inside = front == NULL && back == NULL ? inside : back; // on the plane: covered
    }
    if (inside == NULL) {
        *count = before;
        PUSH(*out, *count, w);
    }
}

static const winding **uncovered(const job *j, uint32_t *count) {
    const winding **pieces = NULL;
    *count = 0;
    PUSH(pieces, *count, j->s->w);
    for (uint32_t b = 0; b < j->m->num_brushes; b++) {
        const winding **left = NULL;
        uint32_t num_left = 0;
        if (!covers(j, &j->m->brushes[b])) {
            continue;
        }
        for (uint32_t i = 0; i < *count; i++) {
            subtract(j, pieces[i], &j->m->brushes[b], &left, &num_left);
        }
        pieces = left;
        *count = num_left;
    }
    return pieces;
}

static void make_side(world *w, model *m, const brush *b, const side *s) {
    if (s->bevel || s->w == NULL || (w->materials[s->material].flags & SURF_NODRAW) != 0) {
        return;
    }
    job j = {.w = w, .m = m, .b = b, .s = s, .original = BSP_NONE};
    j.normal = w->planes.list[s->plane].normal;
    uint32_t count;
    const winding **pieces = uncovered(&j, &count);
    bool on_node = m != &w->models[0] || b->structural;
    for (uint32_t i = 0; i < count; i++) {
        if (on_node) {
            place(&j, m->root, pieces[i]);
        } else {
            finish(&j, m->root, pieces[i], BSP_NONE);
        }
    }
}

// --- order --------------------------------------------------------------------------------------

// Faces of a node stand together, in the order of the nodes; then those on no node.
static void order_faces(world *w, const model *m, uint32_t first) {
    uint32_t count = w->num_faces - first;
    face *sorted = zeroed((count + 1) * sizeof *sorted);
    uint32_t at = 0;
    for (uint32_t i = m->first_node; i < m->first_node + m->num_nodes; i++) {
        node *n = &w->nodes[i];
        for (uint32_t k = 0; k < n->num_faces; k++) {
            sorted[at] = w->faces[n->faces[k]];
            n->faces[k] = first + at++;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (!w->faces[first + i].on_node) {
            sorted[at++] = w->faces[first + i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        w->faces[first + i] = sorted[i];
    }
}

static void add_hills(world *w) {
    for (uint32_t i = 0; i < w->num_hills; i++) {
        // The originals of the hills are the first ones, see drawing.c.
        face f = w->originals[i];
        w->hills[i]->face = w->num_faces;
        PUSH(w->faces, w->num_faces, f);
    }
}

static void list_in_leaves(world *w, uint32_t first) {
    for (uint32_t f = first; f < w->num_faces; f++) {
        for (uint32_t i = 0; i < w->faces[f].num_leaves; i++) {
            leaf *l = &w->leaves[w->faces[f].leaves[i]];
            PUSH(l->faces, l->num_faces, f);
            uint32_t flags = w->texinfos[w->faces[f].texinfo].flags;
            l->sky = l->sky || (flags & SURF_SKY) != 0;
        }
    }
}

void make_faces(world *w) {
    for (uint32_t i = 0; i < w->num_models; i++) {
        model *m = &w->models[i];
        m->first_face = w->num_faces;
        for (uint32_t b = 0; b < m->num_brushes; b++) {
            for (uint32_t s = 0; s < m->brushes[b].num_sides; s++) {
                make_side(w, m, &m->brushes[b], &m->brushes[b].sides[s]);
            }
        }
        order_faces(w, m, m->first_face);
        if (i == 0) {
            add_hills(w);
        }
        m->num_faces = w->num_faces - m->first_face;
        list_in_leaves(w, m->first_face);
    }
}

// --- water --------------------------------------------------------------------------------------

static void fill_leaves(world *w, const brush *b, uint32_t number) {
    for (uint32_t i = 0; i < w->num_leaves; i++) {
        leaf *l = &w->leaves[i];
        for (uint32_t k = 0; (l->contents & CONTENTS_LIQUID) != 0 && k < l->num_brushes; k++) {
            l->water = l->brushes[k] == b->number ? number : l->water;
        }
    }
}

// A record for each body of liquid: the height of its surface and bottom, the look of its top.
void make_water(world *w) {
    for (uint32_t i = 0; i < w->models[0].num_brushes; i++) {
        const brush *b = &w->models[0].brushes[i];
        if ((b->contents & CONTENTS_LIQUID) == 0) {
            continue;
        }
        box3 box = hull_box(b->shape);
        bsp_leaf_water water = {
            .surface_z = (float)box.maxs.v[2], .min_z = (float)box.mins.v[2], .texinfo = BSP_NONE};
        for (uint32_t s = 0; s < b->num_sides; s++) {
            bool top = w->planes.list[b->sides[s].plane].normal.v[2] == 1;
            water.texinfo = top ? b->sides[s].texinfo : water.texinfo;
        }
        for (uint32_t f = 0; f < w->num_faces; f++) {
            bool own = w->faces[f].texinfo == water.texinfo && !w->faces[f].bent;
            w->faces[f].fog_volume = own ? w->num_waters : w->faces[f].fog_volume;
        }
        fill_leaves(w, b, w->num_waters);
        PUSH(w->waters, w->num_waters, water);
    }
}
