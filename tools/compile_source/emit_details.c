// SPDX-License-Identifier: MIT
// Detail props: models and sprites that the drawing places one by one (prop_detail,
// prop_detail_sprite). Facts: sheet source-lumps, section 5.1; keys: base.fgd of the Source SDK.
// Those that Valve's compiler strews by a file of rules over materials are not made. Their light is
// what the ambient cube of their leaf has from above.
#include "emit.h"
#include "keys.h"

#include <string.h>

typedef struct detail_list {
    bsp_text *models;
    uint32_t num_models;
    bsp_detail_sprite *sprites;
    uint32_t num_sprites;
    bsp_detail_prop *props;
    uint32_t num_props;
} detail_list;

static void pair_of(const world *w, const entity *e, const char *key, float out[2]) {
    double numbers[2] = {0, 0};
    (void)numbers_in(key_text(w, e, key), numbers, 2);
    out[0] = (float)numbers[0];
    out[1] = (float)numbers[1];
}

// Corners of the picture are texels; the sheet's coordinates are shares of its size.
static uint32_t find_sprite(const world *w, const entity *e, detail_list *list) {
    bsp_detail_sprite s;
    float size[2];
    float total[2];
    pair_of(w, e, "position_ul", s.upper_left);
    pair_of(w, e, "position_lr", s.lower_right);
    pair_of(w, e, "tex_ul", s.tex_upper_left);
    pair_of(w, e, "tex_size", size);
    pair_of(w, e, "tex_total_size", total);
    for (int i = 0; i < 2; i++) {
        s.tex_lower_right[i] = (s.tex_upper_left[i] + size[i]) / total[i];
        s.tex_upper_left[i] /= total[i];
    }
    for (uint32_t i = 0; i < list->num_sprites; i++) {
        if (memcmp(&list->sprites[i], &s, sizeof s) == 0) {
            return i;
        }
    }
    PUSH(list->sprites, list->num_sprites, s);
    return list->num_sprites - 1;
}

static void add_detail(const world *w, const entity *e, detail_list *list) {
    bool sprite = is_class(e, "prop_detail_sprite");
    bsp_detail_prop p = {.leaf = leaf_at(w, &w->models[0], e->origin),
                         .type = sprite ? 1 : 0,
                         .scale = 1,
                         .orientation = (uint32_t)key_number(w, e, "detailOrientation", 0)};
    p.model = sprite ? find_sprite(w, e, list)
                     : text_number(&list->models, &list->num_models, key_text(w, e, "model"));
    put_vec3(p.origin, e->origin);
    put_vec3(p.angles, key_vec(w, e, "angles"));
    const bsp_ambient_index *cube = &w->ambient_index[p.leaf];
    if (cube->count != 0) {
        memcpy(p.light, w->ambient[cube->first].cube + 16, sizeof p.light); // +z
        p.light[3] = (uint8_t)(p.light[3] + 8); // full light is 255 here, and 1 in cubes
    }
    PUSH(list->props, list->num_props, p);
}

void emit_details(const world *w, bsp_map *map) {
    detail_list list = {0};
    for (uint32_t i = 0; i < w->num_entities; i++) {
        const entity *e = &w->entities[i];
        if (is_class(e, "prop_detail") || is_class(e, "prop_detail_sprite")) {
            add_detail(w, e, &list);
        }
    }
    map->detail_models = list.models;
    map->num_detail_models = list.num_models;
    map->detail_sprites = list.sprites;
    map->num_detail_sprites = list.num_sprites;
    map->detail_props = list.props;
    map->num_detail_props = list.num_props;
}
