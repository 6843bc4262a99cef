// SPDX-License-Identifier: MIT
/// @file records.h
/// Records: what a file says. An open file, its lumps, and the records in them, field by field,
/// under the names of the format's own headers. Lossless: what is read can be written back byte for
/// byte.
#ifndef BSPKIT_RECORDS_H
#define BSPKIT_RECORDS_H

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

/// Opens a file at `path` ("-" is standard input). NULL on failure. The file is mapped, not
/// copied: if another program shortens it while it is open, or its disk fails, reading it ends the
/// process with a signal (POSIX: SIGBUS). Set bsp_open_options.read where that can happen.
BSP_API bsp_file *bsp_file_open(const char *path, const bsp_open_options *options,
                                bsp_error *error);

/// Opens bytes in memory, which must outlive the file.
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
    bsp_bytes bytes; ///< the whole file; made plain if it is scrambled
    bool scrambled;  ///< with `key`, as bsp_find_key found it; it is written again in that way
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
    BSP_IN_DIRECTORY, ///< in the directory of the file
    BSP_IN_GAME_LUMP, ///< name "game:sprp"
    BSP_IN_BSPX,      ///< name "bspx:RGBLIGHTING"
    BSP_IN_ENT_FILE,  ///< name "ent:spawn": entities in a file of their own
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
/// those of the game lump, then BSPX, then .ent files. `n` must be in range. Borrowed.
BSP_API const bsp_lump *bsp_file_lump(const bsp_file *file, uint32_t n);

/// Finds a lump by name (any case, "game:sprp", "bspx:NAME") or by index of the directory.
/// BSP_NONE if there is none.
BSP_API uint32_t bsp_file_find(const bsp_file *file, bsp_text name_or_index);

/// Returns the number of the lump that holds a kind of table, or BSP_NONE.
BSP_API uint32_t bsp_file_find_id(const bsp_file *file, bsp_table_id id);

/// Finds the bytes of a lump, unpacked if it was compressed. Owned by the file. Any number of
/// threads may call it at once. Returns false if the bytes cannot be unpacked.
BSP_API bool bsp_file_data(const bsp_file *file, uint32_t lump, bsp_bytes *data, bsp_error *error);

/// Returns the bytes of a lump as they stand in the file that holds it, packed if they are.
/// Borrowed.
BSP_API bsp_bytes bsp_file_stored(const bsp_file *file, uint32_t lump);

// --- parts: a lump taken apart ------------------------------------------------------------------

/// What a part is.
typedef enum bsp_part_kind {
    BSP_PART_TABLE,   ///< records
    BSP_PART_RECORD,  ///< exactly one record
    BSP_PART_TEXT,    ///< characters
    BSP_PART_STRINGS, ///< characters: strings that each end in a NUL
    BSP_PART_BYTES,   ///< bytes whose structure is not known, or does not matter
    BSP_PART_GROUP,   ///< parts by name
    BSP_PART_LIST,    ///< parts by number
} bsp_part_kind;

/// A part of a lump. The leaves of the tree (tables, records, texts, bytes) do not overlap, and
/// every byte of the lump that is in none of them is unclaimed: kept, and without a meaning.
typedef struct bsp_part {
    bsp_part_kind kind;
    const char *name;         ///< in a group; static storage
    bsp_table_id id;          ///< TABLE: what its records are, else BSP_ID_NONE
    const bsp_layout *layout; ///< TABLE, RECORD
    uint32_t count;           ///< TABLE: records
    size_t offset;            ///< in the lump's unpacked bytes
    size_t size;
    uint32_t end;    ///< number of the part after this one and all that it contains
    bool big_endian; ///< of the records: a zip is little-endian in any file
} bsp_part;

/// The parts of a lump in order, each container before what it contains. parts[0] is the
/// whole lump. Owned by the caller; free with bsp_parts_free.
typedef struct bsp_parts {
    const bsp_part *parts; ///< parts[0] is the lump
    uint32_t count;
    bsp_bytes data;         ///< the unpacked lump; borrowed from the file
    struct bspi_heap *heap; ///< private
    size_t room;            ///< private
    bsp_layout *made;       ///< private: the layout of records that are longer than the known one
} bsp_parts;

/// Takes a lump apart. Damage is reported to `issues` (may be NULL) and leaves bytes unclaimed.
/// Fails only when the lump cannot be unpacked or memory ends.
BSP_API bool bsp_file_parts(const bsp_file *file, uint32_t lump, bsp_issues *issues, bsp_parts *out,
                            bsp_error *error);
/// Frees the parts of a lump and sets them to zero. Parts of zeros are allowed; NULL is not.
BSP_API void bsp_parts_free(bsp_parts *parts);

/// Returns the records of part number `part`, which must be a TABLE or a RECORD.
BSP_API bsp_table bsp_parts_table(const bsp_parts *parts, uint32_t part);

/// Finds the first table of a kind in the file, ready to be read. Returns false if there is none.
/// If it returns true, the caller frees `parts` with bsp_parts_free.
BSP_API bool bsp_file_table(const bsp_file *file, bsp_table_id id, bsp_parts *parts,
                            bsp_table *table);

/// Returns how many records of a kind the file holds (bytes for lighting, strings and other byte
/// lumps).
BSP_API uint32_t bsp_file_count(const bsp_file *file, bsp_table_id id);

/// Decodes every record of a lump to memory and encodes it again into `out`, which has room for
/// the unpacked lump. Unclaimed bytes are copied. The result is the lump, byte for byte.
BSP_API bool bsp_file_encode_lump(const bsp_file *file, uint32_t lump, uint8_t *out,
                                  bsp_error *error);

/// Builds the whole file anew into `out` (as bsp_file_info.bytes, plain and of that size):
/// directory encoded, lumps encoded from their records, compressed lumps and bytes that no lump
/// owns copied. Files beside it are no part of it: what the map holds in their place is copied.
BSP_API bool bsp_file_encode(const bsp_file *file, uint8_t *out, bsp_error *error);

/// Writes a lump as one JSON value: tables as arrays of objects with the on-disk names, variable
/// lumps in their natural structure.
BSP_API bool bsp_dump_json(const bsp_file *file, uint32_t lump, bsp_json *json, bsp_error *error);

/// Checks the directory and every reference and structure of the records by the roles of their
/// fields. bsp_check (map.h) does this and more.
BSP_API bool bsp_check_records(const bsp_file *file, bsp_issues *issues, bsp_error *error);

// --- visibility ---------------------------------------------------------------------------------

/// Unpacks a run-length row (a zero byte is followed by how many zero bytes it stands for) of
/// `row_bytes` bytes. Returns false if the data ends early or a run passes the row's end; what is
/// missing is zero.
BSP_API bool bsp_vis_unpack(bsp_bytes packed, uint8_t *row, size_t row_bytes);

/// Packs a visibility row: a zero byte is followed by how many it stands for. `out` has room for
/// 2 * `row_bytes`. Returns the bytes written.
BSP_API size_t bsp_vis_pack(const uint8_t *row, size_t row_bytes, uint8_t *out);

// --- entities -----------------------------------------------------------------------------------

/// A key and its value, as written between the quotes, escapes untouched.
typedef struct bsp_pair {
    bsp_text key;   ///< without its quotes
    bsp_text value; ///< without its quotes
} bsp_pair;

/// An entity: pairs in the order of the file, repeated keys included.
typedef struct bsp_entity {
    const bsp_pair *pairs; ///< in the order of the text
    uint32_t num_pairs;
    size_t offset; ///< of the opening brace in the text
    size_t size;   ///< up to and with the closing brace
} bsp_entity;

/// The entities of a map, in the order of the text.
typedef struct bsp_entities {
    const bsp_entity *list;
    uint32_t count;
    bsp_text text; ///< the whole lump, final NULs included; what is in no entity is kept here
    void *owner;
} bsp_entities;

/// Reads entity text. Tolerates what is found in real files: NULs inside and many or none at the
/// end, CRLF, escaped quotes, repeated and empty keys, a missing brace at the end; each is an issue
/// where it is one. `text` must outlive the result. NULL only without memory.
BSP_API bsp_entities *bsp_entities_parse(bsp_text text, const bsp_allocator *allocator,
                                         bsp_issues *issues, bsp_error *error);
/// Frees entities; their text stays. NULL is allowed and does nothing.
BSP_API void bsp_entities_free(bsp_entities *entities);

/// Reads the entities of a file, which must outlive them: those of the entity lump, then those of
/// .ent files, as one text. Returns NULL without an entity lump, or without memory. Free with
/// bsp_entities_free.
BSP_API bsp_entities *bsp_file_entities(const bsp_file *file, bsp_issues *issues, bsp_error *error);
/// Reads the entities of one lump (BSP_KIND_ENTITIES) alone, as its bytes have them. Free with
/// bsp_entities_free.
BSP_API bsp_entities *bsp_lump_entities(const bsp_file *file, uint32_t lump, bsp_issues *issues,
                                        bsp_error *error);

/// Returns the value of the first pair with that key (any case), or an empty text with NULL data if
/// there is none. Borrowed.
BSP_API bsp_text bsp_entity_value(const bsp_entity *entity, const char *key);

/// Writes an entity as {"index": index, "pairs": [[key, value], ...]}.
BSP_API void bsp_entity_json(const bsp_entity *entity, uint32_t index, bsp_json *json);

// --- pak ----------------------------------------------------------------------------------------

/// How a file in a zip is packed.
typedef enum bsp_pak_method {
    BSP_PAK_STORED = 0,         ///< not packed
    BSP_PAK_DEFLATE = 8,        ///< as common zip programs pack
    BSP_PAK_LZMA = 14,          ///< what Source packs its maps with
    BSP_PAK_LZMA_LUMP = 0xFFFF, ///< as lumps are packed, head included (Counter-Strike Online 2)
} bsp_pak_method;

/// A file in an embedded zip.
typedef struct bsp_pak_entry {
    bsp_text name;
    uint16_t method;      ///< a bsp_pak_method, or one that is not known here
    uint16_t flags;       ///< of the zip's record
    uint32_t crc;         ///< CRC-32 of the unpacked file
    uint32_t packed_size; ///< bytes in the zip
    uint32_t size;        ///< unpacked
    bsp_bytes packed;     ///< in the file; empty when it is not all there
    size_t offset;        ///< of the local head in the pak
    size_t record;        ///< of its record in the directory; SIZE_MAX without one
} bsp_pak_entry;

/// The directory of an embedded zip.
typedef struct bsp_pak {
    const bsp_pak_entry *entries; ///< in the order of the directory
    uint32_t count;
    bsp_text comment; ///< of the whole zip
    void *owner;
} bsp_pak;

/// Reads the directory of a zip in `data`, or of the archive that Counter-Strike Online 2 has in
/// its place; `data` must outlive it. Entries that are not there are issues. NULL only without
/// memory.
BSP_API bsp_pak *bsp_pak_open(bsp_bytes data, const bsp_allocator *allocator, bsp_issues *issues,
                              bsp_error *error);
/// Frees the directory of a zip; its bytes stay. NULL is allowed and does nothing.
BSP_API void bsp_pak_close(bsp_pak *pak);

/// Reads the directory of the zip in a file, which must outlive it. Of a mapped file no more than a
/// few MiB are in memory at a time for it. Returns NULL with BSP_E_ARGUMENT if its branch embeds
/// none, or without memory. Free with bsp_pak_close.
BSP_API bsp_pak *bsp_file_pak(const bsp_file *file, bsp_issues *issues, bsp_error *error);

/// Unpacks a file and compares its checksum. Fails with BSP_E_DAMAGED when it is not all there, not
/// what it was, encrypted, or of a size that its bytes cannot unpack to; BSP_E_UNSUPPORTED for
/// other methods; BSP_E_LIMIT where the limits of the file that the zip is in do not allow it. Free
/// `out` with bsp_blob_free.
BSP_API bool bsp_pak_read(const bsp_pak *pak, uint32_t entry, const bsp_allocator *allocator,
                          bsp_blob *out, bsp_error *error);

/// Returns the CRC-32 (zlib's polynomial) of `data`, continuing from `crc` (0 to begin).
BSP_API uint32_t bsp_crc32(uint32_t crc, bsp_bytes data);

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

#ifdef __cplusplus
}
#endif
#endif
