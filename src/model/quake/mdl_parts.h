// SPDX-License-Identifier: MIT
// The parts of Quake models (MDL), of those with 16-bit vertices (MD16), and of those of the second
// Hexen II: skins (each with pictures), stverts, triangles, and frames (each with poses).
#ifndef BSPI_MODEL_QUAKE_MDL_PARTS_H
#define BSPI_MODEL_QUAKE_MDL_PARTS_H

#include "model/open.h"
#include "model/report.h"

extern const bsp_layout bspi_mdl_t;    ///< the head of Quake's
extern const bsp_layout bspi_newmdl_t; ///< the head of Hexen II's
extern const bsp_layout
    bspi_dnewtriangle_t; ///< triangles of the latter: corners have own coordinates

/// Take a file apart, as .parse of a model's format does.
void bspi_mdl_parse_quake(bspi_parse *parse);
void bspi_mdl_parse_quake16(bspi_parse *parse);
void bspi_mdl_parse_hexen2(bspi_parse *parse);

#endif
