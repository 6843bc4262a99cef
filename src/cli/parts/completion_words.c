// SPDX-License-Identifier: MIT
// Words that the completions of all shells have.
#include "cli/parts/completion.h"
#include "cli/parts/help.h"

#include <string.h>

bool cli_complete_shows(const cli_command *command) {
    return command->group != CLI_GROUP_HIDDEN;
}

void cli_complete_branches(cli_output *output) {
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        cli_print(output, "%s%s", i == 0 ? "" : " ", branch->name);
    }
}

void cli_complete_choices(cli_output *output, const cli_choice *choices) {
    for (const cli_choice *c = choices; c->word != NULL; c++) {
        cli_print(output, "%s%s", c == choices ? "" : " ", c->word);
    }
}

void cli_complete_verbs(cli_output *output, const cli_command *command) {
    for (size_t i = 0; i < command->num_verbs; i++) {
        cli_print(output, "%s%s", i == 0 ? "" : " ", cli_verb_word(&command->verbs[i]));
    }
}

void cli_complete_words(cli_output *output, bool topics) {
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        cli_print(output, "%s%s", c == cli_commands() || !cli_complete_shows(*c) ? "" : " ",
                  cli_complete_shows(*c) ? (*c)->name : "");
    }
    for (const cli_topic *t = cli_topics(); topics && t->name != NULL; t++) {
        cli_print(output, " %s", t->name);
    }
}

void cli_complete_each(cli_output *output,
                       void (*print)(cli_output *output, const cli_command *command)) {
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (cli_complete_shows(*c)) {
            print(output, *c);
            for (size_t i = 0; i < (*c)->num_verbs; i++) {
                print(output, &(*c)->verbs[i]);
            }
        }
    }
}

const char *cli_complete_parts(const cli_command *command) {
    bool two = command->reads != NULL && command->reads[0] == 'f';
    return two && command->reads[1] == 'l'   ? "lumps"
           : two && command->reads[1] == 'p' ? "files"
                                             : NULL;
}

bool cli_complete_names_branch(const cli_command *command) {
    return command->reads != NULL && command->reads[0] == 'b';
}

void cli_complete_quoted(cli_output *output, const char *text, const char *escape) {
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            cli_print(output, "'\\''");
        } else {
            cli_print(output, "%s%c", strchr(escape, *text) != NULL ? "\\" : "", *text);
        }
    }
}
