// SPDX-License-Identifier: MIT
// The drawing as brushes: planes, textures and contents of each side; what func_detail holds goes
// to the world; brush entities are moved to their origin; missing axial sides are added.
#include "world.h"

#include <string.h>

// --- sides --------------------------------------------------------------------------------------

// Texture vectors of a side. `origin` moves with the brushes of an entity.
static uint32_t read_texinfo(world *w, const kv *in, uint32_t m, vec3 origin) {
    static const char *const keys[2] = {"uaxis", "vaxis"};
    texinfo t = {.flags = w->materials[m].flags, .material = m};
    double luxel = kv_number(in, "lightmapscale", 16);
    for (int a = 0; a < 2; a++) {
        double n[5];
        if (read_numbers(kv_value(in, keys[a], ""), n, 5) != 5 || n[4] == 0) {
            fail("side %s: its %s is not [x y z shift] scale", kv_value(in, "id", "?"), keys[a]);
        }
        for (int i = 0; i < 3; i++) {
            t.texture[a][i] = n[i] / n[4];
            t.light[a][i] = n[i] / luxel;
            t.texture[a][3] += origin.v[i] * t.texture[a][i];
            t.light[a][3] += origin.v[i] * t.light[a][i];
        }
        t.texture[a][3] += n[3];
        t.light[a][3] += n[3] * n[4] / luxel;
    }
    return find_texinfo(w, &t);
}

static plane3 read_plane(const kv *in) {
    double n[9];
    if (read_numbers(kv_value(in, "plane", ""), n, 9) != 9) {
        fail("side %s: its plane is not three points", kv_value(in, "id", "?"));
    }
    vec3 a = vec(n[0], n[1], n[2]);
    vec3 b = vec(n[3], n[4], n[5]);
    vec3 c = vec(n[6], n[7], n[8]);
    plane3 out = {unit(cross(sub(a, b), sub(c, b))), 0};
    out.dist = dot(out.normal, b);
    return out;
}

// Materials that mirror are made anew for the cubemap that is nearest.
static uint32_t pick_material(world *w, const kv *in, vec3 place) {
    uint32_t m = find_material(w, kv_value(in, "material", "?"));
    vec3 *nearest = w->cubemaps;
    for (uint32_t i = 1; i < w->num_cubemaps; i++) {
        bool nearer = length(sub(w->cubemaps[i], place)) < length(sub(*nearest, place));
        nearest = nearer ? &w->cubemaps[i] : nearest;
    }
    return w->materials[m].mirror && nearest != NULL ? mirrored_material(w, m, *nearest) : m;
}

static side read_side(world *w, const kv *in, vec3 origin) {
    side s = {.id = (uint32_t)kv_number(in, "id", 0),
              .smoothing = (uint32_t)kv_number(in, "smoothing_groups", 0)};
    plane3 plane = read_plane(in);
    s.plane = plane_find(&w->planes, plane.normal, plane.dist - dot(plane.normal, origin));
    s.material = pick_material(w, in, scaled(plane.normal, plane.dist));
    s.texinfo = read_texinfo(w, in, s.material, origin);
    const kv *bent = kv_block(in, "dispinfo");
    s.bent = bent == NULL ? NULL : read_hill(bent);
    return s;
}

// --- brushes ------------------------------------------------------------------------------------

static void shape_brush(world *w, brush *b, const char *id) {
    uint32_t planes[64];
    for (uint32_t i = 0; i < b->num_sides && i < 64; i++) {
        planes[i] = b->sides[i].plane;
    }
    b->shape = hull_of_planes(&w->planes, planes, b->num_sides < 64 ? b->num_sides : 64);
    if (b->shape == NULL) {
        fail("solid %s has no inside", id);
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

static brush read_solid(world *w, const kv *solid, vec3 origin, bool detail) {
    brush b = {.number = BSP_NONE};
    bool hint = false;
    for (uint32_t i = 0; i < solid->count; i++) {
        if (solid->list[i].value == NULL && kv_is(&solid->list[i], "side")) {
            side s = read_side(w, &solid->list[i], origin);
            b.contents |= w->materials[s.material].contents;
            hint = hint || (w->materials[s.material].flags & SURF_HINT) != 0;
            PUSH(b.sides, b.num_sides, s);
        }
    }
    b.contents |= detail ? CONTENTS_DETAIL : 0;
    b.detail = (b.contents & CONTENTS_DETAIL) != 0;
    b.structural = !b.detail && (hint || (b.contents & (CONTENTS_SOLID | CONTENTS_LIQUID)) != 0);
    shape_brush(w, &b, kv_value(solid, "id", "?"));
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

static vec3 read_vec(const kv *keys, const char *name) {
    double n[3] = {0, 0, 0};
    read_numbers(kv_value(keys, name, ""), n, 3);
    return vec(n[0], n[1], n[2]);
}

static bool is_solid(const kv *entry) {
    return entry->value == NULL && kv_is(entry, "solid");
}

// An origin brush wins over the key.
static vec3 find_origin(world *w, const kv *in) {
    for (uint32_t i = 0; i < in->count; i++) {
        if (is_solid(&in->list[i])) {
            brush b = read_solid(w, &in->list[i], vec(0, 0, 0), false);
            if ((b.contents & CONTENTS_ORIGIN) != 0) {
                box3 box = hull_box(b.shape);
                return mix(box.mins, box.maxs, 0.5);
            }
        }
    }
    return read_vec(in, "origin");
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

static void read_entity(world *w, const kv *in) {
    entity e = {.keys = in,
                .classname = kv_value(in, "classname", ""),
                .model = BSP_NONE,
                .style = BSP_NONE};
    bool first = w->num_entities == 0;
    bool detail = same_text(e.classname, "func_detail");
    bool shaped = false;
    for (uint32_t i = 0; i < in->count; i++) {
        shaped = shaped || is_solid(&in->list[i]);
    }
    e.origin = first || detail ? vec(0, 0, 0)
               : shaped        ? find_origin(w, in)
                               : read_vec(in, "origin");
    e.dropped = detail || same_text(e.classname, "prop_static") ||
                same_text(e.classname, "info_overlay") || same_text(e.classname, "env_cubemap");
    entity *owner = detail ? &w->entities[0] : &e;
    for (uint32_t i = 0; i < in->count; i++) {
        if (is_solid(&in->list[i])) {
            brush b = read_solid(w, &in->list[i], e.origin, detail);
            if ((b.contents & CONTENTS_ORIGIN) == 0) {
                keep_brush(w, owner, b);
            }
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

static void read_cubemaps(world *w, const kv *vmf) {
    for (uint32_t i = 0; i < vmf->count; i++) {
        if (same_text(kv_value(&vmf->list[i], "classname", ""), "env_cubemap")) {
            uint32_t sizes = w->num_cubemaps;
            PUSH(w->cubemap_sizes, sizes, (uint32_t)kv_number(&vmf->list[i], "cubemapsize", 0));
            PUSH(w->cubemaps, w->num_cubemaps, read_vec(&vmf->list[i], "origin"));
        }
    }
}

void read_drawing(world *w, const kv *vmf) {
    const kv *drawn = kv_block(vmf, "world");
    if (drawn == NULL) {
        fail("%s: has no world", vmf->name);
    }
    read_cubemaps(w, vmf);
    read_entity(w, drawn);
    for (uint32_t i = 0; i < vmf->count; i++) {
        if (vmf->list[i].value == NULL && kv_is(&vmf->list[i], "entity")) {
            read_entity(w, &vmf->list[i]);
        }
    }
    number_models(w);
}
