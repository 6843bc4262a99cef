// SPDX-License-Identifier: MIT
// VTF 7.0 to 7.5, and 7.6 (Strata) where its images are deflated. The smallest mip stands first;
// each mip contains frames, a frame faces, a face slices. Format: sheet outputs, section 5.1; the
// sizes of packed images (resource AXC: i32 size of itself, i32 level, then a size for each mip,
// frame and face, the smallest mip first) were read from samples of Strata.
#include "asset/image/image.h"
#include "asset/layouts.h"

#include "core/memory.h"

#include <assert.h>
#include <libdeflate.h>

#define MAX_RESOURCES 64u
#define INLINE_VALUE 2u
#define MAX_MIPS 16u

// Converts codes that changed when 7.5 removed the console formats.
static int32_t modern_format(int32_t code, uint32_t minor) {
    return minor < 5 && code >= 36 && code <= 38 ? code - 3 : code;
}

// --- sizes --------------------------------------------------------------------------------------

static uint32_t shrunk(uint32_t size, uint32_t mip) {
    uint32_t less = size >> mip;
    return less == 0 ? 1 : less;
}

// Dimensions have 16 bits, so nothing here exceeds 64.
uint64_t bspi_vtf_image_size(const bspi_pixel_format *format, uint32_t width, uint32_t height) {
    return format->block != NULL ? (uint64_t)((width + 3) / 4) * ((height + 3) / 4) * format->bytes
                                 : (uint64_t)width * height * format->bytes;
}

// Returns the bytes of all slices of a face in one mip.
static uint64_t face_size(const bsp_vtf *vtf, const bspi_pixel_format *format, uint32_t mip) {
    return bspi_vtf_image_size(format, shrunk(vtf->width, mip), shrunk(vtf->height, mip)) *
           shrunk(vtf->depth, mip);
}

static uint64_t total_size(const bsp_vtf *vtf, const bspi_pixel_format *format, uint32_t faces) {
    uint64_t sum = 0;
    for (uint32_t mip = 0; mip < vtf->mips; mip++) {
        sum += face_size(vtf, format, mip) * vtf->frames * faces;
    }
    return sum;
}

// --- the head -----------------------------------------------------------------------------------

typedef struct parts {
    uint64_t image; // offset of the images, 0 if there are none
    uint64_t packed_sizes;
} parts;

// Reads the list of resources, which exists from 7.3 on.
static void read_resources(bsp_bytes bytes, parts *out) {
    size_t at = bspi_vtf_t.size + bspi_vtf_depth_t.size;
    bsp_bytes counts = bspi_slice(bytes, at, bspi_vtf_resources_t.size);
    if (counts.size == 0) {
        return;
    }
    bsp_table head = {&bspi_vtf_resources_t, counts.data, 1, false};
    uint32_t count = (uint32_t)bsp_table_int(&head, 0, BSPI_VTF_NUM_RESOURCES, 0);
    at += counts.size;
    for (uint32_t i = 0; i < count && i < MAX_RESOURCES; i++) {
        bsp_bytes entry =
            bspi_slice(bytes, at + (size_t)i * bspi_vtf_resource_t.size, bspi_vtf_resource_t.size);
        if (entry.size == 0) {
            return;
        }
        bsp_table resource = {&bspi_vtf_resource_t, entry.data, 1, false};
        if (bsp_table_int(&resource, 0, BSPI_VTF_RESOURCE_FLAGS, 0) & INLINE_VALUE) {
            continue;
        }
        uint64_t offset = (uint64_t)bsp_table_int(&resource, 0, BSPI_VTF_OFFSET, 0);
        if (memcmp(entry.data, "\x30\0\0", 3) == 0) {
            out->image = offset;
        } else if (memcmp(entry.data, "AXC", 3) == 0) {
            out->packed_sizes = offset;
        }
    }
}

// Before 7.3 the image follows the head and the small image.
static uint64_t image_behind(const bsp_table *head, uint32_t minor) {
    uint64_t at = (uint64_t)bsp_table_int(head, 0, BSPI_VTF_HEAD_SIZE, 0);
    int32_t code = (int32_t)bsp_table_int(head, 0, BSPI_VTF_LOW_FORMAT, 0);
    const bspi_pixel_format *low = bspi_vtf_format(modern_format(code, minor));
    uint32_t width = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_LOW_SIZE, 0);
    uint32_t height = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_LOW_SIZE, 1);
    return low == NULL ? at : at + bspi_vtf_image_size(low, width, height);
}

static void read_fields(const bsp_table *head, bsp_vtf *out) {
    out->minor = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_VERSION, 1);
    out->width = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_SIZE, 0);
    out->height = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_SIZE, 1);
    out->flags = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_FLAGS, 0);
    out->frames = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_FRAMES, 0);
    out->mips = (uint32_t)bsp_table_int(head, 0, BSPI_VTF_MIPS, 0);
    out->format = modern_format((int32_t)bsp_table_int(head, 0, BSPI_VTF_FORMAT, 0), out->minor);
    for (uint32_t c = 0; c < 3; c++) {
        out->reflectivity[c] = bsp_table_float(head, 0, BSPI_VTF_REFLECTIVITY, c);
    }
    out->frames = out->frames == 0 ? 1 : out->frames;
    out->mips = out->mips == 0 ? 1 : out->mips > MAX_MIPS ? MAX_MIPS : out->mips;
    out->depth = 1;
    out->faces = (out->flags & BSP_VTF_CUBE) != 0 ? 6 : 1;
}

// A cube has a seventh face if the file has bytes for it.
static void count_faces(bsp_vtf *vtf, uint64_t stated) {
    const bspi_pixel_format *format = bspi_vtf_format(vtf->format);
    if (format != NULL && vtf->faces == 6 && vtf->minor >= 1 && vtf->minor <= 4 &&
        total_size(vtf, format, 7) <= stated) {
        vtf->faces = 7;
    }
}

bool bsp_vtf_read(bsp_bytes bytes, bsp_vtf *out, bsp_error *error) {
    assert(out != NULL);
    bsp_table head;
    memset(out, 0, sizeof *out);
    if (!bspi_image_head(bytes, &bspi_vtf_t, &head, error)) {
        return false;
    }
    if (memcmp(bytes.data, "VTF", 4) != 0 || bsp_table_int(&head, 0, BSPI_VTF_VERSION, 0) != 7 ||
        bsp_table_int(&head, 0, BSPI_VTF_VERSION, 1) > 6) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "no VTF of version 7.0 to 7.6");
    }
    read_fields(&head, out);
    bsp_bytes depth = bspi_slice(bytes, bspi_vtf_t.size, bspi_vtf_depth_t.size);
    if (out->minor >= 2 && depth.size != 0) {
        uint32_t slices = bspi_load16(depth.data, false);
        out->depth = slices == 0 ? 1 : slices;
    }
    parts p = {0};
    if (out->minor >= 3) {
        read_resources(bytes, &p);
    } else {
        p.image = image_behind(&head, out->minor);
    }
    if (p.image != 0 && p.image < bytes.size) {
        out->pixels = bspi_slice(bytes, p.image, bytes.size - p.image);
    }
    bsp_bytes sizes = bspi_slice(bytes, p.packed_sizes, 8);
    if (p.packed_sizes != 0 && sizes.size != 0 && bspi_load32(sizes.data + 4, false) != 0) {
        out->sizes = bspi_slice(bytes, p.packed_sizes + 8, bspi_load32(sizes.data, false) - 4u);
    }
    count_faces(out, out->pixels.size);
    return true;
}

// --- an image -----------------------------------------------------------------------------------

static void decode_pixels(const bspi_pixel_format *format, const uint8_t *p, bsp_image *out) {
    size_t count = (size_t)out->width * out->height;
    for (size_t i = 0; i < count; i++) {
        format->pixel(p + i * format->bytes, out->pixels + 4 * i);
    }
}

static void decode_blocks(const bspi_pixel_format *format, const uint8_t *p, bsp_image *out) {
    for (uint32_t y = 0; y < out->height; y += 4) {
        for (uint32_t x = 0; x < out->width; x += 4, p += format->bytes) {
            uint8_t block[64];
            format->block(p, block);
            uint32_t across = out->width - x < 4 ? out->width - x : 4;
            for (uint32_t row = 0; row < 4 && y + row < out->height; row++) {
                uint8_t *to = out->pixels + 4 * ((size_t)(y + row) * out->width + x);
                memcpy(to, block + 16 * (size_t)row, 4 * (size_t)across);
            }
        }
    }
}

static bool decode_image(const bspi_pixel_format *format, const bsp_vtf *vtf,
                         const bsp_image_options *options, bsp_bytes bytes, bsp_image *out,
                         bsp_error *error) {
    uint32_t width = shrunk(vtf->width, options->mip);
    uint32_t height = shrunk(vtf->height, options->mip);
    bsp_bytes image = bspi_slice(bytes, bspi_vtf_image_size(format, width, height) * options->slice,
                                 bspi_vtf_image_size(format, width, height));
    if (image.size == 0) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the pixels are not all there");
    }
    if (!bspi_image_new(width, height, options, out, error)) {
        return false;
    }
    if (format->block != NULL) {
        decode_blocks(format, image.data, out);
    } else {
        decode_pixels(format, image.data, out);
    }
    return true;
}

// --- packed images (7.6) ------------------------------------------------------------------------

// Returns the packed bytes of a mip, frame and face.
static bsp_bytes packed_face(const bsp_vtf *vtf, const bsp_image_options *options) {
    uint64_t wanted =
        ((uint64_t)(vtf->mips - 1 - options->mip) * vtf->frames + options->frame) * vtf->faces +
        options->face;
    uint64_t at = 0;
    bsp_bytes none = {NULL, 0};
    if (wanted >= vtf->sizes.size / 4) {
        return none;
    }
    for (uint64_t i = 0; i < wanted; i++) {
        at += bspi_load32(vtf->sizes.data + 4 * i, false);
    }
    return bspi_slice(vtf->pixels, at, bspi_load32(vtf->sizes.data + 4 * wanted, false));
}

static bool decode_packed(const bspi_pixel_format *format, const bsp_vtf *vtf,
                          const bsp_image_options *options, bsp_image *out, bsp_error *error) {
    bsp_bytes packed = packed_face(vtf, options);
    uint64_t size = face_size(vtf, format, options->mip);
    if (packed.size == 0 || size / 1040 > packed.size) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "the packed pixels are not all there");
    }
    bspi_heap heap;
    bspi_image_heap(&heap, options);
    uint8_t *pixels = bspi_heap_alloc(&heap, (size_t)size, error);
    struct libdeflate_decompressor *d = pixels == NULL ? NULL : libdeflate_alloc_decompressor();
    bool done = false;
    if (d != NULL) {
        done =
            libdeflate_zlib_decompress(d, packed.data, packed.size, pixels, (size_t)size, NULL) ==
                    LIBDEFLATE_SUCCESS
                ? decode_image(format, vtf, options, (bsp_bytes){pixels, (size_t)size}, out, error)
                : bsp_fail(error, BSP_E_DAMAGED, NULL, "the packed pixels are damaged");
    } else if (pixels != NULL) {
        bsp_fail(error, BSP_E_MEMORY, NULL, "no memory to inflate");
    }
    libdeflate_free_decompressor(d);
    bspi_heap_free(&heap, pixels, (size_t)size);
    return done;
}

bool bspi_decode_vtf(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    bsp_vtf vtf;
    if (!bsp_vtf_read(bytes, &vtf, error)) {
        return false;
    }
    const bspi_pixel_format *format = bspi_vtf_format(vtf.format);
    if (format == NULL) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "pixel format %d", (int)vtf.format);
    }
    if (options->mip >= vtf.mips || options->frame >= vtf.frames || options->face >= vtf.faces ||
        options->slice >= shrunk(vtf.depth, options->mip)) {
        return bsp_fail(
            error, BSP_E_ARGUMENT, NULL, "the texture has %u mips, %u frames, %u faces, %u slices",
            (unsigned)vtf.mips, (unsigned)vtf.frames, (unsigned)vtf.faces, (unsigned)vtf.depth);
    }
    if (vtf.sizes.size != 0) {
        return decode_packed(format, &vtf, options, out, error);
    }
    uint64_t at = 0;
    for (uint32_t mip = vtf.mips - 1; mip > options->mip; mip--) {
        at += face_size(&vtf, format, mip) * vtf.frames * vtf.faces;
    }
    uint64_t size = face_size(&vtf, format, options->mip);
    at += size * ((uint64_t)options->frame * vtf.faces + options->face);
    return decode_image(format, &vtf, options, bspi_slice(vtf.pixels, at, size), out, error);
}
