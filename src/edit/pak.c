// SPDX-License-Identifier: MIT
// A zip with files added, replaced and removed. Files that are not touched keep their bytes, head
// and all; the directory keeps their records, with new offsets. Format: PKWARE's APPNOTE, sheet
// source-lumps, section 8.
#include "edit/regions.h"

#include "core/reader.h"
#include "core/text.h"
#include "edit/zip_record.h"
#include "formats/composites.h"

#include <string.h>

#define FLAG_DESCRIPTOR 8u

typedef struct zipper {
    bsp_bytes data; // the old zip
    const bsp_pak *pak;
    const bsp_pak_change *changes;
    uint32_t num_changes;
    const bsp_pak_change **change_of; // for each entry, or NULL
    bspi_buffer *records;             // for each change: head, name and packed bytes
    uint32_t alignment;               // of data, on consoles; 1: none
    bspi_arena *arena;
    bspi_heap *heap;
    bspi_buffer *out;
    bspi_regions regions; // order: entry, or number of entries and change
    bsp_error *error;
} zipper;

// --- the files ----------------------------------------------------------------------------------

// Where the data of a file ends; 0 when its head, or the data, is not all there.
static uint64_t end_of_data(const zipper *z, const bsp_pak_entry *entry) {
    uint64_t start = entry->offset;
    bsp_bytes head = bspi_slice(z->data, start, bspi_zip_local_t.size);
    if (head.size == 0 || entry->packed.size != entry->packed_size) {
        return 0;
    }
    uint64_t end = start + bspi_zip_local_t.size +
                   bspi_zip_get(&bspi_zip_local_t, head.data, "name_length") +
                   bspi_zip_get(&bspi_zip_local_t, head.data, "extra_length") + entry->packed_size;
    return end <= z->data.size ? end : 0;
}

static bool is_whole(const zipper *z, const bsp_pak_entry *entry) {
    return end_of_data(z, entry) != 0;
}

// From the head of a whole file to behind its data, and its descriptor.
static bspi_region region_of(const zipper *z, uint32_t n) {
    const bsp_pak_entry *entry = &z->pak->entries[n];
    uint64_t end = end_of_data(z, entry);
    bool described = (entry->flags & FLAG_DESCRIPTOR) != 0 &&
                     bspi_slice(z->data, end, bspi_zip_descriptor_t.size).size != 0 &&
                     memcmp(z->data.data + end, "PK\7\10", 4) == 0;
    end += described ? bspi_zip_descriptor_t.size : 0;
    bspi_region region = {
        .start = entry->offset, .end = end, .order = n, .alignment = z->alignment};
    region.phase = (uint32_t)(entry->offset % z->alignment);
    return region;
}

static bool make_record(zipper *z, uint32_t n) {
    z->records[n] = (bspi_buffer){.heap = z->heap, .error = z->error};
    return bspi_zip_record(&z->changes[n], &z->records[n]);
}

static bool note_changes(zipper *z) {
    for (uint32_t c = 0; c < z->num_changes; c++) {
        bool found = false;
        for (uint32_t n = 0; n < z->pak->count; n++) {
            if (bspi_text_equal_nocase(z->pak->entries[n].name, z->changes[c].name)) {
                z->change_of[n] = &z->changes[c];
                found = true;
            }
        }
        if (!found && z->changes[c].remove) {
            return bsp_fail(z->error, BSP_E_ARGUMENT, NULL, "there is no file %.*s in the pak",
                            (int)z->changes[c].name.size, z->changes[c].name.data);
        }
        if (!z->changes[c].remove && !make_record(z, c)) {
            return false;
        }
    }
    return true;
}

// Where the data of a new file would be aligned.
static uint32_t phase_of(const zipper *z, const bsp_pak_change *change) {
    uint32_t size = bspi_zip_head_size(change) % z->alignment;
    return size == 0 ? 0 : z->alignment - size;
}

// The first whole file of a change's name: its place is the new one's.
static bool is_first(const zipper *z, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) {
        if (z->change_of[i] == z->change_of[n] && is_whole(z, &z->pak->entries[i])) {
            return false;
        }
    }
    return true;
}

// A replaced file goes where the old one was; of two of one name the second goes away.
static bool collect(zipper *z, uint64_t *end) {
    for (uint32_t n = 0; n < z->pak->count; n++) {
        const bsp_pak_change *change = z->change_of[n];
        if (!is_whole(z, &z->pak->entries[n])) {
            if (change == NULL) {
                return bsp_fail(z->error, BSP_E_DAMAGED, NULL,
                                "file %.*s of the pak is not all there: remove it first",
                                (int)z->pak->entries[n].name.size, z->pak->entries[n].name.data);
            }
            continue;
        }
        bspi_region region = region_of(z, n);
        *end = region.end > *end ? region.end : *end;
        if (change != NULL) {
            region.changed = true;
            if (!change->remove && is_first(z, n)) {
                const bspi_buffer *record = &z->records[change - z->changes];
                region.phase = phase_of(z, change);
                region.data = (bsp_bytes){record->data, record->size};
            } else {
                region.alignment = 1;
                region.phase = 0;
            }
        }
        z->regions.list[z->regions.count++] = region;
    }
    return true;
}

static bool replaces(const zipper *z, uint32_t change) {
    for (uint32_t n = 0; n < z->pak->count; n++) {
        if (z->change_of[n] == &z->changes[change] && is_whole(z, &z->pak->entries[n])) {
            return true;
        }
    }
    return false;
}

static bool write_files(zipper *z) {
    uint64_t end = 0;
    if (!collect(z, &end)) {
        return false;
    }
    for (uint32_t c = 0; c < z->num_changes; c++) {
        if (!z->changes[c].remove && !replaces(z, c)) {
            z->regions.list[z->regions.count++] =
                (bspi_region){.start = end,
                              .end = end,
                              .order = z->pak->count + c,
                              .alignment = z->alignment,
                              .phase = phase_of(z, &z->changes[c]),
                              .changed = true,
                              .data = {z->records[c].data, z->records[c].size}};
        }
    }
    bspi_regions_write(&z->regions, (bsp_bytes){z->data.data, (size_t)end}, z->out);
    return !z->out->failed;
}

// --- the directory ------------------------------------------------------------------------------

static void add_central(zipper *z, const bsp_pak_change *change, uint32_t order, uint32_t *count) {
    uint8_t *record = bspi_buffer_grow(z->out, bspi_zip_central_t.size);
    if (record != NULL) {
        const bspi_region *region = bspi_regions_find(&z->regions, order);
        memcpy(record, "PK\1\2", 4);
        bspi_zip_describe(
            &bspi_zip_central_t, record, change,
            (uint32_t)(region->moved_end - region->moved_start - bspi_zip_head_size(change)));
        bspi_zip_set(&bspi_zip_central_t, record, "version_made_by",
                     bspi_zip_version(change->method));
        bspi_zip_set(&bspi_zip_central_t, record, "offset", (uint32_t)region->moved_start);
        bspi_buffer_add(z->out, change->name.data, change->name.size);
        ++*count;
    }
}

// The bytes of the old record in the directory. Consoles' state the extra length of the file's head
// and leave the extra out: what is behind them shows it.
static bsp_bytes old_record(const zipper *z, const bsp_pak_entry *entry) {
    if (entry->record == SIZE_MAX) {
        return (bsp_bytes){NULL, 0};
    }
    const uint8_t *record = z->data.data + entry->record;
    size_t size = bspi_zip_central_t.size + entry->name.size;
    size_t more = bspi_zip_get(&bspi_zip_central_t, record, "extra_length") +
                  bspi_zip_get(&bspi_zip_central_t, record, "comment_length");
    bsp_bytes next = bspi_slice(z->data, (uint64_t)entry->record + size + more, 2);
    bool there = more != 0 && next.size != 0 && memcmp(next.data, "PK", 2) == 0;
    return (bsp_bytes){record, there ? size + more : size};
}

// A record for a file that had none in the directory.
static void describe_head(const bsp_pak_entry *entry, uint8_t *record) {
    memcpy(record, "PK\1\2", 4);
    bspi_zip_set(&bspi_zip_central_t, record, "version_needed", bspi_zip_version(entry->method));
    bspi_zip_set(&bspi_zip_central_t, record, "flags", entry->flags);
    bspi_zip_set(&bspi_zip_central_t, record, "method", entry->method);
    bspi_zip_set(&bspi_zip_central_t, record, "crc", entry->crc);
    bspi_zip_set(&bspi_zip_central_t, record, "compressed_size", entry->packed_size);
    bspi_zip_set(&bspi_zip_central_t, record, "uncompressed_size", entry->size);
    bspi_zip_set(&bspi_zip_central_t, record, "name_length", (uint32_t)entry->name.size);
}

static void keep_central(zipper *z, uint32_t n, uint32_t *count) {
    const bsp_pak_entry *entry = &z->pak->entries[n];
    bsp_bytes old = old_record(z, entry);
    size_t plain = bspi_zip_central_t.size + entry->name.size;
    uint8_t *record = bspi_buffer_grow(z->out, old.size > plain ? old.size : plain);
    if (record == NULL) {
        return;
    }
    if (old.size != 0) {
        memcpy(record, old.data, old.size);
        if (old.size == plain) {
            bspi_zip_set(&bspi_zip_central_t, record, "extra_length", 0);
            bspi_zip_set(&bspi_zip_central_t, record, "comment_length", 0);
        }
    } else {
        describe_head(entry, record);
        memcpy(record + bspi_zip_central_t.size, entry->name.data, entry->name.size);
    }
    bspi_zip_set(&bspi_zip_central_t, record, "offset",
                 (uint32_t)bspi_regions_find(&z->regions, n)->moved_start);
    ++*count;
}

static bool write_directory(zipper *z) {
    uint32_t count = 0;
    if (z->out->size > INT32_MAX) {
        return bsp_fail(z->error, BSP_E_RANGE, NULL, "the pak would pass 2 GiB");
    }
    size_t start = z->out->size;
    for (uint32_t n = 0; n < z->pak->count; n++) {
        const bsp_pak_change *change = z->change_of[n];
        if (change == NULL) {
            keep_central(z, n, &count);
        } else if (!change->remove && is_whole(z, &z->pak->entries[n]) && is_first(z, n)) {
            add_central(z, change, n, &count);
        }
    }
    for (uint32_t c = 0; c < z->num_changes; c++) {
        if (!z->changes[c].remove && !replaces(z, c)) {
            add_central(z, &z->changes[c], z->pak->count + c, &count);
        }
    }
    uint8_t *end = bspi_buffer_grow(z->out, bspi_zip_end_t.size);
    if (end == NULL) {
        return false;
    }
    memcpy(end, "PK\5\6", 4);
    bspi_zip_set(&bspi_zip_end_t, end, "disk_entries", count);
    bspi_zip_set(&bspi_zip_end_t, end, "entries", count);
    bspi_zip_set(&bspi_zip_end_t, end, "directory_size",
                 (uint32_t)(z->out->size - bspi_zip_end_t.size - start));
    bspi_zip_set(&bspi_zip_end_t, end, "directory_offset", (uint32_t)start);
    bspi_zip_set(&bspi_zip_end_t, end, "comment_length", (uint32_t)z->pak->comment.size);
    bspi_buffer_add(z->out, z->pak->comment.data, z->pak->comment.size);
    return !z->out->failed;
}

// --- all of it ----------------------------------------------------------------------------------

static bool run(zipper *z) {
    size_t room = (size_t)z->pak->count + z->num_changes;
    if (room > UINT16_MAX) { // before the work: all of them are compared with each other
        return bsp_fail(z->error, BSP_E_RANGE, NULL, "%zu files do not fit a zip", room);
    }
    z->alignment = bspi_zip_alignment(z->pak->comment);
    z->change_of = bspi_arena_zero(z->arena, room, sizeof *z->change_of, z->error);
    z->records = bspi_arena_zero(z->arena, room, sizeof *z->records, z->error);
    z->regions.list = bspi_arena_zero(z->arena, room, sizeof *z->regions.list, z->error);
    return z->change_of != NULL && z->records != NULL && z->regions.list != NULL &&
           note_changes(z) && write_files(z) && write_directory(z);
}

bool bsp_pak_rewrite(bsp_bytes data, const bsp_pak_change *changes, uint32_t count,
                     const bsp_allocator *allocator, bsp_blob *out, bsp_error *error) {
    bspi_heap heap;
    bspi_arena arena;
    bspi_heap_init(&heap, allocator, 0);
    bspi_arena_init(&arena, &heap);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    memset(out, 0, sizeof *out);
    bsp_pak *pak = bsp_pak_open(data, allocator, NULL, error);
    if (pak == NULL) {
        return false;
    }
    zipper z = {.data = data,
                .pak = pak,
                .changes = changes,
                .num_changes = count,
                .arena = &arena,
                .heap = &heap,
                .out = &buffer,
                .error = error};
    bool done = run(&z);
    for (uint32_t c = 0; z.records != NULL && c < count; c++) {
        if (z.records[c].heap != NULL) {
            bspi_buffer_free(&z.records[c]);
        }
    }
    bspi_arena_free(&arena);
    bsp_pak_close(pak);
    if (!done) {
        bspi_buffer_free(&buffer);
        return false;
    }
    return bspi_buffer_give(&buffer, out);
}
