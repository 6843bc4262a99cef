// SPDX-License-Identifier: MIT
// Numbers as text, independent of the locale. A float becomes the decimal with the fewest places
// (from 1e-5 to 1e9) or the fewest digits that reads back as it. Which of the two levels of
// decimals around the distance of neighbouring floats is meant follows from the exponent, so that
// no level is tried in vain: R. Giulietti, "The Schubfach way to render doubles", 2020.
#include "core/text.h"
#include "core/reader.h"

#include <math.h>
#include <string.h>

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

static unsigned count_digits(uint32_t value) {
    return 1u + (value >= 10) + (value >= 100) + (value >= 1000) + (value >= 10000) +
           (value >= 100000) + (value >= 1000000) + (value >= 10000000) + (value >= 100000000) +
           (value >= 1000000000);
}

// Writes the last `count` digits.
static void put_digits(char *out, uint32_t value, unsigned count) {
    for (; count >= 2; count -= 2) {
        memcpy(out + count - 2, pairs + 2 * (value % 100), 2);
        value /= 100;
    }
    if (count != 0) {
        out[0] = (char)('0' + value % 10);
    }
}

size_t bspi_format_uint(char *out, uint64_t value) {
    size_t size = 0;
    if (value > UINT32_MAX) {
        size = bspi_format_uint(out, value / 1000000000);
        put_digits(out + size, (uint32_t)(value % 1000000000), 9);
        return size + 9;
    }
    unsigned count = count_digits((uint32_t)value);
    put_digits(out, (uint32_t)value, count);
    return count;
}

size_t bspi_format_int(char *out, int64_t value) {
    if (value >= 0) {
        return bspi_format_uint(out, (uint64_t)value);
    }
    out[0] = '-';
    return 1 + bspi_format_uint(out + 1, (uint64_t)0 - (uint64_t)value);
}

size_t bspi_format_fixed(char *out, uint64_t digits, unsigned places) {
    while (places >= 4 && digits % 10000 == 0) {
        digits /= 10000;
        places -= 4;
    }
    while (places > 0 && digits % 10 == 0) {
        digits /= 10;
        places--;
    }
    if (places == 0) {
        return bspi_format_uint(out, digits);
    }
    size_t size = bspi_format_uint(out + 1, digits);
    if (size <= places) {
        memmove(out + 2 + places - size, out + 1, size);
        memset(out, '0', 2 + places - size);
        out[1] = '.';
        return 2 + places;
    }
    for (size_t i = 0; i < size - places; i++) {
        out[i] = out[i + 1];
    }
    out[size - places] = '.';
    return size + 1;
}

// --- floats from 1e-5 to 1e9 --------------------------------------------------------------------

#define MOST_PLACES 11
#define FRACTION_BITS 23 // that are stored
#define DOUBLE_BIAS 1023
#define DOUBLE_FRACTION_BITS 52

static double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + DOUBLE_BIAS) << DOUBLE_FRACTION_BITS;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

// The fewest places m / 10^places that stand for the value: m / 10^places, a correctly rounded
// double, lies clearly within half a unit of the float's last place, so that it cannot be read as
// another float. Decimals of `fine` places are at most one unit apart, so that one of them always
// does; those of one place fewer are more than one unit apart, so that at most one of them does,
// and it is the one with the fewest places too, with zeros at its end. Only below a power of two,
// where floats are twice as dense, a third level is needed. Returns 0 where more than MOST_PLACES
// are.
static size_t format_places(char *out, float value) {
    static const double powers[] = {1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11};
    int32_t whole = (int32_t)value;
    if ((float)whole == value) {
        return bspi_format_uint(out, (uint32_t)whole);
    }
    double wide = (double)value;
    uint32_t bits = bspi_float_bits(value);
    int last = (int)(bits >> FRACTION_BITS) - 127 - FRACTION_BITS; // 2^last is the last place
    double above = 0.4999999 * power_of_two(last);
    bool is_power = (bits & ((1u << FRACTION_BITS) - 1)) == 0;
    double below = is_power ? above / 2 : above;
    int fine = (-last * 1233 + 4095) >> 12; // ceil(-last * log10(2)); last is negative here
    int first = fine - 1 < MOST_PLACES ? fine - 1 : MOST_PLACES;
    for (int places = first; places <= MOST_PLACES; places++) {
        int64_t digits = (int64_t)(wide * powers[places] + 0.5);
        double error = (double)digits / powers[places] - wide;
        if (error < above && error > -below) {
            return bspi_format_fixed(out, (uint64_t)digits, (unsigned)places);
        }
    }
    return 0;
}

// --- all other floats ---------------------------------------------------------------------------

#define FIRST_POWER (-31)

// 10^n as a binary fraction of 64 bits, from 2^63 on, rounded up.
static const uint64_t powers_of_ten[] = {
    0x81ceb32c4b43fcf5, 0xa2425ff75e14fc32, 0xcad2f7f5359a3b3f, 0xfd87b5f28300ca0e,
    0x9e74d1b791e07e49, 0xc612062576589ddb, 0xf79687aed3eec552, 0x9abe14cd44753b53,
    0xc16d9a0095928a28, 0xf1c90080baf72cb2, 0x971da05074da7bef, 0xbce5086492111aeb,
    0xec1e4a7db69561a6, 0x9392ee8e921d5d08, 0xb877aa3236a4b44a, 0xe69594bec44de15c,
    0x901d7cf73ab0acda, 0xb424dc35095cd810, 0xe12e13424bb40e14, 0x8cbccc096f5088cc,
    0xafebff0bcb24aaff, 0xdbe6fecebdedd5bf, 0x89705f4136b4a598, 0xabcc77118461cefd,
    0xd6bf94d5e57a42bd, 0x8637bd05af6c69b6, 0xa7c5ac471b478424, 0xd1b71758e219652c,
    0x83126e978d4fdf3c, 0xa3d70a3d70a3d70b, 0xcccccccccccccccd, 0x8000000000000000,
    0xa000000000000000, 0xc800000000000000, 0xfa00000000000000, 0x9c40000000000000,
    0xc350000000000000, 0xf424000000000000, 0x9896800000000000, 0xbebc200000000000,
    0xee6b280000000000, 0x9502f90000000000, 0xba43b74000000000, 0xe8d4a51000000000,
    0x9184e72a00000000, 0xb5e620f480000000, 0xe35fa931a0000000, 0x8e1bc9bf04000000,
    0xb1a2bc2ec5000000, 0xde0b6b3a76400000, 0x8ac7230489e80000, 0xad78ebc5ac620000,
    0xd8d726b7177a8000, 0x878678326eac9000, 0xa968163f0a57b400, 0xd3c21bcecceda100,
    0x84595161401484a0, 0xa56fa5b99019a5c8, 0xcecb8f27f4200f3a, 0x813f3978f8940985,
    0xa18f07d736b90be6, 0xc9f2c9cd04674edf, 0xfc6f7c4045812297, 0x9dc5ada82b70b59e,
    0xc5371912364ce306, 0xf684df56c3e01bc7, 0x9a130b963a6c115d, 0xc097ce7bc90715b4,
    0xf0bdc21abb48db21, 0x96769950b50d88f5, 0xbc143fa4e250eb32, 0xeb194f8e1ae525fe,
    0x92efd1b8d0cf37bf, 0xb7abc627050305ae, 0xe596b7b0c643c71a, 0x8f7e32ce7bea5c70,
    0xb35dbf821ae4f38c, 0xe0352f62a19e306f,
};

// Returns the largest integer that is at most n * log2(10), for the table's n.
static int log2_of_power(int n) {
    return n * 1741647 >> 19;
}

// Returns power * x * 2^shift / 2^64, rounded down, with the lowest bit set if that is not exact:
// enough to compare it with even numbers. `power` may be too large by one unit.
static uint64_t scale(uint64_t power, uint32_t x, int shift) {
    uint64_t low = (power & UINT32_MAX) * x;
    uint64_t high = (power >> 32) * x + (low >> 32);
    uint32_t rest = (uint32_t)(high << shift | (uint32_t)low >> (32 - shift));
    return high >> (32 - shift) | (rest > 1);
}

/// digits * 10^exponent
typedef struct decimal {
    uint32_t digits;
    int exponent;
} decimal;

/// A positive float: fraction * 2^exponent, and whether floats below are twice as dense.
typedef struct binary {
    uint32_t fraction;
    int exponent;
    bool is_power;
} binary;

// Finds the multiple of 10^(k + 1), else of 10^k, that is nearest to the value, if it reads back as
// the value: a float reads what lies halfway to a neighbour if its own fraction is even.
static bool nearest(binary value, int k, decimal *out) {
    uint64_t power = powers_of_ten[-k - FIRST_POWER];
    int shift = value.exponent + log2_of_power(-k) + 1;
    uint32_t odd = value.fraction & 1;
    uint32_t four = 4 * value.fraction;
    uint64_t middle = scale(power, four, shift);
    uint64_t low = scale(power, four - (value.is_power ? 1 : 2), shift) + odd;
    uint64_t high = scale(power, four + 2, shift) - odd;
    uint64_t tens = (middle + 20) / 40;
    if (low <= 40 * tens && 40 * tens <= high) {
        *out = (decimal){(uint32_t)tens, k + 1};
        return true;
    }
    uint64_t rest = middle % 4;
    uint64_t ones = middle / 4;
    ones += rest > 2 || (rest == 2 && ones % 2 != 0) ? 1 : 0;
    *out = (decimal){(uint32_t)ones, k};
    return low <= 4 * ones && 4 * ones <= high;
}

// Finds the decimal with the fewest digits that reads back as the value, and of those the nearest.
// Multiples of 10^k are at most as far apart as what reads back as the value is wide, those of
// 10^(k + 1) farther. Above a power of two the nearest decimal can lie in the narrower half and not
// read back; then one more digit is needed.
static decimal shortest(float value) {
    uint32_t bits = bspi_float_bits(value);
    uint32_t stored = bits >> FRACTION_BITS;
    uint32_t fraction = bits & ((1u << FRACTION_BITS) - 1);
    binary parts = {stored == 0 ? fraction : fraction | 1u << FRACTION_BITS,
                    (stored == 0 ? 1 : (int)stored) - 127 - FRACTION_BITS,
                    fraction == 0 && stored > 1};
    // floor(log10(2^exponent)), for a power of two floor(log10(3/4 * 2^exponent))
    int k = (parts.exponent * 1262611 - (parts.is_power ? 524031 : 0)) >> 22;
    decimal found;
    while (!nearest(parts, k, &found)) {
        k--;
    }
    while (found.digits % 10 == 0) {
        found.digits /= 10;
        found.exponent++;
    }
    return found;
}

// Writes the digits as printf's %g does: with an exponent below 1e-4.
static size_t format_digits(char *out, decimal number) {
    char digits[20];
    size_t count = bspi_format_uint(digits, number.digits);
    int exponent = number.exponent + (int)count - 1; // of the first digit
    if (exponent == -4) {
        memcpy(out, "0.000", 5);
        memcpy(out + 5, digits, count);
        return 5 + count;
    }
    size_t at = 0;
    out[at++] = digits[0];
    if (count > 1) {
        out[at++] = '.';
        memcpy(out + at, digits + 1, count - 1);
        at += count - 1;
    }
    out[at++] = 'e';
    out[at++] = exponent < 0 ? '-' : '+';
    memcpy(out + at, pairs + 2 * (exponent < 0 ? -exponent : exponent), 2);
    return at + 2;
}

size_t bsp_format_float(char out[BSP_FLOAT_TEXT], float value) {
    assert(out != NULL);
    size_t at = 0;
    if (isnan(value)) {
        memcpy(out, "nan", 4);
        return 3;
    }
    if (signbit(value)) {
        out[at++] = '-';
        value = -value;
    }
    if (isinf(value)) {
        memcpy(out + at, "inf", 4);
        return at + 3;
    }
    size_t size = 0;
    if (value == 0) {
        out[at] = '0';
        size = 1;
    } else if (value >= 1e-5F && value < 1e9F) {
        size = format_places(out + at, value);
    }
    if (size == 0) {
        size = format_digits(out + at, shortest(value));
    }
    out[at + size] = '\0';
    return at + size;
}
