// SPDX-License-Identifier: MIT
// The two containers of glTF: one binary file (glTF 2.0, 4.4), or JSON with files beside it.
#include "core/buffer.h"
#include "core/options.h"
#include "export/gltf.h"
#include "export/names.h"

#include <assert.h>
#include <string.h>

#define GLB_MAGIC 0x46546C67u
#define GLB_JSON 0x4E4F534Au
#define GLB_BIN 0x004E4942u

static bool to_buffer(void *user, const char *data, size_t size) {
    bspi_buffer *buffer = user;
    bspi_buffer_add(buffer, data, size);
    return !buffer->failed;
}

static bool write_glb(const bspi_layout *layout, const bspi_buffer *text, bsp_sink sink, void *user,
                      bsp_export_report *report, bsp_error *error) {
    bspi_out out;
    bspi_counted file = {.content = layout->content, .sink = sink, .user = user};
    uint64_t bin = layout->total == 0 ? 0 : 8 + layout->total;
    uint64_t total = 12 + 8 + (uint64_t)text->size + bin;
    if (total > UINT32_MAX) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "%llu bytes do not fit a .glb of 4 GiB",
                        (unsigned long long)total);
    }
    bspi_out_begin(&out, bspi_counted_sink, &file);
    bspi_out_u32(&out, GLB_MAGIC);
    bspi_out_u32(&out, 2);
    bspi_out_u32(&out, (uint32_t)total);
    bspi_out_u32(&out, (uint32_t)text->size);
    bspi_out_u32(&out, GLB_JSON);
    bspi_out_bytes(&out, text->data, text->size);
    if (bin != 0) {
        bspi_out_u32(&out, (uint32_t)layout->total);
        bspi_out_u32(&out, GLB_BIN);
        bspi_layout_write(layout, &out);
    }
    bool done = bspi_out_flush(&out);
    report->bytes = out.written;
    return done || bspi_sink_failed(layout->content, error);
}

static bool export_glb(bspi_content *content, bsp_sink sink, void *user, bsp_export_report *report,
                       bsp_error *error) {
    bspi_layout layout;
    bspi_buffer text = {.heap = &content->heap, .error = error};
    bsp_json json;
    bsp_json_begin(&json, to_buffer, &text);
    bool done = bspi_layout_build(&layout, content, true, error) &&
                bspi_gltf_document(content, &layout, &json, report, error) && !text.failed;
    while (done && text.size % 4 != 0) {
        bspi_buffer_add(&text, " ", 1);
        done = !text.failed;
    }
    done = done && write_glb(&layout, &text, sink, user, report, error);
    bspi_buffer_free(&text);
    return done;
}

bool bsp_export_glb(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                    void *user, bsp_export_report *report, bsp_error *error) {
    assert(sink != NULL);
    assert(map != NULL);
    bspi_content content;
    bsp_export_options taken;
    bsp_export_report unused;
    report = report == NULL ? &unused : report;
    memset(report, 0, sizeof *report);
    if (!BSPI_TAKE_OPTIONS(taken, options, error) ||
        !bspi_content_build(&content, map, &taken, true, error)) {
        return false;
    }
    bool done = export_glb(&content, sink, user, report, error);
    bspi_content_free(&content);
    return done;
}

static bool export_gltf(bspi_content *content, bsp_sink sink, void *user, bsp_export_report *report,
                        bsp_error *error) {
    bspi_layout layout;
    bsp_json json;
    bspi_counted main_file = {.content = content, .sink = sink, .user = user};
    bsp_json_begin(&json, bspi_counted_sink, &main_file);
    if (!bspi_layout_build(&layout, content, false, error) ||
        !bspi_gltf_document(content, &layout, &json, report, error)) {
        return false;
    }
    bool done = !json.failed;
    if (done && layout.total != 0) {
        char name[BSPI_NAME];
        bspi_name_file(content, ".bin", name);
        bspi_beside beside = {.content = content, .name = name};
        bspi_out out;
        bspi_out_begin(&out, bspi_beside_sink, &beside);
        bspi_layout_write(&layout, &out);
        done = bspi_out_flush(&out);
        report->bytes += out.written;
    }
    done = done && bspi_beside_images(content, &report->bytes);
    report->bytes += main_file.bytes;
    return done || bspi_sink_failed(content, error);
}

bool bsp_export_gltf(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                     void *user, bsp_export_report *report, bsp_error *error) {
    assert(sink != NULL);
    assert(map != NULL);
    bspi_content content;
    bsp_export_options taken;
    bsp_export_report unused;
    report = report == NULL ? &unused : report;
    memset(report, 0, sizeof *report);
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return false;
    }
    if (taken.files == NULL) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "a .gltf needs files beside it");
    }
    if (!bspi_content_build(&content, map, &taken, true, error)) {
        return false;
    }
    bool done = export_gltf(&content, sink, user, report, error);
    bspi_content_free(&content);
    return done;
}
