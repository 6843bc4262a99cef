// SPDX-License-Identifier: MIT
// Where entities stand, and how they are drawn: one answer, which traces, pictures, exports and
// decompiled maps all give. The room of tests/support has a door, (32 -4 0) to (40 4 96); where it
// should be was worked out by hand.
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "bspkit/decompile.h"
#include "bspkit/export.h"
#include "bspkit/query.h"
#include "render/renderer.h"
#include "support/room.h"
#include "support/sink.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEAR 1e-4F

typedef struct stage {
    room *r;
    bsp_entities *entities;
    char *text; // which the entities borrow
} stage;

static stage build(const char *branch, const char *text) {
    stage s = {room_build(bsp_branch_find(branch)), NULL, malloc(strlen(text) + 1)};
    assert_non_null(s.text);
    strcpy(s.text, text);
    s.entities = bsp_entities_parse(bsp_text_of(s.text), NULL, NULL, NULL);
    assert_non_null(s.entities);
    s.r->map.entities = s.entities;
    return s;
}

static void end(stage *s) {
    bsp_entities_free(s->entities);
    room_free(s->r);
    free(s->text);
}

// A map with one entity besides the world.
static stage build_entity(const char *branch, const char *keys) {
    char text[512];
    snprintf(text, sizeof text, "{\"classname\" \"worldspawn\"}\n{%s}\n", keys);
    return build(branch, text);
}

static stage build_wall(const char *keys) {
    char all[512];
    snprintf(all, sizeof all, "\"classname\" \"func_wall\" \"model\" \"*1\" %s", keys);
    return build_entity("goldsrc", all);
}

static bsp_placement place(const char *branch, const char *keys) {
    stage s = build_entity(branch, keys);
    bsp_placement out = bsp_entity_placement(&s.r->map, &s.entities->list[1]);
    end(&s);
    return out;
}

static void assert_point(const bsp_placement *p, const float in[3], const float should[3]) {
    float out[3];
    bsp_placement_point(p, in, out);
    for (int i = 0; i < 3; i++) {
        if (!(fabsf(out[i] - should[i]) < NEAR)) {
            fail_msg("(%g %g %g) is at (%g %g %g)", (double)in[0], (double)in[1], (double)in[2],
                     (double)out[0], (double)out[1], (double)out[2]);
        }
    }
}

// --- one entity ---------------------------------------------------------------------------------

// Rows of Rz(yaw) Ry(pitch) Rx(roll) written out: what AngleMatrix of the SDK makes of the angles.
static void by_matrix(const double angles[3], const float in[3], float out[3]) {
    const double r = 3.14159265358979323846 / 180;
    const double sp = sin(angles[0] * r), cp = cos(angles[0] * r);
    const double sy = sin(angles[1] * r), cy = cos(angles[1] * r);
    const double sr = sin(angles[2] * r), cr = cos(angles[2] * r);
    const double roll[3] = {(double)in[0], cr * (double)in[1] - sr * (double)in[2],
                            sr * (double)in[1] + cr * (double)in[2]};
    const double pitch[3] = {cp * roll[0] + sp * roll[2], roll[1], -sp * roll[0] + cp * roll[2]};
    out[0] = (float)(cy * pitch[0] - sy * pitch[1]);
    out[1] = (float)(sy * pitch[0] + cy * pitch[1]);
    out[2] = (float)pitch[2];
}

static void test_angles(void **state) {
    (void)state;
    static const double angles[][3] = {{0, 90, 0},   {90, 0, 0},      {0, 0, 90},
                                       {30, 60, 45}, {-15, 200, -80}, {0, 0, 0}};
    static const float points[][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {32, -4, 96}};
    for (size_t a = 0; a < sizeof angles / sizeof *angles; a++) {
        char keys[128];
        snprintf(keys, sizeof keys,
                 "\"classname\" \"func_brush\" \"model\" \"*1\" \"angles\" \"%g %g %g\"",
                 angles[a][0], angles[a][1], angles[a][2]);
        bsp_placement p = place("source_20", keys);
        assert_int_equal(p.turned, a != 5);
        for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
            float should[3];
            by_matrix(angles[a], points[i], should);
            assert_point(&p, points[i], should);
        }
    }
}

static void test_classes(void **state) {
    (void)state;
    static const struct {
        const char *branch, *keys;
        float yaw, pitch;
        bsp_presence presence;
    } cases[] = {
        {"quake", "\"classname\" \"func_train\" \"angles\" \"0 90 0\"", 0, 0, BSP_SEEN},
        {"quake", "\"classname\" \"trigger_once\"", 0, 0, BSP_NEVER_SEEN},
        {"quake3", "\"classname\" \"func_static\" \"angle\" \"90\"", 0, 0, BSP_SEEN},
        {"goldsrc", "\"classname\" \"func_rotating\" \"angle\" \"90\"", 90, 0, BSP_SEEN},
        {"goldsrc", "\"classname\" \"func_rotating\" \"angle\" \"-2\"", 0, 90, BSP_SEEN},
        {"goldsrc", "\"classname\" \"func_wall\" \"angles\" \"0 90 0\"", 0, 0, BSP_SEEN},
        {"goldsrc", "\"classname\" \"func_illusionary\" \"angles\" \"0 90 0\"", 0, 0, BSP_SEEN},
        {"goldsrc", "\"classname\" \"func_breakable\" \"angles\" \"20 90 0\"", 0, 20, BSP_SEEN},
        {"goldsrc", "\"classname\" \"func_ladder\"", 0, 0, BSP_NEVER_SEEN},
        {"goldsrc", "\"classname\" \"func_wall_toggle\" \"spawnflags\" \"1\"", 0, 0,
         BSP_SEEN_LATER},
        {"quake2", "\"classname\" \"func_wall\" \"spawnflags\" \"3\"", 0, 0, BSP_SEEN_LATER},
        {"quake2", "\"classname\" \"func_wall\" \"spawnflags\" \"7\"", 0, 0, BSP_SEEN},
        {"source_20", "\"classname\" \"func_brush\" \"angles\" \"0 90 0\"", 90, 0, BSP_SEEN},
        {"source_20", "\"classname\" \"func_brush\" \"StartDisabled\" \"1\"", 0, 0, BSP_SEEN_LATER},
        {"source_20", "\"classname\" \"func_breakable\" \"angles\" \"0 90 0\"", 0, 0, BSP_SEEN},
        {"source_20", "\"classname\" \"trigger_multiple\"", 0, 0, BSP_NEVER_SEEN},
        {"source_20", "\"classname\" \"func_door\" \"origin\" \"1 2 nan\"", 0, 0, BSP_SEEN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char keys[256];
        snprintf(keys, sizeof keys, "\"model\" \"*1\" %s", cases[i].keys);
        bsp_placement p = place(cases[i].branch, keys);
        if (p.model != 1 || p.angles[0] != cases[i].pitch || p.angles[1] != cases[i].yaw ||
            p.presence != cases[i].presence || p.moved || p.origin[0] != 0) {
            fail_msg("%s: %s", cases[i].branch, cases[i].keys);
        }
    }
    // What shows no brush model is turned in every family; the world never is.
    assert_true(place("quake", "\"classname\" \"light\" \"angles\" \"0 90 0\"").turned);
    bsp_placement world = place(
        "source_20", "\"classname\" \"worldspawn\" \"angles\" \"0 90 0\" \"origin\" \"1 2 3\"");
    assert_true(world.model == 0 && !world.turned && !world.moved && world.origin[0] == 0);
}

// --- everybody's answer -------------------------------------------------------------------------

// One model, three entities: turned by a quarter at (10 20 30), as it is at (60 0 0), and a
// trigger. The first is then at (6 52 30) to (14 60 126), the second at (92 -4 0) to (100 4 96).
static const char two[] =
    "{\"classname\" \"worldspawn\"}\n"
    "{\"classname\" \"func_brush\" \"model\" \"*1\" \"origin\" \"10 20 30\" \"angles\" \"0 90 "
    "0\"}\n"
    "{\"classname\" \"func_brush\" \"model\" \"*1\" \"origin\" \"60 0 0\"}\n"
    "{\"classname\" \"trigger_once\" \"model\" \"*1\" \"origin\" \"-100 0 0\"}\n";
static const float boxes[2][2][3] = {{{6, 52, 30}, {14, 60, 126}}, {{92, -4, 0}, {100, 4, 96}}};

static bool is_near(const float a[3], const float b[3]) {
    return fabsf(a[0] - b[0]) < NEAR && fabsf(a[1] - b[1]) < NEAR && fabsf(a[2] - b[2]) < NEAR;
}

// Which of the boxes has a corner there, or 2.
static uint32_t box_at(const float at[3]) {
    for (uint32_t b = 0; b < 2; b++) {
        for (unsigned corner = 0; corner < 8; corner++) {
            float p[3];
            for (unsigned i = 0; i < 3; i++) {
                p[i] = boxes[b][corner >> i & 1][i];
            }
            if (is_near(p, at)) {
                return b;
            }
        }
    }
    return 2;
}

static void test_traces(void **state) {
    (void)state;
    stage s = build("source_20", two);
    bsp_trace_index *index = bsp_trace_index_new(&s.r->map, NULL, NULL);
    assert_non_null(index);
    for (uint32_t b = 0; b < 2; b++) { // from above onto its middle
        bsp_trace_input in = {.model = BSP_TRACE_ALL};
        bsp_trace_result r;
        for (int i = 0; i < 2; i++) {
            in.start[i] = in.end[i] = (boxes[b][0][i] + boxes[b][1][i]) / 2;
        }
        in.start[2] = boxes[b][1][2] + 1;
        in.end[2] = boxes[b][0][2];
        bsp_trace(index, &in, &r);
        assert_int_equal(r.entity, 1 + b);
        assert_true(fabsf(r.end[2] - boxes[b][1][2] - 1.0F / 32) < NEAR);
    }
    bsp_trace_index_free(index);
    end(&s);
}

static void test_pictures(void **state) {
    (void)state;
    stage s = build("source_20", two);
    bsp_mesh *mesh = bsp_mesh_build(&s.r->map, NULL, NULL);
    assert_non_null(mesh);
    for (int hidden = 0; hidden < 2; hidden++) {
        bsp_renderer_options options = {.full_bright = true, .hidden = hidden != 0};
        bsp_renderer *renderer = bsp_renderer_build(&s.r->map, NULL, &options, NULL);
        assert_non_null(renderer);
        uint32_t corners[3] = {0, 0, 0};
        for (uint32_t p = 0; p < renderer->num_pieces; p++) {
            const bspi_piece *piece = &renderer->pieces[p];
            if (piece->face < s.r->models[1].first_face || piece->face >= s.r->map.num_faces) {
                continue; // of the world, or of a prop
            }
            for (uint32_t i = 0; i < piece->num_indices; i++) {
                uint32_t v = renderer->indices[piece->first_index + i];
                assert_true(v >= piece->first_vertex &&
                            v - piece->first_vertex < piece->num_vertices);
                const bsp_mesh_vertex *is = &renderer->vertices[v];
                const bsp_mesh_vertex *was =
                    &mesh->vertices[mesh->faces[mesh->of_face[piece->face]].first_vertex + v -
                                    piece->first_vertex];
                uint32_t b = box_at(is->position);
                corners[b]++;
                float normal[3];
                by_matrix((double[3]){0, b == 0 ? 90 : 0, 0}, was->normal, normal);
                assert_true(is_near(is->normal, normal));
            }
        }
        assert_true(corners[0] != 0 && corners[0] == corners[1]);
        assert_int_equal(corners[2], hidden != 0 ? corners[0] : 0);
        bsp_renderer_free(renderer);
    }
    bsp_mesh_free(mesh);
    end(&s);
}

// Positions of an OBJ, x z -y at scale 1, that are in one of the boxes.
static void test_exports(void **state) {
    (void)state;
    stage s = build("source_20", two);
    for (int hidden = 0; hidden < 2; hidden++) {
        bsp_export_options options = {
            .scale = 1, .light = BSP_EXPORT_LIGHT_NONE, .hidden = hidden != 0};
        test_sink sink = {0};
        uint32_t corners[3] = {0, 0, 0};
        assert_true(bsp_export_obj(&s.r->map, &options, test_sink_take, &sink, NULL, NULL));
        bool door = false;
        char *text = calloc(sink.size + 1, 1);
        assert_non_null(text);
        memcpy(text, sink.data, sink.size);
        for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
            float v[3];
            door = line[0] == 'o' ? strstr(line, "*1") != NULL : door;
            if (door && sscanf(line, "v %f %f %f", &v[0], &v[1], &v[2]) == 3) {
                corners[box_at((float[3]){v[0], -v[2], v[1]})]++;
            }
        }
        assert_true(corners[0] != 0 && corners[0] == corners[1]);
        assert_int_equal(corners[2], hidden != 0 ? corners[0] : 0);
        free(text);
        free(sink.data);
    }
    end(&s);
}

// A class that its angles do not turn keeps them, and its brushes stand as the file has them.
static void test_decompiled(void **state) {
    (void)state;
    static const struct {
        const char *name, *angles;
        double low[2];
    } cases[] = {{"func_brush", "0 0 0", {-4, 32}}, {"func_breakable", "0 90 0", {32, -4}}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"classname\" \"worldspawn\"}\n"
                 "{\"classname\" \"%s\" \"model\" \"*1\" \"angles\" \"0 90 0\"}\n",
                 cases[c].name);
        stage s = build("source_20", text);
        bsp_mapdoc *source = bsp_decompile(&s.r->map, NULL, NULL, NULL);
        assert_non_null(source);
        bool found = false;
        for (uint32_t e = 0; e < source->num_entities; e++) {
            const bsp_mapdoc_entity *entity = &source->entities[e];
            for (uint32_t k = 0; k < entity->num_pairs; k++) {
                const bsp_mapdoc_pair *pair = &source->pairs[entity->first_pair + k];
                if (entity->num_brushes != 0 && bsp_text_equal(pair->key, bsp_text_of("angles"))) {
                    assert_true(bsp_text_equal(pair->value, bsp_text_of(cases[c].angles)));
                    found = true;
                }
            }
        }
        assert_true(found);
        uint32_t sides = 0; // those that look west and south
        for (uint32_t b = 0; b < source->num_brushes; b++) {
            const bsp_mapdoc_brush *brush = &source->brushes[b];
            for (uint32_t k = 0; brush->entity != 0 && k < brush->num_sides; k++) {
                const bsp_mapdoc_side *side = &source->sides[brush->first_side + k];
                for (int axis = 0; axis < 2; axis++) {
                    if (fabs(side->normal[axis] + 1) < 1e-6) {
                        assert_true(fabs(side->dist + cases[c].low[axis]) < 1e-3);
                        sides++;
                    }
                }
            }
        }
        assert_int_equal(sides, 2);
        bsp_mapdoc_free(source);
        end(&s);
    }
}

// --- looks --------------------------------------------------------------------------------------

static bsp_entity_look look(const char *branch, const char *keys) {
    char all[512];
    snprintf(all, sizeof all, "\"model\" \"*1\" %s", keys);
    stage s = build_entity(branch, all);
    bsp_entity_look out = bsp_entity_look_of(&s.r->map, &s.entities->list[1]);
    end(&s);
    return out;
}

static void test_looks(void **state) {
    (void)state;
    static const struct {
        const char *branch, *keys;
        bsp_look_mode mode;
        float opacity;
        bool unlit;
    } cases[] = {
        {"goldsrc", "\"renderamt\" \"100\"", BSP_LOOK_NORMAL, 1, false},
        {"goldsrc", "\"rendermode\" \"2\" \"renderamt\" \"51\"", BSP_LOOK_BLEND, 0.2F, true},
        {"goldsrc", "\"rendermode\" \"2\" \"renderamt\" \"255\"", BSP_LOOK_BLEND, 1, true},
        {"goldsrc", "\"rendermode\" \"2\"", BSP_LOOK_BLEND, 0, true},
        {"goldsrc", "\"rendermode\" \"4\" \"renderamt\" \"255\"", BSP_LOOK_NORMAL, 1, false},
        {"goldsrc", "\"rendermode\" \"4\"", BSP_LOOK_BLEND, 0, true},
        {"goldsrc", "\"rendermode\" \"5\" \"renderamt\" \"102\"", BSP_LOOK_ADD, 0.4F, true},
        {"goldsrc", "\"alpha\" \"0.5\"", BSP_LOOK_NORMAL, 1, false},
        // renderfx 5 to 8 end faded away or solid; the others come back to renderamt.
        {"goldsrc", "\"rendermode\" \"2\" \"renderamt\" \"51\" \"renderfx\" \"5\"", BSP_LOOK_BLEND,
         0, true},
        {"goldsrc", "\"rendermode\" \"2\" \"renderamt\" \"51\" \"renderfx\" \"8\"", BSP_LOOK_BLEND,
         1, true},
        {"goldsrc", "\"rendermode\" \"2\" \"renderamt\" \"51\" \"renderfx\" \"10\"", BSP_LOOK_BLEND,
         0.2F, true},
        {"goldsrc", "\"renderamt\" \"51\" \"renderfx\" \"5\"", BSP_LOOK_NORMAL, 1, false},
        {"source_20", "\"rendermode\" \"1\" \"renderfx\" \"6\"", BSP_LOOK_BLEND, 0, false},
        {"source_20", "\"rendermode\" \"0\" \"renderamt\" \"51\"", BSP_LOOK_NORMAL, 1, false},
        {"source_20", "\"rendermode\" \"1\" \"renderamt\" \"51\"", BSP_LOOK_BLEND, 0.2F, false},
        {"source_20", "\"rendermode\" \"2\"", BSP_LOOK_NORMAL, 1, false},
        {"source_20", "\"rendermode\" \"10\"", BSP_LOOK_BLEND, 0, false},
        {"quake", "\"alpha\" \"0.25\"", BSP_LOOK_BLEND, 0.25F, false},
        {"quake", "\"alpha\" \"0\"", BSP_LOOK_NORMAL, 1, false},
        {"quake", "\"rendermode\" \"2\"", BSP_LOOK_NORMAL, 1, false},
        {"quake2", "\"alpha\" \"-1\"", BSP_LOOK_BLEND, 0, false},
        {"quake3", "\"alpha\" \"0.5\" \"rendermode\" \"2\"", BSP_LOOK_NORMAL, 1, false},
        {"goldsrc", "\"rendermode\" \"nan\" \"renderamt\" \"1e30\"", BSP_LOOK_NORMAL, 1, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bsp_entity_look l = look(cases[i].branch, cases[i].keys);
        if (l.mode != cases[i].mode || fabsf(l.opacity - cases[i].opacity) > NEAR ||
            l.unlit != cases[i].unlit) {
            fail_msg("%s: %s is %d %g %d", cases[i].branch, cases[i].keys, (int)l.mode,
                     (double)l.opacity, (int)l.unlit);
        }
    }
}

// The pixel in the middle of a picture from (-60 0 48) along +x: what is behind the door, and the
// door, which begins at x = 32. All is drawn without light.
static const uint8_t *middle(const char *keys, bsp_image *image) {
    stage s = build_wall(keys);
    bsp_renderer_options options = {.full_bright = true};
    bsp_renderer *renderer = bsp_renderer_build(&s.r->map, NULL, &options, NULL);
    assert_non_null(renderer);
    bsp_view view = {.width = 9, .height = 9, .from = {-60, 0, 48}, .fov = 10};
    bsp_draw_options draw = {.threads = 1, .no_vis = true};
    assert_true(bsp_renderer_draw(renderer, &view, &draw, image, NULL, NULL));
    bsp_renderer_free(renderer);
    end(&s);
    return image->pixels + 4 * ((size_t)4 * 9 + 4);
}

// Blending is a weighted mean of door and background, adding a sum: by hand from the two pictures
// that show the one and the other.
static void test_blended(void **state) {
    (void)state;
    bsp_image images[5];
    const uint8_t *door = middle("", &images[0]);
    const uint8_t *wall = middle("\"rendermode\" \"2\"", &images[1]); // renderamt 0
    const uint8_t *blend = middle("\"rendermode\" \"2\" \"renderamt\" \"64\"", &images[2]);
    const uint8_t *add = middle("\"rendermode\" \"5\" \"renderamt\" \"64\"", &images[3]);
    const uint8_t *color = middle(
        "\"rendermode\" \"1\" \"renderamt\" \"64\" \"rendercolor\" \"255 0 128\"", &images[4]);
    static const uint8_t pink[3] = {255, 0, 128};
    assert_true(memcmp(door, wall, 3) != 0);
    for (int i = 0; i < 3; i++) {
        double part = 64.0 / 255;
        double mean = door[i] * part + wall[i] * (1 - part);
        double sum = fmin(255, door[i] * part + wall[i]);
        assert_true(fabs(blend[i] - mean) <= 2);
        assert_true(fabs(add[i] - sum) <= 2);
        assert_true(fabs(color[i] - (pink[i] * part + wall[i] * (1 - part))) <= 2);
    }
    for (int i = 0; i < 5; i++) {
        bsp_image_free(&images[i]);
    }
}

// The JSON of a glTF as a text, which begins at 20; ends the stage.
static char *export_stage(stage *s) {
    test_sink sink = {0};
    bsp_export_options options = {.light = BSP_EXPORT_LIGHT_UV};
    assert_true(bsp_export_glb(&s->r->map, &options, test_sink_take, &sink, NULL, NULL));
    end(s);
    for (size_t i = 20; i + 1 < sink.size; i++) {
        sink.data[i] = sink.data[i] == '\0' ? ' ' : sink.data[i];
    }
    return sink.data;
}

static char *export_text(const char *keys) {
    stage s = build_wall(keys);
    return export_stage(&s);
}

static void test_materials(void **state) {
    (void)state;
    char *plain = export_text("");
    assert_null(strstr(plain + 20, "\"BLEND\""));
    assert_null(strstr(plain + 20, "KHR_materials_unlit"));
    char *blend = export_text("\"rendermode\" \"2\" \"renderamt\" \"51\"");
    assert_non_null(strstr(blend + 20, "\"alphaMode\":\"BLEND\""));
    assert_non_null(strstr(blend + 20, "KHR_materials_unlit"));
    assert_non_null(strstr(blend + 20, ",0.2]"));
    assert_null(strstr(blend + 20, "\"blend\":\"add\""));
    char *add = export_text("\"rendermode\" \"5\" \"renderamt\" \"255\"");
    assert_non_null(strstr(add + 20, "\"alphaMode\":\"BLEND\""));
    assert_non_null(strstr(add + 20, "\"blend\":\"add\""));
    char *color =
        export_text("\"rendermode\" \"1\" \"renderamt\" \"51\" \"rendercolor\" \"255 0 0\"");
    assert_non_null(strstr(color + 20, "\"baseColorFactor\":[1,0,0,0.2]"));
    free(plain);
    free(blend);
    free(add);
    free(color);
}

// The mesh that a node shows.
static int mesh_of(const char *text, const char *name) {
    char start[64];
    snprintf(start, sizeof start, "\"name\":\"%s\"", name);
    const char *node = strstr(text, start);
    assert_non_null(node);
    const char *mesh = strstr(node, "\"mesh\":");
    assert_non_null(mesh);
    return atoi(mesh + strlen("\"mesh\":"));
}

// Entities that show one model have a mesh for each look, and those of one look share it.
static void test_shapes(void **state) {
    (void)state;
    static const char text[] =
        "{\"classname\" \"worldspawn\"}\n"
        "{\"classname\" \"func_wall\" \"targetname\" \"glass\" \"model\" \"*1\" \"rendermode\" "
        "\"2\" "
        "\"renderamt\" \"51\"}\n"
        "{\"classname\" \"func_wall\" \"targetname\" \"wall\" \"model\" \"*1\"}\n"
        "{\"classname\" \"func_wall\" \"targetname\" \"pane\" \"model\" \"*1\" \"rendermode\" "
        "\"2\" "
        "\"renderamt\" \"51\"}\n";
    stage s = build("goldsrc", text);
    char *json = export_stage(&s);
    assert_int_equal(mesh_of(json + 20, "glass"), mesh_of(json + 20, "pane"));
    assert_int_not_equal(mesh_of(json + 20, "glass"), mesh_of(json + 20, "wall"));
    uint32_t materials[2] = {0, 0}; // of the two meshes of the model
    const char *at = json + 20;
    for (int i = 0; i < 2; i++) {
        at = strstr(at, "\"name\":\"*1\"");
        assert_non_null(at);
        at = strstr(at, "\"material\":");
        assert_non_null(at);
        materials[i] = (uint32_t)atoi(at + strlen("\"material\":"));
    }
    assert_null(strstr(at, "\"name\":\"*1\""));
    assert_int_not_equal(materials[0], materials[1]);
    free(json);
}

static void test_view(void **state) {
    (void)state;
    static const struct {
        const char *branch;
        const char *keys;
        float pitch, yaw, eye;
    } cases[] = {{"goldsrc", "\"angle\" \"30\"", 0, 30, 28},
                 {"goldsrc", "\"angle\" \"-1\"", -90, 0, 28},
                 {"goldsrc", "\"angle\" \"-2\"", 90, 0, 28},
                 {"source_20", "\"angle\" \"-2\"", 90, 0, 64},
                 {"quake", "\"angle\" \"-2\"", 0, -2, 22},
                 {"quake2", "\"angle\" \"-1\"", 0, -1, 22},
                 {"quake3", "\"angle\" \"-2\"", 0, -2, 26},
                 {"goldsrc", "\"angles\" \"10 20 0\"", 10, 20, 28}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char keys[256];
        snprintf(keys, sizeof keys, "\"classname\" \"info_player_start\" \"origin\" \"1 2 3\" %s",
                 cases[i].keys);
        stage s = build_entity(cases[i].branch, keys);
        bsp_view view;
        bsp_view_start(&s.r->map, &view);
        assert_true(view.angles[0] == cases[i].pitch && view.angles[1] == cases[i].yaw);
        assert_true(view.from[0] == 1 && view.from[1] == 2 && view.from[2] == 3 + cases[i].eye);
        end(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_angles),    cmocka_unit_test(test_classes),
        cmocka_unit_test(test_traces),    cmocka_unit_test(test_pictures),
        cmocka_unit_test(test_exports),   cmocka_unit_test(test_decompiled),
        cmocka_unit_test(test_looks),     cmocka_unit_test(test_blended),
        cmocka_unit_test(test_materials), cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_view),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
