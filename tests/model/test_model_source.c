// SPDX-License-Identifier: MIT
// Source models that are made here, byte by byte: strips and meshes that draw nothing cost work,
// and the work is counted; texts have an end.
#define _POSIX_C_SOURCE 200809L // mkdtemp, rmdir

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HEAD 408u  // bytes of the head of a model
#define PART 16u   // of a body part
#define MODEL 148u // of its model
#define MESH 116u  // of a mesh
#define STRIPS 36u // of the head of strips
#define GROUP 25u  // of a group of strips
#define STRIP 27u  // of a strip

/// Bytes of a file that is being made.
typedef struct bytes {
    uint8_t *data;
    size_t size;
} bytes;

static bytes make(size_t size) {
    bytes made = {calloc(size, 1), size};
    assert_non_null(made.data);
    return made;
}

static void put32(const bytes *to, size_t at, size_t value) {
    assert_true(at + 4 <= to->size);
    for (size_t i = 0; i < 4; i++) {
        to->data[at + i] = (uint8_t)(value >> 8 * i);
    }
}

// A model of one body part with one model, which has `meshes` meshes.
static bytes make_model(uint32_t meshes) {
    bytes out = make(HEAD + PART + MODEL + (size_t)meshes * MESH);
    memcpy(out.data, "IDST", 4);
    put32(&out, 4, 48);
    put32(&out, 76, out.size);
    put32(&out, 232, 1); // body parts
    put32(&out, 236, HEAD);
    put32(&out, HEAD + 4, 1); // models, from the body part
    put32(&out, HEAD + 12, PART);
    put32(&out, HEAD + PART + 72, meshes); // meshes, from the model
    put32(&out, HEAD + PART + 76, MODEL);
    return out;
}

static bytes make_vertices(uint32_t count) {
    bytes out = make(64 + (size_t)count * 48);
    memcpy(out.data, "IDSV", 4);
    put32(&out, 4, 4);
    put32(&out, 12, 1); // levels of detail
    put32(&out, 16, count);
    put32(&out, 56, 64); // where vertices and tangents start
    put32(&out, 60, 64);
    return out;
}

// Strips of one model: `meshes` meshes; the first has a group of `strips` strips, each of which
// draws all of the group's `indices` indices; the group has no vertices.
static bytes make_strips(uint32_t meshes, uint32_t strips, uint32_t indices) {
    size_t first = STRIPS + 8 + 8 + 12; // after body part, model and level of detail
    size_t group = first + (size_t)meshes * 9;
    size_t strip = group + GROUP;
    size_t index = strip + (size_t)strips * STRIP;
    bytes out = make(index + (size_t)indices * 2);
    put32(&out, 0, 7);
    put32(&out, 20, 1); // levels of detail
    put32(&out, 28, 1); // body parts
    put32(&out, 32, STRIPS);
    put32(&out, STRIPS, 1); // models
    put32(&out, STRIPS + 4, 8);
    put32(&out, STRIPS + 8, 1); // levels of detail
    put32(&out, STRIPS + 12, 8);
    put32(&out, STRIPS + 16, meshes);
    put32(&out, STRIPS + 20, 12);
    put32(&out, first, 1); // groups of strips
    put32(&out, first + 4, group - first);
    put32(&out, group + 8, indices);
    put32(&out, group + 12, index - group);
    put32(&out, group + 16, strips);
    put32(&out, group + 20, strip - group);
    for (uint32_t i = 0; i < strips; i++) {
        put32(&out, strip + (size_t)i * STRIP, indices);
    }
    return out;
}

static void write_file(const char *folder, const char *name, bytes made) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(made.data, 1, made.size, file), made.size);
    assert_int_equal(fclose(file), 0);
    free(made.data);
}

static void remove_file(const char *folder, const char *name) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(unlink(path), 0);
}

// Returns BSP_OK or why the mesh cannot be made with so many steps of work.
static bsp_code build_with(uint32_t meshes, uint32_t vertices, uint32_t strips, uint32_t indices,
                           uint64_t work) {
    char folder[] = "/tmp/bspkit_source_XXXXXX";
    char path[128];
    bsp_error error = {.code = BSP_OK};
    assert_non_null(mkdtemp(folder));
    write_file(folder, "a.mdl", make_model(meshes));
    write_file(folder, "a.vvd", make_vertices(vertices));
    write_file(folder, "a.dx90.vtx", make_strips(meshes, strips, indices));
    snprintf(path, sizeof path, "%s/a.mdl", folder);
    bsp_model_asset *model = bsp_model_open_path(path, NULL, &error);
    assert_non_null(model);
    assert_int_equal(bsp_model_get_info(model)->num_vertices, vertices);
    assert_int_equal(bsp_model_get_info(model)->num_triangles, strips * (indices / 3));
    bsp_limits limits = {.work = work};
    bsp_budget *budget = bsp_budget_new(&limits, NULL);
    bsp_model_pose pose = {.budget = budget};
    bsp_model_mesh *mesh = bsp_model_mesh_build(model, &pose, &error);
    assert_true((mesh != NULL) == (error.code == BSP_OK));
    if (mesh != NULL) {
        assert_int_equal(mesh->num_indices, 0);
    }
    bsp_model_mesh_free(mesh);
    bsp_budget_free(budget);
    bsp_model_close(model);
    remove_file(folder, "a.mdl");
    remove_file(folder, "a.vvd");
    remove_file(folder, "a.dx90.vtx");
    assert_int_equal(rmdir(folder), 0);
    return error.code;
}

// 300 strips of 3,000 indices are 900,000 corners, out of a file of 14 KB.
static void strips_without_triangles_cost_work(void **state) {
    (void)state;
    assert_int_equal(build_with(1, 16, 300, 3000, 800000), BSP_E_LIMIT);
    assert_int_equal(build_with(1, 16, 300, 3000, 1000000), BSP_OK);
}

// The table of a model with 65,536 vertices is cleared for each of 500 meshes.
static void meshes_without_triangles_cost_work(void **state) {
    (void)state;
    assert_int_equal(build_with(500, 65536, 1, 3, 1000000), BSP_E_LIMIT);
    assert_int_equal(build_with(500, 65536, 1, 3, 8000000), BSP_OK);
}

// Returns how many bytes the name of a material has whose text goes on for so many bytes.
static size_t name_size(size_t letters) {
    char folder[] = "/tmp/bspkit_source_XXXXXX";
    char path[128];
    assert_non_null(mkdtemp(folder));
    bytes made = make(HEAD + 64 + letters + 1);
    memcpy(made.data, "IDST", 4);
    put32(&made, 4, 48);
    put32(&made, 76, made.size);
    put32(&made, 204, 1); // textures
    put32(&made, 208, HEAD);
    put32(&made, HEAD, 64); // the name, from the texture
    memset(made.data + HEAD + 64, 'x', letters);
    write_file(folder, "a.mdl", made);
    snprintf(path, sizeof path, "%s/a.mdl", folder);
    bsp_model_asset *model = bsp_model_open_path(path, NULL, NULL);
    assert_non_null(model);
    assert_int_equal(bsp_model_get_info(model)->num_materials, 1);
    size_t size = bsp_model_get_info(model)->materials[0].name.size;
    bsp_model_close(model);
    remove_file(folder, "a.mdl");
    assert_int_equal(rmdir(folder), 0);
    return size;
}

// A text is not looked for through the whole file.
static void texts_end_soon(void **state) {
    (void)state;
    assert_int_equal(name_size(0), 0);
    assert_int_equal(name_size(260), 260);
    assert_int_equal(name_size(1023), 1023);
    assert_int_equal(name_size(1024), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strips_without_triangles_cost_work),
        cmocka_unit_test(meshes_without_triangles_cost_work),
        cmocka_unit_test(texts_end_soon),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
