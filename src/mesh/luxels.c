// SPDX-License-Identifier: MIT
// Finds the luxels of a face: in the light lump, its HDR counterpart, or the BSPX lumps that
// replace or refine it. Assumes a loaded map; luxels that do not all lie in the lump are dropped.
// Formats: sheets goldsrc-quake1 (5, 9), source-lumps (6).
#include "mesh/luxels.h"

#include "bspkit/mesh.h"
#include "core/reader.h"
#include "core/vector.h"
#include "formats/source_flags.h"
#include "map/unlit.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Map flags of CS:GO: the share of the sun follows the luxels of each style
// (LVLFLAGS_LIGHTMAP_ALPHA), a byte a luxel, or four (LVLFLAGS_LIGHTMAP_ALPHA_3X). Read from the
// distances of the faces' offsets in he_dustwar of the corpus (5 bytes a luxel, 17 on bumped faces;
// flags 4) and in fy_iceworld (8 bytes a luxel; flags 124).
#define LEVEL_ALPHA 4u
#define LEVEL_ALPHA_3X 8u
#define NO_STYLE16 0xFFFFu
// Luxel coordinates beyond this are damage.
#define MAX_COORDINATE 1048576.0F
#define MAX_SHIFT 16u
// E5BGR9: value = mantissa * 2^(exponent - 24); 1 is what 128 is in a byte luxel.
#define E5BGR9_BIAS 24

uint32_t bspi_luxel_bytes(bspi_luxel_format format) {
    static const uint8_t bytes[] = {1, 3, 4, 4, 2};
    return bytes[format];
}

void bsp_light_decode(const uint8_t rgbexp[4], float rgb[3]) {
    assert(rgbexp != NULL && rgb != NULL);
    bspi_rgbexp_decode(rgbexp, rgb);
}

void bspi_luxel_decode(bspi_luxel_format format, const uint8_t *p, float byte, float rgb[3]) {
    uint8_t bytes[3];
    uint32_t word;
    switch (format) {
    case BSPI_GREY8:
        rgb[0] = rgb[1] = rgb[2] = (float)p[0] * byte;
        break;
    case BSPI_RGB8:
        for (int i = 0; i < 3; i++) {
            rgb[i] = (float)p[i] * byte;
        }
        break;
    case BSPI_RGB556:
        bsp_light_rgb(BSP_LIGHT_RGB556, p, bytes);
        for (int i = 0; i < 3; i++) {
            rgb[i] = (float)bytes[i] * byte;
        }
        break;
    case BSPI_E5BGR9:
        word = bspi_load32(p, false);
        for (int i = 0; i < 3; i++) {
            float mantissa = (float)(word >> (9 * i) & 0x1FF);
            rgb[i] = mantissa * bspi_power_of_two((int)(word >> 27) - E5BGR9_BIAS) * 128 * byte;
        }
        break;
    case BSPI_RGBEXP32:
        bspi_rgbexp_decode(p, rgb);
        break;
    }
}

// --- sources ------------------------------------------------------------------------------------

static void open_lump(bspi_face_lump *lump, const bsp_file *file, const char *name) {
    uint32_t number = file == NULL ? BSP_NONE : bsp_file_find(file, bsp_text_of(name));
    if (number == BSP_NONE || !bsp_file_parts(file, number, NULL, &lump->parts, NULL)) {
        return;
    }
    if (lump->parts.count != 0 && lump->parts.parts[0].kind == BSP_PART_TABLE) {
        lump->table = bsp_parts_table(&lump->parts, 0);
    } else {
        bsp_parts_free(&lump->parts);
        memset(lump, 0, sizeof *lump);
    }
}

static void close_lump(bspi_face_lump *lump) {
    if (lump->table.layout != NULL) {
        bsp_parts_free(&lump->parts);
    }
}

bsp_bytes bspi_named_lump(const bsp_file *file, const char *name) {
    bsp_bytes bytes = {NULL, 0};
    uint32_t number = file == NULL ? BSP_NONE : bsp_file_find(file, bsp_text_of(name));
    if (number != BSP_NONE && !bsp_file_data(file, number, &bytes, NULL)) {
        memset(&bytes, 0, sizeof bytes);
    }
    return bytes;
}

// Offsets count bytes of the file's own light lump; other lumps hold the same luxels in the same
// order.
static void choose_quake(bspi_light_source *source, const bsp_file *file, bool hdr) {
    bsp_bytes rgb = bspi_named_lump(file, "bspx:RGBLIGHTING");
    bsp_bytes high = bspi_named_lump(file, "bspx:LIGHTING_E5BGR9");
    bsp_light_format own = source->map->traits->light;
    source->offset_div = bsp_light_size(own);
    const bsp_light_file *beside = file == NULL ? NULL : &bsp_file_get_info(file)->light_file;
    if (beside != NULL && beside->name != NULL) { // engines look for it first
        source->data = beside->luxels;
        source->format = beside->e5bgr9 ? BSPI_E5BGR9 : BSPI_RGB8;
    } else if (high.size != 0 && (hdr || (rgb.size == 0 && source->map->light.size == 0))) {
        source->data = high;
        source->format = BSPI_E5BGR9;
    } else if (rgb.size != 0) {
        source->data = rgb;
        source->format = BSPI_RGB8;
    } else {
        source->data = source->map->light;
        source->format = own == BSP_LIGHT_GREY8    ? BSPI_GREY8
                         : own == BSP_LIGHT_RGB556 ? BSPI_RGB556
                                                   : BSPI_RGB8;
    }
    source->offset_mul = bspi_luxel_bytes(source->format);
}

static uint32_t alpha_of(const bsp_file *file) {
    bsp_parts parts;
    bsp_table table;
    if (file == NULL || !bsp_file_table(file, BSP_ID_MAP_FLAGS, &parts, &table)) {
        return 0;
    }
    int64_t flags = table.count != 0 ? bsp_table_int(&table, 0, 0, 0) : 0;
    bsp_parts_free(&parts);
    return (flags & LEVEL_ALPHA) == 0 ? 0 : (flags & LEVEL_ALPHA_3X) != 0 ? 4 : 1;
}

static void choose_source(bspi_light_source *source, const bsp_file *file, bool hdr) {
    const bsp_map *map = source->map;
    source->alpha = alpha_of(file);
    source->format = BSPI_RGBEXP32;
    source->offset_mul = source->offset_div = 1;
    bool has_hdr = map->light_hdr.size != 0;
    if (has_hdr && (hdr || map->light.size == 0)) {
        source->data = map->light_hdr;
        if (map->num_face_lights_hdr == map->num_faces) {
            source->lights = map->face_lights_hdr;
            source->num_lights = map->num_face_lights_hdr;
        }
    }
}

void bspi_light_source_init(bspi_light_source *source, const bsp_map *map, const bsp_file *file,
                            bool hdr) {
    memset(source, 0, sizeof *source);
    source->map = map;
    source->data = map->light;
    source->lights = map->face_lights;
    source->num_lights = map->num_face_lights;
    if (map->traits->light == BSP_LIGHT_RGBEXP32) {
        choose_source(source, file, hdr);
        return;
    }
    choose_quake(source, file, hdr);
    open_lump(&source->shift, file, "bspx:LMSHIFT");
    open_lump(&source->offset, file, "bspx:LMOFFSET");
    open_lump(&source->style, file, "bspx:LMSTYLE");
    open_lump(&source->style16, file, "bspx:LMSTYLE16");
    open_lump(&source->decoupled, file, "bspx:DECOUPLED_LM");
}

void bspi_light_source_free(bspi_light_source *source) {
    close_lump(&source->shift);
    close_lump(&source->offset);
    close_lump(&source->style);
    close_lump(&source->style16);
    close_lump(&source->decoupled);
}

// --- styles -------------------------------------------------------------------------------------

static void read_styles(const bspi_light_source *source, uint32_t face, bspi_luxels *out) {
    const bsp_table *wide = &source->style16.table;
    const bsp_table *narrow = &source->style.table;
    if (face < wide->count) {
        uint32_t count = wide->layout->fields[0].count;
        for (uint32_t i = 0; i < count && i < BSPI_FACE_STYLES; i++) {
            uint32_t style = (uint32_t)bsp_table_int(wide, face, 0, i);
            if (style == NO_STYLE16) {
                return;
            }
            out->styles[out->num_styles++] = (uint16_t)style;
        }
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t style = face < narrow->count ? (uint32_t)bsp_table_int(narrow, face, 0, i)
                                              : source->lights[face].styles[i];
        if (style == BSP_NO_STYLE) {
            return;
        }
        out->styles[out->num_styles++] = (uint16_t)style;
    }
}

// --- extents ------------------------------------------------------------------------------------

// Gives the lowest and highest texel of a face along one axis, summed as the engines do (see
// map/derive.c).
static void texel_range(const bsp_map *map, const bsp_face *face, const float vec[4], float *low,
                        float *high) {
    *low = INFINITY;
    *high = -INFINITY;
    for (uint32_t e = 0; e < face->num_edges; e++) {
        const float *p = bsp_surfedge_point(map, face->first_edge + e);
        if (p != NULL) {
            float at = (float)((double)p[0] * (double)vec[0] + (double)p[1] * (double)vec[1] +
                               (double)p[2] * (double)vec[2] + (double)vec[3]);
            *low = at < *low ? at : *low;
            *high = at > *high ? at : *high;
        }
    }
}

// Computes the extents of Quake's faces, with the luxel size of LMSHIFT or the usual one.
static bool extents_of_texture(const bspi_light_source *source, uint32_t number, bspi_luxels *out) {
    const bsp_map *map = source->map;
    const bsp_face *face = &map->faces[number];
    if (face->texinfo >= map->num_texinfos || bspi_face_is_unlit(map, number)) {
        return false;
    }
    float step = (float)map->traits->luxel;
    if (number < source->shift.table.count) {
        uint32_t shift = (uint32_t)bsp_table_int(&source->shift.table, number, 0, 0);
        step = (float)(1u << (shift < MAX_SHIFT ? shift : MAX_SHIFT));
    }
    uint32_t *sizes[2] = {&out->width, &out->height};
    for (int axis = 0; axis < 2; axis++) {
        const float *vec = map->texinfos[face->texinfo].texture[axis];
        float low;
        float high;
        texel_range(map, face, vec, &low, &high);
        float first = floorf(low / step);
        float last = ceilf(high / step);
        if (!(fabsf(first) < MAX_COORDINATE && fabsf(last) < MAX_COORDINATE)) {
            return false;
        }
        *sizes[axis] = (uint32_t)(last - first) + 1;
        for (int i = 0; i < 4; i++) {
            out->vecs[axis][i] = vec[i] / step - (i == 3 ? first : 0);
        }
    }
    return true;
}

static bool extents_of_record(const bspi_light_source *source, uint32_t number, bspi_luxels *out) {
    const bsp_table *table = &source->decoupled.table;
    out->width = (uint32_t)bsp_table_int(table, number, 0, 0);
    out->height = (uint32_t)bsp_table_int(table, number, 1, 0);
    for (uint32_t i = 0; i < 8; i++) {
        out->vecs[i / 4][i % 4] = bsp_table_float(table, number, 3, i);
    }
    return true;
}

static bool extents_stored(const bspi_light_source *source, uint32_t number, bspi_luxels *out) {
    const bsp_map *map = source->map;
    const bsp_face_light *light = &source->lights[number];
    uint32_t texinfo = map->faces[number].texinfo;
    out->width = light->size[0] > 0 ? (uint32_t)light->size[0] : 0;
    out->height = light->size[1] > 0 ? (uint32_t)light->size[1] : 0;
    if (texinfo >= map->num_texinfos) {
        return false;
    }
    memcpy(out->vecs, map->texinfos[texinfo].light, sizeof out->vecs);
    out->vecs[0][3] -= (float)light->mins[0];
    out->vecs[1][3] -= (float)light->mins[1];
    out->blocks = (map->texinfos[texinfo].flags & BSPI_SURF_BUMPLIGHT) != 0 ? 4 : 1;
    out->alpha = source->alpha;
    return true;
}

static bool extents_of(const bspi_light_source *source, uint32_t face, bspi_luxels *out) {
    out->blocks = 1;
    if (face < source->decoupled.table.count) {
        return extents_of_record(source, face, out);
    }
    return source->map->traits->luxel != 0 ? extents_of_texture(source, face, out)
                                           : extents_stored(source, face, out);
}

bool bspi_luxels_place(const bspi_light_source *source, uint32_t face, bspi_luxels *out) {
    return face < source->num_lights && face < source->map->num_faces &&
           extents_of(source, face, out) && out->width != 0 && out->height != 0;
}

bool bspi_luxels_find(const bspi_luxels *luxels, const float point[3], float at[2]) {
    for (int i = 0; i < 2; i++) {
        uint32_t last = (i == 0 ? luxels->width : luxels->height) - 1;
        at[i] = bspi_dot(luxels->vecs[i], point) + luxels->vecs[i][3];
        if (!(at[i] >= 0 && at[i] <= (float)last)) {
            return false;
        }
    }
    return true;
}

void bspi_luxels_turn(bspi_luxels *luxels, uint32_t direction) {
    if (direction == 0 || direction > 3 || luxels->blocks < 4) {
        return;
    }
    size_t block = (size_t)luxels->width * luxels->height * bspi_luxel_bytes(luxels->format);
    luxels->data += block * direction;
}

bool bsp_light_is_bumped(const bsp_map *map) {
    assert(map != NULL);
    for (uint32_t i = 0; map->traits->light == BSP_LIGHT_RGBEXP32 && i < map->num_texinfos; i++) {
        if ((map->texinfos[i].flags & BSPI_SURF_BUMPLIGHT) != 0) {
            return true;
        }
    }
    return false;
}

// --- the face -----------------------------------------------------------------------------------

// Returns the byte offset in the data, or UINT64_MAX.
static uint64_t offset_of(const bspi_light_source *source, uint32_t face) {
    int64_t offset = source->lights[face].offset;
    if (face < source->decoupled.table.count) {
        offset = bsp_table_int(&source->decoupled.table, face, 2, 0);
    } else if (face < source->offset.table.count) {
        offset = bsp_table_int(&source->offset.table, face, 0, 0);
    }
    return offset < 0 || offset == BSP_NONE
               ? UINT64_MAX
               : (uint64_t)offset / source->offset_div * source->offset_mul;
}

// Returns what a face without luxels is, in a map that has some for others.
static bspi_lit without_light(const bsp_map *map, uint32_t face) {
    bool special = map->faces[face].texinfo >= map->num_texinfos || bspi_face_is_unlit(map, face) ||
                   (bsp_surface_bits_of(map, face) & (BSP_SURFACE_SKY | BSP_SURFACE_LIQUID)) != 0;
    return map->traits->dark_without_light && !special ? BSPI_BLACK : BSPI_UNLIT;
}

bspi_lit bspi_luxels_of(const bspi_light_source *source, uint32_t face, bspi_luxels *out) {
    memset(out, 0, sizeof *out);
    if (face >= source->num_lights || face >= source->map->num_faces || source->data.size == 0) {
        return BSPI_UNLIT;
    }
    uint64_t offset = offset_of(source, face);
    if (offset == UINT64_MAX) {
        return without_light(source->map, face);
    }
    read_styles(source, face, out);
    if (out->num_styles == 0) {
        return without_light(source->map, face);
    }
    if (!extents_of(source, face, out) || out->width == 0 || out->height == 0) {
        return BSPI_UNLIT;
    }
    if (out->width > BSPI_MAX_LUXELS || out->height > BSPI_MAX_LUXELS) {
        return BSPI_DROPPED;
    }
    out->format = source->format;
    uint64_t each = (uint64_t)out->blocks * bspi_luxel_bytes(out->format) + out->alpha;
    uint64_t bytes = (uint64_t)out->width * out->height * out->num_styles * each;
    bsp_bytes slice = bspi_slice(source->data, offset, bytes);
    out->data = slice.data;
    out->bytes = slice.size;
    return slice.size != 0 ? BSPI_LIT : BSPI_DROPPED;
}
