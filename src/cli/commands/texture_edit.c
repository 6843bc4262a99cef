// SPDX-License-Identifier: MIT
// bspkit textures --wad, --embed, --take-out.
#include "cli/commands/texture_edit.h"

#include "cli/parts/folder.h"
#include "cli/parts/game.h"
#include "cli/parts/path.h"

#include <stdlib.h>
#include <string.h>

#define NAME_ROOM 32u

typedef struct job {
    const cli_input *input;
    bsp_map *map;
    bsp_search *search; // the WADs that textures come from; NULL without --embed
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

// Gives the name under which the search path has a texture. Returns false for one without a name.
static bool name_of(const job *j, uint32_t texture, char out[NAME_ROOM]) {
    bsp_text name = j->map->materials[texture].name;
    int size = snprintf(out, NAME_ROOM, "%.*s.mip", (int)name.size, name.data);
    return name.size != 0 && size > 0 && (size_t)size < NAME_ROOM;
}

// Reports why a texture cannot be put in, with the WAD that it comes from.
static cli_status report_texture(const job *j, uint32_t texture, const bsp_error *error) {
    char name[NAME_ROOM];
    bool known = j->search != NULL && texture < j->map->num_materials && name_of(j, texture, name);
    const bsp_asset *asset = known ? bsp_search_find(j->search, bsp_text_of(name)) : NULL;
    if (asset == NULL) {
        return cli_report(j->input->path, error);
    }
    bsp_text texture_name = j->map->materials[texture].name;
    cli_message(j->input->path, "%.*s from %.*s: %s", (int)texture_name.size, texture_name.data,
                (int)asset->source.size, asset->source.data, error->message);
    return CLI_FAILED;
}

static bool embed_one(job *j, uint32_t texture) {
    char name[NAME_ROOM];
    bsp_error error;
    const bsp_material *material = &j->map->materials[texture];
    if (!name_of(j, texture, name)) {
        return true;
    }
    bsp_blob *blob = &j->blobs[j->count];
    if (bsp_search_find(j->search, bsp_text_of(name)) == NULL) {
        cli_message(j->input->path, "%.*s is in no WAD", (int)material->name.size,
                    material->name.data);
        j->missing++;
        return true;
    }
    if (!bsp_search_read(j->search, bsp_text_of(name), blob, &error)) {
        (void)report_texture(j, texture, &error);
        return false;
    }
    j->changes[j->count++] =
        (bsp_texture_change){.texture = texture, .data = {blob->data, blob->size}};
    return true;
}

static bool collect_embedded(job *j) {
    bsp_issues *issues = bsp_issues_new(NULL, 20);
    if (issues == NULL) {
        cli_message(j->input->path, "no memory");
        return false;
    }
    j->search = cli_open_search(j->input->call, issues);
    if (j->search != NULL) {
        cli_report_textures(j->input->path, issues); // damaged WADs
    }
    bool good = j->search != NULL;
    for (uint32_t i = 0; good && i < j->map->num_materials; i++) {
        good = has_pixels(&j->map->materials[i]) || embed_one(j, i);
    }
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

// Returns true if a list of WADs ("\\half-life\\valve\\a.wad;b.wad") has the name in it.
static bool lists_wad(bsp_text list, const char *name) {
    size_t start = 0;
    for (size_t i = 0; list.size != 0 && i <= list.size; i++) {
        char c = i < list.size ? list.data[i] : ';';
        if (c == ';' &&
            bsp_text_matches((bsp_text){list.data + start, i - start}, bsp_text_of(name))) {
            return true;
        }
        start = c == ';' || c == '/' || c == '\\' ? i + 1 : start;
    }
    return false;
}

// Makes the entities name the WAD that the textures went to, after those that they name already.
// `out` stays empty if they name it. Returns false after a message.
static bool name_wad(const job *j, bsp_blob *out) {
    const char *wad = cli_texture_options_of(j->input->call)->wad;
    const bsp_entities *entities = j->map->entities;
    bsp_error error;
    memset(out, 0, sizeof *out);
    if (wad == NULL || strcmp(wad, "-") == 0 || entities == NULL || entities->count == 0) {
        return true;
    }
    wad = cli_last_part(wad);
    bsp_text old = bsp_entity_value(&entities->list[0], "wad");
    while (old.size != 0 && old.data[old.size - 1] == ';') {
        old.size--;
    }
    if (lists_wad(old, wad)) {
        return true;
    }
    size_t room = old.size + strlen(wad) + 2;
    char *list = malloc(room);
    if (list == NULL) {
        cli_message(j->input->path, "no memory");
        return false;
    }
    snprintf(list, room, "%.*s%s%s", (int)old.size, old.size == 0 ? "" : old.data,
             old.size == 0 ? "" : ";", wad);
    const bsp_entity_change change = {.action = BSP_ENTITY_SET,
                                      .entity = 0,
                                      .key = bsp_text_of("wad"),
                                      .value = bsp_text_of(list)};
    bool done = bsp_entities_change(entities, &change, 1, NULL, out, &error) ||
                cli_report(j->input->path, &error) == CLI_DONE;
    free(list);
    return done;
}

// Writes the map with its new textures, and entities unless `entities` is empty.
static cli_status write_lumps(const job *j, const bsp_blob *textures, const bsp_blob *entities) {
    bsp_error error;
    const bsp_file *file = j->input->file;
    const bsp_lump_change changes[] = {
        {.lump = bsp_file_find_id(file, BSP_ID_TEXTURES),
         .data = {textures->data, textures->size},
         .version = BSP_NONE},
        {.lump = bsp_file_find_id(file, BSP_ID_ENTITIES),
         .data = {entities->data, entities->size},
         .version = BSP_NONE},
    };
    bsp_plan *plan = bsp_file_plan(file, changes, entities->size == 0 ? 1 : 2, NULL, &error);
    return cli_edited_write(j->input, plan, NULL, &error);
}

static cli_status write_map(const job *j) {
    bsp_blob lump;
    bsp_blob entities = {0};
    bsp_error error;
    if (!bsp_textures_change(j->input->file, j->changes, j->count, NULL, &lump, &error)) {
        return report_texture(j, error.place.record, &error);
    }
    bool good = cli_texture_options_of(j->input->call)->embed || name_wad(j, &entities);
    cli_status status = good ? write_lumps(j, &lump, &entities) : CLI_FAILED;
    bsp_blob_free(&entities);
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
    bsp_search_free(j->search);
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
    bsp_map_options options = {.parts = BSP_LOAD_SURFACES | BSP_LOAD_ENTITIES};
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
                          : cli_for_each_of(call, call->operands, 1, NULL, work);
}
