// SPDX-License-Identifier: MIT
// bspkit help: the commands, a command, or a topic. All of it is printed from the tables that the
// program itself runs on.
#include "cli/help.h"

#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#define OPTION_COLUMN 26 // where the text on an option begins

const char cli_sandbox_help[] =
    "Where the kernel can (Linux: Landlock, seccomp) a command gives up all rights that it does "
    "not "
    "need before it opens a map: it reads what its command line names and what stands beside it, "
    "writes in the folders that it names for output, and opens no connections. With --no-sandbox "
    "before the command, or BSPKIT_NO_SANDBOX set, it keeps them. Try that where a file that links "
    "lead to is refused with \"Permission denied\".";

static void append(char *out, size_t size, const char *text) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s", text);
}

void cli_format_synopsis(char out[CLI_SYNOPSIS_TEXT], const cli_command *command) {
    snprintf(out, CLI_SYNOPSIS_TEXT, "bspkit %s", command->name);
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        if (strcmp(option->name, "help") == 0) {
            continue;
        }
        char one[128];
        char letter[3] = {'-', option->letter, '\0'};
        snprintf(one, sizeof one, " [%s%s%s%s]%s", option->letter != 0 ? letter : "--",
                 option->letter != 0 ? "" : option->name, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "", option->repeatable ? "..." : "");
        append(out, CLI_SYNOPSIS_TEXT, one);
    }
    append(out, CLI_SYNOPSIS_TEXT, command->operands[0] == '\0' ? "" : " ");
    append(out, CLI_SYNOPSIS_TEXT, command->operands);
}

static void print_option(cli_output *output, const cli_option *option) {
    char left[96];
    char letter[5] = {'-', option->letter, ',', ' ', '\0'};
    int size = snprintf(left, sizeof left, "  %s--%s%s%s", option->letter != 0 ? letter : "    ",
                        option->name, option->argument != NULL ? " " : "",
                        option->argument != NULL ? option->argument : "");
    cli_print(output, "%s", left);
    if (size > OPTION_COLUMN - 2) {
        cli_print(output, "\n");
        cli_print_wrapped(output, OPTION_COLUMN, option->help);
        return;
    }
    cli_print(output, "%*s", OPTION_COLUMN - size, "");
    cli_print_hanging(output, OPTION_COLUMN, option->help);
}

// A topic that is a command, too, follows the help on it.
static bool is_topic(const char *name) {
    const cli_topic *topic = cli_topics();
    while (topic->name != NULL && strcmp(topic->name, name) != 0) {
        topic++;
    }
    return topic->name != NULL;
}

static bool print_topic(cli_output *output, const char *name, bool markdown) {
    for (const cli_topic *topic = cli_topics(); topic->name != NULL; topic++) {
        if (strcmp(topic->name, name) == 0) {
            if (markdown) {
                topic->markdown(output);
            } else {
                topic->print(output);
            }
            return true;
        }
    }
    return false;
}

static void print_command_help(cli_output *output, const cli_command *command) {
    char synopsis[CLI_SYNOPSIS_TEXT];
    cli_format_synopsis(synopsis, command);
    cli_print_wrapped(output, 0, synopsis);
    cli_print(output, "\n%s.\n", command->summary);
    if (command->description != NULL) {
        cli_print(output, "\n");
        cli_print_wrapped(output, 0, command->description);
    }
    cli_print(output, "\nOptions:\n");
    for (size_t i = 0; i < command->num_options; i++) {
        print_option(output, &command->options[i]);
    }
    if (command->example != NULL) {
        cli_print(output, "\nExample:\n  %s\n", command->example);
    }
    if (is_topic(command->name)) {
        cli_print(output, "\n");
        (void)print_topic(output, command->name, false);
    }
}

cli_status cli_print_help(const cli_command *command) {
    cli_output output;
    (void)cli_output_open(&output, NULL);
    print_command_help(&output, command);
    return cli_output_close(&output, CLI_DONE);
}

static void print_overview(cli_output *output) {
    cli_print(output, "bspkit opens any BSP map of the Quake and Source families.\n\n"
                      "usage: bspkit COMMAND [options] FILE...   (- is standard input)\n\n"
                      "Commands:\n");
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if (!(*c)->hidden) {
            cli_print(output, "  ");
            cli_print_styled(output, CLI_STRONG, (*c)->name);
            cli_print(output, "%*s%s\n", (int)(12 - strlen((*c)->name)), "", (*c)->summary);
        }
    }
    cli_print(output, "\nbspkit help COMMAND tells more about one. Topics of bspkit help:\n");
    for (const cli_topic *topic = cli_topics(); topic->name != NULL; topic++) {
        cli_print(output, "  ");
        cli_print_styled(output, CLI_STRONG, topic->name);
        cli_print(output, "%*s%s\n", (int)(12 - strlen(topic->name)), "", topic->summary);
    }
    cli_print(output, "\n");
    cli_print_wrapped(output, 0, cli_sandbox_help);
    cli_print(output,
              "\nExit status: 0 done; 1 done, and problems were found; 2 the command line is "
              "wrong;\n3 an input could not be read, or an output not be written.\n");
}

static cli_status run(const cli_call *call) {
    cli_output output;
    (void)cli_output_open(&output, NULL);
    if (call->num_operands == 0) {
        print_overview(&output);
        return cli_output_close(&output, CLI_DONE);
    }
    const char *name = call->operands[0];
    bool markdown = cli_flag(call, "markdown");
    const cli_command *command = cli_find_command(name);
    if (command != NULL && !(markdown && is_topic(name))) {
        print_command_help(&output, command);
    } else if (!print_topic(&output, name, markdown)) {
        cli_message("help", "there is no command or topic '%s'", name);
        return CLI_USAGE;
    }
    return cli_output_close(&output, CLI_DONE);
}

static const cli_option options[] = {
    {"markdown", 0, CLI_FLAG, false, NULL, "Print a topic as a page of the documentation"},
    CLI_OPTION_HELP,
};

const cli_command cli_command_help = {
    .name = "help",
    .operands = "[COMMAND | TOPIC]",
    .summary = "Explain a command, or list problems or formats",
    .description = "Without an operand, lists the commands and topics.",
    .example = "bspkit help issues",
    CLI_OPTIONS(options),
    .max_operands = 1,
    .run = run,
};
