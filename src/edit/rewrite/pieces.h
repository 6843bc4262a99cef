// SPDX-License-Identifier: MIT
// The bytes of a file that is to be written, as a list of where they stand: what stays is not
// copied, and what can be made again is made when it is written.
#ifndef BSPI_EDIT_REWRITE_PIECES_H
#define BSPI_EDIT_REWRITE_PIECES_H

#include "core/memory.h"
#include "core/out.h"
#include "records/page_window.h"

/// Where pieces are sent to.
typedef struct bspi_sender {
    bspi_out out;
    bspi_window trail;
    bool touch; ///< the sink hands bytes to the system
    bsp_error *error;
} bspi_sender;

/// False when the sink wants no more.
bool bspi_send(bspi_sender *sender, bsp_bytes bytes);

/// Makes bytes that are too many to be kept: the same each time it is asked for `number`.
typedef struct bspi_maker {
    bool (*make)(const void *user, uint32_t number, bspi_sender *to);
    const void *user;
} bspi_maker;

typedef struct bspi_piece {
    const uint8_t *data; ///< NULL: they are made, or zeros
    uint64_t size;
    bool own;                ///< of the list, and free to be changed
    const bspi_maker *maker; ///< NULL: none
    uint32_t number;
} bspi_piece;

typedef struct bspi_pieces {
    bspi_piece *list;
    size_t count;
    size_t room;
    uint64_t size; ///< of all
    bspi_heap *heap;
    bspi_arena *arena; ///< of bytes that are its own
    bsp_error *error;
    bool failed; ///< sticky
} bspi_pieces;

void bspi_pieces_free(bspi_pieces *pieces);

/// Bytes that stand somewhere else, and stay there.
void bspi_pieces_add(bspi_pieces *pieces, bsp_bytes bytes);
/// Bytes `at` to `at + size` of a source, which stay there. Fails (BSP_E_DAMAGED) when not all of
/// them are in it; so no other bytes of the process can come into a file. None of them may be
/// anywhere.
void bspi_pieces_slice(bspi_pieces *pieces, bsp_bytes source, uint64_t at, uint64_t size);
/// A piece of another list, as it is.
void bspi_pieces_add_piece(bspi_pieces *pieces, const bspi_piece *piece);
/// A copy of bytes. False after a failure.
bool bspi_pieces_add_copy(bspi_pieces *pieces, bsp_bytes bytes);
void bspi_pieces_zeros(bspi_pieces *pieces, uint64_t size);

/// `size` bytes (some) from byte `at` on, to be changed: a copy of them from now on. The place
/// holds until the next call. NULL after a failure, which it is when they are not all there or are
/// made only when they are written.
uint8_t *bspi_pieces_open(bspi_pieces *pieces, uint64_t at, size_t size);

/// Sends all of them in order. Pages of `file` (which may be NULL) that were sent are let go; with
/// `touch` they are there when they are sent.
bool bspi_pieces_write(const bspi_pieces *pieces, const bsp_file *file, bool touch, bsp_sink sink,
                       void *user, bsp_error *error);

#endif
