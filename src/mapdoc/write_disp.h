// SPDX-License-Identifier: MIT
// Displacements of a .vmf.
#ifndef BSPI_MAPDOC_WRITE_DISP_H
#define BSPI_MAPDOC_WRITE_DISP_H

#include "mapdoc/print.h"

void bspi_write_disp(bspi_printer *p, unsigned depth, const bsp_mapdoc_disp *disp);

#endif
