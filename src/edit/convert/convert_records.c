// SPDX-License-Identifier: MIT
// Converts records to another layout: each field goes to the one that becomes the same member of
// the map, or where neither becomes a member, to the one with the same name.
#include "edit/convert/convert.h"

#include "layout/layout.h"
#include "formats/map_members.h"

#include <math.h>
#include <string.h>

#define WIDTH 4u // of an element in memory

typedef struct carrier {
    bspi_convert *c;
    const char *lump;
    const bsp_table *from;
    const bsp_table *to;
    uint8_t *out;
} carrier;

static bool by_name(const bsp_layout *layout, const char *name, uint32_t *index) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        if (field->map_member == BSPI_MEMBER_NONE && field->type != BSP_PAD &&
            strcmp(field->name, name) == 0) {
            *index = f;
            return true;
        }
    }
    return false;
}

static bool find_target(const carrier *k, const bsp_field *field, uint32_t *index) {
    return field->map_member != BSPI_MEMBER_NONE
               ? bspi_layout_find(k->to->layout, field->map_member, index) != NULL
               : by_name(k->to->layout, field->name, index);
}

// --- losses -------------------------------------------------------------------------------------

// Returns true for a value other than 0 and the values for "none".
static bool says_something(const bsp_field *field, const bsp_table *table, uint32_t record,
                           uint32_t f, uint32_t element) {
    if (field->type == BSP_F32) {
        return bsp_table_float(table, record, f, element) != 0;
    }
    int64_t value = bsp_table_int(table, record, f, element);
    size_t bits = field->bits != 0 ? field->bits : 8 * bspi_type_size(field->type);
    bool none = value == -1 || value == (INT64_C(1) << bits) - 1;
    none = none || (field->map_member == BSPI_MEMBER_face_light_page && value < 0);
    return value != 0 && !none;
}

// Reports elements of a field, from `first` on, that the target has no place for.
static void find_losses(const carrier *k, uint32_t f, uint32_t first) {
    const bsp_field *field = &k->from->layout->fields[f];
    uint32_t count = 0;
    uint32_t record = 0;
    uint32_t element = 0;
    for (uint32_t r = 0; field->type != BSP_PAD && r < k->from->count; r++) {
        uint32_t e = first;
        while (e < field->count && !says_something(field, k->from, r, f, e)) {
            e++;
        }
        if (e < field->count) {
            record = count == 0 ? r : record;
            element = count == 0 ? e : element;
            count++;
        }
    }
    if (count != 0) {
        char value[BSP_FLOAT_TEXT];
        (void)bsp_format_float(value, bsp_table_float(k->from, record, f, element));
        bsp_place place = bsp_place_at(k->lump, record, field->name, UINT64_MAX);
        bspi_convert_lose(k->c, bsp_place_element(place, element, field->count),
                          "is %s, and branch %s has no place for it (%u records)", value,
                          k->c->target->name, count);
    }
}

// --- values -------------------------------------------------------------------------------------

static bsp_type memory_type(const bsp_field *from, const bsp_field *to) {
    if (from->type == BSP_CHAR || to->type == BSP_CHAR) {
        return BSP_U8;
    }
    if (from->type == BSP_F32 || to->type == BSP_F32) {
        return BSP_F32;
    }
    bool none = from->role == BSP_ROLE_INDEX_NONE || from->role == BSP_ROLE_OFFSET_NONE;
    bool sign = from->type == BSP_I8 || from->type == BSP_I16 || from->type == BSP_I32;
    return sign && !none ? BSP_I32 : BSP_U32;
}

// Returns true if a value is the same as the other type of number.
static bool says_the_same(const carrier *k, uint32_t f, const bsp_field *to, uint32_t record,
                          uint32_t element, float value) {
    return to->type == BSP_F32 ? (double)value == (double)bsp_table_int(k->from, record, f, element)
                               : value == truncf(value);
}

// Reports fractions that become integers, and integers that a float cannot hold.
static void find_rounded(const carrier *k, uint32_t f, const bsp_field *to, const uint8_t *values,
                         size_t stride) {
    const bsp_field *from = &k->from->layout->fields[f];
    uint32_t elements = from->count < to->count ? from->count : to->count;
    uint32_t count = 0;
    bsp_place place = bsp_place_none();
    char text[BSP_FLOAT_TEXT] = "";
    for (uint32_t i = 0; i < k->from->count * (uint64_t)elements; i++) {
        uint32_t record = i / elements;
        uint32_t element = i % elements;
        float value;
        memcpy(&value, values + record * stride + element * WIDTH, sizeof value);
        if (!says_the_same(k, f, to, record, element, value) && count++ == 0) {
            place = bsp_place_at(k->lump, record, from->name, UINT64_MAX);
            place = bsp_place_element(place, element, from->count);
            (void)bsp_format_float(text, value);
        }
    }
    if (count != 0) {
        bspi_convert_lose(k->c, place, "is %s, which branch %s has to round (%u values)", text,
                          k->c->target->name, count);
    }
}

// Rounds boxes to integers outwards, so that they contain what they contained before.
static void round_bounds(const bsp_field *from, const bsp_field *to, uint8_t *values,
                         size_t elements) {
    bool mins = strstr(from->name, "min") != NULL;
    bool maxs = strstr(from->name, "max") != NULL;
    for (size_t i = 0; to->type != BSP_F32 && (mins || maxs) && i < elements; i++) {
        float value;
        memcpy(&value, values + i * WIDTH, sizeof value);
        value = mins ? floorf(value) : ceilf(value);
        memcpy(values + i * WIDTH, &value, sizeof value);
    }
}

static bool carry(const carrier *k, uint32_t f, uint32_t t) {
    const bsp_field *from = &k->from->layout->fields[f];
    const bsp_field *to = &k->to->layout->fields[t];
    bsp_type type = memory_type(from, to);
    size_t elements = from->count > to->count ? from->count : to->count;
    size_t stride = elements * WIDTH;
    size_t size;
    if (!bspi_multiply(stride, k->from->count, &size)) {
        return bsp_fail(k->c->error, BSP_E_LIMIT, NULL, "too many %s", k->lump);
    }
    if (!bspi_heap_work(&k->c->heap, size, k->c->error)) {
        return false;
    }
    uint8_t *values = bspi_heap_alloc(&k->c->heap, size, k->c->error);
    if (values == NULL) {
        return false;
    }
    memset(values, 0, size);
    if (type != BSP_U8) { // elements that only the target has stay as the map made them
        bsp_table_decode(k->to, t, type, values, stride);
    }
    bsp_table_decode(k->from, f, type, values, stride);
    if (type == BSP_F32) {
        if (from->type != to->type) {
            find_rounded(k, f, to, values, stride);
        }
        round_bounds(from, to, values, size / WIDTH);
    }
    bool done = bsp_table_encode(k->to->layout, k->from->count, k->to->big_endian, t, type, values,
                                 stride, k->out, k->c->error);
    bspi_heap_free(&k->c->heap, values, size);
    if (done && from->count > to->count) {
        find_losses(k, f, to->count);
    }
    return done;
}

// Luxels of another size have other offsets, and pages of another size other places, which are
// those of the map.
static bool is_maps_own(const bspi_convert *c, const bsp_field *field) {
    int member = (int)field->map_member;
    bool place = member == BSPI_MEMBER_face_light_page || member == BSPI_MEMBER_face_light_x ||
                 member == BSPI_MEMBER_face_light_y || member == BSPI_MEMBER_draw_vert_light_uv;
    return (member == BSPI_MEMBER_face_light_offset && bspi_convert_light_differs(c)) ||
           (place && bspi_convert_pages_differ(c));
}

bool bspi_convert_table(bspi_convert *c, const char *lump, const bsp_table *from,
                        const bsp_table *to, uint8_t *out) {
    carrier k = {c, lump, from, to, out};
    for (uint32_t f = 0; f < from->layout->num_fields; f++) {
        const bsp_field *field = &from->layout->fields[f];
        uint32_t t;
        if (field->type == BSP_PAD) {
            continue;
        }
        if (!find_target(&k, field, &t)) {
            find_losses(&k, f, 0);
        } else if (is_maps_own(c, field)) {
            find_losses(&k, f, to->layout->fields[t].count);
        } else if (!carry(&k, f, t)) {
            return false;
        }
    }
    return true;
}
