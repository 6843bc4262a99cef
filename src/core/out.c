// SPDX-License-Identifier: MIT
// The buffered writer. It writes little-endian bytes on every host.
#include "core/out.h"

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
