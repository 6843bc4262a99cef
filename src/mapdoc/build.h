// SPDX-License-Identifier: MIT
// Makes a document piece by piece. Pieces may come in any order of entities: finishing sorts them.
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
    struct bspi_source_owner *owner; ///< what becomes the document
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
    bspi_source_list left_out; ///< entities that the document is without in the end, ascending
    bspi_text_table groups;    ///< visgroups by name, of those that were asked for by it
} bspi_builder;

/// The document of a product that is made from `bytes` bytes; `budget` may be NULL. False without
/// memory. Every builder is ended by finish or drop.
bool bspi_builder_begin(bspi_builder *b, bsp_product product, uint64_t bytes, bsp_budget *budget,
                        const bsp_allocator *allocator, bsp_error *error);
/// The document, with runs filled and sorted; or NULL. The builder is empty then.
bsp_mapdoc *bspi_builder_finish(bspi_builder *b);
void bspi_builder_drop(bspi_builder *b);

/// A copy of a text that lives as long as the document; data NULL without memory.
bsp_text bspi_builder_text(bspi_builder *b, bsp_text text);

/// The next element of a list, all zero but for what says "none" (visgroup, disp), or NULL without
/// memory. It stays where it is until the next of its kind is added; its index is count - 1.
bsp_mapdoc_entity *bspi_build_entity(bspi_builder *b);
/// The document will be without the last entity and its pairs. It must get no brush and no patch.
/// False without memory.
bool bspi_build_leave_out(bspi_builder *b, uint32_t entity);
bool bspi_is_left_out(const bspi_builder *b, uint32_t entity);
/// Copies both texts.
bool bspi_build_pair(bspi_builder *b, uint32_t entity, bsp_text key, bsp_text value, bool output);
/// first_side is set: the sides that are added next are the brush's, and num_sides counts them.
bsp_mapdoc_brush *bspi_build_brush(bspi_builder *b, uint32_t entity);
/// A side of the last brush. `material` is not copied: see bspi_builder_text.
bsp_mapdoc_side *bspi_build_side(bspi_builder *b);
/// first_control is set; width * height controls, which are to be added next.
bsp_mapdoc_patch *bspi_build_patch(bspi_builder *b, uint32_t entity);
bsp_mapdoc_control *bspi_build_control(bspi_builder *b);
/// first_vert and first_tag are set; vertices and tags are to be added next.
bsp_mapdoc_disp *bspi_build_disp(bspi_builder *b);
bsp_mapdoc_disp_vert *bspi_build_disp_vert(bspi_builder *b);
bool bspi_build_disp_tag(bspi_builder *b, uint32_t tag);
/// The index of the visgroup of that name, made if it was not asked for before; BSP_NONE without
/// memory.
uint32_t bspi_build_visgroup(bspi_builder *b, const char *name);

/// A visgroup of any name, those of others included.
bsp_mapdoc_visgroup *bspi_build_visgroup_new(bspi_builder *b, bsp_text name);

bsp_mapdoc_camera *bspi_build_camera(bspi_builder *b);

/// The element of a list, to be changed while building.
bsp_mapdoc_entity *bspi_built_entity(bspi_builder *b, uint32_t index);
bsp_mapdoc_brush *bspi_built_brush(bspi_builder *b, uint32_t index);
bsp_mapdoc_side *bspi_built_side(bspi_builder *b, uint32_t index);
bsp_mapdoc_disp *bspi_built_disp(bspi_builder *b, uint32_t index);
bsp_mapdoc_disp_vert *bspi_built_disp_vert(bspi_builder *b, uint32_t index);

#endif
