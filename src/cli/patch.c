// SPDX-License-Identifier: MIT
// .lmp files: offset of the data (20), lump, lump version, size, map revision, each of 32 bits in
// the map's byte order; sheet source-lumps, section 2.
#include "cli/patch.h"

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
