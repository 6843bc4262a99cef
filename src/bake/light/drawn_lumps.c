// SPDX-License-Identifier: MIT
// Quake 3: vertices with other colours, as the file has them.
#include "bake/light/drawn.h"

#include "formats/map_members.h"
#include "layout/layout.h"

#include <string.h>

bool bspi_drawn_records(const bspi_drawn *drawn, const bsp_table *table, uint8_t *copy) {
    const bsp_layout *layout = table->layout;
    uint32_t field;
    if (bspi_layout_find(layout, BSPI_MEMBER_draw_vert_color, &field) == NULL ||
        table->count != drawn->num_vertices) {
        return false;
    }
    size_t at = bsp_layout_offset(layout, field);
    for (size_t i = 0; i < table->count; i++) {
        if (drawn->lit[i] != 0) {
            memcpy(copy + layout->size * i + at, drawn->vertices + 3 * i, 3);
        }
    }
    return true;
}
