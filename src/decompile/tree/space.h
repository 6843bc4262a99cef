// SPDX-License-Identifier: MIT
// The space that a tree divides: planes in double precision, and a hull's tree whose leaves are
// cells, each a convex volume with one content. Quake's maps share one solid leaf among all solid
// volumes; here each has its own cell.
#ifndef BSPI_DECOMPILE_TREE_SPACE_H
#define BSPI_DECOMPILE_TREE_SPACE_H

#include "bspkit/map.h"
#include "core/memory.h"
#include "formats/quake_contents.h"
#include "mesh/polyhedron.h"

/// A thinner solid is no volume: planes of compilers are floats of a few thousand units.
#define BSPI_TREE_EPSILON 0.004
/// Where samples of a solid's surroundings are taken: units in front of a side, and how far a
/// corner is moved to the centre, as a part of the way.
#define BSPI_TREE_PROBE 0.1
#define BSPI_TREE_INWARD 0.125
/// Cubic units: a smaller cell is not tested.
#define BSPI_TREE_LEAST_CELL 64.0
/// Contents of cells: those of leaves of Quake and GoldSrc, and two that no leaf has.
#define BSPI_TREE_EMPTY BSPI_CONTENTS_EMPTY
#define BSPI_TREE_SOLID BSPI_CONTENTS_SOLID
#define BSPI_TREE_SKY BSPI_CONTENTS_SKY
#define BSPI_TREE_CLIP BSPI_CONTENTS_CLIP
#define BSPI_TREE_VOID 1 ///< solid in hull 0 but of no brush

typedef struct bspi_flat {
    double normal[3]; ///< unit length
    double dist;
} bspi_flat;

/// Planes: those of the map under their own numbers, then the six of the box, then those of bounded
/// brushes and textures. A tag is twice a plane's number, plus one if the solid is in front of the
/// plane.
typedef struct bspi_flats {
    bspi_heap *heap;
    bspi_flat *list;
    uint32_t count;
    size_t room;
    uint32_t box;     ///< number of the box's first
    uint32_t *chains; ///< first plane of the map in each cell of directions and distances
    uint32_t *next;   ///< for each plane of the map: the next one of its cell, or BSP_NONE
    uint32_t mask;    ///< number of chains minus one
} bspi_flats;

typedef struct bspi_tree_node {
    uint32_t plane;
    int32_t children[2]; ///< a node, or -1 minus a cell
    uint32_t axis;       ///< along which the plane faces; 3: none
    double dist;         ///< of the plane
} bspi_tree_node;

/// Returns the distance of a point from a plane: the dot product comes first.
static inline double bspi_flat_distance(const bspi_flat *flat, const double point[3]) {
    return flat->normal[0] * point[0] + flat->normal[1] * point[1] + flat->normal[2] * point[2] -
           flat->dist;
}

/// Does the same for the plane of a node. Most planes face along an axis; the bits are the same.
static inline double bspi_node_distance(const bspi_flats *flats, const bspi_tree_node *node,
                                        const double point[3]) {
    if (node->axis < 3) {
        return point[node->axis] - node->dist;
    }
    return bspi_flat_distance(&flats->list[node->plane], point);
}

/// Does the same for the middle of a box: the plane's own distance comes first.
static inline double bspi_node_middle(const bspi_flats *flats, const bspi_tree_node *node,
                                      const double middle[3]) {
    if (node->axis < 3) {
        return middle[node->axis] - node->dist;
    }
    const bspi_flat *flat = &flats->list[node->plane];
    double distance = -flat->dist;
    for (int a = 0; a < 3; a++) {
        distance += flat->normal[a] * middle[a];
    }
    return distance;
}

/// Returns bspi_node_middle, and adds to `*radius` how far the box reaches along the normal.
static inline double bspi_node_reach(const bspi_flats *flats, const bspi_tree_node *node,
                                     const double middle[3], const double half[3], double *radius) {
    if (node->axis < 3) {
        *radius += half[node->axis];
    } else {
        for (int a = 0; a < 3; a++) {
            double normal = flats->list[node->plane].normal[a];
            *radius += (normal < 0 ? -normal : normal) * half[a];
        }
    }
    return bspi_node_middle(flats, node, middle);
}

typedef struct bspi_tree_cell {
    int32_t contents; ///< 0: nothing: out of the box, or without volume
    atomic_bool done; ///< inside a brush that was made: threads look while another one marks
    bool idle;        ///< walks of the view leave it out
    uint32_t first_tag;
    uint32_t num_tags;
    uint32_t solid;  ///< place of its packed solid in the tree, or BSP_NONE
    uint32_t parent; ///< twice the parent node plus the side; BSP_NONE: the root
    double volume;
    float mins[3]; ///< of a box around it that is a little larger
    float maxs[3];
} bspi_tree_cell;

static inline bool bspi_cell_is_done(const bspi_tree_cell *cell) {
    return atomic_load_explicit(&cell->done, memory_order_relaxed);
}

static inline void bspi_cell_set_done(bspi_tree_cell *cell, bool done) {
    atomic_store_explicit(&cell->done, done, memory_order_relaxed);
}

typedef struct bspi_tree {
    bspi_tree_node *nodes;
    uint32_t num_nodes;
    uint32_t room; ///< number of nodes that fit, one less than that of cells
    bspi_tree_cell *cells;
    uint32_t num_cells;
    uint32_t *tags;
    uint32_t num_tags;
    size_t room_tags;
    uint8_t *solids; ///< packed ones of cells
    size_t used_solids;
    size_t room_solids;
    bool lean; ///< solid cells keep none
    int32_t root;
    bool *idle; ///< for each node, whether all cells below it are; only of a view
    bool cut;   ///< branches were left out: with shared ones there are more than nodes
} bspi_tree;

/// The scratch data of all cuts.
typedef struct bspi_carver {
    bspi_flats flats;
    double mins[3]; ///< of the box
    double maxs[3];
    bspi_polyhedron solid; ///< being cut
    bspi_polyhedron_stack stack;
    int32_t *pending;      ///< child whose half is on the stack; as deep as the deepest tree
    uint32_t room_pending; ///< more than a tree can have
    uint32_t nodes_left;   ///< that all trees may still have: hostile maps share theirs
    uint32_t counted_left; ///< the same of those whose volumes are only counted: what a document
                           ///< has does not depend on who asked for the count
    bool starved;          ///< out of memory, or too much work, as the error says
    bspi_meter meter;      ///< of the work
    bsp_error *error;
} bspi_carver;

/// Counts work: nodes passed and planes compared. Returns false, now and from then on, over the
/// limit. Maps need up to 170 steps for each node and task; hostile trees need as many as there are
/// nodes.
static inline bool bspi_carver_work(bspi_carver *carver, uint64_t steps) {
    carver->starved = !bspi_meter_add(&carver->meter, steps) || carver->starved;
    return !carver->starved;
}

bool bspi_carver_begin(bspi_carver *carver, const bsp_map *map, bspi_heap *heap, bspi_arena *arena,
                       bsp_error *error);
/// Makes a carver with the same planes and box, for another thread; `error` is its own. Returns
/// false without memory. Call bspi_carver_end afterwards, even then.
bool bspi_carver_fork(bspi_carver *fork, const bspi_carver *from, bspi_arena *arena,
                      bsp_error *error);
/// Gives a fork the planes and the box that the other one has now. Returns false without memory;
/// then it has those that it had.
bool bspi_carver_follow(bspi_carver *fork, const bspi_carver *from);
/// Fills the planes of a carver (planes.c).
bool bspi_flats_begin(bspi_flats *flats, const bsp_map *map, bspi_heap *heap, bspi_arena *arena,
                      bsp_error *error);
/// Charges the last steps of work. Returns false if the carver is starved.
bool bspi_carver_end(bspi_carver *carver);
/// Sets the box that bounds all later volumes.
void bspi_carver_box(bspi_carver *carver, const double mins[3], const double maxs[3]);

/// Adds a plane and returns its number, or BSP_NONE without memory.
uint32_t bspi_add_flat(bspi_carver *carver, const double normal[3], double dist);
/// Returns the tag of a solid on the back side of this plane: with the map's own plane if it has
/// it, else with an added one; BSP_NONE without memory.
uint32_t bspi_flat_tag(bspi_carver *carver, const double normal[3], double dist);
/// Gives the plane of a tag, facing out of the solid.
void bspi_flats_out(const bspi_flats *flats, uint32_t tag, double normal[3], double *dist);
static inline bool bspi_flats_is_box(const bspi_flats *flats, uint32_t tag) {
    return tag / 2 >= flats->box && tag / 2 < flats->box + 6;
}

/// Puts a copy of carver->solid on the stack; `*end` is the stack's end then, for
/// bspi_polyhedron_read. Returns false without memory.
bool bspi_carver_save(bspi_carver *carver, size_t *end);

/// Sets carver->solid to the box.
void bspi_carve_box(bspi_carver *carver);
/// Sets carver->solid to the box, cut by all tags but the one at `skip` (BSP_NONE: none). Returns
/// false if nothing is left.
bool bspi_carve(bspi_carver *carver, const uint32_t *tags, uint32_t count, uint32_t skip);
/// Cuts by one more tag.
bool bspi_carve_tag(bspi_carver *carver, uint32_t tag);

/// Builds the tree of hull `hull` of a model, with the volume and the sides of each cell in the
/// carver's box. Call bspi_tree_free afterwards, even if this fails.
bool bspi_tree_build(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, uint32_t model,
                     uint32_t hull);
/// The steps of it: makes the nodes and the cells; fills each cell that a walk with the box reaches
/// (a bspi_tree_visit, whose user is the tree); ends with what was not reached.
bool bspi_tree_begin(bspi_tree *tree, bspi_carver *carver, const bsp_map *map, uint32_t model,
                     uint32_t hull);
bool bspi_tree_fill_cell(void *tree, bspi_carver *carver, uint32_t cell);
void bspi_tree_filled(bspi_tree *tree);
/// Does all of it where `made` is the tree of that hull already or empty: it is moved, if a new one
/// would be the same.
bool bspi_tree_take(bspi_tree *tree, bspi_tree *made, bspi_carver *carver, const bsp_map *map,
                    uint32_t model, uint32_t hull);
/// Returns how many nodes that tree has, at most as many as the map.
uint32_t bspi_tree_count(const bspi_carver *carver, const bsp_map *map, uint32_t model,
                         uint32_t hull);
/// Sets carver->solid to a cell, in the box in which it was measured. Returns false if nothing is
/// left, or over the limit of work.
bool bspi_tree_carve(const bspi_tree *tree, bspi_carver *carver, uint32_t cell);
void bspi_tree_free(bspi_tree *tree, bspi_carver *carver);
/// Cuts a cell along `count` tags: the part inside of all of them stays cell `cell` and gets other
/// contents, the rest becomes new cells. Where the tree has no more room for nodes the cell stays
/// unchanged. Returns false without memory.
bool bspi_tree_split(bspi_tree *tree, bspi_carver *carver, uint32_t cell, const uint32_t *tags,
                     uint32_t count, int32_t contents);

/// Returns the cell that contains a point.
uint32_t bspi_tree_find(const bspi_tree *tree, bspi_carver *carver, const double point[3]);
/// Returns the node or cell below which all points of a box are.
int32_t bspi_tree_around(const bspi_tree *tree, bspi_carver *carver, const double mins[3],
                         const double maxs[3]);
/// Does the same as bspi_tree_find, from the node or cell `from` down.
uint32_t bspi_tree_find_from(const bspi_tree *tree, bspi_carver *carver, int32_t from,
                             const double point[3]);

/// Returns true if a point is at least `margin` inside of all tags but the one at `skip` (BSP_NONE:
/// of all).
static inline bool bspi_tags_hold(const bspi_flats *flats, const uint32_t *tags, uint32_t count,
                                  uint32_t skip, const double point[3], double margin) {
    bool inside = true;
    for (uint32_t i = 0; i < count && inside; i++) {
        double distance = bspi_flat_distance(&flats->list[tags[i] / 2], point);
        inside = i == skip || ((tags[i] & 1) != 0 ? -distance : distance) <= -margin;
    }
    return inside;
}

/// Returns true if a point is at least `margin`, more than the epsilon, inside of all sides of a
/// cell: bspi_tree_find gives this cell then.
bool bspi_tree_cell_holds(const bspi_tree *tree, const bspi_flats *flats, uint32_t cell,
                          const double point[3], double margin);

/// Receives each cell that carver->solid reaches; the solid is then its part in the cell. Returning
/// false ends the walk.
typedef bool bspi_tree_visit(void *user, bspi_carver *carver, uint32_t cell);
/// Makes a view of a tree, whose walks leave out cells: those of whose contents `left_out` returns
/// true. The tree must not change while the view is used, and has one view at a time. Returns false
/// without memory. Call bspi_tree_view_end afterwards, even then.
bool bspi_tree_view(bspi_tree *view, const bspi_tree *tree, bspi_carver *carver,
                    bool (*left_out)(int32_t contents));
void bspi_tree_view_end(bspi_tree *view, bspi_carver *carver);
/// Returns false if no cell of a view has a part of a box; true if one may have.
bool bspi_tree_view_meets(const bspi_tree *view, bspi_carver *carver, const double mins[3],
                          const double maxs[3]);

/// Walks carver->solid, which is overwritten, down a tree. Returns false if a visit ended the walk,
/// or without memory (then the carver is starved).
bool bspi_tree_walk(const bspi_tree *tree, bspi_carver *carver, bspi_tree_visit *visit, void *user);

/// Returns true if no cell that carver->solid, a part of what is walked, reaches needs a visit.
typedef bool bspi_tree_skip(void *user, bspi_carver *carver);
/// Does the same, but leaves out the parts for which `skip` returns true.
bool bspi_tree_walk_but(const bspi_tree *tree, bspi_carver *carver, bspi_tree_visit *visit,
                        bspi_tree_skip *skip, void *user);

#endif
