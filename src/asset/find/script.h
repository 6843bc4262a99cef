// SPDX-License-Identifier: MIT
// Words of script texts: KeyValues, Quake 3 shaders, map documents.
#ifndef BSPI_ASSET_FIND_SCRIPT_H
#define BSPI_ASSET_FIND_SCRIPT_H

#include "bspkit/asset.h"
#include "core/issue_kinds.h"
#include "core/memory.h"

typedef struct bspi_script {
    bsp_text text;
    size_t at;
    uint32_t line;
    bool quake;  ///< bare words end at blanks only, and /* comments */ are allowed
    bool braces; ///< a bare word may begin with a brace and continue after it
    const bsp_text_options *options;
} bspi_script;

typedef struct bspi_word {
    bsp_text text;
    bool quoted;
    bool open;  ///< its quote is not closed
    bool first; ///< of its line, or after a line end
    uint32_t line;
    size_t offset;
} bspi_word;

/// Reads the next word; a brace that begins a word is a word itself. Returns false at the end.
bool bspi_next_word(bspi_script *script, bspi_word *word);
/// Reads the next word if it is on the same line; else returns false and reads nothing.
bool bspi_next_on_line(bspi_script *script, bspi_word *word);
/// Returns the rest of the line without comment and blanks.
bsp_text bspi_rest_of_line(bspi_script *script);

/// Returns true if the word is that brace.
bool bspi_is_brace(const bspi_word *word, char brace);

void bspi_script_issue(const bspi_script *script, uint32_t line, size_t offset, const char *what,
                       bsp_text about);

#endif
