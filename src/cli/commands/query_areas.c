// SPDX-License-Identifier: MIT
// bspkit query areas, in the state that the options give.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"

#include <stdlib.h>
#include <string.h>

cli_status cli_query_portals(const cli_input *input, const bsp_map *map, cli_portals *portals) {
    const cli_query_options *options = cli_query_options_of(input->call);
    return cli_portals_find(input->path, map, options->open, options->closed, portals);
}

// --- the query -----------------------------------------------------------------------------------

static void json_entity(bsp_json *json, const bsp_map *map, uint32_t entity) {
    cli_query_json_index(json, "entity", entity);
    cli_json_text(json, "class", cli_value_of_number(map, entity, "classname"));
    cli_json_text(json, "name", cli_value_of_number(map, entity, "targetname"));
}

// Writes the box around the opening, which Source stores.
static void json_opening(bsp_json *json, const bsp_map *map, const bsp_area_link *link) {
    const bsp_area_portal *portal =
        link->portal == BSP_NONE ? NULL : &map->area_portals[link->portal];
    if (portal == NULL || portal->num_verts == 0 || map->num_clip_portal_verts == 0) {
        return;
    }
    float box[2][3];
    for (uint32_t v = 0; v < portal->num_verts; v++) {
        const float *at = map->clip_portal_verts[portal->first_vert + v].point;
        for (int i = 0; i < 3; i++) {
            box[0][i] = v == 0 || at[i] < box[0][i] ? at[i] : box[0][i];
            box[1][i] = v == 0 || at[i] > box[1][i] ? at[i] : box[1][i];
        }
    }
    bsp_json_floats(json, "mins", box[0], 3);
    bsp_json_floats(json, "maxs", box[1], 3);
}

static void json_link(bsp_json *json, const bsp_map *map, const cli_portals *p, uint32_t number) {
    const bsp_area_link *link = &p->links->list[number];
    bsp_json_object(json);
    cli_json_uint(json, "key", link->key);
    cli_json_array(json, "areas");
    bsp_json_uint(json, link->areas[0]);
    bsp_json_uint(json, link->areas[1]);
    bsp_json_array_end(json);
    cli_json_bool(json, "open", p->open[number]);
    json_entity(json, map, link->entity);
    json_opening(json, map, link);
    cli_json_array(json, "opened_by");
    for (uint32_t i = 0; i < link->num_openers; i++) {
        bsp_json_object(json);
        json_entity(json, map, p->links->openers[link->first_opener + i]);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

static uint32_t *count_leaves(const bsp_map *map, uint32_t num_areas) {
    uint32_t *leaves = calloc((size_t)num_areas + 1, sizeof *leaves);
    for (uint32_t i = 0; leaves != NULL && i < map->num_leaves; i++) {
        leaves[map->leaves[i].area < num_areas ? map->leaves[i].area : num_areas]++;
    }
    return leaves;
}

static void json_areas(bsp_json *json, const bsp_map *map, const cli_portals *p,
                       const uint32_t *leaves) {
    uint32_t first = map->num_areas != 0 ? 1 : 0; // where areas are stored, the first is not used
    cli_json_array(json, "areas");
    for (uint32_t a = first; a < p->links->num_areas; a++) {
        bsp_json_object(json);
        cli_json_uint(json, "area", a);
        cli_json_uint(json, "group", p->groups[a] - first);
        cli_json_uint(json, "leaves", leaves[a]);
        cli_json_array(json, "portals");
        for (uint32_t i = 0; i < p->links->count; i++) {
            if (p->links->list[i].areas[0] == a || p->links->list[i].areas[1] == a) {
                bsp_json_uint(json, p->links->list[i].key);
            }
        }
        bsp_json_array_end(json);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    cli_json_uint(json, "groups", p->num_groups >= first ? p->num_groups - first : 0);
}

cli_status cli_query_areas(const cli_input *input, const bsp_map *map) {
    cli_portals p;
    cli_status status = cli_query_portals(input, map, &p);
    uint32_t *leaves = status == CLI_DONE ? count_leaves(map, p.links->num_areas) : NULL;
    if (leaves != NULL) {
        bsp_json json;
        cli_query_begin_json(input, &json);
        json_areas(&json, map, &p, leaves);
        cli_json_array(&json, "portals");
        for (uint32_t i = 0; i < p.links->count; i++) {
            json_link(&json, map, &p, i);
        }
        bsp_json_array_end(&json);
        cli_query_end_json(input, &json);
    } else if (status == CLI_DONE) {
        cli_message(input->path, "no memory");
        status = CLI_FAILED;
    }
    free(leaves);
    cli_portals_free(&p);
    return status;
}
