// SPDX-License-Identifier: MIT
// Makes the compact copy of a map's trees and brushes. Nodes are taken together by sevens: from a
// group's first node on always the one with the largest box, since most points are there. Assumes a
// loaded map: children and runs are valid, trees have no cycles.
#include "query/compact.h"

#include <math.h>
#include <string.h>

#define EXIT 8                // a kid of this number and above is an exit
#define MOST_GROUPS (1 << 19) // that a link has room for

typedef struct maker {
    const bsp_map *map;
    bspi_heap *heap;
    bspi_compact *c;
    uint32_t codes[BSPI_SHAPES]; // of the shapes
    uint32_t num_shapes;
    bspi_group *groups;
    size_t num_groups, room;
    uint32_t *numbers; // of each node: its group's number, or BSP_NONE
    int32_t *queue;    // of each group: its first node, and later the low bits of its link
    size_t num_queued;
} maker;

// --- a group ------------------------------------------------------------------------------------

// Nodes in the order in which they were chosen; kids are nodes, or EXIT plus a number of an exit.
typedef struct choice {
    int32_t nodes[BSPI_GROUP]; // or leaves, as children of the tree are
    unsigned kids[BSPI_GROUP][2];
    int32_t exits[BSPI_LANES];
    float sizes[BSPI_LANES];      // of the exits
    unsigned parents[BSPI_LANES]; // of the exits: twice the node, plus the side
    unsigned num_nodes, num_exits;
} choice;

static float size_of(const bsp_map *map, int32_t node) {
    if (node < 0) {
        return -1;
    }
    const bsp_node *n = &map->nodes[node];
    float size = 1;
    for (int i = 0; i < 3; i++) {
        size *= n->maxs[i] - n->mins[i];
    }
    return size >= 0 ? size : 0; // 0 for those that are not numbers
}

static void set_exit(choice *ch, const bsp_map *map, unsigned number, unsigned parent,
                     unsigned side) {
    int32_t node = ch->nodes[parent];
    ch->exits[number] = node < 0 ? node : map->nodes[node].children[side];
    ch->sizes[number] = size_of(map, ch->exits[number]);
    ch->parents[number] = 2 * parent + side;
    ch->kids[parent][side] = EXIT + number;
}

// Makes a node of an exit.
static void take(choice *ch, const bsp_map *map, unsigned number) {
    unsigned node = ch->num_nodes++;
    unsigned parent = ch->parents[number];
    ch->nodes[node] = ch->exits[number];
    ch->kids[parent / 2][parent % 2] = node;
    set_exit(ch, map, number, node, 0);
    set_exit(ch, map, ch->num_exits++, node, 1);
}

static void choose(choice *ch, const bsp_map *map, int32_t first) {
    ch->nodes[0] = first;
    ch->num_nodes = 1;
    ch->num_exits = 2;
    set_exit(ch, map, 0, 0, 0);
    set_exit(ch, map, 1, 0, 1);
    while (ch->num_nodes < BSPI_GROUP) {
        unsigned largest = 0;
        for (unsigned i = 1; i < ch->num_exits; i++) {
            largest = ch->sizes[i] > ch->sizes[largest] ? i : largest;
        }
        take(ch, map, largest);
    }
}

// --- its shape ----------------------------------------------------------------------------------

// A shape in preorder, a bit each: 1 for a node, 0 for an exit.
typedef struct code {
    uint32_t bits;
    unsigned length;
} code;

static code join(code first, code second) {
    unsigned length = first.length + second.length;
    return (code){(1u << length) | (first.bits << second.length) | second.bits, length + 1};
}

// Finds the nodes whose second subtree is the larger one. Returns the code of the whole.
static uint32_t find_swaps(const choice *ch, bool swaps[BSPI_GROUP]) {
    code codes[BSPI_GROUP] = {{0, 0}};
    for (unsigned i = BSPI_GROUP; i-- > 0;) { // kids were chosen later
        code kids[2];
        for (int side = 0; side < 2; side++) {
            unsigned kid = ch->kids[i][side];
            kids[side] = kid >= EXIT ? (code){0, 1} : codes[kid];
        }
        swaps[i] = kids[1].length > kids[0].length ||
                   (kids[1].length == kids[0].length && kids[1].bits > kids[0].bits);
        codes[i] = join(kids[swaps[i] ? 1 : 0], kids[swaps[i] ? 0 : 1]);
    }
    return codes[0].bits;
}

// The nodes and exits of a group in preorder.
typedef struct order {
    unsigned nodes[BSPI_GROUP]; // of the choice
    unsigned exits[BSPI_LANES];
    unsigned kids[BSPI_GROUP][2]; // nodes here, or EXIT plus a number of an exit here
    unsigned flips;
} order;

static void put_in_order(order *o, const choice *ch, const bool swaps[BSPI_GROUP]) {
    struct {
        unsigned kid, parent, side;
    } waiting[BSPI_LANES + 1];
    unsigned count = 0, num_nodes = 0, num_exits = 0;
    waiting[count++].kid = 0;
    while (count > 0) {
        unsigned kid = waiting[--count].kid;
        unsigned parent = waiting[count].parent;
        unsigned side = waiting[count].side;
        bool exit = kid >= EXIT;
        if (num_nodes != 0) {
            o->kids[parent][side] = exit ? EXIT + num_exits : num_nodes;
        }
        if (exit) {
            o->exits[num_exits++] = kid - EXIT;
            continue;
        }
        unsigned number = num_nodes++;
        o->nodes[number] = kid;
        o->flips |= swaps[kid] ? 1u << number : 0u;
        for (unsigned k = 2; k-- > 0; count++) { // the first on top
            waiting[count].kid = ch->kids[kid][swaps[kid] ? 1 - k : k];
            waiting[count].parent = number;
            waiting[count].side = k;
        }
    }
}

// Returns the number of a shape. The table of a new one is made.
static uint32_t shape_of(maker *m, uint32_t bits, const order *o) {
    uint32_t shape = 0;
    while (shape < m->num_shapes && m->codes[shape] != bits) {
        shape++;
    }
    assert(shape < BSPI_SHAPES);
    if (shape == m->num_shapes) {
        m->codes[m->num_shapes++] = bits;
        for (unsigned sides = 0; sides < 1u << BSPI_GROUP; sides++) {
            unsigned at = 0;
            while (at < EXIT) {
                at = o->kids[at][(sides >> at) & 1];
            }
            m->c->shapes[shape][sides] = (uint8_t)(at - EXIT);
        }
    }
    return shape;
}

// --- the groups of a tree -----------------------------------------------------------------------

// Returns the number of the group that begins at a node, as a link without its low bits.
static int32_t group_of(maker *m, int32_t node) {
    if (node < 0) {
        return node;
    }
    if (m->numbers[node] == BSP_NONE) {
        m->numbers[node] = (uint32_t)m->num_queued;
        m->queue[m->num_queued++] = node;
    }
    return (int32_t)m->numbers[node];
}

static void set_lane(bspi_group *group, unsigned lane, const bsp_map *map, int32_t node) {
    uint32_t number = node < 0 ? BSP_NONE : map->nodes[node].plane;
    bool any = number < map->num_planes; // none: as in bsp_query_leaf
    for (int i = 0; i < 3; i++) {
        const bsp_plane *plane = any ? &map->planes[number] : NULL;
        // The engines compare one coordinate with a plane across an axis; so does this normal.
        bool across = any && plane->type >= 0 && plane->type < 3;
        group->normal[i][lane] = !any ? 0 : !across ? plane->normal[i] : i == plane->type ? 1 : 0;
    }
    group->dist[lane] = any ? map->planes[number].dist : 0;
}

// Makes the next group of the queue.
static bool make_group(maker *m) {
    size_t number = m->num_groups;
    bspi_group *groups = bspi_grow(m->heap, m->groups, number, &m->room, sizeof *groups, NULL);
    if (groups == NULL || number >= MOST_GROUPS) {
        m->groups = groups == NULL ? m->groups : groups;
        return false;
    }
    m->groups = groups;
    m->num_groups++;
    choice ch;
    order o = {.flips = 0};
    bool swaps[BSPI_GROUP];
    choose(&ch, m->map, m->queue[number]);
    uint32_t bits = find_swaps(&ch, swaps);
    put_in_order(&o, &ch, swaps);
    for (unsigned i = 0; i < BSPI_LANES; i++) {
        set_lane(&groups[number], i, m->map, i < BSPI_GROUP ? ch.nodes[o.nodes[i]] : -1);
        groups[number].exits[i] = group_of(m, ch.exits[o.exits[i]]);
    }
    m->queue[number] = (int32_t)(shape_of(m, bits, &o) << BSPI_GROUP | o.flips);
    return true;
}

static int32_t link_to(const maker *m, int32_t group) {
    return group < 0 ? group : group << BSPI_LINK_SHIFT | m->queue[group];
}

// Copies the groups to the start of a cache line, and completes their links.
static bool keep_groups(maker *m, int32_t *roots) {
    uint8_t *memory =
        bspi_arena_raw(&m->c->attached.arena, m->num_groups * sizeof *m->groups + 64, 1, NULL);
    if (memory == NULL) {
        return false;
    }
    bspi_group *groups = (bspi_group *)(void *)(memory + (64 - (uintptr_t)memory % 64) % 64);
    for (size_t i = 0; i < m->num_groups; i++) {
        groups[i] = m->groups[i];
        for (unsigned k = 0; k < BSPI_LANES; k++) {
            groups[i].exits[k] = link_to(m, groups[i].exits[k]);
        }
    }
    for (uint32_t i = 0; i < m->c->num_roots; i++) {
        roots[i] = link_to(m, roots[i]);
    }
    m->c->groups = groups;
    m->c->roots = roots;
    return true;
}

static bool make_groups(maker *m) {
    const bsp_map *map = m->map;
    bool one = map->num_models == 0 || map->traits->model_runs;
    m->c->num_roots = one ? 1 : map->num_models;
    int32_t *roots = bspi_arena_raw(&m->c->attached.arena, m->c->num_roots, sizeof *roots, NULL);
    if (roots == NULL) {
        return false;
    }
    memset(m->numbers, 0xFF, map->num_nodes * sizeof *m->numbers);
    for (uint32_t i = 0; i < m->c->num_roots; i++) {
        roots[i] = group_of(m, map->num_models == 0 ? 0 : map->models[i].headnodes[0]);
    }
    while (m->num_groups < m->num_queued) {
        if (!make_group(m)) {
            return false;
        }
    }
    return keep_groups(m, roots);
}

// --- leaves and brushes -------------------------------------------------------------------------

// Sets the range of ranks: the world's bounds. Returns false where these are not plausible.
static bool measure(bspi_compact *c, const bsp_map *map) {
    for (int i = 0; i < 3 && map->num_models != 0; i++) {
        float half = (map->models[0].maxs[i] - map->models[0].mins[i]) / 2;
        if (!(half >= 1 && half < 1e6F && fabsf(map->models[0].mins[i]) < 1e6F)) {
            return false;
        }
        c->origin[i] = map->models[0].mins[i] + half;
        c->scale[i] = BSPI_LARGEST_RANK / half;
    }
    return map->num_models != 0;
}

static bool make_reaches(maker *m) {
    bspi_compact *c = m->c;
    uint32_t count = m->map->num_brushes;
    bspi_reach *reaches = bspi_arena_raw(&c->attached.arena, count, sizeof *reaches, NULL);
    if (reaches == NULL || !bspi_build_insides(&c->insides, m->map, &c->attached.arena, NULL)) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const bspi_inside *from = &c->insides.brushes[i];
        for (int k = 0; k < 3; k++) {
            reaches[i].least[k] = bspi_rank_of(from->low[k], c->origin[k], c->scale[k]);
            reaches[i].least[4 + k] =
                (int16_t)-bspi_rank_of(from->high[k], c->origin[k], c->scale[k]);
        }
        reaches[i].least[3] = reaches[i].least[7] = INT16_MIN;
    }
    c->reaches = reaches;
    return true;
}

static bool make_leaves(maker *m) {
    const bsp_map *map = m->map;
    bspi_compact *c = m->c;
    bspi_leaf_brushes *leaves =
        bspi_arena_raw(&c->attached.arena, map->num_leaves, sizeof *leaves, NULL);
    c->leaves = leaves;
    for (uint32_t i = 0; leaves != NULL && i < map->num_leaves; i++) {
        const bsp_leaf *from = &map->leaves[i];
        leaves[i] = (bspi_leaf_brushes){from->contents, from->contents, from->first_brush,
                                        from->num_brushes};
        for (uint32_t k = 0; c->reaches != NULL && k < from->num_brushes; k++) {
            uint32_t number = map->leaf_brushes[from->first_brush + k];
            leaves[i].all |= number < map->num_brushes ? map->brushes[number].contents : 0;
        }
    }
    return leaves != NULL;
}

static bool make(maker *m) {
    const bsp_map *map = m->map;
    m->c->listed = !map->traits->contents_numbers &&
                   !bspi_rules_of(map->traits->clip)->leaves_say && map->num_brushes != 0;
    bool compact = m->c->listed && measure(m->c, map) && bspi_shares_little(map);
    return make_groups(m) && (!compact || make_reaches(m)) && make_leaves(m);
}

// --- when ---------------------------------------------------------------------------------------

static bspi_compact *make_compact(bspi_map *owner) {
    bspi_heap *heap = &owner->heap;
    bspi_arena arena;
    bspi_arena_init(&arena, heap);
    maker m = {.map = &owner->map, .heap = heap};
    size_t nodes = (size_t)owner->map.num_nodes;
    m.c = bspi_arena_zero(&arena, 1, sizeof *m.c, NULL);
    m.numbers = bspi_heap_alloc(heap, nodes * sizeof *m.numbers, NULL);
    m.queue = bspi_heap_alloc(heap, nodes * sizeof *m.queue, NULL);
    bool done = m.c != NULL && m.numbers != NULL && m.queue != NULL;
    if (done) {
        m.c->attached.arena = arena;
        done = make(&m);
        arena = m.c->attached.arena;
    }
    bspi_heap_free(heap, m.numbers, nodes * sizeof *m.numbers);
    bspi_heap_free(heap, m.queue, nodes * sizeof *m.queue);
    bspi_heap_free(heap, m.groups, m.room * sizeof *m.groups);
    if (!done) {
        bspi_arena_free(&arena);
        return NULL;
    }
    m.c->walk = bspi_has_avx2() ? bspi_group_walk_avx2 : bspi_group_walk_base;
    m.c->nodes = owner->map.nodes;
    m.c->planes = owner->map.planes;
    return m.c;
}

const bspi_compact *bspi_compact_ask(const bsp_map *map) {
    static const bspi_compact none;
    bspi_map *owner = map->owner;
    // One thread makes it; the others do not wait.
    if (atomic_fetch_add_explicit(&owner->asked, 1, memory_order_relaxed) != BSPI_OFTEN) {
        return NULL;
    }
    bspi_compact *made = map->num_nodes != 0 && map->num_leaves != 0 ? make_compact(owner) : NULL;
    const bspi_compact *kept = made != NULL ? made : &none;
    atomic_store_explicit(&owner->attached, (bspi_attached *)(uintptr_t)kept, memory_order_release);
    return made;
}
