// SPDX-License-Identifier: MIT
// Displacements, static props, overlays, cubemaps and lights as records.
#include "emit.h"
#include "keys.h"

#define MAX_PROP_LEAVES 64
#define PROP_SIZE 16.0 // models are not at hand: a prop is taken for a box of this half width
#define FLAGS_NOT_TESSELLATION 0x80000000u

// --- displacements ------------------------------------------------------------------------------

static bsp_displacement hill_record(const hill *h, uint32_t first_vert, uint32_t first_tri) {
    bsp_displacement d = {.first_vert = first_vert,
                          .first_tri = first_tri,
                          .power = h->power,
                          .flags = FLAGS_NOT_TESSELLATION,
                          .contents = (int32_t)CONTENTS_SOLID,
                          .face = h->face,
                          .sample_start = h->sample_start};
    put_vec3(d.start, h->start);
    for (int e = 0; e < 4; e++) {
        for (int k = 0; k < 2; k++) {
            d.edge_neighbors[e][k][0] = BSP_NONE;
        }
        for (int k = 0; k < 4; k++) {
            d.corner_neighbors[e][k] = BSP_NONE;
        }
    }
    for (int i = 0; i < 10; i++) {
        d.allowed_verts[i] = h->allowed[i];
    }
    return d;
}

void emit_hills(const world *w, bsp_map *map) {
    bsp_displacement *list = NULL;
    bsp_disp_vert *verts = NULL;
    uint16_t *tris = NULL;
    uint32_t num_list = 0;
    uint32_t num_verts = 0;
    uint32_t num_tris = 0;
    for (uint32_t i = 0; i < w->num_hills; i++) {
        const hill *h = w->hills[i];
        uint32_t cells = 1u << h->power;
        PUSH(list, num_list, hill_record(h, num_verts, num_tris));
        for (uint32_t k = 0; k < (cells + 1) * (cells + 1); k++) {
            bsp_disp_vert v = {.dist = (float)length(h->offsets[k]), .alpha = (float)h->alphas[k]};
            put_vec3(v.vec, unit(h->offsets[k]));
            PUSH(verts, num_verts, v);
        }
        for (uint32_t k = 0; k < 2 * cells * cells; k++) {
            PUSH(tris, num_tris, h->tags[k]);
        }
    }
    map->displacements = list;
    map->num_displacements = num_list;
    map->disp_verts = verts;
    map->num_disp_verts = num_verts;
    map->disp_tris = tris;
    map->num_disp_tris = num_tris;
    map->disp_samples = (bsp_bytes){w->samples.data, w->samples.size};
}

// --- static props -------------------------------------------------------------------------------

// No collision models, and the record that ends them: the same in both byte orders.
static const uint8_t no_physics[16] = {255, 255, 255, 255, 255, 255, 255, 255};

typedef struct prop_list {
    bsp_text *models;
    uint32_t num_models;
    uint32_t *leaves;
    uint32_t num_leaves;
    bsp_static_prop *props;
    uint32_t num_props;
} prop_list;

static void add_prop(const world *w, prop_list *list, const entity *e) {
    uint32_t leaves[MAX_PROP_LEAVES];
    box3 box = {add(e->origin, vec(-PROP_SIZE, -PROP_SIZE, 0)),
                add(e->origin, vec(PROP_SIZE, PROP_SIZE, 2 * PROP_SIZE))};
    bsp_static_prop p = {.model =
                             text_number(&list->models, &list->num_models, key_text(w, e, "model")),
                         .first_leaf = list->num_leaves,
                         .solid = (uint32_t)key_number(w, e, "solid", 0),
                         .skin = (int32_t)key_number(w, e, "skin", 0),
                         .fade_min = (float)key_number(w, e, "fademindist", -1),
                         .fade_max = (float)key_number(w, e, "fademaxdist", 0),
                         .forced_fade_scale = (float)key_number(w, e, "fadescale", 1),
                         .color = {255, 255, 255, 255}};
    p.num_leaves = leaves_in(w, box, leaves, MAX_PROP_LEAVES);
    for (uint32_t i = 0; i < p.num_leaves; i++) {
        PUSH(list->leaves, list->num_leaves, leaves[i]);
    }
    p.lightmap_size[0] = (uint32_t)key_number(w, e, "lightmapresolutionx", 0);
    p.lightmap_size[1] = (uint32_t)key_number(w, e, "lightmapresolutiony", 0);
    put_vec3(p.angles, key_vec(w, e, "angles"));
    put_vec3(p.origin, e->origin);
    put_vec3(p.lighting_origin, add(e->origin, vec(0, 0, PROP_SIZE)));
    PUSH(list->props, list->num_props, p);
}

void emit_props(const world *w, bsp_map *map) {
    prop_list list = {0};
    for (uint32_t i = 0; i < w->num_entities; i++) {
        if (is_class(&w->entities[i], "prop_static")) {
            add_prop(w, &list, &w->entities[i]);
        }
    }
    map->static_prop_models = list.models;
    map->num_static_prop_models = list.num_models;
    map->static_prop_leaves = list.leaves;
    map->num_static_prop_leaves = list.num_leaves;
    map->static_props = list.props;
    map->num_static_props = list.num_props;
    map->overlays = w->overlays;
    map->overlay_fades = w->overlay_fades;
    map->num_overlays = map->num_overlay_fades = w->num_overlays;
    bsp_cubemap *cubemaps = zeroed((w->num_cubemaps + 1) * sizeof *cubemaps);
    for (uint32_t i = 0; i < w->num_cubemaps; i++) {
        for (int k = 0; k < 3; k++) {
            cubemaps[i].origin[k] = (int32_t)w->cubemaps[i].v[k];
        }
        cubemaps[i].size = w->cubemap_sizes[i];
    }
    map->cubemaps = cubemaps;
    map->num_cubemaps = w->num_cubemaps;
    map->pak = (bsp_bytes){w->pak.data, w->pak.size};
    map->physics = (bsp_bytes){no_physics, sizeof no_physics};
}

// --- light --------------------------------------------------------------------------------------

static bsp_world_light lamp_record(const lamp *l) {
    bsp_world_light out = {.cluster = l->kind < LIGHT_SKY ? l->cluster : 0,
                           .type = (uint32_t)l->kind,
                           .style = (int32_t)l->style,
                           .stopdot = (float)l->inner,
                           .stopdot2 = (float)l->outer,
                           .exponent = (float)l->exponent,
                           .constant_attn = (float)l->constant,
                           .linear_attn = (float)l->linear,
                           .quadratic_attn = (float)l->quadratic};
    put_vec3(out.origin, l->origin);
    put_vec3(out.normal, l->direction);
    for (int i = 0; i < 3; i++) {
        out.intensity[i] = (float)(l->colour[i] / 255);
    }
    return out;
}

void emit_light(const world *w, bsp_map *map) {
    bsp_world_light *lights = zeroed((w->num_lamps + 1) * sizeof *lights);
    for (uint32_t i = 0; i < w->num_lamps; i++) {
        lights[i] = lamp_record(&w->lamps[i]);
    }
    map->world_lights = lights;
    map->num_world_lights = w->num_lamps;
    map->light = (bsp_bytes){w->light.data, w->light.size};
    map->ambient_index = w->ambient_index;
    map->num_ambient_index = w->num_leaves;
    map->ambient_samples = w->ambient;
    map->num_ambient_samples = w->num_ambient;
}
