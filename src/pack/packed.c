// SPDX-License-Identifier: MIT
// Which program packed a file, and all its members one after the other.
#include "pack/packed.h"

#include "core/reader.h"
#include "pack/unpacker.h"

#define LEAST_ROOM ((size_t)4096)
#define FIRST_RATIO 16u // more than real maps have: the room grows where that is not enough

typedef struct packer {
    const char *name;
    bool (*is)(bsp_bytes bytes);
    bspi_unpack_member *unpack;
    bool states_size; // modulo 2^32, in the last four bytes
} packer;

static const packer packers[] = {{"gzip", bspi_is_gzip, bspi_gzip_unpack, true},
                                 {"bzip2", bspi_is_bzip2, bspi_bzip2_unpack, false}};

static const packer *packer_of(bsp_bytes bytes) {
    for (size_t i = 0; i < sizeof packers / sizeof *packers; i++) {
        if (packers[i].is(bytes)) {
            return &packers[i];
        }
    }
    return NULL;
}

const char *bspi_packed_by(bsp_bytes bytes) {
    const packer *by = packer_of(bytes);
    return by == NULL ? NULL : by->name;
}

// The size that is stated is that of the last member: that of all, in most files. What follows it
// may be no member.
static size_t first_room(const packer *by, bsp_bytes packed) {
    uint64_t most = (uint64_t)packed.size * FIRST_RATIO;
    uint64_t room = by->states_size ? bspi_load32(packed.data + packed.size - 4, false)
                                    : (uint64_t)packed.size * 2;
    room = room < most ? room : most;
    return room < LEAST_ROOM ? LEAST_ROOM : (size_t)room;
}

static bool unpack_all(bspi_unpacker *u, const packer *by, bsp_bytes packed) {
    while (by->is(packed)) {
        size_t used;
        if (!by->unpack(u, packed, &used)) {
            return false;
        }
        packed.data += used;
        packed.size -= used;
        u->at += used;
    }
    return u->size == 0
               ? bsp_fail(u->error, BSP_E_DAMAGED, NULL, "%s packed an empty file", by->name)
               : bspi_unpacker_room(u, u->size);
}

bool bspi_unpack_file(bsp_bytes packed, bspi_heap *heap, bsp_blob *out, bsp_error *error) {
    bspi_unpacker u = {.heap = heap, .error = error};
    const packer *by = packer_of(packed);
    *out = (bsp_blob){.data = NULL};
    if (!bspi_unpacker_room(&u, first_room(by, packed)) || !unpack_all(&u, by, packed)) {
        bspi_heap_free(heap, u.data, u.room);
        return false;
    }
    bspi_heap_give(heap, u.room);
    *out = (bsp_blob){.data = u.data, .size = u.size, .allocator = heap->allocator};
    return true;
}
