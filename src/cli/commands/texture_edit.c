// SPDX-License-Identifier: MIT
// bspkit textures --wad, --embed, --take-out.
#include "cli/commands/texture_edit.h"

#include "cli/parts/folder.h"
#include "cli/parts/game.h"

#include <stdlib.h>

#define NAME_ROOM 32u

typedef struct job {
    const cli_input *input;
    bsp_map *map;
    bsp_texture_change *changes;
    bsp_blob *blobs; // data of the changes, freed at the end
    uint32_t count;
    uint32_t missing;
} job;

bool cli_texture_edits(const cli_call *call) {
    const cli_texture_options *options = cli_texture_options_of(call);
    return options->wad != NULL || options->embed || options->take_out;
}

static bool has_pixels(const bsp_material *material) {
    return material->mips[0].size != 0;
}

// --- WAD ----------------------------------------------------------------------------------------

static cli_status write_wad(const job *j, const char *path) {
    bsp_blob blob;
    bsp_error error;
    uint32_t written;
    if (!bsp_wad_write(j->map, NULL, &written, &blob, &error)) {
        return cli_report(j->input->path, &error);
    }
    if (written == 0) {
        cli_message(j->input->path, "there are no textures in the map: no WAD is written");
        bsp_blob_free(&blob);
        return CLI_PROBLEMS;
    }
    bool done = cli_write_file(path, (bsp_bytes){blob.data, blob.size});
    bsp_blob_free(&blob);
    return done ? CLI_DONE : CLI_FAILED;
}

// --- maps ---------------------------------------------------------------------------------------

static bool embed_one(job *j, const bsp_search *search, uint32_t texture) {
    char name[NAME_ROOM];
    bsp_error error;
    const bsp_material *material = &j->map->materials[texture];
    int size =
        snprintf(name, sizeof name, "%.*s.mip", (int)material->name.size, material->name.data);
    if (material->name.size == 0 || size < 0 || (size_t)size >= sizeof name) {
        return true;
    }
    bsp_blob *blob = &j->blobs[j->count];
    if (bsp_search_find(search, bsp_text_of(name)) == NULL) {
        cli_message(j->input->path, "%.*s is in no WAD", (int)material->name.size,
                    material->name.data);
        j->missing++;
        return true;
    }
    if (!bsp_search_read(search, bsp_text_of(name), blob, &error)) {
        (void)cli_report(name, &error);
        return false;
    }
    j->changes[j->count++] =
        (bsp_texture_change){.texture = texture, .data = {blob->data, blob->size}};
    return true;
}

static bool collect_embedded(job *j) {
    bsp_issues *issues = bsp_issues_new(NULL, 0);
    if (issues == NULL) {
        cli_message(j->input->path, "no memory");
        return false;
    }
    bsp_search *search = cli_open_search(j->input->call, issues);
    bool good = search != NULL;
    for (uint32_t i = 0; good && i < j->map->num_materials; i++) {
        good = has_pixels(&j->map->materials[i]) || embed_one(j, search, i);
    }
    bsp_search_free(search);
    bsp_issues_free(issues);
    return good;
}

// Engines whose textures have no palettes of their own do not read WADs.
static bool collect_taken(job *j) {
    for (uint32_t i = 0; i < j->map->num_materials; i++) {
        const bsp_material *material = &j->map->materials[i];
        if (has_pixels(material) && material->palette.size == 0) {
            cli_message(j->input->path, "%.*s has no palette: its engine reads no WADs",
                        (int)material->name.size, material->name.data);
            return false;
        }
        if (has_pixels(material)) {
            j->changes[j->count++].texture = i;
        }
    }
    return true;
}

static cli_status write_map(const job *j) {
    bsp_blob lump;
    bsp_error error;
    const bsp_file *file = j->input->file;
    if (!bsp_textures_change(file, j->changes, j->count, NULL, &lump, &error)) {
        return cli_report(j->input->path, &error);
    }
    bsp_lump_change change = {.lump = bsp_file_find_id(file, BSP_ID_TEXTURES),
                              .data = {lump.data, lump.size},
                              .version = BSP_NONE};
    bsp_plan *plan = bsp_file_plan(file, &change, 1, NULL, &error);
    cli_status status = cli_edited_write(j->input, plan, NULL, &error);
    bsp_blob_free(&lump);
    return status;
}

static cli_status change_map(job *j) {
    bool embed = cli_texture_options_of(j->input->call)->embed;
    j->changes = calloc((size_t)j->map->num_materials + 1, sizeof *j->changes);
    j->blobs = calloc((size_t)j->map->num_materials + 1, sizeof *j->blobs);
    cli_status status = CLI_FAILED;
    if (j->changes == NULL || j->blobs == NULL) {
        cli_message(j->input->path, "no memory");
    } else if (embed ? collect_embedded(j) : collect_taken(j)) {
        status = CLI_PROBLEMS;
        if (j->count == 0) {
            cli_message(j->input->path, "no texture changes: nothing is written");
        } else {
            status = write_map(j);
        }
    }
    for (uint32_t i = 0; j->blobs != NULL && i < j->count; i++) {
        bsp_blob_free(&j->blobs[i]);
    }
    free(j->blobs);
    free(j->changes);
    return status == CLI_DONE && j->missing != 0 ? CLI_PROBLEMS : status;
}

static bool keeps_textures(const bsp_file *file) {
    uint32_t n = bsp_file_find_id(file, BSP_ID_TEXTURES);
    return n != BSP_NONE && bsp_file_lump(file, n)->kind == BSP_KIND_TEXTURES;
}

static cli_status work(const cli_input *input) {
    bsp_error error;
    job j = {.input = input};
    const cli_texture_options *wanted = cli_texture_options_of(input->call);
    const char *wad = wanted->wad;
    bool changes = wanted->embed || wanted->take_out;
    if (!keeps_textures(input->file)) {
        cli_message(input->path, "nothing to do: maps of branch %s have no textures in them",
                    bsp_file_get_info(input->file)->detection.branch->name);
        return CLI_PROBLEMS;
    }
    bsp_map_options options = {.parts = BSP_LOAD_SURFACES};
    j.map = bsp_map_load(input->file, &options, &error);
    if (j.map == NULL) {
        return cli_report(input->path, &error);
    }
    cli_status status = wad == NULL ? CLI_DONE : write_wad(&j, wad);
    if (status == CLI_DONE && changes) {
        status = change_map(&j);
    }
    bsp_map_free(j.map);
    return status;
}

cli_status cli_texture_edit(const cli_call *call) {
    bool embed = cli_texture_options_of(call)->embed;
    bool takes = cli_texture_options_of(call)->take_out;
    if (embed && takes) {
        cli_message(NULL, "textures: --embed and --take-out contradict each other");
        return CLI_USAGE;
    }
    if (embed && !(call->common->games.count != 0)) {
        cli_message(NULL, "textures: --embed takes its WADs from --game DIR");
        return CLI_USAGE;
    }
    return embed || takes ? cli_for_each_edited(call, call->operands, 1, work)
                          : cli_for_each_of(call, call->operands, 1, NULL, 0, work);
}
