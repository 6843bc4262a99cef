// SPDX-License-Identifier: MIT
// What reaches the middle of a brush model, by the rules of ericw-tools: its luxels in solid take
// it ("_autominlight").
#ifndef BSPI_BAKE_MODEL_LIGHT_H
#define BSPI_BAKE_MODEL_LIGHT_H

#include "bake/light/base/work.h"

#define BSPI_MODEL_STYLES 4u

typedef struct bspi_model_light {
    bool all; ///< other luxels have at least so much too
    uint32_t num_styles;
    int styles[BSPI_MODEL_STYLES];
    float light[BSPI_MODEL_STYLES][3]; ///< before the gain
} bspi_model_light;

/// Finds it for all models but the world.
bool bspi_model_lights_find(bspi_relight *own, bsp_error *error);

#endif
