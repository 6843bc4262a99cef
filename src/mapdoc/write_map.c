// SPDX-License-Identifier: MIT
// Writes .map: entities with quoted pairs, brushes with one line per side. Format: sheet outputs,
// section 1.
#include "mapdoc/print.h"

#include "core/text.h"
#include "core/vector.h"
#include "mapdoc/numbers.h"
#include "mapdoc/print_threads.h"
#include "mapdoc/texdef.h"

// The name that editors write for a side without a texture; readers convert it back.
#define NO_TEXTURE "__TB_empty"

static bool is_quake3(const bspi_printer *p) {
    return p->dialect == BSP_DIALECT_QUAKE3 || p->dialect == BSP_DIALECT_PRIMITIVES;
}

// --- sides --------------------------------------------------------------------------------------

// Prints a material. A name ends at the first blank; current editors accept quotes around names
// with blanks.
static void print_material(bspi_printer *p, bsp_text name) {
    static const char prefix[] = "textures/";
    if (is_quake3(p) && name.size >= sizeof prefix - 1 && bspi_text_begins_nocase(name, prefix)) {
        name.data += sizeof prefix - 1;
        name.size -= sizeof prefix - 1;
    }
    if (name.size == 0) {
        bspi_print(p, NO_TEXTURE);
        return;
    }
    bool quoted = name.size >= 2 && name.data[0] == '/' &&
                  (name.data[1] == '/' || name.data[1] == '*'); // else it would be a comment
    for (size_t i = 0; i < name.size; i++) {
        quoted = quoted || (unsigned char)name.data[i] <= ' ' || name.data[i] == 0x7F;
    }
    (quoted ? bspi_print_quoted : bspi_print_text)(p, name);
}

static void print_points(bspi_printer *p, const bspi_printed_side *side) {
    for (int i = 0; i < 3; i++) {
        bspi_print(p, "( ");
        bspi_print_point(p, &side->points, i);
        bspi_print(p, " ) ");
    }
}

static void print_scale(bspi_printer *p, const bspi_printed_side *side, double scale) {
    bspi_print(p, " ");
    bspi_print_number(p, scale, bspi_scale_tolerance(side, scale));
}

// Gives the offset, rotation and scale of a side. Returns false if they are not its mapping.
static bool shift_of(const bspi_printed_side *side, bspi_shift *shift) {
    const bspi_points *points = &side->points;
    double centre[3];
    for (int i = 0; i < 3; i++) {
        centre[i] = (points->at[0][i] + points->at[1][i] + points->at[2][i]) / 3;
    }
    return bspi_vec_to_shift(points->normal, points->dist, centre, side->vec, shift);
}

static void print_shift(bspi_printer *p, const bspi_printed_side *side) {
    bspi_shift shift;
    p->losses.mappings += shift_of(side, &shift) ? 0 : 1;
    double finest = fmin(fabs(shift.scale[0]), fabs(shift.scale[1]));
    for (int i = 0; i < 2; i++) {
        bspi_print(p, " ");
        bspi_print_number(p, shift.offset[i], BSPI_OFFSET_TOLERANCE);
    }
    bspi_print(p, " ");
    bspi_print_number(p, shift.rotation, 57 * bspi_axis_tolerance(side, finest)); // degrees
    print_scale(p, side, shift.scale[0]);
    print_scale(p, side, shift.scale[1]);
}

static void print_axes(bspi_printer *p, const bspi_printed_side *side, double rotation) {
    bspi_axes axes;
    bspi_vec_to_axes(side->vec, &axes);
    for (int i = 0; i < 2; i++) {
        bspi_print(p, " [ ");
        bspi_print_axis(p, side, &axes, i);
        bspi_print(p, " ]");
    }
    bspi_print(p, " ");
    bspi_print_float(p, rotation);
    print_scale(p, side, axes.scale[0]);
    print_scale(p, side, axes.scale[1]);
}

static void print_matrix(bspi_printer *p, const bspi_printed_side *side) {
    static const uint32_t one[2] = {1, 1}; // the vectors are in repeats
    double matrix[2][3];
    bspi_vec_to_matrix(side->points.normal, side->points.dist, side->vec, one, matrix);
    double texels = 256; // of a large texture: a repeat must be as exact as this many texels
    bspi_print(p, "( ");
    for (int i = 0; i < 2; i++) {
        bspi_print(p, "( ");
        for (int k = 0; k < 3; k++) {
            bspi_print_number(p, matrix[i][k],
                              k == 2 ? BSPI_OFFSET_TOLERANCE / texels
                                     : bspi_axis_tolerance(side, 1) / texels);
            bspi_print(p, " ");
        }
        bspi_print(p, ") ");
    }
    bspi_print(p, ") ");
}

static void print_flags(bspi_printer *p, const bsp_mapdoc_side *side) {
    bool said = is_quake3(p) || (side->has_flags && p->dialect != BSP_DIALECT_QUAKE);
    if (!said) {
        bool any = side->contents != 0 || side->flags != 0 || side->value != 0;
        p->losses.flags += side->has_flags && any ? 1 : 0;
        return;
    }
    bspi_print(p, " ");
    bspi_print_int(p, (int32_t)side->contents);
    bspi_print(p, " ");
    bspi_print_int(p, (int32_t)side->flags);
    bspi_print(p, " ");
    bspi_print_int(p, side->value);
}

static bool print_side(bspi_printer *p, uint32_t index, double reach) {
    const bsp_mapdoc_side *side = &p->source->sides[index];
    bspi_printed_side out;
    if (!bspi_print_begin_side(p, index, reach, &out)) {
        return false;
    }
    print_points(p, &out);
    if (p->dialect == BSP_DIALECT_PRIMITIVES) {
        print_matrix(p, &out);
    }
    print_material(p, side->material);
    if (p->dialect == BSP_DIALECT_VALVE220) {
        print_axes(p, &out, side->rotation);
    } else if (p->dialect != BSP_DIALECT_PRIMITIVES) {
        print_shift(p, &out);
    }
    print_flags(p, side);
    bspi_print_line(p);
    p->losses.displacements += side->disp != BSP_NONE ? 1 : 0;
    return true;
}

// --- brushes and patches ------------------------------------------------------------------------

static void print_word(bspi_printer *p, const char *word) {
    bspi_print(p, word);
    bspi_print_line(p);
}

static void print_number_comment(bspi_printer *p, const char *what, uint32_t number) {
    bspi_print(p, what);
    bspi_print_uint(p, number);
    bspi_print_line(p);
}

// Prints brush `number` of an entity whose first brush is `first`.
static bool print_brush(bspi_printer *p, uint32_t first, uint32_t number) {
    const bsp_mapdoc_brush *brush = &p->source->brushes[first + number];
    bool primitives = p->dialect == BSP_DIALECT_PRIMITIVES;
    print_number_comment(p, "// brush ", number);
    print_word(p, "{");
    if (primitives) {
        print_word(p, "brushDef");
        print_word(p, "{");
    }
    double reach = bspi_print_reach(p->source, brush);
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        if (!print_side(p, brush->first_side + s, reach)) {
            return false;
        }
    }
    if (primitives) {
        print_word(p, "}");
    }
    print_word(p, "}");
    return !p->out.failed;
}

static void print_control(bspi_printer *p, const bsp_mapdoc_control *control) {
    bspi_print(p, "( ");
    bspi_print_vector(p, control->at);
    for (int i = 0; i < 2; i++) {
        bspi_print(p, " ");
        bspi_print_float(p, control->uv[i]);
    }
    bspi_print(p, " ) ");
}

// Prints "( width height [subdivisions of both] contents flags value )".
static void print_patch_head(bspi_printer *p, const bsp_mapdoc_patch *patch) {
    bspi_print(p, "( ");
    bspi_print_uint(p, patch->width);
    bspi_print(p, " ");
    bspi_print_uint(p, patch->height);
    for (int i = 0; patch->subdivided && i < 2; i++) {
        bspi_print(p, " ");
        bspi_print_uint(p, patch->subdivisions[i]);
    }
    int32_t flags[3] = {(int32_t)patch->contents, (int32_t)patch->flags, patch->value};
    for (int i = 0; i < 3; i++) {
        bspi_print(p, " ");
        bspi_print_int(p, flags[i]);
    }
    print_word(p, " )");
}

static void print_patch(bspi_printer *p, const bsp_mapdoc_patch *patch, uint32_t number) {
    print_number_comment(p, "// brush ", number);
    print_word(p, "{");
    print_word(p, patch->subdivided ? "patchDef3" : "patchDef2");
    print_word(p, "{");
    print_material(p, patch->material);
    bspi_print_line(p);
    print_patch_head(p, patch);
    print_word(p, "(");
    for (uint32_t x = 0; x < patch->width; x++) {
        bspi_print(p, "( ");
        for (uint32_t y = 0; y < patch->height; y++) {
            uint32_t control = patch->first_control + x * patch->height + y;
            print_control(p, &p->source->controls[control]);
        }
        print_word(p, ")");
    }
    print_word(p, ")");
    print_word(p, "}");
    print_word(p, "}");
}

// --- entities -----------------------------------------------------------------------------------

static void print_pair(bspi_printer *p, bsp_text key, bsp_text value) {
    bspi_print_quoted(p, key);
    bspi_print(p, " ");
    bspi_print_quoted(p, value);
    bspi_print_line(p);
}

// The number 220 in worldspawn belongs to the dialect, not to the map.
static void print_pairs(bspi_printer *p, uint32_t index) {
    const bsp_mapdoc_entity *entity = &p->source->entities[index];
    bool axes = p->dialect == BSP_DIALECT_VALVE220;
    bsp_text version = bsp_text_of("220");
    for (uint32_t i = 0; i < entity->num_pairs; i++) {
        const bsp_mapdoc_pair *pair = &p->source->pairs[entity->first_pair + i];
        bool versioned = index == 0 && bspi_text_is(pair->key, "mapversion") &&
                         (axes || bsp_text_equal(pair->value, version));
        if (!versioned) {
            print_pair(p, pair->key, pair->value);
        }
    }
    if (index == 0 && axes) {
        print_pair(p, bsp_text_of("mapversion"), version);
    }
}

static bool print_entity(bspi_printer *p, uint32_t index) {
    const bsp_mapdoc_entity *entity = &p->source->entities[index];
    print_number_comment(p, "// entity ", index);
    print_word(p, "{");
    print_pairs(p, index);
    if (!bspi_print_items(p, entity->first_brush, entity->num_brushes, print_brush)) {
        return false;
    }
    if (is_quake3(p) || p->dialect == BSP_DIALECT_VALVE220) {
        for (uint32_t i = 0; i < entity->num_patches; i++) {
            print_patch(p, &p->source->patches[entity->first_patch + i], entity->num_brushes + i);
        }
    } else {
        p->losses.patches += entity->num_patches;
    }
    print_word(p, "}");
    return !p->out.failed;
}

// Returns the name by which TrenchBroom recognises the dialect.
static const char *format_name(const bspi_printer *p) {
    bool flags = false;
    for (uint32_t i = 0; i < p->source->num_sides; i++) {
        flags = flags || p->source->sides[i].has_flags;
    }
    switch (p->dialect) {
    case BSP_DIALECT_QUAKE2:
        return "Quake2";
    case BSP_DIALECT_QUAKE3:
        return "Quake3 (legacy)";
    case BSP_DIALECT_PRIMITIVES:
        return "Quake3";
    case BSP_DIALECT_VALVE220:
        return p->source->num_patches != 0 ? "Quake3 (Valve)" : flags ? "Quake2 (Valve)" : "Valve";
    default:
        return "Standard";
    }
}

bool bspi_map_keeps_mapping(bspi_printer *p, uint32_t side) {
    bspi_printed_side out;
    bspi_shift shift;
    bool has_axes = p->dialect == BSP_DIALECT_VALVE220 || p->dialect == BSP_DIALECT_PRIMITIVES;
    uint32_t before = p->losses.mappings;
    return !bspi_print_begin_side(p, side, 0, &out) ||
           (p->losses.mappings == before && (has_axes || shift_of(&out, &shift)));
}

bool bspi_write_map(bspi_printer *p) {
    if (p->options.game != NULL) {
        bspi_print(p, "// Game: ");
        bspi_print_text(p, bsp_text_of(p->options.game));
        bspi_print_line(p);
    }
    bspi_print(p, "// Format: ");
    print_word(p, format_name(p));
    for (uint32_t i = 0; i < p->source->num_entities; i++) {
        if (!print_entity(p, i)) {
            return false;
        }
    }
    return true;
}
