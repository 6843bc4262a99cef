// SPDX-License-Identifier: MIT
// bspkit light: the light of a map made anew, or compared with what the map has.
#include "cli/parts/budget.h"
#include "cli/parts/clock.h"
#include "cli/parts/commands.h"
#include "cli/parts/folder.h"
#include "cli/parts/game.h"
#include "cli/parts/inputs.h"
#include "cli/parts/json.h"
#include "cli/parts/loaded.h"
#include "cli/parts/part_files.h"
#include "cli/parts/progress.h"
#include "cli/parts/write_map.h"

#include <stdlib.h>
#include <string.h>

typedef struct light_options {
    cli_common common;
    bool check;
    bool direct;
    bool preview;
    bool patch_shadows;
    bool hdr;
    bool ldr;
    int compiler;
    int dirt;
    uint32_t extra;
    uint32_t bounces;
    uint32_t soft;
    float grid;
    const char *lights;
    const char *rad;
    const char *lit;
    const char *pages;
    const char *region;
} light_options;

// The parts that --merge was given. A command does one merge.
static cli_parts parts;

static const light_options *options_of(const cli_call *call) {
    return call->options;
}

// What is made of a map.
typedef struct made {
    const cli_input *input;
    cli_loaded loaded;
    bsp_map *map;         // its own
    bsp_entities *lights; // of --lights
    char *text;           // theirs
    bsp_text rad;         // of --rad
    bsp_relight *relight;
    bsp_relight *high; // that of the HDR light, with the other one; NULL: one alone is made
    float region[2][3];
} made;

// --- other lights -------------------------------------------------------------------------------

// Keeps the entities of a .map and drops what they are made of, in place: what stands in braces
// within braces, and comments. Returns the new size.
static size_t drop_brushes(char *text, size_t size) {
    size_t kept = 0;
    int depth = 0;
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if (!quoted && c == '/' && i + 1 < size && text[i + 1] == '/') {
            while (i < size && text[i] != '\n') {
                i++;
            }
            continue;
        }
        quoted = c == '\n' ? false : quoted != (c == '"');
        depth += !quoted && c == '{' ? 1 : 0;
        if (depth <= 1) {
            text[kept++] = c;
        }
        depth -= !quoted && c == '}' && depth > 0 ? 1 : 0;
    }
    return kept;
}

static bool read_lights(made *m, const char *path) {
    size_t size;
    m->text = (char *)cli_read_file(path, &size);
    if (m->text == NULL) {
        return false;
    }
    size = drop_brushes(m->text, size);
    m->lights = bsp_entities_parse((bsp_text){m->text, size}, NULL, NULL, NULL);
    if (m->lights == NULL || m->lights->count == 0) {
        cli_message(path, m->lights == NULL ? "no memory" : "no entities");
    }
    return m->lights != NULL && m->lights->count != 0;
}

// --- making -------------------------------------------------------------------------------------

static bsp_relight_options relight_options_of(const made *m) {
    const light_options *wanted = options_of(m->input->call);
    return (bsp_relight_options){.compiler = (bsp_light_compiler)wanted->compiler,
                                 .extra = wanted->extra,
                                 .direct = wanted->direct,
                                 .preview = wanted->preview,
                                 .bounces = wanted->bounces,
                                 .dirt = (bsp_dirt)wanted->dirt,
                                 .soft = wanted->soft,
                                 .patch_shadows = wanted->patch_shadows,
                                 .grid = wanted->grid,
                                 .hdr = wanted->hdr,
                                 .textures = m->loaded.textures,
                                 .external = m->loaded.light,
                                 .lights = m->lights,
                                 .texlights = m->rad,
                                 .region =
                                     wanted->region != NULL ? (const float(*)[3])m->region : NULL,
                                 .force = m->input->call->common->force,
                                 .budget = cli_budget()};
}

// Makes the light, or with `part` a part of it.
static bool build(made *m, uint32_t number, uint32_t count, bsp_blob *part, bsp_error *error) {
    const bsp_file *file = m->input->file;
    cli_progress progress;
    bool done;
    bsp_relight_options options = relight_options_of(m);
    cli_progress_start(&progress, m->input->path);
    options.progress = cli_progress_of(&progress);
    if (part != NULL) {
        done = bsp_relight_part_make(m->map, file, &options, number, count, part, error);
    } else {
        m->relight = parts.count == 0 ? bsp_relight_build(m->map, file, &options, error)
                                      : bsp_relight_merge(m->map, file, &options, parts.bytes,
                                                          parts.count, error);
        done = m->relight != NULL;
    }
    cli_progress_clear();
    return done;
}

// Reads "X,Y,Z,X,Y,Z", two corners of a box.
static bool read_region(const char *text, float out[2][3]) {
    const char *at = text;
    for (int i = 0; i < 6; i++) {
        char *end;
        out[i / 3][i % 3] = strtof(at, &end);
        if (end == at || *end != (i < 5 ? ',' : '\0')) {
            cli_message(NULL, "--region takes two corners, X,Y,Z,X,Y,Z, not '%s'", text);
            return false;
        }
        at = end + 1;
    }
    for (int i = 0; i < 3; i++) {
        float low = out[0][i] < out[1][i] ? out[0][i] : out[1][i];
        out[1][i] = out[0][i] < out[1][i] ? out[1][i] : out[0][i];
        out[0][i] = low;
    }
    return true;
}

// Reads the map, and the lights of --lights.
static cli_status load(made *m) {
    static const cli_wanted wanted = {.parts = BSP_LOAD_ALL, .textures = true, .light = true};
    const char *lights = options_of(m->input->call)->lights;
    const char *region = options_of(m->input->call)->region;
    if (region != NULL && !read_region(region, m->region)) {
        return CLI_USAGE;
    }
    if (lights != NULL && !read_lights(m, lights)) {
        return CLI_FAILED;
    }
    const char *rad = options_of(m->input->call)->rad;
    if (rad != NULL) {
        m->rad.data = (const char *)cli_read_file(rad, &m->rad.size);
        if (m->rad.data == NULL) {
            return CLI_FAILED;
        }
    }
    cli_status status =
        cli_load(&m->loaded, m->input->call, m->input->path, m->input->file, &wanted);
    m->map = m->loaded.map;
    return status;
}

// Tells of keys that had no effect.
static void tell_unheeded(const made *m) {
    for (uint32_t i = 0; i < m->relight->num_unheeded; i++) {
        const bsp_relight_key *key = &m->relight->unheeded[i];
        cli_message(m->input->path, "%s has no effect here: %u %s, the first is number %u",
                    key->name, (unsigned)key->count,
                    key->count == 1 ? "entity has it" : "entities have it", (unsigned)key->entity);
    }
}

static cli_status make(made *m) {
    bsp_error error;
    cli_status status = load(m);
    if (status == CLI_DONE && !build(m, 0, 0, NULL, &error)) {
        status = cli_report(m->input->path, &error);
    }
    if (status == CLI_DONE) {
        tell_unheeded(m);
    }
    return status;
}

static void drop(made *m) {
    bsp_relight_free(m->relight);
    bsp_relight_free(m->high);
    cli_unload(&m->loaded);
    bsp_entities_free(m->lights);
    free(m->text);
    free((char *)m->rad.data);
}

// --- comparing ----------------------------------------------------------------------------------

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

static void print_text(const made *m, const bsp_relight_difference *d) {
    cli_output *output = m->input->output;
    const bsp_relight *r = m->relight;
    cli_print(output, "rules of %s: %u lamps, %u of skies, %u of surfaces; %u patches\n",
              bsp_light_compiler_name(r->compiler), (unsigned)r->num_lamps, (unsigned)r->num_suns,
              (unsigned)r->num_emitters, (unsigned)r->num_patches);
    if (r->bounces_stored) {
        cli_print(output, "bounces, as in the light of the map: %u\n", (unsigned)r->num_bounces);
    }
    if (r->num_vertices + r->num_cells != 0) {
        cli_print(output, "%u vertices without luxels, %u cells of the light grid\n",
                  (unsigned)r->num_vertices, (unsigned)r->num_cells);
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

static void print_json(const made *m, const bsp_relight_difference *d, float seconds) {
    bsp_json *json = m->input->json;
    const bsp_relight *r = m->relight;
    bsp_json_object(json);
    cli_json_string(json, "file", m->input->path);
    cli_json_string(json, "rules", bsp_light_compiler_name(r->compiler));
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
    cli_json_array(json, "unheeded");
    for (uint32_t i = 0; i < r->num_unheeded; i++) {
        bsp_json_string(json, r->unheeded[i].name);
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

static cli_status check(const cli_input *input) {
    uint64_t begun = cli_clock();
    made m = {.input = input};
    cli_status status = make(&m);
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
    drop(&m);
    return status;
}

// --- writing ------------------------------------------------------------------------------------

// The light file beside a map holds the luxels of the old one, and would be shown instead.
static bool allows_light_file(const cli_input *input) {
    const char *name = bsp_file_get_info(input->file)->light_file.name;
    if (name == NULL || !input->call->common->in_place || options_of(input->call)->lit != NULL) {
        return true;
    }
    cli_message(input->path, "%s beside it would no longer fit: give --lit FILE for the new one",
                name);
    return false;
}

// The pages beside a map are written, too, or would no longer fit.
static bool allows_pages(const made *m) {
    const cli_input *input = m->input;
    if ((m->relight->num_page_files != 0) == (options_of(input->call)->pages != NULL)) {
        return true;
    }
    cli_message(input->path, m->relight->num_page_files != 0
                                 ? "it has pages of light in files beside it: give --pages DIR, a "
                                   "folder for the new ones"
                                 : "its light is in the map itself: no files for --pages");
    return false;
}

static bool write_pages(const made *m) {
    const bsp_relight *r = m->relight;
    const char *path = options_of(m->input->call)->pages;
    cli_folder folder;
    if (path == NULL) {
        return true;
    }
    bool done = cli_folder_open(&folder, path);
    if (!done) {
        return false;
    }
    for (uint32_t i = 0; done && i < r->num_page_files; i++) {
        char name[CLI_NAME_ROOM];
        cli_safe_name(r->page_files[i].name, name, sizeof name);
        done = cli_folder_put(&folder, name, r->page_files[i].data, NULL);
    }
    cli_folder_close(&folder);
    return done;
}

// Has the map light of both kinds, each with faces of its own?
static bool has_both(const bsp_map *map) {
    return map->light.size != 0 && map->light_hdr.size != 0 &&
           map->num_face_lights_hdr == map->num_faces && map->num_faces != 0;
}

// Makes the light for HDR, too.
static cli_status make_high(made *m) {
    const light_options *wanted = options_of(m->input->call);
    bsp_error error;
    if (wanted->hdr || wanted->ldr || parts.count != 0 || !has_both(m->map)) {
        return CLI_DONE;
    }
    bsp_relight_options options = relight_options_of(m);
    cli_progress progress;
    options.hdr = true;
    cli_progress_start(&progress, m->input->path);
    options.progress = cli_progress_of(&progress);
    m->high = bsp_relight_build(m->map, m->input->file, &options, &error);
    cli_progress_clear();
    return m->high != NULL ? CLI_DONE : cli_report(m->input->path, &error);
}

// The light of static props goes into the zip of the map. NULL, with `error` filled, on failure;
// `*none` where there is none.
static bsp_plan *plan_props(const made *m, bsp_pak **pak, bool *none, bsp_error *error) {
    const bsp_relight *both[] = {m->relight, m->high};
    uint32_t count = 0;
    for (size_t i = 0; i < 2 && both[i] != NULL; i++) {
        count += both[i]->num_prop_files;
    }
    *none = count == 0 || bsp_file_find_id(m->input->file, BSP_ID_PAK) == BSP_NONE;
    if (*none) {
        return NULL;
    }
    bsp_pak_change *files = calloc(count, sizeof *files);
    if (files == NULL) {
        return NULL;
    }
    count = 0;
    for (size_t i = 0; i < 2 && both[i] != NULL; i++) {
        for (uint32_t k = 0; k < both[i]->num_prop_files; k++) {
            files[count++] = both[i]->prop_files[k];
        }
    }
    *pak = bsp_file_pak(m->input->file, NULL, error);
    bsp_plan *plan = *pak == NULL ? NULL : bsp_pak_plan(*pak, files, count, NULL, error);
    free(files);
    return plan;
}

enum { MOST_CHANGES = 16 };

static void add_changes(const bsp_relight_changes *from, bsp_lump_change *list, uint32_t *count) {
    for (uint32_t i = 0; from != NULL && i < from->num_changes && *count < MOST_CHANGES - 1; i++) {
        list[(*count)++] = from->changes[i];
    }
}

// The plan of both kinds of light and of the light of props.
static bsp_plan *plan_all(const made *m, const bsp_relight_changes *changes,
                          const bsp_relight_changes *high, bsp_plan **zip, bsp_pak **pak,
                          bsp_error *error) {
    bsp_lump_change list[MOST_CHANGES];
    uint32_t count = 0;
    bool none = true;
    add_changes(changes, list, &count);
    add_changes(high, list, &count);
    *zip = plan_props(m, pak, &none, error);
    if (*zip != NULL) {
        list[count++] = (bsp_lump_change){.lump = bsp_file_find_id(m->input->file, BSP_ID_PAK),
                                          .plan = *zip,
                                          .version = BSP_NONE};
    }
    return *zip != NULL || none ? bsp_file_plan(m->input->file, list, count, NULL, error) : NULL;
}

static cli_status write_light(const made *m) {
    const cli_input *input = m->input;
    const char *lit = options_of(input->call)->lit;
    bsp_error error = {.code = BSP_E_MEMORY, .message = "no memory"};
    bsp_plan *plan = NULL;
    bsp_plan *zip = NULL;
    bsp_pak *pak = NULL;
    bsp_relight_changes *high = NULL;
    bsp_relight_changes *changes = bsp_relight_lumps(m->relight, m->map, input->file, NULL, &error);
    if (changes != NULL && lit != NULL && changes->light_file.size == 0) {
        cli_message(input->path, "its light is in the map itself: no file for --lit");
        bsp_relight_changes_free(changes);
        return CLI_USAGE;
    }
    if (changes != NULL && m->high != NULL) {
        high = bsp_relight_lumps(m->high, m->map, input->file, NULL, &error);
    }
    if (changes != NULL && (high != NULL || m->high == NULL)) {
        plan = plan_all(m, changes, high, &zip, &pak, &error);
    }
    cli_status status = cli_edited_write(input, plan, NULL, &error);
    if (status == CLI_DONE && lit != NULL && !cli_write_file(lit, changes->light_file)) {
        status = CLI_FAILED;
    }
    if (status == CLI_DONE && !write_pages(m)) {
        status = CLI_FAILED;
    }
    bsp_plan_free(zip);
    bsp_pak_close(pak);
    bsp_relight_changes_free(high);
    bsp_relight_changes_free(changes);
    return status;
}

static cli_status change(const cli_input *input) {
    made m = {.input = input};
    cli_status status = allows_light_file(input) ? make(&m) : CLI_USAGE;
    status = status == CLI_DONE && !allows_pages(&m) ? CLI_USAGE : status;
    status = status == CLI_DONE ? make_high(&m) : status;
    status = status == CLI_DONE ? write_light(&m) : status;
    drop(&m);
    return status;
}

// --- parts --------------------------------------------------------------------------------------

static cli_status make_part(const cli_input *input) {
    made m = {.input = input};
    bsp_blob blob = {0};
    uint32_t number;
    uint32_t count;
    bsp_error error;
    cli_status status = CLI_USAGE;
    if (cli_part_parse(input->call->common->part, &number, &count)) {
        status = load(&m);
    }
    if (status == CLI_DONE && !build(&m, number, count, &blob, &error)) {
        status = cli_report(input->path, &error);
    } else if (status == CLI_DONE) { // closing the output says why it could not be written
        (void)cli_sink(input->output, (const char *)blob.data, blob.size);
    }
    bsp_blob_free(&blob);
    drop(&m);
    return status;
}

static bool read_part(void *user, bsp_bytes bytes, bsp_error *error) {
    uint32_t number;
    uint32_t count;
    (void)user;
    return bsp_relight_part_read(bytes, &number, &count, error);
}

static cli_status change_merged(const cli_input *input) {
    cli_status status = cli_parts_check(&parts, read_part, NULL);
    return status == CLI_DONE ? change(input) : status;
}

static cli_status run(const cli_call *call) {
    const light_options *wanted = options_of(call);
    if (wanted->preview && wanted->extra > 1) {
        cli_message(NULL, "--preview goes without --extra: it measures fewer places, not more");
        return CLI_USAGE;
    }
    bool pages = wanted->pages != NULL && call->common->part != NULL; // the merge writes them
    if (!cli_parts_allowed(call, wanted->check || wanted->lit != NULL || pages,
                           pages ? "--check and --pages" : "--check and --lit")) {
        return CLI_USAGE;
    }
    if (call->common->part != NULL) {
        return cli_for_each_input(call, 1, make_part);
    }
    if (call->common->merge) {
        return cli_parts_merge(call, &parts, change_merged);
    }
    if ((wanted->lit != NULL || wanted->pages != NULL) &&
        (wanted->check || call->num_operands != 1)) {
        cli_message(NULL, "--%s takes one map, and goes without --check",
                    wanted->lit != NULL ? "lit" : "pages");
        return CLI_USAGE;
    }
    return wanted->check ? cli_for_each_of(call, call->operands, call->num_operands, NULL, check)
                         : cli_for_each_edited(call, call->operands, call->num_operands, change);
}

static const cli_choice compilers[] = {
    {"ericw", BSP_COMPILER_ERICW, "ericw-tools' light: Quake and Quake 2"},
    {"id", BSP_COMPILER_ID, "id's qrad3: Quake 2"},
    {"hlrad", BSP_COMPILER_HLRAD, "hlrad: GoldSrc"},
    {"vrad", BSP_COMPILER_VRAD, "vrad: Source, by the lights that it left in the map"},
    {"q3map2", BSP_COMPILER_Q3MAP2, "q3map2: Quake 3"},
    {NULL, 0, NULL},
};

static const cli_choice dirts[] = {
    {"map", BSP_DIRT_USUAL, "as the map says"},
    {"on", BSP_DIRT_ON, "for all lights"},
    {"off", BSP_DIRT_OFF, "for none"},
    {NULL, 0, NULL},
};

static const cli_option options[] = {
    {.name = "check",
     CLI_FLAG_TO(light_options, check),
     .help = "Write no map: compare with the light that the map has, and print how many luxels "
             "differ by how much"},
    CLI_OPTION_JSON,
    {.name = "as",
     CLI_CHOICE_TO(light_options, compiler, compilers),
     .argument = "COMPILER",
     .help = "Follow the formulas of that compiler; the default is the usual one of the family"},
    {.name = "extra",
     CLI_NUMBER_TO(light_options, extra),
     .argument = "N",
     .help = "Measure at N x N places of each luxel (1 to 8; 1); in Quake 3 at more places only "
             "at edges of shadows, as -samples of q3map2"},
    {.name = "direct",
     CLI_FLAG_TO(light_options, direct),
     .help = "Only light that comes straight from lamps: nothing is thrown back by surfaces"},
    {.name = "preview",
     CLI_FLAG_TO(light_options, preview),
     .help = "Measure every fourth luxel along each axis, and throw light back once: a third to a "
             "tenth of the time"},
    {.name = "bounces",
     CLI_NUMBER_TO(light_options, bounces),
     .argument = "N",
     .help = "Light goes N times from surface to surface; the default is that of the compiler, in "
             "Source as often as in the light of the map, where that tells"},
    {.name = "dirt",
     CLI_CHOICE_TO(light_options, dirt, dirts),
     .argument = "WHEN",
     .help = "By the rules of ericw-tools: light is weaker in corners; the default is what the map "
             "says (_dirt)"},
    {.name = "soft",
     CLI_NUMBER_TO(light_options, soft),
     .argument = "N",
     .help = "By the rules of ericw-tools: make each place the mean of those up to N on each side "
             "of it, so that edges of shadows are softer (0 to 255; 0)"},
    {.name = "patch-shadows",
     CLI_FLAG_TO(light_options, patch_shadows),
     .help = "Quake 3: patches cast shadows too (-patchshadows of q3map2)"},
    {.name = "grid",
     CLI_REAL_TO(light_options, grid),
     .least = 1,
     .most = 65536,
     .argument = "UNITS",
     .help =
         "Quake and Quake 2: also make a light grid, by which engines light models, of cells that "
         "are so far apart (1 to 65536; ericw-tools has 32); a map that has one gets this one"},
    {.name = "hdr",
     CLI_FLAG_TO(light_options, hdr),
     .help = "Source: make only the HDR light of a map that has both"},
    {.name = "ldr",
     CLI_FLAG_TO(light_options, ldr),
     .help = "Source: make only the LDR light of a map that has both"},
    {.name = "region",
     CLI_TEXT_TO(light_options, region),
     .argument = "X,Y,Z,X,Y,Z",
     .help =
         "Give other light only to faces in the box between these corners, and to those that may "
         "see into it; all others keep theirs, to the byte"},
    {.name = "lights",
     CLI_FILE_TO(light_options, lights),
     .argument = "FILE",
     .help = "Take the lights of this .map or text of entities, not those of the map"},
    {.name = "rad",
     CLI_FILE_TO(light_options, rad),
     .argument = "FILE",
     .help = "GoldSrc: textures give light as the lines of this lights.rad say"},
    {.name = "lit",
     CLI_TARGET_TO(light_options, lit),
     .argument = "FILE",
     .help = "Quake: also write the light in colour, as .lit"},
    {.name = "pages",
     CLI_TARGET_TO(light_options, pages),
     .argument = "DIR",
     .help = "Quake 3: write the pages that the map has in files beside it into this folder, as "
             "lm_0000.tga and so on"},
    CLI_OPTIONS_PARTS,
    CLI_OPTION_GAME_FOR("textures and shaders"),
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_MANY,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const light_options defaults = {.extra = 1};

const cli_command cli_command_light = {
    .name = "light",
    .group = CLI_GROUP_CHANGE,
    .operands = "FILE...",
    .summary = "Compute the light of a map again, without its source",
    .description =
        "The lamps are those that the compiled map still names: light entities and keys of the "
        "world, surfaces that give light, and in Source the list that its compiler left. Luxels "
        "are written in the family's own form, as many as there were; light styles are found "
        "again. In Quake 3 vertices and the light grid are lit too; what its shaders give is known "
        "where --game finds them. Pages that it has in files of its own (lm_0000.tga) are found in "
        "the folder NAME beside NAME.bsp, and in maps/NAME of the --game folders.\n\n"
        "Formulas are those of the family's compilers. A map whose light has other sources (Quake "
        "3 drops its light entities, textures of GoldSrc shine by a lights.rad, for --rad) is "
        "refused when it names no light at all, in Quake 3 also when it would come out much "
        "darker; --lights gives others, and --force goes on. Static props of Source shade, and get "
        "light at their vertices, where --game finds their models.\n\n"
        "Keys of --check --json: file, rules, counts (lamps, suns, emitters, patches, bounces, "
        "luxels, vertices, cells, cubes, rays, styles_dropped), unheeded (keys of ericw-tools that "
        "entities have and that had no effect), compared (luxels), stored_mean and mean (0 "
        "to 255), seconds (of the wall clock), histogram (how many luxels differ by 0 to 255).\n\n"
        "With --part and --merge several machines do one map: each part lights every N-th face, "
        "and the merge adds what surfaces throw back. All parts take the same options as the "
        "merge.",
    .examples = {"bspkit light --check maps/source.bsp", "bspkit light maps/source.bsp -o new.bsp"},
    CLI_OPTIONS(options, light_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
