// SPDX-License-Identifier: MIT
// Cubemaps drawn anew: their pictures, and the materials that name them. Facts: sheet bake, 5.
#include "bspkit/cubemaps.h"

#include "bake/cubemaps/cubemap_draw.h"
#include "asset/find/textures.h"
#include "core/options.h"
#include "core/progress.h"
#include "core/text.h"
#include "core/workers.h"
#include "map/cubemap_names.h"
#include "map/heap.h"
#include "map/needs.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define DEFAULT_SIDE 32u
#define MOST_SIDE 1024u
#define MOST_CODE 10u      // of a cubemap: 512 pixels; the editor offers 256
#define PIXEL_WORK 100u    // steps that a pixel of a side costs
#define CUBE_PIXELS 98304u // and a cube, as many as these: each view goes through the map
#define DEFAULT_MINOR 2u   // VTF 7.2, which all engines of 2004 to 2006 read too
#define MOST_THREADS 16u   // each has room for one picture
#define SIDE_FLOATS 3u     // of a pixel
#define CLAMPED 0xCu       // flags: the texture ends at its edges
#define PATH_ROOM 320u

typedef struct picture {
    uint32_t cubemap; // BSP_NONE: that of the sky
    bsp_cubemap_kind kind;
    uint32_t side;
    bsp_blob blob;
} picture;

typedef struct baker {
    bsp_cubemaps cubemaps;
    bspi_heap heap;
    bspi_arena arena;
    const bsp_file *file;
    const bsp_map *map;
    const bsp_cubemaps_options *options;
    bsp_pak *pak;
    bspi_cubemap_names names;
    uint32_t kinds;
    bsp_text folder;
    uint32_t minor[2]; // of the files: LDR, HDR
    int32_t format;    // of LDR
    picture *pictures;
    uint32_t num_pictures;
    bspi_cubemap_drawing drawing[2]; // LDR, HDR
    bsp_renderer *renderers[3];      // LDR, HDR, and HDR dimmed
    float **room;                    // of each thread, for one cube
    uint32_t threads;
    bsp_pak_change *files;
} baker;

// --- which --------------------------------------------------------------------------------------

static uint32_t index_of(bsp_cubemap_kind kind) {
    return kind == BSP_CUBEMAP_HDR ? 1 : 0;
}

// The folder of the first patched material, or of the zip, or as the caller says.
static bool find_folder(baker *b, bsp_error *error) {
    bspi_patched patched;
    const bsp_map *map = b->map;
    for (uint32_t i = 0; i < map->num_materials; i++) {
        if (bspi_cubemap_material(&b->names, map->materials[i].name, &patched)) {
            b->folder = patched.folder;
            return true;
        }
    }
    b->folder = bsp_pak_map_name(b->pak);
    if (b->folder.size == 0 && b->options->name != NULL) {
        b->folder = bsp_text_of(b->options->name);
    }
    if (b->folder.size == 0 || b->folder.size > PATH_ROOM / 2) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "the map does not tell the folder of its cubemaps: give its name");
    }
    return true;
}

static bool write_name(char out[PATH_ROOM], const baker *b, const picture *p) {
    char name[PATH_ROOM];
    const int32_t *at = p->cubemap == BSP_NONE ? NULL : b->map->cubemaps[p->cubemap].origin;
    if (!bspi_cubemap_name(name, sizeof name, b->folder, at)) {
        return false;
    }
    int size = snprintf(out, PATH_ROOM, "materials/%s%s", name,
                        p->kind == BSP_CUBEMAP_HDR ? ".hdr.vtf" : ".vtf");
    return size > 0 && (uint32_t)size < PATH_ROOM;
}

static uint32_t side_of(const baker *b, uint32_t cubemap) {
    uint32_t code = b->map->cubemaps[cubemap].size;
    uint32_t own = code != 0 && code <= MOST_CODE ? 1u << (code - 1) : DEFAULT_SIDE;
    return b->options->side != 0 ? b->options->side : own;
}

static bool list_pictures(baker *b, const uint8_t *states, bsp_error *error) {
    const bsp_map *map = b->map;
    size_t most = 2 * (size_t)map->num_cubemaps + 2; // and those of the sky
    b->pictures = bspi_arena_zero(&b->arena, most, sizeof *b->pictures, error);
    if (b->pictures == NULL) {
        return false;
    }
    for (uint32_t kind = 0; kind < 2; kind++) {
        for (uint32_t i = 0; (b->kinds >> kind & 1) != 0 && i < map->num_cubemaps; i++) {
            bool drawn = states[2 * (size_t)i + kind] == BSP_CUBEMAP_DRAWN;
            // Cubemaps at one place share a picture: that of the first.
            if ((!b->options->absent || !drawn) && bspi_cubemap_first(&b->names, i) == i) {
                b->pictures[b->num_pictures++] =
                    (picture){.cubemap = i,
                              .kind = kind == 0 ? BSP_CUBEMAP_LDR : BSP_CUBEMAP_HDR,
                              .side = side_of(b, i)};
            }
        }
    }
    return true;
}

// Reads the version and format of a picture that is in the map.
static bool read_template(baker *b, uint32_t entry, uint32_t kind, bsp_error *error) {
    bsp_blob blob;
    bsp_vtf vtf;
    bsp_error why = {0};
    if (!bsp_pak_read(b->pak, entry, &b->heap.allocator, &blob, &why)) {
        return !bspi_out_of_memory(&why, error);
    }
    if (bsp_vtf_read((bsp_bytes){blob.data, blob.size}, &vtf, NULL) && vtf.minor >= 1) {
        const char *name = bsp_vtf_format_name(vtf.format);
        bool blocks = name != NULL && bspi_text_begins_nocase(bsp_text_of(name), "DXT");
        b->minor[kind] = vtf.minor < 5 ? vtf.minor : 5;
        b->format = kind == 0 && blocks && b->format == 0 ? BSP_VTF_DXT1 : b->format;
    }
    bsp_blob_free(&blob);
    return true;
}

// Returns the file whose form new pictures of a kind take: the one of what names no cubemap, else
// the first. BSP_NONE without any.
static uint32_t template_of(const baker *b, uint32_t kind) {
    if (b->names.defaults[kind] != BSP_NONE) {
        return b->names.defaults[kind];
    }
    for (uint32_t i = 0; i < b->pak->count; i++) {
        uint32_t cubemap;
        bsp_cubemap_kind is;
        if (bspi_cubemap_picture(&b->names, b->pak->entries[i].name, &cubemap, &is) &&
            index_of(is) == kind) {
            return i;
        }
    }
    return BSP_NONE;
}

// New pictures are of the version, and LDR in a format, of those that are there.
static bool find_templates(baker *b, bsp_error *error) {
    b->format = b->options->format;
    for (uint32_t kind = 0; kind < 2; kind++) {
        uint32_t found = template_of(b, kind);
        b->minor[kind] = kind == 0 ? DEFAULT_MINOR : b->minor[0];
        if (found != BSP_NONE && !read_template(b, found, kind, error)) {
            return false;
        }
    }
    b->format = b->format == 0 ? BSP_VTF_BGR888 : b->format;
    return true;
}

// --- drawing ------------------------------------------------------------------------------------

static bool make_renderer(baker *b, uint32_t which, bsp_error *error) {
    const bsp_renderer_options options = {.search = b->options->search,
                                          .name = b->options->name,
                                          .plain = true,
                                          .no_reflections = true,
                                          .hdr = which != 0,
                                          .dimmed = which == 2 ? BSPI_CUBEMAP_DIMMED : 0,
                                          .definitions = b->options->definitions,
                                          .allocator = b->options->allocator,
                                          .budget = b->options->budget};
    b->renderers[which] = bsp_renderer_build(b->map, b->file, &options, error);
    return b->renderers[which] != NULL;
}

static bool has_kind(const baker *b, bsp_cubemap_kind kind) {
    for (uint32_t i = 0; i < b->num_pictures; i++) {
        if (b->pictures[i].kind == kind) {
            return true;
        }
    }
    return false;
}

static bool make_renderers(baker *b, bsp_error *error) {
    if (has_kind(b, BSP_CUBEMAP_LDR)) {
        if (!make_renderer(b, 0, error)) {
            return false;
        }
        bspi_cubemap_drawing_init(&b->drawing[0], b->renderers[0], NULL);
    }
    if (has_kind(b, BSP_CUBEMAP_HDR)) {
        if (!make_renderer(b, 1, error) || !make_renderer(b, 2, error)) {
            return false;
        }
        bspi_cubemap_drawing_init(&b->drawing[1], b->renderers[1], b->renderers[2]);
    }
    const bsp_renderer *any = b->renderers[0] != NULL ? b->renderers[0] : b->renderers[1];
    b->cubemaps.num_untextured = any == NULL ? 0 : bsp_renderer_missing(any);
    return true;
}

static bool write_vtf(const baker *b, const float *pixels, picture *p, bsp_error *error) {
    const float *faces[BSP_CUBE_SIDES];
    for (uint32_t i = 0; i < BSP_CUBE_SIDES; i++) {
        faces[i] = pixels + (size_t)i * p->side * p->side * SIDE_FLOATS;
    }
    bool hdr = p->kind == BSP_CUBEMAP_HDR;
    const bsp_vtf_source source = {.minor = b->minor[index_of(p->kind)],
                                   .format = hdr ? BSP_VTF_RGBA16F : b->format,
                                   .flags = BSP_VTF_CUBE | CLAMPED |
                                            (hdr ? (uint32_t)BSP_VTF_EIGHT_BIT_ALPHA : 0),
                                   .side = p->side,
                                   .faces = faces};
    return bsp_vtf_write(&source, &b->heap.allocator, b->heap.budget, &p->blob, error);
}

static bool draw_picture(void *user, uint32_t worker, uint32_t item, bsp_error *error) {
    baker *b = user;
    picture *p = &b->pictures[item];
    const int32_t *at = b->map->cubemaps[p->cubemap].origin;
    const float from[3] = {(float)at[0], (float)at[1], (float)at[2]};
    uint64_t pixels = (uint64_t)p->side * p->side * BSP_CUBE_SIDES;
    return bspi_heap_work(&b->heap, (pixels + CUBE_PIXELS) * PIXEL_WORK, error) &&
           bspi_cubemap_draw(&b->drawing[index_of(p->kind)], from, p->side, b->room[worker],
                             error) &&
           write_vtf(b, b->room[worker], p, error);
}

static bool make_room(baker *b, bsp_error *error) {
    uint32_t most = DEFAULT_SIDE;
    uint32_t threads = bspi_heap_threads(&b->heap);
    b->threads = threads < MOST_THREADS ? threads : MOST_THREADS;
    for (uint32_t i = 0; i < b->num_pictures; i++) {
        most = b->pictures[i].side > most ? b->pictures[i].side : most;
    }
    b->room = bspi_arena_zero(&b->arena, b->threads, sizeof(void *), error);
    for (uint32_t i = 0; b->room != NULL && i < b->threads; i++) {
        b->room[i] = bspi_arena_raw(&b->arena, (size_t)most * most * BSP_CUBE_SIDES,
                                    SIDE_FLOATS * sizeof **b->room, error);
        if (b->room[i] == NULL) {
            return false;
        }
    }
    return b->room != NULL;
}

static bool draw_all(baker *b, bsp_error *error) {
    bspi_progress progress;
    if (b->num_pictures == 0) {
        return true;
    }
    if (!make_renderers(b, error) || !make_room(b, error) ||
        !bspi_progress_begin(&progress, &b->options->progress, "cubemaps", b->num_pictures,
                             error)) {
        return false;
    }
    return bspi_workers_stage(b->threads, b->num_pictures, draw_picture, b, &progress, error);
}

// --- the sky ------------------------------------------------------------------------------------

static bool is_whole(const bsp_sky *sky) {
    for (uint32_t i = 0; i < BSP_CUBE_SIDES; i++) {
        if (sky->sides[i].pixels == NULL) {
            return false;
        }
    }
    return true;
}

static bool add_sky(baker *b, const bsp_sky *sky, bsp_cubemap_kind kind, bsp_error *error) {
    picture p = {.cubemap = BSP_NONE, .kind = kind, .side = DEFAULT_SIDE};
    float *room = bspi_arena_raw(&b->arena, (size_t)p.side * p.side * BSP_CUBE_SIDES,
                                 SIDE_FLOATS * sizeof *room, error);
    if (room == NULL ||
        !bspi_cubemap_sky(sky, kind == BSP_CUBEMAP_HDR, p.side, &b->heap.allocator, room, error) ||
        !write_vtf(b, room, &p, error)) {
        return false;
    }
    b->pictures[b->num_pictures++] = p;
    b->cubemaps.has_default = true;
    return true;
}

// The picture of what names no cubemap, where there is none and the sky is found.
static bool add_defaults(baker *b, bsp_error *error) {
    const bsp_textures_options how = {.allocator = b->options->allocator,
                                      .budget = b->options->budget};
    bsp_sky sky = {0};
    uint32_t missing = 0;
    for (uint32_t kind = 0; kind < 2; kind++) {
        missing |= b->names.defaults[kind] != BSP_NONE ? 0 : b->kinds & 1u << kind;
    }
    if (missing == 0) {
        return true;
    }
    bsp_textures *textures = bsp_textures_open(b->options->search, b->map, &how, error);
    bool done = textures != NULL && bsp_textures_find_sky(textures, &sky, error);
    for (uint32_t kind = 1; done && is_whole(&sky) && kind <= 2; kind *= 2) {
        done = (missing & kind) == 0 || add_sky(b, &sky, (bsp_cubemap_kind)kind, error);
    }
    bsp_sky_free(&sky);
    bsp_textures_close(textures);
    return done;
}

// --- files --------------------------------------------------------------------------------------

static bool add_file(baker *b, const char *name, bsp_bytes data, bsp_error *error) {
    char *own = bspi_arena_text(&b->arena, bsp_text_of(name), error);
    if (own == NULL) {
        return false;
    }
    b->files[b->cubemaps.num_files++] =
        (bsp_pak_change){.name = bsp_text_of(own), .data = data, .method = BSP_PAK_STORED};
    return true;
}

static bool add_pictures(baker *b, bsp_error *error) {
    char name[PATH_ROOM];
    for (uint32_t i = 0; i < b->num_pictures; i++) {
        const picture *p = &b->pictures[i];
        if (!write_name(name, b, p) ||
            !add_file(b, name, (bsp_bytes){p->blob.data, p->blob.size}, error)) {
            return false;
        }
        b->cubemaps.num_pictures += p->cubemap != BSP_NONE;
    }
    return true;
}

// Writes the material as the compiler does.
static bool add_material(baker *b, bsp_text material, const bspi_patched *patched,
                         bsp_error *error) {
    char name[PATH_ROOM];
    char cube[PATH_ROOM];
    char text[2 * PATH_ROOM];
    if (!bspi_cubemap_name(cube, sizeof cube, patched->folder,
                           b->map->cubemaps[patched->cubemap].origin)) {
        return true; // no game has such a name
    }
    int size = snprintf(text, sizeof text,
                        "\"patch\"\r\n{\r\n\t\"include\"\t\t\"materials/%.*s.vmt\"\r\n"
                        "\t\"replace\"\r\n\t{\r\n\t\t\"$envmap\"\t\t\"%s\"\r\n"
                        "\t}\r\n}\r\n",
                        BSPI_TEXT(patched->base), cube);
    int length = snprintf(name, sizeof name, "materials/%.*s.vmt", BSPI_TEXT(material));
    if (size <= 0 || (size_t)size >= sizeof text || length <= 0 || (size_t)length >= sizeof name) {
        return true;
    }
    for (char *c = name; *c != '\0'; c++) {
        *c = bspi_lower(*c);
    }
    char *own = bspi_arena_text(&b->arena, (bsp_text){text, (size_t)size}, error);
    b->cubemaps.num_materials++;
    return own != NULL && add_file(b, name, (bsp_bytes){(const uint8_t *)own, (size_t)size}, error);
}

static bool add_materials(baker *b, bsp_error *error) {
    for (uint32_t i = 0; i < b->map->num_materials; i++) {
        bspi_patched patched;
        bsp_text name = b->map->materials[i].name;
        if (bspi_cubemap_material(&b->names, name, &patched) &&
            bspi_cubemap_material_file(&b->names, name) == BSP_NONE &&
            !add_material(b, name, &patched, error)) {
            return false;
        }
    }
    return true;
}

static bool add_files(baker *b, bsp_error *error) {
    size_t most = (size_t)b->num_pictures + b->map->num_materials + 1;
    b->files = bspi_arena_zero(&b->arena, most, sizeof *b->files, error);
    b->cubemaps.files = b->files;
    return b->files != NULL && add_pictures(b, error) && add_materials(b, error);
}

// --- the whole ----------------------------------------------------------------------------------

static bool is_good(const bsp_file *file, const bsp_map *map, const bsp_cubemaps_options *options,
                    bsp_error *error) {
    uint32_t side = options->side;
    if (bsp_file_find_id(file, BSP_ID_PAK) == BSP_NONE) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL, "maps of branch %s have no files in them",
                        bsp_file_get_info(file)->detection.branch->name);
    }
    if (bsp_file_get_info(file)->detection.big_endian) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
                        "consoles have pictures of their own forms, which are not written");
    }
    if (map->num_material_sorts != 0) {
        return bsp_fail(error, BSP_E_UNSUPPORTED, NULL,
                        "its engine keeps all cubemaps in one picture, which is not written");
    }
    if (side > MOST_SIDE || (side & (side - 1)) != 0) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL,
                        "cubemaps of %u pixels; powers of two up to %u are drawn", (unsigned)side,
                        MOST_SIDE);
    }
    if ((options->kinds & ~(uint32_t)(BSP_CUBEMAP_LDR | BSP_CUBEMAP_HDR)) != 0) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "no cubemaps are of kinds %u",
                        (unsigned)options->kinds);
    }
    if (options->format != 0 && options->format != BSP_VTF_BGR888 &&
        options->format != BSP_VTF_DXT1) {
        return bsp_fail(error, BSP_E_ARGUMENT, NULL, "LDR cubemaps in format %d",
                        (int)options->format);
    }
    return bspi_map_needs(map, BSP_LOAD_ALL & ~(uint32_t)BSP_LOAD_BRUSHES, "cubemaps", error);
}

static bool build(baker *b, bsp_error *error) {
    bsp_cubemap_counts counts;
    uint8_t *states = bspi_arena_zero(&b->arena, 2 * (size_t)b->map->num_cubemaps, 1, error);
    b->pak = bsp_file_pak(b->file, NULL, error);
    if (states == NULL || b->pak == NULL ||
        !bspi_cubemap_names_init(&b->names, b->map, b->pak, &b->arena, error)) {
        return false;
    }
    b->kinds = b->options->kinds != 0 ? b->options->kinds : bspi_cubemap_kinds(b->file);
    bspi_cubemap_states(&b->names, b->kinds, states, &counts);
    return b->map->num_cubemaps == 0 ||
           (find_folder(b, error) && find_templates(b, error) && list_pictures(b, states, error) &&
            draw_all(b, error) && add_defaults(b, error) && add_files(b, error));
}

bsp_cubemaps *bsp_cubemaps_build(const bsp_file *file, const bsp_map *map,
                                 const bsp_cubemaps_options *options, bsp_error *error) {
    assert(file != NULL && map != NULL);
    bsp_cubemaps_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error) || !is_good(file, map, &taken, error)) {
        return NULL;
    }
    baker *b = bspi_object_new(taken.allocator, sizeof *b, error);
    if (b == NULL) {
        return NULL;
    }
    bspi_map_heap(&b->heap, BSP_PRODUCT_CUBEMAPS, map, taken.budget, taken.allocator);
    bspi_arena_init(&b->arena, &b->heap);
    b->cubemaps.owner = b;
    b->file = file;
    b->map = map;
    b->options = &taken;
    bool done = build(b, error);
    for (int i = 0; i < 3; i++) {
        bsp_renderer_free(b->renderers[i]);
    }
    b->options = NULL;
    if (!done) {
        bsp_cubemaps_free(&b->cubemaps);
        return NULL;
    }
    return &b->cubemaps;
}

void bsp_cubemaps_free(bsp_cubemaps *cubemaps) {
    baker *b = cubemaps == NULL ? NULL : cubemaps->owner;
    if (b == NULL) {
        return;
    }
    for (uint32_t i = 0; i < b->num_pictures; i++) {
        bsp_blob_free(&b->pictures[i].blob);
    }
    bsp_pak_close(b->pak);
    bspi_arena_free(&b->arena);
    bspi_object_free(b, sizeof *b, &b->heap.allocator);
}
