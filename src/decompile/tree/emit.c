// SPDX-License-Identifier: MIT
// Sides get the look of the faces that they show. The other sides are hidden in walls, or their
// faces were removed by the compiler: they get the most common look of the brush; a brush without
// any face gets the plain texture of its contents.
#include "decompile/tree/emit.h"

#include "decompile/brush/faces.h"

#include "core/text.h"
#include "core/vector.h"

#include <stdio.h>
#include <string.h>

bool bspi_tree_emit_begin(bspi_tree_emitter *e) {
    bspi_work *w = e->work;
    const bsp_map *map = w->map;
    bsp_text *names = bspi_arena_raw(&w->arena, map->num_materials, sizeof *names, w->error);
    for (uint32_t i = 0; names != NULL && i < map->num_materials; i++) {
        names[i] = map->materials[i].name;
        if (names[i].size == 0) {
            char made[32];
            (void)snprintf(made, sizeof made, "unnamed_%u", i);
            char *kept = bspi_arena_text(&w->arena, bsp_text_of(made), w->error);
            names[i] = bsp_text_of(kept != NULL ? kept : "unnamed");
        }
    }
    e->names = names;
    e->sides = bspi_arena_raw(&w->arena, BSPI_MAX_SIDES, sizeof *e->sides, w->error);
    bspi_name_contents(map, e->of_contents);
    return names != NULL && e->sides != NULL;
}

static bspi_look face_look(const bspi_tree_emitter *e, uint32_t face) {
    const bsp_map *map = e->work->map;
    uint32_t texinfo = map->faces[face].texinfo;
    uint32_t material = map->texinfos[texinfo].material;
    bspi_look look = {.source = BSPI_LOOK_FACE, .face = face, .material = bsp_text_of("unnamed")};
    bspi_look_texinfo(e->work, &look, texinfo);
    if (material < map->num_materials) {
        uint32_t scale = bsp_material_scale(&map->materials[material]);
        look.material = e->names[material];
        look.size[0] = map->materials[material].width * scale;
        look.size[1] = map->materials[material].height * scale;
    }
    return look;
}

static bspi_look plain_look(bsp_text material, const double normal[3]) {
    bspi_look look = {.source = BSPI_LOOK_GUESS, .face = BSP_NONE, .material = material};
    bspi_look_default(&look, normal, 1);
    return look;
}

static double area_of(const bspi_tree_side *side) {
    const double(*points)[3] = (const double(*)[3])side->polygon.points;
    double sum[3] = {0, 0, 0};
    for (uint32_t i = 2; i < side->polygon.count; i++) {
        double u[3];
        double v[3];
        double across[3];
        bspi_vec_subtract(points[i - 1], points[0], u);
        bspi_vec_subtract(points[i], points[0], v);
        bspi_vec_cross(u, v, across);
        bspi_vec_add(sum, across, 1, sum);
    }
    return bspi_vec_length(sum) / 2;
}

// Returns true if a side with the look of a face does not change the brush's contents: water at a
// wall is not part of the wall.
static bool suits(const bspi_tree_emitter *e, uint32_t face, int32_t contents) {
    const bsp_map *map = e->work->map;
    uint32_t material = map->texinfos[map->faces[face].texinfo].material;
    if (material >= map->num_materials || map->materials[material].name.size == 0) {
        return true;
    }
    int32_t named = bspi_contents_of_name(map, map->materials[material].name);
    return named == contents || (contents == BSPI_TREE_SOLID && e->plain.data != NULL);
}

// Returns the face that covers most of a side.
static uint32_t widest_face(const bspi_tree_emitter *e, const bspi_tree_side *side,
                            int32_t contents) {
    bspi_polygon polygon = {.model = e->model, .count = side->polygon.count};
    bspi_flats_out(&e->carver->flats, side->tag, polygon.normal, &polygon.dist);
    polygon.points = (const double(*)[3])side->polygon.points;
    const bspi_face_hit *hits;
    uint32_t count = bspi_face_hits(e->work, &polygon, &hits);
    uint32_t best = BSP_NONE;
    double most = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (hits[i].area > most && e->work->map->faces[hits[i].face].texinfo != BSP_NONE &&
            suits(e, hits[i].face, contents)) {
            most = hits[i].area;
            best = hits[i].face;
        }
    }
    return best;
}

static uint32_t face_of(const bspi_tree_emitter *e, const bspi_tree_side *side, int32_t contents) {
    uint32_t face = BSP_NONE;
    if (e->faces == NULL) {
        return BSP_NONE;
    }
    if (e->listed) {
        return widest_face(e, side, contents);
    }
    face = bspi_tree_faces_first(e->faces, side);
    return face != BSP_NONE && suits(e, face, contents) ? face : BSP_NONE;
}

// Returns a generated name for a texture without one, since the name must tell the brush's
// contents.
static bsp_text proper_name(bspi_tree_emitter *e, const bspi_look *look, int32_t contents) {
    const bsp_map *map = e->work->map;
    if (contents == BSPI_TREE_SOLID || bspi_contents_of_name(map, look->material) == contents) {
        return look->material;
    }
    bsp_text usual = bspi_usual_name(map, contents);
    if (look->face == BSP_NONE) {
        return usual;
    }
    char made[64];
    uint32_t material = map->texinfos[map->faces[look->face].texinfo].material;
    (void)snprintf(made, sizeof made, "%.*s_%u", (int)usual.size, usual.data, material);
    return bspi_builder_text(&e->work->out, bsp_text_of(made));
}

static void find_plane(const bspi_tree_emitter *e, const bspi_tree_side *side, double dist,
                       bspi_written_plane *plane) {
    double points[BSPI_TREE_CORNERS][3];
    memcpy(points, side->polygon.points, side->polygon.count * sizeof *points);
    for (uint32_t i = 0; e->origin != NULL && i < side->polygon.count; i++) {
        for (int a = 0; a < 3; a++) {
            points[i][a] += e->origin[a];
        }
    }
    for (int a = 0; e->origin != NULL && a < 3; a++) {
        dist += side->normal[a] * e->origin[a];
    }
    bspi_write_plane(plane, side->normal, dist, (const double(*)[3])points, side->polygon.count);
}

void bspi_tree_find_side(const bspi_tree_emitter *e, const bspi_tree_side *side, double dist,
                         int32_t contents, bspi_tree_found *found) {
    found->face = face_of(e, side, contents);
    found->area = found->face != BSP_NONE ? area_of(side) : 0;
    memcpy(found->normal, side->normal, sizeof found->normal);
    find_plane(e, side, dist, &found->plane);
}

static bool add_side(bspi_tree_emitter *e, const bspi_tree_found *found, const bspi_look *look) {
    bspi_work *w = e->work;
    bsp_mapdoc_side *side = bspi_build_side(&w->out);
    if (side == NULL) {
        return false;
    }
    bspi_side_set_plane(side, &found->plane);
    bspi_side_look(side, look, e->origin);
    side->material = bspi_builder_text(&w->out, look->material);
    w->report->sides++;
    w->report->sides_faced += look->source == BSPI_LOOK_FACE;
    w->report->sides_guessed += look->source == BSPI_LOOK_GUESS;
    return side->material.data != NULL;
}

static bsp_text name_of_contents(const bspi_tree_emitter *e, int32_t contents) {
    bool known = contents <= 0 && contents > -BSPI_TREE_CONTENTS;
    return known ? e->of_contents[-contents] : bspi_usual_name(e->work->map, contents);
}

// Returns the most common material of the brush, by the area of faces; or the plain texture.
static bsp_text common_material(const bspi_tree_emitter *e, int32_t contents,
                                const bspi_tree_found *sides, uint32_t count) {
    bsp_text best = e->plain.data != NULL ? e->plain : name_of_contents(e, contents);
    double most = 0;
    for (uint32_t i = 0; i < count && !e->bare; i++) {
        if (sides[i].face != BSP_NONE && sides[i].area > most &&
            (!e->work->options->no_guesses || contents != BSPI_TREE_SOLID)) {
            most = sides[i].area;
            best = face_look(e, sides[i].face).material;
        }
    }
    return best;
}

// Returns true if all visible faces of a brush have a texture with holes. Such detail of Quake's
// compilers is solid but does not block sight or water; as a structural brush of the world it would
// separate areas that are connected.
static bool is_fence(const bspi_tree_emitter *e, int32_t contents, const bspi_tree_found *sides,
                     uint32_t count) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (sides[i].face != BSP_NONE) {
            seen++;
            if (!bspi_text_begins_nocase(face_look(e, sides[i].face).material, "{")) {
                return false;
            }
        }
    }
    return e->fence_class != NULL && contents == BSPI_TREE_SOLID && seen != 0;
}

static uint32_t owner_of(bspi_tree_emitter *e, int32_t contents, const bspi_tree_found *sides,
                         uint32_t count) {
    if (!is_fence(e, contents, sides, count)) {
        return e->entity;
    }
    if (e->fence == BSP_NONE) {
        e->fence = bspi_new_entity(e->work, e->fence_class);
    }
    return e->fence;
}

bool bspi_tree_emit_found(bspi_tree_emitter *e, int32_t contents, const bspi_tree_found *sides,
                          uint32_t count) {
    bspi_work *w = e->work;
    bsp_text common = common_material(e, contents, sides, count);
    uint32_t owner = owner_of(e, contents, sides, count);
    if (owner == BSP_NONE || !bspi_progress_step(&w->progress, 1, w->error)) {
        return false;
    }
    if (bspi_is_left_out(&w->out, owner)) {
        return true;
    }
    if (bspi_build_brush(&w->out, owner) == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < count; i++) {
        const bspi_tree_found *side = &sides[i];
        bspi_look look =
            side->face != BSP_NONE ? face_look(e, side->face) : plain_look(common, side->normal);
        look.material = proper_name(e, &look, contents);
        if (contents == BSPI_TREE_SOLID) { // other contents follow from the names
            look.material = bspi_written_material(w, &look);
        }
        if (look.material.data == NULL || !add_side(e, side, &look)) {
            return false;
        }
    }
    w->report->brushes_out++;
    return true;
}

bool bspi_tree_emit(bspi_tree_emitter *e, int32_t contents) {
    const bspi_polyhedron *solid = &e->carver->solid;
    uint32_t count = solid->num_polygons < BSPI_MAX_SIDES ? solid->num_polygons : BSPI_MAX_SIDES;
    for (uint32_t i = 0; i < count; i++) {
        bspi_tree_side side;
        double normal[3];
        double dist;
        bspi_tree_side_of(e->carver, i, &side);
        bspi_flats_out(&e->carver->flats, side.tag, normal, &dist);
        bspi_tree_find_side(e, &side, dist, contents, &e->sides[i]);
    }
    return bspi_tree_emit_found(e, contents, e->sides, count);
}
