// SPDX-License-Identifier: MIT
// JSON taken apart as it comes, in pieces of any size. What is read was made by our own writer
// (core/json.c): it is well formed.
#ifndef CLI_TOKENS_H
#define CLI_TOKENS_H

#include "cli/parts/capture.h"

#include <stdint.h>

/// The most objects and arrays in each other.
#define CLI_TOKENS_DEEPEST 32u

/// What a token is.
typedef enum cli_token {
    CLI_TOKEN_OBJECT, ///< one opens
    CLI_TOKEN_ARRAY,  ///< one opens
    CLI_TOKEN_CLOSE,  ///< the innermost object or array ends
    CLI_TOKEN_KEY,    ///< of the value that follows
    CLI_TOKEN_STRING,
    CLI_TOKEN_NULL,
    CLI_TOKEN_BARE, ///< a number, true or false
} cli_token;

/// Takes a token, with the text of a key, string, number or word: UTF-8 without escapes, borrowed
/// for the call. Returns false to stop.
typedef bool cli_token_fn(void *user, cli_token token, const char *text, size_t size);

/// A reader of JSON. All zero but for `take` and `user`: nothing was read yet. Free with
/// cli_tokens_free.
typedef struct cli_tokens {
    cli_token_fn *take;
    void *user;
    int state;       ///< the rest is private (tokens.c)
    bool key;        ///< the next string is one
    uint32_t depth;  ///< of what is open
    uint32_t arrays; ///< bits of it, the innermost lowest: it is an array
    uint32_t code;   ///< of the digits after \u
    int digits;      ///< of these
    uint32_t high;   ///< first half of a pair of \u
    cli_capture text;
} cli_tokens;

/// Reads a piece. Returns false if `take` did, without memory, or if values are too deep; `take` is
/// not told of the latter two.
bool cli_tokens_put(cli_tokens *tokens, const char *data, size_t size);
/// Begins another value; what was not complete is left out.
void cli_tokens_restart(cli_tokens *tokens);
/// Frees what the reader keeps.
void cli_tokens_free(cli_tokens *tokens);

#endif
