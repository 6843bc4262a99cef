// SPDX-License-Identifier: MIT
// Collision in an OBJ.
#ifndef BSPI_EXPORT_COLLISION_H
#define BSPI_EXPORT_COLLISION_H

#include "core/out.h"
#include "export/content.h"
#include "export/space.h"

/// Writes all pieces of content->solids, each where it stands. `next` is the number of the next
/// vertex of the file. Returns false over a limit, or if the sink stops (then `error` is not
/// filled).
bool bspi_collision_write(const bspi_content *content, bspi_out *out, uint64_t next,
                          bsp_error *error);

#endif
