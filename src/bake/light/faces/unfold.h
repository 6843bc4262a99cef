// SPDX-License-Identifier: MIT
// A face of GoldSrc together with those that go on level or round beside it, unfolded into the
// plane of its texture: where light is measured of luxels that lie at its edges or beyond them.
#ifndef BSPI_BAKE_UNFOLD_H
#define BSPI_BAKE_UNFOLD_H

#include "bake/light/base/work.h"
#include "bake/light/faces/flat.h"
#include "bake/light/faces/free_point.h"
#include "bake/light/faces/outline.h"

#define BSPI_UNFOLD_FACES 24u

/// out[i] = m[i][0] * s + m[i][1] * t + m[i][2].
typedef struct bspi_affine {
    double m[2][3];
} bspi_affine;

/// One of the faces.
typedef struct bspi_unfold_face {
    uint32_t face;
    bsp_surface_corner corners[BSPI_UNFOLD_CORNERS];
    uint32_t num_corners;
    float inwards[BSPI_UNFOLD_CORNERS][3]; ///< from the edge at a corner, unit vectors; 0: no edge
    bspi_flat flat;                        ///< from its texels to the space of its model
    double texel;                          ///< units that one is long at least, in any direction
    bspi_outline own;                      ///< in its texels
    bspi_outline_edge edges[BSPI_UNFOLD_CORNERS]; ///< of that
    bspi_outline laid;                            ///< in those of the first face
    double low[2];                                ///< of that
    double high[2];
    double side;    ///< 1 where its corners run counterclockwise in its texels, else -1
    bspi_affine to; ///< from the texels of the first face
    bspi_affine from;
    bool seamless; ///< a texel is as long on all faces on the way here
    float turned;  ///< radians
    bool tried[BSPI_UNFOLD_CORNERS];
} bspi_unfold_face;

/// A rectangle among texels.
typedef struct bspi_rectangle {
    double low[2];
    double high[2];
} bspi_rectangle;

/// An edge between two of them, in the texels of the first face.
typedef struct bspi_unfold_link {
    uint32_t faces[2];
    double ends[2][2];
} bspi_unfold_link;

typedef struct bspi_unfold {
    bspi_relight *own;
    uint32_t model;
    bspi_unfold_face *faces; ///< in the heap
    uint32_t num_faces;
    bspi_unfold_link links[3 * BSPI_UNFOLD_FACES];
    uint32_t num_links;
    bspi_rectangle square;           ///< that was looked at last,
    bool reached[BSPI_UNFOLD_FACES]; ///< and the faces that one gets to in it; [0]: any
    struct bspi_spot_cell *cells;    ///< that were looked at last, in the heap (spot_cells.c)
    struct bspi_unfold_part *parts;  ///< likewise (spot.c)
    bspi_free_around around;         ///< of the place that was looked at last
    uint64_t work;                   ///< that was done and is to be paid for
} bspi_unfold;

/// A cell of a face, and where light is measured in it.
typedef struct bspi_spot_cell {
    uint32_t owner; ///< place of its face among the faces, and 1; 0: no cell
    int number[2];
    bool found;
    bool moved;
    double at[2]; ///< texels of the face
    float point[3];
    float normal[3];
} bspi_spot_cell;
#define BSPI_UNFOLD_CELLS 512u // a power of two

/// The cells of a face that what of it is in a rectangle touches.
typedef struct bspi_unfold_part {
    uint32_t owner; ///< as of a cell
    bool any;       ///< there are some
    bspi_rectangle square;
    double low[2]; ///< numbers of cells
    double high[2];
} bspi_unfold_part;
#define BSPI_UNFOLD_PARTS 256u // a power of two

/// Lays out a face and those beside it, as far as `reach` texels beyond it. False on failure; no
/// faces where a face cannot be laid out so. Free with bspi_unfold_end.
bool bspi_unfold_begin(bspi_relight *own, uint32_t face, float reach, bspi_unfold *out,
                       bsp_error *error);

void bspi_unfold_end(bspi_unfold *unfold);

/// Is a point among its texels in a face, or not farther beside it than `slack`?
static inline bool bspi_unfold_holds(const bspi_unfold_face *face, const double point[2],
                                     double slack) {
    return bspi_outline_within(&face->own, face->edges, face->side, point, slack);
}

static inline void bspi_affine_point(const bspi_affine *turn, const double in[2], double out[2]) {
    for (int i = 0; i < 2; i++) {
        out[i] = turn->m[i][0] * in[0] + turn->m[i][1] * in[1] + turn->m[i][2];
    }
}

#endif
