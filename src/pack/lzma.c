// SPDX-License-Identifier: MIT
// LZMA lumps. The stream is raw LZMA1 of a known size without an end mark. The head is
// little-endian in files of either byte order.
#include "pack/lzma.h"

#include "core/memory.h"
#include "core/reader.h"

#include <assert.h>
#include <lzma.h>
#include <stddef.h>
#include <string.h>

#define PACKED_SIZE_AT 8
#define PROPERTIES_AT 12
#define CHUNK 8192u
#define PACKER_DICTIONARY ((uint32_t)1 << 24)
#define PACKER_PRESET 6u
#define PACKING_STEPS 8u // per byte: packing takes at least that much longer than unpacking
#define DECODER_MEMORY ((size_t)1 << 18) // probabilities, states, and the margins of the dictionary

bool bsp_lzma_probe(bsp_bytes packed, uint32_t *size) {
    assert(size != NULL);
    if (packed.size < BSP_LZMA_HEAD || memcmp(packed.data, "LZMA", 4) != 0) {
        return false;
    }
    *size = bspi_load32(packed.data + 4, false);
    return true;
}

// A hostile head may state a dictionary of 4 GiB; no distance in the stream is longer than the
// output.
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

size_t bspi_lzma_scratch(size_t size) {
    return DECODER_MEMORY + (size < LZMA_DICT_SIZE_MIN ? LZMA_DICT_SIZE_MIN : size);
}

// liblzma frees without a size, and the caller's allocator needs one, so it is stored before the
// block.
typedef union block {
    size_t size; // this head included
    max_align_t align;
} block;

static void *lzma_allocate(void *opaque, size_t count, size_t size) {
    const bsp_allocator *allocator = opaque;
    size_t bytes;
    if (!bspi_multiply(count, size, &bytes) || bytes > SIZE_MAX - sizeof(block)) {
        return NULL;
    }
    bytes += sizeof(block);
    block *made = allocator->resize(allocator->user, NULL, 0, bytes);
    if (made != NULL) {
        made->size = bytes;
    }
    return made == NULL ? NULL : made + 1;
}

static void lzma_release(void *opaque, void *memory) {
    const bsp_allocator *allocator = opaque;
    if (memory != NULL) {
        block *made = (block *)memory - 1;
        allocator->resize(allocator->user, made, made->size, 0);
    }
}

static bool decode(lzma_stream *stream, lzma_options_lzma *options, uint32_t size,
                   bsp_error *error) {
    options->dict_size = dictionary(options->dict_size, size);
    options->ext_flags =
        LZMA_LZMA1EXT_ALLOW_EOPM; // some packers write an end mark although the size is known
    options->ext_size_low = size;
    options->ext_size_high = 0;
    lzma_filter filters[] = {{LZMA_FILTER_LZMA1EXT, options}, {LZMA_VLI_UNKNOWN, NULL}};
    lzma_ret result = lzma_raw_decoder(stream, filters);
    if (result != LZMA_OK && result != LZMA_MEM_ERROR) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the LZMA properties are damaged");
    }
    // Once the output is complete, the decoder's verdict on the bytes after the stream does not
    // matter.
    result = result == LZMA_OK ? lzma_code(stream, LZMA_FINISH) : result;
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

bool bspi_lzma_decode(const uint8_t properties[BSPI_LZMA_PROPERTIES], bsp_bytes packed,
                      uint8_t *out, size_t size, const bsp_allocator *allocator, bsp_error *error) {
    if (size == 0) {
        return true;
    }
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    lzma_allocator hooks = {lzma_allocate, lzma_release, &heap.allocator};
    lzma_filter filter = {LZMA_FILTER_LZMA1, NULL};
    lzma_ret read = size > UINT32_MAX
                        ? LZMA_OPTIONS_ERROR
                        : lzma_properties_decode(&filter, &hooks, properties, BSPI_LZMA_PROPERTIES);
    if (read == LZMA_MEM_ERROR) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to unpack LZMA data");
    }
    if (read != LZMA_OK) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the LZMA properties are damaged");
    }
    lzma_stream stream = LZMA_STREAM_INIT;
    stream.allocator = &hooks;
    stream.next_in = packed.data;
    stream.avail_in = packed.size;
    stream.next_out = out;
    stream.avail_out = size;
    bool done = decode(&stream, filter.options, (uint32_t)size, error);
    lzma_release(&heap.allocator, filter.options);
    return done;
}

bool bsp_lzma_unpack(bsp_bytes packed, uint8_t *out, const bsp_allocator *allocator,
                     bsp_error *error) {
    uint32_t size;
    if (!bsp_lzma_probe(packed, &size)) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "no head of LZMA data");
    }
    assert(out != NULL || size == 0);
    uint32_t stated = bspi_load32(packed.data + PACKED_SIZE_AT, false);
    size_t here = packed.size - BSP_LZMA_HEAD;
    bsp_bytes stream = {packed.data + BSP_LZMA_HEAD, stated < here ? stated : here};
    return bspi_lzma_decode(packed.data + PROPERTIES_AT, stream, out, size, allocator, error);
}

// --- packing ------------------------------------------------------------------------------------

// The engine's own packer takes a dictionary of 16 MiB; more than the size of the data is of no
// use.
static uint32_t packer_dictionary(size_t size) {
    uint32_t dictionary = LZMA_DICT_SIZE_MIN;
    while (dictionary < PACKER_DICTIONARY && dictionary < size) {
        dictionary *= 2;
    }
    return dictionary;
}

static bool encode(bsp_bytes data, const lzma_filter *filters, bspi_buffer *out) {
    lzma_allocator hooks = {lzma_allocate, lzma_release, &out->heap->allocator};
    lzma_stream stream = LZMA_STREAM_INIT;
    stream.allocator = &hooks;
    if (lzma_raw_encoder(&stream, filters) != LZMA_OK) {
        return bsp_fail(out->error, BSP_E_MEMORY, NULL, "no memory to pack %zu bytes", data.size);
    }
    uint8_t chunk[CHUNK];
    lzma_ret result = LZMA_OK;
    stream.next_in = data.data;
    stream.avail_in = data.size;
    while (result == LZMA_OK && !out->failed) {
        stream.next_out = chunk;
        stream.avail_out = sizeof chunk;
        result = lzma_code(&stream, LZMA_FINISH);
        bspi_buffer_add(out, chunk, sizeof chunk - stream.avail_out);
    }
    lzma_end(&stream);
    return !out->failed && (result == LZMA_STREAM_END ||
                            bsp_fail(out->error, BSP_E_MEMORY, NULL, "no memory to pack"));
}

bool bspi_lzma_encode(bsp_bytes data, bspi_buffer *out) {
    lzma_options_lzma options;
    if (lzma_lzma_preset(&options, PACKER_PRESET)) {
        return bsp_fail(out->error, BSP_E_UNSUPPORTED, NULL, "the LZMA library has no preset");
    }
    options.dict_size = packer_dictionary(data.size);
    options.ext_flags = 0; // no end mark, since the size is known
    options.ext_size_low = (uint32_t)data.size;
    options.ext_size_high = (uint32_t)((uint64_t)data.size >> 32);
    lzma_filter filters[] = {{LZMA_FILTER_LZMA1EXT, &options}, {LZMA_VLI_UNKNOWN, NULL}};
    filters[0].id = LZMA_FILTER_LZMA1; // it has the same properties
    uint8_t *properties = bspi_buffer_grow(out, BSPI_LZMA_PROPERTIES);
    if (properties == NULL || lzma_properties_encode(filters, properties) != LZMA_OK) {
        return false;
    }
    size_t scratch = (size_t)lzma_raw_encoder_memusage(filters);
    filters[0].id = LZMA_FILTER_LZMA1EXT;
    if (!bspi_heap_work(out->heap, PACKING_STEPS * (uint64_t)data.size, out->error) ||
        !bspi_heap_charge(out->heap, scratch, out->error)) {
        return false;
    }
    bool done = encode(data, filters, out);
    bspi_heap_discharge(out->heap, scratch);
    return done;
}

bool bspi_lzma_pack(bspi_heap *heap, bsp_bytes data, bsp_blob *out, bsp_error *error) {
    bspi_buffer buffer = {.heap = heap, .error = error};
    memset(out, 0, sizeof *out);
    if (data.size > UINT32_MAX) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "%zu bytes do not fit a packed lump", data.size);
    }
    bspi_buffer_add(&buffer, "LZMA", 4);
    bspi_buffer_u32(&buffer, (uint32_t)data.size, false);
    bspi_buffer_u32(&buffer, 0, false);
    if (data.size > UINT32_MAX) {
        bspi_buffer_free(&buffer);
        return bsp_fail(error, BSP_E_RANGE, NULL, "%zu bytes do not fit a packed lump", data.size);
    }
    if (!bspi_lzma_encode(data, &buffer)) {
        bspi_buffer_free(&buffer);
        return false;
    }
    bspi_store32(buffer.data + PACKED_SIZE_AT, (uint32_t)(buffer.size - BSP_LZMA_HEAD), false);
    return bspi_buffer_give(&buffer, out);
}

bool bsp_lzma_pack(bsp_bytes data, const bsp_allocator *allocator, bsp_blob *out,
                   bsp_error *error) {
    assert(out != NULL);
    bspi_heap heap;
    bspi_heap_init(&heap, allocator, 0);
    return bspi_lzma_pack(&heap, data, out, error);
}
