// SPDX-License-Identifier: MIT
// bspkit query nav: the navigation mesh of a map, from a file that is named, or that lies beside
// the map, in its pak or in a game folder.
#include "bspkit/nav.h"
#include "cli/commands/query_answers.h"
#include "cli/parts/budget.h"
#include "cli/parts/game.h"
#include "cli/parts/json.h"
#include "cli/parts/nav.h"
#include "cli/parts/numbers.h"
#include "cli/parts/path.h"

#include <stdio.h>

/// A navigation mesh, and where it was found.
typedef struct found_nav {
    bsp_nav *nav;
    char path[CLI_PATH_ROOM];
} found_nav;

// --- finding ------------------------------------------------------------------------------------

// Gives the name beside the map, "maps/a.nav" for "maps/a.bsp". Returns false for standard input.
static bool name_beside(const char *map, char out[CLI_PATH_ROOM]) {
    char name[CLI_NAME_ROOM];
    bsp_text stem = cli_stem(map);
    int size = snprintf(name, sizeof name, "%.*s.nav", (int)stem.size, stem.data);
    return cli_name_ends(bsp_text_of(map), ".bsp") && size >= 0 && (size_t)size < sizeof name &&
           cli_join_beside(map, name, out);
}

// Looks in the map's pak and in the game folders.
static cli_status find_in_folders(const cli_input *input, const bsp_map *map, found_nav *out) {
    char name[CLI_NAME_ROOM];
    bsp_error error;
    bsp_blob blob;
    cli_status status = CLI_DONE;
    bsp_search *search = cli_open_search(input->call, NULL);
    if (search == NULL) {
        return CLI_FAILED;
    }
    cli_map_name(input->path, name);
    snprintf(out->path, sizeof out->path, "maps/%s.nav", name);
    if (map->pak.size != 0) {
        (void)bsp_search_add_memory(search, "map", map->pak, NULL); // a damaged one holds nothing
    }
    if (bsp_search_find(search, bsp_text_of(out->path)) == NULL) {
        cli_message(input->path,
                    "no %s in the map or a game folder, and no %s.nav beside the map: "
                    "name the file with --nav",
                    out->path, name);
        status = CLI_PROBLEMS;
    } else if (!bsp_search_read(search, bsp_text_of(out->path), &blob, &error)) {
        status = cli_report(out->path, &error);
    } else {
        const bsp_nav_options options = {.budget = cli_budget()};
        out->nav = bsp_nav_open_memory((bsp_bytes){blob.data, blob.size}, &options, &error);
        status = out->nav != NULL ? CLI_DONE : cli_report(out->path, &error);
        bsp_blob_free(&blob);
    }
    bsp_search_free(search);
    return status;
}

static cli_status find_nav(const cli_input *input, const bsp_map *map, found_nav *out) {
    const cli_query_options *options = cli_query_options_of(input->call);
    if (options->nav != NULL) {
        snprintf(out->path, sizeof out->path, "%s", options->nav);
        return cli_open_nav(options->nav, true, &out->nav);
    }
    cli_status status =
        name_beside(input->path, out->path) ? cli_open_nav(out->path, false, &out->nav) : CLI_DONE;
    return status != CLI_DONE || out->nav != NULL ? status : find_in_folders(input, map, out);
}

// --- printing -----------------------------------------------------------------------------------

static void json_flags(bsp_json *json, const char *keys[2], uint32_t flags,
                       const char *(*name_of)(uint32_t flag)) {
    cli_json_uint(json, keys[0], flags);
    cli_json_array(json, keys[1]);
    for (uint32_t bit = 0; bit < 32; bit++) {
        const char *name = (flags >> bit & 1) != 0 ? name_of(1u << bit) : NULL;
        if (name != NULL) {
            bsp_json_string(json, name);
        }
    }
    bsp_json_array_end(json);
}

static void json_connections(bsp_json *json, const bsp_nav *nav, const bsp_nav_area *area) {
    static const char *const ways[] = {"north", "east", "south", "west", "up", "down"};
    cli_json_array(json, "connections");
    for (uint32_t i = 0; i < area->num_connections; i++) {
        const bsp_nav_connection *c = &nav->connections[area->first_connection + i];
        bsp_json_object(json);
        cli_json_string(json, "way", ways[c->way]);
        cli_query_json_index(json, c->way >= BSP_NAV_UP ? "ladder" : "area", c->to);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

static void json_corners(bsp_json *json, const bsp_nav_area *area) {
    cli_json_array(json, "corners");
    for (int i = 0; i < 4; i++) {
        bsp_json_array(json);
        for (int k = 0; k < 3; k++) {
            bsp_json_float(json, area->corners[i][k]);
        }
        bsp_json_array_end(json);
    }
    bsp_json_array_end(json);
}

static void json_area(bsp_json *json, const bsp_nav *nav, uint32_t number) {
    static const char *flag_keys[2] = {"flags", "flag_names"};
    static const char *spawn_keys[2] = {"spawn_flags", "spawn_names"};
    const bsp_nav_area *area = &nav->areas[number];
    bsp_json_object(json);
    cli_json_uint(json, "area", number);
    cli_json_uint(json, "id", area->id);
    json_flags(json, flag_keys, area->flags, bsp_nav_flag_name);
    json_flags(json, spawn_keys, area->spawn_flags, bsp_nav_spawn_name);
    cli_json_text(json, "place",
                  area->place == BSP_NONE ? (bsp_text){"", 0} : nav->places[area->place]);
    json_corners(json, area);
    json_connections(json, nav, area);
    cli_json_uint(json, "spots", area->num_spots);
    cli_json_uint(json, "visible", area->num_visible);
    bsp_json_object_end(json);
}

static void json_ladders(bsp_json *json, const bsp_nav *nav) {
    static const char *const ends[5] = {"top_ahead", "top_left", "top_right", "top_behind",
                                        "bottom_area"};
    cli_json_array(json, "ladders");
    for (uint32_t i = 0; i < nav->num_ladders; i++) {
        const bsp_nav_ladder *ladder = &nav->ladders[i];
        bsp_json_object(json);
        cli_json_uint(json, "ladder", i);
        cli_json_uint(json, "id", ladder->id);
        cli_json_float(json, "width", ladder->width);
        bsp_json_floats(json, "top", ladder->top, 3);
        bsp_json_floats(json, "bottom", ladder->bottom, 3);
        for (int k = 0; k < 5; k++) {
            cli_query_json_index(json, ends[k], ladder->areas[k]);
        }
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

static void json_head(bsp_json *json, const cli_input *input, const found_nav *found) {
    const bsp_nav *nav = found->nav;
    cli_json_string(json, "nav", found->path);
    cli_json_uint(json, "version", nav->version);
    cli_json_uint(json, "subversion", nav->subversion);
    cli_json_uint(json, "map_bytes", nav->map_bytes);
    cli_json_bool(json, "of_this_map",
                  nav->map_bytes == bsp_file_get_info(input->file)->bytes.size);
    cli_json_bool(json, "analyzed", nav->analyzed);
    cli_json_text(json, "population", nav->population);
    cli_json_uint(json, "num_areas", nav->num_areas);
    cli_json_uint(json, "num_connections", nav->num_connections);
    cli_json_uint(json, "num_spots", nav->num_spots);
    cli_json_uint(json, "num_ladders", nav->num_ladders);
}

static void json_lists(bsp_json *json, const bsp_nav *nav) {
    cli_json_array(json, "places");
    for (uint32_t i = 0; i < nav->num_places; i++) {
        bsp_json_text(json, nav->places[i]);
    }
    bsp_json_array_end(json);
    cli_json_array(json, "areas");
    for (uint32_t i = 0; i < nav->num_areas; i++) {
        json_area(json, nav, i);
    }
    bsp_json_array_end(json);
    json_ladders(json, nav);
}

// An array of one or none, so that tables have the same columns.
static void json_at(bsp_json *json, const bsp_nav *nav, const float point[3]) {
    uint32_t area = bsp_nav_find(nav, point);
    bsp_json_floats(json, "point", point, 3);
    if (area != BSP_NONE) {
        cli_json_float(json, "height", bsp_nav_height(nav, area, point[0], point[1]));
    }
    cli_json_array(json, "areas");
    if (area != BSP_NONE) {
        json_area(json, nav, area);
    }
    bsp_json_array_end(json);
}

bool cli_query_at(const cli_call *call, float point[3]) {
    const char *text = cli_query_options_of(call)->at;
    if (text != NULL && !cli_take_numbers(text, point, 3)) {
        cli_message(call->command->name, "--at takes X,Y,Z, not '%s'", text);
        return false;
    }
    return true;
}

cli_status cli_query_nav(const cli_input *input, const bsp_map *map) {
    found_nav found = {NULL, ""};
    float point[3];
    bsp_json json;
    cli_status status = find_nav(input, map, &found);
    if (status != CLI_DONE) {
        return status;
    }
    cli_query_begin_json(input, &json);
    json_head(&json, input, &found);
    if (cli_query_options_of(input->call)->at != NULL && cli_query_at(input->call, point)) {
        json_at(&json, found.nav, point);
    } else {
        json_lists(&json, found.nav);
    }
    cli_query_end_json(input, &json);
    bsp_nav_free(found.nav);
    return CLI_DONE;
}
