// SPDX-License-Identifier: MIT
// Sums of light become what the file has.
#ifndef BSPI_BAKE_FINISH_H
#define BSPI_BAKE_FINISH_H

#include "bake/light/base/work.h"

/// Makes the brightest channel at most the cap, and keeps the hue.
void bspi_luxel_cap(const bspi_light_curve *curve, float luxel[3]); // finish.c

/// Mixes the luxels of a face with those around them, as `own->scale.soft` says (soften.c).
bool bspi_soften(bspi_relight *own, bsp_relight_face *face, bsp_error *error);

/// Finds the least light of models (minima.c).
bool bspi_minima_find(bspi_relight *own, bsp_error *error);

/// Sets the least of the sums of a face.
void bspi_face_least(const bspi_relight *own, uint32_t face, float out[3]);

/// ericw: is the least light of a face uneven?
bool bspi_face_mottled(const bspi_relight *own, uint32_t face);

/// Turns the sums of a face into what the file has, with the base and the minimum of a scale, and
/// drops styles that are dark.
void bspi_finish_luxels(const bspi_light_scale *scale, const bsp_map *map, bsp_relight_face *face);
/// The same with `own->scale`.
void bspi_finish_face(const bspi_relight *own, bsp_relight_face *face);

/// The same of a face of the map, with its own minimum and the limits of its model.
bool bspi_finish_number(bspi_relight *own, uint32_t face, bsp_error *error);

/// Turns one sum into three bytes, with the base and the minimum of a scale.
void bspi_finish_color(const bspi_light_scale *scale, const bsp_map *map, const float sum[3],
                       uint8_t out[3]);

#endif
