// SPDX-License-Identifier: MIT
// The look of a side of a Source brush, as its author had it.
#include "decompile/source/steps.h"

#include "core/text.h"

#include <math.h>
#include <string.h>

// Returns the units per luxel as an integer, as editors have them.
static double luxel_of(const bsp_texinfo *info) {
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += (double)info->light[0][axis] * (double)info->light[0][axis];
    }
    double units = square > 0 ? round(1 / sqrt(square)) : BSPI_EDITOR_LUXEL;
    return units >= 1 && units <= 65536 ? units : BSPI_EDITOR_LUXEL;
}

static void take_texinfo(bspi_work *w, uint32_t number, bspi_look *look) {
    const bsp_texinfo *info = &w->map->texinfos[number];
    for (int i = 0; i < 2; i++) {
        for (int axis = 0; axis < 4; axis++) {
            look->vec[i][axis] = (double)info->texture[i][axis];
        }
    }
    look->lightmap_scale = luxel_of(info);
    look->flags = info->flags;
    look->material = (bsp_text){NULL, 0};
    if (info->material != BSP_NONE) {
        const bsp_material *material = &w->map->materials[info->material];
        look->material = bspi_source_of(w)->names[info->material].name;
        look->size[0] = material->width;
        look->size[1] = material->height;
    }
}

bool bspi_source_face_look(bspi_work *w, uint32_t face, bspi_look *look) {
    const bsp_face *f = &w->map->faces[face];
    if (f->texinfo == BSP_NONE) {
        return false;
    }
    take_texinfo(w, f->texinfo, look);
    look->source = BSPI_LOOK_FACE;
    look->smoothing = f->smoothing;
    look->face = face;
    return true;
}

// Editors refuse such a projection: the record is that of another side, used for any side that is
// never seen.
void bspi_source_repair_projection(bspi_look *look, const float normal[3]) {
    if (bspi_look_is_perpendicular(look, normal)) {
        bspi_look plain;
        const double out[3] = {(double)normal[0], (double)normal[1], (double)normal[2]};
        bspi_plain_look(&plain, "", out);
        memcpy(look->vec, plain.vec, sizeof look->vec);
    }
}

// Sets the material by contents and flags, where the recorded one cannot be right.
static void find_tool(bspi_work *w, uint32_t brush, uint32_t side, uint32_t flags,
                      bspi_look *look) {
    uint32_t occluder = bspi_source_of(w)->brush_occluder[brush];
    uint32_t contents = (uint32_t)w->map->brushes[brush].contents;
    bsp_text tool = bspi_source_tool(w->map->branch, contents, flags, look->material);
    if (occluder != BSP_NONE) {
        tool = bsp_text_of(bspi_source_occludes(w, occluder, side) ? "tools/toolsoccluder"
                                                                   : "tools/toolsnodraw");
    }
    if (tool.size != 0) {
        look->material = tool;
        look->source = BSPI_LOOK_GUESS;
    }
}

bool bspi_source_look(bspi_work *w, uint32_t brush, uint32_t side, bspi_look *look) {
    uint32_t texinfo = w->map->brush_sides[side].texinfo;
    bool told = texinfo != BSP_NONE && !bspi_source_of(w)->no_draw;
    // A face has the look of its side, unless the sides were overwritten: then it is that of
    // another side.
    bool shown = look->source == BSPI_LOOK_FACE;
    uint32_t flags = BSPI_SURF_NODRAW | BSPI_SURF_NOLIGHT;
    if (told) {
        take_texinfo(w, texinfo, look);
        flags = w->map->texinfos[texinfo].flags;
    } else {
        shown = look->face != BSP_NONE && bspi_source_face_look(w, look->face, look);
    }
    if (shown) {
        look->smoothing = w->map->faces[look->face].smoothing;
    } else if (!told) {
        look->source = BSPI_LOOK_GUESS;
        look->material = bsp_text_of(w->options->no_guesses ? "tools/toolsnodraw" : "");
        look->lightmap_scale = BSPI_EDITOR_LUXEL;
        memset(look->vec, 0, sizeof look->vec);
    }
    if (!shown || bspi_source_of(w)->brush_occluder[brush] != BSP_NONE) {
        find_tool(w, brush, side, flags, look);
    }
    // The alignment stays: the material has a single colour.
    if (w->options->nodraw_unseen && !shown && !bspi_text_begins_nocase(look->material, "tools/")) {
        look->material = bsp_text_of("tools/toolsnodraw");
        look->source = BSPI_LOOK_GUESS;
    }
    bspi_source_repair_projection(look, w->map->planes[w->map->brush_sides[side].plane].normal);
    return true;
}
