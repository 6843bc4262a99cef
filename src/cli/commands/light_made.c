// SPDX-License-Identifier: MIT
// Makes the light of a map: reads what it is made of, and calls the library.
#include "cli/commands/light_made.h"

#include "cli/parts/budget.h"
#include "cli/parts/folder.h"
#include "cli/parts/game.h"
#include "cli/parts/numbers.h"
#include "cli/parts/path.h"
#include "cli/parts/progress.h"

#include <stdlib.h>
#include <string.h>

#define SURFACES ".texinfo.json" // after the name of the map
#define LINES_KEPT 20            // of a lights.rad that are told of

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

static bool read_lights(cli_light_made *m, const char *path) {
    size_t size;
    m->text = (char *)cli_read_file(path, &size);
    if (m->text == NULL) {
        return false;
    }
    while (size > 0 && m->text[size - 1] == 0) { // as lumps end
        size--;
    }
    if (memchr(m->text, 0, size) != NULL) {
        cli_message(path, "not a .map or text of entities; of a map bspkit entities prints them");
        return false;
    }
    size = drop_brushes(m->text, size);
    m->lights = bsp_entities_parse((bsp_text){m->text, size}, NULL, NULL, NULL);
    if (m->lights == NULL || m->lights->count == 0) {
        cli_message(path, m->lights == NULL ? "no memory" : "no entities");
    }
    return m->lights != NULL && m->lights->count != 0;
}

// Reads what textures give, and tells of lines that are passed over.
static bool read_rad(cli_light_made *m, const char *path) {
    m->rad.data = (const char *)cli_read_file(path, &m->rad.size);
    bsp_issues *issues = m->rad.data == NULL ? NULL : bsp_issues_new(NULL, LINES_KEPT);
    if (issues == NULL) {
        return false;
    }
    bsp_error error;
    bool done = bsp_texlights_check(m->rad, cli_last_part(path), issues, &error);
    cli_report_textures(m->input->path, issues);
    if (!done) {
        cli_message(path, "%s", error.message);
    }
    bsp_issues_free(issues);
    return done;
}

// --- making -------------------------------------------------------------------------------------

static bool is_merged(const cli_light_made *m) {
    return m->parts != NULL && m->parts->count != 0;
}

// Starts the progress, and returns what the library is asked for.
static bsp_relight_options begin(const cli_light_made *m, cli_progress *progress) {
    const cli_light_options *wanted = cli_light_options_of(m->input->call);
    bsp_relight_options options = wanted->relight;
    cli_progress_start(progress, m->input->path);
    options.compiler = (bsp_light_compiler)wanted->compiler;
    options.dirt = (bsp_dirt)wanted->dirt;
    options.prop_shadows = (bsp_prop_shadows)wanted->prop_shadows;
    options.textures = m->loaded.textures;
    options.external = m->loaded.light;
    options.lights = m->lights;
    options.texlights = m->rad;
    options.texlights_all = m->rad.data != NULL;
    options.surfaces = m->surfaces;
    options.surfaces_all = wanted->phong != 0;
    options.region = wanted->region != NULL ? (const float(*)[3])m->region : NULL;
    options.force = m->input->call->common->force;
    options.budget = cli_budget();
    options.progress = cli_progress_of(progress);
    return options;
}

static bsp_relight *build(const cli_light_made *m, bool hdr, bsp_error *error) {
    const bsp_file *file = m->input->file;
    cli_progress progress;
    bsp_relight_options options = begin(m, &progress);
    options.hdr = hdr;
    bsp_relight *relight =
        !is_merged(m)
            ? bsp_relight_build(m->map, file, &options, error)
            : bsp_relight_merge(m->map, file, &options, m->parts->bytes, m->parts->count, error);
    cli_progress_clear();
    return relight;
}

bool cli_light_build_part(const cli_light_made *m, bool hdr, uint32_t number, uint32_t count,
                          bsp_blob *part, bsp_error *error) {
    cli_progress progress;
    bsp_relight_options options = begin(m, &progress);
    options.hdr = hdr;
    bool done = bsp_relight_part_make(m->map, m->input->file, &options, number, count, part, error);
    cli_progress_clear();
    return done;
}

// Reads two corners of a box.
static bool read_region(const char *text, float out[2][3]) {
    float corners[6];
    if (!cli_take_numbers(text, corners, 6)) {
        cli_message(NULL, "--region takes two corners, X,Y,Z,X,Y,Z, not '%s'", text);
        return false;
    }
    for (int i = 0; i < 3; i++) {
        float a = corners[i];
        float b = corners[3 + i];
        out[0][i] = a < b ? a : b;
        out[1][i] = a < b ? b : a;
    }
    return true;
}

// Reads what qbsp of ericw-tools leaves beside a map, if it is there.
static bool read_surfaces(cli_light_made *m) {
    const char *map = m->input->path;
    char name[CLI_NAME_ROOM + sizeof SURFACES];
    char path[CLI_PATH_ROOM];
    cli_map_name(map, name);
    (void)strcat(name, SURFACES);
    bool there = cli_is_file(map) && cli_join_beside(map, name, path) && cli_is_file(path);
    if (!there) { // standard input and members of archives have nothing beside them
        return true;
    }
    m->surfaces.data = (const char *)cli_read_file(path, &m->surfaces.size);
    return m->surfaces.data != NULL;
}

cli_status cli_light_load(cli_light_made *m) {
    static const cli_wanted wanted = {.parts = BSP_LOAD_ALL, .textures = true, .light = true};
    const char *lights = cli_light_options_of(m->input->call)->lights;
    const char *region = cli_light_options_of(m->input->call)->region;
    if (region != NULL && !read_region(region, m->region)) {
        return CLI_USAGE;
    }
    if (lights != NULL && !read_lights(m, lights)) {
        return CLI_FAILED;
    }
    const char *rad = cli_light_options_of(m->input->call)->rad;
    if (rad != NULL && !read_rad(m, rad)) {
        return CLI_FAILED;
    }
    if (!read_surfaces(m)) {
        return CLI_FAILED;
    }
    cli_status status =
        cli_load(&m->loaded, m->input->call, m->input->path, m->input->file, &wanted);
    m->map = m->loaded.map;
    return status;
}

// Tells of keys that had no effect.
static void tell_unheeded(const cli_light_made *m) {
    for (uint32_t i = 0; i < m->relight->num_unheeded; i++) {
        const bsp_relight_key *key = &m->relight->unheeded[i];
        if (key->name[0] == '-') {
            cli_message(m->input->path, "%s has no effect here: q3map2 was told so", key->name);
            continue;
        }
        if (key->name[0] == '.') {
            cli_message(m->input->path, "NAME%s beside it has no effect here: it is of another map",
                        key->name);
            continue;
        }
        if (key->shader) {
            bsp_text shader = m->map->materials[key->entity].name;
            cli_message(m->input->path, "%s has no effect here: %u %s, the first is %.*s",
                        key->name, (unsigned)key->count,
                        key->count == 1 ? "shader has it" : "shaders have it", (int)shader.size,
                        shader.data);
            continue;
        }
        cli_message(m->input->path, "%s has no effect here: %u %s, the first is number %u",
                    key->name, (unsigned)key->count,
                    key->count == 1 ? "entity has it" : "entities have it", (unsigned)key->entity);
    }
}

// Tells of options that the rules by which the map is lit do not know.
static void tell_unused(const cli_light_made *m) {
    const cli_light_options *wanted = cli_light_options_of(m->input->call);
    const bsp_relight_options *given = &wanted->relight;
    const uint32_t corners = 1u << BSP_COMPILER_ERICW | 1u << BSP_COMPILER_Q3MAP2;
    const struct {
        const char *name;
        bool given;
        uint32_t rules; // bits of those that know it
    } all[] = {
        {"dirt", wanted->dirt == BSP_DIRT_ON, corners | 1u << BSP_COMPILER_VRAD},
        {"dirt-depth", given->dirt_depth > 0, corners},
        {"dirt-gain", given->dirt_gain > 0, corners},
        {"dirt-scale", given->dirt_scale > 0, corners},
        {"phong", wanted->phong != 0, 1u << BSP_COMPILER_ERICW},
        {"patch-shadows", given->patch_shadows, 1u << BSP_COMPILER_Q3MAP2},
        {"bounce-grid", given->bounce_grid, 1u << BSP_COMPILER_Q3MAP2},
        {"prop-shadows", wanted->prop_shadows != 0, 1u << BSP_COMPILER_VRAD},
        {"hdr", given->hdr, 1u << BSP_COMPILER_VRAD},
        {"ldr", wanted->ldr, 1u << BSP_COMPILER_VRAD},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (all[i].given && (all[i].rules >> m->relight->compiler & 1) == 0) {
            cli_message(m->input->path, "--%s has no effect here: %s does not know it", all[i].name,
                        bsp_light_compiler_name(m->relight->compiler));
        }
    }
    bool absent = given->hdr ? !m->relight->hdr : wanted->ldr && m->relight->hdr;
    if (absent && m->relight->compiler == BSP_COMPILER_VRAD) {
        cli_message(m->input->path, "--%s has no effect here: the map has no such light",
                    given->hdr ? "hdr" : "ldr");
    }
}

// Has the map light of both kinds, each with faces of its own?
static bool has_both(const bsp_map *map) {
    return map->light.size != 0 && map->light_hdr.size != 0 &&
           map->num_face_lights_hdr == map->num_faces && map->num_faces != 0;
}

cli_status cli_light_report(const cli_light_made *m, const bsp_error *error) {
    const char *path = m->input->path;
    if (error->code != BSP_E_UNEXPLAINED) {
        return cli_report(path, error);
    }
    bsp_light_compiler rules = m->map->traits->lights.compiler;
    const char *files = rules == BSP_COMPILER_HLRAD    ? ", --rad FILE those of textures"
                        : rules == BSP_COMPILER_Q3MAP2 ? ", --game DIR those of shaders"
                                                       : "";
    cli_message(strcmp(path, "-") == 0 ? "standard input" : path,
                "%s; --lights FILE gives others%s, and --force goes on", error->message, files);
    return CLI_FAILED;
}

bool cli_light_makes_both(const cli_light_made *m) {
    const cli_light_options *wanted = cli_light_options_of(m->input->call);
    return !wanted->relight.hdr && !wanted->ldr && has_both(m->map);
}

cli_status cli_light_build_high(cli_light_made *m) {
    bsp_error error;
    if (!cli_light_makes_both(m)) {
        return CLI_DONE;
    }
    m->high = build(m, true, &error);
    return m->high != NULL ? CLI_DONE : cli_light_report(m, &error);
}

cli_status cli_light_make(cli_light_made *m) {
    bsp_error error;
    m->relight = build(m, cli_light_options_of(m->input->call)->relight.hdr, &error);
    if (m->relight == NULL) {
        return cli_light_report(m, &error);
    }
    tell_unheeded(m);
    tell_unused(m);
    if (m->relight->texlights.size != 0 && !cli_light_options_of(m->input->call)->check) {
        cli_message(
            m->input->path,
            "what its textures give is estimated out of the light that it has (--check prints "
            "it, --rad FILE says it)");
    }
    if (m->relight->num_phong != 0 && !cli_light_options_of(m->input->call)->check) {
        cli_message(m->input->path,
                    "which of its faces are round (_phong) is estimated out of the light that it "
                    "has (--check prints it, --phong keys takes none)");
    }
    if (m->relight->num_unlisted != 0) {
        cli_message(m->input->path,
                    "lights of its entities that the list of its compiler, which was followed, has "
                    "elsewhere or not at all: %u (--lights FILE, of what bspkit entities prints, "
                    "takes them)",
                    (unsigned)m->relight->num_unlisted);
    }
    if (m->relight->num_untextured != 0) {
        cli_message(m->input->path,
                    "textures that were not found: %u; what their surfaces give and throw back has "
                    "no colour (--game)",
                    (unsigned)m->relight->num_untextured);
    }
    return CLI_DONE;
}

void cli_light_drop(cli_light_made *m) {
    bsp_relight_free(m->relight);
    bsp_relight_free(m->high);
    cli_unload(&m->loaded);
    bsp_entities_free(m->lights);
    free(m->text);
    free((char *)m->rad.data);
    free((char *)m->surfaces.data);
}
