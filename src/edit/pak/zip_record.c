// SPDX-License-Identifier: MIT
// The form of a file in a zip: numbers in its records, its head, and its packed bytes.
#include "edit/pak/zip_record.h"

#include "pack/lzma.h"
#include "formats/composites.h"

#include <assert.h>
#include <libdeflate.h>
#include <string.h>

#define DEFLATE_LEVEL 9
#define PACKING_STEPS 4u     // per byte
#define LZMA_VERSION 0x1409u // of the packer, 9.20, which other tools write

// Returns the lowest version of a reader that supports the method.
uint16_t bspi_zip_version(uint16_t method) {
    return method == BSP_PAK_LZMA ? 63 : method == BSP_PAK_DEFLATE ? 20 : 10;
}

// --- numbers in records -------------------------------------------------------------------------

static uint32_t field_of(const bsp_layout *layout, const char *name) {
    uint32_t field = bsp_layout_find_field(layout, bsp_text_of(name));
    assert(field != BSP_NONE);
    return field;
}

void bspi_zip_set(const bsp_layout *layout, uint8_t *record, const char *name, uint32_t value) {
    // Cannot fail: all values were compared with their limits.
    (void)bsp_table_encode(layout, 1, false, field_of(layout, name), BSP_U32, &value, sizeof value,
                           record, NULL);
}

uint32_t bspi_zip_get(const bsp_layout *layout, const uint8_t *record, const char *name) {
    bsp_table table = {layout, record, 1, false};
    return (uint32_t)bsp_table_int(&table, 0, field_of(layout, name), 0);
}

// --- alignment ----------------------------------------------------------------------------------

uint32_t bspi_zip_alignment(bsp_text comment) {
    int64_t number = 0;
    if (comment.size < 6 || memcmp(comment.data, "XZP", 3) != 0) {
        return 1;
    }
    bsp_text digits = {comment.data + 5, 0};
    while (5 + digits.size < comment.size && digits.data[digits.size] >= '0' &&
           digits.data[digits.size] <= '9') {
        digits.size++;
    }
    bool said = bsp_parse_int(digits, &number) && number > 1 && number <= 65536;
    return said ? (uint32_t)number : 1;
}

// --- new files ----------------------------------------------------------------------------------

static bool deflate_into(bsp_bytes data, bspi_buffer *out) {
    if (!bspi_heap_work(out->heap, PACKING_STEPS * (uint64_t)data.size, out->error)) {
        return false;
    }
    struct libdeflate_compressor *c = libdeflate_alloc_compressor(DEFLATE_LEVEL);
    if (c == NULL) {
        return bsp_fail(out->error, BSP_E_MEMORY, NULL, "no memory to deflate");
    }
    size_t room = libdeflate_deflate_compress_bound(c, data.size);
    uint8_t *place = bspi_buffer_grow(out, room);
    size_t size =
        place == NULL ? 0 : libdeflate_deflate_compress(c, data.data, data.size, place, room);
    out->size -= place == NULL ? 0 : room - size;
    libdeflate_free_compressor(c);
    return size != 0;
}

bool bspi_zip_pack(uint16_t method, bsp_bytes data, bspi_buffer *out) {
    uint8_t *head;
    switch (method) {
    case BSP_PAK_STORED:
        bspi_buffer_add(out, data.data, data.size);
        return !out->failed;
    case BSP_PAK_DEFLATE:
        return deflate_into(data, out);
    case BSP_PAK_LZMA:
        head = bspi_buffer_grow(out, bspi_zip_lzma_t.size);
        if (head == NULL) {
            return false;
        }
        bspi_zip_set(&bspi_zip_lzma_t, head, bspi_zip_lzma_t.fields[BSPI_ZIP_LZMA_VERSION].name,
                     LZMA_VERSION);
        bspi_zip_set(&bspi_zip_lzma_t, head, bspi_zip_lzma_t.fields[BSPI_ZIP_LZMA_SIZE].name,
                     BSPI_LZMA_PROPERTIES);
        return bspi_lzma_encode(data, out);
    }
    return bsp_fail(out->error, BSP_E_UNSUPPORTED, NULL, "method %u is not known here", method);
}

void bspi_zip_describe(const bsp_layout *layout, uint8_t *record, bsp_text name,
                       const bspi_zip_facts *facts) {
    bspi_zip_set(layout, record, "version_needed", bspi_zip_version(facts->method));
    bspi_zip_set(layout, record, "method", facts->method);
    bspi_zip_set(layout, record, "crc", facts->crc);
    bspi_zip_set(layout, record, "compressed_size", facts->packed);
    bspi_zip_set(layout, record, "uncompressed_size", facts->size);
    bspi_zip_set(layout, record, "name_length", (uint32_t)name.size);
}

uint32_t bspi_zip_head_size(bsp_text name) {
    return bspi_zip_local_t.size + (uint32_t)name.size;
}

void bspi_zip_head(uint8_t *out, bsp_text name, const bspi_zip_facts *facts) {
    memset(out, 0, bspi_zip_local_t.size);
    memcpy(out, "PK\3\4", 4);
    bspi_zip_describe(&bspi_zip_local_t, out, name, facts);
    memcpy(out + bspi_zip_local_t.size, name.data, name.size);
}
