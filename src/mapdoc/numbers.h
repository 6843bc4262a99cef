// SPDX-License-Identifier: MIT
// Decimals of map source: no exponents (old parsers know none), no "-0", no zeros behind the point.
#ifndef BSPI_MAPDOC_NUMBERS_H
#define BSPI_MAPDOC_NUMBERS_H

#include "bspkit/core.h"

/// Room for any number that is written here.
#define BSPI_DECIMAL_TEXT 24

/// The most places behind the point.
#define BSPI_MOST_PLACES 12u

/// What lies beyond is written as this: no coordinate, no texel is so far away. With it, 10^-6 is
/// still told apart in a double.
#define BSPI_MOST_VALUE 1e9

/// The value of a decimal with so many places; fewer where the value is too large for them.
double bspi_round_places(double value, unsigned places);

/// Writes the decimal with so many places, without a NUL. Returns the length. NaN is 0.
size_t bspi_format_places(char out[BSPI_DECIMAL_TEXT], double value, unsigned places);

/// The fewest places whose decimal is within `tolerance` of the value.
unsigned bspi_places(double value, double tolerance);

#endif
