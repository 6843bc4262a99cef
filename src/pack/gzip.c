// SPDX-License-Identifier: MIT
#include "pack/gzip.h"

#include "core/reader.h"

#include <libdeflate.h>

#define LEAST_MEMBER 18u // bytes of head and tail
#define LEAST_ROOM ((size_t)4096)
#define FIRST_RATIO 16u // more than real maps have: the room grows where that is not enough

bool bspi_is_gzip(bsp_bytes bytes) {
    return bytes.size >= LEAST_MEMBER && bytes.data[0] == 0x1F && bytes.data[1] == 0x8B &&
           bytes.data[2] == 8;
}

typedef struct unpacker {
    struct libdeflate_decompressor *deflate;
    bspi_heap *heap;
    uint8_t *data;
    size_t size;
    size_t room;
    bsp_error *error;
} unpacker;

static bool set_room(unpacker *u, size_t room) {
    uint8_t *data = bspi_heap_resize(u->heap, u->data, u->room, room, u->error);
    if (data == NULL) {
        return false;
    }
    u->data = data;
    u->room = room;
    return true;
}

// The tail states the size of the last member, modulo 2^32: that of all, in most files. What
// follows it may be no tail.
static size_t first_room(bsp_bytes packed) {
    uint64_t stated = bspi_load32(packed.data + packed.size - 4, false);
    uint64_t most = (uint64_t)packed.size * FIRST_RATIO;
    stated = stated < most ? stated : most;
    return stated < LEAST_ROOM ? LEAST_ROOM : (size_t)stated;
}

// Unpacks one member after what is there; `*used` receives its packed size.
static bool unpack_member(unpacker *u, bsp_bytes packed, size_t *used) {
    for (;;) {
        size_t size;
        enum libdeflate_result result =
            libdeflate_gzip_decompress_ex(u->deflate, packed.data, packed.size, u->data + u->size,
                                          u->room - u->size, used, &size);
        if (result == LIBDEFLATE_SUCCESS) {
            u->size += size;
            return true;
        }
        if (result != LIBDEFLATE_INSUFFICIENT_SPACE) {
            return bsp_fail(u->error, BSP_E_DAMAGED, NULL,
                            "the file is packed by gzip, and damaged");
        }
        if (u->room > SIZE_MAX / 2 || !set_room(u, u->room * 2)) {
            return u->room > SIZE_MAX / 2
                       ? bsp_fail(u->error, BSP_E_LIMIT, NULL, "the unpacked file is too large")
                       : false;
        }
    }
}

static bool unpack_all(unpacker *u, bsp_bytes packed) {
    while (bspi_is_gzip(packed)) {
        size_t used;
        if (!unpack_member(u, packed, &used)) {
            return false;
        }
        packed.data += used;
        packed.size -= used;
    }
    return u->size == 0 ? bsp_fail(u->error, BSP_E_DAMAGED, NULL, "gzip packed an empty file")
                        : set_room(u, u->size);
}

bool bspi_gzip_unpack(bsp_bytes packed, bspi_heap *heap, bsp_blob *out, bsp_error *error) {
    unpacker u = {.deflate = libdeflate_alloc_decompressor(), .heap = heap, .error = error};
    *out = (bsp_blob){.data = NULL};
    if (u.deflate == NULL) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to unpack a file");
    }
    bool done = set_room(&u, first_room(packed)) && unpack_all(&u, packed);
    libdeflate_free_decompressor(u.deflate);
    if (!done) {
        bspi_heap_free(heap, u.data, u.room);
        return false;
    }
    bspi_heap_give(heap, u.room);
    *out = (bsp_blob){.data = u.data, .size = u.size, .allocator = heap->allocator};
    return true;
}
