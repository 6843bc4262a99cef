// SPDX-License-Identifier: MIT
// Shaders of Quake 3: their pictures, and the scripts that they stand in.
#include "compare/assets/finder.h"

#include "asset/find/textures.h"
#include "core/text.h"

#include <stdio.h>

static bool add_stages(bspi_finder *f, const bsp_shader *shader, bsp_text by) {
    for (uint32_t s = 0; s < shader->num_stages; s++) {
        for (uint32_t i = 0; i < shader->stages[s].num_images; i++) {
            bsp_text image = shader->stages[s].images[i];
            if (bspi_shader_is_file(image) &&
                !bspi_finder_add(f, BSPI_FORM_TEXTURE, image, by, true)) {
                return false;
            }
        }
    }
    return true;
}

static bool add_shader(bspi_finder *f, const bsp_shader *shader) {
    // The scripts are freed before the list.
    const char *name = bspi_arena_text(f->arena, shader->name, f->error);
    if (name == NULL) {
        return false;
    }
    bsp_text by = {name, shader->name.size};
    return add_stages(f, shader, by) &&
           bspi_finder_add(f, BSPI_FORM_SKY, shader->sky_box, by, true) &&
           bspi_finder_add(f, BSPI_FORM_SCRIPT, bspi_shader_script(f->textures, shader), by, true);
}

// Models may have the path of their author's machine: the game's part of it counts.
static bsp_text game_path(bsp_text name) {
    static const char *const roots[] = {"models/", "textures/", "models\\", "textures\\"};
    for (size_t i = 0; i < name.size; i++) {
        bsp_text rest = {name.data + i, name.size - i};
        for (size_t r = 0; r < sizeof roots / sizeof *roots; r++) {
            bool part = i == 0 || name.data[i - 1] == '/' || name.data[i - 1] == '\\';
            if (part && bspi_text_begins_nocase(rest, roots[r])) {
                return rest;
            }
        }
    }
    return name;
}

bool bspi_finder_add_shader(bspi_finder *f, bsp_text name, bsp_text by) {
    if (name.size == 0 || bspi_text_is(name, "noshader") || bspi_text_is(name, "nodraw")) {
        return true;
    }
    if (f->textures != NULL && !bspi_textures_work(f->textures, 1, f->error)) {
        return false;
    }
    const bsp_shader *shader = f->textures == NULL ? NULL : bspi_shader_of(f->textures, name);
    return shader != NULL ? add_shader(f, shader)
                          : bspi_finder_add(f, BSPI_FORM_TEXTURE, game_path(name), by, true);
}
