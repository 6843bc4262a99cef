// SPDX-License-Identifier: MIT
// Facts: sheet bake, 3.3; LightForString and ParseLightGeneric of lightmap.cpp of the Source SDK.
#include "bake/light/lamps/vrad_entity.h"

#include "bake/light/base/keys.h"
#include "core/curves.h"
#include "core/text.h"
#include "core/vector.h"
#include "export/light.h"
#include "query/world_light.h"

#include <string.h>

#define RADIANS ((float)BSPI_PI / 180)
#define INNER 10.0f // degrees of a spot that does not say
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

static void fade(const bsp_entity *entity, bsp_world_light *light) {
    float attn[3];
    float at = bspi_light_fade(entity, attn);
    if (!(bspi_number(entity, "_fifty_percent_distance", 0) > 0)) {
        light->radius = bspi_number(entity, "_distance", 0);
    }
    if (!(at > 0)) {
        attn[0] = at = 1;
    }
    light->constant_attn = attn[0];
    light->linear_attn = attn[1];
    light->quadratic_attn = attn[2];
    for (int c = 0; c < 3; c++) {
        light->intensity[c] *= at;
    }
}

typedef struct cone {
    float inner; // degrees between its middle and where it begins to fade
    float outer; // and where it ends
} cone;

static cone cone_of(const bsp_entity *entity) {
    float inner = bspi_number(entity, "_inner_cone", 0);
    inner = inner != 0 ? inner : INNER;
    return (cone){inner, fmaxf(bspi_number(entity, "_cone", 0), inner)};
}

static void narrow(const bsp_entity *entity, bsp_world_light *light) {
    cone of = cone_of(entity);
    light->stopdot = bspi_cosine(fminf(of.inner, WIDEST) * RADIANS);
    light->stopdot2 = bspi_cosine(fminf(of.outer, WIDEST) * RADIANS);
    light->exponent = bspi_number(entity, "_exponent", 0);
}

// --- an entity ----------------------------------------------------------------------------------

uint32_t bspi_vrad_type(const bsp_entity *entity) {
    bsp_text class = bsp_entity_value(entity, "classname");
    if (bspi_text_is(class, "light_spot")) {
        cone of = cone_of(entity);
        return of.inner == NO_SPOT && of.outer == NO_SPOT ? BSPI_WORLD_POINT : BSPI_WORLD_SPOT;
    }
    return bspi_text_is(class, "light")               ? BSPI_WORLD_POINT
           : bspi_text_is(class, "light_environment") ? BSPI_WORLD_SUN
                                                      : BSP_NONE;
}

bool bspi_vrad_is_at(const bsp_world_light *stored, uint32_t type, const float origin[3]) {
    float way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = stored->origin[c] - origin[c];
    }
    return stored->type == type && bspi_dot(way, way) <= BSPI_VRAD_NEAR * BSPI_VRAD_NEAR;
}

void bspi_vrad_look(const bsp_entity *entity, float out[3]) {
    float angles[3];
    (void)bspi_key_point(entity, "angles", angles);
    float yaw = bspi_number(entity, "angle", 0);
    float pitch = bspi_number(entity, "pitch", 0);
    if (yaw == -1 || yaw == -2) {
        bspi_light_look(yaw == -1 ? 90 : -90, 0, out);
        return;
    }
    bspi_light_look((double)(pitch != 0 ? pitch : angles[0]), (double)(yaw != 0 ? yaw : angles[1]),
                    out);
}

bool bspi_vrad_light(const bsp_entity *entity, bool hdr, bsp_world_light *out) {
    uint32_t type = bspi_vrad_type(entity);
    if (type == BSP_NONE ||
        !read_either(entity, "_light", "_lightHDR", "_lightscaleHDR", hdr, out->intensity)) {
        return false;
    }
    out->type = type;
    out->style = bspi_key_whole(entity, "style", 0, -1, 255);
    if (type == BSPI_WORLD_SPOT) {
        narrow(entity, out);
    }
    if (type != BSPI_WORLD_SUN) {
        fade(entity, out);
    }
    return true;
}
