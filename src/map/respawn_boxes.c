// SPDX-License-Identifier: MIT
// Respawn's brushes: boxes cut by further planes. They become brushes with sides and planes as in
// the other families; their model and contents stand in the grid's sets. Source: sheet
// source-versions (8.3).
#include "map/load.h"

#include <string.h>

#define BOX_SIDES 6u

typedef struct box_builder {
    bspi_loader *loader;
    bsp_map *map;
    bsp_plane *planes;
    bsp_brush *brushes;
    bsp_brush_side *sides;
    uint32_t num_sides;
    uint32_t first_plane; ///< of the planes of the boxes
    uint32_t *owners;     ///< for each brush: its model, or BSP_NONE
} box_builder;

// --- sides --------------------------------------------------------------------------------------

// Sets the planes in the order of the file: +X, -X, +Y, -Y, +Z, -Z.
static void set_box_planes(const box_builder *b, uint32_t number) {
    const bsp_brush_box *box = &b->map->brush_boxes[number];
    for (uint32_t side = 0; side < BOX_SIDES; side++) {
        uint32_t axis = side / 2;
        float sign = side % 2 == 0 ? 1.0F : -1.0F;
        bsp_plane *plane = &b->planes[b->first_plane + BOX_SIDES * number + side];
        memset(plane, 0, sizeof *plane);
        plane->normal[axis] = sign;
        plane->dist = sign * box->origin[axis] + box->extents[axis];
    }
}

static uint32_t further_plane(const box_builder *b, uint32_t offset) {
    const bsp_map *map = b->map;
    int64_t first = map->num_grids == 0 ? 0 : map->grids[0].first_plane;
    int64_t plane = first + offset - map->brush_planes[offset];
    return plane >= 0 && plane < b->first_plane ? (uint32_t)plane : BSP_NONE;
}

static void set_look(const box_builder *b, const bsp_brush_box *box, uint32_t n,
                     bsp_brush_side *side) {
    const bsp_map *map = b->map;
    uint64_t at = (uint64_t)BOX_SIDES * box->index + box->first_plane + n;
    bool known = at < map->num_side_properties;
    side->material = known ? map->side_properties[at].material : BSP_NONE;
    side->flags = known ? map->side_properties[at].flags : 0;
    side->texinfo = known && at < map->num_texinfos ? (uint32_t)at : BSP_NONE;
}

static bool add_sides(box_builder *b, uint32_t number, uint32_t num_planes) {
    const bsp_brush_box *box = &b->map->brush_boxes[number];
    bsp_brush *brush = &b->brushes[number];
    *brush = (bsp_brush){
        .first_side = b->num_sides, .num_sides = BOX_SIDES + num_planes, .material = BSP_NONE};
    set_box_planes(b, number);
    for (uint32_t n = 0; n < brush->num_sides; n++) {
        bsp_brush_side *side = &b->sides[b->num_sides++];
        memset(side, 0, sizeof *side);
        side->displacement = side->face = BSP_NONE;
        side->plane = n < BOX_SIDES ? b->first_plane + BOX_SIDES * number + n
                                    : further_plane(b, box->first_plane + n - BOX_SIDES);
        set_look(b, box, n, side);
        if (side->plane == BSP_NONE &&
            !bspi_repaired(b->loader, BSPI_ISSUE_BRUSH_RANGE,
                           bsp_place_at("CM_BRUSHES", number, "sideOffset", UINT64_MAX),
                           "side %u names a plane that is not there: there are %u", n,
                           b->first_plane)) {
            return false;
        }
    }
    return true;
}

// The further planes of a brush are its own: there are at most six sides for each box and one for
// each entry of the list.
static bool make_sides(box_builder *b) {
    const bsp_map *map = b->map;
    uint32_t left = map->num_brush_planes;
    for (uint32_t i = 0; i < map->num_brush_boxes; i++) {
        uint32_t count = map->brush_boxes[i].num_planes;
        uint32_t used = count < left ? count : left;
        left -= used;
        if (!add_sides(b, i, used) ||
            (used != count &&
             !bspi_repaired(b->loader, BSPI_ISSUE_BRUSH_RANGE,
                            bsp_place_at("CM_BRUSHES", i, "numPlaneOffsets", UINT64_MAX),
                            "%u, but all %u are those of other brushes", count,
                            map->num_brush_planes))) {
            return false;
        }
    }
    return true;
}

// The look of a side is that of the texinfo with its number.
static void fill_texinfos(const bsp_map *map) {
    bsp_texinfo *texinfos = bspi_writable(map->texinfos);
    for (uint32_t i = 0; i < map->num_texinfos; i++) {
        uint32_t material =
            i < map->num_side_properties ? map->side_properties[i].material : BSP_NONE;
        texinfos[i].material = material;
        texinfos[i].flags = material < map->num_materials ? map->materials[material].flags : 0;
    }
}

// --- models and contents -------------------------------------------------------------------------

/// Sets and parts that are not claimed yet: for each, the next unclaimed one.
typedef struct unclaimed {
    uint32_t *next;
    uint32_t count;
} unclaimed;

// Returns the first unclaimed one from `at` on; paths are halved on the way.
static uint32_t find_unclaimed(const unclaimed *u, uint32_t at) {
    while (at < u->count && u->next[at] != at) {
        uint32_t further = u->next[at];
        u->next[at] = further < u->count ? u->next[further] : further;
        at = further;
    }
    return at;
}

static bool init_unclaimed(const box_builder *b, unclaimed *u, uint32_t count) {
    u->count = count;
    u->next = bspi_arena_raw(&b->loader->owner->arena, (size_t)count + 1, sizeof *u->next,
                             b->loader->error);
    for (uint32_t i = 0; u->next != NULL && i <= count; i++) {
        u->next[i] = i;
    }
    return u->next != NULL;
}

static bool claim_brush(box_builder *b, uint32_t model, const bsp_geo_part *part, const char *lump,
                        uint32_t record) {
    const bsp_map *map = b->map;
    if (part->type != BSP_GEO_BRUSH) {
        return true;
    }
    if (part->index >= map->num_brush_boxes || part->contents >= map->num_unique_contents) {
        bool brush = part->index >= map->num_brush_boxes;
        return bspi_repaired(
            b->loader, BSPI_ISSUE_BRUSH_RANGE,
            bsp_place_at(lump, record, brush ? "index" : "uniqueContents", UINT64_MAX),
            "%u, but there are %u %s", brush ? part->index : part->contents,
            brush ? map->num_brush_boxes : map->num_unique_contents,
            brush ? "brushes" : "unique contents");
    }
    if (b->owners[part->index] == BSP_NONE) {
        b->owners[part->index] = model;
    }
    b->brushes[part->index].contents |= (int32_t)map->unique_contents[part->contents];
    return true;
}

static bool claim_set(box_builder *b, unclaimed *parts, uint32_t model, uint32_t number) {
    const bsp_map *map = b->map;
    const bsp_geo_set *set = &map->geo_sets[number];
    if (set->num_parts == 1) {
        bsp_geo_part part = {set->contents, set->index, set->type};
        return claim_brush(b, model, &part, "CM_GEO_SETS", number);
    }
    uint64_t end = (uint64_t)set->index + set->num_parts;
    if (end > map->num_geo_parts) {
        end = map->num_geo_parts;
        if (!bspi_repaired(b->loader, BSPI_ISSUE_BRUSH_RANGE,
                           bsp_place_at("CM_GEO_SETS", number, "index", UINT64_MAX),
                           "%u and the next %u, but there are %u collision primitives", set->index,
                           set->num_parts, map->num_geo_parts)) {
            return false;
        }
    }
    for (uint32_t p = find_unclaimed(parts, set->index); p < end; p = find_unclaimed(parts, p)) {
        parts->next[p] = p + 1;
        if (!claim_brush(b, model, &map->geo_parts[p], "CM_PRIMITIVES", p)) {
            return false;
        }
    }
    return true;
}

static bool claim_run(box_builder *b, unclaimed *sets, unclaimed *parts, uint32_t model,
                      uint64_t first, uint64_t count) {
    uint64_t end = first + count < sets->count ? first + count : sets->count;
    if (first >= end) {
        return true;
    }
    for (uint32_t s = find_unclaimed(sets, (uint32_t)first); s < end; s = find_unclaimed(sets, s)) {
        sets->next[s] = s + 1;
        if (!claim_set(b, parts, model, s)) {
            return false;
        }
    }
    return true;
}

// After the cells of the world's grid stands one for each model. What is in none of those belongs
// to the world, in whichever cell it is.
static bool claim_all(box_builder *b) {
    const bsp_map *map = b->map;
    unclaimed sets;
    unclaimed parts;
    if (!init_unclaimed(b, &sets, map->num_geo_sets) ||
        !init_unclaimed(b, &parts, map->num_geo_parts)) {
        return false;
    }
    const bsp_grid *grid = map->num_grids == 0 ? NULL : &map->grids[0];
    int64_t first = grid == NULL || grid->count[0] < 0 || grid->count[1] < 0
                        ? INT64_MAX / 2
                        : (int64_t)grid->count[0] * grid->count[1];
    for (uint32_t m = 1; m < map->num_models && first + m < map->num_grid_cells; m++) {
        const bsp_grid_cell *cell = &map->grid_cells[first + m];
        if (!claim_run(b, &sets, &parts, m, cell->first_set, cell->num_sets)) {
            return false;
        }
    }
    return claim_run(b, &sets, &parts, 0, 0, map->num_geo_sets);
}

// Brushes that no set refers to belong to the world, without contents.
static bool own_rest(box_builder *b) {
    uint32_t lost = 0;
    uint32_t example = BSP_NONE;
    for (uint32_t i = 0; i < b->map->num_brushes; i++) {
        if (b->owners[i] == BSP_NONE) {
            example = lost++ == 0 ? i : example;
            b->owners[i] = 0;
        }
    }
    return lost == 0 ||
           bspi_repaired(b->loader, BSPI_ISSUE_BRUSH_UNUSED,
                         bsp_place_at("CM_BRUSHES", example, NULL, UINT64_MAX),
                         "this and %u other brushes are in no set of the grid", lost - 1);
}

// Sorts the brushes by model, those of the world first, stably.
static bool sort_brushes(box_builder *b) {
    bsp_map *map = b->map;
    bspi_arena *arena = &b->loader->owner->arena;
    uint32_t models = map->num_models == 0 ? 1 : map->num_models;
    uint32_t *starts = bspi_arena_zero(arena, (size_t)models + 1, sizeof *starts, b->loader->error);
    bsp_brush *sorted = bspi_arena_raw(arena, map->num_brushes, sizeof *sorted, b->loader->error);
    if (starts == NULL || sorted == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        starts[b->owners[i] + 1]++;
    }
    bsp_model *out = bspi_writable(map->models);
    for (uint32_t m = 0; m < models; m++) {
        if (m < map->num_models) {
            out[m].first_brush = starts[m];
            out[m].num_brushes = starts[m + 1];
        }
        starts[m + 1] += starts[m];
    }
    for (uint32_t i = 0; i < map->num_brushes; i++) {
        sorted[starts[b->owners[i]]++] = b->brushes[i];
    }
    map->brushes = sorted;
    return true;
}

// --- all brushes ---------------------------------------------------------------------------------

static bool make_room(box_builder *b) {
    bsp_map *map = b->map;
    bspi_arena *arena = &b->loader->owner->arena;
    bsp_error *error = b->loader->error;
    uint64_t num_planes = map->num_planes + (uint64_t)BOX_SIDES * map->num_brush_boxes;
    uint64_t num_sides = map->num_brush_planes + (uint64_t)BOX_SIDES * map->num_brush_boxes;
    if (num_planes > INT32_MAX || num_sides > INT32_MAX) {
        return bsp_fail(error, BSP_E_LIMIT, NULL, "%u brushes are too many", map->num_brush_boxes);
    }
    b->first_plane = map->num_planes;
    b->planes = bspi_arena_raw(arena, (size_t)num_planes, sizeof *b->planes, error);
    b->sides = bspi_arena_raw(arena, (size_t)num_sides, sizeof *b->sides, error);
    b->brushes = bspi_arena_raw(arena, map->num_brush_boxes, sizeof *b->brushes, error);
    b->owners = bspi_arena_raw(arena, map->num_brush_boxes, sizeof *b->owners, error);
    if (b->planes == NULL || b->sides == NULL || b->brushes == NULL || b->owners == NULL) {
        return false;
    }
    if (map->num_planes != 0) {
        memcpy(b->planes, map->planes, map->num_planes * sizeof *b->planes);
    }
    memset(b->owners, 0xFF, map->num_brush_boxes * sizeof *b->owners);
    map->planes = b->planes;
    map->num_planes = (uint32_t)num_planes;
    return true;
}

bool bspi_load_boxes(bspi_loader *loader) {
    bsp_map *map = loader->map;
    box_builder b = {.loader = loader, .map = map};
    if (map->num_brush_boxes == 0) {
        return true;
    }
    if (!make_room(&b) || !make_sides(&b)) {
        return false;
    }
    map->brushes = b.brushes;
    map->num_brushes = map->num_brush_boxes;
    map->brush_sides = b.sides;
    map->num_brush_sides = b.num_sides;
    fill_texinfos(map);
    return claim_all(&b) && own_rest(&b) && sort_brushes(&b);
}
