// SPDX-License-Identifier: MIT
// Sprites of Quake (version 1), GoldSrc (2) and DarkPlaces (32). Frames follow each other without
// offsets, and one may be a group: parse_spr finds them. Source: the sheet models, 2.
#include "core/text.h"
#include "formats/composites.h"
#include "formats/table.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/sprite.h"
#include "model/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// clang-format off

#define HEAD_ROWS \
    { NAME("boundingradius"), F32(1) }, \
    { NAME("width"),          I32(1) }, \
    { NAME("height"),         I32(1) }, \
    { NAME("numframes"),      I32(1) }, \
    { NAME("beamlength"),     F32(1) }, \
    { NAME("synctype"),       I32(1) },

static const bsp_field head_fields[] = {
    { NAME("ident"),   CHARS(4) },
    { NAME("version"), I32(1) },
    { NAME("type"),    I32(1) },
    HEAD_ROWS
};
static LAYOUT(dsprite_t, 36, head_fields);

static const bsp_field head2_fields[] = {
    { NAME("ident"),     CHARS(4) },
    { NAME("version"),   I32(1) },
    { NAME("type"),      I32(1) },
    { NAME("texFormat"), I32(1) },
    HEAD_ROWS
    { NAME("numcolors"), U16(1) },
};
static LAYOUT(dspritehl_t, 42, head2_fields);

static const bsp_field color_fields[] = { { NAME(""), U8(3) } };
static LAYOUT(dspritecolor_t, 3, color_fields);

static const bsp_field type_fields[] = { { NAME(""), I32(1) } };
static LAYOUT(dspriteframetype_t, 4, type_fields);

static const bsp_field time_fields[] = { { NAME(""), F32(1) } };
static LAYOUT(dspriteinterval_t, 4, time_fields);

static const bsp_field frame_fields[] = {
    { NAME("origin"), I32(2) },
    { NAME("width"),  I32(1) },
    { NAME("height"), I32(1) },
};
static LAYOUT(dspriteframe_t, 16, frame_fields);

// clang-format on

static const bspi_model_row palette_rows[] = {
    {.name = "palette", .layout = &dspritecolor_t, .count = "numcolors"},
};

// --- parts --------------------------------------------------------------------------------------

static bool take_picture(bspi_parse *parse, size_t *at, uint32_t texel) {
    bsp_table frame = {&dspriteframe_t, parse->data.data + *at, 1, false};
    if (!bspi_parse_record(parse, "frame", &dspriteframe_t, *at)) {
        return false;
    }
    int64_t width = bspi_model_int(&frame, 0, "width", 0);
    int64_t height = bspi_model_int(&frame, 0, "height", 0);
    if (width < 0 || height < 0) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, *at, "a picture of %lld x %lld",
                         (long long)width, (long long)height);
        return false;
    }
    // Both are below 2^31; what does not lie in the file is an issue of the bytes.
    uint64_t size = (uint64_t)width * (uint64_t)height;
    size = size > parse->data.size ? (uint64_t)parse->data.size + 1 : size * texel;
    *at += dspriteframe_t.size;
    bool whole = bspi_parse_bytes(parse, "texels", *at, (size_t)size);
    *at += whole ? (size_t)size : 0;
    return whole && !parse->failed;
}

// Takes a frame apart: one picture, or a group of several with their times.
static bool take_frame(bspi_parse *parse, size_t *at, uint32_t texel) {
    size_t start = *at;
    uint32_t count = 1;
    bool whole = bspi_parse_record(parse, "type", &dspriteframetype_t, start);
    *at += whole ? 4 : 0;
    if (whole && bspi_parse_u32(parse, start) != 0) {
        count = bspi_parse_u32(parse, *at);
        whole = bspi_parse_record(parse, "number", &dspriteframetype_t, *at) &&
                bspi_parse_table(parse, "times", BSP_ID_NONE, &dspriteinterval_t, *at + 4, count);
        *at += whole ? 4 + (size_t)count * 4 : 0;
    }
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "pictures");
    for (uint32_t i = 0; whole && i < count; i++) {
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "picture");
        whole = take_picture(parse, at, texel);
        bspi_parse_close(parse, group);
    }
    bspi_parse_close(parse, list);
    return whole && !parse->failed;
}

static void take_frames(bspi_parse *parse, const bsp_layout *head, size_t at, uint32_t texel) {
    bsp_table record = {head, parse->data.data, 1, false};
    int64_t count = bspi_model_int(&record, 0, "numframes", 0);
    uint32_t list = bspi_parse_open(parse, BSP_PART_LIST, "frames");
    parse->place = "frames";
    if (count < 0) {
        bspi_parse_issue(parse, BSPI_ISSUE_LUMP_STRUCTURE, 0, "%lld frames", (long long)count);
    }
    for (int64_t i = 0; i < count; i++) {
        uint32_t group = bspi_parse_open(parse, BSP_PART_GROUP, "frame");
        bool whole = take_frame(parse, &at, texel);
        bspi_parse_close(parse, group);
        if (!whole) {
            break;
        }
    }
    bspi_parse_close(parse, list);
}

static void parse_spr1(bspi_parse *parse) {
    take_frames(parse, &dsprite_t, dsprite_t.size, 1);
}

static void parse_spr32(bspi_parse *parse) {
    take_frames(parse, &dsprite_t, dsprite_t.size, 4);
}

static void parse_spr2(bspi_parse *parse) {
    bsp_table head = {&dspritehl_t, parse->data.data, 1, false};
    size_t colors = (size_t)bspi_model_int(&head, 0, "numcolors", 0);
    take_frames(parse, &dspritehl_t, dspritehl_t.size + colors * dspritecolor_t.size, 1);
}

// --- opening ------------------------------------------------------------------------------------

/// What a sprite keeps: the parts of its pictures, those of groups too.
typedef struct spr {
    uint32_t *pictures; ///< the group of each
    uint32_t num_pictures;
    uint32_t *first; ///< of each frame, and one at the end
    uint32_t *times; ///< of each frame: the part of its times, or BSP_NONE
    uint32_t num_frames;
} spr;

// Walks over the frames: counts them, or fills the lists where they are made.
static void list_pictures(const bsp_parts *parts, spr *s) {
    uint32_t list = bsp_parts_find(parts, bsp_text_of("frames"));
    bool fill = s->pictures != NULL;
    s->num_frames = s->num_pictures = 0;
    for (uint32_t f = list + 1; list != BSP_NONE && f < parts->parts[list].end;
         f = parts->parts[f].end, s->num_frames++) {
        uint32_t times = BSP_NONE;
        uint32_t pictures = s->num_pictures;
        for (uint32_t i = f + 1; i < parts->parts[f].end; i++) {
            times = parts->parts[i].kind == BSP_PART_TABLE ? i : times;
            if (parts->parts[i].kind == BSP_PART_GROUP && parts->parts[i].end == i + 3) {
                if (fill) {
                    s->pictures[s->num_pictures] = i;
                }
                s->num_pictures++;
            }
        }
        if (fill) {
            s->first[s->num_frames] = pictures;
            s->times[s->num_frames] = times;
        }
    }
    if (fill) {
        s->first[s->num_frames] = s->num_pictures;
    }
}

static spr *make_lists(bsp_model_asset *model, bsp_error *error) {
    spr *s = bspi_arena_zero(&model->arena, 1, sizeof *s, error);
    if (s == NULL) {
        return NULL;
    }
    list_pictures(&model->file->parts, s);
    s->first = bspi_arena_raw(&model->arena, (size_t)s->num_frames + 1, sizeof *s->first, error);
    s->times = bspi_arena_raw(&model->arena, (size_t)s->num_frames + 1, sizeof *s->times, error);
    s->pictures =
        bspi_arena_raw(&model->arena, (size_t)s->num_pictures + 1, sizeof *s->pictures, error);
    if (s->first == NULL || s->times == NULL || s->pictures == NULL) {
        return NULL;
    }
    list_pictures(&model->file->parts, s);
    return s;
}

// How a picture is blended. Version 2 says so; version 1 has holes where the index is 255.
static bsp_alpha alpha_of(const bsp_model_asset *model) {
    static const bsp_alpha by_format[] = {BSP_ALPHA_OPAQUE, BSP_ALPHA_ADD, BSP_ALPHA_BLEND,
                                          BSP_ALPHA_TEST};
    bsp_table head = bspi_model_head(model->file);
    int64_t format = bspi_model_int(&head, 0, "texFormat", 0);
    if (model->info.version == 2) {
        return format >= 0 && format < 4 ? by_format[format] : BSP_ALPHA_OPAQUE;
    }
    return model->info.version == 1 ? BSP_ALPHA_TEST : BSP_ALPHA_BLEND;
}

static bool set_materials(bsp_model_asset *model, const spr *s, bsp_error *error) {
    const bsp_parts *parts = &model->file->parts;
    bsp_model_material *list = bspi_model_materials(model, s->num_pictures, error);
    bsp_text stem = bspi_text_last_part(model->info.name);
    for (uint32_t i = 0; list != NULL && i < s->num_pictures; i++) {
        char number[16];
        bsp_table frame = bsp_parts_table(parts, s->pictures[i] + 1);
        snprintf(number, sizeof number, "_%u", (unsigned)i);
        list[i].name = bspi_model_join(model, stem, bsp_text_of(number), error);
        list[i].embedded = true;
        list[i].width = bspi_model_u32(&frame, 0, "width");
        list[i].height = bspi_model_u32(&frame, 0, "height");
        list[i].alpha = alpha_of(model);
        list[i].alpha_cut = list[i].alpha == BSP_ALPHA_TEST ? 0.5F : 0;
        list[i].unlit = true;
        list[i].two_sided = true;
        if (list[i].name.data == NULL) {
            return false;
        }
    }
    return list != NULL;
}

static bool open_spr(bsp_model_asset *model, bsp_error *error) {
    spr *s = make_lists(model, error);
    if (s == NULL) {
        return false;
    }
    model->data = s;
    model->info.num_frames = s->num_frames;
    model->info.num_triangles = s->num_pictures == 0 ? 0 : 2;
    model->info.num_vertices = s->num_pictures == 0 ? 0 : 4;
    return set_materials(model, s, error) && bspi_model_palette(model, error);
}

// --- pictures -----------------------------------------------------------------------------------

static bsp_bytes texels_of(const bsp_model_asset *model, uint32_t picture) {
    const bsp_parts *parts = &model->file->parts;
    const bsp_part *part = &parts->parts[((const spr *)model->data)->pictures[picture] + 2];
    return (bsp_bytes){parts->data.data + part->offset, part->size};
}

static bool image_spr1(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                       bsp_error *error) {
    const bsp_model_material *m = &model->info.materials[material];
    bsp_bytes palette = {model->palette, model->has_palette ? sizeof model->palette : 0};
    return bspi_model_indexed_image(model, texels_of(model, material), m->width, m->height, palette,
                                    255, out, error);
}

// An index is the alpha of the last colour where the format says so.
static void fade(const bsp_bytes texels, bsp_bytes palette, bsp_image *image) {
    for (size_t i = 0; i < texels.size; i++) {
        for (size_t c = 0; c < 3; c++) {
            image->pixels[i * 4 + c] =
                palette.size >= BSPI_PALETTE_SIZE ? palette.data[255 * 3 + c] : 255;
        }
        image->pixels[i * 4 + 3] = texels.data[i];
    }
}

static bool image_spr2(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                       bsp_error *error) {
    const bsp_model_material *m = &model->info.materials[material];
    bsp_table colors = bspi_model_table(model->file, 1, 0);
    uint8_t full[BSPI_PALETTE_SIZE] = {0};
    size_t size =
        (size_t)(colors.count < BSPI_PALETTE_COLORS ? colors.count : BSPI_PALETTE_COLORS) * 3;
    if (size != 0) {
        memcpy(full, colors.data, size);
    }
    bsp_bytes palette = {full, sizeof full};
    bsp_bytes texels = texels_of(model, material);
    if (!bspi_model_indexed_image(model, texels, m->width, m->height, palette,
                                  m->alpha == BSP_ALPHA_TEST ? 255 : -1, out, error)) {
        return false;
    }
    if (m->alpha == BSP_ALPHA_BLEND) {
        fade(texels, palette, out);
    }
    return true;
}

static bool image_spr32(const bsp_model_asset *model, uint32_t material, bsp_image *out,
                        bsp_error *error) {
    static const uint8_t clear[4] = {0, 0, 0, 0};
    const bsp_model_material *m = &model->info.materials[material];
    bsp_bytes texels = texels_of(model, material);
    if (!bsp_image_fill(m->width, m->height, clear, &model->heap.allocator, out, error)) {
        return false;
    }
    memcpy(out->pixels, texels.data, texels.size); // as many: the parser counted them so
    return true;
}

// --- the mesh -----------------------------------------------------------------------------------

// Returns which picture of a frame is shown at a time: the first whose time has not come yet.
static uint32_t choose(const bspi_model_builder *b, const spr *s, uint32_t frame) {
    uint32_t first = s->first[frame];
    uint32_t count = s->first[frame + 1] - first;
    if (s->times[frame] == BSP_NONE || count < 2 || !(b->pose->time > 0)) {
        return first;
    }
    bsp_table times = bsp_parts_table(&b->model->file->parts, s->times[frame]);
    float last = times.count == 0 ? 0 : bsp_table_float(&times, times.count - 1, 0, 0);
    float at = last > 0 ? fmodf(b->pose->time, last) : 0;
    for (uint32_t i = 0; i < count && i < times.count; i++) {
        if (bsp_table_float(&times, i, 0, 0) > at) {
            return first + i;
        }
    }
    return first;
}

static bool build_spr(bspi_model_builder *b) {
    const spr *s = b->model->data;
    uint32_t frame = b->pose->frame < s->num_frames ? b->pose->frame : s->num_frames - 1;
    if (s->num_frames == 0 || s->first[frame] == s->first[frame + 1]) {
        return true;
    }
    uint32_t picture = choose(b, s, frame);
    bsp_table head = bspi_model_head(b->model->file);
    bsp_table record = bsp_parts_table(&b->model->file->parts, s->pictures[picture] + 1);
    bspi_sprite_box box = {
        bspi_model_float(&record, 0, "origin", 0), bspi_model_float(&record, 0, "origin", 1),
        bspi_model_float(&record, 0, "width", 0), bspi_model_float(&record, 0, "height", 0)};
    int64_t type = bspi_model_int(&head, 0, "type", 0);
    bsp_sprite_facing facing =
        type >= 0 && type <= 4 ? (bsp_sprite_facing)type : BSP_SPRITE_PARALLEL;
    return bspi_sprite_build(b, picture, facing, &box);
}

#define SPR_ROW(id, what, the_version, the_head, the_parse, the_image)                             \
    .format = {.name = (id), .title = (what), .ending = ".spr", .kind = BSP_MODEL_SPRITE},         \
    .magic = "IDSP", .magic_size = 4, .version_at = 4, .version_size = 4,                          \
    .version = (the_version), .last = (the_version), .head = &(the_head), .parse = the_parse,      \
    .open = open_spr, .build = build_spr, .image = the_image

const bspi_model_def bspi_model_sprite1 = {
    SPR_ROW("quake-spr", "Quake sprite", 1, dsprite_t, parse_spr1, image_spr1)};
const bspi_model_def bspi_model_sprite2 = {
    SPR_ROW("goldsrc-spr", "GoldSrc sprite", 2, dspritehl_t, parse_spr2, image_spr2),
    .rows = palette_rows, .num_rows = LENGTH(palette_rows)};
const bspi_model_def bspi_model_sprite32 = {
    SPR_ROW("darkplaces-spr", "DarkPlaces sprite", 32, dsprite_t, parse_spr32, image_spr32)};
