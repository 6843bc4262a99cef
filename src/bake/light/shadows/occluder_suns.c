// SPDX-License-Identifier: MIT
// Lines from places beside each other to a sun. Where their hull has no faces of the sky, or one
// face before those is across all of it, none has light of that sun; else few faces are left that
// may be met first. The answers are those of the lines alone.
#include "bake/light/shadows/occluder_suns.h"
#include "bake/light/shadows/occluder_shaft.h"

#include <math.h>

#define MOST 64u    // boxes in a hull; with more its lines go through all of them
#define BEFORE 1.0f // units that one face must be before another one

typedef struct sun {
    bspi_occluder_lines *lines;
    const struct bspi_occluders *all;
    bspi_occluder_cast cast;
    bspi_occluder_hull hull;
    float sky[2]; // parts of lines between which they may meet the sky
    float before; // part of a line
} sun;

// Sets the hull of the lines up to a part of them. False: that is empty.
static bool set_hull(sun *s, float part) {
    bspi_occluder_shaft shaft;
    float from[2][3];
    float to[2][3];
    for (int i = 0; i < 3; i++) {
        from[0][i] = s->cast.from.middle[i] - s->cast.from.half[i];
        from[1][i] = s->cast.from.middle[i] + s->cast.from.half[i];
        to[0][i] = from[0][i] + s->cast.way[i] * part;
        to[1][i] = from[1][i] + s->cast.way[i] * part;
    }
    bspi_occluder_shaft_set((const float(*)[3])from, (const float(*)[3])to, &shaft);
    s->hull = shaft.hull;
    return part > 0;
}

// Returns the part of the lines beyond which none is in the box around all faces.
static float part_inside(const sun *s) {
    const bspi_occluder_box *box = &s->all->boxes[0];
    float part = 1;
    for (int i = 0; i < 3; i++) {
        float way = s->cast.way[i];
        float around = s->cast.from.half[i] + s->cast.slack;
        float to = way > 0 ? box->high[i] + around : box->low[i] - around;
        if (fabsf(way) >= BSPI_OCCLUDER_STEEP) {
            part = fminf(part, (to - s->cast.from.middle[i]) / way);
        }
    }
    return part;
}

// Finds the faces, or those of the sky only, in the hull. More than MOST count as MOST + 1.
static uint32_t faces_in(sun *s, bool sky, bspi_occluder_near list[MOST]) {
    uint32_t boxes[MOST];
    uint32_t count = 0;
    uint32_t in = s->all->lanes->inside(s->all, &s->hull, sky, boxes, MOST, &s->lines->steps);
    for (uint32_t n = 0; in <= MOST && n < in; n++) {
        const bspi_occluder_box *box = &s->all->boxes[boxes[n]];
        s->lines->steps += box->count;
        for (uint32_t i = box->first; i < box->first + box->count; i++) {
            const bspi_occluder *face = &s->all->list[i];
            if ((sky && face->kind != BSPI_OCCLUDER_SKY) || !bspi_occluder_shades(face, s->lines)) {
                continue;
            }
            if (count == MOST) {
                return MOST + 1;
            }
            list[count++] = (bspi_occluder_near){i, boxes[n]};
        }
    }
    return in <= MOST ? count : in;
}

static bspi_occluder_relation cast(const sun *s, const bspi_occluder_near *near, float parts[2]) {
    return s->all->lanes->cast(s->all, near, &s->cast, parts);
}

// Finds where the sky may be met. False: nowhere.
static bool find_sky(sun *s) {
    bspi_occluder_near list[MOST];
    float end = part_inside(s);
    if (s->all->nodes == NULL || !set_hull(s, end)) {
        return false;
    }
    uint32_t count = faces_in(s, true, list);
    s->sky[0] = count > MOST ? 0 : end;
    s->sky[1] = count > MOST ? end : 0;
    for (uint32_t n = 0; count <= MOST && n < count; n++) {
        float parts[2];
        if (cast(s, &list[n], parts) != BSPI_OCCLUDER_BESIDE) {
            s->sky[0] = fminf(s->sky[0], parts[0]);
            s->sky[1] = fmaxf(s->sky[1], parts[1]);
        }
    }
    return s->sky[1] > 0;
}

// Is a face across all lines before they meet the sky?
static bool is_before(const sun *s, const bspi_occluder_near *near, bspi_occluder_relation found,
                      const float parts[2]) {
    return found == BSPI_OCCLUDER_ACROSS && s->all->list[near->face].kind == BSPI_OCCLUDER_SOLID &&
           parts[1] + s->before < s->sky[0];
}

static bool is_stopped_again(const sun *s, bspi_occluder_recent *recent) {
    s->lines->steps += recent->count;
    for (uint32_t n = 0; n < recent->count; n++) {
        const bspi_occluder_near near = recent->list[n];
        float parts[2];
        if (bspi_occluder_shades(&s->all->list[near.face], s->lines) &&
            is_before(s, &near, cast(s, &near, parts), parts)) {
            bspi_occluder_remember(recent, near);
            return true;
        }
    }
    return false;
}

// Finds what may be met before the sky, or as that. False if one face is before it.
static bool find_faces(sun *s, bspi_occluder_recent *recent, bspi_occluder_first *first) {
    bspi_occluder_near list[MOST];
    (void)set_hull(s, s->sky[1] + s->before);
    uint32_t count = faces_in(s, false, list);
    first->count = 0;
    first->known = count <= MOST;
    for (uint32_t n = 0; first->known && n < count; n++) {
        float parts[2];
        bspi_occluder_relation found = cast(s, &list[n], parts);
        if (is_before(s, &list[n], found, parts)) {
            bspi_occluder_remember(recent, list[n]);
            return false;
        }
        if (found != BSPI_OCCLUDER_BESIDE) {
            first->known = first->count < BSPI_OCCLUDER_FIRST;
            first->list[first->known ? first->count++ : 0] = list[n];
        }
    }
    return true;
}

bool bspi_occluders_first(bspi_occluder_lines *lines, const bspi_occluder_ends *from,
                          const float way[3], bspi_occluder_recent *recent,
                          bspi_occluder_first *first) {
    sun s = {.lines = lines, .all = lines->all, .cast = {.from = *from}};
    float most = 0;
    for (int i = 0; i < 3; i++) {
        float end = from->middle[i] + way[i];
        s.cast.way[i] = way[i];
        s.cast.length += fabsf(way[i]);
        most = fmaxf(most, fmaxf(fabsf(from->middle[i]), fabsf(end)) + from->half[i]);
    }
    s.cast.slack = BSPI_OCCLUDER_NEAR + most * BSPI_OCCLUDER_ROUND;
    s.before = BEFORE / s.cast.length;
    return find_sky(&s) && !is_stopped_again(&s, recent) &&
           (first == NULL || find_faces(&s, recent, first));
}
