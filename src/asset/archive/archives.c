// SPDX-License-Identifier: MIT
// Archives: the directories of PAK, zip and WAD, and how their files are unpacked. An entry whose
// bytes do not lie in the archive is left out. Formats: sheets outputs (5.4) and goldsrc-quake1
// (8).
#include "asset/layouts.h"
#include "asset/archive/search.h"

#include "core/reader.h"
#include "records/file.h"
#include "records/pak.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

// --- the directories ----------------------------------------------------------------------------

// Returns the records at `offset`, as many of `count` as the archive holds.
static bsp_table table_at(const bspi_archive *archive, const bsp_layout *layout, int64_t offset,
                          int64_t count) {
    bsp_table table = {layout, NULL, 0, false};
    if (offset < 0 || count < 0 || (uint64_t)offset > archive->bytes.size) {
        bspi_archive_issue(archive, BSP_NONE, (uint64_t)offset, "the directory is not there");
        return table;
    }
    size_t room = (archive->bytes.size - (size_t)offset) / layout->size;
    table.data = archive->bytes.data + offset;
    table.count = (uint64_t)count < room ? (uint32_t)count : (uint32_t)room;
    if (table.count != (uint64_t)count) {
        bspi_archive_issue(archive, table.count, (uint64_t)offset, "the directory is cut");
    }
    return table;
}

static bool put_stored(const bspi_archive *archive, bsp_text name, uint32_t record, int64_t offset,
                       int64_t size) {
    bspi_item item = {.storage = BSPI_STORED};
    if (offset >= 0 && size > 0) {
        item.packed = bspi_slice(archive->bytes, (uint64_t)offset, (uint64_t)size);
    }
    if (size < 0 || item.packed.size != (uint64_t)size) {
        bspi_archive_issue(archive, record, (uint64_t)offset, "a file lies outside the archive");
        return true;
    }
    return bspi_search_put(archive, name, &item, (uint64_t)size);
}

static bool add_pak(const bspi_archive *archive) {
    bsp_table head = table_at(archive, &bspi_pak_head_t, 0, 1);
    if (head.count == 0) {
        return true;
    }
    bsp_table entries =
        table_at(archive, &bspi_pak_entry_t, bsp_table_int(&head, 0, BSPI_PAK_OFFSET, 0),
                 bsp_table_int(&head, 0, BSPI_PAK_SIZE, 0) / (int64_t)bspi_pak_entry_t.size);
    for (uint32_t i = 0; i < entries.count; i++) {
        if (!put_stored(archive, bsp_table_text(&entries, i, BSPI_PAK_NAME), i,
                        bsp_table_int(&entries, i, BSPI_PAK_AT, 0),
                        bsp_table_int(&entries, i, BSPI_PAK_LENGTH, 0))) {
            return false;
        }
    }
    return true;
}

// Returns the file extension for the type of a lump. A lump that GoldSrc's tools wrote as a palette
// is a decal, unless it has the size of a palette.
static const char *wad_ending(bool wad3, int64_t type, int64_t size) {
    if (type == (wad3 ? BSPI_WAD3_MIPTEX : BSPI_WAD2_MIPTEX)) {
        return ".mip";
    }
    if (type == BSPI_WAD_PALETTE) {
        return size <= 770 ? ".pal" : ".mip";
    }
    return type == BSPI_WAD_PICTURE ? ".pic" : ".lmp";
}

static bool add_wad(const bspi_archive *archive) {
    bsp_table head = table_at(archive, &bspi_wad_head_t, 0, 1);
    if (head.count == 0) {
        return true;
    }
    bool wad3 = archive->bytes.data[3] == '3';
    bsp_table entries =
        table_at(archive, &bspi_wad_entry_t, bsp_table_int(&head, 0, BSPI_WAD_OFFSET, 0),
                 bsp_table_int(&head, 0, BSPI_WAD_COUNT, 0));
    for (uint32_t i = 0; i < entries.count; i++) {
        char name[32];
        bsp_text text = bsp_table_text(&entries, i, BSPI_WAD_NAME);
        int64_t size = bsp_table_int(&entries, i, BSPI_WAD_PACKED, 0);
        if (bsp_table_int(&entries, i, BSPI_WAD_PACKING, 0) != 0) {
            bspi_archive_issue(archive, i, 0, "a lump is compressed in a way that no tool uses");
            continue;
        }
        snprintf(name, sizeof name, "%.*s%s", (int)text.size, text.size == 0 ? "" : text.data,
                 wad_ending(wad3, bsp_table_int(&entries, i, BSPI_WAD_TYPE, 0), size));
        for (char *c = name; *c != '\0'; c++) {
            *c = *c == '/' || *c == '\\' ? '_' : *c; // a lump has no folder
        }
        if (!put_stored(archive, bsp_text_of(name), i, bsp_table_int(&entries, i, BSPI_WAD_AT, 0),
                        size)) {
            return false;
        }
    }
    return true;
}

static bool put_zipped(const bspi_archive *archive, uint32_t n, const bsp_pak_entry *entry) {
    bspi_item item = {.packed = entry->packed};
    bool folder = entry->name.size == 0 || entry->name.data[entry->name.size - 1] == '/';
    if (folder) {
        return true;
    }
    if ((entry->flags & 1) != 0 || entry->packed.size != entry->packed_size) {
        bspi_archive_issue(archive, n, entry->offset, "a file is encrypted or not all there");
        return true;
    }
    switch (entry->method) {
    case BSP_PAK_STORED:
        item.storage = BSPI_STORED;
        break;
    case BSP_PAK_DEFLATE:
        item.storage = BSPI_DEFLATE;
        if (entry->size / BSPI_DEFLATE_RATIO > entry->packed_size) {
            bspi_archive_issue(archive, n, entry->offset, "a file states an impossible size");
            return true;
        }
        break;
    case BSP_PAK_LZMA:
        item.storage = BSPI_LZMA;
        break;
    default:
        bspi_archive_issue(archive, n, entry->offset, "a file is packed in an unknown way");
        return true;
    }
    return bspi_search_put(archive, entry->name, &item, entry->size);
}

static bool add_zip(const bspi_archive *archive) {
    bsp_pak *pak = bsp_pak_open(archive->bytes, &archive->search->allocator, NULL, archive->error);
    bool done = pak != NULL;
    for (uint32_t i = 0; done && i < pak->count; i++) {
        done = put_zipped(archive, i, &pak->entries[i]);
    }
    bsp_pak_close(pak);
    return done;
}

bool bspi_add_archive(const bspi_archive *archive) {
    static const struct {
        char magic[5];
        bool (*add)(const bspi_archive *archive);
    } kinds[] = {
        {"PACK", add_pak},
        {"WAD2", add_wad},
        {"WAD3", add_wad},
        {"PK\3\4", add_zip},
        {"PK\5\6", add_zip},
        {"GMAD", bspi_add_gma},
        {"\x34\x12\xaa\x55", bspi_add_vpk},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (archive->bytes.size >= 4 && memcmp(archive->bytes.data, kinds[i].magic, 4) == 0) {
            return kinds[i].add(archive);
        }
    }
    if (bspi_is_gcf(archive->bytes)) {
        return bspi_add_gcf(archive);
    }
    return bsp_fail(archive->error, BSP_E_FORMAT, NULL,
                    "no archive that is known here (PAK, zip, WAD2, WAD3, VPK, GMA, GCF)");
}

// --- unpacking ----------------------------------------------------------------------------------

static bool put_part(bsp_bytes part, uint8_t *out, size_t size, size_t *at) {
    if (part.size > size - *at) {
        return false;
    }
    if (part.size != 0) {
        memcpy(out + *at, part.data, part.size);
    }
    *at += part.size;
    return true;
}

bool bspi_unpack(const bspi_item *item, uint8_t *out, size_t size, const bsp_allocator *allocator,
                 bsp_error *error) {
    if (item->storage == BSPI_DEFLATE || item->storage == BSPI_LZMA) {
        uint16_t method = item->storage == BSPI_LZMA ? BSP_PAK_LZMA : BSP_PAK_DEFLATE;
        return bspi_zip_unpack(method, item->packed, out, size, allocator, error);
    }
    size_t at = 0;
    bool fits = put_part(item->head, out, size, &at) && put_part(item->packed, out, size, &at);
    for (uint32_t i = 0; fits && i < item->num_parts; i++) {
        fits = put_part(item->parts[i], out, size, &at);
    }
    return (fits && at == size) ||
           bsp_fail(error, BSP_E_DAMAGED, NULL, "the file is not all there");
}

bool bsp_search_add_memory(bsp_search *search, const char *name, bsp_bytes bytes,
                           bsp_error *error) {
    assert(search != NULL && name != NULL);
    const char *source = bspi_arena_text(&search->arena, bsp_text_of(name), error);
    if (source == NULL) {
        return false;
    }
    bspi_archive archive = {search, bytes, bsp_text_of(source), NULL, error};
    return bytes.size == 0 || bspi_add_archive(&archive);
}
