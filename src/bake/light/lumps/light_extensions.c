// SPDX-License-Identifier: MIT
// Quake and Quake 2: luxels whose number, place or styles stand in extensions of the file (LMSHIFT,
// LMOFFSET, LMSTYLE, LMSTYLE16, DECOUPLED_LM), and the luxels beside them for engines that do not
// read these. Formats: sheet goldsrc-quake1 (9).
#include "bake/light/gather/ways.h"
#include "bake/light/lumps/light_extensions.h"

#include "bspkit/faces.h"
#include "core/reader.h"
#include "core/vector.h"
#include "layout/layout.h"

#include <math.h>
#include <string.h>

#define MOST_CORNERS 256u
#define LEAST_AREA 1e-3f // square luxels of corners that say how luxels lie

// --- plain luxels -------------------------------------------------------------------------------

static const bsp_table *table_of(const bspi_relight *own, uint32_t number) {
    const bspi_light_source *source = &own->source;
    const bsp_table *const tables[BSPI_LIGHT_EXTENSIONS] = {
        &source->offset.table, &source->decoupled.table, &source->style.table,
        &source->style16.table};
    return tables[number];
}

bool bspi_light_apart(const bspi_relight *own) {
    return table_of(own, 0)->count != 0 || table_of(own, 1)->count != 0;
}

static float place_on(const float vec[4], const float point[3]) {
    return vec[0] * point[0] + vec[1] * point[1] + vec[2] * point[2] + vec[3];
}

// Sets how places among plain luxels become places among the others: both are flat in the face, so
// that three corners say it. False for a face that has no such three.
static bool compare_places(const float corners[3][2][2], float to[2][3]) {
    float u[2];
    float v[2];
    for (int i = 0; i < 2; i++) {
        u[i] = corners[1][0][i] - corners[0][0][i];
        v[i] = corners[2][0][i] - corners[0][0][i];
    }
    float area = u[0] * v[1] - u[1] * v[0];
    if (!(fabsf(area) > LEAST_AREA)) {
        return false;
    }
    for (int axis = 0; axis < 2; axis++) {
        float a = corners[1][1][axis] - corners[0][1][axis];
        float b = corners[2][1][axis] - corners[0][1][axis];
        to[axis][0] = (a * v[1] - b * u[1]) / area;
        to[axis][1] = (b * u[0] - a * v[0]) / area;
        to[axis][2] =
            corners[0][1][axis] - to[axis][0] * corners[0][0][0] - to[axis][1] * corners[0][0][1];
    }
    return true;
}

void bspi_plain_find(const bspi_relight *own, uint32_t face, bspi_plain *out) {
    bsp_surface_corner corners[MOST_CORNERS];
    bspi_light_source source = own->source;
    bspi_luxels plain = {0};
    bspi_luxels made = {0};
    memset(out, 0, sizeof *out);
    source.shift.table.count = source.decoupled.table.count = 0;
    uint32_t count = bsp_surface_corners(own->map, face, corners, MOST_CORNERS);
    if (source.lights[face].offset == BSP_NONE || count < 3 || count > MOST_CORNERS ||
        !bspi_luxels_place(&source, face, &plain) || plain.width > BSPI_MAX_LUXELS ||
        plain.height > BSPI_MAX_LUXELS || !bspi_luxels_place(&own->source, face, &made)) {
        return;
    }
    for (uint32_t i = 2; i < count && out->width == 0; i++) {
        const uint32_t three[3] = {0, i - 1, i};
        float places[3][2][2];
        for (int n = 0; n < 3; n++) {
            for (int axis = 0; axis < 2; axis++) {
                places[n][0][axis] = place_on(plain.vecs[axis], corners[three[n]].point);
                places[n][1][axis] = place_on(made.vecs[axis], corners[three[n]].point);
            }
        }
        if (compare_places((const float(*)[2][2])places, out->to)) {
            out->width = plain.width;
            out->height = plain.height;
        }
    }
}

void bspi_plain_luxel(const bspi_plain *plain, const float (*from)[3], const bsp_relight_face *face,
                      uint32_t style, uint32_t number, float out[3]) {
    const float x = (float)(number % plain->width);
    const float y = (float)(number / plain->width);
    const uint32_t size[2] = {face->width, face->height};
    size_t first = (size_t)face->width * face->height * face->directions * style;
    uint32_t low[2];
    float part[2];
    for (int i = 0; i < 2; i++) {
        float at = plain->to[i][0] * x + plain->to[i][1] * y + plain->to[i][2];
        at = at > 0 ? fminf(at, (float)(size[i] - 1)) : 0;
        low[i] = (uint32_t)at;
        part[i] = at - (float)low[i];
    }
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t corner = 0; corner < 4; corner++) {
        uint32_t at[2];
        float weight = 1;
        for (int i = 0; i < 2; i++) {
            bool next = (corner >> i & 1) != 0;
            at[i] = low[i] + (next && low[i] + 1 < size[i] ? 1 : 0);
            weight *= next ? part[i] : 1 - part[i];
        }
        const float *luxel = from[first + (size_t)at[1] * face->width + at[0]];
        for (int c = 0; c < 3; c++) {
            out[c] += weight * luxel[c];
        }
    }
}

bool bspi_plain_way(const bspi_relight *own, const bspi_plain *plain, uint32_t face, uint32_t style,
                    uint32_t number, float out[3]) {
    const bsp_relight_face *light = &own->relight.faces[face];
    const float(*ways)[3] =
        own->ways != NULL ? bspi_ways_of(&own->ways[face], light->styles[style]) : NULL;
    if (ways != NULL) {
        bspi_plain_luxel(plain, ways, light, 0, number, out);
        (void)bspi_normalize(out);
    }
    return ways != NULL;
}

// --- records ------------------------------------------------------------------------------------

const char *bspi_light_extension_name(uint32_t number) {
    static const char *const names[BSPI_LIGHT_EXTENSIONS] = {"bspx:LMOFFSET", "bspx:DECOUPLED_LM",
                                                             "bspx:LMSTYLE", "bspx:LMSTYLE16"};
    return names[number];
}

static void put_styles(const bsp_relight_face *face, const bsp_table *table, uint8_t *record,
                       bool big_endian) {
    uint32_t count = table->layout->fields[0].count;
    size_t each = table->layout->size / count;
    for (uint32_t s = 0; s < count; s++) {
        uint32_t style = s < face->num_styles && s < BSP_RELIGHT_STYLES ? face->styles[s] : 0xFFFF;
        for (size_t i = 0; i < each; i++) {
            size_t shift = 8 * (big_endian ? each - 1 - i : i);
            record[each * s + i] = (uint8_t)(style >> shift);
        }
    }
}

void bspi_light_extension_records(const bspi_relight *own, uint32_t number, const uint32_t *offsets,
                                  bool big_endian, bspi_buffer *out) {
    const bsp_table *table = table_of(own, number);
    bool places = table == &own->source.offset.table || table == &own->source.decoupled.table;
    if (table->count == 0) {
        return;
    }
    bool decoupled = table == &own->source.decoupled.table; // LMOFFSET has one field
    uint32_t field = decoupled ? bsp_layout_find_field(table->layout, bsp_text_of("offset")) : 0;
    size_t size = table->layout->size;
    uint8_t *copy = bspi_buffer_grow(out, size * table->count);
    if (copy == NULL) {
        return;
    }
    memcpy(copy, table->data, size * table->count);
    for (uint32_t f = 0; f < table->count && f < own->relight.num_faces; f++) {
        uint8_t *record = copy + size * f;
        if (places) {
            bspi_store32(record + bsp_layout_offset(table->layout, field), offsets[f], big_endian);
        } else {
            put_styles(&own->relight.faces[f], table, record, big_endian);
        }
    }
}
