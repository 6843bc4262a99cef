// SPDX-License-Identifier: MIT
// Eight lines at once among faces that cast shadows, with AVX2 or with what the target has.
#ifndef BSPI_BAKE_OCCLUDER_LANES_H
#define BSPI_BAKE_OCCLUDER_LANES_H

#include "bake/light/shadows/occluders.h"

#define BSPI_OCCLUDER_GROUP 32u  // eights of lines that are looked at together
#define BSPI_OCCLUDER_PLANES 12u // of a hull, at most
#define BSPI_OCCLUDER_FLAT 1e-3f // units: a box that is smaller is a point
#define BSPI_OCCLUDER_RECENT 4u  // faces that are looked at first
#define BSPI_OCCLUDER_FIRST 32u  // faces among which the first on lines is looked for
#define BSPI_OCCLUDER_THROUGH 4u // faces that light goes through which eight lines remember

/// A face, and the box that it is in.
typedef struct bspi_occluder_near {
    uint32_t face;
    uint32_t box;
} bspi_occluder_near;

/// Faces that stopped all of what was looked at before, the last one first: they may stop what is
/// near that, too.
typedef struct bspi_occluder_recent {
    uint32_t count;
    bspi_occluder_near list[BSPI_OCCLUDER_RECENT];
} bspi_occluder_recent;

/// A plane along an axis. A box is outside where its nearest corner is.
typedef struct bspi_occluder_plane {
    uint32_t axes[2]; ///< the other ones
    uint32_t ends[2]; ///< of a box along these: 0 is low, 1 high
    float by[2];      ///< outside: the sum of these by the coordinates there exceeds `most`
    float most;
} bspi_occluder_plane;

/// What lines are in: a box, but for what is outside of planes.
typedef struct bspi_occluder_hull {
    float low[3];
    float high[3];
    uint32_t num_planes;
    bspi_occluder_plane planes[BSPI_OCCLUDER_PLANES];
} bspi_occluder_hull;

/// A box that lines begin or end in.
typedef struct bspi_occluder_ends {
    float middle[3];
    float half[3];
} bspi_occluder_ends;

/// Lines from a box, all of them the same way.
typedef struct bspi_occluder_cast {
    bspi_occluder_ends from;
    float way[3]; ///< whole
    float length; ///< of its sides together
    float slack;  ///< units that places on the way may be wrong by
} bspi_occluder_cast;

/// The faces that lines of a cast may meet first.
typedef struct bspi_occluder_first {
    bool known;
    uint32_t count;
    bspi_occluder_near list[BSPI_OCCLUDER_FIRST];
} bspi_occluder_first;

/// Where a face is beside lines.
typedef enum bspi_occluder_relation {
    BSPI_OCCLUDER_BESIDE, ///< it stops none
    BSPI_OCCLUDER_ACROSS, ///< all
    BSPI_OCCLUDER_PARTLY, ///< some, or that is not known
} bspi_occluder_relation;

/// Eight lines. All must be set.
typedef struct bspi_occluder_eight {
    float from[3][BSPI_OCCLUDER_LANES];
    float way[3][BSPI_OCCLUDER_LANES];
    float inverse[3][BSPI_OCCLUDER_LANES]; ///< of `way` (bspi_occluder_inverse)
    uint32_t open;                         ///< bits of lines that nothing has stopped
    uint32_t one;         ///< and of those that meet glass or fences, which stop none here
    uint32_t num_through; ///< of these; more than BSPI_OCCLUDER_THROUGH: not all are there
    bspi_occluder_near through[BSPI_OCCLUDER_THROUGH];
} bspi_occluder_eight;

/// Eight places that are looked around from, with axes of their own. All must be set.
typedef struct bspi_occluder_places {
    float from[3][BSPI_OCCLUDER_LANES];
    float side[3][BSPI_OCCLUDER_LANES];
    float up[3][BSPI_OCCLUDER_LANES];
    float normal[3][BSPI_OCCLUDER_LANES];
} bspi_occluder_places;

/// Eights of lines that begin or end at about one place, those beside each other near each other.
typedef struct bspi_occluder_bundle {
    bspi_occluder_recent recent;
    uint32_t count;
    float to[BSPI_OCCLUDER_GROUP][3][BSPI_OCCLUDER_LANES]; ///< their ends
    bspi_occluder_eight eights[BSPI_OCCLUDER_GROUP];
} bspi_occluder_bundle;

/// Closes the lines that something stops; of those left, `one` says which meet glass or fences.
void bspi_occluders_bundle(bspi_occluder_lines *lines,
                           bspi_occluder_bundle *bundle); // occluder_beam.c

/// What comes through the glass and the fences that an open line of a bundle meets, with what was
/// noted of them there? False: nothing. (occluders.c)
bool bspi_occluders_through(bspi_occluder_lines *lines, const bspi_occluder_bundle *bundle,
                            uint32_t eight, uint32_t lane, float through[3]);

/// What is done with them; each is made twice, with the same results.
typedef struct bspi_occluder_lanes {
    /// Looks for what stops the open ones; `lines` has the face that stopped others.
    void (*walk)(bspi_occluder_lines *lines, bspi_occluder_eight *eight);
    /// Looks at the faces of some boxes, while lines are open; then `lines` has the last one.
    void (*test_boxes)(bspi_occluder_lines *lines, const uint32_t *boxes, uint32_t count,
                       bspi_occluder_eight *eight);
    /// Looks at the faces of a list, while lines are open. Returns the place of the one that
    /// stopped the last of them, or the number of faces.
    uint32_t (*test)(const struct bspi_occluders *all, const bspi_occluder_near *list,
                     uint32_t count, bspi_occluder_eight *eight);
    /// Finds the boxes with faces, or with faces of the sky only, that a hull goes into; `steps` is
    /// added to. More than `most` count as most + 1.
    uint32_t (*inside)(const struct bspi_occluders *all, const bspi_occluder_hull *hull, bool sky,
                       uint32_t *boxes, uint32_t most, uint64_t *steps);
    /// Sets the corners of the boxes that some eights of a bundle begin and end in.
    void (*enclose)(const bspi_occluder_bundle *bundle, uint32_t first, uint32_t count,
                    float from[2][3], float to[2][3]);
    /// Where is a face beside lines from one box to another, which all cross its plane? `margin`:
    /// units beside its edges of which that is not known.
    bspi_occluder_relation (*among)(const struct bspi_occluders *all,
                                    const bspi_occluder_near *near, const bspi_occluder_ends *from,
                                    const bspi_occluder_ends *to, float margin);
    /// Where is a face beside lines that all go one way? Sets the parts of the lines between which
    /// they may meet it.
    bspi_occluder_relation (*cast)(const struct bspi_occluders *all, const bspi_occluder_near *near,
                                   const bspi_occluder_cast *lines, float parts[2]);
    /// Sets lines from places, in the directions `way`, to so many units before a point.
    void (*aim)(const float from[3][BSPI_OCCLUDER_LANES], const float way[3][BSPI_OCCLUDER_LANES],
                const float at[3], float before, bspi_occluder_eight *eight,
                float to[3][BSPI_OCCLUDER_LANES]);
    /// Returns bits of the open lines from places on which the first face is one of the sky, glass
    /// and fences not counted; `one` says which meet some of these anywhere.
    uint32_t (*sky)(bspi_occluder_lines *lines, const float from[3][BSPI_OCCLUDER_LANES],
                    const float way[3], const bspi_occluder_first *first,
                    bspi_occluder_eight *eight);
    /// Looks `reach` units in directions by the axes of the places. Sets the sums of the parts of
    /// that up to the first face, glass not counted and fences as whole; the sky is as far as none.
    void (*around)(bspi_occluder_lines *lines, const bspi_occluder_places *places,
                   const float (*directions)[3], uint32_t count, float reach,
                   float free[BSPI_OCCLUDER_LANES]);
} bspi_occluder_lanes;

extern const bspi_occluder_lanes bspi_occluder_lanes_base; // occluder_lanes_base.c
extern const bspi_occluder_lanes bspi_occluder_lanes_avx2; // where BSPI_MAKES_AVX2
const bspi_occluder_lanes *bspi_occluder_lanes_here(void); // the fastest one

#endif
