// SPDX-License-Identifier: MIT
// The --where options of a command line, held against an entity.
#include "cli/where.h"

#include "cli/glob.h"

#include <string.h>

bool cli_where_check(const cli_call *call) {
    for (size_t i = 0; i < call->num_given; i++) {
        const cli_given *given = &call->given[i];
        if (strcmp(given->option->name, "where") == 0 && strchr(given->value, '=') == NULL) {
            cli_message(call->command->name, "--where takes KEY=GLOB, not '%s'", given->value);
            return false;
        }
    }
    return true;
}

bool cli_where_given(const cli_call *call) {
    return cli_text(call, "where") != NULL;
}

// A pair whose key and value both match.
static bool has_pair(const bsp_entity *entity, bsp_text key, bsp_text value) {
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        if (cli_glob(key, entity->pairs[i].key) && cli_glob(value, entity->pairs[i].value)) {
            return true;
        }
    }
    return false;
}

// Every --where must hold.
bool cli_where_matches(const cli_call *call, const bsp_entity *entity) {
    for (size_t i = 0; i < call->num_given; i++) {
        if (strcmp(call->given[i].option->name, "where") != 0) {
            continue;
        }
        const char *text = call->given[i].value;
        const char *equals = strchr(text, '=');
        bsp_text key = {text, (size_t)(equals - text)};
        if (!has_pair(entity, key, bsp_text_of(equals + 1))) {
            return false;
        }
    }
    return true;
}

static bool is_counted(const cli_call *call, uint32_t number) {
    bool any = false;
    for (size_t i = 0; i < call->num_given; i++) {
        int64_t wanted;
        if (strcmp(call->given[i].option->name, "index") == 0 &&
            bsp_parse_int(bsp_text_of(call->given[i].value), &wanted)) {
            if (wanted == number) {
                return true;
            }
            any = true;
        }
    }
    return !any;
}

bool cli_where_selects(const cli_call *call, const bsp_entity *entity, uint32_t number) {
    return is_counted(call, number) && cli_where_matches(call, entity);
}
