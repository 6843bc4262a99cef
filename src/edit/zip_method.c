// SPDX-License-Identifier: MIT
// A zip with its files packed otherwise. Heads and records keep all but what the method decides, so
// that the way back gives the first bytes. Format: PKWARE's APPNOTE, sheet source-lumps, section 8.
#include "edit/zip_record.h"

#include "core/issue_kinds.h"
#include "core/reader.h"
#include "edit/regions.h"
#include "formats/composites.h"

#include <string.h>

#define FLAG_DESCRIPTOR 8u
#define FLAG_END_MARK 2u // LZMA: the stream has one

typedef struct method_change {
    bsp_bytes data;
    const bsp_pak *pak;
    bool lzma;
    bspi_buffer *files;   // for each entry: head and packed data; without a heap: it stays
    bspi_regions regions; // order: entry
    uint64_t end;         // of the last file
    bool any;
    bspi_heap *heap;
    bspi_arena arena;
    bsp_error *error;
} method_change;

// Head, name and extra field of a file.
static size_t head_size(const method_change *m, const bsp_pak_entry *entry) {
    return (size_t)(entry->packed.data - m->data.data) - entry->offset;
}

// True if all that says where things are has been found, and files stand before their directory in
// places of their own.
static bool is_orderly(const method_change *m) {
    for (uint32_t n = 0; n < m->pak->count; n++) {
        const bsp_pak_entry *entry = &m->pak->entries[n];
        if (entry->record == SIZE_MAX || entry->packed.data == NULL) {
            return false;
        }
        uint64_t end = entry->offset + head_size(m, entry) + entry->packed_size;
        for (uint32_t i = 0; i < m->pak->count; i++) {
            const bsp_pak_entry *other = &m->pak->entries[i];
            bool apart = i == n || other->offset < entry->offset || other->offset >= end;
            if (!apart || other->record < end) {
                return false;
            }
        }
    }
    return true;
}

static bool changes_method(const method_change *m, const bsp_pak_entry *entry) {
    bool usual = (entry->flags & FLAG_DESCRIPTOR) == 0 && entry->packed_size != 0;
    bool stored = entry->method == BSP_PAK_STORED;
    bool known = entry->method == BSP_PAK_LZMA || entry->method == BSP_PAK_DEFLATE;
    return usual && (m->lzma ? stored : known);
}

// The version that a reader needs moves with the method, where it is the method's own.
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

// Makes the new bytes of a file; one that cannot be read stays, and so does one that would grow.
static bool pack_file(method_change *m, uint32_t n) {
    const bsp_pak_entry *entry = &m->pak->entries[n];
    bspi_buffer *file = &m->files[n];
    size_t head = head_size(m, entry);
    bsp_blob content;
    if (!bsp_pak_read(m->pak, n, &m->heap->allocator, &content, NULL)) {
        return true;
    }
    bsp_pak_change change = {.method = new_method(m), .data = {content.data, content.size}};
    *file = (bspi_buffer){.heap = m->heap, .error = m->error};
    bspi_buffer_add(file, m->data.data + entry->offset, head);
    bool done = bspi_zip_pack(&change, file) && !file->failed;
    bsp_blob_free(&content);
    if (done && m->lzma && file->size - head >= entry->packed_size) {
        bspi_buffer_free(file);
        *file = (bspi_buffer){.heap = NULL};
    } else if (done) {
        describe(&bspi_zip_local_t, file->data, change.method, file->size - head);
        m->any = true;
    }
    return done;
}

static void add_region(method_change *m, uint32_t n, uint32_t alignment) {
    const bsp_pak_entry *entry = &m->pak->entries[n];
    bspi_region region = {.start = entry->offset,
                          .end = entry->offset + head_size(m, entry) + entry->packed_size,
                          .order = n,
                          .alignment = alignment,
                          .phase = (uint32_t)(entry->offset % alignment)};
    if (m->files[n].heap != NULL) {
        region.changed = true;
        region.data = (bsp_bytes){m->files[n].data, m->files[n].size};
    }
    m->end = region.end > m->end ? region.end : m->end;
    m->regions.list[m->regions.count++] = region;
}

// The directory is as long as before: only places, sizes and methods change.
static void write_directory(const method_change *m, bspi_buffer *out) {
    size_t begin = out->size;
    bspi_buffer_add(out, m->data.data + m->end, m->data.size - (size_t)m->end);
    if (out->failed) {
        return;
    }
    int64_t shift = (int64_t)begin - (int64_t)m->end;
    size_t first = SIZE_MAX;
    for (uint32_t n = 0; n < m->pak->count; n++) {
        const bsp_pak_entry *entry = &m->pak->entries[n];
        uint8_t *record = out->data + (size_t)((int64_t)entry->record + shift);
        const bspi_region *region = bspi_regions_find(&m->regions, n);
        uint32_t base = bspi_zip_get(&bspi_zip_central_t, record, "offset");
        base -= (uint32_t)entry->offset; // the zip may not begin where its offsets count from
        bspi_zip_set(&bspi_zip_central_t, record, "offset", base + (uint32_t)region->moved_start);
        if (m->files[n].heap != NULL) {
            describe(&bspi_zip_central_t, record, new_method(m),
                     m->files[n].size - head_size(m, entry));
        }
        first = entry->record < first ? entry->record : first;
    }
    for (size_t at = out->size - bspi_zip_end_t.size + 1; at-- > begin;) {
        uint8_t *end = out->data + at;
        if (memcmp(end, "PK\5\6", 4) == 0) {
            uint32_t offset = bspi_zip_get(&bspi_zip_end_t, end, "directory_offset");
            bspi_zip_set(&bspi_zip_end_t, end, "directory_offset",
                         (uint32_t)((int64_t)offset + shift));
            break;
        }
    }
}

static bool run(method_change *m, bspi_buffer *out) {
    size_t room = m->pak->count;
    m->files = bspi_arena_zero(&m->arena, room, sizeof *m->files, m->error);
    m->regions.list = bspi_arena_zero(&m->arena, room, sizeof *m->regions.list, m->error);
    if (m->files == NULL || m->regions.list == NULL) {
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
    bspi_regions_write(&m->regions, (bsp_bytes){m->data.data, (size_t)m->end}, out);
    write_directory(m, out);
    return !out->failed;
}

bool bspi_zip_set_method(bsp_bytes data, bool lzma, bspi_heap *heap, bspi_buffer *out,
                         bsp_error *error) {
    bsp_pak *pak = bsp_pak_open(data, &heap->allocator, NULL, error);
    if (pak == NULL) {
        return false;
    }
    method_change m = {.data = data, .pak = pak, .lzma = lzma, .heap = heap, .error = error};
    bspi_arena_init(&m.arena, heap);
    bool done = pak->count == 0 || !is_orderly(&m) || run(&m, out);
    for (uint32_t n = 0; m.files != NULL && n < pak->count; n++) {
        if (m.files[n].heap != NULL) {
            bspi_buffer_free(&m.files[n]);
        }
    }
    bspi_arena_free(&m.arena);
    bsp_pak_close(pak);
    return done;
}
