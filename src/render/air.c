// SPDX-License-Identifier: MIT
// Fog as tables by distance, and what is in the room of the sky or in a volume of fog. Quake 3's
// fog grows with the root of the distance: tr_image.c (R_InitFogTable, an exponent of 0.5).
#include "render/renderer.h"

#include "bspkit/query.h"
#include "formats/quake_contents.h"
#include "scene/sky_leaves.h"

#include <math.h>
#include <string.h>

#define COVERS 2.4   // exp2: from this product on, less than a 255th is left
#define COVERS_1 6.3 // exp: the same

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
    bool squared = from->curve == BSP_FOG_EXP2;
    double far = linear ? (double)from->end : (squared ? COVERS : COVERS_1) / (double)from->density;
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
                            : 1 - exp(squared ? -thick * thick : -thick);
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

static bool take_liquids(bsp_renderer *renderer, const bsp_scene *scene, bsp_error *error) {
    uint32_t count = renderer->map->num_materials;
    uint32_t found = 0;
    for (uint32_t m = 0; m < count; m++) {
        found += scene->materials[m].liquid_fog.on;
    }
    renderer->liquids = bspi_arena_zero(&renderer->arena, found, sizeof *renderer->liquids, error);
    for (uint32_t m = 0; renderer->liquids != NULL && renderer->num_liquids < found; m++) {
        if (scene->materials[m].liquid_fog.on) {
            bspi_liquid *to = &renderer->liquids[renderer->num_liquids++];
            to->material = m;
            take_fog(&scene->materials[m].liquid_fog, &to->fog);
        }
    }
    return renderer->liquids != NULL;
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
    return renderer->volumes != NULL && take_liquids(renderer, scene, error) &&
           take_flares(renderer, scene, error);
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

// --- liquids ------------------------------------------------------------------------------------

static const bspi_fog *fog_of(const bsp_renderer *renderer, uint32_t material) {
    for (uint32_t i = 0; i < renderer->num_liquids; i++) {
        if (renderer->liquids[i].material == material && renderer->liquids[i].fog.on) {
            return &renderer->liquids[i].fog;
        }
    }
    return NULL;
}

// Where the leaf does not name its surface: the lowest one of a liquid straight above.
static uint32_t surface_above(const bsp_renderer *renderer, const float point[3]) {
    const bsp_map *map = renderer->map;
    uint32_t material = BSP_NONE;
    float lowest = INFINITY;
    for (uint32_t i = 0; i < renderer->num_pieces; i++) {
        const bspi_piece *piece = &renderer->pieces[i];
        bool over = piece->in_leaf && piece->face < map->num_faces && piece->maxs[2] >= point[2] &&
                    piece->maxs[2] < lowest;
        for (int axis = 0; over && axis < 2; axis++) {
            over = piece->mins[axis] <= point[axis] && point[axis] <= piece->maxs[axis];
        }
        if (over && (bsp_surface_bits_of(map, piece->face) & BSP_SURFACE_LIQUID) != 0) {
            lowest = piece->maxs[2];
            material = bsp_surface_material(map, piece->face);
        }
    }
    return material;
}

const bspi_fog *bspi_air_liquid(const bsp_renderer *renderer, const float point[3]) {
    const bsp_map *map = renderer->map;
    uint32_t number = renderer->num_liquids == 0 ? BSP_NONE : bsp_query_leaf(map, point);
    if (number >= map->num_leaves) {
        return NULL;
    }
    const bsp_leaf *leaf = &map->leaves[number];
    if (leaf->water < map->num_leaf_waters) {
        uint32_t texinfo = map->leaf_waters[leaf->water].texinfo;
        return texinfo < map->num_texinfos ? fog_of(renderer, map->texinfos[texinfo].material)
                                           : NULL;
    }
    bool liquid = map->traits->contents_numbers && bspi_is_liquid(leaf->contents);
    return liquid ? fog_of(renderer, surface_above(renderer, point)) : NULL;
}

// --- pieces -------------------------------------------------------------------------------------

static bool stands_in(const bsp_renderer *renderer, const bspi_sky_leaves *room,
                      const bspi_piece *piece) {
    if (piece->num_vertices == 0) {
        return false;
    }
    const bsp_mesh_vertex *vertex = &renderer->vertices[piece->first_vertex];
    return bspi_sky_leaves_hold(room, piece->in_leaf ? piece->face : BSP_NONE, piece->mins,
                                piece->maxs, vertex->normal);
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
    for (uint32_t i = 0; room.found && i < renderer->num_pieces; i++) {
        bspi_piece *piece = &renderer->pieces[i];
        piece->in_room = stands_in(renderer, &room, piece);
    }
    return true;
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
