// SPDX-License-Identifier: MIT
// Patches keep their control points in the file, so they are restored exactly. Triangles that lie
// on no brush came from model files (misc_model) or decals, whose entities are gone.
#include "decompile/brush/patches.h"

static bool emit_patch(bspi_work *w, uint32_t face, uint32_t entity, const double origin[3]) {
    const bsp_map *map = w->map;
    const bsp_face *from = &map->faces[face];
    bsp_text material = bsp_text_of("");
    if (from->material != BSP_NONE) {
        material = map->materials[from->material].name;
    }
    material = bspi_intern(w, material);
    bsp_mapdoc_patch *patch = material.data != NULL ? bspi_build_patch(&w->out, entity) : NULL;
    if (patch == NULL) {
        return false;
    }
    patch->material = material;
    patch->width = from->patch_width;
    patch->height = from->patch_height;
    for (uint32_t x = 0; x < from->patch_width; x++) {
        for (uint32_t y = 0; y < from->patch_height; y++) {
            const bsp_draw_vert *vert =
                &map->draw_verts[from->first_vert + y * from->patch_width + x];
            bsp_mapdoc_control *control = bspi_build_control(&w->out);
            if (control == NULL) {
                return false;
            }
            for (int a = 0; a < 3; a++) {
                control->at[a] = (double)vert->point[a] + (origin != NULL ? origin[a] : 0);
            }
            control->uv[0] = (double)vert->uv[0];
            control->uv[1] = (double)vert->uv[1];
        }
    }
    w->report->patches++;
    return true;
}

static bool is_patch(const bsp_face *face) {
    return face->type == BSP_FACE_PATCH && face->patch_width >= 3 && face->patch_height >= 3 &&
           face->patch_width % 2 == 1 && face->patch_height % 2 == 1 &&
           (uint64_t)face->patch_width * face->patch_height <= face->num_verts;
}

static bool emit_model(bspi_work *w, uint32_t model, uint32_t entity, const double origin[3]) {
    const bsp_model *from = &w->map->models[model];
    for (uint32_t f = from->first_face; f < from->first_face + from->num_faces; f++) {
        const bsp_face *face = &w->map->faces[f];
        if (is_patch(face)) {
            if (!emit_patch(w, f, entity, origin)) {
                return false;
            }
        } else if (face->type == BSP_FACE_PATCH) {
            bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_FACES, f,
                      "a patch of %u by %u control points, and %u vertices", face->patch_width,
                      face->patch_height, face->num_verts);
        }
    }
    return true;
}

// Reports, as one issue, the faces of triangles that lie on no side of a brush.
static void say_lost(bspi_work *w) {
    uint32_t faces = 0;
    uint32_t triangles = 0;
    uint32_t first = BSP_NONE;
    for (uint32_t f = 0; f < w->map->num_faces; f++) {
        const bsp_face *face = &w->map->faces[f];
        bool triangulated = face->type == BSP_FACE_MESH || face->type == BSP_FACE_FOLIAGE;
        if (triangulated && w->face_side[f] == BSP_NONE) {
            first = first == BSP_NONE ? f : first;
            faces++;
            triangles += face->num_indices / 3;
        }
    }
    if (faces != 0) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_FACES, first,
                  "%u faces of %u triangles lie on no brush: models or decals that the compiler "
                  "placed, whose entities it dropped",
                  faces, triangles);
    }
}

bool bspi_emit_patches(bspi_work *w) {
    if (w->map->num_models == 0) {
        return true;
    }
    if (!emit_model(w, 0, 0, NULL) || !bspi_for_models(w, emit_model)) {
        return false;
    }
    if (w->options->wanted == NULL && !w->options->world_only) {
        say_lost(w);
    }
    return true;
}
