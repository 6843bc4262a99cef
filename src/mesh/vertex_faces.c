// SPDX-License-Identifier: MIT
// Surfaces that are stored as vertices and indices: Quake 3's planar ones, triangle meshes,
// foliage, and flares, which are a point; Respawn's meshes, which share their vertices. Assumes a
// loaded map. Formats: sheets quake3 (1, 4), source-versions (8.2).
#include "mesh/mesher.h"

#include <math.h>
#include <string.h>

// Multiplies a stored colour by the gain, keeping the hue.
static void brighten(float gain, const uint8_t in[4], uint8_t out[4]) {
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float value = (float)in[i] * gain;
        most = value > most ? value : most;
    }
    float scale = most > 255 ? gain * 255 / most : gain;
    for (int i = 0; i < 3; i++) {
        out[i] = (uint8_t)((float)in[i] * scale + 0.5F);
    }
    out[3] = in[3];
}

void bspi_drawn_vertex(const bspi_mesher *mesher, uint32_t face, const bsp_draw_vert *from,
                       bsp_mesh_vertex *to) {
    const bsp_lightmap *lightmap = mesher->options->lightmap;
    memcpy(to->position, from->point, sizeof to->position);
    memcpy(to->normal, from->normal, sizeof to->normal);
    bspi_mesh_normalize(to->normal);
    memcpy(to->uv, from->uv, sizeof to->uv);
    brighten(mesher->gain, from->color[0], to->color);
    if (lightmap != NULL && face < lightmap->num_faces &&
        lightmap->faces[face].page < lightmap->num_pages) {
        const bsp_light_face *light = &lightmap->faces[face];
        for (int i = 0; i < 2; i++) {
            to->light_uv[i] = from->light_uv[0][i] * light->scale[i] + light->offset[i];
        }
    }
}

// Enemy Territory stores in patch_width how many of the vertices are the plant's, and in
// patch_height how many stand for one plant each (id's ET, R_LoadSurfaces).
static bool is_foliage(const bsp_map *map, const bsp_face *face) {
    return face->type == BSP_FACE_FOLIAGE && face->patch_width != 0 && face->patch_height != 0 &&
           (uint64_t)face->first_vert + face->patch_width + face->patch_height <=
               map->num_draw_verts;
}

static bool has_indices(const bsp_face *face) {
    return face->num_indices >= 3;
}

// --- shared vertices ----------------------------------------------------------------------------

bool bspi_drawn_begin(bspi_mesher *mesher) {
    const bsp_map *map = mesher->map;
    if (!map->traits->shares_vertices) {
        return true;
    }
    bspi_arena *scratch = &mesher->scratch;
    bspi_shared_verts *shared = bspi_arena_zero(scratch, 1, sizeof *shared, mesher->error);
    if (shared != NULL) {
        shared->seen =
            bspi_arena_zero(scratch, map->num_draw_verts, sizeof(uint32_t), mesher->error);
        shared->slots =
            bspi_arena_raw(scratch, map->num_draw_verts, sizeof(uint32_t), mesher->error);
    }
    mesher->shared = shared;
    return shared != NULL && shared->seen != NULL && shared->slots != NULL;
}

// Returns true for the first use of a vertex in this turn, and gives it the next number.
static bool is_new(bspi_shared_verts *shared, uint32_t vertex, uint32_t *count) {
    if (shared->seen[vertex] == shared->turn) {
        return false;
    }
    shared->seen[vertex] = shared->turn;
    shared->slots[vertex] = (*count)++;
    return true;
}

static uint32_t count_vertices(const bspi_mesher *mesher, const bsp_face *face) {
    uint32_t count = 0;
    mesher->shared->turn++;
    if (face->num_indices == 0) {
        return 0;
    }
    const uint32_t *index = mesher->map->draw_indices + face->first_index;
    for (uint32_t i = 0; i < face->num_indices; i++) {
        if (index[i] < face->num_verts) {
            (void)is_new(mesher->shared, face->first_vert + index[i], &count);
        }
    }
    return count;
}

static void emit_shared(bspi_mesher *mesher, uint32_t number) {
    const bsp_map *map = mesher->map;
    const bsp_face *face = &map->faces[number];
    const uint32_t *index = map->draw_indices + face->first_index;
    uint32_t count = 0;
    mesher->shared->turn++;
    for (uint32_t i = 0; i + 2 < face->num_indices; i += 3, index += 3) {
        uint32_t corners[3];
        bool whole =
            index[0] < face->num_verts && index[1] < face->num_verts && index[2] < face->num_verts;
        for (int c = 0; whole && c < 3; c++) {
            uint32_t vertex = face->first_vert + index[c];
            if (is_new(mesher->shared, vertex, &count)) {
                bspi_drawn_vertex(mesher, number, &map->draw_verts[vertex],
                                  bspi_mesh_add_vertex(mesher));
            }
            corners[c] = mesher->shared->slots[vertex];
        }
        if (whole) { // the file is clockwise
            bspi_mesh_add_triangle(mesher, corners[0], corners[2], corners[1]);
        }
    }
}

// --- room ---------------------------------------------------------------------------------------

bspi_room bspi_drawn_room(const bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    bspi_room room = {face->num_verts, face->num_indices, 0};
    if (mesher->shared != NULL) {
        room.vertices = count_vertices(mesher, face);
        return room;
    }
    if (face->type == BSP_FACE_BILLBOARD) {
        bool shown = mesher->options->flare_size > 0;
        return (bspi_room){shown ? 4 : 0, shown ? 6 : 0, 0};
    }
    if (is_foliage(mesher->map, face)) {
        room.vertices = (uint64_t)face->patch_width * face->patch_height;
        room.indices = (uint64_t)face->num_indices * face->patch_height;
    } else if (!has_indices(face) && face->num_verts >= 3) {
        room.indices = 3 * ((uint64_t)face->num_verts - 2);
    }
    return room;
}

// --- kinds --------------------------------------------------------------------------------------

static void add_indices(bspi_mesher *mesher, const bsp_face *face, uint32_t base, uint32_t count) {
    const uint32_t *index = mesher->map->draw_indices + face->first_index;
    for (uint32_t i = 0; i + 2 < face->num_indices; i += 3) {
        if (index[i] < count && index[i + 1] < count && index[i + 2] < count) {
            // the file is clockwise
            bspi_mesh_add_triangle(mesher, base + index[i], base + index[i + 2],
                                   base + index[i + 1]);
        }
    }
}

static void emit_vertices(bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    for (uint32_t v = 0; v < face->num_verts; v++) {
        bspi_drawn_vertex(mesher, number, &mesher->map->draw_verts[face->first_vert + v],
                          bspi_mesh_add_vertex(mesher));
    }
    if (has_indices(face)) {
        add_indices(mesher, face, 0, face->num_verts);
        return;
    }
    for (uint32_t v = 1; v + 1 < face->num_verts; v++) {
        bspi_mesh_add_triangle(mesher, 0, v + 1, v);
    }
}

static void emit_foliage(bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    const bsp_draw_vert *plant = mesher->map->draw_verts + face->first_vert;
    const bsp_draw_vert *places = plant + face->patch_width;
    for (uint32_t p = 0; p < face->patch_height; p++) {
        for (uint32_t v = 0; v < face->patch_width; v++) {
            bsp_mesh_vertex *out = bspi_mesh_add_vertex(mesher);
            bspi_drawn_vertex(mesher, number, &plant[v], out);
            for (int i = 0; i < 3; i++) {
                out->position[i] += places[p].point[i];
            }
            brighten(mesher->gain, places[p].color[0], out->color);
        }
        add_indices(mesher, face, p * face->patch_width, face->patch_width);
    }
}

// Computes two directions perpendicular to a normal.
static void across(const float normal[3], float u[3], float v[3]) {
    bool steep = fabsf(normal[2]) > 0.9F;
    float up[3] = {steep ? 1.0F : 0.0F, 0.0F, steep ? 0.0F : 1.0F};
    u[0] = up[1] * normal[2] - up[2] * normal[1];
    u[1] = up[2] * normal[0] - up[0] * normal[2];
    u[2] = up[0] * normal[1] - up[1] * normal[0];
    bspi_mesh_normalize(u);
    v[0] = normal[1] * u[2] - normal[2] * u[1];
    v[1] = normal[2] * u[0] - normal[0] * u[2];
    v[2] = normal[0] * u[1] - normal[1] * u[0];
}

// A flare's place, colour and normal are stored where other surfaces have their lightmap.
static void emit_flare(bspi_mesher *mesher, uint32_t number) {
    if (number >= mesher->map->num_face_lights || !(mesher->options->flare_size > 0)) {
        return;
    }
    const bsp_face_light *light = &mesher->map->face_lights[number];
    float half = mesher->options->flare_size / 2;
    float normal[3];
    float u[3];
    float v[3];
    memcpy(normal, light->vecs[2], sizeof normal);
    bspi_mesh_normalize(normal);
    across(normal, u, v);
    for (int corner = 0; corner < 4; corner++) {
        bool right = corner == 1 || corner == 2;
        bool upper = corner >= 2;
        bsp_mesh_vertex *out = bspi_mesh_add_vertex(mesher);
        for (int i = 0; i < 3; i++) {
            float colour = light->vecs[0][i];
            out->position[i] =
                light->origin[i] + (right ? half : -half) * u[i] + (upper ? half : -half) * v[i];
            out->normal[i] = normal[i];
            out->color[i] = (uint8_t)(colour > 0 ? (colour < 1 ? colour * 255 : 255) : 0);
        }
        out->uv[0] = right ? 1 : 0;
        out->uv[1] = upper ? 0 : 1;
    }
    bspi_mesh_add_triangle(mesher, 0, 1, 2);
    bspi_mesh_add_triangle(mesher, 0, 2, 3);
}

void bspi_drawn_emit(bspi_mesher *mesher, uint32_t number) {
    const bsp_face *face = &mesher->map->faces[number];
    if (mesher->shared != NULL) {
        emit_shared(mesher, number);
    } else if (face->type == BSP_FACE_BILLBOARD) {
        emit_flare(mesher, number);
    } else if (is_foliage(mesher->map, face)) {
        emit_foliage(mesher, number);
    } else {
        emit_vertices(mesher, number);
    }
}
