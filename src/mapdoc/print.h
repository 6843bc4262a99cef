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

/// A side as it will stand in the file.
typedef struct bspi_printed_side {
    bspi_points points;
    double vec[2][4]; ///< sound; texels, but for brush primitives repeats
    double reach;     ///< how far from 0 the brush may go: rounding must do no harm up to there
} bspi_printed_side;

/// How far from 0 the sides of a brush have their points, with some room.
double bspi_print_reach(const bsp_mapdoc *source, const bsp_mapdoc_brush *brush);
/// False, with the error filled, if the side has no plane. Counts mappings that are of no use, and
/// sizes of textures that would be needed.
bool bspi_print_begin_side(bspi_printer *p, uint32_t side, double reach, bspi_printed_side *out);

void bspi_print(bspi_printer *p, const char *text);
void bspi_print_line(bspi_printer *p);
/// Text without quotes around it. What would end a quoted value or a line is replaced, and counted:
/// '"' by ''', a line end by the two characters \n, other control characters by blanks. The escape
/// character stays: it divides the fields of Source's outputs.
void bspi_print_text(bspi_printer *p, bsp_text text);
void bspi_print_quoted(bspi_printer *p, bsp_text text);
void bspi_print_uint(bspi_printer *p, uint32_t value);
void bspi_print_int(bspi_printer *p, int32_t value);
/// How wrong an offset may be, in texels.
#define BSPI_OFFSET_TOLERANCE 1e-4
/// The fewest decimals within the tolerance.
void bspi_print_number(bspi_printer *p, double value, double tolerance);
/// The fewest decimals for a value that was a float.
void bspi_print_float(bspi_printer *p, double value);
/// "x y z"
void bspi_print_vector(bspi_printer *p, const double value[3]);
/// "x y z" of a point.
void bspi_print_point(bspi_printer *p, const bspi_points *points, int index);

/// How wrong a scale, and a component of a unit vector, may be for texels of so many units.
double bspi_scale_tolerance(const bspi_printed_side *side, double scale);
double bspi_axis_tolerance(const bspi_printed_side *side, double scale);
/// "x y z offset" of direction i.
void bspi_print_axis(bspi_printer *p, const bspi_printed_side *side, const bspi_axes *axes, int i);

bool bspi_write_map(bspi_printer *p);
bool bspi_write_vmf(bspi_printer *p);

#endif
