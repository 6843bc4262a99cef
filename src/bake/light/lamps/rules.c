// SPDX-License-Identifier: MIT
// Whose formulas the light follows.
#include "bake/light/lamps/lamps.h"

#define LUXELS 256u // that count as one of work

// What luxels tell of the compiler that stored them.
typedef struct traces {
    bool above; ///< one has more than the usual compiler lets any have
    bool most;  ///< one has just that
    bool below; ///< one has less than the least in all components
} traces;

static void see_luxels(const bsp_light_rules *rules, const bspi_luxels *luxels, traces *seen) {
    size_t count = (size_t)luxels->width * luxels->height;
    seen->above = seen->above || luxels->format != BSPI_RGB8;
    for (size_t n = 0; n < count && luxels->format == BSPI_RGB8; n++) {
        const uint8_t *rgb = luxels->data + 3 * n;
        uint8_t most = rgb[0] > rgb[1] ? rgb[0] : rgb[1];
        most = rgb[2] > most ? rgb[2] : most;
        seen->above = seen->above || most > rules->stored_most;
        seen->most = seen->most || most == rules->stored_most;
        seen->below = seen->below || most < rules->stored_least;
    }
}

// Finds whether luxels lie outside of what the usual compiler stores. One that is too dark tells
// only where none was cut at the most: q2tool, which follows qrad3, cuts there too, but stores
// black.
static bool find_other(bspi_relight *own, bool *other, bsp_error *error) {
    const bsp_light_rules *rules = &own->map->traits->lights;
    traces seen = {false, false, false};
    for (uint32_t face = 0; face < own->map->num_faces; face++) {
        bspi_luxels luxels;
        uint32_t count = 0;
        if (bspi_luxels_of(&own->source, face, &luxels) == BSPI_LIT) {
            see_luxels(rules, &luxels, &seen);
            count = luxels.width * luxels.height;
        }
        if (!bspi_heap_work(&own->heap, 1 + count / LUXELS, error)) {
            return false;
        }
    }
    *other = seen.above || (seen.below && !seen.most);
    return true;
}

bool bspi_rules_choose(bspi_relight *own, bsp_error *error) {
    const bsp_light_rules *rules = &own->map->traits->lights;
    bsp_light_compiler wanted = own->options->compiler;
    bool other = false;
    if (wanted == BSP_COMPILER_USUAL && rules->stored_most != 0 &&
        !find_other(own, &other, error)) {
        return false;
    }
    own->relight.compiler_stored = other;
    own->relight.compiler = other                          ? rules->other
                            : wanted == BSP_COMPILER_USUAL ? rules->compiler
                                                           : wanted;
    bool fits = own->relight.compiler == rules->compiler || own->relight.compiler == rules->other;
    bool heeded = own->relight.compiler == BSP_COMPILER_HLRAD ||
                  own->relight.compiler == BSP_COMPILER_VRAD; // of whose lines shadows alone count
    if (own->options->texlights.size != 0 && !heeded) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "%s takes no list of textures that give light",
                        bsp_light_compiler_name(own->relight.compiler));
    }
    return fits || bsp_fail(error, BSP_E_ARGUMENT, NULL, "%s does not light maps of %s",
                            bsp_light_compiler_name(wanted), own->map->branch->name);
}
