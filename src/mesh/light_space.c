// SPDX-License-Identifier: MIT
// Light in space: Quake 3's grid and Source's ambient cubes. Assumes a loaded map. Formats: sheets
// quake3 (3, 4), source-lumps (6.4).
#include "mesh/light_space.h"

#include "core/curves.h"
#include "map/needs.h"
#include "mesh/shade.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Larger cell numbers are damage: the index must fit 32 bits.
#define MAX_CELLS 65536.0

// --- the grid -----------------------------------------------------------------------------------

static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return at;
}

// Parses three numbers separated by blanks.
static bool parse_three(bsp_text text, float out[3]) {
    const char *at = text.data;
    const char *end = text.data == NULL ? NULL : text.data + text.size;
    for (int i = 0; i < 3; i++) {
        at = at == NULL ? NULL : skip_blanks(at, end);
        const char *start = at;
        while (at != NULL && at < end && *at != ' ' && *at != '\t') {
            at++;
        }
        if (at == start || !bsp_parse_float((bsp_text){start, (size_t)(at - start)}, &out[i])) {
            return false;
        }
    }
    return true;
}

static void grid_step(const bsp_map *map, float step[3]) {
    const float *usual = map->traits->light_cell;
    float stated[3];
    memcpy(step, usual, 3 * sizeof *usual);
    if (map->entities != NULL && map->entities->count != 0 &&
        parse_three(bsp_entity_value(&map->entities->list[0], "gridsize"), stated)) {
        for (int i = 0; i < 3; i++) {
            step[i] = stated[i] >= 1 && isfinite(stated[i]) ? stated[i] : usual[i];
        }
    }
}

bool bsp_light_grid_of(const bsp_map *map, bsp_light_grid *grid) {
    assert(map != NULL && grid != NULL);
    assert(bspi_map_has(map, BSP_LOAD_ENTITIES | BSP_LOAD_TREE | BSP_LOAD_LIGHT));
    uint64_t room = map->num_light_array != 0 ? map->num_light_array : map->num_light_grid;
    memset(grid, 0, sizeof *grid);
    if (map->num_light_grid == 0 || map->num_models == 0) {
        return false;
    }
    grid_step(map, grid->step);
    for (int i = 0; i < 3; i++) {
        double step = (double)grid->step[i];
        double first = ceil((double)map->models[0].mins[i] / step);
        double last = floor((double)map->models[0].maxs[i] / step);
        if (!(last >= first && last - first < MAX_CELLS)) {
            return false;
        }
        grid->origin[i] = (float)(step * first);
        grid->size[i] = (uint32_t)(last - first) + 1;
        room /= grid->size[i];
    }
    return room != 0;
}

const bsp_light_cell *bsp_light_grid_cell(const bsp_map *map, const bsp_light_grid *grid,
                                          uint32_t x, uint32_t y, uint32_t z) {
    assert(map != NULL && grid != NULL);
    if (x >= grid->size[0] || y >= grid->size[1] || z >= grid->size[2]) {
        return NULL;
    }
    uint64_t index = x + (uint64_t)grid->size[0] * (y + (uint64_t)grid->size[1] * z);
    if (map->num_light_array != 0) { // RBSP: cells are stored once
        if (index >= map->num_light_array) {
            return NULL;
        }
        index = map->light_array[index];
    }
    return index < map->num_light_grid ? &map->light_grid[index] : NULL;
}

static void cell_direction(const bsp_light_cell *cell, float out[3]) {
    float polar = (float)cell->direction[0] * (float)BSPI_TURN / 256;
    float azimuth = (float)cell->direction[1] * (float)BSPI_TURN / 256;
    out[0] = bspi_cosine(azimuth) * bspi_sine(polar);
    out[1] = bspi_sine(azimuth) * bspi_sine(polar);
    out[2] = bspi_cosine(polar);
}

// Adds a cell with a weight; black cells are inside walls and left out (R_SetupEntityLightingGrid).
static float add_cell(const bsp_light_cell *cell, float weight, bsp_point_light *out) {
    uint32_t ambient = (uint32_t)cell->ambient[0][0] + cell->ambient[0][1] + cell->ambient[0][2];
    if (ambient == 0 || weight <= 0) {
        return 0;
    }
    float direction[3];
    cell_direction(cell, direction);
    for (int i = 0; i < 3; i++) {
        out->ambient[i] += weight * (float)cell->ambient[0][i];
        out->directed[i] += weight * (float)cell->directed[0][i];
        out->direction[i] += weight * direction[i];
    }
    return weight;
}

// Divides the sum of the cells by the weight `total`.
static void finish(float total, float gain, bsp_point_light *out) {
    float factor = gain / 255 / total;
    float length =
        sqrtf(out->direction[0] * out->direction[0] + out->direction[1] * out->direction[1] +
              out->direction[2] * out->direction[2]);
    for (int i = 0; i < 3; i++) {
        out->ambient[i] *= factor;
        out->directed[i] *= factor;
        out->direction[i] = length > 0 ? out->direction[i] / length : (i == 2 ? 1.0F : 0.0F);
    }
}

bool bspi_light_grid_at(const bsp_map *map, const bsp_light_grid *grid, const float point[3],
                        float gain, bsp_point_light *out) {
    uint32_t cell[3];
    float part[3];
    float total = 0;
    memset(out, 0, sizeof *out);
    for (int i = 0; i < 3; i++) {
        float at = (point[i] - grid->origin[i]) / grid->step[i];
        float last = (float)grid->size[i] - 1;
        at = at > 0 ? (at < last ? at : last) : 0;
        cell[i] = (uint32_t)at;
        part[i] = at - floorf(at);
    }
    for (uint32_t corner = 0; corner < 8; corner++) {
        float weight = 1;
        uint32_t at[3];
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t bit = corner >> i & 1;
            weight *= bit != 0 ? part[i] : 1 - part[i];
            at[i] = cell[i] + bit;
        }
        const bsp_light_cell *found = bsp_light_grid_cell(map, grid, at[0], at[1], at[2]);
        total += found != NULL ? add_cell(found, weight, out) : 0;
    }
    if (!(total > 0)) {
        return false;
    }
    finish(total, gain, out);
    return true;
}

static void limit(float rgb[3]) {
    float most = 1;
    for (int i = 0; i < 3; i++) {
        most = rgb[i] > most ? rgb[i] : most;
    }
    for (int i = 0; i < 3; i++) {
        rgb[i] /= most;
    }
}

bool bsp_light_grid_sample(const bsp_map *map, const bsp_light_grid *grid, const float point[3],
                           bsp_point_light *out) {
    assert(map != NULL && grid != NULL && point != NULL && out != NULL);
    if (!bspi_light_grid_at(map, grid, point, bspi_light_gain(map), out)) {
        return false;
    }
    limit(out->ambient);
    limit(out->directed);
    return true;
}

// --- ambient cubes ------------------------------------------------------------------------------

// The samples of a leaf; `from` is the leaf whose box contains them.
typedef struct leaf_samples {
    const bsp_leaf *from;
    const bsp_ambient_sample *list;
    uint32_t count;
} leaf_samples;

// A stored colour times two to its exponent is 1 where the light is full; that of a luxel is 255.
// (The engine reads both with one function, and divides luxels by 255.)
static void add_cube(const uint8_t from[24], float weight, float cube[6][3]) {
    for (int side = 0; side < 6; side++) {
        float rgb[3];
        bsp_light_decode(from + (size_t)side * 4, rgb);
        for (int i = 0; i < 3; i++) {
            cube[side][i] += weight * rgb[i] * 255;
        }
    }
}

// Returns 1 / (d * d + 1), the weight by which the light compiler decides which samples it can
// leave out (Mod_LeafAmbientColorAtPos of vrad), and by which the engine combines them.
static float sample_weight(const bsp_leaf *leaf, const bsp_ambient_sample *sample,
                           const float point[3]) {
    float square = 0;
    for (int i = 0; i < 3; i++) {
        float at = leaf->mins[i] + (float)sample->place[i] / 255 * (leaf->maxs[i] - leaf->mins[i]);
        square += (at - point[i]) * (at - point[i]);
    }
    return 1 / (square + 1);
}

// Returns the samples of a leaf. A leaf without samples, such as a solid one, has in `first` the
// leaf whose samples are used.
static leaf_samples samples_of(const bsp_map *map, uint32_t leaf, bool hdr) {
    bool high = hdr ? map->num_ambient_samples_hdr != 0 : map->num_ambient_samples == 0;
    const bsp_ambient_index *index = high ? map->ambient_index_hdr : map->ambient_index;
    uint32_t indices = high ? map->num_ambient_index_hdr : map->num_ambient_index;
    const bsp_ambient_sample *samples = high ? map->ambient_samples_hdr : map->ambient_samples;
    uint32_t total = high ? map->num_ambient_samples_hdr : map->num_ambient_samples;
    leaf_samples out = {&map->leaves[leaf], NULL, 0};
    if (indices == 0) { // the first compilers of version 20: one for each leaf, and no index
        out.list = leaf < total ? &samples[leaf] : NULL;
        out.count = leaf < total ? 1 : 0;
        return out;
    }
    if (leaf < indices && index[leaf].count == 0 && index[leaf].first < map->num_leaves) {
        leaf = index[leaf].first;
    }
    if (leaf < indices && index[leaf].first < total) {
        uint32_t left = total - index[leaf].first;
        out.from = &map->leaves[leaf];
        out.list = &samples[index[leaf].first];
        out.count = index[leaf].count < left ? index[leaf].count : left;
    }
    return out;
}

static bool is_black(const uint8_t cube[24]) {
    static const uint8_t none[24] = {0};
    return memcmp(cube, none, sizeof none) == 0;
}

bool bsp_ambient_cube(const bsp_map *map, uint32_t number, const float point[3], bool hdr,
                      float cube[6][3]) {
    assert(map != NULL && point != NULL && cube != NULL);
    assert(bspi_map_has(map, BSP_LOAD_TREE | BSP_LOAD_LIGHT));
    memset(cube, 0, 6 * sizeof *cube);
    if (number >= map->num_leaves) {
        return false;
    }
    leaf_samples samples = samples_of(map, number, hdr);
    float total = 0;
    for (uint32_t i = 0; i < samples.count; i++) {
        float weight = sample_weight(samples.from, &samples.list[i], point);
        if (weight > 0) { // false for NaN
            add_cube(samples.list[i].cube, weight, cube);
            total += weight;
        }
    }
    for (int i = 0; i < 18 && total > 0; i++) {
        cube[i / 3][i % 3] /= total;
    }
    const uint8_t *stored = map->leaves[number].cube; // before version 20 the leaf holds it
    if (samples.count == 0 && map->traits->light == BSP_LIGHT_RGBEXP32 && !is_black(stored)) {
        add_cube(stored, 1, cube);
        return true;
    }
    return total > 0;
}
