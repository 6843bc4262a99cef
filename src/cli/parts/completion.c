// SPDX-License-Identifier: MIT
// bspkit completion: shell completions, made from the command tables at build time.
#include "cli/parts/commands.h"
#include "cli/parts/lower.h"
#include "cli/parts/help.h"
#include "cli/parts/input.h"

#include <ctype.h>
#include <string.h>

static bool is_shown(const cli_command *command) {
    return command->group != CLI_GROUP_HIDDEN;
}

static void print_branches(cli_output *output) {
    const bsp_branch *branch;
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        cli_print(output, "%s%s", i == 0 ? "" : " ", branch->name);
    }
}

static void print_choices(cli_output *output, const cli_choice *choices) {
    for (const cli_choice *c = choices; c->word != NULL; c++) {
        cli_print(output, "%s%s", c == choices ? "" : " ", c->word);
    }
}

static void print_verbs(cli_output *output, const cli_command *command) {
    for (size_t i = 0; i < command->num_verbs; i++) {
        cli_print(output, "%s%s", i == 0 ? "" : " ", cli_verb_word(&command->verbs[i]));
    }
}

static void print_words(cli_output *output, bool topics) {
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        cli_print(output, "%s%s", c == cli_commands() || !is_shown(*c) ? "" : " ",
                  is_shown(*c) ? (*c)->name : "");
    }
    for (const cli_topic *t = cli_topics(); topics && t->name != NULL; t++) {
        cli_print(output, " %s", t->name);
    }
}

// Calls `print` with each command, and with each verb after its command.
static void for_each_command(cli_output *output,
                             void (*print)(cli_output *output, const cli_command *command)) {
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (is_shown(*c)) {
            print(output, *c);
            for (size_t i = 0; i < (*c)->num_verbs; i++) {
                print(output, &(*c)->verbs[i]);
            }
        }
    }
}

// Returns the verb of this command that prints the names which its second operand can be, for the
// map of the first operand. NULL: none.
static const char *parts_of(const cli_command *command) {
    bool two = command->reads != NULL && command->reads[0] == 'f';
    return two && command->reads[1] == 'l'   ? "lumps"
           : two && command->reads[1] == 'p' ? "files"
                                             : NULL;
}

// True if the command's operand is a branch.
static bool names_branch(const cli_command *command) {
    return command->reads != NULL && command->reads[0] == 'b';
}

// Prints text in single quotes of a shell.
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

static void bash_option(cli_output *output, const cli_option *option, const char *verbs) {
    (void)verbs;
    cli_print(output, " --%s", option->name);
    if (option->letter != 0) {
        cli_print(output, " -%c", option->letter);
    }
}

static void bash_options(cli_output *output, const cli_command *command) {
    cli_print(output,
              command->num_verbs != 0 || strchr(command->name, ' ') == NULL ? "    %s) options='"
                                                                            : "    '%s') options='",
              command->name);
    cli_each_option(output, command, bash_option);
    cli_print(output, "'");
    if (command->num_verbs != 0) {
        cli_print(output, " verbs='");
        print_verbs(output, command);
        cli_print(output, "'");
    }
    const char *parts = parts_of(command);
    cli_print(output, "%s%s%s ;;\n", parts != NULL ? " parts=" : "", parts != NULL ? parts : "",
              names_branch(command) ? " names=$branches" : "");
}

// Prints the words that follow an option which takes a choice or a branch.
static void bash_values(cli_output *output, const cli_command *command) {
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        if (option->value != CLI_CHOICE && option->value != CLI_BRANCH) {
            continue;
        }
        cli_print(output, "    '%s --%s'", command->name, option->name);
        if (option->letter != 0) {
            cli_print(output, " | '%s -%c'", command->name, option->letter);
        }
        cli_print(output, ") values=");
        if (option->value == CLI_BRANCH) {
            cli_print(output, "$branches ;;\n");
        } else {
            cli_print(output, "'");
            print_choices(output, option->choices);
            cli_print(output, "' ;;\n");
        }
    }
}

// bash splits words at = and : too: "--to=bsp2" arrives as three words, and so does "game:sprp".
static const char bash_head[] =
    "# bash completion for bspkit; made by bspkit completion bash\n"
    "_bspkit() {\n"
    "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
    "    local at=1 last=$((COMP_CWORD-1)) full options= verbs= values= parts= names= map prefix=\n"
    "    if [ \"${COMP_WORDS[1]}\" = --no-sandbox ] && [ \"$COMP_CWORD\" -gt 1 ]; then\n"
    "        at=2\n"
    "    fi\n"
    "    full=${COMP_WORDS[at]}\n"
    "    COMPREPLY=()\n"
    "    if [ \"$word\" = = ]; then\n"
    "        word=\n"
    "    elif [ \"$before\" = = ]; then\n"
    "        before=${COMP_WORDS[COMP_CWORD-2]}\n"
    "    elif [ \"$word\" = : ]; then\n"
    "        word= prefix=$before: last=$((COMP_CWORD-2))\n"
    "    elif [ \"$before\" = : ]; then\n"
    "        prefix=${COMP_WORDS[COMP_CWORD-2]}: last=$((COMP_CWORD-3))\n"
    "    fi\n"
    "    if [ \"$COMP_CWORD\" -eq \"$at\" ]; then\n"
    "        COMPREPLY=($(compgen -W '";

static const char bash_tail[] =
    "    if [ -n \"$values\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$values\" -- \"$word\"))\n"
    "        return\n"
    "    fi\n"
    "    case $word in\n"
    "    -*)\n"
    "        COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
    "        return ;;\n"
    "    esac\n"
    "    if [ -n \"$verbs\" ] && [ \"$COMP_CWORD\" -eq $((at+1)) ]; then\n"
    "        COMPREPLY=($(compgen -W \"$verbs\" -- \"$word\"))\n"
    "        return\n"
    "    fi\n"
    "    if [ -n \"$names\" ]; then\n"
    "        COMPREPLY=($(compgen -W \"$names\" -- \"$word\"))\n"
    "        return\n"
    "    fi\n"
    "    map=${COMP_WORDS[last]/#\\~/$HOME}\n"
    "    if [ -n \"$parts\" ] && [ \"$last\" -gt \"$at\" ] && [ -f \"$map\" ]; then\n"
    "        COMPREPLY=($(\"${COMP_WORDS[0]}\" completion $parts \"$map\" \"$prefix$word\" "
    "2>/dev/null))\n"
    "        for last in \"${!COMPREPLY[@]}\"; do\n"
    "            COMPREPLY[last]=${COMPREPLY[last]:${#prefix}}\n"
    "        done\n"
    "        return\n"
    "    fi\n"
    "    compopt -o default 2>/dev/null\n"
    "}\n"
    "complete -F _bspkit bspkit\n";

static void print_bash(cli_output *output) {
    cli_print(output, "%s", bash_head);
    print_words(output, false);
    cli_print(output, " --no-sandbox --help --version' -- \"$word\"))\n"
                      "        return\n    fi\n"
                      "    local branches='");
    print_branches(output);
    cli_print(output, "'\n    case $full in\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && is_shown(*c)) {
            cli_print(output,
                      "    %s)\n        [ \"$COMP_CWORD\" -gt $((at+1)) ] && "
                      "full=\"$full ${COMP_WORDS[at+1]}\" ;;\n",
                      (*c)->name);
        }
    }
    cli_print(output, "    esac\n    case $full in\n");
    for_each_command(output, bash_options);
    cli_print(output, "    esac\n    case \"$full $before\" in\n");
    for_each_command(output, bash_values);
    cli_print(output, "    esac\n    if [ \"$full\" = help ]; then\n        names='");
    print_words(output, true);
    cli_print(output, "'\n    fi\n    case \"$full $before\" in\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && is_shown(*c)) {
            cli_print(output, "    'help %s') values='", (*c)->name);
            print_verbs(output, *c);
            cli_print(output, "' ;;\n");
        }
    }
    cli_print(output, "    esac\n%s", bash_tail);
}

// --- zsh ----------------------------------------------------------------------------------------

static void zsh_value(cli_output *output, const cli_option *option) {
    if (option->value == CLI_FLAG) {
        return;
    }
    cli_print(output, ":");
    print_quoted(output, option->argument, ":[]");
    cli_print(output, ":");
    switch (option->value) {
    case CLI_FILE:
    case CLI_NAMES:
    case CLI_TARGET:
        cli_print(output, "_files");
        break;
    case CLI_BRANCH:
        cli_print(output, "(");
        print_branches(output);
        cli_print(output, ")");
        break;
    case CLI_CHOICE:
        cli_print(output, "(");
        print_choices(output, option->choices);
        cli_print(output, ")");
        break;
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_NUMBER:
    case CLI_REAL:
    case CLI_LIMIT:
        break;
    }
}

static void zsh_operands(cli_output *output, const cli_command *command) {
    if (parts_of(command) != NULL) {
        cli_print(output,
                  "            '1:map:_files' '2:part:_bspkit_parts %s' '*:file:_files' ;;\n",
                  parts_of(command));
    } else if (command->reads_maps) {
        cli_print(output, "            '*:map:_files' ;;\n");
    } else if (names_branch(command)) {
        cli_print(output, "            '*:branch:(");
        print_branches(output);
        cli_print(output, ")' ;;\n");
    } else if (command->max_operands != 0) {
        cli_print(output, "            '*:topic:(");
        print_words(output, true);
        cli_print(output, ")' ;;\n");
    } else {
        cli_print(output, "            ;;\n");
    }
}

static void zsh_command(cli_output *output, const cli_command *command) {
    if (command->num_verbs != 0) { // the words so far have no verb
        cli_print(output, "    %s) compadd -- ", command->name);
        print_verbs(output, command);
        cli_print(output, " ;;\n");
        return;
    }
    cli_print(output, "    '%s')\n        _arguments \\\n", command->name);
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        cli_print(output, "            '%s--%s%s[", option->store == CLI_STORE_LIST ? "*" : "",
                  option->name, option->value == CLI_FLAG ? "" : "=");
        print_quoted(output, option->help, ":[]\\");
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

static void print_zsh(cli_output *output) {
    cli_print(output, "%s", zsh_head);
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (is_shown(*c)) {
            cli_print(output, "    '%s:", (*c)->name);
            print_quoted(output, (*c)->summary, ":");
            cli_print(output, "'\n");
        }
    }
    cli_print(output, "%s", zsh_words);
    const char *between = "";
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && is_shown(*c)) {
            cli_print(output, "%s%s", between, (*c)->name);
            between = "|";
        }
    }
    cli_print(output, "%s", zsh_verbs);
    for_each_command(output, zsh_command);
    cli_print(output, "esac\n");
}

// --- fish ---------------------------------------------------------------------------------------

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
        print_branches(output);
        cli_print(output, "'");
    }
    if (option->value == CLI_CHOICE) {
        cli_print(output, " -a '");
        for (const cli_choice *c = option->choices; c->word != NULL; c++) {
            cli_print(output, "%s%s\\t\"", c == option->choices ? "" : " ", c->word);
            print_quoted(output, c->meaning, "\"$\\");
            cli_print(output, "\"");
        }
        cli_print(output, "'");
    }
    cli_print(output, " -d '");
    print_quoted(output, option->help, "\\");
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
    print_quoted(output, command->summary, "\\");
    cli_print(output, "'\n");
    for (size_t i = 0; i < command->num_options; i++) {
        fish_option(output, command, &command->options[i]);
    }
    if (names_branch(command)) {
        fish_condition(output, command);
        cli_print(output, " -f -a '");
        print_branches(output);
        cli_print(output, "'\n");
    }
    if (parts_of(command) != NULL) {
        fish_condition(output, command);
        cli_print(output, " -a '(bspkit completion %s (commandline -opc)[-1] 2>/dev/null)'\n",
                  parts_of(command));
    }
}

static void print_fish(cli_output *output) {
    cli_print(output, "# fish completion for bspkit; made by bspkit completion fish\n"
                      "complete -c bspkit -f -n __fish_use_subcommand -l no-sandbox -d "
                      "'Keep all rights while the command runs'\n");
    for_each_command(output, fish_command);
    cli_print(output, "complete -c bspkit -f -n 'test (count (commandline -opc)) -eq 2; and "
                      "__fish_seen_subcommand_from help' -a '");
    print_words(output, true);
    cli_print(output, "'\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && is_shown(*c)) {
            cli_print(output,
                      "complete -c bspkit -f -n 'test (count (commandline -opc)) -eq 3; and "
                      "__fish_seen_subcommand_from help; and __fish_seen_subcommand_from %s' -a '",
                      (*c)->name);
            print_verbs(output, *c);
            cli_print(output, "'\n");
        }
    }
}

// --- lumps --------------------------------------------------------------------------------------

// Compares ignoring case.
static bool begins(bsp_text name, const char *start) {
    size_t size = strlen(start);
    for (size_t i = 0; i < size; i++) {
        if (i >= name.size || cli_lower(name.data[i]) != cli_lower(start[i])) {
            return false;
        }
    }
    return true;
}

// Returns true if a name from a file has no character that is special in a shell.
static bool is_plain(bsp_text name) {
    for (size_t i = 0; i < name.size; i++) {
        char c = name.data[i];
        if (c == '\0' || (!isalnum((unsigned char)c) && strchr("_-.:/", c) == NULL)) {
            return false;
        }
    }
    return name.size != 0 && name.data[0] != '-';
}

static void print_name(const cli_input *input, bsp_text name) {
    const char *start = input->call->num_operands > 1 ? input->call->operands[1] : "";
    if (is_plain(name) && begins(name, start)) {
        cli_print(input->output, "%.*s\n", (int)name.size, name.data);
    }
}

static cli_status print_lumps(const cli_input *input) {
    for (uint32_t i = 0; i < bsp_file_get_info(input->file)->num_lumps; i++) {
        print_name(input, bsp_text_of(bsp_file_lump(input->file, i)->name));
    }
    return CLI_DONE;
}

static cli_status print_files(const cli_input *input) {
    bsp_error error;
    bsp_pak *pak = bsp_file_pak(input->file, input->issues, &error);
    for (uint32_t i = 0; pak != NULL && i < pak->count; i++) {
        print_name(input, pak->entries[i].name);
    }
    bsp_pak_close(pak);
    return CLI_DONE;
}

// --- the command --------------------------------------------------------------------------------

static cli_status print(void (*shell)(cli_output *output)) {
    cli_output output;
    (void)cli_output_open(&output, NULL);
    shell(&output);
    return cli_output_close(&output, CLI_DONE);
}

static cli_status run_bash(const cli_call *call) {
    (void)call;
    return print(print_bash);
}

static cli_status run_zsh(const cli_call *call) {
    (void)call;
    return print(print_zsh);
}

static cli_status run_fish(const cli_call *call) {
    (void)call;
    return print(print_fish);
}

static cli_status run_lumps(const cli_call *call) {
    return cli_for_each_input(call, 1, print_lumps);
}

static cli_status run_files(const cli_call *call) {
    return cli_for_each_input(call, 1, print_files);
}

static const cli_option options[] = {CLI_OPTION_HELP};

#define SHELL(word, function)                                                                      \
    {                                                                                              \
        .name = "completion " word, .operands = "", .summary = "Print the completions for " word,  \
        CLI_COMMON_OPTIONS(options), .run = (function)                                             \
    }

#define PARTS(word, what, function)                                                                \
    {                                                                                              \
        .name = "completion " word, .operands = "FILE [START]",                                    \
        .summary = "Print the names of " what " of a map that begin so, one a line",               \
        CLI_COMMON_OPTIONS(options), .min_operands = 1, .max_operands = 2, .reads_maps = true,     \
        .reads = "f-", .run = (function)                                                           \
    }

static const cli_command verbs[] = {
    SHELL("bash", run_bash),
    SHELL("zsh", run_zsh),
    SHELL("fish", run_fish),
    PARTS("lumps", "the lumps", run_lumps),
    PARTS("files", "the embedded files", run_files),
};

const cli_command cli_command_completion = {
    .name = "completion",
    .group = CLI_GROUP_HIDDEN,
    .summary = "Print the completions for a shell, or the names that they offer",
    CLI_VERBS(verbs),
};
