// SPDX-License-Identifier: MIT
// Small text helpers shared by the floors above.
#ifndef BSPI_TEXT_H
#define BSPI_TEXT_H

#include "bspkit/core.h"

/// ASCII lower case, whatever the locale.
char bspi_lower(char c);
bool bspi_text_equal_nocase(bsp_text a, bsp_text b);
/// Below, at or above 0, as a stands before b, is b in any case, or stands behind it.
int bspi_text_compare_nocase(bsp_text a, bsp_text b);
/// The same for texts that are equal in any case (FNV-1a over lower case).
uint32_t bspi_text_hash_nocase(bsp_text text);

/// True if the text is `word`, in any case.
bool bspi_text_is(bsp_text text, const char *word);
/// True if the text begins with `start`, in any case.
bool bspi_text_begins_nocase(bsp_text text, const char *start);
/// True if the text ends with `end`, in any case.
bool bspi_text_ends_nocase(bsp_text text, const char *end);
/// Takes `end` off the text's end, in any case. False if the text does not end so.
bool bspi_text_cut_end(bsp_text *text, const char *end);
/// Takes "_N" or "_-N" off the end; N is what is in `number`, which may be NULL. False, and nothing
/// taken, if the text does not end so, or N does not fit.
bool bspi_text_cut_number(bsp_text *text, int64_t *number);

/// What stands behind the last '/' or '\\' of a path.
bsp_text bspi_text_last_part(bsp_text path);

/// Decimal digits without a NUL; room for 20 characters. Returns the length.
size_t bspi_format_uint(char *out, uint64_t value);
/// The same with a sign; room for 20 characters.
size_t bspi_format_int(char *out, int64_t value);
/// digits / 10^places as a decimal without trailing zeros behind the point and without a NUL;
/// places at most 20, room for 24 characters.
size_t bspi_format_fixed(char *out, uint64_t digits, unsigned places);

/// As bsp_parse_float; an overflow gives an infinity.
bool bspi_parse_double(bsp_text text, double *value);

#endif
