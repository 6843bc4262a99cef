// SPDX-License-Identifier: MIT
// Static props of Source: their models, the pictures of these, and shadows. Facts:
// vradstaticprops.cpp and trace.cpp of the Source SDK.
#include "bake/light/shadows/props.h"

#include <string.h>

#define STEPS 64u // boxes that are looked at count as one of work

// --- shadows ------------------------------------------------------------------------------------

void bspi_props_shade(bspi_relight *own, bspi_shaded of, const bsp_sight_line *lines, bool *seen,
                      float (*through)[3], uint32_t count) {
    bspi_occluder_lines among = {.model = of.model,
                                 .channels = BSPI_CHANNEL,
                                 .whole = through == NULL,
                                 .sky = BSP_NONE,
                                 .last = BSP_NONE};
    if (own->props == NULL || own->props->shades == NULL) {
        return;
    }
    among.all = own->props->shades;
    for (uint32_t i = 0; i < count; i++) {
        float left[3] = {0};
        seen[i] = seen[i] && bspi_occluders_line(&among, lines[i].from, lines[i].to, left);
        for (int c = 0; through != NULL && c < 3; c++) {
            through[i][c] *= left[c];
        }
    }
    (void)bspi_heap_work(&own->heap, among.steps / STEPS, NULL); // what fails next tells of it
}

// --- models -------------------------------------------------------------------------------------

// Keeps the picture of a model's material, if its alpha lets light through.
static bool take_picture(void *user, uint32_t material, const bsp_scene_material *as,
                         bsp_texture *texture, bsp_texture *second, bsp_error *error) {
    bspi_relight *own = user;
    bspi_prop_lights *p = own->props;
    (void)second;
    if (!texture->found || (as->alpha != BSP_ALPHA_TEST && as->alpha != BSP_ALPHA_BLEND)) {
        return true;
    }
    while (p->num_pictures <= material) {
        bspi_picture *more = bspi_grow(&own->heap, p->pictures, p->num_pictures, &p->picture_room,
                                       sizeof *more, error);
        if (more == NULL) {
            return false;
        }
        p->pictures = more;
        more[p->num_pictures++] = (bspi_picture){.width = 0};
    }
    return bspi_picture_keep(own, texture, &p->pictures[material], error);
}

bool bspi_props_find(bspi_relight *own, bsp_error *error) {
    const bsp_map *map = own->map;
    if (own->relight.compiler != BSP_COMPILER_VRAD || map->num_static_props == 0 ||
        own->options->textures == NULL) {
        return true;
    }
    bool pictures = own->options->prop_shadows == BSP_PROP_SHADOWS_TEXTURES;
    const bsp_scene_options options = {.file = own->file,
                                       .textures = own->options->textures,
                                       .pictures = pictures ? take_picture : NULL,
                                       .user = own,
                                       .full_bright = true,
                                       .props = true,
                                       .props_alone = true,
                                       .allocator = own->options->allocator,
                                       .budget = own->options->budget};
    own->props = bspi_arena_zero(&own->arena, 1, sizeof *own->props, error);
    if (own->props == NULL) {
        return false;
    }
    own->props->scene = bsp_scene_build(map, &options, error);
    return own->props->scene != NULL && bspi_prop_shades_find(own, error);
}

void bspi_props_free(bspi_relight *own) {
    bspi_prop_lights *p = own->props;
    if (p == NULL) {
        return;
    }
    for (uint32_t i = 0; p->blobs != NULL && i < p->count; i++) {
        bsp_blob_free(&p->blobs[i]);
    }
    bspi_heap_free(&own->heap, p->pictures, p->picture_room * sizeof *p->pictures);
    bsp_scene_free(p->scene);
}
