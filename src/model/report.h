// SPDX-License-Identifier: MIT
// Issues of records that no row of the format describes.
#ifndef BSPI_MODEL_REPORT_H
#define BSPI_MODEL_REPORT_H

#include "model/model.h"

/// Adds an issue for each element of a field of a table that is negative, or not below `count`.
/// `part` is the table's number, `noun` what is counted.
void bspi_report_indices(const bsp_model_file *file, uint32_t part, uint32_t field, int64_t count,
                         const char *noun, bsp_issues *issues);

#endif
