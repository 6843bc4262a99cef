// SPDX-License-Identifier: MIT
// bspkit info: what a file is, and how near it is to the limits. It must be quick: it reads
// directory, entities and the first model, and of a map with cubemaps these and the list of its
// zip, and decodes nothing else; only for the checksum in JSON and for --sha256 it reads the whole
// file.
#include "cli/commands/info_model.h"
#include "cli/commands/info_text.h"
#include "cli/parts/commands.h"
#include "cli/parts/input.h"
#include "cli/parts/json.h"
#include "cli/parts/patch.h"
#include "cli/parts/table.h"

#include <string.h>

#define NEAR_LIMIT 90 // per cent of a limit from which on it is coloured

typedef struct info_options {
    cli_common common;
    bool sha256;
} info_options;

typedef struct facts {
    const bsp_file_info *info;
    const bsp_branch *branch;
    const bsp_game *game; // whose limits apply, or NULL
    bool has_bounds;
    float bounds[2][3]; // mins, maxs
    uint32_t entities;
    uint64_t diagnostics;
    bsp_cubemap_counts cubemaps; // all zero: there are none, or they cannot be read
    char sha256[65];             // "" unless it is asked for
} facts;

static bool is_hashed(const cli_input *input) {
    const info_options *given = input->call->options;
    return given->sha256;
}

// Reads the whole file.
static void hash(const bsp_file *file, facts *out) {
    uint8_t digest[32];
    bsp_file_sha256(file, digest);
    for (size_t i = 0; i < sizeof digest; i++) {
        (void)snprintf(out->sha256 + 2 * i, 3, "%02x", digest[i]);
    }
}

// Reads the bounds of model 0, the world.
static void read_bounds(const bsp_file *file, facts *out) {
    static const char *const names[] = {"mins", "maxs"};
    bsp_parts parts;
    bsp_table models;
    if (!bsp_file_table(file, BSP_ID_MODELS, &parts, &models)) {
        return;
    }
    out->has_bounds = models.count != 0;
    for (int corner = 0; corner < 2 && out->has_bounds; corner++) {
        uint32_t field = bsp_layout_find_field(models.layout, bsp_text_of(names[corner]));
        out->has_bounds = field != BSP_NONE && models.layout->fields[field].count == 3;
        for (uint32_t axis = 0; axis < 3 && out->has_bounds; axis++) {
            out->bounds[corner][axis] = bsp_table_float(&models, 0, field, axis);
        }
    }
    bsp_parts_free(&parts);
}

// What cannot be read is no concern of this command: bspkit check tells it.
static void read_cubemaps(const bsp_file *file, facts *out) {
    const bsp_map_options load = {.parts = BSP_LOAD_PROPS};
    uint32_t n = bsp_file_find_id(file, BSP_ID_CUBEMAPS);
    bool any = n != BSP_NONE && bsp_file_lump(file, n)->size != 0 && !out->branch->opaque;
    bsp_map *map = any ? bsp_map_load(file, &load, NULL) : NULL;
    if (map == NULL || !bsp_cubemaps_find(file, map, NULL, &out->cubemaps, NULL, NULL)) {
        out->cubemaps = (bsp_cubemap_counts){0};
    }
    bsp_map_free(map);
}

static bool collect(const cli_input *input, facts *out, bsp_error *error) {
    memset(out, 0, sizeof *out);
    out->info = bsp_file_get_info(input->file);
    out->branch = out->info->detection.branch;
    out->game = bsp_file_game(input->file);
    read_bounds(input->file, out);
    read_cubemaps(input->file, out);
    if (bsp_file_find_id(input->file, BSP_ID_ENTITIES) != BSP_NONE) {
        bsp_entities *entities = bsp_file_entities(input->file, input->issues, error);
        if (entities == NULL && error->code == BSP_E_MEMORY) {
            return false;
        }
        out->entities = entities == NULL ? 0 : entities->count;
        bsp_entities_free(entities);
    }
    out->diagnostics = bsp_issues_count(input->issues, BSP_NOTE);
    if (is_hashed(input)) {
        hash(input->file, out);
    }
    return true;
}

// Computes how much of its limit a lump uses. Returns false if no limit is known.
static bool read_limit(const cli_input *input, const facts *f, const bsp_lump *lump, uint32_t *used,
                       bsp_limit *limit) {
    *limit = (bsp_limit){0, false};
    if (lump->def != NULL) {
        *limit = bsp_game_lump_limit(f->game, lump->def);
    }
    if (limit->max != 0) {
        *used = limit->in_bytes ? lump->unpacked_size : bsp_file_count(input->file, lump->id);
    }
    return limit->max != 0;
}

// --- JSON ---------------------------------------------------------------------------------------

static void json_bounds(bsp_json *json, const facts *f) {
    bsp_json_key(json, "bounds");
    if (!f->has_bounds) {
        bsp_json_null(json);
        return;
    }
    bsp_json_object(json);
    bsp_json_floats(json, "mins", f->bounds[0], 3);
    bsp_json_floats(json, "maxs", f->bounds[1], 3);
    bsp_json_object_end(json);
}

static void json_limit(bsp_json *json, const char *name, uint32_t used, uint32_t max) {
    bsp_json_object(json);
    cli_json_string(json, "name", name);
    cli_json_uint(json, "used", used);
    cli_json_uint(json, "max", max);
    bsp_json_object_end(json);
}

static void json_limits(const cli_input *input, const facts *f) {
    bsp_json *json = input->json;
    cli_json_array(json, "limits");
    for (uint32_t i = 0; i < f->info->num_directory_lumps; i++) {
        const bsp_lump *lump = bsp_file_lump(input->file, i);
        uint32_t used;
        bsp_limit limit;
        if (read_limit(input, f, lump, &used, &limit)) {
            json_limit(json, lump->name, used, limit.max);
        }
    }
    uint32_t most = bsp_game_max_entities(f->game, f->branch);
    if (most != 0) {
        json_limit(json, "entities", f->entities, most);
    }
    bsp_json_array_end(json);
}

static void json_lumps(const cli_input *input, const facts *f) {
    cli_json_array(input->json, "lumps");
    for (uint32_t i = 0; i < f->info->num_lumps; i++) {
        bsp_json_object(input->json);
        cli_lump_json(input->file, i, input->json);
        bsp_json_object_end(input->json);
    }
    bsp_json_array_end(input->json);
}

// Prints nothing without such files.
static void json_external(const cli_input *input, const facts *f) {
    if (f->info->num_external == 0) {
        return;
    }
    cli_json_array(input->json, "external");
    for (uint32_t i = 0; i < f->info->num_external; i++) {
        bsp_json_object(input->json);
        cli_json_string(input->json, "name", f->info->external[i].name);
        cli_json_uint(input->json, "size", f->info->external[i].bytes.size);
        bsp_json_object_end(input->json);
    }
    bsp_json_array_end(input->json);
}

// Prints nothing without such a file.
static void json_light_file(const cli_input *input, const facts *f) {
    if (f->info->light_file.name != NULL) {
        cli_json_string(input->json, "light_file", f->info->light_file.name);
    }
}

// Prints nothing for a map whose cubemaps are all drawn.
static void json_cubemaps(const cli_input *input, const facts *f) {
    if (f->cubemaps.missing + f->cubemaps.undrawn != 0) {
        cli_json_object(input->json, "cubemaps");
        cli_json_uint(input->json, "count", f->cubemaps.count);
        cli_json_uint(input->json, "missing", f->cubemaps.missing);
        cli_json_uint(input->json, "never_drawn", f->cubemaps.undrawn);
        bsp_json_object_end(input->json);
    }
}

// Reads the whole file; the text leaves this to bspkit checksum.
static void json_checksum(const cli_input *input) {
    uint32_t checksum = 0;
    bool known = bsp_file_checksum(input->file, &checksum);
    cli_json_sum_or_null(input->json, "checksum", known, checksum);
}

static void print_json(const cli_input *input, const facts *f) {
    bsp_json *json = input->json;
    const bsp_detection *detection = &f->info->detection;
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_uint(json, "size", f->info->bytes.size);
    cli_json_string(json, "family", bsp_family_name(f->branch->family));
    cli_json_string(json, "branch", f->branch->name);
    cli_json_string_or_null(json, "game", f->game == NULL ? NULL : f->game->title);
    cli_json_string(json, "magic", detection->magic);
    cli_json_uint(json, "version", detection->version);
    cli_json_string(json, "endian", detection->big_endian ? "big" : "little");
    cli_json_uint_or_null(json, "revision", f->info->revision != BSP_NONE, f->info->revision);
    json_lumps(input, f);
    json_external(input, f);
    json_light_file(input, f);
    json_cubemaps(input, f);
    cli_json_uint(json, "entities", f->entities);
    json_bounds(json, f);
    json_limits(input, f);
    json_checksum(input);
    if (is_hashed(input)) {
        cli_json_string(json, "sha256", f->sha256);
    }
    cli_json_uint(json, "diagnostics", f->diagnostics);
    bsp_json_object_end(json);
}

// --- text ---------------------------------------------------------------------------------------

static void print_format(const cli_input *input, const facts *f) {
    const bsp_detection *detection = &f->info->detection;
    cli_info_heading(input, "format");
    cli_print(input->output, "%s: ", f->branch->title);
    cli_print_styled(input->output, CLI_STRONG, f->branch->name);
    char version[BSP_VERSION_TEXT];
    if (detection->magic[0] == '\0') {
        cli_print(input->output, ", version %u", (unsigned)detection->version);
    } else if (detection->version >> 16 < 0x100) { // in BSP2 and 2PSB the version is the magic
        cli_print(input->output, ", %s version %s", detection->magic,
                  bsp_version_text(detection->version, version));
    }
    cli_print(input->output, "%s\n", detection->big_endian ? ", big-endian" : "");
    cli_info_heading(input, "because");
    cli_print(input->output, "%s\n", detection->reason);
    if (f->game != NULL) {
        bool given = input->call->common->limits_of != NULL;
        cli_info_heading(input, "game");
        cli_print(input->output, "%s, %s\n", f->game->title,
                  given ? "as --limits-of says" : "by its entity classes");
    }
    if (f->info->scrambled) {
        cli_info_heading(input, "");
        cli_print(input->output,
                  "every byte is xored with a key of %d bytes; it is read and written so\n",
                  BSP_KEY_SIZE);
    }
    if (f->branch->opaque) {
        cli_info_heading(input, "");
        cli_print_styled(input->output, CLI_WARN,
                         "lumps and records only: what they make together is not known here");
        cli_print(input->output, "\n");
    }
}

static void print_size(const cli_input *input, const facts *f) {
    char size[CLI_SIZE_TEXT];
    cli_format_size(size, f->info->bytes.size);
    cli_info_heading(input, "size");
    cli_print(input->output, "%s (%zu bytes)\n", size, f->info->bytes.size);
    if (f->info->num_external != 0) {
        uint64_t total = 0;
        for (uint32_t i = 0; i < f->info->num_external; i++) {
            total += f->info->external[i].bytes.size;
        }
        cli_format_size(size, total);
        cli_info_heading(input, "beside it");
        cli_print(input->output, "%u files, %s (%llu bytes)\n", (unsigned)f->info->num_external,
                  size, (unsigned long long)total);
    }
    if (f->info->light_file.name != NULL) {
        cli_info_heading(input, "light");
        cli_print(input->output, "coloured, in %s beside it\n", f->info->light_file.name);
    }
    if (f->info->revision != BSP_NONE) {
        cli_info_heading(input, "revision");
        cli_print(input->output, "%u\n", (unsigned)f->info->revision);
    }
}

static void print_hash(const cli_input *input, const facts *f) {
    if (is_hashed(input)) {
        cli_info_heading(input, "SHA-256");
        cli_print(input->output, "%s\n", f->sha256);
    }
}

static void print_bounds(const cli_input *input, const facts *f) {
    if (!f->has_bounds) {
        return;
    }
    cli_info_heading(input, "bounds");
    cli_print(input->output, "(");
    cli_info_point(input->output, f->bounds[0]);
    cli_print(input->output, ") to (");
    cli_info_point(input->output, f->bounds[1]);
    cli_print(input->output, "), %.0f x %.0f x %.0f units\n",
              (double)f->bounds[1][0] - (double)f->bounds[0][0],
              (double)f->bounds[1][1] - (double)f->bounds[0][1],
              (double)f->bounds[1][2] - (double)f->bounds[0][2]);
}

static void print_cubemaps(const cli_input *input, const facts *f) {
    if (f->cubemaps.count == 0) {
        return;
    }
    cli_info_heading(input, "cubemaps");
    cli_print(input->output, "%u", (unsigned)f->cubemaps.count);
    if (f->cubemaps.missing != 0) {
        cli_print(input->output, ", %u without a picture", (unsigned)f->cubemaps.missing);
    }
    if (f->cubemaps.undrawn != 0) {
        cli_print(input->output, ", %u never drawn", (unsigned)f->cubemaps.undrawn);
    }
    cli_print(input->output, "\n");
}

static void print_diagnostics(const cli_input *input, const facts *f) {
    cli_info_heading(input, "diagnostics");
    cli_set_style(input->output, f->diagnostics == 0 ? CLI_PLAIN : CLI_WARN);
    cli_print(input->output, "%llu", (unsigned long long)f->diagnostics);
    cli_set_style(input->output, CLI_PLAIN);
    cli_print(input->output, "%s\n",
              f->diagnostics == 0 ? "" : " at a first look; bspkit check tells all");
}

static void add_count(cli_table *table, const char *name, uint32_t used, uint32_t max,
                      const char *unit) {
    double share = max == 0 ? 0 : 100.0 * (double)used / (double)max;
    cli_style style = share > 100 ? CLI_BAD : share > NEAR_LIMIT ? CLI_WARN : CLI_PLAIN;
    cli_table_cell(table, CLI_PLAIN, "%s", name);
    cli_table_cell(table, CLI_STRONG, "%u%s", (unsigned)used, unit);
    if (max == 0) {
        cli_table_cell(table, CLI_FAINT, "-");
        cli_table_cell(table, CLI_FAINT, "-");
    } else {
        cli_table_cell(table, CLI_FAINT, "%u%s", (unsigned)max, unit);
        cli_table_cell(table, style, "%.1f %%%s", share, share > 100 ? " (over)" : "");
    }
}

// Prints the counts of records, with the compilers' limit where one is known.
static cli_status print_counts(const cli_input *input, const facts *f) {
    static const cli_column columns[] = {
        {"lump", false}, {"used", true}, {"limit", true}, {"share", true}};
    cli_table table;
    cli_table_begin(&table, columns, sizeof columns / sizeof *columns);
    add_count(&table, "entities", f->entities, bsp_game_max_entities(f->game, f->branch), "");
    for (uint32_t i = 0; i < f->info->num_lumps; i++) {
        const bsp_lump *lump = bsp_file_lump(input->file, i);
        uint32_t used;
        bsp_limit limit;
        bool limited = read_limit(input, f, lump, &used, &limit);
        if (lump->size != 0 && (limited || cli_lump_records(input->file, i, &used))) {
            add_count(&table, lump->name, used, limit.max, limit.in_bytes ? " B" : "");
        }
    }
    return cli_table_print(&table, input->output, 2);
}

static cli_status print_text(const cli_input *input, const facts *f) {
    cli_print(input->output, "%s", input->number == 0 ? "" : "\n");
    cli_print_styled(input->output, CLI_STRONG, input->path);
    cli_print(input->output, "\n");
    print_format(input, f);
    print_size(input, f);
    print_hash(input, f);
    print_bounds(input, f);
    print_cubemaps(input, f);
    print_diagnostics(input, f);
    cli_print(input->output, "\n");
    return print_counts(input, f);
}

// --- the command --------------------------------------------------------------------------------

static cli_status work(const cli_input *input) {
    facts f;
    bsp_error error = {.code = BSP_OK};
    if (!collect(input, &f, &error)) {
        return cli_report(input->path, &error);
    }
    if (input->json == NULL) {
        return print_text(input, &f);
    }
    print_json(input, &f);
    return CLI_DONE;
}

static cli_status run(const cli_call *call) {
    return cli_for_each_input_or_model(call, call->num_operands, 0, work, cli_info_model);
}

static const char *const columns[] = {"@",
                                      "size",
                                      "family",
                                      "branch",
                                      "game",
                                      "magic",
                                      "version",
                                      "endian",
                                      "revision",
                                      "light_file",
                                      "cubemaps.count",
                                      "cubemaps.missing",
                                      "cubemaps.never_drawn",
                                      "entities",
                                      CLI_ROWS_VECTOR("bounds.mins"),
                                      CLI_ROWS_VECTOR("bounds.maxs"),
                                      "checksum",
                                      "sha256",
                                      "format",
                                      "triangles",
                                      "vertices",
                                      "materials",
                                      "bones",
                                      "sequences",
                                      "frames",
                                      "skins",
                                      "body_parts",
                                      "lods",
                                      "hulls",
                                      "diagnostics",
                                      "error",
                                      NULL};

static const cli_row_form rows = {"", columns};

static const cli_option options[] = {
    CLI_OPTION_JSON,
    CLI_OPTIONS_ROWS,
    {.name = "sha256",
     CLI_FLAG_TO(info_options, sha256),
     .help = "Print the SHA-256 of the map's bytes too, for which the whole file is read"},
    CLI_OPTION_LIMITS,
    CLI_OPTION_LMP,
    CLI_OPTIONS_MANY,
    CLI_OPTION_JOBS,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_OUTPUT,
    CLI_OPTION_HELP,
};

const cli_command cli_command_info = {
    .name = "info",
    .group = CLI_GROUP_LOOK,
    .operands = "FILE...",
    .summary = "Print what a map or model is, and how near a map is to its limits",
    .description =
        "The format and branch of the file and the evidence for them, its size, the bounds of the "
        "world, and the count of each kind of record beside the limit that the game's compilers "
        "enforce. --json adds the checksum that the game compares, where it is known: for that the "
        "whole file is read, which the text leaves to bspkit checksum. --sha256 tells files apart: "
        "it is what sha256sum prints for the file, or for the unpacked map if gzip or bzip2 packed "
        "it.\n\n"
        "Of a model or sprite: its format, counts, bounds, materials and sequences.\n\n"
        "Diagnostics are counted after a first look at directory and entities; bspkit check looks "
        "at everything.",
    .examples = {"bspkit info maps/start.bsp", "bspkit info --json --sha256 maps/*.bsp"},
    CLI_OPTIONS(options, info_options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .rows = &rows,
    .run = run,
};
