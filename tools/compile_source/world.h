// SPDX-License-Identifier: MIT
// What the compiler knows of a map, step by step: brushes as drawn, the tree, faces, light. The
// last step (emit.c) turns it into a bsp_map.
#ifndef COMPILE_WORLD_H
#define COMPILE_WORLD_H

#include "bspkit/bspkit.h"
#include "geometry.h"

// Contents and surface flags (sheet source-lumps, section 10).
#define CONTENTS_SOLID 0x1u
#define CONTENTS_WINDOW 0x2u
#define CONTENTS_GRATE 0x8u
#define CONTENTS_SLIME 0x10u
#define CONTENTS_WATER 0x20u
#define CONTENTS_PLAYERCLIP 0x10000u
#define CONTENTS_MONSTERCLIP 0x20000u
#define CONTENTS_ORIGIN 0x1000000u
#define CONTENTS_DETAIL 0x8000000u
#define CONTENTS_TRANSLUCENT 0x10000000u
#define CONTENTS_LIQUID (CONTENTS_WATER | CONTENTS_SLIME)

#define SURF_SKY 0x4u
#define SURF_WARP 0x8u
#define SURF_TRANS 0x10u
#define SURF_TRIGGER 0x40u
#define SURF_NODRAW 0x80u
#define SURF_HINT 0x100u
#define SURF_SKIP 0x200u
#define SURF_NOLIGHT 0x400u
#define SURF_BUMPLIGHT 0x800u
#define SURF_NOSHADOWS 0x1000u
#define SURF_NODECALS 0x2000u

/// A material by name, and what compiling with it means.
typedef struct material {
    bsp_text name; ///< as drawn
    uint32_t contents;
    uint32_t flags;
    uint32_t width;
    uint32_t height;
    double reflectivity[3];
    bool tool;          ///< one of the games' own, which are not packed
    bool mirror;        ///< shows what an env_cubemap sees
    uint32_t mirror_of; ///< made from this one for a cubemap, or BSP_NONE
} material;

typedef struct texinfo {
    double texture[2][4];
    double light[2][4];
    uint32_t flags;
    uint32_t material;
} texinfo;

/// A surface that is bent out of a side.
typedef struct hill {
    uint32_t power;
    vec3 start;
    vec3 *offsets; ///< (2^power + 1)^2, row by row
    double *alphas;
    uint16_t *tags;
    uint32_t allowed[10];
    uint32_t face;         ///< filled by faces.c
    uint32_t sample_start; ///< filled by displacement.c
    vec3 corners[4];       ///< of the face, from the start on
    vec3 *points;          ///< of the grid
    vec3 *normals;         ///< smooth, at the points
} hill;

typedef struct side {
    uint32_t plane;
    uint32_t texinfo; ///< BSP_NONE in sides that were not drawn
    uint32_t material;
    uint32_t id; ///< Hammer's
    uint32_t smoothing;
    bool bevel;
    hill *bent;
    const winding *w; ///< NULL if nothing of the side is there
} side;

typedef struct brush {
    side *sides;
    uint32_t num_sides;
    uint32_t contents;
    bool detail;     ///< does not cut the tree
    bool structural; ///< cuts the tree
    const hull *shape;
    uint32_t number; ///< among the brushes of the file; BSP_NONE for those that are not kept
} brush;

typedef struct entity {
    uint32_t number; ///< in the drawing
    bsp_text classname;
    vec3 origin;
    brush *brushes;
    uint32_t num_brushes;
    uint32_t model; ///< BSP_NONE: none
    bool dropped;   ///< is not in the entity text
    uint32_t style; ///< light style given to a light that can be switched, or BSP_NONE
} entity;

typedef struct portal {
    uint32_t leaves[2];
    uint32_t plane; ///< faces from leaf 0 into leaf 1
    const winding *w;
} portal;

typedef struct leaf {
    const hull *cell;
    uint32_t contents;
    bool outside; ///< cannot be reached: made solid
    bool sky;     ///< has a face of the sky
    uint32_t cluster;
    uint32_t water;
    uint32_t *faces;
    uint32_t num_faces;
    uint32_t *brushes;
    uint32_t num_brushes;
} leaf;

typedef struct node {
    uint32_t plane;      ///< even
    int32_t children[2]; ///< front, back: node, or -1 minus a leaf
    box3 box;
    uint32_t *faces; ///< made here, before they are put in order
    uint32_t num_faces;
} node;

typedef struct face {
    uint32_t plane;
    uint32_t texinfo;
    uint32_t original;
    uint32_t id;
    uint32_t smoothing;
    bool on_node;
    uint32_t fog_volume;
    hill *bent;
    const winding *w;
    uint32_t *leaves;
    uint32_t num_leaves;
    uint8_t styles[4];
    uint32_t light_offset;
    int32_t light_mins[2];
    int32_t light_size[2]; ///< luxels less one, as stored
} face;

/// The tree and the faces of the world or of a brush entity.
typedef struct model {
    box3 box;
    int32_t root;
    uint32_t first_leaf; ///< leaves and nodes of its own
    uint32_t num_leaves;
    uint32_t first_node;
    uint32_t num_nodes;
    uint32_t first_face;
    uint32_t num_faces;
    brush *brushes;
    uint32_t num_brushes;
    vec3 origin;
} model;

typedef enum light_kind {
    LIGHT_POINT = 1,
    LIGHT_SPOT = 2,
    LIGHT_SKY = 3,
    LIGHT_AMBIENT = 5
} light_kind;

typedef struct lamp {
    light_kind kind;
    vec3 origin;
    vec3 direction; ///< in which it shines
    double colour[3];
    double constant;
    double linear;
    double quadratic;
    double inner; ///< cosines
    double outer;
    double exponent;
    uint32_t style;
    uint32_t cluster;
} lamp;

typedef struct world {
    const bsp_mapdoc *drawing;
    const bsp_search *files; ///< the folder of the drawing
    bsp_text map_name;       ///< "lobby"
    plane_set planes;
    material *materials;
    uint32_t num_materials;
    texinfo *texinfos;
    uint32_t num_texinfos;
    entity *entities;
    uint32_t num_entities;
    model *models;
    uint32_t num_models;
    node *nodes;
    uint32_t num_nodes;
    leaf *leaves;
    uint32_t num_leaves;
    portal *portals;
    uint32_t num_portals;
    uint32_t num_clusters;
    uint8_t *visible; ///< num_clusters rows of row_bytes
    uint8_t *audible;
    uint32_t row_bytes;
    face *faces;
    uint32_t num_faces;
    face *originals; ///< w, plane and texinfo alone
    uint32_t num_originals;
    lamp *lamps;
    uint32_t num_lamps;
    bspi_buffer light;
    bspi_buffer samples; ///< of displacements
    bsp_ambient_sample *ambient;
    uint32_t num_ambient;
    bsp_ambient_index *ambient_index;
    bsp_leaf_water *waters;
    uint32_t num_waters;
    hill **hills;
    uint32_t num_hills;
    bsp_overlay *overlays;
    bsp_overlay_fade *overlay_fades;
    uint32_t num_overlays;
    bspi_buffer pak;
    bspi_buffer entity_text;
    vec3 *cubemaps;
    uint32_t *cubemap_sizes;
    uint32_t num_cubemaps;
} world;

// The steps, each in the file of its name.
uint32_t find_material(world *w, bsp_text name);               // materials.c
uint32_t find_texinfo(world *w, const texinfo *wanted);        // materials.c
uint32_t mirrored_material(world *w, uint32_t of, vec3 place); // materials.c
void read_drawing(world *w);                                   // drawing.c
hill *read_hill(const world *w, uint32_t disp);                // displacement.c
void build_trees(world *w);                                    // tree.c
void make_portals(world *w);                                   // portals.c
void fill_outside(world *w);                                   // portals.c
void make_faces(world *w);                                     // faces.c
void make_water(world *w);                                     // faces.c
void see(world *w);                                            // vis.c
void read_lamps(world *w);                                     // lamps.c
void shine(world *w);                                          // light.c
void shine_ambient(world *w);                                  // light.c
void place_hills(world *w);                                    // displacement.c
void place_overlays(world *w);                                 // props.c
void make_pak(world *w);                                       // pak.c
bsp_text entity_text(world *w);                                // entities.c

/// A file of the drawing's folder, by its name in the game. Ends the program without it.
bsp_bytes load_file(const world *w, bsp_text name);
/// The material of that name. Free it with bsp_vmt_free.
bsp_vmt *load_material(const world *w, bsp_text name);

/// The leaf of a model's tree at a point.
uint32_t leaf_at(const world *w, const model *m, vec3 point);
/// Leaves of the world that a box touches, solid ones left out. Returns how many.
uint32_t leaves_in(const world *w, box3 box, uint32_t *out, uint32_t max);

/// The file. `static_props`: version of the game lump.
bool emit(world *w, const char *branch, bool big_endian, uint32_t static_props, bsp_blob *out,
          bsp_error *error);

#endif
