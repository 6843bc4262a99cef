// SPDX-License-Identifier: MIT
// Parts of lumps, the public functions: chooses the parser for a lump's kind, finds the tables of a
// file by what they hold, and counts.
#include "records/file.h"
#include "records/parse.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

static void split_by_kind(bspi_parse *parse) {
    switch (parse->lump->kind) {
    case BSP_KIND_ARRAY:
        bspi_parse_array(parse);
        break;
    case BSP_KIND_ENTITIES:
        bspi_parse_text(parse, "entities", 0, parse->data.size);
        break;
    case BSP_KIND_STRINGS:
        bspi_parse_strings(parse);
        break;
    case BSP_KIND_SECTIONS:
        bspi_parse_sections(parse);
        break;
    case BSP_KIND_TEXTURES:
        bspi_parse_textures(parse);
        break;
    case BSP_KIND_VIS_ROWS:
    case BSP_KIND_VIS_OFFSETS:
    case BSP_KIND_VIS_MATRIX:
        bspi_parse_visibility(parse);
        break;
    case BSP_KIND_GAME:
        bspi_parse_game(parse);
        break;
    case BSP_KIND_PHYSICS:
        bspi_parse_physics(parse);
        break;
    case BSP_KIND_PHYS_DISP:
        bspi_parse_phys_disp(parse);
        break;
    case BSP_KIND_SAMPLES:
        bspi_parse_samples(parse);
        break;
    case BSP_KIND_ZIP:
        bspi_parse_zip(parse);
        break;
    case BSP_KIND_BYTES:
        if (parse->lump->place == BSP_IN_BSPX) {
            bspi_parse_bspx(parse);
        } else {
            bspi_parse_bytes(parse, "bytes", 0, parse->data.size);
        }
        break;
    }
}

bool bsp_file_parts(const bsp_file *file, uint32_t lump, bsp_issues *issues, bsp_parts *out,
                    bsp_error *error) {
    assert(file != NULL && out != NULL);
    memset(out, 0, sizeof *out);
    if (!bspi_has_lump(file, lump, error)) {
        return false;
    }
    bspi_parse parse = {.file = file,
                        .lump = &file->lumps[lump],
                        .big_endian = file->info.detection.big_endian,
                        .issues = issues,
                        .error = error,
                        .heap = bspi_file_heap(file)};
    if (!bsp_file_data(file, lump, &parse.data, error)) {
        return false;
    }
    if (parse.data.size != 0) {
        split_by_kind(&parse);
    }
    if (parse.failed || !bspi_heap_work(parse.heap, parse.count, error)) {
        bspi_heap_free(parse.heap, parse.parts, parse.room * sizeof *parse.parts);
        bspi_parse_forget(parse.heap, parse.made);
        return false;
    }
    out->parts = parse.parts;
    out->count = parse.count;
    out->data = parse.data;
    out->heap = parse.heap;
    out->room = parse.room;
    out->made = parse.made;
    return true;
}

void bsp_parts_free(bsp_parts *parts) {
    if (parts == NULL) {
        return;
    }
    if (parts->heap != NULL) {
        bspi_heap_free(parts->heap, (void *)(uintptr_t)parts->parts,
                       parts->room * sizeof *parts->parts);
        bspi_parse_forget(parts->heap, parts->made);
    }
    memset(parts, 0, sizeof *parts);
}

// Removes the name of a part, and the "/" after it, from the front of a path.
static bool cut_name(bsp_text *path, const bsp_part *holder, const bsp_part *part, uint32_t n) {
    char number[16];
    const char *name = part->name;
    if (holder->kind == BSP_PART_LIST) {
        snprintf(number, sizeof number, "%u", (unsigned)n);
        name = number;
    }
    size_t size = name == NULL ? 0 : strlen(name);
    if (size == 0 || size > path->size || memcmp(path->data, name, size) != 0 ||
        (size < path->size && path->data[size] != '/')) {
        return false;
    }
    size += size < path->size;
    *path = (bsp_text){path->data + size, path->size - size};
    return true;
}

uint32_t bsp_parts_find(const bsp_parts *parts, bsp_text path) {
    assert(parts != NULL);
    if (parts->count == 0 || (path.size != 0 && path.data[path.size - 1] == '/')) {
        return BSP_NONE;
    }
    uint32_t at = 0;
    while (path.size != 0) {
        const bsp_part *holder = &parts->parts[at];
        bool inner = holder->kind == BSP_PART_GROUP || holder->kind == BSP_PART_LIST;
        uint32_t part = inner ? at + 1 : holder->end;
        for (uint32_t n = 0; part < holder->end; n++, part = parts->parts[part].end) {
            if (cut_name(&path, holder, &parts->parts[part], n)) {
                break;
            }
        }
        if (part >= holder->end) {
            return BSP_NONE;
        }
        at = part;
    }
    return at;
}

bsp_table bsp_parts_table(const bsp_parts *parts, uint32_t number) {
    assert(parts != NULL);
    assert(number < parts->count && (parts->parts[number].kind == BSP_PART_TABLE ||
                                     parts->parts[number].kind == BSP_PART_RECORD));
    if (number >= parts->count || parts->parts[number].layout == NULL) {
        return (bsp_table){0};
    }
    const bsp_part *part = &parts->parts[number];
    bsp_table table = {part->layout, parts->data.data + part->offset, part->count,
                       part->big_endian};
    return table;
}

static bool find_table(const bsp_parts *parts, bsp_table_id id, bsp_table *table) {
    for (uint32_t i = 0; i < parts->count; i++) {
        if (parts->parts[i].kind == BSP_PART_TABLE && parts->parts[i].id == id) {
            *table = bsp_parts_table(parts, i);
            return true;
        }
    }
    return false;
}

// Tables inside SECTIONS lumps are named by their section.
static bool may_hold(const bsp_lump *lump, bsp_table_id id) {
    if (lump->kind != BSP_KIND_SECTIONS) {
        return lump->id == id;
    }
    uint32_t lists = 0;
    const bsp_section_list *list = bspi_section_lists(lump, &lists);
    for (uint32_t i = 0; i < lists; i++) {
        for (uint32_t s = 0; s < list[i].num_sections; s++) {
            if (list[i].sections[s].id == id) {
                return true;
            }
        }
    }
    return false;
}

bool bspi_file_table(const bsp_file *file, bsp_table_id id, bsp_parts *parts, bsp_table *table,
                     bool *there, bsp_error *error) {
    *there = false;
    for (uint32_t i = 0; i < file->info.num_lumps; i++) {
        bsp_error why = {0};
        if (!may_hold(&file->lumps[i], id)) {
            continue;
        }
        if (!bsp_file_parts(file, i, NULL, parts, &why)) {
            if (bspi_out_of_memory(&why, error)) {
                return false;
            }
            continue;
        }
        *there = find_table(parts, id, table);
        if (*there) {
            return true;
        }
        bsp_parts_free(parts);
    }
    return true;
}

bool bsp_file_table(const bsp_file *file, bsp_table_id id, bsp_parts *parts, bsp_table *table) {
    assert(file != NULL && parts != NULL && table != NULL);
    bool there;
    return bspi_file_table(file, id, parts, table, &there, NULL) && there;
}

// Counts the offsets after the count that a texture lump states.
static bool count_textures(const bsp_file *file, uint32_t n, uint32_t *count, bsp_error *error) {
    bsp_bytes data;
    bsp_error why = {0};
    if (!bsp_file_data(file, n, &data, &why)) {
        return !bspi_out_of_memory(&why, error);
    }
    if (data.size >= 4) {
        uint32_t stated = bspi_load32(data.data, file->info.detection.big_endian);
        uint32_t room = (uint32_t)((data.size - 4) / 4);
        *count = stated < room ? stated : room;
    }
    return true;
}

bool bspi_file_count(const bsp_file *file, bsp_table_id id, uint32_t *count, bsp_error *error) {
    uint32_t n = bsp_file_find_id(file, id);
    const bsp_lump *lump = n == BSP_NONE ? NULL : &file->lumps[n];
    *count = 0;
    if (lump != NULL && lump->kind == BSP_KIND_ARRAY) {
        *count = bspi_array_count(lump);
        return true;
    }
    if (lump != NULL && lump->kind == BSP_KIND_TEXTURES) {
        return count_textures(file, n, count, error);
    }
    if (lump != NULL && lump->kind != BSP_KIND_SECTIONS) {
        *count = lump->unpacked_size;
        return true;
    }
    bsp_parts parts;
    bsp_table table;
    bool there;
    if (!bspi_file_table(file, id, &parts, &table, &there, error)) {
        return false;
    }
    if (there) {
        *count = table.count;
        bsp_parts_free(&parts);
    }
    return true;
}

uint32_t bsp_file_count(const bsp_file *file, bsp_table_id id) {
    assert(file != NULL);
    uint32_t count;
    (void)bspi_file_count(file, id, &count, NULL);
    return count;
}
