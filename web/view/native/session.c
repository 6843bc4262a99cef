// SPDX-License-Identifier: MIT
// A map that the page has open: its file, the folders it may look into, and its scene.
#include "session.h"

#include <stdlib.h>
#include <string.h>

bsp_error bv_last_error;
bv_buffer bv_answer;

// --- answers ------------------------------------------------------------------------------------

void bv_answer_begin(void) {
    bv_answer.size = 0;
}

bool bv_answer_add(void *user, const char *data, size_t size) {
    (void)user;
    if (size > bv_answer.room - bv_answer.size) {
        size_t room = 2 * bv_answer.room + size;
        char *more = realloc(bv_answer.data, room);
        if (more == NULL) {
            return false;
        }
        bv_answer.data = more;
        bv_answer.room = room;
    }
    memcpy(bv_answer.data + bv_answer.size, data, size);
    bv_answer.size += size;
    return true;
}

void bv_json_index(bsp_json *json, const char *key, uint32_t value) {
    bsp_json_key(json, key);
    if (value == BSP_NONE) {
        bsp_json_null(json);
    } else {
        bsp_json_uint(json, value);
    }
}

void bv_json_string(bsp_json *json, const char *key, const char *value) {
    bsp_json_key(json, key);
    if (value == NULL) {
        bsp_json_null(json);
    } else {
        bsp_json_string(json, value);
    }
}

/// Returns the text of the last failure. Static storage.
BV_API const char *bv_error(void) {
    return bv_last_error.message;
}

/// Returns the bytes of the last answer. Borrowed until the next call.
BV_API const char *bv_answer_data(void) {
    return bv_answer.data;
}

/// Returns how many bytes the last answer has.
BV_API uint32_t bv_answer_size(void) {
    return (uint32_t)bv_answer.size;
}

/// Frees the memory of the last answer.
BV_API void bv_answer_free(void) {
    free(bv_answer.data);
    bv_answer = (bv_buffer){0};
}

// --- open and close -----------------------------------------------------------------------------

// Files that the next map takes.
static bsp_external waiting[BV_MOST_BESIDE];
static uint32_t num_waiting;

static void free_beside(const bsp_external *files, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        free((void *)(uintptr_t)files[i].name);
        free((void *)(uintptr_t)files[i].bytes.data);
    }
}

/// Adds a file beside the map that bv_open opens next. `bytes` and `name` (without folders) were
/// given by malloc, and belong to the library from now on. Files beyond the most are ignored.
BV_API void bv_add_beside(uint8_t *bytes, uint32_t size, char *name) {
    bsp_external file = {name, {bytes, size}};
    if (num_waiting == BV_MOST_BESIDE) {
        free_beside(&file, 1);
        return;
    }
    waiting[num_waiting++] = file;
}

static void take_beside(bv_session *s) {
    memcpy(s->beside, waiting, num_waiting * sizeof *waiting);
    s->num_beside = num_waiting;
    num_waiting = 0;
}

/// Closes a map and frees all that was made of it. NULL is allowed and does nothing.
BV_API void bv_close(bv_session *s) {
    if (s == NULL) {
        return;
    }
    bv_picture_free(&s->picture);
    bv_mirrors_free(&s->mirrors);
    bv_bumps_free(&s->bumps);
    bv_light_forget(s);
    bsp_scene_free(s->scene);
    bsp_trace_index_free(s->index);
    bsp_portals_free(s->portals);
    bsp_external_light_free(s->external);
    bsp_textures_close(s->textures);
    bsp_search_free(s->search);
    bsp_map_free(s->map);
    bsp_file_close(s->file);
    bsp_issues_free(s->issues);
    bsp_issues_free(s->texture_issues);
    free_beside(s->beside, s->num_beside);
    free(s->row);
    free(s->bytes);
    free(s);
}

static void set_name(bv_session *s, const char *path) {
    const char *last = strrchr(path, '/');
    const char *name = last == NULL ? path : last + 1;
    const char *dot = strrchr(name, '.');
    size_t size = dot == NULL ? strlen(name) : (size_t)(dot - name);
    size = size < sizeof s->name ? size : sizeof s->name - 1;
    memcpy(s->name, name, size);
    s->name[size] = '\0';
}

/// Opens a map. `bytes` was given by malloc, and belongs to the session from now on, also when this
/// fails. `name` is that of its file. Returns NULL on failure: bv_error says why.
BV_API bv_session *bv_open(uint8_t *bytes, uint32_t size, const char *name) {
    bv_session *s = calloc(1, sizeof *s);
    if (s == NULL) {
        free(bytes);
        free_beside(waiting, num_waiting);
        num_waiting = 0;
        return NULL;
    }
    s->bytes = bytes;
    set_name(s, name);
    take_beside(s);
    const bsp_open_options options = {.external = s->beside, .num_external = s->num_beside};
    bv_last_error = (bsp_error){0};
    s->file = bsp_file_open_memory((bsp_bytes){bytes, size}, &options, &bv_last_error);
    s->map = s->file == NULL ? NULL : bsp_map_load(s->file, NULL, &bv_last_error);
    s->search = s->map == NULL ? NULL : bsp_search_new(NULL, &bv_last_error);
    uint32_t row = s->map == NULL ? 0 : s->map->visibility.row_bytes;
    s->row = calloc(1, (size_t)row + 1);
    if (s->search == NULL || s->row == NULL) {
        bv_close(s);
        return NULL;
    }
    return s;
}

/// Adds a folder of the page's file system to where textures and models are looked for, before the
/// first bv_build. Returns false on failure.
BV_API int bv_add_folder(bv_session *s, const char *folder) {
    return bsp_search_add_game(s->search, folder, &bv_last_error);
}

/// Adds one archive of the page's file system in the same way.
BV_API int bv_add_archive(bv_session *s, const char *path) {
    return bsp_search_add(s->search, path, &bv_last_error);
}

// --- the scene ----------------------------------------------------------------------------------

#ifdef __EMSCRIPTEN__
// clang-format off
EM_JS(void, give_picture, (uint32_t kind, uint32_t number, const uint8_t *pixels, uint32_t width,
                           uint32_t height), {
    if (Module.onPicture) { Module.onPicture(kind, number, pixels, width, height); }
});
// clang-format on
#else
static void give_picture(uint32_t kind, uint32_t number, const uint8_t *pixels, uint32_t width,
                         uint32_t height) {
    (void)kind, (void)number, (void)pixels, (void)width, (void)height;
}
#endif

void bv_give_image(uint32_t kind, uint32_t number, const bsp_image *image) {
    if (image->pixels != NULL) {
        give_picture(kind, number, image->pixels, image->width, image->height);
    }
}

static bool take_material(void *user, uint32_t material, const bsp_scene_material *as,
                          bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    (void)error;
    if (as->found) {
        bv_give_image(0, material, &texture->image);
    }
    if (second->found) {
        bv_give_image(1, material, &second->image);
    }
    return bv_bump_take(user, material, as) && bv_mirror_take(user, material, as);
}

static bool take_decal(void *user, uint32_t picture, uint32_t count, const bsp_texture *texture,
                       bsp_error *error) {
    (void)user, (void)count, (void)error;
    bv_give_image(2, picture, &texture->image);
    return true;
}

// Textures are those of a moment after the map began: too short for another frame of an animation,
// and long enough to see how fast a texture scrolls.
#define MOMENT (1.0F / 1024)

float bv_scroll(float shift) {
    return (shift > 0.5F ? shift - 1 : shift) / MOMENT;
}

bool bv_open_textures(bv_session *s) {
    if (s->textures != NULL) {
        return true;
    }
    s->texture_issues = bsp_issues_new(NULL, 8);
    const bsp_textures_options how = {.issues = s->texture_issues, .time = MOMENT};
    s->textures = bsp_textures_open(s->search, s->map, &how, &bv_last_error);
    s->external = s->textures == NULL
                      ? NULL
                      : bsp_external_light_load(s->textures, bsp_text_of(s->name), &bv_last_error);
    return s->external != NULL;
}

/// Builds the scene anew, and the triangles of it. `flags` are bv_build_flags. The pictures go to
/// the page's Module.onPicture as they are found. Returns false on failure.
BV_API int bv_build(bv_session *s, uint32_t flags, float time) {
    bool textured = (flags & BV_WITH_TEXTURES) != 0;
    const bsp_scene_state state = {.time = time,
                                   .styles = s->chosen,
                                   .num_styles = s->num_chosen,
                                   .open = (flags & BV_OPEN_DOORS) != 0};
    if (textured && !bv_open_textures(s)) {
        return false;
    }
    const bsp_scene_options options = {.file = s->file,
                                       .textures = textured ? s->textures : NULL,
                                       .pictures = textured ? take_material : NULL,
                                       .user = s,
                                       .decals = textured ? take_decal : NULL,
                                       .external = textured ? s->external : NULL,
                                       .light_range = BV_LIGHT_RANGE,
                                       .hidden = (flags & BV_WITH_HIDDEN) != 0,
                                       .sky = true,
                                       .state = &state,
                                       .props = textured,
                                       .details = textured};
    bv_light_forget(s);
    bv_picture_free(&s->picture);
    bv_mirrors_free(&s->mirrors);
    bv_bumps_free(&s->bumps);
    bsp_scene_free(s->scene);
    bsp_scene_styles(s->map, &state, s->styles);
    s->scene = bsp_scene_build(s->map, &options, &bv_last_error);
    return s->scene != NULL && bv_bump_light(s) && bv_picture_make(s, false);
}

/// Gives the pictures of the sky to the page, and answers with how it lies. Returns false on
/// failure.
BV_API int bv_sky(bv_session *s) {
    bsp_sky sky;
    bsp_json json;
    if (!bv_open_textures(s) || !bsp_textures_find_sky(s->textures, &sky, &bv_last_error)) {
        return false;
    }
    for (uint32_t i = 0; i < BSP_SKY_SIDES; i++) {
        bv_give_image(3, i, &sky.sides[i]);
    }
    bv_answer_begin();
    bsp_json_begin(&json, bv_answer_add, NULL);
    bsp_json_object(&json);
    cli_json_uint(&json, "sides", sky.num_sides);
    cli_json_bool(&json, "flat", sky.flat);
    cli_json_float(&json, "cloudHeight", sky.cloud_height);
    bsp_json_key(&json, "layers");
    bsp_json_array(&json);
    for (uint32_t i = 0; i < sky.num_layers; i++) {
        bv_give_image(4, i, &sky.layers[i].image);
        bsp_json_object(&json);
        cli_json_uint(&json, "alpha", sky.layers[i].alpha);
        bsp_json_floats(&json, "scale", sky.layers[i].scale, 2);
        const float scroll[2] = {bv_scroll(sky.layers[i].shift[0]),
                                 bv_scroll(sky.layers[i].shift[1])};
        bsp_json_floats(&json, "scroll", scroll, 2);
        bsp_json_object_end(&json);
    }
    bsp_json_array_end(&json);
    bsp_json_object_end(&json);
    bsp_sky_free(&sky);
    return bsp_json_flush(&json);
}

// Adds [page, first row, rows] of each page that differs; `first_page` is the number of the first.
static void put_changes(bsp_json *json, const bsp_lightmap *old, const bsp_lightmap *now,
                        uint32_t first_page) {
    for (uint32_t p = 0; p < now->num_pages && p < old->num_pages; p++) {
        const bsp_light_page *a = &old->pages[p];
        const bsp_light_page *b = &now->pages[p];
        size_t row = (size_t)b->width * 4;
        uint32_t first = 0;
        uint32_t end = a->width == b->width && a->height == b->height ? b->height : 0;
        while (first < end && memcmp(a->rgba + first * row, b->rgba + first * row, row) == 0) {
            first++;
        }
        while (end > first &&
               memcmp(a->rgba + (end - 1) * row, b->rgba + (end - 1) * row, row) == 0) {
            end--;
        }
        if (first < end) {
            bsp_json_array(json);
            bsp_json_uint(json, first_page + p);
            bsp_json_uint(json, first);
            bsp_json_uint(json, end - first);
            bsp_json_array_end(json);
        }
    }
}

/// Sets how bright a light style is, 1: as the light compiler left it; below 0: as the map has it.
/// bv_light_at shows it.
BV_API void bv_style(bv_session *s, uint32_t style, float value) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < s->num_chosen; i++) {
        if (s->chosen[i].style != style) {
            s->chosen[kept++] = s->chosen[i];
        }
    }
    if (value >= 0 && kept < BSP_LIGHT_STYLES) {
        s->chosen[kept++] = (bsp_scene_style){.style = style, .value = value};
    }
    s->num_chosen = kept;
}

/// Computes the light of a moment, seconds after the map began, and answers with a list of
/// [page, first row, rows] that are other than before. Returns false on failure.
BV_API int bv_light_at(bv_session *s, float time) {
    bsp_json json;
    const bsp_scene_state state = {.time = time, .styles = s->chosen, .num_styles = s->num_chosen};
    float styles[BSP_LIGHT_STYLES];
    bsp_scene_styles(s->map, &state, styles);
    bool same = memcmp(styles, s->styles, sizeof styles) == 0;
    memcpy(s->styles, styles, sizeof styles);
    bv_answer_begin();
    bsp_json_begin(&json, bv_answer_add, NULL);
    bsp_json_array(&json);
    for (uint32_t i = 0; i < BV_DIRECTIONS && !same; i++) {
        const bsp_lightmap *old = bv_light_of(s, i);
        bsp_lightmap *now = old == NULL ? NULL : bv_light_make(s, i);
        if (now == NULL && (old != NULL || i == 0)) {
            return false;
        }
        if (now != NULL) {
            put_changes(&json, old, now, i * now->num_pages);
            bsp_lightmap_free(s->moment[i]);
            s->moment[i] = now;
        }
    }
    bsp_json_array_end(&json);
    return bsp_json_flush(&json);
}

/// Returns the pixels of a page of light, of the moment that bv_light_at computed, and sets `size`
/// to its width and height. After the pages of flat surfaces come those of the three directions, if
/// normal maps mix them. NULL if there is no such page.
BV_API const uint8_t *bv_page(const bv_session *s, uint32_t page, uint32_t size[2]) {
    const bsp_lightmap *flat = bv_light_of(s, 0);
    uint32_t pages = flat == NULL ? 0 : flat->num_pages;
    uint32_t direction = pages == 0 ? BV_DIRECTIONS : page / pages;
    const bsp_lightmap *light = direction < BV_DIRECTIONS ? bv_light_of(s, direction) : NULL;
    if (light == NULL) {
        return NULL;
    }
    size[0] = light->pages[page % pages].width;
    size[1] = light->pages[page % pages].height;
    return light->pages[page % pages].rgba;
}

/// Returns an array of the picture and sets `count` to its length: 0 vertices, 1 indices, 2
/// batches, 3 pieces, 4 faces of the triangles, 5 owners of the triangles.
BV_API const void *bv_array(const bv_session *s, uint32_t what, uint32_t *count) {
    const bv_picture *p = &s->picture;
    const void *const arrays[] = {p->vertices, p->indices, p->batches,
                                  p->pieces,   p->faces,   p->owners};
    const uint32_t counts[] = {p->num_vertices, p->num_indices,     p->num_batches,
                               p->num_pieces,   p->num_indices / 3, p->num_indices / 3};
    *count = what < 6 ? counts[what] : 0;
    return what < 6 ? arrays[what] : NULL;
}
