// SPDX-License-Identifier: MIT
// The game lump: a count, entries, and lumps that the entries refer to by their offset in the file
// (on consoles: in the lump).
#include "core/reader.h"
#include "edit/rewrite/rewrite.h"
#include "records/directory.h"

#define COUNT_SIZE 4u
#define PACKED 1u // flag of an entry (Source SDK)

static uint64_t directory_size(const bspi_rewrite *r) {
    const bsp_table *table = &r->game.directory.table;
    return COUNT_SIZE + (uint64_t)table->count * table->layout->size;
}

// Returns true for a lump after the directory and within the game lump.
static bool inside(const bspi_rewrite *r, const bsp_lump *lump) {
    const bsp_lump *whole = r->game.directory.lump;
    return lump->offset >= whole->offset + directory_size(r) &&
           lump->offset + lump->size <= whole->offset + whole->size;
}

void bspi_game_outside(bspi_rewrite *r) {
    for (uint32_t n = r->info->num_directory_lumps; n < r->info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(r->file, n);
        if (lump->place == BSP_IN_GAME_LUMP && lump->size != 0 && !inside(r, lump)) {
            r->regions.list[r->regions.count++] = bspi_lump_region(r, n, 1);
        }
    }
}

// Returns true if it shares bytes with the game lump, including its directory.
static bool overlaps(const bspi_rewrite *r, const bsp_lump *lump) {
    const bsp_lump *whole = r->game.directory.lump;
    return lump->size != 0 && lump->offset < whole->offset + whole->size &&
           whole->offset < lump->offset + lump->size;
}

// --- the lump's bytes ---------------------------------------------------------------------------

static bool add_regions(bspi_rewrite *r) {
    bspi_game_rewrite *game = &r->game;
    uint64_t base = game->directory.lump->offset;
    for (uint32_t n = r->info->num_directory_lumps; n < r->info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(r->file, n);
        if (lump->place != BSP_IN_GAME_LUMP) {
            continue;
        }
        if (lump->size == 0) { // it has no place: new bytes go to the end
            uint64_t end_of_all = game->directory.lump->size;
            if (r->change_of[n] != NULL) {
                bspi_region region = bspi_lump_region(r, n, 1);
                region.start = region.end = end_of_all;
                game->regions.list[game->regions.count++] = region;
            }
        } else if (inside(r, lump)) {
            bspi_region region = bspi_lump_region(r, n, 1);
            region.start -= base;
            region.end -= base;
            game->regions.list[game->regions.count++] = region;
        } else if (r->change_of[n] != NULL || overlaps(r, lump)) {
            return bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                            "%s does not lie after the directory of the game lump", lump->name);
        }
        game->count -= r->change_of[n] != NULL && r->change_of[n]->remove ? 1 : 0;
    }
    uint64_t end = game->directory.lump->size;
    for (uint32_t i = 0; i < r->num_changes; i++) {
        if (bspi_change_adds(&r->changes[i], "game:")) {
            bspi_region region = {.start = end,
                                  .end = end,
                                  .order = bspi_added_order(r, i),
                                  .alignment = 1,
                                  .changed = true};
            bspi_change_fill(&r->changes[i], &region);
            game->regions.list[game->regions.count++] = region;
            game->count++;
        }
    }
    return true;
}

static bool is_packed(const bspi_rewrite *r, uint32_t n) {
    const bsp_lump_change *change = r->change_of[n];
    return change != NULL ? change->unpacked_size != 0 : bsp_file_lump(r->file, n)->compressed;
}

// The size of a packed lump is found by the next entry, so after the last one there must be an
// entry too.
static int find_terminator(const bspi_rewrite *r) {
    const bspi_game_directory *directory = &r->game.directory;
    uint32_t last = directory->table.count - 1;
    bool there = bspi_game_entry_read(directory, last).id == 0;
    bool before = false;
    bool after = false;
    for (uint32_t n = r->info->num_directory_lumps; n < r->info->num_lumps; n++) {
        const bsp_lump *lump = bsp_file_lump(r->file, n);
        if (lump->place == BSP_IN_GAME_LUMP) {
            before = before || lump->compressed;
            after = after || is_packed(r, n);
        }
    }
    for (uint32_t i = 0; i < r->num_changes; i++) {
        const bsp_lump_change *change = &r->changes[i];
        after = after || (bspi_change_adds(change, "game:") && change->unpacked_size != 0);
    }
    if (after && !before && !there) {
        return 1;
    }
    return before && !after && there ? -1 : 0;
}

bool bspi_game_lay_out(bspi_rewrite *r) {
    bspi_game_rewrite *game = &r->game;
    const bsp_lump *whole = game->directory.lump;
    uint32_t entry = game->directory.table.layout->size;
    size_t room = (size_t)r->info->num_lumps + r->num_changes + 1;
    game->regions.list = bspi_arena_zero(r->arena, room, sizeof(bspi_region), r->error);
    game->regions.count = 1;
    game->count = game->directory.table.count;
    if (game->regions.list == NULL || !add_regions(r)) {
        return false;
    }
    game->terminator = find_terminator(r);
    game->count += (uint32_t)game->terminator;
    size_t size = COUNT_SIZE + (size_t)game->count * entry;
    uint8_t *head = bspi_arena_zero(r->arena, size, 1, r->error);
    if (head == NULL) {
        return false;
    }
    bspi_store32(head, game->count, r->info->detection.big_endian);
    game->regions.list[0] = (bspi_region){.end = directory_size(r),
                                          .order = BSPI_HEAD_ORDER,
                                          .alignment = 1,
                                          .changed = true,
                                          .data = {head, size}};
    return bspi_regions_write(
        &game->regions, bspi_slice(r->info->bytes, whole->offset, whole->size), &game->pieces);
}

// --- its directory ------------------------------------------------------------------------------

// Returns where the new lump begins.
static uint32_t new_start(const bspi_rewrite *r) {
    uint32_t order = BSPI_LUMP_ORDER + r->game.directory.lump->index;
    return (uint32_t)bspi_regions_find(&r->regions, order)->moved_start;
}

// Returns an offset, as entries state it, of a byte of the new lump.
static uint32_t stated(const bspi_rewrite *r, uint64_t in_lump) {
    return (uint32_t)in_lump + (r->game.directory.relative ? 0 : new_start(r));
}

// Returns the new offset of an entry that keeps its lump; a terminator has the end of the last
// lump.
static uint32_t moved(const bspi_rewrite *r, uint32_t offset) {
    const bspi_game_rewrite *game = &r->game;
    const bsp_lump *whole = game->directory.lump;
    uint64_t at = offset + (game->directory.relative ? whole->offset : 0);
    if (offset == 0) {
        return 0;
    }
    if (at >= whole->offset && at - whole->offset <= whole->size) {
        uint64_t in_lump = at - whole->offset;
        return stated(r, game->changes ? bspi_regions_map(&game->regions, in_lump) : in_lump);
    }
    uint64_t to = bspi_rewrite_moved(r, at);
    uint64_t start = game->directory.relative ? new_start(r) : 0;
    return to < start ? offset : bspi_stated_offset(to - start);
}

static void apply(const bspi_rewrite *r, const bsp_lump_change *change, uint32_t order,
                  bspi_game_entry *entry) {
    bool packed = change->unpacked_size != 0;
    entry->version = change->version != BSP_NONE ? change->version : entry->version;
    entry->flags = packed ? entry->flags | PACKED : entry->flags & ~PACKED;
    entry->size = packed ? change->unpacked_size : (uint32_t)bspi_change_size(change);
    entry->offset = stated(r, bspi_regions_find(&r->game.regions, order)->moved_start);
}

// Returns the lump of an entry, which has an id. The search begins at `from`, since entries are
// processed in order.
static uint32_t lump_of_entry(const bspi_rewrite *r, uint32_t entry, uint32_t from) {
    uint32_t n = from;
    while (bsp_file_lump(r->file, n)->place != BSP_IN_GAME_LUMP ||
           bsp_file_lump(r->file, n)->index != entry) {
        n++;
    }
    return n;
}

// Returns where a lump that keeps its bytes begins and ends in the new file.
static uint64_t kept_place(const bspi_rewrite *r, uint32_t n, uint64_t *end) {
    const bsp_lump *lump = bsp_file_lump(r->file, n);
    uint64_t base = 0;
    uint64_t start = lump->offset - r->game.directory.lump->offset;
    const bspi_region *region = NULL;
    if (!inside(r, lump)) {
        region = bspi_regions_find(&r->regions, BSPI_LUMP_ORDER + n);
    } else {
        base = new_start(r);
        region = r->game.changes ? bspi_regions_find(&r->game.regions, BSPI_LUMP_ORDER + n) : NULL;
    }
    *end = base + (region == NULL ? start + lump->size : region->moved_end);
    return base + (region == NULL ? start : region->moved_start);
}

// Sets what an entry states that keeps its lump. One that the end of the file cuts off states only
// the bytes that exist; the bytes that now follow do not belong to it.
static void keep(const bspi_rewrite *r, uint32_t n, bspi_game_entry *entry) {
    const bsp_lump *lump = bsp_file_lump(r->file, n);
    if (lump->size == 0 && lump->stated_size == 0) {
        entry->offset = moved(r, entry->offset);
        return;
    }
    uint64_t end = UINT64_MAX;
    uint64_t start = lump->size == 0 ? bspi_rewrite_moved(r, lump->offset) : kept_place(r, n, &end);
    uint64_t from = r->game.directory.relative ? new_start(r) : 0;
    entry->offset = start < from ? entry->offset : bspi_stated_offset(start - from);
    if (lump->size < lump->stated_size && (entry->flags & PACKED) == 0 && end < r->out->size) {
        entry->size = (uint32_t)lump->size;
    }
}

// Returns the id with the first character as the highest byte.
static uint32_t id_of(const char *name) {
    uint32_t id = 0;
    for (int i = 0; i < 4; i++) {
        id = id << 8 | (uint8_t)name[5 + i];
    }
    return id;
}

static uint32_t add_new(const bspi_rewrite *r, bspi_game_entry *list, uint32_t count) {
    for (uint32_t i = 0; i < r->num_changes; i++) {
        if (bspi_change_adds(&r->changes[i], "game:")) {
            list[count] = (bspi_game_entry){.id = id_of(r->changes[i].name), .from = BSP_NONE};
            apply(r, &r->changes[i], bspi_added_order(r, i), &list[count++]);
        }
    }
    return count;
}

// Gives the entry of an old one in the new directory. Returns false for one that is removed.
static bool renew(const bspi_rewrite *r, uint32_t n, bspi_game_entry *entry) {
    const bsp_lump_change *change = r->change_of[n];
    if (change == NULL) {
        keep(r, n, entry);
    } else if (!change->remove) {
        apply(r, change, BSPI_LUMP_ORDER + n, entry);
    }
    return change == NULL || !change->remove;
}

// Lists the entries of the new directory: new ones before the terminator, whose id is 0.
static uint32_t list_entries(const bspi_rewrite *r, bspi_game_entry *list) {
    const bspi_game_directory *directory = &r->game.directory;
    uint32_t last = directory->table.count - 1;
    bool ends = bspi_game_entry_read(directory, last).id == 0;
    uint32_t count = 0;
    uint32_t lump = r->info->num_directory_lumps;
    for (uint32_t i = 0; i <= last; i++) {
        bspi_game_entry entry = bspi_game_entry_read(directory, i);
        count = ends && i == last ? add_new(r, list, count) : count;
        if (entry.id != 0) {
            lump = lump_of_entry(r, i, lump);
            list[count] = entry;
            count += renew(r, lump, &list[count]) ? 1 : 0;
        } else if (i != last || r->game.terminator >= 0) {
            entry.offset = moved(r, entry.offset);
            list[count++] = entry;
        }
    }
    count = ends ? count : add_new(r, list, count);
    if (r->game.terminator > 0) {
        list[count++] =
            (bspi_game_entry){.offset = stated(r, r->game.pieces.size), .from = BSP_NONE};
    }
    return count;
}

// Readers see by the first entry from where offsets count: an entry with an invalid offset may
// mislead them once the lump has moved.
static bool check_relative(const bspi_rewrite *r, const bspi_game_entry *list, uint32_t count) {
    uint32_t order = BSPI_LUMP_ORDER + r->game.directory.lump->index;
    const bspi_region *region = bspi_regions_find(&r->regions, order);
    uint64_t size = region->moved_end - region->moved_start;
    for (uint32_t i = 0; i < count; i++) {
        bool relative;
        if (bspi_game_entry_tells(&list[i], region->moved_start, size, &relative)) {
            return relative == r->game.directory.relative ||
                   bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                            "a game lump lies outside of its directory's lump, and would mislead "
                            "what reads the others");
        }
    }
    return true;
}

bool bspi_game_write_directory(bspi_rewrite *r) {
    const bspi_game_directory *directory = &r->game.directory;
    if (!r->game.there || r->change_of[directory->lump->index] != NULL) {
        return true;
    }
    if (r->num_changes != 0 && new_start(r) < bsp_shape_size(r->shape)) {
        return bsp_fail(r->error, BSP_E_UNSUPPORTED, NULL,
                        "the game lump shares bytes with the file's own directory");
    }
    size_t room = (size_t)directory->table.count + r->num_changes + 1;
    bspi_game_entry *list = bspi_arena_zero(r->arena, room, sizeof *list, r->error);
    if (list == NULL) {
        return false;
    }
    uint32_t count = list_entries(r, list);
    if (!check_relative(r, list, count)) {
        return false;
    }
    uint64_t start = (uint64_t)new_start(r) + COUNT_SIZE;
    uint32_t size = directory->table.layout->size;
    uint8_t *at = bspi_pieces_open(r->out, start, (size_t)count * size);
    for (uint32_t i = 0; at != NULL && i < count; i++, at += size) {
        if (!bspi_game_entry_write(directory, &list[i], directory->table.big_endian, at,
                                   r->error)) {
            return false;
        }
    }
    return !r->out->failed;
}
