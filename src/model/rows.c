// SPDX-License-Identifier: MIT
// Finds the records of a model file by the rows of its format. Every count, offset and stride of
// the file is bounded by the file here, and the bytes of all tables together count as work: tables
// that overlap, as those of hostile files do, cannot multiply without end.
#include "model/rows.h"

#include "layout/layout.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/// A file being taken apart.
typedef struct rows {
    bsp_model_file *file;
    bspi_parse parse;
    bspi_meter meter;
    size_t after; ///< end of the row before
} rows;

// --- fields by name -----------------------------------------------------------------------------

static bool find_field(const bsp_table *table, uint32_t record, const char *name, uint32_t *field) {
    *field =
        table->layout == NULL ? BSP_NONE : bsp_layout_find_field(table->layout, bsp_text_of(name));
    return *field != BSP_NONE && record < table->count;
}

int64_t bspi_model_int(const bsp_table *table, uint32_t record, const char *name,
                       uint32_t element) {
    uint32_t field;
    bool there =
        find_field(table, record, name, &field) && element < table->layout->fields[field].count;
    return there ? bsp_table_int(table, record, field, element) : 0;
}

float bspi_model_float(const bsp_table *table, uint32_t record, const char *name,
                       uint32_t element) {
    uint32_t field;
    bool there =
        find_field(table, record, name, &field) && element < table->layout->fields[field].count;
    float value = there ? bsp_table_float(table, record, field, element) : 0;
    return isfinite(value) ? value : 0;
}

void bspi_model_floats(const bsp_table *table, uint32_t record, const char *name, uint32_t count,
                       float *out) {
    for (uint32_t i = 0; i < count; i++) {
        out[i] = bspi_model_float(table, record, name, i);
    }
}

bsp_text bspi_model_text(const bsp_table *table, uint32_t record, const char *name) {
    uint32_t field;
    return find_field(table, record, name, &field) ? bsp_table_text(table, record, field)
                                                   : (bsp_text){NULL, 0};
}

// --- what was found -----------------------------------------------------------------------------

static const bspi_model_run *run_of(const bsp_model_file *file, uint32_t row) {
    assert(row >= 1 && row <= file->def->num_rows);
    return &file->runs[row - 1];
}

bsp_table bspi_model_head(const bsp_model_file *file) {
    return (bsp_table){file->def->head, file->parts.data.data, 1, file->def->format.big_endian};
}

bsp_table bspi_model_table(const bsp_model_file *file, uint32_t row, uint32_t n) {
    const bspi_model_run *run = run_of(file, row);
    return n < run->num_tables ? bsp_parts_table(&file->parts, run->first_part + n)
                               : (bsp_table){.layout = file->def->rows[row - 1].layout};
}

uint32_t bspi_model_num_tables(const bsp_model_file *file, uint32_t row) {
    return run_of(file, row)->num_tables;
}

uint32_t bspi_model_num_records(const bsp_model_file *file, uint32_t row) {
    return run_of(file, row)->num_records;
}

uint32_t bspi_model_first_table(const bsp_model_file *file, uint32_t row, uint32_t parent) {
    const bspi_model_run *run = run_of(file, row);
    return parent < run->num_parents ? run->first[parent] : run->num_tables;
}

uint32_t bspi_model_records_before(const bsp_model_file *file, uint32_t row, uint32_t n) {
    const bspi_model_run *run = run_of(file, row);
    return n < run->num_tables ? run->before[n] : run->num_records;
}

size_t bspi_model_table_at(const bsp_model_file *file, uint32_t row, uint32_t n) {
    const bspi_model_run *run = run_of(file, row);
    return n < run->num_tables ? file->parts.parts[run->first_part + n].offset : 0;
}

// --- the arrays of the file ---------------------------------------------------------------------

static bool append(rows *r, uint32_t **array, uint32_t count, size_t *room, uint32_t value) {
    uint32_t *grown = bspi_grow(r->parse.heap, *array, count, room, sizeof value, r->parse.error);
    if (grown == NULL) {
        r->parse.failed = true;
        return false;
    }
    *array = grown;
    grown[count] = value;
    return true;
}

/// Where a row's records are, as the record above it says.
typedef struct place {
    uint32_t count;
    size_t offset;
    size_t stride;
} place;

// Reads a number of the record above, or of the head.
static int64_t number_of(const rows *r, const bsp_table *parent, uint32_t record,
                         const char *name) {
    uint32_t field;
    if (find_field(parent, record, name, &field)) {
        return bsp_table_int(parent, record, field, 0);
    }
    bsp_table head = {r->file->def->head, r->parse.data.data, 1, r->parse.big_endian};
    return bspi_model_int(&head, 0, name, 0);
}

static bool bad_place(rows *r, const bspi_model_row *row, size_t at, const char *what,
                      int64_t value) {
    r->parse.place = row->name;
    bspi_parse_issue(&r->parse, BSPI_ISSUE_LUMP_STRUCTURE, at, "%s of %s is %lld", what, row->name,
                     (long long)value);
    return false;
}

static bool find_count(rows *r, const bspi_model_row *row, const bsp_table *parent, uint32_t record,
                       size_t at, place *out) {
    int64_t count = row->count == NULL ? 1 : number_of(r, parent, record, row->count);
    int64_t times = row->times == NULL ? 1 : number_of(r, parent, record, row->times);
    if (count < 0 || times < 0) {
        return bad_place(r, row, at, "the count", count < 0 ? count : times);
    }
    if (times != 0 && count > UINT32_MAX / times) {
        return bad_place(r, row, at, "the count", count);
    }
    out->count = (uint32_t)(count * times);
    return true;
}

static bool find_place(rows *r, const bspi_model_row *row, const bsp_table *parent, uint32_t record,
                       size_t at, place *out) {
    int64_t start = row->parent == 0 ? (int64_t)r->after : (int64_t)(at + parent->layout->size);
    if (row->offset != NULL) {
        start = number_of(r, parent, record, row->offset) + row->plus +
                (row->from_record ? (int64_t)at : 0);
    }
    int64_t stride =
        row->stride == NULL ? row->layout->size : number_of(r, parent, record, row->stride);
    if (!find_count(r, row, parent, record, at, out)) {
        return false;
    }
    if (out->count == 0) { // an empty array may lie anywhere
        start = 0;
    } else if (start < 0 || (uint64_t)start > r->parse.data.size) {
        return bad_place(r, row, at, "the offset", start);
    } else if (stride <= 0) {
        return bad_place(r, row, at, "the size of a record", stride);
    }
    out->offset = (size_t)start;
    out->stride = (size_t)stride;
    return true;
}

// Adds one table of a row.
static bool add_table(rows *r, const bspi_model_row *row, bspi_model_run *run, size_t offset,
                      uint32_t count, bool single) {
    bspi_parse *p = &r->parse;
    p->place = row->name;
    if (single && !bspi_parse_record(p, row->name, row->layout, offset)) {
        return false;
    }
    if (!single) {
        (void)bspi_parse_table(p, row->name, BSP_ID_NONE, row->layout, offset, count);
    }
    if (p->failed) {
        return false;
    }
    const bsp_part *part = &p->parts[p->count - 1];
    r->after = part->offset + part->size;
    if (run->num_tables == 0) {
        run->first_part = p->count - 1;
    }
    if (!append(r, &run->before, run->num_tables, &run->room[1], run->num_records) ||
        !bspi_meter_add(&r->meter, part->size + 1)) {
        p->failed = true;
        return false;
    }
    run->num_tables++;
    run->num_records += part->count;
    return true;
}

// Adds records that lie at a stride or in a chain, each as a table.
static void add_singles(rows *r, const bspi_model_row *row, bspi_model_run *run,
                        const place *where) {
    size_t at = where->offset;
    for (uint32_t i = 0; i < where->count && add_table(r, row, run, at, 1, true); i++) {
        size_t step = where->stride;
        if (row->chain != NULL && i + 1 < where->count) {
            bsp_table record = {row->layout, r->parse.data.data + at, 1, r->parse.big_endian};
            int64_t next = bspi_model_int(&record, 0, row->chain, 0);
            if (next <= 0) {
                (void)bad_place(r, row, at, "the way to the next record", next);
                return;
            }
            step = (size_t)next;
        }
        at = step > r->parse.data.size - at ? r->parse.data.size : at + step;
    }
}

// Adds the tables to which one record leads; one without records where it leads nowhere.
static void add_tables(rows *r, const bspi_model_row *row, bspi_model_run *run,
                       const bsp_table *parent, uint32_t record, size_t at) {
    place where = {0, 0, 0};
    bool single = row->stride != NULL || row->chain != NULL;
    if (!append(r, &run->first, run->num_parents, &run->room[0], run->num_tables)) {
        return;
    }
    run->num_parents++;
    if (!find_place(r, row, parent, record, at, &where)) {
        where = (place){0, 0, 0};
    }
    if (single) {
        add_singles(r, row, run, &where);
    } else {
        (void)add_table(r, row, run, where.offset, where.count, false);
    }
}

static void add_below(rows *r, const bspi_model_row *row, bspi_model_run *run) {
    const bspi_model_run *above = &r->file->runs[row->parent - 1];
    for (uint32_t n = 0; n < above->num_tables && !r->parse.failed; n++) {
        bsp_part part = r->parse.parts[above->first_part + n];
        bsp_table parent = {part.layout, r->parse.data.data + part.offset, part.count,
                            r->parse.big_endian};
        for (uint32_t i = 0; i < part.count && !r->parse.failed; i++) {
            add_tables(r, row, run, &parent, i, part.offset + (size_t)i * part.layout->size);
        }
    }
}

static void add_row(rows *r, uint32_t number) {
    const bspi_model_row *row = &r->file->def->rows[number];
    bspi_model_run *run = &r->file->runs[number];
    bool listed = row->parent != 0 || row->stride != NULL || row->chain != NULL;
    uint32_t list = listed ? bspi_parse_open(&r->parse, BSP_PART_LIST, row->name) : 0;
    assert(row->parent <= number);
    if (row->parent == 0) {
        bsp_table head = {r->file->def->head, r->parse.data.data, 1, r->parse.big_endian};
        add_tables(r, row, run, &head, 0, 0);
    } else {
        add_below(r, row, run);
    }
    if (listed) {
        bspi_parse_close(&r->parse, list);
    }
}

static bool make_runs(bsp_model_file *file, bsp_error *error) {
    size_t size = file->def->num_rows * sizeof *file->runs;
    file->runs = bspi_heap_alloc(&file->heap, size, error);
    if (file->runs != NULL) {
        memset(file->runs, 0, size);
    }
    return file->runs != NULL;
}

bool bspi_rows_parse(bsp_model_file *file, bsp_issues *issues, bsp_error *error) {
    const bspi_model_def *def = file->def;
    rows r = {.file = file,
              .parse = {.place = def->format.name,
                        .data = file->info.bytes,
                        .big_endian = def->format.big_endian,
                        .issues = issues,
                        .error = error,
                        .heap = &file->heap},
              .meter = {.heap = &file->heap, .error = error},
              .after = def->head->size};
    if (!make_runs(file, error)) {
        return false;
    }
    uint32_t group = bspi_parse_open(&r.parse, BSP_PART_GROUP, def->format.name);
    (void)bspi_parse_record(&r.parse, "header", def->head, 0);
    for (uint32_t i = 0; i < def->num_rows && !r.parse.failed; i++) {
        add_row(&r, i);
    }
    if (def->parse != NULL && !r.parse.failed) {
        def->parse(&r.parse);
    }
    bspi_parse_close(&r.parse, group);
    file->parts = (bsp_parts){.parts = r.parse.parts,
                              .count = r.parse.count,
                              .data = file->info.bytes,
                              .heap = &file->heap,
                              .room = r.parse.room,
                              .made = r.parse.made};
    return !r.parse.failed && bspi_meter_pay(&r.meter);
}

void bspi_rows_free(bsp_model_file *file) {
    for (uint32_t i = 0; file->runs != NULL && i < file->def->num_rows; i++) {
        bspi_model_run *run = &file->runs[i];
        bspi_heap_free(&file->heap, run->first, run->room[0] * sizeof *run->first);
        bspi_heap_free(&file->heap, run->before, run->room[1] * sizeof *run->before);
    }
    if (file->runs != NULL) {
        bspi_heap_free(&file->heap, file->runs, file->def->num_rows * sizeof *file->runs);
    }
    bsp_parts_free(&file->parts);
}
