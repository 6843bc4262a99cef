// SPDX-License-Identifier: MIT
// bspkit query sight.
#include "cli/parts/json.h"
#include "cli/commands/query_answers.h"
#include "cli/commands/query_solid.h"

#include <stdlib.h>
#include <string.h>

// Lines that are asked at once, by all threads.
#define LINES 8192u

typedef struct lines {
    bsp_sight_line list[LINES];
    bool seen[LINES];
    uint32_t count;
} lines;

typedef struct asked {
    const cli_input *input;
    cli_solid solid;
    uint32_t mask;
    uint32_t model;
} asked;

static void answer_lines(const asked *a, lines *l) {
    if (a->solid.solids != NULL) {
        bsp_solids_sight_batch(a->solid.solids, a->mask, a->model, l->list, l->seen, l->count);
    } else {
        bsp_sight_batch(a->solid.index, a->mask, a->model, l->list, l->seen, l->count);
    }
    for (uint32_t i = 0; i < l->count; i++) {
        if (!a->input->call->common->json) {
            cli_print(a->input->output, l->seen[i] ? "1\n" : "0\n");
            continue;
        }
        bsp_json json;
        cli_query_begin_json(a->input, &json);
        bsp_json_floats(&json, "from", l->list[i].from, 3);
        bsp_json_floats(&json, "to", l->list[i].to, 3);
        cli_json_bool(&json, "seen", l->seen[i]);
        cli_query_end_json(a->input, &json);
    }
    l->count = 0;
}

// `most` lines are read before their answers are printed.
static cli_status look_along(const asked *a, lines *l, uint32_t most) {
    static const char what[] = "ax ay az bx by bz";
    float n[CLI_QUERY_NUMBERS];
    int line = 0;
    int count;
    bool bad = false;
    while (!bad && cli_query_next_line(what, &line, n, &count, &bad) &&
           a->input->output->failure == 0) {
        if (count != 6) {
            cli_message("standard input", "line %d: %s was expected", line, what);
            bad = true;
            continue;
        }
        bsp_sight_line *asking = &l->list[l->count++];
        memcpy(asking->from, n, sizeof asking->from);
        memcpy(asking->to, n + 3, sizeof asking->to);
        if (l->count == most) {
            answer_lines(a, l);
        }
    }
    answer_lines(a, l);
    return bad ? CLI_FAILED : CLI_DONE;
}

cli_status cli_query_sight(const cli_input *input, const bsp_map *map) {
    const cli_query_options *options = cli_query_options_of(input->call);
    asked a = {.input = input, .model = options->all ? BSP_TRACE_ALL : 0};
    if (!cli_query_mask(input, map, &a.mask)) {
        return CLI_USAGE;
    }
    cli_status status = cli_solid_make(&a.solid, input, map);
    lines *l = status == CLI_DONE ? malloc(sizeof *l) : NULL;
    if (status == CLI_DONE && l == NULL) {
        cli_message(input->path, "no memory");
        status = CLI_FAILED;
    } else if (l != NULL) {
        l->count = 0;
        // On a terminal each answer is shown at once.
        status = look_along(&a, l, input->output->terminal ? 1 : LINES);
    }
    free(l);
    cli_solid_free(&a.solid);
    return status;
}
