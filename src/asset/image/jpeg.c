// SPDX-License-Identifier: MIT
// JPEG, with libjpeg. Only this file uses libjpeg, and setjmp: libjpeg reports an error by a
// function that must not return. BSPKIT_JPEG=OFF builds the library without it.
#include "asset/image/image.h"

#ifdef BSPI_WITH_JPEG

#include <stdio.h>

#include <jpeglib.h>
#include <setjmp.h>

// Progressive files repeat the image; more scans than this are an attack.
#define MAX_SCANS 100

typedef struct reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_error_mgr errors;
    struct jpeg_progress_mgr progress;
    jmp_buf out;
    char message[JMSG_LENGTH_MAX];
} reader;

_Noreturn static void leave(j_common_ptr jpeg) {
    reader *r = jpeg->client_data;
    jpeg->err->format_message(jpeg, r->message);
    longjmp(r->out, 1);
}

static void say_nothing(j_common_ptr jpeg, int level) {
    (void)jpeg;
    (void)level;
}

static void watch_scans(j_common_ptr jpeg) {
    reader *r = jpeg->client_data;
    if (r->jpeg.input_scan_number > MAX_SCANS) {
        (void)snprintf(r->message, sizeof r->message, "too many scans");
        longjmp(r->out, 1);
    }
}

static void begin(reader *r, bsp_bytes bytes) {
    r->jpeg.err = jpeg_std_error(&r->errors);
    r->errors.error_exit = leave;
    r->errors.emit_message = say_nothing;
    r->jpeg.client_data = r;
    jpeg_create_decompress(&r->jpeg);
    r->jpeg.client_data = r;
    r->progress.progress_monitor = watch_scans;
    r->jpeg.progress = &r->progress;
    jpeg_mem_src(&r->jpeg, bytes.data, (unsigned long)bytes.size);
}

static bool read_head(reader *r, bsp_bytes bytes, const bsp_image_options *options,
                      bsp_error *error) {
    (void)jpeg_read_header(&r->jpeg, TRUE);
    uint64_t pixels = (uint64_t)r->jpeg.image_width * r->jpeg.image_height;
    // A block of 8 x 8 pixels takes at least one bit; libjpeg keeps the coefficients of progressive
    // files.
    if (pixels / 64 / 8 > bytes.size) {
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "a JPEG of %u x %u pixels", r->jpeg.image_width,
                        r->jpeg.image_height);
    }
    if (!bspi_image_fits(r->jpeg.image_width, r->jpeg.image_height, options, error)) {
        return false;
    }
    bool four = r->jpeg.jpeg_color_space == JCS_CMYK || r->jpeg.jpeg_color_space == JCS_YCCK;
    r->jpeg.out_color_space = four ? JCS_CMYK : JCS_EXT_RGBA;
    r->jpeg.dct_method = JDCT_ISLOW;
    return true;
}

// Adobe stores CMYK inverted; libjpeg does not change that.
static void colour_row(uint8_t *row, uint32_t width) {
    for (uint32_t x = 0; x < width; x++) {
        uint8_t *p = row + 4 * (size_t)x;
        for (int c = 0; c < 3; c++) {
            p[c] = (uint8_t)(p[c] * p[3] / 255);
        }
        p[3] = 255;
    }
}

static bool read_all(reader *r, bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                     bsp_error *error) {
    begin(r, bytes);
    if (!read_head(r, bytes, options, error) ||
        !bspi_image_new(r->jpeg.image_width, r->jpeg.image_height, options, out, error)) {
        return false;
    }
    memset(out->pixels, 0, 4 * (size_t)out->width * out->height);
    (void)jpeg_start_decompress(&r->jpeg);
    while (r->jpeg.output_scanline < r->jpeg.output_height) {
        uint8_t *row = out->pixels + 4 * (size_t)out->width * r->jpeg.output_scanline;
        (void)jpeg_read_scanlines(&r->jpeg, &row, 1);
        if (r->jpeg.out_color_space == JCS_CMYK) {
            colour_row(row, out->width);
        }
    }
    return true;
}

bool bspi_decode_jpeg(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                      bsp_error *error) {
    // No local variable here changes between setjmp and longjmp.
    reader r;
    bool done = false;
    memset(&r, 0, sizeof r);
    if (setjmp(r.out) != 0) {
        jpeg_destroy_decompress(&r.jpeg);
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "JPEG: %.200s", r.message);
    }
    done = read_all(&r, bytes, options, out, error);
    jpeg_destroy_decompress(&r.jpeg);
    return done;
}

#else

bool bspi_decode_jpeg(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                      bsp_error *error) {
    (void)bytes;
    (void)options;
    (void)out;
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "this build has no JPEG");
}

#endif
