// SPDX-License-Identifier: MIT
// The textures of an embedded pak as images: cubemaps by their sides.
#include "cli/commands/texture_pak.h"

#include "cli/parts/json.h"
#include "cli/parts/message.h"
#include "cli/parts/path.h"

#include <stdio.h>
#include <string.h>

#define NAME_ROOM 512u
#define ENDING_ROOM 32u // a side, a number, ".png"

// Returns true for "c1_-2_3.vtf" and "c1_-2_3.hdr.vtf", the names of the captured cubemaps.
static bool is_cubemap(bsp_text name) {
    size_t at = name.size;
    while (at > 0 && name.data[at - 1] != '/') {
        at--;
    }
    int numbers = 0;
    if (at == name.size || name.data[at++] != 'c') {
        return false;
    }
    while (numbers < 3) {
        size_t start = at += at < name.size && name.data[at] == '-' ? 1 : 0;
        while (at < name.size && name.data[at] >= '0' && name.data[at] <= '9') {
            at++;
        }
        numbers++;
        if (at == start || at >= name.size || name.data[at] != (numbers < 3 ? '_' : '.')) {
            return false;
        }
        at++;
    }
    return true;
}

static bool write_side(cli_pak_textures *job, bsp_bytes bytes, uint32_t side, const char *name) {
    bsp_image image;
    bsp_blob blob;
    bsp_error error;
    char path[NAME_ROOM];
    const bsp_image_options options = {.face = side};
    if (!bsp_image_decode(bytes, BSP_IMAGE_VTF, &options, &image, &error)) {
        cli_message(job->path, "%s: %s", name, error.message);
        return true; // the others are written
    }
    snprintf(path, sizeof path, "%s", name);
    bool done = cli_unique_take(job->names, path, NAME_ROOM - 8) &&
                bsp_image_write_png(&image, NULL, &blob, &error);
    bsp_image_free(&image);
    if (!done) {
        cli_message(job->path, "%s: it cannot be written", name);
        return false;
    }
    strcat(path, ".png");
    done = cli_folder_put(job->folder, path, (bsp_bytes){blob.data, blob.size}, NULL);
    bsp_blob_free(&blob);
    job->files++;
    return done;
}

static void report(const cli_pak_textures *job, bsp_text entry, const bsp_vtf *vtf,
                   uint32_t sides) {
    if (job->json == NULL) {
        return;
    }
    const char *format = bsp_vtf_format_name(vtf->format);
    bsp_json_object(job->json);
    cli_json_text(job->json, "name", entry);
    cli_json_uint(job->json, "width", vtf->width);
    cli_json_uint(job->json, "height", vtf->height);
    cli_json_uint(job->json, "sides", sides);
    cli_json_string(job->json, "format", format == NULL ? "" : format);
    bsp_json_object_end(job->json);
}

// The order of the sides is that of the file: +x, -x, +y, -y, +z, -z.
static bool write_texture(cli_pak_textures *job, bsp_text entry, bsp_bytes bytes) {
    static const char *const sides[] = {"right", "left", "back", "front", "up", "down"};
    char base[NAME_ROOM - ENDING_ROOM];
    char name[NAME_ROOM];
    bsp_vtf vtf;
    bsp_error error;
    cli_safe_name((bsp_text){entry.data, entry.size - 4}, base, sizeof base);
    if (!bsp_vtf_read(bytes, &vtf, &error)) {
        cli_message(job->path, "%s: %s", base, error.message);
        job->failed++;
        return true;
    }
    bool cube = vtf.faces >= 6;
    report(job, entry, &vtf, cube ? 6 : 1);
    if (!cube) {
        return write_side(job, bytes, 0, base);
    }
    for (uint32_t side = 0; side < 6; side++) {
        snprintf(name, sizeof name, "%s_%s", base, sides[side]);
        if (!write_side(job, bytes, side, name)) {
            return false;
        }
    }
    return true;
}

static bool write_entry(cli_pak_textures *job, const bsp_pak *pak, uint32_t number) {
    bsp_text entry = pak->entries[number].name;
    bsp_blob blob;
    bsp_error error;
    if (!cli_name_ends(entry, ".vtf") || (job->cubemaps_only && !is_cubemap(entry))) {
        return true;
    }
    if (!bsp_pak_read(pak, number, NULL, &blob, &error)) {
        (void)cli_report(job->path, &error);
        job->failed++;
        return true;
    }
    bool done = write_texture(job, entry, (bsp_bytes){blob.data, blob.size});
    bsp_blob_free(&blob);
    return done;
}

cli_status cli_write_pak_textures(const bsp_file *file, cli_pak_textures *job) {
    bsp_pak *pak = bsp_file_pak(file, NULL, NULL);
    bool done = true;
    for (uint32_t i = 0; pak != NULL && done && i < pak->count; i++) {
        done = write_entry(job, pak, i);
    }
    bsp_pak_close(pak);
    return !done ? CLI_FAILED : job->failed != 0 ? CLI_PROBLEMS : CLI_DONE;
}
