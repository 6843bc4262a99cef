// SPDX-License-Identifier: MIT
// A zip with files added, replaced and removed. Files that are not changed keep their bytes and
// head; the directory keeps their records, with new offsets. Format: PKWARE's APPNOTE, sheet
// source-lumps, section 8.
#include "edit/pak/pak_names.h"
#include "edit/rewrite/regions.h"
#include "edit/pak/zip_content.h"

#include "core/reader.h"
#include "formats/composites.h"
#include "records/file.h"
#include "records/pak.h"

#include <assert.h>
#include <string.h>

typedef struct zipper {
    bsp_bytes data; // of the old zip
    const bsp_pak *pak;
    const bsp_pak_change *changes;
    uint32_t num_changes;
    bspi_pak_match match;
    uint64_t *ends; // for each entry: where its data ends; 0 when it does not all lie in the zip
    uint32_t *in_place;       // for each change: the entry that it replaces, or BSP_NONE
    bspi_piece *packed;       // for each change
    bspi_zip_content content; // facts for each change
    uint32_t alignment;       // of data, in zips of consoles; 1: none
    bsp_plan *plan;
    bspi_arena *arena;
    bspi_pieces *out;
    bspi_regions
        regions; // order: the number of an entry, or the number of entries plus that of a change
    bsp_error *error;
} zipper;

// --- the files ----------------------------------------------------------------------------------

// Returns where the data of a file ends; 0 when its head or its data does not all lie in the zip.
static uint64_t end_of_data(const zipper *z, const bsp_pak_entry *entry) {
    uint64_t start = entry->offset;
    if (entry->packed.data != NULL) { // already known
        return (uint64_t)(entry->packed.data - z->data.data) + entry->packed_size;
    }
    bsp_bytes head = bspi_slice(z->data, start, bspi_zip_local_t.size);
    if (head.size == 0 || entry->packed_size != 0) {
        return 0;
    }
    uint64_t end = start + bspi_zip_local_t.size +
                   bspi_zip_get(&bspi_zip_local_t, head.data, "name_length") +
                   bspi_zip_get(&bspi_zip_local_t, head.data, "extra_length") + entry->packed_size;
    return end <= z->data.size ? end : 0;
}

static bool is_whole(const zipper *z, uint32_t n) {
    return z->ends[n] != 0;
}

static const bsp_pak_change *change_of(const zipper *z, uint32_t n) {
    return z->match.change_of[n] == BSP_NONE ? NULL : &z->changes[z->match.change_of[n]];
}

// Returns the region of a complete file: from its head to the end of its data and its descriptor.
static bspi_region region_of(const zipper *z, uint32_t n) {
    const bsp_pak_entry *entry = &z->pak->entries[n];
    uint64_t end = z->ends[n];
    bool described = (entry->flags & BSPI_ZIP_DESCRIBED) != 0 &&
                     bspi_slice(z->data, end, bspi_zip_descriptor_t.size).size != 0 &&
                     memcmp(z->data.data + end, "PK\7\10", 4) == 0;
    end += described ? bspi_zip_descriptor_t.size : 0;
    bspi_region region = {
        .start = entry->offset, .end = end, .order = n, .alignment = z->alignment};
    region.phase = (uint32_t)(entry->offset % z->alignment);
    return region;
}

// Returns the offset, modulo the alignment, at which the head of a new file must begin so that its
// data is aligned.
static uint32_t phase_of(const zipper *z, const bsp_pak_change *change) {
    uint32_t size = bspi_zip_head_size(change->name) % z->alignment;
    return size == 0 ? 0 : z->alignment - size;
}

static bool is_new(const zipper *z, uint32_t c) {
    return z->match.counts[c] && !z->changes[c].remove;
}

// Finds which files are complete, and the first complete one with each change's name, whose place
// the new one takes.
static void find_places(zipper *z) {
    bspi_window window = {.file = z->plan->file};
    memset(z->in_place, 0xFF, z->num_changes * sizeof *z->in_place);
    for (uint32_t n = 0; n < z->pak->count; n++) {
        const bsp_pak_entry *entry = &z->pak->entries[n];
        z->ends[n] = end_of_data(z, entry);
        uint32_t c = z->match.change_of[n];
        if (is_whole(z, n) && c != BSP_NONE && z->in_place[c] == BSP_NONE) {
            z->in_place[c] = n;
        }
        if (entry->packed_size == 0) {
            bspi_window_pass(&window, bspi_slice(z->data, entry->offset, bspi_zip_local_t.size));
        }
    }
}

static bool look_at_changes(zipper *z) {
    bspi_zip_content_init(&z->content);
    for (uint32_t c = 0; c < z->num_changes; c++) {
        if (is_new(z, c) && !bspi_zip_look(&z->content, c, z->arena, &z->packed[c], z->error)) {
            return false;
        }
    }
    return true;
}

// Makes the head of a new file, and its data.
static bool fill(zipper *z, uint32_t c, bspi_region *region) {
    bsp_text name = z->changes[c].name;
    size_t size = bspi_zip_head_size(name);
    uint8_t *head = bspi_arena_raw(z->arena, size, 1, z->error);
    if (head == NULL) {
        return false;
    }
    bspi_zip_head(head, name, &z->content.facts[c]);
    region->data = (bsp_bytes){head, size};
    region->pieces = &z->packed[c];
    region->num_pieces = 1;
    region->phase = phase_of(z, &z->changes[c]);
    return true;
}

// A new file takes the place of the replaced one; of two with one name the second is removed.
static bool collect(zipper *z, uint64_t *end) {
    for (uint32_t n = 0; n < z->pak->count; n++) {
        const bsp_pak_change *change = change_of(z, n);
        if (!is_whole(z, n)) {
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
            uint32_t c = z->match.change_of[n];
            region.changed = true;
            region.alignment = 1;
            region.phase = 0;
            if (!change->remove && z->in_place[c] == n) {
                region.alignment = z->alignment;
                if (!fill(z, c, &region)) {
                    return false;
                }
            }
        }
        z->regions.list[z->regions.count++] = region;
    }
    return true;
}

static bool write_files(zipper *z) {
    uint64_t end = 0;
    if (!collect(z, &end)) {
        return false;
    }
    for (uint32_t c = 0; c < z->num_changes; c++) {
        if (is_new(z, c) && z->in_place[c] == BSP_NONE) {
            bspi_region *region = &z->regions.list[z->regions.count++];
            *region = (bspi_region){.start = end,
                                    .end = end,
                                    .order = z->pak->count + c,
                                    .alignment = z->alignment,
                                    .changed = true};
            if (!fill(z, c, region)) {
                return false;
            }
        }
    }
    return bspi_regions_write(&z->regions, (bsp_bytes){z->data.data, (size_t)end}, z->out);
}

// --- the directory ------------------------------------------------------------------------------

// What is written of the directory.
typedef struct central {
    bspi_buffer *out;
    uint32_t count;
} central;

static void add_central(zipper *z, uint32_t c, uint32_t order, central *to) {
    uint8_t *record = bspi_buffer_grow(to->out, bspi_zip_central_t.size);
    if (record != NULL) {
        const bspi_zip_facts *facts = &z->content.facts[c];
        bsp_text name = z->changes[c].name;
        memcpy(record, "PK\1\2", 4);
        bspi_zip_describe(&bspi_zip_central_t, record, name, facts);
        bspi_zip_set(&bspi_zip_central_t, record, "version_made_by",
                     bspi_zip_version(facts->method));
        bspi_zip_set(&bspi_zip_central_t, record, "offset",
                     (uint32_t)bspi_regions_find(&z->regions, order)->moved_start);
        bspi_buffer_add(to->out, name.data, name.size);
        to->count++;
    }
}

// Returns the old record of the directory. Records of consoles state the extra length of the file's
// head but have no extra, which the next record shows.
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

// Makes a record for a file that had none in the directory.
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

static void keep_central(zipper *z, uint32_t n, central *to) {
    const bsp_pak_entry *entry = &z->pak->entries[n];
    bsp_bytes old = old_record(z, entry);
    size_t plain = bspi_zip_central_t.size + entry->name.size;
    uint8_t *record = bspi_buffer_grow(to->out, old.size > plain ? old.size : plain);
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
        if (entry->name.size != 0) {
            memcpy(record + bspi_zip_central_t.size, entry->name.data, entry->name.size);
        }
    }
    bspi_zip_set(&bspi_zip_central_t, record, "offset",
                 (uint32_t)bspi_regions_find(&z->regions, n)->moved_start);
    to->count++;
}

static void write_records(zipper *z, central *to) {
    for (uint32_t n = 0; n < z->pak->count; n++) {
        const bsp_pak_change *change = change_of(z, n);
        if (change == NULL) {
            keep_central(z, n, to);
        } else if (!change->remove && z->in_place[z->match.change_of[n]] == n) {
            add_central(z, z->match.change_of[n], n, to);
        }
    }
    for (uint32_t c = 0; c < z->num_changes; c++) {
        if (is_new(z, c) && z->in_place[c] == BSP_NONE) {
            add_central(z, c, z->pak->count + c, to);
        }
    }
}

static void write_end(const zipper *z, const central *to, size_t directory) {
    uint8_t *end = bspi_buffer_grow(to->out, bspi_zip_end_t.size);
    if (end != NULL) {
        memcpy(end, "PK\5\6", 4);
        bspi_zip_set(&bspi_zip_end_t, end, "disk_entries", to->count);
        bspi_zip_set(&bspi_zip_end_t, end, "entries", to->count);
        bspi_zip_set(&bspi_zip_end_t, end, "directory_size", (uint32_t)directory);
        bspi_zip_set(&bspi_zip_end_t, end, "directory_offset", (uint32_t)z->out->size);
        bspi_zip_set(&bspi_zip_end_t, end, "comment_length", (uint32_t)z->pak->comment.size);
        bspi_buffer_add(to->out, z->pak->comment.data, z->pak->comment.size);
    }
}

static bool write_directory(zipper *z) {
    if (z->out->size > INT32_MAX) {
        return bsp_fail(z->error, BSP_E_RANGE, NULL, "the pak would pass 2 GiB");
    }
    bspi_buffer bytes = {.heap = &z->plan->heap, .error = z->error};
    central to = {.out = &bytes};
    write_records(z, &to);
    write_end(z, &to, bytes.size);
    bool done = !bytes.failed && bspi_pieces_add_copy(z->out, (bsp_bytes){bytes.data, bytes.size});
    bspi_buffer_free(&bytes);
    return done;
}

// --- the whole zip -------------------------------------------------------------------------------

static bool run(zipper *z) {
    if (bspi_is_cs_pak(z->data)) {
        return bsp_fail(z->error, BSP_E_UNSUPPORTED, NULL,
                        "archives of Counter-Strike Online 2 are read and kept, not changed");
    }
    size_t room = (size_t)z->pak->count + z->num_changes;
    if (room > UINT16_MAX) {
        return bsp_fail(z->error, BSP_E_RANGE, NULL, "%zu files do not fit a zip", room);
    }
    z->alignment = bspi_zip_alignment(z->pak->comment);
    z->ends = bspi_arena_zero(z->arena, room, sizeof *z->ends, z->error);
    z->in_place = bspi_arena_zero(z->arena, room, sizeof *z->in_place, z->error);
    z->packed = bspi_arena_zero(z->arena, room, sizeof *z->packed, z->error);
    z->content.facts = bspi_arena_zero(z->arena, room, sizeof *z->content.facts, z->error);
    z->regions.list = bspi_arena_zero(z->arena, room, sizeof *z->regions.list, z->error);
    if (z->ends == NULL || z->in_place == NULL || z->packed == NULL || z->content.facts == NULL ||
        z->regions.list == NULL ||
        !bspi_pak_match_names(z->pak, z->changes, z->num_changes, z->arena, &z->match, z->error)) {
        return false;
    }
    find_places(z);
    return look_at_changes(z) && write_files(z) && write_directory(z);
}

bsp_plan *bsp_pak_plan(const bsp_pak *pak, const bsp_pak_change *changes, uint32_t count,
                       const bsp_allocator *allocator, bsp_error *error) {
    assert(pak != NULL);
    assert(changes != NULL || count == 0);
    if (pak->owner == NULL) {
        bsp_fail(error, BSP_E_ARGUMENT, NULL, "the zip has no bytes: it was not opened");
        return NULL;
    }
    bsp_plan *plan = bspi_plan_new(bspi_pak_file(pak), allocator, error);
    zipper *z = plan == NULL ? NULL : bspi_arena_zero(&plan->arena, 1, sizeof *z, error);
    if (z == NULL) {
        bsp_plan_free(plan);
        return NULL;
    }
    *z = (zipper){.data = bspi_pak_data(
                      pak), // must not move, since pieces that are made while writing refer to it
                  .pak = pak,
                  .changes = changes,
                  .num_changes = count,
                  .content = {.changes = changes, .heap = &plan->heap},
                  .plan = plan,
                  .arena = &plan->arena,
                  .out = &plan->pieces,
                  .error = error};
    bool done = run(z);
    z->error = NULL;
    return bspi_plan_give(plan, done);
}

bool bsp_pak_rewrite(bsp_bytes data, const bsp_pak_change *changes, uint32_t count,
                     const bsp_allocator *allocator, bsp_blob *out, bsp_error *error) {
    assert(out != NULL);
    assert(changes != NULL || count == 0);
    memset(out, 0, sizeof *out);
    bsp_pak *pak = bsp_pak_open(data, allocator, NULL, error);
    if (pak == NULL) {
        return false;
    }
    bsp_plan *plan = bsp_pak_plan(pak, changes, count, allocator, error);
    bool done = bspi_plan_finish(plan, allocator, out, error);
    bsp_pak_close(pak);
    return done;
}
