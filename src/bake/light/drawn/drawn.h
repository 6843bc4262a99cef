// SPDX-License-Identifier: MIT
// Quake 3: light of surfaces whose luxels lie on pages, of vertices, and in space.
#ifndef BSPI_BAKE_DRAWN_H
#define BSPI_BAKE_DRAWN_H

#include "bake/light/base/q3map2_told.h"
#include "bake/light/base/random.h"
#include "bake/light/base/work.h"
#include "bspkit/mesh.h"
#include "core/buffer.h"
#include "core/vector.h"

/// A vertex of a surface, or a point between some.
typedef struct bspi_drawn_corner {
    float point[3]; ///< in the world
    float normal[3];
    float light[2]; ///< place on the page, luxels
    float uv[2];    ///< place on its picture
    float vertex;   ///< of its face; between two that it lies between
} bspi_drawn_corner;

/// A triangle of a surface, in the world.
typedef struct bspi_triangle {
    float points[3][3];
    float normals[3][3];
    float light[3][2]; ///< place on the page, luxels
    float uv[3][2];    ///< place on its picture
    uint32_t face;
} bspi_triangle;

/// Returns the square units of a triangle.
static inline float bspi_triangle_area(const bspi_triangle *triangle) {
    float normal[3];
    bspi_triangle_cross(triangle->points[0], triangle->points[1], triangle->points[2], normal);
    float area = sqrtf(bspi_dot(normal, normal)) / 2;
    return isfinite(area) ? area : 0;
}

/// The triangles of a face.
typedef struct bspi_triangles {
    bspi_triangle *list; ///< in the heap
    uint32_t count;
    size_t size; ///< bytes
} bspi_triangles;

/// A page of light.
typedef struct bspi_drawn_page {
    const uint8_t *before; ///< the light that the map has there, RGB; borrowed
    uint32_t width;        ///< luxels; 0: the page is not there
    uint32_t height;
    size_t first; ///< its first luxel, among those of all pages
} bspi_drawn_page;

#define BSPI_DRAWN_SLOTS 4u // of a face: RBSP has a place for each of four styles, others one

/// Where a face has the luxels of a style.
typedef struct bspi_drawn_slot {
    uint32_t page; ///< BSP_NONE: none
    uint32_t x;    ///< of its first luxel
    uint32_t y;
    uint8_t style;
} bspi_drawn_slot;

/// The luxels of a face on its pages.
typedef struct bspi_drawn_face {
    bspi_drawn_slot slots[BSPI_DRAWN_SLOTS];
    uint8_t vertex_styles[BSPI_DRAWN_SLOTS]; ///< of its vertices, if it is lit by these
    bool by_vertices;
    uint8_t *inside; ///< for each luxel: it was measured on the surface; in the heap
    uint32_t count;  ///< of those
    float *open;     ///< for each place: what corners leave of its light; NULL: all. In the heap
    uint32_t extra;  ///< places in a luxel along an axis, of those
} bspi_drawn_face;

/// Light from everywhere (_floodlight).
typedef struct bspi_drawn_flood {
    bool on;
    float color[3]; ///< of 255, where it is open around a place
    float reach;    ///< units
} bspi_drawn_flood;

/// What a shader says of the light on its surfaces. Zeros without one.
typedef struct bspi_drawn_material {
    bool two_sided;         ///< it falls on both sides
    bool clean;             ///< it is not less in corners
    bool keeps;             ///< colours of vertices stay
    float filter;           ///< units within which it is mixed; 0: it is not
    float scale;            ///< factor of it; 0: 1
    float vertex;           ///< the same at vertices
    float angle;            ///< degrees between normals that are made round; 0: as for all
    float lift;             ///< units from the surface to where it is measured; 0: 1
    bspi_drawn_flood flood; ///< more of it, with that of the world
} bspi_drawn_material;

/// What Quake 3 has of light besides the luxels of faces.
typedef struct bspi_drawn {
    bspi_drawn_face *faces;
    bspi_drawn_page *pages; ///< those of the file, then those beside it
    uint32_t num_pages;
    uint32_t num_inside; ///< of the file
    uint32_t *firsts;    ///< of each face: the first one of its piece; NULL: each is one
    uint32_t *nexts;     ///< of each face: another one of its piece, or BSP_NONE
    size_t num_luxels;   ///< of all pages
    uint8_t *luxels;     ///< theirs, RGB; NULL until they are made
    uint8_t *covered;    ///< for each luxel: a surface lies there
    uint8_t *touched;    ///< for each luxel: it is made anew in a region; NULL: all are
    uint32_t num_vertices;
    uint8_t (*vertices)[BSPI_DRAWN_SLOTS][3]; ///< RGB of each vertex, by style
    uint8_t *lit;                             ///< for each vertex: it has new light
    bsp_relight_face *vertex_light; ///< of each face that is lit at its vertices; in the heap
    bsp_light_cell *cells;          ///< of the grid
    uint32_t num_cells;
    uint32_t cell_slots; ///< styles that a cell has
    bool deluxe;         ///< each page is followed by one of directions
    bool tangent;        ///< that are along the surface and its normal
    bool styled;         ///< RBSP: surfaces, vertices and cells have four styles
    bspi_drawn_material *materials;
    uint32_t num_unknown;         ///< materials of faces whose shaders were not found
    uint32_t unknown;             ///< one of them
    bsp_map shade;                ///< the map, but for patches, and brushes that let light through
    uint32_t clear;               ///< contents of what lets light through
    struct bspi_shade *triangles; ///< that cast shadows
    const struct bspi_occluders *skies; ///< and those of the sky, each alone
    bool dirt;                          ///< luxels are darker in corners
    bspi_q3map2_told told;              ///< by the command line that made the map's light
    bspi_random random;                 ///< numbers are taken in the order of the compiler
    float (*normals)[3];                ///< of vertices that are round; NULL: those of the map
    bspi_drawn_flood flood;             ///< light from everywhere
    uint8_t **rows;                     ///< of each face: clusters that it sees; NULL: all
    float *curves;                      ///< of patches: how long their longest curve counts
    bool patch_shadows;                 ///< patches cast shadows too
    bool lamps_mixed;                   ///< light of some is mixed with that beside it by itself
    bool bounce_grid;                   ///< cells have what surfaces throw back,
    uint32_t turns;                     ///< so often
    float vertex_least[3];
    float cell_least[3];
} bspi_drawn;

/// Prepares it, and sets `shade`, whose brushes cast shadows (drawn.c).
bool bspi_drawn_find(bspi_relight *own, bsp_error *error);
/// Finds the pages (drawn_page.c).
bool bspi_drawn_find_pages(bspi_relight *own, bsp_error *error);
/// Returns the page of the first style of a face, or BSP_NONE: it has none, or that is not there.
uint32_t bspi_drawn_page_of(const bspi_relight *own, uint32_t face);
/// Finds which faces have their luxels in one piece (drawn_pieces.c).
bool bspi_drawn_pieces_find(bspi_relight *own, bsp_error *error);
/// Returns the face that has the luxels of a face's piece: the first one of it.
static inline uint32_t bspi_drawn_first(const bspi_relight *own, uint32_t face) {
    return own->drawn->firsts != NULL ? own->drawn->firsts[face] : face;
}
/// Returns the face of the same piece that comes after one, or BSP_NONE.
static inline uint32_t bspi_drawn_next(const bspi_relight *own, uint32_t face) {
    return own->drawn->firsts != NULL ? own->drawn->nexts[face] : BSP_NONE;
}
/// Finds which clusters faces see (drawn_rows.c).
bool bspi_drawn_rows_find(bspi_relight *own, bsp_error *error);
/// Returns those, or NULL: all.
static inline const uint8_t *bspi_drawn_row(const bspi_relight *own, uint32_t face) {
    return own->drawn->rows != NULL ? own->drawn->rows[face] : NULL;
}
/// Sets how many luxels that page has along each axis; 1 without one (drawn_triangles.c).
void bspi_drawn_page_size(const bspi_relight *own, uint32_t face, float size[2]);
/// Returns a vertex of a face, counted from its first one, as a corner; `page`: luxels of that
/// along each axis.
bspi_drawn_corner bspi_drawn_corner_of(const bspi_relight *own, uint32_t face, const float page[2],
                                       uint32_t number);
/// Has a patch three control points or more along each axis, an odd number, and are all there?
bool bspi_drawn_is_patch(const bsp_map *map, const bsp_face *face);
/// Makes surfaces round whose normals differ by less than an angle (drawn_smooth.c).
bool bspi_drawn_smooth(bspi_relight *own, float degrees, bsp_error *error);
/// Finds the triangles of a face, patches as many flat ones; freed by bspi_triangles_free
/// (drawn_triangles.c).
bool bspi_triangles_of(bspi_relight *own, uint32_t face, bspi_triangles *out, bsp_error *error);
void bspi_triangles_free(bspi_relight *own, bspi_triangles *triangles);
/// Finds those of all faces of a piece, by the first one (drawn_pieces.c).
bool bspi_drawn_piece(bspi_relight *own, uint32_t first, bspi_triangles *out, bsp_error *error);
/// Frees what is in the heap.
void bspi_drawn_free(bspi_relight *own);
/// Returns what the shader of a face says.
const bspi_drawn_material *bspi_drawn_of(const bspi_relight *own, uint32_t face);
/// Does light fall on a face at all?
bool bspi_drawn_takes_light(const bspi_relight *own, uint32_t face);
/// Returns the cluster of a place, or BSP_NONE in solid; `skin`: units that brushes in open leaves
/// reach farther than they are (drawn_solid.c).
uint32_t bspi_drawn_cluster(bspi_relight *own, const float point[3], float skin);
/// Is a place off a surface of the world in solid?
bool bspi_drawn_solid(bspi_relight *own, const float point[3]);
/// Where a cell of the light grid is measured.
typedef struct bspi_drawn_point {
    float point[3];
    uint32_t cluster; ///< BSP_NONE: nowhere
    uint32_t moved;   ///< its place is in solid: how many of those before it are; else BSP_NONE
} bspi_drawn_point;
/// Finds those of all cells; sets how many were moved (drawn_points.c).
bool bspi_drawn_points_find(bspi_relight *own, const bsp_light_grid *grid, bspi_drawn_point *out,
                            uint32_t *moved, bsp_error *error);
/// Looks again for those that were moved, as the compiler does for each bounce; `out` has as many.
bool bspi_drawn_points_again(bspi_relight *own, const bsp_light_grid *grid,
                             const bspi_drawn_point *points, bspi_drawn_point *out,
                             bsp_error *error);
/// Moves a lamp out of solid as the compiler does: step by step from one free place to the next.
/// False: the last step ends in solid, and it counts nothing.
bool bspi_drawn_move_free(bspi_relight *own, float point[3]);
/// Finds whether pages are followed by some of directions (drawn_deluxe.c).
bool bspi_deluxe_find(bspi_relight *own, bsp_error *error);
/// Returns the page of directions that belongs to a page, or BSP_NONE.
uint32_t bspi_deluxe_page(const bspi_drawn *drawn, uint32_t page);
/// Is a page one of directions?
static inline bool bspi_deluxe_is(const bspi_drawn *drawn, uint32_t page) {
    return drawn->deluxe && page % 2 == 1;
}
/// Is a luxel made anew?
static inline bool bspi_drawn_touched(const bspi_drawn *drawn, size_t luxel) {
    return drawn->touched == NULL || drawn->touched[luxel] != 0;
}
#endif
