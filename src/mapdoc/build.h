// SPDX-License-Identifier: MIT
// Builds a document piece by piece. Pieces may come in any order of entities; finishing sorts them.
#ifndef BSPI_MAPDOC_BUILD_H
#define BSPI_MAPDOC_BUILD_H

#include "bspkit/mapdoc.h"
#include "core/memory.h"
#include "core/text_table.h"

/// A list that grows on the builder's heap.
typedef struct bspi_source_list {
    void *data;
    size_t room;
    uint32_t count;
} bspi_source_list;

typedef struct bspi_builder {
    struct bspi_source_owner *owner; ///< becomes the document
    bsp_error *error;
    bspi_source_list entities;
    bspi_source_list pairs;
    bspi_source_list brushes;
    bspi_source_list patches;
    bspi_source_list sides;
    bspi_source_list controls;
    bspi_source_list disps;
    bspi_source_list disp_verts;
    bspi_source_list disp_tags;
    bspi_source_list visgroups;
    bspi_source_list cameras;
    bspi_source_list left_out; ///< entities that are removed in the end, ascending
    bspi_text_table groups;    ///< visgroups by name, of those that bspi_build_visgroup made
} bspi_builder;

/// Begins the document of a product that is made from `bytes` bytes; `budget` may be NULL. Returns
/// false without memory. Every builder is ended by finish or drop.
bool bspi_builder_begin(bspi_builder *b, bsp_product product, uint64_t bytes, bsp_budget *budget,
                        const bsp_allocator *allocator, bsp_error *error);
/// Returns the document, with runs filled and sorted, or NULL. The builder is empty afterwards.
bsp_mapdoc *bspi_builder_finish(bspi_builder *b);
void bspi_builder_drop(bspi_builder *b);

/// Makes room for that many more brushes and sides. Room that is not used costs nothing in the end:
/// finishing releases it.
bool bspi_builder_reserve(bspi_builder *b, uint32_t brushes, uint32_t sides);

/// Returns a copy of a text that the document owns; data is NULL without memory.
bsp_text bspi_builder_text(bspi_builder *b, bsp_text text);

/// Adds an element to a list, all zero except that visgroup and disp are none, and returns it, or
/// NULL without memory. It is valid until the next of its kind is added; its index is count - 1.
bsp_mapdoc_entity *bspi_build_entity(bspi_builder *b);
/// Marks the last entity and its pairs for removal. It must get no brush and no patch. Returns
/// false without memory.
bool bspi_build_leave_out(bspi_builder *b, uint32_t entity);
bool bspi_is_left_out(const bspi_builder *b, uint32_t entity);
/// Adds a pair; both texts are copied.
bool bspi_build_pair(bspi_builder *b, uint32_t entity, bsp_text key, bsp_text value, bool output);
/// Adds a brush. first_side is set: the sides that are added next are the brush's, and num_sides
/// counts them.
bsp_mapdoc_brush *bspi_build_brush(bspi_builder *b, uint32_t entity);
/// Adds a side to the last brush. `material` is not copied: see bspi_builder_text.
bsp_mapdoc_side *bspi_build_side(bspi_builder *b);
/// Adds a patch. first_control is set; the caller adds width * height controls next.
bsp_mapdoc_patch *bspi_build_patch(bspi_builder *b, uint32_t entity);
bsp_mapdoc_control *bspi_build_control(bspi_builder *b);
/// Adds a displacement. first_vert and first_tag are set; the caller adds vertices and tags next.
bsp_mapdoc_disp *bspi_build_disp(bspi_builder *b);
bsp_mapdoc_disp_vert *bspi_build_disp_vert(bspi_builder *b);
bool bspi_build_disp_tag(bspi_builder *b, uint32_t tag);
/// Returns the index of the visgroup with that name, which is made at the first call; BSP_NONE
/// without memory.
uint32_t bspi_build_visgroup(bspi_builder *b, const char *name);

/// Adds a visgroup, even if another has the same name.
bsp_mapdoc_visgroup *bspi_build_visgroup_new(bspi_builder *b, bsp_text name);

bsp_mapdoc_camera *bspi_build_camera(bspi_builder *b);

/// Returns an element of a list, which may be changed while building.
bsp_mapdoc_entity *bspi_built_entity(bspi_builder *b, uint32_t index);
bsp_mapdoc_brush *bspi_built_brush(bspi_builder *b, uint32_t index);
bsp_mapdoc_side *bspi_built_side(bspi_builder *b, uint32_t index);
bsp_mapdoc_disp *bspi_built_disp(bspi_builder *b, uint32_t index);
bsp_mapdoc_disp_vert *bspi_built_disp_vert(bspi_builder *b, uint32_t index);

#endif
