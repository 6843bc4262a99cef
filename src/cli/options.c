// SPDX-License-Identifier: MIT
// The command line, parsed by getopt_long from a command's table. Values are checked here, so that
// a command can trust them.
#define _GNU_SOURCE // getopt_long

#include "cli/options.h"

#include "bspkit/bspkit.h"
#include "cli/limits.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

// getopt_long returns this plus the option's number, for long and short forms alike.
#define FIRST_CODE 256

typedef struct getopt_tables {
    struct option *longs;
    char *shorts;
} getopt_tables;

static void fill_tables(const cli_command *command, getopt_tables *tables) {
    char *out = tables->shorts;
    *out++ = ':'; // tell a missing value from an unknown option
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        tables->longs[i].name = option->name;
        tables->longs[i].has_arg = option->value == CLI_FLAG ? no_argument : required_argument;
        tables->longs[i].flag = NULL;
        tables->longs[i].val = FIRST_CODE + (int)i;
        if (option->letter != 0) {
            *out++ = option->letter;
            if (option->value != CLI_FLAG) {
                *out++ = ':';
            }
        }
    }
    memset(&tables->longs[command->num_options], 0, sizeof *tables->longs);
    *out = '\0';
}

static const cli_option *option_of_code(const cli_command *command, int code) {
    for (size_t i = 0; i < command->num_options; i++) {
        if (code == FIRST_CODE + (int)i || (code != 0 && code == command->options[i].letter)) {
            return &command->options[i];
        }
    }
    return NULL;
}

static bool wrong(const cli_command *command, const char *what, const char *which) {
    cli_message(command->name, "%s '%s'; see bspkit help %s", what, which, command->name);
    return false;
}

// What getopt_long did not understand.
static bool report(const cli_command *command, int result, char **argv) {
    const cli_option *option = option_of_code(command, optopt);
    if (option != NULL) {
        return wrong(command, result == ':' ? "a value is missing for" : "no value can be given to",
                     option->name);
    }
    char letter[3] = {'-', (char)optopt, '\0'};
    return wrong(command, "there is no option", optopt != 0 ? letter : argv[optind - 1]);
}

static bool check_value(const cli_command *command, const cli_option *option, const char *value) {
    int64_t number;
    switch (option->value) {
    case CLI_NUMBER:
        if (!bsp_parse_int(bsp_text_of(value), &number) || number < 0 || number > UINT32_MAX) {
            cli_message(command->name, "--%s takes a number from 0 to %u, not '%s'", option->name,
                        (unsigned)UINT32_MAX, value);
            return false;
        }
        return true;
    case CLI_BRANCH:
        if (bsp_branch_find(value) == NULL) {
            cli_message(command->name, "no branch is named '%s'; bspkit help formats lists them",
                        value);
            return false;
        }
        return true;
    case CLI_LIMIT:
        if (!cli_limit_parse(value, NULL, NULL)) {
            cli_message(command->name,
                        "--%s takes memory=, work=, output= or files= and a number (2G, 500M) or "
                        "none, or none or report alone, not '%s'",
                        option->name, value);
            return false;
        }
        return true;
    case CLI_FLAG:
    case CLI_TEXT:
    case CLI_FILE:
    case CLI_TARGET:
        break;
    }
    return true;
}

static bool parse_options(const cli_command *command, int argc, char **argv,
                          const getopt_tables *tables, cli_call *call, bool *help) {
    opterr = 0;
    optind = 1;
    for (;;) {
        int result = getopt_long(argc, argv, tables->shorts, tables->longs, NULL);
        if (result == -1) {
            return true;
        }
        if (result == '?' || result == ':') {
            return report(command, result, argv);
        }
        const cli_option *option = option_of_code(command, result);
        if (!check_value(command, option, optarg)) {
            return false;
        }
        *help = *help || strcmp(option->name, "help") == 0;
        call->given[call->num_given].option = option;
        call->given[call->num_given++].value = optarg;
    }
}

static bool check_operands(const cli_command *command, const cli_call *call) {
    if (call->num_operands < command->min_operands) {
        cli_message(command->name, "%s is missing; see bspkit help %s",
                    call->num_operands == 0 ? command->operands : "an operand", command->name);
        return false;
    }
    if (call->num_operands > command->max_operands) {
        return wrong(command, "too many operands, the first of them",
                     call->operands[command->max_operands]);
    }
    return true;
}

// True for "-5" and "-.5": no option is called so.
static bool is_negative(const char *text) {
    const char *digit = text[0] == '-' && text[1] == '.' ? text + 2 : text + 1;
    return text[0] == '-' && *digit >= '0' && *digit <= '9';
}

// Puts a blank before negative numbers, so that they are operands. False without memory.
static bool cover_numbers(int argc, char **argv, cli_call *call) {
    size_t room = 1;
    for (int i = 1; i < argc; i++) {
        room += is_negative(argv[i]) ? strlen(argv[i]) + 2 : 0;
    }
    char *out = call->numbers = malloc(room);
    for (int i = 1; out != NULL && i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_negative(argv[i])) {
            size_t size = strlen(argv[i]) + 1;
            out[0] = ' ';
            memcpy(out + 1, argv[i], size);
            argv[i] = out;
            out += size + 1;
        }
    }
    return out != NULL;
}

cli_status cli_parse(const cli_command *command, int argc, char **argv, cli_call *call,
                     bool *help) {
    memset(call, 0, sizeof *call);
    *help = false;
    call->command = command;
    getopt_tables tables = {
        calloc(command->num_options + 1, sizeof *tables.longs),
        calloc(command->num_options * 2 + 2, 1),
    };
    // An argument holds any number of one-letter flags.
    size_t most = 1;
    for (int i = 1; i < argc; i++) {
        most += strlen(argv[i]) + 1;
    }
    call->given = calloc(most, sizeof *call->given);
    cli_status status = CLI_FAILED;
    if (tables.longs == NULL || tables.shorts == NULL || call->given == NULL ||
        (command->takes_numbers && !cover_numbers(argc, argv, call))) {
        cli_message(command->name, "no memory");
    } else {
        fill_tables(command, &tables);
        bool good = parse_options(command, argc, argv, &tables, call, help);
        call->operands = argv + optind;
        call->num_operands = argc - optind;
        good = good && (*help || check_operands(command, call));
        status = good ? CLI_DONE : CLI_USAGE;
    }
    free(tables.longs);
    free(tables.shorts);
    if (status != CLI_DONE) {
        cli_call_free(call);
    }
    return status;
}

void cli_call_free(cli_call *call) {
    free(call->given);
    free(call->numbers);
    memset(call, 0, sizeof *call);
}

static const cli_given *find_given(const cli_call *call, const char *name) {
    for (size_t i = call->num_given; i > 0; i--) {
        if (strcmp(call->given[i - 1].option->name, name) == 0) {
            return &call->given[i - 1];
        }
    }
    return NULL;
}

bool cli_flag(const cli_call *call, const char *name) {
    return find_given(call, name) != NULL;
}

const char *cli_text(const cli_call *call, const char *name) {
    const cli_given *given = find_given(call, name);
    return given == NULL ? NULL : given->value;
}

uint32_t cli_number(const cli_call *call, const char *name, uint32_t otherwise) {
    const char *text = cli_text(call, name);
    int64_t number = 0;
    if (text == NULL || !bsp_parse_int(bsp_text_of(text), &number)) {
        return otherwise;
    }
    return (uint32_t)number;
}
