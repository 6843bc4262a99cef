// SPDX-License-Identifier: MIT
// Files that are written under a temporary name in the same folder, and renamed when they are
// complete on disk. The name always refers to the complete old or the complete new file, even after
// a failure. All system calls that make, change, rename or remove files and folders are in
// this folder.
#ifndef CLI_REPLACE_REPLACE_H
#define CLI_REPLACE_REPLACE_H

#include "core/os_calls.h"
#include "bspkit/bspkit.h"
#include "cli/parts/original.h"
#include "cli/parts/path.h"

#include <stdio.h>
#include <time.h>

/// Bytes of a stream that are written at once: the C library would take 4 KiB.
#define CLI_STREAM_BUFFER ((size_t)64 << 10)

/// A file being written in the folder of the one that it replaces. Plain data.
typedef struct cli_replacement {
    const char *path;              ///< as the user gave it, for messages; borrowed
    char target[CLI_PATH_ROOM];    ///< `path` with links resolved
    char temporary[CLI_PATH_ROOM]; ///< name while it is written; "" when there is none
    size_t name;                   ///< where the last part of both begins
    int folder;                    ///< of both, open; -1 when there is none
    const cli_original *original;  ///< what it was made from and replaces; NULL for an output
    int fd;
    FILE *stream; ///< on `fd`; NULL until cli_replace_stream
    char *buffer; ///< of `stream`, CLI_STREAM_BUFFER bytes; NULL: the C library's
    uint64_t written;
    uint64_t begun; ///< bytes whose flush was started
    int cause;      ///< errno of the write that failed, else 0
} cli_replacement;

/// What happens to the file that is replaced.
typedef enum cli_backup {
    CLI_BACKUP_NONE,  ///< it is removed
    CLI_BACKUP_FIRST, ///< it is kept as NAME.bak, if there is no file of that name
    CLI_BACKUP_LAST,  ///< it is kept as NAME.bak, replacing any file of that name
} cli_backup;

/// Makes the temporary file. Returns false after a message; then there is nothing to undo. Symbolic
/// links are followed, and their target is replaced. A file that the command reads is refused,
/// unless it is `original`, whose new content this becomes (NULL: none). Files that killed runs
/// left in the folder are removed.
bool cli_replace_begin(cli_replacement *replacement, const char *path,
                       const cli_original *original);
/// Does the same in an open folder, for the name `path + name`: links are not followed, and an
/// existing entry must be a regular file. The text must outlive the replacement.
bool cli_replace_begin_in(cli_replacement *replacement, int folder, const char *path, size_t name);
/// Returns a stream that writes to it. This function and those that follow fail after a message,
/// and then the replacement is abandoned.
FILE *cli_replace_stream(cli_replacement *replacement);
/// Writes all of it.
bool cli_replace_write(cli_replacement *replacement, const bsp_plan *plan);
/// Writes bytes. Returns false, with errno set, on failure, and abandons nothing.
bool cli_replace_put(cli_replacement *replacement, bsp_bytes bytes);
/// Flushes all bytes to disk; the file can then be opened under its temporary name.
bool cli_replace_flush(cli_replacement *replacement);
/// Gives the file its name, with rights, owner (where that is allowed) and extended attributes of
/// the replaced file. Refused if the original has changed since it was opened. A backup needs an
/// original; `old` is its content, for file systems without second names.
bool cli_replace_finish(cli_replacement *replacement, cli_backup backup,
                        bsp_bytes old); // finish.c
/// Flushes the names of finished files to disk. Names of outputs wait for this call, so that many
/// files in one folder take one flush of it; that of a file that replaces its original does not.
void cli_replace_flush_names(void); // finish.c
/// Sets the date; call before cli_replace_finish.
void cli_replace_date(const cli_replacement *replacement, const struct timespec *date);
/// Checks that the target may be replaced: it does not exist, is not read, or is unchanged. Returns
/// false after a message.
bool cli_replace_check(const cli_replacement *replacement);
/// Abandons it with a message of what errno says. Returns false.
bool cli_replace_fail(cli_replacement *replacement);
/// Removes the temporary file.
void cli_replace_abandon(cli_replacement *replacement);

#endif
