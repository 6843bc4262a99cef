// SPDX-License-Identifier: MIT
// Opening a model file as a part of a model.
#ifndef BSPI_MODEL_FILE_H
#define BSPI_MODEL_FILE_H

#include "model/model.h"

/// Opens a file as bsp_model_file_open_memory does; it counts for `parent`. Close it with
/// bsp_model_file_close.
bsp_model_file *bspi_model_file_open(bsp_bytes bytes, const char *name, bspi_heap *parent,
                                     bsp_issues *issues, bsp_error *error);

#endif
