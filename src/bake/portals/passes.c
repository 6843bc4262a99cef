// SPDX-License-Identifier: MIT
// Which openings sight goes through. Two leaves that an opening joins see each other in the rows of
// a map, if the compiler had a portal there: so the rows tell its rule. Facts: sheet bake, 1.3.
#include "bake/portals/recover.h"

#include "core/bits.h"
#include "formats/quake_contents.h"

#include <stdlib.h>
#include <string.h>

// An opening by the kinds of its leaves.
typedef struct kinds {
    int32_t contents[2];
    uint32_t portal;
} kinds;

static int32_t kind_of(const bsp_map *map, uint32_t leaf) {
    const bsp_vis_rules *rules = &map->traits->vis;
    int32_t contents = map->leaves[leaf].contents;
    if (map->traits->contents_numbers) {
        return contents;
    }
    return ((uint32_t)contents & rules->through) != 0
               ? 0
               : (int32_t)((uint32_t)contents & rules->visible);
}

static int compare(const void *a, const void *b) {
    const kinds *p = a;
    const kinds *q = b;
    for (int i = 0; i < 2; i++) {
        if (p->contents[i] != q->contents[i]) {
            return p->contents[i] < q->contents[i] ? -1 : 1;
        }
    }
    return (p->portal > q->portal) - (p->portal < q->portal);
}

// What the compilers of the family do.
static bool passes_by_rule(const bsp_map *map, const int32_t contents[2]) {
    if (contents[0] == contents[1]) {
        return true;
    }
    return map->traits->contents_numbers && !map->traits->vis.alike &&
           !bspi_is_closed(contents[0]) && !bspi_is_closed(contents[1]);
}

static bool sees(const bspi_recover *r, const bsp_portal *portal, uint8_t *row) {
    uint32_t from = r->map->leaves[portal->leaves[0]].cluster;
    uint32_t to = r->map->leaves[portal->leaves[1]].cluster;
    bsp_map_visible(r->map, from, false, row);
    return from == to || (to / 8 < r->map->visibility.row_bytes && bspi_bit_is(row, to));
}

// Drops an opening of the list unless it stays; those that stay move to the front.
static void keep(bspi_recover *r, const bool *stays) {
    uint32_t kept = 0;
    uint32_t points = 0;
    for (uint32_t i = 0; i < r->portals.count; i++) {
        bsp_portal portal = r->list[i];
        if (!stays[i]) {
            continue;
        }
        memmove(r->points[points], r->points[portal.first_point],
                portal.num_points * sizeof *r->points);
        portal.first_point = points;
        points += portal.num_points;
        r->list[kept++] = portal;
    }
    r->portals.count = kept;
    r->portals.num_points = points;
}

// Decides for the openings of one pair of kinds, which are a run of `list`.
static void decide(bspi_recover *r, const kinds *list, uint32_t count, bool *stays,
                   bsp_sight_pair *pair, uint8_t *row) {
    pair->contents[0] = list[0].contents[0];
    pair->contents[1] = list[0].contents[1];
    pair->portals = count;
    for (uint32_t i = 0; r->portals.learned && i < count; i++) {
        pair->seen += sees(r, &r->list[list[i].portal], row);
    }
    pair->passes =
        r->portals.learned ? pair->seen > count / 2 : passes_by_rule(r->map, pair->contents);
    bool differ = pair->contents[0] != pair->contents[1];
    for (uint32_t i = 0; i < count; i++) {
        const bsp_portal *portal = &r->list[list[i].portal];
        // Sides of one liquid may be opaque, and those of another one not.
        bool closed = !pair->passes || (differ && r->portals.learned && !sees(r, portal, row));
        stays[list[i].portal] = !closed && portal->clusters[0] != portal->clusters[1];
        r->portals.num_blocked += closed;
    }
}

static void fill(const bspi_recover *r, kinds *list) {
    for (uint32_t i = 0; i < r->portals.count; i++) {
        int32_t a = kind_of(r->map, r->list[i].leaves[0]);
        int32_t b = kind_of(r->map, r->list[i].leaves[1]);
        list[i] = (kinds){{a < b ? a : b, a < b ? b : a}, i};
    }
    qsort(list, r->portals.count, sizeof *list, compare);
}

static uint32_t run_of(const kinds *list, uint32_t count) {
    uint32_t same = 1;
    while (same < count &&
           memcmp(list[same].contents, list[0].contents, sizeof list[0].contents) == 0) {
        same++;
    }
    return same;
}

bool bspi_recover_passes(bspi_recover *r, bool learn) {
    uint32_t count = r->portals.count;
    kinds *list = bspi_arena_raw(&r->arena, count, sizeof *list, r->error);
    bool *stays = bspi_arena_zero(&r->arena, count, sizeof *stays, r->error);
    uint8_t *row = bspi_arena_raw(&r->arena, r->map->visibility.row_bytes, 1, r->error);
    if (list == NULL || stays == NULL || row == NULL) {
        return false;
    }
    r->portals.learned = learn && r->map->visibility.num_clusters > 0;
    if (!bspi_heap_work(&r->heap, (uint64_t)count * (r->map->visibility.row_bytes / 8 + 1),
                        r->error)) {
        return false;
    }
    fill(r, list);
    uint32_t pairs = 0;
    for (uint32_t i = 0; i < count; i += run_of(&list[i], count - i)) {
        pairs++;
    }
    bsp_sight_pair *pair = bspi_arena_zero(&r->arena, pairs, sizeof *pair, r->error);
    if (pair == NULL) {
        return false;
    }
    r->portals.pairs = pair;
    r->portals.num_pairs = pairs;
    for (uint32_t i = 0, same; i < count; i += same, pair++) {
        same = run_of(&list[i], count - i);
        decide(r, &list[i], same, stays, pair, row);
    }
    keep(r, stays);
    return true;
}
