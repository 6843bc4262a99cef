// SPDX-License-Identifier: MIT
// Checks surfaces: the luxels of a face lie in the light lump, patches have possible sizes, draw
// indices stay inside their surface's vertices.
#include "formats/source_flags.h"
#include "map/check.h"

#define MIN_PATCH 3u

static uint64_t light_bytes(const bsp_map *map, uint32_t number) {
    const bsp_face_light *light = &map->face_lights[number];
    const bsp_face *face = &map->faces[number];
    uint64_t luxels = (uint64_t)light->size[0] * (uint64_t)light->size[1];
    uint32_t styles = 0;
    while (styles < 4 && light->styles[styles] != BSP_NO_STYLE) {
        styles++;
    }
    bool bumped = map->traits->light == BSP_LIGHT_RGBEXP32 && face->texinfo < map->num_texinfos &&
                  (map->texinfos[face->texinfo].flags & BSPI_SURF_BUMPLIGHT) != 0;
    return luxels * styles * bsp_light_size(map->traits->light) * (bumped ? 4 : 1);
}

static void check_light(bspi_map_check *check, uint32_t number) {
    const bsp_map *map = check->map;
    const bsp_face_light *light = &map->face_lights[number];
    if (light->offset == BSP_NONE || check->light.size == 0 || light->size[0] <= 0 ||
        light->size[1] <= 0) {
        return;
    }
    uint64_t bytes = light_bytes(map, number);
    if (light->offset + bytes > check->light.size) {
        bspi_issue(check->issues, BSPI_ISSUE_LIGHT_RANGE,
                   bspi_map_place(check, BSP_ID_FACES, number, "lightofs"),
                   "%u and %llu bytes of %d x %d luxels, but there are %zu", light->offset,
                   (unsigned long long)bytes, light->size[0], light->size[1], check->light.size);
    }
}

static void check_patch(bspi_map_check *check, uint32_t number) {
    const bsp_face *face = &check->map->faces[number];
    uint64_t points = (uint64_t)face->patch_width * face->patch_height;
    if (face->patch_width < MIN_PATCH || face->patch_height < MIN_PATCH ||
        face->patch_width % 2 == 0 || face->patch_height % 2 == 0 || points != face->num_verts) {
        bspi_issue(check->issues, BSPI_ISSUE_PATCH_SIZE,
                   bspi_map_place(check, BSP_ID_FACES, number, "patchWidth"),
                   "%u x %u control points, and %u vertices", face->patch_width, face->patch_height,
                   face->num_verts);
    }
}

// Compilers give each surface its own indices. Hostile files share them, so each reading counts as
// work.
static bool check_indices(bspi_map_check *check, uint32_t number) {
    const bsp_map *map = check->map;
    const bsp_face *face = &map->faces[number];
    if (!bspi_heap_work(check->heap, face->num_indices, check->error)) {
        return false;
    }
    for (uint32_t i = 0; i < face->num_indices && face->first_index + i < map->num_draw_indices;
         i++) {
        uint32_t index = map->draw_indices[face->first_index + i];
        if (index >= face->num_verts) {
            bspi_issue(check->issues, BSPI_ISSUE_INDEX_RANGE,
                       bspi_map_place(check, BSP_ID_DRAW_INDICES, face->first_index + i, NULL),
                       "%d, but surface %u has %u vertices", (int32_t)index, number,
                       face->num_verts);
        }
    }
    return true;
}

bool bspi_check_surfaces(bspi_map_check *check) {
    const bsp_map *map = check->map;
    bool drawn = map->traits->draws_vertices;
    for (uint32_t i = 0; i < map->num_faces; i++) {
        if (drawn) {
            if (map->faces[i].type == BSP_FACE_PATCH) {
                check_patch(check, i);
            }
            if (!check_indices(check, i)) {
                return false;
            }
        } else if (i < map->num_face_lights) {
            check_light(check, i);
        }
    }
    return true;
}
