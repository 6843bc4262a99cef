// SPDX-License-Identifier: MIT
// A zip with its files packed by another method. Heads and records keep all but what the method
// decides, so that the reverse change restores the original bytes. Format: PKWARE's APPNOTE, sheet
// source-lumps, section 8.
#include "edit/pak/zip_method.h"

#include "edit/pak/zip_content.h"
#include "edit/rewrite/regions.h"
#include "formats/composites.h"
#include "records/file.h"
#include "records/pak.h"

#include <stdlib.h>
#include <string.h>

#define FLAG_END_MARK 2u // LZMA: the stream has an end mark

typedef struct method_change {
    bsp_bytes data;
    const bsp_pak *pak;
    bool lzma;
    bsp_bytes *heads;     // for each entry: its new head; empty: unchanged
    bspi_piece *packed;   // for each entry: its new data
    bspi_regions regions; // order: the number of the entry
    uint64_t end;         // of the last file
    bool any;
    size_t kept; // bytes of new data
    bspi_maker maker;
    bspi_heap *heap;
    bspi_arena *arena;
    bsp_error *error;
} method_change;

// Returns the size of head, name and extra field of a file.
static size_t head_size(const method_change *m, const bsp_pak_entry *entry) {
    return (size_t)(entry->packed.data - m->data.data) - entry->offset;
}

static uint64_t end_of(const method_change *m, const bsp_pak_entry *entry) {
    return entry->offset + head_size(m, entry) + entry->packed_size;
}

static int by_offset(const void *a, const void *b) {
    const bsp_pak_entry *x = *(const bsp_pak_entry *const *)a;
    const bsp_pak_entry *y = *(const bsp_pak_entry *const *)b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

// Returns true if files do not overlap, and end before the directory begins.
static bool are_apart(const method_change *m, const bsp_pak_entry **list, uint64_t directory) {
    qsort(list, m->pak->count, sizeof *list, by_offset);
    for (uint32_t i = 0; i < m->pak->count; i++) {
        uint64_t next = i + 1 < m->pak->count ? list[i + 1]->offset : directory;
        if (end_of(m, list[i]) > (next < directory ? next : directory)) {
            return false;
        }
    }
    return true;
}

// Sets `*orderly` if all records with offsets were found, and files stand before the directory
// without overlaps.
static bool find_order(const method_change *m, bool *orderly) {
    size_t size = m->pak->count * sizeof(const bsp_pak_entry *);
    const bsp_pak_entry **list = bspi_heap_alloc(m->heap, size, m->error);
    uint64_t directory = UINT64_MAX;
    *orderly = list != NULL;
    for (uint32_t n = 0; *orderly && n < m->pak->count; n++) {
        const bsp_pak_entry *entry = &m->pak->entries[n];
        list[n] = entry;
        directory = entry->record < directory ? entry->record : directory;
        *orderly = entry->record != SIZE_MAX && entry->packed.data != NULL;
    }
    *orderly = *orderly && are_apart(m, list, directory);
    bspi_heap_free(m->heap, (void *)list, size);
    return list != NULL;
}

static bool changes_method(const method_change *m, const bsp_pak_entry *entry) {
    bool usual = (entry->flags & BSPI_ZIP_DESCRIBED) == 0 && entry->packed_size != 0;
    bool stored = entry->method == BSP_PAK_STORED;
    bool known = entry->method == BSP_PAK_LZMA || entry->method == BSP_PAK_DEFLATE;
    return usual && (m->lzma ? stored : known);
}

// Sets the version that a reader needs, if it is the one of the old method.
static void describe(const bsp_layout *layout, uint8_t *record, uint16_t method, size_t packed) {
    uint16_t before = (uint16_t)bspi_zip_get(layout, record, "method");
    uint32_t flags = bspi_zip_get(layout, record, "flags");
    if (bspi_zip_get(layout, record, "version_needed") == bspi_zip_version(before)) {
        bspi_zip_set(layout, record, "version_needed", bspi_zip_version(method));
    }
    if (before == BSP_PAK_LZMA) {
        flags &= ~FLAG_END_MARK;
    }
    bspi_zip_set(layout, record, "flags", flags);
    bspi_zip_set(layout, record, "method", method);
    bspi_zip_set(layout, record, "compressed_size", (uint32_t)packed);
}

static uint16_t new_method(const method_change *m) {
    return m->lzma ? BSP_PAK_LZMA : BSP_PAK_STORED;
}

// Makes the new data of a file. `*readable` is false when the old data is damaged.
static bool pack(const method_change *m, uint32_t n, bspi_buffer *out, bool *readable) {
    bsp_blob content;
    bsp_error cause;
    if (!bsp_pak_read(m->pak, n, &m->heap->allocator, &content, &cause)) {
        *readable = bspi_out_of_memory(&cause, out->error);
        return false;
    }
    *readable = true;
    bool done = bspi_zip_pack(new_method(m), (bsp_bytes){content.data, content.size}, out);
    bsp_blob_free(&content);
    return done;
}

static bool make(const void *user, uint32_t n, bspi_sender *to) {
    const method_change *m = user;
    bspi_buffer packed = {.heap = m->heap, .error = to->error};
    bool readable; // it was when the plan was made
    bool done =
        pack(m, n, &packed, &readable) && bspi_send(to, (bsp_bytes){packed.data, packed.size});
    bspi_buffer_free(&packed);
    return done;
}

static bool use_packed(method_change *m, uint32_t n, const bspi_buffer *packed) {
    const bsp_pak_entry *entry = &m->pak->entries[n];
    size_t head = head_size(m, entry);
    // Packing takes a hundred times as long as unpacking, so its result is kept.
    bool kept = m->lzma || packed->size <= BSPI_ZIP_KEPT - m->kept;
    uint8_t *bytes = bspi_arena_raw(m->arena, head + (kept ? packed->size : 0), 1, m->error);
    if (bytes == NULL) {
        return false;
    }
    memcpy(bytes, m->data.data + entry->offset, head);
    describe(&bspi_zip_local_t, bytes, new_method(m), packed->size);
    m->packed[n] = (bspi_piece){.size = packed->size, .maker = &m->maker, .number = n};
    if (kept && packed->size != 0) {
        m->packed[n].data = memcpy(bytes + head, packed->data, packed->size);
        m->kept += m->lzma ? 0 : packed->size;
    }
    m->heads[n] = (bsp_bytes){bytes, head};
    m->any = true;
    return true;
}

// Makes the new bytes of a file; one that cannot be read, or that would grow, stays unchanged.
static bool pack_file(method_change *m, uint32_t n) {
    bspi_buffer packed = {.heap = m->heap, .error = m->error};
    bool readable;
    bool done = pack(m, n, &packed, &readable);
    bool grows = m->lzma && packed.size >= m->pak->entries[n].packed_size;
    if (done && !grows) {
        done = use_packed(m, n, &packed);
    }
    bspi_buffer_free(&packed);
    return done || !readable;
}

static void add_region(method_change *m, uint32_t n, uint32_t alignment) {
    const bsp_pak_entry *entry = &m->pak->entries[n];
    bspi_region region = {.start = entry->offset,
                          .end = end_of(m, entry),
                          .order = n,
                          .alignment = alignment,
                          .phase = (uint32_t)(entry->offset % alignment)};
    if (m->heads[n].size != 0) {
        region.changed = true;
        region.data = m->heads[n];
        region.pieces = &m->packed[n];
        region.num_pieces = 1;
    }
    m->end = region.end > m->end ? region.end : m->end;
    m->regions.list[m->regions.count++] = region;
}

// Sets places, sizes and methods in a copy of everything after the files.
static void change_directory(const method_change *m, uint64_t begin, uint8_t *copy) {
    for (uint32_t n = 0; n < m->pak->count; n++) {
        const bsp_pak_entry *entry = &m->pak->entries[n];
        uint8_t *record = copy + (entry->record - m->end);
        const bspi_region *region = bspi_regions_find(&m->regions, n);
        uint32_t base = bspi_zip_get(&bspi_zip_central_t, record, "offset");
        base -= (uint32_t)entry->offset; // offsets may not count from the start of the zip
        bspi_zip_set(&bspi_zip_central_t, record, "offset", base + (uint32_t)region->moved_start);
        if (m->heads[n].size != 0) {
            describe(&bspi_zip_central_t, record, new_method(m), (size_t)m->packed[n].size);
        }
    }
    // There is an end record, else no file would have a record in the directory.
    size_t comment = (size_t)((const uint8_t *)m->pak->comment.data - m->data.data);
    uint8_t *end = copy + (comment - m->end) - bspi_zip_end_t.size;
    uint32_t offset = bspi_zip_get(&bspi_zip_end_t, end, "directory_offset");
    bspi_zip_set(&bspi_zip_end_t, end, "directory_offset",
                 (uint32_t)((int64_t)offset + (int64_t)begin - (int64_t)m->end));
}

// The directory keeps its size.
static bool write_directory(const method_change *m, bspi_pieces *out) {
    uint64_t begin = out->size;
    size_t size = m->data.size - (size_t)m->end;
    bspi_pieces_slice(out, m->data, m->end, size);
    uint8_t *copy = bspi_pieces_open(out, begin, size);
    if (copy != NULL) {
        change_directory(m, begin, copy);
    }
    return copy != NULL;
}

static bool run(method_change *m, bspi_pieces *out) {
    size_t room = m->pak->count;
    m->heads = bspi_arena_zero(m->arena, room, sizeof *m->heads, m->error);
    m->packed = bspi_arena_zero(m->arena, room, sizeof *m->packed, m->error);
    m->regions.list = bspi_arena_zero(m->arena, room, sizeof *m->regions.list, m->error);
    if (m->heads == NULL || m->packed == NULL || m->regions.list == NULL) {
        return false;
    }
    for (uint32_t n = 0; n < m->pak->count; n++) {
        if (changes_method(m, &m->pak->entries[n]) && !pack_file(m, n)) {
            return false;
        }
    }
    if (!m->any) {
        return true;
    }
    uint32_t alignment = bspi_zip_alignment(m->pak->comment);
    for (uint32_t n = 0; n < m->pak->count; n++) {
        add_region(m, n, alignment);
    }
    return bspi_regions_write(&m->regions, (bsp_bytes){m->data.data, (size_t)m->end}, out) &&
           write_directory(m, out);
}

bool bspi_zip_set_method(const bsp_pak *pak, bool lzma, bsp_plan *plan, bsp_error *error) {
    method_change *m = bspi_arena_zero(&plan->arena, 1, sizeof *m, error);
    bool orderly;
    if (m == NULL) {
        return false;
    }
    *m = (method_change){
        .data = bspi_pak_data(
            pak), // must not move, since pieces that are made while writing refer to it
        .pak = pak,
        .lzma = lzma,
        .maker = {make, m},
        .heap = &plan->heap,
        .arena = &plan->arena,
        .error = error};
    bool done = pak->count == 0 || bspi_is_cs_pak(m->data) ||
                (find_order(m, &orderly) && (!orderly || run(m, &plan->pieces)));
    m->error = NULL;
    return done;
}
