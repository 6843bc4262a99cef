// SPDX-License-Identifier: MIT
// bspkit check: all problems of a map, one line each.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/json.h"
#include "cli/parts/patch.h"

#define KEEP_DEFAULT 100u

typedef struct check_options {
    cli_common common;
    bool strict;
    uint32_t max;
} check_options;

static const check_options *options_of(const cli_call *call) {
    return call->options;
}

static cli_style style_of(bsp_severity severity) {
    return severity == BSP_ERROR ? CLI_BAD : severity == BSP_WARNING ? CLI_WARN : CLI_NOTE;
}

static uint64_t count_of(const bsp_issues *issues, bsp_severity severity) {
    uint64_t above =
        severity == BSP_ERROR ? 0 : bsp_issues_count(issues, (bsp_severity)((int)severity + 1));
    return bsp_issues_count(issues, severity) - above;
}

// --- JSON ---------------------------------------------------------------------------------------

static void json_issue(bsp_json *json, const bsp_issue *issue) {
    const bsp_place *place = &issue->place;
    bsp_json_object(json);
    cli_json_string_or_null(json, "severity", bsp_severity_name(issue->kind->severity));
    cli_json_string_or_null(json, "id", issue->kind->id);
    cli_json_string_or_null(json, "lump", place->lump);
    cli_json_uint_or_null(json, "record", place->record != BSP_NONE, place->record);
    cli_json_string_or_null(json, "field", place->field);
    cli_json_uint_or_null(json, "element", place->element != BSP_NONE, place->element);
    cli_json_uint_or_null(json, "offset", place->offset != UINT64_MAX, place->offset);
    cli_json_string_or_null(json, "text", issue->text);
    bsp_json_object_end(json);
}

static void print_json(const cli_input *input) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(input->issues, &count);
    bsp_json_object(input->json);
    cli_json_string_or_null(input->json, "file", input->path);
    cli_json_array(input->json, "issues");
    for (size_t i = 0; i < count; i++) {
        json_issue(input->json, &list[i]);
    }
    bsp_json_array_end(input->json);
    cli_json_uint(input->json, "errors", count_of(input->issues, BSP_ERROR));
    cli_json_uint(input->json, "warnings", count_of(input->issues, BSP_WARNING));
    cli_json_uint(input->json, "notes", count_of(input->issues, BSP_NOTE));
    bsp_json_object_end(input->json);
}

// --- text ---------------------------------------------------------------------------------------

static void begin_line(const cli_input *input, bsp_severity severity) {
    if (input->several) {
        cli_print_text(input->output, bsp_text_of(input->path));
        cli_print(input->output, ": ");
    }
    cli_print_styled(input->output, style_of(severity), bsp_severity_name(severity));
    cli_print(input->output, ": ");
}

static void print_issue(const cli_input *input, const bsp_issue *issue) {
    char place[BSP_PLACE_TEXT];
    (void)bsp_format_place(place, &issue->place);
    begin_line(input, issue->kind->severity);
    cli_print(input->output, "%s%s", place, place[0] == '\0' ? "" : ": ");
    cli_print_text(input->output, bsp_text_of(issue->text));
    cli_print(input->output, " [%s]\n", issue->kind->id);
}

// Prints how many issues of each kind were left out, since only a limited number is kept.
static void print_omitted(const cli_input *input) {
    size_t count;
    size_t num_kinds;
    const bsp_issue *list = bsp_issues_list(input->issues, &count);
    const bsp_issue_kind *kinds = bsp_issue_kinds(&num_kinds);
    for (size_t k = 0; k < num_kinds; k++) {
        uint64_t shown = 0;
        for (size_t i = 0; i < count; i++) {
            shown += list[i].kind == &kinds[k] ? 1 : 0;
        }
        uint64_t all = bsp_issues_count_kind(input->issues, &kinds[k]);
        if (all > shown) {
            begin_line(input, kinds[k].severity);
            cli_print(input->output, "%llu more like this (--max 0 shows all) [%s]\n",
                      (unsigned long long)(all - shown), kinds[k].id);
        }
    }
}

static void print_text(const cli_input *input) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(input->issues, &count);
    for (size_t i = 0; i < count; i++) {
        print_issue(input, &list[i]);
    }
    print_omitted(input);
    cli_print_styled(input->output, CLI_STRONG, input->path);
    cli_print(input->output, ": %llu errors, %llu warnings, %llu notes\n",
              (unsigned long long)count_of(input->issues, BSP_ERROR),
              (unsigned long long)count_of(input->issues, BSP_WARNING),
              (unsigned long long)count_of(input->issues, BSP_NOTE));
}

// --- the command --------------------------------------------------------------------------------

static cli_status report(const cli_input *input) {
    if (input->json != NULL) {
        print_json(input);
    } else {
        print_text(input);
    }
    bsp_severity bad = options_of(input->call)->strict ? BSP_WARNING : BSP_ERROR;
    return bsp_issues_count(input->issues, bad) != 0 ? CLI_PROBLEMS : CLI_DONE;
}

static cli_status work(const cli_input *input) {
    bsp_error error;
    return bsp_check(input->file, input->issues, &error) ? report(input)
                                                         : cli_report(input->path, &error);
}

static cli_status model_work(const cli_input *input) {
    bsp_error error;
    return bsp_model_check(input->records, input->issues, &error) ? report(input)
                                                                  : cli_report(input->path, &error);
}

static cli_status run(const cli_call *call) {
    uint32_t most = options_of(call)->max;
    return cli_for_each_input_or_model(call, call->num_operands, most == 0 ? UINT32_MAX : most,
                                       work, model_work);
}

static const char *const columns[] = {"@",
                                      "issues[].severity",
                                      "issues[].id",
                                      "issues[].lump",
                                      "issues[].record",
                                      "issues[].field",
                                      "issues[].element",
                                      "issues[].offset",
                                      "issues[].text",
                                      "error",
                                      NULL};

static const cli_row_form rows = {"issues[]", columns};

static const cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTIONS_ROWS,
    {.name = "strict",
     CLI_FLAG_TO(check_options, strict),
     .help = "Let warnings count as errors for the exit status"},
    {.name = "max",
     CLI_NUMBER_TO(check_options, max),
     .argument = "N",
     .help = "Show at most N problems of a kind, and count the rest (default 100; 0 shows all)"},
    CLI_OPTION_LIMITS,
    CLI_OPTION_LMP,
    CLI_OPTIONS_MANY,
    CLI_OPTION_JOBS,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

static const check_options defaults = {.max = KEEP_DEFAULT};

const cli_command cli_command_check = {
    .name = "check",
    .group = CLI_GROUP_CHECK,
    .operands = "FILE...",
    .summary = "List all problems of a map or model",
    .description =
        "A line for each problem: severity, lump[record].field, what is wrong, and in brackets the "
        "id of the kind of problem; bspkit help issues explains them. Problems without a record or "
        "field omit these. With several files each line begins with the file.\n\n"
        "The exit status is 1 if there is any error: something that an engine would refuse, crash "
        "on, or show wrongly. Warnings may upset some program; notes are harmless.",
    .examples = {"bspkit check maps/start.bsp", "bspkit check --strict --json maps/*.bsp"},
    CLI_OPTIONS(options, check_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .rows = &rows,
    .run = run,
};
