// SPDX-License-Identifier: MIT
/// @file entity_edit.h
/// Changes to the entities of a map. Each call makes new entity text, which becomes the map's with
/// bsp_lump_change_make and bsp_file_plan (edit.h). What was not asked for stays, byte for byte.
#ifndef BSPKIT_ENTITY_EDIT_H
#define BSPKIT_ENTITY_EDIT_H

#include "bspkit/entities.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- text ---------------------------------------------------------------------------------------

/// What an entity change does.
typedef enum bsp_entity_action {
    BSP_ENTITY_SET = 0,    ///< `key` gets `value`: in its first pair, or in a new one at the end
    BSP_ENTITY_UNSET = 1,  ///< all pairs of `key` go
    BSP_ENTITY_RENAME = 2, ///< all pairs of `key` have the key `value`
    BSP_ENTITY_REMOVE = 3, ///< the entity goes
    BSP_ENTITY_ADD = 4,    ///< `value` is the text of entities that are added after the last one
} bsp_entity_action;

/// A change to the entities of a text.
typedef struct bsp_entity_change {
    bsp_entity_action action; ///< what happens
    uint32_t entity;          ///< which one; not used by ADD
    bsp_text key;             ///< compared in any case, as engines do
    bsp_text value;           ///< as the action says
} bsp_entity_change;

/// Applies changes to the text that `entities` was read from: all else stays byte for byte, the
/// final NULs too. Changes of one pair apply in their order. Fails with BSP_E_ARGUMENT for an
/// entity that is not there, for a key or value with a quote or a control character in it (but
/// 0x1b, which Source parts the fields of outputs with), and for added text that is not well
/// formed. Free `out` with bsp_blob_free.
BSP_API bool bsp_entities_change(const bsp_entities *entities, const bsp_entity_change *changes,
                                 uint32_t count, const bsp_allocator *allocator, bsp_blob *out,
                                 bsp_error *error);

/// An entity of a new list: as it stands in the old text, or of these pairs.
typedef struct bsp_entity_source {
    uint32_t entity;       ///< which one of the old ones it is; BSP_NONE: of `pairs`
    const bsp_pair *pairs; ///< in any other case not used
    uint32_t num_pairs;
} bsp_entity_source;

/// Writes entity text of a list of old and new entities, in that order. Old ones keep their bytes,
/// and so does what stands between two that follow each other as before, before the first and
/// after the last. Fails as bsp_entities_change does; a pair of the old text is never refused.
BSP_API bool bsp_entities_compose(const bsp_entities *entities, const bsp_entity_source *list,
                                  uint32_t count, const bsp_allocator *allocator, bsp_blob *out,
                                  bsp_error *error);

// --- edits --------------------------------------------------------------------------------------

/// What became of a list of entities. Immutable: any number of threads may read it.
typedef struct bsp_entity_edit {
    /// The new list. Its `text` is what the lump is to hold, with the NULs that ended the old one.
    const bsp_entities *entities;
    /// For each entity of the new list its index in the old one, or BSP_NONE for an added one:
    /// what bsp_entities_diff takes. NULL after bsp_entities_import: it is not known.
    const uint32_t *before_of;
    uint32_t num_selected; ///< old entities that were meant: by the filter, or by a block of a file
    uint32_t num_changed;  ///< entities that stay, with another text than before
    uint32_t num_removed;  ///< old entities that went (import: all of them)
    uint32_t num_added;    ///< entities that came (import: all of them)
    void *owner;           ///< private; NULL: a program made the struct itself
} bsp_entity_edit;

/// Frees an edit with its entities and their text. NULL is allowed and does nothing.
BSP_API void bsp_entity_edit_free(bsp_entity_edit *edit);

/// Applies changes to all entities that a filter means: to each all changes in their order; then
/// entities are added. The member `entity` of the changes is not used. `filter` may be NULL: all
/// entities; `changes` may be NULL when `count` is 0. No entity needs to be meant.
///
/// All or nothing: fails as bsp_entities_change and bsp_where_ask do, with BSP_E_LIMIT or
/// BSP_E_CANCELLED by the budget that pays for `entities`, or without memory. NULL on failure.
/// `entities` may be freed before the edit; `allocator` and `error` may be NULL. Free with
/// bsp_entity_edit_free.
BSP_API bsp_entity_edit *bsp_entities_edit(const bsp_entities *entities,
                                           const bsp_entity_filter *filter,
                                           const bsp_entity_change *changes, uint32_t count,
                                           const bsp_allocator *allocator, bsp_error *error);

/// Replaces all entities by those of a text, such as an .ent file, which is copied. It may end in
/// NULs; the new text ends in as many as the old one. Text that is not well formed is taken as
/// bsp_entities_parse takes it: `issues` (may be NULL) receives what is odd in it.
///
/// Fails by the budget that pays for `entities`, or without memory. NULL on failure. `entities` may
/// be freed before the edit; `allocator` and `error` may be NULL. Free with bsp_entity_edit_free.
BSP_API bsp_entity_edit *bsp_entities_import(const bsp_entities *entities, bsp_text text,
                                             const bsp_allocator *allocator, bsp_issues *issues,
                                             bsp_error *error);

/// Applies a configuration file of Stripper:Source, as the plugin does when it loads the map: each
/// block to what the blocks before it left. "filter:" (or "remove:") removes the entities that have
/// all pairs of the block, "add:" adds one, and "modify:" deletes, replaces and inserts pairs of
/// those that have all of its "match:", in this order, whatever the order in the file. Keys and
/// values are compared in any case; a pair with an empty key or value counts for nothing. An entity
/// has all pairs if so many of its own pairs are among them.
///
/// Unlike the plugin, which passes over what it does not understand, this call applies all of a
/// file or nothing. It fails with BSP_E_ARGUMENT for a line that is no heading, brace or pair, for
/// a block that is not closed, and for a filter or a match without pairs, which would mean all
/// entities; with BSP_E_UNSUPPORTED for a value between slashes, which is a regular expression.
/// These messages begin with "line N: ". Other failures are those of bsp_entities_compose.
/// `entities` may be freed before the edit; `config` is not used after the call; `allocator` and
/// `error` may be NULL. Free with bsp_entity_edit_free.
BSP_API bsp_entity_edit *bsp_entities_stripper(const bsp_entities *entities, bsp_text config,
                                               const bsp_allocator *allocator, bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
