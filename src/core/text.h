// SPDX-License-Identifier: MIT
// Functions on text that all floors share.
#ifndef BSPI_TEXT_H
#define BSPI_TEXT_H

#include "bspkit/core.h"

#include <assert.h>

/// The name of constant `number` of an enum whose names are listed in its order. A number that is
/// none is a bug of the caller, and has an empty name without asserts.
static inline const char *bspi_name_of(const char *const *names, size_t count, size_t number) {
    assert(number < count);
    return number < count ? names[number] : "";
}

/// Returns the ASCII lower case of `c`, in any locale.
char bspi_lower(char c);
bool bspi_text_equal_nocase(bsp_text a, bsp_text b);
/// Returns a value below, at or above 0 as the bytes of `a` are before, equal to or after `b`'s.
int bspi_text_compare(bsp_text a, bsp_text b);
/// The same, ignoring case.
int bspi_text_compare_nocase(bsp_text a, bsp_text b);
/// Returns a hash of the bytes of a text (FNV-1a).
uint32_t bspi_text_hash(bsp_text text);
/// Returns a hash that is equal for texts that are equal ignoring case (FNV-1a of the lower case).
uint32_t bspi_text_hash_nocase(bsp_text text);

/// Returns true if the text is `word`, ignoring case.
bool bspi_text_is(bsp_text text, const char *word);
/// Returns true if the text begins with `start`, ignoring case.
bool bspi_text_begins_nocase(bsp_text text, const char *start);
/// Returns true if the text ends with `end`, ignoring case.
bool bspi_text_ends_nocase(bsp_text text, const char *end);
/// Returns true if the text is the pattern, or, where that ends in '*', begins with what precedes
/// the '*', ignoring case. No other sign of a pattern has a meaning, as in names of entities.
bool bspi_text_fits_nocase(bsp_text text, bsp_text pattern);
/// Removes `end` from the end of the text, ignoring case. Returns false if the text does not end
/// so.
bool bspi_text_cut_end(bsp_text *text, const char *end);
/// Removes "_N" or "_-N" from the end and stores N in `number`, which may be NULL. Returns false,
/// with the text unchanged, if it does not end so or N does not fit.
bool bspi_text_cut_number(bsp_text *text, int64_t *number);

/// Returns the part of a path after the last '/' or '\\'.
bsp_text bspi_text_last_part(bsp_text path);

/// Returns the text without blanks, control characters and NULs at its ends.
bsp_text bspi_text_trim(bsp_text text);

/// Writes decimal digits without a NUL, at most 20 characters. Returns their number.
size_t bspi_format_uint(char *out, uint64_t value);
/// Writes decimal digits with a sign where negative, without a NUL, at most 20 characters. Returns
/// their number.
size_t bspi_format_int(char *out, int64_t value);
/// Writes digits / 10^places as a decimal without trailing zeros after the point and without a NUL,
/// at most 24 characters; `places` is at most 20. Returns their number.
size_t bspi_format_fixed(char *out, uint64_t digits, unsigned places);

/// Parses as bsp_parse_float does; an overflow gives an infinity.
bool bspi_parse_double(bsp_text text, double *value);

/// The two arguments of "%.*s" for a text.
#define BSPI_TEXT(text) (int)(text).size, (text).size == 0 ? "" : (text).data

#endif
