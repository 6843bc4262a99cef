// SPDX-License-Identifier: MIT
// Converts texture mappings between their forms.
#include "mapdoc/texdef.h"

#include "core/curves.h"
#include "core/vector.h"
#include "mapdoc/numbers.h"

#include <math.h>
#include <string.h>

// Texels that are smaller or larger than these, in units, are damage.
#define LEAST_SCALE 1e-6
#define MOST_SCALE 1e6
// The sine of the least angle between the texture's projection and the plane.
#define LEAST_UPRIGHT 1e-4
// The largest cosine between the two directions of a texture without shear. Directions that were
// floats miss a right angle by less, and at this one a texture is off by 1/1000 texel 3000 texels
// away.
#define LEANING 3e-7

int bspi_base_axes(const double normal[3], double axes[2][3]) {
    // Direction, axis of S, axis of T, in the order in which compilers try them.
    static const struct {
        double normal[3];
        double axes[2][3];
    } bases[6] = {
        {{0, 0, 1}, {{1, 0, 0}, {0, -1, 0}}}, {{0, 0, -1}, {{1, 0, 0}, {0, -1, 0}}},
        {{1, 0, 0}, {{0, 1, 0}, {0, 0, -1}}}, {{-1, 0, 0}, {{0, 1, 0}, {0, 0, -1}}},
        {{0, 1, 0}, {{1, 0, 0}, {0, 0, -1}}}, {{0, -1, 0}, {{1, 0, 0}, {0, 0, -1}}},
    };
    int best = 0;
    for (int i = 1; i < 6; i++) {
        if (bspi_vec_dot(normal, bases[i].normal) > bspi_vec_dot(normal, bases[best].normal)) {
            best = i;
        }
    }
    memcpy(axes, bases[best].axes, sizeof bases[best].axes);
    return best < 2 ? 2 : best < 4 ? 0 : 1;
}

void bspi_primitive_axes(const double normal[3], double axes[2][3]) {
    double n[3];
    for (int i = 0; i < 3; i++) {
        n[i] = fabs(normal[i]) < 1e-6 ? 0 : normal[i];
    }
    // The sheet has angles, Z = atan2(n.y, n.x) and Y = -atan2(n.z, |n.xy|); these are their
    // sines and cosines. Straight up and down, Z is 0.
    double level = sqrt(n[0] * n[0] + n[1] * n[1]);
    double length = bspi_vec_length(n);
    double cos_z = level == 0 ? 1 : n[0] / level;
    double sin_z = level == 0 ? 0 : n[1] / level;
    double sin_y = -n[2] / length;
    double cos_y = level / length;
    double made[2][3] = {{-sin_z, cos_z, 0}, {-sin_y * cos_z, -sin_y * sin_z, -cos_y}};
    memcpy(axes, made, sizeof made);
}

bool bspi_mapping_is_sound(const double normal[3], const double vec[2][4]) {
    double unit[2][3];
    for (int i = 0; i < 2; i++) {
        double length = bspi_vec_length(vec[i]);
        if (!(length >= 1 / MOST_SCALE && length <= 1 / LEAST_SCALE) ||
            !(fabs(vec[i][3]) <= BSPI_MOST_VALUE)) {
            return false;
        }
        for (int k = 0; k < 3; k++) {
            unit[i][k] = vec[i][k] / length;
        }
    }
    double view[3];
    bspi_vec_cross(unit[0], unit[1], view);
    return fabs(bspi_vec_dot(normal, view)) >= LEAST_UPRIGHT;
}

void bspi_plain_mapping(const double normal[3], double scale, double vec[2][4]) {
    bspi_shift plain = {.scale = {scale, scale}};
    bspi_shift_to_vec(normal, &plain, vec);
}

// --- axes ---------------------------------------------------------------------------------------

void bspi_vec_to_axes(const double vec[2][4], bspi_axes *axes) {
    for (int i = 0; i < 2; i++) {
        double scale = 1 / bspi_vec_length(vec[i]);
        for (int k = 0; k < 3; k++) {
            axes->axis[i][k] = vec[i][k] * scale;
        }
        axes->scale[i] = scale;
        axes->offset[i] = vec[i][3];
    }
}

static double scale_of(double scale) {
    return scale == 0 ? 1 : scale;
}

void bspi_axes_to_vec(const bspi_axes *axes, double vec[2][4]) {
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            vec[i][k] = axes->axis[i][k] / scale_of(axes->scale[i]);
        }
        vec[i][3] = axes->offset[i];
    }
}

// --- offset, rotation and scale -----------------------------------------------------------------

// Quarter turns are exact, as in the compilers.
static void turn(double degrees, double *cosine, double *sine) {
    double quarters = degrees / 90;
    if (quarters == floor(quarters) && fabs(quarters) < 1e6) {
        static const double cosines[4] = {1, 0, -1, 0};
        int quarter = (int)((long)quarters % 4 + 4) % 4;
        *cosine = cosines[quarter];
        *sine = cosines[(quarter + 3) % 4];
    } else {
        *cosine = cos(degrees * BSPI_PI / 180);
        *sine = sin(degrees * BSPI_PI / 180);
    }
}

// The two axes of the world that the base axes are along, and their signs.
typedef struct base {
    int along[2];
    double sign[2];
    int across; // the third axis
} base;

static base base_of(const double normal[3]) {
    double axes[2][3];
    base b = {.across = bspi_base_axes(normal, axes)};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            if (axes[i][k] != 0) {
                b.along[i] = k;
                b.sign[i] = axes[i][k];
            }
        }
    }
    return b;
}

void bspi_shift_to_vec(const double normal[3], const bspi_shift *shift, double vec[2][4]) {
    base b = base_of(normal);
    double cosine;
    double sine;
    turn(shift->rotation, &cosine, &sine);
    double s = b.sign[0] / scale_of(shift->scale[0]);
    double t = b.sign[1] / scale_of(shift->scale[1]);
    memset(vec, 0, 2 * sizeof vec[0]);
    vec[0][b.along[0]] = cosine * s;
    vec[0][b.along[1]] = sine * s;
    vec[0][3] = shift->offset[0];
    vec[1][b.along[0]] = -sine * t;
    vec[1][b.along[1]] = cosine * t;
    vec[1][3] = shift->offset[1];
}

// The lengths and angles of directions along an axis, which most are, are exact: the C standard
// (annex F) says what hypot and atan2 return for them.
static double length_of(const double v[2]) {
    return v[0] == 0 || v[1] == 0 ? fabs(v[0]) + fabs(v[1]) : hypot(v[0], v[1]);
}

static double angle_of(double sine, double cosine) {
    if (sine == 0) {
        return cosine > 0 ? sine : copysign(BSPI_PI, sine);
    }
    return cosine == 0 ? copysign(BSPI_PI / 2, sine) : atan2(sine, cosine);
}

// Prefers, of equal mappings (a half turn equals mirroring both axes), the one with fewer mirrored
// axes, then the one with less rotation.
static void prefer(bspi_shift *shift) {
    bool mirrored = shift->scale[1] < 0; // scale[0] is positive here
    if (mirrored && fabs(shift->rotation) > 90) {
        shift->rotation += shift->rotation > 0 ? -180 : 180;
        shift->scale[0] = -shift->scale[0];
        shift->scale[1] = -shift->scale[1];
    }
}

bool bspi_vec_to_shift(const double normal[3], double dist, const double centre[3],
                       const double vec[2][4], bspi_shift *shift) {
    base b = base_of(normal);
    double flat[2][2]; // components along the base axes
    for (int i = 0; i < 2; i++) {
        // Moves along the normal until no component across the base axes is left.
        double lean = vec[i][b.across] / normal[b.across];
        for (int k = 0; k < 2; k++) {
            flat[i][k] = vec[i][b.along[k]] - lean * normal[b.along[k]];
        }
        shift->offset[i] = vec[i][3] + lean * dist;
    }
    double *s = flat[0];
    double *t = flat[1];
    double length = length_of(s);
    double along = (s[0] * t[0] + s[1] * t[1]) / length;
    bool upright = fabs(along) <= LEANING * length_of(t);
    double change = 0;
    for (int k = 0; k < 2; k++) {
        double part = s[k] / length * along;
        t[k] -= part;
        change += part * centre[b.along[k]];
    }
    shift->offset[1] += change;
    double cosine = b.sign[0] * s[0] / length;
    double sine = b.sign[0] * s[1] / length;
    shift->rotation = angle_of(sine, cosine) * 180 / BSPI_PI;
    shift->scale[0] = 1 / length;
    shift->scale[1] = 1 / (b.sign[1] * (t[1] * cosine - t[0] * sine));
    prefer(shift);
    return upright;
}

// --- brush primitives ---------------------------------------------------------------------------

void bspi_vec_to_matrix(const double normal[3], double dist, const double vec[2][4],
                        const uint32_t size[2], double matrix[2][3]) {
    double axes[2][3];
    double across[3]; // the normal, without the small components that the axes ignore
    bspi_primitive_axes(normal, axes);
    bspi_vec_cross(axes[0], axes[1], across);
    for (int i = 0; i < 2; i++) {
        double texels = size[i];
        double lean = bspi_vec_dot(vec[i], across) / bspi_vec_dot(normal, across);
        double flat[3];
        bspi_vec_add(vec[i], normal, -lean, flat);
        matrix[i][0] = bspi_vec_dot(flat, axes[0]) / texels;
        matrix[i][1] = bspi_vec_dot(flat, axes[1]) / texels;
        matrix[i][2] = (vec[i][3] + lean * dist) / texels;
    }
}

void bspi_matrix_to_vec(const double normal[3], const double s[3], const double t[3],
                        double vec[2][4]) {
    const double *const rows[2] = {s, t};
    double axes[2][3];
    bspi_primitive_axes(normal, axes);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) {
            vec[i][k] = rows[i][0] * axes[0][k] + rows[i][1] * axes[1][k];
        }
        vec[i][3] = rows[i][2];
    }
}
