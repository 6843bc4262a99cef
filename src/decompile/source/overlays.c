// SPDX-License-Identifier: MIT
// Overlays: the compiler turned the entities into records. Facts: sheets outputs (3) and
// source-lumps (4).
#include "core/search.h"
#include "core/text.h"
#include "core/vector.h"
#include "decompile/source/steps.h"

#include <math.h>
#include <stdlib.h>

// Writes the basis, which is stored in the third components of the points.
static bool add_basis(bspi_work *w, uint32_t made, const bsp_overlay *overlay) {
    const float u[3] = {overlay->uv_points[0][2], overlay->uv_points[1][2],
                        overlay->uv_points[2][2]};
    float v[3];
    bspi_cross(overlay->normal, u, v);
    float length = sqrtf(bspi_dot(v, v));
    float factor = overlay->uv_points[3][2] == 1 ? -1.0F : 1.0F;
    for (int axis = 0; axis < 3 && length > 0; axis++) {
        v[axis] *= factor / length;
    }
    return bspi_add_floats(w, made, "BasisOrigin", overlay->origin, 3) &&
           bspi_add_floats(w, made, "BasisU", u, 3) && bspi_add_floats(w, made, "BasisV", v, 3) &&
           bspi_add_floats(w, made, "BasisNormal", overlay->normal, 3);
}

static bool add_points(bspi_work *w, uint32_t made, const bsp_overlay *overlay) {
    static const char keys[4][4] = {"uv0", "uv1", "uv2", "uv3"};
    for (int i = 0; i < 4; i++) {
        const float point[3] = {overlay->uv_points[i][0], overlay->uv_points[i][1], 0};
        if (!bspi_add_floats(w, made, keys[i], point, 3)) {
            return false;
        }
    }
    return bspi_add_floats(w, made, "StartU", &overlay->u[0], 1) &&
           bspi_add_floats(w, made, "EndU", &overlay->u[1], 1) &&
           bspi_add_floats(w, made, "StartV", &overlay->v[0], 1) &&
           bspi_add_floats(w, made, "EndV", &overlay->v[1], 1);
}

// Writes the fade distances, which are stored squared; a value that is not above 0 has its own
// meaning and is not squared.
static bool add_fades(bspi_work *w, uint32_t made, uint32_t number) {
    if (number >= w->map->num_overlay_fades) {
        return true;
    }
    const bsp_overlay_fade *fade = &w->map->overlay_fades[number];
    const float least = fade->min_sq > 0 ? sqrtf(fade->min_sq) : fade->min_sq;
    const float most = fade->max_sq > 0 ? sqrtf(fade->max_sq) : fade->max_sq;
    return bspi_add_floats(w, made, "fademindist", &least, 1) &&
           bspi_add_floats(w, made, "fademaxdist", &most, 1);
}

// Writes the levels of the machine. The compilers of later branches alone store them.
static bool add_levels(bspi_work *w, uint32_t made, uint32_t number) {
    static const char keys[4][12] = {"mincpulevel", "maxcpulevel", "mingpulevel", "maxgpulevel"};
    bool done = true;
    for (int i = 0; done && i < 4 && number < w->map->num_overlay_levels; i++) {
        done = bspi_add_int(w, made, keys[i], w->map->overlay_levels[number].cpu_gpu[i]);
    }
    return done;
}

static bool add_overlay_sides(bspi_work *w, uint32_t made, const bsp_overlay *overlay,
                              bsp_table_id table, uint32_t number) {
    uint32_t sides[BSP_OVERLAY_FACES];
    uint32_t count = 0;
    uint32_t missing = 0;
    for (uint32_t i = 0; i < overlay->num_faces && i < BSP_OVERLAY_FACES; i++) {
        uint32_t face = overlay->faces[i];
        uint32_t side = face < w->map->num_faces ? w->face_side[face] : BSP_NONE;
        bool known = false;
        for (uint32_t k = 0; k < count; k++) {
            known = known || sides[k] == side;
        }
        missing += side == BSP_NONE;
        if (side != BSP_NONE && !known) {
            sides[count++] = side;
        }
    }
    if (missing != 0) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, table, number,
                  "%u of the overlay's %u faces are on no side that was written", missing,
                  overlay->num_faces);
    }
    return bspi_add_sides(w, made, sides, count, table, number);
}

// --- names --------------------------------------------------------------------------------------

// An entity that the compiler left for an overlay with a name, with the overlay's number.
typedef struct named {
    int64_t id;
    uint32_t entity;
} named;

typedef struct names {
    named *list; // sorted by id
    uint32_t count;
} names;

static int compare_named(const void *a, const void *b) {
    const named *x = a;
    const named *y = b;
    if (x->id != y->id) {
        return x->id < y->id ? -1 : 1;
    }
    return (x->entity > y->entity) - (x->entity < y->entity);
}

static bool read_names(bspi_work *w, names *n) {
    const bspi_source_state *state = bspi_source_of(w);
    n->count = 0;
    n->list = bspi_arena_raw(&w->arena, state->num_named_overlays, sizeof *n->list, w->error);
    for (uint32_t i = 0; n->list != NULL && i < state->num_named_overlays; i++) {
        uint32_t entity = state->named_overlays[i];
        int64_t id;
        if (bsp_parse_int(bsp_entity_value(&w->map->entities->list[entity], "OverlayID"), &id)) {
            n->list[n->count++] = (named){id, entity};
        }
    }
    if (n->list != NULL) {
        qsort(n->list, n->count, sizeof *n->list, compare_named);
    }
    return n->list != NULL;
}

static uint32_t find_named(const names *n, int64_t id) {
    const named first = {.id = id};
    size_t at = bspi_lower_bound(&first, n->list, n->count, sizeof first, compare_named);
    return at < n->count && n->list[at].id == id ? n->list[at].entity : BSP_NONE;
}

// Adds the keys that the compiler left of a named overlay.
static bool add_names(bspi_work *w, uint32_t made, const bsp_overlay *overlay, const names *n) {
    static const char *const others[] = {"classname", "OverlayID", "hammerid", "origin"};
    uint32_t number = find_named(n, overlay->id);
    if (number == BSP_NONE) {
        return true;
    }
    const bsp_entity *entity = &w->map->entities->list[number];
    for (uint32_t k = 0; k < entity->num_pairs; k++) {
        const bsp_pair *pair = &entity->pairs[k];
        bool own = true;
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
            own = own && !bspi_text_is(pair->key, others[i]);
        }
        if (own &&
            !bspi_build_pair(&w->out, made, pair->key, pair->value, bspi_source_is_output(pair))) {
            return false;
        }
    }
    return true;
}

// --- all ----------------------------------------------------------------------------------------

static bool add_overlay(bspi_work *w, const bsp_overlay *overlay, const names *n, bool water,
                        uint32_t number) {
    const bsp_map *map = w->map;
    const char *classname = water ? "info_water_overlay" : "info_overlay";
    bsp_table_id table = water ? BSP_ID_WATER_OVERLAYS : BSP_ID_OVERLAYS;
    uint32_t material =
        overlay->texinfo != BSP_NONE ? map->texinfos[overlay->texinfo].material : BSP_NONE;
    if (!bspi_class_wanted(w, classname)) {
        return true;
    }
    if (material == BSP_NONE) {
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_LOST, table, number, "the overlay has no material");
        return true;
    }
    uint32_t made = bspi_new_entity(w, classname);
    if (made == BSP_NONE || (!water && !add_names(w, made, overlay, n)) ||
        !bspi_add_text(w, made, "material", bspi_source_of(w)->names[material].name) ||
        !add_overlay_sides(w, made, overlay, table, number) ||
        !bspi_add_int(w, made, "RenderOrder", (int64_t)overlay->render_order) ||
        !add_points(w, made, overlay) || !add_basis(w, made, overlay) ||
        (!water && (!add_fades(w, made, number) || !add_levels(w, made, number))) ||
        !bspi_add_floats(w, made, "origin", overlay->origin, 3)) {
        return false;
    }
    w->report->overlays++;
    return true;
}

bool bspi_source_overlays(bspi_work *w) {
    const bsp_map *map = w->map;
    names n;
    if (!read_names(w, &n)) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_overlays; i++) {
        if (!add_overlay(w, &map->overlays[i], &n, false, i)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < map->num_water_overlays; i++) {
        if (!add_overlay(w, &map->water_overlays[i], &n, true, i)) {
            return false;
        }
    }
    return true;
}
