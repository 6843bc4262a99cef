// SPDX-License-Identifier: MIT
// The operating system: os.c and os_pages.c are the only files that depend on it.
#ifndef BSPI_OS_H
#define BSPI_OS_H

#include "core/memory.h"

/// The bytes of a file, mapped or read. Plain data; unmap once.
typedef struct bspi_mapping {
    bsp_bytes bytes;
    bool mapped;     ///< else allocated
    size_t room;     ///< bytes allocated
    bspi_heap *heap; ///< that counts the allocated bytes
} bspi_mapping;

/// Opens the whole file at `path` ("-": standard input) for reading: maps it, or reads it if `map`
/// is false; a pipe or a device is read to its end. `heap` counts what is read and must outlive the
/// mapping. The message begins with the path ("PATH: there is no such file or folder"), and the
/// code tells not found, no permission and other reasons apart. A file that ends before its stated
/// size is BSP_E_IO.
bool bspi_open_file(const char *path, bool map, bspi_heap *heap, bspi_mapping *out,
                    bsp_error *error);
void bspi_unmap_file(bspi_mapping *mapping);
/// Moves the count of the bytes to another heap. Returns false, with nothing changed, if that heap
/// refuses.
bool bspi_mapping_move(bspi_mapping *mapping, bspi_heap *heap, bsp_error *error);

/// The most bytes that an access to one byte loads: Linux maps 64 KiB at once, or a huge page.
#define BSPI_PAGES_AROUND ((size_t)2 << 20)
/// Releases the memory of these pages, and of the neighbours that were loaded with them; the next
/// access reads them again. Bytes outside the mapping are ignored.
void bspi_release_pages(const bspi_mapping *mapping, bsp_bytes bytes);

/// An entry of a folder.
typedef struct bspi_folder_entry {
    const char *name;
    bool folder; ///< else a regular file; devices are left out, and links too unless `links` is set
    uint64_t size;
} bspi_folder_entry;

/// Receives one entry. Returning false stops the listing.
typedef bool (*bspi_folder_visit)(void *user, const bspi_folder_entry *entry);

/// Lists a folder, in no particular order. With `links` a link stands for its target; without,
/// links are left out. Returns false when the folder cannot be read; a visit that stops the listing
/// is no failure.
bool bspi_list_folder(const char *path, bool links, bspi_folder_visit visit, void *user,
                      bsp_error *error);

/// Returns how many processors this process may run on, at least 1.
uint32_t bspi_processors(void);

/// Returns a monotonic time in nanoseconds from an unspecified start. For reports only: no product
/// may depend on it.
uint64_t bspi_clock(void);

#endif
