// SPDX-License-Identifier: MIT
// Parts of a visibility run on the command line.
#include "cli/commands/vis_parts.h"

#include "cli/parts/budget.h"

#include <stdlib.h>
#include <string.h>

#define ENDING ".part"
#define BEGINNING "BSPKITVIS PART"

bool cli_part_parse(const char *text, uint32_t *number, uint32_t *count) {
    char *end;
    unsigned long first = strtoul(text, &end, 10);
    unsigned long second = end != text && *end == '/' ? strtoul(end + 1, &end, 10) : 0;
    bool digits = strspn(text, "0123456789/") == strlen(text) && *end == '\0';
    if (!digits || first == 0 || first > second || second > BSP_VIS_MOST_PARTS) {
        cli_message(NULL, "--part %s is not K/N: part K, from 1, of N, at most %u", text,
                    BSP_VIS_MOST_PARTS);
        return false;
    }
    *number = (uint32_t)first;
    *count = (uint32_t)second;
    return true;
}

static bool begins_as_part(const char *path) {
    char begin[sizeof BEGINNING - 1];
    FILE *stream = fopen(path, "rb");
    bool is = stream != NULL && fread(begin, sizeof begin, 1, stream) == 1 &&
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

bool cli_parts_open(const cli_call *call, cli_parts *out) {
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

void cli_parts_drop(cli_parts *parts) {
    for (uint32_t i = 0; i < parts->count; i++) {
        bsp_blob_free(&parts->blobs[i]);
    }
    free(parts->blobs);
    free(parts->bytes);
    free(parts->paths);
    free(parts->maps);
    *parts = (cli_parts){0};
}

cli_status cli_parts_check(const cli_parts *parts, const bsp_portals *portals, double distance) {
    for (uint32_t i = 0; i < parts->count; i++) {
        bsp_vis_part part;
        bsp_error error;
        if (!bsp_vis_part_read(parts->bytes[i], portals, distance, &part, &error)) {
            return cli_report(parts->paths[i], &error);
        }
    }
    return CLI_DONE;
}
