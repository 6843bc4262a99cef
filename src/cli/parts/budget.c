// SPDX-License-Identifier: MIT
// Limits: one budget for everything that a command does. It is a static variable, since the command
// line does not reach all functions that use it.
#include "cli/parts/budget.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static bsp_budget *budget;
static bool wants_report;

// --- the option ---------------------------------------------------------------------------------

const cli_limit_name cli_limit_names[CLI_NUM_LIMITS] = {
    {"memory", "bytes", offsetof(bsp_limits, memory), 1024},
    {"work", "steps", offsetof(bsp_limits, work), 1000},
    {"output", "bytes", offsetof(bsp_limits, output_bytes), 1024},
    {"files", "files", offsetof(bsp_limits, output_files), 1000},
};

static uint64_t *member(bsp_limits *limits, const cli_limit_name *name) {
    return (uint64_t *)(void *)((char *)limits + name->offset);
}

uint64_t cli_limit_value(const bsp_limits *limits, const cli_limit_name *name) {
    uint64_t value;
    memcpy(&value, (const char *)limits + name->offset, sizeof value);
    return value;
}

// Parses a number that may end in K, M, G or T. 0 is refused, since a limit of nothing is of no
// use.
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
    for (size_t i = 0; equals != NULL && i < CLI_NUM_LIMITS; i++) {
        size_t size = (size_t)(equals - text);
        if (strlen(cli_limit_names[i].name) == size &&
            memcmp(text, cli_limit_names[i].name, size) == 0) {
            return parse_value(equals + 1, cli_limit_names[i].thousand,
                               member(limits, &cli_limit_names[i]));
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
    if (budget != NULL) {
        bsp_budget_set_threads(budget, call->common->threads);
    }
    return budget != NULL;
}

bsp_budget *cli_budget(void) {
    return budget;
}

// --- reports ------------------------------------------------------------------------------------

static void report(void) {
    bsp_limits used = bsp_budget_used(budget);
    for (size_t i = 0; i < CLI_NUM_LIMITS; i++) {
        cli_message("limits", "%s: %" PRIu64 " %s", cli_limit_names[i].name,
                    cli_limit_value(&used, &cli_limit_names[i]), cli_limit_names[i].unit);
    }
    for (int p = 0; p < BSP_PRODUCT_COUNT; p++) {
        bsp_limits share = bsp_budget_share(budget, (bsp_product)p);
        for (size_t i = 0; i < CLI_NUM_LIMITS; i++) {
            uint64_t part = cli_limit_value(&share, &cli_limit_names[i]);
            if (part != 0) {
                cli_message("limits", "%s: %" PRIu64 ".%" PRIu64 " %% of its default of %s",
                            bsp_product_get_limits((bsp_product)p)->name, part / 10, part % 10,
                            cli_limit_names[i].name);
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

// --- output -------------------------------------------------------------------------------------

static atomic_bool library_counts;

void cli_library_counts(bool yes) {
    library_counts = yes;
}

bool cli_count_output(uint64_t bytes, uint32_t files) {
    bsp_error error;
    if (library_counts || bsp_budget_write(cli_budget(), files, bytes, &error)) {
        return true;
    }
    static atomic_bool told;
    if (!atomic_exchange(&told, true)) {
        (void)cli_report("output", &error); // once: all later outputs would be refused too
    }
    errno = EFBIG;
    return false;
}
