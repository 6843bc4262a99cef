// SPDX-License-Identifier: MIT
// Studio models of GoldSrc (MDL 10): rigid vertices in the space of one bone each, strips and fans,
// animations as runs of 16-bit numbers; textures and sequences may lie in files beside it. Source:
// the sheet models, 3.
#include "core/text.h"
#include "formats/composites.h"
#include "model/build.h"
#include "model/formats.h"
#include "model/matrix.h"
#include "model/open.h"
#include "model/studio/goldsrc_layouts.h"
#include "model/studio/goldsrc_pose.h"
#include "model/studio/hitboxes.h"

#include <stdio.h>
#include <string.h>

#define MOST_GROUPS 32u // files of sequences that are opened
#define LOOPS 1u        // flag of a sequence
/// Flags of textures.
enum { CHROME = 2, FULLBRIGHT = 4, ADDITIVE = 0x20, MASKED = 0x40 };

// --- files beside it ----------------------------------------------------------------------------

// Returns the file that holds the textures.
static const bsp_model_file *texture_file(const bsp_model_asset *model) {
    const bsp_model_file *beside = bspi_model_companion_find(model, "textures");
    return beside != NULL && beside->def == model->def ? beside : model->file;
}

static bool open_textures(bsp_model_asset *model, bsp_error *error) {
    const bsp_model_file *file = NULL;
    bsp_table head = bspi_model_head(model->file);
    if (bspi_model_int(&head, 0, "numtextures", 0) != 0 ||
        bspi_model_int(&head, 0, "numbodyparts", 0) == 0) {
        return true;
    }
    bsp_text name = bspi_model_sibling_name(model, "T", ".mdl", error);
    return name.data != NULL &&
           bspi_model_companion_open(model, "textures", name, true, &file, error);
}

// Opens the files of sequence groups that sequences need.
static bool open_groups(bsp_model_asset *model, bsp_error *error) {
    bool wanted[MOST_GROUPS] = {false};
    bsp_table sequences = bspi_model_table(model->file, BSPI_MDL10_SEQUENCES, 0);
    for (uint32_t i = 0; i < sequences.count; i++) {
        int64_t group = bspi_model_int(&sequences, i, "seqgroup", 0);
        if (group > 0 && group < MOST_GROUPS) {
            wanted[group] = true;
        }
    }
    for (uint32_t i = 1; i < MOST_GROUPS; i++) {
        char role[16];
        char number[8];
        const bsp_model_file *file;
        snprintf(role, sizeof role, "group %u", (unsigned)i);
        snprintf(number, sizeof number, "%02u", (unsigned)i);
        bsp_text name =
            wanted[i] ? bspi_model_sibling_name(model, number, ".mdl", error) : (bsp_text){"", 0};
        if (name.data == NULL ||
            (wanted[i] && !bspi_model_companion_open(model, role, name, true, &file, error))) {
            return false;
        }
    }
    return true;
}

// --- opening ------------------------------------------------------------------------------------

static bool set_materials(bsp_model_asset *model, bsp_error *error) {
    bsp_table textures = bspi_model_table(texture_file(model), BSPI_MDL10_TEXTURES, 0);
    bsp_model_material *list = bspi_model_materials(model, textures.count, error);
    for (uint32_t i = 0; list != NULL && i < textures.count; i++) {
        uint32_t flags = bspi_model_u32(&textures, i, "flags");
        list[i].name = bspi_model_join(model, bspi_model_text(&textures, i, "name"),
                                       (bsp_text){NULL, 0}, error);
        list[i].embedded = true;
        list[i].width = bspi_model_u32(&textures, i, "width");
        list[i].height = bspi_model_u32(&textures, i, "height");
        list[i].alpha = (flags & MASKED) != 0     ? BSP_ALPHA_TEST
                        : (flags & ADDITIVE) != 0 ? BSP_ALPHA_ADD
                                                  : BSP_ALPHA_OPAQUE;
        list[i].alpha_cut = (flags & MASKED) != 0 ? 0.5F : 0;
        list[i].unlit = (flags & FULLBRIGHT) != 0;
        list[i].chrome = (flags & CHROME) != 0;
        if (list[i].name.data == NULL) {
            return false;
        }
    }
    return list != NULL;
}

static bool set_sequences(bsp_model_asset *model, bsp_error *error) {
    bsp_table table = bspi_model_table(model->file, BSPI_MDL10_SEQUENCES, 0);
    bsp_model_sequence *list = bspi_arena_zero(&model->arena, table.count, sizeof *list, error);
    for (uint32_t i = 0; list != NULL && i < table.count; i++) {
        int64_t frames = bspi_model_int(&table, i, "numframes", 0);
        list[i].name = bspi_model_text(&table, i, "label");
        list[i].num_frames = frames < 0 ? 0 : (uint32_t)frames;
        list[i].fps = bspi_model_float(&table, i, "fps", 0);
        list[i].loops = (bspi_model_int(&table, i, "flags", 0) & LOOPS) != 0;
    }
    model->info.sequences = list;
    model->info.num_sequences = list == NULL ? 0 : table.count;
    return list != NULL;
}

static bool set_parts(bsp_model_asset *model, bsp_error *error) {
    uint32_t count = bspi_model_num_tables(model->file, BSPI_MDL10_MODELS);
    uint32_t *choices = bspi_arena_raw(&model->arena, count, sizeof *choices, error);
    for (uint32_t i = 0; choices != NULL && i < count; i++) {
        choices[i] = bspi_model_table(model->file, BSPI_MDL10_MODELS, i).count;
    }
    model->info.choices = choices;
    model->info.num_body_parts = choices == NULL ? 0 : count;
    return choices != NULL;
}

static void count_all(bsp_model_asset *model) {
    for (uint32_t n = 0; n < bspi_model_num_tables(model->file, BSPI_MDL10_MESHES); n++) {
        bsp_table meshes = bspi_model_table(model->file, BSPI_MDL10_MESHES, n);
        for (uint32_t i = 0; i < meshes.count; i++) {
            int64_t triangles = bspi_model_int(&meshes, i, "numtris", 0);
            model->info.num_triangles += triangles < 0 ? 0 : (uint32_t)triangles;
        }
    }
    model->info.num_vertices = bspi_model_num_records(model->file, BSPI_MDL10_VERTICES);
}

static bool open_goldsrc(bsp_model_asset *model, bsp_error *error) {
    bsp_table head = bspi_model_head(model->file);
    bsp_model_info *info = &model->info;
    info->num_bones = bspi_model_table(model->file, BSPI_MDL10_BONES, 0).count;
    info->flags = bspi_model_u32(&head, 0, "flags");
    bspi_model_floats(&head, 0, "eyeposition", 3, info->eye);
    bspi_model_floats(&head, 0, "min", 3, info->hull_mins);
    bspi_model_floats(&head, 0, "max", 3, info->hull_maxs);
    count_all(model);
    if (!open_textures(model, error) || !open_groups(model, error)) {
        return false;
    }
    bsp_table textures = bspi_model_head(texture_file(model));
    int64_t families = bspi_model_int(&textures, 0, "numskinfamilies", 0);
    info->num_skins = families > 1 && families <= UINT16_MAX ? (uint32_t)families : 1;
    return set_materials(model, error) && set_sequences(model, error) && set_parts(model, error);
}

static bool image_goldsrc(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                          bsp_error *error) {
    const bsp_model_file *file = texture_file(model);
    const bsp_model_material *m = &model->info.materials[material];
    bsp_table textures = bspi_model_table(file, BSPI_MDL10_TEXTURES, 0);
    int64_t at = bspi_model_int(&textures, material, "index", 0);
    uint64_t size = (uint64_t)m->width * m->height;
    uint64_t start = at < 0 ? UINT64_MAX / 2 : (uint64_t)at;
    bsp_bytes texels = bspi_slice(file->info.bytes, start, size);
    bsp_bytes palette = bspi_slice(file->info.bytes, start + texels.size, BSPI_PALETTE_SIZE);
    return bspi_model_indexed_image(model, texels, m->width, m->height, palette,
                                    m->alpha == BSP_ALPHA_TEST ? 255 : -1, out, error);
}

// --- triangles ----------------------------------------------------------------------------------

/// The model of a body part whose triangles are made.
typedef struct part_work {
    bspi_model_builder *b;
    bsp_table vertex_bones;
    bsp_table vertices;
    bsp_table normal_bones;
    bsp_table normals;
    bspi_corners corners;
    float size[2]; ///< texels of the texture
    bool chrome;
} part_work;

// Turns a vector of the file by its bone.
static uint16_t turn(const part_work *w, const bsp_table *vectors, const bsp_table *bones,
                     uint32_t n, bool point, float out[3]) {
    int64_t bone = n < bones->count ? bsp_table_int(bones, n, 0, 0) : 0;
    for (uint32_t axis = 0; axis < 3; axis++) {
        out[axis] = bsp_table_float(vectors, n, 0, axis);
    }
    if (bone >= w->b->mesh->num_bones) {
        return 0;
    }
    const float(*place)[4] = (const float(*)[4])w->b->mesh->bones[bone].place;
    if (point) {
        bspi_matrix_point(place, out, out);
    } else {
        bspi_matrix_direction(place, out, out);
    }
    return (uint16_t)bone;
}

// Returns the vertex of a corner: numbers of a vertex and a normal, and two texels. What is of
// chrome mirrors its surroundings; here as a viewer far away on +x sees it.
static uint32_t add_corner(part_work *w, const uint8_t *p) {
    uint32_t vertex = bspi_load16(p, false);
    uint32_t normal = bspi_load16(p + 2, false);
    uint32_t texels = bspi_load32(p + 4, false);
    if (vertex >= w->vertices.count) {
        return BSP_NONE;
    }
    uint32_t *place = bspi_corners_at(w->b, &w->corners, vertex << 16 | normal, texels);
    if (*place == BSP_NONE) {
        bsp_model_vertex out = {.color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
        bsp_model_weights weights = {{0}, {1}};
        weights.bone[0] = turn(w, &w->vertices, &w->vertex_bones, vertex, true, out.position);
        if (normal < w->normals.count) {
            (void)turn(w, &w->normals, &w->normal_bones, normal, false, out.normal);
        }
        for (int i = 0; i < 2; i++) {
            float texel = (float)(int16_t)bspi_load16(p + 4 + i * 2, false);
            out.uv[i] = w->chrome        ? (out.normal[1 + i] + 1) / 2
                        : w->size[i] > 0 ? texel / w->size[i]
                                         : 0;
        }
        *place = bspi_build_vertex(w->b, &out, w->b->mesh->num_bones == 0 ? NULL : &weights);
    }
    return *place;
}

static void draw(part_work *w, const uint8_t *p, uint32_t count, bool fan) {
    uint32_t last[2] = {BSP_NONE, BSP_NONE};
    for (uint32_t i = 0; i < count && !w->b->failed; i++) {
        uint32_t v = add_corner(w, p + (size_t)i * 8);
        if (i >= 2) {
            bool odd = !fan && i % 2 != 0;
            (void)bspi_build_triangle(w->b, odd ? last[1] : last[0], odd ? last[0] : last[1], v);
        }
        if (i == 0) {
            last[0] = v;
        } else {
            last[0] = fan || i == 1 ? last[0] : last[1];
            last[1] = v;
        }
    }
}

// Walks over the commands of a mesh: a number of corners (above 0: a strip; below: a fan), and the
// corners. Returns how many corners there are; draws them if `w` is not NULL.
static uint32_t walk(bsp_bytes bytes, int64_t start, part_work *w) {
    uint64_t at = start < 0 ? UINT64_MAX / 2 : (uint64_t)start;
    uint32_t corners = 0;
    for (;;) {
        bsp_bytes head = bspi_slice(bytes, at, 2);
        int count = head.size == 0 ? 0 : (int16_t)bspi_load16(head.data, false);
        uint32_t of = (uint32_t)(count < 0 ? -count : count);
        bsp_bytes list = bspi_slice(bytes, at + 2, (uint64_t)of * 8);
        if (list.size == 0 || corners > UINT32_MAX / 2) {
            return corners;
        }
        corners += of;
        at += 2 + (uint64_t)of * 8;
        if (w != NULL) {
            draw(w, list.data, of, count < 0);
        }
    }
}

// Returns the texture of a mesh in a skin family, or BSP_NONE.
static uint32_t texture_of(const bspi_model_builder *b, int64_t reference) {
    const bsp_model_file *file = texture_file(b->model);
    bsp_table head = bspi_model_head(file);
    bsp_table skins = bspi_model_table(file, BSPI_MDL10_SKINS, 0);
    int64_t references = bspi_model_int(&head, 0, "numskinref", 0);
    int64_t family = b->pose->skin < b->model->info.num_skins ? b->pose->skin : 0;
    int64_t at = family * references + reference;
    int64_t texture = at >= 0 && at < skins.count ? bsp_table_int(&skins, (uint32_t)at, 0, 0) : -1;
    return texture >= 0 && texture < b->model->info.num_materials ? (uint32_t)texture : BSP_NONE;
}

static bool add_mesh(part_work *w, const bsp_table *meshes, uint32_t n, uint32_t part,
                     bsp_text name) {
    bsp_bytes bytes = w->b->model->file->info.bytes;
    int64_t start = bspi_model_int(meshes, n, "triindex", 0);
    uint32_t material = texture_of(w->b, bspi_model_int(meshes, n, "skinref", 0));
    const bsp_model_material *m =
        material == BSP_NONE ? NULL : &w->b->model->info.materials[material];
    uint32_t corners = walk(bytes, start, NULL);
    w->size[0] = m == NULL ? 0 : (float)m->width;
    w->size[1] = m == NULL ? 0 : (float)m->height;
    w->chrome = m != NULL && m->chrome;
    if (!bspi_meter_add(&w->b->meter, corners) || !bspi_build_group(w->b, material, part, name) ||
        !bspi_corners_new(w->b, corners, &w->corners)) {
        return false;
    }
    (void)walk(bytes, start, w);
    bspi_corners_free(w->b, &w->corners);
    return !w->b->failed;
}

// Builds the model that the body's number chooses of a part.
static bool add_part(bspi_model_builder *b, uint32_t part) {
    const bsp_model_file *file = b->model->file;
    bsp_table parts = bspi_model_table(file, BSPI_MDL10_PARTS, 0);
    bsp_table models = bspi_model_table(file, BSPI_MDL10_MODELS, part);
    int64_t base = bspi_model_int(&parts, part, "base", 0);
    if (models.count == 0) {
        return true;
    }
    uint32_t chosen = b->pose->body / (base > 0 ? (uint32_t)base : 1) % models.count;
    uint32_t n = bspi_model_records_before(file, BSPI_MDL10_MODELS, part) + chosen;
    bsp_table meshes = bspi_model_table(file, BSPI_MDL10_MESHES, n);
    part_work w = {.b = b,
                   .vertex_bones = bspi_model_table(file, BSPI_MDL10_VERTEX_BONES, n),
                   .vertices = bspi_model_table(file, BSPI_MDL10_VERTICES, n),
                   .normal_bones = bspi_model_table(file, BSPI_MDL10_NORMAL_BONES, n),
                   .normals = bspi_model_table(file, BSPI_MDL10_NORMALS, n)};
    bool done = true;
    for (uint32_t i = 0; done && i < meshes.count; i++) {
        done = add_mesh(&w, &meshes, i, part, bspi_model_text(&models, chosen, "name"));
    }
    return done;
}

static bool build_goldsrc(bspi_model_builder *b) {
    bool done = bspi_goldsrc_bones(b) && bspi_goldsrc_attachments(b) &&
                bspi_studio_hitboxes(b, BSPI_MDL10_HITBOXES);
    for (uint32_t i = 0; done && i < b->model->info.num_body_parts; i++) {
        done = add_part(b, i);
    }
    return done;
}

const bspi_model_def bspi_model_goldsrc_mdl = {
    .format = {.name = "goldsrc-mdl",
               .title = "GoldSrc studio model",
               .ending = ".mdl",
               .kind = BSP_MODEL_MESH,
               .pitch_negated = true},
    .magic = "IDST",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 10,
    .last = 10,
    .head = &bspi_goldsrc_studiohdr_t,
    .rows = bspi_goldsrc_rows,
    .num_rows = BSPI_MDL10_ROWS,
    .open = open_goldsrc,
    .build = build_goldsrc,
    .image = image_goldsrc,
};
