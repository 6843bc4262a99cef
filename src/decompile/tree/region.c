// SPDX-License-Identifier: MIT
// Growing: see the header for the method. Every step is verified by cutting; one that cannot be
// verified (too many sides, rounding, too much work) is not taken, and the cell stays smaller.
#include "decompile/tree/region.h"

#include <math.h>
#include <string.h>

// A ball that is in a cell, with a volume over that of a sliver even where cuts are inexact by
// their epsilon, and the distance of its centre from a side that it is outside of.
#define BALL 0.3
#define BALL_OUT 0.31
#define SAMPLES_OUT 1.0  // samples are no further from a region
#define BOX_SLACK 0.1    // by which the box of a cell may be larger, and a cut solid than its sides
#define MOST_TRIES 256u  // sides tried for one region
#define SLIVER_PART 1e-7 // BSPI_SLIVER as a part of a cell

// --- regions ------------------------------------------------------------------------------------

bool bspi_region_of_cell(const bspi_tree *tree, uint32_t cell, bspi_region *region) {
    const bspi_tree_cell *from = &tree->cells[cell];
    region->contents = from->contents;
    region->num_tags = from->num_tags;
    if (from->num_tags > BSPI_REGION_SIDES) {
        return false;
    }
    memcpy(region->tags, tree->tags + from->first_tag, from->num_tags * sizeof *region->tags);
    return true;
}

// Takes the sides of the carver's solid. Returns false if they are too many.
static bool take_sides(const bspi_carver *carver, bspi_region *region) {
    const bspi_polyhedron *solid = &carver->solid;
    if (solid->num_polygons > BSPI_REGION_SIDES) {
        return false;
    }
    region->num_tags = solid->num_polygons;
    for (uint32_t i = 0; i < solid->num_polygons; i++) {
        region->tags[i] = solid->polygons[i].tag;
    }
    return true;
}

bool bspi_region_carve(bspi_carver *carver, const bspi_region *region) {
    return bspi_carve(carver, region->tags, region->num_tags, BSP_NONE);
}

uint32_t bspi_region_mixed_side(const bspi_merger *m, bspi_tree_side *side) {
    for (uint32_t i = 0; m->faces != NULL && i < m->carver->solid.num_polygons; i++) {
        if (!bspi_tree_faces_differ(m->faces, m->carver->solid.polygons[i].tag)) {
            continue;
        }
        bspi_tree_side_of(m->carver, i, side);
        if (bspi_tree_faces_mixed(m->faces, side)) {
            return i;
        }
    }
    return BSP_NONE;
}

// --- growing ------------------------------------------------------------------------------------

typedef struct growth {
    bspi_merger *merger;
    int32_t contents;
    bool gains; // it reaches a cell that is in no volume yet
} growth;

// Returns true if the part of a cell that has this volume is all of it.
static bool is_whole(const bspi_tree_cell *cell, double volume) {
    return volume >= cell->volume - BSPI_SLIVER - SLIVER_PART * cell->volume;
}

static bool may_have(void *user, bspi_carver *carver, uint32_t number) {
    growth *g = user;
    const bspi_tree_cell *cell = &g->merger->tree->cells[number];
    bool wanted = cell->contents == g->contents;
    if (wanted && g->merger->overlaps) {
        g->gains = g->gains || !bspi_merger_is_done(g->merger, number);
        return true;
    }
    double volume = cell->contents != 0 ? bspi_polyhedron_volume(&carver->solid) : 0;
    if (volume < BSPI_SLIVER) {
        return true;
    }
    g->gains = true;
    return wanted && !bspi_merger_is_done(g->merger, number) && is_whole(cell, volume);
}

// Saves the states of the region's solid, of which those before the cut by tag `first` and of
// earlier ones are saved already. Returns false if nothing is left, or without memory.
static bool continue_trial(bspi_trial *t, uint32_t first) {
    bspi_carver *carver = t->merger->carver;
    const bspi_region *region = t->region;
    bool there = true;
    for (uint32_t i = first; there && i < region->num_tags; i++) {
        t->saved[i + 1] = t->saved[i];
        there =
            bspi_flats_is_box(&carver->flats, region->tags[i]) ||
            (bspi_carve_tag(carver, region->tags[i]) && bspi_carver_save(carver, &t->saved[i + 1]));
    }
    if (!there) {
        return false;
    }
    t->intact = true;
    double mins[3];
    double maxs[3];
    bspi_polyhedron_extent(&carver->solid, mins, maxs);
    for (int a = 0; a < 3; a++) {
        mins[a] -= SAMPLES_OUT;
        maxs[a] += SAMPLES_OUT;
    }
    t->around = bspi_tree_around(t->merger->tree, carver, mins, maxs);
    return bspi_carver_work(carver, region->num_tags);
}

bool bspi_trial_begin(bspi_trial *t, bspi_merger *m, const bspi_region *region) {
    t->merger = m;
    t->region = region;
    return bspi_carve(m->carver, NULL, 0, BSP_NONE) && bspi_carver_save(m->carver, &t->saved[0]) &&
           continue_trial(t, 0);
}

// Gives the trial another region. The first tags of both are often the same ones.
static bool change_region(bspi_trial *t, bspi_region *region, const bspi_region *to) {
    bspi_carver *carver = t->merger->carver;
    uint32_t same = 0;
    while (same < region->num_tags && same < to->num_tags && region->tags[same] == to->tags[same]) {
        same++;
    }
    *region = *to;
    carver->stack.used = t->saved[same];
    bspi_polyhedron_read(&carver->stack, t->saved[same], &carver->solid);
    return bspi_carver_work(carver, 1) && continue_trial(t, same);
}

// Sets the carver's solid to the region.
static void make_intact(bspi_trial *t) {
    bspi_carver *carver = t->merger->carver;
    if (!t->intact) {
        bspi_polyhedron_read(&carver->stack, t->saved[t->region->num_tags], &carver->solid);
        t->intact = true;
    }
}

// Sets the carver's solid to the region without its side `drop`. Returns false if nothing is left.
static bool carve_without(bspi_trial *t, uint32_t drop) {
    bspi_carver *carver = t->merger->carver;
    t->intact = false;
    const bspi_region *region = t->region;
    bspi_polyhedron_read(&carver->stack, t->saved[drop], &carver->solid);
    bool there = bspi_carver_work(carver, 1 + region->num_tags - drop);
    for (uint32_t i = drop + 1; there && i < region->num_tags; i++) {
        there = bspi_flats_is_box(&carver->flats, region->tags[i]) ||
                bspi_carve_tag(carver, region->tags[i]);
    }
    return there;
}

// Returns the volume that must be out of a solid for a walk with the solid not to find a cell
// whole: cuts are inexact by their epsilon on all of its surface.
static double least_out(const bspi_tree_cell *cell) {
    double size[3];
    for (int a = 0; a < 3; a++) {
        size[a] = (double)cell->maxs[a] - (double)cell->mins[a];
    }
    double surface = 2 * (size[0] * size[1] + size[1] * size[2] + size[2] * size[0]);
    return BSPI_SLIVER + SLIVER_PART * cell->volume + 2 * BSPI_TREE_EPSILON * surface;
}

// Returns true if more than a volume of a cell is above `dist` along an axis (below minus `dist`:
// `low`). It is no smaller than the cell shrunk towards its outermost corner, since cells are
// convex.
static bool is_beyond(const bspi_tree_cell *cell, int axis, bool low, double dist, double least) {
    double mins = (double)cell->mins[axis];
    double maxs = (double)cell->maxs[axis];
    double part = ((low ? -mins : maxs) - dist - BOX_SLACK) / (maxs - mins);
    return part > 0 && part * part * part * cell->volume > least;
}

// The same for a side: only of one along an axis.
static bool is_beyond_tag(const bspi_flats *flats, uint32_t tag, const bspi_tree_cell *cell,
                          double least) {
    const bspi_flat *flat = &flats->list[tag / 2];
    bool turned = (tag & 1) != 0;
    for (int a = 0; a < 3; a++) {
        if (fabs(flat->normal[a]) == 1) {
            return is_beyond(cell, a, (flat->normal[a] < 0) != turned,
                             turned ? -flat->dist : flat->dist, least);
        }
    }
    return false;
}

// Returns true if a walk with what is outside of the side `drop` and inside of the others certainly
// does not find a cell whole.
static bool sticks_out(const bspi_flats *flats, const bspi_region *region, uint32_t drop,
                       const bspi_tree_cell *cell) {
    double least = least_out(cell);
    for (uint32_t i = 0; i < region->num_tags; i++) {
        uint32_t tag = i != drop ? region->tags[i] : region->tags[i] ^ 1;
        if (is_beyond_tag(flats, tag, cell, least)) {
            return true;
        }
    }
    return false;
}

// A region with one side dropped, which is the carver's solid.
typedef struct widened {
    const bspi_trial *trial;
    uint32_t out; // tag of what was added
    const bspi_region *grown;
    double mins[3];
    double maxs[3];
    int32_t around; // node or cell below which it is
} widened;

// Returns true if a cell with a part of what was added may not be had: not at all, or since it is
// not whole.
static bool is_refused_cell(const widened *w, uint32_t number) {
    const bspi_trial *t = w->trial;
    const bspi_tree_cell *cell = &t->merger->tree->cells[number];
    if (cell->contents == 0 || cell->contents != t->region->contents) {
        return cell->contents != 0;
    }
    if (t->merger->overlaps || bspi_merger_is_done(t->merger, number)) {
        return !t->merger->overlaps;
    }
    double least = least_out(cell);
    bool out = is_beyond_tag(&t->merger->carver->flats, w->out, cell, least);
    for (int a = 0; a < 3 && !out; a++) {
        out = is_beyond(cell, a, false, w->maxs[a], least) ||
              is_beyond(cell, a, true, -w->mins[a], least);
    }
    return out;
}

static bool is_refused_at(const widened *w, const double point[3]) {
    const bspi_merger *m = w->trial->merger;
    const bspi_flats *flats = &m->carver->flats;
    if (!bspi_tags_hold(flats, &w->out, 1, BSP_NONE, point, BALL) ||
        !bspi_tags_hold(flats, w->grown->tags, w->grown->num_tags, BSP_NONE, point, BALL)) {
        return false;
    }
    uint32_t number = bspi_tree_find_from(m->tree, m->carver, w->around, point);
    const bspi_tree_cell *cell = &m->tree->cells[number];
    return is_refused_cell(w, number) && bspi_tags_hold(flats, m->tree->tags + cell->first_tag,
                                                        cell->num_tags, BSP_NONE, point, BALL);
}

// Returns true if a walk with what was added certainly fails: samples near the corners of the
// carver's solid are in cells that the region may not have. Most walks would end at the first of
// them.
static bool is_refused(const bspi_trial *t, uint32_t drop, const bspi_region *grown) {
    const bspi_polyhedron *solid = &t->merger->carver->solid;
    widened w = {.trial = t, .out = t->region->tags[drop] ^ 1, .grown = grown};
    double middle[3];
    if (!solid->small) {
        return false;
    }
    bspi_polyhedron_middle(solid, middle);
    bspi_polyhedron_extent(solid, w.mins, w.maxs);
    w.around = bspi_tree_around(t->merger->tree, t->merger->carver, w.mins, w.maxs);
    bool refused = false;
    for (uint64_t left = solid->used; left != 0 && !refused; left &= left - 1) {
        double point[3];
        bspi_polyhedron_vertex(solid, (uint32_t)__builtin_ctzll(left), point);
        for (int a = 0; a < 3; a++) {
            point[a] += BSPI_TREE_INWARD * (middle[a] - point[a]);
        }
        refused = is_refused_at(&w, point);
    }
    return refused;
}

// Tries the carver's solid, which is the region without its side `drop`, cut by `more` tags.
static bool try_without(const bspi_trial *t, uint32_t drop, const uint32_t *more, uint32_t count,
                        bspi_region *grown) {
    bspi_merger *m = t->merger;
    bspi_carver *carver = m->carver;
    bool there = bspi_carver_work(carver, 1 + count);
    for (uint32_t i = 0; there && i < count; i++) {
        there = bspi_carve_tag(carver, more[i]);
    }
    bspi_tree_side side;
    grown->contents = t->region->contents;
    if (!there || !take_sides(carver, grown) || is_refused(t, drop, grown) ||
        bspi_region_mixed_side(m, &side) != BSP_NONE) {
        return false;
    }
    growth g = {m, t->region->contents, false};
    if (!bspi_carve_tag(carver, t->region->tags[drop] ^ 1)) {
        return !carver->solid.failed; // dropping the side changed nothing
    }
    return bspi_tree_walk(m->tree, m->carver, may_have, &g) && g.gains;
}

// Gives the tags of a cell that have all of the carver's solid on their back side.
static uint32_t far_tags(const bspi_merger *m, uint32_t number, uint32_t *tags) {
    const bspi_tree_cell *cell = &m->tree->cells[number];
    const bspi_flats *flats = &m->carver->flats;
    uint32_t count = 0;
    for (uint32_t i = 0; i < cell->num_tags && count < BSPI_REGION_SIDES; i++) {
        uint32_t tag = m->tree->tags[cell->first_tag + i];
        double normal[3];
        double dist;
        bspi_flats_out(flats, tag, normal, &dist);
        if (!bspi_flats_is_box(flats, tag) &&
            (bspi_polyhedron_sides(&m->carver->solid, normal, dist, BSPI_TREE_EPSILON) & 1) == 0) {
            tags[count++] = tag;
        }
    }
    return count;
}

// Returns the cell outside of the centre of a side, if it may be joined; or BSP_NONE.
static uint32_t behind_side(const bspi_trial *t, const bspi_tree_side *side,
                            const double center[3]) {
    const bspi_merger *m = t->merger;
    double point[3];
    for (int a = 0; a < 3; a++) {
        point[a] = center[a] + BSPI_TREE_PROBE * side->normal[a];
    }
    uint32_t cell = bspi_tree_find_from(m->tree, m->carver, t->around, point);
    return m->tree->cells[cell].contents == t->region->contents ? cell : BSP_NONE;
}

// Returns the polygon of the carver's solid with a tag.
static uint32_t polygon_of(const bspi_carver *carver, uint32_t tag) {
    const bspi_polyhedron *solid = &carver->solid;
    for (uint32_t i = 0; i < solid->num_polygons; i++) {
        if (solid->polygons[i].tag == tag) {
            return i;
        }
    }
    return BSP_NONE;
}

#define WITHOUT 1u // the region without a side
#define JOINED 2u  // and with planes of the cell that it would be joined with instead

// Returns which of both would have a ball around a point, outside of the side `drop`, of a cell
// that the region may not have.
static uint32_t blocked_at(const bspi_trial *t, uint32_t drop, uint32_t join,
                           const double point[3]) {
    const bspi_merger *m = t->merger;
    const bspi_flats *flats = &m->carver->flats;
    const bspi_tree_cell *cells = m->tree->cells;
    const bspi_region *region = t->region;
    uint32_t out = region->tags[drop] ^ 1;
    if (!bspi_tags_hold(flats, region->tags, region->num_tags, drop, point, BALL) ||
        !bspi_tags_hold(flats, &out, 1, BSP_NONE, point, BALL)) {
        return 0;
    }
    bool joined = bspi_tree_cell_holds(m->tree, flats, join, point, BALL); // mostly
    uint32_t number = joined ? join : bspi_tree_find_from(m->tree, m->carver, t->around, point);
    const bspi_tree_cell *cell = &cells[number];
    if (cell->contents == 0 ||
        (cell->contents == region->contents && !bspi_merger_is_done(m, number) &&
         !sticks_out(flats, region, drop, cell)) ||
        !(joined || bspi_tree_cell_holds(m->tree, flats, number, point, BALL))) {
        return 0;
    }
    return joined ? WITHOUT | JOINED : WITHOUT;
}

// Returns how the region certainly may not grow beyond its side `drop`: samples near the side are
// in cells that it may not have. Most trials end here, without a cut.
static uint32_t refused(const bspi_trial *t, uint32_t drop, uint32_t join,
                        const bspi_tree_side *side, const double center[3]) {
    uint32_t found = 0;
    for (uint32_t i = 0; i <= side->polygon.count && found != (WITHOUT | JOINED); i++) {
        double point[3];
        const double *corner = i == 0 ? center : side->polygon.points[i - 1];
        for (int a = 0; a < 3; a++) {
            point[a] =
                corner[a] + BSPI_TREE_INWARD * (center[a] - corner[a]) + BALL_OUT * side->normal[a];
        }
        found |= blocked_at(t, drop, join, point);
    }
    return found;
}

static bool grow_side(bspi_trial *t, uint32_t drop, bspi_region *grown) {
    bspi_merger *m = t->merger;
    bspi_carver *carver = m->carver;
    const bspi_region *region = t->region;
    if (bspi_flats_is_box(&carver->flats, region->tags[drop])) {
        return false;
    }
    make_intact(t);
    uint32_t polygon = polygon_of(carver, region->tags[drop]);
    if (polygon == BSP_NONE) {
        return false;
    }
    bspi_tree_side side;
    bspi_tree_side_of(carver, polygon, &side);
    double center[3] = {0, 0, 0};
    for (uint32_t i = 0; i < side.polygon.count; i++) {
        for (int a = 0; a < 3; a++) {
            center[a] += side.polygon.points[i][a] / side.polygon.count;
        }
    }
    uint32_t cell = behind_side(t, &side, center);
    if (cell == BSP_NONE) {
        return false;
    }
    uint32_t without = m->overlaps ? 0 : refused(t, drop, cell, &side, center);
    if (without == (WITHOUT | JOINED)) {
        return false;
    }
    uint32_t tags[BSPI_REGION_SIDES];
    uint32_t count = far_tags(m, cell, tags);
    if ((without & WITHOUT) == 0 && carve_without(t, drop) &&
        try_without(t, drop, NULL, 0, grown)) {
        return true;
    }
    return count != 0 && carve_without(t, drop) && try_without(t, drop, tags, count, grown);
}

bool bspi_trial_grow(bspi_trial *t, bspi_region *region) {
    bspi_merger *m = t->merger;
    bspi_carver *carver = m->carver;
    uint32_t tries = 0;
    uint32_t drop = region->num_tags;
    bool there = true;
    while (there && drop != 0 && tries < MOST_TRIES && !carver->starved) {
        bspi_region grown;
        tries++;
        if (grow_side(t, --drop, &grown)) {
            there = change_region(t, region, &grown);
            drop = region->num_tags;
        }
    }
    if (there) {
        make_intact(t);
    }
    return there;
}

bool bspi_region_grow(bspi_merger *m, bspi_region *region) {
    size_t bottom = m->carver->stack.used;
    bspi_trial t;
    bool good = bspi_trial_begin(&t, m, region) && bspi_trial_grow(&t, region);
    m->carver->stack.used = bottom;
    return good;
}

// --- marking -------------------------------------------------------------------------------------

static bool mark(void *user, bspi_carver *carver, uint32_t number) {
    growth *g = user;
    const bspi_tree_cell *cell = &g->merger->tree->cells[number];
    // What others marked since does not matter: marks are not taken back.
    if (cell->contents == g->contents && !bspi_cell_is_done(cell) &&
        is_whole(cell, bspi_polyhedron_volume(&carver->solid))) {
        return bspi_merger_set_done(g->merger, number);
    }
    return true;
}

bool bspi_region_done(bspi_merger *m, const bspi_region *region) {
    growth g = {m, region->contents, false};
    return bspi_tree_walk(m->tree, m->carver, mark, &g);
}
