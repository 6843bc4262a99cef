// SPDX-License-Identifier: MIT
// Prints numbers, texts and sides.
#include "mapdoc/print.h"

#include "core/text.h"
#include "core/vector.h"
#include "mapdoc/numbers.h"
#include "mapdoc/texdef.h"

#include <string.h>

// Texels by which each part of a mapping may be wrong at the end of the brush: with that of the
// offset the sum stays below 1/1000.
#define SCALE_BUDGET 4e-4
#define AXIS_BUDGET 3e-4
// The size for brush primitives whose texture has an unknown size.
#define LIKELY_SIZE 64u

// Room for the digits and the sign of an integer.
#define INTEGER_TEXT 24u

static const double sqrt_3 = 1.7320508075688772;

// --- numbers and texts --------------------------------------------------------------------------

static bool is_plain(char c) {
    return ((unsigned char)c >= ' ' && c != '"' && c != 0x7F) || c == 0x1B;
}

void bspi_print_text(bspi_printer *p, bsp_text text) {
    bool lost = false;
    for (size_t at = 0; at < text.size;) {
        size_t end = at;
        while (end < text.size && is_plain(text.data[end])) {
            end++;
        }
        bspi_out_bytes(&p->out, text.data + at, end - at);
        if (end < text.size) {
            char c = text.data[end];
            bspi_print(p, c == '"' ? "'" : c == '\n' ? "\\n" : " ");
            lost = true;
            end++;
        }
        at = end;
    }
    p->losses.texts += lost ? 1 : 0;
}

void bspi_print_quoted(bspi_printer *p, bsp_text text) {
    bspi_print(p, "\"");
    bspi_print_text(p, text);
    bspi_print(p, "\"");
}

void bspi_print_uint(bspi_printer *p, uint32_t value) {
    char *place = (char *)bspi_out_room(&p->out, INTEGER_TEXT);
    p->out.used -= INTEGER_TEXT - bspi_format_uint(place, value);
}

void bspi_print_int(bspi_printer *p, int32_t value) {
    char *place = (char *)bspi_out_room(&p->out, INTEGER_TEXT);
    p->out.used -= INTEGER_TEXT - bspi_format_int(place, value);
}

static void print_places(bspi_printer *p, double value, unsigned places) {
    char *place = (char *)bspi_out_room(&p->out, BSPI_DECIMAL_TEXT);
    p->out.used -= BSPI_DECIMAL_TEXT - bspi_format_places(place, value, places);
}

void bspi_print_number(bspi_printer *p, double value, double tolerance) {
    print_places(p, value, bspi_places(value, tolerance));
}

void bspi_print_float(bspi_printer *p, double value) {
    const double half_a_unit = 2.9e-8; // of a float's last place, a little less
    double tolerance = fabs(value) * half_a_unit;
    bspi_print_number(p, value, tolerance > 1e-7 ? tolerance : 1e-7);
}

void bspi_print_vector(bspi_printer *p, const double value[3]) {
    for (int i = 0; i < 3; i++) {
        bspi_print(p, i == 0 ? "" : " ");
        bspi_print_float(p, value[i]);
    }
}

void bspi_print_point(bspi_printer *p, const bspi_points *points, int index) {
    for (int i = 0; i < 3; i++) {
        bspi_print(p, i == 0 ? "" : " ");
        print_places(p, points->at[index][i], points->places);
    }
}

// --- sides --------------------------------------------------------------------------------------

double bspi_print_reach(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush) {
    double most = 0;
    for (uint32_t s = 0; s < brush->num_sides; s++) {
        const bsp_mapdoc_side *side = &source->sides[brush->first_side + s];
        for (int i = 0; i < 9; i++) {
            double size = fabs(side->points[i / 3][i % 3]);
            most = size > most ? size : most; // a call of fmax costs more than the rest
        }
    }
    return 2 * fmin(most, BSPI_MOST_VALUE) + 64;
}

// Converts the mapping to texels, or to repeats for brush primitives. An unknown texture counts as
// 64 x 64.
static void fit_units(bspi_printer *p, const bsp_mapdoc_side *side, bspi_printed_side *out) {
    bool repeats = p->dialect == BSP_DIALECT_PRIMITIVES;
    bool known = side->size[0] != 0 && side->size[1] != 0;
    if (repeats != side->repeats) {
        for (int i = 0; i < 2; i++) {
            double size = known ? side->size[i] : LIKELY_SIZE;
            for (int k = 0; k < 4; k++) {
                out->vec[i][k] = repeats ? out->vec[i][k] / size : out->vec[i][k] * size;
            }
        }
        p->losses.sizes += known ? 0 : 1;
    }
    for (int i = 0; i < 2; i++) { // a texture repeats: its offset is reduced to less than its size
        double size = repeats ? 1 : side->size[i];
        if ((repeats || known) && !(fabs(out->vec[i][3]) < size)) {
            out->vec[i][3] = fmod(out->vec[i][3], size);
        }
    }
}

bool bspi_print_begin_side(bspi_printer *p, uint32_t index, double reach, bspi_printed_side *out) {
    const bsp_mapdoc_side *side = &p->source->sides[index];
    if (!bspi_side_points(side, &out->points)) {
        return bsp_fail(p->error, BSP_E_RANGE, NULL, "side %u of the document has no plane", index);
    }
    out->reach = reach;
    memcpy(out->vec, side->vec, sizeof out->vec);
    if (bspi_mapping_is_sound(out->points.normal, side->vec)) {
        fit_units(p, side, out);
    } else {
        double scale = p->dialect == BSP_DIALECT_VMF ? BSPI_EDITOR_SCALE : 1;
        scale *= p->dialect == BSP_DIALECT_PRIMITIVES ? LIKELY_SIZE : 1;
        bspi_plain_mapping(out->points.normal, scale, out->vec);
        p->losses.mappings++;
    }
    return true;
}

double bspi_scale_tolerance(const bspi_printed_side *side, double scale) {
    return fabs(scale) * fmin(SCALE_BUDGET * fabs(scale) / (sqrt_3 * side->reach), 1e-3);
}

double bspi_axis_tolerance(const bspi_printed_side *side, double scale) {
    return fmin(AXIS_BUDGET * fabs(scale) / (3 * side->reach), 1e-3);
}

void bspi_print_axis(bspi_printer *p, const bspi_printed_side *side, const bspi_axes *axes, int i) {
    double tolerance = bspi_axis_tolerance(side, axes->scale[i]);
    for (int k = 0; k < 3; k++) {
        bspi_print_number(p, axes->axis[i][k], tolerance);
        bspi_print(p, " ");
    }
    bspi_print_number(p, axes->offset[i], BSPI_OFFSET_TOLERANCE);
}
