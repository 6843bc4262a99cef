// SPDX-License-Identifier: MIT
// The game of a map by its entity classes: whole classes of maps of its version, the most of them.
#include "support/each_map.h"
#include "support/room.h"

#include "bspkit/compare.h"
#include "bspkit/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// A room of a branch with other entities, and `overlays` overlays of zeros where that is not 0. The
// game is named where `game` is not NULL.
typedef struct opened {
    bsp_blob blob;
    bsp_file *file;
} opened;

static opened open_room(const char *branch, const char *text, uint32_t overlays, const char *game) {
    bsp_error error = {0};
    opened o;
    bsp_blob plain = room_file(bsp_branch_find(branch), false, 0);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){plain.data, plain.size}, NULL, &error);
    assert_non_null(file);
    uint8_t *records = calloc(overlays + 1, 352);
    assert_non_null(records);
    bsp_lump_change changes[] = {
        {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
         .data = {(const uint8_t *)text, strlen(text) + 1},
         .version = BSP_NONE},
        {.lump = bsp_file_find_id(file, BSP_ID_OVERLAYS),
         .data = {records, (size_t)overlays * 352},
         .version = BSP_NONE},
    };
    assert_true(bsp_file_rewrite(file, changes, overlays == 0 ? 1 : 2, NULL, &o.blob, &error));
    bsp_file_close(file);
    free(records);
    bsp_blob_free(&plain);
    bsp_open_options options = {.game = game};
    o.file = bsp_file_open_memory((bsp_bytes){o.blob.data, o.blob.size}, &options, &error);
    assert_non_null(o.file);
    return o;
}

static void close_room(opened *o) {
    bsp_file_close(o->file);
    bsp_blob_free(&o->blob);
}

static void expect_game(const char *branch, const char *text, const char *title) {
    opened o = open_room(branch, text, 0, NULL);
    const bsp_game *game = bsp_file_game(o.file);
    if (title == NULL) {
        assert_null(game);
    } else {
        assert_non_null(game);
        assert_string_equal(game->title, title);
    }
    close_room(&o);
}

static void test_told(void **state) {
    (void)state;
    expect_game("source_20", "{\n\"classname\" \"ship_item\"\n}\n", "The Ship");
    expect_game("source_20", "{\n\"classname\"\t\"pm_trap\"\n}\n", "Bloody Good Time");
    expect_game("source_20", "{\n\"a\" \"b\"\n\"classname\" \"func_bomb_target\"\n}\n",
                "Counter-Strike: Source");
    expect_game("source_21", "{\n\"classname\" \"func_bomb_target\"\n}\n",
                "Counter-Strike: Global Offensive");
    expect_game("left4dead2", "{\n\"classname\" \"info_survivor_position\"\n}\n", "Left 4 Dead 2");
    expect_game("source_20", "{\n\"classname\" \"info_survivor_position\"\n}\n", "Left 4 Dead");
    // Reactive Drop has the classes of Alien Swarm and its own.
    expect_game("source_21", "{\n\"classname\" \"asw_spawner\"\n}\n", "Alien Swarm");
    expect_game("source_21",
                "{\n\"classname\" \"asw_spawner\"\n}\n{\n\"classname\" \"rd_hud_vscript\"\n}\n",
                "Alien Swarm: Reactive Drop");
    expect_game("source_20", "{\n\"classname\" \"neo_ghostspawnpoint\"\n}\n", "NEOTOKYO");
}

// Deathmatch's spawns are many games', and its ammunition is that of Half-Life: Source: both
// together, without a monster, are its own.
static void test_deathmatch(void **state) {
    (void)state;
#define SPAWN "{\n\"classname\" \"info_player_deathmatch\"\n}\n"
#define AMMO "{\n\"classname\" \"ammo_9mmclip\"\n}\n"
#define GAUSS "{\n\"classname\" \"ammo_gaussclip\"\n}\n"
#define MONSTER "{\n\"classname\" \"monster_zombie\"\n}\n"
    expect_game("source_20", SPAWN AMMO, "Half-Life Deathmatch: Source");
    expect_game("source_20", GAUSS AMMO SPAWN, "Half-Life Deathmatch: Source");
    expect_game("source_20", SPAWN, NULL);
    expect_game("source_20", AMMO, "Half-Life: Source");
    expect_game("source_20", AMMO GAUSS, "Half-Life: Source");
    expect_game("source_20", SPAWN AMMO MONSTER, "Half-Life: Source");
    expect_game("source_20", SPAWN "{\n\"classname\" \"info_player_rebel\"\n}\n",
                "Half-Life 2: Deathmatch");
}

// A value that is no class, a class of another version's game, two games alike, the end of the
// text.
static void test_not_told(void **state) {
    (void)state;
    expect_game("source_20", "{\n\"targetname\" \"ship_item\"\n}\n", NULL);
    expect_game("source_20", "{\n\"classname\" \"asw_door\"\n}\n", NULL);
    expect_game("source_20", "{\n\"classname\" \"ship_item\"\n}\n{\n\"classname\" \"pm_trap\"\n}\n",
                NULL);
    expect_game("source_20", "{\n\"classname\" \"ship", NULL);
    expect_game("source_20", "{\n\"classname\"", NULL);
    expect_game("quake", "{\n\"classname\" \"ship_item\"\n}\n", NULL);
}

// --- limits -------------------------------------------------------------------------------------

static uint64_t count_issues(const bsp_file *file, const char *id, const char *lump,
                             bsp_issue *first) {
    bsp_error error = {0};
    size_t count;
    uint64_t found = 0;
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    assert_true(bsp_check(file, issues, &error));
    const bsp_issue *list = bsp_issues_list(issues, &count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i].kind->id, id) == 0 && strcmp(list[i].place.lump, lump) == 0) {
            *first = found++ == 0 ? list[i] : *first;
        }
    }
    bsp_issues_free(issues);
    return found;
}

static uint64_t count_long(const char *branch, size_t key, size_t value, const char *id) {
    char *text = malloc(key + value + 100);
    assert_non_null(text);
    int used = sprintf(text, "{\n\"classname\" \"worldspawn\"\n}\n{\n\"classname\" \"a\"\n\"");
    memset(text + used, 'k', key);
    used += (int)key;
    used += sprintf(text + used, "\" \"");
    memset(text + used, 'v', value);
    sprintf(text + used + value, "\"\n}\n");
    opened o = open_room(branch, text, 0, NULL);
    bsp_issue issue;
    uint64_t count = count_issues(o.file, id, "ENTITIES", &issue);
    if (count != 0) {
        assert_int_equal(issue.place.record, 1);
    }
    close_room(&o);
    free(text);
    return count;
}

// MAX_KEY and MAX_VALUE of each family's tools, one below, at and above; what Quake 2's engine
// cuts.
static void test_lengths(void **state) {
    (void)state;
    static const struct {
        const char *branch;
        size_t key;
        size_t value;
    } rows[] = {{"quake", 32, 1024},     {"goldsrc", 32, 4096},   {"quake2", 32, 1024},
                {"quake3", 32, 1024},    {"source_19", 32, 1024}, {"source_20", 32, 1024},
                {"source_21", 32, 1024}, {"strata_25", 32, 1024}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *branch = rows[i].branch;
        for (int step = -1; step <= 1; step++) {
            size_t key = (size_t)((int)rows[i].key + step);
            size_t value = (size_t)((int)rows[i].value + step);
            uint64_t expected = step > 0 ? 1 : 0;
            assert_int_equal(count_long(branch, key, 4, "entity-key-too-long"), expected);
            assert_int_equal(count_long(branch, 4, value, "entity-value-too-long"), expected);
        }
    }
    assert_int_equal(count_long("quake2", 4, 128, "entity-value-cut"), 0);
    assert_int_equal(count_long("quake2", 4, 129, "entity-value-cut"), 1);
    assert_int_equal(count_long("quake2", 4, 1025, "entity-value-cut"), 0); // said by the other
    assert_int_equal(count_long("source_20", 4, 129, "entity-value-cut"), 0);
}

static void expect_overlays(const char *text, const char *game, uint32_t allowed) {
    for (uint32_t count = allowed - 1; count <= allowed + 1; count++) {
        bsp_issue issue;
        opened o = open_room("source_21", text, count, game);
        uint64_t found = count_issues(o.file, "limit-exceeded", "OVERLAYS", &issue);
        assert_int_equal(found, count > allowed ? 1 : 0);
        if (found != 0) {
            char expected[64];
            sprintf(expected, "%u records, and %u allowed", count, allowed);
            assert_string_equal(issue.text, expected);
        }
        close_room(&o);
    }
}

// VBSP allows 512 overlays, that of Counter-Strike: Global Offensive 1024: by its classes, or
// named.
static void test_overlays(void **state) {
    (void)state;
    const char *bare = "{\n\"classname\" \"worldspawn\"\n}\n";
    const char *strike = "{\n\"classname\" \"worldspawn\"\n}\n"
                         "{\n\"classname\" \"func_bomb_target\"\n}\n";
    expect_overlays(bare, NULL, 512);
    expect_overlays(strike, NULL, 1024);
    expect_overlays(bare, "counter-strike: global offensive", 1024);
    expect_overlays(strike, "Portal 2", 512);
}

static void expect_entities(const char *branch, uint32_t allowed) {
    static const char one[] = "{\n\"classname\" \"worldspawn\"\n}\n";
    size_t size = sizeof one - 1;
    for (uint32_t count = allowed - 1; count <= allowed + 1; count++) {
        char *text = malloc(count * size + 1);
        assert_non_null(text);
        for (uint32_t i = 0; i < count; i++) {
            memcpy(text + i * size, one, size + 1);
        }
        bsp_issue issue;
        opened o = open_room(branch, text, 0, NULL);
        uint64_t found = count_issues(o.file, "limit-exceeded", "ENTITIES", &issue);
        assert_int_equal(found, count > allowed ? 1 : 0);
        close_room(&o);
        free(text);
    }
}

// 4096 entities in 2004, 8192 later, 16384 since Alien Swarm.
static void test_entities(void **state) {
    (void)state;
    expect_entities("source_19", 4096);
    expect_entities("source_20", 8192);
    expect_entities("source_21", 16384);
}

static void test_named(void **state) {
    (void)state;
    bsp_error error = {0};
    assert_string_equal(bsp_game_find("POSTAL III")->title, "Postal III");
    assert_string_equal(bsp_game_find("dino")->title, "Dino D-Day");
    assert_string_equal(bsp_game_find("Portal 2")->title, "Portal 2"); // others begin so
    assert_null(bsp_game_find("Half-Life 2: E"));
    assert_null(bsp_game_find("Quake"));
    assert_null(bsp_game_find(""));
    bsp_blob plain = room_file(bsp_branch_find("source_20"), false, 0);
    bsp_open_options options = {.game = "Half-Life 2: E"};
    assert_null(bsp_file_open_memory((bsp_bytes){plain.data, plain.size}, &options, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_blob_free(&plain);
}

// --- the table ----------------------------------------------------------------------------------

// The games of the versions table of the format's article that are named by nothing else here.
static void test_listed(void **state) {
    (void)state;
    static const char *const titles[] = {"Half-Life 2: Lost Coast",
                                         "NEOTOKYO",
                                         "E.Y.E: Divine Cybermancy",
                                         "Dino D-Day",
                                         "Alien Swarm: Reactive Drop",
                                         "Lambda Wars",
                                         "Eternal Silence",
                                         "Postal III",
                                         "Half-Life Deathmatch: Source",
                                         "Half-Life 2: Update",
                                         "Portal with RTX",
                                         "INSURGENCY: Modern Infantry Combat",
                                         "Jabroni Brawl: Episode 3",
                                         "Source Filmmaker",
                                         "The Stanley Parable",
                                         "The Beginner's Guide",
                                         "Nuclear Dawn",
                                         "Revelations 2012",
                                         "Portal 2 Sixense Perceptual Pack",
                                         "Contagion",
                                         "Counter-Strike Online 2"};
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        const bsp_game *game = bsp_game_find(titles[i]);
        assert_non_null(game);
        assert_string_equal(game->title, titles[i]);
    }
}

static void note_told(const each_map *m, void *user) {
    bool *told = user;
    const bsp_game *game = bsp_file_game(m->file);
    for (size_t i = 0; game != NULL && bsp_game_at(i) != NULL; i++) {
        told[i] = told[i] || bsp_game_at(i) == game;
    }
}

// REAL says that a map of the corpus was told by the row, and nothing else does.
static void test_verified(void **state) {
    (void)state;
    bool told[64] = {false};
    const bsp_game *game;
    if (each_map_do(note_told, told) == 0) {
        print_message("skipped: the map corpus is not there\n");
        skip();
    }
    for (size_t i = 0; (game = bsp_game_at(i)) != NULL; i++) {
        if (told[i] != (game->verified == BSP_VERIFIED_REAL)) {
            fail_msg("%s: %s", game->title, bsp_verified_name(game->verified));
        }
    }
}

// Rows have versions in order and titles of their own.
static void test_table(void **state) {
    (void)state;
    const bsp_game *game;
    for (size_t i = 0; (game = bsp_game_at(i)) != NULL; i++) {
        assert_true(game->low <= game->high);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(game->title, bsp_game_at(k)->title);
        }
        assert_true(i < 64);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),  cmocka_unit_test(test_overlays),
        cmocka_unit_test(test_entities), cmocka_unit_test(test_named),
        cmocka_unit_test(test_listed),   cmocka_unit_test(test_verified),
        cmocka_unit_test(test_told),     cmocka_unit_test(test_deathmatch),
        cmocka_unit_test(test_not_told), cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
