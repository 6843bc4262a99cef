// SPDX-License-Identifier: MIT
// LZMA lumps. The stream is raw LZMA1 of a known size without an end mark; the head is
// little-endian in files of either byte order.
#include "file/lzma.h"

#include "core/memory.h"
#include "core/reader.h"

#include <lzma.h>
#include <string.h>

#define PROPERTIES_AT 12
#define DECODER_MEMORY ((size_t)1 << 18) // probabilities, states, and the dictionary's margins

bool bsp_lzma_probe(bsp_bytes packed, uint32_t *size) {
    if (packed.size < BSP_LZMA_HEAD || memcmp(packed.data, "LZMA", 4) != 0) {
        return false;
    }
    *size = bspi_load32(packed.data + 4, false);
    return true;
}

// A hostile head may ask for a dictionary of 4 GiB: no distance reaches behind the start.
static uint32_t dictionary(uint32_t stated, uint32_t size) {
    uint32_t most = size < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : size;
    return stated < most ? stated : most;
}

size_t bspi_lzma_memory(bsp_bytes packed) {
    uint32_t size;
    return bsp_lzma_probe(packed, &size)
               ? DECODER_MEMORY +
                     dictionary(bspi_load32(packed.data + PROPERTIES_AT + 1, false), size)
               : 0;
}

static void *lzma_allocate(void *opaque, size_t count, size_t size) {
    size_t bytes;
    return bspi_multiply(count, size, &bytes)
               ? ((bsp_allocator *)opaque)->resize(((bsp_allocator *)opaque)->user, NULL, 0, bytes)
               : NULL;
}

static void lzma_release(void *opaque, void *memory) {
    bsp_allocator *allocator = opaque;
    if (memory != NULL) {
        allocator->resize(allocator->user, memory, 0, 0);
    }
}

static bool decode(lzma_stream *stream, lzma_options_lzma *options, uint32_t size,
                   bsp_error *error) {
    options->dict_size = dictionary(options->dict_size, size);
    options->ext_flags = LZMA_LZMA1EXT_ALLOW_EOPM; // some packers write an end mark all the same
    options->ext_size_low = size;
    options->ext_size_high = 0;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA1EXT, options}, {LZMA_VLI_UNKNOWN, NULL}};
    if (lzma_raw_decoder(stream, filters) != LZMA_OK) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the LZMA properties are damaged");
    }
    // When all is there, what the decoder says of the bytes behind it does not matter.
    lzma_ret result = lzma_code(stream, LZMA_FINISH);
    size_t left = stream->avail_out;
    lzma_end(stream);
    if (result == LZMA_MEM_ERROR) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to unpack LZMA data");
    }
    if (left != 0) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the LZMA data ends or breaks %zu bytes early",
                        left);
    }
    return true;
}

bool bsp_lzma_unpack(bsp_bytes packed, uint8_t *out, const bsp_allocator *allocator,
                     bsp_error *error) {
    uint32_t size;
    if (!bsp_lzma_probe(packed, &size)) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "no head of LZMA data");
    }
    if (size == 0) {
        return true;
    }
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    lzma_allocator hooks = {lzma_allocate, lzma_release, &heap.allocator};
    lzma_filter properties = {LZMA_FILTER_LZMA1, NULL};
    if (lzma_properties_decode(&properties, &hooks, packed.data + PROPERTIES_AT, 5) != LZMA_OK) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the LZMA properties are damaged");
    }
    uint32_t packed_size = bspi_load32(packed.data + 8, false);
    size_t here = packed.size - BSP_LZMA_HEAD;
    lzma_stream stream = LZMA_STREAM_INIT;
    stream.allocator = &hooks;
    stream.next_in = packed.data + BSP_LZMA_HEAD;
    stream.avail_in = packed_size < here ? packed_size : here;
    stream.next_out = out;
    stream.avail_out = size;
    bool done = decode(&stream, properties.options, size, error);
    lzma_release(&heap.allocator, properties.options);
    return done;
}
