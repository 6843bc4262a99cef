// SPDX-License-Identifier: MIT
// The collision model of a Source model.
#ifndef BSPI_MODEL_SOURCE_PHYSICS_H
#define BSPI_MODEL_SOURCE_PHYSICS_H

#include "model/build.h"

/// A collision model as a model keeps it, in the model's arena.
typedef struct bspi_source_physics {
    bsp_model_hull *hulls; ///< `bone` is that in whose space the points are
    uint32_t num_hulls;
    float (*points)[3];
    uint32_t num_points;
    uint32_t *indices; ///< as bsp_model_mesh.hull_indices
    uint32_t num_indices;
} bspi_source_physics;

/// Makes the hulls of a .phy. False without memory or over a limit.
bool bspi_source_physics_open(bsp_model_asset *model, const bsp_model_file *file,
                              bspi_source_physics *out, bsp_error *error);
/// Sets the hulls of the mesh in the pose of its bones.
bool bspi_source_physics_build(bspi_model_builder *b, const bspi_source_physics *physics);

extern const bspi_model_def bspi_model_source_phy;

#endif
