// SPDX-License-Identifier: MIT
// Fields are found by the branch's own tables, and written by the codec.
#include "support/patch.h"

#include "formats/map_members.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

patch patch_of(const char *branch, bool big_endian, size_t more) {
    patch p = {bsp_branch_find(branch), big_endian, NULL, 0};
    assert_non_null(p.branch);
    bsp_blob blob = room_file(p.branch, big_endian, 0);
    p.size = blob.size + more;
    p.data = calloc(p.size, 1);
    assert_non_null(p.data);
    memcpy(p.data, blob.data, blob.size);
    bsp_blob_free(&blob);
    return p;
}

void patch_free(patch *p) {
    free(p->data);
    p->data = NULL;
}

bsp_file *patch_open(const patch *p, bsp_issues *issues) {
    bsp_bytes bytes = {p->data, p->size};
    bsp_open_options options = {.branch = p->branch->name, .issues = issues};
    bsp_error error = {0};
    bsp_file *file = bsp_file_open_memory(bytes, &options, &error);
    if (file == NULL) {
        fail_msg("%s: %s", p->branch->name, error.message);
    }
    return file;
}

static uint32_t field_of(const bsp_layout *layout, const char *name) {
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        if (strcmp(layout->fields[f].name, name) == 0) {
            return f;
        }
    }
    fail_msg("%s has no field %s", layout->name, name);
    return 0;
}

static uint32_t lump_number(const bsp_file *file, const char *lump) {
    uint32_t n = bsp_file_find(file, bsp_text_of(lump));
    if (n == BSP_NONE) {
        fail_msg("no lump %s", lump);
    }
    return n;
}

uint64_t patch_lump_at(const patch *p, const char *lump, uint64_t *size) {
    bsp_file *file = patch_open(p, NULL);
    const bsp_lump *found = bsp_file_lump(file, lump_number(file, lump));
    uint64_t offset = found->offset;
    if (size != NULL) {
        *size = found->size;
    }
    bsp_file_close(file);
    return offset;
}

// Writes elements one by one, through a layout that begins at the element.
static void put_element(const patch *p, const bsp_field *field, uint8_t *at, int64_t value) {
    bsp_field one = *field;
    one.count = 1;
    bsp_layout layout = {"element", (uint32_t)bsp_type_size(field->type), &one, 1};
    int32_t number = (int32_t)value;
    bsp_error error = {0};
    if (!bsp_table_encode(&layout, 1, p->big_endian, 0, BSP_I32, &number, 4, at, &error)) {
        fail_msg("%s", error.message);
    }
}

uint64_t patch_field(patch *p, const char *lump, uint32_t record, const char *field,
                     uint32_t element, int64_t value) {
    bsp_file *file = patch_open(p, NULL);
    bsp_parts parts;
    uint32_t n = lump_number(file, lump);
    assert_true(bsp_file_parts(file, n, NULL, &parts, NULL));
    assert_int_equal(parts.parts[0].kind, BSP_PART_TABLE);
    assert_true(record < parts.parts[0].count);
    const bsp_layout *layout = parts.parts[0].layout;
    uint32_t f = field_of(layout, field);
    uint64_t at = bsp_file_lump(file, n)->offset + (uint64_t)record * layout->size +
                  bsp_layout_offset(layout, f) + element * bsp_type_size(layout->fields[f].type);
    put_element(p, &layout->fields[f], p->data + at, value);
    bsp_parts_free(&parts);
    bsp_file_close(file);
    return at;
}

static void put_member(const patch *p, uint32_t index, uint16_t map_member, uint64_t value) {
    const bsp_shape *shape = bsp_branch_shape(p->branch);
    for (uint32_t f = 0; f < shape->entry->num_fields; f++) {
        if (shape->entry->fields[f].map_member == map_member) {
            size_t at = shape->head->size + (size_t)index * shape->entry->size +
                        bsp_layout_offset(shape->entry, f);
            put_element(p, &shape->entry->fields[f], p->data + at, (int64_t)value);
        }
    }
}

void patch_entry(patch *p, const char *lump, uint64_t offset, uint64_t size) {
    bsp_file *file = patch_open(p, NULL);
    uint32_t index = bsp_file_lump(file, lump_number(file, lump))->index;
    bsp_file_close(file);
    put_member(p, index, BSPI_MEMBER_entry_offset, offset);
    put_member(p, index, BSPI_MEMBER_entry_size, size);
}

static void take_issue(bsp_issues *issues, const char *kind, bsp_issue *out) {
    size_t count;
    const bsp_issue *list = bsp_issues_list(issues, &count);
    bool found = false;
    for (size_t i = 0; !found && i < count; i++) {
        if (strcmp(list[i].kind->id, kind) == 0) {
            *out = list[i];
            found = true;
        }
    }
    bsp_issues_free(issues);
    if (!found) {
        fail_msg("no issue %s", kind);
    }
}

void patch_check(const patch *p, const char *kind, bsp_issue *out) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_file *file = patch_open(p, issues);
    assert_true(bsp_check(file, issues, NULL));
    bsp_file_close(file);
    take_issue(issues, kind, out);
}

void patch_mend(const patch *p, const char *kind, bsp_issue *out) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_file *file = patch_open(p, NULL);
    bsp_map_options options = {.issues = issues};
    bsp_map *map = bsp_map_load(file, &options, NULL);
    assert_non_null(map);
    bsp_map_free(map);
    bsp_file_close(file);
    take_issue(issues, kind, out);
}
