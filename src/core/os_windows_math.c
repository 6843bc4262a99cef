// SPDX-License-Identifier: MIT
// Mathematics on Windows: the functions that give other bits than those of other systems there.
#ifdef _WIN32
#include <math.h>

// The first two are all that the C runtime of the system would compute, and each version of it in a
// way of its own; the rest is in the program. 64 bits of mantissa are rounded once.
double acos(double x) {
    return (double)acosl(x);
}

double tan(double x) {
    return (double)tanl(x);
}

// The processor's own sine takes a shorter pi: near the multiples of a right angle nothing of its
// result is right. A right angle in three parts, of which the first two have 33 bits, so that their
// products with the number of right angles are exact.
static long double reduce(double x, unsigned *quarter) {
    long double count = rintl((long double)x * 0.636619772367581343076L);
    *quarter = (unsigned)(long long)count & 3;
    return (((long double)x - count * 0x1.921fb544p+0L) - count * 0x1.0b4611a6p-34L) -
           count * 0x1.3198a2e037073p-69L;
}

static double turn(double x, unsigned more) {
    unsigned quarter;
    if (!(fabs(x) < 1e9)) {
        return more == 0 ? (double)sinl(x) : (double)cosl(x);
    }
    long double rest = reduce(x, &quarter);
    quarter = (quarter + more) & 3;
    long double part = quarter % 2 == 0 ? sinl(rest) : cosl(rest);
    return (double)(quarter >= 2 ? -part : part);
}

double sin(double x) {
    return x == 0 ? x : turn(x, 0);
}

double cos(double x) {
    return turn(x, 1);
}

// The compiler calls these where both are asked.
void sincos(double x, double *sine, double *cosine) {
    *sine = x == 0 ? x : turn(x, 0);
    *cosine = turn(x, 1);
}
#else
typedef int bspi_os_not_windows;
#endif
