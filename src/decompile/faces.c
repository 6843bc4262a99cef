// SPDX-License-Identifier: MIT
#include "decompile/work.h"

bool bspi_face_index_build(bspi_work *w) {
    w->faces = NULL;
    return true;
}
