// SPDX-License-Identifier: MIT
// Keys of surfaces. The file: an object with a member for each texinfo, by its number, whose
// members are what is not as usual. Sources: surfflags_t and LoadExtendedTexinfoFlags of
// common/bspfile_common.cc of ericw-tools, SurfFlagsForEntity of its qbsp/map.cc.
#include "bake/light/base/surface_keys.h"

#include "bake/light/base/keys.h"
#include "bake/light/base/style_names.h"

#include "core/json_read.h"
#include "core/text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define MOST 16777216.0f // whole numbers up to this one are exact

#define NOTHING                                                                                    \
    {                                                                                              \
        .both = NAN, .rescales = NAN, .style = NAN, .shows = NAN, .fades = NAN, .group = 0,        \
        .angle = NAN, .concave = NAN, .round = 0, .least = NAN, .keeps = NAN, .opacity = NAN,      \
        .channels = NAN                                                                            \
    }

const bspi_surface_keys bspi_surface_keys_none = NOTHING;

typedef enum kind { BOOL, NUMBER, COLOR, TARGET } kind;

#define AT(member) offsetof(bspi_surface_keys, member)

static const struct member {
    const char *name;
    kind kind;
    size_t at;
} members[] = {
    {"no_dirt", BOOL, AT(clean)},
    {"no_shadow", BOOL, AT(no_shadow)},
    {"no_bounce", BOOL, AT(absorbs)},
    {"no_minlight", BOOL, AT(no_least)},
    {"light_ignore", BOOL, AT(unlit)},
    {"light_twosided", NUMBER, AT(both)},
    {"surflight_rescale", NUMBER, AT(rescales)},
    {"surflight_style", NUMBER, AT(style)},
    {"surflight_targetname", TARGET, AT(style)},
    {"surflight_color", COLOR, AT(color)},
    {"surflight_minlight_scale", NUMBER, AT(shows)},
    {"surflight_atten", NUMBER, AT(fades)},
    {"surflight_group", NUMBER, AT(group)},
    {"phong_angle", NUMBER, AT(angle)},
    {"phong_angle_concave", NUMBER, AT(concave)},
    {"phong_group", NUMBER, AT(round)},
    {"minlight", NUMBER, AT(least)},
    {"minlight_color", COLOR, AT(least_color)},
    {"maxlight", NUMBER, AT(most)},
    {"lightcolorscale", NUMBER, AT(keeps)},
    {"light_alpha", NUMBER, AT(opacity)},
    {"object_channel_mask", NUMBER, AT(channels)},
};

// --- the file -----------------------------------------------------------------------------------

static void read_color(bspi_json_reader *json, float out[3]) {
    uint32_t i = 0;
    (void)bspi_json_enter(json, '[');
    for (; bspi_json_next(json, ']'); i++) {
        double value = bspi_json_number(json);
        if (i < 3) {
            out[i] = (float)value / 255;
        }
    }
}

static void read_member(const bspi_relight *own, bspi_json_reader *json, const struct member *m,
                        bspi_surface_keys *out) {
    char *at = (char *)out + m->at;
    float color[3] = {0, 0, 0};
    float number = 0;
    if (m->kind == COLOR) {
        read_color(json, color);
        out->colored |= m->at == AT(color);
        memcpy(at, color, sizeof color);
        return;
    }
    number = m->kind == TARGET ? (float)bspi_style_named(own, bspi_json_text(json))
                               : (float)bspi_json_number(json);
    number = isfinite(number) ? fminf(MOST, fmaxf(-MOST, number)) : 0;
    if (m->kind == BOOL) {
        memcpy(at, &(bool){number != 0}, sizeof(bool));
        return;
    }
    memcpy(at, &number, sizeof number);
}

static void read_surface(const bspi_relight *own, bspi_json_reader *json, bspi_surface_keys *out) {
    (void)bspi_json_enter(json, '{');
    while (bspi_json_next(json, '}')) {
        bsp_text name = bspi_json_name(json);
        size_t i = 0;
        while (i < sizeof members / sizeof *members &&
               !bsp_text_equal(name, bsp_text_of(members[i].name))) {
            i++;
        }
        if (i < sizeof members / sizeof *members) {
            read_member(own, json, &members[i], out);
        } else {
            bspi_json_skip(json);
        }
    }
}

// Returns the number that a name is, or BSP_NONE.
static uint32_t number_of(bsp_text name) {
    int64_t number;
    return bsp_parse_int(name, &number) && number >= 0 && number < BSP_NONE ? (uint32_t)number
                                                                            : BSP_NONE;
}

// Reads the file. `of_map`: it has an entry for each texinfo, and no others.
static bool read_file(bspi_relight *own, bspi_surface_keys *list, bool *of_map, bsp_error *error) {
    uint32_t count = own->map->num_texinfos;
    uint32_t entities = own->map->entities == NULL ? 0 : own->map->entities->count;
    bspi_json_reader json = {.text = own->options->surfaces};
    uint32_t found = 0;
    *of_map = true;
    (void)bspi_json_enter(&json, '{');
    while (bspi_json_next(&json, '}')) {
        uint32_t number = number_of(bspi_json_name(&json));
        *of_map &= number < count;
        found++;
        bspi_surface_keys read = NOTHING;
        if (!bspi_heap_work(&own->heap, 4 + entities / 8, error)) {
            return false;
        }
        read_surface(own, &json, &read);
        if (number < count) {
            list[number] = read;
        }
    }
    if (!bspi_json_at_end(&json)) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "the text of its .texinfo.json is no JSON");
    }
    *of_map &= found == count;
    return true;
}

// --- models -------------------------------------------------------------------------------------

// What keys of an entity say of all faces of its model; of those of the world only what the
// compiler takes for all others, too.
static void read_model(const bspi_relight *own, const bsp_entity *world, const bsp_entity *entity,
                       bspi_surface_keys *out) {
    bool of_world = entity == world;
    out->fades = world == NULL ? NAN : bspi_key_number(world, "_surflight_atten", NAN);
    out->shows = world == NULL ? NAN : bspi_key_number(world, "_surflight_minlight_scale", NAN);
    if (of_world) {
        return;
    }
    bsp_text target = bspi_key(entity, "_surflight_targetname");
    float style = bspi_key_number(entity, "_surflight_style", 0);
    out->no_least = bspi_key_number(entity, "_minlight", 0) == -1;
    out->rescales = bspi_key_number(entity, "_surflight_rescale", NAN);
    out->style = target.size != 0 ? (float)bspi_style_named(own, target) : style != 0 ? style : NAN;
    out->colored = bspi_key_color(entity, "_surflight_color", out->color);
    out->shows = bspi_key_number(entity, "_surflight_minlight_scale", out->shows);
    out->fades = bspi_key_number(entity, "_surflight_atten", out->fades);
    out->group = bspi_key_number(entity, "_surflight_group", 0);
    out->concave = bspi_key_number(entity, "_phong_angle_concave", 0);
    out->concave = out->concave > 0 ? out->concave : NAN;
    out->opacity = bspi_key_number(entity, "_light_alpha", NAN);
}

static bool read_models(bspi_relight *own, bsp_error *error) {
    uint32_t count = own->map->num_models;
    uint32_t entities = own->map->entities == NULL ? 0 : own->map->entities->count;
    own->model_keys =
        bspi_arena_zero(&own->arena, (size_t)count + 1, sizeof *own->model_keys, error);
    for (uint32_t m = 0; own->model_keys != NULL && m <= count; m++) { // as `own->models`
        const bsp_entity *entity = m < count ? bspi_model_entity(own, m) : NULL;
        own->model_keys[m] = bspi_surface_keys_none;
        if (entity != NULL) {
            read_model(own, bspi_lit_world(own), entity, &own->model_keys[m]);
        }
        if (!bspi_heap_work(&own->heap, 1 + entities / 8, error)) {
            return false;
        }
    }
    return own->model_keys != NULL;
}

bool bspi_surface_keys_find(bspi_relight *own, bsp_error *error) {
    bool of_map = false;
    if (own->relight.compiler != BSP_COMPILER_ERICW) {
        return true;
    }
    if (own->options->surfaces.size != 0) {
        uint32_t count = own->map->num_texinfos;
        bspi_surface_keys *list = bspi_arena_raw(&own->arena, count + 1, sizeof *list, error);
        for (uint32_t i = 0; list != NULL && i < count; i++) {
            list[i] = bspi_surface_keys_none;
        }
        if (list == NULL || !read_file(own, list, &of_map, error)) {
            return false;
        }
        own->surface_keys = of_map ? list : NULL;
        own->foreign_surfaces = !of_map;
    }
    return of_map || read_models(own, error);
}

const bspi_surface_keys *bspi_surface_keys_of(const bspi_relight *own, uint32_t face) {
    uint32_t texinfo = own->map->faces[face].texinfo;
    if (own->surface_keys != NULL && texinfo < own->map->num_texinfos) {
        return &own->surface_keys[texinfo];
    }
    return own->model_keys != NULL ? &own->model_keys[own->face_models[face]]
                                   : &bspi_surface_keys_none;
}
