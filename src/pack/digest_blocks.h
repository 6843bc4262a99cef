// SPDX-License-Identifier: MIT
// How MD4, MD5 and SHA-256 take bytes: in blocks of 64, of which the last ends in one set bit,
// zeros, and the number of bits.
#ifndef BSPI_PACK_DIGEST_BLOCKS_H
#define BSPI_PACK_DIGEST_BLOCKS_H

#include "core/reader.h"

#define BSPI_DIGEST_BLOCK 64u

typedef struct bspi_digest_blocks {
    uint64_t size;                   ///< bytes added
    uint8_t rest[BSPI_DIGEST_BLOCK]; ///< the last bytes, which do not yet fill a block
} bspi_digest_blocks;

/// Adds a block to the state of a digest.
typedef void bspi_digest_fn(uint32_t *state, const uint8_t *block);

/// Adds bytes: each block as it is full.
static inline void bspi_digest_blocks_add(bspi_digest_blocks *blocks, bspi_digest_fn *add_block,
                                          uint32_t *state, bsp_bytes data) {
    size_t used = (size_t)(blocks->size % BSPI_DIGEST_BLOCK);
    blocks->size += data.size;
    if (used != 0) {
        size_t room = BSPI_DIGEST_BLOCK - used;
        size_t take = data.size < room ? data.size : room;
        if (take != 0) {
            memcpy(blocks->rest + used, data.data, take);
            data.data += take;
            data.size -= take;
        }
        if (take < room) {
            return;
        }
        add_block(state, blocks->rest);
    }
    for (; data.size >= BSPI_DIGEST_BLOCK;
         data.data += BSPI_DIGEST_BLOCK, data.size -= BSPI_DIGEST_BLOCK) {
        add_block(state, data.data);
    }
    if (data.size != 0) {
        memcpy(blocks->rest, data.data, data.size);
    }
}

/// Adds the end; `big_endian` is the byte order of the digest.
static inline void bspi_digest_blocks_end(bspi_digest_blocks *blocks, bspi_digest_fn *add_block,
                                          uint32_t *state, bool big_endian) {
    static const uint8_t end[BSPI_DIGEST_BLOCK] = {0x80};
    uint8_t length[8];
    size_t length_at = BSPI_DIGEST_BLOCK - sizeof length;
    size_t used = (size_t)(blocks->size % BSPI_DIGEST_BLOCK);
    size_t zeros = (used < length_at ? length_at : length_at + BSPI_DIGEST_BLOCK) - used;
    bspi_store32(length + (big_endian ? 4 : 0), (uint32_t)(blocks->size << 3), big_endian);
    bspi_store32(length + (big_endian ? 0 : 4), (uint32_t)(blocks->size >> 29), big_endian);
    bspi_digest_blocks_add(blocks, add_block, state, (bsp_bytes){end, zeros});
    bspi_digest_blocks_add(blocks, add_block, state, (bsp_bytes){length, sizeof length});
}

#endif
