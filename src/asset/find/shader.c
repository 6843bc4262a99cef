// SPDX-License-Identifier: MIT
// Quake 3 shader scripts: a name and a block of keywords, one per line, with blocks of stages
// inside. Keywords that do not change the look of a surface are skipped. Format: sheet quake3,
// section 8, and the shader manual of Q3Radiant.
#include "asset/find/shader_reader.h"

#include "core/options.h"
#include "core/text.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

typedef struct owner {
    bsp_shaders public;
    bspi_heap heap;
    bspi_arena arena;
    bsp_shader *list;
    size_t count;
    size_t room;
} owner;

static void read_parm(bspi_shader_reader *r, const bspi_word *key) {
    bsp_text parm = bspi_shader_argument(r, key);
    if (parm.size == 0) {
        return;
    }
    if (r->shader.num_surface_parms == BSPI_SHADER_PARMS) {
        bspi_shader_complain(r, key, "too many surfaceparms");
        return;
    }
    r->parms[r->shader.num_surface_parms++] = parm;
    r->shader.sky = r->shader.sky || bspi_text_is(parm, "sky");
    r->shader.no_draw = r->shader.no_draw || bspi_text_is(parm, "nodraw");
}

// Reads "sun" and its variants; q3map2's q3map_sunExt has two more numbers.
static void read_sun(bspi_shader_reader *r, const bspi_word *key) {
    float values[8] = {0};
    int count = bspi_text_is(key->text, "q3map_sunExt") ? 8 : 6;
    for (int i = 0; i < count; i++) {
        values[i] = bspi_shader_number(r, key);
    }
    if (r->shader.num_suns == BSPI_SHADER_SUNS) {
        bspi_shader_complain(r, key, "too many suns");
        return;
    }
    r->suns[r->shader.num_suns++] = (bsp_shader_sun){
        {values[0], values[1], values[2]}, values[3], values[4], values[5], values[6], values[7]};
}

#define AT(member) offsetof(bsp_shader, member)

// What q3map2's keys say in numbers of light on a surface, or that it gives.
static const struct number {
    const char *name;
    size_t at; // the first of that many floats
    uint32_t count;
} numbers[] = {
    {"q3map_surfacelight", AT(surface_light), 1},
    {"q3map_lightSubdivide", AT(light_subdivide), 1},
    {"q3map_bounceScale", AT(bounce_scale), 1},
    {"q3map_bounce", AT(bounce_scale), 1},
    {"q3map_lightRGB", AT(light_color), 3},
    {"q3map_lightStyle", AT(light_style), 1},
    {"q3map_lightmapBrightness", AT(light_scale), 1},
    {"q3map_lightmapGamma", AT(light_scale), 1},
    {"q3map_vertexScale", AT(vertex_scale), 1},
    {"q3map_shadeAngle", AT(shade_angle), 1},
    {"q3map_lightmapSampleOffset", AT(light_offset), 1},
    {"q3map_floodLight", AT(flood_light), 5},
};

#define NUM_NUMBERS (sizeof numbers / sizeof *numbers)

static bool read_numbers(bspi_shader_reader *r, const bspi_word *key) {
    for (size_t i = 0; i < NUM_NUMBERS; i++) {
        if (bspi_text_is(key->text, numbers[i].name)) {
            for (uint32_t n = 0; n < numbers[i].count; n++) {
                float value = bspi_shader_number(r, key);
                memcpy((char *)&r->shader + numbers[i].at + n * sizeof value, &value, sizeof value);
            }
            return true;
        }
    }
    return false;
}

// Is there another number, or word, on the line?
static bool has_more(bspi_shader_reader *r) {
    bspi_word word;
    return bspi_next_on_line(&r->script, &word);
}

// Notes keys whose values are not kept.
static void read_other_light(bspi_shader_reader *r, const bspi_word *key) {
    static const struct {
        const char *name;
        uint32_t bit;
    } keys[] = {
        {"q3map_normalImage", BSP_SHADER_NORMAL_IMAGE},
        {"q3map_splotchfix", BSP_SHADER_SPLOTCH_FIX},
        {"q3map_forceSunlight", BSP_SHADER_FORCE_SUNLIGHT},
        {"q3map_noFast", BSP_SHADER_NO_FAST},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        r->shader.light_keys |= bspi_text_is(key->text, keys[i].name) ? keys[i].bit : 0;
    }
    if (bspi_text_is(key->text, "deformVertexes") &&
        bspi_text_begins_nocase(bspi_shader_argument(r, key), "autosprite")) {
        r->shader.light_keys |= BSP_SHADER_AUTOSPRITE;
    }
}

// Reads what a surface gives of light by itself, and of that on it. False for other keys.
static bool read_light(bspi_shader_reader *r, const bspi_word *key) {
    bsp_shader *shader = &r->shader;
    if (bspi_text_is(key->text, "q3map_skyLight")) {
        shader->sky_light = bspi_shader_number(r, key);
        shader->sky_light_steps = bspi_shader_number(r, key);
        shader->light_keys |= has_more(r) ? BSP_SHADER_SKY_HORIZON : 0;
    } else if (bspi_text_is(key->text, "q3map_backsplash")) {
        shader->has_splash = true;
        shader->splash = bspi_shader_number(r, key);
        shader->splash_distance = bspi_shader_number(r, key);
    } else if (bspi_text_is(key->text, "q3map_lightmapFilterRadius")) {
        shader->filter_radius = bspi_shader_number(r, key);
        shader->lamp_filter_radius = bspi_shader_number(r, key);
    } else if (bspi_text_is(key->text, "q3map_nodirty")) {
        shader->no_dirt = true;
    } else if (bspi_text_is(key->text, "q3map_noVertexLight")) {
        shader->no_vertex_light = true;
    } else {
        return read_numbers(r, key);
    }
    return true;
}

static void read_cull(bspi_shader_reader *r, const bspi_word *key) {
    bsp_text how = bspi_shader_argument(r, key);
    if (bspi_text_is(how, "none") || bspi_text_is(how, "disable") ||
        bspi_text_is(how, "twosided")) {
        r->shader.cull = BSP_CULL_NONE;
    } else if (bspi_text_is(how, "back") || bspi_text_is(how, "backside") ||
               bspi_text_is(how, "backsided")) {
        r->shader.cull = BSP_CULL_BACK;
    } else if (!bspi_text_is(how, "front")) {
        bspi_shader_complain(r, key, "no known side");
    }
}

static void read_sky(bspi_shader_reader *r, const bspi_word *key) {
    bsp_text box = bspi_shader_argument(r, key);
    bspi_word height;
    r->shader.sky = true;
    r->shader.sky_box = bspi_text_is(box, "-") ? (bsp_text){NULL, 0} : box;
    if (bspi_next_on_line(&r->script, &height)) {
        float value = 0;
        (void)bsp_parse_float(height.text, &value); // "-" is the default
        r->shader.sky_height = value;
    }
}

// Reads "( r g b ) distance", with or without blanks at the parentheses.
static void read_fog(bspi_shader_reader *r, const bspi_word *key) {
    bspi_word word;
    float values[4] = {0};
    int count = 0;
    while (count < 4 && bspi_next_on_line(&r->script, &word)) {
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
        bspi_shader_complain(r, key, "fogparms takes a colour and a distance");
        return;
    }
    r->shader.fog = true;
    memcpy(r->shader.fog_color, values, sizeof r->shader.fog_color);
    r->shader.fog_distance = values[3];
}

static void read_key(bspi_shader_reader *r, const bspi_word *key) {
    bsp_shader *shader = &r->shader;
    if (bspi_text_is(key->text, "surfaceparm")) {
        read_parm(r, key);
    } else if (bspi_text_is(key->text, "cull")) {
        read_cull(r, key);
    } else if (bspi_text_is(key->text, "skyparms")) {
        read_sky(r, key);
    } else if (bspi_text_is(key->text, "q3map_sun") || bspi_text_is(key->text, "q3map_sunExt") ||
               bspi_text_is(key->text, "sun")) {
        read_sun(r, key);
    } else if (bspi_text_is(key->text, "fogparms")) {
        read_fog(r, key);
    } else if (bspi_text_is(key->text, "qer_editorimage")) {
        shader->editor_image = bspi_shader_argument(r, key);
    } else if (bspi_text_is(key->text, "q3map_lightimage")) {
        shader->light_image = bspi_shader_argument(r, key);
    } else if (bspi_text_is(key->text, "polygonOffset")) {
        shader->polygon_offset = true;
    } else if (bspi_text_is(key->text, "sort")) {
        shader->sort = bspi_shader_argument(r, key);
    } else if (read_light(r, key)) {
        // nothing more
    } else if (bspi_text_is(key->text, "diffuseMap")) {
        // A short form of a stage in q3map2 and Xonotic.
        shader->light_image =
            shader->light_image.size == 0 ? bspi_shader_argument(r, key) : shader->light_image;
    } else {
        read_other_light(r, key);
    }
    (void)bspi_rest_of_line(&r->script);
}

static bool read_block(bspi_shader_reader *r, const bspi_word *name) {
    bspi_word word;
    while (bspi_next_word(&r->script, &word)) {
        if (bspi_is_brace(&word, '}')) {
            return true;
        }
        if (bspi_is_brace(&word, '{')) {
            if (!bspi_shader_stage_read(r, &word)) {
                return false;
            }
        } else {
            read_key(r, &word);
        }
    }
    bspi_shader_complain(r, name, "a shader is not closed");
    return false;
}

// Copies `count` elements into the arena.
static void *keep(owner *to, const void *from, size_t count, size_t size, bsp_error *error) {
    void *copy = bspi_arena_raw(&to->arena, count, size, error);
    if (copy != NULL && count != 0) {
        memcpy(copy, from, count * size);
    }
    return copy;
}

static bool finish(bspi_shader_reader *r, owner *to, bsp_error *error) {
    bsp_shader *shader = &r->shader;
    bsp_text *images = keep(to, r->images, r->num_images, sizeof *images, error);
    if (images == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < shader->num_stages; i++) {
        r->stages[i].images = images + r->first_image[i];
    }
    shader->stages = keep(to, r->stages, shader->num_stages, sizeof *r->stages, error);
    shader->surface_parms = keep(to, r->parms, shader->num_surface_parms, sizeof *r->parms, error);
    shader->suns = keep(to, r->suns, shader->num_suns, sizeof *r->suns, error);
    bsp_shader *list = bspi_grow(&to->heap, to->list, to->count, &to->room, sizeof *list, error);
    if (shader->stages == NULL || shader->surface_parms == NULL || shader->suns == NULL ||
        list == NULL) {
        to->list = list == NULL ? to->list : list;
        return false;
    }
    to->list = list;
    to->list[to->count++] = *shader;
    return true;
}

static bool read_shader(bspi_shader_reader *r, owner *to, const bspi_word *name, bsp_error *error) {
    bspi_word word;
    r->shader = (bsp_shader){.name = name->text,
                             .line = name->line,
                             .bounce_scale = 1,
                             .light_scale = 1,
                             .vertex_scale = 1,
                             .light_offset = 1};
    r->num_images = 0;
    if (bspi_is_brace(name, '{')) {
        bspi_shader_complain(r, name, "a block without a name");
        r->shader.name.size = 0;
        (void)read_block(r, name);
        return true;
    }
    // If other words stand between the name and the brace, the last one is the name.
    while (bspi_next_word(&r->script, &word)) {
        if (bspi_is_brace(&word, '{')) {
            (void)read_block(r, name);
            return finish(r, to, error);
        }
        if (bspi_is_brace(&word, '}')) {
            bspi_shader_complain(r, &word, "a brace too many");
            return true;
        }
        bspi_shader_complain(r, name, "a name without a block");
        r->shader.name = word.text;
        r->shader.line = word.line;
    }
    bspi_shader_complain(r, name, "a name without a block");
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
    bspi_shader_reader *r = bspi_heap_alloc(&heap, sizeof *r, error);
    if (to == NULL || r == NULL) {
        bspi_heap_free(&heap, to, sizeof *to);
        bspi_heap_free(&heap, r, sizeof *r);
        return NULL;
    }
    memset(to, 0, sizeof *to);
    memset(r, 0, sizeof *r);
    bspi_heap_init_for(&to->heap, BSP_PRODUCT_TEXT, text.size, taken.budget, &heap.allocator);
    bspi_arena_init(&to->arena, &to->heap);
    to->public.owner = to;
    r->script = (bspi_script){.text = text, .line = 1, .quake = true, .options = &taken};
    bspi_word word;
    bool done = bspi_heap_work(&to->heap, text.size, error);
    while (done && bspi_next_word(&r->script, &word)) {
        if (bspi_is_brace(&word, '}')) {
            bspi_shader_complain(r, &word, "a brace too many");
        } else {
            done = read_shader(r, to, &word, error);
        }
    }
    bspi_heap_free(&heap, r, sizeof *r);
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
