// SPDX-License-Identifier: MIT
// The game of a map by its entity classes: whole classes of maps of its version, the most of them.
#include "support/room.h"

#include "bspkit/edit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void expect_game(const char *branch, const char *text, const char *title) {
    bsp_error error = {0};
    bsp_blob plain = room_file(bsp_branch_find(branch), false, 0);
    bsp_file *file = bsp_file_open_memory((bsp_bytes){plain.data, plain.size}, NULL, &error);
    assert_non_null(file);
    bsp_lump_change change = {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
                              .data = {(const uint8_t *)text, strlen(text)},
                              .version = BSP_NONE};
    bsp_blob blob;
    assert_true(bsp_file_rewrite(file, &change, 1, NULL, &blob, &error));
    bsp_file_close(file);
    file = bsp_file_open_memory((bsp_bytes){blob.data, blob.size}, NULL, &error);
    assert_non_null(file);
    const bsp_game *game = bsp_file_game(file);
    if (title == NULL) {
        assert_null(game);
    } else {
        assert_non_null(game);
        assert_string_equal(game->title, title);
    }
    bsp_file_close(file);
    bsp_blob_free(&blob);
    bsp_blob_free(&plain);
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

// Rows have versions in order, titles of their own, and classes.
static void test_table(void **state) {
    (void)state;
    const bsp_game *game;
    for (size_t i = 0; (game = bsp_game_at(i)) != NULL; i++) {
        assert_true(game->low <= game->high);
        assert_non_null(game->classes[0]);
        for (size_t k = 0; k < i; k++) {
            assert_string_not_equal(game->title, bsp_game_at(k)->title);
        }
        assert_true(i < 64);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_told),
        cmocka_unit_test(test_not_told),
        cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
