// SPDX-License-Identifier: MIT
// The structure of a trace index: convex solids of planes in blocks of eight, a wide tree of boxes
// over them for each model, and the hulls of Quake.
#ifndef BSPI_COLLIDE_H
#define BSPI_COLLIDE_H

#include "bspkit/query.h"
#include "core/memory.h"
#include "core/vector.h"
#include "query/convex.h"
#include "query/masks.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

/// How often the lists of leaves and brushes name a thing, on average, at most. Compilers share no
/// records between brushes, patches or displacements: hostile maps, which share more, could need
/// any amount of memory.
#define BSPI_MOST_SHARING 4u
/// The most nodes that one trace visits: a bound for hostile trees, which share their branches.
#define BSPI_MOST_VISITS 65536u

/// A node of the tree of boxes: two cache lines. Bounds are in steps of the body's grid, rounded
/// outwards. A child is the unit of a node or, with BSPI_LEAF, of a convex, and the classes of the
/// contents of everything below; no classes: no child. In an index under construction it is the
/// number of the node or convex.
typedef struct bspi_wide {
    uint16_t bounds[6][BSPI_LANES]; ///< low x, y, z, then high
    uint32_t child[BSPI_LANES];
} bspi_wide;

#define BSPI_LEAF 0x80000000u
#define BSPI_CLASSES_SHIFT 24u
#define BSPI_CHILDREN (1u << BSPI_CLASSES_SHIFT) // more than any unit
#define BSPI_NODE_UNITS 2u                       // of the pool
#define BSPI_NUM_CLASSES 7u                      // of contents; see bvh_collapse.c
#define BSPI_GRID_STEPS 65535u                   // along each axis
#define BSPI_LEVELS 66u                          // of the tree; see bvh.c

/// The rules by which an engine clips a trace.
typedef struct bspi_rules {
    float epsilon;   ///< a trace ends at this distance before a plane
    float reject_at; ///< a plane ends the test if both ends are in front of it, the end at least by
                     ///< this distance
    float least_enter; ///< an entry at a smaller fraction is set to this
    float pad;         ///< how much larger boxes must be so that they contain every hit
    bool by_tree;      ///< of several hits at one place the first in the order of the tree wins
    float tree_slack; ///< the planes of nodes are taken to be thicker than the box by this distance
    float slope_reach;     ///< extent of every box across a sloping node; 0: its own
    bool double_crossings; ///< crossings of nodes are computed in double precision
    bool solid_stops;      ///< a trace that is solid as a whole has fraction 0
    bool center_box;       ///< the box is moved so that it is symmetric
    bool ask_leaves;       ///< a brush in leaves without the mask's contents is not tested
    bool skip_bevels;      ///< bevel sides do not apply to points
    bool leaves_say;   ///< the contents at a point are those of its leaf; brushes are not tested
    bool tells_stuck;  ///< a trace that only starts in solid reports its contents
    bool leaves_solid; ///< hits on the way out of the solid at the start do not count
} bspi_rules;

/// The parts of one model.
typedef struct bspi_body {
    uint32_t first_convex;
    uint32_t num_convexes;
    uint32_t first_patch; ///< its bspi_patch_runs, sorted by face
    uint32_t num_patches;
    uint32_t root; ///< number of a bspi_wide; BSP_NONE: empty
    /// The grid of the tree's bounds. It covers the boxes of all convexes but the open ones; traces
    /// that leave it test these one by one.
    float grid[2][3];
    float step[3]; ///< units
    /// grid[0] and step for eight lanes: followed by the same with the other sign, and zeros.
    float origin[BSPI_LANES], steps[BSPI_LANES];
    uint32_t first_open;
    uint32_t num_open;
} bspi_body;

/// Two levels of the world's tree in a cache line: the planes of a node, of its front child and of
/// its back child, and the children of these. A child that is a leaf stands in the place of both of
/// its own.
typedef struct bspi_fork {
    float planes[3][4]; ///< normal, distance
    int32_t children[4];
} bspi_fork;

/// A regular grid over the world: for each cell, the node at which the search for a point's leaf
/// begins.
typedef struct bspi_cells {
    float origin[3];
    float scale[3]; ///< cells per unit
    float end[3];   ///< number of cells
    uint32_t count[3];
    const int32_t *starts; ///< as children of the tree; x first, then y
} bspi_cells;

/// Returns the number of the cell that holds a point, or BSP_NONE outside of the grid.
static inline uint32_t bspi_cell_of(const bspi_cells *cells, const float point[3]) {
    uint32_t cell[3];
    for (int i = 0; i < 3; i++) {
        float at = (point[i] - cells->origin[i]) * cells->scale[i];
        if (!(at >= 0 && at < cells->end[i])) {
            return BSP_NONE;
        }
        cell[i] = (uint32_t)at;
    }
    return cell[0] + cells->count[0] * (cell[1] + cells->count[1] * cell[2]);
}

/// A node of the tree, with the contents of the brushes in the leaves below each child: at least
/// those that exist.
typedef struct bspi_brush_node {
    float plane[4]; ///< normal, distance
    int32_t children[2];
    uint32_t contents[2];
} bspi_brush_node;

/// Where brushes are, for the way out of solid. Empty unless the rules need it.
typedef struct bspi_brush_owners {
    const uint32_t *convexes; ///< of each brush, in the last body that has it, or BSP_NONE; also
                              ///< for rules with by_tree
    const bspi_brush_node *nodes;
    /// The boxes around the brushes of each leaf, in the order of its list: those of leaf n are in
    /// groups runs[n] to runs[n + 1]. NULL: they are not known.
    const bspi_wide *groups;
    const uint32_t *runs;
} bspi_brush_owners;

/// A node as the engine's trace tests it. The leaves below child n have ranks[n] to ranks[n + 1].
typedef struct bspi_turn {
    float normal[3];
    float dist;
    int32_t type;
    int32_t children[2];
    uint32_t ranks[3];
} bspi_turn;

/// A box around the part of a convex in a leaf that does not list it.
typedef struct bspi_gap {
    float box[2][3];
    uint32_t sure; ///< a bspi_sure: BSPI_SURE_OUTSIDE if there is another solid
} bspi_gap;

/// The extent of a convex.
typedef struct bspi_place {
    float box[2][3]; ///< around it, not enlarged
    uint32_t num_gaps;
    const bspi_gap *gaps; ///< all other leaves that it touches list it
} bspi_place;

/// A coordinate at which a plane of a patch's facet is across an axis.
typedef struct bspi_border {
    float at;
    uint32_t convex;
} bspi_border;

/// The borders along an axis: see borders.c.
typedef struct bspi_borders {
    const bspi_border *list; ///< sorted
    uint32_t count;
    uint32_t shift;       ///< of a hash, to the number of a bit of `seen`
    const uint64_t *seen; ///< one bit per hash value
} bspi_borders;

/// Where brushes and patches are, for rules with by_tree; else empty.
typedef struct bspi_visits {
    const bspi_turn *nodes;
    /// Brushes, then faces: brush or face n is in the leaves ranks[first[n]] to ranks[first[n +
    /// 1]].
    const uint32_t *first[2];
    const uint32_t *ranks[2];
    const bspi_place *places; ///< of each convex
    bspi_borders borders[3];
    bool has_borders;
    bool ranked; ///< false: nodes or lists are shared as no compiler does, so there are no ranks
} bspi_visits;

/// The facets of a patch in one body, and the bounds outside of which the engine does not test
/// them.
typedef struct bspi_patch_run {
    uint32_t face;
    uint32_t first_convex;
    uint32_t num_convexes;
    float bounds[2][3];
} bspi_patch_run;

/// A brush model placed by an entity.
typedef struct bspi_placed {
    uint32_t model;
    uint32_t entity;
    float origin[3];
    bool turned;
    bool glass;       ///< sight goes through it
    float reach;      ///< of a rotated model: largest distance from its origin
    float axes[3][3]; ///< of a rotated model: its axes in the world
} bspi_placed;

/// A prepared trace; its box is centred where the engine does so.
typedef struct bspi_ray {
    float start[3];
    float end[3];
    float mins[3];
    float maxs[3];
    uint32_t mask;
    uint32_t pass; ///< a bspi_pass: the kind of the trace
    bool point;
    bool still;  ///< start and end are the same: a test of a position
    float slack; ///< how much farther than the nearest hit others are looked for, as a fraction
} bspi_ray;

/// A candidate for the hit of a trace.
typedef struct bspi_near {
    const bspi_convex *at;
    uint32_t convex; ///< its number
    float fraction;  ///< where the trace stops before it
    float contact;   ///< where the trace touches it
    uint32_t lane;   ///< the plane of the entry, as in bspi_hit; BSP_NONE: not yet found
    bool entered;    ///< the trace enters it, and does not only pass it within the epsilon
} bspi_near;

#define BSPI_MOST_NEAR 16u
#define BSPI_MOST_STUCK 4u

/// The result of a walk so far.
typedef struct bspi_hit {
    float fraction;
    uint32_t convex;       ///< or BSP_NONE
    const bspi_convex *at; ///< that convex, if it has the same number; or NULL
    uint32_t lane;         ///< of the plane: 8 times its block plus its lane; or BSP_NONE
    uint32_t solid;        ///< lowest convex that contains the whole trace, or BSP_NONE
    uint32_t stuck;        ///< lowest convex that contains the start, or BSP_NONE
    float limit;           ///< a hit at a later fraction does not matter

    // For rules with leaves_solid, from the fast walks: see bspi_exit_solid.
    float left;   ///< where the trace has left the brushes that contain the start, and those that
                  ///< it enters by then; -1: not known
    float second; ///< the lowest fraction of another hit, if that is up to ray->slack later
    bool ordered; ///< the order in which the engine finds brushes may matter
    bool lost;    ///< the hit is not the nearest after `left`

    // For rules with by_tree: other candidates for the engine's hit.
    bool stuck_sure;    ///< the engine certainly finds something that contains the start
    bool solid_sure;    ///< the engine certainly finds something that contains the whole trace
    uint32_t num_stuck; ///< number of convexes that contain the start; may be more than are stored
    uint32_t stucks[BSPI_MOST_STUCK];
    float dropped; ///< the lowest fraction of the candidates for which `near` had no room
    uint32_t num_near;
    bspi_near near[BSPI_MOST_NEAR];
} bspi_hit;

typedef void (*bspi_walk)(const struct bsp_trace_index *index, const bspi_body *body,
                          const bspi_ray *ray, bspi_hit *hit);

/// A ray as an implementation has it in registers: `lanes` of lanes.h.
typedef struct bspi_spread {
    alignas(32) unsigned char bytes[480];
} bspi_spread;

struct bspi_clipped;
struct bspi_cut;
typedef bool (*bspi_clip)(const struct bsp_trace_index *index, const bspi_convex *convex,
                          uint32_t blocks, const bspi_ray *ray, struct bspi_clipped *out);

/// The functions of one implementation of traces. All implementations give the same bits.
typedef struct bspi_tracer {
    bspi_walk walk;
    bspi_clip clip; ///< as bspi_clip_convex, without the plane
    /// Returns the plane by which a ray enters a convex at a fraction, as in bspi_hit: of several
    /// the first in the file.
    uint32_t (*find_lane)(const struct bsp_trace_index *index, const bspi_convex *convex,
                          const bspi_ray *ray, float enter);
    /// Prepares a ray for `cut`. NULL in the plain implementation.
    void (*spread)(const struct bsp_trace_index *index, const bspi_body *body, const bspi_ray *ray,
                   bspi_spread *out);
    /// Clips a ray by the brushes of some groups of bspi_brush_owners, in their order, and leaves
    /// out those whose boxes it does not meet. Returns how many are in `out`, at most BSPI_LANES a
    /// group. NULL in the plain implementation, which leaves out none.
    uint32_t (*cut)(const struct bsp_trace_index *index, const bspi_spread *spread,
                    const bspi_wide *groups, uint32_t count, struct bspi_cut *out);
} bspi_tracer;

struct bsp_trace_index {
    bspi_heap heap;
    bspi_arena arena;
    const bsp_map *map;
    const bspi_rules *rules;
    const bspi_tracer *tracer;
    const uint8_t *pool;   ///< units: nodes by number, then convexes with their blocks
    const uint32_t *units; ///< of each convex, by number: where it stands in `pool`
    uint32_t num_convexes;
    const uint8_t *inward;   ///< for each block: lanes whose plane is the reverse of the engine's
    const uint32_t *open;    ///< convexes without an end in some direction, of all bodies
    uint8_t classes[32];     ///< of the contents that each bit of a mask stands for
    const bspi_body *bodies; ///< one per model
    uint32_t num_bodies;
    const bspi_placed *placed;
    uint32_t num_placed;
    const struct bspi_hull *hulls[2]; ///< nodes for hull 0, clipnodes for the others: hull.h
    const bspi_fork *forks;           ///< one per node
    bspi_brush_owners owners;
    bspi_visits visits;
    const bspi_patch_run *patches;
    uint32_t num_patches;
    bspi_cells cells;                     ///< counts are 0 if there are none
    const struct bspi_contents *contents; ///< contents.h; NULL: none
    uint32_t depth;                       ///< of the deepest hull
};

static_assert(sizeof(bspi_wide) == BSPI_NODE_UNITS * BSPI_UNIT, "whole units");

const bspi_rules *bspi_rules_of(bsp_clip clip); // rules.c

extern const bspi_tracer bspi_tracer_base; // walk_base.c
extern const bspi_tracer bspi_tracer_avx2; // walk_avx2.c
/// Returns true if bspi_tracer_avx2 may be used on this processor.
bool bspi_has_avx2(void);

/// The plain test of every convex of a body, one after the other. The other implementations must
/// give the same result.
extern const bspi_tracer bspi_tracer_plain; // clip.c

// --- building -----------------------------------------------------------------------------------

/// A plane of a convex under construction.
typedef struct bspi_plane {
    float normal[3];
    float dist;
    uint32_t order;
    uint32_t number; ///< of the map's plane, or BSP_NONE
    uint32_t flags;  ///< surface flags
    bool inward;
    bool bevel;
    bool placed; ///< scratch of bspi_add_convex
} bspi_plane;

/// Arrays under construction.
typedef struct bspi_builder {
    bsp_trace_index *index;
    bspi_heap *heap;
    bspi_meter *meter; ///< a step: a plane, corner, list entry, node or level that is visited
    bsp_error *error;
    bspi_convex *convexes;
    float (*boxes)[2][3]; ///< of each convex
    size_t num_convexes, room_convexes, room_boxes;
    bspi_block *blocks;
    bspi_lane *lanes;
    uint8_t *inward;
    size_t num_blocks, room_blocks, room_lanes, room_inward; ///< lanes of as many blocks
    bspi_wide *wide;
    size_t num_wide, room_wide;
    uint32_t *open;
    size_t num_open, room_open;
    bspi_patch_run *patches;
    size_t num_patches, room_patches;
    bspi_plane *planes; ///< scratch
    size_t room_planes;
} bspi_builder;

/// Adds a convex. The caller enlarges `box` where hits may be outside of the solid.
bool bspi_add_convex(bspi_builder *b, const bspi_convex *facts, bspi_plane *planes, size_t count,
                     float box[2][3]); // blocks.c
/// Makes room for `count` scratch planes.
bool bspi_need_planes(bspi_builder *b, size_t count); // blocks.c
/// Computes the box of a set of planes, moved outwards by `pad`; where they are open it extends to
/// BSPI_FAR.
void bspi_convex_box(const bspi_plane *planes, size_t count, float pad, float box[2][3]);
/// Returns the most steps of bspi_convex_box.
uint64_t bspi_convex_work(size_t count);

bool bspi_add_patch(bspi_builder *b, const bsp_face *face, uint32_t number); // facets.c
bool bspi_add_displacement(bspi_builder *b, const bsp_displacement *disp,
                           uint32_t number); // disp.c
/// Computes the box around a displacement's vertices, enlarged by a unit on all sides. Returns
/// false for a damaged displacement.
bool bspi_disp_box(const bsp_map *map, const bsp_displacement *disp, float box[2][3]);

/// Receives a leaf; returning false ends the search.
typedef bool (*bspi_leaf_visit)(void *user, uint32_t leaf);
/// Calls `visit` for each leaf of a model's tree that a box touches (point.c).
void bspi_box_leaves(const bsp_map *map, uint32_t model, const float mins[3], const float maxs[3],
                     bspi_leaf_visit visit, void *user);
/// Builds the tree over the convexes of a body.
bool bspi_build_tree(bspi_builder *b, bspi_body *body); // bvh.c
/// Chooses the classes of contents by what the map's brushes have most.
void bspi_choose_classes(bsp_trace_index *index);                          // bvh_collapse.c
bool bspi_gather(bspi_builder *b, bspi_body *bodies, uint32_t num_bodies); // gather.c
bool bspi_build_hulls(bsp_trace_index *index, bsp_error *error);           // hull_build.c
bool bspi_build_leaves(bsp_trace_index *index, bspi_meter *meter);         // leaf.c
/// Returns the leaf of a point in a cell. A point on a plane is in front of it, in Quake too.
uint32_t bspi_cell_leaf(const bsp_trace_index *index, uint32_t cell, const float point[3]);
/// Returns the side of a plane (normal, distance) on which a box certainly is, as an index of
/// children, and 2 if it may be on both.
unsigned bspi_box_side(const float plane[4], const double low[3], const double high[3]); // leaf.c
/// Computes the box around cells, from the first up to but without the last along each axis: all
/// points that bspi_cell_of finds in them.
void bspi_cell_box(const bspi_cells *cells, const uint32_t first[3], const uint32_t last[3],
                   double low[3], double high[3]);                   // leaf.c
bool bspi_build_contents(bsp_trace_index *index, bspi_meter *meter); // contents_build.c
/// `num_wide`: nodes of the tree of boxes.
bool bspi_build_brush_owners(bsp_trace_index *index, size_t num_wide,
                             bsp_error *error); // leaf_brushes.c
/// Returns the convex of a brush in a body, or BSP_NONE.
uint32_t bspi_find_convex(const bsp_trace_index *index, const bspi_body *body,
                          uint32_t brush); // leaf_brushes.c
/// Allocates elements in the index's memory, the first at the start of a cache line.
void *bspi_keep_lines(bsp_trace_index *index, size_t count, size_t size,
                      bsp_error *error); // lines.c

bool bspi_place_models(bsp_trace_index *index, bsp_error *error); // placed.c
/// Returns true if the moving box can touch the model.
bool bspi_may_touch(const bsp_trace_index *index, const bspi_placed *p, const bsp_trace_input *in);
/// Transforms a vector, relative to the model's origin, into the model's space.
void bspi_into_model(const bspi_placed *p, float v[3]);
/// Transforms the plane of a result from the model's space to the world.
void bspi_out_of_model(const bspi_placed *p, bsp_trace_result *result);

/// Traces against one of the hulls of a placed model.
void bspi_trace_hull(const bsp_trace_index *index, const bsp_trace_input *input,
                     const bspi_placed *placed, bsp_trace_result *result); // hull.c

/// Grows an array of `size`-byte elements to hold `count`, by doubling. Returns false without
/// memory.
bool bspi_builder_grow(bspi_builder *b, void *array, size_t size, size_t count,
                       size_t *room); // blocks.c

/// Returns the surface flags of a texinfo, or of a material.
static inline uint32_t bspi_surface_flags(const bsp_map *map, uint32_t texinfo, uint32_t material) {
    return texinfo < map->num_texinfos     ? map->texinfos[texinfo].flags
           : material < map->num_materials ? map->materials[material].flags
                                           : 0;
}

/// Sets the result of a trace that meets nothing.
static inline void bspi_clear_result(const bsp_trace_input *input, bsp_trace_result *out) {
    memset(out, 0, sizeof *out);
    out->fraction = 1;
    memcpy(out->end, input->end, sizeof out->end);
    out->plane = out->brush = out->side = out->face = out->entity = BSP_NONE;
}

/// Returns true if all numbers of a trace are finite.
static inline bool bspi_input_is_finite(const bsp_trace_input *input) {
    float odd = 0; // each difference is 0 for a finite number, else NaN
    for (int i = 0; i < 3; i++) {
        odd += (input->start[i] - input->start[i]) + (input->end[i] - input->end[i]) +
               (input->mins[i] - input->mins[i]) + (input->maxs[i] - input->maxs[i]);
    }
    return odd == 0;
}

/// Returns the node of a number.
static inline const bspi_wide *bspi_node_at(const bsp_trace_index *index, size_t number) {
    return (const bspi_wide *)(const void *)(index->pool + number * sizeof(bspi_wide));
}
/// Returns the convex of a unit, or of a number.
static inline const bspi_convex *bspi_convex_of(const bsp_trace_index *index, uint32_t unit) {
    return (const bspi_convex *)(const void *)(index->pool + (size_t)unit * BSPI_UNIT);
}
static inline const bspi_convex *bspi_convex_at(const bsp_trace_index *index, uint32_t number) {
    return bspi_convex_of(index, index->units[number]);
}

/// Returns the convex that a trace hits; there is one.
static inline const bspi_convex *bspi_hit_convex(const bsp_trace_index *index,
                                                 const bspi_hit *hit) {
    bool known = hit->at != NULL && hit->at->number == hit->convex;
    return known ? hit->at : bspi_convex_at(index, hit->convex);
}

/// Returns the classes of contents, one bit each: those of two sets have a bit in common if the
/// sets do.
static inline uint32_t bspi_classes_of(const bsp_trace_index *index, uint32_t contents) {
    uint32_t classes = 0;
    for (unsigned bit = 0; contents != 0; bit++, contents >>= 1) {
        classes |= (contents & 1) != 0 ? index->classes[bit] : 0u;
    }
    return classes;
}

#endif
