// SPDX-License-Identifier: MIT
// JPEG, with libjpeg. Only this file uses libjpeg, and setjmp: libjpeg reports an error by a
// function that must not return. BSPKIT_JPEG=OFF builds the library without it.
#include "asset/image/image.h"

#include <assert.h>

#ifdef BSPI_WITH_JPEG

#include <stdio.h>

#include <jpeglib.h>
#include <setjmp.h>

// Progressive files repeat the image; more scans than this are an attack.
#define MAX_SCANS 100

#define DEFAULT_QUALITY 90u
#define FIRST_ROOM ((size_t)65536)

// Where an error goes.
typedef struct guard {
    struct jpeg_error_mgr errors;
    jmp_buf out;
    char message[JMSG_LENGTH_MAX];
} guard;

typedef struct reader {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_progress_mgr progress;
    guard guard;
} reader;

_Noreturn static void leave(j_common_ptr jpeg) {
    guard *g = jpeg->client_data;
    jpeg->err->format_message(jpeg, g->message);
    longjmp(g->out, 1);
}

static void say_nothing(j_common_ptr jpeg, int level) {
    (void)jpeg;
    (void)level;
}

static void watch_scans(j_common_ptr jpeg) {
    guard *g = jpeg->client_data;
    if (((j_decompress_ptr)jpeg)->input_scan_number > MAX_SCANS) {
        (void)snprintf(g->message, sizeof g->message, "too many scans");
        longjmp(g->out, 1);
    }
}

// Returns what the error manager of a new object is to be.
static struct jpeg_error_mgr *errors_of(guard *g) {
    (void)jpeg_std_error(&g->errors);
    g->errors.error_exit = leave;
    g->errors.emit_message = say_nothing;
    return &g->errors;
}

static void begin(reader *r, bsp_bytes bytes) {
    r->jpeg.err = errors_of(&r->guard);
    r->jpeg.client_data = &r->guard;
    jpeg_create_decompress(&r->jpeg);
    r->jpeg.client_data = &r->guard;
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
    if (setjmp(r.guard.out) != 0) {
        jpeg_destroy_decompress(&r.jpeg);
        return bsp_fail(error, BSP_E_DAMAGED, NULL, "JPEG: %.200s", r.guard.message);
    }
    done = read_all(&r, bytes, options, out, error);
    jpeg_destroy_decompress(&r.jpeg);
    return done;
}

// --- writing ------------------------------------------------------------------------------------

typedef struct writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr to;
    guard guard;
    bspi_heap heap;
    uint8_t *data;
    size_t room;
    bsp_error *error;
    bool refused; // by the heap, which has filled the error
} writer;

static void grow(writer *w, size_t room) {
    uint8_t *data = bspi_heap_resize(&w->heap, w->data, w->room, room, w->error);
    if (data == NULL) {
        w->refused = true;
        longjmp(w->guard.out, 1);
    }
    w->to.next_output_byte = data + w->room;
    w->to.free_in_buffer = room - w->room;
    w->data = data;
    w->room = room;
}

static writer *writer_of(j_compress_ptr jpeg) {
    return (writer *)(void *)jpeg; // its first member
}

static void begin_output(j_compress_ptr jpeg) {
    grow(writer_of(jpeg), FIRST_ROOM);
}

static boolean more_output(j_compress_ptr jpeg) {
    grow(writer_of(jpeg), writer_of(jpeg)->room * 2);
    return TRUE;
}

static void end_output(j_compress_ptr jpeg) {
    (void)jpeg;
}

static void write_all(writer *w, const bsp_image *image, uint32_t quality) {
    jpeg_create_compress(&w->jpeg);
    w->jpeg.client_data = &w->guard;
    w->to = (struct jpeg_destination_mgr){.init_destination = begin_output,
                                          .empty_output_buffer = more_output,
                                          .term_destination = end_output};
    w->jpeg.dest = &w->to;
    w->jpeg.image_width = image->width;
    w->jpeg.image_height = image->height;
    w->jpeg.input_components = 4;
    w->jpeg.in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(&w->jpeg);
    jpeg_set_quality(&w->jpeg, (int)(quality == 0 ? DEFAULT_QUALITY : quality), TRUE);
    w->jpeg.dct_method = JDCT_ISLOW;
    w->jpeg.optimize_coding = TRUE;
    jpeg_start_compress(&w->jpeg, TRUE);
    while (w->jpeg.next_scanline < image->height) {
        uint8_t *row = image->pixels + 4 * (size_t)image->width * w->jpeg.next_scanline;
        (void)jpeg_write_scanlines(&w->jpeg, &row, 1);
    }
    jpeg_finish_compress(&w->jpeg);
}

static bool write_jpeg(writer *w, const bsp_image *image, uint32_t quality) {
    // No local variable here changes between setjmp and longjmp.
    w->jpeg.err = errors_of(&w->guard);
    w->jpeg.client_data = &w->guard;
    if (setjmp(w->guard.out) != 0) {
        jpeg_destroy_compress(&w->jpeg);
        return w->refused
                   ? false
                   : bsp_fail(w->error, BSP_E_MEMORY, NULL, "JPEG: %.200s", w->guard.message);
    }
    write_all(w, image, quality);
    jpeg_destroy_compress(&w->jpeg);
    return true;
}

bool bsp_image_write_jpeg(const bsp_image *image, uint32_t quality, const bsp_allocator *allocator,
                          bsp_blob *out, bsp_error *error) {
    assert(image != NULL && out != NULL);
    *out = (bsp_blob){0};
    if (image->width == 0 || image->height == 0 || image->width > BSP_IMAGE_MAX ||
        image->height > BSP_IMAGE_MAX || quality > 100) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "an image of %u x %u pixels, quality %u",
                        (unsigned)image->width, (unsigned)image->height, (unsigned)quality);
    }
    writer w;
    memset(&w, 0, sizeof w);
    w.error = error;
    bspi_heap_init(&w.heap, allocator, 0);
    if (!write_jpeg(&w, image, quality)) {
        bspi_heap_free(&w.heap, w.data, w.room);
        return false;
    }
    size_t size = w.room - w.to.free_in_buffer;
    uint8_t *fitted = bspi_heap_resize(&w.heap, w.data, w.room, size, error);
    if (fitted == NULL) {
        bspi_heap_free(&w.heap, w.data, w.room);
        return false;
    }
    *out = (bsp_blob){fitted, size, w.heap.allocator};
    return true;
}

#else

bool bsp_image_write_jpeg(const bsp_image *image, uint32_t quality, const bsp_allocator *allocator,
                          bsp_blob *out, bsp_error *error) {
    assert(image != NULL && out != NULL);
    (void)quality;
    (void)allocator;
    *out = (bsp_blob){0};
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "this build has no JPEG");
}

bool bspi_decode_jpeg(bsp_bytes bytes, const bsp_image_options *options, bsp_image *out,
                      bsp_error *error) {
    (void)bytes;
    (void)options;
    (void)out;
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "this build has no JPEG");
}

#endif
