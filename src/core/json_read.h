// SPDX-License-Identifier: MIT
// Reads JSON (RFC 8259) value by value, without memory of its own. What is not asked for is
// skipped.
#ifndef BSPI_JSON_READ_H
#define BSPI_JSON_READ_H

#include "bspkit/core.h"

/// Where a text is read. Begins as `{.text = text}`. Once it is not JSON, nothing more is read.
typedef struct bspi_json_reader {
    bsp_text text; ///< what is left
    bool failed;   ///< it is not JSON, or not of the kind that was asked for
    bool first;    ///< no member or element of the innermost object or array was read yet
} bspi_json_reader;

/// Begins an object ('{') or array ('[').
bool bspi_json_enter(bspi_json_reader *reader, char open);
/// Is there another member or element? Reads the comma before it; at the end the bracket `close`.
bool bspi_json_next(bspi_json_reader *reader, char close);
/// Reads the name of a member with its colon; escapes stay as they are.
bsp_text bspi_json_name(bspi_json_reader *reader);
/// Reads a text; escapes stay as they are.
bsp_text bspi_json_text(bspi_json_reader *reader);
/// Reads a number, or true and false as 1 and 0. 0 for what is none, which fails.
double bspi_json_number(bspi_json_reader *reader);
/// Passes over a value of any kind.
void bspi_json_skip(bspi_json_reader *reader);
/// Is nothing but white space left?
bool bspi_json_at_end(bspi_json_reader *reader);

#endif
