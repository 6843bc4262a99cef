// SPDX-License-Identifier: MIT
// Overlays: the faces that they lie on, and their frame, part of which the format hides in the
// third coordinates of the corners. Facts: sheet source-lumps, section 4.
#include "world.h"

#include <string.h>

static vec3 read_vec(const kv *keys, const char *name) {
    double n[3] = {0, 0, 0};
    read_numbers(kv_value(keys, name, ""), n, 3);
    return vec(n[0], n[1], n[2]);
}

static void put_vec(float out[3], vec3 from) {
    for (int i = 0; i < 3; i++) {
        out[i] = (float)from.v[i];
    }
}

static void list_faces(const world *w, const kv *keys, bsp_overlay *o) {
    double sides[BSP_OVERLAY_FACES];
    uint32_t count = read_numbers(kv_value(keys, "sides", ""), sides, BSP_OVERLAY_FACES);
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t f = 0; f < w->num_faces; f++) {
            if (w->faces[f].id == (uint32_t)sides[s] && o->num_faces < 64) {
                o->faces[o->num_faces++] = f;
            }
        }
    }
}

static void put_frame(const kv *keys, bsp_overlay *o) {
    static const char *const corners[4] = {"uv0", "uv1", "uv2", "uv3"};
    vec3 u = read_vec(keys, "BasisU");
    vec3 v = read_vec(keys, "BasisV");
    vec3 normal = read_vec(keys, "BasisNormal");
    put_vec(o->origin, read_vec(keys, "BasisOrigin"));
    put_vec(o->normal, normal);
    for (int i = 0; i < 4; i++) {
        put_vec(o->uv_points[i], read_vec(keys, corners[i]));
        o->uv_points[i][2] = i < 3 ? (float)u.v[i] : 0;
    }
    if (dot(cross(normal, u), v) < 0) {
        o->uv_points[3][2] = 1;
    }
    o->u[0] = (float)kv_number(keys, "StartU", 0);
    o->u[1] = (float)kv_number(keys, "EndU", 1);
    o->v[0] = (float)kv_number(keys, "StartV", 0);
    o->v[1] = (float)kv_number(keys, "EndV", 1);
}

static float squared(double distance) {
    return (float)(distance < 0 ? distance : distance * distance);
}

void place_overlays(world *w) {
    for (uint32_t i = 0; i < w->num_entities; i++) {
        const kv *keys = w->entities[i].keys;
        if (!same_text(w->entities[i].classname, "info_overlay")) {
            continue;
        }
        bsp_overlay o = {.id = (int32_t)w->num_overlays,
                         .render_order = (uint32_t)kv_number(keys, "RenderOrder", 0)};
        texinfo t = {.material = find_material(w, kv_value(keys, "material", "?"))};
        t.flags = w->materials[t.material].flags;
        o.texinfo = find_texinfo(w, &t);
        list_faces(w, keys, &o);
        put_frame(keys, &o);
        bsp_overlay_fade fade = {squared(kv_number(keys, "fademindist", -1)),
                                 squared(kv_number(keys, "fademaxdist", 0))};
        uint32_t fades = w->num_overlays;
        PUSH(w->overlay_fades, fades, fade);
        PUSH(w->overlays, w->num_overlays, o);
    }
}
