// SPDX-License-Identifier: MIT
// What textures of GoldSrc gave, out of the light that the map has. A face that gives light shows
// it on all of its luxels: textures are looked for of which hardly a luxel is as dark as lamps let
// it be. How much each of them gave tell the luxels of all other faces, since light is a sum: that
// of the lamps, and as many times that of each texture as fits best.
#include "bake/light/stored_texlights.h"

#include "bake/light/base/fit.h"
#include "bake/light/base/keys.h"
#include "bake/light/base/stored.h"
#include "bake/light/lamps/texlights.h"

#include "core/curves.h"
#include "core/progress.h"
#include "core/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 65536u // luxels, at most
#define SMALL 32768u   // luxels of a map for which previews are not good enough
#define LEAST 24.0f    // sums of light: what shines less is not found
#define DARKEST 0.2f   // share of the luxels of a texture that may be darker
#define CUT 0.5f       // and that are as bright as can be: how bright they are is not known
#define TRIED 1000.0f  // what a texture gives alone
#define STRONGEST 1e6f // what a texture gives at most
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
    float cut;       // luxels that are as bright as can be stored
    float stored[3]; // sums of their light in the map
    float made[3];   // and by its lamps
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
    float cut;           // the least sum that may have been cut
    uint64_t num_luxels; // that the map has
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

// Sets the sums of light that became a luxel; 0 where it was not made.
static void made_sums(const estimate *e, const bsp_relight *light, uint32_t number, uint32_t luxel,
                      float sums[3]) {
    const bsp_relight_face *face = &light->faces[number];
    uint32_t style = bspi_face_style(face, 0);
    size_t each = (size_t)face->width * face->height;
    bool made = face->luxels != NULL && style != BSP_NONE && luxel < each;
    for (int c = 0; c < 3; c++) {
        sums[c] = made ? sum_of(&e->curve, face->luxels[each * style + luxel][c]) : 0;
    }
}

// The same of one that the map has. Returns whether it is as bright as can be.
static bool stored_sums(const estimate *e, const float stored[3], float sums[3]) {
    for (int c = 0; c < 3; c++) {
        sums[c] = sum_of(&e->curve, stored[c]);
    }
    return brightest(sums) >= e->cut;
}

// --- textures -----------------------------------------------------------------------------------

static void see_face(estimate *e, uint32_t face, const bspi_luxels *luxels) {
    uint32_t count = luxels->width * luxels->height;
    shown *s = &e->faces[e->num_faces++];
    float least = INFINITY;
    float made_least = INFINITY;
    *s = (shown){.material = bsp_surface_material(e->own->map, face), .face = face};
    for (uint32_t n = 0; n < count; n++) {
        float rgb[3];
        float stored[3];
        float made[3];
        bspi_stored_luxel(luxels, n, rgb);
        made_sums(e, e->lamps, face, n, made);
        s->cut += stored_sums(e, rgb, stored);
        least = fminf(least, brightest(stored));
        made_least = fminf(made_least, brightest(made));
        for (int c = 0; c < 3; c++) {
            s->stored[c] += stored[c];
            s->made[c] += made[c];
        }
    }
    s->luxels = (float)count;
    s->least = count != 0 ? least - made_least : 0;
}

static int by_material(const void *left, const void *right) {
    const shown *a = left;
    const shown *b = right;
    return a->material != b->material ? (a->material > b->material) - (a->material < b->material)
           : a->least != b->least     ? (a->least > b->least) - (a->least < b->least)
                                      : (a->face > b->face) - (a->face < b->face);
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

// Looks at the faces of a texture, darkest first. Its colour is what lamps do not give; where it is
// as bright as can be, all of it.
static void see_texture(estimate *e, const shown *faces, uint32_t count) {
    float all = 0;
    float bright = 0;
    float before = 0;
    float color[3] = {0, 0, 0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        all += faces[i].luxels;
        bright += faces[i].cut;
    }
    bool cut = bright > CUT * all;
    while (n + 1 < count && before + faces[n].luxels < DARKEST * all) {
        before += faces[n++].luxels;
    }
    for (uint32_t i = n; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            color[c] += faces[i].stored[c] - (cut ? 0 : faces[i].made[c]);
        }
    }
    float most = brightest(color);
    uint32_t material = faces[0].material;
    if (!(faces[n].least >= LEAST && most > 0) || all > LARGEST * (float)e->num_luxels ||
        e->count == BSPI_FIT_MOST || material >= e->own->map->num_materials ||
        !is_nameable(e, material)) {
        return;
    }
    shining *s = &e->list[e->count];
    s->material = material;
    for (int c = 0; c < 3; c++) {
        s->value[c] = floorf(FULL * fmaxf(0, color[c]) / most + 0.5f);
    }
    e->scales[e->count++] = (bspi_fit_number){.least = cut ? faces[n].least : 0,
                                              .most = cut ? STRONGEST : faces[n].least};
}

static bool find_textures(estimate *e, bsp_error *error) {
    const bsp_map *map = e->own->map;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        bspi_luxels luxels;
        bool lit = bspi_stored_luxels(e->own, f, &luxels);
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

static void add_sample(void *user, uint32_t face, uint32_t luxel, const float stored[3]) {
    estimate *e = user;
    bspi_fit_row *rows = e->rows + 3 * (size_t)e->num_samples;
    float sums[3];
    float made[3];
    if (shines(e, face)) {
        return;
    }
    bool cut = stored_sums(e, stored, sums);
    made_sums(e, e->lamps, face, luxel, made);
    for (int c = 0; c < 3; c++) { // by steps of a byte
        rows[c].sum = sums[c] - made[c];
        rows[c].weight = cut ? 0 : bspi_power(sums[c] + DARK, 1 / e->curve.gamma - 1);
    }
    e->samples[e->num_samples++] = (sample){.face = face, .luxel = luxel};
}

// Looks at luxels that show what is beyond the light of lamps, which is not needed any more then.
static bool take_samples(estimate *e, bsp_error *error) {
    bool done = bspi_stored_spread(e->lamps->owner, SAMPLES, false, add_sample, e, error);
    bsp_relight_free(e->lamps);
    e->lamps = NULL;
    return done;
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
        made_sums(e, dark, s->face, s->luxel, s->least);
    }
    bsp_relight_free(dark);
    return dark != NULL && bspi_heap_work(&e->own->heap, e->num_samples, error);
}

static void take_given(estimate *e, uint32_t number, const bsp_relight *light) {
    for (size_t i = 0; i < e->num_samples; i++) {
        const sample *s = &e->samples[i];
        float sums[3];
        made_sums(e, light, s->face, s->luxel, sums);
        bool cut = brightest(sums) >= e->cut;
        for (size_t c = 0; c < 3; c++) {
            e->given[(3 * i + c) * e->count + number] = (sums[c] - s->least[c]) / TRIED;
            e->rows[3 * i + c].weight *= !cut;
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

static bool write_lines(const estimate *e, bsp_error *error) {
    bspi_relight *own = e->own;
    char *text = bspi_arena_raw(&own->arena, e->count, MOST_LINE, error);
    size_t size = 0;
    for (uint32_t i = 0; text != NULL && i < e->count; i++) {
        float light = floorf(e->scales[i].value + 0.5f);
        size += light >= 1 ? put_line(e, &e->list[i], light, text + size) : 0;
    }
    own->texlights = own->relight.texlights = (bsp_text){text, size};
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
static bool weigh(estimate *e, bspi_relight_make *make, bsp_error *error) {
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
        try_textures(e, make, &progress, error) && fit(e, error) && write_lines(e, error);
    bspi_heap_free(heap, e->given, given);
    bspi_heap_free(heap, e->rows, rows);
    bspi_heap_free(heap, e->samples, samples);
    return done;
}

static bool estimate_all(estimate *e, bspi_relight_make *make, bsp_error *error) {
    size_t size = e->own->map->num_faces * sizeof *e->faces;
    e->faces = bspi_heap_alloc(&e->own->heap, size, error);
    bool done =
        e->faces != NULL && find_textures(e, error) && (e->count == 0 || weigh(e, make, error));
    bspi_heap_free(&e->own->heap, e->faces, size);
    return done;
}

// Does something else say what textures give?
static bool is_told(const bspi_relight *own) {
    const bsp_entities *entities = bspi_lit_entities(own);
    bool told = own->options->texlights_all || own->texlights.size != 0;
    for (uint32_t i = 0; !told && entities != NULL && i < entities->count; i++) {
        told = bspi_is_texlight_list(&entities->list[i]) ||
               bspi_is_texlight_entity(&entities->list[i]);
    }
    return told;
}

bool bspi_stored_texlights(bspi_relight *own, bspi_relight_make *make, bsp_error *error) {
    estimate e = {.own = own};
    if (own->relight.compiler != BSP_COMPILER_HLRAD || own->source.data.size == 0 || is_told(own)) {
        return true;
    }
    for (uint32_t f = 0; f < own->map->num_faces; f++) {
        bspi_luxels luxels;
        e.num_luxels += bspi_stored_luxels(own, f, &luxels) ? luxels.width * luxels.height : 0;
    }
    e.lamps = bspi_heap_work(&own->heap, own->map->num_faces, error)
                  ? make_one(&e, make, own->options->lights, NULL, error)
                  : NULL;
    if (e.lamps == NULL) {
        return false;
    }
    e.curve = ((const bspi_relight *)e.lamps->owner)->scale.curve;
    e.cut = sum_of(&e.curve, e.curve.cap - NEAR_CAP);
    bool done = estimate_all(&e, make, error);
    bsp_relight_free(e.lamps);
    return done;
}
