// SPDX-License-Identifier: MIT
// The room itself: planes, tree, faces, brushes, clip hulls, visibility, entities.
#include "support/room.h"

#include "formats/map_members.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define WALL 16.0F
#define SOLID_LEAF (-1)

static const float room_mins[3] = {-128, -128, 0};
static const float room_maxs[3] = {128, 128, 128};
static const float door_mins[3] = {32, -4, 0};
static const float door_maxs[3] = {40, 4, 96};

// %s: a key that looks like one of the branch's own classes, if it has such classes.
static const char entity_text[] =
    "{\n\"classname\" \"worldspawn\"\n\"message\" \"The room\"\n%s}\n"
    "{\n\"classname\" \"info_player_start\"\n\"origin\" \"-64 64 24\"\n}\n"
    "{\n\"classname\" \"light\"\n\"origin\" \"0 0 96\"\n\"light\" \"300\"\n}\n"
    "{\n\"classname\" \"func_door\"\n\"model\" \"*1\"\n}\n";

// --- tables --------------------------------------------------------------------------------------

static const bsp_section_list *list_for(const bsp_game_lump_def *def, uint32_t props) {
    for (uint32_t i = 0; def->table == BSP_ID_STATIC_PROPS && i < def->num_section_lists; i++) {
        const bsp_section_list *list = &def->section_lists[i];
        if (list->version == ROOM_PROPS_VERSION(props) &&
            (ROOM_PROPS_SIZE(props) == 0 || list->stride == ROOM_PROPS_SIZE(props))) {
            return &def->section_lists[i];
        }
    }
    return &def->section_lists[0];
}

static const bsp_layout *in_sections(const bsp_section_list *list, bsp_table_id id) {
    for (uint32_t s = 0; s < list->num_sections; s++) {
        if (list->sections[s].id == id) {
            return list->sections[s].layout;
        }
    }
    return NULL;
}

const bsp_layout *room_layout(const bsp_branch *branch, bsp_table_id id, uint32_t props) {
    const bsp_layout *found = NULL;
    for (uint32_t i = 0; found == NULL && i < bsp_branch_shape(branch)->num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(branch, i);
        if (def != NULL && def->num_section_lists != 0) {
            found = in_sections(&def->section_lists[0], id);
        } else if (def != NULL && def->id == id && def->num_variants != 0) {
            found = def->variants[0].layout;
        }
    }
    for (; found == NULL && branch != NULL; branch = branch->base) {
        for (uint32_t g = 0; found == NULL && g < branch->num_game_lumps; g++) {
            found = in_sections(list_for(&branch->game_lumps[g], props), id);
        }
    }
    return found;
}

bool room_has(const bsp_branch *branch, bsp_table_id id) {
    return bsp_branch_lump_of(branch, id) != NULL || room_layout(branch, id, 0) != NULL;
}

uint32_t room_elements(const bsp_branch *branch, bsp_table_id id, uint16_t map_member,
                       uint32_t props) {
    const bsp_layout *layout = room_layout(branch, id, props);
    for (uint32_t f = 0; layout != NULL && f < layout->num_fields; f++) {
        if (layout->fields[f].map_member == map_member) {
            return layout->fields[f].count;
        }
    }
    return 0;
}

static bool stores(const room *r, bsp_table_id id, uint16_t map_member) {
    return room_elements(r->branch, id, map_member, 0) != 0;
}

// --- planes and boxes ---------------------------------------------------------------------------

// Returns the pair of planes across an axis: the first faces along it, the second against it.
static uint32_t plane_at(room *r, int axis, float dist) {
    for (uint32_t i = 0; i < r->map.num_planes; i += 2) {
        if (r->planes[i].type == axis && r->planes[i].dist == dist) {
            return i;
        }
    }
    uint32_t pair = r->map.num_planes;
    assert_true(pair + 2 <= ROOM_PLANES);
    for (uint32_t side = 0; side < 2; side++) {
        bsp_plane *plane = &r->planes[pair + side];
        plane->normal[axis] = side == 0 ? 1.0F : -1.0F;
        plane->dist = side == 0 ? dist : -dist;
        plane->type = side == 0 ? axis : axis + 3;
    }
    ROOM_SET(r, planes, pair + 2);
    return pair;
}

static void set_bounds(float mins[3], float maxs[3], const float from[3], const float to[3]) {
    memcpy(mins, from, 3 * sizeof *mins);
    memcpy(maxs, to, 3 * sizeof *maxs);
}

// Corner c of a box: bit a of c selects the higher end of axis a.
static void add_corners(room *r, const float mins[3], const float maxs[3]) {
    for (uint32_t c = 0; c < 8; c++) {
        bsp_vertex *vertex = &r->vertices[r->map.num_vertices++];
        for (uint32_t a = 0; a < 3; a++) {
            vertex->point[a] = (c >> a & 1) != 0 ? maxs[a] : mins[a];
        }
    }
}

// --- faces --------------------------------------------------------------------------------------

// Returns the edge from one vertex to another, shared with the face on its other side.
static int32_t edge_of(room *r, uint32_t from, uint32_t to) {
    for (uint32_t e = 1; e < r->num_edges; e++) {
        if (r->edges[e].v[0] == to && r->edges[e].v[1] == from) {
            return -(int32_t)e;
        }
    }
    r->edges[r->num_edges].v[0] = from;
    r->edges[r->num_edges].v[1] = to;
    return (int32_t)r->num_edges++;
}

static bsp_face blank_face(void) {
    bsp_face face = {.type = BSP_FACE_POLYGON,
                     .plane = BSP_NONE,
                     .texinfo = BSP_NONE,
                     .material = BSP_NONE,
                     .displacement = BSP_NONE,
                     .original = BSP_NONE,
                     .fog = BSP_NONE};
    return face;
}

// Adds side `side` of a box whose first corner is vertex `base`: clockwise seen from its front,
// which is inside (inwards) or outside.
static void add_face(room *r, uint32_t base, uint32_t side, const float dists[2], bool inwards) {
    uint32_t axis = side / 2;
    uint32_t high = side % 2 == 0 ? 1 : 0;
    bool forward = (high == 1) != inwards;
    uint32_t u = (axis + 1) % 3;
    uint32_t v = (axis + 2) % 3;
    static const uint32_t ring[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    uint32_t corners[4];
    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t *at = ring[forward ? 3 - i : i];
        corners[i] = base + (high << axis) + (at[0] << u) + (at[1] << v);
    }
    bsp_face *face = &r->faces[r->map.num_faces++];
    *face = blank_face();
    face->plane = plane_at(r, (int)axis, dists[high]);
    face->flipped = forward ? 0 : 1;
    face->texinfo = axis;
    face->on_node = 1;
    face->smoothing = 1u << side;
    face->area = 64.0F;
    face->first_edge = r->map.num_surfedges;
    face->num_edges = 4;
    for (uint32_t i = 0; i < 4; i++) {
        r->surfedges[r->map.num_surfedges++] = edge_of(r, corners[i], corners[(i + 1) % 4]);
    }
}

static void add_box_faces(room *r, const float mins[3], const float maxs[3], bool inwards) {
    uint32_t base = r->map.num_vertices;
    add_corners(r, mins, maxs);
    for (uint32_t side = 0; side < 6; side++) {
        float dists[2] = {mins[side / 2], maxs[side / 2]};
        add_face(r, base, side, dists, inwards);
    }
}

static void add_faces(room *r) {
    r->num_edges = 1; // edge 0 cannot be reversed
    add_box_faces(r, room_mins, room_maxs, true);
    if (r->has_patch) {
        r->faces[r->map.num_faces] = blank_face();
        r->faces[r->map.num_faces++].type = BSP_FACE_PATCH;
    }
    add_box_faces(r, door_mins, door_maxs, false);
    ROOM_SET(r, faces, r->map.num_faces);
    ROOM_SET(r, surfedges, r->map.num_surfedges);
    ROOM_SET(r, vertices, r->map.num_vertices);
    ROOM_SET(r, edges, r->num_edges);
}

// --- tree ---------------------------------------------------------------------------------------

static bsp_node *add_node(room *r, uint32_t plane, int32_t front, int32_t back) {
    bsp_node *node = &r->nodes[r->map.num_nodes++];
    node->plane = plane;
    node->children[0] = front;
    node->children[1] = back;
    return node;
}

// Adds six nodes: outside of a box is `outside` (the next leaf each time if `count_up`), inside is
// `inside`.
static void add_box_nodes(room *r, const float mins[3], const float maxs[3], int32_t outside,
                          bool count_up, int32_t inside, uint32_t first_face) {
    for (uint32_t side = 0; side < 6; side++) {
        bool high = side % 2 == 0;
        int32_t out = count_up ? outside - (int32_t)side : outside;
        int32_t next = side == 5 ? inside : (int32_t)r->map.num_nodes + 1;
        uint32_t plane = plane_at(r, (int)(side / 2), high ? maxs[side / 2] : mins[side / 2]);
        bsp_node *node = add_node(r, plane, high ? out : next, high ? next : out);
        set_bounds(node->mins, node->maxs, mins, maxs);
        node->first_face = first_face + side;
        node->num_faces = 1;
        node->area = count_up ? 1 : -1;
    }
}

static void set_leaf_contents(room *r) {
    bool numbers = bsp_branch_traits(r->branch)->contents_numbers;
    for (uint32_t i = 0; i < ROOM_LEAVES; i++) {
        bsp_leaf *leaf = &r->leaves[i];
        bool solid = i == 0 || i == ROOM_LEAVES - 1;
        leaf->contents = numbers ? (solid ? -2 : -1) : (solid ? 1 : 0);
        // Members that Quake 3 has no field for are 0.
        leaf->contents = stores(r, BSP_ID_LEAVES, BSPI_MEMBER_leaf_contents) ? leaf->contents : 0;
        leaf->cluster = i >= 1 && i <= ROOM_CLUSTERS ? i - 1 : BSP_NONE;
        leaf->area = i == 0 ? 0 : i == 1 ? 1 : 2;
        leaf->water = BSP_NONE;
        leaf->vis_offset = BSP_NONE;
    }
}

static void fill_leaf(room *r, uint32_t number, const float mins[3], const float maxs[3],
                      const uint32_t *faces, uint32_t num_faces) {
    bsp_leaf *leaf = &r->leaves[number];
    set_bounds(leaf->mins, leaf->maxs, mins, maxs);
    leaf->first_face = r->map.num_leaf_faces;
    leaf->num_faces = num_faces;
    memcpy(&r->leaf_faces[r->map.num_leaf_faces], faces, num_faces * sizeof *faces);
    ROOM_SET(r, leaf_faces, r->map.num_leaf_faces + num_faces);
}

static void add_leaves(room *r) {
    static const float lows[3][3] = {{0, -128, 0}, {-128, 0, 0}, {-128, -128, 0}};
    static const float highs[3][3] = {{128, 128, 128}, {0, 128, 128}, {0, 0, 128}};
    static const uint32_t faces[3][6] = {{0, 2, 3, 4, 5, 6}, {1, 2, 4, 5}, {1, 3, 4, 5}};
    static const uint8_t sounds[4] = {1, 2, 3, 4};
    set_leaf_contents(r);
    fill_leaf(r, 1, lows[0], highs[0], faces[0], r->has_patch ? 6 : 5);
    fill_leaf(r, 2, lows[1], highs[1], faces[1], 4);
    fill_leaf(r, 3, lows[2], highs[2], faces[2], 4);
    for (uint32_t side = 0; r->has_trees && side < 6; side++) {
        uint32_t face = 6 + side;
        fill_leaf(r, 4 + side, room_mins, room_maxs, &face, 1);
    }
    memcpy(r->leaves[1].ambient, sounds, sizeof sounds);
    memset(r->leaves[1].cube, 7, sizeof r->leaves[1].cube);
    r->leaves[1].flags = 2;
    ROOM_SET(r, leaves, r->has_trees ? ROOM_LEAVES : 4);
}

static void add_tree(room *r) {
    add_box_nodes(r, room_mins, room_maxs, SOLID_LEAF, false, 6, 0);
    bsp_node *halves = add_node(r, plane_at(r, 0, 0), -1 - 1, 7);
    set_bounds(halves->mins, halves->maxs, room_mins, room_maxs);
    halves->area = -1;
    bsp_node *behind = add_node(r, plane_at(r, 1, 0), -1 - 2, -1 - 3);
    set_bounds(behind->mins, behind->maxs, room_mins, room_maxs);
    behind->maxs[0] = 0;
    behind->area = 2;
    if (r->has_trees) {
        add_box_nodes(r, door_mins, door_maxs, -1 - 4, true, -1 - (ROOM_LEAVES - 1), 6);
    }
    ROOM_SET(r, nodes, r->map.num_nodes);
    add_leaves(r);
}

// --- clip hulls ---------------------------------------------------------------------------------

// Adds the room shrunk, or the door grown, by a hull's box. Returns the root.
static int32_t add_clip_box(room *r, const bsp_hull *hull, bool world) {
    const float *mins = world ? room_mins : door_mins;
    const float *maxs = world ? room_maxs : door_maxs;
    int32_t root = (int32_t)r->map.num_clipnodes;
    int32_t outside = world ? -2 : -1;
    int32_t inside = world ? -1 : -2;
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t a = side / 2;
        bool high = side % 2 == 0;
        float dist = high ? maxs[a] - (world ? hull->maxs[a] : hull->mins[a])
                          : mins[a] - (world ? hull->mins[a] : hull->maxs[a]);
        int32_t next = side == 5 ? inside : root + (int32_t)side + 1;
        bsp_clipnode *node = &r->clipnodes[r->map.num_clipnodes++];
        node->plane = plane_at(r, (int)a, dist);
        node->children[0] = high ? outside : next;
        node->children[1] = high ? next : outside;
    }
    return root;
}

static void add_hulls(room *r) {
    const bsp_traits *traits = bsp_branch_traits(r->branch);
    for (uint32_t hull = 1; hull < traits->num_hulls; hull++) {
        r->models[0].headnodes[hull] = add_clip_box(r, &traits->hulls[hull], true);
        r->models[1].headnodes[hull] = add_clip_box(r, &traits->hulls[hull], false);
    }
    ROOM_SET(r, clipnodes, r->map.num_clipnodes);
}

// --- brushes, models, areas ---------------------------------------------------------------------

static void add_brush(room *r, const float mins[3], const float maxs[3]) {
    bsp_brush *brush = &r->brushes[r->map.num_brushes++];
    brush->first_side = r->map.num_brush_sides;
    brush->num_sides = 6;
    brush->contents = 1;
    brush->material = 0;
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t a = side / 2;
        bool high = side % 2 == 0;
        bsp_brush_side *out = &r->brush_sides[r->map.num_brush_sides++];
        memset(out, 0xFF, sizeof *out);
        out->plane = plane_at(r, (int)a, high ? maxs[a] : mins[a]) + (high ? 0 : 1);
        out->texinfo = a;
        out->material = a == 2 ? 1 : 0;
        out->bevel = 0;
        out->thin = side == 0 ? 1 : 0;
    }
}

static void add_brushes(room *r) {
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t a = side / 2;
        float mins[3];
        float maxs[3];
        for (uint32_t i = 0; i < 3; i++) {
            mins[i] = room_mins[i] - WALL;
            maxs[i] = room_maxs[i] + WALL;
        }
        mins[a] = side % 2 == 0 ? room_maxs[a] : mins[a];
        maxs[a] = side % 2 == 0 ? maxs[a] : room_mins[a];
        add_brush(r, mins, maxs);
        r->leaf_brushes[side] = side;
    }
    add_brush(r, door_mins, door_maxs);
    ROOM_SET(r, brushes, r->map.num_brushes);
    ROOM_SET(r, brush_sides, r->map.num_brush_sides);
    r->leaf_brushes[6] = 6;
    r->leaves[0].num_brushes = 6;
    if (r->has_trees) {
        r->leaves[ROOM_LEAVES - 1].first_brush = 6;
        r->leaves[ROOM_LEAVES - 1].num_brushes = 1;
    }
    ROOM_SET(r, leaf_brushes, ROOM_BRUSHES);
}

static void add_models(room *r) {
    uint32_t world_faces = r->has_patch ? 7 : 6;
    set_bounds(r->models[0].mins, r->models[0].maxs, room_mins, room_maxs);
    set_bounds(r->models[1].mins, r->models[1].maxs, door_mins, door_maxs);
    r->models[0].vis_leaves = ROOM_CLUSTERS;
    r->models[0].num_faces = world_faces;
    r->models[0].num_brushes = 6;
    r->models[1].first_face = world_faces;
    r->models[1].num_faces = 6;
    r->models[1].first_brush = 6;
    r->models[1].num_brushes = 1;
    r->models[1].headnodes[0] = r->has_trees ? 8 : 0;
    ROOM_SET(r, models, 2);
}

// Clusters 0 and 1, and 1 and 2, with the same opening between: corners are those of the room.
static void add_portals(room *r) {
    for (uint32_t i = 0; i < 2; i++) {
        r->portals[i].first_vert = 4 * i;
        r->portals[i].num_verts = 4;
        r->portals[i].plane = plane_at(r, 0, 0);
        r->portals[i].clusters[0] = i;
        r->portals[i].clusters[1] = i + 1;
    }
    for (uint32_t i = 0; i < 8; i++) {
        r->portal_verts[i] = i % 4;
    }
    for (uint32_t i = 0; i < 4; i++) {
        r->cluster_portals[i] = i / 2;
    }
    for (uint32_t i = 0; i < ROOM_CLUSTERS; i++) {
        r->clusters[i].first_portal = i == 0 ? 0 : 2 * i - 1;
        r->clusters[i].num_portals = i == 1 ? 2 : 1;
    }
    ROOM_SET(r, portals, 2);
    ROOM_SET(r, portal_verts, 8);
    ROOM_SET(r, clusters, ROOM_CLUSTERS);
    ROOM_SET(r, cluster_portals, 4);
}

static void add_areas(room *r) {
    r->areas[1].num_portals = r->areas[2].num_portals = 1;
    r->areas[1].first_portal = 1;
    r->areas[2].first_portal = 2;
    for (uint32_t i = 0; i < 3; i++) {
        r->area_portals[i].key = i == 0 ? 0 : 1;
        r->area_portals[i].other_area = i == 0 ? 0 : 3 - i;
        r->area_portals[i].num_verts = i == 0 ? 0 : 4;
        r->area_portals[i].plane = plane_at(r, 0, 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        r->clip_portal_verts[i].point[1] = i % 3 == 0 ? -128.0F : 128.0F;
        r->clip_portal_verts[i].point[2] = i < 2 ? 0.0F : 128.0F;
    }
    ROOM_SET(r, areas, 3);
    ROOM_SET(r, area_portals, 3);
    ROOM_SET(r, clip_portal_verts, 4);
}

// --- visibility, entities -----------------------------------------------------------------------

static void add_visibility(room *r) {
    static const uint8_t rows[2 * ROOM_CLUSTERS] = {3, 7, 6, 7, 7, 7};
    memcpy(r->vis_rows, rows, sizeof rows);
    for (uint32_t i = 0; i < 2 * ROOM_CLUSTERS; i++) {
        r->vis_offsets[i] = i;
    }
    bool no_phs = bsp_branch_traits(r->branch)->no_phs != 0;
    bsp_visibility vis = {.num_clusters = ROOM_CLUSTERS,
                          .row_bytes = 1,
                          .pvs = r->vis_offsets,
                          .phs = no_phs ? NULL : &r->vis_offsets[ROOM_CLUSTERS],
                          .rows = {r->vis_rows, sizeof rows}};
    r->map.visibility = vis;
}

static void add_entities(room *r) {
    char key[64] = "";
    if (r->branch->classes != NULL) {
        snprintf(key, sizeof key, "\"%sroom\" \"1\"\n", r->branch->classes);
    }
    snprintf(r->text, sizeof r->text, entity_text, key);
    r->entities = bsp_entities_parse(bsp_text_of(r->text), NULL, NULL, NULL);
    assert_non_null(r->entities);
    r->map.entities = r->entities;
}

room *room_build(const bsp_branch *branch) {
    room *r = calloc(1, sizeof *r);
    assert_non_null(r);
    r->branch = r->map.branch = branch;
    r->map.traits = bsp_branch_traits(branch);
    r->has_patch = room_has(branch, BSP_ID_DRAW_VERTS);
    r->has_trees = stores(r, BSP_ID_MODELS, BSPI_MEMBER_model_headnodes);
    add_entities(r);
    add_faces(r);
    add_tree(r);
    add_models(r);
    add_hulls(r);
    add_brushes(r);
    add_areas(r);
    add_portals(r);
    if (room_has(branch, BSP_ID_VISIBILITY)) {
        add_visibility(r);
    }
    room_add_materials(r);
    room_add_light(r);
    room_add_draw(r);
    room_add_extras(r);
    room_add_respawn(r);
    return r;
}

void room_free(room *r) {
    bsp_entities_free(r->entities);
    free(r->light);
    free(r);
}

bsp_blob room_file(const bsp_branch *branch, bool big_endian, uint32_t props) {
    room *r = room_build(branch);
    bsp_write_options options = {.big_endian = big_endian,
                                 .revision = 7,
                                 .static_prop_version = ROOM_PROPS_VERSION(props),
                                 .static_prop_size = ROOM_PROPS_SIZE(props)};
    bsp_blob blob;
    bsp_error error = {0};
    if (!bsp_map_write(&r->map, branch, &options, &blob, &error)) {
        fail_msg("%s: %s", branch->name, error.message);
    }
    room_free(r);
    return blob;
}

// --- walking ------------------------------------------------------------------------------------

const room_point *room_points(size_t *count) {
    static const room_point points[] = {
        {{64, 0, 64}, 1},  {{1, -127, 127}, 1},   {{127, 127, 1}, 1},      {{-64, 64, 64}, 2},
        {{-1, 1, 1}, 2},   {{-127, 127, 127}, 2}, {{-64, -64, 64}, 3},     {{-1, -1, 127}, 3},
        {{129, 0, 64}, 0}, {{-129, 0, 64}, 0},    {{0, 129, 64}, 0},       {{0, -129, 64}, 0},
        {{0, 0, 129}, 0},  {{0, 0, -1}, 0},       {{4000, 4000, 4000}, 0},
    };
    *count = sizeof points / sizeof *points;
    return points;
}

static float distance(const bsp_map *map, uint32_t number, const float point[3]) {
    const bsp_plane *plane = &map->planes[number];
    return plane->normal[0] * point[0] + plane->normal[1] * point[1] + plane->normal[2] * point[2] -
           plane->dist;
}

uint32_t room_walk(const bsp_map *map, const float point[3]) {
    int32_t at = map->models[0].headnodes[0];
    while (at >= 0) {
        const bsp_node *node = &map->nodes[at];
        at = node->children[distance(map, node->plane, point) >= 0 ? 0 : 1];
    }
    return (uint32_t)(-1 - at);
}

int32_t room_walk_hull(const bsp_map *map, uint32_t model, uint32_t hull, const float point[3]) {
    int32_t at = map->models[model].headnodes[hull];
    while (at >= 0) {
        const bsp_clipnode *node = &map->clipnodes[at];
        at = node->children[distance(map, node->plane, point) >= 0 ? 0 : 1];
    }
    return at;
}
