// SPDX-License-Identifier: MIT
// The animations of a Source model: a .mdl names others whose sequences it has too, and each may
// keep its animations in a file of blocks (.ani). Source: the sheet models, 9.1 and 9.2.
#include "model/studio/source_includes.h"

#include "core/text.h"
#include "model/formats.h"
#include "model/open.h"
#include "model/rows.h"
#include "model/studio/source_layouts.h"
#include "model/studio/source_pose.h"
#include "model/studio/source_text.h"

#include <stdio.h>
#include <string.h>

#define MOST_FILES 64u    // that a model includes, in all
#define LOOPS 1           // flags of a sequence
#define HOLDS_PLACE 0x800 // another file has the sequence of this name

// --- files --------------------------------------------------------------------------------------

static bool open_file(bsp_model_asset *model, const char *kind, uint32_t number, bsp_text path,
                      const char *format, const bsp_model_file **out, bsp_error *error) {
    char role[16];
    const bsp_model_file *file = NULL;
    snprintf(role, sizeof role, "%.8s %u", kind, (unsigned)number);
    *out = NULL;
    if (!bspi_model_companion_open(model, role, path, true, &file, error)) {
        return false;
    }
    *out = file != NULL && strcmp(file->def->format.name, format) == 0 ? file : NULL;
    return true;
}

static bool is_known(const bspi_source_model *m, bsp_text name) {
    for (uint32_t i = 0; i < m->num_moves; i++) {
        if (bspi_text_equal_nocase(bsp_text_of(m->moves[i].mdl->name), name)) {
            return true;
        }
    }
    return false;
}

// Adds a .mdl with its blocks.
static bool add_file(bsp_model_asset *model, bspi_source_model *m, const bsp_model_file *mdl,
                     bsp_error *error) {
    bspi_source_moves *moves = &m->moves[m->num_moves++];
    *moves = (bspi_source_moves){mdl, NULL};
    bsp_table head = bspi_model_head(mdl);
    bsp_text name = bspi_model_join(
        model, bspi_source_text(mdl, bspi_model_int(&head, 0, "szanimblocknameindex", 0)),
        (bsp_text){NULL, 0}, error);
    if (name.data == NULL) {
        return false;
    }
    if (bspi_model_table(mdl, BSPI_SRC_BLOCKS, 0).count == 0 || name.size == 0) {
        return true;
    }
    return open_file(model, "blocks", m->num_moves - 1, name, "source-ani", &moves->ani, error);
}

// Opens what the files include, and what these include.
static bool open_files(bsp_model_asset *model, bspi_source_model *m, bsp_error *error) {
    m->moves = bspi_arena_zero(&model->arena, MOST_FILES, sizeof *m->moves, error);
    if (m->moves == NULL || !add_file(model, m, model->file, error)) {
        return false;
    }
    for (uint32_t i = 0; i < m->num_moves; i++) {
        uint32_t count = bspi_model_table(m->moves[i].mdl, BSPI_SRC_INCLUDES, 0).count;
        for (uint32_t k = 0; k < count && m->num_moves < MOST_FILES; k++) {
            const bsp_model_file *mdl = NULL;
            bsp_text name = bspi_model_join(
                model,
                bspi_source_record_text(m->moves[i].mdl, BSPI_SRC_INCLUDES, k, "sznameindex"),
                (bsp_text){NULL, 0}, error);
            if (name.data == NULL) {
                return false;
            }
            if (name.size == 0 || is_known(m, name)) {
                continue;
            }
            if (!open_file(model, "include", m->num_moves, name, "source-mdl", &mdl, error) ||
                !bspi_heap_work(&model->heap, 1 + (uint64_t)m->num_moves, error) ||
                (mdl != NULL && !add_file(model, m, mdl, error))) {
                return false;
            }
        }
    }
    return true;
}

// --- sequences ----------------------------------------------------------------------------------

// Describes a sequence of a file.
static bsp_model_sequence describe(const bsp_model_file *file, uint32_t number, bsp_text name) {
    bsp_table table = bspi_model_table(file, BSPI_SRC_SEQUENCES, 0);
    bsp_table anims = bspi_model_table(file, BSPI_SRC_ANIMS, 0);
    uint32_t anim = bspi_source_anim(file, number);
    int64_t frames = anim == BSP_NONE ? 0 : bspi_model_int(&anims, anim, "numframes", 0);
    return (bsp_model_sequence){.name = name,
                                .num_frames = frames < 0 ? 0 : (uint32_t)frames,
                                .fps =
                                    anim == BSP_NONE ? 0 : bspi_model_float(&anims, anim, "fps", 0),
                                .loops = (bspi_model_int(&table, number, "flags", 0) & LOOPS) != 0};
}

// Returns the number of the sequence of that name, or `count`.
static uint32_t find(const bsp_model_sequence *list, const bspi_source_sequence *keys,
                     uint32_t count, bsp_text name, uint32_t hash) {
    for (uint32_t i = 0; i < count; i++) {
        if (keys[i].hash == hash && bspi_text_equal_nocase(list[i].name, name)) {
            return i;
        }
    }
    return count;
}

static bool holds_place(const bspi_source_model *m, const bspi_source_sequence *key) {
    bsp_table table = bspi_model_table(m->moves[key->moves].mdl, BSPI_SRC_SEQUENCES, 0);
    return (bspi_model_int(&table, key->number, "flags", 0) & HOLDS_PLACE) != 0;
}

// The model's own sequences keep their numbers, also those of one name.
static bool list_sequences(bsp_model_asset *model, bspi_source_model *m, bsp_model_sequence *list,
                           bsp_error *error) {
    uint32_t count = 0;
    for (uint32_t f = 0; f < m->num_moves; f++) {
        const bsp_model_file *file = m->moves[f].mdl;
        uint32_t sequences = bspi_model_table(file, BSPI_SRC_SEQUENCES, 0).count;
        for (uint32_t i = 0; i < sequences; i++) {
            bsp_text name = bspi_source_record_text(file, BSPI_SRC_SEQUENCES, i, "szlabelindex");
            uint32_t hash = bspi_text_hash_nocase(name);
            uint32_t at = f == 0 ? count : find(list, m->sequences, count, name, hash);
            if (f != 0 && !bspi_heap_work(&model->heap, count + 1, error)) {
                return false;
            }
            if (at == count || holds_place(m, &m->sequences[at])) {
                m->sequences[at] = (bspi_source_sequence){f, i, hash};
                list[at] = describe(file, i, name);
                count += at == count;
            }
        }
    }
    model->info.sequences = list;
    model->info.num_sequences = count;
    return true;
}

bool bspi_source_includes_open(bsp_model_asset *model, bspi_source_model *m, bsp_error *error) {
    if (!open_files(model, m, error)) {
        return false;
    }
    size_t most = 0;
    for (uint32_t f = 0; f < m->num_moves; f++) {
        most += bspi_model_table(m->moves[f].mdl, BSPI_SRC_SEQUENCES, 0).count;
    }
    bsp_model_sequence *list = bspi_arena_zero(&model->arena, most, sizeof *list, error);
    m->sequences = bspi_arena_zero(&model->arena, most, sizeof *m->sequences, error);
    return list != NULL && m->sequences != NULL && list_sequences(model, m, list, error);
}
