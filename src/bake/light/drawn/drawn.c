// SPDX-License-Identifier: MIT
// Quake 3: what its light is made of: pages, faces, and what of the map casts shadows.
#include "bake/light/drawn/drawn.h"

#include "formats/map_members.h"
#include "layout/layout.h"
#include "query/masks.h"

// Brushes that let light through cast no shadow; patches do as triangles, if at all
// (drawn_shade.c).
static bool make_shade(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bspi_drawn *drawn = own->drawn;
    drawn->clear = bsp_query_flag(map->branch, bsp_text_of("translucent"));
    bsp_brush *brushes = bspi_arena_raw(&own->arena, map->num_brushes, sizeof *brushes, error);
    bsp_face *faces = bspi_arena_raw(&own->arena, map->num_faces, sizeof *faces, error);
    drawn->shade = *map;
    drawn->shade.brushes = brushes;
    drawn->shade.faces = faces;
    for (uint32_t i = 0; faces != NULL && i < map->num_faces; i++) {
        bool patch = map->faces[i].type == BSP_FACE_PATCH;
        faces[i] = map->faces[i];
        faces[i].type = patch ? BSP_FACE_NONE : map->faces[i].type;
    }
    for (uint32_t i = 0; brushes != NULL && i < map->num_brushes; i++) {
        uint32_t contents = (uint32_t)map->brushes[i].contents;
        brushes[i] = map->brushes[i];
        brushes[i].contents =
            (int32_t)((contents & drawn->clear) != 0 ? contents & ~BSPI_SOLID_MASK : contents);
    }
    return brushes != NULL && faces != NULL;
}

void bspi_drawn_free(bspi_relight *own) {
    for (uint32_t i = 0; own->drawn->faces != NULL && i < own->map->num_faces; i++) {
        bspi_drawn_face *face = &own->drawn->faces[i];
        bspi_heap_free(&own->heap, face->inside, face->count);
        bspi_heap_free(&own->heap, face->open,
                       (size_t)face->count * face->extra * face->extra * sizeof *face->open);
        if (own->drawn->vertex_light != NULL) {
            const bsp_relight_face *light = &own->drawn->vertex_light[i];
            size_t count = (size_t)light->width * light->height * own->most_styles;
            bspi_heap_free(&own->heap, (void *)light->luxels, count * sizeof *light->luxels);
        }
    }
}

bool bspi_drawn_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bspi_drawn *drawn = bspi_arena_zero(&own->arena, 1, sizeof *drawn, error);
    own->drawn = drawn;
    if (drawn == NULL) {
        return false;
    }
    drawn->faces = bspi_arena_zero(&own->arena, map->num_faces, sizeof *drawn->faces, error);
    if (drawn->faces == NULL || !bspi_drawn_find_pages(own, error)) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_faces; i++) {
        drawn->faces[i] = (bspi_drawn_face){.count = 0};
        for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS; s++) {
            drawn->faces[i].slots[s].page = BSP_NONE;
            drawn->faces[i].vertex_styles[s] = BSP_NO_STYLE;
        }
    }
    bsp_parts parts;
    bsp_table table;
    if (bsp_file_table(own->file, BSP_ID_FACES, &parts, &table)) {
        uint32_t field;
        drawn->styled =
            bspi_layout_find(table.layout, BSPI_MEMBER_face_light_vertex_styles, &field) != NULL;
        bsp_parts_free(&parts);
    }
    if (map->num_face_lights < map->num_faces) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "the faces do not say where light is");
    }
    return bspi_deluxe_find(own, error) && make_shade(own, error);
}

bool bspi_drawn_takes_light(const bspi_relight *own, uint32_t face) {
    uint32_t bits = bsp_surface_bits_of(own->map, face);
    return (bits & (BSP_SURFACE_SKY | BSP_SURFACE_HIDDEN)) == 0;
}

const bspi_drawn_material *bspi_drawn_of(const bspi_relight *own, uint32_t face) {
    static const bspi_drawn_material none = {.filter = 0};
    uint32_t material = own->map->faces[face].material;
    bool said = own->drawn->materials != NULL && material < own->map->num_materials;
    return said ? &own->drawn->materials[material] : &none;
}
