// SPDX-License-Identifier: MIT
// Many lines that begin or end at about one place, among faces that cast shadows. Their hull is
// looked at before they are: faces beside it stop none, one across all of it stops all, and what
// is left is tested against groups of lines. The answers are those of bspi_occluders_line. After
// shaft culling (Haines and Wallace 1991).
#include "bake/light/shadows/occluder_lanes.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define MOST 128u    // faces beside a group; with more its lines go through the boxes
#define MANY 32u     // faces beside eight lines with which these go through the boxes
#define FEW_FACES 3u // for which lines are not divided
#define FEW 2u       // eights of lines that go through the boxes at once
#define NEAR 0.01f   // units: what is nearer to a plane is on neither side of it
#define ROUND 1e-6f  // share of a coordinate that sums of products may be wrong by
#define FLAT 1e-3f   // units: a box that is smaller is a point
#define MOST_PLANES 12

// A box around ends of lines.
typedef struct ends {
    float middle[3];
    float half[3];
} ends;

// The hull of two boxes.
typedef struct shaft {
    ends from;
    ends to;
    ends around;
    float slack; // see NEAR and ROUND
    float round; // units that a coordinate may be wrong by
    uint32_t num_planes;
    float planes[MOST_PLANES][4]; // a point is outside where the first three by it exceed the last
} shaft;

typedef struct near_face {
    uint32_t face;
    uint32_t box;
} near_face;

typedef struct beam {
    bspi_occluder_lines *lines;
    const struct bspi_occluders *all;
    const float (*to)[3][BSPI_OCCLUDER_LANES];
    bspi_occluder_eight *eights;
} beam;

// --- the hull -----------------------------------------------------------------------------------

static void enclose(const float *points, float *low, float *high) {
    for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
        *low = points[n] < *low ? points[n] : *low;
        *high = points[n] > *high ? points[n] : *high;
    }
}

// Adds the planes along edges of the hull between the boxes, seen along the third axis.
static void add_planes(shaft *s, int u, int v) {
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
        float *plane = s->planes[s->num_planes++];
        memset(plane, 0, 4 * sizeof *plane);
        plane[u] = su * fabsf(dv);
        plane[v] = sv * fabsf(du);
        plane[3] = plane[u] * a[0] + plane[v] * a[1];
        plane[3] += (fabsf(plane[u]) + fabsf(plane[v])) * s->slack;
    }
}

static void find_shaft(const beam *b, uint32_t first, uint32_t count, shaft *s) {
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float low[2] = {b->eights[first].from[i][0], b->to[first][i][0]};
        float high[2] = {low[0], low[1]};
        for (uint32_t n = first; n < first + count; n++) {
            enclose(b->eights[n].from[i], &low[0], &high[0]);
            enclose(b->to[n][i], &low[1], &high[1]);
        }
        s->from.middle[i] = (low[0] + high[0]) / 2;
        s->from.half[i] = (high[0] - low[0]) / 2;
        s->to.middle[i] = (low[1] + high[1]) / 2;
        s->to.half[i] = (high[1] - low[1]) / 2;
        float least = fminf(low[0], low[1]);
        float largest = fmaxf(high[0], high[1]);
        most = fmaxf(most, fmaxf(fabsf(least), fabsf(largest)));
        s->around.middle[i] = (least + largest) / 2;
        s->around.half[i] = (largest - least) / 2;
    }
    s->round = most * ROUND;
    s->slack = NEAR + s->round;
    s->num_planes = 0;
    add_planes(s, 0, 1);
    add_planes(s, 1, 2);
    add_planes(s, 2, 0);
}

static bool is_outside(const shaft *s, const bspi_occluder_box *box) {
    float middle[3];
    float half[3];
    for (int i = 0; i < 3; i++) {
        middle[i] = (box->low[i] + box->high[i]) / 2;
        half[i] = (box->high[i] - box->low[i]) / 2;
        if (fabsf(middle[i] - s->around.middle[i]) > half[i] + s->around.half[i] + s->slack) {
            return true;
        }
    }
    for (uint32_t n = 0; n < s->num_planes; n++) {
        const float *plane = s->planes[n];
        float least = bspi_dot(plane, middle) - fabsf(plane[0]) * half[0] -
                      fabsf(plane[1]) * half[1] - fabsf(plane[2]) * half[2];
        if (least > plane[3]) {
            return true;
        }
    }
    return false;
}

// --- faces beside it ----------------------------------------------------------------------------

typedef enum relation { MISSES, STOPS_ALL, MAY_STOP } relation;

// The least and the most that the points of a box are before the plane of a face.
static void range_of(const bspi_occluder *face, const ends *box, float *least, float *most) {
    float middle = bspi_dot(face->normal, box->middle) - face->dist;
    float half = fabsf(face->normal[0]) * box->half[0] + fabsf(face->normal[1]) * box->half[1] +
                 fabsf(face->normal[2]) * box->half[2];
    *least = middle - half;
    *most = middle + half;
}

// Sets where the line from a corner of a box to a point meets the plane of a face.
static void cross_at(const bspi_occluder *face, const ends *box, int corner, const float point[3],
                     float at[2]) {
    float from[3];
    for (int i = 0; i < 3; i++) {
        from[i] = box->middle[i] + ((corner >> i & 1) != 0 ? box->half[i] : -box->half[i]);
    }
    float before = bspi_dot(face->normal, from) - face->dist;
    float past = bspi_dot(face->normal, point) - face->dist;
    float part = before / (before - past);
    for (int i = 0; i < 2; i++) {
        int axis = face->axes[i];
        at[i] = from[axis] + (point[axis] - from[axis]) * part;
    }
}

static bool is_point(const ends *box) {
    return box->half[0] < FLAT && box->half[1] < FLAT && box->half[2] < FLAT;
}

// All lines cross the plane of the face; `beside` is how far from it the nearer ends are at least,
// on both sides together. Where they do is in the hull of where those from the corners do.
static relation among_edges(const beam *b, const shaft *s, const near_face *near, float beside) {
    const bspi_occluder *face = &b->all->list[near->face];
    const bspi_occluder_box *box = &b->all->boxes[near->box];
    const float(*edges)[3] = (const float(*)[3])b->all->edges + face->first;
    bool single = is_point(&s->to);
    const ends *wide = single ? &s->from : &s->to;
    const float *point = single ? s->to.middle : s->from.middle;
    float length = s->around.half[0] + s->around.half[1] + s->around.half[2];
    float margin = NEAR + 2 * FLAT + s->round + 2 * length * (2 * s->round + FLAT) / beside;
    float at[8][2];
    int corners = 0;
    bool inside = true;
    if (!single && !is_point(&s->from)) {
        return MAY_STOP;
    }
    for (int corner = 0; corner < 8; corner++) {
        bool same = false; // as the one before it along an axis in which the box is flat
        for (int i = 0; i < 3; i++) {
            same |= (corner >> i & 1) != 0 && !(wide->half[i] > 0);
        }
        if (!same) {
            cross_at(face, wide, corner, point, at[corners++]);
        }
    }
    for (int n = 0; n < corners; n++) {
        for (int i = 0; i < 2; i++) {
            int axis = face->axes[i];
            inside = inside && at[n][i] >= box->low[axis] && at[n][i] <= box->high[axis];
        }
    }
    for (uint32_t e = 0; e < face->edges; e++) {
        int past = 0;
        for (int n = 0; n < corners; n++) {
            float in = edges[e][0] * at[n][0] + edges[e][1] * at[n][1] + edges[e][2];
            past += in < -margin;
            inside = inside && in > margin;
        }
        if (past == corners) {
            return MISSES;
        }
    }
    return inside ? STOPS_ALL : MAY_STOP;
}

static relation relate(const beam *b, const shaft *s, const near_face *near) {
    const bspi_occluder *face = &b->all->list[near->face];
    float least[2];
    float most[2];
    range_of(face, &s->from, &least[0], &most[0]);
    range_of(face, &s->to, &least[1], &most[1]);
    if ((least[0] > s->slack && least[1] > s->slack) ||
        (most[0] < -s->slack && most[1] < -s->slack)) {
        return MISSES;
    }
    bool through = least[0] > s->slack && most[1] < -s->slack;
    bool back = most[0] < -s->slack && least[1] > s->slack;
    relation found =
        through || back ? among_edges(b, s, near, through ? least[0] - most[1] : least[1] - most[0])
                        : MAY_STOP;
    bool solid = face->kind == BSPI_OCCLUDER_SOLID || face->kind == BSPI_OCCLUDER_SKY;
    return found == STOPS_ALL && !solid ? MAY_STOP : found;
}

// Finds the faces that may stop lines of a hull. False if one stops all; more than MOST count as
// MOST + 1.
static bool find_faces(beam *b, const shaft *s, near_face *list, uint32_t *count) {
    uint32_t pending[BSPI_OCCLUDER_DEPTH + 2];
    uint32_t waiting = 0;
    *count = 0;
    if (b->all->count != 0 && !is_outside(s, &b->all->boxes[0])) {
        pending[waiting++] = 0;
    }
    while (waiting != 0) {
        uint32_t number = pending[--waiting];
        const bspi_occluder_box *box = &b->all->boxes[number];
        b->lines->steps += 1 + box->count;
        for (uint32_t i = 0; i < box->count; i++) {
            const near_face near = {box->first + i, number};
            bool shades = bspi_occluder_shades(&b->all->list[near.face], b->lines);
            relation found = shades ? relate(b, s, &near) : MISSES;
            if (found == STOPS_ALL) {
                return false;
            }
            if (found == MAY_STOP && *count < MOST) {
                list[(*count)++] = near;
            } else if (found == MAY_STOP) {
                *count = MOST + 1;
                return true;
            }
        }
        for (uint32_t i = 0; box->count == 0 && i < 2; i++) {
            if (!is_outside(s, &b->all->boxes[box->first + i])) {
                pending[waiting++] = box->first + i;
            }
        }
    }
    return true;
}

// --- lines --------------------------------------------------------------------------------------

// Looks at some eights of lines that only the faces of a list may stop.
static void test(beam *b, const near_face *list, uint32_t faces, uint32_t first, uint32_t count) {
    for (uint32_t n = first; n < first + count; n++) {
        bspi_occluder_eight *eight = &b->eights[n];
        if (faces > MANY) {
            b->all->lanes->walk(b->lines, eight);
            continue;
        }
        for (uint32_t f = 0; f < faces && eight->open != 0; f++) {
            b->all->lanes->test(b->all, list[f].face, list[f].box, eight);
        }
        b->lines->steps += faces;
    }
}

static void stop(beam *b, uint32_t first, uint32_t count) {
    for (uint32_t n = first; n < first + count; n++) {
        b->eights[n].open = 0;
    }
}

// The same, after the hulls of parts of the lines are looked at.
static void look(beam *b, const near_face *list, uint32_t faces, uint32_t first, uint32_t count) {
    near_face left[MOST];
    uint32_t num_left = 0;
    shaft s;
    if (faces <= FEW_FACES || count <= 8) {
        test(b, list, faces, first, count);
        return;
    }
    find_shaft(b, first, count, &s);
    b->lines->steps += faces;
    for (uint32_t n = 0; n < faces; n++) {
        bool outside = is_outside(&s, &b->all->boxes[list[n].box]);
        relation found = outside ? MISSES : relate(b, &s, &list[n]);
        if (found == STOPS_ALL) {
            stop(b, first, count);
            return;
        }
        if (found == MAY_STOP) {
            left[num_left++] = list[n];
        }
    }
    look(b, left, num_left, first, count / 2);
    look(b, left, num_left, first + count / 2, count - count / 2);
}

static void look_all(beam *b, uint32_t count) {
    near_face list[MOST];
    uint32_t faces = MOST + 1;
    shaft s;
    bool some = true;
    if (count > FEW) {
        find_shaft(b, 0, count, &s);
        some = find_faces(b, &s, list, &faces);
    }
    if (!some) {
        stop(b, 0, count);
    } else if (faces > MOST || faces <= FEW_FACES) {
        test(b, list, faces, 0, count);
    } else {
        look(b, list, faces, 0, count / 2);
        look(b, list, faces, count / 2, count - count / 2);
    }
}

void bspi_occluders_bundle(bspi_occluder_lines *lines, bspi_occluder_bundle *bundle) {
    beam b = {.lines = lines,
              .all = lines->all,
              .to = (const float(*)[3][BSPI_OCCLUDER_LANES])bundle->to,
              .eights = bundle->eights};
    look_all(&b, bundle->count);
    lines->steps += bundle->count * BSPI_OCCLUDER_LANES;
}

// Sets eight lines; those beyond the end are the last one, and stopped.
static void fill(bspi_occluder_bundle *b, uint32_t number, const bsp_sight_line *list,
                 uint32_t count) {
    bspi_occluder_eight *eight = &b->eights[number];
    for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
        const bsp_sight_line *line = &list[n < count ? n : count - 1];
        float way[3];
        float inverse[3];
        for (int i = 0; i < 3; i++) {
            way[i] = line->to[i] - line->from[i];
        }
        bspi_occluder_inverse(way, inverse);
        for (int i = 0; i < 3; i++) {
            eight->from[i][n] = line->from[i];
            eight->way[i][n] = way[i];
            eight->inverse[i][n] = inverse[i];
            b->to[number][i][n] = line->to[i];
        }
    }
    eight->open = count < BSPI_OCCLUDER_LANES ? (1u << count) - 1 : 0xFF;
    eight->one = 0;
}

static void look_group(bspi_occluder_lines *lines, const bsp_sight_line *list, bool *seen,
                       float (*through)[3], uint32_t count) {
    bspi_occluder_bundle b;
    b.count = (count + BSPI_OCCLUDER_LANES - 1) / BSPI_OCCLUDER_LANES;
    for (uint32_t n = 0; n < b.count; n++) {
        fill(&b, n, list + n * BSPI_OCCLUDER_LANES, count - n * BSPI_OCCLUDER_LANES);
    }
    bspi_occluders_bundle(lines, &b);
    for (uint32_t n = 0; n < count; n++) {
        const bspi_occluder_eight *eight = &b.eights[n / BSPI_OCCLUDER_LANES];
        uint32_t bit = 1u << n % BSPI_OCCLUDER_LANES;
        float none[3];
        float *left = through != NULL ? through[n] : none;
        left[0] = left[1] = left[2] = 1;
        seen[n] = (eight->open & bit) != 0;
        if ((eight->open & eight->one & bit) != 0) {
            seen[n] = bspi_occluders_line(lines, list[n].from, list[n].to, left);
        }
    }
}

void bspi_occluders_beam(bspi_occluder_lines *lines, const bsp_sight_line *list, bool *seen,
                         float (*through)[3], uint32_t count) {
    const uint32_t most = BSPI_OCCLUDER_GROUP * BSPI_OCCLUDER_LANES;
    for (uint32_t first = 0; first < count; first += most) {
        uint32_t some = count - first < most ? count - first : most;
        look_group(lines, list + first, seen + first, through != NULL ? through + first : NULL,
                   some);
    }
}
