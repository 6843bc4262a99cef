// SPDX-License-Identifier: MIT
// The limits and conventions of entity text.
#ifndef BSPI_EDIT_ENTITY_TEXT_H
#define BSPI_EDIT_ENTITY_TEXT_H

#include "bspkit/edit.h"
#include "core/buffer.h"

/// Fails for a key or value (`what`) that would not read back the same.
bool bspi_entity_text_fits(bsp_text text, const char *what, bsp_error *error);
/// Returns the line end that the text uses.
bsp_text bspi_entity_line_end(bsp_text text);

void bspi_put_text(bspi_buffer *out, bsp_text text);
/// Copies characters `from` to `to` of a text, which may be empty with NULL data.
void bspi_put_run(bspi_buffer *out, bsp_text text, size_t from, size_t to);
/// Writes a text in quotes.
void bspi_put_quoted(bspi_buffer *out, bsp_text text);

#endif
