// SPDX-License-Identifier: MIT
// Source displacements: a grid of vertices over a face of four edges, each moved along its own
// direction. Assumes a loaded map. Format: sheet source-lumps (3).
#include "formats/source_flags.h"
#include "mesh/disp_grid.h"
#include "mesh/mesher.h"

#include <math.h>
#include <string.h>

#define HAS_BLENDS (BSPI_DISP_HAS_FLAGS | BSPI_DISP_MULTIBLEND)
#define DISP_STEPS 4 // for each vertex: its position, and the normals of its triangles

// --- which faces ---------------------------------------------------------------------------------

static bool is_sound(const bsp_map *map, uint32_t number) {
    const bsp_displacement *disp = &map->displacements[number];
    if (disp->power < BSPI_DISP_LEAST_POWER || disp->power > BSPI_DISP_MOST_POWER) {
        return false;
    }
    uint32_t side = bspi_disp_side(disp->power);
    return (uint64_t)disp->first_vert + (uint64_t)side * side <= map->num_disp_verts;
}

// Finds the four corners of a face, rotated so that the grid begins at the first.
static bool corners_of(const bsp_map *map, const bsp_face *face, const float start[3],
                       float out[4][3]) {
    const float *points[4];
    uint32_t first = 0;
    double nearest = INFINITY;
    for (uint32_t i = 0; i < 4; i++) {
        points[i] = bsp_surfedge_point(map, face->first_edge + i);
        if (points[i] == NULL) {
            return false;
        }
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            double d = (double)points[i][axis] - (double)start[axis];
            square += d * d;
        }
        if (square < nearest) {
            nearest = square;
            first = i;
        }
    }
    for (uint32_t i = 0; i < 4; i++) {
        memcpy(out[i], points[(first + i) % 4], 3 * sizeof(float));
    }
    return true;
}

// --- positions -----------------------------------------------------------------------------------

bool bspi_disp_grid(const bsp_map *map, uint32_t number, uint32_t face_number, float (*bases)[3],
                    float (*points)[3]) {
    const bsp_displacement *disp = &map->displacements[number];
    const bsp_face *face = &map->faces[face_number];
    float p[4][3];
    if (!corners_of(map, face, disp->start, p)) {
        return false;
    }
    uint32_t side = bspi_disp_side(disp->power);
    double last = side - 1;
    for (uint32_t n = 0; n < side * side; n++) {
        double i = n / side / last; // along p0 - p1
        double j = n % side / last; // from there to p3 - p2
        const bsp_disp_vert *vert = &map->disp_verts[disp->first_vert + n];
        for (int axis = 0; axis < 3; axis++) {
            double left = (double)p[0][axis] + i * ((double)p[1][axis] - (double)p[0][axis]);
            double right = (double)p[3][axis] + i * ((double)p[2][axis] - (double)p[3][axis]);
            double base = left + j * (right - left);
            bases[n][axis] = (float)base;
            points[n][axis] = (float)(base + (double)vert->vec[axis] * (double)vert->dist);
        }
    }
    return true;
}

bool bspi_disp_is_sound(const bsp_map *map, uint32_t number, uint32_t face) {
    return number < map->num_displacements && face < map->num_faces &&
           map->faces[face].num_edges == 4 && is_sound(map, number);
}

static void place_one(bspi_mesher *mesher, uint32_t number) {
    uint32_t first = mesher->map->displacements[number].first_vert;
    if (!bspi_disp_grid(mesher->map, number, mesher->disp.face_of[number],
                        mesher->disp.bases + first, mesher->disp.points + first)) {
        mesher->disp.face_of[number] = BSP_NONE;
    }
}

// Gives the two triangles of a cell, clockwise as in the file, as offsets from the displacement's
// first vertex.
static void cell_triangles(uint32_t side, uint32_t i, uint32_t j, uint32_t out[6]) {
    uint32_t n = i * side + j;
    uint32_t odd[6] = {n, n + side, n + 1, n + 1, n + side, n + side + 1};
    uint32_t even[6] = {n, n + side, n + side + 1, n, n + side + 1, n + 1};
    memcpy(out, n % 2 != 0 ? odd : even, sizeof odd);
}

// The places of luxels that light compilers store (DISP_LIGHTMAP_SAMPLE_POSITIONS) are on these
// triangles: 108,705 of ten maps.
void bspi_disp_at(const float (*points)[3], uint32_t side, float x, float y, float out[3]) {
    float last = (float)(side - 1);
    x = x < 0 ? 0 : x > last ? last : x;
    y = y < 0 ? 0 : y > last ? last : y;
    uint32_t column = x < last ? (uint32_t)x : side - 2;
    uint32_t row = y < last ? (uint32_t)y : side - 2;
    float u = x - (float)column;
    float v = y - (float)row;
    const float(*a)[3] = points + (size_t)row * side + column;
    const float(*b)[3] = a + side;
    // Cut between a[0] and b[1], else between a[1] and b[0]; the first triangle has a[1] or a[0].
    bool even = (row * side + column) % 2 == 0;
    bool first = even ? u >= v : u + v <= 1;
    for (int i = 0; i < 3; i++) {
        float along = first ? a[1][i] - a[0][i] : b[1][i] - b[0][i];
        float down = first == even ? b[1][i] - a[1][i] : b[0][i] - a[0][i];
        float from = even || first ? a[0][i] : a[1][i] + b[0][i] - b[1][i];
        out[i] = from + along * u + down * v;
    }
}

// Adds a triangle's normal, twice its area long, to its vertices.
static void add_normal(bspi_disp_points *disp, const uint32_t v[3]) {
    float a[3];
    float b[3];
    for (int i = 0; i < 3; i++) {
        a[i] = disp->points[v[1]][i] - disp->points[v[0]][i];
        b[i] = disp->points[v[2]][i] - disp->points[v[0]][i];
    }
    // Clockwise: the normal is b x a.
    float n[3] = {b[1] * a[2] - b[2] * a[1], b[2] * a[0] - b[0] * a[2], b[0] * a[1] - b[1] * a[0]};
    for (int corner = 0; corner < 3; corner++) {
        float *sum = disp->normals[disp->same[v[corner]]];
        for (int i = 0; i < 3; i++) {
            sum[i] += n[i];
        }
    }
}

static void sum_normals(bspi_mesher *mesher, uint32_t number) {
    const bsp_displacement *disp = &mesher->map->displacements[number];
    uint32_t side = bspi_disp_side(disp->power);
    for (uint32_t i = 0; i + 1 < side; i++) {
        for (uint32_t j = 0; j + 1 < side; j++) {
            uint32_t v[6];
            cell_triangles(side, i, j, v);
            for (int c = 0; c < 6; c++) {
                v[c] += disp->first_vert;
            }
            add_normal(&mesher->disp, v);
            add_normal(&mesher->disp, v + 3);
        }
    }
}

static bool find_faces(bspi_mesher *mesher) {
    const bsp_map *map = mesher->map;
    mesher->disp.face_of =
        bspi_arena_raw(&mesher->scratch, map->num_displacements, sizeof(uint32_t), mesher->error);
    if (mesher->disp.face_of == NULL) {
        return false;
    }
    memset(mesher->disp.face_of, 0xFF, map->num_displacements * sizeof(uint32_t));
    for (uint32_t f = 0; f < map->num_faces; f++) {
        uint32_t disp = map->faces[f].displacement;
        if (bspi_disp_is_sound(map, disp, f) && mesher->disp.face_of[disp] == BSP_NONE) {
            mesher->disp.face_of[disp] = f;
        }
    }
    return true;
}

// The blends lie one after another, in the order of the displacements that have them.
static bool find_blends(bspi_mesher *mesher) {
    const bsp_map *map = mesher->map;
    if (map->num_disp_blends == 0) {
        return true;
    }
    uint64_t next = 0;
    uint32_t *first =
        bspi_arena_raw(&mesher->scratch, map->num_displacements, sizeof *first, mesher->error);
    for (uint32_t d = 0; first != NULL && d < map->num_displacements; d++) {
        const bsp_displacement *disp = &map->displacements[d];
        bool has = (disp->flags & HAS_BLENDS) == HAS_BLENDS && disp->power <= BSPI_DISP_MOST_POWER;
        uint64_t side = has ? bspi_disp_side(disp->power) : 0;
        bool there = has && next + side * side <= map->num_disp_blends;
        first[d] = there ? (uint32_t)next : BSP_NONE;
        next += side * side;
    }
    mesher->disp.first_blend = first;
    return first != NULL;
}

bool bspi_disp_place(bspi_mesher *mesher) {
    const bsp_map *map = mesher->map;
    bspi_disp_points *disp = &mesher->disp;
    if (map->num_displacements == 0 || map->num_surfedges == 0) {
        return true;
    }
    size_t count = map->num_disp_verts;
    disp->bases = bspi_arena_zero(&mesher->scratch, count, sizeof *disp->bases, mesher->error);
    disp->points = bspi_arena_zero(&mesher->scratch, count, sizeof *disp->points, mesher->error);
    disp->normals = bspi_arena_zero(&mesher->scratch, count, sizeof *disp->normals, mesher->error);
    if (!find_faces(mesher) || !find_blends(mesher) || disp->bases == NULL ||
        disp->points == NULL || disp->normals == NULL) {
        return false;
    }
    for (uint32_t d = 0; d < map->num_displacements; d++) {
        if (disp->face_of[d] == BSP_NONE) {
            continue;
        }
        uint64_t side = bspi_disp_side(map->displacements[d].power);
        if (!bspi_meter_add(&mesher->meter, DISP_STEPS * side * side)) {
            return false;
        }
        place_one(mesher, d);
    }
    if (!bspi_disp_weld(mesher)) {
        return false;
    }
    for (uint32_t d = 0; d < map->num_displacements; d++) {
        if (disp->face_of[d] != BSP_NONE) {
            sum_normals(mesher, d);
        }
    }
    return true;
}

// --- faces --------------------------------------------------------------------------------------

bool bspi_disp_is(const bspi_mesher *mesher, uint32_t face) {
    uint32_t disp = mesher->map->faces[face].displacement;
    return disp < mesher->map->num_displacements && mesher->disp.face_of != NULL &&
           mesher->disp.face_of[disp] == face;
}

bspi_room bspi_disp_room(const bspi_mesher *mesher, uint32_t face) {
    uint32_t disp = mesher->map->faces[face].displacement;
    uint64_t side = bspi_disp_side(mesher->map->displacements[disp].power);
    return (bspi_room){.vertices = side * side, .indices = 6 * (side - 1) * (side - 1)};
}

static uint8_t alpha_of(float alpha) {
    return (uint8_t)(alpha > 0 ? (alpha < 255 ? alpha + 0.5F : 255) : 0);
}

// Sets the shares of the textures at the vertex that was added last, from blend `number`.
static void put_blend(bspi_mesher *mesher, uint32_t number, bsp_mesh_vertex *vertex) {
    const float *share = mesher->map->disp_blends[number].share;
    uint8_t *out = mesher->blends[mesher->num_vertices - 1];
    out[0] = 255;
    for (int i = 1; i < 4; i++) {
        out[i] = alpha_of(share[i] * 255);
    }
    vertex->color[3] = out[1];
}

static void emit_vertices(bspi_mesher *mesher, uint32_t face, const bsp_displacement *disp) {
    bspi_skin skin = bspi_skin_of(mesher, face);
    uint32_t side = bspi_disp_side(disp->power);
    uint32_t number = mesher->map->faces[face].displacement;
    const uint32_t *blends = mesher->disp.first_blend;
    uint32_t blend = blends == NULL || mesher->blends == NULL ? BSP_NONE : blends[number];
    for (uint32_t n = 0; n < side * side; n++) {
        uint32_t at = disp->first_vert + n;
        bsp_mesh_vertex *out = bspi_mesh_add_vertex(mesher);
        bspi_skin_point(&skin, mesher->disp.bases[at], out);
        memcpy(out->position, mesher->disp.points[at], sizeof out->position);
        memcpy(out->normal, mesher->disp.normals[mesher->disp.same[at]], sizeof out->normal);
        bspi_mesh_normalize(out->normal);
        out->color[3] = alpha_of(mesher->map->disp_verts[at].alpha);
        if (blend != BSP_NONE) {
            put_blend(mesher, blend + n, out);
        }
        if (skin.light != NULL) { // light is mapped to the grid, not by the texture's axes
            float u = (float)(n % side) / (float)(side - 1) * (float)(skin.light->width - 1);
            float v = (float)(n / side) / (float)(side - 1) * (float)(skin.light->height - 1);
            out->light_uv[0] = ((float)skin.light->x + u + 0.5F) / skin.page[0];
            out->light_uv[1] = ((float)skin.light->y + v + 0.5F) / skin.page[1];
        }
    }
}

void bspi_disp_emit(bspi_mesher *mesher, uint32_t face) {
    const bsp_displacement *disp =
        &mesher->map->displacements[mesher->map->faces[face].displacement];
    uint32_t side = bspi_disp_side(disp->power);
    emit_vertices(mesher, face, disp);
    for (uint32_t i = 0; i + 1 < side; i++) {
        for (uint32_t j = 0; j + 1 < side; j++) {
            uint32_t v[6];
            cell_triangles(side, i, j, v);
            bspi_mesh_add_triangle(mesher, v[0], v[2], v[1]);
            bspi_mesh_add_triangle(mesher, v[3], v[5], v[4]);
        }
    }
}
