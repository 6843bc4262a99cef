// SPDX-License-Identifier: MIT
// Wavefront OBJ and its materials. OBJ has no nodes: a brush model is written where its entity is,
// once for each entity.
#include "core/options.h"
#include "core/out.h"
#include "core/text.h"
#include "export/collision.h"
#include "export/entity.h"
#include "export/names.h"
#include "map/entity.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#define LINE 128u
#define VERTEX_STEPS 8u // three lines of numbers
#define MEMO 1024u      // a power of two
#define MEMO_TEXT 15

/// The text of a number: coordinates and normals of a map repeat.
typedef struct memo {
    uint32_t bits; ///< of the number
    uint8_t size;  ///< 0: the slot is empty
    char text[MEMO_TEXT];
} memo;

/// An OBJ under construction.
typedef struct obj_file {
    const bspi_content *content;
    bsp_export_report *report;
    uint64_t next_vertex; ///< counts from 1
    bspi_out out;
    memo memos[MEMO];
} obj_file;

static void finish_name(const bspi_content *content, uint32_t finish, char out[BSPI_NAME]) {
    char label[BSPI_LABEL];
    bspi_name_label(bspi_finish_name(content, &content->finishes[finish]), label);
    (void)snprintf(out, BSPI_NAME, "%03u_%s", (unsigned)finish, label);
}

static bool needs_materials(const bspi_content *content) {
    return content->options->files != NULL && content->num_finishes != 0;
}

// --- geometry -----------------------------------------------------------------------------------

static size_t put_float(obj_file *file, char *out, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    memo *m = &file->memos[(bits * 0x9E3779B1u) >> 22];
    if (m->size == 0 || m->bits != bits) {
        char text[BSP_FLOAT_TEXT];
        size_t size = bsp_format_float(text, value);
        if (size > MEMO_TEXT) {
            memcpy(out, text, size);
            return size;
        }
        m->bits = bits;
        m->size = (uint8_t)size;
        memcpy(m->text, text, size);
    }
    memcpy(out, m->text, MEMO_TEXT);
    return m->size;
}

static void write_line(obj_file *file, const char *word, const float *values, int count) {
    const size_t room = 8 + 7 * BSP_FLOAT_TEXT;
    char *line = (char *)bspi_out_room(&file->out, room);
    size_t size = strlen(word);
    memcpy(line, word, size);
    for (int i = 0; i < count; i++) {
        line[size++] = ' ';
        size += put_float(file, line + size, values[i]);
    }
    line[size++] = '\n';
    file->out.used -= room - size;
}

static void write_position(obj_file *file, const bspi_part *part, const bspi_stand *stand,
                           uint32_t n) {
    const bspi_content *content = file->content;
    float at[3];
    float v[6];
    bspi_turn_apply(stand->turn, part->vertices[n].position, at);
    for (int i = 0; i < 3; i++) {
        at[i] = at[i] * stand->scale + stand->origin[i];
    }
    bspi_point_to_file(at, content->scale, v);
    if (part->colored) {
        bspi_content_color(content, part, n, v + 3);
    }
    write_line(file, "v", v, part->colored ? 6 : 3);
}

static void write_vertices(obj_file *file, const bspi_part *part, const bspi_stand *stand) {
    const bspi_content *content = file->content;
    uint32_t end = part->first_vertex + part->num_vertices;
    for (uint32_t n = part->first_vertex; n < end; n++) {
        write_position(file, part, stand, n);
    }
    for (uint32_t n = part->first_vertex; n < end; n++) {
        float uv[2];
        bspi_content_uv(content, part, n, uv);
        uv[1] = 1 - uv[1]; // OBJ counts from the lower edge
        write_line(file, "vt", uv, 2);
    }
    for (uint32_t n = part->first_vertex; n < end; n++) {
        float turned[3];
        float normal[3];
        bspi_turn_apply(stand->turn, part->vertices[n].normal, turned);
        bspi_normal_to_file(turned, normal);
        write_line(file, "vn", normal, 3);
    }
}

// Writes " n/n/n".
static size_t put_corner(char *out, uint64_t n) {
    char digits[24];
    size_t size = bspi_format_uint(digits, n);
    size_t at = 0;
    for (int i = 0; i < 3; i++) {
        out[at++] = i == 0 ? ' ' : '/';
        memcpy(out + at, digits, size);
        at += size;
    }
    return at;
}

static void write_triangles(obj_file *file, const bspi_part *part) {
    const uint32_t *indices = part->indices + part->first_index;
    for (uint32_t i = 0; i + 2 < part->num_indices; i += 3) {
        char *line = (char *)bspi_out_room(&file->out, 3 * LINE);
        size_t size = 1;
        line[0] = 'f';
        for (uint32_t c = 0; c < 3; c++) {
            uint64_t n = file->next_vertex + indices[i + c] - part->first_vertex;
            size += put_corner(line + size, n);
        }
        line[size++] = '\n';
        file->out.used -= 3 * LINE - size;
    }
}

static void write_part(obj_file *file, const bspi_part *part, const bspi_stand *stand,
                       const char *model) {
    char name[BSPI_NAME];
    finish_name(file->content, part->finish, name);
    bspi_out_text(&file->out, "g ");
    bspi_out_text(&file->out, model);
    bspi_out_text(&file->out, " ");
    bspi_out_text(&file->out, name);
    if (needs_materials(file->content)) {
        bspi_out_text(&file->out, "\nusemtl ");
        bspi_out_text(&file->out, name);
    }
    bspi_out_text(&file->out, "\n");
    write_vertices(file, part, stand);
    write_triangles(file, part);
    file->next_vertex += part->num_vertices;
    file->report->faces += part->num_faces;
    file->report->vertices += part->num_vertices;
    file->report->triangles += part->num_indices / 3;
}

// Writes a shape in a place. A map may show one model any number of times: returns false over a
// limit of work.
static bool write_object(obj_file *file, uint32_t shape, const bspi_stand *stand, bsp_text name,
                         bsp_text model, bsp_error *error) {
    const bspi_content *content = file->content;
    uint32_t first = content->first_part[shape];
    uint32_t end = content->first_part[shape + 1];
    char label[BSPI_LABEL];
    char group[BSPI_LABEL];
    uint64_t steps = 1;
    for (uint32_t p = first; p < end; p++) {
        steps +=
            VERTEX_STEPS * (uint64_t)content->parts[p].num_vertices + content->parts[p].num_indices;
    }
    if (first == end) {
        return true;
    }
    if (!bspi_heap_work((bspi_heap *)(uintptr_t)&content->heap, steps, error)) {
        return false;
    }
    bspi_name_label(name, label);
    if (bspi_is_brush_model(model)) {
        (void)snprintf(group, sizeof group, "%.*s", (int)model.size, model.data);
    } else {
        bspi_name_label(model, group);
    }
    bspi_out_text(&file->out, "o ");
    bspi_out_text(&file->out, label);
    bspi_out_text(&file->out, group);
    bspi_out_text(&file->out, "\n");
    for (uint32_t p = first; p < end && !file->out.failed; p++) {
        write_part(file, &content->parts[p], stand, group);
    }
    file->report->nodes++;
    file->report->meshes++;
    return true;
}

// Moves what is in the room of the sky to where it is seen.
static void to_sky(const bspi_content *content, bspi_stand *stand) {
    for (int i = 0; i < 3; i++) {
        stand->origin[i] = (stand->origin[i] - content->room.origin[i]) * content->room.scale;
    }
    stand->scale *= content->room.scale;
}

static bool write_room(obj_file *file, bsp_error *error) {
    const bspi_content *content = file->content;
    bspi_stand stand = {.turn = {{0, 0, 0, 1}}, .scale = 1};
    if (!content->room.found || content->room.shape == BSP_NONE) {
        return true;
    }
    to_sky(content, &stand);
    return write_object(file, content->room.shape, &stand, bsp_text_of("sky_room"),
                        bsp_text_of("*0"), error);
}

static bool write_decals(obj_file *file, bsp_error *error) {
    const bspi_stand stand = {.turn = {{0, 0, 0, 1}}, .scale = 1};
    uint32_t shape = file->content->decals.shape;
    return shape == BSP_NONE ||
           write_object(file, shape, &stand, bsp_text_of("decals"), bsp_text_of("decals"), error);
}

static bool write_prop(obj_file *file, uint32_t number, bsp_error *error) {
    const bspi_content *content = file->content;
    const bsp_scene_prop *prop = &content->scene->props[number];
    if (content->of_prop[number] == BSP_NONE) {
        return true;
    }
    bspi_stand stand = {.turn = bspi_turn_of_place(prop->place), .scale = prop->scale};
    for (int i = 0; i < 3; i++) {
        stand.origin[i] = prop->place[i][3];
    }
    if (content->room.found && content->room.props[number] != 0) {
        to_sky(content, &stand);
    }
    bool entity = prop->kind == BSP_PROP_ENTITY;
    bsp_text name = entity ? bspi_entity_name(&content->map->entities->list[prop->number])
                           : bsp_text_of("prop");
    return write_object(file, content->of_prop[number], &stand, name,
                        content->scene->models[prop->model].name, error);
}

static bool write_instance(obj_file *file, uint32_t number, bsp_text name, bsp_error *error) {
    const bspi_content *content = file->content;
    const bsp_scene_instance *instance = &content->scene->instances[number];
    bspi_stand stand = bspi_stand_of(&instance->place);
    char model[16];
    if (content->room.found && content->room.instances[instance - content->scene->instances] != 0) {
        to_sky(content, &stand);
    }
    bspi_model_name(instance->model, model);
    return !bspi_instance_written(content, instance) ||
           write_object(file, content->of_instance[number], &stand, name, bsp_text_of(model),
                        error);
}

// Writes the entities in order, then what no entity shows, then props.
static bool write_instances(obj_file *file, bsp_error *error) {
    const bsp_scene *scene = file->content->scene;
    bool done = true;
    for (uint32_t i = 0; done && i < scene->num_of_entity; i++) {
        if (scene->of_entity[i] != BSP_NONE) {
            bsp_text name = bspi_entity_name(&scene->map->entities->list[i]);
            done = write_instance(file, scene->of_entity[i], name, error);
        }
    }
    for (uint32_t i = 0; done && i < scene->num_instances; i++) {
        if (scene->instances[i].entity == BSP_NONE) {
            done = write_instance(file, i, bsp_text_of("model"), error);
        }
    }
    done = done && write_room(file, error) && write_decals(file, error);
    for (uint32_t i = 0; done && i < scene->num_props; i++) {
        done = write_prop(file, i, error);
    }
    return done;
}

// --- materials ----------------------------------------------------------------------------------

static void write_material(const bspi_content *content, uint32_t n, bspi_out *out) {
    const bspi_finish *finish = &content->finishes[n];
    const bspi_paint *paint = bspi_finish_paint(content, finish);
    const bspi_png *image = bspi_finish_image(content, finish);
    char name[BSPI_NAME];
    float cut;
    finish_name(content, n, name);
    bspi_out_text(out, "newmtl ");
    bspi_out_text(out, name);
    bspi_out_text(out, "\nKd");
    bool shown = image != NULL || bspi_finish_baked(content, finish);
    for (int i = 0; i < 3; i++) {
        bool plain = finish->color != 0;
        float byte = (float)(finish->color >> (24 - 8 * i) & 0xFF) / 255;
        float tint = (float)(finish->tint >> (16 - 8 * i) & 0xFF) / 255;
        float own = shown || paint == NULL ? 1 : paint->color[i];
        bspi_out_decimal(out, plain ? byte : own * tint);
    }
    bspi_out_text(out, "\nd");
    bspi_out_decimal(out, (float)finish->opacity / 255);
    if (shown) {
        if (image != NULL) {
            bspi_name_image(content, image, name);
        } else {
            bspi_name_page(content, finish->page, name);
        }
        bspi_out_text(out, "\nmap_Kd ");
        bspi_out_text(out, name);
        if (bspi_finish_alpha(content, finish, &cut) != BSP_ALPHA_OPAQUE) {
            bspi_out_text(out, "\nmap_d ");
            bspi_out_text(out, name);
        }
    }
    bspi_out_text(out, "\n\n");
}

static bool write_materials(const bspi_content *content, bsp_export_report *report) {
    char name[BSPI_NAME];
    bspi_name_file(content, ".mtl", name);
    bspi_beside beside = {.content = content, .name = name};
    bspi_out out;
    bspi_out_begin(&out, bspi_beside_sink, &beside);
    for (uint32_t i = 0; i < content->num_finishes; i++) {
        write_material(content, i, &out);
    }
    bool done = bspi_out_flush(&out);
    report->bytes += out.written;
    report->materials = content->num_finishes;
    report->images = content->num_images + content->num_pages;
    return done && bspi_beside_images(content, &report->bytes);
}

static bool export_obj(bspi_content *content, bsp_sink sink, void *user, bsp_export_report *report,
                       bsp_error *error) {
    obj_file file = {.content = content, .report = report, .next_vertex = 1};
    bspi_counted main_file = {.content = content, .sink = sink, .user = user};
    bspi_out_begin(&file.out, bspi_counted_sink, &main_file);
    bspi_out_text(&file.out, "# bspkit\n");
    if (needs_materials(content)) {
        char name[BSPI_NAME];
        bspi_name_file(content, ".mtl", name);
        bspi_out_text(&file.out, "mtllib ");
        bspi_out_text(&file.out, name);
        bspi_out_text(&file.out, "\n");
    }
    if (!write_instances(&file, error)) {
        return false;
    }
    if ((content->options->collision || content->options->num_portals != 0) &&
        !bspi_collision_write(content, &file.out, file.next_vertex, error)) {
        return file.out.failed ? bspi_sink_failed(content, error) : false;
    }
    bool done = bspi_out_flush(&file.out);
    report->bytes = file.out.written;
    report->missing = content->paints.missing;
    report->missing_models = content->scene->num_missing;
    done = done && (!needs_materials(content) || write_materials(content, report));
    return done || bspi_sink_failed(content, error);
}

bool bsp_export_obj(const bsp_map *map, const bsp_export_options *options, bsp_sink sink,
                    void *user, bsp_export_report *report, bsp_error *error) {
    assert(sink != NULL);
    assert(map != NULL);
    bspi_content content;
    bsp_export_report unused;
    bsp_export_options own;
    report = report == NULL ? &unused : report;
    memset(report, 0, sizeof *report);
    if (!BSPI_TAKE_OPTIONS(own, options, error)) {
        return false;
    }
    bool images = own.files != NULL;
    own.textures = images ? own.textures : NULL;
    if (own.light == BSP_EXPORT_LIGHT_UV || (own.light == BSP_EXPORT_LIGHT_BAKED && !images)) {
        own.light = BSP_EXPORT_LIGHT_NONE; // OBJ has one set of texture coordinates
    }
    if (!bspi_content_build(&content, map, &own, false, error)) {
        return false;
    }
    bool done = export_obj(&content, sink, user, report, error);
    bspi_content_free(&content);
    return done;
}
