// SPDX-License-Identifier: MIT
// bspkit query vis: the clusters that are seen and heard from one, in a state of the area portals.
#include "cli/commands/query_answers.h"

#include <stdlib.h>
#include <string.h>

static void json_row(bsp_json *json, const char *key, const bsp_map *map, const uint8_t *row) {
    bsp_json_key(json, key);
    bsp_json_array(json);
    for (uint32_t i = 0; i < map->visibility.num_clusters; i++) {
        if (bsp_query_row_sees(map, row, i)) {
            bsp_json_uint(json, i);
        }
    }
    bsp_json_array_end(json);
}

static void keep_reached(const bsp_map *map, const uint8_t *reached, uint8_t *row) {
    for (uint32_t i = 0; reached != NULL && i < map->visibility.row_bytes; i++) {
        row[i] &= reached[i];
    }
}

// Sets the clusters that area portals in the state of the options do not shut off from a cluster.
static cli_status find_reached(const cli_input *input, const bsp_map *map, uint32_t cluster,
                               uint8_t *reached) {
    cli_portals p;
    cli_status status = cli_query_portals(input, map, &p);
    uint32_t area = BSP_NONE;
    for (uint32_t i = 0; status == CLI_DONE && i < map->num_leaves; i++) {
        if (map->leaves[i].cluster == cluster) {
            area = map->leaves[i].area;
        }
    }
    if (status == CLI_DONE) {
        bsp_area_links_reach(map, p.links, p.groups, area, reached);
    }
    cli_portals_free(&p);
    return status;
}

// `reached` is NULL where the state of area portals is not asked for.
static void print_rows(const cli_input *input, const bsp_map *map, uint32_t cluster,
                       const uint8_t *reached, uint8_t *row) {
    const bsp_visibility *vis = &map->visibility;
    bsp_json json;
    cli_query_begin_json(input, &json);
    cli_query_json_index(&json, "cluster", cluster);
    cli_query_json_index(&json, "clusters", vis->num_clusters);
    bsp_map_visible(map, cluster, false, row);
    keep_reached(map, reached, row);
    json_row(&json, "visible", map, row);
    if (vis->phs != NULL) {
        bsp_map_visible(map, cluster, true, row);
        keep_reached(map, reached, row);
        json_row(&json, "audible", map, row);
    }
    cli_query_end_json(input, &json);
}

cli_status cli_query_vis(const cli_input *input, const bsp_map *map) {
    int64_t cluster;
    const cli_query_options *options = cli_query_options_of(input->call);
    const bsp_visibility *vis = &map->visibility;
    const char *text = input->call->operands[0];
    text += strspn(text, " ");
    if (!bsp_parse_int(bsp_text_of(text), &cluster) || cluster < 0 ||
        cluster >= vis->num_clusters) {
        cli_message(input->path, "there is no cluster '%s': there are %u", text,
                    (unsigned)vis->num_clusters);
        return CLI_USAGE;
    }
    bool shuts = options->open != NULL || options->closed != NULL;
    uint8_t *row = malloc((size_t)vis->row_bytes + 1);
    uint8_t *reached = shuts ? malloc((size_t)vis->row_bytes + 1) : NULL;
    cli_status status = row == NULL || (shuts && reached == NULL) ? CLI_FAILED : CLI_DONE;
    if (status != CLI_DONE) {
        cli_message(input->path, "no memory");
    } else if (shuts) {
        status = find_reached(input, map, (uint32_t)cluster, reached);
    }
    if (status == CLI_DONE) {
        print_rows(input, map, (uint32_t)cluster, reached, row);
    }
    free(row);
    free(reached);
    return status;
}
