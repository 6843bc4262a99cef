// SPDX-License-Identifier: MIT
// The inner loops: the rows of a triangle, eight pixels at a time. A file for each instruction set
// includes this and sets BSPI_DRAW to the name of the function. Colours are integers from the texel
// on, so that all instruction sets give the same bits.
#include "render/raster.h"

#include "core/lane_colors.h"
#include "mesh/bump.h"

#include <math.h>

// Texture coordinates are limited to this; a texture that repeats more often cannot be seen anyway.
#define MOST_REPEATS 65536.0F
// Translucent surfaces are drawn nearer by this factor, so that a decal does not flicker with its
// wall.
#define BLENDED_NEARER 1.00006F

#define WARP 8.0F          // texels
#define WARP_RATE 0.125F   // radians a texel
#define TURNS 0.159154943F // turns a radian

// --- edges --------------------------------------------------------------------------------------

// Where an edge crosses a row of pixels: the first pixel inside of a left edge, the last of a right
// one. It steps from row to row with integers, as a line is drawn.
typedef struct edge {
    int64_t at;
    int64_t step;
    int64_t rest; // of the division by `scale`
    int64_t step_rest;
    int64_t scale;
    int side; // -1 left, 1 right, 0 level: all pixels of a row are inside, or none
} edge;

static int64_t floor_divide(int64_t a, int64_t b, int64_t *rest) {
    int64_t q = a / b;
    int64_t r = a % b;
    q -= r < 0;
    *rest = r < 0 ? r + b : r;
    return q;
}

// Starts the edge from corner a to corner b, in the row with that number. A pixel whose centre lies
// on the edge is inside if the edge is a left or an upper one.
static void start_edge(edge *e, const bspi_triangle *t, int a, int b, uint32_t row) {
    int64_t across = t->y[a] - t->y[b];
    int64_t down = t->x[b] - t->x[a];
    bool include = across > 0 || (across == 0 && down > 0);
    int64_t y = (int64_t)row * BSPI_SUBPIXEL + BSPI_SUBPIXEL / 2;
    // How far the centre of pixel 0 is inside; 0 is inside too.
    int64_t n = across * (BSPI_SUBPIXEL / 2 - t->x[a]) + down * (y - t->y[a]) - (include ? 0 : 1);
    e->side = across > 0 ? -1 : across < 0 ? 1 : 0;
    e->scale = (across < 0 ? -across : across) * BSPI_SUBPIXEL;
    if (e->side == 0) {
        e->at = n;
        e->step = down * BSPI_SUBPIXEL;
        return;
    }
    e->at = floor_divide(n, e->scale, &e->rest);
    e->step = floor_divide(down * BSPI_SUBPIXEL, e->scale, &e->step_rest);
}

// Narrows the run of pixels [first, end) to those inside.
static void cut_run(const edge *e, int64_t *first, int64_t *end) {
    if (e->side < 0) {
        *first = -e->at > *first ? -e->at : *first;
    } else if (e->side > 0) {
        *end = e->at + 1 < *end ? e->at + 1 : *end;
    } else if (e->at < 0) {
        *end = *first;
    }
}

static void step_edge(edge *e) {
    e->at += e->step;
    if (e->side != 0) {
        e->rest += e->step_rest;
        if (e->rest >= e->scale) {
            e->rest -= e->scale;
            e->at++;
        }
    }
}

// --- sampling -----------------------------------------------------------------------------------

// The first of the two texels around a coordinate on one axis, and the weight of the second, of
// 256.
typedef struct tap {
    i8 first;
    i8 part;
} tap;

BSPI_LANES f8 floor8(f8 a) { // for values that fit an integer
    f8 whole = i8_to_float(f8_to_int(a));
    return whole + i8_to_float(whole > a); // a mask that is set is -1
}

BSPI_LANES tap tap_of(f8 at, uint32_t size, bool clamp) {
    int32_t last = (int32_t)size - 1;
    if (clamp) {
        at = f8_clamp(at, 0, 1);
    } else {
        at = f8_clamp(at, -MOST_REPEATS, MOST_REPEATS);
        at -= floor8(at);
    }
    // Half a texel back, and one forward so that no value is negative.
    i8 place = f8_to_int(at * f8_all((float)size * 256) + f8_all(128));
    i8 first = (place >> 8) - 1;
    i8 part = place & 255;
    i8 before = first < i8_all(0);
    if (clamp) { // only the outermost texels, in their outer halves
        i8 outer = before | (first >= i8_all(last));
        first = i8_pick(first > i8_all(last), i8_all(last), first & ~before);
        return (tap){first, part & ~outer};
    }
    return (tap){i8_pick(before, i8_all(last), first), part};
}

BSPI_LANES color8 sample(const bspi_mip *mip, f8 u, f8 v, bool clamp) {
    tap x = tap_of(u, mip->width, clamp);
    tap y = tap_of(v, mip->height, clamp);
    size_t row = (size_t)mip->pitch * 4;
    uint32_t at[8];
    i8_store(at, y.first * (int32_t)mip->pitch + x.first);
    pairs8 upper = gather(mip->pixels, at);
    pairs8 lower = gather(mip->pixels + row, at);
    color8 a = color8_of(upper.left);
    color8 b = color8_of(upper.right);
    color8 c = color8_of(lower.left);
    color8 d = color8_of(lower.right);
    u16x16 fx = (u16x16)(x.part | x.part << 16);
    u16x16 fy = (u16x16)(y.part | y.part << 16);
    u16x16 gx = 256 - fx;
    u16x16 gy = 256 - fy;
    return (color8){
        mix256(mix256(a.rb, b.rb, fx, gx), mix256(c.rb, d.rb, fx, gx), fy, gy),
        mix256(mix256(a.ga, b.ga, fx, gx), mix256(c.ga, d.ga, fx, gx), fy, gy),
    };
}

// Picks the mip whose texels are about as large as a pixel, by how fast the coordinates change.
static const bspi_mip *pick_mip(const bspi_triangle *t, const bspi_texture *texture, float u,
                                float v, float w, float repeats) {
    const bspi_mip *whole = &texture->chain.mips[0];
    float width = w * repeats * (float)whole->width;
    float height = w * repeats * (float)whole->height;
    float du_dx = (t->dx[BSPI_U] - u * t->dx[BSPI_OVER_W]) * width;
    float dv_dx = (t->dx[BSPI_V] - v * t->dx[BSPI_OVER_W]) * height;
    float du_dy = (t->dy[BSPI_U] - u * t->dy[BSPI_OVER_W]) * width;
    float dv_dy = (t->dy[BSPI_V] - v * t->dy[BSPI_OVER_W]) * height;
    float across = du_dx * du_dx + dv_dx * dv_dx;
    float down = du_dy * du_dy + dv_dy * dv_dy;
    float most = across > down ? across : down;
    uint32_t level = 0;
    for (; most > 2 && level + 1 < texture->chain.count;
         most *= 0.25F) { // sqrt(2) texels per pixel
        level++;
    }
    return &texture->chain.mips[level];
}

// --- shading ------------------------------------------------------------------------------------

// The values of a triangle along a row.
typedef struct row {
    float at[BSPI_VALUES]; // at pixel `left` of the triangle
} row;

BSPI_LANES f8 along(const bspi_triangle *t, const row *r, int value, f8 x) {
    return f8_all(r->at[value]) + f8_all(t->dx[value]) * x;
}

BSPI_LANES color8 light_up(color8 c, color8 light) {
    // 128 of 255 on a light page is a factor of 1 (BSPI_LIGHT_RANGE).
    u16x16 green_only = (u16x16)i8_all(0x0000FFFF);
    u16x16 rb = saturate((c.rb * light.rb + 64) >> 7);
    u16x16 ga = saturate((c.ga * light.ga + 64) >> 7);
    return (color8){rb, (ga & green_only) | (c.ga & ~green_only)};
}

BSPI_LANES i8 byte_of(f8 value) {
    return f8_to_int(f8_clamp(value, 0, 1) * f8_all(255) + f8_all(0.5F));
}

BSPI_LANES color8 light_by_vertex(const bspi_triangle *t, const row *r, f8 x, f8 w, color8 c) {
    i8 red = byte_of(along(t, r, BSPI_RED, x) * w);
    i8 green = byte_of(along(t, r, BSPI_GREEN, x) * w);
    i8 blue = byte_of(along(t, r, BSPI_BLUE, x) * w);
    i8 opaque = i8_all(255 << 16);
    return (color8){over255(c.rb * (u16x16)(red | blue << 16)),
                    over255(c.ga * (u16x16)(green | opaque))};
}

// Mixes `c` and another texture by a value of the vertices.
BSPI_LANES color8 mix_in(const bspi_triangle *t, const bspi_texture *texture, int value,
                         const row *r, f8 x, f8 place[3], int first, color8 c) {
    f8 u = place[0];
    f8 v = place[1];
    f8 w = place[2];
    i8 part = byte_of(along(t, r, value, x) * w);
    u16x16 alpha = (u16x16)(part | part << 16);
    u16x16 rest = 255 - alpha;
    float repeats = texture->repeats;
    f8 times = f8_all(repeats);
    const bspi_mip *mip = pick_mip(t, texture, u[first], v[first], w[first], repeats);
    color8 d = sample(mip, u * times, v * times, false);
    return (color8){over255(c.rb * rest + d.rb * alpha), over255(c.ga * rest + d.ga * alpha)};
}

// Returns about the sine of an angle in turns: two parabolas.
BSPI_LANES f8 sine(f8 turns) {
    f8 t = turns - floor8(turns);
    i8 later = t >= f8_all(0.5F);
    f8 half = t - f8_pick(later, f8_all(0.5F), f8_all(0));
    f8 arc = half * (f8_all(0.5F) - half) * f8_all(16);
    return f8_pick(later, -arc, arc);
}

// Mixes the light of three directions by a normal map, in the weights of the engine's shaders: the
// squares of the cosines between the normal and each direction (bumpvects.h of the SDK).
BSPI_LANES color8 bump_light(const bspi_paint *paint, color8 normal, f8 u, f8 v) {
    i8 low = i8_all(0xFFFF);
    f8 xyz[3] = {i8_to_float((i8)normal.rb & low), i8_to_float((i8)normal.ga & low),
                 i8_to_float((i8)(normal.rb) >> 16 & low)};
    f8 parts[3];
    f8 sum = f8_all(0);
    for (int i = 0; i < 3; i++) {
        f8 along = f8_all(0);
        for (int axis = 0; axis < 3; axis++) {
            along += (xyz[axis] * f8_all(2.0F / 255) - f8_all(1)) *
                     f8_all(bspi_bump_directions[i][axis]);
        }
        along = f8_clamp(along, 0, 2);
        parts[i] = paint->bump->self_shadowed ? xyz[i] * f8_all(1.0F / 255) : along * along;
        sum += parts[i];
    }
    f8 scale = paint->bump->self_shadowed ? f8_all(256) : f8_all(256) / (sum + f8_all(1e-6F));
    color8 light = color8_of(i8_all(0));
    for (int i = 0; i < 3; i++) {
        i8 part = f8_to_int(f8_clamp(parts[i] * scale, 0, 256));
        u16x16 weight = (u16x16)(part | part << 16);
        color8 from = sample(paint->directions[i], u, v, true);
        light.rb += (from.rb * weight) >> 8;
        light.ga += (from.ga * weight) >> 8;
    }
    return (color8){saturate(light.rb), saturate(light.ga)};
}

// Moves coordinates as Quake's liquids do (gl_warp.c, EmitWaterPolys): 8 texels to and fro, by a
// sine of the other coordinate of which an eighth of a texel is a radian.
BSPI_LANES void warp(const bspi_paint *paint, f8 *u, f8 *v) {
    const bspi_mip *whole = &paint->texture->chain.mips[0];
    float width = (float)whole->width;
    float height = (float)whole->height;
    f8 time = f8_all(paint->warp_time * TURNS);
    f8 from_u = f8_clamp(*u, -MOST_REPEATS, MOST_REPEATS);
    f8 from_v = f8_clamp(*v, -MOST_REPEATS, MOST_REPEATS);
    *u = from_u + sine(from_v * f8_all(height * WARP_RATE * TURNS) + time) * f8_all(WARP / width);
    *v = from_v + sine(from_u * f8_all(width * WARP_RATE * TURNS) + time) * f8_all(WARP / height);
}

// Computes the colours of eight pixels; holes are removed from `seen`.
BSPI_LANES color8 shade(const bspi_triangle *t, const bspi_paint *paint, const row *r, f8 x,
                        i8 *seen) {
    const bspi_texture *texture = paint->texture;
    f8 w = 1 / along(t, r, BSPI_OVER_W, x);
    f8 u = along(t, r, BSPI_U, x) * w;
    f8 v = along(t, r, BSPI_V, x) * w;
    if (paint->warps) {
        warp(paint, &u, &v);
    }
    int bump_lane = paint->bump != NULL ? __builtin_ctz(i8_bits(*seen)) : 0;
    const bspi_mip *mip = &texture->chain.mips[0];
    if (texture->chain.count > 1) {
        int first = __builtin_ctz(i8_bits(*seen));
        mip = pick_mip(t, texture, u[first], v[first], w[first], 1);
    }
    color8 c = sample(mip, u, v, texture->clamp);
    if (paint->second != NULL) {
        f8 place[3] = {u, v, w};
        int first = __builtin_ctz(i8_bits(*seen));
        c = mix_in(t, paint->second, BSPI_ALPHA, r, x, place, first, c);
        for (uint32_t i = 0; i < BSPI_LAYERS; i++) {
            if (paint->layers[i] != NULL) {
                c = mix_in(t, paint->layers[i], BSPI_RED + (int)i, r, x, place, first, c);
            }
        }
    }
    if (texture->alpha == BSP_ALPHA_TEST) {
        *seen &= (i8)(c.ga >> 0) >> 16 >= i8_all(paint->cut);
    }
    if (paint->light != NULL) {
        f8 light_u = along(t, r, BSPI_LIGHT_U, x) * w;
        f8 light_v = along(t, r, BSPI_LIGHT_V, x) * w;
        if (paint->bump == NULL) {
            c = light_up(c, sample(paint->light, light_u, light_v, true));
        } else {
            int lane = bump_lane;
            color8 n = sample(pick_mip(t, paint->bump, u[lane], v[lane], w[lane], 1), u, v,
                              texture->clamp);
            c = light_up(c, bump_light(paint, n, light_u, light_v));
        }
    } else if (paint->vertex_lit) {
        c = light_by_vertex(t, r, x, w, c);
    }
    return c;
}

// Computes how much of eight pixels, of 255, fog covers: by the part of the way to them that lies
// in it. `w` is their depth, `x` and `y` their place in the picture.
BSPI_LANES i8 haze_amount(const bspi_haze *haze, f8 w, i8 x, uint32_t y) {
    f8 way = w;
    if (haze->bounded) {
        f8 eye = f8_all(haze->eye);
        f8 rate =
            f8_all(haze->base + haze->down * (float)y) + f8_all(haze->across) * i8_to_float(x);
        f8 at = eye + rate * w;
        f8 part = haze->eye >= 0 ? f8_pick(at < f8_all(0), at / (at - eye), f8_all(0))
                                 : f8_pick(at > f8_all(0), eye / (eye - at), f8_all(1));
        way = w * part;
    }
    f8 step = f8_clamp(way * f8_all(haze->fog->scale), 0, (float)(BSPI_FOG_STEPS - 1));
    i8 at = f8_to_int(step);
    i8 amount = at;
    for (int i = 0; i < 8; i++) {
        amount[i] = haze->fog->amounts[at[i]];
    }
    return amount;
}

// Mixes the colours of eight pixels with that of fog; their alpha stays.
BSPI_LANES color8 add_haze(const bspi_paint *paint, color8 c, i8 amount) {
    u16x16 part = (u16x16)(amount | amount << 16);
    u16x16 rest = 255 - part;
    u16x16 green_only = (u16x16)i8_all(0x0000FFFF);
    const uint8_t *color = paint->haze_color;
    u16x16 rb = (u16x16)i8_all(color[0] | color[2] << 16);
    u16x16 ga = (u16x16)i8_all(color[1]);
    u16x16 green = over255(c.ga * rest + ga * part);
    return (color8){over255(c.rb * rest + rb * part), (green & green_only) | (c.ga & ~green_only)};
}

// Blends `c` over the colour `behind`.
BSPI_LANES color8 blend(const bspi_paint *paint, color8 c, color8 behind) {
    if (paint->add) {
        u16x16 part = (u16x16)i8_all((int32_t)(paint->opacity * 0x10001u));
        return (color8){saturate(behind.rb + over255(c.rb * part)),
                        saturate(behind.ga + over255(c.ga * part))};
    }
    if (paint->texture->alpha == BSP_ALPHA_ADD) {
        return (color8){saturate(behind.rb + c.rb), saturate(behind.ga + c.ga)};
    }
    if (paint->texture->alpha == BSP_ALPHA_FILTER) {
        return (color8){over255(behind.rb * c.rb), over255(behind.ga * c.ga)};
    }
    u16x16 alpha = (u16x16)i8_all((int32_t)(paint->opacity * 0x10001u));
    if (paint->texture->alpha == BSP_ALPHA_BLEND) {
        i8 own = (i8)c.ga >> 16;
        alpha = over255(alpha * (u16x16)(own | own << 16));
    }
    u16x16 rest = 255 - alpha;
    return (color8){over255(c.rb * alpha + behind.rb * rest),
                    over255(c.ga * alpha + behind.ga * rest)};
}

// --- mirrors ------------------------------------------------------------------------------------

// How much of each colour eight pixels mirror, 0..1; holes are removed from `seen`.
BSPI_LANES void mirror_parts(const bspi_triangle *t, const bspi_paint *paint, const row *r, f8 x,
                             i8 *seen, f8 parts[3]) {
    const bspi_texture *texture = paint->texture;
    const bspi_texture *mask = paint->shine->mask;
    f8 w = 1 / along(t, r, BSPI_OVER_W, x);
    f8 u = along(t, r, BSPI_U, x) * w;
    f8 v = along(t, r, BSPI_V, x) * w;
    int lane = __builtin_ctz(i8_bits(*seen));
    f8 all = f8_all((float)paint->opacity / 255);
    if (texture->alpha == BSP_ALPHA_TEST || texture->alpha == BSP_ALPHA_BLEND) {
        color8 c = sample(pick_mip(t, texture, u[lane], v[lane], w[lane], 1), u, v, texture->clamp);
        i8 alpha = (i8)c.ga >> 16;
        if (texture->alpha == BSP_ALPHA_TEST) {
            *seen &= alpha >= i8_all(paint->cut);
        } else {
            all = all * i8_to_float(alpha) * f8_all(1.0F / 255);
        }
    }
    for (int i = 0; i < 3; i++) {
        parts[i] = all * f8_all(paint->shine->tint[i]);
    }
    if (mask != NULL) {
        color8 m = sample(pick_mip(t, mask, u[lane], v[lane], w[lane], 1), u, v, texture->clamp);
        i8 low = i8_all(0xFFFF);
        i8 channels[3] = {(i8)m.rb & low, (i8)m.ga & low, (i8)(m.rb) >> 16 & low};
        for (int i = 0; i < 3; i++) {
            parts[i] = parts[i] * i8_to_float(channels[i]) * f8_all(1.0F / 255);
        }
    }
}

// Adds to a pixel the light that it mirrors, in linear light, which squares stand for. `clear` is
// how much of it fog lets through.
static uint32_t add_mirrored(const bspi_paint *paint, const float direction[3], float against,
                             const float parts[3], float clear, uint32_t pixel) {
    const bspi_shine *shine = paint->shine;
    float light[4];
    float length = sqrtf(direction[0] * direction[0] + direction[1] * direction[1] +
                         direction[2] * direction[2]);
    float facing = length > 0 ? against / length : 1;
    float aside = facing < 0 ? 1 : facing < 1 ? 1 - facing : 0;
    float power = aside * aside * aside * aside * aside;
    float seen = (shine->fresnel + (1 - shine->fresnel) * power) * clear;
    bspi_cube_sample(paint->cube, direction, light);
    for (int i = 0; i < 3; i++) {
        light[i] = light[i] * light[i] / (255 * 255);
        light[i] += (light[i] * light[i] - light[i]) * shine->contrast;
    }
    float grey = light[0] * 0.299F + light[1] * 0.587F + light[2] * 0.114F;
    uint32_t out = 0xFF000000u;
    for (int i = 0; i < 3; i++) {
        float base = (float)(pixel >> 8 * i & 255);
        float added = (grey + (light[i] - grey) * shine->saturation) * parts[i] * seen;
        float sum = sqrtf(base * base + (added > 0 ? added : 0) * (255 * 255)) + 0.5F;
        out |= (sum < 255 ? (uint32_t)sum : 255u) << 8 * i;
    }
    return out;
}

// Computes what eight pixels become; `amount` of 255 is how much fog covers them.
BSPI_LANES i8 mirror(const bspi_triangle *t, const bspi_paint *paint, const row *r, f8 x, i8 *seen,
                     i8 amount, i8 before) {
    f8 parts[3];
    f8 from[4];
    mirror_parts(t, paint, r, x, seen, parts);
    for (int i = 0; i < 4; i++) {
        from[i] = along(t, r, BSPI_RED + i, x);
    }
    i8 out = before;
    for (int i = 0; i < 8; i++) {
        const float direction[3] = {from[0][i], from[1][i], from[2][i]};
        const float part[3] = {parts[0][i], parts[1][i], parts[2][i]};
        if ((*seen)[i] != 0) {
            out[i] = (int32_t)add_mirrored(paint, direction, from[3][i], part,
                                           1 - (float)amount[i] / 255, (uint32_t)before[i]);
        }
    }
    return out;
}

// --- rows ---------------------------------------------------------------------------------------

// `first` and `end` are pixels of the row.
BSPI_LANES_TARGET static void draw_run(bspi_strip *strip, const bspi_triangle *t,
                                       const bspi_paint *paint, uint32_t y, int32_t first,
                                       int32_t end) {
    const i8 count = {0, 1, 2, 3, 4, 5, 6, 7};
    const i8 solid = i8_all((int32_t)0xFF000000u);
    size_t start = (size_t)(y - strip->first_row) * strip->stride;
    float down = (float)((int32_t)y - t->top);
    float nearer = paint->blended ? BLENDED_NEARER : 1;
    row r;
    for (int v = 0; v < BSPI_VALUES; v++) {
        r.at[v] = t->base[v] + t->dy[v] * down;
    }
    for (int32_t x = first & ~7; x < end; x += 8) {
        float *depth = strip->depth + start + x;
        uint32_t *pixels = strip->pixels + start + x;
        f8 from_left = i8_to_float(count + (x - t->left));
        f8 key = along(t, &r, BSPI_KEY, from_left) * f8_all(nearer);
        i8 lane = count + x;
        i8 seen = (key > f8_load(depth)) & (lane >= i8_all(first)) & (lane < i8_all(end));
        if (i8_bits(seen) == 0) {
            continue;
        }
        i8 before = i8_load(pixels);
        if (paint->sky) {
            f8_store(depth, f8_pick(seen, key, f8_load(depth)));
            i8_store(pixels, before & ~seen);
            continue;
        }
        if (paint->shine != NULL) {
            i8 amount = i8_all(0);
            if (paint->haze != NULL) {
                f8 w = 1 / along(t, &r, BSPI_OVER_W, from_left);
                amount = haze_amount(paint->haze, w, lane, y);
            }
            i8_store(pixels, mirror(t, paint, &r, from_left, &seen, amount, before));
            strip->drawn += bits8_count(i8_bits(seen));
            continue;
        }
        color8 c = shade(t, paint, &r, from_left, &seen);
        if (paint->haze != NULL) {
            f8 w = 1 / along(t, &r, BSPI_OVER_W, from_left);
            c = add_haze(paint, c, haze_amount(paint->haze, w, lane, y));
        }
        if (paint->blended) {
            c = blend(paint, c, color8_of(before));
        } else {
            f8_store(depth, f8_pick(seen, key, f8_load(depth)));
        }
        i8_store(pixels, i8_pick(seen, color8_pack(c) | solid, before));
        strip->drawn += bits8_count(i8_bits(seen));
    }
}

BSPI_LANES_TARGET void BSPI_DRAW(bspi_strip *strip, const bspi_triangle *t,
                                 const bspi_paint *paint) {
    uint32_t y = t->first_row > strip->first_row ? t->first_row : strip->first_row;
    uint32_t end_row = t->end_row < strip->end_row ? t->end_row : strip->end_row;
    edge edges[3];
    for (int i = 0; i < 3; i++) {
        start_edge(&edges[i], t, i, (i + 1) % 3, y);
    }
    for (; y < end_row; y++) {
        int64_t first = 0;
        int64_t end = strip->width;
        for (int i = 0; i < 3; i++) {
            cut_run(&edges[i], &first, &end);
            step_edge(&edges[i]);
        }
        if (first < end) {
            draw_run(strip, t, paint, y, (int32_t)first, (int32_t)end);
        }
    }
}

// --- sky ----------------------------------------------------------------------------------------

// Computes a direction at eight adjacent pixels.
BSPI_LANES f8 spread(const bspi_sky_run *run, int axis) {
    const f8 count = {0, 1, 2, 3, 4, 5, 6, 7};
    return f8_all(run->from[axis]) + f8_all(run->step[axis]) * count;
}

// Computes eight colours of one side of the box, as bspi_sky_side with the axes of that side.
BSPI_LANES color8 box_of(const bspi_sky *sky, uint32_t side, const bspi_sky_run *run) {
    static const struct {
        int main, right, up;
        float s, t;
    } sides[BSP_SKY_SIDES] = {{0, 1, 2, -1, 1}, {0, 1, 2, 1, 1},   {1, 0, 2, 1, 1},
                              {1, 0, 2, -1, 1}, {2, 1, 0, -1, -1}, {2, 1, 0, -1, 1}};
    const bspi_mip *mip = &sky->sides[side].chain.mips[0];
    f8 far = spread(run, sides[side].main);
    far = f8_pick(far < f8_all(0), -far, far);
    f8 s = spread(run, sides[side].right) * f8_all(sides[side].s) / far;
    f8 t = spread(run, sides[side].up) * f8_all(sides[side].t) / far;
    f8 v = (1 - t) * f8_all(0.5F);
    v = side < 4 && mip->width == 2 * mip->height ? v * f8_all(2) : v;
    return sample(mip, (s + 1) * f8_all(0.5F), v, true);
}

BSPI_LANES color8 add_clouds(const bspi_sky *sky, const float from[2], const float to[2],
                             color8 c) {
    const f8 eighths = {0, 0.125F, 0.25F, 0.375F, 0.5F, 0.625F, 0.75F, 0.875F};
    f8 u = f8_all(from[0]) + f8_all(to[0] - from[0]) * eighths;
    f8 v = f8_all(from[1]) + f8_all(to[1] - from[1]) * eighths;
    for (uint32_t i = 0; i < sky->num_layers; i++) {
        const bspi_texture *layer = &sky->layers[i];
        bspi_paint paint = {.texture = layer, .opacity = 255};
        color8 cloud =
            sample(&layer->chain.mips[0], u * f8_all(sky->scale[i][0]) + f8_all(sky->shift[i][0]),
                   v * f8_all(sky->scale[i][1]) + f8_all(sky->shift[i][1]), false);
        c = layer->alpha == BSP_ALPHA_OPAQUE ? cloud : blend(&paint, cloud, c);
    }
    return c;
}

// Eight pixels on one side of the box and of the horizon are drawn at once: clouds bend so little
// on the way that a linear step is exact enough.
BSPI_LANES_TARGET void BSPI_SKY(const bspi_sky *sky, const bspi_sky_run *run, uint32_t out[8]) {
    float s;
    float t;
    float last[3];
    float behind[3];
    float uv[2][2];
    for (int i = 0; i < 3; i++) {
        last[i] = run->from[i] + run->step[i] * 7;
        behind[i] = run->from[i] + run->step[i] * 8;
    }
    uint32_t side = bspi_sky_side(run->from, &s, &t);
    bool covered = sky->num_layers != 0 && bspi_sky_place(sky, run->from, uv[0]);
    bool stays = sky->num_layers != 0 && bspi_sky_place(sky, behind, uv[1]);
    if (bspi_sky_side(last, &s, &t) != side || covered != stays) {
        for (int i = 0; i < 8; i++) {
            float direction[3];
            uint8_t color[3];
            for (int axis = 0; axis < 3; axis++) {
                direction[axis] = run->from[axis] + run->step[axis] * (float)i;
            }
            bspi_sky_color(sky, direction, color);
            out[i] = color[0] | (uint32_t)color[1] << 8 | (uint32_t)color[2] << 16 | 0xFF000000u;
        }
        return;
    }
    color8 c = color8_of(i8_all(0));
    c = sky->sides[side].chain.count != 0 ? box_of(sky, side, run) : c;
    c = covered ? add_clouds(sky, uv[0], uv[1], c) : c;
    i8_store(out, color8_pack(c) | i8_all((int32_t)0xFF000000u));
}
