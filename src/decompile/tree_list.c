// SPDX-License-Identifier: MIT
// Reads the list of a model: a head, then brushes, each a box, its contents and the planes that are
// not those of the box. Format: sheet goldsrc-quake1, section 9. The bytes are a file's.
#include "decompile/tree_list.h"

#include "core/reader.h"

#include <math.h>
#include <string.h>

#define VERSION 1u
#define MARGIN 8.0        // around a brush that is being cut
#define LEAST_VOLUME 64.0 // cubic units of a cell that is asked

typedef struct listed {
    double mins[3];
    double maxs[3];
    int32_t contents;
    uint32_t num_planes;
    bspi_reader planes;
} listed;

// How much of a brush is not solid in the tree.
typedef struct space {
    const bspi_tree *tree;
    double volume;
} space;

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

// The reader at the first brush of a model, and how many there are; 0 if there are none.
static uint32_t find_model(const bspi_brush_list *list, uint32_t model, bspi_reader *reader) {
    *reader = bspi_reader_of(list->bytes, false);
    while (!reader->failed && bspi_left(reader) != 0) {
        uint32_t version = bspi_read_u32(reader);
        uint32_t number = bspi_read_u32(reader);
        uint32_t brushes = bspi_read_u32(reader);
        (void)bspi_read_u32(reader); // planes in all
        if (version != VERSION) {
            return 0;
        }
        if (number == model) {
            return reader->failed ? 0 : brushes;
        }
        listed skipped;
        for (uint32_t i = 0; i < brushes && read_brush(reader, &skipped); i++) {
        }
    }
    return 0;
}

bspi_brush_list bspi_brush_list_of(const bsp_file *file) {
    bspi_brush_list list = {{NULL, 0}};
    uint32_t lump = file == NULL ? BSP_NONE : bsp_file_find(file, bsp_text_of("bspx:BRUSHLIST"));
    if (lump != BSP_NONE && !bsp_file_data(file, lump, &list.bytes, NULL)) {
        list.bytes = (bsp_bytes){NULL, 0};
    }
    return list;
}

// --- cutting ------------------------------------------------------------------------------------

// The carver's solid becomes the brush.
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
        uint32_t plane = bspi_flats_add(&carver->flats, normal, dist);
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
        uint32_t plane = length > 0.5 && length < 2
                             ? bspi_flats_add(&carver->flats, normal, dist / length)
                             : BSP_NONE;
        there = plane != BSP_NONE && bspi_carve_tag(carver, 2 * plane);
    }
    return there;
}

// --- what the tree says -------------------------------------------------------------------------

static bool add_space(void *user, bspi_carver *carver, uint32_t number) {
    space *s = user;
    int32_t contents = s->tree->cells[number].contents;
    if (contents != 0 && contents != BSPI_SOLID && contents != BSPI_SKY) {
        s->volume += bspi_polyhedron_volume(&carver->solid);
    }
    return true;
}

// Hints are listed as solid, but the tree is empty where they are. The carver's solid, which is the
// brush, is used up.
static bool is_hint(bspi_carver *carver, const bspi_tree *tree, const listed *brush) {
    space s = {tree, 0};
    return brush->contents == BSPI_SOLID && bspi_tree_walk(tree, carver, add_space, &s) &&
           s.volume > LEAST_VOLUME;
}

bool bspi_brush_list_fits(const bspi_brush_list *list, uint32_t model, bspi_carver *carver,
                          const bspi_tree *tree) {
    bspi_reader reader;
    uint32_t count = find_model(list, model, &reader);
    uint32_t solid = 0;
    uint32_t hints = 0;
    uint32_t planes = carver->flats.count;
    listed brush;
    for (uint32_t i = 0; i < count && read_brush(&reader, &brush); i++) {
        if (brush.contents == BSPI_SOLID && carve(carver, &brush)) {
            solid++;
            hints += is_hint(carver, tree, &brush);
        }
        carver->flats.count = planes;
    }
    return count != 0 && hints <= solid / 2;
}

// --- brushes ------------------------------------------------------------------------------------

static bool emit_listed(bspi_tree_emitter *e, const bspi_tree *tree, const listed *brush,
                        uint32_t number) {
    bspi_work *w = e->work;
    if (brush->contents >= BSPI_EMPTY) {
        return true;
    }
    w->report->brushes_in++;
    uint32_t planes = e->carver->flats.count;
    bool good = true;
    if (carve(e->carver, brush)) {
        bool hint = is_hint(e->carver, tree, brush);
        bsp_text plain = e->plain;
        e->plain = hint ? bsp_text_of("hint") : plain;
        good = !carve(e->carver, brush) || bspi_tree_emit(e, brush->contents);
        e->plain = plain;
    } else {
        w->report->brushes_lost++;
        bspi_lost(w, BSPI_ISSUE_DECOMPILE_BRUSH, BSP_ID_MODELS, e->model,
                  "brush %u of the BRUSHLIST encloses nothing", number);
    }
    e->carver->flats.count = planes;
    return good;
}

bool bspi_brush_list_emit(const bspi_brush_list *list, const bspi_tree *tree,
                          bspi_tree_emitter *e) {
    bspi_reader reader;
    uint32_t count = find_model(list, e->model, &reader);
    listed brush;
    bool good = true;
    e->listed = true;
    for (uint32_t i = 0; good && i < count && read_brush(&reader, &brush); i++) {
        good = emit_listed(e, tree, &brush, i);
    }
    e->listed = false;
    return good;
}
