// SPDX-License-Identifier: MIT
// Writes a map with new light, and the files beside it: coloured light, pages.
#include "cli/commands/light_made.h"

#include "cli/parts/folder.h"
#include "cli/parts/write_map.h"

#include <stdlib.h>

// The light file beside a map holds the luxels of the old one, and would be shown instead.
static bool allows_light_file(const cli_input *input) {
    const char *name = bsp_file_get_info(input->file)->light_file.name;
    if (name == NULL || !input->call->common->in_place ||
        cli_light_options_of(input->call)->lit != NULL) {
        return true;
    }
    cli_message(input->path, "%s beside it would no longer fit: give --lit FILE for the new one",
                name);
    return false;
}

// The pages beside a map are written, too, or would no longer fit.
static bool allows_pages(const cli_light_made *m) {
    const bsp_external_light *beside = m->loaded.light;
    bool has = beside != NULL && beside->num_found != 0;
    if (has == (cli_light_options_of(m->input->call)->pages != NULL)) {
        return true;
    }
    cli_message(m->input->path, has ? "it has pages of light in files beside it: give --pages DIR, "
                                      "a folder for the new ones"
                                    : "its light is in the map itself: no files for --pages");
    return false;
}

static bool write_pages(const cli_light_made *m) {
    const bsp_relight *r = m->relight;
    const char *path = cli_light_options_of(m->input->call)->pages;
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

// The light of static props goes into the zip of the map. NULL, with `error` filled, on failure;
// `*none` where there is none.
static bsp_plan *plan_props(const cli_light_made *m, bsp_pak **pak, bool *none, bsp_error *error) {
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

static void add_changes(const bsp_relight_changes *from, bsp_lump_change *list, uint32_t *count) {
    for (uint32_t i = 0; from != NULL && i < from->num_changes; i++) {
        list[(*count)++] = from->changes[i];
    }
}

// The plan of both kinds of light and of the light of props; `high` may be NULL.
static bsp_plan *plan_all(const cli_light_made *m, const bsp_relight_changes *changes,
                          const bsp_relight_changes *high, bsp_plan **zip, bsp_pak **pak,
                          bsp_error *error) {
    size_t most = (size_t)changes->num_changes + (high == NULL ? 0 : high->num_changes) + 1;
    bsp_lump_change *list = calloc(most, sizeof *list);
    uint32_t count = 0;
    bool none = true;
    if (list == NULL) {
        return NULL;
    }
    add_changes(changes, list, &count);
    add_changes(high, list, &count);
    *zip = plan_props(m, pak, &none, error);
    if (*zip != NULL) {
        list[count++] = (bsp_lump_change){.lump = bsp_file_find_id(m->input->file, BSP_ID_PAK),
                                          .plan = *zip,
                                          .version = BSP_NONE};
    }
    bsp_plan *plan = NULL;
    if (*zip != NULL || none) {
        plan = bsp_file_plan(m->input->file, list, count, NULL, error);
    }
    free(list);
    return plan;
}

static cli_status write_light(const cli_light_made *m) {
    const cli_input *input = m->input;
    const char *lit = cli_light_options_of(input->call)->lit;
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

cli_status cli_light_write(const cli_input *input, const cli_parts *parts) {
    cli_light_made m = {.input = input, .parts = parts};
    cli_status status = allows_light_file(input) ? cli_light_load(&m) : CLI_USAGE;
    status = status == CLI_DONE && !allows_pages(&m) ? CLI_USAGE : status;
    status = status == CLI_DONE ? cli_light_make(&m) : status;
    status = status == CLI_DONE ? cli_light_build_high(&m) : status;
    status = status == CLI_DONE ? write_light(&m) : status;
    cli_light_drop(&m);
    return status;
}
