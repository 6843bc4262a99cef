// SPDX-License-Identifier: MIT
// bspkit completion: shell completions from the command tables. The build runs it.
#include "cli/commands.h"
#include "cli/help.h"

#include <string.h>

static void print_branches(cli_output *output) {
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        cli_print(output, "%s%s", i == 0 ? "" : " ", branch->name);
    }
}

static void print_words(cli_output *output, bool topics) {
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        cli_print(output, "%s%s", c == cli_commands() || (*c)->hidden ? "" : " ",
                  (*c)->hidden ? "" : (*c)->name);
    }
    for (const cli_topic *t = cli_topics(); topics && t->name != NULL; t++) {
        cli_print(output, " %s", t->name);
    }
}

// In single quotes of a shell.
static void print_quoted(cli_output *output, const char *text, const char *escape) {
    for (; *text != '\0'; text++) {
        if (*text == '\'') {
            cli_print(output, "'\\''");
        } else {
            cli_print(output, "%s%c", strchr(escape, *text) != NULL ? "\\" : "", *text);
        }
    }
}

// --- bash ---------------------------------------------------------------------------------------

static void bash_options(cli_output *output, const cli_command *command) {
    cli_print(output, "    %s) options='", command->name);
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        cli_print(output, "%s--%s", i == 0 ? "" : " ", option->name);
        if (option->letter != 0) {
            cli_print(output, " -%c", option->letter);
        }
    }
    cli_print(output, "' ;;\n");
}

static void print_bash(cli_output *output) {
    cli_print(output,
              "# bash completion for bspkit; made by bspkit completion bash\n"
              "_bspkit() {\n"
              "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
              "    local at=1 command options\n"
              "    if [ \"${COMP_WORDS[1]}\" = --no-sandbox ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
              "        at=2\n"
              "    fi\n"
              "    command=${COMP_WORDS[at]}\n"
              "    COMPREPLY=()\n"
              "    if [ \"$COMP_CWORD\" -eq \"$at\" ]; then\n"
              "        COMPREPLY=($(compgen -W '");
    print_words(output, false);
    cli_print(output, " --no-sandbox' -- \"$word\"))\n        return\n    fi\n"
                      "    if [ \"$before\" = --branch ]; then\n"
                      "        COMPREPLY=($(compgen -W '");
    print_branches(output);
    cli_print(output, "' -- \"$word\"))\n        return\n    fi\n"
                      "    case $command in\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (!(*c)->hidden) {
            bash_options(output, *c);
        }
    }
    cli_print(output, "    esac\n"
                      "    case $word in\n"
                      "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
                      "    *)\n"
                      "        if [ \"$command\" = help ]; then\n"
                      "            COMPREPLY=($(compgen -W '");
    print_words(output, true);
    cli_print(output, "' -- \"$word\"))\n"
                      "        else\n"
                      "            compopt -o default 2>/dev/null\n"
                      "        fi ;;\n"
                      "    esac\n"
                      "}\n"
                      "complete -F _bspkit bspkit\n");
}

// --- zsh ----------------------------------------------------------------------------------------

static void zsh_value(cli_output *output, const cli_option *option) {
    if (option->value == CLI_FLAG) {
        return;
    }
    cli_print(output, ":");
    print_quoted(output, option->argument, ":[]");
    cli_print(output, ":");
    if (option->value == CLI_FILE || option->value == CLI_TARGET) {
        cli_print(output, "_files");
    } else if (option->value == CLI_BRANCH) {
        cli_print(output, "(");
        print_branches(output);
        cli_print(output, ")");
    }
}

static void zsh_command(cli_output *output, const cli_command *command) {
    cli_print(output, "    %s)\n        _arguments \\\n", command->name);
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        cli_print(output, "            '%s--%s%s[", option->repeatable ? "*" : "", option->name,
                  option->value == CLI_FLAG ? "" : "=");
        print_quoted(output, option->help, ":[]\\");
        cli_print(output, "]");
        zsh_value(output, option);
        cli_print(output, "' \\\n");
    }
    if (command->reads_maps) {
        cli_print(output, "            '*:map:_files' ;;\n");
    } else if (command->max_operands != 0) {
        cli_print(output, "            '*:topic:(");
        print_words(output, true);
        cli_print(output, ")' ;;\n");
    } else {
        cli_print(output, "            ;;\n");
    }
}

static void print_zsh(cli_output *output) {
    cli_print(output, "#compdef bspkit\n# made by bspkit completion zsh\n"
                      "local -a commands\ncommands=(\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (!(*c)->hidden) {
            cli_print(output, "    '%s:", (*c)->name);
            print_quoted(output, (*c)->summary, ":");
            cli_print(output, "'\n");
        }
    }
    cli_print(output, ")\n"
                      "if [[ $words[2] == --no-sandbox ]] && (( CURRENT > 2 )); then\n"
                      "    shift words\n"
                      "    (( CURRENT-- ))\n"
                      "fi\n"
                      "if (( CURRENT == 2 )); then\n"
                      "    _describe command commands\n"
                      "    return\n"
                      "fi\n"
                      "local command=$words[2]\n"
                      "shift words\n(( CURRENT-- ))\n"
                      "case $command in\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (!(*c)->hidden) {
            zsh_command(output, *c);
        }
    }
    cli_print(output, "esac\n");
}

// --- fish ---------------------------------------------------------------------------------------

static void fish_option(cli_output *output, const cli_command *command, const cli_option *option) {
    cli_print(output, "complete -c bspkit -n '__fish_seen_subcommand_from %s' -l %s", command->name,
              option->name);
    if (option->letter != 0) {
        cli_print(output, " -s %c", option->letter);
    }
    if (option->value != CLI_FLAG) {
        bool file = option->value == CLI_FILE || option->value == CLI_TARGET;
        cli_print(output, file ? " -r" : " -x");
    }
    if (option->value == CLI_BRANCH) {
        cli_print(output, " -a '");
        print_branches(output);
        cli_print(output, "'");
    }
    cli_print(output, " -d '");
    print_quoted(output, option->help, "\\");
    cli_print(output, "'\n");
}

static void print_fish(cli_output *output) {
    cli_print(output, "# fish completion for bspkit; made by bspkit completion fish\n"
                      "complete -c bspkit -f -n __fish_use_subcommand -l no-sandbox -d "
                      "'Keep all rights while the command runs'\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        const cli_command *command = *c;
        if (command->hidden) {
            continue;
        }
        cli_print(output, "complete -c bspkit -f -n __fish_use_subcommand -a %s -d '",
                  command->name);
        print_quoted(output, command->summary, "\\");
        cli_print(output, "'\n");
        for (size_t i = 0; i < command->num_options; i++) {
            fish_option(output, command, &command->options[i]);
        }
    }
    cli_print(output, "complete -c bspkit -f -n '__fish_seen_subcommand_from help' -a '");
    print_words(output, true);
    cli_print(output, "'\n");
}

// --- the command --------------------------------------------------------------------------------

static cli_status run(const cli_call *call) {
    static const struct {
        const char *name;
        void (*print)(cli_output *output);
    } shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(call->operands[0], shells[i].name) == 0) {
            cli_output output;
            (void)cli_output_open(&output, NULL);
            shells[i].print(&output);
            return cli_output_close(&output, CLI_DONE);
        }
    }
    cli_message("completion", "no shell is named '%s': bash, zsh, fish", call->operands[0]);
    return CLI_USAGE;
}

static const cli_option options[] = {CLI_OPTION_HELP};

const cli_command cli_command_completion = {
    .name = "completion",
    .operands = "SHELL",
    .summary = "Print the completions for a shell",
    CLI_OPTIONS(options),
    .min_operands = 1,
    .max_operands = 1,
    .hidden = true,
    .run = run,
};
