// SPDX-License-Identifier: MIT
// The head of NAME.lit: see light_file.c.
#ifndef BSPI_LIGHT_FILE_H
#define BSPI_LIGHT_FILE_H

#define BSPI_LIGHT_FILE_MAGIC "QLIT"
#define BSPI_LIGHT_FILE_HEAD 8u // bytes: the magic word, and a version
#define BSPI_LIGHT_FILE_RGB 1u  // the version with three bytes a luxel

#endif
