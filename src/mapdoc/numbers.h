// SPDX-License-Identifier: MIT
// Decimals of map documents: no exponents, which old parsers do not read, no "-0", no zeros at the
// end.
#ifndef BSPI_MAPDOC_NUMBERS_H
#define BSPI_MAPDOC_NUMBERS_H

#include "bspkit/core.h"

/// Room for any number written here.
#define BSPI_DECIMAL_TEXT 24

/// The most decimal places.
#define BSPI_MOST_PLACES 12u

/// Larger values are written as this: no coordinate or texel is so far away. At this value a double
/// still has a resolution of 10^-6.
#define BSPI_MOST_VALUE 1e9

/// Returns the value of a decimal with that many places; fewer where the value is too large for
/// them.
double bspi_round_places(double value, unsigned places);

/// Writes the decimal with that many places, without a NUL. Returns the length. NaN is 0.
size_t bspi_format_places(char out[BSPI_DECIMAL_TEXT], double value, unsigned places);

/// Returns the fewest places whose decimal is within `tolerance` of the value.
unsigned bspi_places(double value, double tolerance);

#endif
