// SPDX-License-Identifier: MIT
// bspkit manual: the man pages as scdoc source, made from the command tables at build time.
#include "cli/parts/commands.h"
#include "cli/parts/help.h"

#include <string.h>

typedef struct manual_options {
    cli_common common;
    bool list;
} manual_options;

static const manual_options *options_of(const cli_call *call) {
    return call->options;
}

// Escapes what is markup in scdoc: _ and * anywhere, and a dash that begins a line.
static void print_escaped(cli_output *output, const char *text) {
    bool begins = true;
    for (; *text != '\0'; text++) {
        if (strchr("_*\\#", *text) != NULL || (begins && *text == '-')) {
            cli_print(output, "\\");
        }
        begins = *text == '\n';
        cli_print(output, "%c", *text);
    }
}

static void print_option(cli_output *output, const cli_option *option, const char *verbs) {
    if (option->letter != 0) {
        cli_print(output, "*-%c*, ", option->letter);
    }
    cli_print(output, "*--%s*", option->name);
    if (option->argument != NULL) {
        cli_print(output, " ");
        print_escaped(output, option->argument);
    }
    cli_print(output, "\n\t%s%s", verbs, verbs[0] == '\0' ? "" : ": ");
    print_escaped(output, option->help);
    cli_print(output, option->choices != NULL ? ":\n" : ".\n");
    for (const cli_choice *c = option->choices; c != NULL && c->word != NULL; c++) {
        cli_print(output, "\t- *%s*: ", c->word);
        print_escaped(output, c->meaning);
        cli_print(output, "\n");
    }
    cli_print(output, "\n");
}

static void print_status(cli_output *output) {
    cli_print(output, "# EXIT STATUS\n\n"
                      "*0*\n\tDone, nothing wrong.\n\n"
                      "*1*\n\tDone, and the answer is no, or problems were found.\n\n"
                      "*2*\n\tThe command line is wrong.\n\n"
                      "*3*\n\tAn input could not be read as a BSP, or an output could not be "
                      "written.\n\n");
}

static void print_description(cli_output *output, const cli_command *command) {
    if (command->description != NULL) {
        print_escaped(output, command->description);
        cli_print(output, "\n\n");
    }
    for (size_t i = 0; i < command->num_verbs; i++) {
        const cli_command *verb = &command->verbs[i];
        cli_print(output, "## bspkit %s ", verb->name);
        print_escaped(output, verb->operands);
        cli_print(output, "\n\n");
        print_escaped(output, verb->summary);
        cli_print(output, ".\n\n");
        print_description(output, verb);
    }
}

static void print_examples(cli_output *output, const cli_command *command) {
    for (size_t i = 0; i < CLI_EXAMPLES && command->num_verbs == 0; i++) {
        if (command->examples[i] != NULL) {
            cli_print(output, "\t");
            print_escaped(output, command->examples[i]);
            cli_print(output, "\n\n");
        }
    }
    for (size_t i = 0; i < command->num_verbs; i++) {
        print_examples(output, &command->verbs[i]);
    }
}

static void print_page(cli_output *output, const cli_command *command) {
    char piece[CLI_PIECE_ROOM];
    cli_print(output, "bspkit-%s(1)\n\n# NAME\n\nbspkit-%s - ", command->name, command->name);
    print_escaped(output, command->summary);
    cli_print(output, "\n\n# SYNOPSIS\n\n");
    for (size_t n = 0; cli_synopsis_piece(piece, command, n); n++) {
        cli_print(output, "%s", n != 0 && piece[0] != '\0' ? " " : "");
        print_escaped(output, piece);
    }
    cli_print(output, "\n\n");
    if (command->description != NULL || command->num_verbs != 0) {
        cli_print(output, "# DESCRIPTION\n\n");
        print_description(output, command);
    }
    cli_print(output, "# OPTIONS\n\n");
    cli_each_option(output, command, print_option);
    print_status(output);
    cli_print(output, "# EXAMPLES\n\n");
    print_examples(output, command);
    cli_print(output, "# SEE ALSO\n\n*bspkit*(1)\n");
}

static void print_group(cli_output *output, cli_group group) {
    cli_print(output, "## %s\n\n", cli_group_title(group));
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->group == group) {
            cli_print(output, "*%s*\n\t", (*c)->name);
            print_escaped(output, (*c)->summary);
            cli_print(output, ". See *bspkit-%s*(1).\n\n", (*c)->name);
        }
    }
}

static void print_main_page(cli_output *output) {
    cli_print(output, "bspkit(1)\n\n# NAME\n\nbspkit - opens any BSP map of the Quake and Source "
                      "families\n\n# SYNOPSIS\n\n*bspkit* COMMAND [options] FILE...\n\n"
                      "# DESCRIPTION\n\nFILE may be *-* for standard input. With several inputs, "
                      "one that cannot be read is reported and the others are still done. Colour "
                      "is used on a terminal only, and not when *NO\\_COLOR* is set.\n\n");
    print_escaped(output, cli_member_help);
    cli_print(output, "\n\n");
    print_escaped(output, cli_plain_help);
    cli_print(output, "\n\n");
    print_escaped(output, cli_sandbox_help);
    cli_print(output, "\n\n# COMMANDS\n\n");
    for (int group = 0; group < CLI_GROUP_HIDDEN; group++) {
        print_group(output, (cli_group)group);
    }
    cli_print(output, "# TOPICS\n\n");
    for (const cli_topic *topic = cli_topics(); topic->name != NULL; topic++) {
        cli_print(output, "*bspkit help %s*\n\t%s.\n\n", topic->name, topic->summary);
    }
    print_status(output);
}

static void print_list(cli_output *output) {
    cli_print(output, "bspkit\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->group != CLI_GROUP_HIDDEN) {
            cli_print(output, "bspkit-%s\n", (*c)->name);
        }
    }
}

static cli_status run(const cli_call *call) {
    static const char prefix[] = "bspkit-";
    const char *page = call->num_operands == 0 ? "bspkit" : call->operands[0];
    const cli_command *command = NULL;
    if (strncmp(page, prefix, sizeof prefix - 1) == 0) {
        command = cli_find_command(page + sizeof prefix - 1);
    }
    if (command == NULL && strcmp(page, "bspkit") != 0) {
        cli_message("manual", "there is no page '%s'", page);
        return CLI_USAGE;
    }
    cli_output output;
    (void)cli_output_open(&output, NULL);
    if (options_of(call)->list) {
        print_list(&output);
    } else if (command != NULL) {
        print_page(&output, command);
    } else {
        print_main_page(&output);
    }
    return cli_output_close(&output, CLI_DONE);
}

static const cli_option options[] = {
    {.name = "list", CLI_FLAG_TO(manual_options, list), .help = "Print the names of the pages"},
    CLI_OPTION_HELP,
};

const cli_command cli_command_manual = {
    .name = "manual",
    .group = CLI_GROUP_HIDDEN,
    .operands = "[PAGE]",
    .summary = "Print a man page as scdoc source",
    CLI_OPTIONS(options, manual_options),
    .max_operands = 1,
    .run = run,
};
