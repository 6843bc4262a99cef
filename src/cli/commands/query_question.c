// SPDX-License-Identifier: MIT
// What each verb of bspkit query reads, and who answers it.
#include "cli/commands/query_answers.h"
#include "cli/parts/commands.h"
#include "cli/parts/inputs.h"

#include <assert.h>
#include <string.h>

// What a verb does. Its file is the last operand.
typedef struct question {
    const char *verb;
    bool reads_lines; // of standard input
    // Reads operands and options, with a message if they are wrong; NULL: any will do.
    bool (*check)(const cli_call *call);
    cli_status (*answer)(const cli_input *input, const bsp_map *map);
} question;

static bool has_point(const cli_call *call) {
    float point[3];
    return cli_query_point(call, point);
}

static bool has_lit_point(const cli_call *call) {
    float normal[3];
    return has_point(call) && cli_query_normal(call, normal);
}

static bool has_place(const cli_call *call) {
    float point[3];
    return cli_query_at(call, point);
}

static bool has_number(const cli_call *call, const char *noun) {
    int64_t number;
    const char *text = call->operands[0] + strspn(call->operands[0], " ");
    if (!bsp_parse_int(bsp_text_of(text), &number)) {
        cli_message(call->command->name, "'%s' is not the number of a %s", text, noun);
        return false;
    }
    return true;
}

static bool has_cluster(const cli_call *call) {
    return has_number(call, "cluster");
}

static bool has_face(const cli_call *call) {
    return has_number(call, "face");
}

static const question questions[] = {
    {"query leaf", false, has_point, cli_query_leaf},
    {"query vis", false, has_cluster, cli_query_vis},
    {"query areas", false, NULL, cli_query_areas},
    {"query leak", false, NULL, cli_query_leak},
    {"query portals", false, NULL, cli_query_openings},
    {"query physics", false, NULL, cli_query_physics},
    {"query contents", true, NULL, cli_query_contents},
    {"query trace", true, NULL, cli_query_trace},
    {"query sight", true, NULL, cli_query_sight},
    {"query props", false, NULL, cli_query_props},
    {"query marks", false, NULL, cli_query_marks},
    {"query links", false, NULL, cli_query_links},
    {"query nav", false, has_place, cli_query_nav},
    {"query light", false, has_lit_point, cli_query_light},
    {"query water", false, has_point, cli_query_water},
    {"query fog", false, has_point, cli_query_fog},
    {"query cubemap", false, has_point, cli_query_cubemap},
    {"query face", false, has_face, cli_query_face},
    {"query occluder", true, NULL, cli_query_occluder},
};

static const question *question_of(const cli_call *call) {
    size_t i = sizeof questions / sizeof *questions - 1;
    while (i != 0 && strcmp(questions[i].verb, call->command->name) != 0) {
        i--;
    }
    assert(strcmp(questions[i].verb, call->command->name) == 0); // each verb has a row
    return &questions[i];
}

static cli_status work(const cli_input *input) {
    bsp_error error;
    bsp_map *map = bsp_map_load(input->file, NULL, &error);
    if (map == NULL) {
        return cli_report(input->path, &error);
    }
    cli_status status = question_of(input->call)->answer(input, map);
    bsp_map_free(map);
    return status;
}

cli_status cli_query_run(const cli_call *call) {
    const question *q = question_of(call);
    // With props an answer says which was met.
    bool props = q->answer == cli_query_trace && cli_query_options_of(call)->props;
    if (q->check != NULL && !q->check(call)) {
        return CLI_USAGE;
    }
    if (q->reads_lines) {
        cli_inputs_add("-");
    }
    return cli_for_each_of_rows(call, call->operands + call->num_operands - 1, 1, work,
                                props ? &cli_query_solid_rows : call->command->rows);
}
