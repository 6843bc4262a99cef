// SPDX-License-Identifier: MIT
// The sums of a light style.
#include "bake/light/gather.h"
#include "bake/light/ways.h"

#include <string.h>

float (*bspi_gather_sums(bspi_gather *g, int style))[3] {
    for (uint32_t i = 0; i < g->num_styles; i++) {
        if (g->styles[i] == style) {
            return g->sums + g->run * i;
        }
    }
    if (g->num_styles == BSPI_GATHER_STYLES) {
        atomic_fetch_add_explicit(&g->own->dropped, 1, memory_order_relaxed);
        return NULL;
    }
    float(*sums)[3] = g->sums + g->run * g->num_styles;
    memset(sums, 0, g->run * sizeof *sums);
    for (uint32_t n = 0; g->places->ways != NULL && n < g->places->count; n++) {
        bspi_ways_begin(g->own, g->places->normals[n], bspi_gather_ways(g, sums)[n]);
    }
    g->styles[g->num_styles++] = style;
    return sums;
}
