// SPDX-License-Identifier: MIT
// The output of packers of whole files, and the packers that write to it.
#ifndef BSPI_PACK_UNPACKER_H
#define BSPI_PACK_UNPACKER_H

#include "core/memory.h"

/// What is unpacked so far, and the room for more.
typedef struct bspi_unpacker {
    bspi_heap *heap;
    uint8_t *data;
    size_t size;
    size_t room;
    size_t at; ///< where in the packed file the member begins that is unpacked
    bsp_error *error;
} bspi_unpacker;

/// Sets the room of the output to `room` bytes, or doubles it.
bool bspi_unpacker_room(bspi_unpacker *unpacker, size_t room);
bool bspi_unpacker_grow(bspi_unpacker *unpacker);

/// Unpacks the first member of `packed` after what is there; `*used` receives its packed size.
typedef bool bspi_unpack_member(bspi_unpacker *unpacker, bsp_bytes packed, size_t *used);

/// gzip.c: RFC 1952.
bool bspi_is_gzip(bsp_bytes bytes);
bspi_unpack_member bspi_gzip_unpack;
/// bzip2.c: the blocks of bzip2 1.0. A library that was built without libbz2 knows such a file, and
/// fails with BSP_E_UNSUPPORTED.
bool bspi_is_bzip2(bsp_bytes bytes);
bspi_unpack_member bspi_bzip2_unpack;

#endif
