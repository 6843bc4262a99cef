// SPDX-License-Identifier: MIT
// glTF's binary part. Arrays hold the parts one after the other, so that an accessor is an offset;
// all begin at multiples of 4 (glTF 2.0, 3.6.2.4).
#include "export/layout.h"

#include "export/space.h"

#include <math.h>

// 65535 restarts a primitive, so it is not a vertex.
#define MOST_SHORT 65535u
#define BYTES_A_STEP 4u // written bytes per step

const uint32_t bspi_array_stride[BSPI_ARRAYS] = {12, 12, 8, 8, 8, 8, 2, 4};

static uint64_t aligned(uint64_t size) {
    return (size + 3) & ~(uint64_t)3;
}

// --- places -------------------------------------------------------------------------------------

static void measure(const bspi_content *content, const bspi_part *part, bspi_part_place *place) {
    const bsp_mesh_vertex *vertices = part->vertices + part->first_vertex;
    for (uint32_t v = 0; v < part->num_vertices; v++) {
        float p[3];
        bspi_point_to_file(vertices[v].position, content->scale, p);
        for (int i = 0; i < 3; i++) {
            place->mins[i] = v == 0 || p[i] < place->mins[i] ? p[i] : place->mins[i];
            place->maxs[i] = v == 0 || p[i] > place->maxs[i] ? p[i] : place->maxs[i];
        }
    }
}

static bool has_array(const bspi_content *content, const bspi_part *part, bspi_array array) {
    if (part->bare && (array == BSPI_NORMALS || array == BSPI_UVS)) {
        return false;
    }
    switch (array) {
    case BSPI_LIGHT_UVS:
        return content->options->light == BSP_EXPORT_LIGHT_UV && part->light_page != BSP_NONE;
    case BSPI_COLORS:
        return part->colored || part->mixed;
    case BSPI_BLENDS:
        return part->layered;
    case BSPI_SHORTS:
        return part->num_vertices <= MOST_SHORT;
    case BSPI_LONGS:
        return part->num_vertices > MOST_SHORT;
    case BSPI_POSITIONS:
    case BSPI_NORMALS:
    case BSPI_UVS:
    case BSPI_ARRAYS:
        break;
    }
    return true;
}

bool bspi_layout_owns(const bspi_layout *layout, uint32_t part, bspi_array array) {
    return layout->parts[part].offset[array] != UINT64_MAX &&
           (array == BSPI_COLORS || layout->content->parts[part].shares == part);
}

static void place_part(bspi_layout *layout, uint32_t n) {
    const bspi_part *part = &layout->content->parts[n];
    bspi_part_place *place = &layout->parts[n];
    if (part->shares != n) {
        *place = layout->parts[part->shares];
    }
    for (int a = 0; a < BSPI_ARRAYS; a++) {
        uint64_t count = a >= BSPI_SHORTS ? part->num_indices : part->num_vertices;
        if (!has_array(layout->content, part, (bspi_array)a)) {
            place->offset[a] = UINT64_MAX;
        } else if (part->shares == n || a == BSPI_COLORS) {
            place->offset[a] = layout->size[a];
            place->accessor[a] = layout->num_accessors++;
            layout->size[a] += count * bspi_array_stride[a];
        }
    }
    if (part->shares == n) {
        measure(layout->content, part, place);
    }
}

void bspi_each_image(const bspi_content *content, bspi_image_visit visit, void *user) {
    for (uint32_t i = 0; i < content->paints.num_images; i++) {
        if (content->paints.images[i].number != BSP_NONE) {
            visit(user, &content->paints.images[i].png);
        }
    }
    for (uint32_t i = 0; i < content->num_pages; i++) {
        visit(user, &content->pages[i]);
    }
}

static void add_image(void *user, const bsp_blob *png) {
    uint64_t *total = user;
    *total += aligned(png->size);
}

bool bspi_layout_build(bspi_layout *layout, bspi_content *content, bool embed, bsp_error *error) {
    *layout = (bspi_layout){.content = content, .embed = embed};
    layout->parts =
        bspi_arena_zero(&content->arena, content->num_parts, sizeof *layout->parts, error);
    if (layout->parts == NULL) {
        return false;
    }
    for (uint32_t n = 0; n < content->num_parts; n++) {
        place_part(layout, n);
    }
    for (int a = 0; a < BSPI_ARRAYS; a++) {
        layout->offset[a] = layout->total;
        layout->total += aligned(layout->size[a]);
    }
    if (embed) {
        bspi_each_image(content, add_image, &layout->total);
    }
    if (!bspi_heap_work(&content->heap, layout->total / BYTES_A_STEP, error)) {
        return false;
    }
    if (layout->total > UINT32_MAX) {
        return bsp_fail(error, BSP_E_RANGE, NULL, "%llu bytes do not fit a glTF buffer of 4 GiB",
                        (unsigned long long)layout->total);
    }
    return true;
}

// --- bytes --------------------------------------------------------------------------------------

// Converts sRGB to linear light in 16 bits, since glTF multiplies vertex colours in linear light.
// In double, so that differences between C libraries are rounded away.
static uint16_t linear16(double displayed) {
    double linear =
        displayed <= 0.04045 ? displayed / 12.92 : pow((displayed + 0.055) / 1.055, 2.4);
    return linear < 1 ? (uint16_t)(linear * 65535 + 0.5) : 65535;
}

static void write_color(const bspi_content *content, const bspi_part *part, uint32_t vertex,
                        bspi_out *out) {
    float rgb[3] = {1, 1, 1};
    uint8_t alpha = part->mixed ? part->vertices[vertex].color[3] : 255;
    if (part->colored) {
        bspi_content_color(content, part, vertex, rgb);
    }
    for (int i = 0; i < 3; i++) {
        bspi_out_u16(out, linear16((double)rgb[i]));
    }
    bspi_out_u16(out, (uint16_t)(alpha * 257u));
}

static void write_blend(const bspi_content *content, const bspi_part *part, uint32_t vertex,
                        bspi_out *out) {
    uint32_t material = content->finishes[part->finish].material;
    const bspi_layer *layers = content->paints.list[material].layers;
    const uint8_t *blend = content->mesh->blends[vertex];
    for (uint32_t i = 0; i < BSPI_LAYERS; i++) {
        bool any = blend[0] != 0 && layers[i].image != BSP_NONE;
        uint8_t share = any ? bspi_layer_share(blend[2 + i], layers[i].blend) : 0;
        bspi_out_u16(out, (uint16_t)(share * 257u));
    }
    bspi_out_u16(out, 0);
    bspi_out_u16(out, UINT16_MAX);
}

static void write_vertex(const bspi_content *content, const bspi_part *part, uint32_t n,
                         bspi_array array, bspi_out *out) {
    const bsp_mesh_vertex *vertex = &part->vertices[n];
    float v[3];
    switch (array) {
    case BSPI_POSITIONS:
        bspi_point_to_file(vertex->position, content->scale, v);
        bspi_out_floats(out, v, 3);
        break;
    case BSPI_NORMALS:
        bspi_normal_to_file(vertex->normal, v);
        bspi_out_floats(out, v, 3);
        break;
    case BSPI_UVS:
        bspi_content_uv(content, part, n, v);
        bspi_out_floats(out, v, 2);
        break;
    case BSPI_LIGHT_UVS:
        for (int i = 0; i < 2; i++) {
            v[i] = isfinite(vertex->light_uv[i]) ? vertex->light_uv[i] : 0;
        }
        bspi_out_floats(out, v, 2);
        break;
    case BSPI_COLORS:
        write_color(content, part, n, out);
        break;
    case BSPI_BLENDS:
        write_blend(content, part, n, out);
        break;
    case BSPI_SHORTS:
    case BSPI_LONGS:
    case BSPI_ARRAYS:
        break;
    }
}

static void write_indices(const bspi_part *part, bool wide, bspi_out *out) {
    const uint32_t *indices = part->indices + part->first_index;
    for (uint32_t i = 0; i < part->num_indices; i++) {
        uint32_t index = indices[i] - part->first_vertex;
        if (wide) {
            bspi_out_u32(out, index);
        } else {
            bspi_out_u16(out, (uint16_t)index);
        }
    }
}

static void write_array(const bspi_layout *layout, bspi_array array, bspi_out *out) {
    const bspi_content *content = layout->content;
    for (uint32_t n = 0; n < content->num_parts && !out->failed; n++) {
        const bspi_part *part = &content->parts[n];
        if (!bspi_layout_owns(layout, n, array)) {
            continue;
        }
        if (array >= BSPI_SHORTS) {
            write_indices(part, array == BSPI_LONGS, out);
            continue;
        }
        for (uint32_t v = 0; v < part->num_vertices; v++) {
            write_vertex(content, part, part->first_vertex + v, array, out);
        }
    }
    bspi_out_zeros(out, (size_t)(aligned(layout->size[array]) - layout->size[array]));
}

static void write_image(void *user, const bsp_blob *png) {
    bspi_out *out = user;
    bspi_out_bytes(out, png->data, png->size);
    bspi_out_zeros(out, (size_t)(aligned(png->size) - png->size));
}

void bspi_layout_write(const bspi_layout *layout, bspi_out *out) {
    for (int a = 0; a < BSPI_ARRAYS; a++) {
        write_array(layout, (bspi_array)a, out);
    }
    if (layout->embed) {
        bspi_each_image(layout->content, write_image, out);
    }
}
