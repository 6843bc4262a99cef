// SPDX-License-Identifier: MIT
// What reaches the middle of a brush model, by the rules of ericw-tools: its luxels in solid take
// it ("_autominlight").
#ifndef BSPI_BAKE_MODEL_LIGHT_H
#define BSPI_BAKE_MODEL_LIGHT_H

#include "bake/light/work/work.h"

#define BSPI_MODEL_STYLES 4u

typedef struct bspi_model_light {
    bool all; ///< other luxels have at least so much too
    uint32_t num_styles;
    int styles[BSPI_MODEL_STYLES];
    float light[BSPI_MODEL_STYLES][3]; ///< before the gain
} bspi_model_light;

/// Sets the place where it is measured: the middle of a model, or a target that its entity names.
void bspi_model_middle(const bsp_map *map, const bsp_entity *entity, uint32_t model, float out[3]);

#define BSPI_MODEL_PLACES 7 // the middle, and those beside it where it is in solid

/// Sets one of these places.
static inline void bspi_model_place(const float middle[3], int number, float out[3]) {
    for (int i = 0; i < 3; i++) {
        float aside = number % 2 != 0 ? -2 : 2;
        out[i] = middle[i] + (number != 0 && (number - 1) / 2 == i ? aside : 0);
    }
}

/// Finds it for all models but the world.
bool bspi_model_lights_find(bspi_relight *own, bsp_error *error);

#endif
