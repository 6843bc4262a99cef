// SPDX-License-Identifier: MIT
// Source: a map with its faces as they were before the tree cut them.
#ifndef BSPI_EXPORT_WHOLE_FACES_H
#define BSPI_EXPORT_WHOLE_FACES_H

#include "export/content.h"

/// If its options want whole faces, makes content->map one that shares all with the map but its
/// faces, which have no light: those that several faces of a model were cut from stand for them,
/// displacements and faces of which no whole is known for themselves. What names faces (models,
/// leaves, displacements, overlays) names the new ones; nodes name none. Fails with BSP_E_ARGUMENT
/// where light is wanted, too, or the map has no such faces.
bool bspi_whole_faces_take(bspi_content *content, bsp_error *error);

#endif
