// SPDX-License-Identifier: MIT
// The rasteriser: clips a triangle at the near plane, walks its pixels by edge functions in double
// precision (so that triangles with a common edge leave no gap and draw no pixel twice), and
// interpolates with correct perspective.
#include "render/raster.h"

#include <math.h>
#include <string.h>

// Nothing nearer than this, in units, is drawn.
#define NEAR_PLANE 1.0F

// --- clipping -----------------------------------------------------------------------------------

#define FLOATS (sizeof(bspi_corner) / sizeof(float))

static void between(const bspi_corner *a, const bspi_corner *b, float t, bspi_corner *out) {
    float from[FLOATS];
    float to[FLOATS];
    memcpy(from, a, sizeof from);
    memcpy(to, b, sizeof to);
    for (size_t i = 0; i < FLOATS; i++) {
        from[i] += (to[i] - from[i]) * t;
    }
    memcpy(out, from, sizeof from);
}

// Cuts off what is before the near plane: 0, 3 or 4 corners are left.
static uint32_t clip_near(const bspi_corner in[3], bspi_corner out[4]) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const bspi_corner *a = &in[i];
        const bspi_corner *b = &in[(i + 1) % 3];
        bool a_in = a->w >= NEAR_PLANE;
        bool b_in = b->w >= NEAR_PLANE;
        if (a_in) {
            out[count++] = *a;
        }
        if (a_in != b_in) {
            between(a, b, (NEAR_PLANE - a->w) / (b->w - a->w), &out[count++]);
        }
    }
    return count;
}

// --- one triangle -------------------------------------------------------------------------------

// What varies over a triangle, each value over w: linear on the screen.
enum { OVER_W, KEY, U, V, LIGHT_U, LIGHT_V, RED, GREEN, BLUE, VALUES };

typedef struct point {
    double x;
    double y;
    float values[VALUES];
} point;

typedef struct triangle {
    point corners[3];
    double edges[3][3]; // a x + b y + c, positive inside
    bool include[3];    // the edge itself belongs to the triangle (top or left)
    double area;
    float dx[VALUES]; // steps of the values from pixel to pixel
    float dy[VALUES];
} triangle;

static void project(const bspi_canvas *canvas, const bspi_corner *corner, point *out) {
    float over_w = 1 / corner->w;
    out->x = (double)(corner->x * over_w) + canvas->width * 0.5;
    out->y = (double)(corner->y * over_w) + canvas->height * 0.5;
    out->values[OVER_W] = over_w;
    out->values[KEY] = canvas->parallel ? corner->key : over_w;
    out->values[U] = corner->uv[0] * over_w;
    out->values[V] = corner->uv[1] * over_w;
    out->values[LIGHT_U] = corner->light_uv[0] * over_w;
    out->values[LIGHT_V] = corner->light_uv[1] * over_w;
    for (int i = 0; i < 3; i++) {
        out->values[RED + i] = corner->color[i] * over_w;
    }
}

static void set_edge(triangle *t, int edge, const point *a, const point *b) {
    t->edges[edge][0] = a->y - b->y;
    t->edges[edge][1] = b->x - a->x;
    t->edges[edge][2] = a->x * b->y - b->x * a->y;
    bool left = a->y > b->y; // positive area and y downwards: a left edge goes up
    bool top = a->y == b->y && b->x > a->x;
    t->include[edge] = left || top;
}

// Makes the corners run so that the inside is positive; false for a triangle that is not drawn.
static bool set_up(triangle *t, bool two_sided) {
    point *p = t->corners;
    double area = (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[2].x - p[0].x) * (p[1].y - p[0].y);
    if (!(fabs(area) > 1e-9) || (area > 0 && !two_sided)) {
        return false; // y grows downwards: a front has a negative area
    }
    if (area < 0) {
        point swapped = p[1];
        p[1] = p[2];
        p[2] = swapped;
        area = -area;
    }
    t->area = area;
    for (int i = 0; i < 3; i++) {
        set_edge(t, i, &p[(i + 1) % 3], &p[(i + 2) % 3]);
    }
    for (int v = 0; v < VALUES; v++) {
        double x = 0;
        double y = 0;
        for (int i = 0; i < 3; i++) {
            x += t->edges[i][0] * (double)p[i].values[v];
            y += t->edges[i][1] * (double)p[i].values[v];
        }
        t->dx[v] = (float)(x / area);
        t->dy[v] = (float)(y / area);
    }
    return true;
}

static bool inside(const triangle *t, double x, double y) {
    for (int i = 0; i < 3; i++) {
        double side = t->edges[i][0] * x + t->edges[i][1] * y + t->edges[i][2];
        if (side < 0 || (side == 0 && !t->include[i])) {
            return false;
        }
    }
    return true;
}

// --- colour -------------------------------------------------------------------------------------

// The mip on which a texel is about a pixel: from how fast the coordinates change.
static const bspi_mip *pick_mip(const triangle *t, const bspi_texture *texture, float u, float v,
                                float w) {
    const bspi_mip *whole = &texture->mips[0];
    float du_dx = (t->dx[U] - u * t->dx[OVER_W]) * w * (float)whole->width;
    float dv_dx = (t->dx[V] - v * t->dx[OVER_W]) * w * (float)whole->height;
    float du_dy = (t->dy[U] - u * t->dy[OVER_W]) * w * (float)whole->width;
    float dv_dy = (t->dy[V] - v * t->dy[OVER_W]) * w * (float)whole->height;
    float across = du_dx * du_dx + dv_dx * dv_dx;
    float down = du_dy * du_dy + dv_dy * dv_dy;
    float most = across > down ? across : down;
    uint32_t level = 0;
    for (; most > 2 && level + 1 < texture->num_mips; most /= 4) { // sqrt(2) texels a pixel
        level++;
    }
    return &texture->mips[level];
}

// False when the pixel has a hole.
static bool shade(const triangle *t, const bspi_paint *paint, const float *values, float out[4]) {
    float w = 1 / values[OVER_W];
    float u = values[U] * w;
    float v = values[V] * w;
    const bspi_texture *texture = paint->texture;
    bspi_sample(pick_mip(t, texture, u, v, w), u, v, texture->clamp, out);
    if (texture->alpha == BSP_ALPHA_TEST && out[3] < texture->alpha_cut * 255) {
        return false;
    }
    if (paint->light != NULL) {
        float light[4];
        bspi_sample(paint->light, values[LIGHT_U] * w, values[LIGHT_V] * w, true, light);
        for (int i = 0; i < 3; i++) {
            out[i] *= light[i] * (BSPI_LIGHT_RANGE / 255);
        }
    } else if (paint->vertex_lit) {
        for (int i = 0; i < 3; i++) {
            out[i] *= values[RED + i] * w;
        }
    }
    return true;
}

static uint8_t to_byte(float value) {
    return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5F);
}

static void put(uint8_t *pixel, const bspi_paint *paint, const float color[4]) {
    float alpha = paint->blended ? paint->opacity : 1;
    if (paint->texture->alpha == BSP_ALPHA_BLEND && paint->blended) {
        alpha *= color[3] / 255;
    }
    for (int i = 0; i < 3; i++) {
        float behind = (float)pixel[i];
        switch (paint->blended ? paint->texture->alpha : BSP_ALPHA_OPAQUE) {
        case BSP_ALPHA_ADD:
            pixel[i] = to_byte(behind + color[i]);
            break;
        case BSP_ALPHA_FILTER:
            pixel[i] = to_byte(behind * color[i] / 255);
            break;
        default:
            pixel[i] = to_byte(behind + (color[i] - behind) * alpha);
        }
    }
}

// --- the walk -----------------------------------------------------------------------------------

static void draw_row(const bspi_canvas *canvas, const bspi_paint *paint, const triangle *t,
                     uint32_t y, uint32_t first, uint32_t end) {
    const point *origin = &t->corners[0];
    bool entered = false;
    for (uint32_t x = first; x < end; x++) {
        double px = x + 0.5;
        double py = y + 0.5;
        if (!inside(t, px, py)) {
            if (entered) {
                return; // a triangle is convex
            }
            continue;
        }
        entered = true;
        float dx = (float)(px - origin->x);
        float dy = (float)(py - origin->y);
        size_t at = (size_t)y * canvas->width + x;
        float key = origin->values[KEY] + dx * t->dx[KEY] + dy * t->dy[KEY];
        if (!(key > canvas->depth[at])) {
            continue;
        }
        if (paint->sky) {
            canvas->depth[at] = key;
            continue;
        }
        float values[VALUES];
        for (int v = 0; v < VALUES; v++) {
            values[v] = origin->values[v] + dx * t->dx[v] + dy * t->dy[v];
        }
        float color[4];
        if (shade(t, paint, values, color)) {
            put(canvas->pixels + at * 4, paint, color);
            if (!paint->blended) {
                canvas->depth[at] = key;
            }
        }
    }
}

// A coordinate of the box around a triangle, kept inside the picture.
static uint32_t bound(double value, uint32_t low, uint32_t high) {
    return value <= low ? low : value >= high ? high : (uint32_t)value;
}

static void draw_projected(const bspi_canvas *canvas, const bspi_paint *paint, triangle *t) {
    if (!set_up(t, paint->texture->two_sided)) {
        return;
    }
    const point *p = t->corners;
    double left = fmin(p[0].x, fmin(p[1].x, p[2].x));
    double right = fmax(p[0].x, fmax(p[1].x, p[2].x));
    double top = fmin(p[0].y, fmin(p[1].y, p[2].y));
    double low = fmax(p[0].y, fmax(p[1].y, p[2].y));
    uint32_t first = bound(floor(left), 0, canvas->width);
    uint32_t end = bound(ceil(right) + 1, 0, canvas->width);
    uint32_t row = bound(floor(top), canvas->first_row, canvas->end_row);
    uint32_t end_row = bound(ceil(low) + 1, canvas->first_row, canvas->end_row);
    for (; row < end_row; row++) {
        draw_row(canvas, paint, t, row, first, end);
    }
}

void bspi_draw_triangle(const bspi_canvas *canvas, const bspi_paint *paint,
                        const bspi_corner corners[3]) {
    bspi_corner clipped[4];
    uint32_t count = clip_near(corners, clipped);
    for (uint32_t i = 2; i < count; i++) {
        triangle t;
        project(canvas, &clipped[0], &t.corners[0]);
        project(canvas, &clipped[i - 1], &t.corners[1]);
        project(canvas, &clipped[i], &t.corners[2]);
        draw_projected(canvas, paint, &t);
    }
}
