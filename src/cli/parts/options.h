// SPDX-License-Identifier: MIT
// A command is one static table, from which parsing, --help, the man page and the shell completions
// are made. The row of an option says where its value is stored: a member of the command's struct
// of options, whose type is checked when the row is compiled.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include "cli/parts/rows.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Exit statuses; of several inputs the highest is returned.
typedef enum cli_status {
    CLI_DONE = 0,     ///< done, nothing wrong
    CLI_PROBLEMS = 1, ///< done; the answer is "no", or problems were found
    CLI_USAGE = 2,    ///< the command line is wrong
    CLI_FAILED = 3,   ///< an input could not be read, or an output could not be written
} cli_status;

/// What an option takes, for the shells' completion and the parser's check.
typedef enum cli_value {
    CLI_FLAG,   ///< nothing
    CLI_TEXT,   ///< any text
    CLI_NUMBER, ///< an integer, 0 to UINT32_MAX
    CLI_REAL,   ///< a number from `least` to `most`
    CLI_CHOICE, ///< one of the words of a table
    CLI_FILE,   ///< the name of a file or folder that is read
    CLI_NAMES,  ///< as CLI_FILE; its content, or files below it, may name any other file that is
                ///< read
    CLI_TARGET, ///< the name of a file or folder that is written
    CLI_BRANCH, ///< the name of a branch
    CLI_GAME,   ///< the title of a game, or the beginning of a single one
    CLI_LIMIT,  ///< NAME=VALUE, "none" or "report"
} cli_value;

/// The type of the member where a value is stored.
typedef enum cli_store {
    CLI_STORE_FLAG,   ///< bool: true
    CLI_STORE_TEXT,   ///< const char *: the last value given
    CLI_STORE_NUMBER, ///< uint32_t: the last value given
    CLI_STORE_REAL,   ///< float: the last value given
    CLI_STORE_CHOICE, ///< int: `value` of the last choice given
    CLI_STORE_LIST,   ///< cli_list: all values; the option may be given several times
} cli_store;

/// A word that an option takes. A table of them ends in a NULL word.
typedef struct cli_choice {
    const char *word;
    int value;
    const char *meaning; ///< its description in help, without the final full stop
} cli_choice;

/// An option of a command.
typedef struct cli_option {
    const char *name; ///< long form, without dashes
    char letter;      ///< short form, or 0
    cli_value value;
    cli_store store;
    size_t place;         ///< offset of the member in the command's options
    const char *argument; ///< name of the value in help; NULL for a flag
    const char *help;     ///< one or two sentences without the final full stop
    const cli_choice *choices;
    double least; ///< lowest value of a CLI_REAL or CLI_NUMBER
    double most;  ///< highest value; 0: any number
    bool above;   ///< `least` itself is too low
    int what;     ///< for options that share a list: the number of this option in its items
} cli_option;

/// A value of an option that may be given several times.
typedef struct cli_item {
    const char *value; ///< NULL for a flag
    int what;          ///< that of the option
} cli_item;

/// Values in the order given.
typedef struct cli_list {
    const cli_item *items;
    size_t count;
} cli_list;

// Where the value of a row is stored: member `m` of the struct `t`. A member whose type cannot hold
// the value does not compile.
#define CLI_BIND(t, m, type, how)                                                                  \
    .place = offsetof(t, m), .store = _Generic(((t *)0)->m, type : (how), cli_list : CLI_STORE_LIST)
#define CLI_FLAG_TO(t, m) .value = CLI_FLAG, CLI_BIND(t, m, bool, CLI_STORE_FLAG)
#define CLI_TEXT_TO(t, m) .value = CLI_TEXT, CLI_BIND(t, m, const char *, CLI_STORE_TEXT)
#define CLI_NUMBER_TO(t, m) .value = CLI_NUMBER, CLI_BIND(t, m, uint32_t, CLI_STORE_NUMBER)
#define CLI_REAL_TO(t, m) .value = CLI_REAL, CLI_BIND(t, m, float, CLI_STORE_REAL)
#define CLI_FILE_TO(t, m) .value = CLI_FILE, CLI_BIND(t, m, const char *, CLI_STORE_TEXT)
#define CLI_NAMES_TO(t, m) .value = CLI_NAMES, CLI_BIND(t, m, const char *, CLI_STORE_TEXT)
#define CLI_TARGET_TO(t, m) .value = CLI_TARGET, CLI_BIND(t, m, const char *, CLI_STORE_TEXT)
#define CLI_GAME_TO(t, m) .value = CLI_GAME, CLI_BIND(t, m, const char *, CLI_STORE_TEXT)
#define CLI_BRANCH_TO(t, m) .value = CLI_BRANCH, CLI_BIND(t, m, const char *, CLI_STORE_TEXT)
#define CLI_LIMIT_TO(t, m) .value = CLI_LIMIT, CLI_BIND(t, m, cli_list *, CLI_STORE_LIST)
/// `table` is an array of cli_choice.
#define CLI_CHOICE_TO(t, m, table)                                                                 \
    .value = CLI_CHOICE, CLI_BIND(t, m, int, CLI_STORE_CHOICE), .choices = (table)

/// Values of the options that many commands share. The options of every command begin with them.
typedef struct cli_common {
    bool help;
    bool json; ///< also set by csv and tsv, which are made of it
    bool csv;
    bool tsv;
    bool strict;
    bool no_external;
    bool in_place;
    bool backup;
    bool no_backup;
    bool force;
    bool keep_checksum;
    bool recursive;
    bool no_props;
    bool no_details;
    bool details;
    bool merge;
    bool serve; ///< the command goes on, reads its maps again, and answers on the loopback
    uint32_t threads;
    uint32_t jobs;
    const char *files_from;
    const char *branch;
    const char *limits_of;
    const char *output;
    const char *part;
    cli_list limits;
    cli_list lmp;
    cli_list games;
    cli_list definitions;
    cli_list where;
    cli_list indices;
} cli_common;

// Options that many commands share.
#define CLI_OPTION_JSON                                                                            \
    {                                                                                              \
        .name = "json", CLI_FLAG_TO(cli_common, json),                                             \
        .help = "Print JSON, one value on one line for each input"                                 \
    }
/// Options of commands that have `rows`, after CLI_OPTION_JSON.
#define CLI_OPTIONS_ROWS                                                                           \
    {.name = "csv",                                                                                \
     CLI_FLAG_TO(cli_common, csv),                                                                 \
     .help = "Print a table: comma-separated values, with a line of titles (bspkit help "          \
             "tables)"},                                                                           \
    {                                                                                              \
        .name = "tsv", CLI_FLAG_TO(cli_common, tsv),                                               \
        .help = "Print the same table with tabs between the values"                                \
    }
/// Of commands that show textures.
#define CLI_OPTION_STRICT_TEXTURES                                                                 \
    {                                                                                              \
        .name = "strict", CLI_FLAG_TO(cli_common, strict),                                         \
        .help = "Exit with status 1 if a texture or a model is missing"                            \
    }
#define CLI_OPTION_BRANCH                                                                          \
    {                                                                                              \
        .name = "branch", CLI_BRANCH_TO(cli_common, branch), .argument = "NAME",                   \
        .help = "Read the file as a map of this branch instead of detecting the branch (bspkit "   \
                "help formats)"                                                                    \
    }
#define CLI_OPTION_NO_EXTERNAL                                                                     \
    {                                                                                              \
        .name = "no-external", CLI_FLAG_TO(cli_common, no_external),                               \
        .help = "Read the map alone, not the files beside it that hold lumps of Respawn's maps"    \
    }
#define CLI_OPTION_LIMITS                                                                          \
    {                                                                                              \
        .name = "limits-of", CLI_GAME_TO(cli_common, limits_of), .argument = "GAME",               \
        .help = "Use the limits of this game (a title of bspkit formats --games, or the "          \
                "beginning of a single one) instead of those of the detected game"                 \
    }
#define CLI_OPTION_LIMIT                                                                           \
    {                                                                                              \
        .name = "limit", CLI_LIMIT_TO(cli_common, limits), .argument = "NAME=VALUE",               \
        .help = "Set a limit of memory, work, output or files; none lifts all (bspkit help "       \
                "limits)"                                                                          \
    }
#define CLI_OPTION_THREADS                                                                         \
    {                                                                                              \
        .name = "threads", CLI_NUMBER_TO(cli_common, threads), .argument = "N",                    \
        .help = "Use at most so many threads (default: one per processor); the result is the "     \
                "same at any number"                                                               \
    }
#define CLI_OPTION_FILES_FROM                                                                      \
    {                                                                                              \
        .name = "files-from", CLI_NAMES_TO(cli_common, files_from), .argument = "FILE",            \
        .help = "Read also the maps that are named in FILE (- is standard input), one a line"      \
    }
#define CLI_RECURSIVE                                                                              \
    .name = "recursive", CLI_FLAG_TO(cli_common, recursive),                                       \
    .help = "Of a folder take the maps in the folders below it too"
/// Options of commands that read any number of maps.
#define CLI_OPTIONS_MANY                                                                           \
    CLI_OPTION_FILES_FROM, {                                                                       \
        CLI_RECURSIVE, .letter = 'r'                                                               \
    }
#define CLI_OPTION_JOBS                                                                            \
    {                                                                                              \
        .name = "jobs", .letter = 'j', CLI_NUMBER_TO(cli_common, jobs), .argument = "N",           \
        .help = "Read so many maps at once (default: one per processor); the output is the same "  \
                "at any number"                                                                    \
    }
/// Options of every command that opens maps.
#define CLI_OPTIONS_OPEN                                                                           \
    CLI_OPTION_BRANCH, CLI_OPTION_NO_EXTERNAL, CLI_OPTION_LIMIT, CLI_OPTION_THREADS
#define CLI_OPTION_OUTPUT                                                                          \
    {                                                                                              \
        .name = "output", .letter = 'o', CLI_TARGET_TO(cli_common, output), .argument = "FILE",    \
        .help = "Write there; - is standard output"                                                \
    }
#define CLI_OPTION_HELP                                                                            \
    { .name = "help", .letter = 'h', CLI_FLAG_TO(cli_common, help), .help = "Print this help" }

#define CLI_ANY INT_MAX
#define CLI_EXAMPLES 2

struct cli_call;

/// The purpose of a command, by which help groups the commands.
typedef enum cli_group {
    CLI_GROUP_LOOK,
    CLI_GROUP_ASK,
    CLI_GROUP_CHECK,
    CLI_GROUP_EXTRACT,
    CLI_GROUP_SOURCE,
    CLI_GROUP_CHANGE,
    CLI_GROUP_ABOUT,
    CLI_GROUP_HIDDEN, ///< for the build, not shown
    CLI_GROUP_COUNT,
} cli_group;

/// A command, or a verb of one.
typedef struct cli_command {
    const char *name; ///< of a verb: command and verb, separated by a blank ("pak list")
    cli_group group;
    const char *operands;               ///< as in the synopsis: "FILE..."
    const char *summary;                ///< one line without a full stop
    const char *description;            ///< paragraphs, separated by an empty line; NULL for none
    const char *examples[CLI_EXAMPLES]; ///< two command lines
    const cli_option *options;
    size_t num_options;
    size_t options_size;             ///< of the struct that the options fill
    const void *defaults;            ///< the struct without options; NULL: all zero
    const struct cli_command *verbs; ///< with verbs, their operands, options and run are used
    size_t num_verbs;
    int min_operands;
    int max_operands;  ///< CLI_ANY: any number
    bool reads_maps;   ///< its operands are map files (for the shells)
    const char *reads; ///< a letter per operand, the last for all others: f for a file that is
                       ///< read, l for a lump of it, p for a file embedded in it, b for a branch,
                       ///< t for a file that is written; else -; NULL: all are files that are
                       ///< read, if the command reads maps
    const cli_row_form *rows; ///< the table of --csv and --tsv; NULL: none
    bool takes_numbers;       ///< operands such as -5 are numbers, not options
    bool whole_folders;       ///< a folder stands for the maps in the folders below it, too
    /// What must be done before the process gives up its rights (cli_confine). CLI_DONE, or another
    /// status after a message. NULL: nothing.
    cli_status (*begin)(const struct cli_call *call);
    cli_status (*run)(const struct cli_call *call);
} cli_command;

/// The options of a command, whose values are stored in the struct `type`, which begins with a
/// cli_common.
#define CLI_OPTIONS(table, type)                                                                   \
    .options = (table), .num_options = sizeof(table) / sizeof *(table),                            \
    .options_size = sizeof(type) + 0 * sizeof(char[offsetof(type, common) == 0 ? 1 : -1])
/// The options of a command that has only shared ones.
#define CLI_COMMON_OPTIONS(table)                                                                  \
    .options = (table), .num_options = sizeof(table) / sizeof *(table),                            \
    .options_size = sizeof(cli_common)
#define CLI_VERBS(table) .verbs = (table), .num_verbs = sizeof(table) / sizeof *(table)

/// An option as given.
typedef struct cli_given {
    const cli_option *option;
    const char *value; ///< NULL for a flag
} cli_given;

/// A parsed command line.
typedef struct cli_call {
    const cli_command *command; ///< the verb, for a command that has verbs
    const void *options;        ///< the command's struct of options
    const cli_common *common;   ///< its first member
    cli_given *given;           ///< in the order given
    size_t num_given;
    char *const *operands;
    int num_operands;
    char **names;     ///< of cli_names_expand; then the operands are these
    size_t num_names; ///< of `names`
    void *room[3];    ///< memory that is freed with the call
} cli_call;

/// Sets the list of commands (NULL ends it) for help, completion and manual.
void cli_set_commands(const cli_command *const *list);
/// Returns all commands, the hidden ones last; ends in NULL.
const cli_command *const *cli_commands(void);
/// Returns the command of that name, or NULL.
const cli_command *cli_find_command(const char *name);
struct cli_near;
/// Tries the names of all visible commands.
void cli_near_commands(struct cli_near *near);
/// Returns the verb of that name ("list") of a command, or NULL.
const cli_command *cli_find_verb(const cli_command *command, const char *word);
/// Returns the word of a verb: what follows the blank in its name.
const char *cli_verb_word(const cli_command *verb);

/// Returns the letter of operand `i` (cli_command.reads). Without letters, a command that reads
/// maps reads all its operands: f; another one has -.
char cli_operand_letter(const cli_command *command, int i);
/// Returns true if operand `i` is a file that is read.
bool cli_operand_is_read(const cli_command *command, int i);

/// Returns how the command prints a table.
cli_rows_kind cli_rows_wanted(const cli_call *call);

/// Parses what follows the command's name (argv[0] is that name; the order of argv is changed),
/// including the verb of a command that has verbs: call->command is then the verb, or the command
/// where only its help is requested. CLI_USAGE after a message when the line is wrong, CLI_FAILED
/// without memory. Free with cli_call_free.
cli_status cli_parse(const cli_command *command, int argc, char **argv, cli_call *call);
void cli_call_free(cli_call *call);

#endif
