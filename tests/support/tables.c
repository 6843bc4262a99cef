// SPDX-License-Identifier: MIT
#include "support/tables.h"

#include "formats/map_members.h"
#include "support/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROOM 262144u

static const char strings[] = "first/name\0second/name\0third";
static const char entities[] = "{\n\"classname\" \"worldspawn\"\n}\n";

typedef struct builder {
    const bsp_branch *branch;
    const bsp_shape *shape;
    bool big_endian;
    uint32_t records;
    test_random random;
    uint8_t *bytes;
    size_t size;
} builder;

static uint32_t count_of(const builder *b, const bsp_lump_def *def) {
    bool limited = def->limit.max != 0 && !def->limit.in_bytes && def->limit.max < b->records;
    return limited ? def->limit.max : b->records;
}

// Returns how many records, or bytes for an offset, there will be of a kind.
static uint32_t targets(const builder *b, const bsp_field *field) {
    const bsp_lump_def *def = bsp_branch_lump_of(b->branch, (bsp_table_id)field->target);
    bool offset = field->role == BSP_ROLE_OFFSET || field->role == BSP_ROLE_OFFSET_NONE;
    if (offset) {
        return sizeof strings;
    }
    return def == NULL || def->kind != BSP_KIND_ARRAY ? b->records : count_of(b, def);
}

static int64_t any_bits(builder *b, const bsp_field *field) {
    size_t width = field->bits != 0 ? field->bits : 8 * bsp_type_size(field->type);
    int64_t value = (int64_t)(random_u32(&b->random) & ((UINT64_C(1) << width) - 1));
    bool sign = field->type == BSP_I8 || field->type == BSP_I16 || field->type == BSP_I32;
    return sign ? value - (INT64_C(1) << (width - 1)) : value;
}

static int64_t value_for(builder *b, const bsp_field *field, uint32_t record, uint32_t element) {
    switch (field->role) {
    case BSP_ROLE_INDEX:
    case BSP_ROLE_FIRST:
    case BSP_ROLE_OFFSET:
        return (record + element) % targets(b, field);
    case BSP_ROLE_INDEX_NONE:
    case BSP_ROLE_OFFSET_NONE:
        return (int64_t)((record + element) % (targets(b, field) + 1)) - 1;
    case BSP_ROLE_COUNT:
        return 1;
    case BSP_ROLE_SURFEDGE:
    case BSP_ROLE_NODE_CHILD:
    case BSP_ROLE_CLIP_CHILD:
    case BSP_ROLE_HEADNODES:
        return 0;
    default:
        return any_bits(b, field);
    }
}

static void fill_field(builder *b, const bsp_layout *layout, uint32_t f, uint32_t record,
                       uint8_t *out) {
    const bsp_field *field = &layout->fields[f];
    bsp_error error = {0};
    int32_t whole[256];
    uint32_t bits[256];
    float floats[256];
    uint8_t bytes[256];
    bsp_type type = BSP_U8;
    const void *in = bytes;
    assert_true(field->count <= 256);
    for (uint32_t e = 0; e < field->count; e++) {
        bool chars = field->type == BSP_CHAR || field->type == BSP_PAD;
        int64_t value = chars ? 0 : value_for(b, field, record, e);
        whole[e] = (int32_t)value;
        bits[e] = (uint32_t)value;
        floats[e] = field->role == BSP_ROLE_NORMAL ? e == record % 3 : (float)(record + e) * 0.25F;
        bytes[e] = field->type == BSP_CHAR ? (uint8_t)(e < 3 ? 'a' + record % 26 : 0)
                                           : (uint8_t)random_u32(&b->random);
    }
    if (field->type == BSP_F32) {
        type = BSP_F32;
        in = floats;
    } else if (field->type == BSP_U8 || field->type == BSP_U16 || field->type == BSP_U32) {
        type = BSP_U32;
        in = bits;
    } else if (field->type != BSP_CHAR && field->type != BSP_PAD) {
        type = BSP_I32;
        in = whole;
    }
    if (!bsp_table_encode(layout, 1, b->big_endian, f, type, in, 0, out, &error)) {
        fail_msg("%s: %s", b->branch->name, error.message);
    }
}

static void put_records(builder *b, const bsp_layout *layout, uint32_t count) {
    assert_true(b->size + (size_t)count * layout->size <= ROOM);
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t f = 0; f < layout->num_fields; f++) {
            fill_field(b, layout, f, r, b->bytes + b->size);
        }
        b->size += layout->size;
    }
}

static void put_u32(builder *b, uint32_t value) {
    for (uint32_t i = 0; i < 4; i++) {
        b->bytes[b->size++] = (uint8_t)(value >> 8 * (b->big_endian ? 3 - i : i));
    }
}

static void put_sections(builder *b, const bsp_section_list *list) {
    for (uint32_t s = 0; s < list->num_sections; s++) {
        put_u32(b, b->records);
        if (list->sections[s].head != NULL) {
            put_records(b, list->sections[s].head, 1);
        }
        put_records(b, list->sections[s].layout, b->records);
    }
}

// Sets a fact in the field of the entry that holds it.
static void set_fact(const builder *b, const bsp_layout *layout, uint16_t map_member,
                     uint32_t value, uint8_t *record) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        if (layout->fields[f].map_member == map_member) {
            assert_true(
                bsp_table_encode(layout, 1, b->big_endian, f, BSP_U32, &value, 0, record, NULL));
        }
    }
}

// Adds one lump of static props to the game lump.
static void put_game_lump(builder *b, const bsp_lump_def *def) {
    const bsp_game_lump_def *props = bsp_branch_game_lump(b->branch, "sprp");
    const bsp_layout *entry = def->variants[0].layout;
    if (props == NULL) {
        return;
    }
    const bsp_section_list *list = &props->section_lists[0];
    size_t start = b->size;
    put_u32(b, 1);
    size_t record = b->size;
    b->size += entry->size;
    size_t data = b->size;
    put_sections(b, list);
    set_fact(b, entry, BSPI_MEMBER_game_id, 's' << 24 | 'p' << 16 | 'r' << 8 | 'p',
             b->bytes + record);
    set_fact(b, entry, BSPI_MEMBER_game_version,
             list->version == BSP_ANY_VERSION ? 1 : list->version, b->bytes + record);
    set_fact(b, entry, BSPI_MEMBER_game_offset, (uint32_t)(b->big_endian ? data - start : data),
             b->bytes + record);
    set_fact(b, entry, BSPI_MEMBER_game_size, (uint32_t)(b->size - data), b->bytes + record);
}

static void put_bytes(builder *b, const void *bytes, size_t size) {
    memcpy(b->bytes + b->size, bytes, size);
    b->size += size;
}

// Composite lumps other than these are left empty.
static void put_lump(builder *b, const bsp_lump_def *def) {
    switch (def->kind) {
    case BSP_KIND_ARRAY:
        put_records(b, def->variants[0].layout, count_of(b, def));
        break;
    case BSP_KIND_ENTITIES:
        put_bytes(b, entities, sizeof entities);
        break;
    case BSP_KIND_STRINGS:
        put_bytes(b, strings, sizeof strings);
        break;
    case BSP_KIND_SECTIONS:
        put_sections(b, &def->section_lists[0]);
        break;
    case BSP_KIND_GAME:
        put_game_lump(b, def);
        break;
    case BSP_KIND_BYTES:
        put_bytes(b, "raw", 3);
        break;
    default:
        break;
    }
}

static uint32_t version_of(const bsp_lump_def *def) {
    bool known = def != NULL && def->num_variants != 0;
    return known && def->variants[0].version != BSP_ANY_VERSION ? def->variants[0].version : 0;
}

// The first four bytes are the magic, reversed in files of the other byte order.
static void put_head(builder *b) {
    const bsp_layout *head = b->shape->head;
    for (uint32_t i = 0; i < 4; i++) {
        b->bytes[i] = (uint8_t)b->branch->magic[b->big_endian ? 3 - i : i];
    }
    set_fact(b, head, BSPI_MEMBER_head_version, b->branch->version, b->bytes);
    set_fact(b, head, BSPI_MEMBER_head_revision, 7, b->bytes);
    b->size = head->size - 4;
    put_u32(b, b->shape->num_lumps - 1); // the last word of a head of four words
}

bsp_bytes tables_file(const bsp_branch *branch, bool big_endian, uint32_t records) {
    builder b = {.branch = branch,
                 .shape = bsp_branch_shape(branch),
                 .big_endian = big_endian,
                 .records = records,
                 .random = {UINT64_C(0x9E3779B97F4A7C15)},
                 .bytes = calloc(ROOM, 1)};
    assert_non_null(b.bytes);
    put_head(&b);
    b.size = bsp_shape_size(b.shape);
    for (uint32_t i = 0; i < b.shape->num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(branch, i);
        uint8_t *entry = b.bytes + b.shape->head->size + (size_t)i * b.shape->entry->size;
        size_t start = b.size;
        if (def != NULL) {
            put_lump(&b, def);
        }
        set_fact(&b, b.shape->entry, BSPI_MEMBER_entry_offset, (uint32_t)start, entry);
        set_fact(&b, b.shape->entry, BSPI_MEMBER_entry_size, (uint32_t)(b.size - start), entry);
        set_fact(&b, b.shape->entry, BSPI_MEMBER_entry_version, version_of(def), entry);
        b.size = (b.size + 3) / 4 * 4;
    }
    uint8_t *bytes = malloc(b.size); // exactly its size, for the sanitizer
    assert_non_null(bytes);
    memcpy(bytes, b.bytes, b.size);
    free(b.bytes);
    return (bsp_bytes){bytes, b.size};
}
