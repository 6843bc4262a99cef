// SPDX-License-Identifier: MIT
// A map with props whose hulls are made at random: what tests of traces with props share.
#ifndef TEST_SUPPORT_PROPS_H
#define TEST_SUPPORT_PROPS_H

#include "bspkit/bspkit.h"
#include "support/random.h"

#define MOST_PROPS 40u
#define MOST_HULLS 3u
#define MOST_RING 7u // points of a hull, but for its two apexes
#define MONSTER 0x2000000U

typedef struct test_props {
    bsp_file *file;
    bsp_map *map;
    bsp_scene scene;
    bsp_scene_model models[MOST_PROPS];
    bsp_model_info infos[MOST_PROPS];
    bsp_model_mesh meshes[MOST_PROPS];
    bsp_model_hull hulls[MOST_PROPS][MOST_HULLS];
    float points[MOST_PROPS][MOST_HULLS * (MOST_RING + 2)][3];
    uint32_t indices[MOST_PROPS][MOST_HULLS * MOST_RING * 6];
    bsp_scene_prop props[MOST_PROPS];
} test_props;

/// Returns a number between two.
double random_between(test_random *seed, double low, double high);
/// Opens a map and puts props around its origin. The test fails where that is not possible.
test_props *test_props_make(const char *map, uint32_t props, uint32_t begin);
void test_props_free(test_props *m);
/// Sets where a point of a prop's model is in the world.
void test_props_point(const bsp_scene_prop *prop, const float p[3], double out[3]);
/// Sets a line through the space around the props.
void test_props_segment(test_random *seed, bsp_trace_input *in);

#endif
