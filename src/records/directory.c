// SPDX-License-Identifier: MIT
// The directories of a file: the one in its head, that of the game lump, and that of BSPX. All are
// records with layouts; this file reads them into the one list of lumps.
#include "records/directory.h"
#include "records/external.h"
#include "records/file.h"

#include "core/reader.h"
#include "layout/bind.h"
#include "layout/layout.h"
#include "formats/composites.h"
#include "formats/map_members.h"
#include "records/bspx.h"

#include <stdio.h>
#include <string.h>

#define GAME_COMPRESSED 1u // flag of a game lump (Source SDK)

static const bspi_member game_members[] = {
    {BSPI_MEMBER_game_id, BSP_U32, 1, offsetof(bspi_game_entry, id), false},
    {BSPI_MEMBER_game_flags, BSP_U32, 1, offsetof(bspi_game_entry, flags), false},
    {BSPI_MEMBER_game_version, BSP_U32, 1, offsetof(bspi_game_entry, version), false},
    {BSPI_MEMBER_game_offset, BSP_U32, 1, offsetof(bspi_game_entry, offset), false},
    {BSPI_MEMBER_game_size, BSP_U32, 1, offsetof(bspi_game_entry, size), false},
};
static const bspi_struct game_struct = {sizeof(bspi_game_entry), game_members, 5};

// Cuts a lump to the part that the file holds.
static void clamp(const bsp_file *file, bsp_lump *lump, int issue, bsp_issues *issues) {
    uint64_t end = bspi_lump_holder(file, lump).size;
    if (lump->size == 0) {
        return;
    }
    uint64_t room = lump->offset > end ? 0 : end - lump->offset;
    if (lump->size > room) {
        char beside[64] = "";
        if (lump->place == BSP_IN_DIRECTORY && lump->external == BSP_NONE &&
            bsp_branch_traits(file->info.detection.branch)->external) {
            snprintf(beside, sizeof beside, ", and no .%04x.bsp_lump beside it was read",
                     (unsigned)lump->index);
        }
        bspi_issue(
            issues, issue, bsp_place_at(lump->name, BSP_NONE, NULL, lump->offset),
            "bytes %llu to %llu, but the file ends at %llu%s", (unsigned long long)lump->offset,
            (unsigned long long)(lump->offset + lump->size), (unsigned long long)end, beside);
        lump->size = room;
    }
}

// Sets the bytes of a lump: those that the directory states, or those of the file that replaces it.
static void locate(const bsp_file *file, bsp_lump *lump) {
    lump->external = bspi_external_find(file, lump->index);
    bool own = lump->external == BSP_NONE;
    lump->offset = own ? lump->stated_offset : 0;
    lump->size = own ? lump->stated_size : bspi_lump_holder(file, lump).size;
}

static void find_compression(const bsp_file *file, bsp_lump *lump) {
    uint32_t size;
    lump->unpacked_size = (uint32_t)(lump->size > UINT32_MAX ? UINT32_MAX : lump->size);
    if (bsp_lzma_probe(bspi_lump_stored(file, lump), &size)) {
        lump->compressed = true;
        lump->unpacked_size = size;
    }
}

static bool has_member(const bsp_layout *layout, uint16_t map_member) {
    uint32_t field;
    return bspi_layout_find(layout, map_member, &field) != NULL;
}

static void describe(const bsp_file *file, uint32_t index, const bspi_entry *entry,
                     bsp_issues *issues) {
    bsp_lump *lump = &file->lumps[index];
    const bsp_branch *branch = file->info.detection.branch;
    lump->index = index;
    lump->place = BSP_IN_DIRECTORY;
    lump->def = bsp_branch_lump(branch, index);
    lump->kind = lump->def == NULL ? BSP_KIND_BYTES : lump->def->kind;
    lump->id = lump->def == NULL ? BSP_ID_NONE : lump->def->id;
    if (lump->def != NULL) {
        snprintf(lump->name, sizeof lump->name, "%s", lump->def->name);
    } else {
        snprintf(lump->name, sizeof lump->name, "LUMP_%u", index);
    }
    lump->stated_offset = entry->offset;
    lump->stated_size = entry->size;
    lump->version = entry->version;
    lump->fourcc = entry->fourcc;
    locate(file, lump);
    clamp(file, lump, BSPI_ISSUE_LUMP_RANGE, issues);
    lump->unpacked_size = (uint32_t)lump->size;
    // Only branches whose entries have a fourth word compress lumps; the pak is compressed only
    // where a flag of the entry can say so.
    const bsp_layout *layout = bsp_branch_shape(branch)->entry;
    if (has_member(layout, lump->kind == BSP_KIND_ZIP ? BSPI_MEMBER_entry_packed
                                                      : BSPI_MEMBER_entry_fourcc)) {
        find_compression(file, lump);
    }
}

// --- game lump ----------------------------------------------------------------------------------

bspi_game_entry bspi_game_entry_read(const bspi_game_directory *directory, uint32_t index) {
    bsp_table one = directory->table;
    bspi_game_entry entry;
    one.data += (size_t)index * one.layout->size;
    one.count = 1;
    bspi_bind_decode(&one, &game_struct, &entry);
    entry.from = index;
    return entry;
}

bool bspi_game_entry_write(const bspi_game_directory *directory, const bspi_game_entry *entry,
                           bool big_endian, uint8_t *out, bsp_error *error) {
    bsp_table one = directory->table;
    if (entry->from == BSP_NONE) {
        return bspi_bind_encode(one.layout, &game_struct, entry, 1, big_endian, out, error);
    }
    // An entry that was read keeps its unknown fields (Dark Messiah: one word).
    one.data += (size_t)entry->from * one.layout->size;
    one.count = 1;
    bsp_table_reorder(&one, big_endian, out);
    return bspi_bind_update(one.layout, &game_struct, entry, 1, big_endian, out, error);
}

// Offsets count from the start of the file (that of the map, wherever the lump is) or, on some
// consoles, from the lump: the one that lies in the lump is right.
bool bspi_game_entry_tells(const bspi_game_entry *entry, uint64_t start, uint64_t size,
                           bool *relative) {
    bool absolute = entry->offset >= start && entry->offset <= start + size;
    *relative = !absolute && entry->offset < size;
    return entry->size != 0 && entry->offset != 0;
}

static bool is_relative(const bspi_game_directory *directory) {
    const bsp_lump *lump = directory->lump;
    for (uint32_t i = 0; i < directory->table.count; i++) {
        bspi_game_entry entry = bspi_game_entry_read(directory, i);
        bool relative;
        if (bspi_game_entry_tells(&entry, lump->stated_offset, lump->size, &relative)) {
            return relative;
        }
    }
    return false;
}

bool bspi_game_directory_find(const bsp_file *file, bspi_game_directory *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < file->info.num_directory_lumps; i++) {
        const bsp_lump *lump = &file->lumps[i];
        bsp_bytes data = bspi_lump_stored(file, lump);
        if (lump->kind != BSP_KIND_GAME || data.size < 4 || lump->def->num_variants == 0) {
            continue;
        }
        bool big = file->info.detection.big_endian;
        const bsp_layout *layout = lump->def->variants[0].layout;
        uint32_t count = bspi_load32(data.data, big);
        size_t room = (data.size - 4) / layout->size;
        bsp_table table = {layout, data.data + 4, count < room ? count : (uint32_t)room, big};
        out->lump = lump;
        out->table = table;
        out->relative = is_relative(out);
        return table.count != 0;
    }
    return false;
}

// The id is stored as a number, so in little-endian files its characters are reversed.
static void name_game_lump(char out[32], char id_text[5], uint32_t id) {
    for (int i = 0; i < 4; i++) {
        char c = (char)(id >> (24 - 8 * i));
        id_text[i] = c >= ' ' && c <= '~' ? c : '?';
    }
    id_text[4] = '\0';
    snprintf(out, 32, "game:%s", id_text);
}

// Converts an offset of the directory to one in the file that holds the lump. What lies before the
// lump is in no file.
static uint64_t game_offset(const bspi_game_directory *directory, uint32_t offset) {
    const bsp_lump *lump = directory->lump;
    if (directory->relative) {
        return lump->offset + offset;
    }
    bool moved = lump->offset != lump->stated_offset;
    return moved && offset < lump->stated_offset ? UINT64_MAX
                                                 : lump->offset + (offset - lump->stated_offset);
}

// A packed game lump ends where the next one begins, because its entry states the unpacked size.
static uint64_t packed_end(const bspi_game_directory *directory, uint32_t index) {
    uint64_t end = directory->lump->offset + directory->lump->size;
    if (index + 1 >= directory->table.count) {
        return end;
    }
    uint32_t next = bspi_game_entry_read(directory, index + 1).offset;
    return next == 0 ? end : game_offset(directory, next);
}

static void describe_game_lump(const bsp_file *file, const bspi_game_directory *directory,
                               uint32_t index, bsp_lump *lump, bsp_issues *issues) {
    bspi_game_entry entry = bspi_game_entry_read(directory, index);
    char id[5];
    name_game_lump(lump->name, id, entry.id);
    lump->place = BSP_IN_GAME_LUMP;
    lump->index = index;
    lump->game_def = bsp_branch_game_lump(file->info.detection.branch, id);
    lump->kind = lump->game_def == NULL ? BSP_KIND_BYTES : BSP_KIND_SECTIONS;
    lump->id = lump->game_def == NULL ? BSP_ID_NONE : lump->game_def->table;
    lump->version = entry.version;
    lump->fourcc = entry.flags;
    lump->external = directory->lump->external;
    lump->offset = game_offset(directory, entry.offset);
    lump->stated_offset = entry.offset;
    lump->stated_size = entry.size;
    if ((entry.flags & GAME_COMPRESSED) != 0 && entry.size != 0) {
        uint64_t end = packed_end(directory, index);
        lump->stated_size = end > lump->offset ? end - lump->offset : 0;
    }
    lump->size = lump->stated_size;
    clamp(file, lump, BSPI_ISSUE_GAME_LUMP, issues);
    find_compression(file, lump);
}

// --- all directories -----------------------------------------------------------------------------

static uint64_t end_of_lumps(const bsp_file *file) {
    uint64_t end = bsp_shape_size(bsp_branch_shape(file->info.detection.branch));
    for (uint32_t i = 0; i < file->info.num_directory_lumps; i++) {
        uint64_t lump_end = file->lumps[i].offset + file->lumps[i].size;
        end = file->lumps[i].size != 0 && lump_end > end ? lump_end : end;
    }
    return end;
}

static void describe_bspx(const bsp_file *file, size_t directory, uint32_t count, bsp_lump *lumps,
                          bsp_issues *issues) {
    bsp_table table = {&bspi_bspx_entry_t, file->info.bytes.data + directory, count, false};
    for (uint32_t i = 0; i < count; i++) {
        bsp_lump *lump = &lumps[i];
        bsp_text name = bsp_table_text(&table, i, 0);
        snprintf(lump->name, sizeof lump->name, "bspx:%.*s", (int)name.size, name.data);
        lump->place = BSP_IN_BSPX;
        lump->index = i;
        lump->kind = BSP_KIND_BYTES;
        lump->external = BSP_NONE;
        lump->offset = lump->stated_offset = (uint32_t)bsp_table_int(&table, i, 1, 0);
        lump->size = lump->stated_size = (uint32_t)bsp_table_int(&table, i, 2, 0);
        clamp(file, lump, BSPI_ISSUE_LUMP_RANGE, issues);
        lump->unpacked_size = (uint32_t)lump->size;
    }
}

static bool grow_lumps(bsp_file *file, uint32_t count, bsp_error *error) {
    bsp_lump *lumps = bspi_arena_zero(&file->arena, count, sizeof *lumps, error);
    if (lumps == NULL) {
        return false;
    }
    if (file->info.num_lumps != 0) {
        memcpy(lumps, file->lumps, file->info.num_lumps * sizeof *lumps);
    }
    file->lumps = lumps;
    return true;
}

static bool read_game_lumps(bsp_file *file, bsp_issues *issues, bsp_error *error) {
    bspi_game_directory directory;
    if (!bspi_game_directory_find(file, &directory)) {
        return true;
    }
    uint32_t before = file->info.num_lumps;
    uint32_t count = directory.table.count;
    if (!grow_lumps(file, before + count, error)) {
        return false;
    }
    // An entry of zeros ends the list of packed game lumps; it is no lump.
    uint32_t added = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (bspi_game_entry_read(&directory, i).id != 0) {
            describe_game_lump(file, &directory, i, &file->lumps[before + added++], issues);
        }
    }
    file->info.num_lumps += added;
    return true;
}

bool bspi_file_bspx(const bsp_file *file, size_t *directory, uint32_t *count) {
    return bsp_branch_shape(file->info.detection.branch)->ends_in_bspx &&
           bspi_bspx_find(file->info.bytes, end_of_lumps(file), directory, count);
}

static bool read_bspx(bsp_file *file, bsp_issues *issues, bsp_error *error) {
    size_t directory;
    uint32_t count;
    if (!bspi_file_bspx(file, &directory, &count)) {
        return true;
    }
    uint32_t before = file->info.num_lumps;
    if (!grow_lumps(file, before + count, error)) {
        return false;
    }
    describe_bspx(file, directory, count, &file->lumps[before], issues);
    file->info.num_lumps += count;
    return true;
}

static bool read_ent_files(bsp_file *file, bsp_error *error) {
    uint32_t before = file->info.num_lumps;
    uint32_t count = bspi_external_entities(file, NULL);
    if (count != 0 && !grow_lumps(file, before + count, error)) {
        return false;
    }
    file->info.num_lumps += bspi_external_entities(file, &file->lumps[before]);
    return count == 0 || bspi_external_join(file, error);
}

static void read_head(bsp_file *file, const bsp_shape *shape) {
    const uint8_t *data = file->info.bytes.data;
    bool big = file->info.detection.big_endian;
    bspi_head facts;
    bsp_table table = {shape->head, data, 1, big};
    bspi_bind_decode(&table, &bspi_head_struct, &facts);
    file->info.revision = facts.revision;
    if (shape->tail != NULL) {
        table.layout = shape->tail;
        table.data = data + bsp_shape_size(shape) - shape->tail->size;
        bspi_bind_decode(&table, &bspi_head_struct, &facts);
        file->info.revision = facts.revision;
    }
}

bool bspi_read_directory(bsp_file *file, bsp_issues *issues, bsp_error *error) {
    const bsp_shape *shape = bsp_branch_shape(file->info.detection.branch);
    if (file->info.bytes.size < bsp_shape_size(shape)) {
        return bsp_fail(error, BSP_E_FORMAT, NULL, "the file ends in the directory, at byte %zu",
                        file->info.bytes.size);
    }
    read_head(file, shape);
    if (!grow_lumps(file, shape->num_lumps, error)) {
        return false;
    }
    file->info.num_lumps = shape->num_lumps;
    file->info.num_directory_lumps = shape->num_lumps;
    bsp_table table = {shape->entry, file->info.bytes.data + shape->head->size, 1,
                       file->info.detection.big_endian};
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        bspi_entry entry;
        bspi_bind_decode(&table, &bspi_entry_struct, &entry);
        describe(file, i, &entry, issues);
        table.data += shape->entry->size;
    }
    bspi_external_issues(file, issues);
    return read_game_lumps(file, issues, error) && read_bspx(file, issues, error) &&
           read_ent_files(file, error);
}

bool bspi_encode_entry(const bsp_file *file, uint32_t index, const bspi_entry *entry, uint8_t *out,
                       bsp_error *error) {
    const bsp_shape *shape = bsp_branch_shape(file->info.detection.branch);
    return bspi_bind_update(shape->entry, &bspi_entry_struct, entry, 1,
                            file->info.detection.big_endian,
                            out + shape->head->size + (size_t)index * shape->entry->size, error);
}

bool bspi_encode_packed(const bsp_file *file, uint32_t index, bool packed, uint8_t *out,
                        bsp_error *error) {
    const bsp_shape *shape = bsp_branch_shape(file->info.detection.branch);
    uint8_t *entry = out + shape->head->size + (size_t)index * shape->entry->size;
    uint32_t field;
    uint32_t value = packed ? 1 : 0;
    return bspi_layout_find(shape->entry, BSPI_MEMBER_entry_packed, &field) == NULL ||
           bsp_table_encode(shape->entry, 1, file->info.detection.big_endian, field, BSP_U32,
                            &value, 0, entry, error);
}

bool bspi_encode_directory(const bsp_file *file, uint8_t *out, bsp_error *error) {
    // Head and tail hold facts that belong to no lump, so they are copied.
    memcpy(out, file->info.bytes.data,
           bsp_shape_size(bsp_branch_shape(file->info.detection.branch)));
    for (uint32_t i = 0; i < file->info.num_directory_lumps; i++) {
        const bsp_lump *lump = &file->lumps[i];
        bspi_entry entry = {(uint32_t)lump->stated_offset, (uint32_t)lump->stated_size,
                            lump->version, lump->fourcc};
        if (!bspi_encode_entry(file, i, &entry, out, error)) {
            return false;
        }
    }
    return true;
}
