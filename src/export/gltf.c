// SPDX-License-Identifier: MIT
// The glTF document: what its sections share, views, buffers and images (glTF 2.0, 3).
#include "export/gltf.h"

#include "export/names.h"

#define ARRAY_BUFFER 34962u
#define ELEMENT_ARRAY_BUFFER 34963u

static void write_head(const bspi_gltf *gltf) {
    bsp_json *json = gltf->json;
    bool unlit = false;
    bool lights = bspi_gltf_count_lights(gltf->content) != 0;
    for (uint32_t i = 0; i < gltf->content->num_finishes; i++) {
        unlit = unlit || bspi_finish_unlit(gltf->content, &gltf->content->finishes[i]);
    }
    bsp_json_key(json, "asset");
    bsp_json_object(json);
    bsp_json_key(json, "version");
    bsp_json_string(json, "2.0");
    bsp_json_key(json, "generator");
    bsp_json_string(json, "bspkit");
    bsp_json_key(json, "extras");
    bsp_json_object(json);
    bsp_json_key(json, "game_unit");
    bsp_json_float(json, gltf->content->scale);
    bsp_json_object_end(json);
    bsp_json_object_end(json);
    if (unlit || lights) {
        bsp_json_key(json, "extensionsUsed");
        bsp_json_array(json);
        if (lights) {
            bsp_json_string(json, "KHR_lights_punctual");
        }
        if (unlit) {
            bsp_json_string(json, "KHR_materials_unlit");
        }
        bsp_json_array_end(json);
    }
    bsp_json_key(json, "scene");
    bsp_json_uint(json, 0);
}

static void write_view(bsp_json *json, uint64_t offset, uint64_t size) {
    bsp_json_object(json);
    bsp_json_key(json, "buffer");
    bsp_json_uint(json, 0);
    if (offset != 0) {
        bsp_json_key(json, "byteOffset");
        bsp_json_uint(json, offset);
    }
    bsp_json_key(json, "byteLength");
    bsp_json_uint(json, size);
}

static void write_array_view(const bspi_layout *layout, int array, bsp_json *json) {
    bool indices = array >= BSPI_SHORTS;
    write_view(json, layout->offset[array], layout->size[array]);
    if (!indices) {
        bsp_json_key(json, "byteStride");
        bsp_json_uint(json, bspi_array_stride[array]);
    }
    bsp_json_key(json, "target");
    bsp_json_uint(json, indices ? ELEMENT_ARRAY_BUFFER : ARRAY_BUFFER);
    bsp_json_object_end(json);
}

/// The views of images.
typedef struct image_views {
    bsp_json *json;
    uint64_t offset;
} image_views;

static void write_image_view(void *user, const bsp_blob *png) {
    image_views *views = user;
    write_view(views->json, views->offset, png->size);
    bsp_json_object_end(views->json);
    views->offset += (png->size + 3) & ~(uint64_t)3;
}

static uint32_t write_views(const bspi_gltf *gltf) {
    const bspi_layout *layout = gltf->layout;
    bsp_json *json = gltf->json;
    uint32_t count = 0;
    image_views views = {json, layout->offset[BSPI_LONGS] + ((layout->size[BSPI_LONGS] + 3) & ~3u)};
    if (layout->total == 0) {
        return 0;
    }
    bsp_json_key(json, "bufferViews");
    bsp_json_array(json);
    for (int a = 0; a < BSPI_ARRAYS; a++) {
        if (layout->size[a] != 0) {
            write_array_view(layout, a, json);
            count++;
        }
    }
    if (layout->embed) {
        bspi_each_image(gltf->content, write_image_view, &views);
    }
    bsp_json_array_end(json);
    bsp_json_key(json, "buffers");
    bsp_json_array(json);
    bsp_json_object(json);
    if (!layout->embed) {
        char name[BSPI_NAME];
        char uri[3 * BSPI_NAME];
        bspi_name_file(gltf->content, ".bin", name);
        bspi_name_uri(name, uri);
        bsp_json_key(json, "uri");
        bsp_json_string(json, uri);
    }
    bsp_json_key(json, "byteLength");
    bsp_json_uint(json, layout->total);
    bsp_json_object_end(json);
    bsp_json_array_end(json);
    return count;
}

static void write_image(const bspi_gltf *gltf, const char *name, bsp_text label, uint32_t view) {
    bsp_json *json = gltf->json;
    char uri[3 * BSPI_NAME];
    bsp_json_object(json);
    bsp_json_key(json, "name");
    bsp_json_text(json, label);
    if (gltf->layout->embed) {
        bsp_json_key(json, "bufferView");
        bsp_json_uint(json, view);
        bsp_json_key(json, "mimeType");
        bsp_json_string(json, "image/png");
    } else {
        bspi_name_uri(name, uri);
        bsp_json_key(json, "uri");
        bsp_json_string(json, uri);
    }
    bsp_json_object_end(json);
}

static void write_images(const bspi_gltf *gltf, uint32_t first_view) {
    const bspi_content *content = gltf->content;
    char name[BSPI_NAME];
    if (content->num_images + content->num_pages == 0) {
        return;
    }
    bsp_json_key(gltf->json, "images");
    bsp_json_array(gltf->json);
    for (uint32_t i = 0; i < content->paints.num_images; i++) {
        const bspi_png *image = &content->paints.images[i];
        if (image->number != BSP_NONE) {
            bspi_name_image(content, image, name);
            write_image(gltf, name, bspi_image_name(content, image), first_view + image->number);
        }
    }
    for (uint32_t i = 0; i < content->num_pages; i++) {
        bspi_name_page(content, i, name);
        write_image(gltf, name, bsp_text_of(name), first_view + content->num_images + i);
    }
    bsp_json_array_end(gltf->json);
}

static bool number_meshes(bspi_gltf *gltf, bspi_arena *arena, bsp_error *error) {
    const bspi_content *content = gltf->content;
    uint32_t count = 0;
    gltf->mesh_of = bspi_arena_raw(arena, content->num_shapes, sizeof *gltf->mesh_of, error);
    for (uint32_t s = 0; gltf->mesh_of != NULL && s < content->num_shapes; s++) {
        bool any = content->first_part[s] != content->first_part[s + 1];
        gltf->mesh_of[s] = any ? count++ : BSP_NONE;
    }
    return gltf->mesh_of != NULL;
}

bool bspi_gltf_document(const bspi_content *content, const bspi_layout *layout, bsp_json *json,
                        bsp_export_report *report, bsp_error *error) {
    bspi_arena arena;
    bspi_arena_init(&arena, (bspi_heap *)(uintptr_t)&content->heap);
    bspi_gltf gltf = {.content = content,
                      .layout = layout,
                      .json = json,
                      .report = report,
                      .notes = {.scene = content->scene, .links = content->links},
                      .first_page = content->num_images};
    bool done = number_meshes(&gltf, &arena, error);
    if (done) {
        bsp_json_object(json);
        write_head(&gltf);
        done = bspi_gltf_nodes(&gltf, error);
        bspi_gltf_meshes(&gltf);
        bspi_gltf_materials(&gltf);
        write_images(&gltf, write_views(&gltf));
        bsp_json_object_end(json);
        (void)bsp_json_flush(json);
    }
    report->materials = content->num_finishes;
    report->images = content->num_images + content->num_pages;
    report->missing = content->paints.missing;
    report->missing_models = content->scene->num_missing;
    report->links_cut = content->links->cut;
    bspi_arena_free(&arena);
    return done;
}
