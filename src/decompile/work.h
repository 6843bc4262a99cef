// SPDX-License-Identifier: MIT
// The state that all steps of a decompilation share.
//
// A family of games has a method: its steps, and what is special in them. The steps write into the
// builder; entities of the map are entities of the document from the first step on.
#ifndef BSPI_DECOMPILE_WORK_H
#define BSPI_DECOMPILE_WORK_H

#include "bspkit/decompile.h"
#include "bspkit/mesh.h"
#include "core/issue_kinds.h"
#include "core/memory.h"
#include "core/progress.h"
#include "core/text_table.h"
#include "mapdoc/build.h"
#include "mapdoc/texdef.h"

typedef struct bspi_method bspi_method;
typedef struct bspi_face_index bspi_face_index; ///< faces by their plane: faces.h

typedef struct bspi_work {
    const bsp_map *map;
    const bsp_decompile_options *options;
    bsp_decompile_report *report;
    bsp_error *error;
    bool spent; ///< the limit of work was reached, as the error says
    const bspi_method *method;
    bspi_heap heap;
    bspi_meter meter; ///< of bspi_spend
    bspi_arena arena; ///< freed when the work ends
    bspi_builder out;
    bspi_progress progress; ///< a step per brush
    /// Polygons of the map's brushes: of those from first_hull to before end_hull; NULL without
    /// brushes. A method that needs_hulls has all of them.
    bsp_brush_mesh *hulls;
    uint32_t first_hull;
    uint32_t end_hull;
    struct bspi_polyhedron *cutter;    ///< scratch of brushes; NULL without brushes
    struct bspi_written_side *written; ///< scratch of brushes: the sides of one
    bspi_face_index *faces;            ///< NULL without faces
    uint32_t *entity_of;     ///< for each entity of the map: entity of the document, or BSP_NONE
    uint32_t *model_entity;  ///< for each model: entity of the map that shows it, or BSP_NONE
    uint32_t *brush_model;   ///< for each brush: model that holds it, or BSP_NONE
    uint32_t *brush_out;     ///< for each brush: brush of the document, or BSP_NONE
    bool *replaced;          ///< for each brush: planes of its sides are a guess; NULL: of none
    uint32_t *face_side;     ///< for each face: a side of the document that shows it, or BSP_NONE
    double *face_area;       ///< for each face: square units of it that this side shows
    uint32_t (*sizes)[2];    ///< for each material: texels, 0 unknown; BSP_NONE: not computed yet
    uint32_t *model_brushes; ///< brushes by model; those of model m begin at model_first[m]
    uint32_t *model_first;   ///< one more than there are models
    bspi_text_table names;   ///< names of materials that the document owns
    double (*repeats)[2];    ///< for each material: repeats per unit on a face that shows it, or 0
    void *own;               ///< the method's own state, in the arena
} bspi_work;

/// Where the look of a side comes from.
typedef enum bspi_look_source {
    BSPI_LOOK_GUESS, ///< flags, neighbours, or the game's plain texture
    BSPI_LOOK_SIDE,  ///< the side's own record
    BSPI_LOOK_FACE,  ///< a face that shows it
} bspi_look_source;

/// The look of a side of a brush, in the space of the file (without the origins of entities).
typedef struct bspi_look {
    bspi_look_source source;
    bsp_text material;
    double vec[2][4];
    bool repeats;     ///< vec counts repeats of the texture, since its size is not known
    uint32_t size[2]; ///< of the texture in texels, or 0
    bool has_flags;
    uint32_t contents;
    uint32_t flags;
    int32_t value;
    double lightmap_scale;
    uint32_t smoothing;
    uint32_t face; ///< that shows most of the side; BSP_NONE: none
} bspi_look;

struct bspi_method {
    /// Copies the entities of the map to the document, as an editor has them; fills entity_of.
    bool (*entities)(bspi_work *w);
    /// Makes all brushes: from brushes, or from the tree.
    bool (*solids)(bspi_work *w);
    /// Returns the entity of the document for a brush of the world (made if needed), and its
    /// visgroup in `*visgroup`; BSP_NONE leaves the brush out, with an issue. NULL: worldspawn.
    uint32_t (*owner)(bspi_work *w, uint32_t brush, uint32_t *visgroup);
    /// Changes the look of a side that was found from its record and its face. May be NULL.
    bool (*look)(bspi_work *w, uint32_t brush, uint32_t side, bspi_look *look);
    /// Emits what is not a brush: patches, displacements, overlays, props. May be NULL.
    bool (*extras)(bspi_work *w);
    /// Called before all others, with the hulls of the brushes as stored: replaces `w->map` by a
    /// map with other records, where it can tell what damaged ones should be. May be NULL.
    bool (*repair)(bspi_work *w);
    /// A step looks at hulls of other brushes than the one that is emitted.
    bool needs_hulls;
    /// Brushes are not stored with sides, so that faces are mostly found in another way: where
    /// they are not, `solids` builds the index.
    bool no_face_index;
};

extern const bspi_method bspi_method_tree; ///< Quake, Hexen II, GoldSrc
extern const bspi_method bspi_method_quake2;
extern const bspi_method bspi_method_quake3;
extern const bspi_method bspi_method_source;
extern const bspi_method bspi_method_respawn; ///< Titanfall, Apex Legends

/// Fills w->faces. Planes that differ by less than the rounding of compilers are equal.
bool bspi_face_index_build(bspi_work *w);
/// Frees what the index holds besides the arena. Nothing without an index.
void bspi_face_index_end(bspi_work *w);
/// Makes the scratch of bspi_emit_brush, and the hulls of a map with few brushes or whose method
/// needs them.
bool bspi_brushes_begin(bspi_work *w);
/// Fills model_brushes and model_first.
bool bspi_sort_brushes(bspi_work *w);

/// Returns the document's own copy of a text: the same one for the same text. NULL data without
/// memory.
bsp_text bspi_intern(bspi_work *w, bsp_text text);
/// Returns true if the options want that entity of the map. The world is always wanted: it is the
/// first entity, as in the engines, or in Source the one with its class.
bool bspi_wanted(const bspi_work *w, uint32_t entity);
/// Gives the position of an entity. Returns false when it has none, or a malformed one.
bool bspi_entity_origin(const bsp_entity *entity, double origin[3]);

/// Counts work. Returns false, now and from then on, over the limit; then the decompilation fails
/// and later results do not matter.
bool bspi_spend(bspi_work *w, uint64_t steps);

/// Adds an issue of the decompiler (BSPI_ISSUE_...) with a place in the file: a record of a table.
void bspi_lost(bspi_work *w, int kind, bsp_table_id table, uint32_t record, const char *format, ...)
    BSP_PRINTF(5, 6);

/// Returns true for a key of the map that the document does not have.
typedef bool bspi_drop_key(const bsp_pair *pair);
/// Drops the "model" of an entity whose brushes stand in it.
bool bspi_drop_brush_model(const bsp_pair *pair);
/// Drops its "origin", too: brushes stand where the model is shown, and a brush says the origin.
bool bspi_drop_placed_model(const bsp_pair *pair);
/// Copies an entity of the map to the document with all its keys but those that `drop` (may be
/// NULL) names; fills entity_of.
uint32_t bspi_copy_entity(bspi_work *w, uint32_t entity, bspi_drop_key *drop);
/// Returns false where the options exclude entities of that class.
bool bspi_class_wanted(const bspi_work *w, const char *classname);
/// Returns the material that a side with this look is written with, as the document's own copy.
bsp_text bspi_written_material(bspi_work *w, const bspi_look *look);
/// Makes an entity with a classname. If the class is not wanted the entity is removed in the end,
/// and nothing is put into it.
uint32_t bspi_new_entity(bspi_work *w, const char *classname);

/// Converts brush `brush` of the map to a brush of the document, moved by `origin` (may be NULL):
/// bevels are left out, each side has its look. Returns false without memory; a brush that cannot
/// be built is an issue, and its brush_out is BSP_NONE.
bool bspi_emit_brush(bspi_work *w, uint32_t brush, uint32_t entity, const double origin[3],
                     uint32_t visgroup);

/// Emits the brushes of a model other than the world into each entity of the document that shows
/// it, and those of the world into worldspawn, or where the method's `owner` says.
bool bspi_emit_models(bspi_work *w);
/// Writes what belongs to a model to an entity of the document, moved by `origin` (may be NULL).
typedef bool bspi_model_emitter(bspi_work *w, uint32_t model, uint32_t entity,
                                const double origin[3]);
/// Calls `emit` for each entity of the document that shows a model other than the world.
bool bspi_for_models(bspi_work *w, bspi_model_emitter *emit);

/// Takes texture and flags from a texinfo of the map.
void bspi_look_texinfo(bspi_work *w, bspi_look *look, uint32_t texinfo);
/// Gives the width and height of a material in texels; 0 when they are not known.
bool bspi_material_size(bspi_work *w, uint32_t material, uint32_t size[2]);
/// Gives the default alignment of a texture: along the axes, `scale` units per texel.
void bspi_look_default(bspi_look *look, const double normal[3], double scale);
/// Returns true if the texture's projection is perpendicular to the side: editors refuse such an
/// alignment.
bool bspi_look_is_perpendicular(const bspi_look *look, const float normal[3]);

/// A plane as a document says it.
typedef struct bspi_written_plane {
    double normal[3];
    double dist;
    double points[3][3]; ///< as in bsp_mapdoc_side
} bspi_written_plane;

/// Gives the plane and the three points of a side with this polygon (counter-clockwise from
/// outside): integers where the plane has such points, else decimals that read back as the plane
/// within 1e-5 of the normal and 1e-3 of the distance.
void bspi_write_plane(bspi_written_plane *out, const double normal[3], double dist,
                      const double (*polygon)[3], uint32_t count);
void bspi_side_set_plane(bsp_mapdoc_side *side, const bspi_written_plane *plane);
/// Fills the plane and the three points of a side.
void bspi_side_plane(bsp_mapdoc_side *side, const double normal[3], double dist,
                     const double (*polygon)[3], uint32_t count);
/// Sets the look of a side, moved by `origin` (may be NULL).
void bspi_side_look(bsp_mapdoc_side *side, const bspi_look *look, const double origin[3]);

#endif
