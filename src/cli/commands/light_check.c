// SPDX-License-Identifier: MIT
// bspkit light --check: new light beside that of the map.
#include "cli/commands/light_made.h"

#include "cli/parts/clock.h"
#include "cli/parts/json.h"

// How many luxels differ by at most so many steps.
static uint64_t within(const bsp_relight_difference *d, uint32_t steps) {
    uint64_t count = 0;
    for (uint32_t i = 0; i <= steps && i < BSP_RELIGHT_STEPS; i++) {
        count += d->steps[i];
    }
    return count;
}

static double percent(const bsp_relight_difference *d, uint32_t steps) {
    return d->num_luxels == 0 ? 0 : 100 * (double)within(d, steps) / (double)d->num_luxels;
}

// Prints which faces are round, as the light of the map tells.
static void print_phong(const cli_light_made *m) {
    const bsp_relight *r = m->relight;
    for (uint32_t i = 0; i < r->num_phong; i++) {
        const bsp_relight_phong *phong = &r->phong[i];
        bsp_text name = m->map->materials[phong->material].name;
        name = name.size != 0 ? name : bsp_text_of("(no name)");
        cli_print(m->input->output, "%s%.*s: %u faces, %g degrees\n",
                  i == 0 ? "faces that are round (_phong), as in the light of the map:\n" : "",
                  (int)name.size, name.data, (unsigned)phong->num_faces, (double)phong->angle);
    }
}

static void print_text(const cli_light_made *m, const bsp_relight_difference *d) {
    cli_output *output = m->input->output;
    const bsp_relight *r = m->relight;
    cli_print(output, "rules of %s", bsp_light_compiler_name(r->compiler));
    if (r->release != 0) {
        cli_print(output, " since %u", (unsigned)r->release);
    }
    cli_print(output, ": %u lamps, %u of skies, %u of surfaces; %u patches\n",
              (unsigned)r->num_lamps, (unsigned)r->num_suns, (unsigned)r->num_emitters,
              (unsigned)r->num_patches);
    if (r->compiler_stored) {
        cli_print(output, "these rules, as the light of the map tells; --as gives others\n");
    }
    if (r->softened) {
        cli_print(output,
                  "light that grazes is weaker, as in the light of the map (-softencosine)\n");
    }
    if (r->occluded) {
        cli_print(output, "direct light is weaker in corners (ambient occlusion)\n");
    }
    if (r->bounces_stored) {
        cli_print(output, "bounces, as in the light of the map: %u\n", (unsigned)r->num_bounces);
    }
    if (r->texlights.size != 0) {
        cli_print(output,
                  "textures that give light, as in the light of the map (as --rad takes "
                  "them):\n%.*s",
                  (int)r->texlights.size, r->texlights.data);
    }
    print_phong(m);
    if (r->num_vertices + r->num_cells != 0) {
        cli_print(output, "%u vertices without luxels, %u cells of the light grid\n",
                  (unsigned)r->num_vertices, (unsigned)r->num_cells);
    }
    if (d->num_luxels == 0) {
        cli_print(output, "%llu luxels; the map has none to compare them with\n",
                  (unsigned long long)r->num_luxels);
        return;
    }
    cli_print(output, "%llu luxels, %llu compared; mean %.1f in the map, %.1f new\n",
              (unsigned long long)r->num_luxels, (unsigned long long)d->num_luxels, d->stored_mean,
              d->mean);
    static const uint32_t steps[] = {0, 1, 4, 8, 16, 32, 64};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        cli_print(output, "  %5.1f %% within %u of 255\n", percent(d, steps[i]),
                  (unsigned)steps[i]);
    }
}

static void print_json(const cli_light_made *m, const bsp_relight_difference *d, float seconds) {
    bsp_json *json = m->input->json;
    const bsp_relight *r = m->relight;
    bsp_json_object(json);
    cli_json_string(json, "file", m->input->path);
    cli_json_string(json, "rules", bsp_light_compiler_name(r->compiler));
    cli_json_bool(json, "rules_stored", r->compiler_stored);
    cli_json_uint(json, "release", r->release);
    cli_json_bool(json, "softened", r->softened);
    cli_json_bool(json, "occluded", r->occluded);
    cli_json_uint(json, "lamps", r->num_lamps);
    cli_json_uint(json, "suns", r->num_suns);
    cli_json_uint(json, "emitters", r->num_emitters);
    cli_json_uint(json, "patches", r->num_patches);
    cli_json_uint(json, "bounces", r->num_bounces);
    cli_json_uint(json, "luxels", r->num_luxels);
    cli_json_uint(json, "vertices", r->num_vertices);
    cli_json_uint(json, "cells", r->num_cells);
    cli_json_uint(json, "cubes", r->num_cubes);
    cli_json_uint(json, "rays", r->num_rays);
    cli_json_uint(json, "styles_dropped", r->num_styles_dropped);
    cli_json_uint(json, "untextured", r->num_untextured);
    cli_json_uint(json, "unlisted", r->num_unlisted);
    cli_json_array(json, "unheeded");
    for (uint32_t i = 0; i < r->num_unheeded; i++) {
        bsp_json_string(json, r->unheeded[i].name);
    }
    bsp_json_array_end(json);
    cli_json_text(json, "texlights", r->texlights);
    cli_json_array(json, "phong");
    for (uint32_t i = 0; i < r->num_phong; i++) {
        bsp_json_object(json);
        cli_json_text(json, "texture", m->map->materials[r->phong[i].material].name);
        cli_json_uint(json, "faces", r->phong[i].num_faces);
        cli_json_float(json, "angle", r->phong[i].angle);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    cli_json_uint(json, "compared", d->num_luxels);
    cli_json_float(json, "stored_mean", (float)d->stored_mean);
    cli_json_float(json, "mean", (float)d->mean);
    cli_json_float(json, "seconds", seconds);
    cli_json_array(json, "histogram");
    for (uint32_t i = 0; i < BSP_RELIGHT_STEPS; i++) {
        bsp_json_uint(json, d->steps[i]);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

cli_status cli_light_check(const cli_input *input) {
    uint64_t begun = cli_clock();
    cli_light_made m = {.input = input};
    cli_status status = cli_light_load(&m);
    status = status == CLI_DONE ? cli_light_make(&m) : status;
    if (status == CLI_DONE) {
        float seconds = cli_seconds_since(begun);
        bsp_relight_difference difference;
        bsp_relight_compare(m.relight, &difference);
        if (input->json != NULL) {
            print_json(&m, &difference, seconds);
        } else {
            print_text(&m, &difference);
        }
    }
    cli_light_drop(&m);
    return status;
}
