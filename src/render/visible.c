// SPDX-License-Identifier: MIT
// What a view shows: the leaves that are visible from the viewer's cluster and lie in the frustum,
// their faces, and brush models in the frustum. Liquids are drawn transparent here, but most maps
// were compiled as if they were opaque: what is beyond a visible liquid is added.
#include "render/visible.h"

#include "bspkit/query.h"
#include "core/bits.h"
#include "scene/draw.h"

#include <math.h>
#include <string.h>

// Distance from a liquid's surface at which its two sides are sampled, in units.
#define LIQUID_STEP 2.0F
// How often sets beyond liquids are added: through one, and through those beyond it.
#define LIQUID_ROUNDS 4
#define MOST_LEAVES 128u // that a piece is asked for; one in more is not shut off
#define LIQUID_STEPS 64u // to find the leaves on the two sides of a liquid

// --- pieces -------------------------------------------------------------------------------------

static uint8_t *new_bits(bspi_arena *arena, uint32_t count, bsp_error *error) {
    return bspi_arena_zero(arena, (size_t)count / 8 + 1, 1, error);
}

void bspi_piece_measure(const bsp_renderer *renderer, bspi_piece *piece) {
    for (uint32_t v = 0; v < piece->num_vertices; v++) {
        const float *point = renderer->vertices[piece->first_vertex + v].position;
        for (int axis = 0; axis < 3; axis++) {
            bool first = v == 0;
            piece->mins[axis] =
                first || point[axis] < piece->mins[axis] ? point[axis] : piece->mins[axis];
            piece->maxs[axis] =
                first || point[axis] > piece->maxs[axis] ? point[axis] : piece->maxs[axis];
        }
    }
}

bool bspi_renderer_pieces_begin(bsp_renderer *renderer, bsp_error *error) {
    const bsp_map *map = renderer->map;
    uint8_t *in_leaf = new_bits(&renderer->arena, map->num_faces, error);
    for (uint32_t i = 0; in_leaf != NULL && i < map->num_leaf_faces; i++) {
        if (map->leaf_faces[i] < map->num_faces) {
            bspi_bit_set(in_leaf, map->leaf_faces[i]);
        }
    }
    renderer->in_leaf = in_leaf;
    return in_leaf != NULL;
}

void bspi_renderer_pieces_add(bsp_renderer *renderer, const bsp_mesh *mesh,
                              const bsp_mesh_group *group, uint32_t batch, uint32_t first_vertex,
                              uint32_t first_index) {
    for (uint32_t f = group->first_face; f < group->first_face + group->num_faces; f++) {
        const bsp_mesh_face *face = &mesh->faces[f];
        bspi_piece *piece = &renderer->pieces[renderer->num_pieces++];
        *piece =
            (bspi_piece){.first_vertex = first_vertex + face->first_vertex - group->first_vertex,
                         .num_vertices = face->num_vertices,
                         .first_index = first_index + face->first_index - group->first_index,
                         .num_indices = face->num_indices,
                         .batch = batch,
                         .paint = batch,
                         .face = face->face,
                         .fade = bspi_overlay_far(renderer->map, face),
                         .in_leaf = group->model == 0 && bspi_bit_is(renderer->in_leaf, face->face),
                         .liquid = (group->bits & BSP_SURFACE_LIQUID) != 0,
                         .sky = renderer->batches[batch].sky};
        bspi_piece_measure(renderer, piece);
    }
}

// --- the frustum --------------------------------------------------------------------------------

// Returns false only for a box outside of one of the planes.
static bool box_in_view(const bspi_frustum *frustum, const float mins[3], const float maxs[3]) {
    for (uint32_t i = 0; i < frustum->num_planes; i++) {
        const float *plane = frustum->planes[i];
        float most = 0;
        for (int axis = 0; axis < 3; axis++) {
            most += plane[axis] * (plane[axis] > 0 ? maxs[axis] : mins[axis]);
        }
        if (most < plane[3]) {
            return false;
        }
    }
    return true;
}

// --- areas --------------------------------------------------------------------------------------

static bool keep_groups(bsp_renderer *renderer, const bsp_area_links *links,
                        const bsp_scene_state *state, bsp_error *error) {
    uint32_t *groups = bspi_arena_raw(&renderer->arena, links->num_areas, sizeof *groups, error);
    bool *open = bspi_arena_raw(&renderer->arena, links->count, sizeof *open, error);
    if (groups == NULL || open == NULL) {
        return false;
    }
    bsp_scene_portals(renderer->map, links, state, open);
    (void)bsp_area_links_flood(links, open, groups);
    renderer->groups = groups;
    renderer->num_areas = links->num_areas;
    return true;
}

bool bspi_renderer_areas(bsp_renderer *renderer, const bsp_scene_state *state, bsp_error *error) {
    if (state == NULL || !state->areas) {
        return true;
    }
    bsp_area_links *links = bsp_area_links_find(renderer->map, &renderer->heap.allocator, error);
    bool done = links != NULL && keep_groups(renderer, links, state, error);
    bsp_area_links_free(links);
    return done;
}

// --- leaves -------------------------------------------------------------------------------------

/// A running search.
typedef struct finder {
    const bsp_renderer *renderer;
    const bspi_frustum *frustum;
    uint8_t *seen;  // clusters
    uint8_t *other; // scratch of the same size
    uint8_t *faces; // of the map
    bool room;      // of the sky: what is in it, else what is not
    bool everything;
    bool inside;       // the eye itself is in the room of the sky
    uint32_t area;     // of the eye; BSP_NONE: no area is shut off
    bspi_meter *meter; // a step: a leaf, a face of its list, a piece, a byte of a row
    bsp_draw_stats *stats;
} finder;

// Returns true if area portals shut a leaf off from the eye. Leaves without an area are not.
static bool is_shut_off(const finder *f, const bsp_leaf *leaf) {
    const bsp_renderer *renderer = f->renderer;
    return f->area < renderer->num_areas && leaf->area < renderer->num_areas &&
           renderer->groups[leaf->area] != renderer->groups[f->area];
}

// The same of a piece that no leaf lists: all leaves that it touches are shut off.
static bool is_piece_shut_off(const finder *f, const bspi_piece *piece) {
    const bsp_map *map = f->renderer->map;
    uint32_t leaves[MOST_LEAVES];
    float mins[3], maxs[3];
    if (f->area >= f->renderer->num_areas || piece->in_leaf) {
        return false;
    }
    for (int i = 0; i < 3; i++) { // engines enlarge what they link by a unit
        mins[i] = piece->mins[i] - 1;
        maxs[i] = piece->maxs[i] + 1;
    }
    uint32_t count = bsp_query_box_leaves(map, 0, mins, maxs, leaves, MOST_LEAVES);
    bool any = false;
    for (uint32_t i = 0; i < count; i++) {
        const bsp_leaf *leaf = i < MOST_LEAVES ? &map->leaves[leaves[i]] : NULL;
        bool outside = leaf != NULL && leaf->cluster == BSP_NONE;
        if (!outside && (leaf == NULL || !is_shut_off(f, leaf))) {
            return false;
        }
        any = any || !outside;
    }
    return any;
}

// Marks the faces of visible leaves. Leaves of hostile maps may share their lists: returns false
// over a limit of work.
static bool mark_leaves(const finder *f) {
    const bsp_map *map = f->renderer->map;
    f->stats->leaves_seen = 0;
    f->stats->leaves_in_view = 0;
    for (uint32_t i = 0; i < map->num_leaves; i++) {
        const bsp_leaf *leaf = &map->leaves[i];
        if (!f->everything &&
            (!bsp_query_row_sees(map, f->seen, leaf->cluster) || is_shut_off(f, leaf))) {
            continue;
        }
        f->stats->leaves_seen++;
        bool in_view = box_in_view(f->frustum, leaf->mins, leaf->maxs);
        f->stats->leaves_in_view += in_view;
        if (!bspi_meter_add(f->meter, 1 + (uint64_t)leaf->num_faces)) {
            return false;
        }
        for (uint32_t k = 0; k < leaf->num_faces && map->num_leaf_faces != 0; k++) {
            uint32_t face = map->leaf_faces[leaf->first_face + k];
            if (face < map->num_faces) {
                bspi_bit_set(f->faces, face);
            }
        }
    }
    return bspi_meter_add(f->meter, map->num_leaves);
}

static bool is_marked(const finder *f, const bspi_piece *piece) {
    return f->everything || !piece->in_leaf || bspi_bit_is(f->faces, piece->face);
}

// Adds what is visible from the cluster at a point, unless that cluster is visible already: then
// the map was compiled with transparent liquids. Returns true if something was added.
static bool add_side(const finder *f, const float point[3]) {
    const bsp_map *map = f->renderer->map;
    uint32_t cluster = bsp_query_cluster(map, point);
    if (cluster == BSP_NONE || bsp_query_row_sees(map, f->seen, cluster)) {
        return false;
    }
    bsp_map_visible(map, cluster, false, f->other);
    for (uint32_t i = 0; i < map->visibility.row_bytes; i++) {
        f->seen[i] |= f->other[i];
    }
    return true;
}

static bool add_behind_liquids(const finder *f) {
    const bsp_renderer *renderer = f->renderer;
    size_t row_bytes = renderer->map->visibility.row_bytes;
    bool added = false;
    for (uint32_t i = 0; i < renderer->num_pieces; i++) {
        const bspi_piece *piece = &renderer->pieces[i];
        if (!piece->liquid || !piece->in_leaf || piece->num_vertices == 0 || !is_marked(f, piece) ||
            !box_in_view(f->frustum, piece->mins, piece->maxs)) {
            continue;
        }
        const float *normal = renderer->vertices[piece->first_vertex].normal;
        if (!bspi_meter_add(f->meter, LIQUID_STEPS + 2 * (uint64_t)row_bytes)) {
            return false;
        }
        for (int side = -1; side <= 1; side += 2) {
            float point[3];
            for (int axis = 0; axis < 3; axis++) {
                float middle = (piece->mins[axis] + piece->maxs[axis]) / 2;
                point[axis] = middle + normal[axis] * LIQUID_STEP * (float)side;
            }
            added = add_side(f, point) || added;
        }
    }
    return added;
}

static bool find_leaves(finder *f, const float from[3]) {
    const bsp_map *map = f->renderer->map;
    f->stats->leaf = bsp_query_leaf(map, from);
    f->stats->cluster = bsp_query_cluster(map, from);
    f->everything = f->everything || f->stats->cluster == BSP_NONE;
    if (!f->everything) {
        bool counts = f->renderer->groups != NULL && f->stats->leaf < map->num_leaves;
        f->area = counts ? map->leaves[f->stats->leaf].area : BSP_NONE;
        bsp_map_visible(map, f->stats->cluster, false, f->seen);
    }
    bool done = mark_leaves(f);
    for (int round = 0; done && !f->everything && round < LIQUID_ROUNDS && add_behind_liquids(f);
         round++) {
        done = mark_leaves(f);
    }
    return done && bspi_meter_add(f->meter, f->renderer->num_pieces);
}

// --- order --------------------------------------------------------------------------------------

/// A piece and its distance, as a number that sorts: the upper half of the float's bits.
typedef struct ranked {
    uint32_t piece;
    uint32_t rank;
} ranked;

static uint32_t rank_of(const bspi_piece *piece, const float from[3]) {
    float sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        float d = piece->mins[axis] > from[axis]   ? piece->mins[axis] - from[axis]
                  : piece->maxs[axis] < from[axis] ? from[axis] - piece->maxs[axis]
                                                   : 0;
        sum += d * d;
    }
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits); // not negative: bits sort as the floats do
    return bits >> 16;
}

// Sorts stably by one byte of the rank.
static void sort_pass(const ranked *in, uint32_t count, unsigned shift, ranked *out) {
    uint32_t starts[257] = {0};
    for (uint32_t i = 0; i < count; i++) {
        starts[(in[i].rank >> shift & 255) + 1]++;
    }
    for (int i = 0; i < 256; i++) {
        starts[i + 1] += starts[i];
    }
    for (uint32_t i = 0; i < count; i++) {
        out[starts[in[i].rank >> shift & 255]++] = in[i];
    }
}

// --- the list -----------------------------------------------------------------------------------

static bool has_faded(const bspi_piece *piece, const float from[3]) {
    float sum = 0;
    for (int axis = 0; piece->fade > 0 && axis < 3; axis++) {
        float d = (piece->mins[axis] + piece->maxs[axis]) / 2 - from[axis];
        sum += d * d;
    }
    return piece->fade > 0 && sum > piece->fade * piece->fade;
}

// How much of a piece is left, 0..1. Nothing fades in a picture from above.
static float left_of(const finder *f, const bspi_piece *piece, const float from[3]) {
    if (f->frustum->num_planes == 0) {
        return 1;
    }
    return has_faded(piece, from) ? 0 : bspi_batch_left(&f->renderer->batches[piece->batch], from);
}

static bool list_pieces(const finder *f, const float from[3], bspi_arena *arena, bspi_visible *out,
                        bsp_error *error) {
    const bsp_renderer *renderer = f->renderer;
    ranked *list = bspi_arena_raw(arena, renderer->num_pieces, sizeof *list, error);
    ranked *other = bspi_arena_raw(arena, renderer->num_pieces, sizeof *other, error);
    uint32_t *pieces = bspi_arena_raw(arena, renderer->num_pieces, sizeof *pieces, error);
    uint32_t *blended = bspi_arena_raw(arena, renderer->num_pieces, sizeof *blended, error);
    if (list == NULL || other == NULL || pieces == NULL || blended == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < renderer->num_pieces; i++) {
        const bspi_piece *piece = &renderer->pieces[i];
        bool marked = is_marked(f, piece);
        f->stats->faces_seen += marked;
        bool left_out = piece->sky && f->frustum->num_planes == 0; // in an overview
        left_out = left_out || (piece->in_room != f->room && !f->inside);
        float left = left_of(f, piece, from);
        left_out = left_out || left <= 0;
        if (!marked || left_out || !box_in_view(f->frustum, piece->mins, piece->maxs)) {
            continue;
        }
        if (f->area != BSP_NONE && !bspi_meter_add(f->meter, renderer->map->num_leaves)) {
            return false;
        }
        if (is_piece_shut_off(f, piece)) {
            continue;
        }
        f->stats->faces_in_view++;
        f->stats->triangles += piece->num_indices / 3;
        if (renderer->batches[piece->batch].blended || left < 1) {
            blended[out->num_blended++] = i;
        } else {
            list[out->num_pieces++] = (ranked){i, rank_of(piece, from)};
        }
    }
    sort_pass(list, out->num_pieces, 0, other);
    sort_pass(other, out->num_pieces, 8, list);
    for (uint32_t i = 0; i < out->num_pieces; i++) {
        pieces[i] = list[i].piece;
    }
    out->pieces = pieces;
    out->blended = blended;
    return true;
}

// Returns true if the eye is in the room of the sky: then nothing of it is left out.
static bool is_inside(const finder *f) {
    const bsp_map *map = f->renderer->map;
    uint32_t home =
        f->renderer->room.found ? bsp_query_leaf(map, f->renderer->room.origin) : BSP_NONE;
    return home < map->num_leaves && f->stats->leaf < map->num_leaves && map->num_areas > 1 &&
           map->leaves[home].area == map->leaves[f->stats->leaf].area;
}

bool bspi_visible_find(const bsp_renderer *renderer, const bspi_eye *eye,
                       const bspi_frustum *frustum, bool everything, bspi_meter *meter,
                       bspi_arena *arena, bspi_visible *out, bsp_draw_stats *stats,
                       bsp_error *error) {
    const bsp_map *map = renderer->map;
    finder f = {.renderer = renderer,
                .frustum = frustum,
                .everything = everything,
                .room = eye->room,
                .area = BSP_NONE,
                .meter = meter,
                .stats = stats};
    memset(out, 0, sizeof *out);
    f.seen = bspi_arena_raw(arena, map->visibility.row_bytes, 1, error);
    f.other = bspi_arena_raw(arena, map->visibility.row_bytes, 1, error);
    f.faces = new_bits(arena, map->num_faces, error);
    if (f.seen == NULL || f.other == NULL || f.faces == NULL) {
        return false;
    }
    stats->leaves = map->num_leaves;
    stats->faces = renderer->num_pieces;
    if (!find_leaves(&f, eye->leaf_at)) {
        return false;
    }
    f.inside = !eye->room && is_inside(&f);
    out->inside = f.inside;
    return list_pieces(&f, eye->from, arena, out, error);
}
