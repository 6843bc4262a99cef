// SPDX-License-Identifier: MIT
// What a trace index is made of: convex solids of planes in blocks of eight, a wide tree of boxes
// over them for each model, and the hulls of Quake.
#ifndef BSPI_COLLIDE_H
#define BSPI_COLLIDE_H

#include "bspkit/query.h"
#include "core/memory.h"

#define BSPI_LANES 8u
#define BSPI_SOLID_MASK 1u // CONTENTS_SOLID of all families with brushes

/// Whose a plane is.
typedef struct bspi_lane {
    uint32_t order; ///< brushes' side, or number of the plane in its convex
    uint32_t plane; ///< the map's, or BSP_NONE
    uint32_t flags; ///< of the surface
} bspi_lane;

/// Eight planes. Lanes without a plane hold one that everything is behind.
typedef struct bspi_block {
    float normal[3][BSPI_LANES];
    float dist[BSPI_LANES];
} bspi_block;

#define BSPI_FACET_PAD 1.0f // the engine tests patches by their bounds and one unit
#define BSPI_FAR 1e30f      // beyond all coordinates; its square is still finite in a double

typedef enum bspi_kind {
    BSPI_BRUSH,
    BSPI_PATCH, ///< facet of a Quake 3 patch: plane 0 is the surface, the last its back
    BSPI_DISP,  ///< triangle of a displacement: plane 0 is the surface
} bspi_kind;

/// What a displacement lets through.
typedef enum bspi_pass {
    BSPI_PASS_POINTS = 1, ///< points that move
    BSPI_PASS_BOXES = 2,  ///< boxes, and tests of a position
} bspi_pass;

/// Whether the engine meets something that stands in the way: see visits.c.
typedef enum bspi_sure {
    BSPI_UNSURE,
    BSPI_SURE_OUTSIDE, ///< where it does not, there is other solid
    BSPI_SURE,
} bspi_sure;

/// A convex solid.
typedef struct bspi_convex {
    uint8_t kind;
    uint8_t sure;    ///< a bspi_sure
    uint16_t passes; ///< which of bspi_pass it does not stop
    uint32_t contents;
    uint32_t gate;        ///< contents of the leaves it is in, where the engine asks them first
    uint32_t owner;       ///< brush, face, or displacement
    uint32_t first_block; ///< blocks, and eight times as many orders
    uint32_t num_blocks;
    uint32_t point_blocks; ///< those that count for points
    uint32_t num_planes;   ///< PATCH: how many planes there are
} bspi_convex;

/// A node of the tree of boxes. Child: index of a node, or BSPI_LEAF and index of a convex.
typedef struct bspi_wide {
    float bounds[6][BSPI_LANES]; ///< low x, y, z, then high
    uint32_t child[BSPI_LANES];
    uint32_t contents[BSPI_LANES]; ///< of all that is below
} bspi_wide;

#define BSPI_LEAF 0x80000000u
#define BSPI_LEVELS 66u // of the tree; see bvh.c

/// How an engine clips.
typedef struct bspi_rules {
    float epsilon;     ///< a trace ends this far before a plane
    float reject_at;   ///< a plane whose front both ends are in, the end at least so far, ends it
    float least_enter; ///< an entry before this counts as this
    float pad;         ///< boxes must be so much larger that no hit is outside
    bool by_tree;      ///< of what is met at one place the first that the tree leads to counts
    float tree_slack;  ///< so far a node's planes are taken to be thicker than the box is
    float slope_reach; ///< reach of every box across a sloping node; 0: its own
    bool double_crossings; ///< where nodes are crossed is reckoned in double precision
    bool solid_stops;      ///< all solid sets the fraction to 0
    bool center_box;       ///< the box is moved to be symmetric
    bool ask_leaves;       ///< a brush in leaves without the mask's contents is not met
    bool skip_bevels;      ///< points do not meet bevel sides
    bool leaves_say;       ///< the contents at a point are its leaf's; brushes are not asked
    bool tells_stuck;      ///< a trace that only starts in solid says what of
    bool leaves_solid;     ///< what is met on the way out of the solid at the start does not count
} bspi_rules;

/// What one model is made of.
typedef struct bspi_body {
    uint32_t first_convex;
    uint32_t num_convexes;
    uint32_t first_patch; ///< its bspi_patch_runs, by face
    uint32_t num_patches;
    uint32_t root; ///< as a child of a bspi_wide; BSP_NONE: empty
    float bounds[2][3];
} bspi_body;

/// A node of a hull, ready to walk.
typedef struct bspi_step {
    float normal[3];
    float dist;
    int32_t children[2]; ///< node, or a negative content
    int32_t type;
    uint32_t plane;
} bspi_step;

/// Two levels of the world's tree in a cache line: a node's plane, those of its front and its back
/// child, and their children. Where a child is a leaf, it stands for both of its own.
typedef struct bspi_fork {
    float planes[3][4]; ///< normal, distance
    int32_t children[4];
} bspi_fork;

/// A regular grid over the world: at which node a point's way down the tree begins.
typedef struct bspi_cells {
    float origin[3];
    float scale[3]; ///< cells a unit
    float end[3];   ///< the count
    uint32_t count[3];
    const int32_t *starts; ///< as children of the tree; x first, then y
} bspi_cells;

/// A node of the tree, with the contents of the brushes in the leaves below each child: those it
/// has and maybe more.
typedef struct bspi_home {
    float plane[4]; ///< normal, distance
    int32_t children[2];
    uint32_t contents[2];
} bspi_home;

/// Where brushes are, for the way out of solid. None but where the rules ask for that.
typedef struct bspi_homes {
    const uint32_t *convexes; ///< of each brush, in the last body that has it, or BSP_NONE; also
                              ///< where the rules ask the tree
    const bspi_home *nodes;
} bspi_homes;

/// A node as the engine's trace asks it. The leaves below child n have ranks[n] to ranks[n + 1].
typedef struct bspi_turn {
    float normal[3];
    float dist;
    int32_t type;
    int32_t children[2];
    uint32_t ranks[3];
} bspi_turn;

/// A box around what of a convex is in a leaf that does not list it.
typedef struct bspi_gap {
    float box[2][3];
    uint32_t sure; ///< a bspi_sure: BSPI_SURE_OUTSIDE if there is other solid
} bspi_gap;

/// Where a convex is.
typedef struct bspi_place {
    float box[2][3]; ///< around it as it is: not enlarged
    uint32_t num_gaps;
    const bspi_gap *gaps; ///< all leaves elsewhere that it touches list it
} bspi_place;

/// A coordinate at which a plane of a patch's facet stands across an axis.
typedef struct bspi_border {
    float at;
    uint32_t convex;
} bspi_border;

/// Those of an axis: see borders.c.
typedef struct bspi_borders {
    const bspi_border *list; ///< ascending
    uint32_t count;
    uint32_t shift;       ///< of a hash, so that it is one of the bits of `seen`
    const uint64_t *seen; ///< a bit for the hash of each coordinate
} bspi_borders;

/// Where brushes and patches are, for rules that ask the tree; else none.
typedef struct bspi_visits {
    const bspi_turn *nodes;
    /// Brushes, then faces: thing n is in the leaves ranks[first[n]] to ranks[first[n + 1]].
    const uint32_t *first[2];
    const uint32_t *ranks[2];
    const bspi_place *places; ///< of each convex
    bspi_borders borders[3];
    bool has_borders;
    bool ranked; ///< false: nodes or lists are shared as no compiler does; there are no ranks
} bspi_visits;

/// The facets of a patch in one body, and the bounds before which the engine does not ask them.
typedef struct bspi_patch_run {
    uint32_t face;
    uint32_t first_convex;
    uint32_t num_convexes;
    float bounds[2][3];
} bspi_patch_run;

/// A brush model that stands somewhere.
typedef struct bspi_placed {
    uint32_t model;
    uint32_t entity;
    float origin[3];
    bool turned;
    float reach;      ///< if so: how far from the origin the model is at most
    float axes[3][3]; ///< and its axes in the world
} bspi_placed;

/// A prepared trace: the box is centred where the engine does so.
typedef struct bspi_ray {
    float start[3];
    float end[3];
    float mins[3];
    float maxs[3];
    uint32_t mask;
    uint32_t pass; ///< a bspi_pass: what it is
    bool point;
    bool still; ///< start and end are one: a test of the position
} bspi_ray;

/// Something that is met.
typedef struct bspi_near {
    uint32_t convex;
    float fraction; ///< where the trace stops before it
    float contact;  ///< where it touches it
    uint32_t lane;  ///< the plane it is entered by, as bspi_hit has it; BSP_NONE: not yet found
    bool entered;   ///< it does not only pass it within the epsilon
} bspi_near;

#define BSPI_MOST_NEAR 16u
#define BSPI_MOST_STUCK 4u

/// What a walk has found so far.
typedef struct bspi_hit {
    float fraction;
    uint32_t convex; ///< or BSP_NONE
    uint32_t lane;   ///< the plane: 8 times its block and its lane; or BSP_NONE
    uint32_t solid;  ///< lowest convex that all of it is inside of, or BSP_NONE
    uint32_t stuck;  ///< lowest convex that the start is inside of, or BSP_NONE
    float limit;     ///< what is met later does not matter

    // Where the rules ask the tree: which else may be what the engine meets.
    bool stuck_sure;    ///< the engine meets something that the start is inside of
    bool solid_sure;    ///< and something that all of it is inside of
    uint32_t num_stuck; ///< what the start is inside of; more than there is room for: not all
    uint32_t stucks[BSPI_MOST_STUCK];
    float dropped; ///< the least fraction of those that `near` has no room for
    uint32_t num_near;
    bspi_near near[BSPI_MOST_NEAR];
} bspi_hit;

typedef void (*bspi_walk)(const struct bsp_trace_index *index, const bspi_body *body,
                          const bspi_ray *ray, bspi_hit *hit);

struct bspi_clipped;
typedef bool (*bspi_clip)(const struct bsp_trace_index *index, const bspi_convex *convex,
                          uint32_t blocks, const bspi_ray *ray, struct bspi_clipped *out);

/// With what traces are made: all ways give the same bits.
typedef struct bspi_tracer {
    bspi_walk walk;
    bspi_clip clip; ///< as bspi_clip_convex, but for the plane
    /// The plane by which a ray enters a convex at a fraction, as bspi_hit has it: of several the
    /// first of the file.
    uint32_t (*find_lane)(const struct bsp_trace_index *index, const bspi_convex *convex,
                          const bspi_ray *ray, float enter);
} bspi_tracer;

struct bsp_trace_index {
    bspi_heap heap;
    bspi_arena arena;
    const bsp_map *map;
    const bspi_rules *rules;
    const bspi_tracer *tracer;
    const bspi_convex *convexes;
    uint32_t num_convexes;
    const bspi_block *blocks;
    uint32_t num_blocks;
    /// For each lane of each block.
    const bspi_lane *lanes;
    const uint8_t *inward; ///< for each block: lanes whose plane is the reverse of the engine's
    const bspi_wide *wide;
    uint32_t num_wide;
    const bspi_body *bodies; ///< one for each model
    uint32_t num_bodies;
    const bspi_placed *placed;
    uint32_t num_placed;
    const bspi_step *hulls[2]; ///< nodes for hull 0, clipnodes for the others
    uint32_t num_steps[2];
    const bspi_fork *forks; ///< one for each node
    bspi_homes homes;
    bspi_visits visits;
    const bspi_patch_run *patches;
    uint32_t num_patches;
    bspi_cells cells; ///< none: counts of 0
    uint32_t depth;   ///< of the deepest hull
};

#define BSPI_ORDER_NONE UINT32_MAX // of lanes without a plane

const bspi_rules *bspi_rules_of(bsp_clip clip); // rules.c

extern const bspi_tracer bspi_tracer_base; // walk_base.c
extern const bspi_tracer bspi_tracer_avx2; // walk_avx2.c
/// True if bspi_tracer_avx2 may be used on this processor.
bool bspi_has_avx2(void);

/// The plain test of every convex of a body, one after the other: what the others must equal.
extern const bspi_tracer bspi_tracer_plain; // clip.c

// --- building -----------------------------------------------------------------------------------

/// A plane with its number.
typedef struct bspi_plane {
    float normal[3];
    float dist;
    uint32_t order;
    uint32_t number; ///< of the map's plane, or BSP_NONE
    uint32_t flags;  ///< of the surface
    bool inward;
    bool bevel;
} bspi_plane;

/// Arrays under construction.
typedef struct bspi_builder {
    bsp_trace_index *index;
    bspi_heap *heap;
    bspi_meter *meter; ///< a step: a plane, corner, list entry, node or level that is looked at
    bsp_error *error;
    bspi_convex *convexes;
    float (*boxes)[2][3]; ///< of each convex
    size_t num_convexes, room_convexes;
    bspi_block *blocks;
    bspi_lane *lanes;
    uint8_t *inward;
    size_t num_blocks, room_blocks;
    bspi_wide *wide;
    size_t num_wide, room_wide;
    bspi_patch_run *patches;
    size_t num_patches, room_patches;
    bspi_plane *planes; ///< scratch
    size_t room_planes;
} bspi_builder;

/// Adds a convex. `box` is enlarged by the caller where hits may be outside of it.
bool bspi_add_convex(bspi_builder *b, const bspi_convex *facts, const bspi_plane *planes,
                     size_t count, float box[2][3]); // blocks.c
/// Room for `count` scratch planes.
bool bspi_need_planes(bspi_builder *b, size_t count); // blocks.c
/// The box of a set of planes, moved outwards by `pad`; what is open is BSPI_FAR away.
void bspi_convex_box(const bspi_plane *planes, size_t count, float pad, float box[2][3]);
/// The steps that this takes at most.
uint64_t bspi_convex_work(size_t count);

bool bspi_add_patch(bspi_builder *b, const bsp_face *face, uint32_t number); // facets.c
bool bspi_add_displacement(bspi_builder *b, const bsp_displacement *disp,
                           uint32_t number); // disp.c
/// The box around a displacement's vertices, a unit larger on all sides. False for what is none.
bool bspi_disp_box(const bsp_map *map, const bsp_displacement *disp, float box[2][3]);

/// Hears of a leaf; false ends the search.
typedef bool (*bspi_leaf_visit)(void *user, uint32_t leaf);
/// Calls `visit` for each leaf of a model's tree that a box touches (point.c).
void bspi_box_leaves(const bsp_map *map, uint32_t model, const float mins[3], const float maxs[3],
                     bspi_leaf_visit visit, void *user);
/// Builds the tree over the convexes of a body.
bool bspi_build_tree(bspi_builder *b, bspi_body *body);                    // bvh.c
bool bspi_gather(bspi_builder *b, bspi_body *bodies, uint32_t num_bodies); // gather.c
bool bspi_build_hulls(bsp_trace_index *index, bsp_error *error);           // hull.c
bool bspi_build_leaves(bsp_trace_index *index, bspi_meter *meter);         // leaf.c
bool bspi_build_homes(bsp_trace_index *index, bsp_error *error);           // homes.c
/// The convex of a brush in a body, or BSP_NONE.
uint32_t bspi_find_convex(const bsp_trace_index *index, const bspi_body *body,
                          uint32_t brush); // homes.c
/// Elements in the index's memory, the first on a cache line.
void *bspi_keep_lines(bsp_trace_index *index, size_t count, size_t size,
                      bsp_error *error); // index.c

bool bspi_place_models(bsp_trace_index *index, bsp_error *error); // placed.c
/// True if the moving box can touch the model.
bool bspi_may_touch(const bsp_trace_index *index, const bspi_placed *p, const bsp_trace_input *in);
/// Turns a vector from its origin into the model's space.
void bspi_into_model(const bspi_placed *p, float v[3]);
/// Turns the plane of a result out of the model's space.
void bspi_out_of_model(const bspi_placed *p, bsp_trace_result *result);

/// Traces against one of the hulls of a model where it is placed.
void bspi_trace_hull(const bsp_trace_index *index, const bsp_trace_input *input,
                     const bspi_placed *placed, bsp_trace_result *result); // hull.c

/// Grows an array of `size`-byte elements to hold `count`: doubled. False without memory.
bool bspi_builder_grow(bspi_builder *b, void *array, size_t size, size_t count,
                       size_t *room); // blocks.c

/// Surface flags of something with a texinfo or a material.
static inline uint32_t bspi_surface_flags(const bsp_map *map, uint32_t texinfo, uint32_t material) {
    return texinfo < map->num_texinfos     ? map->texinfos[texinfo].flags
           : material < map->num_materials ? map->materials[material].flags
                                           : 0;
}

static inline float bspi_dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

#endif
