// SPDX-License-Identifier: MIT
// The archive in maps of Counter-Strike Online 2: a zip with other marks and records, whose files
// are stored or packed as lumps are. Sources: sheet source-versions (7), and for the fields the
// reader in bsp_tool. Without a directory no files are listed; no such archive is known.
#include "formats/composites.h"
#include "records/file.h"
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

static uint32_t u32_at(const archive *a, size_t at) {
    return bspi_load32(a->data.data + at, false);
}

static bool has_mark(const archive *a, uint64_t at, uint32_t mark, uint32_t size) {
    return bspi_slice(a->data, at, size).size != 0 && u32_at(a, (size_t)at) == mark;
}

static void issue(const archive *a, uint32_t record, size_t at, const char *what) {
    bspi_issue(a->issues, BSPI_ISSUE_PAK_STRUCTURE, bsp_place_at(a->lump, record, NULL, at), "%s",
               what);
}

bool bspi_is_cs_pak(bsp_bytes data) {
    archive a = {.data = data};
    return has_mark(&a, 0, LOCAL, bspi_cs_zip_local_t.size) ||
           has_mark(&a, 0, END, bspi_cs_zip_end_t.size);
}

static archive archive_of(bsp_bytes data, const char *lump, bsp_issues *issues) {
    archive a = {.data = data, .lump = lump, .issues = issues, .end_at = data.size};
    size_t size = bspi_cs_zip_end_t.size;
    size_t lowest = data.size > MAX_TAIL + size ? data.size - MAX_TAIL - size : 0;
    for (size_t at = data.size < size ? 0 : data.size - size + 1; !a.has_end && at-- > lowest;) {
        a.has_end = has_mark(&a, at, END, (uint32_t)size);
        a.end_at = a.has_end ? at : a.end_at;
    }
    a.directory = a.end_at;
    if (!a.has_end) {
        issue(&a, BSP_NONE, data.size, "the archive has no end record");
        return a;
    }
    uint32_t bytes = u32_at(&a, a.end_at + 12);
    if (bytes != 0 && bytes <= a.end_at &&
        has_mark(&a, a.end_at - bytes, CENTRAL, bspi_cs_zip_central_t.size)) {
        a.directory = a.end_at - bytes;
    } else if (bytes != 0) {
        issue(&a, BSP_NONE, a.end_at, "the end record names no directory");
    }
    return a;
}

// Returns the next file of the directory, from *at on.
static bool next_member(const archive *a, size_t *at, member *m) {
    size_t size = bspi_cs_zip_central_t.size;
    if (*at >= a->end_at || !has_mark(a, *at, CENTRAL, (uint32_t)size)) {
        return false;
    }
    uint64_t next = (uint64_t)*at + size + u32_at(a, *at + 18);
    if (next > a->end_at) {
        return false;
    }
    uint32_t packed = u32_at(a, *at + 14);
    *m = (member){.central = *at,
                  .local = u32_at(a, *at + 24),
                  .packed_size = packed != 0 ? packed : u32_at(a, *at + 10)};
    if (has_mark(a, m->local, LOCAL, bspi_cs_zip_local_t.size)) {
        m->name_size = u32_at(a, m->local + 18);
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
    if (a->has_end && (count & 0xffff) != bspi_load16(a->data.data + a->end_at + 10, false)) {
        issue(a, count, at, "the end record states another number of entries");
    }
    return count;
}

// --- the list of entries -------------------------------------------------------------------------

static bsp_pak_entry entry_of(const archive *a, const member *m) {
    bsp_bytes name =
        bspi_slice(a->data, m->central + bspi_cs_zip_central_t.size, u32_at(a, m->central + 18));
    bool stored = u32_at(a, m->central + 14) == 0;
    return (bsp_pak_entry){
        .name = {(const char *)name.data, name.size},
        .method = stored ? BSP_PAK_STORED : BSP_PAK_LZMA_LUMP,
        .crc = u32_at(a, m->central + 6),
        .packed_size = m->packed_size,
        .size = u32_at(a, m->central + 10),
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

static void split_pair(bspi_parse *split, const char *group_name, const bsp_layout *head, size_t at,
                       size_t name_size) {
    bspi_parse_open(split, BSP_PART_GROUP, group_name);
    bspi_parse_record(split, "head", head, at);
    if (name_size != 0) {
        bspi_parse_text(split, "name", at + head->size, name_size);
    }
}

static void split_files(bspi_parse *split, const archive *a, member *members, uint32_t count) {
    qsort(members, count, sizeof *members, by_local);
    uint32_t list = bspi_parse_open(split, BSP_PART_LIST, "files");
    size_t free_from = 0;
    for (uint32_t i = 0; i < count && !split->failed; i++) {
        const member *m = &members[i];
        if (!m->there) {
            continue;
        }
        if (m->local < free_from) {
            issue(a, BSP_NONE, m->local, "a file shares bytes with another one");
            continue;
        }
        uint32_t group = split->count;
        split_pair(split, "file", &bspi_cs_zip_local_t, m->local, m->name_size);
        if (m->packed_size != 0) {
            bspi_parse_bytes(split, "data", m->packed, m->packed_size);
        }
        bspi_parse_close(split, group);
        free_from = m->packed + m->packed_size;
    }
    bspi_parse_close(split, list);
}

static void split_directory(bspi_parse *split, const archive *a) {
    uint32_t list = bspi_parse_open(split, BSP_PART_LIST, "directory");
    size_t at = a->directory;
    member m;
    while (next_member(a, &at, &m) && !split->failed) {
        uint32_t group = split->count;
        split_pair(split, "entry", &bspi_cs_zip_central_t, m.central,
                   at - m.central - bspi_cs_zip_central_t.size);
        bspi_parse_close(split, group);
    }
    bspi_parse_close(split, list);
}

void bspi_parse_cs_pak(bspi_parse *split) {
    archive a = archive_of(split->data, split->lump->name, split->issues);
    uint32_t count = count_members(&a);
    size_t size = (size_t)count * sizeof(member);
    member *members = bspi_heap_alloc(split->heap, size, split->error);
    if (members == NULL) {
        split->failed = true;
        return;
    }
    size_t at = a.directory;
    for (uint32_t i = 0; i < count && next_member(&a, &at, &members[i]);) {
        i++;
    }
    uint32_t group = bspi_parse_open(split, BSP_PART_GROUP, split->lump->name);
    split_files(split, &a, members, count);
    split_directory(split, &a);
    if (a.has_end) {
        bspi_parse_record(split, "end", &bspi_cs_zip_end_t, a.end_at);
    }
    bspi_parse_close(split, group);
    bspi_heap_free(split->heap, members, size);
}
