// SPDX-License-Identifier: MIT
// Detail props: models, and rectangles of the sheet of detail sprites. Sources:
// detailobjectsystem.cpp of the Source SDK: how sprites, crosses and triangles lie (DrawTypeSprite,
// DrawTypeShapeCross, DrawTypeShapeTri), how they turn (ComputeAngles), how far they are seen
// (cl_detaildist, cl_detailfade, env_detail_controller). They do not sway here, and none is
// mirrored, as every other one is in the game.
#include "scene/cards.h"
#include "scene/prop_builder.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

#define FADE_MIN 800.0F
#define FADE_MAX 1200.0F
#define MOST 1e6F // of a coordinate of the dictionary

enum { MODEL = 0, SPRITE = 1, CROSS = 2, TRIANGLE = 3, TYPES = 4 };
enum { FIXED = 0, FACES_EYE = 1, FACES_EYE_UPRIGHT = 2 };

// Props of one kind show one model of the scene.
typedef struct kind {
    uint32_t sprite, type, orientation, angle, size;
    uint32_t model; // of the scene, or BSP_NONE
    uint32_t next;  // with the same hash, or BSP_NONE
} kind;

typedef struct detail_builder {
    bspi_prop_builder *props;
    bspi_sheet *sheet; // NULL: not looked for yet
    kind *kinds;
    size_t num_kinds, room_kinds;
    uint32_t *slots;
    uint32_t num_slots;
    float fade[2];
    const bsp_detail_light *lights; // of styles
    uint32_t num_lights;
    float styles[BSP_LIGHT_STYLES]; // 256: any byte is one
} detail_builder;

// --- meshes -------------------------------------------------------------------------------------

static void set_uv(bspi_card_side *side, float left, float top, float right, float bottom) {
    const float uv[4][2] = {{left, top}, {right, top}, {right, bottom}, {left, bottom}};
    memcpy(side->uv, uv, sizeof uv);
}

// From `at`, a corner at the top, along `wide` and `down`.
static void set_at(bspi_card_side *side, const float at[3], const float wide[3],
                   const float down[3]) {
    for (int i = 0; i < 3; i++) {
        side->at[0][i] = at[i];
        side->at[1][i] = at[i] + wide[i];
        side->at[2][i] = at[i] + wide[i] + down[i];
        side->at[3][i] = at[i] + down[i];
    }
}

// A sprite that is fixed has its picture the right way round for who sees it from +x; one that
// turns has its right at -y, as sprites have.
static void make_sprite(const bsp_detail_sprite *rect, bool turns, bspi_card_side *side) {
    const float *ul = rect->upper_left, *lr = rect->lower_right;
    float along = turns ? 1 : -1;
    const float at[3] = {0, along * ul[0], ul[1]};
    const float wide[3] = {0, along * (lr[0] - ul[0]), 0};
    const float down[3] = {0, 0, lr[1] - ul[1]};
    set_at(side, at, wide, down);
    set_uv(side, rect->tex_lower_right[0], rect->tex_upper_left[1], rect->tex_upper_left[0],
           rect->tex_lower_right[1]);
}

// Two rectangles that cross in the middle of their width.
static void make_cross(const bsp_detail_sprite *rect, bspi_card_side sides[2]) {
    const float *ul = rect->upper_left, *lr = rect->lower_right;
    float half = (lr[0] - ul[0]) / 2;
    const float down[3] = {0, 0, lr[1] - ul[1]};
    for (int i = 0; i < 2; i++) { // across, and along
        const float at[3] = {i == 1 ? half : 0, i == 0 ? half : 0, ul[1]};
        const float wide[3] = {-2 * at[0], -2 * at[1], 0};
        set_at(&sides[i], at, wide, down);
        set_uv(&sides[i], rect->tex_upper_left[0], rect->tex_upper_left[1],
               rect->tex_lower_right[0], rect->tex_lower_right[1]);
    }
}

// Three rectangles about the origin, each leant and moved outwards.
static void make_triangle(const bsp_detail_sprite *rect, const kind *as, bspi_card_side sides[3]) {
    const float *ul = rect->upper_left, *lr = rect->lower_right;
    float out = (float)as->size / 255 * (lr[0] - ul[0]);
    for (int s = 0; s < 3; s++) {
        const float angles[3] = {(float)as->angle, 120 * (float)s, 0};
        float axes[3][3], at[3], wide[3], down[3];
        bsp_angle_axes(angles, axes); // forward, left, up
        for (int i = 0; i < 3; i++) {
            at[i] = -ul[0] * axes[1][i] + ul[1] * axes[2][i] + out * axes[0][i];
            wide[i] = -(lr[0] - ul[0]) * axes[1][i];
            down[i] = (lr[1] - ul[1]) * axes[2][i];
        }
        set_at(&sides[s], at, wide, down);
        set_uv(&sides[s], rect->tex_upper_left[0], rect->tex_upper_left[1],
               rect->tex_lower_right[0], rect->tex_lower_right[1]);
    }
}

static bsp_model_mesh *make_mesh(const detail_builder *d, const bsp_detail_sprite *rect,
                                 const kind *as) {
    static const uint32_t counts[TYPES] = {0, 1, 2, 3};
    bspi_card_side sides[3];
    bool turns = as->type == SPRITE && as->orientation != FIXED;
    if (as->type == SPRITE) {
        make_sprite(rect, turns, sides);
    } else if (as->type == CROSS) {
        make_cross(rect, sides);
    } else {
        make_triangle(rect, as, sides);
    }
    bsp_model_mesh *mesh = bspi_card_make(d->props->scene, sides, counts[as->type]);
    if (mesh != NULL) {
        mesh->sprite = as->type == SPRITE;
        mesh->facing = !turns                         ? BSP_SPRITE_ORIENTED
                       : as->orientation == FACES_EYE ? BSP_SPRITE_FACING
                                                      : BSP_SPRITE_FACING_UPRIGHT;
    }
    return mesh;
}

// --- kinds --------------------------------------------------------------------------------------

// The sheet is that which the world names; "detail/detailsprites" where it names none.
static bool open_sheet(detail_builder *d) {
    bspi_scene_builder *scene = d->props->scene;
    bsp_text name = {NULL, 0};
    if (scene->map->entities != NULL && scene->map->entities->count != 0) {
        name = bspi_state_value(scene->options->state, scene->map, 0, "detailmaterial");
    }
    name = name.size != 0 ? name : bsp_text_of("detail/detailsprites");
    return bspi_sheet_find(scene, &d->props->sheets, name, true, &d->sheet);
}

static bool is_usable(const bsp_detail_sprite *rect) {
    bool all = true;
    for (int i = 0; i < 2; i++) { // what is no number is not less
        all = all && fabsf(rect->upper_left[i]) < MOST && fabsf(rect->lower_right[i]) < MOST &&
              fabsf(rect->tex_upper_left[i]) < MOST && fabsf(rect->tex_lower_right[i]) < MOST;
    }
    return all;
}

static bool make_kind(detail_builder *d, kind *as) {
    const bsp_map *map = d->props->scene->map;
    as->model = BSP_NONE;
    if (as->sprite >= map->num_detail_sprites || !is_usable(&map->detail_sprites[as->sprite])) {
        return true;
    }
    if (d->sheet == NULL && !open_sheet(d)) {
        return false;
    }
    bsp_model_mesh *mesh = make_mesh(d, &map->detail_sprites[as->sprite], as);
    return mesh != NULL && bspi_prop_card(d->props, d->sheet, mesh, &as->model);
}

static bool same_kind(const kind *a, const kind *b) {
    return a->sprite == b->sprite && a->type == b->type && a->orientation == b->orientation &&
           a->angle == b->angle && a->size == b->size;
}

// Finds or makes the kind of a sprite or shape. Returns false without memory or over a limit.
static bool find_kind(detail_builder *d, const bsp_detail_prop *from, uint32_t *model) {
    bool shaped = from->type == TRIANGLE;
    bool turns = from->type == SPRITE && from->orientation <= FACES_EYE_UPRIGHT;
    kind want = {.sprite = from->model,
                 .type = from->type,
                 .orientation = turns ? from->orientation : FIXED,
                 .angle = shaped ? from->shape_angle : 0,
                 .size = shaped ? from->shape_size : 0};
    uint32_t hash = want.sprite * 16777619u ^ want.type * 40503u ^ want.orientation * 9973u ^
                    want.angle * 2654435761u ^ want.size * 65599u;
    uint32_t slot = (hash ^ hash >> 16) & (d->num_slots - 1);
    for (uint32_t i = d->slots[slot]; i != BSP_NONE; i = d->kinds[i].next) {
        if (!bspi_meter_add(&d->props->scene->meter, 1)) {
            return false;
        }
        if (same_kind(&d->kinds[i], &want)) {
            *model = d->kinds[i].model;
            return true;
        }
    }
    void *grown = bspi_grow(d->props->heap, d->kinds, d->num_kinds, &d->room_kinds,
                            sizeof *d->kinds, d->props->error);
    if (grown == NULL || (d->kinds = grown, !make_kind(d, &want))) {
        return false;
    }
    want.next = d->slots[slot];
    d->slots[slot] = (uint32_t)d->num_kinds;
    d->kinds[d->num_kinds++] = want;
    *model = want.model;
    return true;
}

// --- props --------------------------------------------------------------------------------------

static float decode_light(const uint8_t light[4], int channel) {
    return ldexpf((float)light[channel] / 255, (int8_t)light[3]);
}

// Adds the light of styles, which is not in the prop's own. (Sheet source-lumps, 5.1.)
static float light_of(const detail_builder *d, const bsp_detail_prop *from, int channel) {
    float value = decode_light(from->light, channel);
    uint32_t left = from->first_style < d->num_lights ? d->num_lights - from->first_style : 0;
    for (uint32_t i = 0; i < from->num_styles && i < left; i++) {
        const bsp_detail_light *more = &d->lights[from->first_style + i];
        value += d->styles[more->style] * decode_light(more->light, channel);
    }
    return value;
}

// The compiler's light is the same from all sides.
static void set_light(const detail_builder *d, const bsp_detail_prop *from, bsp_scene_prop *prop) {
    memcpy(prop->light_point, from->origin, sizeof prop->light_point);
    if (d->props->scene->options->full_bright) {
        return;
    }
    prop->light.source = BSP_LIGHT_CUBE;
    prop->light.face = BSP_NONE;
    for (int c = 0; c < 3; c++) {
        float value = light_of(d, from, c);
        prop->light.ambient[c] = value;
        for (int side = 0; side < 6; side++) {
            prop->light.cube[side][c] = value;
        }
    }
}

static void place(const detail_builder *d, const bsp_detail_prop *from, bsp_scene_prop *prop) {
    bool scales = from->type != MODEL && from->scale > 0 && from->scale < 1e4F;
    bspi_prop_place(prop, from->origin, from->angles, scales ? from->scale : 1);
    set_light(d, from, prop);
    memcpy(prop->fade_point, from->origin, sizeof prop->fade_point);
    prop->fade_min = d->fade[0];
    prop->fade_max = d->fade[1];
}

static bool is_placed(const bsp_detail_prop *from) {
    bool placed = true;
    for (int i = 0; i < 3; i++) {
        placed = placed && isfinite(from->origin[i]) && isfinite(from->angles[i]);
    }
    return placed;
}

static bool add_detail(detail_builder *d, uint32_t number) {
    const bsp_map *map = d->props->scene->map;
    const bsp_detail_prop *from = &map->detail_props[number];
    bsp_scene_prop *prop = NULL;
    if (!bspi_meter_add(&d->props->scene->meter, 1 + (uint64_t)from->num_styles)) {
        return false;
    }
    if (!is_placed(from) || from->type >= TYPES) {
        return true;
    }
    if (from->type == MODEL) {
        const bspi_shown shown = {.path = from->model < map->num_detail_models
                                              ? map->detail_models[from->model]
                                              : (bsp_text){NULL, 0},
                                  .scale = 1};
        if (shown.path.size != 0 &&
            !bspi_prop_show(d->props, &shown, BSP_PROP_DETAIL, number, &prop)) {
            return false;
        }
    } else {
        uint32_t model;
        if (!find_kind(d, from, &model)) {
            return false;
        }
        prop = model == BSP_NONE ? NULL : bspi_prop_begin(d->props, model, BSP_PROP_DETAIL, number);
    }
    if (prop != NULL) {
        place(d, from, prop);
    }
    return true;
}

// A controller of the map says how far they are seen.
static void read_fade(detail_builder *d) {
    const bsp_map *map = d->props->scene->map;
    d->fade[0] = FADE_MIN;
    d->fade[1] = FADE_MAX;
    for (uint32_t i = 0; map->entities != NULL && i < map->entities->count; i++) {
        const bsp_entity *entity = &map->entities->list[i];
        float near, far;
        if (bspi_text_is(bsp_entity_value(entity, "classname"), "env_detail_controller") &&
            bsp_parse_float(bsp_entity_value(entity, "fademindist"), &near) &&
            bsp_parse_float(bsp_entity_value(entity, "fademaxdist"), &far) && near >= 0 &&
            far > near && far < MOST) {
            d->fade[0] = near;
            d->fade[1] = far;
        }
    }
}

// The light of styles, where a state says how bright they are. A map may have it for one range.
static void find_lights(detail_builder *d) {
    const bsp_map *map = d->props->scene->map;
    const bsp_scene_options *options = d->props->scene->options;
    bool hdr = map->num_detail_lights_hdr != 0 && (options->hdr || map->num_detail_lights == 0);
    d->lights = hdr ? map->detail_lights_hdr : map->detail_lights;
    d->num_lights = hdr ? map->num_detail_lights_hdr : map->num_detail_lights;
    d->num_lights = options->state == NULL ? 0 : d->num_lights;
    bsp_scene_styles(map, options->state, d->styles);
}

bool bspi_props_details(bspi_prop_builder *props) {
    const bsp_map *map = props->scene->map;
    detail_builder d = {.props = props, .num_slots = 64};
    if (map->num_detail_props == 0) {
        return true;
    }
    while (d.num_slots < map->num_detail_props && d.num_slots < (1u << 16)) {
        d.num_slots *= 2;
    }
    d.slots = bspi_heap_alloc(props->heap, d.num_slots * sizeof *d.slots, props->error);
    bool done = d.slots != NULL;
    for (uint32_t i = 0; done && i < d.num_slots; i++) {
        d.slots[i] = BSP_NONE;
    }
    read_fade(&d);
    find_lights(&d);
    for (uint32_t i = 0; done && i < map->num_detail_props; i++) {
        done = add_detail(&d, i);
    }
    bspi_heap_free(props->heap, d.kinds, d.room_kinds * sizeof *d.kinds);
    bspi_heap_free(props->heap, d.slots, d.num_slots * sizeof *d.slots);
    return done;
}
