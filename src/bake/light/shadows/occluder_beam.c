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
#define SOME 8u      // eights of lines that are tested without a hull of their own
#define FEW 2u       // eights of lines that are tested with all faces in the boxes of their hull
#define NEAR 0.01f   // units: what is nearer to a plane is on neither side of it
#define ROUND 1e-6f  // share of a coordinate that sums of products may be wrong by
#define FLAT BSPI_OCCLUDER_FLAT

// The hull of two boxes, and a little more.
typedef struct shaft {
    bspi_occluder_ends from;
    bspi_occluder_ends to;
    bspi_occluder_hull hull;
    float length; // of its sides together
    float slack;  // see NEAR and ROUND
    float round;  // units that a coordinate may be wrong by
} shaft;

typedef struct beam {
    bspi_occluder_lines *lines;
    const struct bspi_occluders *all;
    bspi_occluder_bundle *bundle;
    bspi_occluder_eight *eights;
} beam;

// --- the hull -----------------------------------------------------------------------------------

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
        bspi_occluder_plane *plane = &s->hull.planes[s->hull.num_planes++];
        *plane = (bspi_occluder_plane){.axes = {(uint32_t)u, (uint32_t)v},
                                       .ends = {su < 0, sv < 0},
                                       .by = {su * fabsf(dv), sv * fabsf(du)}};
        plane->most = plane->by[0] * a[0] + plane->by[1] * a[1];
        plane->most += (fabsf(dv) + fabsf(du)) * s->slack;
    }
}

static void set_shaft(const float from[2][3], const float to[2][3], shaft *s) {
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
    s->round = most * ROUND;
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

static void find_shaft(const beam *b, uint32_t first, uint32_t count, shaft *s) {
    float from[2][3];
    float to[2][3];
    b->all->lanes->enclose(b->bundle, first, count, from, to);
    set_shaft((const float(*)[3])from, (const float(*)[3])to, s);
}

static bool is_outside(const bspi_occluder_hull *hull, const bspi_occluder_box *box) {
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
static bspi_occluder_relation among_edges(const beam *b, const shaft *s,
                                          const bspi_occluder_near *near, float beside) {
    float length = s->length + 6 * s->slack;
    float margin = NEAR + 2 * FLAT + s->round + length * (2 * s->round + FLAT) / beside;
    bool single = s->to.half[0] < FLAT && s->to.half[1] < FLAT && s->to.half[2] < FLAT;
    return single ? b->all->lanes->among(b->all, near, &s->from, &s->to, margin)
                  : b->all->lanes->among(b->all, near, &s->to, &s->from, margin);
}

static bspi_occluder_relation relate(const beam *b, const shaft *s,
                                     const bspi_occluder_near *near) {
    const bspi_occluder *face = &b->all->list[near->face];
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
        through || back ? among_edges(b, s, near, through ? least[0] - most[1] : least[1] - most[0])
                        : BSPI_OCCLUDER_PARTLY;
    bool solid = face->kind == BSPI_OCCLUDER_SOLID || face->kind == BSPI_OCCLUDER_SKY;
    return found == BSPI_OCCLUDER_ACROSS && !solid ? BSPI_OCCLUDER_PARTLY : found;
}

// Puts a face that stopped all before the others that did so.
static void note(const beam *b, bspi_occluder_near near) {
    bspi_occluder_bundle *in = b->bundle;
    uint32_t n = 0;
    while (n < in->num_recent && in->recent[n].face != near.face) {
        n++;
    }
    in->num_recent += n == in->num_recent && n < BSPI_OCCLUDER_RECENT;
    n = n < BSPI_OCCLUDER_RECENT ? n : BSPI_OCCLUDER_RECENT - 1;
    memmove(in->recent + 1, in->recent, n * sizeof *in->recent);
    in->recent[0] = near;
}

// Finds the faces that may stop lines of a hull. False if one stops all; more than MOST count as
// MOST + 1.
static bool find_faces(const beam *b, const shaft *s, bspi_occluder_near *list, uint32_t *count) {
    uint32_t boxes[MOST];
    uint32_t num_boxes = b->all->lanes->inside(b->all, &s->hull, boxes, MOST, &b->lines->steps);
    *count = num_boxes > MOST ? MOST + 1 : 0;
    for (uint32_t n = 0; n < num_boxes && *count <= MOST; n++) {
        const bspi_occluder_box *box = &b->all->boxes[boxes[n]];
        b->lines->steps += box->count;
        for (uint32_t i = 0; i < box->count && *count <= MOST; i++) {
            const bspi_occluder_near near = {box->first + i, boxes[n]};
            bool shades = bspi_occluder_shades(&b->all->list[near.face], b->lines);
            bspi_occluder_relation found = shades ? relate(b, s, &near) : BSPI_OCCLUDER_BESIDE;
            if (found == BSPI_OCCLUDER_ACROSS) {
                note(b, near);
                return false;
            }
            if (found == BSPI_OCCLUDER_PARTLY && *count < MOST) {
                list[*count] = near;
            }
            *count += found == BSPI_OCCLUDER_PARTLY;
        }
    }
    return true;
}

// The same among those of a list.
static bool keep_faces(const beam *b, const shaft *s, const bspi_occluder_near *from,
                       uint32_t faces, bspi_occluder_near *list, uint32_t *count) {
    *count = 0;
    b->lines->steps += faces;
    for (uint32_t n = 0; n < faces; n++) {
        bool outside = is_outside(&s->hull, &b->all->boxes[from[n].box]);
        bspi_occluder_relation found = outside ? BSPI_OCCLUDER_BESIDE : relate(b, s, &from[n]);
        if (found == BSPI_OCCLUDER_ACROSS) {
            return false;
        }
        if (found == BSPI_OCCLUDER_PARTLY) {
            list[(*count)++] = from[n];
        }
    }
    return true;
}

// --- lines --------------------------------------------------------------------------------------

// Looks at some eights of lines that only the faces of a list may stop.
static void test(const beam *b, const bspi_occluder_near *list, uint32_t faces, uint32_t first,
                 uint32_t count) {
    for (uint32_t n = first; n < first + count; n++) {
        bspi_occluder_eight *eight = &b->eights[n];
        if (faces > MANY) {
            b->all->lanes->walk(b->lines, eight);
        } else if (faces != 0) {
            b->all->lanes->test(b->all, list, faces, eight);
        }
        b->lines->steps += faces;
    }
}

static void stop(const beam *b, uint32_t first, uint32_t count) {
    for (uint32_t n = first; n < first + count; n++) {
        b->eights[n].open = 0;
    }
}

// The same, after the hulls of parts of the lines are looked at.
static void look(const beam *b, const bspi_occluder_near *list, uint32_t faces, uint32_t first,
                 uint32_t count) {
    bspi_occluder_near left[MOST];
    uint32_t num_left;
    shaft s;
    if (faces <= FEW_FACES || count <= SOME) {
        test(b, list, faces, first, count);
        return;
    }
    find_shaft(b, first, count, &s);
    if (!keep_faces(b, &s, list, faces, left, &num_left)) {
        stop(b, first, count);
        return;
    }
    look(b, left, num_left, first, count / 2);
    look(b, left, num_left, first + count / 2, count - count / 2);
}

// Looks at some eights of lines one by one, at the boxes that their hull goes into.
static void look_few(const beam *b, uint32_t count) {
    bspi_occluder_near recent[BSPI_OCCLUDER_RECENT] = {{0}};
    uint32_t boxes[MOST];
    uint32_t num_boxes = 0;
    uint32_t num_recent = 0;
    bool known = false;
    for (uint32_t i = 0; i < b->bundle->num_recent; i++) {
        bspi_occluder_near near = b->bundle->recent[i];
        if (bspi_occluder_shades(&b->all->list[near.face], b->lines)) {
            recent[num_recent++] = near;
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        bspi_occluder_eight *eight = &b->eights[n];
        uint32_t by = b->all->lanes->test(b->all, recent, num_recent, eight);
        if (by < num_recent) {
            note(b, recent[by]);
            continue;
        }
        if (!known) {
            shaft s;
            find_shaft(b, n, count - n, &s);
            num_boxes = b->all->lanes->inside(b->all, &s.hull, boxes, MOST, &b->lines->steps);
            known = true;
        }
        b->lines->last = BSP_NONE;
        if (num_boxes > MOST) {
            b->all->lanes->walk(b->lines, eight);
        } else {
            b->all->lanes->test_boxes(b->lines, boxes, num_boxes, eight);
        }
        if (eight->open == 0 && b->lines->last != BSP_NONE) {
            note(b, (bspi_occluder_near){b->lines->last, b->lines->last_box});
        }
    }
}

static void look_all(const beam *b, uint32_t count) {
    bspi_occluder_near list[MOST];
    uint32_t faces = MOST + 1;
    shaft s;
    bool some = true;
    if (count <= FEW) {
        look_few(b, count);
        return;
    }
    find_shaft(b, 0, count, &s);
    for (uint32_t i = 0; i < b->bundle->num_recent && some; i++) {
        bspi_occluder_near near = b->bundle->recent[i];
        some = !bspi_occluder_shades(&b->all->list[near.face], b->lines) ||
               relate(b, &s, &near) != BSPI_OCCLUDER_ACROSS;
        if (!some) {
            note(b, near);
        }
    }
    some = some && find_faces(b, &s, list, &faces);
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
    const beam b = {.lines = lines, .all = lines->all, .bundle = bundle, .eights = bundle->eights};
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
    eight->num_through = 0;
}

static void look_group(bspi_occluder_lines *lines, const bsp_sight_line *list, bool *seen,
                       float (*through)[3], uint32_t count) {
    bspi_occluder_bundle b;
    b.num_recent = 0;
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
            seen[n] = bspi_occluders_through(lines, &b, n / BSPI_OCCLUDER_LANES,
                                             n % BSPI_OCCLUDER_LANES, left);
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
