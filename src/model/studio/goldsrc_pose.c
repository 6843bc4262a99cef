// SPDX-License-Identifier: MIT
// The pose of a GoldSrc model: animations are runs of 16-bit numbers, in the model or in files
// beside it. Source: the sheet models, 3.
#include "model/studio/goldsrc_pose.h"

#include "core/curves.h"
#include "model/matrix.h"
#include "model/open.h"
#include "model/studio/goldsrc_layouts.h"
#include "model/studio/runs.h"

#include <stdio.h>
#include <string.h>

#define CHANNELS 6u // of a bone: three of its place, three of its turn

/// Where the numbers of a sequence are.
typedef struct animation {
    bsp_bytes bytes; ///< of the file; empty: there is no animation
    uint64_t at;     ///< of the record of bone 0: six offsets of 16 bits each
    uint32_t frame;
} animation;

static animation find_animation(const bspi_model_builder *b) {
    const bsp_model_asset *model = b->model;
    bsp_table sequences = bspi_model_table(model->file, BSPI_MDL10_SEQUENCES, 0);
    animation none = {{NULL, 0}, 0, 0};
    if (b->pose->bind_pose || sequences.count == 0) {
        return none;
    }
    uint32_t n = b->pose->sequence < sequences.count ? b->pose->sequence : 0;
    uint32_t frames = model->info.sequences[n].num_frames;
    int64_t group = bspi_model_int(&sequences, n, "seqgroup", 0);
    int64_t at = bspi_model_int(&sequences, n, "animindex", 0);
    const bsp_model_file *file = model->file;
    if (group != 0) {
        char role[16];
        snprintf(role, sizeof role, "group %u", (unsigned)(group & 0xFFFF));
        file = bspi_model_companion_find(model, role);
    }
    if (file == NULL || at < 0) {
        return none;
    }
    uint32_t frame = b->pose->frame < frames ? b->pose->frame : frames - (frames != 0);
    return (animation){file->info.bytes, (uint64_t)at, frame};
}

// Sets a matrix from a place and three angles in radians: about x, then y, then z.
static void set_local(const float channel[CHANNELS], float out[3][4]) {
    static const float one[3] = {1, 1, 1};
    float s[3];
    float c[3];
    for (int i = 0; i < 3; i++) {
        s[i] = bspi_sine(channel[3 + i] / 2);
        c[i] = bspi_cosine(channel[3 + i] / 2);
    }
    const float turn[4] = {
        s[0] * c[1] * c[2] - c[0] * s[1] * s[2], c[0] * s[1] * c[2] + s[0] * c[1] * s[2],
        c[0] * c[1] * s[2] - s[0] * s[1] * c[2], c[0] * c[1] * c[2] + s[0] * s[1] * s[2]};
    bspi_matrix_compose(channel, turn, one, out);
}

static void place_bone(const bsp_model_bone *bones, uint32_t i, const float local[3][4], bool bind,
                       float out[3][4]) {
    if (bones[i].parent == BSP_NONE) {
        memcpy(out, local, sizeof(float[3][4]));
        return;
    }
    const bsp_model_bone *parent = &bones[bones[i].parent];
    bspi_matrix_multiply((const float(*)[4])(bind ? parent->bind : parent->place), local, out);
}

bool bspi_goldsrc_bones(bspi_model_builder *b) {
    bsp_table table = bspi_model_table(b->model->file, BSPI_MDL10_BONES, 0);
    animation a = find_animation(b);
    bsp_model_bone *bones = bspi_arena_zero(b->arena, table.count, sizeof *bones, b->error);
    for (uint32_t i = 0; bones != NULL && i < table.count; i++) {
        int64_t parent = bspi_model_int(&table, i, "parent", 0);
        uint64_t record = a.at + (uint64_t)i * CHANNELS * 2;
        bsp_bytes offsets = bspi_slice(a.bytes, record, (size_t)CHANNELS * 2);
        float rest[CHANNELS];
        float posed[CHANNELS];
        float local[3][4];
        for (uint32_t c = 0; c < CHANNELS; c++) {
            uint16_t offset =
                offsets.size == 0 ? 0 : bspi_load16(offsets.data + (size_t)c * 2, false);
            rest[c] = posed[c] = bspi_model_float(&table, i, "value", c);
            posed[c] += offset == 0 ? 0
                                    : bspi_studio_run(b, a.bytes, record + offset, a.frame) *
                                          bspi_model_float(&table, i, "scale", c);
        }
        bones[i].name = bspi_model_text(&table, i, "name");
        bones[i].parent = parent >= 0 && parent < i ? (uint32_t)parent : BSP_NONE;
        set_local(rest, local);
        place_bone(bones, i, (const float(*)[4])local, true, bones[i].bind);
        set_local(posed, local);
        place_bone(bones, i, (const float(*)[4])local, false, bones[i].place);
    }
    b->mesh->bones = bones;
    b->mesh->num_bones = bones == NULL ? 0 : table.count;
    return bones != NULL && bspi_meter_add(&b->meter, table.count);
}

bool bspi_goldsrc_attachments(bspi_model_builder *b) {
    bsp_table table = bspi_model_table(b->model->file, BSPI_MDL10_ATTACHMENTS, 0);
    bsp_model_attachment *list = bspi_arena_zero(b->arena, table.count, sizeof *list, b->error);
    for (uint32_t i = 0; list != NULL && i < table.count; i++) {
        int64_t bone = bspi_model_int(&table, i, "bone", 0);
        bool there = bone >= 0 && bone < b->mesh->num_bones;
        float local[3][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}};
        for (uint32_t axis = 0; axis < 3; axis++) {
            local[axis][3] = bspi_model_float(&table, i, "org", axis);
        }
        list[i].name = bspi_model_text(&table, i, "name");
        list[i].bone = there ? (uint32_t)bone : BSP_NONE;
        memcpy(list[i].place, local, sizeof local);
        if (there) {
            bspi_matrix_multiply((const float(*)[4])b->mesh->bones[bone].place,
                                 (const float(*)[4])local, list[i].place);
        }
    }
    b->mesh->attachments = list;
    b->mesh->num_attachments = list == NULL ? 0 : table.count;
    return list != NULL;
}
