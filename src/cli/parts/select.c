// SPDX-License-Identifier: MIT
// The --where and --index options of a command line as a filter of entities.
#include "cli/parts/select.h"

#include "cli/parts/budget.h"

#include <stdlib.h>

// Makes the conditions of all --where. Another status than CLI_DONE after a message.
static cli_status read_where(const cli_call *call, bsp_where **where) {
    bsp_error error;
    const cli_list *given = &call->common->where;
    const char **terms = calloc(given->count + 1, sizeof *terms);
    *where = NULL;
    if (terms == NULL) {
        cli_message(call->command->name, "no memory");
        return CLI_FAILED;
    }
    for (size_t i = 0; i < given->count; i++) {
        terms[i] = given->items[i].value;
    }
    *where = bsp_where_new(terms, (uint32_t)given->count, cli_budget(), NULL, &error);
    free(terms);
    if (*where != NULL) {
        return CLI_DONE;
    }
    cli_message(call->command->name, "--where %s; see bspkit help where", error.message);
    return error.code == BSP_E_ARGUMENT || error.code == BSP_E_UNSUPPORTED ? CLI_USAGE : CLI_FAILED;
}

cli_status cli_where_check(const cli_call *call) {
    bsp_where *where;
    cli_status status = read_where(call, &where);
    bsp_where_free(where);
    return status;
}

bool cli_filter_open(cli_filter *f, const cli_call *call) {
    const cli_list *indices = &call->common->indices;
    *f = (cli_filter){.indices = calloc(indices->count + 1, sizeof *f->indices)};
    if (f->indices == NULL) {
        cli_message(call->command->name, "no memory");
        return false;
    }
    if (read_where(call, &f->where) != CLI_DONE) {
        cli_filter_close(f);
        return false;
    }
    for (size_t i = 0; i < indices->count; i++) {
        int64_t number;
        bool good = bsp_parse_int(bsp_text_of(indices->items[i].value), &number) && number >= 0 &&
                    number < BSP_NONE;
        f->indices[i] = good ? (uint32_t)number : BSP_NONE; // no entity has this one
    }
    f->filter = (bsp_entity_filter){f->where, f->indices, (uint32_t)indices->count};
    return true;
}

bool cli_filter_matches(cli_filter *f, const bsp_entity *entity, uint32_t index) {
    bool matches = false;
    if (!f->failed) {
        f->failed = !bsp_entity_filter_matches(&f->filter, entity, index, &matches, &f->error);
    }
    return !f->failed && matches;
}

void cli_filter_close(cli_filter *f) {
    bsp_where_free(f->where);
    free(f->indices);
    *f = (cli_filter){.where = NULL};
}

// --- help ---------------------------------------------------------------------------------------

static const char intro[] = "A condition is KEY, a comparison and a value, without blanks between "
                            "them. Given several times, all must hold.";

static const struct {
    const char *form;
    const char *meaning;
} forms[] = {
    {"KEY=GLOB",
     "the entity has the key, with a value that matches: * stands for any characters or "
     "none, ? for one; the case of letters does not matter"},
    {"KEY!=GLOB", "it has no such key with such a value"},
    {"KEY~REGEX",
     "it has the key, and the regular expression (PCRE2) is found in its value; ^ and $ "
     "are the ends of the value; the case of letters matters only after (?-i)"},
    {"KEY!~REGEX", "it has no such key with such a value"},
    {"KEY<N",
     "it has the key, with one number as its value, which is less; KEY<=N, KEY>N and KEY>=N "
     "likewise"},
};

static const char notes[] =
    "A backslash takes one of * ? \\ = ! ~ < > as itself: 'model=\\*3' is brush model 3, while "
    "'model=*3' is also 13. The key is a pattern too: '*=rocks*' looks in all keys. A shell needs "
    "quotes around most conditions.";

void cli_print_where(cli_output *output) {
    cli_print_wrapped(output, 0, intro);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        cli_print(output, "\n");
        cli_print_styled(output, CLI_STRONG, forms[i].form);
        cli_print(output, "\n");
        cli_print_wrapped(output, 4, forms[i].meaning);
    }
    cli_print(output, "\n");
    cli_print_wrapped(output, 0, notes);
}

void cli_markdown_where(cli_output *output) {
    cli_print(output, "# Conditions\n\n");
    cli_print_wrapped(output, 0, intro);
    cli_print(output, "\n| condition | holds when |\n|---|---|\n");
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        cli_print(output, "| `%s` | %s |\n", forms[i].form, forms[i].meaning);
    }
    cli_print(output, "\n");
    cli_print_wrapped(output, 0, notes);
    cli_print(output, "\nThis page is made by `make docs` from `bspkit help where`.\n");
}
