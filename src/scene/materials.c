// SPDX-License-Identifier: MIT
// Materials: which of the map's the scene shows, and what their textures say of how they are drawn.
// A map may list any number of others, and they may be in files: only those that are used are
// looked for.
#include "scene/scene.h"

#include "core/progress.h"

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

// Returns how many are used.
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
        to->mixed = second.found;
        done = options->pictures == NULL ||
               options->pictures(options->user, material, to, &texture, &second, builder->error);
        bsp_texture_free(&second);
    }
    bsp_texture_free(&texture);
    return done;
}

bool bspi_scene_materials(bspi_scene_builder *builder) {
    const bsp_map *map = builder->map;
    bsp_scene_material *list =
        bspi_arena_zero(&builder->own->arena, map->num_materials, sizeof *list, builder->error);
    if (list == NULL) {
        return false;
    }
    builder->own->scene.materials = list;
    builder->own->scene.num_materials = map->num_materials;
    uint32_t used = mark_used(builder, list);
    bspi_progress progress;
    bool done = bspi_progress_begin(&progress, &builder->options->progress, "textures", used,
                                    builder->error);
    for (uint32_t m = 0; done && m < map->num_materials; m++) {
        set_color(&map->materials[m], &list[m]);
        if (list[m].used) {
            done = (builder->options->textures == NULL || find_textures(builder, m, &list[m])) &&
                   bspi_progress_step(&progress, 1, builder->error);
        }
    }
    return done;
}
