// SPDX-License-Identifier: MIT
// What materials of Source mirror. Parameters: LightmappedGeneric and VertexLitGeneric of the SDK's
// shaders; a mask by the alpha of the texture lets through what is not opaque.
#include "asset/find/textures.h"

#include "core/text.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_TINT 16.0F

// Returns the number of a key, limited to 0 .. 1.
static float number_of(const bsp_vmt *vmt, const char *key, float otherwise) {
    float value;
    if (!bsp_parse_float(bsp_vmt_get(vmt, key), &value) || !isfinite(value)) {
        return otherwise;
    }
    return value > 0 ? value < 1 ? value : 1 : 0;
}

static bool is_set(const bsp_vmt *vmt, const char *key) {
    return number_of(vmt, key, 0) != 0;
}

// "[r g b]", "{r g b}" of 255, or one number for all.
static void set_tint(bsp_text text, float tint[3]) {
    char clean[64];
    float scale = text.size != 0 && text.data[0] == '{' ? 1.0F / 255 : 1;
    size_t size = text.size < sizeof clean ? text.size : sizeof clean - 1;
    for (size_t i = 0; i < size; i++) {
        clean[i] = text.data[i];
        clean[i] = strchr("{}[]\t", clean[i]) != NULL ? ' ' : clean[i];
    }
    bsp_text words = {clean, size};
    while (words.size != 0 && words.data[0] == ' ') {
        words = (bsp_text){words.data + 1, words.size - 1};
    }
    while (words.size != 0 && words.data[words.size - 1] == ' ') {
        words.size--;
    }
    float all[3] = {1, 1, 1};
    if (!bsp_parse_vector(words, all) && bsp_parse_float(words, &all[0])) {
        all[1] = all[2] = all[0];
    }
    for (int i = 0; i < 3; i++) {
        float value = isfinite(all[i]) ? all[i] * scale : 1;
        tint[i] = value > 0 ? value < MOST_TINT ? value : MOST_TINT : 0;
    }
}

// --- the mask -----------------------------------------------------------------------------------

/// Which channel says how much is mirrored.
typedef enum mask_kind {
    MASK_COLORS,
    MASK_ALPHA,
    MASK_REST, // what alpha leaves
} mask_kind;

static void use_mask(bsp_image *image, mask_kind kind) {
    for (size_t i = 0; i < (size_t)image->width * image->height && kind != MASK_COLORS; i++) {
        uint8_t *p = image->pixels + 4 * i;
        uint8_t part = kind == MASK_ALPHA ? p[3] : (uint8_t)(255 - p[3]);
        memset(p, part, 3);
    }
}

static bool find_mask(const bspi_finding *f, const bsp_vmt *vmt, bsp_image *mask) {
    bsp_texture texture = {.alpha_cut = 0.5F, .opacity = 1};
    bspi_finding own = *f;
    own.out = &texture;
    bsp_text name = bsp_vmt_get(vmt, "$envmapmask");
    mask_kind kind = MASK_COLORS;
    if (is_set(vmt, "$normalmapalphaenvmapmask")) {
        name = vmt->bump_map;
        kind = MASK_ALPHA;
    } else if (is_set(vmt, "$basealphaenvmapmask")) {
        name = vmt->base_texture;
        kind = MASK_REST;
    }
    bspi_try result = name.size == 0 ? BSPI_NO : bspi_vmt_try(&own, name);
    if (result == BSPI_YES) {
        use_mask(&texture.image, kind);
        *mask = texture.image;
    }
    return result != BSPI_FAILED;
}

// --- materials ----------------------------------------------------------------------------------

static bool take(const bspi_finding *f, const bsp_vmt *vmt, bsp_reflection *out) {
    static const char folder[] = "materials/";
    bsp_text name = bsp_vmt_get(vmt, "$envmap");
    if (name.size == 0 || name.size >= sizeof out->name || vmt->water) {
        return true;
    }
    size_t skip = sizeof folder - 1;
    if (name.size > skip &&
        bspi_text_equal_nocase((bsp_text){name.data, skip}, bsp_text_of(folder))) {
        name = (bsp_text){name.data + skip, name.size - skip};
    }
    if (bspi_text_ends_nocase(name, ".vtf")) {
        name.size -= 4;
    }
    if (!bspi_text_equal_nocase(name, bsp_text_of("env_cubemap"))) {
        memcpy(out->name, name.data, name.size);
    }
    out->found = true;
    set_tint(bsp_vmt_get(vmt, "$envmaptint"), out->tint);
    out->contrast = number_of(vmt, "$envmapcontrast", 0);
    out->saturation = number_of(vmt, "$envmapsaturation", 1);
    out->fresnel = number_of(vmt, "$fresnelreflection", 1);
    return find_mask(f, vmt, &out->mask);
}

static bool find(bspi_finding *f, bsp_reflection *out) {
    bsp_vmt *vmt = NULL;
    if (f->name.size == 0 || f->textures->map->traits->texture_source != BSP_TEXTURES_VMT) {
        return true;
    }
    bool done = bspi_textures_work(f->textures, 1, f->error) && bspi_vmt_load(f, f->name, &vmt) &&
                (vmt == NULL || take(f, vmt, out));
    bsp_vmt_free(vmt);
    return done;
}

bool bsp_textures_find_reflection(const bsp_textures *textures, uint32_t material,
                                  bsp_reflection *out, bsp_error *error) {
    assert(textures != NULL && out != NULL);
    const bsp_map *map = textures->map;
    bsp_texture ignored = {0};
    memset(out, 0, sizeof *out);
    if (material >= map->num_materials) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "material %u, but there are %u",
                        (unsigned)material, (unsigned)map->num_materials);
    }
    bspi_finding f = {.textures = textures,
                      .name = map->materials[material].name,
                      .out = &ignored,
                      .error = error};
    return find(&f, out);
}

bool bsp_textures_find_file_reflection(const bsp_textures *textures, const bsp_text *names,
                                       uint32_t num_names, bsp_reflection *out, bsp_error *error) {
    assert(textures != NULL && out != NULL && (names != NULL || num_names == 0));
    bsp_texture ignored = {0};
    bspi_finding f = {.textures = textures, .out = &ignored, .error = error};
    bool done = true;
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; done && !out->found && i < num_names; i++) {
        f.name = names[i];
        done = find(&f, out);
    }
    return done;
}

void bsp_reflection_free(bsp_reflection *reflection) {
    if (reflection != NULL) {
        bsp_image_free(&reflection->mask);
        memset(reflection, 0, sizeof *reflection);
    }
}

// --- cubes --------------------------------------------------------------------------------------

void bsp_textures_cube_name(const bsp_textures *textures, uint32_t cubemap,
                            char out[BSP_CUBE_NAME]) {
    static const char folder[] = "materials/";
    assert(textures != NULL && out != NULL);
    const bsp_map *map = textures->map;
    const bsp_search *search = textures->search;
    char ending[64];
    out[0] = '\0';
    if (cubemap >= map->num_cubemaps) {
        return;
    }
    const int32_t *at = map->cubemaps[cubemap].origin;
    snprintf(ending, sizeof ending, "/c%d_%d_%d.vtf", (int)at[0], (int)at[1], (int)at[2]);
    for (size_t i = 0; i < search->count; i++) {
        bsp_text name = search->assets[i].name;
        size_t size = name.size;
        if (bspi_text_ends_nocase(name, ending) && size > sizeof folder + 4 &&
            size < BSP_CUBE_NAME && memcmp(name.data, folder, sizeof folder - 1) == 0) {
            size -= sizeof folder - 1 + 4;
            memcpy(out, name.data + sizeof folder - 1, size);
            out[size] = '\0';
            return;
        }
    }
}

static bool decode_sides(const bsp_textures *t, bsp_bytes bytes, bsp_image sides[BSP_CUBE_SIDES],
                         bool *found, bsp_error *error) {
    bsp_error why = {0};
    uint32_t count = 0;
    for (; count < BSP_CUBE_SIDES; count++) {
        const bsp_image_options options = {
            .face = count, .allocator = &t->heap.allocator, .budget = t->heap.budget};
        if (!bsp_image_decode(bytes, BSP_IMAGE_VTF, &options, &sides[count], &why)) {
            break;
        }
    }
    *found = count == BSP_CUBE_SIDES;
    for (uint32_t i = 0; !*found && i < count; i++) {
        bsp_image_free(&sides[i]);
    }
    return *found || !bspi_out_of_memory(&why, error);
}

bool bsp_textures_find_cube(const bsp_textures *textures, bsp_text name,
                            bsp_image sides[BSP_CUBE_SIDES], bool *found, bsp_error *error) {
    assert(textures != NULL && sides != NULL && found != NULL);
    char path[BSPI_NAME_ROOM];
    bsp_error why = {0};
    bsp_blob blob;
    bsp_vtf vtf;
    *found = false;
    memset(sides, 0, BSP_CUBE_SIDES * sizeof *sides);
    int size = snprintf(path, sizeof path, "materials/%.*s.vtf", BSPI_TEXT(name));
    if (size < 0 || (size_t)size >= sizeof path ||
        bsp_search_find(textures->search, bsp_text_of(path)) == NULL) {
        return true;
    }
    if (!bsp_search_read(textures->search, bsp_text_of(path), &blob, &why)) {
        return !bspi_out_of_memory(&why, error);
    }
    bsp_bytes bytes = {blob.data, blob.size};
    bool done = true;
    if (bsp_vtf_read(bytes, &vtf, NULL) && vtf.faces >= BSP_CUBE_SIDES) {
        done = decode_sides(textures, bytes, sides, found, error);
    }
    bsp_blob_free(&blob);
    return done;
}
