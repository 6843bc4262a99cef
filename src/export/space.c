// SPDX-License-Identifier: MIT
// Rotations and axes. Angles are those of the engines' AngleVectors: positive pitch looks down.
#include "export/space.h"

#include "core/curves.h"

#include <math.h>

// Within this a normal is taken as of unit length.
#define UNIT_EPSILON 1e-4F

void bspi_point_to_file(const float in[3], float scale, float out[3]) {
    bspi_to_file(in, out);
    for (int i = 0; i < 3; i++) {
        float value = out[i] * scale;
        out[i] = isfinite(value) ? value : 0;
    }
}

void bspi_normal_to_file(const float in[3], float out[3]) {
    bspi_to_file(in, out);
    float square = out[0] * out[0] + out[1] * out[1] + out[2] * out[2];
    if (fabsf(square - 1) <= UNIT_EPSILON) {
        return;
    }
    if (square > 0 && isfinite(square)) {
        float length = sqrtf(square);
        for (int i = 0; i < 3; i++) {
            out[i] /= length;
        }
    } else {
        out[0] = out[2] = 0;
        out[1] = 1;
    }
}

typedef struct quaternion {
    double x, y, z, w;
} quaternion;

static quaternion multiply(quaternion a, quaternion b) {
    return (quaternion){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

// Normalises to unit length in float; the identity if there is no direction.
static bspi_turn to_turn(quaternion q) {
    double length = sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 1e-12) || !isfinite(length)) {
        return (bspi_turn){{0, 0, 0, 1}};
    }
    double sign = q.w < 0 ? -length : length;
    return (bspi_turn){{(float)(q.x / sign) + 0.0F, (float)(q.y / sign) + 0.0F,
                        (float)(q.z / sign) + 0.0F, (float)(q.w / sign)}};
}

// Returns half of an angle, from degrees to radians; whole turns are removed first.
static double half(float degrees) {
    return isfinite(degrees) ? fmod((double)degrees, 720) * BSPI_DEGREE / 2 : 0;
}

bspi_turn bspi_turn_of_angles(const float angles[3]) {
    double pitch = half(angles[0]);
    double yaw = half(angles[1]);
    double roll = half(angles[2]);
    quaternion about_z = {0, 0, sin(yaw), cos(yaw)};
    quaternion about_y = {0, sin(pitch), 0, cos(pitch)};
    quaternion about_x = {sin(roll), 0, 0, cos(roll)};
    return to_turn(multiply(multiply(about_z, about_y), about_x));
}

// By the largest component, whose square is well away from 0 (Shepperd 1978).
bspi_turn bspi_turn_of_place(const float place[3][4]) {
    double m[3][3];
    double length =
        sqrt((double)place[0][0] * (double)place[0][0] + (double)place[1][0] * (double)place[1][0] +
             (double)place[2][0] * (double)place[2][0]);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            m[i][j] = (double)place[i][j] / length;
        }
    }
    double trace = m[0][0] + m[1][1] + m[2][2];
    if (trace > 0) {
        return to_turn(
            (quaternion){m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 1 + trace});
    }
    int i = m[1][1] > m[0][0] ? 1 : 0;
    i = m[2][2] > m[i][i] ? 2 : i;
    int j = (i + 1) % 3;
    int k = (i + 2) % 3;
    double q[3];
    q[i] = 1 + m[i][i] - m[j][j] - m[k][k];
    q[j] = m[j][i] + m[i][j];
    q[k] = m[k][i] + m[i][k];
    return to_turn((quaternion){q[0], q[1], q[2], m[k][j] - m[j][k]});
}

bspi_turn bspi_turn_to_file(bspi_turn turn) {
    bspi_turn out = turn;
    bspi_to_file(turn.q, out.q);
    return out;
}

bspi_turn bspi_turn_to_look(const float direction[3]) {
    float d[3];
    bspi_normal_to_file(direction, d);
    // Yaw about y, then pitch about the rotated x; no roll.
    double yaw = atan2(-(double)d[0], -(double)d[2]) / 2;
    double flat = sqrt((double)d[0] * (double)d[0] + (double)d[2] * (double)d[2]);
    double pitch = atan2((double)d[1], flat) / 2;
    return to_turn(multiply((quaternion){0, sin(yaw), 0, cos(yaw)},
                            (quaternion){sin(pitch), 0, 0, cos(pitch)}));
}

bool bspi_turn_is_none(bspi_turn turn) {
    return turn.q[0] == 0 && turn.q[1] == 0 && turn.q[2] == 0;
}

void bspi_turn_apply(bspi_turn turn, const float in[3], float out[3]) {
    const float *q = turn.q;
    float t[3] = {2 * (q[1] * in[2] - q[2] * in[1]), 2 * (q[2] * in[0] - q[0] * in[2]),
                  2 * (q[0] * in[1] - q[1] * in[0])};
    float result[3] = {in[0] + q[3] * t[0] + q[1] * t[2] - q[2] * t[1],
                       in[1] + q[3] * t[1] + q[2] * t[0] - q[0] * t[2],
                       in[2] + q[3] * t[2] + q[0] * t[1] - q[1] * t[0]};
    for (int i = 0; i < 3; i++) {
        out[i] = result[i];
    }
}
