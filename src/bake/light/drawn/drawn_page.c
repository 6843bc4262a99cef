// SPDX-License-Identifier: MIT
// Quake 3: pages of light, of the file and beside it; those of the file hide others of the same
// number. Format: sheet quake3 (3, 4).
#include "bake/light/drawn/drawn.h"

#include "bspkit/faces.h"
#include "map/pages.h"

bool bspi_drawn_find_pages(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    const bsp_external_light *external = own->options->external;
    bspi_drawn *drawn = own->drawn;
    const uint32_t side = map->traits->light_page;
    size_t bytes = bspi_page_bytes(map->traits);
    uint32_t beside = external == NULL ? 0 : external->num_pages;
    drawn->num_inside = bspi_num_pages(map);
    drawn->num_pages = beside > drawn->num_inside ? beside : drawn->num_inside;
    drawn->pages = bspi_arena_zero(&own->arena, drawn->num_pages, sizeof *drawn->pages, error);
    for (uint32_t p = 0; drawn->pages != NULL && p < drawn->num_pages; p++) {
        bspi_drawn_page *page = &drawn->pages[p];
        page->first = drawn->num_luxels;
        if (p < drawn->num_inside) {
            page->before = map->light.data + p * bytes;
            page->width = page->height = side;
        } else if (external->pages[p].rgb != NULL && external->pages[p].width <= BSPI_MAX_LUXELS &&
                   external->pages[p].height <= BSPI_MAX_LUXELS) {
            page->before = external->pages[p].rgb;
            page->width = external->pages[p].width;
            page->height = external->pages[p].height;
        }
        drawn->num_luxels += (size_t)page->width * page->height;
    }
    return drawn->pages != NULL &&
           (drawn->num_luxels != 0 ||
            bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
                     "the map has no pages of light: they are in files beside it that were not "
                     "found, or it was never lit"));
}

uint32_t bspi_drawn_page_of(const bspi_relight *own, uint32_t face) {
    const bsp_external_light *external = own->options->external;
    int32_t stated = own->map->face_lights[face].page[0];
    uint32_t material = bsp_surface_material(own->map, face);
    uint32_t page = stated < 0 ? BSP_NONE : (uint32_t)stated;
    if (stated < 0 && external != NULL && external->of_material != NULL &&
        material < external->num_materials) {
        page = external->of_material[material];
    }
    return page < own->drawn->num_pages && own->drawn->pages[page].width != 0 ? page : BSP_NONE;
}
