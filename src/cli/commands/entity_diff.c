// SPDX-License-Identifier: MIT
// Prints the differences of two lists of entities.
#include "cli/commands/entity_diff.h"

#include <errno.h>
#include <stdlib.h>

bool cli_entity_diff_new(cli_entity_diff *d, const char *path, const bsp_entities *before,
                         const bsp_entities *after, const uint32_t *before_of) {
    bsp_error error;
    *d =
        (cli_entity_diff){before, after, bsp_entities_diff(before, after, before_of, NULL, &error)};
    return d->found != NULL || cli_report(path, &error) == CLI_DONE;
}

void cli_entity_diff_free(cli_entity_diff *d) {
    bsp_entity_diff_free(d->found);
    d->found = NULL;
}

// --- lines --------------------------------------------------------------------------------------

static void print_heading(cli_output *output, uint32_t number, const bsp_entity *entity) {
    bsp_text name = bsp_entity_value(entity, "targetname");
    cli_set_style(output, CLI_STRONG);
    cli_print(output, "@ %u ", (unsigned)number);
    cli_print_text(output, bsp_entity_value(entity, "classname"));
    cli_print(output, "%s", name.size == 0 ? "" : " ");
    cli_print_text(output, name);
    cli_set_style(output, CLI_PLAIN);
    cli_print(output, "\n");
}

static void print_pair(cli_output *output, const char *before, const bsp_pair *pair) {
    cli_print(output, "%s\"", before);
    cli_print_text(output, pair->key);
    cli_print(output, "\" \"");
    cli_print_text(output, pair->value);
    cli_print(output, "\"\n");
}

static void print_entity(cli_output *output, const char *before, const bsp_entity *entity) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        print_pair(output, before, &entity->pairs[i]);
    }
}

// Prints the removed pairs (`gone`), or the added ones, in the order of their entity.
static bool print_pairs(const cli_entity_diff *d, const bsp_entity_match *m, bool gone,
                        const char *before, cli_output *output) {
    const bsp_entity *entity = gone ? &d->before->list[m->before] : &d->after->list[m->after];
    bool *differs = calloc((size_t)entity->num_pairs + 1, sizeof *differs);
    if (differs == NULL) {
        cli_message(NULL, "no memory");
        output->failure = output->failure == 0 ? ENOMEM : output->failure;
        return false;
    }
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        uint32_t pair = gone ? m->pairs[i].before : m->pairs[i].after;
        if (pair != BSP_NONE) {
            differs[pair] = true;
        }
    }
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        if (differs[i]) {
            print_pair(output, before, &entity->pairs[i]);
        }
    }
    free(differs);
    return true;
}

void cli_entity_diff_print(const cli_entity_diff *d, cli_output *output) {
    uint32_t number = d->before->count;
    for (uint32_t i = 0; i < d->found->count; i++) {
        const bsp_entity_match *m = &d->found->matches[i];
        if (m->before == BSP_NONE) {
            print_heading(output, number++, &d->after->list[m->after]);
            print_entity(output, "+ ", &d->after->list[m->after]);
        } else if (m->after == BSP_NONE) {
            print_heading(output, m->before, &d->before->list[m->before]);
            print_entity(output, "- ", &d->before->list[m->before]);
        } else if (m->num_pairs != 0) {
            print_heading(output, m->before, &d->before->list[m->before]);
            (void)(print_pairs(d, m, true, "- ", output) && print_pairs(d, m, false, "+ ", output));
        }
    }
}

// --- Stripper:Source ----------------------------------------------------------------------------

// Returns true for a value between slashes, which Stripper would take for a regular expression.
static bool is_pattern(const bsp_pair *pair) {
    size_t size = pair->value.size;
    return size > 1 && pair->value.data[0] == '/' && pair->value.data[size - 1] == '/';
}

static void print_match(cli_output *output, const char *before, const bsp_entity *entity) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        if (!is_pattern(&entity->pairs[i])) {
            print_pair(output, before, &entity->pairs[i]);
        }
    }
}

void cli_entity_stripper_add(const bsp_entity *entity, cli_output *output) {
    cli_print(output, "add:\n{\n");
    print_entity(output, "", entity);
    cli_print(output, "}\n");
}

// Returns true if there are removed (`gone`) or added pairs; a changed pair counts as both.
static bool has_pairs(const bsp_entity_match *m, bool gone) {
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        if (m->pairs[i].kind != (gone ? BSP_ADDED : BSP_REMOVED)) {
            return true;
        }
    }
    return false;
}

static void print_block(const cli_entity_diff *d, const bsp_entity_match *m, bool gone,
                        cli_output *output) {
    if (has_pairs(m, gone)) {
        cli_print(output, "    %s:\n    {\n", gone ? "delete" : "insert");
        (void)print_pairs(d, m, gone, "        ", output);
        cli_print(output, "    }\n");
    }
}

static void print_modify(const cli_entity_diff *d, const bsp_entity_match *m, cli_output *output) {
    cli_print(output, "modify:\n{\n    match:\n    {\n");
    print_match(output, "        ", &d->before->list[m->before]);
    cli_print(output, "    }\n");
    print_block(d, m, true, output);
    print_block(d, m, false, output);
    cli_print(output, "}\n");
}

void cli_entity_diff_stripper(const cli_entity_diff *d, cli_output *output) {
    for (uint32_t i = 0; i < d->found->count; i++) {
        const bsp_entity_match *m = &d->found->matches[i];
        if (m->before == BSP_NONE) {
            cli_entity_stripper_add(&d->after->list[m->after], output);
        } else if (m->after == BSP_NONE) {
            cli_print(output, "filter:\n{\n");
            print_match(output, "", &d->before->list[m->before]);
            cli_print(output, "}\n");
        } else if (m->num_pairs != 0) {
            print_modify(d, m, output);
        }
    }
}
