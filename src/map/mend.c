// SPDX-License-Identifier: MIT
// Makes every reference in the map valid: what names nothing becomes "none", what runs too far is
// cut. Driven by the roles of the fields, so that no structure is named here.
#include "map/load.h"

#include "file/layout.h"

#include <stdio.h>
#include <string.h>

bool bspi_mended(bspi_loader *loader, int kind, bsp_place place, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bspi_issue(loader->issues, kind, place, "%s", text);
    if (!loader->strict) {
        return true;
    }
    char record[16] = "";
    if (place.record != BSP_NONE) {
        snprintf(record, sizeof record, "[%u]", place.record);
    }
    return bsp_fail(loader->error, BSP_E_DAMAGED, &place, "%s%s%s%s: %s (byte 0x%llX)", place.lump,
                    record, place.field == NULL ? "" : ".", place.field == NULL ? "" : place.field,
                    text, (unsigned long long)place.offset);
}

typedef struct mender {
    bspi_loader *loader;
    const bsp_lump *lump;
    const bsp_part *part;
    uint8_t *out; // the array
    size_t stride;
    uint32_t count;
} mender;

static bsp_place place_of(const mender *m, uint32_t record, const bsp_field *field, size_t offset) {
    uint64_t byte = m->part->offset + (uint64_t)record * m->part->layout->size + offset;
    return bsp_place_at(m->lump->name, record, field->name[0] == '\0' ? NULL : field->name,
                        m->lump->compressed ? byte : m->lump->offset + byte);
}

static int64_t get(const mender *m, uint32_t record, const bspi_member *member, uint32_t element) {
    uint32_t word;
    memcpy(&word, m->out + record * m->stride + member->offset + element * 4u, sizeof word);
    return member->type == BSP_U32 && word != BSP_NONE ? (int64_t)word : (int32_t)word;
}

static void set(const mender *m, uint32_t record, const bspi_member *member, uint32_t element,
                int64_t value) {
    uint32_t word = (uint32_t)value;
    memcpy(m->out + record * m->stride + member->offset + element * 4u, &word, sizeof word);
}

// What a bad value becomes: leaf 0 for a tree child, solid for a hull, else none.
static int64_t replacement(const bsp_field *field, uint32_t element) {
    switch (field->role) {
    case BSP_ROLE_CLIP_CHILD:
        return -2;
    case BSP_ROLE_HEADNODES:
        return element == 0 ? -1 : -2;
    case BSP_ROLE_SURFEDGE:
        return 0;
    default:
        return -1;
    }
}

static bool mend_field(mender *m, const bsp_field *field, const bspi_member *member,
                       size_t offset) {
    const bspi_counts *counts = &m->loader->counts;
    bool clip = field->role == BSP_ROLE_CLIP_CHILD || field->role == BSP_ROLE_HEADNODES;
    uint32_t elements = field->count < member->count ? field->count : member->count;
    for (uint32_t r = 0; r < m->count; r++) {
        for (uint32_t e = 0; e < elements; e++) {
            int64_t value = get(m, r, member, e);
            if (clip && (e > 0 || field->role == BSP_ROLE_CLIP_CHILD)) {
                value = bspi_clip_child(value, counts->records[BSP_ID_CLIPNODES]);
                set(m, r, member, e, value);
            }
            if (bspi_reference_ok(field, e, value, counts)) {
                continue;
            }
            const char *noun;
            uint32_t limit = bspi_reference_limit(field, counts, &noun);
            set(m, r, member, e, replacement(field, e));
            if (!bspi_mended(m->loader, BSPI_ISSUE_INDEX_RANGE,
                             place_of(m, r, field, offset + e * bsp_type_size(field->type)),
                             "%lld, but there are %u %s", (long long)value, limit, noun)) {
                return false;
            }
        }
    }
    return true;
}

static bool mend_runs(mender *m, const bspi_array *array, uint32_t field, size_t offset) {
    const bsp_field *row = &m->part->layout->fields[field];
    const bspi_member *first = bspi_struct_find(array->structure, row->feed);
    uint32_t count_field = bspi_layout_run_count(m->part->layout, field);
    if (first == NULL || count_field == BSP_NONE) {
        return true;
    }
    const bspi_member *count =
        bspi_struct_find(array->structure, m->part->layout->fields[count_field].feed);
    if (count == NULL) {
        return true;
    }
    int64_t limit = m->loader->counts.records[row->target];
    for (uint32_t r = 0; r < m->count; r++) {
        int64_t start = get(m, r, first, 0);
        int64_t length = get(m, r, count, 0);
        if (length == 0 || (start >= 0 && length > 0 && start + length <= limit)) {
            continue; // where an empty run begins may mean something else, and is kept
        }
        bool usable = start >= 0 && start < limit && length > 0;
        set(m, r, first, 0, usable ? start : 0);
        set(m, r, count, 0, usable ? limit - start : 0);
        if (!bspi_mended(m->loader, BSPI_ISSUE_COUNT_RANGE, place_of(m, r, row, offset),
                         "%lld and the next %lld, but there are %lld %s", (long long)start,
                         (long long)length, (long long)limit,
                         bsp_table_id_name((bsp_table_id)row->target))) {
            return false;
        }
    }
    return true;
}

static bool is_index(bsp_role role) {
    return role != BSP_ROLE_VALUE && role != BSP_ROLE_FIRST && role != BSP_ROLE_COUNT &&
           role < BSP_ROLE_FLAGS;
}

bool bspi_mend_references(bspi_loader *loader, const bspi_array *array, const bsp_lump *lump,
                          const bsp_part *part, void *out) {
    mender m = {loader, lump, part, out, array->structure->size, part->count};
    for (uint32_t f = 0; f < part->layout->num_fields; f++) {
        const bsp_field *field = &part->layout->fields[f];
        const bspi_member *member = bspi_struct_find(array->structure, field->feed);
        if (member == NULL || bsp_type_size(member->type) != 4) {
            continue;
        }
        size_t offset = bsp_layout_offset(part->layout, f);
        bool done = field->role == BSP_ROLE_FIRST ? mend_runs(&m, array, f, offset)
                    : is_index(field->role)       ? mend_field(&m, field, member, offset)
                                                  : true;
        if (!done) {
            return false;
        }
    }
    return true;
}
