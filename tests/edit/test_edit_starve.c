// SPDX-License-Identifier: MIT
// Every edit of the library with the n-th request for memory refused, for every n until none is: it
// fails and says that memory ended, or its result is the usual one; nothing in between, and no byte
// is left behind. The command's own memory is tried in tests/cli/faults.py.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"
#include "support/alloc.h"
#include "support/room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TEXT_ROOM 4096u
#define T(literal) ((bsp_text){literal, sizeof(literal) - 1})
#define B(literal) ((bsp_bytes){(const uint8_t *)(literal), sizeof(literal) - 1})

/// What is edited: a map as a file, opened with the allocator that the edit gets.
typedef struct subject {
    bsp_file *file;
    const bsp_allocator *allocator;
    bsp_blob *out;
    bsp_error *error;
} subject;

typedef bool edit(const subject *s);

// --- edits --------------------------------------------------------------------------------------

static bool rewrite(const subject *s) {
    bsp_lump_change change = {.lump = 1, .data = B("0123456789abcdef"), .version = BSP_NONE};
    return bsp_file_rewrite(s->file, &change, 1, s->allocator, s->out, s->error);
}

static bool change_entities(const subject *s) {
    const bsp_entity_change changes[] = {
        {BSP_ENTITY_SET, 0, T("message"), T("another one")},
        {BSP_ENTITY_RENAME, 1, T("origin"), T("place")},
        {BSP_ENTITY_ADD, 0, {NULL, 0}, T("{\n\"classname\" \"info_null\"\n}\n")},
        {BSP_ENTITY_REMOVE, 2, {NULL, 0}, {NULL, 0}},
    };
    bsp_entities *entities = bsp_file_entities(s->file, NULL, s->error);
    bool done = entities != NULL &&
                bsp_entities_change(entities, changes, 4, s->allocator, s->out, s->error);
    bsp_entities_free(entities);
    return done;
}

static bool compose_entities(const subject *s) {
    static const bsp_pair pair = {{"classname", 9}, {"info_null", 9}};
    const bsp_entity_source list[] = {{0, NULL, 0}, {BSP_NONE, &pair, 1}, {1, NULL, 0}};
    bsp_entities *entities = bsp_file_entities(s->file, NULL, s->error);
    bool done =
        entities != NULL && bsp_entities_compose(entities, list, 3, s->allocator, s->out, s->error);
    bsp_entities_free(entities);
    return done;
}

static bool change_pak(const subject *s) {
    const bsp_pak_change changes[] = {
        {.name = T("new.txt"), .data = B("text text text text"), .method = BSP_PAK_LZMA},
        {.name = T("more.txt"), .data = B("text text text text"), .method = BSP_PAK_DEFLATE},
    };
    bsp_bytes old;
    uint32_t lump = bsp_file_find_id(s->file, BSP_ID_PAK);
    return bsp_file_data(s->file, lump, &old, s->error) &&
           bsp_pak_rewrite(old, changes, 2, s->allocator, s->out, s->error);
}

static bool rename_map(const subject *s) {
    bsp_rename *rename = bsp_file_rename(s->file, T("room"), T("hall"), s->allocator, s->error);
    bool done = rename != NULL && rename->num_files == 1 && rename->num_paths == 1 &&
                bsp_file_rewrite(s->file, rename->changes, rename->num_changes, s->allocator,
                                 s->out, s->error);
    bsp_rename_free(rename);
    return done;
}

static bool pack(const subject *s) {
    return bsp_file_compress(s->file, true, s->allocator, s->out, s->error);
}

static bool unpack(const subject *s) {
    return bsp_file_compress(s->file, false, s->allocator, s->out, s->error);
}

static bool turn(const subject *s) {
    bsp_convert_options options = {.allocator = s->allocator};
    return bsp_file_reorder(s->file, true, &options, s->out, s->error);
}

static bool convert_to(const subject *s, const char *name) {
    bsp_convert_options options = {.allocator = s->allocator, .lossy = true};
    return bsp_file_convert(s->file, bsp_branch_find(name), &options, s->out, s->error);
}

static bool to_left4dead2(const subject *s) {
    return convert_to(s, "left4dead2");
}

static bool to_bsp2(const subject *s) {
    return convert_to(s, "bsp2");
}

static bool to_rbsp(const subject *s) {
    return convert_to(s, "rbsp");
}

static bool take_textures(const subject *s) {
    const bsp_texture_change change = {.texture = 0};
    return bsp_textures_change(s->file, &change, 1, s->allocator, s->out, s->error);
}

static bool write_wad(const subject *s) {
    uint32_t written;
    bsp_map_options options = {.allocator = s->allocator};
    bsp_map *map = bsp_map_load(s->file, &options, s->error);
    bool done = map != NULL && bsp_wad_write(map, s->allocator, &written, s->out, s->error);
    bsp_map_free(map);
    return done;
}

static void note(bsp_blob *text, bsp_text name, bool found) {
    size_t left = TEXT_ROOM - text->size;
    int size = snprintf((char *)text->data + text->size, left, "%.*s %d\n", (int)name.size,
                        name.data, found);
    assert_true(size > 0 && (size_t)size < left);
    text->size += (size_t)size;
}

// The result is the list as text.
static bool list_assets(const subject *s) {
    static uint8_t bytes[TEXT_ROOM];
    bsp_blob text = {.data = bytes};
    bsp_map_options options = {.allocator = s->allocator};
    bsp_map *map = bsp_map_load(s->file, &options, s->error);
    bsp_asset_list *assets =
        map == NULL ? NULL
                    : bsp_assets_find(map, NULL, &(bsp_assets_options){.allocator = s->allocator},
                                      s->error);
    for (uint32_t i = 0; assets != NULL && i < assets->count; i++) {
        note(&text, assets->list[i].name, assets->list[i].found);
    }
    for (uint32_t i = 0; assets != NULL && i < assets->num_unused; i++) {
        note(&text, assets->unused[i], true);
    }
    bool done = assets != NULL;
    bsp_assets_free(assets);
    bsp_map_free(map);
    bsp_pak_change copy = {.name = T("list"), .data = {text.data, text.size}};
    return done && bsp_pak_rewrite((bsp_bytes){NULL, 0}, &copy, 1, s->allocator, s->out, s->error);
}

// --- one of them, again and again ---------------------------------------------------------------

// Opens, edits, closes. True with `out` filled, whose memory is the meter's.
static bool run(edit *work, bsp_bytes bytes, test_meter *meter, bsp_blob *out, bsp_error *error) {
    bsp_allocator allocator = meter_allocator(meter);
    bsp_open_options options = {.allocator = &allocator};
    bsp_file *file = bsp_file_open_memory(bytes, &options, error);
    subject s = {file, &allocator, out, error};
    bool done = file != NULL && work(&s);
    bsp_file_close(file);
    return done;
}

static uint64_t starve(const char *name, edit *work, bsp_bytes bytes) {
    bsp_blob usual = {0};
    bsp_error error = {0};
    test_meter all = {0};
    if (!run(work, bytes, &all, &usual, &error)) {
        fail_msg("%s: %s", name, error.message);
    }
    for (uint64_t n = 1; n <= all.requests; n++) {
        bsp_blob out = {0};
        bsp_error why = {0};
        test_meter meter = {.fail_at = n};
        bool done = run(work, bytes, &meter, &out, &why);
        if (!done && why.code != BSP_E_MEMORY) {
            fail_msg("%s, request %u: %s", name, (unsigned)n, why.message);
        }
        if (done && (out.size != usual.size || memcmp(out.data, usual.data, out.size) != 0)) {
            fail_msg("%s, request %u: another result", name, (unsigned)n);
        }
        if (done) {
            bsp_blob_free(&out);
        }
        assert_int_equal(meter.live, 0);
        assert_false(meter.wrong);
    }
    bsp_blob_free(&usual);
    assert_int_equal(all.live, 0);
    return all.requests;
}

// --- the maps -----------------------------------------------------------------------------------

/// A room as it is written; packed; and the same with few lumps, for packing takes long.
typedef enum map_form { WHOLE, PACKED, THIN, THIN_PACKED } map_form;

static bsp_file *open_map(const bsp_blob *map) {
    bsp_file *file = bsp_file_open_memory((bsp_bytes){map->data, map->size}, NULL, NULL);
    assert_non_null(file);
    return file;
}

// Puts files into a map whose branch can hold them, and takes lumps out.
static void change_map(bsp_blob *map, bool thin) {
    static const bsp_pak_change files[] = {
        {.name = {"materials/maps/ROOM/wall.vmt", 28},
         .data = {(const uint8_t *)"patch { include materials/maps/room/far.vmt }", 45}},
        {.name = {"materials/room/wall.vmt", 23},
         .data = {(const uint8_t *)"LightmappedGeneric { $basetexture room/wall }", 45}},
        {.name = {"unused.txt", 10},
         .data = {(const uint8_t *)"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 50}},
    };
    bsp_lump_change changes[64];
    uint32_t count = 0;
    bsp_blob zip;
    bsp_blob changed;
    bsp_file *file = open_map(map);
    assert_true(bsp_pak_rewrite((bsp_bytes){NULL, 0}, files, 3, NULL, &zip, NULL));
    for (uint32_t n = 0; n < bsp_file_get_info(file)->num_directory_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(file, n);
        changes[count] = (bsp_lump_change){.lump = n, .version = BSP_NONE};
        if (lump->id == BSP_ID_PAK) {
            changes[count++].data = (bsp_bytes){zip.data, zip.size};
        } else if (thin && n > 3 && lump->kind != BSP_KIND_GAME) {
            changes[count++].remove = true;
        }
    }
    assert_true(bsp_file_rewrite(file, changes, count, NULL, &changed, NULL));
    bsp_file_close(file);
    bsp_blob_free(&zip);
    bsp_blob_free(map);
    *map = changed;
}

static void pack_map(bsp_blob *map) {
    bsp_blob packed;
    bsp_file *file = open_map(map);
    assert_true(bsp_file_compress(file, true, NULL, &packed, NULL));
    bsp_file_close(file);
    bsp_blob_free(map);
    *map = packed;
}

static bsp_blob make_map(const char *branch, map_form form) {
    bsp_blob map = room_file(bsp_branch_find(branch), false, 0);
    change_map(&map, form == THIN || form == THIN_PACKED);
    if (form == PACKED || form == THIN_PACKED) {
        pack_map(&map);
    }
    return map;
}

static void test_every_edit(void **state) {
    (void)state;
    static const struct {
        const char *name;
        edit *work;
        const char *branch;
        map_form form;
    } edits[] = {
        {"rewrite", rewrite, "source_20", WHOLE},
        {"entities", change_entities, "source_20", WHOLE},
        {"entities of a packed map", change_entities, "source_20", PACKED},
        {"a list of entities", compose_entities, "quake2", WHOLE},
        {"pak", change_pak, "source_20", WHOLE},
        {"another name", rename_map, "source_20", WHOLE},
        {"pack", pack, "source_20", THIN},
        {"unpack", unpack, "source_20", PACKED},
        {"byte order", turn, "source_20", WHOLE},
        {"byte order of a packed map", turn, "source_20", THIN_PACKED},
        {"left4dead2", to_left4dead2, "source_20", WHOLE},
        {"left4dead2 of a packed map", to_left4dead2, "source_20", PACKED},
        {"bsp2", to_bsp2, "quake", WHOLE},
        {"rbsp", to_rbsp, "quake3", WHOLE},
        {"textures", take_textures, "goldsrc", WHOLE},
        {"WAD", write_wad, "goldsrc", WHOLE},
        {"assets", list_assets, "source_20", WHOLE},
        {"assets of a packed map", list_assets, "source_20", PACKED},
    };
    uint64_t requests = 0;
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        bsp_blob map = make_map(edits[i].branch, edits[i].form);
        uint64_t count = starve(edits[i].name, edits[i].work, (bsp_bytes){map.data, map.size});
        print_message("%s: %u requests\n", edits[i].name, (unsigned)count);
        requests += count;
        bsp_blob_free(&map);
    }
    assert_true(requests > 100);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_edit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
