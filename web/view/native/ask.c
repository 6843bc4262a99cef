// SPDX-License-Identifier: MIT
// Questions of the page about places of the map, and files that it makes of it.
#include "session.h"

#include <stdlib.h>
#include <string.h>

static void begin(bsp_json *json) {
    bv_answer_begin();
    bsp_json_begin(json, bv_answer_add, NULL);
}

// --- traces -------------------------------------------------------------------------------------

/// Answers to bv_trace.
typedef struct bv_trace_answer {
    float fraction;
    float end[3];
    float normal[3];
    uint32_t start_solid;
    uint32_t all_solid;
    uint32_t contents;
    uint32_t flags;
    uint32_t brush;
    uint32_t entity;
    uint32_t face;
} bv_trace_answer;

static bool need_index(bv_session *s) {
    if (s->index == NULL) {
        s->index = bsp_trace_index_new(s->map, NULL, &bv_last_error);
    }
    return s->index != NULL;
}

/// Moves a box against the world and the solid brush models in it. `in` holds start, end, mins and
/// maxs; `mask` 0 is solid. Returns false where the game keeps nothing to collide with.
BV_API int bv_trace(bv_session *s, const float in[12], uint32_t mask, bv_trace_answer *out) {
    bsp_trace_input input = {.mask = mask, .model = BSP_TRACE_ALL};
    bsp_trace_result result;
    if (!need_index(s)) {
        return false;
    }
    memcpy(input.start, in, sizeof input.start);
    memcpy(input.end, in + 3, sizeof input.end);
    memcpy(input.mins, in + 6, sizeof input.mins);
    memcpy(input.maxs, in + 9, sizeof input.maxs);
    bsp_trace(s->index, &input, &result);
    *out = (bv_trace_answer){.fraction = result.fraction,
                             .start_solid = result.start_solid,
                             .all_solid = result.all_solid,
                             .contents = (uint32_t)result.contents,
                             .flags = result.surface_flags,
                             .brush = result.brush,
                             .entity = result.entity,
                             .face = result.face};
    memcpy(out->end, result.end, sizeof out->end);
    memcpy(out->normal, result.normal, sizeof out->normal);
    return true;
}

/// Returns whether nothing stands between two points.
BV_API int bv_sight(bv_session *s, const float from_to[6]) {
    bsp_sight_line line;
    bool seen = false;
    if (need_index(s)) {
        memcpy(&line, from_to, sizeof line);
        bsp_sight_batch(s->index, 0, BSP_TRACE_ALL, &line, &seen, 1);
    }
    return seen;
}

// Returns the flag of that name, or 0.
static uint32_t flag_of(const bsp_map *map, const char *name) {
    return bsp_query_flag(map->branch, bsp_text_of(name));
}

/// Returns the contents that stop a player: solid things, and those that only stop players.
BV_API uint32_t bv_player_mask(const bv_session *s) {
    static const char *const names[] = {"solid", "playerclip", "window", "grate", "moveable"};
    uint32_t mask = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        mask |= flag_of(s->map, names[i]);
    }
    return mask;
}

/// What a place of the world is.
typedef enum bv_place {
    BV_PLACE_SOLID = 1,
    BV_PLACE_LIQUID = 2,
    BV_PLACE_LADDER = 4,
} bv_place;

#define QUAKE_SOLID (-2) // contents.h of the engines: -3 water, -4 slime, -5 lava
#define QUAKE_LAVA (-5)
#define QUAKE_LADDER (-16)   // GoldSrc
#define QUAKE_CURRENT_0 (-9) // GoldSrc: -9 to -14 are water that moves
#define QUAKE_CURRENT_END (-14)

static uint32_t quake_place(int32_t contents) {
    bool liquid = (contents < QUAKE_SOLID && contents >= QUAKE_LAVA) ||
                  (contents <= QUAKE_CURRENT_0 && contents >= QUAKE_CURRENT_END);
    return contents == QUAKE_SOLID    ? BV_PLACE_SOLID
           : contents == QUAKE_LADDER ? BV_PLACE_LADDER
           : liquid                   ? BV_PLACE_LIQUID
                                      : 0u;
}

static uint32_t place_of(const bsp_map *map, int32_t contents) {
    if (map->traits->contents_numbers) {
        return quake_place(contents);
    }
    uint32_t bits = (uint32_t)contents;
    uint32_t liquid = flag_of(map, "water") | flag_of(map, "slime") | flag_of(map, "lava");
    return (bits & flag_of(map, "solid") ? BV_PLACE_SOLID : 0u) |
           (bits & liquid ? BV_PLACE_LIQUID : 0u) |
           (bits & flag_of(map, "ladder") ? BV_PLACE_LADDER : 0u);
}

static bool text_is(bsp_text text, const char *word) {
    return bsp_text_equal(text, bsp_text_of(word));
}

// GoldSrc, Quake: what brush models that are no walls make of a place, by their class.
static uint32_t model_place(const bsp_map *map, const bsp_entity *entity, const float point[3]) {
    bsp_text name = bsp_entity_value(entity, "classname");
    bool ladder = text_is(name, "func_ladder");
    bool water = text_is(name, "func_water");
    uint32_t model = ladder || water ? bsp_entity_model(map, entity) : BSP_NONE;
    if (model == BSP_NONE || model >= map->num_models) {
        return 0;
    }
    bsp_placement place = bsp_entity_placement(map, entity);
    for (int axis = 0; axis < 3; axis++) {
        float at = point[axis] - place.origin[axis];
        if (at < map->models[model].mins[axis] || at > map->models[model].maxs[axis]) {
            return 0;
        }
    }
    return ladder ? BV_PLACE_LADDER : BV_PLACE_LIQUID;
}

/// Returns what a place is: bv_place bits.
BV_API uint32_t bv_place_at(const bv_session *s, const float point[3]) {
    uint32_t place = place_of(s->map, bsp_query_contents(s->map, 0, point));
    for (uint32_t i = 1; i < s->map->entities->count; i++) {
        place |= model_place(s->map, &s->map->entities->list[i], point);
    }
    return place;
}

// --- places -------------------------------------------------------------------------------------

static void put_visible(bsp_json *json, const bv_session *s, const float point[3]) {
    uint32_t leaves = bsp_query_visible_leaves(s->map, point, s->row, NULL, 0);
    cli_json_uint(json, "visibleLeaves", leaves);
}

/// Answers with what is known of a place: leaf, cluster, area, contents, light.
BV_API int bv_place_info(const bv_session *s, const float point[3]) {
    uint32_t leaf = bsp_query_leaf(s->map, point);
    bsp_light light = bsp_query_light(s->map, s->file, point);
    bsp_json json;
    begin(&json);
    bsp_json_object(&json);
    bv_json_index(&json, "leaf", leaf);
    bv_json_index(&json, "cluster", bsp_query_cluster(s->map, point));
    bsp_json_key(&json, "contents");
    bsp_json_int(&json, bsp_query_contents(s->map, 0, point));
    bool known = leaf < s->map->num_leaves;
    bv_json_index(&json, "area", known ? s->map->leaves[leaf].area : BSP_NONE);
    bsp_json_key(&json, "sound");
    bsp_json_array(&json);
    for (int i = 0; i < 4 && known; i++) {
        bsp_json_uint(&json, s->map->leaves[leaf].ambient[i]);
    }
    bsp_json_array_end(&json);
    bsp_json_floats(&json, "light", light.ambient, 3);
    put_visible(&json, s, point);
    bsp_json_object_end(&json);
    return bsp_json_flush(&json);
}

/// Answers with a byte for each face of the map: 1 where the leaf of a point may see it. Where the
/// point is in solid, all are 1.
BV_API int bv_visible_faces(const bv_session *s, const float point[3]) {
    uint32_t count = s->map->num_faces;
    uint8_t *bits = calloc(1, (size_t)count / 8 + 1);
    bv_answer_begin();
    if (bits == NULL) {
        return false;
    }
    bool outside = bsp_query_cluster(s->map, point) == BSP_NONE;
    bsp_query_visible_faces(s->map, point, s->row, bits);
    bool done = true;
    for (uint32_t i = 0; i < count && done; i++) {
        char one = outside || (bits[i / 8] >> i % 8 & 1) != 0;
        done = bv_answer_add(NULL, &one, 1);
    }
    free(bits);
    return done;
}

// The loudest of a leaf's sound levels, 0 to 255.
static uint32_t loudest(const bsp_leaf *leaf) {
    uint32_t most = 0;
    for (int i = 0; i < 4; i++) {
        most = leaf->ambient[i] > most ? leaf->ambient[i] : most;
    }
    return most;
}

/// Answers with four words for each face of the map: the first leaf that lists it, and of that leaf
/// the area, the loudest of its sounds and its flags; BSP_NONE where none lists it.
BV_API int bv_face_leaves(const bv_session *s) {
    const bsp_map *map = s->map;
    uint32_t *words = malloc(((size_t)map->num_faces * 4 + 1) * sizeof *words);
    if (words == NULL) {
        return false;
    }
    memset(words, 0xFF, (size_t)map->num_faces * 4 * sizeof *words);
    for (uint32_t i = map->num_leaves; i-- > 0;) {
        const bsp_leaf *leaf = &map->leaves[i];
        for (uint32_t k = 0; k < leaf->num_faces && map->num_leaf_faces != 0; k++) {
            uint32_t face = map->leaf_faces[leaf->first_face + k];
            if (face < map->num_faces) {
                const uint32_t facts[4] = {i, leaf->area, loudest(leaf), leaf->flags};
                memcpy(&words[4 * (size_t)face], facts, sizeof facts);
            }
        }
    }
    bv_answer_begin();
    bool done = bv_answer_add(NULL, (const char *)words, (size_t)map->num_faces * 16);
    free(words);
    return done;
}

/// Answers with all that the records say of a face.
BV_API int bv_face(const bv_session *s, uint32_t number) {
    const bsp_map *map = s->map;
    bsp_json json;
    if (number >= map->num_faces) {
        return false;
    }
    const bsp_face *face = &map->faces[number];
    uint32_t material = bsp_surface_material(map, number);
    float normal[3] = {0, 0, 0};
    float dist = 0;
    begin(&json);
    bsp_json_object(&json);
    cli_json_uint(&json, "face", number);
    bv_json_string(&json, "lump",
                   bsp_file_lump(s->file, bsp_file_find_id(s->file, BSP_ID_FACES))->name);
    cli_json_uint(&json, "type", face->type);
    cli_json_text(&json, "material",
                  material < map->num_materials ? map->materials[material].name : (bsp_text){0});
    bv_json_index(&json, "materialNumber", material);
    bv_json_index(&json, "texinfo", face->texinfo);
    bv_json_index(&json, "plane", face->plane);
    bv_json_index(&json, "displacement", face->displacement);
    cli_json_uint(&json, "flags", bsp_surface_flags(map, number));
    cli_json_uint(&json, "bits", bsp_surface_bits_of(map, number));
    cli_json_uint(&json, "corners", bsp_surface_corners(map, number, NULL, 0));
    if (bsp_surface_plane(map, number, normal, &dist)) {
        bsp_json_floats(&json, "normal", normal, 3);
        cli_json_float(&json, "distance", dist);
    }
    if (number < map->num_face_lights) {
        const bsp_face_light *light = &map->face_lights[number];
        bsp_json_key(&json, "styles");
        bsp_json_array(&json);
        for (int i = 0; i < 4; i++) {
            bsp_json_uint(&json, light->styles[i]);
        }
        bsp_json_array_end(&json);
        bv_json_index(&json, "lightOffset", light->offset);
    }
    bsp_json_object_end(&json);
    return bsp_json_flush(&json);
}

/// Answers with all that the records say of a brush.
BV_API int bv_brush(const bv_session *s, uint32_t number) {
    const bsp_map *map = s->map;
    bsp_json json;
    if (number >= map->num_brushes) {
        return false;
    }
    const bsp_brush *brush = &map->brushes[number];
    begin(&json);
    bsp_json_object(&json);
    cli_json_uint(&json, "brush", number);
    cli_json_uint(&json, "sides", brush->num_sides);
    bsp_json_key(&json, "contents");
    bsp_json_int(&json, brush->contents);
    bsp_json_key(&json, "names");
    bsp_json_array(&json);
    for (uint32_t bit = 1; bit != 0 && !map->traits->contents_numbers; bit <<= 1) {
        const char *name =
            ((uint32_t)brush->contents & bit) != 0 ? bsp_query_flag_name(map->branch, bit) : NULL;
        if (name != NULL) {
            bsp_json_string(&json, name);
        }
    }
    bsp_json_array_end(&json);
    bsp_json_object_end(&json);
    return bsp_json_flush(&json);
}

// --- brushes and lights to be shown -------------------------------------------------------------

static bool add_line(const bsp_brush_point *a, const bsp_brush_point *b) {
    float words[6];
    for (int axis = 0; axis < 3; axis++) {
        words[axis] = (float)a->at[axis];
        words[3 + axis] = (float)b->at[axis];
    }
    return bv_answer_add(NULL, (const char *)words, sizeof words);
}

/// Answers with the edges of all brushes with some of the contents of a mask: six floats each.
/// Games without brushes have none.
BV_API int bv_brush_lines(const bv_session *s, uint32_t mask) {
    bv_answer_begin();
    bsp_brush_mesh *mesh = bsp_brush_mesh_build(s->map, NULL, &bv_last_error);
    if (mesh == NULL) {
        return false;
    }
    bool done = true;
    for (uint32_t h = 0; h < mesh->num_hulls && done; h++) {
        const bsp_brush_hull *hull = &mesh->hulls[h];
        if (((uint32_t)s->map->brushes[h].contents & mask) == 0) {
            continue;
        }
        for (uint32_t p = hull->first_polygon; p < hull->first_polygon + hull->num_polygons; p++) {
            const bsp_brush_polygon *polygon = &mesh->polygons[p];
            const uint32_t *corners = &mesh->indices[polygon->first_index];
            for (uint32_t i = 0; i < polygon->num_indices && done; i++) {
                uint32_t next = corners[(i + 1) % polygon->num_indices];
                // Each edge is one of two polygons, which run along it in opposite directions.
                done =
                    corners[i] > next || add_line(&mesh->points[corners[i]], &mesh->points[next]);
            }
        }
    }
    bsp_brush_mesh_free(mesh);
    return done;
}

/// Returns the contents flag of a name, 0 where the game has none of it.
BV_API uint32_t bv_flag(const bv_session *s, const char *name) {
    return flag_of(s->map, name);
}

// --- two maps -----------------------------------------------------------------------------------

static const char *const kinds[] = {"added", "removed", "changed"};

static void put_difference(void *user, const bsp_difference *d) {
    bsp_json *json = user;
    bsp_json_object(json);
    bv_json_string(json, "kind", kinds[d->kind]);
    bv_json_string(json, "part", d->part);
    bv_json_string(json, "lump", d->place.lump);
    bv_json_index(json, "record", d->place.record);
    bv_json_string(json, "field", d->place.field);
    cli_json_text(json, "name", d->name);
    cli_json_text(json, "before", d->before);
    cli_json_text(json, "after", d->after);
    bsp_json_object_end(json);
}

/// Answers with what differs between two maps.
BV_API int bv_diff(const bv_session *a, const bv_session *b) {
    bsp_json json;
    begin(&json);
    bsp_json_array(&json);
    bool done = bsp_file_diff(a->file, b->file, put_difference, &json, NULL, &bv_last_error);
    bsp_json_array_end(&json);
    return done && bsp_json_flush(&json);
}
