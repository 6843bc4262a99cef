// SPDX-License-Identifier: MIT
// bspkit portals: the openings between leaves, as a portal file.
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/json.h"
#include "cli/parts/patch.h"
#include "cli/parts/path.h"

#define FORM_OF_MAP (-1)

static const cli_choice forms[] = {
    {"prt1", BSP_PORTALS_PRT1, "Quake, Quake 2 and Source"},
    {"prt2", BSP_PORTALS_PRT2, "Quake with clusters, and the leaves of each"},
    {"prt1-am", BSP_PORTALS_AM, "Quake with clusters, and the cluster of each leaf"},
    {"goldsrc", BSP_PORTALS_GOLDSRC, "GoldSrc: no magic, and the number of leaves of each cluster"},
    {"quake3", BSP_PORTALS_QUAKE3, "Quake 3: with flags"},
    {"obj", BSP_PORTALS_OBJ, "Wavefront .obj, Y up, to look at"},
    {NULL, 0, NULL},
};

typedef struct portals_options {
    cli_common common;
    int form; // bsp_portals_form, or FORM_OF_MAP
    bool by_leaf;
    bool by_rule;
} portals_options;

static const portals_options *options_of(const cli_call *call) {
    return call->options;
}

static void print_pairs(const cli_input *input, const bsp_portals *portals) {
    for (uint32_t i = 0; i < portals->num_pairs; i++) {
        const bsp_sight_pair *pair = &portals->pairs[i];
        cli_print(input->output, "  %d and %d: %s, %u openings", (int)pair->contents[0],
                  (int)pair->contents[1], pair->passes ? "open" : "closed",
                  (unsigned)pair->portals);
        if (portals->learned) {
            cli_print(input->output, ", %u of them seen through", (unsigned)pair->seen);
        }
        cli_print(input->output, "\n");
    }
}

static void print_text(const cli_input *input, const bsp_portals *portals) {
    cli_print(input->output, "%u portals between %u clusters\n", (unsigned)portals->count,
              (unsigned)portals->num_clusters);
    if (portals->num_collapsed != 0) {
        cli_print(input->output, "%u parts of the tree are divided by detail brushes alone\n",
                  (unsigned)portals->num_collapsed);
    }
    cli_print(input->output, "sight between contents, %s:\n",
              portals->learned ? "as the rows of the map show" : "as compilers have it");
    print_pairs(input, portals);
}

static void print_json(const cli_input *input, const bsp_portals *portals) {
    bsp_json *json = input->json;
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_uint(json, "portals", portals->count);
    cli_json_uint(json, "points", portals->num_points);
    cli_json_uint(json, "clusters", portals->num_clusters);
    cli_json_uint(json, "collapsed", portals->num_collapsed);
    cli_json_uint(json, "blocked", portals->num_blocked);
    cli_json_bool(json, "learned", portals->learned);
    cli_json_array(json, "pairs");
    for (uint32_t i = 0; i < portals->num_pairs; i++) {
        const bsp_sight_pair *pair = &portals->pairs[i];
        bsp_json_object(json);
        cli_json_array(json, "contents");
        bsp_json_int(json, pair->contents[0]);
        bsp_json_int(json, pair->contents[1]);
        bsp_json_array_end(json);
        cli_json_uint(json, "openings", pair->portals);
        cli_json_uint(json, "seen", pair->seen);
        cli_json_bool(json, "open", pair->passes);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

static bsp_portals_form form_of(const cli_input *input, const bsp_map *map,
                                const bsp_portals *portals) {
    int wanted = options_of(input->call)->form;
    if (wanted != FORM_OF_MAP) {
        return (bsp_portals_form)wanted;
    }
    bool model = cli_ends_in(input->call->common->output, ".obj");
    return model ? BSP_PORTALS_OBJ : bsp_portals_form_of(map, portals);
}

static cli_status write_portals(const cli_input *input, const bsp_map *map,
                                const bsp_portals *portals) {
    bsp_portals_form form = form_of(input, map, portals);
    bsp_error error;
    if (!bsp_portals_write(portals, form, cli_sink, input->output, &error)) {
        return CLI_FAILED; // closing the output says why
    }
    return CLI_DONE;
}

static cli_status work(const cli_input *input) {
    const portals_options *wanted = options_of(input->call);
    const bsp_portals_options options = {.by_leaf = wanted->by_leaf, .unlearned = wanted->by_rule};
    const bsp_map_options load = {.parts = BSP_LOAD_TREE | BSP_LOAD_BRUSHES};
    bsp_error error;
    bsp_map *map = bsp_map_load(input->file, &load, &error);
    if (map == NULL) {
        return cli_report(input->path, &error);
    }
    cli_status status = CLI_DONE;
    bsp_portals *portals = bsp_portals_build(map, &options, &error);
    if (portals == NULL) {
        status = cli_report(input->path, &error);
    } else if (input->json != NULL) {
        print_json(input, portals);
    } else if (input->call->common->output == NULL) {
        print_text(input, portals);
    } else {
        status = write_portals(input, map, portals);
    }
    bsp_portals_free(portals);
    bsp_map_free(map);
    return status;
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input(call, 1, work);
}

static const cli_option options[] = {
    CLI_OPTION_JSON,
    {.name = "output",
     .letter = 'o',
     CLI_TARGET_TO(cli_common, output),
     .argument = "FILE",
     .help = "Write the portals there; - is standard output. Without it, print what was found"},
    {.name = "form",
     CLI_CHOICE_TO(portals_options, form, forms),
     .argument = "FORM",
     .help = "Write them in this form (default: obj for a name that ends so, else the one that the "
             "compilers of the map's family read)"},
    {.name = "by-leaf",
     CLI_FLAG_TO(portals_options, by_leaf),
     .help = "Let detail brushes divide too, and every leaf of Quake be a cluster"},
    {.name = "by-rule",
     CLI_FLAG_TO(portals_options, by_rule),
     .help = "Let sight go through what compilers let it, whatever the rows of the map show"},
    CLI_OPTION_LMP,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const portals_options defaults = {.form = FORM_OF_MAP};

const cli_command cli_command_portals = {
    .name = "portals",
    .group = CLI_GROUP_EXTRACT,
    .operands = "FILE",
    .summary = "Find the portals between leaves again, as a portal file (.prt)",
    .description =
        "Compilers write the openings between the leaves of a map to a file for the visibility "
        "compiler, and drop them. They are found again in the tree, for every family that has "
        "one: each is the part of a node's plane between two leaves. Leaves that share a cluster, "
        "and parts of the tree that detail brushes alone divide, count as one.\n\n"
        "Whether sight goes through water, glass or the sky's edge is learned from the rows that "
        "the map has: leaves that an opening joins see each other there, or the compiler had no "
        "portal. A map without rows is taken as the compilers of its family do.",
    .examples = {"bspkit portals maps/start.bsp", "bspkit portals maps/start.bsp -o start.prt"},
    CLI_OPTIONS(options, portals_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = 1,
    .reads_maps = true,
    .run = run,
};
