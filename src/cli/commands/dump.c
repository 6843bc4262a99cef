// SPDX-License-Identifier: MIT
// bspkit dump: a lump as JSON, or as text with one line per record. The text follows the parts of
// the lump; a record's line begins with its path of names and numbers.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/patch.h"

#include <stdio.h>
#include <string.h>

#define PATH_TEXT 256
#define MAX_HEX 64 // bytes of unknown meaning that are printed

// --- values -------------------------------------------------------------------------------------

static void print_element(cli_output *output, const bsp_table *table, uint32_t record,
                          uint32_t field, uint32_t element) {
    if (table->layout->fields[field].type == BSP_F32) {
        char number[BSP_FLOAT_TEXT];
        size_t size = bsp_format_float(number, bsp_table_float(table, record, field, element));
        (void)cli_sink(output, number, size);
    } else {
        cli_print(output, "%lld", (long long)bsp_table_int(table, record, field, element));
    }
}

static void print_hex(cli_output *output, const uint8_t *data, size_t size) {
    for (size_t i = 0; i < size && i < MAX_HEX; i++) {
        cli_print(output, "%02x", (unsigned)data[i]);
    }
    cli_print(output, "%s", size > MAX_HEX ? "..." : "");
}

// Prints text in quotes, on one line; other than printable characters as \xNN.
static void print_quoted(cli_output *output, bsp_text text) {
    cli_print(output, "\"");
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\') {
            cli_print(output, "\\x%02x", (unsigned)c);
        } else {
            (void)cli_sink(output, &text.data[i], 1);
        }
    }
    cli_print(output, "\"");
}

static void print_field(cli_output *output, const bsp_table *table, uint32_t record,
                        uint32_t field) {
    const bsp_field *f = &table->layout->fields[field];
    if (f->type == BSP_CHAR) {
        print_quoted(output, bsp_table_text(table, record, field));
        return;
    }
    if (f->type == BSP_PAD) {
        const uint8_t *data = table->data + (size_t)record * table->layout->size;
        print_hex(output, data + bsp_layout_offset(table->layout, field), f->count);
        return;
    }
    for (uint32_t e = 0; e < f->count; e++) {
        cli_print(output, "%s", e == 0 ? "" : ",");
        print_element(output, table, record, field, e);
    }
}

static void print_fields(cli_output *output, const bsp_table *table, uint32_t record) {
    for (uint32_t field = 0; field < table->layout->num_fields; field++) {
        cli_print(output, " ");
        if (!bsp_layout_is_bare(table->layout)) {
            cli_print(output, "%s=", table->layout->fields[field].name);
        }
        print_field(output, table, record, field);
    }
    cli_print(output, "\n");
}

// --- parts --------------------------------------------------------------------------------------

typedef struct walk {
    cli_output *output;
    const bsp_parts *parts;
} walk;

static void print_part(const walk *w, uint32_t number, const char *path);

static void print_children(const walk *w, uint32_t number, const char *path) {
    const bsp_part *part = &w->parts->parts[number];
    uint32_t index = 0;
    for (uint32_t i = number + 1; i < part->end; i = w->parts->parts[i].end) {
        char below[PATH_TEXT];
        if (part->kind == BSP_PART_GROUP) {
            snprintf(below, sizeof below, "%.190s.%.60s", path, w->parts->parts[i].name);
        } else {
            snprintf(below, sizeof below, "%.190s[%u]", path, (unsigned)index++);
        }
        print_part(w, i, below);
    }
}

static void print_strings(const walk *w, bsp_text text, const char *path) {
    for (uint32_t i = 0; text.size != 0; i++) {
        const char *end = memchr(text.data, '\0', text.size);
        bsp_text one = {text.data, end == NULL ? text.size : (size_t)(end - text.data)};
        cli_print(w->output, "%s[%u] ", path, (unsigned)i);
        print_quoted(w->output, one);
        cli_print(w->output, "\n");
        size_t step = one.size + (end == NULL ? 0 : 1);
        text.data += step;
        text.size -= step;
    }
}

static void print_table(const walk *w, uint32_t number, const char *path) {
    bsp_table table = bsp_parts_table(w->parts, number);
    bool one = w->parts->parts[number].kind == BSP_PART_RECORD;
    for (uint32_t i = 0; i < table.count && w->output->failure == 0; i++) {
        cli_print(w->output, "%s", path);
        if (!one) {
            cli_print(w->output, "[%u]", (unsigned)i);
        }
        print_fields(w->output, &table, i);
    }
}

static void print_part(const walk *w, uint32_t number, const char *path) {
    const bsp_part *part = &w->parts->parts[number];
    const uint8_t *data = w->parts->data.data + part->offset;
    bsp_text text = {(const char *)data, part->size};
    switch (part->kind) {
    case BSP_PART_TABLE:
    case BSP_PART_RECORD:
        print_table(w, number, path);
        break;
    case BSP_PART_TEXT:
        cli_print(w->output, "%s ", path);
        print_quoted(w->output, text);
        cli_print(w->output, "\n");
        break;
    case BSP_PART_STRINGS:
        print_strings(w, text, path);
        break;
    case BSP_PART_BYTES:
        cli_print(w->output, "%s %zu bytes ", path, part->size);
        print_hex(w->output, data, part->size);
        cli_print(w->output, "\n");
        break;
    case BSP_PART_GROUP:
    case BSP_PART_LIST:
        print_children(w, number, path);
        break;
    }
}

static bool print_text(const cli_input *input, uint32_t lump, bsp_error *error) {
    bsp_parts parts;
    if (!bsp_file_parts(input->file, lump, NULL, &parts, error)) {
        return false;
    }
    walk w = {input->output, &parts};
    if (parts.count != 0) {
        print_part(&w, 0, bsp_file_lump(input->file, lump)->name);
    }
    bsp_parts_free(&parts);
    return true;
}

// --- the command --------------------------------------------------------------------------------

static cli_status work(const cli_input *input) {
    bsp_error error;
    uint32_t lump = cli_find_lump(input, input->call->operands[1]);
    if (lump == BSP_NONE) {
        return CLI_USAGE;
    }
    bool done = input->json != NULL ? bsp_dump_json(input->file, lump, input->json, &error)
                                    : print_text(input, lump, &error);
    return done ? CLI_DONE : cli_report(input->path, &error);
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input(call, 1, 0, work);
}

static const cli_option options[] = {
    CLI_OPTION_JSON, CLI_OPTION_LMP, CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

const cli_command cli_command_dump = {
    .name = "dump",
    .group = CLI_GROUP_LOOK,
    .operands = "FILE LUMP",
    .summary = "Print the records of a lump",
    .description =
        "LUMP is a name (in any case) or a number, as bspkit lumps prints them; game:sprp is a "
        "lump inside the game lump.\n\n"
        "As text, a record is a line. As JSON, an array of records is an array of objects, whose "
        "keys are the field names of the format's own headers; lumps that are no plain array have "
        "their natural structure; bytes without a known meaning are hexadecimal.\n\n"
        "Not shown: bytes after the NUL of a name, and bytes after the last complete record. "
        "Negative zero is -0.0; NaN and infinities are strings.",
    .examples = {"bspkit dump maps/start.bsp planes",
                 "bspkit dump --json maps/source.bsp game:sprp"},
    CLI_COMMON_OPTIONS(options),
    .min_operands = 2,
    .max_operands = 2,
    .reads_maps = true,
    .reads = "fl",
    .run = run,
};
