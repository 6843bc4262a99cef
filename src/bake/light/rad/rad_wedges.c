// SPDX-License-Identifier: MIT
// The wedges around a patch, and the hull of its weight. Source: lerp.cpp of SDHLT (PurgePatches,
// FindSquares, PlaceHullPoints).
#include "bake/light/rad/rad_wedges.h"

#include "core/curves.h"

#include <math.h>
#include <string.h>

#define ON 0.04f                          // units
#define WIDE (115 * (float)BSPI_PI / 180) // radians: a wider angle makes no triangle
#define SURE 3.1f                         // radians: less than a half turn
#define ALIKE ((float)BSPI_PI / 180)      // so near are two directions one

// --- the plane ----------------------------------------------------------------------------------

// Returns the angle from `right` counterclockwise to `left`, 0 up to a whole turn.
static float angle_between(bspi_flat_spot left, bspi_flat_spot right) {
    float angle = bspi_angle_of(right.x * left.y - right.y * left.x, bspi_flat_dot(right, left));
    return angle < 0 ? angle + 2 * (float)BSPI_PI : angle;
}

// --- which patches ------------------------------------------------------------------------------

void bspi_wedges_add(bspi_wedges *wedges, uint32_t patch, bspi_flat_spot spot) {
    float length;
    bspi_flat_spot way = bspi_flat_unit(spot, &length);
    if (length > 2 * ON && isfinite(length) && wedges->count < BSPI_MOST_WEDGES) {
        wedges->list[wedges->count++] = (bspi_wedge){.patch = patch, .spot = spot, .way = way};
    }
}

// Sorts the patches clockwise, from the first one on.
static void turn_around(bspi_wedges *w) {
    float angles[BSPI_MOST_WEDGES];
    for (uint32_t i = 0; i < w->count; i++) {
        bspi_wedge one = w->list[i];
        float angle = i == 0 ? 0 : angle_between(w->list[0].way, one.way);
        uint32_t at = i;
        for (; at > 0 && angles[at - 1] > angle; at--) {
            angles[at] = angles[at - 1];
            w->list[at] = w->list[at - 1];
        }
        angles[at] = angle;
        w->list[at] = one;
    }
}

static float length_of(const bspi_wedge *wedge) {
    return bspi_flat_dot(wedge->spot, wedge->way);
}

// Sorts the numbers of the patches by how near they are.
static void by_length(const bspi_wedges *w, uint32_t *order) {
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t at = i;
        for (; at > 0 && length_of(&w->list[order[at - 1]]) > length_of(&w->list[i]); at--) {
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

typedef struct ring {
    uint32_t next[2][BSPI_MOST_WEDGES]; // clockwise, and the other way
    uint8_t state[BSPI_MOST_WEDGES];    // 0: left out, 1: not decided, 2: stays
} ring;

// Leaves out what is beside a patch that stays, in the same direction or farther out.
static void leave_out(const bspi_wedges *w, ring *r, uint32_t at, int side) {
    const bspi_wedge *here = &w->list[at];
    bspi_flat_spot aside = side == 0 ? bspi_flat_right(here->way) : bspi_flat_left(here->way);
    float cosine = bspi_cosine(WIDE);
    float sine = bspi_sine(WIDE);
    const bspi_flat_spot limit = {aside.x * cosine + here->way.x * sine,
                                  aside.y * cosine + here->way.y * sine};
    uint32_t next = r->next[side][at];
    while (next != at && r->state[next] != 2) {
        const bspi_wedge *other = &w->list[next];
        float angle =
            side == 0 ? angle_between(here->way, other->way) : angle_between(other->way, here->way);
        bool alike = angle <= ALIKE || angle >= 2 * (float)BSPI_PI - ALIKE;
        bool farther =
            angle <= (float)BSPI_PI + BSPI_FLAT_EPSILON &&
            bspi_flat_dot(other->spot, limit) >= bspi_flat_dot(here->spot, limit) - ON / 2;
        if (!alike && !farther) {
            break;
        }
        r->state[next] = 0;
        next = r->next[side][next];
        r->next[side][at] = next;
        r->next[1 - side][next] = at;
    }
}

static void purge(bspi_wedges *w) {
    uint32_t order[BSPI_MOST_WEDGES];
    ring r;
    uint32_t kept = 0;
    by_length(w, order);
    for (uint32_t i = 0; i < w->count; i++) {
        r.next[0][i] = (i + 1) % w->count;
        r.next[1][i] = (i + w->count - 1) % w->count;
        r.state[i] = 1;
    }
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t at = order[i];
        if (r.state[at] != 0) {
            r.state[at] = 2;
            leave_out(w, &r, at, 0);
            leave_out(w, &r, at, 1);
        }
    }
    for (uint32_t i = 0; i < w->count; i++) {
        if (r.state[i] == 2) {
            w->list[kept++] = w->list[i];
        }
    }
    w->count = kept;
}

// --- shapes -------------------------------------------------------------------------------------

static bspi_wedge *wedge_at(bspi_wedges *w, uint32_t number) {
    return &w->list[number % w->count];
}

static float width_of(bspi_wedges *w, uint32_t number) {
    return w->count == 1 ? 2 * (float)BSPI_PI
                         : angle_between(w->list[number].way, wedge_at(w, number + 1)->way);
}

static void shape(bspi_wedges *w, uint32_t number) {
    bspi_wedge *here = &w->list[number];
    const bspi_wedge *next = wedge_at(w, number + 1);
    float angle = width_of(w, number);
    float length;
    if (angle > (float)BSPI_PI + BSPI_FLAT_EPSILON) {
        bspi_flat_spot sum = {next->way.x + here->way.x, next->way.y + here->way.y};
        bspi_flat_spot up = bspi_flat_left(sum);
        bspi_flat_spot gap = bspi_flat_from(here->way, next->way);
        here->shape = BSPI_WEDGE_CONCAVE;
        here->across = bspi_flat_unit((bspi_flat_spot){up.x + gap.x, up.y + gap.y}, &length);
    } else if (angle >= WIDE) {
        here->shape = BSPI_WEDGE_CONVEX;
        here->across = bspi_flat_unit(bspi_flat_from(here->spot, next->spot), &length);
    } else {
        here->shape = BSPI_WEDGE_TRIANGLE;
    }
}

// Makes a square of two triangles, if it is convex.
static void try_square(bspi_wedges *w, uint32_t number) {
    bspi_wedge *a = wedge_at(w, number);
    bspi_wedge *b = wedge_at(w, number + 1);
    const bspi_wedge *c = wedge_at(w, number + 2);
    float length;
    if (a->shape != BSPI_WEDGE_TRIANGLE || b->shape != BSPI_WEDGE_TRIANGLE ||
        angle_between(a->way, c->way) >= WIDE) {
        return;
    }
    bspi_flat_spot to_a = bspi_flat_unit(bspi_flat_from(b->spot, a->spot), &length);
    if (!(length > 0)) {
        return;
    }
    bspi_flat_spot to_c = bspi_flat_unit(bspi_flat_from(b->spot, c->spot), &length);
    if (!(length > 0) || angle_between(to_c, to_a) >= WIDE) {
        return;
    }
    a->shape = BSPI_WEDGE_LEFT;
    a->across = (bspi_flat_spot){-to_a.x, -to_a.y};
    b->shape = BSPI_WEDGE_RIGHT;
    b->across = to_c;
}

static void find_squares(bspi_wedges *w) {
    uint32_t order[BSPI_MOST_WEDGES];
    by_length(w, order);
    for (uint32_t i = 0; i < w->count && w->count > 2; i++) {
        try_square(w, order[i]);
        try_square(w, order[i] + w->count - 2);
    }
}

// --- the hull -----------------------------------------------------------------------------------

typedef struct arc {
    bspi_flat_spot spots[BSPI_PIECE_CORNERS + 2];
    float angles[BSPI_PIECE_CORNERS + 2]; // clockwise from the first one
    uint32_t count;
} arc;

static void insert(arc *a, bspi_flat_spot spot, float angle) {
    uint32_t at = a->count++;
    for (; at > 1 && a->angles[at - 1] > angle; at--) {
        a->spots[at] = a->spots[at - 1];
        a->angles[at] = a->angles[at - 1];
    }
    a->spots[at] = spot;
    a->angles[at] = angle;
}

// Is a spot of an arc not farther out than the line between two others?
static bool is_inside(const arc *a, uint32_t before, uint32_t at, uint32_t after) {
    if (a->angles[after] - a->angles[before] > (float)BSPI_PI + BSPI_FLAT_EPSILON) {
        return false;
    }
    float length;
    bspi_flat_spot way = bspi_flat_unit(a->spots[at], &length);
    float part = bspi_flat_part(a->spots[before], a->spots[after], way);
    bspi_flat_spot line = bspi_flat_between(a->spots[before], a->spots[after], part);
    return length <= bspi_flat_dot(line, way) + BSPI_FLAT_EPSILON;
}

// Takes the spots of an arc that are farthest out, but for its last one.
static void take_hull(bspi_wedges *w, const arc *a) {
    uint32_t kept[BSPI_PIECE_CORNERS + 2];
    uint32_t count = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        while (count > 1 && is_inside(a, kept[count - 2], kept[count - 1], i)) {
            count--;
        }
        kept[count++] = i;
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        if (w->num_hull < sizeof w->hull / sizeof *w->hull) {
            w->hull[w->num_hull++] = a->spots[kept[i]];
        }
    }
}

// Is it known that a spot is not between two directions, the second of which is `angle` clockwise?
static bool is_aside(bspi_flat_spot first, float angle, bspi_flat_spot spot) {
    return angle < SURE && spot.x * first.y - spot.y * first.x < 0; // more than a half turn
}

static void hull_of(bspi_wedges *w, const bspi_flat_spot *corners, uint32_t num_corners) {
    w->num_hull = 0;
    for (uint32_t n = 0; n < w->count || (n == 0 && w->count == 0); n++) {
        bspi_flat_spot first = w->count != 0 ? w->list[n].spot : corners[0];
        bspi_flat_spot last = w->count != 0 ? wedge_at(w, n + 1)->spot : corners[0];
        float angle = w->count != 0 ? width_of(w, n) : 2 * (float)BSPI_PI;
        arc a = {.spots = {first}, .angles = {0}, .count = 1};
        for (uint32_t i = 0; i < num_corners; i++) {
            if (w->count != 0 && is_aside(first, angle, corners[i])) {
                continue;
            }
            float at = angle_between(first, corners[i]);
            if (at >= BSPI_FLAT_EPSILON && at <= angle - BSPI_FLAT_EPSILON) {
                insert(&a, corners[i], at);
            }
        }
        if (w->count == 0) { // all of its corners
            for (uint32_t i = 0; i < a.count; i++) {
                w->hull[w->num_hull++] = a.spots[i];
            }
            return;
        }
        a.spots[a.count] = last;
        a.angles[a.count++] = angle;
        take_hull(w, &a);
    }
}

// --- all ----------------------------------------------------------------------------------------

static size_t hull_size(const bspi_rad_around *around) {
    return ((size_t)around->num_hull + around->num_wedges + 1) * sizeof *around->hull;
}

bool bspi_wedges_make(bspi_wedges *wedges, const bspi_flat_spot *corners, uint32_t num_corners,
                      bspi_heap *heap, bspi_rad_around *out, bsp_error *error) {
    float reach = 2 * ON;
    turn_around(wedges);
    if (wedges->count != 0) {
        purge(wedges);
    }
    for (uint32_t i = 0; i < wedges->count; i++) {
        shape(wedges, i);
    }
    find_squares(wedges);
    hull_of(wedges, corners, num_corners);
    for (uint32_t i = 0; i < wedges->num_hull; i++) {
        reach = fmaxf(reach, sqrtf(bspi_flat_dot(wedges->hull[i], wedges->hull[i])));
    }
    out->reach = reach + 2 * ON;
    out->wedges = bspi_heap_alloc(heap, (wedges->count + 1) * sizeof *out->wedges, error);
    out->num_wedges = wedges->count;
    out->num_hull = wedges->num_hull;
    out->hull = bspi_heap_alloc(heap, hull_size(out), error);
    if (out->wedges == NULL || out->hull == NULL) {
        return false;
    }
    memcpy(out->wedges, wedges->list, wedges->count * sizeof *out->wedges);
    memcpy(out->hull, wedges->hull, wedges->num_hull * sizeof *out->hull);
    out->ways = out->hull + out->num_hull;
    for (uint32_t i = 0; i < out->num_wedges; i++) {
        out->ways[i] = out->wedges[i].way;
    }
    return true;
}

void bspi_wedges_free(bspi_heap *heap, bspi_rad_around *around) {
    bspi_heap_free(heap, around->wedges, (around->num_wedges + 1) * sizeof *around->wedges);
    bspi_heap_free(heap, around->hull, hull_size(around));
}
