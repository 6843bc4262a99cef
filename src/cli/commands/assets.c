// SPDX-License-Identifier: MIT
// assets: the files that maps need, where they are, and which are missing.
#include "cli/commands/pak.h"
#include "cli/parts/commands.h"
#include "cli/parts/folder.h"
#include "cli/parts/json.h"
#include "cli/parts/loaded.h"
#include "cli/parts/patch.h"
#include "cli/parts/path.h"
#include "cli/parts/write_map.h"

#include <stdlib.h>

typedef struct assets_options {
    cli_common common;
    bool missing;
    const char *res;
    bool pack;
    cli_list bases;
} assets_options;

static const assets_options *options_of(const cli_call *call) {
    return call->options;
}

// --- reports ------------------------------------------------------------------------------------

static uint32_t count_missing(const bsp_asset_list *assets) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < assets->count; i++) {
        count += assets->list[i].found ? 0 : 1;
    }
    return count;
}

static bsp_text place_of(const bsp_asset_use *use) {
    return !use->found ? bsp_text_of("") : use->in_pak ? bsp_text_of("pak") : use->source;
}

static void json_asset(bsp_json *json, const bsp_asset_use *use) {
    bsp_json_object(json);
    cli_json_string(json, "kind", bsp_asset_kind_name(use->kind));
    cli_json_text(json, "name", use->name);
    cli_json_text(json, "by", use->by);
    bsp_json_key(json, "found");
    if (use->found) {
        bsp_json_text(json, place_of(use));
    } else {
        bsp_json_null(json);
    }
    cli_json_bool(json, "base", use->base);
    bsp_json_object_end(json);
}

static void print_json(const cli_input *input, const bsp_asset_list *assets) {
    bsp_json *json = input->json;
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_array(json, "assets");
    for (uint32_t i = 0; i < assets->count; i++) {
        json_asset(json, &assets->list[i]);
    }
    bsp_json_array_end(json);
    cli_json_uint(json, "missing", count_missing(assets));
    cli_json_array(json, "unused");
    for (uint32_t i = 0; i < assets->num_unused; i++) {
        bsp_json_text(json, assets->unused[i]);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

static void print_asset(cli_output *output, const bsp_asset_use *use) {
    cli_print(output, "%-9s", bsp_asset_kind_name(use->kind));
    cli_print_text(output, use->name);
    cli_print(output, " (");
    cli_print_text(output, use->by);
    cli_print(output, "): ");
    if (use->found) {
        cli_print_text(output, place_of(use));
        cli_print(output, "%s", use->base ? " (base)" : "");
    } else {
        cli_print_styled(output, CLI_BAD, "missing");
    }
    cli_print(output, "\n");
}

static void print_text(const cli_input *input, const bsp_asset_list *assets) {
    bool missing = options_of(input->call)->missing;
    if (input->several) {
        cli_print_styled(input->output, CLI_STRONG, input->path);
        cli_print(input->output, "\n");
    }
    for (uint32_t i = 0; i < assets->count; i++) {
        if (!missing || !assets->list[i].found) {
            print_asset(input->output, &assets->list[i]);
        }
    }
    for (uint32_t i = 0; !missing && i < assets->num_unused; i++) {
        cli_print(input->output, "unused   ");
        cli_print_text(input->output, assets->unused[i]);
        cli_print(input->output, "\n");
    }
}

// --- res files ----------------------------------------------------------------------------------

// Returns true for a texture in a WAD, which is listed itself.
static bool is_in_wad(bsp_text name) {
    return bsp_text_matches(name, bsp_text_of("*.mip"));
}

// Writes a .res file: what does not come with the game.
static cli_status write_list(const cli_input *input, const bsp_asset_list *assets) {
    cli_output file;
    if (!cli_output_open(&file, options_of(input->call)->res)) {
        return CLI_FAILED;
    }
    for (uint32_t i = 0; i < assets->count; i++) {
        const bsp_asset_use *use = &assets->list[i];
        if (!use->base && !is_in_wad(use->name)) {
            cli_print(&file, "%.*s\n", (int)use->name.size, use->name.data);
        }
    }
    return cli_output_close(&file, CLI_DONE);
}

// --- packing ------------------------------------------------------------------------------------

static void free_files(bsp_pak_change *changes, bsp_blob *blobs, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        bsp_blob_free(&blobs[i]);
    }
    free(blobs);
    free(changes);
}

// Reads the files that the game's folders have, and neither the zip nor what comes with the game.
static bool read_files(const cli_input *input, const bsp_asset_list *assets,
                       const bsp_search *search, bsp_pak_change *changes, bsp_blob *blobs,
                       uint32_t *count) {
    bsp_error error;
    for (uint32_t i = 0; i < assets->count; i++) {
        const bsp_asset_use *use = &assets->list[i];
        if (!use->found || use->in_pak || use->base || is_in_wad(use->name)) {
            continue;
        }
        if (!bsp_search_read(search, use->name, &blobs[*count], &error)) {
            (void)cli_report(input->path, &error);
            return false;
        }
        changes[*count] = (bsp_pak_change){.name = use->name,
                                           .data = {blobs[*count].data, blobs[*count].size},
                                           .method = BSP_PAK_STORED};
        ++*count;
    }
    return true;
}

static cli_status write_pak(const cli_input *input, const bsp_pak_change *changes, uint32_t count) {
    cli_pak pak;
    if (bsp_file_find_id(input->file, BSP_ID_PAK) == BSP_NONE) {
        cli_message(input->path,
                    "its branch embeds no files: name an archive instead, as -o %.*s.pk3",
                    (int)cli_stem(input->path).size, cli_stem(input->path).data);
        return CLI_FAILED;
    }
    if (cli_pak_open(input, &pak) != CLI_DONE) {
        return CLI_FAILED;
    }
    cli_status status = cli_pak_write(input, &pak, changes, count);
    cli_pak_close(&pak);
    return status;
}

// Returns true if the path is that of an archive: then the map goes into it, with its files.
static bool names_archive(const char *path) {
    static const char *const endings[] = {".pk3", ".pk4", ".pkz", ".zip"};
    bool is = false;
    for (size_t i = 0; path != NULL && i < sizeof endings / sizeof *endings; i++) {
        is = is || cli_ends_in(path, endings[i]);
    }
    return is;
}

// Writes a zip of the map, as maps/NAME.bsp, and the files. `changes` has room for one more.
static cli_status write_archive(const cli_input *input, bsp_pak_change *changes, uint32_t count) {
    char name[CLI_NAME_ROOM];
    char path[CLI_NAME_ROOM + 16];
    bsp_blob zip;
    bsp_error error;
    cli_map_name(input->path, name);
    snprintf(path, sizeof path, "maps/%s.bsp", name);
    changes[count] =
        (bsp_pak_change){.name = bsp_text_of(path), .data = bsp_file_get_info(input->file)->bytes};
    for (uint32_t i = 0; i <= count; i++) {
        changes[i].method = BSP_PAK_DEFLATE; // which all engines read that have such archives
    }
    if (!bsp_pak_rewrite((bsp_bytes){NULL, 0}, changes, count + 1, NULL, &zip, &error)) {
        return cli_report(input->path, &error);
    }
    bool done = cli_write_file(input->call->common->output, (bsp_bytes){zip.data, zip.size});
    bsp_blob_free(&zip);
    return done ? CLI_DONE : CLI_FAILED;
}

static cli_status pack(const cli_input *input, const bsp_asset_list *assets,
                       const bsp_search *search) {
    uint32_t count = 0;
    size_t room = assets->count + 2;
    bool archive = names_archive(input->call->common->output);
    bsp_pak_change *changes = calloc(room, sizeof *changes);
    bsp_blob *blobs = calloc(room, sizeof *blobs);
    if (changes == NULL || blobs == NULL) {
        free(changes);
        free(blobs);
        cli_message(input->path, "no memory");
        return CLI_FAILED;
    }
    bool read = read_files(input, assets, search, changes, blobs, &count);
    cli_status status = !read     ? CLI_FAILED
                        : archive ? write_archive(input, changes, count)
                                  : write_pak(input, changes, count);
    free_files(changes, blobs, count);
    return status;
}

// --- the command --------------------------------------------------------------------------------

static cli_status report(const cli_input *input, const bsp_asset_list *assets,
                         const bsp_search *search) {
    cli_status status = count_missing(assets) != 0 ? CLI_PROBLEMS : CLI_DONE;
    if (options_of(input->call)->pack) {
        cli_status packed = pack(input, assets, search);
        return packed > status ? packed : status;
    }
    if (options_of(input->call)->res != NULL) {
        cli_status written = write_list(input, assets);
        return written > status ? written : status;
    }
    if (input->json != NULL) {
        print_json(input, assets);
    } else {
        print_text(input, assets);
    }
    return status;
}

// Opens what comes with the game, for itself and, after the folders of --game, in `all`. Returns
// false after a message; `*out` is NULL without --base.
static bool open_base(const cli_input *input, bsp_search *all, bsp_search **out) {
    const cli_list *bases = &options_of(input->call)->bases;
    *out = bases->count == 0 ? NULL : cli_new_search(NULL);
    bool good = *out != NULL || bases->count == 0;
    for (size_t i = 0; good && i < bases->count; i++) {
        good =
            cli_add_game(*out, bases->items[i].value) && cli_add_game(all, bases->items[i].value);
    }
    return good;
}

static cli_status with_loaded(const cli_input *input, const cli_loaded *loaded) {
    bsp_error error;
    bsp_search *base;
    if (!open_base(input, loaded->search, &base)) {
        bsp_search_free(base);
        return CLI_FAILED;
    }
    const bsp_assets_options how = {.map_name = bsp_text_of(loaded->name), .base = base};
    bsp_asset_list *assets = bsp_assets_find(loaded->map, loaded->search, &how, &error);
    cli_status status =
        assets == NULL ? cli_report(input->path, &error) : report(input, assets, loaded->search);
    bsp_assets_free(assets);
    bsp_search_free(base);
    return status;
}

static cli_status work(const cli_input *input) {
    static const cli_wanted wanted = {0};
    cli_loaded loaded;
    cli_status status = cli_load(&loaded, input->call, input->path, input->file, &wanted);
    if (status == CLI_DONE) {
        status = with_loaded(input, &loaded);
    }
    cli_unload(&loaded);
    return status;
}

static cli_status run(const cli_call *call) {
    bool packs = options_of(call)->pack;
    if (!packs && (call->common->in_place || call->common->no_backup || call->common->backup)) {
        cli_message("assets", "--in-place belongs to --pack");
        return CLI_USAGE;
    }
    if (options_of(call)->res != NULL && (packs || call->num_operands > 1)) {
        cli_message("assets", "--res takes one map, and no --pack");
        return CLI_USAGE;
    }
    if (packs && cli_rows_wanted(call) != CLI_ROWS_NONE) {
        cli_message("assets", "--csv and --tsv print a list, and --pack writes a map");
        return CLI_USAGE;
    }
    return packs ? cli_for_each_edited(call, call->operands, call->num_operands, work)
                 : cli_for_each_input(call, call->num_operands, work);
}

static const char *const columns[] = {"@",
                                      "assets[].kind",
                                      "assets[].name",
                                      "assets[].by",
                                      "assets[].found",
                                      "assets[].base",
                                      "error",
                                      NULL};

static const cli_row_form rows = {"assets[]", columns};

static const cli_option options[] = {
    CLI_OPTION_GAME_FOR("files"),
    {.name = "base",
     .letter = 'b',
     CLI_FILE_TO(assets_options, bases),
     .argument = "DIR",
     .help = "This folder, or archive, comes with the game: its files are found, but --pack and "
             "--res leave them out; may be given several times"},
    {.name = "missing",
     .letter = 'm',
     CLI_FLAG_TO(assets_options, missing),
     .help = "Print only what is missing"},
    {.name = "res",
     CLI_TARGET_TO(assets_options, res),
     .argument = "FILE",
     .help = "Write the names to a file as GoldSrc servers read it (MAP.res), one per line; - is "
             "standard output"},
    {.name = "pack",
     CLI_FLAG_TO(assets_options, pack),
     .help =
         "Source: add the files that the folders of --game have, and neither the map nor --base, "
         "to the map, which is written to --output"},
    CLI_OPTION_JSON,
    CLI_OPTIONS_ROWS,
    CLI_OPTIONS_EDITED,
    CLI_OPTION_LMP,
    CLI_OPTIONS_MANY,
    CLI_OPTION_JOBS,
    CLI_OPTIONS_OPEN,
    CLI_OPTION_HELP,
};

const cli_command cli_command_assets = {
    .name = "assets",
    .group = CLI_GROUP_CHECK,
    .operands = "FILE...",
    .summary = "List the files that maps need, and which are missing",
    .description =
        "Listed are materials and textures (and what materials and shaders name), models with all "
        "their files and materials, sprites, sounds, music, skies, WADs, scripts with the sounds "
        "and effects that the map calls, particles, and files that the game looks for by the name "
        "of the map (navigation, overviews, soundscapes ...). Each comes with what names it and "
        "where it was found: in the map's own zip (pak), or in which folder or archive. What the "
        "game can do without is listed only where it was found. Files in the zip that nothing "
        "names are listed as unused.\n\n"
        "bspkit cannot tell which files come with a game: --res lists every file that the map "
        "needs, and --pack adds every one that is in the folders of --game, but for those that "
        "--base has too, by name. Name the game's own folders and archives there.\n\n"
        "The exit status is 1 when something is missing.",
    .examples = {"bspkit assets --missing maps/*.bsp",
                 "bspkit assets --game extra --base content maps/source.bsp"},
    CLI_OPTIONS(options, assets_options),
    .min_operands = 1,
    .max_operands = CLI_ANY,
    .reads_maps = true,
    .rows = &rows,
    .run = run,
};
