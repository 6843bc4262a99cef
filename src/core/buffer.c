// SPDX-License-Identifier: MIT
// A buffer of bytes that grows.
#include "core/buffer.h"

#include "core/reader.h"

#include <string.h>

#define FIRST_ROOM ((size_t)256)

static bool make_room(bspi_buffer *buffer, size_t size) {
    if (size <= buffer->room - buffer->size) {
        return true;
    }
    size_t room = buffer->room == 0 ? FIRST_ROOM : buffer->room;
    while (room - buffer->size < size) {
        if (room > SIZE_MAX / 4) {
            return bsp_fail(buffer->error, BSP_E_LIMIT, NULL, "%zu bytes are too many", size);
        }
        room *= 2;
    }
    uint8_t *data = bspi_heap_resize(buffer->heap, buffer->data, buffer->room, room, buffer->error);
    if (data == NULL) {
        return false;
    }
    buffer->data = data;
    buffer->room = room;
    return true;
}

uint8_t *bspi_buffer_grow(bspi_buffer *buffer, size_t size) {
    if (buffer->failed || !make_room(buffer, size)) {
        buffer->failed = true;
        return NULL;
    }
    if (size == 0) {
        return buffer->data; // NULL while the buffer is empty
    }
    uint8_t *place = buffer->data + buffer->size;
    memset(place, 0, size);
    buffer->size += size;
    return place;
}

void bspi_buffer_add(bspi_buffer *buffer, const void *data, size_t size) {
    uint8_t *place = size == 0 ? NULL : bspi_buffer_grow(buffer, size);
    if (place != NULL) {
        memcpy(place, data, size);
    }
}

void bspi_buffer_u32(bspi_buffer *buffer, uint32_t value, bool big_endian) {
    uint8_t bytes[4];
    bspi_store32(bytes, value, big_endian);
    bspi_buffer_add(buffer, bytes, sizeof bytes);
}

void bspi_buffer_align(bspi_buffer *buffer, size_t alignment) {
    size_t over = alignment == 0 ? 0 : buffer->size % alignment;
    if (over != 0) {
        (void)bspi_buffer_grow(buffer, alignment - over);
    }
}

void bspi_buffer_free(bspi_buffer *buffer) {
    bspi_heap_free(buffer->heap, buffer->data, buffer->room);
    buffer->data = NULL;
    buffer->size = buffer->room = 0;
}

bool bspi_buffer_give(bspi_buffer *buffer, bsp_blob *out) {
    uint8_t *data =
        bspi_heap_resize(buffer->heap, buffer->data, buffer->room, buffer->size, buffer->error);
    if (data == NULL) {
        bspi_buffer_free(buffer);
        return false;
    }
    bspi_heap_give(buffer->heap, buffer->size);
    *out = (bsp_blob){data, buffer->size, buffer->heap->allocator};
    buffer->data = NULL;
    buffer->size = buffer->room = 0;
    return true;
}

void bsp_blob_free(bsp_blob *blob) {
    if (blob == NULL) {
        return;
    }
    if (blob->data != NULL) {
        blob->allocator.resize(blob->allocator.user, blob->data, blob->size, 0);
    }
    memset(blob, 0, sizeof *blob);
}
