// SPDX-License-Identifier: MIT
// Options of the decompiler on Source maps: what each changes, counted in the records of the map
// and read out of the document; on the sample, and on small maps of the corpus where it is there.
#include "bspkit/edit.h"
#include "support/files.h"
#include "support/room.h"
#include "support/source.h"
#include "support/source_tries.h"

// --- classes -------------------------------------------------------------------------------------

static bool not_this_class(void *user, bsp_text classname) {
    return !bsp_text_equal(classname, bsp_text_of(user));
}

static bool is_class(const bsp_mapdoc *s, uint32_t entity, const char *name) {
    return bsp_text_equal(bsp_mapdoc_value(s, entity, "classname"), bsp_text_of(name));
}

static void count_class(const bsp_mapdoc *s, const char *name, uint32_t *entities,
                        uint32_t *brushes) {
    *entities = *brushes = 0;
    for (uint32_t i = 0; i < s->num_entities; i++) {
        if (is_class(s, i, name)) {
            (*entities)++;
            *brushes += s->entities[i].num_brushes;
        }
    }
}

// Classes of the map's own entities, and those that only the decompiler makes: entities and brushes
// are fewer by theirs, and what is counted of them is 0.
static void leave_classes(const bsp_file *file, const bsp_map *map) {
    static const char *const names[] = {"func_detail",   "prop_static", "info_overlay",
                                        "env_cubemap",   "func_ladder", "func_areaportal",
                                        "func_occluder", "light",       "func_door"};
    made all = decompile(file, map, (bsp_decompile_options){0});
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t entities, brushes, left, left_brushes;
        bsp_decompile_options options = {.wanted_class = not_this_class,
                                         .user = (void *)(uintptr_t)names[i]};
        made less = decompile(file, map, options);
        count_class(all.source, names[i], &entities, &brushes);
        count_class(less.source, names[i], &left, &left_brushes);
        if (left != 0) {
            fail_msg("%u of %s", left, names[i]);
        }
        bool lights = i == 1; // props without a light of their own leave its entity out with them
        assert_true(lights || less.source->num_entities == all.source->num_entities - entities);
        assert_true(less.source->num_entities <= all.source->num_entities - entities);
        assert_int_equal(less.source->num_brushes, all.source->num_brushes - brushes);
        assert_true(strcmp(names[i], "prop_static") != 0 || less.report.static_props == 0);
        assert_true(strcmp(names[i], "env_cubemap") != 0 || less.report.cubemaps == 0);
        for (uint32_t b = 0; b < less.source->num_brushes; b++) {
            assert_true(less.source->brushes[b].entity < less.source->num_entities);
        }
        bsp_mapdoc_free(less.source);
    }
    bsp_mapdoc_free(all.source);
}

static void test_classes(void **state) {
    (void)state;
    try_maps(leave_classes);
}

// The world stays, whatever is asked for.
static bool nothing(void *user, bsp_text classname) {
    (void)user;
    (void)classname;
    return false;
}

static void leave_all(const bsp_file *file, const bsp_map *map) {
    made m = decompile(file, map, (bsp_decompile_options){.wanted_class = nothing});
    assert_int_equal(m.source->num_entities, 1);
    assert_true(is_class(m.source, 0, "worldspawn"));
    bsp_mapdoc_free(m.source);
}

static void test_no_classes(void **state) {
    (void)state;
    try_maps(leave_all);
}

// --- detail --------------------------------------------------------------------------------------

typedef struct box {
    double mins[3], maxs[3];
} box;

// Where three sides of a brush meet (Cramer's rule), if no side is in front of it.
static bool corner_of(const bsp_mapdoc_side *sides, uint32_t count, const uint32_t which[3],
                      double at[3]) {
    const double *n[3];
    double cross[3][3];
    for (int i = 0; i < 3; i++) {
        n[i] = sides[which[i]].normal;
    }
    for (int i = 0; i < 3; i++) {
        const double *u = n[(i + 1) % 3];
        const double *v = n[(i + 2) % 3];
        for (int a = 0; a < 3; a++) {
            cross[i][a] = u[(a + 1) % 3] * v[(a + 2) % 3] - u[(a + 2) % 3] * v[(a + 1) % 3];
        }
    }
    double whole = n[0][0] * cross[0][0] + n[0][1] * cross[0][1] + n[0][2] * cross[0][2];
    for (int a = 0; a < 3; a++) {
        at[a] = 0;
        for (int i = 0; i < 3; i++) {
            at[a] += sides[which[i]].dist * cross[i][a] / whole;
        }
    }
    bool inside = fabs(whole) > 1e-4;
    for (uint32_t s = 0; inside && s < count; s++) {
        const bsp_mapdoc_side *side = &sides[s];
        inside = side->normal[0] * at[0] + side->normal[1] * at[1] + side->normal[2] * at[2] <
                 side->dist + 0.01;
    }
    return inside;
}

static box box_of(const bsp_mapdoc *s, const bsp_mapdoc_brush *brush) {
    box out = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    uint32_t which[3];
    for (which[0] = 2; which[0] < brush->num_sides; which[0]++) {
        for (which[1] = 1; which[1] < which[0]; which[1]++) {
            for (which[2] = 0; which[2] < which[1]; which[2]++) {
                double at[3];
                if (!corner_of(&s->sides[brush->first_side], brush->num_sides, which, at)) {
                    continue;
                }
                for (int a = 0; a < 3; a++) {
                    out.mins[a] = fmin(out.mins[a], at[a]);
                    out.maxs[a] = fmax(out.maxs[a], at[a]);
                }
            }
        }
    }
    return out;
}

// How many groups the boxes are when those that are no further apart than the gap are joined.
static uint32_t count_groups(const box *boxes, uint32_t count, double gap, uint32_t *group) {
    uint32_t groups = count;
    for (uint32_t i = 0; i < count; i++) {
        group[i] = i;
    }
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < i; j++) {
            bool near = group[i] != group[j];
            for (int a = 0; a < 3; a++) {
                near = near && boxes[i].mins[a] <= boxes[j].maxs[a] + gap &&
                       boxes[j].mins[a] <= boxes[i].maxs[a] + gap;
            }
            uint32_t from = group[i];
            for (uint32_t k = 0; near && k < count; k++) {
                group[k] = group[k] == from ? group[j] : group[k];
            }
            groups -= near;
        }
    }
    return groups;
}

// Each brush of detail by itself, or joined over a gap, as counting all pairs of boxes says.
static void group_details(const bsp_file *file, const bsp_map *map) {
    static const double gaps[] = {0, 8, 300};
    uint32_t entities, brushes, count = 0;
    made each = decompile(file, map, (bsp_decompile_options){.details = BSP_DETAILS_EACH});
    count_class(each.source, "func_detail", &entities, &brushes);
    assert_int_equal(entities, brushes);
    box *boxes = calloc(brushes + 1, sizeof *boxes);
    uint32_t *group = calloc(brushes + 1, sizeof *group);
    assert_true(boxes != NULL && group != NULL);
    for (uint32_t b = 0; b < each.source->num_brushes; b++) {
        if (is_class(each.source, each.source->brushes[b].entity, "func_detail")) {
            boxes[count++] = box_of(each.source, &each.source->brushes[b]);
        }
    }
    assert_int_equal(count, brushes);
    for (size_t g = 0; g < sizeof gaps / sizeof *gaps; g++) {
        uint32_t joined_brushes;
        made joined = decompile(file, map, (bsp_decompile_options){.detail_gap = gaps[g]});
        count_class(joined.source, "func_detail", &entities, &joined_brushes);
        assert_int_equal(joined_brushes, brushes);
        assert_int_equal(entities,
                         count_groups(boxes, count, gaps[g] > 0 ? gaps[g] : 0.125, group));
        bsp_mapdoc_free(joined.source);
    }
    free(boxes);
    free(group);
    bsp_mapdoc_free(each.source);
}

static void test_details(void **state) {
    (void)state;
    try_maps(group_details);
}

// --- area portals --------------------------------------------------------------------------------

#define MOST_PORTALS 64u

// A number that tells the brushes of the area portals apart, in the order of the entities.
static uint32_t portal_marks(const bsp_mapdoc *s, double marks[MOST_PORTALS]) {
    uint32_t count = 0;
    for (uint32_t e = 0; e < s->num_entities && count < MOST_PORTALS; e++) {
        if (!begins(bsp_mapdoc_value(s, e, "classname"), "func_areaportal")) {
            continue;
        }
        double mark = 0;
        for (uint32_t b = 0; b < s->num_brushes; b++) {
            const bsp_mapdoc_brush *brush = &s->brushes[b];
            for (uint32_t i = 0; brush->entity == e && i < brush->num_sides; i++) {
                const bsp_mapdoc_side *side = &s->sides[brush->first_side + i];
                mark += side->dist * (3 + side->normal[0] + 7 * side->normal[1]);
            }
        }
        marks[count++] = mark;
    }
    return count;
}

static uint32_t marks_of(const bsp_file *file, const bsp_map *map, bsp_portal_mapping how,
                         double marks[MOST_PORTALS]) {
    made m = decompile(file, map, (bsp_decompile_options){.portals = how});
    uint32_t count = portal_marks(m.source, marks);
    bsp_mapdoc_free(m.source);
    return count;
}

// The first two area portals of the map change places in the list of entities: by place each keeps
// its brush, by order the brushes stay where they are in the list.
static void swap_portals(const bsp_file *file, const bsp_map *map) {
    double marks[4][MOST_PORTALS];
    uint32_t first = BSP_NONE;
    uint32_t second = BSP_NONE;
    for (uint32_t i = 0; i < map->entities->count && second == BSP_NONE; i++) {
        if (begins(bsp_entity_value(&map->entities->list[i], "classname"), "func_areaportal")) {
            second = first == BSP_NONE ? BSP_NONE : i;
            first = first == BSP_NONE ? i : first;
        }
    }
    assert_true(second != BSP_NONE && map->num_area_portals != 0);
    bsp_map swapped = *map;
    bsp_entities entities = *map->entities;
    bsp_entity *list = malloc(entities.count * sizeof *list);
    assert_non_null(list);
    memcpy(list, entities.list, entities.count * sizeof *list);
    list[first] = map->entities->list[second];
    list[second] = map->entities->list[first];
    entities.list = list;
    swapped.entities = &entities;
    uint32_t count = marks_of(file, map, BSP_PORTALS_BY_PLACE, marks[0]);
    assert_int_equal(marks_of(file, &swapped, BSP_PORTALS_BY_PLACE, marks[1]), count);
    assert_int_equal(marks_of(file, map, BSP_PORTALS_BY_ORDER, marks[2]), count);
    assert_int_equal(marks_of(file, &swapped, BSP_PORTALS_BY_ORDER, marks[3]), count);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(marks[1][i] == marks[0][i < 2 ? 1 - i : i]);
        assert_true(marks[3][i] == marks[2][i]);
    }
    assert_true(marks[0][0] != marks[0][1]);
    free(list);
}

static void test_portals(void **state) {
    (void)state;
    char path[1024];
    bsp_file *file = NULL;
    if (corpus_folder() != NULL) {
        (void)snprintf(path, sizeof path, "%s/named/pcollab_26.bsp", corpus_folder());
        file = bsp_file_open(path, NULL, NULL);
    }
    if (file == NULL) {
        print_message("skipped: pcollab_26 of the corpus is not there\n");
        skip();
    }
    bsp_map *map = bsp_map_load(file, NULL, NULL);
    assert_non_null(map);
    swap_portals(file, map);
    bsp_map_free(map);
    bsp_file_close(file);
}

// --- cameras -------------------------------------------------------------------------------------

static void film(const bsp_file *file, const bsp_map *map) {
    made none = decompile(file, map, (bsp_decompile_options){0});
    assert_int_equal(none.source->num_cameras, 0);
    bsp_mapdoc_free(none.source);
    made m = decompile(file, map, (bsp_decompile_options){.cameras = true});
    char *text = print_source(m.source, BSP_DIALECT_VMF, NULL, NULL);
    bsp_mapdoc *read = read_source(bsp_text_of(text));
    uint32_t count = 0;
    for (uint32_t e = 0; e < map->entities->count; e++) {
        const bsp_entity *entity = &map->entities->list[e];
        float at[3];
        if (!begins(bsp_entity_value(entity, "classname"), "info_player_") ||
            !bsp_parse_vector(bsp_entity_value(entity, "origin"), at)) {
            continue;
        }
        assert_true(count < read->num_cameras);
        const bsp_mapdoc_camera *camera = &read->cameras[count++];
        double length = 0;
        for (int axis = 0; axis < 3; axis++) {
            double eyes = (double)at[axis] + (axis == 2 ? 64 : 0);
            assert_true(fabs(camera->position[axis] - eyes) < 0.01);
            length += pow(camera->look[axis] - camera->position[axis], 2);
        }
        assert_true(fabs(sqrt(length) - 256) < 0.01);
    }
    assert_int_equal(read->num_cameras, count);
    bsp_mapdoc_free(read);
    bsp_mapdoc_free(m.source);
    free(text);
}

static void test_cameras(void **state) {
    (void)state;
    try_maps(film);
}

// --- a made map: where cameras look, instances ---------------------------------------------------

static bsp_mapdoc *decompile_text(const char *text, bsp_decompile_options options) {
    bsp_error error = {0};
    bsp_blob plain = room_file(bsp_branch_find("source_20"), false, 0);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){plain.data, plain.size}, NULL, &error);
    assert_non_null(file);
    bsp_lump_change change = {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
                              .data = {(const uint8_t *)text, strlen(text) + 1},
                              .version = BSP_NONE};
    bsp_blob blob;
    assert_true(bsp_file_rewrite(file, &change, 1, NULL, &blob, &error));
    bsp_file_close(file);
    file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    bsp_map *map = bsp_map_load(file, NULL, &error);
    assert_non_null(map);
    made m = decompile(file, map, options);
    bsp_map_free(map);
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_blob_free(&plain);
    return m.source;
}

// Yaw 90 is along y; a pitch of 90 looks down.
static void test_camera_angles(void **state) {
    (void)state;
    bsp_mapdoc *s = decompile_text("{\n\"classname\" \"worldspawn\"\n}\n"
                                   "{\n\"classname\" \"info_player_start\"\n"
                                   "\"origin\" \"1 2 3\"\n\"angles\" \"0 90 0\"\n}\n"
                                   "{\n\"classname\" \"info_player_terrorist\"\n"
                                   "\"origin\" \"0 0 0\"\n\"angles\" \"90 0 0\"\n}\n",
                                   (bsp_decompile_options){.cameras = true});
    assert_int_equal(s->num_cameras, 2);
    static const double looks[2][3] = {{1, 258, 67}, {0, 0, -192}};
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 3; axis++) {
            assert_true(fabs(s->cameras[i].look[axis] - looks[i][axis]) < 1e-9);
        }
    }
    bsp_mapdoc_free(s);
}

static void expect_groups(bsp_instance_groups which, const char *const *names) {
    static const char text[] =
        "{\n\"classname\" \"worldspawn\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"InstanceAuto4-lamp\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"lift_2-lamp\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"lift_2-door-a\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"plain\"\n}\n"
        "{\n\"classname\" \"light\"\n\"targetname\" \"-odd\"\n}\n"
        "{\n\"classname\" \"light\"\n}\n";
    bsp_mapdoc *s = decompile_text(text, (bsp_decompile_options){.instances = which});
    assert_true(s->num_entities >= 7); // and what the room has of its own
    for (uint32_t i = 1; i < 7; i++) {
        uint32_t group = s->entities[i].visgroup;
        if (names[i - 1] == NULL) {
            assert_int_equal(group, BSP_NONE);
        } else {
            assert_true(group < s->num_visgroups);
            assert_true(same_text(s->visgroups[group].name, names[i - 1]));
        }
    }
    for (uint32_t i = 0; i < s->num_visgroups; i++) { // guesses have theirs in any case
        assert_true(which != BSP_INSTANCES_NONE || !begins(s->visgroups[i].name, "instance"));
    }
    bsp_mapdoc_free(s);
}

static void test_instances(void **state) {
    (void)state;
    static const char *const unnamed[6] = {"instance: InstanceAuto4", NULL, NULL, NULL, NULL, NULL};
    static const char *const all[6] = {
        "instance: InstanceAuto4", "instance: lift_2", "instance: lift_2", NULL, NULL, NULL};
    static const char *const none[6] = {NULL, NULL, NULL, NULL, NULL, NULL};
    expect_groups(BSP_INSTANCES_UNNAMED, unnamed);
    expect_groups(BSP_INSTANCES_ALL, all);
    expect_groups(BSP_INSTANCES_NONE, none);
}

// --- packed files --------------------------------------------------------------------------------

static void test_compiled_files(void **state) {
    (void)state;
    static const char *const theirs[] = {
        "materials/maps/de_x/c-12_40_0.vtf",
        "materials/maps/de_x/c100_-4_64.hdr.vtf",
        "materials/maps/de_x/cubemapdefault.vtf",
        "materials/maps/de_x/cubemapdefault.hdr.vtf",
        "materials/maps/de_x/glass/window01_-12_40_0.vmt",
        "Materials/Maps/De_X/Glass/Window01_1_2_3.VMT",
        "materials/maps/de_x/nature/blend_wvt_patch.vmt",
        "materials/maps/de_x/water/water_depth_64.vmt",
        "sp_0.vhv",
        "sp_hdr_17.vhv",
    };
    static const char *const authors[] = {
        "materials/maps/de_x/logo.vmt",
        "materials/maps/de_x/logo.vtf",
        "materials/maps/de_x/window01_2_3.vmt",
        "materials/glass/window01_1_2_3.vmt",
        "materials/custom/cubemapdefault.vtf",
        "materials/maps/cubemapdefault.vtf",
        "materials/maps/de_x/cat_1_2.vtf",
        "materials/maps/de_x/water_depth_.vmt",
        "maps/de_x.nav",
        "models/sp_0.vhv.txt",
        "sound/sp_1.wav",
        "sp_.vhv",
        "",
    };
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++) {
        assert_true(bsp_is_compiled_file(bsp_text_of(theirs[i])));
    }
    for (size_t i = 0; i < sizeof authors / sizeof *authors; i++) {
        assert_false(bsp_is_compiled_file(bsp_text_of(authors[i])));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_classes),   cmocka_unit_test(test_no_classes),
        cmocka_unit_test(test_cameras),   cmocka_unit_test(test_camera_angles),
        cmocka_unit_test(test_instances), cmocka_unit_test(test_details),
        cmocka_unit_test(test_portals),   cmocka_unit_test(test_compiled_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
