// SPDX-License-Identifier: MIT
// An image: the first byte selects the format, the rest is the file. A decoded image can be written
// as a PNG, which decodes to the same.
#include "meter.h"

#include <string.h>

#define MOST ((size_t)1 << 23)

static void write_and_read(const bsp_image *image, const bsp_image_options *options) {
    bsp_blob blob;
    bsp_image back;
    if (bsp_image_write_png(image, options->allocator, &blob, NULL)) {
        bsp_bytes bytes = {blob.data, blob.size};
        bsp_error error;
        if (!bsp_image_decode(bytes, BSP_IMAGE_PNG, options, &back, &error)) {
            FUZZ_CHECK(error.code == BSP_E_UNSUPPORTED); // built without libpng
            bsp_blob_free(&blob);
            return;
        }
        FUZZ_CHECK(back.width == image->width && back.height == image->height);
        FUZZ_CHECK(memcmp(back.pixels, image->pixels, (size_t)4 * back.width * back.height) == 0);
        bsp_image_free(&back);
        bsp_blob_free(&blob);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    if (size != 0) {
        bsp_bytes bytes = {data + 1, size - 1};
        bsp_image_options options = {.hole = (data[0] & 0x80) != 0,
                                     .palette = bsp_palette_of(bytes),
                                     .allocator = &meter.allocator,
                                     .budget = fuzz_budget(&meter, MOST)};
        bsp_image image;
        if (bsp_image_decode(bytes, (bsp_image_format)(data[0] % 12), &options, &image, NULL)) {
            FUZZ_CHECK(image.width != 0 && image.width <= BSP_IMAGE_MAX);
            FUZZ_CHECK(image.height != 0 && image.height <= BSP_IMAGE_MAX);
            if (image.width * image.height <= 256 * 256) {
                write_and_read(&image, &options);
            }
            bsp_image_free(&image);
        }
    }
    fuzz_meter_end(&meter, size);
    return 0;
}
