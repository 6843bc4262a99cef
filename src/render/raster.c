// SPDX-License-Identifier: MIT
// Sets up triangles: clips them at the near plane and far outside the picture, projects them to
// 1/256 pixels, and computes how their values change from pixel to pixel.
#include "render/raster.h"

#include <math.h>
#include <string.h>

// Nothing nearer than this, in units, is drawn.
#define NEAR_PLANE 1.0F
// Work per row: eight pixels are drawn at once.
#define ROW_STEPS 2u
#define PIXELS_A_STEP 4u

// --- clipping -----------------------------------------------------------------------------------

#define FLOATS (sizeof(bspi_corner) / sizeof(float))
#define PLANES 6
#define PERSPECTIVE_PLANES 5 // the last one cuts a parallel view
#define MAX_CORNERS 9u       // three, and one more for each plane

// Returns how far a corner is inside a plane; negative is outside.
static float inside_by(const bspi_corner *corner, int plane) {
    switch (plane) {
    case 0:
        return corner->w - NEAR_PLANE;
    case 1:
        return corner->w * BSPI_GUARD + corner->x;
    case 2:
        return corner->w * BSPI_GUARD - corner->x;
    case 3:
        return corner->w * BSPI_GUARD + corner->y;
    case 4:
        return corner->w * BSPI_GUARD - corner->y;
    default:
        return 1 - corner->key;
    }
}

// Always from the inner corner to the outer one, so that two triangles with this edge get the same
// point.
static void cut(const bspi_corner *inner, const bspi_corner *outer, float in, float out,
                bspi_corner *point) {
    float from[FLOATS];
    float to[FLOATS];
    float t = in / (in - out);
    memcpy(from, inner, sizeof from);
    memcpy(to, outer, sizeof to);
    for (size_t i = 0; i < FLOATS; i++) {
        from[i] += (to[i] - from[i]) * t;
    }
    memcpy(point, from, sizeof from);
}

static uint32_t clip_plane(const bspi_corner *in, uint32_t count, int plane, bspi_corner *out) {
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bspi_corner *a = &in[i];
        const bspi_corner *b = &in[i + 1 < count ? i + 1 : 0];
        float at_a = inside_by(a, plane);
        float at_b = inside_by(b, plane);
        if (at_a >= 0) {
            out[left++] = *a;
        }
        if (at_a >= 0 && at_b < 0) {
            cut(a, b, at_a, at_b, &out[left++]);
        } else if (at_a < 0 && at_b >= 0) {
            cut(b, a, at_b, at_a, &out[left++]);
        }
    }
    return left;
}

static bool is_outside(const bspi_corner corners[3], int plane) {
    return inside_by(&corners[0], plane) < 0 || inside_by(&corners[1], plane) < 0 ||
           inside_by(&corners[2], plane) < 0;
}

static uint32_t clip(const bspi_corner in[3], bool parallel, bspi_corner out[MAX_CORNERS]) {
    uint32_t count = 3;
    int planes = parallel ? PLANES : PERSPECTIVE_PLANES;
    memcpy(out, in, 3 * sizeof *in);
    for (int plane = 0; plane < planes && count != 0; plane++) {
        if (is_outside(in, plane)) {
            bspi_corner before[MAX_CORNERS];
            memcpy(before, out, count * sizeof *out);
            count = clip_plane(before, count, plane, out);
        }
    }
    return count;
}

// --- one triangle -------------------------------------------------------------------------------

typedef struct point {
    int32_t x;
    int32_t y;
    float values[BSPI_VALUES];
} point;

// Rounds to the nearest 1/256 pixel. Returns false for NaN or a place that is still too far.
static bool to_subpixel(float at, uint32_t size, int32_t *out) {
    double place = ((double)at + size * 0.5) * BSPI_SUBPIXEL;
    double most = 2.0 * (double)BSPI_GUARD * BSPI_SUBPIXEL;
    if (!(place >= -most && place <= most)) {
        return false;
    }
    *out = (int32_t)floor(place + 0.5);
    return true;
}

static bool project(const bspi_screen *screen, const bspi_corner *corner, const float shift[2],
                    point *out) {
    float over_w = 1 / corner->w;
    out->values[BSPI_OVER_W] = over_w;
    out->values[BSPI_KEY] = screen->parallel ? corner->key : over_w;
    out->values[BSPI_U] = (corner->uv[0] - shift[0]) * over_w;
    out->values[BSPI_V] = (corner->uv[1] - shift[1]) * over_w;
    out->values[BSPI_LIGHT_U] = corner->light_uv[0] * over_w;
    out->values[BSPI_LIGHT_V] = corner->light_uv[1] * over_w;
    for (int i = 0; i < 3; i++) {
        out->values[BSPI_RED + i] = corner->color[i] * over_w;
    }
    out->values[BSPI_ALPHA] = corner->alpha * over_w;
    return to_subpixel(corner->x * over_w, screen->width, &out->x) &&
           to_subpixel(corner->y * over_w, screen->height, &out->y);
}

// Gives the pixels whose centres lie between two places, on an axis of `size` pixels.
static void cover(const int32_t at[3], uint32_t size, uint32_t *first, uint32_t *end) {
    int32_t low = at[0] < at[1] ? at[0] : at[1];
    int32_t high = at[0] > at[1] ? at[0] : at[1];
    low = at[2] < low ? at[2] : low;
    high = at[2] > high ? at[2] : high;
    // The centre of pixel n is at 256 n + 128. Divisions round down, also below 0.
    int32_t half = BSPI_SUBPIXEL / 2;
    int64_t from = (int64_t)floor((low - half + BSPI_SUBPIXEL - 1) / (double)BSPI_SUBPIXEL);
    int64_t to = (int64_t)floor((high - half) / (double)BSPI_SUBPIXEL) + 1;
    *first = from < 0 ? 0 : from > size ? size : (uint32_t)from;
    *end = to < (int64_t)*first ? *first : to > size ? size : (uint32_t)to;
}

static void set_values(bspi_triangle *t, const point *p[3], double area) {
    double edges[3][2]; // of the opposite corner
    for (int i = 0; i < 3; i++) {
        const point *a = p[(i + 1) % 3];
        const point *b = p[(i + 2) % 3];
        edges[i][0] = (double)(a->y - b->y) * BSPI_SUBPIXEL / area;
        edges[i][1] = (double)(b->x - a->x) * BSPI_SUBPIXEL / area;
    }
    double x = t->left + 0.5 - (double)p[0]->x / BSPI_SUBPIXEL;
    double y = t->top + 0.5 - (double)p[0]->y / BSPI_SUBPIXEL;
    for (int v = 0; v < BSPI_VALUES; v++) {
        double dx = 0;
        double dy = 0;
        for (int i = 0; i < 3; i++) {
            dx += edges[i][0] * (double)p[i]->values[v];
            dy += edges[i][1] * (double)p[i]->values[v];
        }
        t->base[v] = (float)((double)p[0]->values[v] + dx * x + dy * y);
        t->dx[v] = (float)dx;
        t->dy[v] = (float)dy;
    }
}

// A row is as long as the area over the height, and at most as the visible part.
static uint32_t row_work(const bspi_triangle *t, int64_t area, uint32_t width) {
    int32_t low = t->y[0] < t->y[1] ? t->y[0] : t->y[1];
    int32_t high = t->y[0] > t->y[1] ? t->y[0] : t->y[1];
    low = t->y[2] < low ? t->y[2] : low;
    high = t->y[2] > high ? t->y[2] : high;
    int64_t length = (area < 0 ? -area : area) / 2 / (high - low) / BSPI_SUBPIXEL;
    uint32_t pixels = length < (int64_t)width ? (uint32_t)length : width;
    return ROW_STEPS + pixels / PIXELS_A_STEP;
}

// Returns false for a triangle that is not drawn.
static bool set_up(const bspi_screen *screen, bool two_sided, const point *p[3], bspi_triangle *t) {
    int64_t area = (int64_t)(p[1]->x - p[0]->x) * (p[2]->y - p[0]->y) -
                   (int64_t)(p[2]->x - p[0]->x) * (p[1]->y - p[0]->y);
    if (area == 0 || (area > 0 && !two_sided)) {
        return false; // y points down: a front has a negative area
    }
    const point *turned[3] = {p[0], area < 0 ? p[2] : p[1], area < 0 ? p[1] : p[2]};
    for (int i = 0; i < 3; i++) {
        t->x[i] = turned[i]->x;
        t->y[i] = turned[i]->y;
    }
    uint32_t left;
    uint32_t right;
    cover(t->x, screen->width, &left, &right);
    cover(t->y, screen->height, &t->first_row, &t->end_row);
    if (left == right || t->first_row == t->end_row) {
        return false;
    }
    t->row_work = row_work(t, area, right - left);
    t->left = (int32_t)left;
    t->top = (int32_t)t->first_row;
    set_values(t, turned, (double)(area < 0 ? -area : area));
    return true;
}

// Removes whole repeats, because small coordinates have finer fractions.
static void find_shift(const bspi_paint *paint, const bspi_corner *corner, float shift[2]) {
    for (int i = 0; i < 2; i++) {
        float whole = floorf(corner->uv[i]);
        shift[i] = paint->texture->clamp || paint->warps || !isfinite(whole) ? 0 : whole;
    }
}

uint32_t bspi_triangle_set_up(const bspi_screen *screen, const bspi_paint *paint,
                              const bspi_corner corners[3], bspi_triangle out[BSPI_MAX_PIECES]) {
    bspi_corner clipped[MAX_CORNERS];
    point points[MAX_CORNERS];
    float shift[2];
    uint32_t count = clip(corners, screen->parallel, clipped);
    find_shift(paint, &corners[0], shift);
    for (uint32_t i = 0; i < count; i++) {
        if (!project(screen, &clipped[i], shift, &points[i])) {
            return 0;
        }
    }
    uint32_t made = 0;
    for (uint32_t i = 2; i < count; i++) {
        const point *p[3] = {&points[0], &points[i - 1], &points[i]};
        made += set_up(screen, paint->texture->two_sided, p, &out[made]);
    }
    return made;
}
