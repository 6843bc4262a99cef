// SPDX-License-Identifier: MIT
// Writes a map as a file of a branch: head and directory by the branch's shape, lumps in the order
// of the directory, each by its kind.
#include "map/write.h"

#include "core/reader.h"
#include "formats/feeds.h"
#include "map/heap.h"

#include <string.h>

typedef struct head {
    uint32_t version;
    uint32_t revision;
    uint32_t last_lump;
} head;

static const bspi_member head_members[] = {
    {BSPI_FEED_head_version, BSP_U32, 1, offsetof(head, version), false},
    {BSPI_FEED_head_revision, BSP_U32, 1, offsetof(head, revision), false},
    {BSPI_FEED_head_last_lump, BSP_U32, 1, offsetof(head, last_lump), false},
};
static const bspi_struct head_struct = {sizeof(head), head_members, 3, NULL, 0};

typedef struct entry {
    uint32_t offset;
    uint32_t size;
    uint32_t version;
} entry;

static const bspi_member entry_members[] = {
    {BSPI_FEED_entry_offset, BSP_U32, 1, offsetof(entry, offset), false},
    {BSPI_FEED_entry_size, BSP_U32, 1, offsetof(entry, size), false},
    {BSPI_FEED_entry_version, BSP_U32, 1, offsetof(entry, version), false},
};
static const bspi_struct entry_struct = {sizeof(entry), entry_members, 3, NULL, 0};

// --- tables -------------------------------------------------------------------------------------

// Source stores luxels less one.
static void narrow_light(bsp_face_light *lights, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            lights[i].size[axis] -= lights[i].size[axis] > 0 ? 1 : 0;
        }
    }
}

// The rows lie elsewhere than in the file that the leaves came from.
static void place_rows(const bspi_writer *writer, bsp_leaf *leaves, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cluster = leaves[i].cluster;
        leaves[i].vis_offset = cluster < writer->num_rows ? writer->row_offsets[cluster] : BSP_NONE;
    }
}

// The values that a branch stores are not always those of the map: what bspi_load_surfaces filled
// in is turned back here, on a copy.
static void unfill(const bspi_writer *writer, const bspi_array *array, void *copy, uint32_t count) {
    bool lights = array->pointer == offsetof(bsp_map, face_lights) ||
                  array->pointer == offsetof(bsp_map, face_lights_hdr);
    if (lights && writer->traits->light == BSP_LIGHT_RGBEXP32) {
        narrow_light(copy, count);
    } else if (array->id == BSP_ID_LEAVES) {
        place_rows(writer, copy, count);
    }
}

static bool write_array(bspi_writer *writer, const bspi_array *array, const bsp_layout *layout,
                        uint32_t count, uint8_t *bytes, bool *fed) {
    const void *data;
    memcpy(&data, (const uint8_t *)writer->map + array->pointer, sizeof data);
    size_t size = array->structure->size * count;
    void *copy = bspi_heap_alloc(writer->heap, size, writer->error);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, data, size);
    unfill(writer, array, copy, count);
    bool done = true;
    for (uint32_t f = 0; done && f < layout->num_fields; f++) {
        bool found;
        done = bspi_bind_encode_field(layout, f, array->structure, copy, count, writer->big_endian,
                                      bytes, &found, writer->error);
        fed[f] = fed[f] || found;
    }
    bspi_heap_free(writer->heap, copy, size);
    return done;
}

static uint32_t array_count(const bspi_writer *writer, const bspi_array *array) {
    uint32_t count;
    memcpy(&count, (const uint8_t *)writer->map + array->count, sizeof count);
    return count;
}

uint32_t bspi_write_count(const bspi_writer *writer, bsp_table_id id) {
    if (id == BSP_ID_STATIC_PROP_MODELS) {
        return writer->map->num_static_prop_models;
    }
    if (id == BSP_ID_DETAIL_MODELS) {
        return writer->map->num_detail_models;
    }
    if (id == BSP_ID_STRING_TABLE) {
        return writer->map->num_materials;
    }
    if (id == BSP_ID_PLANES) { // the last ones are made of boxes
        return writer->map->num_planes - 6 * writer->map->num_brush_boxes;
    }
    if (id == BSP_ID_FACES_HDR) {
        return writer->map->num_face_lights_hdr; // without light of their own they are FACES again
    }
    // Faces stand in the lump, or the two lumps, that there is light for.
    if (id == BSP_ID_FACES && writer->map->num_face_lights == 0 &&
        writer->map->num_face_lights_hdr != 0) {
        return 0;
    }
    uint32_t num_arrays;
    const bspi_array *arrays = bspi_arrays(&num_arrays);
    for (uint32_t a = 0; a < num_arrays; a++) {
        if (arrays[a].id == id) {
            return array_count(writer, &arrays[a]);
        }
    }
    return 0;
}

static void put_text(const bsp_layout *layout, uint32_t field, uint8_t *record, bsp_text text) {
    size_t room = layout->fields[field].count;
    uint8_t *at = record + bsp_layout_offset(layout, field);
    size_t size = text.size < room ? text.size : room;
    if (size != 0) {
        memcpy(at, text.data, size);
    }
}

// Names are views in the map and characters in records; offsets of names are made on the way.
static bool write_name(bspi_writer *writer, const bsp_layout *layout, uint32_t field,
                       uint8_t *record, uint32_t i, bool *found) {
    const bsp_map *map = writer->map;
    bsp_text text = {NULL, 0};
    *found = true;
    switch (layout->fields[field].feed) {
    case BSPI_FEED_material_name:
        text = map->materials[i].name;
        break;
    case BSPI_FEED_texinfo_name:
        text = map->texinfos[i].material < map->num_materials
                   ? map->materials[map->texinfos[i].material].name
                   : text;
        break;
    case BSPI_FEED_prop_model_name:
        text = map->static_prop_models[i];
        break;
    case BSPI_FEED_detail_model_name:
        text = map->detail_models[i];
        break;
    default:
        *found = false;
        return true;
    }
    if (text.size > layout->fields[field].count) {
        bsp_place place = bsp_place_at(layout->name, i, layout->fields[field].name, UINT64_MAX);
        return bsp_fail(writer->error, BSP_E_RANGE, &place,
                        "%s[%u].%s: the name '%.*s' has more than %u characters", layout->name, i,
                        layout->fields[field].name, (int)(text.size < 80 ? text.size : 80),
                        text.data, layout->fields[field].count);
    }
    put_text(layout, field, record, text);
    return true;
}

static bool write_unfed(bspi_writer *writer, const bsp_layout *layout, uint32_t field,
                        uint32_t count, uint8_t *bytes) {
    bool name = true;
    uint32_t string = 0; // where the name of a material begins
    for (uint32_t i = 0; name && i < count; i++) {
        uint8_t *record = bytes + (size_t)i * layout->size;
        if (layout->fields[field].feed == BSPI_FEED_material_string) {
            // Each material has a string of its own, in the same order.
            if (!bsp_table_encode(layout, 1, writer->big_endian, field, BSP_U32, &i, 0, record,
                                  writer->error)) {
                return false;
            }
        } else if (layout->fields[field].feed == BSPI_FEED_material_name_offset) {
            if (!bsp_table_encode(layout, 1, writer->big_endian, field, BSP_U32, &string, 0, record,
                                  writer->error)) {
                return false;
            }
            string += (uint32_t)writer->map->materials[i].name.size + 1;
        } else if (!write_name(writer, layout, field, record, i, &name)) {
            return false;
        }
    }
    return name ||
           bspi_bind_encode_unfed(layout, field, count, writer->big_endian, bytes, writer->error);
}

bool bspi_write_table(bspi_writer *writer, bsp_table_id id, const bsp_layout *layout) {
    enum { MAX_FIELDS = 128 };
    bool fed[MAX_FIELDS] = {false};
    uint32_t count = bspi_write_count(writer, id);
    if (count == 0 || layout->num_fields > MAX_FIELDS) {
        return true;
    }
    size_t start = writer->out->size;
    if (bspi_buffer_grow(writer->out, (size_t)count * layout->size) == NULL) {
        return false;
    }
    uint32_t num_arrays;
    const bspi_array *arrays = bspi_arrays(&num_arrays);
    uint8_t *bytes = writer->out->data + start;
    for (uint32_t a = 0; a < num_arrays; a++) {
        if (arrays[a].id == id && array_count(writer, &arrays[a]) >= count &&
            !write_array(writer, &arrays[a], layout, count, bytes, fed)) {
            return false;
        }
    }
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        if (!fed[f] && !write_unfed(writer, layout, f, count, bytes)) {
            return false;
        }
    }
    return true;
}

// --- lumps --------------------------------------------------------------------------------------

// Source: the names of the materials one behind the other, and where each begins.
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

// Lumps that the map keeps as bytes.
static bool write_view(bspi_writer *writer, bsp_table_id id) {
    bsp_bytes view;
    switch (id) {
    case BSP_ID_LIGHTING:
        view = writer->map->light;
        break;
    case BSP_ID_LIGHTING_HDR:
        view = writer->map->light_hdr;
        break;
    case BSP_ID_LIGHTING_RTL:
        view = writer->map->light_rtl;
        break;
    case BSP_ID_PAK:
        view = writer->map->pak;
        break;
    case BSP_ID_DISP_SAMPLE_POSITIONS:
        view = writer->map->disp_samples;
        break;
    case BSP_ID_PHYS_COLLIDE:
        view = writer->map->physics;
        break;
    default:
        return false;
    }
    bspi_buffer_add(writer->out, view.data, view.size);
    return true;
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

bool bspi_write_lump(bspi_writer *writer, const bsp_lump_def *def, uint32_t *version) {
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
    head facts = {writer->branch->version, revision, shape->num_lumps - 1};
    uint8_t *start = writer->out->data;
    if (!bspi_bind_encode(shape->head, &head_struct, &facts, 1, writer->big_endian, start,
                          writer->error)) {
        return false;
    }
    for (int i = 0; i < 4 && writer->branch->magic[0] != '\0'; i++) { // PSBV, PSBr
        start[i] = (uint8_t)writer->branch->magic[writer->big_endian ? 3 - i : i];
    }
    return shape->tail == NULL ||
           bspi_bind_encode(shape->tail, &head_struct, &facts, 1, writer->big_endian,
                            start + bsp_shape_size(shape) - shape->tail->size, writer->error);
}

static bool write_lumps(bspi_writer *writer, const bsp_shape *shape) {
    for (uint32_t i = 0; i < shape->num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(writer->branch, i);
        entry facts = {0, 0, 0};
        bspi_buffer_align(writer->out, shape->alignment);
        facts.offset = (uint32_t)writer->out->size;
        if (def != NULL && !bspi_write_lump(writer, def, &facts.version)) {
            return false;
        }
        if (writer->out->failed || writer->out->size > INT32_MAX) {
            return writer->out->failed
                       ? false
                       : bsp_fail(writer->error, BSP_E_LIMIT, NULL, "the file would pass 2 GiB");
        }
        facts.size = (uint32_t)writer->out->size - facts.offset;
        size_t at = shape->head->size + (size_t)i * shape->entry->size;
        if (!bspi_bind_encode(shape->entry, &entry_struct, &facts, 1, writer->big_endian,
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
    static const bsp_write_options defaults = {0};
    options = options == NULL ? &defaults : options;
    memset(out, 0, sizeof *out);
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
