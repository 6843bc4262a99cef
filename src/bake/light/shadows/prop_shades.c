// SPDX-License-Identifier: MIT
// The triangles of static props that cast shadows: of their collision models (without one, of the
// convex hulls of what is drawn), or those that are drawn, through some of which light comes by the
// alpha of their texture. Facts: vradstaticprops.cpp of the Source SDK.
#include "bake/light/base/rad_lines.h"
#include "bake/light/shadows/occluder_list.h"
#include "bake/light/shadows/props.h"

#include "core/text.h"
#include "core/vector.h"
#include "formats/source_flags.h"
#include "mesh/convex.h"

#include <math.h>
#include <string.h>

#define TEXELS 64u // that are looked at count as one of work

// Hulls of what is drawn of a model.
typedef struct made_hulls {
    bool known;
    float (*points)[3]; // three for each triangle; heap
    uint32_t count;
    size_t room;
} made_hulls;

typedef struct finder {
    bspi_relight *own;
    bspi_prop_lights *props;
    bspi_occluder_list list;
    bsp_texinfo *texinfos; // how the pictures of triangles lie; heap
    uint32_t num_texinfos;
    size_t texinfo_room;
    made_hulls *hulls; // of each model of the scene; heap
    bsp_error *error;
} finder;

// A triangle of a prop, before it stands in the world.
typedef struct corners {
    const float *points[3];
    const float *uv[3];          // with a picture
    const bspi_picture *picture; // NULL: none counts
    uint32_t material;           // of the scene, with a picture
} corners;

// --- a triangle ---------------------------------------------------------------------------------

// Sets how a picture lies on a triangle with a normal of unit length, in pixels: vrad takes the one
// that is nearest to a place. `twice`: square units of two such triangles.
static void lay(const float points[3][3], const float normal[3], float twice, const corners *of,
                bsp_texinfo *out) {
    const float size[2] = {(float)of->picture->width, (float)of->picture->height};
    float edges[2][3];
    float across[2][3]; // to each edge
    for (int i = 0; i < 3; i++) {
        edges[0][i] = points[1][i] - points[0][i];
        edges[1][i] = points[2][i] - points[0][i];
    }
    bspi_cross(edges[1], normal, across[0]);
    bspi_cross(normal, edges[0], across[1]);
    for (int k = 0; k < 2; k++) {
        float by[2] = {(of->uv[1][k] - of->uv[0][k]) * size[k] / twice,
                       (of->uv[2][k] - of->uv[0][k]) * size[k] / twice};
        for (int i = 0; i < 3; i++) {
            out->texture[k][i] = by[0] * across[0][i] + by[1] * across[1][i];
        }
        out->texture[k][3] = of->uv[0][k] * size[k] + 0.5f - bspi_dot(out->texture[k], points[0]);
    }
}

// Are there pixels in the box around a triangle on its picture, as far as that is not beyond its
// edges, that are not opaque? vrad takes triangles without for opaque.
static bool is_veil(finder *f, const corners *of, bool *done) {
    const bspi_picture *picture = of->picture;
    const uint32_t size[2] = {picture->width, picture->height};
    uint32_t ends[2][2];
    for (int k = 0; k < 2; k++) {
        float low = fminf(fminf(of->uv[0][k], of->uv[1][k]), of->uv[2][k]);
        float high = fmaxf(fmaxf(of->uv[0][k], of->uv[1][k]), of->uv[2][k]);
        ends[0][k] = (uint32_t)(fminf(fmaxf(low, 0), 1) * (float)(size[k] - 1));
        ends[1][k] = (uint32_t)(fminf(fmaxf(high, 0), 1) * (float)(size[k] - 1));
    }
    uint64_t looked = 0;
    bool veil = false;
    for (uint32_t y = ends[0][1]; y <= ends[1][1] && !veil; y++) {
        const uint8_t *row = picture->pixels + 4 * (size_t)y * size[0];
        for (uint32_t x = ends[0][0]; x <= ends[1][0] && !veil; x++) {
            veil = row[4 * (size_t)x + 3] != 255;
            looked++;
        }
    }
    *done = bspi_heap_work(&f->own->heap, 1 + looked / TEXELS, f->error);
    return veil;
}

static bool add_texinfo(finder *f, const float points[3][3], float twice, const corners *of,
                        bspi_occluder *made) {
    bsp_texinfo *more = bspi_grow(&f->own->heap, f->texinfos, f->num_texinfos, &f->texinfo_room,
                                  sizeof *more, f->error);
    if (more == NULL) {
        return false;
    }
    f->texinfos = more;
    made->kind = BSPI_OCCLUDER_VEIL;
    made->material = of->material;
    made->texinfo = f->num_texinfos;
    more[f->num_texinfos] = (bsp_texinfo){.material = of->material};
    lay(points, made->normal, twice, of, &more[f->num_texinfos++]);
    return true;
}

static bool add_triangle(finder *f, const bsp_scene_prop *prop, const corners *of) {
    float points[3][3];
    bool alone = (f->own->map->static_props[prop->number].flags & BSPI_PROP_NO_SELF_SHADOW) != 0;
    bspi_occluder made = {.kind = BSPI_OCCLUDER_SOLID,
                          .opacity = 1,
                          .model = bspi_shaded_prop(f->own, prop->number).model,
                          .channels = BSPI_CHANNEL,
                          .only = (uint8_t)(alone ? BSPI_SHADES_OTHERS : BSPI_SHADES_ALL)};
    for (int n = 0; n < 3; n++) {
        for (int i = 0; i < 3; i++) {
            points[n][i] = bspi_dot(prop->place[i], of->points[n]) + prop->place[i][3];
        }
    }
    bspi_triangle_cross(points[0], points[1], points[2], made.normal);
    float twice = bspi_normalize(made.normal);
    if (!(twice > 0)) {
        return true;
    }
    made.dist = bspi_dot(made.normal, points[0]);
    bool done = true;
    if (of->picture != NULL && is_veil(f, of, &done)) {
        done = done && add_texinfo(f, (const float(*)[3])points, twice, of, &made);
    }
    return done && bspi_occluder_list_add(&f->list, &made, (const float(*)[3])points, 3);
}

// --- a prop -------------------------------------------------------------------------------------

static bool add_hulls(finder *f, const bsp_scene_prop *prop, const bsp_model_mesh *mesh) {
    uint64_t steps = 1 + (uint64_t)mesh->num_hulls + mesh->num_hull_indices / 3;
    bool done = bspi_heap_work(&f->own->heap, steps, f->error);
    for (uint32_t h = 0; done && h < mesh->num_hulls; h++) {
        const bsp_model_hull *hull = &mesh->hulls[h];
        const uint32_t *at = mesh->hull_indices + hull->first_index;
        for (uint32_t i = 0; done && hull->solid == 0 && i + 3 <= hull->num_indices; i += 3) {
            corners of = {.picture = NULL};
            for (int n = 0; n < 3; n++) {
                of.points[n] = mesh->hull_points[at[i + (uint32_t)n]];
            }
            done = add_triangle(f, prop, &of);
        }
    }
    return done;
}

// Adds the triangles of the hull of a group of a model, which is what vrad has for a mesh.
static bool hull_group(finder *f, const bsp_model_mesh *mesh, uint32_t number, made_hulls *out) {
    bspi_heap *heap = &f->own->heap;
    const bsp_model_group *group = &mesh->groups[number];
    bspi_convex hull = {.triangles = NULL};
    size_t size = group->num_vertices * sizeof(float[3]);
    float(*points)[3] = bspi_heap_alloc(heap, size, f->error);
    bool done = points != NULL;
    for (uint32_t n = 0; done && n < group->num_vertices; n++) {
        memcpy(points[n], mesh->vertices[group->first_vertex + n].position, sizeof *points);
    }
    done = done &&
           bspi_convex_find(heap, (const float(*)[3])points, group->num_vertices, &hull, f->error);
    for (uint32_t n = 0; done && n < 3 * hull.count; n++) {
        float(*more)[3] =
            bspi_grow(heap, out->points, out->count, &out->room, sizeof *more, f->error);
        done = more != NULL;
        if (done) {
            out->points = more;
            memcpy(more[out->count++], points[hull.triangles[n / 3][n % 3]], sizeof *more);
        }
    }
    bspi_convex_free(heap, &hull);
    bspi_heap_free(heap, points, size);
    return done;
}

// The same as add_hulls where the model has none: vrad makes them.
static bool add_made_hulls(finder *f, const bsp_scene_prop *prop, const bsp_model_mesh *mesh) {
    made_hulls *hulls = &f->hulls[prop->model];
    bool done = true;
    for (uint32_t g = 0; done && !hulls->known && g < mesh->num_groups; g++) {
        done = hull_group(f, mesh, g, hulls);
    }
    hulls->known = true;
    done = done && bspi_heap_work(&f->own->heap, 1 + hulls->count / 3, f->error);
    for (uint32_t n = 0; done && n + 3 <= hulls->count; n += 3) {
        const corners of = {
            .points = {hulls->points[n], hulls->points[n + 1], hulls->points[n + 2]}};
        done = add_triangle(f, prop, &of);
    }
    return done;
}

// Does a lights.rad say that a material casts no shadow? vrad looks for its words anywhere.
static bool is_left_out(const finder *f, bsp_text material) {
    bsp_text rest = f->own->options->texlights;
    bsp_text word;
    bool found = false;
    while (!found && bspi_rad_next(&rest, "noshadow", f->own->relight.hdr, &word)) {
        word = bspi_rad_stem(word);
        for (size_t at = 0; !found && at + word.size <= material.size; at++) {
            found = bspi_text_equal_nocase((bsp_text){material.data + at, word.size}, word);
        }
    }
    return found;
}

// Drops what stands around the name of a model: "models/", and its ending.
static bsp_text stem_of(bsp_text model) {
    const size_t folder = strlen("models/");
    if (bspi_text_begins_nocase(model, "models/")) {
        model = (bsp_text){model.data + folder, model.size - folder};
    }
    return bspi_rad_stem(model);
}

// Does light come through its textures?
static bool casts_textures(const finder *f, const bsp_scene_model *model) {
    if (f->own->options->prop_shadows != BSP_PROP_SHADOWS_TEXTURES) {
        return false;
    }
    bool found = (model->info->flags & BSPI_MODEL_CASTS_TEXTURES) != 0;
    bsp_text rest = f->own->options->texlights;
    bsp_text name;
    while (!found && bspi_rad_next(&rest, "forcetextureshadow", f->own->relight.hdr, &name)) {
        found = bspi_text_equal_nocase(stem_of(name), stem_of(model->name));
    }
    return found;
}

static bool add_group(finder *f, const bsp_scene_prop *prop, const bsp_scene_model *model,
                      uint32_t number, bool textures) {
    const bsp_model_group *group = &model->mesh->groups[number];
    const uint32_t *at = model->mesh->indices + group->first_index;
    corners of = {.material = model->materials[number]};
    bool pictured = textures && of.material < f->props->num_pictures;
    if (pictured && f->props->pictures[of.material].width != 0) {
        of.picture = &f->props->pictures[of.material];
    }
    bool done = bspi_heap_work(&f->own->heap, 1 + group->num_indices / 3, f->error);
    for (uint32_t i = 0; done && i + 3 <= group->num_indices; i += 3) {
        for (int n = 0; n < 3; n++) {
            const bsp_model_vertex *vertex = &model->mesh->vertices[at[i + (uint32_t)n]];
            of.points[n] = vertex->position;
            of.uv[n] = vertex->uv;
        }
        done = add_triangle(f, prop, &of);
    }
    return done;
}

static bool add_drawn(finder *f, const bsp_scene_prop *prop, const bsp_scene_model *model) {
    const bsp_model_mesh *mesh = model->mesh;
    bool textures = casts_textures(f, model);
    uint64_t words = 1 + f->own->options->texlights.size / 8;
    bool done = bspi_heap_work(&f->own->heap, words * (1 + (uint64_t)mesh->num_groups), f->error);
    for (uint32_t g = 0; done && g < mesh->num_groups; g++) {
        uint32_t material = mesh->groups[g].material;
        bool named = material < model->info->num_materials;
        if (!named || !is_left_out(f, model->info->materials[material].name)) {
            done = add_group(f, prop, model, g, textures);
        }
    }
    return done;
}

// --- all ----------------------------------------------------------------------------------------

static bool add_props(finder *f) {
    const bsp_scene *scene = f->props->scene;
    bool hulls = f->own->options->prop_shadows == BSP_PROP_SHADOWS_HULLS;
    size_t size = scene->num_models * sizeof *f->hulls;
    f->hulls = bspi_heap_alloc(&f->own->heap, size, f->error);
    bool done = f->hulls != NULL;
    if (done) {
        memset(f->hulls, 0, size);
    }
    for (uint32_t i = 0; done && i < scene->num_props; i++) {
        const bsp_scene_prop *prop = &scene->props[i];
        if (prop->kind != BSP_PROP_STATIC ||
            (f->own->map->static_props[prop->number].flags & BSPI_PROP_NO_SHADOW) != 0) {
            continue;
        }
        const bsp_scene_model *model = &scene->models[prop->model];
        done = !hulls                        ? add_drawn(f, prop, model)
               : model->mesh->num_hulls != 0 ? add_hulls(f, prop, model->mesh)
                                             : add_made_hulls(f, prop, model->mesh);
    }
    for (uint32_t m = 0; f->hulls != NULL && m < scene->num_models; m++) {
        bspi_heap_free(&f->own->heap, f->hulls[m].points,
                       f->hulls[m].room * sizeof *f->hulls[m].points);
    }
    bspi_heap_free(&f->own->heap, f->hulls, size);
    return done;
}

// Moves how pictures lie to the arena.
static bool keep_texinfos(finder *f) {
    bsp_texinfo *kept = bspi_arena_raw(&f->own->arena, f->num_texinfos, sizeof *kept, f->error);
    if (kept != NULL && f->num_texinfos != 0) {
        memcpy(kept, f->texinfos, f->num_texinfos * sizeof *kept);
        f->list.all->texinfos = kept;
    }
    return kept != NULL;
}

bool bspi_prop_shades_find(bspi_relight *own, bsp_error *error) {
    finder f = {.own = own, .props = own->props, .error = error};
    f.list = bspi_occluder_list_begin(own, error);
    bool done = f.list.all != NULL && add_props(&f) && keep_texinfos(&f);
    if (done) {
        f.list.all->pictures = own->props->pictures;
    }
    bspi_heap_free(&own->heap, f.texinfos, f.texinfo_room * sizeof *f.texinfos);
    struct bspi_occluders *found = bspi_occluder_list_end(&f.list, done);
    own->props->shades = found != NULL && found->count != 0 ? found : NULL;
    return found != NULL;
}
