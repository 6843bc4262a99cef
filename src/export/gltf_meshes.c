// SPDX-License-Identifier: MIT
// Meshes: one for each shape of a brush model that has triangles, with a primitive for each of its
// parts; and the accessors, in the order of the primitives.
#include "export/entity.h"
#include "export/gltf.h"
#include "export/solids.h"

#define FLOATS 5126u
#define UNSIGNED_SHORT 5123u
#define UNSIGNED_INT 5125u

static bool has(const bspi_gltf *gltf, uint32_t part, int array) {
    return gltf->layout->parts[part].offset[array] != UINT64_MAX;
}

// Returns the number of the view of an array; empty arrays have no view.
static uint32_t view_of(const bspi_layout *layout, int array) {
    uint32_t view = 0;
    for (int a = 0; a < array; a++) {
        view += layout->size[a] != 0;
    }
    return view;
}

static void write_primitive(const bspi_gltf *gltf, uint32_t part) {
    static const char *const names[] = {"POSITION",   "NORMAL",  "TEXCOORD_0",
                                        "TEXCOORD_1", "COLOR_0", "COLOR_1"};
    bsp_json *json = gltf->json;
    const uint32_t *accessor = gltf->layout->parts[part].accessor;
    bsp_json_object(json);
    bsp_json_key(json, "attributes");
    bsp_json_object(json);
    for (int a = 0; a < BSPI_SHORTS; a++) {
        if (has(gltf, part, a)) {
            bsp_json_key(json, names[a]);
            bsp_json_uint(json, accessor[a]);
        }
    }
    bsp_json_object_end(json);
    bsp_json_key(json, "indices");
    bsp_json_uint(json, accessor[has(gltf, part, BSPI_LONGS) ? BSPI_LONGS : BSPI_SHORTS]);
    bsp_json_key(json, "material");
    bsp_json_uint(json, gltf->content->parts[part].finish);
    bsp_json_object_end(json);
}

static void write_accessor(const bspi_gltf *gltf, uint32_t part, int array) {
    static const char *const types[] = {"VEC3", "VEC3", "VEC2",   "VEC2",
                                        "VEC4", "VEC4", "SCALAR", "SCALAR"};
    static const uint32_t components[] = {FLOATS,         FLOATS,         FLOATS,
                                          FLOATS,         UNSIGNED_SHORT, UNSIGNED_SHORT,
                                          UNSIGNED_SHORT, UNSIGNED_INT};
    bsp_json *json = gltf->json;
    const bspi_part *p = &gltf->content->parts[part];
    const bspi_part_place *place = &gltf->layout->parts[part];
    bsp_json_object(json);
    bsp_json_key(json, "bufferView");
    bsp_json_uint(json, view_of(gltf->layout, array));
    if (place->offset[array] != 0) {
        bsp_json_key(json, "byteOffset");
        bsp_json_uint(json, place->offset[array]);
    }
    bsp_json_key(json, "componentType");
    bsp_json_uint(json, components[array]);
    if (array == BSPI_COLORS || array == BSPI_BLENDS) {
        bsp_json_key(json, "normalized");
        bsp_json_bool(json, true);
    }
    bsp_json_key(json, "count");
    bsp_json_uint(json, array >= BSPI_SHORTS ? p->num_indices : p->num_vertices);
    bsp_json_key(json, "type");
    bsp_json_string(json, types[array]);
    if (array == BSPI_POSITIONS) {
        bsp_json_floats(json, "min", place->mins, 3);
        bsp_json_floats(json, "max", place->maxs, 3);
    }
    bsp_json_object_end(json);
}

static void write_shape(const bspi_gltf *gltf, uint32_t shape) {
    bsp_json *json = gltf->json;
    const bspi_content *content = gltf->content;
    char name[BSPI_SOLID_NAME];
    uint32_t model = content->shapes[shape].model;
    uint32_t solid = content->shapes[shape].solid;
    uint32_t area = content->shapes[shape].area;
    if (area != 0) {
        bspi_area_name(content->options->nav->areas[area - 1].id, name);
    } else if (solid != BSP_NONE) {
        bspi_solid_name(content, &content->solids->list[solid], name);
    } else {
        bspi_model_name(model, name);
    }
    bool decals = shape == content->decals.shape;
    bsp_json_object(json);
    bsp_json_key(json, "name");
    bsp_json_text(json, content->shapes[shape].prop == BSP_NONE
                            ? bsp_text_of(decals ? "decals" : name)
                            : content->scene->models[model].name);
    bsp_json_key(json, "primitives");
    bsp_json_array(json);
    for (uint32_t p = content->first_part[shape]; p < content->first_part[shape + 1]; p++) {
        write_primitive(gltf, p);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
    gltf->report->meshes++;
}

static void count_part(const bspi_gltf *gltf, uint32_t part) {
    const bspi_part *p = &gltf->content->parts[part];
    gltf->report->faces += p->num_faces;
    gltf->report->vertices += p->num_vertices;
    gltf->report->triangles += p->num_indices / 3;
}

void bspi_gltf_meshes(const bspi_gltf *gltf) {
    const bspi_content *content = gltf->content;
    bsp_json *json = gltf->json;
    if (content->num_parts == 0) {
        return;
    }
    bsp_json_key(json, "meshes");
    bsp_json_array(json);
    for (uint32_t s = 0; s < content->num_shapes; s++) {
        if (gltf->mesh_of[s] != BSP_NONE) {
            write_shape(gltf, s);
        }
    }
    bsp_json_array_end(json);
    bsp_json_key(json, "accessors");
    bsp_json_array(json);
    for (uint32_t p = 0; p < content->num_parts; p++) {
        for (int a = 0; a < BSPI_ARRAYS; a++) {
            if (bspi_layout_owns(gltf->layout, p, (bspi_array)a)) {
                write_accessor(gltf, p, a);
            }
        }
        count_part(gltf, p);
    }
    bsp_json_array_end(json);
}
