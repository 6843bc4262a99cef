// SPDX-License-Identifier: MIT
// The physics shapes of a Source map: the solids of its brush models, of its displacements and of
// its props, which are lumps of their own. Assumes a loaded map. Format: sheet source-lumps,
// section 7.
#include "bspkit/physics.h"

#include "bspkit/asset.h"
#include "core/options.h"
#include "core/text.h"
#include "map/heap.h"
#include "map/needs.h"
#include "mesh/physics.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROPS 128u // the number of a property has 7 bits

/// The shapes and what they own.
typedef struct owned_physics {
    bsp_physics shapes;
    bspi_heap heap;
    bspi_arena arena;
    bspi_physics_builder b;
} owned_physics;

// --- texts --------------------------------------------------------------------------------------

static uint32_t number_of(bsp_text text) {
    int64_t value;
    return bsp_parse_int(text, &value) && value >= 0 && value <= UINT32_MAX ? (uint32_t)value : 0;
}

static bool copy_text(bspi_physics_builder *b, bsp_text text, bsp_text *out) {
    char *copy = bspi_arena_text(b->arena, text, b->error);
    *out = (bsp_text){copy, copy == NULL ? 0 : text.size};
    return copy != NULL;
}

// Reads a block that describes solid "index".
static bool describe(bspi_physics_builder *b, const bsp_key_values *keys, uint32_t block,
                     uint32_t first) {
    static const struct {
        const char *name;
        bsp_physics_kind kind;
    } kinds[] = {{"staticsolid", BSP_PHYSICS_STATIC},
                 {"solid", BSP_PHYSICS_SOLID},
                 {"fluid", BSP_PHYSICS_FLUID}};
    bsp_text index = bsp_key_values_get(keys, block, "index");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!bspi_text_equal_nocase(keys->list[block].key, bsp_text_of(kinds[i].name)) ||
            index.size == 0 || number_of(index) >= b->num_solids - first) {
            continue;
        }
        bsp_physics_solid *solid = &b->solids[first + number_of(index)];
        solid->kind = kinds[i].kind;
        solid->contents = number_of(bsp_key_values_get(keys, block, "contents"));
        return copy_text(b, bsp_key_values_get(keys, block, "surfaceprop"), &solid->surface_prop);
    }
    return true;
}

// Reads the names of surface properties. Only the text of the world has them.
static bool read_props(bspi_physics_builder *b, const bsp_key_values *keys, uint32_t block) {
    for (uint32_t i = block + 1; i < keys->list[block].end; i = keys->list[i].end) {
        uint32_t number = number_of(keys->list[i].value);
        if (number == 0 || number >= MOST_PROPS || b->props[number].size != 0) {
            continue;
        }
        if (!copy_text(b, keys->list[i].key, &b->props[number])) {
            return false;
        }
        b->num_props = number >= b->num_props ? number + 1 : b->num_props;
    }
    return true;
}

static bool read_text(bspi_physics_builder *b, bsp_text text, uint32_t first) {
    bsp_text_options options = {.allocator = &b->heap->allocator, .budget = b->heap->budget};
    bsp_key_values *keys = bsp_key_values_parse(text, &options, b->error);
    bool done = keys != NULL;
    for (uint32_t i = 0; done && i < keys->count; i = keys->list[i].end) {
        if (!keys->list[i].block) {
            continue;
        }
        done = bspi_text_equal_nocase(keys->list[i].key, bsp_text_of("materialtable"))
                   ? read_props(b, keys, i)
                   : describe(b, keys, i, first);
    }
    bsp_key_values_free(keys);
    return done;
}

// --- brush models -------------------------------------------------------------------------------

static bool add_solids(bspi_physics_builder *b, const bsp_parts *parts, uint32_t list,
                       uint32_t model, bool deprecated) {
    uint32_t index = 0;
    for (uint32_t i = list + 1; i < parts->parts[list].end; i = parts->parts[i].end, index++) {
        bsp_physics_solid *solid = bspi_physics_solid_new(b, BSP_PHYSICS_UNNAMED, model);
        if (solid == NULL) {
            return false;
        }
        solid->index = index;
        solid->deprecated = deprecated;
        uint32_t number = b->num_solids - 1;
        if (!bspi_solid_pieces_add(&b->pieces, parts, i, number, b->heap, b->error)) {
            return false;
        }
        b->solids[number].num_pieces = b->pieces.count - b->solids[number].first_piece;
    }
    return true;
}

// Adds a model: its record, the list of its solids, its text.
static bool add_model(bspi_physics_builder *b, const bsp_parts *parts, uint32_t group,
                      bool deprecated) {
    uint32_t first = b->num_solids;
    uint32_t model = 0;
    for (uint32_t i = group + 1; i < parts->parts[group].end; i = parts->parts[i].end) {
        const bsp_part *part = &parts->parts[i];
        if (part->kind == BSP_PART_RECORD) {
            bsp_table record = bsp_parts_table(parts, i);
            model = (uint32_t)bsp_table_int(&record, 0, 0, 0);
        } else if (part->kind == BSP_PART_LIST && !add_solids(b, parts, i, model, deprecated)) {
            return false;
        } else if (part->kind == BSP_PART_TEXT) {
            bsp_text text = {(const char *)parts->data.data + part->offset, part->size};
            if (!read_text(b, text, first)) {
                return false;
            }
        }
    }
    return true;
}

static bool add_models(bspi_physics_builder *b, const bsp_parts *parts, bool deprecated) {
    uint32_t list = bsp_parts_find(parts, bsp_text_of("models"));
    uint32_t end = list == BSP_NONE ? 0 : parts->parts[list].end;
    for (uint32_t i = list + 1; i < end; i = parts->parts[i].end) {
        if (!add_model(b, parts, i, deprecated)) {
            return false;
        }
    }
    return true;
}

// --- props --------------------------------------------------------------------------------------

static bool add_hull(bspi_physics_builder *b, const bsp_table *hulls, uint32_t hull,
                     const bsp_table *points) {
    int64_t count = bsp_table_int(hulls, hull, 0, 0);
    int64_t first = bsp_table_int(hulls, hull, 1, 0);
    if (count <= 0 || first < 0 || first > points->count || count > points->count - first) {
        return true;
    }
    uint32_t number = b->num_solids - 1;
    bspi_solid_piece *piece =
        bspi_solid_pieces_new(&b->pieces, number, (uint32_t)count, 0, b->heap, b->error);
    if (piece == NULL || !bspi_heap_work(b->heap, (uint64_t)count, b->error)) {
        return false;
    }
    piece->data = BSP_NONE;
    bool finite = true;
    for (uint32_t i = 0; i < (uint32_t)count; i++) {
        float *out = b->pieces.points[piece->first_point + i];
        finite = bspi_physics_point(points, (uint32_t)first + i, out) && finite;
    }
    b->solids[number].contents |= (uint32_t)bsp_table_int(hulls, hull, 3, 0);
    if (!finite) {
        bspi_solid_pieces_drop(&b->pieces);
    }
    return true;
}

static bool add_props(bspi_physics_builder *b, const bsp_table *props, const bsp_table *hulls,
                      const bsp_table *points) {
    for (uint32_t i = 0; i < props->count; i++) {
        int64_t count = bsp_table_int(props, i, 0, 0);
        int64_t first = bsp_table_int(props, i, 1, 0);
        if (bspi_physics_solid_new(b, BSP_PHYSICS_PROP, i) == NULL) {
            return false;
        }
        for (int64_t k = 0; first >= 0 && k < count && first + k < hulls->count; k++) {
            if (!add_hull(b, hulls, (uint32_t)(first + k), points)) {
                return false;
            }
        }
        bsp_physics_solid *solid = &b->solids[b->num_solids - 1];
        solid->num_pieces = b->pieces.count - solid->first_piece;
    }
    return true;
}

// Tables of three lumps; without one of them there are none.
static bool add_prop_lumps(bspi_physics_builder *b, const bsp_file *file) {
    static const bsp_table_id ids[3] = {BSP_ID_PROP_COLLISION, BSP_ID_PROP_HULLS,
                                        BSP_ID_PROP_HULL_VERTS};
    bsp_parts parts[3] = {{.parts = NULL}};
    bsp_table tables[3];
    bool there = true;
    for (int i = 0; there && i < 3; i++) {
        there = bsp_file_table(file, ids[i], &parts[i], &tables[i]);
    }
    bool done = !there || add_props(b, &tables[0], &tables[1], &tables[2]);
    for (int i = 0; i < 3; i++) {
        bsp_parts_free(&parts[i]);
    }
    return done;
}

// --- the whole ----------------------------------------------------------------------------------

static bool add_lump(bspi_physics_builder *b, const bsp_file *file, uint32_t number,
                     bsp_issues *issues) {
    const bsp_lump *lump = bsp_file_lump(file, number);
    bsp_parts parts;
    bsp_error why;
    if (lump->kind != BSP_KIND_PHYSICS && lump->kind != BSP_KIND_PHYS_DISP) {
        return true;
    }
    if (!bsp_file_parts(file, number, issues, &parts, &why)) {
        return !bspi_out_of_memory(&why, b->error);
    }
    bool done = lump->kind == BSP_KIND_PHYSICS
                    ? add_models(b, &parts, lump->id != BSP_ID_PHYS_COLLIDE)
                    : bspi_physics_add_displacements(b, &parts);
    bsp_parts_free(&parts);
    return done;
}

// Solids of the world without contents are the triangles of displacements: old compilers wrote
// them here.
static bool has_brushes(const bsp_physics_solid *solid) {
    return solid->kind == BSP_PHYSICS_STATIC ? solid->contents != 0
                                             : solid->kind <= BSP_PHYSICS_UNNAMED;
}

static bool settle(owned_physics *own, bsp_error *error) {
    bspi_physics_builder *b = &own->b;
    bsp_physics *out = &own->shapes;
    bsp_physics_piece *pieces = bspi_arena_raw(&own->arena, b->pieces.count, sizeof *pieces, error);
    bsp_text *props = bspi_arena_raw(&own->arena, b->num_props, sizeof *props, error);
    if (pieces == NULL || props == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < b->pieces.count; i++) {
        const bspi_solid_piece *p = &b->pieces.pieces[i];
        pieces[i] = (bsp_physics_piece){p->solid,      p->data,        p->first_point,
                                        p->num_points, p->first_index, p->num_indices};
        if (p->data >= b->map->num_brushes || !has_brushes(&b->solids[p->solid])) {
            pieces[i].brush = BSP_NONE;
        }
        for (uint32_t k = 0; k < p->num_indices; k++) {
            b->pieces.indices[p->first_index + k] += p->first_point;
        }
    }
    memcpy(props, b->props, b->num_props * sizeof *props);
    *out = (bsp_physics){b->solids,
                         b->num_solids,
                         pieces,
                         b->pieces.count,
                         (const float(*)[3])b->pieces.points,
                         b->pieces.num_points,
                         b->pieces.indices,
                         b->pieces.num_indices,
                         b->pieces.materials,
                         props,
                         b->num_props,
                         own};
    return true;
}

// A number of a property that the text does not name is none.
static void drop_unknown_props(bspi_physics_builder *b) {
    for (uint32_t i = 0; i < b->pieces.num_indices / 3; i++) {
        if (b->pieces.materials[i] >= b->num_props) {
            b->pieces.materials[i] = 0;
        }
    }
}

static bool build(owned_physics *own, const bsp_map *map, const bsp_file *file, bsp_issues *issues,
                  bsp_error *error) {
    uint32_t count = bsp_file_get_info(file)->num_lumps;
    own->b = (bspi_physics_builder){
        .map = map,
        .heap = &own->heap,
        .arena = &own->arena,
        .error = error,
        .num_props = 1,
        .props = bspi_arena_zero(&own->arena, MOST_PROPS, sizeof(bsp_text), error)};
    bool done = own->b.props != NULL;
    for (uint32_t i = 0; done && i < count; i++) {
        done = add_lump(&own->b, file, i, issues);
    }
    if (done) {
        own->b.props[0] = (bsp_text){"", 0};
        done = add_prop_lumps(&own->b, file);
        drop_unknown_props(&own->b);
    }
    return done && settle(own, error);
}

bsp_physics *bsp_physics_build(const bsp_map *map, const bsp_file *file,
                               const bsp_physics_options *options, bsp_error *error) {
    assert(map != NULL && file != NULL);
    bsp_physics_options taken;
    if (!BSPI_TAKE_OPTIONS(taken, options, error) ||
        !bspi_map_needs(map, BSP_LOAD_SURFACES, "the physics of a map", error)) {
        return NULL;
    }
    owned_physics *own = bspi_object_new(taken.allocator, sizeof *own, error);
    if (own == NULL) {
        return NULL;
    }
    bspi_map_heap(&own->heap, BSP_PRODUCT_BRUSH_MESH, map, taken.budget, taken.allocator);
    bspi_arena_init(&own->arena, &own->heap);
    own->shapes.owner = own;
    if (!build(own, map, file, taken.issues, error)) {
        bsp_physics_free(&own->shapes);
        return NULL;
    }
    return &own->shapes;
}

void bsp_physics_free(bsp_physics *physics) {
    owned_physics *own = physics == NULL ? NULL : physics->owner;
    if (own == NULL) {
        return;
    }
    bspi_physics_builder *b = &own->b;
    bspi_solid_pieces_free(&b->pieces, &own->heap);
    bspi_heap_free(&own->heap, b->solids, b->solids_room * sizeof *b->solids);
    bspi_arena_free(&own->arena);
    bspi_object_free(own, sizeof *own, &own->heap.allocator);
}
