// SPDX-License-Identifier: MIT
// Portals and visibility of damaged maps: the work ends within its budget, what comes out is in
// range, symmetric and within the base, and goes into the file. Cubemaps that are drawn are
// pictures.
#include "meter.h"

#include "bspkit/cubemaps.h"
#include "bspkit/relight.h"
#include "bspkit/stale.h"
#include "bspkit/vis.h"

#include <math.h>
#include <stdlib.h>

#define WORK ((uint64_t)2000000)     // steps of portals and visibility
#define LIGHTING ((uint64_t)2000000) // steps of light
#define DRAWING ((uint64_t)30000000) // steps of cubemaps
#define MEMORY ((uint64_t)64 << 20)

static void check_portals(const bsp_map *map, const bsp_portals *portals) {
    for (uint32_t i = 0; i < portals->count; i++) {
        const bsp_portal *portal = &portals->list[i];
        for (int side = 0; side < 2; side++) {
            FUZZ_CHECK(portal->leaves[side] < map->num_leaves);
            FUZZ_CHECK(portal->clusters[side] < portals->num_clusters);
        }
        FUZZ_CHECK(portal->clusters[0] != portal->clusters[1]);
        FUZZ_CHECK(portal->num_points >= 3 && portal->num_points <= 64);
        FUZZ_CHECK(portal->first_point + portal->num_points <= portals->num_points);
    }
}

static bool sees(const bsp_vis *vis, uint32_t from, uint32_t to) {
    return (vis->rows[(size_t)from * vis->row_bytes + to / 8] >> to % 8 & 1) != 0;
}

static void check_vis(const bsp_vis *vis, const bsp_vis *base) {
    for (uint32_t from = 0; from < vis->num_clusters; from++) {
        FUZZ_CHECK(sees(vis, from, from));
        for (uint32_t to = 0; to < from; to++) {
            FUZZ_CHECK(sees(vis, from, to) == sees(vis, to, from));
            FUZZ_CHECK(!sees(vis, from, to) || sees(base, from, to));
        }
    }
}

static void count_bytes(bsp_vis *vis, const bsp_portals *portals, const bsp_map *map,
                        const bsp_file *file) {
    bsp_error error;
    bsp_vis_changes *changes = bsp_vis_lumps(vis, portals, map, file, NULL, &error);
    bsp_plan *plan =
        changes == NULL ? NULL
                        : bsp_file_plan(file, changes->changes, changes->num_changes, NULL, &error);
    FUZZ_CHECK(plan == NULL || bsp_plan_size(plan) > 0);
    bsp_plan_free(plan);
    bsp_vis_changes_free(changes);
}

static bool is_sink(void *user, const char *data, size_t size) {
    (void)data;
    *(size_t *)user += size;
    return true;
}

static void count_found(void *user, const bsp_stale *found) {
    FUZZ_CHECK(found->state <= BSP_STALE_UNDECIDED && found->text[0] != '\0');
    ++*(size_t *)user;
}

static void find_stale(const bsp_file *file, const bsp_map *map) {
    bsp_error error;
    size_t count = 0;
    bool done = bsp_stale_find(file, map, NULL, count_found, &count, NULL, &error);
    FUZZ_CHECK(!done || count >= 4);
}

static void draw_cubemaps(const bsp_file *file, const bsp_map *map) {
    const bsp_limits limits = {.work = DRAWING, .memory = MEMORY};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    FUZZ_CHECK(budget != NULL);
    bsp_budget_set_threads(budget, 1);
    const bsp_cubemaps_options options = {
        .budget = budget, .name = "map", .side = 1, .kinds = BSP_CUBEMAP_LDR | BSP_CUBEMAP_HDR};
    bsp_cubemaps *cubemaps = bsp_cubemaps_build(file, map, &options, NULL);
    for (uint32_t i = 0; cubemaps != NULL && i < cubemaps->num_files; i++) {
        bsp_vtf vtf;
        bsp_bytes data = cubemaps->files[i].data;
        bool picture = i + cubemaps->num_materials < cubemaps->num_files;
        FUZZ_CHECK(data.size != 0);
        FUZZ_CHECK(!picture || (bsp_vtf_read(data, &vtf, NULL) && vtf.faces >= 6));
    }
    bsp_cubemaps_free(cubemaps);
    bsp_budget_free(budget);
}

static void bake(const bsp_file *file, const bsp_map *map, bsp_budget *budget) {
    bsp_error error;
    const bsp_portals_options how = {.budget = budget};
    bsp_portals *portals = bsp_portals_build(map, &how, &error);
    if (portals != NULL) {
        size_t written = 0;
        check_portals(map, portals);
        FUZZ_CHECK(bsp_portals_write(portals, bsp_portals_form_of(map, portals), is_sink, &written,
                                     &error));
        bsp_vis_options full = {.budget = budget};
        bsp_vis_options fast = {.budget = budget, .base = true};
        bsp_vis *base = bsp_vis_build(portals, &fast, &error);
        bsp_vis *vis = base == NULL ? NULL : bsp_vis_build(portals, &full, &error);
        if (vis != NULL) {
            check_vis(vis, base);
            count_bytes(vis, portals, map, file);
        }
        bsp_vis_free(vis);
        bsp_vis_free(base);
    }
    bsp_portals_free(portals);
}

// Pages of light beside a map, for one that has none of its own: one of luxels, and one of
// directions.
#define SIDE 16u

static void fill_pages(uint8_t rgb[2][SIDE * SIDE * 3], bsp_light_image pages[2]) {
    for (size_t i = 0; i < SIDE * SIDE * 3; i++) {
        rgb[0][i] = (uint8_t)(i % 251);
        rgb[1][i] = i % 3 == 2 ? 255 : 128;
    }
    for (int n = 0; n < 2; n++) {
        pages[n] = (bsp_light_image){.rgb = rgb[n], .width = SIDE, .height = SIDE};
    }
}

// Luxels are finite and not negative, and go into the file; of a preview too, mixed, with a grid,
// and weaker in corners.
static void light(const bsp_file *file, const bsp_map *map, uint8_t choice) {
    const bsp_limits limits = {.work = LIGHTING, .memory = MEMORY};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    FUZZ_CHECK(budget != NULL);
    bsp_budget_set_threads(budget, 1);
    bsp_error error;
    bool quake = map->traits->lights.compiler == BSP_COMPILER_ERICW;
    bool hulls = map->traits->lights.compiler == BSP_COMPILER_HLRAD;
    bool pages = map->traits->light == BSP_LIGHT_PAGES;
    uint8_t rgb[2][SIDE * SIDE * 3];
    bsp_light_image images[2];
    fill_pages(rgb, images);
    const bsp_external_light beside = {.pages = images, .num_pages = (choice & 128) != 0 ? 2 : 1};
    const bsp_relight_options how = {.budget = budget,
                                     .force = true,
                                     .external = pages ? &beside : NULL,
                                     .extra = (pages || hulls) && (choice & 2) != 0 ? 3 : 0,
                                     .bounces = pages ? 2 : 1,
                                     .dirt = (choice & 8) != 0 ? BSP_DIRT_ON : BSP_DIRT_USUAL,
                                     .preview = (choice & 1) != 0,
                                     .soft = quake && (choice & 2) != 0 ? 2 : 0,
                                     .grid = quake && (choice & 4) != 0 ? 48.0f : 0,
                                     .grid_sides = (choice & 16) != 0,
                                     .bounce_grid = (choice & 32) != 0,
                                     .patch_shadows = (choice & 64) != 0};
    bsp_relight *relight = bsp_relight_build(map, file, &how, &error);
    for (uint32_t f = 0; relight != NULL && f < relight->num_faces; f++) {
        const bsp_relight_face *face = &relight->faces[f];
        size_t count = (size_t)face->width * face->height * face->directions * face->num_styles;
        FUZZ_CHECK(face->num_styles <= BSP_RELIGHT_STYLES);
        for (size_t i = 0; i < count; i++) {
            for (int c = 0; c < 3; c++) {
                FUZZ_CHECK(isfinite(face->luxels[i][c]) && face->luxels[i][c] >= 0);
            }
        }
    }
    if (relight != NULL) {
        bsp_relight_difference difference;
        bsp_relight_compare(relight, &difference);
        bsp_relight_changes *changes = bsp_relight_lumps(relight, map, file, NULL, &error);
        bsp_plan *plan = changes == NULL ? NULL
                                         : bsp_file_plan(file, changes->changes,
                                                         changes->num_changes, NULL, &error);
        FUZZ_CHECK(plan == NULL || bsp_plan_size(plan) > 0);
        bsp_plan_free(plan);
        bsp_relight_changes_free(changes);
    }
    bsp_relight_free(relight);
    bsp_budget_free(budget);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    bsp_bytes bytes = {data, size};
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    bsp_file *file = bsp_file_open_memory(bytes, NULL, NULL);
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, &load, NULL);
    const bsp_limits limits = {.work = WORK, .memory = MEMORY};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    FUZZ_CHECK(budget != NULL);
    bsp_budget_set_threads(budget, 1);
    if (map != NULL) {
        bake(file, map, budget);
        find_stale(file, map);
        draw_cubemaps(file, map);
        light(file, map, data[size / 2]);
    }
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_budget_free(budget);
    return 0;
}
