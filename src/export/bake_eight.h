// SPDX-License-Identifier: MIT
// The rows of a baked triangle, eight texels at a time. A file for each instruction set includes
// this and sets BSPI_ROW to the name of the function. Each lane does what bake_plain.c and
// bspi_mip_sample do, operation by operation, so the bits are the same.
#include "export/bake.h"
#include "export/bake_rows.h"

#include "core/lane_colors.h"

#define MOST_REPEATS 1e6F // as in mip_chain.c

/// Eight places on one axis of an image: the texels on both sides, and the part of the second.
typedef struct taps8 {
    i8 first;
    i8 second;
    f8 part;
} taps8;

/// Eight colours of floats, a channel each.
typedef struct rgba8 {
    f8 channel[4];
} rgba8;

BSPI_LANES f8 fraction8(f8 x) { // of numbers of 0 or more
    return x - i8_to_float(f8_to_int(x));
}

BSPI_LANES taps8 taps_of(f8 place, uint32_t texels) {
    i8 last = i8_all((int32_t)texels);
    f8 size = f8_all((float)(int32_t)texels);
    i8 known = (place > f8_all(-MOST_REPEATS)) & (place < f8_all(MOST_REPEATS));
    f8 near = fraction8(f8_pick(known, place, f8_all(0))) + f8_all(2);
    f8 at = near * size - f8_all(0.5F);
    i8 texel = f8_to_int(at);
    texel -= last & ~(texel < last); // once for each repeat that was put on
    texel -= last & ~(texel < last);
    i8 next = texel + 1;
    next &= next < last;
    return (taps8){texel, next, fraction8(at)};
}

BSPI_LANES f8 channel_of(i8 texels, int shift) {
    return i8_to_float((texels >> shift) & 255);
}

BSPI_LANES f8 mix8(f8 a, f8 b, f8 part) {
    return a + (b - a) * part;
}

// Texels that stand beside each other are read together: of a mip chain all do.
BSPI_LANES pairs8 pairs_at(const bspi_mip *mip, i8 row, const taps8 *x) {
    uint32_t at[8];
    i8 start = row * (int32_t)mip->pitch;
    i8_store(at, start + x->first);
    if (mip->pitch > mip->width || i8_bits(x->second == x->first + 1) == 255) {
        return gather(mip->pixels, at);
    }
    uint32_t next[8];
    pairs8 pairs;
    i8_store(next, start + x->second);
    for (int i = 0; i < 8; i++) {
        uint8_t both[8];
        memcpy(both, mip->pixels + 4 * (size_t)at[i], 4);
        memcpy(both + 4, mip->pixels + 4 * (size_t)next[i], 4);
        uint64_t pair = pair_at(both, 0);
        pairs.left[i] = (int32_t)(uint32_t)pair;
        pairs.right[i] = (int32_t)(uint32_t)(pair >> 32);
    }
    return pairs;
}

BSPI_LANES rgba8 sample8(const bspi_mip *mip, f8 u, f8 v) {
    taps8 x = taps_of(u, mip->width);
    taps8 y = taps_of(v, mip->height);
    pairs8 top = pairs_at(mip, y.first, &x);
    pairs8 low = pairs_at(mip, y.second, &x);
    rgba8 out;
    for (int i = 0; i < 4; i++) {
        f8 first = mix8(channel_of(top.left, 8 * i), channel_of(top.right, 8 * i), x.part);
        f8 second = mix8(channel_of(low.left, 8 * i), channel_of(low.right, 8 * i), x.part);
        out.channel[i] = mix8(first, second, y.part);
    }
    return out;
}

// Sums a value of the corners by their weights.
BSPI_LANES f8 blend8(const f8 weight[3], float a, float b, float c) {
    f8 sum = f8_all(0);
    sum += weight[0] * f8_all(a);
    sum += weight[1] * f8_all(b);
    sum += weight[2] * f8_all(c);
    return sum;
}

BSPI_LANES i8 shade8(const bspi_bake_triangle *set, const f8 weight[3]) {
    const bsp_mesh_vertex *const *v = set->v;
    rgba8 texel;
    for (int i = 0; i < 4; i++) {
        texel.channel[i] = f8_all(i == 3 ? 255 : set->color[i] * 255);
    }
    if (set->mips != NULL) {
        texel = sample8(&set->mips->mips[set->level],
                        blend8(weight, v[0]->uv[0], v[1]->uv[0], v[2]->uv[0]),
                        blend8(weight, v[0]->uv[1], v[1]->uv[1], v[2]->uv[1]));
    }
    rgba8 light = sample8(&set->light,
                          blend8(weight, v[0]->light_uv[0], v[1]->light_uv[0], v[2]->light_uv[0]),
                          blend8(weight, v[0]->light_uv[1], v[1]->light_uv[1], v[2]->light_uv[1]));
    i8 out = f8_to_int(texel.channel[3] + f8_all(0.5F)) << 24;
    for (int i = 0; i < 3; i++) {
        f8 value = texel.channel[i] * light.channel[i] * f8_all(BSPI_BAKE_RANGE / 255);
        value = f8_pick(value < f8_all(255), value + f8_all(0.5F), f8_all(255));
        out |= f8_to_int(value) << 8 * i;
    }
    return out;
}

// Computes how near eight texels are to the triangle, and the weights of its corners there.
BSPI_LANES i8 weigh8(const bspi_bake_triangle *set, f8 x, float y, f8 weight[3]) {
    i8 none = i8_all(0);
    i8 beside = i8_all(0);
    for (int c = 0; c < 3; c++) {
        const float *a = set->at[(c + 1) % 3];
        f8 cross =
            f8_all(set->edge[c][0] * (y - a[1])) - f8_all(set->edge[c][1]) * (x - f8_all(a[0]));
        weight[c] = cross / f8_all(set->area);
        f8 outside = (set->area > 0 ? -cross : cross) / f8_all(set->length[c]);
        none |= outside > f8_all((float)BSPI_BAKE_BORDER);
        beside |= outside > f8_all(0);
    }
    return (BSPI_BAKE_INSIDE + beside) & ~none; // a mask that is set is -1
}

// Writes one texel.
static void put_texel(uint8_t *to, uint32_t texel) {
    for (int i = 0; i < 4; i++) {
        to[i] = (uint8_t)(texel >> 8 * i);
    }
}

BSPI_LANES_TARGET void BSPI_ROW(const bspi_bake_triangle *set, const bspi_bake_row *row) {
    const f8 centres = {0.5F, 1.5F, 2.5F, 3.5F, 4.5F, 5.5F, 6.5F, 7.5F};
    for (uint32_t x = row->from; x < row->to; x += 8) {
        uint32_t count = row->to - x < 8 ? row->to - x : 8;
        f8 weight[3];
        i8 near = weigh8(set, f8_all((float)x) + centres, (float)row->y + 0.5F, weight);
        unsigned drawn = 0;
        for (uint32_t i = 0; i < count; i++) {
            drawn |= (unsigned)(near[i] > row->cover[x + i]) << i;
        }
        if (drawn == 0) {
            continue;
        }
        uint32_t texels[8];
        i8_store(texels, shade8(set, weight));
        for (uint32_t i = 0; i < count; i++) {
            if ((drawn >> i & 1) != 0) {
                row->cover[x + i] = (uint8_t)near[i];
                put_texel(row->pixels + 4 * (size_t)(x + i), texels[i]);
            }
        }
    }
}
