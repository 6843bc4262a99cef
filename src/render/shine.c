// SPDX-License-Identifier: MIT
// Surfaces of Source that mirror a cubemap: which cube each batch mirrors, and its colour in a
// direction.
#include "render/renderer.h"

#include "bspkit/query.h"
#include "asset/image/cube.h"
#include "scene/textures.h"

#include <string.h>

#define MOST_SIDE 128u // larger sides are not kept

// --- cubes --------------------------------------------------------------------------------------

static bool keep_sides(bsp_renderer *renderer, bspi_cube *cube, const bsp_image *sides,
                       bsp_error *error) {
    for (uint32_t i = 0; i < BSP_CUBE_SIDES; i++) {
        bspi_mip_chain chain;
        if (!bspi_mip_chain_build(&renderer->arena, &sides[i], MOST_SIDE, &chain, error)) {
            return false;
        }
        cube->sides[i] = chain.mips[0];
    }
    return true;
}

// Finds the cube of that name, or reads it once; one that is missing stays so.
static bool find_cube(bsp_renderer *renderer, const bsp_textures *textures, bsp_text name,
                      bspi_cube **out, bsp_error *error) {
    for (bspi_cube *cube = renderer->cubes; cube != NULL; cube = cube->next) {
        if (bsp_text_equal(bsp_text_of(cube->name), name)) {
            *out = cube->found ? cube : NULL;
            return true;
        }
    }
    bspi_cube *cube = bspi_arena_zero(&renderer->arena, 1, sizeof *cube, error);
    bsp_image sides[BSP_CUBE_SIDES];
    if (cube == NULL || (cube->name = bspi_arena_text(&renderer->arena, name, error)) == NULL ||
        !bsp_textures_find_cube(textures, name, sides, &cube->found, error)) {
        return false;
    }
    cube->next = renderer->cubes;
    renderer->cubes = cube;
    bool done = !cube->found || keep_sides(renderer, cube, sides, error);
    for (uint32_t i = 0; i < BSP_CUBE_SIDES; i++) {
        bsp_image_free(&sides[i]);
    }
    *out = cube->found ? cube : NULL;
    return done;
}

// --- materials ----------------------------------------------------------------------------------

static bool keep_mask(bsp_renderer *renderer, const bsp_image *mask, bspi_shine *shine,
                      bsp_error *error) {
    if (mask->pixels == NULL) {
        return true;
    }
    bspi_texture *copy = bspi_arena_zero(&renderer->arena, 1, sizeof *copy, error);
    shine->mask = copy;
    return copy != NULL &&
           bspi_mip_chain_build(&renderer->arena, mask, BSP_IMAGE_MAX, &copy->chain, error);
}

static bool keep(bsp_renderer *renderer, const bsp_textures *textures, const bsp_reflection *from,
                 bspi_texture *out, bsp_error *error) {
    bspi_cube *cube = NULL;
    bool named = from->name[0] != '\0';
    bspi_shine *shine = bspi_arena_zero(&renderer->arena, 1, sizeof *shine, error);
    if (shine == NULL ||
        (named && !find_cube(renderer, textures, bsp_text_of(from->name), &cube, error)) ||
        !keep_mask(renderer, &from->mask, shine, error)) {
        return false;
    }
    memcpy(shine->tint, from->tint, sizeof shine->tint);
    shine->cube = cube;
    shine->contrast = from->contrast;
    shine->saturation = from->saturation;
    shine->fresnel = from->fresnel;
    out->shine = named && cube == NULL ? NULL : shine;
    return true;
}

bool bspi_shine_find(bsp_renderer *renderer, const bsp_textures *textures, uint32_t material,
                     const bsp_scene_material *as, bspi_texture *out, bsp_error *error) {
    bsp_reflection reflection;
    bool done = material < renderer->map->num_materials
                    ? bsp_textures_find_reflection(textures, material, &reflection, error)
                    : bsp_textures_find_file_reflection(textures, as->paths, as->num_paths,
                                                        &reflection, error);
    if (!done) {
        return false;
    }
    done = !reflection.found || keep(renderer, textures, &reflection, out, error);
    bsp_reflection_free(&reflection);
    return done;
}

// --- batches ------------------------------------------------------------------------------------

// The cube of the cubemap that is nearest to the middle of a piece.
static bool nearest(bsp_renderer *renderer, const bsp_textures *textures, const bspi_piece *piece,
                    bspi_cube **out, bsp_error *error) {
    const bsp_map *map = renderer->map;
    float middle[3];
    char name[BSP_CUBE_NAME];
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (piece->mins[axis] + piece->maxs[axis]) / 2;
    }
    uint32_t number = bsp_query_cubemap(map, middle);
    *out = number < map->num_cubemaps ? renderer->near[number] : NULL;
    if (number >= map->num_cubemaps || *out != NULL) {
        return true;
    }
    size_t files = 0; // each is looked at
    (void)bsp_search_list(bsp_textures_search(textures), &files);
    if (!bspi_heap_work(&renderer->heap, files, error)) {
        return false;
    }
    bsp_textures_cube_name(textures, number, name);
    bool done = name[0] == '\0' || find_cube(renderer, textures, bsp_text_of(name), out, error);
    renderer->near[number] = *out;
    return done;
}

static bool set_cube(bsp_renderer *renderer, const bsp_textures *textures, const bspi_piece *piece,
                     bsp_error *error) {
    bspi_batch *batch = &renderer->batches[piece->batch];
    const bspi_shine *shine =
        batch->decal == NULL ? renderer->textures[batch->texture].shine : NULL;
    bspi_cube *near = NULL;
    if (shine == NULL || batch->cube != NULL || batch->sky || piece->num_vertices == 0) {
        return true;
    }
    if (shine->cube == NULL &&
        (!bspi_heap_work(&renderer->heap, renderer->map->num_cubemaps, error) ||
         !nearest(renderer, textures, piece, &near, error))) {
        return false;
    }
    batch->cube = shine->cube != NULL ? shine->cube : near;
    if (batch->cube != NULL) {
        batch->shine = renderer->num_shines++;
    }
    return true;
}

bool bspi_shine_batches(bsp_renderer *renderer, const bsp_textures *textures, bsp_error *error) {
    renderer->near = bspi_arena_zero(&renderer->arena, renderer->map->num_cubemaps,
                                     sizeof *renderer->near, error);
    bool done = renderer->near != NULL;
    for (uint32_t p = 0; done && p < renderer->num_pieces; p++) {
        done = set_cube(renderer, textures, &renderer->pieces[p], error);
    }
    return done;
}

// --- colours ------------------------------------------------------------------------------------

void bspi_cube_sample(const bspi_cube *cube, const float direction[3], float out[4]) {
    float uv[2];
    uint32_t side = bspi_cube_side(direction, uv);
    bspi_mip_sample(&cube->sides[side], uv, true, out);
}
