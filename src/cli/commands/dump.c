// SPDX-License-Identifier: MIT
// bspkit dump: a lump as JSON, or as text with one line per record. The text follows the parts of
// the lump; a record's line begins with its path of names and numbers.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_TEXT 256
#define MAX_HEX 64 // bytes of unknown meaning that are printed

// --- values -------------------------------------------------------------------------------------

// The text goes through a buffer, since a lump has millions of numbers, and printf and the budget's
// count of bytes take longer than most of them.
typedef struct lines {
    cli_output *output;
    size_t used;
    char buffer[16384];
} lines;

static void flush(lines *out) {
    (void)cli_sink(out->output, out->buffer, out->used);
    out->used = 0;
}

// Returns room for `size` bytes, at most a number's.
static char *room_for(lines *out, size_t size) {
    if (sizeof out->buffer - out->used < size) {
        flush(out);
    }
    return out->buffer + out->used;
}

static void put(lines *out, const char *text, size_t size) {
    while (size != 0) {
        size_t room = sizeof out->buffer - out->used;
        size_t piece = size < room ? size : room;
        memcpy(out->buffer + out->used, text, piece);
        out->used += piece;
        text += piece;
        size -= piece;
        if (size != 0) {
            flush(out);
        }
    }
}

static void put_string(lines *out, const char *text) {
    put(out, text, strlen(text));
}

static void put_char(lines *out, char c) {
    *room_for(out, 1) = c;
    out->used++;
}

static void put_int(lines *out, int64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? (uint64_t)0 - (uint64_t)value : (uint64_t)value;
    do {
        digits[--at] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest != 0);
    if (value < 0) {
        digits[--at] = '-';
    }
    put(out, digits + at, sizeof digits - at);
}

static void put_hex(lines *out, unsigned byte) {
    static const char hex[] = "0123456789abcdef";
    put_char(out, hex[byte >> 4]);
    put_char(out, hex[byte & 15]);
}

static void print_element(lines *out, const bsp_table *table, uint32_t record, uint32_t field,
                          uint32_t element) {
    if (table->layout->fields[field].type == BSP_F32) {
        out->used += bsp_format_float(room_for(out, BSP_FLOAT_TEXT),
                                      bsp_table_float(table, record, field, element));
    } else {
        put_int(out, bsp_table_int(table, record, field, element));
    }
}

static void print_hex(lines *out, const uint8_t *data, size_t size) {
    for (size_t i = 0; i < size && i < MAX_HEX; i++) {
        put_hex(out, data[i]);
    }
    put_string(out, size > MAX_HEX ? "..." : "");
}

// Prints text in quotes, on one line; other than printable characters as \xNN.
static void print_quoted(lines *out, bsp_text text) {
    put_char(out, '"');
    for (size_t i = 0; i < text.size; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (c < 0x20 || c >= 0x7F || c == '"' || c == '\\') {
            put(out, "\\x", 2);
            put_hex(out, c);
        } else {
            put_char(out, text.data[i]);
        }
    }
    put_char(out, '"');
}

static void print_field(lines *out, const bsp_table *table, uint32_t record, uint32_t field) {
    const bsp_field *f = &table->layout->fields[field];
    if (f->type == BSP_CHAR) {
        print_quoted(out, bsp_table_text(table, record, field));
        return;
    }
    if (f->type == BSP_PAD) {
        const uint8_t *data = table->data + (size_t)record * table->layout->size;
        print_hex(out, data + bsp_layout_offset(table->layout, field), f->count);
        return;
    }
    for (uint32_t e = 0; e < f->count; e++) {
        if (e != 0) {
            put_char(out, ',');
        }
        print_element(out, table, record, field, e);
    }
}

static void print_fields(lines *out, const bsp_table *table, uint32_t record) {
    for (uint32_t field = 0; field < table->layout->num_fields; field++) {
        put_char(out, ' ');
        if (!bsp_layout_is_bare(table->layout)) {
            put_string(out, table->layout->fields[field].name);
            put_char(out, '=');
        }
        print_field(out, table, record, field);
    }
    put_char(out, '\n');
}

// Prints the place of one of several, in brackets.
static void print_index(lines *out, uint32_t index) {
    put_char(out, '[');
    put_int(out, index);
    put_char(out, ']');
}

// --- parts --------------------------------------------------------------------------------------

typedef struct walk {
    lines *out;
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
        put_string(w->out, path);
        print_index(w->out, i);
        put_char(w->out, ' ');
        print_quoted(w->out, one);
        put_char(w->out, '\n');
        size_t step = one.size + (end == NULL ? 0 : 1);
        text.data += step;
        text.size -= step;
    }
}

static void print_table(const walk *w, uint32_t number, const char *path) {
    bsp_table table = bsp_parts_table(w->parts, number);
    bool one = w->parts->parts[number].kind == BSP_PART_RECORD;
    for (uint32_t i = 0; i < table.count && w->out->output->failure == 0; i++) {
        put_string(w->out, path);
        if (!one) {
            print_index(w->out, i);
        }
        print_fields(w->out, &table, i);
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
        put_string(w->out, path);
        put_char(w->out, ' ');
        print_quoted(w->out, text);
        put_char(w->out, '\n');
        break;
    case BSP_PART_STRINGS:
        print_strings(w, text, path);
        break;
    case BSP_PART_BYTES:
        put_string(w->out, path);
        put_char(w->out, ' ');
        put_int(w->out, (int64_t)part->size);
        put_string(w->out, " bytes ");
        print_hex(w->out, data, part->size);
        put_char(w->out, '\n');
        break;
    case BSP_PART_GROUP:
    case BSP_PART_LIST:
        print_children(w, number, path);
        break;
    }
}

static void print_parts(const cli_input *input, const bsp_parts *parts, uint32_t part,
                        const char *name) {
    lines out;
    out.output = input->output;
    out.used = 0;
    walk w = {&out, parts};
    print_part(&w, part, name);
    flush(&out);
}

static bool print_text(const cli_input *input, uint32_t lump, bsp_error *error) {
    bsp_parts parts;
    if (!bsp_file_parts(input->file, lump, NULL, &parts, error)) {
        return false;
    }
    if (parts.count != 0) {
        print_parts(input, &parts, 0, bsp_file_lump(input->file, lump)->name);
    }
    bsp_parts_free(&parts);
    return true;
}

// --- tables as CSV and TSV ----------------------------------------------------------------------

// Returns the part whose records are the rows: the lump itself, or the last array of records with
// named fields in it. BSP_NONE for lumps of another structure.
static uint32_t find_rows(const bsp_parts *parts) {
    uint32_t found = BSP_NONE;
    if (parts->count == 0 || parts->parts[0].kind == BSP_PART_TABLE) {
        return parts->count == 0 ? BSP_NONE : 0;
    }
    for (uint32_t i = 1; parts->parts[0].kind == BSP_PART_GROUP && i < parts->parts[0].end;
         i = parts->parts[i].end) {
        const bsp_part *part = &parts->parts[i];
        if (part->kind == BSP_PART_TABLE && !bsp_layout_is_bare(part->layout)) {
            found = i;
        }
    }
    return found;
}

// The columns of a layout, one for each element of a field.
typedef struct row_columns {
    const char **paths;
    size_t count;
    char *text; // of all paths
    size_t used;
} row_columns;

static uint32_t elements_of(const bsp_field *field) {
    return field->type == BSP_CHAR || field->type == BSP_PAD ? 1 : field->count;
}

static void add_columns(row_columns *out, const char *list, const bsp_layout *layout,
                        uint32_t field) {
    const bsp_field *f = &layout->fields[field];
    bool bare = bsp_layout_is_bare(layout);
    uint32_t elements = elements_of(f);
    for (uint32_t e = 0; e < elements; e++) {
        char *path = out->text + out->used;
        char number[16] = "";
        if (elements != 1) {
            (void)snprintf(number, sizeof number, ".%u", (unsigned)e);
        }
        out->used += 1 + (size_t)snprintf(path, PATH_TEXT, "%.64s[]%s%.128s%s", list,
                                          bare ? "" : ".", bare ? "" : f->name, number);
        out->paths[out->count++] = path;
    }
}

// Makes room for the columns of a layout. Returns false without memory.
static bool make_columns(row_columns *out, const char *list, const bsp_layout *layout) {
    size_t count = 0;
    for (uint32_t i = 0; i < layout->num_fields; i++) {
        count += elements_of(&layout->fields[i]);
    }
    *out = (row_columns){.paths = calloc(count + 1, sizeof *out->paths),
                         .text = malloc((count + 1) * PATH_TEXT)};
    for (uint32_t i = 0; out->paths != NULL && out->text != NULL && i < layout->num_fields; i++) {
        add_columns(out, list, layout, i);
    }
    return out->paths != NULL && out->text != NULL;
}

// `list` is the name of the array, "" for the lump itself.
static bool begin_records(const cli_input *input, const char *list, const bsp_part *part) {
    row_columns columns;
    char pattern[PATH_TEXT];
    bool good = make_columns(&columns, list, part->layout);
    if (good) {
        (void)snprintf(pattern, sizeof pattern, "%.64s[]", list);
        const cli_row_form form = {pattern, columns.paths};
        good = cli_output_rows(input->output, cli_rows_wanted(input->call), &form);
    } else {
        cli_message(input->path, "no memory");
    }
    free(columns.paths);
    free(columns.text);
    return good;
}

// Its JSON is made of rows that the parts have not.
static bool is_visibility(bsp_lump_kind kind) {
    return kind == BSP_KIND_VIS_ROWS || kind == BSP_KIND_VIS_OFFSETS || kind == BSP_KIND_VIS_MATRIX;
}

static const char *const text_columns[] = {"value=[]", NULL};
static const char *const entity_columns[] = {"entity=[].index", "key=[].pairs[].0",
                                             "value=[].pairs[].1", NULL};

// Begins the table before the JSON that becomes its rows.
static cli_status begin_rows(const cli_input *input, uint32_t lump) {
    static const cli_row_form texts = {"[]", text_columns};
    static const cli_row_form entities = {"[].pairs[]", entity_columns};
    bsp_lump_kind kind = bsp_file_lump(input->file, lump)->kind;
    bsp_parts parts;
    bsp_error error;
    bool empty = bsp_file_lump(input->file, lump)->unpacked_size == 0 && !is_visibility(kind);
    if (empty || kind == BSP_KIND_ENTITIES || kind == BSP_KIND_STRINGS) {
        return cli_output_rows(input->output, cli_rows_wanted(input->call),
                               kind == BSP_KIND_ENTITIES ? &entities : &texts)
                   ? CLI_DONE
                   : CLI_FAILED;
    }
    if (!bsp_file_parts(input->file, lump, NULL, &parts, &error)) {
        return cli_report(input->path, &error);
    }
    uint32_t part = is_visibility(kind) ? BSP_NONE : find_rows(&parts);
    bool good = part != BSP_NONE &&
                begin_records(input, part == 0 ? "" : parts.parts[part].name, &parts.parts[part]);
    bsp_parts_free(&parts);
    if (part == BSP_NONE) {
        cli_message(input->path, "lump %s is no table; see --json",
                    bsp_file_lump(input->file, lump)->name);
        return CLI_USAGE;
    }
    return good ? CLI_DONE : CLI_FAILED;
}

// --- the command --------------------------------------------------------------------------------

static const char *name_of(const cli_input *input) {
    return input->call->num_operands < 2 ? NULL : input->call->operands[1];
}

static cli_status model_work(const cli_input *input) {
    bsp_error error;
    const bsp_parts *parts = bsp_model_file_parts(input->records);
    const char *name = name_of(input);
    uint32_t part = name == NULL ? 0 : bsp_parts_find(parts, bsp_text_of(name));
    if (part == BSP_NONE) {
        cli_message(input->path, "there are no records '%s'; without a name all are printed", name);
        return CLI_USAGE;
    }
    if (cli_rows_wanted(input->call) != CLI_ROWS_NONE &&
        parts->parts[part].kind != BSP_PART_TABLE) {
        cli_message(input->path, "this is no table of records; see --json");
        return CLI_USAGE;
    }
    if (cli_rows_wanted(input->call) != CLI_ROWS_NONE &&
        !begin_records(input, "", &parts->parts[part])) {
        return CLI_FAILED;
    }
    if (input->json != NULL) {
        return bsp_model_dump_part_json(input->records, part, input->json, &error)
                   ? CLI_DONE
                   : cli_report(input->path, &error);
    }
    print_parts(input, parts, part, part == 0 ? parts->parts[0].name : name);
    return CLI_DONE;
}

static cli_status work(const cli_input *input) {
    bsp_error error;
    if (name_of(input) == NULL) {
        cli_message("dump", "it takes FILE LUMP: an operand is missing; see bspkit help dump");
        return CLI_USAGE;
    }
    uint32_t lump = cli_find_lump(input, input->call->operands[1]);
    if (lump == BSP_NONE) {
        return CLI_USAGE;
    }
    if (cli_rows_wanted(input->call) != CLI_ROWS_NONE) {
        cli_status status = begin_rows(input, lump);
        if (status != CLI_DONE) {
            return status;
        }
    }
    bool done = input->json != NULL ? bsp_dump_json(input->file, lump, input->json, &error)
                                    : print_text(input, lump, &error);
    return done ? CLI_DONE : cli_report(input->path, &error);
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input_or_model(call, 1, 0, work, model_work);
}

static const cli_option options[] = {
    CLI_OPTION_JSON,  CLI_OPTIONS_ROWS,  CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN, CLI_OPTION_OUTPUT, CLI_OPTION_HELP,
};

const cli_command cli_command_dump = {
    .name = "dump",
    .group = CLI_GROUP_LOOK,
    .operands = "FILE [LUMP]",
    .summary = "Print the records of a lump, or of a model",
    .description =
        "LUMP is a name (in any case) or a number, as bspkit lumps prints them; game:sprp is a "
        "lump inside the game lump.\n\n"
        "As text, a record is a line. As JSON, an array of records is an array of objects, whose "
        "keys are the field names of the format's own headers; lumps that are no plain array have "
        "their natural structure; bytes without a known meaning are hexadecimal.\n\n"
        "With --csv and --tsv a record is a row, and an element of a field that has several a "
        "column (normal.0, normal.1, normal.2). Of a lump of several arrays the last array of "
        "records with named fields is shown: of game:sprp the props. Lumps of another structure "
        "are refused.\n\n"
        "Of a model, LUMP is the path of its records (header, or surfaces/0 for one of a list); "
        "without it all are printed.\n\n"
        "Not shown: bytes after the NUL of a name, and bytes after the last complete record. "
        "Negative zero is -0.0; NaN and infinities are strings.",
    .examples = {"bspkit dump maps/start.bsp planes",
                 "bspkit dump --json maps/source.bsp game:sprp"},
    CLI_COMMON_OPTIONS(options),
    .min_operands = 1,
    .max_operands = 2,
    .reads_maps = true,
    .reads = "fl",
    .run = run,
};
