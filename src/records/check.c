// SPDX-License-Identifier: MIT
// Checks the records of a file by the roles of their fields: each index, run and offset refers to
// something that exists, and every float is a number. The map floor checks what depends on the
// meaning of records.
#include "records/check.h"

#include "core/reader.h"
#include "layout/layout.h"
#include "records/verified_ranges.h"
#include "records/references.h"
#include "records/pak.h"

#include <assert.h>
#include <string.h>

typedef struct checker {
    const bsp_file *file;
    bsp_issues *issues;
    const bsp_game *game; // whose limits apply, or NULL
    bspi_counts counts;
    const bsp_lump *lump; // that holds the part being checked
    bsp_error *error;
} checker;

static bsp_place place_of(const checker *check, const bsp_part *part, uint32_t record,
                          const bsp_field *field, size_t offset) {
    return bsp_place_at(
        check->lump->name, record, field->name[0] == '\0' ? NULL : field->name,
        bspi_lump_byte(check->lump, part->offset + (size_t)record * part->layout->size + offset));
}

// Returns the place of one element; `offset` is that of the field.
static bsp_place element_of(const checker *check, const bsp_part *part, uint32_t record,
                            const bsp_field *field, size_t offset, uint32_t element) {
    size_t at = offset + element * bsp_type_size(field->type);
    return bsp_place_element(place_of(check, part, record, field, at), element, field->count);
}

// Returns true for a reference into an optional lump that is empty as a whole.
static bool is_emptied(const bsp_field *field, uint32_t limit) {
    return limit == 0 && (field->role == BSP_ROLE_INDEX_NONE || field->role == BSP_ROLE_OFFSET);
}

static int issue_of(bsp_role role) {
    return role == BSP_ROLE_NODE_CHILD || role == BSP_ROLE_CLIP_CHILD || role == BSP_ROLE_HEADNODES
               ? BSPI_ISSUE_CHILD_RANGE
           : role == BSP_ROLE_OFFSET_NONE ? BSPI_ISSUE_VIS_OFFSET
                                          : BSPI_ISSUE_INDEX_RANGE;
}

static void report_reference(checker *check, const bsp_field *field, bsp_place place,
                             int64_t value) {
    const char *noun;
    uint32_t limit = bspi_reference_limit(field, &check->counts, &noun);
    int kind = issue_of(field->role);
    if (is_emptied(field, limit)) {
        kind = BSPI_ISSUE_REFERENCE_EMPTY;
    } else if (field->target == BSP_ID_LIGHTING || field->target == BSP_ID_LIGHTING_HDR) {
        kind = BSPI_ISSUE_LIGHT_RANGE;
    }
    bspi_issue(check->issues, kind, place, "%lld, but there are %u %s", (long long)value, limit,
               noun);
}

static bool is_reference(bsp_role role) {
    switch (role) {
    case BSP_ROLE_INDEX:
    case BSP_ROLE_INDEX_NONE:
    case BSP_ROLE_SURFEDGE:
    case BSP_ROLE_NODE_CHILD:
    case BSP_ROLE_CLIP_CHILD:
    case BSP_ROLE_HEADNODES:
    case BSP_ROLE_OFFSET:
    case BSP_ROLE_OFFSET_NONE:
        return true;
    default:
        return false;
    }
}

static void check_references(checker *check, const bsp_part *part, const bsp_table *table,
                             const bsp_field *field, size_t offset) {
    size_t size = bsp_type_size(field->type);
    const uint8_t *p = table->data + offset;
    bspi_range first = bspi_reference_range(field, 0, &check->counts);
    bspi_range other = bspi_reference_range(field, 1, &check->counts);
    for (uint32_t r = 0; r < table->count; r++, p += table->layout->size) {
        for (uint32_t e = 0; e < field->count; e++) {
            int64_t value = bspi_load_int(field, p + e * size, table->big_endian);
            const bspi_range *range = e == 0 ? &first : &other;
            if (value < range->low || value > range->high) {
                report_reference(check, field, element_of(check, part, r, field, offset, e), value);
            }
        }
    }
}

static void check_runs(checker *check, const bsp_part *part, const bsp_table *table, uint32_t first,
                       size_t offset) {
    const bsp_layout *layout = table->layout;
    uint32_t count_field = bspi_layout_run_count(layout, first);
    if (count_field == BSP_NONE) {
        return;
    }
    const bsp_field *first_row = &layout->fields[first];
    const bsp_field *count_row = &layout->fields[count_field];
    size_t count_offset = bsp_layout_offset(layout, count_field);
    int64_t limit = check->counts.records[first_row->target];
    for (uint32_t r = 0; r < table->count; r++) {
        const uint8_t *record = table->data + (size_t)r * layout->size;
        int64_t count = bspi_load_int(count_row, record + count_offset, table->big_endian);
        int64_t start = bspi_load_int(first_row, record + offset, table->big_endian);
        if (count != 0 && (count < 0 || start < 0 || start + count > limit)) {
            bspi_issue(
                check->issues, BSPI_ISSUE_COUNT_RANGE, place_of(check, part, r, first_row, offset),
                "%lld and the next %lld, but there are %lld %s", (long long)start, (long long)count,
                (long long)limit, bsp_table_id_name((bsp_table_id)first_row->target));
        }
    }
}

static void check_floats(checker *check, const bsp_part *part, const bsp_table *table,
                         const bsp_field *field, size_t offset) {
    const uint8_t *p = table->data + offset;
    for (uint32_t r = 0; r < table->count; r++, p += table->layout->size) {
        for (uint32_t e = 0; e < field->count; e++) {
            uint32_t bits = bspi_load32(p + e * 4, table->big_endian);
            if ((bits & 0x7F800000u) == 0x7F800000u) {
                bspi_issue(check->issues, BSPI_ISSUE_NOT_FINITE,
                           element_of(check, part, r, field, offset, e), "%s",
                           (bits & 0x007FFFFFu) != 0 ? "is no number" : "is infinite");
            }
        }
    }
}

static void check_table(checker *check, const bsp_parts *parts, uint32_t number) {
    const bsp_part *part = &parts->parts[number];
    bsp_table table = bsp_parts_table(parts, number);
    size_t offset = 0;
    for (uint32_t f = 0; f < table.layout->num_fields; f++) {
        const bsp_field *field = &table.layout->fields[f];
        if (field->type == BSP_F32) {
            check_floats(check, part, &table, field, offset);
        } else if (field->role == BSP_ROLE_FIRST) {
            check_runs(check, part, &table, f, offset);
        } else if (is_reference(field->role)) {
            check_references(check, part, &table, field, offset);
        }
        offset += bspi_field_advance(field);
    }
}

// --- counts -------------------------------------------------------------------------------------

static bool count_lump(bspi_counts *counts, const bsp_file *file, uint32_t n,
                       const bsp_parts *parts, bsp_error *error) {
    const bsp_lump *lump = &file->lumps[n];
    counts->bytes[lump->id] = (uint32_t)parts->data.size;
    for (uint32_t i = 0; i < parts->count; i++) {
        const bsp_part *part = &parts->parts[i];
        if (part->kind == BSP_PART_TABLE && part->id != BSP_ID_NONE &&
            counts->records[part->id] == 0) {
            counts->records[part->id] = part->count;
        }
    }
    return lump->kind != BSP_KIND_TEXTURES ||
           bspi_file_count(file, lump->id, &counts->records[lump->id], error);
}

// --- pak ----------------------------------------------------------------------------------------

// Files may share their bytes, so the work of reading them is counted.
static bool check_pak(checker *check, bsp_bytes data) {
    bspi_window window = {.file = check->file};
    bsp_pak *pak =
        bspi_pak_open(data, check->file, &check->file->heap.allocator, check->issues, check->error);
    bspi_verified *known = pak == NULL ? NULL : bspi_verified_new(check->file, pak->count);
    bool done = pak != NULL;
    for (uint32_t i = 0; done && i < pak->count; i++) {
        const bsp_pak_entry *entry = &pak->entries[i];
        if (entry->method != BSP_PAK_STORED || entry->packed.size != entry->size) {
            continue;
        }
        done = bspi_heap_work(bspi_file_heap(check->file), entry->size, check->error);
        if (!done) {
            break;
        }
        uint32_t crc = bspi_window_crc32(&window, 0, entry->packed);
        if (crc != entry->crc) {
            bspi_issue(check->issues, BSPI_ISSUE_PAK_CRC,
                       bsp_place_at(check->lump->name, i, NULL,
                                    bspi_lump_byte(check->lump, entry->offset)),
                       "%.*s has CRC %08x, and its bytes have %08x", (int)entry->name.size,
                       entry->name.data, (unsigned)entry->crc, (unsigned)crc);
        } else {
            bspi_verified_add(known, entry->packed, crc);
        }
    }
    bspi_verified_publish(check->file, known);
    bsp_pak_close(pak);
    return done;
}

static void check_limit(checker *check, uint32_t records) {
    const bsp_lump *lump = check->lump;
    if (lump->def == NULL) {
        return;
    }
    bsp_limit limit = bsp_game_lump_limit(check->game, lump->def);
    uint32_t used = limit.in_bytes ? lump->unpacked_size : records;
    if (limit.max != 0 && used > limit.max) {
        bspi_issue(check->issues, BSPI_ISSUE_LIMIT,
                   bsp_place_at(lump->name, BSP_NONE, NULL, lump->offset), "%u %s, and %u allowed",
                   used, limit.in_bytes ? "bytes" : "records", limit.max);
    }
}

// Lumps may share their bytes, so the work of reading them is counted.
static bool check_lump(checker *check, const bsp_parts *parts) {
    if (!bspi_heap_work(bspi_file_heap(check->file), parts->data.size, check->error)) {
        return false;
    }
    if (check->lump->kind == BSP_KIND_BYTES && check->lump->size != 0 &&
        check->lump->place == BSP_IN_DIRECTORY) {
        bspi_issue(check->issues, BSPI_ISSUE_LUMP_LAYOUT,
                   bsp_place_at(check->lump->name, BSP_NONE, NULL, check->lump->offset),
                   "%llu bytes are kept as they are", (unsigned long long)check->lump->size);
    }
    for (uint32_t i = 0; i < parts->count; i++) {
        if (parts->parts[i].kind == BSP_PART_TABLE || parts->parts[i].kind == BSP_PART_RECORD) {
            check_table(check, parts, i);
        }
    }
    check_limit(check, check->lump->def == NULL ? 0 : check->counts.records[check->lump->id]);
    return check->lump->kind != BSP_KIND_ZIP || check_pak(check, parts->data);
}

static bool unpackable(checker *check, uint32_t n, bsp_parts *parts) {
    bsp_error local = {0};
    if (bsp_file_parts(check->file, n, check->issues, parts, &local)) {
        return true;
    }
    if (bspi_out_of_memory(&local, check->error)) {
        return false;
    }
    bspi_issue(check->issues, BSPI_ISSUE_LUMP_COMPRESSED, local.place, "%s", local.message);
    memset(parts, 0, sizeof *parts);
    return true;
}

bool bsp_check_records(const bsp_file *file, bsp_issues *issues, bsp_error *error) {
    assert(file != NULL);
    checker check = {.file = file, .issues = issues, .game = bsp_file_game(file), .error = error};
    uint32_t count = file->info.num_lumps;
    bspi_heap *heap = bspi_file_heap(file);
    bsp_parts *all = bspi_heap_alloc(heap, count * sizeof *all, error);
    if (all == NULL) {
        return false;
    }
    memset(all, 0, count * sizeof *all);
    bool done = bspi_check_directory(file, issues, error);
    for (uint32_t i = 0; done && i < count; i++) {
        done = unpackable(&check, i, &all[i]) && count_lump(&check.counts, file, i, &all[i], error);
    }
    bspi_counts_finish(&check.counts);
    for (uint32_t i = 0; done && i < count; i++) {
        check.lump = &file->lumps[i];
        done = check_lump(&check, &all[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        bsp_parts_free(&all[i]);
    }
    bspi_heap_free(heap, all, count * sizeof *all);
    return done;
}
