// SPDX-License-Identifier: MIT
// Records of lights by the layout of the branch, in which all members are words of four bytes.
#include "bake/light/lumps/world_lights.h"

#include "core/reader.h"
#include "formats/map_members.h"
#include "layout/layout.h"

#include <stddef.h>
#include <string.h>

#define WORD 4u
#define WORDS(name)                                                                                \
    {                                                                                              \
        BSPI_MEMBER_world_light_##name, offsetof(bsp_world_light, name),                           \
            sizeof((bsp_world_light *)0)->name / WORD                                              \
    }

static const struct {
    uint16_t member;
    size_t offset;
    size_t count;
} members[] = {
    WORDS(origin),
    WORDS(intensity),
    WORDS(normal),
    WORDS(cluster),
    WORDS(type),
    WORDS(style),
    WORDS(stopdot),
    WORDS(stopdot2),
    WORDS(exponent),
    WORDS(radius),
    WORDS(constant_attn),
    WORDS(linear_attn),
    WORDS(quadratic_attn),
    WORDS(flags),
    WORDS(texinfo),
    WORDS(owner),
    WORDS(shadow_cast_offset),
};

static void put(const bsp_world_light *light, const bsp_layout *layout, bool big_endian,
                uint8_t *record) {
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        uint32_t field;
        if (bspi_layout_find(layout, members[i].member, &field) == NULL) {
            continue;
        }
        for (size_t w = 0; w < members[i].count; w++) {
            uint32_t word;
            memcpy(&word, (const uint8_t *)light + members[i].offset + WORD * w, sizeof word);
            bspi_store32(record + bsp_layout_offset(layout, field) + WORD * w, word, big_endian);
        }
    }
}

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
    for (uint32_t i = 0; i < own->num_listed; i++) {
        uint8_t *record = bspi_buffer_grow(&records, table.layout->size);
        if (record != NULL) {
            memset(record, 0, table.layout->size);
            put(&own->listed[i], table.layout, changes->big_endian, record);
        }
    }
    bsp_bytes bytes;
    bool done = bspi_changes_take(changes, &records, &bytes) &&
                bspi_changes_add(changes, bsp_file_find_id(changes->file, id), bytes);
    bsp_parts_free(&parts);
    return done;
}
