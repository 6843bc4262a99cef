// SPDX-License-Identifier: MIT
// The models of samples/models against what tools/make_models.py says of them: a crate of 32 units
// in every format. Its volume, its bounds in each pose and the pictures of its sides are known by
// hand.
#include "support/model_samples.h"

// --- the crate -----------------------------------------------------------------------------------

// Six times the volume is the sum of the triple products of its triangles; it is above 0 if they
// are counter-clockwise from outside.
static double volume_of(const bsp_model_mesh *mesh) {
    double sum = 0;
    for (uint32_t i = 0; i < mesh->num_indices; i += 3) {
        const float *a = mesh->vertices[mesh->indices[i]].position;
        const float *b = mesh->vertices[mesh->indices[i + 1]].position;
        const float *c = mesh->vertices[mesh->indices[i + 2]].position;
        sum += (double)a[0] * ((double)b[1] * (double)c[2] - (double)b[2] * (double)c[1]) -
               (double)a[1] * ((double)b[0] * (double)c[2] - (double)b[2] * (double)c[0]) +
               (double)a[2] * ((double)b[0] * (double)c[1] - (double)b[1] * (double)c[0]);
    }
    return sum / 6;
}

static void assert_box(const bsp_model_mesh *mesh, const float mins[3], const float maxs[3]) {
    for (int axis = 0; axis < 3; axis++) {
        assert_true(fabsf(mesh->mins[axis] - mins[axis]) < 0.01F);
        assert_true(fabsf(mesh->maxs[axis] - maxs[axis]) < 0.01F);
    }
}

static void crates_have_the_volume_of_a_cube(void **state) {
    (void)state;
    for (size_t i = 0; i < CRATES; i++) {
        bsp_model_asset *model = open_sample(crates[i].path);
        const bsp_model_info *info = bsp_model_get_info(model);
        bsp_model_mesh *mesh = build(model, NULL);
        float half = strstr(crates[i].path, "16") == NULL ? 0 : 0.125F; // the low bytes: 0.5 * 0.25
        const float mins[3] = {-16 + half, -16, -16};
        const float maxs[3] = {16 + half, 16, 16};
        assert_string_equal(info->format->name, crates[i].format);
        // The second surface of the GLM is a place for other models: it is counted and not drawn.
        assert_int_equal(info->num_triangles, strcmp(crates[i].format, "glm") == 0 ? 13 : 12);
        assert_int_equal(mesh->num_indices, 36);
        assert_true(fabs(volume_of(mesh) - 32768) < 8);
        assert_box(mesh, mins, maxs);
        assert_memory_equal(mesh->mins, info->mins, sizeof info->mins);
        bsp_model_mesh_free(mesh);
        bsp_model_close(model);
    }
}

static void frames_are_lifted(void **state) {
    (void)state;
    for (size_t i = 0; i < CRATES; i++) {
        bsp_model_asset *model = open_sample(crates[i].path);
        bsp_model_pose pose = {.frame = 1000};
        bsp_model_mesh *rest = build(model, NULL);
        bsp_model_mesh *last = build(model, crates[i].up == 0 ? NULL : &pose);
        assert_true(fabsf(last->mins[2] - rest->mins[2] - crates[i].up) < 0.01F);
        assert_true(fabsf(last->maxs[2] - rest->maxs[2] - crates[i].up) < 0.01F);
        bsp_model_mesh_free(rest);
        bsp_model_mesh_free(last);
        bsp_model_close(model);
    }
}

// Every side is two triangles that cover the picture once: a corner at each of the four places.
static void sides_show_the_whole_picture(void **state) {
    (void)state;
    for (size_t i = 0; i < CRATES; i++) {
        bsp_model_asset *model = open_sample(crates[i].path);
        bsp_model_mesh *mesh = build(model, NULL);
        double area = 0;
        for (uint32_t k = 0; crates[i].squares && k < mesh->num_indices; k += 3) {
            const float *a = mesh->vertices[mesh->indices[k]].uv;
            const float *b = mesh->vertices[mesh->indices[k + 1]].uv;
            const float *c = mesh->vertices[mesh->indices[k + 2]].uv;
            area += ((double)b[0] - (double)a[0]) * ((double)c[1] - (double)a[1]) -
                    ((double)b[1] - (double)a[1]) * ((double)c[0] - (double)a[0]);
        }
        // v grows downwards, so that what is counter-clockwise has a negative area.
        assert_true(!crates[i].squares || fabs(area / 2 + 6) < 1e-5);
        bsp_model_mesh_free(mesh);
        bsp_model_close(model);
    }
}

// --- Quake ---------------------------------------------------------------------------------------

static void groups_follow_the_time(void **state) {
    (void)state;
    bsp_model_asset *model = open_sample("quake/progs/torch.mdl");
    // The second frame is a group of two poses, until 0.1 and 0.2 seconds; then it begins again.
    static const float times[] = {0, 0.05F, 0.15F, 0.25F, 0.35F};
    static const float lifts[] = {0, 0, 8, 0, 8};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        bsp_model_pose pose = {.frame = 1, .skin = 1, .time = times[i]};
        bsp_model_mesh *mesh = build(model, &pose);
        assert_true(fabsf(mesh->maxs[2] - 16 - lifts[i]) < 0.01F);
        // The second skin has pictures 1 and 2, until 0.1 and 0.3 seconds.
        float in_round = fmodf(times[i], 0.3F);
        assert_int_equal(mesh->groups[0].material, in_round < 0.1F ? 1 : 2);
        bsp_model_mesh_free(mesh);
    }
    const bsp_model_info *info = bsp_model_get_info(model);
    assert_int_equal(info->num_skins, 2);
    assert_int_equal(info->num_materials, 3);
    assert_int_equal(info->num_sequences, 2);
    assert_memory_equal(info->sequences[0].name.data, "rest", 4);
    assert_memory_equal(info->sequences[1].name.data, "up", 2);
    bsp_model_close(model);
}

// The side -x faces the back: texels of the seam (the corners at +x) are not on it, so nothing is
// shifted; vertices at +x on other sides keep their texel 4 of 16.
static void seams_are_shifted_on_the_back_only(void **state) {
    (void)state;
    bsp_model_asset *model = open_sample("quake/progs/crate.mdl");
    bsp_model_mesh *mesh = build(model, NULL);
    assert_int_equal(mesh->num_vertices, 8);
    for (uint32_t i = 0; i < mesh->num_vertices; i++) {
        float s = mesh->vertices[i].position[0] > 0 ? 4.5F / 16 : 0.5F / 16;
        float t = mesh->vertices[i].position[2] > 0 ? 15.5F / 16 : 0.5F / 16;
        assert_true(fabsf(mesh->vertices[i].uv[0] - s) < 1e-6F);
        assert_true(fabsf(mesh->vertices[i].uv[1] - t) < 1e-6F);
    }
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

// The index 104 of a grey palette is 104; 255 would be a hole, and in Hexen II 0.
static void pictures_are_decoded(void **state) {
    static const char *const paths[] = {"quake/progs/crate.mdl", "hexen2/models/crate.mdl"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bsp_model_asset *model = open_sample(paths[i]);
        bsp_image image;
        bsp_error error;
        assert_true(bsp_model_image(model, 0, &image, &error));
        assert_int_equal(image.width, 16);
        assert_int_equal(image.height, 16);
        static const uint8_t border[4] = {104, 104, 104, 255};
        static const uint8_t inside[4] = {100, 100, 100, 255};
        assert_memory_equal(image.pixels, border, 4);
        assert_memory_equal(image.pixels + 4 * (16 + 2), inside, 4);
        bsp_image_free(&image);
        assert_false(bsp_model_image(model, 9, &image, &error));
        assert_int_equal(error.code, BSP_E_ARGUMENT);
        bsp_model_close(model);
    }
}

// --- Quake 3 and IQM -----------------------------------------------------------------------------

static void skins_name_materials(void **state) {
    (void)state;
    bsp_error error;
    bsp_search *search = bsp_search_new(NULL, &error);
    assert_true(bsp_search_add(search, SAMPLES "quake3", &error));
    bsp_model_asset *model = bsp_model_open(search, bsp_text_of("models/crate.md3"), NULL, &error);
    assert_non_null(model);
    const bsp_model_info *info = bsp_model_get_info(model);
    static const char *const names[] = {"models/crate/oak", "models/crate/lids.tga",
                                        "models/crate/red", "nodraw"};
    assert_int_equal(info->num_skins, 2);
    assert_int_equal(info->num_materials, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(bsp_text_equal(info->materials[i].name, bsp_text_of(names[i])));
    }
    bsp_model_pose red = {.skin = 1};
    bsp_model_mesh *mesh = build(model, &red);
    assert_int_equal(mesh->num_groups, 1); // the lids are not drawn
    assert_int_equal(mesh->groups[0].material, 2);
    assert_int_equal(mesh->num_indices, 24);
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
    bsp_search_free(search);
}

static void tags_turn_and_rise(void **state) {
    (void)state;
    bsp_model_asset *model = open_sample("quake3/models/crate.md3");
    bsp_model_pose pose = {.frame = 1};
    bsp_model_mesh *mesh = build(model, &pose);
    // Forward is +y, left is -x: a quarter turn, 8 units up.
    static const float place[3][4] = {{0, -1, 0, 0}, {1, 0, 0, 0}, {0, 0, 1, 24}};
    assert_int_equal(mesh->num_attachments, 1);
    assert_true(bsp_text_equal(mesh->attachments[0].name, bsp_text_of("tag_top")));
    assert_memory_equal(mesh->attachments[0].place, place, sizeof place);
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

// The second frame lifts the bone of the upper corners by 8.
static void bones_move_their_vertices(void **state) {
    static const char *const paths[] = {"quake3/models/crate.iqm", "quake3/models/crate1.iqm",
                                        "goldsrc/models/crate.mdl"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        bsp_model_asset *model = open_sample(paths[i]);
        bsp_model_pose up = {.frame = 1};
        bsp_model_pose bind = {.frame = 1, .bind_pose = true};
        bsp_model_mesh *mesh = build(model, &up);
        bsp_model_mesh *raw = build(model, &bind);
        assert_int_equal(mesh->num_bones, 2);
        assert_int_equal(mesh->bones[1].parent, 0);
        assert_true(fabsf(mesh->bones[1].place[2][3] - 24) < 1e-4F);
        assert_true(fabsf(mesh->maxs[2] - 24) < 1e-4F && fabsf(mesh->mins[2] + 16) < 1e-4F);
        assert_true(fabsf(raw->maxs[2] - 16) < 1e-4F);
        for (uint32_t v = 0; v < mesh->num_vertices; v++) {
            bool top = raw->vertices[v].position[2] > 0;
            assert_int_equal(mesh->weights[v].bone[0], top ? 1 : 0);
            assert_true(mesh->weights[v].weight[0] == 1.0F);
        }
        bool colored = strcmp(bsp_model_get_info(model)->format->name, "iqm") == 0;
        assert_int_equal(mesh->vertices[16].color[0][1], colored ? 128 : 255); // the upper side
        bsp_model_mesh_free(mesh);
        bsp_model_mesh_free(raw);
        bsp_model_close(model);
    }
}

// --- Raven ---------------------------------------------------------------------------------------

static void packed_frames_lift_the_upper_half(void **state) {
    static const char *const paths[] = {"raven/models/crate.mdr", "raven/models/packed.mdr"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        bsp_model_asset *model = open_sample(paths[i]);
        bsp_model_pose up = {.frame = 1};
        bsp_model_mesh *mesh = build(model, &up);
        assert_int_equal(bsp_model_get_info(model)->num_frames, 2);
        assert_true(fabsf(mesh->maxs[2] - 24) < 0.01F && fabsf(mesh->mins[2] + 16) < 0.01F);
        assert_int_equal(mesh->num_attachments, 1);
        assert_true(bsp_text_equal(mesh->attachments[0].name, bsp_text_of("tag_top")));
        assert_true(fabsf(mesh->attachments[0].place[2][3] - 24) < 0.01F);
        bsp_model_mesh_free(mesh);
        bsp_model_close(model);
    }
}

// The weight of the file is 255 + 3 * 256 of 1023: all of it; the second, of bone 1, is what is
// left.
static void skeletons_are_found(void **state) {
    (void)state;
    bsp_model_asset *model = open_sample("raven/models/crate.glm");
    bsp_model_mesh *mesh = build(model, NULL);
    assert_int_equal(mesh->num_bones, 2);
    assert_true(bsp_text_equal(mesh->bones[1].name, bsp_text_of("top")));
    assert_int_equal(mesh->bones[1].parent, 0);
    for (uint32_t v = 0; v < mesh->num_vertices; v++) {
        assert_int_equal(mesh->weights[v].bone[0], mesh->vertices[v].position[2] > 0 ? 1 : 0);
        assert_true(mesh->weights[v].weight[0] == 1.0F && mesh->weights[v].weight[1] == 0);
    }
    assert_int_equal(mesh->num_groups, 1);
    bsp_model_mesh_free(mesh);
    bsp_model_close(model);
}

// --- sprites -------------------------------------------------------------------------------------

static void sprites_are_rectangles(void **state) {
    static const struct {
        const char *path;
        float box[4]; // left, right, bottom, top as a viewer at +x sees them
        bsp_alpha alpha;
    } sprites[] = {
        {"quake/progs/spark.spr", {-8, 8, -8, 8}, BSP_ALPHA_TEST},
        {"quake/progs/spark32.spr", {-8, 8, -8, 8}, BSP_ALPHA_BLEND},
        {"goldsrc/sprites/glow.spr", {-8, 8, -8, 8}, BSP_ALPHA_ADD},
        {"goldsrc/sprites/smoke.spr", {-8, 8, -8, 8}, BSP_ALPHA_BLEND},
        {"quake2/sprites/spark.sp2", {-16, 16, -8, 8}, BSP_ALPHA_TEST},
    };
    (void)state;
    for (size_t i = 0; i < sizeof sprites / sizeof *sprites; i++) {
        bsp_model_asset *model = open_sample(sprites[i].path);
        bsp_model_mesh *mesh = build(model, NULL);
        assert_true(mesh->sprite);
        assert_int_equal(mesh->facing, BSP_SPRITE_PARALLEL);
        // A viewer in front of the sprite, looking to -x, has +y on the right: the sheet's right is
        // -y of the sprite itself.
        const float mins[3] = {0, -sprites[i].box[1], sprites[i].box[2]};
        const float maxs[3] = {0, -sprites[i].box[0], sprites[i].box[3]};
        assert_box(mesh, mins, maxs);
        assert_int_equal(bsp_model_get_info(model)->materials[0].alpha, sprites[i].alpha);
        bsp_model_mesh_free(mesh);
        bsp_model_close(model);
    }
}

// GoldSrc: the palette is n, 255 - n, n / 2; the blended one has the last colour, and the index as
// its alpha.
static void goldsrc_palettes(void **state) {
    static const uint8_t added[4] = {104, 151, 52, 255};
    static const uint8_t blended[4] = {255, 0, 127, 104};
    (void)state;
    for (int i = 0; i < 2; i++) {
        bsp_model_asset *model =
            open_sample(i == 0 ? "goldsrc/sprites/glow.spr" : "goldsrc/sprites/smoke.spr");
        bsp_image image;
        assert_true(bsp_model_image(model, 0, &image, NULL));
        assert_memory_equal(image.pixels, i == 0 ? added : blended, 4);
        bsp_image_free(&image);
        bsp_model_close(model);
    }
}

// --- maps ----------------------------------------------------------------------------------------

// A map as a model has the triangles and pictures of its model 0.
static void maps_are_models_too(void **state) {
    (void)state;
    bsp_error error = {.code = BSP_OK};
    const char *path = BSP_TEST_SAMPLES "/quake/lobby.bsp";
    bsp_model_asset *model = bsp_model_open_path(path, NULL, &error);
    bsp_file *file = bsp_file_open(path, NULL, &error);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    bsp_mesh_options world = {.num_models = 1};
    bsp_mesh *faces = bsp_mesh_build(map, &world, &error);
    assert_non_null(model);
    bsp_model_mesh *mesh = build(model, NULL);
    assert_string_equal(bsp_model_get_info(model)->format->name, "brush-model");
    assert_int_equal(bsp_model_get_info(model)->version, 29);
    assert_true(faces->num_indices > 300);
    assert_int_equal(mesh->num_indices, faces->num_indices);
    for (uint32_t i = 0; i < mesh->num_indices; i++) {
        assert_memory_equal(mesh->vertices[mesh->indices[i]].position,
                            faces->vertices[faces->indices[i]].position, 12);
    }
    const bsp_model_material *m = &bsp_model_get_info(model)->materials[mesh->groups[0].material];
    bsp_image image;
    assert_true(m->embedded && bsp_model_image(model, mesh->groups[0].material, &image, &error));
    assert_int_equal(image.width, m->width);
    bsp_image_free(&image);
    bsp_model_mesh_free(mesh);
    bsp_mesh_free(faces);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_model_close(model);
}

// --- normals -------------------------------------------------------------------------------------

// The directions are the corners of an icosahedron whose edges are divided by four, moved out to
// the sphere: that geometry is made here.
static bool is_direction(const double at[3]) {
    for (uint32_t i = 0; i < BSPI_ALIAS_NORMALS; i++) {
        float n[3];
        bspi_alias_normal(i, n);
        if (fabs((double)n[0] - at[0]) < 2e-6 && fabs((double)n[1] - at[1]) < 2e-6 &&
            fabs((double)n[2] - at[2]) < 2e-6) {
            return true;
        }
    }
    return false;
}

// Looks for the places of a triangle whose edges are divided by four.
static void look_at_triangle(const double a[3], const double b[3], const double c[3]) {
    for (int i = 0; i <= 4; i++) {
        for (int j = 0; i + j <= 4; j++) {
            double at[3];
            double length = 0;
            for (int axis = 0; axis < 3; axis++) {
                at[axis] = i * a[axis] + j * b[axis] + (4 - i - j) * c[axis];
                length += at[axis] * at[axis];
            }
            for (int axis = 0; axis < 3; axis++) {
                at[axis] /= sqrt(length);
            }
            assert_true(is_direction(at));
        }
    }
}

static double distance(const double a[3], const double b[3]) {
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
                (a[2] - b[2]) * (a[2] - b[2]));
}

static void normals_are_a_geodesic_sphere(void **state) {
    (void)state;
    double x = 0.525731112119133606;
    double z = 0.850650808352039932;
    double corners[12][3];
    uint32_t faces = 0;
    for (int n = 0; n < 12; n++) {
        int axis = n / 4;
        corners[n][axis] = 0;
        corners[n][(axis + 1) % 3] = (n & 1) != 0 ? z : -z;
        corners[n][(axis + 2) % 3] = (n & 2) != 0 ? x : -x;
    }
    for (int a = 0; a < 12; a++) {
        for (int b = a + 1; b < 12; b++) {
            for (int c = b + 1; c < 12; c++) {
                if (distance(corners[a], corners[b]) < 1.1 &&
                    distance(corners[b], corners[c]) < 1.1 &&
                    distance(corners[c], corners[a]) < 1.1) {
                    look_at_triangle(corners[a], corners[b], corners[c]);
                    faces++;
                }
            }
        }
    }
    assert_int_equal(faces, 20);
    // 10 * 16 + 2 places were found among as many directions: there is no other. Three of the
    // order, as the sheet has them.
    float n[3];
    static const float first[3] = {-0.525731F, 0, 0.850651F};
    static const float sixth[3] = {0, 0, 1};
    static const float last[3] = {-0.688191F, -0.587785F, -0.425325F};
    bspi_alias_normal(0, n);
    assert_memory_equal(n, first, sizeof n);
    bspi_alias_normal(5, n);
    assert_memory_equal(n, sixth, sizeof n);
    bspi_alias_normal(161, n);
    assert_memory_equal(n, last, sizeof n);
    bspi_alias_normal(162, n); // none: up
    assert_memory_equal(n, sixth, sizeof n);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(crates_have_the_volume_of_a_cube),
        cmocka_unit_test(frames_are_lifted),
        cmocka_unit_test(sides_show_the_whole_picture),
        cmocka_unit_test(groups_follow_the_time),
        cmocka_unit_test(seams_are_shifted_on_the_back_only),
        cmocka_unit_test(pictures_are_decoded),
        cmocka_unit_test(skins_name_materials),
        cmocka_unit_test(tags_turn_and_rise),
        cmocka_unit_test(bones_move_their_vertices),
        cmocka_unit_test(packed_frames_lift_the_upper_half),
        cmocka_unit_test(skeletons_are_found),
        cmocka_unit_test(sprites_are_rectangles),
        cmocka_unit_test(goldsrc_palettes),
        cmocka_unit_test(maps_are_models_too),
        cmocka_unit_test(normals_are_a_geodesic_sphere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
