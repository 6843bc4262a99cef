// SPDX-License-Identifier: MIT
// Files that gzip packed.
#ifndef BSPI_PACK_GZIP_H
#define BSPI_PACK_GZIP_H

#include "core/memory.h"

/// True for bytes that begin as those of a file that gzip packed (RFC 1952).
bool bspi_is_gzip(bsp_bytes bytes);
/// Unpacks all members of such a file; what follows the last one is ignored. `heap` pays for the
/// output while it grows; then it belongs to the caller, who frees it with bsp_blob_free. Fails
/// with BSP_E_DAMAGED, or by the limits of the heap.
bool bspi_gzip_unpack(bsp_bytes packed, bspi_heap *heap, bsp_blob *out, bsp_error *error);

#endif
