// SPDX-License-Identifier: MIT
// Branches, games and the layouts of a branch as JSON.
#include "cli/commands/formats_json.h"

#include "cli/commands/formats_tables.h"
#include "cli/parts/branch_table.h"
#include "cli/parts/json.h"

static void json_facts(bsp_json *json, const bsp_branch *branch) {
    cli_json_string(json, "branch", branch->name);
    cli_json_string(json, "family", bsp_family_name(branch->family));
    cli_json_string(json, "magic", branch->magic);
    cli_json_uint(json, "version", branch->version);
    cli_json_string(json, "games", branch->title);
    cli_json_string_or_null(json, "base", branch->base != NULL ? branch->base->name : NULL);
    cli_json_string(json, "read_as", cli_branch_depth(branch));
    cli_json_string(json, "tried_on", bsp_verified_name(branch->verified));
}

static void json_field(bsp_json *json, const bsp_layout *layout, uint32_t f) {
    const bsp_field *field = &layout->fields[f];
    bsp_json_object(json);
    cli_json_uint(json, "offset", bsp_layout_offset(layout, f));
    cli_json_string(json, "name", field->name);
    cli_json_string(json, "type", bsp_type_name(field->type));
    cli_json_uint(json, "count", field->count);
    if (field->bits != 0) {
        cli_json_uint(json, "shift", field->shift);
        cli_json_uint(json, "bits", field->bits);
    }
    if (field->swapped) {
        cli_json_bool(json, "swapped", true);
    }
    cli_json_string(json, "role", bsp_role_name(field->role));
    if (field->target != BSP_ID_NONE) {
        cli_json_string(json, "target", bsp_table_id_name((bsp_table_id)field->target));
    }
    bsp_json_object_end(json);
}

static void json_lump(bsp_json *json, const bsp_lump_def *def) {
    bsp_json_object(json);
    cli_json_uint(json, "index", def->index);
    cli_json_string(json, "name", def->name);
    cli_json_string(json, "kind", bsp_kind_name(def->kind));
    if (def->limit.max != 0) {
        cli_json_uint(json, def->limit.in_bytes ? "max_bytes" : "max_records", def->limit.max);
    }
    if (def->note != NULL) {
        cli_json_string(json, "note", def->note);
    }
    cli_json_array(json, "layouts");
    for (uint32_t v = 0; v < def->num_variants; v++) {
        bsp_json_string(json, def->variants[v].layout->name);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

static void json_format(bsp_json *json, const bsp_branch *branch) {
    cli_layout_list list;
    cli_find_layouts(branch, false, &list);
    bsp_json_object(json);
    json_facts(json, branch);
    cli_json_array(json, "lumps");
    for (uint32_t i = 0; i < bsp_branch_shape(branch)->num_lumps; i++) {
        const bsp_lump_def *def = bsp_branch_lump(branch, i);
        if (def != NULL) {
            json_lump(json, def);
        }
    }
    bsp_json_array_end(json);
    cli_json_array(json, "layouts");
    for (size_t i = 0; i < list.count; i++) {
        bsp_json_object(json);
        cli_json_string(json, "name", list.layouts[i]->name);
        cli_json_uint(json, "size", list.layouts[i]->size);
        cli_json_array(json, "fields");
        for (uint32_t f = 0; f < list.layouts[i]->num_fields; f++) {
            json_field(json, list.layouts[i], f);
        }
        bsp_json_array_end(json);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
    bsp_json_object_end(json);
}

static void json_games(bsp_json *json) {
    const bsp_game *game;
    char version[BSP_VERSION_TEXT];
    bsp_json_array(json);
    for (size_t i = 0; (game = bsp_game_at(i)) != NULL; i++) {
        bsp_json_object(json);
        cli_json_string(json, "title", game->title);
        cli_json_string(json, "low", bsp_version_text(game->low, version));
        cli_json_string(json, "high", bsp_version_text(game->high, version));
        cli_json_string(json, "told_by", cli_game_told_on(game));
        cli_json_array(json, "classes");
        for (size_t c = 0; c < BSP_GAME_CLASSES && game->classes[c] != NULL; c++) {
            bsp_json_string(json, game->classes[c]);
        }
        bsp_json_array_end(json);
        cli_json_object(json, "limits");
        for (uint32_t l = 0; l < game->num_limits; l++) {
            cli_json_uint(json, bsp_table_id_name(game->limits[l].id), game->limits[l].max);
        }
        bsp_json_object_end(json);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

static void json_list(bsp_json *json) {
    const bsp_branch *branch;
    bsp_json_array(json);
    for (size_t i = 0; (branch = bsp_branch_at(i)) != NULL; i++) {
        bsp_json_object(json);
        json_facts(json, branch);
        bsp_json_object_end(json);
    }
    bsp_json_array_end(json);
}

void cli_formats_json(bsp_json *json, const bsp_branch *branch, bool games) {
    if (branch != NULL) {
        json_format(json, branch);
    } else if (games) {
        json_games(json);
    } else {
        json_list(json);
    }
}
