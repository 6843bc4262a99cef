// SPDX-License-Identifier: MIT
// Divides what is written into parts of one shape and one material each: runs of the mesh's faces,
// groups of models, decals, pieces of collision, areas.
#include "export/parts.h"

#include "export/solids.h"

static bool is_colored(const bspi_content *content, const bsp_mesh_group *group, bool unlit,
                       bool baked) {
    bool vertex_lit = (group->bits & BSP_SURFACE_VERTEX_LIT) != 0;
    if (unlit) {
        return false;
    }
    switch (content->options->light) {
    case BSP_EXPORT_LIGHT_VERTEX:
        return group->light_page != BSP_NONE || vertex_lit;
    case BSP_EXPORT_LIGHT_BAKED:
        return !baked && vertex_lit;
    case BSP_EXPORT_LIGHT_UV:
    case BSP_EXPORT_LIGHT_NONE:
        break;
    }
    return false;
}

static bool is_layered(const bspi_content *content, const bsp_mesh_group *group) {
    const bspi_layer *layers = content->paints.list[group->material].layers;
    bool any = false;
    for (uint32_t i = 0; i < BSPI_LAYERS; i++) {
        any = any || layers[i].image != BSP_NONE;
    }
    return any && content->mesh->blends != NULL;
}

static bspi_part begin_part(const bspi_content *content, uint32_t shape, uint32_t face,
                            const bspi_finish *finish) {
    const bsp_mesh_face *first = &content->mesh->faces[face];
    const bsp_mesh_group *group = &content->mesh->groups[first->group];
    bool unlit = content->shapes[shape].look.unlit;
    bool mixed = !bspi_finish_baked(content, finish) &&
                 bspi_finish_mixes(content, group->material, group->bits);
    return (bspi_part){.vertices = content->mesh->vertices,
                       .indices = content->mesh->indices,
                       .shape = shape,
                       .shares = content->num_parts,
                       .prop = BSP_NONE,
                       .light_page = group->light_page,
                       .first_face = face,
                       .first_vertex = first->first_vertex,
                       .first_index = first->first_index,
                       .colored = is_colored(content, group, unlit, finish->page != BSP_NONE),
                       .mixed = mixed,
                       .layered = mixed && is_layered(content, group)};
}

static bool is_dropped(const bspi_content *content, const bsp_mesh_group *group) {
    return content->unseen[group->model] ||
           (group->material != BSP_NONE && content->paints.list[group->material].dropped);
}

// The parts under construction.
typedef struct part_list {
    const bspi_bake_place *places; // BAKED: the place of each face
    bspi_finish *wanted;           // of each part
    size_t room_parts;
    size_t room_wanted;
    uint32_t first_of_model; // the first part of the last prop's model
    uint32_t of_model;       // how many parts the last prop has
} part_list;

static uint32_t page_of(const bspi_content *content, const bspi_bake_place *places, uint32_t face,
                        const bsp_entity_look *look) {
    if (look->unlit) {
        return BSP_NONE;
    }
    return places != NULL ? places[face].page
           : content->options->light == BSP_EXPORT_LIGHT_UV
               ? content->mesh->groups[content->mesh->faces[face].group].light_page
               : BSP_NONE;
}

static bool add_part(bspi_content *content, part_list *list, const bspi_part *part,
                     const bspi_finish *wanted, bsp_error *error) {
    bspi_part *parts = bspi_grow(&content->heap, content->parts, content->num_parts,
                                 &list->room_parts, sizeof *parts, error);
    content->parts = parts != NULL ? parts : content->parts;
    bspi_finish *finishes = parts == NULL
                                ? NULL
                                : bspi_grow(&content->heap, list->wanted, content->num_parts,
                                            &list->room_wanted, sizeof *finishes, error);
    if (finishes == NULL) {
        return false;
    }
    list->wanted = finishes;
    finishes[content->num_parts] = *wanted;
    parts[content->num_parts++] = *part;
    return true;
}

// Returns true if another shape of the world has a face: that of the room of the sky, or the
// others.
static bool is_elsewhere(const bspi_content *content, uint32_t shape, uint32_t face) {
    bool world = content->shapes[shape].model == 0 && content->room.found;
    bool in_room = world && content->room.faces[face] != 0;
    return world &&
           (in_room != (shape == content->room.shape) || bspi_sky_room_hides(content, in_room));
}

// Where light is written at the vertices of a shape's parts, from number `first` on, lays the light
// that their materials have of their own over them.
static bool list_layers(bspi_content *content, part_list *list, uint32_t first, bsp_error *error) {
    uint32_t end = content->num_parts;
    for (uint32_t i = first; i < end; i++) {
        bspi_part part = content->parts[i];
        bspi_finish finish = list->wanted[i];
        const bspi_paint *paint = bspi_finish_paint(content, &finish);
        if (!part.colored || finish.color != 0 || !bspi_paint_is_layer(content, paint)) {
            continue;
        }
        if (content->world_glow == NULL) {
            const bsp_mesh *mesh = content->mesh;
            content->world_glow =
                bspi_glow_lift(content, mesh->vertices, mesh->num_vertices, error);
        }
        part.vertices = content->world_glow;
        part.shares = content->num_parts;
        part.light_page = BSP_NONE;
        part.num_faces = 0;
        part.colored = part.mixed = false;
        finish.bits &= ~(uint32_t)BSP_SURFACE_DISPLACEMENT;
        finish.glow = 1;
        if (part.vertices == NULL || !add_part(content, list, &part, &finish, error)) {
            return false;
        }
    }
    return true;
}

// Makes the parts of one shape from a run of the mesh's faces, which are sorted by model.
static bool list_shape(bspi_content *content, part_list *list, uint32_t shape, uint32_t first,
                       uint32_t end, bsp_error *error) {
    const bsp_entity_look *look = &content->shapes[shape].look;
    uint32_t first_part = content->num_parts;
    uint32_t last_group = BSP_NONE;
    uint32_t last_page = BSP_NONE;
    for (uint32_t f = first; f < end; f++) {
        const bsp_mesh_face *face = &content->mesh->faces[f];
        const bsp_mesh_group *group = &content->mesh->groups[face->group];
        uint32_t page = page_of(content, list->places, f, look);
        if (is_dropped(content, group)) {
            continue;
        }
        if (is_elsewhere(content, shape, f)) {
            last_group = BSP_NONE;
            continue;
        }
        if (face->group != last_group || page != last_page) {
            bspi_finish finish = bspi_finish_of_group(content, group, look, page);
            bspi_part part = begin_part(content, shape, f, &finish);
            if (!add_part(content, list, &part, &finish, error)) {
                return false;
            }
        }
        bspi_part *part = &content->parts[content->num_parts - 1];
        part->num_faces++;
        part->num_vertices += face->num_vertices;
        part->num_indices += face->num_indices;
        last_group = face->group;
        last_page = page;
    }
    return list_layers(content, list, first_part, error);
}

// --- parts of props -----------------------------------------------------------------------------

static const bspi_paint *paint_of_group(const bspi_content *content, uint32_t material) {
    return material == BSP_NONE ? NULL : &content->paints.list[material];
}

// Adds the part of a group of a prop's model, or of its own light, which lies over it.
static bool add_group(bspi_content *content, part_list *list, uint32_t number, uint32_t group,
                      bool glow, bsp_error *error) {
    const bspi_shape *shape = &content->shapes[number];
    const bsp_scene_model *model = &content->scene->models[shape->model];
    const bsp_model_group *from = &model->mesh->groups[group];
    const bspi_paint *paint = paint_of_group(content, model->materials[group]);
    bool lit = !glow && bspi_props_are_lit(content) && !shape->look.unlit &&
               (paint == NULL || !paint->is.unlit);
    const bspi_part part = {.vertices = glow ? content->glow_vertices[shape->model]
                                             : content->model_vertices[shape->model],
                            .indices = model->mesh->indices,
                            .shape = number,
                            .shares = list->first_of_model + list->of_model++,
                            .prop = lit ? shape->prop : BSP_NONE,
                            .light_page = BSP_NONE,
                            .first_vertex = from->first_vertex,
                            .num_vertices = from->num_vertices,
                            .first_index = from->first_index,
                            .num_indices = from->num_indices,
                            .colored =
                                lit || (!glow && bspi_model_has_colors(content, shape->model))};
    bspi_finish finish = bspi_finish_of_prop(content, shape, model->materials[group]);
    finish.glow = glow && finish.color == 0;
    return add_part(content, list, &part, &finish, error);
}

// Makes the parts of each group of a prop's model. Shapes of one model follow each other, and the
// others have the triangles of the first.
static bool list_prop(bspi_content *content, part_list *list, uint32_t number, bsp_error *error) {
    const bspi_shape *shape = &content->shapes[number];
    const bsp_scene_model *model = &content->scene->models[shape->model];
    bool again = number > content->num_brush_shapes && shape[-1].model == shape->model;
    list->first_of_model = again ? list->first_of_model : content->num_parts;
    list->of_model = 0;
    for (uint32_t g = 0; g < model->mesh->num_groups; g++) {
        const bspi_paint *paint = paint_of_group(content, model->materials[g]);
        if ((paint != NULL && paint->dropped) || model->mesh->groups[g].num_indices == 0) {
            continue;
        }
        bool glows = bspi_paint_is_layer(content, paint);
        if (!add_group(content, list, number, g, false, error) ||
            (glows && !add_group(content, list, number, g, true, error))) {
            return false;
        }
    }
    return true;
}

// Where light is written at vertices, or baked, decals have theirs at their corners.
static bool list_decals(bspi_content *content, part_list *list, bsp_error *error) {
    const bspi_decals *decals = &content->decals;
    bool lit = bspi_props_are_lit(content);
    for (uint32_t i = 0; i < decals->num_runs; i++) {
        const bspi_decal_run *run = &decals->runs[i];
        bool paged = content->options->light == BSP_EXPORT_LIGHT_UV;
        const bspi_part part = {.vertices = decals->vertices,
                                .indices = decals->indices,
                                .shape = decals->shape,
                                .shares = content->num_parts,
                                .prop = BSP_NONE,
                                .light_page = run->light_page,
                                .first_vertex = run->first_vertex,
                                .num_vertices = run->num_vertices,
                                .first_index = run->first_vertex,
                                .num_indices = run->num_vertices,
                                .colored = lit && run->light_page != BSP_NONE};
        const bspi_finish finish = {.material = run->picture,
                                    .page = paged ? run->light_page : BSP_NONE,
                                    .opacity = 255,
                                    .look = BSP_LOOK_NORMAL,
                                    .tint = BSPI_NO_TINT,
                                    .decal = 1};
        if (!add_part(content, list, &part, &finish, error)) {
            return false;
        }
    }
    return true;
}

static bool add_bare(bspi_content *content, part_list *list, const bspi_part *part, uint32_t color,
                     bsp_error *error) {
    const bspi_finish finish = {.material = BSP_NONE,
                                .page = BSP_NONE,
                                .opacity = BSPI_SOLID_OPACITY,
                                .look = (uint32_t)BSP_LOOK_NORMAL | BSPI_LOOK_UNLIT,
                                .color = color,
                                .tint = BSPI_NO_TINT};
    return add_part(content, list, part, &finish, error);
}

static bool list_area(bspi_content *content, part_list *list, uint32_t number, bsp_error *error) {
    uint32_t area = content->shapes[number].area - 1;
    const bspi_part part = {.vertices = content->area_vertices,
                            .indices = content->area_indices,
                            .shape = number,
                            .shares = content->num_parts,
                            .prop = BSP_NONE,
                            .light_page = BSP_NONE,
                            .first_vertex = 4 * area,
                            .num_vertices = 4,
                            .first_index = 6 * area,
                            .num_indices = 6,
                            .bare = true};
    return add_bare(content, list, &part, BSPI_AREA_COLOR, error);
}

static bool list_solid(bspi_content *content, part_list *list, uint32_t number, bsp_error *error) {
    const bspi_solid *solid = &content->solids->list[content->shapes[number].solid];
    const bspi_part part = {.vertices = content->solids->vertices,
                            .indices = content->solids->indices,
                            .shape = number,
                            .shares = content->num_parts,
                            .prop = BSP_NONE,
                            .light_page = BSP_NONE,
                            .first_vertex = solid->first_vertex,
                            .num_vertices = solid->num_vertices,
                            .first_index = solid->first_index,
                            .num_indices = solid->num_indices,
                            .bare = true};
    return add_bare(content, list, &part,
                    solid->kind == BSPI_SOLID_PORTAL ? BSPI_PORTAL_COLOR : BSPI_SOLID_COLOR, error);
}

bool bspi_parts_list(bspi_content *content, const bspi_bake_place *places, bsp_error *error) {
    const bsp_mesh *mesh = content->mesh;
    part_list list = {.places = places};
    bool done = true;
    uint32_t end = 0;
    for (uint32_t m = 0; done && m < content->map->num_models; m++) {
        uint32_t first = end;
        while (end < mesh->num_faces && mesh->groups[mesh->faces[end].group].model == m) {
            end++;
        }
        for (uint32_t s = content->first_shape[m]; done && s < content->first_shape[m + 1]; s++) {
            done = list_shape(content, &list, s, first, end, error);
        }
    }
    if (done && content->room.found) {
        end = 0;
        while (end < mesh->num_faces && mesh->groups[mesh->faces[end].group].model == 0) {
            end++;
        }
        done = list_shape(content, &list, content->room.shape, 0, end, error);
    }
    done = done && list_decals(content, &list, error);
    for (uint32_t s = content->num_brush_shapes; done && s < content->num_shapes; s++) {
        const bspi_shape *shape = &content->shapes[s];
        done = shape->area != 0           ? list_area(content, &list, s, error)
               : shape->solid == BSP_NONE ? list_prop(content, &list, s, error)
                                          : list_solid(content, &list, s, error);
    }
    content->room_parts = list.room_parts;
    done = done && bspi_finishes_list(content, list.wanted, error);
    bspi_heap_free(&content->heap, list.wanted, list.room_wanted * sizeof *list.wanted);
    return done;
}

// Removes parts without triangles, and gives shapes their runs. Those of props have triangles.
bool bspi_parts_index(bspi_content *content, bsp_error *error) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < content->num_parts; i++) {
        if (content->parts[i].num_indices != 0) {
            content->parts[kept] = content->parts[i];
            content->parts[kept].shares -= i - kept;
            kept++;
        }
    }
    content->num_parts = kept;
    content->first_part =
        bspi_arena_raw(&content->arena, (size_t)content->num_shapes + 1, sizeof(uint32_t), error);
    uint32_t part = 0;
    for (uint32_t s = 0; content->first_part != NULL && s <= content->num_shapes; s++) {
        while (part < kept && content->parts[part].shape < s) {
            part++;
        }
        content->first_part[s] = part;
    }
    return content->first_part != NULL;
}
