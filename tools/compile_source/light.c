// SPDX-License-Identifier: MIT
// Light on faces and in leaves. Luxels, their order and the averages before them: sheet
// source-lumps, section 6. Shadows are cast by the solid brushes of the world, not by brush
// entities, props or displacements.
#include "light.h"

#include <math.h>
#include <string.h>

#define STYLES 4
#define BUMPS 4  // flat, and three directions
#define LIFT 1.0 // luxels are lit a unit in front of their surface
#define INSET 0.5
#define MAX_LUXELS 33

// A place that light is measured at, with the directions it is measured in.
typedef struct spot {
    vec3 point;
    vec3 normals[BUMPS];
    uint32_t leaf;
} spot;

// The luxels of a face: [style][bump][luxel].
typedef struct sheet {
    world *w;
    face *f;
    uint32_t across;
    uint32_t down;
    uint32_t bumps;
    spot *spots;
    double (*light)[3];
    uint32_t num_styles;
} sheet;

void put_colour(const double c[3], uint8_t out[4]) {
    double top = c[0] > c[1] ? c[0] : c[1];
    top = c[2] > top ? c[2] : top;
    memset(out, 0, 4);
    if (!(top > 1e-6)) {
        return;
    }
    int exponent = 0;
    for (; top >= 255.5; top /= 2) {
        exponent++;
    }
    for (; top < 127.5 && exponent > -100; top *= 2) {
        exponent--;
    }
    double k = 1;
    for (int i = 0; i < exponent || i < -exponent; i++) {
        k = exponent > 0 ? k / 2 : k * 2;
    }
    for (int i = 0; i < 3; i++) {
        double value = floor(c[i] * k + 0.5);
        out[i] = (uint8_t)(value > 255 ? 255 : value);
    }
    out[3] = (uint8_t)(exponent & 0xFF);
}

// --- luxels -------------------------------------------------------------------------------------

static void light_extents(const world *w, face *f) {
    const texinfo *t = &w->texinfos[f->texinfo];
    for (int a = 0; a < 2; a++) {
        double low = INFINITY;
        double high = -INFINITY;
        for (uint32_t i = 0; i < f->w->count; i++) {
            double at = dot(f->w->p[i], axis_of(t->light[a])) + t->light[a][3];
            low = at < low ? at : low;
            high = at > high ? at : high;
        }
        // What lies on a luxel but for rounding is on it.
        f->light_mins[a] = (int32_t)floor(low + 1e-4);
        f->light_size[a] = (int32_t)ceil(high - 1e-4) - f->light_mins[a];
    }
    if (f->light_size[0] >= MAX_LUXELS || f->light_size[1] >= MAX_LUXELS) {
        fail("side %u: a face of %d x %d luxels", f->id, f->light_size[0], f->light_size[1]);
    }
}

// The point of the face's plane at luxel (s, t).
static vec3 luxel_point(const texinfo *t, const plane3 *plane, double s, double u) {
    vec3 a = axis_of(t->light[0]);
    vec3 b = axis_of(t->light[1]);
    vec3 n = plane->normal;
    double det = dot(a, cross(b, n));
    vec3 sum = scaled(cross(b, n), s - t->light[0][3]);
    sum = add(sum, scaled(cross(n, a), u - t->light[1][3]));
    sum = add(sum, scaled(cross(a, b), plane->dist));
    return scaled(sum, 1 / det);
}

// Luxels outside of the face are lit where it is nearest.
static vec3 into_face(const winding *w, vec3 normal, vec3 point) {
    for (int round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < w->count; i++) {
            plane3 edge = winding_edge(w, i, normal);
            double out = plane_side(&edge, point) + INSET;
            point = out > 0 ? sub(point, scaled(edge.normal, out)) : point;
        }
    }
    for (uint32_t i = 0; i < w->count; i++) {
        plane3 edge = winding_edge(w, i, normal);
        if (plane_side(&edge, point) > 0) {
            return winding_centre(w);
        }
    }
    return point;
}

// The directions of a bumped surface (sheet source-lumps, 6.2), turned to where its texture lies.
static void bump_normals(const texinfo *t, vec3 normal, vec3 out[BUMPS]) {
    const double rows[3][3] = {{sqrt(2.0 / 3), 0, 1 / sqrt(3.0)},
                               {-1 / sqrt(6.0), 1 / sqrt(2.0), 1 / sqrt(3.0)},
                               {-1 / sqrt(6.0), -1 / sqrt(2.0), 1 / sqrt(3.0)}};
    vec3 s = axis_of(t->texture[0]);
    vec3 u = unit(cross(normal, s));
    vec3 r = unit(cross(u, normal));
    bool left = dot(normal, cross(s, axis_of(t->texture[1]))) < 0;
    u = left ? scaled(u, -1) : u;
    out[0] = normal;
    for (int i = 0; i < 3; i++) {
        out[i + 1] =
            add(add(scaled(r, rows[i][0]), scaled(u, rows[i][1])), scaled(normal, rows[i][2]));
    }
}

static void place_spots(sheet *s, vec3 origin) {
    const face *f = s->f;
    const texinfo *t = &s->w->texinfos[f->texinfo];
    const plane3 *plane = &s->w->planes.list[f->plane];
    for (uint32_t y = 0; y < s->down; y++) {
        for (uint32_t x = 0; x < s->across; x++) {
            spot *at = &s->spots[y * s->across + x];
            vec3 point =
                luxel_point(t, plane, f->light_mins[0] + (double)x, f->light_mins[1] + (double)y);
            point = add(into_face(f->w, plane->normal, point), scaled(plane->normal, LIFT));
            at->point = add(point, origin);
            at->leaf = leaf_at(s->w, &s->w->models[0], at->point);
            bump_normals(t, plane->normal, at->normals);
        }
    }
}

// --- light --------------------------------------------------------------------------------------

static uint32_t style_slot(sheet *s, uint32_t style) {
    for (uint32_t i = 0; i < s->num_styles; i++) {
        if (s->f->styles[i] == style) {
            return i;
        }
    }
    if (s->num_styles == STYLES) {
        fail("side %u: light of more than %d styles", s->f->id, STYLES);
    }
    s->f->styles[s->num_styles] = (uint8_t)style;
    return s->num_styles++;
}

static double *cell(const sheet *s, uint32_t slot, uint32_t bump, uint32_t luxel) {
    uint32_t luxels = s->across * s->down;
    return s->light[(slot * s->bumps + bump) * luxels + luxel];
}

static void add_lamp(sheet *s, const lamp *l, uint32_t luxel) {
    const spot *at = &s->spots[luxel];
    colour c;
    vec3 from;
    if (!lamp_reaches(l, at->point, &c, &from) || dot(from, at->normals[0]) <= 0) {
        return;
    }
    uint32_t slot = style_slot(s, l->style);
    for (uint32_t b = 0; b < s->bumps; b++) {
        double facing = dot(from, at->normals[b]);
        for (int i = 0; facing > 0 && i < 3; i++) {
            cell(s, slot, b, luxel)[i] += c.v[i] * facing;
        }
    }
}

static void add_all(double *to, const colour *c) {
    for (int i = 0; i < 3; i++) {
        to[i] += c->v[i];
    }
}

static void light_directly(sheet *s) {
    style_slot(s, 0);
    for (uint32_t i = 0; i < s->across * s->down; i++) {
        for (uint32_t l = 0; l < s->w->num_lamps; l++) {
            const lamp *from = &s->w->lamps[l];
            for (uint32_t b = 0; from->kind == LIGHT_AMBIENT && b < s->bumps; b++) {
                colour c = lamp_ambient(from, s->spots[i].point, s->spots[i].normals[b]);
                add_all(cell(s, 0, b, i), &c);
            }
            if (from->kind != LIGHT_AMBIENT) {
                add_lamp(s, from, i);
            }
        }
    }
}

static void light_again(sheet *s) {
    for (uint32_t i = 0; i < s->across * s->down; i++) {
        for (uint32_t b = 0; b < s->bumps; b++) {
            const spot *at = &s->spots[i];
            colour c = bounce_reaches(s->w, at->point, at->normals[b], at->leaf);
            add_all(cell(s, 0, b, i), &c);
        }
    }
}

// Every other luxel in both directions throws its light back.
static void throw_back(const sheet *s) {
    const material *m = &s->w->materials[s->w->texinfos[s->f->texinfo].material];
    uint32_t columns = (s->across + 3) / 4;
    uint32_t rows = (s->down + 3) / 4;
    double area = winding_area(s->f->w) / (columns * rows);
    for (uint32_t n = 0; n < columns * rows; n++) {
        uint32_t x = (2 * (n % columns) + 1) * s->across / (2 * columns);
        uint32_t y = (2 * (n / columns) + 1) * s->down / (2 * rows);
        const spot *at = &s->spots[y * s->across + x];
        const double *c = cell(s, 0, 0, y * s->across + x);
        double back[3];
        for (int i = 0; i < 3; i++) {
            back[i] = c[i] * m->reflectivity[i];
        }
        bounce_add(at->point, at->normals[0], area, back, s->w->leaves[at->leaf].cluster);
    }
}

// --- the lump -----------------------------------------------------------------------------------

static void write_sheet(const sheet *s) {
    uint32_t luxels = s->across * s->down;
    uint8_t four[4];
    for (uint32_t slot = s->num_styles; slot-- > 0;) {
        double mean[3] = {0, 0, 0};
        for (uint32_t i = 0; i < luxels; i++) {
            for (int c = 0; c < 3; c++) {
                mean[c] += cell(s, slot, 0, i)[c] / luxels;
            }
        }
        put_colour(mean, four);
        bspi_buffer_add(&s->w->light, four, 4);
    }
    s->f->light_offset = (uint32_t)s->w->light.size;
    for (uint32_t i = 0; i < s->num_styles * s->bumps * luxels; i++) {
        put_colour(s->light[i], four);
        bspi_buffer_add(&s->w->light, four, 4);
    }
}

static void open_sheet(sheet *s, world *w, face *f, vec3 origin) {
    *s = (sheet){.w = w, .f = f};
    memset(f->styles, 255, sizeof f->styles);
    if (f->bent == NULL) {
        light_extents(w, f);
    }
    s->across = (uint32_t)f->light_size[0] + 1;
    s->down = (uint32_t)f->light_size[1] + 1;
    s->bumps = (w->texinfos[f->texinfo].flags & SURF_BUMPLIGHT) != 0 ? BUMPS : 1;
    uint32_t luxels = s->across * s->down;
    s->spots = zeroed(luxels * sizeof *s->spots);
    s->light = zeroed((size_t)luxels * STYLES * s->bumps * sizeof *s->light);
    if (f->bent == NULL) {
        place_spots(s, origin);
        return;
    }
    vec3 *points = zeroed(luxels * sizeof *points);
    vec3 *normals = zeroed(luxels * sizeof *normals);
    hill_spots(f->bent, s->across, s->down, points, normals);
    for (uint32_t i = 0; i < luxels; i++) {
        s->spots[i].point = add(points[i], scaled(normals[i], LIFT));
        s->spots[i].leaf = leaf_at(w, &w->models[0], s->spots[i].point);
        bump_normals(&w->texinfos[f->texinfo], normals[i], s->spots[i].normals);
    }
}

static vec3 face_origin(const world *w, uint32_t number) {
    for (uint32_t i = 0; i < w->num_models; i++) {
        const model *m = &w->models[i];
        if (number >= m->first_face && number < m->first_face + m->num_faces) {
            return m->origin;
        }
    }
    return vec(0, 0, 0);
}

void shine(world *w) {
    sheet *sheets = zeroed(w->num_faces * sizeof *sheets);
    trace_begin(w);
    bounce_begin();
    for (uint32_t i = 0; i < w->num_faces; i++) {
        face *f = &w->faces[i];
        f->light_offset = BSP_NONE;
        memset(f->styles, 255, sizeof f->styles);
        if ((w->texinfos[f->texinfo].flags & SURF_NOLIGHT) == 0) {
            open_sheet(&sheets[i], w, f, face_origin(w, i));
            light_directly(&sheets[i]);
            throw_back(&sheets[i]);
        }
    }
    for (uint32_t i = 0; i < w->num_faces; i++) {
        if (sheets[i].w != NULL) {
            light_again(&sheets[i]);
            write_sheet(&sheets[i]);
        }
    }
}

// --- leaves -------------------------------------------------------------------------------------

static bsp_ambient_sample cube_at(const world *w, vec3 point, uint32_t leaf_number) {
    bsp_ambient_sample out = {.place = {128, 128, 128}};
    for (int d = 0; d < 6; d++) {
        vec3 normal = vec(0, 0, 0);
        normal.v[d / 2] = d % 2 == 0 ? 1 : -1;
        colour sum = bounce_reaches(w, point, normal, leaf_number);
        for (uint32_t l = 0; l < w->num_lamps; l++) {
            colour c = {{0, 0, 0}};
            vec3 from = normal;
            if (w->lamps[l].kind == LIGHT_AMBIENT) {
                c = lamp_ambient(&w->lamps[l], point, normal);
            } else if (!lamp_reaches(&w->lamps[l], point, &c, &from) || w->lamps[l].style != 0) {
                continue;
            }
            double facing = dot(from, normal);
            for (int i = 0; facing > 0 && i < 3; i++) {
                sum.v[i] += c.v[i] * facing;
            }
        }
        for (int i = 0; i < 3; i++) { // full light is 1 here, and 255 in luxels
            sum.v[i] /= 255;
        }
        put_colour(sum.v, out.cube + 4 * d);
    }
    return out;
}

// One cube in the middle of each leaf that can be entered; the others have none.
void shine_ambient(world *w) {
    w->ambient_index = zeroed(w->num_leaves * sizeof *w->ambient_index);
    for (uint32_t i = 1; i < w->num_leaves; i++) {
        const leaf *l = &w->leaves[i];
        w->ambient_index[i].first = w->num_ambient;
        if (l->cluster == BSP_NONE) {
            continue;
        }
        box3 box = hull_box(l->cell);
        bsp_ambient_sample cube = cube_at(w, mix(box.mins, box.maxs, 128.0 / 255), i);
        PUSH(w->ambient, w->num_ambient, cube);
        w->ambient_index[i].count = 1;
    }
}
