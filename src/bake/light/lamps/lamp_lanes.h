// SPDX-License-Identifier: MIT
// bspi_lamp_at, bspi_patch_at and bspi_lamp_angle for eight places: the same operations in the same
// order. A file that includes this says by BSPI_AVX2 with what, and by BSPI_EIGHT under which name.
#include "bake/light/faces/rad_place.h"
#include "bake/light/lamps/lamp_eight.h"
#include "bake/light/lamps/lamps.h"
#include "core/lanes.h"

BSPI_LANES f8 faded8(const bspi_lamp *lamp, f8 d) {
    const f8 zero = f8_all(0);
    const f8 light = f8_all(lamp->light);
    const f8 hot = f8_all(BSPI_LAMP_HOT);
    f8 way = f8_all(lamp->wait) * d;
    f8 left;
    switch (lamp->fade) {
    case BSPI_FADE_LINE:
        left = lamp->light > 0 ? light - way : light + way;
        return f8_pick(lamp->light > 0 ? left > zero : ~(left > zero), left, zero);
    case BSPI_FADE_RANGE:
        return f8_pick(d < f8_all(lamp->range), light * (f8_all(1) - d / f8_all(lamp->range)),
                       zero);
    case BSPI_FADE_INVERSE:
        return f8_pick(way > zero, light * hot / way, light);
    case BSPI_FADE_SQUARE:
        return f8_pick(way > zero, light * hot * hot / (way * way), light);
    case BSPI_FADE_SOFT:
        return light * hot * hot / ((way + hot) * (way + hot));
    case BSPI_FADE_CLAMPED:
        way = f8_pick(way > f8_all(lamp->range), way, f8_all(lamp->range));
        return f8_pick(way > zero, light / (way * way), light);
    case BSPI_FADE_NONE:
    case BSPI_FADE_WORLD:
        break;
    }
    return light;
}

BSPI_LANES f8 coned8(const bspi_lamp *lamp, f8 out) {
    const f8 one = f8_all(1);
    if (lamp->outer < -1) {
        return one;
    }
    float width = lamp->inner - lamp->outer;
    f8 fringe = one;
    if (!(width <= 0)) {
        fringe =
            f8_pick(out >= f8_all(lamp->inner), one, (out - f8_all(lamp->outer)) / f8_all(width));
    }
    return f8_pick(out < f8_all(lamp->outer), f8_all(0), fringe * (lamp->cone_fades ? out : one));
}

// What places get of a piece of a surface; those that are near it are done one by one.
BSPI_LANES f8 patch8(const bspi_lamp *lamp, const bspi_lamp_places *places) {
    const f8 zero = f8_all(0);
    f8 way[3];
    f8 normal[3];
    f8 axis[3];
    for (int i = 0; i < 3; i++) {
        way[i] = f8_all(lamp->origin[i] - lamp->direction[i] * BSPI_RAD_LIFT) -
                 f8_load(places->point[i]);
        normal[i] = f8_load(places->normal[i]);
        axis[i] = f8_all(lamp->direction[i]);
    }
    f8 length = f8_sqrt(f8_dot(way, way));
    for (int i = 0; i < 3; i++) {
        way[i] = f8_pick(length > zero, way[i] / length, way[i]);
    }
    f8 dist = f8_max(length, f8_all(1));
    f8 cosine = f8_dot(way, normal);
    f8 sent = -f8_dot(way, axis);
    i8 none = (sent * dist <= f8_all(BSPI_PATCH_FLUSH)) | (cosine <= zero);
    f8 share = f8_min(cosine * sent / (dist * dist), f8_all(BSPI_PATCH_MOST_SHARE / lamp->area));
    f8 all = f8_pick(none, zero, f8_all(lamp->light) * share * coned8(lamp, sent));
    unsigned near = i8_bits((dist < f8_all(lamp->near)) & ~none);
    for (uint32_t n = 0; near != 0 && n < places->count; n++) {
        if ((near >> n & 1) != 0) {
            const float point[3] = {places->point[0][n], places->point[1][n], places->point[2][n]};
            const float up[3] = {places->normal[0][n], places->normal[1][n], places->normal[2][n]};
            all[n] = bspi_patch_at(lamp, point, up);
        }
    }
    return all;
}

BSPI_LANES_TARGET uint32_t BSPI_EIGHT(const bspi_lamp *lamp, const bspi_lamp_places *places,
                                      bool both, float most, float gate, bspi_lamp_light *light) {
    const f8 nearest = f8_all(BSPI_LAMP_NEAREST);
    const f8 zero = f8_all(0);
    f8 way[3];
    f8 normal[3];
    f8 axis[3];
    f8 square = zero;
    for (int i = 0; i < 3; i++) {
        way[i] = f8_all(lamp->origin[i]) - f8_load(places->point[i]);
        normal[i] = f8_load(places->normal[i]);
        axis[i] = f8_all(lamp->direction[i]);
        square += way[i] * way[i];
    }
    f8 length = f8_sqrt(square);
    i8 off = length > nearest;
    for (int i = 0; i < 3; i++) {
        way[i] = f8_pick(off, way[i] / length, f8_all(i == 2 ? bspi_lamp_up(lamp) : 0));
        f8_store(light->way[i], way[i]);
    }
    f8 strength;
    if (lamp->corners != NULL) {
        strength = patch8(lamp, places);
    } else {
        f8 out = -f8_dot(way, axis);
        f8 sent = f8_all(1 - lamp->emits) + f8_all(lamp->emits) * out;
        strength = faded8(lamp, f8_pick(off, length, nearest)) * coned8(lamp, out) * sent;
        if (lamp->emits > 0) {
            strength = f8_pick(out <= f8_all(-lamp->grazes), zero, strength);
        }
    }
    f8_store(light->strength, strength);
    f8 cosine = f8_dot(normal, way);
    cosine = !both ? cosine : lamp->of_face ? f8_all(1) : f8_abs(cosine);
    f8 angle = f8_pick(cosine > f8_all(-lamp->grazes),
                       f8_all(1 - lamp->angle) + f8_all(lamp->angle) * cosine, zero);
    f8_store(light->angle, angle);
    i8 weak = f8_abs(strength * angle * f8_all(most)) <= f8_all(gate);
    return ~i8_bits(weak) & ((1u << places->count) - 1);
}
