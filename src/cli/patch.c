// SPDX-License-Identifier: MIT
// .lmp files: offset of the data (20), lump, lump version, size, map revision, each of 32 bits in
// the map's byte order; sheet source-lumps, section 2.
#include "cli/patch.h"

#include "cli/folder.h"

#include <stdlib.h>
#include <string.h>

static uint32_t read_word(const uint8_t *bytes, bool big_endian) {
    uint32_t word = 0;
    for (uint32_t i = 0; i < 4; i++) {
        word |= (uint32_t)bytes[i] << 8 * (big_endian ? 3 - i : i);
    }
    return word;
}

static void write_word(uint8_t *bytes, uint32_t word, bool big_endian) {
    for (uint32_t i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(word >> 8 * (big_endian ? 3 - i : i));
    }
}

bool cli_patch_read(const char *path, bsp_bytes bytes, bool big_endian, cli_patch *patch) {
    uint32_t words[5] = {0};
    for (uint32_t i = 0; i < 5 && bytes.size >= CLI_PATCH_HEAD; i++) {
        words[i] = read_word(bytes.data + 4 * i, big_endian);
    }
    if (words[0] < CLI_PATCH_HEAD || words[0] > bytes.size || words[3] > bytes.size - words[0]) {
        cli_message(path, "this is no .lmp file of a map in this byte order, or it is cut off");
        return false;
    }
    patch->lump = words[1];
    patch->version = words[2];
    patch->data = (bsp_bytes){bytes.data + words[0], words[3]};
    patch->revision = words[4];
    return true;
}

void cli_patch_head(const bsp_file *file, const bsp_lump *lump, size_t size,
                    uint8_t out[CLI_PATCH_HEAD]) {
    const bsp_file_info *info = bsp_file_get_info(file);
    const uint32_t words[5] = {CLI_PATCH_HEAD, lump->index, lump->version, (uint32_t)size,
                               info->revision};
    for (uint32_t i = 0; i < 5; i++) {
        write_word(out + 4 * i, words[i], info->detection.big_endian);
    }
}

// --- on reading ---------------------------------------------------------------------------------

static bool names_patch(const cli_given *given) {
    return strcmp(given->option->name, "lmp") == 0 && given->value != NULL;
}

bool cli_patch_given(const cli_call *call) {
    for (size_t i = 0; i < call->num_given; i++) {
        if (names_patch(&call->given[i])) {
            return true;
        }
    }
    return false;
}

// The change that a file stands for. The engine takes no file of another revision.
static bool read_change(const char *path, bsp_bytes bytes, const bsp_file *file,
                        bsp_lump_change *change) {
    const bsp_file_info *info = bsp_file_get_info(file);
    cli_patch patch;
    if (!cli_patch_read(path, bytes, info->detection.big_endian, &patch)) {
        return false;
    }
    if (info->revision == BSP_NONE || patch.lump >= info->num_directory_lumps ||
        patch.revision != info->revision) {
        cli_message(path, "it is not for this map: for lump %u of revision %u",
                    (unsigned)patch.lump, (unsigned)patch.revision);
        return false;
    }
    *change = (bsp_lump_change){.lump = patch.lump, .data = patch.data, .version = patch.version};
    (void)bsp_lzma_probe(patch.data, &change->unpacked_size);
    return true;
}

static bsp_file *open_changed(const cli_input *input, const bsp_file *file,
                              const bsp_lump_change *changes, uint32_t count, bsp_blob *blob) {
    bsp_error error;
    bsp_open_options options = {.branch = bsp_file_get_info(file)->detection.branch->name,
                                .issues = input->issues};
    bsp_file *changed = NULL;
    if (bsp_file_rewrite(file, changes, count, NULL, blob, &error)) {
        changed = bsp_file_open_memory((bsp_bytes){blob->data, blob->size}, &options, &error);
    }
    if (changed == NULL) {
        (void)cli_report(input->path, &error);
    }
    return changed;
}

bsp_file *cli_patch_open(const cli_input *input, const bsp_file *file, bsp_blob *blob) {
    const cli_call *call = input->call;
    bsp_lump_change *changes = calloc(call->num_given + 1, sizeof *changes);
    uint8_t **files = calloc(call->num_given + 1, sizeof *files);
    bsp_file *changed = NULL;
    uint32_t count = 0;
    bool good = changes != NULL && files != NULL;
    if (!good) {
        cli_message(input->path, "no memory");
    }
    for (size_t i = 0; good && i < call->num_given; i++) {
        if (names_patch(&call->given[i])) {
            size_t size;
            const char *path = call->given[i].value;
            files[count] = cli_read_file(path, &size);
            good = files[count] != NULL &&
                   read_change(path, (bsp_bytes){files[count], size}, file, &changes[count]);
            count++;
        }
    }
    if (good) {
        changed = open_changed(input, file, changes, count, blob);
    }
    for (uint32_t i = 0; i < count; i++) {
        free(files[i]);
    }
    free(files);
    free(changes);
    return changed;
}
