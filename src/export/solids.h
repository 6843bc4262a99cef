// SPDX-License-Identifier: MIT
// What things collide with, as pieces.
#ifndef BSPI_EXPORT_SOLIDS_H
#define BSPI_EXPORT_SOLIDS_H

#include "export/content.h"

typedef enum bspi_solid_kind {
    BSPI_SOLID_BRUSH,
    BSPI_SOLID_HULL,         ///< a piece of a tree of clip nodes
    BSPI_SOLID_DISPLACEMENT, ///< its triangles: not closed
    BSPI_SOLID_PHYSICS,
    BSPI_SOLID_PORTAL, ///< no solid: an opening that the options give
    BSPI_SOLID_PROP,   ///< a hull of its model, in the space of the model
    BSPI_SOLID_BOX,    ///< of a prop, in the world
} bspi_solid_kind;

/// A piece. Its polygons are runs of corners, which count from its first vertex; triangles count
/// from the first of all.
typedef struct bspi_solid {
    bspi_solid_kind kind;
    uint32_t number;   ///< of the brush, face, physics solid, hull (1 to 3), portal; of a model's:
                       ///< its hull
    uint32_t piece;    ///< of a hull or physics solid
    uint32_t contents; ///< as the brush has them; else 0
    uint32_t model;    ///< brush model that it moves with; PROP: model of the scene; BOX: the prop
    uint32_t first_vertex;
    uint32_t num_vertices;
    uint32_t first_size; ///< of its polygons, in bspi_solids.sizes
    uint32_t num_polygons;
    uint32_t first_corner;
    uint32_t first_index;
    uint32_t num_indices;
} bspi_solid;

struct bspi_solids {
    bspi_solid *list;
    size_t count;
    size_t room;
    bsp_mesh_vertex *vertices; ///< positions alone
    size_t num_vertices;
    size_t room_vertices;
    uint32_t *sizes; ///< corners of each polygon
    size_t num_sizes;
    size_t room_sizes;
    uint32_t *corners;
    size_t num_corners;
    size_t room_corners;
    uint32_t *indices; ///< triangles
    size_t num_indices;
    size_t room_indices;
};

/// Room for a name.
#define BSPI_SOLID_NAME 256

/// Lists the pieces of a scene: content->solids, freed by bspi_solids_free. Brushes are there if
/// they were loaded. Returns false without memory or over a limit.
bool bspi_solids_build(bspi_content *content, bsp_error *error);
void bspi_solids_free(bspi_content *content);
/// Writes a name as "collision_brush12_solid_detail".
void bspi_solid_name(const bspi_content *content, const bspi_solid *solid,
                     char out[BSPI_SOLID_NAME]);

/// A place in which a piece stands.
typedef struct bspi_solid_place {
    uint32_t solid;
    float origin[3];
    bspi_turn turn;
    float scale;
    bool in_room; ///< of the sky
} bspi_solid_place;

/// Receives a piece in one place; false ends the visit.
typedef bool (*bspi_solid_visit)(void *user, const bspi_solid_place *place, bsp_error *error);
/// Visits all pieces in all places: as instances of the scene show brush models, then props.
/// Returns false over a limit, or what `visit` did.
bool bspi_solids_each(const bspi_content *content, bspi_solid_visit visit, void *user,
                      bsp_error *error);

#endif
