// SPDX-License-Identifier: MIT
// The archive in maps of Counter-Strike Online 2: a zip with other marks and records, whose files
// are stored or packed as lumps are. Sources: sheet source-versions (7), and for the fields the
// reader in bsp_tool. Without a directory no files are listed; no such archive is known.
#include "formats/composites.h"
#include "layout/layout.h"
#include "records/file.h"
#include "records/pak.h"
#include "records/parse.h"

#include <stdlib.h>

#define LOCAL 0x04035343u // "CS" 3 4
#define CENTRAL 0x02015343u
#define END 0x06055343u
#define MAX_TAIL 4096u // bytes that may follow the end record

typedef struct archive {
    bsp_bytes data;
    const char *lump; // name, for places
    bsp_issues *issues;
    bool has_end;
    size_t end_at; // offset of the end record; the size of the data without one
    size_t directory;
} archive;

typedef struct member {
    size_t local;
    size_t central;
    size_t packed; // offset of the data
    bool there;
    uint32_t name_size; // of the local head
    uint32_t packed_size;
} member;

static uint32_t local_number(const archive *a, size_t at, uint32_t field) {
    return bspi_record_number(&bspi_cs_zip_local_t, field, a->data.data + at, false);
}

static uint32_t central_number(const archive *a, size_t at, uint32_t field) {
    return bspi_record_number(&bspi_cs_zip_central_t, field, a->data.data + at, false);
}

static uint32_t end_number(const archive *a, size_t at, uint32_t field) {
    return bspi_record_number(&bspi_cs_zip_end_t, field, a->data.data + at, false);
}

static void issue(const archive *a, uint32_t record, size_t at, const char *what) {
    bspi_issue(a->issues, BSPI_ISSUE_PAK_STRUCTURE, bsp_place_at(a->lump, record, NULL, at), "%s",
               what);
}

bool bspi_is_cs_pak(bsp_bytes data) {
    archive a = {.data = data};
    return bspi_pak_has_record(a.data, 0, LOCAL, &bspi_cs_zip_local_t) ||
           bspi_pak_has_record(a.data, 0, END, &bspi_cs_zip_end_t);
}

static archive archive_of(bsp_bytes data, const char *lump, bsp_issues *issues) {
    archive a = {.data = data, .lump = lump, .issues = issues, .end_at = data.size};
    size_t size = bspi_cs_zip_end_t.size;
    size_t lowest = data.size > MAX_TAIL + size ? data.size - MAX_TAIL - size : 0;
    for (size_t at = data.size < size ? 0 : data.size - size + 1; !a.has_end && at-- > lowest;) {
        a.has_end = bspi_pak_has_record(a.data, at, END, &bspi_cs_zip_end_t);
        a.end_at = a.has_end ? at : a.end_at;
    }
    a.directory = a.end_at;
    if (!a.has_end) {
        issue(&a, BSP_NONE, data.size, "the archive has no end record");
        return a;
    }
    uint32_t bytes = end_number(&a, a.end_at, BSPI_CS_ZIP_END_DIRECTORY_SIZE);
    if (bytes != 0 && bytes <= a.end_at &&
        bspi_pak_has_record(a.data, a.end_at - bytes, CENTRAL, &bspi_cs_zip_central_t)) {
        a.directory = a.end_at - bytes;
    } else if (bytes != 0) {
        issue(&a, BSP_NONE, a.end_at, "the end record names no directory");
    }
    return a;
}

// Returns the next file of the directory, from *at on.
static bool next_member(const archive *a, size_t *at, member *m) {
    if (*at >= a->end_at || !bspi_pak_has_record(a->data, *at, CENTRAL, &bspi_cs_zip_central_t)) {
        return false;
    }
    uint64_t next = (uint64_t)*at + bspi_cs_zip_central_t.size +
                    central_number(a, *at, BSPI_CS_ZIP_CENTRAL_NAME_LENGTH);
    if (next > a->end_at) {
        return false;
    }
    uint32_t packed = central_number(a, *at, BSPI_CS_ZIP_CENTRAL_COMPRESSED_SIZE);
    uint32_t size = central_number(a, *at, BSPI_CS_ZIP_CENTRAL_UNCOMPRESSED_SIZE);
    *m = (member){.central = *at,
                  .local = central_number(a, *at, BSPI_CS_ZIP_CENTRAL_OFFSET),
                  .packed_size = packed != 0 ? packed : size};
    if (bspi_pak_has_record(a->data, m->local, LOCAL, &bspi_cs_zip_local_t)) {
        m->name_size = local_number(a, m->local, BSPI_CS_ZIP_LOCAL_NAME_LENGTH);
        uint64_t data = (uint64_t)m->local + bspi_cs_zip_local_t.size + m->name_size;
        m->there = data + m->packed_size <= a->directory;
        m->packed = (size_t)data;
    }
    *at = (size_t)next;
    return true;
}

static uint32_t count_members(const archive *a) {
    uint32_t count = 0;
    size_t at = a->directory;
    member m;
    for (; next_member(a, &at, &m); count++) {
        if (!m.there) {
            issue(a, count, m.central, "the file that this entry names is not there");
        }
    }
    if (a->has_end && (count & 0xffff) != end_number(a, a->end_at, BSPI_CS_ZIP_END_ENTRIES)) {
        issue(a, count, at, "the end record states another number of entries");
    }
    return count;
}

// --- the list of entries -------------------------------------------------------------------------

static bsp_pak_entry entry_of(const archive *a, const member *m) {
    bsp_bytes name = bspi_slice(a->data, m->central + bspi_cs_zip_central_t.size,
                                central_number(a, m->central, BSPI_CS_ZIP_CENTRAL_NAME_LENGTH));
    bool stored = central_number(a, m->central, BSPI_CS_ZIP_CENTRAL_COMPRESSED_SIZE) == 0;
    return (bsp_pak_entry){
        .name = {(const char *)name.data, name.size},
        .method = stored ? BSP_PAK_STORED : BSP_PAK_LZMA_LUMP,
        .crc = central_number(a, m->central, BSPI_CS_ZIP_CENTRAL_CRC),
        .packed_size = m->packed_size,
        .size = central_number(a, m->central, BSPI_CS_ZIP_CENTRAL_UNCOMPRESSED_SIZE),
        .packed = m->there ? bspi_slice(a->data, m->packed, m->packed_size) : (bsp_bytes){0},
        .offset = m->local,
        .record = m->central,
    };
}

bool bspi_cs_pak_list(bsp_bytes data, bspi_arena *arena, bsp_issues *issues, bsp_pak *out,
                      bsp_error *error) {
    archive a = archive_of(data, "PAKFILE", issues);
    uint32_t count = count_members(&a);
    bsp_pak_entry *entries = bspi_arena_raw(arena, count, sizeof *entries, error);
    if (entries == NULL) {
        return false;
    }
    size_t at = a.directory;
    member m;
    for (uint32_t i = 0; i < count && next_member(&a, &at, &m); i++) {
        entries[i] = entry_of(&a, &m);
    }
    out->entries = entries;
    out->count = count;
    return true;
}

// --- parts --------------------------------------------------------------------------------------

static int by_local(const void *a, const void *b) {
    const member *left = a;
    const member *right = b;
    return left->local < right->local ? -1 : left->local > right->local;
}

static void split_pair(bspi_parse *parse, const char *group_name, const bsp_layout *head, size_t at,
                       size_t name_size) {
    bspi_parse_open(parse, BSP_PART_GROUP, group_name);
    bspi_parse_record(parse, "head", head, at);
    if (name_size != 0) {
        bspi_parse_text(parse, "name", at + head->size, name_size);
    }
}

static void split_files(bspi_parse *parse, const archive *a, member *members, uint32_t count) {
    qsort(members, count, sizeof *members, by_local);
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "files");
    size_t free_from = 0;
    for (uint32_t i = 0; i < count && !parse->failed; i++) {
        const member *m = &members[i];
        if (!m->there) {
            continue;
        }
        if (m->local < free_from) {
            issue(a, BSP_NONE, m->local, "a file shares bytes with another one");
            continue;
        }
        uint32_t group = parse->count;
        split_pair(parse, "file", &bspi_cs_zip_local_t, m->local, m->name_size);
        if (m->packed_size != 0) {
            bspi_parse_bytes(parse, "data", m->packed, m->packed_size);
        }
        bspi_parse_close(parse, group);
        free_from = m->packed + m->packed_size;
    }
    bspi_parse_close(parse, list);
}

static void split_directory(bspi_parse *parse, const archive *a) {
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "directory");
    size_t at = a->directory;
    member m;
    while (next_member(a, &at, &m) && !parse->failed) {
        uint32_t group = parse->count;
        split_pair(parse, "entry", &bspi_cs_zip_central_t, m.central,
                   at - m.central - bspi_cs_zip_central_t.size);
        bspi_parse_close(parse, group);
    }
    bspi_parse_close(parse, list);
}

void bspi_parse_cs_pak(bspi_parse *parse) {
    archive a = archive_of(parse->data, parse->lump->name, parse->issues);
    uint32_t count = count_members(&a);
    size_t size = (size_t)count * sizeof(member);
    member *members = bspi_heap_alloc(parse->heap, size, parse->error);
    if (members == NULL) {
        parse->failed = true;
        return;
    }
    size_t at = a.directory;
    for (uint32_t i = 0; i < count && next_member(&a, &at, &members[i]);) {
        i++;
    }
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    split_files(parse, &a, members, count);
    split_directory(parse, &a);
    if (a.has_end) {
        bspi_parse_record(parse, "end", &bspi_cs_zip_end_t, a.end_at);
    }
    bspi_parse_close(parse, group);
    bspi_heap_free(parse->heap, members, size);
}
