// SPDX-License-Identifier: MIT
// The eye of a view.
#ifndef BSPI_CAMERA_H
#define BSPI_CAMERA_H

#include "render/raster.h"
#include "render/visible.h"

typedef struct bspi_camera {
    float forward[3];
    float right[3];
    float up[3];
    float from[3];
    float focal; ///< in pixels; parallel: pixels per unit
    bool parallel;
} bspi_camera;

void bspi_camera_set(bspi_camera *camera, const bsp_renderer *renderer, const bsp_view *view);
/// Gives the space that the picture shows.
void bspi_camera_frustum(const bspi_camera *camera, const bsp_view *view, bspi_frustum *frustum);
/// Transforms a vertex to view space.
void bspi_camera_corner(const bspi_camera *camera, const bsp_mesh_vertex *vertex, bspi_corner *out);

#endif
