// SPDX-License-Identifier: MIT
// The command line that q3map2 leaves in a map (_q3map2_cmdline): the last of its stages that
// begins with -light. Words: netradiant-custom, tools/quake3/q3map2/light.cpp.
#include "bake/light/base/q3map2_told.h"

#include "core/curves.h"
#include "core/text.h"
#include "export/entity.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef enum kind {
    FACTOR,   // the number is multiplied by what follows
    NUMBER,   // it becomes that
    FLAG,     // it is so
    CLEAR,    // it is not
    UNHEEDED, // it would change light, but does not here
} kind;

#define AT(member) offsetof(bspi_q3map2_told, member)

static const struct word {
    const char *name;
    kind kind;
    size_t at;
    uint32_t more; // numbers that follow, which are passed over
} words[] = {
    {"-point", FACTOR, AT(point), 1},
    {"-pointscale", FACTOR, AT(point), 1},
    {"-point", FACTOR, AT(spot), 1},
    {"-pointscale", FACTOR, AT(spot), 1},
    {"-spherical", FACTOR, AT(point), 1},
    {"-sphericalscale", FACTOR, AT(point), 1},
    {"-spot", FACTOR, AT(spot), 1},
    {"-spotscale", FACTOR, AT(spot), 1},
    {"-area", FACTOR, AT(area), 1},
    {"-areascale", FACTOR, AT(area), 1},
    {"-sky", FACTOR, AT(sky), 1},
    {"-skyscale", FACTOR, AT(sky), 1},
    {"-scale", FACTOR, AT(point), 1},
    {"-scale", FACTOR, AT(spot), 1},
    {"-scale", FACTOR, AT(area), 1},
    {"-scale", FACTOR, AT(sky), 1},
    {"-bouncescale", FACTOR, AT(bounce), 1},
    {"-bounce", NUMBER, AT(bounces), 1},
    {"-samples", NUMBER, AT(samples), 1},
    {"-samplessearchboxsize", NUMBER, AT(samples_box), 1},
    {"-thresh", NUMBER, AT(thresh), 1},
    {"-super", NUMBER, AT(super), 1},
    {"-supersample", NUMBER, AT(super), 1},
    {"-bouncecolorratio", NUMBER, AT(color_ratio), 1},
    {"-gamma", NUMBER, AT(gamma), 1},
    {"-compensate", NUMBER, AT(compensate), 1},
    {"-brightness", NUMBER, AT(brightness), 1},
    {"-contrast", NUMBER, AT(contrast), 1},
    {"-exposure", NUMBER, AT(exposure), 1},
    {"-saturation", NUMBER, AT(saturation), 1},
    {"-vertexscale", NUMBER, AT(vertex), 1},
    {"-gridscale", FACTOR, AT(grid), 1},
    {"-gridambientscale", FACTOR, AT(grid_ambient), 1},
    {"-griddirectionality", NUMBER, AT(grid_directionality), 1},
    {"-gridambientdirectionality", NUMBER, AT(grid_ambient_directionality), 1},
    {"-dirtdepth", NUMBER, AT(dirt_depth), 1},
    {"-dirtgain", NUMBER, AT(dirt_gain), 1},
    {"-dirtscale", NUMBER, AT(dirt_scale), 1},
    {"-shadeangle", NUMBER, AT(shade_angle), 1},
    {"-lightanglehl", NUMBER, AT(half_lambert), 1},
    {"-extradist", NUMBER, AT(extra_dist), 1},
    {"-backsplash", NUMBER, AT(backsplash), 2},
    {"-bounceonly", FLAG, AT(bounce_only), 0},
    {"-bouncegrid", FLAG, AT(bounce_grid), 0},
    {"-fast", FLAG, AT(fast), 0},
    {"-fast", FLAG, AT(fast_bounce), 0},
    {"-faster", FLAG, AT(faster), 0},
    {"-faster", FLAG, AT(fast), 0},
    {"-faster", FLAG, AT(fast_bounce), 0},
    {"-fastbounce", FLAG, AT(fast_bounce), 0},
    {"-dirty", FLAG, AT(dirt), 0},
    {"-dark", FLAG, AT(dark), 0},
    {"-filter", FLAG, AT(filter), 0},
    {"-patchshadows", FLAG, AT(patch_shadows), 0},
    {"-sunonly", FLAG, AT(suns_only), 0},
    {"-nostyle", FLAG, AT(no_styles), 0},
    {"-nostyles", FLAG, AT(no_styles), 0},
    {"-floodlight", FLAG, AT(floodlight), 0},
    {"-shade", FLAG, AT(shade), 0},
    {"-nosurf", FLAG, AT(no_surfaces), 0},
    {"-notrace", FLAG, AT(no_trace), 0},
    {"-wolf", FLAG, AT(linear), 0},
    {"-deluxe", FLAG, AT(deluxe), 0},
    {"-sRGB", FLAG, AT(srgb_light), 0},
    {"-sRGB", FLAG, AT(srgb_textures), 0},
    {"-sRGB", FLAG, AT(srgb_colors), 0},
    {"-sRGBlight", FLAG, AT(srgb_light), 0},
    {"-sRGBtex", FLAG, AT(srgb_textures), 0},
    {"-sRGBcolor", FLAG, AT(srgb_colors), 0},
    {"-nosRGB", CLEAR, AT(srgb_light), 0},
    {"-nosRGB", CLEAR, AT(srgb_textures), 0},
    {"-nosRGB", CLEAR, AT(srgb_colors), 0},
    {"-nosRGBlight", CLEAR, AT(srgb_light), 0},
    {"-nosRGBtex", CLEAR, AT(srgb_textures), 0},
    {"-nosRGBcolor", CLEAR, AT(srgb_colors), 0},
    {"-border", UNHEEDED, 0, 0},
    {"-cheap", UNHEEDED, 0, 0},
    {"-cheapgrid", UNHEEDED, 0, 0},
    {"-cpma", UNHEEDED, 0, 0},
    {"-custinfoparms", UNHEEDED, 0, 0},
    {"-debug", UNHEEDED, 0, 0},
    {"-debugaxis", UNHEEDED, 0, 0},
    {"-debugcluster", UNHEEDED, 0, 0},
    {"-debugdeluxe", UNHEEDED, 0, 0},
    {"-debugdirt", UNHEEDED, 0, 0},
    {"-debugnormals", UNHEEDED, 0, 0},
    {"-debugorigin", UNHEEDED, 0, 0},
    {"-debugsurface", UNHEEDED, 0, 0},
    {"-debugsurfaces", UNHEEDED, 0, 0},
    {"-dirtdebug", UNHEEDED, 0, 0},
    {"-dirtmode", UNHEEDED, 0, 1},
    {"-extravisnudge", UNHEEDED, 0, 0},
    {"-fastgrid", UNHEEDED, 0, 0},
    {"-fill", UNHEEDED, 0, 0},
    {"-fillpink", UNHEEDED, 0, 0},
    {"-lowquality", UNHEEDED, 0, 0},
    {"-nofastpoint", UNHEEDED, 0, 0},
    {"-nogrid", UNHEEDED, 0, 0},
    {"-normalmap", UNHEEDED, 0, 0},
    {"-novertex", UNHEEDED, 0, 0},
    {"-onesky", UNHEEDED, 0, 0},
    {"-randomsamples", UNHEEDED, 0, 0},
    {"-trianglecheck", UNHEEDED, 0, 0},
    {"-trisoup", UNHEEDED, 0, 0},
};

#define NUM_WORDS (sizeof words / sizeof *words)

// Takes the next word of a line. Empty at its end.
static bsp_text next_word(bsp_text *line) {
    bsp_text word = {.data = line->data, .size = 0};
    while (line->size != 0 && *line->data == ' ') {
        line->data++;
        line->size--;
    }
    word.data = line->data;
    while (line->size != 0 && *line->data != ' ') {
        line->data++;
        line->size--;
        word.size++;
    }
    return word;
}

// Returns what follows the last "-light" that begins a stage.
static bsp_text stage_of(bsp_text line) {
    bsp_text found = {.data = NULL, .size = 0};
    bool begins = true;
    while (line.size != 0) {
        bsp_text word = next_word(&line);
        bool ends = word.size != 0 && word.data[word.size - 1] == ';';
        bsp_text bare = {.data = word.data, .size = word.size - (ends ? 1 : 0)};
        if (begins && bsp_text_equal(bare, bsp_text_of("-light"))) {
            found = ends ? (bsp_text){.data = word.data, .size = 0} : line;
        }
        begins = ends;
    }
    for (size_t i = 0; i < found.size; i++) { // it ends where the next one begins
        if (found.data[i] == ';') {
            found.size = i;
        }
    }
    return found;
}

static void note_unheeded(bspi_q3map2_told *told, const char *name) {
    for (uint32_t i = 0; i < told->num_unheeded; i++) {
        if (strcmp(told->unheeded[i], name) == 0) {
            return;
        }
    }
    if (told->num_unheeded < BSPI_TOLD_UNHEEDED) {
        told->unheeded[told->num_unheeded++] = name;
    }
}

static void put(bspi_q3map2_told *told, const struct word *word, bsp_text value) {
    char *at = (char *)told + word->at;
    float number;
    float old;
    bool said = word->more != 0 && bspi_numbers(value, &number, 1) == 1;
    if (word->kind == UNHEEDED) {
        note_unheeded(told, word->name);
    } else if (word->kind == FLAG || word->kind == CLEAR) {
        memcpy(at, &(bool){word->kind == FLAG}, sizeof(bool));
    } else if (said) {
        memcpy(&old, at, sizeof old);
        number = word->kind == FACTOR ? old * number : number;
        memcpy(at, isfinite(number) ? &number : &old, sizeof number);
    }
}

// Heeds a word of the command line, and the numbers that follow it, which it takes off the line.
static void heed(bspi_q3map2_told *told, bsp_text word, bsp_text *line) {
    bsp_text rest = *line;
    bsp_text value = next_word(&rest);
    uint32_t more = 0;
    for (size_t i = 0; i < NUM_WORDS; i++) {
        if (bspi_text_equal_nocase(word, bsp_text_of(words[i].name))) {
            put(told, &words[i], value);
            more = words[i].more;
        }
    }
    for (uint32_t i = 0; i < more; i++) {
        value = next_word(line);
        if (i == 1) { // of -backsplash
            (void)bspi_numbers(value, &told->backsplash_distance, 1);
        }
    }
}

// Heeds the words of a line. `game`: it lit maps for one that has directions of light by itself.
static bool heed_all(bspi_heap *heap, bsp_text line, bool game, bspi_q3map2_told *out,
                     bsp_error *error) {
    bspi_meter meter = {.heap = heap, .error = error};
    bool done = true;
    *out = (bspi_q3map2_told){.patch_shadows = game,
                              .no_styles = game,
                              .srgb_light = game,
                              .srgb_textures = game,
                              .srgb_colors = game,
                              .known = line.data != NULL,
                              .fast_bounce = line.size == 0,
                              .point = 1,
                              .spot = 1,
                              .area = 1,
                              .sky = 1,
                              .bounce = 1,
                              .samples = 1,
                              .samples_box = 1,
                              .thresh = 1,
                              .color_ratio = 1,
                              .backsplash = 1,
                              .backsplash_distance = -999,
                              .gamma = 1,
                              .compensate = 1,
                              .brightness = 1,
                              .contrast = 0,
                              .saturation = 1,
                              .vertex = 1,
                              .grid = 1,
                              .grid_ambient = 1,
                              .grid_directionality = 1};
    while (done && line.size != 0) {
        bsp_text word = next_word(&line);
        heed(out, word, &line);
        done = bspi_meter_add(&meter, NUM_WORDS);
    }
    if (out->faster && out->bounces > 0) { // what is thrown back does not come as of points here
        note_unheeded(out, "-faster");
    }
    out->least = out->srgb_light ? 255 * bspi_light_of_srgb(1 / 255.0f) : 1;
    return done && bspi_meter_pay(&meter);
}

bool bspi_q3map2_told_read(bspi_heap *heap, const bsp_entity *world, bool deluxe,
                           bspi_q3map2_told *out, bsp_error *error) {
    bsp_text line = {.data = NULL, .size = 0};
    if (world != NULL) {
        line = stage_of(bsp_entity_value(world, "_q3map2_cmdline"));
    }
    bool done = heed_all(heap, line, false, out, error);
    bool game = deluxe && out->known && !out->deluxe;
    return done && (!game || heed_all(heap, line, true, out, error));
}

void bspi_told_color(const bspi_q3map2_told *told, float color[3]) {
    for (int c = 0; told->srgb_colors && c < 3; c++) {
        color[c] = bspi_light_of_srgb(color[c]);
    }
}
