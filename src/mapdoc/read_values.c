// SPDX-License-Identifier: MIT
// What the readers of both kinds of map documents use: errors with their line, numbers, sides.
#include "mapdoc/read.h"

#include "core/text.h"
#include "mapdoc/numbers.h"
#include "mapdoc/points.h"

#include <math.h>
#include <stdio.h>

bool bspi_read_fail(const bspi_map_reader *r, uint32_t line, uint64_t offset, const char *format,
                    ...) {
    char what[200];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    bsp_place place = bsp_place_at("", BSP_NONE, NULL, offset);
    return bsp_fail(r->error, BSP_E_DAMAGED, &place, "line %u: %s", line, what);
}

// --- numbers ------------------------------------------------------------------------------------

bool bspi_read_double(bsp_text text, double *value) {
    return bspi_parse_double(text, value) && fabs(*value) <= BSPI_MOST_VALUE;
}

bool bspi_read_bits(bsp_text text, uint32_t *value) {
    int64_t wide;
    if (!bsp_parse_int(text, &wide) || wide < INT32_MIN || wide > UINT32_MAX) {
        return false;
    }
    *value = (uint32_t)wide;
    return true;
}

static bool divides(char c) {
    return (unsigned char)c <= ' ' || c == '(' || c == ')' || c == '[' || c == ']';
}

bool bspi_read_numbers(bsp_text text, double *numbers, uint32_t count) {
    uint32_t found = 0;
    for (size_t at = 0; at < text.size;) {
        size_t end = at;
        while (end < text.size && !divides(text.data[end])) {
            end++;
        }
        if (end > at) {
            bsp_text word = {text.data + at, end - at};
            if (found == count || !bspi_read_double(word, &numbers[found++])) {
                return false;
            }
        }
        at = end + 1;
    }
    return found == count;
}

// --- sides and brushes --------------------------------------------------------------------------

bool bspi_read_material(bspi_map_reader *r, bsp_mapdoc_side *side, bsp_text material) {
    if (r->material.data == NULL || !bsp_text_equal(r->material, material)) {
        r->material = bspi_builder_text(&r->out, material);
    }
    side->material = r->material;
    return r->material.data != NULL;
}

bool bspi_read_plane(const bspi_map_reader *r, bsp_mapdoc_side *side, uint32_t line) {
    if (!bspi_points_plane(side->points[0], side->points[1], side->points[2], side->normal,
                           &side->dist)) {
        return bspi_read_fail(r, line, UINT64_MAX, "the three points of a side lie on a line");
    }
    return true;
}

bool bspi_read_brush_end(bspi_map_reader *r, uint32_t line) {
    const bsp_mapdoc_brush *brush = bspi_built_brush(&r->out, r->out.brushes.count - 1);
    if (brush->num_sides < 4) {
        return bspi_read_fail(r, line, UINT64_MAX, "a brush of %u sides: a solid has at least 4",
                              brush->num_sides);
    }
    return true;
}
