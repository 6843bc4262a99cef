// SPDX-License-Identifier: MIT
// The drawing as brushes: planes, textures and contents of each side; what func_detail holds goes
// to the world; brush entities are moved to their origin; missing axial sides are added.
#include "keys.h"

#include <math.h>

#define SCALE_STEPS 1e4
#define HAMMERS_LUXEL 16 // units, where a side does not say

// --- sides --------------------------------------------------------------------------------------

// A document has texture axes divided by their scale. What a person drew has unit axes of six
// digits and a scale of few.
static double scale_of(const double vec[4]) {
    return floor(SCALE_STEPS / length(axis_of(vec)) + 0.5) / SCALE_STEPS;
}

// Texture vectors of a side. `origin` moves with the brushes of an entity.
static uint32_t make_texinfo(world *w, const bsp_mapdoc_side *in, uint32_t m, vec3 origin) {
    texinfo t = {.flags = w->materials[m].flags, .material = m};
    double luxel = in->lightmap_scale > 0 ? in->lightmap_scale : HAMMERS_LUXEL;
    for (int a = 0; a < 2; a++) {
        double scale = scale_of(in->vec[a]);
        for (int i = 0; i < 3; i++) {
            t.texture[a][i] = in->vec[a][i];
            t.light[a][i] = in->vec[a][i] * scale / luxel;
            t.texture[a][3] += origin.v[i] * t.texture[a][i];
            t.light[a][3] += origin.v[i] * t.light[a][i];
        }
        t.texture[a][3] += in->vec[a][3];
        t.light[a][3] += in->vec[a][3] * scale / luxel;
    }
    return find_texinfo(w, &t);
}

// Materials that mirror are made anew for the cubemap that is nearest.
static uint32_t pick_material(world *w, const bsp_mapdoc_side *in, vec3 place) {
    uint32_t m = find_material(w, in->material);
    vec3 *nearest = w->cubemaps;
    for (uint32_t i = 1; i < w->num_cubemaps; i++) {
        bool nearer = length(sub(w->cubemaps[i], place)) < length(sub(*nearest, place));
        nearest = nearer ? &w->cubemaps[i] : nearest;
    }
    return w->materials[m].mirror && nearest != NULL ? mirrored_material(w, m, *nearest) : m;
}

static side read_side(world *w, const bsp_mapdoc_side *in, vec3 origin) {
    side s = {.id = in->id, .smoothing = in->smoothing};
    // The plane of the document differs in its last bit, and three luxels of the samples with it.
    vec3 b = axis_of(in->points[1]);
    vec3 normal = unit(cross(sub(axis_of(in->points[0]), b), sub(axis_of(in->points[2]), b)));
    double dist = dot(normal, b);
    s.plane = plane_find(&w->planes, normal, dist - dot(normal, origin));
    s.material = pick_material(w, in, scaled(normal, dist));
    s.texinfo = make_texinfo(w, in, s.material, origin);
    s.bent = in->disp == BSP_NONE ? NULL : read_hill(w, in->disp);
    return s;
}

// --- brushes ------------------------------------------------------------------------------------

static void shape_brush(world *w, brush *b, uint32_t id) {
    uint32_t planes[64];
    for (uint32_t i = 0; i < b->num_sides && i < 64; i++) {
        planes[i] = b->sides[i].plane;
    }
    b->shape = hull_of_planes(&w->planes, planes, b->num_sides < 64 ? b->num_sides : 64);
    if (b->shape == NULL) {
        fail("solid %u has no inside", id);
    }
    for (uint32_t i = 0; i < b->num_sides; i++) {
        for (uint32_t f = 0; f < b->shape->count; f++) {
            if (b->shape->faces[f].plane == b->sides[i].plane) {
                b->sides[i].w = b->shape->faces[f].w;
            }
        }
    }
}

// The engine grows brushes by the box of what moves: for that each needs its six axial sides.
static void add_bevels(world *w, brush *b) {
    box3 box = hull_box(b->shape);
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = 1; sign >= -1; sign -= 2) {
            vec3 normal = vec(0, 0, 0);
            normal.v[axis] = sign;
            double dist = sign > 0 ? box.maxs.v[axis] : -box.mins.v[axis];
            uint32_t plane = plane_find(&w->planes, normal, dist);
            bool there = false;
            for (uint32_t i = 0; i < b->num_sides; i++) {
                there = there || b->sides[i].plane == plane;
            }
            side bevel = {.plane = plane, .texinfo = b->sides[0].texinfo, .bevel = true};
            if (!there) {
                PUSH(b->sides, b->num_sides, bevel);
            }
        }
    }
}

static brush read_solid(world *w, const bsp_mapdoc_brush *solid, vec3 origin, bool detail) {
    brush b = {.number = BSP_NONE};
    bool hint = false;
    for (uint32_t i = 0; i < solid->num_sides; i++) {
        side s = read_side(w, &w->drawing->sides[solid->first_side + i], origin);
        b.contents |= w->materials[s.material].contents;
        hint = hint || (w->materials[s.material].flags & SURF_HINT) != 0;
        PUSH(b.sides, b.num_sides, s);
    }
    b.contents |= detail ? CONTENTS_DETAIL : 0;
    b.detail = (b.contents & CONTENTS_DETAIL) != 0;
    b.structural = !b.detail && (hint || (b.contents & (CONTENTS_SOLID | CONTENTS_LIQUID)) != 0);
    shape_brush(w, &b, solid->id);
    return b;
}

static hill *bent_side(const brush *b, uint32_t *which) {
    for (uint32_t i = 0; i < b->num_sides; i++) {
        if (b->sides[i].bent != NULL) {
            *which = i;
            return b->sides[i].bent;
        }
    }
    return NULL;
}

// --- entities -----------------------------------------------------------------------------------

static const bsp_mapdoc_brush *solid_of(const world *w, const entity *e, uint32_t i) {
    return &w->drawing->brushes[w->drawing->entities[e->number].first_brush + i];
}

// An origin brush wins over the key.
static vec3 find_origin(world *w, const entity *e, uint32_t num_solids) {
    for (uint32_t i = 0; i < num_solids; i++) {
        brush b = read_solid(w, solid_of(w, e, i), vec(0, 0, 0), false);
        if ((b.contents & CONTENTS_ORIGIN) != 0) {
            box3 box = hull_box(b.shape);
            return mix(box.mins, box.maxs, 0.5);
        }
    }
    return key_vec(w, e, "origin");
}

static void keep_brush(world *w, entity *owner, brush b) {
    uint32_t which;
    hill *bent = bent_side(&b, &which);
    if (bent == NULL) {
        add_bevels(w, &b);
        PUSH(owner->brushes, owner->num_brushes, b);
        return;
    }
    // Of a brush with a displacement only that side is left.
    face f = {.plane = b.sides[which].plane,
              .texinfo = b.sides[which].texinfo,
              .id = b.sides[which].id,
              .bent = bent,
              .fog_volume = BSP_NONE,
              .original = w->num_originals,
              .w = b.sides[which].w};
    bent->face = w->num_hills;
    PUSH(w->hills, w->num_hills, bent);
    PUSH(w->originals, w->num_originals, f);
}

static void read_entity(world *w, uint32_t number) {
    entity e = {.number = number, .model = BSP_NONE, .style = BSP_NONE};
    e.classname = key_text(w, &e, "classname");
    uint32_t num_solids = w->drawing->entities[number].num_brushes;
    bool detail = is_class(&e, "func_detail");
    e.origin = number == 0 || detail ? vec(0, 0, 0) : find_origin(w, &e, num_solids);
    e.dropped = detail || is_class(&e, "prop_static") || is_class(&e, "info_overlay") ||
                is_class(&e, "env_cubemap") || is_class(&e, "prop_detail") ||
                is_class(&e, "prop_detail_sprite");
    entity *owner = detail ? &w->entities[0] : &e;
    for (uint32_t i = 0; i < num_solids; i++) {
        brush b = read_solid(w, solid_of(w, &e, i), e.origin, detail);
        if ((b.contents & CONTENTS_ORIGIN) == 0) {
            keep_brush(w, owner, b);
        }
    }
    PUSH(w->entities, w->num_entities, e);
}

// Brushes by number: those of the world first, then those of each brush entity.
static void number_models(world *w) {
    uint32_t number = 0;
    for (uint32_t i = 0; i < w->num_entities; i++) {
        entity *e = &w->entities[i];
        if (e->num_brushes == 0 && i != 0) {
            continue;
        }
        for (uint32_t b = 0; b < e->num_brushes; b++) {
            e->brushes[b].number = number++;
        }
        model m = {.brushes = e->brushes, .num_brushes = e->num_brushes, .origin = e->origin};
        e->model = w->num_models;
        PUSH(w->models, w->num_models, m);
    }
}

static void read_cubemaps(world *w) {
    for (uint32_t i = 0; i < w->drawing->num_entities; i++) {
        entity e = {.number = i};
        e.classname = key_text(w, &e, "classname");
        if (is_class(&e, "env_cubemap")) {
            uint32_t sizes = w->num_cubemaps;
            PUSH(w->cubemap_sizes, sizes, (uint32_t)key_number(w, &e, "cubemapsize", 0));
            PUSH(w->cubemaps, w->num_cubemaps, key_vec(w, &e, "origin"));
        }
    }
}

void read_drawing(world *w) {
    read_cubemaps(w);
    for (uint32_t i = 0; i < w->drawing->num_entities; i++) {
        read_entity(w, i);
    }
    number_models(w);
}
