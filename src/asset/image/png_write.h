// SPDX-License-Identifier: MIT
// PNG files, written without libpng: what their pixels need, their filters, their chunks.
#ifndef BSPI_ASSET_IMAGE_PNG_WRITE_H
#define BSPI_ASSET_IMAGE_PNG_WRITE_H

#include "bspkit/asset.h"
#include "core/memory.h"

#define BSPI_PNG_COLORS 256u
#define BSPI_PNG_THREADS 16u // of a packer at most

/// Pixels that are written: rows from the top, 4 bytes each: red, green, blue, alpha.
typedef struct bspi_picture {
    const uint8_t *pixels; ///< borrowed
    uint32_t width;
    uint32_t height;
} bspi_picture;

/// How the pixels of an image are stored: the narrowest way that loses nothing.
typedef struct bspi_png_kind {
    bool listed;       ///< pixels are indices of `colors`
    uint32_t channels; ///< of a pixel: 1 grey or an index, 2 grey and alpha, 3 RGB, 4 RGBA
    uint32_t depth;    ///< bits of a channel: 8, or less for indices
    size_t row;        ///< bytes, without the byte that names the filter
    uint32_t num_colors;
    uint8_t colors[BSPI_PNG_COLORS][4]; ///< RGBA, in the order in which pixels show them
} bspi_png_kind;

/// Lists the colours of the image and writes the index of each pixel to `indices`: rows of a zero
/// byte and `width` indices. Returns false if there are more colours than a list holds.
bool bspi_png_list(const bspi_picture *image, bspi_png_kind *kind, uint8_t *indices);
/// Decides how the pixels are stored; `listed` is what bspi_png_list returned. A large image is
/// read by at most `threads` threads, 0 for one.
void bspi_png_choose(const bspi_picture *image, bool listed, uint32_t threads, bspi_png_kind *kind);

/// Makes the rows of indices that bspi_png_list wrote as narrow as `kind` says, in place.
void bspi_png_narrow(const bspi_picture *image, const bspi_png_kind *kind, uint8_t *rows);

/// Returns how many bytes bspi_png_filter needs besides the rows.
size_t bspi_png_filter_room(const bspi_png_kind *kind);
/// Writes the pixels of an image whose colours are not listed to `rows`, as filtered rows of 1 +
/// kind->row bytes: those from `first` to before `end`. `room` is for its own use.
void bspi_png_filter(const bspi_picture *image, const bspi_png_kind *kind, uint32_t first,
                     uint32_t end, uint8_t *room, uint8_t *rows);

/// Packs images, one after another: keeps the memory of rows for the next one. Used by one thread
/// at a time.
typedef struct bspi_png_packer {
    bspi_heap *heap; ///< counts all memory; borrowed
    struct libdeflate_compressor *deflate[BSPI_PNG_THREADS];
    uint8_t *rows;
    size_t rows_room;
    uint32_t threads; ///< that filter and compress the rows of a large image; 0 is one
} bspi_png_packer;

void bspi_png_packer_begin(bspi_png_packer *packer, bspi_heap *heap);
/// Packs an image. The heap counts the bytes of `out`: bspi_heap_give them to the caller, or
/// bspi_heap_discharge them when the blob is freed. Returns false without memory, over a limit, or
/// for an image without pixels or larger than BSP_IMAGE_MAX.
bool bspi_png_pack(bspi_png_packer *packer, const bspi_picture *image, bsp_blob *out,
                   bsp_error *error);
/// Does the same with an image that is not needed afterwards, in whose memory its rows are packed
/// where they fit. It is freed, also on failure.
bool bspi_png_pack_away(bspi_png_packer *packer, bsp_image *image, bsp_blob *out, bsp_error *error);
void bspi_png_packer_end(bspi_png_packer *packer);

#endif
