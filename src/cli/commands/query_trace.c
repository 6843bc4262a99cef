// SPDX-License-Identifier: MIT
// bspkit query trace.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"
#include "cli/commands/query_solid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_floats(cli_output *output, const float *numbers, int count) {
    char text[BSP_FLOAT_TEXT];
    for (int i = 0; i < count; i++) {
        (void)bsp_format_float(text, numbers[i]);
        cli_print(output, "%s\t", text);
    }
}

static void print_result(const cli_input *input, const bsp_map *map, const bsp_trace_result *r) {
    print_floats(input->output, &r->fraction, 1);
    print_floats(input->output, r->end, 3);
    print_floats(input->output, r->normal, 3);
    cli_print(input->output, "%d\t%d\t", r->start_solid, r->all_solid);
    cli_query_print_contents(input->output, map, r->contents);
    cli_print(input->output, "\n");
}

// What --props adds.
static void json_prop(bsp_json *json, const bsp_scene *scene, const bsp_solids_result *r) {
    bool hit = r->prop < scene->num_props;
    const bsp_scene_prop *prop = hit ? &scene->props[r->prop] : NULL;
    bool fixed = hit && prop->kind == BSP_PROP_STATIC;
    cli_query_json_index(json, "prop", r->prop);
    cli_query_json_index(json, "static_prop", fixed ? prop->number : BSP_NONE);
    cli_query_json_index(json, "hull", r->hull);
    cli_json_text(json, "prop_model", hit ? scene->models[prop->model].name : (bsp_text){"", 0});
}

static void print_whole_result(const cli_input *input, const bsp_map *map, const bsp_scene *scene,
                               const bsp_trace_input *segment, const bsp_solids_result *with) {
    const bsp_trace_result *r = &with->trace;
    bsp_json json;
    bsp_text material = bsp_trace_material(map, r);
    cli_query_begin_json(input, &json);
    bsp_json_floats(&json, "from", segment->start, 3);
    bsp_json_floats(&json, "to", segment->end, 3);
    bsp_json_floats(&json, "mins", segment->mins, 3);
    bsp_json_floats(&json, "maxs", segment->maxs, 3);
    cli_json_float(&json, "fraction", r->fraction);
    bsp_json_floats(&json, "end", r->end, 3);
    bsp_json_floats(&json, "normal", r->normal, 3);
    cli_json_float(&json, "dist", r->dist);
    cli_json_bool(&json, "start_solid", r->start_solid);
    cli_json_bool(&json, "all_solid", r->all_solid);
    cli_json_float(&json, "left_solid", r->left_solid);
    cli_query_json_contents(&json, map, r->contents);
    cli_query_json_names(&json, map, r->contents);
    cli_json_uint(&json, "surface_flags", r->surface_flags);
    cli_query_json_index(&json, "plane", r->plane);
    cli_query_json_index(&json, "brush", r->brush);
    cli_query_json_index(&json, "side", r->side);
    cli_query_json_index(&json, "face", r->face);
    cli_query_json_index(&json, "entity", r->entity);
    cli_json_text(&json, "material", material);
    if (scene != NULL) {
        json_prop(&json, scene, with);
    }
    cli_query_end_json(input, &json);
}

// Segments that are traced at once, by all threads.
#define SEGMENTS 8192u

typedef struct segments {
    bsp_trace_input inputs[SEGMENTS];
    bsp_solids_result results[SEGMENTS];
    bsp_trace_result world[SEGMENTS]; // without props
    uint32_t count;
} segments;

// Traces the segments that were read, and prints the results in their order.
static void answer_segments(const cli_input *input, const bsp_map *map, const cli_solid *solid,
                            segments *s) {
    if (solid->solids != NULL) {
        bsp_solids_trace_batch(solid->solids, s->inputs, s->results, s->count);
    } else {
        bsp_trace_batch(solid->index, s->inputs, s->world, s->count);
    }
    for (uint32_t i = 0; i < s->count; i++) {
        if (solid->solids == NULL) {
            s->results[i] = (bsp_solids_result){s->world[i], BSP_NONE, BSP_NONE};
        }
        if (input->call->common->json) {
            print_whole_result(input, map, solid->standing.scene, &s->inputs[i], &s->results[i]);
        } else {
            print_result(input, map, &s->results[i].trace);
        }
    }
    s->count = 0;
}

// `most` segments are read before their results are printed.
static cli_status trace_lines(const cli_input *input, const bsp_map *map, const cli_solid *solid,
                              const bsp_trace_input *options, segments *s, uint32_t most) {
    static const char what[] = "sx sy sz ex ey ez [minx miny minz maxx maxy maxz]";
    float n[CLI_QUERY_NUMBERS];
    int line = 0;
    int count;
    bool bad = false;
    while (cli_query_next_line(what, &line, n, &count, &bad) && input->output->failure == 0) {
        if (count != 6 && count != 12) {
            answer_segments(input, map, solid, s);
            cli_message("standard input", "line %d: %s was expected", line, what);
            return CLI_FAILED;
        }
        bsp_trace_input *segment = &s->inputs[s->count++];
        *segment = *options;
        memcpy(segment->start, n, sizeof segment->start);
        memcpy(segment->end, n + 3, sizeof segment->end);
        for (int i = 0; i < 3; i++) {
            segment->mins[i] = count == 12 ? n[6 + i] : 0;
            segment->maxs[i] = count == 12 ? n[9 + i] : 0;
        }
        if (s->count == most) {
            answer_segments(input, map, solid, s);
        }
    }
    answer_segments(input, map, solid, s);
    return bad ? CLI_FAILED : CLI_DONE;
}

cli_status cli_query_trace(const cli_input *input, const bsp_map *map) {
    const cli_query_options *options = cli_query_options_of(input->call);
    bsp_trace_input segment = {
        .model = options->all ? BSP_TRACE_ALL : options->model,
        .hull = options->hull == BSP_NONE ? 0 : options->hull + 1,
    };
    cli_solid solid;
    if (!cli_query_mask(input, map, &segment.mask)) {
        return CLI_USAGE;
    }
    cli_status status = cli_solid_make(&solid, input, map);
    segments *s = status == CLI_DONE ? malloc(sizeof *s) : NULL;
    if (status == CLI_DONE && s == NULL) {
        cli_message(input->path, "no memory");
        status = CLI_FAILED;
    } else if (s != NULL) {
        s->count = 0;
        // On a terminal each result is shown at once.
        uint32_t most = input->output->terminal ? 1 : SEGMENTS;
        status = trace_lines(input, map, &solid, &segment, s, most);
    }
    free(s);
    cli_solid_free(&solid);
    return status;
}
