// SPDX-License-Identifier: MIT
// Quake 3: vertices with other colours, faces with their styles, and cells of the light grid, as
// the file has them. RBSP has cells that are equal once. Format: sheet quake3 (3, 4).
#include "bake/light/drawn/drawn.h"
#include "bake/light/lumps/drawn_light.h"

#include "core/reader.h"
#include "formats/map_members.h"
#include "layout/layout.h"

#include <stdlib.h>
#include <string.h>

#define COLOR 4u          // bytes of a colour of a vertex
#define MOST_CELLS 65535u // that a list of their numbers can name

bool bspi_drawn_records(const bspi_drawn *drawn, const bsp_table *table, uint8_t *copy) {
    const bsp_layout *layout = table->layout;
    uint32_t field;
    if (bspi_layout_find(layout, BSPI_MEMBER_draw_vert_color, &field) == NULL ||
        table->count != drawn->num_vertices) {
        return false;
    }
    size_t at = bsp_layout_offset(layout, field);
    uint32_t slots = layout->fields[field].count / COLOR;
    for (size_t i = 0; i < table->count; i++) {
        for (uint32_t s = 0; s < slots && s < BSPI_DRAWN_SLOTS; s++) {
            if ((drawn->lit[i] >> s & 1) != 0) {
                memcpy(copy + layout->size * i + at + (size_t)s * COLOR, drawn->vertices[i][s], 3);
            }
        }
    }
    return true;
}

bool bspi_drawn_styles(const bspi_drawn *drawn, const bsp_table *table, uint8_t *copy) {
    const bsp_layout *layout = table->layout;
    uint32_t field;
    if (bspi_layout_find(layout, BSPI_MEMBER_face_light_vertex_styles, &field) == NULL) {
        return true;
    }
    size_t at = bsp_layout_offset(layout, field);
    for (size_t i = 0; i < table->count; i++) {
        if (drawn->faces[i].by_vertices) {
            memcpy(copy + layout->size * i + at, drawn->faces[i].vertex_styles,
                   sizeof drawn->faces[i].vertex_styles);
        }
    }
    return true;
}

// --- cells --------------------------------------------------------------------------------------

typedef struct numbered {
    bsp_light_cell cell;
    uint32_t number;
} numbered;

static int by_cell(const void *left, const void *right) {
    const numbered *a = left;
    const numbered *b = right;
    int order = memcmp(&a->cell, &b->cell, sizeof a->cell);
    return order != 0 ? order : (a->number > b->number) - (a->number < b->number);
}

static void put_cell(const bsp_layout *layout, const bsp_light_cell *cell, bspi_buffer *out) {
    const struct {
        uint16_t member;
        const void *from;
    } members[] = {
        {BSPI_MEMBER_light_cell_ambient, cell->ambient},
        {BSPI_MEMBER_light_cell_directed, cell->directed},
        {BSPI_MEMBER_light_cell_styles, cell->styles},
        {BSPI_MEMBER_light_cell_direction, cell->direction},
    };
    uint8_t *record = bspi_buffer_grow(out, layout->size);
    for (size_t i = 0; record != NULL && i < sizeof members / sizeof *members; i++) {
        uint32_t field;
        if (bspi_layout_find(layout, members[i].member, &field) != NULL) {
            memcpy(record + bsp_layout_offset(layout, field), members[i].from,
                   layout->fields[field].count);
        }
    }
}

static bool put_once(const bspi_relight *own, const bsp_layout *layout, bool big_endian,
                     numbered *cells, bspi_buffer *records, bspi_buffer *array, bsp_error *error) {
    uint32_t count = own->drawn->num_cells;
    uint32_t kept = 0;
    uint8_t *numbers = bspi_buffer_grow(array, 2 * (size_t)count);
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = (numbered){own->drawn->cells[i], i};
    }
    qsort(cells, count, sizeof *cells, by_cell);
    for (uint32_t i = 0; numbers != NULL && i < count; i++) {
        if (i == 0 || memcmp(&cells[i].cell, &cells[i - 1].cell, sizeof cells->cell) != 0) {
            put_cell(layout, &cells[i].cell, records);
            kept++;
        }
        uint32_t number = kept - 1;
        uint8_t *at = numbers + 2 * (size_t)cells[i].number;
        at[big_endian ? 1 : 0] = (uint8_t)number;
        at[big_endian ? 0 : 1] = (uint8_t)(number >> 8);
    }
    return kept <= MOST_CELLS ||
           bsp_fail(error, BSP_E_RANGE, NULL, "the light grid has %u different cells, at most %u",
                    (unsigned)kept, MOST_CELLS);
}

bool bspi_drawn_cells(const bspi_relight *own, const bsp_layout *layout, bool big_endian,
                      bspi_buffer *records, bspi_buffer *array, bsp_error *error) {
    const bspi_drawn *drawn = own->drawn;
    if (own->map->num_light_array == 0) {
        for (uint32_t i = 0; i < drawn->num_cells; i++) {
            put_cell(layout, &drawn->cells[i], records);
        }
        return !records->failed;
    }
    bspi_heap *heap = records->heap;
    numbered *cells = bspi_heap_alloc(heap, drawn->num_cells * sizeof *cells, error);
    bool done = cells != NULL && put_once(own, layout, big_endian, cells, records, array, error) &&
                !records->failed && !array->failed;
    bspi_heap_free(heap, cells, drawn->num_cells * sizeof *cells);
    return done;
}
