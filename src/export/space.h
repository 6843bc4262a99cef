// SPDX-License-Identifier: MIT
// Converts from the map's space to that of the exported file: x, y, z become x, z, -y.
#ifndef BSPI_EXPORT_SPACE_H
#define BSPI_EXPORT_SPACE_H

#include "bspkit/core.h"

/// A rotation as a unit quaternion x, y, z, w.
typedef struct bspi_turn {
    float q[4];
} bspi_turn;

/// Converts a direction or an unscaled point to the axes of the file. A component that is not
/// finite becomes 0.
static inline void bspi_to_file(const float in[3], float out[3]) {
    out[0] = in[0];
    out[1] = in[2];
    out[2] = 0.0F - in[1]; // avoids a negative zero
}

/// Converts a point: axes, scale, and finite components.
void bspi_point_to_file(const float in[3], float scale, float out[3]);
/// Converts a normal: axes, and unit length.
void bspi_normal_to_file(const float in[3], float out[3]);

/// Returns the rotation of game angles in degrees (pitch down, yaw counter-clockwise, roll), in map
/// space: roll about x, then pitch about y, then yaw about z.
bspi_turn bspi_turn_of_angles(const float angles[3]);
/// Returns the rotation of a place: the columns of its matrix are axes at right angles to each
/// other, all of one length.
bspi_turn bspi_turn_of_place(const float place[3][4]);
/// Returns the rotation in the axes of the file.
bspi_turn bspi_turn_to_file(bspi_turn turn);
/// Returns the rotation, in the axes of the file, from -z to a direction given in map space.
bspi_turn bspi_turn_to_look(const float direction[3]);
bool bspi_turn_is_none(bspi_turn turn);
void bspi_turn_apply(bspi_turn turn, const float in[3], float out[3]);

#endif
