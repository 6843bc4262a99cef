// SPDX-License-Identifier: MIT
// Static props: records of some twenty layouts become entities. A key is written if the record of
// the map's version has the property. Facts: sheets outputs (3) and source-versions (6).
#include "decompile/source/steps.h"

#include "core/text.h"
#include "records/file.h"

#include <stdlib.h>
#include <string.h>

// Bit 2 (no cascaded shadow maps) has no known key.
enum {
    EX_NO_SHADOW_DEPTH = 1,
    EX_LIGHT_BOUNCE = 4,
};

// The properties in the records of the map's version.
typedef struct fields {
    bool lighting_origin;
    bool fade_scale;
    bool dx_levels;
    bool cpu_gpu;
    bool color;
    bool lightmap_size;
    bool x360;
    bool flags_ex;
    bool scale;
    uint32_t scale3;     // field with a scale for each axis, or BSP_NONE
    uint32_t targetname; // field, or BSP_NONE
} fields;

typedef struct props {
    bspi_work *w;
    fields has;
    bsp_parts parts;
    bsp_table table; // the records as stored, if `open`
    bool open;
    uint32_t *lighting; // for each prop: the number of its info_lighting, or BSP_NONE
} props;

// --- properties ----------------------------------------------------------------------------------

static uint32_t find_field(const bsp_layout *layout, const char *name) {
    return bsp_layout_find_field(layout, bsp_text_of(name));
}

static void read_layout(const bsp_layout *layout, fields *has) {
    has->lighting_origin = find_field(layout, "m_LightingOrigin") != BSP_NONE;
    has->fade_scale = find_field(layout, "m_flForcedFadeScale") != BSP_NONE;
    has->dx_levels = find_field(layout, "m_nMinDXLevel") != BSP_NONE;
    has->cpu_gpu = find_field(layout, "m_nMinCPULevel") != BSP_NONE;
    has->color = find_field(layout, "m_DiffuseModulation") != BSP_NONE;
    has->lightmap_size = find_field(layout, "m_nLightmapResolutionX") != BSP_NONE;
    has->x360 = find_field(layout, "m_bDisableX360") != BSP_NONE;
    has->flags_ex = find_field(layout, "m_FlagsEx") != BSP_NONE;
    has->scale = find_field(layout, "m_flUniformScale") != BSP_NONE;
    has->scale3 = find_field(layout, "m_Scale");
    has->targetname = find_field(layout, "m_TargetName");
}

// Without the file: a property exists if some prop has a value for it.
static void read_values(const bsp_map *map, fields *has) {
    has->lighting_origin = true;
    has->scale3 = BSP_NONE;
    has->targetname = BSP_NONE;
    for (uint32_t i = 0; i < map->num_static_props; i++) {
        const bsp_static_prop *p = &map->static_props[i];
        has->fade_scale = has->fade_scale || p->forced_fade_scale != 0;
        has->dx_levels = has->dx_levels || (p->dx_levels[0] | p->dx_levels[1]) != 0;
        has->cpu_gpu =
            has->cpu_gpu || (p->cpu_gpu[0] | p->cpu_gpu[1] | p->cpu_gpu[2] | p->cpu_gpu[3]) != 0;
        has->color = has->color || p->color[3] != 0;
        has->lightmap_size = has->lightmap_size || (p->lightmap_size[0] | p->lightmap_size[1]) != 0;
        has->x360 = has->x360 || p->disable_x360 != 0;
        has->flags_ex = has->flags_ex || p->flags_ex != 0;
        has->scale = has->scale || p->scale != 0;
    }
}

static bool open_table(props *p) {
    const bspi_work *w = p->w;
    if (w->options->file != NULL && !bspi_file_table(w->options->file, BSP_ID_STATIC_PROPS,
                                                     &p->parts, &p->table, &p->open, w->error)) {
        return false;
    }
    if (p->open) {
        read_layout(p->table.layout, &p->has);
    } else {
        read_values(w->map, &p->has);
    }
    return true;
}

// --- info_lighting ------------------------------------------------------------------------------

typedef struct lit_prop {
    float at[3];
    uint32_t prop;
} lit_prop;

static int compare_lit(const void *a, const void *b) {
    const lit_prop *x = a;
    const lit_prop *y = b;
    int order = memcmp(x->at, y->at, sizeof x->at);
    return order != 0 ? order : (x->prop > y->prop) - (x->prop < y->prop);
}

static size_t lighting_name(uint32_t number, char out[32]) {
    static const char start[] = "info_lighting_";
    memcpy(out, start, sizeof start - 1);
    return sizeof start - 1 + bspi_format_uint(out + sizeof start - 1, number);
}

static bool add_lighting(bspi_work *w, const float at[3], uint32_t number) {
    char name[32];
    uint32_t made = bspi_new_entity(w, "info_lighting");
    bool named =
        made != BSP_NONE &&
        bspi_add_text(w, made, "targetname", (bsp_text){name, lighting_name(number, name)}) &&
        bspi_add_floats(w, made, "origin", at, 3);
    return named && bspi_source_guessed(w, "guess: names of info_lighting",
                                        &bspi_built_entity(&w->out, made)->visgroup);
}

// Adds an entity for each lighting origin of props; its name is lost.
static bool add_lightings(props *p) {
    bspi_work *w = p->w;
    const bsp_map *map = w->map;
    uint32_t total = map->num_static_props;
    lit_prop *list = bspi_arena_raw(&w->arena, total, sizeof *list, w->error);
    p->lighting = bspi_arena_raw(&w->arena, total, sizeof *p->lighting, w->error);
    if (list == NULL || p->lighting == NULL) {
        return false;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < total; i++) {
        p->lighting[i] = BSP_NONE;
        if (p->has.lighting_origin &&
            (map->static_props[i].flags & BSPI_PROP_LIGHTING_ORIGIN) != 0) {
            memcpy(list[count].at, map->static_props[i].lighting_origin, sizeof list[count].at);
            list[count++].prop = i;
        }
    }
    qsort(list, count, sizeof *list, compare_lit);
    uint32_t number = 0;
    for (uint32_t i = 0; i < count; i++) {
        bool fresh = i == 0 || memcmp(list[i - 1].at, list[i].at, sizeof list[i].at) != 0;
        number += fresh;
        p->lighting[list[i].prop] = number;
        if (fresh && !add_lighting(w, list[i].at, number)) {
            return false;
        }
    }
    return true;
}

// --- keys ---------------------------------------------------------------------------------------

static bool add_flag(bspi_work *w, uint32_t made, const char *key, uint32_t bits) {
    return bspi_add_int(w, made, key, bits != 0);
}

static bool add_place(props *p, uint32_t made, const bsp_static_prop *prop) {
    bspi_work *w = p->w;
    return bspi_add_text(w, made, "model", w->map->static_prop_models[prop->model]) &&
           bspi_add_floats(w, made, "origin", prop->origin, 3) &&
           bspi_add_floats(w, made, "angles", prop->angles, 3) &&
           bspi_add_int(w, made, "skin", prop->skin) &&
           bspi_add_int(w, made, "solid", (int64_t)prop->solid);
}

static bool add_fades(props *p, uint32_t made, const bsp_static_prop *prop) {
    bspi_work *w = p->w;
    // A prop that never fades has -1 and 0 in editors, 0 and 0 in the map.
    bool never = (prop->flags & BSPI_PROP_FADES) == 0 && prop->fade_min == 0 && prop->fade_max == 0;
    const float least = never ? -1 : prop->fade_min;
    return bspi_add_floats(w, made, "fademindist", &least, 1) &&
           bspi_add_floats(w, made, "fademaxdist", &prop->fade_max, 1) &&
           (!p->has.fade_scale ||
            bspi_add_floats(w, made, "fadescale", &prop->forced_fade_scale, 1));
}

static bool add_flags(props *p, uint32_t made, const bsp_static_prop *prop) {
    bspi_work *w = p->w;
    const char *fade = p->has.x360 ? "drawinfastreflection" : "screenspacefade";
    uint32_t flags = prop->flags;
    return add_flag(w, made, "ignorenormals", flags & BSPI_PROP_IGNORE_NORMALS) &&
           add_flag(w, made, "disableshadows", flags & BSPI_PROP_NO_SHADOW) &&
           add_flag(w, made, fade, flags & BSPI_PROP_SCREEN_SPACE_FADE) &&
           add_flag(w, made, "disablevertexlighting", flags & BSPI_PROP_NO_VERTEX_LIGHT) &&
           add_flag(w, made, "disableselfshadowing", flags & BSPI_PROP_NO_SELF_SHADOW);
}

static bool add_light(props *p, uint32_t made, const bsp_static_prop *prop) {
    bspi_work *w = p->w;
    if (p->has.lightmap_size &&
        !add_flag(w, made, "generatelightmaps", (prop->flags & BSPI_PROP_NO_TEXEL_LIGHT) == 0)) {
        return false;
    }
    // A size of 0 means that the compiler had no such keys.
    if ((prop->lightmap_size[0] | prop->lightmap_size[1]) != 0 &&
        (!bspi_add_int(w, made, "lightmapresolutionx", (int64_t)prop->lightmap_size[0]) ||
         !bspi_add_int(w, made, "lightmapresolutiony", (int64_t)prop->lightmap_size[1]))) {
        return false;
    }
    return !p->has.flags_ex ||
           (add_flag(w, made, "disableshadowdepth", prop->flags_ex & EX_NO_SHADOW_DEPTH) &&
            add_flag(w, made, "enablelightbounce", prop->flags_ex & EX_LIGHT_BOUNCE));
}

static bool add_levels(props *p, uint32_t made, const bsp_static_prop *prop) {
    static const char keys[4][12] = {"mincpulevel", "maxcpulevel", "mingpulevel", "maxgpulevel"};
    bspi_work *w = p->w;
    if (p->has.dx_levels && (!bspi_add_int(w, made, "mindxlevel", (int64_t)prop->dx_levels[0]) ||
                             !bspi_add_int(w, made, "maxdxlevel", (int64_t)prop->dx_levels[1]))) {
        return false;
    }
    for (int i = 0; p->has.cpu_gpu && i < 4; i++) {
        if (!bspi_add_int(w, made, keys[i], prop->cpu_gpu[i])) {
            return false;
        }
    }
    return !p->has.x360 || add_flag(w, made, "disableX360", prop->disable_x360);
}

static bool add_color(props *p, uint32_t made, const bsp_static_prop *prop) {
    const float color[3] = {prop->color[0], prop->color[1], prop->color[2]};
    return !p->has.color || (bspi_add_floats(p->w, made, "rendercolor", color, 3) &&
                             bspi_add_int(p->w, made, "renderamt", prop->color[3]));
}

static bool add_scale(props *p, uint32_t made, uint32_t number) {
    bspi_work *w = p->w;
    const bsp_static_prop *prop = &w->map->static_props[number];
    if (p->has.scale) {
        return bspi_add_floats(w, made, "uniformscale", &prop->scale, 1);
    }
    if (p->has.scale3 == BSP_NONE || number >= p->table.count) {
        return true;
    }
    // Respawn's props have one number where others have one for each axis.
    uint32_t count = p->table.layout->fields[p->has.scale3].count;
    float scale[3];
    for (uint32_t i = 0; i < 3; i++) {
        scale[i] = bsp_table_float(&p->table, number, p->has.scale3, i < count ? i : 0);
    }
    if (scale[0] == scale[1] && scale[1] == scale[2]) {
        return bspi_add_floats(w, made, "uniformscale", scale, 1);
    }
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_STATIC_PROPS, number,
              "a scale for each axis: editors have no key for it");
    return true;
}

static bool add_names(props *p, uint32_t made, uint32_t number) {
    char name[32];
    if (p->lighting[number] != BSP_NONE &&
        !bspi_add_text(p->w, made, "lightingorigin",
                       (bsp_text){name, lighting_name(p->lighting[number], name)})) {
        return false;
    }
    if (p->has.targetname == BSP_NONE || number >= p->table.count) {
        return true;
    }
    bsp_text own = bsp_table_text(&p->table, number, p->has.targetname);
    return own.size == 0 || bspi_add_text(p->w, made, "targetname", own);
}

static bool add_prop(props *p, uint32_t number) {
    bspi_work *w = p->w;
    const bsp_static_prop *prop = &w->map->static_props[number];
    if (prop->model >= w->map->num_static_prop_models) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, BSP_ID_STATIC_PROPS, number,
                  "the prop has no model");
        return true;
    }
    uint32_t made = bspi_new_entity(w, "prop_static");
    w->report->static_props++;
    return made != BSP_NONE && add_names(p, made, number) && add_place(p, made, prop) &&
           add_fades(p, made, prop) && add_flags(p, made, prop) && add_light(p, made, prop) &&
           add_levels(p, made, prop) && add_color(p, made, prop) && add_scale(p, made, number);
}

// Reports detail props. The compiler scatters them by the materials' %detailtype and worldspawn's
// keys, which are kept; those of an entity cannot be told from them.
static void report_details(bspi_work *w) {
    w->report->detail_props = w->map->num_detail_props;
    if (w->map->num_detail_props != 0) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_DETAIL_PROPS, BSP_NONE,
                  "%u detail props are left to the compiler: materials and worldspawn make them",
                  w->map->num_detail_props);
    }
}

bool bspi_source_props(bspi_work *w) {
    props p = {.w = w};
    if (!bspi_class_wanted(w, "prop_static")) {
        report_details(w);
        return true;
    }
    bool done = open_table(&p) && add_lightings(&p);
    for (uint32_t i = 0; i < w->map->num_static_props && done; i++) {
        done = add_prop(&p, i);
    }
    if (p.open) {
        bsp_parts_free(&p.parts);
    }
    report_details(w);
    return done;
}
