// SPDX-License-Identifier: MIT
// Writes a lump as JSON: the tree of its parts, tables as arrays of objects. It streams; blocks of
// large tables are written by several threads to buffers of their own, which then follow each
// other.
#include "records/dump.h"
#include "records/entities.h"
#include "records/file.h"

#include "core/json.h"
#include "core/reader.h"
#include "core/workers.h"

#include "layout/layout.h"

#include <assert.h>
#include <string.h>

// What all records of a table have in common: where the fields lie, and their keys as JSON.
typedef struct dump_plan {
    const bsp_layout *layout;
    bool bare;
    size_t offsets[BSPI_LAYOUT_FIELDS];
    char keys[BSPI_LAYOUT_FIELDS][BSPI_KEY_TEXT];
    uint8_t key_sizes[BSPI_LAYOUT_FIELDS]; // 0: too long
} dump_plan;

// Takes the text of a key if it needs no escapes, as the names of the tables do not.
static void plan_key(dump_plan *plan, uint32_t field) {
    const char *name = plan->layout->fields[field].name;
    char *out = plan->keys[field];
    size_t size = strlen(name);
    bool fits = size + 3 <= BSPI_KEY_TEXT;
    for (size_t i = 0; fits && i < size; i++) {
        fits = name[i] >= 0x20 && name[i] < 0x7F && name[i] != '"' && name[i] != '\\';
        out[1 + i] = name[i];
    }
    plan->key_sizes[field] = fits ? (uint8_t)(size + 3) : 0;
    if (fits) {
        out[0] = '"';
        out[size + 1] = '"';
        out[size + 2] = ':';
    }
}

static void make_plan(const bsp_layout *layout, dump_plan *out) {
    size_t offset = 0;
    out->layout = layout;
    out->bare = bsp_layout_is_bare(layout);
    for (uint32_t f = 0; f < layout->num_fields && f < BSPI_LAYOUT_FIELDS; f++) {
        out->offsets[f] = offset;
        offset += bspi_field_advance(&layout->fields[f]);
        plan_key(out, f);
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
    } else if (field->type == BSP_U8 && field->bits == 0 && !field->unsigned_none) {
        bsp_json_uint(json, *p); // light is millions of bytes
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
    if (plan->bare) {
        dump_value(&fields[0], record, big, json);
        return;
    }
    bsp_json_object(json);
    for (uint32_t f = 0; f < plan->layout->num_fields; f++) {
        if (f < BSPI_LAYOUT_FIELDS && plan->key_sizes[f] != 0) {
            bspi_json_ready_key(json, plan->keys[f], plan->key_sizes[f]);
        } else {
            bsp_json_key(json, fields[f].name);
        }
        dump_value(&fields[f], record + field_offset(plan, f), big, json);
    }
    bsp_json_object_end(json);
}

static void dump_records(const dump_plan *plan, const bsp_table *table, uint32_t first,
                         uint32_t end, bsp_json *json) {
    for (uint32_t i = first; i < end && !json->failed; i++) {
        dump_record(plan, table->data + (size_t)i * table->layout->size, table->big_endian, json);
    }
}

// --- tables by several threads ------------------------------------------------------------------

#define BLOCK_TEXT ((size_t)256 << 10) // room of a block
#define BLOCKS_A_THREAD 2u             // that may be made but not written
#define MOST_BLOCKS 32u                // of all threads
#define LEAST_BLOCKS 3u                // a table of fewer is written by one thread

/// A block of records and its text. `room` is never exceeded (most_text).
typedef struct dump_block {
    char *text;
    size_t size;
} dump_block;

/// The blocks of a table.
typedef struct dump_blocks {
    const dump_plan *plan;
    const bsp_table *table;
    bsp_json *json; ///< to which they are written
    uint32_t step;  ///< records of a block
    size_t room;    ///< bytes of a block's text
    dump_block slots[MOST_BLOCKS];
} dump_blocks;

// Returns the most bytes that a record's text takes. A value of one byte is at most six ("\u00ff"),
// a number at most BSP_FLOAT_TEXT; brackets, quotes and commas are four.
static size_t most_text(const bsp_layout *layout) {
    size_t size = 4;
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        const bsp_field *field = &layout->fields[f];
        bool bytes = field->type == BSP_CHAR || field->type == BSP_PAD;
        size +=
            6 * strlen(field->name) + 8 + (size_t)field->count * (bytes ? 6 : BSP_FLOAT_TEXT + 1);
    }
    return size;
}

typedef struct block_target {
    dump_block *block;
    size_t room;
} block_target;

static bool take_text(void *user, const char *data, size_t size) {
    block_target *target = user;
    if (size > target->room - target->block->size) {
        return false;
    }
    memcpy(target->block->text + target->block->size, data, size);
    target->block->size += size;
    return true;
}

// A block always has room for its records.
static void dump_block_of(void *user, uint32_t slot, uint32_t item) {
    dump_blocks *all = user;
    block_target target = {&all->slots[slot], all->room};
    uint32_t first = item * all->step;
    uint32_t left = all->table->count - first;
    bsp_json json;
    target.block->size = 0;
    bsp_json_begin(&json, take_text, &target);
    dump_records(all->plan, all->table, first, first + (left < all->step ? left : all->step),
                 &json);
    bool done = bsp_json_flush(&json);
    assert(done);
    (void)done;
}

static bool write_block(void *user, uint32_t slot, uint32_t item) {
    const dump_blocks *all = user;
    (void)item;
    bspi_json_values(all->json, all->slots[slot].text, all->slots[slot].size);
    return !all->json->failed;
}

// Writes a table whose blocks threads make. Returns false, with nothing written, for small tables,
// one thread, or without memory for the blocks.
static bool dump_by_threads(bspi_heap *heap, const dump_plan *plan, const bsp_table *table,
                            bsp_json *json) {
    uint32_t threads = bspi_heap_threads(heap);
    dump_blocks all = {.plan = plan,
                       .table = table,
                       .json = json,
                       .step = (uint32_t)(BLOCK_TEXT / most_text(table->layout)),
                       .room = BLOCK_TEXT};
    uint32_t blocks = all.step == 0 || table->count == 0 ? 0 : (table->count - 1) / all.step + 1;
    if (threads < 2 || blocks < LEAST_BLOCKS) {
        return false;
    }
    uint32_t slots =
        threads > MOST_BLOCKS / BLOCKS_A_THREAD ? MOST_BLOCKS : threads * BLOCKS_A_THREAD;
    slots = slots < blocks ? slots : blocks;
    char *text = bspi_heap_alloc(heap, slots * BLOCK_TEXT, NULL);
    if (text == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < slots; i++) {
        all.slots[i].text = text + i * BLOCK_TEXT;
    }
    (void)bspi_workers_pipe(threads, blocks, slots, dump_block_of, write_block, &all);
    bspi_heap_free(heap, text, slots * BLOCK_TEXT);
    return true;
}

/// What a lump is written from and to.
typedef struct dump {
    bspi_heap *heap;
    const bsp_parts *parts;
    dump_plan *plan; ///< of the table that is being written
    bsp_json *json;
} dump;

static void dump_table(const dump *d, const bsp_table *table) {
    make_plan(table->layout, d->plan);
    bsp_json_array(d->json);
    if (!dump_by_threads(d->heap, d->plan, table, d->json)) {
        dump_records(d->plan, table, 0, table->count, d->json);
    }
    bsp_json_array_end(d->json);
}

void bsp_table_json(const bsp_table *table, uint32_t first, uint32_t count, bsp_json *json) {
    assert(table != NULL && json != NULL);
    dump_plan plan;
    uint32_t left = first < table->count ? table->count - first : 0;
    bsp_json_array(json);
    if (left != 0) {
        make_plan(table->layout, &plan);
        dump_records(&plan, table, first, first + (count < left ? count : left), json);
    }
    bsp_json_array_end(json);
}

// --- other parts --------------------------------------------------------------------------------

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

static void dump_part(const dump *d, uint32_t number);

static void dump_container(const dump *d, uint32_t number) {
    const bsp_parts *parts = d->parts;
    bsp_json *json = d->json;
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
        dump_part(d, i);
    }
    if (group) {
        bsp_json_object_end(json);
    } else {
        bsp_json_array_end(json);
    }
}

static void dump_part(const dump *d, uint32_t number) {
    const bsp_parts *parts = d->parts;
    bsp_json *json = d->json;
    const bsp_part *part = &parts->parts[number];
    bsp_bytes bytes = {parts->data.data + part->offset, part->size};
    bsp_text text = {(const char *)bytes.data, bytes.size};
    bsp_table table = {part->layout, bytes.data, part->count, part->big_endian};
    switch (part->kind) {
    case BSP_PART_TABLE:
        dump_table(d, &table);
        break;
    case BSP_PART_RECORD:
        make_plan(part->layout, d->plan);
        dump_record(d->plan, bytes.data, part->big_endian, json);
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
        dump_container(d, number);
        break;
    }
}

void bspi_dump_part(bspi_heap *heap, const bsp_parts *parts, uint32_t part, bsp_json *json) {
    dump_plan plan;
    dump d = {heap, parts, &plan, json};
    dump_part(&d, part);
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
        bspi_dump_part(bspi_file_heap(file), &parts, 0, json);
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
