// SPDX-License-Identifier: MIT
// The buffered writer. It writes little-endian bytes on every host.
#include "core/out.h"

#include "core/reader.h"
#include "core/text.h"

#include <string.h>

void bspi_out_begin(bspi_out *out, bsp_sink sink, void *user) {
    out->sink = sink;
    out->user = user;
    out->written = 0;
    out->used = 0;
    out->failed = false;
}

bool bspi_out_flush(bspi_out *out) {
    if (out->used != 0 && !out->failed) {
        out->failed = !out->sink(out->user, (const char *)out->buffer, out->used);
        out->written += out->used;
    }
    out->used = 0;
    return !out->failed;
}

void bspi_out_large(bspi_out *out, const void *data, size_t size) {
    if (bspi_out_flush(out)) {
        out->failed = !out->sink(out->user, data, size);
        out->written += size;
    }
}

void bspi_out_zeros(bspi_out *out, size_t size) {
    for (; size != 0; size--) {
        *bspi_out_room(out, 1) = 0;
    }
}

void bspi_out_u16(bspi_out *out, uint16_t value) {
    uint8_t *place = bspi_out_room(out, 2);
    place[0] = (uint8_t)value;
    place[1] = (uint8_t)(value >> 8);
}

void bspi_out_u32(bspi_out *out, uint32_t value) {
    bspi_store32(bspi_out_room(out, 4), value, false);
}

void bspi_out_floats(bspi_out *out, const float *values, int count) {
    uint8_t *place = bspi_out_room(out, 4 * (size_t)count);
    for (int i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        bspi_store32(place + 4 * (size_t)i, bits, false);
    }
}

void bspi_out_number(bspi_out *out, uint64_t value) {
    char digits[24];
    bspi_out_bytes(out, digits, bspi_format_uint(digits, value));
}

void bspi_out_decimal(bspi_out *out, float value) {
    char *place = (char *)bspi_out_room(out, 1 + BSP_FLOAT_TEXT);
    place[0] = ' ';
    size_t size = bsp_format_float(place + 1, value);
    out->used -= BSP_FLOAT_TEXT - size;
}
