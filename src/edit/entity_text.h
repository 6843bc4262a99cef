// SPDX-License-Identifier: MIT
// What entity text can hold, and its habits.
#ifndef BSPI_EDIT_ENTITY_TEXT_H
#define BSPI_EDIT_ENTITY_TEXT_H

#include "bspkit/edit.h"
#include "core/buffer.h"

/// Fails for a key or value (`what`) that would not read back the same.
bool bspi_entity_text_fits(bsp_text text, const char *what, bsp_error *error);
/// How lines of the text end.
bsp_text bspi_entity_line_end(bsp_text text);

void bspi_put_text(bspi_buffer *out, bsp_text text);
/// Characters `from` to `to` of a text; none where there are none (a text may be no memory at all).
void bspi_put_run(bspi_buffer *out, bsp_text text, size_t from, size_t to);
/// In quotes.
void bspi_put_quoted(bspi_buffer *out, bsp_text text);

#endif
