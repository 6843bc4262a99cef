// SPDX-License-Identifier: MIT
// The simple lumps: records of one layout, counted arrays one after the other, strings one after
// the other.
#include "records/parse.h"

#include "formats/composites.h"

const bsp_layout *bspi_pick_layout(const bsp_lump_def *def, uint32_t version, uint64_t size) {
    const bsp_layout *divides = NULL;
    const bsp_layout *matches = NULL;
    for (uint32_t i = 0; i < def->num_variants; i++) {
        const bsp_variant *variant = &def->variants[i];
        bool fits = size % variant->layout->size == 0;
        if (variant->version == version || variant->version == BSP_ANY_VERSION) {
            if (fits) {
                return variant->layout;
            }
            matches = matches == NULL ? variant->layout : matches;
        }
        divides = fits && divides == NULL ? variant->layout : divides;
    }
    if (divides != NULL) {
        return divides;
    }
    return matches != NULL || def->num_variants == 0 ? matches : def->variants[0].layout;
}

uint32_t bspi_array_count(const bsp_lump *lump) {
    const bsp_layout *layout = bspi_pick_layout(lump->def, lump->version, lump->unpacked_size);
    return lump->unpacked_size / layout->size;
}

void bspi_parse_array(bspi_parse *parse) {
    const bsp_lump *lump = parse->lump;
    const bsp_layout *layout = bspi_pick_layout(lump->def, lump->version, parse->data.size);
    if (layout == &bspi_bare_u8_t && lump->def->num_variants > 1) { // none of its layouts fits
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_LAYOUT, 0,
                         "version %u with %zu bytes is not known: kept as it is", lump->version,
                         parse->data.size);
        bspi_parse_bytes(parse, "bytes", 0, parse->data.size);
        return;
    }
    size_t count = parse->data.size / layout->size;
    if (count * layout->size != parse->data.size) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_SIZE, count * layout->size,
                         "%zu bytes are no multiple of %u", parse->data.size, layout->size);
    }
    bspi_parse_table(parse, lump->name, lump->id, layout, 0, (uint32_t)count);
}

// --- sections -----------------------------------------------------------------------------------

const bsp_section_list *bspi_section_lists(const bsp_lump *lump, uint32_t *count) {
    if (lump->def != NULL && lump->def->num_section_lists != 0) {
        *count = lump->def->num_section_lists;
        return lump->def->section_lists;
    }
    *count = lump->game_def == NULL ? 0 : lump->game_def->num_section_lists;
    return lump->game_def == NULL ? NULL : lump->game_def->section_lists;
}

static size_t head_size(const bsp_section *section) {
    return section->head == NULL ? 0 : section->head->size;
}

// Returns the record size of the last section if the lump has these sections: the bytes after its
// count, divided by the count. 0 when the sections do not fit; UINT32_MAX when the last one is
// empty, or is one that may be missing (then the sizes of the others are the evidence).
static uint32_t stride_of(const bspi_parse *parse, const bsp_section_list *list) {
    size_t at = 0;
    for (uint32_t s = 0; s < list->num_sections; s++) {
        const bsp_section *section = &list->sections[s];
        size_t left = parse->data.size - at;
        if (left == 0 && section->optional) {
            return UINT32_MAX;
        }
        if (left < 4 + head_size(section)) {
            return 0;
        }
        uint32_t count = bspi_parse_u32(parse, at);
        at += 4 + head_size(section);
        left = parse->data.size - at;
        if (s + 1 == list->num_sections && !section->optional) {
            if (count == 0) {
                return left == 0 ? UINT32_MAX : 0;
            }
            return left % count == 0 && left / count < UINT32_MAX ? (uint32_t)(left / count) : 0;
        }
        if (count > left / section->layout->size) {
            return 0;
        }
        at += (size_t)count * section->layout->size;
    }
    return at == parse->data.size ? UINT32_MAX : 0;
}

// The largest size of records of which only a prefix is known; compilers align records to 4 bytes.
#define LONGEST_PREFIXED 1024u

static bool list_fits(const bspi_parse *parse, const bsp_section_list *list) {
    uint32_t stride = stride_of(parse, list);
    if (list->prefix && stride != UINT32_MAX) {
        return stride >= list->sections[list->num_sections - 1].layout->size &&
               stride <= LONGEST_PREFIXED && stride % 4 == 0;
    }
    return stride == UINT32_MAX || (stride != 0 && (list->stride == 0 || list->stride == stride));
}

// Picks by version and size, else by size alone, else by version alone.
static const bsp_section_list *pick_sections(const bspi_parse *parse) {
    uint32_t count;
    const bsp_section_list *lists = bspi_section_lists(parse->lump, &count);
    const bsp_section_list *by_version = NULL;
    const bsp_section_list *by_size = NULL;
    for (uint32_t i = 0; i < count; i++) {
        bool version =
            lists[i].version == parse->lump->version || lists[i].version == BSP_ANY_VERSION;
        bool fits = list_fits(parse, &lists[i]);
        if (version && fits) {
            return &lists[i];
        }
        by_size = fits && by_size == NULL && lists[i].stride != 0 ? &lists[i] : by_size;
        by_version = version && by_version == NULL ? &lists[i] : by_version;
    }
    return by_size != NULL ? by_size : by_version;
}

// Returns the layout of records of which only the beginning is known; NULL where all is known.
static const bsp_layout *prefixed(bspi_parse *parse, const bsp_section_list *list) {
    const bsp_layout *known = list->sections[list->num_sections - 1].layout;
    uint32_t stride = stride_of(parse, list);
    if (!list->prefix || stride == UINT32_MAX || stride <= known->size ||
        stride > LONGEST_PREFIXED) {
        return NULL;
    }
    bspi_parse_issue(parse, BSPI_ISSUE_LUMP_LAYOUT, 0,
                     "version %u with records of %u bytes is not known: the first %u are read, the "
                     "rest is kept",
                     parse->lump->version, stride, known->size);
    return bspi_parse_extend(parse, known, stride);
}

void bspi_parse_sections(bspi_parse *parse) {
    const bsp_section_list *list = pick_sections(parse);
    if (list == NULL) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_LAYOUT, 0, "version %u is not known",
                         parse->lump->version);
        bspi_parse_bytes(parse, "bytes", 0, parse->data.size);
        return;
    }
    if (list->stride != 0 && !list_fits(parse, list)) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_LAYOUT, 0,
                         "version %u with records of another size than %u", parse->lump->version,
                         list->stride);
    }
    const bsp_layout *longer = prefixed(parse, list);
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    size_t at = 0;
    for (uint32_t s = 0; s < list->num_sections && !parse->failed; s++) {
        const bsp_section *section = &list->sections[s];
        if (section->optional && at == parse->data.size) {
            break;
        }
        bool last = s + 1 == list->num_sections;
        const bsp_layout *layout = last && longer != NULL ? longer : section->layout;
        bool counted = bspi_parse_record(parse, "count", &bspi_bare_i32_t, at);
        uint32_t count = bspi_parse_u32(parse, at);
        at += 4;
        counted = counted &&
                  (section->head == NULL || bspi_parse_record(parse, "head", section->head, at));
        at += head_size(section);
        if (!counted || !bspi_parse_table(parse, section->name, section->id, layout, at, count)) {
            break;
        }
        at += (size_t)count * layout->size;
    }
    bspi_parse_close(parse, group);
}

// --- strings ------------------------------------------------------------------------------------

void bspi_parse_strings(bspi_parse *parse) {
    size_t size = parse->data.size;
    if (parse->data.data[size - 1] != '\0') {
        bspi_parse_issue(parse, BSPI_ISSUE_STRING_UNENDED, size - 1, "the last string has no NUL");
    }
    bsp_part part = {.kind = BSP_PART_STRINGS, .name = parse->lump->name, .size = size};
    bspi_parse_add(parse, part);
}
