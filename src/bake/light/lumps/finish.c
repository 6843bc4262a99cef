// SPDX-License-Identifier: MIT
// From sums of light to what a file has. Order of the steps and numbers: sheet bake, 3.2.
#include "bake/light/base/surface_keys.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/lumps/mottle.h"
#include "bake/light/places/places.h"

#include "core/curves.h"
#include "core/reader.h"

#include <math.h>
#include <string.h>

#define MIDDLE 128.0f // around which contrast grows
#define EULER 2.7182818f
#define RED 0.2126f // of how bright a colour is
#define GREEN 0.7152f
#define BLUE 0.0722f

// The least light of a face.
typedef struct least_light {
    float light[3];
    bool corners; // it is less in corners,
    bool mottled; // and uneven
} least_light;

static float clamped(float value) {
    return value > 0 ? value < 255 ? value : 255 : 0;
}

// ericw: what models limit, or turn to grey.
static void limit(const bspi_light_curve *curve, float luxel[3]) {
    float most = fmaxf(luxel[0], fmaxf(luxel[1], luxel[2]));
    float part = curve->most > 0 && most > curve->most ? curve->most / most : 1;
    for (int c = 0; c < 3; c++) {
        luxel[c] *= part;
        luxel[c] += (most * part - luxel[c]) * curve->pale;
    }
}

// q3map2: what its command line says of exposure, saturation and what engines do to light.
static void develop(const bspi_light_curve *curve, float luxel[3]) {
    float most = fmaxf(luxel[0], fmaxf(luxel[1], luxel[2]));
    float grey = RED * luxel[0] + GREEN * luxel[1] + BLUE * luxel[2];
    float part = curve->exposure > 0 && most > 0
                     ? (1 - bspi_power(EULER, -most / curve->exposure)) * curve->full / most
                     : 1;
    for (int c = 0; c < 3; c++) {
        luxel[c] *= part;
        if (curve->saturation > 0) {
            luxel[c] = fmaxf(0, grey * part + curve->saturation * (luxel[c] - grey * part));
        }
        luxel[c] *= curve->after > 0 ? curve->after : 1;
    }
}

// `least`: of the sum of style 0; `minus`: what is taken away then.
static void tone(const bspi_light_curve *curve, bool first, const float least[3],
                 const float minus[3], float luxel[3]) {
    float most = 0;
    float bent[2] = {0, 0}; // the last sum, before and after
    for (int c = 0; c < 3; c++) {
        float sum = luxel[c];
        if (first) {
            sum += curve->base[c];
            sum = curve->adds ? sum + least[c] : fmaxf(sum, least[c]);
        }
        sum += minus[c];
        luxel[c] = sum > 0 ? sum : 0;
    }
    limit(curve, luxel);
    for (int c = 0; c < 3; c++) {
        float sum = luxel[c] * curve->gain;
        if (curve->contrast > 0) {
            sum = fmaxf(0, curve->contrast * (sum - MIDDLE) + MIDDLE);
        }
        if (curve->gamma > 0 && curve->gamma != 1) {
            bool again = c > 0 && sum == bent[0]; // light is often grey
            bent[1] =
                again ? bent[1] : curve->full * bspi_power(sum / curve->full, 1 / curve->gamma);
            bent[0] = sum;
            sum = bent[1];
        }
        luxel[c] = isfinite(sum) ? sum : 0;
    }
    develop(curve, luxel);
    for (int c = 0; c < 3; c++) {
        most = luxel[c] > most ? luxel[c] : most;
    }
    for (int c = 0; c < 3; c++) {
        luxel[c] *= curve->cap > 0 && most > curve->cap && !curve->beyond ? curve->cap / most : 1;
        luxel[c] = luxel[c] > curve->least ? luxel[c] : curve->least;
        if (curve->srgb) {
            luxel[c] = floorf(curve->full * bspi_srgb_of(luxel[c] / curve->full) + 0.5f);
        }
    }
}

void bspi_luxel_cap(const bspi_light_curve *curve, float luxel[3]) {
    float most = fmaxf(luxel[0], fmaxf(luxel[1], luxel[2]));
    for (int c = 0; c < 3 && curve->beyond && curve->cap > 0 && most > curve->cap; c++) {
        luxel[c] *= curve->cap / most;
    }
}

// `first`: of style 0, the sum of which is kept in `base`; others come on top of it.
static void finish(const bspi_light_curve *curve, bool first, const float least[3],
                   const float minus[3], const float base[3], float luxel[3]) {
    if (!curve->differ || first) {
        tone(curve, first, least, minus, luxel);
    } else {
        float low[3] = {base[0], base[1], base[2]};
        for (int c = 0; c < 3; c++) {
            luxel[c] = fmaxf(0, luxel[c]) + fmaxf(0, base[c]);
        }
        tone(curve, true, least, minus, low);
        tone(curve, true, least, minus, luxel);
        for (int c = 0; c < 3; c++) {
            luxel[c] =
                curve->rounds ? floorf(luxel[c] + 0.5f) - floorf(low[c] + 0.5f) : luxel[c] - low[c];
        }
    }
    for (int c = 0; c < 3 && curve->rounds; c++) {
        luxel[c] = fmaxf(0, floorf(luxel[c] + 0.5f));
    }
}

// Does a style have any byte above 0, or is it one that stays without?
static bool is_kept(const bsp_map *map, const bspi_light_curve *curve, int style,
                    const float (*luxels)[3], size_t count) {
    float most = 0;
    for (size_t n = 0; n < count; n++) {
        most = fmaxf(most, fmaxf(luxels[n][0], fmaxf(luxels[n][1], luxels[n][2])));
    }
    bool dark = curve->cap > 0 && most < 1;
    return !dark || (style == 0 && !map->traits->dark_without_light);
}

// Returns the luxels of a style of a face, or NULL if it has none.
static const float (*luxels_of(const bsp_relight_face *face, int style))[3] {
    size_t each = (size_t)face->width * face->height * face->directions;
    for (uint32_t s = 0; s < face->num_styles; s++) {
        if (face->styles[s] == style) {
            return face->luxels + each * s;
        }
    }
    return NULL;
}

// ericw: the minimum of a luxel, where it is less in corners, or uneven.
static void least_at(const bspi_relight *own, const least_light *least, const bspi_places *places,
                     uint32_t place, float out[3]) {
    bool there = place < places->count;
    float open = there && places->near != NULL && least->corners
                     ? bspi_place_open(own, places, place, NULL)
                     : 1;
    float most = fmaxf(least->light[0], fmaxf(least->light[1], least->light[2]));
    float more = there && least->mottled ? bspi_mottle(places->points[place]) / most : 0;
    for (int c = 0; c < 3; c++) {
        out[c] = least->light[c] * (open + more);
    }
}

// `places`: where the luxels are, for a minimum that differs; `taken`: what is taken away. Both may
// be empty; without places `own` may be NULL.
static void finish_all(const bspi_relight *own, const bspi_light_curve *curve,
                       bsp_relight_face *face, const least_light *least, const bspi_places *places,
                       const bsp_relight_face *taken) {
    static const float nothing[3] = {0, 0, 0};
    float(*luxels)[3] = (float(*)[3])face->luxels;
    size_t each = (size_t)face->width * face->height * face->directions;
    for (uint32_t s = face->num_styles; s > 0;
         s--) { // the first one last: others come on top of it
        float(*style)[3] = luxels + each * (s - 1);
        const float(*minus)[3] = luxels_of(taken, face->styles[s - 1]);
        for (size_t n = 0; n < each; n++) {
            uint32_t place = (uint32_t)(n % ((size_t)face->width * face->height));
            float low[3];
            least_at(own, least, places, place, low);
            finish(curve, face->styles[s - 1] == 0, low, minus != NULL ? minus[n] : nothing,
                   luxels[n], style[n]);
        }
    }
}

static void keep_styles(const bsp_map *map, const bspi_light_curve *curve, bsp_relight_face *face) {
    float(*luxels)[3] = (float(*)[3])face->luxels;
    size_t each = (size_t)face->width * face->height * face->directions;
    uint32_t kept = 0;
    for (uint32_t s = 0; s < BSP_RELIGHT_STYLES; s++) {
        int style = face->styles[s];
        bool there = s < face->num_styles;
        face->styles[s] = BSP_NO_STYLE;
        if (there && is_kept(map, curve, style, (const float(*)[3])(luxels + each * s), each)) {
            memmove(luxels + each * kept, luxels + each * s, each * sizeof *luxels);
            face->styles[kept++] = (uint8_t)style;
        }
    }
    face->num_styles = kept;
}

void bspi_finish_luxels(const bspi_light_scale *scale, const bsp_map *map, bsp_relight_face *face) {
    const bspi_places places = {0};
    const bsp_relight_face taken = {0};
    least_light least = {.corners = false};
    memcpy(least.light, scale->minimum, sizeof least.light);
    finish_all(NULL, &scale->curve, face, &least, &places, &taken);
    keep_styles(map, &scale->curve, face);
}

void bspi_finish_face(const bspi_relight *own, bsp_relight_face *face) {
    bspi_finish_luxels(&own->scale, own->map, face);
}

// The curve of a face: what its model says counts before what the world says.
static bspi_light_curve curve_of(const bspi_relight *own, uint32_t face) {
    const bspi_lit_model *model = &own->models[own->face_models[face]];
    bspi_light_curve curve = own->scale.curve;
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    float most = model->most > 0 ? model->most : own->map->traits->lights.unit * keys->most;
    curve.most = most > 0 ? BSPI_MOST * most : curve.most;
    curve.pale = model->pale != 0 ? model->pale : 1 - bspi_said(keys->keeps, 1);
    if (own->drawn != NULL) {
        float factor = bspi_drawn_of(own, face)->scale;
        memcpy(curve.base, model->base, sizeof curve.base);
        curve.after *= factor > 0 ? factor : 1;
    }
    curve.beyond = curve.beyond || own->scale.soft != 0; // what is beyond is mixed as it is
    return curve;
}

// Mixes luxels with those around them, then holds them below the cap.
static bool soften(bspi_relight *own, const bspi_light_curve *curve, bsp_relight_face *face,
                   bsp_error *error) {
    float(*luxels)[3] = (float(*)[3])face->luxels;
    size_t count = (size_t)face->width * face->height * face->directions * face->num_styles;
    if (!bspi_soften(own, face, error)) {
        return false;
    }
    for (size_t n = 0; n < count && !own->scale.curve.beyond; n++) {
        bspi_luxel_cap(curve, luxels[n]);
    }
    return true;
}

bool bspi_finish_number(bspi_relight *own, uint32_t number, bsp_error *error) {
    bsp_relight_face *face = &own->faces[number];
    bsp_relight_face taken = {0};
    bspi_places places = {0};
    least_light least;
    bspi_face_least(own, number, least.light);
    bool some = least.light[0] + least.light[1] + least.light[2] > 0;
    least.corners = some && own->scale.dirt && own->scale.least_dirty;
    least.mottled = some && bspi_face_mottled(own, number);
    const bspi_light_curve curve = curve_of(own, number);
    bool differs = least.corners || least.mottled;
    bool done = face->luxels == NULL || (!differs && own->num_takers == 0) ||
                bspi_places_find(own, number, 1, &places, error);
    if (done && places.count != 0) {
        const bspi_lamp_list takers = {.lamps = own->takers, .count = own->num_takers};
        done = takers.count != 0 ? bspi_gather_at(own, &places, &takers, &taken, error)
                                 : bspi_places_dirt(own, &places, error);
    }
    if (done) {
        finish_all(own, &curve, face, &least, &places, &taken);
        done = own->scale.soft == 0 || face->luxels == NULL || soften(own, &curve, face, error);
        keep_styles(own->map, &curve, face);
    }
    size_t each = (size_t)taken.width * taken.height * taken.directions;
    bspi_heap_free(&own->heap, (void *)taken.luxels,
                   each * own->most_styles * sizeof *taken.luxels);
    bspi_places_free(own, &places);
    return done;
}

// RGBExp32: the brightest channel is 128..255 times a power of two, and the rest is cut off.
static void encode_exponent(const float rgb[3], uint8_t *out) {
    float most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])) * 255;
    int exponent = 0;
    if (!(most > 0)) {
        out[0] = out[1] = out[2] = out[3] = 0;
        return;
    }
    (void)frexpf(most, &exponent);
    exponent -= 8;
    exponent = exponent < -128 ? -128 : exponent > 127 ? 127 : exponent;
    for (int c = 0; c < 3; c++) {
        float value = rgb[c] * 255 * bspi_power_of_two(-exponent);
        out[c] = (uint8_t)clamped(value);
    }
    out[3] = (uint8_t)exponent;
}

// E5BGR9: nine bits of each channel for one exponent; a byte of 128 is 1.
static void encode_shared(const float rgb[3], uint8_t *out) {
    float most = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])) / 128;
    int exponent = 0;
    uint32_t word = 0;
    if (most > 0 && isfinite(most)) {
        (void)frexpf(most, &exponent);
        exponent += most * bspi_power_of_two(9 - exponent) >= 511.5f; // would be 512
        exponent = exponent < -15 ? -15 : exponent > 16 ? 16 : exponent;
        for (int c = 0; c < 3; c++) {
            float value = rgb[c] / 128 * bspi_power_of_two(9 - exponent) + 0.5f;
            word |= (value < 1 ? 0u : value < 511 ? (uint32_t)value : 511u) << (9 * c);
        }
        word |= (uint32_t)(exponent + 15) << 27;
    }
    bspi_store32(out, word, false);
}

void bspi_luxel_encode(bspi_luxel_format format, const float rgb[3], uint8_t *out) {
    switch (format) {
    case BSPI_GREY8:
        out[0] = (uint8_t)clamped(fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])));
        break;
    case BSPI_RGB8:
    case BSPI_RGB556:
        for (int c = 0; c < 3; c++) {
            out[c] = (uint8_t)clamped(rgb[c]);
        }
        break;
    case BSPI_E5BGR9:
        encode_shared(rgb, out);
        break;
    case BSPI_RGBEXP32:
        encode_exponent(rgb, out);
        break;
    }
}

void bspi_luxel_as_stored(bspi_luxel_format format, float rgb[3]) {
    bspi_luxel_format made = format == BSPI_RGB556 ? BSPI_RGB8 : format;
    uint8_t luxel[4];
    bspi_luxel_encode(made, rgb, luxel);
    bspi_luxel_decode(made, luxel, 1, rgb);
}

void bspi_finish_color(const bspi_light_scale *scale, const bsp_map *map, const float sum[3],
                       uint8_t out[3]) {
    const float black[3] = {0, 0, 0};
    float luxel[1][3] = {{sum[0], sum[1], sum[2]}};
    bsp_relight_face face = {.luxels = (const float(*)[3])luxel,
                             .width = 1,
                             .height = 1,
                             .directions = 1,
                             .num_styles = 1};
    bspi_finish_luxels(scale, map, &face);
    bspi_luxel_encode(BSPI_RGB8, face.num_styles != 0 ? luxel[0] : black, out);
}
