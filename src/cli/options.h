// SPDX-License-Identifier: MIT
// What a command is: one static table, from which parsing, --help, the man page and the shell
// completions all come.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Exit statuses; of several inputs the highest counts.
typedef enum cli_status {
    CLI_DONE = 0,     ///< done, nothing wrong
    CLI_PROBLEMS = 1, ///< done, and the answer is "no" or problems were found
    CLI_USAGE = 2,    ///< the command line is wrong
    CLI_FAILED = 3,   ///< an input could not be read, or an output could not be written
} cli_status;

/// What an option takes. The shells complete by it, the parser checks by it.
typedef enum cli_value {
    CLI_FLAG,   ///< nothing
    CLI_TEXT,   ///< any text
    CLI_NUMBER, ///< an integer, 0 to UINT32_MAX
    CLI_FILE,   ///< the name of a file or folder that is read
    CLI_TARGET, ///< the name of a file or folder that is written
    CLI_BRANCH, ///< the name of a branch
    CLI_LIMIT,  ///< NAME=VALUE, "none" or "report"
} cli_value;

/// An option of a command.
typedef struct cli_option {
    const char *name; ///< long form, without dashes
    char letter;      ///< short form, or 0
    cli_value value;
    bool repeatable;
    const char *argument; ///< what help calls the value; NULL for a flag
    const char *help;     ///< a sentence or two without the final full stop
} cli_option;

// Options that many commands share.
#define CLI_OPTION_JSON                                                                            \
    { "json", 0, CLI_FLAG, false, NULL, "Print JSON, one value on one line for each input" }
#define CLI_OPTION_BRANCH                                                                          \
    {                                                                                              \
        "branch", 0, CLI_BRANCH, false, "NAME",                                                    \
            "Take the file for a map of this branch instead of finding out (bspkit help formats)"  \
    }
#define CLI_OPTION_NO_EXTERNAL                                                                     \
    {                                                                                              \
        "no-external", 0, CLI_FLAG, false, NULL,                                                   \
            "Read the map alone, not the files beside it that hold lumps of Respawn's maps"        \
    }
#define CLI_OPTION_LIMITS                                                                          \
    {                                                                                              \
        "limits-of", 0, CLI_TEXT, false, "GAME",                                                   \
            "Count with the limits of this game (a title of bspkit formats --games, or how only "  \
            "it begins), not with those of the game that the entity classes tell"                  \
    }
#define CLI_OPTION_LIMIT                                                                           \
    {                                                                                              \
        "limit", 0, CLI_LIMIT, true, "NAME=VALUE",                                                 \
            "Set a limit of memory, work, output or files; none lifts all (bspkit help limits)"    \
    }
/// Options of every command that opens maps.
#define CLI_OPTIONS_OPEN CLI_OPTION_BRANCH, CLI_OPTION_NO_EXTERNAL, CLI_OPTION_LIMIT
#define CLI_OPTION_OUTPUT                                                                          \
    { "output", 'o', CLI_TARGET, false, "FILE", "Write there; - is standard output" }
#define CLI_OPTION_HELP                                                                            \
    { "help", 'h', CLI_FLAG, false, NULL, "Print this help" }

#define CLI_ANY INT_MAX

struct cli_call;

/// A command.
typedef struct cli_command {
    const char *name;
    const char *operands;    ///< as the synopsis shows them: "FILE..."
    const char *summary;     ///< one line without a full stop
    const char *description; ///< paragraphs, separated by an empty line; NULL for none
    const char *example;     ///< a command line; NULL for none
    const cli_option *options;
    size_t num_options;
    int min_operands;
    int max_operands;   ///< CLI_ANY: any number
    bool reads_maps;    ///< its operands are map files (for the shells)
    const char *reads;  ///< a letter an operand, the last for all others: f if it is a file that is
                        ///< read, else -; NULL: all are where the command reads maps
    bool hidden;        ///< for the build, not for people
    bool takes_numbers; ///< operands such as -5 are numbers and no options
    cli_status (*run)(const struct cli_call *call);
} cli_command;

#define CLI_OPTIONS(table) .options = (table), .num_options = sizeof(table) / sizeof *(table)

/// An option as it was given.
typedef struct cli_given {
    const cli_option *option;
    const char *value; ///< NULL for a flag
} cli_given;

/// A parsed command line.
typedef struct cli_call {
    const cli_command *command;
    cli_given *given; ///< in the order given
    size_t num_given;
    char *const *operands;
    int num_operands;
    char *numbers; ///< copies of negative operands
} cli_call;

/// All commands, the hidden ones last; ends in NULL.
const cli_command *const *cli_commands(void);
/// The command of that name, or NULL.
const cli_command *cli_find_command(const char *name);

/// Parses what follows the command's name (argv[0] is that name; its order is changed). CLI_USAGE
/// after a message when it is wrong, CLI_FAILED without memory; *help is set when help is asked
/// for. Free with cli_call_free.
cli_status cli_parse(const cli_command *command, int argc, char **argv, cli_call *call, bool *help);
void cli_call_free(cli_call *call);

/// True if the option was given. The command's table must hold it.
bool cli_flag(const cli_call *call, const char *name);
/// The last value given, or NULL.
const char *cli_text(const cli_call *call, const char *name);
/// The last number given, or `otherwise`.
uint32_t cli_number(const cli_call *call, const char *name, uint32_t otherwise);

#endif
