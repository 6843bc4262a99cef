// SPDX-License-Identifier: MIT
// Completions of shells, printed from the tables of commands: one source for each shell, and the
// words that all of them have.
#ifndef CLI_COMPLETION_H
#define CLI_COMPLETION_H

#include "cli/parts/commands.h"
#include "cli/parts/output.h"

/// Prints the completions for a shell.
void cli_complete_bash(cli_output *output); // completion_bash.c
void cli_complete_zsh(cli_output *output);  // completion_zsh.c
void cli_complete_fish(cli_output *output); // completion_fish.c

/// Returns true if the command is offered.
bool cli_complete_shows(const cli_command *command);
/// Print names with blanks between them: of all branches; of choices; of the verbs of a command; of
/// the commands that are offered, and with `topics` those of help.
void cli_complete_branches(cli_output *output);
void cli_complete_choices(cli_output *output, const cli_choice *choices);
void cli_complete_verbs(cli_output *output, const cli_command *command);
void cli_complete_words(cli_output *output, bool topics);
/// Calls `print` with each command, and with each verb after its command.
void cli_complete_each(cli_output *output,
                       void (*print)(cli_output *output, const cli_command *command));
/// Returns the verb of bspkit completion that prints the names which the second operand of this
/// command can be, for the map of the first operand. NULL: none.
const char *cli_complete_parts(const cli_command *command);
/// Returns true if the command's operand is a branch.
bool cli_complete_names_branch(const cli_command *command);
/// Prints text in single quotes of a shell, with a backslash before each character of `escape`.
void cli_complete_quoted(cli_output *output, const char *text, const char *escape);

#endif
