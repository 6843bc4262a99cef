// SPDX-License-Identifier: MIT
// The topics of bspkit help: tables of the library, as text and as pages of the documentation.
#include "cli/help.h"
#include "cli/table.h"

#include <string.h>

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

static void format_version(char out[32], const bsp_branch *branch) {
    bool number = branch->version < 0x10000; // else the version is the magic itself
    snprintf(out, 32, "%s", branch->magic);
    if (number) {
        snprintf(out + strlen(out), 32 - strlen(out), "%s%u", branch->magic[0] == '\0' ? "" : " ",
                 (unsigned)branch->version);
    }
}

static const char *depth(const bsp_branch *branch) {
    return branch->opaque ? "directory, raw lumps" : "all records";
}

static void print_formats(cli_output *output) {
    static const cli_column columns[] = {{"branch", false},
                                         {"family", false},
                                         {"version", false},
                                         {"decoded", false},
                                         {"games", false}};
    size_t count;
    const bsp_branch *const *branches = bsp_branches(&count);
    cli_table table;
    cli_table_begin(&table, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; i < count; i++) {
        char version[32];
        format_version(version, branches[i]);
        cli_table_cell(&table, CLI_STRONG, "%s", branches[i]->name);
        cli_table_cell(&table, CLI_PLAIN, "%s", bsp_family_name(branches[i]->family));
        cli_table_cell(&table, CLI_PLAIN, "%s", version);
        cli_table_cell(&table, branches[i]->opaque ? CLI_FAINT : CLI_PLAIN, "%s",
                       depth(branches[i]));
        cli_table_cell(&table, CLI_PLAIN, "%s", branches[i]->title);
    }
    (void)cli_table_print(&table, output, 0);
}

static void markdown_formats(cli_output *output) {
    size_t count;
    const bsp_branch *const *branches = bsp_branches(&count);
    cli_print(output,
              "| branch | family | magic, version | games | decoded |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        char version[32];
        format_version(version, branches[i]);
        cli_print(output, "| `%s` | %s | %s | %s | %s |\n", branches[i]->name,
                  bsp_family_name(branches[i]->family), version, branches[i]->title,
                  depth(branches[i]));
    }
}

static const cli_topic topics[] = {
    {"issues", "Every kind of problem that check reports", print_issues, markdown_issues},
    {"formats", "Every branch of the format, as --branch takes it", print_formats,
     markdown_formats},
    {NULL, NULL, NULL, NULL},
};

const cli_topic *cli_topics(void) {
    return topics;
}
