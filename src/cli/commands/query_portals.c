// SPDX-License-Identifier: MIT
// bspkit query portals: the openings between clusters that the first compilers of Source stored
// (sheet source-lumps, lumps 22 to 25; filled up to version 18).
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

#include <math.h>

// Returns a corner of a portal, or NULL where the file names no vertex of the map.
static const float *corner_of(const bsp_map *map, const bsp_vis_portal *portal, uint32_t corner) {
    uint32_t vertex =
        map->num_portal_verts == 0 ? BSP_NONE : map->portal_verts[portal->first_vert + corner];
    return vertex < map->num_vertices ? map->vertices[vertex].point : NULL;
}

// Returns half the length of the sum of the cross products, in square units.
static double size_of(const bsp_map *map, const bsp_vis_portal *portal) {
    double sum[3] = {0, 0, 0};
    const float *o = portal->num_verts == 0 ? NULL : corner_of(map, portal, 0);
    for (uint32_t i = 1; o != NULL && i + 1 < portal->num_verts; i++) {
        const float *a = corner_of(map, portal, i);
        const float *b = corner_of(map, portal, i + 1);
        for (int k = 0; a != NULL && b != NULL && k < 3; k++) {
            int m = (k + 1) % 3;
            int n = (k + 2) % 3;
            sum[k] += ((double)a[m] - o[m]) * ((double)b[n] - o[n]) -
                      ((double)a[n] - o[n]) * ((double)b[m] - o[m]);
        }
    }
    return 0.5 * sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
}

static void json_portal(bsp_json *json, const bsp_map *map, uint32_t number) {
    const bsp_vis_portal *portal = &map->portals[number];
    bsp_json_object(json);
    cli_json_uint(json, "portal", number);
    cli_query_json_index(json, "plane", portal->plane);
    cli_json_array(json, "clusters");
    bsp_json_uint(json, portal->clusters[0]);
    bsp_json_uint(json, portal->clusters[1]);
    bsp_json_array_end(json);
    cli_json_float(json, "size", (float)size_of(map, portal));
    cli_json_array(json, "corners");
    for (uint32_t i = 0; i < portal->num_verts; i++) {
        const float *point = corner_of(map, portal, i);
        if (point != NULL) {
            bsp_json_array(json);
            for (int k = 0; k < 3; k++) {
                bsp_json_float(json, point[k]);
            }
            bsp_json_array_end(json);
        }
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

// Returns the number of the portal at a place of a cluster's run, or BSP_NONE.
static uint32_t portal_at(const bsp_map *map, const bsp_vis_cluster *cluster, uint32_t place) {
    uint32_t number = map->num_cluster_portals == 0
                          ? BSP_NONE
                          : map->cluster_portals[cluster->first_portal + place];
    return number < map->num_portals ? number : BSP_NONE;
}

static void json_cluster(bsp_json *json, const bsp_map *map, uint32_t number) {
    const bsp_vis_cluster *cluster = &map->clusters[number];
    bsp_json_object(json);
    cli_json_uint(json, "cluster", number);
    cli_json_array(json, "portals");
    for (uint32_t i = 0; i < cluster->num_portals; i++) {
        uint32_t portal = portal_at(map, cluster, i);
        bsp_json_int(json, portal == BSP_NONE ? -1 : (int64_t)portal);
    }
    bsp_json_array_end(json);
    cli_json_array(json, "neighbors");
    for (uint32_t i = 0; i < cluster->num_portals; i++) {
        uint32_t portal = portal_at(map, cluster, i);
        if (portal != BSP_NONE) {
            const uint32_t *sides = map->portals[portal].clusters;
            bsp_json_uint(json, sides[0] == number ? sides[1] : sides[0]);
        }
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

cli_status cli_query_openings(const cli_input *input, const bsp_map *map) {
    bsp_json json;
    cli_query_begin_json(input, &json);
    cli_json_array(&json, "portals");
    for (uint32_t i = 0; i < map->num_portals; i++) {
        json_portal(&json, map, i);
    }
    bsp_json_array_end(&json);
    cli_json_array(&json, "clusters");
    for (uint32_t i = 0; i < map->num_clusters; i++) {
        json_cluster(&json, map, i);
    }
    bsp_json_array_end(&json);
    cli_query_end_json(input, &json);
    return CLI_DONE;
}
