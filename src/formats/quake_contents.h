// SPDX-License-Identifier: MIT
// What the leaves of Quake and GoldSrc hold: a number, where later games have bits. Source:
// bspfile.h of Quake's and of Half-Life's compilers; the names are theirs.
#ifndef BSPI_QUAKE_CONTENTS_H
#define BSPI_QUAKE_CONTENTS_H

#include <stdbool.h>
#include <stdint.h>

enum {
    BSPI_CONTENTS_EMPTY = -1,
    BSPI_CONTENTS_SOLID = -2,
    BSPI_CONTENTS_WATER = -3,
    BSPI_CONTENTS_SLIME = -4,
    BSPI_CONTENTS_LAVA = -5,
    BSPI_CONTENTS_SKY = -6,
    BSPI_CONTENTS_CLIP = -8,      ///< of brushes in a compiler: no leaf has it
    BSPI_CONTENTS_CURRENT_0 = -9, ///< water that flows, six ways
    BSPI_CONTENTS_CURRENT_90 = -10,
    BSPI_CONTENTS_CURRENT_180 = -11,
    BSPI_CONTENTS_CURRENT_270 = -12,
    BSPI_CONTENTS_CURRENT_UP = -13,
    BSPI_CONTENTS_CURRENT_DOWN = -14,
    BSPI_CONTENTS_TRANSLUCENT = -15,
};

/// Is it water, slime, lava, or water that flows?
static inline bool bspi_is_liquid(int32_t contents) {
    return (contents <= BSPI_CONTENTS_WATER && contents >= BSPI_CONTENTS_LAVA) ||
           (contents <= BSPI_CONTENTS_CURRENT_0 && contents >= BSPI_CONTENTS_CURRENT_DOWN);
}

/// Is it solid or sky, where no player can be?
static inline bool bspi_is_closed(int32_t contents) {
    return contents == BSPI_CONTENTS_SOLID || contents == BSPI_CONTENTS_SKY;
}

#endif
