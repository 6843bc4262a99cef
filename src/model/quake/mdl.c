// SPDX-License-Identifier: MIT
// Quake models (MDL), with 16-bit vertices (MD16), and those of the second Hexen II, by the parts
// that mdl_parts.c made of them. Source: the sheet models, 1.
#include "core/text.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/alias.h"
#include "model/quake/mdl_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOLEY 0x4000u // flag: an index of the palette is transparent

// --- reading the parts --------------------------------------------------------------------------

/// What a model keeps: the parts of its skins and frames.
typedef struct mdl {
    uint32_t *skins;
    uint32_t *first_picture; ///< of each skin; and one at the end
    uint32_t num_skins;
    uint32_t *frames;
    uint32_t num_frames;
} mdl;

static bsp_table table_at(const bsp_model_file *file, const char *path) {
    uint32_t part = bsp_parts_find(&file->parts, bsp_text_of(path));
    return part == BSP_NONE ? (bsp_table){.data = NULL} : bsp_parts_table(&file->parts, part);
}

// Returns the part of that name in a group, or BSP_NONE.
static uint32_t part_in(const bsp_parts *parts, uint32_t group, const char *name) {
    for (uint32_t i = group + 1; i < parts->parts[group].end; i = parts->parts[i].end) {
        if (strcmp(parts->parts[i].name, name) == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

static uint32_t count_children(const bsp_parts *parts, uint32_t list) {
    uint32_t count = 0;
    for (uint32_t i = list + 1; list != BSP_NONE && i < parts->parts[list].end;
         i = parts->parts[i].end) {
        count++;
    }
    return count;
}

static uint32_t child(const bsp_parts *parts, uint32_t list, uint32_t n) {
    for (uint32_t i = list + 1; list != BSP_NONE && i < parts->parts[list].end;
         i = parts->parts[i].end) {
        if (n-- == 0) {
            return i;
        }
    }
    return BSP_NONE;
}

// Lists the parts of a list in the arena.
static uint32_t *list_children(bsp_model_asset *model, const char *name, uint32_t *count,
                               bsp_error *error) {
    const bsp_parts *parts = &model->file->parts;
    uint32_t list = bsp_parts_find(parts, bsp_text_of(name));
    *count = count_children(parts, list);
    uint32_t *children = bspi_arena_raw(&model->arena, *count, sizeof *children, error);
    uint32_t at = list + 1;
    for (uint32_t i = 0; children != NULL && i < *count; i++, at = parts->parts[at].end) {
        children[i] = at;
    }
    return children;
}

// Returns which of a group's pictures or poses is shown at a time: the first whose time has not
// come yet.
static uint32_t choose(const bsp_parts *parts, uint32_t group, float time, uint32_t count) {
    uint32_t part = part_in(parts, group, "times");
    if (part == BSP_NONE || count < 2 || !(time > 0)) {
        return 0;
    }
    bsp_table times = bsp_parts_table(parts, part);
    float last = times.count == 0 ? 0 : bsp_table_float(&times, times.count - 1, 0, 0);
    float at = last > 0 ? fmodf(time, last) : 0;
    for (uint32_t i = 0; i < times.count && i < count; i++) {
        if (bsp_table_float(&times, i, 0, 0) > at) {
            return i;
        }
    }
    return 0;
}

static bsp_text frame_name(const bsp_model_asset *model, uint32_t frame) {
    const bsp_parts *parts = &model->file->parts;
    uint32_t pose = child(parts, part_in(parts, ((mdl *)model->data)->frames[frame], "poses"), 0);
    uint32_t record = pose == BSP_NONE ? BSP_NONE : part_in(parts, pose, "frame");
    if (record == BSP_NONE) {
        return (bsp_text){NULL, 0};
    }
    bsp_table table = bsp_parts_table(parts, record);
    return bspi_model_text(&table, 0, "name");
}

// --- opening ------------------------------------------------------------------------------------

// Ports look for a better picture beside the model: NAME.mdl_0, or NAME.mdl_0_1 in a group.
static bool set_picture(bsp_model_asset *model, bsp_model_material *material, uint32_t skin,
                        uint32_t picture, bool group, bsp_error *error) {
    bsp_table head = bspi_model_head(model->file);
    char name[40];
    snprintf(name, sizeof name, group ? "_%u_%u" : "_%u", (unsigned)skin, (unsigned)picture);
    bsp_text path = bspi_model_join(model, model->info.name, bsp_text_of(name), error);
    material->name = bspi_text_last_part(path);
    material->embedded = true;
    material->width = bspi_model_u32(&head, 0, "skinwidth");
    material->height = bspi_model_u32(&head, 0, "skinheight");
    bool holes = (model->info.flags & HOLEY) != 0;
    material->alpha = holes ? BSP_ALPHA_TEST : BSP_ALPHA_OPAQUE;
    material->alpha_cut = holes ? 0.5F : 0;
    return path.data != NULL && bspi_material_paths(model, material, &path, 1, error);
}

static bool set_pictures(bsp_model_asset *model, mdl *m, bsp_error *error) {
    const bsp_parts *parts = &model->file->parts;
    uint32_t pictures = 0;
    m->first_picture =
        bspi_arena_raw(&model->arena, (size_t)m->num_skins + 1, sizeof *m->first_picture, error);
    if (m->first_picture == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < m->num_skins; i++) {
        m->first_picture[i] = pictures;
        pictures += count_children(parts, part_in(parts, m->skins[i], "pictures"));
    }
    m->first_picture[m->num_skins] = pictures;
    bsp_model_material *list = bspi_model_materials(model, pictures, error);
    for (uint32_t i = 0; list != NULL && i < m->num_skins; i++) {
        bool group = part_in(parts, m->skins[i], "times") != BSP_NONE;
        for (uint32_t k = m->first_picture[i]; k < m->first_picture[i + 1]; k++) {
            if (!set_picture(model, &list[k], i, k - m->first_picture[i], group, error)) {
                return false;
            }
        }
    }
    model->info.num_skins = m->num_skins == 0 ? 1 : m->num_skins;
    return list != NULL;
}

static bool open_mdl(bsp_model_asset *model, bsp_error *error) {
    bsp_table head = bspi_model_head(model->file);
    mdl *m = bspi_arena_zero(&model->arena, 1, sizeof *m, error);
    if (m == NULL) {
        return false;
    }
    model->data = m;
    m->skins = list_children(model, "skins", &m->num_skins, error);
    m->frames = m->skins == NULL ? NULL : list_children(model, "frames", &m->num_frames, error);
    if (m->frames == NULL) {
        return false;
    }
    model->info.flags = bspi_model_u32(&head, 0, "flags");
    model->info.num_frames = m->num_frames;
    model->info.num_triangles = table_at(model->file, "triangles").count;
    int64_t vertices = bspi_model_int(&head, 0, "numverts", 0);
    model->info.num_vertices = vertices < 0 ? 0 : (uint32_t)vertices;
    bspi_model_floats(&head, 0, "eyeposition", 3, model->info.eye);
    return set_pictures(model, m, error) && bspi_model_palette(model, error) &&
           bspi_model_name_sequences(model, m->num_frames, frame_name, error);
}

static bool image_of(const bsp_model_asset *model, uint32_t material, int hole, bsp_image *out,
                     bsp_error *error) {
    const bsp_parts *parts = &model->file->parts;
    const mdl *m = model->data;
    uint32_t skin = 0;
    while (skin + 1 < m->num_skins && m->first_picture[skin + 1] <= material) {
        skin++;
    }
    uint32_t part =
        child(parts, part_in(parts, m->skins[skin], "pictures"), material - m->first_picture[skin]);
    const bsp_model_material *mat = &model->info.materials[material];
    bsp_bytes texels = {parts->data.data + parts->parts[part].offset, parts->parts[part].size};
    bsp_bytes palette = {model->palette, model->has_palette ? sizeof model->palette : 0};
    return bspi_model_indexed_image(model, texels, mat->width, mat->height, palette,
                                    mat->alpha == BSP_ALPHA_TEST ? hole : -1, out, error);
}

// Ports of Quake took the flag over with another index than Hexen II's.
static bool image_quake(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                        bsp_error *error) {
    return image_of(model, material, 255, out, error);
}

static bool image_hexen2(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                         bsp_error *error) {
    return image_of(model, material, 0, out, error);
}

// --- the mesh -----------------------------------------------------------------------------------

/// What all corners of a mesh have in common.
typedef struct corner_work {
    bspi_model_builder *b;
    bspi_corners corners;
    bspi_alias_frame frame;
    bsp_table coords;
    float size[2]; ///< texels of the skin
} corner_work;

// Returns the vertex of a corner. Texels of the seam lie half a skin farther on triangles that face
// the back.
static uint32_t corner(corner_work *w, int64_t vertex, int64_t coord, bool back) {
    if (vertex < 0 || vertex >= w->frame.vertices.count || coord < 0 || coord >= w->coords.count) {
        return BSP_NONE;
    }
    bool shifted = back && bsp_table_int(&w->coords, (uint32_t)coord, 0, 0) != 0;
    uint32_t *place = bspi_corners_at(w->b, &w->corners, (uint32_t)vertex,
                                      (uint32_t)coord << 1 | (shifted ? 1u : 0u));
    if (*place == BSP_NONE) {
        bsp_model_vertex out = {.color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
        bspi_alias_place(&w->frame, (uint32_t)vertex, &out);
        float s = bsp_table_float(&w->coords, (uint32_t)coord, 1, 0);
        float t = bsp_table_float(&w->coords, (uint32_t)coord, 2, 0);
        s += shifted ? floorf(w->size[0] / 2) : 0;
        out.uv[0] = w->size[0] > 0 ? (s + 0.5F) / w->size[0] : 0;
        out.uv[1] = w->size[1] > 0 ? (t + 0.5F) / w->size[1] : 0;
        *place = bspi_build_vertex(w->b, &out, NULL);
    }
    return *place;
}

static void add_triangles(corner_work *w, const bsp_table *triangles) {
    bool own = triangles->layout == &bspi_dnewtriangle_t; // coordinates of their own
    for (uint32_t i = 0; i < triangles->count && !w->b->failed; i++) {
        bool back = bsp_table_int(triangles, i, 0, 0) == 0;
        uint32_t v[3];
        for (uint32_t k = 0; k < 3; k++) {
            int64_t vertex = bsp_table_int(triangles, i, 1, k);
            int64_t coord = own ? bsp_table_int(triangles, i, 2, k) : vertex;
            v[k] = corner(w, vertex, coord, back);
        }
        (void)bspi_build_triangle(w->b, v[0], v[1], v[2]);
    }
}

static bool set_frame(const bspi_model_builder *b, bspi_alias_frame *out) {
    const bsp_parts *parts = &b->model->file->parts;
    const mdl *m = b->model->data;
    bsp_table head = bspi_model_head(b->model->file);
    if (m->num_frames == 0) {
        return false;
    }
    uint32_t group = m->frames[b->pose->frame < m->num_frames ? b->pose->frame : m->num_frames - 1];
    uint32_t poses = part_in(parts, group, "poses");
    uint32_t count = count_children(parts, poses);
    uint32_t pose = child(parts, poses, choose(parts, group, b->pose->time, count));
    uint32_t verts = pose == BSP_NONE ? BSP_NONE : part_in(parts, pose, "verts");
    uint32_t low = pose == BSP_NONE ? BSP_NONE : part_in(parts, pose, "low");
    if (verts == BSP_NONE) {
        return false;
    }
    out->vertices = bsp_parts_table(parts, verts);
    if (low != BSP_NONE) {
        out->low = bsp_parts_table(parts, low);
    }
    bspi_model_floats(&head, 0, "scale", 3, out->scale);
    bspi_model_floats(&head, 0, "scale_origin", 3, out->translate);
    return true;
}

static uint32_t material_of(const bspi_model_builder *b) {
    const mdl *m = b->model->data;
    uint32_t skin = b->pose->skin < m->num_skins ? b->pose->skin : 0;
    uint32_t count = m->num_skins == 0 ? 0 : m->first_picture[skin + 1] - m->first_picture[skin];
    return count == 0 ? BSP_NONE
                      : m->first_picture[skin] +
                            choose(&b->model->file->parts, m->skins[skin], b->pose->time, count);
}

static bool build_mdl(bspi_model_builder *b) {
    corner_work w = {.b = b};
    bsp_table triangles = table_at(b->model->file, "triangles");
    bsp_table head = bspi_model_head(b->model->file);
    w.coords = table_at(b->model->file, "stverts");
    w.size[0] = bspi_model_float(&head, 0, "skinwidth", 0);
    w.size[1] = bspi_model_float(&head, 0, "skinheight", 0);
    if (!set_frame(b, &w.frame)) {
        return true;
    }
    if (!bspi_build_group(b, material_of(b), 0, (bsp_text){NULL, 0}) ||
        !bspi_corners_new(b, triangles.count * 3, &w.corners)) {
        return false;
    }
    add_triangles(&w, &triangles);
    bspi_corners_free(b, &w.corners);
    return !b->failed;
}

// --- check --------------------------------------------------------------------------------------

static void check_mdl(const bsp_model_file *file, bsp_issues *issues) {
    uint32_t part = bsp_parts_find(&file->parts, bsp_text_of("triangles"));
    if (part == BSP_NONE) {
        return;
    }
    bsp_table head = bspi_model_head(file);
    bsp_table triangles = bsp_parts_table(&file->parts, part);
    bspi_report_indices(file, part, 1, bspi_model_int(&head, 0, "numverts", 0), "vertices", issues);
    if (triangles.layout == &bspi_dnewtriangle_t) {
        bspi_report_indices(file, part, 2, table_at(file, "stverts").count, "stverts", issues);
    }
}

#define MDL_ROW(id, the_magic, the_version, the_head, the_parse, the_image)                        \
    .format = id, .magic = the_magic, .magic_size = 4, .version_at = 4, .version_size = 4,         \
    .version = (the_version), .last = (the_version), .head = &(the_head), .parse = the_parse,      \
    .check = check_mdl, .open = open_mdl, .build = build_mdl, .image = the_image

#define FORMAT(id, what)                                                                           \
    {                                                                                              \
        .name = (id), .title = (what), .ending = ".mdl", .kind = BSP_MODEL_MESH,                   \
        .pitch_negated = true                                                                      \
    }

const bspi_model_def bspi_model_quake_mdl = {MDL_ROW(
    FORMAT("quake-mdl", "Quake model"), "IDPO", 6, bspi_mdl_t, bspi_mdl_parse_quake, image_quake)};
const bspi_model_def bspi_model_quake_mdl16 = {
    MDL_ROW(FORMAT("quake-mdl16", "Quake model with 16-bit vertices"), "MD16", 6, bspi_mdl_t,
            bspi_mdl_parse_quake16, image_quake)};
const bspi_model_def bspi_model_hexen2_mdl = {MDL_ROW(FORMAT("hexen2-mdl", "Hexen II model"),
                                                      "RAPO", 50, bspi_newmdl_t,
                                                      bspi_mdl_parse_hexen2, image_hexen2)};
