// SPDX-License-Identifier: MIT
// Sprites of Quake 2 (SP2) and books of Heretic II (BK): lists of rectangles with the names of
// their pictures. Source: the sheet models, 4.
#include "core/text.h"
#include "formats/table.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/quake/sprite.h"
#include "model/rows.h"

// clang-format off

static const bsp_field head_fields[] = {
    { NAME("ident"),     CHARS(4) },
    { NAME("version"),   I32(1) },
    { NAME("numframes"), I32(1) },
};
static LAYOUT(dsprite2_t, 12, head_fields);

static const bsp_field frame_fields[] = {
    { NAME("width"),    I32(1) },
    { NAME("height"),   I32(1) },
    { NAME("origin_x"), I32(1) },
    { NAME("origin_y"), I32(1) },
    { NAME("name"),     CHARS(64) },
};
static LAYOUT(dsprframe_t, 80, frame_fields);

static const bsp_field book_fields[] = {
    { NAME("ident"),      CHARS(4) },
    { NAME("version"),    I32(1) },
    { NAME("num_pages"),  I32(1) },
    { NAME("total_w"),    I32(1) },
    { NAME("total_h"),    I32(1) },
};
static LAYOUT(book_t, 20, book_fields);

static const bsp_field page_fields[] = {
    { NAME("x"),    I32(1) },
    { NAME("y"),    I32(1) },
    { NAME("w"),    I32(1) },
    { NAME("h"),    I32(1) },
    { NAME("name"), CHARS(64) },
};
static LAYOUT(bookframe_t, 80, page_fields);

// clang-format on

enum { FRAMES = 1 };

static const bspi_model_row rows[] = {
    {.name = "frames", .layout = &dsprframe_t, .count = "numframes"},
};

static const bspi_model_row book_rows[] = {
    {.name = "pages", .layout = &bookframe_t, .count = "num_pages"},
};

// Sets a material for each picture.
static bool set_pictures(bsp_model_asset *model, const bsp_table *pictures, const char *width,
                         const char *height, bsp_error *error) {
    bsp_model_material *list = bspi_model_materials(model, pictures->count, error);
    for (uint32_t i = 0; list != NULL && i < pictures->count; i++) {
        bsp_text name = bspi_model_text(pictures, i, "name");
        list[i].name = bspi_model_join(model, name, (bsp_text){NULL, 0}, error);
        list[i].width = bspi_model_u32(pictures, i, width);
        list[i].height = bspi_model_u32(pictures, i, height);
        list[i].alpha = BSP_ALPHA_TEST;
        list[i].alpha_cut = 0.5F;
        list[i].unlit = true;
        list[i].two_sided = true;
        if (list[i].name.data == NULL ||
            !bspi_material_paths(model, &list[i], &list[i].name, 1, error)) {
            return false;
        }
    }
    return list != NULL;
}

static bool open_sp2(bsp_model_asset *model, bsp_error *error) {
    bsp_table frames = bspi_model_table(model->file, FRAMES, 0);
    model->info.num_frames = frames.count;
    model->info.num_triangles = frames.count == 0 ? 0 : 2;
    model->info.num_vertices = frames.count == 0 ? 0 : 4;
    return set_pictures(model, &frames, "width", "height", error);
}

static bool build_sp2(bspi_model_builder *b) {
    bsp_table frames = bspi_model_table(b->model->file, FRAMES, 0);
    if (frames.count == 0) {
        return true;
    }
    uint32_t n = b->pose->frame < frames.count ? b->pose->frame : frames.count - 1;
    float height = bspi_model_float(&frames, n, "height", 0);
    bspi_sprite_box box = {-bspi_model_float(&frames, n, "origin_x", 0),
                           height - bspi_model_float(&frames, n, "origin_y", 0),
                           bspi_model_float(&frames, n, "width", 0), height};
    return bspi_sprite_build(b, n, BSP_SPRITE_PARALLEL, &box);
}

static bool open_book(bsp_model_asset *model, bsp_error *error) {
    bsp_table pages = bspi_model_table(model->file, FRAMES, 0);
    model->info.num_triangles = pages.count > UINT32_MAX / 4 ? UINT32_MAX : pages.count * 2;
    model->info.num_vertices = pages.count > UINT32_MAX / 4 ? UINT32_MAX : pages.count * 4;
    return set_pictures(model, &pages, "w", "h", error);
}

// All pages of a book are shown at once, each at its place on the screen; y grows downwards.
static bool build_book(bspi_model_builder *b) {
    bsp_table pages = bspi_model_table(b->model->file, FRAMES, 0);
    for (uint32_t i = 0; i < pages.count && !b->failed; i++) {
        bspi_sprite_box box = {
            bspi_model_float(&pages, i, "x", 0), -bspi_model_float(&pages, i, "y", 0),
            bspi_model_float(&pages, i, "w", 0), bspi_model_float(&pages, i, "h", 0)};
        (void)bspi_sprite_build(b, i, BSP_SPRITE_PARALLEL, &box);
    }
    return !b->failed;
}

const bspi_model_def bspi_model_sp2 = {
    .format = {.name = "sp2",
               .title = "Quake 2 sprite",
               .ending = ".sp2",
               .kind = BSP_MODEL_SPRITE},
    .magic = "IDS2",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 2,
    .last = 2,
    .head = &dsprite2_t,
    .rows = rows,
    .num_rows = LENGTH(rows),
    .open = open_sp2,
    .build = build_sp2,
};

const bspi_model_def bspi_model_book = {
    .format = {.name = "heretic2-book",
               .title = "Heretic II book",
               .ending = ".bk",
               .kind = BSP_MODEL_SPRITE},
    .magic = "BOOK",
    .magic_size = 4,
    .version_at = 4,
    .version_size = 4,
    .version = 2,
    .last = 2,
    .head = &book_t,
    .rows = book_rows,
    .num_rows = LENGTH(book_rows),
    .open = open_book,
    .build = build_book,
};
