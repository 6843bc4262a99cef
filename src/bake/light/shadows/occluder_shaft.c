// SPDX-License-Identifier: MIT
// The hull of lines from one box to another, and where faces are beside them.
#include "bake/light/shadows/occluder_shaft.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define NEAR BSPI_OCCLUDER_NEAR
#define FLAT BSPI_OCCLUDER_FLAT

// --- the hull -----------------------------------------------------------------------------------

// Adds the planes along edges of the hull between the boxes, seen along the third axis.
static void add_planes(bspi_occluder_shaft *s, int u, int v) {
    for (int corner = 0; corner < 4; corner++) {
        float su = (corner & 1) != 0 ? 1 : -1;
        float sv = (corner & 2) != 0 ? 1 : -1;
        float a[2] = {s->from.middle[u] + su * s->from.half[u],
                      s->from.middle[v] + sv * s->from.half[v]};
        float du = s->to.middle[u] + su * s->to.half[u] - a[0];
        float dv = s->to.middle[v] + sv * s->to.half[v] - a[1];
        if (!(su * du * (sv * dv) < 0)) { // no edge is there
            continue;
        }
        bspi_occluder_plane *plane = &s->hull.planes[s->hull.num_planes++];
        *plane = (bspi_occluder_plane){.axes = {(uint32_t)u, (uint32_t)v},
                                       .ends = {su < 0, sv < 0},
                                       .by = {su * fabsf(dv), sv * fabsf(du)}};
        plane->most = plane->by[0] * a[0] + plane->by[1] * a[1];
        plane->most += (fabsf(dv) + fabsf(du)) * s->slack;
    }
}

void bspi_occluder_shaft_set(const float from[2][3], const float to[2][3], bspi_occluder_shaft *s) {
    float most = 0;
    s->length = 0;
    for (int i = 0; i < 3; i++) {
        s->from.middle[i] = (from[0][i] + from[1][i]) / 2;
        s->from.half[i] = (from[1][i] - from[0][i]) / 2;
        s->to.middle[i] = (to[0][i] + to[1][i]) / 2;
        s->to.half[i] = (to[1][i] - to[0][i]) / 2;
        float least = fminf(from[0][i], to[0][i]);
        float largest = fmaxf(from[1][i], to[1][i]);
        most = fmaxf(most, fmaxf(fabsf(least), fabsf(largest)));
        s->hull.low[i] = least;
        s->hull.high[i] = largest;
        s->length += largest - least;
    }
    s->round = most * BSPI_OCCLUDER_ROUND;
    s->slack = NEAR + s->round;
    for (int i = 0; i < 3; i++) {
        s->hull.low[i] -= s->slack;
        s->hull.high[i] += s->slack;
    }
    s->hull.num_planes = 0;
    add_planes(s, 0, 1);
    add_planes(s, 1, 2);
    add_planes(s, 2, 0);
}

bool bspi_occluder_is_outside(const bspi_occluder_hull *hull, const bspi_occluder_box *box) {
    const float *const ends[2] = {box->low, box->high};
    for (int i = 0; i < 3; i++) {
        if (box->low[i] > hull->high[i] || box->high[i] < hull->low[i]) {
            return true;
        }
    }
    for (uint32_t n = 0; n < hull->num_planes; n++) {
        const bspi_occluder_plane *p = &hull->planes[n];
        if (p->by[0] * ends[p->ends[0]][p->axes[0]] + p->by[1] * ends[p->ends[1]][p->axes[1]] >
            p->most) {
            return true;
        }
    }
    return false;
}

// --- faces beside it ----------------------------------------------------------------------------

// The least and the most that the points of a box are before the plane of a face.
static void range_of(const bspi_occluder *face, const bspi_occluder_ends *box, float *least,
                     float *most) {
    float middle = bspi_dot(face->normal, box->middle) - face->dist;
    float half = fabsf(face->normal[0]) * box->half[0] + fabsf(face->normal[1]) * box->half[1] +
                 fabsf(face->normal[2]) * box->half[2];
    *least = middle - half;
    *most = middle + half;
}

// All lines cross the plane of the face; `beside` is how far from it the nearer ends are at least,
// on both sides together.
static bspi_occluder_relation among_edges(const struct bspi_occluders *all,
                                          const bspi_occluder_shaft *s,
                                          const bspi_occluder_near *near, float beside) {
    float length = s->length + 6 * s->slack;
    float margin = NEAR + 2 * FLAT + s->round + length * (2 * s->round + FLAT) / beside;
    bool single = s->to.half[0] < FLAT && s->to.half[1] < FLAT && s->to.half[2] < FLAT;
    return single ? all->lanes->among(all, near, &s->from, &s->to, margin)
                  : all->lanes->among(all, near, &s->to, &s->from, margin);
}

bspi_occluder_relation bspi_occluder_relate(const struct bspi_occluders *all,
                                            const bspi_occluder_shaft *s,
                                            const bspi_occluder_near *near) {
    const bspi_occluder *face = &all->list[near->face];
    float least[2];
    float most[2];
    range_of(face, &s->from, &least[0], &most[0]);
    range_of(face, &s->to, &least[1], &most[1]);
    if ((least[0] > s->slack && least[1] > s->slack) ||
        (most[0] < -s->slack && most[1] < -s->slack)) {
        return BSPI_OCCLUDER_BESIDE;
    }
    bool through = least[0] > s->slack && most[1] < -s->slack;
    bool back = most[0] < -s->slack && least[1] > s->slack;
    bspi_occluder_relation found =
        through || back
            ? among_edges(all, s, near, through ? least[0] - most[1] : least[1] - most[0])
            : BSPI_OCCLUDER_PARTLY;
    bool solid = face->kind == BSPI_OCCLUDER_SOLID || face->kind == BSPI_OCCLUDER_SKY;
    return found == BSPI_OCCLUDER_ACROSS && !solid ? BSPI_OCCLUDER_PARTLY : found;
}

// --- faces that stopped lines -------------------------------------------------------------------

void bspi_occluder_remember(bspi_occluder_recent *recent, bspi_occluder_near near) {
    uint32_t n = 0;
    while (n < recent->count && recent->list[n].face != near.face) {
        n++;
    }
    recent->count += n == recent->count && n < BSPI_OCCLUDER_RECENT;
    n = n < BSPI_OCCLUDER_RECENT ? n : BSPI_OCCLUDER_RECENT - 1;
    memmove(recent->list + 1, recent->list, n * sizeof *recent->list);
    recent->list[0] = near;
}
