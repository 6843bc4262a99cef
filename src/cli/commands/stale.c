// SPDX-License-Identifier: MIT
// bspkit stale: which baked data of a map no longer fits the rest of it.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/json.h"
#include "cli/parts/open_map.h"

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

// --- the command --------------------------------------------------------------------------------

static bool find(teller *t, bsp_error *error) {
    const cli_call *call = t->input->call;
    cli_opened old = {0};
    if (call->num_operands > 1 && !cli_open_map(call, call->operands[0], NULL, &old)) {
        *error = (bsp_error){0};
        return false;
    }
    bool done = bsp_stale_find(t->input->file, t->map, old.file, tell_part, t, NULL, error);
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
    bool done = find(&t, &error);
    if (input->json != NULL) {
        bsp_json_array_end(input->json);
        cli_json_bool(input->json, "stale", t.stale);
        bsp_json_object_end(input->json);
    }
    bsp_map_free(map);
    if (!done) {
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
