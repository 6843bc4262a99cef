// SPDX-License-Identifier: MIT
// What textures of GoldSrc gave, out of the light that the map has. A face that gives light shows
// it on all of its luxels: textures are looked for of which hardly a luxel is as dark as lamps let
// it be. How much each of them gave tell the luxels of all other faces, since light is a sum: that
// of the lamps, and as many times that of each texture as fits best.
#include "bake/light/stored_texlights.h"

#include "bake/light/base/fit.h"
#include "bake/light/base/keys.h"
#include "bake/light/lamps/texlights.h"

#include "core/curves.h"
#include "core/progress.h"
#include "core/text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES 65536u // luxels, at most
#define SMALL 32768u   // luxels of a map for which previews are not good enough
#define LEAST 24.0f    // sums of light: what shines less is not found
#define DARKEST 0.2f   // share of the luxels of a texture that may be darker
#define CUT 0.5f       // and that are as bright as can be: how bright they are is not known
#define TRIED 1000.0f  // what a texture gives alone
#define LARGEST 0.1f   // share of the luxels of a map: what covers more is no lamp
#define FULL 255.0f    // of a number in a lights.rad
#define NEAR_CAP 5.0f  // steps of a byte below the brightest: it may be cut there
#define DARK 0.5f      // sum that is added before luxels are weighed by how bright they are
#define MOST_LINE 96u  // bytes
#define LUXELS 16u     // that count as one of work

// What a face has beyond what its lamps give.
typedef struct shown {
    uint32_t material;
    uint32_t face;
    float least; // of its luxels
    float luxels;
    float cut; // luxels that are as bright as can be stored
} shown;

// A texture that may give light.
typedef struct shining {
    uint32_t material;
    float value[3]; // for each unit of what is looked for
} shining;

// A luxel that tells.
typedef struct sample {
    uint32_t face;
    uint32_t luxel;
    float least[3]; // without any light: what some surfaces have at least
} sample;

typedef struct estimate {
    bspi_relight *own;
    bsp_relight *lamps; // what they alone give, until samples were taken
    bspi_light_curve curve;
    bspi_light_source source; // the light of the map
    uint64_t num_luxels;      // of all its faces
    shown *faces;
    uint32_t num_faces;
    shining list[BSPI_FIT_MOST];
    bspi_fit_number scales[BSPI_FIT_MOST]; // of the value of each
    uint32_t count;
    sample *samples;
    uint32_t num_samples;
    bspi_fit_row *rows; // three channels of each sample, beyond what lamps give
    float *given;       // by each texture, on each row
} estimate;

// --- luxels -------------------------------------------------------------------------------------

// Returns the sum of light that became a channel of a luxel.
static float sum_of(const bspi_light_curve *curve, float stored) {
    return stored > 0 ? curve->full / curve->gain * bspi_power(stored / curve->full, curve->gamma)
                      : 0;
}

static float brightest(const float rgb[3]) {
    return fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
}

static bool is_cut(const estimate *e, const float rgb[3]) {
    return brightest(rgb) >= e->curve.cap - NEAR_CAP;
}

// The light that the map has of a face. False without, or where it is not always on.
static bool stored_of(const estimate *e, uint32_t face, bspi_luxels *out) {
    return bspi_luxels_of(&e->source, face, out) == BSPI_LIT && out->num_styles != 0 &&
           out->styles[0] == 0;
}

static void stored_luxel(const bspi_luxels *luxels, uint32_t n, float rgb[3]) {
    bspi_luxel_decode(luxels->format, luxels->data + (size_t)n * bspi_luxel_bytes(luxels->format),
                      1, rgb);
}

// Sets what was made of a luxel, as it would be stored; 0 where it is black.
static void made_luxel(const bsp_relight *light, uint32_t number, uint32_t n, float rgb[3]) {
    const bsp_relight_face *face = &light->faces[number];
    bool lit = face->luxels != NULL && face->num_styles != 0 && face->styles[0] == 0 &&
               n < face->width * face->height;
    memset(rgb, 0, 3 * sizeof *rgb);
    if (lit) {
        memcpy(rgb, face->luxels[n], 3 * sizeof *rgb);
    }
}

// --- textures -----------------------------------------------------------------------------------

static void see_face(estimate *e, uint32_t face, const bspi_luxels *luxels) {
    uint32_t count = luxels->width * luxels->height;
    shown *s = &e->faces[e->num_faces++];
    float least = INFINITY;
    float made = INFINITY;
    *s = (shown){.material = bsp_surface_material(e->own->map, face), .face = face};
    for (uint32_t n = 0; n < count; n++) {
        float rgb[3];
        stored_luxel(luxels, n, rgb);
        s->cut += is_cut(e, rgb);
        least = fminf(least, sum_of(&e->curve, brightest(rgb)));
        made_luxel(e->lamps, face, n, rgb);
        made = fminf(made, sum_of(&e->curve, brightest(rgb)));
    }
    s->luxels = (float)count;
    s->least = count != 0 ? least - made : 0;
}

static int by_material(const void *left, const void *right) {
    const shown *a = left;
    const shown *b = right;
    return a->material != b->material ? (a->material > b->material) - (a->material < b->material)
           : a->least != b->least     ? (a->least > b->least) - (a->least < b->least)
                                      : (a->face > b->face) - (a->face < b->face);
}

// Adds the colour of a face to that of a texture: of luxels that are cut as they are, of others
// what lamps do not give.
static void add_color(const estimate *e, const shown *face, bool cut, float color[3]) {
    bspi_luxels luxels;
    if (!stored_of(e, face->face, &luxels)) {
        return;
    }
    for (uint32_t n = 0; n < luxels.width * luxels.height; n++) {
        float rgb[3];
        float made[3];
        stored_luxel(&luxels, n, rgb);
        made_luxel(e->lamps, face->face, n, made);
        for (int c = 0; c < 3; c++) {
            color[c] += sum_of(&e->curve, rgb[c]) - (cut ? 0 : sum_of(&e->curve, made[c]));
        }
    }
}

// Can a line of a lights.rad name a texture that no other one is named like?
static bool is_nameable(const estimate *e, uint32_t material) {
    bsp_text name = e->own->map->materials[material].name;
    bool good = name.size != 0 && name.size < MOST_LINE / 2;
    for (size_t i = 0; i < name.size; i++) {
        good = good && (uint8_t)name.data[i] > ' ' && name.data[i] != '/';
    }
    for (uint32_t i = 0; good && i < e->count; i++) {
        good = !bspi_text_equal_nocase(e->own->map->materials[e->list[i].material].name, name);
    }
    return good;
}

// Looks at the faces of a texture, darkest first.
static void see_texture(estimate *e, const shown *faces, uint32_t count) {
    float all = 0;
    float bright = 0;
    float before = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        all += faces[i].luxels;
        bright += faces[i].cut;
    }
    bool cut = bright > CUT * all;
    while (n + 1 < count && before + faces[n].luxels < DARKEST * all) {
        before += faces[n++].luxels;
    }
    uint32_t material = faces[0].material;
    if (!(faces[n].least >= LEAST) || all > LARGEST * (float)e->num_luxels ||
        e->count == BSPI_FIT_MOST || material >= e->own->map->num_materials ||
        !is_nameable(e, material)) {
        return;
    }
    float color[3] = {0, 0, 0};
    for (uint32_t i = n; i < count; i++) {
        add_color(e, &faces[i], cut, color);
    }
    float most = brightest(color);
    shining *s = &e->list[e->count];
    *s = (shining){.material = material};
    e->scales[e->count] = cut ? (bspi_fit_number){.least = faces[n].least, .most = FLT_MAX}
                              : (bspi_fit_number){.most = faces[n].least};
    for (int c = 0; c < 3; c++) {
        s->value[c] = most > 0 ? floorf(FULL * fmaxf(0, color[c]) / most + 0.5f) : 0;
    }
    e->count += most > 0;
}

static bool find_textures(estimate *e, bsp_error *error) {
    const bsp_map *map = e->own->map;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        bspi_luxels luxels;
        bool lit = stored_of(e, f, &luxels);
        if (lit) {
            see_face(e, f, &luxels);
        }
        if (!bspi_heap_work(&e->own->heap, 1 + (lit ? luxels.width * luxels.height / LUXELS : 0),
                            error)) {
            return false;
        }
    }
    if (e->num_faces != 0) {
        qsort(e->faces, e->num_faces, sizeof *e->faces, by_material);
    }
    uint32_t next = 0;
    for (uint32_t i = 0; i < e->num_faces; i = next) {
        while (next < e->num_faces && e->faces[next].material == e->faces[i].material) {
            next++;
        }
        see_texture(e, e->faces + i, next - i);
    }
    return true;
}

// --- samples ------------------------------------------------------------------------------------

static bool shines(const estimate *e, uint32_t face) {
    uint32_t material = bsp_surface_material(e->own->map, face);
    bool found = false;
    for (uint32_t i = 0; i < e->count; i++) {
        found = found || e->list[i].material == material;
    }
    return found;
}

static void add_sample(estimate *e, uint32_t face, uint32_t luxel, const float stored[3]) {
    bspi_fit_row *rows = e->rows + 3 * (size_t)e->num_samples;
    float made[3];
    e->samples[e->num_samples++] = (sample){.face = face, .luxel = luxel};
    made_luxel(e->lamps, face, luxel, made);
    for (int c = 0; c < 3; c++) { // by steps of a byte
        float sum = sum_of(&e->curve, stored[c]);
        rows[c].sum = sum - sum_of(&e->curve, made[c]);
        rows[c].weight = is_cut(e, stored) ? 0 : bspi_power(sum + DARK, 1 / e->curve.gamma - 1);
    }
}

static bool take_samples(estimate *e, bsp_error *error) {
    const bsp_map *map = e->own->map;
    uint64_t step = e->num_luxels / SAMPLES + 1;
    uint64_t before = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        bspi_luxels luxels;
        if (!stored_of(e, f, &luxels)) {
            continue;
        }
        uint64_t count = (uint64_t)luxels.width * luxels.height;
        for (uint64_t n = (step - before % step) % step; n < count && !shines(e, f); n += step) {
            float rgb[3];
            stored_luxel(&luxels, (uint32_t)n, rgb);
            add_sample(e, f, (uint32_t)n, rgb);
        }
        before += count;
    }
    bsp_relight_free(e->lamps); // one light at a time
    e->lamps = NULL;
    return bspi_heap_work(&e->own->heap, (uint64_t)map->num_faces * e->count, error);
}

// Writes what a texture gives as a line of a lights.rad, with its end. Returns its length.
static size_t put_line(const estimate *e, const shining *s, float light, char out[MOST_LINE]) {
    bsp_text name = e->own->map->materials[s->material].name;
    int size =
        snprintf(out, MOST_LINE, "%.*s %.0f %.0f %.0f %.0f\n", (int)name.size, name.data,
                 (double)s->value[0], (double)s->value[1], (double)s->value[2], (double)light);
    return size > 0 && size < (int)MOST_LINE ? (size_t)size : 0;
}

// --- light --------------------------------------------------------------------------------------

static const bsp_entities none = {0};

// Makes light by lamps, or none of them, and by one texture, or none (NULL).
static bsp_relight *make_one(const estimate *e, bspi_relight_make *make, const bsp_entities *lamps,
                             const shining *of, bsp_error *error) {
    const bsp_relight_options *taken = e->own->options;
    char line[MOST_LINE];
    bsp_relight_options how = {.compiler = BSP_COMPILER_HLRAD,
                               .preview = e->num_luxels > SMALL,
                               .force = true,
                               .texlights_all = true,
                               .textures = taken->textures,
                               .lights = lamps,
                               .allocator = taken->allocator,
                               .budget = taken->budget};
    if (of != NULL) {
        how.texlights = (bsp_text){line, put_line(e, of, TRIED, line)};
    }
    return make(e->own->map, e->own->file, &how, error);
}

static bool take_least(estimate *e, bspi_relight_make *make, bsp_error *error) {
    bsp_relight *dark = make_one(e, make, &none, NULL, error);
    for (uint32_t i = 0; dark != NULL && i < e->num_samples; i++) {
        sample *s = &e->samples[i];
        float rgb[3];
        made_luxel(dark, s->face, s->luxel, rgb);
        for (int c = 0; c < 3; c++) {
            s->least[c] = sum_of(&e->curve, rgb[c]);
        }
    }
    bsp_relight_free(dark);
    return dark != NULL && bspi_heap_work(&e->own->heap, e->num_samples, error);
}

static void take_given(estimate *e, uint32_t number, const bsp_relight *light) {
    for (size_t i = 0; i < e->num_samples; i++) {
        const sample *s = &e->samples[i];
        float rgb[3];
        made_luxel(light, s->face, s->luxel, rgb);
        for (size_t c = 0; c < 3; c++) {
            float sum = sum_of(&e->curve, rgb[c]) - s->least[c];
            e->given[(3 * i + c) * e->count + number] = sum / TRIED;
            e->rows[3 * i + c].weight *= !is_cut(e, rgb);
        }
    }
}

static bool try_textures(estimate *e, bspi_relight_make *make, bspi_progress *progress,
                         bsp_error *error) {
    bool done = true;
    for (uint32_t i = 0; done && i < e->count; i++) {
        bsp_relight *light = make_one(e, make, &none, &e->list[i], error);
        done = light != NULL && bspi_progress_step(progress, 1, error) &&
               bspi_heap_work(&e->own->heap, e->num_samples, error);
        if (done) {
            take_given(e, i, light);
        }
        bsp_relight_free(light);
    }
    return done;
}

// --- all ----------------------------------------------------------------------------------------

static bool write_lines(const estimate *e, bsp_text *out, bsp_error *error) {
    char *text = bspi_arena_raw(&e->own->arena, e->count, MOST_LINE, error);
    size_t size = 0;
    for (uint32_t i = 0; text != NULL && i < e->count; i++) {
        float light = floorf(fminf(e->scales[i].value, 1e6f) + 0.5f);
        size += light >= 1 ? put_line(e, &e->list[i], light, text + size) : 0;
    }
    *out = (bsp_text){text, text != NULL ? size : 0};
    return text != NULL;
}

static bool fit(estimate *e, bsp_error *error) {
    const bspi_fit fit = {.numbers = e->scales,
                          .count = e->count,
                          .rows = e->rows,
                          .num_rows = 3 * (size_t)e->num_samples,
                          .parts = e->given};
    return bspi_fit_find(&fit, &e->own->heap, error);
}

// What each of the textures that were found gives.
static bool weigh(estimate *e, bspi_relight_make *make, bsp_text *out, bsp_error *error) {
    bspi_heap *heap = &e->own->heap;
    size_t room = e->num_luxels < SAMPLES ? (size_t)e->num_luxels : SAMPLES;
    size_t samples = room * sizeof *e->samples;
    size_t rows = 3 * room * sizeof *e->rows;
    size_t given = 3 * room * e->count * sizeof *e->given;
    bspi_progress progress;
    e->samples = bspi_heap_alloc(heap, samples, error);
    e->rows = bspi_heap_alloc(heap, rows, error);
    e->given = bspi_heap_alloc(heap, given, error);
    bool done =
        e->samples != NULL && e->rows != NULL && e->given != NULL &&
        bspi_progress_begin(&progress, &e->own->options->progress, "textures", e->count, error) &&
        take_samples(e, error) && take_least(e, make, error) &&
        try_textures(e, make, &progress, error) && fit(e, error) && write_lines(e, out, error);
    bspi_heap_free(heap, e->given, given);
    bspi_heap_free(heap, e->rows, rows);
    bspi_heap_free(heap, e->samples, samples);
    return done;
}

static bool estimate_all(estimate *e, bspi_relight_make *make, bsp_text *out, bsp_error *error) {
    size_t size = e->own->map->num_faces * sizeof *e->faces;
    e->faces = bspi_heap_alloc(&e->own->heap, size, error);
    bool done = e->faces != NULL && find_textures(e, error) &&
                (e->count == 0 || weigh(e, make, out, error));
    bspi_heap_free(&e->own->heap, e->faces, size);
    return done;
}

// Does something else say what textures give?
static bool is_told(const bspi_relight *own) {
    const bsp_relight_options *how = own->options;
    const bsp_entities *entities = how->lights != NULL ? how->lights : own->map->entities;
    bool told = how->texlights_all || how->texlights.size != 0;
    for (uint32_t i = 0; !told && entities != NULL && i < entities->count; i++) {
        told = bspi_is_texlight_list(&entities->list[i]) ||
               bspi_is_texlight_entity(&entities->list[i]);
    }
    return told;
}

static bool estimate_lit(estimate *e, bspi_relight_make *make, bsp_text *out, bsp_error *error) {
    for (uint32_t f = 0; f < e->own->map->num_faces; f++) {
        bspi_luxels luxels;
        e->num_luxels += stored_of(e, f, &luxels) ? luxels.width * luxels.height : 0;
    }
    e->lamps = bspi_heap_work(&e->own->heap, e->own->map->num_faces, error)
                   ? make_one(e, make, e->own->options->lights, NULL, error)
                   : NULL;
    if (e->lamps == NULL) {
        return false;
    }
    e->curve = ((const bspi_relight *)e->lamps->owner)->scale.curve;
    bool done = estimate_all(e, make, out, error);
    bsp_relight_free(e->lamps);
    return done;
}

bool bspi_stored_texlights(bspi_relight *own, bspi_relight_make *make, bsp_text *out,
                           bsp_error *error) {
    const bsp_light_rules *rules = &own->map->traits->lights;
    bsp_light_compiler compiler = own->options->compiler;
    compiler = compiler == BSP_COMPILER_USUAL ? rules->compiler : compiler;
    *out = (bsp_text){NULL, 0};
    if (rules->compiler != BSP_COMPILER_HLRAD || compiler != BSP_COMPILER_HLRAD || is_told(own) ||
        own->map->light.size == 0) {
        return true;
    }
    estimate e = {.own = own};
    bspi_light_source_init(&e.source, own->map, own->file, false);
    bool done = estimate_lit(&e, make, out, error);
    bspi_light_source_free(&e.source);
    return done;
}
