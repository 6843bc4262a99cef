// SPDX-License-Identifier: MIT
// Limits: one budget for all that a command does. It stands in a static variable, as the command
// line does not reach all that pays.
#include "cli/parts/limits.h"

#include <ctype.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

static bsp_budget *budget;
static bool wants_report;

// --- the option ---------------------------------------------------------------------------------

typedef struct limit_name {
    const char *name;
    const char *unit;
    size_t offset;     // in bsp_limits
    uint64_t thousand; // what K stands for
} limit_name;

static const limit_name names[] = {
    {"memory", "bytes", offsetof(bsp_limits, memory), 1024},
    {"work", "steps", offsetof(bsp_limits, work), 1000},
    {"output", "bytes", offsetof(bsp_limits, output_bytes), 1024},
    {"files", "files", offsetof(bsp_limits, output_files), 1000},
};

#define NUM_NAMES (sizeof names / sizeof *names)

static uint64_t *member(bsp_limits *limits, const limit_name *name) {
    return (uint64_t *)(void *)((char *)limits + name->offset);
}

static uint64_t value_of(const bsp_limits *limits, const limit_name *name) {
    uint64_t value;
    memcpy(&value, (const char *)limits + name->offset, sizeof value);
    return value;
}

// A number with an ending K, M, G or T. 0 is none: a limit of nothing is of no use.
static bool parse_value(const char *text, uint64_t thousand, uint64_t *value) {
    static const char endings[] = "KMGT";
    if (strcmp(text, "none") == 0) {
        *value = BSP_NO_LIMIT;
        return true;
    }
    size_t size = strlen(text);
    const char *ending = size == 0 ? NULL : strchr(endings, toupper((unsigned char)text[size - 1]));
    int64_t number;
    bsp_text digits = {text, ending == NULL ? size : size - 1};
    if (size == 0 || !bsp_parse_int(digits, &number) || number <= 0) {
        return false;
    }
    *value = (uint64_t)number;
    for (const char *e = endings; ending != NULL && e <= ending; e++) {
        if (*value > BSP_NO_LIMIT / thousand) {
            return false;
        }
        *value *= thousand;
    }
    return true;
}

bool cli_limit_parse(const char *text, bsp_limits *limits, bool *report) {
    bsp_limits ignored;
    bool unheard;
    limits = limits == NULL ? &ignored : limits;
    report = report == NULL ? &unheard : report;
    if (strcmp(text, "none") == 0) {
        *limits = (bsp_limits){BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT, BSP_NO_LIMIT};
        return true;
    }
    if (strcmp(text, "report") == 0) {
        *report = true;
        return true;
    }
    const char *equals = strchr(text, '=');
    for (size_t i = 0; equals != NULL && i < NUM_NAMES; i++) {
        size_t size = (size_t)(equals - text);
        if (strlen(names[i].name) == size && memcmp(text, names[i].name, size) == 0) {
            return parse_value(equals + 1, names[i].thousand, member(limits, &names[i]));
        }
    }
    return false;
}

bool cli_limits_begin(const cli_call *call) {
    bsp_limits limits = {0};
    const cli_list *given = &call->common->limits;
    for (size_t i = 0; i < given->count; i++) {
        (void)cli_limit_parse(given->items[i].value, &limits, &wants_report); // was checked
    }
    budget = bsp_budget_new(&limits, NULL);
    if (budget == NULL) {
        cli_message(call->command->name, "no memory");
    }
    return budget != NULL;
}

bsp_budget *cli_budget(void) {
    return budget;
}

// --- reports ------------------------------------------------------------------------------------

static void report(void) {
    bsp_limits used = bsp_budget_used(budget);
    for (size_t i = 0; i < NUM_NAMES; i++) {
        cli_message("limits", "%s: %" PRIu64 " %s", names[i].name, value_of(&used, &names[i]),
                    names[i].unit);
    }
    for (int p = 0; p < BSP_PRODUCT_COUNT; p++) {
        bsp_limits share = bsp_budget_share(budget, (bsp_product)p);
        for (size_t i = 0; i < NUM_NAMES; i++) {
            uint64_t part = value_of(&share, &names[i]);
            if (part != 0) {
                cli_message("limits", "%s: %" PRIu64 ".%" PRIu64 " %% of its default of %s",
                            bsp_product_get_limits((bsp_product)p)->name, part / 10, part % 10,
                            names[i].name);
            }
        }
    }
}

void cli_limits_end(void) {
    if (wants_report) {
        report();
    }
    bsp_budget_free(budget);
    budget = NULL;
    wants_report = false;
}

// --- help ---------------------------------------------------------------------------------------

static const char intro[] =
    "A damaged or hostile map must not take all memory, all day or all of the disk. Every "
    "command has limits of memory, work, output and files; passing one is an error (exit status "
    "3) that names it, and nothing is written in part. The defaults grow with the bytes that are "
    "read: real maps stay below a quarter of them. Work is counted in steps that are the same on "
    "every machine and at any number of threads.\n\n"
    "--limit NAME=VALUE sets one for the whole command instead: memory=2G, work=500M, output=4G, "
    "files=100K, or none for no limit; --limit none lifts all, and --limit report tells at the "
    "end what was used. The option may be given several times.";

#define AMOUNT_TEXT 32

static void format_amount(char out[AMOUNT_TEXT], const limit_name *name, uint64_t value) {
    if (name->thousand == 1024) {
        cli_format_size(out, value);
    } else {
        snprintf(out, AMOUNT_TEXT, "%" PRIu64, value);
    }
}

// "60.0 MiB + 7 a byte"; empty without a limit.
static void format_default(char out[2 * AMOUNT_TEXT], const bsp_product_limits *row,
                           const limit_name *name) {
    char floor[AMOUNT_TEXT];
    uint64_t least = value_of(&row->floor, name);
    uint64_t factor = value_of(&row->factor, name);
    out[0] = '\0';
    if (least == 0 || least == BSP_NO_LIMIT) {
        return;
    }
    format_amount(floor, name, least);
    if (factor == 0) {
        snprintf(out, 2 * AMOUNT_TEXT, "%s", floor);
    } else {
        bool rare = name->offset == offsetof(bsp_limits, output_files);
        snprintf(out, 2 * AMOUNT_TEXT, "%s + %" PRIu64 " a %s", floor, factor,
                 rare ? "KiB" : "byte");
    }
}

void cli_print_limits(cli_output *output) {
    cli_print_wrapped(output, 0, intro);
    cli_print(output, "\nDefaults:\n");
    for (int p = 0; p < BSP_PRODUCT_COUNT; p++) {
        const bsp_product_limits *row = bsp_product_get_limits((bsp_product)p);
        cli_print(output, "  ");
        cli_print_styled(output, CLI_STRONG, row->name);
        cli_print(output, ", for the bytes of %s\n", row->of);
        for (size_t i = 0; i < NUM_NAMES; i++) {
            char text[2 * AMOUNT_TEXT];
            format_default(text, row, &names[i]);
            if (text[0] != '\0') {
                cli_print(output, "    %-8s%s\n", names[i].name, text);
            }
        }
    }
}

void cli_markdown_limits(cli_output *output) {
    cli_print(output, "# Limits\n\n");
    cli_print_wrapped(output, 0, intro);
    cli_print(output,
              "\nThis page is made from the table in `src/core/limits.c` by `make docs`.\n\n"
              "| product | bytes of | memory | work | output | files |\n"
              "|---|---|---|---|---|---|\n");
    for (int p = 0; p < BSP_PRODUCT_COUNT; p++) {
        const bsp_product_limits *row = bsp_product_get_limits((bsp_product)p);
        cli_print(output, "| %s | %s |", row->name, row->of);
        for (size_t i = 0; i < NUM_NAMES; i++) {
            char text[2 * AMOUNT_TEXT];
            format_default(text, row, &names[i]);
            cli_print(output, " %s |", text);
        }
        cli_print(output, "\n");
    }
}
