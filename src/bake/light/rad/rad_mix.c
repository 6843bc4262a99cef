// SPDX-License-Identifier: MIT
// The light of patches comes to the luxels: each is a mix of the patches around it, and those of
// faces that go on round or level beside its own. A face gets the styles that are strongest then.
// Sources: lerp.cpp (InterpolateSampleLight), lightmap.cpp (PrecompLightmapOffsets, AddPatchLights)
// of SDHLT.
#include "bake/light/faces/flat.h"
#include "bake/light/places/places.h"
#include "bake/light/places/spots.h"
#include "bake/light/rad/rad_nearby.h"
#include "bake/light/rad/rad_wedges.h"

#include "bspkit/faces.h"
#include "core/workers.h"

#include <math.h>
#include <string.h>

#define MOST_SHARES 256u
#define MUTE 0.01f    // weight of a patch that is all in solid
#define LEAST 0.0001f // of a style that a face keeps: a hundredth of its coring
#define CORING 0.01f  // what is weaker is not added
#define MOST_STYLES 16u
#define STEPS 16u // patches, or corners of faces, that are looked at: so many are one of work

// --- one place ----------------------------------------------------------------------------------

typedef struct blend {
    bspi_rad_share list[MOST_SHARES];
    uint32_t count;
    float total;
} blend;

static void add_share(const bspi_rad *rad, blend *b, uint32_t patch, float weight) {
    weight *= rad->patches[patch].place.outside ? MUTE : 1;
    for (uint32_t i = 0; i < b->count; i++) {
        if (b->list[i].patch == patch) {
            b->list[i].weight += weight;
            b->total += weight;
            return;
        }
    }
    if (b->count < MOST_SHARES) {
        b->list[b->count++] = (bspi_rad_share){patch, weight};
        b->total += weight;
    }
}

// Takes the shares of all patches around; `weighted`: by how near they are.
static void collect(const bspi_rad *rad, const bspi_rad_nearby *near, bspi_rad_flat_eight_fn *eight,
                    const bspi_rad_spot *on, bool weighted, blend *b) {
    b->count = 0;
    b->total = 0;
    for (uint32_t first = 0; first < near->count; first += BSPI_RAD_LANES) {
        bspi_rad_flat8 at;
        eight(&near->planes, first, on, &at);
        for (uint32_t n = 0; at.near >> n != 0 && first + n < near->count; n++) {
            uint32_t patch = near->patches[first + n];
            bspi_rad_share shares[BSPI_RAD_SHARES];
            const bspi_flat_ray ray = {
                {at.spot[0][n], at.spot[1][n]}, {at.way[0][n], at.way[1][n]}, at.dist[n]};
            float weight;
            if ((at.near >> n & 1) == 0 || !bspi_wedges_weigh(&rad->around[patch], ray, &weight)) {
                continue;
            }
            uint32_t count = bspi_wedges_share(&rad->around[patch], patch, ray, shares);
            for (uint32_t k = 0; k < count; k++) {
                add_share(rad, b, shares[k].patch, shares[k].weight * (weighted ? weight : 1));
            }
        }
    }
}

// Takes the nearest patch of the face alone.
static void take_nearest(const bspi_rad *rad, const bspi_spot *spot, blend *b) {
    float least = INFINITY;
    for (uint32_t i = rad->firsts[spot->face]; i < rad->firsts[spot->face + 1]; i++) {
        float square = 0;
        for (int c = 0; c < 3; c++) {
            float way = rad->patches[i].middle[c] - spot->on[c];
            square += way * way;
        }
        if (square < least) {
            least = square;
            b->list[0] = (bspi_rad_share){i, 1};
            b->count = 1;
            b->total = 1;
        }
    }
}

static void blend_at(const bspi_rad *rad, const bspi_rad_nearby *near,
                     bspi_rad_flat_eight_fn *eight, const bspi_spot *spot, blend *b) {
    bspi_rad_spot on;
    bspi_rad_spot_set(rad->own, spot->on, spot->face, &on);
    collect(rad, near, eight, &on, true, b);
    if (!(b->total > 0)) {
        collect(rad, near, eight, &on, false, b);
    }
    if (!(b->total > 0)) {
        b->count = 0;
        take_nearest(rad, spot, b);
    }
}

static void light_of(const bspi_rad *rad, const blend *b, int style, float out[3]) {
    memset(out, 0, 3 * sizeof *out);
    for (uint32_t i = 0; i < b->count && b->total > 0; i++) {
        const float *light = bspi_rad_light_of(&rad->patches[b->list[i].patch].all, style);
        for (int c = 0; c < 3; c++) {
            out[c] += light[c] * b->list[i].weight / b->total;
        }
    }
}

// --- styles -------------------------------------------------------------------------------------

typedef struct style_list {
    int styles[MOST_STYLES];
    float direct[MOST_STYLES][3]; // the most of any luxel
    float thrown[MOST_STYLES][3]; // the most of any patch
    uint32_t count;
} style_list;

static uint32_t find_style(style_list *list, int style) {
    uint32_t i = 0;
    while (i < list->count && list->styles[i] != style) {
        i++;
    }
    if (i == list->count && i < MOST_STYLES) {
        list->styles[list->count++] = style;
    }
    return i;
}

static void raise_to(float most[3], const float light[3]) {
    for (int c = 0; c < 3; c++) {
        most[c] = light[c] > most[c] ? light[c] : most[c]; // not fmaxf, which is a call
    }
}

static float strength(const style_list *list, uint32_t i) {
    float most = 0;
    for (int c = 0; c < 3; c++) {
        most = fmaxf(most, list->direct[i][c] + list->thrown[i][c]);
    }
    return most > LEAST ? most : 0;
}

static void find_styles(const bspi_rad *rad, const bsp_relight_face *face, const uint32_t *faces,
                        uint32_t num_faces, style_list *list) {
    size_t each = (size_t)face->width * face->height;
    (void)find_style(list, 0);
    for (uint32_t s = 0; s < face->num_styles; s++) {
        uint32_t at = find_style(list, face->styles[s]);
        for (size_t n = 0; at < MOST_STYLES && n < each; n++) {
            raise_to(list->direct[at], face->luxels[each * s + n]);
        }
    }
    for (uint32_t f = 0; f < num_faces; f++) {
        for (uint32_t i = rad->firsts[faces[f]]; i < rad->firsts[faces[f] + 1]; i++) {
            const bspi_rad_light *light = &rad->patches[i].all;
            for (uint32_t k = 0; k < light->num_styles; k++) {
                uint32_t at = find_style(list, light->styles[k]);
                if (at < MOST_STYLES) {
                    raise_to(list->thrown[at], light->light[k]);
                }
            }
        }
    }
}

// Gives a face room for the styles that are strongest, the plain one first.
static bool choose_styles(bspi_rad *rad, bsp_relight_face *face, style_list *list,
                          bsp_error *error) {
    bspi_relight *own = rad->own;
    size_t each = (size_t)face->width * face->height;
    size_t bytes = each * own->most_styles * sizeof(float[3]);
    float(*luxels)[3] = bspi_heap_alloc(&own->heap, bytes, error);
    float(*old)[3] = (float(*)[3])face->luxels;
    uint8_t styles[BSP_RELIGHT_STYLES];
    uint32_t count = 0;
    bool done[MOST_STYLES] = {false};
    if (luxels == NULL) {
        return false;
    }
    memset(luxels, 0, bytes);
    while (count < own->most_styles && count < list->count) {
        uint32_t best = 0;
        for (uint32_t i = 1; i < list->count && count != 0; i++) {
            best = !done[i] && (done[best] || strength(list, i) > strength(list, best)) ? i : best;
        }
        if (done[best] || (count != 0 && !(strength(list, best) > 0))) {
            break;
        }
        done[best] = true;
        for (uint32_t s = 0; s < face->num_styles; s++) {
            if (face->styles[s] == list->styles[best]) {
                memcpy(luxels + each * count, old + each * s, each * sizeof *old);
            }
        }
        styles[count++] = (uint8_t)list->styles[best];
    }
    memset(face->styles, BSP_NO_STYLE, sizeof face->styles);
    memcpy(face->styles, styles, count);
    face->num_styles = count;
    memcpy(old, luxels, bytes);
    bspi_heap_free(&own->heap, luxels, bytes);
    return true;
}

// --- faces --------------------------------------------------------------------------------------

typedef struct mixer {
    bspi_rad *rad;
    uint32_t face;
    bspi_luxels luxels;
    const bspi_face_spots *spots; // of its luxels; NULL: they are looked for
    bool few;       // luxels are mixed, in a preview: where they are on the plane of the face
    bspi_flat flat; // that plane
    bspi_unfold unfold;
    uint32_t faces[BSPI_RAD_FACES]; // around the last place
    uint32_t num_faces;
    uint32_t around;      // the face that they are around
    bspi_rad_nearby near; // their patches
    bspi_rad_flat_eight_fn *eight;
    uint64_t steps; // that are not paid for yet
    bsp_error *error;
    bool failed; // there was no memory for them
    blend mix;
} mixer;

// Finds the faces around one that a place is on, and their patches. A failure is told when the
// steps are paid for.
static void look_around(mixer *m, uint32_t face) {
    uint64_t corners = 0;
    bspi_rad_nearby_free(&m->rad->own->heap, &m->near);
    m->around = face;
    m->num_faces = bspi_rad_faces(m->rad->own, face, m->faces, &corners);
    m->failed |= !bspi_rad_nearby_list(m->rad, m->faces, m->num_faces, &m->near, m->error);
    m->steps += (corners + m->near.count) / STEPS;
}

// Finds the mix at a luxel. False where the face has no place for it.
static bool mix_at(mixer *m, const bsp_relight_face *face, uint32_t n) {
    bspi_spot spot = {.found = true, .face = m->face};
    float s = (float)(n % face->width);
    float t = (float)(n / face->width);
    if (m->few) {
        const float *origin = m->rad->own->models[m->rad->own->face_models[m->face]].origin;
        bspi_flat_point(&m->flat, s, t, spot.on);
        for (int c = 0; c < 3; c++) {
            spot.on[c] += origin[c];
        }
    } else if (m->spots != NULL) {
        const bspi_luxel_spot *known = &m->spots->list[n];
        memcpy(spot.on, known->on, sizeof spot.on);
        spot.face = known->face;
        spot.found = known->face != BSP_NONE;
    } else {
        bspi_unfold_luxel(&m->unfold, &m->luxels, s, t, 0, &spot);
    }
    if (!spot.found) {
        return false;
    }
    if (spot.face != m->around) {
        look_around(m, spot.face);
    }
    m->steps += m->near.count / STEPS;
    blend_at(m->rad, &m->near, m->eight, &spot, &m->mix);
    return !m->failed;
}

static void brighten(float luxel[3], const float light[3]) {
    float most = 0;
    for (int c = 0; c < 3; c++) {
        float sum = light[c] + luxel[c];
        most = sum > most ? sum : most;
    }
    for (int c = 0; c < 3 && most >= CORING; c++) {
        luxel[c] += light[c];
    }
}

static void add_at(mixer *m, bsp_relight_face *face, uint32_t n) {
    size_t each = (size_t)face->width * face->height;
    if (!mix_at(m, face, n)) {
        return;
    }
    for (uint32_t s = 0; s < face->num_styles; s++) {
        float light[3];
        light_of(m->rad, &m->mix, face->styles[s], light);
        brighten((float *)face->luxels[each * s + n], light);
    }
}

static bool pay(mixer *m) {
    bool done =
        !m->failed && bspi_heap_work(&m->rad->own->heap, 64 + m->unfold.work + m->steps, m->error);
    m->unfold.work = 0;
    m->steps = 0;
    return done;
}

static bool add_all(mixer *m, bsp_relight_face *face) {
    bool done = true;
    for (uint32_t n = 0; done && n < face->width * face->height; n++) {
        add_at(m, face, n);
        done = pay(m);
    }
    return done;
}

// Returns the least number of a face, from one on, that a luxel is on, or BSP_NONE.
static uint32_t next_face(const bspi_face_spots *spots, uint32_t from) {
    uint32_t least = BSP_NONE;
    for (uint32_t n = 0; n < spots->count; n++) {
        uint32_t face = spots->list[n].face;
        least = face >= from && face < least ? face : least;
    }
    return least;
}

// The same as add_all, those of each face together.
static bool add_known(mixer *m, bsp_relight_face *face) {
    const bspi_face_spots *spots = m->spots;
    bool done = true;
    for (uint32_t on = next_face(spots, 0); done && on != BSP_NONE; on = next_face(spots, on + 1)) {
        for (uint32_t n = 0; done && n < spots->count; n++) {
            if (spots->list[n].face == on) {
                add_at(m, face, n);
                done = pay(m);
            }
        }
        m->steps += spots->count / STEPS;
    }
    return done;
}

static bool add_unfolded(mixer *m, bsp_relight_face *face) {
    const bspi_face_spots *spots = m->rad->own->spots != NULL ? &m->rad->own->spots[m->face] : NULL;
    if (spots != NULL && spots->list != NULL && spots->count == face->width * face->height) {
        m->spots = spots;
        return add_known(m, face);
    }
    float range = bspi_spots_range(m->rad->own);
    bool done =
        bspi_unfold_begin(m->rad->own, m->face, range, &m->unfold, m->error) && add_all(m, face);
    bspi_unfold_end(&m->unfold);
    return done;
}

// Mixes at those luxels that count, and gives the others what is between them.
static bool add_some(mixer *m, bsp_relight_face *face, bspi_places *some, bool *known,
                     float (*sums)[3]) {
    bool done = true;
    for (uint32_t n = 0; done && n < some->count; n++) {
        some->lit[n] = bspi_place_counts(some, n) && mix_at(m, face, n);
        for (uint32_t s = 0; some->lit[n] && s < face->num_styles; s++) {
            light_of(m->rad, &m->mix, face->styles[s], sums[(size_t)some->count * s + n]);
        }
        done = !some->lit[n] || pay(m);
    }
    for (uint32_t s = 0; done && s < face->num_styles; s++) {
        memcpy(known, some->lit, some->count);
        bspi_places_spread(some, known, sums + (size_t)some->count * s);
        for (uint32_t n = 0; n < some->count; n++) {
            if (known[n]) {
                size_t at = (size_t)some->count * s + n;
                brighten((float *)face->luxels[at], sums[at]);
            }
        }
    }
    for (uint32_t n = 0; done && face->num_styles != 0 && n < some->count; n++) {
        if (!known[n]) { // beside all that count
            add_at(m, face, n);
            done = pay(m);
        }
    }
    return done;
}

static bool add_few(mixer *m, bsp_relight_face *face) {
    bspi_heap *heap = &m->rad->own->heap;
    uint32_t count = face->width * face->height;
    size_t size = (size_t)count * face->num_styles * sizeof(float[3]);
    bspi_places some = {.width = face->width,
                        .height = face->height,
                        .count = count,
                        .extra = 1,
                        .step = m->rad->own->scale.step};
    some.lit = bspi_heap_alloc(heap, count, m->error);
    bool *known = bspi_heap_alloc(heap, count, m->error);
    float(*sums)[3] = bspi_heap_alloc(heap, size, m->error);
    bool done =
        some.lit != NULL && known != NULL && sums != NULL && add_some(m, face, &some, known, sums);
    bspi_heap_free(heap, sums, size);
    bspi_heap_free(heap, known, count);
    bspi_heap_free(heap, some.lit, count);
    return done;
}

// Adds what a face gives itself.
static void add_glow(const bspi_relight *own, bsp_relight_face *face, const float glow[3]) {
    size_t each = (size_t)face->width * face->height;
    float(*luxels)[3] = (float(*)[3])face->luxels;
    for (size_t n = 0; n < each && own->glow != NULL; n++) {
        for (int c = 0; c < 3; c++) {
            luxels[n][c] += glow[c];
        }
    }
}

static bool mix_face(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    bspi_rad *rad = user;
    bspi_relight *own = rad->own;
    bsp_relight_face *face = &own->faces[item];
    style_list list = {.count = 0};
    (void)worker;
    if (face->luxels == NULL || face->directions != 1) {
        return true;
    }
    mixer *m = bspi_heap_alloc(&own->heap, sizeof *m, error);
    if (m == NULL) {
        return false;
    }
    *m = (mixer){.rad = rad, .face = item, .eight = bspi_rad_flat_eight_here(), .error = error};
    look_around(m, item);
    find_styles(rad, face, m->faces, m->num_faces, &list);
    bool done = pay(m) && choose_styles(rad, face, &list, error);
    if (done && own->glow != NULL) {
        add_glow(own, face, own->glow[item]);
    }
    if (done && rad->firsts[item] != rad->firsts[item + 1] &&
        bspi_luxels_place(&own->source, item, &m->luxels)) {
        m->few = own->scale.step > 1 &&
                 bsp_surface_plane(own->map, item, m->flat.normal, &m->flat.dist) &&
                 bspi_flat_find(&m->flat, &m->luxels);
        done = m->few ? add_few(m, face) : add_unfolded(m, face);
    }
    done = done && !m->failed;
    bspi_rad_nearby_free(&own->heap, &m->near);
    bspi_heap_free(&own->heap, m, sizeof *m);
    return done;
}

bool bspi_rad_mix(bspi_rad *rad, bsp_error *error) {
    return bspi_workers_each(bspi_heap_threads(&rad->own->heap), rad->own->map->num_faces, mix_face,
                             rad, error);
}
