// SPDX-License-Identifier: MIT
// The --where options of a command line, held against an entity.
#include "cli/parts/select.h"

#include "cli/parts/glob.h"

#include <string.h>

bool cli_where_check(const cli_call *call) {
    const cli_list *where = &call->common->where;
    for (size_t i = 0; i < where->count; i++) {
        if (strchr(where->items[i].value, '=') == NULL) {
            cli_message(call->command->name, "--where takes KEY=GLOB, not '%s'",
                        where->items[i].value);
            return false;
        }
    }
    return true;
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
    const cli_list *where = &call->common->where;
    for (size_t i = 0; i < where->count; i++) {
        const char *text = where->items[i].value;
        const char *equals = strchr(text, '=');
        bsp_text key = {text, (size_t)(equals - text)};
        if (!has_pair(entity, key, bsp_text_of(equals + 1))) {
            return false;
        }
    }
    return true;
}

static bool is_counted(const cli_call *call, uint32_t number) {
    const cli_list *indices = &call->common->indices;
    for (size_t i = 0; i < indices->count; i++) {
        int64_t wanted;
        if (bsp_parse_int(bsp_text_of(indices->items[i].value), &wanted) && wanted == number) {
            return true;
        }
    }
    return indices->count == 0;
}

bool cli_where_selects(const cli_call *call, const bsp_entity *entity, uint32_t number) {
    return is_counted(call, number) && cli_where_matches(call, entity);
}
