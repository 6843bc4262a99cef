// SPDX-License-Identifier: MIT
// Files that are written: one beside the name, which it gets when all of it is on the disk. The
// name shows the old file or the whole new one, whatever fails. All calls of the
// operating system that make, change, rename or remove files and folders stand in one file, and no
// other.
#ifndef CLI_REPLACE_H
#define CLI_REPLACE_H

#include "bspkit/bspkit.h"
#include "cli/parts/original.h"
#include "cli/parts/path.h"

#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

/// A file being written beside the one whose place it will take. Plain data.
typedef struct cli_replacement {
    const char *path;              ///< as the user named it, for messages; borrowed
    char target[CLI_PATH_ROOM];    ///< the same, links resolved
    char temporary[CLI_PATH_ROOM]; ///< written until then; "" when there is none (any more)
    size_t name;                   ///< where the last part of both begins
    int folder;                    ///< the folder of both, open; -1 when there is none (any more)
    const cli_original *original;  ///< what it was made from and replaces; NULL for an output
    int fd;
    FILE *stream; ///< over `fd`; NULL until asked for
    uint64_t written;
    uint64_t begun; ///< of these the disk was told
    int cause;      ///< errno of the write that failed, else 0
} cli_replacement;

/// What becomes of the file that is replaced.
typedef enum cli_backup {
    CLI_BACKUP_NONE,  ///< it goes
    CLI_BACKUP_FIRST, ///< it is kept as NAME.bak, if there is no file of that name
    CLI_BACKUP_LAST,  ///< it is kept as NAME.bak, whatever was there
} cli_backup;

/// Makes the temporary file. False after a message; then there is nothing to undo. Symbolic links
/// are followed: what they lead to is replaced. A file that the command reads is refused, unless it
/// is `original`, which this becomes the new content of (NULL: there is none). What runs that were
/// killed have left beside the file is removed.
bool cli_replace_begin(cli_replacement *replacement, const char *path,
                       const cli_original *original);
/// The same in a folder that is open, for the name `path + name`: links are not followed, and what
/// is there must be a regular file or nothing. The text must live as long as the replacement.
bool cli_replace_begin_in(cli_replacement *replacement, int folder, const char *path, size_t name);
/// A stream that writes to it. NULL after a message, as all that follow: then it is gone.
FILE *cli_replace_stream(cli_replacement *replacement);
/// Writes all of it.
bool cli_replace_write(cli_replacement *replacement, const bsp_plan *plan);
/// All bytes are on the disk, and the file can be opened under its temporary name.
bool cli_replace_flush(cli_replacement *replacement);
/// Gives the file its name, with rights, owner (where that is allowed) and extended attributes of
/// what stood there. Refused if the original is not what it was when it was opened any more. A
/// backup needs an original; `old` is what it holds, for file systems that know no second names.
bool cli_replace_finish(cli_replacement *replacement, cli_backup backup, bsp_bytes old);
/// Gives it this date; before cli_replace_finish.
void cli_replace_date(const cli_replacement *replacement, const struct timespec *date);
/// Removes the temporary file.
void cli_replace_abandon(cli_replacement *replacement);

/// The path that a link at `path` leads to in the end, whether something is there or not. False,
/// with errno set, if it is too long or a circle.
bool cli_follow_links(char out[CLI_PATH_ROOM], const char *path);

/// Opens a device or a pipe, which is written directly. NULL after a message.
FILE *cli_open_stream(const char *path);

/// Makes a folder if it is not there, below one that is open (AT_FDCWD: the current one). False,
/// with errno set, if it cannot be made.
bool cli_make_folder_at(int folder, const char *name);
/// Opens the folder that holds the name `path + name`, from `folder` down, and makes what is
/// missing. Links are not followed. -1 after a message.
int cli_open_folder_of(int folder, const char *path, size_t *name);

#endif
