// SPDX-License-Identifier: MIT
// Points that start in a plane of a patch's facet. ioquake3 ignores a crossing at the start (it
// sets 99999), so that such a plane does not limit the facet: the point then hits the facet's
// surface beyond that plane too, up to the patch's bounds and in the leaves that list it, where the
// index does not search. Borders made by compilers are often across an axis and on whole units, and
// so are many starts: the facets are found by the coordinates of such planes.
#include "query/visits.h"

#include "query/clip.h"

#include <stdlib.h>
#include <string.h>

// Most facets of one coordinate that are tested; only hostile files have more.
#define MOST_SHARING 65536u

#define LEAST_BITS 64u
// Of the hash table, per coordinate: one start in this many is looked up in vain.
#define BITS_EACH 32u

static uint32_t hash(float at) {
    uint32_t bits;
    at += 0.0f; // turns -0 into 0
    memcpy(&bits, &at, sizeof bits);
    return (bits ^ bits >> 15) * 2654435761u;
}

static int compare(const void *a, const void *b) {
    const bspi_border *p = a;
    const bspi_border *q = b;
    return p->at != q->at ? (p->at < q->at ? -1 : 1)
                          : (p->convex > q->convex) - (p->convex < q->convex);
}

// Gives the coordinate of a lane's plane along an axis. Returns false if the plane is not across
// that axis.
static bool is_across(const bspi_block *block, uint32_t lane, int axis, float *at) {
    float n = block->normal[axis][lane];
    *at = n * block->dist[lane];
    return n == 1 || n == -1;
}

// Puts the borders along an axis into `list`, or only counts them if `list` is NULL.
static size_t gather(const bspi_builder *b, int axis, bspi_border *list) {
    size_t count = 0;
    for (size_t n = 0; n < b->num_convexes; n++) {
        const bspi_convex *convex = &b->convexes[n];
        for (uint32_t i = 1; convex->kind == BSPI_PATCH && i < convex->num_planes; i++) {
            float at;
            const bspi_block *block = &b->blocks[convex->first_block + i / BSPI_LANES];
            if (is_across(block, i % BSPI_LANES, axis, &at)) {
                if (list != NULL) {
                    list[count] = (bspi_border){at, (uint32_t)n};
                }
                count++;
            }
        }
    }
    return count;
}

// Marks the coordinates of a sorted list in the hash table.
static bool mark(bspi_builder *b, bspi_borders *borders) {
    uint64_t distinct = 1;
    uint64_t bits = LEAST_BITS;
    uint32_t shift = 26;
    for (uint32_t i = 1; i < borders->count; i++) {
        distinct += borders->list[i].at != borders->list[i - 1].at;
    }
    for (; bits < distinct * BITS_EACH && shift > 0; shift--) {
        bits *= 2;
    }
    uint64_t *seen = bspi_arena_zero(&b->index->arena, (size_t)(bits / 64), sizeof *seen, b->error);
    for (uint32_t i = 0; seen != NULL && i < borders->count; i++) {
        uint32_t bit = hash(borders->list[i].at) >> shift;
        seen[bit / 64] |= (uint64_t)1 << bit % 64;
    }
    borders->seen = seen;
    borders->shift = shift;
    return seen != NULL;
}

bool bspi_build_borders(bspi_builder *b) {
    for (int axis = 0; axis < 3; axis++) {
        bspi_borders *borders = &b->index->visits.borders[axis];
        size_t count = gather(b, axis, NULL);
        if (count == 0) {
            continue;
        }
        if (count > UINT32_MAX) {
            return bsp_fail(b->error, BSP_E_LIMIT, NULL, "%zu borders of patches are too many",
                            count);
        }
        bspi_border *list = bspi_arena_raw(&b->index->arena, count, sizeof *list, b->error);
        if (list == NULL) {
            return false;
        }
        (void)gather(b, axis, list);
        qsort(list, count, sizeof *list, compare);
        borders->list = list;
        borders->count = (uint32_t)count;
        b->index->visits.has_borders = true;
        if (!mark(b, borders)) {
            return false;
        }
    }
    return true;
}

static uint32_t find_first(const bspi_borders *borders, float at) {
    uint32_t low = 0;
    uint32_t high = borders->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        bool before = borders->list[middle].at < at;
        low = before ? middle + 1 : low;
        high = before ? high : middle;
    }
    return low;
}

void bspi_note_borders(const bsp_trace_index *index, uint32_t model, const bspi_ray *ray,
                       bspi_hit *hit) {
    const bspi_body *body = &index->bodies[model];
    for (int axis = 0; axis < 3; axis++) {
        const bspi_borders *borders = &index->visits.borders[axis];
        float at = ray->start[axis];
        uint32_t bit = hash(at) >> borders->shift;
        if (borders->count == 0 || (borders->seen[bit / 64] >> bit % 64 & 1) == 0) {
            continue;
        }
        uint32_t first = find_first(borders, at);
        for (uint32_t i = first; i < borders->count && borders->list[i].at == at; i++) {
            if (i - first == MOST_SHARING) {
                hit->dropped = 0; // the tree decides about everything
                break;
            }
            uint32_t n = borders->list[i].convex;
            const bspi_convex *convex = bspi_convex_at(index, n);
            bspi_touch touch;
            if (n - body->first_convex < body->num_convexes && bspi_is_masked(index, convex, ray) &&
                bspi_clip_point(index, convex, index->rules->epsilon, ray, &touch) &&
                touch.fraction <= hit->limit) {
                // The engine may not test this facet, so it is not sure.
                bspi_near near = {
                    convex, n, touch.fraction, touch.contact, convex->first_block * BSPI_LANES,
                    false};
                bspi_note(hit, ray, &near);
            }
        }
    }
}
