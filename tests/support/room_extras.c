// SPDX-License-Identifier: MIT
// What only some families have: light, materials with their pixels, draw vertices, and the small
// lumps of Source. Each is added if the branch has a table for it.
#include "support/room.h"

#include "formats/map_members.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void fill_pattern(uint8_t *bytes, size_t size, uint32_t seed) {
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)(seed + i * 7 + i / 256);
    }
}

// --- materials ----------------------------------------------------------------------------------

void room_add_materials(room *r) {
    static const char *const names[2] = {"room/wall", "room/floor"};
    bool embedded = bsp_branch_lump_of(r->branch, BSP_ID_TEXTURES) != NULL &&
                    bsp_branch_lump_of(r->branch, BSP_ID_TEXTURES)->kind == BSP_KIND_TEXTURES;
    bool sized =
        embedded || room_elements(r->branch, BSP_ID_TEXTURES, BSPI_MEMBER_material_width, 0) != 0;
    fill_pattern(r->palette, sizeof r->palette, 1);
    for (uint32_t i = 0; i < 2; i++) {
        bsp_material *material = &r->materials[i];
        material->name = bsp_text_of(names[i]);
        material->flags = 16 * i;
        material->contents = 1;
        material->width = material->height = sized ? 16 : 0;
        material->reflectivity[i] = 0.5F;
        material->shift =
            room_elements(r->branch, BSP_ID_TEXTURES, BSPI_MEMBER_material_shift, 0) != 0 ? i : 0;
        fill_pattern(r->pixels[i], ROOM_MIP_BYTES, i);
        size_t at = 0;
        for (uint32_t m = 0; embedded && m < 4; m++) {
            material->mips[m].data = r->pixels[i] + at;
            material->mips[m].size = (size_t)256 >> (2 * m);
            at += material->mips[m].size;
        }
        if (embedded && bsp_branch_traits(r->branch)->light == BSP_LIGHT_RGB8) {
            material->palette.data = r->palette;
            material->palette.size = sizeof r->palette;
        }
    }
    for (uint32_t axis = 0; axis < 3; axis++) {
        bsp_texinfo *info = &r->texinfos[axis];
        info->texture[0][(axis + 1) % 3] = info->texture[1][(axis + 2) % 3] = 1;
        info->light[0][(axis + 1) % 3] = info->light[1][(axis + 2) % 3] = 1.0F / 16;
        info->material = axis == 2 ? 1 : 0;
        info->value = 100 * (int32_t)axis;
        info->next = BSP_NONE;
    }
    ROOM_SET(r, materials, 2);
    ROOM_SET(r, texinfos, 3);
}

// --- light --------------------------------------------------------------------------------------

// Luxels of a box of texels, 16 texels apart, computed by hand. [box][axis of the face]
static const int32_t luxel_mins[2][3][2] = {{{-8, 0}, {0, -8}, {-8, -8}},
                                            {{-1, 0}, {0, 2}, {2, -1}}};
static const int32_t luxel_size[2][3][2] = {{{17, 9}, {9, 17}, {17, 17}}, {{3, 7}, {7, 2}, {2, 3}}};

static void set_light(bsp_face_light *light, bool door, uint32_t axis) {
    static const uint8_t styles[4] = {0, 255, 255, 255};
    memset(light, 0, sizeof *light);
    memcpy(light->styles, styles, sizeof styles);
    memcpy(light->vertex_styles, styles, sizeof styles);
    light->offset = BSP_NONE;
    memcpy(light->mins, luxel_mins[door][axis], sizeof light->mins);
    memcpy(light->size, luxel_size[door][axis], sizeof light->size);
}

static void add_luxels(room *r, uint32_t bytes) {
    bool averages = bytes == 4; // Source: the average of each style precedes the luxels
    uint32_t at = 0;
    for (uint32_t i = 0; i < r->map.num_faces; i++) {
        bsp_face_light *light = &r->face_lights[i];
        set_light(light, i >= 6, i % 6 / 2);
        at += averages ? bytes : 0;
        light->offset = at;
        at += (uint32_t)(light->size[0] * light->size[1]) * bytes;
    }
    r->light_size = at;
}

// Adds one page; each face has a corner of it.
static void add_page(room *r, uint32_t page) {
    for (uint32_t i = 0; i < r->map.num_faces; i++) {
        bool patch = r->faces[i].type == BSP_FACE_PATCH;
        uint32_t box_face = i > 6 ? i - 7 : i;
        bsp_face_light *light = &r->face_lights[i];
        set_light(light, i > 6, patch ? 2 : box_face % 6 / 2);
        memset(light->mins, 0, sizeof light->mins); // no such field
        for (int style = 1; style < 4; style++) {
            light->page[style] = -1;
        }
        light->x[0] = (int32_t)(i % 4) * 20;
        light->y[0] = (int32_t)(i / 4) * 20;
        light->origin[0] = (float)i;
        light->vecs[0][1] = light->vecs[1][2] = 16;
        light->vecs[2][0] = 1;
    }
    r->light_size = (size_t)page * page * 3;
}

// Adds one page of stated size, for all faces.
static void add_sheet(room *r) {
    r->light_headers[0] = (bsp_light_header){1, 32, 16};
    ROOM_SET(r, light_headers, 1);
    r->light_size = (size_t)8 * 32 * 16;
    for (uint32_t i = 0; i < r->map.num_faces; i++) {
        set_light(&r->face_lights[i], false, 0);
        memset(r->face_lights[i].mins, 0, sizeof r->face_lights[i].mins);
        r->face_lights[i].size[0] = 32;
        r->face_lights[i].size[1] = 16;
    }
}

void room_add_light(room *r) {
    const bsp_traits *traits = bsp_branch_traits(r->branch);
    if (traits->light == BSP_LIGHT_PAGES) {
        add_page(r, traits->light_page);
    } else if (traits->light == BSP_LIGHT_SHEETS) {
        add_sheet(r);
    } else {
        add_luxels(r, bsp_light_size(traits->light));
    }
    r->light = malloc(r->light_size);
    assert_non_null(r->light);
    fill_pattern(r->light, r->light_size, 3);
    r->map.light.data = r->light;
    r->map.light.size = r->light_size;
    ROOM_SET(r, face_lights, r->map.num_faces);
    if (room_has(r->branch, BSP_ID_LIGHTING_HDR)) {
        r->map.light_hdr = r->map.light;
        memcpy(r->face_lights_hdr, r->face_lights, sizeof r->face_lights);
        ROOM_SET(r, face_lights_hdr, r->map.num_faces);
    }
}

// --- draw vertices: Quake 3 ---------------------------------------------------------------------

static void set_draw_vert(bsp_draw_vert *vert, const float point[3]) {
    memcpy(vert->point, point, sizeof vert->point);
    vert->uv[0] = point[0] / 16;
    vert->uv[1] = point[1] / 16;
    vert->light_uv[0][0] = 0.25F;
    vert->light_uv[3][1] = 0.75F;
    vert->normal[2] = 1;
    memset(vert->color, 200, sizeof vert->color);
}

static void draw_polygon(room *r, bsp_face *face) {
    static const uint32_t triangles[6] = {0, 1, 2, 0, 2, 3};
    face->first_vert = r->map.num_draw_verts;
    face->num_verts = 4;
    face->first_index = r->map.num_draw_indices;
    face->num_indices = 6;
    for (uint32_t e = 0; e < 4; e++) {
        int32_t edge = r->surfedges[face->first_edge + e];
        uint32_t vertex = r->edges[edge < 0 ? -edge : edge].v[edge < 0 ? 1 : 0];
        set_draw_vert(&r->draw_verts[r->map.num_draw_verts++], r->vertices[vertex].point);
    }
    memcpy(&r->draw_indices[face->first_index], triangles, sizeof triangles);
    r->map.num_draw_indices += 6;
}

// Makes an arch over a corner of the room.
static void draw_patch(room *r, bsp_face *face) {
    static const float rise[3] = {0, 32, 0};
    face->first_vert = r->map.num_draw_verts;
    face->num_verts = 9;
    face->first_index = r->map.num_draw_indices;
    face->patch_width = face->patch_height = 3;
    for (uint32_t i = 0; i < 9; i++) {
        float point[3] = {(float)(32 * (i % 3)), (float)(32 * (i / 3)), rise[i % 3]};
        set_draw_vert(&r->draw_verts[r->map.num_draw_verts++], point);
    }
}

static void add_light_grid(room *r) {
    for (uint32_t i = 0; i < 2; i++) {
        fill_pattern((uint8_t *)r->light_grid[i].ambient, sizeof r->light_grid[i].ambient, i);
        fill_pattern((uint8_t *)r->light_grid[i].directed, sizeof r->light_grid[i].directed, 2 * i);
        r->light_grid[i].direction[0] = 64;
        r->light_grid[i].direction[1] = (uint8_t)(32 * i);
    }
    r->light_array[1] = r->light_array[2] = 1;
    ROOM_SET(r, light_grid, 2);
    ROOM_SET(r, light_array, 4);
}

void room_add_draw(room *r) {
    if (!room_has(r->branch, BSP_ID_DRAW_VERTS)) {
        return;
    }
    for (uint32_t i = 0; i < r->map.num_faces; i++) {
        bsp_face *face = &r->faces[i];
        if (face->type == BSP_FACE_PATCH) {
            draw_patch(r, face);
            face->fog = 0;
        } else {
            draw_polygon(r, face);
        }
        face->material = face->texinfo == 2 ? 1 : 0;
    }
    strcpy(r->fogs[0].name, "room/fog");
    r->fogs[0].brush = BSP_NONE;
    r->fogs[0].visible_side = -1;
    ROOM_SET(r, draw_verts, r->map.num_draw_verts);
    ROOM_SET(r, draw_indices, r->map.num_draw_indices);
    ROOM_SET(r, fogs, 1);
    add_light_grid(r);
}

// --- Source -------------------------------------------------------------------------------------

static void add_displacement(room *r) {
    bsp_displacement *disp = &r->displacements[0];
    r->faces[5].displacement = 0;
    memcpy(disp->start, r->vertices[0].point, sizeof disp->start);
    disp->power = 2;
    disp->smoothing_angle = 45;
    disp->contents = 1;
    disp->face = 5;
    memset(disp->corner_neighbors, 0xFF, sizeof disp->corner_neighbors);
    memset(disp->allowed_verts, 0xFF, sizeof disp->allowed_verts);
    for (uint32_t e = 0; e < 8; e++) {
        disp->edge_neighbors[e / 2][e % 2][0] = BSP_NONE;
    }
    for (uint32_t i = 0; i < ROOM_DISP_VERTS; i++) {
        r->disp_verts[i].vec[2] = 1;
        r->disp_verts[i].dist = (float)(i % 5);
        r->disp_verts[i].alpha = (float)(10 * i);
    }
    for (uint32_t i = 0; i < ROOM_DISP_TRIS; i++) {
        r->disp_tris[i] = (uint16_t)(i % 4);
    }
    static const uint8_t samples[8] = {0, 255, 0, 0, 31, 0, 255, 0}; // triangle, three weights
    memcpy(r->disp_samples, samples, sizeof samples);
    r->map.disp_samples.data = r->disp_samples;
    r->map.disp_samples.size = sizeof samples;
    ROOM_SET(r, displacements, 1);
    ROOM_SET(r, disp_verts, ROOM_DISP_VERTS);
    ROOM_SET(r, disp_tris, ROOM_DISP_TRIS);
}

static void set_overlay(bsp_overlay *overlay, int32_t id) {
    overlay->id = id;
    overlay->texinfo = 1;
    overlay->num_faces = 1;
    overlay->render_order = 2;
    overlay->faces[0] = 4;
    overlay->u[1] = overlay->v[1] = 1;
    overlay->uv_points[1][0] = overlay->uv_points[2][1] = 32;
    overlay->origin[2] = 128;
    overlay->normal[2] = -1;
}

static void add_overlays(room *r) {
    set_overlay(&r->overlays[0], 11);
    set_overlay(&r->water_overlays[0], 12);
    r->overlay_fades[0].min_sq = 100;
    r->overlay_fades[0].max_sq = 10000;
    r->cubemaps[0].origin[2] = 64;
    r->cubemaps[0].size = 6;
    ROOM_SET(r, overlays, 1);
    ROOM_SET(r, water_overlays, 1);
    r->overlay_levels[0] = (bsp_overlay_level){{1, 3, 2, 4}};
    ROOM_SET(r, overlay_fades, 1);
    ROOM_SET(r, overlay_levels, 1);
    ROOM_SET(r, cubemaps, 1);
}

static void add_static_prop(room *r) {
    bsp_static_prop *prop = &r->static_props[0];
    prop->origin[0] = 96;
    prop->angles[1] = 90;
    prop->num_leaves = 1;
    prop->solid = 6;
    prop->flags = 4;
    prop->flags_ex = 1;
    prop->skin = 1;
    prop->fade_min = -1;
    prop->fade_max = 1000;
    prop->lighting_origin[2] = 16;
    prop->forced_fade_scale = 1;
    prop->dx_levels[1] = 95;
    prop->cpu_gpu[3] = 3;
    memset(prop->color, 255, sizeof prop->color);
    prop->lightmap_size[0] = prop->lightmap_size[1] = 32;
    prop->scale = 1;
    r->prop_models[0] = bsp_text_of("models/room/crate.mdl");
    r->prop_leaves[0] = 1;
    ROOM_SET(r, static_props, 1);
    r->map.static_prop_models = r->prop_models;
    r->map.static_prop_leaves = r->prop_leaves;
    r->map.num_static_prop_models = r->map.num_static_prop_leaves = 1;
}

static void add_detail(room *r) {
    bsp_detail_prop *prop = &r->detail_props[0];
    prop->origin[0] = -64;
    prop->leaf = 2;
    memset(prop->light, 40, sizeof prop->light);
    prop->sway = 5;
    prop->orientation = 1;
    prop->type = 1;
    prop->scale = 0.5F;
    r->detail_sprites[0].upper_left[0] = -8;
    r->detail_sprites[0].lower_right[1] = 16;
    r->detail_sprites[0].tex_lower_right[0] = 0.5F;
    r->detail_models[0] = bsp_text_of("models/room/grass.mdl");
    prop->first_style = 1;
    prop->num_styles = 1;
    for (uint8_t i = 0; i < 2; i++) {
        r->detail_lights[i] = (bsp_detail_light){{80, 60, 40, i}, (uint8_t)(i + 32)};
    }
    ROOM_SET(r, detail_props, 1);
    ROOM_SET(r, detail_lights, 2);
    ROOM_SET(r, detail_sprites, 1);
    ROOM_SET(r, detail_models, 1);
}

static void add_ambient(room *r) {
    r->ambient_index[1].count = 1;
    memset(r->ambient_samples[0].cube, 9, sizeof r->ambient_samples[0].cube);
    r->ambient_samples[0].place[0] = 1;
    r->ambient_samples[0].place[1] = 128;
    r->ambient_samples[0].place[2] = 255;
    ROOM_SET(r, ambient_index, r->map.num_leaves);
    ROOM_SET(r, ambient_samples, 1);
    r->map.ambient_index_hdr = r->ambient_index;
    r->map.ambient_samples_hdr = r->ambient_samples;
    r->map.num_ambient_index_hdr = r->map.num_leaves;
    r->map.num_ambient_samples_hdr = 1;
}

static void add_lights(room *r) {
    bsp_world_light *light = &r->world_lights[0];
    light->origin[2] = 96;
    light->intensity[0] = 300;
    light->normal[2] = -1;
    light->type = 1;
    light->radius = 512;
    light->quadratic_attn = 1;
    light->texinfo = 0;
    ROOM_SET(r, world_lights, 1);
    add_ambient(r);
    r->map.world_lights_hdr = r->world_lights;
    r->map.num_world_lights_hdr = 1;
}

static void add_primitive(room *r) {
    if (room_layout(r->branch, BSP_ID_PRIMITIVES, 0) == NULL) {
        return; // a damaged lump of them
    }
    if (room_elements(r->branch, BSP_ID_FACES, BSPI_MEMBER_face_num_prims, 0) != 0) {
        r->faces[4].num_prims = 1;
        r->faces[4].no_dynamic_shadows = 1;
    }
    r->primitives[0].num_indices = r->primitives[0].num_verts = 3;
    for (uint32_t i = 0; i < 3; i++) {
        r->prim_verts[i].point[0] = (float)(i * 16);
        r->prim_indices[i] = i;
    }
    ROOM_SET(r, primitives, 1);
    ROOM_SET(r, prim_verts, 3);
    ROOM_SET(r, prim_indices, 3);
}

static void add_normals(room *r) {
    for (uint32_t i = 0; i < 6; i++) {
        r->vert_normals[i].point[i / 2] = i % 2 == 0 ? -1.0F : 1.0F;
    }
    for (uint32_t i = 0; i < r->map.num_faces * 4; i++) {
        r->vert_normal_indices[i] = i / 4 % 6;
    }
    ROOM_SET(r, vert_normals, 6);
    ROOM_SET(r, vert_normal_indices, r->map.num_faces * 4);
}

static void add_occluder(room *r) {
    bsp_occluder *occluder = &r->occluders[0];
    occluder->num_polys = 1;
    occluder->maxs[0] = occluder->maxs[1] = occluder->maxs[2] = 64;
    occluder->area = 1;
    r->occluder_polys[0].num_indices = 4;
    r->occluder_polys[0].plane = 2;
    for (uint32_t i = 0; i < 4; i++) {
        r->occluder_indices[i] = 8 + i;
    }
    ROOM_SET(r, occluders, 1);
    ROOM_SET(r, occluder_polys, 1);
    ROOM_SET(r, occluder_indices, 4);
}

static void add_originals(room *r) {
    for (uint32_t i = 0; i < r->map.num_faces; i++) {
        r->faces[i].original = i;
        r->faces[i].fog_volume = -1;
        r->face_ids[i] = 100 + i;
        r->original_faces[i] = r->faces[i];
    }
    ROOM_SET(r, original_faces, r->map.num_faces);
    ROOM_SET(r, face_ids, r->map.num_faces);
    r->leaves[3].water = 0;
    r->leaf_waters[0].surface_z = 8;
    r->leaf_waters[0].texinfo = 2;
    ROOM_SET(r, leaf_waters, 1);
}

// --- a zip of one stored file -------------------------------------------------------------------

static size_t put(uint8_t *out, size_t at, uint32_t value, size_t size) {
    for (size_t i = 0; i < size; i++) {
        out[at + i] = (uint8_t)(value >> (8 * i));
    }
    return at + size;
}

static size_t put_zip_fields(uint8_t *out, size_t at, bsp_bytes file, uint32_t name_size) {
    at = put(out, at, 0, 4); // flags, method
    at = put(out, at, 0, 4); // time, date
    at = put(out, at, bsp_crc32(0, file), 4);
    at = put(out, at, (uint32_t)file.size, 4);
    at = put(out, at, (uint32_t)file.size, 4);
    at = put(out, at, name_size, 2);
    return put(out, at, 0, 2); // extra
}

static void add_pak(room *r) {
    static const char name[] = "room.txt";
    static const char text[] = "a room";
    bsp_bytes file = {(const uint8_t *)text, sizeof text - 1};
    uint32_t name_size = sizeof name - 1;
    size_t at = put(r->pak, 0, 0x04034B50, 4);
    at = put(r->pak, at, 10, 2);
    at = put_zip_fields(r->pak, at, file, name_size);
    memcpy(r->pak + at, name, name_size);
    memcpy(r->pak + at + name_size, file.data, file.size);
    uint32_t central = (uint32_t)(at + name_size + file.size);
    at = put(r->pak, central, 0x02014B50, 4);
    at = put(r->pak, at, 10 | 10 << 16, 4);
    at = put_zip_fields(r->pak, at, file, name_size);
    at += 2 + 2 + 2 + 4 + 4; // comment, disk, attributes, offset: all 0
    memcpy(r->pak + at, name, name_size);
    at += name_size;
    uint32_t end = (uint32_t)at;
    at = put(r->pak, at, 0x06054B50, 4) + 4;
    at = put(r->pak, at, 1 | 1 << 16, 4);
    at = put(r->pak, at, end - central, 4);
    at = put(r->pak, at, central, 4) + 2;
    assert_true(at <= sizeof r->pak);
    r->map.pak.data = r->pak;
    r->map.pak.size = at;
}

void room_add_extras(room *r) {
    if (room_has(r->branch, BSP_ID_DISP_INFO)) {
        add_displacement(r);
    }
    if (room_has(r->branch, BSP_ID_ORIGINAL_FACES)) {
        add_primitive(r);
        add_originals(r);
        add_overlays(r);
        add_static_prop(r);
        add_detail(r);
        add_lights(r);
        add_normals(r);
        add_occluder(r);
        add_pak(r);
    }
}
