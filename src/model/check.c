// SPDX-License-Identifier: MIT
// Checks the records of a model file by the roles of their fields: each index and run refers to
// records of the same file, and every float is a number.
#include "layout/layout.h"
#include "model/rows.h"

#include <assert.h>

/// A table being checked.
typedef struct checker {
    const bsp_model_file *file;
    bsp_issues *issues;
    bspi_meter meter;
    const char *name; ///< of the row
    bsp_table table;
    size_t at; ///< byte of the table in the file
    const uint32_t
        *above; ///< for each row above, from the row itself on: the table that leads here
} checker;

static bsp_place place_of(const checker *c, uint32_t record, const bsp_field *field, size_t offset,
                          uint32_t element) {
    size_t byte = c->at + (size_t)record * c->table.layout->size + offset +
                  element * bsp_type_size(field->type);
    bsp_place place =
        bsp_place_at(c->name, record, field->name[0] == '\0' ? NULL : field->name, byte);
    return bsp_place_element(place, element, field->count);
}

static const bspi_model_row *find_target(const bsp_model_file *file, uint16_t id,
                                         uint32_t *number) {
    for (uint32_t i = 0; i < file->def->num_rows; i++) {
        if (file->def->rows[i].id == id) {
            *number = i + 1;
            return &file->def->rows[i];
        }
    }
    return NULL;
}

// Returns how many records a field may refer to. A row of the head is one table; of a row to which
// a record leads that also leads here, that record's table counts; of any other its first.
static uint32_t count_target(const checker *c, const bspi_model_row *target, uint32_t number) {
    const bsp_model_file *file = c->file;
    if (target->stride != NULL || target->chain != NULL || target->count == NULL) {
        return bspi_model_num_records(file, number);
    }
    uint32_t n = target->parent == 0 ? 0 : c->above[target->parent - 1];
    bsp_table table = bspi_model_table(file, number, n == BSP_NONE ? 0 : n);
    return table.count;
}

static void check_index(const checker *c, uint32_t field, size_t offset) {
    const bsp_field *f = &c->table.layout->fields[field];
    uint32_t number = 0;
    const bspi_model_row *target = find_target(c->file, f->target, &number);
    if (target == NULL) {
        return;
    }
    int64_t count = count_target(c, target, number);
    int64_t least = f->role == BSP_ROLE_INDEX_NONE ? -1 : 0;
    for (uint32_t r = 0; r < c->table.count; r++) {
        for (uint32_t e = 0; e < f->count; e++) {
            int64_t value = bsp_table_int(&c->table, r, field, e);
            if (value < least || value >= count) {
                bspi_issue(c->issues, BSPI_ISSUE_INDEX_RANGE, place_of(c, r, f, offset, e),
                           "%lld, but there are %lld %s", (long long)value, (long long)count,
                           target->name);
            }
        }
    }
}

static void check_run(const checker *c, uint32_t field, size_t offset) {
    const bsp_field *f = &c->table.layout->fields[field];
    uint32_t run = bspi_layout_run_count(c->table.layout, field);
    uint32_t number = 0;
    const bspi_model_row *target = find_target(c->file, f->target, &number);
    if (target == NULL || run == BSP_NONE) {
        return;
    }
    int64_t count = count_target(c, target, number);
    for (uint32_t r = 0; r < c->table.count; r++) {
        int64_t first = bsp_table_int(&c->table, r, field, 0);
        int64_t length = bsp_table_int(&c->table, r, run, 0);
        if (length != 0 && (length < 0 || first < 0 || first + length > count)) {
            bspi_issue(c->issues, BSPI_ISSUE_COUNT_RANGE, place_of(c, r, f, offset, 0),
                       "%lld and the next %lld, but there are %lld %s", (long long)first,
                       (long long)length, (long long)count, target->name);
        }
    }
}

static void check_floats(const checker *c, uint32_t field, size_t offset) {
    const bsp_field *f = &c->table.layout->fields[field];
    const uint8_t *p = c->table.data + offset;
    for (uint32_t r = 0; r < c->table.count; r++, p += c->table.layout->size) {
        for (uint32_t e = 0; e < f->count; e++) {
            uint32_t bits = bspi_load32(p + e * 4, c->table.big_endian);
            if ((bits & 0x7F800000u) == 0x7F800000u) {
                bspi_issue(c->issues, BSPI_ISSUE_NOT_FINITE, place_of(c, r, f, offset, e), "%s",
                           (bits & 0x007FFFFFu) != 0 ? "is no number" : "is infinite");
            }
        }
    }
}

static bool check_table(checker *c) {
    size_t offset = 0;
    for (uint32_t i = 0; i < c->table.layout->num_fields; i++) {
        const bsp_field *field = &c->table.layout->fields[i];
        if (field->type == BSP_F32) {
            check_floats(c, i, offset);
        } else if (field->role == BSP_ROLE_FIRST) {
            check_run(c, i, offset);
        } else if (field->role == BSP_ROLE_INDEX || field->role == BSP_ROLE_INDEX_NONE) {
            check_index(c, i, offset);
        }
        offset += bspi_field_advance(field);
    }
    return bspi_meter_add(&c->meter, (uint64_t)c->table.count * c->table.layout->num_fields + 1);
}

#define MOST_ROWS 64u

// Returns the number of the table of a row in which its record `record` stands, from `from` on.
static uint32_t table_holding(const bsp_model_file *file, uint32_t row, uint32_t record,
                              uint32_t from) {
    uint32_t count = bspi_model_num_tables(file, row);
    while (from + 1 < count && bspi_model_records_before(file, row, from + 1) <= record) {
        from++;
    }
    return from;
}

// Finds, for table `n` of a row, which record of each row above leads to it. `records` keeps the
// last answer of each row: tables are asked for in order.
static void find_above(const bsp_model_file *file, uint32_t row, uint32_t n, uint32_t *tables,
                       uint32_t *records) {
    for (uint32_t at = row; file->def->rows[at - 1].parent != 0;) {
        uint32_t parent = file->def->rows[at - 1].parent;
        uint32_t record = records[parent - 1] == BSP_NONE ? 0 : records[parent - 1];
        while (bspi_model_first_table(file, at, record + 1) <= n &&
               record + 1 < bspi_model_num_records(file, parent)) {
            record++;
        }
        records[parent - 1] = record;
        tables[parent - 1] = table_holding(file, parent, record, tables[parent - 1]);
        n = tables[parent - 1];
        at = parent;
    }
}

static bool check_row(checker *c, uint32_t row) {
    uint32_t tables[MOST_ROWS];
    uint32_t records[MOST_ROWS];
    for (uint32_t i = 0; i < MOST_ROWS; i++) {
        tables[i] = 0;
        records[i] = BSP_NONE;
    }
    c->name = c->file->def->rows[row - 1].name;
    c->above = records;
    for (uint32_t n = 0; n < bspi_model_num_tables(c->file, row); n++) {
        c->table = bspi_model_table(c->file, row, n);
        c->at = bspi_model_table_at(c->file, row, n);
        find_above(c->file, row, n, tables, records);
        if (!check_table(c)) {
            return false;
        }
    }
    return true;
}

bool bsp_model_check(const bsp_model_file *file, bsp_issues *issues, bsp_error *error) {
    assert(file != NULL && file->def->num_rows <= MOST_ROWS);
    uint32_t none[MOST_ROWS];
    for (uint32_t i = 0; i < MOST_ROWS; i++) {
        none[i] = BSP_NONE;
    }
    checker c = {.file = file,
                 .issues = issues,
                 .meter = {.heap = (bspi_heap *)(uintptr_t)&file->heap, .error = error},
                 .name = "header",
                 .table = bspi_model_head(file),
                 .above = none};
    bool done = check_table(&c);
    for (uint32_t row = 1; done && row <= file->def->num_rows; row++) {
        done = check_row(&c, row);
    }
    if (done && file->def->check != NULL) {
        file->def->check(file, issues);
    }
    return done && bspi_meter_pay(&c.meter);
}
