// SPDX-License-Identifier: MIT
// Faces that cast shadows, in boxes: by the rules of ericw-tools light ends at faces, not at the
// brushes or leaves that they bound.
#ifndef BSPI_BAKE_OCCLUDERS_H
#define BSPI_BAKE_OCCLUDERS_H

#include "bake/light/base/picture.h"
#include "bake/light/base/work.h"

#include <math.h>

#define BSPI_OCCLUDER_DEPTH 48u // of boxes in boxes; at most one more wait in a walk
#define BSPI_OCCLUDER_LANES 8u  // lines, places or boxes that are looked at together
#define BSPI_OCCLUDER_EDGE                                                                         \
    0.002f                         // units beside an edge that are still on the face, so that no
                                   // line goes through between two
#define BSPI_OCCLUDER_STEEP 1e-20f // of a direction: stands for 0, whose inverse is no number

/// What a face does to light.
typedef enum bspi_occluder_kind {
    BSPI_OCCLUDER_SOLID, ///< stops it
    BSPI_OCCLUDER_SKY,   ///< stops that of lamps; suns shine out of it
    BSPI_OCCLUDER_FENCE, ///< stops it where its picture is not transparent
    BSPI_OCCLUDER_GLASS, ///< tints it by its picture
    BSPI_OCCLUDER_VEIL,  ///< vrad: takes as much of it as the alpha of its picture says
} bspi_occluder_kind;

/// Finds the faces that cast shadows (occluders_find.c). `own->occluders` stays NULL by the rules
/// of other compilers.
bool bspi_occluders_find(bspi_relight *own, bsp_error *error);

/// Lines one after another.
typedef struct bspi_occluder_lines {
    const struct bspi_occluders *all;
    uint32_t model;    ///< of the face that is lit
    uint32_t channels; ///< faces of which stop light
    int style;         ///< of the shadow of the model that is lit, if that switches
    bool switching;    ///< shadows of other styles are looked for, and nothing else
    bool whole;        ///< veils stop light
    bool back;         ///< rays go from the lamp to the place, not the other way: see glass
    uint32_t sky;      ///< material of the sky that suns shine out of; BSP_NONE: any
    uint32_t last;     ///< face that stopped a line, which is looked at first; BSP_NONE at first
    uint32_t last_box; ///< that it is in
    uint64_t steps;    ///< boxes and faces that were looked at, to be paid for
} bspi_occluder_lines;

/// Is a line free? Sets what comes through glass, 0..1.
bool bspi_occluders_line(bspi_occluder_lines *lines, const float from[3], const float to[3],
                         float through[3]);

/// Are lines free? As bspi_occluders_line; fast where they begin or end at about one place, and
/// where those beside each other in the list are near each other (occluder_beam.c). `through`: what
/// comes through glass, of those that are free; NULL: not wanted.
void bspi_occluders_beam(bspi_occluder_lines *lines, const bsp_sight_line *list, bool *seen,
                         float (*through)[3], uint32_t count);

/// Is the first face on a line, but for those that light goes through, one of the sky?
bool bspi_occluders_sky(bspi_occluder_lines *lines, const float from[3], const float to[3],
                        float through[3]);

/// A flat convex face in the world.
typedef struct bspi_occluder {
    float normal[3];
    float dist;
    uint32_t first;    ///< of its edges
    uint16_t edges;    ///< their number
    uint8_t axes[2];   ///< of the plane that it is looked at in
    uint8_t kind;      ///< bspi_occluder_kind
    uint8_t only;      ///< bspi_lit_model: whom it shades
    uint32_t model;    ///< that it is of
    uint32_t channels; ///< of that
    uint32_t texinfo;  ///< of its picture
    uint32_t material; ///< likewise
    int style;         ///< bspi_lit_model: of its shadow
    float opacity;
} bspi_occluder;

/// Boxes in boxes; the two in one stand side by side.
typedef struct bspi_occluder_box {
    float low[3];
    uint32_t first; ///< of two boxes, or of the faces
    float high[3];
    uint32_t count; ///< of faces; 0: it has boxes
} bspi_occluder_box;

/// Eight of them, for what is looked for in all at once.
typedef struct bspi_occluder_node {
    float ends[2][3][BSPI_OCCLUDER_LANES]; ///< the low ones first
    uint32_t to[BSPI_OCCLUDER_LANES];      ///< the box, of one that has faces; else its node
    uint32_t used;                         ///< bits of those that are there
    uint32_t leaves;                       ///< of those that have faces
    uint32_t skies;                        ///< and of those with faces of the sky in them
} bspi_occluder_node;

struct bspi_occluders {
    const bsp_texinfo *texinfos; ///< how their pictures lie
    bspi_occluder *list;
    uint32_t count;
    float (*edges)[3]; ///< a, b, c: a point of the plane is inside where a u + b v + c >= 0
    bspi_occluder_box *boxes;
    uint32_t num_boxes;
    bspi_occluder_node *nodes; ///< the first one has all boxes; NULL: there are none
    bspi_picture *pictures;    ///< of materials
    const struct bspi_occluder_lanes *lanes;
};

/// Does it cast shadows on the face that is lit?
static inline bool bspi_occluder_shades(const bspi_occluder *face,
                                        const bspi_occluder_lines *lines) {
    if ((face->channels & lines->channels) == 0) {
        return false;
    }
    if (lines->switching) {
        return face->only == BSPI_SHADES_STYLE && face->style != lines->style;
    }
    switch (face->only) {
    case BSPI_SHADES_STYLE:
        return face->style == lines->style;
    case BSPI_SHADES_ITSELF:
        return lines->model == face->model;
    case BSPI_SHADES_WORLD:
        return lines->model == 0;
    case BSPI_SHADES_OTHERS:
        return lines->model != face->model;
    default:
        return true;
    }
}

/// Sets 1 by each part of a direction, for bspi_occluder_enters.
static inline void bspi_occluder_inverse(const float way[3], float inverse[3]) {
    for (int i = 0; i < 3; i++) {
        float part = fabsf(way[i]) < BSPI_OCCLUDER_STEEP ? BSPI_OCCLUDER_STEEP : way[i];
        inverse[i] = 1 / part;
    }
}

/// Does a line go into a box before its part `end`? Sets where, as a part of it.
static inline bool bspi_occluder_enters(const bspi_occluder_box *box, const float from[3],
                                        const float inverse[3], float end, float *at) {
    float first = 0;
    float last = end;
    for (int i = 0; i < 3; i++) {
        float a = (box->low[i] - from[i]) * inverse[i];
        float b = (box->high[i] - from[i]) * inverse[i];
        float low = a < b ? a : b;
        float high = a < b ? b : a;
        first = low > first ? low : first;
        last = high < last ? high : last;
    }
    *at = first;
    return first <= last;
}

/// Puts the faces into boxes (occluders.c); `bounds`: corners of the box of each.
bool bspi_occluders_divide(bspi_relight *own, struct bspi_occluders *occluders,
                           const float (*bounds)[2][3], bsp_error *error);

/// Puts the boxes into nodes (occluder_nodes.c).
bool bspi_occluders_fold(bspi_relight *own, struct bspi_occluders *occluders, bsp_error *error);

#endif
