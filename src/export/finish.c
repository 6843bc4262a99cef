// SPDX-License-Identifier: MIT
// Materials of the file: what a part of the mesh looks like, each look once.
#include "export/content.h"

#include "scene/textures.h"

#include <stdlib.h>
#include <string.h>

#define TELLING_BITS (BSP_SURFACE_TRANSLUCENT | BSP_SURFACE_MASKED)

const bspi_paint *bspi_finish_paint(const bspi_content *content, const bspi_finish *finish) {
    if (finish->decal != 0) {
        return &content->paints.decals[finish->material];
    }
    return finish->material == BSP_NONE ? NULL : &content->paints.list[finish->material];
}

bsp_text bspi_finish_name(const bspi_content *content, const bspi_finish *finish) {
    if (finish->decal != 0) {
        return content->scene->decal_names[finish->material];
    }
    return finish->material == BSP_NONE ? bsp_text_of("")
                                        : content->scene->materials[finish->material].name;
}

bool bspi_finish_baked(const bspi_content *content, const bspi_finish *finish) {
    return content->options->light == BSP_EXPORT_LIGHT_BAKED && finish->page != BSP_NONE;
}

const bspi_png *bspi_finish_image(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    bool shown = paint != NULL && paint->image != BSP_NONE && finish->color == 0 &&
                 !bspi_finish_baked(content, finish);
    if (finish->glow != 0) {
        return &content->paints.images[paint->glow];
    }
    return shown ? &content->paints.images[paint->image] : NULL;
}

bool bspi_finish_mixes(const bspi_content *content, uint32_t material, uint32_t bits) {
    return (bits & BSP_SURFACE_DISPLACEMENT) != 0 && material != BSP_NONE &&
           content->paints.list[material].second != BSP_NONE;
}

const bspi_png *bspi_finish_second(const bspi_content *content, const bspi_finish *finish) {
    bool shown = bspi_finish_mixes(content, finish->material, finish->bits) && finish->color == 0 &&
                 !bspi_finish_baked(content, finish);
    return shown ? &content->paints.images[content->paints.list[finish->material].second] : NULL;
}

const bspi_png *bspi_finish_layer(const bspi_content *content, const bspi_finish *finish,
                                  uint32_t layer) {
    if (bspi_finish_second(content, finish) == NULL || content->mesh->blends == NULL) {
        return NULL;
    }
    uint32_t image = content->paints.list[finish->material].layers[layer].image;
    return image != BSP_NONE ? &content->paints.images[image] : NULL;
}

const bspi_png *bspi_finish_normal(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    bool shown = paint != NULL && paint->normal != BSP_NONE && finish->color == 0 &&
                 !bspi_finish_unlit(content, finish);
    return shown ? &content->paints.images[paint->normal] : NULL;
}

const bspi_png *bspi_finish_glow(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    bool shown = paint != NULL && paint->glow != BSP_NONE && finish->color == 0 &&
                 !bspi_finish_unlit(content, finish);
    return shown ? &content->paints.images[paint->glow] : NULL;
}

bool bspi_finish_unlit(const bspi_content *content, const bspi_finish *finish) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    return content->options->light == BSP_EXPORT_LIGHT_BAKED ||
           content->options->light == BSP_EXPORT_LIGHT_VERTEX ||
           (finish->look & BSPI_LOOK_UNLIT) != 0 || (paint != NULL && paint->is.unlit);
}

bsp_alpha bspi_finish_alpha(const bspi_content *content, const bspi_finish *finish, float *cut) {
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    *cut = 0.5F;
    if (finish->color != 0 || finish->glow != 0) {
        return BSP_ALPHA_BLEND;
    }
    if (paint != NULL && paint->is.alpha == BSP_ALPHA_TEST) {
        *cut = paint->is.alpha_cut;
        return BSP_ALPHA_TEST;
    }
    bool blended = finish->opacity != 255 || (finish->look & ~BSPI_LOOK_UNLIT) != BSP_LOOK_NORMAL;
    if ((paint != NULL && paint->is.alpha != BSP_ALPHA_OPAQUE) || blended) {
        return BSP_ALPHA_BLEND;
    }
    return (finish->bits & BSP_SURFACE_MASKED) != 0 ? BSP_ALPHA_TEST : BSP_ALPHA_OPAQUE;
}

// --- the look of what is drawn -------------------------------------------------------------------

static uint32_t opacity_of(const bspi_content *content, const bsp_mesh_group *group,
                           const bsp_entity_look *look) {
    const bspi_paint *paint =
        group->material == BSP_NONE ? NULL : &content->paints.list[group->material];
    bool unknown = paint == NULL || !paint->is.found;
    float opacity = paint == NULL ? 1 : paint->is.opacity;
    // A pane without its texture must not shut out the light.
    if (unknown && (group->bits & BSP_SURFACE_TRANSLUCENT) != 0) {
        opacity = BSPI_TRANSLUCENT_OPACITY;
    }
    float flagged = bsp_surface_opacity(content->map, group->flags);
    opacity = flagged < 1 ? flagged : opacity;
    opacity = look->plain ? look->opacity : opacity * look->opacity;
    return opacity > 0 ? (opacity < 1 ? (uint32_t)(opacity * 255 + 0.5F) : 255) : 0;
}

static uint32_t color_of(const bsp_entity_look *look) {
    const uint8_t *c = look->color;
    return look->plain ? (uint32_t)c[0] << 24 | (uint32_t)c[1] << 16 | (uint32_t)c[2] << 8 | 1 : 0;
}

bspi_finish bspi_finish_of_group(const bspi_content *content, const bsp_mesh_group *group,
                                 const bsp_entity_look *look, uint32_t page) {
    bool mixed = bspi_finish_mixes(content, group->material, group->bits);
    return (bspi_finish){.material = group->material,
                         .page = page,
                         .bits = (group->bits & TELLING_BITS) |
                                 (mixed ? (uint32_t)BSP_SURFACE_DISPLACEMENT : 0),
                         .opacity = opacity_of(content, group, look),
                         .look = (uint32_t)look->mode | (look->unlit ? BSPI_LOOK_UNLIT : 0),
                         .color = color_of(look),
                         .tint = BSPI_NO_TINT};
}

bspi_finish bspi_finish_of_prop(const bspi_content *content, const bspi_shape *shape,
                                uint32_t material) {
    const bsp_scene_prop *prop = &content->scene->props[shape->prop];
    float opacity = material == BSP_NONE ? 1 : content->paints.list[material].is.opacity;
    opacity = shape->look.plain ? 1 : opacity;
    opacity *= shape->look.opacity * (float)prop->color[3] / 255;
    return (bspi_finish){
        .material = material,
        .page = BSP_NONE,
        .opacity = opacity > 0 ? (opacity < 1 ? (uint32_t)(opacity * 255 + 0.5F) : 255) : 0,
        .look = (uint32_t)shape->look.mode | (shape->look.unlit ? BSPI_LOOK_UNLIT : 0),
        .color = color_of(&shape->look),
        .tint = (uint32_t)prop->color[0] << 16 | (uint32_t)prop->color[1] << 8 | prop->color[2]};
}

// --- each look once ------------------------------------------------------------------------------

static int by_finish(const void *left, const void *right) {
    const bspi_finish *a = left;
    const bspi_finish *b = right;
    uint32_t keys[9][2] = {{a->material, b->material}, {a->page, b->page}, {a->bits, b->bits},
                           {a->opacity, b->opacity},   {a->look, b->look}, {a->color, b->color},
                           {a->tint, b->tint},         {a->glow, b->glow}, {a->decal, b->decal}};
    for (int i = 0; i < 9; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

// Lists the different materials; wanted[i] is that of part i.
bool bspi_finishes_list(bspi_content *content, const bspi_finish *wanted, bsp_error *error) {
    uint32_t count = content->num_parts;
    content->finishes = bspi_arena_raw(&content->arena, count, sizeof *content->finishes, error);
    if (content->finishes == NULL || count == 0) {
        return content->finishes != NULL;
    }
    memcpy(content->finishes, wanted, count * sizeof *wanted);
    qsort(content->finishes, count, sizeof *content->finishes, by_finish);
    uint32_t unique = 1;
    for (uint32_t i = 1; i < count; i++) {
        if (by_finish(&content->finishes[i], &content->finishes[unique - 1]) != 0) {
            content->finishes[unique++] = content->finishes[i];
        }
    }
    content->num_finishes = unique;
    for (uint32_t i = 0; i < count; i++) {
        const bspi_finish *found =
            bsearch(&wanted[i], content->finishes, unique, sizeof *wanted, by_finish);
        content->parts[i].finish = (uint32_t)(found - content->finishes);
    }
    return true;
}

void bspi_finishes_number_images(bspi_content *content) {
    bspi_png *images = content->paints.images;
    for (uint32_t i = 0; i < content->num_finishes; i++) {
        const bspi_png *used[4 + BSPI_LAYERS] = {bspi_finish_image(content, &content->finishes[i]),
                                                 bspi_finish_second(content, &content->finishes[i]),
                                                 bspi_finish_normal(content, &content->finishes[i]),
                                                 bspi_finish_glow(content, &content->finishes[i])};
        for (uint32_t n = 0; n < BSPI_LAYERS; n++) {
            used[4 + n] = bspi_finish_layer(content, &content->finishes[i], n);
        }
        for (int n = 0; n < 4 + (int)BSPI_LAYERS; n++) {
            if (used[n] != NULL) {
                images[used[n] - images].number = 0;
            }
        }
    }
    for (uint32_t i = 0; i < content->paints.num_images; i++) {
        if (images[i].number == 0) {
            images[i].number = content->num_images++;
        }
    }
}
