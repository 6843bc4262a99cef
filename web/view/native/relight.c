// SPDX-License-Identifier: MIT
// Light that is made anew while one looks: of a map with other entities, as a preview.
#include "session.h"

#include <stdlib.h>
#include <string.h>

static bv_buffer light_file; // beside the map that was lit last

static void keep_light_file(bsp_bytes bytes) {
    free(light_file.data);
    light_file = (bv_buffer){0};
    light_file.data = bytes.size == 0 ? NULL : malloc(bytes.size);
    if (light_file.data != NULL) {
        memcpy(light_file.data, bytes.data, bytes.size);
        light_file.size = bytes.size;
    }
}

static bool answer_lit(const bsp_relight *relight, const bsp_map *map, const bsp_file *file) {
    bsp_blob made = {0};
    bsp_relight_changes *changes = bsp_relight_lumps(relight, map, file, NULL, &bv_last_error);
    bool done = changes != NULL && bsp_file_rewrite(file, changes->changes, changes->num_changes,
                                                    NULL, &made, &bv_last_error);
    bv_answer_begin();
    done = done && bv_answer_add(NULL, (const char *)made.data, made.size);
    if (done) {
        keep_light_file(changes->light_file);
    }
    bsp_blob_free(&made);
    bsp_relight_changes_free(changes);
    return done;
}

// Sets `out` to whether a map has other entities. Returns false without memory.
static bool compare(const bsp_map *before, const bsp_map *after, bool *out) {
    bsp_entity_diff *diff =
        bsp_entities_diff(before->entities, after->entities, NULL, NULL, &bv_last_error);
    *out = diff != NULL && diff->num_removed + diff->num_added + diff->num_changed != 0;
    bsp_entity_diff_free(diff);
    return diff != NULL;
}

// Keeps what textures give for the next time: it is found by many previews.
static void keep_texlights(bv_session *s, bsp_text found) {
    char *data = s->texlights_known ? NULL : malloc(found.size + 1);
    if (data != NULL) {
        memcpy(data, found.size != 0 ? found.data : "", found.size);
        s->texlights = (bsp_text){data, found.size};
        s->texlights_known = true;
    }
}

static bool light(bv_session *s, const bsp_file *file) {
    bool changed = false;
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &bv_last_error);
    bsp_textures *textures =
        map == NULL ? NULL : bsp_textures_open(s->search, map, NULL, &bv_last_error);
    bool found = textures != NULL && compare(s->map, map, &changed);
    // Source has a list of its lights too, which is of the old entities.
    const bsp_relight_options options = {.preview = true,
                                         .textures = textures,
                                         .lights = changed ? map->entities : NULL,
                                         .texlights = s->texlights,
                                         .texlights_all = s->texlights_known,
                                         .force = changed};
    bsp_relight *relight = found ? bsp_relight_build(map, file, &options, &bv_last_error) : NULL;
    bool done = relight != NULL && answer_lit(relight, map, file);
    if (relight != NULL) {
        keep_texlights(s, relight->texlights);
    }
    bsp_relight_free(relight);
    bsp_textures_close(textures);
    bsp_map_free(map);
    return done;
}

/// Makes the light of the map anew as a preview, with other entities: `text`, as the lump has them.
/// Answers with the file. Where they are as the map has them, light that they do not explain is
/// refused. Returns false on failure.
BV_API int bv_light_again(bv_session *s, const char *text) {
    bv_last_error = (bsp_error){0};
    if (!bv_with_entities(s, text)) {
        return false;
    }
    size_t size = bv_answer.size;
    uint8_t *bytes = malloc(size);
    if (bytes == NULL) {
        return false;
    }
    memcpy(bytes, bv_answer.data, size);
    const bsp_open_options how = {.external = s->beside, .num_external = s->num_beside};
    bsp_file *file = bsp_file_open_memory((bsp_bytes){bytes, size}, &how, &bv_last_error);
    bool done = light(s, file);
    bsp_file_close(file);
    free(bytes);
    return done;
}

/// Answers with the file of light beside the map that was lit last (Quake: NAME.lit), or with
/// nothing. It is given once.
BV_API int bv_light_file(void) {
    bv_answer_begin();
    bool done =
        bv_answer_add(NULL, light_file.data == NULL ? "" : light_file.data, light_file.size);
    free(light_file.data);
    light_file = (bv_buffer){0};
    return done;
}
