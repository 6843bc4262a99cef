// SPDX-License-Identifier: MIT
// The pixels of a PNG, compressed in bands of rows, each by itself, which threads take.
#ifndef BSPI_ASSET_IMAGE_PNG_BANDS_H
#define BSPI_ASSET_IMAGE_PNG_BANDS_H

#include "asset/image/png_write.h"

/// A band that was compressed.
typedef struct bspi_png_band {
    size_t packed; ///< bytes; 0: its rows are stored as they are
    uint32_t sum;  ///< Adler-32 of its rows
} bspi_png_band;

/// What is compressed. The first members are the caller's.
typedef struct bspi_png_bands {
    const bspi_picture *image;
    const bspi_png_kind *kind;
    uint32_t threads;    ///< at most
    bspi_png_band *list; ///< for `count`
    /// For each row of the image `stride` bytes. What becomes of a band replaces them. Indices
    /// stand there before; other rows are made of the image. These may be its own pixels, where
    /// bspi_png_bands_fit says so.
    uint8_t *store;
    size_t stride;
    uint8_t *room;                          ///< `thread_room` bytes for each thread
    struct libdeflate_compressor **deflate; ///< one for each thread
    uint32_t height;                        ///< rows of a band, but the last
    uint32_t count;
    size_t thread_room;
} bspi_png_bands;

/// Divides an image: fills height, count, thread_room, and lowers `threads` to what is worth it.
void bspi_png_bands_plan(bspi_png_bands *bands);
/// Returns true if bands fit into the pixels of their image, of which the last row of each is kept
/// for the next one.
bool bspi_png_bands_fit(const bspi_png_bands *bands);
/// Compresses all rows.
void bspi_png_bands_pack(bspi_png_bands *bands);
/// Returns the size of all bands as one stream of zlib.
size_t bspi_png_bands_size(const bspi_png_bands *bands);
/// Writes that stream to `out`. Returns its end.
uint8_t *bspi_png_bands_write(const bspi_png_bands *bands, uint8_t *out);

#endif
