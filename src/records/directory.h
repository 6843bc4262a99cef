// SPDX-License-Identifier: MIT
// The directories of a file: of its lumps, of the game lump, and of BSPX. Read into bsp_file, and
// entries written back.
#ifndef BSPI_RECORDS_DIRECTORY_H
#define BSPI_RECORDS_DIRECTORY_H

#include "records/file.h"
#include "records/head.h"

/// Reads head, directory, game lump directory and BSPX directory into file->info and file->lumps.
bool bspi_read_directory(bsp_file *file, bsp_issues *issues, bsp_error *error);

bool bspi_encode_directory(const bsp_file *file, uint8_t *out, bsp_error *error);

/// Encodes one entry into its place of `out`, a copy of the file's head.
bool bspi_encode_entry(const bsp_file *file, uint32_t index, const bspi_entry *entry, uint8_t *out,
                       bsp_error *error);

/// Writes into an entry whether its lump is packed, where entries of the branch have a flag for it.
bool bspi_encode_packed(const bsp_file *file, uint32_t index, bool packed, uint8_t *out,
                        bsp_error *error);

/// An entry of the game lump's directory.
typedef struct bspi_game_entry {
    uint32_t id;
    uint32_t flags;
    uint32_t version;
    uint32_t offset;
    uint32_t size;
    uint32_t from; ///< its index in the directory that it was read from; BSP_NONE: a new one
} bspi_game_entry;

/// The directory of the game lump.
typedef struct bspi_game_directory {
    const bsp_lump *lump;
    bsp_table table; ///< of the entries
    bool relative;   ///< offsets count from the lump, as on consoles
} bspi_game_directory;

/// Finds the directory of the game lump. Returns false if the file has none.
bool bspi_game_directory_find(const bsp_file *file, bspi_game_directory *out);

bspi_game_entry bspi_game_entry_read(const bspi_game_directory *directory, uint32_t index);

/// Returns true if an entry tells from where the offsets of a game lump of `size` bytes at `start`
/// count.
bool bspi_game_entry_tells(const bspi_game_entry *entry, uint64_t start, uint64_t size,
                           bool *relative);

/// Encodes an entry at `out`, in the given byte order. One that was read from the directory keeps
/// its unknown fields. `out` must not lie in the directory's bytes.
bool bspi_game_entry_write(const bspi_game_directory *directory, const bspi_game_entry *entry,
                           bool big_endian, uint8_t *out, bsp_error *error);

/// Gives the place of the BSPX directory and the number of its lumps. Returns false without one.
bool bspi_file_bspx(const bsp_file *file, size_t *directory, uint32_t *count);

#endif
