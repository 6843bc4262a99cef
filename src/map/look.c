// SPDX-License-Identifier: MIT
// How an entity's brush model is drawn: the effect of rendermode and renderamt (GoldSrc, Source)
// and alpha (Quake engines since FitzQuake, the re-release of Quake 2). Sources: the render modes
// of the Half-Life and Source SDK (const.h), R_SetRenderMode and CL_FxBlend as in Xash3D.
#include "bspkit/map.h"
#include "map/entity.h"

#include <assert.h>
#include <math.h>

#define MODE_NONE 10 // Source: kRenderNone
// A renderfx that ends: the model fades out, or becomes solid.
#define FX_FADE_SLOW 5
#define FX_FADE_FAST 6
#define FX_SOLID_SLOW 7
#define FX_SOLID_FAST 8
#define MOST_EFFECTS 65535.0F

static const bsp_entity_look whole = {.mode = BSP_LOOK_NORMAL, .opacity = 1};

static uint8_t byte_of(float value) {
    return value > 0 ? (value < 255 ? (uint8_t)value : 255) : 0;
}

static void set_color(const bsp_entity *entity, bsp_entity_look *look) {
    float color[3] = {0, 0, 0};
    look->plain = true;
    if (bsp_parse_vector(bsp_entity_value(entity, "rendercolor"), color)) {
        for (int i = 0; i < 3; i++) {
            look->color[i] = byte_of(color[i]);
        }
    }
}

// Returns the renderamt when the fades of renderfx are over (CL_FxBlend).
static float faded(const bsp_entity *entity, float amount) {
    float fx = bspi_entity_float(entity, "renderfx", 0);
    bool away = fx == FX_FADE_SLOW || fx == FX_FADE_FAST;
    bool solid = fx == FX_SOLID_SLOW || fx == FX_SOLID_FAST;
    return away ? 0 : solid ? 255 : amount;
}

static bsp_entity_look by_mode(const bsp_look_rules *row, const bsp_entity *entity) {
    bsp_entity_look look = whole;
    int mode = (int)fminf(fmaxf(bspi_entity_float(entity, "rendermode", 0), 0), 255);
    float amount = fminf(fmaxf(bspi_entity_float(entity, "renderamt", row->amount), 0), 255);
    if (mode == 0) {
        return look;
    }
    look.opacity = row->has_none && mode == MODE_NONE ? 0 : faded(entity, amount) / 255;
    look.mode = row->adds && (mode == 3 || mode == 5) ? BSP_LOOK_ADD : BSP_LOOK_BLEND;
    look.unlit = row->drops_light;
    if (look.opacity > 0 && row->tests && mode == 4) {
        return whole;
    }
    if (row->colors && mode == 1) {
        set_color(entity, &look);
    }
    return look;
}

bsp_entity_look bsp_entity_look_of(const bsp_map *map, const bsp_entity *entity) {
    assert(map != NULL && entity != NULL);
    const bsp_look_rules *row = &map->traits->look;
    bsp_entity_look look = whole;
    if (bsp_entity_model(map, entity) == 0) { // the world is always drawn
        return look;
    }
    if (row->modes) {
        look = by_mode(row, entity);
    }
    float alpha = row->alpha ? bspi_entity_float(entity, "alpha", 0) : 0;
    if (alpha < 0 || (alpha > 0 && alpha < 1)) {
        look.opacity = alpha < 0 ? 0 : alpha;
    }
    uint32_t effects =
        (uint32_t)fminf(fmaxf(bspi_entity_float(entity, "effects", 0), 0), MOST_EFFECTS);
    if ((effects & row->hides) != 0) {
        look.opacity = 0;
    }
    if (look.opacity < 1 && look.mode == BSP_LOOK_NORMAL) {
        look.mode = BSP_LOOK_BLEND;
    }
    if (look.opacity >= 1 && look.mode == BSP_LOOK_BLEND && !look.unlit) {
        look.mode = BSP_LOOK_NORMAL;
    }
    return look;
}
