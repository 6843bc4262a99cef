// SPDX-License-Identifier: MIT
// The triangles of a scene as few batches: all that is drawn alike stands together, in the world.
// What is drawn, and how, is that of bspkit render (render/renderer.c): a picture of the page and
// one of the command are the same.
#include "session.h"

#include "scene/draw.h"
#include "scene/sky_leaves.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A face of an instance, a group of a prop, or a decal.
typedef struct source {
    uint32_t batch;
    uint32_t owner;
    uint32_t first_vertex; // of the mesh, the model's mesh, or the decals
    uint32_t num_vertices;
    uint32_t first_index;
    uint32_t num_indices;
    uint32_t face; // of the map, or BSP_NONE
    float fade_at[3];
} source;

typedef struct builder {
    bv_session *session;
    const bsp_scene *scene;
    const bsp_map *map;
    bv_picture *out;
    bool full_bright;
    source *sources;
    uint32_t num_sources;
    uint32_t room_sources;
    uint32_t *slots; // hash table of batches
    uint32_t num_slots;
    uint32_t room_batches;
    bspi_heap heap;
    bspi_arena arena;      // of the next
    bspi_sky_leaves room;  // that is seen in the place of the sky
    uint32_t page_size[2]; // of the largest page: all lie in one array of textures
    bool failed;
} builder;

void bv_picture_free(bv_picture *picture) {
    free(picture->vertices);
    free(picture->indices);
    free(picture->batches);
    free(picture->pieces);
    free(picture->faces);
    free(picture->owners);
    *picture = (bv_picture){0};
}

// --- lists --------------------------------------------------------------------------------------

// Makes room for one more element of `size` bytes.
static bool grow(void **list, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room) {
        return true;
    }
    uint32_t more = *room == 0 ? 256 : *room * 2;
    void *moved = realloc(*list, (size_t)more * size);
    if (moved == NULL) {
        return false;
    }
    *list = moved;
    *room = more;
    return true;
}

static uint32_t hash_of(const bv_batch *batch) {
    const uint8_t *bytes = (const uint8_t *)&batch->material;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < sizeof *batch - offsetof(bv_batch, material); i++) {
        hash = (hash ^ bytes[i]) * 16777619u;
    }
    return hash;
}

static bool rehash(builder *b) {
    uint32_t count = b->num_slots == 0 ? 1024 : b->num_slots * 2;
    uint32_t *slots = malloc(count * sizeof *slots);
    if (slots == NULL) {
        return false;
    }
    memset(slots, 0xFF, count * sizeof *slots);
    for (uint32_t i = 0; i < b->out->num_batches; i++) {
        uint32_t at = hash_of(&b->out->batches[i]) & (count - 1);
        while (slots[at] != BSP_NONE) {
            at = (at + 1) & (count - 1);
        }
        slots[at] = i;
    }
    free(b->slots);
    b->slots = slots;
    b->num_slots = count;
    return true;
}

// Returns the number of the batch that is like `want`, and makes it if there is none. All bytes of
// `want` are set, those between its members too.
static uint32_t batch_like(builder *b, const bv_batch *want) {
    if (b->out->num_batches * 2 >= b->num_slots && !rehash(b)) {
        b->failed = true;
        return BSP_NONE;
    }
    uint32_t at = hash_of(want) & (b->num_slots - 1);
    size_t size = sizeof *want - offsetof(bv_batch, material);
    while (b->slots[at] != BSP_NONE) {
        if (memcmp(&b->out->batches[b->slots[at]].material, &want->material, size) == 0) {
            return b->slots[at];
        }
        at = (at + 1) & (b->num_slots - 1);
    }
    if (!grow((void **)&b->out->batches, b->out->num_batches, &b->room_batches, sizeof *want)) {
        b->failed = true;
        return BSP_NONE;
    }
    b->slots[at] = b->out->num_batches;
    b->out->batches[b->out->num_batches] = *want;
    return b->out->num_batches++;
}

static void add_source(builder *b, const source *one) {
    if (one->batch == BSP_NONE || one->num_indices < 3) {
        return;
    }
    if (!grow((void **)&b->sources, b->num_sources, &b->room_sources, sizeof *one)) {
        b->failed = true;
        return;
    }
    b->sources[b->num_sources++] = *one;
    b->out->batches[one->batch].num_indices += one->num_indices / 3 * 3;
}

// --- the room of the sky ------------------------------------------------------------------------

static bool find_room(builder *b) {
    const bsp_scene_sky_room *room = &b->scene->sky_room;
    if (room->found && !bspi_sky_leaves_find(b->map, room->origin, &b->arena, &b->room, NULL)) {
        return false;
    }
    b->out->room_found = b->room.found;
    return true;
}

static bool stands_in_room(const builder *b, const float point[3]) {
    return b->room.found && bspi_sky_leaves_have(&b->room, point);
}

// --- instances ----------------------------------------------------------------------------------

// Applies what the entity says.
static void apply_look(const bsp_entity_look *look, bv_batch *batch) {
    bool blended = (batch->flags & BV_BLENDED) != 0;
    if ((batch->flags & BV_SKY) != 0 || look->mode == BSP_LOOK_NORMAL || look->opacity <= 0) {
        return;
    }
    batch->opacity = (blended ? batch->opacity : 1) * look->opacity;
    batch->flags |= BV_BLENDED | (look->mode == BSP_LOOK_ADD ? BV_ADD : 0u);
    if (look->unlit) {
        batch->flags &= ~(uint32_t)(BV_PAGE_LIT | BV_VERTEX_LIT | BV_SHADED);
    }
}

static void apply_color(const bsp_entity_look *look, bv_batch *batch) {
    if (!look->plain || (batch->flags & BV_SKY) != 0) {
        return;
    }
    batch->flags = (batch->flags | BV_PLAIN) & ~(uint32_t)BV_MIXED;
    batch->opacity = look->opacity > 0 ? look->opacity : 1;
    for (int i = 0; i < 3; i++) {
        batch->color[i] = (float)look->color[i] / 255;
    }
}

static const bsp_scene_material grey = {.opacity = 1};

static const bsp_scene_material *material_of(const builder *b, uint32_t material) {
    return material < b->scene->num_materials ? &b->scene->materials[material] : &grey;
}

static uint32_t light_flags(const builder *b, const bsp_scene_material *look,
                            const bsp_mesh_group *group) {
    const bsp_lightmap *light = b->scene->lightmap;
    uint32_t pages = light == NULL ? 0 : light->num_pages;
    if (look->unlit || b->full_bright) {
        return 0;
    }
    if (group->light_page < pages) {
        return BV_PAGE_LIT;
    }
    if ((group->bits & BSP_SURFACE_VERTEX_LIT) != 0) {
        return BV_VERTEX_LIT;
    }
    // A map without any light is shaded by the normals of its surfaces.
    return pages == 0 ? BV_VERTEX_LIT | BV_SHADED : 0;
}

// Sets `out` to how a group of an instance is drawn; false: not at all.
static bool describe(const builder *b, const bsp_scene_instance *it, const bsp_mesh_group *group,
                     bv_batch *out) {
    const bsp_scene_material *look = material_of(b, group->material);
    const bsp_surface_rules *rules = &b->map->traits->surface;
    bool sky = look->sky || (group->bits & BSP_SURFACE_SKY) != 0;
    bool tool = (look->no_draw || look->fog || (group->bits & BSP_SURFACE_HIDDEN) != 0) && !sky;
    bool liquid = (group->bits & BSP_SURFACE_LIQUID) != 0;
    bool known = group->material < b->scene->num_materials;
    memset(out, 0, sizeof *out);
    out->material = known ? group->material : BSP_NONE;
    out->volume = BSP_NONE;
    out->cube = BSP_NONE;
    out->alpha = look->alpha;
    out->alpha_cut = look->alpha_cut;
    out->scroll[0] = bv_scroll(look->shift[0]);
    out->scroll[1] = bv_scroll(look->shift[1]);
    out->flags = sky ? BV_SKY : light_flags(b, look, group);
    bool blended = !sky && bspi_is_blended(look, group);
    out->flags |= (blended ? BV_BLENDED : 0u) | (look->two_sided ? BV_TWO_SIDED : 0u) |
                  (look->clamp ? BV_CLAMP : 0u) | (tool ? BV_TOOL : 0u);
    out->flags |= !sky && known && look->found && liquid && rules->warps ? BV_WARPS : 0u;
    out->flags |= !sky && (group->flags & rules->flow) != 0 ? BV_FLOWS : 0u;
    out->flags |=
        look->mixed && (group->bits & BSP_SURFACE_DISPLACEMENT) != 0 ? (uint32_t)BV_MIXED : 0u;
    out->opacity = bspi_drawn_opacity(b->map, look, group, blended);
    apply_look(&it->look, out);
    apply_color(&it->look, out);
    return true;
}

static void middle_of(const builder *b, const bsp_scene_instance *it, const bsp_mesh_face *face,
                      float middle[3], float normal[3]) {
    const bsp_mesh_vertex *vertices = &b->scene->mesh->vertices[face->first_vertex];
    float mins[3] = {0, 0, 0};
    float maxs[3] = {0, 0, 0};
    for (uint32_t v = 0; v < face->num_vertices; v++) {
        for (int axis = 0; axis < 3; axis++) {
            float at = vertices[v].position[axis];
            mins[axis] = v == 0 || at < mins[axis] ? at : mins[axis];
            maxs[axis] = v == 0 || at > maxs[axis] ? at : maxs[axis];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = (mins[axis] + maxs[axis]) / 2;
        normal[axis] = face->num_vertices != 0 ? vertices[0].normal[axis] : 0;
    }
    bsp_placement_point(&it->place, middle, middle);
    bsp_placement_turn(&it->place, normal, normal);
}

// The cube that a surface mirrors. What multiplies the colour behind it mirrors none: a card cannot
// add to that.
static uint32_t mirrored(const builder *b, const bv_batch *batch, const float middle[3]) {
    bool blended = (batch->flags & BV_BLENDED) != 0;
    bool multiplies = blended && (batch->flags & BV_ADD) == 0 && batch->alpha == BSP_ALPHA_FILTER;
    bool can = (batch->flags & (BV_SKY | BV_PLAIN | BV_TOOL)) == 0 && !multiplies;
    return can ? bv_mirror_cube(b->session, batch->material, middle) : BSP_NONE;
}

static void add_face(builder *b, uint32_t instance, const bv_batch *base,
                     const bsp_mesh_group *group, const bsp_mesh_face *face) {
    const bsp_scene_instance *it = &b->scene->instances[instance];
    bv_batch batch = *base;
    uint32_t fog = face->face < b->map->num_faces ? b->map->faces[face->face].fog : BSP_NONE;
    if (fog < b->scene->num_fog_volumes && b->scene->fog_volumes[fog].known) {
        batch.volume = fog;
    }
    batch.fade = batch.fade_min = bspi_overlay_far(b->map, face);
    float middle[3] = {0, 0, 0};
    if (batch.fade > 0 || b->room.found || bv_mirror_of(b->session, batch.material) != NULL) {
        float normal[3];
        middle_of(b, it, face, middle, normal);
        batch.cube = mirrored(b, &batch, middle);
        uint32_t of_world = group->model == 0 ? face->face : BSP_NONE;
        bool in_room =
            b->room.found && bspi_sky_leaves_hold(&b->room, of_world, middle, middle, normal);
        batch.flags |= in_room ? BV_ROOM : 0u;
    }
    add_source(b, &(source){.batch = batch_like(b, &batch),
                            .owner = instance,
                            .first_vertex = face->first_vertex,
                            .num_vertices = face->num_vertices,
                            .first_index = face->first_index,
                            .num_indices = face->num_indices,
                            .face = face->face,
                            .fade_at = {middle[0], middle[1], middle[2]}});
}

static void add_instance(builder *b, uint32_t instance) {
    const bsp_scene_instance *it = &b->scene->instances[instance];
    for (uint32_t g = it->first_group; g < it->first_group + it->num_groups; g++) {
        const bsp_mesh_group *group = &b->scene->mesh->groups[g];
        bv_batch base;
        if (!describe(b, it, group, &base)) {
            continue;
        }
        // What the game does not draw is there for those who ask for it.
        base.flags |= it->shown ? 0u : (uint32_t)BV_TOOL;
        for (uint32_t f = 0; f < group->num_faces && !b->failed; f++) {
            add_face(b, instance, &base, group, &b->scene->mesh->faces[group->first_face + f]);
        }
    }
}

// The world is drawn once, even if several entities show it.
static void add_instances(builder *b) {
    bool world = false;
    for (uint32_t i = 0; i < b->scene->num_instances && !b->failed; i++) {
        bool again = b->scene->instances[i].model == 0 && world;
        world = world || b->scene->instances[i].model == 0;
        if (!again) {
            add_instance(b, i);
        }
    }
}

// --- props and decals ---------------------------------------------------------------------------

// A roll of its own is in the corners of a sprite: what remains is parallel.
static uint32_t turn_of(const bsp_model_mesh *mesh) {
    bool rolled = mesh->facing == BSP_SPRITE_PARALLEL_ORIENTED;
    return bspi_mesh_turns(mesh) ? 1 + (uint32_t)(rolled ? BSP_SPRITE_PARALLEL : mesh->facing) : 0;
}

static bool is_tinted(const bsp_scene_prop *prop) {
    return (prop->color[0] & prop->color[1] & prop->color[2]) != 255;
}

static void add_prop(builder *b, uint32_t number) {
    const bsp_scene_prop *prop = &b->scene->props[number];
    const bsp_scene_model *model = &b->scene->models[prop->model];
    const float middle[3] = {prop->place[0][3], prop->place[1][3], prop->place[2][3]};
    for (uint32_t g = 0; g < model->mesh->num_groups; g++) {
        const bsp_model_group *group = &model->mesh->groups[g];
        const bsp_scene_material *look = material_of(b, model->materials[g]);
        bool blends = look->alpha != BSP_ALPHA_OPAQUE && look->alpha != BSP_ALPHA_TEST;
        bv_batch batch;
        memset(&batch, 0, sizeof batch);
        batch.material = model->materials[g];
        batch.volume = BSP_NONE;
        batch.alpha = look->alpha;
        batch.alpha_cut = look->alpha_cut;
        batch.opacity = look->opacity * (float)prop->color[3] / 255;
        batch.flags = (b->full_bright || look->unlit ? 0u : (uint32_t)BV_VERTEX_LIT) |
                      (blends || batch.opacity < 1 ? BV_BLENDED : 0u) |
                      (look->two_sided ? BV_TWO_SIDED : 0u) | (look->clamp ? BV_CLAMP : 0u) |
                      (look->no_draw || !prop->shown ? BV_TOOL : 0u);
        batch.flags |= stands_in_room(b, middle) ? BV_ROOM : 0u;
        batch.fade = prop->fade_max > 0 ? prop->fade_max : 0;
        batch.fade_min = batch.fade > 0 ? prop->fade_min : 0;
        batch.turn = turn_of(model->mesh);
        apply_look(&prop->look, &batch);
        batch.flags |= (is_tinted(prop) ? (uint32_t)BV_VERTEX_LIT : 0u) |
                       (prop->glow ? (uint32_t)BV_GLOWS : 0u);
        batch.cube = mirrored(b, &batch, middle);
        add_source(b, &(source){.batch = batch_like(b, &batch),
                                .owner = number | BV_OWNER_PROP,
                                .first_vertex = group->first_vertex,
                                .num_vertices = group->num_vertices,
                                .first_index = group->first_index,
                                .num_indices = group->num_indices,
                                .face = BSP_NONE,
                                .fade_at = {prop->fade_point[0], prop->fade_point[1],
                                            prop->fade_point[2]}});
    }
}

static void add_decal(builder *b, uint32_t number) {
    const bsp_scene_decal *decal = &b->scene->decals[number];
    const bsp_lightmap *light = b->scene->lightmap;
    bv_batch batch;
    memset(&batch, 0, sizeof batch);
    batch.material = decal->picture;
    batch.volume = BSP_NONE;
    batch.cube = BSP_NONE;
    batch.alpha = BSP_ALPHA_BLEND;
    batch.opacity = 1;
    batch.flags = BV_DECAL | BV_BLENDED | BV_CLAMP |
                  (light != NULL && decal->light_page < light->num_pages ? BV_PAGE_LIT : 0u);
    add_source(b, &(source){.batch = batch_like(b, &batch),
                            .owner = BSP_NONE,
                            .first_vertex = decal->first_vertex,
                            .num_vertices = decal->num_vertices,
                            .first_index = number,
                            .num_indices = decal->num_vertices,
                            .face = decal->face});
}

// --- vertices -----------------------------------------------------------------------------------

static float on_page(uint32_t page, float scale, float u) {
    return 2 * (float)page + 0.5F + scale * u;
}

static uint8_t shade_of(const float n[3]) {
    static const float sun[3] = {0.24F, 0.36F, 0.9F};
    float facing = n[0] * sun[0] + n[1] * sun[1] + n[2] * sun[2];
    return (uint8_t)(170 + 85 * (facing > -1 ? facing < 1 ? facing : 1 : -1));
}

static void put_vertex(const builder *b, const bv_batch *batch, const bsp_placement *place,
                       uint32_t page, const bsp_mesh_vertex *from, bv_vertex *to) {
    const bsp_lightmap *light = b->scene->lightmap;
    bool lit = light != NULL && page < light->num_pages;
    float scale[2] = {1, 1};
    if (lit) {
        scale[0] = (float)light->pages[page].width / (float)b->page_size[0];
        scale[1] = (float)light->pages[page].height / (float)b->page_size[1];
    }
    memcpy(to->position, from->position, sizeof to->position);
    memcpy(to->uv, from->uv, sizeof to->uv);
    memcpy(to->color, from->color, sizeof to->color);
    to->light_uv[0] = on_page(lit ? page : 0, scale[0], from->light_uv[0]);
    to->light_uv[1] = scale[1] * from->light_uv[1];
    if ((batch->flags & BV_SHADED) != 0) {
        memset(to->color, shade_of(from->normal), 3);
    }
    if (place != NULL) {
        bsp_placement_point(place, to->position, to->position);
    }
}

// The corner of a sprite that turns. It is rolled on the screen by the roll of its entity, the
// other way round than the entity's axes are (render/turning.c).
static void put_corner(const bsp_scene_prop *prop, const bsp_model_mesh *mesh,
                       const float position[3], bv_vertex *to) {
    const float right[3] = {-prop->place[0][1], -prop->place[1][1], -prop->place[2][1]};
    const float up[3] = {prop->place[0][2], prop->place[1][2], prop->place[2][2]};
    float flat = sqrtf(right[0] * right[0] + right[1] * right[1]);
    float length = sqrtf(right[0] * right[0] + right[1] * right[1] + right[2] * right[2]);
    bool rolled = mesh->facing == BSP_SPRITE_PARALLEL_ORIENTED && length > 0;
    float s = rolled ? -right[2] / length : 0;
    float c = rolled ? flat / length : 1;
    c = rolled && up[2] < 0 ? -c : c;
    float across = -position[1] * prop->scale;
    float above = position[2] * prop->scale;
    for (int i = 0; i < 3; i++) {
        to->position[i] = prop->place[i][3];
    }
    to->light_uv[0] = across * c - above * s;
    to->light_uv[1] = across * s + above * c;
}

static void put_prop_vertex(const builder *b, const bsp_scene_prop *prop, uint32_t number, bool lit,
                            bv_vertex *to) {
    const bsp_model_mesh *mesh = b->scene->models[prop->model].mesh;
    const bsp_model_vertex *from = &mesh->vertices[number];
    bspi_prop_vertex placed;
    bspi_place_vertex(b->scene, prop, number, lit, &placed);
    memset(to, 0, sizeof *to);
    memcpy(to->uv, from->uv, sizeof to->uv);
    memcpy(to->position, placed.position, sizeof to->position);
    memcpy(to->color, placed.color, sizeof to->color);
    if (bspi_mesh_turns(mesh)) {
        put_corner(prop, mesh, from->position, to);
    }
}

static uint32_t page_of(const builder *b, const source *from) {
    uint32_t n =
        from->face < b->scene->mesh->num_of_face ? b->scene->mesh->of_face[from->face] : BSP_NONE;
    if (n == BSP_NONE) {
        return 0;
    }
    uint32_t page = b->scene->mesh->groups[b->scene->mesh->faces[n].group].light_page;
    return page == BSP_NONE ? 0 : page;
}

static void put_vertices(const builder *b, const source *from, bv_vertex *to) {
    const bv_batch *batch = &b->out->batches[from->batch];
    bool prop = from->owner != BSP_NONE && (from->owner & BV_OWNER_PROP) != 0;
    if (prop) {
        const bsp_scene_prop *it = &b->scene->props[from->owner & ~BV_OWNER_PROP];
        bool lit = !b->full_bright && !it->look.unlit && !material_of(b, batch->material)->unlit;
        for (uint32_t v = 0; v < from->num_vertices; v++) {
            put_prop_vertex(b, it, from->first_vertex + v, lit, &to[v]);
        }
        return;
    }
    bool decal = from->owner == BSP_NONE;
    const bsp_mesh_vertex *vertices = decal ? b->scene->decal_vertices : b->scene->mesh->vertices;
    const bsp_placement *place = decal ? NULL : &b->scene->instances[from->owner].place;
    uint32_t page = decal ? b->scene->decals[from->first_index].light_page : page_of(b, from);
    for (uint32_t v = 0; v < from->num_vertices; v++) {
        put_vertex(b, batch, place, page == BSP_NONE ? 0 : page, &vertices[from->first_vertex + v],
                   &to[v]);
    }
}

static void put_indices(const builder *b, const source *from, uint32_t first_vertex, uint32_t *to) {
    bool decal = from->owner == BSP_NONE;
    bool prop = !decal && (from->owner & BV_OWNER_PROP) != 0;
    const uint32_t *indices = b->scene->mesh->indices;
    if (prop) {
        uint32_t model = b->scene->props[from->owner & ~BV_OWNER_PROP].model;
        indices = b->scene->models[model].mesh->indices;
    }
    for (uint32_t i = 0; i < from->num_indices / 3 * 3; i++) {
        uint32_t index = decal ? i : indices[from->first_index + i] - from->first_vertex;
        to[i] = first_vertex + (index < from->num_vertices ? index : 0);
    }
}

static void add_piece(bv_picture *out, const source *from, uint32_t first_vertex,
                      uint32_t first_index) {
    bv_piece *piece = &out->pieces[out->num_pieces++];
    *piece = (bv_piece){
        .batch = from->batch, .first_index = first_index, .num_indices = from->num_indices / 3 * 3};
    memcpy(piece->fade_at, from->fade_at, sizeof piece->fade_at);
    for (uint32_t v = 0; v < from->num_vertices; v++) {
        for (int axis = 0; axis < 3; axis++) {
            piece->middle[axis] +=
                out->vertices[first_vertex + v].position[axis] / (float)from->num_vertices;
        }
    }
}

static void fill(builder *b, uint32_t *next) {
    bv_picture *out = b->out;
    uint32_t vertex = 0;
    for (uint32_t i = 0; i < b->num_sources; i++) {
        const source *from = &b->sources[i];
        uint32_t index = next[from->batch];
        next[from->batch] += from->num_indices / 3 * 3;
        put_vertices(b, from, &out->vertices[vertex]);
        put_indices(b, from, vertex, &out->indices[index]);
        for (uint32_t t = 0; t < from->num_indices / 3; t++) {
            out->faces[index / 3 + t] = from->face;
            out->owners[index / 3 + t] = from->owner;
        }
        const bv_batch *batch = &out->batches[from->batch];
        if ((batch->flags & BV_BLENDED) != 0 || batch->fade > 0) {
            add_piece(out, from, vertex, index);
        }
        vertex += from->num_vertices;
    }
}

static bool put_all(builder *b) {
    bv_picture *out = b->out;
    uint32_t *next = malloc((out->num_batches + 1) * sizeof *next);
    uint64_t vertices = 0;
    uint64_t indices = 0;
    for (uint32_t i = 0; i < b->num_sources; i++) {
        vertices += b->sources[i].num_vertices;
    }
    for (uint32_t i = 0; next != NULL && i < out->num_batches; i++) {
        out->batches[i].first_index = next[i] = (uint32_t)indices;
        indices += out->batches[i].num_indices;
    }
    if (vertices > UINT32_MAX / 64 || indices > UINT32_MAX / 8) {
        free(next);
        (void)snprintf(bv_last_error.message, sizeof bv_last_error.message,
                       "the scene has too many triangles for a page");
        return false;
    }
    out->num_vertices = (uint32_t)vertices;
    out->num_indices = (uint32_t)indices;
    out->vertices = malloc((size_t)vertices * sizeof *out->vertices + 1);
    out->indices = malloc((size_t)indices * sizeof *out->indices + 1);
    out->faces = malloc((size_t)indices / 3 * sizeof *out->faces + 1);
    out->owners = malloc((size_t)indices / 3 * sizeof *out->owners + 1);
    out->pieces = malloc(((size_t)b->num_sources + 1) * sizeof *out->pieces);
    bool done = next != NULL && out->vertices != NULL && out->indices != NULL &&
                out->faces != NULL && out->owners != NULL && out->pieces != NULL;
    if (done) {
        fill(b, next);
    }
    free(next);
    return done;
}

// Pages may have different sizes; the page draws them from one array of the largest.
static void measure_pages(builder *b) {
    const bsp_lightmap *light = b->scene->lightmap;
    b->page_size[0] = b->page_size[1] = 1;
    for (uint32_t i = 0; light != NULL && i < light->num_pages; i++) {
        const bsp_light_page *page = &light->pages[i];
        b->page_size[0] = page->width > b->page_size[0] ? page->width : b->page_size[0];
        b->page_size[1] = page->height > b->page_size[1] ? page->height : b->page_size[1];
    }
}

bool bv_picture_make(bv_session *session, bool full_bright) {
    builder b = {.session = session,
                 .scene = session->scene,
                 .map = session->map,
                 .out = &session->picture,
                 .full_bright = full_bright};
    bspi_heap_init(&b.heap, NULL, 0);
    bspi_arena_init(&b.arena, &b.heap);
    measure_pages(&b);
    b.failed = !find_room(&b);
    if (!b.failed) {
        add_instances(&b);
    }
    for (uint32_t i = 0; i < b.scene->num_props && !b.failed; i++) {
        add_prop(&b, i);
    }
    for (uint32_t i = 0; i < b.scene->num_decals && !b.failed; i++) {
        add_decal(&b, i);
    }
    bool done = !b.failed && put_all(&b);
    free(b.sources);
    free(b.slots);
    bspi_arena_free(&b.arena);
    if (!done) {
        bv_picture_free(&session->picture);
    }
    return done;
}
