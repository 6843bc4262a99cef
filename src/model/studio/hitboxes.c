// SPDX-License-Identifier: MIT
// Hitboxes: a box in the space of a bone, of a group that says where a hit counts. Source: the
// sheet models, 3 and 4.
#include "model/studio/hitboxes.h"

#include "model/rows.h"

bool bspi_studio_hitboxes(bspi_model_builder *b, uint32_t table) {
    bsp_table rows = bspi_model_table(b->model->file, table, 0);
    bsp_model_hitbox *list = bspi_arena_zero(b->arena, rows.count, sizeof *list, b->error);
    for (uint32_t i = 0; list != NULL && i < rows.count; i++) {
        int64_t bone = bspi_model_int(&rows, i, "bone", 0);
        list[i].bone = bone >= 0 && bone < b->mesh->num_bones ? (uint32_t)bone : BSP_NONE;
        list[i].group = bspi_model_u32(&rows, i, "group");
        bspi_model_floats(&rows, i, "bbmin", 3, list[i].mins);
        bspi_model_floats(&rows, i, "bbmax", 3, list[i].maxs);
    }
    b->mesh->hitboxes = list;
    b->mesh->num_hitboxes = list == NULL ? 0 : rows.count;
    return list != NULL;
}
