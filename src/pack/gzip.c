// SPDX-License-Identifier: MIT
// gzip, by libdeflate (RFC 1952).
#include "bspkit/pack.h"

#include "core/buffer.h"
#include "pack/unpacker.h"

#include <assert.h>
#include <inttypes.h>
#include <libdeflate.h>
#include <string.h>

#define LEAST_MEMBER 18u // bytes of head and tail
#define LEVEL 6          // of 12: those above take several times as long for a few per cent

bool bspi_is_gzip(bsp_bytes bytes) {
    return bytes.size >= LEAST_MEMBER && bytes.data[0] == 0x1F && bytes.data[1] == 0x8B &&
           bytes.data[2] == 8;
}

// libdeflate does not say where it met the damage: the place is that of the member.
static bool unpack(struct libdeflate_decompressor *deflate, bspi_unpacker *u, bsp_bytes packed,
                   size_t *used) {
    for (;;) {
        size_t size;
        enum libdeflate_result result = libdeflate_gzip_decompress_ex(
            deflate, packed.data, packed.size, u->data + u->size, u->room - u->size, used, &size);
        if (result == LIBDEFLATE_SUCCESS) {
            u->size += size;
            return true;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
            return bsp_fail(u->error, BSP_E_DAMAGED, NULL,
                            "the file is packed by gzip, and damaged in what begins at byte "
                            "%" PRIu64 " of it",
                            (uint64_t)u->at);
        }
        if (!bspi_unpacker_grow(u)) {
            return false;
        }
    }
}

bool bspi_gzip_unpack(bspi_unpacker *u, bsp_bytes packed, size_t *used) {
    struct libdeflate_decompressor *deflate = libdeflate_alloc_decompressor();
    if (deflate == NULL) {
        return bsp_fail(u->error, BSP_E_MEMORY, NULL, "no memory to unpack a file");
    }
    bool done = unpack(deflate, u, packed, used);
    libdeflate_free_decompressor(deflate);
    return done;
}

bool bsp_gzip_pack(bsp_bytes data, const bsp_allocator *allocator, bsp_blob *out,
                   bsp_error *error) {
    assert(out != NULL);
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    memset(out, 0, sizeof *out);
    struct libdeflate_compressor *deflate = libdeflate_alloc_compressor(LEVEL);
    if (deflate == NULL) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to pack a file");
    }
    size_t room = libdeflate_gzip_compress_bound(deflate, data.size);
    uint8_t *place = bspi_buffer_grow(&buffer, room);
    if (place != NULL) {
        size_t size = libdeflate_gzip_compress(deflate, data.data, data.size, place, room);
        buffer.size -= room - size;
    }
    libdeflate_free_compressor(deflate);
    if (place == NULL) {
        bspi_buffer_free(&buffer);
        return false;
    }
    return bspi_buffer_give(&buffer, out);
}
