// SPDX-License-Identifier: MIT
// Which tables the commands print, from the forms of the commands themselves.
#include "cli/parts/tables.h"

#include "cli/parts/options.h"

#include <stdio.h>

static const char about[] =
    "What a command prints with --json as a list it also prints as a table: --csv with commas "
    "between the values, --tsv with tabs. The first line has the titles. The values are those of "
    "--json, null is an empty value. A nested value has the name of its path: bounds.mins.0. What "
    "--json has besides (totals, lists in an element) is not in the table.\n\n"
    "CSV is that of RFC 4180, but lines end in a newline alone: a value with a comma, a double "
    "quote or a line break stands in double quotes, and a quote in it is doubled. In TSV nothing "
    "is quoted: a tab, newline, carriage return or backslash in a value is a backslash and then "
    "t, n, r or a backslash. Both are UTF-8.\n\n"
    "Commands that read several maps begin each row with the map's name (file), and print a row "
    "with only file and error for a map that cannot be read. Entities have a row for each key, "
    "since their keys differ and may repeat. dump has the fields of the records as its columns.";

// --- the forms of all commands and verbs --------------------------------------------------------

typedef void (*teller)(cli_output *output, const cli_command *command);

static void tell_one(cli_output *output, const cli_command *command, teller tell) {
    if (command->rows != NULL) {
        tell(output, command);
    }
}

static void tell_all(cli_output *output, teller tell) {
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        tell_one(output, *c, tell);
        for (size_t v = 0; v < (*c)->num_verbs; v++) {
            tell_one(output, &(*c)->verbs[v], tell);
        }
    }
}

// Writes the titles, with a comma and a blank between them.
static void titles(const cli_command *command, char *out, size_t room) {
    size_t used = 0;
    out[0] = '\0';
    for (const char *const *c = command->rows->columns; *c != NULL && used < room; c++) {
        char title[CLI_ROWS_TITLE];
        cli_rows_title(*c, title);
        int size = snprintf(out + used, room - used, "%s%s", used == 0 ? "" : ", ", title);
        used += size < 0 ? 0 : (size_t)size;
    }
}

static void print_command(cli_output *output, const cli_command *command) {
    char text[2048];
    titles(command, text, sizeof text);
    cli_print(output, "\n");
    cli_print_styled(output, CLI_STRONG, command->name);
    cli_print(output, "\n");
    cli_print_wrapped(output, 4, text);
}

static void markdown_command(cli_output *output, const cli_command *command) {
    char text[2048];
    titles(command, text, sizeof text);
    cli_print(output, "| `%s` | %s |\n", command->name, text);
}

void cli_print_tables(cli_output *output) {
    cli_print_wrapped(output, 0, about);
    tell_all(output, print_command);
}

void cli_markdown_tables(cli_output *output) {
    cli_print(output, "# Tables\n\n");
    cli_print_wrapped(output, 0, about);
    cli_print(output, "\nThis page is made from the tables of the commands by `make docs`.\n\n"
                      "| command | columns |\n|---|---|\n");
    tell_all(output, markdown_command);
}
