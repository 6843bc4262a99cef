// SPDX-License-Identifier: MIT
// Parses the command line with getopt_long from a command's table. Values are checked here, so that
// a command can trust them, and stored where the rows of the table say.
#define _GNU_SOURCE // getopt_long

#include "cli/parts/options.h"

#include "core/os_calls.h"

#include "bspkit/bspkit.h"
#include "cli/parts/near.h"
#include "cli/parts/output.h"
#include "cli/parts/values.h"

#include <assert.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// getopt_long returns this plus the option's number, for long and short forms alike.
#define FIRST_CODE 256
#define WORDS_ROOM 256

// The state of parsing a command line.
typedef struct parser {
    const cli_command *command;
    const cli_command *group; // the command whose verb it is, or NULL
    const cli_option **list;  // its options, or those of all verbs
    size_t count;
    struct option *longs;
    char *shorts;
    int argc;
    char **argv;
} parser;

// --- tables -------------------------------------------------------------------------------------

static size_t count_options(const cli_command *command) {
    size_t count = command->num_options;
    for (size_t i = 0; i < command->num_verbs; i++) {
        count += command->verbs[i].num_options;
    }
    return count;
}

static void add_options(parser *p, const cli_command *command) {
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        size_t same = 0;
        while (same < p->count && strcmp(p->list[same]->name, option->name) != 0) {
            same++;
        }
        if (same == p->count) {
            p->list[p->count++] = option;
        }
        // Whether a word is the verb must not depend on the verb.
        assert((p->list[same]->value == CLI_FLAG) == (option->value == CLI_FLAG));
    }
}

static bool make_tables(parser *p) {
    size_t most = count_options(p->command);
    p->list = calloc(most + 1, sizeof *p->list);
    p->longs = calloc(most + 1, sizeof *p->longs);
    p->shorts = calloc(most * 2 + 3, 1);
    if (p->list == NULL || p->longs == NULL || p->shorts == NULL) {
        return false;
    }
    add_options(p, p->command);
    for (size_t i = 0; i < p->command->num_verbs; i++) {
        add_options(p, &p->command->verbs[i]);
    }
    char *out = p->shorts;
    if (p->command->num_verbs != 0) {
        *out++ = '-'; // operands are returned in order, as values of code 1
    }
    *out++ = ':'; // tells a missing value from an unknown option
    for (size_t i = 0; i < p->count; i++) {
        bool flag = p->list[i]->value == CLI_FLAG;
        p->longs[i] = (struct option){p->list[i]->name, flag ? no_argument : required_argument,
                                      NULL, FIRST_CODE + (int)i};
        if (p->list[i]->letter != 0) {
            *out++ = p->list[i]->letter;
            *out = flag ? '\0' : ':';
            out += flag ? 0 : 1;
        }
    }
    return true;
}

static void free_tables(parser *p) {
    free((void *)p->list);
    free(p->longs);
    free(p->shorts);
}

static const cli_option *option_of_code(const parser *p, int code) {
    for (size_t i = 0; i < p->count; i++) {
        if (code == FIRST_CODE + (int)i || (code != 0 && code == p->list[i]->letter)) {
            return p->list[i];
        }
    }
    return NULL;
}

// --- messages -----------------------------------------------------------------------------------

static bool wrong(const cli_command *command, const char *what, const char *which) {
    cli_message(command->name, "%s '%s'; see bspkit help %s", what, which, command->name);
    return false;
}

// Returns true if the command has the option, given as "--name=value" or as "-x".
static bool has_option(const cli_command *command, const char *given) {
    size_t size = strcspn(given, "=");
    for (size_t i = 0; i < command->num_options; i++) {
        const cli_option *option = &command->options[i];
        bool is_long = given[0] == '-' && given[1] == '-' && strlen(option->name) == size - 2 &&
                       strncmp(option->name, given + 2, size - 2) == 0;
        if (is_long || (given[1] == option->letter && given[2] == '\0')) {
            return true;
        }
    }
    return false;
}

// Names the verbs, other than that of the call, that have an option: ", which belongs to pak add,
// pak replace".
static void name_verbs(const parser *p, const char *given, char out[WORDS_ROOM]) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; p->group != NULL && i < p->group->num_verbs && used < WORDS_ROOM; i++) {
        if (has_option(&p->group->verbs[i], given)) {
            used +=
                (size_t)snprintf(out + used, WORDS_ROOM - used, "%s %s",
                                 used == 0 ? ", which belongs to" : ",", p->group->verbs[i].name);
        }
    }
}

static bool unknown_option(const parser *p, const char *given) {
    char name[WORDS_ROOM] = "";
    char verbs[WORDS_ROOM];
    char help[CLI_NEAR_ROOM];
    char hint[CLI_NEAR_ROOM];
    name_verbs(p, given, verbs);
    if (verbs[0] == '\0' && given[1] == '-') {
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(given + 2, "="), given + 2);
    }
    cli_near near = {.word = name};
    for (size_t i = 0; i < p->count; i++) {
        cli_near_try(&near, p->list[i]->name);
    }
    (void)snprintf(help, sizeof help, "; see bspkit help %s", p->command->name);
    cli_message(p->command->name, "there is no option '%s'%s%s", given, verbs,
                cli_near_hint(&near, "--", help, hint));
    return false;
}

// Reports what getopt_long refused. Which of the two that is of an option it knows, it tells apart
// on some systems only.
static bool report(const parser *p) {
    const cli_option *option = option_of_code(p, optopt);
    if (option != NULL) {
        return wrong(p->command,
                     option->value == CLI_FLAG ? "no value can be given to"
                                               : "a value is missing for",
                     option->name);
    }
    char letter[3] = {'-', (char)optopt, '\0'};
    return unknown_option(p, optopt != 0 ? letter : p->argv[optind - 1]);
}

// --- storing values ------------------------------------------------------------------------------

// Stores all values of the options that share a list, in the order given. *items is the free part
// of their memory.
static void store_list(const cli_call *call, cli_list *list, size_t place, cli_item **items) {
    list->items = *items;
    list->count = 0;
    for (size_t i = 0; i < call->num_given; i++) {
        const cli_option *option = call->given[i].option;
        if (option->store == CLI_STORE_LIST && option->place == place) {
            *(*items)++ = (cli_item){call->given[i].value, option->what};
            list->count++;
        }
    }
}

static void store(const cli_call *call, const cli_given *given, char *options, cli_item **items) {
    void *member = options + given->option->place;
    int64_t number = 0;
    switch (given->option->store) {
    case CLI_STORE_FLAG:
        *(bool *)member = true;
        break;
    case CLI_STORE_TEXT:
        *(const char **)member = given->value;
        break;
    case CLI_STORE_NUMBER:
        (void)bsp_parse_int(bsp_text_of(given->value), &number); // was checked
        *(uint32_t *)member = (uint32_t)number;
        break;
    case CLI_STORE_REAL:
        (void)bsp_parse_float(bsp_text_of(given->value), member); // was checked
        break;
    case CLI_STORE_CHOICE:
        *(int *)member = cli_find_choice(given->option, given->value)->value;
        break;
    case CLI_STORE_LIST:
        if (((cli_list *)member)->count == 0) {
            store_list(call, member, given->option->place, items);
        }
        break;
    }
}

// Fills the command's struct of options. Returns false without memory.
static bool store_all(const cli_command *command, cli_call *call) {
    size_t size = command->options_size;
    size = size < sizeof(cli_common) ? sizeof(cli_common) : size;
    char *options = call->room[0] = calloc(1, size); // all zero: the defaults of most
    cli_item *items = call->room[1] = calloc(call->num_given + 1, sizeof *items);
    if (options == NULL || items == NULL) {
        return false;
    }
    if (command->defaults != NULL) {
        memcpy(options, command->defaults, size);
    }
    for (size_t i = 0; i < call->num_given; i++) {
        store(call, &call->given[i], options, &items);
    }
    call->options = options;
    call->common = (const cli_common *)(const void *)options;
    return true;
}

// --- verbs --------------------------------------------------------------------------------------

const char *cli_verb_word(const cli_command *verb) {
    return strchr(verb->name, ' ') + 1;
}

const cli_command *cli_find_verb(const cli_command *command, const char *word) {
    for (size_t i = 0; i < command->num_verbs; i++) {
        if (strcmp(cli_verb_word(&command->verbs[i]), word) == 0) {
            return &command->verbs[i];
        }
    }
    return NULL;
}

static bool unknown_verb(const cli_command *command, const char *word) {
    char words[WORDS_ROOM] = "";
    char hint[CLI_NEAR_ROOM];
    cli_near near = {.word = word == NULL ? "" : word};
    size_t used = 0;
    for (size_t i = 0; i < command->num_verbs && used < WORDS_ROOM; i++) {
        const char *verb = cli_verb_word(&command->verbs[i]);
        used += (size_t)snprintf(words + used, WORDS_ROOM - used, "%s%s",
                                 i == 0 ? "; there are " : ", ", verb);
        cli_near_try(&near, verb);
    }
    if (word == NULL) {
        cli_message(command->name, "a verb is missing%s", words);
    } else {
        cli_message(command->name, "there is no verb '%s'%s", word,
                    cli_near_hint(&near, "", words, hint));
    }
    return false;
}

// Finds the verb among the options of all verbs, which may precede it, and removes it from the
// arguments. Keeps the command where its help is requested.
static bool take_verb(parser *p) {
    bool help = false;
    int result;
    opterr = 0;
    optind = 0; // for glibc: the next table begins differently
    while ((result = getopt_long(p->argc, p->argv, p->shorts, p->longs, NULL)) != 1 &&
           result != -1) {
        if (result == '?' || result == ':') {
            return report(p);
        }
        help = help || option_of_code(p, result)->place == offsetof(cli_common, help);
    }
    int at = result == 1 ? optind - 1 : optind;
    if (at >= p->argc) {
        return help || unknown_verb(p->command, NULL);
    }
    const cli_command *verb = cli_find_verb(p->command, p->argv[at]);
    if (verb == NULL) {
        return unknown_verb(p->command, p->argv[at]);
    }
    memmove(&p->argv[at], &p->argv[at + 1], (size_t)(p->argc - at) * sizeof *p->argv);
    p->argc--;
    p->group = p->command;
    p->command = verb;
    return true;
}

char cli_operand_letter(const cli_command *command, int i) {
    const char *reads = command->reads;
    if (reads == NULL) {
        return command->reads_maps ? 'f' : '-';
    }
    size_t last = strlen(reads) - 1;
    return reads[(size_t)i < last ? (size_t)i : last];
}

bool cli_operand_is_read(const cli_command *command, int i) {
    return cli_operand_letter(command, i) == 'f';
}

// --- the command line ---------------------------------------------------------------------------

static bool parse_options(const parser *p, cli_call *call) {
    opterr = 0;
    optind = 0;
    for (;;) {
        int result = getopt_long(p->argc, p->argv, p->shorts, p->longs, NULL);
        if (result == -1) {
            return true;
        }
        if (result == '?' || result == ':') {
            return report(p);
        }
        const cli_option *option = option_of_code(p, result);
        if (!cli_check_value(p->command, option, optarg)) {
            return false;
        }
        if (option->value == CLI_FILE || option->value == CLI_NAMES ||
            option->value == CLI_TARGET) {
            bspi_os_use_slashes(optarg);
        }
        call->given[call->num_given].option = option;
        call->given[call->num_given++].value = optarg;
    }
}

static bool check_operands(const cli_command *command, const cli_call *call) {
    if (call->num_operands < command->min_operands && call->common->files_from == NULL) {
        bool none = call->num_operands == 0;
        cli_message(command->name, "%s%s%s; see bspkit help %s", none ? "" : "it takes ",
                    command->operands, none ? " is missing" : ": an operand is missing",
                    command->name);
        return false;
    }
    if (call->num_operands > command->max_operands) {
        return wrong(command, "too many operands, the first of them",
                     call->operands[command->max_operands]);
    }
    return true;
}

// A table is made of the JSON.
static bool check_rows(cli_call *call) {
    cli_common *common = call->room[0];
    if (common->json + common->csv + common->tsv > 1) {
        cli_message(call->command->name, "--json, --csv and --tsv exclude each other");
        return false;
    }
    common->json = common->json || common->csv || common->tsv;
    return true;
}

cli_rows_kind cli_rows_wanted(const cli_call *call) {
    return call->common->csv ? CLI_ROWS_CSV : call->common->tsv ? CLI_ROWS_TSV : CLI_ROWS_NONE;
}

// Returns true for "-5" and "-.5", which no option is called.
static bool is_negative(const char *text) {
    const char *digit = text[0] == '-' && text[1] == '.' ? text + 2 : text + 1;
    return text[0] == '-' && *digit >= '0' && *digit <= '9';
}

static bool takes_numbers(const cli_command *command) {
    bool any = command->takes_numbers;
    for (size_t i = 0; i < command->num_verbs; i++) {
        any = any || command->verbs[i].takes_numbers;
    }
    return any;
}

// Puts a blank before negative numbers, so that they are operands. Returns false without memory.
static bool cover_numbers(int argc, char **argv, cli_call *call) {
    size_t room = 1;
    for (int i = 1; i < argc; i++) {
        room += is_negative(argv[i]) ? strlen(argv[i]) + 2 : 0;
    }
    char *out = call->room[2] = malloc(room);
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

static cli_status no_memory(const parser *p) {
    cli_message(p->command->name, "no memory");
    return CLI_FAILED;
}

// Handles a command without a verb, whose help may be requested.
static cli_status ask_help(const parser *p, cli_call *call) {
    cli_common *common = call->room[0] = calloc(1, sizeof *common);
    if (common == NULL) {
        return no_memory(p);
    }
    common->help = true;
    call->command = p->command;
    call->options = call->common = common;
    return CLI_DONE;
}

static cli_status parse_command(parser *p, cli_call *call) {
    call->command = p->command;
    if (!make_tables(p)) {
        free_tables(p);
        return no_memory(p);
    }
    bool good = parse_options(p, call);
    call->operands = p->argv + optind;
    call->num_operands = p->argc - optind;
    free_tables(p);
    for (int i = 0; good && i < call->num_operands; i++) {
        if (cli_operand_is_read(p->command, i)) {
            bspi_os_use_slashes(p->argv[optind + i]);
        }
    }
    if (!good) {
        return CLI_USAGE;
    }
    if (!store_all(p->command, call)) {
        return no_memory(p);
    }
    return call->common->help || (check_rows(call) && check_operands(p->command, call)) ? CLI_DONE
                                                                                        : CLI_USAGE;
}

static cli_status parse_verb(parser *p) {
    bool made = make_tables(p);
    bool good = made && take_verb(p);
    free_tables(p);
    p->count = 0;
    if (!made) {
        return no_memory(p);
    }
    return good ? CLI_DONE : CLI_USAGE;
}

cli_status cli_parse(const cli_command *command, int argc, char **argv, cli_call *call) {
    parser p = {.command = command, .argc = argc, .argv = argv};
    memset(call, 0, sizeof *call);
    // An argument may hold any number of one-letter flags.
    size_t most = 1;
    for (int i = 1; i < argc; i++) {
        most += strlen(argv[i]) + 1;
    }
    call->given = calloc(most, sizeof *call->given);
    cli_status status = CLI_DONE;
    if (call->given == NULL || (takes_numbers(command) && !cover_numbers(argc, argv, call))) {
        status = no_memory(&p);
    } else if (command->num_verbs != 0) {
        status = parse_verb(&p);
    }
    if (status == CLI_DONE) {
        status = p.command->num_verbs != 0 ? ask_help(&p, call) : parse_command(&p, call);
    }
    if (status != CLI_DONE) {
        cli_call_free(call);
    }
    return status;
}

void cli_call_free(cli_call *call) {
    free(call->given);
    for (size_t i = 0; i < sizeof call->room / sizeof *call->room; i++) {
        free(call->room[i]);
    }
    memset(call, 0, sizeof *call);
}
