// SPDX-License-Identifier: MIT
// Blocks and keys of a .vmf.
#ifndef BSPI_MAPDOC_VMF_BLOCK_H
#define BSPI_MAPDOC_VMF_BLOCK_H

#include "mapdoc/print.h"

/// Prints the tabs for a block at `depth`.
void bspi_vmf_indent(bspi_printer *p, unsigned depth);
/// Prints a block's name and brace, each on its line.
void bspi_vmf_open(bspi_printer *p, unsigned depth, const char *name);
void bspi_vmf_close(bspi_printer *p, unsigned depth);
/// Prints `"key" "`; the caller prints the value, and bspi_vmf_end ends the line.
void bspi_vmf_key(bspi_printer *p, unsigned depth, const char *key);
void bspi_vmf_end(bspi_printer *p);
void bspi_vmf_uint(bspi_printer *p, unsigned depth, const char *key, uint32_t value);

#endif
