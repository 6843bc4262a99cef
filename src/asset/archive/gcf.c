// SPDX-License-Identifier: MIT
// GCF, a cache of the first Steam: a tree of names, and files in blocks of one size, which need not
// follow each other. Versions 3, 5 and 6. Source: HLLib (GCFFile.h, GCFFile.cpp).
//
// Sections follow each other: head, block entries, map of blocks, (before version 6) a second map,
// directory, first block entry of each item, checksums, head of the data.
#include "asset/archive/search.h"

#include "core/reader.h"

#include <string.h>

#define HEAD 44u
#define ENTRY 28u // a run of a file's bytes, in any number of blocks
#define ITEM 28u
#define TREE_HEAD 56u
#define MOST_FOLDERS 64u
#define NO_PARENT UINT32_MAX

enum { IS_FILE = 0x4000, IS_ENCRYPTED = 0x100 }; ///< flags of an item

typedef struct gcf {
    const bspi_archive *archive;
    bsp_bytes entries;
    bsp_bytes map; ///< the block after each block
    uint32_t end;  ///< in the map: no further block; the same and above
    bsp_bytes items;
    bsp_bytes names;
    bsp_bytes first; ///< entry of each item
    uint32_t none;   ///< as an entry: no further one
    uint32_t block_size;
    uint64_t data;
} gcf;

static uint32_t word(bsp_bytes bytes, uint32_t record, uint32_t size, uint32_t field) {
    return bspi_load32(bytes.data + (size_t)record * size + (size_t)field * 4, false);
}

static bsp_bytes take(bspi_reader *r, uint64_t count, uint32_t size) {
    bsp_bytes bytes = {NULL, 0};
    if (r->failed || count > bspi_left(r) / size) {
        r->failed = true;
        return bytes;
    }
    bytes.size = (size_t)count * size;
    bytes.data = bspi_take(r, bytes.size);
    return bytes;
}

// Reads the directory, which states its own size.
static void read_tree(gcf *g, bspi_reader *r) {
    size_t start = r->at;
    bsp_bytes head = take(r, 1, TREE_HEAD);
    if (r->failed) {
        return;
    }
    uint32_t count = word(head, 0, 0, 3);
    g->items = take(r, count, ITEM);
    g->names = take(r, word(head, 0, 0, 7), 1);
    bspi_seek(r, start <= SIZE_MAX - word(head, 0, 0, 6) ? start + word(head, 0, 0, 6) : SIZE_MAX);
}

// Finds all sections. Returns false if they do not lie in the file.
static bool find_sections(gcf *g, uint32_t version) {
    bspi_reader r = bspi_reader_of(g->archive->bytes, false);
    bspi_seek(&r, HEAD);
    uint32_t count = bspi_read_u32(&r);
    (void)take(&r, 7, 4);
    g->entries = take(&r, count, ENTRY);
    count = bspi_read_u32(&r);
    (void)take(&r, 1, 4);
    g->end = bspi_read_u32(&r) == 0 ? 0xFFFF : UINT32_MAX;
    (void)take(&r, 1, 4);
    g->map = take(&r, count, 4);
    if (version < 6) {
        count = bspi_read_u32(&r);
        (void)take(&r, 4, 4);
        (void)take(&r, count, 8);
    }
    read_tree(g, &r);
    (void)take(&r, version < 5 ? 0 : 2, 4);
    g->first = take(&r, g->items.size / ITEM, 4);
    (void)take(&r, 1, 4);
    (void)take(&r, bspi_read_u32(&r), 1);
    (void)take(&r, version < 5 ? 0 : 1, 4);
    g->none = bspi_read_u32(&r);
    g->block_size = bspi_read_u32(&r);
    g->data = bspi_read_u32(&r);
    return !r.failed && g->block_size != 0;
}

// --- files --------------------------------------------------------------------------------------

/// The pieces of a file.
typedef struct pieces {
    bsp_bytes *list; ///< NULL while they are counted
    uint32_t count;
    const uint8_t *end; ///< of the last one
    uint64_t size;
    bool stopped; ///< by the budget
} pieces;

static bool add_piece(pieces *p, bsp_bytes piece) {
    if (piece.size == 0) {
        return false;
    }
    if (p->end != piece.data || p->count == 0) {
        p->count++;
        if (p->list != NULL) {
            p->list[p->count - 1] = (bsp_bytes){piece.data, 0};
        }
    }
    if (p->list != NULL) {
        p->list[p->count - 1].size += piece.size;
    }
    p->end = piece.data + piece.size;
    p->size += piece.size;
    return true;
}

// Collects the blocks of an entry.
static bool collect_blocks(const gcf *g, uint32_t entry, pieces *p) {
    uint32_t left = word(g->entries, entry, ENTRY, 2);
    uint32_t block = word(g->entries, entry, ENTRY, 3);
    while (left != 0) {
        uint32_t size = left < g->block_size ? left : g->block_size;
        if (block >= g->end || block >= g->map.size / 4 ||
            !add_piece(p, bspi_slice(g->archive->bytes, g->data + (uint64_t)block * g->block_size,
                                     size))) {
            return false;
        }
        left -= size;
        block = word(g->map, block, 4, 0);
    }
    return true;
}

// Collects all of a file. Returns false if it is not all there.
static bool collect(const gcf *g, uint32_t item, uint32_t size, pieces *p) {
    uint32_t count = (uint32_t)(g->entries.size / ENTRY);
    uint32_t entry = word(g->first, item, 4, 0);
    uint32_t seen = 0;
    while (entry != g->none) {
        // What the entries state is above the file's size, or they go round, in a damaged file.
        if (entry >= count || ++seen > count ||
            word(g->entries, entry, ENTRY, 2) > size - p->size) {
            return false;
        }
        // All files of a hostile archive may lie in the same blocks.
        uint64_t steps = 1 + word(g->entries, entry, ENTRY, 2) / g->block_size;
        if (!bspi_heap_work(&g->archive->search->heap, steps, g->archive->error)) {
            p->stopped = true;
            return false;
        }
        if (!collect_blocks(g, entry, p)) {
            return false;
        }
        entry = word(g->entries, entry, ENTRY, 4);
    }
    return p->size == size;
}

// Writes the path of an item to the end of `room`. Returns an empty text without one.
static bsp_text path_of(const gcf *g, uint32_t item, char room[BSPI_NAME_ROOM]) {
    uint32_t count = (uint32_t)(g->items.size / ITEM);
    size_t at = BSPI_NAME_ROOM;
    for (uint32_t depth = 0; depth < MOST_FOLDERS; depth++) {
        uint32_t parent = word(g->items, item, ITEM, 4);
        if (parent == NO_PARENT) { // the root, which has no name
            return (bsp_text){room + at, BSPI_NAME_ROOM - at};
        }
        uint32_t offset = word(g->items, item, ITEM, 0);
        bsp_bytes rest = {NULL, 0};
        if (offset < g->names.size) {
            rest = (bsp_bytes){g->names.data + offset, g->names.size - offset};
        }
        size_t most = rest.size < at ? rest.size : at;
        const uint8_t *end = most == 0 ? NULL : memchr(rest.data, '\0', most);
        size_t size = end == NULL ? 0 : (size_t)(end - rest.data);
        bool last = at == BSPI_NAME_ROOM;
        if (size == 0 || size + !last > at || parent >= count) {
            break;
        }
        at -= size + !last;
        memcpy(room + at, rest.data, size);
        if (!last) {
            room[at + size] = '/';
        }
        item = parent;
    }
    return (bsp_text){NULL, 0};
}

static bool put_file(const gcf *g, uint32_t number) {
    bsp_search *search = g->archive->search;
    uint32_t size = word(g->items, number, ITEM, 1);
    bool encrypted = (word(g->items, number, ITEM, 3) & IS_ENCRYPTED) != 0;
    char room[BSPI_NAME_ROOM];
    bsp_text path = path_of(g, number, room);
    pieces p = {NULL, 0, NULL, 0, false};
    if (path.size == 0 || encrypted || !collect(g, number, size, &p)) {
        bspi_archive_issue(g->archive, number, 0,
                           encrypted ? "a file is encrypted" : "a file is not all there");
        return !p.stopped;
    }
    bspi_item item = {.storage = BSPI_STORED, .num_parts = p.count};
    pieces found = {.end = NULL};
    found.list = bspi_arena_raw(&search->arena, p.count, sizeof *p.list, g->archive->error);
    if (found.list == NULL || !collect(g, number, size, &found)) {
        return false;
    }
    item.parts = found.list;
    return bspi_search_put(g->archive, path, &item, size);
}

bool bspi_is_gcf(bsp_bytes bytes) {
    static const uint8_t head[8] = {1, 0, 0, 0, 1, 0, 0, 0};
    return bytes.size >= HEAD && memcmp(bytes.data, head, sizeof head) == 0;
}

bool bspi_add_gcf(const bspi_archive *archive) {
    gcf g = {.archive = archive};
    uint32_t version = word(archive->bytes, 0, 0, 2);
    if (version != 3 && version != 5 && version != 6) {
        return bsp_fail(archive->error, BSP_E_UNSUPPORTED, NULL, "GCF of version %u",
                        (unsigned)version);
    }
    if (!find_sections(&g, version)) {
        bspi_archive_issue(archive, BSP_NONE, archive->bytes.size, "the directory is cut");
        return true;
    }
    for (uint32_t i = 0; i < g.items.size / ITEM; i++) {
        bool file = (word(g.items, i, ITEM, 3) & IS_FILE) != 0;
        if (file && !put_file(&g, i)) {
            return false;
        }
    }
    return true;
}
