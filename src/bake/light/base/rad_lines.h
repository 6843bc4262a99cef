// SPDX-License-Identifier: MIT
// Lines of a lights.rad: what textures give, and words that only vrad reads.
#ifndef BSPI_BAKE_RAD_LINES_H
#define BSPI_BAKE_RAD_LINES_H

#include "bspkit/core.h"

/// Takes a line off the front of a text that has some, without its comment and blanks around it.
bsp_text bspi_rad_line(bsp_text *text);
/// Takes a line apart: what stands before its first blanks, and after them.
void bspi_rad_split(bsp_text line, bsp_text *name, bsp_text *value);
/// Is it a line of vrad's, which says nothing to hlrad?
bool bspi_rad_is_of_vrad(bsp_text line);
/// Finds the next line of vrad's that begins with a word and counts in such light (it may begin
/// with "hdr:" or "ldr:"). Sets what follows the word, up to its first blank.
bool bspi_rad_next(bsp_text *text, const char *word, bool hdr, bsp_text *value);
/// Returns a name up to its first dot, as vrad takes those of its words.
bsp_text bspi_rad_stem(bsp_text name);

#endif
