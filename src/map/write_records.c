// SPDX-License-Identifier: MIT
// Writes records from the arrays of the map: fields that are members of the map, and those that
// only the layout has.
#include "map/write.h"

#include "formats/map_members.h"
#include "layout/layout.h"

#include <string.h>

// Source stores the number of luxels minus one.
static void narrow_light(bsp_face_light *lights, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        for (int axis = 0; axis < 2; axis++) {
            lights[i].size[axis] -= lights[i].size[axis] > 0 ? 1 : 0;
        }
    }
}

// The rows are at other offsets than in the file that the leaves came from.
static void place_rows(const bspi_writer *writer, bsp_leaf *leaves, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        uint32_t cluster = leaves[i].cluster;
        leaves[i].vis_offset = cluster < writer->num_rows ? writer->row_offsets[cluster] : BSP_NONE;
    }
}

// Converts values on a copy to those that the branch stores: reverses what bspi_load_surfaces
// filled in.
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
                        uint32_t count, uint8_t *bytes, bool *written) {
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
        written[f] = written[f] || found;
    }
    bspi_heap_free(writer->heap, copy, size);
    return done;
}

static uint32_t count_at(const bspi_writer *writer, size_t offset) {
    uint32_t count;
    memcpy(&count, (const uint8_t *)writer->map + offset, sizeof count);
    return count;
}

uint32_t bspi_write_count(const bspi_writer *writer, bsp_table_id id) {
    if (id == BSP_ID_STRING_TABLE) {
        return writer->map->num_materials;
    }
    if (id == BSP_ID_PLANES) { // the last ones were computed from boxes
        return writer->map->num_planes - 6 * writer->map->num_brush_boxes;
    }
    if (id == BSP_ID_FACES_HDR) {
        return writer->map
            ->num_face_lights_hdr; // without their own light they are the same as FACES
    }
    // Faces are written to the lump, or the two lumps, for which there is light.
    if (id == BSP_ID_FACES && writer->map->num_face_lights == 0 &&
        writer->map->num_face_lights_hdr != 0) {
        return 0;
    }
    const bspi_array *array = bspi_array_find(id);
    if (array != NULL) {
        return count_at(writer, array->count);
    }
    uint32_t num_names;
    const bspi_names *names = bspi_names_arrays(&num_names);
    for (uint32_t n = 0; n < num_names; n++) {
        if (names[n].id == id) {
            return count_at(writer, names[n].count);
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

// Names are views in the map and characters in records; offsets of names are computed here.
static bool write_name(bspi_writer *writer, const bsp_layout *layout, uint32_t field,
                       uint8_t *record, uint32_t i, bool *found) {
    const bsp_map *map = writer->map;
    bsp_text text = {NULL, 0};
    *found = true;
    switch (layout->fields[field].map_member) {
    case BSPI_MEMBER_material_name:
        text = map->materials[i].name;
        break;
    case BSPI_MEMBER_texinfo_name:
        text = map->texinfos[i].material < map->num_materials
                   ? map->materials[map->texinfos[i].material].name
                   : text;
        break;
    case BSPI_MEMBER_prop_model_name:
        text = map->static_prop_models[i];
        break;
    case BSPI_MEMBER_detail_model_name:
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

static bool write_default(bspi_writer *writer, const bsp_layout *layout, uint32_t field,
                          uint32_t count, uint8_t *bytes) {
    bool name = true;
    uint32_t string = 0; // offset of the name of a material
    for (uint32_t i = 0; name && i < count; i++) {
        uint8_t *record = bytes + (size_t)i * layout->size;
        if (layout->fields[field].map_member == BSPI_MEMBER_material_string) {
            // Each material has its own string, in the same order.
            if (!bsp_table_encode(layout, 1, writer->big_endian, field, BSP_U32, &i, 0, record,
                                  writer->error)) {
                return false;
            }
        } else if (layout->fields[field].map_member == BSPI_MEMBER_material_name_offset) {
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
           bspi_bind_encode_default(layout, field, count, writer->big_endian, bytes, writer->error);
}

bool bspi_write_table(bspi_writer *writer, bsp_table_id id, const bsp_layout *layout) {
    bool written[BSPI_LAYOUT_FIELDS] = {false};
    uint32_t count = bspi_write_count(writer, id);
    if (layout->num_fields > BSPI_LAYOUT_FIELDS) {
        return bsp_fail(writer->error, BSP_E_LIMIT, NULL, "%s has %u fields, more than %d",
                        layout->name, layout->num_fields, BSPI_LAYOUT_FIELDS);
    }
    if (count == 0) {
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
        if (arrays[a].id == id && count_at(writer, arrays[a].count) >= count &&
            !write_array(writer, &arrays[a], layout, count, bytes, written)) {
            return false;
        }
    }
    for (uint32_t f = 0; f < layout->num_fields; f++) {
        if (!written[f] && !write_default(writer, layout, f, count, bytes)) {
            return false;
        }
    }
    return true;
}
