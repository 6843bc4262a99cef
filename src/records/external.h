// SPDX-License-Identifier: MIT
// Files beside a map that hold some of its lumps.
#ifndef BSPI_RECORDS_EXTERNAL_H
#define BSPI_RECORDS_EXTERNAL_H

#include "records/file.h"

/// Sets info.external: the files that the caller gave, or those beside the map at `path`, which may
/// be NULL.
bool bspi_external_open(bsp_file *file, const char *path, const bsp_open_options *options,
                        bsp_error *error);

void bspi_external_close(bsp_file *file);

/// Returns the index of the file that replaces a lump of the directory, or BSP_NONE.
uint32_t bspi_external_find(const bsp_file *file, uint32_t lump);

/// Reports files that are not read, and files whose size is not that of the directory.
void bspi_external_issues(const bsp_file *file, bsp_issues *issues);

/// Returns the number of .ent files, and describes them as lumps in `out` if it is not NULL.
uint32_t bspi_external_entities(const bsp_file *file, bsp_lump *out);

/// Sets file->entities.
bool bspi_external_join(bsp_file *file, bsp_error *error);

#endif
