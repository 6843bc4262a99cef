// SPDX-License-Identifier: MIT
// How an entity changes what its materials say, and how distance does.
#include "render/renderer.h"

#include <math.h>

void bspi_batch_look(bspi_batch *batch, const bsp_entity_look *look) {
    if (batch->sky || look->mode == BSP_LOOK_NORMAL || look->opacity <= 0) {
        return;
    }
    batch->opacity = (batch->blended ? batch->opacity : 1) * look->opacity;
    batch->blended = true;
    batch->add = look->mode == BSP_LOOK_ADD;
    if (look->unlit) {
        batch->light_page = BSP_NONE;
        batch->vertex_lit = false;
    }
}

// UTIL_ComputeEntityFade of the SDK: by squares of distances.
float bspi_batch_left(const bspi_batch *batch, const float eye[3]) {
    float sum = 0;
    if (batch->fade[1] <= 0 && !batch->glow) {
        return 1;
    }
    for (int axis = 0; axis < 3; axis++) {
        float d = batch->fade_at[axis] - eye[axis];
        sum += d * d;
    }
    float least = batch->fade[0] * batch->fade[0];
    float most = batch->fade[1] * batch->fade[1];
    float left = most <= 0 || sum <= least ? 1 : sum < most ? (most - sum) / (most - least) : 0;
    return batch->glow ? left * bspi_glow_left(sqrtf(sum)) : left;
}
