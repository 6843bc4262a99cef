// SPDX-License-Identifier: MIT
// Completions for fish.
#include "cli/parts/completion.h"

#include <string.h>

// Prints the condition that a command, or a verb, is on the line.
static void fish_condition(cli_output *output, const cli_command *command) {
    const char *verb = strchr(command->name, ' ');
    if (verb == NULL) {
        cli_print(output, "complete -c bspkit -n '__fish_seen_subcommand_from %s'", command->name);
    } else {
        cli_print(output,
                  "complete -c bspkit -n '__fish_seen_subcommand_from %.*s; and "
                  "__fish_seen_subcommand_from %s'",
                  (int)(verb - command->name), command->name, verb + 1);
    }
}

static void fish_option(cli_output *output, const cli_command *command, const cli_option *option) {
    fish_condition(output, command);
    cli_print(output, " -l %s", option->name);
    if (option->letter != 0) {
        cli_print(output, " -s %c", option->letter);
    }
    if (option->value != CLI_FLAG) {
        bool file =
            option->value == CLI_FILE || option->value == CLI_NAMES || option->value == CLI_TARGET;
        cli_print(output, file ? " -r" : " -x");
    }
    if (option->value == CLI_BRANCH) {
        cli_print(output, " -a '");
        cli_complete_branches(output);
        cli_print(output, "'");
    }
    if (option->value == CLI_CHOICE) {
        cli_print(output, " -a '");
        for (const cli_choice *c = option->choices; c->word != NULL; c++) {
            cli_print(output, "%s%s\\t\"", c == option->choices ? "" : " ", c->word);
            cli_complete_quoted(output, c->meaning, "\"$\\");
            cli_print(output, "\"");
        }
        cli_print(output, "'");
    }
    cli_print(output, " -d '");
    cli_complete_quoted(output, option->help, "\\");
    cli_print(output, "'\n");
}

static void fish_command(cli_output *output, const cli_command *command) {
    const char *verb = strchr(command->name, ' ');
    if (verb == NULL) {
        cli_print(output, "complete -c bspkit -f -n __fish_use_subcommand -a %s -d '",
                  command->name);
    } else {
        cli_print(output,
                  "complete -c bspkit -f -n 'test (count (commandline -opc)) -eq 2; and "
                  "__fish_seen_subcommand_from %.*s' -a %s -d '",
                  (int)(verb - command->name), command->name, verb + 1);
    }
    cli_complete_quoted(output, command->summary, "\\");
    cli_print(output, "'\n");
    for (size_t i = 0; i < command->num_options; i++) {
        fish_option(output, command, &command->options[i]);
    }
    if (cli_complete_names_branch(command)) {
        fish_condition(output, command);
        cli_print(output, " -f -a '");
        cli_complete_branches(output);
        cli_print(output, "'\n");
    }
    if (cli_complete_parts(command) != NULL) {
        fish_condition(output, command);
        cli_print(output, " -a '(bspkit completion %s (commandline -opc)[-1] 2>/dev/null)'\n",
                  cli_complete_parts(command));
    }
}

void cli_complete_fish(cli_output *output) {
    cli_print(output, "# fish completion for bspkit; made by bspkit completion fish\n"
                      "complete -c bspkit -f -n __fish_use_subcommand -l no-sandbox -d "
                      "'Keep all rights while the command runs'\n");
    cli_complete_each(output, fish_command);
    cli_print(output, "complete -c bspkit -f -n 'test (count (commandline -opc)) -eq 2; and "
                      "__fish_seen_subcommand_from help' -a '");
    cli_complete_words(output, true);
    cli_print(output, "'\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && cli_complete_shows(*c)) {
            cli_print(output,
                      "complete -c bspkit -f -n 'test (count (commandline -opc)) -eq 3; and "
                      "__fish_seen_subcommand_from help; and __fish_seen_subcommand_from %s' -a '",
                      (*c)->name);
            cli_complete_verbs(output, *c);
            cli_print(output, "'\n");
        }
    }
}
