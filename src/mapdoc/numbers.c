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
// The sum is not negative, and below 2^54: a conversion is its floor.
static uint64_t digits_of(double size, unsigned places) {
    return (uint64_t)(int64_t)(size * powers[places] + 0.5);
}

static bool is_whole(double size) {
    return size == (double)(int64_t)size;
}

double bspi_round_places(double value, unsigned places) {
    value = bounded(value);
    double size = fabs(value);
    if (is_whole(size)) { // most are: their digits over the power are the number itself
        return value + 0.0;
    }
    places = fitting(size, places);
    double rounded = (double)digits_of(size, places) / powers[places];
    return value < 0 && rounded > 0 ? -rounded : rounded;
}

size_t bspi_format_places(char out[BSPI_DECIMAL_TEXT], double value, unsigned places) {
    value = bounded(value);
    double size = fabs(value);
    places = is_whole(size) ? 0 : fitting(size, places);
    uint64_t digits = digits_of(size, places);
    size_t sign = value < 0 && digits != 0 ? 1 : 0;
    out[0] = '-';
    return sign + bspi_format_fixed(out + sign, digits, places);
}

// Returns true if a decimal of so many places may be within the tolerance. Most are far off, which
// their digits tell without a division: these differ from those of the value by no more than the
// tolerance and the errors of rounding, 2^-53 of the digits for each step.
static bool may_be_near(double size, unsigned places, double tolerance) {
    const double rounding = 1e-15;
    double scaled = size * powers[places];
    double off = fabs((double)digits_of(size, places) - scaled);
    return off <= tolerance * powers[places] * (1 + rounding) + scaled * rounding;
}

unsigned bspi_places(double value, double tolerance) {
    value = bounded(value);
    double size = fabs(value);
    if (is_whole(size) && tolerance >= 0) {
        return 0;
    }
    for (unsigned places = 0; places < BSPI_MOST_PLACES; places++) {
        if ((fitting(size, places) != places || may_be_near(size, places, tolerance)) &&
            fabs(bspi_round_places(value, places) - value) <= tolerance) {
            return places;
        }
    }
    return BSPI_MOST_PLACES;
}
