// SPDX-License-Identifier: MIT
// Contents of brushes that stop traces.
#ifndef BSPI_MASKS_H
#define BSPI_MASKS_H

#define BSPI_SOLID_MASK 1u // CONTENTS_SOLID of all families with brushes
/// What stops the light of Source: MASK_OPAQUE of bspflags.h, which is solid, opaque, moveable.
#define BSPI_OPAQUE (0x1u | 0x80u | 0x4000u)

#endif
