// SPDX-License-Identifier: MIT
// What the steps of a Source decompilation share. Facts: sheet outputs, sections 2 to 4.
#ifndef BSPI_DECOMPILE_SOURCE_STEPS_H
#define BSPI_DECOMPILE_SOURCE_STEPS_H

#include "decompile/work.h"
#include "formats/source_flags.h"

/// A key of worldspawn by which VMEX refuses to decompile a map.
#define BSPI_LOCK_KEY "no_decomp"

/// A material of the map as its author named it.
typedef struct bspi_source_name {
    bsp_text name;
    uint32_t cubemap; ///< that the compiler made it for, or BSP_NONE
} bspi_source_name;

/// The entity and visgroup of a brush of the world.
typedef struct bspi_source_owner {
    uint32_t entity;   ///< of the document; BSP_NONE: the brush is left out
    uint32_t visgroup; ///< or BSP_NONE
} bspi_source_owner;

/// A box: mins, maxs.
typedef struct bspi_source_box {
    double at[2][3];
} bspi_source_box;

/// A brush and where its box begins along x.
typedef struct bspi_source_placed {
    double low;
    uint32_t brush;
} bspi_source_placed;

/// Compares two of them by place, then by brush, for qsort.
static inline int bspi_source_compare_placed(const void *a, const void *b) {
    const bspi_source_placed *x = a;
    const bspi_source_placed *y = b;
    if (x->low != y->low) {
        return x->low < y->low ? -1 : 1;
    }
    return (x->brush > y->brush) - (x->brush < y->brush);
}

typedef struct bspi_source_state {
    bool no_draw; ///< a protection: most sides were given texinfo 0, only faces have theirs
    bspi_source_name *names;  ///< one per material
    uint32_t *named_overlays; ///< entities of the map that were left for named overlays
    uint32_t num_named_overlays;
    uint32_t *ladders; ///< entities of the map that were left for func_ladder
    uint32_t num_ladders;
    const uint32_t *ids;       ///< for each entity of the map: the author's id, or 0
    bspi_source_owner *owners; ///< one per brush
    bspi_source_box *boxes;    ///< one per brush; mins above maxs where it has no volume
    bool *reached;             ///< for each brush: a leaf refers to it
    uint32_t *brush_occluder;  ///< for each brush: its occluder, or BSP_NONE
    uint32_t *occluder_entity; ///< for each occluder: entity of the document, or BSP_NONE
    bool *poly_shown;          ///< for each polygon of occluders: a brush has it
} bspi_source_state;

static inline bspi_source_state *bspi_source_of(bspi_work *w) {
    return w->own;
}

/// Returns the visgroup with that name; those of guesses begin with "guess: ". False without
/// memory.
bool bspi_source_guessed(bspi_work *w, const char *what, uint32_t *visgroup);

/// Returns the material of the sides of flat brushes that are not faces (flat.c).
const char *bspi_source_back(const bspi_work *w);

// --- entity_keys.c: keys of new entities ---------------------------------------------------------

bool bspi_add_text(bspi_work *w, uint32_t entity, const char *key, bsp_text value);
bool bspi_add_int(bspi_work *w, uint32_t entity, const char *key, int64_t value);
/// Adds a key with numbers separated by blanks, each the shortest decimal that reads back.
bool bspi_add_floats(bspi_work *w, uint32_t entity, const char *key, const float *values,
                     uint32_t count);
/// Adds the key "sides" with ids of sides of the document, separated by blanks: as many as Hammer
/// reads. Others are reported as lost of the record.
bool bspi_add_sides(bspi_work *w, uint32_t entity, const uint32_t *sides, uint32_t count,
                    bsp_table_id table, uint32_t record);

// --- names.c, tools.c: materials -----------------------------------------------------------------

/// Fills the names of the state.
bool bspi_source_names(bspi_work *w);
/// Returns the tool material for a side with these contents and flags, where the recorded one
/// cannot be right; else an empty text.
bsp_text bspi_source_tool(const bsp_branch *branch, uint32_t contents, uint32_t flags,
                          bsp_text recorded);
/// Returns the contents that a tool material alone gives a brush; 0 for all other materials.
uint32_t bspi_source_tool_contents(bsp_text material);
/// Gives the look of a face: material, alignment, light.
bool bspi_source_face_look(bspi_work *w, uint32_t face, bspi_look *look);
/// Gives a look whose projection is perpendicular to the side, which editors refuse, the default
/// alignment.
void bspi_source_repair_projection(bspi_look *look, const float normal[3]);
/// The method's `look`.
bool bspi_source_look(bspi_work *w, uint32_t brush, uint32_t side, bspi_look *look);

// --- outputs.c -----------------------------------------------------------------------------------

/// Returns true if a pair is an output of an entity.
bool bspi_source_is_output(const bsp_pair *pair);

// --- the steps ----------------------------------------------------------------------------------

/// The method's `repair`: gives new planes to sides that lost theirs, and records their brushes.
bool bspi_source_repair(bspi_work *w);
/// Reports known protections against decompilers, and records what is needed to undo them.
bool bspi_source_find_marks(bspi_work *w);
/// Puts brushes that a protection added to the map into their own visgroup.
bool bspi_source_mark_brushes(bspi_work *w);
bool bspi_source_entities(bspi_work *w);
/// Copies an entity of the map to the document, without what the compiler added, and fills
/// entity_of. With a class the copy has that class, for brushes that the compiler moved into the
/// world: the box that it left and the origin are removed. BSP_NONE without memory.
uint32_t bspi_source_copy(bspi_work *w, uint32_t entity, const char *moved_class);
/// Fills the owners of the state with the next four functions.
bool bspi_source_find_owners(bspi_work *w);
bool bspi_source_find_ladders(bspi_work *w);
bool bspi_source_find_portals(bspi_work *w);
bool bspi_source_find_occluders(bspi_work *w);
/// Makes flat brushes of faces, where the options ask for it, and excludes the brushes that they
/// replace from the next step (flat.c).
bool bspi_source_flat(bspi_work *w);
bool bspi_source_solids(bspi_work *w);
/// Returns true if a polygon of the occluder lies on that brush side.
bool bspi_source_occludes(bspi_work *w, uint32_t occluder, uint32_t side);
/// Makes brushes for occluders whose own brush is not in the map.
bool bspi_source_occluders(bspi_work *w);
bool bspi_source_displacements(bspi_work *w);
/// Gives every side its id: the author's where the map tells it.
bool bspi_source_number_sides(bspi_work *w);
bool bspi_source_cubemaps(bspi_work *w);
bool bspi_source_overlays(bspi_work *w);
bool bspi_source_props(bspi_work *w);
bool bspi_source_cameras(bspi_work *w);

// --- pairing.c, prism.c, turn.c ------------------------------------------------------------------

/// Makes a brush whose top is a convex polygon (counter-clockwise from outside), extended by
/// `depth` units against its normal. Returns false without memory; `*made` is the brush, whose
/// first side is the top, or BSP_NONE if the polygon is degenerate.
bool bspi_build_prism(bspi_work *w, uint32_t entity, const double (*polygon)[3], uint32_t count,
                      double depth, const bspi_look *top, const bspi_look *rest, uint32_t *made);
/// Pairs each row with a column so that the sum of costs is minimal. `cost` has `columns` numbers
/// per row; `column_of` receives BSP_NONE where there are more rows than columns. Each step of the
/// search counts as work. Returns false without memory or over the budget.
bool bspi_pair_up(bspi_heap *heap, const double *cost, uint32_t rows, uint32_t columns,
                  uint32_t *column_of, bsp_error *error);

/// Gives a look with that material and the default alignment for a normal.
void bspi_plain_look(bspi_look *look, const char *material, const double normal[3]);
/// Rotates a brush of the document by angles (pitch, yaw, roll in degrees) and then moves it.
void bspi_turn_brush(bspi_work *w, uint32_t brush, const double angles[3], const double origin[3]);

#endif
