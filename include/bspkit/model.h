// SPDX-License-Identifier: MIT
/// @file model.h
/// Models and sprites: what stands in maps beside their faces and brushes. A model file has two
/// views, as a map has: its records, under the names of the format's own headers, and one neutral
/// mesh, which is the same for every format.
#ifndef BSPKIT_MODEL_H
#define BSPKIT_MODEL_H

#include "bspkit/asset.h"
#include "bspkit/parts.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- formats ------------------------------------------------------------------------------------

/// What a file of a model format is.
typedef enum bsp_model_kind {
    BSP_MODEL_MESH = 0,      ///< a model
    BSP_MODEL_SPRITE = 1,    ///< pictures that are turned to the viewer
    BSP_MODEL_COMPANION = 2, ///< a part of a model: vertices, strips, physics
} bsp_model_kind;

/// A model format: a row of the table of formats.
typedef struct bsp_model_format {
    const char *name;    ///< a word: "quake-mdl", "source-vvd"
    const char *title;   ///< what people call it: "Quake alias model"
    const char *ending;  ///< usual ending of its files: ".mdl"
    bsp_model_kind kind; ///< what its files are
    bool big_endian;     ///< byte order of its files
    /// Entities that show it are turned by the opposite of their pitch, or of their roll: so do the
    /// renderers of Quake and GoldSrc with the pitch of models, that of Quake 2 (and of Kingpin and
    /// Daikatana, which took it over) with their roll, and that of Heretic II with both.
    bool pitch_negated;
    bool roll_negated;
} bsp_model_format;

/// Returns format number `n` of the table, or NULL after the last one. Static storage.
BSP_API const bsp_model_format *bsp_model_format_at(uint32_t n);

/// Returns layout number `n` of a format, that of its head (0) or of an array, and sets `*name` to
/// what dumps call it. NULL after the last one; formats that hold groups inside groups have more
/// layouts than this. `format` must be one of the table. Static storage.
BSP_API const bsp_layout *bsp_model_format_layout(const bsp_model_format *format, uint32_t n,
                                                  const char **name);

// --- records ------------------------------------------------------------------------------------

/// A file of one of the formats, taken apart into records. Immutable: any number of threads may
/// read it.
typedef struct bsp_model_file bsp_model_file;

/// How files of models are opened. All zero gives the defaults.
typedef struct bsp_model_open_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    bsp_bytes
        palette; ///< 768 bytes, for formats without one; empty: that of the search path, or grey
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the default limits
    bsp_issues *issues; ///< receives what is odd about the files; may be NULL
} bsp_model_open_options;

/// Opens a file of any format of the table; which one it is is told by its bytes, never by its
/// name. `name` is for messages (copied). The bytes are borrowed and must outlive the result. NULL
/// with BSP_E_FORMAT if it is of no known format, with BSP_E_UNSUPPORTED for a version or a format
/// that is known by name only, and with BSP_E_DAMAGED if not even its head lies in it. What is
/// damaged after the head is an issue, and is taken as not there. Close it with
/// bsp_model_file_close.
BSP_API bsp_model_file *bsp_model_file_open_memory(bsp_bytes bytes, const char *name,
                                                   const bsp_model_open_options *options,
                                                   bsp_error *error);
/// Opens a file of the disk in the same way.
BSP_API bsp_model_file *bsp_model_file_open(const char *path, const bsp_model_open_options *options,
                                            bsp_error *error);
/// Frees a model file. NULL is allowed and does nothing.
BSP_API void bsp_model_file_close(bsp_model_file *file);

/// Returns true if the bytes begin as a file of a model format does. Its version may be one that is
/// not read.
BSP_API bool bsp_model_detect(bsp_bytes bytes);

/// What a model file is.
typedef struct bsp_model_file_info {
    const bsp_model_format *format; ///< static storage
    uint32_t version;               ///< as its head states it; 0: the format has none
    uint64_t size;                  ///< bytes
    bsp_bytes bytes;                ///< the file; borrowed
} bsp_model_file_info;

/// Returns what the file is. Borrowed from `file`.
BSP_API const bsp_model_file_info *bsp_model_file_get_info(const bsp_model_file *file);
/// Returns the records of the file: a group with the part "header", and one part for each array of
/// the format. An array to which records of another array lead is a list, with a part for each of
/// those records. Arrays may share bytes. Borrowed from `file`.
BSP_API const bsp_parts *bsp_model_file_parts(const bsp_model_file *file);
/// Writes part number `part` of bsp_model_file_parts as JSON; 0 is all of them, as one object.
/// BSP_E_ARGUMENT if there is no such part.
BSP_API bool bsp_model_dump_part_json(const bsp_model_file *file, uint32_t part, bsp_json *json,
                                      bsp_error *error);
/// Adds an issue for each index and run of a record that leads nowhere, and each float that is no
/// number. (Arrays that do not lie in the file are issues of opening it.) `issues` may be NULL.
/// Fails only over a limit of the budget.
BSP_API bool bsp_model_check(const bsp_model_file *file, bsp_issues *issues, bsp_error *error);

// --- models -------------------------------------------------------------------------------------

/// A model with all its files: its own and those that belong to it (vertices, strips, textures,
/// animations, physics, models whose sequences it includes). Immutable: any number of threads may
/// ask it. (bsp_model of map.h is a brush model of a map.)
typedef struct bsp_model_asset bsp_model_asset;

/// Opens a model of a search path with all files that belong to it. `name` is that in the search
/// path ("models/props/barrel.mdl"). NULL with BSP_E_NOT_FOUND if there is no such file, with
/// BSP_E_FORMAT if it is no model or sprite. A companion that is missing is an issue; what needs it
/// is then not there (a model without its vertices has no triangles). The search path must outlive
/// the result. Close it with bsp_model_close.
BSP_API bsp_model_asset *bsp_model_open(const bsp_search *search, bsp_text name,
                                        const bsp_model_open_options *options, bsp_error *error);
/// Opens a model of the disk in the same way. The files that belong to it are looked for in its
/// folder and in no other.
BSP_API bsp_model_asset *
bsp_model_open_path(const char *path, const bsp_model_open_options *options, bsp_error *error);
/// Frees a model. NULL is allowed and does nothing.
BSP_API void bsp_model_close(bsp_model_asset *model);

/// A sequence of a model: an animation by name.
typedef struct bsp_model_sequence {
    bsp_text name;
    uint32_t first_frame; ///< formats whose frames are numbered through: the first; else 0
    uint32_t num_frames;
    float fps;  ///< frames a second; 0: not said
    bool loops; ///< it begins again after its last frame
} bsp_model_sequence;

/// A material of a model.
typedef struct bsp_model_material {
    bsp_text name; ///< as the file names it
    /// Where its picture or script is looked for, in this order, as names of a search path: with an
    /// ending where the format says one, else without. Empty where the model holds the picture.
    const bsp_text *paths;
    uint32_t num_paths;
    bool embedded;   ///< the model holds the picture: bsp_model_image
    uint32_t width;  ///< texels that the model states; 0: none
    uint32_t height; ///< the same
    bsp_alpha alpha; ///< how it covers what is behind it, as far as the model says
    float alpha_cut; ///< BSP_ALPHA_TEST: a pixel is there if its alpha (0..1) is at least this
    bool unlit;      ///< shown without light
    bool chrome;     ///< its texture is a reflection: its coordinates follow the view
    bool two_sided;  ///< seen from both sides
} bsp_model_material;

/// What a model is, whatever its pose. Borrowed from the model.
typedef struct bsp_model_info {
    bsp_text name;                  ///< in the search path; the path of a model of the disk
    const bsp_model_format *format; ///< static storage
    uint32_t version;               ///< as its head states it; 0: the format has none
    uint32_t num_triangles;         ///< of all body parts and their choices, in full detail
    uint32_t num_vertices; ///< as the file counts them: of all body parts and their choices
    uint32_t num_bones;
    uint32_t num_frames;     ///< formats without bones: poses or pictures; else 0
    uint32_t num_skins;      ///< skin families, at least 1
    uint32_t num_lods;       ///< levels of detail, at least 1
    const uint32_t *choices; ///< for each body part how many models it chooses from
    uint32_t num_body_parts;
    const bsp_model_material *materials; ///< of all skins
    uint32_t num_materials;
    const bsp_model_sequence *sequences; ///< animations by name
    uint32_t num_sequences;
    uint32_t flags;        ///< of the file's head, as its format means them
    float eye[3];          ///< eye position; 0 where the format has none
    float illumination[3]; ///< where light is taken; the origin where the format has none
    float mins[3];         ///< of the rest pose (skin 0, body 0, first frame), game units
    float maxs[3];         ///< the same
    float hull_mins[3];    ///< box that moves against the world, as the file says; 0: not said
    float hull_maxs[3];    ///< the same
    uint32_t contents;  ///< Source: by which a mask meets it ($contents), mostly 1, solid; else 0
    bool static_prop;   ///< Source: made with $staticprop; its vertices are never posed
    uint32_t num_hulls; ///< convex solids of the collision model; 0: it has none
} bsp_model_info;

/// Returns what the model is. Borrowed from `model`.
BSP_API const bsp_model_info *bsp_model_get_info(const bsp_model_asset *model);

/// Decodes the picture of an embedded material, with transparency where the model says so.
/// BSP_E_ARGUMENT if the model does not hold it. The caller frees it with bsp_image_free.
BSP_API bool bsp_model_image(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                             bsp_error *error);

// --- mesh ---------------------------------------------------------------------------------------

/// How a sprite is turned.
typedef enum bsp_sprite_facing {
    BSP_SPRITE_PARALLEL_UPRIGHT = 0,  ///< to the viewer's plane, upright in the world
    BSP_SPRITE_FACING_UPRIGHT = 1,    ///< to the viewer's eye, upright in the world
    BSP_SPRITE_PARALLEL = 2,          ///< to the viewer's plane
    BSP_SPRITE_ORIENTED = 3,          ///< as its entity is
    BSP_SPRITE_PARALLEL_ORIENTED = 4, ///< to the viewer's plane, rolled as its entity is
    BSP_SPRITE_FACING = 5,            ///< to the viewer's eye (detail sprites of Source)
} bsp_sprite_facing;

/// Which pose, skin and parts of a model a mesh shows. All zero gives what stands in a map without
/// further keys: sequence 0, frame 0, skin 0, body 0, full detail.
typedef struct bsp_model_pose {
    size_t size;       ///< of this struct in bytes, or 0: see BSP_OPTIONS
    uint32_t sequence; ///< number in bsp_model_info.sequences; too high: 0. Formats without bones
                       ///< look at the frame only
    uint32_t frame;    ///< of the sequence; formats without bones: of the model. Too high: the last
    float time;        ///< seconds, for frames that are groups of pictures or poses
    uint32_t skin;     ///< skin family; too high: 0
    uint32_t body;     ///< choices of all body parts in one number, as the entity key "body"
    uint32_t lod;      ///< level of detail; too high: the last
    bool bind_pose;    ///< bones as the file has its vertices; `sequence` and `frame` do not count
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: that of the model, or the defaults
} bsp_model_pose;

/// A vertex: 40 bytes.
typedef struct bsp_model_vertex {
    float position[3];   ///< of the pose, game units, axes of the model: x forward, y left, z up
    float normal[3];     ///< unit length
    float uv[2];         ///< 0..1 is the picture once; v grows downwards
    uint8_t color[2][4]; ///< two sets of RGBA that the file states; 255 without them
} bsp_model_vertex;

/// The bones that move a vertex. Weights add up to 1; unused ones are 0.
typedef struct bsp_model_weights {
    uint16_t bone[4]; ///< numbers of bones of the mesh
    float weight[4];  ///< how much each counts
} bsp_model_weights;

/// Triangles of one material. Vertices and indices of a group are contiguous.
typedef struct bsp_model_group {
    uint32_t material;  ///< of bsp_model_info.materials, the skin counted in; or BSP_NONE
    uint32_t body_part; ///< 0 in formats without body parts
    bsp_text name;      ///< of the surface or body part's model; may be empty
    uint32_t first_vertex;
    uint32_t num_vertices;
    uint32_t first_index; ///< indices count from the mesh's first vertex
    uint32_t num_indices;
} bsp_model_group;

/// A bone, a parent before its children.
typedef struct bsp_model_bone {
    bsp_text name;
    uint32_t parent;   ///< lower than its own number, or BSP_NONE
    float place[3][4]; ///< rows of the matrix from the bone's space into the model's, in this pose
    float bind[3][4];  ///< the same in the pose in which the file has its vertices
} bsp_model_bone;

/// A point of a model with a name: an attachment or a tag.
typedef struct bsp_model_attachment {
    bsp_text name;
    uint32_t bone;     ///< that it moves with, or BSP_NONE
    float place[3][4]; ///< rows of the matrix from its space into the model's, in this pose
} bsp_model_attachment;

/// A box that shots are tested against, in the space of its bone.
typedef struct bsp_model_hitbox {
    uint32_t bone;  ///< or BSP_NONE: the model's space
    uint32_t group; ///< as the file numbers them: 1 is the head, 2 the chest
    float mins[3];
    float maxs[3];
} bsp_model_hitbox;

/// A convex solid of the collision model, in the model's space and this pose.
typedef struct bsp_model_hull {
    uint32_t bone;  ///< that it moves with, or BSP_NONE
    uint32_t solid; ///< number of the solid (ragdolls have several) that it is a piece of
    uint32_t first_point;
    uint32_t num_points;
    uint32_t first_index; ///< of triangles, counter-clockwise seen from outside; they count from
                          ///< the mesh's first hull point
    uint32_t num_indices;
} bsp_model_hull;

/// A model in one pose. Plain data; bsp_model_mesh_free frees it.
typedef struct bsp_model_mesh {
    const bsp_model_vertex *vertices; ///< every position and normal is finite
    uint32_t num_vertices;
    const bsp_model_weights *weights; ///< one for each vertex; NULL without bones
    /// Triangles, three indices each, counter-clockwise seen from the front (files have them
    /// clockwise).
    const uint32_t *indices;
    uint32_t num_indices;
    const bsp_model_group *groups;
    uint32_t num_groups;
    const bsp_model_bone *bones;
    uint32_t num_bones;
    const bsp_model_attachment *attachments;
    uint32_t num_attachments;
    const bsp_model_hitbox *hitboxes;
    uint32_t num_hitboxes;
    const bsp_model_hull *hulls;
    uint32_t num_hulls;
    const float (*hull_points)[3]; ///< game units
    uint32_t num_hull_points;
    const uint32_t *hull_indices;
    uint32_t num_hull_indices;
    /// Source: for each vertex its number among all of the model, which says what light it has
    /// (bsp_model_vertex_light); NULL in other formats.
    const uint32_t *vertex_numbers;
    float mins[3]; ///< of the vertices
    float maxs[3]; ///< the same
    /// A sprite is a rectangle at x = 0 that looks to +x: its right is -y, its top is z.
    bool sprite;
    bsp_sprite_facing facing; ///< of a sprite
    void *owner;              ///< private; NULL: a program made the struct itself
} bsp_model_mesh;

/// Makes the mesh of a model. `pose` may be NULL. NULL on failure: BSP_E_MEMORY, BSP_E_LIMIT,
/// BSP_E_CANCELLED. Free it with bsp_model_mesh_free.
BSP_API bsp_model_mesh *bsp_model_mesh_build(const bsp_model_asset *model,
                                             const bsp_model_pose *pose, bsp_error *error);
/// Frees a mesh. NULL is allowed and does nothing.
BSP_API void bsp_model_mesh_free(bsp_model_mesh *mesh);

/// Reads the light that a map keeps for the vertices of one static prop (a .vhv of its pak) and
/// sets `colors`, one for each vertex of `mesh`, to its RGBA: `mesh` is one of `model`. A channel
/// c stands for c * 2 / 255 times the texture's colour as displayed; alpha is 255, or 0 where the
/// file has no colour for the vertex. BSP_E_FORMAT if `light` is no such file, BSP_E_ARGUMENT if it
/// was made for another model, or the model has no vertices to light.
BSP_API bool bsp_model_vertex_light(const bsp_model_asset *model, const bsp_model_mesh *mesh,
                                    const bsp_model_file *light, uint8_t (*colors)[4],
                                    bsp_error *error);

#ifdef __cplusplus
}
#endif
#endif
