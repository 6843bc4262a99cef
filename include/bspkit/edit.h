// SPDX-License-Identifier: MIT
/// @file edit.h
/// Changes to files: lumps, textures, embedded files, branch, byte order and packing; and whether
/// a changed file is worse than the old one. What was not asked for stays, byte for byte. Changes
/// to entities are in entity_edit.h.
#ifndef BSPKIT_EDIT_H
#define BSPKIT_EDIT_H

#include "bspkit/asset.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- plans --------------------------------------------------------------------------------------

/// A file that is to be written. Most of it stands in the file that it is made from, and is not
/// copied: a plan is small, however large the file, and so is what it takes to write it. Immutable;
/// what it was made from (files, changes, their bytes) must outlive it.
typedef struct bsp_plan bsp_plan;

/// Makes a plan of these bytes, as they are. Returns NULL only without memory. `allocator` may be
/// NULL. Free with bsp_plan_free, as every plan.
BSP_API bsp_plan *bsp_plan_bytes(bsp_bytes bytes, const bsp_allocator *allocator, bsp_error *error);
/// Frees a plan; the files that it was made from stay. NULL is allowed and does nothing.
BSP_API void bsp_plan_free(bsp_plan *plan);

/// Returns the size of the file in bytes.
BSP_API uint64_t bsp_plan_size(const bsp_plan *plan);

/// Returns the budget of the plan: that of the file that it was made from. NULL for a plan of
/// bytes that are in no file, and where the file has none.
BSP_API bsp_budget *bsp_plan_budget(const bsp_plan *plan);

/// Sends the file to a sink, in order, some MiB at most at a time; pages of a mapped file are
/// released after it. All bytes count as output of the plan's budget before the first is sent:
/// BSP_E_LIMIT when they are too many. Fails with BSP_E_IO when the sink does, or when a file of
/// the disk that goes in is not what it was when the plan was made.
BSP_API bool bsp_plan_write(const bsp_plan *plan, bsp_sink sink, void *user, bsp_error *error);

/// Makes all of the file in memory. Free `out` with bsp_blob_free.
BSP_API bool bsp_plan_make(const bsp_plan *plan, const bsp_allocator *allocator, bsp_blob *out,
                           bsp_error *error);

/// Returns true if `file` has the bytes of the plan; if not, the error says so (BSP_E_IO). Embedded
/// files that bsp_check has read, and found to have the checksums that stand in the file, are not
/// read again.
BSP_API bool bsp_plan_matches(const bsp_plan *plan, const bsp_file *file, bsp_error *error);

// --- lumps --------------------------------------------------------------------------------------

/// A change to one lump.
typedef struct bsp_lump_change {
    uint32_t lump;        ///< number, as bsp_file_lump takes it; BSP_NONE: a new one
    const char *name;     ///< of a new one: "game:sprp" or "bspx:NAME"
    bool remove;          ///< directory: emptied; game lump, BSPX: its entry goes too
    bsp_bytes data;       ///< the bytes that the file is to hold: packed ones if they are packed
    const bsp_plan *plan; ///< those bytes in the place of `data`; NULL: `data`
    uint32_t version;     ///< lump version; BSP_NONE: as it was, and 0 for a new one
    /// Bytes of records when the bytes are packed (LZMA), else 0.
    uint32_t unpacked_size;
    /// Directory: all other lumps stay where they are. Unless it is the last one, the lump moves to
    /// the end of the file and leaves zeros; changing it back does not fill that gap again.
    bool apart;
} bsp_lump_change;

/// Writes a file again with changes to some of its lumps; without any, the same bytes. `allocator`
/// may be NULL. NULL on failure.
///
/// What follows a lump that grew or shrank moves, in the same order, with the bytes between lumps;
/// where all lumps of a file are aligned they stay so (on consoles an embedded zip on a sector of
/// 2048 bytes too). Offsets in the game lump's directory and in BSPX follow, absolute or relative
/// as they were. A lump that shares bytes with another is put after them. An empty lump that gets
/// bytes goes after the last one. Changing the same lump back gives the first file, but for padding
/// that was no zeros.
///
/// The files beside a map (bsp_external) are no part of what is written; the map's own bytes in
/// their place stay.
///
/// Fails with BSP_E_ARGUMENT for a lump that is not there or has two changes, or a name that exists
/// or that the branch has no place for; with BSP_E_UNSUPPORTED for a lump that another file holds
/// (bsp_external_rewrite changes that; a map opened with `no_external` has its own again); with
/// BSP_E_RANGE when an offset does not fit.
BSP_API bsp_plan *bsp_file_plan(const bsp_file *file, const bsp_lump_change *changes,
                                uint32_t count, const bsp_allocator *allocator, bsp_error *error);

/// Writes a file with changes to some of its lumps, as bsp_file_plan does, in memory at once. Free
/// `out` with bsp_blob_free.
BSP_API bool bsp_file_rewrite(const bsp_file *file, const bsp_lump_change *changes, uint32_t count,
                              const bsp_allocator *allocator, bsp_blob *out, bsp_error *error);

/// Writes the file beside a map that holds a lump again, with other bytes for it; with the lump's
/// own bytes, the same file. The first line of .ent files stays. Fails with BSP_E_ARGUMENT for a
/// lump of the map, and for those in the game lump. Free `out` with bsp_blob_free.
BSP_API bool bsp_external_rewrite(const bsp_file *file, uint32_t lump, bsp_bytes data,
                                  const bsp_allocator *allocator, bsp_blob *out, bsp_error *error);

/// Packs the bytes of `lump` (LZMA) for its place in a file: what bsp_lump_change takes as `data`.
/// A game lump gets zeros after it up to a multiple of four, at least one: it ends where the next
/// one begins, which the engine's tools put on a multiple of four (Source SDK), and of which some
/// readers leave a byte out. Free `out` with bsp_blob_free. `allocator` may be NULL.
BSP_API bool bsp_lump_pack(const bsp_lump *lump, bsp_bytes data, const bsp_allocator *allocator,
                           bsp_blob *out, bsp_error *error);

/// Describes the change of a lump that gives it other bytes and leaves the rest as it was: packed
/// (LZMA) if the lump is packed and `data` is not empty. `packed` receives what that makes, and
/// must outlive the change, as `data` must; free it with bsp_blob_free. `allocator` and `error` may
/// be NULL. Fails with BSP_E_ARGUMENT for a lump that is not there, with BSP_E_RANGE for 4 GiB or
/// more that are to be packed, or without memory.
BSP_API bool bsp_lump_change_make(const bsp_file *file, uint32_t lump, bsp_bytes data,
                                  const bsp_allocator *allocator, bsp_blob *packed,
                                  bsp_lump_change *out, bsp_error *error);

// --- whether a changed file is worse ------------------------------------------------------------

/// A kind of problem that a changed file has more of than the old one had.
typedef struct bsp_new_issue {
    const bsp_issue_kind *kind; ///< static storage
    /// The first of the kind that the old list has not: another text or lump. NULL when no such one
    /// was kept. Borrowed from the new list.
    const bsp_issue *first;
    uint64_t before; ///< how many the old list has
    uint64_t after;  ///< how many the new list has: more
} bsp_new_issue;

/// Receives one such kind; `user` is what the caller gave.
typedef void (*bsp_new_issue_sink)(void *user, const bsp_new_issue *issue);

/// Compares what bsp_check found in an old file and in a changed one. Calls `found` (may be NULL)
/// for each kind at or above `least` that the new list has more of, in the order of
/// bsp_issue_kinds, and returns how many kinds these are. Neither list may be NULL.
BSP_API uint32_t bsp_issues_compare(const bsp_issues *before, const bsp_issues *after,
                                    bsp_severity least, bsp_new_issue_sink found, void *user);

/// Returns true if the checksum that the game compares between server and client (see
/// bsp_file_checksum) differs between an old file and a changed one: players who have the old one
/// cannot join a server that has the new one. `before` and `after` receive both checksums then, and
/// may be NULL. False when no rule is known, and for files of different branches or byte orders,
/// which never meet.
BSP_API bool bsp_file_checksum_changes(const bsp_file *old_file, const bsp_file *new_file,
                                       uint32_t *before, uint32_t *after);

/// What bsp_plan_check found.
typedef struct bsp_plan_report {
    const bsp_branch *branch; ///< that the new file is taken for; compare it with the old one's
    uint32_t num_new_issues;  ///< kinds of warnings and errors that the new file has more of
    bool checksum_changes;    ///< as bsp_file_checksum_changes says
    uint32_t checksum_before; ///< of the old file, where it changes; else 0
    uint32_t checksum_after;  ///< of the new file, where it changes; else 0
} bsp_plan_report;

/// Makes the file of a plan in memory, opens it with the files beside the old one and checks it, so
/// that an edit can be refused before anything is written. `file` is the old one; `found` (may be
/// NULL) is called for each kind of warning or error that the new file has more of. False, with the
/// error filled, when the new file cannot be made or opened, or a limit of the old one's budget
/// ends a check. `allocator` and `error` may be NULL.
BSP_API bool bsp_plan_check(const bsp_plan *plan, const bsp_file *file, bsp_new_issue_sink found,
                            void *user, const bsp_allocator *allocator, bsp_plan_report *out,
                            bsp_error *error);

// --- files of one lump --------------------------------------------------------------------------

#define BSP_LUMP_FILE_HEAD 20 ///< bytes before the lump

/// One of Source's NAME_l_N.lmp files: a lump that is read in the place of the map's own.
typedef struct bsp_lump_file {
    uint32_t lump;     ///< index in the directory
    uint32_t version;  ///< of the lump
    uint32_t revision; ///< of the map that it was made for: the engine takes no other
    bsp_bytes data;    ///< the lump as it stands in a map; borrowed
} bsp_lump_file;

/// Takes such a file apart, of a map in that byte order. BSP_E_DAMAGED if it is none.
BSP_API bool bsp_lump_file_read(bsp_bytes bytes, bool big_endian, bsp_lump_file *out,
                                bsp_error *error);
/// Writes the head of such a file, which stands before the lump, to `out`.
BSP_API void bsp_lump_file_head(const bsp_lump_file *file, bool big_endian,
                                uint8_t out[BSP_LUMP_FILE_HEAD]);

// --- textures of Quake and GoldSrc --------------------------------------------------------------

/// Writes the textures that a map, loaded with its surfaces, has in it, with all their mips, as a
/// WAD: WAD3 if they have palettes of their own, else WAD2. Those without pixels are left out.
/// `*written` receives how many there are. Free `out` with bsp_blob_free.
BSP_API bool bsp_wad_write(const bsp_map *map, const bsp_allocator *allocator, uint32_t *written,
                           bsp_blob *out, bsp_error *error);

/// A texture of a map that gets its pixels, or loses them.
typedef struct bsp_texture_change {
    uint32_t texture; ///< which one of the texture lump
    bsp_bytes data;   ///< as a WAD holds it; none: only name and size stay, and a WAD has the rest
} bsp_texture_change;

/// Writes the texture lump of a file again. Textures without a change keep their bytes, and so do
/// the bytes between them. Fails with BSP_E_ARGUMENT for a texture that is not there, or when the
/// data has another size in pixels or is not all there: the record of the error's place is then the
/// number of the texture. Free `out` with bsp_blob_free.
BSP_API bool bsp_textures_change(const bsp_file *file, const bsp_texture_change *changes,
                                 uint32_t count, const bsp_allocator *allocator, bsp_blob *out,
                                 bsp_error *error);

// --- pak ----------------------------------------------------------------------------------------

/// A file of an embedded zip that comes, is replaced, or goes. Of two changes of one name the last
/// counts.
typedef struct bsp_pak_change {
    bsp_text name;    ///< as it is to be written; a file of that name (any case) is replaced
    bool remove;      ///< the file goes; the other members are not used
    bsp_bytes data;   ///< unpacked
    uint16_t method;  ///< a bsp_pak_method
    const char *path; ///< of a file on the disk that has the bytes, in the place of `data`; or NULL
} bsp_pak_change;

/// Writes a zip again with changed files. Those that are not touched keep their bytes, order, and
/// what their data is aligned to (consoles: the comment "XZP1 n" says it); new ones have no date.
/// The zip may be empty. Files of the disk are read one at a time, once now and once when they are
/// written; packed ones are packed twice when together they pass 8 MiB. NULL on failure: with
/// BSP_E_ARGUMENT when a file to be removed is not there, BSP_E_DAMAGED when a file that stays is
/// not all there, BSP_E_IO when one of the disk cannot be read, BSP_E_RANGE for what no zip holds,
/// BSP_E_UNSUPPORTED for the archive of Counter-Strike Online 2.
BSP_API bsp_plan *bsp_pak_plan(const bsp_pak *pak, const bsp_pak_change *changes, uint32_t count,
                               const bsp_allocator *allocator, bsp_error *error);

/// Writes the zip in `data`, which may be empty, again with changed files, as bsp_pak_plan does, in
/// memory at once. Free `out` with bsp_blob_free.
BSP_API bool bsp_pak_rewrite(bsp_bytes data, const bsp_pak_change *changes, uint32_t count,
                             const bsp_allocator *allocator, bsp_blob *out, bsp_error *error);

// --- another name -------------------------------------------------------------------------------

/// What changes when a map gets another name. Immutable.
typedef struct bsp_rename {
    const bsp_lump_change *changes; ///< for bsp_file_plan; borrowed from this struct
    uint32_t num_changes;           ///< of `changes`; 0: nothing of the map bears the old name
    uint32_t num_files;             ///< files of the zip that get another name
    uint32_t num_paths; ///< paths that change in materials, entities and texts of the zip
    void *owner;        ///< private
} bsp_rename;

/// Gives a map of Source another name: the files of its zip that games look for by the old name get
/// the new one ("materials/maps/NAME/...", "maps/NAME.nav", "scripts/soundscapes_NAME.txt"), and so
/// do the paths of such files in the names of materials, in values of entities, and in texts of the
/// zip. Other words that happen to be the name stay, and so does a file of the zip that cannot be
/// read, unless it bears the name. Case does not matter in the old name.
///
/// All or nothing: fails with BSP_E_ARGUMENT for a name that no map can have, a map whose branch
/// embeds no files, and a new path that another file of the zip has; with BSP_E_UNSUPPORTED when a
/// file that is no text names such a path, or the strings of materials cannot be changed; and as
/// bsp_pak_read and bsp_pak_plan do. NULL on failure. `allocator` and `error` may be NULL. Free
/// with bsp_rename_free, after the plan that is made of it. `file` must outlive it.
BSP_API bsp_rename *bsp_file_rename(const bsp_file *file, bsp_text from, bsp_text to,
                                    const bsp_allocator *allocator, bsp_error *error);
/// Frees what bsp_file_rename returned. NULL is allowed and does nothing.
BSP_API void bsp_rename_free(bsp_rename *rename);

/// Returns the name that the map had when it was compiled, by the folder of its zip that the
/// compilers fill ("materials/maps/NAME/"); empty if there is none, or more than one. Borrowed from
/// `pak`.
BSP_API bsp_text bsp_pak_map_name(const bsp_pak *pak);

// --- convert ------------------------------------------------------------------------------------

/// How a file is converted. All zero: whatever would be lost is an error.
typedef struct bsp_convert_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    /// What the target cannot hold is left out, or kept as it is where its byte order is not known,
    /// and noted; else the call fails.
    bool lossy;
    uint32_t static_prop_version; ///< Source: of the new file; 0: as it was, if the target knows it
    /// Quake to GoldSrc: 256 colours of three bytes for the textures; NULL: those of the old ones,
    /// or greys.
    const uint8_t *palette;
    bsp_issues *issues; ///< receives what is lost; may be NULL
    const bsp_allocator *allocator;
} bsp_convert_options;

/// Writes a file again with its lumps, game lumps and embedded files packed (LZMA) or unpacked, as
/// the engine and its tools have them. What packing does not make smaller stays; deflated files
/// stay when packing. A file without packed lumps that is packed and then unpacked has its first
/// bytes again: where what pads a lump is more than zeros, zeros after the packed bytes keep its
/// place, and game lumps and the zip stay as they are. Packed game lumps end where the next entry
/// says: a last entry of zeros comes with the first packed one and goes with the last. Damaged
/// files in the pak stay as they are. Packing what is packed, or the reverse, changes nothing. The
/// plan keeps what was packed; what was unpacked of the zip, and passes 8 MiB, is unpacked again
/// when it is written. Fails with BSP_E_UNSUPPORTED for branches that pack no lumps. NULL on
/// failure.
BSP_API bsp_plan *bsp_file_compress_plan(const bsp_file *file, bool lzma,
                                         const bsp_allocator *allocator, bsp_error *error);

/// Packs or unpacks a file as bsp_file_compress_plan does, in memory at once. Free `out` with
/// bsp_blob_free.
BSP_API bool bsp_file_compress(const bsp_file *file, bool lzma, const bsp_allocator *allocator,
                               bsp_blob *out, bsp_error *error);

/// Writes a file of the Source family again in the other byte order (or the same), as consoles have
/// it: records, directories, and the magic; offsets of game lumps count from their lump in
/// big-endian files and from the file in others. The heads of packed lumps and the embedded zip
/// stay little-endian. There and back gives the first file, but for lumps that others have packed:
/// those are packed anew.
/// Fails with BSP_E_UNSUPPORTED, naming lumps, when bytes have a structure that is not known; with
/// `lossy` such bytes stay as they are, and are noted. Free `out` with bsp_blob_free.
BSP_API bool bsp_file_reorder(const bsp_file *file, bool big_endian,
                              const bsp_convert_options *options, bsp_blob *out, bsp_error *error);

/// Writes a file as one of another branch of its family (Quake and GoldSrc are one here), in its
/// own byte order; packed lumps are unpacked. Every lump and field goes over that the target has
/// too; what the file leaves implicit is filled. A file of the target stays as it is, byte for
/// byte, but for static props of another version. Light in colour becomes grey with its colours in
/// BSPX, and the reverse; GoldSrc's textures get `palette`, or lose theirs for it. BSPX stays where
/// the target has it. Clip hulls stay of the size that the map was compiled for. Fails with
/// BSP_E_UNSUPPORTED for another family, and with BSP_E_RANGE for what does not fit: the place says
/// which lump, record and field; so for fractions where the target has whole numbers. With `lossy`
/// what the target has no place for is noted and left out, and fractions are noted and rounded,
/// those of boxes outwards; a value too big for its field, as an index, is refused all the same.
/// Free `out` with bsp_blob_free.
BSP_API bool bsp_file_convert(const bsp_file *file, const bsp_branch *target,
                              const bsp_convert_options *options, bsp_blob *out, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
