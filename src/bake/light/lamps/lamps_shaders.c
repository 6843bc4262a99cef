// SPDX-License-Identifier: MIT
// Quake 3: what shaders say of light: surfaces that shine, suns, and skies. Formulas: sheet bake,
// 3.2; netradiant-custom, tools/quake3/q3map2 (light.cpp, light_bounce.cpp).
#include "bake/light/base/keys.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/lamps/lamp.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lamps/polygons.h"
#include "bake/light/lamps/shaders.h"
#include "bake/light/lamps/spread.h"
#include "bake/light/shadows/shade.h"

#include "core/curves.h"

#include <math.h>
#include <string.h>

#define CHOP 999.0f            // units: the longest side of a polygon that shines
#define SPLASH 0.05f           // of its light that walls throw back
#define SPLASH_DISTANCE 23.0f  // units before it
#define OWN_DISTANCE (-900.0f) // below: as shaders say
#define MOST_SAMPLES 64.0f
#define MOST_STEPS 16.0f // of a sky

typedef struct shaders {
    bspi_relight *own;
    const bsp_textures *textures;
    bool *lit;    // for each material: it was looked at, its suns are added
    bool no_suns; // _noshadersun
    bsp_error *error;
} shaders;

void bspi_brightest(float color[3]) {
    float most = fmaxf(color[0], fmaxf(color[1], color[2]));
    for (int c = 0; c < 3; c++) {
        color[c] = most > 0 ? color[c] / most : 1;
    }
}

uint32_t bspi_lamp_count(float samples) {
    return samples > 1 ? (uint32_t)fminf(samples, MOST_SAMPLES) : 1;
}

// The colour of what a material gives: as it says, or that of its picture.
static bool color_of(const shaders *s, uint32_t material, const bsp_shader *shader, float out[3]) {
    const float *said = shader->light_color;
    memcpy(out, said, sizeof shader->light_color);
    if (!(said[0] > 0 || said[1] > 0 || said[2] > 0)) {
        if (!bspi_colors_find(s->own, s->error)) {
            return false;
        }
        memcpy(out, s->own->colors[material].mean, sizeof shader->light_color);
    } else {
        bspi_told_color(&s->own->drawn->told, out);
    }
    bspi_brightest(out);
    return true;
}

bool bspi_lamp_is_elsewhere(const bspi_relight *own, int style) {
    const bspi_q3map2_told *told = &own->drawn->told;
    return style != 0 && told->known && !told->no_styles && !own->drawn->styled;
}

// Returns the style of what a shader gives.
static int style_of(const bspi_relight *own, const bsp_shader *shader) {
    float style = shader->light_style;
    bool styled = own->drawn->styled || own->drawn->told.known;
    return styled && !own->drawn->told.no_styles && style >= 1 && style < 254 ? (int)style : 0;
}

// Turns a sun aside, as CreateSunLight does.
static void turn_aside(bspi_random *random, const float axis[3], float radius, float out[3]) {
    float aside;
    float above;
    do {
        aside = radius * bspi_random_next(random);
        above = radius * bspi_random_next(random);
    } while (aside * aside + above * above > radius * radius);
    float yaw = bspi_angle_of(-axis[1], -axis[0]) / (float)BSPI_DEGREE + aside;
    float pitch =
        bspi_angle_of(-axis[2], bspi_length_of(axis[0], axis[1])) / (float)BSPI_DEGREE + above;
    bspi_light_look((double)pitch, (double)yaw, out);
    for (int i = 0; i < 3; i++) {
        out[i] = -out[i];
    }
}

bool bspi_lamp_add_sun(bspi_relight *own, const bspi_lamp *sun, float radius, uint32_t count,
                       bsp_error *error) {
    bspi_lamp lamp = *sun;
    bool done = true;
    radius = isfinite(radius) ? radius : 0;
    lamp.light /= (float)count;
    lamp.filter = fmaxf(0, lamp.filter / (float)count);
    own->drawn->lamps_mixed |= lamp.filter > 0;
    for (uint32_t i = 0; i < count && done; i++) {
        if (i != 0) {
            turn_aside(&own->drawn->random, sun->direction, radius, lamp.direction);
        }
        done = bspi_lamp_add(own, &lamp, error);
    }
    return done;
}

static bool add_direction(const shaders *s, const float color[3], float light, float yaw,
                          float pitch, const bsp_shader *shader, const bsp_shader_sun *sun) {
    bspi_lamp lamp = {.kind = BSPI_LAMP_SUN,
                      .outer = -2,
                      .angle = 1,
                      .light = light,
                      .filter = shader->lamp_filter_radius};
    lamp.half = s->own->drawn->told.half_lambert != 0;
    lamp.style = style_of(s->own, shader);
    bspi_light_look((double)pitch, (double)yaw, lamp.direction);
    for (int i = 0; i < 3; i++) {
        lamp.direction[i] = -lamp.direction[i];
        lamp.color[i] = color[i];
    }
    return bspi_lamp_add_sun(s->own, &lamp, sun != NULL ? sun->deviance : 0,
                             sun != NULL ? bspi_lamp_count(sun->samples) : 1, s->error);
}

static bool add_suns(const shaders *s, const bsp_shader *shader) {
    for (uint32_t i = 0; !s->no_suns && i < shader->num_suns; i++) {
        const bsp_shader_sun *sun = &shader->suns[i];
        float color[3] = {sun->color[0], sun->color[1], sun->color[2]};
        bspi_told_color(&s->own->drawn->told, color);
        bspi_brightest(color);
        if (sun->intensity > 0 && !add_direction(s, color, sun->intensity * s->own->drawn->told.sky,
                                                 sun->degrees, sun->elevation, shader, sun)) {
            return false;
        }
    }
    return true;
}

// The light of a whole sky: suns in rings around it and one above.
static bool add_sky(const shaders *s, uint32_t material, const bsp_shader *shader) {
    float color[3];
    if (!(shader->sky_light > 0)) {
        return true;
    }
    if (!color_of(s, material, shader, color)) {
        return false;
    }
    uint32_t steps = (uint32_t)fminf(MOST_STEPS, fmaxf(2, shader->sky_light_steps));
    uint32_t across = (steps - 1) * 4;
    uint32_t rings = steps - 1;
    float step = 90 / (float)steps;
    float light = shader->sky_light * s->own->drawn->told.sky / (float)(across * rings + 1);
    float yaw = 0;
    for (uint32_t ring = 0; ring < rings; ring++) {
        float pitch = step * (0.5f + (float)ring);
        for (uint32_t i = 0; i < across; i++, yaw += 360 / (float)across) {
            if (!add_direction(s, color, light, yaw, pitch, shader, NULL)) {
                return false;
            }
        }
        yaw += 360 / (float)across / (float)rings;
    }
    return add_direction(s, color, light, 0, 90, shader, NULL);
}

static bool add_surface(const shaders *s, uint32_t face, uint32_t material,
                        const bsp_shader *shader) {
    bspi_lamp lamp = {.outer = -2,
                      .emits = 1,
                      .two_sided = shader->cull == BSP_CULL_NONE,
                      .style = style_of(s->own, shader)};
    const bspi_q3map2_told *told = &s->own->drawn->told;
    bspi_polygon_rules rules = {.value = shader->surface_light * told->area, .chop = CHOP};
    bspi_triangles triangles;
    rules.chop = shader->light_subdivide > 0 ? shader->light_subdivide : CHOP;
    rules.splash = shader->sky ? 0 : shader->has_splash ? shader->splash / 100 : SPLASH;
    rules.splash *= told->backsplash;
    rules.splash_distance = shader->has_splash ? shader->splash_distance : SPLASH_DISTANCE;
    rules.splash_distance = told->backsplash_distance >= OWN_DISTANCE ? told->backsplash_distance
                                                                      : rules.splash_distance;
    rules.least = told->fast ? told->least : 0;
    rules.as_points = told->faster;
    if (!color_of(s, material, shader, lamp.color) ||
        !bspi_triangles_of(s->own, face, &triangles, s->error)) {
        return false;
    }
    bool done = true;
    for (uint32_t i = 0; done && i < triangles.count; i++) {
        done = bspi_polygons_add(s->own, &triangles.list[i], &lamp, &rules, s->error);
    }
    bspi_triangles_free(s->own, &triangles);
    return done;
}

// Adds a lamp in the middle of a surface that turns to the eye.
static bool add_sprite(const shaders *s, uint32_t face, uint32_t material,
                       const bsp_shader *shader) {
    bspi_lamp lamp = {.light = shader->surface_light, .style = style_of(s->own, shader)};
    float low[3] = {INFINITY, INFINITY, INFINITY};
    float high[3] = {-INFINITY, -INFINITY, -INFINITY};
    bspi_triangles triangles;
    if (!color_of(s, material, shader, lamp.color) ||
        !bspi_triangles_of(s->own, face, &triangles, s->error)) {
        return false;
    }
    for (uint32_t n = 0; n < 3 * triangles.count; n++) {
        const float *at = triangles.list[n / 3].points[n % 3];
        for (int i = 0; i < 3; i++) {
            low[i] = fminf(low[i], at[i]);
            high[i] = fmaxf(high[i], at[i]);
        }
    }
    bool any = triangles.count != 0;
    for (int i = 0; any && i < 3; i++) {
        lamp.origin[i] = (low[i] + high[i]) / 2;
    }
    bspi_triangles_free(s->own, &triangles);
    return !any || bspi_lamp_add_sprite(s->own, &lamp, s->error);
}

// Sets what a shader says of the light on its surfaces.
static void set_material(const bspi_q3map2_told *told, const bsp_shader *shader,
                         bspi_drawn_material *out) {
    const float *flood = shader->flood_light;
    *out = (bspi_drawn_material){.two_sided = shader->cull == BSP_CULL_NONE,
                                 .clean = shader->no_dirt,
                                 .keeps = shader->no_vertex_light,
                                 .filter = fmaxf(0, shader->filter_radius),
                                 .scale = shader->light_scale,
                                 .vertex = shader->vertex_scale,
                                 .angle = shader->shade_angle,
                                 .lift = shader->light_offset,
                                 .flood = {.on = flood[4] != 0, .reach = flood[3]}};
    memcpy(out->flood.color, flood, sizeof out->flood.color);
    bspi_told_color(told, out->flood.color);
    bspi_brightest(out->flood.color);
    for (int c = 0; c < 3; c++) {
        out->flood.color[c] *= flood[4];
    }
}

static bool add_face(const shaders *s, uint32_t face) {
    uint32_t material = s->own->map->faces[face].material;
    const bsp_shader *shader =
        material < s->own->map->num_materials ? bsp_textures_shader(s->textures, material) : NULL;
    bool first = material < s->own->map->num_materials && !s->lit[material];
    if (first) {
        s->lit[material] = true;
    }
    if (shader == NULL) {
        s->own->drawn->num_unknown += first;
        s->own->drawn->unknown = first ? material : s->own->drawn->unknown;
        return true;
    }
    set_material(&s->own->drawn->told, shader, &s->own->drawn->materials[material]);
    if (bspi_lamp_is_elsewhere(s->own, style_of(s->own, shader))) {
        return true;
    }
    return (!first || (add_suns(s, shader) && add_sky(s, material, shader))) &&
           (!(shader->surface_light > 0) || s->own->drawn->told.suns_only ||
            ((shader->light_keys & BSP_SHADER_AUTOSPRITE) != 0
                 ? add_sprite(s, face, material, shader)
                 : add_surface(s, face, material, shader)));
}

bool bspi_lamps_shaders(bspi_relight *own, bsp_error *error) {
    const bsp_textures_options options = {.allocator = own->options->allocator,
                                          .budget = own->options->budget};
    const bsp_textures *given = own->options->textures;
    bsp_textures *opened =
        given == NULL ? bsp_textures_open(NULL, own->map, &options, error) : NULL;
    shaders s = {.own = own, .textures = given != NULL ? given : opened, .error = error};
    const bsp_entity *world = bspi_lit_world(own);
    s.no_suns = world != NULL && bspi_key_number(world, "_noshadersun", 0) != 0;
    s.lit = bspi_arena_zero(&own->arena, (size_t)own->map->num_materials + 1, sizeof *s.lit, error);
    own->drawn->materials = bspi_arena_zero(&own->arena, (size_t)own->map->num_materials + 1,
                                            sizeof *own->drawn->materials, error);
    bool done = s.textures != NULL && s.lit != NULL && own->drawn->materials != NULL;
    for (uint32_t f = 0; done && f < own->map->num_faces; f++) {
        done = add_face(&s, f);
    }
    done = done && bspi_drawn_smooth(own, own->drawn->told.shade_angle, error) &&
           bspi_shade_make(own, s.textures, error);
    bsp_textures_close(opened);
    return done;
}
