// SPDX-License-Identifier: MIT
// bspkit query trace.
#include "cli/parts/json.h"
#include "cli/parts/near.h"
#include "cli/commands/query.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_ROOM 1024 // characters of a name in --mask

static void refuse_mask(const bsp_map *map, bsp_text word) {
    char given[WORD_ROOM];
    char hint[CLI_NEAR_ROOM];
    cli_near near = {.word = given};
    (void)snprintf(given, sizeof given, "%.*s", (int)word.size, word.data);
    for (uint32_t bit = 0; bit < 32; bit++) {
        const char *name = bsp_query_flag_name(map->branch, 1u << bit);
        if (name != NULL) {
            cli_near_try(&near, name);
        }
    }
    cli_message("query trace", "--mask: no contents of branch %s are called '%s'%s",
                map->branch->name, given, cli_near_hint(&near, "", "", hint));
}

// Parses a number, or names of flags separated by commas, blanks or bars. Returns false after a
// message.
static bool read_mask(const cli_input *input, const bsp_map *map, uint32_t *mask) {
    const char *text = cli_query_options_of(input->call)->mask;
    int64_t number;
    *mask = 0;
    if (text == NULL) {
        return true;
    }
    if (bsp_parse_int(bsp_text_of(text), &number) && number >= INT32_MIN && number <= UINT32_MAX) {
        *mask = (uint32_t)number;
        return true;
    }
    while (*(text += strspn(text, ", |+")) != '\0') {
        bsp_text word = {text, strcspn(text, ", |+")};
        uint32_t flag = bsp_query_flag(map->branch, word);
        if (flag == 0) {
            refuse_mask(map, word);
            return false;
        }
        *mask |= flag;
        text += word.size;
    }
    return true;
}

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

static void print_whole_result(const cli_input *input, const bsp_map *map,
                               const bsp_trace_input *segment, const bsp_trace_result *r) {
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
    cli_query_end_json(input, &json);
}

// Segments that are traced at once, by all threads.
#define SEGMENTS 8192u

typedef struct segments {
    bsp_trace_input inputs[SEGMENTS];
    bsp_trace_result results[SEGMENTS];
    uint32_t count;
} segments;

// Traces the segments that were read, and prints the results in their order.
static void answer_segments(const cli_input *input, const bsp_map *map,
                            const bsp_trace_index *index, segments *s) {
    bsp_trace_batch(index, s->inputs, s->results, s->count);
    for (uint32_t i = 0; i < s->count; i++) {
        if (input->call->common->json) {
            print_whole_result(input, map, &s->inputs[i], &s->results[i]);
        } else {
            print_result(input, map, &s->results[i]);
        }
    }
    s->count = 0;
}

// `most` segments are read before their results are printed.
static cli_status trace_lines(const cli_input *input, const bsp_map *map,
                              const bsp_trace_index *index, const bsp_trace_input *options,
                              segments *s, uint32_t most) {
    static const char what[] = "sx sy sz ex ey ez [minx miny minz maxx maxy maxz]";
    float n[CLI_QUERY_NUMBERS];
    int line = 0;
    int count;
    bool bad = false;
    while (cli_query_next_line(what, &line, n, &count, &bad) && input->output->failure == 0) {
        if (count != 6 && count != 12) {
            answer_segments(input, map, index, s);
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
            answer_segments(input, map, index, s);
        }
    }
    answer_segments(input, map, index, s);
    return bad ? CLI_FAILED : CLI_DONE;
}

cli_status cli_query_trace(const cli_input *input, const bsp_map *map) {
    bsp_error error;
    const cli_query_options *options = cli_query_options_of(input->call);
    bsp_trace_input segment = {
        .model = options->all ? BSP_TRACE_ALL : options->model,
        .hull = options->hull == BSP_NONE ? 0 : options->hull + 1,
    };
    if (!read_mask(input, map, &segment.mask)) {
        return CLI_USAGE;
    }
    bsp_trace_index *index = bsp_trace_index_new(map, NULL, &error);
    if (index == NULL) {
        return cli_report(input->path, &error);
    }
    segments *s = malloc(sizeof *s);
    cli_status status = CLI_FAILED;
    if (s == NULL) {
        cli_message(input->path, "no memory");
    } else {
        s->count = 0;
        // On a terminal each result is shown at once.
        uint32_t most = input->output->terminal ? 1 : SEGMENTS;
        status = trace_lines(input, map, index, &segment, s, most);
    }
    free(s);
    bsp_trace_index_free(index);
    return status;
}
