// SPDX-License-Identifier: MIT
// Converts records to structures of the map and back. It works in tiles of records that stay in the
// first-level cache, because each field is a separate pass over them.
#include "layout/bind.h"

#include "layout/layout.h"

#include <assert.h>
#include <string.h>

#define TILE_BYTES 16384u // records and structures together

const bspi_member *bspi_struct_find(const bspi_struct *structure, uint16_t map_member) {
    for (uint32_t i = 0; map_member != 0 && i < structure->num_members; i++) {
        if (structure->members[i].map_member == map_member) {
            return &structure->members[i];
        }
    }
    return NULL;
}

static bool set_none(const bspi_struct *structure, uint8_t *out) {
    bool any = false;
    for (uint32_t i = 0; i < structure->num_members; i++) {
        const bspi_member *member = &structure->members[i];
        if (member->none) {
            memset(out + member->offset, 0xFF, bsp_type_size(member->type) * member->count);
            any = true;
        }
    }
    return any;
}

// Fills structures with the default: zero, and BSP_NONE for indices.
static void fill_defaults(const bspi_struct *structure, uint8_t *out, uint32_t count) {
    if (count == 0) {
        return;
    }
    memset(out, 0, structure->size);
    if (!set_none(structure, out)) {
        memset(out, 0, structure->size * count);
        return;
    }
    for (uint32_t done = 1; done < count; done *= 2) { // what is done, after itself
        uint32_t more = done < count - done ? done : count - done;
        memcpy(out + done * structure->size, out, more * structure->size);
    }
}

// A decode of many elements reads whole fields. A member with fewer elements takes them one by one.
static void decode_some(const bsp_table *table, uint32_t field, const bspi_member *member,
                        uint8_t *out, size_t stride) {
    size_t size = bsp_type_size(member->type);
    for (uint32_t r = 0; r < table->count; r++) {
        for (uint32_t e = 0; e < member->count; e++) {
            int64_t value = bsp_table_int(table, r, field, e);
            uint32_t word = (uint32_t)value;
            uint16_t half = (uint16_t)value;
            uint8_t byte = (uint8_t)value;
            const void *from = size == 4   ? (const void *)&word
                               : size == 2 ? (const void *)&half
                                           : &byte;
            memcpy(out + r * stride + e * size, from, size);
        }
    }
}

typedef struct pass {
    uint32_t field;
    const bspi_member *member;
    bool cut; // the field has more elements than the member
} pass;

static uint32_t plan_passes(const bsp_layout *layout, const bspi_struct *structure,
                            pass passes[BSPI_LAYOUT_FIELDS]) {
    uint32_t count = 0;
    assert(layout->num_fields <= BSPI_LAYOUT_FIELDS);
    for (uint32_t f = 0; f < layout->num_fields && count < BSPI_LAYOUT_FIELDS; f++) {
        const bspi_member *member = bspi_struct_find(structure, layout->fields[f].map_member);
        if (member != NULL) {
            passes[count].field = f;
            passes[count].member = member;
            passes[count].cut = layout->fields[f].count > member->count;
            count++;
        }
    }
    return count;
}

// Returns true if memory and file agree byte for byte, so that one copy is enough.
static bool is_image(const bsp_table *table, const bspi_struct *structure, const pass *passes,
                     uint32_t count) {
    const bsp_layout *layout = table->layout;
    const uint16_t one = 1;
    uint8_t low;
    memcpy(&low, &one, 1);
    if (count != layout->num_fields || layout->size != structure->size ||
        table->big_endian == (low == 1)) {
        return false;
    }
    size_t offset = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_field *field = &layout->fields[i];
        bsp_type type = bspi_memory_type(field->type);
        if (field->bits != 0 || field->unsigned_none || field->swapped || passes[i].cut ||
            passes[i].member->offset != offset ||
            bsp_type_size(type) != bsp_type_size(passes[i].member->type) ||
            (type == BSP_F32) != (passes[i].member->type == BSP_F32)) {
            return false;
        }
        offset += bspi_field_advance(field);
    }
    return true;
}

void bspi_bind_decode(const bsp_table *table, const bspi_struct *structure, void *out) {
    pass passes[BSPI_LAYOUT_FIELDS];
    uint32_t num_passes = plan_passes(table->layout, structure, passes);
    if (is_image(table, structure, passes, num_passes)) {
        if (table->count != 0) {
            memcpy(out, table->data, (size_t)table->count * table->layout->size);
        }
        return;
    }
    bsp_table tile = *table;
    uint8_t *target = out;
    uint32_t most = 1 + TILE_BYTES / (uint32_t)(structure->size + table->layout->size);
    for (uint32_t done = 0; done < table->count; done += tile.count) {
        tile.count = table->count - done < most ? table->count - done : most;
        fill_defaults(structure, target, tile.count);
        for (uint32_t i = 0; i < num_passes; i++) {
            uint8_t *member = target + passes[i].member->offset;
            if (passes[i].cut) {
                decode_some(&tile, passes[i].field, passes[i].member, member, structure->size);
            } else {
                bsp_table_decode(&tile, passes[i].field, passes[i].member->type, member,
                                 structure->size);
            }
        }
        tile.data += (size_t)tile.count * table->layout->size;
        target += (size_t)tile.count * structure->size;
    }
}

bool bspi_bind_encode_default(const bsp_layout *layout, uint32_t field, uint32_t count,
                              bool big_endian, uint8_t *bytes, bsp_error *error) {
    bsp_role role = layout->fields[field].role;
    bool has_none = layout->fields[field].unsigned_none || role == BSP_ROLE_INDEX_NONE ||
                    role == BSP_ROLE_OFFSET_NONE;
    if (!has_none) {
        return true;
    }
    const uint32_t none = BSP_NONE;
    for (uint32_t e = 0; e < layout->fields[field].count; e++) {
        if (!bspi_table_encode_elements(layout, count, big_endian, field, e, 1, BSP_U32, &none, 0,
                                        bytes, error)) {
            return false;
        }
    }
    return true;
}

// Elements of the file beyond the member's are zero.
static bool encode_field(const bsp_layout *layout, uint32_t field, const bspi_member *member,
                         const uint8_t *in, size_t stride, uint32_t count, bool big_endian,
                         uint8_t *bytes, bsp_error *error) {
    const bsp_field *row = &layout->fields[field];
    uint32_t shared = row->count <= member->count ? row->count : member->count;
    size_t size = bspi_type_size(row->type);
    size_t rest = bspi_layout_offset(layout, field) + shared * size;
    for (uint32_t r = 0; shared < row->count && r < count; r++) {
        memset(bytes + (size_t)r * layout->size + rest, 0, (row->count - shared) * size);
    }
    return bspi_table_encode_elements(layout, count, big_endian, field, 0, shared, member->type,
                                      in + member->offset, stride, bytes, error);
}

bool bspi_bind_encode_field(const bsp_layout *layout, uint32_t field, const bspi_struct *structure,
                            const void *in, uint32_t count, bool big_endian, uint8_t *bytes,
                            bool *found, bsp_error *error) {
    const bspi_member *member = bspi_struct_find(structure, layout->fields[field].map_member);
    *found = member != NULL;
    return member == NULL || encode_field(layout, field, member, in, structure->size, count,
                                          big_endian, bytes, error);
}

bool bspi_bind_update(const bsp_layout *layout, const bspi_struct *structure, const void *in,
                      uint32_t count, bool big_endian, uint8_t *bytes, bsp_error *error) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        bool found;
        if (!bspi_bind_encode_field(layout, f, structure, in, count, big_endian, bytes, &found,
                                    error)) {
            return false;
        }
    }
    return true;
}

bool bspi_bind_encode(const bsp_layout *layout, const bspi_struct *structure, const void *in,
                      uint32_t count, bool big_endian, uint8_t *bytes, bsp_error *error) {
    memset(bytes, 0, (size_t)count * layout->size);
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        bool found;
        if (!bspi_bind_encode_field(layout, f, structure, in, count, big_endian, bytes, &found,
                                    error) ||
            (!found && !bspi_bind_encode_default(layout, f, count, big_endian, bytes, error))) {
            return false;
        }
    }
    return true;
}
