// SPDX-License-Identifier: MIT
// bspkit stale: which baked data of a map no longer fits the rest of it.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/json.h"
#include "cli/parts/open_map.h"

#include <string.h>

#define MOST_IDS 12

static const char *const states[] = {"fits", "stale", "undecided"};

typedef struct stale_options {
    cli_common common;
} stale_options;

typedef struct teller {
    const cli_input *input;
    const bsp_map *map;
    bool stale;
} teller;

static void tell_json(teller *t, const bsp_stale *found) {
    bsp_json *json = t->input->json;
    bsp_json_object(json);
    cli_json_string(json, "part", found->part);
    cli_json_string(json, "state", states[found->state]);
    if (found->entity != BSP_NONE) {
        cli_json_uint(json, "entity", found->entity);
    }
    cli_json_string(json, "reason", found->text);
    bsp_json_object_end(json);
}

static void tell_part(void *user, const bsp_stale *found) {
    teller *t = user;
    static const cli_style styles[] = {CLI_NOTE, CLI_BAD, CLI_FAINT};
    cli_output *output = t->input->output;
    t->stale |= found->state == BSP_STALE_STALE;
    if (t->input->json != NULL) {
        tell_json(t, found);
        return;
    }
    cli_print(output, "%s: ", found->part);
    cli_print_styled(output, styles[found->state], states[found->state]);
    cli_print(output, ": ");
    if (found->entity != BSP_NONE) {
        cli_print(output, "entity %u (", (unsigned)found->entity);
        cli_print_text(output,
                       bsp_entity_value(&t->map->entities->list[found->entity], "classname"));
        cli_print(output, "): ");
    }
    cli_print(output, "%s\n", found->text);
}

// --- two maps -----------------------------------------------------------------------------------

// What is baked, and out of what: 0 ends the lists of lumps.
typedef struct rule {
    const char *part;
    const char *out_of; // what changed, in words
    int baked[4];
    int from[MOST_IDS]; // none: the lights of the entities
} rule;

#define GEOMETRY                                                                                   \
    BSP_ID_PLANES, BSP_ID_VERTICES, BSP_ID_TEXINFO, BSP_ID_EDGES, BSP_ID_SURFEDGES,                \
        BSP_ID_DRAW_VERTS, BSP_ID_DISP_INFO, BSP_ID_DISP_VERTS

#define LIGHTS "lights of the entities, or keys of light"

static const rule rules[] = {
    {"lights", LIGHTS, {BSP_ID_WORLD_LIGHTS, BSP_ID_WORLD_LIGHTS_HDR}, {0}},
    {"lightmaps", LIGHTS, {BSP_ID_LIGHTING, BSP_ID_LIGHTING_HDR}, {0}},
    {"lightmaps",
     "planes, corners or textures of faces",
     {BSP_ID_LIGHTING, BSP_ID_LIGHTING_HDR},
     {GEOMETRY}},
    {"light grid", LIGHTS, {BSP_ID_LIGHT_GRID}, {0}},
    {"light grid", "planes, corners or textures of faces", {BSP_ID_LIGHT_GRID}, {GEOMETRY}},
    {"ambient light", "luxels", {BSP_ID_AMBIENT, BSP_ID_AMBIENT_HDR}, {BSP_ID_LIGHTING}},
    {"tree", "brushes", {BSP_ID_NODES}, {BSP_ID_BRUSHES, BSP_ID_BRUSH_SIDES}},
    {"visibility", "planes or nodes", {BSP_ID_VISIBILITY}, {BSP_ID_PLANES, BSP_ID_NODES}},
    {"cubemaps",
     "luxels, or planes or corners of faces",
     {BSP_ID_PAK},
     {BSP_ID_LIGHTING, BSP_ID_CUBEMAPS, GEOMETRY}},
};

static bsp_bytes lump_of(const bsp_file *file, int id) {
    uint32_t lump = bsp_file_find_id(file, (bsp_table_id)id);
    bsp_bytes data = {NULL, 0};
    bsp_error error;
    if (lump == BSP_NONE || !bsp_file_data(file, lump, &data, &error)) {
        return (bsp_bytes){NULL, 0};
    }
    return data;
}

static bool is_same(const bsp_file *a, const bsp_file *b, int id) {
    bsp_bytes first = lump_of(a, id);
    bsp_bytes second = lump_of(b, id);
    return first.size == second.size &&
           (first.size == 0 || memcmp(first.data, second.data, first.size) == 0);
}

static bool is_kept(const bsp_file *old, const bsp_file *new, const int baked[4]) {
    bool kept = false;
    for (int i = 0; i < 4 && baked[i] != 0; i++) {
        bool there = lump_of(new, baked[i]).size != 0;
        if (there && !is_same(old, new, baked[i])) {
            return false;
        }
        kept |= there;
    }
    return kept;
}

static bool begins(bsp_text text, const char *word) {
    size_t size = strlen(word);
    return text.size >= size && memcmp(text.data, word, size) == 0;
}

// Do light compilers read the key of the world and of brush models?
static bool is_light_key(bsp_text key) {
    static const char *const words[] = {
        "_sun",   "_min",     "_max",       "_light",  "_dirt",          "_bounce",
        "_phong", "_surf",    "_spotlight", "_shadow", "_range",         "_gamma",
        "_color", "_ambient", "ambient",    "_dist",   "_q3map2_cmdline"};
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        found |= begins(key, words[i]);
    }
    return found;
}

static bool is_light(const bsp_entities *entities, uint32_t number) {
    if (number == BSP_NONE) {
        return false;
    }
    return begins(bsp_entity_value(&entities->list[number], "classname"), "light");
}

// Is the pair of an entity nothing to its light? A sky shines from everywhere.
static bool is_idle(const bsp_entity *entity, bsp_text key) {
    bsp_text class = bsp_entity_value(entity, "classname");
    return begins(class, "light")
               ? begins(class, "light_environment") && bsp_text_equal(key, bsp_text_of("origin"))
               : !is_light_key(key);
}

// Is an entity of both maps another light, or has it other keys of light?
static bool is_changed(const bsp_entity_match *match, const bsp_entities *before,
                       const bsp_entities *after) {
    bool changed = false;
    for (uint32_t i = 0; i < match->num_pairs; i++) {
        const bsp_pair_difference *pair = &match->pairs[i];
        const bsp_entity *entity =
            pair->before != BSP_NONE ? &before->list[match->before] : &after->list[match->after];
        uint32_t number = pair->before != BSP_NONE ? pair->before : pair->after;
        changed |= !is_idle(entity, entity->pairs[number].key);
    }
    return changed;
}

// Counts the lights that differ; a number of the editor is no difference to them.
static bool count_lights(const bsp_file *old, const bsp_file *new, uint32_t *count,
                         bsp_error *error) {
    bsp_entities *before = bsp_file_entities(old, NULL, error);
    bsp_entities *after = before == NULL ? NULL : bsp_file_entities(new, NULL, error);
    bsp_entity_diff *diff =
        after == NULL ? NULL : bsp_entities_diff(before, after, NULL, NULL, error);
    *count = 0;
    for (uint32_t i = 0; diff != NULL && i < diff->count; i++) {
        const bsp_entity_match *match = &diff->matches[i];
        bool alone = match->before == BSP_NONE || match->after == BSP_NONE;
        *count += alone ? is_light(before, match->before) || is_light(after, match->after)
                        : is_changed(match, before, after);
    }
    bool done = diff != NULL;
    bsp_entity_diff_free(diff);
    bsp_entities_free(after);
    bsp_entities_free(before);
    return done;
}

static bool applies(const rule *of, const bsp_file *old, const bsp_file *new, uint32_t lights) {
    bool changed = of->from[0] == 0 && lights > 0;
    for (int i = 0; i < MOST_IDS && of->from[i] != 0; i++) {
        changed |= !is_same(old, new, of->from[i]);
    }
    return changed && is_kept(old, new, of->baked);
}

static bool compare(teller *t, const bsp_file *old, bsp_error *error) {
    const bsp_file *new = t->input->file;
    uint32_t lights;
    if (!count_lights(old, new, &lights, error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (applies(&rules[i], old, new, lights)) {
            char text[160];
            (void)snprintf(text, sizeof text, "it is that of the old map, but %s changed",
                           rules[i].out_of);
            tell_part(t, &(bsp_stale){rules[i].part, BSP_STALE_STALE, BSP_NONE, text});
        }
    }
    return true;
}

// --- the command --------------------------------------------------------------------------------

static bool compare_with_old(teller *t, bsp_error *error) {
    const cli_call *call = t->input->call;
    cli_opened old;
    if (call->num_operands == 1) {
        return true;
    }
    if (!cli_open_map(call, call->operands[0], NULL, &old)) {
        *error = (bsp_error){0};
        return false;
    }
    bool done = compare(t, old.file, error);
    cli_close_map(&old);
    return done;
}

static cli_status work(const cli_input *input) {
    const bsp_map_options load = {.parts = BSP_LOAD_ALL};
    bsp_error error;
    bsp_map *map = bsp_map_load(input->file, &load, &error);
    teller t = {.input = input, .map = map};
    if (map == NULL) {
        return cli_report(input->path, &error);
    }
    if (input->json != NULL) {
        bsp_json_object(input->json);
        cli_json_string(input->json, "file", input->path);
        cli_json_array(input->json, "parts");
    }
    bool done = bsp_stale_find(input->file, map, tell_part, &t, NULL, &error);
    bool compared = done && compare_with_old(&t, &error);
    if (input->json != NULL) {
        bsp_json_array_end(input->json);
        cli_json_bool(input->json, "stale", t.stale);
        bsp_json_object_end(input->json);
    }
    bsp_map_free(map);
    if (!compared) {
        return error.code == BSP_OK ? CLI_FAILED : cli_report(input->path, &error);
    }
    return t.stale ? CLI_PROBLEMS : CLI_DONE;
}

static cli_status run(const cli_call *call) {
    return cli_for_each_of(call, call->operands + call->num_operands - 1, 1, call->common->output,
                           work);
}

static const cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_stale = {
    .name = "stale",
    .group = CLI_GROUP_CHECK,
    .operands = "[OLD] MAP",
    .summary = "Tell which baked data no longer fits the rest of a map",
    .description =
        "Looked at are the lights that the light compiler stored (Source) beside the entities, the "
        "luxels of faces, the rows of visibility beside the openings of the tree, and the pictures "
        "of cubemaps. Each fits, is stale, or the map does not tell: a wall that was moved is not "
        "seen in its light.\n\n"
        "With the map as it was before, OLD, it is also told what was baked out of something that "
        "changed since, and did not change with it.\n\n"
        "The exit status is 1 when something is stale.",
    .examples = {"bspkit stale maps/start.bsp", "bspkit stale maps/source.bsp maps/start.bsp"},
    CLI_OPTIONS(options, stale_options),
    .min_operands = 1,
    .max_operands = 2,
    .reads_maps = true,
    .run = run,
};
