// SPDX-License-Identifier: MIT
// Windings and separating planes by four numbers at once: included once for each kind of processor,
// with the name of the functions in BSPI_SEPARATING. Facts: sheet bake, 2.2.
#include "bake/vis/quad.h"
#include "bake/vis/separators.h"

#include <float.h>
#include <stddef.h>

#define EPSILON BSPI_SIGHT_EPSILON

// --- one plane -----------------------------------------------------------------------------------

// The points of a winding beside a plane, as bits.
typedef struct sides {
    uint64_t front; // farther in front than the epsilon
    uint64_t back;  // farther on the back side
    uint64_t kept;  // not farther on the back side
} sides;

BSPI_QUAD sides measure(const bspi_winding *winding, const bspi_split_plane *plane, double *away) {
    sides out = {0, 0, 0};
    for (uint32_t i = 0; i < winding->count; i += 4) {
        d4 sum = d4_mul(d4_all(plane->normal[0]), d4_load(winding->at[0] + i));
        sum = d4_add(sum, d4_mul(d4_all(plane->normal[1]), d4_load(winding->at[1] + i)));
        sum = d4_add(sum, d4_mul(d4_all(plane->normal[2]), d4_load(winding->at[2] + i)));
        sum = d4_sub(sum, d4_all(plane->dist));
        d4_store(away + i, sum);
        out.front |= (uint64_t)m4_bits(d4_gt(sum, d4_all(EPSILON))) << i;
        out.back |= (uint64_t)m4_bits(d4_gt(d4_all(-EPSILON), sum)) << i;
        out.kept |= (uint64_t)m4_bits(d4_ge(sum, d4_all(-EPSILON))) << i;
    }
    return out;
}

// Writes the point where an edge meets a plane. The coordinate along an axis of the plane is exact.
BSPI_QUAD void put_edge(const bspi_winding *winding, uint32_t from, uint32_t to, const double *away,
                        const bspi_split_plane *plane, bspi_winding_points *points,
                        uint32_t place) {
    double part = away[from] / (away[from] - away[to]);
    for (int i = 0; i < 3; i++) {
        double a = winding->at[i][from];
        double b = winding->at[i][to];
        bool across = plane->normal[i] == 1 || plane->normal[i] == -1;
        points->at[i][place] = across ? plane->normal[i] * plane->dist : a + part * (b - a);
    }
}

BSPI_QUAD void close_winding(bspi_winding *winding, bspi_winding_points *room, uint32_t count) {
    winding->count = count;
    for (int i = 0; i < 3; i++) {
        d4_store(room->at[i] + count, d4_all(room->at[i][0]));
        winding->at[i] = room->at[i];
    }
}

// Writes what is in front. A winding that would have too many points stays whole, which is safe.
BSPI_QUAD bool split(bspi_winding *winding, const bspi_split_plane *plane, const sides *s,
                     bspi_cutting *room) {
    bspi_winding_points *points = &room->points[winding->at[0] == room->points[0].at[0]];
    uint32_t count = 0;
    for (uint32_t i = 0; i < winding->count; i++) {
        uint32_t next = i + 1 == winding->count ? 0 : i + 1;
        bool crosses =
            (((s->front >> i & s->back >> next) | (s->back >> i & s->front >> next)) & 1) != 0;
        if (count + 2 > BSPI_POLYGON_POINTS) {
            return true;
        }
        if ((s->kept >> i & 1) != 0) {
            for (int k = 0; k < 3; k++) {
                points->at[k][count] = winding->at[k][i];
            }
            count++;
        }
        if (crosses) {
            put_edge(winding, i, next, room->away, plane, points, count++);
        }
    }
    if (count >= 3) {
        close_winding(winding, points, count);
    }
    return count >= 3;
}

// Returns the points of a winding that are farther in front of a plane than `least`, as bits.
// `side` of -1 asks for those on its back side.
BSPI_QUAD uint64_t front_of(const bspi_winding *winding, const bspi_split_plane *plane, double side,
                            double least) {
    uint64_t front = 0;
    d4 x = d4_all(plane->normal[0]);
    d4 y = d4_all(plane->normal[1]);
    d4 z = d4_all(plane->normal[2]);
    d4 dist = d4_all(plane->dist);
    for (uint32_t i = 0; i < winding->count; i += 4) {
        d4 away = d4_mul(x, d4_load(winding->at[0] + i));
        away = d4_add(away, d4_mul(y, d4_load(winding->at[1] + i)));
        away = d4_add(away, d4_mul(z, d4_load(winding->at[2] + i)));
        away = d4_mul(d4_all(side), d4_sub(away, dist));
        front |= (uint64_t)m4_bits(d4_gt(away, d4_all(least))) << i;
    }
    return front;
}

// Returns true if all of a winding is on a plane, and some of it in front all the same: a leaf that
// is thinner than the epsilon lies between. It is seen through, so the winding counts as in front.
BSPI_QUAD bool is_thin(const bspi_winding *winding, const bspi_split_plane *plane, double side) {
    return front_of(winding, plane, -side, EPSILON) == 0 &&
           front_of(winding, plane, side, BSPI_SIGHT_GRAIN) != 0;
}

// Keeps what is in front of a plane. Returns false if nothing is left.
BSPI_QUAD bool clip(bspi_winding *winding, const bspi_split_plane *plane, bspi_cutting *room) {
    sides s = measure(winding, plane, room->away);
    if (s.front == 0 || s.back == 0) {
        return s.front != 0 || (s.back == 0 && is_thin(winding, plane, 1));
    }
    return split(winding, plane, &s, room);
}

BSPI_QUAD_TARGET static bool cut_plane(const bspi_split_plane *plane, bspi_winding *winding,
                                       bspi_cutting *room) {
    return clip(winding, plane, room);
}

// --- all planes ----------------------------------------------------------------------------------

// On which sides of planes a sphere is.
typedef struct sphere_sides {
    bool hidden;    // it is on the back side of one
    bool middle;    // its middle is not in front of one
    uint64_t close; // those that it reaches, as bits
} sphere_sides;

BSPI_QUAD sphere_sides find_sides(const bspi_separators *planes, const bspi_sphere *sphere) {
    sphere_sides out = {false, false, 0};
    d4 x = d4_all(sphere->middle[0]);
    d4 y = d4_all(sphere->middle[1]);
    d4 z = d4_all(sphere->middle[2]);
    d4 behind = d4_all(-sphere->radius);
    d4 reach = d4_all(sphere->radius + EPSILON);
    for (uint32_t i = 0; i < planes->count && !out.hidden; i += 4) {
        d4 away = d4_mul(d4_load(planes->normal[0] + i), x);
        away = d4_add(away, d4_mul(d4_load(planes->normal[1] + i), y));
        away = d4_add(away, d4_mul(d4_load(planes->normal[2] + i), z));
        away = d4_sub(away, d4_load(planes->dist + i));
        unsigned close = m4_bits(d4_gt(reach, away));
        if (close != 0) {
            out.close |= (uint64_t)close << i;
            out.hidden = m4_bits(d4_gt(behind, away)) != 0;
            out.middle |= m4_bits(d4_ge(d4_all(EPSILON), away)) != 0;
        }
    }
    return out;
}

BSPI_QUAD bspi_split_plane plane_of(const bspi_separators *planes, unsigned i) {
    return (bspi_split_plane){{planes->normal[0][i], planes->normal[1][i], planes->normal[2][i]},
                              planes->dist[i]};
}

BSPI_QUAD bool cut_close(const bspi_separators *planes, uint64_t close, bspi_winding *winding,
                         bspi_cutting *room) {
    for (; close != 0; close &= close - 1) {
        bspi_split_plane plane = plane_of(planes, (unsigned)__builtin_ctzll(close));
        if (!clip(winding, &plane, room)) {
            return false;
        }
    }
    return true;
}

// A winding of which a point is in front of all planes is not hidden, and one that is not in front
// of one of them is: few must be cut.
BSPI_QUAD bool is_hidden(const bspi_separators *planes, const bspi_winding *winding,
                         const bspi_sphere *sphere, bspi_cutting *room) {
    sphere_sides m = find_sides(planes, sphere);
    if (m.hidden || !m.middle) {
        return m.hidden;
    }
    uint64_t front = UINT64_MAX;
    for (uint64_t left = m.close; left != 0; left &= left - 1) {
        bspi_split_plane plane = plane_of(planes, (unsigned)__builtin_ctzll(left));
        uint64_t some = front_of(winding, &plane, 1, EPSILON);
        if (some == 0 && !is_thin(winding, &plane, 1)) {
            return true;
        }
        front &= some;
    }
    bspi_winding rest = *winding;
    return front == 0 && !cut_close(planes, m.close, &rest, room);
}

BSPI_QUAD_TARGET static bool hide(const bspi_separators *planes, const bspi_winding *winding,
                                  const bspi_sphere *sphere, bspi_cutting *room) {
    return is_hidden(planes, winding, sphere, room);
}

BSPI_QUAD_TARGET static void prune(const bspi_pruning *p, bspi_cutting *room) {
    for (uint32_t i = 0; i < 4 * p->blocks.count; i++) {
        uint32_t w = p->blocks.first[i / 4] + i % 4;
        bspi_word left = p->might[w] & ~p->known[w];
        bspi_word hidden = 0;
        p->looked[w] = left;
        for (; left != 0; left &= left - 1) {
            unsigned bit = (unsigned)__builtin_ctzll(left);
            size_t gate = (size_t)64 * w + bit;
            bool gone = is_hidden(p->planes, &p->windings[gate], &p->spheres[gate], room);
            hidden |= (bspi_word)gone << bit;
        }
        p->might[w] &= ~hidden;
    }
}

BSPI_QUAD_TARGET static bool cut(const bspi_separators *planes, const bspi_sphere *sphere,
                                 bspi_winding *winding, bspi_cutting *room) {
    uint64_t close = planes->count == 64 ? UINT64_MAX : ((uint64_t)1 << planes->count) - 1;
    if (sphere != NULL) {
        sphere_sides m = find_sides(planes, sphere);
        if (m.hidden) {
            return false;
        }
        close = m.close;
    }
    return cut_close(planes, close, winding, room);
}

// --- separators ----------------------------------------------------------------------------------

// Vectors of four at once.
typedef struct v4 {
    d4 x, y, z;
} v4;

BSPI_QUAD d4 dot(v4 a, v4 b) {
    return d4_add(d4_add(d4_mul(a.x, b.x), d4_mul(a.y, b.y)), d4_mul(a.z, b.z));
}
BSPI_QUAD v4 minus(v4 a, v4 b) {
    return (v4){d4_sub(a.x, b.x), d4_sub(a.y, b.y), d4_sub(a.z, b.z)};
}
BSPI_QUAD v4 cross(v4 a, v4 b) {
    return (v4){d4_sub(d4_mul(a.y, b.z), d4_mul(a.z, b.y)),
                d4_sub(d4_mul(a.z, b.x), d4_mul(a.x, b.z)),
                d4_sub(d4_mul(a.x, b.y), d4_mul(a.y, b.x))};
}
BSPI_QUAD v4 points_at(const bspi_winding *winding, uint32_t i) {
    return (v4){d4_load(winding->at[0] + i), d4_load(winding->at[1] + i),
                d4_load(winding->at[2] + i)};
}
BSPI_QUAD v4 point_of(const bspi_winding *winding, uint32_t i) {
    return (v4){d4_all(winding->at[0][i]), d4_all(winding->at[1][i]), d4_all(winding->at[2][i])};
}

// Turns a plane about each of four edges: for each point of the other winding, one that the plane
// before has on its wrong side takes its place. `sign` is that of the side where the other winding
// is to be. The normals have any length.
BSPI_QUAD v4 lean(v4 a, v4 edge, const bspi_winding *other, d4 sign) {
    v4 normal = cross(edge, minus(point_of(other, 0), a));
    for (uint32_t i = 1; i < other->count; i++) {
        v4 to = minus(point_of(other, i), a);
        m4 wrong = d4_gt(d4_all(0), d4_mul(sign, dot(normal, to)));
        v4 taken = cross(edge, to);
        normal.x = d4_pick(wrong, taken.x, normal.x);
        normal.y = d4_pick(wrong, taken.y, normal.y);
        normal.z = d4_pick(wrong, taken.z, normal.z);
    }
    return normal;
}

// Returns, as bits, which of four planes have one winding on one side and the other on the other,
// with a point that is not on the plane.
BSPI_QUAD unsigned separated(v4 normal, d4 dist, const bspi_winding *of, const bspi_winding *other,
                             d4 sign) {
    m4 good = d4_ge(d4_all(0), d4_all(0));
    m4 beyond = d4_gt(d4_all(0), d4_all(0));
    for (uint32_t i = 0; i < of->count; i++) {
        d4 away = d4_mul(sign, d4_sub(dot(normal, point_of(of, i)), dist));
        good = m4_and(good, d4_ge(d4_all(EPSILON), away));
    }
    for (uint32_t i = 0; i < other->count; i++) {
        d4 away = d4_mul(sign, d4_sub(dot(normal, point_of(other, i)), dist));
        good = m4_and(good, d4_ge(away, d4_all(-EPSILON)));
        beyond = m4_or(beyond, d4_gt(away, d4_all(EPSILON)));
    }
    return m4_bits(m4_and(good, beyond));
}

// Adds those of four planes that are set in `which`.
BSPI_QUAD void add_planes(bspi_separators *out, unsigned which, v4 normal, d4 dist) {
    uint32_t at = out->count;
    d4_store(out->normal[0] + at, normal.x);
    d4_store(out->normal[1] + at, normal.y);
    d4_store(out->normal[2] + at, normal.z);
    d4_store(out->dist + at, dist);
    for (uint32_t i = 0; which >> i != 0; i++) {
        if ((which >> i & 1) != 0) {
            for (int k = 0; k < 3; k++) {
                out->normal[k][out->count] = out->normal[k][at + i];
            }
            out->dist[out->count++] = out->dist[at + i];
        }
    }
    out->count = out->count < BSPI_MOST_SEPARATORS ? out->count : BSPI_MOST_SEPARATORS;
}

// Adds the planes through an edge of `of` and a point of `other` that separate the two.
BSPI_QUAD void add_separators(const bspi_winding *of, const bspi_winding *other, double side,
                              bspi_separators *out) {
    d4 sign = d4_all(side);
    for (uint32_t i = 0; i < of->count; i += 4) {
        unsigned lanes = of->count - i < 4 ? (1u << (of->count - i)) - 1 : 15u;
        v4 a = points_at(of, i);
        v4 normal = lean(a, minus(points_at(of, i + 1), a), other, sign);
        d4 length = d4_sqrt(dot(normal, normal));
        lanes &= m4_bits(d4_ge(length, d4_all(EPSILON)));
        normal = (v4){d4_div(normal.x, length), d4_div(normal.y, length), d4_div(normal.z, length)};
        d4 dist = dot(normal, a);
        add_planes(out, lanes & separated(normal, dist, of, other, sign), normal, dist);
    }
}

BSPI_QUAD_TARGET static void find(const bspi_winding *from, const bspi_winding *to,
                                  bspi_separators *out) {
    out->count = 0;
    add_separators(from, to, 1, out);
    add_separators(to, from, -1, out);
    for (int i = 0; i < 3; i++) {
        d4_store(out->normal[i] + out->count, d4_all(0));
    }
    d4_store(out->dist + out->count, d4_all(-DBL_MAX));
}

// --- sets ----------------------------------------------------------------------------------------

BSPI_QUAD_TARGET static bool both(const bspi_word *a, const bspi_word *b, const bspi_word *known,
                                  const bspi_blocks *blocks, bspi_word *out) {
    w4 more = w4_zero();
    for (uint32_t i = 0; i < blocks->count; i++) {
        uint32_t at = blocks->first[i];
        w4 in = w4_and(w4_load(a + at), w4_load(b + at));
        w4_store(out + at, in);
        more = w4_or(more, w4_andnot(in, w4_load(known + at)));
    }
    return w4_any(more);
}

// --- gates before a gate -------------------------------------------------------------------------

// Four gates by the spheres around them and around the gate.
typedef struct facing {
    unsigned may;  // as bits: perhaps
    unsigned sure; // by their middles
} facing;

BSPI_QUAD facing face_spheres(const bspi_facing *all, uint32_t at, const bspi_faced *gate) {
    const bspi_split_plane *plane = &gate->plane;
    const double *middle = gate->sphere.middle;
    v4 normal = {d4_all(plane->normal[0]), d4_all(plane->normal[1]), d4_all(plane->normal[2])};
    v4 to = {d4_load(all->middle[0] + at), d4_load(all->middle[1] + at),
             d4_load(all->middle[2] + at)};
    v4 theirs = {d4_load(all->normal[0] + at), d4_load(all->normal[1] + at),
                 d4_load(all->normal[2] + at)};
    v4 from = {d4_all(middle[0]), d4_all(middle[1]), d4_all(middle[2])};
    d4 before = d4_sub(dot(normal, to), d4_all(plane->dist));
    d4 behind = d4_sub(dot(theirs, from), d4_load(all->dist + at));
    m4 may = m4_and(d4_ge(d4_add(before, d4_load(all->radius + at)), d4_all(0)),
                    d4_ge(d4_all(gate->sphere.radius), behind));
    m4 sure = m4_and(d4_gt(before, d4_all(EPSILON)), d4_gt(d4_all(-EPSILON), behind));
    return (facing){m4_bits(may), m4_bits(sure)};
}

// Returns true if some of a winding is before a plane; `side` of -1: on its back.
BSPI_QUAD bool lies(const bspi_winding *winding, const bspi_split_plane *plane, double side) {
    return front_of(winding, plane, side, EPSILON) != 0 || is_thin(winding, plane, side);
}

BSPI_QUAD_TARGET static uint64_t face(const bspi_facing *all, uint32_t first, uint32_t count,
                                      const bspi_faced *gate) {
    uint64_t out = 0;
    for (uint32_t i = 0; i < count; i += 4) {
        facing f = face_spheres(all, first + i, gate);
        unsigned lanes = count - i < 4 ? (1u << (count - i)) - 1 : 15u;
        out |= (uint64_t)(f.sure & lanes) << i;
        for (unsigned left = f.may & ~f.sure & lanes; left != 0; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);
            uint32_t at = first + i + lane;
            bspi_split_plane plane = {{all->normal[0][at], all->normal[1][at], all->normal[2][at]},
                                      all->dist[at]};
            bool sees = lies(&all->windings[all->gates[at]], &gate->plane, 1) &&
                        lies(gate->winding, &plane, -1);
            out |= (uint64_t)sees << (i + lane);
        }
    }
    return out;
}

const bspi_separating BSPI_SEPARATING = {find, hide, prune, cut, cut_plane, both, face};
