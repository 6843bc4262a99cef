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
    float per_unit; ///< parallel: how much less the key is a unit deeper
} bspi_camera;

void bspi_camera_set(bspi_camera *camera, const bsp_renderer *renderer, const bsp_view *view);
/// Gives the space that the picture shows.
void bspi_camera_frustum(const bspi_camera *camera, const bsp_view *view, bspi_frustum *frustum);
/// Transforms a vertex to view space.
void bspi_camera_corner(const bspi_camera *camera, const bsp_mesh_vertex *vertex, bspi_corner *out);

/// Sets the colour of a corner to the direction that its vertex mirrors, and alpha to the part of
/// the way from the eye that goes against its normal. The camera is not parallel.
void bspi_camera_reflect(const bspi_camera *camera, const bsp_mesh_vertex *vertex,
                         bspi_corner *corner);
/// Sets the texture coordinates of a corner to those of what its vertex mirrors, as seen by a
/// camera that is not parallel: tcGen environment of Quake 3.
void bspi_camera_mirror(const bspi_camera *camera, const bsp_mesh_vertex *vertex,
                        bspi_corner *corner);

#endif
