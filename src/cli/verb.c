// SPDX-License-Identifier: MIT
// Finding the word in its table.
#include "cli/verb.h"

#include <string.h>

const cli_verb *cli_verb_of(const cli_call *call, const cli_verb *verbs, size_t count,
                            const char *all) {
    const char *command = call->command->name;
    for (size_t i = 0; i < count; i++) {
        const cli_verb *verb = &verbs[i];
        if (strcmp(verb->name, call->operands[0]) != 0) {
            continue;
        }
        if (verb->operands != 0 && call->num_operands != verb->operands + 1) {
            cli_message(NULL, "%s %s takes %d operands; see bspkit help %s", command, verb->name,
                        verb->operands, command);
            return NULL;
        }
        return verb;
    }
    cli_message(command, "there is no '%s': %s", call->operands[0], all);
    return NULL;
}
