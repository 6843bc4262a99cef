// SPDX-License-Identifier: MIT
// Completions for zsh.
#include "cli/parts/completion.h"

static void zsh_value(cli_output *output, const cli_option *option) {
    if (option->value == CLI_FLAG) {
        return;
    }
    cli_print(output, ":");
    cli_complete_quoted(output, option->argument, ":[]");
    cli_print(output, ":");
    switch (option->value) {
    case CLI_FILE:
    case CLI_NAMES:
    case CLI_TARGET:
        cli_print(output, "_files");
        break;
    case CLI_BRANCH:
        cli_print(output, "(");
        cli_complete_branches(output);
        cli_print(output, ")");
        break;
    case CLI_CHOICE:
        cli_print(output, "(");
        cli_complete_choices(output, option->choices);
        cli_print(output, ")");
        break;
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_NUMBER:
    case CLI_REAL:
    case CLI_GAME:
    case CLI_LIMIT:
        break;
    }
}

static void zsh_operands(cli_output *output, const cli_command *command) {
    if (cli_complete_parts(command) != NULL) {
        cli_print(output,
                  "            '1:map:_files' '2:part:_bspkit_parts %s' '*:file:_files' ;;\n",
                  cli_complete_parts(command));
    } else if (command->reads_maps) {
        cli_print(output, "            '*:map:_files' ;;\n");
    } else if (cli_complete_names_branch(command)) {
        cli_print(output, "            '*:branch:(");
        cli_complete_branches(output);
        cli_print(output, ")' ;;\n");
    } else if (command->max_operands != 0) {
        cli_print(output, "            '*:topic:(");
        cli_complete_words(output, true);
        cli_print(output, ")' ;;\n");
    } else {
        cli_print(output, "            ;;\n");
    }
}

static void zsh_command(cli_output *output, const cli_command *command) {
    if (command->num_verbs != 0) { // the words so far have no verb
        cli_print(output, "    %s) compadd -- ", command->name);
        cli_complete_verbs(output, command);
        cli_print(output, " ;;\n");
        return;
    }
    cli_print(output, "    '%s')\n        _arguments \\\n", command->name);
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        cli_print(output, "            '%s--%s%s[", option->store == CLI_STORE_LIST ? "*" : "",
                  option->name, option->value == CLI_FLAG ? "" : "=");
        cli_complete_quoted(output, option->help, ":[]\\");
        cli_print(output, "]");
        zsh_value(output, option);
        cli_print(output, "' \\\n");
    }
    zsh_operands(output, command);
}

static const char zsh_head[] =
    "#compdef bspkit\n"
    "# made by bspkit completion zsh\n"
    "_bspkit_parts() {\n"
    "    compadd -M 'm:{a-zA-Z}={A-Za-z}' -- ${(f)\"$(bspkit completion $argv[-1] "
    "${(Q)words[CURRENT-1]} 2>/dev/null)\"}\n"
    "}\n"
    "local -a commands\n"
    "commands=(\n";

static const char zsh_words[] = ")\n"
                                "if [[ $words[2] == --no-sandbox ]] && (( CURRENT > 2 )); then\n"
                                "    shift words\n"
                                "    (( CURRENT-- ))\n"
                                "fi\n"
                                "if (( CURRENT == 2 )); then\n"
                                "    _describe command commands\n"
                                "    return\n"
                                "fi\n"
                                "local command=$words[2]\n"
                                "shift words\n"
                                "(( CURRENT-- ))\n"
                                "case $command in\n"
                                "    ";

static const char zsh_verbs[] = ")\n"
                                "    if (( CURRENT > 2 )); then\n"
                                "        command=\"$command $words[2]\"\n"
                                "        shift words\n"
                                "        (( CURRENT-- ))\n"
                                "    fi ;;\n"
                                "esac\n"
                                "case $command in\n";

void cli_complete_zsh(cli_output *output) {
    cli_print(output, "%s", zsh_head);
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (cli_complete_shows(*c)) {
            cli_print(output, "    '%s:", (*c)->name);
            cli_complete_quoted(output, (*c)->summary, ":");
            cli_print(output, "'\n");
        }
    }
    cli_print(output, "%s", zsh_words);
    const char *between = "";
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && cli_complete_shows(*c)) {
            cli_print(output, "%s%s", between, (*c)->name);
            between = "|";
        }
    }
    cli_print(output, "%s", zsh_verbs);
    cli_complete_each(output, zsh_command);
    cli_print(output, "esac\n");
}
