// SPDX-License-Identifier: MIT
// Stored normals of face corners: Source's smoothing groups in lumps 30 and 31, BSPX FACENORMALS
// and VERTEXNORMALS of the Quake compilers. Formats: sheets source-lumps (1), goldsrc-quake1 (9).
#include "mesh/mesher.h"

#include <string.h>

static bool open_parts(bspi_mesher *mesher, const char *name) {
    const bsp_file *file = mesher->options->file;
    uint32_t lump = file == NULL ? BSP_NONE : bsp_file_find(file, bsp_text_of(name));
    return lump != BSP_NONE &&
           bsp_file_parts(file, lump, NULL, &mesher->corner_normals.parts, NULL);
}

static bsp_table table_named(const bsp_parts *parts, const char *name) {
    bsp_table none = {NULL, NULL, 0, false};
    for (uint32_t i = 0; i < parts->count; i++) {
        const bsp_part *part = &parts->parts[i];
        if (part->kind == BSP_PART_TABLE &&
            (name == NULL || (part->name != NULL && strcmp(part->name, name) == 0))) {
            return bsp_parts_table(parts, i);
        }
    }
    return none;
}

void bspi_normals_open(bspi_mesher *mesher) {
    bspi_corner_normals *normals = &mesher->corner_normals;
    if (open_parts(mesher, "bspx:FACENORMALS")) {
        normals->normals = table_named(&normals->parts, "normals");
        normals->corners = table_named(&normals->parts, "corners");
        if (normals->corners.count != 0) {
            return;
        }
        bspi_normals_close(mesher);
    }
    if (open_parts(mesher, "bspx:VERTEXNORMALS")) {
        normals->normals = table_named(&normals->parts, NULL);
        normals->by_vertex = true;
    }
}

void bspi_normals_close(bspi_mesher *mesher) {
    bspi_corner_normals *normals = &mesher->corner_normals;
    if (normals->parts.heap != NULL) {
        bsp_parts_free(&normals->parts);
    }
    memset(normals, 0, sizeof *normals);
}

static bool from_record(const bsp_table *table, uint32_t record, float normal[3]) {
    if (record >= table->count) {
        return false;
    }
    for (uint32_t i = 0; i < 3; i++) {
        normal[i] = bsp_table_float(table, record, 0, i);
    }
    return true;
}

static bool stored(const bspi_mesher *mesher, uint32_t corner, uint32_t vertex, float normal[3]) {
    const bsp_map *map = mesher->map;
    const bspi_corner_normals *extra = &mesher->corner_normals;
    if (corner < map->num_vert_normal_indices) {
        uint32_t index = map->vert_normal_indices[corner];
        if (index < map->num_vert_normals) {
            memcpy(normal, map->vert_normals[index].point, 3 * sizeof *normal);
            return true;
        }
    }
    if (extra->by_vertex) {
        return from_record(&extra->normals, vertex, normal);
    }
    return corner < extra->corners.count &&
           from_record(&extra->normals, (uint32_t)bsp_table_int(&extra->corners, corner, 0, 0),
                       normal);
}

bool bspi_normal_of(const bspi_mesher *mesher, uint32_t face, uint32_t corner, uint32_t vertex,
                    float normal[3]) {
    if (!stored(mesher, mesher->first_corner[face] + corner, vertex, normal)) {
        return false;
    }
    float square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    return square > 0.25F &&
           square < 4; // a vector that is too short or too long to be a direction is not used
}
