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
/// be NULL. Returns NULL with BSP_E_ARGUMENT if there is no such lump. Free with bsp_entities_free.
BSP_API bsp_entities *bsp_lump_entities(const bsp_file *file, uint32_t lump, bsp_issues *issues,
                                        bsp_error *error);

/// Returns the value of the first pair with that key (any case), or an empty text with NULL data if
/// there is none. Borrowed.
BSP_API bsp_text bsp_entity_value(const bsp_entity *entity, const char *key);

// --- conditions ---------------------------------------------------------------------------------

/// Conditions on the pairs of an entity. Immutable: any number of threads may ask one.
typedef struct bsp_where bsp_where;

/// Makes conditions out of terms, all of which must be met. A term is a key, a comparison and a
/// value without blanks between them:
///
/// - KEY=GLOB: a pair of which key and value match, as bsp_text_matches compares;
/// - KEY~REGEX: a pair in whose value the expression is found (PCRE2; the case of letters does not
///   matter unless it says (?-i), and ^ and $ are the ends of the value);
/// - KEY<N, KEY<=N, KEY>N, KEY>=N: a pair of which the whole value is a number, and so compared;
/// - KEY!=GLOB, KEY!~REGEX: no pair meets the term without the "!", as in an entity without the
/// key.
///
/// The key is a pattern too, and ends at the first comparison that no backslash precedes. `terms`
/// are copied, and may be NULL if `count` is 0. `budget` (may be NULL) pays for expressions that
/// try very many ways, else the default limit of BSP_PRODUCT_TEXT does; it must outlive the
/// conditions.
///
/// Fails with BSP_E_ARGUMENT for a term that is none of these or a wrong expression,
/// BSP_E_UNSUPPORTED for an expression in a library that was built without PCRE2, or without
/// memory. NULL on failure. `allocator` and `error` may be NULL. Free with bsp_where_free.
BSP_API bsp_where *bsp_where_new(const char *const *terms, uint32_t count, bsp_budget *budget,
                                 const bsp_allocator *allocator, bsp_error *error);
/// Frees conditions. NULL is allowed and does nothing.
BSP_API void bsp_where_free(bsp_where *where);

/// Sets `*matches` to whether all terms are met by `num_pairs` pairs, those of an entity or others;
/// `pairs` may be NULL if there are none. Returns false, with the error filled, if an expression
/// tries more ways than the budget pays for. `error` may be NULL.
BSP_API bool bsp_where_ask(const bsp_where *where, const bsp_pair *pairs, uint32_t num_pairs,
                           bool *matches, bsp_error *error);

/// Which entities of a list are meant. All zero: all of them.
typedef struct bsp_entity_filter {
    const bsp_where *where;  ///< what the entity must meet; NULL: nothing
    const uint32_t *indices; ///< the entity is one of these; not used where `num_indices` is 0
    uint32_t num_indices;    ///< of `indices`
} bsp_entity_filter;

/// Sets `*matches` to whether a filter means an entity, which stands at `index` in its list.
/// Returns false, with the error filled, as bsp_where_ask does. `error` may be NULL.
BSP_API bool bsp_entity_filter_matches(const bsp_entity_filter *filter, const bsp_entity *entity,
                                       uint32_t index, bool *matches, bsp_error *error);

/// Writes an entity as {"index": index, "pairs": [[key, value], ...]}.
BSP_API void bsp_entity_json(const bsp_entity *entity, uint32_t index, bsp_json *json);

#ifdef __cplusplus
}
#endif
#endif
