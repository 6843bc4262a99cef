// SPDX-License-Identifier: MIT
// Light of a Quake 3 map in files beside it: pages maps/NAME/lm_0000.tga ... by number (q3map2
// -external), and images that a shader maps to a surface by its light coordinates (q3map2's
// q3map_lightmapSize: "map maps/NAME/lm_0000.tga", "tcGen lightmap"). Assumes a loaded map.
#include "asset/find/textures.h"
#include "core/text.h"
#include "map/needs.h"
#include "map/pages.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_PAGES 4096u // by number; q3map2's own limit is 256

static const char *const endings[] = {".tga", ".jpg", ".png", NULL};

typedef struct external {
    bsp_external_light light; // the public struct first
    bspi_heap heap;
    bspi_arena arena;
} external;

typedef struct loader {
    const bsp_textures *textures;
    bsp_text map_name;
    external *own;
    bsp_light_image *pages;
    bsp_text *names; // for pages of shaders: the name of the image
    uint32_t first_named;
    uint32_t num_pages;
    uint32_t *of_material;
    bsp_error *error;
} loader;

// --- images --------------------------------------------------------------------------------------

static bool keep_rgb(loader *l, const bsp_image *image, bsp_light_image *page) {
    size_t texels = (size_t)image->width * image->height;
    uint8_t *rgb = bspi_arena_raw(&l->own->arena, texels, 3, l->error);
    for (size_t i = 0; rgb != NULL && i < texels; i++) {
        memcpy(rgb + 3 * i, image->pixels + 4 * i, 3);
    }
    page->rgb = rgb;
    page->width = image->width;
    page->height = image->height;
    return rgb != NULL;
}

// Reads an image if it exists. Returns false only without memory.
static bool load_picture(loader *l, bsp_text name, bsp_light_image *page) {
    bsp_texture texture;
    bspi_finding f = {l->textures, NULL, name, &texture, l->error, 0, 0};
    memset(&texture, 0, sizeof texture);
    bspi_try result = name.size == 0 ? BSPI_NO : bspi_try_any(&f, name, endings);
    bool done = result != BSPI_FAILED && (result == BSPI_NO || keep_rgb(l, &texture.image, page));
    bsp_texture_free(&texture);
    return done;
}

static bool keep_name(loader *l, bsp_text name, bsp_light_image *page) {
    char *copy = bspi_arena_raw(&l->own->arena, name.size + 1, 1, l->error);
    if (copy == NULL) {
        return false;
    }
    memcpy(copy, name.data, name.size);
    page->name = (bsp_text){copy, name.size};
    return true;
}

// Loads a page by its whole name, or from the map's own folder of pages.
static bool load_page(loader *l, bsp_text name, bsp_light_image *page) {
    bool done = keep_name(l, name, page) && load_picture(l, name, page);
    if (done && page->rgb == NULL) {
        done = load_picture(l, bspi_text_last_part(name), page);
    }
    l->own->light.num_found += page->rgb != NULL;
    l->own->light.num_missing += page->rgb == NULL;
    return done;
}

// --- names of pages ------------------------------------------------------------------------------

static uint32_t stored_pages(const bsp_map *map) {
    uint32_t count = bspi_num_pages(map);
    return count < MAX_PAGES ? count : MAX_PAGES;
}

// Marks the pages that faces refer to. Returns the highest plus one.
static uint32_t mark_pages(const bsp_map *map, uint32_t stored, bool wanted[MAX_PAGES]) {
    uint32_t end = 0;
    for (uint32_t f = 0; f < map->num_face_lights; f++) {
        for (int slot = 0; slot < 4; slot++) {
            int32_t page = map->face_lights[f].page[slot];
            bool used = slot == 0 || map->face_lights[f].styles[slot] != BSP_NO_STYLE;
            if (used && page >= (int32_t)stored && page < (int32_t)MAX_PAGES) {
                wanted[page] = true;
                end = (uint32_t)page >= end ? (uint32_t)page + 1 : end;
            }
        }
    }
    return end;
}

static bool load_numbered(loader *l, const bool *wanted, uint32_t stored) {
    for (uint32_t i = stored; i < l->first_named; i++) {
        char path[BSPI_NAME_ROOM];
        int size =
            snprintf(path, sizeof path, "maps/%.*s/lm_%04u", BSPI_TEXT(l->map_name), (unsigned)i);
        bool fits = size > 0 && (size_t)size < sizeof path;
        if (wanted[i] && fits && !load_page(l, bsp_text_of(path), &l->pages[i])) {
            return false;
        }
    }
    return true;
}

// Returns the name of the image that the material's shader maps by light coordinates.
static bsp_text named_picture(const loader *l, uint32_t material) {
    const bsp_shader *shader =
        bspi_shader_of(l->textures, l->textures->map->materials[material].name);
    for (uint32_t i = 0; shader != NULL && i < shader->num_stages; i++) {
        const bsp_shader_stage *stage = &shader->stages[i];
        if (stage->light_coordinates && stage->num_images != 0 &&
            bspi_shader_is_file(stage->images[0])) {
            return stage->images[0];
        }
    }
    return (bsp_text){NULL, 0};
}

static bool load_named(loader *l) {
    for (uint32_t m = 0; m < l->textures->map->num_materials; m++) {
        if (!bspi_textures_work(l->textures, 1, l->error)) {
            return false;
        }
        bsp_text name = named_picture(l, m);
        l->of_material[m] = BSP_NONE;
        if (name.size == 0) {
            continue;
        }
        uint32_t page = l->first_named;
        while (page < l->num_pages &&
               !bspi_text_equal_nocase(name, l->names[page - l->first_named])) {
            page++;
        }
        if (!bspi_heap_work(&l->own->heap, page - l->first_named, l->error)) {
            return false;
        }
        if (page == l->num_pages) {
            l->names[page - l->first_named] = name;
            l->num_pages++;
            if (!load_page(l, name, &l->pages[page])) {
                return false;
            }
        }
        l->of_material[m] = page;
    }
    return true;
}

static bool load(loader *l) {
    const bsp_map *map = l->textures->map;
    uint32_t stored = stored_pages(map);
    if (map->traits->light != BSP_LIGHT_PAGES) {
        return true;
    }
    bspi_arena *arena = &l->own->arena;
    bool *wanted = bspi_arena_zero(arena, MAX_PAGES, sizeof *wanted, l->error);
    if (wanted == NULL) {
        return false;
    }
    l->first_named = mark_pages(map, stored, wanted);
    l->num_pages = l->first_named;
    size_t room = (size_t)l->first_named + map->num_materials;
    l->pages = bspi_arena_zero(arena, room, sizeof *l->pages, l->error);
    l->names = bspi_arena_zero(arena, map->num_materials, sizeof *l->names, l->error);
    l->of_material = bspi_arena_raw(arena, map->num_materials, sizeof *l->of_material, l->error);
    if (l->pages == NULL || l->names == NULL || l->of_material == NULL ||
        !load_numbered(l, wanted, stored) || !load_named(l)) {
        return false;
    }
    l->own->light.pages = l->pages;
    l->own->light.num_pages = l->num_pages;
    l->own->light.of_material = l->of_material;
    l->own->light.num_materials = map->num_materials;
    return true;
}

bsp_external_light *bsp_external_light_load(const bsp_textures *textures, bsp_text map_name,
                                            bsp_error *error) {
    assert(textures != NULL);
    if (!bspi_map_needs(textures->map, BSP_LOAD_SURFACES | BSP_LOAD_LIGHT,
                        "light in files of its own", error)) {
        return NULL;
    }
    external *own = bspi_object_new(&textures->heap.allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    own->light.owner = own;
    bspi_heap_init_for(&own->heap, BSP_PRODUCT_TEXTURES, textures->heap.bytes,
                       textures->heap.budget, &textures->heap.allocator);
    bspi_arena_init(&own->arena, &own->heap);
    loader l = {.textures = textures, .map_name = map_name, .own = own, .error = error};
    if (!load(&l)) {
        bsp_external_light_free(&own->light);
        return NULL;
    }
    return &own->light;
}

void bsp_external_light_free(bsp_external_light *light) {
    if (light == NULL || light->owner == NULL) {
        return;
    }
    external *own = light->owner;
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
