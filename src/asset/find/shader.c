// SPDX-License-Identifier: MIT
// Quake 3 shader scripts: a name and a block of keywords, one per line, with blocks of stages
// inside. Keywords that do not change the look of a surface are skipped. Format: sheet quake3,
// section 8, and the shader manual of Q3Radiant.
#include "asset/find/script.h"

#include "core/options.h"
#include "core/text.h"

#include <assert.h>
#include <string.h>

// Above the limits of all engines (ET: 16 stages, 16 frames).
#define MAX_STAGES 32u
#define MAX_IMAGES 256u
#define MAX_PARMS 64u
#define MAX_SUNS 8u

typedef struct owner {
    bsp_shaders public;
    bspi_heap heap;
    bspi_arena arena;
    bsp_shader *list;
    size_t count;
    size_t room;
} owner;

// A shader being read; it is copied when it is complete.
typedef struct parser {
    bspi_script script;
    owner *to;
    bsp_error *error;
    bsp_shader shader;
    bsp_shader_stage stages[MAX_STAGES];
    uint32_t first_image[MAX_STAGES];
    bsp_text images[MAX_IMAGES];
    uint32_t num_images;
    bsp_text parms[MAX_PARMS];
    bsp_shader_sun suns[MAX_SUNS];
} parser;

static bool word_is(const bspi_word *word, const char *text) {
    return bspi_text_is(word->text, text);
}

static void complain(parser *p, const bspi_word *word, const char *what) {
    bspi_script_issue(&p->script, word->line, word->offset, what, word->text);
}

// Returns the next word of the line. If there is none, reports it and returns an empty text.
static bsp_text argument(parser *p, const bspi_word *key) {
    bspi_word word;
    if (bspi_next_on_line(&p->script, &word)) {
        return word.text;
    }
    complain(p, key, "a value is missing");
    return (bsp_text){NULL, 0};
}

static float number(parser *p, const bspi_word *key) {
    float value = 0;
    bsp_text text = argument(p, key);
    if (text.size != 0 && !bsp_parse_float(text, &value)) {
        complain(p, key, "no number");
    }
    return value;
}

// --- stages -------------------------------------------------------------------------------------

static void add_image(parser *p, bsp_shader_stage *stage, bsp_text image) {
    if (image.size != 0 && p->num_images < MAX_IMAGES) {
        p->images[p->num_images++] = image;
        stage->num_images++;
    }
}

static void read_images(parser *p, bsp_shader_stage *stage, const bspi_word *key) {
    bspi_word word;
    stage->frequency = number(p, key);
    while (bspi_next_on_line(&p->script, &word)) {
        add_image(p, stage, word.text);
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

static void read_blend(parser *p, bsp_shader_stage *stage, const bspi_word *key) {
    static const struct {
        const char *name;
        bsp_blend src;
        bsp_blend dst;
    } shorts[] = {
        {"add", BSP_BLEND_ONE, BSP_BLEND_ONE},
        {"filter", BSP_BLEND_DST_COLOR, BSP_BLEND_ZERO},
        {"blend", BSP_BLEND_SRC_ALPHA, BSP_BLEND_ONE_MINUS_SRC_ALPHA},
    };
    bsp_text word = argument(p, key);
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
    if (word.size == 0 || !factor(word, &src) || !factor(argument(p, key), &dst)) {
        complain(p, key, "no known blend");
        return;
    }
    stage->src = src;
    stage->dst = dst;
    stage->blends = true;
}

static void read_alpha_func(parser *p, bsp_shader_stage *stage, const bspi_word *key) {
    bsp_text word = argument(p, key);
    if (bspi_text_is(word, "GT0")) {
        stage->alpha_func = BSP_ALPHA_GT0;
    } else if (bspi_text_is(word, "LT128")) {
        stage->alpha_func = BSP_ALPHA_LT128;
    } else if (bspi_text_is(word, "GE128")) {
        stage->alpha_func = BSP_ALPHA_GE128;
    } else {
        complain(p, key, "no known alpha function");
    }
}

// Reads ET's "implicit" keywords, which use the image with the shader's own name.
static void read_implicit(parser *p, bsp_shader_stage *stage, const bspi_word *key) {
    bsp_text image = argument(p, key);
    add_image(p, stage, bspi_text_is(image, "-") ? p->shader.name : image);
    if (word_is(key, "implicitMask")) {
        stage->alpha_func = BSP_ALPHA_GE128;
    } else if (word_is(key, "implicitBlend")) {
        stage->src = BSP_BLEND_SRC_ALPHA;
        stage->dst = BSP_BLEND_ONE_MINUS_SRC_ALPHA;
        stage->blends = true;
    }
}

static void read_change(parser *p, bsp_shader_stage *stage, const bspi_word *key) {
    bsp_text what = argument(p, key);
    if (bspi_text_is(what, "scale")) {
        stage->scale[0] *= number(p, key);
        stage->scale[1] *= number(p, key);
    } else if (bspi_text_is(what, "scroll")) {
        stage->scroll[0] += number(p, key);
        stage->scroll[1] += number(p, key);
    }
}

static void read_stage_key(parser *p, bsp_shader_stage *stage, const bspi_word *key) {
    bool anim = word_is(key, "animMap") || word_is(key, "animClampMap");
    bool clamped = word_is(key, "clampMap") || word_is(key, "animClampMap");
    if (word_is(key, "map") || word_is(key, "clampMap") || word_is(key, "diffuseMap") ||
        word_is(key, "material")) {
        add_image(p, stage, argument(p, key));
    } else if (anim) {
        read_images(p, stage, key);
    } else if (key->text.size >= 8 && bspi_text_is((bsp_text){key->text.data, 8}, "implicit")) {
        read_implicit(p, stage, key);
    } else if (word_is(key, "blendFunc")) {
        read_blend(p, stage, key);
    } else if (word_is(key, "alphaFunc")) {
        read_alpha_func(p, stage, key);
    } else if (word_is(key, "depthWrite")) {
        stage->depth_write = true;
    } else if (word_is(key, "rgbGen")) {
        stage->rgb_gen = bspi_rest_of_line(&p->script);
    } else if (word_is(key, "alphaGen")) {
        stage->alpha_gen = bspi_rest_of_line(&p->script);
    } else if (word_is(key, "tcGen") || word_is(key, "texGen")) {
        bsp_text how = argument(p, key);
        stage->environment = bspi_text_is(how, "environment");
        stage->light_coordinates = bspi_text_is(how, "lightmap");
    }
    if (word_is(key, "tcMod")) {
        read_change(p, stage, key);
    }
    stage->clamp = stage->clamp || clamped;
    (void)bspi_rest_of_line(&p->script);
}

static bool read_stage(parser *p, const bspi_word *brace) {
    bsp_shader_stage extra;
    bool fits = p->shader.num_stages < MAX_STAGES;
    bsp_shader_stage *stage = fits ? &p->stages[p->shader.num_stages] : &extra;
    *stage = (bsp_shader_stage){.src = BSP_BLEND_ONE, .dst = BSP_BLEND_ZERO, .scale = {1, 1}};
    if (fits) {
        p->first_image[p->shader.num_stages++] = p->num_images;
    } else {
        complain(p, brace, "too many stages");
    }
    bspi_word word;
    while (bspi_next_word(&p->script, &word)) {
        if (bspi_is_brace(&word, '}')) {
            return true;
        }
        if (bspi_is_brace(&word, '{')) {
            complain(p, &word, "a block inside a stage");
            continue;
        }
        read_stage_key(p, stage, &word);
    }
    complain(p, brace, "a stage is not closed");
    return false;
}

// --- shaders ------------------------------------------------------------------------------------

static void read_parm(parser *p, const bspi_word *key) {
    bsp_text parm = argument(p, key);
    if (parm.size == 0) {
        return;
    }
    if (p->shader.num_surface_parms == MAX_PARMS) {
        complain(p, key, "too many surfaceparms");
        return;
    }
    p->parms[p->shader.num_surface_parms++] = parm;
    p->shader.sky = p->shader.sky || bspi_text_is(parm, "sky");
    p->shader.no_draw = p->shader.no_draw || bspi_text_is(parm, "nodraw");
}

// Reads "sun" and its variants; q3map2's q3map_sunExt has two more numbers.
static void read_sun(parser *p, const bspi_word *key) {
    float values[8] = {0};
    int count = word_is(key, "q3map_sunExt") ? 8 : 6;
    for (int i = 0; i < count; i++) {
        values[i] = number(p, key);
    }
    if (p->shader.num_suns == MAX_SUNS) {
        complain(p, key, "too many suns");
        return;
    }
    p->suns[p->shader.num_suns++] = (bsp_shader_sun){
        {values[0], values[1], values[2]}, values[3], values[4], values[5], values[6], values[7]};
}

// Reads what a surface gives of light by itself. False for other keys.
static bool read_light(parser *p, const bspi_word *key) {
    bsp_shader *shader = &p->shader;
    if (word_is(key, "q3map_surfacelight")) {
        shader->surface_light = number(p, key);
    } else if (word_is(key, "q3map_skyLight")) {
        shader->sky_light = number(p, key);
        shader->sky_light_steps = number(p, key);
    } else if (word_is(key, "q3map_lightSubdivide")) {
        shader->light_subdivide = number(p, key);
    } else if (word_is(key, "q3map_bounceScale") || word_is(key, "q3map_bounce")) {
        shader->bounce_scale = number(p, key);
    } else if (word_is(key, "q3map_backsplash")) {
        shader->has_splash = true;
        shader->splash = number(p, key);
        shader->splash_distance = number(p, key);
    } else if (word_is(key, "q3map_lightRGB")) {
        for (int i = 0; i < 3; i++) {
            shader->light_color[i] = number(p, key);
        }
    } else {
        return false;
    }
    return true;
}

static void read_cull(parser *p, const bspi_word *key) {
    bsp_text how = argument(p, key);
    if (bspi_text_is(how, "none") || bspi_text_is(how, "disable") ||
        bspi_text_is(how, "twosided")) {
        p->shader.cull = BSP_CULL_NONE;
    } else if (bspi_text_is(how, "back") || bspi_text_is(how, "backside") ||
               bspi_text_is(how, "backsided")) {
        p->shader.cull = BSP_CULL_BACK;
    } else if (!bspi_text_is(how, "front")) {
        complain(p, key, "no known side");
    }
}

static void read_sky(parser *p, const bspi_word *key) {
    bsp_text box = argument(p, key);
    bspi_word height;
    p->shader.sky = true;
    p->shader.sky_box = bspi_text_is(box, "-") ? (bsp_text){NULL, 0} : box;
    if (bspi_next_on_line(&p->script, &height)) {
        float value = 0;
        (void)bsp_parse_float(height.text, &value); // "-" is the default
        p->shader.sky_height = value;
    }
}

// Reads "( r g b ) distance", with or without blanks at the parentheses.
static void read_fog(parser *p, const bspi_word *key) {
    bspi_word word;
    float values[4] = {0};
    int count = 0;
    while (count < 4 && bspi_next_on_line(&p->script, &word)) {
        while (word.text.size != 0 && word.text.data[0] == '(') {
            word.text.data++;
            word.text.size--;
        }
        while (word.text.size != 0 && word.text.data[word.text.size - 1] == ')') {
            word.text.size--;
        }
        if (word.text.size != 0 && bsp_parse_float(word.text, &values[count])) {
            count++;
        }
    }
    if (count < 4) {
        complain(p, key, "fogparms takes a colour and a distance");
        return;
    }
    p->shader.fog = true;
    memcpy(p->shader.fog_color, values, sizeof p->shader.fog_color);
    p->shader.fog_distance = values[3];
}

static void read_key(parser *p, const bspi_word *key) {
    bsp_shader *shader = &p->shader;
    if (word_is(key, "surfaceparm")) {
        read_parm(p, key);
    } else if (word_is(key, "cull")) {
        read_cull(p, key);
    } else if (word_is(key, "skyparms")) {
        read_sky(p, key);
    } else if (word_is(key, "q3map_sun") || word_is(key, "q3map_sunExt") || word_is(key, "sun")) {
        read_sun(p, key);
    } else if (word_is(key, "fogparms")) {
        read_fog(p, key);
    } else if (word_is(key, "qer_editorimage")) {
        shader->editor_image = argument(p, key);
    } else if (word_is(key, "q3map_lightimage")) {
        shader->light_image = argument(p, key);
    } else if (word_is(key, "polygonOffset")) {
        shader->polygon_offset = true;
    } else if (word_is(key, "sort")) {
        shader->sort = argument(p, key);
    } else if (read_light(p, key)) {
        // nothing more
    } else if (word_is(key, "diffuseMap")) { // a short form of a stage in q3map2 and Xonotic
        shader->light_image =
            shader->light_image.size == 0 ? argument(p, key) : shader->light_image;
    }
    (void)bspi_rest_of_line(&p->script);
}

static bool read_block(parser *p, const bspi_word *name) {
    bspi_word word;
    while (bspi_next_word(&p->script, &word)) {
        if (bspi_is_brace(&word, '}')) {
            return true;
        }
        if (bspi_is_brace(&word, '{')) {
            if (!read_stage(p, &word)) {
                return false;
            }
        } else {
            read_key(p, &word);
        }
    }
    complain(p, name, "a shader is not closed");
    return false;
}

// Copies `count` elements into the arena.
static void *keep(parser *p, const void *from, size_t count, size_t size) {
    void *copy = bspi_arena_raw(&p->to->arena, count, size, p->error);
    if (copy != NULL && count != 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static bool finish(parser *p) {
    owner *to = p->to;
    bsp_shader *shader = &p->shader;
    bsp_text *images = keep(p, p->images, p->num_images, sizeof *images);
    if (images == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        p->stages[i].images = images + p->first_image[i];
    }
    shader->stages = keep(p, p->stages, shader->num_stages, sizeof *p->stages);
    shader->surface_parms = keep(p, p->parms, shader->num_surface_parms, sizeof *p->parms);
    shader->suns = keep(p, p->suns, shader->num_suns, sizeof *p->suns);
    bsp_shader *list = bspi_grow(&to->heap, to->list, to->count, &to->room, sizeof *list, p->error);
    if (shader->stages == NULL || shader->surface_parms == NULL || shader->suns == NULL ||
        list == NULL) {
        to->list = list == NULL ? to->list : list;
        return false;
    }
    to->list = list;
    to->list[to->count++] = *shader;
    return true;
}

static bool read_shader(parser *p, const bspi_word *name) {
    bspi_word word;
    p->shader = (bsp_shader){.name = name->text, .line = name->line, .bounce_scale = 1};
    p->num_images = 0;
    if (bspi_is_brace(name, '{')) {
        complain(p, name, "a block without a name");
        p->shader.name.size = 0;
        (void)read_block(p, name);
        return true;
    }
    // If other words stand between the name and the brace, the last one is the name.
    while (bspi_next_word(&p->script, &word)) {
        if (bspi_is_brace(&word, '{')) {
            (void)read_block(p, name);
            return finish(p);
        }
        if (bspi_is_brace(&word, '}')) {
            complain(p, &word, "a brace too many");
            return true;
        }
        complain(p, name, "a name without a block");
        p->shader.name = word.text;
        p->shader.line = word.line;
    }
    complain(p, name, "a name without a block");
    return true;
}

bsp_shaders *bsp_shaders_parse(bsp_text text, const bsp_text_options *options, bsp_error *error) {
    bsp_text_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    bspi_heap heap;
    bspi_heap_init(&heap, taken.allocator, 0);
    owner *to = bspi_heap_alloc(&heap, sizeof *to, error);
    parser *p = bspi_heap_alloc(&heap, sizeof *p, error);
    if (to == NULL || p == NULL) {
        bspi_heap_free(&heap, to, sizeof *to);
        bspi_heap_free(&heap, p, sizeof *p);
        return NULL;
    }
    memset(to, 0, sizeof *to);
    memset(p, 0, sizeof *p);
    bspi_heap_init_for(&to->heap, BSP_PRODUCT_TEXT, text.size, taken.budget, &heap.allocator);
    bspi_arena_init(&to->arena, &to->heap);
    to->public.owner = to;
    p->to = to;
    p->error = error;
    p->script = (bspi_script){.text = text, .line = 1, .quake = true, .options = &taken};
    bspi_word word;
    bool done = bspi_heap_work(&to->heap, text.size, error);
    while (done && bspi_next_word(&p->script, &word)) {
        if (bspi_is_brace(&word, '}')) {
            complain(p, &word, "a brace too many");
        } else {
            done = read_shader(p, &word);
        }
    }
    bspi_heap_free(&heap, p, sizeof *p);
    to->public.list = to->list;
    to->public.count = (uint32_t)to->count;
    if (!done) {
        bsp_shaders_free(&to->public);
        return NULL;
    }
    return &to->public;
}

void bsp_shaders_free(bsp_shaders *shaders) {
    if (shaders == NULL || shaders->owner == NULL) {
        return;
    }
    owner *o = shaders->owner;
    bspi_heap_free(&o->heap, o->list, o->room * sizeof *o->list);
    bspi_arena_free(&o->arena);
    bspi_object_free(o, sizeof *o, &o->heap.allocator);
}

// Shaders are named without the extension of an image.
static bsp_text bare_name(bsp_text name) {
    bool ending = name.size > 4 && name.data[name.size - 4] == '.';
    return (bsp_text){name.data, ending ? name.size - 4 : name.size};
}

const bsp_shader *bsp_shaders_find(const bsp_shaders *shaders, bsp_text name) {
    assert(shaders != NULL);
    bsp_text bare = bare_name(name);
    for (uint32_t i = 0; i < shaders->count; i++) {
        if (bspi_text_equal_nocase(bare_name(shaders->list[i].name), bare)) {
            return &shaders->list[i];
        }
    }
    return NULL;
}
