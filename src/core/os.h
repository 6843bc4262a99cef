// SPDX-License-Identifier: MIT
// The operating system, behind one file.
#ifndef BSPI_OS_H
#define BSPI_OS_H

#include "core/memory.h"

/// A file's bytes, mapped or read. Plain data; unmap once.
typedef struct bspi_mapping {
    bsp_bytes bytes;
    bool mapped;     ///< else allocated
    size_t room;     ///< bytes allocated
    bspi_heap *heap; ///< pays for them
} bspi_mapping;

/// Maps the whole file at `path` ("-": standard input) for reading, or reads it if `map` is not
/// set; a pipe or a device is read to its end. `heap` pays for what is read, and must outlive it.
/// The message begins with the path ("PATH: there is no such file or folder") and the code tells
/// not found, no permission and the rest; a file that is read and ends too early is BSP_E_IO.
bool bspi_open_file(const char *path, bool map, bspi_heap *heap, bspi_mapping *out,
                    bsp_error *error);
void bspi_unmap_file(bspi_mapping *mapping);
/// Another heap pays for what was read, from now on. False if that cannot: nothing changed then.
bool bspi_mapping_move(bspi_mapping *mapping, bspi_heap *heap, bsp_error *error);

/// The most bytes that come into memory with one that is looked at: Linux maps 64 KiB, or a huge
/// page where it has one.
#define BSPI_PAGES_AROUND ((size_t)2 << 20)
/// The memory of these pages, and of those around them that came along, goes back to the system;
/// the next access reads them again. Nothing happens to bytes that are not of the mapping.
void bspi_release_pages(const bspi_mapping *mapping, bsp_bytes bytes);

/// What stands in a folder.
typedef struct bspi_folder_entry {
    const char *name;
    bool folder; ///< else a regular file; links and devices are left out unless `links` was asked
    uint64_t size;
} bspi_folder_entry;

/// Receives one entry. False stops the listing.
typedef bool (*bspi_folder_visit)(void *user, const bspi_folder_entry *entry);

/// Lists a folder in no order. With `links` a link stands for what it points to; without, links
/// are left out. False when the folder cannot be read; a visit that stops is no failure.
bool bspi_list_folder(const char *path, bool links, bspi_folder_visit visit, void *user,
                      bsp_error *error);

/// A clock that only goes forward, in nanoseconds from some time on. For reports: nothing that the
/// library makes may depend on it.
uint64_t bspi_clock(void);

#endif
