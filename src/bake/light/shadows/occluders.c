// SPDX-License-Identifier: MIT
// Lines among faces that cast shadows. Rules: light/trace_embree.cc of ericw-tools.
#include "bake/light/shadows/occluder_lanes.h"

#include "core/vector.h"

#include <math.h>
#include <string.h>

#define LEAF 1u   // faces of a box that is divided no more
#define BINS 16u  // parts of a box between which it may be divided
#define WALK 1.0f // what a box costs beside a face

// --- a line -------------------------------------------------------------------------------------

typedef struct line {
    const struct bspi_occluders *all;
    const bspi_occluder_lines *lines;
    float from[3];
    float way[3]; // whole
    float inverse[3];
    float end;      // part of it that is looked at
    bool nearest;   // the first one is wanted
    bool stopped;   // some was met
    bool sky;       // it was one of the sky
    uint32_t by;    // which one
    uint32_t box;   // that it is in
    uint32_t steps; // boxes and faces that were looked at
    float tinted;   // part of the way to the glass that tints it; below 0: none yet
    float tint[3];  // what comes of light
} line;

static const uint8_t *pixel_at(const line *l, const bspi_occluder *face, float part) {
    const bspi_picture *picture = &l->all->pictures[face->material];
    uint32_t at[2];
    const uint32_t size[2] = {picture->width, picture->height};
    if (picture->width == 0) {
        return NULL;
    }
    for (int i = 0; i < 2; i++) {
        const float *axis = l->all->texinfos[face->texinfo].texture[i];
        float place = axis[3];
        for (int c = 0; c < 3; c++) {
            place += axis[c] * (l->from[c] + l->way[c] * part);
        }
        place = place * picture->scale[i] / (float)size[i];
        place -= floorf(place);
        at[i] = place > 0 ? (uint32_t)(place * (float)size[i]) : 0;
        at[i] = at[i] < size[i] ? at[i] : size[i] - 1;
    }
    return picture->pixels + 4 * ((size_t)at[1] * picture->width + at[0]);
}

// Glass tints where a ray leaves it that begins at the place, or at the lamp; of several the last.
static void tint(line *l, const bspi_occluder *face, float part, bool enters) {
    bool back = l->lines->back;
    if (enters != back || (l->tinted >= 0 && (part < l->tinted) != back)) {
        return;
    }
    const uint8_t *pixel = pixel_at(l, face, part);
    float alpha = pixel == NULL ? 0 : pixel[3] < 255 ? (float)pixel[3] / 255 : face->opacity;
    l->tinted = part;
    for (int c = 0; c < 3; c++) {
        l->tint[c] = 1 - alpha + (pixel == NULL ? 0 : alpha * (float)pixel[c] / 255);
    }
}

// Takes what a veil stops of light. Is there some left? vrad adds up the alpha of all of them.
static bool dim(line *l, const bspi_occluder *face, float part) {
    const uint8_t *pixel = pixel_at(l, face, part);
    float left = l->tint[0] - (pixel == NULL ? 1 : (float)pixel[3] / 255);
    l->tint[0] = l->tint[1] = l->tint[2] = left;
    return left > 0;
}

// Looks at one face. Returns false if no other is to be looked at.
static bool pass_face(line *l, const bspi_occluder *face) {
    float before = bspi_dot(face->normal, l->from) - face->dist;
    float past = before + bspi_dot(face->normal, l->way);
    if (!(before > 0 ? past < 0 : before < 0 && past > 0)) {
        return true;
    }
    float part = before / (before - past);
    if (part > l->end) {
        return true;
    }
    float u = l->from[face->axes[0]] + l->way[face->axes[0]] * part;
    float v = l->from[face->axes[1]] + l->way[face->axes[1]] * part;
    const float(*edge)[3] = (const float(*)[3])l->all->edges + face->first;
    for (uint32_t i = 0; i < face->edges; i++) {
        if (edge[i][0] * u + edge[i][1] * v + edge[i][2] < -BSPI_OCCLUDER_EDGE) {
            return true;
        }
    }
    if (!bspi_occluder_shades(face, l->lines)) {
        return true;
    }
    if (face->kind == BSPI_OCCLUDER_GLASS) {
        tint(l, face, part, before > 0);
        return true;
    }
    if (face->kind == BSPI_OCCLUDER_VEIL && !l->lines->whole && dim(l, face, part)) {
        return true;
    }
    if (face->kind == BSPI_OCCLUDER_FENCE) {
        const uint8_t *pixel = pixel_at(l, face, part);
        if (pixel == NULL || pixel[3] < 255) {
            return true;
        }
    }
    l->stopped = true;
    l->by = (uint32_t)(face - l->all->list);
    l->sky = face->kind == BSPI_OCCLUDER_SKY;
    l->end = l->nearest ? part : l->end;
    return l->nearest;
}

static bool enters(const line *l, const bspi_occluder_box *box, float *at) {
    return bspi_occluder_enters(box, l->from, l->inverse, l->end, at);
}

static void walk(line *l) {
    uint32_t pending[BSPI_OCCLUDER_DEPTH + 2];
    uint32_t count = 0;
    float at[2];
    if (l->all->count != 0 && enters(l, &l->all->boxes[0], at)) {
        pending[count++] = 0;
    }
    while (count != 0) {
        l->box = pending[--count];
        const bspi_occluder_box *box = &l->all->boxes[l->box];
        l->steps += 1 + box->count;
        for (uint32_t i = 0; i < box->count; i++) {
            if (!pass_face(l, &l->all->list[box->first + i])) {
                return;
            }
        }
        if (box->count != 0) {
            continue;
        }
        bool first = enters(l, &l->all->boxes[box->first], &at[0]);
        bool second = enters(l, &l->all->boxes[box->first + 1], &at[1]);
        uint32_t near = first && second && at[1] < at[0];
        if (first && second) { // the nearer one is looked at next
            pending[count++] = box->first + 1 - near;
        }
        if (first || second) {
            pending[count++] = box->first + (first && second ? near : second);
        }
    }
}

static line begin(const bspi_occluder_lines *lines, const float from[3], const float to[3]) {
    line l = {.all = lines->all, .lines = lines, .end = 1, .tinted = -1, .tint = {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        l.from[i] = from[i];
        l.way[i] = to[i] - from[i];
    }
    bspi_occluder_inverse(l.way, l.inverse);
    return l;
}

bool bspi_occluders_line(bspi_occluder_lines *lines, const float from[3], const float to[3],
                         float through[3]) {
    line l = begin(lines, from, to);
    l.box = lines->last_box;
    float at;
    if (lines->last == BSP_NONE || !enters(&l, &l.all->boxes[l.box], &at) ||
        pass_face(&l, &lines->all->list[lines->last])) {
        walk(&l);
    }
    bool again = l.stopped && l.all->list[l.by].kind != BSPI_OCCLUDER_VEIL; // those count once
    lines->last = again ? l.by : lines->last;
    lines->last_box = again ? l.box : lines->last_box;
    lines->steps += l.steps + 1;
    memcpy(through, l.tint, sizeof l.tint);
    return !l.stopped;
}

bool bspi_occluders_through(bspi_occluder_lines *lines, const bspi_occluder_bundle *bundle,
                            uint32_t eight, uint32_t lane, float through[3]) {
    const bspi_occluder_eight *of = &bundle->eights[eight];
    if (of->num_through > BSPI_OCCLUDER_THROUGH) {
        float from[3];
        float to[3];
        for (int i = 0; i < 3; i++) {
            from[i] = of->from[i][lane];
            to[i] = bundle->to[eight][i][lane];
        }
        return bspi_occluders_line(lines, from, to, through);
    }
    line l = {.all = lines->all, .lines = lines, .end = 1, .tinted = -1, .tint = {1, 1, 1}};
    for (int i = 0; i < 3; i++) {
        l.from[i] = of->from[i][lane];
        l.way[i] = of->way[i][lane];
        l.inverse[i] = of->inverse[i][lane];
    }
    for (uint32_t n = 0; n < of->num_through && !l.stopped; n++) {
        float at;
        if (enters(&l, &l.all->boxes[of->through[n].box], &at)) {
            (void)pass_face(&l, &l.all->list[of->through[n].face]);
        }
    }
    lines->steps += 1 + of->num_through;
    memcpy(through, l.tint, sizeof l.tint);
    return !l.stopped;
}

bool bspi_occluders_sky(bspi_occluder_lines *lines, const float from[3], const float to[3],
                        float through[3]) {
    line l = begin(lines, from, to);
    l.nearest = true;
    walk(&l);
    lines->steps += l.steps + 1;
    memcpy(through, l.tint, sizeof l.tint);
    return l.sky && (lines->sky == BSP_NONE || l.all->list[l.by].material == lines->sky);
}

// --- boxes --------------------------------------------------------------------------------------

typedef struct divider {
    struct bspi_occluders *all;
    const float (*bounds)[2][3]; // of the faces by the order in which they were found
    uint32_t *order;
} divider;

static void clear(float box[2][3]) {
    for (int i = 0; i < 3; i++) {
        box[0][i] = INFINITY;
        box[1][i] = -INFINITY;
    }
}

static void grow(float box[2][3], const float by[2][3]) {
    for (int i = 0; i < 3; i++) {
        box[0][i] = by[0][i] < box[0][i] ? by[0][i] : box[0][i];
        box[1][i] = by[1][i] > box[1][i] ? by[1][i] : box[1][i];
    }
}

static float surface_of(const float box[2][3]) {
    float x = box[1][0] - box[0][0];
    float y = box[1][1] - box[0][1];
    float z = box[1][2] - box[0][2];
    return x < 0 ? 0 : x * y + y * z + z * x;
}

static float middle_of(const divider *d, uint32_t n, int axis) {
    const float(*b)[3] = d->bounds[d->order[n]];
    return (b[0][axis] + b[1][axis]) / 2;
}

static uint32_t bin_of(const divider *d, uint32_t n, int axis, const float low, const float wide) {
    float at = (middle_of(d, n, axis) - low) / wide * (float)BINS;
    return at > 0 ? at < (float)BINS ? (uint32_t)at : BINS - 1 : 0;
}

// Finds the bin from which on faces are best put into a second box; 0: none is better than no
// division.
static uint32_t best_bin(const divider *d, uint32_t first, uint32_t count, int axis, float low,
                         float wide, float *cost) {
    float boxes[BINS][2][3];
    uint32_t counts[BINS] = {0};
    float costs[BINS] = {0};
    float sum[2][3];
    uint32_t faces = 0;
    uint32_t best = 0;
    for (uint32_t i = 0; i < BINS; i++) {
        clear(boxes[i]);
    }
    for (uint32_t n = first; n < first + count; n++) {
        uint32_t bin = bin_of(d, n, axis, low, wide);
        grow(boxes[bin], d->bounds[d->order[n]]);
        counts[bin]++;
    }
    clear(sum);
    for (uint32_t i = 0; i + 1 < BINS; i++) {
        grow(sum, (const float(*)[3])boxes[i]);
        faces += counts[i];
        costs[i + 1] = surface_of((const float(*)[3])sum) * (float)faces;
    }
    clear(sum);
    faces = 0;
    for (uint32_t i = BINS - 1; i > 0; i--) {
        grow(sum, (const float(*)[3])boxes[i]);
        faces += counts[i];
        costs[i] += surface_of((const float(*)[3])sum) * (float)faces;
        if (faces != 0 && faces != count && costs[i] < *cost) {
            *cost = costs[i];
            best = i;
        }
    }
    return best;
}

// Puts the faces of the first half first. Returns how many these are; 0: the box is not divided.
static uint32_t part(const divider *d, const float box[2][3], uint32_t first, uint32_t count) {
    float cost = surface_of(box) * ((float)count - WALK);
    uint32_t bin = 0;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        float wide = box[1][i] - box[0][i];
        uint32_t found = wide > 0 ? best_bin(d, first, count, i, box[0][i], wide, &cost) : 0;
        axis = found != 0 ? i : axis;
        bin = found != 0 ? found : bin;
    }
    uint32_t kept = first;
    for (uint32_t n = first; bin != 0 && n < first + count; n++) {
        if (bin_of(d, n, axis, box[0][axis], box[1][axis] - box[0][axis]) < bin) {
            uint32_t swapped = d->order[kept];
            d->order[kept++] = d->order[n];
            d->order[n] = swapped;
        }
    }
    return bin != 0 ? kept - first : count > 4 * LEAF ? count / 2 : 0;
}

static void divide(const divider *d, uint32_t number, uint32_t first, uint32_t count,
                   uint32_t depth) {
    bspi_occluder_box *box = &d->all->boxes[number];
    float bounds[2][3];
    clear(bounds);
    for (uint32_t n = first; n < first + count; n++) {
        grow(bounds, d->bounds[d->order[n]]);
    }
    memcpy(box->low, bounds[0], sizeof box->low);
    memcpy(box->high, bounds[1], sizeof box->high);
    uint32_t half = count > LEAF && depth < BSPI_OCCLUDER_DEPTH
                        ? part(d, (const float(*)[3])bounds, first, count)
                        : 0;
    box->first = half != 0 ? d->all->num_boxes : first;
    box->count = half != 0 ? 0 : count;
    if (half != 0) {
        d->all->num_boxes += 2;
        divide(d, box->first, first, half, depth + 1);
        divide(d, box->first + 1, first + half, count - half, depth + 1);
    }
}

bool bspi_occluders_divide(bspi_relight *own, struct bspi_occluders *occluders,
                           const float (*bounds)[2][3], bsp_error *error) {
    uint32_t count = occluders->count;
    divider d = {.all = occluders, .bounds = bounds};
    bspi_occluder *sorted = bspi_arena_raw(&own->arena, count, sizeof *sorted, error);
    d.order = bspi_heap_alloc(&own->heap, count * sizeof *d.order, error);
    occluders->boxes =
        bspi_arena_zero(&own->arena, 2 * (size_t)count + 1, sizeof *occluders->boxes, error);
    bool done = sorted != NULL && d.order != NULL && occluders->boxes != NULL &&
                bspi_heap_work(&own->heap, 1 + 64 * (uint64_t)count, error);
    for (uint32_t n = 0; done && n < count; n++) {
        d.order[n] = n;
    }
    if (done && count != 0) {
        occluders->num_boxes = 1;
        divide(&d, 0, 0, count, 0);
    }
    for (uint32_t n = 0; done && n < count; n++) {
        sorted[n] = occluders->list[d.order[n]];
    }
    occluders->list = sorted;
    bspi_heap_free(&own->heap, d.order, count * sizeof *d.order);
    return done && bspi_occluders_fold(own, occluders, error);
}
