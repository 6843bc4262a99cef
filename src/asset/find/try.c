// SPDX-License-Identifier: MIT
// Tries to decode one file as a texture.
#include "asset/find/textures.h"

#include <stdio.h>

// --- tries --------------------------------------------------------------------------------------

static void set_source(bsp_texture *out, const bsp_asset *asset) {
    snprintf(out->source, sizeof out->source, "%.*s: %.*s", BSPI_TEXT(asset->source),
             BSPI_TEXT(asset->name));
}

// Returns true if the file is in the map's own pak.
static bool is_of_map(const bsp_textures *t, const bsp_asset *asset) {
    const bsp_search *own = t->search;
    return own->count != 0 && asset >= own->assets && asset < own->assets + own->count;
}

static bspi_try give_up(bspi_finding *f, const bsp_error *why, const char *path) {
    if (bspi_out_of_memory(why, f->error)) {
        return BSPI_FAILED;
    }
    snprintf(f->out->note, sizeof f->out->note, "%.250s: %.255s", path, why->message);
    return BSPI_NO;
}

// Returns the frame of a picture that is shown now; one that it does not have becomes its first.
static uint32_t frame_of(const bspi_finding *f, bsp_bytes bytes, bsp_image_format format) {
    bsp_vtf vtf;
    if ((f->rate == 0 && f->frame == 0) || format != BSP_IMAGE_VTF ||
        !bsp_vtf_read(bytes, &vtf, NULL)) {
        return 0;
    }
    uint32_t frame = f->rate > 0 ? bspi_textures_frame(f->textures, f->rate, vtf.frames) : f->frame;
    return frame < vtf.frames ? frame : 0;
}

bspi_try bspi_try_image(bspi_finding *f, bool hole, const char *format, ...) {
    char path[BSPI_NAME_ROOM];
    va_list arguments;
    va_start(arguments, format);
    int size = vsnprintf(path, sizeof path, format, arguments);
    va_end(arguments);
    const bsp_textures *t = f->textures;
    bsp_text name = bsp_text_of(path);
    const bsp_asset *asset =
        size > 0 && (size_t)size < sizeof path ? bsp_search_find(t->search, name) : NULL;
    bsp_blob blob;
    bsp_error why = {0};
    if (asset == NULL) {
        return BSPI_NO;
    }
    if (!bsp_search_read(t->search, name, &blob, &why)) {
        return give_up(f, &why, path);
    }
    f->out->read += is_of_map(t, asset) ? 0 : blob.size;
    bsp_bytes bytes = {blob.data, blob.size};
    bsp_image_format kind = bsp_image_detect(bytes, asset->name);
    bsp_image_options options = {.palette = t->palette,
                                 .hole = hole,
                                 .frame = frame_of(f, bytes, kind),
                                 .allocator = &t->heap.allocator,
                                 .budget = t->heap.budget};
    bool done = bsp_image_decode(bytes, kind, &options, &f->out->image, &why);
    bsp_blob_free(&blob);
    if (!done) {
        return give_up(f, &why, path);
    }
    f->out->width = f->out->image.width;
    f->out->height = f->out->image.height;
    set_source(f->out, asset);
    return BSPI_YES;
}

bspi_try bspi_try_any(bspi_finding *f, bsp_text name, const char *const *endings) {
    bspi_try result = bspi_try_image(f, false, "%.*s", BSPI_TEXT(name));
    size_t size = name.size;
    for (size_t back = 1; back <= 5 && back < size; back++) {
        if (name.data[size - back] == '.') {
            name.size = size - back;
            break;
        }
    }
    for (size_t i = 0; result == BSPI_NO && endings[i] != NULL; i++) {
        result = bspi_try_image(f, false, "%.*s%s", BSPI_TEXT(name), endings[i]);
    }
    return result;
}

bspi_try bspi_try_fill(bspi_finding *f, const uint8_t colour[4], const char *source) {
    if (!bsp_image_fill(8, 8, colour, &f->textures->heap.allocator, &f->out->image, f->error)) {
        return BSPI_FAILED;
    }
    f->out->width = 8;
    f->out->height = 8;
    snprintf(f->out->source, sizeof f->out->source, "%s", source);
    return BSPI_YES;
}
