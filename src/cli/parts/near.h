// SPDX-License-Identifier: MIT
// "Did you mean": the word of a list that is nearest to a misspelt one.
#ifndef CLI_NEAR_H
#define CLI_NEAR_H

#include <stddef.h>

/// A search for the nearest of several words. Begin with {.word = the misspelt one}.
typedef struct cli_near {
    const char *word;
    const char *best; ///< NULL while none is near
    size_t distance;  ///< its
} cli_near;

/// Looks at one word of the list. It is near when at most one letter of three is wrong, missing,
/// too many or swapped with the next one. The case of letters does
/// not matter. Of several as near the first stays.
void cli_near_try(cli_near *near, const char *candidate);

/// Room for what cli_near_hint writes, its end included.
#define CLI_NEAR_ROOM 256u
/// ": did you mean 'info'?" if a word is near, else `otherwise`. `before` is put before the word.
const char *cli_near_hint(const cli_near *near, const char *before, const char *otherwise,
                          char out[CLI_NEAR_ROOM]);

#endif
