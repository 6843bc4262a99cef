// SPDX-License-Identifier: MIT
// Files that a packer of whole files made: gzip and bzip2.
#ifndef BSPI_PACK_PACKED_H
#define BSPI_PACK_PACKED_H

#include "core/memory.h"

/// Returns the name of the program that packed the file which begins with these bytes ("gzip",
/// "bzip2"), or NULL. Static storage.
const char *bspi_packed_by(bsp_bytes bytes);
/// Unpacks such a file. It may be several packed files in a row; what follows the last is ignored.
/// `heap` pays for the output while it grows; then it belongs to the caller, who frees it with
/// bsp_blob_free. Fails with BSP_E_DAMAGED, and the place in the packed file, or by the limits of
/// the heap.
bool bspi_unpack_file(bsp_bytes packed, bspi_heap *heap, bsp_blob *out, bsp_error *error);

#endif
