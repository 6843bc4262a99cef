// SPDX-License-Identifier: MIT
// Unpacks files of a zip.
#include "records/file.h"
#include "records/pak.h"

#include "core/reader.h"
#include "pack/lzma.h"
#include "formats/composites.h"

#include <assert.h>
#include <libdeflate.h>
#include <string.h>

#define ENCRYPTED 1u // flag of an entry
// The most bytes that one byte of LZMA data can unpack to, rounded up: a repeat of 273 bytes takes
// more than a tenth of a bit.
#define LZMA_RATIO 32768u

static bool inflate(bsp_bytes packed, uint8_t *out, size_t size, bsp_error *error) {
    struct libdeflate_decompressor *d = libdeflate_alloc_decompressor();
    if (d == NULL) {
        return bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to inflate");
    }
    enum libdeflate_result result =
        libdeflate_deflate_decompress(d, packed.data, packed.size, out, size, NULL);
    libdeflate_free_decompressor(d);
    return result == LIBDEFLATE_SUCCESS ||
           bsp_fail(error, BSP_E_DAMAGED, NULL, "the deflate data is damaged");
}

// The data is a version, the size of the properties, the properties, the stream.
static bool unpack_lzma(bsp_bytes packed, uint8_t *out, size_t size, const bsp_allocator *allocator,
                        bsp_error *error) {
    size_t head = bspi_zip_lzma_t.size + BSPI_LZMA_PROPERTIES;
    bsp_table table = {&bspi_zip_lzma_t, packed.data, 1, false};
    if (packed.size < head ||
        bsp_table_int(&table, 0, BSPI_ZIP_LZMA_SIZE, 0) != BSPI_LZMA_PROPERTIES) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the head of the LZMA data is damaged");
    }
    return bspi_lzma_decode(packed.data + bspi_zip_lzma_t.size,
                            bspi_slice(packed, head, packed.size - head), out, size, allocator,
                            error);
}

static bool unpack_as_lump(bsp_bytes packed, uint8_t *out, size_t size,
                           const bsp_allocator *allocator, bsp_error *error) {
    uint32_t stated;
    if (!bsp_lzma_probe(packed, &stated) || stated != size) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the head of the LZMA data is damaged");
    }
    return bsp_lzma_unpack(packed, out, allocator, error);
}

bool bspi_zip_unpack(uint16_t method, bsp_bytes packed, uint8_t *out, size_t size,
                     const bsp_allocator *allocator, bsp_error *error) {
    switch (method) {
    case BSP_PAK_STORED:
        if (packed.size != size) {
            return bsp_fail(error, BSP_E_DAMAGED, NULL, "%zu bytes are %zu in the directory",
                            packed.size, size);
        }
        if (size != 0) {
            memcpy(out, packed.data, size);
        }
        return true;
    case BSP_PAK_DEFLATE:
        return inflate(packed, out, size, error);
    case BSP_PAK_LZMA:
        return unpack_lzma(packed, out, size, allocator, error);
    case BSP_PAK_LZMA_LUMP:
        return unpack_as_lump(packed, out, size, allocator, error);
    default:
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "method %u is not known here", method);
    }
}

static bool check_entry(const bsp_pak_entry *entry, bsp_error *error) {
    if (entry->packed.size != entry->packed_size) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the file is not all there");
    }
    if ((entry->flags & ENCRYPTED) != 0) {
        return bsp_fail(error, BSP_E_ENCRYPTED, NULL, "the file is encrypted");
    }
    uint32_t ratio = entry->method == BSP_PAK_DEFLATE ? BSPI_DEFLATE_RATIO : LZMA_RATIO;
    return entry->size / ratio <= entry->packed_size ||
           bsp_fail(error, BSP_E_DAMAGED, NULL, "%u bytes cannot unpack to %u", entry->packed_size,
                    entry->size);
}

static bool unpack(const bsp_pak_entry *entry, bspi_heap *heap, uint8_t *out, bsp_error *error) {
    bool lzma = entry->method == BSP_PAK_LZMA || entry->method == BSP_PAK_LZMA_LUMP;
    size_t scratch = lzma ? bspi_lzma_scratch(entry->size) : 0;
    if (!bspi_heap_work(heap, entry->size, error) || !bspi_heap_charge(heap, scratch, error)) {
        return false;
    }
    bool done =
        bspi_zip_unpack(entry->method, entry->packed, out, entry->size, &heap->allocator, error);
    bspi_heap_discharge(heap, scratch);
    return done;
}

bool bsp_pak_read(const bsp_pak *pak, uint32_t n, const bsp_allocator *allocator, bsp_blob *out,
                  bsp_error *error) {
    assert(pak != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    if (n >= pak->count) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "file %u of the zip, but there are %u",
                        (unsigned)n, (unsigned)pak->count);
    }
    const bsp_pak_entry *entry = &pak->entries[n];
    bspi_heap heap;
    bspi_heap_init_under(&heap, bspi_pak_heap(pak), allocator);
    if (!check_entry(entry, error)) {
        return false;
    }
    uint8_t *data = bspi_heap_alloc(&heap, entry->size, error);
    if (data == NULL) {
        return false;
    }
    bool done = unpack(entry, &heap, data, error);
    if (bspi_pak_file(pak) != NULL) {
        bspi_release_pages(&bspi_pak_file(pak)->mapping, entry->packed);
    }
    if (done && bsp_crc32(0, (bsp_bytes){data, entry->size}) != entry->crc) {
        done = bsp_fail(error, BSP_E_DAMAGED, NULL, "the file is not what its checksum says");
    }
    if (!done || entry->size == 0) {
        bspi_heap_free(&heap, data, entry->size);
        return done;
    }
    bspi_heap_give(&heap, entry->size);
    *out = (bsp_blob){data, entry->size, heap.allocator};
    return true;
}
