// SPDX-License-Identifier: MIT
// Overlays: the faces that they lie on, and their frame, part of which the format hides in the
// third coordinates of the corners. Facts: sheet source-lumps, section 4.
#include "emit.h"
#include "keys.h"

static void list_faces(const world *w, const entity *e, bsp_overlay *o) {
    double sides[BSP_OVERLAY_FACES];
    uint32_t count = numbers_in(key_text(w, e, "sides"), sides, BSP_OVERLAY_FACES);
    for (uint32_t s = 0; s < count; s++) {
        for (uint32_t f = 0; f < w->num_faces; f++) {
            if (w->faces[f].id == (uint32_t)sides[s] && o->num_faces < 64) {
                o->faces[o->num_faces++] = f;
            }
        }
    }
}

static void put_frame(const world *w, const entity *e, bsp_overlay *o) {
    static const char *const corners[4] = {"uv0", "uv1", "uv2", "uv3"};
    vec3 u = key_vec(w, e, "BasisU");
    vec3 v = key_vec(w, e, "BasisV");
    vec3 normal = key_vec(w, e, "BasisNormal");
    put_vec3(o->origin, key_vec(w, e, "BasisOrigin"));
    put_vec3(o->normal, normal);
    for (int i = 0; i < 4; i++) {
        put_vec3(o->uv_points[i], key_vec(w, e, corners[i]));
        o->uv_points[i][2] = i < 3 ? (float)u.v[i] : 0;
    }
    if (dot(cross(normal, u), v) < 0) {
        o->uv_points[3][2] = 1;
    }
    o->u[0] = (float)key_number(w, e, "StartU", 0);
    o->u[1] = (float)key_number(w, e, "EndU", 1);
    o->v[0] = (float)key_number(w, e, "StartV", 0);
    o->v[1] = (float)key_number(w, e, "EndV", 1);
}

static float squared(double distance) {
    return (float)(distance < 0 ? distance : distance * distance);
}

void place_overlays(world *w) {
    for (uint32_t i = 0; i < w->num_entities; i++) {
        const entity *e = &w->entities[i];
        if (!is_class(e, "info_overlay")) {
            continue;
        }
        bsp_overlay o = {.id = (int32_t)w->num_overlays,
                         .render_order = (uint32_t)key_number(w, e, "RenderOrder", 0)};
        texinfo t = {.material = find_material(w, key_text(w, e, "material"))};
        t.flags = w->materials[t.material].flags;
        o.texinfo = find_texinfo(w, &t);
        list_faces(w, e, &o);
        put_frame(w, e, &o);
        bsp_overlay_fade fade = {squared(key_number(w, e, "fademindist", -1)),
                                 squared(key_number(w, e, "fademaxdist", 0))};
        uint32_t fades = w->num_overlays;
        PUSH(w->overlay_fades, fades, fade);
        PUSH(w->overlays, w->num_overlays, o);
    }
}
