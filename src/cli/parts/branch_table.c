// SPDX-License-Identifier: MIT
// The table of all branches, as text and in Markdown.
#include "cli/parts/branch_table.h"

#include "cli/parts/doc_table.h"

#include <stdio.h>

const char *cli_branch_version(const bsp_branch *branch, char out[CLI_VERSION_TEXT]) {
    char version[BSP_VERSION_TEXT];
    bool both = (branch->version >> 16) < 0x100;
    snprintf(out, CLI_VERSION_TEXT, "%s%s%s", branch->magic,
             both && branch->magic[0] != '\0' ? " " : "",
             both ? bsp_version_text(branch->version, version) : "");
    return out;
}

const char *cli_branch_depth(const bsp_branch *branch) {
    return branch->opaque ? "lumps" : "map";
}

void cli_print_branches(cli_output *output, bool markdown) {
    static const cli_column columns[] = {{"branch", false},         {"family", false},
                                         {"magic, version", false}, {"read as", false},
                                         {"tried on", false},       {"games", false}};
    const bsp_branch *b;
    cli_doc_table table;
    cli_doc_table_begin(&table, output, markdown, columns, sizeof columns / sizeof *columns);
    for (size_t i = 0; (b = bsp_branch_at(i)) != NULL; i++) {
        char version[CLI_VERSION_TEXT];
        bool real = b->verified == BSP_VERIFIED_REAL;
        cli_doc_table_cell(&table, CLI_STRONG, "%s", b->name);
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", bsp_family_name(b->family));
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", cli_branch_version(b, version));
        cli_doc_table_cell(&table, b->opaque ? CLI_FAINT : CLI_PLAIN, "%s", cli_branch_depth(b));
        cli_doc_table_cell(&table, real ? CLI_PLAIN : CLI_FAINT, "%s",
                           bsp_verified_name(b->verified));
        cli_doc_table_cell(&table, CLI_PLAIN, "%s", b->title);
    }
    cli_doc_table_end(&table, 0);
}
