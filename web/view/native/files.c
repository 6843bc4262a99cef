// SPDX-License-Identifier: MIT
// Files that are made of a map, and maps that lie in archives.
#include "session.h"

#include <stdlib.h>
#include <string.h>

// --- what is made -------------------------------------------------------------------------------

/// Answers with the map as a .glb, as bspkit export writes it. Returns false on failure.
BV_API int bv_export_glb(bv_session *s) {
    bsp_textures *textures = bsp_textures_open(s->search, s->map, NULL, &bv_last_error);
    bsp_external_light *light =
        textures == NULL ? NULL
                         : bsp_external_light_load(textures, bsp_text_of(s->name), &bv_last_error);
    const bsp_export_options options = {.file = s->file,
                                        .textures = textures,
                                        .external = light,
                                        .light = BSP_EXPORT_LIGHT_BAKED,
                                        .props = true,
                                        .stem = s->name};
    bv_answer_begin();
    bool done = light != NULL &&
                bsp_export_glb(s->map, &options, bv_answer_add, NULL, NULL, &bv_last_error);
    bsp_external_light_free(light);
    bsp_textures_close(textures);
    return done;
}

/// Answers with the map document that the map was made of, as bspkit decompile writes it. Returns
/// false on failure.
BV_API int bv_decompile(bv_session *s) {
    if (!bv_open_textures(s)) {
        return false;
    }
    const bsp_traits *traits = s->map->traits;
    const bsp_decompile_options options = {.file = s->file, .textures = s->textures};
    bsp_mapdoc *document = bsp_decompile(s->map, &options, NULL, &bv_last_error);
    bv_answer_begin();
    if (document == NULL) {
        return false;
    }
    const bsp_mapdoc_write_options how = {.game = traits->map_game};
    bool done = bsp_mapdoc_write(document, bsp_mapdoc_best_dialect(document, traits->dialect), &how,
                                 bv_answer_add, NULL, NULL, &bv_last_error);
    bsp_mapdoc_free(document);
    return done;
}

/// Returns the usual ending of the document of bv_decompile.
BV_API const char *bv_document_ending(const bv_session *s) {
    return s->map->traits->dialect == BSP_DIALECT_VMF ? ".vmf" : ".map";
}

BV_API int bv_with_entities(const bv_session *s, const char *text) {
    bsp_entity_edit *edit =
        bsp_entities_import(s->map->entities, bsp_text_of(text), NULL, NULL, &bv_last_error);
    bsp_lump_change change;
    bsp_blob packed = {0};
    bsp_blob file = {0};
    bv_answer_begin();
    if (edit == NULL) {
        return false;
    }
    uint32_t number = bsp_file_find_id(s->file, BSP_ID_ENTITIES);
    bsp_bytes data = {(const uint8_t *)edit->entities->text.data, edit->entities->text.size};
    bool done =
        bsp_lump_change_make(s->file, number, data, NULL, &packed, &change, &bv_last_error) &&
        bsp_file_rewrite(s->file, &change, 1, NULL, &file, &bv_last_error) &&
        bv_answer_add(NULL, (const char *)file.data, file.size);
    bsp_blob_free(&file);
    bsp_blob_free(&packed);
    bsp_entity_edit_free(edit);
    return done;
}

// --- maps in archives ---------------------------------------------------------------------------

/// Opens an archive of the page's file system. Returns NULL on failure. Free with bv_archive_close.
BV_API bsp_search *bv_archive_open(const char *path) {
    bsp_search *archive = bsp_search_new(NULL, &bv_last_error);
    if (archive != NULL && !bsp_search_add(archive, path, &bv_last_error)) {
        bsp_search_free(archive);
        return NULL;
    }
    return archive;
}

/// Closes an archive. NULL is allowed and does nothing.
BV_API void bv_archive_close(bsp_search *archive) {
    bsp_search_free(archive);
}

/// Answers with the names of the files in an archive.
BV_API int bv_archive_names(const bsp_search *archive) {
    size_t count;
    bsp_json json;
    const bsp_asset *list = bsp_search_list(archive, &count);
    bv_answer_begin();
    bsp_json_begin(&json, bv_answer_add, NULL);
    bsp_json_array(&json);
    for (size_t i = 0; i < count; i++) {
        bsp_json_text(&json, list[i].name);
    }
    bsp_json_array_end(&json);
    return bsp_json_flush(&json);
}

/// Answers with a file of an archive, unpacked. Returns false on failure.
BV_API int bv_archive_read(const bsp_search *archive, const char *name) {
    bsp_blob blob;
    if (!bsp_search_read(archive, bsp_text_of(name), &blob, &bv_last_error)) {
        return false;
    }
    bv_answer_begin();
    bool done = bv_answer_add(NULL, (const char *)blob.data, blob.size);
    bsp_blob_free(&blob);
    return done;
}
