// SPDX-License-Identifier: MIT
// Parts of the work on one map, which several machines do: files that say what they are of, and
// have a checksum.
#ifndef BSPI_BAKE_PART_H
#define BSPI_BAKE_PART_H

#include "bspkit/pack.h"
#include "bspkit/relight.h"
#include "bspkit/vis.h"
#include "core/buffer.h"
#include "pack/sha256.h"

#include <assert.h>

/// The most parts of one map, whatever the work.
#define BSPI_MOST_PARTS BSP_VIS_MOST_PARTS
static_assert(BSP_VIS_MOST_PARTS == BSP_RELIGHT_MOST_PARTS, "one reader takes both");

/// What parts are of: a word that their files begin with, and a digest of map and options.
typedef struct bspi_part_of {
    const char *magic; ///< static storage
    const char *work;  ///< "visibility", for messages
    uint8_t digest[BSPI_SHA256_SIZE];
} bspi_part_of;

typedef struct bspi_part {
    uint32_t number; ///< from 1
    uint32_t count;  ///< of all parts
    bsp_bytes body;  ///< borrowed from the file
} bspi_part;

/// Adds a number to a digest.
void bspi_digest_u32(bspi_sha256 *sum, uint32_t value);

/// Fails unless there is such a part.
bool bspi_part_exists(uint32_t number, uint32_t count, bsp_error *error);
/// Begins a part; its body is added next. A file may have several, one after another.
void bspi_part_begin(bspi_buffer *out, const bspi_part_of *of, uint32_t number, uint32_t count);
/// Ends it, and moves it to `blob`, unless something failed. The buffer is free afterwards.
bool bspi_part_end(bspi_buffer *out, const bspi_part_of *of, bsp_blob *blob);

/// Reads the first part in a file that has the digest of `of`, or of any map (`any`: the digest is
/// not set). Fails with BSP_E_FORMAT for what is none, with BSP_E_DAMAGED where the checksum of one
/// differs, and with BSP_E_ARGUMENT where all are of another map.
bool bspi_part_read(bsp_bytes bytes, const bspi_part_of *of, bool any, bspi_part *out,
                    bsp_error *error);

/// Takes what is in a part; false with the error filled.
typedef bool (*bspi_part_taker)(void *user, const bspi_part *part, bsp_error *error);
/// Reads and takes all parts of some work, in any order. Fails as bspi_part_read does, and with
/// BSP_E_ARGUMENT when a part is missing or there twice. `arena` is for notes.
bool bspi_parts_take(const bsp_bytes *parts, uint32_t count, const bspi_part_of *of,
                     bspi_arena *arena, bspi_part_taker take, void *user, bsp_error *error);
/// Fails with BSP_E_DAMAGED for the body of a part.
bool bspi_part_damaged(const bspi_part *part, bsp_error *error);

#endif
