// SPDX-License-Identifier: MIT
// A CRC is the remainder of a polynomial over two elements: following bytes multiply it by a power
// of x and add their own remainder.
#include "records/verified_ranges.h"

#include <stdlib.h>

#define POLYNOMIAL 0xEDB88320u // as zlib's; x^0 is the highest bit
#define ONE 0x80000000u

// --- numbers ------------------------------------------------------------------------------------

static uint32_t multiply(uint32_t a, uint32_t b) {
    uint32_t product = 0;
    for (uint32_t bit = ONE; bit != 0; bit >>= 1) {
        product ^= (a & bit) != 0 ? b : 0;
        b = (b >> 1) ^ ((b & 1) != 0 ? POLYNOMIAL : 0);
    }
    return product;
}

uint32_t bspi_crc32_join(uint32_t first, uint32_t second, uint64_t size) {
    uint32_t power = ONE >> 8; // x^8, for one byte
    uint32_t factor = ONE;
    for (; size != 0; size >>= 1) {
        factor = (size & 1) != 0 ? multiply(factor, power) : factor;
        power = multiply(power, power);
    }
    return multiply(factor, first) ^ second;
}

// --- the list -----------------------------------------------------------------------------------

static size_t bytes_of(size_t room) {
    return sizeof(bspi_verified) + room * sizeof(bspi_verified_part);
}

bspi_verified *bspi_verified_new(const bsp_file *file, size_t room) {
    bspi_verified *known = bspi_heap_alloc(bspi_file_heap(file), bytes_of(room), NULL);
    if (known != NULL) {
        known->count = 0;
        known->room = room;
    }
    return known;
}

void bspi_verified_add(bspi_verified *known, bsp_bytes data, uint32_t crc) {
    if (known != NULL && known->count < known->room && data.size >= BSPI_KNOWN_LEAST) {
        known->parts[known->count++] = (bspi_verified_part){data.data, data.size, crc};
    }
}

static int by_place(const void *a, const void *b) {
    const bspi_verified_part *x = a;
    const bspi_verified_part *y = b;
    return x->data < y->data ? -1 : x->data > y->data;
}

// Of ranges that share bytes the first one is kept.
static void sort(bspi_verified *known) {
    size_t kept = 0;
    qsort(known->parts, known->count, sizeof *known->parts, by_place);
    for (size_t i = 0; i < known->count; i++) {
        const bspi_verified_part *last = kept == 0 ? NULL : &known->parts[kept - 1];
        if (last == NULL || known->parts[i].data >= last->data + last->size) {
            known->parts[kept++] = known->parts[i];
        }
    }
    known->count = kept;
}

void bspi_verified_publish(const bsp_file *file, bspi_verified *known) {
    bspi_verified *expected = NULL;
    if (known == NULL) {
        return;
    }
    sort(known);
    // The list is a cache, so it may be set in a const file.
    if (!atomic_compare_exchange_strong(&((bsp_file *)(uintptr_t)file)->known, &expected, known)) {
        bspi_heap_free(bspi_file_heap(file), known, bytes_of(known->room));
    }
}

void bspi_verified_free(bsp_file *file) {
    bspi_verified *known = atomic_load(&file->known);
    if (known != NULL) {
        bspi_heap_free(&file->heap, known, bytes_of(known->room));
    }
}

const bspi_verified_part *bspi_verified_from(const bsp_file *file, const uint8_t *place) {
    const bspi_verified *known = file == NULL ? NULL : atomic_load(&file->known);
    size_t low = 0;
    for (size_t high = known == NULL ? 0 : known->count; low < high;) {
        size_t middle = low + (high - low) / 2;
        if (known->parts[middle].data + known->parts[middle].size <= place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return known != NULL && low < known->count ? &known->parts[low] : NULL;
}

uint32_t bspi_verified_crc32(bspi_window *window, uint32_t crc, bsp_bytes data) {
    const uint8_t *end = data.size == 0 ? data.data : data.data + data.size;
    for (const uint8_t *at = data.data; at < end;) {
        const bspi_verified_part *part = bspi_verified_from(window->file, at);
        bool whole = part != NULL && part->data >= at && part->size <= (size_t)(end - at) &&
                     part->data <= end - part->size;
        const uint8_t *stop = whole ? part->data : end;
        crc = bspi_window_crc32(window, crc, (bsp_bytes){at, (size_t)(stop - at)});
        if (whole) {
            crc = bspi_crc32_join(crc, part->crc, part->size);
            stop = part->data + part->size;
        }
        at = stop;
    }
    return crc;
}
