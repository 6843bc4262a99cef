// SPDX-License-Identifier: MIT
// The maps in samples/: their counts are those of samples/README.md, which other programs took;
// what is at a point follows from the drawing. Then the battery.
#include "support/battery.h"
#include "support/files.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define FLIPS 30u

typedef void file_test(const char *name, const bsp_file *file);

typedef struct chosen {
    const char *name; // NULL: all
    file_test *test;
    uint32_t count;
} chosen;

static void visit(const test_file *found, void *user) {
    chosen *c = user;
    if (c->name == NULL || strcmp(found->path, c->name) == 0) {
        bsp_file *file = battery_open(found->path, found->bytes);
        c->test(found->path, file);
        bsp_file_close(file);
        c->count++;
    }
}

static uint32_t with_file(const char *name, file_test *test) {
    chosen c = {name, test, 0};
    for_each_file(BSP_TEST_SAMPLES, ".bsp", visit, &c);
    return c.count;
}

// --- counts -------------------------------------------------------------------------------------

typedef struct counted {
    bsp_table_id id;
    uint32_t count; // records, or bytes
} counted;

typedef struct sample {
    const char *path;
    const char *branch;
    size_t size;
    uint32_t entities;
    uint32_t clusters;
    counted counts[18];
} sample;

#define QUAKE_COUNTS(light)                                                                        \
    {BSP_ID_MODELS, 6}, {BSP_ID_PLANES, 159}, {BSP_ID_VERTICES, 338}, {BSP_ID_NODES, 142},         \
        {BSP_ID_TEXINFO, 40}, {BSP_ID_FACES, 297}, {BSP_ID_CLIPNODES, 291}, {BSP_ID_LEAVES, 94},   \
        {BSP_ID_LEAF_FACES, 402}, {BSP_ID_EDGES, 642}, {BSP_ID_SURFEDGES, 1258},                   \
        {BSP_ID_TEXTURES, 21}, {BSP_ID_LIGHTING, light}, {                                         \
        BSP_ID_VISIBILITY, 259                                                                     \
    }
#define GOLDSRC_COUNTS                                                                             \
    {BSP_ID_MODELS, 9}, {BSP_ID_PLANES, 217}, {BSP_ID_VERTICES, 298}, {BSP_ID_NODES, 152},         \
        {BSP_ID_TEXINFO, 57}, {BSP_ID_FACES, 212}, {BSP_ID_CLIPNODES, 365}, {BSP_ID_LEAVES, 98},   \
        {BSP_ID_LEAF_FACES, 312}, {BSP_ID_EDGES, 510}, {BSP_ID_SURFEDGES, 970},                    \
        {BSP_ID_TEXTURES, 17}, {BSP_ID_LIGHTING, 50712}, {                                         \
        BSP_ID_VISIBILITY, 240                                                                     \
    }
#define QUAKE2_COUNTS(vertices, faces, leaf_faces, edges, surfedges, light)                        \
    {BSP_ID_MODELS, 6}, {BSP_ID_PLANES, 181}, {BSP_ID_VERTICES, vertices}, {BSP_ID_NODES, 150},    \
        {BSP_ID_TEXINFO, 52}, {BSP_ID_FACES, faces}, {BSP_ID_LEAVES, 157},                         \
        {BSP_ID_LEAF_FACES, leaf_faces}, {BSP_ID_LEAF_BRUSHES, 107}, {BSP_ID_EDGES, edges},        \
        {BSP_ID_SURFEDGES, surfedges}, {BSP_ID_BRUSHES, 73}, {BSP_ID_BRUSH_SIDES, 460},            \
        {BSP_ID_AREAS, 3}, {BSP_ID_AREA_PORTALS, 3}, {BSP_ID_LIGHTING, light}, {                   \
        BSP_ID_VISIBILITY, 4 + 29 * 8 + 232                                                        \
    }
#define QUAKE3_COUNTS                                                                              \
    {BSP_ID_MODELS, 5}, {BSP_ID_TEXTURES, 22}, {BSP_ID_BRUSHES, 71}, {BSP_ID_BRUSH_SIDES, 444},    \
        {BSP_ID_FOGS, 1}, {BSP_ID_PLANES, 226}, {BSP_ID_NODES, 84}, {BSP_ID_LEAVES, 90},           \
        {BSP_ID_LEAF_FACES, 345}, {BSP_ID_LEAF_BRUSHES, 157}, {BSP_ID_FACES, 123},                 \
        {BSP_ID_DRAW_VERTS, 643}, {BSP_ID_DRAW_INDICES, 441}, {                                    \
        BSP_ID_LIGHTING, 128 * 128                                                                 \
    }

static const sample samples[] = {
    {"quake/lobby.bsp", "quake", 140520, 15, 58, {QUAKE_COUNTS(14748)}},
    {"quake/lobby_bsp2.bsp", "bsp2", 151776, 15, 58, {QUAKE_COUNTS(14748)}},
    {"quake/lobby_bspx.bsp", "quake", 195340, 15, 58, {QUAKE_COUNTS(0)}},
    {"goldsrc/lobby.bsp", "goldsrc", 84452, 18, 49, {GOLDSRC_COUNTS}},
    {"goldsrc/lobby_embed.bsp", "goldsrc", 144136, 18, 49, {GOLDSRC_COUNTS}},
    {"quake2/lobby.bsp",
     "quake2",
     110456,
     15,
     29,
     {QUAKE2_COUNTS(369, 327, 449, 740, 1384, 68556)}},
    {"quake2/lobby_qbism.bsp",
     "qbism",
     121204,
     15,
     29,
     {QUAKE2_COUNTS(325, 288, 401, 657, 1218, 67752)}},
    {"quake3/lobby.bsp", "quake3", 114916, 13, 34, {QUAKE3_COUNTS}},
    {"quake3/lobby_rbsp.bsp", "rbsp", 148184, 13, 34, {QUAKE3_COUNTS}},
};

static const sample *sample_of(const char *path) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        if (strcmp(samples[i].path, path) == 0) {
            return &samples[i];
        }
    }
    fail_msg("%s is not in the table", path);
    return NULL;
}

static bsp_map *load(const char *name, const bsp_file *file) {
    bsp_error error = {0};
    bsp_map_options options = {.strict = true};
    bsp_map *map = bsp_map_load(file, &options, &error);
    if (map == NULL) {
        fail_msg("%s: %s", name, error.message);
    }
    return map;
}

// Light counts in luxels where those have three bytes; the table has bytes. (And of Quake 2's
// visibility it has the rows: in front of them are a count and two offsets a cluster.)
static uint32_t records_of(const bsp_file *file, bsp_table_id id) {
    uint32_t n = bsp_file_find_id(file, id);
    bool pages =
        bsp_branch_traits(bsp_file_get_info(file)->detection.branch)->light == BSP_LIGHT_PAGES;
    if (id == BSP_ID_VISIBILITY || (id == BSP_ID_LIGHTING && !pages)) {
        return (uint32_t)bsp_file_lump(file, n)->size;
    }
    return bsp_file_count(file, id);
}

static void check_counts(const char *name, const bsp_file *file) {
    const sample *want = sample_of(name);
    const bsp_file_info *info = bsp_file_get_info(file);
    assert_int_equal(info->bytes.size, want->size);
    assert_string_equal(info->detection.branch->name, want->branch);
    for (uint32_t i = 0; i < 18 && want->counts[i].id != BSP_ID_NONE; i++) {
        uint32_t count = records_of(file, want->counts[i].id);
        if (count != want->counts[i].count) {
            fail_msg("%s: %u %s, not %u", name, count, bsp_table_id_name(want->counts[i].id),
                     want->counts[i].count);
        }
    }
    bsp_map *map = load(name, file);
    assert_int_equal(map->entities->count, want->entities);
    assert_int_equal(map->visibility.num_clusters, want->clusters);
    bsp_map_free(map);
}

static void test_counts(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        if (with_file(samples[i].path, check_counts) != 1) {
            fail_msg("%s is missing", samples[i].path);
        }
    }
}

static void check_embedded(const char *name, const bsp_file *file) {
    bsp_map *map = load(name, file);
    bool want = strcmp(name, "goldsrc/lobby.bsp") != 0;
    for (uint32_t i = 0; i < map->num_materials; i++) {
        assert_true(map->materials[i].name.size != 0);
        assert_int_equal(map->materials[i].mips[0].size != 0, want);
        assert_int_equal(map->materials[i].palette.size != 0, want && name[0] == 'g');
    }
    bsp_map_free(map);
}

static void test_textures(void **state) {
    (void)state;
    with_file("goldsrc/lobby.bsp", check_embedded);
    with_file("goldsrc/lobby_embed.bsp", check_embedded);
    with_file("quake/lobby.bsp", check_embedded);
}

static void check_quake3(const char *name, const bsp_file *file) {
    bsp_map *map = load(name, file);
    uint32_t patches = 0;
    for (uint32_t i = 0; i < map->num_faces; i++) {
        patches += map->faces[i].type == BSP_FACE_PATCH ? 1 : 0;
    }
    assert_int_equal(patches, 3);
    assert_int_equal(map->visibility.row_bytes, 8);
    uint32_t cells = map->num_light_array != 0 ? map->num_light_array : map->num_light_grid;
    assert_int_equal(cells, 234);
    bsp_map_free(map);
}

static void test_quake3(void **state) {
    (void)state;
    assert_int_equal(with_file("quake3/lobby.bsp", check_quake3), 1);
    assert_int_equal(with_file("quake3/lobby_rbsp.bsp", check_quake3), 1);
}

typedef struct bspx {
    const char *name;
    uint32_t size;
} bspx;

static void check_bspx(const char *name, const bsp_file *file) {
    static const bspx rows[] = {
        {"bspx:BRUSHLIST", 2436},     {"bspx:RGBLIGHTING", 19008}, {"bspx:LIGHTINGDIR", 19008},
        {"bspx:DECOUPLED_LM", 11880}, {"bspx:FACENORMALS", 15628}, {"bspx:LIGHTGRID_OCTREE", 1405},
    };
    (void)name;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint32_t n = bsp_file_find(file, bsp_text_of(rows[i].name));
        assert_int_not_equal(n, BSP_NONE);
        assert_int_equal(bsp_file_lump(file, n)->place, BSP_IN_BSPX);
        assert_int_equal(bsp_file_lump(file, n)->size, rows[i].size);
    }
}

static void test_bspx(void **state) {
    (void)state;
    assert_int_equal(with_file("quake/lobby_bspx.bsp", check_bspx), 1);
}

// --- points -------------------------------------------------------------------------------------

enum {
    EMPTY = -1,
    SOLID = -2,
    WATER = -3,
    SLIME = -4,
    SKY = -6,
    ANY = 1, // not stated by the drawing
    BIT_SOLID = 0x1,
    BIT_WINDOW = 0x2,
    BIT_SLIME = 0x10,
    BIT_WATER = 0x20,
    BIT_FOG = 0x40,
    BIT_PORTAL = 0x8000,
    BIT_CLIP = 0x10000,
    // Quake 3: without those for the compiler, and one that means portal here and opaque there
    GAME_BITS = 0xFF7FFF,
    BITS = BIT_SOLID | BIT_WINDOW | BIT_SLIME | BIT_WATER | BIT_PORTAL | BIT_CLIP
};

typedef struct drawn {
    float point[3];
    int quake;
    int goldsrc;
    int quake2; // of BITS
    int quake3;
} drawn;

static const drawn points[] = {
    {{128, 32, 64}, EMPTY, EMPTY, 0, 0},
    {{128, 128, -8}, SOLID, SOLID, BIT_SOLID, BIT_SOLID},
    {{64, 192, -30}, SLIME, SLIME, BIT_SLIME, BIT_FOG},
    {{64, 192, -4}, EMPTY, EMPTY, 0, 0},
    {{192, 64, 80}, SOLID, SOLID, BIT_SOLID, BIT_SOLID},
    {{64, 64, 16}, SOLID, SOLID, BIT_SOLID, BIT_SOLID},
    {{8, 128, 150}, SOLID, SOLID, BIT_SOLID, BIT_SOLID},
    {{336, 128, 48}, EMPTY, EMPTY, BIT_PORTAL, ANY}, // one side of the brush makes the portal
    {{500, 64, -40}, EMPTY, EMPTY, BIT_CLIP, BIT_CLIP},
    {{500, 64, -60}, SOLID, SOLID, BIT_SOLID, BIT_SOLID},
    {{480, 192, -40}, SOLID, SOLID, BIT_SOLID, BIT_SOLID},
    {{740, 244, -60}, SOLID, SOLID, BIT_SOLID, BIT_SOLID},
    {{608, 96, -100}, WATER, WATER, BIT_WATER, BIT_WATER},
    {{640, 220, -32}, EMPTY, EMPTY, BIT_WINDOW, BIT_SOLID},
    {{608, 96, 164}, ANY, EMPTY, BIT_WINDOW, BIT_SOLID},
    {{608, 96, 190}, EMPTY, EMPTY, 0, 0},
    {{608, 96, 216}, SKY, SKY, BIT_SOLID, BIT_SOLID},
};

// Quake 3 keeps contents in brushes: those of the world that hold the point, whatever its leaf.
static int brushes_at(const bsp_map *map, const float point[3]) {
    int contents = 0;
    const bsp_model *world = &map->models[0];
    for (uint32_t b = world->first_brush; b < world->first_brush + world->num_brushes; b++) {
        const bsp_brush *brush = &map->brushes[b];
        bool inside = true;
        for (uint32_t s = 0; s < brush->num_sides; s++) {
            const bsp_plane *plane = &map->planes[map->brush_sides[brush->first_side + s].plane];
            inside = inside && plane->normal[0] * point[0] + plane->normal[1] * point[1] +
                                       plane->normal[2] * point[2] <=
                                   plane->dist;
        }
        contents |= inside ? brush->contents : 0;
    }
    return contents;
}

// Raven's games have other bits for what is not solid.
static int raven_bits(int bits) {
    switch (bits) {
    case BIT_WATER:
        return 4;
    case BIT_FOG:
        return 8;
    case BIT_CLIP:
        return 0x10;
    default:
        return bits;
    }
}

static int wanted(const bsp_map *map, const drawn *d) {
    switch (map->branch->family) {
    case BSP_QUAKE:
        return d->quake;
    case BSP_GOLDSRC:
        return d->goldsrc;
    case BSP_QUAKE2:
        return d->quake2;
    default:
        return strcmp(map->branch->name, "rbsp") == 0 ? raven_bits(d->quake3) : d->quake3;
    }
}

static int found(const bsp_map *map, const drawn *d) {
    switch (map->branch->family) {
    case BSP_QUAKE3:
        return brushes_at(map, d->point) & GAME_BITS;
    case BSP_QUAKE2:
        return map->leaves[room_walk(map, d->point)].contents & BITS;
    default:
        return map->leaves[room_walk(map, d->point)].contents;
    }
}

static void check_point(const char *name, const bsp_map *map, size_t i) {
    const drawn *d = &points[i];
    int want = wanted(map, d);
    int got = found(map, d);
    if (want != got && want != ANY) {
        fail_msg("%s: at %g %g %g is %d, not %d", name, (double)d->point[0], (double)d->point[1],
                 (double)d->point[2], got, want);
    }
}

static void check_points(const char *name, const bsp_file *file) {
    bsp_map *map = load(name, file);
    for (size_t i = 0; map->branch->family != BSP_SOURCE && i < sizeof points / sizeof *points;
         i++) {
        check_point(name, map, i);
    }
    bsp_map_free(map);
}

static void test_points(void **state) {
    (void)state;
    assert_true(with_file(NULL, check_points) >= 9);
}

// --- battery ------------------------------------------------------------------------------------

static void check_sound(const char *name, const bsp_file *file) {
    battery_clean(name, file, BSP_WARNING);
    battery_encode(name, file);
}

static void test_sound(void **state) {
    (void)state;
    with_file(NULL, check_sound);
}

static void check_rewrite(const char *name, const bsp_file *file) {
    bsp_map *map = load(name, file);
    bsp_blob blobs[2];
    bsp_error error = {0};
    uint32_t props = bsp_file_find(file, bsp_text_of("game:sprp"));
    bsp_write_options options = {.revision = bsp_file_get_info(file)->revision,
                                 .static_prop_version =
                                     props == BSP_NONE ? 0 : bsp_file_lump(file, props)->version};
    if (!bsp_map_write(map, map->branch, &options, &blobs[0], &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    bsp_bytes bytes = {blobs[0].data, blobs[0].size};
    bsp_file *again = battery_open(name, bytes);
    bsp_map *copy = load(name, again);
    if (!bsp_map_write(copy, map->branch, &options, &blobs[1], &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    assert_int_equal(blobs[0].size, blobs[1].size);
    assert_memory_equal(blobs[0].data, blobs[1].data, blobs[0].size);
    battery_clean(name, again, BSP_WARNING);
    bsp_map_free(copy);
    bsp_file_close(again);
    bsp_blob_free(&blobs[0]);
    bsp_blob_free(&blobs[1]);
    bsp_map_free(map);
}

static void test_rewrite(void **state) {
    (void)state;
    with_file(NULL, check_rewrite);
}

static void check_damaged(const char *name, const bsp_file *file) {
    battery_truncate(name, bsp_file_get_info(file)->bytes);
    battery_flip(name, bsp_file_get_info(file)->bytes, FLIPS, 20240229);
}

static void test_damaged(void **state) {
    (void)state;
    with_file(NULL, check_damaged);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),  cmocka_unit_test(test_textures),
        cmocka_unit_test(test_quake3),  cmocka_unit_test(test_bspx),
        cmocka_unit_test(test_points),  cmocka_unit_test(test_sound),
        cmocka_unit_test(test_rewrite), cmocka_unit_test(test_damaged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
