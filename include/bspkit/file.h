// SPDX-License-Identifier: MIT
/// @file file.h
/// Records: what a file says. An open file, its lumps, and the records in them, field by field,
/// under the names of the format's own headers. Lossless: what is read can be written back byte for
/// byte.
#ifndef BSPKIT_FILE_H
#define BSPKIT_FILE_H

#include "bspkit/formats.h"

#ifdef __cplusplus
extern "C" {
#endif

/// An open file. Immutable: any number of threads may ask it at once.
typedef struct bsp_file bsp_file;

/// A file beside a map that holds a lump of it (Respawn). By its name: NAME.bsp.0018.bsp_lump (or
/// .bsp_lump.client) stands for lump 24, whatever the map itself holds there; NAME_env.ent, _fx,
/// _script, _snd and _spawn hold entities besides those of the map.
typedef struct bsp_external {
    const char *name; ///< without folders, NUL-terminated
    bsp_bytes bytes;  ///< the whole file
} bsp_external;

/// Coloured light of a map in a file beside it (Quake: NAME.lit). Its luxels stand for those of the
/// light lump, in the same order.
typedef struct bsp_light_file {
    const char *name; ///< without folders, NUL-terminated; NULL: there is none, or it does not fit
    bsp_bytes luxels; ///< three bytes each, or with `e5bgr9` a word of 32 bits
    bool e5bgr9;      ///< luxels are words: 5 bits of exponent, 9 each of blue, green, red
} bsp_light_file;

/// How a file is opened. All zero: mapped, its branch found by evidence, the default limits.
typedef struct bsp_open_options {
    size_t size;                    ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const char *branch;             ///< name of the branch to read it as; NULL: found by evidence
    const bsp_allocator *allocator; ///< NULL: the C library's
    /// Open the map alone: bsp_file_open looks for no files beside it.
    bool no_external;
    /// Files that stand beside it, instead of those on the disk: borrowed for as long as the file
    /// is open, names too. Only branches whose traits say so have them; others ignore them. In
    /// Quake the first whose name ends in .lit is bsp_file_info.light_file.
    const bsp_external *external;
    uint32_t num_external;
    /// The budget of the file, and of what is made out of it (parts, entities, paks, maps) where no
    /// other is given. Must outlive all that. NULL: the default limits.
    bsp_budget *budget;
    /// The game whose limits count (title of bsp_game_find), instead of the one that the entity
    /// classes tell. NULL: those tell.
    const char *game;
    /// Read the file, and those beside it, into memory instead of mapping them. A file that another
    /// program shortens while it is read is BSP_E_IO; what happens to it later has no effect.
    bool read;
    bsp_issues *issues; ///< receives what is odd about the directory; may be NULL
} bsp_open_options;

/// Opens a file at `path` ("-" is standard input). NULL on failure. A map that gzip or
/// bzip2 packed is unpacked to memory; its bytes are those of the unpacked file. Any other is
/// mapped, not copied: if another program shortens it while it is open, or its disk fails, reading
/// it ends the process with a signal (POSIX: SIGBUS). Set bsp_open_options.read where that can
/// happen.
BSP_API bsp_file *bsp_file_open(const char *path, const bsp_open_options *options,
                                bsp_error *error);

/// Opens bytes in memory, which must outlive the file. asset.h opens a file in an archive
/// (bsp_file_open_member).
BSP_API bsp_file *bsp_file_open_memory(bsp_bytes bytes, const bsp_open_options *options,
                                       bsp_error *error);

/// Closes a file and frees what it owns: lumps, views and maps that borrow from it must not be used
/// any more. NULL is allowed.
BSP_API void bsp_file_close(bsp_file *file);

/// Returns the game of a Source map: the one that bsp_open_options names, or else the one that its
/// entity classes tell. Returns NULL if they tell none, or two alike. Static storage.
BSP_API const bsp_game *bsp_file_game(const bsp_file *file);

/// The facts of an open file. Borrowed.
typedef struct bsp_file_info {
    bsp_bytes bytes; ///< the whole file; unpacked if it is packed, made plain if it is scrambled
    const char *packed_by; ///< "gzip" or "bzip2"; NULL: not packed. What is written of it is not
    bool scrambled; ///< with `key`, as bsp_find_key found it; it is written again in that way
    uint8_t key[BSP_KEY_SIZE]; ///< of a scrambled file
    bsp_detection detection;
    uint32_t revision;  ///< map revision (Source); BSP_NONE where the branch has none
    uint32_t num_lumps; ///< directory, then game lumps, BSPX lumps, .ent files: see bsp_lump
    uint32_t num_directory_lumps;
    const bsp_external *external; ///< the files beside it that are read, by lump, .ent last
    uint32_t num_external;
    bsp_light_file light_file; ///< taken in the place of the light lump
} bsp_file_info;

/// Returns the facts of an open file. Borrowed from the file, never NULL.
BSP_API const bsp_file_info *bsp_file_get_info(const bsp_file *file);

/// Where a lump was listed.
typedef enum bsp_lump_place {
    BSP_IN_DIRECTORY = 0, ///< in the directory of the file
    BSP_IN_GAME_LUMP = 1, ///< name "game:sprp"
    BSP_IN_BSPX = 2,      ///< name "bspx:RGBLIGHTING"
    BSP_IN_ENT_FILE = 3,  ///< name "ent:spawn": entities in a file of their own
} bsp_lump_place;

/// A lump of an open file.
typedef struct bsp_lump {
    char name[32]; ///< NUL-terminated
    bsp_lump_place place;
    uint32_t index;                    ///< in its own directory
    const bsp_lump_def *def;           ///< directory lumps of known layout, else NULL
    const bsp_game_lump_def *game_def; ///< game lumps of known layout, else NULL
    bsp_lump_kind kind;
    bsp_table_id id;        ///< what its records are, or BSP_ID_NONE
    uint64_t offset;        ///< in the file that holds it
    uint64_t size;          ///< bytes in that file that are really there
    uint64_t stated_offset; ///< as the directory says
    uint64_t stated_size;   ///< as the directory says
    uint32_t external;      ///< which of bsp_file_info.external holds it; BSP_NONE: the map
    uint32_t version;       ///< lump version; 0 where the branch has none
    uint32_t fourcc;        ///< Source: the directory entry's last word; game lumps: the flags
    bool compressed;        ///< packed with LZMA
    uint32_t unpacked_size; ///< bytes of records: `size` unless compressed
} bsp_lump;

/// Returns lump number `n` of bsp_file_info.num_lumps: first those of the directory in order, then
/// those of the game lump, then BSPX, then .ent files. Any other `n`, BSP_NONE too, gives an empty
/// lump without a name. Borrowed.
BSP_API const bsp_lump *bsp_file_lump(const bsp_file *file, uint32_t n);

/// Finds a lump by name (any case, "game:sprp", "bspx:NAME") or by index of the directory.
/// BSP_NONE if there is none.
BSP_API uint32_t bsp_file_find(const bsp_file *file, bsp_text name_or_index);

/// Returns the number of the lump that holds a kind of table, or BSP_NONE.
BSP_API uint32_t bsp_file_find_id(const bsp_file *file, bsp_table_id id);

/// Finds the bytes of a lump, unpacked if it was compressed. Owned by the file. Any number of
/// threads may call it at once. Returns false, and `data` empty or packed, if the bytes cannot be
/// unpacked, and with BSP_E_ARGUMENT if there is no such lump (BSP_NONE).
BSP_API bool bsp_file_data(const bsp_file *file, uint32_t lump, bsp_bytes *data, bsp_error *error);

/// Returns the bytes of a lump as they stand in the file that holds it, packed if they are; none if
/// there is no such lump. Borrowed.
BSP_API bsp_bytes bsp_file_stored(const bsp_file *file, uint32_t lump);

/// Decodes every record of a lump to memory and encodes it again into `out`, which has room for
/// the unpacked lump. Unclaimed bytes are copied. The result is the lump, byte for byte. Fails with
/// BSP_E_ARGUMENT if there is no such lump.
BSP_API bool bsp_file_encode_lump(const bsp_file *file, uint32_t lump, uint8_t *out,
                                  bsp_error *error);

/// Builds the whole file anew into `out` (as bsp_file_info.bytes, plain and of that size):
/// directory encoded, lumps encoded from their records, compressed lumps and bytes that no lump
/// owns copied. Files beside it are no part of it: what the map holds in their place is copied.
BSP_API bool bsp_file_encode(const bsp_file *file, uint8_t *out, bsp_error *error);

/// Writes a lump as one JSON value: tables as arrays of objects with the on-disk names, variable
/// lumps in their natural structure. Fails with BSP_E_ARGUMENT if there is no such lump.
BSP_API bool bsp_dump_json(const bsp_file *file, uint32_t lump, bsp_json *json, bsp_error *error);

/// Writes `count` records of a table from number `first` on as one JSON array, as bsp_dump_json
/// writes all of them; fewer where the table ends before. The time does not depend on the records
/// before `first`.
BSP_API void bsp_table_json(const bsp_table *table, uint32_t first, uint32_t count, bsp_json *json);

/// Checks the directory and every reference and structure of the records by the roles of their
/// fields; `issues` may be NULL. bsp_check (map.h) does this and more.
BSP_API bool bsp_check_records(const bsp_file *file, bsp_issues *issues, bsp_error *error);

/// Computes the checksum that the game compares between server and client, by the rule of the
/// branch (bsp_traits.checksum). Returns false if no rule is known.
BSP_API bool bsp_file_checksum(const bsp_file *file, uint32_t *checksum);
/// Computes QuakeWorld's second checksum, which leaves out visibility, leaves and nodes too, so
/// that a map with other visibility passes. Returns false for other rules.
BSP_API bool bsp_file_checksum2(const bsp_file *file, uint32_t *checksum);
/// Computes the MD5 that Team Fortress 2, Counter-Strike: Source and those beside them compare
/// since 2013 (the map's MD5 of their server info): of all lumps but the entities, as they are
/// stored, in order of the directory. False for other rules than BSP_CHECKSUM_CRC_MD5_LUMPS.
BSP_API bool bsp_file_md5(const bsp_file *file, uint8_t digest[16]);

/// Computes the SHA-256 of the whole file as it was opened: as it is stored if it is scrambled, and
/// of the unpacked map if gzip or bzip2 packed it. Files beside it are no part of it.
BSP_API void bsp_file_sha256(const bsp_file *file, uint8_t digest[32]);

#ifdef __cplusplus
}
#endif
#endif
