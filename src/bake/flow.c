// SPDX-License-Identifier: MIT
// The search for what a gate sees: ways through gates, along which what is left of the first gate
// and of the last one are cut by planes that separate one from another. A gate of which nothing is
// left cannot be seen on that way. Facts: sheet bake, 2.2; the way of Teller's thesis.
//
// A search looks for clusters. Those that its own cluster is known to see need not be found again:
// what is left are the ways to the others.
#include "bake/search.h"

#include "core/vector.h"

#include <string.h>

#define DEEPEST 512u // gates of a way; beyond it everything that may be seen counts as seen
#define PLANES 64u   // that separate two gates; more are not needed
#define EPSILON BSPI_SIGHT_EPSILON

typedef struct planes {
    uint32_t count;
    bspi_bake_plane list[PLANES];
} planes;

// A step of a way. The polygons are what is left of the first gate and of the one last gone
// through.
typedef struct frame {
    bspi_polygon source;
    bspi_polygon pass;
    bspi_bake_plane plane; // of the gate last gone through
    planes between;        // separate source and pass: what is seen through both is in front of all
    bspi_word *might;      // gates that may still be seen
} frame;

struct bspi_search {
    bspi_sight *sight;
    const bspi_gate *gate;
    bspi_word *settled; // gates that lead to clusters which need not be found
    bool *found;        // clusters
    bool *out;          // clusters that a share has shown to be out of sight
    frame **frames;     // made as the search goes deeper
    bspi_polygon turned[2];
    planes back;
    bspi_meter meter;
    bsp_error *error;
};

typedef struct bspi_search search;

// --- polygons and planes ------------------------------------------------------------------------

// Keeps what is in front of a plane. Returns false if nothing is left.
static bool clip(bspi_polygon *polygon, const bspi_bake_plane *plane) {
    double away[BSPI_POLYGON_POINTS];
    bool front = false;
    bool back = false;
    for (uint32_t i = 0; i < polygon->count; i++) {
        away[i] = bspi_plane_away(plane, polygon->points[i]);
        front |= away[i] > EPSILON;
        back |= away[i] < -EPSILON;
    }
    if (!front || !back) {
        return front;
    }
    return bspi_polygon_keep(polygon, plane, EPSILON, false);
}

static void copy_polygon(bspi_polygon *to, const bspi_polygon *from) {
    to->count = from->count;
    memcpy(to->points, from->points, from->count * sizeof from->points[0]);
}

static void copy_gate(bspi_polygon *to, const bspi_gate *gate) {
    to->count = gate->num_points;
    memcpy(to->points, gate->points, gate->num_points * sizeof *gate->points);
}

static void turn(bspi_polygon *to, const bspi_polygon *from) {
    to->count = from->count;
    for (uint32_t i = 0; i < from->count; i++) {
        memcpy(to->points[i], from->points[from->count - 1 - i], sizeof to->points[i]);
    }
}

// Finds the plane through an edge of `of` that has `of` on one side and `other` on the other, with
// one of its points in it: for each point, one that the plane before has on its wrong side takes
// its place. `sign` is that of the side where `other` is to be. Returns false if there is none.
static bool separate(const bspi_polygon *of, uint32_t number, const bspi_polygon *other,
                     double sign, bspi_bake_plane *out) {
    const double *a = of->points[number];
    double edge[3];
    double normal[3] = {0, 0, 0}; // of any length
    bspi_vec_subtract(of->points[number + 1 == of->count ? 0 : number + 1], a, edge);
    for (uint32_t i = 0; i < other->count; i++) {
        double to[3];
        bspi_vec_subtract(other->points[i], a, to);
        if (i == 0 || sign * bspi_vec_dot(normal, to) < 0) {
            bspi_vec_cross(edge, to, normal);
        }
    }
    double length = bspi_vec_length(normal);
    if (length < EPSILON) {
        return false;
    }
    for (int i = 0; i < 3; i++) {
        out->normal[i] = normal[i] / length;
    }
    out->dist = bspi_vec_dot(out->normal, a);
    bool made = true;
    bool beyond = false;
    for (uint32_t i = 0; made && i < of->count; i++) {
        made = sign * bspi_plane_away(out, of->points[i]) <= EPSILON;
    }
    for (uint32_t i = 0; made && i < other->count; i++) {
        double away = sign * bspi_plane_away(out, other->points[i]);
        made = away >= -EPSILON;
        beyond |= away > EPSILON;
    }
    return made && beyond;
}

// Makes the planes between two polygons that are counter-clockwise seen from beyond `to`: what is
// seen through both, beyond `to`, is in front of all.
static void separate_all(const bspi_polygon *from, const bspi_polygon *to, planes *out) {
    out->count = 0;
    for (uint32_t i = 0; i < from->count && out->count < PLANES; i++) {
        bspi_bake_plane *plane = &out->list[out->count];
        out->count += separate(from, i, to, 1, plane);
    }
    for (uint32_t i = 0; i < to->count && out->count < PLANES; i++) {
        bspi_bake_plane *plane = &out->list[out->count];
        out->count += separate(to, i, from, -1, plane);
    }
}

// --- a search -----------------------------------------------------------------------------------

static frame *frame_at(search *s, uint32_t depth) {
    frame *f = s->frames[depth];
    if (f != NULL) {
        return f;
    }
    size_t set = s->sight->words * sizeof *f->might;
    f = bspi_heap_alloc(&s->sight->heap, sizeof *f + set, s->error);
    if (f != NULL) {
        f->might = (bspi_word *)(f + 1);
        s->frames[depth] = f;
    }
    return f;
}

// Notes that a cluster is seen, or out of sight: no gate into it need be gone through for its own
// sake.
static void find(search *s, uint32_t cluster) {
    const bspi_sight *sight = s->sight;
    if (s->found[cluster]) {
        return;
    }
    s->found[cluster] = true;
    for (uint32_t i = sight->first_gate[cluster]; i < sight->first_gate[cluster + 1]; i++) {
        bspi_gate_add(s->settled, sight->leaving[i] ^ 1);
    }
}

// Makes the set of what may be seen after one more gate. Returns true if clusters may be found
// there.
static bool narrow(const search *s, const frame *f, uint32_t gate, frame *next) {
    bspi_sight *sight = s->sight;
    const bspi_word *of =
        bspi_gate_set(sight, sight->done[gate] ? sight->seen : sight->might, gate);
    bspi_word more = 0;
    for (uint32_t i = 0; i < sight->words; i++) {
        bspi_word both = f->might[i] & of[i];
        next->might[i] = both;
        more |= both & ~s->settled[i];
    }
    return more != 0;
}

// Returns true if a gate is behind one of the planes of a frame.
static bool is_hidden(const frame *f, const bspi_gate *gate, bspi_polygon *rest) {
    bool cut = false;
    for (uint32_t i = 0; i < f->between.count; i++) {
        double away = bspi_plane_away(&f->between.list[i], gate->middle);
        if (away < -gate->radius) {
            return true;
        }
        cut |= away <= EPSILON;
    }
    if (!cut) {
        return false; // its middle is seen
    }
    copy_gate(rest, gate);
    for (uint32_t i = 0; i < f->between.count; i++) {
        if (!clip(rest, &f->between.list[i])) {
            return true;
        }
    }
    return false;
}

// Takes gates out of what may be seen that the source does not see through the last gate: no way
// leads there, however long it is.
static void prune(search *s, frame *f) {
    const bspi_sight *sight = s->sight;
    separate_all(&f->source, &f->pass, &f->between);
    if (f->between.count == 0) {
        return;
    }
    for (uint32_t w = 0; w < sight->words; w++) {
        bspi_word left = f->might[w] & ~s->settled[w];
        while (left != 0) {
            uint32_t n = bspi_gate_take(&left, 64 * w);
            if (is_hidden(f, &sight->gates[n], &s->turned[0])) {
                bspi_gate_remove(f->might, n);
            }
        }
    }
}

// Cuts the next gate and the source by the planes of one another, and by that of the last gate.
static bool cut_by_gates(const search *s, const frame *f, const bspi_gate *gate, frame *next) {
    bspi_bake_plane back = {
        {-gate->plane.normal[0], -gate->plane.normal[1], -gate->plane.normal[2]},
        -gate->plane.dist};
    copy_gate(&next->pass, gate);
    copy_polygon(&next->source, &f->source);
    return clip(&next->pass, &s->gate->plane) && clip(&next->pass, &f->plane) &&
           clip(&next->source, &back);
}

// Cuts the next gate by what separates the source from the last one.
static bool cut_target(const frame *f, const bspi_gate *gate, frame *next) {
    for (uint32_t i = 0; i < f->between.count; i++) {
        double away = bspi_plane_away(&f->between.list[i], gate->middle);
        if (away < -gate->radius ||
            (away < gate->radius + EPSILON && !clip(&next->pass, &f->between.list[i]))) {
            return false;
        }
    }
    return true;
}

// Cuts the source by what separates the next gate from the last one, looking back.
static bool cut_source(search *s, const frame *f, frame *next) {
    turn(&s->turned[0], &next->pass);
    turn(&s->turned[1], &f->pass);
    separate_all(&s->turned[0], &s->turned[1], &s->back);
    for (uint32_t i = 0; i < s->back.count; i++) {
        if (!clip(&next->source, &s->back.list[i])) {
            return false;
        }
    }
    return true;
}

// Gates that lead to what need not be found are not pruned. Whether a way exists must not depend on
// what was found before it, which is another in each share: so they are looked at here.
static bool is_pruned(search *s, uint32_t depth, uint32_t number) {
    if (!bspi_gate_in(s->settled, number)) {
        return false;
    }
    for (uint32_t i = depth; i > 0; i--) {
        if (is_hidden(s->frames[i], &s->sight->gates[number], &s->turned[0])) {
            return true;
        }
    }
    return false;
}

// Makes the frame after one more gate. Returns false if the gate need not, or cannot be gone
// through.
static bool step(search *s, uint32_t depth, uint32_t number, frame *next) {
    const frame *f = s->frames[depth];
    const bspi_gate *gate = &s->sight->gates[number];
    if (!bspi_gate_in(f->might, number) || (!narrow(s, f, number, next) && s->found[gate->to])) {
        return false;
    }
    next->plane = gate->plane;
    return bspi_meter_add(&s->meter, 1 + s->sight->words / 16) && !is_pruned(s, depth, number) &&
           cut_by_gates(s, f, gate, next) &&
           (depth == 0 || (cut_target(f, gate, next) && cut_source(s, f, next)));
}

// Takes everything that may be seen as found: no way is followed further than this.
static void give_up(search *s, const frame *f) {
    for (uint32_t i = 0; i < s->sight->num_gates; i++) {
        if (bspi_gate_in(f->might, i)) {
            find(s, s->sight->gates[i].to);
        }
    }
}

// Goes through all gates of a cluster. Returns false over the limit of work.
static bool go(search *s, uint32_t depth, uint32_t cluster) {
    const bspi_sight *sight = s->sight;
    frame *f = s->frames[depth];
    find(s, cluster);
    if (depth + 1 == DEEPEST) {
        give_up(s, f);
        return true;
    }
    frame *next = frame_at(s, depth + 1);
    if (next == NULL || !bspi_meter_add(&s->meter, 1)) {
        return false;
    }
    if (depth > 0) {
        prune(s, f);
    }
    for (uint32_t i = sight->first_gate[cluster]; i < sight->first_gate[cluster + 1]; i++) {
        uint32_t number = sight->leaving[i];
        if (step(s, depth, number, next) && !go(s, depth + 1, sight->gates[number].to)) {
            return false;
        }
    }
    return !s->meter.failed;
}

// Forgets what was found, but for clusters that stay.
static void begin_found(search *s) {
    bspi_sight *sight = s->sight;
    memset(s->settled, 0, sight->words * sizeof *s->settled);
    memset(s->found, 0, sight->vis.num_clusters * sizeof *s->found);
}

// Takes out of the search what a share has shown to be out of sight: it took sets of what might be
// seen that had all gates which these have.
static void rule_out(search *s, const uint8_t *share) {
    for (uint32_t i = 0; i < s->sight->vis.num_clusters; i++) {
        s->out[i] = !s->found[i] && (share[i / 8] >> i % 8 & 1) == 0;
    }
    for (uint32_t i = 0; i < s->sight->vis.num_clusters; i++) {
        if (s->out[i]) {
            find(s, i);
        }
    }
}

static void restore(search *s) {
    uint32_t count = s->sight->vis.num_clusters;
    for (uint32_t i = 0; i < count; i++) {
        s->out[i] = s->found[i] && !s->out[i];
    }
    begin_found(s);
    for (uint32_t i = 0; i < count; i++) {
        if (s->out[i]) {
            find(s, i);
        }
    }
}

bool bspi_search_gate(search *s, uint32_t number, const uint8_t *share, bsp_error *error) {
    bspi_sight *sight = s->sight;
    s->error = error;
    s->meter = (bspi_meter){.heap = &sight->heap, .error = error};
    s->gate = &sight->gates[number];
    frame *f = frame_at(s, 0);
    if (f == NULL) {
        return false;
    }
    begin_found(s);
    for (uint32_t i = 0; i < sight->vis.num_clusters; i++) {
        if (bspi_sight_sees(sight, s->gate->from, i)) {
            find(s, i);
        }
    }
    if (share != NULL) {
        rule_out(s, share);
    }
    copy_gate(&f->source, s->gate);
    f->plane = s->gate->plane;
    memcpy(f->might, bspi_gate_set(sight, sight->might, number), sight->words * sizeof *f->might);
    bool done = go(s, 0, s->gate->to) && bspi_meter_pay(&s->meter);
    if (share != NULL) {
        restore(s);
    }
    return done;
}

void bspi_search_store(const search *s, uint32_t number) {
    bspi_sight *sight = s->sight;
    const bspi_word *might = bspi_gate_set(sight, sight->might, number);
    bspi_word *seen = bspi_gate_set(sight, sight->seen, number);
    for (uint32_t w = 0; w < sight->words; w++) {
        bspi_word left = might[w] & s->settled[w];
        seen[w] = left;
        while (left != 0) {
            uint32_t n = bspi_gate_take(&left, 64 * w);
            if (!s->found[sight->gates[n].from]) {
                bspi_gate_remove(seen, n);
            }
        }
    }
}

void bspi_search_share(const search *s, uint8_t *row) {
    memset(row, 0, s->sight->vis.row_bytes);
    for (uint32_t i = 0; i < s->sight->vis.num_clusters; i++) {
        row[i / 8] |= (uint8_t)(s->found[i] ? 1u << i % 8 : 0u);
    }
}

bspi_search *bspi_search_new(bspi_sight *sight, bsp_error *error) {
    uint32_t clusters = sight->vis.num_clusters;
    search *s = bspi_arena_zero(&sight->arena, 1, sizeof *s, error);
    if (s == NULL) {
        return NULL;
    }
    s->sight = sight;
    s->frames = bspi_arena_zero(&sight->arena, DEEPEST, sizeof *s->frames, error);
    s->settled = bspi_arena_raw(&sight->arena, sight->words, sizeof *s->settled, error);
    s->found = bspi_arena_raw(&sight->arena, clusters, sizeof *s->found, error);
    s->out = bspi_arena_raw(&sight->arena, clusters, sizeof *s->out, error);
    return s->frames != NULL && s->settled != NULL && s->found != NULL && s->out != NULL ? s : NULL;
}

void bspi_search_end(search *s) {
    for (uint32_t i = 0; s != NULL && s->frames != NULL && i < DEEPEST; i++) {
        if (s->frames[i] != NULL) {
            bspi_heap_free(&s->sight->heap, s->frames[i],
                           sizeof *s->frames[i] + s->sight->words * sizeof(bspi_word));
        }
    }
}
