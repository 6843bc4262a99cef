// SPDX-License-Identifier: MIT
// Facts: sheet bake, 3.3; LightForString, ParseLightGeneric and SetLightFalloffParams of
// lightmap.cpp of the Source SDK.
#include "bake/light/vrad_entity.h"

#include "bake/light/keys.h"
#include "core/curves.h"
#include "core/text.h"
#include "query/world_light.h"

#include <string.h>

#define RADIANS ((float)BSPI_PI / 180)
#define HUNDRED 100.0f // units at which an entity states its intensity
#define FADED 256.0f   // what the light is divided by at its "zero percent" distance
#define INNER 10.0f    // degrees of a spot that does not say
#define WIDEST 90.0f
#define NO_SPOT 180.0f

// --- intensity ----------------------------------------------------------------------------------

// Reads "r g b brightness", as displayed, into linear light; eight numbers are those of both kinds
// of light. False without the key, and where one is negative.
static bool read_color(const bsp_entity *entity, const char *key, bool hdr, float out[3]) {
    float v[8] = {0, 0, 0, 255};
    int count = bspi_numbers(bsp_entity_value(entity, key), v, 8);
    const float *of = count == 8 && hdr ? v + 4 : v;
    memset(out, 0, 3 * sizeof *out);
    if (of[0] < 0 || of[1] < 0 || of[2] < 0 || of[3] < 0 ||
        (count != 1 && count != 3 && count != 4 && count != 8)) {
        return false;
    }
    for (int c = 0; c < 3; c++) {
        float part = (count == 1 ? of[0] : of[c]) / 255;
        out[c] = part > 0 ? bspi_power(part, 2.2f) * of[3] / 255 : 0;
    }
    return true;
}

static bool read_either(const bsp_entity *entity, const char *key, const char *key_hdr,
                        const char *scale, bool hdr, float out[3]) {
    bool known =
        (hdr && read_color(entity, key_hdr, hdr, out)) || read_color(entity, key, hdr, out);
    for (int c = 0; known && hdr && c < 3; c++) {
        out[c] *= bspi_number(entity, scale, 1);
    }
    return known;
}

void bspi_vrad_sky(const bsp_entity *entity, bool hdr, float out[3]) {
    if (read_either(entity, "_ambient", "_ambientHDR", "_AmbientScaleHDR", hdr, out)) {
        return;
    }
    (void)read_either(entity, "_light", "_lightHDR", "_lightscaleHDR", hdr, out);
    for (int c = 0; c < 3; c++) {
        out[c] /= 2;
    }
}

// --- fading -------------------------------------------------------------------------------------

// Sets the square function that is 1 at 0, `half` at d50 and FADED at d0.
static void fit(double d50, double half, double d0, double out[3]) {
    double a = (half - 1) / d50;
    double b = ((double)FADED - 1) / d0;
    out[2] = d0 != d50 ? (b - a) / (d0 - d50) : 0;
    out[1] = a - out[2] * d50;
    out[0] = 1;
}

// A light that says where half of it is left. Where the function would fall at first, the middle is
// moved towards the line between its ends.
static void fade_by_half(const bsp_entity *entity, double d50, bsp_world_light *light) {
    double d0 = (double)bspi_number(entity, "_zero_percent_distance", 0);
    double q[3] = {1, 0, 0};
    d0 = d0 < d50 ? 2 * d50 : d0;
    for (int step = 0; step <= 20; step++) {
        double blend = step * 0.05;
        fit(d50, (1 - blend) * 2 + blend * (1 + ((double)FADED - 1) * d50 / d0), d0, q);
        if (2 * q[2] + q[1] >= 0) {
            break;
        }
    }
    double scale = 2 / (q[0] + d50 * (q[1] + d50 * q[2]));
    light->constant_attn = (float)(q[0] * scale);
    light->linear_attn = (float)(q[1] * scale);
    light->quadratic_attn = (float)(q[2] * scale);
}

static void fade(const bsp_entity *entity, bsp_world_light *light) {
    double d50 = (double)bspi_number(entity, "_fifty_percent_distance", 0);
    if (d50 > 0) {
        fade_by_half(entity, d50, light);
        return;
    }
    light->constant_attn = fmaxf(0, bspi_number(entity, "_constant_attn", 0));
    light->linear_attn = fmaxf(0, bspi_number(entity, "_linear_attn", 0));
    light->quadratic_attn = fmaxf(0, bspi_number(entity, "_quadratic_attn", 0));
    light->radius = bspi_number(entity, "_distance", 0);
    float at = light->constant_attn + HUNDRED * light->linear_attn +
               HUNDRED * HUNDRED * light->quadratic_attn;
    if (!(at > 0)) {
        light->constant_attn = at = 1;
    }
    for (int c = 0; c < 3; c++) {
        light->intensity[c] *= at;
    }
}

static void narrow(const bsp_entity *entity, bsp_world_light *light) {
    float inner = bspi_number(entity, "_inner_cone", 0);
    inner = inner != 0 ? inner : INNER;
    float outer = bspi_number(entity, "_cone", 0);
    outer = outer > inner ? outer : inner;
    if (inner == NO_SPOT && outer == NO_SPOT) {
        light->type = BSPI_WORLD_POINT;
        return;
    }
    light->stopdot = bspi_cosine(fminf(inner, WIDEST) * RADIANS);
    light->stopdot2 = bspi_cosine(fminf(outer, WIDEST) * RADIANS);
    light->exponent = bspi_number(entity, "_exponent", 0);
}

// --- an entity ----------------------------------------------------------------------------------

bool bspi_vrad_light(const bsp_entity *entity, bool hdr, bsp_world_light *out) {
    bsp_text class = bsp_entity_value(entity, "classname");
    bool spot = bspi_text_is(class, "light_spot");
    bool sun = bspi_text_is(class, "light_environment");
    if (!(spot || sun || bspi_text_is(class, "light")) ||
        !read_either(entity, "_light", "_lightHDR", "_lightscaleHDR", hdr, out->intensity)) {
        return false;
    }
    out->type = spot ? BSPI_WORLD_SPOT : sun ? BSPI_WORLD_SUN : BSPI_WORLD_POINT;
    out->style = bspi_key_whole(entity, "style", 0, -1, 255);
    if (spot) {
        narrow(entity, out);
    }
    if (!sun) {
        fade(entity, out);
    }
    return true;
}
