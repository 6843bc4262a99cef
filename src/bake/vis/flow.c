// SPDX-License-Identifier: MIT
// The search for what a gate sees: ways through gates, along which what is left of the first gate
// and of the last one are cut by planes that separate one from another. A gate of which nothing is
// left cannot be seen on that way. Facts: sheet bake, 2.2; the way of Teller's thesis.
//
// A search looks for clusters. Those that its own cluster is known to see need not be found again:
// what is left are the ways to the others.
#include "bake/vis/search.h"

#include <string.h>

#define PATIENCE 8u  // steps between two branches that are given away
#define DEEPEST 512u // gates of a way; beyond it everything that may be seen counts as seen

// A step of a way. The windings are what is left of the first gate and of the one last gone
// through.
typedef struct frame {
    bspi_winding source;
    bspi_winding pass;
    bspi_winding back;       // pass, in the other direction
    bspi_split_plane plane;  // of the gate last gone through
    bspi_separators between; // source and pass: what is seen through both is in front of all
    bspi_word *might;        // gates that may still be seen
    bspi_word *looked;       // gates that `between` does not hide, of those that it was asked for
    uint32_t gate;           // last gone through
    uint32_t next;           // the run of `leaving` that is to be gone through yet
    uint32_t end;
    bool good; // no step before hides this one
    bspi_cutting source_room;
    bspi_cutting pass_room;
    bspi_winding_points back_room;
} frame;

struct bspi_search {
    bspi_sight *sight;
    const bspi_separating *math;
    const bspi_task *task;
    const bspi_gate *gate;
    uint32_t taken;     // of what the workers of the task have found
    uint32_t kept;      // steps since a branch was given away
    uint32_t dead;      // the step from which on the way is hidden; BSP_NONE: it is not
    bspi_word *settled; // gates that lead to clusters which need not be found
    bool *found;        // clusters
    bool *out;          // clusters that a share has shown to be out of sight
    bspi_blocks blocks; // of what the gate may see: those that are not empty
    uint32_t *first;    // of the blocks
    frame **frames; // made as the search goes deeper; the words of their sets are those of blocks
    bspi_cutting rest;
    bspi_separators back; // looking from the next gate to the last one
    bspi_meter meter;
};

typedef struct bspi_search search;

// --- a search -----------------------------------------------------------------------------------

static frame *frame_at(search *s, uint32_t depth) {
    size_t set = s->sight->words * sizeof(bspi_word);
    frame *f = s->frames[depth];
    if (f != NULL) {
        return f;
    }
    f = bspi_heap_alloc(&s->sight->heap, sizeof *f + 2 * set, s->meter.error);
    if (f != NULL) {
        f->might = (bspi_word *)(f + 1);
        f->looked = f->might + s->sight->words;
        s->frames[depth] = f;
    }
    return f;
}

// Notes that a cluster is seen, or out of sight: for its own sake no gate need lead there.
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

// Returns true if a gate may be seen at a step.
static bool may_see(const search *s, uint32_t depth, uint32_t gate) {
    return bspi_gate_in(s->frames[0]->might, gate) && bspi_gate_in(s->frames[depth]->might, gate);
}

// Makes the set of what may be seen after one more gate. Returns true if clusters may be found
// there.
static bool narrow(const search *s, const frame *f, uint32_t gate, frame *next) {
    bspi_sight *sight = s->sight;
    const bspi_word *of =
        bspi_gate_set(sight, sight->done[gate] ? sight->seen : sight->might, gate);
    return s->math->both(f->might, of, s->settled, &s->blocks, next->might);
}

// Takes gates out of what may be seen that the source does not see through the last gate.
static void prune(search *s, frame *f) {
    const bspi_sight *sight = s->sight;
    s->math->find(&f->source, &f->pass, &f->between);
    if (f->between.count > 0) {
        s->math->prune(&(bspi_pruning){&f->between, sight->windings, sight->spheres, s->settled,
                                       f->might, f->looked, s->blocks},
                       &s->rest);
    }
}

// Cuts the next gate and the source by the planes of one another, and by that of the last gate.
static bool cut_by_gates(const search *s, const frame *f, uint32_t number, frame *next) {
    const bspi_gate *gate = &s->sight->gates[number];
    bspi_split_plane back = {
        {-gate->plane.normal[0], -gate->plane.normal[1], -gate->plane.normal[2]},
        -gate->plane.dist};
    next->pass = s->sight->windings[number];
    next->source = f->source;
    return s->math->cut_plane(&s->gate->plane, &next->pass, &next->pass_room) &&
           s->math->cut_plane(&f->plane, &next->pass, &next->pass_room) &&
           s->math->cut_plane(&back, &next->source, &next->source_room);
}

// Returns true if a step hides a gate, which is then out of sight from there to the step `last`.
static bool hides(search *s, uint32_t depth, uint32_t last, uint32_t number) {
    const bspi_sight *sight = s->sight;
    frame *f = s->frames[depth];
    if (depth == 0 || f->between.count == 0 || bspi_gate_in(f->looked, number)) {
        return false;
    }
    if (!s->math->hide(&f->between, &sight->windings[number], &sight->spheres[number], &s->rest)) {
        bspi_gate_add(f->looked, number);
        return false;
    }
    for (uint32_t i = depth; i <= last; i++) {
        bspi_gate_remove(s->frames[i]->might, number);
    }
    return true;
}

// Returns true if no step hides a later one. The step before it has been asked when it was made;
// those before that hide next to nothing, so that they are asked where a way finds something.
static bool is_way(search *s, uint32_t depth) {
    uint32_t k = depth;
    while (k >= 2 && !s->frames[k]->good) {
        k--;
    }
    for (k++; k <= depth && bspi_meter_add(&s->meter, 1 + k / 16); k++) {
        for (uint32_t i = k - 1; i-- > 1;) {
            if (hides(s, i, k - 1, s->frames[k]->gate)) {
                s->dead = k;
                return false;
            }
        }
        s->frames[k]->good = true;
    }
    return k > depth;
}

// Makes the frame after one more gate. Returns false if the gate need not, or cannot be gone
// through. Gates that lead to what need not be found are not pruned. Whether a way exists must not
// depend on what was found before it, which is another in each share: so they are looked at here.
static bool step(search *s, uint32_t depth, uint32_t number, frame *next, bool *more) {
    const frame *f = s->frames[depth];
    const bspi_gate *gate = &s->sight->gates[number];
    if (!may_see(s, depth, number)) {
        return false;
    }
    *more = narrow(s, f, number, next);
    if (!*more && s->found[gate->to]) {
        return false;
    }
    next->plane = gate->plane;
    next->gate = number;
    next->good = false;
    if (!bspi_meter_add(&s->meter, 1 + s->sight->words / 16) ||
        (bspi_gate_in(s->settled, number) && hides(s, depth, depth, number)) ||
        !cut_by_gates(s, f, number, next) ||
        (depth > 0 &&
         !s->math->cut(&f->between, &s->sight->spheres[number], &next->pass, &next->pass_room))) {
        return false;
    }
    bspi_winding_turn(&next->pass, &next->back_room, &next->back);
    if (depth == 0) {
        return true;
    }
    s->math->find(&next->back, &f->back, &s->back);
    return s->math->cut(&s->back, NULL, &next->source, &next->source_room);
}

// --- together -----------------------------------------------------------------------------------

// Takes what the others have found.
static void take_finds(search *s) {
    const bspi_finds *finds = s->task->finds;
    uint32_t count = atomic_load_explicit(&finds->count, memory_order_acquire);
    while (s->taken < count) {
        find(s, finds->list[s->taken++]);
    }
}

// Notes that a cluster is seen, for the others too.
static void discover(search *s, uint32_t cluster) {
    bspi_finds *finds = s->task->finds;
    if (finds == NULL || s->found[cluster]) {
        find(s, cluster);
        return;
    }
    pthread_mutex_lock(&finds->lock);
    take_finds(s);
    if (!s->found[cluster]) {
        find(s, cluster);
        finds->list[s->taken++] = cluster;
        atomic_store_explicit(&finds->count, s->taken, memory_order_release);
    }
    pthread_mutex_unlock(&finds->lock);
}

// Returns how many of the gates that a step has yet to go through may be seen.
static uint32_t count_left(const search *s, uint32_t depth) {
    const frame *f = s->frames[depth];
    uint32_t count = 0;
    for (uint32_t i = f->next; i < f->end; i++) {
        count += may_see(s, depth, s->sight->leaving[i]);
    }
    return count;
}

// Gives away half of the gates that the first step with any left has yet to go through.
static void give(search *s, uint32_t depth) {
    bspi_branch branch = {0};
    uint32_t left = 0;
    uint32_t at = 0;
    for (; at < depth && at < BSPI_BRANCH_DEEPEST; at++) {
        left = count_left(s, at);
        if (left > 0) {
            break;
        }
        branch.path[at] = s->frames[at + 1]->gate;
    }
    if (left == 0) {
        return;
    }
    frame *f = s->frames[at];
    branch.depth = at;
    branch.taken = s->taken;
    branch.found = s->found;
    branch.settled = s->settled;
    branch.might = f->might;
    branch.looked = f->looked;
    branch.end = f->end;
    branch.first = f->end;
    for (uint32_t given = 0; given < (left + 1) / 2;) {
        branch.first--;
        given += may_see(s, at, s->sight->leaving[branch.first]);
    }
    if (s->task->give(s->task->user, &branch)) {
        f->end = branch.first;
    }
}

static void exchange(search *s, uint32_t depth) {
    if (s->task->finds != NULL) {
        take_finds(s);
        if (++s->kept >= PATIENCE && atomic_load_explicit(s->task->wanted, memory_order_relaxed)) {
            s->kept = 0;
            give(s, depth);
        }
    }
}

// --- ways ---------------------------------------------------------------------------------------

// Takes everything that may be seen as found: no way is followed further than this.
static void give_up(search *s, uint32_t depth) {
    for (uint32_t i = 0; i < s->sight->num_gates && is_way(s, depth); i++) {
        if (may_see(s, depth, i)) {
            discover(s, s->sight->gates[i].to);
        }
    }
}

static bool go(search *s, uint32_t depth, uint32_t cluster, bool further);

// Makes a step ready to go through gates. Returns false over the limit of work.
static bool open_step(search *s, uint32_t depth, uint32_t first, uint32_t end) {
    frame *f = s->frames[depth];
    f->next = first;
    f->end = end;
    return frame_at(s, depth + 1) != NULL && bspi_meter_add(&s->meter, 1);
}

// Goes through the gates of a step. Returns false over the limit of work.
static bool go_on(search *s, uint32_t depth) {
    const bspi_sight *sight = s->sight;
    frame *f = s->frames[depth];
    while (f->next < f->end) {
        uint32_t number = sight->leaving[f->next++];
        bool more;
        if (step(s, depth, number, s->frames[depth + 1], &more) &&
            !go(s, depth + 1, sight->gates[number].to, more)) {
            return false;
        }
        if (s->dead <= depth) {
            break;
        }
        s->dead = BSP_NONE;
    }
    return !s->meter.failed;
}

// Goes through all gates of a cluster. Returns false over the limit of work.
static bool go(search *s, uint32_t depth, uint32_t cluster, bool further) {
    const uint32_t *first = &s->sight->first_gate[cluster];
    if (!s->found[cluster] && !is_way(s, depth)) {
        return true;
    }
    discover(s, cluster);
    if (!further) {
        return true;
    }
    if (depth + 1 == DEEPEST) {
        give_up(s, depth);
        return true;
    }
    exchange(s, depth);
    if (!open_step(s, depth, first[0], first[1])) {
        return false;
    }
    if (depth > 0) {
        prune(s, s->frames[depth]);
    }
    return go_on(s, depth);
}

// Goes the way to a branch again, and then through its gates. If a step is gone no more, nothing is
// left to be found there.
static bool go_branch(search *s, const bspi_branch *branch) {
    size_t set = s->sight->words * sizeof(bspi_word);
    for (uint32_t depth = 0; depth < branch->depth; depth++) {
        frame *next = frame_at(s, depth + 1);
        bool more;
        if (!open_step(s, depth, 0, 0)) {
            return false;
        }
        if (!step(s, depth, branch->path[depth], next, &more)) {
            return !s->meter.failed;
        }
        s->math->find(&next->source, &next->pass, &next->between);
        memset(next->looked, 0, set);
    }
    if (branch->depth > 0) {
        memcpy(s->frames[branch->depth]->might, branch->might, set);
        memcpy(s->frames[branch->depth]->looked, branch->looked, set);
    }
    return open_step(s, branch->depth, branch->first, branch->end) && go_on(s, branch->depth);
}

static void begin_found(search *s) {
    memset(s->settled, 0, s->sight->words * sizeof *s->settled);
    memset(s->found, 0, s->sight->vis.num_clusters * sizeof *s->found);
}

// Lists what a share has shown to be out of sight: it took sets of what might be seen that had all
// gates which these have.
static void list_out(search *s) {
    const uint8_t *share = s->task->share;
    for (uint32_t i = 0; i < s->sight->vis.num_clusters; i++) {
        s->out[i] = !bspi_sight_sees(s->sight, s->gate->from, i) && !bspi_bit_is(share, i);
    }
}

// Begins with the clusters that are known to be seen, and those that need not be looked for.
static void begin_known(search *s) {
    begin_found(s);
    for (uint32_t i = 0; i < s->sight->vis.num_clusters; i++) {
        if (bspi_sight_sees(s->sight, s->gate->from, i) || (s->task->share != NULL && s->out[i])) {
            find(s, i);
        }
    }
}

// Begins with what the search that gave a branch away knew.
static void begin_branch(search *s, const bspi_branch *branch) {
    memcpy(s->settled, branch->settled, s->sight->words * sizeof *s->settled);
    memcpy(s->found, branch->found, s->sight->vis.num_clusters * sizeof *s->found);
    s->taken = branch->taken;
}

// Forgets what need not be looked for.
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

// Takes what the gate may see into the first frame, and lists where it is.
static void copy_might(search *s, frame *f, const bspi_word *might) {
    s->blocks = (bspi_blocks){s->first, 0};
    for (uint32_t w = 0; w < s->sight->words; w += 4) {
        memcpy(&f->might[w], &might[w], 4 * sizeof *might);
        s->first[s->blocks.count] = w;
        s->blocks.count += (might[w] | might[w + 1] | might[w + 2] | might[w + 3]) != 0;
    }
}

bool bspi_search_gate(search *s, const bspi_task *task, const bspi_branch *branch,
                      bsp_error *error) {
    bspi_sight *sight = s->sight;
    s->meter = (bspi_meter){.heap = &sight->heap, .error = error};
    s->task = task;
    s->taken = 0;
    s->kept = 0;
    s->dead = BSP_NONE;
    s->gate = &sight->gates[task->gate];
    frame *f = frame_at(s, 0);
    if (f == NULL) {
        return false;
    }
    if (task->share != NULL) {
        list_out(s);
    }
    if (branch == NULL) {
        begin_known(s);
    } else {
        begin_branch(s, branch);
    }
    f->source = sight->windings[task->gate];
    f->plane = s->gate->plane;
    copy_might(s, f, bspi_gate_set(sight, sight->might, task->gate));
    bool done = branch == NULL ? go(s, 0, s->gate->to, true) : go_branch(s, branch);
    return done && bspi_meter_pay(&s->meter);
}

void bspi_search_gather(search *s) {
    if (s->task->finds != NULL) {
        take_finds(s);
    }
    if (s->task->share != NULL) {
        restore(s);
    }
}

void bspi_search_store(const search *s) {
    bspi_sight *sight = s->sight;
    const bspi_word *might = bspi_gate_set(sight, sight->might, s->task->gate);
    bspi_word *seen = bspi_gate_set(sight, sight->seen, s->task->gate);
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

void bspi_search_row(const search *s, uint8_t *row) {
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
    s->first = bspi_arena_raw(&sight->arena, sight->words / 4 + 1, sizeof *s->first, error);
    s->math = bspi_separating_here();
    return s->frames != NULL && s->settled != NULL && s->found != NULL && s->out != NULL &&
                   s->first != NULL
               ? s
               : NULL;
}

void bspi_search_end(search *s) {
    for (uint32_t i = 0; s != NULL && s->frames != NULL && i < DEEPEST; i++) {
        if (s->frames[i] != NULL) {
            bspi_heap_free(&s->sight->heap, s->frames[i],
                           sizeof *s->frames[i] + 2 * s->sight->words * sizeof(bspi_word));
        }
    }
}
