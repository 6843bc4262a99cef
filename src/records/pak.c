// SPDX-License-Identifier: MIT
// The embedded zip of Source maps. The directory at its end is the authority; without one, the
// heads of the files themselves are searched for. Zip numbers are little-endian in every file. This
// file does not unpack and trusts no count: lists grow with what is found. Format: PKWARE's
// APPNOTE, sheet source-lumps, section 8.
#include "records/parse.h"
#include "records/page_window.h"

#include "formats/composites.h"
#include "layout/layout.h"
#include "records/pak.h"

#include <assert.h>
#include <stdlib.h>

#define LOCAL 0x04034b50u
#define CENTRAL 0x02014b50u
#define END 0x06054b50u
#define DESCRIPTOR 0x08074b50u
// A comment has up to 65535 bytes; some tools leave padding after it.
#define MOST_COMMENT (65535u + 4096u)

typedef struct zip {
    bsp_bytes data;
    const char *lump; // name, for places
    bsp_issues *issues;
    bspi_window *window; // over the heads that are read
    bool has_end;
    size_t end_at; // offset of the end record; the size of the data without one
    size_t comment_size;
    size_t directory; // offset of its first record; end_at without one
    size_t base;      // from where offsets count
    bool no_extra;    // records of the directory state an extra length, but have no extra
} zip;

// One file, as described by the directory or, without one, by its own head.
typedef struct zip_file {
    size_t local;       // offset of the file's head
    size_t central;     // offset of the record in the directory; SIZE_MAX without one
    size_t packed;      // offset of the data
    bool there;         // head and data lie in the zip
    uint32_t name_size; // of the local head
    uint32_t extra_size;
    uint32_t packed_size;
    bool described; // a descriptor with a signature follows the data
} zip_file;

static uint32_t local_number(const zip *z, size_t at, uint32_t field) {
    return bspi_record_number(&bspi_zip_local_t, field, z->data.data + at, false);
}

static uint32_t central_number(const zip *z, size_t at, uint32_t field) {
    return bspi_record_number(&bspi_zip_central_t, field, z->data.data + at, false);
}

static uint32_t end_number(const zip *z, size_t at, uint32_t field) {
    return bspi_record_number(&bspi_zip_end_t, field, z->data.data + at, false);
}

static void zip_issue(const zip *z, uint32_t record, size_t at, const char *what) {
    bspi_issue(z->issues, BSPI_ISSUE_PAK_STRUCTURE, bsp_place_at(z->lump, record, NULL, at), "%s",
               what);
}

// --- finding records -----------------------------------------------------------------------------

// Rates how well a comment of this size ends where the data does: padding may follow it, and at
// worst it is cut off.
static int fit(size_t comment, size_t room) {
    return comment == room ? 2 : comment < room;
}

// Finds the last of the end records whose comments fit best, since a comment can contain the mark
// of one.
static void find_end(zip *z) {
    size_t size = z->data.size;
    size_t end_size = bspi_zip_end_t.size;
    size_t lowest = size > end_size + MOST_COMMENT ? size - end_size - MOST_COMMENT : 0;
    int best = -1;
    z->end_at = size;
    for (size_t at = size < end_size ? 0 : size - end_size + 1; best < 2 && at-- > lowest;) {
        if (z->data.data[at] != 'P' || !bspi_pak_has_record(z->data, at, END, &bspi_zip_end_t)) {
            continue;
        }
        size_t room = size - at - end_size;
        size_t comment = end_number(z, at, BSPI_ZIP_END_COMMENT_LENGTH);
        if (fit(comment, room) > best) {
            best = fit(comment, room);
            z->end_at = at;
            z->comment_size = comment < room ? comment : room;
            z->has_end = true;
        }
    }
}

// The directory begins where the end record says, or it ends where the end record begins: then
// bytes were added before the zip, and all offsets are off by their number.
static void find_directory(zip *z) {
    find_end(z);
    z->directory = z->end_at;
    if (!z->has_end) {
        return;
    }
    uint32_t size = end_number(z, z->end_at, BSPI_ZIP_END_DIRECTORY_SIZE);
    uint32_t offset = end_number(z, z->end_at, BSPI_ZIP_END_DIRECTORY_OFFSET);
    size_t before = size <= z->end_at ? z->end_at - size : z->end_at;
    if (offset < z->end_at && bspi_pak_has_record(z->data, offset, CENTRAL, &bspi_zip_central_t)) {
        z->directory = offset;
    } else if (before < z->end_at &&
               bspi_pak_has_record(z->data, before, CENTRAL, &bspi_zip_central_t)) {
        z->directory = before;
        z->base = before > offset ? before - offset : 0;
        zip_issue(z, BSP_NONE, z->end_at, "the directory is not where the end record says");
    } else if (size != 0) {
        zip_issue(z, BSP_NONE, z->end_at, "the end record names no directory");
    }
}

// Returns the bytes of a record of the directory, with its name and comment, but without its extra.
static uint64_t central_size(const zip *z, size_t at) {
    return (uint64_t)bspi_zip_central_t.size + central_number(z, at, BSPI_ZIP_CENTRAL_NAME_LENGTH) +
           central_number(z, at, BSPI_ZIP_CENTRAL_COMMENT_LENGTH);
}

// Zips of consoles repeat the extra length of the file's head in the directory without the extra
// itself (shack.360). The position of the second record, or of the end, tells.
static void find_extra(zip *z) {
    size_t at = z->directory;
    uint32_t extra = at >= z->end_at ? 0 : central_number(z, at, BSPI_ZIP_CENTRAL_EXTRA_LENGTH);
    if (extra == 0) {
        return;
    }
    uint64_t without = (uint64_t)at + central_size(z, at);
    uint64_t with = without + extra;
    z->no_extra =
        with != z->end_at && !bspi_pak_has_record(z->data, with, CENTRAL, &bspi_zip_central_t) &&
        (with > z->end_at || bspi_pak_has_record(z->data, without, CENTRAL, &bspi_zip_central_t));
}

static size_t central_extra(const zip *z, size_t at) {
    return z->no_extra ? 0 : central_number(z, at, BSPI_ZIP_CENTRAL_EXTRA_LENGTH);
}

// Finds the name, extra and data of a file whose head is at f->local.
static void find_data(const zip *z, zip_file *f) {
    if (!bspi_pak_has_record(z->data, f->local, LOCAL, &bspi_zip_local_t)) {
        return;
    }
    f->name_size = local_number(z, f->local, BSPI_ZIP_LOCAL_NAME_LENGTH);
    f->extra_size = local_number(z, f->local, BSPI_ZIP_LOCAL_EXTRA_LENGTH);
    uint32_t flags = local_number(z, f->local, BSPI_ZIP_LOCAL_FLAGS);
    bspi_window_pass(z->window, (bsp_bytes){z->data.data + f->local, bspi_zip_local_t.size});
    uint64_t packed = (uint64_t)f->local + bspi_zip_local_t.size + f->name_size + f->extra_size;
    if (packed > z->data.size || f->packed_size > z->data.size - packed) {
        return;
    }
    f->packed = (size_t)packed;
    f->there = true;
    uint64_t after = packed + f->packed_size;
    f->described = (flags & BSPI_ZIP_DESCRIBED) != 0 &&
                   bspi_pak_has_record(z->data, after, DESCRIPTOR, &bspi_zip_descriptor_t);
}

// Returns the next file of the directory, from *at on.
static bool next_central(const zip *z, size_t *at, zip_file *f) {
    if (*at >= z->end_at || !bspi_pak_has_record(z->data, *at, CENTRAL, &bspi_zip_central_t)) {
        return false;
    }
    uint64_t next = (uint64_t)*at + central_size(z, *at) + central_extra(z, *at);
    if (next > z->end_at) {
        return false;
    }
    *f = (zip_file){.central = *at,
                    .packed_size = central_number(z, *at, BSPI_ZIP_CENTRAL_COMPRESSED_SIZE)};
    uint64_t local = (uint64_t)central_number(z, *at, BSPI_ZIP_CENTRAL_OFFSET) + z->base;
    f->local = local < z->data.size ? (size_t)local : z->data.size;
    find_data(z, f);
    *at = (size_t)next;
    return true;
}

// Without a directory: returns the next head of a file, from *at on.
static bool next_local(const zip *z, size_t *at, zip_file *f) {
    const size_t head = bspi_zip_local_t.size;
    while (z->data.size - *at >= head) {
        const uint8_t *from = z->data.data + *at;
        const uint8_t *p = memchr(from, 'P', z->data.size - *at - head + 1);
        if (p == NULL) {
            return false;
        }
        bspi_window_pass(z->window, (bsp_bytes){from, (size_t)(p - from) + 1});
        *at = (size_t)(p - z->data.data);
        if (!bspi_pak_has_record(z->data, *at, LOCAL, &bspi_zip_local_t)) {
            ++*at;
            continue;
        }
        *f = (zip_file){.local = *at,
                        .central = SIZE_MAX,
                        .packed_size = local_number(z, *at, BSPI_ZIP_LOCAL_COMPRESSED_SIZE)};
        find_data(z, f);
        *at = f->there ? f->packed + f->packed_size : *at + head;
        return true;
    }
    return false;
}

static bool has_directory(const zip *z) {
    return z->directory < z->end_at;
}

static bool is_empty(const zip *z) {
    return z->has_end && end_number(z, z->end_at, BSPI_ZIP_END_ENTRIES) == 0;
}

static bool next_file(const zip *z, size_t *at, zip_file *f) {
    return has_directory(z) ? next_central(z, at, f) : !is_empty(z) && next_local(z, at, f);
}

static size_t first_file(const zip *z) {
    return has_directory(z) ? z->directory : 0;
}

// All files of a zip.
typedef struct zip_files {
    zip_file *list;
    size_t count;
    size_t room;
    bspi_heap *heap;
} zip_files;

static void free_files(zip_files *files) {
    bspi_heap_free(files->heap, files->list, files->room * sizeof *files->list);
}

// Reports each oddity once.
static void note_end(const zip *z, size_t count, size_t at) {
    if (!z->has_end) {
        zip_issue(z, BSP_NONE, z->data.size, "the zip has no end record");
    } else if ((count & 0xffff) != end_number(z, z->end_at, BSPI_ZIP_END_ENTRIES)) {
        zip_issue(z, (uint32_t)count, at, "the end record states another number of entries");
    }
}

static bool find_files(const zip *z, zip_files *files, bsp_error *error) {
    size_t at = first_file(z);
    for (zip_file f; next_file(z, &at, &f);) {
        zip_file *list =
            bspi_grow(files->heap, files->list, files->count, &files->room, sizeof *list, error);
        if (list == NULL) {
            return false;
        }
        files->list = list;
        if (!f.there) {
            zip_issue(z, (uint32_t)files->count, f.central == SIZE_MAX ? f.local : f.central,
                      "the file that this entry names is not there");
        }
        files->list[files->count++] = f;
    }
    note_end(z, files->count, at);
    return true;
}

static zip zip_of(bsp_bytes data, const char *lump, bsp_issues *issues, bspi_window *window) {
    zip z = {.data = data, .lump = lump, .issues = issues, .window = window};
    find_directory(&z);
    find_extra(&z);
    return z;
}

// --- the list of entries -------------------------------------------------------------------------

typedef struct pak {
    bsp_pak public;
    bsp_bytes data;
    const bsp_file *file; // that holds the data; may be NULL
    bspi_heap heap;
    bspi_arena arena;
} pak;

// The number of a field that both records of a file have.
#define NUMBER(field)                                                                              \
    (central ? central_number(z, f->central, BSPI_ZIP_CENTRAL_##field)                             \
             : local_number(z, f->local, BSPI_ZIP_LOCAL_##field))

// Returns the entry for a file.
static bsp_pak_entry entry_of(const zip *z, const zip_file *f) {
    bool central = f->central != SIZE_MAX;
    size_t name = central ? f->central + bspi_zip_central_t.size : f->local + bspi_zip_local_t.size;
    bsp_bytes text = bspi_slice(z->data, name, NUMBER(NAME_LENGTH));
    bsp_pak_entry entry = {
        .name = {(const char *)text.data, text.size},
        .flags = (uint16_t)NUMBER(FLAGS),
        .method = (uint16_t)NUMBER(METHOD),
        .crc = NUMBER(CRC),
        .packed_size = f->packed_size,
        .size = NUMBER(UNCOMPRESSED_SIZE),
        .offset = f->local,
        .record = f->central,
    };
    if (f->there) {
        entry.packed = bspi_slice(z->data, f->packed, f->packed_size);
    }
    return entry;
}

static bool fill(pak *p, bsp_issues *issues, bsp_error *error) {
    bspi_window window = {.file = p->file};
    zip z = zip_of(p->data, "PAKFILE", issues, &window);
    zip_files files = {.heap = &p->heap};
    bool found = find_files(&z, &files, error);
    bsp_pak_entry *entries =
        found ? bspi_arena_raw(&p->arena, files.count, sizeof *entries, error) : NULL;
    for (size_t i = 0; entries != NULL && i < files.count; i++) {
        entries[i] = entry_of(&z, &files.list[i]);
    }
    free_files(&files);
    p->public.entries = entries;
    p->public.count = (uint32_t)files.count;
    if (z.has_end) {
        p->public.comment =
            (bsp_text){(const char *)p->data.data + z.end_at + bspi_zip_end_t.size, z.comment_size};
    }
    return entries != NULL;
}

bsp_pak *bsp_pak_open(bsp_bytes data, const bsp_allocator *allocator, bsp_issues *issues,
                      bsp_error *error) {
    return bspi_pak_open(data, NULL, allocator, issues, error);
}

bsp_pak *bsp_file_pak(const bsp_file *file, bsp_issues *issues, bsp_error *error) {
    assert(file != NULL);
    bsp_bytes data;
    uint32_t n = bsp_file_find_id(file, BSP_ID_PAK);
    if (n == BSP_NONE) {
        bsp_fail(error, BSP_E_ARGUMENT, NULL, "maps of branch %s have no files in them",
                 file->info.detection.branch->name);
        return NULL;
    }
    return bsp_file_data(file, n, &data, error)
               ? bspi_pak_open(data, file, &file->heap.allocator, issues, error)
               : NULL;
}

bsp_pak *bspi_pak_open(bsp_bytes data, const bsp_file *file, const bsp_allocator *allocator,
                       bsp_issues *issues, bsp_error *error) {
    pak *p = bspi_object_new(allocator, sizeof *p, error);
    if (p == NULL) {
        return NULL;
    }
    if (file == NULL) {
        bspi_heap_init_for(&p->heap, BSP_PRODUCT_FILE, data.size, NULL, allocator);
    } else {
        bspi_heap_init_under(&p->heap, bspi_file_heap(file), allocator);
    }
    bspi_arena_init(&p->arena, &p->heap);
    p->public.owner = p;
    p->data = data;
    p->file = file;
    if (data.size == 0) {
        return &p->public;
    }
    bool listed = bspi_is_cs_pak(data)
                      ? bspi_cs_pak_list(data, &p->arena, issues, &p->public, error)
                      : fill(p, issues, error);
    if (!listed) {
        bsp_pak_close(&p->public);
        return NULL;
    }
    return &p->public;
}

bsp_bytes bspi_pak_data(const bsp_pak *public) {
    const pak *p = public->owner;
    return p == NULL ? (bsp_bytes){NULL, 0} : p->data;
}

bspi_heap *bspi_pak_heap(const bsp_pak *public) {
    pak *p = public->owner;
    return p == NULL ? NULL : &p->heap;
}

const bsp_file *bspi_pak_file(const bsp_pak *public) {
    const pak *p = public->owner;
    return p == NULL ? NULL : p->file;
}

void bsp_pak_close(bsp_pak *public) {
    if (public == NULL || public->owner == NULL) {
        return;
    }
    pak *p = public->owner;
    bspi_arena_free(&p->arena);
    bspi_object_free(p, sizeof *p, &p->heap.allocator);
}

// --- parts ---------------------------------------------------------------------------------------

static int by_local(const void *a, const void *b) {
    const zip_file *left = a;
    const zip_file *right = b;
    return left->local < right->local ? -1 : left->local > right->local;
}

static void split_text(bspi_parse *parse, const char *name, size_t at, size_t size) {
    if (size != 0) {
        bspi_parse_text(parse, name, at, size);
    }
}

static void split_bytes(bspi_parse *parse, const char *name, size_t at, size_t size) {
    if (size != 0) {
        bspi_parse_bytes(parse, name, at, size);
    }
}

static void split_file(bspi_parse *parse, const zip_file *f) {
    size_t name = f->local + bspi_zip_local_t.size;
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "file");
    bspi_parse_record(parse, "head", &bspi_zip_local_t, f->local);
    split_text(parse, "name", name, f->name_size);
    split_bytes(parse, "extra", name + f->name_size, f->extra_size);
    split_bytes(parse, "data", f->packed, f->packed_size);
    if (f->described) {
        bspi_parse_record(parse, "descriptor", &bspi_zip_descriptor_t, f->packed + f->packed_size);
    }
    bspi_parse_close(parse, group);
}

// Adds the files sorted by offset. One that overlaps another, or the directory, is left out.
static void split_files(bspi_parse *parse, const zip *z, zip_files *files) {
    if (files->count != 0) {
        qsort(files->list, files->count, sizeof *files->list, by_local);
    }
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "files");
    size_t free_from = 0;
    size_t gap_end = z->has_end ? z->end_at + bspi_zip_end_t.size + z->comment_size : z->end_at;
    for (size_t i = 0; i < files->count && !parse->failed; i++) {
        const zip_file *f = &files->list[i];
        size_t end = f->packed + f->packed_size + (f->described ? bspi_zip_descriptor_t.size : 0);
        if (!f->there) {
            continue;
        }
        bool meets_directory = f->local < gap_end && end > z->directory;
        if (f->local < free_from || meets_directory) {
            zip_issue(z, BSP_NONE, f->local, "a file shares bytes with another one");
            continue;
        }
        split_file(parse, f);
        free_from = end;
    }
    bspi_parse_close(parse, list);
}

static void split_directory(bspi_parse *parse, const zip *z) {
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "directory");
    size_t at = z->directory;
    size_t start = at;
    zip_file f;
    for (; has_directory(z) && next_central(z, &at, &f) && !parse->failed; start = at) {
        size_t name_size = central_number(z, start, BSPI_ZIP_CENTRAL_NAME_LENGTH);
        size_t extra_size = central_extra(z, start);
        size_t name = start + bspi_zip_central_t.size;
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "entry");
        bspi_parse_record(parse, "head", &bspi_zip_central_t, start);
        split_text(parse, "name", name, name_size);
        split_bytes(parse, "extra", name + name_size, extra_size);
        split_text(parse, "comment", name + name_size + extra_size,
                   central_number(z, start, BSPI_ZIP_CENTRAL_COMMENT_LENGTH));
        bspi_parse_close(parse, group);
    }
    bspi_parse_close(parse, list);
}

void bspi_parse_zip(bspi_parse *parse) {
    parse->big_endian = false;
    if (bspi_is_cs_pak(parse->data)) {
        bspi_parse_cs_pak(parse);
        return;
    }
    bspi_window window = {.file = parse->file};
    zip z = zip_of(parse->data, parse->lump->name, parse->issues, &window);
    zip_files files = {.heap = parse->heap};
    if (!find_files(&z, &files, parse->error)) {
        free_files(&files);
        parse->failed = true;
        return;
    }
    uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, parse->lump->name);
    split_files(parse, &z, &files);
    split_directory(parse, &z);
    if (z.has_end) {
        bspi_parse_record(parse, "end", &bspi_zip_end_t, z.end_at);
        split_text(parse, "comment", z.end_at + bspi_zip_end_t.size, z.comment_size);
    }
    bspi_parse_close(parse, group);
    free_files(&files);
}
