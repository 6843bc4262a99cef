// SPDX-License-Identifier: MIT
// Which textures are heard: soundpvs.cc of ericw-tools, as id's vis. Slime sounds like water.
#include "formats/leaf_sounds.h"

#include "core/text.h"

static const struct {
    const char *start; // of the name, of any case
    uint8_t sound;
} sounds[] = {
    {"sky", BSPI_SOUND_SKY},      {"*water", BSPI_SOUND_WATER}, {"*04water", BSPI_SOUND_WATER},
    {"*slime", BSPI_SOUND_WATER}, {"*lava", BSPI_SOUND_LAVA},
};

uint8_t bspi_sound_of(bsp_text texture) {
    for (size_t i = 0; i < sizeof sounds / sizeof *sounds; i++) {
        if (bspi_text_begins_nocase(texture, sounds[i].start)) {
            return sounds[i].sound;
        }
    }
    return 0;
}
