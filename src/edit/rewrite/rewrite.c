// SPDX-License-Identifier: MIT
// Writes a file again with changed lumps: first lays out its bytes, then sets the offsets in its
// directories to the new places.
#include "edit/rewrite/rewrite.h"

#include "core/buffer.h"
#include "edit/heap.h"
#include "records/directory.h"

#include <assert.h>
#include <string.h>

#define SECTOR 2048u // consoles read an embedded zip from disc in sectors of this size

// --- the changes ---------------------------------------------------------------------------------

static bool check_added(const bspi_rewrite *r, const bsp_lump_change *change) {
    bool game = bspi_change_adds(change, "game:") && strlen(change->name) == 9;
    bool bspx = bspi_change_adds(change, "bspx:") && strlen(change->name) <= 5 + 24;
    if (bsp_file_find(r->file, bsp_text_of(change->name)) != BSP_NONE) {
        return bsp_fail(r->error, BSP_E_ARGUMENT, NULL, "there is a lump %s already", change->name);
    }
    return (game && r->game.there) || (bspx && r->shape->ends_in_bspx) ||
           bsp_fail(r->error, BSP_E_ARGUMENT, NULL, "a file of branch %s has no place for lump %s",
                    r->info->detection.branch->name, change->name);
}

static bool note_change(bspi_rewrite *r, const bsp_lump_change *change) {
    if (change->lump == BSP_NONE) {
        r->game.changes = r->game.changes || bspi_change_adds(change, "game:");
        r->bspx.changes = r->bspx.changes || bspi_change_adds(change, "bspx:");
        // Each name is searched among those of all lumps.
        return bspi_heap_work(r->out->heap, r->info->num_lumps, r->error) && check_added(r, change);
    }
    if (change->lump >= r->info->num_lumps || r->change_of[change->lump] != NULL) {
        return bsp_fail(r->error, BSP_E_ARGUMENT, NULL, "lump %u %s", change->lump,
                        change->lump < r->info->num_lumps ? "has two changes" : "is not there");
    }
    const bsp_lump *lump = bsp_file_lump(r->file, change->lump);
    r->change_of[change->lump] = change;
    r->game.changes = r->game.changes || lump->place == BSP_IN_GAME_LUMP;
    r->bspx.changes = r->bspx.changes || (lump->place == BSP_IN_BSPX && change->remove);
    return true;
}

static bool note_changes(bspi_rewrite *r) {
    r->change_of = bspi_arena_zero(r->arena, r->info->num_lumps, sizeof *r->change_of, r->error);
    if (r->change_of == NULL ||
        !bspi_heap_work(r->out->heap, (uint64_t)r->info->num_lumps + r->num_changes, r->error)) {
        return false;
    }
    for (uint32_t i = 0; i < r->num_changes; i++) {
        if (!note_change(r, &r->changes[i])) {
            return false;
        }
    }
    bool whole = r->game.there && r->change_of[r->game.directory.lump->index] != NULL;
    return !whole || !r->game.changes ||
           bsp_fail(r->error, BSP_E_ARGUMENT, NULL, "the game lump and lumps in it both change");
}

// --- the layout ---------------------------------------------------------------------------------

// Returns the alignment to keep: the branch's, if all lumps have it.
static uint32_t find_alignment(const bspi_rewrite *r) {
    uint32_t alignment = r->shape->alignment != 0 ? r->shape->alignment : 1;
    for (uint32_t n = 0; n < r->info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(r->file, n);
        if (lump->place != BSP_IN_GAME_LUMP && lump->size != 0 && lump->offset % alignment != 0) {
            return 1;
        }
    }
    return alignment;
}

// Leaves zeros in the place of a lump, so that nothing else moves.
static bool leave_place(bspi_rewrite *r, bspi_region *region, uint32_t change, uint64_t end) {
    bspi_region place = *region;
    place.order = bspi_added_order(r, change);
    place.pieces = NULL;
    place.num_pieces = 0;
    place.data.size = (size_t)(region->end - region->start);
    place.data.data = bspi_arena_zero(r->arena, place.data.size, 1, r->error);
    r->regions.list[r->regions.count++] = place;
    region->start = region->end = end;
    return place.data.data != NULL;
}

static bool lump_region(bspi_rewrite *r, uint32_t n, uint64_t end_of_lumps, uint32_t alignment) {
    const bsp_lump *lump = bsp_file_lump(r->file, n);
    // In other files a zip has this alignment by chance, and need not keep it.
    bool sector = r->info->detection.big_endian && alignment > 1 && lump->kind == BSP_KIND_ZIP &&
                  lump->offset % SECTOR == 0;
    bspi_region region = bspi_lump_region(r, n, sector ? SECTOR : alignment);
    if (r->game.changes && n == r->game.directory.lump->index) {
        region.changed = true;
        region.pieces = r->game.pieces.list;
        region.num_pieces = r->game.pieces.count;
    }
    if (lump->size == 0) {
        if (!region.changed || (region.data.size == 0 && region.num_pieces == 0)) {
            return true; // nothing there, and nothing new
        }
        region.start = region.end = end_of_lumps;
    }
    const bsp_lump_change *change = r->change_of[n];
    bool apart = change != NULL && change->apart && !change->remove && region.end != end_of_lumps;
    if (apart && !leave_place(r, &region, (uint32_t)(change - r->changes), end_of_lumps)) {
        return false;
    }
    r->regions.list[r->regions.count++] = region;
    return true;
}

static bool lay_out(bspi_rewrite *r) {
    uint32_t alignment = find_alignment(r);
    uint64_t end = bsp_shape_size(r->shape);
    size_t room = (size_t)r->info->num_lumps + r->num_changes + 2;
    r->regions.list = bspi_arena_zero(r->arena, room, sizeof(bspi_region), r->error);
    if (r->regions.list == NULL || (r->game.changes && !bspi_game_lay_out(r))) {
        return false;
    }
    r->regions.list[r->regions.count++] =
        (bspi_region){.end = end, .order = BSPI_HEAD_ORDER, .alignment = 1};
    for (uint32_t n = 0; n < r->info->num_directory_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(r->file, n);
        uint64_t lump_end = lump->offset + lump->size;
        end = lump->size != 0 && lump_end > end ? lump_end : end;
    }
    for (uint32_t n = 0; n < r->info->num_directory_lumps; n++) {
        if (!lump_region(r, n, end, alignment)) {
            return false;
        }
    }
    bspi_game_outside(r);
    return bspi_bspx_regions(r, end, alignment) &&
           bspi_regions_write(&r->regions, r->info->bytes, r->out);
}

// --- the directory ------------------------------------------------------------------------------

static bool write_entry(bspi_rewrite *r, uint32_t n, uint8_t *head) {
    const bsp_lump *lump = bsp_file_lump(r->file, n);
    const bsp_lump_change *change = r->change_of[n];
    bspi_entry entry = {0, 0, lump->version, lump->fourcc};
    bspi_rewrite_place(r, n, &entry.offset, &entry.size);
    if (change != NULL) {
        entry.version = change->version != BSP_NONE ? change->version : entry.version;
        entry.fourcc = change->unpacked_size != 0 ? change->unpacked_size
                       : lump->compressed         ? 0
                                                  : entry.fourcc;
    }
    return bspi_encode_entry(r->file, n, &entry, head, r->error) &&
           (change == NULL ||
            bspi_encode_packed(r->file, n, change->unpacked_size != 0, head, r->error));
}

static bool write_directories(bspi_rewrite *r) {
    if (r->out->size > INT32_MAX) {
        return bsp_fail(r->error, BSP_E_RANGE, NULL, "the file would pass 2 GiB");
    }
    uint8_t *head = bspi_pieces_open(r->out, 0, bsp_shape_size(r->shape));
    for (uint32_t n = 0; head != NULL && n < r->info->num_directory_lumps; n++) {
        if (!write_entry(r, n, head)) {
            return false;
        }
    }
    return head != NULL && bspi_game_write_directory(r) && bspi_bspx_check_place(r) &&
           bspi_bspx_write_directory(r);
}

static bool run(bspi_rewrite *r) {
    r->info = bsp_file_get_info(r->file);
    r->shape = bsp_branch_shape(r->info->detection.branch);
    r->game.there = bspi_game_directory_find(r->file, &r->game.directory);
    size_t first_entry = 0;
    r->bspx.there = bspi_file_bspx(r->file, &first_entry, &r->bspx.before);
    r->bspx.start = r->bspx.there ? first_entry - 8 : 0;
    return note_changes(r) && lay_out(r) && write_directories(r);
}

// --- files beside the map -----------------------------------------------------------------------

// Fails for a change of a lump that another file replaces, or that needs such a lump.
static bool check_external(const bsp_file *file, const bsp_lump_change *change, bsp_error *error) {
    const bsp_file_info *info = bsp_file_get_info(file);
    uint32_t n = change->lump;
    if (n == BSP_NONE && bspi_change_adds(change, "game:")) {
        n = bsp_file_find_id(file, BSP_ID_GAME_LUMP); // it would get a new lump
    }
    if (n >= info->num_lumps || bsp_file_lump(file, n)->external == BSP_NONE) {
        return true;
    }
    const bsp_lump *lump = bsp_file_lump(file, n);
    return bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
                    "%s is in the file %s beside the map, and is not changed in the map",
                    lump->name, info->external[lump->external].name);
}

// Opens the map alone, which has the same numbers of lumps, since those of other files come last.
// Returns NULL on failure.
static bsp_file *open_alone(const bsp_file *file, const bsp_lump_change *changes, uint32_t count,
                            const bsp_allocator *allocator, bsp_error *error) {
    const bsp_file_info *info = bsp_file_get_info(file);
    for (uint32_t i = 0; i < count; i++) {
        if (!check_external(file, &changes[i], error)) {
            return NULL;
        }
    }
    bsp_open_options options = {.branch = info->detection.branch->name, .allocator = allocator};
    return bsp_file_open_memory(info->bytes, &options, error);
}

bool bsp_external_rewrite(const bsp_file *file, uint32_t n, bsp_bytes data,
                          const bsp_allocator *allocator, bsp_blob *out, bsp_error *error) {
    assert(file != NULL && out != NULL);
    const bsp_lump *lump = bsp_file_lump(file, n);
    memset(out, 0, sizeof *out);
    if (lump->external == BSP_NONE || lump->place == BSP_IN_GAME_LUMP) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "%s has no file of its own", lump->name);
    }
    bspi_heap heap;
    bspi_edit_heap(&heap, file, allocator);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    const uint8_t *before = bsp_file_get_info(file)->external[lump->external].bytes.data;
    bspi_buffer_add(&buffer, before, (size_t)lump->offset);
    bspi_buffer_add(&buffer, data.data, data.size);
    if (buffer.failed) {
        bspi_buffer_free(&buffer);
        return false;
    }
    return buffer.size == 0 || bspi_buffer_give(&buffer, out);
}

// --- the whole rewrite ---------------------------------------------------------------------------

bsp_plan *bsp_file_plan(const bsp_file *file, const bsp_lump_change *changes, uint32_t count,
                        const bsp_allocator *allocator, bsp_error *error) {
    assert(file != NULL);
    assert(changes != NULL || count == 0);
    const bsp_file_info *info = bsp_file_get_info(file);
    bool alone = info->num_external == 0;
    bsp_file *own = alone ? NULL : open_alone(file, changes, count, allocator, error);
    bsp_plan *plan = alone || own != NULL ? bspi_plan_new(file, allocator, error) : NULL;
    if (plan == NULL) {
        bsp_file_close(own);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        bspi_heap_extend(&plan->heap, bspi_change_size(&changes[i]));
    }
    bspi_rewrite r = {.file = alone ? file : own,
                      .changes = changes,
                      .num_changes = count,
                      .arena = &plan->arena,
                      .out = &plan->pieces,
                      .error = error,
                      .game = {.pieces = plan->pieces}};
    bool done = run(&r);
    plan->key = info->scrambled ? info->key : NULL;
    bspi_pieces_free(&r.game.pieces);
    bsp_file_close(own); // the pieces refer to the same bytes
    return bspi_plan_give(plan, done);
}

bool bsp_file_rewrite(const bsp_file *file, const bsp_lump_change *changes, uint32_t count,
                      const bsp_allocator *allocator, bsp_blob *out, bsp_error *error) {
    assert(file != NULL && out != NULL);
    assert(changes != NULL || count == 0);
    bsp_plan *plan = bsp_file_plan(file, changes, count, allocator, error);
    return bspi_plan_finish(plan, allocator, out, error);
}
