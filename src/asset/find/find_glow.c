// SPDX-License-Identifier: MIT
// The light that materials have of their own, as a picture that is black where there is none.
#include "asset/find/textures.h"

#include "core/curves.h"
#include "core/text.h"
#include "formats/composites.h"

#include <stdio.h>

#define FIRST_BRIGHT 224u // of Quake's palette; its last colour is the hole of fences
#define HOLE 255u

// Returns true if a pixel is not black, and makes the picture opaque.
static bool shines(bsp_image *image) {
    bool any = false;
    for (size_t i = 0; i < (size_t)image->width * image->height; i++) {
        uint8_t *p = image->pixels + 4 * i;
        any = any || p[0] != 0 || p[1] != 0 || p[2] != 0;
        p[3] = 255;
    }
    return any;
}

static bspi_try keep_bright(bspi_finding *f, bspi_try result) {
    if (result == BSPI_YES && !shines(&f->out->image)) {
        bsp_image_free(&f->out->image);
        return BSPI_NO;
    }
    return result;
}

// --- Quake --------------------------------------------------------------------------------------

static bool is_bright(uint8_t index, bool fence) {
    return index >= FIRST_BRIGHT && (index != HOLE || !fence);
}

static bool has_bright(bsp_bytes texels, bool fence) {
    for (size_t i = 0; i < texels.size; i++) {
        if (is_bright(texels.data[i], fence)) {
            return true;
        }
    }
    return false;
}

bspi_try bspi_find_miptex_glow(bspi_finding *f) {
    static const uint8_t black[4] = {0, 0, 0, 255};
    const bsp_material *m = f->material;
    bsp_bytes palette = f->textures->palette;
    char first = f->name.size == 0 ? '\0' : f->name.data[0];
    bool sky = f->name.size >= 3 &&
               bspi_text_equal_nocase((bsp_text){f->name.data, 3}, bsp_text_of("sky"));
    if (m == NULL || m->palette.size != 0 || palette.size < BSPI_PALETTE_SIZE || first == '*' ||
        first == '!' || sky || m->mips[0].size == 0 ||
        m->mips[0].size != (uint64_t)m->width * m->height ||
        !has_bright(m->mips[0], first == '{')) {
        return BSPI_NO;
    }
    if (!bsp_image_fill(m->width, m->height, black, &f->textures->heap.allocator, &f->out->image,
                        f->error)) {
        return BSPI_FAILED;
    }
    for (size_t i = 0; i < m->mips[0].size; i++) {
        uint8_t index = m->mips[0].data[i];
        for (size_t c = 0; is_bright(index, first == '{') && c < 3; c++) {
            f->out->image.pixels[4 * i + c] = palette.data[3 * (size_t)index + c];
        }
    }
    f->out->width = m->width;
    f->out->height = m->height;
    snprintf(f->out->source, sizeof f->out->source, "map");
    return keep_bright(f, BSPI_YES);
}

// --- Quake 3 ------------------------------------------------------------------------------------

static bsp_text next_word(bsp_text *rest) {
    size_t start = 0;
    while (start < rest->size && rest->data[start] == ' ') {
        start++;
    }
    size_t end = start;
    while (end < rest->size && rest->data[end] != ' ') {
        end++;
    }
    bsp_text word = {rest->data + start, end - start};
    *rest = (bsp_text){rest->data + end, rest->size - end};
    return word;
}

// "wave sin BASE AMPLITUDE PHASE RATE": the brightness when the map begins. Of other waves, the
// base.
static float brightness_of(bsp_text gen) {
    float numbers[3] = {1, 0, 0};
    if (gen.size == 0 || !bspi_text_equal_nocase(next_word(&gen), bsp_text_of("wave"))) {
        return 1;
    }
    bool sine = bspi_text_equal_nocase(next_word(&gen), bsp_text_of("sin"));
    for (int i = 0; i < 3; i++) {
        (void)bsp_parse_float(next_word(&gen), &numbers[i]);
    }
    float value = numbers[0] + (sine ? numbers[1] * bspi_sine(numbers[2] * (float)BSPI_TURN) : 0);
    return value > 0 ? value < 1 ? value : 1 : 0; // also where it is no number
}

static void darken(bsp_image *image, float by) {
    for (size_t i = 0; by < 1 && i < 4 * (size_t)image->width * image->height; i++) {
        image->pixels[i] = (uint8_t)((float)image->pixels[i] * by + 0.5F);
    }
}

bspi_try bspi_find_shader_glow(bspi_finding *f) {
    static const char *const endings[] = {".tga", ".jpg", ".png", ".jpeg", NULL};
    const bsp_shader *shader = bspi_shader_of(f->textures, f->name);
    bool pictures = false; // one before it, which it is added to
    for (uint32_t i = 0; shader != NULL && i < shader->num_stages; i++) {
        const bsp_shader_stage *stage = &shader->stages[i];
        bool picture = bspi_shader_is_picture(stage) && !stage->environment;
        bool still = stage->scroll[0] == 0 && stage->scroll[1] == 0 && stage->scale[0] == 1 &&
                     stage->scale[1] == 1;
        if (pictures && picture && still && bspi_shader_blend(stage) == BSP_ALPHA_ADD) {
            uint32_t frame =
                bspi_textures_frame(f->textures, (double)stage->frequency, stage->num_images);
            f->out->alpha = BSP_ALPHA_ADD;
            f->out->clamp = stage->clamp;
            bspi_try result = bspi_try_any(f, stage->images[frame], endings);
            darken(&f->out->image, result == BSPI_YES ? brightness_of(stage->rgb_gen) : 1);
            return keep_bright(f, result);
        }
        pictures = pictures || picture;
    }
    return BSPI_NO;
}

// --- Source -------------------------------------------------------------------------------------

static bool is_set(const bsp_vmt *vmt, const char *key) {
    float value;
    return bsp_parse_float(bsp_vmt_get(vmt, key), &value) && value != 0;
}

// Multiplies by the tint, and by the texture's own alpha or by `mask`, of any size.
static void apply_mask(bsp_image *image, const bsp_image *mask, const uint8_t tint[4]) {
    for (uint32_t y = 0; y < image->height; y++) {
        for (uint32_t x = 0; x < image->width; x++) {
            uint8_t *p = image->pixels + 4 * ((size_t)y * image->width + x);
            size_t column = mask == NULL ? 0 : (size_t)x * mask->width / image->width;
            size_t row = mask == NULL ? 0 : (size_t)y * mask->height / image->height;
            const uint8_t *m =
                mask == NULL ? NULL : mask->pixels + 4 * (row * mask->width + column);
            for (int c = 0; c < 3; c++) {
                unsigned part = m == NULL ? p[3] : m[c];
                p[c] = (uint8_t)((p[c] * part * tint[c] + 32512) / 65025);
            }
        }
    }
}

// Finds the picture that masks the light, if the material names one. It has an `out` of its own.
static bspi_try find_mask(const bspi_finding *f, const bsp_vmt *vmt, bsp_texture *mask) {
    bspi_finding other = *f;
    *mask = BSPI_NEW_TEXTURE;
    other.out = mask;
    return bspi_vmt_try(&other, bsp_vmt_get(vmt, "$selfillummask"));
}

static bspi_try find_selfillum(bspi_finding *f, const bsp_vmt *vmt) {
    uint8_t tint[4] = {255, 255, 255, 255};
    bsp_texture mask;
    if (!is_set(vmt, "$selfillum")) {
        return BSPI_NO;
    }
    bspi_try result = bspi_vmt_try(f, vmt->base_texture);
    if (result != BSPI_YES) {
        return result;
    }
    bspi_try masked = find_mask(f, vmt, &mask);
    if (masked == BSPI_FAILED) {
        bsp_image_free(&f->out->image);
        return BSPI_FAILED;
    }
    (void)bspi_vmt_colour(bsp_vmt_get(vmt, "$selfillumtint"), tint);
    apply_mask(&f->out->image, masked == BSPI_YES ? &mask.image : NULL, tint);
    bsp_image_free(&mask.image);
    return keep_bright(f, BSPI_YES);
}

bspi_try bspi_find_vmt_glow(bspi_finding *f) {
    bsp_vmt *vmt;
    if (!bspi_vmt_load(f, f->name, &vmt)) {
        return BSPI_FAILED;
    }
    bspi_try result = vmt == NULL ? BSPI_NO : find_selfillum(f, vmt);
    bsp_vmt_free(vmt);
    return result;
}
