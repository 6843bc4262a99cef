// SPDX-License-Identifier: MIT
/// @file entities.h
/// Entities: the text of a map that says what stands in it.
#ifndef BSPKIT_ENTITIES_H
#define BSPKIT_ENTITIES_H

#include "bspkit/file.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    void *owner;   ///< private; NULL: a program made the struct itself
} bsp_entities;

/// Reads entity text. Tolerates what is found in real files: NULs inside and many or none at the
/// end, CRLF, escaped quotes, repeated and empty keys, a missing brace at the end; each is an issue
/// where it is one. `text` must outlive the result; `issues` may be NULL. Returns NULL only
/// without memory.
BSP_API bsp_entities *bsp_entities_parse(bsp_text text, const bsp_allocator *allocator,
                                         bsp_issues *issues, bsp_error *error);
/// Frees entities; their text stays. NULL is allowed and does nothing.
BSP_API void bsp_entities_free(bsp_entities *entities);

/// Reads the entities of a file, which must outlive them: those of the entity lump, then those of
/// .ent files, as one text. `issues` may be NULL. Returns NULL without an entity lump, or without
/// memory. Free with
/// bsp_entities_free.
BSP_API bsp_entities *bsp_file_entities(const bsp_file *file, bsp_issues *issues, bsp_error *error);
/// Reads the entities of one lump (BSP_KIND_ENTITIES) alone, as its bytes have them. `issues` may
/// be NULL. Returns
/// NULL with BSP_E_ARGUMENT if there is no such lump. Free with bsp_entities_free.
BSP_API bsp_entities *bsp_lump_entities(const bsp_file *file, uint32_t lump, bsp_issues *issues,
                                        bsp_error *error);

/// Returns the value of the first pair with that key (any case), or an empty text with NULL data if
/// there is none. Borrowed.
BSP_API bsp_text bsp_entity_value(const bsp_entity *entity, const char *key);

/// Which entities of a list are meant. All zero: all of them.
typedef struct bsp_entity_filter {
    /// Patterns, as bsp_text_matches takes them: for each the entity needs a pair of which key and
    /// value match. Not used where `num_where` is 0.
    const bsp_pair *where;
    uint32_t num_where;      ///< of `where`
    const uint32_t *indices; ///< the entity is one of these; not used where `num_indices` is 0
    uint32_t num_indices;    ///< of `indices`
} bsp_entity_filter;

/// Returns true if a filter means an entity, which stands at `index` in its list. Neither the
/// filter nor the entity may be NULL.
BSP_API bool bsp_entity_filter_matches(const bsp_entity_filter *filter, const bsp_entity *entity,
                                       uint32_t index);

/// Writes an entity as {"index": index, "pairs": [[key, value], ...]}.
BSP_API void bsp_entity_json(const bsp_entity *entity, uint32_t index, bsp_json *json);

#ifdef __cplusplus
}
#endif
#endif
