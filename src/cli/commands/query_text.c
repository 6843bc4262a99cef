// SPDX-License-Identifier: MIT
// Input of queries from standard input, and output that all queries share.
#include "cli/parts/json.h"
#include "cli/parts/numbers.h"
#include "cli/commands/query_answers.h"

#include <errno.h>
#include <string.h>

#define LINE_ROOM 1024

void cli_query_json_index(bsp_json *json, const char *key, uint32_t value) {
    cli_json_int(json, key, value == BSP_NONE ? -1 : (int64_t)value);
}

void cli_query_begin_json(const cli_input *input, bsp_json *json) {
    bsp_json_begin(json, cli_sink, input->output);
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
}

void cli_query_end_json(const cli_input *input, bsp_json *json) {
    bsp_json_object_end(json);
    (void)bsp_json_flush(json);
    cli_print(input->output, "\n");
}

bool cli_query_next_line(const char *what, int *line, float numbers[CLI_QUERY_NUMBERS], int *count,
                         bool *bad) {
    char text[LINE_ROOM];
    while (fgets(text, sizeof text, stdin) != NULL) {
        ++*line;
        bool whole = strchr(text, '\n') != NULL || feof(stdin);
        if (whole && (text[0] == '#' || text[strspn(text, " \t\r\n")] == '\0')) {
            continue;
        }
        *count = whole ? cli_read_numbers(text, numbers, CLI_QUERY_NUMBERS) : -1;
        if (*count < 0) {
            cli_message("standard input", "line %d: %s was expected", *line, what);
            *bad = true;
        }
        return *count >= 0;
    }
    if (ferror(stdin)) {
        cli_message_system("standard input", errno);
        *bad = true;
    }
    return false;
}

void cli_query_print_contents(cli_output *output, const bsp_map *map, int32_t contents) {
    if (map->traits->contents_numbers) {
        cli_print(output, "%d", (int)contents);
    } else {
        cli_print(output, "0x%X", (unsigned)contents);
    }
}

void cli_query_json_contents(bsp_json *json, const bsp_map *map, int32_t contents) {
    cli_json_int(json, "contents",
                 map->traits->contents_numbers ? (int64_t)contents : (uint32_t)contents);
}

void cli_query_json_names(bsp_json *json, const bsp_map *map, int32_t contents) {
    cli_json_array(json, "contents_names");
    for (uint32_t bit = 0; bit < 32 && !map->traits->contents_numbers; bit++) {
        uint32_t flag = (uint32_t)contents & (1u << bit);
        const char *name = flag == 0 ? NULL : bsp_query_flag_name(map->branch, flag);
        if (name != NULL) {
            bsp_json_string(json, name);
        }
    }
    bsp_json_array_end(json);
}
