// SPDX-License-Identifier: MIT
// The topics of bspkit help: tables of the library, as text and as pages of the documentation.
#include "cli/parts/branch_table.h"
#include "cli/parts/help.h"
#include "cli/parts/limits.h"
#include "cli/parts/model_table.h"
#include "cli/parts/select.h"
#include "cli/parts/tables.h"

// --- issues -------------------------------------------------------------------------------------

static void print_issues(cli_output *output) {
    size_t count;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        cli_print(output, "%s", i == 0 ? "" : "\n");
        cli_print_styled(output, CLI_STRONG, kinds[i].id);
        cli_print(output, " (%s): %s\n", bsp_severity_name(kinds[i].severity), kinds[i].summary);
        cli_print_wrapped(output, 4, kinds[i].explanation);
    }
}

static void markdown_issues(cli_output *output) {
    size_t count;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    cli_print(
        output,
        "# Issues\n\n"
        "What `bspkit check` reports. The ids are stable. This page is made from the table in\n"
        "`src/core/issue_kinds.h` by `make docs`.\n\n"
        "| id | severity | summary |\n|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        cli_print(output, "| [%s](#%s) | %s | %s |\n", kinds[i].id, kinds[i].id,
                  bsp_severity_name(kinds[i].severity), kinds[i].summary);
    }
    for (size_t i = 0; i < count; i++) {
        cli_print(output, "\n## %s\n\n**%s**: %s.\n\n", kinds[i].id,
                  bsp_severity_name(kinds[i].severity), kinds[i].summary);
        cli_print_wrapped(output, 0, kinds[i].explanation);
    }
}

// --- formats ------------------------------------------------------------------------------------

static void print_formats(cli_output *output) {
    cli_print_branches(output, false);
}

static void markdown_formats(cli_output *output) {
    cli_print_branches(output, true);
}

static const cli_topic topics[] = {
    {"issues", "Every kind of problem that check reports", print_issues, markdown_issues},
    {"formats", "Every branch of the format, as --branch takes it", print_formats,
     markdown_formats},
    {"models", "Every format of models and sprites", cli_print_models, cli_markdown_models},
    {"limits", "What a command may take of memory, work and disk, and --limit", cli_print_limits,
     cli_markdown_limits},
    {"where", "The conditions by which --where selects entities", cli_print_where,
     cli_markdown_where},
    {"tables", "The tables that --csv and --tsv print", cli_print_tables, cli_markdown_tables},
    {NULL, NULL, NULL, NULL},
};

const cli_topic *cli_topics(void) {
    return topics;
}
