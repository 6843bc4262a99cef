// SPDX-License-Identifier: MIT
// Displacements: the grid as drawn, its place over the face, and where its luxels are. Facts:
// sheets source-lumps (3, 6.2) and outputs (2.1).
#include "light.h"

#include <math.h>

#define MAX_LUXELS 125

static uint32_t size_of(const hill *h) {
    return (1u << h->power) + 1;
}

// --- as drawn -----------------------------------------------------------------------------------

static uint16_t tag_of(uint32_t drawn) {
    return (uint16_t)((drawn & 1 ? 2 : 0) | (drawn & 8 ? 4 : 0));
}

hill *read_hill(const world *w, uint32_t disp) {
    const bsp_mapdoc_disp *in = &w->drawing->disps[disp];
    if (in->power < 2 || in->elevation != 0) {
        fail("dispinfo: a power of 2 to 4, and no elevation, are understood");
    }
    hill *h = zeroed(sizeof *h);
    h->power = in->power;
    h->start = axis_of(in->start);
    uint32_t n = size_of(h);
    h->offsets = zeroed(n * n * sizeof *h->offsets);
    h->alphas = zeroed(n * n * sizeof *h->alphas);
    h->tags = zeroed(2 * (n - 1) * (n - 1) * sizeof *h->tags);
    for (uint32_t i = 0; i < n * n; i++) {
        const bsp_mapdoc_disp_vert *v = &w->drawing->disp_verts[in->first_vert + i];
        h->offsets[i] = add(scaled(axis_of(v->normal), v->distance), axis_of(v->offset));
        h->alphas[i] = v->alpha;
    }
    for (uint32_t i = 0; i < 2 * (n - 1) * (n - 1); i++) {
        h->tags[i] = tag_of(w->drawing->disp_tags[in->first_tag + i]);
    }
    for (int i = 0; i < 10; i++) {
        h->allowed[i] = (uint32_t)in->allowed_verts[i];
    }
    return h;
}

// --- in its place -------------------------------------------------------------------------------

static void turn_corners(hill *h, const winding *w) {
    uint32_t first = 0;
    if (w->count != 4) {
        fail("dispinfo: a face of %u corners", w->count);
    }
    for (uint32_t i = 1; i < 4; i++) {
        first = length(sub(w->p[i], h->start)) < length(sub(w->p[first], h->start)) ? i : first;
    }
    for (uint32_t i = 0; i < 4; i++) {
        h->corners[i] = w->p[(first + i) % 4];
    }
}

// The corners of a triangle of the grid. Cells whose first vertex is odd are cut the other way.
static void triangle(const hill *h, uint32_t number, uint32_t out[3]) {
    uint32_t n = size_of(h);
    uint32_t cell = number / 2;
    uint32_t at = cell / (n - 1) * n + cell % (n - 1);
    const uint32_t corners[2][2][3] = {{{at, at + n, at + n + 1}, {at, at + n + 1, at + 1}},
                                       {{at, at + n, at + 1}, {at + 1, at + n, at + n + 1}}};
    for (int i = 0; i < 3; i++) {
        out[i] = corners[at % 2][number % 2][i];
    }
}

static void make_grid(hill *h, vec3 up) {
    uint32_t n = size_of(h);
    h->points = zeroed(n * n * sizeof *h->points);
    h->normals = zeroed(n * n * sizeof *h->normals);
    for (uint32_t i = 0; i < n * n; i++) {
        double row = (double)(i / n) / (n - 1);
        vec3 left = mix(h->corners[0], h->corners[1], row);
        vec3 right = mix(h->corners[3], h->corners[2], row);
        h->points[i] = add(mix(left, right, (double)(i % n) / (n - 1)), h->offsets[i]);
    }
    for (uint32_t t = 0; t < 2 * (n - 1) * (n - 1); t++) {
        uint32_t c[3];
        triangle(h, t, c);
        vec3 normal =
            cross(sub(h->points[c[2]], h->points[c[0]]), sub(h->points[c[1]], h->points[c[0]]));
        normal = dot(normal, up) < 0 ? scaled(normal, -1) : normal;
        for (int i = 0; i < 3; i++) {
            h->normals[c[i]] = add(h->normals[c[i]], normal);
        }
    }
    for (uint32_t i = 0; i < n * n; i++) {
        h->normals[i] = unit(h->normals[i]);
    }
}

// --- luxels -------------------------------------------------------------------------------------

// Weights of a triangle's corners at a place of the grid; false if it lies outside.
static bool weigh(const hill *h, const uint32_t c[3], double row, double column, double out[3]) {
    double n = size_of(h);
    double r[3];
    double k[3];
    for (int i = 0; i < 3; i++) {
        r[i] = floor(c[i] / n) - row;
        k[i] = fmod(c[i], n) - column;
    }
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3;
        int b = (i + 2) % 3;
        out[i] = fabs(r[a] * k[b] - r[b] * k[a]);
    }
    return out[0] + out[1] + out[2] < 1 + 1e-9;
}

static uint32_t find_triangle(const hill *h, double row, double column, double weights[3]) {
    uint32_t cells = size_of(h) - 1;
    uint32_t r = (uint32_t)row < cells ? (uint32_t)row : cells - 1;
    uint32_t k = (uint32_t)column < cells ? (uint32_t)column : cells - 1;
    uint32_t number = 2 * (r * cells + k);
    uint32_t c[3];
    triangle(h, number, c);
    if (!weigh(h, c, row, column, weights)) {
        triangle(h, ++number, c);
        weigh(h, c, row, column, weights);
    }
    return number;
}

static uint32_t luxel_triangle(const hill *h, uint32_t across, uint32_t down, uint32_t luxel,
                               double weights[3]) {
    uint32_t cells = size_of(h) - 1;
    double row = (double)(luxel / across) * cells / (down - 1);
    double column = (double)(luxel % across) * cells / (across - 1);
    return find_triangle(h, row, column, weights);
}

void hill_spots(const hill *h, uint32_t across, uint32_t down, vec3 *points, vec3 *normals) {
    for (uint32_t i = 0; i < across * down; i++) {
        double weights[3];
        uint32_t c[3];
        triangle(h, luxel_triangle(h, across, down, i, weights), c);
        points[i] = normals[i] = vec(0, 0, 0);
        for (int k = 0; k < 3; k++) {
            points[i] = add(points[i], scaled(h->points[c[k]], weights[k]));
            normals[i] = add(normals[i], scaled(h->normals[c[k]], weights[k]));
        }
        normals[i] = unit(normals[i]);
    }
}

// A record for each luxel: the triangle (from 255 on in two bytes) and the weights in 255ths.
static void write_samples(world *w, hill *h, uint32_t across, uint32_t down) {
    h->sample_start = (uint32_t)w->samples.size;
    for (uint32_t i = 0; i < across * down; i++) {
        double weights[3];
        uint32_t number = luxel_triangle(h, across, down, i, weights);
        uint8_t record[5];
        uint32_t size = 0;
        if (number >= 255) {
            record[size++] = 255;
            number -= 255;
        }
        record[size++] = (uint8_t)number;
        int first = (int)floor(weights[0] * 255 + 0.5);
        int second = (int)floor(weights[1] * 255 + 0.5);
        second = first + second > 255 ? 255 - first : second;
        record[size++] = (uint8_t)first;
        record[size++] = (uint8_t)second;
        record[size++] = (uint8_t)(255 - first - second);
        bspi_buffer_add(&w->samples, record, size);
    }
}

static int32_t luxels_along(vec3 a, vec3 b, vec3 c, vec3 d, double luxel) {
    double first = length(sub(b, a));
    double second = length(sub(d, c));
    double count = floor((first > second ? first : second) / luxel) + 1;
    return count < MAX_LUXELS ? (int32_t)count : MAX_LUXELS;
}

void place_hills(world *w) {
    for (uint32_t i = 0; i < w->num_hills; i++) {
        hill *h = w->hills[i];
        face *f = &w->faces[h->face];
        turn_corners(h, f->w);
        make_grid(h, w->planes.list[f->plane].normal);
        const double *row = w->texinfos[f->texinfo].light[0];
        double luxel = floor(1 / length(vec(row[0], row[1], row[2])));
        const vec3 *c = h->corners;
        f->light_size[0] = luxels_along(c[0], c[3], c[1], c[2], luxel);
        f->light_size[1] = luxels_along(c[0], c[1], c[3], c[2], luxel);
        for (int a = 0; a < 2; a++) {
            row = w->texinfos[f->texinfo].light[a];
            double low = INFINITY;
            for (int k = 0; k < 4; k++) {
                double at = dot(c[k], vec(row[0], row[1], row[2])) + row[3];
                low = at < low ? at : low;
            }
            f->light_mins[a] = (int32_t)floor(low);
        }
        write_samples(w, h, (uint32_t)f->light_size[0] + 1, (uint32_t)f->light_size[1] + 1);
    }
}
