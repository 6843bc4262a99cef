// SPDX-License-Identifier: MIT
// bzip2, by libbz2. Only this file uses it. BSPKIT_BZIP2=OFF builds the library without it.
#include "pack/unpacker.h"

#include <inttypes.h>
#include <string.h>

#define HEAD 4u  // "BZh" and the size of the blocks, in 100,000 bytes
#define MAGIC 6u // of the first block, or of the end

bool bspi_is_bzip2(bsp_bytes bytes) {
    return bytes.size >= HEAD + MAGIC && memcmp(bytes.data, "BZh", 3) == 0 &&
           bytes.data[3] >= '1' && bytes.data[3] <= '9' &&
           (memcmp(bytes.data + HEAD, "\x31\x41\x59\x26\x53\x59", MAGIC) == 0 ||
            memcmp(bytes.data + HEAD, "\x17\x72\x45\x38\x50\x90", MAGIC) == 0);
}

#ifdef BSPI_WITH_BZIP2

#include <bzlib.h>
#include <limits.h>
#include <stddef.h>

// A member of nothing costs the memory of its blocks; a file may be a million of these.
#define MEMBER_STEPS 1024u

// libbz2 frees without a size: it stands before the memory.
typedef union allocation {
    size_t size;
    max_align_t aligned;
} allocation;

static void *allocate(void *user, int count, int size) {
    bspi_unpacker *u = user;
    size_t bytes = sizeof(allocation) + (size_t)count * (size_t)size;
    allocation *memory = bspi_heap_alloc(u->heap, bytes, u->error);
    if (memory == NULL) {
        return NULL;
    }
    memory->size = bytes;
    return memory + 1;
}

static void release(void *user, void *memory) {
    bspi_unpacker *u = user;
    if (memory != NULL) {
        allocation *begin = (allocation *)memory - 1;
        bspi_heap_free(u->heap, begin, begin->size);
    }
}

static uint64_t sum(unsigned high, unsigned low) {
    return (uint64_t)high << 32 | low;
}

static unsigned at_most(size_t size) {
    return size < UINT_MAX ? (unsigned)size : UINT_MAX;
}

static bool fail(const bspi_unpacker *u, const bz_stream *stream, int result) {
    if (result == BZ_MEM_ERROR) { // allocate() has said so
        return false;
    }
    uint64_t place = u->at + sum(stream->total_in_hi32, stream->total_in_lo32);
    return bsp_fail(u->error, BSP_E_DAMAGED, NULL,
                    result == BZ_OK
                        ? "the file is packed by bzip2, and damaged: it ends at byte %" PRIu64
                        : "the file is packed by bzip2, and damaged before byte %" PRIu64 " of it",
                    place);
}

static bool unpack(bspi_unpacker *u, bz_stream *stream, bsp_bytes packed) {
    int result = BZ_OK;
    while (result == BZ_OK) {
        if (u->size == u->room && !bspi_unpacker_grow(u)) {
            return false;
        }
        size_t taken = (size_t)sum(stream->total_in_hi32, stream->total_in_lo32);
        unsigned room = at_most(u->room - u->size);
        // libbz2 declares the bytes that it only reads as char *.
        stream->next_in = (char *)(uintptr_t)(packed.data + taken);
        stream->avail_in = at_most(packed.size - taken);
        stream->next_out = (char *)u->data + u->size;
        stream->avail_out = room;
        result = BZ2_bzDecompress(stream);
        u->size += room - stream->avail_out;
        if (!bspi_heap_work(u->heap, room - stream->avail_out, u->error)) {
            return false;
        }
        if (result == BZ_OK && stream->avail_out != 0 &&
            sum(stream->total_in_hi32, stream->total_in_lo32) == packed.size) {
            return fail(u, stream, result);
        }
    }
    return result == BZ_STREAM_END || fail(u, stream, result);
}

bool bspi_bzip2_unpack(bspi_unpacker *u, bsp_bytes packed, size_t *used) {
    bz_stream stream = {.bzalloc = allocate, .bzfree = release, .opaque = u};
    if (!bspi_heap_work(u->heap, MEMBER_STEPS, u->error)) {
        return false;
    }
    int result = BZ2_bzDecompressInit(&stream, 0, 0);
    if (result != BZ_OK) {
        return fail(u, &stream, result);
    }
    bool done = unpack(u, &stream, packed);
    *used = (size_t)sum(stream.total_in_hi32, stream.total_in_lo32);
    (void)BZ2_bzDecompressEnd(&stream);
    return done;
}

#else

bool bspi_bzip2_unpack(bspi_unpacker *u, bsp_bytes packed, size_t *used) {
    (void)packed;
    *used = 0;
    return bsp_fail(u->error, BSP_E_UNSUPPORTED, NULL,
                    "the file is packed by bzip2, which this build does not read");
}

#endif
