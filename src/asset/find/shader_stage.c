// SPDX-License-Identifier: MIT
// Stages of Quake 3 shaders: their images, how they are blended, and what moves them.
#include "asset/find/shader_reader.h"

#include "core/text.h"

static void add_image(bspi_shader_reader *r, bsp_shader_stage *stage, bsp_text image) {
    if (image.size != 0 && r->num_images < BSPI_SHADER_IMAGES) {
        r->images[r->num_images++] = image;
        stage->num_images++;
    }
}

static void read_images(bspi_shader_reader *r, bsp_shader_stage *stage, const bspi_word *key) {
    bspi_word word;
    stage->frequency = bspi_shader_number(r, key);
    while (bspi_next_on_line(&r->script, &word)) {
        add_image(r, stage, word.text);
    }
}

static bool factor(bsp_text name, bsp_blend *out) {
    static const char *const names[] = {
        [BSP_BLEND_ONE] = "GL_ONE",
        [BSP_BLEND_ZERO] = "GL_ZERO",
        [BSP_BLEND_SRC_COLOR] = "GL_SRC_COLOR",
        [BSP_BLEND_ONE_MINUS_SRC_COLOR] = "GL_ONE_MINUS_SRC_COLOR",
        [BSP_BLEND_DST_COLOR] = "GL_DST_COLOR",
        [BSP_BLEND_ONE_MINUS_DST_COLOR] = "GL_ONE_MINUS_DST_COLOR",
        [BSP_BLEND_SRC_ALPHA] = "GL_SRC_ALPHA",
        [BSP_BLEND_ONE_MINUS_SRC_ALPHA] = "GL_ONE_MINUS_SRC_ALPHA",
        [BSP_BLEND_DST_ALPHA] = "GL_DST_ALPHA",
        [BSP_BLEND_ONE_MINUS_DST_ALPHA] = "GL_ONE_MINUS_DST_ALPHA",
        [BSP_BLEND_SRC_ALPHA_SATURATE] = "GL_SRC_ALPHA_SATURATE",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (bspi_text_is(name, names[i])) {
            *out = (bsp_blend)i;
            return true;
        }
    }
    return false;
}

static void read_blend(bspi_shader_reader *r, bsp_shader_stage *stage, const bspi_word *key) {
    static const struct {
        const char *name;
        bsp_blend src;
        bsp_blend dst;
    } shorts[] = {
        {"add", BSP_BLEND_ONE, BSP_BLEND_ONE},
        {"filter", BSP_BLEND_DST_COLOR, BSP_BLEND_ZERO},
        {"blend", BSP_BLEND_SRC_ALPHA, BSP_BLEND_ONE_MINUS_SRC_ALPHA},
    };
    bsp_text word = bspi_shader_argument(r, key);
    for (size_t i = 0; i < sizeof shorts / sizeof *shorts; i++) {
        if (bspi_text_is(word, shorts[i].name)) {
            stage->src = shorts[i].src;
            stage->dst = shorts[i].dst;
            stage->blends = true;
            return;
        }
    }
    bsp_blend src = BSP_BLEND_ONE;
    bsp_blend dst = BSP_BLEND_ZERO;
    if (word.size == 0 || !factor(word, &src) || !factor(bspi_shader_argument(r, key), &dst)) {
        bspi_shader_complain(r, key, "no known blend");
        return;
    }
    stage->src = src;
    stage->dst = dst;
    stage->blends = true;
}

static void read_alpha_func(bspi_shader_reader *r, bsp_shader_stage *stage, const bspi_word *key) {
    bsp_text word = bspi_shader_argument(r, key);
    if (bspi_text_is(word, "GT0")) {
        stage->alpha_func = BSP_ALPHA_GT0;
    } else if (bspi_text_is(word, "LT128")) {
        stage->alpha_func = BSP_ALPHA_LT128;
    } else if (bspi_text_is(word, "GE128")) {
        stage->alpha_func = BSP_ALPHA_GE128;
    } else {
        bspi_shader_complain(r, key, "no known alpha function");
    }
}

// Reads ET's "implicit" keywords, which use the image with the shader's own name.
static void read_implicit(bspi_shader_reader *r, bsp_shader_stage *stage, const bspi_word *key) {
    bsp_text image = bspi_shader_argument(r, key);
    add_image(r, stage, bspi_text_is(image, "-") ? r->shader.name : image);
    if (bspi_text_is(key->text, "implicitMask")) {
        stage->alpha_func = BSP_ALPHA_GE128;
    } else if (bspi_text_is(key->text, "implicitBlend")) {
        stage->src = BSP_BLEND_SRC_ALPHA;
        stage->dst = BSP_BLEND_ONE_MINUS_SRC_ALPHA;
        stage->blends = true;
    }
}

static void read_change(bspi_shader_reader *r, bsp_shader_stage *stage, const bspi_word *key) {
    bsp_text what = bspi_shader_argument(r, key);
    if (bspi_text_is(what, "scale")) {
        stage->scale[0] *= bspi_shader_number(r, key);
        stage->scale[1] *= bspi_shader_number(r, key);
    } else if (bspi_text_is(what, "scroll")) {
        stage->scroll[0] += bspi_shader_number(r, key);
        stage->scroll[1] += bspi_shader_number(r, key);
    }
}

static void read_stage_key(bspi_shader_reader *r, bsp_shader_stage *stage, const bspi_word *key) {
    bool anim = bspi_text_is(key->text, "animMap") || bspi_text_is(key->text, "animClampMap");
    bool clamped = bspi_text_is(key->text, "clampMap") || bspi_text_is(key->text, "animClampMap");
    if (bspi_text_is(key->text, "map") || bspi_text_is(key->text, "clampMap") ||
        bspi_text_is(key->text, "diffuseMap") || bspi_text_is(key->text, "material")) {
        add_image(r, stage, bspi_shader_argument(r, key));
    } else if (anim) {
        read_images(r, stage, key);
    } else if (key->text.size >= 8 && bspi_text_is((bsp_text){key->text.data, 8}, "implicit")) {
        read_implicit(r, stage, key);
    } else if (bspi_text_is(key->text, "blendFunc")) {
        read_blend(r, stage, key);
    } else if (bspi_text_is(key->text, "alphaFunc")) {
        read_alpha_func(r, stage, key);
    } else if (bspi_text_is(key->text, "depthWrite")) {
        stage->depth_write = true;
    } else if (bspi_text_is(key->text, "rgbGen")) {
        stage->rgb_gen = bspi_rest_of_line(&r->script);
    } else if (bspi_text_is(key->text, "alphaGen")) {
        stage->alpha_gen = bspi_rest_of_line(&r->script);
    } else if (bspi_text_is(key->text, "tcGen") || bspi_text_is(key->text, "texGen")) {
        bsp_text how = bspi_shader_argument(r, key);
        stage->environment = bspi_text_is(how, "environment");
        stage->light_coordinates = bspi_text_is(how, "lightmap");
    }
    if (bspi_text_is(key->text, "tcMod")) {
        read_change(r, stage, key);
    }
    stage->clamp = stage->clamp || clamped;
    (void)bspi_rest_of_line(&r->script);
}

bool bspi_shader_stage_read(bspi_shader_reader *r, const bspi_word *brace) {
    bsp_shader_stage extra;
    bool fits = r->shader.num_stages < BSPI_SHADER_STAGES;
    bsp_shader_stage *stage = fits ? &r->stages[r->shader.num_stages] : &extra;
    *stage = (bsp_shader_stage){.src = BSP_BLEND_ONE, .dst = BSP_BLEND_ZERO, .scale = {1, 1}};
    if (fits) {
        r->first_image[r->shader.num_stages++] = r->num_images;
    } else {
        bspi_shader_complain(r, brace, "too many stages");
    }
    bspi_word word;
    while (bspi_next_word(&r->script, &word)) {
        if (bspi_is_brace(&word, '}')) {
            return true;
        }
        if (bspi_is_brace(&word, '{')) {
            bspi_shader_complain(r, &word, "a block inside a stage");
            continue;
        }
        read_stage_key(r, stage, &word);
    }
    bspi_shader_complain(r, brace, "a stage is not closed");
    return false;
}
