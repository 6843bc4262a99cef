// SPDX-License-Identifier: MIT
// "Did you mean": finds the word of a list that is nearest to a misspelt one.
#ifndef CLI_NEAR_H
#define CLI_NEAR_H

#include <stddef.h>

/// A search for the nearest of several words. Initialise with {.word = the misspelt one}.
typedef struct cli_near {
    const char *word;
    const char *best; ///< NULL while none is near
    size_t distance;  ///< of `best`
} cli_near;

/// Tries one word of the list. It is near when at most one letter in three is wrong, missing, extra
/// or swapped with the next one, ignoring case. Of several equally near words the first is kept.
void cli_near_try(cli_near *near, const char *candidate);

/// Room for the text of cli_near_hint, including the NUL.
#define CLI_NEAR_ROOM 256u
/// Returns ": did you mean 'info'?" if a word is near, else `otherwise`. `before` is put before the
/// word.
const char *cli_near_hint(const cli_near *near, const char *before, const char *otherwise,
                          char out[CLI_NEAR_ROOM]);

#endif
