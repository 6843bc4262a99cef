// SPDX-License-Identifier: MIT
// Which faces cast shadows by the rules of ericw-tools, and what light does at them. Sources:
// Embree_TraceInit and Face_Alpha of its light/trace_embree.cc.
#include "bake/light/base/keys.h"
#include "bake/light/base/surface_keys.h"
#include "bake/light/shadows/occluder_join.h"
#include "bake/light/shadows/occluder_list.h"

#include "core/vector.h"
#include "query/masks.h"
#include "query/winding.h"

#include <math.h>
#include <string.h>

#define MOST_CORNERS 256u // of a face that casts a shadow
#define MOST_PLANES 60u   // on the way to a leaf

// --- what a face does ---------------------------------------------------------------------------

static float opacity_of(const bspi_relight *own, uint32_t face, uint32_t model) {
    float flagged = bsp_surface_opacity(own->map, bsp_surface_flags(own->map, face));
    return bspi_said(bspi_surface_keys_of(own, face)->opacity,
                     bspi_said(own->models[model].opacity, flagged));
}

// Does light go through a face, and its picture tint it? In families whose flags say so it is by
// these alone, and else before holes.
static bool is_glass(const bsp_map *map, uint32_t flags, bool masked, float opacity) {
    bool by_flags = map->traits->surface.third != 0;
    return by_flags ? !masked && bsp_surface_opacity(map, flags) < 1 : opacity < 1;
}

// False for a face that light passes as if it were not there.
static bool kind_of(const bspi_relight *own, uint32_t face, uint32_t model, bspi_occluder *out) {
    const bsp_map *map = own->map;
    uint32_t bits = bsp_surface_bits_of(map, face);
    bool sky = (bits & BSP_SURFACE_SKY) != 0;
    bool masked = (bits & BSP_SURFACE_MASKED) != 0;
    uint32_t flags = bsp_surface_flags(map, face);
    bool hidden = (flags & map->traits->surface.hidden) != 0;
    const bspi_surface_keys *keys = bspi_surface_keys_of(own, face);
    bool filtered = // light ends at any of its faces
        own->models[model].channels != BSPI_CHANNEL || out->channels != BSPI_CHANNEL;
    if (keys->no_shadow) {
        return false;
    }
    if (own->models[model].style != 0) {
        out->opacity = 1;
        out->kind = BSPI_OCCLUDER_SOLID;
        return true;
    }
    if (hidden && !sky && !filtered) {
        return false;
    }
    out->opacity = opacity_of(own, face, model);
    filtered |= out->opacity < 1;
    out->kind = is_glass(map, flags, masked, out->opacity) ? BSPI_OCCLUDER_GLASS
                : masked                                   ? BSPI_OCCLUDER_FENCE
                : sky && !filtered                         ? BSPI_OCCLUDER_SKY
                                                           : BSPI_OCCLUDER_SOLID;
    return out->kind != BSPI_OCCLUDER_SOLID || filtered || (bits & BSP_SURFACE_LIQUID) == 0 ||
           model != 0;
}

// --- its place ----------------------------------------------------------------------------------

// Reads the corners into the world. Returns how many there are, 0 for none that can be taken.
static uint32_t read_corners(const bspi_occluder_list *f, uint32_t face, const float origin[3],
                             float (*points)[3]) {
    bsp_surface_corner corners[MOST_CORNERS];
    uint32_t count = bsp_surface_corners(f->own->map, face, corners, MOST_CORNERS);
    if (count < 3 || count > MOST_CORNERS) {
        return 0;
    }
    for (uint32_t n = 0; n < count; n++) {
        for (int i = 0; i < 3; i++) {
            points[n][i] = corners[n].point[i] + origin[i];
        }
    }
    return count;
}

// Returns a face of a model that has no place yet.
static bspi_occluder begin(const bspi_occluder_list *f, uint32_t model) {
    const bspi_lit_model *of = &f->own->models[model];
    return (bspi_occluder){
        .model = model, .only = (uint8_t)of->only, .channels = of->channels, .style = of->style};
}

// Adds a face, or notes one that stops light: it may be joined with others.
static bool add_face(bspi_occluder_list *f, bspi_occluder_polygons *walls, uint32_t face,
                     uint32_t model) {
    const bspi_lit_model *of = &f->own->models[model];
    bspi_occluder made = begin(f, model);
    const bspi_surface_keys *keys = bspi_surface_keys_of(f->own, face);
    made.channels = bspi_surface_channels(keys, of->channels);
    float points[MOST_CORNERS][3];
    made.material = bsp_surface_material(f->own->map, face);
    made.texinfo = f->own->map->faces[face].texinfo;
    if (made.material == BSP_NONE || made.texinfo >= f->own->map->num_texinfos ||
        !kind_of(f->own, face, model, &made) ||
        !bsp_surface_plane(f->own->map, face, made.normal, &made.dist)) {
        return bspi_heap_work(&f->own->heap, 1, f->error);
    }
    uint32_t count = read_corners(f, face, of->origin, points);
    made.dist += bspi_dot(made.normal, of->origin);
    if (count != 0 && (made.kind == BSPI_OCCLUDER_SOLID || made.kind == BSPI_OCCLUDER_SKY)) {
        return bspi_occluders_note(&f->own->heap, walls, &made, (const float(*)[3])points, count,
                                   f->error);
    }
    return count == 0 || bspi_occluder_list_add(f, &made, (const float(*)[3])points, count);
}

// --- models without faces -----------------------------------------------------------------------

// A node of a tree, and a plane before it on the way down, which faces what is below.
typedef struct below {
    int32_t node;
    uint32_t depth; // number of such planes
    float plane[4];
} below;

// Adds the sides of a leaf between planes that face it.
static bool add_leaf(bspi_occluder_list *f, uint32_t model, const float (*planes)[4],
                     uint32_t count) {
    const float *origin = f->own->models[model].origin;
    for (uint32_t n = 0; n < count; n++) {
        bspi_winding w;
        bspi_winding_base(&w, planes[n], planes[n][3]);
        for (uint32_t i = 0; i < count && w.count != 0; i++) {
            if (i != n) {
                bspi_winding_clip(&w, planes[i], planes[i][3]);
            }
        }
        bspi_occluder made = begin(f, model);
        made.kind = BSPI_OCCLUDER_SOLID;
        made.opacity = 1;
        made.dist = planes[n][3] + bspi_dot(planes[n], origin);
        memcpy(made.normal, planes[n], sizeof made.normal);
        for (uint32_t p = 0; p < w.count; p++) {
            for (int i = 0; i < 3; i++) {
                w.points[p][i] += origin[i];
            }
        }
        if (!bspi_heap_work(&f->own->heap, 1 + count, f->error) ||
            (w.count >= 3 &&
             !bspi_occluder_list_add(f, &made, (const float(*)[3])w.points, w.count))) {
            return false;
        }
    }
    return true;
}

static bool is_solid(const bsp_map *map, int32_t node) {
    uint32_t leaf = (uint32_t)(-1 - node);
    int32_t contents = node < 0 && leaf < map->num_leaves ? map->leaves[leaf].contents : 0;
    return contents != BSPI_CONTENTS_SKY && bspi_is_closed_in(map->traits, contents);
}

// A model all of whose faces are left out ("skip") casts the shadow of its solid leaves.
static bool add_solids(bspi_occluder_list *f, uint32_t model) {
    const bsp_map *map = f->own->map;
    below pending[MOST_PLANES + 1];
    float planes[MOST_PLANES][4];
    uint32_t count = 1;
    pending[0] = (below){.node = map->models[model].headnodes[0]};
    while (count != 0) {
        below at = pending[--count];
        if (at.depth != 0) {
            memcpy(planes[at.depth - 1], at.plane, sizeof at.plane);
        }
        const bsp_node *node =
            at.node >= 0 && (uint32_t)at.node < map->num_nodes ? &map->nodes[at.node] : NULL;
        if (is_solid(map, at.node) && !add_leaf(f, model, (const float(*)[4])planes, at.depth)) {
            return false;
        }
        for (int side = 1;
             side >= 0 && node != NULL && node->plane < map->num_planes && at.depth < MOST_PLANES;
             side--) {
            const bsp_plane *plane = &map->planes[node->plane];
            float sign = side == 0 ? 1 : -1;
            below *to = &pending[count++];
            to->node = node->children[side];
            to->depth = at.depth + 1;
            for (int i = 0; i < 3; i++) {
                to->plane[i] = sign * plane->normal[i];
            }
            to->plane[3] = sign * plane->dist;
        }
        if (!bspi_heap_work(&f->own->heap, 1, f->error)) {
            return false;
        }
    }
    return true;
}

// --- pictures -----------------------------------------------------------------------------------

static bool read_pictures(bspi_occluder_list *f) {
    const bsp_textures_options options = {.allocator = f->own->options->allocator,
                                          .budget = f->own->options->budget};
    const bsp_textures *given = f->own->options->textures;
    bsp_textures *opened = NULL;
    bool done = true;
    for (uint32_t n = 0; done && n < f->all->count; n++) {
        const bspi_occluder *face = &f->all->list[n];
        bool through = face->kind == BSPI_OCCLUDER_FENCE || face->kind == BSPI_OCCLUDER_GLASS;
        if (!through || f->all->pictures[face->material].width != 0) {
            continue;
        }
        if (given == NULL && opened == NULL) {
            opened = bsp_textures_open(NULL, f->own->map, &options, f->error);
        }
        done = (given != NULL || opened != NULL) &&
               bspi_picture_read(f->own, given != NULL ? given : opened, face->material,
                                 &f->all->pictures[face->material], f->error);
    }
    bsp_textures_close(opened);
    return done;
}

// --- all ----------------------------------------------------------------------------------------

static bool add_walls(bspi_occluder_list *f, bspi_occluder_polygons *walls) {
    bool done = bspi_occluders_join(&f->own->heap, walls, f->error);
    for (uint32_t n = 0; done && n < walls->count; n++) {
        const bspi_occluder_polygon *wall = &walls->list[n];
        const float(*points)[3] = (const float(*)[3])walls->points + wall->first;
        done = wall->count == 0 || bspi_occluder_list_add(f, &wall->face, points, wall->count);
    }
    return done;
}

static bool add_faces(bspi_occluder_list *f) {
    const bsp_map *map = f->own->map;
    bspi_occluder_polygons walls = {.list = NULL};
    bool done = true;
    for (uint32_t n = 0; done && n < map->num_faces; n++) {
        uint32_t model = f->own->face_models[n];
        const bspi_lit_model *of = &f->own->models[model];
        bool shades =
            model == 0 || of->shades || of->only != BSPI_SHADES_ALL || of->channels != BSPI_CHANNEL;
        done = !shades || add_face(f, &walls, n, model);
    }
    done = done && add_walls(f, &walls);
    bspi_occluders_drop(&f->own->heap, &walls);
    for (uint32_t i = 0; done && i < f->own->num_shading; i++) {
        uint32_t model = f->own->shading[i];
        done = map->models[model].num_faces != 0 || add_solids(f, model);
    }
    return done;
}

bool bspi_occluders_find(bspi_relight *own, bsp_error *error) {
    if (own->relight.compiler != BSP_COMPILER_ERICW) {
        return true;
    }
    bspi_occluder_list f = bspi_occluder_list_begin(own, error);
    bool done = f.all != NULL;
    if (done) {
        f.all->texinfos = own->map->texinfos;
        f.all->pictures =
            bspi_arena_zero(&own->arena, own->map->num_materials, sizeof *f.all->pictures, error);
        done = f.all->pictures != NULL && add_faces(&f) && read_pictures(&f);
    }
    own->occluders = bspi_occluder_list_end(&f, done);
    return own->occluders != NULL;
}
