// SPDX-License-Identifier: MIT
// Textures of Quake 3: a shader of a script is represented by its main image; a name without a
// shader is that of an image.
#include "asset/find/textures.h"

#include "core/text.h"

#include <stdio.h>

// Surface flags of Quake 3 as the map has them, used when the scripts are missing.
#define SURF_SKY 0x4u
#define SURF_NODRAW 0x80u

static const char *const endings[] = {".tga", ".jpg", ".png", ".jpeg", NULL};

const bsp_shader *bspi_shader_of(const bsp_textures *t, bsp_text name) {
    for (const bspi_kept *kept = t->kept; kept != NULL; kept = kept->next) {
        const bsp_shader *shader =
            kept->shaders == NULL ? NULL : bsp_shaders_find(kept->shaders, name);
        if (shader != NULL) {
            return shader;
        }
    }
    return NULL;
}

bsp_text bspi_shader_script(const bsp_textures *t, const bsp_shader *shader) {
    for (const bspi_kept *kept = t->kept; kept != NULL; kept = kept->next) {
        const bsp_shaders *all = kept->shaders;
        if (all != NULL && all->count != 0 && shader >= all->list &&
            shader < all->list + all->count) {
            return kept->name;
        }
    }
    return (bsp_text){NULL, 0};
}

bool bspi_shader_is_file(bsp_text image) {
    return image.size != 0 && image.data[0] != '$' && image.data[0] != '*';
}

bool bspi_shader_is_picture(const bsp_shader_stage *stage) {
    return stage->num_images != 0 && !stage->light_coordinates &&
           bspi_shader_is_file(stage->images[0]);
}

// Returns the first stage with an image; one with environment mapping only if there is no other.
static const bsp_shader_stage *main_stage(const bsp_shader *shader) {
    const bsp_shader_stage *best = NULL;
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        const bsp_shader_stage *stage = &shader->stages[i];
        if (bspi_shader_is_picture(stage) &&
            (best == NULL || (best->environment && !stage->environment))) {
            best = stage;
        }
    }
    return best;
}

bsp_alpha bspi_shader_blend(const bsp_shader_stage *stage) {
    bool one = stage->src == BSP_BLEND_ONE || stage->src == BSP_BLEND_SRC_ALPHA;
    if (!stage->blends || (stage->src == BSP_BLEND_ONE && stage->dst == BSP_BLEND_ZERO)) {
        return BSP_ALPHA_OPAQUE;
    }
    if (one && stage->dst == BSP_BLEND_ONE) {
        return BSP_ALPHA_ADD;
    }
    if (stage->src == BSP_BLEND_DST_COLOR || stage->dst == BSP_BLEND_SRC_COLOR) {
        return BSP_ALPHA_FILTER;
    }
    return BSP_ALPHA_BLEND;
}

// Sets the transparency of the texture to that of the first stage.
static void describe_alpha(const bsp_shader *shader, bsp_texture *out) {
    const bsp_shader_stage *first = shader->num_stages == 0 ? NULL : &shader->stages[0];
    if (first == NULL) {
        return;
    }
    if (first->alpha_func != BSP_ALPHA_ALWAYS) {
        out->alpha = BSP_ALPHA_TEST;
        out->alpha_cut = first->alpha_func == BSP_ALPHA_GT0 ? 1.0F / 255 : 0.5F;
    } else {
        out->alpha = bspi_shader_blend(first);
    }
}

static void describe(const bsp_shader *shader, bsp_texture *out) {
    bool lit = shader->num_stages == 0;
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        lit = lit || shader->stages[i].light_coordinates ||
              (shader->stages[i].num_images != 0 &&
               bspi_text_is(shader->stages[i].images[0], "$lightmap"));
    }
    for (uint32_t i = 0; i < shader->num_surface_parms; i++) {
        bsp_text parm = shader->surface_parms[i];
        out->liquid = out->liquid || bspi_text_is(parm, "water") || bspi_text_is(parm, "slime") ||
                      bspi_text_is(parm, "lava");
        lit = lit && !bspi_text_is(parm, "nolightmap");
    }
    out->unlit = !lit;
    out->two_sided = shader->cull == BSP_CULL_NONE;
    out->no_draw = out->no_draw || shader->no_draw;
    out->sky = out->sky || shader->sky;
    out->fog = shader->fog && shader->num_stages == 0; // whatever picture an editor shows
    describe_alpha(shader, out);
}

static bspi_try try_sky(bspi_finding *f, const bsp_shader *shader) {
    static const char *const sides[] = {"_ft", "_up", "_rt", NULL};
    bspi_try result = BSPI_NO;
    for (size_t s = 0; result == BSPI_NO && sides[s] != NULL && shader->sky_box.size != 0; s++) {
        for (size_t i = 0; result == BSPI_NO && endings[i] != NULL; i++) {
            result = bspi_try_image(f, false, "%.*s%s%s", BSPI_TEXT(shader->sky_box), sides[s],
                                    endings[i]);
        }
    }
    return result;
}

static bool has_white(const bsp_shader *shader) {
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        if (shader->stages[i].num_images != 0) {
            return true; // $whiteimage or $lightmap: light on a plain surface
        }
    }
    return false;
}

static bspi_try try_colour(bspi_finding *f, const bsp_shader *shader) {
    uint8_t colour[4] = {255, 255, 255, 255};
    if (shader->fog) {
        for (int c = 0; c < 3; c++) {
            float value = shader->fog_color[c];
            colour[c] = value >= 1 ? 255 : value > 0 ? (uint8_t)(value * 255) : 0;
        }
        f->out->alpha = BSP_ALPHA_BLEND;
        f->out->opacity = 0.5F;
        return bspi_try_fill(f, colour, "fog colour");
    }
    return has_white(shader) ? bspi_try_fill(f, colour, "$whiteimage") : BSPI_NO;
}

static bspi_try try_shader(bspi_finding *f, const bsp_shader *shader) {
    const bsp_shader_stage *stage = main_stage(shader);
    bspi_try result = BSPI_NO;
    if (stage != NULL) {
        double rate = (double)stage->frequency;
        uint32_t frame = bspi_textures_frame(f->textures, rate, stage->num_images);
        f->out->clamp = stage->clamp;
        f->out->environment = stage->environment;
        for (int i = 0; i < 2; i++) {
            f->out->shift[i] = bspi_textures_shift(f->textures, stage->scroll[i]);
        }
        result = bspi_try_any(f, stage->images[frame], endings);
    }
    if (result == BSPI_NO && stage == NULL && shader->sky) {
        result = try_sky(f, shader);
    }
    if (result == BSPI_NO && shader->editor_image.size != 0) {
        result = bspi_try_any(f, shader->editor_image, endings);
    }
    if (result == BSPI_NO && shader->light_image.size != 0) {
        result = bspi_try_any(f, shader->light_image, endings);
    }
    if (result == BSPI_NO) {
        result = bspi_try_any(f, f->name, endings);
    }
    if (result == BSPI_NO && stage == NULL) {
        result = try_colour(f, shader);
    }
    if (result == BSPI_NO && stage != NULL && f->out->note[0] == '\0') {
        snprintf(f->out->note, sizeof f->out->note, "image %.*s of its shader was not found",
                 stage->images[0].size > 256 ? 256 : (int)stage->images[0].size,
                 stage->images[0].data);
    }
    return result;
}

bspi_try bspi_find_shader(bspi_finding *f) {
    f->out->no_draw =
        bspi_text_is(f->name, "noshader"); // compilers give it to sides without a shader
    if (f->material != NULL) {
        f->out->sky = (f->material->flags & SURF_SKY) != 0;
        f->out->no_draw = f->out->no_draw || (f->material->flags & SURF_NODRAW) != 0;
    }
    const bsp_shader *shader = bspi_shader_of(f->textures, f->name);
    if (shader == NULL) {
        return bspi_try_any(f, f->name, endings);
    }
    describe(shader, f->out);
    return try_shader(f, shader);
}
