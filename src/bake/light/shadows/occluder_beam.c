// SPDX-License-Identifier: MIT
// Many lines that begin or end at about one place, among faces that cast shadows. Their hull is
// looked at before they are: faces beside it stop none, one across all of it stops all, and what
// is left is tested against groups of lines. The answers are those of bspi_occluders_line. After
// shaft culling (Haines and Wallace 1991).
#include "bake/light/shadows/occluder_shaft.h"

#define MOST 128u    // faces beside a group; with more its lines go through the boxes
#define MANY 32u     // faces beside eight lines with which these go through the boxes
#define FEW_FACES 3u // for which lines are not divided
#define SOME 8u      // eights of lines that are tested without a hull of their own
#define FEW 2u       // eights of lines that are tested with all faces in the boxes of their hull

typedef struct beam {
    bspi_occluder_lines *lines;
    const struct bspi_occluders *all;
    bspi_occluder_bundle *bundle;
    bspi_occluder_eight *eights;
} beam;

// --- faces --------------------------------------------------------------------------------------

static void find_shaft(const beam *b, uint32_t first, uint32_t count, bspi_occluder_shaft *s) {
    float from[2][3];
    float to[2][3];
    b->all->lanes->enclose(b->bundle, first, count, from, to);
    bspi_occluder_shaft_set((const float(*)[3])from, (const float(*)[3])to, s);
}

// Finds the faces that may stop lines of a hull. False if one stops all; more than MOST count as
// MOST + 1.
static bool find_faces(const beam *b, const bspi_occluder_shaft *s, bspi_occluder_near *list,
                       uint32_t *count) {
    uint32_t boxes[MOST];
    uint32_t num_boxes =
        b->all->lanes->inside(b->all, &s->hull, false, boxes, MOST, &b->lines->steps);
    *count = num_boxes > MOST ? MOST + 1 : 0;
    for (uint32_t n = 0; n < num_boxes && *count <= MOST; n++) {
        const bspi_occluder_box *box = &b->all->boxes[boxes[n]];
        b->lines->steps += box->count;
        for (uint32_t i = 0; i < box->count && *count <= MOST; i++) {
            const bspi_occluder_near near = {box->first + i, boxes[n]};
            bool shades = bspi_occluder_shades(&b->all->list[near.face], b->lines);
            bspi_occluder_relation found =
                shades ? bspi_occluder_relate(b->all, s, &near) : BSPI_OCCLUDER_BESIDE;
            if (found == BSPI_OCCLUDER_ACROSS) {
                bspi_occluder_remember(&b->bundle->recent, near);
                return false;
            }
            if (found == BSPI_OCCLUDER_PARTLY && *count < MOST) {
                list[*count] = near;
            }
            *count += found == BSPI_OCCLUDER_PARTLY;
        }
    }
    return true;
}

// The same among those of a list.
static bool keep_faces(const beam *b, const bspi_occluder_shaft *s, const bspi_occluder_near *from,
                       uint32_t faces, bspi_occluder_near *list, uint32_t *count) {
    *count = 0;
    b->lines->steps += faces;
    for (uint32_t n = 0; n < faces; n++) {
        bool outside = bspi_occluder_is_outside(&s->hull, &b->all->boxes[from[n].box]);
        bspi_occluder_relation found =
            outside ? BSPI_OCCLUDER_BESIDE : bspi_occluder_relate(b->all, s, &from[n]);
        if (found == BSPI_OCCLUDER_ACROSS) {
            return false;
        }
        if (found == BSPI_OCCLUDER_PARTLY) {
            list[(*count)++] = from[n];
        }
    }
    return true;
}

// --- lines --------------------------------------------------------------------------------------

// Looks at some eights of lines that only the faces of a list may stop.
static void test(const beam *b, const bspi_occluder_near *list, uint32_t faces, uint32_t first,
                 uint32_t count) {
    for (uint32_t n = first; n < first + count; n++) {
        bspi_occluder_eight *eight = &b->eights[n];
        if (faces > MANY) {
            b->all->lanes->walk(b->lines, eight);
        } else if (faces != 0) {
            b->all->lanes->test(b->all, list, faces, eight);
        }
        b->lines->steps += faces;
    }
}

static void stop(const beam *b, uint32_t first, uint32_t count) {
    for (uint32_t n = first; n < first + count; n++) {
        b->eights[n].open = 0;
    }
}

// The same, after the hulls of parts of the lines are looked at.
static void look(const beam *b, const bspi_occluder_near *list, uint32_t faces, uint32_t first,
                 uint32_t count) {
    bspi_occluder_near left[MOST];
    uint32_t num_left;
    bspi_occluder_shaft s;
    if (faces <= FEW_FACES || count <= SOME) {
        test(b, list, faces, first, count);
        return;
    }
    find_shaft(b, first, count, &s);
    if (!keep_faces(b, &s, list, faces, left, &num_left)) {
        stop(b, first, count);
        return;
    }
    look(b, left, num_left, first, count / 2);
    look(b, left, num_left, first + count / 2, count - count / 2);
}

// Looks at some eights of lines one by one, at the boxes that their hull goes into.
static void look_few(const beam *b, uint32_t count) {
    bspi_occluder_near recent[BSPI_OCCLUDER_RECENT] = {{0}};
    uint32_t boxes[MOST];
    uint32_t num_boxes = 0;
    uint32_t num_recent = 0;
    bool known = false;
    for (uint32_t i = 0; i < b->bundle->recent.count; i++) {
        bspi_occluder_near near = b->bundle->recent.list[i];
        if (bspi_occluder_shades(&b->all->list[near.face], b->lines)) {
            recent[num_recent++] = near;
        }
    }
    for (uint32_t n = 0; n < count; n++) {
        bspi_occluder_eight *eight = &b->eights[n];
        uint32_t by = b->all->lanes->test(b->all, recent, num_recent, eight);
        if (by < num_recent) {
            bspi_occluder_remember(&b->bundle->recent, recent[by]);
            continue;
        }
        if (!known) {
            bspi_occluder_shaft s;
            find_shaft(b, n, count - n, &s);
            num_boxes =
                b->all->lanes->inside(b->all, &s.hull, false, boxes, MOST, &b->lines->steps);
            known = true;
        }
        b->lines->last = BSP_NONE;
        if (num_boxes > MOST) {
            b->all->lanes->walk(b->lines, eight);
        } else {
            b->all->lanes->test_boxes(b->lines, boxes, num_boxes, eight);
        }
        if (eight->open == 0 && b->lines->last != BSP_NONE) {
            bspi_occluder_remember(&b->bundle->recent,
                                   (bspi_occluder_near){b->lines->last, b->lines->last_box});
        }
    }
}

static void look_all(const beam *b, uint32_t count) {
    bspi_occluder_near list[MOST];
    uint32_t faces = MOST + 1;
    bspi_occluder_shaft s;
    bool some = true;
    if (count <= FEW) {
        look_few(b, count);
        return;
    }
    find_shaft(b, 0, count, &s);
    for (uint32_t i = 0; i < b->bundle->recent.count && some; i++) {
        bspi_occluder_near near = b->bundle->recent.list[i];
        some = !bspi_occluder_shades(&b->all->list[near.face], b->lines) ||
               bspi_occluder_relate(b->all, &s, &near) != BSPI_OCCLUDER_ACROSS;
        if (!some) {
            bspi_occluder_remember(&b->bundle->recent, near);
        }
    }
    some = some && find_faces(b, &s, list, &faces);
    if (!some) {
        stop(b, 0, count);
    } else if (faces > MOST || faces <= FEW_FACES) {
        test(b, list, faces, 0, count);
    } else {
        look(b, list, faces, 0, count / 2);
        look(b, list, faces, count / 2, count - count / 2);
    }
}

void bspi_occluders_bundle(bspi_occluder_lines *lines, bspi_occluder_bundle *bundle) {
    const beam b = {.lines = lines, .all = lines->all, .bundle = bundle, .eights = bundle->eights};
    look_all(&b, bundle->count);
    lines->steps += bundle->count * BSPI_OCCLUDER_LANES;
}

// Sets eight lines; those beyond the end are the last one, and stopped.
static void fill(bspi_occluder_bundle *b, uint32_t number, const bsp_sight_line *list,
                 uint32_t count) {
    bspi_occluder_eight *eight = &b->eights[number];
    for (uint32_t n = 0; n < BSPI_OCCLUDER_LANES; n++) {
        const bsp_sight_line *line = &list[n < count ? n : count - 1];
        float way[3];
        float inverse[3];
        for (int i = 0; i < 3; i++) {
            way[i] = line->to[i] - line->from[i];
        }
        bspi_occluder_inverse(way, inverse);
        for (int i = 0; i < 3; i++) {
            eight->from[i][n] = line->from[i];
            eight->way[i][n] = way[i];
            eight->inverse[i][n] = inverse[i];
            b->to[number][i][n] = line->to[i];
        }
    }
    eight->open = count < BSPI_OCCLUDER_LANES ? (1u << count) - 1 : 0xFF;
    eight->one = 0;
    eight->num_through = 0;
}

static void look_group(bspi_occluder_lines *lines, const bsp_sight_line *list, bool *seen,
                       float (*through)[3], uint32_t count) {
    bspi_occluder_bundle b;
    b.recent.count = 0;
    b.count = (count + BSPI_OCCLUDER_LANES - 1) / BSPI_OCCLUDER_LANES;
    for (uint32_t n = 0; n < b.count; n++) {
        fill(&b, n, list + n * BSPI_OCCLUDER_LANES, count - n * BSPI_OCCLUDER_LANES);
    }
    bspi_occluders_bundle(lines, &b);
    for (uint32_t n = 0; n < count; n++) {
        const bspi_occluder_eight *eight = &b.eights[n / BSPI_OCCLUDER_LANES];
        uint32_t bit = 1u << n % BSPI_OCCLUDER_LANES;
        float none[3];
        float *left = through != NULL ? through[n] : none;
        left[0] = left[1] = left[2] = 1;
        seen[n] = (eight->open & bit) != 0;
        if ((eight->open & eight->one & bit) != 0) {
            seen[n] = bspi_occluders_through(lines, &b, n / BSPI_OCCLUDER_LANES,
                                             n % BSPI_OCCLUDER_LANES, left);
        }
    }
}

void bspi_occluders_beam(bspi_occluder_lines *lines, const bsp_sight_line *list, bool *seen,
                         float (*through)[3], uint32_t count) {
    const uint32_t most = BSPI_OCCLUDER_GROUP * BSPI_OCCLUDER_LANES;
    for (uint32_t first = 0; first < count; first += most) {
        uint32_t some = count - first < most ? count - first : most;
        look_group(lines, list + first, seen + first, through != NULL ? through + first : NULL,
                   some);
    }
}
