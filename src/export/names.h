// SPDX-License-Identifier: MIT
// The files beside the main one, and their names.
#ifndef BSPI_EXPORT_NAMES_H
#define BSPI_EXPORT_NAMES_H

#include "export/sink.h"

#define BSPI_NAME 512 ///< room for a name, including the NUL
#define BSPI_LABEL 65 ///< room for a label, including the NUL

/// Reduces a material's name to letters, digits, '-' and '_'.
void bspi_name_label(bsp_text name, char label[BSPI_LABEL]);

/// Makes the name STEM + ending.
void bspi_name_file(const bspi_content *content, const char *ending, char out[BSPI_NAME]);
/// Returns the name of the material, or decal, that first uses an image.
bsp_text bspi_image_name(const bspi_content *content, const bspi_png *image);
/// Makes a name as STEM_007_wood.png.
void bspi_name_image(const bspi_content *content, const bspi_png *image, char out[BSPI_NAME]);
/// Makes a name as STEM_light_0.png or STEM_baked_0.png.
void bspi_name_page(const bspi_content *content, uint32_t page, char out[BSPI_NAME]);
/// Converts a name to a relative URI: reserved characters become %XX.
void bspi_name_uri(const char *name, char out[3 * BSPI_NAME]);

/// A file beside the main one, for bspi_beside_sink.
typedef struct bspi_beside {
    const bspi_content *content;
    const char *name;
    bspi_counted counted; ///< private
} bspi_beside;

/// A bsp_sink; `user` is a bspi_beside.
bool bspi_beside_sink(void *user, const char *data, size_t size);
/// Writes all images beside the main file and adds their size to `bytes`. Returns false if the
/// caller's function did.
bool bspi_beside_images(const bspi_content *content, uint64_t *bytes);

#endif
