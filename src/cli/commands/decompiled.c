// SPDX-License-Identifier: MIT
// Reports of the decompiler.
#include "cli/commands/decompiled.h"

#include "cli/parts/json.h"

#include <stdlib.h>
#include <string.h>

// The counts of the library, with their names in JSON and in text.
typedef struct count {
    const char *key;
    const char *one; // name of one, in text
    const char *label;
    size_t offset; // in cli_decompiled
} count;

#define REPORT(member) offsetof(cli_decompiled, report.member)
#define LOSS(member) offsetof(cli_decompiled, losses.member)

static const count counts[] = {
    {"brushes_in", "brush in the map", "brushes in the map", REPORT(brushes_in)},
    {"brushes_out", "brush written", "brushes written", REPORT(brushes_out)},
    {"brushes_lost", "brush lost", "brushes lost", REPORT(brushes_lost)},
    {"sides", "side", "sides", REPORT(sides)},
    {"sides_faced", "  textured from a face", "  textured from a face", REPORT(sides_faced)},
    {"sides_kept", "  textured from its record", "  textured from their record",
     REPORT(sides_kept)},
    {"sides_guessed", "  textured by guess", "  textured by guess", REPORT(sides_guessed)},
    {"bevels", "bevel left out", "bevels left out", REPORT(bevels)},
    {"patches", "patch", "patches", REPORT(patches)},
    {"displacements", "displacement", "displacements", REPORT(displacements)},
    {"displacements_lost", "displacement lost", "displacements lost", REPORT(displacements_lost)},
    {"overlays", "overlay", "overlays", REPORT(overlays)},
    {"cubemaps", "cubemap", "cubemaps", REPORT(cubemaps)},
    {"static_props", "static prop", "static props", REPORT(static_props)},
    {"detail_props", "detail prop", "detail props", REPORT(detail_props)},
    {"renamed", "material with its first name restored", "materials with their first name restored",
     REPORT(renamed)},
    {"outputs", "entity output", "entity outputs", REPORT(outputs)},
    {"protections", "trick against decompilers", "tricks against decompilers", REPORT(protections)},
    {"mappings_lost", "side whose mapping the dialect cannot say",
     "sides whose mapping the dialect cannot say", LOSS(mappings)},
    {"patches_left_out", "patch that the dialect has none of",
     "patches that the dialect has none of", LOSS(patches)},
    {"displacements_left_out", "displacement that the dialect has none of",
     "displacements that the dialect has none of", LOSS(displacements)},
    {"texture_sizes_guessed", "side with a texture of unknown size",
     "sides with a texture of unknown size", LOSS(sizes)},
    {"files_extracted", "embedded file written", "embedded files written",
     offsetof(cli_decompiled, extracted)},
    {"files_passed", "embedded file of the compilers passed over",
     "embedded files of the compilers passed over", offsetof(cli_decompiled, passed)},
};

static uint32_t value_of(const cli_decompiled *d, const count *c) {
    uint32_t value;
    memcpy(&value, (const char *)d + c->offset, sizeof value);
    return value;
}

// --- entities by class --------------------------------------------------------------------------

static int compare_texts(const void *a, const void *b) {
    const bsp_text *x = a;
    const bsp_text *y = b;
    size_t size = x->size < y->size ? x->size : y->size;
    int order = size == 0 ? 0 : memcmp(x->data, y->data, size);
    return order != 0 ? order : (x->size > y->size) - (x->size < y->size);
}

// Returns the classnames of all entities, sorted; NULL without memory.
static bsp_text *sorted_classes(const bsp_mapdoc *source) {
    bsp_text *classes = calloc((size_t)source->num_entities + 1, sizeof *classes);
    for (uint32_t i = 0; classes != NULL && i < source->num_entities; i++) {
        classes[i] = bsp_mapdoc_value(source, i, "classname");
    }
    if (classes != NULL) {
        qsort(classes, source->num_entities, sizeof *classes, compare_texts);
    }
    return classes;
}

typedef void (*class_printer)(void *to, bsp_text name, uint32_t number);

static void for_each_class(const bsp_mapdoc *source, class_printer print, void *to) {
    bsp_text *classes = sorted_classes(source);
    for (uint32_t i = 0; classes != NULL && i < source->num_entities;) {
        uint32_t end = i + 1;
        while (end < source->num_entities && bsp_text_equal(classes[i], classes[end])) {
            end++;
        }
        print(to, classes[i], end - i);
        i = end;
    }
    free(classes);
}

static void class_json(void *to, bsp_text name, uint32_t number) {
    bsp_json_array(to);
    bsp_json_text(to, name);
    bsp_json_uint(to, number);
    bsp_json_array_end(to);
}

static void class_line(void *to, bsp_text name, uint32_t number) {
    cli_print(to, "%8u  ", (unsigned)number);
    cli_print_text(to, name.size != 0 ? name : bsp_text_of("(no class)"));
    cli_print(to, "\n");
}

// --- the report ---------------------------------------------------------------------------------

static void print_json(const cli_decompiled *d, cli_output *output) {
    bsp_json json;
    size_t found;
    const bsp_issue *issues = bsp_issues_list(d->issues, &found);
    bsp_json_begin(&json, cli_sink, output);
    bsp_json_object(&json);
    cli_json_string(&json, "file", d->path);
    cli_json_string(&json, "output", d->written);
    cli_json_string(&json, "dialect", bsp_dialect_name(d->dialect));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        cli_json_uint(&json, counts[i].key, value_of(d, &counts[i]));
    }
    cli_json_array(&json, "entities");
    for_each_class(d->source, class_json, &json);
    bsp_json_array_end(&json);
    cli_json_array(&json, "missing");
    for (size_t i = 0; i < found; i++) {
        char place[BSP_PLACE_TEXT];
        (void)bsp_format_place(place, &issues[i].place);
        bsp_json_object(&json);
        cli_json_string(&json, "id", issues[i].kind->id);
        cli_json_string(&json, "severity", bsp_severity_name(issues[i].kind->severity));
        cli_json_string(&json, "place", place);
        cli_json_string(&json, "text", issues[i].text);
        bsp_json_object_end(&json);
    }
    bsp_json_array_end(&json);
    bsp_json_object_end(&json);
    (void)bsp_json_flush(&json);
    cli_print(output, "\n");
}

static void print_text(const cli_decompiled *d, cli_output *output) {
    size_t found;
    const bsp_issue *issues = bsp_issues_list(d->issues, &found);
    cli_print_text(output, bsp_text_of(d->path));
    cli_print(output, " -> ");
    cli_print_text(output, bsp_text_of(d->written));
    cli_print(output, " (%s)\n", bsp_dialect_name(d->dialect));
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        uint32_t value = value_of(d, &counts[i]);
        if (value != 0) {
            cli_print(output, "%8u  %s\n", (unsigned)value,
                      value == 1 ? counts[i].one : counts[i].label);
        }
    }
    cli_print(output, "%8u  %s:\n", (unsigned)d->source->num_entities,
              d->source->num_entities == 1 ? "entity" : "entities");
    for_each_class(d->source, class_line, output);
    for (size_t i = 0; i < found; i++) {
        char place[BSP_PLACE_TEXT];
        (void)bsp_format_place(place, &issues[i].place);
        cli_print(output, "%s: %s%s", bsp_severity_name(issues[i].kind->severity), place,
                  place[0] == '\0' ? "" : ": ");
        cli_print_text(output, bsp_text_of(issues[i].text));
        cli_print(output, "\n");
    }
}

void cli_decompiled_print(const cli_decompiled *d, const cli_call *call, cli_output *output) {
    if (call->common->json) {
        print_json(d, output);
    } else if (cli_decompile_options_of(call)->report) {
        print_text(d, output);
    }
}
