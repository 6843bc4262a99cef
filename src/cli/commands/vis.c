// SPDX-License-Identifier: MIT
// bspkit vis: the visibility of a map made anew, or compared with what the map has.
#include "cli/parts/budget.h"
#include "cli/parts/clock.h"
#include "cli/parts/commands.h"
#include "cli/parts/json.h"
#include "cli/parts/part_files.h"
#include "cli/parts/progress.h"
#include "cli/parts/write_map.h"

#include <stdlib.h>

typedef struct vis_options {
    cli_common common;
    bool check;
    bool base;
    bool by_leaf;
    bool by_rule;
    bool far_plane;
    float distance;
    uint32_t max;
} vis_options;

static const vis_options *options_of(const cli_call *call) {
    return call->options;
}

// The parts that --merge was given. A command does one merge.
static cli_parts parts;

// What is made of a map.
typedef struct made {
    const cli_input *input;
    bsp_map *map;
    bsp_portals *portals;
    bsp_vis *vis;
    bsp_vis *base;          // with --check
    bsp_vis_leaves *leaves; // the same
    uint8_t *row;
    uint64_t begun;  // at this time of the clock
    uint32_t listed; // pairs that differ
} made;

// The distance of --distance, or that of the map.
static double distance_of(const made *m) {
    const vis_options *wanted = options_of(m->input->call);
    return wanted->far_plane ? bsp_vis_far_plane(m->map) : (double)wanted->distance;
}

static bsp_vis_options vis_options_of(const made *m, bool base) {
    return (bsp_vis_options){.base = base, .distance = distance_of(m), .budget = cli_budget()};
}

static bsp_vis *make_vis(const made *m, bool base, bsp_error *error) {
    cli_progress progress;
    bsp_vis_options options = vis_options_of(m, base);
    cli_progress_start(&progress, m->input->path);
    options.progress = cli_progress_of(&progress);
    bsp_vis *vis = base || parts.count == 0
                       ? bsp_vis_build(m->portals, &options, error)
                       : bsp_vis_merge(m->portals, &options, parts.bytes, parts.count, error);
    cli_progress_clear();
    return vis;
}

// Says that the map has a far plane, where the call does not heed one.
static void tell_far_plane(const made *m) {
    double far = distance_of(m) > 0 ? 0 : bsp_vis_far_plane(m->map);
    if (far > 0) {
        cli_message(m->input->path,
                    "its entities let the game draw %g units far: --far-plane hides the rest, as "
                    "the game's compiler does",
                    far);
    }
}

static bool make_portals(made *m, bsp_error *error) {
    const vis_options *wanted = options_of(m->input->call);
    const bsp_map_options load = {.parts = BSP_LOAD_TREE | BSP_LOAD_SURFACES | BSP_LOAD_BRUSHES |
                                           BSP_LOAD_ENTITIES};
    const bsp_portals_options options = {.by_leaf = wanted->by_leaf, .unlearned = wanted->by_rule};
    m->map = bsp_map_load(m->input->file, &load, error);
    m->portals = m->map == NULL ? NULL : bsp_portals_build(m->map, &options, error);
    if (m->portals != NULL) {
        tell_far_plane(m);
    }
    return m->portals != NULL;
}

static bool make(made *m, bsp_error *error) {
    const vis_options *wanted = options_of(m->input->call);
    m->vis = make_portals(m, error) ? make_vis(m, wanted->base, error) : NULL;
    if (m->vis == NULL || !wanted->check) {
        return m->vis != NULL;
    }
    m->base = make_vis(m, true, error);
    m->leaves =
        m->base == NULL ? NULL : bsp_vis_leaves_build(m->vis, m->portals, m->map, NULL, error);
    return m->leaves != NULL;
}

static void drop(made *m) {
    bsp_vis_free(m->vis);
    bsp_vis_free(m->base);
    bsp_vis_leaves_free(m->leaves);
    bsp_portals_free(m->portals);
    bsp_map_free(m->map);
    free(m->row);
}

// --- comparing ----------------------------------------------------------------------------------

// The cluster of the portals that stands for a cluster of the map.
static uint32_t cluster_of(const made *m, uint32_t number) {
    if (!m->map->traits->vis.leaves) {
        return number;
    }
    return number + 1 < m->portals->num_leaves ? m->portals->leaf_clusters[number + 1] : BSP_NONE;
}

// Why a pair differs: what the map alone has lies behind one another, or no way through portals was
// found; what is only found now has a way that the map's compiler did not find.
static const char *reason_of(const made *m, uint32_t from, uint32_t to, bool stored) {
    uint32_t a = cluster_of(m, from);
    uint32_t b = cluster_of(m, to);
    const bsp_vis *base = m->base;
    bool before = a < base->num_clusters && b < base->num_clusters &&
                  (base->rows[(size_t)a * base->row_bytes + b / 8] >> b % 8 & 1) != 0;
    if (!stored) {
        return "a way was found";
    }
    return before ? "no way was found" : "no chain of portals before one another";
}

static bool list_pair(void *user, uint32_t from, uint32_t to, bool stored) {
    made *m = user;
    const cli_input *input = m->input;
    if (m->listed++ >= options_of(input->call)->max) {
        return true;
    }
    const char *reason = reason_of(m, from, to, stored);
    if (input->json == NULL) {
        cli_print(input->output, "  %u to %u: %s: %s\n", (unsigned)from, (unsigned)to,
                  stored ? "in the map alone" : "new", reason);
        return true;
    }
    bsp_json_object(input->json);
    cli_json_uint(input->json, "from", from);
    cli_json_uint(input->json, "to", to);
    cli_json_bool(input->json, "stored", stored);
    cli_json_string(input->json, "reason", reason);
    bsp_json_object_end(input->json);
    return true;
}

static void print_text(made *m) {
    cli_output *output = m->input->output;
    bsp_vis_difference base;
    bsp_vis_difference full;
    bsp_vis_compare(m->base, m->portals, m->map, NULL, NULL, m->row, &base);
    bsp_vis_compare(m->vis, m->portals, m->map, NULL, NULL, m->row, &full);
    if (full.num_clusters == 0) {
        cli_print(output, "%u clusters, %u portals; the map has no rows to compare with\n",
                  (unsigned)m->vis->num_clusters, (unsigned)m->portals->count);
        return;
    }
    cli_print(output, "%u clusters, %u portals\n", (unsigned)full.num_clusters,
              (unsigned)m->portals->count);
    cli_print(output, "pairs: %llu in the map, %llu new, %llu in the base\n",
              (unsigned long long)full.stored_pairs, (unsigned long long)full.pairs,
              (unsigned long long)base.pairs);
    cli_print(output, "%llu pairs are in the map alone, %llu are new\n",
              (unsigned long long)full.stored_only, (unsigned long long)full.new_only);
    bool has_base = base.stored_only == 0 && base.new_only == 0;
    if (has_base && full.stored_only != 0) {
        cli_print(output, "the map has the base: its compiler did no full run\n");
    }
    if (m->leaves->count != 0) {
        cli_print(output, "%s: %u of %u leaves as in the map\n",
                  m->leaves->flags != NULL ? "flags of the sky" : "sound levels",
                  (unsigned)m->leaves->equal, (unsigned)m->leaves->count);
    }
    bsp_vis_compare(m->vis, m->portals, m->map, list_pair, m, m->row, &full);
    if (m->listed > options_of(m->input->call)->max) {
        cli_print(output, "  and %u more\n",
                  (unsigned)(m->listed - options_of(m->input->call)->max));
    }
}

static void json_pairs(bsp_json *json, const bsp_vis_difference *difference) {
    cli_json_uint(json, "pairs", difference->pairs);
    cli_json_uint(json, "equal", difference->stored_pairs - difference->stored_only);
    cli_json_uint(json, "missing", difference->stored_only);
    cli_json_uint(json, "added", difference->new_only);
}

static void print_json(made *m) {
    bsp_json *json = m->input->json;
    float seconds = cli_seconds_since(m->begun);
    bsp_vis_difference base;
    bsp_vis_difference full;
    bsp_vis_compare(m->base, m->portals, m->map, NULL, NULL, m->row, &base);
    bsp_vis_compare(m->vis, m->portals, m->map, NULL, NULL, m->row, &full);
    bsp_json_object(json);
    cli_json_string(json, "file", m->input->path);
    cli_json_uint(json, "clusters", full.num_clusters);
    cli_json_uint(json, "portals", m->portals->count);
    cli_json_uint(json, "stored_pairs", full.stored_pairs);
    json_pairs(json, &full);
    cli_json_float(json, "seconds", seconds);
    cli_json_object(json, "base");
    json_pairs(json, &base);
    bsp_json_object_end(json);
    cli_json_uint(json, "leaves", m->leaves->count);
    cli_json_uint(json, "equal_leaves", m->leaves->equal);
    cli_json_array(json, "differences");
    bsp_vis_compare(m->vis, m->portals, m->map, list_pair, m, m->row, &full);
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

static cli_status check(const cli_input *input) {
    made m = {.input = input, .begun = cli_clock()};
    bsp_error error;
    cli_status status = CLI_DONE;
    if (!make(&m, &error)) {
        status = cli_report(input->path, &error);
    } else if ((m.row = malloc((size_t)m.map->visibility.row_bytes + 1)) == NULL) {
        cli_message(input->path, "no memory");
        status = CLI_FAILED;
    } else if (input->json != NULL) {
        print_json(&m);
    } else {
        print_text(&m);
    }
    drop(&m);
    return status;
}

// --- writing ------------------------------------------------------------------------------------

static cli_status change(const cli_input *input) {
    made m = {.input = input};
    bsp_error error;
    bsp_plan *plan = NULL;
    bsp_vis_changes *changes = NULL;
    if (make(&m, &error)) {
        changes = bsp_vis_lumps(m.vis, m.portals, m.map, input->file, NULL, &error);
    }
    if (changes != NULL) {
        plan = bsp_file_plan(input->file, changes->changes, changes->num_changes, NULL, &error);
    }
    cli_status status = cli_edited_write(input, plan, NULL, &error);
    bsp_vis_changes_free(changes);
    drop(&m);
    return status;
}

// --- parts --------------------------------------------------------------------------------------

static bool write_part(made *m, uint32_t number, uint32_t count, bsp_error *error) {
    bsp_blob blob = {0};
    cli_progress progress;
    if (!make_portals(m, error)) {
        return false;
    }
    bsp_vis_options options = vis_options_of(m, false);
    cli_progress_start(&progress, m->input->path);
    options.progress = cli_progress_of(&progress);
    bool done = bsp_vis_part_make(m->portals, &options, number, count, &blob, error);
    cli_progress_clear();
    if (done) { // closing the output says why it could not be written
        (void)cli_sink(m->input->output, (const char *)blob.data, blob.size);
    }
    bsp_blob_free(&blob);
    return done;
}

static cli_status make_part(const cli_input *input) {
    made m = {.input = input};
    uint32_t number = 0;
    uint32_t count = 0;
    bsp_error error;
    cli_status status = CLI_USAGE;
    if (cli_part_parse(input->call->common->part, &number, &count)) {
        status = write_part(&m, number, count, &error) ? CLI_DONE : cli_report(input->path, &error);
    }
    drop(&m);
    return status;
}

static bool read_part(void *user, bsp_bytes bytes, bsp_error *error) {
    const made *m = user;
    bsp_vis_part part;
    return bsp_vis_part_read(bytes, m->portals, distance_of(m), &part, error);
}

static cli_status check_parts(const cli_input *input) {
    made m = {.input = input};
    bsp_error error;
    cli_status status = make_portals(&m, &error) ? cli_parts_check(&parts, read_part, &m)
                                                 : cli_report(input->path, &error);
    drop(&m);
    return status;
}

static cli_status change_checked(const cli_input *input) {
    cli_status status = check_parts(input);
    return status == CLI_DONE ? change(input) : status;
}

static cli_status run(const cli_call *call) {
    const vis_options *wanted = options_of(call);
    if (wanted->far_plane && wanted->distance > 0) {
        cli_message(NULL, "--far-plane and --distance exclude each other");
        return CLI_USAGE;
    }
    if (!cli_parts_allowed(call, wanted->base || wanted->check, "--base and --check")) {
        return CLI_USAGE;
    }
    if (call->common->part != NULL) {
        return cli_for_each_input(call, 1, make_part);
    }
    if (call->common->merge) {
        return cli_parts_merge(call, &parts, change_checked);
    }
    return wanted->check ? cli_for_each_of(call, call->operands, call->num_operands, NULL, check)
                         : cli_for_each_edited(call, call->operands, call->num_operands, change);
}

static const cli_option options[] = {
    {.name = "check",
     CLI_FLAG_TO(vis_options, check),
     .help = "Write no map: compare with the rows that the map has, and print which pairs differ"},
    {.name = "max",
     CLI_NUMBER_TO(vis_options, max),
     .argument = "N",
     .help = "With --check: list at most N pairs (20)"},
    CLI_OPTION_JSON,
    {.name = "base",
     CLI_FLAG_TO(vis_options, base),
     .help = "Only what portals before one another may see, without the search: much more, soon"},
    {.name = "distance",
     CLI_REAL_TO(vis_options, distance),
     .argument = "UNITS",
     .least = 0,
     .most = 1e6,
     .help = "Hide what is farther away: for a game with a far plane. It hides what traces see"},
    {.name = "far-plane",
     CLI_FLAG_TO(vis_options, far_plane),
     .help = "Hide what is farther away than the map's entities let the game draw: farz of all "
             "env_fog_controller (Source), or _farplanedist of the world. Without them all stays"},
    {.name = "by-leaf",
     CLI_FLAG_TO(vis_options, by_leaf),
     .help = "Let detail brushes block sight too, and every leaf of Quake have its own row"},
    {.name = "by-rule",
     CLI_FLAG_TO(vis_options, by_rule),
     .help = "Let sight go through what compilers let it, whatever the rows of the map show"},
    CLI_OPTIONS_PARTS,
    CLI_OPTIONS_EDITED,
    CLI_OPTIONS_MANY,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

static const vis_options defaults = {.max = 20};

const cli_command cli_command_vis = {
    .name = "vis",
    .group = CLI_GROUP_CHANGE,
    .operands = "FILE...",
    .summary = "Compute the visibility of a map again, without its source",
    .description =
        "The portals between the clusters are found in the tree (bspkit portals), and what is seen "
        "through them is searched: the rows of what is seen, and of what is heard where the family "
        "has them, are replaced. Nothing that a trace can see is hidden; the compilers' own "
        "results differ from one another by a tenth of a percent, and so do these from theirs. The "
        "result is the same at any number of threads.\n\n"
        "With --part and --merge several machines do one map. Each part searches the first three "
        "quarters of the portals again, which the others need, and its share of the rest: this "
        "pays on maps that take minutes. All parts take the same options as the merge.\n\n"
        "Keys of --check --json: file, clusters, portals, stored_pairs, pairs (of the new rows), "
        "equal (that both have), missing (that the map alone has), added (that the new rows alone "
        "have), seconds (of the wall clock), base (the same four of the base), leaves and "
        "equal_leaves (that state what they see of the sky or hear; and as the new ones do), "
        "differences (from, to, stored, reason).\n\n"
        "Sight goes through water and glass as the rows of the map show (bspkit portals says what "
        "was learned), or as the compilers of its family have it.",
    .examples = {"bspkit vis --check maps/start.bsp",
                 "bspkit vis maps/start.bsp --part 1/2 -o 1.part"},
    CLI_OPTIONS(options, vis_options),
    .defaults = &defaults,
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .run = run,
};
