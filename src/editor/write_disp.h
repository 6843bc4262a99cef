// SPDX-License-Identifier: MIT
// Displacements of a .vmf.
#ifndef BSPI_EDITOR_WRITE_DISP_H
#define BSPI_EDITOR_WRITE_DISP_H

#include "editor/print.h"

void bspi_write_disp(bspi_printer *p, unsigned depth, const bsp_source_disp *disp);

#endif
