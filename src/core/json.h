// SPDX-License-Identifier: MIT
// Pieces of JSON that were written before.
#ifndef BSPI_JSON_H
#define BSPI_JSON_H

#include "bspkit/core.h"

/// Writes one or more values that are JSON already, with commas between them.
void bspi_json_values(bsp_json *json, const char *text, size_t size);
/// Room of a key that is written by bspi_json_ready_key.
#define BSPI_KEY_TEXT 40u
/// Writes a key of an object that is JSON already: the first `size` bytes of `text`, quotes and
/// colon included.
void bspi_json_ready_key(bsp_json *json, const char text[BSPI_KEY_TEXT], size_t size);

#endif
