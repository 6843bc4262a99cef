// SPDX-License-Identifier: MIT
// Quake 3: pages out of the luxels of faces. Where several surfaces lie on a luxel it is their
// mean; luxels of no surface take what is beside them, or stay. Facts: sheet bake, 3.4.
#include "bake/light/drawn/drawn.h"
#include "bake/light/gather/ways.h"
#include "bake/light/lumps/drawn_light.h"
#include "bake/light/places/places.h"

#include "core/workers.h"

#include <math.h>
#include <string.h>

#define BESIDE 1e-3f   // weight of luxels beside a surface
#define EXPLAINED 0.25 // of the mean of the map's light that known lamps must give

// A luxel under construction.
typedef struct mixed {
    float sum[3];
    float weight;
} mixed;

// Returns the luxels of a style of a face, or NULL: it is black.
static const float (*luxels_of(const bsp_relight_face *face, uint8_t style))[3] {
    for (uint32_t s = 0; s < face->num_styles && s < BSP_RELIGHT_STYLES; s++) {
        if (face->styles[s] == style) {
            return face->luxels + (size_t)face->width * face->height * s;
        }
    }
    return NULL;
}

static void add_slot(const bspi_relight *own, uint32_t number, const bspi_drawn_slot *slot,
                     mixed *luxels) {
    const bspi_drawn *drawn = own->drawn;
    const bsp_relight_face *face = &own->faces[number];
    const float(*from)[3] = luxels_of(face, slot->style);
    const bspi_drawn_page *page = &drawn->pages[slot->page];
    for (uint32_t n = 0; n < face->width * face->height; n++) {
        uint32_t x = slot->x + n % face->width;
        uint32_t y = slot->y + n / face->width;
        mixed *out = &luxels[page->first + (size_t)y * page->width + x];
        float weight = drawn->faces[number].inside[n] != 0 ? 1 : BESIDE;
        for (int c = 0; from != NULL && c < 3; c++) {
            out->sum[c] += from[n][c] * weight;
        }
        out->weight += weight;
    }
}

// Adds from where light of the first style comes.
static void add_ways(const bspi_relight *own, uint32_t number, mixed *luxels) {
    const bspi_drawn *drawn = own->drawn;
    const bsp_relight_face *face = &own->faces[number];
    const bspi_drawn_slot *slot = &drawn->faces[number].slots[0];
    uint32_t deluxe = slot->page != BSP_NONE ? bspi_deluxe_page(drawn, slot->page) : BSP_NONE;
    const float(*ways)[3] =
        own->ways != NULL ? bspi_ways_of(&own->ways[number], slot->style) : NULL;
    for (uint32_t n = 0; deluxe != BSP_NONE && ways != NULL && n < face->width * face->height;
         n++) {
        const bspi_drawn_page *page = &drawn->pages[deluxe];
        size_t x = slot->x + n % face->width;
        size_t y = slot->y + n / face->width;
        mixed *out = &luxels[page->first + y * page->width + x];
        float weight = drawn->faces[number].inside[n] != 0 ? 1 : BESIDE;
        for (int c = 0; c < 3; c++) {
            out->sum[c] += ways[n][c] * weight;
        }
        out->weight += weight;
    }
}

static void add_face(const bspi_relight *own, uint32_t number, mixed *luxels) {
    const bspi_drawn_face *at = &own->drawn->faces[number];
    const bsp_relight_face *face = &own->faces[number];
    bool made = face->luxels != NULL && at->inside != NULL && !bspi_region_keeps(own, number);
    for (uint32_t s = 0; made && s < BSPI_DRAWN_SLOTS; s++) {
        if (at->slots[s].page != BSP_NONE) {
            add_slot(own, number, &at->slots[s], luxels);
        }
    }
    if (made) {
        add_ways(own, number, luxels);
    }
}

static void put_ways(const bspi_relight *own, const bspi_drawn_page *page, const mixed *luxels) {
    size_t end = page->first + (size_t)page->width * page->height;
    for (size_t n = page->first; n < end; n++) {
        float way[3] = {luxels[n].sum[0], luxels[n].sum[1], luxels[n].sum[2]};
        if (luxels[n].weight > 0 && bspi_drawn_touched(own->drawn, n)) {
            (void)bspi_normalize(way);
            bspi_ways_encode(own, way, own->drawn->luxels + 3 * n);
        }
    }
}

static void put_luxels(const bspi_drawn *drawn, const bspi_drawn_page *page, const mixed *luxels) {
    size_t end = page->first + (size_t)page->width * page->height;
    for (size_t n = page->first; n < end; n++) {
        float rgb[3];
        if (!(luxels[n].weight > 0) || !bspi_drawn_touched(drawn, n)) {
            continue;
        }
        for (int c = 0; c < 3; c++) {
            rgb[c] = luxels[n].sum[c] / luxels[n].weight + 1e-4f; // a mean of equals is no less
        }
        bspi_luxel_encode(BSPI_RGB8, rgb, drawn->luxels + 3 * n);
        drawn->covered[n] = luxels[n].weight >= 1 ? 1 : 0;
    }
}

// --- vertices -----------------------------------------------------------------------------------

// The colour of a vertex on a page is that of its luxel: engines without lightmaps show it.
static void color_slot(const bspi_relight *own, uint32_t number, uint32_t s) {
    const bsp_map *map = own->map;
    const bspi_drawn *drawn = own->drawn;
    const uint32_t piece = bspi_drawn_first(own, number);
    const bspi_drawn_slot *slot = &drawn->faces[piece].slots[s];
    const bsp_relight_face *light = &own->faces[piece];
    const bsp_face *face = &map->faces[number];
    const bspi_drawn_page *page = &drawn->pages[slot->page];
    const float sides[2] = {(float)page->width, (float)page->height};
    for (uint32_t n = 0; n < face->num_verts; n++) {
        uint32_t vertex = face->first_vert + n;
        uint32_t place[2];
        const uint32_t first[2] = {slot->x, slot->y};
        const uint32_t size[2] = {light->width, light->height};
        for (int i = 0; i < 2; i++) {
            float to = map->draw_verts[vertex].light_uv[s][i] * sides[i];
            float last = (float)(first[i] + size[i] - 1);
            place[i] = to > (float)first[i] ? (uint32_t)fminf(to, last) : first[i];
        }
        size_t luxel = page->first + (size_t)place[1] * page->width + place[0];
        if (!bspi_drawn_touched(drawn, luxel)) {
            continue;
        }
        memcpy(drawn->vertices[vertex][s], drawn->luxels + 3 * luxel, 3);
        drawn->lit[vertex] |= (uint8_t)(1u << s);
    }
}

static void color_vertices(const bspi_relight *own, uint32_t number) {
    const bsp_map *map = own->map;
    const uint32_t piece = bspi_drawn_first(own, number);
    const bspi_drawn_face *at = &own->drawn->faces[piece];
    const bsp_face *face = &map->faces[number];
    if (bspi_drawn_of(own, number)->keeps || at->inside == NULL ||
        own->faces[piece].luxels == NULL || bspi_region_keeps(own, number) ||
        (uint64_t)face->first_vert + face->num_verts > map->num_draw_verts) {
        return;
    }
    for (uint32_t s = 0; s < BSPI_DRAWN_SLOTS; s++) {
        if (at->slots[s].page != BSP_NONE) {
            color_slot(own, number, s);
        }
    }
}

// --- all ----------------------------------------------------------------------------------------

// Luxels that came out of parts were measured elsewhere: where they lie is found again.
static bool find_inside(void *user, uint32_t worker, uint32_t face, bsp_error *error) {
    bspi_relight *own = user;
    bspi_places places;
    (void)worker;
    if (own->faces[face].luxels == NULL || own->drawn->faces[face].inside != NULL) {
        return true;
    }
    bool done = bspi_drawn_places(own, face, own->scale.extra, &places, error);
    if (done) {
        bool same =
            places.width == own->faces[face].width && places.height == own->faces[face].height;
        bspi_places_free(own, &places);
        return same || bsp_fail(error, BSP_E_DAMAGED, NULL, "the part is of another face %u",
                                (unsigned)face);
    }
    return false;
}

bool bspi_drawn_fit(bspi_relight *own, bsp_error *error) {
    return bspi_workers_each(bspi_heap_threads(&own->heap), own->map->num_faces, find_inside, own,
                             error);
}

static void copy_pages(bspi_drawn *drawn) {
    for (uint32_t p = 0; p < drawn->num_pages; p++) {
        const bspi_drawn_page *page = &drawn->pages[p];
        size_t luxels = (size_t)page->width * page->height;
        if (luxels != 0) {
            memcpy(drawn->luxels + 3 * page->first, page->before, 3 * luxels);
        }
    }
}

bool bspi_drawn_pages(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    bspi_drawn *drawn = own->drawn;
    size_t count = drawn->num_luxels;
    drawn->luxels = bspi_arena_raw(&own->arena, count, 3, error);
    drawn->covered = bspi_arena_zero(&own->arena, count, 1, error);
    mixed *luxels = bspi_heap_alloc(&own->heap, count * sizeof *luxels, error);
    bool done = drawn->luxels != NULL && drawn->covered != NULL && luxels != NULL &&
                bspi_heap_work(&own->heap, 1 + count / 16, error);
    if (done) {
        memset(luxels, 0, count * sizeof *luxels);
        copy_pages(drawn);
        for (uint32_t i = 0; i < map->num_faces; i++) {
            add_face(own, i, luxels);
        }
        for (uint32_t p = 0; p < drawn->num_pages; p++) {
            if (bspi_deluxe_is(drawn, p)) {
                put_ways(own, &drawn->pages[p], luxels);
            } else {
                put_luxels(drawn, &drawn->pages[p], luxels);
            }
        }
        for (uint32_t i = 0; i < map->num_faces; i++) {
            color_vertices(own, i);
        }
    }
    bspi_heap_free(&own->heap, luxels, count * sizeof *luxels);
    return done;
}

bool bspi_drawn_explained(const bspi_relight *own, bsp_error *error) {
    const bspi_drawn *drawn = own->drawn;
    bsp_relight_difference d;
    bsp_text name =
        drawn->num_unknown != 0 ? own->map->materials[drawn->unknown].name : bsp_text_of("none");
    bsp_relight_compare(&own->relight, &d);
    if (own->options->force || own->options->lights != NULL ||
        d.mean >= EXPLAINED * d.stored_mean) {
        return true;
    }
    return bsp_fail(error, BSP_E_UNEXPLAINED, NULL,
                    "the lights that are known give %.0f of 255 where the map has %.0f: it names "
                    "%u lamps, and shaders of %u materials were not found (%.*s)",
                    d.mean, d.stored_mean, (unsigned)own->relight.num_lamps,
                    (unsigned)drawn->num_unknown, (int)name.size, name.data);
}
