// SPDX-License-Identifier: MIT
// Which faces of the world were lit as if they were round. qbsp of ericw-tools gives all surfaces
// of a texinfo one angle, so that these are looked at together: faces are lit flat and round, and
// those were round whose luxels come nearer to the stored ones then. What differs from face to
// face, and not on one, tells nothing: what other surfaces throw back does nearly so.
#include "bake/light/stored_smooth.h"

#include "bake/light/base/stored.h"
#include "bake/light/faces/smooth.h"
#include "bake/light/gather/direct.h"
#include "bake/light/lumps/finish.h"

#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL 89.0f      // degrees of "_phong" 1
#define FLAT 0.9999f     // cosine of a normal that is that of its face
#define CUT 250.0f       // a luxel that is as bright may have been cut
#define SEEN 1.0f        // steps of a byte by which round and flat luxels that tell differ at least
#define EXPLAINED 0.75f  // steps that flat luxels are off by, on the mean, where they are right
#define LEAST 40.0f      // sum of differences by which a texinfo tells
#define LEAST_ALL 200.0f // and all that are joined
#define NEARER 0.4f      // share of the difference by which round luxels come nearer to stored ones
#define LEFT 0.75f       // and what is left of how far off flat ones were
#define ENOUGH 512u      // luxels of a texinfo that are all looked at,
#define MANY 8u          // and one of so many of those after them
#define ROUNDS 8         // of leaving texinfos out
#define LUXELS 16u       // that count as one of work

// A face that may be round.
typedef struct candidate {
    uint32_t face;
    uint32_t texinfo;
    uint32_t count; // luxels
    size_t first;   // of them
} candidate;

// How light comes out, as sums over luxels, in steps of a byte.
typedef struct score {
    float luxels;
    float change; // between round and flat light
    float flat;   // what flat light is off by,
    float round;  // and what round light is
} score;

// How many luxels of a texinfo may tell, and how many of them are looked at.
typedef struct looked {
    uint64_t all;
    uint64_t taken;
} looked;

typedef struct estimate {
    bspi_relight *own;
    bspi_smooth flat; // as keys say
    bspi_arena arena; // of what is here
    bspi_arena tried; // of `own->smooth`
    float *angles;    // of texinfos: `own->round`
    bool *bent;       // faces of the world whose normals are not their own
    candidate *list;
    uint32_t count;
    uint32_t *which; // those that are looked at
    uint32_t num_which;
    float *stored;    // brightest channels of the luxels of all
    float *made[2];   // the same, flat and round
    float *room;      // for the luxels of a face
    int round;        // which of them is made
    looked *looked;   // of texinfos
    score *scores;    // the same
    uint32_t *joined; // texinfo that each one is joined to; itself: it is the first of its group
} estimate;

// --- candidates ---------------------------------------------------------------------------------

// Has a face of the world normals that are not its own, by more than keys say?
static bool has_bent(const estimate *e, uint32_t face) {
    const bspi_smooth *smooth = &e->own->smooth;
    float normal[3];
    float dist;
    bool bent = false;
    if (!smooth->any || e->own->face_models[face] != 0 || e->flat.round[face] ||
        e->own->map->faces[face].texinfo >= e->own->map->num_texinfos ||
        !bsp_surface_plane(e->own->map, face, normal, &dist)) {
        return false;
    }
    for (uint32_t i = smooth->starts[face]; i < smooth->starts[face + 1]; i++) {
        bent = bent || bspi_dot(smooth->normals[i], normal) < FLAT;
    }
    return bent;
}

// Finds the normals of faces anew, by the angles as they are.
static bool find_normals(estimate *e, bsp_error *error) {
    bspi_relight *own = e->own;
    bspi_arena kept = own->arena;
    bspi_arena_free(&e->tried);
    bspi_arena_init(&own->arena, &own->heap);
    own->smooth = (bspi_smooth){.any = false};
    bool done = bspi_smooth_find(own, error);
    e->tried = own->arena;
    own->arena = kept;
    for (uint32_t f = 0; done && f < own->map->num_faces; f++) {
        e->bent[f] = has_bent(e, f);
    }
    return done && bspi_heap_work(&own->heap, (uint64_t)own->map->num_faces * 4, error);
}

// Lists the candidates, of texinfos that have many luxels only some. Returns how many luxels these
// have.
static uint64_t list_candidates(estimate *e) {
    const bsp_map *map = e->own->map;
    uint64_t all = 0;
    for (uint32_t f = 0; f < map->num_faces; f++) {
        bspi_luxels luxels;
        if (!e->bent[f] || !bspi_stored_luxels(e->own, f, &luxels)) {
            continue;
        }
        looked *s = &e->looked[map->faces[f].texinfo];
        uint32_t count = luxels.width * luxels.height;
        s->all += count;
        if (s->taken <= ENOUGH || s->all >= s->taken * MANY) {
            s->taken += count;
            e->list[e->count] = (candidate){f, map->faces[f].texinfo, count, (size_t)all};
            e->which[e->num_which++] = e->count++;
            all += count;
        }
    }
    return all;
}

// Reads the luxels that the map has.
static bool read_luxels(estimate *e, uint64_t all, bsp_error *error) {
    uint32_t most = 0;
    size_t room = all < SIZE_MAX ? (size_t)all : SIZE_MAX; // faces may share their luxels
    if (!bspi_heap_work(&e->own->heap, all / LUXELS + 1, error)) {
        return false;
    }
    e->stored = bspi_arena_raw(&e->arena, room, sizeof *e->stored, error);
    for (int i = 0; i < 2; i++) {
        e->made[i] = bspi_arena_raw(&e->arena, room, sizeof *e->stored, error);
    }
    for (uint32_t i = 0; e->stored != NULL && i < e->count; i++) {
        const candidate *c = &e->list[i];
        bspi_luxels luxels;
        bool lit = bspi_stored_luxels(e->own, c->face, &luxels);
        most = c->count > most ? c->count : most;
        for (uint32_t n = 0; n < c->count; n++) {
            float rgb[3] = {0, 0, 0};
            if (lit) {
                bspi_stored_luxel(&luxels, n, rgb);
            }
            e->stored[c->first + n] = fmaxf(rgb[0], fmaxf(rgb[1], rgb[2]));
        }
    }
    e->room = bspi_arena_raw(&e->arena, most, sizeof *e->room, error);
    return e->stored != NULL && e->made[0] != NULL && e->made[1] != NULL && e->room != NULL;
}

static bool find_candidates(estimate *e, bsp_error *error) {
    const bsp_map *map = e->own->map;
    e->bent = bspi_arena_raw(&e->arena, map->num_faces, sizeof *e->bent, error);
    e->list = bspi_arena_raw(&e->arena, map->num_faces, sizeof *e->list, error);
    e->which = bspi_arena_raw(&e->arena, map->num_faces, sizeof *e->which, error);
    e->looked = bspi_arena_zero(&e->arena, map->num_texinfos, sizeof *e->looked, error);
    e->scores = bspi_arena_zero(&e->arena, map->num_texinfos, sizeof *e->scores, error);
    e->joined = bspi_arena_zero(&e->arena, map->num_texinfos, sizeof *e->joined, error);
    return e->bent != NULL && e->list != NULL && e->which != NULL && e->looked != NULL &&
           e->scores != NULL && e->joined != NULL && find_normals(e, error) &&
           read_luxels(e, list_candidates(e), error);
}

// --- light --------------------------------------------------------------------------------------

static bool light_one(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    const estimate *e = user;
    const candidate *c = &e->list[e->which[item]];
    bsp_relight_face *face = &e->own->faces[c->face];
    (void)worker;
    bool done =
        bspi_direct_face(e->own, c->face, error) && bspi_finish_number(e->own, c->face, error);
    size_t each = (size_t)face->width * face->height;
    uint32_t style = face->luxels == NULL ? BSP_NONE : bspi_face_style(face, 0);
    for (size_t n = 0; n < c->count; n++) {
        const float *rgb = style != BSP_NONE && n < each ? face->luxels[each * style + n] : NULL;
        e->made[e->round][c->first + n] = rgb != NULL ? fmaxf(rgb[0], fmaxf(rgb[1], rgb[2])) : 0;
    }
    bspi_heap_free(&e->own->heap, (void *)face->luxels,
                   each * face->directions * e->own->most_styles * sizeof *face->luxels);
    *face = (bsp_relight_face){.luxels = NULL};
    return done;
}

// Lights the faces that are looked at by the normals as they are.
static bool light(estimate *e, int round, bsp_error *error) {
    bspi_progress progress;
    e->round = round;
    return bspi_progress_begin(&progress, &e->own->options->progress, "round faces", e->num_which,
                               error) &&
           bspi_workers_stage(bspi_heap_threads(&e->own->heap), e->num_which, light_one, e,
                              &progress, error);
}

// --- scores -------------------------------------------------------------------------------------

static int by_value(const void *left, const void *right) {
    const float a = *(const float *)left;
    const float b = *(const float *)right;
    return (a > b) - (a < b);
}

// Returns by how much the luxels of a face are darker than stored ones; half of them by less.
static float darker(const estimate *e, const candidate *c, const float *made) {
    uint32_t count = 0;
    for (size_t n = c->first; n < c->first + c->count; n++) {
        if (e->stored[n] < CUT) {
            e->room[count++] = e->stored[n] - made[n];
        }
    }
    if (count != 0) {
        qsort(e->room, count, sizeof *e->room, by_value);
    }
    return count != 0 ? e->room[count / 2] : 0;
}

// Adds how the luxels of a face come out. `flat_alone`: round light was not made.
static void see_face(const estimate *e, const candidate *c, bool flat_alone, score *s) {
    const float *round = e->made[flat_alone ? 0 : 1];
    float least = flat_alone ? 0 : SEEN;
    const float middles[2] = {darker(e, c, e->made[0]), darker(e, c, round)};
    for (size_t n = c->first; n < c->first + c->count; n++) {
        float flat_off = e->stored[n] - e->made[0][n] - middles[0];
        float round_off = e->stored[n] - round[n] - middles[1];
        float change = fabsf(flat_off - round_off);
        if (e->stored[n] < CUT && change >= least) {
            s->luxels++;
            s->change += change;
            s->flat += fabsf(flat_off);
            s->round += fabsf(round_off);
        }
    }
}

static bool see(estimate *e, bool flat_alone, bsp_error *error) {
    uint64_t luxels = 0;
    memset(e->scores, 0, e->own->map->num_texinfos * sizeof *e->scores);
    for (uint32_t i = 0; i < e->num_which; i++) {
        const candidate *c = &e->list[e->which[i]];
        see_face(e, c, flat_alone, &e->scores[c->texinfo]);
        luxels += c->count;
    }
    return bspi_heap_work(&e->own->heap, luxels / 4 + e->own->map->num_texinfos / LUXELS + 1,
                          error);
}

// Looks only at those whose texinfo is round, and of these, if `off`, at those that flat light does
// not explain.
static void narrow(estimate *e, bool off) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < e->num_which; i++) {
        uint32_t texinfo = e->list[e->which[i]].texinfo;
        const score *s = &e->scores[texinfo];
        if (e->angles[texinfo] > 0 && (!off || s->flat >= EXPLAINED * s->luxels)) {
            e->which[kept++] = e->which[i];
        }
    }
    e->num_which = kept;
}

static bool is_nearer(const score *s, float share) {
    return s->flat - s->round >= share * s->change;
}

// Makes texinfos flat whose luxels come less near than that. Returns how many.
static uint32_t flatten(estimate *e, float share) {
    uint32_t count = 0;
    for (uint32_t t = 0; t < e->own->map->num_texinfos; t++) {
        const score *s = &e->scores[t];
        if (e->angles[t] > 0 && s->change >= LEAST && !is_nearer(s, share)) {
            e->angles[t] = 0;
            count++;
        }
    }
    return count;
}

// Leaves texinfos out that are not round, the clearest ones first, since they bend others.
static bool leave_out(estimate *e, bsp_error *error) {
    static const float shares[] = {0, NEARER / 2, NEARER};
    size_t at = 0;
    for (int round = 0; round < ROUNDS && e->num_which != 0; round++) {
        uint32_t left = 0;
        if (!light(e, 1, error) || !see(e, false, error)) {
            return false;
        }
        while (at < sizeof shares / sizeof *shares && (left = flatten(e, shares[at])) == 0) {
            at++;
        }
        if (left == 0) {
            break;
        }
        narrow(e, false);
        if (!find_normals(e, error)) {
            return false;
        }
    }
    return true;
}

// --- groups -------------------------------------------------------------------------------------

static uint32_t first_of(const estimate *e, uint32_t texinfo) {
    while (e->joined[texinfo] != texinfo) {
        e->joined[texinfo] = e->joined[e->joined[texinfo]];
        texinfo = e->joined[texinfo];
    }
    return texinfo;
}

// Joins round texinfos whose faces go on in each other.
static bool join(estimate *e, bsp_error *error) {
    const bsp_map *map = e->own->map;
    for (uint32_t t = 0; t < map->num_texinfos; t++) {
        e->joined[t] = t;
    }
    for (uint32_t f = 0; f < map->num_faces; f++) {
        uint32_t one = map->faces[f].texinfo;
        for (uint32_t i = 0; e->bent[f] && i < map->faces[f].num_edges; i++) {
            uint32_t across = bspi_smooth_across(e->own, f, i);
            uint32_t other =
                across != BSP_NONE && e->bent[across] ? map->faces[across].texinfo : one;
            if (e->angles[one] > 0 && e->angles[other] > 0) {
                uint32_t a = first_of(e, one);
                uint32_t b = first_of(e, other);
                e->joined[a > b ? a : b] = a > b ? b : a;
            }
        }
    }
    return bspi_heap_work(&e->own->heap, (uint64_t)map->num_surfedges * 4 + map->num_faces, error);
}

// Makes groups flat that do not tell that they are round. `left`: some are round.
static bool judge(estimate *e, bool *left, bsp_error *error) {
    uint32_t count = e->own->map->num_texinfos;
    *left = false;
    if (!join(e, error)) {
        return false;
    }
    for (uint32_t t = 0; t < count; t++) {
        const score *s = &e->scores[t];
        score *first = &e->scores[first_of(e, t)];
        if (e->angles[t] > 0 && first != s) {
            first->change += s->change;
            first->flat += s->flat;
            first->round += s->round;
        }
    }
    for (uint32_t t = 0; t < count; t++) {
        const score *s = &e->scores[first_of(e, t)];
        bool good = s->change >= LEAST_ALL && is_nearer(s, NEARER) && s->round <= LEFT * s->flat;
        e->angles[t] = good ? e->angles[t] : 0;
        *left = *left || e->angles[t] > 0;
    }
    return bspi_heap_work(&e->own->heap, count / LUXELS + 1, error);
}

// --- all ----------------------------------------------------------------------------------------

// Finds the round ones among the candidates: first where flat light is off, then, if there are any,
// in all of what is joined to these. `left`: some are round.
static bool find_round(estimate *e, bool *left, bsp_error *error) {
    bspi_smooth all = e->own->smooth;
    e->own->smooth = e->flat;
    bool done = light(e, 0, error) && see(e, true, error);
    e->own->smooth = all;
    narrow(e, true);
    done = done && leave_out(e, error) && judge(e, left, error);
    if (!done || !*left) {
        return done;
    }
    e->num_which = e->count;
    for (uint32_t i = 0; i < e->count; i++) {
        e->which[i] = i;
    }
    narrow(e, false);
    return find_normals(e, error) && leave_out(e, error) && judge(e, left, error);
}

// The same with what only the whole light needs put aside: each luxel is measured once.
static bool find_alone(estimate *e, bool *left, bsp_error *error) {
    bspi_relight *own = e->own;
    const bspi_light_scale scale = own->scale;
    const bspi_effort *effort = own->effort;
    struct bspi_ways *ways = own->ways;
    bspi_face_near *near = own->near;
    uint32_t dropped = own->dropped;
    uint64_t rays = own->rays;
    own->scale.extra = own->scale.step = 1;
    own->scale.soft = 0;
    own->effort = &bspi_effort_whole;
    own->ways = NULL;
    own->near = NULL;
    bool done = find_round(e, left, error);
    own->scale = scale;
    own->effort = effort;
    own->ways = ways;
    own->near = near;
    own->dropped = dropped;
    own->rays = rays;
    return done;
}

// Lists the textures of the faces that are round, by their numbers.
static bool tell(estimate *e, bsp_error *error) {
    bspi_relight *own = e->own;
    uint32_t materials = own->map->num_materials;
    bsp_relight_phong *list = bspi_arena_zero(&own->arena, materials, sizeof *list, error);
    uint32_t count = 0;
    for (uint32_t f = 0; list != NULL && f < own->map->num_faces; f++) {
        uint32_t material = bsp_surface_material(own->map, f);
        if (e->bent[f] && material < materials) {
            list[material].num_faces++;
            list[material].angle = e->angles[own->map->faces[f].texinfo];
        }
    }
    for (uint32_t m = 0; list != NULL && m < materials; m++) {
        if (list[m].num_faces != 0) {
            list[count] = list[m];
            list[count++].material = m;
        }
    }
    own->relight.phong = list;
    own->relight.num_phong = count;
    return list != NULL &&
           bspi_heap_work(&own->heap, (uint64_t)own->map->num_faces + materials, error);
}

static bool estimate_all(estimate *e, bsp_error *error) {
    bspi_relight *own = e->own;
    bool left = false;
    if (!find_candidates(e, error) || (e->count != 0 && !find_alone(e, &left, error))) {
        return false;
    }
    if (!left) {
        own->round = NULL;
        own->smooth = e->flat;
        return true;
    }
    bool done = find_normals(e, error) && tell(e, error);
    own->smooth = (bspi_smooth){.any = false};
    return done && bspi_smooth_find(own, error);
}

bool bspi_stored_smooth(bspi_relight *own, bsp_error *error) {
    estimate e = {.own = own, .flat = own->smooth};
    uint32_t count = own->map->num_texinfos;
    if (own->relight.compiler != BSP_COMPILER_ERICW || own->options->preview ||
        own->options->lights != NULL || own->options->surfaces_all || own->surface_keys != NULL ||
        own->smooth.stored || own->smooth.starts == NULL) {
        return true;
    }
    own->round = e.angles = bspi_arena_raw(&own->arena, count, sizeof *e.angles, error);
    for (uint32_t t = 0; e.angles != NULL && t < count; t++) {
        e.angles[t] = USUAL;
    }
    bspi_arena_init(&e.arena, &own->heap);
    bspi_arena_init(&e.tried, &own->heap);
    bool done = e.angles != NULL && estimate_all(&e, error);
    bspi_arena_free(&e.tried);
    bspi_arena_free(&e.arena);
    return done;
}
