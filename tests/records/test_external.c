// SPDX-License-Identifier: MIT
// Files beside a map that hold lumps of it: which are taken, what is read from them, that the map
// and they are written back byte for byte, and that hostile ones do no harm.
#define _POSIX_C_SOURCE 200809L // mkdtemp, truncate, rmdir

#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "support/alloc.h"
#include "support/battery.h"
#include "support/random.h"
#include "support/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define RECORDS 3u
#define MAX_FILES 160u
#define NAME_ROOM 64u
#define DIRECTORY 2064u // bytes of head and directory
#define GAME_LUMP 0x23u

// A map, and files that hold what its lumps hold.
typedef struct set {
    bsp_bytes map;
    bsp_external files[MAX_FILES];
    char names[MAX_FILES][NAME_ROOM];
    uint32_t count;
} set;

static bsp_file *open_set(const set *s, bsp_bytes map, bsp_issues *issues) {
    bsp_error error = {0};
    bsp_open_options options = {.external = s->files, .num_external = s->count, .issues = issues};
    bsp_file *file = bsp_file_open_memory(map, &options, &error);
    if (file == NULL) {
        fail_msg("%s", error.message);
    }
    return file;
}

static void add(set *s, const char *name, bsp_bytes bytes) {
    assert_true(s->count < MAX_FILES);
    snprintf(s->names[s->count], NAME_ROOM, "%s", name);
    s->files[s->count] = (bsp_external){s->names[s->count], bytes};
    s->count++;
}

static void add_lump(set *s, uint32_t lump, bsp_bytes bytes) {
    char name[NAME_ROOM];
    snprintf(name, sizeof name, "room.bsp.%04x.bsp_lump", (unsigned)lump);
    add(s, name, bytes);
}

static void build(set *s, const char *branch) {
    memset(s, 0, sizeof *s);
    s->map = tables_file(bsp_branch_find(branch), false, RECORDS);
}

// Each lump that is not empty gets a file.
static void add_all(set *s) {
    bsp_file *file = battery_open("map", s->map);
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_directory_lumps; n++) {
        bsp_bytes data;
        assert_true(bsp_file_data(file, n, &data, NULL));
        if (data.size != 0) {
            add_lump(s, n, data);
        }
    }
    bsp_file_close(file);
}

static void drop(set *s) {
    free((void *)(uintptr_t)s->map.data);
}

static bsp_bytes text(const char *string) {
    return (bsp_bytes){(const uint8_t *)string, strlen(string) + 1};
}

static const bsp_lump *lump_of(const bsp_file *file, const char *name) {
    uint32_t n = bsp_file_find(file, bsp_text_of(name));
    assert_int_not_equal(n, BSP_NONE);
    return bsp_file_lump(file, n);
}

static uint32_t issues_of(const bsp_issues *issues, const char *id) {
    size_t count;
    const bsp_issue_kind *kinds = bsp_issue_kinds(&count);
    for (size_t i = 0; i < count; i++) {
        if (strcmp(kinds[i].id, id) == 0) {
            return (uint32_t)bsp_issues_count_kind(issues, &kinds[i]);
        }
    }
    fail_msg("no issue is called %s", id);
    return 0;
}

// --- lumps --------------------------------------------------------------------------------------

static void expect_same_lumps(const bsp_file *a, const bsp_file *b) {
    const bsp_file_info *info = bsp_file_get_info(a);
    assert_int_equal(info->num_lumps, bsp_file_get_info(b)->num_lumps);
    for (uint32_t n = 0; n < info->num_lumps; n++) {
        bsp_bytes x;
        bsp_bytes y;
        assert_true(bsp_file_data(a, n, &x, NULL) && bsp_file_data(b, n, &y, NULL));
        assert_string_equal(bsp_file_lump(a, n)->name, bsp_file_lump(b, n)->name);
        assert_int_equal(x.size, y.size);
        assert_true(x.size == 0 || memcmp(x.data, y.data, x.size) == 0);
        assert_int_equal(bsp_file_lump(a, n)->id, bsp_file_lump(b, n)->id);
    }
}

// A map that is all in files, and the directory alone: as the later games have it.
static void test_directory_alone(void **state) {
    (void)state;
    static const char *const branches[] = {"titanfall", "titanfall2", "apex", "apex_52"};
    for (size_t i = 0; i < sizeof branches / sizeof *branches; i++) {
        set s;
        build(&s, branches[i]);
        add_all(&s);
        bsp_issues *issues = bsp_issues_new(NULL, 0);
        bsp_file *whole = battery_open(branches[i], s.map);
        bsp_file *file = open_set(&s, (bsp_bytes){s.map.data, DIRECTORY}, issues);
        assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 0);
        expect_same_lumps(whole, file);
        assert_int_equal(bsp_file_count(file, BSP_ID_STATIC_PROPS), RECORDS);
        for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
            const bsp_lump *lump = bsp_file_lump(file, n);
            assert_true(lump->size == 0 || lump->external != BSP_NONE);
        }
        assert_true(bsp_check_records(file, issues, NULL));
        assert_int_equal(bsp_issues_count(issues, BSP_WARNING), 0);
        battery_encode(branches[i], file);
        bsp_file_close(file);
        bsp_file_close(whole);
        bsp_issues_free(issues);
        drop(&s);
    }
}

static void test_replaced(void **state) {
    (void)state;
    static const uint8_t planes[32] = {0, 0, 128, 63};
    set s;
    build(&s, "titanfall2");
    add_lump(&s, 1, (bsp_bytes){planes, sizeof planes});
    add(&s, "room.bsp.0018.bsp_lump", text("01* env"));
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_file *file = open_set(&s, s.map, issues);
    const bsp_lump *lump = lump_of(file, "PLANES");
    bsp_bytes data;
    assert_true(bsp_file_data(file, 1, &data, NULL));
    assert_ptr_equal(data.data, planes);
    assert_int_equal(lump->external, 0);
    assert_int_equal(lump->size, 32);
    assert_int_equal(lump->stated_size, 16 * RECORDS);
    assert_int_equal(bsp_file_count(file, BSP_ID_PLANES), 2);
    assert_int_equal(lump_of(file, "VERTICES")->external, BSP_NONE);
    assert_string_equal(bsp_file_get_info(file)->external[1].name, "room.bsp.0018.bsp_lump");
    assert_int_equal(issues_of(issues, "external-file-size"), 2);
    // What the map holds in their place has no owner, but is not lost.
    battery_encode("replaced", file);
    bsp_issues_free(issues);
    bsp_file_close(file);
    drop(&s);
}

static void test_names(void **state) {
    (void)state;
    set s;
    build(&s, "titanfall2");
    add(&s, "room.bsp.0018.bsp_lump.client", text("client"));
    add(&s, "room.bsp.0018.BSP_LUMP", text("no"));
    add(&s, "room.bsp.018.bsp_lump", text("no"));
    add(&s, "room.bsp.00g8.bsp_lump", text("no"));
    add(&s, "roombsp0018.bsp_lump", text("no"));
    add(&s, ".bsp_lump", text("no"));
    add(&s, "", text("no"));
    add(&s, "room_other.ent", text("no"));
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_file *file = open_set(&s, s.map, issues);
    assert_int_equal(bsp_file_get_info(file)->num_external, 1);
    assert_int_equal(lump_of(file, "ENTITY_PARTITIONS")->size, sizeof "client");
    assert_int_equal(issues_of(issues, "external-file-ignored"), 0);
    bsp_file_close(file);
    // The client's gives way, whatever came first; of two of a kind the first by name stays.
    add(&s, "room.bsp.002A.bsp_lump", text("upper case!"));
    add(&s, "room.bsp.0018.bsp_lump", text("both"));
    add(&s, "room.bsp.002a.bsp_lump", text("lower case!!"));
    add(&s, "room.bsp.0080.bsp_lump", text("behind the last"));
    file = open_set(&s, s.map, issues);
    assert_int_equal(lump_of(file, "ENTITY_PARTITIONS")->size, sizeof "both");
    assert_int_equal(lump_of(file, "CUBEMAPS")->size, sizeof "upper case!");
    assert_int_equal(bsp_file_get_info(file)->num_external, 2);
    assert_int_equal(issues_of(issues, "external-file-ignored"), 1);
    bsp_file_close(file);
    bsp_issues_free(issues);
    drop(&s);
}

// Other families have no such files.
static void test_other_branches(void **state) {
    (void)state;
    set s;
    build(&s, "source_20");
    add_lump(&s, 1, text("nothing"));
    bsp_file *file = open_set(&s, s.map, NULL);
    assert_int_equal(bsp_file_get_info(file)->num_external, 0);
    assert_int_equal(lump_of(file, "PLANES")->external, BSP_NONE);
    bsp_file_close(file);
    drop(&s);
}

// --- entities -----------------------------------------------------------------------------------

static const char spawn[] = "ENTITIES02 num_models=2\n{\n\"classname\" \"info_spawnpoint\"\n}\n";
static const char env[] = "{\n\"classname\" \"env_fog\"\n}\n{\n\"classname\" \"light\"\n}\n";

static void test_entities(void **state) {
    (void)state;
    set s;
    build(&s, "titanfall2");
    add(&s, "room_spawn.ent", text(spawn));
    add(&s, "room_env.ent", text(env));
    bsp_file *file = open_set(&s, s.map, NULL);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_entities *all = bsp_file_entities(file, issues, NULL);
    static const char *const classes[] = {"worldspawn", "env_fog", "light", "info_spawnpoint"};
    assert_int_equal(all->count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        bsp_text name = bsp_entity_value(&all->list[i], "classname");
        assert_true(bsp_text_equal(name, bsp_text_of(classes[i])));
    }
    assert_int_equal(bsp_issues_count(issues, BSP_NOTE), 0);
    bsp_entities_free(all);
    uint32_t n = bsp_file_find(file, bsp_text_of("ent:spawn"));
    const bsp_lump *lump = bsp_file_lump(file, n);
    assert_int_equal(lump->place, BSP_IN_ENT_FILE);
    assert_int_equal(lump->kind, BSP_KIND_ENTITIES);
    assert_int_equal(lump->offset, 24);
    bsp_entities *own = bsp_lump_entities(file, n, NULL, NULL);
    assert_int_equal(own->count, 1);
    bsp_entities_free(own);
    own = bsp_lump_entities(file, bsp_file_find_id(file, BSP_ID_ENTITIES), NULL, NULL);
    assert_int_equal(own->count, 1);
    bsp_entities_free(own);
    bsp_issues_free(issues);
    bsp_file_close(file);
    drop(&s);
}

// --- writing ------------------------------------------------------------------------------------

static void expect_same(bsp_blob *blob, bsp_bytes want) {
    assert_int_equal(blob->size, want.size);
    assert_memory_equal(blob->data, want.data, want.size);
    bsp_blob_free(blob);
}

static void test_rewrite(void **state) {
    (void)state;
    set s;
    build(&s, "titanfall2");
    static const uint8_t planes[16] = {0};
    add_lump(&s, 1, (bsp_bytes){planes, sizeof planes});
    add(&s, "room_spawn.ent", text(spawn));
    bsp_file *file = open_set(&s, s.map, NULL);
    bsp_blob blob;
    bsp_error error = {0};
    assert_true(bsp_file_rewrite(file, NULL, 0, NULL, &blob, &error));
    expect_same(&blob, s.map);
    bsp_lump_change change = {.lump = 1, .data = {planes, 8}, .version = BSP_NONE};
    assert_false(bsp_file_rewrite(file, &change, 1, NULL, &blob, &error));
    assert_int_equal(error.code, BSP_E_UNSUPPORTED);
    assert_string_equal(error.message, "PLANES is in the file room.bsp.0001.bsp_lump beside the "
                                       "map, and is not changed in the map");
    change.lump = bsp_file_find(file, bsp_text_of("ent:spawn"));
    assert_false(bsp_file_rewrite(file, &change, 1, NULL, &blob, &error));
    // Another lump changes, and back.
    change.lump = 3;
    assert_true(bsp_file_rewrite(file, &change, 1, NULL, &blob, &error));
    bsp_file *changed = open_set(&s, (bsp_bytes){blob.data, blob.size}, NULL);
    assert_int_equal(lump_of(changed, "VERTICES")->size, 8);
    assert_int_equal(lump_of(changed, "PLANES")->external, 0);
    bsp_blob back;
    assert_true(bsp_file_data(file, 3, &change.data, NULL));
    assert_true(bsp_file_rewrite(changed, &change, 1, NULL, &back, &error));
    expect_same(&back, s.map);
    bsp_file_close(changed);
    bsp_blob_free(&blob);
    bsp_file_close(file);
    drop(&s);
}

static void test_rewrite_beside(void **state) {
    (void)state;
    set s;
    build(&s, "titanfall2");
    add_lump(&s, 1, text("sixteen bytes .."));
    add(&s, "room_spawn.ent", text(spawn));
    bsp_file *file = open_set(&s, s.map, NULL);
    bsp_blob blob;
    bsp_error error = {0};
    bsp_bytes data;
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        assert_true(bsp_file_data(file, n, &data, NULL));
        assert_int_equal(bsp_external_rewrite(file, n, data, NULL, &blob, &error),
                         lump->external != BSP_NONE);
        if (lump->external != BSP_NONE) {
            expect_same(&blob, s.files[lump->external].bytes);
        }
    }
    uint32_t n = bsp_file_find(file, bsp_text_of("ent:spawn"));
    assert_true(bsp_external_rewrite(file, n, text("{}"), NULL, &blob, &error));
    expect_same(&blob, text("ENTITIES02 num_models=2\n{}"));
    assert_true(bsp_external_rewrite(file, 1, (bsp_bytes){NULL, 0}, NULL, &blob, &error));
    assert_int_equal(blob.size, 0);
    assert_false(bsp_external_rewrite(file, 3, data, NULL, &blob, &error));
    assert_int_equal(error.code, BSP_E_ARGUMENT);
    bsp_file_close(file);
    drop(&s);
}

// --- hostile files ------------------------------------------------------------------------------

static void read_all(const bsp_file *file, uint64_t *dumped) {
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_lumps; n++) {
        bsp_json json;
        bsp_bytes data;
        bsp_json_begin(&json, null_sink, dumped);
        (void)bsp_dump_json(file, n, &json, NULL);
        bsp_json_flush(&json);
        assert_true(bsp_file_data(file, n, &data, NULL));
        uint8_t *out = malloc(data.size + 1);
        assert_non_null(out);
        (void)bsp_file_encode_lump(file, n, out, NULL);
        free(out);
    }
    bsp_entities_free(bsp_file_entities(file, NULL, NULL));
}

// One of the files, or the directory, is damaged: bytes changed, or cut short. A copy of its own
// size lets the sanitizer see what is read behind it.
static void attack(set *s, test_random *random) {
    uint32_t n = (uint32_t)random_below(random, s->count);
    bool game = random_below(random, 3) == 0;
    for (uint32_t i = 0; game && i < s->count; i++) {
        n = strstr(s->names[i], ".0023.") != NULL ? i : n;
    }
    bool map = random_below(random, 8) == 0;
    bsp_bytes old = map ? (bsp_bytes){s->map.data, DIRECTORY} : s->files[n].bytes;
    size_t size =
        random_below(random, 3) == 0 && !map ? random_below(random, old.size + 1) : old.size;
    uint8_t *copy = malloc(size + 1);
    assert_non_null(copy);
    memcpy(copy, old.data, size);
    for (int i = 0; i < 3 && size != 0; i++) {
        copy[16 * (size_t)map + random_below(random, size - 16 * (size_t)map)] =
            (uint8_t)random_u32(random);
    }
    uint8_t *own = malloc(size + (size == 0));
    assert_non_null(own);
    memcpy(own, copy, size);
    free(copy);
    bsp_bytes bytes = {own, size};
    bsp_external before = s->files[n];
    s->files[n].bytes = map ? before.bytes : bytes;
    test_meter meter = {0};
    bsp_allocator allocator = meter_allocator(&meter);
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    bsp_open_options options = {
        .external = s->files, .num_external = s->count, .allocator = &allocator, .issues = issues};
    bsp_file *file =
        bsp_file_open_memory(map ? bytes : (bsp_bytes){s->map.data, DIRECTORY}, &options, NULL);
    uint64_t dumped = 0;
    if (file != NULL) {
        read_all(file, &dumped);
        (void)bsp_check_records(file, issues, NULL);
    }
    bsp_file_close(file);
    bsp_issues_free(issues);
    assert_int_equal(meter.live, 0);
    assert_true(meter.peak < (size_t)64 << 20);
    s->files[n] = before;
    free(own);
}

static void test_damaged(void **state) {
    (void)state;
    test_random random = {UINT64_C(0xA0761D6478BD642F)};
    static const char *const branches[] = {"titanfall2", "apex_51"};
    for (size_t b = 0; b < 2; b++) {
        set s;
        build(&s, branches[b]);
        add_all(&s);
        add(&s, "room_spawn.ent", text(spawn));
        for (int i = 0; i < 1000; i++) {
            attack(&s, &random);
        }
        drop(&s);
    }
}

// Offsets of game lumps count from where the directory says that their lump is: any claim.
static void test_game_claims(void **state) {
    (void)state;
    static const uint32_t claims[] = {0, 1, 20, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0, 0xFFFFFFFF};
    enum { NUM_CLAIMS = sizeof claims / sizeof *claims };
    set s;
    build(&s, "titanfall2");
    add_all(&s);
    for (uint32_t i = 0; i < NUM_CLAIMS * NUM_CLAIMS * NUM_CLAIMS; i++) {
        uint8_t head[DIRECTORY];
        memcpy(head, s.map.data, DIRECTORY);
        uint8_t *entry = head + 16 + 16 * GAME_LUMP;
        uint8_t game[64];
        memset(game, 0, sizeof game);
        game[0] = 1;
        memcpy(game + 4, "prps", 4);
        for (int b = 0; b < 4; b++) {
            entry[b] = (uint8_t)(claims[i % NUM_CLAIMS] >> 8 * b);
            game[12 + b] = (uint8_t)(claims[i / NUM_CLAIMS % NUM_CLAIMS] >> 8 * b);
            game[16 + b] = (uint8_t)(claims[i / NUM_CLAIMS / NUM_CLAIMS] >> 8 * b);
        }
        for (uint32_t f = 0; f < s.count; f++) {
            if (strstr(s.names[f], ".0023.") != NULL) {
                s.files[f].bytes = (bsp_bytes){game, sizeof game};
            }
        }
        bsp_file *file = open_set(&s, (bsp_bytes){head, sizeof head}, NULL);
        const bsp_lump *lump = lump_of(file, "game:sprp");
        assert_true(lump->size == 0 || lump->offset + lump->size <= sizeof game);
        uint64_t dumped = 0;
        read_all(file, &dumped);
        bsp_file_close(file);
    }
    drop(&s);
}

static void test_starved(void **state) {
    (void)state;
    set s;
    build(&s, "titanfall2");
    add_all(&s);
    add(&s, "room_spawn.ent", text(spawn));
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        test_meter meter = {.fail_at = n};
        bsp_allocator allocator = meter_allocator(&meter);
        bsp_open_options options = {
            .external = s.files, .num_external = s.count, .allocator = &allocator};
        bsp_error error = {0};
        bsp_file *file = bsp_file_open_memory(s.map, &options, &error);
        done = file != NULL;
        assert_true(done || error.code == BSP_E_MEMORY);
        bsp_file_close(file);
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
    drop(&s);
}

// --- on the disk --------------------------------------------------------------------------------

static void write_file(const char *folder, const char *name, bsp_bytes bytes) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.data, 1, bytes.size, file), bytes.size);
    fclose(file);
}

static void remove_file(const char *folder, const char *name) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(remove(path), 0);
}

static bsp_file *open_in(const char *folder, bool alone, bsp_error *error) {
    char path[256];
    snprintf(path, sizeof path, "%s/room.bsp", folder);
    bsp_open_options options = {.no_external = alone};
    return bsp_file_open(path, &options, error);
}

static void test_folder(void **state) {
    (void)state;
    char folder[] = "external-XXXXXX";
    assert_non_null(mkdtemp(folder));
    set s;
    build(&s, "titanfall2");
    bsp_error error = {0};
    write_file(folder, "room.bsp", s.map);
    static const char *const others[] = {"room2.bsp.0018.bsp_lump", "aroom.bsp.0018.bsp_lump",
                                         "room2_env.ent", "room.bsp_env.ent", "room.0018.bsp_lump"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        write_file(folder, others[i], text("another map's"));
    }
    bsp_file *file = open_in(folder, false, &error);
    assert_int_equal(bsp_file_get_info(file)->num_external, 0);
    bsp_file_close(file);
    write_file(folder, "room.bsp.0018.bsp_lump", text("01* env"));
    write_file(folder, "room_env.ent", text(env));
    file = open_in(folder, false, &error);
    assert_int_equal(bsp_file_get_info(file)->num_external, 2);
    assert_int_equal(lump_of(file, "ENTITY_PARTITIONS")->size, 8);
    bsp_entities *all = bsp_file_entities(file, NULL, NULL);
    assert_int_equal(all->count, 3);
    bsp_entities_free(all);
    bsp_file_close(file);
    file = open_in(folder, true, &error);
    assert_int_equal(bsp_file_get_info(file)->num_external, 0);
    bsp_file_close(file);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        remove_file(folder, others[i]);
    }
    remove_file(folder, "room_env.ent");
    remove_file(folder, "room.bsp.0018.bsp_lump");
    remove_file(folder, "room.bsp");
    assert_int_equal(rmdir(folder), 0);
    drop(&s);
}

// A file of more than 4 GiB (with no bytes in it) is refused; a folder of such a name is none.
static void test_folder_hostile(void **state) {
    (void)state;
    char folder[] = "external-XXXXXX";
    char path[256];
    assert_non_null(mkdtemp(folder));
    set s;
    build(&s, "titanfall2");
    bsp_error error = {0};
    write_file(folder, "room.bsp", s.map);
    snprintf(path, sizeof path, "%s/room.bsp.0001.bsp_lump", folder);
    assert_int_equal(mkdir(path, 0777), 0);
    write_file(folder, "room.bsp.0002.bsp_lump", (bsp_bytes){s.map.data, 0});
    bsp_file *file = open_in(folder, false, &error);
    assert_int_equal(bsp_file_get_info(file)->num_external, 1);
    assert_int_equal(lump_of(file, "TEXTURE_DATA")->size, 0);
    bsp_file_close(file);
    assert_int_equal(rmdir(path), 0);
    snprintf(path, sizeof path, "%s/room.bsp.0002.bsp_lump", folder);
    if (truncate(path, INT64_C(5) << 30) == 0) {
        assert_null(open_in(folder, false, &error));
        assert_int_equal(error.code, BSP_E_LIMIT);
        assert_non_null(strstr(error.message, sizeof(size_t) > 4
                                                  ? "room.bsp.0002.bsp_lump: more than 4 GiB"
                                                  : "too large for this machine"));
        file = open_in(folder, true, &error);
        assert_non_null(file);
        bsp_file_close(file);
    }
    remove_file(folder, "room.bsp.0002.bsp_lump");
    remove_file(folder, "room.bsp");
    assert_int_equal(rmdir(folder), 0);
    drop(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directory_alone), cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_names),           cmocka_unit_test(test_other_branches),
        cmocka_unit_test(test_entities),        cmocka_unit_test(test_rewrite),
        cmocka_unit_test(test_rewrite_beside),  cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_game_claims),     cmocka_unit_test(test_starved),
        cmocka_unit_test(test_folder),          cmocka_unit_test(test_folder_hostile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
