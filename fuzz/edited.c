// SPDX-License-Identifier: MIT
// Lumps of the two files are paired by their order in each of the directories.
#include "edited.h"

#include "meter.h"
#include "records/directory.h"
#include "records/file.h"

#include <stdio.h>
#include <string.h>

#define PACKED 1u // flag of a game lump (Source SDK)

typedef struct range {
    uint64_t start;
    uint64_t end;
} range;

typedef struct edited {
    const bsp_file *before;
    const bsp_file *after;
    const bsp_lump_change *change;
    range directories[3]; // of the old file
    bool game;            // lumps of the game lump change
    uint32_t whole;       // the game lump, or BSP_NONE
} edited;

static uint32_t count_lumps(const bsp_file *file) {
    return bsp_file_get_info(file)->num_lumps;
}

static bool meets(const bsp_lump *lump, range r) {
    return lump->size != 0 && lump->offset < r.end && r.start < lump->offset + lump->size;
}

static void find_directories(edited *e) {
    bspi_game_directory game;
    size_t bspx;
    uint32_t count;
    const bsp_branch *branch = bsp_file_get_info(e->before)->detection.branch;
    e->directories[0].end = bsp_shape_size(bsp_branch_shape(branch));
    e->whole = BSP_NONE;
    if (bspi_game_directory_find(e->before, &game)) {
        uint64_t start = game.lump->offset;
        e->whole = game.lump->index;
        e->directories[1] =
            (range){start, start + 4 + (uint64_t)game.table.count * game.table.layout->size};
    }
    if (bspi_file_bspx(e->before, &bspx, &count)) {
        e->directories[2] = (range){bspx - 8, bspx + (uint64_t)count * 32};
    }
}

// Returns true for a lump of the old file whose content must stay.
static bool stays(const edited *e, uint32_t n) {
    const bsp_lump *lump = bsp_file_lump(e->before, n);
    bool nested = lump->place == BSP_IN_GAME_LUMP && e->change->lump == e->whole;
    bool stays = n != e->change->lump && !nested && !(n == e->whole && e->game);
    for (int i = 0; i < 3; i++) {
        stays = stays && !meets(lump, e->directories[i]);
    }
    return stays;
}

static void compare(const edited *e, uint32_t n, const bsp_lump *now) {
    const bsp_lump *lump = bsp_file_lump(e->before, n);
    bsp_bytes old = bspi_lump_stored(e->before, lump);
    bsp_bytes new = bspi_lump_stored(e->after, now);
    bool same = strcmp(lump->name, now->name) == 0 && lump->version == now->version &&
                lump->compressed == now->compressed;
    // A game lump that is marked as packed ends where the next one begins, so its padding may
    // change.
    bool padded = lump->place == BSP_IN_GAME_LUMP && (lump->fourcc & PACKED) != 0;
    size_t size = padded && new.size < old.size ? new.size : old.size;
    same = same && (lump->unpacked_size == now->unpacked_size || (padded && !lump->compressed));
    same = same && (padded || old.size == new.size) &&
           (size == 0 || memcmp(old.data, new.data, size) == 0);
    if (!same) {
        fprintf(stderr,
                "%s: %llu bytes at %llu (packed %d, version %u) have become\n"
                "%s: %llu bytes at %llu (packed %d, version %u) with a change of lump %d\n",
                lump->name, (unsigned long long)lump->size, (unsigned long long)lump->offset,
                lump->compressed, lump->version, now->name, (unsigned long long)now->size,
                (unsigned long long)now->offset, now->compressed, now->version,
                (int)e->change->lump);
    }
    FUZZ_CHECK(same);
}

static void compare_place(const edited *e, bsp_lump_place place) {
    uint32_t next = 0; // of the new file
    for (uint32_t n = 0; n < count_lumps(e->before); n++) {
        bool goes = n == e->change->lump && e->change->remove && place != BSP_IN_DIRECTORY;
        if (bsp_file_lump(e->before, n)->place != place || goes) {
            continue;
        }
        while (next < count_lumps(e->after) && bsp_file_lump(e->after, next)->place != place) {
            next++;
        }
        FUZZ_CHECK(next < count_lumps(e->after));
        if (stays(e, n)) {
            compare(e, n, bsp_file_lump(e->after, next));
        }
        next++;
    }
}

void fuzz_check_edited(const bsp_file *before, const bsp_file *after,
                       const bsp_lump_change *change) {
    edited e = {.before = before, .after = after, .change = change};
    uint32_t n = change->lump;
    const bsp_lump *lump = n == BSP_NONE ? NULL : bsp_file_lump(before, n);
    find_directories(&e);
    e.game =
        n == BSP_NONE ? strncmp(change->name, "game:", 5) == 0 : lump->place == BSP_IN_GAME_LUMP;
    compare_place(&e, BSP_IN_DIRECTORY);
    if (n == BSP_NONE || n != e.whole) {
        compare_place(&e, BSP_IN_GAME_LUMP);
    }
    compare_place(&e, BSP_IN_BSPX);
    if (n == BSP_NONE || (lump->place == BSP_IN_DIRECTORY && change->plan == NULL)) {
        uint32_t now = n != BSP_NONE ? n : bsp_file_find(after, bsp_text_of(change->name));
        FUZZ_CHECK(now != BSP_NONE);
        bsp_bytes data = bsp_file_stored(after, now);
        size_t size = change->remove ? 0 : change->data.size;
        FUZZ_CHECK(data.size == size);
        FUZZ_CHECK(size == 0 || memcmp(data.data, change->data.data, size) == 0);
    }
}
