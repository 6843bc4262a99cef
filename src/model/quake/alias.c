// SPDX-License-Identifier: MIT
// What the models of Quake and its successors share. Source: the sheet models, 1, 4 and 5.
#include "model/quake/alias.h"

#include "core/text.h"
#include "formats/table.h"
#include "model/open.h"

#define ALIAS_INDEX(id) .role = BSP_ROLE_INDEX, .target = BSPI_ALIAS_##id

// clang-format off

static const bsp_field alias_vertex_fields[] = {
    { NAME("v"),                U8(3) },
    { NAME("lightnormalindex"), U8(1) },
};
SHARED_LAYOUT(alias_vertex_t, 4, alias_vertex_fields);

static const bsp_field alias_skin_fields[] = { { NAME(""), CHARS(64) } };
SHARED_LAYOUT(alias_skin_t, 64, alias_skin_fields);

static const bsp_field alias_coord_fields[] = {
    { NAME("s"), I16(1) },
    { NAME("t"), I16(1) },
};
SHARED_LAYOUT(alias_coord_t, 4, alias_coord_fields);

static const bsp_field alias_triangle_fields[] = {
    { NAME("index_xyz"), U16(3), ALIAS_INDEX(VERTICES) },
    { NAME("index_st"),  U16(3), ALIAS_INDEX(COORDS) },
};
SHARED_LAYOUT(alias_triangle_t, 12, alias_triangle_fields);

static const bsp_field alias_frame_fields[] = {
    { NAME("scale"),     F32(3) },
    { NAME("translate"), F32(3) },
    { NAME("name"),      CHARS(16) },
};
SHARED_LAYOUT(alias_frame_t, 40, alias_frame_fields);

// Numbers and floats by turns; dumped as they are stored.
static const bsp_field bare_command_fields[] = { { NAME(""), I32(1) } };
SHARED_LAYOUT(bare_command_t, 4, bare_command_fields);

// clang-format on

void bspi_alias_place(const bspi_alias_frame *frame, uint32_t vertex, bsp_model_vertex *out) {
    const uint8_t *v = frame->vertices.data + (size_t)vertex * frame->vertices.layout->size;
    const uint8_t *low = vertex < frame->low.count
                             ? frame->low.data + (size_t)vertex * frame->low.layout->size
                             : NULL;
    uint32_t bits = frame->packed ? bspi_load32(v, false) : 0;
    const uint32_t parts[3] = {bits >> 21, bits >> 11 & 1023, bits & 2047};
    for (int axis = 0; axis < 3; axis++) {
        float at = (float)(frame->packed ? parts[axis] : v[axis]) +
                   (low == NULL ? 0.0F : (float)low[axis] / 256.0F);
        out->position[axis] = at * frame->scale[axis] + frame->translate[axis];
    }
    bspi_alias_normal(v[frame->packed ? 4 : 3], out->normal);
}

// Returns the vertex of a corner, or BSP_NONE where it leads nowhere.
static uint32_t corner(bspi_model_builder *b, bspi_corners *corners, const bspi_alias_frame *frame,
                       const bsp_table *coords, const float size[2], const uint32_t at[2]) {
    if (at[0] >= frame->vertices.count || at[1] >= coords->count) {
        return BSP_NONE;
    }
    uint32_t *place = bspi_corners_at(b, corners, at[0], at[1]);
    if (*place == BSP_NONE) {
        bsp_model_vertex vertex = {.color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
        bspi_alias_place(frame, at[0], &vertex);
        for (uint32_t i = 0; i < 2; i++) {
            vertex.uv[i] = size[i] > 0 ? bsp_table_float(coords, at[1], i, 0) / size[i] : 0;
        }
        *place = bspi_build_vertex(b, &vertex, NULL);
    }
    return *place;
}

bool bspi_alias_build(bspi_model_builder *b, const bspi_alias_frame *frame,
                      const bsp_table *triangles, const bsp_table *coords, float width,
                      float height, uint32_t material) {
    const float size[2] = {width, height};
    bspi_corners corners;
    if (!bspi_build_group(b, material, 0, (bsp_text){NULL, 0}) ||
        !bspi_corners_new(b, triangles->count * 3, &corners)) {
        return false;
    }
    for (uint32_t i = 0; i < triangles->count && !b->failed; i++) {
        uint32_t v[3];
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t at[2] = {(uint32_t)bsp_table_int(triangles, i, 0, k),
                              (uint32_t)bsp_table_int(triangles, i, 1, k)};
            v[k] = corner(b, &corners, frame, coords, size, at);
        }
        (void)bspi_build_triangle(b, v[0], v[1], v[2]);
    }
    bspi_corners_free(b, &corners);
    return !b->failed;
}

// --- materials ----------------------------------------------------------------------------------

// UFO:AI writes ".name" for a picture in the model's folder.
static bool set_paths(bsp_model_asset *model, bsp_model_material *material, bsp_text name,
                      bsp_error *error) {
    bsp_text folder = bspi_folder_of(model->info.name);
    bsp_text last = bspi_text_last_part(name);
    bool own = name.size > 1 && name.data[0] == '.' && last.size == name.size;
    if (own) {
        last = (bsp_text){name.data + 1, name.size - 1};
    }
    bsp_text beside = bspi_model_join(model, folder, last, error);
    bsp_text paths[2] = {name, beside};
    return beside.data != NULL &&
           bspi_material_paths(model, material, own ? paths + 1 : paths, own ? 1 : 2, error);
}

bool bspi_alias_materials(bsp_model_asset *model, const bsp_table *skins, uint32_t width,
                          uint32_t height, bsp_error *error) {
    uint32_t count = skins->count == 0 ? 1 : skins->count;
    bsp_model_material *list = bspi_model_materials(model, count, error);
    model->info.num_skins = count;
    for (uint32_t i = 0; list != NULL && i < count; i++) {
        bsp_text name = skins->count == 0 ? bsp_text_of("skin.pcx") : bsp_table_text(skins, i, 0);
        list[i].width = width;
        list[i].height = height;
        list[i].name = bspi_model_join(model, name, (bsp_text){NULL, 0}, error);
        if (list[i].name.data == NULL || !set_paths(model, &list[i], list[i].name, error)) {
            return false;
        }
    }
    return list != NULL;
}
