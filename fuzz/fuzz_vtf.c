// SPDX-License-Identifier: MIT
// A VTF: images at the ends of every dimension decode to the size that the head states, or fail.
#include "meter.h"

#define MOST ((size_t)1 << 23)

static uint32_t expected(uint32_t size, uint32_t mip) {
    return size >> mip == 0 ? 1 : size >> mip;
}

static void decode(fuzz_meter *meter, bsp_bytes bytes, const bsp_vtf *vtf, uint32_t which) {
    bsp_image_options options = {.mip = which & 1 ? vtf->mips - 1 : 0,
                                 .frame = which & 2 ? vtf->frames - 1 : 0,
                                 .face = which & 4 ? vtf->faces - 1 : 0,
                                 .slice = which & 8 ? vtf->depth - 1 : 0,
                                 .allocator = &meter->allocator,
                                 .budget = fuzz_budget(meter, MOST)};
    bsp_image image;
    if (bsp_image_decode(bytes, BSP_IMAGE_VTF, &options, &image, NULL)) {
        FUZZ_CHECK(bsp_vtf_format_name(vtf->format) != NULL);
        FUZZ_CHECK(image.width == expected(vtf->width, options.mip));
        FUZZ_CHECK(image.height == expected(vtf->height, options.mip));
        bsp_image_free(&image);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_bytes bytes = {data, size};
    bsp_vtf vtf;
    if (bsp_vtf_read(bytes, &vtf, NULL)) {
        FUZZ_CHECK(vtf.mips != 0 && vtf.frames != 0 && vtf.faces != 0 && vtf.depth != 0);
        FUZZ_CHECK(vtf.pixels.size <= size && vtf.sizes.size <= size);
        for (uint32_t which = 0; which < 16; which++) {
            decode(&meter, bytes, &vtf, which);
        }
    }
    fuzz_meter_end(&meter, size);
    return 0;
}
