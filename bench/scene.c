// SPDX-License-Identifier: MIT
// How long what stands in a map takes: milliseconds of a scene without props, with static props of
// one model, and with detail props, on the Source sample with arrays made here. Medians of several
// repetitions with least and most. Run it in the root of the repository.
//
//   scene [PROPS [DETAILS]]
#include "bench.h"

#include "bspkit/scene.h"

#include <stdio.h>
#include <stdlib.h>

#define REPEAT 21
#define PROPS 500u
#define DETAILS 30000u

typedef struct job {
    const bsp_map *map;
    const bsp_textures *textures;
    bool props, details;
    uint32_t made;
} job;

static bool build(job *j) {
    bsp_error error = {0};
    const bsp_scene_options options = {
        .textures = j->textures, .props = j->props, .details = j->details};
    bsp_scene *scene = bsp_scene_build(j->map, &options, &error);
    if (scene == NULL) {
        fprintf(stderr, "scene: %s\n", error.message);
        return false;
    }
    j->made = scene->num_props;
    bsp_scene_free(scene);
    return true;
}

static bool report(const char *name, job j) {
    double times[REPEAT];
    for (int i = 0; i < REPEAT; i++) {
        double start = bench_now();
        if (!build(&j)) {
            return false;
        }
        times[i] = bench_now() - start;
    }
    bench_spread spread = bench_spread_of(times, REPEAT);
    printf("%-24s %6u props  %8.2f ms (%.2f to %.2f)\n", name, (unsigned)j.made,
           spread.median * 1e3, spread.least * 1e3, spread.most * 1e3);
    return true;
}

static bool run(bsp_map *map, const bsp_search *search, uint32_t props, uint32_t details) {
    static const bsp_detail_sprite rect = {{-4, 20}, {4, 0}, {0, 0}, {1, 1}};
    const bsp_text name = bsp_text_of("models/props/crate.mdl");
    bsp_static_prop *statics = calloc(props + 1, sizeof *statics);
    bsp_detail_prop *grass = calloc(details + 1, sizeof *grass);
    bsp_textures *textures = bsp_textures_open(search, map, NULL, NULL);
    bool done = statics != NULL && grass != NULL && textures != NULL;
    for (uint32_t i = 0; done && i < props; i++) {
        statics[i] = (bsp_static_prop){.scale = 1, .origin = {(float)(i % 200), 40, 80}};
    }
    for (uint32_t i = 0; done && i < details; i++) {
        grass[i] = (bsp_detail_prop){
            .origin = {(float)(i % 200), 60, 0}, .type = 1 + i % 3, .orientation = 2, .scale = 1};
    }
    map->static_props = statics;
    map->num_static_props = props;
    map->static_prop_models = &name;
    map->num_static_prop_models = 1;
    map->detail_sprites = &rect;
    map->num_detail_sprites = 1;
    map->detail_props = grass;
    map->num_detail_props = details;
    done = done && report("without", (job){.map = map, .textures = textures}) &&
           report("static props", (job){.map = map, .textures = textures, .props = true}) &&
           report("static, detail props",
                  (job){.map = map, .textures = textures, .props = true, .details = true});
    bsp_textures_close(textures);
    free(grass);
    free(statics);
    return done;
}

int main(int argc, char **argv) {
    uint32_t props = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : PROPS;
    uint32_t details = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : DETAILS;
    bsp_file *file = bsp_file_open("samples/source/lobby.bsp", NULL, NULL);
    bsp_map *loaded = file == NULL ? NULL : bsp_map_load(file, NULL, NULL);
    bsp_search *search = bsp_search_new(NULL, NULL);
    bool done = loaded != NULL && search != NULL &&
                bsp_search_add(search, "samples/models/source", NULL) &&
                bsp_search_add_game(search, "samples/source", NULL);
    if (done) {
        bsp_map map = *loaded;
        done = run(&map, search, props, details);
    }
    bsp_search_free(search);
    bsp_map_free(loaded);
    bsp_file_close(file);
    return done ? 0 : 1;
}
