// SPDX-License-Identifier: MIT
// Writes a lump as JSON: the tree of its parts, tables as arrays of objects. It streams and keeps
// nothing.
#include "records/dump.h"
#include "records/file.h"

#include "layout/layout.h"

#include <assert.h>
#include <string.h>

// The offsets of a layout's fields, taken once for a table.
typedef struct dump_plan {
    const bsp_layout *layout;
    size_t offsets[BSPI_LAYOUT_FIELDS];
} dump_plan;

static void make_plan(const bsp_layout *layout, dump_plan *out) {
    size_t offset = 0;
    out->layout = layout;
    for (uint32_t f = 0; f < layout->num_fields && f < BSPI_LAYOUT_FIELDS; f++) {
        out->offsets[f] = offset;
        offset += bspi_field_advance(&layout->fields[f]);
    }
}

// Layouts of the tables have no more fields than the plan; those of others are not cut.
static size_t field_offset(const dump_plan *plan, uint32_t field) {
    return field < BSPI_LAYOUT_FIELDS ? plan->offsets[field]
                                      : bspi_layout_offset(plan->layout, field);
}

static void dump_element(const bsp_field *field, const uint8_t *p, bool big, bsp_json *json) {
    if (field->type == BSP_F32) {
        bsp_json_float(json, bspi_load_float(p, big));
    } else {
        bsp_json_int(json, bspi_load_int(field, p, big));
    }
}

static void dump_value(const bsp_field *field, const uint8_t *p, bool big, bsp_json *json) {
    if (field->type == BSP_CHAR) {
        const char *end = memchr(p, '\0', field->count);
        bsp_text text = {(const char *)p,
                         end == NULL ? field->count : (size_t)(end - (const char *)p)};
        bsp_json_text(json, text);
        return;
    }
    if (field->type == BSP_PAD) {
        bsp_bytes bytes = {p, field->count};
        bsp_json_hex(json, bytes);
        return;
    }
    if (field->count == 1) {
        dump_element(field, p, big, json);
        return;
    }
    size_t size = bsp_type_size(field->type);
    bsp_json_array(json);
    for (uint32_t e = 0; e < field->count; e++) {
        dump_element(field, p + e * size, big, json);
    }
    bsp_json_array_end(json);
}

static void dump_record(const dump_plan *plan, const uint8_t *record, bool big, bsp_json *json) {
    const bsp_field *fields = plan->layout->fields;
    if (bsp_layout_is_bare(plan->layout)) {
        dump_value(&fields[0], record, big, json);
        return;
    }
    bsp_json_object(json);
    for (uint32_t f = 0; f < plan->layout->num_fields; f++) {
        bsp_json_key(json, fields[f].name);
        dump_value(&fields[f], record + field_offset(plan, f), big, json);
    }
    bsp_json_object_end(json);
}

static void dump_table(const bsp_table *table, bsp_json *json) {
    dump_plan plan;
    make_plan(table->layout, &plan);
    bsp_json_array(json);
    for (uint32_t i = 0; i < table->count && !json->failed; i++) {
        dump_record(&plan, table->data + (size_t)i * table->layout->size, table->big_endian, json);
    }
    bsp_json_array_end(json);
}

static void dump_strings(bsp_text text, bsp_json *json) {
    bsp_json_array(json);
    while (text.size != 0) {
        const char *end = memchr(text.data, '\0', text.size);
        size_t size = end == NULL ? text.size : (size_t)(end - text.data);
        bsp_text one = {text.data, size};
        bsp_json_text(json, one);
        size_t step = end == NULL ? size : size + 1;
        text.data += step;
        text.size -= step;
    }
    bsp_json_array_end(json);
}

static void dump_part(const bsp_parts *parts, uint32_t number, bsp_json *json);

static void dump_container(const bsp_parts *parts, uint32_t number, bsp_json *json) {
    const bsp_part *part = &parts->parts[number];
    bool group = part->kind == BSP_PART_GROUP;
    if (group) {
        bsp_json_object(json);
    } else {
        bsp_json_array(json);
    }
    for (uint32_t i = number + 1; i < part->end && !json->failed; i = parts->parts[i].end) {
        // The counts of sections are left out, since the sections show them.
        if (group && parts->parts[i].kind == BSP_PART_RECORD &&
            strcmp(parts->parts[i].name, "count") == 0) {
            continue;
        }
        if (group) {
            bsp_json_key(json, parts->parts[i].name);
        }
        dump_part(parts, i, json);
    }
    if (group) {
        bsp_json_object_end(json);
    } else {
        bsp_json_array_end(json);
    }
}

static void dump_part(const bsp_parts *parts, uint32_t number, bsp_json *json) {
    const bsp_part *part = &parts->parts[number];
    bsp_bytes bytes = {parts->data.data + part->offset, part->size};
    bsp_text text = {(const char *)bytes.data, bytes.size};
    bsp_table table = {part->layout, bytes.data, part->count, part->big_endian};
    dump_plan plan;
    switch (part->kind) {
    case BSP_PART_TABLE:
        dump_table(&table, json);
        break;
    case BSP_PART_RECORD:
        make_plan(part->layout, &plan);
        dump_record(&plan, bytes.data, part->big_endian, json);
        break;
    case BSP_PART_TEXT:
        bsp_json_text(json, text);
        break;
    case BSP_PART_STRINGS:
        dump_strings(text, json);
        break;
    case BSP_PART_BYTES:
        bsp_json_hex(json, bytes);
        break;
    case BSP_PART_GROUP:
    case BSP_PART_LIST:
        dump_container(parts, number, json);
        break;
    }
}

static bool dump_entities(const bsp_file *file, uint32_t lump, bsp_json *json, bsp_error *error) {
    bsp_bytes data;
    if (!bsp_file_data(file, lump, &data, error)) {
        return false;
    }
    bsp_text text = {(const char *)data.data, data.size};
    bsp_entities *entities =
        bspi_entities_parse(text, bspi_file_heap(file), &file->heap.allocator, NULL, error);
    if (entities == NULL) {
        return false;
    }
    bsp_json_array(json);
    for (uint32_t i = 0; i < entities->count; i++) {
        bsp_entity_json(&entities->list[i], i, json);
    }
    bsp_json_array_end(json);
    bsp_entities_free(entities);
    return true;
}

// Writes what an empty lump of this kind looks like.
static void dump_empty(bsp_lump_kind kind, bsp_json *json) {
    switch (kind) {
    case BSP_KIND_BYTES:
        bsp_json_string(json, "");
        break;
    case BSP_KIND_ARRAY:
    case BSP_KIND_STRINGS:
    case BSP_KIND_SAMPLES:
        bsp_json_array(json);
        bsp_json_array_end(json);
        break;
    default:
        bsp_json_object(json);
        bsp_json_object_end(json);
    }
}

static bool is_visibility(bsp_lump_kind kind) {
    return kind == BSP_KIND_VIS_ROWS || kind == BSP_KIND_VIS_OFFSETS || kind == BSP_KIND_VIS_MATRIX;
}

bool bsp_dump_json(const bsp_file *file, uint32_t lump, bsp_json *json, bsp_error *error) {
    assert(file != NULL && json != NULL);
    if (!bspi_has_lump(file, lump, error)) {
        return false;
    }
    if (file->lumps[lump].kind == BSP_KIND_ENTITIES) {
        return dump_entities(file, lump, json, error);
    }
    bsp_parts parts;
    if (!bsp_file_parts(file, lump, NULL, &parts, error)) {
        return false;
    }
    bool done = true;
    bsp_lump_kind kind = file->lumps[lump].kind;
    if (parts.count == 0) {
        dump_empty(kind, json);
    } else if (is_visibility(kind)) {
        done = bspi_dump_visibility(file, &parts, kind, json, error);
    } else {
        dump_part(&parts, 0, json);
    }
    bsp_parts_free(&parts);
    return done;
}

void bsp_entity_json(const bsp_entity *entity, uint32_t index, bsp_json *json) {
    assert(entity != NULL && json != NULL);
    bsp_json_object(json);
    bsp_json_key(json, "index");
    bsp_json_uint(json, index);
    bsp_json_key(json, "pairs");
    bsp_json_array(json);
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        bsp_json_array(json);
        bsp_json_text(json, entity->pairs[i].key);
        bsp_json_text(json, entity->pairs[i].value);
        bsp_json_array_end(json);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}
