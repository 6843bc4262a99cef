// SPDX-License-Identifier: MIT
// Displacements: blocks of rows, a number or some for each vertex. Format: sheet outputs, section
// 2.1.
#include "editor/write_disp.h"

#include <stddef.h>

// A block of rows: where its numbers lie in a vertex, and how many there are.
typedef struct rows {
    const char *name;
    size_t offset;
    int width;
} rows;

#define ROWS(name, member, width)                                                                  \
    { name, offsetof(bsp_source_disp_vert, member), width }

static void row_key(bspi_printer *p, unsigned depth, uint32_t row) {
    bspi_vmf_indent(p, depth);
    bspi_print(p, "\"row");
    bspi_print_uint(p, row);
    bspi_print(p, "\" \"");
}

static void print_rows(bspi_printer *p, unsigned depth, const bsp_source_disp *disp,
                       const rows *block) {
    uint32_t side = (1u << disp->power) + 1;
    bspi_vmf_open(p, depth, block->name);
    for (uint32_t row = 0; row < side; row++) {
        row_key(p, depth + 1, row);
        for (uint32_t column = 0; column < side; column++) {
            const bsp_source_disp_vert *vert =
                &p->source->disp_verts[disp->first_vert + row * side + column];
            const double *numbers = (const double *)((const char *)vert + block->offset);
            for (int i = 0; i < block->width; i++) {
                bspi_print(p, column == 0 && i == 0 ? "" : " ");
                bspi_print_float(p, numbers[i]);
            }
        }
        bspi_vmf_end(p);
    }
    bspi_vmf_close(p, depth);
}

static void print_tags(bspi_printer *p, unsigned depth, const bsp_source_disp *disp) {
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

static void print_allowed(bspi_printer *p, unsigned depth, const bsp_source_disp *disp) {
    bspi_vmf_open(p, depth, "allowed_verts");
    bspi_vmf_key(p, depth + 1, "10");
    for (int i = 0; i < 10; i++) {
        bspi_print(p, i == 0 ? "" : " ");
        bspi_print_int(p, disp->allowed_verts[i]);
    }
    bspi_vmf_end(p);
    bspi_vmf_close(p, depth);
}

static void print_head(bspi_printer *p, unsigned depth, const bsp_source_disp *disp) {
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

void bspi_write_disp(bspi_printer *p, unsigned depth, const bsp_source_disp *disp) {
    static const rows plain[] = {
        ROWS("normals", normal, 3), ROWS("distances", distance, 1),
        ROWS("offsets", offset, 3), ROWS("offset_normals", offset_normal, 3),
        ROWS("alphas", alpha, 1),
    };
    static const rows blends[] = {
        ROWS("multiblend", blend, 4),
        ROWS("alphablend", alpha_blend, 4),
        ROWS("multiblend_color_0", blend_colors[0], 3),
        ROWS("multiblend_color_1", blend_colors[1], 3),
        ROWS("multiblend_color_2", blend_colors[2], 3),
        ROWS("multiblend_color_3", blend_colors[3], 3),
    };
    bspi_vmf_open(p, depth, "dispinfo");
    print_head(p, depth + 1, disp);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        print_rows(p, depth + 1, disp, &plain[i]);
    }
    print_tags(p, depth + 1, disp);
    print_allowed(p, depth + 1, disp);
    for (size_t i = 0; disp->has_blend && i < sizeof blends / sizeof *blends; i++) {
        print_rows(p, depth + 1, disp, &blends[i]);
    }
    bspi_vmf_close(p, depth);
}
