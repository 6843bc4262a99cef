// SPDX-License-Identifier: MIT
// Checks the values of options by their kind.
#include "cli/parts/values.h"

#include "cli/parts/budget.h"
#include "cli/parts/near.h"

#include <stdio.h>
#include <string.h>

#define WORDS_ROOM 256

const cli_choice *cli_find_choice(const cli_option *option, const char *value) {
    for (const cli_choice *c = option->choices; c->word != NULL; c++) {
        if (strcmp(c->word, value) == 0) {
            return c;
        }
    }
    return NULL;
}

// Writes "one, two or three".
static void list_words(const cli_choice *choices, char out[WORDS_ROOM]) {
    size_t used = 0;
    for (const cli_choice *c = choices; c->word != NULL && used < WORDS_ROOM; c++) {
        const char *between = c == choices ? "" : c[1].word == NULL ? " or " : ", ";
        used += (size_t)snprintf(out + used, WORDS_ROOM - used, "%s%s", between, c->word);
    }
}

static bool check_choice(const cli_command *command, const cli_option *option, const char *value) {
    char words[WORDS_ROOM];
    char hint[CLI_NEAR_ROOM];
    cli_near near = {.word = value};
    if (cli_find_choice(option, value) != NULL) {
        return true;
    }
    for (const cli_choice *c = option->choices; c->word != NULL; c++) {
        cli_near_try(&near, c->word);
    }
    list_words(option->choices, words);
    cli_message(command->name, "--%s takes %s, not '%s'%s", option->name, words, value,
                cli_near_hint(&near, "", "", hint));
    return false;
}

static bool check_number(const cli_command *command, const cli_option *option, const char *value) {
    int64_t number;
    int64_t least = (int64_t)option->least;
    int64_t most = option->most > 0 ? (int64_t)option->most : UINT32_MAX;
    if (!bsp_parse_int(bsp_text_of(value), &number) || number < least || number > most) {
        cli_message(command->name, "--%s takes a number from %lld to %lld, not '%s'", option->name,
                    (long long)least, (long long)most, value);
        return false;
    }
    return true;
}

static bool check_real(const cli_command *command, const cli_option *option, const char *value) {
    float number;
    bool good = bsp_parse_float(bsp_text_of(value), &number) && (double)number >= option->least &&
                (double)number <= option->most;
    if (!good || (option->above && (double)number <= option->least)) {
        cli_message(command->name, "--%s takes a number %s %g%s to %g, not '%s'", option->name,
                    option->above ? "above" : "from", option->least, option->above ? ", up" : "",
                    option->most, value);
        return false;
    }
    return true;
}

const bsp_branch *cli_find_branch(const cli_command *command, const char *name) {
    char hint[CLI_NEAR_ROOM];
    cli_near near = {.word = name};
    const bsp_branch *branch = bsp_branch_find(name);
    const bsp_branch *other;
    for (size_t i = 0; branch == NULL && (other = bsp_branch_at(i)) != NULL; i++) {
        cli_near_try(&near, other->name);
    }
    if (branch == NULL) {
        cli_message(command->name, "no branch is named '%s'%s", name,
                    cli_near_hint(&near, "", "; bspkit help formats lists them", hint));
    }
    return branch;
}

bool cli_check_value(const cli_command *command, const cli_option *option, const char *value) {
    switch (option->value) {
    case CLI_NUMBER:
        return check_number(command, option, value);
    case CLI_REAL:
        return check_real(command, option, value);
    case CLI_CHOICE:
        return check_choice(command, option, value);
    case CLI_BRANCH:
        return cli_find_branch(command, value) != NULL;
    case CLI_LIMIT:
        if (!cli_limit_parse(value, NULL, NULL)) {
            cli_message(command->name,
                        "--%s takes memory=, work=, output= or files= and a number (2G, 500M) or "
                        "none, or none or report alone, not '%s'",
                        option->name, value);
            return false;
        }
        return true;
    case CLI_GAME:
        if (bsp_game_find(value) == NULL) {
            cli_message(command->name,
                        "no game, or more than one, is named '%s'; bspkit formats --games lists "
                        "them",
                        value);
            return false;
        }
        return true;
    case CLI_FILE:
    case CLI_NAMES:
    case CLI_TARGET:
        if (value[0] == '\0') {
            cli_message(command->name, "--%s takes %s, not ''", option->name, option->argument);
            return false;
        }
        return true;
    case CLI_FLAG:
    case CLI_TEXT:
        break;
    }
    return true;
}
