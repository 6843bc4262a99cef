// SPDX-License-Identifier: MIT
// Light made anew: lamps, then the direct light of each face, then what surfaces throw back.
#include "bake/light/base/keys.h"
#include "bake/light/base/models.h"
#include "bake/light/base/unheeded.h"
#include "bake/light/bounce/bounce.h"
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/direct.h"
#include "bake/light/gather/dirt.h"
#include "bake/light/gather/model_light.h"
#include "bake/light/gather/softened.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lamps/lamps.h"
#include "bake/light/lumps/ambient_cubes.h"
#include "bake/light/lumps/drawn_light.h"
#include "bake/light/lumps/finish.h"
#include "bake/light/lumps/light_octree.h"
#include "bake/light/lumps/region.h"
#include "bake/light/places/cells.h"
#include "bake/light/places/spots.h"
#include "bake/light/rad/rad_bounce.h"
#include "bake/light/shadows/occluders.h"
#include "bake/light/shadows/props.h"
#include "bake/light/shadows/shafts.h"
#include "bake/light/shadows/sky_rooms.h"
#include "bake/light/stored_smooth.h"
#include "bake/light/stored_texlights.h"
#include "bake/light/vrad/vrad.h"
#include "bake/result/part.h"

#include "core/options.h"
#include "core/progress.h"
#include "core/workers.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <math.h>

#define MOST_EXTRA 8u
#define MOST_SUPER 4.0f
#define MOST_SOFT 255u
#define LEAST_GRID 1.0f // units
#define MOST_GRID 65536.0f

// --- faces --------------------------------------------------------------------------------------

static bool make_face(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    bspi_relight *own = user;
    (void)worker;
    return bspi_direct_face(own, own->share + item * own->num_shares, error);
}

// Lights the faces of the share.
static bool make_faces(bspi_relight *own, bsp_error *error) {
    uint32_t faces = own->map->num_faces;
    uint32_t count = own->share < faces ? (faces - own->share - 1) / own->num_shares + 1 : 0;
    bspi_progress progress;
    return bspi_progress_begin(&progress, &own->options->progress, "faces", count, error) &&
           bspi_workers_stage(bspi_heap_threads(&own->heap), count, make_face, own, &progress,
                              error);
}

static bool finish_face(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    bspi_relight *own = user;
    (void)worker;
    return (own->drawn == NULL || bspi_drawn_wrap(own, item, error)) &&
           bspi_finish_number(own, item, error);
}

static bool finish(bspi_relight *own, bsp_error *error) {
    uint32_t faces = own->map->num_faces;
    if (!bspi_workers_each(bspi_heap_threads(&own->heap), faces, finish_face, own, error)) {
        return false;
    }
    for (uint32_t i = 0; i < faces; i++) {
        own->relight.num_luxels += (uint64_t)own->faces[i].width * own->faces[i].height;
    }
    own->relight.num_rays = own->rays;
    own->relight.num_styles_dropped = own->dropped;
    return true;
}

// --- all ----------------------------------------------------------------------------------------

// Fails where nothing gives light, unless that is to be so: the map has light all the same.
static bool is_explained(const bspi_relight *own, bsp_error *error) {
    const float *base = own->scale.curve.base;
    bool some = own->num_lamps + own->num_takers != 0 || base[0] + base[1] + base[2] > 0;
    for (uint32_t m = 0; !some && m < own->map->num_models; m++) {
        const float *least = own->models[m].least;
        some = least[0] + least[1] + least[2] > 0;
    }
    return some || own->options->force ||
           bsp_fail(error, BSP_E_UNEXPLAINED, NULL,
                    "the map names no light: its compiler had some that it did not leave there");
}

// Fails for forms of light that are not made.
static bool is_lit_so(const bspi_relight *own, bsp_error *error) {
    const bsp_traits *traits = own->map->traits;
    if (traits->lights.compiler == BSP_COMPILER_USUAL || traits->light == BSP_LIGHT_RGB556) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "light of this form is not made: %s",
                        own->map->branch->name);
    }
    return true;
}

// What faces say of their light.
static bool find_luxels(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    if (map->traits->light == BSP_LIGHT_PAGES) {
        return bspi_drawn_find(own, error);
    }
    bspi_light_source_init(&own->source, map, own->file, own->relight.hdr);
    const bsp_table *styles = &own->source.style16.table;
    own->most_styles = styles->count != 0 ? styles->layout->fields[0].count : BSPI_RELIGHT_STYLES;
    own->most_styles =
        own->most_styles < BSP_RELIGHT_STYLES ? own->most_styles : BSP_RELIGHT_STYLES;
    return own->source.num_lights >= map->num_faces ||
           bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "the faces do not say where light is");
}

// Returns what q3map2 was told, once lamps were found; NULL in other families.
static const bspi_q3map2_told *told_of(const bspi_relight *own) {
    return own->drawn != NULL ? &own->drawn->told : NULL;
}

static bool prepare(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    const bsp_trace_options trace = {.allocator = own->options->allocator,
                                     .budget = own->options->budget};
    bsp_light_format light = map->traits->light;
    own->own_format = light == BSP_LIGHT_GREY8      ? BSPI_GREY8
                      : light == BSP_LIGHT_RGBEXP32 ? BSPI_RGBEXP32
                                                    : BSPI_RGB8;
    own->relight.hdr = light == BSP_LIGHT_RGBEXP32 && map->light_hdr.size != 0 &&
                       (own->options->hdr || map->light.size == 0);
    own->relight.num_faces = map->num_faces;
    own->faces = bspi_arena_zero(&own->arena, map->num_faces, sizeof *own->faces, error);
    own->relight.faces = own->faces;
    if (own->faces == NULL || !is_lit_so(own, error) || !find_luxels(own, error) ||
        !bspi_rules_choose(own, error) || !bspi_stored_texlights(own, bsp_relight_build, error)) {
        return false;
    }
    own->index = bsp_trace_index_new(own->drawn != NULL ? &own->drawn->shade : map, &trace, error);
    return own->index != NULL && bspi_models_find(own, error) && bspi_ways_find(own, error) &&
           bspi_targets_build(&own->targets, bspi_lit_entities(own), &own->arena, error) &&
           bspi_lamps_find(own, error) && bspi_occluders_find(own, error) &&
           bspi_shafts_find(own, error) && bspi_dirt_begin(own, error) &&
           bspi_minima_find(own, error) && bspi_unheeded_find(own, told_of(own), error) &&
           is_explained(own, error) && bspi_props_find(own, error) &&
           bspi_sky_rooms_find(own, error);
}

// What only the rules of ericw-tools know.
static bool choose_soft(bspi_relight *own, bsp_error *error) {
    bool ericw = own->relight.compiler == BSP_COMPILER_ERICW;
    bool grid = ericw || own->relight.compiler == BSP_COMPILER_ID;
    own->scale.soft = own->options->soft;
    if (own->scale.soft != 0 && !ericw) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "%s does not mix luxels with those beside them",
                        bsp_light_compiler_name(own->relight.compiler));
    }
    return !(own->options->grid > 0) || grid ||
           bsp_fail(error, BSP_E_ARGUMENT, NULL,
                    "light grids are made for maps of Quake and Quake 2");
}

static void choose_dirt(bspi_relight *own) {
    const bsp_relight_options *options = own->options;
    bspi_light_scale *scale = &own->scale;
    const bspi_q3map2_told *told = told_of(own);
    bool on = options->dirt == BSP_DIRT_ON ||
              (options->dirt == BSP_DIRT_USUAL && told != NULL && told->dirt);
    scale->dirt_depth = options->dirt_depth > 0 ? options->dirt_depth : scale->dirt_depth;
    scale->dirt_gain = options->dirt_gain > 0 ? options->dirt_gain : scale->dirt_gain;
    scale->dirt_scale = options->dirt_scale > 0 ? options->dirt_scale : scale->dirt_scale;
    if (own->drawn != NULL) {
        own->drawn->dirt = on;
    }
    scale->occludes = own->relight.occluded = on && own->relight.compiler == BSP_COMPILER_VRAD;
    if (options->dirt == BSP_DIRT_USUAL || own->relight.compiler != BSP_COMPILER_ERICW) {
        return;
    }
    scale->dirt = scale->least_dirty = on;
    for (uint32_t i = 0; i < own->num_lamps; i++) {
        own->lamps[i].dirty = on;
    }
    for (uint32_t i = 0; i < own->num_takers; i++) {
        own->takers[i].dirty = on;
    }
}

// Quake 3: -samples are those where shadows end, -super is of all luxels.
static void choose_samples(bspi_relight *own) {
    const bspi_q3map2_told *told = &own->drawn->told;
    bspi_light_scale *scale = &own->scale;
    bool whole = !own->options->preview;
    float samples = own->options->extra != 0 ? (float)own->options->extra : told->samples;
    scale->samples = whole ? (uint32_t)fminf(MOST_EXTRA, fmaxf(1, samples)) : 1;
    scale->extra = whole ? (uint32_t)fminf(MOST_SUPER, fmaxf(1, told->super)) : 1;
}

static bool prepare_scale(bspi_relight *own, bsp_error *error) {
    const bsp_relight_options *options = own->options;
    if (!prepare(own, error) || !choose_soft(own, error)) {
        return false;
    }
    choose_dirt(own);
    own->scale.extra = options->extra != 0 && own->num_lamps != 0 ? options->extra : 1;
    own->scale.curve.beyond =
        bsp_file_find(own->file, bsp_text_of("bspx:LIGHTING_E5BGR9")) != BSP_NONE;
    bool ericw = own->relight.compiler == BSP_COMPILER_ERICW;
    bool counts = own->relight.compiler == BSP_COMPILER_VRAD || (ericw && !options->preview);
    own->scale.counts =
        counts && !(own->scale.ambient > 0) && options->bounces == 0 && !options->direct;
    own->scale.bounces = options->bounces != 0 ? options->bounces : own->scale.bounces;
    own->scale.step = own->effort->step;
    if (options->preview) { // where each bounce costs as much as the first, there is one
        own->scale.extra = 1;
        bool once = (ericw || own->drawn != NULL) && own->scale.bounces > 1;
        own->scale.bounces = once ? 1 : own->scale.bounces;
    }
    if (own->drawn != NULL) {
        choose_samples(own);
    }
    own->scale.bounces = options->direct ? 0 : own->scale.bounces;
    own->scale.cells = own->scale.cells && own->scale.step == 1 && own->scale.extra == 1;
    return bspi_sky_ways_find(own, error) && bspi_model_lights_find(own, error) &&
           bspi_stored_smooth(own, error) &&
           (!own->scale.cells || bspi_cells_prepare(own, error)) && bspi_region_find(own, error) &&
           (!own->scale.cells || bspi_softened_find(own, error));
}

static bool throw_back(bspi_relight *own, bsp_error *error) {
    if (bspi_spots_are_used(own)) { // some light is measured at patches alone
        return bspi_rad_bounce(own, error);
    }
    bool faces = own->relight.compiler == BSP_COMPILER_ERICW;
    if (own->vrad != NULL) {
        return bspi_vrad_bounce(own, error);
    }
    if (own->drawn != NULL) {
        return bspi_vertices_direct(own, error) && bspi_drawn_throw(own, error);
    }
    return (own->scale.bounces == 0 && !(faces && own->scale.counts)) ||
           (faces ? bspi_bounce_faces(own, bspi_finish_face, error) : bspi_bounce(own, error));
}

// Lights the faces, or takes their light from parts, and throws it back.
static bool light_faces(bspi_relight *own, const bsp_bytes *parts, uint32_t num_parts,
                        bsp_error *error) {
    bool merged = num_parts != 0;
    if (!(merged ? bspi_light_parts_take(own, parts, num_parts, error)
                 : bspi_spots_begin(own, error) && make_faces(own, error)) ||
        (merged && own->drawn != NULL && !bspi_drawn_fit(own, error)) ||
        !bspi_vrad_ambient(own, error)) {
        return false;
    }
    if (own->scale.cells && ((own->scale.bounces != 0 && !bspi_vrad_begin(own, error)) ||
                             !bspi_cells_blend(own, error))) {
        return false;
    }
    return throw_back(own, error) && finish(own, error) && bspi_region_restore(own, error);
}

// Makes what else of a map has light, by the form of its family.
static bool light_rest(bspi_relight *own, bsp_error *error) {
    if (own->drawn != NULL) {
        return bspi_drawn_vertices(own, error) && bspi_drawn_pages(own, error) &&
               bspi_drawn_files(own, error) && bspi_drawn_explained(own, error) &&
               bspi_drawn_grid(own, error);
    }
    return bspi_octree_make(own, error) && bspi_grids_make(own, error) &&
           bspi_octree_new(own, error) &&
           (own->own_format != BSPI_RGBEXP32 ||
            (bspi_ambient_cubes(own, error) && bspi_props_light(own, error)));
}

static bool make(bspi_relight *own, const bsp_bytes *parts, uint32_t num_parts, bsp_error *error) {
    return prepare_scale(own, error) && light_faces(own, parts, num_parts, error) &&
           light_rest(own, error);
}

// Are the options in their ranges?
static bool are_allowed(const bsp_relight_options *taken, bsp_error *error) {
    const struct {
        const char *name;
        double value;
        double least;
        double most;
    } all[] = {
        {"compiler", (double)taken->compiler, 0, BSP_COMPILER_COUNT - 1},
        {"dirt", (double)taken->dirt, 0, BSP_DIRT_OFF},
        {"prop_shadows", (double)taken->prop_shadows, 0, BSP_PROP_SHADOWS_TEXTURES},
        {"extra", taken->extra, 0, MOST_EXTRA},
        {"soft", taken->soft, 0, MOST_SOFT},
        {"grid", taken->grid, taken->grid == 0 ? 0 : LEAST_GRID, MOST_GRID},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (!(all[i].value >= all[i].least && all[i].value <= all[i].most)) {
            return bsp_fail(error, BSP_E_ARGUMENT, NULL, "%s is %g, not %g to %g", all[i].name,
                            all[i].value, all[i].least, all[i].most);
        }
    }
    for (int i = 0; taken->region != NULL && i < 3; i++) {
        if (!(taken->region[0][i] <= taken->region[1][i])) {
            return bsp_fail(error, BSP_E_ARGUMENT, NULL, "region is from %g to %g along axis %d",
                            (double)taken->region[0][i], (double)taken->region[1][i], i);
        }
    }
    return true;
}

// Checks the options, and begins. NULL on failure.
static bspi_relight *begin(const bsp_map *map, const bsp_file *file,
                           const bsp_relight_options *taken, bsp_error *error) {
    if (!bspi_map_needs(map, BSP_LOAD_ALL & ~(uint32_t)BSP_LOAD_PROPS, "light", error) ||
        !are_allowed(taken, error)) {
        return NULL;
    }
    bspi_relight *own = bspi_object_new(taken->allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    bspi_map_heap(&own->heap, BSP_PRODUCT_LIGHT, map, taken->budget, taken->allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->relight.owner = own;
    own->map = map;
    own->file = file;
    own->options = taken;
    own->texlights = taken->texlights;
    own->effort = taken->preview ? &bspi_effort_preview : &bspi_effort_whole;
    own->num_shares = 1;
    own->most_styles = BSPI_RELIGHT_STYLES;
    return own;
}

// Frees what only the making needed, and all of it unless that is `done`.
static bsp_relight *end(bspi_relight *own, bool done) {
    own->options = NULL;
    bsp_trace_index_free(own->index);
    own->index = NULL;
    if (!done) {
        bsp_relight_free(&own->relight);
        return NULL;
    }
    return &own->relight;
}

bsp_relight *bsp_relight_build(const bsp_map *map, const bsp_file *file,
                               const bsp_relight_options *options, bsp_error *error) {
    assert(map != NULL && file != NULL);
    bsp_relight_options taken;
    bspi_relight *own =
        BSPI_TAKE_OPTIONS(taken, options, error) ? begin(map, file, &taken, error) : NULL;
    return own == NULL ? NULL : end(own, make(own, NULL, 0, error));
}

bool bsp_relight_part_make(const bsp_map *map, const bsp_file *file,
                           const bsp_relight_options *options, uint32_t number, uint32_t count,
                           bsp_blob *out, bsp_error *error) {
    assert(map != NULL && file != NULL && out != NULL);
    bsp_relight_options taken;
    *out = (bsp_blob){0};
    bspi_relight *own =
        BSPI_TAKE_OPTIONS(taken, options, error) && bspi_part_exists(number, count, error)
            ? begin(map, file, &taken, error)
            : NULL;
    if (own == NULL) {
        return false;
    }
    own->share = number - 1;
    own->num_shares = count;
    bool done = prepare_scale(own, error);
    own->rays = 0; // the merge counts those of its own preparation
    done = done && make_faces(own, error) && bspi_light_part_write(own, out, error);
    end(own, false);
    return done;
}

bsp_relight *bsp_relight_merge(const bsp_map *map, const bsp_file *file,
                               const bsp_relight_options *options, const bsp_bytes *parts,
                               uint32_t num_parts, bsp_error *error) {
    assert(map != NULL && file != NULL && (parts != NULL || num_parts == 0));
    bsp_relight_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    if (num_parts == 0) {
        bsp_fail(error, BSP_E_ARGUMENT, NULL, "there are no parts");
        return NULL;
    }
    bspi_relight *own = begin(map, file, &taken, error);
    return own == NULL ? NULL : end(own, make(own, parts, num_parts, error));
}
