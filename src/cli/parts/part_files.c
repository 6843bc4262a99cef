// SPDX-License-Identifier: MIT
// Tells files of parts from maps among the operands, by their ending or their first bytes, and
// gives all of them to what merges them into the one map.
#include "cli/parts/part_files.h"

#include "cli/parts/budget.h"
#include "cli/parts/write_map.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define ENDING ".part"
#define BEGINNING "BSPKIT" // of all parts; no map begins so
#define MOST_PARTS BSP_VIS_MOST_PARTS
static_assert(MOST_PARTS == BSP_RELIGHT_MOST_PARTS, "one option for both");

bool cli_parts_allowed(const cli_call *call, bool others, const char *names) {
    const cli_common *common = call->common;
    uint32_t number;
    uint32_t count;
    if (common->part != NULL && (common->merge || others || call->num_operands != 1 ||
                                 common->output == NULL || common->in_place)) {
        cli_message(NULL, "--part takes one map and -o FILE, without --merge, --in-place, %s",
                    names);
        return false;
    }
    if (common->merge && others) {
        cli_message(NULL, "--merge goes without %s", names);
        return false;
    }
    return common->part == NULL || cli_part_parse(common->part, &number, &count);
}

bool cli_part_parse(const char *text, uint32_t *number, uint32_t *count) {
    char *end;
    unsigned long first = strtoul(text, &end, 10);
    unsigned long second = end != text && *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    bool digits = strspn(text, "0123456789/") == strlen(text) && *end == '\0';
    if (!digits || first == 0 || first > second || second > MOST_PARTS) {
        cli_message(NULL, "--part takes K/N, part K from 1 of N at most %u, not '%s'", MOST_PARTS,
                    text);
        return false;
    }
    *number = (uint32_t)first;
    *count = (uint32_t)second;
    return true;
}

static bool begins_as_part(const char *path) {
    char begin[sizeof BEGINNING - 1];
    FILE *stream = fopen(path, "rb");
    bool is = stream != NULL && fread(begin, 1, sizeof begin, stream) == sizeof begin &&
              memcmp(begin, BEGINNING, sizeof begin) == 0;
    if (stream != NULL) {
        fclose(stream);
    }
    return is;
}

static bool is_part(const char *path) {
    size_t size = strlen(path);
    size_t ending = sizeof ENDING - 1;
    return (size > ending && strcmp(path + size - ending, ENDING) == 0) || begins_as_part(path);
}

static bool open_parts(const cli_call *call, cli_parts *out) {
    size_t room = (size_t)call->num_operands;
    *out = (cli_parts){.blobs = calloc(room, sizeof *out->blobs),
                       .bytes = calloc(room, sizeof *out->bytes),
                       .paths = calloc(room, sizeof *out->paths),
                       .maps = calloc(room, sizeof *out->maps)};
    if (out->blobs == NULL || out->bytes == NULL || out->paths == NULL || out->maps == NULL) {
        cli_message(NULL, "no memory");
        return false;
    }
    for (size_t i = 0; i < room; i++) {
        bsp_error error;
        if (!is_part(call->operands[i])) {
            out->maps[out->num_maps++] = call->operands[i];
            continue;
        }
        bsp_blob *blob = &out->blobs[out->count];
        if (!bsp_blob_read(call->operands[i], cli_budget(), NULL, blob, &error)) {
            cli_report(call->operands[i], &error);
            return false;
        }
        out->bytes[out->count] = (bsp_bytes){blob->data, blob->size};
        out->paths[out->count++] = call->operands[i];
    }
    return true;
}

static void drop_parts(cli_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        bsp_blob_free(&parts->blobs[i]);
    }
    free(parts->blobs);
    free(parts->bytes);
    free(parts->paths);
    free(parts->maps);
    *parts = (cli_parts){0};
}

cli_status cli_parts_check(const cli_parts *parts,
                           bool (*check)(void *user, bsp_bytes part, bsp_error *error),
                           void *user) {
    for (uint32_t i = 0; i < parts->count; i++) {
        bsp_error error;
        if (!check(user, parts->bytes[i], &error)) {
            return cli_report(parts->paths[i], &error);
        }
    }
    return CLI_DONE;
}

cli_status cli_parts_merge(const cli_call *call, cli_parts *parts,
                           cli_status (*change)(const cli_input *input)) {
    cli_status status = CLI_FAILED;
    if (open_parts(call, parts)) {
        status = CLI_USAGE;
        if (parts->count == 0 || parts->num_maps != 1) {
            cli_message(NULL, "--merge takes one map and all of its parts");
        } else {
            status = cli_for_each_edited(call, parts->maps, 1, change);
        }
    }
    drop_parts(parts);
    return status;
}
