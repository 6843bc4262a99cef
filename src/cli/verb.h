// SPDX-License-Identifier: MIT
// Commands whose first operand says what to do: lump extract, pak add.
#ifndef CLI_VERB_H
#define CLI_VERB_H

#include "cli/input.h"

typedef struct cli_verb {
    const char *name;
    cli_work work;
    int operands; ///< behind the word; 0: any number
    bool edits;   ///< the result is a changed map
} cli_verb;

/// The verb that a call names, its operand count checked. NULL after a message, for which `all`
/// lists the words.
const cli_verb *cli_verb_of(const cli_call *call, const cli_verb *verbs, size_t count,
                            const char *all);

#endif
