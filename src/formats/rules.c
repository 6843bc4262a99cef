// SPDX-License-Identifier: MIT
// The lists of rules and branches of all table files.
#include "formats/rules.h"

#include <assert.h>
#include <string.h>

#define LIST(file) &bspi_##file##_rules,
static const bspi_rule_list *const lists[] = {BSPI_RULE_LISTS(LIST)};

const bspi_rule *bspi_rule_at(size_t index) {
    for (size_t i = 0; i < LENGTH(lists); i++) {
        if (index < lists[i]->count) {
            return &lists[i]->rules[index];
        }
        index -= lists[i]->count;
    }
    return NULL;
}

const bsp_branch *bsp_branch_at(size_t index) {
    const bsp_branch *last = NULL;
    const bspi_rule *rule;
    for (size_t i = 0; (rule = bspi_rule_at(i)) != NULL; i++) {
        bool next = rule->branch != last;
        if (next && index-- == 0) {
            return rule->branch;
        }
        last = rule->branch;
    }
    return NULL;
}

const bsp_branch *bsp_branch_find(const char *name) {
    assert(name != NULL);
    const bspi_rule *rule;
    for (size_t i = 0; (rule = bspi_rule_at(i)) != NULL; i++) {
        if (strcmp(rule->branch->name, name) == 0) {
            return rule->branch;
        }
    }
    return NULL;
}
