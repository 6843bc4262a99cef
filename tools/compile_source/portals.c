// SPDX-License-Identifier: MIT
// Openings between the leaves of the world, and what can be reached through them: what cannot is
// outside and becomes solid. A way out to the edge of the world is a leak.
#include "keys.h"

#include <stdio.h>

static bool is_open(const leaf *l) {
    return (l->contents & CONTENTS_SOLID) == 0;
}

static void join(world *w, uint32_t a, const hull_face *fa, uint32_t b) {
    const hull *cell = w->leaves[b].cell;
    for (uint32_t i = 0; i < cell->count; i++) {
        if (cell->faces[i].plane != (fa->plane ^ 1)) {
            continue;
        }
        vec3 normal = w->planes.list[fa->plane].normal;
        const winding *shared = winding_overlap(fa->w, winding_flip(cell->faces[i].w), normal);
        if (shared != NULL) {
            portal p = {{a, b}, fa->plane, shared};
            PUSH(w->portals, w->num_portals, p);
        }
    }
}

void make_portals(world *w) {
    const model *m = &w->models[0];
    uint32_t end = m->first_leaf + m->num_leaves;
    for (uint32_t a = m->first_leaf; a < end; a++) {
        if (!is_open(&w->leaves[a])) {
            continue;
        }
        const hull *cell = w->leaves[a].cell;
        for (uint32_t f = 0; f < cell->count; f++) {
            for (uint32_t b = a + 1; b < end; b++) {
                if (is_open(&w->leaves[b])) {
                    join(w, a, &cell->faces[f], b);
                }
            }
        }
    }
}

static bool at_edge(const world *w, const leaf *l) {
    box3 cell = hull_box(l->cell);
    box3 all = w->models[0].box;
    for (int i = 0; i < 3; i++) {
        if (cell.mins.v[i] < all.mins.v[i] - 1 || cell.maxs.v[i] > all.maxs.v[i] + 1) {
            return true;
        }
    }
    return false;
}

static uint32_t start_leaf(const world *w) {
    for (uint32_t i = 0; i < w->num_entities; i++) {
        if (is_class(&w->entities[i], "info_player_start")) {
            return leaf_at(w, &w->models[0], add(w->entities[i].origin, vec(0, 0, 16)));
        }
    }
    fail("there is no info_player_start");
}

static void flood(world *w, uint8_t *reached) {
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < w->num_portals; i++) {
            const uint32_t *leaves = w->portals[i].leaves;
            if (reached[leaves[0]] != reached[leaves[1]]) {
                reached[leaves[0]] = reached[leaves[1]] = 1;
                more = true;
            }
        }
    }
}

static void drop_portals(world *w) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < w->num_portals; i++) {
        if (!w->leaves[w->portals[i].leaves[0]].outside) {
            w->portals[kept++] = w->portals[i];
        }
    }
    w->num_portals = kept;
}

void fill_outside(world *w) {
    const model *m = &w->models[0];
    uint8_t *reached = zeroed(w->num_leaves);
    uint32_t start = start_leaf(w);
    if (!is_open(&w->leaves[start])) {
        fail("info_player_start is in a solid");
    }
    reached[start] = 1;
    flood(w, reached);
    for (uint32_t i = m->first_leaf; i < m->first_leaf + m->num_leaves; i++) {
        leaf *l = &w->leaves[i];
        if (!is_open(l)) {
            continue;
        }
        if (reached[i] != 0 && at_edge(w, l)) {
            vec3 out = hull_centre(l->cell);
            fail("leak: the outside is reached at %g %g %g", out.v[0], out.v[1], out.v[2]);
        }
        l->outside = reached[i] == 0;
        l->contents = l->outside ? CONTENTS_SOLID : l->contents;
        l->cluster = l->outside ? BSP_NONE : w->num_clusters++;
    }
    drop_portals(w);
}
