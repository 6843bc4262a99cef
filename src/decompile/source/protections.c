// SPDX-License-Identifier: MIT
// Protections against decompilers: a known one is reported, and undone where the map still holds
// the original. Facts: sheet outputs, section 4.
#include "decompile/source/steps.h"

#include "core/text.h"

#include <math.h>

// The tool that a protection belongs to, as named in reports.
#define VMEX "VMEX"
#define BSPPROTECT "BSPProtect"
#define IID "IID"

static void report(bspi_work *w, bsp_table_id table, uint32_t record, const char *tool,
                   const char *what) {
    bspi_lost(w, BSPI_ISSUE_DECOMPILE_PROTECTED, table, record, "%s: %s", tool, what);
    w->report->protections++;
}

// --- entities -----------------------------------------------------------------------------------

static void find_lock_key(bspi_work *w) {
    const bsp_entities *entities = w->map->entities;
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        if (bsp_entity_value(&entities->list[i], BSPI_LOCK_KEY).data != NULL) {
            report(w, BSP_ID_ENTITIES, i, VMEX, "the key " BSPI_LOCK_KEY ", left out");
            return;
        }
    }
}

static bool is_number(bsp_text text) {
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] < '0' || text.data[i] > '9') {
            return false;
        }
    }
    return text.size != 0;
}

static void find_renamed(bspi_work *w) {
    const bsp_entities *entities = w->map->entities;
    uint32_t names = 0;
    for (uint32_t i = 0; entities != NULL && i < entities->count; i++) {
        bsp_text name = bsp_entity_value(&entities->list[i], "targetname");
        if (name.size != 0 && !is_number(name)) {
            return;
        }
        names += name.size != 0;
    }
    if (names != 0) {
        report(w, BSP_ID_ENTITIES, BSP_NONE, IID,
               "all names of entities were replaced by numbers; the names are not in the map");
    }
}

// --- materials and sides ------------------------------------------------------------------------

static void find_lock_texture(bspi_work *w) {
    for (uint32_t i = 0; i < w->map->num_materials; i++) {
        if (bspi_text_is(w->map->materials[i].name, "tools/locked")) {
            report(w, BSP_ID_TEXTURES, i, VMEX, "the texture tools/locked");
            return;
        }
    }
}

// Detects that nearly all sides have texinfo 0 while few faces do.
static void find_no_draw(bspi_work *w) {
    const bsp_map *map = w->map;
    uint64_t zero_sides = 0;
    uint64_t zero_faces = 0;
    for (uint32_t i = 0; i < map->num_brush_sides; i++) {
        zero_sides += map->brush_sides[i].texinfo == 0;
    }
    for (uint32_t i = 0; i < map->num_faces; i++) {
        zero_faces += map->faces[i].texinfo == 0;
    }
    if (zero_sides * 10 > (uint64_t)map->num_brush_sides * 9 && map->num_faces != 0 &&
        zero_faces * 2 < map->num_faces) {
        bspi_source_of(w)->no_draw = true;
        report(w, BSP_ID_BRUSH_SIDES, BSP_NONE, IID,
               "the sides lost their textures; those of the faces are taken");
    }
}

// --- pak ----------------------------------------------------------------------------------------

static bool look_at_pak(bspi_work *w) {
    if (w->map->pak.size == 0) {
        return true;
    }
    bsp_pak *pak = bsp_pak_open(w->map->pak, w->options->allocator, NULL, w->error);
    if (pak == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < pak->count; i++) {
        if (bspi_text_is(pak->entries[i].name, "entities.dat")) {
            report(w, BSP_ID_PAK, i, BSPPROTECT,
                   "the entities are encrypted in entities.dat; those of the map are a stub");
        } else if (bspi_text_is(pak->entries[i].name, "stale.txt")) {
            bspi_lost(w, BSPI_ISSUE_DECOMPILE_GUESS, BSP_ID_PAK, i,
                      "stale.txt: the entities were compiled later than the rest");
        }
    }
    bsp_pak_close(pak);
    return true;
}

bool bspi_source_find_marks(bspi_work *w) {
    find_lock_key(w);
    find_renamed(w);
    find_lock_texture(w);
    find_no_draw(w);
    return look_at_pak(w);
}

// --- brushes ------------------------------------------------------------------------------------

static bool is_size(const bspi_source_box *box, const double size[3]) {
    for (int axis = 0; axis < 3; axis++) {
        if (!(fabs(box->at[1][axis] - box->at[0][axis] - size[axis]) < 0.01)) {
            return false;
        }
    }
    return true;
}

static bool is_single_texture(const bsp_map *map, const bsp_brush *brush) {
    for (uint32_t i = 1; i < brush->num_sides; i++) {
        if (map->brush_sides[brush->first_side + i].texinfo !=
            map->brush_sides[brush->first_side].texinfo) {
            return false;
        }
    }
    return brush->num_sides == 6;
}

// Detects three boxes with edges of 1, 4 and 9 units.
bool bspi_source_mark_brushes(bspi_work *w) {
    static const double sizes[3][3] = {{1, 4, 9}, {4, 9, 1}, {9, 1, 4}};
    bspi_source_state *state = bspi_source_of(w);
    uint32_t found[3] = {BSP_NONE, BSP_NONE, BSP_NONE};
    for (uint32_t i = 0; i < w->map->num_brushes; i++) {
        for (int k = 0; k < 3; k++) {
            if (found[k] == BSP_NONE && is_size(&state->boxes[i], sizes[k]) &&
                is_single_texture(w->map, &w->map->brushes[i])) {
                found[k] = i;
            }
        }
    }
    if (found[0] == BSP_NONE || found[1] == BSP_NONE || found[2] == BSP_NONE) {
        return true;
    }
    report(w, BSP_ID_BRUSHES, found[0], VMEX, "three small brushes that are its mark");
    for (int k = 0; k < 3; k++) {
        if (!bspi_source_guessed(w, "marks of protection", &state->owners[found[k]].visgroup)) {
            return false;
        }
    }
    return true;
}
