// SPDX-License-Identifier: MIT
// Regular expressions, of PCRE2. Only this file and regex.c use it; BSPKIT_PCRE2=OFF builds the
// library without.
#ifndef BSPI_REGEX_H
#define BSPI_REGEX_H

#include "core/memory.h"

/// A compiled expression. Immutable: any number of threads may ask it.
typedef struct bspi_regex bspi_regex;

/// Compiles an expression, in which the case of ASCII letters does not matter unless it says (?-i).
/// `heap` pays for it and for its searches, and must outlive it. Fails with BSP_E_ARGUMENT and the
/// place in the expression where it is not well formed, BSP_E_UNSUPPORTED in a library that was
/// built without PCRE2, or by the limits of the heap.
bspi_regex *bspi_regex_new(bsp_text pattern, bspi_heap *heap, bsp_error *error);
/// Frees an expression. NULL is allowed and does nothing.
void bspi_regex_free(bspi_regex *regex);

/// Looks for the expression anywhere in a text. An expression that tries very many ways is paid by
/// the way. Returns false, with the error filled, over a limit of the heap.
bool bspi_regex_find(const bspi_regex *regex, bsp_text text, bool *found, bsp_error *error);

#endif
