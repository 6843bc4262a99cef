// SPDX-License-Identifier: MIT
// Maps of Tactical Intervention are scrambled: each byte is xored with a byte of a repeating key.
// Source: sheet source-versions (3).
#include "bspkit/formats.h"

#include "core/reader.h"

#include <assert.h>
#include <string.h>

// The directory entries 23 to 25 lie here in part. They are zero, so these bytes are the key
// itself. The offset is a multiple of the key's size.
#define KEY_SHOWS_AT 384u
#define MOST_VERSION 255u // a small range, so that a random key does not pass

void bsp_scramble(const uint8_t key[BSP_KEY_SIZE], uint64_t offset, uint8_t *data, size_t size) {
    assert(key != NULL);
    assert(data != NULL || size == 0);
    for (size_t i = 0; i < size; i++) {
        data[i] ^= key[(offset + i) % BSP_KEY_SIZE];
    }
}

bool bsp_find_key(bsp_bytes file, uint8_t key[BSP_KEY_SIZE]) {
    assert(key != NULL);
    bsp_bytes shown = bspi_slice(file, KEY_SHOWS_AT, BSP_KEY_SIZE);
    uint8_t head[8];
    if (shown.size == 0 || memcmp(file.data, "VBSP", 4) == 0) {
        return false;
    }
    memcpy(head, file.data, sizeof head);
    bsp_scramble(shown.data, 0, head, sizeof head);
    uint32_t version = bspi_load32(head + 4, false);
    if (memcmp(head, "VBSP", 4) != 0 || version > MOST_VERSION) {
        return false;
    }
    memcpy(key, shown.data, BSP_KEY_SIZE);
    return true;
}
