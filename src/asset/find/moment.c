// SPDX-License-Identifier: MIT
// What searches for textures have in common: what they cost, and the moment that animated textures
// show.
#include "asset/find/textures.h"

#include <math.h>

// Work per search: names are tried with several extensions; for materials only names are compared.
#define LOOK_STEPS 64u
#define MATERIALS_A_STEP 4u

bool bspi_textures_work(const bsp_textures *t, uint64_t looks, bsp_error *error) {
    bspi_heap *heap =
        (bspi_heap *)(uintptr_t)&t->heap; // its counts are not part of the visible state
    uint64_t each = 1 + (uint64_t)t->num_kept + t->map->num_materials / MATERIALS_A_STEP;
    return bspi_heap_work(heap, LOOK_STEPS + looks * each, error);
}

uint32_t bspi_textures_frame(const bsp_textures *t, double rate, uint32_t count) {
    double step = floor(t->time * rate);
    return count < 2 || !(step >= 1) || !isfinite(step) ? 0 : (uint32_t)fmod(step, (double)count);
}

float bspi_textures_shift(const bsp_textures *t, float speed) {
    double moved = t->time * (double)speed;
    float part = isfinite(moved) ? (float)(moved - floor(moved)) : 0;
    return part < 1 ? part : 0; // next below 0 it is rounded up
}
