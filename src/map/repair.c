// SPDX-License-Identifier: MIT
// Makes every reference in the map valid: an invalid index becomes "none", a run that is too long
// is cut. The roles of the fields drive it, so that it names no structure.
#include "map/load.h"

#include "layout/layout.h"

#include <stdio.h>
#include <string.h>

bool bspi_repaired(bspi_loader *loader, int kind, bsp_place place, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bspi_issue(loader->issues, kind, place, "%s", text);
    if (!loader->strict) {
        return true;
    }
    bool value = kind == BSPI_ISSUE_INDEX_RANGE || kind == BSPI_ISSUE_COUNT_RANGE;
    char where[BSP_PLACE_TEXT];
    char byte[32] = "";
    (void)bsp_format_place(where, &place);
    if (place.offset != UINT64_MAX) {
        snprintf(byte, sizeof byte, " (byte 0x%llX)", (unsigned long long)place.offset);
    }
    return bsp_fail(loader->error, BSP_E_DAMAGED, &place, "%s%s%s%s", where, value ? " = " : ": ",
                    text, byte);
}

typedef struct repairer {
    bspi_loader *loader;
    const bsp_lump *lump;
    const bsp_part *part;
    uint8_t *out; // the array
    size_t stride;
    uint32_t count;
} repairer;

static bsp_place place_of(const repairer *m, uint32_t record, const bsp_field *field,
                          size_t offset) {
    uint64_t byte = m->part->offset + (uint64_t)record * m->part->layout->size + offset;
    return bsp_place_at(m->lump->name, record, field->name[0] == '\0' ? NULL : field->name,
                        m->lump->compressed ? byte : m->lump->offset + byte);
}

static inline int64_t get(const repairer *m, uint32_t record, const bspi_member *member,
                          uint32_t element) {
    uint32_t word;
    memcpy(&word, m->out + record * m->stride + member->offset + element * 4u, sizeof word);
    return member->type == BSP_U32 && word != BSP_NONE ? (int64_t)word : (int32_t)word;
}

static inline void set(const repairer *m, uint32_t record, const bspi_member *member,
                       uint32_t element, int64_t value) {
    uint32_t word = (uint32_t)value;
    memcpy(m->out + record * m->stride + member->offset + element * 4u, &word, sizeof word);
}

// Returns what a bad value becomes: leaf 0 for a tree child, solid for a hull, else none.
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

static bool repair_value(repairer *m, const bsp_field *field, const bspi_member *member,
                         size_t offset, uint32_t record, uint32_t element) {
    int64_t value = get(m, record, member, element);
    const char *noun;
    uint32_t limit = bspi_reference_limit(field, &m->loader->counts, &noun);
    set(m, record, member, element, replacement(field, element));
    if (limit == 0 && (field->role == BSP_ROLE_INDEX_NONE || field->role == BSP_ROLE_OFFSET)) {
        return true; // an optional lump may be missing as a whole; the check reports that
    }
    bsp_place place = place_of(m, record, field, offset + element * bsp_type_size(field->type));
    return bspi_repaired(m->loader, BSPI_ISSUE_INDEX_RANGE,
                         bsp_place_element(place, element, field->count),
                         "%lld, but there are %u %s", (long long)value, limit, noun);
}

// Converts clip children of 16 bits to what they mean.
static void widen_clips(repairer *m, const bsp_field *field, const bspi_member *member) {
    uint32_t clipnodes = m->loader->counts.records[BSP_ID_CLIPNODES];
    uint32_t first = field->role == BSP_ROLE_HEADNODES ? 1 : 0;
    uint32_t elements = field->count < member->count ? field->count : member->count;
    for (uint32_t r = 0; r < m->count; r++) {
        for (uint32_t e = first; e < elements; e++) {
            set(m, r, member, e, bspi_clip_child(get(m, r, member, e), clipnodes));
        }
    }
}

// Tests one element of all records quickly, which is all that a sound map needs.
static bool all_in_range(const repairer *m, const bspi_member *member, uint32_t element,
                         bspi_range range) {
    const uint8_t *p = m->out + member->offset + element * 4u;
    bool is_signed = member->type != BSP_U32;
    uint64_t width = (uint64_t)range.high - (uint64_t)range.low;
    bool out = false;
    for (uint32_t r = 0; r < m->count; r++, p += m->stride) {
        uint32_t word;
        memcpy(&word, p, sizeof word);
        int64_t value = is_signed || word == BSP_NONE ? (int32_t)word : (int64_t)word;
        out |= (uint64_t)value - (uint64_t)range.low > width;
    }
    return range.low <= range.high && !out;
}

static bool repair_field(repairer *m, const bsp_field *field, const bspi_member *member,
                         size_t offset) {
    bspi_range first = bspi_reference_range(field, 0, &m->loader->counts);
    bspi_range other = bspi_reference_range(field, 1, &m->loader->counts);
    uint32_t elements = field->count < member->count ? field->count : member->count;
    if (field->role == BSP_ROLE_CLIP_CHILD || field->role == BSP_ROLE_HEADNODES) {
        widen_clips(m, field, member);
    }
    bool sound = true;
    for (uint32_t e = 0; sound && e < elements; e++) {
        sound = all_in_range(m, member, e, e == 0 ? first : other);
    }
    if (sound) {
        return true;
    }
    for (uint32_t r = 0; r < m->count; r++) {
        for (uint32_t e = 0; e < elements; e++) {
            int64_t value = get(m, r, member, e);
            const bspi_range *range = e == 0 ? &first : &other;
            if ((value < range->low || value > range->high) &&
                !repair_value(m, field, member, offset, r, e)) {
                return false;
            }
        }
    }
    return true;
}

static bool repair_runs(repairer *m, const bspi_array *array, uint32_t field, size_t offset) {
    const bsp_field *row = &m->part->layout->fields[field];
    const bspi_member *first = bspi_struct_find(array->structure, row->map_member);
    uint32_t count_field = bspi_layout_run_count(m->part->layout, field);
    if (first == NULL || count_field == BSP_NONE) {
        return true;
    }
    const bspi_member *count =
        bspi_struct_find(array->structure, m->part->layout->fields[count_field].map_member);
    if (count == NULL) {
        return true;
    }
    int64_t limit = m->loader->counts.records[row->target];
    for (uint32_t r = 0; r < m->count; r++) {
        int64_t start = get(m, r, first, 0);
        int64_t length = get(m, r, count, 0);
        if (length == 0 || (start >= 0 && length > 0 && start + length <= limit)) {
            continue; // the start of an empty run may have another meaning, and is kept
        }
        bool usable = start >= 0 && start < limit && length > 0;
        set(m, r, first, 0, usable ? start : 0);
        set(m, r, count, 0, usable ? limit - start : 0);
        if (!bspi_repaired(m->loader, BSPI_ISSUE_COUNT_RANGE, place_of(m, r, row, offset),
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

bool bspi_repair_references(bspi_loader *loader, const bspi_array *array, const bsp_lump *lump,
                            const bsp_part *part, void *out) {
    repairer m = {loader, lump, part, out, array->structure->size, part->count};
    for (uint32_t f = 0; f < part->layout->num_fields; f++) {
        const bsp_field *field = &part->layout->fields[f];
        const bspi_member *member = bspi_struct_find(array->structure, field->map_member);
        if (member == NULL || bsp_type_size(member->type) != 4) {
            continue;
        }
        size_t offset = bsp_layout_offset(part->layout, f);
        bool done = field->role == BSP_ROLE_FIRST ? repair_runs(&m, array, f, offset)
                    : is_index(field->role)       ? repair_field(&m, field, member, offset)
                                                  : true;
        if (!done) {
            return false;
        }
    }
    return true;
}
