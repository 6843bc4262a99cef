// SPDX-License-Identifier: MIT
// Reads the brush list of a model: a head, then brushes, each a box, its contents and the planes
// that are not those of the box. Format: sheet goldsrc-quake1, section 9. The bytes come from the
// file and are not trusted.
#include "decompile/tree/list.h"

#include "core/reader.h"

#include <math.h>
#include <string.h>

#define VERSION 1u
#define MARGIN 8.0 // around a brush that is being cut

typedef struct listed {
    double mins[3];
    double maxs[3];
    int32_t contents;
    uint32_t num_planes;
    bspi_reader planes;
} listed;

static double read_float(bspi_reader *reader) {
    uint32_t bits = bspi_read_u32(reader);
    float value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? (double)value : 0;
}

static void read_vector(bspi_reader *reader, double out[3]) {
    for (int a = 0; a < 3; a++) {
        out[a] = read_float(reader);
    }
}

static bool read_brush(bspi_reader *reader, listed *out) {
    read_vector(reader, out->mins);
    read_vector(reader, out->maxs);
    out->contents = (int16_t)bspi_read_u16(reader);
    out->num_planes = bspi_read_u16(reader);
    out->planes = *reader;
    return bspi_take(reader, (size_t)out->num_planes * 16) != NULL;
}

// Steps over the brushes that the head of a model states. Returns how many there are.
static uint32_t count_brushes(bspi_reader *reader, uint32_t promised) {
    listed skipped;
    uint32_t count = 0;
    while (count < promised && read_brush(reader, &skipped)) {
        count++;
    }
    return count;
}

// A model that is listed twice has its first list.
bool bspi_brush_list_begin(bspi_brush_list *list, const bsp_file *file, const bsp_map *map,
                           bspi_arena *arena, bsp_error *error) {
    bsp_bytes bytes;
    uint32_t lump = file == NULL ? BSP_NONE : bsp_file_find(file, bsp_text_of("bspx:BRUSHLIST"));
    *list = (bspi_brush_list){0};
    if (lump == BSP_NONE || !bsp_file_data(file, lump, &bytes, NULL)) {
        return true;
    }
    uint32_t most = 0;
    bspi_reader reader = bspi_reader_of(bytes, false);
    list->models = bspi_arena_zero(arena, map->num_models, sizeof *list->models, error);
    while (list->models != NULL && !reader.failed && bspi_left(&reader) != 0) {
        uint32_t version = bspi_read_u32(&reader);
        uint32_t model = bspi_read_u32(&reader);
        uint32_t brushes = bspi_read_u32(&reader);
        (void)bspi_read_u32(&reader); // number of planes in all brushes
        if (version != VERSION) {
            break;
        }
        size_t at = bytes.size - bspi_left(&reader);
        uint32_t count = count_brushes(&reader, brushes);
        if (model < map->num_models && list->models[model].brushes == 0) {
            list->models[model] = (bspi_model_list){{bytes.data + at, bytes.size - at}, count};
            most = count > most ? count : most;
        }
    }
    list->hints = bspi_arena_raw(arena, most, sizeof *list->hints, error);
    return list->models != NULL && list->hints != NULL;
}

static bspi_model_list model_of(const bspi_brush_list *list, uint32_t model) {
    return list->models != NULL ? list->models[model] : (bspi_model_list){{NULL, 0}, 0};
}

// --- cutting ------------------------------------------------------------------------------------

// Sets the carver's solid to the brush.
static bool carve(bspi_carver *carver, const listed *brush) {
    double mins[3];
    double maxs[3];
    for (int a = 0; a < 3; a++) {
        mins[a] = brush->mins[a] - MARGIN;
        maxs[a] = brush->maxs[a] + MARGIN;
    }
    bspi_carver_box(carver, mins, maxs);
    bool there = bspi_carve(carver, NULL, 0, BSP_NONE);
    for (uint32_t side = 0; there && side < 6; side++) {
        double normal[3] = {0, 0, 0};
        normal[side / 2] = (side & 1) != 0 ? 1 : -1;
        double dist = (side & 1) != 0 ? brush->maxs[side / 2] : -brush->mins[side / 2];
        uint32_t plane = bspi_add_flat(carver, normal, dist);
        there = plane != BSP_NONE && bspi_carve_tag(carver, 2 * plane);
    }
    bspi_reader planes = brush->planes;
    for (uint32_t i = 0; there && i < brush->num_planes; i++) {
        double normal[3];
        read_vector(&planes, normal);
        double dist = read_float(&planes);
        double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        for (int a = 0; a < 3; a++) {
            normal[a] /= length;
        }
        uint32_t plane =
            length > 0.5 && length < 2 ? bspi_add_flat(carver, normal, dist / length) : BSP_NONE;
        there = plane != BSP_NONE && bspi_carve_tag(carver, 2 * plane);
    }
    return there;
}

// --- test against the tree -----------------------------------------------------------------------

// How much of a brush is not solid in the tree.
typedef struct space {
    const bspi_tree *tree;
    double volume;
} space;

// Ends the walk once the volume is enough.
static bool add_space(void *user, bspi_carver *carver, uint32_t number) {
    space *s = user;
    int32_t contents = s->tree->cells[number].contents;
    if (contents != 0 && contents != BSPI_TREE_SOLID && contents != BSPI_TREE_SKY) {
        s->volume += bspi_polyhedron_volume(&carver->solid);
    }
    return s->volume <= BSPI_TREE_LEAST_CELL;
}

// Returns true for a hint: it is listed as solid, but the tree is empty there. The carver's solid,
// which is the brush, is overwritten.
static bool is_hint(bspi_carver *carver, const bspi_tree *tree) {
    space s = {tree, 0};
    (void)bspi_tree_walk(tree, carver, add_space, &s);
    return s.volume > BSPI_TREE_LEAST_CELL;
}

bool bspi_brush_list_fits(bspi_brush_list *list, uint32_t model, bspi_carver *carver,
                          const bspi_tree *tree) {
    bspi_model_list from = model_of(list, model);
    bspi_reader reader = bspi_reader_of(from.bytes, false);
    uint32_t solid = 0;
    uint32_t hints = 0;
    uint32_t planes = carver->flats.count;
    listed brush;
    for (uint32_t i = 0; i < from.brushes && !carver->starved && read_brush(&reader, &brush); i++) {
        list->hints[i] = false;
        if (brush.contents == BSPI_TREE_SOLID && carve(carver, &brush)) {
            solid++;
            list->hints[i] = is_hint(carver, tree);
            hints += list->hints[i];
        }
        carver->flats.count = planes;
    }
    return !carver->starved && from.brushes != 0 && hints <= solid / 2;
}

// --- brushes ------------------------------------------------------------------------------------

static bool emit_listed(bspi_tree_emitter *e, const listed *brush, bool hint, uint32_t number) {
    bspi_work *w = e->work;
    if (brush->contents >= BSPI_TREE_EMPTY) {
        return true;
    }
    w->report->brushes_in++;
    uint32_t planes = e->carver->flats.count;
    bool good = true;
    if (carve(e->carver, brush)) {
        bsp_text plain = e->plain;
        e->plain = hint ? bsp_text_of("hint") : plain;
        good = bspi_tree_emit(e, brush->contents);
        e->plain = plain;
    } else if (!e->carver->starved) {
        w->report->brushes_lost++;
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_BRUSH, BSP_ID_MODELS, e->model,
                  "brush %u of the BRUSHLIST encloses nothing", number);
    }
    e->carver->flats.count = planes;
    return good && !e->carver->starved;
}

bool bspi_brush_list_emit(const bspi_brush_list *list, bspi_tree_emitter *e) {
    bspi_model_list from = model_of(list, e->model);
    bspi_reader reader = bspi_reader_of(from.bytes, false);
    listed brush;
    bool good = true;
    e->listed = true;
    for (uint32_t i = 0; good && i < from.brushes && read_brush(&reader, &brush); i++) {
        good = emit_listed(e, &brush, list->hints[i], i);
    }
    e->listed = false;
    return good;
}
