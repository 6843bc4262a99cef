// SPDX-License-Identifier: MIT
// A model: a file of any format, or an archive (PAK) of the files that belong together. Its records
// are checked and written, and a mesh is made in several poses.
#include "meter.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST ((size_t)1 << 24)

static bool drop(void *user, const char *data, size_t size) {
    size_t *left = user;
    (void)data;
    *left -= size < *left ? size : *left;
    return *left != 0;
}

static void read_records(bsp_bytes bytes, const bsp_model_open_options *options) {
    bsp_error error;
    bsp_model_file *file = bsp_model_file_open_memory(bytes, "m", options, &error);
    if (file != NULL) {
        size_t left = (size_t)1 << 20; // of text
        bsp_json json;
        FUZZ_CHECK(bsp_model_detect(bytes));
        (void)bsp_model_check(file, options->issues, &error);
        bsp_json_begin(&json, drop, &left);
        (void)bsp_model_dump_part_json(file, 0, &json, &error);
        (void)bsp_json_flush(&json);
        bsp_model_file_close(file);
    }
}

static void check_mesh(const bsp_model_info *info, const bsp_model_mesh *mesh) {
    uint64_t indices = 0;
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        for (int axis = 0; axis < 3; axis++) {
            FUZZ_CHECK(isfinite(mesh->vertices[i].position[axis]));
            FUZZ_CHECK(isfinite(mesh->vertices[i].normal[axis]));
        }
        for (int k = 0; mesh->weights != NULL && k < 4; k++) {
            FUZZ_CHECK(mesh->weights[i].bone[k] < mesh->num_bones);
        }
    }
    for (uint32_t i = 0; i < mesh->num_groups; i++) {
        const bsp_model_group *g = &mesh->groups[i];
        FUZZ_CHECK(g->material == BSP_NONE || g->material < info->num_materials);
        FUZZ_CHECK(g->first_index == indices && g->num_indices % 3 == 0);
        for (uint32_t k = 0; k < g->num_indices; k++) {
            uint32_t index = mesh->indices[g->first_index + k];
            FUZZ_CHECK(index >= g->first_vertex && index - g->first_vertex < g->num_vertices);
        }
        indices += g->num_indices;
    }
    FUZZ_CHECK(indices == mesh->num_indices);
    for (uint32_t i = 0; i < mesh->num_bones; i++) {
        FUZZ_CHECK(mesh->bones[i].parent == BSP_NONE || mesh->bones[i].parent < i);
    }
    for (uint32_t i = 0; i < mesh->num_hulls; i++) {
        const bsp_model_hull *h = &mesh->hulls[i];
        FUZZ_CHECK(h->bone == BSP_NONE || h->bone < mesh->num_bones);
        for (uint32_t k = 0; k < h->num_indices; k++) {
            uint32_t index = mesh->hull_indices[h->first_index + k];
            FUZZ_CHECK(index >= h->first_point && index - h->first_point < h->num_points);
        }
    }
    for (uint32_t i = 0; i < mesh->num_hull_points; i++) {
        FUZZ_CHECK(isfinite(mesh->hull_points[i][0]) && isfinite(mesh->hull_points[i][1]) &&
                   isfinite(mesh->hull_points[i][2]));
    }
}

static void make_meshes(const bsp_model_asset *model) {
    static const bsp_model_pose poses[] = {
        {.frame = 0},
        {.frame = 1, .skin = 1, .time = 0.15F, .body = 1, .lod = 1},
        {.sequence = 1, .frame = 3, .time = 1e9F},
        {.bind_pose = true, .frame = UINT32_MAX, .skin = UINT32_MAX, .body = UINT32_MAX},
    };
    const bsp_model_info *info = bsp_model_get_info(model);
    for (size_t i = 0; i < sizeof poses / sizeof *poses; i++) {
        bsp_model_mesh *mesh = bsp_model_mesh_build(model, &poses[i], NULL);
        if (mesh != NULL) {
            check_mesh(info, mesh);
            bsp_model_mesh_free(mesh);
        }
    }
    bsp_image image;
    for (uint32_t i = 0; i < info->num_materials && i < 4; i++) {
        if (bsp_model_image(model, i, &image, NULL)) {
            bsp_image_free(&image);
        }
    }
}

// Opens every file of an archive as a model.
static void open_all(bsp_bytes archive, const bsp_model_open_options *options) {
    bsp_search_options how = {.budget = options->budget, .allocator = options->allocator};
    bsp_search *search = bsp_search_new(&how, NULL);
    size_t count = 0;
    if (search != NULL && bsp_search_add_memory(search, "pak", archive, NULL)) {
        const bsp_asset *list = bsp_search_list(search, &count);
        for (size_t i = 0; i < count && i < 8; i++) {
            bsp_model_asset *model = bsp_model_open(search, list[i].name, options, NULL);
            if (model != NULL) {
                make_meshes(model);
                bsp_model_close(model);
            }
        }
    }
    bsp_search_free(search);
}

static void put32(uint8_t *p, size_t value) {
    for (int i = 0; i < 4; i++) {
        p[i] = (uint8_t)(value >> 8 * i);
    }
}

// Opens one file by way of an archive that holds it.
static void open_one(bsp_bytes bytes, const bsp_model_open_options *options) {
    size_t size = 12 + bytes.size + 64;
    uint8_t *pak = malloc(size);
    if (pak == NULL) {
        return;
    }
    memset(pak, 0, size);
    memcpy(pak, "PACK", 4);
    put32(pak + 4, 12 + bytes.size);
    put32(pak + 8, 64);
    if (bytes.size != 0) {
        memcpy(pak + 12, bytes.data, bytes.size);
    }
    memcpy(pak + 12 + bytes.size, "models/m.mdl", 12);
    put32(pak + 12 + bytes.size + 56, 12);
    put32(pak + 12 + bytes.size + 60, bytes.size);
    open_all((bsp_bytes){pak, size}, options);
    free(pak);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    bsp_issues *issues = bsp_issues_new(NULL, 2);
    bsp_model_open_options options = {
        .allocator = &meter.allocator, .budget = fuzz_budget(&meter, MOST), .issues = issues};
    bsp_bytes bytes = {data, size};
    if (size > 4 && memcmp(data, "PACK", 4) == 0) {
        open_all(bytes, &options);
    } else {
        read_records(bytes, &options);
        open_one(bytes, &options);
    }
    bsp_issues_free(issues);
    fuzz_meter_end(&meter, size);
    return 0;
}
