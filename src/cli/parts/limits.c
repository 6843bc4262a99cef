// SPDX-License-Identifier: MIT
// Help about limits, and its page of the documentation, made from the table of defaults.
#include "cli/parts/limits.h"

#include "cli/parts/budget.h"

#include <inttypes.h>
#include <stdio.h>

static const char intro[] =
    "A damaged or hostile map must not take all memory, all day or all of the disk. Every "
    "command has limits of memory, work, output and files; exceeding one is an error (exit status "
    "3) that names it, and no partial file is written. The defaults grow with the bytes that are "
    "read: real maps stay below a quarter of them. Work is counted in steps that are the same on "
    "every machine; with several threads vis counts some percent more, decompile a few steps.\n\n"
    "--limit NAME=VALUE sets one for the whole command instead: memory=2G, work=500M, output=4G, "
    "files=100K, or none for no limit; --limit none lifts all, and --limit report prints at the "
    "end what was used. The option may be given several times.";

#define AMOUNT_TEXT 32

static void format_amount(char out[AMOUNT_TEXT], const cli_limit_name *name, uint64_t value) {
    if (name->thousand == 1024) {
        cli_format_size(out, value);
    } else {
        snprintf(out, AMOUNT_TEXT, "%" PRIu64, value);
    }
}

// Formats a limit as "60.0 MiB + 7 a byte"; empty without a limit.
static void format_default(char out[2 * AMOUNT_TEXT], const bsp_product_limits *row,
                           const cli_limit_name *name) {
    char floor[AMOUNT_TEXT];
    uint64_t least = cli_limit_value(&row->floor, name);
    uint64_t factor = cli_limit_value(&row->factor, name);
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
        for (size_t i = 0; i < CLI_NUM_LIMITS; i++) {
            char text[2 * AMOUNT_TEXT];
            format_default(text, row, &cli_limit_names[i]);
            if (text[0] != '\0') {
                cli_print(output, "    %-8s%s\n", cli_limit_names[i].name, text);
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
        for (size_t i = 0; i < CLI_NUM_LIMITS; i++) {
            char text[2 * AMOUNT_TEXT];
            format_default(text, row, &cli_limit_names[i]);
            cli_print(output, " %s |", text);
        }
        cli_print(output, "\n");
    }
}
