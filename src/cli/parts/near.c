// SPDX-License-Identifier: MIT
// The optimal string alignment distance (Damerau, Levenshtein), in three rows of its table.
#include "cli/parts/near.h"

#include "cli/parts/lower.h"

#include <stdbool.h>

#include <stdio.h>
#include <string.h>

#define LONGEST 40u // letters: the longest word of the tables

static bool same(char a, char b) {
    return cli_lower(a) == cli_lower(b);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

// Returns how many letters to change, add, remove or swap to turn `a` into `b`. Both are at most
// LONGEST long.
static size_t distance(const char *a, const char *b) {
    size_t rows[3][LONGEST + 1];
    size_t *before = rows[0];
    size_t *last = rows[1];
    size_t *row = rows[2];
    size_t width = strlen(b);
    for (size_t j = 0; j <= width; j++) {
        before[j] = 0;
        last[j] = j;
    }
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        row[0] = i;
        for (size_t j = 1; j <= width; j++) {
            row[j] = least(least(last[j], row[j - 1]) + 1,
                           last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1));
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1])) {
                row[j] = least(row[j], before[j - 2] + 1);
            }
        }
        size_t *oldest = before;
        before = last;
        last = row;
        row = oldest;
    }
    return last[width];
}

void cli_near_try(cli_near *near, const char *candidate) {
    size_t size = strlen(near->word);
    size_t other = strlen(candidate);
    size_t longer = size > other ? size : other;
    if (size == 0 || longer > LONGEST) {
        return;
    }
    size_t steps = distance(near->word, candidate);
    if (steps * 3 <= longer && (near->best == NULL || steps < near->distance)) {
        near->best = candidate;
        near->distance = steps;
    }
}

const char *cli_near_hint(const cli_near *near, const char *before, const char *otherwise,
                          char out[CLI_NEAR_ROOM]) {
    if (near->best == NULL) {
        (void)snprintf(out, CLI_NEAR_ROOM, "%s", otherwise);
    } else {
        (void)snprintf(out, CLI_NEAR_ROOM, ": did you mean '%s%s'?", before, near->best);
    }
    return out;
}
