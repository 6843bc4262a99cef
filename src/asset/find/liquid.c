// SPDX-License-Identifier: MIT
// Fog within liquids. Sources: the view under water of the Source SDK (viewrender.cpp); "Texture"
// of the wiki of TWHL for the colours of GoldSrc's palettes; R_CheckFog of Xash3D for how thick it
// is, and that it grows as exp does.
#include "asset/find/liquid.h"

#include "asset/find/textures.h"
#include "asset/image/image.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COLOR 3
#define DENSITY 4
#define DENSITY_STEP 0.000025F // of a unit, for one of 255

static void read_palette(bsp_bytes palette, bspi_liquid_fog *out) {
    if (palette.size < 3 * (DENSITY + 1) || palette.data[3 * DENSITY] == 0) {
        return;
    }
    out->density = (float)palette.data[3 * DENSITY] * DENSITY_STEP;
    for (int i = 0; i < 3; i++) {
        out->color[i] = (float)palette.data[3 * COLOR + i] / 255;
    }
}

// The palette of the texture itself: embedded, else that of a WAD.
static bool find_palette(const bsp_textures *textures, const bsp_material *material,
                         bspi_liquid_fog *out, bsp_error *error) {
    char path[256];
    bsp_blob blob;
    bsp_error why = {0};
    if (material->name.size == 0 || material->name.data[0] != '!') {
        return true;
    }
    if (material->mips[0].size != 0) {
        read_palette(material->palette, out);
        return true;
    }
    int size = snprintf(path, sizeof path, "%.*s.mip", BSPI_TEXT(material->name));
    if (size < 0 || (size_t)size >= sizeof path ||
        !bsp_search_read(textures->search, bsp_text_of(path), &blob, &why)) {
        return !bspi_out_of_memory(&why, error);
    }
    read_palette(bspi_miptex_palette((bsp_bytes){blob.data, blob.size}), out);
    bsp_blob_free(&blob);
    return true;
}

static bool number_of(const bsp_vmt *vmt, const char *key, float *out) {
    return bsp_parse_float(bsp_vmt_get(vmt, key), out) && isfinite(*out);
}

static void read_vmt(const bsp_vmt *vmt, bspi_liquid_fog *out) {
    uint8_t color[4];
    float on, start, end;
    if (!number_of(vmt, "$fogenable", &on) || on == 0 ||
        !bspi_vmt_colour(bsp_vmt_get(vmt, "$fogcolor"), color) ||
        !number_of(vmt, "$fogstart", &start) || !number_of(vmt, "$fogend", &end) ||
        !(end > start) || !(end > 0)) {
        return;
    }
    out->start = start;
    out->end = end;
    for (int i = 0; i < 3; i++) {
        out->color[i] = (float)color[i] / 255;
    }
}

bool bspi_liquid_fog_find(const bsp_textures *textures, uint32_t material, bspi_liquid_fog *out,
                          bsp_error *error) {
    const bsp_material *from = &textures->map->materials[material];
    bsp_texture unused = {0};
    bspi_finding f = {textures, from, from->name, &unused, error, 0, 0};
    bsp_vmt *vmt = NULL;
    memset(out, 0, sizeof *out);
    if (!bspi_textures_work(textures, 1, error)) {
        return false;
    }
    switch (textures->map->traits->texture_source) {
    case BSP_TEXTURES_MIPTEX:
        return find_palette(textures, from, out, error);
    case BSP_TEXTURES_VMT:
        if (!bspi_vmt_load(&f, from->name, &vmt)) {
            return false;
        }
        if (vmt != NULL) {
            read_vmt(vmt, out);
        }
        bsp_vmt_free(vmt);
        return true;
    case BSP_TEXTURES_WAL:
    case BSP_TEXTURES_SHADER:
        break;
    }
    return true;
}
