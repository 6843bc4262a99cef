// SPDX-License-Identifier: MIT
// The search for what a gate sees: ways through gates, along which what is left of the first gate
// and of the last one are cut by planes that separate one from another. A gate of which nothing is
// left cannot be seen on that way. Facts: sheet bake, 2.2; the way of Teller's thesis.
//
// A search looks for clusters. Those that its own cluster is known to see need not be found again:
// what is left are the ways to the others. Sight is the same in both directions: a line through
// gate P and then Q is one through Q and then P from the other side, so what one search finds, or
// does not find, settles the one that looks back. Searches are done in rounds, those of gates that
// may see little first, and take only what earlier rounds have found: the result is the same at any
// number of threads.
#include "bake/sight.h"

#include "core/progress.h"
#include "core/vector.h"
#include "core/workers.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 128u
#define LEAST_ROUND 16u // gates
#define DEEPEST 512u    // gates of a way; beyond it everything that may be seen counts as seen
#define PLANES 64u      // that separate two gates; more are not needed
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

typedef struct search {
    bspi_sight *sight;
    const bspi_gate *gate;
    bspi_word *settled; // gates that lead to clusters which are found
    bool *found;        // clusters
    frame **frames;     // made as the search goes deeper
    bspi_polygon turned[2];
    planes back;
    bspi_meter meter;
    bsp_error *error;
} search;

typedef struct flow {
    bspi_sight *sight;
    search *searches; // of the workers
    const uint32_t *order;
    uint32_t first; // of the round
} flow;

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
    for (uint32_t i = 0; made && i < other->count; i++) {
        double away = sign * bspi_plane_away(out, other->points[i]);
        made = away >= -EPSILON;
        beyond |= away > EPSILON;
    }
    for (uint32_t i = 0; made && i < of->count; i++) {
        made = sign * bspi_plane_away(out, of->points[i]) <= EPSILON;
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

// Notes that a cluster is seen: no gate into it need be gone through for its own sake.
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

// Makes the frame after one more gate. Returns false if the gate need not, or cannot be gone
// through.
static bool step(search *s, uint32_t depth, uint32_t number, frame *next) {
    const frame *f = s->frames[depth];
    const bspi_gate *gate = &s->sight->gates[number];
    if (!bspi_gate_in(f->might, number) || (!narrow(s, f, number, next) && s->found[gate->to])) {
        return false;
    }
    next->plane = gate->plane;
    return bspi_meter_add(&s->meter, 1 + s->sight->words / 16) && cut_by_gates(s, f, gate, next) &&
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

// Stores which gates may be seen: those between clusters that were found.
static void store(const search *s, uint32_t number) {
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

static bool search_gate(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    flow *all = user;
    bspi_sight *sight = all->sight;
    uint32_t number = all->order[all->first + item];
    search *s = &all->searches[worker];
    s->error = error;
    s->meter = (bspi_meter){.heap = &sight->heap, .error = error};
    s->gate = &sight->gates[number];
    frame *f = frame_at(s, 0);
    if (f == NULL) {
        return false;
    }
    memset(s->settled, 0, sight->words * sizeof *s->settled);
    memset(s->found, 0, sight->vis.num_clusters * sizeof *s->found);
    for (uint32_t i = 0; i < sight->vis.num_clusters; i++) {
        if (bspi_sight_sees(sight, s->gate->from, i)) {
            find(s, i);
        }
    }
    copy_gate(&f->source, s->gate);
    f->plane = s->gate->plane;
    memcpy(f->might, bspi_gate_set(sight, sight->might, number), sight->words * sizeof *f->might);
    bool done = go(s, 0, s->gate->to) && bspi_meter_pay(&s->meter);
    store(s, number);
    return done;
}

// --- rounds -------------------------------------------------------------------------------------

// Takes what a search has found, for both directions: its own cluster and those found see each
// other, and gates that it has not reached do not lead back to it.
static void tell(bspi_sight *sight, uint32_t number) {
    const bspi_word *might = bspi_gate_set(sight, sight->might, number);
    const bspi_word *seen = bspi_gate_set(sight, sight->seen, number);
    uint32_t from = sight->gates[number].from;
    bspi_sight_see(sight, from, sight->gates[number].to);
    for (uint32_t w = 0; w < sight->words; w++) {
        bspi_word left = might[w];
        while (left != 0) {
            uint32_t n = bspi_gate_take(&left, 64 * w);
            if (bspi_gate_in(seen, n)) {
                bspi_sight_see(sight, from, sight->gates[n].to);
            } else if (!sight->done[n ^ 1]) {
                bspi_gate_remove(bspi_gate_set(sight, sight->might, n ^ 1), number ^ 1);
            }
        }
    }
}

static bool run_round(flow *all, uint32_t count, uint32_t threads, bsp_error *error) {
    bspi_sight *sight = all->sight;
    if (!bspi_workers_each(threads, count, search_gate, all, error)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        sight->done[all->order[all->first + i]] = true;
    }
    for (uint32_t i = 0; i < count; i++) {
        tell(sight, all->order[all->first + i]);
    }
    return bspi_heap_work(&sight->heap, (uint64_t)count * sight->words, error);
}

static bool run_rounds(flow *all, uint32_t threads, bsp_error *error) {
    bspi_sight *sight = all->sight;
    bspi_progress progress;
    uint32_t size = sight->num_gates / ROUNDS;
    size = size < LEAST_ROUND ? LEAST_ROUND : size;
    if (!bspi_progress_begin(&progress, &sight->progress, "gates", sight->num_gates, error)) {
        return false;
    }
    for (; all->first < sight->num_gates; all->first += size) {
        uint32_t left = sight->num_gates - all->first;
        uint32_t count = left < size ? left : size;
        if (!run_round(all, count, threads, error) ||
            !bspi_progress_step(&progress, count, error)) {
            return false;
        }
    }
    return true;
}

typedef struct place {
    uint32_t reach;
    uint32_t gate;
} place;

static int compare(const void *a, const void *b) {
    const place *p = a;
    const place *q = b;
    return p->reach != q->reach ? (p->reach < q->reach ? -1 : 1)
                                : (p->gate > q->gate) - (p->gate < q->gate);
}

static uint32_t *make_order(bspi_sight *sight, bsp_error *error) {
    place *places = bspi_arena_raw(&sight->arena, sight->num_gates, sizeof *places, error);
    uint32_t *order = bspi_arena_raw(&sight->arena, sight->num_gates, sizeof *order, error);
    for (uint32_t i = 0; places != NULL && order != NULL && i < sight->num_gates; i++) {
        places[i] = (place){sight->gates[i].reach, i};
    }
    if (places == NULL || order == NULL) {
        return NULL;
    }
    qsort(places, sight->num_gates, sizeof *places, compare);
    for (uint32_t i = 0; i < sight->num_gates; i++) {
        order[i] = places[i].gate;
    }
    return order;
}

static bool begin_search(bspi_sight *sight, search *s, bsp_error *error) {
    s->sight = sight;
    s->frames = bspi_arena_zero(&sight->arena, DEEPEST, sizeof *s->frames, error);
    s->settled = bspi_arena_raw(&sight->arena, sight->words, sizeof *s->settled, error);
    s->found = bspi_arena_raw(&sight->arena, sight->vis.num_clusters, sizeof *s->found, error);
    return s->frames != NULL && s->settled != NULL && s->found != NULL;
}

static void end_search(bspi_sight *sight, search *s) {
    for (uint32_t i = 0; s->frames != NULL && i < DEEPEST; i++) {
        if (s->frames[i] != NULL) {
            bspi_heap_free(&sight->heap, s->frames[i],
                           sizeof *s->frames[i] + sight->words * sizeof(bspi_word));
        }
    }
}

bool bspi_sight_flow(bspi_sight *sight, bsp_error *error) {
    uint32_t threads = bspi_heap_threads(&sight->heap);
    flow all = {.sight = sight, .order = make_order(sight, error)};
    sight->seen = bspi_arena_zero(&sight->arena, (size_t)sight->num_gates * sight->words,
                                  sizeof *sight->seen, error);
    sight->done = bspi_arena_zero(&sight->arena, sight->num_gates, sizeof *sight->done, error);
    all.searches = bspi_arena_zero(&sight->arena, threads, sizeof *all.searches, error);
    bool good =
        all.order != NULL && sight->seen != NULL && sight->done != NULL && all.searches != NULL;
    for (uint32_t i = 0; good && i < threads; i++) {
        good = begin_search(sight, &all.searches[i], error);
    }
    good = good && run_rounds(&all, threads, error);
    for (uint32_t i = 0; all.searches != NULL && i < threads; i++) {
        end_search(sight, &all.searches[i]);
    }
    return good;
}
