// SPDX-License-Identifier: MIT
// Lumps of two files: records with the same number are compared field by field, other lumps byte by
// byte. Records are not aligned: one that was inserted shows as a change of all records after it.
#include "compare/diff.h"

#include <stdio.h>
#include <string.h>

#define PART "records"
#define VALUE_ROOM 256u
#define RECORD_STEPS 16u // for each field that becomes text

static const bsp_text nothing = {NULL, 0};

// --- values -------------------------------------------------------------------------------------

static size_t put_element(const bsp_table *table, uint32_t record, uint32_t field, uint32_t element,
                          char *out, size_t room) {
    char text[BSP_FLOAT_TEXT];
    if (table->layout->fields[field].type == BSP_F32) {
        (void)bsp_format_float(text, bsp_table_float(table, record, field, element));
    } else {
        snprintf(text, sizeof text, "%lld",
                 (long long)bsp_table_int(table, record, field, element));
    }
    int size = snprintf(out, room, "%s%s", element == 0 ? "" : " ", text);
    return size < 0 || (size_t)size >= room ? room - 1 : (size_t)size;
}

static bsp_text value_of(const bsp_table *table, uint32_t record, uint32_t field,
                         char out[VALUE_ROOM]) {
    const bsp_field *row = &table->layout->fields[field];
    if (row->type == BSP_CHAR) {
        return bsp_table_text(table, record, field);
    }
    size_t used = 0;
    for (uint32_t e = 0; e < row->count && used + 1 < VALUE_ROOM; e++) {
        used += put_element(table, record, field, e, out + used, VALUE_ROOM - used);
    }
    return (bsp_text){out, used};
}

// --- tables -------------------------------------------------------------------------------------

// The field of that name; `guess` is looked at first.
static uint32_t field_named(const bsp_layout *layout, const char *name, uint32_t guess) {
    bool right = guess < layout->num_fields && strcmp(layout->fields[guess].name, name) == 0;
    return right ? guess : bsp_layout_find_field(layout, bsp_text_of(name));
}

static bool same_record(const bsp_table *a, const bsp_table *b, uint32_t record) {
    size_t size = a->layout->size;
    return a->layout == b->layout && a->big_endian == b->big_endian &&
           memcmp(a->data + record * size, b->data + record * size, size) == 0;
}

static void compare_record(const bspi_diff *d, const char *lump, const bsp_table *a,
                           const bsp_table *b, uint32_t record) {
    char texts[2][VALUE_ROOM];
    for (uint32_t f = 0; f < a->layout->num_fields; f++) {
        const bsp_field *field = &a->layout->fields[f];
        uint32_t g = field_named(b->layout, field->name, f);
        if (field->type == BSP_PAD || g == BSP_NONE) {
            continue;
        }
        bsp_text before = value_of(a, record, f, texts[0]);
        bsp_text after = value_of(b, record, g, texts[1]);
        if (!bsp_text_equal(before, after)) {
            bspi_diff_tell(d, BSP_CHANGED, PART,
                           bsp_place_at(lump, record, field->name, UINT64_MAX), nothing, before,
                           after);
        }
    }
}

static void compare_tables(bspi_diff *d, const char *lump, const bsp_table *a, const bsp_table *b) {
    uint32_t shared = a->count < b->count ? a->count : b->count;
    for (uint32_t r = 0; r < shared; r++) {
        if (!same_record(a, b, r) && bspi_diff_work(d, RECORD_STEPS * a->layout->num_fields)) {
            compare_record(d, lump, a, b, r);
        }
    }
    uint32_t most = a->count > b->count ? a->count : b->count;
    for (uint32_t r = shared; r < most; r++) {
        bspi_diff_tell(d, a->count > shared ? BSP_REMOVED : BSP_ADDED, PART,
                       bsp_place_at(lump, r, NULL, UINT64_MAX), nothing, nothing, nothing);
    }
}

// --- lumps --------------------------------------------------------------------------------------

static void compare_bytes(const bspi_diff *d, const char *lump, bsp_bytes a, bsp_bytes b) {
    char texts[2][64];
    size_t shared = a.size < b.size ? a.size : b.size;
    size_t at = 0;
    while (at < shared && a.data[at] == b.data[at]) {
        at++;
    }
    snprintf(texts[0], sizeof texts[0], "%zu bytes, the first that differs at %zu", a.size, at);
    snprintf(texts[1], sizeof texts[1], "%zu bytes", b.size);
    bspi_diff_tell(d, BSP_CHANGED, PART, bsp_place_at(lump, BSP_NONE, NULL, UINT64_MAX), nothing,
                   bsp_text_of(texts[0]), bsp_text_of(texts[1]));
}

static uint32_t next_table(const bsp_parts *parts, uint32_t from) {
    while (from < parts->count && parts->parts[from].kind != BSP_PART_TABLE) {
        from++;
    }
    return from;
}

// Returns true if both lumps have the same number of tables, of the same kinds.
static bool pairs_up(const bsp_parts *a, const bsp_parts *b) {
    uint32_t i = next_table(a, 0);
    uint32_t j = next_table(b, 0);
    uint32_t count = 0;
    while (i < a->count && j < b->count && a->parts[i].id == b->parts[j].id) {
        i = next_table(a, i + 1);
        j = next_table(b, j + 1);
        count++;
    }
    return count != 0 && i == a->count && j == b->count;
}

static bool is_records(bsp_lump_kind kind) {
    return kind == BSP_KIND_ARRAY || kind == BSP_KIND_SECTIONS;
}

static bool compare_parts(bspi_diff *d, const uint32_t lumps[2]) {
    bsp_parts parts[2];
    const char *name = bsp_file_lump(d->files[0], lumps[0])->name;
    if (!bsp_file_parts(d->files[0], lumps[0], NULL, &parts[0], d->error)) {
        return false;
    }
    if (!bsp_file_parts(d->files[1], lumps[1], NULL, &parts[1], d->error)) {
        bsp_parts_free(&parts[0]);
        return false;
    }
    if (pairs_up(&parts[0], &parts[1])) {
        uint32_t i = next_table(&parts[0], 0);
        for (uint32_t j = next_table(&parts[1], 0); j < parts[1].count;
             i = next_table(&parts[0], i + 1), j = next_table(&parts[1], j + 1)) {
            bsp_table a = bsp_parts_table(&parts[0], i);
            bsp_table b = bsp_parts_table(&parts[1], j);
            compare_tables(d, name, &a, &b);
        }
    } else {
        compare_bytes(d, name, parts[0].data, parts[1].data);
    }
    bsp_parts_free(&parts[0]);
    bsp_parts_free(&parts[1]);
    return true;
}

static bool same_data(bsp_bytes a, bsp_bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

// Lumps may share their bytes, so the work of reading them is counted.
static bool compare_lumps(bspi_diff *d, const uint32_t lumps[2]) {
    const bsp_lump *a = bsp_file_lump(d->files[0], lumps[0]);
    const bsp_lump *b = bsp_file_lump(d->files[1], lumps[1]);
    bsp_bytes data[2];
    for (int f = 0; f < 2; f++) {
        if (!bsp_file_data(d->files[f], lumps[f], &data[f], d->error)) {
            return false;
        }
    }
    if (!bspi_diff_work(d, (uint64_t)data[0].size + data[1].size)) {
        return false;
    }
    bool order = bsp_file_get_info(d->files[0])->detection.big_endian ==
                 bsp_file_get_info(d->files[1])->detection.big_endian;
    if (same_data(data[0], data[1]) && order) {
        return true;
    }
    if (is_records(a->kind) && is_records(b->kind)) {
        return compare_parts(d, lumps);
    }
    // Numbers in other lumps cannot be compared across byte orders.
    bool plain = a->kind == BSP_KIND_STRINGS || a->kind == BSP_KIND_ENTITIES;
    if (!same_data(data[0], data[1]) && (order || plain || data[0].size != data[1].size)) {
        compare_bytes(d, a->name, data[0], data[1]);
    }
    return true;
}

// Returns true for lumps that are compared elsewhere: as entities, as files, or by the lumps that
// they are the directory of.
static bool is_told(const bspi_diff *d, const bsp_lump *lump) {
    return lump->size == 0 || lump->kind == BSP_KIND_GAME ||
           (d->have_maps && (lump->id == BSP_ID_ENTITIES || lump->kind == BSP_KIND_ZIP));
}

static bool correspond(const bsp_lump *a, const bsp_lump *b) {
    bool same = a->id != BSP_ID_NONE && a->id != BSP_ID_UNUSED ? a->id == b->id
                                                               : strcmp(a->name, b->name) == 0;
    return same && a->place == b->place;
}

// Game lumps and lumps of BSPX may have the same name: the second of one file is paired with the
// second of the other.
static uint32_t counterpart(const bsp_file *from, uint32_t n, const bsp_file *to) {
    const bsp_lump *lump = bsp_file_lump(from, n);
    uint32_t before = 0;
    for (uint32_t i = 0; i < n; i++) {
        before += correspond(lump, bsp_file_lump(from, i)) ? 1 : 0;
    }
    for (uint32_t i = 0; i < bsp_file_get_info(to)->num_lumps; i++) {
        if (correspond(lump, bsp_file_lump(to, i)) && before-- == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

static void tell_lump(const bspi_diff *d, bsp_difference_kind kind, const bsp_lump *lump) {
    char text[32];
    snprintf(text, sizeof text, "%u bytes", lump->unpacked_size);
    bsp_text size = bsp_text_of(text);
    bspi_diff_tell(d, kind, PART, bsp_place_at(lump->name, BSP_NONE, NULL, UINT64_MAX), nothing,
                   kind == BSP_REMOVED ? size : nothing, kind == BSP_ADDED ? size : nothing);
}

// Returns the work of finding the counterpart of a lump.
static uint64_t lumps_of_both(const bspi_diff *d) {
    return (uint64_t)bsp_file_get_info(d->files[0])->num_lumps +
           bsp_file_get_info(d->files[1])->num_lumps;
}

bool bspi_diff_records(bspi_diff *d) {
    for (uint32_t n = 0; n < bsp_file_get_info(d->files[0])->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(d->files[0], n);
        if (!bspi_diff_work(d, lumps_of_both(d))) {
            return false;
        }
        uint32_t lumps[2] = {n, counterpart(d->files[0], n, d->files[1])};
        if (is_told(d, lump)) {
            continue;
        }
        if (lumps[1] == BSP_NONE || bsp_file_lump(d->files[1], lumps[1])->size == 0) {
            tell_lump(d, BSP_REMOVED, lump);
        } else if (!compare_lumps(d, lumps)) {
            return false;
        }
    }
    for (uint32_t n = 0; n < bsp_file_get_info(d->files[1])->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(d->files[1], n);
        if (!bspi_diff_work(d, lumps_of_both(d))) {
            return false;
        }
        uint32_t other = counterpart(d->files[1], n, d->files[0]);
        if (!is_told(d, lump) &&
            (other == BSP_NONE || bsp_file_lump(d->files[0], other)->size == 0)) {
            tell_lump(d, BSP_ADDED, lump);
        }
    }
    return true;
}
