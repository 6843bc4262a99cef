// SPDX-License-Identifier: MIT
// The page is the viewer's own with one more element for each file.
#include "cli/commands/view_page.h"

#include "cli/parts/data.h"
#include "cli/parts/game.h"
#include "cli/parts/loaded.h"
#include "cli/parts/inputs.h"
#include "cli/parts/member.h"

#include <stdio.h>
#include <string.h>

#define PIECE 3072u // bytes that become 4096 letters
#define GAME "game" // the folder in which the page has files of the game

// --- files in a page ----------------------------------------------------------------------------

// Writes bytes as Base64 (RFC 4648).
static void write_letters(cli_output *output, bsp_bytes bytes) {
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char out[PIECE / 3 * 4];
    size_t used = 0;
    for (size_t i = 0; i < bytes.size; i += 3) {
        size_t left = bytes.size - i;
        uint32_t three = (uint32_t)bytes.data[i] << 16 |
                         (left > 1 ? (uint32_t)bytes.data[i + 1] << 8 : 0) |
                         (left > 2 ? bytes.data[i + 2] : 0);
        for (size_t n = 0; n < 4; n++) {
            out[used++] = n <= left ? letters[three >> (18 - 6 * n) & 63] : '=';
        }
        if (used == sizeof out) {
            (void)cli_sink(output, out, used);
            used = 0;
        }
    }
    (void)cli_sink(output, out, used);
}

// Writes a name as a URL has it, so that it cannot end what it stands in.
static void write_name(cli_output *output, bsp_text name) {
    for (size_t i = 0; i < name.size; i++) {
        unsigned char c = (unsigned char)name.data[i];
        bool plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                     c == '.' || c == '_' || c == '-' || c == '/';
        cli_print(output, plain ? "%c" : "%%%02X", c);
    }
}

static bool write_file(cli_output *output, const char *folder, bsp_text name, bsp_bytes bytes,
                       bsp_error *error) {
    bsp_blob packed;
    if (!bsp_gzip_pack(bytes, NULL, &packed, error)) {
        return false;
    }
    cli_print(output, "<script type=\"text/plain\" data-packing=\"gzip\" data-file=\"%s", folder);
    write_name(output, name);
    cli_print(output, "\">");
    write_letters(output, (bsp_bytes){packed.data, packed.size});
    cli_print(output, "</script>\n");
    bsp_blob_free(&packed);
    return true;
}

// --- files beside the map -----------------------------------------------------------------------

// Writes a file beside the map if it is there.
static bool write_named(cli_output *output, const cli_view *view, const char *name,
                        bsp_error *error) {
    char path[CLI_PATH_ROOM];
    bsp_blob blob;
    if (name == NULL || !cli_join_beside(view->path, name, path) ||
        !bsp_blob_read(path, NULL, NULL, &blob, NULL)) {
        return true; // the map of an archive has none that is read
    }
    bool done = write_file(output, "", bsp_text_of(name), (bsp_bytes){blob.data, blob.size}, error);
    bsp_blob_free(&blob);
    return done;
}

// Writes the navigation mesh, NAME.nav.
static bool write_nav(cli_output *output, const cli_view *view, bsp_error *error) {
    char map[CLI_NAME_ROOM];
    char name[CLI_NAME_ROOM + 4];
    cli_map_name(view->path, map);
    snprintf(name, sizeof name, "%s.nav", map);
    return write_named(output, view, name, error);
}

// Writes the files beside the map that were opened with it, and its navigation mesh.
static bool write_beside(cli_output *output, const cli_view *view, bsp_error *error) {
    const bsp_file_info *info = bsp_file_get_info(view->file);
    for (uint32_t i = 0; i < info->num_external; i++) {
        const bsp_external *file = &info->external[i];
        if (!write_file(output, "", bsp_text_of(file->name), file->bytes, error)) {
            return false;
        }
    }
    return write_named(output, view, info->light_file.name, error) &&
           write_nav(output, view, error);
}

// --- what a map needs ---------------------------------------------------------------------------

static bool write_asset(cli_output *output, const bsp_search *search, bsp_text name,
                        bsp_error *error) {
    bsp_blob blob;
    if (!bsp_search_read(search, name, &blob, NULL)) {
        return true; // the page says what is missing
    }
    bool done = write_file(output, GAME "/", name, (bsp_bytes){blob.data, blob.size}, error);
    bsp_blob_free(&blob);
    return done;
}

// Writes a WAD that worldspawn names, which may stand in any folder.
static bool write_wad(cli_output *output, const bsp_search *search, bsp_text wad,
                      bsp_error *error) {
    size_t count;
    const bsp_asset *list = bsp_search_list(search, &count);
    for (size_t i = 0; i < count; i++) {
        bsp_text name = list[i].name;
        size_t before = name.size < wad.size ? 0 : name.size - wad.size;
        bool ends = name.size >= wad.size &&
                    bsp_text_equal((bsp_text){name.data + before, wad.size}, wad) &&
                    (before == 0 || name.data[before - 1] == '/');
        if (ends) {
            return write_asset(output, search, name, error);
        }
    }
    return true;
}

// Returns true for what the page shows nothing of, and for textures out of a WAD, which comes
// whole.
static bool is_left_out(const bsp_asset_use *use) {
    bsp_text end = bsp_text_of(".mip");
    bool miptex =
        use->name.size > end.size &&
        bsp_text_equal((bsp_text){use->name.data + use->name.size - end.size, end.size}, end);
    return use->in_pak || !use->found || miptex || use->kind == BSP_ASSET_SOUND ||
           use->kind == BSP_ASSET_MUSIC;
}

// Writes the files that the map names and the folders of --game have, and the palettes.
static bool write_assets(cli_output *output, const cli_loaded *loaded, bsp_error *error) {
    static const char *const palettes[] = {"gfx/palette.lmp", "pics/colormap.pcx"};
    const bsp_assets_options how = {.map_name = bsp_text_of(loaded->name)};
    bsp_asset_list *assets = bsp_assets_find(loaded->map, loaded->search, &how, error);
    bool done = assets != NULL;
    for (uint32_t i = 0; done && i < assets->count; i++) {
        const bsp_asset_use *use = &assets->list[i];
        if (use->kind == BSP_ASSET_WAD) {
            done = write_wad(output, loaded->search, use->name, error);
        } else if (!is_left_out(use)) {
            done = write_asset(output, loaded->search, use->name, error);
        }
    }
    for (size_t i = 0; done && i < sizeof palettes / sizeof *palettes; i++) {
        done = write_asset(output, loaded->search, bsp_text_of(palettes[i]), error);
    }
    bsp_assets_free(assets);
    return done;
}

// --- the page -----------------------------------------------------------------------------------

// Returns where the files of a page go; NULL if it is no page of the viewer.
static const char *find_place(const bsp_blob *page) {
    static const char mark[] = "<!--bspkit-files-->";
    const char *at = (const char *)page->data;
    const char *end = at + page->size;
    while (at != NULL && (size_t)(end - at) >= sizeof mark - 1) {
        if (memcmp(at, mark, sizeof mark - 1) == 0) {
            return at;
        }
        at = memchr(at + 1, '<', (size_t)(end - at - 1));
    }
    return NULL;
}

cli_status cli_view_read(const char *name, bsp_blob *page) {
    char path[CLI_PATH_ROOM];
    bsp_error error;
    if (name == NULL && !cli_data_path(CLI_VIEW_PAGE, path)) {
        cli_message("view",
                    "the page is not installed: make web makes it, and --page names another");
        return CLI_FAILED;
    }
    name = name == NULL ? path : name;
    cli_inputs_add(name);
    if (!bsp_blob_read(name, NULL, NULL, page, &error)) {
        return cli_report(name, &error);
    }
    if (find_place(page) == NULL) {
        cli_message(name, "the page is none of bspkit view");
        return CLI_FAILED;
    }
    return CLI_DONE;
}

static cli_status write_page(const cli_view *view, const cli_loaded *loaded, cli_output *output) {
    bsp_error error;
    const bsp_blob *page = view->page;
    const char *place = find_place(page);
    size_t before = (size_t)(place - (const char *)page->data);
    const char *name = strcmp(view->path, "-") == 0 ? "map.bsp" : cli_member_file(view->path);
    (void)cli_sink(output, (const char *)page->data, before);
    if (view->number != 0) {
        cli_print(output, "<script type=\"text/plain\" data-reload=\"%s\">%u</script>\n",
                  CLI_VIEW_STATE, view->number);
    }
    if (!write_file(output, "", bsp_text_of(name), bsp_file_get_info(view->file)->bytes, &error) ||
        !write_beside(output, view, &error) || !write_assets(output, loaded, &error)) {
        return cli_report(view->path, &error);
    }
    (void)cli_sink(output, place, page->size - before);
    return CLI_DONE;
}

cli_status cli_view_write(const cli_view *view, cli_output *output) {
    static const cli_wanted wanted = {0};
    cli_loaded loaded = {0};
    cli_status status = cli_load(&loaded, view->call, view->path, view->file, &wanted);
    if (status == CLI_DONE) {
        status = write_page(view, &loaded, output);
    }
    cli_unload(&loaded);
    return status;
}
