// SPDX-License-Identifier: MIT
// Materials of Source. A material that is a "patch" is another one with some parameters changed
// ("replace": only those that exist; "insert": any), which may be a patch again. Format: sheet
// outputs, section 5.2; defaults as in the game's shaders.
#include "asset/find/script.h"

#include "core/options.h"
#include "core/text.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define MAX_PATCHES 8
// The default of the shaders when $alphatestreference is not given.
#define ALPHA_CUT 0.7F

typedef struct owner {
    bsp_vmt public;
    bspi_heap heap;
    bspi_arena arena;
    bsp_key_value *list; // all pairs of public.list
    size_t count;
    size_t room;
} owner;

typedef struct loader {
    owner *to;
    const bsp_search *search;
    const bsp_text_options *options;
    bsp_error *error;
} loader;

// --- building the list --------------------------------------------------------------------------

static bool copy_text(loader *l, bsp_text from, bsp_text *to) {
    *to = (bsp_text){bspi_arena_text(&l->to->arena, from, l->error), from.size};
    return to->data != NULL;
}

// Appends a pair and all that it contains.
static bool append(loader *l, const bsp_key_values *values, uint32_t first) {
    owner *to = l->to;
    size_t base = to->count;
    for (uint32_t i = first; i < values->list[first].end; i++) {
        bsp_key_value *list =
            bspi_grow(&to->heap, to->list, to->count, &to->room, sizeof *list, l->error);
        if (list == NULL) {
            return false;
        }
        to->list = list;
        bsp_key_value *pair = &list[to->count++];
        *pair = values->list[i];
        pair->end = (uint32_t)(pair->end - first + base);
        if (!copy_text(l, values->list[i].key, &pair->key) ||
            !copy_text(l, values->list[i].value, &pair->value)) {
            return false;
        }
    }
    return true;
}

// Changes the value of an outermost key. Returns false if there is none.
static bool change(loader *l, const bsp_key_value *pair, bool *there) {
    owner *to = l->to;
    for (size_t i = 0; i < to->count; i = to->list[i].end) {
        if (!to->list[i].block && bspi_text_equal_nocase(to->list[i].key, pair->key)) {
            *there = true;
            return copy_text(l, pair->value, &to->list[i].value);
        }
    }
    *there = false;
    return true;
}

static bool patch_block(loader *l, const bsp_key_values *values, uint32_t block) {
    bool insert = bspi_text_is(values->list[block].key, "insert");
    uint64_t pairs = values->list[block].end - block;
    if (!bspi_heap_work(&l->to->heap, pairs * (l->to->count + pairs), l->error)) {
        return false;
    }
    for (uint32_t i = block + 1; i < values->list[block].end; i = values->list[i].end) {
        bool there = false;
        if (!values->list[i].block && !change(l, &values->list[i], &there)) {
            return false;
        }
        if (!there && insert && !append(l, values, i)) {
            return false;
        }
    }
    return true;
}

static bool load(loader *l, bsp_text text, int patches);

static bool load_include(loader *l, bsp_text name, int patches) {
    bsp_blob blob;
    char path[512];
    const char *ending = name.size > 4 && name.data[name.size - 4] == '.' ? "" : ".vmt";
    int size = snprintf(path, sizeof path, "%.*s%s", (int)name.size,
                        name.size == 0 ? "" : name.data, ending);
    if (patches == MAX_PATCHES) {
        return bsp_fail(l->error, BSP_E_DAMAGED, NULL, "patches of patches without end");
    }
    bsp_error why = {0};
    if (l->search == NULL || size < 0 || (size_t)size >= sizeof path ||
        !bsp_search_read(l->search, bsp_text_of(path), &blob, &why)) {
        return !bspi_out_of_memory(&why, l->error) &&
               bsp_fail(l->error, BSP_E_ARGUMENT, NULL,
                        "the material that it patches, %.200s, was not found", path);
    }
    bool done = load(l, (bsp_text){(const char *)blob.data, blob.size}, patches + 1);
    bsp_blob_free(&blob);
    return done;
}

static bool load_patch(loader *l, const bsp_key_values *values, int patches) {
    if (!load_include(l, bsp_key_values_get(values, 0, "include"), patches)) {
        return false;
    }
    for (uint32_t i = 1; i < values->list[0].end; i = values->list[i].end) {
        bool known = bspi_text_is(values->list[i].key, "insert") ||
                     bspi_text_is(values->list[i].key, "replace");
        if (values->list[i].block && known && !patch_block(l, values, i)) {
            return false;
        }
    }
    return true;
}

static bool load_values(loader *l, const bsp_key_values *values, int patches) {
    if (values->count == 0 || !values->list[0].block) {
        return bsp_fail(l->error, BSP_E_DAMAGED, NULL, "no material: a shader's name and a block");
    }
    if (bspi_text_is(values->list[0].key, "patch")) {
        return load_patch(l, values, patches);
    }
    if (!copy_text(l, values->list[0].key, &l->to->public.shader)) {
        return false;
    }
    for (uint32_t i = 1; i < values->list[0].end; i = values->list[i].end) {
        if (!append(l, values, i)) {
            return false;
        }
    }
    return true;
}

static bool load(loader *l, bsp_text text, int patches) {
    if (!bspi_heap_work(&l->to->heap, text.size, l->error)) {
        return false;
    }
    bsp_key_values *values = bsp_key_values_parse(text, l->options, l->error);
    bool done = values != NULL && load_values(l, values, patches);
    bsp_key_values_free(values);
    return done;
}

// --- what the parameters mean -------------------------------------------------------------------

bsp_text bsp_vmt_get(const bsp_vmt *vmt, const char *key) {
    assert(vmt != NULL && key != NULL);
    bsp_key_values all = {.list = vmt->list, .count = vmt->count};
    return bsp_key_values_get(&all, BSP_NONE, key);
}

static float number(const bsp_vmt *vmt, const char *key, float otherwise) {
    float value;
    return bsp_parse_float(bsp_vmt_get(vmt, key), &value) ? value : otherwise;
}

static bool is_set(const bsp_vmt *vmt, const char *key) {
    return number(vmt, key, 0) != 0;
}

static bool any_set(const bsp_vmt *vmt, const char *const *keys, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (is_set(vmt, keys[i])) {
            return true;
        }
    }
    return false;
}

static bsp_alpha alpha_of(const bsp_vmt *vmt) {
    return is_set(vmt, "$additive")      ? BSP_ALPHA_ADD
           : is_set(vmt, "$translucent") ? BSP_ALPHA_BLEND
           : is_set(vmt, "$alphatest")   ? BSP_ALPHA_TEST
           : vmt->opacity < 1            ? BSP_ALPHA_BLEND
                                         : BSP_ALPHA_OPAQUE;
}

static float clamp(float value, float otherwise) {
    return value >= 0 && value <= 1 ? value : otherwise;
}

static void interpret(bsp_vmt *vmt) {
    static const char *const unseen[] = {
        "%compilenodraw",    "%compileclip", "%playerclip",     "%compilenpcclip",
        "%compilehint",      "%compileskip", "%compiletrigger", "%compileorigin",
        "%compileinvisible", "$no_draw",     "%compilewet",     "%compileladder",
    };
    bsp_text water = {vmt->shader.data, vmt->shader.size < 5 ? 0 : 5};
    vmt->base_texture = bsp_vmt_get(vmt, "$basetexture");
    vmt->base_texture2 = bsp_vmt_get(vmt, "$basetexture2");
    vmt->bump_map = bsp_vmt_get(vmt, "$bumpmap");
    vmt->opacity = clamp(number(vmt, "$alpha", 1), 1);
    vmt->alpha = alpha_of(vmt);
    vmt->alpha_cut = clamp(number(vmt, "$alphatestreference", ALPHA_CUT), ALPHA_CUT);
    vmt->no_cull = is_set(vmt, "$nocull");
    vmt->no_draw = any_set(vmt, unseen, sizeof unseen / sizeof *unseen);
    vmt->sky = is_set(vmt, "%compilesky") || is_set(vmt, "%compile2dsky") ||
               bspi_text_is(vmt->shader, "sky");
    vmt->water = is_set(vmt, "%compilewater") || is_set(vmt, "%compileslime") ||
                 bspi_text_is(water, "water");
}

bsp_vmt *bsp_vmt_parse(bsp_text text, const bsp_search *search, const bsp_text_options *options,
                       bsp_error *error) {
    bsp_text_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error)) {
        return NULL;
    }
    owner *to = bspi_object_new(taken.allocator, sizeof *to, error);
    if (to == NULL) {
        return NULL;
    }
    bspi_heap_init_for(&to->heap, BSP_PRODUCT_TEXT, text.size, taken.budget, taken.allocator);
    bspi_arena_init(&to->arena, &to->heap);
    to->public.owner = to;
    loader l = {to, search, &taken, error};
    if (!load(&l, text, 0)) {
        bsp_vmt_free(&to->public);
        return NULL;
    }
    to->public.list = to->list;
    to->public.count = (uint32_t)to->count;
    interpret(&to->public);
    return &to->public;
}

void bsp_vmt_free(bsp_vmt *vmt) {
    if (vmt == NULL || vmt->owner == NULL) {
        return;
    }
    owner *o = vmt->owner;
    bspi_heap_free(&o->heap, o->list, o->room * sizeof *o->list);
    bspi_arena_free(&o->arena);
    bspi_object_free(o, sizeof *o, &o->heap.allocator);
}
