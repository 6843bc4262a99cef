// SPDX-License-Identifier: MIT
// The file of coloured light beside a map of Quake, NAME.lit: see light_file.c.
#ifndef BSPI_LIGHT_FILE_H
#define BSPI_LIGHT_FILE_H

#include "records/file.h"

#define BSPI_LIGHT_FILE_MAGIC "QLIT"
#define BSPI_LIGHT_FILE_HEAD 8u // bytes: the magic word, and a version
#define BSPI_LIGHT_FILE_RGB 1u  // the version with three bytes a luxel

/// Sets info.light_file: the file that the caller gave, or that beside the map at `path`, which may
/// be NULL. The directory must have been read.
bool bspi_light_file_open(bsp_file *file, const char *path, const bsp_open_options *options,
                          bsp_error *error);

void bspi_light_file_close(bsp_file *file);

#endif
