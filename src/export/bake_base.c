// SPDX-License-Identifier: MIT
// Baked rows with what every processor of the target has.
#define BSPI_ROW bspi_bake_row_base
#include "export/bake_eight.h"
