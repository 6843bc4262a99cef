// SPDX-License-Identifier: MIT
// Light that is made anew while one looks: of a map with other entities, as a preview.
#include "session.h"

#include <stdlib.h>
#include <string.h>

// What came with the map that was lit last: its file of light, and what textures gave.
static bv_buffer light_files[2];

enum { LIGHT_FILE, LIGHT_TEXTURES };

static void keep(uint32_t which, const void *data, size_t size) {
    bv_buffer *file = &light_files[which];
    free(file->data);
    *file = (bv_buffer){0};
    file->data = size == 0 ? NULL : malloc(size);
    if (file->data != NULL) {
        memcpy(file->data, data, size);
        file->size = size;
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
        keep(LIGHT_FILE, changes->light_file.data, changes->light_file.size);
        keep(LIGHT_TEXTURES, relight->texlights.data, relight->texlights.size);
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

static bool light(const bv_session *s, const bsp_file *file, const float (*region)[3],
                  const char *texlights) {
    bool changed = false;
    bsp_map *map = file == NULL ? NULL : bsp_map_load(file, NULL, &bv_last_error);
    bsp_textures *textures =
        map == NULL ? NULL : bsp_textures_open(s->search, map, NULL, &bv_last_error);
    bool found = textures != NULL && compare(s->map, map, &changed);
    // Source has a list of its lights too, which is of the old entities.
    const bsp_relight_options options = {.preview = true,
                                         .textures = textures,
                                         .lights = changed ? map->entities : NULL,
                                         .texlights = bsp_text_of(texlights),
                                         .texlights_all = texlights != NULL,
                                         .region = region,
                                         .force = changed || texlights != NULL};
    bsp_relight *relight = found ? bsp_relight_build(map, file, &options, &bv_last_error) : NULL;
    bool done = relight != NULL && answer_lit(relight, map, file);
    bsp_relight_free(relight);
    bsp_textures_close(textures);
    bsp_map_free(map);
    return done;
}

/// Sets `box` to the low and high corner of the leaf that a point is in, the room that one looks
/// from there. Returns false in solid, in a leaf without a box, and in a map without visibility.
BV_API int bv_room(const bv_session *s, const float point[3], float box[2][3]) {
    uint32_t number = bsp_query_leaf(s->map, point);
    if (number >= s->map->num_leaves || bsp_query_cluster(s->map, point) == BSP_NONE) {
        return false;
    }
    const bsp_leaf *leaf = &s->map->leaves[number];
    memcpy(box[0], leaf->mins, sizeof box[0]);
    memcpy(box[1], leaf->maxs, sizeof box[1]);
    return box[0][0] < box[1][0] && box[0][1] < box[1][1] && box[0][2] < box[1][2];
}

/// Makes the light of the map anew as a preview, with other entities: `text`, as the lump has them.
/// Answers with the file. Only what may see into `region` gets other light: the low and high corner
/// of a box, or NULL for the whole map. `texlights` is what bv_light_file said of textures when the
/// map was lit before, or NULL if its light is the compiler's; then, where the entities are as the
/// map has them, light that they do not explain is refused. Returns false on failure.
BV_API int bv_light_again(const bv_session *s, const char *text, const float region[2][3],
                          const char *texlights) {
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
    bool done = light(s, file, region, texlights);
    bsp_file_close(file);
    free(bytes);
    return done;
}

/// Answers with what came with the map that was lit last, or with nothing: 0 the file of light
/// beside it (Quake: NAME.lit), 1 what textures gave (GoldSrc: lines of a lights.rad). It is given
/// once.
BV_API int bv_light_file(uint32_t which) {
    bv_buffer *file = &light_files[which == LIGHT_TEXTURES];
    bv_answer_begin();
    bool done = bv_answer_add(NULL, file->data == NULL ? "" : file->data, file->size);
    keep(which == LIGHT_TEXTURES, NULL, 0);
    return done;
}
