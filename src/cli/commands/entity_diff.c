// SPDX-License-Identifier: MIT
// Prints the differences of two lists of entities.
#include "cli/commands/entity_diff.h"

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

static void print_changed(const cli_entity_diff *d, const bsp_entity_match *m, cli_output *output) {
    const bsp_entity *before = &d->before->list[m->before];
    const bsp_entity *after = &d->after->list[m->after];
    print_heading(output, m->before, before);
    for (uint32_t i = 0; i < m->num_pairs; i++) {
        if (m->pairs[i].before != BSP_NONE) {
            print_pair(output, "- ", &before->pairs[m->pairs[i].before]);
        }
    }
    for (uint32_t i = 0; i < m->num_came; i++) {
        print_pair(output, "+ ", &after->pairs[m->came[i]]);
    }
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
            print_changed(d, m, output);
        }
    }
}

// --- Stripper:Source ----------------------------------------------------------------------------

static bool print_piece(void *user, const char *data, size_t size) {
    cli_output *output = user;
    cli_print_text(output, (bsp_text){data, size});
    return output->failure == 0;
}

// What fails is the output, which knows it.
void cli_entity_stripper_add(const bsp_entity *entity, cli_output *output) {
    (void)bsp_entity_stripper(entity, print_piece, output, NULL);
}

void cli_entity_diff_stripper(const cli_entity_diff *d, cli_output *output) {
    (void)bsp_entity_diff_stripper(d->found, d->before, d->after, print_piece, output, NULL);
}
