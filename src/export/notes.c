// SPDX-License-Identifier: MIT
// Notes: what the scene knows of an entity that has no mesh, and which entities it names.
#include "export/notes.h"

#include <stddef.h>

static void write_mark(const bsp_scene_mark *mark, bsp_json *json) {
    static const char *const kinds[] = {[BSP_MARK_PARTICLES] = "particles",
                                        [BSP_MARK_SOUND] = "sound",
                                        [BSP_MARK_SOUNDSCAPE] = "soundscape",
                                        [BSP_MARK_CUBEMAP] = "cubemap",
                                        [BSP_MARK_PROJECTOR] = "projector"};
    bsp_json_key(json, "kind");
    bsp_json_string(json, kinds[mark->kind]);
    if (mark->what.size != 0) {
        bsp_json_key(json, "what");
        bsp_json_text(json, mark->what);
    }
    if (mark->reach > 0) {
        bsp_json_key(json, "reach");
        bsp_json_float(json, mark->reach);
    }
}

static void write_links(bspi_notes *notes, uint32_t entity, bsp_json *json) {
    const bsp_scene_links *links = notes->links;
    bsp_json_key(json, "links");
    bsp_json_array(json);
    while (notes->link < links->count && links->list[notes->link].source == entity) {
        const bsp_scene_link *link = &links->list[notes->link++];
        bsp_json_object(json);
        bsp_json_key(json, "key");
        bsp_json_text(json, link->key);
        bsp_json_key(json, "node");
        bsp_json_uint(json, link->target);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

const bsp_scene_mark *bspi_notes_at(bspi_notes *notes, uint32_t entity) {
    const bsp_scene *scene = notes->scene;
    while (notes->mark < scene->num_marks && scene->marks[notes->mark].entity < entity) {
        notes->mark++;
    }
    bool marks = notes->mark < scene->num_marks && scene->marks[notes->mark].entity == entity;
    return marks ? &scene->marks[notes->mark] : NULL;
}

void bspi_notes_write(bspi_notes *notes, uint32_t entity, bool has_key, bsp_json *json) {
    const bsp_scene_links *links = notes->links;
    const bsp_scene_mark *mark = bspi_notes_at(notes, entity);
    while (notes->link < links->count && links->list[notes->link].source < entity) {
        notes->link++;
    }
    bool names = notes->link < links->count && links->list[notes->link].source == entity;
    if (has_key || (mark == NULL && !names)) {
        return;
    }
    bsp_json_key(json, BSPI_NOTES);
    bsp_json_object(json);
    if (mark != NULL) {
        write_mark(mark, json);
    }
    if (names) {
        write_links(notes, entity, json);
    }
    bsp_json_object_end(json);
}
