// SPDX-License-Identifier: MIT
/// @file asset.h
/// Files that a map names but does not hold: a search path over folders and archives, images,
/// materials, shaders, and the texture of each material.
#ifndef BSPKIT_ASSET_H
#define BSPKIT_ASSET_H

#include "bspkit/map.h"

#ifdef __cplusplus
extern "C" {
#endif

// --- search path --------------------------------------------------------------------------------

/// A search path: folders and archives in which assets are looked for, in the order in which they
/// were added. Names are compared without case; '\' is '/'. A name that is absolute or has a ".."
/// is never found, links inside a folder are not followed: nothing outside what was added can be
/// read.
///
/// Folders are listed when they are added. Adding needs a single thread; afterwards any number of
/// threads may read.
typedef struct bsp_search bsp_search;

/// A file that a program has, such as one that was dropped into a web page.
typedef struct bsp_disk_file {
    const char *path; ///< with '/', relative: "id1/maps/e1m1.bsp"; NUL-terminated
    uint64_t size;    ///< bytes
} bsp_disk_file;

/// Files of a program that a search path takes for those of the disk. All that the search path says
/// of folders and paths holds for them: they are in the folders that their paths name. Case does
/// not matter in these paths, and of two that differ in nothing else the first counts.
typedef struct bsp_disk {
    const bsp_disk_file *files; ///< in any order; borrowed
    size_t count;               ///< of `files`
    /// Sets `bytes` to all bytes of file `number`, which must stay until `close`. Returns false if
    /// they cannot be read. Any thread that reads from the search path may call it.
    bool (*open)(void *user, size_t number, bsp_bytes *bytes);
    /// Takes back what `open` gave; may be NULL. Archives stay open as long as the search path.
    void (*close)(void *user, size_t number, bsp_bytes bytes);
    void *user; ///< of both
} bsp_disk;

/// How a search path is made. All zero gives the defaults.
typedef struct bsp_search_options {
    size_t size;                    ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const bsp_allocator *allocator; ///< NULL: the C library's
    bsp_budget *budget;             ///< counts memory and work; NULL: the default limits
    /// Bytes of one file that is read; 0: as much as the memory of BSP_PRODUCT_SEARCH.
    size_t file_limit;
    bsp_issues *issues; ///< receives what is odd about archives; may be NULL
    /// Called with the path of each file that is about to be opened (an archive when it is added, a
    /// loose file when it is read), by the thread that opens it; may be NULL.
    void (*opening)(void *user, const char *path);
    void *opening_user; ///< the `user` of it
    /// In the place of the disk's files; must outlive the search path. NULL: the disk.
    const bsp_disk *disk;
} bsp_search_options;

/// A file that the search path holds.
typedef struct bsp_asset {
    bsp_text name;   ///< with '/', in the case of its archive; lumps of a WAD end in their type:
                     ///< .mip (texture), .pic, .pal, .lmp
    bsp_text source; ///< path of the folder or archive, as it was given
    uint64_t size;   ///< unpacked
} bsp_asset;

/// Makes a new, empty search path. `options` may be NULL. Returns NULL without memory. Free with
/// bsp_search_free.
BSP_API bsp_search *bsp_search_new(const bsp_search_options *options, bsp_error *error);
/// Frees a search path and every list that was borrowed from it. NULL is allowed and does nothing.
BSP_API void bsp_search_free(bsp_search *search);

/// Adds a folder with all below it, or an archive: PAK, zip (.pk3, .pkz), WAD2, WAD3, VPK (for a
/// _dir.vpk also the _000.vpk ... beside it), GMA (an addon of Garry's Mod), GCF
/// (a cache of the first Steam; read only; encrypted files are issues). Fails with BSP_E_NOT_FOUND
/// or BSP_E_IO if it cannot be read, with BSP_E_FORMAT if it is no archive, and with
/// BSP_E_UNSUPPORTED if it is one of another version.
BSP_API bool bsp_search_add(bsp_search *search, const char *path, bsp_error *error);

/// Adds a game folder: its loose files; then the archives that lie in it as its engine ranks them:
/// pk3, pkz and pk4 from z to a, pakN.pak from the highest N down, other pak from z to a, _dir.vpk
/// and wad from a to z. An archive that cannot be read is an issue.
///
/// A folder with a gameinfo.txt (Source) stands for the search path that this states, in its order,
/// each folder with its archives: |gameinfo_path| is the folder itself, |all_source_engine_paths|
/// and no token its parent, NAME.vpk is NAME_dir.vpk, and "custom/ *" (without the blank) all
/// folders and archives in it. What is not there is left out; a path that leads out of the parent
/// is an issue.
BSP_API bool bsp_search_add_game(bsp_search *search, const char *folder, bsp_error *error);

/// Adds an archive in memory, which must outlive the search path; `name` is for reports (copied).
/// No bytes at all are an archive without files. Fails as bsp_search_add does.
BSP_API bool bsp_search_add_memory(bsp_search *search, const char *name, bsp_bytes archive,
                                   bsp_error *error);

/// Returns all files, without those that another one hides. Borrowed; valid until something is
/// added.
BSP_API const bsp_asset *bsp_search_list(const bsp_search *search, size_t *count);

/// Returns the file of that name (any case), or NULL if there is none. Borrowed; valid until
/// something is added.
BSP_API const bsp_asset *bsp_search_find(const bsp_search *search, bsp_text name);

/// Reads a file, unpacked. Fails with BSP_E_ARGUMENT if there is none of that name, and with
/// BSP_E_LIMIT beyond the file limit. The caller frees it with bsp_blob_free.
BSP_API bool bsp_search_read(const bsp_search *search, bsp_text name, bsp_blob *out,
                             bsp_error *error);

/// Opens a map that lies in an archive or folder of a search path, as bsp_file_open does one of the
/// disk; make a search path of the one archive to look into no other. Its bytes are unpacked to
/// memory and belong to the file: the search path is used by this call only. `name` is that in the
/// archive ("maps/e1m1.bsp", any case). Files beside it in the archive are not looked for: name
/// them in bsp_open_options.external, from bsp_search_read.
///
/// Returns NULL with BSP_E_NOT_FOUND if there is no file of that name, and for the reasons of
/// bsp_search_read and bsp_file_open_memory. Close with bsp_file_close.
BSP_API bsp_file *bsp_file_open_member(const bsp_search *archive, bsp_text name,
                                       const bsp_open_options *options, bsp_error *error);

// --- images -------------------------------------------------------------------------------------

/// The most pixels across or down that are decoded.
#define BSP_IMAGE_MAX 16384u

/// A picture: 8-bit RGBA, straight alpha, rows from the top, no padding.
typedef struct bsp_image {
    uint32_t width;
    uint32_t height;
    uint8_t *pixels;         ///< 4 bytes each: red, green, blue, alpha
    bsp_allocator allocator; ///< private
} bsp_image;

/// The kinds of image that bsp_image_decode reads.
typedef enum bsp_image_format {
    BSP_IMAGE_UNKNOWN = 0, ///< none of those below
    BSP_IMAGE_MIPTEX = 1,  ///< Quake, GoldSrc: texture of a WAD or map
    BSP_IMAGE_QPIC = 2,    ///< Quake, GoldSrc: picture of a WAD
    BSP_IMAGE_WAL = 3,     ///< Quake 2
    BSP_IMAGE_HWAL = 4,    ///< Hexen II
    BSP_IMAGE_M8 = 5,      ///< Heretic II
    BSP_IMAGE_M32 = 6,     ///< Heretic II, Soldier of Fortune
    BSP_IMAGE_PCX = 7,     ///< 8-bit with palette, or 24-bit
    BSP_IMAGE_TGA = 8,     ///< 8, 16, 24 and 32 bits, run-length or not
    BSP_IMAGE_JPEG = 9,    ///< if the library was built with libjpeg
    BSP_IMAGE_PNG = 10,    ///< if the library was built with libpng
    BSP_IMAGE_VTF = 11,    ///< Source
} bsp_image_format;

/// How an image is decoded. All zero gives the largest mip of the first frame.
typedef struct bsp_image_options {
    size_t size;       ///< of this struct in bytes, or 0: see BSP_OPTIONS
    bsp_bytes palette; ///< 256 RGB triples for 8-bit images without their own; else a grey ramp
    bool hole;         ///< palette index 255 is transparent
    uint32_t mip;      ///< MIPTEX, WAL, HWAL, M8, M32, VTF: 0 is the largest
    uint32_t frame;    ///< VTF
    uint32_t face;     ///< VTF: side of a cube
    uint32_t slice;    ///< VTF: depth
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the default limits
} bsp_image_options;

/// Returns the format of an image: by the bytes themselves, or, for formats without a mark (WAL,
/// TGA, M8 ...), by the ending of `name`, which may be empty.
BSP_API bsp_image_format bsp_image_detect(bsp_bytes bytes, bsp_text name);

/// Decodes an image. `options` may be NULL. The caller frees it with bsp_image_free.
///
/// Float and 16-bit VTF pixels are linear light: clamped to 0..1 (16-bit: 4096 is 1) and shown as
/// their square root. ATI2N: x from the second block, y from the first, z computed.
BSP_API bool bsp_image_decode(bsp_bytes bytes, bsp_image_format format,
                              const bsp_image_options *options, bsp_image *out, bsp_error *error);
/// Frees the pixels of an image and sets it to zero. An image of zeros, and NULL, are allowed.
BSP_API void bsp_image_free(bsp_image *image);

/// Makes an image of one colour, given as RGBA. Free `out` with bsp_image_free.
BSP_API bool bsp_image_fill(uint32_t width, uint32_t height, const uint8_t colour[4],
                            const bsp_allocator *allocator, bsp_image *out, bsp_error *error);

/// Makes a checkerboard with `label` on it: the picture of a texture that was not found. Free `out`
/// with bsp_image_free.
BSP_API bool bsp_image_label(uint32_t width, uint32_t height, bsp_text label,
                             const bsp_allocator *allocator, bsp_image *out, bsp_error *error);

/// Writes a PNG: as a list of up to 256 colours, as grey, without alpha, where the pixels allow it.
/// Any decoder gives back the same pixels. BSP_E_ARGUMENT for an image without pixels, or wider or
/// higher than BSP_IMAGE_MAX. The caller frees it with bsp_blob_free.
BSP_API bool bsp_image_write_png(const bsp_image *image, const bsp_allocator *allocator,
                                 bsp_blob *out, bsp_error *error);
/// Does the same with at most that many threads, at least one: the same bytes at any number.
BSP_API bool bsp_image_write_png_threads(const bsp_image *image, uint32_t threads,
                                         const bsp_allocator *allocator, bsp_blob *out,
                                         bsp_error *error);

/// Writes a JPEG of `quality` 1 to 100, 0 for 90, without the alpha. BSP_E_ARGUMENT as for a PNG,
/// BSP_E_UNSUPPORTED from a library that was built without JPEG. The caller frees it with
/// bsp_blob_free.
BSP_API bool bsp_image_write_jpeg(const bsp_image *image, uint32_t quality,
                                  const bsp_allocator *allocator, bsp_blob *out, bsp_error *error);

/// Returns the palette of a PCX (its last 768 bytes) or of a palette file (its first 768 bytes), or
/// empty bytes if there is none. Borrowed from `bytes`.
BSP_API bsp_bytes bsp_palette_of(bsp_bytes bytes);

/// The flags of a VTF that say something about its pixels.
typedef enum bsp_vtf_flags {
    BSP_VTF_NORMAL = 0x80,            ///< a normal map
    BSP_VTF_ONE_BIT_ALPHA = 0x1000,   ///< alpha is 0 or 255
    BSP_VTF_EIGHT_BIT_ALPHA = 0x2000, ///< alpha of any value
    BSP_VTF_CUBE = 0x4000,            ///< the sides of a cube
} bsp_vtf_flags;

/// The head of a VTF.
typedef struct bsp_vtf {
    uint32_t minor; ///< version 7.minor
    uint32_t width;
    uint32_t height;
    uint32_t depth;        ///< slices
    uint32_t frames;       ///< of an animation
    uint32_t faces;        ///< 1; cubes: 6, or 7 with a sphere map
    uint32_t mips;         ///< each half as large as the one before
    uint32_t flags;        ///< bsp_vtf_flags and others
    int32_t format;        ///< as in version 7.5; -1: none
    float reflectivity[3]; ///< average colour, linear, 0..1
    bsp_bytes pixels;      ///< borrowed: the image block
    bsp_bytes sizes;       ///< borrowed: sizes of the packed images (7.6), else empty
} bsp_vtf;

/// Reads the head of a VTF and finds its image. Fails with BSP_E_UNSUPPORTED if the bytes are no
/// VTF of version 7.0 to 7.6, and with BSP_E_DAMAGED if they are fewer than its head has.
BSP_API bool bsp_vtf_read(bsp_bytes bytes, bsp_vtf *out, bsp_error *error);

/// Returns the name of a pixel format, such as "DXT1" or "BGRA8888", or NULL if it is not known.
/// Static storage.
BSP_API const char *bsp_vtf_format_name(int32_t format);

/// The pixel formats in which bsp_vtf_write writes.
typedef enum bsp_vtf_format {
    BSP_VTF_BGR888 = 3,   ///< three bytes
    BSP_VTF_DXT1 = 13,    ///< blocks of 4 x 4 pixels in 8 bytes
    BSP_VTF_RGBA16F = 24, ///< four floats of 16 bits, linear light
} bsp_vtf_format;

/// What a VTF is written from.
typedef struct bsp_vtf_source {
    uint32_t minor; ///< version 7.minor, 1 to 5
    int32_t format; ///< a bsp_vtf_format
    uint32_t flags; ///< bsp_vtf_flags and others
    uint32_t side;  ///< pixels across and down: a power of two, 4096 at most
    /// One picture, or with BSP_VTF_CUBE the six sides of a cube: rows from the top, three floats a
    /// pixel: red, green, blue, 0..255, or linear light for RGBA16F. Borrowed.
    const float *const *faces;
} bsp_vtf_source;

/// Writes a VTF of one frame with all its mips, each pixel the mean of four, opaque. A cube of a
/// version before 7.5 gets the sphere map that these have as a seventh side. BSP_E_ARGUMENT for
/// what cannot be written. `allocator` and `budget` may be NULL. The caller frees `out` with
/// bsp_blob_free. The bytes are the same on every machine.
BSP_API bool bsp_vtf_write(const bsp_vtf_source *source, const bsp_allocator *allocator,
                           bsp_budget *budget, bsp_blob *out, bsp_error *error);

// --- texts: KeyValues, materials, shaders -------------------------------------------------------

/// How a text is read. All zero gives the defaults.
typedef struct bsp_text_options {
    size_t size;      ///< of this struct in bytes, or 0: see BSP_OPTIONS
    const char *name; ///< of the file, for issues; may be NULL
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the default limits
    bsp_issues *issues; ///< receives what is odd (place: name, line as record, offset)
} bsp_text_options;

/// A key of a KeyValues text with its value, or with the keys in its braces.
typedef struct bsp_key_value {
    bsp_text key;   ///< without its quotes
    bsp_text value; ///< empty for a block
    bool block;     ///< it has keys in braces in the place of a value
    uint32_t end;   ///< number of the pair after this one and all that it contains
    uint32_t line;  ///< from 1
} bsp_key_value;

/// A KeyValues text: its pairs in order, a block before what it contains.
typedef struct bsp_key_values {
    const bsp_key_value *list;
    uint32_t count;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_key_values;

/// Reads KeyValues: quoted and bare words, // comments, conditionals ([$X360] is false, [!$X360]
/// and what names the PC are true; a pair whose condition is false is left out). `text` must
/// outlive the result. NULL only without memory.
BSP_API bsp_key_values *bsp_key_values_parse(bsp_text text, const bsp_text_options *options,
                                             bsp_error *error);
/// Frees the result of bsp_key_values_parse. NULL is allowed and does nothing.
BSP_API void bsp_key_values_free(bsp_key_values *values);

/// Returns the value of the first key of that name (any case) directly inside block number `block`
/// (BSP_NONE: outside of all blocks), or an empty text if there is none. Borrowed.
BSP_API bsp_text bsp_key_values_get(const bsp_key_values *values, uint32_t block, const char *key);

/// How a surface lets through what is behind it.
typedef enum bsp_alpha {
    BSP_ALPHA_OPAQUE = 0, ///< nothing shows through
    BSP_ALPHA_TEST = 1,   ///< a pixel is there or not: alpha against bsp_texture.alpha_cut
    BSP_ALPHA_BLEND = 2,  ///< by alpha
    BSP_ALPHA_ADD = 3,    ///< light is added
    BSP_ALPHA_FILTER = 4, ///< what is behind is multiplied
} bsp_alpha;

/// A material of Source with its patches applied. Owns its texts.
typedef struct bsp_vmt {
    bsp_text shader; ///< e.g. "LightmappedGeneric"
    const bsp_key_value
        *list; ///< all parameters, as in bsp_key_values, the shader's block left out
    uint32_t count;
    bsp_text base_texture;  ///< as written; empty if there is none
    bsp_text base_texture2; ///< mixed in on displacements
    bsp_text bump_map;      ///< a normal map
    bsp_alpha alpha;        ///< how it covers what is behind it
    float alpha_cut;        ///< 0..1
    float opacity;          ///< $alpha
    bool no_cull;           ///< it is seen from both sides
    bool no_draw;           ///< a tool texture that the game never draws
    bool sky;               ///< its shader draws a sky
    bool water;             ///< its shader draws water
    void *owner;            ///< private; NULL: a program made the struct itself
} bsp_vmt;

/// Reads a material. `search` (may be NULL) is where "include" is looked for. NULL when the text is
/// no material at all, when includes go round, or without memory.
BSP_API bsp_vmt *bsp_vmt_parse(bsp_text text, const bsp_search *search,
                               const bsp_text_options *options, bsp_error *error);
/// Frees a material and its texts. NULL is allowed and does nothing.
BSP_API void bsp_vmt_free(bsp_vmt *vmt);
/// Returns the value of a parameter (any case), or an empty text if there is none. Borrowed from
/// `vmt`.
BSP_API bsp_text bsp_vmt_get(const bsp_vmt *vmt, const char *key);

/// Which factor a colour is multiplied with before it is added.
typedef enum bsp_blend {
    /// As OpenGL and the words of blendFunc (GL_ONE, GL_ZERO ...) name them.
    BSP_BLEND_ONE = 0,
    BSP_BLEND_ZERO = 1,
    BSP_BLEND_SRC_COLOR = 2,
    BSP_BLEND_ONE_MINUS_SRC_COLOR = 3,
    BSP_BLEND_DST_COLOR = 4,
    BSP_BLEND_ONE_MINUS_DST_COLOR = 5,
    BSP_BLEND_SRC_ALPHA = 6,
    BSP_BLEND_ONE_MINUS_SRC_ALPHA = 7,
    BSP_BLEND_DST_ALPHA = 8,
    BSP_BLEND_ONE_MINUS_DST_ALPHA = 9,
    BSP_BLEND_SRC_ALPHA_SATURATE = 10,
} bsp_blend;

/// Quake 3's alphaFunc: the test that the alpha of a pixel (0..255) must pass for it to be drawn.
typedef enum bsp_alpha_func {
    BSP_ALPHA_ALWAYS = 0, ///< no test
    BSP_ALPHA_GT0 = 1,    ///< above 0
    BSP_ALPHA_LT128 = 2,  ///< below 128
    BSP_ALPHA_GE128 = 3,  ///< 128 or more
} bsp_alpha_func;

/// Which sides of a surface are drawn, under the words of Quake 3.
typedef enum bsp_cull {
    BSP_CULL_FRONT = 0, ///< Quake 3's word for: seen from the front only
    BSP_CULL_BACK = 1,  ///< seen from behind only
    BSP_CULL_NONE = 2,  ///< seen from both sides
} bsp_cull;

/// A pass of a Quake 3 shader.
typedef struct bsp_shader_stage {
    const bsp_text *images; ///< as written, the frames of an animation; "$lightmap", "$whiteimage"
    uint32_t num_images;
    float frequency;           ///< frames a second
    float scroll[2];           ///< sum of tcMod scroll: repeats a second
    float scale[2];            ///< product of tcMod scale: repeats of the picture
    bool clamp;                ///< the picture does not repeat
    bool environment;          ///< tcGen environment
    bool light_coordinates;    ///< tcGen lightmap: lies as the lightmap does
    bool blends;               ///< a blendFunc was given
    bsp_blend src;             ///< factor of the stage's own colour
    bsp_blend dst;             ///< factor of the colour that is there
    bsp_alpha_func alpha_func; ///< which pixels are drawn
    bool depth_write;          ///< it hides what is behind it although it blends
    bsp_text rgb_gen;          ///< the rest of the line
    bsp_text alpha_gen;        ///< the rest of the line
} bsp_shader_stage;

/// "q3map_sun": light from far away.
typedef struct bsp_shader_sun {
    float color[3];  ///< its hue
    float intensity; ///< of 255, what it adds to a surface that it meets at a right angle
    float degrees;   ///< where it stands: yaw from +X against the clock
    float elevation; ///< above the horizon, degrees
    float deviance;  ///< q3map_sunExt: degrees that its samples are spread around it
    float samples;   ///< q3map_sunExt: how many there are; 0: not said
} bsp_shader_sun;

/// A Quake 3 shader: the part of it that says what a surface looks like.
typedef struct bsp_shader {
    bsp_text name;
    uint32_t line;                  ///< from 1
    bsp_cull cull;                  ///< which sides are drawn
    const bsp_shader_stage *stages; ///< passes, the first is drawn first
    uint32_t num_stages;
    const bsp_text *surface_parms; ///< the words after surfaceparm
    uint32_t num_surface_parms;
    const bsp_shader_sun *suns; ///< from its q3map_sun lines
    uint32_t num_suns;
    bsp_text editor_image; ///< qer_editorimage
    bsp_text light_image;  ///< q3map_lightimage
    bool sky;              ///< skyparms or surfaceparm sky
    bsp_text sky_box;      ///< outer box; empty for "-"
    float sky_height;      ///< of clouds, game units; 0: not said
    bool fog;              ///< it fills its brush with fog
    float fog_color[3];    ///< 0..1
    float fog_distance;    ///< game units to where nothing shows through
    bool no_draw;          ///< surfaceparm nodraw
    bool polygon_offset;   ///< a decal
    bsp_text sort;         ///< the word after sort; empty: not said
    float surface_light;   ///< q3map_surfacelight; 0: not said
    float sky_light;       ///< q3map_skyLight: of all of the sky; 0: not said
    float sky_light_steps; ///< its second number: how finely the sky is divided
    float light_color[3];  ///< q3map_lightRGB; all 0: not said
    float light_subdivide; ///< q3map_lightSubdivide: game units; 0: not said
    float bounce_scale;    ///< q3map_bounceScale: of light that it throws back; 1: not said
    bool has_splash;       ///< q3map_backsplash is there
    float splash;          ///< its first number: percent of the light
    float splash_distance; ///< its second number: game units
    bool no_dirt;          ///< q3map_nodirty: corners are not darker
    bool no_vertex_light;  ///< q3map_noVertexLight: colours of vertices stay
    float light_scale;     ///< q3map_lightmapBrightness, a factor of light on it; 1: not said
    float vertex_scale;    ///< q3map_vertexScale, a factor of that at vertices; 1: not said
    float shade_angle;     ///< q3map_shadeAngle: degrees between normals that are made round
    float light_style;     ///< q3map_lightStyle: of the light that it gives
    float light_offset;    ///< q3map_lightmapSampleOffset: game units from it to where light is
                           ///< measured; 1: not said
    float flood_light[5];  ///< q3map_floodLight: colour, game units, and how much of 255; 0: none
    float filter_radius;   ///< q3map_lightmapFilterRadius: game units within which light on it is
                           ///< mixed; 0: not said
    float lamp_filter_radius; ///< its second number: within which that of its suns is
    uint32_t light_keys;      ///< bits of bsp_shader_light_key
} bsp_shader;

/// Keys by which q3map2 makes other light, and that are kept without their values.
typedef enum bsp_shader_light_key {
    BSP_SHADER_NORMAL_IMAGE = 1,   ///< q3map_normalImage
    BSP_SHADER_SPLOTCH_FIX = 2,    ///< q3map_splotchfix
    BSP_SHADER_FORCE_SUNLIGHT = 4, ///< q3map_forceSunlight
    BSP_SHADER_NO_FAST = 8,        ///< q3map_noFast
    BSP_SHADER_AUTOSPRITE = 16,    ///< deformVertexes autosprite, or autosprite2
    BSP_SHADER_SKY_HORIZON = 32,   ///< a third number of q3map_skyLight
} bsp_shader_light_key;

/// The shaders of one script, in the order of the text.
typedef struct bsp_shaders {
    const bsp_shader *list;
    uint32_t count;
    void *owner; ///< private; NULL: a program made the struct itself
} bsp_shaders;

/// Reads a shader script. `text` must outlive the result. NULL only without memory.
BSP_API bsp_shaders *bsp_shaders_parse(bsp_text text, const bsp_text_options *options,
                                       bsp_error *error);
/// Frees the result of bsp_shaders_parse. NULL is allowed and does nothing.
BSP_API void bsp_shaders_free(bsp_shaders *shaders);
/// Returns the first shader of that name (any case, an ending like .tga left out), or NULL if there
/// is none. Borrowed.
BSP_API const bsp_shader *bsp_shaders_find(const bsp_shaders *shaders, bsp_text name);

// --- textures of a map --------------------------------------------------------------------------

/// The textures of a map: knows its palette, its WADs, its embedded pak, its shader scripts.
/// Immutable: any number of threads may ask it.
typedef struct bsp_textures bsp_textures;

/// How the textures of a map are found. All zero gives the defaults.
typedef struct bsp_textures_options {
    size_t size;       ///< of this struct in bytes, or 0: see BSP_OPTIONS
    bsp_bytes palette; ///< 768 bytes; empty: gfx/palette.lmp, pics/colormap.pcx of the search path
    const bsp_allocator *allocator;
    bsp_budget *budget; ///< counts memory and work; NULL: the map's, or the defaults
    bsp_issues *issues; ///< receives what is odd about scripts, and a missing palette
    float time; ///< seconds since the map began, 0 or more: which frame an animation shows, and how
                ///< far a texture has scrolled
} bsp_textures_options;

/// What a material looks like.
typedef struct bsp_texture {
    bsp_image image; ///< owned; freed by bsp_texture_free
    bool found;      ///< else `image` is a labelled checkerboard
    uint32_t width;  ///< texels that texture vectors count; may differ from the image's
    uint32_t height;
    bsp_alpha alpha;    ///< how it covers what is behind it
    float alpha_cut;    ///< ALPHA_TEST: a pixel is there if its alpha (0..1) is at least this
    float opacity;      ///< 0..1
    bool two_sided;     ///< seen from both sides
    bool no_draw;       ///< never drawn by the game: tool textures
    bool sky;           ///< the sky is seen in its place
    bool liquid;        ///< water, slime, lava
    bool clamp;         ///< the image does not repeat
    bool unlit;         ///< drawn without the lightmap
    uint64_t read;      ///< bytes of files of the search path that were read for it
    float decal_scale;  ///< Source: units a texel of a decal; else 1
    float blend[2];     ///< of a texture that is mixed in: the shares from which on it is seen, and
                        ///< it alone; 0 and 1 unless its material says else
    float repeats;      ///< the same: how many times as often as the first texture it lies there
    bool self_shadowed; ///< a normal map ($ssbump): its channels say how much of the light from
                        ///< each of three directions is seen
    bool fog;           ///< it only bounds fog (Quake 3), and has no picture of its own
    bool environment;   ///< Quake 3 (tcGen environment): it lies as what the surface mirrors
    float shift[2];     ///< how far it has scrolled, in repeats: to be added to its coordinates
    char source[512];   ///< the file it came from, or "map"; cut when longer
    char note[512];     ///< why it is missing, or what was done without ("grey palette")
} bsp_texture;

/// Prepares to find textures of `map`, which was loaded with its surfaces; with its entities too,
/// so that the WADs that they name are known, and with its props, of which the embedded zip is one.
/// `search` may be NULL (embedded textures only). Map and search path must outlive the result. NULL
/// on failure, with BSP_E_ARGUMENT if the surfaces were not loaded.
BSP_API bsp_textures *bsp_textures_open(const bsp_search *search, const bsp_map *map,
                                        const bsp_textures_options *options, bsp_error *error);
/// Frees what bsp_textures_open returned; textures that were found before stay valid. NULL is
/// allowed and does nothing.
BSP_API void bsp_textures_close(bsp_textures *textures);

/// Finds the texture of a material of the map. One that is missing or damaged gives a checkerboard
/// and `found` false; false only without memory or for an index that is out of range.
///
/// Quake, GoldSrc: embedded, else from the WADs that worldspawn names, else any WAD. Quake 2:
/// textures/NAME.wal (.m8, .m32, .tga, .png, .jpg). Quake 3: the shader's first picture, else
/// NAME.tga (.jpg, .png). Source: materials/NAME.vmt, its $basetexture; the embedded pak first.
/// Animations show the frame of the options' time: Quake and GoldSrc +0NAME to +9NAME, five a
/// second; Quake 2 the chain of its texinfos, two a second; Quake 3 animMap; Source the frames of
/// the picture by the proxy AnimatedTexture, or $frame.
BSP_API bool bsp_textures_find(const bsp_textures *textures, uint32_t material, bsp_texture *out,
                               bsp_error *error);
/// Frees the image of a texture and sets the image to zero. A texture of zeros, and NULL, are
/// allowed.
BSP_API void bsp_texture_free(bsp_texture *texture);

/// Returns the Quake 3 shader of a material, or NULL if it has none. Borrowed from `textures`.
BSP_API const bsp_shader *bsp_textures_shader(const bsp_textures *textures, uint32_t material);

/// Finds the texture that a Source material mixes in by the alpha of displacement vertices
/// ($basetexture2); it lies as the first one does. `found` is false, and there is no image, if the
/// material has none or it is not there (then `note` says so). False only without memory or for an
/// index that is out of range.
BSP_API bool bsp_textures_find_second(const bsp_textures *textures, uint32_t material,
                                      bsp_texture *out, bsp_error *error);
/// Finds texture 2, 3 or 4 (`layer`) of a Source material that displacements with multiblend mix
/// ($basetexture2 to $basetexture4, $texture2_blendstart and the like). As
/// bsp_textures_find_second, which finds the first of these.
BSP_API bool bsp_textures_find_layer(const bsp_textures *textures, uint32_t material,
                                     uint32_t layer, bsp_texture *out, bsp_error *error);

/// Finds the normal map of a Source material ($bumpmap), which lies as its texture does. `found` is
/// false, and there is no image, if the material has none or it is not there. False only without
/// memory or for an index that is out of range.
BSP_API bool bsp_textures_find_bump(const bsp_textures *textures, uint32_t material,
                                    bsp_texture *out, bsp_error *error);

/// Finds a texture by name, as overlays, props and skies need it ("skybox/sky_day01_01ft"), and
/// fills `out` as bsp_textures_find does.
BSP_API bool bsp_textures_find_name(const bsp_textures *textures, bsp_text name, bsp_texture *out,
                                    bsp_error *error);

/// Finds the light that a material of the map has of its own: a picture of what shines without
/// light from outside, black elsewhere. Quake: the last 32 colours of the game's palette, of
/// embedded textures that are no liquids or skies. Quake 3: the first stage that adds a picture.
/// Source: $selfillum, by the alpha of $basetexture or by $selfillummask, times $selfillumtint.
/// `out->alpha` is BSP_ALPHA_ADD where it is added to the lit texture (Quake 3), else it takes the
/// place of its part of the texture. A material without such light has no image, and `found` is
/// false; false only without memory or for an index that is out of range.
BSP_API bool bsp_textures_find_glow(const bsp_textures *textures, uint32_t material,
                                    bsp_texture *out, bsp_error *error);
/// Finds the same of a model's material, by the first of its names (bsp_textures_find_file) that
/// has such light.
BSP_API bool bsp_textures_find_file_glow(const bsp_textures *textures, const bsp_text *names,
                                         uint32_t num_names, bsp_texture *out, bsp_error *error);

/// Returns the search path in which textures are looked for: the map's own pak, its WADs, and then
/// that of the caller. Borrowed from `textures`.
BSP_API const bsp_search *bsp_textures_search(const bsp_textures *textures);

/// Finds the picture of a model's material by the first of several names of files that is there: a
/// script or material by that name, or an image with any ending. Fills `out` as bsp_textures_find
/// does.
BSP_API bool bsp_textures_find_file(const bsp_textures *textures, const bsp_text *names,
                                    uint32_t num_names, bsp_texture *out, bsp_error *error);

/// Finds the picture of a decal by name, and fills `out` as bsp_textures_find_name does; its width
/// and height are game units. A decal of GoldSrc ("{blood1" in decals.wad) has the last colour of
/// its palette everywhere; how much of it is there is the number of the colour. One that is missing
/// has no image, and `found` is false.
BSP_API bool bsp_textures_find_decal(const bsp_textures *textures, bsp_text name, bsp_texture *out,
                                     bsp_error *error);

/// Sides of a cubemap.
#define BSP_CUBE_SIDES 6
/// Room for the name of a cubemap's picture, with the NUL at its end.
#define BSP_CUBE_NAME 192

/// How a material of Source mirrors what is around it: by the picture of a cube, whose light is
/// added to that of the surface.
typedef struct bsp_reflection {
    bool found; ///< it mirrors; else all is 0
    char
        name[BSP_CUBE_NAME]; ///< of the cube's picture, without "materials/" and ending; empty:
                             ///< that of the cubemap that is nearest to the surface ("env_cubemap")
    float tint[3];           ///< factors of linear light
    float contrast;          ///< 0..1: how much of it is its square
    float saturation;        ///< 1: as it is, 0: grey
    float fresnel;  ///< 0..1: how much of it is seen at a right angle; 1: as much as from aside
    bsp_image mask; ///< owned: how much of each colour is mirrored; none: all
} bsp_reflection;

/// Finds how a material of the map mirrors ($envmap, with $envmaptint, $envmapcontrast,
/// $envmapsaturation, $fresnelreflection, and its mask: $envmapmask, $basealphaenvmapmask,
/// $normalmapalphaenvmapmask). Other games than those of Source have none. Returns false only
/// without memory or for an index that is out of range. Free with bsp_reflection_free.
BSP_API bool bsp_textures_find_reflection(const bsp_textures *textures, uint32_t material,
                                          bsp_reflection *out, bsp_error *error);
/// Finds the same of a model's material, by the first of its names (bsp_textures_find_file) that
/// mirrors.
BSP_API bool bsp_textures_find_file_reflection(const bsp_textures *textures, const bsp_text *names,
                                               uint32_t num_names, bsp_reflection *out,
                                               bsp_error *error);
/// Frees the mask of a reflection and sets it to zero. NULL is allowed and does nothing.
BSP_API void bsp_reflection_free(bsp_reflection *reflection);
/// Decodes the six sides of a cube's picture, a .vtf, by its name without "materials/" and ending:
/// towards +x, -x, +y, -y, +z, -z, as graphics interfaces have them. `*found` is false, and there
/// are no images, where it is missing or no cube. Returns false only without memory. Free each.
BSP_API bool bsp_textures_find_cube(const bsp_textures *textures, bsp_text name,
                                    bsp_image sides[BSP_CUBE_SIDES], bool *found, bsp_error *error);
/// Finds the name of the picture of a cubemap of the map, in its embedded files. Writes an empty
/// text where there is none.
BSP_API void bsp_textures_cube_name(const bsp_textures *textures, uint32_t cubemap,
                                    char out[BSP_CUBE_NAME]);

// --- sky ----------------------------------------------------------------------------------------

/// Sides of a sky box.
#define BSP_SKY_SIDES 6
/// Most layers of a sky.
#define BSP_SKY_LAYERS 4
/// Quake 3: how high clouds are when the shader does not say.
#define BSP_SKY_HEIGHT 512.0F

/// A picture that covers the whole sky.
typedef struct bsp_sky_layer {
    bsp_image image; ///< owned by the sky
    bsp_alpha alpha; ///< how it lets through what is behind it
    float scale[2];  ///< repeats of the picture
    float shift[2];  ///< how far it has scrolled, in repeats
} bsp_sky_layer;

/// What is seen where the map shows the sky: a box, or layers, or layers before a box.
typedef struct bsp_sky {
    /// Towards +X, -X, +Y, -Y, +Z, -Z; no pixels where a picture was not found. Seen from inside;
    /// the top of the four walls is up. Above and below, the right is -Y, and the top is -X above
    /// and +X below.
    bsp_image sides[BSP_SKY_SIDES];
    uint32_t num_sides;                   ///< found
    bsp_sky_layer layers[BSP_SKY_LAYERS]; ///< the farthest first
    uint32_t num_layers;
    bool flat;          ///< layers: Quake's flattened dome; else Quake 3's sphere around the world
    float cloud_height; ///< of that sphere above the eye, units
} bsp_sky;

/// Finds the sky of the map; nothing in `out` when it has none, or its pictures are not there.
/// Quake: gfx/env/NAME+side of worldspawn's "sky", else the sky texture. GoldSrc: gfx/env of
/// "skyname", Quake 2: env of "sky". Quake 3: skyparms and stages of the first sky shader.
/// Source: materials/skybox of "skyname". False without memory, and with BSP_E_ARGUMENT for a map
/// whose entities were not loaded; free with bsp_sky_free.
BSP_API bool bsp_textures_find_sky(const bsp_textures *textures, bsp_sky *out, bsp_error *error);
/// Frees the images of a sky and sets it to zero. A sky of zeros, and NULL, are allowed.
BSP_API void bsp_sky_free(bsp_sky *sky);

// --- light beside a map -------------------------------------------------------------------------

/// An image in the place of a page of light that the file does not hold.
typedef struct bsp_light_image {
    const uint8_t *rgb; ///< rows from the top; NULL: not there
    uint32_t width;
    uint32_t height;
    bsp_text name; ///< as it was looked for, with or without ending; may be empty
} bsp_light_image;

/// Quake 3: light that a map has in files of its own.
typedef struct bsp_external_light {
    const bsp_light_image *pages; ///< by number, then those that shaders name
    uint32_t num_pages;
    const uint32_t *of_material; ///< the page that a material's shader lays on, or BSP_NONE: for
                                 ///< faces without a number of their own. NULL: none
    uint32_t num_materials;
    uint32_t num_found;
    uint32_t num_missing; ///< faces or shaders name them, and they are not there
    void *owner;          ///< private; NULL: a program made the struct itself
} bsp_external_light;

/// Loads the pages that the map's faces name and its file does not hold: maps/NAME/lm_0000.tga (or
/// .jpg, .png), as q3map2 -external writes them; and pictures that shaders lay on surfaces by
/// "tcGen lightmap". Both are also found without a folder: add the map's folder of pages to the
/// search path. `map_name` is the map's file without folder and ending. Maps of other families
/// have none. NULL without memory, and with BSP_E_ARGUMENT for a map whose light was not loaded;
/// free with bsp_external_light_free.
BSP_API bsp_external_light *bsp_external_light_load(const bsp_textures *textures, bsp_text map_name,
                                                    bsp_error *error);
/// Frees what bsp_external_light_load returned. NULL is allowed and does nothing.
BSP_API void bsp_external_light_free(bsp_external_light *light);

#ifdef __cplusplus
}
#endif
#endif
