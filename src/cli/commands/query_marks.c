// SPDX-License-Identifier: MIT
// bspkit query marks and links: places that have no mesh, and which entities name others.
#include "bspkit/scene.h"
#include "cli/commands/query_answers.h"
#include "cli/parts/json.h"

static bsp_text value_of(const bsp_map *map, uint32_t entity, const char *key) {
    return entity == BSP_NONE ? (bsp_text){"", 0}
                              : bsp_entity_value(&map->entities->list[entity], key);
}

static void json_mark(bsp_json *json, const bsp_scene *scene, uint32_t number) {
    static const char *const kinds[] = {[BSP_MARK_PARTICLES] = "particles",
                                        [BSP_MARK_SOUND] = "sound",
                                        [BSP_MARK_SOUNDSCAPE] = "soundscape",
                                        [BSP_MARK_CUBEMAP] = "cubemap",
                                        [BSP_MARK_PROJECTOR] = "projector"};
    const bsp_scene_mark *mark = &scene->marks[number];
    bsp_json_object(json);
    cli_json_uint(json, "mark", number);
    cli_json_string(json, "kind", kinds[mark->kind]);
    cli_query_json_index(json, "entity", mark->entity);
    cli_query_json_index(json, "cubemap", mark->cubemap);
    cli_json_text(json, "class", value_of(scene->map, mark->entity, "classname"));
    cli_json_text(json, "name", mark->name);
    cli_json_text(json, "what", mark->what);
    bsp_json_floats(json, "origin", mark->origin, 3);
    bsp_json_floats(json, "angles", mark->angles, 3);
    cli_json_float(json, "reach", mark->reach);
    cli_query_json_index(json, "model", mark->model);
    bsp_json_object_end(json);
}

cli_status cli_query_marks(const cli_input *input, const bsp_map *map) {
    bsp_error error;
    const bsp_scene_options options = {
        .file = input->file, .full_bright = true, .props_alone = true};
    bsp_scene *scene = bsp_scene_build(map, &options, &error);
    if (scene == NULL) {
        return cli_report(input->path, &error);
    }
    bsp_json json;
    cli_query_begin_json(input, &json);
    cli_json_array(&json, "marks");
    for (uint32_t i = 0; i < scene->num_marks; i++) {
        json_mark(&json, scene, i);
    }
    bsp_json_array_end(&json);
    cli_query_end_json(input, &json);
    bsp_scene_free(scene);
    return CLI_DONE;
}

// --- links --------------------------------------------------------------------------------------

static void json_end(bsp_json *json, const bsp_map *map, const char *keys[3], uint32_t entity) {
    cli_json_uint(json, keys[0], entity);
    cli_json_text(json, keys[1], value_of(map, entity, "classname"));
    cli_json_text(json, keys[2], value_of(map, entity, "targetname"));
}

static void json_links(const cli_input *input, const bsp_map *map, const bsp_scene_links *links) {
    static const char *from[3] = {"entity", "class", "name"};
    static const char *to[3] = {"target", "target_class", "target_name"};
    bsp_json json;
    cli_query_begin_json(input, &json);
    cli_json_array(&json, "links");
    for (uint32_t i = 0; i < links->count; i++) {
        bsp_json_object(&json);
        json_end(&json, map, from, links->list[i].source);
        cli_json_text(&json, "key", links->list[i].key);
        json_end(&json, map, to, links->list[i].target);
        bsp_json_object_end(&json);
    }
    bsp_json_array_end(&json);
    cli_json_bool(&json, "cut", links->cut);
    cli_query_end_json(input, &json);
}

// Names of a file may hold anything: what would break the line is left out.
static void print_word(cli_output *output, bsp_text text) {
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c >= ' ' && c != 127) {
            cli_print(output, "%c", c);
        }
    }
}

static void print_links(const cli_input *input, const bsp_map *map, const bsp_scene_links *links) {
    cli_output *output = input->output;
    for (uint32_t i = 0; i < links->count; i++) {
        const bsp_scene_link *link = &links->list[i];
        cli_print(output, "%u ", (unsigned)link->source);
        print_word(output, value_of(map, link->source, "classname"));
        cli_print(output, "\t");
        print_word(output, link->key);
        cli_print(output, "\t%u ", (unsigned)link->target);
        print_word(output, value_of(map, link->target, "classname"));
        cli_print(output, "\t");
        print_word(output, value_of(map, link->target, "targetname"));
        cli_print(output, "\n");
    }
}

cli_status cli_query_links(const cli_input *input, const bsp_map *map) {
    bsp_error error;
    bsp_scene_links *links = bsp_scene_links_find(map, NULL, &error);
    if (links == NULL) {
        return cli_report(input->path, &error);
    }
    if (input->call->common->json) {
        json_links(input, map, links);
    } else {
        print_links(input, map, links);
        if (links->cut) {
            cli_message(input->path, "there are more links than the %u here",
                        (unsigned)links->count);
        }
    }
    bsp_scene_links_free(links);
    return CLI_DONE;
}
