// SPDX-License-Identifier: MIT
// Converts a file to the other byte order. Records keep their size, so everything that is not
// packed stays in its place; packed lumps are unpacked, swapped and packed again first. What
// differs between the two kinds of files besides the byte order was read from shack.360.
#include "edit/pak/packed.h"

#include "core/buffer.h"
#include "core/options.h"
#include "core/reader.h"
#include "records/directory.h"
#include "records/file.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct turner {
    const bsp_file *file;
    const bsp_file_info *info;
    bool big;
    const bsp_convert_options *options;
    bspi_heap heap;
    bspi_arena arena;
    bsp_lump_change *changes; // packed lumps
    bsp_blob *blobs;
    uint32_t count;
    char opaque[160]; // names of lumps of unknown structure
    bsp_error *error;
} turner;

// --- unknown content -----------------------------------------------------------------------------

// Returns true for bytes that are the same in any byte order: rows of bits, texels, files.
static bool is_plain(bsp_lump_kind kind) {
    return kind == BSP_KIND_VIS_OFFSETS || kind == BSP_KIND_VIS_ROWS ||
           kind == BSP_KIND_VIS_MATRIX || kind == BSP_KIND_TEXTURES || kind == BSP_KIND_ZIP;
}

static bool is_zero(const uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

static bool is_leaf(const bsp_part *part) {
    return part->kind != BSP_PART_GROUP && part->kind != BSP_PART_LIST;
}

// Finds bytes outside of all parts, or in parts without a structure, that are not zero.
static bool find_opaque(turner *t, const bsp_lump *lump, const bsp_parts *parts, bool *opaque) {
    *opaque = false;
    if (is_plain(lump->kind) || lump->kind == BSP_KIND_GAME || parts->data.size == 0) {
        return true;
    }
    uint8_t *left = bspi_heap_alloc(&t->heap, parts->data.size, t->error);
    if (left == NULL) {
        return false;
    }
    memcpy(left, parts->data.data, parts->data.size);
    for (uint32_t i = 0; i < parts->count; i++) {
        const bsp_part *part = &parts->parts[i];
        if (is_leaf(part) && part->kind != BSP_PART_BYTES) {
            memset(left + part->offset, 0, part->size);
        }
    }
    *opaque = !is_zero(left, parts->data.size);
    bspi_heap_free(&t->heap, left, parts->data.size);
    return true;
}

static void note_opaque(turner *t, const bsp_lump *lump) {
    size_t used = strlen(t->opaque);
    (void)snprintf(t->opaque + used, sizeof t->opaque - used, "%s%s", used == 0 ? "" : ", ",
                   lump->name);
    if (t->options->lossy) {
        bspi_issue(t->options->issues, BSPI_ISSUE_CONVERT_OPAQUE,
                   bsp_place_at(lump->name, BSP_NONE, NULL, lump->offset),
                   "bytes of unknown structure keep their order");
    }
}

// --- records ------------------------------------------------------------------------------------

// Swaps the records of a lump in `out`, a copy of its bytes.
static bool turn_lump(turner *t, uint32_t n, uint8_t *out) {
    bsp_parts parts;
    bool opaque = false;
    if (!bspi_heap_work(&t->heap, bsp_file_lump(t->file, n)->unpacked_size, t->error) ||
        !bsp_file_parts(t->file, n, NULL, &parts, t->error)) {
        return false;
    }
    bool done = find_opaque(t, bsp_file_lump(t->file, n), &parts, &opaque);
    if (opaque) {
        note_opaque(t, bsp_file_lump(t->file, n));
    }
    for (uint32_t i = 0; i < parts.count; i++) {
        const bsp_part *part = &parts.parts[i];
        bool records = part->kind == BSP_PART_TABLE || part->kind == BSP_PART_RECORD;
        if (records && part->big_endian == t->info->detection.big_endian &&
            bsp_file_lump(t->file, n)->kind != BSP_KIND_ZIP) {
            bsp_table table = bsp_parts_table(&parts, i);
            bsp_table_reorder(&table, t->big, out + part->offset);
        }
    }
    bsp_parts_free(&parts);
    return done;
}

static bool turn_packed(turner *t, uint32_t n) {
    bsp_bytes data;
    const bsp_lump *lump = bsp_file_lump(t->file, n);
    if (!bsp_file_data(t->file, n, &data, t->error)) {
        return false;
    }
    uint8_t *copy = bspi_heap_alloc(&t->heap, data.size, t->error);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, data.data, data.size);
    bsp_blob *blob = &t->blobs[t->count];
    bool done = turn_lump(t, n, copy) &&
                bspi_lump_pack(&t->heap, lump, (bsp_bytes){copy, data.size}, blob, t->error);
    bspi_heap_free(&t->heap, copy, data.size);
    if (done) {
        t->changes[t->count++] = (bsp_lump_change){.lump = n,
                                                   .data = {blob->data, blob->size},
                                                   .version = BSP_NONE,
                                                   .unpacked_size = lump->unpacked_size};
    }
    return done;
}

static bool turn_all_packed(turner *t) {
    t->changes = bspi_arena_zero(&t->arena, t->info->num_lumps, sizeof *t->changes, t->error);
    t->blobs = bspi_arena_zero(&t->arena, t->info->num_lumps, sizeof *t->blobs, t->error);
    bool done = t->changes != NULL && t->blobs != NULL;
    for (uint32_t n = 0; done && n < t->info->num_lumps; n++) {
        done = !bsp_file_lump(t->file, n)->compressed || turn_packed(t, n);
    }
    return done;
}

// --- directories --------------------------------------------------------------------------------

static void turn_head(const turner *t, uint8_t *out) {
    const bsp_shape *shape = bsp_branch_shape(t->info->detection.branch);
    const uint8_t *from = t->info->bytes.data;
    size_t tail = bsp_shape_size(shape) - (shape->tail == NULL ? 0 : shape->tail->size);
    bool big = t->info->detection.big_endian;
    // The entries of the directory may have been moved, so they are swapped in `out`.
    bsp_table entries = {shape->entry, out + shape->head->size, shape->num_lumps, big};
    bsp_table head = {shape->head, from, 1, big};
    uint8_t turned[4096];
    uint32_t at_once = (uint32_t)(sizeof turned / shape->entry->size);
    bsp_table_reorder(&head, t->big, out);
    for (uint32_t i = 0; i < 4; i++) {
        out[i] = from[3 - i]; // "VBSP" is a number too
    }
    for (uint32_t i = 0; i < shape->num_lumps; i += entries.count) {
        uint8_t *place = out + shape->head->size + (size_t)i * shape->entry->size;
        entries.data = place;
        entries.count = shape->num_lumps - i < at_once ? shape->num_lumps - i : at_once;
        bsp_table_reorder(&entries, t->big, turned);
        memcpy(place, turned, (size_t)entries.count * shape->entry->size);
    }
    if (shape->tail != NULL) {
        bsp_table last = {shape->tail, from + tail, 1, big};
        bsp_table_reorder(&last, t->big, out + tail);
    }
}

// Offsets count from the lump in big-endian files; an offset of 0 means nothing in both.
static bool turn_game_directory(const turner *t, const bsp_file *laid, uint8_t *out) {
    bspi_game_directory directory;
    if (!bspi_game_directory_find(laid, &directory)) {
        return true;
    }
    uint32_t start = (uint32_t)directory.lump->offset;
    bool relative = directory.relative || (t->info->detection.big_endian && start != 0);
    bspi_store32(out + start, bspi_load32(out + start, t->info->detection.big_endian), t->big);
    for (uint32_t i = 0; i < directory.table.count; i++) {
        bspi_game_entry entry = bspi_game_entry_read(&directory, i);
        if (entry.offset != 0 && relative != t->big) {
            entry.offset = t->big ? entry.offset - start : entry.offset + start;
        }
        uint8_t *place = out + start + 4 + (size_t)i * directory.table.layout->size;
        if (!bspi_game_entry_write(&directory, &entry, t->big, place, t->error)) {
            return false;
        }
    }
    return true;
}

// --- the whole conversion ------------------------------------------------------------------------

// Two lumps that share bytes can be swapped if they are of one kind, and have the same bytes.
static bool check_shared(turner *t) {
    for (uint32_t n = 0; n < t->info->num_lumps; n++) {
        const bsp_lump *a = bsp_file_lump(t->file, n);
        if (!bspi_heap_work(&t->heap, t->info->num_lumps, t->error)) {
            return false;
        }
        for (uint32_t i = n + 1; i < t->info->num_lumps; i++) {
            const bsp_lump *b = bsp_file_lump(t->file, i);
            bool nested = a->kind == BSP_KIND_GAME && b->place == BSP_IN_GAME_LUMP;
            bool same = a->offset == b->offset && a->size == b->size && a->kind == b->kind;
            bool apart = a->size == 0 || b->size == 0 || a->offset >= b->offset + b->size ||
                         b->offset >= a->offset + a->size;
            if (!apart && !nested && !same) {
                return bsp_fail(t->error, BSP_E_UNSUPPORTED, NULL,
                                "lumps %s and %s share bytes: their order cannot change", a->name,
                                b->name);
            }
        }
    }
    return true;
}

static bool turn_rest(turner *t, const bsp_file *laid, uint8_t *out) {
    for (uint32_t n = 0; n < t->info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(t->file, n);
        if (lump->size == 0 || lump->compressed || lump->kind == BSP_KIND_GAME) {
            continue;
        }
        bool there = n < bsp_file_get_info(laid)->num_lumps;
        const bsp_lump *to = there ? bsp_file_lump(laid, n) : NULL;
        if (!there || to->size != lump->size || to->place != lump->place) {
            return bsp_fail(t->error, BSP_E_DAMAGED, NULL, "%s is not found again", lump->name);
        }
        if (!turn_lump(t, n, out + to->offset)) {
            return false;
        }
    }
    turn_head(t, out);
    return turn_game_directory(t, laid, out);
}

static bool refuse_opaque(const turner *t) {
    return t->opaque[0] == '\0' || t->options->lossy ||
           bsp_fail(t->error, BSP_E_UNSUPPORTED, NULL,
                    "bytes of unknown structure cannot be turned: %s", t->opaque);
}

// `laid` has everything in its place, but packed lumps in the old byte order.
static bool turn(turner *t, bsp_bytes laid, bsp_blob *out) {
    bsp_open_options options = {.branch = t->info->detection.branch->name,
                                .allocator = &t->heap.allocator,
                                .budget = bspi_file_budget(t->file)};
    bspi_buffer copy = {.heap = &t->heap, .error = t->error};
    bspi_buffer_add(&copy, laid.data, laid.size);
    bsp_file *file = copy.failed ? NULL : bsp_file_open_memory(laid, &options, t->error);
    bool done = file != NULL && turn_rest(t, file, copy.data) && refuse_opaque(t);
    bsp_file_close(file);
    if (!done) {
        bspi_buffer_free(&copy);
        return false;
    }
    return bspi_buffer_give(&copy, out);
}

static bool run(turner *t, bsp_blob *out) {
    bsp_blob laid;
    if (!check_shared(t) || !turn_all_packed(t) ||
        !bsp_file_rewrite(t->file, t->changes, t->count, &t->heap.allocator, &laid, t->error)) {
        return false;
    }
    bool done = turn(t, (bsp_bytes){laid.data, laid.size}, out);
    bsp_blob_free(&laid);
    return done;
}

bool bsp_file_reorder(const bsp_file *file, bool big_endian, const bsp_convert_options *options,
                      bsp_blob *out, bsp_error *error) {
    assert(file != NULL && out != NULL);
    bsp_convert_options taken;
    memset(out, 0, sizeof *out);
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return false;
    }
    turner t = {.file = file,
                .info = bsp_file_get_info(file),
                .big = big_endian,
                .options = &taken,
                .error = error};
    const bsp_branch *branch = t.info->detection.branch;
    if (t.info->detection.big_endian == big_endian) {
        return bsp_file_rewrite(file, NULL, 0, t.options->allocator, out, error);
    }
    if (!bsp_branch_traits(branch)->either_order || branch->opaque) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
                        "files of branch %s have one byte order only", branch->name);
    }
    bspi_heap_init_for(&t.heap, BSP_PRODUCT_CONVERT, bspi_file_size(file), bspi_file_budget(file),
                       t.options->allocator);
    bspi_arena_init(&t.arena, &t.heap);
    bool done = run(&t, out);
    for (uint32_t i = 0; i < t.count; i++) {
        bsp_blob_free(&t.blobs[i]);
    }
    bspi_arena_free(&t.arena);
    return done;
}
