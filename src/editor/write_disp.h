// SPDX-License-Identifier: MIT
// Blocks of a .vmf, and the largest of them: displacements.
#ifndef BSPI_EDITOR_WRITE_DISP_H
#define BSPI_EDITOR_WRITE_DISP_H

#include "editor/print.h"

void bspi_vmf_indent(bspi_printer *p, unsigned depth);
/// A block's name and brace, each on its line.
void bspi_vmf_open(bspi_printer *p, unsigned depth, const char *name);
void bspi_vmf_close(bspi_printer *p, unsigned depth);
/// `"key" "`, and what ends it.
void bspi_vmf_key(bspi_printer *p, unsigned depth, const char *key);
void bspi_vmf_end(bspi_printer *p);
void bspi_vmf_uint(bspi_printer *p, unsigned depth, const char *key, uint32_t value);

void bspi_write_disp(bspi_printer *p, unsigned depth, const bsp_source_disp *disp);

#endif
