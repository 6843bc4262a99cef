// SPDX-License-Identifier: MIT
// The --where and --index options of a command line as a filter of entities.
#include "cli/parts/select.h"

#include <stdlib.h>
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

bool cli_filter_open(cli_filter *f, const cli_call *call) {
    const cli_list *where = &call->common->where;
    const cli_list *indices = &call->common->indices;
    *f = (cli_filter){.where = calloc(where->count + 1, sizeof *f->where),
                      .indices = calloc(indices->count + 1, sizeof *f->indices)};
    if (f->where == NULL || f->indices == NULL) {
        cli_filter_close(f);
        cli_message(call->command->name, "no memory");
        return false;
    }
    for (size_t i = 0; i < where->count; i++) {
        const char *text = where->items[i].value;
        const char *equals = strchr(text, '=');
        f->where[i] = (bsp_pair){{text, (size_t)(equals - text)}, bsp_text_of(equals + 1)};
    }
    for (size_t i = 0; i < indices->count; i++) {
        int64_t number;
        bool good = bsp_parse_int(bsp_text_of(indices->items[i].value), &number) && number >= 0 &&
                    number < BSP_NONE;
        f->indices[i] = good ? (uint32_t)number : BSP_NONE; // no entity has this one
    }
    f->filter =
        (bsp_entity_filter){f->where, (uint32_t)where->count, f->indices, (uint32_t)indices->count};
    return true;
}

void cli_filter_close(cli_filter *f) {
    free(f->where);
    free(f->indices);
    *f = (cli_filter){.where = NULL};
}
