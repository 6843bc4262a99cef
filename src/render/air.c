// SPDX-License-Identifier: MIT
// Fog as tables by distance, and what is in the room of the sky or in a volume of fog. Quake 3's
// fog grows with the root of the distance: tr_image.c (R_InitFogTable, an exponent of 0.5).
#include "render/renderer.h"

#include "bspkit/query.h"
#include "scene/sky_leaves.h"

#include <math.h>
#include <string.h>

#define COVERS 2.4 // exp2: from this product on, less than a 255th is left

// --- fog ----------------------------------------------------------------------------------------

static uint8_t to_byte(double value) {
    return value > 0 ? value < 1 ? (uint8_t)(value * 255 + 0.5) : 255 : 0;
}

static void set_color(const float color[3], bspi_fog *to) {
    for (int i = 0; i < 3; i++) {
        to->color[i] = to_byte((double)color[i]);
    }
}

static void take_fog(const bsp_scene_fog *from, bspi_fog *to) {
    bool linear = from->curve == BSP_FOG_LINEAR;
    double far = linear ? (double)from->end : COVERS / (double)from->density;
    to->on = from->on && far > 0 && isfinite(far);
    if (!to->on) {
        return;
    }
    to->scale = (float)(BSPI_FOG_STEPS / far);
    to->on_sky = to_byte((double)from->on_sky);
    set_color(from->color, to);
    for (uint32_t i = 0; i < BSPI_FOG_STEPS; i++) {
        double at = (i + 0.5) * far / BSPI_FOG_STEPS;
        double thick = at * (double)from->density;
        double amount = linear
                            ? (at - (double)from->start) / ((double)from->end - (double)from->start)
                            : 1 - exp(-thick * thick);
        to->amounts[i] = to_byte(fmin(amount, (double)from->most));
    }
}

static void take_volume(const bsp_scene_fog_volume *from, bspi_volume *to) {
    to->fog.on = from->known;
    to->bounded = from->bounded;
    memcpy(to->normal, from->normal, sizeof to->normal);
    to->dist = from->dist;
    set_color(from->color, &to->fog);
    to->fog.scale = from->known ? (float)BSPI_FOG_STEPS / from->distance : 0;
    for (uint32_t i = 0; i < BSPI_FOG_STEPS; i++) {
        to->fog.amounts[i] = to_byte(sqrt((i + 0.5) / BSPI_FOG_STEPS));
    }
}

// A flare without its picture is not drawn.
static bool take_flares(bsp_renderer *renderer, const bsp_scene *scene, bsp_error *error) {
    renderer->flares =
        bspi_arena_raw(&renderer->arena, scene->num_flares, sizeof *renderer->flares, error);
    for (uint32_t i = 0; renderer->flares != NULL && i < scene->num_flares; i++) {
        const bsp_scene_flare *from = &scene->flares[i];
        if (from->material >= scene->num_materials || !scene->materials[from->material].found) {
            continue;
        }
        bspi_flare *to = &renderer->flares[renderer->num_flares++];
        memcpy(to->origin, from->origin, sizeof to->origin);
        memcpy(to->normal, from->normal, sizeof to->normal);
        memcpy(to->color, from->color, sizeof to->color);
        to->texture = from->material;
    }
    return renderer->flares != NULL;
}

bool bspi_air_build(bsp_renderer *renderer, const bsp_scene *scene, bsp_error *error) {
    take_fog(&scene->fog, &renderer->fog);
    take_fog(&scene->sky_room.fog, &renderer->room_fog);
    const bsp_scene_sky_room *room = &scene->sky_room;
    renderer->room.found = room->found;
    renderer->room.factor = room->scale > 0 ? 1 / room->scale : 0;
    memcpy(renderer->room.origin, room->origin, sizeof room->origin);
    renderer->volumes =
        bspi_arena_zero(&renderer->arena, scene->num_fog_volumes, sizeof *renderer->volumes, error);
    for (uint32_t i = 0; renderer->volumes != NULL && i < scene->num_fog_volumes; i++) {
        take_volume(&scene->fog_volumes[i], &renderer->volumes[i]);
    }
    renderer->num_volumes = scene->num_fog_volumes;
    return renderer->volumes != NULL && take_flares(renderer, scene, error);
}

uint32_t bspi_air_volume(const bsp_renderer *renderer, const float point[3]) {
    const bsp_map *map = renderer->map;
    for (uint32_t i = 0; i < renderer->num_volumes && i < map->num_fogs; i++) {
        uint32_t number = map->fogs[i].brush;
        const bsp_brush *brush = number < map->num_brushes ? &map->brushes[number] : NULL;
        bool inside = renderer->volumes[i].fog.on && (brush != NULL || number == BSP_NONE);
        for (uint32_t s = 0; inside && brush != NULL && s < brush->num_sides; s++) {
            uint32_t side = brush->first_side + s;
            uint32_t p = side < map->num_brush_sides ? map->brush_sides[side].plane : BSP_NONE;
            const bsp_plane *plane = p < map->num_planes ? &map->planes[p] : NULL;
            inside = plane == NULL || plane->normal[0] * point[0] + plane->normal[1] * point[1] +
                                              plane->normal[2] * point[2] <=
                                          plane->dist;
        }
        if (inside) {
            return i;
        }
    }
    return BSP_NONE;
}

// --- pieces -------------------------------------------------------------------------------------

// What no leaf lists is where its first corner is: in the space before it.
static bool stands_in(const bsp_renderer *renderer, const bspi_sky_leaves *room,
                      const bspi_piece *piece) {
    if (piece->num_vertices == 0) {
        return false;
    }
    const bsp_mesh_vertex *vertex = &renderer->vertices[piece->first_vertex];
    return bspi_sky_leaves_hold(room, piece->mins, piece->maxs, vertex->normal);
}

static bool find_room(bsp_renderer *renderer, bsp_error *error) {
    bspi_sky_leaves room;
    if (!renderer->room.found) {
        return true;
    }
    if (!bspi_sky_leaves_find(renderer->map, renderer->room.origin, &renderer->arena, &room,
                              error)) {
        return false;
    }
    renderer->room.found = room.found;
    uint8_t *faces = room.found ? bspi_sky_leaves_faces(&room, &renderer->arena, error) : NULL;
    for (uint32_t i = 0; faces != NULL && i < renderer->num_pieces; i++) {
        bspi_piece *piece = &renderer->pieces[i];
        piece->in_room = piece->in_leaf ? (faces[piece->face / 8] >> piece->face % 8 & 1) != 0
                                        : stands_in(renderer, &room, piece);
    }
    return faces != NULL || !renderer->room.found;
}

// Pieces of one batch in one volume have one variant.
static void set_variant(bsp_renderer *renderer, bspi_piece *piece, uint32_t volume) {
    uint32_t last = renderer->num_variants;
    const bspi_variant want = {piece->batch, volume};
    if (last == 0 || memcmp(&renderer->variants[last - 1], &want, sizeof want) != 0) {
        renderer->variants[renderer->num_variants++] = want;
    }
    piece->paint = renderer->num_batches + renderer->num_variants - 1;
}

bool bspi_air_pieces(bsp_renderer *renderer, bsp_error *error) {
    const bsp_map *map = renderer->map;
    uint32_t room = 0;
    for (uint32_t i = 0; i < renderer->num_pieces; i++) {
        uint32_t face = renderer->pieces[i].face;
        room += face < map->num_faces && map->faces[face].fog < renderer->num_volumes;
    }
    renderer->variants = bspi_arena_raw(&renderer->arena, room, sizeof *renderer->variants, error);
    if (renderer->variants == NULL) {
        return false;
    }
    for (uint32_t i = 0; room != 0 && i < renderer->num_pieces; i++) {
        bspi_piece *piece = &renderer->pieces[i];
        uint32_t fog = piece->face < map->num_faces ? map->faces[piece->face].fog : BSP_NONE;
        if (fog < renderer->num_volumes && renderer->volumes[fog].fog.on) {
            set_variant(renderer, piece, fog);
        }
    }
    return find_room(renderer, error);
}
