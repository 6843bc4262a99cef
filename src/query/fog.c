// SPDX-License-Identifier: MIT
// Fog at a point: the volumes that Quake 3 stores, and what entities say in the other games.
#include "map/entity.h"
#include "map/needs.h"
#include "query/collide.h"

#include <assert.h>
#include <string.h>

static bool reads(const bsp_entity *entity, const char *key, float *out, uint32_t count) {
    float values[4];
    bsp_text text = bsp_entity_value(entity, key);
    for (uint32_t i = 0; i < count; i++) {
        size_t start = 0;
        while (start < text.size && (text.data[start] == ' ' || text.data[start] == '\t')) {
            start++;
        }
        size_t end = start;
        while (end < text.size && text.data[end] != ' ' && text.data[end] != '\t') {
            end++;
        }
        if (end == start ||
            !bsp_parse_float((bsp_text){text.data + start, end - start}, &values[i])) {
            return false;
        }
        text = (bsp_text){text.data + end, text.size - end};
    }
    memcpy(out, values, count * sizeof *out);
    return true;
}

static bool is_class(const bsp_entity *entity, const char *name) {
    return bsp_text_equal(bsp_entity_value(entity, "classname"), bsp_text_of(name));
}

// --- Quake 3: volumes ----------------------------------------------------------------------------

// A fog without a brush fills the map, and is taken where no other is.
static bool volume_fog(const bsp_map *map, const float point[3], bsp_fog_here *out) {
    for (uint32_t i = 0; i < map->num_fogs; i++) {
        uint32_t brush = map->fogs[i].brush;
        bool whole = brush >= map->num_brushes;
        bool inside = !whole && map->brushes[brush].num_sides != 0;
        for (uint32_t s = 0; inside && s < map->brushes[brush].num_sides; s++) {
            uint32_t plane = map->brush_sides[map->brushes[brush].first_side + s].plane;
            inside = plane >= map->num_planes ||
                     bspi_dot(map->planes[plane].normal, point) <= map->planes[plane].dist;
        }
        if (inside || (whole && out->fog == BSP_NONE)) {
            out->fog = i;
        }
        if (inside) {
            break;
        }
    }
    out->kind = out->fog != BSP_NONE ? BSP_FOG_VOLUME : BSP_FOG_NONE;
    return out->fog != BSP_NONE;
}

// --- Source: fog controllers ---------------------------------------------------------------------

// Returns the controller whose name a fog_volume around the point has, or NONE.
static uint32_t named_by_volume(const bsp_map *map, const float point[3]) {
    const bsp_entities *entities = map->entities;
    bsp_text name = {NULL, 0};
    for (uint32_t i = 0; i < entities->count; i++) {
        const bsp_entity *e = &entities->list[i];
        bsp_placement place = bsp_entity_placement(map, e);
        if (!is_class(e, "fog_volume") || place.model == BSP_NONE || place.model == 0 ||
            bspi_entity_int(e, "StartDisabled", 0) != 0) {
            continue;
        }
        const bsp_model *model = &map->models[place.model];
        bool inside = true;
        for (int k = 0; k < 3; k++) {
            float at = point[k] - place.origin[k];
            inside = inside && at >= model->mins[k] && at <= model->maxs[k];
        }
        name = inside ? bsp_entity_value(e, "FogName") : name;
    }
    for (uint32_t i = 0; name.size != 0 && i < entities->count; i++) {
        if (is_class(&entities->list[i], "env_fog_controller") &&
            bsp_text_equal(bsp_entity_value(&entities->list[i], "targetname"), name)) {
            return i;
        }
    }
    return BSP_NONE;
}

// The controller that is marked as master, or else the first.
static uint32_t master(const bsp_map *map) {
    uint32_t first = BSP_NONE;
    for (uint32_t i = 0; i < map->entities->count; i++) {
        const bsp_entity *e = &map->entities->list[i];
        if (!is_class(e, "env_fog_controller")) {
            continue;
        }
        if ((bspi_entity_int(e, "spawnflags", 0) & 1) != 0) {
            return i;
        }
        first = first == BSP_NONE ? i : first;
    }
    return first;
}

static void read_color(const bsp_entity *entity, const char *key, float color[3]) {
    if (reads(entity, key, color, 3)) {
        for (int c = 0; c < 3; c++) {
            color[c] /= 255;
        }
    }
}

static bool controlled_fog(const bsp_map *map, const float point[3], bsp_fog_here *out) {
    uint32_t number = named_by_volume(map, point);
    number = number == BSP_NONE ? master(map) : number;
    const bsp_entity *e = number == BSP_NONE ? NULL : &map->entities->list[number];
    if (e == NULL || bspi_entity_int(e, "fogenable", 0) == 0) {
        return false;
    }
    out->kind = BSP_FOG_RANGE;
    out->entity = number;
    out->max_density = 1;
    read_color(e, "fogcolor", out->color);
    (void)reads(e, "fogstart", &out->start, 1);
    (void)reads(e, "fogend", &out->end, 1);
    (void)reads(e, "fogmaxdensity", &out->max_density, 1);
    return true;
}

// --- Quake and GoldSrc: one fog for the map ------------------------------------------------------

// Quake: "fog" of worldspawn is density, red, green, blue. GoldSrc: env_fog.
static bool map_fog(const bsp_map *map, bsp_fog_here *out) {
    for (uint32_t i = 0; i < map->entities->count; i++) {
        const bsp_entity *e = &map->entities->list[i];
        float fog[4];
        if (is_class(e, "worldspawn") && reads(e, "fog", fog, 4)) {
            out->density = fog[0];
            memcpy(out->color, fog + 1, sizeof out->color);
        } else if (is_class(e, "env_fog") && reads(e, "density", &out->density, 1)) {
            read_color(e, "rendercolor", out->color);
        } else {
            continue;
        }
        out->kind = BSP_FOG_DENSITY;
        out->entity = i;
        return out->density > 0;
    }
    return false;
}

bool bsp_query_fog(const bsp_map *map, const float point[3], bsp_fog_here *out) {
    assert(map != NULL && point != NULL && out != NULL);
    assert(bspi_map_has(map,
                        BSP_LOAD_ENTITIES | BSP_LOAD_TREE | BSP_LOAD_BRUSHES | BSP_LOAD_SURFACES));
    bsp_fog_here found = {.fog = BSP_NONE, .entity = BSP_NONE};
    bool fog = map->num_fogs != 0      ? volume_fog(map, point, &found)
               : map->entities == NULL ? false
                                       : controlled_fog(map, point, &found) || map_fog(map, &found);
    *out = fog ? found : (bsp_fog_here){.fog = BSP_NONE, .entity = BSP_NONE};
    return fog;
}
