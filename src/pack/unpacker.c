// SPDX-License-Identifier: MIT
// The output grows as it is written, since what a packed file says of its size is missing or may be
// a lie.
#include "pack/unpacker.h"

bool bspi_unpacker_room(bspi_unpacker *u, size_t room) {
    uint8_t *data = bspi_heap_resize(u->heap, u->data, u->room, room, u->error);
    if (data == NULL) {
        return false;
    }
    u->data = data;
    u->room = room;
    return true;
}

bool bspi_unpacker_grow(bspi_unpacker *u) {
    return u->room > SIZE_MAX / 2
               ? bsp_fail(u->error, BSP_E_LIMIT, NULL, "the unpacked file is too large")
               : bspi_unpacker_room(u, u->room * 2);
}
