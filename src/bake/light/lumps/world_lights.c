// SPDX-License-Identifier: MIT
// The list of lights, as records of the branch.
#include "bake/light/lumps/world_lights.h"

#include "map/members.h"

bool bspi_world_lights_add(const bspi_relight *own, bspi_changes *changes) {
    bsp_table_id id = own->lists_high ? BSP_ID_WORLD_LIGHTS_HDR : BSP_ID_WORLD_LIGHTS;
    bspi_buffer records = {.heap = &changes->heap, .error = changes->error};
    bsp_parts parts;
    bsp_table table;
    // Light of LDR and HDR, which are made one after the other, may have one list.
    if (own->listed == NULL || own->lists_high != own->relight.hdr ||
        !bsp_file_table(changes->file, id, &parts, &table)) {
        return true;
    }
    uint8_t *room = bspi_buffer_grow(&records, (size_t)own->num_listed * table.layout->size);
    bsp_bytes bytes;
    bool done = (own->num_listed == 0 ||
                 (room != NULL &&
                  bspi_bind_encode(table.layout, bspi_array_find(id)->structure, own->listed,
                                   own->num_listed, changes->big_endian, room, changes->error))) &&
                bspi_changes_take(changes, &records, &bytes) &&
                bspi_changes_add(changes, bsp_file_find_id(changes->file, id), bytes);
    bspi_buffer_free(&records);
    bsp_parts_free(&parts);
    return done;
}
