// SPDX-License-Identifier: MIT
/// @file compare.h
/// What lies between two maps, and what a map needs of its game: nothing is changed.
#ifndef BSPKIT_COMPARE_H
#define BSPKIT_COMPARE_H

#include "bspkit/asset.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- diff ---------------------------------------------------------------------------------------

/// How two files differ in one thing.
typedef enum bsp_difference_kind {
    BSP_ADDED = 0,   ///< only the second file has it
    BSP_REMOVED = 1, ///< only the first file has it
    BSP_CHANGED = 2, ///< both have it, and it differs
} bsp_difference_kind;

/// One thing that two files do not have in common. Borrowed until the call returns.
typedef struct bsp_difference {
    bsp_difference_kind kind;
    /// "file", "counts", "entities", "textures", "props", "pak", "light" or "records"; in this
    /// order. Static storage.
    const char *part;
    bsp_place place; ///< entities and records: in the first file, or where only the second has it
    bsp_text name;   ///< what it is: the class and name of an entity, a texture, a file; or empty
    bsp_text before; ///< values for people; empty where there is none
    bsp_text after;
} bsp_difference;

/// Receives one difference; `user` is what bsp_file_diff was given.
typedef void (*bsp_difference_sink)(void *user, const bsp_difference *difference);

/// Tells what differs between two files, by meaning and then record by record; nothing for two
/// files that say the same, however they are laid out or packed. Entities are matched as
/// bsp_entities_diff does; records by their number. The order depends on the files only. `found`
/// is called for each difference. `allocator` may be NULL.
BSP_API bool bsp_file_diff(const bsp_file *a, const bsp_file *b, bsp_difference_sink found,
                           void *user, const bsp_allocator *allocator, bsp_error *error);

// --- entities -----------------------------------------------------------------------------------

/// A key and value that differ between two entities.
typedef struct bsp_pair_difference {
    bsp_difference_kind kind; ///< changed: the same key, with another value
    uint32_t before; ///< index of the pair in the entity of the first list; BSP_NONE: added
    uint32_t after;  ///< index of the pair in the entity of the second list; BSP_NONE: removed
} bsp_pair_difference;

/// An entity of the first list and what it became in the second.
typedef struct bsp_entity_match {
    uint32_t before; ///< index in the first list; BSP_NONE: only the second list has the entity
    uint32_t after;  ///< index in the second list; BSP_NONE: only the first list has the entity
    /// What differs where both lists have the entity: pairs that went or changed, in the order of
    /// the first list, then pairs that came, in the order of the second. Another order of the same
    /// pairs is no difference.
    const bsp_pair_difference *pairs;
    uint32_t num_pairs; ///< 0: nothing differs, or only one list has the entity
    /// Of `pairs` those that changed or came: their indices in the entity of the second list, in
    /// its order.
    const uint32_t *came;
    uint32_t num_came; ///< of `came`
} bsp_entity_match;

/// How two lists of entities differ. Immutable: any number of threads may read it.
typedef struct bsp_entity_diff {
    /// Each entity once: those of the first list in its order, then those that only the second
    /// list has, in its order.
    const bsp_entity_match *matches;
    uint32_t count;       ///< of `matches`
    uint32_t num_removed; ///< entities that only the first list has
    uint32_t num_added;   ///< entities that only the second list has
    uint32_t num_changed; ///< entities of both lists whose pairs differ
    void *owner;          ///< private; NULL: a program made the struct itself
} bsp_entity_diff;

/// Compares two lists of entities. An entity of the first list is the one of the second that has
/// the same pairs, or else the same class with the same name and place, editor's number, name or
/// place, or else the same pairs but "origin", or else the same class with the same model, or else
/// the same editor's number alone, or else the same pairs but "origin" and the number of a brush
/// model, or else the same class with the same target; of several the first. What is left of one
/// class is the same entity if both lists have one of it, without a name, an editor's number or
/// a brush model. The two worldspawns are one entity. The result depends on the lists only.
///
/// When it is known which entity became which, `before_of` says so and nothing is searched for: for
/// each entity of `after` its index in `before`, or BSP_NONE for a new one. `before_of`
/// may be NULL: it is not known.
///
/// Neither list may be NULL, and both may be freed before the result, which holds only indices.
/// `allocator` and `error` may be NULL. Returns NULL without memory, when a limit of the lists'
/// budget or of BSP_PRODUCT_DIFF is passed, and with BSP_E_ARGUMENT when `before_of` names an
/// entity that is not there or one twice. Free with bsp_entity_diff_free.
BSP_API bsp_entity_diff *bsp_entities_diff(const bsp_entities *before, const bsp_entities *after,
                                           const uint32_t *before_of,
                                           const bsp_allocator *allocator, bsp_error *error);
/// Frees what bsp_entities_diff returned. NULL is allowed and does nothing.
BSP_API void bsp_entity_diff_free(bsp_entity_diff *diff);

/// Writes a difference as a configuration file of Stripper:Source, which makes the second list of
/// the first when the map is loaded: "filter:" for what went, "modify:" for what changed, "add:"
/// for what came. `diff` is that of these two lists. An entity is named by all of its pairs but
/// those with a value between slashes, which the plugin takes for a regular expression; what is no
/// other entity's is meant by that, and of two alike both are. Fails with BSP_E_IO when `sink`
/// returns false. Only `error` and `user` may be NULL. bsp_entities_stripper applies such a file.
BSP_API bool bsp_entity_diff_stripper(const bsp_entity_diff *diff, const bsp_entities *before,
                                      const bsp_entities *after, bsp_sink sink, void *user,
                                      bsp_error *error);
/// Writes an entity as an addition of such a file. Fails with BSP_E_IO when `sink` returns false.
/// Only `error` and `user` may be NULL.
BSP_API bool bsp_entity_stripper(const bsp_entity *entity, bsp_sink sink, void *user,
                                 bsp_error *error);

// --- assets -------------------------------------------------------------------------------------

/// What a needed file is.
typedef enum bsp_asset_kind {
    BSP_ASSET_MATERIAL = 0,   ///< Source: .vmt
    BSP_ASSET_TEXTURE = 1,    ///< a picture; Quake and GoldSrc: one that the map does not hold
    BSP_ASSET_MODEL = 2,      ///< a model
    BSP_ASSET_SPRITE = 3,     ///< a sprite
    BSP_ASSET_SOUND = 4,      ///< a sound
    BSP_ASSET_MUSIC = 5,      ///< a piece of music
    BSP_ASSET_SKY = 6,        ///< a side of a sky box
    BSP_ASSET_WAD = 7,        ///< textures of Quake and GoldSrc
    BSP_ASSET_FILE = 8,       ///< another one
    BSP_ASSET_SCRIPT = 9,     ///< a text that defines sounds, effects or shaders, or a program
    BSP_ASSET_PARTICLES = 10, ///< Source: particle systems
    BSP_NUM_ASSET_KINDS = 11, ///< how many kinds there are
} bsp_asset_kind;

/// Returns the name of a kind: "material", "texture" and so on. Static storage.
BSP_API const char *bsp_asset_kind_name(bsp_asset_kind kind);

/// A file that a map needs.
typedef struct bsp_asset_use {
    bsp_asset_kind kind;
    bsp_text name;   ///< in the game's folder: "sound/ambience/wind.wav"
    bsp_text by;     ///< what names it: "faces", a class of entities, a material ...
    bool found;      ///< in the map's zip or on the search path
    bool in_pak;     ///< in the map's own zip
    bsp_text source; ///< else the folder or archive; empty if it is in the zip or missing
    uint64_t size;   ///< unpacked
    bool base;       ///< it comes with the game: bsp_assets_options.base has a file of that name
} bsp_asset_use;

/// The files that a map needs, each once, sorted by kind and name.
typedef struct bsp_asset_list {
    const bsp_asset_use *list;
    uint32_t count;
    const bsp_text *unused; ///< files of the zip that nothing names and no engine looks for itself
    uint32_t num_unused;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_asset_list;

/// How the files that a map needs are found. All zero gives the defaults.
typedef struct bsp_assets_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    /// Name of the map without folder and ending, by which games look for files that nothing names
    /// ("maps/NAME.nav"); empty: these are left out.
    bsp_text map_name;
    /// What comes with the game; may be NULL. Files that it has too are marked as `base`, whatever
    /// their contents. It must outlive the list.
    const bsp_search *base;
    const bsp_allocator *allocator; ///< NULL: the C library's
} bsp_assets_options;

/// Finds the files that a map needs: textures and materials with what those name, shaders' pictures
/// and scripts, skies, models with the files that belong to them and with their materials, what
/// entities name, sounds and effects with the scripts that define them, and files that the game
/// looks for by the name of the map. What a game can do without is listed only if it was found. The
/// map was loaded with its entities, surfaces and props. `game` (what comes with the game too) may
/// be NULL: then only the map's own zip is looked into. Map and search paths must outlive the list.
/// `options` may be NULL. NULL without memory, when a limit of the map's budget is passed, and with
/// BSP_E_ARGUMENT if they were not loaded.
BSP_API bsp_asset_list *bsp_assets_find(const bsp_map *map, const bsp_search *game,
                                        const bsp_assets_options *options, bsp_error *error);
/// Frees what bsp_assets_find returned. NULL is allowed and does nothing.
BSP_API void bsp_assets_free(bsp_asset_list *list);

#ifdef __cplusplus
}
#endif
#endif
