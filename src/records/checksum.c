// SPDX-License-Identifier: MIT
// The checksums that servers and clients compare, as each engine computes them.
#include "pack/md4.h"
#include "pack/md5.h"
#include "pack/sha256.h"
#include "records/verified_ranges.h"

#include <assert.h>

static bsp_bytes bytes_of(const bsp_file *file, const bsp_lump *lump) {
    return bspi_lump_stored(file, lump);
}

// The engines use the register of the CRC as it is; zlib inverts it at the end.
static uint32_t crc_by_index(const bsp_file *file) {
    bspi_window window = {.file = file};
    uint32_t crc = 0;
    for (uint32_t i = 1; i < file->info.num_directory_lumps; i++) {
        crc = bspi_verified_crc32(&window, crc, bytes_of(file, &file->lumps[i]));
    }
    return ~crc;
}

static bool is_before(const bsp_file *file, uint32_t a, uint32_t b) {
    uint64_t x = file->lumps[a].offset;
    uint64_t y = file->lumps[b].offset;
    return x != y ? x < y : a < b;
}

// The lump of the directory that stands next in the file after `last`, for BSP_NONE the first; or
// BSP_NONE. Directories are short.
static uint32_t next_by_offset(const bsp_file *file, uint32_t last) {
    uint32_t next = BSP_NONE;
    for (uint32_t i = 0; i < file->info.num_directory_lumps; i++) {
        if ((last == BSP_NONE || is_before(file, last, i)) &&
            (next == BSP_NONE || is_before(file, i, next))) {
            next = i;
        }
    }
    return next;
}

static uint32_t crc_by_offset(const bsp_file *file) {
    bspi_window window = {.file = file};
    uint32_t crc = 0;
    for (uint32_t i = next_by_offset(file, BSP_NONE); i != BSP_NONE; i = next_by_offset(file, i)) {
        if (i != 0) {
            crc = bspi_verified_crc32(&window, crc, bytes_of(file, &file->lumps[i]));
        }
    }
    return ~crc;
}

// Xors the checksums of the lumps, empty ones included. `second` leaves out the lumps that tools
// for visibility (vispatch) replace.
static uint32_t xor_of_lumps(const bsp_file *file, bool second) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < file->info.num_directory_lumps; i++) {
        const bsp_lump *lump = &file->lumps[i];
        bool replaced =
            lump->id == BSP_ID_VISIBILITY || lump->id == BSP_ID_LEAVES || lump->id == BSP_ID_NODES;
        if (lump->id != BSP_ID_ENTITIES && !(second && replaced)) {
            sum ^= bspi_block_checksum(bytes_of(file, lump));
        }
    }
    return sum;
}

static bsp_checksum rule_of(const bsp_file *file) {
    return bsp_branch_traits(file->info.detection.branch)->checksum;
}

bool bsp_file_checksum(const bsp_file *file, uint32_t *checksum) {
    assert(file != NULL && checksum != NULL);
    switch (rule_of(file)) {
    case BSP_CHECKSUM_UNKNOWN:
        return false;
    case BSP_CHECKSUM_MD4_LUMPS:
        *checksum = xor_of_lumps(file, false);
        return true;
    case BSP_CHECKSUM_MD4_FILE:
        *checksum = bspi_block_checksum(file->info.bytes);
        return true;
    case BSP_CHECKSUM_CRC_LUMPS:
    case BSP_CHECKSUM_CRC_MD5_LUMPS:
        *checksum = crc_by_index(file);
        return true;
    case BSP_CHECKSUM_CRC_OFFSETS:
        *checksum = crc_by_offset(file);
        return true;
    }
    return false;
}

bool bsp_file_checksum2(const bsp_file *file, uint32_t *checksum) {
    assert(file != NULL && checksum != NULL);
    if (rule_of(file) != BSP_CHECKSUM_MD4_LUMPS) {
        return false;
    }
    *checksum = xor_of_lumps(file, true);
    return true;
}

bool bsp_file_md5(const bsp_file *file, uint8_t digest[16]) {
    assert(file != NULL && digest != NULL);
    bspi_window window = {.file = file};
    bspi_md5 md5;
    if (rule_of(file) != BSP_CHECKSUM_CRC_MD5_LUMPS) {
        return false;
    }
    bspi_md5_begin(&md5);
    for (uint32_t i = 1; i < file->info.num_directory_lumps; i++) {
        bsp_bytes rest = bytes_of(file, &file->lumps[i]);
        for (bsp_bytes step; (step = bspi_window_step(&rest)).size != 0;) {
            bspi_md5_add(&md5, step);
            bspi_window_pass(&window, step);
        }
    }
    bspi_md5_end(&md5, digest);
    return true;
}

void bsp_file_sha256(const bsp_file *file, uint8_t digest[32]) {
    assert(file != NULL && digest != NULL);
    bspi_window window = {.file = file};
    bspi_sha256 sha256;
    bsp_bytes rest = file->stored;
    bspi_sha256_begin(&sha256);
    for (bsp_bytes step; (step = bspi_window_step(&rest)).size != 0;) {
        bspi_sha256_add(&sha256, step);
        bspi_window_pass(&window, step);
    }
    bspi_sha256_end(&sha256, digest);
}
