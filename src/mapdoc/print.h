// SPDX-License-Identifier: MIT
// What the writers of all dialects share: numbers, texts, losses.
#ifndef BSPI_MAPDOC_PRINT_H
#define BSPI_MAPDOC_PRINT_H

#include "bspkit/mapdoc.h"
#include "core/memory.h"
#include "core/out.h"
#include "mapdoc/points.h"
#include "mapdoc/texdef.h"

typedef struct bspi_printer {
    const bsp_mapdoc *source;
    bsp_dialect dialect;
    bsp_mapdoc_write_options options;
    bsp_mapdoc_losses losses;
    bspi_heap heap;
    bspi_out out;
    bsp_error *error;
} bspi_printer;

/// A side as it is written.
typedef struct bspi_printed_side {
    bspi_points points;
    double vec[2][4]; ///< sound; in texels, for brush primitives in repeats
    double reach;     ///< largest coordinate of the brush: rounding must not matter up to there
} bspi_printed_side;

/// Returns the largest coordinate of the points of a brush's sides, with some margin.
double bspi_print_reach(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush);
/// Prepares a side. Returns false, with the error filled, if it has no plane. Counts unusable
/// mappings, and textures of unknown size where it would be needed.
bool bspi_print_begin_side(bspi_printer *p, uint32_t side, double reach, bspi_printed_side *out);

static inline void bspi_print(bspi_printer *p, const char *text) {
    bspi_out_text(&p->out, text);
}

/// Ends a line.
static inline void bspi_print_line(bspi_printer *p) {
    if (p->options.crlf) {
        bspi_print(p, "\r\n");
    } else {
        bspi_print(p, "\n");
    }
}

/// Prints text without quotes around it. Characters that would end a quoted value or a line are
/// replaced, and counted: '"' by ''', a line end by the two characters \n, other control characters
/// by blanks. The escape character stays: it separates the fields of Source's outputs.
void bspi_print_text(bspi_printer *p, bsp_text text);
void bspi_print_quoted(bspi_printer *p, bsp_text text);
void bspi_print_uint(bspi_printer *p, uint32_t value);
void bspi_print_int(bspi_printer *p, int32_t value);
/// The allowed error of an offset, in texels.
#define BSPI_OFFSET_TOLERANCE 1e-4
/// Prints a number with the fewest decimals within the tolerance.
void bspi_print_number(bspi_printer *p, double value, double tolerance);
/// Prints a value that was a float with the fewest decimals.
void bspi_print_float(bspi_printer *p, double value);
/// Prints "x y z".
void bspi_print_vector(bspi_printer *p, const double value[3]);
/// Prints "x y z" of a point.
void bspi_print_point(bspi_printer *p, const bspi_points *points, int index);

/// Returns the allowed error of a scale, or of a component of a unit vector, for texels of `scale`
/// units.
double bspi_scale_tolerance(const bspi_printed_side *side, double scale);
double bspi_axis_tolerance(const bspi_printed_side *side, double scale);
/// Prints "x y z offset" of direction i.
void bspi_print_axis(bspi_printer *p, const bspi_printed_side *side, const bspi_axes *axes, int i);

bool bspi_write_map(bspi_printer *p);
/// Returns false if .map cannot express the mapping of a side in the printer's dialect. A side
/// without a plane, which is not written at all, has none to lose.
bool bspi_map_keeps_mapping(bspi_printer *p, uint32_t side);
bool bspi_write_vmf(bspi_printer *p);

#endif
