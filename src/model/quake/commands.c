// SPDX-License-Identifier: MIT
// Drawing commands. Source: the sheet models, 4 and 5.
#include "model/quake/commands.h"

#define CORNER 3u // words of a corner

static int32_t word(const bsp_table *commands, size_t at) {
    return (int32_t)bspi_load32(commands->data + at * 4, false);
}

static float number(const bsp_table *commands, size_t at) {
    return bspi_load_float(commands->data + at * 4, false);
}

/// A command.
typedef struct command {
    bool fan;
    uint32_t corners;
    size_t first;  ///< word of the first corner
    uint32_t skin; ///< where the form has it
} command;

// Reads the command at word `*at`, and moves on. Returns false at the end, or where the command
// does not lie in the list.
static bool next(const bsp_table *commands, const bspi_command_form *form, size_t *at,
                 command *out) {
    size_t left = commands->count - *at;
    int32_t count = left == 0 ? 0 : word(commands, *at);
    if (count == 0 || count == INT32_MIN || left < 1 + form->extra) {
        return false;
    }
    out->fan = count < 0;
    out->corners = (uint32_t)(count < 0 ? -count : count);
    out->first = *at + 1 + form->extra;
    out->skin = form->skin ? (uint32_t)word(commands, *at + 1) : 0;
    if (out->corners > (left - 1 - form->extra) / CORNER) {
        return false;
    }
    *at = out->first + (size_t)out->corners * CORNER;
    return true;
}

uint32_t bspi_commands_triangles(const bsp_table *commands, const bspi_command_form *form) {
    uint32_t count = 0;
    command c;
    for (size_t at = 0; next(commands, form, &at, &c);) {
        count += c.corners < 2 ? 0 : c.corners - 2;
    }
    return count;
}

static uint32_t add_corner(bspi_model_builder *b, const bspi_alias_frame *frame,
                           const bsp_table *commands, const bspi_command_form *form, size_t at) {
    size_t floats = at + (form->vertex_first ? 1 : 0);
    int32_t vertex = word(commands, form->vertex_first ? at : at + 2);
    bsp_model_vertex out = {.uv = {number(commands, floats), number(commands, floats + 1)},
                            .color = {{255, 255, 255, 255}, {255, 255, 255, 255}}};
    if (vertex < 0 || (uint32_t)vertex >= frame->vertices.count) {
        return BSP_NONE;
    }
    bspi_alias_place(frame, (uint32_t)vertex, &out);
    return bspi_build_vertex(b, &out, NULL);
}

static void draw(bspi_model_builder *b, const bspi_alias_frame *frame, const bsp_table *commands,
                 const bspi_command_form *form, const command *c) {
    uint32_t corners[3] = {BSP_NONE, BSP_NONE, BSP_NONE};
    for (uint32_t i = 0; i < c->corners && !b->failed; i++) {
        uint32_t v = add_corner(b, frame, commands, form, c->first + (size_t)i * CORNER);
        if (i >= 2) {
            bool odd = !c->fan && i % 2 != 0;
            (void)bspi_build_triangle(b, odd ? corners[1] : corners[0],
                                      odd ? corners[0] : corners[1], v);
        }
        if (i == 0) {
            corners[0] = v;
        } else if (c->fan || i == 1) {
            corners[1] = v;
        } else {
            corners[0] = corners[1];
            corners[1] = v;
        }
    }
}

bool bspi_commands_build(bspi_model_builder *b, const bspi_alias_frame *frame,
                         const bsp_table *commands, const bspi_command_form *form,
                         uint32_t material) {
    command c;
    uint32_t skin = BSP_NONE;
    for (size_t at = 0; !b->failed && next(commands, form, &at, &c);) {
        if (skin == BSP_NONE || c.skin != skin) {
            uint32_t of = form->skin && c.skin < b->model->info.num_materials ? c.skin : material;
            skin = c.skin;
            (void)bspi_build_group(b, of, 0, (bsp_text){NULL, 0});
        }
        draw(b, frame, commands, form, &c);
    }
    return !b->failed;
}
