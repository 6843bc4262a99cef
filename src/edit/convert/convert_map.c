// SPDX-License-Identifier: MIT
// Converts, in a copy of the map, what branches of one family store in different forms: luxels grey
// or in colour, textures with palettes or without, light grids with an array of indices or without.
#include "edit/convert/convert.h"

#include "layout/layout.h"
#include "formats/composites.h"
#include "formats/map_members.h"

#include <stdlib.h>
#include <string.h>

bool bspi_convert_light_differs(const bspi_convert *c) {
    return c->map.traits->light != bsp_branch_traits(c->target)->light;
}

static uint8_t *room(bspi_convert *c, size_t count, size_t size) {
    return bspi_arena_zero(&c->arena, count, size, c->error);
}

// --- light --------------------------------------------------------------------------------------

// Weights of ITU-R BT.601, in 256ths.
static uint8_t grey_of(const uint8_t rgb[3]) {
    return (uint8_t)((77u * rgb[0] + 150u * rgb[1] + 29u * rgb[2] + 128u) >> 8);
}

// Colours that a compiler stored beside the grey light are used for the new light.
static const uint8_t *coloured_light(const bspi_convert *c) {
    uint32_t n = bsp_file_find(c->file, bsp_text_of("bspx:RGBLIGHTING"));
    bsp_bytes data = {NULL, 0};
    if (n == BSP_NONE || !bsp_file_data(c->file, n, &data, NULL) ||
        data.size != 3 * c->map.light.size) {
        return NULL;
    }
    return data.data;
}

// Offsets count bytes, so they follow the size of a luxel.
static bool scale_offsets(bspi_convert *c, bsp_light_format from, bsp_light_format to) {
    bsp_face_light *lights =
        (bsp_face_light *)(void *)room(c, c->map.num_face_lights, sizeof *lights);
    if (lights == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < c->map.num_face_lights; i++) {
        lights[i] = c->map.face_lights[i];
        if (lights[i].offset != BSP_NONE) {
            lights[i].offset = lights[i].offset / bsp_light_size(from) * bsp_light_size(to);
        }
    }
    c->map.face_lights = lights;
    return true;
}

// Returns all luxels with three bytes each.
static uint8_t *colour_light(bspi_convert *c, bsp_light_format from, size_t luxels) {
    const uint8_t *beside = from == BSP_LIGHT_GREY8 ? coloured_light(c) : NULL;
    uint8_t *light = room(c, luxels, 3);
    for (size_t i = 0; light != NULL && i < luxels; i++) {
        bsp_light_rgb(from, c->map.light.data + i * bsp_light_size(from), light + 3 * i);
        if (beside != NULL) {
            memcpy(light + 3 * i, beside + 3 * i, 3);
        }
    }
    return light;
}

// Returns the nearest value of `bits` bits to a byte.
static uint32_t rounded(uint8_t byte, uint32_t bits) {
    uint32_t step = 256u >> bits;
    uint32_t most = (1u << bits) - 1;
    uint32_t value = (byte + step / 2) / step;
    return value < most ? value : most;
}

// Stores a colour as the target has it. Returns true if nothing is lost.
static bool store_luxel(bsp_light_format to, const uint8_t rgb[3], uint8_t *out) {
    uint8_t back[3];
    if (to == BSP_LIGHT_GREY8) {
        *out = grey_of(rgb);
        return true; // the colours are kept beside it
    }
    if (to == BSP_LIGHT_RGB556) {
        uint32_t green = rounded(rgb[1], 5);
        out[0] = (uint8_t)(rounded(rgb[0], 5) << 3 | green >> 2);
        out[1] = (uint8_t)((green & 3) << 6 | rounded(rgb[2], 6));
    } else {
        memcpy(out, rgb, 3);
    }
    bsp_light_rgb(to, out, back);
    return memcmp(back, rgb, sizeof back) == 0;
}

static bool turn_light(bspi_convert *c, bsp_light_format from, bsp_light_format to) {
    size_t luxels = c->map.light.size / bsp_light_size(from);
    size_t size = bsp_light_size(to);
    uint8_t *colours = colour_light(c, from, luxels);
    uint8_t *light = colours == NULL ? NULL : room(c, luxels, size);
    size_t inexact = 0;
    for (size_t i = 0; light != NULL && i < luxels; i++) {
        inexact += store_luxel(to, colours + 3 * i, light + i * size) ? 0 : 1;
    }
    if (inexact != 0) {
        bspi_convert_lose(c, bsp_place_none(), "%zu luxels are rounded to 5, 5 and 6 bits",
                          inexact);
    }
    if (to == BSP_LIGHT_GREY8) {
        c->colours = (bsp_bytes){colours, 3 * luxels};
    }
    c->map.light = (bsp_bytes){light, luxels * size};
    return light != NULL && scale_offsets(c, from, to);
}

// --- textures -----------------------------------------------------------------------------------

static const uint8_t *fallback(bspi_convert *c, const bsp_material *material) {
    if (c->options->palette == NULL) {
        uint8_t *greys = room(c, BSPI_PALETTE_COLORS, 3);
        for (uint32_t i = 0; greys != NULL && i < BSPI_PALETTE_SIZE; i++) {
            greys[i] = (uint8_t)(i / 3);
        }
        bspi_convert_lose(c, bsp_place_none(),
                          "the colours of texture %.*s are in a palette that was not given",
                          (int)material->name.size, material->name.data);
        return greys;
    }
    return c->options->palette;
}

static bool add_palettes(bspi_convert *c, bsp_material *materials) {
    const uint8_t *palette = NULL;
    for (uint32_t i = 0; i < c->map.num_materials; i++) {
        if (materials[i].mips[0].size != 0) {
            palette = palette != NULL ? palette : fallback(c, &materials[i]);
            materials[i].palette = (bsp_bytes){palette, palette == NULL ? 0 : BSPI_PALETTE_SIZE};
        }
    }
    return true;
}

// Returns the last of the nearest colours. The last 32 of Quake's palette are fullbright, so they
// are not used. Index 255 is the transparent one of both.
static uint8_t nearest(const uint8_t *palette, const uint8_t rgb[3]) {
    uint32_t best = 0;
    int least = INT32_MAX;
    for (uint32_t i = 0; i < BSPI_PALETTE_COLORS - 32; i++) {
        int sum = 0;
        for (int axis = 0; axis < 3; axis++) {
            int d = palette[3 * i + (uint32_t)axis] - rgb[axis];
            sum += d * d;
        }
        if (sum < least) {
            least = sum;
            best = i;
        }
    }
    return (uint8_t)best;
}

static bool remap(bspi_convert *c, bsp_material *material) {
    uint8_t map[BSPI_PALETTE_COLORS];
    if (!bspi_heap_work(&c->heap, (uint64_t)BSPI_PALETTE_COLORS * BSPI_PALETTE_COLORS, c->error)) {
        return false;
    }
    bool clear = material->name.size != 0 && material->name.data[0] == '{';
    for (uint32_t i = 0; i < BSPI_PALETTE_COLORS; i++) {
        map[i] = nearest(c->options->palette, material->palette.data + 3 * (size_t)i);
    }
    map[BSPI_PALETTE_COLORS - 1] = clear ? BSPI_PALETTE_COLORS - 1 : map[BSPI_PALETTE_COLORS - 1];
    for (int m = 0; m < 4; m++) {
        uint8_t *pixels = room(c, material->mips[m].size, 1);
        if (pixels == NULL) {
            return false;
        }
        for (size_t i = 0; i < material->mips[m].size; i++) {
            pixels[i] = map[material->mips[m].data[i]];
        }
        material->mips[m].data = pixels;
    }
    return true;
}

static bool take_palettes(bspi_convert *c, bsp_material *materials) {
    uint32_t count = 0;
    bool done = true;
    for (uint32_t i = 0; done && i < c->map.num_materials; i++) {
        bool own = materials[i].palette.size == BSPI_PALETTE_SIZE;
        count += own ? 1 : 0;
        done = !own || c->options->palette == NULL || remap(c, &materials[i]);
    }
    if (count != 0) {
        bspi_convert_lose(c, bsp_place_none(), "%u textures lose their own palettes%s", count,
                          c->options->palette == NULL ? ", and there is none to fit them to" : "");
    }
    return done;
}

// Quake 64 scales a texture by a number in its head, which is lost.
static void lose_scales(bspi_convert *c) {
    const bsp_layout *head = bsp_branch_lump_of(c->target, BSP_ID_TEXTURES)->variants[0].layout;
    uint32_t field;
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->map.num_materials; i++) {
        count += c->map.materials[i].shift != 0 ? 1 : 0;
    }
    if (count != 0 && bspi_layout_find(head, BSPI_MEMBER_material_shift, &field) == NULL) {
        bspi_convert_lose(c, bsp_place_none(), "%u textures are no more drawn enlarged", count);
    }
}

static bool change_luxels(bspi_convert *c) {
    bsp_light_format from = c->map.traits->light;
    bsp_light_format to = bsp_branch_traits(c->target)->light;
    bsp_material *materials =
        (bsp_material *)(void *)room(c, c->map.num_materials, sizeof *materials);
    if (materials == NULL) {
        return false;
    }
    if (c->map.num_materials != 0) {
        memcpy(materials, c->map.materials, c->map.num_materials * sizeof *materials);
    }
    c->map.materials = materials;
    lose_scales(c);
    // Where light has three bytes, textures have their own palettes.
    return turn_light(c, from, to) && (to == BSP_LIGHT_RGB8     ? add_palettes(c, materials)
                                       : from == BSP_LIGHT_RGB8 ? take_palettes(c, materials)
                                                                : true);
}

// --- light grid ---------------------------------------------------------------------------------

static bool has_array(const bsp_branch *branch) {
    return bsp_branch_lump_of(branch, BSP_ID_LIGHT_ARRAY) != NULL;
}

static int by_cell(const void *a, const void *b) {
    return memcmp(a, b, sizeof(bsp_light_cell));
}

// Stores each different cell once, sorted, and for each place the number of its cell.
static bool share_cells(bspi_convert *c) {
    uint32_t count = c->map.num_light_grid;
    bsp_light_cell *cells = (bsp_light_cell *)(void *)room(c, count, sizeof *cells);
    uint16_t *array = (uint16_t *)(void *)room(c, count, sizeof *array);
    if (cells == NULL || array == NULL) {
        return false;
    }
    memcpy(cells, c->map.light_grid, count * sizeof *cells);
    qsort(cells, count, sizeof *cells, by_cell);
    uint32_t kept = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (by_cell(&cells[i], &cells[kept - 1]) != 0) {
            cells[kept++] = cells[i];
        }
    }
    if (kept > UINT16_MAX + 1u) {
        return bsp_fail(c->error, BSP_E_RANGE, NULL,
                        "the light grid has %u different cells, and branch %s counts them to %u",
                        kept, c->target->name, UINT16_MAX + 1u);
    }
    for (uint32_t i = 0; i < count; i++) {
        const bsp_light_cell *cell =
            bsearch(&c->map.light_grid[i], cells, kept, sizeof *cells, by_cell);
        array[i] = (uint16_t)(cell - cells);
    }
    c->map.light_grid = cells;
    c->map.num_light_grid = kept;
    c->map.light_array = array;
    c->map.num_light_array = count;
    return true;
}

static bool spread_cells(bspi_convert *c) {
    uint32_t count = c->map.num_light_array;
    bsp_light_cell *cells = (bsp_light_cell *)(void *)room(c, count, sizeof *cells);
    if (cells == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (c->map.light_array[i] < c->map.num_light_grid) {
            cells[i] = c->map.light_grid[c->map.light_array[i]];
        }
    }
    c->map.light_grid = cells;
    c->map.num_light_grid = count;
    return true;
}

static bool change_grid(bspi_convert *c) {
    bool before = has_array(c->info->detection.branch);
    bool after = has_array(c->target);
    if (before == after || c->map.num_light_grid == 0) {
        return true;
    }
    return after ? share_cells(c) : spread_cells(c);
}

// Restores from the records edges whose vertices are invalid (the first one is never used, and may
// hold anything); the map has none there, which does not fit most edges.
static bool name_vertices(bspi_convert *c) {
    bsp_edge *edges = (bsp_edge *)(void *)room(c, c->map.num_edges, sizeof *edges);
    for (uint32_t i = 0; edges != NULL && i < c->map.num_edges; i++) {
        for (int end = 0; end < 2; end++) {
            uint32_t vertex = c->map.edges[i].v[end];
            edges[i].v[end] = vertex == BSP_NONE ? 0 : vertex;
        }
    }
    c->map.edges = edges;
    return edges != NULL;
}

bool bspi_convert_map(bspi_convert *c) {
    return name_vertices(c) && (!bspi_convert_light_differs(c) || change_luxels(c)) &&
           (!bspi_convert_pages_differ(c) || bspi_convert_pages(c)) && change_grid(c);
}
