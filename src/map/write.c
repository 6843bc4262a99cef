// SPDX-License-Identifier: MIT
// Writes a map as a file of a branch: head and directory by the branch's shape, lumps in the order
// of the directory, each by its kind.
#include "map/write.h"

#include "core/options.h"
#include "map/heap.h"
#include "map/needs.h"
#include "records/head.h"

#include <assert.h>
#include <string.h>

// --- lumps --------------------------------------------------------------------------------------

// Source: writes the names of the materials one after the other, and where each begins.
static void write_strings(bspi_writer *writer) {
    for (uint32_t i = 0; i < writer->map->num_materials; i++) {
        bspi_buffer_add(writer->out, writer->map->materials[i].name.data,
                        writer->map->materials[i].name.size);
        bspi_buffer_add(writer->out, "", 1);
    }
}

static void write_string_table(bspi_writer *writer) {
    uint32_t offset = 0;
    for (uint32_t i = 0; i < writer->map->num_materials; i++) {
        bspi_buffer_u32(writer->out, offset, writer->big_endian);
        offset += (uint32_t)writer->map->materials[i].name.size + 1;
    }
}

// Writes lumps of which the map has a view.
static bool write_view(bspi_writer *writer, bsp_table_id id) {
    uint32_t count;
    const bspi_view *views = bspi_views(&count);
    for (uint32_t i = 0; i < count; i++) {
        if (views[i].id == id) {
            bsp_bytes view;
            memcpy(&view, (const uint8_t *)writer->map + views[i].view, sizeof view);
            bspi_buffer_add(writer->out, view.data, view.size);
            return true;
        }
    }
    return false;
}

static void write_entities(bspi_writer *writer) {
    const bsp_entities *entities = writer->map->entities;
    if (entities != NULL) {
        bspi_buffer_add(writer->out, entities->text.data, entities->text.size);
        if (entities->text.size == 0 || entities->text.data[entities->text.size - 1] != '\0') {
            bspi_buffer_add(writer->out, "", 1);
        }
    }
}

static bool write_records(bspi_writer *writer, const bsp_lump_def *def, uint32_t *version) {
    if (def->num_variants == 0) {
        return true;
    }
    *version = def->variants[0].version == BSP_ANY_VERSION ? 0 : def->variants[0].version;
    if (write_view(writer, def->id)) {
        return true;
    }
    if (def->id == BSP_ID_STRING_TABLE) {
        write_string_table(writer);
        return true;
    }
    return bspi_write_table(writer, def->id, def->variants[0].layout);
}

static bool write_lump(bspi_writer *writer, const bsp_lump_def *def, uint32_t *version) {
    *version = 0;
    switch (def->kind) {
    case BSP_KIND_ENTITIES:
        if (def->id == BSP_ID_ENTITIES) {
            write_entities(writer);
        }
        return true;
    case BSP_KIND_ARRAY:
        return write_records(writer, def, version);
    case BSP_KIND_STRINGS:
        write_strings(writer);
        return true;
    case BSP_KIND_TEXTURES:
        return bspi_write_textures(writer);
    case BSP_KIND_VIS_ROWS:
    case BSP_KIND_VIS_OFFSETS:
    case BSP_KIND_VIS_MATRIX:
        return bspi_write_visibility(writer, def->kind);
    case BSP_KIND_SECTIONS:
        *version =
            def->section_lists[0].version == BSP_ANY_VERSION ? 0 : def->section_lists[0].version;
        return bspi_write_sections(writer, &def->section_lists[0]);
    case BSP_KIND_GAME:
        return bspi_write_game(writer, def);
    case BSP_KIND_ZIP:
    case BSP_KIND_SAMPLES:
    case BSP_KIND_PHYSICS:
        (void)write_view(writer, def->id);
        return true;
    default:
        return true;
    }
}

// --- the file -----------------------------------------------------------------------------------

static bool write_head(bspi_writer *writer, const bsp_shape *shape, uint32_t revision) {
    const bspi_head facts = {.version = writer->branch->version,
                             .revision = revision,
                             .last_lump = shape->num_lumps - 1};
    uint8_t *start = writer->out->data;
    if (!bspi_bind_encode(shape->head, &bspi_head_struct, &facts, 1, writer->big_endian, start,
                          writer->error)) {
        return false;
    }
    for (int i = 0; i < 4 && writer->branch->magic[0] != '\0'; i++) { // PSBV, PSBr
        start[i] = (uint8_t)writer->branch->magic[writer->big_endian ? 3 - i : i];
    }
    return shape->tail == NULL ||
           bspi_bind_encode(shape->tail, &bspi_head_struct, &facts, 1, writer->big_endian,
                            start + bsp_shape_size(shape) - shape->tail->size, writer->error);
}

static bool write_lumps(bspi_writer *writer, const bsp_shape *shape) {
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(writer->branch, i);
        bspi_entry facts = {0};
        bspi_buffer_align(writer->out, shape->alignment);
        facts.offset = (uint32_t)writer->out->size;
        if (def != NULL && !write_lump(writer, def, &facts.version)) {
            return false;
        }
        if (writer->out->failed || writer->out->size > INT32_MAX) {
            return writer->out->failed
                       ? false
                       : bsp_fail(writer->error, BSP_E_LIMIT, NULL, "the file would pass 2 GiB");
        }
        facts.size = (uint32_t)writer->out->size - facts.offset;
        size_t at = shape->head->size + (size_t)i * shape->entry->size;
        if (!bspi_bind_encode(shape->entry, &bspi_entry_struct, &facts, 1, writer->big_endian,
                              writer->out->data + at, writer->error)) {
            return false;
        }
    }
    return true;
}

static bool write_all(bspi_writer *writer, uint32_t revision) {
    const bsp_shape *shape = bsp_branch_shape(writer->branch);
    bool done = bspi_buffer_grow(writer->out, bsp_shape_size(shape)) != NULL &&
                write_head(writer, shape, revision) && write_lumps(writer, shape);
    bspi_buffer_align(writer->out, shape->alignment);
    bspi_heap_free(writer->heap, writer->row_offsets, writer->num_rows * sizeof(uint32_t));
    return done && !writer->out->failed;
}

bool bsp_map_write(const bsp_map *map, const bsp_branch *branch, const bsp_write_options *options,
                   bsp_blob *out, bsp_error *error) {
    assert(map != NULL && branch != NULL && out != NULL);
    bsp_write_options taken;
    memset(out, 0, sizeof *out);
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return false;
    }
    options = &taken;
    if (!bspi_map_needs(map, BSP_LOAD_ALL, "a file", error)) {
        return false;
    }
    if ((map->loaded & BSP_LOAD_NO_GRID) != 0) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "a file needs the light grid, which was not loaded: BSP_LOAD_NO_GRID");
    }
    if (branch->opaque) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "the records of branch %s are not known",
                        branch->name);
    }
    bspi_heap heap;
    bspi_map_heap(&heap, BSP_PRODUCT_CONVERT, map, NULL, options->allocator);
    bspi_buffer buffer = {.heap = &heap, .error = error};
    bspi_writer writer = {.map = map,
                          .branch = branch,
                          .traits = bsp_branch_traits(branch),
                          .big_endian = options->big_endian,
                          .static_prop_version = options->static_prop_version,
                          .static_prop_size = options->static_prop_size,
                          .out = &buffer,
                          .heap = &heap,
                          .error = error};
    if (!write_all(&writer, options->revision)) {
        bspi_buffer_free(&buffer);
        return false;
    }
    return bspi_buffer_give(&buffer, out);
}
