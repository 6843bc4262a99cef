// SPDX-License-Identifier: MIT
// Expands the manifest of the map (formats/map_manifest.h) to offsets, sizes and types of the map's
// structures, and to the lists of arrays.
#include "map/members.h"

#include "formats/map_members.h"

#include <assert.h>
#include <stddef.h>

// clang-format off

// value_word is the type of an element of the array; of_word is what the codec uses, where a bare
// value is a structure of one member.
#define STRUCT(type, word, arrays, ...) typedef type value_##word, of_##word;
#define VALUES(type, word, arrays, ...) \
    typedef type value_##word; \
    typedef struct of_##word { \
        type value; \
    } of_##word;
#include "formats/map_manifest.h"

// --- test of the manifest against map.h ----------------------------------------------------------

#define IS(wanted, member) \
    static_assert(_Generic(((bsp_map *)0)->member, wanted: true, default: false), \
                  "bsp_map." #member " is not what its row says");
#define IS_ARRAY(wanted, array) IS(const wanted *, array) IS(uint32_t, num_##array)

#define STRUCT(type, word, arrays, ...) arrays
#define VALUES(type, word, arrays, ...) \
    static_assert(sizeof(of_##word) == sizeof(type), #word " is more than its value"); \
    arrays
#define ARRAY(id, called, word, array, part) IS_ARRAY(value_##word, array)
#define ALSO(id, word, array, part) IS_ARRAY(value_##word, array)
#define NAMES(id, called, array, part) IS_ARRAY(bsp_text, array)
#define VIEW(id, called, member, part) IS(bsp_bytes, member)
#include "formats/map_manifest.h"

// --- structures ---------------------------------------------------------------------------------

// A type that is not listed here does not compile.
#define TYPE_OF(value) \
    _Generic(value, \
        float: BSP_F32, float *: BSP_F32, float (*)[2]: BSP_F32, float (*)[3]: BSP_F32, \
        float (*)[4]: BSP_F32, \
        uint32_t: BSP_U32, uint32_t *: BSP_U32, uint32_t (*)[2][4]: BSP_U32, \
        uint32_t (*)[4]: BSP_U32, int32_t: BSP_I32, int32_t *: BSP_I32, \
        uint16_t: BSP_U16, char *: BSP_U8, uint8_t: BSP_U8, uint8_t *: BSP_U8, \
        uint8_t (*)[3]: BSP_U8, uint8_t (*)[4]: BSP_U8)
#define TYPE_BYTES(type) ((type) == BSP_U8 ? 1u : (type) == BSP_U16 ? 2u : 4u)
#define AT(word, place) (((of_##word *)0)->place)
#define ROW(word, name, place, none) \
    {BSPI_MEMBER_##word##_##name, TYPE_OF(AT(word, place)), \
     (uint32_t)(sizeof AT(word, place) / TYPE_BYTES(TYPE_OF(AT(word, place)))), \
     offsetof(of_##word, place), none},

#define MEMBER(word, member) ROW(word, member, member, false)
#define MEMBER_OR_NONE(word, member) ROW(word, member, member, true)
#define ELEMENT(word, name, place) ROW(word, name, place, false)
#define ELEMENT_OR_NONE(word, name, place) ROW(word, name, place, true)
#define STRUCT(type, word, arrays, ...) \
    static const bspi_member word##_members[] = {__VA_ARGS__}; \
    static const bspi_struct word##_struct = { \
        sizeof(of_##word), word##_members, sizeof word##_members / sizeof *word##_members};
#define VALUES(type, word, arrays, ...) STRUCT(type, word, arrays, __VA_ARGS__)
#include "formats/map_manifest.h"

// --- the lists ----------------------------------------------------------------------------------

#define PLACE(array) offsetof(bsp_map, array), offsetof(bsp_map, num_##array)
#define ARRAY_ROW(id, word, array, part) {BSP_ID_##id, &word##_struct, PLACE(array), BSP_LOAD_##part},

static const bspi_array arrays[] = {
#define STRUCT(type, word, rows, ...) rows
#define VALUES(type, word, rows, ...) rows
#define ARRAY(id, called, word, array, part) ARRAY_ROW(id, word, array, part)
#define ALSO(id, word, array, part) ARRAY_ROW(id, word, array, part)
#include "formats/map_manifest.h"
};

static const bspi_names names[] = {
#define NAMES(id, called, array, part) {BSP_ID_##id, PLACE(array), BSP_LOAD_##part},
#include "formats/map_manifest.h"
};

static const bspi_view views[] = {
#define VIEW(id, called, member, part) {BSP_ID_##id, offsetof(bsp_map, member), BSP_LOAD_##part},
#include "formats/map_manifest.h"
};
// clang-format on

#define LENGTH(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

const bspi_array *bspi_arrays(uint32_t *count) {
    *count = LENGTH(arrays);
    return arrays;
}

const bspi_array *bspi_array_find(bsp_table_id id) {
    uint32_t a = 0;
    while (a < LENGTH(arrays) && arrays[a].id != id) {
        a++;
    }
    return a < LENGTH(arrays) ? &arrays[a] : NULL;
}

const bspi_names *bspi_names_arrays(uint32_t *count) {
    *count = LENGTH(names);
    return names;
}

const bspi_view *bspi_views(uint32_t *count) {
    *count = LENGTH(views);
    return views;
}

const bspi_member *bspi_member_of(uint16_t map_member) {
    const bspi_member *found = NULL;
    for (uint32_t i = 0; found == NULL && i < LENGTH(arrays); i++) {
        found = bspi_struct_find(arrays[i].structure, map_member);
    }
    return found;
}
