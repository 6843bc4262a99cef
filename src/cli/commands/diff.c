// SPDX-License-Identifier: MIT
// bspkit diff: the differences of two maps.
#include "cli/parts/input.h"

#include "cli/parts/commands.h"
#include "cli/parts/json.h"
#include "cli/parts/open_map.h"

#include <string.h>

#define PLACES_SHOWN 3u // per lump, without --records
#define VALUE_SHOWN 72u // characters of a value

typedef struct diff_options {
    cli_common common;
    bool records;
} diff_options;

static const diff_options *options_of(const cli_call *call) {
    return call->options;
}

// The state of printing differences, grouped by part and lump.
typedef struct teller {
    const cli_call *call;
    cli_output *output;
    bsp_json *json;
    const char *part; // the current part; NULL before the first
    char lump[32];    // records: the current lump
    uint32_t counts[3];
    uint64_t total;
} teller;

static const char *const words[] = {"added", "removed", "changed"};

static bool is_records(const teller *t) {
    return t->part != NULL && strcmp(t->part, "records") == 0;
}

static uint32_t shown(const teller *t) {
    return t->counts[0] + t->counts[1] + t->counts[2];
}

// --- JSON ---------------------------------------------------------------------------------------

static void json_text(bsp_json *json, const char *key, bsp_text text) {
    if (text.size != 0) {
        cli_json_text(json, key, text);
    }
}

static void json_difference(bsp_json *json, const bsp_difference *d) {
    bsp_json_object(json);
    cli_json_string(json, "kind", words[d->kind]);
    json_text(json, "name", d->name);
    if (d->place.record != BSP_NONE) {
        cli_json_uint(json, "record", d->place.record);
    }
    if (d->place.field != NULL) {
        cli_json_string(json, "field", d->place.field);
    }
    json_text(json, "before", d->before);
    json_text(json, "after", d->after);
    bsp_json_object_end(json);
}

static void json_open(const teller *t) {
    bsp_json_object(t->json);
    cli_json_string(t->json, "part", t->part);
    if (is_records(t)) {
        cli_json_string(t->json, "lump", t->lump);
    }
    cli_json_array(t->json, "differences");
}

static void json_close(const teller *t) {
    bsp_json_array_end(t->json);
    for (int i = 0; i < 3; i++) {
        cli_json_uint(t->json, words[i], t->counts[i]);
    }
    bsp_json_object_end(t->json);
}

// --- text ---------------------------------------------------------------------------------------

// Prints a value on one line, shortened.
static void print_value(cli_output *output, bsp_text value) {
    for (size_t i = 0; i < value.size && i < VALUE_SHOWN; i++) {
        unsigned char c = (unsigned char)value.data[i];
        if (c < ' ' || c == 0x7F) {
            cli_print(output, c == '\n' ? " " : "\\x%02x", c);
        } else {
            cli_print(output, "%c", c);
        }
    }
    cli_print(output, value.size > VALUE_SHOWN ? "..." : "");
}

static void print_difference(cli_output *output, const bsp_difference *d) {
    static const char signs[] = {'+', '-', '~'};
    static const cli_style styles[] = {CLI_NOTE, CLI_BAD, CLI_WARN};
    bool values = d->before.size != 0 || d->after.size != 0;
    cli_set_style(output, styles[d->kind]);
    cli_print(output, "  %c ", signs[d->kind]);
    if (d->place.record != BSP_NONE) {
        cli_print(output, "[%u]", (unsigned)d->place.record);
    }
    cli_print(output, "%s", d->place.record != BSP_NONE && d->name.size != 0 ? " " : "");
    print_value(output, d->name);
    if (d->place.field != NULL) {
        cli_print(output, "%s%s", d->name.size != 0 ? " " : ".", d->place.field);
    }
    cli_set_style(output, CLI_PLAIN);
    if (values) {
        cli_print(output, ": ");
        print_value(output, d->before);
        cli_print(output, d->kind == BSP_CHANGED ? " -> " : "");
        print_value(output, d->after);
    }
    cli_print(output, "\n");
}

static void print_open(const teller *t) {
    cli_print_styled(t->output, CLI_STRONG, is_records(t) ? t->lump : t->part);
    cli_print(t->output, "\n");
}

static void print_close(const teller *t) {
    bool all = !is_records(t) || options_of(t->call)->records || shown(t) <= PLACES_SHOWN;
    cli_print(t->output, "  %s", all ? "" : "... ");
    for (int i = 0, before = 0; i < 3; i++) {
        if (t->counts[i] != 0) {
            cli_print(t->output, "%s%u %s", before != 0 ? ", " : "", t->counts[i], words[i]);
            before++;
        }
    }
    cli_print(t->output, "\n");
}

// --- the differences ----------------------------------------------------------------------------

static void close_part(teller *t) {
    if (t->part == NULL) {
        return;
    }
    if (t->json != NULL) {
        json_close(t);
    } else {
        print_close(t);
    }
    t->part = NULL;
    memset(t->counts, 0, sizeof t->counts);
}

static void open_part(teller *t, const bsp_difference *d) {
    t->part = d->part;
    memcpy(t->lump, d->place.lump, sizeof t->lump);
    if (t->json != NULL) {
        json_open(t);
    } else {
        print_open(t);
    }
}

static void tell_difference(void *user, const bsp_difference *d) {
    teller *t = user;
    bool same = t->part != NULL && strcmp(t->part, d->part) == 0 &&
                (!is_records(t) || strcmp(t->lump, d->place.lump) == 0);
    if (!same) {
        close_part(t);
        open_part(t, d);
    }
    if (!is_records(t) || options_of(t->call)->records || shown(t) < PLACES_SHOWN) {
        if (t->json != NULL) {
            json_difference(t->json, d);
        } else {
            print_difference(t->output, d);
        }
    }
    t->counts[d->kind]++;
    t->total++;
}

// --- the command --------------------------------------------------------------------------------

static cli_status compare(const cli_input *input, const bsp_file *other, const char *path) {
    bsp_error error;
    teller t = {.call = input->call, .output = input->output, .json = input->json};
    if (t.json != NULL) {
        bsp_json_object(t.json);
        cli_json_string(t.json, "a", input->path);
        cli_json_string(t.json, "b", path);
        cli_json_array(t.json, "parts");
    }
    bool done = bsp_file_diff(input->file, other, tell_difference, &t, NULL, &error);
    close_part(&t);
    if (t.json != NULL) {
        bsp_json_array_end(t.json);
        cli_json_uint(t.json, "differences", t.total);
        bsp_json_object_end(t.json);
    }
    return !done ? cli_report(input->path, &error) : t.total != 0 ? CLI_PROBLEMS : CLI_DONE;
}

// The loop opens the first map; this opens the second one.
static cli_status work(const cli_input *input) {
    cli_opened other;
    const char *path = input->call->operands[1];
    if (!cli_open_map(input->call, path, NULL, &other)) {
        return CLI_FAILED;
    }
    cli_status status = compare(input, other.file, path);
    cli_close_map(&other);
    return status;
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input(call, 1, work);
}

static const char *const columns[] = {"a",
                                      "b",
                                      "parts[].part",
                                      "parts[].lump",
                                      "parts[].differences[].kind",
                                      "parts[].differences[].name",
                                      "parts[].differences[].record",
                                      "parts[].differences[].field",
                                      "parts[].differences[].before",
                                      "parts[].differences[].after",
                                      "error",
                                      NULL};

static const cli_row_form rows = {"parts[].differences[]", columns};

static const cli_option options[] = {
    {.name = "records",
     .letter = 'r',
     CLI_FLAG_TO(diff_options, records),
     .help = "Print all differences of records, and not only the first few of each lump"},
    CLI_OPTION_JSON,
    CLI_OPTIONS_ROWS,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_diff = {
    .name = "diff",
    .group = CLI_GROUP_CHECK,
    .operands = "A B",
    .summary = "Compare two maps by what they mean and what their records say",
    .description =
        "Compared are branch and revision, counts, entities (matched by class, targetname, origin, "
        "model and target, or by all keys but the origin, so that a moved one is a changed one) "
        "with their keys, textures and how many faces have them, static props, "
        "embedded files, light, and then every lump, record by record. How a map is laid out or "
        "packed does not count.\n\n"
        "Records are matched by their number: one that was put in front of others shows as a "
        "change of all of them.\n\n"
        "The exit status is 0 when nothing differs, 1 when something does, 3 when a map cannot be "
        "read.",
    .examples = {"bspkit diff maps/start.bsp maps/source.bsp",
                 "bspkit diff --records maps/start.bsp maps/start.bsp"},
    CLI_OPTIONS(options, diff_options),
    .min_operands = 2,
    .max_operands = 2,
    .reads_maps = true,
    .rows = &rows,
    .run = run,
};
