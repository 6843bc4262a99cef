// SPDX-License-Identifier: MIT
// Texts of Source's models, which records name by their place.
#ifndef BSPI_MODEL_SOURCE_TEXT_H
#define BSPI_MODEL_SOURCE_TEXT_H

#include "bspkit/model.h"

/// Returns the text that starts at a byte of a file; empty where it leads nowhere or does not end
/// within 1,024 bytes.
bsp_text bspi_source_text(const bsp_model_file *file, int64_t at);

/// Returns the text whose place, from the beginning of a record of a row's first table, stands in a
/// field of the record.
bsp_text bspi_source_record_text(const bsp_model_file *file, uint32_t row, uint32_t record,
                                 const char *field);

#endif
