// SPDX-License-Identifier: MIT
// The vertices of an Inter-Quake model. Source: the sheet models, 8.
#include "model/quake/iqm_arrays.h"

#include "asset/image/image.h"
#include "core/reader.h"
#include "model/rows.h"

#include <string.h>

/// The types of a vertex array's elements, by its `format`.
enum { BYTE, UBYTE, SHORT, USHORT, INT, UINT, HALF, FLOAT, DOUBLE, FORMATS };
static const uint8_t format_size[FORMATS] = {1, 1, 2, 2, 4, 4, 2, 4, 8};

void bspi_iqm_find(bsp_bytes file, const bsp_table *table, uint32_t num_vertices,
                   bspi_iqm_array out[BSPI_IQM_KINDS]) {
    memset(out, 0, BSPI_IQM_KINDS * sizeof *out);
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t kind = bspi_model_u32(table, i, "type");
        uint32_t format = bspi_model_u32(table, i, "format");
        uint32_t size = bspi_model_u32(table, i, "size");
        if (kind >= BSPI_IQM_KINDS || format >= FORMATS || size == 0 || size > 4) {
            continue;
        }
        bsp_bytes bytes = bspi_slice(file, bspi_model_u32(table, i, "offset"),
                                     (uint64_t)num_vertices * size * format_size[format]);
        out[kind] = (bspi_iqm_array){bytes.data, format, size};
    }
}

// Returns element `e` of a vertex; `share`: whole numbers stand for parts of their highest.
static float element(const bspi_iqm_array *array, uint32_t vertex, uint32_t e, bool share) {
    if (array->data == NULL || e >= array->size) {
        return 0;
    }
    size_t bytes = format_size[array->format];
    const uint8_t *p = array->data + ((size_t)vertex * array->size + e) * bytes;
    switch (array->format) {
    case BYTE:
        return (float)(int8_t)p[0] / (share ? 127.0F : 1.0F);
    case UBYTE:
        return (float)p[0] / (share ? 255.0F : 1.0F);
    case SHORT:
        return (float)(int16_t)bspi_load16(p, false) / (share ? 32767.0F : 1.0F);
    case USHORT:
        return (float)bspi_load16(p, false) / (share ? 65535.0F : 1.0F);
    case INT:
        return (float)(int32_t)bspi_load32(p, false);
    case UINT:
        return (float)bspi_load32(p, false);
    case HALF:
        return bspi_half(bspi_load16(p, false));
    case FLOAT:
        return bspi_load_float(p, false);
    default: {
        uint64_t bits = (uint64_t)bspi_load32(p + 4, false) << 32 | bspi_load32(p, false);
        double value;
        memcpy(&value, &bits, sizeof value);
        return (float)value;
    }
    }
}

static uint8_t byte_of(float share) {
    return share >= 1 ? 255 : share > 0 ? (uint8_t)(share * 255 + 0.5F) : 0;
}

bool bspi_iqm_is_moved(const bspi_iqm_array arrays[BSPI_IQM_KINDS]) {
    return arrays[BSPI_IQM_BLENDINDEXES].data != NULL && arrays[BSPI_IQM_BLENDWEIGHTS].data != NULL;
}

void bspi_iqm_vertex(const bspi_iqm_array arrays[BSPI_IQM_KINDS], uint32_t number,
                     bsp_model_vertex *vertex, bsp_model_weights *weights) {
    for (uint32_t i = 0; i < 4; i++) {
        bool colored = arrays[BSPI_IQM_COLOR].data != NULL && i < arrays[BSPI_IQM_COLOR].size;
        vertex->color[0][i] =
            colored ? byte_of(element(&arrays[BSPI_IQM_COLOR], number, i, true)) : 255;
        vertex->color[1][i] = 255;
        float bone = element(&arrays[BSPI_IQM_BLENDINDEXES], number, i, false);
        weights->bone[i] = bone >= 0 && bone < 65536 ? (uint16_t)bone : 0;
        weights->weight[i] = bspi_iqm_is_moved(arrays)
                                 ? element(&arrays[BSPI_IQM_BLENDWEIGHTS], number, i, true)
                                 : 0;
    }
    for (uint32_t i = 0; i < 3; i++) {
        vertex->position[i] = element(&arrays[BSPI_IQM_POSITION], number, i, false);
        vertex->normal[i] = element(&arrays[BSPI_IQM_NORMAL], number, i, true);
        if (i < 2) {
            vertex->uv[i] = element(&arrays[BSPI_IQM_TEXCOORD], number, i, false);
        }
    }
}
