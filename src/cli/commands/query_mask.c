// SPDX-License-Identifier: MIT
// The option --mask of queries.
#include "cli/parts/near.h"
#include "cli/commands/query_answers.h"

#include <stdio.h>
#include <string.h>

#define WORD_ROOM 1024 // characters of a name in --mask

static void refuse_mask(const char *command, const bsp_map *map, bsp_text word) {
    char given[WORD_ROOM];
    char hint[CLI_NEAR_ROOM];
    cli_near near = {.word = given};
    (void)snprintf(given, sizeof given, "%.*s", (int)word.size, word.data);
    for (uint32_t bit = 0; bit < 32; bit++) {
        const char *name = bsp_query_flag_name(map->branch, 1u << bit);
        if (name != NULL) {
            cli_near_try(&near, name);
        }
    }
    cli_message(command, "--mask: no contents of branch %s are called '%s'%s", map->branch->name,
                given, cli_near_hint(&near, "", "", hint));
}

bool cli_query_mask(const cli_input *input, const bsp_map *map, uint32_t *mask) {
    const char *text = cli_query_options_of(input->call)->mask;
    int64_t number;
    *mask = 0;
    if (text == NULL) {
        return true;
    }
    if (bsp_parse_int(bsp_text_of(text), &number) && number >= INT32_MIN && number <= UINT32_MAX) {
        *mask = (uint32_t)number;
        return true;
    }
    while (*(text += strspn(text, ", |+")) != '\0') {
        bsp_text word = {text, strcspn(text, ", |+")};
        uint32_t flag = bsp_query_flag(map->branch, word);
        if (flag == 0) {
            refuse_mask(input->call->command->name, map, word);
            return false;
        }
        *mask |= flag;
        text += word.size;
    }
    return true;
}
