// SPDX-License-Identifier: MIT
// bspkit help: all commands, one command, or a topic, printed from the tables that the program
// uses.
#include "cli/parts/help.h"

#include "cli/parts/commands.h"
#include "cli/parts/near.h"

#include <stdio.h>
#include <string.h>

#define OPTION_COLUMN 26 // where the text of an option begins
#define HELP_ROOM 1024   // for the text of an option
#define VERBS_ROOM 512   // for the names of all verbs

typedef struct help_options {
    cli_common common;
    bool markdown;
} help_options;

static const help_options *options_of(const cli_call *call) {
    return call->options;
}

const char cli_sandbox_help[] =
    "Where the kernel can (Linux: Landlock, seccomp) a command gives up all rights that it does "
    "not need before it opens a map: it reads what its command line names and what stands beside "
    "it, writes in the folders that it names for output, and opens no connections. With "
    "--no-sandbox before the command, or BSPKIT_NO_SANDBOX set, it keeps them. Try that where a "
    "file that links lead to is refused with \"Permission denied\".";

const char cli_member_help[] =
    "Where FILE is a map, ARCHIVE:NAME is one in an archive (PAK, zip as .pk3, VPK, GMA, GCF), as "
    "pak0.pak:maps/e1m1.bsp; ARCHIVE/NAME is the same. Maps that gzip or bzip2 packed are read "
    "too.";

const char cli_plain_help[] =
    "bspkit COMMAND --help (-h) prints what bspkit help COMMAND does. bspkit --version (-V, -v) "
    "prints the version.";

static void append(char *out, size_t size, const char *text) {
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s", text);
}

// Writes an option as the synopsis has it; nothing of --help.
static void format_option(char out[CLI_PIECE_ROOM], const cli_option *option) {
    char letter[3] = {'-', option->letter, '\0'};
    out[0] = '\0';
    if (option->place != offsetof(cli_common, help)) {
        snprintf(out, CLI_PIECE_ROOM, "[%s%s%s%s]%s", option->letter != 0 ? letter : "--",
                 option->letter != 0 ? "" : option->name, option->argument != NULL ? " " : "",
                 option->argument != NULL ? option->argument : "",
                 option->store == CLI_STORE_LIST ? "..." : "");
    }
}

bool cli_synopsis_piece(char out[CLI_PIECE_ROOM], const cli_command *command, size_t n) {
    if (n == 0) {
        snprintf(out, CLI_PIECE_ROOM, "bspkit %s", command->name);
    } else if (n <= command->num_options) {
        format_option(out, &command->options[n - 1]);
    } else {
        snprintf(out, CLI_PIECE_ROOM, "%s",
                 command->num_verbs != 0     ? "VERB [options] ..."
                 : command->operands != NULL ? command->operands
                                             : "");
    }
    return n <= command->num_options + 1;
}

const char *cli_group_title(cli_group group) {
    static const char *const titles[CLI_GROUP_COUNT] = {
        [CLI_GROUP_LOOK] = "Look at a map",          [CLI_GROUP_ASK] = "Ask about its space",
        [CLI_GROUP_CHECK] = "Check and compare",     [CLI_GROUP_EXTRACT] = "Extract what is in it",
        [CLI_GROUP_SOURCE] = "Give back its source", [CLI_GROUP_CHANGE] = "Change it",
        [CLI_GROUP_ABOUT] = "About bspkit",
    };
    return titles[group];
}

// --- options ------------------------------------------------------------------------------------

// Returns the option with the same name and help, or NULL.
static const cli_option *find_same(const cli_command *verb, const cli_option *option) {
    for (size_t i = 0; i < verb->num_options; i++) {
        const cli_option *other = &verb->options[i];
        if (strcmp(other->name, option->name) == 0 && strcmp(other->help, option->help) == 0) {
            return other;
        }
    }
    return NULL;
}

// Names the verbs that have the option. Returns false if one before verb `first` has it, since it
// was printed then.
static bool name_verbs(const cli_command *command, const cli_option *option, size_t first,
                       char out[VERBS_ROOM]) {
    size_t count = 0;
    out[0] = '\0';
    for (size_t i = 0; i < command->num_verbs; i++) {
        if (find_same(&command->verbs[i], option) == NULL) {
            continue;
        }
        if (i < first) {
            return false;
        }
        append(out, VERBS_ROOM, count++ == 0 ? "" : ", ");
        append(out, VERBS_ROOM, cli_verb_word(&command->verbs[i]));
    }
    if (count == command->num_verbs) {
        out[0] = '\0';
    }
    return true;
}

void cli_each_option(cli_output *output, const cli_command *command, cli_option_printer print) {
    char verbs[VERBS_ROOM];
    for (size_t i = 0; i < command->num_options; i++) {
        print(output, &command->options[i], "");
    }
    // Options that all verbs have are last.
    for (int all = 0; all < 2; all++) {
        for (size_t v = 0; v < command->num_verbs; v++) {
            const cli_command *verb = &command->verbs[v];
            for (size_t i = 0; i < verb->num_options; i++) {
                if (name_verbs(command, &verb->options[i], v, verbs) &&
                    (verbs[0] == '\0') == (all == 1)) {
                    print(output, &verb->options[i], verbs);
                }
            }
        }
    }
}

static void print_choices(cli_output *output, const cli_choice *choices) {
    size_t width = 0;
    for (const cli_choice *c = choices; c->word != NULL; c++) {
        width = strlen(c->word) > width ? strlen(c->word) : width;
    }
    for (const cli_choice *c = choices; c->word != NULL; c++) {
        cli_print(output, "%*s%-*s  ", OPTION_COLUMN, "", (int)width, c->word);
        cli_print_hanging(output, OPTION_COLUMN + (unsigned)width + 2, c->meaning);
    }
}

static void print_option(cli_output *output, const cli_option *option, const char *verbs) {
    char left[96];
    char text[HELP_ROOM];
    char letter[5] = {'-', option->letter, ',', ' ', '\0'};
    int size = snprintf(left, sizeof left, "  %s--%s%s%s", option->letter != 0 ? letter : "    ",
                        option->name, option->argument != NULL ? " " : "",
                        option->argument != NULL ? option->argument : "");
    snprintf(text, sizeof text, "%s%s%s%s", verbs, verbs[0] == '\0' ? "" : ": ", option->help,
             option->choices != NULL ? ":" : "");
    cli_print(output, "%s", left);
    if (size > OPTION_COLUMN - 2) {
        cli_print(output, "\n");
        cli_print_wrapped(output, OPTION_COLUMN, text);
    } else {
        cli_print(output, "%*s", OPTION_COLUMN - size, "");
        cli_print_hanging(output, OPTION_COLUMN, text);
    }
    if (option->choices != NULL) {
        print_choices(output, option->choices);
    }
}

// --- a command ----------------------------------------------------------------------------------

// A topic with the name of a command follows the help of the command.
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

// Lines end between the pieces, so that an option and its argument stay together.
static void print_synopsis(cli_output *output, const cli_command *command) {
    char piece[CLI_PIECE_ROOM];
    size_t indent = strlen("bspkit ") + strlen(command->name) + 1;
    size_t column = 0;
    for (size_t n = 0; cli_synopsis_piece(piece, command, n); n++) {
        size_t size = strlen(piece);
        if (column != 0 && column + 1 + size > CLI_TEXT_WIDTH) {
            cli_print(output, "\n%*s%s", (int)indent, "", piece);
            column = indent + size;
        } else if (size != 0) {
            cli_print(output, "%s%s", column == 0 ? "" : " ", piece);
            column += size + (column != 0);
        }
    }
    cli_print(output, "\n");
}

static void print_verbs(cli_output *output, const cli_command *command) {
    cli_print(output, "\nVerbs:\n");
    for (size_t i = 0; i < command->num_verbs; i++) {
        const cli_command *verb = &command->verbs[i];
        cli_print(output, "  ");
        cli_print_styled(output, CLI_STRONG, verb->name);
        cli_print(output, " %s\n", verb->operands);
        cli_print_wrapped(output, 6, verb->summary);
    }
    cli_print(output, "\nbspkit help %s tells more about one.\n", command->verbs[0].name);
}

static void print_examples(cli_output *output, const cli_command *command) {
    for (size_t i = 0; i < CLI_EXAMPLES; i++) {
        if (command->examples[i] != NULL) {
            cli_print(output, "%s  %s\n", i == 0 ? "\nExamples:\n" : "", command->examples[i]);
        }
    }
}

static void print_command_help(cli_output *output, const cli_command *command) {
    char summary[HELP_ROOM];
    print_synopsis(output, command);
    cli_print(output, "\n");
    snprintf(summary, sizeof summary, "%s.", command->summary);
    cli_print_wrapped(output, 0, summary);
    if (command->num_verbs != 0) {
        print_verbs(output, command);
    }
    if (command->description != NULL) {
        cli_print(output, "\n");
        cli_print_wrapped(output, 0, command->description);
    }
    cli_print(output, "\nOptions:\n");
    cli_each_option(output, command, print_option);
    print_examples(output, command);
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

// --- all commands -------------------------------------------------------------------------------

static void print_row(cli_output *output, const char *name, const char *summary) {
    cli_print(output, "  ");
    cli_print_styled(output, CLI_STRONG, name);
    cli_print(output, "%*s%s\n", (int)(12 - strlen(name)), "", summary);
}

static void print_group(cli_output *output, cli_group group) {
    cli_print(output, "\n%s:\n", cli_group_title(group));
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->group == group) {
            print_row(output, (*c)->name, (*c)->summary);
        }
    }
}

// Prints the commands that take any number of maps.
static void print_many(cli_output *output) {
    char names[HELP_ROOM] = "";
    for (const cli_command *const *c = cli_commands(); *c != NULL; c++) {
        if ((*c)->reads_maps && (*c)->max_operands == CLI_ANY && (*c)->reads == NULL) {
            append(names, sizeof names, names[0] == '\0' ? "" : ", ");
            append(names, sizeof names, (*c)->name);
        }
    }
    append(names, sizeof names,
           " take any number of them: files, folders (-r with all below them), archives, maps in "
           "archives (pak0.pak:maps/e1m1.bsp), and with --files-from those of a list");
    cli_print(output, "\nWork with many maps:\n");
    cli_print_wrapped(output, 2, names);
}

static void print_overview(cli_output *output) {
    cli_print(output, "bspkit opens any BSP map of the Quake and Source families.\n\n"
                      "usage: bspkit COMMAND [options] FILE...   (- is standard input)\n");
    for (int group = 0; group < CLI_GROUP_HIDDEN; group++) {
        if (group == CLI_GROUP_ABOUT) {
            print_many(output);
        }
        print_group(output, (cli_group)group);
    }
    cli_print(output, "\nTopics of bspkit help:\n");
    for (const cli_topic *topic = cli_topics(); topic->name != NULL; topic++) {
        print_row(output, topic->name, topic->summary);
    }
    cli_print(output, "\n");
    cli_print_wrapped(output, 0, cli_member_help);
    cli_print(output, "\n");
    cli_print_wrapped(output, 0, cli_plain_help);
    cli_print(output, "\n");
    cli_print_wrapped(output, 0, cli_sandbox_help);
    cli_print(output, "\n");
    cli_print_wrapped(output, 0,
                      "Exit status: 0 done; 1 done, and problems were found; 2 the command line is "
                      "wrong; 3 an input could not be read, or an output not be written.");
}

static cli_status no_such_help(const cli_call *call, const cli_command *command) {
    char hint[CLI_NEAR_ROOM];
    if (command != NULL) {
        cli_near near = {.word = call->operands[1]};
        for (size_t i = 0; i < command->num_verbs; i++) {
            cli_near_try(&near, cli_verb_word(&command->verbs[i]));
        }
        cli_message("help", "%s has no verb '%s'%s", command->name, near.word,
                    cli_near_hint(&near, "", "", hint));
        return CLI_USAGE;
    }
    if (call->num_operands > 1 && is_topic(call->operands[0])) {
        cli_message("help", "'%s' is a topic of one page, without '%s'", call->operands[0],
                    call->operands[1]);
        return CLI_USAGE;
    }
    cli_near near = {.word = call->operands[0]};
    cli_near_commands(&near);
    for (const cli_topic *topic = cli_topics(); topic->name != NULL; topic++) {
        cli_near_try(&near, topic->name);
    }
    cli_message("help", "there is no command or topic '%s'%s", near.word,
                cli_near_hint(&near, "", "", hint));
    return CLI_USAGE;
}

static cli_status run(const cli_call *call) {
    cli_output output;
    if (call->num_operands == 0) {
        (void)cli_output_open(&output, NULL);
        print_overview(&output);
        return cli_output_close(&output, CLI_DONE);
    }
    const char *name = call->operands[0];
    bool markdown = options_of(call)->markdown;
    const cli_command *command = cli_find_command(name);
    if (call->num_operands > 1) {
        const cli_command *verb =
            command == NULL ? NULL : cli_find_verb(command, call->operands[1]);
        return verb == NULL ? no_such_help(call, command) : cli_print_help(verb);
    }
    if (command != NULL && !(markdown && is_topic(name))) {
        return cli_print_help(command);
    }
    if (!is_topic(name)) {
        return no_such_help(call, NULL);
    }
    (void)cli_output_open(&output, NULL);
    (void)print_topic(&output, name, markdown);
    return cli_output_close(&output, CLI_DONE);
}

static const cli_option options[] = {
    {.name = "markdown",
     CLI_FLAG_TO(help_options, markdown),
     .help = "Print a topic as a page of the documentation"},
    CLI_OPTION_HELP,
};

const cli_command cli_command_help = {
    .name = "help",
    .group = CLI_GROUP_ABOUT,
    .operands = "[COMMAND [VERB] | TOPIC]",
    .summary = "Explain a command, or list problems or formats",
    .description = "Without an operand, lists the commands and topics.",
    .examples = {"bspkit help issues", "bspkit help query trace"},
    CLI_OPTIONS(options, help_options),
    .max_operands = 2,
    .run = run,
};
