// SPDX-License-Identifier: MIT
// Mutations of records: entries of the directories are moved, resized and laid over each other;
// fields of records, including counts and offsets of composites, get critical numbers; whole
// records are swapped. Packed lumps are left to the plain mutations.
#include "mutate.h"
#include "core/reader.h"
#include "random.h"

#include "formats/composites.h"
#include "records/directory.h"
#include "records/file.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define TRIES 6u // tries to find a lump that is not empty

typedef struct mutator {
    uint64_t *random;
    uint8_t *data;
    size_t size;
    const bsp_file *file;
    const bsp_file_info *info;
} mutator;

// Records in the file, or in a copy of them.
typedef struct records {
    const bsp_layout *layout;
    size_t at; // offset in the file of the first one
    uint32_t count;
    bool big_endian;
} records;

static uint32_t below(mutator *m, uint64_t limit) {
    return limit == 0 ? 0 : (uint32_t)((fuzz_random(m->random) >> 16) % limit);
}

static void store(uint8_t *at, uint32_t value, size_t bytes, bool big_endian) {
    for (size_t i = 0; i < bytes; i++) {
        at[i] = (uint8_t)(value >> 8 * (big_endian ? bytes - 1 - i : i));
    }
}

static uint32_t load(const uint8_t *at, size_t bytes, bool big_endian) {
    uint32_t value = 0;
    for (size_t i = 0; i < bytes; i++) {
        value |= (uint32_t)at[i] << 8 * (big_endian ? bytes - 1 - i : i);
    }
    return value;
}

// --- values -------------------------------------------------------------------------------------

static uint32_t a_float(mutator *m, uint32_t old) {
    static const float values[] = {0.0f,     -0.0f,   1.0f,     -1.0f,   1e-30f, 1e-6f,
                                   65536.0f, -1e6f,   1e9f,     -1e9f,   1e18f,  -1e30f,
                                   1e38f,    FLT_MAX, -FLT_MAX, FLT_MIN, 4.2e9f, -2.2e9f};
    size_t which = below(m, sizeof values / sizeof *values + 5);
    switch (which) {
    case 0:
        return bspi_float_bits(NAN);
    case 1:
        return bspi_float_bits(INFINITY);
    case 2:
        return bspi_float_bits(-INFINITY);
    case 3:
        return old ^ 0x80000000u;
    case 4:
        return old ^ 1u << below(m, 32);
    default:
        return bspi_float_bits(values[which - 5]);
    }
}

// Returns how many records the field counts or refers to, or its own table has.
static uint32_t a_count(mutator *m, const bsp_field *field, uint32_t own) {
    switch (below(m, 4)) {
    case 0:
        return own;
    case 1:
        return (uint32_t)m->size;
    default:
        return field->target == BSP_ID_NONE ? own
                                            : bsp_file_count(m->file, (bsp_table_id)field->target);
    }
}

static uint32_t an_integer(mutator *m, const bsp_field *field, uint32_t own, uint32_t old) {
    uint32_t count = a_count(m, field, own);
    switch (below(m, 16)) {
    case 0:
        return 0;
    case 1:
        return 0xFFFFFFFFu;
    case 2:
        return 0x7FFFFFFFu >> 8 * below(m, 4);
    case 3:
        return 0x80000000u >> 8 * below(m, 4);
    case 4:
    case 5:
        return count;
    case 6:
    case 7:
        return count - 1;
    case 8:
        return count + 1;
    case 9:
        return 0u - count;
    case 10:
        return 0u - count - 1;
    case 11:
        return old + 1;
    case 12:
        return old - 1;
    case 13:
        return below(m, (uint64_t)count + 1);
    case 14:
        return old ^ 1u << below(m, 32);
    default:
        return old * (2 + below(m, 300));
    }
}

// --- records ------------------------------------------------------------------------------------

static void set_text(mutator *m, uint8_t *text, size_t size) {
    static const char marks[] = "/\\.{}\"*+-:%\x1b\xff";
    switch (below(m, 4)) {
    case 0:
        memset(text, 0, size);
        break;
    case 1:
        memset(text, 'A', size); // without a NUL
        break;
    case 2:
        memcpy(text, "../../", size < 6 ? size : 6);
        break;
    default:
        text[below(m, size)] = (uint8_t)marks[below(m, sizeof marks)];
    }
}

static void set_field(mutator *m, const records *r, uint32_t record) {
    const bsp_field *field = &r->layout->fields[below(m, r->layout->num_fields)];
    size_t at = r->at + (size_t)record * r->layout->size +
                bsp_layout_offset(r->layout, (uint32_t)(field - r->layout->fields));
    size_t bytes = bsp_type_size(field->type);
    if (field->type == BSP_CHAR) {
        set_text(m, m->data + at, field->count);
        return;
    }
    bool big = r->big_endian != field->swapped;
    uint32_t first = below(m, 3) == 0 ? 0 : below(m, field->count);
    uint32_t last = below(m, 6) == 0 ? field->count - 1u : first; // sometimes all of them
    for (uint32_t i = first; i <= last; i++) {
        uint8_t *place = m->data + at + i * bytes;
        uint32_t old = load(place, bytes, big);
        store(place, field->type == BSP_F32 ? a_float(m, old) : an_integer(m, field, r->count, old),
              bytes, big);
    }
}

static void change_records(mutator *m, const records *r) {
    if (r->count == 0 || r->layout->num_fields == 0) {
        return;
    }
    size_t size = r->layout->size;
    uint32_t record = below(m, 3) == 0 ? 0 : below(m, r->count);
    uint8_t *place = m->data + r->at + record * size;
    switch (below(m, 12)) {
    case 0: // one record twice
        memmove(place, m->data + r->at + below(m, r->count) * size, size);
        break;
    case 1:
        memset(place, below(m, 2) == 0 ? 0 : 0xFF, size);
        break;
    case 2: { // one field of all records, or of many
        const bsp_field *field = &r->layout->fields[below(m, r->layout->num_fields)];
        size_t at = bsp_layout_offset(r->layout, (uint32_t)(field - r->layout->fields));
        size_t bytes = bsp_type_size(field->type);
        uint32_t value = field->type == BSP_F32 ? a_float(m, 0) : an_integer(m, field, r->count, 1);
        for (uint32_t i = record; i < r->count; i++) {
            store(m->data + r->at + i * size + at, value, bytes < 4 ? bytes : 4, r->big_endian);
        }
        break;
    }
    default:
        for (uint32_t n = 1 + below(m, 3); n != 0; n--) {
            set_field(m, r, record);
        }
    }
}

static void change_part(mutator *m, const bsp_lump *lump, const bsp_parts *parts) {
    for (uint32_t i = 0; i < TRIES && parts->count != 0; i++) {
        uint32_t n = below(m, parts->count);
        const bsp_part *part = &parts->parts[n];
        if ((part->kind == BSP_PART_TABLE || part->kind == BSP_PART_RECORD) && part->count != 0) {
            records r = {part->layout, (size_t)lump->offset + part->offset, part->count,
                         part->big_endian};
            change_records(m, &r);
            return;
        }
    }
    if (lump->size != 0) { // text, rows of bits, texels
        set_text(m, m->data + lump->offset + below(m, lump->size), 1);
    }
}

static void change_lump(mutator *m) {
    for (uint32_t i = 0; i < TRIES; i++) {
        uint32_t n = below(m, m->info->num_lumps);
        const bsp_lump *lump = bsp_file_lump(m->file, n);
        bsp_parts parts;
        if (lump->size == 0 || lump->compressed || lump->external != BSP_NONE ||
            !bsp_file_parts(m->file, n, NULL, &parts, NULL)) {
            continue;
        }
        change_part(m, lump, &parts);
        bsp_parts_free(&parts);
        return;
    }
}

// --- directories --------------------------------------------------------------------------------

// The words of an entry that give the place of a lump.
typedef struct entry {
    uint8_t *offset;
    uint8_t *size;
    bool big_endian;
} entry;

static uint32_t a_place(mutator *m) {
    const bsp_lump *other = bsp_file_lump(m->file, below(m, m->info->num_lumps));
    switch (below(m, 10)) {
    case 0:
        return 0;
    case 1:
        return 0xFFFFFFFFu;
    case 2:
        return 0x7FFFFFFFu;
    case 3:
        return (uint32_t)m->size + below(m, 3) - 1;
    case 4:
        return (uint32_t)m->size + below(m, 1u << 20);
    case 5:
        return (uint32_t)(other->offset + other->size);
    case 6:
        return (uint32_t)(other->offset + below(m, other->size));
    case 7:
        return below(m, m->size);
    default:
        return (uint32_t)other->offset;
    }
}

static uint32_t a_size(mutator *m, uint32_t old) {
    const bsp_lump *other = bsp_file_lump(m->file, below(m, m->info->num_lumps));
    switch (below(m, 10)) {
    case 0:
        return 0;
    case 1:
        return 0xFFFFFFFFu;
    case 2:
        return 0x7FFFFFFFu;
    case 3:
        return old + 1;
    case 4:
        return old - 1;
    case 5:
        return (uint32_t)m->size;
    case 6:
        return old / 2;
    case 7:
        return below(m, (uint64_t)old * 2 + 1);
    default:
        return (uint32_t)other->size;
    }
}

static void change_entry(mutator *m, entry e) {
    switch (below(m, 3)) {
    case 0:
        store(e.offset, a_place(m), 4, e.big_endian);
        break;
    case 1:
        store(e.size, a_size(m, load(e.size, 4, e.big_endian)), 4, e.big_endian);
        break;
    default: { // the place of another lump
        const bsp_lump *other = bsp_file_lump(m->file, below(m, m->info->num_lumps));
        store(e.offset, (uint32_t)other->stated_offset, 4, e.big_endian);
        store(e.size, (uint32_t)other->stated_size, 4, e.big_endian);
    }
    }
}

// Changes any word of an entry: offset, size, version, packed size.
static void change_directory(mutator *m) {
    const bsp_shape *shape = bsp_branch_shape(m->info->detection.branch);
    const bsp_lump *lump = bsp_file_lump(m->file, below(m, m->info->num_directory_lumps));
    bool big = m->info->detection.big_endian;
    uint8_t *bytes = m->data + shape->head->size + (size_t)lump->index * shape->entry->size;
    uint32_t words = shape->entry->size / 4;
    uint8_t *offset = NULL;
    uint8_t *size = NULL;
    for (uint32_t w = words; w-- != 0;) {
        offset = load(bytes + 4 * w, 4, big) == lump->stated_offset ? bytes + 4 * w : offset;
        size = load(bytes + 4 * w, 4, big) == lump->stated_size ? bytes + 4 * w : size;
    }
    if (offset != NULL && size != NULL && offset != size && below(m, 8) != 0) {
        change_entry(m, (entry){offset, size, big});
    } else if (below(m, 4) == 0) {
        records r = {shape->head, 0, 1, big};
        change_records(m, &r);
    } else {
        store(bytes + 4 * below(m, words), below(m, 2) == 0 ? below(m, 32) : a_size(m, 0), 4, big);
    }
}

static void change_game_directory(mutator *m) {
    bspi_game_directory game;
    if (!bspi_game_directory_find(m->file, &game) || game.lump->external != BSP_NONE) {
        change_directory(m);
        return;
    }
    records r = {game.table.layout, (size_t)(game.table.data - m->info->bytes.data),
                 game.table.count, game.table.big_endian};
    uint32_t n = below(m, r.count);
    uint8_t *words = m->data + r.at + (size_t)n * r.layout->size + r.layout->size - 8;
    switch (below(m, 4)) {
    case 0:
        store(m->data + r.at - 4, an_integer(m, &r.layout->fields[0], r.count, r.count), 4,
              r.big_endian);
        break;
    case 1:
        change_records(m, &r);
        break;
    default:
        change_entry(m, (entry){words, words + 4, r.big_endian});
    }
}

static void change_bspx(mutator *m) {
    size_t at;
    uint32_t count;
    if (!bspi_file_bspx(m->file, &at, &count)) {
        change_game_directory(m);
        return;
    }
    uint8_t *words = m->data + at + (size_t)below(m, count) * bspi_bspx_entry_t.size + 24;
    if (count == 0 || below(m, 6) == 0) {
        store(m->data + at - 4, an_integer(m, &bspi_bspx_entry_t.fields[1], count, count), 4,
              false);
    } else if (below(m, 6) == 0) {
        set_text(m, words - 24, 24);
    } else {
        change_entry(m, (entry){words, words + 4, false});
    }
}

// --- all mutations -------------------------------------------------------------------------------

bool fuzz_mutate_records(uint64_t *random, uint8_t *data, size_t size) {
    bsp_file *file = bsp_file_open_memory((bsp_bytes){data, size}, NULL, NULL);
    if (file == NULL) {
        return false;
    }
    mutator m = {random, data, size, file, bsp_file_get_info(file)};
    bool plain = !m.info->scrambled;
    if (plain) {
        switch (below(&m, 8)) {
        case 0:
            change_directory(&m);
            break;
        case 1:
            change_game_directory(&m);
            break;
        case 2:
            change_bspx(&m);
            break;
        default:
            change_lump(&m);
        }
    }
    bsp_file_close(file);
    return plain;
}
