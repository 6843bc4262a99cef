// SPDX-License-Identifier: MIT
// The faces that leaves list.
#ifndef BSPI_BAKE_LEAF_FACES_H
#define BSPI_BAKE_LEAF_FACES_H

#include "bake/light/base/work.h"

/// Pays for a walk over all faces of all leaves, and makes sure that 32 bits count these, with as
/// many others. Leaves may share a list, so that a small file can have more.
bool bspi_leaf_faces_pay(bspi_relight *own, bsp_error *error);

#endif
