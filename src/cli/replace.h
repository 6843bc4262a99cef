// SPDX-License-Identifier: MIT
// A file that takes another's place: whoever looks sees the old one or the whole new one, whatever
// fails meanwhile. All calls of the operating system that this takes stand in one file.
#ifndef CLI_REPLACE_H
#define CLI_REPLACE_H

#include "cli/output.h"

#define CLI_REPLACE_ROOM 4096u

/// A file being written beside the one whose place it will take. Plain data.
typedef struct cli_replacement {
    const char *path;                 ///< as the user named it, for messages
    char target[CLI_REPLACE_ROOM];    ///< the same, links resolved
    char temporary[CLI_REPLACE_ROOM]; ///< written until then; "" when there is none (any more)
    bool in_place;                    ///< it takes the place of the file that it was made from
    int fd;
    uint64_t written;
    uint64_t begun; ///< of these the disk was told
    int cause;      ///< errno of the write that failed, else 0
} cli_replacement;

/// Makes the temporary file. False after a message; then there is nothing to undo. A file that the
/// command reads is replaced only `in_place`: by what was made from it.
bool cli_replace_begin(cli_replacement *replacement, const char *path, bool in_place);
/// Writes all of it. False after a message, and the temporary file is gone; so with all that
/// follow.
bool cli_replace_write(cli_replacement *replacement, const bsp_plan *plan);
/// All bytes are on the disk, and the file can be opened under its temporary name.
bool cli_replace_flush(cli_replacement *replacement);
/// Gives the file its name. With `keep` what stood there gets the name NAME.bak; where the file
/// system knows no second names it is written anew from `old`, its bytes.
bool cli_replace_finish(cli_replacement *replacement, bool keep, bsp_bytes old);
/// Removes the temporary file.
void cli_replace_abandon(cli_replacement *replacement);

#endif
