// SPDX-License-Identifier: MIT
// A decimal is an integer over a power of ten, both exact in a double.
#include "mapdoc/numbers.h"

#include "core/text.h"

#include <math.h>

// Integers up to 2^53 are exact in a double.
#define MOST_DIGITS 9007199254740992.0

static const double powers[BSPI_MOST_PLACES + 1] = {1e0, 1e1, 1e2, 1e3,  1e4,  1e5, 1e6,
                                                    1e7, 1e8, 1e9, 1e10, 1e11, 1e12};

static double bounded(double value) {
    if (isnan(value)) {
        return 0;
    }
    return value > BSPI_MOST_VALUE    ? BSPI_MOST_VALUE
           : value < -BSPI_MOST_VALUE ? -BSPI_MOST_VALUE
                                      : value;
}

static unsigned fitting(double size, unsigned places) {
    places = places < BSPI_MOST_PLACES ? places : BSPI_MOST_PLACES;
    while (size * powers[places] >= MOST_DIGITS) {
        places--;
    }
    return places;
}

// Half a unit is rounded away from zero, so that a mirrored brush is written as the mirror image.
static double digits_of(double size, unsigned places) {
    return floor(size * powers[places] + 0.5);
}

double bspi_round_places(double value, unsigned places) {
    value = bounded(value);
    double size = fabs(value);
    places = fitting(size, places);
    double rounded = digits_of(size, places) / powers[places];
    return value < 0 && rounded > 0 ? -rounded : rounded;
}

size_t bspi_format_places(char out[BSPI_DECIMAL_TEXT], double value, unsigned places) {
    value = bounded(value);
    double size = fabs(value);
    places =
        size == floor(size) ? 0 : fitting(size, places); // most are integers: no zeros to remove
    uint64_t digits = (uint64_t)digits_of(size, places);
    size_t at = 0;
    if (value < 0 && digits != 0) {
        out[at++] = '-';
    }
    return at + bspi_format_fixed(out + at, digits, places);
}

unsigned bspi_places(double value, double tolerance) {
    value = bounded(value);
    for (unsigned places = 0; places < BSPI_MOST_PLACES; places++) {
        if (fabs(bspi_round_places(value, places) - value) <= tolerance) {
            return places;
        }
    }
    return BSPI_MOST_PLACES;
}
