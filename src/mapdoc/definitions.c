// SPDX-License-Identifier: MIT
// Definitions of entity classes: which form a text has, where names are found, and what a class has
// from its bases.
#include "mapdoc/definitions.h"

#include "core/issue_kinds.h"
#include "core/options.h"
#include "core/text.h"
#include "map/entity.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_INCLUDES 16u // one inside the other
#define MAX_BASES 4096u  // that are looked at for one question

bsp_definitions *bsp_definitions_new(const bsp_definitions_options *options, bsp_error *error) {
    bsp_definitions_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    bsp_definitions *own = bspi_object_new(taken.allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&own->heap, BSP_PRODUCT_TEXT, 0, taken.budget, taken.allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->issues = taken.issues;
    return own;
}

static void free_list(bsp_definitions *own, bspi_def_list *list, size_t element) {
    bspi_heap_free(&own->heap, list->data, list->room * element);
}

void bsp_definitions_free(bsp_definitions *definitions) {
    if (definitions == NULL) {
        return;
    }
    free_list(definitions, &definitions->classes, sizeof(bsp_entity_class));
    free_list(definitions, &definitions->bases, sizeof(bsp_text));
    free_list(definitions, &definitions->properties, sizeof(bsp_class_property));
    free_list(definitions, &definitions->flags, sizeof(bsp_class_choice));
    free_list(definitions, &definitions->choices, sizeof(bsp_class_choice));
    bspi_heap_free(&definitions->heap, definitions->by_name,
                   definitions->by_name_room * sizeof *definitions->by_name);
    bspi_arena_free(&definitions->arena);
    bspi_object_free(definitions, sizeof *definitions, &definitions->heap.allocator);
}

// --- adding -------------------------------------------------------------------------------------

static bool starts_with(bsp_text text, const char *start) {
    bsp_text trimmed = bspi_text_trim(text);
    return bspi_text_begins_nocase(trimmed, start);
}

static bool contains(bsp_text text, const char *word) {
    size_t size = strlen(word);
    for (size_t i = 0; i + size <= text.size; i++) {
        if (text.data[i] == word[0] && memcmp(text.data + i, word, size) == 0) {
            return true;
        }
    }
    return false;
}

static bool read_source(bspi_def_source *source) {
    bsp_text text = source->text;
    if (contains(text, "/*QUAKED")) {
        return bspi_read_def(source);
    }
    bool xml =
        starts_with(text, "<?xml") || starts_with(text, "<classes") || contains(text, "<classes>");
    return xml ? bspi_read_ent(source) : bspi_read_fgd(source);
}

static int compare_names(const bsp_definitions *own, uint32_t a, uint32_t b) {
    const bsp_entity_class *list = own->classes.data;
    int order = bspi_text_compare_nocase(list[a].name, list[b].name);
    return order != 0 ? order : (a > b) - (a < b);
}

// Sorts by merging runs in place of qsort, which has no place for `own`.
static void merge_sort(const bsp_definitions *own, uint32_t *list, uint32_t *other, size_t count) {
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t low = 0; low < count; low += 2 * width) {
            size_t middle = low + width < count ? low + width : count;
            size_t end = middle + width < count ? middle + width : count;
            size_t a = low, b = middle;
            for (size_t to = low; to < end; to++) {
                bool left = b >= end || (a < middle && compare_names(own, list[a], list[b]) <= 0);
                other[to] = left ? list[a++] : list[b++];
            }
        }
        memcpy(list, other, count * sizeof *list);
    }
}

static bool sort_names(bsp_definitions *own, bsp_error *error) {
    size_t count = own->classes.count;
    uint32_t *sorted = bspi_heap_alloc(&own->heap, count * sizeof *sorted, error);
    uint32_t *other =
        sorted == NULL ? NULL : bspi_heap_alloc(&own->heap, count * sizeof *other, error);
    if (other == NULL) {
        bspi_heap_free(&own->heap, sorted, count * sizeof *sorted);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (uint32_t)i;
    }
    merge_sort(own, sorted, other, count);
    bspi_heap_free(&own->heap, other, count * sizeof *other);
    bspi_heap_free(&own->heap, own->by_name, own->by_name_room * sizeof *own->by_name);
    own->by_name = sorted;
    own->by_name_room = count;
    return true;
}

static bool include(bspi_def_source *source, bsp_text name);

// Reads a text that is copied, and those that it includes.
static bool add_text(bsp_definitions *own, bsp_text text, const char *name, uint32_t depth,
                     const bsp_search *includes, bsp_error *error) {
    bspi_heap_extend(&own->heap, text.size);
    char *copy = bspi_arena_text(&own->arena, text, error);
    char *own_name = copy == NULL ? NULL : bspi_arena_text(&own->arena, bsp_text_of(name), error);
    if (own_name == NULL) {
        return false;
    }
    bspi_def_source source = {.to = own,
                              .name = own_name,
                              .text = {copy, text.size},
                              .line = 1,
                              .depth = depth,
                              .includes = includes,
                              .include = include,
                              .meter = {.heap = &own->heap, .error = error},
                              .error = error};
    return read_source(&source) && bspi_meter_pay(&source.meter);
}

static bool include(bspi_def_source *source, bsp_text name) {
    char path[512];
    bsp_text here = bsp_text_of(source->name);
    size_t folder = here.size - bspi_text_last_part(here).size;
    if (source->depth + 1 >= MAX_INCLUDES || folder + name.size >= sizeof path) {
        bspi_def_issue(source, "files are included too deeply, or in a circle", name);
        return true;
    }
    memcpy(path, here.data, folder);
    memcpy(path + folder, name.data, name.size);
    path[folder + name.size] = '\0';
    bsp_blob blob = {0};
    bsp_error why;
    if (source->includes == NULL ||
        !bsp_search_read(source->includes, bsp_text_of(path), &blob, &why)) {
        bspi_def_issue(source, "a file that is included was not found", name);
        return source->includes == NULL || !bspi_out_of_memory(&why, source->error);
    }
    bool ok = add_text(source->to, (bsp_text){(const char *)blob.data, blob.size}, path,
                       source->depth + 1, source->includes, source->error);
    bsp_blob_free(&blob);
    return ok;
}

bool bsp_definitions_add(bsp_definitions *definitions, bsp_text text, const char *name,
                         const bsp_search *includes, bsp_error *error) {
    assert(definitions != NULL && (text.data != NULL || text.size == 0));
    return add_text(definitions, text, name == NULL ? "" : name, 0, includes, error) &&
           sort_names(definitions, error);
}

// --- questions ----------------------------------------------------------------------------------

const bsp_entity_class *bsp_definitions_list(const bsp_definitions *definitions, uint32_t *count) {
    assert(definitions != NULL && count != NULL);
    *count = (uint32_t)definitions->classes.count;
    return definitions->classes.data;
}

// Returns the place in `by_name` after the classes of that name, in any case.
static size_t after_name(const bsp_definitions *definitions, bsp_text name) {
    const bsp_entity_class *list = definitions->classes.data;
    size_t low = 0, high = definitions->by_name_room;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool after = bspi_text_compare_nocase(list[definitions->by_name[middle]].name, name) > 0;
        low = after ? low : middle + 1;
        high = after ? middle : high;
    }
    return low;
}

const bsp_entity_class *bsp_definitions_find(const bsp_definitions *definitions, bsp_text name) {
    assert(definitions != NULL);
    const bsp_entity_class *list = definitions->classes.data;
    size_t after = after_name(definitions, name);
    if (after == 0) {
        return NULL;
    }
    const bsp_entity_class *found = &list[definitions->by_name[after - 1]];
    return bspi_text_equal_nocase(found->name, name) ? found : NULL;
}

// Returns the class that `at` names as a base: the last one that is spelt so, else the last one in
// any case, and never itself ("light" has the base "Light" in Quake's definitions).
static const bsp_entity_class *find_base(const bsp_definitions *definitions,
                                         const bsp_entity_class *at, bsp_text name) {
    const bsp_entity_class *list = definitions->classes.data;
    const bsp_entity_class *alike = NULL;
    for (size_t n = after_name(definitions, name); n != 0; n--) {
        const bsp_entity_class *one = &list[definitions->by_name[n - 1]];
        if (!bspi_text_equal_nocase(one->name, name)) {
            break;
        }
        if (one != at && bsp_text_equal(one->name, name)) {
            return one;
        }
        alike = alike == NULL && one != at ? one : alike;
    }
    return alike;
}

// Calls `wants` for a class and then its bases, each with its own bases, until it returns true.
// Bases may go round.
typedef bool class_test(const bsp_entity_class *entity_class, const void *user);

static const bsp_entity_class *look(const bsp_definitions *own, const bsp_entity_class *at,
                                    class_test *wants, const void *user, uint32_t depth,
                                    uint32_t *left) {
    if (at == NULL || *left == 0 || depth == 32) {
        return NULL;
    }
    --*left;
    if (wants(at, user)) {
        return at;
    }
    for (uint32_t b = 0; b < at->num_bases; b++) {
        const bsp_entity_class *base = find_base(own, at, at->bases[b]);
        const bsp_entity_class *found = look(own, base, wants, user, depth + 1, left);
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}

static const bsp_entity_class *find_in(const bsp_definitions *own, const bsp_entity_class *at,
                                       class_test *wants, const void *user) {
    uint32_t left = MAX_BASES;
    return look(own, at, wants, user, 0, &left);
}

static const bsp_class_property *own_property(const bsp_entity_class *at, bsp_text key) {
    for (uint32_t p = 0; p < at->num_properties; p++) {
        if (bspi_text_equal_nocase(at->properties[p].key, key)) {
            return &at->properties[p];
        }
    }
    return NULL;
}

static bool has_property(const bsp_entity_class *at, const void *user) {
    return own_property(at, *(const bsp_text *)user) != NULL;
}

static const bsp_class_property *find_property(const bsp_definitions *own,
                                               const bsp_entity_class *at, bsp_text key) {
    const bsp_entity_class *with = find_in(own, at, has_property, &key);
    return with == NULL ? NULL : own_property(with, key);
}

const bsp_class_property *bsp_definitions_property(const bsp_definitions *definitions,
                                                   const bsp_entity_class *entity_class,
                                                   const char *key) {
    assert(definitions != NULL && entity_class != NULL && key != NULL);
    return find_property(definitions, entity_class, bsp_text_of(key));
}

static bool has_size(const bsp_entity_class *at, const void *user) {
    (void)user;
    return at->sized;
}

static bool has_color(const bsp_entity_class *at, const void *user) {
    (void)user;
    return at->colored;
}

static bool has_picture(const bsp_entity_class *at, const void *user) {
    (void)user;
    return at->shows != BSP_CLASS_NO_PICTURE;
}

bool bsp_definitions_size(const bsp_definitions *definitions, const bsp_entity_class *entity_class,
                          float mins[3], float maxs[3]) {
    assert(definitions != NULL && entity_class != NULL && mins != NULL && maxs != NULL);
    const bsp_entity_class *at = find_in(definitions, entity_class, has_size, NULL);
    if (at != NULL) {
        memcpy(mins, at->mins, sizeof at->mins);
        memcpy(maxs, at->maxs, sizeof at->maxs);
    }
    return at != NULL;
}

bool bsp_definitions_color(const bsp_definitions *definitions, const bsp_entity_class *entity_class,
                           float color[3]) {
    assert(definitions != NULL && entity_class != NULL && color != NULL);
    const bsp_entity_class *at = find_in(definitions, entity_class, has_color, NULL);
    if (at != NULL) {
        memcpy(color, at->color, sizeof at->color);
    }
    return at != NULL;
}

const bsp_entity_class *bsp_definitions_picture(const bsp_definitions *definitions,
                                                const bsp_entity_class *entity_class) {
    assert(definitions != NULL && entity_class != NULL);
    return find_in(definitions, entity_class, has_picture, NULL);
}

typedef struct value_user {
    const bsp_definitions *definitions;
    const bsp_entity_class *entity_class;
    const bsp_entity *entity;
} value_user;

// The entity's own value of a key, else that which the class gives a new entity.
static bsp_text value_of(const void *user, bsp_text key) {
    const value_user *v = user;
    for (uint32_t p = 0; p < v->entity->num_pairs; p++) {
        if (bspi_text_equal_nocase(v->entity->pairs[p].key, key)) {
            return v->entity->pairs[p].value;
        }
    }
    const bsp_class_property *property = find_property(v->definitions, v->entity_class, key);
    return property == NULL ? (bsp_text){NULL, 0} : property->value;
}

bool bsp_definitions_model(const bsp_definitions *definitions, const bsp_entity *entity,
                           bsp_class_model *out) {
    assert(definitions != NULL && entity != NULL && out != NULL);
    *out = (bsp_class_model){.scale = 1};
    const bsp_entity_class *named =
        bsp_definitions_find(definitions, bsp_entity_value(entity, "classname"));
    const bsp_entity_class *at = named == NULL ? NULL : bsp_definitions_picture(definitions, named);
    if (at == NULL) {
        return false;
    }
    const value_user user = {definitions, named, entity};
    out->pitch_negated = at->pitch_negated;
    out->sprite = at->shows == BSP_CLASS_SPRITE || at->shows == BSP_CLASS_SPRITE_KEY;
    switch (at->shows) {
    case BSP_CLASS_MODEL:
    case BSP_CLASS_SPRITE:
        out->path = at->picture;
        break;
    case BSP_CLASS_MODEL_KEY:
    case BSP_CLASS_SPRITE_KEY:
        out->path = value_of(&user, bsp_text_of("model"));
        break;
    case BSP_CLASS_EXPRESSION:
        return bspi_def_compute(at->picture, value_of, &user, out);
    case BSP_CLASS_NO_PICTURE:
        break;
    }
    return out->path.size != 0 && !bspi_is_brush_model(out->path);
}
