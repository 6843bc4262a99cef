// SPDX-License-Identifier: MIT
// The convex hull of points, one after another: each takes the place of the faces that it is
// before, and the edges around these are joined with it.
#include "mesh/convex.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define NEAR 1e-5 // of the largest coordinate: before a plane by less is on it
#define FACES 16u // that are looked at count as one step
#define PAIRS 64u // likewise edges

typedef struct hull_face {
    uint32_t at[3];
    double normal[3]; // a unit vector, or 0 where the corners are on a line
    double dist;
} hull_face;

typedef struct builder {
    bspi_heap *heap;
    const float (*points)[3];
    uint32_t count;
    double near; // units
    hull_face *faces;
    uint32_t num_faces;
    size_t room;
    uint32_t (*edges)[2]; // of faces that are seen
    uint32_t num_edges;
    size_t edge_room;
    bsp_error *error;
} builder;

static void way(const builder *b, uint32_t from, uint32_t to, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = (double)b->points[to][i] - (double)b->points[from][i];
    }
}

// Sets the normal of three points, as long as twice their area.
static void cross_of(const builder *b, const uint32_t at[3], double out[3]) {
    double edges[2][3];
    way(b, at[0], at[1], edges[0]);
    way(b, at[0], at[2], edges[1]);
    bspi_vec_cross(edges[0], edges[1], out);
}

static double before(const hull_face *face, const float point[3]) {
    const double at[3] = {(double)point[0], (double)point[1], (double)point[2]};
    return bspi_vec_dot(face->normal, at) - face->dist;
}

static bool add_face(builder *b, uint32_t first, uint32_t second, uint32_t third) {
    hull_face *faces =
        bspi_grow(b->heap, b->faces, b->num_faces, &b->room, sizeof *faces, b->error);
    if (faces == NULL) {
        return false;
    }
    b->faces = faces;
    hull_face *face = &faces[b->num_faces++];
    *face = (hull_face){.at = {first, second, third}};
    cross_of(b, face->at, face->normal);
    double length = bspi_vec_length(face->normal);
    for (int i = 0; i < 3; i++) {
        face->normal[i] = length > 0 ? face->normal[i] / length : 0;
        face->dist += face->normal[i] * (double)b->points[first][i];
    }
    return true;
}

// --- the first four -----------------------------------------------------------------------------

// Finds the two points that are farthest apart along an axis. Sets how near is on a plane. False if
// all are one point.
static bool find_line(builder *b, uint32_t at[2]) {
    double widest = 0;
    for (int i = 0; i < 3; i++) {
        uint32_t low = 0;
        uint32_t high = 0;
        for (uint32_t n = 1; n < b->count; n++) {
            low = b->points[n][i] < b->points[low][i] ? n : low;
            high = b->points[n][i] > b->points[high][i] ? n : high;
        }
        double ends[2] = {(double)b->points[low][i], (double)b->points[high][i]};
        b->near = fmax(b->near, NEAR * fmax(fabs(ends[0]), fabs(ends[1])));
        if (ends[1] - ends[0] > widest) {
            widest = ends[1] - ends[0];
            at[0] = low;
            at[1] = high;
        }
    }
    return widest > b->near;
}

// Adds the faces of four points that are not in a plane, if there are such.
static bool begin(builder *b) {
    uint32_t at[3] = {0};
    uint32_t third = 0;
    uint32_t last = 0;
    double normal[3];
    double line[3];
    double most = 0;
    if (b->count < 4 || !find_line(b, at)) {
        return true;
    }
    way(b, at[0], at[1], line);
    for (uint32_t n = 0; n < b->count; n++) {
        at[2] = n;
        cross_of(b, at, normal);
        double aside = bspi_vec_length(normal) / bspi_vec_length(line);
        third = aside > most ? n : third;
        most = fmax(most, aside);
    }
    if (!(most > b->near)) {
        return true;
    }
    if (!add_face(b, at[0], at[1], third)) {
        return false;
    }
    most = 0;
    for (uint32_t n = 0; n < b->count; n++) {
        double past = fabs(before(&b->faces[0], b->points[n]));
        last = past > most ? n : last;
        most = fmax(most, past);
    }
    bool front = before(&b->faces[0], b->points[last]) > 0;
    b->num_faces = 0;
    uint32_t first = at[front];
    uint32_t second = at[!front];
    return !(most > b->near) ||
           (add_face(b, first, second, third) && add_face(b, second, first, last) &&
            add_face(b, third, second, last) && add_face(b, first, third, last));
}

// --- the others ---------------------------------------------------------------------------------

static bool add_edge(builder *b, uint32_t from, uint32_t to) {
    uint32_t(*edges)[2] =
        bspi_grow(b->heap, b->edges, b->num_edges, &b->edge_room, sizeof *edges, b->error);
    if (edges == NULL) {
        return false;
    }
    b->edges = edges;
    edges[b->num_edges][0] = from;
    edges[b->num_edges++][1] = to;
    return true;
}

// Takes the faces away that a point is before, and notes their edges.
static bool take_away(builder *b, const float point[3]) {
    uint32_t kept = 0;
    bool done = true;
    b->num_edges = 0;
    for (uint32_t n = 0; done && n < b->num_faces; n++) {
        const hull_face face = b->faces[n];
        if (before(&face, point) > b->near) {
            for (int i = 0; done && i < 3; i++) {
                done = add_edge(b, face.at[i], face.at[(i + 1) % 3]);
            }
        } else {
            b->faces[kept++] = face;
        }
    }
    b->num_faces = done ? kept : b->num_faces;
    return done && bspi_heap_work(b->heap, 1 + kept / FACES, b->error);
}

// Is an edge between a face that was taken away and one that was not?
static bool is_outer(const builder *b, const uint32_t edge[2]) {
    bool outer = true;
    for (uint32_t n = 0; n < b->num_edges && outer; n++) {
        outer = b->edges[n][0] != edge[1] || b->edges[n][1] != edge[0];
    }
    return outer;
}

static bool add_point(builder *b, uint32_t number) {
    bool done = take_away(b, b->points[number]);
    for (uint32_t n = 0; done && n < b->num_edges; n++) {
        const uint32_t *edge = b->edges[n];
        done = bspi_heap_work(b->heap, 1 + b->num_edges / PAIRS, b->error) &&
               (!is_outer(b, edge) || add_face(b, edge[0], edge[1], number));
    }
    return done;
}

bool bspi_convex_find(bspi_heap *heap, const float (*points)[3], uint32_t count, bspi_convex *out,
                      bsp_error *error) {
    builder b = {.heap = heap, .points = points, .count = count, .error = error};
    *out = (bspi_convex){.triangles = NULL};
    bool done = bspi_heap_work(heap, 1 + count / FACES, error) && begin(&b);
    for (uint32_t n = 0; done && b.num_faces != 0 && n < count; n++) {
        done = add_point(&b, n);
    }
    for (uint32_t n = 0; done && n < b.num_faces; n++) {
        uint32_t(*triangles)[3] =
            bspi_grow(heap, out->triangles, out->count, &out->room, sizeof *triangles, error);
        done = triangles != NULL;
        if (done) {
            out->triangles = triangles;
            memcpy(triangles[out->count++], b.faces[n].at, sizeof *triangles);
        }
    }
    bspi_heap_free(heap, b.faces, b.room * sizeof *b.faces);
    bspi_heap_free(heap, b.edges, b.edge_room * sizeof *b.edges);
    return done;
}

void bspi_convex_free(bspi_heap *heap, bspi_convex *convex) {
    bspi_heap_free(heap, convex->triangles, convex->room * sizeof *convex->triangles);
    *convex = (bspi_convex){.triangles = NULL};
}
