// SPDX-License-Identifier: MIT
// What surfaces of Source mirror: how their materials do it, and which cubes. The page gets each
// cube once, as six pictures.
#include "session.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CUBES 256u // of a map; a page has that many textures at the most
#define MOST_SIDE 128u  // larger sides are halved, as bspkit render does

// --- pictures -----------------------------------------------------------------------------------

// Halves a picture: each of its texels is the mean of four.
static void halve(bsp_image *image) {
    uint32_t width = image->width / 2;
    uint32_t height = image->height / 2;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width * 4; x++) {
            size_t at = ((size_t)2 * y * image->width + 2 * (x / 4)) * 4 + x % 4;
            size_t below = at + (size_t)image->width * 4;
            const uint8_t *p = image->pixels;
            image->pixels[(size_t)y * width * 4 + x] =
                (uint8_t)((p[at] + p[at + 4] + p[below] + p[below + 4] + 2) / 4);
        }
    }
    image->width = width;
    image->height = height;
}

static bool give_cube(const bsp_textures *textures, const char *name, uint32_t number) {
    bsp_image sides[BSP_CUBE_SIDES];
    bool found = false;
    if (!bsp_textures_find_cube(textures, bsp_text_of(name), sides, &found, &bv_last_error)) {
        return false;
    }
    for (uint32_t i = 0; i < BSP_CUBE_SIDES; i++) {
        while (sides[i].pixels != NULL && sides[i].width > MOST_SIDE &&
               sides[i].height > MOST_SIDE) {
            halve(&sides[i]);
        }
        bv_give_image(5, number * BSP_CUBE_SIDES + i, &sides[i]);
        bsp_image_free(&sides[i]);
    }
    return found;
}

// Returns the number of the cube of that name, and gives it to the page once; BSP_NONE without it.
static uint32_t cube_of(bv_mirrors *m, const bsp_textures *textures, const char *name) {
    for (uint32_t i = 0; i < m->num_cubes; i++) {
        if (strcmp(m->cubes[i].name, name) == 0) {
            return m->cubes[i].found ? i : BSP_NONE;
        }
    }
    if (name[0] == '\0' || m->num_cubes == MOST_CUBES) {
        return BSP_NONE;
    }
    if (m->cubes == NULL) {
        m->cubes = calloc(MOST_CUBES, sizeof *m->cubes);
    }
    if (m->cubes == NULL) {
        return BSP_NONE;
    }
    uint32_t number = m->num_cubes++;
    size_t size = strlen(name);
    memcpy(m->cubes[number].name, name, size < BSP_CUBE_NAME ? size : BSP_CUBE_NAME - 1);
    m->cubes[number].found = give_cube(textures, name, number);
    return m->cubes[number].found ? number : BSP_NONE;
}

// --- materials ----------------------------------------------------------------------------------

static bv_mirror *room_for(bv_mirrors *m, uint32_t material) {
    if (material >= m->count) {
        uint32_t count = material + 64;
        bv_mirror *moved = realloc(m->list, count * sizeof *moved);
        if (moved == NULL) {
            return NULL;
        }
        memset(moved + m->count, 0, (count - m->count) * sizeof *moved);
        m->list = moved;
        m->count = count;
    }
    return &m->list[material];
}

bool bv_mirror_take(bv_session *s, uint32_t material, const bsp_scene_material *as) {
    bsp_reflection how;
    bool done = material < s->map->num_materials
                    ? bsp_textures_find_reflection(s->textures, material, &how, &bv_last_error)
                    : bsp_textures_find_file_reflection(s->textures, as->paths, as->num_paths, &how,
                                                        &bv_last_error);
    if (!done || !how.found) {
        return done;
    }
    bv_mirror *mirror = room_for(&s->mirrors, material);
    if (mirror == NULL) {
        bsp_reflection_free(&how);
        return false;
    }
    bool named = how.name[0] != '\0';
    uint32_t cube = named ? cube_of(&s->mirrors, s->textures, how.name) : BSP_NONE;
    *mirror = (bv_mirror){.found = !named || cube != BSP_NONE,
                          .nearest = !named,
                          .masked = how.mask.pixels != NULL,
                          .cube = cube,
                          .contrast = how.contrast,
                          .saturation = how.saturation,
                          .fresnel = how.fresnel};
    memcpy(mirror->tint, how.tint, sizeof mirror->tint);
    bv_give_image(6, material, &how.mask);
    bsp_reflection_free(&how);
    return true;
}

const bv_mirror *bv_mirror_of(const bv_session *s, uint32_t material) {
    bool known = material < s->mirrors.count && s->mirrors.list[material].found;
    return known ? &s->mirrors.list[material] : NULL;
}

uint32_t bv_mirror_cube(bv_session *s, uint32_t material, const float middle[3]) {
    const bv_mirror *mirror = bv_mirror_of(s, material);
    if (mirror == NULL || !mirror->nearest) {
        return mirror == NULL ? BSP_NONE : mirror->cube;
    }
    uint32_t number = bsp_query_cubemap(s->map, middle);
    if (number >= s->map->num_cubemaps) {
        return BSP_NONE;
    }
    bv_mirrors *m = &s->mirrors;
    if (m->near == NULL) {
        m->near = calloc(s->map->num_cubemaps, sizeof *m->near);
    }
    if (m->near == NULL) {
        return BSP_NONE;
    }
    if (!m->near[number].known) {
        char name[BSP_CUBE_NAME];
        bsp_textures_cube_name(s->textures, number, name);
        m->near[number].cube = cube_of(m, s->textures, name);
        m->near[number].known = true;
    }
    return m->near[number].cube;
}

void bv_mirrors_free(bv_mirrors *mirrors) {
    free(mirrors->list);
    free(mirrors->cubes);
    free(mirrors->near);
    *mirrors = (bv_mirrors){0};
}
