// SPDX-License-Identifier: MIT
// The bytes of a file to be written, as a list of references: what stays is not copied, and what
// can be made again is made when it is written.
#ifndef BSPI_EDIT_REWRITE_PIECES_H
#define BSPI_EDIT_REWRITE_PIECES_H

#include "core/memory.h"
#include "core/out.h"
#include "records/page_window.h"

/// A sink for pieces.
typedef struct bspi_sender {
    bspi_out out;
    bspi_window window;
    bool touch; ///< the sink passes bytes to the system
    bsp_error *error;
} bspi_sender;

/// Sends bytes. Returns false when the sink does.
bool bspi_send(bspi_sender *sender, bsp_bytes bytes);

/// Makes bytes that are too many to be kept: the same each time for the same `number`.
typedef struct bspi_maker {
    bool (*make)(const void *user, uint32_t number, bspi_sender *to);
    const void *user;
} bspi_maker;

typedef struct bspi_piece {
    const uint8_t *data; ///< NULL: they are made, or zeros
    uint64_t size;
    bool own;                ///< owned by the list, so they may be changed
    const bspi_maker *maker; ///< NULL: none
    uint32_t number;
} bspi_piece;

typedef struct bspi_pieces {
    bspi_piece *list;
    size_t count;
    size_t room;
    uint64_t size; ///< of all pieces
    bspi_heap *heap;
    bspi_arena *arena; ///< of the bytes that the list owns
    bsp_error *error;
    bool failed; ///< sticky
} bspi_pieces;

void bspi_pieces_free(bspi_pieces *pieces);

/// Adds bytes that must outlive the list.
void bspi_pieces_add(bspi_pieces *pieces, bsp_bytes bytes);
/// Adds bytes `at` to `at + size` of a source, which must outlive the list. Fails (BSP_E_DAMAGED)
/// when they do not all lie in it, so that no other bytes of the process can reach a file. A size
/// of 0 is allowed at any `at`.
void bspi_pieces_slice(bspi_pieces *pieces, bsp_bytes source, uint64_t at, uint64_t size);
/// Adds a piece of another list.
void bspi_pieces_add_piece(bspi_pieces *pieces, const bspi_piece *piece);
/// Adds a copy of bytes. Returns false after a failure.
bool bspi_pieces_add_copy(bspi_pieces *pieces, bsp_bytes bytes);
void bspi_pieces_zeros(bspi_pieces *pieces, uint64_t size);

/// Replaces `size` bytes (at least one) from byte `at` on by a copy, and returns it to be changed.
/// It is valid until the next call. Returns NULL after a failure; bytes that do not exist, or that
/// are only made while writing, are a failure.
uint8_t *bspi_pieces_open(bspi_pieces *pieces, uint64_t at, size_t size);

/// Sends all pieces in order. Pages of `file` (which may be NULL) are released once they are sent;
/// with `touch` they are loaded before.
bool bspi_pieces_write(const bspi_pieces *pieces, const bsp_file *file, bool touch, bsp_sink sink,
                       void *user, bsp_error *error);

#endif
