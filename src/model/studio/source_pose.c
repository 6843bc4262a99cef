// SPDX-License-Identifier: MIT
// The pose of a Source model: an animation is a chain of entries, one for each bone that it moves.
// It may be of a model that this one includes: its bones are then found by their names. Source: the
// sheet models, 9.2.
#include "model/studio/source_pose.h"

#include "asset/image/image.h"
#include "core/curves.h"
#include "core/text.h"
#include "model/matrix.h"
#include "model/studio/runs.h"
#include "model/studio/source_layouts.h"
#include "model/studio/source_model.h"
#include "model/studio/source_text.h"

#include <math.h>
#include <string.h>

/// Flags of an entry of an animation.
enum { RAW_POS = 1, RAW_ROT = 2, ANIM_POS = 4, ANIM_ROT = 8, DELTA = 16, RAW_ROT2 = 32 };
#define CHAIN_END 255u
#define ALL_ZEROS 0x20  // flag of an animation: nothing is stored
#define FRAME_ANIM 0x40 // flag of an animation: whole frames instead of a chain
#define IS_DELTA 4      // flag of an animation: added to a pose
#define TURNS_AFTER 16  // flag of a sequence that is added: its turns come after the pose's

static size_t record_at(const bsp_model_file *file, uint32_t row, uint32_t record) {
    bsp_table table = bspi_model_table(file, row, 0);
    return bspi_model_table_at(file, row, 0) + (size_t)record * table.layout->size;
}

uint32_t bspi_source_anim(const bsp_model_file *file, uint32_t sequence) {
    bsp_table sequences = bspi_model_table(file, BSPI_SRC_SEQUENCES, 0);
    int64_t at = (int64_t)record_at(file, BSPI_SRC_SEQUENCES, sequence) +
                 bspi_model_int(&sequences, sequence, "animindexindex", 0);
    bsp_bytes index = bspi_slice(file->info.bytes, at < 0 ? UINT64_MAX / 2 : (uint64_t)at, 2);
    uint32_t anim = index.size == 0 ? BSP_NONE : bspi_load16(index.data, false);
    return sequence < sequences.count && anim < bspi_model_table(file, BSPI_SRC_ANIMS, 0).count
               ? anim
               : BSP_NONE;
}

/// Where the entries of an animation are; none if `bytes` is empty.
typedef struct chain {
    bsp_bytes bytes;
    uint64_t at;
    uint32_t frame;
    const bsp_model_file *mdl; ///< whose bones it moves
    bool frames;               ///< whole frames
    bool delta;                ///< it is added to a pose
    bool after;                ///< its turns come after those of the pose
} chain;

// Finds the bytes of a block of animations, and the place in them.
static bool find_block(const bspi_source_moves *moves, int64_t block, int64_t index, int64_t base,
                       chain *out) {
    if (block == 0) {
        out->bytes = moves->mdl->info.bytes;
        out->at = (uint64_t)(base + index);
        return base + index >= 0;
    }
    bsp_table blocks = bspi_model_table(moves->mdl, BSPI_SRC_BLOCKS, 0);
    if (moves->ani == NULL || block < 0 || block >= blocks.count) {
        return false;
    }
    int64_t start = bspi_model_int(&blocks, (uint32_t)block, "datastart", 0);
    out->bytes = moves->ani->info.bytes;
    out->at = (uint64_t)(start + index);
    return start >= 0 && start + index >= 0;
}

// Long animations are stored in sections; the last frame is one of its own.
static bool find_section(const bspi_source_moves *moves, const bsp_table *anims, uint32_t anim,
                         chain *out) {
    int64_t length = bspi_model_int(anims, anim, "sectionframes", 0);
    int64_t frames = bspi_model_int(anims, anim, "numframes", 0);
    int64_t base = (int64_t)record_at(moves->mdl, BSPI_SRC_ANIMS, anim);
    if (length <= 0) {
        return find_block(moves, bspi_model_int(anims, anim, "animblock", 0),
                          bspi_model_int(anims, anim, "animindex", 0), base, out);
    }
    int64_t section = out->frame / length;
    out->frame = (uint32_t)(out->frame - section * length);
    if (frames > length && section * length + out->frame == frames - 1) {
        section = frames / length + 1;
        out->frame = 0;
    }
    int64_t at = base + bspi_model_int(anims, anim, "sectionindex", 0) + section * 8;
    bsp_bytes entry = bspi_slice(moves->mdl->info.bytes, at < 0 ? UINT64_MAX / 2 : (uint64_t)at, 8);
    return entry.size != 0 && find_block(moves, (int32_t)bspi_load32(entry.data, false),
                                         (int32_t)bspi_load32(entry.data + 4, false), base, out);
}

static chain find_chain(const bspi_model_builder *b) {
    const bspi_source_model *m = b->model->data;
    const bsp_model_info *info = &b->model->info;
    chain none = {.mdl = b->model->file};
    if (b->pose->bind_pose || info->static_prop || info->num_sequences == 0) {
        return none;
    }
    uint32_t number = b->pose->sequence < info->num_sequences ? b->pose->sequence : 0;
    const bspi_source_sequence *sequence = &m->sequences[number];
    const bspi_source_moves *moves = &m->moves[sequence->moves];
    uint32_t frames = info->sequences[number].num_frames;
    uint32_t anim = bspi_source_anim(moves->mdl, sequence->number);
    bsp_table anims = bspi_model_table(moves->mdl, BSPI_SRC_ANIMS, 0);
    bsp_table sequences = bspi_model_table(moves->mdl, BSPI_SRC_SEQUENCES, 0);
    int64_t flags = anim == BSP_NONE ? ALL_ZEROS : bspi_model_int(&anims, anim, "flags", 0);
    chain found = {.frame = b->pose->frame < frames ? b->pose->frame : frames - (frames != 0),
                   .mdl = moves->mdl,
                   .frames = (flags & FRAME_ANIM) != 0,
                   .delta = (flags & IS_DELTA) != 0};
    found.after = (bspi_model_int(&sequences, sequence->number, "flags", 0) & TURNS_AFTER) != 0;
    bool other = found.frames && moves->mdl->info.version >= BSPI_SOURCE_TITANFALL;
    if ((flags & ALL_ZEROS) != 0 || other || !find_section(moves, &anims, anim, &found)) {
        return none;
    }
    return found;
}

// --- values -------------------------------------------------------------------------------------

// Reads three runs, whose offsets count from the triple at `at`.
static void read_runs(bspi_model_builder *b, const chain *c, uint64_t at, const float scale[3],
                      float out[3]) {
    bsp_bytes offsets = bspi_slice(c->bytes, at, 6);
    for (uint32_t i = 0; i < 3; i++) {
        uint16_t offset = offsets.size == 0 ? 0 : bspi_load16(offsets.data + (size_t)i * 2, false);
        out[i] += offset == 0 ? 0 : bspi_studio_run(b, c->bytes, at + offset, c->frame) * scale[i];
    }
}

static void complete(float turn[4], bool negative) {
    float rest = 1 - turn[0] * turn[0] - turn[1] * turn[1] - turn[2] * turn[2];
    turn[3] = (rest > 0 ? sqrtf(rest) : 0) * (negative ? -1.0F : 1.0F);
}

static void read_quaternion48(const uint8_t *p, float out[4]) {
    uint32_t z = bspi_load16(p + 4, false);
    out[0] = ((float)bspi_load16(p, false) - 32768) / 32768;
    out[1] = ((float)bspi_load16(p + 2, false) - 32768) / 32768;
    out[2] = ((float)(z & 0x7FFF) - 16384) / 16384;
    complete(out, z >> 15 != 0);
}

static void read_quaternion64(const uint8_t *p, float out[4]) {
    uint64_t bits = (uint64_t)bspi_load32(p + 4, false) << 32 | bspi_load32(p, false);
    for (int i = 0; i < 3; i++) {
        out[i] = ((float)(bits >> 21 * i & 0x1FFFFF) - 1048576) / 1048576.5F;
    }
    complete(out, bits >> 63 != 0);
}

// A quaternion of angles in radians about x, then y, then z.
static void turn_of(const float angles[3], float out[4]) {
    float s[3];
    float c[3];
    for (int i = 0; i < 3; i++) {
        s[i] = bspi_sine(angles[i] / 2);
        c[i] = bspi_cosine(angles[i] / 2);
    }
    out[0] = s[0] * c[1] * c[2] - c[0] * s[1] * s[2];
    out[1] = c[0] * s[1] * c[2] + s[0] * c[1] * s[2];
    out[2] = c[0] * c[1] * s[2] - s[0] * s[1] * c[2];
    out[3] = c[0] * c[1] * c[2] + s[0] * s[1] * s[2];
}

// Sets `out` to the turn b, then the turn a.
static void multiply(const float a[4], const float b[4], float out[4]) {
    out[0] = a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1];
    out[1] = a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0];
    out[2] = a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3];
    out[3] = a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2];
}

// Reads the turn of an entry, at `*next`. Returns false if it has none.
static bool read_turn(const chain *c, uint64_t *next, uint32_t flags, float turn[4]) {
    uint32_t size = (flags & RAW_ROT) != 0 ? 6 : (flags & RAW_ROT2) != 0 ? 8 : 0;
    bsp_bytes raw = bspi_slice(c->bytes, *next, size);
    *next += size;
    if (raw.size == 0) {
        return false;
    }
    if (size == 6) {
        read_quaternion48(raw.data, turn);
    } else {
        read_quaternion64(raw.data, turn);
    }
    return true;
}

// Reads the runs of angles of an entry.
static void read_angles(bspi_model_builder *b, const chain *c, uint64_t next, uint32_t flags,
                        const bsp_table *bones, uint32_t bone, float turn[4]) {
    float angles[3] = {0, 0, 0};
    float scale[3];
    if ((flags & DELTA) == 0) {
        bspi_model_floats(bones, bone, "rot", 3, angles);
    }
    bspi_model_floats(bones, bone, "rotscale", 3, scale);
    read_runs(b, c, next, scale, angles);
    turn_of(angles, turn);
}

// Replaces a turn, or adds to it.
static void set_turn(const chain *c, bool added, const float own[4], float turn[4]) {
    float base[4];
    memcpy(base, turn, sizeof base);
    if (added) {
        multiply(c->after ? base : own, c->after ? own : base, turn);
    } else {
        memcpy(turn, own, sizeof base);
    }
}

// Reads the entry of a bone: its rotation, then its place. What is added is added to what is there.
static void read_entry(bspi_model_builder *b, const chain *c, uint64_t at, uint32_t flags,
                       const bsp_table *bones, uint32_t bone, float place[3], float turn[4]) {
    float own[4];
    float scale[3];
    uint64_t next = at + 4;
    bool turned = read_turn(c, &next, flags, own);
    bsp_bytes raw = bspi_slice(c->bytes, next, 6);
    for (int i = 0; (flags & RAW_POS) != 0 && raw.size != 0 && i < 3; i++) {
        float value = bspi_half(bspi_load16(raw.data + i * 2, false));
        place[i] = (flags & DELTA) != 0 ? place[i] + value : value;
    }
    if ((flags & ANIM_ROT) != 0) {
        read_angles(b, c, next, flags, bones, bone, own);
        turned = true;
        next += 6;
    }
    if ((flags & ANIM_POS) != 0) {
        bspi_model_floats(bones, bone, "posscale", 3, scale);
        read_runs(b, c, next, scale, place);
    }
    if (turned) {
        set_turn(c, (flags & DELTA) != 0, own, turn);
    }
}

/// A bone relative to its parent.
typedef struct local_bone {
    float place[3];
    float turn[4];
} local_bone;

static bsp_text bone_name(const bsp_model_file *file, const bsp_table *bones, uint32_t bone) {
    return bspi_source_text(file, (int64_t)record_at(file, BSPI_SRC_BONES, bone) +
                                      bspi_model_int(bones, bone, "sznameindex", 0));
}

static void read_chain(bspi_model_builder *b, const chain *c, const bsp_table *bones,
                       local_bone *locals) {
    for (uint64_t at = c->at;;) {
        bsp_bytes head = bspi_slice(c->bytes, at, 4);
        uint32_t bone = head.size == 0 ? CHAIN_END : head.data[0];
        if (bone == CHAIN_END || bone >= bones->count || !bspi_meter_add(&b->meter, 1)) {
            return;
        }
        read_entry(b, c, at, head.data[1], bones, bone, locals[bone].place, locals[bone].turn);
        uint32_t step = bspi_load16(head.data + 2, false);
        if (step == 0) {
            return;
        }
        at += step;
    }
}

// --- whole frames -------------------------------------------------------------------------------

/// The head of an animation in whole frames (mstudio_frame_anim_t). A byte of flags follows for
/// each bone. Source: studio.h and compressed_vector.h of the Alien Swarm SDK; the later flags are
/// those of Crowbar (SourceAniFrameAnim49). Offsets count from the head.
#define FRAME_HEAD 24u

/// What a bone has in the constants or in each frame: bits of its flags.
typedef struct frame_bits {
    uint8_t turn;   ///< 48 bits, as in a chain
    uint8_t sorted; ///< 48 bits without the largest of the four
    uint8_t place;  ///< three halves
    uint8_t full;   ///< three floats
} frame_bits;

// The three smallest numbers of a turn follow the largest, which has a sign only: numbers of 15
// bits, and of the bits left the first two say which is the first of them.
static void read_sorted(const uint8_t *p, float out[4]) {
    uint32_t words[3];
    for (size_t i = 0; i < 3; i++) {
        words[i] = bspi_load16(p + i * 2, false);
    }
    uint32_t first = words[0] >> 15 << 1 | words[1] >> 15;
    float rest = 1;
    for (uint32_t i = 0; i < 3; i++) {
        float value = ((float)(words[i] & 0x7FFF) - 16384) / 23168;
        out[(first + i) % 4] = value;
        rest -= value * value;
    }
    out[(first + 3) % 4] = (rest > 0 ? sqrtf(rest) : 0) * (words[2] >> 15 != 0 ? -1.0F : 1.0F);
}

// Reads what a bone has at `*at`, its turn first.
static void read_frame_bone(const chain *c, const frame_bits *bits, uint32_t flags, uint64_t *at,
                            local_bone *local) {
    if ((flags & (bits->turn | bits->sorted)) != 0) {
        float own[4];
        bsp_bytes raw = bspi_slice(c->bytes, *at, 6);
        *at += 6;
        if (raw.size != 0 && (flags & bits->turn) != 0) {
            read_quaternion48(raw.data, own);
            set_turn(c, c->delta, own, local->turn);
        } else if (raw.size != 0) {
            read_sorted(raw.data, own);
            set_turn(c, c->delta, own, local->turn);
        }
    }
    if ((flags & (bits->place | bits->full)) != 0) {
        bool half = (flags & bits->place) != 0;
        bsp_bytes raw = bspi_slice(c->bytes, *at, half ? 6 : 12);
        *at += half ? 6 : 12;
        for (size_t i = 0; raw.size != 0 && i < 3; i++) {
            uint32_t word = half ? 0 : bspi_load32(raw.data + i * 4, false);
            float value = half ? bspi_half(bspi_load16(raw.data + i * 2, false)) : 0;
            if (!half) {
                memcpy(&value, &word, sizeof value);
            }
            value = isfinite(value) ? value : 0;
            local->place[i] = c->delta ? local->place[i] + value : value;
        }
    }
}

static void read_frames(bspi_model_builder *b, const chain *c, const bsp_table *bones,
                        local_bone *locals) {
    static const frame_bits constant = {2, 0x40, 1, 0x20};
    static const frame_bits moving = {8, 0x80, 4, 0x10};
    bsp_bytes head = bspi_slice(c->bytes, c->at, FRAME_HEAD);
    bsp_bytes flags = bspi_slice(c->bytes, c->at + FRAME_HEAD, bones->count);
    if (head.size == 0 || flags.size == 0 || !bspi_meter_add(&b->meter, bones->count)) {
        return;
    }
    uint64_t constants = c->at + bspi_load32(head.data, false);
    uint64_t frame = c->at + bspi_load32(head.data + 4, false) +
                     (uint64_t)bspi_load32(head.data + 8, false) * c->frame;
    for (uint32_t i = 0; i < bones->count; i++) {
        read_frame_bone(c, &constant, flags.data[i], &constants, &locals[i]);
        read_frame_bone(c, &moving, flags.data[i], &frame, &locals[i]);
    }
}

static void read_animation(bspi_model_builder *b, const chain *c, const bsp_table *bones,
                           local_bone *locals) {
    if (c->frames) {
        read_frames(b, c, bones, locals);
    } else {
        read_chain(b, c, bones, locals);
    }
}

// --- bones --------------------------------------------------------------------------------------

static void own_bones(const bsp_table *bones, local_bone *locals) {
    for (uint32_t i = 0; i < bones->count; i++) {
        bspi_model_floats(bones, i, "pos", 3, locals[i].place);
        bspi_model_floats(bones, i, "quat", 4, locals[i].turn);
    }
}

static uint32_t *hash_bones(bspi_model_builder *b, const bsp_model_file *file,
                            const bsp_table *bones) {
    uint32_t *hashes = bspi_arena_raw(b->arena, bones->count, sizeof *hashes, b->error);
    for (uint32_t i = 0; hashes != NULL && i < bones->count; i++) {
        hashes[i] = bspi_text_hash_nocase(bone_name(file, bones, i));
    }
    return hashes;
}

// Returns the bone of the model that has a name with this hash, or BSP_NONE.
static uint32_t find_bone(bspi_model_builder *b, const uint32_t *hashes, uint32_t count,
                          uint32_t hash) {
    uint32_t i = 0;
    while (i < count && hashes[i] != hash && bspi_meter_add(&b->meter, 1)) {
        i++;
    }
    return i < count && hashes[i] == hash ? i : BSP_NONE;
}

// Poses the bones by an animation of a model that this one includes: bones of one name are one.
static bool read_included(bspi_model_builder *b, const chain *c, const bsp_table *bones,
                          local_bone *locals) {
    bsp_table others = bspi_model_table(c->mdl, BSPI_SRC_BONES, 0);
    local_bone *moved = bspi_arena_zero(b->arena, others.count, sizeof *moved, b->error);
    uint32_t *same = hash_bones(b, c->mdl, &others);
    const uint32_t *own = hash_bones(b, b->model->file, bones);
    if (moved == NULL || same == NULL || own == NULL) {
        return false;
    }
    own_bones(&others, moved);
    for (uint32_t i = 0; i < others.count; i++) {
        same[i] = find_bone(b, own, bones->count, same[i]);
        if (c->delta && same[i] != BSP_NONE) {
            moved[i] = locals[same[i]];
        }
    }
    read_animation(b, c, &others, moved);
    for (uint32_t i = 0; i < others.count; i++) {
        if (same[i] != BSP_NONE) {
            locals[same[i]] = moved[i];
        }
    }
    return !b->meter.failed;
}

static void place_bone(const bsp_table *table, uint32_t i, const local_bone *local,
                       bsp_model_bone *bones) {
    static const float one[3] = {1, 1, 1};
    int64_t parent = bspi_model_int(table, i, "parent", 0);
    float values[12];
    float to_bone[3][4];
    float matrix[3][4];
    bones[i].parent = parent >= 0 && parent < i ? (uint32_t)parent : BSP_NONE;
    bspi_model_floats(table, i, "poseToBone", 12, values);
    memcpy(to_bone, values, sizeof to_bone);
    bspi_matrix_invert((const float(*)[4])to_bone, bones[i].bind);
    bspi_matrix_compose(local->place, local->turn, one, matrix);
    if (bones[i].parent != BSP_NONE) {
        bspi_matrix_multiply((const float(*)[4])bones[bones[i].parent].place,
                             (const float(*)[4])matrix, matrix);
    }
    memcpy(bones[i].place, matrix, sizeof matrix);
}

bool bspi_source_bones(bspi_model_builder *b) {
    const bsp_model_file *file = b->model->file;
    bsp_table table = bspi_model_table(file, BSPI_SRC_BONES, 0);
    bsp_model_bone *bones = bspi_arena_zero(b->arena, table.count, sizeof *bones, b->error);
    local_bone *locals = bspi_arena_zero(b->arena, table.count, sizeof *locals, b->error);
    if (bones == NULL || locals == NULL || !bspi_meter_add(&b->meter, table.count)) {
        return false;
    }
    chain c = find_chain(b);
    own_bones(&table, locals);
    if (c.mdl == file) {
        read_animation(b, &c, &table, locals);
    } else if (!read_included(b, &c, &table, locals)) {
        return false;
    }
    for (uint32_t i = 0; i < table.count; i++) {
        bones[i].name = bone_name(file, &table, i);
        place_bone(&table, i, &locals[i], bones);
        if (b->pose->bind_pose || b->model->info.static_prop) {
            memcpy(bones[i].place, bones[i].bind, sizeof bones[i].bind);
        }
    }
    b->mesh->bones = bones;
    b->mesh->num_bones = table.count;
    return true;
}
