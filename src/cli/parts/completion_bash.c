// SPDX-License-Identifier: MIT
// Completions for bash.
#include "cli/parts/completion.h"
#include "cli/parts/help.h"

#include <string.h>

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
        cli_complete_verbs(output, command);
        cli_print(output, "'");
    }
    const char *parts = cli_complete_parts(command);
    cli_print(output, "%s%s%s ;;\n", parts != NULL ? " parts=" : "", parts != NULL ? parts : "",
              cli_complete_names_branch(command) ? " names=$branches" : "");
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
            cli_complete_choices(output, option->choices);
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

void cli_complete_bash(cli_output *output) {
    cli_print(output, "%s", bash_head);
    cli_complete_words(output, false);
    cli_print(output, " --no-sandbox --help --version' -- \"$word\"))\n"
                      "        return\n    fi\n"
                      "    local branches='");
    cli_complete_branches(output);
    cli_print(output, "'\n    case $full in\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && cli_complete_shows(*c)) {
            cli_print(output,
                      "    %s)\n        [ \"$COMP_CWORD\" -gt $((at+1)) ] && "
                      "full=\"$full ${COMP_WORDS[at+1]}\" ;;\n",
                      (*c)->name);
        }
    }
    cli_print(output, "    esac\n    case $full in\n");
    cli_complete_each(output, bash_options);
    cli_print(output, "    esac\n    case \"$full $before\" in\n");
    cli_complete_each(output, bash_values);
    cli_print(output, "    esac\n    if [ \"$full\" = help ]; then\n        names='");
    cli_complete_words(output, true);
    cli_print(output, "'\n    fi\n    case \"$full $before\" in\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->num_verbs != 0 && cli_complete_shows(*c)) {
            cli_print(output, "    'help %s') values='", (*c)->name);
            cli_complete_verbs(output, *c);
            cli_print(output, "' ;;\n");
        }
    }
    cli_print(output, "    esac\n%s", bash_tail);
}
