// SPDX-License-Identifier: MIT
// Materials: which of the map's the scene shows, and what their textures say of how they are drawn.
// A map may list any number of others, and they may be in files: only those that are used are
// looked for.
#include "scene/scene.h"

#include "asset/find/liquid.h"
#include "core/progress.h"
#include "scene/cards.h"

#include <string.h>

static bool is_wanted(const bsp_scene_options *options, uint32_t bits) {
    return ((bits & BSP_SURFACE_HIDDEN) == 0 || options->hidden) &&
           ((bits & BSP_SURFACE_SKY) == 0 || options->sky);
}

static uint32_t mark(const bsp_map *map, bsp_scene_material *list, uint32_t material) {
    bool first = material < map->num_materials && !list[material].used;
    if (first) {
        list[material].used = true;
    }
    return first;
}

static uint32_t mark_overlays(const bsp_map *map, bsp_scene_material *list,
                              const bsp_overlay *overlays, uint32_t count) {
    uint32_t marked = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (overlays[i].texinfo < map->num_texinfos) {
            marked += mark(map, list, map->texinfos[overlays[i].texinfo].material);
        }
    }
    return marked;
}

// Marks those of the map. Returns how many are used.
static uint32_t mark_used(bspi_scene_builder *builder, bsp_scene_material *list) {
    const bsp_map *map = builder->map;
    uint32_t marked = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        if (is_wanted(builder->options, bsp_surface_bits_of(map, f))) {
            marked += mark(map, list, bsp_surface_material(map, f));
        }
    }
    marked += mark_overlays(map, list, map->overlays, map->num_overlays);
    marked += mark_overlays(map, list, map->water_overlays, map->num_water_overlays);
    (void)bspi_meter_add(&builder->meter, (uint64_t)map->num_faces + map->num_overlays +
                                              map->num_water_overlays + map->num_materials);
    return marked;
}

// Black says nothing.
static void set_color(const bsp_material *from, bsp_scene_material *to) {
    const float *c = from->reflectivity;
    to->opacity = 1;
    to->colored = c[0] > 0 || c[1] > 0 || c[2] > 0;
    for (int i = 0; to->colored && i < 3; i++) {
        to->color[i] = c[i] > 0 ? (c[i] < 1 ? c[i] : 1) : 0;
    }
}

static void set_texture(const bsp_texture *from, bsp_scene_material *to) {
    to->found = from->found;
    to->width = from->width;
    to->height = from->height;
    to->alpha = from->alpha;
    to->alpha_cut = from->alpha_cut;
    to->opacity = from->opacity;
    to->two_sided = from->two_sided;
    to->clamp = from->clamp;
    to->unlit = from->unlit;
    to->no_draw = from->no_draw;
    to->sky = from->sky;
    to->fog = from->fog;
    to->environment = from->environment;
    to->shift[0] = from->shift[0];
    to->shift[1] = from->shift[1];
}

static bool find_fog(bspi_scene_builder *builder, uint32_t material, bsp_scene_fog *to) {
    bspi_liquid_fog from;
    if (!bspi_liquid_fog_find(builder->options->textures, material, &from, builder->error)) {
        return false;
    }
    to->on = from.density > 0 || from.end > from.start;
    if (to->on) {
        to->curve = from.density > 0 ? BSP_FOG_EXP : BSP_FOG_LINEAR;
        memcpy(to->color, from.color, sizeof to->color);
        to->start = from.start;
        to->end = from.end;
        to->density = from.density;
        to->most = to->on_sky = 1;
        to->entity = BSP_NONE;
    }
    return true;
}

static bool find_textures(bspi_scene_builder *builder, uint32_t material, bsp_scene_material *to) {
    const bsp_scene_options *options = builder->options;
    bsp_texture texture;
    bsp_texture second;
    if (!bsp_textures_find(options->textures, material, &texture, builder->error)) {
        return false;
    }
    bool done = bsp_textures_find_second(options->textures, material, &second, builder->error);
    if (done) {
        set_texture(&texture, to);
        done = !texture.liquid || find_fog(builder, material, &to->liquid_fog);
        to->mixed = second.found;
        done = done &&
               (options->pictures == NULL ||
                options->pictures(options->user, material, to, &texture, &second, builder->error));
        bsp_texture_free(&second);
    }
    bsp_texture_free(&texture);
    return done;
}

// --- materials of models ------------------------------------------------------------------------

static uint32_t mark_models(const bsp_scene *scene, bsp_scene_material *list) {
    uint32_t marked = 0;
    for (uint32_t m = 0; m < scene->num_models; m++) {
        const bsp_scene_model *model = &scene->models[m];
        for (uint32_t g = 0; g < model->mesh->num_groups; g++) {
            uint32_t material = model->materials[g];
            if (material != BSP_NONE && !list[material].used) {
                list[material].used = true;
                list[material].opacity = 1;
                marked++;
            }
        }
    }
    return marked;
}

static bool embedded_texture(bspi_scene_builder *builder, const bsp_model_asset *model,
                             uint32_t number, bsp_texture *out) {
    bsp_error why = {0};
    *out = (bsp_texture){.alpha_cut = 0.5F, .opacity = 1};
    if (bsp_model_image(model, number, &out->image, &why)) {
        out->found = true;
        out->width = out->image.width;
        out->height = out->image.height;
        return true;
    }
    return !bspi_out_of_memory(&why, builder->error) &&
           bsp_textures_find_file(builder->options->textures,
                                  &bsp_model_get_info(model)->materials[number].name, 1, out,
                                  builder->error);
}

// What the model says beyond its picture.
static void apply_model(const bsp_model_material *from, bsp_texture *texture) {
    if (from->alpha != BSP_ALPHA_OPAQUE) {
        texture->alpha = from->alpha;
        texture->alpha_cut = from->alpha_cut;
    }
    texture->unlit = texture->unlit || from->unlit;
    texture->two_sided = texture->two_sided || from->two_sided;
}

static bool find_model_texture(bspi_scene_builder *builder, const bsp_model_asset *model,
                               uint32_t number, uint32_t as, bsp_scene_material *to) {
    const bsp_scene_options *options = builder->options;
    const bsp_model_material *from = &bsp_model_get_info(model)->materials[number];
    bsp_texture texture;
    bsp_texture none = {0};
    bool done = from->embedded
                    ? embedded_texture(builder, model, number, &texture)
                    : bsp_textures_find_file(
                          options->textures, from->num_paths == 0 ? &from->name : from->paths,
                          from->num_paths == 0 ? 1 : from->num_paths, &texture, builder->error);
    if (!done) {
        return false;
    }
    apply_model(from, &texture);
    to->name = from->name;
    if (!from->embedded) {
        to->paths = from->num_paths == 0 ? &from->name : from->paths;
        to->num_paths = from->num_paths == 0 ? 1 : from->num_paths;
    }
    set_texture(&texture, to);
    done = options->pictures == NULL ||
           options->pictures(options->user, as, to, &texture, &none, builder->error);
    bsp_texture_free(&texture);
    return done;
}

static bool find_model_textures(bspi_scene_builder *builder, bsp_scene_material *list,
                                bspi_progress *progress) {
    const bspi_scene *own = builder->own;
    bool done = true;
    for (size_t n = 0; done && n < own->num_open; n++) {
        const bsp_model_info *info = bsp_model_get_info(own->open[n]);
        uint32_t first = BSP_NONE;
        for (uint32_t m = 0; first == BSP_NONE && m < own->scene.num_models; m++) {
            first = own->models[m].info == info ? own->models[m].first_material : BSP_NONE;
        }
        for (uint32_t m = 0; done && first != BSP_NONE && m < info->num_materials; m++) {
            if (list[first + m].used) {
                done = find_model_texture(builder, own->open[n], m, first + m, &list[first + m]) &&
                       bspi_progress_step(progress, 1, builder->error);
            }
        }
        done = done && bspi_meter_add(&builder->meter, 1 + (uint64_t)own->scene.num_models);
    }
    return done;
}

// Detail props have light of their own, which their material leaves out.
static bool find_card_texture(bspi_scene_builder *builder, const bspi_sheet *sheet,
                              bsp_scene_material *to) {
    const bsp_scene_options *options = builder->options;
    bsp_texture texture;
    bsp_texture none = {0};
    if (!bsp_textures_find_file(options->textures, &sheet->name, 1, &texture, builder->error)) {
        return false;
    }
    apply_model(&sheet->material, &texture);
    texture.unlit = !sheet->lit;
    to->name = sheet->name;
    to->paths = &sheet->name;
    to->num_paths = 1;
    set_texture(&texture, to);
    bool done = options->pictures == NULL || options->pictures(options->user, sheet->number, to,
                                                               &texture, &none, builder->error);
    bsp_texture_free(&texture);
    return done;
}

// Any number of cards show one material.
static bool find_card_textures(bspi_scene_builder *builder, bsp_scene_material *list,
                               bspi_progress *progress) {
    const bsp_scene *scene = &builder->own->scene;
    bool done = bspi_meter_add(&builder->meter, scene->num_models);
    for (uint32_t m = 0; done && m < scene->num_models; m++) {
        const bsp_model_info *info = scene->models[m].info;
        const bspi_sheet *sheet =
            bspi_is_card(info) ? (const bspi_sheet *)(const void *)info : NULL;
        if (sheet != NULL && list[sheet->number].used && list[sheet->number].name.data == NULL) {
            done = find_card_texture(builder, sheet, &list[sheet->number]) &&
                   bspi_progress_step(progress, 1, builder->error);
        }
    }
    return done;
}

bool bspi_scene_materials(bspi_scene_builder *builder) {
    const bsp_map *map = builder->map;
    bsp_scene_material *list =
        bspi_arena_zero(&builder->own->arena, builder->num_materials, sizeof *list, builder->error);
    if (list == NULL) {
        return false;
    }
    builder->own->scene.materials = list;
    builder->own->scene.num_materials = builder->num_materials;
    uint32_t used = mark_models(&builder->own->scene, list);
    used += builder->options->props_alone ? 0 : mark_used(builder, list);
    bspi_progress progress;
    bool done = bspi_progress_begin(&progress, &builder->options->progress, "textures", used,
                                    builder->error);
    for (uint32_t m = 0; done && m < map->num_materials; m++) {
        list[m].name = map->materials[m].name;
        set_color(&map->materials[m], &list[m]);
        if (list[m].used) {
            done = (builder->options->textures == NULL || find_textures(builder, m, &list[m])) &&
                   bspi_progress_step(&progress, 1, builder->error);
        }
    }
    return done && find_model_textures(builder, list, &progress) &&
           find_card_textures(builder, list, &progress);
}
