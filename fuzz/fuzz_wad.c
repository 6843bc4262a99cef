// SPDX-License-Identifier: MIT
// A WAD: every lump is decoded as the image of its type, at every mip.
#include "meter.h"

#define MOST ((size_t)1 << 22)

static void decode(fuzz_meter *meter, const bsp_blob *blob, bsp_text name) {
    bsp_bytes bytes = {blob->data, blob->size};
    for (uint32_t mip = 0; mip < 5; mip++) {
        bsp_image_options options = {.mip = mip,
                                     .hole = mip % 2 != 0,
                                     .allocator = &meter->allocator,
                                     .budget = fuzz_budget(meter, 4 * MOST)};
        bsp_image image;
        if (bsp_image_decode(bytes, bsp_image_detect(bytes, name), &options, &image, NULL)) {
            FUZZ_CHECK(image.width <= BSP_IMAGE_MAX && image.height <= BSP_IMAGE_MAX);
            FUZZ_CHECK((size_t)image.width * image.height <= blob->size);
            bsp_image_free(&image);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_search_options options = {
        .allocator = &meter.allocator, .budget = fuzz_budget(&meter, 4 * MOST), .file_limit = MOST};
    bsp_search *search = bsp_search_new(&options, NULL);
    FUZZ_CHECK(search != NULL);
    if (size >= 4 && data[0] == 'W') {
        (void)bsp_search_add_memory(search, "input", (bsp_bytes){data, size}, NULL);
    }
    size_t count;
    const bsp_asset *list = bsp_search_list(search, &count);
    for (size_t i = 0; i < count && i < 64; i++) {
        bsp_blob blob;
        if (bsp_search_read(search, list[i].name, &blob, NULL)) {
            decode(&meter, &blob, list[i].name);
            bsp_blob_free(&blob);
        }
    }
    bsp_search_free(search);
    fuzz_meter_end(&meter, size);
    return 0;
}
