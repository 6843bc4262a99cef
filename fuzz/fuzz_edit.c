// SPDX-License-Identifier: MIT
// Damaged maps changed: every call of edit.h. Whatever the bytes are, a plan is as big as what it
// writes, what was written opens again, lumps that were not asked for keep their bytes, and nothing
// is written but bytes of the file and of the change: each input is changed twice, the second time
// with other memory around it, and both must come out the same.
#include "bspkit/compare.h"
#include "bspkit/edit.h"
#include "bspkit/entity_edit.h"

#include "edited.h"
#include "meter.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

#define AROUND ((size_t)1 << 12)     // bytes before and after the second copy
#define ROOM ((size_t)24 << 20)      // of the 64 MiB that the meter allows, for what is read
#define TRIALS 3u                    // number of changes per input
#define GROWS_BY ((uint64_t)1 << 16) // most bytes that a change here adds to a file

typedef struct trial {
    fuzz_meter *meter;
    const bsp_allocator *allocator;
    const bsp_file *file;
    const bsp_file_info *info;
    uint64_t random;
    uint64_t hash; // of all output
} trial;

// Returns 0 .. limit - 1; 0 for limit 0.
static uint32_t below(trial *t, uint32_t limit) {
    uint64_t number = fuzz_random(&t->random) >> 32;
    return limit == 0 ? 0 : (uint32_t)(number % limit);
}

// FNV-1a.
static void add_hash(trial *t, const void *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        t->hash = (t->hash ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001B3);
    }
}

static bsp_file *open_as(const trial *t, bsp_bytes bytes, const bsp_branch *branch) {
    bsp_open_options options = {.branch = branch == NULL ? NULL : branch->name,
                                .allocator = t->allocator,
                                .budget = fuzz_budget(t->meter, ROOM)};
    return bsp_file_open_memory(bytes, &options, NULL);
}

// --- output --------------------------------------------------------------------------------------

static bool count(void *user, const char *data, size_t size) {
    (void)data;
    *(uint64_t *)user += size;
    return true;
}

static void take_blob(trial *t, bool done, bsp_blob *blob) {
    add_hash(t, &done, sizeof done);
    if (done) {
        add_hash(t, blob->data, blob->size);
        bsp_blob_free(blob);
    } else {
        FUZZ_CHECK(blob->data == NULL);
    }
}

/// Writes a plan, which may be NULL; then there is an error. `change`: compares all lumps but that
/// one. The caller frees the blob.
static bool make(trial *t, bsp_plan *plan, const bsp_error *error, bsp_blob *blob) {
    uint64_t written = 0;
    memset(blob, 0, sizeof *blob);
    FUZZ_CHECK(plan != NULL || error->code != BSP_OK);
    if (plan == NULL) {
        return false;
    }
    FUZZ_CHECK(bsp_plan_write(plan, count, &written, NULL));
    FUZZ_CHECK(written == bsp_plan_size(plan));
    FUZZ_CHECK(bsp_plan_make(plan, t->allocator, blob, NULL));
    FUZZ_CHECK(blob->size == written);
    return true;
}

/// Checks a map that was written from the file.
static void take_map(trial *t, bsp_plan *plan, const bsp_lump_change *change,
                     const bsp_error *error) {
    bsp_blob blob;
    if (make(t, plan, error, &blob)) {
        bsp_file *file = open_as(t, (bsp_bytes){blob.data, blob.size}, t->info->detection.branch);
        FUZZ_CHECK(file != NULL);
        FUZZ_CHECK(bsp_plan_matches(plan, file, NULL));
        if (change != NULL) {
            fuzz_check_edited(t->file, file, change);
        }
        bsp_file_close(file);
    }
    take_blob(t, plan != NULL, &blob);
    bsp_plan_free(plan);
}

// --- lumps --------------------------------------------------------------------------------------

static void change_nothing(trial *t) {
    bsp_error error = {0};
    bsp_blob blob;
    bsp_plan *plan = bsp_file_plan(t->file, NULL, 0, t->allocator, &error);
    if (make(t, plan, &error, &blob) && !t->info->scrambled) {
        FUZZ_CHECK(blob.size == t->info->bytes.size);
        FUZZ_CHECK(memcmp(blob.data, t->info->bytes.data, blob.size) == 0);
    }
    take_blob(t, plan != NULL, &blob);
    bsp_plan_free(plan);
}

static void change_lump(trial *t, bsp_lump_change change) {
    bsp_error error = {0};
    bsp_plan *plan = bsp_file_plan(t->file, &change, 1, t->allocator, &error);
    // A lump that shares bytes with others leaves them those, and at most its old place.
    uint64_t old = bsp_file_stored(t->file, change.lump).size;
    FUZZ_CHECK(plan == NULL ||
               bsp_plan_size(plan) <= t->info->bytes.size + old + change.data.size + GROWS_BY);
    take_map(t, plan, &change, &error);
}

static void set_lump(trial *t) {
    uint32_t n = below(t, t->info->num_lumps);
    bsp_bytes old = bsp_file_stored(t->file, n);
    size_t size = below(t, 3) == 0 ? below(t, (uint32_t)old.size) : old.size + below(t, 40);
    uint8_t *bytes = calloc(size + 1, 1);
    FUZZ_CHECK(bytes != NULL);
    if (old.size != 0) {
        memcpy(bytes, old.data, old.size < size ? old.size : size);
    }
    bool version = below(t, 4) == 0;
    change_lump(t, (bsp_lump_change){.lump = n,
                                     .data = {bytes, size},
                                     .version = version ? 1 : BSP_NONE,
                                     .apart = below(t, 3) == 0});
    free(bytes);
}

static void remove_lump(trial *t) {
    change_lump(t, (bsp_lump_change){
                       .lump = below(t, t->info->num_lumps), .remove = true, .version = BSP_NONE});
}

static void add_lump(trial *t) {
    static const uint8_t bytes[64] = "a new lump";
    bsp_lump_change change = {.lump = BSP_NONE,
                              .name = below(t, 2) == 0 ? "game:test" : "bspx:TEST",
                              .data = {bytes, below(t, sizeof bytes)},
                              .version = BSP_NONE};
    change_lump(t, change);
}

static void pack_lump(trial *t) {
    uint32_t n = below(t, t->info->num_lumps);
    const bsp_lump *lump = bsp_file_lump(t->file, n);
    bsp_bytes data;
    bsp_blob blob;
    if (!bsp_file_data(t->file, n, &data, NULL)) {
        return;
    }
    bool done = bsp_lump_pack(lump, data, t->allocator, &blob, NULL);
    if (done) {
        change_lump(t, (bsp_lump_change){.lump = n,
                                         .data = {blob.data, blob.size},
                                         .version = BSP_NONE,
                                         .unpacked_size = (uint32_t)data.size});
    }
    take_blob(t, done, &blob);
}

// Reads the change from two files, which this target does not have, and from files of one lump.
static void read_patch(trial *t) {
    bsp_lump_file patch;
    bsp_blob blob;
    uint8_t head[BSP_LUMP_FILE_HEAD];
    uint32_t n = below(t, t->info->num_lumps);
    if (bsp_lump_file_read(t->info->bytes, below(t, 2) == 0, &patch, NULL)) {
        FUZZ_CHECK(patch.data.data + patch.data.size <= t->info->bytes.data + t->info->bytes.size);
        bsp_lump_file_head(&patch, false, head);
        add_hash(t, head, sizeof head);
    }
    take_blob(t, bsp_external_rewrite(t->file, n, t->info->bytes, t->allocator, &blob, NULL),
              &blob);
}

// --- entities -----------------------------------------------------------------------------------

static bsp_entity_change entity_change(trial *t, const bsp_entities *entities) {
    static const char *const texts[] = {"{ \"classname\" \"light\" }", "a", "", "origin",
                                        "{\n\"a\" \"b\"\n}\n"};
    const bsp_entity *entity =
        entities->count == 0 ? NULL : &entities->list[below(t, entities->count)];
    bsp_entity_change change = {.action = (bsp_entity_action)below(t, BSP_ENTITY_ADD + 1),
                                .entity = below(t, entities->count + 1),
                                .key = bsp_text_of(texts[1 + below(t, 3)]),
                                .value = bsp_text_of(texts[below(t, 5)])};
    if (entity != NULL && entity->num_pairs != 0 && below(t, 4) != 0) {
        change.entity = (uint32_t)(entity - entities->list);
        change.key = entity->pairs[below(t, entity->num_pairs)].key;
    }
    return change;
}

static void set_entities(trial *t, bool done, bsp_blob *blob) {
    uint32_t n = bsp_file_find_id(t->file, BSP_ID_ENTITIES);
    if (done && n != BSP_NONE) {
        change_lump(t, (bsp_lump_change){.lump = n,
                                         .data = {blob->data, blob->size},
                                         .version = BSP_NONE,
                                         .apart = below(t, 2) == 0});
    }
    take_blob(t, done, blob);
}

static void change_entities(trial *t) {
    bsp_entity_change changes[4];
    bsp_blob blob;
    bsp_entities *entities = bsp_file_entities(t->file, NULL, NULL);
    if (entities == NULL) {
        return;
    }
    uint32_t number = below(t, 4) + 1;
    for (uint32_t i = 0; i < number; i++) {
        changes[i] = entity_change(t, entities);
    }
    bool done = bsp_entities_change(entities, changes, number, t->allocator, &blob, NULL);
    set_entities(t, done, &blob);
    bsp_entities_free(entities);
}

static void compose_entities(trial *t) {
    static const bsp_pair pair = {{"a", 1}, {"b", 1}};
    bsp_entity_source list[6];
    bsp_blob blob;
    bsp_entities *entities = bsp_file_entities(t->file, NULL, NULL);
    if (entities == NULL) {
        return;
    }
    uint32_t number = below(t, 7);
    for (uint32_t i = 0; i < number; i++) {
        list[i] = (bsp_entity_source){.entity = below(t, entities->count + 1)};
        if (below(t, 3) == 0) {
            list[i] = (bsp_entity_source){.entity = BSP_NONE, .pairs = &pair, .num_pairs = 1};
        }
    }
    bool done = bsp_entities_compose(entities, list, number, t->allocator, &blob, NULL);
    set_entities(t, done, &blob);
    bsp_entities_free(entities);
}

// --- textures -----------------------------------------------------------------------------------

// Removes the pixels of a texture, or replaces them by bytes of the lump.
static void change_texture(trial *t) {
    bsp_blob blob;
    bsp_bytes old = {NULL, 0};
    uint32_t n = bsp_file_find_id(t->file, BSP_ID_TEXTURES);
    bool there = n != BSP_NONE && bsp_file_data(t->file, n, &old, NULL);
    uint32_t texture = below(t, 4);
    uint32_t from = 0;
    if (there && old.size >= 4 * ((size_t)texture + 2)) {
        memcpy(&from, old.data + 4 + 4 * (size_t)texture, 4); // hosts of the other order: any place
    }
    bsp_texture_change change = {.texture = texture};
    if (below(t, 2) == 0 && from < old.size) {
        change.data = (bsp_bytes){old.data + from, old.size - from};
    }
    bool done = bsp_textures_change(t->file, &change, 1, t->allocator, &blob, NULL);
    if (done && there) {
        change_lump(
            t, (bsp_lump_change){.lump = n, .data = {blob.data, blob.size}, .version = BSP_NONE});
    }
    take_blob(t, done, &blob);
}

static void write_wad(trial *t) {
    bsp_map_options options = {.allocator = t->allocator};
    bsp_map *map = bsp_map_load(t->file, &options, NULL);
    bsp_blob blob;
    uint32_t written;
    if (map == NULL) {
        return;
    }
    take_blob(t, bsp_wad_write(map, t->allocator, &written, &blob, NULL), &blob);
    bsp_asset_list *assets =
        bsp_assets_find(map, NULL, &(bsp_assets_options){.allocator = t->allocator}, NULL);
    for (uint32_t i = 0; assets != NULL && i < assets->count; i++) {
        add_hash(t, assets->list[i].name.data, assets->list[i].name.size);
    }
    bsp_assets_free(assets);
    bsp_map_free(map);
}

// --- pak ----------------------------------------------------------------------------------------

static bsp_pak_change pak_change(trial *t, const bsp_pak *pak) {
    static const uint8_t text[] = "a file, a file, a file, a file, a file, a file, a file, a file";
    static const uint16_t methods[] = {BSP_PAK_STORED, BSP_PAK_DEFLATE, BSP_PAK_LZMA};
    bsp_pak_change change = {.name = bsp_text_of("new.txt"),
                             .data = {text, below(t, sizeof text)},
                             .method = methods[below(t, 3)]};
    if (pak->count != 0 && below(t, 4) != 0) {
        change.name = pak->entries[below(t, pak->count)].name;
        change.remove = below(t, 2) == 0;
    }
    return change;
}

static void change_pak(trial *t) {
    bsp_error error = {0};
    bsp_blob blob;
    bsp_pak *pak = bsp_file_pak(t->file, NULL, NULL);
    uint32_t n = bsp_file_find_id(t->file, BSP_ID_PAK);
    if (pak == NULL) {
        return;
    }
    bsp_pak_change changes[2] = {pak_change(t, pak), pak_change(t, pak)};
    bsp_plan *plan = bsp_pak_plan(pak, changes, 1 + below(t, 2), t->allocator, &error);
    if (make(t, plan, &error, &blob)) {
        bsp_lump_change change = {.lump = n, .plan = plan, .version = BSP_NONE};
        bsp_plan *whole = bsp_file_plan(t->file, &change, 1, t->allocator, &error);
        take_map(t, whole, &change, &error);
        take_blob(t, true, &blob);
        bsp_pak *again = bsp_pak_open(bsp_file_stored(t->file, n), t->allocator, NULL, NULL);
        FUZZ_CHECK(again != NULL);
        bsp_pak_close(again);
    }
    bsp_plan_free(plan);
    bsp_pak_close(pak);
    bool done = bsp_pak_rewrite(t->info->bytes, changes, 1, t->allocator, &blob, NULL);
    take_blob(t, done, &blob);
}

// --- whole files ---------------------------------------------------------------------------------

static void compress(trial *t) {
    bsp_error error = {0};
    bool lzma = below(t, 8) == 0;
    take_map(t, bsp_file_compress_plan(t->file, lzma, t->allocator, &error), NULL, &error);
}

static void open_again(trial *t, bool done, bsp_blob *blob, const bsp_branch *branch) {
    bsp_file *file = done ? open_as(t, (bsp_bytes){blob->data, blob->size}, branch) : NULL;
    FUZZ_CHECK(!done || file != NULL);
    bsp_file_close(file);
    take_blob(t, done, blob);
}

static void reorder(trial *t) {
    bsp_blob blob;
    bsp_convert_options options = {.lossy = below(t, 2) == 0, .allocator = t->allocator};
    bool done = bsp_file_reorder(t->file, !t->info->detection.big_endian, &options, &blob, NULL);
    open_again(t, done, &blob, t->info->detection.branch);
}

static void convert(trial *t) {
    bsp_blob blob;
    uint32_t branches = 0;
    bsp_convert_options options = {.lossy = below(t, 4) != 0, .allocator = t->allocator};
    while (bsp_branch_at(branches) != NULL) {
        branches++;
    }
    const bsp_branch *target = bsp_branch_at(below(t, branches));
    bool done = bsp_file_convert(t->file, target, &options, &blob, NULL);
    open_again(t, done, &blob, target);
}

static void ignore(void *user, const bsp_difference *difference) {
    *(uint64_t *)user += difference->before.size + difference->after.size;
}

// Compares the file with a copy that lacks some bytes at the end.
static void compare(trial *t) {
    uint64_t size = 0;
    bsp_bytes bytes = t->info->bytes;
    bytes.size -= below(t, (uint32_t)bytes.size / 2);
    bsp_file *other = open_as(t, bytes, t->info->detection.branch);
    if (other != NULL) {
        (void)bsp_file_diff(t->file, other, ignore, &size, t->allocator, NULL);
    }
    bsp_file_close(other);
    add_hash(t, &size, sizeof size);
}

// --- all changes ---------------------------------------------------------------------------------

static uint64_t run(bsp_bytes bytes, uint64_t random) {
    static void (*const kinds[])(trial *) = {
        set_lump,   set_lump,        set_lump,         remove_lump,    add_lump,  pack_lump,
        read_patch, change_entities, compose_entities, change_texture, write_wad, change_pak,
        change_pak, compress,        reorder,          convert,        compare};
    fuzz_meter meter;
    fuzz_meter_begin(&meter);
    trial t = {.meter = &meter, .allocator = &meter.allocator, .random = random, .hash = 1};
    bsp_file *file = open_as(&t, bytes, NULL);
    if (file != NULL) {
        t.file = file;
        t.info = bsp_file_get_info(file);
        change_nothing(&t);
        for (unsigned i = 0; i < TRIALS; i++) {
            kinds[below(&t, sizeof kinds / sizeof *kinds)](&t);
        }
    }
    bsp_file_close(file);
    fuzz_meter_end(&meter, bytes.size);
    return t.hash;
}

// The seed depends on all bytes.
static uint64_t seed_of(bsp_bytes bytes) {
    trial t = {.hash = UINT64_C(0xCBF29CE484222325)};
    add_hash(&t, bytes.data, bytes.size);
    return t.hash | 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint64_t seed = seed_of((bsp_bytes){data, size});
    uint64_t hash = run((bsp_bytes){data, size}, seed);
    uint8_t *block = malloc(size + 2 * AROUND);
    FUZZ_CHECK(block != NULL);
    memset(block, 0xA5, size + 2 * AROUND);
    if (size != 0) {
        memcpy(block + AROUND, data, size);
    }
    FUZZ_CHECK(run((bsp_bytes){block + AROUND, size}, seed) == hash);
    free(block);
    return 0;
}
