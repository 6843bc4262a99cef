// SPDX-License-Identifier: MIT
// Writes displacements: blocks of rows, one or several numbers for each vertex. Format: sheet
// outputs, section 2.1.
#include "mapdoc/write_disp.h"

#include "mapdoc/disp_rows.h"
#include "mapdoc/vmf_block.h"
#include "mesh/disp_grid.h"

static void row_key(bspi_printer *p, unsigned depth, uint32_t row) {
    bspi_vmf_indent(p, depth);
    bspi_print(p, "\"row");
    bspi_print_uint(p, row);
    bspi_print(p, "\" \"");
}

static void print_rows(bspi_printer *p, unsigned depth, const bsp_mapdoc_disp *disp,
                       const bspi_disp_rows *block) {
    uint32_t side = bspi_disp_side(disp->power);
    bspi_vmf_open(p, depth, block->name);
    for (uint32_t row = 0; row < side; row++) {
        row_key(p, depth + 1, row);
        for (uint32_t column = 0; column < side; column++) {
            const bsp_mapdoc_disp_vert *vert =
                &p->source->disp_verts[disp->first_vert + row * side + column];
            const double *numbers = bspi_disp_numbers(vert, block);
            for (uint32_t i = 0; i < block->width; i++) {
                bspi_print(p, column == 0 && i == 0 ? "" : " ");
                bspi_print_float(p, numbers[i]);
            }
        }
        bspi_vmf_end(p);
    }
    bspi_vmf_close(p, depth);
}

static void print_tags(bspi_printer *p, unsigned depth, const bsp_mapdoc_disp *disp) {
    uint32_t side = 1u << disp->power;
    const uint32_t *tag = p->source->disp_tags + disp->first_tag;
    bspi_vmf_open(p, depth, "triangle_tags");
    for (uint32_t row = 0; row < side; row++) {
        row_key(p, depth + 1, row);
        for (uint32_t i = 0; i < 2 * side; i++) {
            bspi_print(p, i == 0 ? "" : " ");
            bspi_print_uint(p, *tag++);
        }
        bspi_vmf_end(p);
    }
    bspi_vmf_close(p, depth);
}

static void print_allowed(bspi_printer *p, unsigned depth, const bsp_mapdoc_disp *disp) {
    bspi_vmf_open(p, depth, "allowed_verts");
    bspi_vmf_key(p, depth + 1, "10");
    for (int i = 0; i < 10; i++) {
        bspi_print(p, i == 0 ? "" : " ");
        bspi_print_int(p, disp->allowed_verts[i]);
    }
    bspi_vmf_end(p);
    bspi_vmf_close(p, depth);
}

static void print_head(bspi_printer *p, unsigned depth, const bsp_mapdoc_disp *disp) {
    bspi_vmf_uint(p, depth, "power", disp->power);
    bspi_vmf_key(p, depth, "startposition");
    bspi_print(p, "[");
    bspi_print_vector(p, disp->start);
    bspi_print(p, "]");
    bspi_vmf_end(p);
    bspi_vmf_uint(p, depth, "flags", disp->flags);
    bspi_vmf_key(p, depth, "elevation");
    bspi_print_float(p, disp->elevation);
    bspi_vmf_end(p);
    bspi_vmf_uint(p, depth, "subdiv", disp->subdivided ? 1 : 0);
}

void bspi_write_disp(bspi_printer *p, unsigned depth, const bsp_mapdoc_disp *disp) {
    bspi_vmf_open(p, depth, "dispinfo");
    print_head(p, depth + 1, disp);
    for (size_t i = 0; i < BSPI_DISP_PLAIN; i++) {
        print_rows(p, depth + 1, disp, &bspi_disp_rows_of[i]);
    }
    print_tags(p, depth + 1, disp);
    print_allowed(p, depth + 1, disp);
    for (size_t i = BSPI_DISP_PLAIN; disp->has_blend && i < BSPI_DISP_ROWS; i++) {
        print_rows(p, depth + 1, disp, &bspi_disp_rows_of[i]);
    }
    bspi_vmf_close(p, depth);
}
