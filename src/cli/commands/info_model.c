// SPDX-License-Identifier: MIT
// bspkit info of a model: what it is made of. A file that is a part of a model (vertices, strips,
// physics) has a format and records, and nothing else.
#include "cli/commands/info_model.h"

#include "cli/commands/info_text.h"

#include "cli/parts/json.h"

#include <string.h>

static void json_bounds(bsp_json *json, const bsp_model_info *info) {
    bsp_json_key(json, "bounds");
    if (info == NULL) {
        bsp_json_null(json);
        return;
    }
    bsp_json_object(json);
    bsp_json_floats(json, "mins", info->mins, 3);
    bsp_json_floats(json, "maxs", info->maxs, 3);
    bsp_json_object_end(json);
}

static void json_names(bsp_json *json, const bsp_model_info *info) {
    cli_json_array(json, "material_names");
    for (uint32_t i = 0; info != NULL && i < info->num_materials; i++) {
        bsp_json_text(json, info->materials[i].name);
    }
    bsp_json_array_end(json);
    cli_json_array(json, "sequence_names");
    for (uint32_t i = 0; info != NULL && i < info->num_sequences; i++) {
        bsp_json_text(json, info->sequences[i].name);
    }
    bsp_json_array_end(json);
}

static void print_json(const cli_input *input, const bsp_model_info *info) {
    const bsp_model_file_info *file = bsp_model_file_get_info(input->records);
    bsp_json *json = input->json;
    bool known = info != NULL;
    bsp_json_object(json);
    cli_json_string(json, "file", input->path);
    cli_json_uint(json, "size", file->size);
    cli_json_string(json, "format", file->format->name);
    cli_json_uint(json, "version", file->version);
    cli_json_uint_or_null(json, "triangles", known, known ? info->num_triangles : 0);
    cli_json_uint_or_null(json, "vertices", known, known ? info->num_vertices : 0);
    cli_json_uint_or_null(json, "materials", known, known ? info->num_materials : 0);
    cli_json_uint_or_null(json, "bones", known, known ? info->num_bones : 0);
    cli_json_uint_or_null(json, "sequences", known, known ? info->num_sequences : 0);
    json_bounds(json, info);
    cli_json_uint_or_null(json, "frames", known, known ? info->num_frames : 0);
    cli_json_uint_or_null(json, "skins", known, known ? info->num_skins : 0);
    cli_json_uint_or_null(json, "body_parts", known, known ? info->num_body_parts : 0);
    cli_json_uint_or_null(json, "lods", known, known ? info->num_lods : 0);
    cli_json_uint_or_null(json, "hulls", known, known ? info->num_hulls : 0);
    json_names(json, info);
    cli_json_uint(json, "diagnostics", bsp_issues_count(input->issues, BSP_NOTE));
    bsp_json_object_end(json);
}

// --- text ---------------------------------------------------------------------------------------

static void print_count(const cli_input *input, const char *name, uint32_t count) {
    if (count != 0) {
        cli_info_heading(input, name);
        cli_print(input->output, "%u\n", (unsigned)count);
    }
}

static void print_bounds(const cli_input *input, const bsp_model_info *info) {
    cli_info_heading(input, "bounds");
    cli_print(input->output, "(");
    cli_info_point(input->output, info->mins);
    cli_print(input->output, ") to (");
    cli_info_point(input->output, info->maxs);
    cli_print(input->output, ")\n");
}

static void print_materials(const cli_input *input, const bsp_model_info *info) {
    for (uint32_t i = 0; i < info->num_materials; i++) {
        const bsp_model_material *m = &info->materials[i];
        cli_info_heading(input, i == 0 ? "materials" : "");
        cli_print_text(input->output, m->name);
        if (m->width != 0) {
            cli_print(input->output, "%s%u x %u%s", m->name.size == 0 ? "" : ", ",
                      (unsigned)m->width, (unsigned)m->height, m->embedded ? ", in the file" : "");
        }
        cli_print(input->output, "\n");
    }
}

static void print_sequences(const cli_input *input, const bsp_model_info *info) {
    for (uint32_t i = 0; i < info->num_sequences; i++) {
        const bsp_model_sequence *s = &info->sequences[i];
        cli_info_heading(input, i == 0 ? "sequences" : "");
        cli_print_text(input->output, s->name);
        cli_print(input->output, "%s%u frames\n", s->name.size == 0 ? "" : ", ",
                  (unsigned)s->num_frames);
    }
}

static void print_text(const cli_input *input, const bsp_model_info *info) {
    const bsp_model_file_info *file = bsp_model_file_get_info(input->records);
    cli_print(input->output, "%s", input->number == 0 ? "" : "\n");
    cli_print_styled(input->output, CLI_STRONG, input->path);
    cli_print(input->output, "\n");
    cli_info_heading(input, "format");
    cli_print(input->output, "%s: ", file->format->title);
    cli_print_styled(input->output, CLI_STRONG, file->format->name);
    if (file->version != 0) {
        cli_print(input->output, ", version %u", (unsigned)file->version);
    }
    cli_print(input->output, "\n");
    cli_info_heading(input, "size");
    cli_print(input->output, "%llu bytes\n", (unsigned long long)file->size);
    if (info != NULL) {
        print_bounds(input, info);
        print_count(input, "triangles", info->num_triangles);
        print_count(input, "vertices", info->num_vertices);
        print_count(input, "bones", info->num_bones);
        print_count(input, "frames", info->num_frames);
        print_count(input, "skins", info->num_skins);
        print_count(input, "body parts", info->num_body_parts);
        print_count(input, "lods", info->num_lods);
        print_count(input, "hulls", info->num_hulls);
        print_materials(input, info);
        print_sequences(input, info);
    }
    cli_info_heading(input, "diagnostics");
    cli_print(input->output, "%llu\n",
              (unsigned long long)bsp_issues_count(input->issues, BSP_NOTE));
}

cli_status cli_info_model(const cli_input *input) {
    const bsp_model_info *info = input->model == NULL ? NULL : bsp_model_get_info(input->model);
    if (input->json != NULL) {
        print_json(input, info);
    } else {
        print_text(input, info);
    }
    return CLI_DONE;
}
