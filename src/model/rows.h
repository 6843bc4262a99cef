// SPDX-License-Identifier: MIT
// The records of a model file, found by the rows of its format.
#ifndef BSPI_MODEL_ROWS_H
#define BSPI_MODEL_ROWS_H

#include "model/model.h"

/// Takes a file apart by its format: parts and runs. False without memory or over a limit.
bool bspi_rows_parse(bsp_model_file *file, bsp_issues *issues, bsp_error *error);
/// Frees what bspi_rows_parse made.
void bspi_rows_free(bsp_model_file *file);

/// Returns the head, one record.
bsp_table bspi_model_head(const bsp_model_file *file);
/// Returns table `n` of row `row` (from 1); without records if there is none.
bsp_table bspi_model_table(const bsp_model_file *file, uint32_t row, uint32_t n);
/// Returns the number of tables, and of the records of all tables, of a row.
uint32_t bspi_model_num_tables(const bsp_model_file *file, uint32_t row);
uint32_t bspi_model_num_records(const bsp_model_file *file, uint32_t row);
/// Returns the number of the first table to which record `parent` (of all the parent's tables,
/// counted through) leads. Rows without stride and chain: it is `parent`.
uint32_t bspi_model_first_table(const bsp_model_file *file, uint32_t row, uint32_t parent);
/// Returns the number of the first record of table `n`, counted through all tables of the row.
uint32_t bspi_model_records_before(const bsp_model_file *file, uint32_t row, uint32_t n);
/// Returns where table `n` lies in the file; 0 if there is none.
size_t bspi_model_table_at(const bsp_model_file *file, uint32_t row, uint32_t n);

/// Returns an integer or float of a table by the name of its field; 0 where there is none.
int64_t bspi_model_int(const bsp_table *table, uint32_t record, const char *field,
                       uint32_t element);
float bspi_model_float(const bsp_table *table, uint32_t record, const char *field,
                       uint32_t element);
/// Returns the first number of a field that has no sign, likewise.
static inline uint32_t bspi_model_u32(const bsp_table *table, uint32_t record, const char *field) {
    return (uint32_t)bspi_model_int(table, record, field, 0);
}
/// Reads `count` floats of a field; those that are not finite are 0.
void bspi_model_floats(const bsp_table *table, uint32_t record, const char *field, uint32_t count,
                       float *out);
/// Returns a text of a table by the name of its field.
bsp_text bspi_model_text(const bsp_table *table, uint32_t record, const char *field);

#endif
