// SPDX-License-Identifier: MIT
/// @file mapdoc.h
/// Map documents: what a level editor reads and writes. One structure for all dialects of .map and
/// for .vmf; readers fill it, writers print it, the decompiler makes it. Game units, z up,
/// right-handed. Facts: sheet outputs, sections 1 and 2.
#ifndef BSPKIT_MAPDOC_H
#define BSPKIT_MAPDOC_H

#include "bspkit/definitions.h"
#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A plane that bounds a brush, and how a texture lies on it.
typedef struct bsp_mapdoc_side {
    double normal[3]; ///< unit length, out of the brush
    double dist;      ///< normal . p = dist
    /// Three points of the plane, clockwise seen from outside: (p0 - p1) x (p2 - p1) is along the
    /// normal. Writers print these.
    double points[3][3];
    bsp_text material;
    /// Texel at p: vec[i][0..2] . p + vec[i][3].
    double vec[2][4];
    /// Texels of the texture: writers need it for brush primitives, and keep offsets below it.
    /// 0: unknown.
    uint32_t size[2];
    /// Degrees: what texture axes were turned by, for the editor's display only. Where rotation is
    /// part of the mapping it is made out of `vec`.
    double rotation;
    bool repeats;   ///< vec counts repeats of the texture: brush primitives that were read
    bool has_flags; ///< Quake 2, Quake 3: the next three are said
    uint32_t contents;
    uint32_t flags;
    int32_t value;
    double lightmap_scale; ///< .vmf: units a luxel
    uint32_t smoothing;    ///< .vmf: smoothing groups, bits
    uint32_t id;           ///< .vmf: unique among sides; 0: the writer numbers it
    uint32_t disp;         ///< .vmf: displacement on this side, or BSP_NONE
} bsp_mapdoc_side;

/// A convex solid.
typedef struct bsp_mapdoc_brush {
    uint32_t entity;
    uint32_t first_side;
    uint32_t num_sides;
    uint32_t id;       ///< .vmf; 0: the writer numbers it
    uint32_t visgroup; ///< index, or BSP_NONE
} bsp_mapdoc_brush;

/// A control point of a patch.
typedef struct bsp_mapdoc_control {
    double at[3]; ///< game units
    double uv[2]; ///< in repeats of the texture
} bsp_mapdoc_control;

/// Quake 3: a grid of biquadratic patches (patchDef2; patchDef3 where `subdivided`).
typedef struct bsp_mapdoc_patch {
    uint32_t entity;
    bsp_text material;
    uint32_t width; ///< control points, odd; point (x, y) is first_control + x * height + y
    uint32_t height;
    uint32_t first_control;
    bool subdivided;
    /// patchDef3's fixed subdivisions across and down, and the contents, flags and value of Quake
    /// 3.
    uint32_t subdivisions[2];
    uint32_t contents;
    uint32_t flags;
    int32_t value;
} bsp_mapdoc_patch;

/// A vertex of a displacement, in the order of the file: row by row.
typedef struct bsp_mapdoc_disp_vert {
    double normal[3];
    /// Along `normal`, in game units; `offset` is added to it, in game units too; `offset_normal`
    /// turns the shading.
    double distance;
    double offset[3];
    double offset_normal[3];
    double alpha;              ///< 0..255
    double blend[4];           ///< multiblend of later branches; used where the displacement has it
    double alpha_blend[4];     ///< of the four textures
    double blend_colors[4][3]; ///< of the four textures, RGB
} bsp_mapdoc_disp_vert;

/// .vmf: a displacement on a side of four corners: (2^power + 1)^2 vertices.
typedef struct bsp_mapdoc_disp {
    uint32_t power;   ///< 1..4
    double start[3];  ///< the corner of the side where the grid begins
    uint32_t flags;   ///< as Hammer writes them
    double elevation; ///< game units along the side's normal
    bool subdivided;  ///< it was smoothed
    bool has_blend;   ///< its vertices have `blend`
    uint32_t first_vert;
    uint32_t first_tag;        ///< run of 2 * 4^power triangle tags
    int32_t allowed_verts[10]; ///< bits, lowest first
} bsp_mapdoc_disp;

/// A key and its value; `output` says that it stands under "connections" in a .vmf.
typedef struct bsp_mapdoc_pair {
    uint32_t entity;
    bsp_text key;   ///< without quotes
    bsp_text value; ///< without quotes
    bool output;
} bsp_mapdoc_pair;

/// An entity: runs of what belongs to it. The first of a document is worldspawn.
typedef struct bsp_mapdoc_entity {
    uint32_t first_pair; ///< "classname" is one of them
    uint32_t num_pairs;
    uint32_t first_brush;
    uint32_t num_brushes;
    uint32_t first_patch;
    uint32_t num_patches;
    uint32_t id;       ///< .vmf; 0: the writer numbers it
    uint32_t visgroup; ///< index, or BSP_NONE
} bsp_mapdoc_entity;

/// A named group that an editor shows or hides. Only .vmf has them: .map is written without.
typedef struct bsp_mapdoc_visgroup {
    bsp_text name;
    uint8_t color[3]; ///< RGB
} bsp_mapdoc_visgroup;

/// A camera of the editor's own views. Only .vmf has them.
typedef struct bsp_mapdoc_camera {
    double position[3]; ///< of the eye, game units
    double look[3];     ///< the point that it looks at
} bsp_mapdoc_camera;

/// A document. Plain data, owned by itself: all texts are its own copies.
typedef struct bsp_mapdoc {
    /// Arrays that runs in other records refer to.
    BSP_ARRAY(bsp_mapdoc_entity, entities);
    BSP_ARRAY(bsp_mapdoc_pair, pairs);    ///< sorted by entity
    BSP_ARRAY(bsp_mapdoc_brush, brushes); ///< sorted by entity
    BSP_ARRAY(bsp_mapdoc_patch, patches); ///< sorted by entity
    BSP_ARRAY(bsp_mapdoc_side, sides);    ///< those of a brush are a run
    /// Control points of patches; displacements, their vertices and triangle tags; groups.
    BSP_ARRAY(bsp_mapdoc_control, controls);
    BSP_ARRAY(bsp_mapdoc_disp, disps);
    BSP_ARRAY(bsp_mapdoc_disp_vert, disp_verts);
    BSP_ARRAY(uint32_t, disp_tags);
    BSP_ARRAY(bsp_mapdoc_visgroup, visgroups);
    BSP_ARRAY(bsp_mapdoc_camera, cameras); ///< .vmf: the first is the active one
    /// A reader's: what was read. Where brushes differ, the first of PRIMITIVES, VALVE220, QUAKE3
    /// (patches), QUAKE2 (flags) and QUAKE that occurs.
    bsp_dialect dialect;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_mapdoc;

/// Frees a document with all its texts. NULL is allowed and does nothing.
BSP_API void bsp_mapdoc_free(bsp_mapdoc *source);

/// How a document is read. All zero gives the defaults.
typedef struct bsp_mapdoc_options {
    size_t size; ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the default limits
} bsp_mapdoc_options;

/// Reads .map or .vmf text, whichever it is, strictly: what an editor would refuse or misread is an
/// error (BSP_E_DAMAGED) whose message begins with "line N". The first entity must be worldspawn, a
/// brush have four sides, a side three points that are not on a line; that brushes are closed is
/// another question: bsp_mapdoc_check.
///
/// .map: dialects may differ from brush to brush; patchDef2, patchDef3 and brushDef are read,
/// brushDef3 is not. .vmf: what is hidden is read like the rest, visgroups lose what they lie in,
/// editor's groups and cordons are passed over. `options` may be NULL. NULL on failure.
BSP_API bsp_mapdoc *bsp_mapdoc_read(bsp_text text, const bsp_mapdoc_options *options,
                                    bsp_error *error);

/// Returns the value of the first pair with that key (any case), or an empty text with NULL data if
/// there is none.
BSP_API bsp_text bsp_mapdoc_value(const bsp_mapdoc *source, uint32_t entity, const char *key);

/// How many brushes of a document are solids.
typedef struct bsp_mapdoc_health {
    uint32_t sound;   ///< closed, four sides or more with a polygon, none to spare
    uint32_t open;    ///< they go on for ever
    uint32_t empty;   ///< nothing is inside all sides, or less than BSP_BRUSH_EPSILON thick
    uint32_t spare;   ///< closed, but with sides that bound nothing: the sides are not all convex
    uint32_t doubled; ///< of these: two sides on one plane
} bsp_mapdoc_health;

/// Builds every brush and looks whether it is closed and convex. `issues` receives each that is
/// not (kinds source-bad-brush and source-spare-side; the place is "brushes" and the index);
/// `allocator`, `issues` and `health` may be NULL. False only without memory.
BSP_API bool bsp_mapdoc_check(const bsp_mapdoc *source, const bsp_allocator *allocator,
                              bsp_issues *issues, bsp_mapdoc_health *health, bsp_error *error);

/// Compares the entities of a document with the classes of an editor. `issues` (may be NULL)
/// receives each class that is not defined (source-undefined-class; a base of others counts as
/// none), each entity of brushes whose class is a point, or the reverse (source-wrong-shape; not
/// worldspawn), and each key that neither its class nor a base of it has (source-undefined-key; not
/// "classname", "origin", "angle", "angles", outputs, and keys of compilers, which begin with "_").
/// The place is "entities" and the index. Returns how many entities have a class that is not
/// defined, or the wrong shape.
BSP_API uint32_t bsp_mapdoc_check_classes(const bsp_mapdoc *source,
                                          const bsp_definitions *definitions, bsp_issues *issues);

/// What a document says and a dialect cannot.
typedef struct bsp_mapdoc_losses {
    /// Sides whose mapping was not written as it is. QUAKE, QUAKE2 and QUAKE3 cannot say one that
    /// leans: S is kept, T is turned upright on it and is right in the middle of the points. One
    /// that is no mapping at all (a direction without length, or along the normal) is replaced by
    /// the plain one of any dialect.
    uint32_t mappings;
    uint32_t patches;       ///< left out: QUAKE, QUAKE2 and VMF have none
    uint32_t displacements; ///< left out: only VMF has them
    /// Sides written as if their texture were 64 x 64: its size is needed to go from texels to
    /// repeats or back, and not known.
    uint32_t sizes;
    uint32_t flags; ///< sides whose contents, flags or value, not 0, QUAKE and VMF cannot say
    /// Texts with a character that would break the file, as no format has escapes: '"' became ''',
    /// a line end the two characters \n, another control character a blank. Source's separator of
    /// outputs (0x1B) is kept. Also keys "id" of entities in .vmf, which are the editor's: left
    /// out.
    uint32_t texts;
} bsp_mapdoc_losses;

/// How a document is printed. All zero gives the defaults.
typedef struct bsp_mapdoc_write_options {
    size_t size;      ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const char *game; ///< .map: name for the comment that editors look for ("Quake 2"), or NULL
    bool crlf;        ///< end lines with CR LF, as Source's editor does
    /// .vmf: each side also says its corners ("vertices_plus"), clockwise from outside, as Hammer++
    /// and Strata's Hammer write them: these take them before the plane, which keeps odd shapes. A
    /// brush that is no closed solid goes without.
    bool corners;
    const bsp_allocator *allocator; ///< for scratch; may be NULL
    bsp_budget *budget; ///< counts what is written as its output; NULL: nothing is counted
} bsp_mapdoc_write_options;

/// Prints a document. `options` and `losses` may be NULL.
///
/// Numbers are decimals without exponents, the shortest that read back as the plane within 1e-5
/// (normal) and 1e-3 (distance) and as the texels of the brush within 1/1000; whole numbers as
/// such; the same on every machine. VALVE220 and QUAKE2 write the three numbers after a side only
/// where it has_flags. VALVE220 keeps patches (the editors of Quake 3 that know these axes know
/// them too) and has a "mapversion" of its own. QUAKE3 and PRIMITIVES write materials without
/// "textures/", as their editors expect. .vmf: ids that are not 0 are kept, the others become the
/// lowest that are free.
///
/// Brushes of .map are printed by as many threads as the budget states, by default one per
/// processor (bsp_budget_set_threads); the text is the same at any number. The sink is called from
/// the caller's.
///
/// Fails when the sink does, without memory, when a limit of `budget` is passed (BSP_E_LIMIT: what
/// was sent by then is cut off), and with BSP_E_RANGE at a side that has no plane.
BSP_API bool bsp_mapdoc_write(const bsp_mapdoc *source, bsp_dialect dialect,
                              const bsp_mapdoc_write_options *options, bsp_sink sink, void *user,
                              bsp_mapdoc_losses *losses, bsp_error *error);

/// Returns true if writing in this dialect would lose no mapping (bsp_mapdoc_losses), which is what
/// a program asks that chooses a dialect: it prints nothing, and ends at the first that is lost.
BSP_API bool bsp_mapdoc_keeps_mappings(const bsp_mapdoc *source, bsp_dialect dialect);

/// Returns the dialect in which a document is best written for a game whose editor reads `own`
/// (bsp_traits.dialect): that one; or, where it would lose mappings, a wider one that most editors
/// of the game read too.
BSP_API bsp_dialect bsp_mapdoc_best_dialect(const bsp_mapdoc *source, bsp_dialect own);

/// Returns the name of a dialect: "valve220" and so on. Static storage.
BSP_API const char *bsp_dialect_name(bsp_dialect dialect);
/// Finds the dialect of that name. Returns false if there is none.
BSP_API bool bsp_dialect_find(bsp_text name, bsp_dialect *dialect);

#ifdef __cplusplus
}
#endif
#endif
